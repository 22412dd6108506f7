package kg_test

import (
	"path/filepath"
	"testing"

	"cairn/engine/kg"
)

func TestEntityID(t *testing.T) {
	st := open(t, filepath.Join(t.TempDir(), "g.cairn"))
	fill(t, st, "one", [3]string{"a", "r", "b"}, [3]string{"b", "r", "ä"})
	g := graph(t, st)
	for e := range kg.EntityID(g.Entities()) {
		if got, ok, err := st.EntityID(t.Context(), g.Key(e)); got != e || !ok || err != nil {
			t.Errorf("EntityID(%q) = %d, %v, %v, want %d", g.Key(e), got, ok, err, e)
		}
	}
	for _, key := range []string{"", "A", "r"} {
		if got, ok, err := st.EntityID(t.Context(), key); ok || err != nil {
			t.Errorf("EntityID(%q) = %d, %v, %v, want none", key, got, ok, err)
		}
	}
}
