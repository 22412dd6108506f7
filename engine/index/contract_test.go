package index_test

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"cairn/engine/index"
)

// keepsContract checks what every index promises: order, ties, k larger than n, nothing
// to find, dimensions that differ, cancellation, and at least the stated share
// of the true hits at several sizes. A recall of 1 asks for the very hits of a
// full scan.
func keepsContract(t *testing.T, recall float64, build func(t *testing.T, v index.Vectors) index.Index) {
	t.Helper()
	t.Run("empty", func(t *testing.T) {
		idx := build(t, index.Vectors{Dims: 3})
		if got := nearestOf(t, idx, []float32{1, 2, 3}, 5); len(got) != 0 {
			t.Errorf("Nearest in an empty index = %v, want nothing", got)
		}
	})
	t.Run("order and k", func(t *testing.T) {
		idx := build(t, index.Vectors{Dims: 1, Rows: []float32{0, 10, 1, -2}})
		want := []index.Hit{{ID: 0, Distance: 0}, {ID: 2, Distance: 1}, {ID: 3, Distance: 2}, {ID: 1, Distance: 10}}
		for k := -1; k <= 6; k++ {
			got := nearestOf(t, idx, []float32{0}, k)
			if diff := cmp.Diff(want[:min(max(k, 0), len(want))], got); diff != "" && len(got)+max(k, 0) > 0 {
				t.Errorf("Nearest(k=%d) (-want +got):\n%s", k, diff)
			}
		}
		if idx.Len() != 4 {
			t.Errorf("Len() = %d, want 4", idx.Len())
		}
	})
	t.Run("ties by id", func(t *testing.T) {
		idx := build(t, index.Vectors{Dims: 2, Rows: []float32{0, 1, 1, 0, 0, 1, 0, -1, 5, 5}})
		got := nearestOf(t, idx, []float32{0, 0}, 4)
		want := []index.Hit{{ID: 0, Distance: 1}, {ID: 1, Distance: 1}, {ID: 2, Distance: 1}, {ID: 3, Distance: 1}}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("Nearest (-want +got):\n%s", diff)
		}
	})
	t.Run("wrong dimensions", func(t *testing.T) {
		idx := build(t, index.Vectors{Dims: 2, Rows: []float32{0, 1}})
		if _, err := idx.Nearest(t.Context(), []float32{1, 2, 3}, 1); err == nil {
			t.Error("Nearest with 3 dimensions in an index of 2: no error")
		}
	})
	t.Run("cancelled", func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		idx := build(t, clustered(500, 8, 9))
		if _, err := idx.Nearest(ctx, make([]float32, 8), 3); !errors.Is(err, context.Canceled) {
			t.Errorf("Nearest, cancelled: error = %v, want %v", err, context.Canceled)
		}
	})
	for _, size := range []struct{ n, dims, k int }{{1, 5, 3}, {100, 16, 10}, {3000, 32, 1}, {9001, 24, 10}, {9001, 24, 2000}} {
		v := clustered(size.n, size.dims, uint64(size.n))
		idx := build(t, v)
		var found, all float64
		for i := range 20 {
			query := clustered(1, size.dims, uint64(1000+i)).Rows
			want := fullScan(v, query, size.k)
			got := nearestOf(t, idx, query, size.k)
			if !slices.IsSortedFunc(got, byDistance) {
				t.Errorf("Nearest(n=%d, k=%d) is not in order", size.n, size.k)
			}
			if recall == 1 {
				if diff := cmp.Diff(want, got); diff != "" {
					t.Fatalf("Nearest(n=%d, k=%d), query %d, (-full scan +got):\n%s", size.n, size.k, i, diff)
				}
			}
			for _, h := range want {
				all++
				if slices.ContainsFunc(got, func(g index.Hit) bool { return g.ID == h.ID }) {
					found++
				}
			}
		}
		if found/all < recall {
			t.Errorf("recall(n=%d, D=%d, k=%d) = %.3f, want at least %.3f", size.n, size.dims, size.k, found/all, recall)
		}
	}
}

func nearestOf(t *testing.T, idx index.Index, query []float32, k int) []index.Hit {
	t.Helper()
	hits, err := idx.Nearest(t.Context(), query, k)
	if err != nil {
		t.Fatalf("Nearest(k=%d): %v", k, err)
	}
	return hits
}

// fullScan is the naive twin: every distance, in the order of the kernels.
func fullScan(v index.Vectors, query []float32, k int) []index.Hit {
	var hits []index.Hit
	for i := range v.Len() {
		var s [4]float32
		for j, x := range v.Row(i) {
			d := x - query[j]
			s[j%4*btoi(j < v.Dims/4*4)] += float32(d * d)
		}
		sum := (s[0] + s[1]) + (s[2] + s[3])
		hits = append(hits, index.Hit{ID: uint32(i), Distance: float32(math.Sqrt(float64(sum)))})
	}
	slices.SortStableFunc(hits, byDistance)
	return hits[:min(k, len(hits))]
}

func btoi(b bool) int {
	if b {
		return 1
	}
	return 0
}

func byDistance(a, b index.Hit) int {
	switch {
	case a.Distance < b.Distance || a.Distance == b.Distance && a.ID < b.ID:
		return -1
	case a == b:
		return 0
	}
	return 1
}

// clustered returns vectors in clusters, with a few repeated.
func clustered(n, dims int, seed uint64) index.Vectors {
	rng := rand.New(rand.NewPCG(seed, seed))
	centres := make([]float32, 20*dims)
	for i := range centres {
		centres[i] = float32(rng.NormFloat64())
	}
	v := index.Vectors{Dims: dims}
	for range n {
		c := rng.IntN(20)
		if v.Len() > 0 && rng.IntN(10) == 0 {
			v.Rows = append(v.Rows, v.Row(rng.IntN(v.Len()))...)
			continue
		}
		for j := range dims {
			v.Rows = append(v.Rows, centres[c*dims+j]+0.3*float32(rng.NormFloat64()))
		}
	}
	return v
}
