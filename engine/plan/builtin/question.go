package builtin

import (
	"cairn/engine/plan/words"
	"cairn/engine/schema"
)

// maxCues is how many cue words of one question are tried on hops: the trial
// is exponential in them.
const maxCues = 8

// wh is what the question word asks for.
type wh int

const (
	noWh wh = iota
	who
	when
	where
	howMuch // how old, how high: a number that the graph has
	howMany // a number, or a count of things
)

// question is a question as one choice of its mentions reads it.
type question struct {
	*words.Question

	p     *Planner
	asked int // the word for what is asked, or -1
	wh    wh
	// anchor is the word next to the question word, which belongs to the last
	// hop, or -1.
	anchor int
	clause int // see findClause
	memo   memo
	cued   []schema.Step // see cuedSteps
}

// newQuestion reads the words of a question with some of its spans taken as
// names.
func (p *Planner) newQuestion(base []words.Word, mentions []words.Span) *question {
	q := &question{Question: p.Vocabulary.Read(base, mentions), p: p, asked: -1, anchor: -1, memo: newMemo()}
	q.Cues = q.Cues[:min(len(q.Cues), maxCues)]
	q.findTarget()
	q.clause = q.findClause()
	return q
}
