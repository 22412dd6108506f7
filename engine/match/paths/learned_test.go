package paths

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"cairn/engine/kg"
	"cairn/engine/match"
)

func learn(tb testing.TB, g *kg.Graph, steps int) *Learned {
	tb.Helper()
	l, err := Learn(tb.Context(), g, 1, steps)
	if err != nil {
		tb.Fatalf("Learn: %v", err)
	}
	return l
}

// TestSignaturesAreMonotone takes leaves away from stars, one at a time until none is
// left: no number grows.
func TestSignaturesAreMonotone(t *testing.T) {
	for seed := range uint64(40) {
		g, _ := world(seed)
		for _, s := range []Signature{Counters{}, Counters{Buckets: 1}, Blind(g), learn(t, g, 5)} {
			r := rand.New(rand.NewPCG(seed, 2))
			for e := range kg.EntityID(g.Entities()) {
				leaves := Star(g, e)
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
					if !dominates(whole, less) {
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
		g, q := world(seed)
		x := build(t, g, Options{Signature: learn(t, g, 3)})
		want, got := bindings(t, match.Naive{Graph: g}, q), bindings(t, x, q)
		slices.Sort(want)
		slices.Sort(got)
		if !slices.Equal(want, got) {
			t.Fatalf("seed %d: naive %v, paths %v", seed, want, got)
		}
	}
}

// TestPruningPower compares how many paths signatures leave for each path of a query, of
// HPRD, beside what is needed: those whose stars have the leaves.
func TestPruningPower(t *testing.T) {
	if testing.Short() {
		t.Skip("trains a network")
	}
	g, all := hprd(t)
	left := map[string]float64{}
	for _, s := range []Signature{nothing{}, Counters{}, learn(t, g, 0), learn(t, g, DefaultSteps)} {
		x := build(t, g, Options{Signature: s})
		candidates, routes := 0, 0
		for _, p := range all {
			q := &search{x: x, stop: t.Context().Err, q: p.q}
			if err := q.prepare(); err != nil {
				t.Fatal(err)
			}
			plan, err := q.plan()
			if err == nil {
				err = q.find(t.Context(), plan)
			}
			if err != nil {
				t.Fatal(err)
			}
			for _, r := range plan {
				candidates += r.candidates
				routes++
			}
		}
		name := fmt.Sprintf("%T", s)
		left[name] = float64(candidates) / float64(routes)
		t.Logf("%s: %.1f candidates for each of %d query paths", s.Name(), left[name], routes)
	}
	if none := left["paths.nothing"]; left["paths.Counters"] > none/2 || left["*paths.Learned"] > none/2 {
		t.Errorf("signatures that tell little: %v", left)
	}
}

// nothing is the signature that all stars share: labels alone decide.
type nothing struct{}

func (nothing) Name() string                { return "nothing" }
func (nothing) Dims() int                   { return 1 }
func (nothing) Sign(_ []Leaf, into []uint8) { clear(into) }
