package questions

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"cairn/assets/prompts"
	"cairn/engine/kg"
	"cairn/engine/lexicon"
	"cairn/engine/llm"
)

// Paraphrases are questions in other words.
type Paraphrases struct {
	// Examples are the new wordings, each with the topics and answers of the
	// question that it words again, in the order of the questions.
	Examples []Example
	// Stopped says in a sentence why it ended before all questions; empty where it
	// did not.
	Stopped string
}

const (
	// wordingsEach is how many new wordings a question is to get.
	wordingsEach = 2
	// maxQuestion is the longest question that a model is asked about, in characters.
	maxQuestion = 400
	// wordingTokens is the room for one wording in a reply, in tokens.
	wordingTokens = 80
	// paraphraseTemperature makes the wordings differ.
	paraphraseTemperature = 0.7
)

// Paraphrase has a model word questions again. Every wording must hold the names
// of its topics as the question does, letter by letter, and no answer; others are
// dropped. Questions whose text does not hold their topics' names are left as they
// are.
//
// It is an inquiry, whose error or reason to stop stands beside what there was until
// then. progress may be nil.
func Paraphrase(ctx context.Context, m llm.Model, g *kg.Graph, xs []Example, o InquiryOptions, progress func(done, total int64)) (Paraphrases, error) {
	w := rewording{g: g, xs: xs, found: make([][]Example, len(xs)), seed: o.Seed}
	var able []int
	for i, x := range xs {
		if _, ok := marked(x); ok {
			able = append(able, i)
		}
	}
	q := newInquiry(m, o, w.ask)
	err := q.all(ctx, able, progress)
	return Paraphrases{slices.Concat(w.found...), q.stopped}, err
}

type rewording struct {
	g     *kg.Graph
	xs    []Example
	found [][]Example
	seed  int
}

// numbered is a question of a prompt.
type numbered struct {
	Number int
	Text   string // its names in [[ ]]
}

type reworded struct {
	Questions []struct {
		Number   int      `json:"number"`
		Wordings []string `json:"wordings"`
	} `json:"questions"`
}

// marked returns the text of an example with its names in double brackets; ok is
// false where it has none, or cannot stand in a prompt as it is.
func marked(x Example) (string, bool) {
	var b strings.Builder
	at := 0
	for _, s := range x.Spans {
		b.WriteString(x.Text[at:s.Start] + "[[" + x.Text[s.Start:s.End] + "]]")
		at = s.End
	}
	b.WriteString(x.Text[at:])
	return b.String(), len(x.Spans) > 0 && llm.Quote(x.Text, maxQuestion) == x.Text
}

// ask has the questions with these indexes worded again.
func (w *rewording) ask(ctx context.Context, q *inquiry, of []int) (useful bool, err error) {
	data := struct {
		Each      int
		Questions []numbered
	}{Each: wordingsEach}
	for i, at := range of {
		text, _ := marked(w.xs[at])
		data.Questions = append(data.Questions, numbered{i + 1, llm.Quote(text, 2*maxQuestion)})
	}
	prompt, err := llm.Prompt(prompts.Paraphrase, data)
	if err != nil {
		return false, err
	}
	return q.request(ctx, llm.Request{
		Purpose: "other words", Prompt: prompt, Schema: schemaFor(len(of), wordingsEach), MaxTokens: (len(of)*wordingsEach + 2) * wordingTokens,
		Temperature: paraphraseTemperature, Seed: w.seed + of[0],
	}, func(object json.RawMessage) bool {
		var said reworded
		if json.Unmarshal(object, &said) != nil || len(said.Questions) == 0 {
			return false
		}
		w.keep(of, said)
		return true
	})
}

// schemaFor holds a reply to the form of the prompt.
func schemaFor(questions, each int) json.RawMessage {
	return json.RawMessage(fmt.Sprintf(`{
"type": "object",
"properties": {
	"questions": {"type": "array", "maxItems": %d, "items": {"type": "object", "properties": {
		"number": {"type": "integer"},
		"wordings": {"type": "array", "maxItems": %d, "items": {"type": "string", "maxLength": %d}}
	}, "required": ["number", "wordings"], "additionalProperties": false}}
},
"required": ["questions"],
"additionalProperties": false
}`, questions, each, maxQuestion))
}

// keep takes the wordings that can be used.
func (w *rewording) keep(of []int, said reworded) {
	for _, q := range said.Questions {
		if q.Number < 1 || q.Number > len(of) {
			continue
		}
		at := of[q.Number-1]
		for _, text := range q.Wordings {
			x, ok := w.reword(w.xs[at], text)
			same := func(o Example) bool { return sameWords(o.Text, x.Text) }
			if ok && len(w.found[at]) < wordingsEach && !slices.ContainsFunc(w.found[at], same) {
				w.found[at] = append(w.found[at], x)
			}
		}
	}
}

// reword makes an example of another wording of x; ok is false for one that cannot
// be used.
func (w *rewording) reword(x Example, text string) (Example, bool) {
	text = strings.NewReplacer("[[", "", "]]", "").Replace(strings.Join(strings.Fields(text), " "))
	if text == "" || len(text) > 2*len(x.Text)+maxQuestion/2 || sameWords(text, x.Text) {
		return Example{}, false
	}
	var given []string
	for _, s := range x.Spans {
		name := x.Text[s.Start:s.End]
		given = append(given, name)
		if len(occurrences(text, nil, name)) == 0 {
			return Example{}, false
		}
	}
	words, before := lexicon.Tokenize(text), lexicon.Tokenize(x.Text)
	for _, e := range x.Answers {
		if label := w.g.Label(e); len(occurrences(text, words, label)) > len(occurrences(x.Text, before, label)) {
			return Example{}, false
		}
	}
	x.Text, x.Spans = text, spansOf(w.g, text, given, x.Topics)
	return x, true
}

// sameWords reports whether texts differ in case and punctuation alone.
func sameWords(a, b string) bool {
	return slices.EqualFunc(lexicon.Tokenize(a), lexicon.Tokenize(b), func(x, y lexicon.Token) bool { return x.Lower == y.Lower })
}
