package kg

import (
	"cmp"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
)

// hubGraph makes a random graph of n entities in which the first few take part in
// many triples, and everything else that a graph can have is there too.
func hubGraph(n, triples, relations int, seed uint64) *Graph {
	rng := rand.New(rand.NewPCG(seed, seed))
	var b Builder
	for i := range n {
		e := b.Entity(fmt.Sprint("entity ", i))
		switch i % 5 {
		case 0:
			b.AddAlias(e, fmt.Sprint("alias ", i))
		case 1:
			b.AddType(e, fmt.Sprint("type ", i%7))
		}
	}
	skewed := func() string {
		x := rng.Float64()
		return fmt.Sprint("entity ", int(x*x*x*x*float64(n)))
	}
	for i := range triples {
		var said []Property
		if i%13 == 0 {
			said = []Property{{Name: fmt.Sprint("p", i%3), Value: fmt.Sprint(i % 50), Datatype: "km", Entity: EntityID(i % n)}}
		}
		b.AddStatement(skewed(), fmt.Sprint("r", rng.IntN(relations)), skewed(), said...)
	}
	g := b.Graph()
	for id := 0; id < g.Triples(); id += 11 {
		g.setExtracted(TripleID(id))
	}
	return g
}

// naiveRow collects the edges of e by looking at every triple.
func naiveRow(g *Graph, e EntityID, out bool, keep func(Edge) bool) []Edge {
	var row []Edge
	for id := range TripleID(g.Triples()) {
		t := g.Triple(id)
		at, x := t.Tail, Edge{t.Relation, t.Head, id}
		if out {
			at, x = t.Head, Edge{t.Relation, t.Tail, id}
		}
		if at == e && keep(x) {
			row = append(row, x)
		}
	}
	slices.SortFunc(row, func(a, b Edge) int {
		return cmp.Or(cmp.Compare(a.Relation, b.Relation), cmp.Compare(a.Entity, b.Entity), cmp.Compare(a.Triple, b.Triple))
	})
	return row
}

func TestAdjacencyAgainstNaive(t *testing.T) {
	for _, tt := range []struct{ n, triples, relations int }{
		{1, 0, 1}, {1, 1, 1}, {2, 3, 1}, {50, 255, 3}, {3, 1000, 400}, {300, 6000, 1}, {300, 6000, 9}, {300, 6000, 900},
	} {
		t.Run(fmt.Sprint(tt.n, " ", tt.triples, " ", tt.relations), func(t *testing.T) {
			g := hubGraph(tt.n, tt.triples, tt.relations, 7)
			hubs := 0
			for e := range EntityID(g.Entities()) {
				if e > 20 && e%17 != 0 {
					continue
				}
				for _, out := range []bool{true, false} {
					row, by, relations := g.In(e), g.InBy, g.RelationsIn(e)
					if out {
						row, by, relations = g.Out(e), g.OutBy, g.RelationsOut(e)
					}
					if want := naiveRow(g, e, out, func(Edge) bool { return true }); !slices.Equal(row, want) {
						t.Fatalf("row of %d (out %v) = %v, want %v", e, out, row, want)
					}
					if len(row) >= hubDegree {
						hubs++
					}
					var walked []Edge
					for r, run := range relations {
						if len(run) == 0 || slices.ContainsFunc(run, func(x Edge) bool { return x.Relation != r }) {
							t.Fatalf("run of %d for relation %d = %v", e, r, run)
						}
						walked = append(walked, run...)
					}
					if !slices.Equal(walked, row) {
						t.Fatalf("the runs of %d (out %v) are not its row", e, out)
					}
					for range relations {
						break // stops without harm
					}
					for r := range RelationID(g.Relations()) {
						want := naiveRelation(row, r)
						if got := by(e, r); !slices.Equal(got, want) {
							t.Fatalf("edges of %d by %d (out %v) = %v, want %v", e, r, out, got, want)
						}
					}
				}
			}
			if tt.triples >= 6000 && hubs == 0 {
				t.Error("no hub was looked at")
			}
		})
	}
}

func naiveRelation(row []Edge, r RelationID) []Edge {
	var want []Edge
	for _, x := range row {
		if x.Relation == r {
			want = append(want, x)
		}
	}
	return want
}

func TestFindAgainstNaive(t *testing.T) {
	g := hubGraph(40, 3000, 3, 9)
	there := map[Triple]TripleID{}
	for id := range TripleID(g.Triples()) {
		there[g.Triple(id)] = id
	}
	for h := range EntityID(g.Entities()) {
		for r := range RelationID(g.Relations()) {
			for o := range EntityID(g.Entities()) {
				x := Triple{h, r, o}
				want, ok := there[x]
				if !ok {
					want = NoTriple
				}
				if got, found := g.Find(x); got != want || found != ok {
					t.Fatalf("Find(%v) = %d, %v, want %d, %v", x, got, found, want, ok)
				}
			}
		}
	}
}

func TestRunLength(t *testing.T) {
	for _, n := range []int{0, 1, 2, 3, 4, 5, 63, 64, 65} {
		for same := range n + 1 {
			row := make([]Edge, n)
			for i := same; i < n; i++ {
				row[i].Relation = 1
			}
			if got := RunLength(row, 0); got != same {
				t.Errorf("RunLength of %d in %d = %d", same, n, got)
			}
		}
	}
}

// TestRowsAreCut checks that an append to what a graph hands out leaves it as it
// was: it may lie in a mapped file, where a write would end the program.
func TestRowsAreCut(t *testing.T) {
	g := hubGraph(300, 6000, 9, 7)
	for e := range EntityID(g.Entities()) {
		rows := [][]Edge{g.Out(e), g.In(e)}
		for r := range RelationID(g.Relations()) {
			rows = append(rows, g.OutBy(e, r), g.InBy(e, r))
		}
		for _, run := range g.RelationsOut(e) {
			rows = append(rows, run)
		}
		for _, row := range rows {
			if cap(row) != len(row) {
				t.Fatalf("a row of %d has room for more", e)
			}
		}
		if types := g.Types(e); cap(types) != len(types) {
			t.Fatalf("the types of %d have room for more", e)
		}
	}
}

func BenchmarkOutBy(b *testing.B) {
	g := hubGraph(2000, 200_000, 500, 3)
	for _, who := range []struct {
		name string
		e    EntityID
	}{{"hub", 0}, {"tail", 1900}} {
		b.Run(fmt.Sprintf("%s of %d edges", who.name, len(g.Out(who.e))), func(b *testing.B) {
			r := RelationID(0)
			b.Run("table", func(b *testing.B) {
				for b.Loop() {
					r = (r*31 + 7) % 500
					g.OutBy(who.e, r)
				}
			})
			b.Run("search", func(b *testing.B) {
				for b.Loop() {
					r = (r*31 + 7) % 500
					RelationRun(g.Out(who.e), r)
				}
			})
		})
	}
}
