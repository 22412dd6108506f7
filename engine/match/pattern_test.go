package match_test

import (
	"context"
	"errors"
	"slices"
	"testing"

	"cairn/engine/evidence"
	"cairn/engine/kg"
	"cairn/engine/match"
	"cairn/engine/pattern"
	"cairn/engine/retrieve/simgrag"
	"cairn/internal/testing/testkg"
)

// fixed makes a random pattern one that nothing is left open in.
func fixed(g *kg.Graph, p *pattern.Pattern) {
	if p.Order != nil {
		p.Order.Limit = 0
	}
	for i := range p.Nodes {
		p.Nodes[i].Distances = nil
	}
	for i := range p.Edges {
		if e := &p.Edges[i]; len(e.Fixed) == 0 && e.Relation != "" {
			e.Fixed, _ = testkg.Nearest(g, e.Relation)
			e.Fixed = e.Fixed[:1+i%len(e.Fixed)]
		}
	}
}

// TestCompiledIsTheMatcherAtNoDistance compares with simgrag.Search: answers, how many
// matches each has, and the triples of the matches that it keeps.
func TestCompiledIsTheMatcherAtNoDistance(t *testing.T) {
	ctx := context.Background()
	answered := 0
	for seed := range uint64(4000) {
		g, p := testkg.Random(seed)
		fixed(g, p)
		q, err := match.Compile(g, p)
		if err != nil {
			t.Fatalf("seed %d: Compile: %v", seed, err)
		}
		found, err := simgrag.Search(ctx, g, p, nil, simgrag.Options{Algorithm: simgrag.Plain, AllBest: true, MaxComponent: 1 << 20})
		if err != nil {
			t.Fatalf("seed %d: Search: %v", seed, err)
		}
		counts := map[kg.EntityID]int{}
		var all []match.Binding
		if _, err := (match.Anchored{Graph: g}).Each(ctx, q, func(b match.Binding) bool {
			if p.Asked >= 0 {
				counts[b.Nodes[p.Asked]]++
			}
			all = append(all, match.Binding{Nodes: slices.Clone(b.Nodes), Edges: slices.Clone(b.Edges)})
			return true
		}); err != nil {
			t.Fatalf("seed %d: Each: %v", seed, err)
		}
		if len(counts) != len(found.Answers) || p.Order == nil && len(all) != found.Stats.Found || slices.ContainsFunc(found.Answers, func(a evidence.Answer) bool { return counts[a.Entity] != a.Matches }) {
			t.Fatalf("seed %d: %d matches with answers %v, but Search has %d with %+v", seed, len(all), counts, found.Stats.Found, found.Answers)
		}
		for _, c := range found.Candidates {
			if !slices.ContainsFunc(all, func(b match.Binding) bool { return slices.Equal(b.Nodes, c.Nodes) && slices.Equal(b.Edges, c.Edges) }) {
				t.Fatalf("seed %d: no binding is Search's %v with triples %v", seed, c.Nodes, c.Edges)
			}
		}
		if len(counts) > 0 {
			answered++
		}
		compareAnswers(t, g, p, q, found.Answers)
	}
	if answered < 500 {
		t.Errorf("%d patterns had answers, which is too few to compare", answered)
	}
}

// compareAnswers compares what Answers finds with what Search found.
func compareAnswers(t *testing.T, g *kg.Graph, p *pattern.Pattern, q *match.Query, want []evidence.Answer) {
	t.Helper()
	if p.Asked < 0 {
		return
	}
	got, _, err := match.Anchored{Graph: g}.Answers(context.Background(), q, p.Asked, 0)
	if err != nil || !slices.EqualFunc(got, want, func(e kg.EntityID, a evidence.Answer) bool { return e == a.Entity }) {
		t.Fatalf("Answers of %s = %v, %v, but Search has %+v", pattern.Format(p), got, err, want)
	}
}

// TestCompileRefuses says which patterns have no query.
func TestCompileRefuses(t *testing.T) {
	g := testkg.Films()
	v := pattern.Node{Text: "?x", Variable: true}
	for name, tt := range map[string]struct {
		p    pattern.Pattern
		want error
	}{
		"no nodes":       {pattern.Pattern{}, match.ErrQuery},
		"not linked":     {pattern.Pattern{Nodes: []pattern.Node{{Text: "Paris"}}}, match.ErrOpen},
		"not settled":    {pattern.Pattern{Nodes: []pattern.Node{v}, Edges: []pattern.Edge{{Relation: "near"}}}, match.ErrOpen},
		"no such entity": {pattern.Pattern{Nodes: []pattern.Node{{Entities: []kg.EntityID{kg.NoEntity}}, v}, Edges: []pattern.Edge{{To: 1}}}, match.ErrQuery},
		"no such end":    {pattern.Pattern{Nodes: []pattern.Node{v}, Edges: []pattern.Edge{{To: 1}}}, match.ErrQuery},
		"no such asked":  {pattern.Pattern{Nodes: []pattern.Node{v}, Asked: 1}, match.ErrQuery},
		"no such order":  {pattern.Pattern{Nodes: []pattern.Node{v}, Order: &pattern.Order{Node: 1}}, match.ErrQuery},
		"no such filter": {pattern.Pattern{Nodes: []pattern.Node{v}, Filters: []pattern.Filter{{Node: 1}}}, match.ErrQuery},
		"no such type":   {pattern.Pattern{Nodes: []pattern.Node{v}, Edges: []pattern.Edge{{Fixed: []kg.RelationID{1 << 20}}}}, match.ErrQuery},
		"many nodes":     {pattern.Pattern{Nodes: slices.Repeat([]pattern.Node{v}, 65)}, match.ErrQuery},
	} {
		if _, err := match.Compile(g, &tt.p); !errors.Is(err, tt.want) {
			t.Errorf("%s: Compile = %v, want %v", name, err, tt.want)
		}
	}
}
