package exact

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"cairn/engine/evidence"
	"cairn/engine/kg"
	"cairn/engine/match"
	"cairn/engine/pattern"
	"cairn/engine/retrieve"
)

// ErrNoConditions is returned for what asks for nothing that an entity could be: a claim,
// and a question that was not read as a pattern.
var ErrNoConditions = errors.New("it does not ask for an entity by conditions")

const (
	maxInstead = 5
	// maxSets is how many sets of triples show why something is an answer.
	maxSets = 50
	// maxLooked is how many of them are looked at to find the minimal ones.
	maxLooked = 5000
	// whyTime is how long a question about an answer may take.
	whyTime = 5 * time.Second
)

// WhyNot tells how an entity stands to the conditions of a query's pattern, whichever
// method it was asked of.
func WhyNot(ctx context.Context, w retrieve.World, q retrieve.Query, e kg.EntityID) (*evidence.Standing, error) {
	x, limited, cancel, err := about(ctx, w, q, e)
	if err != nil {
		return nil, err
	}
	defer cancel()
	s := &evidence.Standing{Entity: e, Named: x.isNamed(e), Conditions: x.found.Conditions}
	m := met{entity: e}
	err = x.standing(limited, s, &m)
	if err == nil {
		err = x.alternatives(limited, s, m)
	}
	if s.Completeness, err = late(ctx, err); err != nil {
		return nil, fmt.Errorf("check the conditions: %w", err)
	}
	return s, nil
}

// about reads a query that something is to be said of an entity about.
func about(ctx context.Context, w retrieve.World, q retrieve.Query, e kg.EntityID) (*question, context.Context, context.CancelFunc, error) {
	p := q.Pattern()
	if p == nil || p.Task == pattern.Verify || p.Asked < 0 {
		return nil, nil, nil, ErrNoConditions
	}
	if int(e) >= w.Graph.Entities() {
		return nil, nil, nil, fmt.Errorf("entity %d is not one of the graph's %d", e, w.Graph.Entities())
	}
	x, err := matcher{w.Graph, w.Names, w.Paths}.question(ctx, q)
	if err != nil {
		return nil, nil, nil, err
	}
	limited, cancel := context.WithTimeout(ctx, cmp.Or(q.Limits.WallTime, whyTime))
	return x, limited, cancel, nil
}

// late tells a soft deadline, which is no error, from others.
func late(ctx context.Context, err error) (evidence.Completeness, error) {
	if err != nil && ctx.Err() == nil && errors.Is(err, context.DeadlineExceeded) {
		return evidence.TimedOut, nil
	}
	return evidence.Exhaustive, err
}

// standing finds the most conditions that an entity meets at once.
func (x *question) standing(ctx context.Context, s *evidence.Standing, m *met) error {
	var tied mask
	for c, of := range x.conditions {
		if of.kind {
			if kg.Holds(x.p.Nodes[x.p.Asked].Within, m.entity) {
				m.by |= 1 << c
			}
		} else if of.tied {
			tied |= 1 << c
		}
	}
	always, err := x.constant(ctx, x.hard&^tied&^x.kind())
	if err != nil {
		return err
	}
	most := met{entity: m.entity, by: tied}
	if err := x.bind(ctx, &most, tied); err != nil {
		return err
	}
	var singly mask
	for c := range tied.all() {
		if _, ok, err := x.best(ctx, x.part(1<<c, m.entity)); err != nil {
			return err
		} else if ok {
			singly |= 1 << c
		}
	}
	if most.best.nodes == nil {
		most.by = 0
	}
	s.Apart = singly == tied && most.by != tied
	m.best, m.by = most.best, m.by|most.by|always
	s.Outcomes = x.outcomes(ctx, *m)
	return ctx.Err()
}

// WhyIs tells which triples make an entity an answer to a query's pattern, whichever
// method found it: by all conditions, or by the most of them that it meets.
func WhyIs(ctx context.Context, w retrieve.World, q retrieve.Query, e kg.EntityID) (*evidence.Why, error) {
	x, limited, cancel, err := about(ctx, w, q, e)
	if err != nil {
		return nil, err
	}
	defer cancel()
	y := &evidence.Why{Entity: e}
	m := met{entity: e}
	if err = x.standing(limited, &evidence.Standing{}, &m); err == nil {
		err = x.why(limited, y, m.by&^x.kind())
	}
	var completeness evidence.Completeness
	if completeness, err = late(ctx, err); err != nil {
		return nil, fmt.Errorf("look for what makes it an answer: %w", err)
	}
	y.Completeness = max(y.Completeness, completeness)
	return y, nil
}

// why fills y with what makes its entity meet conditions.
func (x *question) why(ctx context.Context, y *evidence.Why, by mask) error {
	if by == 0 {
		return nil
	}
	p := x.part(by, y.Entity)
	looked := 0
	err := x.each(ctx, p, func(b match.Binding) bool {
		for set := range x.choices(p, b) {
			if looked++; looked > maxLooked {
				y.Completeness = evidence.CutByBudget
				return false
			}
			y.Sets = minimal(y.Sets, set)
		}
		return true
	})
	if err != nil {
		return err
	}
	slices.SortFunc(y.Sets, func(a, b []kg.TripleID) int { return cmp.Or(cmp.Compare(len(a), len(b)), slices.Compare(a, b)) })
	if len(y.Sets) == 0 {
		return nil
	}
	for _, t := range y.Sets[0] {
		if slices.ContainsFunc(y.Sets, func(s []kg.TripleID) bool { return !slices.Contains(s, t) }) {
			continue
		}
		if bears, err := x.bears(ctx, p, t); err != nil {
			return err
		} else if bears {
			y.Shared = append(y.Shared, t)
		}
	}
	if len(y.Sets) > maxSets {
		y.Sets, y.Completeness = y.Sets[:maxSets], evidence.CutByBudget
	}
	return nil
}

// bears reports whether a part has no solution without a triple.
func (x *question) bears(ctx context.Context, p *part, t kg.TripleID) (bool, error) {
	without := *p
	without.Edges = slices.Clone(p.Edges)
	for i := range without.Edges {
		before := without.Edges[i].Keep
		without.Edges[i].Keep = func(o kg.TripleID) bool { return o != t && (before == nil || before(o)) }
	}
	_, ok, err := x.best(ctx, &without)
	return !ok, err
}

// minimal adds a set to a list of which none holds another, and keeps it so.
func minimal(sets [][]kg.TripleID, set []kg.TripleID) [][]kg.TripleID {
	holds := func(all, part []kg.TripleID) bool {
		return !slices.ContainsFunc(part, func(t kg.TripleID) bool { return !slices.Contains(all, t) })
	}
	if slices.ContainsFunc(sets, func(s []kg.TripleID) bool { return holds(set, s) }) {
		return sets
	}
	return append(slices.DeleteFunc(sets, func(s []kg.TripleID) bool { return holds(s, set) }), set)
}

// choices yields the sets of triples that bind the edges of a part between the entities
// of a solution: every triple that an edge may take, no two edges between the same
// entities the same one where they may not.
func (x *question) choices(p *part, b match.Binding) func(yield func([]kg.TripleID) bool) {
	options := make([][]kg.TripleID, len(p.Edges))
	for i := range p.Edges {
		options[i] = p.Edges[i].Between(x.graph, nil, b.Nodes[p.Edges[i].From], b.Nodes[p.Edges[i].To])
		slices.Sort(options[i])
	}
	return func(yield func([]kg.TripleID) bool) {
		chosen := make([]kg.TripleID, len(p.Edges))
		var choose func(i int) bool
		choose = func(i int) bool {
			if i == len(p.Edges) {
				return yield(slices.Compact(slices.Sorted(slices.Values(chosen))))
			}
			for _, t := range options[i] {
				if !p.SharedTriples && slices.Contains(chosen[:i], t) && x.parallel(p, i, chosen[:i], t) {
					continue
				}
				if chosen[i] = t; !choose(i + 1) {
					return false
				}
			}
			return true
		}
		choose(0)
	}
}

// parallel reports whether an edge before edge i that joins the same nodes has taken t.
func (x *question) parallel(p *part, i int, chosen []kg.TripleID, t kg.TripleID) bool {
	for j, o := range chosen {
		a, b := p.Edges[i], p.Edges[j]
		if o == t && (a.From == b.From && a.To == b.To || a.From == b.To && a.To == b.From) {
			return true
		}
	}
	return false
}
