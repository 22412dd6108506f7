package around

import (
	"math/rand/v2"
	"slices"
	"strconv"
	"testing"

	"cairn/engine/evidence"
	"cairn/engine/kg"
	"cairn/engine/retrieve/gnnrag"
	"cairn/internal/testing/testkg"
)

// cut returns the triples around entities.
func cut(t *testing.T, g *kg.Graph, seeds ...kg.EntityID) Triples {
	t.Helper()
	r, err := gnnrag.NewCutter(g, gnnrag.RegionOptions{}).Cut(t.Context(), seeds)
	if err != nil {
		t.Fatal(err)
	}
	return In(r)
}

// TestPathsHold: on random graphs every lead goes away from the seeds, and every path is
// one of triples that join, from a seed on, no longer than it must be.
func TestPathsHold(t *testing.T) {
	for seed := range uint64(200) {
		rng := rand.New(rand.NewPCG(seed, 1))
		var b kg.Builder
		for range 1 + rng.IntN(25) {
			b.Add(strconv.Itoa(rng.IntN(10)), "r"+strconv.Itoa(rng.IntN(2)), strconv.Itoa(rng.IntN(10)))
		}
		g := b.Graph()
		a := cut(t, g, kg.EntityID(rng.IntN(g.Entities())), kg.EntityID(rng.IntN(g.Entities())))
		scores := make([]float64, len(a.Facts))
		for i := range scores {
			scores[i] = rng.Float64()
		}
		back := a.Back(scores)
		for _, f := range a.Facts {
			for _, l := range a.Leads(f) {
				if a.Far[l.To] < a.Far[l.From] || a.Far[l.To] == 0 || a.Far[l.To] > a.Far[l.From]+1 {
					t.Fatalf("seed %d: %+v leads from %d to %d", seed, f, a.Far[l.From], a.Far[l.To])
				}
				p := a.Path(l, f, back, "test")
				if !slices.Contains(a.Entities[:a.Seeds], p.Nodes[0]) || p.End() != a.Entities[l.To] || len(p.Hops) != int(a.Far[l.From])+1 {
					t.Fatalf("seed %d: the path %+v to %+v", seed, p, l)
				}
				joined(t, g, p)
			}
		}
	}
}

// joined fails where a triple of a path does not join its two entities.
func joined(t *testing.T, g *kg.Graph, p evidence.Candidate) {
	t.Helper()
	for i, id := range p.Edges {
		if x := g.Triple(id); !slices.Contains(p.Nodes[i:i+2], x.Head) || !slices.Contains(p.Nodes[i:i+2], x.Tail) || x.Head == x.Tail {
			t.Fatalf("triple %+v is not hop %d of %+v", x, i, p)
		}
	}
}

// TestBestWay: of two ways back the one with the higher score is taken.
func TestBestWay(t *testing.T) {
	g := testkg.Build("seed|r|a", "seed|r|b", "a|r|end", "b|r|end", "end|r|last")
	a := cut(t, g, 0)
	for want, scores := range map[string][]float64{"a": {0, 0, 1, 0, 0}, "b": {0, 0, 0, 1, 0}} {
		f := a.Facts[4]
		if p := a.Path(a.Leads(f)[0], f, a.Back(scores), "test"); len(p.Nodes) != 4 || g.Label(p.Nodes[1]) != want {
			t.Errorf("with %v by %v, want by %s", scores, p.Nodes, want)
		}
	}
}
