package kg

import (
	"path/filepath"
	"reflect"
	"testing"
	"time"
)

// TestParts adds a layer of two files, the second of which names sources of its own,
// cut short in the middle: every triple knows its file and line, and the same import
// again completes it.
func TestParts(t *testing.T) {
	st, err := OpenStore(t.Context(), filepath.Join(t.TempDir(), "g.cairn"))
	if err != nil {
		t.Fatal(err)
	}
	defer st.Close()
	read := func(upTo int64) {
		w, err := st.NewWriter(t.Context(), Layer{Name: "a.zip", File: "/a.zip", Hash: "1", Mapping: "m"}, nil)
		if err != nil {
			t.Fatal(err)
		}
		defer w.Close()
		triple := Triple{w.Entity([]byte("a"), ""), w.Relation([]byte("r")), w.Entity([]byte("b"), "")}
		w.Part("one.csv", "/a.zip/one.csv", "h1", 0)
		w.At(5)
		w.Add(triple, FileItself)
		w.Part("two.csv", "/a.zip/two.csv", "h2", 5)
		for line := int64(1); line <= upTo; line++ {
			w.At(line)
			w.Add(triple, w.Origin("paper"))
		}
		if err := w.Commit(t.Context(), upTo, upTo == 2, Counts{}); err != nil {
			t.Fatal(err)
		}
	}
	read(1)
	read(2)
	read(2)
	got, err := st.Provenance(t.Context(), 0)
	if err != nil {
		t.Fatal(err)
	}
	for i := range got {
		got[i].Imported = time.Time{}
	}
	want := []Provenance{
		{Source: "paper", Origin: "paper", File: "/a.zip/two.csv", Line: 1},
		{Source: "paper", Origin: "paper", File: "/a.zip/two.csv", Line: 2},
		{Source: "one.csv", File: "/a.zip/one.csv", Line: 5},
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("Provenance = %+v, want %+v", got, want)
	}
	if s, err := st.Sources(t.Context()); err != nil || len(s) != 1 || !s[0].Complete {
		t.Errorf("Sources = %+v, %v, want one that is complete", s, err)
	}
}
