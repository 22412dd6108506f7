//go:build !windows

package index_test

import (
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"cairn/engine/index"
)

// TestCoderIsNotAdmitted documents why coder/hnsw does not serve: v0.6.1 bounds its
// result heap wrongly and misses most neighbours (coder/hnsw#17, #18).
func TestCoderIsNotAdmitted(t *testing.T) {
	flat := index.NewFlat(unit(3000, 64, 2))
	coder, err := index.NewCoder(t.Context(), flat, index.HNSWOptions{M: 16, EfConstruction: 100})
	if err != nil {
		t.Fatalf("NewCoder: %v", err)
	}
	recall, err := index.Probe(t.Context(), coder, flat)
	if err != nil {
		t.Fatalf("Probe: %v", err)
	}
	if recall >= index.MinRecall {
		t.Skipf("recall@16 is %.3f: this release of coder/hnsw is repaired; run keepsContract on it and delete this test", recall)
	}
	t.Logf("recall@16 of coder/hnsw = %.3f, wanted %.2f: refused", recall, index.MinRecall)
}

// TestOpenNear: a graph of either kind comes back from its file as it was.
func TestOpenNear(t *testing.T) {
	flat := index.NewFlat(unit(500, 12, 61))
	for _, kind := range []index.Kind{index.KindHNSW, index.KindCoder} {
		near, err := index.NewNear(t.Context(), kind, flat, index.HNSWOptions{M: 8, EfConstruction: 64})
		if err != nil {
			t.Fatalf("NewNear(%s): %v", kind, err)
		}
		path := filepath.Join(t.TempDir(), "links")
		if err := near.Save(path, "tag"); err != nil {
			t.Fatalf("Save(%s): %v", kind, err)
		}
		got, err := index.OpenNear(path, "tag", flat)
		if err != nil {
			t.Fatalf("OpenNear(%s): %v", kind, err)
		}
		for i := range 20 {
			query := unit(20, 12, 62).Row(i)
			if diff := cmp.Diff(search(t, near, query, 10), search(t, got, query, 10)); diff != "" {
				t.Errorf("%s: query %d (-before +after):\n%s", kind, i, diff)
			}
		}
		for name, other := range map[string]index.Exact{"more": index.NewFlat(unit(501, 12, 61)), "longer": index.NewFlat(unit(500, 13, 61))} {
			if _, err := index.OpenNear(path, "tag", other); err == nil {
				t.Errorf("%s: opened for %s vectors", kind, name)
			}
		}
	}
	if _, err := index.NewNear(t.Context(), "tree", flat, index.HNSWOptions{}); err == nil {
		t.Error("an unknown kind: no error")
	}
}
