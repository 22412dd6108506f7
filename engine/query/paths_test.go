package query

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"

	"cairn/engine/evidence"
	"cairn/engine/kg"
	"cairn/engine/pattern"
	"cairn/internal/testing/testkg"
)

// naivePaths lists every simple path of at most so many steps between two things.
func naivePaths(g *kg.Graph, p *pattern.Pattern, within int) (paths [][]kg.EntityID) {
	starts, goals := p.Nodes[0].Entities, p.Nodes[1].Entities
	avoided := func(e kg.EntityID) bool {
		return slices.ContainsFunc(p.Connection.Avoid, func(n int) bool { return slices.Contains(p.Nodes[n].Entities, e) })
	}
	var walk func(path []kg.EntityID)
	walk = func(path []kg.EntityID) {
		at := path[len(path)-1]
		if slices.Contains(goals, at) {
			all := !slices.ContainsFunc(p.Connection.Via, func(n int) bool {
				return !slices.ContainsFunc(path, func(e kg.EntityID) bool { return slices.Contains(p.Nodes[n].Entities, e) })
			})
			if all && len(path) > 1 {
				paths = append(paths, slices.Clone(path))
			}
			return
		}
		if len(path) > within || len(path) > 1 && g.IsLiteral(at) {
			return
		}
		for e := range kg.EntityID(g.Entities()) {
			joined := slices.ContainsFunc(slices.Concat(g.Out(at), g.In(at)), func(s kg.Edge) bool { return s.Entity == e })
			if joined && !avoided(e) && !slices.Contains(path, e) && !slices.Contains(starts, e) {
				walk(append(path, e))
			}
		}
	}
	for _, s := range starts {
		if !avoided(s) && !slices.Contains(goals, s) {
			walk([]kg.EntityID{s})
		}
	}
	slices.SortStableFunc(paths, func(a, b []kg.EntityID) int { return len(a) - len(b) })
	return paths
}

func TestPathsEqualNaive(t *testing.T) {
	for seed := range uint64(3000) {
		r := rand.New(rand.NewPCG(seed, 9))
		var b kg.Builder
		n := 4 + r.IntN(5)
		for e := range n {
			b.Entity(fmt.Sprint("e", e))
			if r.IntN(6) == 0 {
				b.SetLiteral(kg.EntityID(e))
			}
		}
		for range n + r.IntN(n) {
			b.Add(fmt.Sprint("e", r.IntN(n)), "r", fmt.Sprint("e", r.IntN(n)))
		}
		g := b.Graph()
		p := &pattern.Pattern{Task: pattern.Connect, Asked: -1, Connection: &pattern.Connection{Within: 1 + r.IntN(n), K: r.IntN(4)}}
		for i := range 4 {
			node := pattern.Node{Text: fmt.Sprint(i)}
			for _, e := range r.Perm(n)[:1+r.IntN(2)*r.IntN(2)] {
				node.Entities = append(node.Entities, kg.EntityID(e))
			}
			p.Nodes = append(p.Nodes, node)
		}
		if r.IntN(3) == 0 {
			p.Connection.Via = []int{2}
		}
		if r.IntN(3) == 0 {
			p.Connection.Avoid = []int{3}
		}
		want := naivePaths(g, p, p.Connection.Within)
		if k := p.Connection.K; k > 0 {
			want = want[:min(k, len(want))]
		} else {
			want = slices.DeleteFunc(want, func(path []kg.EntityID) bool { return len(path) > len(want[0]) })
		}
		found := evaluated(t, g, p)
		var got [][]kg.EntityID
		for _, c := range found.Candidates {
			got = append(got, c.Nodes)
			for i := range c.Hops {
				for _, id := range c.Hop(i) {
					if x := g.Triple(id); !slices.Contains([][2]kg.EntityID{{x.Head, x.Tail}, {x.Tail, x.Head}}, [2]kg.EntityID{c.Nodes[i], c.Nodes[i+1]}) {
						t.Fatalf("seed %d: hop %d of %v has a triple from elsewhere", seed, i, c.Nodes)
					}
				}
			}
		}
		if diff := gocmp.Diff(want, got); diff != "" {
			t.Fatalf("seed %d: %s %+v (-naive +Evaluate):\n%s", seed, pattern.Format(p), p.Connection, diff)
		}
	}
}

func TestPathsSayWhyNone(t *testing.T) {
	g := testkg.Build("a|r|b", "b|r|c", "x|r|y")
	for text, want := range map[string]string{
		"path (a) to (x)":                "separate parts of the graph",
		"path (a) to (c) | avoiding (b)": "Nothing else connects them",
		"path (a) to (c) | within 1":     "at most 1 step",
	} {
		found := evaluated(t, g, linked(t, g, text))
		if len(found.Candidates) > 0 || !strings.Contains(strings.Join(found.Notes, " "), want) {
			t.Errorf("%s: %d paths, notes %q, want %q", text, len(found.Candidates), found.Notes, want)
		}
	}
}

// linked reads a pattern whose names and relations are keys of the graph.
func linked(tb testing.TB, g *kg.Graph, text string) *pattern.Pattern {
	tb.Helper()
	p, err := pattern.ParseText(text)
	if err != nil {
		tb.Fatal(err)
	}
	for i := range p.Nodes {
		if n := &p.Nodes[i]; !n.Variable {
			for e := range kg.EntityID(g.Entities()) {
				if g.Label(e) == n.Text {
					n.Entities = append(n.Entities, e)
				}
			}
		}
	}
	settle := func(edges []pattern.Edge) {
		for i := range edges {
			for r := range kg.RelationID(g.Relations()) {
				if g.RelationText(r) == edges[i].Relation {
					edges[i].Fixed = []kg.RelationID{r}
				}
			}
		}
	}
	settle(p.Edges)
	for _, b := range p.Branches {
		settle(b.Edges)
	}
	return p
}

func labels(g *kg.Graph, f evidence.Found) (out []string) {
	for _, a := range f.Answers {
		text := a.Label(g)
		if a.Amount != nil && a.Entity != kg.NoEntity {
			text += " " + a.Amount.Text
		}
		out = append(out, text)
	}
	return out
}
