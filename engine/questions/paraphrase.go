package questions

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"cairn/assets/prompts"
	"cairn/engine/kg"
	"cairn/engine/lexicon"
	"cairn/engine/llm"
)

// ParaphraseOptions are the choices of Paraphrase; the zero value is the default.
type ParaphraseOptions struct {
	// MaxWallTime is the soft deadline. The default value is none.
	MaxWallTime time.Duration
	// Seed makes the wordings repeatable, as far as the model is.
	Seed int
}

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
	// perRequest is how many questions go into a request: small models lose count of
	// more.
	perRequest = 8
	// maxQuestion is the longest question that is worded again, in characters.
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
// A batch that the model cannot do is asked for in halves. Where its replies are of
// no use again and again, it ends with the reason in Stopped. An error of the server
// or the context ends it too, beside what there was until then. progress may be nil.
func Paraphrase(ctx context.Context, m llm.Model, g *kg.Graph, xs []Example, o ParaphraseOptions, progress func(done, total int64)) (Paraphrases, error) {
	w := rewording{
		m: m, g: g, o: o, xs: xs, found: make([][]Example, len(xs)),
	}
	if w.o.MaxWallTime > 0 {
		w.deadline = time.Now().Add(w.o.MaxWallTime)
	}
	var able []int
	for i, x := range xs {
		if _, ok := marked(x); ok {
			able = append(able, i)
		}
	}
	// Each batch may be asked for once more on average.
	w.budget = 2*((len(able)+perRequest-1)/perRequest) + 16
	done := 0
	for batch := range slices.Chunk(able, perRequest) {
		if progress != nil {
			progress(int64(done), int64(len(able)))
		}
		if err := w.batch(ctx, batch); err != nil {
			return Paraphrases{Examples: slices.Concat(w.found...)}, err
		}
		if w.stopped != "" {
			break
		}
		done += len(batch)
	}
	if progress != nil {
		progress(int64(len(able)), int64(len(able)))
	}
	return Paraphrases{slices.Concat(w.found...), w.stopped}, nil
}

type rewording struct {
	m        llm.Model
	g        *kg.Graph
	o        ParaphraseOptions
	xs       []Example
	deadline time.Time // zero for none
	budget   int       // requests that are left
	found    [][]Example
	stopped  string // see Paraphrases
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

// batch has the questions with these indexes worded again.
func (w *rewording) batch(ctx context.Context, of []int) error {
	switch {
	case ctx.Err() != nil:
		return ctx.Err()
	case w.budget == 0:
		w.stopped = fmt.Sprintf("Too many of %s's replies could not be used.", w.m.Name())
		return nil
	case !w.deadline.IsZero() && time.Now().After(w.deadline):
		w.stopped = "It ran out of time."
		return nil
	}
	said, err := w.ask(ctx, of)
	switch {
	case err == nil && len(said.Questions) > 0:
		w.keep(of, said)
		return nil
	case err != nil && !errors.Is(err, llm.ErrCut) && !errors.Is(err, llm.ErrForm) && !errors.Is(err, llm.ErrPromptTooLong):
		return err
	case len(of) == 1:
		return nil
	}
	half := (len(of) + 1) / 2
	for _, part := range [][]int{of[:half], of[half:]} {
		if err := w.batch(ctx, part); err != nil || w.stopped != "" {
			return err
		}
	}
	return nil
}

// ask sends one request. A reply without what was asked for has no questions.
func (w *rewording) ask(ctx context.Context, of []int) (reworded, error) {
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
		return reworded{}, err
	}
	req := llm.Request{
		Purpose: "other words", Prompt: prompt, Schema: schemaFor(len(of), wordingsEach), MaxTokens: (len(of)*wordingsEach + 2) * wordingTokens,
		Temperature: paraphraseTemperature, Seed: w.o.Seed + of[0],
	}
	if room, known := llm.Room(w.m, req); known && room < 0 {
		return reworded{}, llm.ErrPromptTooLong
	}
	w.budget--
	reply, err := w.m.Ask(ctx, req)
	if err != nil {
		return reworded{}, fmt.Errorf("reword questions: %w", err)
	}
	var said reworded
	for object := range llm.Objects(reply.Text) {
		said = reworded{}
		if json.Unmarshal(object, &said) == nil && len(said.Questions) > 0 {
			break
		}
	}
	return said, nil
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
	return Example{Text: text, Topics: x.Topics, Spans: spansOf(w.g, text, given, x.Topics), Answers: x.Answers}, true
}

// sameWords reports whether texts differ in case and punctuation alone.
func sameWords(a, b string) bool {
	return slices.EqualFunc(lexicon.Tokenize(a), lexicon.Tokenize(b), func(x, y lexicon.Token) bool { return x.Lower == y.Lower })
}
