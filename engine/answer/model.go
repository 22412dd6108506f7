package answer

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"sort"
	"strings"

	"cairn/engine/evidence"
	"cairn/engine/kg"
	"cairn/engine/llm"
	"cairn/engine/pattern"
)

// PhraseOptions are the choices of Phrase; the zero value is the default.
type PhraseOptions struct {
	// Style is how the evidence is written for the model.
	Style evidence.Style
	// MaxTriples is how many triples the model reads at most. Less is shown where
	// the model's context has no room for them.
	//
	// The default value is 60.
	MaxTriples int
	// Pattern is what the candidates are matches of: it says which entities the
	// question names, where paths begin. It may be nil.
	Pattern *pattern.Pattern
	// Starts are further entities that the question names, for candidates that are
	// matches of no pattern.
	Starts []kg.EntityID
	// OnToken, if set, is given the text of the sentences as it comes.
	OnToken func(piece string)
	// OnRestart, if set, is told that what OnToken was given is void: the model
	// begins anew.
	OnRestart func()
}

// minTriples is how little evidence is tried before a prompt counts as too long
// for the model.
const minTriples = 4

// maxReplyTokens bounds the answer: twelve sentences with their citations.
const maxReplyTokens = 1500

// Phrase has a model word a direct answer, with the papers' prompts over the same
// evidence (SimGRAG §4.4, Tables 12 and 13; GNN-RAG §4.3 and GSR §4.4 for the
// styles). The result has the model's sentences in place of those of direct, which
// it keeps as Direct, and the notes of both; they are unchecked: CheckSentences compares them with the
// triples. direct is not changed.
//
// A prompt that the model has no room for is not sent: the triples of the last
// matches are left out, and a note of the answer says how many. A reply that is
// not in the asked form is sent back once to be put right; errNotWorded is
// returned where that does not help.
func Phrase(
	ctx context.Context, m llm.Model, g *kg.Graph, question string, direct *Answer, cands []evidence.Candidate, o PhraseOptions,
) (*Answer, error) {
	if len(direct.Pack.Triples) == 0 {
		return nil, fmt.Errorf("%w: there is no evidence to write an answer from", errNotWorded)
	}
	if o.MaxTriples <= 0 {
		o.MaxTriples = 60
	}
	p := newPrompter(g, question, direct, cands, o)
	n, err := p.fit(m, min(o.MaxTriples, len(p.order)))
	if err != nil {
		return nil, err
	}
	for ; ; n /= 2 {
		said, err := p.ask(ctx, m, n)
		if errors.Is(err, llm.ErrPromptTooLong) && n/2 >= min(minTriples, len(p.order)) {
			continue // the model counts otherwise than Room
		}
		if err != nil {
			return nil, err
		}
		for i := range said { // what it did not read, it cannot cite
			said[i].Citations = slices.DeleteFunc(said[i].Citations, func(c int) bool { return slices.Contains(p.order[n:], c) })
		}
		worded := *direct
		worded.Direct, worded.Sentences, worded.Model = direct.Sentences, said, m.Name()
		for _, s := range direct.Sentences {
			if s.Note && !strings.HasPrefix(s.Text, andMore) {
				worded.Sentences = append(worded.Sentences, s) // what it says of the search holds whoever words the answer
			}
		}
		if left := p.left(n); left != "" {
			worded.Sentences = append(worded.Sentences, note(left))
		}
		return &worded, nil
	}
}

// prompter writes the prompts of one answer.
type prompter struct {
	question string
	direct   *Answer
	matches  []evidence.Candidate
	opts     PhraseOptions
	writer   evidence.Writer
	order    []int // the numbers of the pack, what matters most first
}

func newPrompter(g *kg.Graph, question string, direct *Answer, matches []evidence.Candidate, o PhraseOptions) *prompter {
	p := &prompter{question: question, direct: direct, matches: matches, opts: o, order: promptOrder(direct.Pack, matches)}
	p.writer = promptWriter(g, direct.Pack)
	p.writer.Starts = append(p.writer.Starts, o.Starts...)
	if o.Pattern != nil {
		p.writer.Starts = append(p.writer.Starts, o.Pattern.Named()...)
	}
	for _, it := range direct.Items {
		if it.Entity != kg.NoEntity {
			p.writer.Ends = append(p.writer.Ends, it.Entity)
		}
	}
	if o.Style == evidence.Sets || o.Style == evidence.Ends { // once, not at each length that is tried
		p.writer.Subgraphs, _ = evidence.Arranging{}.Arrange(g, p.writer.Starts, matches, nil)
	}
	return p
}

// promptOrder returns the numbers of the pack in the order of the matches, the
// best first, so that a prompt that has to be short keeps whole matches.
func promptOrder(pack evidence.Pack, matches []evidence.Candidate) []int {
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
	for _, c := range matches {
		for _, t := range c.Triples() {
			add(at[t])
		}
	}
	for i := range pack.Triples {
		add(i + 1)
	}
	return order
}

// fit returns how many triples, at most n, the model has room for; n where it
// does not say.
func (p *prompter) fit(m llm.Model, n int) (int, error) {
	least := min(minTriples, n) // is tried whatever it takes: Ask says why it cannot
	var failed error
	further := sort.Search(n-least, func(i int) bool {
		req, err := p.request(least + i + 1)
		failed = cmp.Or(failed, err)
		return err != nil || !hasRoom(m, req)
	})
	return least + further, failed
}

// hasRoom reports whether a model can read a request, as far as it tells.
func hasRoom(m llm.Model, req llm.Request) bool {
	room, known := llm.Room(m, req)
	return !known || room >= 0
}

// left says what a prompt of n triples leaves out.
func (p *prompter) left(n int) string {
	if n >= len(p.order) {
		return ""
	}
	return fmt.Sprintf("%d of %d triples were left out to fit the model's context.", len(p.order)-n, len(p.order))
}

// request is the request with the first n triples.
func (p *prompter) request(n int) (llm.Request, error) {
	text, err := p.text(p.order[:n])
	req := llm.Request{
		Purpose: "answer", Left: p.left(n), Prompt: text, Schema: json.RawMessage(sentenceSchema), MaxTokens: maxReplyTokens,
	}
	if p.direct.Verdict != NoVerdict {
		req.Purpose = "claim"
	}
	return req, err
}

// restart says that what was streamed is void.
func (p *prompter) restart() {
	if p.opts.OnRestart != nil {
		p.opts.OnRestart()
	}
}

// ask sends the prompt with the first n triples and reads the reply, which has
// one chance to be put right.
func (p *prompter) ask(ctx context.Context, m llm.Model, n int) ([]Sentence, error) {
	req, err := p.request(n)
	if err != nil {
		return nil, err
	}
	for tries := 0; ; tries++ {
		if tries > 0 {
			p.restart()
		}
		if p.opts.OnToken != nil {
			stream := &textStream{show: p.opts.OnToken}
			req.OnToken = stream.add
			req.OnRetry = func(error) {
				*stream = textStream{show: p.opts.OnToken}
				p.restart()
			}
		}
		reply, err := m.Ask(ctx, req)
		if err != nil {
			return nil, err
		}
		said, err := parseSentences(reply.Text)
		if err == nil || tries > 0 {
			return said, err
		}
		req.Purpose += ", again"
		req.Prompt += repair(reply.Text, err)
		if !hasRoom(m, req) {
			return nil, err
		}
	}
}
