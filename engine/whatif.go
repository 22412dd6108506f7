package engine

import (
	"context"
	"fmt"
	"slices"

	"cairn/engine/answer"
	"cairn/engine/kg"
	"cairn/engine/lexicon"
	"cairn/engine/pattern"
	"cairn/engine/plan/builtin"
	"cairn/engine/schema"
)

// whatIf is the graph without some of its triples that was asked last: the methods that one
// question is put to share it, and so do further questions.
type whatIf struct {
	making chan struct{} // holds one thing while the rest is made or read
	of     *builtin.Planner
	state  *state
}

// stateWithout returns a state without triples, of a state that is ready. Everything that
// looks at the graph looks at the same one; names and vectors stay, for entities do.
func (e *Engine) stateWithout(ctx context.Context, whole *state, triples []kg.TripleID) (*state, error) {
	if len(triples) == 0 {
		return whole, nil
	}
	triples = slices.Compact(slices.Sorted(slices.Values(triples)))
	if last := triples[len(triples)-1]; int(last) >= whole.graph.Triples() {
		return nil, fmt.Errorf("the graph has no triple %d to leave out", last)
	}
	w := &e.whatIf
	select {
	case w.making <- struct{}{}:
		defer func() { <-w.making }()
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	s := *whole // with the model and the vectors of now
	s.without = triples
	if w.of == whole.builtin && slices.Equal(w.state.without, triples) {
		s.graph, s.builtin, s.over = w.state.graph, w.state.builtin, w.state.over
		s.linker = whole.linker.Over(s.graph)
	} else {
		s.graph = whole.graph.Without(triples...)
		s.linker = whole.linker.Over(s.graph)
		known, err := schema.Read(ctx, s.graph)
		if err != nil {
			return nil, fmt.Errorf("read the graph's schema: %w", err)
		}
		s.readBy(known)
		w.of, w.state = whole.builtin, &s
	}
	s.use(s.model)
	return &s, nil
}

// stateOf returns the state of the graph that a run was asked of, as it is now.
func (e *Engine) stateOf(ctx context.Context, run *Run) (*state, error) {
	s, err := e.awaitReady(ctx, nil)
	if err != nil {
		return nil, err
	}
	return e.stateWithout(ctx, s, run.Without)
}

// Changes are what leaving triples out does to an answer.
type Changes struct {
	Stay, Go, Come []answer.Item
	// Reread says that the question was read otherwise.
	Reread bool
}

// ChangesOf compares the answer on the whole graph with the one without some triples.
func ChangesOf(whole, without *Run) (c Changes) {
	had, has := saidSet(whole.said()), saidSet(without.said())
	for _, it := range without.said() {
		if had[keyOf(it)] {
			c.Stay = append(c.Stay, it)
		} else {
			c.Come = append(c.Come, it)
		}
	}
	for _, it := range whole.said() {
		if !has[keyOf(it)] {
			c.Go = append(c.Go, it)
		}
	}
	c.Reread = whole.read() != without.read()
	return c
}

// read is the text of the reading that was followed; empty for none.
func (r *Run) read() string {
	if r.Pattern() == nil {
		return ""
	}
	return pattern.Format(r.Pattern())
}

// TriplesNamed returns the triples of a relation between two things, by their names or keys.
// Where there is none, near are a few that come nearest to it.
func (e *Engine) TriplesNamed(ctx context.Context, head, relation, tail string) (found, near []kg.TripleID, err error) {
	heads, isHead, err := e.Called(ctx, head)
	if err != nil {
		return nil, nil, err
	}
	tails, isTail, err := e.Called(ctx, tail)
	if err != nil {
		return nil, nil, err
	}
	const most = 3 // that are offered
	g := e.Graph()
	relation = lexicon.Fold(relation)
	related := make([]bool, g.Relations())
	for r := range kg.RelationID(g.Relations()) {
		related[r] = lexicon.Fold(g.RelationText(r)) == relation || lexicon.Fold(g.RelationKey(r)) == relation
	}
	var ranked [4][]kg.TripleID // turned round or misspelt, another relation, another end, both
	look := func(edges []kg.Edge, others []kg.EntityID, forward bool) {
		for _, x := range edges {
			rank, joins := 3, slices.Contains(others, x.Entity)
			switch named := related[x.Relation]; {
			case named && joins && forward && isHead && isTail:
				found = append(found, x.Triple)
				continue
			case named && joins:
				rank = 0
			case joins:
				rank = 1
			case named && forward:
				rank = 2
			}
			if len(ranked[rank]) < most && !slices.Contains(ranked[rank], x.Triple) {
				ranked[rank] = append(ranked[rank], x.Triple)
			}
		}
	}
	for _, h := range heads {
		look(g.Out(h), tails, true)
		look(g.In(h), tails, false)
	}
	for _, t := range tails {
		look(g.In(t), nil, true)
	}
	if len(found) > 0 {
		return found, nil, nil
	}
	for _, t := range slices.Concat(ranked[:]...) {
		if len(near) < most && !slices.Contains(near, t) {
			near = append(near, t)
		}
	}
	return nil, near, nil
}
