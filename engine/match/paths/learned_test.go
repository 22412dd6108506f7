package paths_test

import (
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"testing"

	"cairn/engine/kg"
	"cairn/engine/lab/learned"
	"cairn/engine/match/paths"
	"cairn/internal/testing/naive"
)

func learn(tb testing.TB, g *kg.Graph, steps int) *learned.Signature {
	tb.Helper()
	l, err := learned.Learn(tb.Context(), g, 1, steps)
	if err != nil {
		tb.Fatalf("Learn: %v", err)
	}
	return l
}

// TestSignaturesAreMonotone takes leaves away from stars, one at a time until none is
// left: no number grows.
func TestSignaturesAreMonotone(t *testing.T) {
	for seed := range uint64(40) {
		g, _ := paths.World(seed)
		for _, s := range []paths.Signature{paths.Counters{}, paths.Counters{Buckets: 1}, paths.Counters{Blind: 2 * g.Relations()}, learn(t, g, 5)} {
			r := rand.New(rand.NewPCG(seed, 2))
			for e := range kg.EntityID(g.Entities()) {
				leaves := paths.Star(g, e)
				if r.IntN(4) == 0 && len(leaves) > 0 {
					leaves[0].Count *= 1000 // beyond where numbers end
				}
				whole, less := make([]uint8, s.Dims()), make([]uint8, s.Dims())
				s.Sign(leaves, whole)
				for len(leaves) > 0 {
					at := r.IntN(len(leaves))
					if leaves[at].Count = leaves[at].Count * uint32(r.IntN(10)) / 10; leaves[at].Count == 0 {
						leaves = slices.Delete(leaves, at, at+1)
					}
					s.Sign(leaves, less)
					if !paths.Dominates(whole, less) {
						t.Fatalf("seed %d: %s: %v is not below %v", seed, s.Name(), less, whole)
					}
					copy(whole, less)
				}
			}
		}
	}
}

func TestLearnedFindsWhatNaiveFinds(t *testing.T) {
	for seed := range uint64(150) {
		g, q := paths.World(seed)
		x := paths.BuildFor(t, g, paths.Options{Signature: learn(t, g, 3)})
		want, got := paths.Bindings(t, naive.Engine{Graph: g}, q), paths.Bindings(t, x, q)
		slices.Sort(want)
		slices.Sort(got)
		if !slices.Equal(want, got) {
			t.Fatalf("seed %d: naive %v, paths %v", seed, want, got)
		}
	}
}

// TestFileOfLearned writes an index with the weights of its signature, and reads both.
func TestFileOfLearned(t *testing.T) {
	for seed := uint64(0); seed < 200; seed += 10 {
		g, q := paths.World(seed)
		x := paths.BuildFor(t, g, paths.Options{Signature: learn(t, g, 2), MaxPaths: int(seed/10%2)*100 - 1})
		path := filepath.Join(t.TempDir(), "paths.arrays")
		if err := x.Write(t.Context(), path, "v1"); err != nil {
			t.Fatal(err)
		}
		y, err := paths.Open(path, "v1", g, &learned.Signature{})
		if err != nil {
			t.Fatal(err)
		}
		if a, b := paths.Bindings(t, x, q), paths.Bindings(t, y, q); !slices.Equal(a, b) || !slices.Equal(x.Notes(), y.Notes()) {
			t.Fatalf("seed %d: built %v, read %v", seed, a, b)
		}
	}
}

// TestPruningPower compares how many paths signatures leave for each path of a query, of
// HPRD, beside what is needed: those whose stars have the leaves.
func TestPruningPower(t *testing.T) {
	if testing.Short() {
		t.Skip("trains a network")
	}
	g, all := paths.HPRD(t)
	left := map[string]float64{}
	for _, s := range []paths.Signature{nothing{}, paths.Counters{}, learn(t, g, 0), learn(t, g, learned.DefaultSteps)} {
		x := paths.BuildFor(t, g, paths.Options{Signature: s})
		candidates, routes := 0, 0
		for _, p := range all {
			c, n := x.Candidates(t, p)
			candidates += c
			routes += n
		}
		name := fmt.Sprintf("%T", s)
		left[name] = float64(candidates) / float64(routes)
		t.Logf("%s: %.1f candidates for each of %d query paths", s.Name(), left[name], routes)
	}
	if none := left["paths_test.nothing"]; left["paths.Counters"] > none/2 || left["*learned.Signature"] > none/2 {
		t.Errorf("signatures that tell little: %v", left)
	}
}

// nothing is the signature that all stars share: labels alone decide.
type nothing struct{}

func (nothing) Name() string                      { return "nothing" }
func (nothing) Dims() int                         { return 1 }
func (nothing) Sign(_ []paths.Leaf, into []uint8) { clear(into) }
