package match_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"cairn/engine/kg"
	"cairn/engine/match"
	"cairn/internal/testing/naive"
)

// random makes a small graph and a query from a seed: parallel edges, self-loops, cycles,
// parts that nothing joins, lists of entities, any relation, both directions, refusals.
func random(seed uint64) (*kg.Graph, *match.Query) {
	r := rand.New(rand.NewPCG(seed, 14))
	var b kg.Builder
	n, relations := 1+r.IntN(7), 1+r.IntN(3)
	for e := range n {
		b.Entity(fmt.Sprint(e))
	}
	for x := range relations {
		b.Relation(fmt.Sprint(x))
	}
	for range r.IntN(4 * n) {
		b.Add(fmt.Sprint(r.IntN(n)), fmt.Sprint(r.IntN(relations)), fmt.Sprint(r.IntN(n)))
	}
	g := b.Graph()
	q := &match.Query{Nodes: make([]match.Node, 1+r.IntN(min(6, 1+9-n))), SharedTriples: r.IntN(2) == 0}
	apart := r.IntN(3)
	for i := range q.Nodes {
		x := &q.Nodes[i]
		if r.IntN(2) == 0 {
			x.In = []kg.EntityID{}
			for e := range kg.EntityID(n) {
				if r.IntN(3) > 0 {
					x.In = append(x.In, e)
				}
			}
		}
		if r.IntN(5) == 0 {
			odd := kg.EntityID(r.IntN(2))
			x.Keep = func(e kg.EntityID) bool { return e%2 == odd }
		}
		for j := range i {
			if apart == 0 || apart == 1 && r.IntN(2) == 0 {
				x.Distinct |= 1 << j
				q.Nodes[j].Distinct |= 1 << i
			}
		}
		if i > 0 && r.IntN(8) > 0 {
			q.Edges = append(q.Edges, randomEdge(r, relations, r.IntN(i), i))
		}
	}
	for range r.IntN(4) {
		q.Edges = append(q.Edges, randomEdge(r, relations, r.IntN(len(q.Nodes)), r.IntN(len(q.Nodes))))
	}
	return g, q
}

func randomEdge(r *rand.Rand, relations, from, to int) match.Edge {
	if r.IntN(2) == 0 {
		from, to = to, from
	}
	e := match.Edge{From: from, To: to, Either: r.IntN(3) == 0}
	if r.IntN(3) > 0 {
		e.Relations = []kg.RelationID{}
		for x := range kg.RelationID(relations) {
			if r.IntN(2) == 0 {
				e.Relations = append(e.Relations, x)
			}
		}
	}
	if r.IntN(6) == 0 {
		odd := kg.TripleID(r.IntN(2))
		e.Keep = func(t kg.TripleID) bool { return t%2 == odd }
	}
	return e
}

// bindings are those that an engine finds, sorted.
func bindings(tb testing.TB, e match.Engine, q *match.Query) (all []match.Binding) {
	tb.Helper()
	s, err := e.Each(context.Background(), q, func(b match.Binding) bool {
		all = append(all, match.Binding{slices.Clone(b.Nodes), slices.Clone(b.Edges)})
		return true
	})
	if err != nil {
		tb.Fatalf("Each: %v", err)
	}
	if s.Found != len(all) {
		tb.Errorf("Found = %d of %d", s.Found, len(all))
	}
	slices.SortFunc(all, func(a, b match.Binding) int { return slices.Compare(a.Nodes, b.Nodes) })
	return all
}

// agree holds match.Anchored to Naive: bindings, triples, answers of every node, the first.
func agree(t *testing.T, g *kg.Graph, q *match.Query) {
	t.Helper()
	ctx := context.Background()
	want := bindings(t, naive.Engine{Graph: g}, q)
	if diff := cmp.Diff(want, bindings(t, match.Anchored{Graph: g}, q)); diff != "" {
		t.Fatalf("bindings of %+v (-naive +anchored):\n%s", q, diff)
	}
	if first, ok, err := match.First(ctx, match.Anchored{Graph: g}, q); err != nil || ok != (len(want) > 0) || ok && !slices.ContainsFunc(want, func(b match.Binding) bool { return slices.Equal(b.Nodes, first.Nodes) }) {
		t.Fatalf("First of %+v = %v, %t, %v", q, first, ok, err)
	}
	pinned(t, g, q, want)
	for n := range q.Nodes {
		var answers []kg.EntityID
		for _, b := range want {
			answers = append(answers, b.Nodes[n])
		}
		slices.Sort(answers)
		answers = slices.Compact(answers)
		for limit := range 4 {
			some := answers
			if limit > 0 {
				some = answers[:min(limit, len(answers))]
			}
			got, s, err := match.Anchored{Graph: g}.Answers(ctx, q, n, limit)
			if err != nil || !slices.Equal(got, some) || s.Found != len(some) {
				t.Fatalf("Answers of node %d of %+v, limit %d = %v, %v, want %v", n, q, limit, got, err, some)
			}
		}
	}
}

// pinned asks one query made ready again and again: with nothing bound, with all nodes of a
// binding, and with each alone.
func pinned(t *testing.T, g *kg.Graph, q *match.Query, all []match.Binding) {
	t.Helper()
	unfilled := *q
	unfilled.Unfilled = true
	ready, err := match.Anchored{Graph: g}.Pin(t.Context(), q)
	bare, bareErr := match.Anchored{Graph: g}.Pin(t.Context(), &unfilled)
	if err != nil || bareErr != nil {
		t.Fatal(err, bareErr)
	}
	ask := func(pins []kg.EntityID) {
		var want, got []match.Binding
		for _, b := range all {
			if !slices.ContainsFunc(pins, func(e kg.EntityID) bool { return e != kg.NoEntity && b.Nodes[slices.Index(pins, e)] != e }) {
				want = append(want, b)
			}
		}
		for _, p := range []*match.Pinned{ready, bare} {
			got = nil
			if _, err := p.Each(pins, 1<<30, func(b match.Binding) bool {
				got = append(got, match.Binding{slices.Clone(b.Nodes), slices.Clone(b.Edges)})
				return true
			}); err != nil {
				t.Fatal(err)
			}
			slices.SortFunc(got, func(a, b match.Binding) int { return slices.Compare(a.Nodes, b.Nodes) })
			for i := range got {
				if p == bare && i < len(want) {
					got[i].Edges = want[i].Edges
				}
			}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Fatalf("bindings of %+v with %v (-naive +pinned):\n%s", q, pins, diff)
			}
		}
	}
	free := slices.Repeat([]kg.EntityID{kg.NoEntity}, len(q.Nodes))
	ask(free)
	for i, b := range all[:min(len(all), 3)] {
		one := slices.Clone(free)
		one[i%len(one)] = b.Nodes[i%len(one)]
		ask(one)
		whole := slices.Repeat([]kg.EntityID{kg.NoEntity}, len(q.Nodes))
		if len(slices.Compact(slices.Sorted(slices.Values(b.Nodes)))) == len(b.Nodes) {
			copy(whole, b.Nodes)
		}
		ask(whole)
	}
	ask(free)
}

func TestAnchoredFindsWhatNaiveFinds(t *testing.T) {
	seeds := uint64(10000)
	if testing.Short() {
		seeds = 2000
	}
	for seed := range seeds {
		g, q := random(seed)
		agree(t, g, q)
	}
}

func FuzzAnchored(f *testing.F) {
	f.Add(uint64(1))
	f.Fuzz(func(t *testing.T, seed uint64) {
		g, q := random(seed)
		agree(t, g, q)
	})
}
