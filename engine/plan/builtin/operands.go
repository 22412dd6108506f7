package builtin

import (
	"context"
	"strings"

	"cairn/engine/link"
	"cairn/engine/pattern"
	"cairn/engine/plan"
	"cairn/engine/plan/operators"
	"cairn/engine/plan/words"
)

// operands reads for the operators what a question says without them.
type operands struct{ p *Planner }

var _ operators.Core = operands{}

// Read reads a question that has no operators.
func (o operands) Read(ctx context.Context, question string, mentions []link.Mention) (*plan.Plan, error) {
	out := &plan.Plan{Question: question, Planner: o.p.Name(), Mentions: mentions}
	r := o.p.newReader(question, mentions)
	r.claim, r.denied = false, false
	_, err := r.readQuestion(ctx, out)
	return out, err
}

// Things returns a node for all things of the kind that a word names.
func (o operands) Things(q *words.Question, word int) (pattern.Node, bool) {
	roots := o.p.rootsOf(&question{Question: q, p: o.p}, word)
	if len(roots) == 0 {
		return pattern.Node{}, false
	}
	n := pattern.Node{Text: "?" + strings.ReplaceAll(q.Words[word].Lower, " ", "_"), Variable: true, Within: o.p.rootEntities(roots[0]), Type: q.Words[word].Lower}
	if ts := roots[0].types; len(ts) > 0 {
		n.Type = o.p.g.TypeLabel(ts[0])
	}
	return n, len(n.Within) > 0
}
