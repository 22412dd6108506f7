package index

import (
	"cmp"
	"context"
	"errors"
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"
	"time"

	"cairn/internal/testing/shared"
)

func TestNthEqualsSorting(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 1))
	for _, n := range []int{1, 2, 3, 4, 5, 63, 64, 65, 1000} {
		for name, draw := range map[string]func(i int) int{
			"random":     func(int) int { return rng.IntN(1 << 30) },
			"few":        func(int) int { return rng.IntN(3) },
			"equal":      func(int) int { return 7 },
			"ascending":  func(i int) int { return i },
			"descending": func(i int) int { return -i },
			"organ pipe": func(i int) int { return min(i, n-i) },
		} {
			x := make([]int, n)
			for i := range x {
				x[i] = draw(i)
			}
			sorted := slices.Sorted(slices.Values(x))
			for k := 0; k < n; k += 1 + n/40 {
				y := slices.Clone(x)
				if got := nth(y, k); got != sorted[k] {
					t.Errorf("nth of %d %s numbers, place %d = %d, want %d", n, name, k, got, sorted[k])
				}
				slices.Sort(y[:k])
				if !slices.Equal(y[:k], sorted[:k]) {
					t.Errorf("nth of %d %s numbers leaves %v before place %d", n, name, y[:k], k)
				}
			}
		}
	}
}

// TestSampleThatMisleads puts what is near where the sample is, or where it is
// not: the hits are those of a scan of everything all the same.
func TestSampleThatMisleads(t *testing.T) {
	shared.Sequential(t)
	const n, dims = sampleFrom*tile + 5000, 3
	for name, far := range map[string]func(i int) bool{
		"sample near":  func(i int) bool { return i/tile%sampled != 0 },
		"sample far":   func(i int) bool { return i/tile%sampled == 0 },
		"half near":    func(i int) bool { return i > n/2 },
		"nothing near": func(int) bool { return true },
	} {
		rng := rand.New(rand.NewPCG(2, 2))
		v := Vectors{Dims: dims, Rows: make([]float32, n*dims)}
		for i := range v.Rows {
			if v.Rows[i] = rng.Float32(); far(i / dims) {
				v.Rows[i] += 1
			}
		}
		s := NewScan(v)
		query := []float32{0.1, 0.2, 0.3}
		asked := NewScan(Vectors{Dims: dims, Rows: query})
		var all []Hit
		a, b := make([]float32, dims), make([]float32, dims)
		asked.Row(0, b)
		for i := range n {
			s.Row(i, a)
			all = append(all, Hit{ID: uint32(i), Distance: distance64(a, b)})
		}
		slices.SortFunc(all, compareHits)
		for _, k := range []int{1, 16, 5000, 30_000, n/sampled + 9, n} {
			got, err := s.Nearest(t.Context(), query, k)
			if err != nil || len(got) != k {
				t.Fatalf("%s: Nearest(k=%d) finds %d, %v", name, k, len(got), err)
			}
			for i, h := range got {
				// Decoded numbers are rounded, and so are the distances here.
				if d := h.Distance - all[i].Distance; d > 1e-6 || d < -1e-6 {
					t.Fatalf("%s: Nearest(k=%d)[%d] = %v, want %v", name, k, i, h, all[i])
				}
			}
			if !slices.IsSortedFunc(got, compareHits) {
				t.Errorf("%s: Nearest(k=%d) is not in order", name, k)
			}
		}
	}
}

func distance64(a, b []float32) float32 {
	var sum float64
	for i, x := range a {
		d := float64(x) - float64(b[i])
		sum += d * d
	}
	return root(float32(sum))
}

// TestCancelledWhileScanning cancels searches that are under way, of one query and
// of more than would be answered in the time.
func TestCancelledWhileScanning(t *testing.T) {
	v := gaussian(60_000, 64, 3)
	queries := make([][]float32, 200)
	for i := range queries {
		queries[i] = v.Row(i)
	}
	for name, idx := range map[string]Batch{"scan": NewScan(v), "flat": NewFlat(v)} {
		ctx, cancel := context.WithCancel(t.Context())
		var cancelled time.Time
		time.AfterFunc(5*time.Millisecond, func() { cancelled = time.Now(); cancel() })
		_, err := idx.NearestAll(ctx, queries, 20_000)
		took := time.Since(cancelled)
		if !errors.Is(err, context.Canceled) {
			t.Fatalf("%s: NearestAll of %d queries = %v, want %v: is it so fast?", name, len(queries), err, context.Canceled)
		}
		// It is to be 50 ms; a busy computer is given time.
		if t.Logf("%s: %v after it was cancelled", name, took); took > time.Second {
			t.Errorf("%s: NearestAll returns %v after it was cancelled", name, took)
		}
	}
}

func TestHitsOfOneDistanceAreThoseOfLowestID(t *testing.T) {
	// Every vector four times, so that the k-th place is always within a tie.
	few := gaussian(3000, 8, 4)
	var v Vectors
	v.Dims = few.Dims
	for range 4 {
		v.Rows = append(v.Rows, few.Rows...)
	}
	for name, idx := range map[string]Index{"scan": NewScan(v), "flat": NewFlat(v)} {
		for _, k := range []int{1, 2, 3, 5, 6, 7, 99, 5001} {
			got, err := idx.Nearest(t.Context(), few.Row(17), k)
			if err != nil {
				t.Fatalf("Nearest: %v", err)
			}
			all, err := idx.Nearest(t.Context(), few.Row(17), v.Len())
			if err != nil {
				t.Fatalf("Nearest: %v", err)
			}
			if !slices.IsSortedFunc(all, func(a, b Hit) int {
				return cmp.Or(cmp.Compare(a.Distance, b.Distance), cmp.Compare(a.ID, b.ID))
			}) {
				t.Fatalf("%s: hits are not in order", name)
			}
			if !reflect.DeepEqual(got, all[:k]) {
				t.Errorf("%s: Nearest(k=%d) = %v, want %v", name, k, got, all[:k])
			}
		}
	}
}
