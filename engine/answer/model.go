package answer

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"text/template"

	"cairn/assets/prompts"
	"cairn/engine/evidence"
	"cairn/engine/kg"
	"cairn/engine/llm"
)

// ErrNotWorded is returned for a model's reply that is no answer in sentences.
var ErrNotWorded = errors.New("the model's reply is no list of sentences")

// How much evidence a prompt shows at first, and the least that is tried where
// that is too long for the model.
const (
	maxPromptTriples = 60
	minPromptTriples = 4
	maxPromptLabel   = 200  // characters of a name within a prompt
	maxPromptText    = 2000 // characters of the question within a prompt
	maxSentences     = 20
)

// sentenceSchema holds a model's answer to its form. Bounds stay far below
// 2000, above which servers crash.
const sentenceSchema = `{
"type": "object",
"properties": {
	"sentences": {"type": "array", "minItems": 1, "maxItems": 12, "items": {
		"type": "object",
		"properties": {
			"text": {"type": "string", "maxLength": 500},
			"citations": {"type": "array", "maxItems": 40, "items": {"type": "integer"}}
		},
		"required": ["text", "citations"]
	}}
},
"required": ["sentences"]
}`

// Phrase has a model word a direct answer, with the paper's prompt over the same
// evidence (SimGRAG §4.4, Tables 12 and 13). The result keeps everything of
// direct but the sentences, which are unchecked: CheckSentences compares them
// with the triples. onToken, if set, is given the text of the sentences as it
// comes. direct is not changed.
func Phrase(
	ctx context.Context, m llm.Model, g *kg.Graph, question string, direct *Answer, cands []evidence.Candidate, onToken func(string),
) (*Answer, error) {
	if len(direct.Pack.Triples) == 0 {
		return nil, fmt.Errorf("%w: there is no evidence to word", ErrNotWorded)
	}
	order := promptOrder(direct.Pack, cands)
	for n := min(maxPromptTriples, len(order)); ; n /= 2 {
		said, err := phrase(ctx, m, g, question, direct, order[:n], onToken)
		if errors.Is(err, llm.ErrPromptTooLong) && n/2 >= minPromptTriples {
			continue
		}
		if err != nil {
			return nil, err
		}
		worded := *direct
		worded.Sentences = said
		worded.Model = m.Name()
		return &worded, nil
	}
}

// promptOrder returns the numbers of the pack in the order of the matches, the
// best first, so that a prompt that has to be short keeps whole matches.
func promptOrder(pack evidence.Pack, cands []evidence.Candidate) []int {
	var order []int
	seen := make([]bool, len(pack.Triples)+1)
	at := make(map[kg.TripleID]int, len(pack.Triples))
	for i, t := range pack.Triples {
		at[t] = i + 1
	}
	add := func(n int) {
		if n > 0 && !seen[n] {
			seen[n] = true
			order = append(order, n)
		}
	}
	for _, c := range cands {
		for _, t := range c.Triples() {
			add(at[t])
		}
	}
	for i := range pack.Triples {
		add(i + 1)
	}
	return order
}

func phrase(
	ctx context.Context, m llm.Model, g *kg.Graph, question string, direct *Answer, shown []int, onToken func(string),
) ([]Sentence, error) {
	prompt, err := phrasePrompt(g, question, direct, shown)
	if err != nil {
		return nil, err
	}
	req := llm.Request{Prompt: prompt, Schema: json.RawMessage(sentenceSchema), MaxTokens: 1500}
	if onToken != nil {
		req.OnToken = (&textStream{show: onToken}).add
	}
	reply, err := m.Ask(ctx, req)
	if err != nil {
		return nil, err
	}
	return parseSentences(reply.Text)
}

// phrasePrompt writes the prompt with the triples of the given numbers.
func phrasePrompt(g *kg.Graph, question string, direct *Answer, shown []int) (string, error) {
	name := prompts.AnswerQuestion
	if direct.Verdict != NoVerdict {
		name = prompts.AnswerClaim
	}
	t, err := template.New(name).Parse(prompts.Text(name))
	if err != nil {
		return "", fmt.Errorf("read the prompt %s: %w", name, err)
	}
	shown = slices.Sorted(slices.Values(shown))
	lines := make([]string, len(shown))
	for i, n := range shown {
		x := g.Triple(direct.Pack.Triples[n-1])
		lines[i] = fmt.Sprintf("T%d (%q, %q, %q)", n, promptData(g.Label(x.Head), maxPromptLabel), promptData(g.RelationText(x.Relation), maxPromptLabel), promptData(g.Label(x.Tail), maxPromptLabel))
	}
	var b strings.Builder
	err = t.Execute(&b, struct {
		Question, Verdict string
		Triples           []string
		Left              int
	}{promptData(question, maxPromptText), direct.Verdict.String(), lines, len(direct.Pack.Triples) - len(shown)})
	if err != nil {
		return "", fmt.Errorf("write the prompt %s: %w", name, err)
	}
	return b.String(), nil
}

// promptData makes a text of the user's or the graph's safe to stand in a
// prompt: on one line, bounded, unable to close its delimiters.
func promptData(s string, limit int) string {
	s = strings.Join(strings.Fields(strings.ToValidUTF8(s, "")), " ")
	s = strings.NewReplacer("<<<", "‹‹‹", ">>>", "›››").Replace(s)
	if rs := []rune(s); len(rs) > limit {
		s = string(rs[:limit]) + "…"
	}
	return s
}

// parseSentences reads a model's answer: the JSON that the schema asks for,
// which may stand in a code fence or among other words.
func parseSentences(text string) ([]Sentence, error) {
	var reply struct {
		Sentences []struct {
			Text      string `json:"text"`
			Citations []int  `json:"citations"`
		} `json:"sentences"`
	}
	from, to := strings.IndexByte(text, '{'), strings.LastIndexByte(text, '}')
	if from < 0 || to < from {
		return nil, fmt.Errorf("%w: it is not JSON", ErrNotWorded)
	}
	if err := json.Unmarshal([]byte(text[from:to+1]), &reply); err != nil {
		return nil, fmt.Errorf("%w: %w", ErrNotWorded, err)
	}
	var said []Sentence
	for _, s := range reply.Sentences {
		line := strings.Join(strings.Fields(strings.ToValidUTF8(s.Text, "")), " ")
		line = strings.TrimSpace(citation.ReplaceAllString(line, ""))
		if line == "" {
			continue
		}
		if len(said) == maxSentences {
			break
		}
		cites := slices.Sorted(slices.Values(s.Citations))
		said = append(said, Sentence{Text: closeGaps(line), Citations: slices.Compact(cites)})
	}
	if len(said) == 0 {
		return nil, fmt.Errorf("%w: it says nothing", ErrNotWorded)
	}
	return said, nil
}

// closeGaps closes the gaps that citation marks leave: "Vienna [T1] ."
// becomes "Vienna.".
func closeGaps(s string) string {
	return strings.NewReplacer(" .", ".", " ,", ",", " ;", ";").Replace(strings.Join(strings.Fields(s), " "))
}

// textStream picks the values of "text" out of JSON that comes in pieces, so
// that people see sentences rather than JSON.
type textStream struct {
	show   func(string)
	key    []byte // the last string that was no shown value
	quoted bool
	value  bool // within the value of "text"
	colon  bool // a colon followed the last string
	escape bool
	hex    []byte // digits of an unfinished \u escape; nil outside one
	begun  bool   // a sentence was shown before
}

func (t *textStream) add(piece string) {
	var out strings.Builder
	for i := range len(piece) {
		t.next(piece[i], &out)
	}
	if out.Len() > 0 {
		t.show(out.String())
	}
}

func (t *textStream) next(c byte, out *strings.Builder) {
	switch {
	case !t.quoted:
		switch c {
		case '"':
			t.quoted = true
			t.value = t.colon && string(t.key) == "text"
			if t.value && t.begun {
				out.WriteByte(' ')
			}
			t.key = t.key[:0]
		case ':':
			t.colon = true
		case ' ', '\t', '\n', '\r':
		default:
			t.colon = false
		}
		return
	case t.hex != nil:
		if t.hex = append(t.hex, c); len(t.hex) == 4 {
			var s string
			if json.Unmarshal([]byte(`"\u`+string(t.hex)+`"`), &s) == nil && t.value {
				out.WriteString(s)
			}
			t.hex = nil
		}
		return
	case t.escape:
		t.escape = false
		switch c {
		case 'u':
			t.hex = []byte{}
			return
		case 'n', 't', 'r':
			c = ' '
		}
	case c == '\\':
		t.escape = true
		return
	case c == '"':
		t.begun = t.begun || t.value
		t.quoted, t.value, t.colon = false, false, false
		return
	}
	if t.value {
		out.WriteByte(c)
	} else if len(t.key) < 16 {
		t.key = append(t.key, c)
	}
}
