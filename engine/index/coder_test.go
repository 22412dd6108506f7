//go:build !windows

package index_test

import (
	"testing"

	"cairn/engine/index"
)

// TestCoderIsNotAdmitted documents why coder/hnsw does not serve: v0.6.1 bounds its
// result heap wrongly and misses most neighbours (coder/hnsw#17, #18).
func TestCoderIsNotAdmitted(t *testing.T) {
	v := unit(3000, 64, 2)
	coder, err := index.NewCoder(t.Context(), v, index.CoderOptions{})
	if err != nil {
		t.Fatalf("NewCoder: %v", err)
	}
	flat := index.NewFlat(v)
	recall, err := index.Probe(t.Context(), coder, flat, index.ProbeOptions{})
	if err != nil {
		t.Fatalf("Probe: %v", err)
	}
	if recall >= 0.98 {
		t.Skipf("recall@16 is %.3f: this release of coder/hnsw is repaired; run indextest.Run on it and delete this test", recall)
	}
	t.Logf("recall@16 of coder/hnsw = %.3f, wanted 0.98: refused", recall)
	idx, err := index.Admit(t.Context(), coder, flat, index.Options{})
	if err != nil {
		t.Fatalf("Admit: %v", err)
	}
	if idx != index.Index(flat) {
		t.Errorf("Admit = %T, want the exact index, because the probe failed", idx)
	}
}
