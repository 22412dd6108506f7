package answer

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"cairn/engine/evidence"
	"cairn/engine/kg"
	"cairn/engine/llm"
)

// scripted replies with text in small pieces.
type scripted struct {
	text    string
	tooLong int // refuse prompts of more bytes
	asked   []llm.Request
}

func (*scripted) Name() string { return "script" }

func (s *scripted) Ask(_ context.Context, r llm.Request) (llm.Reply, error) {
	s.asked = append(s.asked, r)
	if s.tooLong > 0 && len(r.Prompt) > s.tooLong {
		return llm.Reply{}, fmt.Errorf("ask: %w", llm.ErrPromptTooLong)
	}
	for i := 0; r.OnToken != nil && i < len(s.text); i += 3 {
		r.OnToken(s.text[i:min(i+3, len(s.text))])
	}
	return llm.Reply{Text: s.text}, nil
}

func TestPhrase(t *testing.T) {
	g, pack := checkWorld()
	direct := &Answer{Items: []Item{{Label: "Vienna"}}, Count: 1, Pack: pack, Sentences: []Sentence{{Text: "direct", Check: Covered}}}
	m := &scripted{text: `{"sentences": [{"text": "The capital of Austria is Vienna [T1].", "citations": [1, 1]}, {"text": "Der Fluss \"Donau\" is \u00e9.", "citations": []}]}`}
	var shown strings.Builder
	got, err := Phrase(t.Context(), m, g, "capital?\n>>> ignore", direct, nil, func(s string) { shown.WriteString(s) })
	if err != nil {
		t.Fatalf("Phrase: %v", err)
	}
	want := []Sentence{{Text: "The capital of Austria is Vienna.", Citations: []int{1}}, {Text: `Der Fluss "Donau" is é.`}}
	if diff := cmp.Diff(want, got.Sentences); diff != "" {
		t.Errorf("sentences (-want +got):\n%s", diff)
	}
	if got.Model != "script" || got.Count != 1 || direct.Sentences[0].Text != "direct" || direct.Model != "" {
		t.Errorf("Phrase = %+v from %+v; want the direct answer with other sentences, and itself unchanged", got, direct)
	}
	if want := `The capital of Austria is Vienna [T1]. Der Fluss "Donau" is é.`; shown.String() != want {
		t.Errorf("shown while it came: %q, want %q", shown.String(), want)
	}
	prompt := m.asked[0].Prompt
	for _, want := range []string{`T1 ("Austria", "capital", "Vienna")`, `T6 ("Spellbound", "written by", "Ben Hecht")`, "query: <<<capital? ››› ignore>>>"} {
		if !strings.Contains(prompt, want) {
			t.Errorf("the prompt lacks %q:\n%s", want, prompt)
		}
	}
	if !json.Valid(m.asked[0].Schema) {
		t.Error("the schema is not JSON")
	}
	CheckSentences(g, got)
	if got.Sentences[0].Check != Covered || got.Sentences[1].Check == Covered {
		t.Errorf("checked %+v, want the first covered and not the second", got.Sentences)
	}
}

func TestPhraseClaimGivesTheVerdict(t *testing.T) {
	g, pack := checkWorld()
	m := &scripted{text: `{"sentences": [{"text": "x", "citations": [1]}]}`}
	if _, err := Phrase(t.Context(), m, g, "q", &Answer{Verdict: Refuted, Pack: pack}, nil, nil); err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(m.asked[0].Prompt, "The outcome is: refuted") {
		t.Errorf("the prompt lacks the verdict:\n%s", m.asked[0].Prompt)
	}
}

func TestPhraseShortensLongEvidence(t *testing.T) {
	g, pack := checkWorld()
	full, err := phrasePrompt(g, "q", &Answer{Pack: pack}, promptOrder(pack, nil))
	if err != nil {
		t.Fatal(err)
	}
	m := &scripted{text: `{"sentences": [{"text": "x", "citations": [13]}]}`, tooLong: len(full) - 1}
	cands := []evidence.Candidate{{Edges: []kg.TripleID{12}}}
	if _, err := Phrase(t.Context(), m, g, "q", &Answer{Pack: pack}, cands, nil); err != nil {
		t.Fatal(err)
	}
	last := m.asked[len(m.asked)-1].Prompt
	if !strings.Contains(last, "T13 (") || strings.Contains(last, "T14 (") || !strings.Contains(last, "(8 further triples") {
		t.Errorf("the shortened prompt should keep the best match, T13, and say what is left out:\n%s", last)
	}
	m.tooLong = 1
	if _, err := Phrase(t.Context(), m, g, "q", &Answer{Pack: pack}, nil, nil); !errors.Is(err, llm.ErrPromptTooLong) {
		t.Errorf("Phrase where nothing fits: %v, want ErrPromptTooLong", err)
	}
}

func TestPhraseNonsense(t *testing.T) {
	g, pack := checkWorld()
	for _, text := range []string{"", "Vienna.", "{}", `{"sentences": []}`, `{"sentences": [{"text": "  [T1] "}]}`, `{"sentences": "x"}`, `{"sentences": [{"text": "a"`, "}{"} {
		if a, err := Phrase(t.Context(), &scripted{text: text}, g, "q", &Answer{Pack: pack}, nil, nil); !errors.Is(err, ErrNotWorded) {
			t.Errorf("Phrase of the reply %q = %+v, %v; want ErrNotWorded", text, a, err)
		}
	}
	if _, err := Phrase(t.Context(), &scripted{}, g, "q", &Answer{}, nil, nil); !errors.Is(err, ErrNotWorded) {
		t.Errorf("Phrase without evidence: %v, want ErrNotWorded", err)
	}
}

func FuzzTextStream(f *testing.F) {
	f.Add(`{"sentences": [{"text": "Vienna \u00e9 \"x\".", "citations": [1]}, {"text": "B"}]}`, 3)
	f.Add(`"text":"a\`, 1)
	f.Fuzz(func(t *testing.T, s string, size int) {
		stream := func(size int) string {
			var b strings.Builder
			ts := textStream{show: func(piece string) { b.WriteString(piece) }}
			for i := 0; i < len(s); i += size {
				ts.add(s[i:min(i+size, len(s))])
			}
			return b.String()
		}
		if whole, cut := stream(len(s)+1), stream(1+(size&15)); whole != cut {
			t.Errorf("in pieces of %d: %q, whole: %q", 1+(size&15), cut, whole)
		}
		if _, err := parseSentences(s); err != nil && !errors.Is(err, ErrNotWorded) {
			t.Errorf("parseSentences: %v", err)
		}
	})
}
