package kg_test

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"math"
	"path/filepath"
	"slices"
	"testing"

	"cairn/engine/internal/pagesum"
	"cairn/engine/kg"
)

// circle returns n unit vectors of two numbers.
func circle(n int) [][]float32 {
	vs := make([][]float32, n)
	for i := range vs {
		a := float64(i)
		vs[i] = []float32{float32(math.Cos(a)), float32(math.Sin(a))}
	}
	return vs
}

func TestEmbeddingsComeBackByEmbedderAndText(t *testing.T) {
	st := open(t, filepath.Join(t.TempDir(), "g.cairn"))
	texts := []string{"a", "", "it's \"quoted\"", "two\nlines", "🙂 首都", "nul \x00 inside", "bad \xff bytes", "a\u0301"}
	for i := range 600 {
		texts = append(texts, fmt.Sprint("name ", i))
	}
	vs := circle(len(texts))
	if err := st.PutVectors(t.Context(), "one", texts, vs); err != nil {
		t.Fatalf("PutVectors: %v", err)
	}
	got, err := st.Vectors(t.Context(), "one", 2, append(slices.Clone(texts), "a", "á", "not there"))
	if err != nil {
		t.Fatalf("Vectors: %v", err)
	}
	for i := range texts {
		if !slices.Equal(got[i], vs[i]) {
			t.Errorf("%q: %v, want %v", texts[i], got[i], vs[i])
		}
	}
	if n := len(texts); !slices.Equal(got[n], vs[0]) || got[n+1] != nil || got[n+2] != nil {
		t.Errorf("the same text again, one in another normal form, one that is not there: %v", got[n:])
	}
	if got, err := st.Vectors(t.Context(), "two", 2, texts[:1]); err != nil || got[0] != nil {
		t.Errorf("another embedder's: %v, %v, want none", got, err)
	}
	if got, err := st.Vectors(t.Context(), "one", 2, nil); err != nil || len(got) != 0 {
		t.Errorf("no text: %v, %v", got, err)
	}
}

func TestEmbeddingSetsAreCountedAndDeletedByThemselves(t *testing.T) {
	st := open(t, filepath.Join(t.TempDir(), "g.cairn"))
	if sets, err := st.EmbeddingSets(t.Context()); err != nil || len(sets) != 0 {
		t.Fatalf("EmbeddingSets of a new graph = %v, %v", sets, err)
	}
	put := func(set string, texts []string, vs [][]float32) {
		t.Helper()
		if err := st.PutVectors(t.Context(), set, texts, vs); err != nil {
			t.Fatal(err)
		}
	}
	put("one", []string{"a", "bc"}, circle(2))
	put("two", []string{"a"}, circle(1))
	put("one", []string{"bc", "ü"}, [][]float32{{0, 0}, {1, 0}})
	sets, err := st.EmbeddingSets(t.Context())
	want := []kg.EmbeddingSet{
		{ID: "one", Texts: 3, Blank: 1, Bytes: 3*8 + 1 + 2 + 2},
		{ID: "two", Texts: 1, Bytes: 8 + 1},
	}
	if err != nil || !slices.Equal(sets, want) {
		t.Errorf("EmbeddingSets = %+v, %v, want %+v", sets, err, want)
	}
	if n, err := st.DeleteEmbeddings(t.Context(), "one"); n != 3 || err != nil {
		t.Errorf("DeleteEmbeddings = %d, %v, want 3", n, err)
	}
	if n, err := st.DeleteEmbeddings(t.Context(), "one"); n != 0 || err != nil {
		t.Errorf("DeleteEmbeddings again = %d, %v, want 0", n, err)
	}
	if sets, _ := st.EmbeddingSets(t.Context()); !slices.Equal(sets, want[1:]) {
		t.Errorf("after deleting one: %+v, want %+v", sets, want[1:])
	}
}

// TestDamagedVectorsAreNotTrusted writes rows as no embedder does.
func TestDamagedVectorsAreNotTrusted(t *testing.T) {
	path := filepath.Join(t.TempDir(), "g.cairn")
	st := open(t, path)
	if err := st.PutVectors(t.Context(), "one", []string{"good", "blank"}, [][]float32{{0, 1}, {0, 0}}); err != nil {
		t.Fatal(err)
	}
	db, err := sql.Open(pagesum.Driver, "file:"+path+"?"+pagesum.Query(true))
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	texts := []string{"good", "blank", "short", "long", "empty", "not a number", "infinite", "not of unit length"}
	for i, blob := range []string{"0000803f", "0000803f0000000000000000", "", "0000c07f00000000", "0000807f00000000", "0000004000000000"} {
		if _, err := db.ExecContext(t.Context(), "INSERT INTO embedding VALUES ('one', ?, unhex(?))", texts[i+2], blob); err != nil {
			t.Fatal(err)
		}
	}
	got, err := st.Vectors(t.Context(), "one", 2, texts)
	if err != nil {
		t.Fatal(err)
	}
	for i, v := range got {
		if (v != nil) != (i < 2) {
			t.Errorf("%s: %v", texts[i], v)
		}
	}
	if err := st.PutVectors(t.Context(), "one", texts[2:], circle(6)); err != nil {
		t.Fatal(err)
	}
	if got, err := st.Vectors(t.Context(), "one", 2, texts); err != nil || slices.ContainsFunc(got, func(v []float32) bool { return v == nil }) {
		t.Errorf("made anew: %v, %v", got, err)
	}
}

func TestPutVectorsIsAllOrNothing(t *testing.T) {
	st := open(t, filepath.Join(t.TempDir(), "g.cairn"))
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := st.PutVectors(ctx, "one", []string{"a"}, circle(1)); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
	if sets, err := st.EmbeddingSets(t.Context()); err != nil || len(sets) != 0 {
		t.Errorf("after a cancel: %v, %v", sets, err)
	}
}
