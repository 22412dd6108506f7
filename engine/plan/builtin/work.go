package builtin

import (
	"context"
	"fmt"

	"cairn/engine/kg"
	"cairn/engine/schema"
)

// The work that one question may cost, in shapes scored. It is counted and not
// timed, so that the same question gets the same plan on any machine under any
// load. The likeliest shapes come first; a question that names a dozen hubs
// loses only what lay far behind.
const (
	// chainsBudget is for the chains from one mention.
	chainsBudget = 2_500
	starsBudget  = 7_000
	// jointCost is the work of a joint reading, and tailsCost that of finding
	// what comes after one.
	jointCost = 2
	tailsCost = 10
	// stepsPerShape is how many steps of assigning words cost as much as
	// another shape.
	stepsPerShape = 20
)

// work is what reading a question has cost and found.
type work struct {
	left   int
	chains map[string][][]schema.Step
	ends   map[string][]kg.EntityID // by leg
}

func newWork() work {
	return work{chains: map[string][][]schema.Step{}, ends: map[string][]kg.EntityID{}}
}

// ends returns what a leg leads to, ascending; not to be changed.
func (r *reader) ends(ctx context.Context, l leg) []kg.EntityID {
	key := fmt.Sprint(l.entity, l.steps)
	out, isKnown := r.work.ends[key]
	if !isKnown {
		out = r.p.schema.Reach(ctx, []kg.EntityID{l.entity}, l.steps)
		r.work.ends[key] = out
	}
	return out
}

// afford takes the cost from the work that is left and reports whether there
// was enough.
func (r *reader) afford(cost int) bool {
	r.work.left -= cost
	return r.work.left >= 0
}

// chains is question.chains, found once for all questions whose words ask for
// the same steps.
func (r *reader) chains(ctx context.Context, q *question, e kg.EntityID, maxLen int) [][]schema.Step {
	key := fmt.Sprint(e, maxLen, len(q.Shared) > 0, q.cuedSteps())
	out, isKnown := r.work.chains[key]
	if !isKnown {
		out = q.chains(ctx, e, maxLen)
		r.work.chains[key] = out
	}
	return out
}
