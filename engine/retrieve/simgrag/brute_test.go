package simgrag_test

import (
	"cmp"
	"context"
	"math"
	"slices"

	"cairn/engine/evidence"
	"cairn/engine/kg"
	"cairn/engine/link"
	"cairn/engine/pattern"
	"cairn/engine/retrieve/simgrag"
	"cairn/internal/testing/testkg"
)

// brute matches by trying every entity for every node and every triple for
// every edge: the definition, and the reference for both algorithms.
type brute struct {
	g     *kg.Graph
	p     *pattern.Pattern
	nodes []kg.EntityID
	all   []bruteMatch
}

type bruteMatch struct {
	distance int64 // in billionths
	key      float64
	nodes    []kg.EntityID
	edges    []kg.TripleID
	triples  []kg.TripleID
}

func (b *brute) run() {
	b.nodes = make([]kg.EntityID, len(b.p.Nodes))
	b.assign(0, 0)
	slices.SortFunc(b.all, func(x, y bruteMatch) int {
		return cmp.Or(cmp.Compare(x.distance, y.distance), cmp.Compare(x.key, y.key), slices.Compare(x.nodes, y.nodes))
	})
}

func billionths(d float64) int64 { return int64(math.Round(d * 1e9)) }

func (b *brute) assign(i int, distance int64) {
	if i == len(b.nodes) {
		// A pattern of nothing but unrestricted variables without edges says nothing.
		if slices.ContainsFunc(b.nodes, func(e kg.EntityID) bool { return e != kg.NoEntity }) {
			b.finish(distance)
		}
		return
	}
	n := b.p.Nodes[i]
	if n.Variable && n.Within == nil && i != b.p.Asked &&
		!slices.ContainsFunc(b.p.Edges, func(e pattern.Edge) bool { return e.From == i || e.To == i }) {
		b.nodes[i] = kg.NoEntity
		b.assign(i+1, distance)
		return
	}
	for e := range kg.EntityID(b.g.Entities()) {
		d, ok := b.nodeDistance(i, e)
		if !ok || b.clash(i, e) {
			continue
		}
		b.nodes[i] = e
		b.assign(i+1, distance+d)
	}
}

func (b *brute) nodeDistance(i int, e kg.EntityID) (int64, bool) {
	for _, f := range b.p.Filters {
		v, _ := testkg.Number(b.g.Label(e))
		pass := map[pattern.Op]bool{
			pattern.Less: v < f.Value, pattern.AtMost: v <= f.Value, pattern.Equal: v == f.Value,
			pattern.AtLeast: v >= f.Value, pattern.Greater: v > f.Value,
		}
		if f.Node == i && !pass[f.Op] {
			return 0, false
		}
	}
	n := b.p.Nodes[i]
	if n.Variable {
		return 0, n.Within == nil || slices.Contains(n.Within, e)
	}
	least, ok := int64(0), false
	for j, c := range n.Entities {
		if c != e {
			continue
		}
		var d int64
		if n.Distances != nil {
			d = billionths(n.Distances[j])
		}
		if !ok || d < least {
			least, ok = d, true
		}
	}
	return least, ok
}

func (b *brute) clash(i int, e kg.EntityID) bool {
	for j := range i {
		if b.nodes[j] != e || b.p.Reuse == pattern.ReuseAll {
			continue
		}
		if b.p.Reuse == pattern.ReuseNone || !b.p.Nodes[i].Variable || !b.p.Nodes[j].Variable {
			return true
		}
	}
	return false
}

func (b *brute) finish(distance int64) {
	m := bruteMatch{distance: distance, nodes: slices.Clone(b.nodes)}
	if o := b.p.Order; o != nil {
		if m.nodes[o.Node] == kg.NoEntity {
			return
		}
		m.key, _ = testkg.Number(b.g.Label(m.nodes[o.Node]))
		if o.Descending {
			m.key = -m.key
		}
	}
	var best []kg.TripleID
	least := int64(-1)
	b.edges(nil, 0, func(ts []kg.TripleID, d int64) {
		if least < 0 || d < least || (d == least && slices.Compare(ts, best) < 0) {
			best, least = slices.Clone(ts), d
		}
	})
	if least < 0 {
		return
	}
	m.distance += least
	m.edges = best
	m.triples = evidence.Candidate{Edges: best}.Triples()
	b.all = append(b.all, m)
}

// edges calls f with every choice of triples for the pattern's edges.
func (b *brute) edges(chosen []kg.TripleID, d int64, f func([]kg.TripleID, int64)) {
	i := len(chosen)
	if i == len(b.p.Edges) {
		f(chosen, d)
		return
	}
	e := b.p.Edges[i]
	from, to := b.nodes[e.From], b.nodes[e.To]
	for t := range kg.TripleID(b.g.Triples()) {
		x := b.g.Triple(t)
		along := x.Head == from && x.Tail == to
		against := x.Head == to && x.Tail == from && e.Direction == pattern.Either
		if !along && !against || !pattern.NewTest(b.g, e.Conditions).Holds(t) {
			continue
		}
		if b.p.Reuse != pattern.ReuseAll && b.twice(chosen, e, t) {
			continue
		}
		if ed, ok := b.edgeDistance(e, x.Relation); ok {
			b.edges(append(chosen, t), d+ed, f)
		}
	}
}

// twice reports whether t is taken by an edge between the same two nodes as e.
func (b *brute) twice(chosen []kg.TripleID, e pattern.Edge, t kg.TripleID) bool {
	for j, c := range chosen {
		o := b.p.Edges[j]
		same := (o.From == e.From && o.To == e.To) || (o.From == e.To && o.To == e.From)
		if same && c == t {
			return true
		}
	}
	return false
}

func (b *brute) edgeDistance(e pattern.Edge, r kg.RelationID) (int64, bool) {
	if len(e.Fixed) > 0 {
		return 0, slices.Contains(e.Fixed, r)
	}
	if e.Relation == "" {
		return 0, true
	}
	ids, distances := testkg.Nearest(b.g, e.Relation)
	return billionths(distances[slices.Index(ids, r)]), true
}

// top are the k first matches with different triples.
func (b *brute) top(k int) []bruteMatch {
	var out []bruteMatch
	for _, m := range b.all {
		if len(out) == k {
			break
		}
		if !slices.ContainsFunc(out, func(o bruteMatch) bool { return slices.Equal(o.triples, m.triples) }) {
			out = append(out, m)
		}
	}
	return b.ordered(out)
}

// best are the first matches at the best distance of each binding of the asked node,
// with the number of matches by binding, and the rest of the k best.
func (b *brute) best(k int) (out []bruteMatch, counts map[kg.EntityID]int) {
	counts = map[kg.EntityID]int{}
	asked := func(m bruteMatch) kg.EntityID {
		if b.p.Asked < 0 {
			return kg.NoEntity
		}
		return m.nodes[b.p.Asked]
	}
	for _, m := range b.all {
		if m.distance != b.all[0].distance {
			break
		}
		counts[asked(m)]++
		if counts[asked(m)] == 1 {
			out = append(out, m)
		}
	}
	if len(out) > 0 {
		for _, m := range b.top(k) {
			if m.distance > b.all[0].distance {
				out = append(out, m)
			}
		}
	}
	out = b.ordered(out)
	if b.p.Order != nil && b.p.Order.Limit > 0 {
		kept := map[kg.EntityID]int{}
		for _, m := range out {
			kept[asked(m)] = counts[asked(m)]
		}
		counts = kept
	}
	return out, counts
}

// ordered applies the limit of the pattern's order.
func (b *brute) ordered(ms []bruteMatch) []bruteMatch {
	if b.p.Order == nil || b.p.Order.Limit <= 0 {
		return ms
	}
	values := map[float64]bool{}
	for i, m := range ms {
		values[m.key] = true
		if m.distance != ms[0].distance || len(values) > b.p.Order.Limit {
			return ms[:i]
		}
	}
	return ms
}

// nearest is a simgrag.Vocabulary over testkg.Nearest.
type nearest struct{ g *kg.Graph }

var _ simgrag.Vocabulary = nearest{}

func (v nearest) Relations(_ context.Context, text string, k int) ([]link.Neighbour[kg.RelationID], error) {
	ids, distances := testkg.Nearest(v.g, text)
	var out []link.Neighbour[kg.RelationID]
	for i := range min(k, len(ids)) {
		out = append(out, link.Neighbour[kg.RelationID]{ID: ids[i], Distance: distances[i]})
	}
	return out, nil
}

func (v nearest) EntitiesAll(_ context.Context, texts []string, k int) ([][]link.Neighbour[kg.EntityID], error) {
	all := make([][]link.Neighbour[kg.EntityID], len(texts))
	for i, text := range texts {
		for e := range kg.EntityID(v.g.Entities()) {
			d := 1.0
			if v.g.Label(e) == text {
				d = 0
			}
			all[i] = append(all[i], link.Neighbour[kg.EntityID]{ID: e, Distance: d})
		}
		slices.SortStableFunc(all[i], func(a, b link.Neighbour[kg.EntityID]) int { return cmp.Compare(a.Distance, b.Distance) })
		all[i] = all[i][:min(k, len(all[i]))]
	}
	return all, nil
}

// Types knows a type by its name, and "near type 0" as types 0 and 1.
func (v nearest) Types(_ context.Context, text string, _ int) ([]link.Neighbour[kg.TypeID], error) {
	var out []link.Neighbour[kg.TypeID]
	for t := range kg.TypeID(v.g.NumTypes()) {
		switch label := v.g.TypeLabel(t); {
		case label == text:
			return append(out, link.Neighbour[kg.TypeID]{ID: t}), nil
		case text == "near type 0" && (label == "type 0" || label == "type 1"):
			out = append(out, link.Neighbour[kg.TypeID]{ID: t, Distance: 0.1})
		default:
			out = append(out, link.Neighbour[kg.TypeID]{ID: t, Distance: 1.2})
		}
	}
	slices.SortStableFunc(out, func(a, b link.Neighbour[kg.TypeID]) int { return cmp.Compare(a.Distance, b.Distance) })
	return out, nil
}
