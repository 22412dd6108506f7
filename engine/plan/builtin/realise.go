package builtin

import (
	"context"
	"slices"

	"cairn/engine/kg"
	"cairn/engine/pattern"
	"cairn/engine/schema"
)

// realise reports whether a proposal has an answer in the graph, and notes in
// which reuse mode.
func (p *Planner) realise(ctx context.Context, pr *proposal) bool {
	p.restrict(pr)
	for _, mode := range []pattern.Reuse{pattern.ReuseVariables, pattern.ReuseAll} {
		pr.reuse = mode
		if pr.answers = p.answers(ctx, &pr.shape, mode); len(pr.answers) > 0 {
			return true
		}
	}
	if len(pr.shape.said) == 0 {
		return false
	}
	// Nothing says so; but where the graph has what would say it, the question is
	// understood, and that nothing does is the answer.
	plain := pr.shape
	plain.said = nil
	pr.reuse = pattern.ReuseVariables
	return len(p.answers(ctx, &plain, pr.reuse)) > 0
}

// answers walks a shape and returns what binds its asked node, ascending.
func (p *Planner) answers(ctx context.Context, s *shape, mode pattern.Reuse) []kg.EntityID {
	var known []kg.EntityID
	if mode != pattern.ReuseAll {
		for _, l := range s.legs {
			known = append(known, l.entity)
		}
		slices.Sort(known)
	}
	w := walker{p: p, shape: s, known: known}
	var meet []kg.EntityID
	if s.root != nil {
		meet = w.check(-1, slices.Clone(p.rootEntities(s.root)))
	}
	for i, l := range s.legs {
		to := w.walk(ctx, []kg.EntityID{l.entity}, l.steps)
		if i == 0 {
			meet = to
			w.hop += len(s.tail) // whose hops come before those of leg 1
		} else {
			meet = schema.Common(meet, to)
		}
	}
	w.hop = max(0, s.askedHop()+1-len(s.tail))
	return w.walk(ctx, meet, s.tail)
}

// walker walks the hops of a shape in their order.
type walker struct {
	p     *Planner
	shape *shape
	known []kg.EntityID // ascending; no variable is bound to them
	hop   int           // the next hop
}

func (w *walker) walk(ctx context.Context, at []kg.EntityID, steps []schema.Step) []kg.EntityID {
	for _, s := range steps {
		if conditions := w.shape.conditionsAt(w.hop); len(conditions) > 0 {
			at = w.check(w.hop, w.reachSaid(ctx, at, s, conditions))
		} else {
			at = w.check(w.hop, w.p.schema.Reach(ctx, at, []schema.Step{s}, w.known))
		}
		w.hop++
	}
	return at
}

// check keeps the entities that meet the types and comparisons of a hop's end.
func (w *walker) check(hop int, es []kg.EntityID) []kg.EntityID {
	es = w.p.keepTypes(es, w.shape.within[hop])
	for i := range w.shape.values {
		if v := &w.shape.values[i]; v.at == hop {
			es = slices.DeleteFunc(es, func(e kg.EntityID) bool { return !w.p.meetsValue(e, v) })
		}
	}
	return es
}

// meetsValue reports whether an entity has a value that compares as asked; any
// value will do for a superlative.
func (p *Planner) meetsValue(e kg.EntityID, v *valueLeg) bool {
	for _, edge := range p.schema.Edges(e, v.step) {
		val, ok := kg.ParseValue(p.g.Label(edge.Entity))
		if ok && (v.comparison.superlative || pattern.Filter{Op: v.opFor(), Value: v.comparison.number}.Holds(val)) {
			return true
		}
	}
	return false
}
