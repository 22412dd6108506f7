package selftest_test

import (
	"os"
	"strings"
	"testing"

	"cairn/assets/prompts"
	"cairn/engine/ollama"
	"cairn/engine/selftest"
	"cairn/internal/testing/ollamatest"
	"cairn/internal/testing/tinymodel"
)

func TestMain(m *testing.M) { os.Exit(ollamatest.Run(m)) }

// cue is how a prompt begins.
func cue(prompt string) string { return strings.TrimSpace(prompts.Text(prompt))[:30] }

func runReal(t *testing.T, m tinymodel.Model) selftest.Report {
	t.Helper()
	s := ollamatest.Shared(t)
	server, err := ollama.NewServer(s.Host(), ollama.ServerOptions{})
	if err != nil {
		t.Fatal(err)
	}
	lm, err := server.Model(s.Install(t, m), ollama.ModelOptions{NumCtx: 16384})
	if err != nil {
		t.Fatal(err)
	}
	got, err := selftest.Run(t.Context(), lm, nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("%s (%d requests, %v)", got.Sentence(), got.Requests, got.Took)
	return got
}

// A model that knows one pattern and one answer by heart passes the checks that
// they are right for, and no other.
func TestRealScriptPassesItsPart(t *testing.T) {
	got := runReal(t, tinymodel.Scenes(
		tinymodel.Scene{
			Cue:  cue(prompts.Pattern),
			Text: `{"divided": ["who wrote it"], "triples": [["The Ninth Ferry", "written by", "UNKNOWN person 1"]], "asked": "UNKNOWN person 1", "task": "find", "negated": false}`,
		},
		tinymodel.Scene{Text: `{"sentences": [{"text": "A Map of Rain was published in 1961.", "citations": [1]}]}`},
	))
	for _, c := range got.Checks {
		want := false
		switch c.Name {
		case "JSON when asked for JSON", "a pattern of one step", "an answer with a number", "an answer while you wait":
			want = true
		}
		if c.Passed != want {
			t.Errorf("%s: passed %t, want %t (%s; it said %s)", c.Name, c.Passed, want, c.Why, c.Said)
		}
	}
}

// Nonsense in the right form is JSON, and nothing else.
func TestRealBabbleFailsInWords(t *testing.T) {
	got := runReal(t, tinymodel.Babble())
	if got.Verdict != selftest.Unsuited || !strings.HasPrefix(got.Sentence(), "Not suitable") {
		t.Errorf("verdict %v: %s", got.Verdict, got.Sentence())
	}
	for _, c := range got.Checks {
		if c.Passed == (c.Why != "") {
			t.Errorf("%s: passed %t, why %q", c.Name, c.Passed, c.Why)
		}
	}
}

func TestRealEmbedder(t *testing.T) {
	s := ollamatest.Shared(t)
	server, err := ollama.NewServer(s.Host(), ollama.ServerOptions{})
	if err != nil {
		t.Fatal(err)
	}
	name := s.Install(t, tinymodel.Embed())
	e, err := ollama.NewEmbedder(t.Context(), server, name)
	if err != nil {
		t.Fatal(err)
	}
	got, err := selftest.RunEmbedder(t.Context(), name, e, nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("%s (%.0f names a second)", got.Sentence(), got.NamesPerSecond)
	// It compares pairs of letters: that finds spellings.
	if got.Verdict != "names alike" {
		t.Errorf("verdict %q, want all spellings and no meanings", got.Verdict)
	}
}
