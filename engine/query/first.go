package query

import (
	"slices"
	"strings"

	"cairn/engine/evidence"
	"cairn/engine/internal/bail"
	"cairn/engine/kg"
	"cairn/engine/match"
	"cairn/internal/wording"
)

// rankFirst ranks what is ranked before the rest is matched, and goes on with the pattern whose
// node may only be what came first: the shortest work may have no librettist.
func (x *evaluation) rankFirst() {
	if x.p.Order == nil || x.p.Order.Of == nil {
		return
	}
	of := *x.p.Order.Of
	first, err := Evaluate(x.ctx, x.g, x.p.RankedFirst(), x.limits)
	bail.If(err)
	if first.Completeness != evidence.Exhaustive {
		panic(bail.Out{Err: match.ErrBudget})
	}
	tops := wording.Each(first.Answers, func(a evidence.Answer) kg.EntityID { return a.Entity })
	slices.Sort(tops)
	p, order := *x.p, *x.p.Order
	p.Nodes, p.Order = slices.Clone(p.Nodes), &order
	p.Nodes[of].Within, order.Skip, order.Of = tops, 0, nil
	x.p, x.first = &p, tops
	x.found.Steps = append(x.found.Steps, first.Steps...)
	for _, n := range first.Notes {
		if !strings.HasPrefix(n, tied) { // how many is said of what is asked for
			x.note("%s", n)
		}
	}
}

// noteFirst says what came first, where it does not lead to what is asked for.
func (x *evaluation) noteFirst() {
	if x.rows.len() == 0 && len(x.first) > 0 && x.p.Order != nil {
		end := map[bool]string{true: "largest", false: "smallest"}[x.p.Order.Descending]
		x.note("The %s value found is that of %s, of which the graph does not have what the question asks for.", end, x.names(x.first))
	}
}
