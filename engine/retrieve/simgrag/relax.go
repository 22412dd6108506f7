package simgrag

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"cairn/engine/evidence"
	"cairn/engine/kg"
	"cairn/engine/pattern"
)

const (
	// maxDropped is how many conditions Relax gives up before it gives up itself.
	maxDropped = 2
	// relaxTime and relaxBudget bound Relax: it serves a refusal, and nobody
	// waits long to be refused.
	relaxTime   = 2 * time.Second
	relaxBudget = 1_000_000 // partial matches for each way to relax the pattern
)

// Relax looks for what comes closest to p where nothing matches it: the matches
// that meet the most of its conditions, found by dropping one of them at a time,
// then two. It returns none where that does not help either.
//
// The conditions are the edges, what their statements must say, the filters, and which entity a known node is.
// A candidate shows what it does not meet: an edge without a triple, one
// with a triple of which nothing says so, a known
// node bound to another entity, a value that fails its filter. What no known
// node is joined to any more is dropped too, for it says nothing of the
// question.
//
// At most o.K candidates are returned for each way to relax the pattern.
// Completeness is evidence.Relaxed.
func Relax(ctx context.Context, g *kg.Graph, p *pattern.Pattern, v Vocabulary, o Options) (evidence.Found, error) {
	if err := check(g, p); err != nil {
		return evidence.Found{}, fmt.Errorf("relax pattern: %w", err)
	}
	o.setDefaults()
	start := time.Now()
	o.AllBest = false
	// Every way to relax the pattern gets its share, so that none starves.
	if o.Budget < 0 || o.Budget > relaxBudget {
		o.Budget = relaxBudget
	}
	if o.MaxWallTime < 0 || o.MaxWallTime > relaxTime {
		o.MaxWallTime = relaxTime
	}
	deadline := start.Add(o.MaxWallTime)
	all := conditions(p)
	r := evidence.Found{Completeness: evidence.Relaxed}
	var found []relaxation
	for n := 1; n <= min(maxDropped, len(all)) && len(found) == 0; n++ {
		for dropped := range subsets(len(all), n) {
			if o.MaxWallTime = time.Until(deadline); o.MaxWallTime <= 0 {
				break
			}
			x := relax(p, all, dropped)
			if x.sub == nil {
				continue
			}
			s, err := Search(ctx, g, x.sub, v, o)
			if errors.Is(err, ErrNoVocabulary) {
				continue
			}
			if err != nil {
				return evidence.Found{}, err
			}
			r.Stats.Add(s.Stats)
			x.matches = len(s.Candidates)
			for _, c := range s.Candidates {
				found = append(found, x.with(p, c))
			}
		}
	}
	slices.SortStableFunc(found, compareRelaxations)
	for _, x := range found {
		if !slices.ContainsFunc(r.Candidates, func(c evidence.Candidate) bool { return shows(c, x.candidate) }) {
			r.Candidates = append(r.Candidates, x.candidate)
		}
	}
	r.Stats.Duration = time.Since(start)
	return r, nil
}

// condition is one thing that a pattern asks for.
type condition struct {
	kind  conditionKind
	index int // of the filter, edge or node
}

type conditionKind int

// The kinds, the one that leaves most to see first: another entity in place of
// a named one shows what is there instead.
const (
	nameCondition conditionKind = iota
	saidCondition
	filterCondition
	edgeCondition
)

// conditions lists what can be dropped.
func conditions(p *pattern.Pattern) []condition {
	var out []condition
	for i := range p.Filters {
		out = append(out, condition{filterCondition, i})
	}
	for i, e := range p.Edges {
		if len(e.Conditions) > 0 {
			out = append(out, condition{saidCondition, i})
		}
		out = append(out, condition{edgeCondition, i})
	}
	for i, n := range p.Nodes {
		if !n.Variable {
			out = append(out, condition{nameCondition, i})
		}
	}
	return out
}

// subsets yields the subsets of 0..n-1 of one size, in lexicographic order.
func subsets(n, size int) func(yield func([]int) bool) {
	return func(yield func([]int) bool) {
		pick := make([]int, size)
		var from func(i, at int) bool
		from = func(i, at int) bool {
			if i == size {
				return yield(pick)
			}
			for ; at < n; at++ {
				pick[i] = at
				if !from(i+1, at+1) {
					return false
				}
			}
			return true
		}
		from(0, 0)
	}
}

type relaxation struct {
	dropped int           // conditions
	kind    conditionKind // the last of those dropped
	sub     *pattern.Pattern
	nodes   []int // nodes[i] is the node of the whole pattern that is sub's node i
	edges   []int // likewise

	candidate evidence.Candidate // of the whole pattern
	asked     bool               // the asked node is bound
	met       int                // edges, less those to an entity that is not the one named
	matches   int                // of sub
}

// relax drops conditions; the result has no sub where nothing worth a search is
// left.
func relax(p *pattern.Pattern, all []condition, dropped []int) relaxation {
	x := relaxation{dropped: len(dropped)}
	without := func(kind conditionKind, index int) bool {
		return slices.ContainsFunc(dropped, func(d int) bool { return all[d] == condition{kind, index} })
	}
	for _, d := range dropped {
		x.kind = max(x.kind, all[d].kind)
	}
	known := func(n int) bool { return !p.Nodes[n].Variable && !without(nameCondition, n) }
	// Spread from the known nodes over the edges that are left.
	reached := make([]bool, len(p.Nodes))
	for n := range p.Nodes {
		reached[n] = known(n)
	}
	for changed := true; changed; {
		changed = false
		for i, e := range p.Edges {
			if !without(edgeCondition, i) && reached[e.From] != reached[e.To] {
				reached[e.From], reached[e.To], changed = true, true, true
			}
		}
	}
	at := map[int]int{}
	sub := &pattern.Pattern{Reuse: p.Reuse, Task: p.Task, Asked: -1}
	node := func(n int) int {
		if i, ok := at[n]; ok {
			return i
		}
		at[n] = len(sub.Nodes)
		c := p.Nodes[n]
		if without(nameCondition, n) {
			c = pattern.Node{Text: c.Text, Variable: true}
		}
		sub.Nodes = append(sub.Nodes, c)
		x.nodes = append(x.nodes, n)
		return at[n]
	}
	for i, e := range p.Edges {
		if without(edgeCondition, i) || !reached[e.From] {
			continue
		}
		e.From, e.To = node(e.From), node(e.To)
		if without(saidCondition, i) {
			e.Conditions = nil
		}
		sub.Edges = append(sub.Edges, e)
		x.edges = append(x.edges, i)
	}
	if len(sub.Edges) == 0 {
		return x
	}
	for i, f := range p.Filters {
		if n, ok := at[f.Node]; ok && !without(filterCondition, i) {
			f.Node = n
			sub.Filters = append(sub.Filters, f)
		}
	}
	if n, ok := at[p.Asked]; ok {
		sub.Asked = n
	}
	x.sub = sub
	return x
}

// with returns the relaxation with a match of sub written as one of p.
func (x relaxation) with(p *pattern.Pattern, c evidence.Candidate) relaxation {
	whole := evidence.Candidate{
		Nodes: unbound(len(p.Nodes)), Edges: slices.Repeat([]kg.TripleID{kg.NoTriple}, len(p.Edges)),
		Distance:     c.Distance,
		NodeDistance: make([]float64, len(p.Nodes)), EdgeDistance: make([]float64, len(p.Edges)),
	}
	for i, n := range x.nodes {
		whole.Nodes[n], whole.NodeDistance[n] = c.Nodes[i], c.NodeDistance[i]
	}
	for i, e := range x.edges {
		whole.Edges[e], whole.EdgeDistance[e] = c.Edges[i], c.EdgeDistance[i]
	}
	x.candidate, x.asked, x.met = whole, x.sub.Asked >= 0, 0
	for _, e := range x.sub.Edges {
		if !x.renamed(p, e.From) && !x.renamed(p, e.To) {
			x.met++
		}
	}
	return x
}

// renamed reports whether sub's node i stands for a known node of p.
func (x relaxation) renamed(p *pattern.Pattern, i int) bool {
	return x.sub.Nodes[i].Variable && !p.Nodes[x.nodes[i]].Variable
}

// shows reports whether c holds every triple of part, which then adds nothing.
func shows(c, part evidence.Candidate) bool {
	whole := c.Triples()
	return !slices.ContainsFunc(part.Triples(), func(t kg.TripleID) bool { return !slices.Contains(whole, t) })
}

// compareRelaxations puts first what drops least, meets most edges, binds the
// asked node, has few matches (many say little) and is nearest.
func compareRelaxations(a, b relaxation) int {
	bound := func(x relaxation) int {
		if x.asked {
			return 0
		}
		return 1
	}
	return cmp.Or(
		cmp.Compare(a.dropped, b.dropped),
		cmp.Compare(b.met, a.met),
		cmp.Compare(bound(a), bound(b)),
		cmp.Compare(a.matches, b.matches),
		cmp.Compare(a.kind, b.kind),
		cmp.Compare(a.candidate.Distance, b.candidate.Distance),
	)
}
