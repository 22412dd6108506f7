package answer

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"cairn/engine/check"
	"cairn/engine/evidence"
	"cairn/engine/kg"
	"cairn/engine/llm"
	"cairn/engine/pattern"
	"cairn/internal/testing/golden"
)

// scripted replies with text in small pieces, or with texts one after the other.
type scripted struct {
	text    string
	texts   []string
	tooLong int // refuse prompts of more bytes
	asked   []llm.Request
}

func (*scripted) Name() string { return "script" }

func (s *scripted) Ask(_ context.Context, r llm.Request) (llm.Reply, error) {
	s.asked = append(s.asked, r)
	if s.tooLong > 0 && len(r.Prompt) > s.tooLong {
		return llm.Reply{}, fmt.Errorf("ask: %w", llm.ErrPromptTooLong)
	}
	if len(s.texts) > 0 {
		s.text, s.texts = s.texts[0], s.texts[1:]
	}
	for i := 0; r.OnToken != nil && i < len(s.text); i += 3 {
		r.OnToken(s.text[i:min(i+3, len(s.text))])
	}
	return llm.Reply{Text: s.text}, nil
}

func TestPhrase(t *testing.T) {
	g, pack := checkWorld()
	direct := &Answer{Items: []Item{{Label: "Vienna"}}, Count: 1, Pack: pack, Sentences: []Sentence{{Text: "direct", Check: check.Covered}}}
	m := &scripted{text: `{"sentences": [{"text": "The capital of Austria is Vienna [T1].", "citations": [1, 1]}, {"text": "Der Fluss \"Donau\" is \u00e9.", "citations": []}]}`}
	var shown strings.Builder
	got, err := Phrase(t.Context(), m, g, "capital?\n>>> ignore", direct, nil, PhraseOptions{OnToken: func(s string) { shown.WriteString(s) }})
	if err != nil {
		t.Fatalf("Phrase: %v", err)
	}
	want := []Sentence{{Text: "The capital of Austria is Vienna.", Citations: []int{1}, Model: true}, {Text: `Der Fluss "Donau" is é.`, Model: true}}
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
	CheckSentences(g, got, nil)
	if got.Sentences[0].Check != check.Covered || got.Sentences[1].Check == check.Covered {
		t.Errorf("checked %+v, want the first covered and not the second", got.Sentences)
	}
}

func TestPhraseClaimGivesTheVerdict(t *testing.T) {
	g, pack := checkWorld()
	m := &scripted{text: `{"sentences": [{"text": "x", "citations": [1]}]}`}
	if _, err := Phrase(t.Context(), m, g, "q", &Answer{Verdict: Refuted, Pack: pack}, nil, PhraseOptions{}); err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(m.asked[0].Prompt, "The outcome is: refuted") {
		t.Errorf("the prompt lacks the verdict:\n%s", m.asked[0].Prompt)
	}
}

func TestPhraseShortensLongEvidence(t *testing.T) {
	g, pack := checkWorld()
	p := newPrompter(g, "q", &Answer{Pack: pack}, nil, PhraseOptions{})
	full, err := p.text(p.order)
	if err != nil {
		t.Fatal(err)
	}
	m := &scripted{text: `{"sentences": [{"text": "x", "citations": [13, 14, 99]}]}`, tooLong: len(full) - 1}
	cands := []evidence.Candidate{{Edges: []kg.TripleID{12}}}
	worded, err := Phrase(t.Context(), m, g, "q", &Answer{Pack: pack}, cands, PhraseOptions{})
	if err != nil {
		t.Fatal(err)
	}
	if cites := worded.Sentences[0].Citations; !slices.Equal(cites, []int{13, 99}) {
		t.Errorf("it cites %v; want 13, and 99, which never was, but not 14, which it did not read", cites)
	}
	last := m.asked[len(m.asked)-1].Prompt
	if !strings.Contains(last, "T13 (") || strings.Contains(last, "T14 (") || !strings.Contains(last, "(8 further triples") {
		t.Errorf("the shortened prompt should keep the best match, T13, and say what is left out:\n%s", last)
	}
	m.tooLong = 1
	if _, err := Phrase(t.Context(), m, g, "q", &Answer{Pack: pack}, nil, PhraseOptions{}); !errors.Is(err, llm.ErrPromptTooLong) {
		t.Errorf("Phrase where nothing fits: %v, want ErrPromptTooLong", err)
	}
}

// narrow is a scripted model that knows how many bytes it can read.
type narrow struct {
	scripted
	bytes int
}

func (n *narrow) Room(r llm.Request) int { return n.bytes - len(r.Prompt) }

func TestPhraseFitsTheModelsRoom(t *testing.T) {
	g, pack := checkWorld()
	for _, style := range evidence.Styles {
		p := newPrompter(g, "q", &Answer{Pack: pack}, nil, PhraseOptions{Style: style})
		exact, err := p.text(p.order[:9])
		if err != nil {
			t.Fatal(err)
		}
		m := &narrow{scripted{text: `{"sentences": [{"text": "x", "citations": [1]}]}`, tooLong: len(exact)}, len(exact)}
		got, err := Phrase(t.Context(), m, g, "q", &Answer{Pack: pack}, nil, PhraseOptions{Style: style})
		if err != nil {
			t.Fatal(err)
		}
		const left = "6 of 15 triples were left out to fit the model's context."
		if len(m.asked) != 1 || m.asked[0].Prompt != exact || m.asked[0].Left != left {
			t.Errorf("%s: asked %d times, leaving out %q; want once with 9 triples", style, len(m.asked), m.asked[0].Left)
		}
		if last := got.Sentences[len(got.Sentences)-1]; !last.Note || last.Text != left {
			t.Errorf("%s: the last sentence is %+v, want a note of what was left out", style, last)
		}
	}
}

func TestPhraseRepairsAReply(t *testing.T) {
	g, pack := checkWorld()
	good := `{"sentences": [{"text": "The capital of Austria is Vienna.", "citations": [1]}]}`
	m := &scripted{texts: []string{"Vienna >>> of course.", "```json\n" + good + "\n```"}}
	got, err := Phrase(t.Context(), m, g, "q", &Answer{Pack: pack}, nil, PhraseOptions{})
	if err != nil || len(got.Sentences) != 1 || len(m.asked) != 2 {
		t.Fatalf("Phrase = %+v, %v after %d requests; want the repaired sentence", got, err, len(m.asked))
	}
	if p := m.asked[1].Prompt; !strings.Contains(p, "Your reply was: <<<Vienna >>> of course.>>>") && !strings.Contains(p, "Your reply was: <<<Vienna ››› of course.>>>") {
		t.Errorf("the second prompt does not quote the reply:\n%s", p)
	}
	if m.asked[0].Purpose == m.asked[1].Purpose {
		t.Errorf("both requests are for %q, want them told apart", m.asked[0].Purpose)
	}
}

func TestPhraseGoldenPrompts(t *testing.T) {
	g, pack := checkWorld()
	pack.Triples = pack.Triples[:3]
	match := evidence.Candidate{Edges: []kg.TripleID{2, 1}}
	var b strings.Builder
	for _, v := range []Verdict{NoVerdict, Supported} {
		for _, style := range evidence.Styles {
			direct := &Answer{Verdict: v, Items: []Item{{Entity: g.Triple(1).Tail}}, Pack: pack}
			p := newPrompter(g, "What does Slovenia's neighbour pay with?", direct, []evidence.Candidate{match}, PhraseOptions{
				Style: style, Pattern: &pattern.Pattern{Nodes: []pattern.Node{{Entities: []kg.EntityID{g.Triple(2).Head}}}},
			})
			text, err := p.text(p.order)
			if err != nil {
				t.Fatal(err)
			}
			fmt.Fprintf(&b, "================ %s, %q\n%s\n", style, v, text)
		}
	}
	golden.Compare(t, "testdata/prompts.txt", b.String())
}

func TestPhraseNonsense(t *testing.T) {
	g, pack := checkWorld()
	for _, text := range []string{"", "Vienna.", "{}", `{"sentences": []}`, `{"sentences": [{"text": "  [T1] "}]}`, `{"sentences": "x"}`, `{"sentences": [{"text": "a"`, "}{"} {
		if a, err := Phrase(t.Context(), &scripted{text: text}, g, "q", &Answer{Pack: pack}, nil, PhraseOptions{}); !errors.Is(err, errNotWorded) {
			t.Errorf("Phrase of the reply %q = %+v, %v; want ErrNotWorded", text, a, err)
		}
	}
	if _, err := Phrase(t.Context(), &scripted{}, g, "q", &Answer{}, nil, PhraseOptions{}); !errors.Is(err, errNotWorded) {
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
		if _, err := parseSentences(s); err != nil && !errors.Is(err, errNotWorded) {
			t.Errorf("parseSentences: %v", err)
		}
	})
}
