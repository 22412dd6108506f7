package gnnrag

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"sync"
	"testing"

	"cairn/engine/evidence"
	"cairn/engine/kg"
	"cairn/internal/testing/testkg"
)

// randomWorld makes a graph with hubs, self-loops, parallel triples, several parts
// and entities without triples, and some seeds.
func randomWorld(seed uint64) (*kg.Graph, []kg.EntityID) {
	r := rand.New(rand.NewPCG(seed, 1))
	var b kg.Builder
	n := 2 + r.IntN(400)
	hubs := 1 + r.IntN(1+n/50)
	for e := range n {
		b.Entity(fmt.Sprint(e))
	}
	for range r.IntN(3 * n) {
		h, t := r.IntN(n), r.IntN(n)
		if r.IntN(2) == 0 {
			t = r.IntN(hubs)
		}
		if r.IntN(2) == 0 {
			h, t = t, h
		}
		b.Add(fmt.Sprint(h), fmt.Sprintf("r%d", r.IntN(3)), fmt.Sprint(t))
	}
	g := b.Graph()
	var seeds []kg.EntityID
	for range 1 + r.IntN(3) {
		seeds = append(seeds, kg.EntityID(r.IntN(n)))
	}
	return g, seeds
}

// reachable is what a region without a cap holds: by brute force, level by level
// over all triples.
func reachable(g *kg.Graph, seeds []kg.EntityID, hops, hub int) map[kg.EntityID]int {
	at := map[kg.EntityID]int{}
	for _, e := range seeds {
		at[e] = 0
	}
	for h := range hops {
		for t := range kg.TripleID(g.Triples()) {
			x := g.Triple(t)
			for _, step := range [][2]kg.EntityID{{x.Head, x.Tail}, {x.Tail, x.Head}} {
				if d, ok := at[step[0]]; !ok || d != h || h > 0 && g.Degree(step[0]) > hub {
					continue
				}
				if _, old := at[step[1]]; !old {
					at[step[1]] = h + 1
				}
			}
		}
	}
	return at
}

func induced(g *kg.Graph, entities []kg.EntityID) []Fact {
	var out []Fact
	for t := range kg.TripleID(g.Triples()) {
		x := g.Triple(t)
		h, l := slices.Index(entities, x.Head), slices.Index(entities, x.Tail)
		if h >= 0 && l >= 0 {
			out = append(out, Fact{int32(h), int32(l), x.Relation, t})
		}
	}
	return out
}

func mustCut(t *testing.T, c *Cutter, seeds []kg.EntityID) *Region {
	t.Helper()
	r, err := c.Cut(t.Context(), seeds)
	if err != nil {
		t.Fatalf("cut(%v): %v", seeds, err)
	}
	return r
}

func TestRegionsAreThoseOfBruteForce(t *testing.T) {
	for seed := range uint64(300) {
		g, seeds := randomWorld(seed)
		for _, o := range []RegionOptions{{Hops: 1, Hub: 5}, {Hops: 2, Hub: 150}, {Hops: 3, Hub: 10}, {Hops: 3, Hub: 1000}} {
			r := mustCut(t, NewCutter(g, o), seeds)
			want := reachable(g, seeds, o.Hops, o.Hub)
			if r.Completeness != evidence.Exhaustive || len(r.Entities) != len(want) {
				t.Fatalf("seed %d, %+v: cut(%v) has %d entities, %v, want %d, complete", seed, o, seeds, len(r.Entities), r.Completeness, len(want))
			}
			if unique := distinct(seeds); r.Seeds != len(unique) || !slices.Equal(r.Entities[:r.Seeds], unique) {
				t.Fatalf("seed %d: cut(%v) begins with %v, want the seeds, each once", seed, seeds, r.Entities[:r.Seeds])
			}
			if !slices.IsSortedFunc(r.Entities, func(a, b kg.EntityID) int { return cmp.Compare(want[a], want[b]) }) {
				t.Fatalf("seed %d: cut(%v) is not in order of distance", seed, seeds)
			}
			for _, e := range r.Entities {
				delete(want, e)
			}
			if len(want) > 0 {
				t.Fatalf("seed %d: cut(%v) lacks %v", seed, seeds, want)
			}
			if facts := induced(g, r.Entities); !slices.Equal(r.Facts, facts) {
				t.Fatalf("seed %d, %+v: cut(%v).Facts = %v, want %v", seed, o, seeds, r.Facts, facts)
			}
		}
	}
}

// walked is the probability that a random walk from a seed meets each entity on a
// shortest path: by brute force, along every walk of as many steps as it is away.
func walked(g *kg.Graph, seed kg.EntityID, at map[kg.EntityID]int, hub int) map[kg.EntityID]float64 {
	mass := map[kg.EntityID]float64{seed: 1}
	for d := range 3 {
		for t := range kg.TripleID(g.Triples()) {
			x := g.Triple(t)
			for _, step := range [][2]kg.EntityID{{x.Head, x.Tail}, {x.Tail, x.Head}} {
				from, to := step[0], step[1]
				if fd, ok := at[from]; ok && fd == d && at[to] == d+1 && (d == 0 || g.Degree(from) <= hub) {
					mass[to] += mass[from] / float64(g.Degree(from))
				}
			}
		}
	}
	return mass
}

// TestCapsKeepTheNearest checks that a region of one seed that does not fit holds
// nothing farther, and of what is equally far nothing less probable, than what is
// left out, and that all triples are in it.
func TestCapsKeepTheNearest(t *testing.T) {
	for seed := range uint64(300) {
		g, seeds := randomWorld(seed)
		at := reachable(g, seeds[:1], 3, 20)
		mass := walked(g, seeds[0], at, 20)
		for _, most := range []int{1, 2, 7, 50} {
			r := mustCut(t, NewCutter(g, RegionOptions{Hops: 3, Hub: 20, Entities: most}), seeds[:1])
			if len(r.Entities) != min(most, len(at)) {
				t.Fatalf("seed %d: %d entities, want %d of %d", seed, len(r.Entities), most, len(at))
			}
			if cut := r.Completeness == evidence.CutByBudget; cut != (most < len(at)) {
				t.Fatalf("seed %d: %v with %d of %d entities", seed, r.Completeness, len(r.Entities), len(at))
			}
			for _, in := range r.Entities {
				for out, d := range at {
					if !slices.Contains(r.Entities, out) && (d < at[in] || d == at[in] && mass[out] > mass[in]+1e-12) {
						t.Fatalf("seed %d: entity %d (%d hops, %g) is left out, and %d (%d hops, %g) is in",
							seed, out, d, mass[out], in, at[in], mass[in])
					}
				}
			}
			if facts := induced(g, r.Entities); !slices.Equal(r.Facts, facts) {
				t.Fatalf("seed %d: Facts = %v, want %v", seed, r.Facts, facts)
			}
		}
	}
}

// TestNoSeedStarves has a seed with 500 neighbours beside one with a chain, whose
// end is three hops away.
func TestNoSeedStarves(t *testing.T) {
	var b kg.Builder
	for i := range 500 {
		b.Add("hub", "has", fmt.Sprintf("leaf %d", i))
	}
	b.Add("a", "to", "b")
	b.Add("b", "to", "c")
	b.Add("c", "to", "d")
	g := b.Graph()
	for _, seeds := range [][]kg.EntityID{{b.Entity("hub"), b.Entity("a")}, {b.Entity("a"), b.Entity("hub")}} {
		r := mustCut(t, NewCutter(g, RegionOptions{Entities: 20, Hub: 100}), seeds)
		if !slices.Contains(r.Entities, b.Entity("d")) || len(r.Entities) != 20 || r.Completeness != evidence.CutByBudget {
			t.Errorf("cut(%v) has %d entities, %v, with d: %t, want 20, cut, with d",
				seeds, len(r.Entities), r.Completeness, slices.Contains(r.Entities, b.Entity("d")))
		}
	}
}

// TestCapsPreferWhatManyPathsLeadTo has the entity that three paths lead to come
// before those with one, whatever their ids.
func TestCapsPreferWhatManyPathsLeadTo(t *testing.T) {
	var b kg.Builder
	for i := range 3 {
		middle := fmt.Sprintf("middle %d", i)
		b.Add("seed", "to", middle)
		b.Add(middle, "to", fmt.Sprintf("once %d", i))
		b.Add(middle, "to", "thrice")
	}
	r := mustCut(t, NewCutter(b.Graph(), RegionOptions{Entities: 5}), []kg.EntityID{b.Entity("seed")})
	if got := r.Entities[4]; got != b.Entity("thrice") {
		t.Errorf("the last entity is %d, want %d", got, b.Entity("thrice"))
	}
}

func TestSeedsStayInWhateverTheCap(t *testing.T) {
	g, _ := randomWorld(1)
	for _, o := range []RegionOptions{{Entities: 2}, {Entities: 2, PageRank: true}} {
		if r := mustCut(t, NewCutter(g, o), []kg.EntityID{5, 3, 5, 9}); !slices.Equal(r.Entities, []kg.EntityID{5, 3, 9}) {
			t.Errorf("%+v: Entities = %v, want the seeds", o, r.Entities)
		}
	}
}

func TestNoSeedsNoRegion(t *testing.T) {
	g, _ := randomWorld(1)
	for _, o := range []RegionOptions{{}, {PageRank: true}} {
		if r := mustCut(t, NewCutter(g, o), nil); len(r.Entities) != 0 || len(r.Facts) != 0 || r.Seeds != 0 {
			t.Errorf("%+v: cut(nil) = %+v, want nothing", o, r)
		}
	}
}

func TestRegionsOfTheWorlds(t *testing.T) {
	for _, w := range testkg.Worlds() {
		for e := range kg.EntityID(w.Graph.Entities()) {
			r := mustCut(t, NewCutter(w.Graph, RegionOptions{}), []kg.EntityID{e})
			if want := reachable(w.Graph, []kg.EntityID{e}, 3, noHub); len(r.Entities) != len(want) {
				t.Errorf("%s: cut(%d) has %d entities, want %d", w.Name, e, len(r.Entities), len(want))
			}
			if facts := induced(w.Graph, r.Entities); !slices.Equal(r.Facts, facts) {
				t.Errorf("%s: cut(%d).Facts = %v, want %v", w.Name, e, r.Facts, facts)
			}
		}
	}
}

// TestCutIsSafeForConcurrentUse compares what many cuts at once give with what they
// give alone. It is of use under the race detector.
func TestCutIsSafeForConcurrentUse(t *testing.T) {
	g, _ := randomWorld(7)
	for _, o := range []RegionOptions{{Entities: 50}, {Entities: 50, PageRank: true}} {
		c := NewCutter(g, o)
		var all sync.WaitGroup
		for e := range kg.EntityID(g.Entities()) {
			all.Go(func() {
				seeds := []kg.EntityID{e, (e + 1) % kg.EntityID(g.Entities())}
				got, err := c.Cut(t.Context(), seeds)
				want, err2 := NewCutter(g, o).Cut(t.Context(), seeds)
				if cmp.Or(err, err2) != nil || !slices.Equal(got.Entities, want.Entities) || !slices.Equal(got.Facts, want.Facts) {
					t.Errorf("cut(%v) = %v, want %v", seeds, got, want)
				}
			})
		}
		all.Wait()
	}
}

func TestACancelledCutFails(t *testing.T) {
	g, seeds := randomWorld(3)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	for _, o := range []RegionOptions{{}, {Entities: 2}, {PageRank: true}} {
		if _, err := NewCutter(g, o).Cut(ctx, seeds); !errors.Is(err, context.Canceled) {
			t.Errorf("%+v: cut = %v, want the context's error", o, err)
		}
	}
}

func TestGenerationsWrapAround(t *testing.T) {
	s := &scratch{stamps: make([]uint64, 3), generation: ^uint32(0) - 1}
	s.begin()
	s.place(1)
	s.begin()
	for e := range kg.EntityID(3) {
		if at, ok := s.local(e); ok {
			t.Errorf("local(%d) = %d after the generations began anew, want none", e, at)
		}
	}
}

func TestDescribe(t *testing.T) {
	small, _ := randomWorld(3)
	for _, tt := range []struct {
		o    RegionOptions
		want string
	}{
		{RegionOptions{}, "3 hops, at most 2,000 entities"},
		{RegionOptions{Hops: 1, Hub: 1000, Entities: 500}, "1 hop, without expanding entities of more than 1,000 triples, at most 500 entities"},
		{RegionOptions{PageRank: true}, "the 2,000 entities with the highest personalised PageRank"},
		{RegionOptions{PageRank: true, Hub: 100}, "the 2,000 entities with the highest personalised PageRank, without expanding entities of more than 100 triples"},
	} {
		if got := tt.o.Describe(small); got != tt.want {
			t.Errorf("Describe(%+v) = %q, want %q", tt.o, got, tt.want)
		}
	}
}
