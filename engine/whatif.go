package engine

import (
	"context"
	"fmt"
	"slices"

	"cairn/engine/answer"
	"cairn/engine/kg"
	"cairn/engine/lexicon"
	"cairn/engine/pattern"
	"cairn/engine/schema"
)

// whatIf is the state of a graph without some of its triples that was asked last: the
// methods that one question is put to share it, and so do further questions.
type whatIf struct {
	making chan struct{} // holds one thing while state is made or read
	of     *state        // the whole graph
	state  *state
}

// stateWithout returns a state without triples, of a state that is ready. Everything that
// looks at the graph looks at the same one; names and vectors stay, for entities do.
func (e *Engine) stateWithout(ctx context.Context, whole *state, triples []kg.TripleID) (*state, error) {
	if len(triples) == 0 {
		return whole, nil
	}
	w := &e.whatIf
	select {
	case w.making <- struct{}{}:
		defer func() { <-w.making }()
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	if w.of == nil || w.of.builtin != whole.builtin || w.of.vocab != whole.vocab || w.of.model != whole.model || !slices.Equal(w.state.without, triples) {
		s := *whole
		s.without = triples
		s.graph = whole.graph.Without(triples...)
		known, err := schema.Read(ctx, s.graph)
		if err != nil {
			return nil, fmt.Errorf("read the graph's schema: %w", err)
		}
		s.linker = whole.linker.Over(s.graph)
		s.readBy(known)
		s.use(s.model)
		w.of, w.state = whole, &s
	}
	return w.state, nil
}

// stateOf returns the state of the graph that a run was asked of, as it is now.
func (e *Engine) stateOf(ctx context.Context, run *Run) (*state, error) {
	s, err := e.awaitReady(ctx, nil)
	if err != nil {
		return nil, err
	}
	return e.stateWithout(ctx, s, run.Without)
}

// leftOut returns the triples to leave out of a graph, each once and ascending; it fails
// where there is no such triple.
func leftOut(g *kg.Graph, triples []kg.TripleID) ([]kg.TripleID, error) {
	triples = slices.Clone(triples)
	slices.Sort(triples)
	triples = slices.Compact(triples)
	if n := len(triples); n > 0 && int(triples[n-1]) >= g.Triples() {
		return nil, fmt.Errorf("the graph has no triple %d to leave out", triples[n-1])
	}
	return triples, nil
}

// Changes are what leaving triples out does to an answer.
type Changes struct {
	Stay, Go, Come []answer.Item
	// Reread says that the question was read otherwise.
	Reread bool
}

// ChangesOf compares the answer on the whole graph with the one without some triples.
func ChangesOf(whole, without *Run) (c Changes) {
	had, has := itemsOf(whole), itemsOf(without)
	for _, it := range without.said() {
		if _, stays := had[keyOf(it)]; stays {
			c.Stay = append(c.Stay, it)
		} else {
			c.Come = append(c.Come, it)
		}
	}
	for _, it := range whole.said() {
		if _, stays := has[keyOf(it)]; !stays {
			c.Go = append(c.Go, it)
		}
	}
	c.Reread = whole.read() != without.read()
	return c
}

// itemsOf is the set of what a run says.
func itemsOf(r *Run) map[saidKey]bool {
	set := map[saidKey]bool{}
	for _, it := range r.said() {
		set[keyOf(it)] = true
	}
	return set
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
	g := e.Graph()
	relation = lexicon.Fold(relation)
	var ranked [4][]kg.TripleID // turned round or misspelt, another relation, another end, both
	look := func(edges []kg.Edge, others []kg.EntityID, forward bool) {
		for _, x := range edges {
			related := lexicon.Fold(g.RelationText(x.Relation)) == relation || lexicon.Fold(g.RelationKey(x.Relation)) == relation
			joins := slices.Contains(others, x.Entity)
			switch {
			case related && joins && forward && isHead && isTail:
				found = append(found, x.Triple)
			case related && joins:
				ranked[0] = append(ranked[0], x.Triple)
			case joins:
				ranked[1] = append(ranked[1], x.Triple)
			case related && forward:
				ranked[2] = append(ranked[2], x.Triple)
			default:
				ranked[3] = append(ranked[3], x.Triple)
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
	const most = 3
	for _, ts := range ranked {
		for _, t := range ts {
			if len(near) < most && !slices.Contains(near, t) {
				near = append(near, t)
			}
		}
	}
	return nil, near, nil
}
