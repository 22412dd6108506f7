package simgrag_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"cairn/engine/evidence"
	"cairn/engine/kg"
	"cairn/engine/pattern"
	"cairn/engine/retrieve/simgrag"
)

// hubs is a graph with entities of thousands of neighbours, in one relation and
// in many, and types with thousands of entities.
func hubs(seed uint64) *kg.Graph {
	const (
		entities  = 6000
		relations = 24
		hubs      = 4
	)
	r := rand.New(rand.NewPCG(seed, 7))
	var b kg.Builder
	name := func(e int) string { return fmt.Sprint(e) }
	relation := func() string { return fmt.Sprintf("r%d", r.IntN(relations)) }
	// Ids of hubs lie among the others.
	for e := range entities {
		b.AddType(b.Entity(name(e)), fmt.Sprintf("type %d", r.IntN(2)))
	}
	for range relations {
		b.Relation(relation())
	}
	hub := func(i int) string { return name((i*entities + entities/2) / hubs) }
	year := func(e int) kg.Property {
		return kg.Property{Name: "year", Value: fmt.Sprint(2000 + e%3), Entity: kg.NoEntity}
	}
	for e := range entities {
		b.Add(name(e), "r0", hub(0))
		if e%5 > 0 {
			b.AddStatement(hub(1), "r1", name(e), year(e))
			b.AddStatement(name(e), "r2", hub(1), year(e))
		}
		if e%2 > 0 {
			b.Add(name(e), relation(), hub(2))
		}
		if e%10 > 0 {
			b.AddStatement(hub(3), "r3", name(e), year(e))
		}
		for range r.IntN(4) {
			b.Add(name(e), relation(), name(r.IntN(entities)))
		}
	}
	return b.Graph()
}

// randomQuery is a chain, a star or a cycle over many candidates, hubs among
// them, whose names and relations have many readings.
func randomQuery(r *rand.Rand, g *kg.Graph) *pattern.Pattern {
	n := 2 + r.IntN(3)
	p := &pattern.Pattern{Asked: r.IntN(n+1) - 1, Reuse: pattern.Reuse(r.IntN(3))}
	star := r.IntN(3) == 0
	var bound []kg.EntityID // mostly a match, so that there is one
	for i := range n {
		e := kg.EntityID(r.IntN(g.Entities()))
		if i > 0 {
			from := bound[i-1]
			if star {
				from = bound[0]
			}
			near := slices.Concat(g.Out(from), g.In(from))
			e = near[r.IntN(len(near))].Entity
		}
		bound = append(bound, e)
		p.Nodes = append(p.Nodes, manyCandidates(r, g, i, e))
	}
	edge := func(from, to int) {
		e := pattern.Edge{From: from, To: to, Direction: pattern.Direction(r.IntN(2))}
		if r.IntN(8) == 0 {
			e.Conditions = []pattern.Condition{{Property: "year", Op: pattern.AtLeast, Value: "2001"}}
		}
		if r.IntN(2) == 0 {
			e.From, e.To = to, from
		}
		switch r.IntN(6) {
		case 0:
			for range 1 + r.IntN(12) {
				e.Fixed = append(e.Fixed, kg.RelationID(r.IntN(g.Relations())))
			}
		case 1: // any
		default:
			e.Relation = fmt.Sprintf("named %d", r.IntN(1000))
		}
		p.Edges = append(p.Edges, e)
	}
	for i := 1; i < n; i++ {
		if star {
			edge(0, i)
		} else {
			edge(i-1, i)
		}
	}
	if n > 2 && r.IntN(3) == 0 {
		edge(n-1, 0)
	}
	if r.IntN(6) == 0 {
		edge(0, 1)
	}
	if r.IntN(8) == 0 {
		p.Filters = append(p.Filters, pattern.Filter{Node: r.IntN(n), Op: pattern.Op(r.IntN(5)), Value: float64(r.IntN(g.Entities()))})
	}
	if r.IntN(8) == 0 {
		p.Order = &pattern.Order{Node: r.IntN(n), Descending: r.IntN(2) == 0, Limit: r.IntN(3)}
	}
	return p
}

func manyCandidates(r *rand.Rand, g *kg.Graph, i int, one kg.EntityID) pattern.Node {
	if r.IntN(2) == 0 {
		v := pattern.Node{Text: fmt.Sprintf("?%d", i), Variable: true}
		switch r.IntN(5) {
		case 0:
			v.Type = fmt.Sprintf("type %d", r.IntN(3))
		case 1:
			v.Type = "near type 0" // two types are near it
		case 2:
			for e := range g.Entities() {
				if r.IntN(2) == 0 {
					v.Within = append(v.Within, kg.EntityID(e))
				}
			}
		}
		return v
	}
	k := pattern.Node{Text: fmt.Sprintf("known %d", i)}
	steps := []int{5, 1 << 20}[r.IntN(2)] // with ties, or hardly any
	for range []int{1, 3, 20, 300}[r.IntN(4)] {
		k.Entities = append(k.Entities, one)
		one = kg.EntityID(r.IntN(g.Entities()))
		k.Distances = append(k.Distances, float64(r.IntN(steps))/float64(steps))
	}
	return k
}

// TestHubs compares the optimised search with the plain one where there is much
// to choose from: every way that the optimised one has to save work is taken.
func TestHubs(t *testing.T) {
	seeds := uint64(300)
	if testing.Short() {
		seeds = 60
	}
	compared, matched := 0, 0
	var g *kg.Graph
	for seed := range seeds {
		if seed%100 == 0 {
			g = hubs(seed)
		}
		r := rand.New(rand.NewPCG(seed, 11))
		p := randomQuery(r, g)
		const budget = 100_000
		o := simgrag.Options{K: []int{1, 3, 20}[r.IntN(3)], AllBest: r.IntN(3) == 0, MaxWallTime: -1, Budget: budget}
		o.Algorithm = simgrag.Plain
		want := search(t, g, p, o)
		if want.Stats.Considered >= budget {
			continue // the plain search did not come to its end
		}
		o.Algorithm, o.Budget = simgrag.Optimised, -1
		got := search(t, g, p, o)
		compared++
		matched += min(1, len(want.Candidates))
		if diff := cmp.Diff(transcript(want), transcript(got)); diff != "" {
			t.Fatalf("seed %d (-plain +optimised):\n%s\nedges %+v\nfilters %+v order %+v options %+v asked %d reuse %d", seed, diff, p.Edges, p.Filters, p.Order, o, p.Asked, p.Reuse)
		}
	}
	t.Logf("%d of %d compared, %d with a match", compared, seeds, matched)
	if compared < int(seeds)/2 || matched < compared/2 {
		t.Errorf("%d of %d compared, %d with a match: too few", compared, seeds, matched)
	}
}

func transcript(r evidence.Found) []string {
	var out []string
	for _, c := range r.Candidates {
		out = append(out, fmt.Sprintf("%.9f nodes %v triples %v", c.Distance, c.Nodes, c.Edges))
	}
	for _, b := range r.Answers {
		out = append(out, fmt.Sprintf("entity %d binds %d times", b.Entity, b.Matches))
	}
	return out
}

// TestHubsStopInTime checks that a search among hubs looks at the clock in all of
// its loops.
func TestHubsStopInTime(t *testing.T) {
	g := hubs(1)
	var all []kg.EntityID
	var distances []float64
	for e := range g.Entities() {
		all = append(all, kg.EntityID(e))
		distances = append(distances, 1+float64(e%1000)/1000)
	}
	known := pattern.Node{Text: "known", Entities: all, Distances: distances}
	free := pattern.Node{Text: "?", Variable: true}
	edge := func(from, to int) pattern.Edge {
		return pattern.Edge{From: from, To: to, Relation: fmt.Sprint("named ", from, to)}
	}
	for name, p := range map[string]*pattern.Pattern{
		"chain":    {Asked: -1, Nodes: []pattern.Node{known, free, free, known}, Edges: []pattern.Edge{edge(0, 1), edge(1, 2), edge(2, 3)}},
		"cycle":    {Asked: -1, Nodes: []pattern.Node{known, free, known, free}, Edges: []pattern.Edge{edge(0, 1), edge(1, 2), edge(2, 3), edge(3, 0)}},
		"unknown":  {Asked: -1, Nodes: []pattern.Node{free, free, free}, Edges: []pattern.Edge{edge(0, 1), edge(1, 2)}},
		"any edge": {Asked: -1, Nodes: []pattern.Node{known, free, known}, Edges: []pattern.Edge{{From: 0, To: 1}, {From: 1, To: 2}}},
	} {
		// As many matches as never come together.
		o := simgrag.Options{K: 1 << 30, MaxWallTime: 30 * time.Millisecond, Budget: -1}
		r, err := simgrag.Search(t.Context(), g, p, nearest{g}, o)
		if err != nil {
			t.Fatalf("%s: Search: %v", name, err)
		}
		if r.Completeness != evidence.TimedOut || r.Stats.Duration > time.Second {
			t.Errorf("%s: %v after %v, want cut off by a time limit after 30ms", name, r.Completeness, r.Stats.Duration)
		}
		ctx, cancel := context.WithTimeout(t.Context(), 30*time.Millisecond)
		o.MaxWallTime = -1
		if _, err = simgrag.Search(ctx, g, p, nearest{g}, o); !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("%s: cancelled search: %v, want the context's error", name, err)
		}
		cancel()
	}
}
