package index_test

import (
	"math/rand/v2"
	"runtime"
	"testing"

	"github.com/google/go-cmp/cmp"

	"cairn/engine/index"
	"cairn/engine/vec"
)

func TestFlat(t *testing.T) {
	keepsContract(t, 1, func(_ *testing.T, v index.Vectors) index.Index { return index.NewFlat(v) })
}

func TestFlatIsTheSameOnAnyNumberOfProcessors(t *testing.T) {
	v := unit(20_000, 32, 1)
	flat := index.NewFlat(v)
	var want []index.Hit
	for _, p := range []int{1, 2, 3, 8} {
		processors(t, p)
		got, err := flat.Nearest(t.Context(), v.Row(77), 25)
		if err != nil {
			t.Fatalf("Nearest: %v", err)
		}
		if want == nil {
			want = got
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("Nearest on %d processors (-one +now):\n%s", p, diff)
		}
	}
}

// processors computes on so many processors until the test ends.
func processors(t *testing.T, n int) {
	t.Helper()
	was := runtime.GOMAXPROCS(n)
	t.Cleanup(func() { runtime.GOMAXPROCS(was) })
}

func TestProbeOfTheExactIndexIsOne(t *testing.T) {
	flat := index.NewFlat(unit(3000, 16, 3))
	recall, err := index.Probe(t.Context(), flat, flat)
	if err != nil || recall != 1 {
		t.Errorf("Probe(flat, flat) = %v, %v, want 1", recall, err)
	}
}

func unit(n, dims int, seed uint64) index.Vectors {
	rng := rand.New(rand.NewPCG(seed, seed))
	v := index.Vectors{Dims: dims, Rows: make([]float32, n*dims)}
	for i := range v.Rows {
		v.Rows[i] = float32(rng.NormFloat64())
	}
	for i := range n {
		vec.Normalize(v.Row(i))
	}
	return v
}

// BenchmarkFlat searches vectors without structure, the hardest case for the
// bounds: real names leave fewer rows in question.
func BenchmarkFlat(b *testing.B) {
	const n, dims = 43_234, 256
	flat := index.NewFlat(unit(n, dims, 6))
	queries := unit(64, dims, 7)
	for _, k := range []struct {
		name string
		k    int
	}{{"k=1", 1}, {"k=16", 16}, {"k=512", 512}, {"k=16384", 16384}} {
		b.Run(k.name, func(b *testing.B) {
			for i := 0; b.Loop(); i++ {
				if _, err := flat.Nearest(b.Context(), queries.Row(i%64), k.k); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
