package match_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"cairn/engine/kg"
	"cairn/engine/match"
	"cairn/internal/testing/naive"
)

// hubs makes a graph in which entities 0 and 1 have n neighbours each over many
// relations, out and in, a third of them in common, and the neighbours one relation
// among themselves.
func hubs(n, relations int) *kg.Graph {
	r := rand.New(rand.NewPCG(1, 14))
	var b kg.Builder
	b.Entity("0")
	b.Entity("1")
	for i := range relations {
		b.Relation(fmt.Sprint(i))
	}
	add := func(hub, i int) {
		ends := []string{fmt.Sprint(hub), fmt.Sprint(i + 2)}
		if i%2 == 0 {
			slices.Reverse(ends)
		}
		b.Add(ends[0], fmt.Sprint(r.IntN(relations)), ends[1])
	}
	for i := range n {
		add(0, i)
		add(1, i*3)
		b.Add(fmt.Sprint(i+2), "0", fmt.Sprint(r.IntN(n)+2))
	}
	return b.Graph()
}

// atHubs are queries over a graph of hubs.
func atHubs(relations int) []*match.Query {
	hub := func(e kg.EntityID) match.Node { return match.Node{In: []kg.EntityID{e}} }
	either := func(from, to int) match.Edge { return match.Edge{From: from, To: to, Either: true} }
	many := either(0, 1)
	for r := range kg.RelationID(relations) {
		if r%3 > 0 || relations < 3 {
			many.Relations = append(many.Relations, r)
		}
	}
	return []*match.Query{
		{Nodes: []match.Node{hub(0), {}, hub(1)}, Edges: []match.Edge{either(0, 1), either(1, 2)}},
		{Nodes: []match.Node{hub(0), {}, hub(1)}, Edges: []match.Edge{either(0, 1), either(0, 1), either(1, 2)}},
		{Nodes: []match.Node{hub(0), {}, hub(1)}, Edges: []match.Edge{many, {From: 1, To: 2}}, SharedTriples: true},
		{Nodes: []match.Node{hub(0), {Distinct: 4}, {Distinct: 2}}, Edges: []match.Edge{many, {From: 1, To: 2, Relations: []kg.RelationID{0}}}},
		{Nodes: []match.Node{{}, {}}, Edges: []match.Edge{many}},
		{Nodes: []match.Node{{}, {}}, Edges: []match.Edge{either(0, 1), either(1, 0)}},
	}
}

// TestSizesAtWhichWaysChange compares the engines where runs are many and rows long.
func TestSizesAtWhichWaysChange(t *testing.T) {
	for _, n := range []int{20, 70, 300} {
		for _, relations := range []int{1, match.Few, match.Few + 1, 30} {
			g := hubs(n, relations)
			for _, q := range atHubs(relations) {
				agree(t, g, q)
				for _, budget := range []int{0, n, 10 * n} {
					narrowed(t, g, q, 0, budget)
				}
			}
		}
	}
}

// TestHowFarNarrowingGoesDoesNotMatter evaluates with budgets that end it anywhere.
func TestHowFarNarrowingGoesDoesNotMatter(t *testing.T) {
	for seed := range uint64(2000) {
		g, q := random(seed)
		for _, budget := range []int{0, 1, 5, 20, 100, match.Whole} {
			narrowed(t, g, q, int(seed)%len(q.Nodes), budget)
		}
	}
}

// narrowed compares the engines where candidates are narrowed as far as a budget goes.
func narrowed(t *testing.T, g *kg.Graph, q *match.Query, root, budget int) {
	t.Helper()
	got, err := match.Narrowed(g, q, root, budget)
	if err != nil {
		t.Fatal(err)
	}
	slices.SortFunc(got, func(a, b match.Binding) int { return slices.Compare(a.Nodes, b.Nodes) })
	if diff := cmp.Diff(bindings(t, naive.Engine{Graph: g}, q), got); diff != "" {
		t.Fatalf("%+v, budget %d (-naive +anchored):\n%s", q, budget, diff)
	}
}

// chain is a query of n free nodes behind a hub.
func chain(n int) *match.Query {
	q := &match.Query{Nodes: []match.Node{{In: []kg.EntityID{0}}}}
	for i := range n {
		q.Nodes = append(q.Nodes, match.Node{})
		q.Edges = append(q.Edges, match.Edge{From: i, To: i + 1, Either: true})
	}
	return q
}

// TestAnswersOfChainsThroughHubs takes time in the triples, though there are more
// bindings than could ever be enumerated.
func TestAnswersOfChainsThroughHubs(t *testing.T) {
	g := hubs(100_000, 20)
	q := chain(8)
	start := time.Now()
	got, _, err := match.Anchored{Graph: g}.Answers(context.Background(), q, 8, 0)
	if err != nil || len(got) < 100_000 {
		t.Fatalf("Answers: %d, %v", len(got), err)
	}
	if took := time.Since(start); took > 5*time.Second {
		t.Errorf("took %v", took)
	} else {
		t.Logf("%d answers in %v", len(got), took)
	}
	// With nodes that may not share an entity each answer is looked for by itself.
	for i := range q.Nodes {
		q.Nodes[i].Distinct = (1<<len(q.Nodes) - 1) &^ (1 << i)
	}
	if got, _, err := (match.Anchored{Graph: g}).Answers(context.Background(), q, 8, 1000); err != nil || len(got) != 1000 {
		t.Errorf("Answers with distinct nodes: %d, %v", len(got), err)
	}
}

// TestCancelled stops within 50 ms, wherever the search is: twice that is allowed here,
// for machines that are busy.
func TestCancelled(t *testing.T) {
	g := hubs(150_000, 300)
	product := &match.Query{Nodes: make([]match.Node, 3)}
	star := &match.Query{Nodes: []match.Node{{In: []kg.EntityID{0, 1}}, {}, {}, {}}, Edges: []match.Edge{{To: 1, Either: true}, {To: 2, Either: true}, {To: 3, Either: true}}}
	triangle := &match.Query{Nodes: make([]match.Node, 3), Edges: []match.Edge{{From: 0, To: 1, Either: true}, {From: 1, To: 2, Either: true}, {From: 2, To: 0, Either: true}}}
	never := &match.Query{Nodes: []match.Node{{In: []kg.EntityID{0}}, {}, {Keep: func(kg.EntityID) bool { return false }}}, Edges: []match.Edge{{To: 1, Either: true}, {From: 1, To: 2, Either: true}}}
	doubled := &match.Query{Nodes: []match.Node{{In: []kg.EntityID{0, 1}}, {}, {}}, Edges: []match.Edge{{To: 1, Either: true}, {To: 1, Either: true}, {To: 2, Either: true}}}
	for name, q := range map[string]*match.Query{"product": product, "star": star, "triangle": triangle, "never": never, "doubled": doubled, "chain": chain(40)} {
		for _, after := range []time.Duration{0, time.Millisecond, 20 * time.Millisecond} {
			for _, do := range []func(context.Context) error{
				func(ctx context.Context) error {
					_, err := match.Anchored{Graph: g}.Each(ctx, q, func(match.Binding) bool { return true })
					return err
				},
				func(ctx context.Context) error {
					_, _, err := match.Anchored{Graph: g}.Answers(ctx, q, len(q.Nodes)-1, 0)
					return err
				},
			} {
				ctx, cancel := context.WithTimeout(t.Context(), after)
				start := time.Now()
				err := do(ctx)
				if late := time.Since(start) - after; late > 100*time.Millisecond || err != nil && !errors.Is(err, context.DeadlineExceeded) {
					t.Errorf("%s, ended after %v: %v late, %v", name, after, late, err)
				}
				cancel()
			}
		}
	}
}

// TestNothingIsAllocatedForABinding compares a query of many bindings with one of few.
func TestNothingIsAllocatedForABinding(t *testing.T) {
	g := hubs(2000, 12)
	q := chain(2)
	q.Edges[0].Keep = func(kg.TripleID) bool { return true }
	q.Edges = append(q.Edges, match.Edge{From: 1, To: 2, Either: true})
	q.SharedTriples = true
	found := 0
	allocs := testing.AllocsPerRun(1, func() {
		found = 0
		if _, err := (match.Anchored{Graph: g}).Each(context.Background(), q, func(match.Binding) bool { found++; return true }); err != nil {
			t.Fatal(err)
		}
	})
	if found < 1000 || allocs > 300 {
		t.Errorf("%.0f allocations for %d bindings", allocs, found)
	} else {
		t.Logf("%.0f allocations for %d bindings", allocs, found)
	}
}

// TestMalformedQueries are refused before anything is looked at.
func TestMalformedQueries(t *testing.T) {
	g := hubs(20, 3)
	for name, q := range map[string]*match.Query{
		"no nodes":         {},
		"many nodes":       {Nodes: make([]match.Node, match.MaxNodes+1)},
		"no such end":      {Nodes: make([]match.Node, 1), Edges: []match.Edge{{To: 1}}},
		"no end":           {Nodes: make([]match.Node, 1), Edges: []match.Edge{{From: -1}}},
		"no such relation": {Nodes: make([]match.Node, 1), Edges: []match.Edge{{Relations: []kg.RelationID{3}}}},
		"no such entity":   {Nodes: []match.Node{{In: []kg.EntityID{9999}}}},
		"unsorted":         {Nodes: []match.Node{{In: []kg.EntityID{1, 0}}}},
	} {
		if _, err := (match.Anchored{Graph: g}).Each(context.Background(), q, nil); !errors.Is(err, match.ErrQuery) {
			t.Errorf("%s: Each = %v", name, err)
		}
	}
	if _, _, err := (match.Anchored{Graph: g}).Answers(context.Background(), chain(1), 2, 0); !errors.Is(err, match.ErrQuery) {
		t.Errorf("Answers of node 2 of 2 = %v", err)
	}
	wide := &match.Query{Nodes: make([]match.Node, match.MaxNodes)}
	for i := range wide.Nodes {
		wide.Nodes[i].In = []kg.EntityID{kg.EntityID(i % 2)}
	}
	if got := bindings(t, match.Anchored{Graph: g}, wide); len(got) != 1 {
		t.Errorf("%d bindings of %d nodes, want 1", len(got), match.MaxNodes)
	}
	var empty kg.Builder
	if got := bindings(t, match.Anchored{Graph: empty.Graph()}, &match.Query{Nodes: make([]match.Node, 2), Edges: []match.Edge{{To: 1}}}); got != nil {
		t.Errorf("bindings in no graph: %v", got)
	}
}

// TestBudget ends what takes too much work, at the same place each time.
func TestBudget(t *testing.T) {
	a := match.Anchored{Graph: hubs(5000, 20), Budget: 50_000}
	var found [2]int
	for i := range found {
		s, err := a.Each(context.Background(), chain(4), func(match.Binding) bool { return true })
		if found[i] = s.Found; !errors.Is(err, match.ErrBudget) || s.Found == 0 {
			t.Errorf("Each found %d, %v", s.Found, err)
		}
	}
	if found[0] != found[1] {
		t.Errorf("found %d, then %d", found[0], found[1])
	}
	if es, _, err := a.Answers(context.Background(), chain(4), 4, 0); !errors.Is(err, match.ErrBudget) || len(es) > 0 {
		t.Errorf("Answers found %d, %v", len(es), err)
	}
	if _, err := a.Each(context.Background(), chain(0), func(match.Binding) bool { return true }); err != nil {
		t.Errorf("Each of one entity: %v", err)
	}
}
