package index_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"cairn/engine/index"
)

func TestMixed(t *testing.T) {
	keepsContract(t, 0.98, func(t *testing.T, v index.Vectors) index.Index {
		t.Helper()
		flat := index.NewFlat(v)
		return index.NewMixed(link(t, flat, index.HNSWOptions{M: 16, EfConstruction: 128}), flat)
	})
}

// TestMixedAsksWhoIsAsked: few hits are those of the graph of neighbours, many those
// of the scan, of one query and of several.
func TestMixedAsksWhoIsAsked(t *testing.T) {
	v := unit(3000, 24, 101)
	flat := index.NewFlat(v)
	near := link(t, flat, index.HNSWOptions{M: 2, EfConstruction: 4}) // which misses much
	mixed := index.NewMixed(near, flat)
	queries := [][]float32{v.Row(5), v.Row(99), unit(1, 24, 102).Rows}
	missed := 0
	for _, k := range []int{1, 16, 64, 65, 500} {
		all, err := mixed.NearestAll(t.Context(), queries, k)
		if err != nil {
			t.Fatalf("NearestAll: %v", err)
		}
		for i, q := range queries {
			exact := search(t, flat, q, k)
			want := exact
			if k <= 64 {
				want = search(t, near.WithEf(max(128, 8*k)), q, k)
			}
			if diff := cmp.Diff(want, search(t, mixed, q, k)); diff != "" {
				t.Errorf("Nearest(query %d, k = %d) (-want +got):\n%s", i, k, diff)
			}
			if diff := cmp.Diff(want, all[i]); diff != "" {
				t.Errorf("NearestAll(query %d, k = %d) (-want +got):\n%s", i, k, diff)
			}
			if !cmp.Equal(exact, want) {
				missed++
			}
		}
	}
	if missed == 0 {
		t.Error("the graph of neighbours misses nothing: which of the two is asked cannot be told")
	}
}
