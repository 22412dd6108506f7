package index_test

import (
	"math"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"cairn/engine/index"
)

func TestScan(t *testing.T) {
	// Of decoded vectors: almost always the hits of the vectors themselves.
	keepsContract(t, 0.999, func(_ *testing.T, v index.Vectors) index.Index { return index.NewScan(v) })
}

// decoded returns the vectors that a scan measures.
func decoded(s *index.Scan) index.Vectors {
	v := index.Vectors{Dims: s.Dims(), Rows: make([]float32, s.Len()*s.Dims())}
	for i := range s.Len() {
		s.Row(i, v.Row(i))
	}
	return v
}

// TestScanIsExact compares the hits with those of a plain scan in float64 of the
// decoded vectors, from the decoded query.
func TestScanIsExact(t *testing.T) {
	for _, size := range []struct{ n, dims int }{{1, 1}, {7, 3}, {1023, 5}, {5000, 33}, {9001, 64}, {4097, 600}} {
		v := unit(size.n, size.dims, uint64(size.n))
		s := index.NewScan(v)
		have := decoded(s)
		for _, q := range []int{0, size.n / 2, size.n - 1} {
			query := slices.Clone(v.Row(q))
			query[0] += 0.3
			asked := decoded(index.NewScan(index.Vectors{Dims: size.dims, Rows: query}))
			for _, k := range []int{1, 2, 16, 300, size.n - 1, size.n, size.n + 5} {
				got, err := s.Nearest(t.Context(), query, k)
				if err != nil {
					t.Fatalf("Nearest: %v", err)
				}
				want := plain(have, asked.Row(0), k)
				if len(got) != len(want) {
					t.Fatalf("Nearest(n=%d, k=%d) finds %d, want %d", size.n, k, len(got), len(want))
				}
				for i := range got {
					// A decoded number is rounded to float32, so that distances differ
					// in the last places, and ids where they are that close.
					if math.Abs(float64(got[i].Distance-want[i].Distance)) > 1e-6 {
						t.Fatalf("Nearest(n=%d, D=%d, k=%d)[%d] = %v, want %v", size.n, size.dims, k, i, got[i], want[i])
					}
				}
			}
		}
	}
}

func plain(v index.Vectors, query []float32, k int) []index.Hit {
	hits := make([]index.Hit, v.Len())
	for i := range hits {
		var sum float64
		for j, x := range v.Row(i) {
			d := float64(x) - float64(query[j])
			sum += d * d
		}
		hits[i] = index.Hit{ID: uint32(i), Distance: float32(math.Sqrt(sum))}
	}
	slices.SortStableFunc(hits, func(a, b index.Hit) int {
		if a.Distance < b.Distance {
			return -1
		} else if a.Distance > b.Distance {
			return 1
		}
		return 0
	})
	return hits[:min(max(k, 0), len(hits))]
}

func TestScanFindsWhatWasAddedAtDistanceZero(t *testing.T) {
	v := unit(3000, 48, 8)
	s := index.NewScan(v)
	for i := 0; i < v.Len(); i += 97 {
		got, err := s.Nearest(t.Context(), v.Row(i), 1)
		if err != nil || len(got) != 1 || got[0].Distance != 0 || got[0].ID != uint32(i) {
			t.Errorf("Nearest(vector %d) = %v, %v, want itself at distance 0", i, got, err)
		}
	}
}

// TestNearestAllEqualsNearest asks many at once, on any number of processors.
func TestNearestAllEqualsNearest(t *testing.T) {
	v := unit(20_000, 32, 1)
	for name, idx := range map[string]index.Batch{"scan": index.NewScan(v), "flat": index.NewFlat(v)} {
		t.Run(name, func(t *testing.T) {
			for _, k := range []int{1, 25, 3000} {
				var queries [][]float32
				var want [][]index.Hit
				processors(t, 1)
				for i := range 7 {
					queries = append(queries, v.Row(77*i))
					hits, err := idx.Nearest(t.Context(), queries[i], k)
					if err != nil {
						t.Fatalf("Nearest: %v", err)
					}
					want = append(want, hits)
				}
				for _, p := range []int{1, 2, 3} {
					processors(t, p)
					for _, n := range []int{0, 1, 2, 3, 5, 7} {
						got, err := idx.NearestAll(t.Context(), queries[:n], k)
						if err != nil {
							t.Fatalf("NearestAll: %v", err)
						}
						if diff := cmp.Diff(want[:n], got); diff != "" && n > 0 {
							t.Fatalf("NearestAll, %d queries, k=%d, %d processors (-alone +got):\n%s", n, k, p, diff)
						}
					}
				}
			}
		})
	}
}
