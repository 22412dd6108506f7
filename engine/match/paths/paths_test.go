package paths

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"cairn/engine/kg"
	"cairn/engine/match"
	"cairn/internal/testing/naive"
)

// world makes a small graph with types, parallel triples, self-loops and a hub, and a
// query over it that is often met: most of it is cut out of the graph.
func world(seed uint64) (*kg.Graph, *match.Query) {
	r := rand.New(rand.NewPCG(seed, 1))
	var b kg.Builder
	entities, relations, types := 2+r.IntN(9), 1+r.IntN(3), r.IntN(3)
	name := func() string { return fmt.Sprint("e", r.IntN(entities)) }
	for range 1 + r.IntN(3*entities) {
		head := name()
		if r.IntN(3) == 0 {
			head = "e0"
		}
		b.Add(head, fmt.Sprint("r", r.IntN(relations)), name())
	}
	for i := range entities {
		for t := range types {
			if r.IntN(2) == 0 {
				b.AddType(b.Entity(fmt.Sprint("e", i)), fmt.Sprint("t", t))
			}
		}
	}
	g := b.Graph()
	q := &match.Query{SharedTriples: r.IntN(2) == 0}
	for range 1 + r.IntN(5) {
		q.Nodes = append(q.Nodes, randomNode(r, g))
	}
	apart := r.IntN(3) // none, some or all must differ
	for i := range q.Nodes {
		for j := range i {
			if apart == 2 || apart == 1 && r.IntN(2) == 0 {
				q.Nodes[i].Distinct |= 1 << j
				q.Nodes[j].Distinct |= 1 << i
			}
		}
	}
	for i := 1; i < len(q.Nodes); i++ {
		if r.IntN(8) > 0 {
			q.Edges = append(q.Edges, randomEdge(r, g, r.IntN(i), i))
		}
	}
	for r.IntN(3) == 0 {
		q.Edges = append(q.Edges, randomEdge(r, g, r.IntN(len(q.Nodes)), r.IntN(len(q.Nodes))))
	}
	return g, q
}

func randomNode(r *rand.Rand, g *kg.Graph) (n match.Node) {
	switch k := r.IntN(8); {
	case k == 0:
		n.In = []kg.EntityID{}
		for e := range kg.EntityID(g.Entities()) {
			if r.IntN(2) == 0 {
				n.In = append(n.In, e)
			}
		}
	case k == 1:
		n.In = []kg.EntityID{kg.EntityID(r.IntN(g.Entities()))}
	case k < 4 && g.NumTypes() > 0:
		n.In = g.OfType(kg.TypeID(r.IntN(g.NumTypes())))
	}
	if r.IntN(8) == 0 {
		n.Keep = func(e kg.EntityID) bool { return e%3 > 0 }
	}
	return n
}

func randomEdge(r *rand.Rand, g *kg.Graph, from, to int) match.Edge {
	e := match.Edge{From: from, To: to, Either: r.IntN(3) == 0}
	if r.IntN(2) == 0 {
		e.From, e.To = to, from
	}
	switch r.IntN(4) {
	case 0, 1:
		e.Relations = []kg.RelationID{kg.RelationID(r.IntN(g.Relations()))}
	case 2:
		for i := range kg.RelationID(g.Relations()) {
			if r.IntN(2) == 0 || i == 0 {
				e.Relations = append(e.Relations, i)
			}
		}
	}
	if r.IntN(8) == 0 {
		e.Keep = func(t kg.TripleID) bool { return t%4 > 0 }
	}
	return e
}

func bindings(tb testing.TB, e match.Engine, q *match.Query) (all []string) {
	tb.Helper()
	s, err := e.Each(tb.Context(), q, func(b match.Binding) bool {
		all = append(all, fmt.Sprint(b.Nodes, b.Edges))
		return true
	})
	if err != nil || s.Found != len(all) {
		tb.Fatalf("Each = %+v, %v and yields %d", s, err, len(all))
	}
	return all
}

func build(tb testing.TB, g *kg.Graph, o Options) *Index {
	tb.Helper()
	x, err := Build(tb.Context(), g, o)
	if err != nil {
		tb.Fatalf("Build: %v", err)
	}
	return x
}

// agree compares indexes of a graph with naive.Engine, as sets, and with themselves, in
// order.
func agree(t *testing.T, g *kg.Graph, q *match.Query, what string) int {
	t.Helper()
	want := bindings(t, naive.Engine{Graph: g}, q)
	slices.Sort(want)
	for _, o := range []Options{{}, {Signature: Counters{Buckets: 2}}, {Signature: Counters{Blind: 2 * g.Relations()}}, {MaxPaths: -1}} {
		x := build(t, g, o)
		got := bindings(t, x, q)
		if again := bindings(t, x, q); !slices.Equal(got, again) {
			t.Fatalf("%s: %+v: another order when asked again", what, o)
		}
		slices.Sort(got)
		if d := cmp.Diff(want, got); d != "" {
			t.Fatalf("%s: %+v: -naive +paths\n%s\nquery %+v", what, o, d, q)
		}
	}
	return len(want)
}

func TestFindsWhatNaiveFinds(t *testing.T) {
	met, deep := 0, 0
	for seed := range uint64(4000) {
		g, q := world(seed)
		if agree(t, g, q, fmt.Sprint("seed ", seed)) > 0 {
			met++
		}
		s := &search{x: build(t, g, Options{}), stop: t.Context().Err, q: q}
		routes, err := s.candidates(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		if slices.ContainsFunc(routes, func(r *route) bool { return r.length == 2 && len(r.found) > 0 }) {
			deep++
		}
	}
	if met < 1000 || deep < 200 {
		t.Errorf("%d queries are met and %d use paths of three entities: the test says little", met, deep)
	}
}

// TestNoFalseDismissals checks the one thing that all rests on: what a query star is
// sure to have, every entity has that some binding gives its node.
func TestNoFalseDismissals(t *testing.T) {
	for seed := range uint64(2000) {
		g, q := world(seed)
		x := build(t, g, Options{})
		s := &search{x: x, stop: t.Context().Err, q: q}
		if err := s.prepare(); err != nil {
			t.Fatal(err)
		}
		_, err := naive.Engine{Graph: g}.Each(t.Context(), q, func(b match.Binding) bool {
			for n, e := range b.Nodes {
				have := map[uint32]uint32{}
				for _, l := range Star(g, e) {
					have[l.Symbol] = l.Count
				}
				for _, l := range s.star(n) {
					if have[l.Symbol] < l.Count {
						t.Fatalf("seed %d: node %d is said to have %+v, entity %d has %d\n%+v", seed, n, l, e, have[l.Symbol], q)
					}
				}
			}
			return true
		})
		if err != nil {
			t.Fatal(err)
		}
	}
}

func TestSmallGraphs(t *testing.T) {
	var empty, one, loop kg.Builder
	one.Add("a", "r", "b")
	loop.Add("a", "r", "a")
	loop.Add("a", "s", "a")
	for name, b := range map[string]*kg.Builder{"empty": &empty, "one triple": &one, "loop": &loop} {
		g := b.Graph()
		agree(t, g, &match.Query{Nodes: make([]match.Node, 1)}, name)
		agree(t, g, &match.Query{Nodes: make([]match.Node, 2), Edges: []match.Edge{{From: 0, To: 1}}}, name)
		agree(t, g, &match.Query{Nodes: make([]match.Node, 1), Edges: []match.Edge{{}, {Either: true}}}, name)
		agree(t, g, &match.Query{Nodes: []match.Node{{}, {In: []kg.EntityID{kg.NoEntity}}, {}, {}}, Edges: []match.Edge{{From: 2, To: 3}}}, name)
		agree(t, g, &match.Query{Nodes: make([]match.Node, 3), Edges: []match.Edge{{From: 0, To: 1}, {From: 2, To: 1}}}, name)
	}
}

func TestMalformedQueries(t *testing.T) {
	var b kg.Builder
	b.Add("a", "r", "b")
	x := build(t, b.Graph(), Options{})
	for _, q := range []match.Query{
		{},
		{Nodes: make([]match.Node, match.MaxNodes+1)},
		{Nodes: make([]match.Node, 1), Edges: []match.Edge{{To: 1}}},
		{Nodes: make([]match.Node, 1), Edges: []match.Edge{{From: -1}}},
		{Nodes: []match.Node{{In: []kg.EntityID{2}}}},
		{Nodes: []match.Node{{In: []kg.EntityID{1, 0}}}},
		{Nodes: []match.Node{{In: []kg.EntityID{kg.NoEntity}}}, Edges: []match.Edge{{}}},
		{Nodes: make([]match.Node, 1), Edges: []match.Edge{{Relations: []kg.RelationID{1}}}},
	} {
		if _, err := x.Each(t.Context(), &q, func(match.Binding) bool { return true }); !errors.Is(err, match.ErrQuery) {
			t.Errorf("Each(%+v) = %v, want ErrQuery", q, err)
		}
	}
}

func TestStops(t *testing.T) {
	g := star(2000)
	x := build(t, g, Options{})
	q := &match.Query{Nodes: make([]match.Node, 4), Edges: []match.Edge{{From: 0, To: 1}, {From: 0, To: 2}, {From: 0, To: 3}}}
	n := 0
	if s, err := x.Each(t.Context(), q, func(match.Binding) bool { n++; return n < 3 }); err != nil || s.Found != 3 {
		t.Errorf("Each, stopped by its caller = %+v, %v", s, err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := x.Each(ctx, q, func(match.Binding) bool { t.Error("a binding after the end"); return true }); !errors.Is(err, context.Canceled) {
		t.Errorf("Each, cancelled = %v", err)
	}
	if _, err := Build(ctx, g, Options{}); !errors.Is(err, context.Canceled) {
		t.Errorf("Build, cancelled = %v", err)
	}
}

// star is a hub with n spokes.
func star(n int) *kg.Graph {
	var b kg.Builder
	for i := range n {
		b.Add("hub", "r", fmt.Sprint("e", i))
	}
	return b.Graph()
}

// TestHubs has a hub make too many paths, and find the same without them.
func TestHubs(t *testing.T) {
	g := star(300)
	full, bounded := build(t, g, Options{}), build(t, g, Options{MaxPaths: 1000})
	if len(full.Notes()) != 0 || len(bounded.Notes()) != 1 {
		t.Fatalf("notes %q and %q", full.Notes(), bounded.Notes())
	}
	q := &match.Query{
		Nodes: []match.Node{{Distinct: 6}, {Distinct: 5}, {Distinct: 3}},
		Edges: []match.Edge{{From: 0, To: 1}, {From: 0, To: 2}},
	}
	a, b := bindings(t, full, q), bindings(t, bounded, q)
	slices.Sort(a)
	slices.Sort(b)
	if len(a) != 300*299 || !slices.Equal(a, b) {
		t.Errorf("%d and %d bindings, want %d twice", len(a), len(b), 300*299)
	}
}
