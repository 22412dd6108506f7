// Package exact answers with what meets every condition of a question, and where
// nothing does with what meets the most of them, condition by condition.
//
//	reading ─ground─▶ names, relations and kinds of the graph
//	        ─split─▶  conditions: what the question asks of an answer, one by one
//	        ─match─▶  the answers that meet all of them
//	        ─cover─▶  or else those that meet the most
//
//	condition  the edges that lead from what is asked for to one name, and what is
//	           asked of the way
//	group      conditions that share a node that is not asked for: whether one is met
//	           depends on how another is
//	soft       a name of the question that its reading leaves out, as a condition: that
//	           it is next to the answer
//
// It is the pipeline of SG-RAG (§3, §4): a pattern with unknowns, names normalised,
// exact retrieval, a fallback to the neighbourhood. Between the two stands what the
// paper does not have: conditions are given up one by one, counted rather than tried,
// and every answer says which of them it meets.
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

// ErrPattern is returned for a pattern that cannot be matched: malformed, or too large.
var ErrPattern = errors.New("the pattern cannot be matched")

const (
	// MaxEdges is how many edges a pattern may have.
	MaxEdges = 20
	// maxRelaxed is how many answers that do not meet everything are kept.
	maxRelaxed = 10
	// maxWeighed is how many of those that come after them are kept.
	maxWeighed = 20
	// maxCounted is how many bindings are counted to say how many an answer has.
	maxCounted = 100_000
)

// Method is exact matching.
type Method struct{}

// Info describes the method.
func (Method) Info() retrieve.Info {
	return retrieve.Info{
		ID: "exact", Title: "Exact conditions", Help: "finds what meets every condition of the question, or else the most of them",
		Who: "exact matching", Plan: "read the question", Retrieve: "check every condition",
		Basis: "what meets the conditions of the question", Claims: true, Counts: true,
	}
}

// Open makes the method ready; there is nothing to prepare.
func (Method) Open(_ context.Context, w retrieve.World) (retrieve.Retriever, error) {
	return matcher{w.Graph, w.Names, w.Paths}, nil
}

type matcher struct {
	graph *kg.Graph
	names retrieve.Names
	paths func() match.Engine
}

// anchors is how many entities a node may be one of to count as known.
const anchors = 1000

// engine is what evaluates a query soonest: from what is known on, by the neighbours;
// where nothing is, by an index of paths, where there is one. Both find the same.
func (m matcher) engine(q *match.Query) match.Engine {
	known := func(n match.Node) bool { return n.In != nil && len(n.In) <= anchors }
	if m.paths != nil && len(q.Edges) > 0 && !slices.ContainsFunc(q.Nodes, known) {
		if index := m.paths(); index != nil {
			return index
		}
	}
	return match.Anchored{Graph: m.graph}
}

// Retrieve returns all that meets every condition of the query's pattern; what meets
// the most of them where nothing does, with evidence.Relaxed; and where nothing meets
// any, what is next to most of its names, with evidence.Fallback. A claim is met or
// not: what comes closest to it is in Found.Closest.
func (m matcher) Retrieve(ctx context.Context, q retrieve.Query) (evidence.Found, error) {
	if err := ctx.Err(); err != nil || q.Pattern() == nil {
		return evidence.Found{}, err
	}
	start := time.Now()
	limited, cancel := context.WithDeadline(ctx, start.Add(cmp.Or(q.Limits.WallTime, 10*time.Second)))
	defer cancel()
	x, err := m.question(limited, q)
	if err == nil {
		err = x.answer(limited)
	}
	if err != nil {
		if ctx.Err() != nil {
			return evidence.Found{}, ctx.Err()
		}
		if !errors.Is(err, context.DeadlineExceeded) {
			return evidence.Found{}, fmt.Errorf("check the conditions: %w", err)
		}
		if x == nil {
			x = &question{}
		}
		x.found.Completeness = evidence.TimedOut
	}
	x.found.Stats.Duration = time.Since(start)
	return x.found, nil
}

type question struct {
	matcher
	// p is the grounded pattern. Behind the nodes and edges of the reading come those
	// of the soft conditions.
	p            *grounded
	nodes, edges int // of the reading
	whole        match.Query
	conditions   []condition
	hard         mask // the conditions of the reading
	engine       func(*match.Query) match.Engine
	limits       retrieve.Limits
	found        evidence.Found
}

func (m matcher) question(ctx context.Context, q retrieve.Query) (*question, error) {
	p := q.Pattern()
	if err := check(m.graph, p); err != nil {
		return nil, err
	}
	l := q.Limits
	l.K, l.Answers = cmp.Or(l.K, 3), cmp.Or(l.Answers, 2000)
	x := &question{matcher: m, engine: m.engine, nodes: len(p.Nodes), edges: len(p.Edges), limits: l}
	var err error
	if x.p, err = m.ground(ctx, p, l.AnyRelation); err != nil {
		return x, err
	}
	x.found.Steps, x.found.Stats.LookUp = x.p.steps, x.p.lookUp
	x.split()
	x.addSoft(q)
	if err := x.compile(); err != nil {
		return x, err
	}
	for _, c := range x.conditions {
		x.found.Conditions = append(x.found.Conditions, evidence.Condition{Text: c.text})
	}
	if len(x.conditions) > maxConditions {
		return x, fmt.Errorf("%w: it has %d conditions, and at most %d are supported", ErrPattern, len(x.conditions), maxConditions)
	}
	return x, nil
}

// check reports whether p can be matched in g at all.
func check(g *kg.Graph, p *pattern.Pattern) error {
	err := p.Check(g)
	switch most := match.MaxNodes - maxSoft; {
	case err != nil:
	case len(p.Edges) > MaxEdges:
		err = fmt.Errorf("it has %d edges, and at most %d are matched exactly; ask in parts, or look for the evidence by pattern matching", len(p.Edges), MaxEdges)
	case len(p.Nodes) > most:
		err = fmt.Errorf("it has %d nodes, and at most %d are matched exactly; ask in parts", len(p.Nodes), most)
	}
	if err != nil {
		return fmt.Errorf("%w: %w", ErrPattern, err)
	}
	return nil
}

// answer fills x.found.
func (x *question) answer(ctx context.Context) error {
	if x.p.Task == pattern.Verify || x.p.Asked < 0 {
		return x.verify(ctx)
	}
	done, err := x.exact(ctx)
	if done || err != nil {
		return err
	}
	if x.p.Task == pattern.Find && x.p.Order == nil {
		if done, err = x.relaxed(ctx); done || err != nil {
			return err
		}
	}
	return x.closest(ctx)
}
