package meanings

import (
	"testing"

	"cairn/assets"
	"cairn/engine/vec"
)

func cosine(t *testing.T, a, b string) float64 {
	t.Helper()
	v, _ := Builtin().Vector(a)
	w, _ := Builtin().Vector(b)
	if v == nil || w == nil {
		t.Fatalf("no vector of %q or of %q", a, b)
	}
	return float64(vec.Dot(v, w))
}

func TestBuiltin(t *testing.T) {
	if n, dims := Builtin().Len(), Builtin().Dims(); n < 20_000 || dims != 160 {
		t.Errorf("%d words of %d numbers", n, dims)
	}
	for _, pair := range [][2]string{{"married", "spouse"}, {"school", "educational"}, {"penned", "written"}, {"film", "movie"}, {"kids", "children"}} {
		if got := cosine(t, pair[0], pair[1]); got < 0.55 {
			t.Errorf("%q and %q: cosine %.2f", pair[0], pair[1], got)
		}
	}
	for _, pair := range [][2]string{{"married", "river"}, {"school", "spouse"}, {"written", "country"}} {
		if got := cosine(t, pair[0], pair[1]); got > 0.25 {
			t.Errorf("%q and %q: cosine %.2f", pair[0], pair[1], got)
		}
	}
	if _, the := Builtin().Vector("the"); the > 0.1 {
		t.Errorf("%q says %.2f", "the", the)
	}
	if v, says := Builtin().Vector("screenwriters"); v == nil || says < 0.9 { // by its stem
		t.Errorf("%q has no vector, or says little: %.2f", "screenwriters", says)
	}
	if v, _ := Builtin().Vector("zzyzx"); v != nil {
		t.Error("a word that is none has a vector")
	}
	var none *Table
	if v, _ := none.Vector("film"); v != nil {
		t.Error("no table has a vector")
	}
}

// BenchmarkRead is what the first question costs more: 20 ms at most.
func BenchmarkRead(b *testing.B) {
	for b.Loop() {
		if _, err := Read(assets.Meanings); err != nil {
			b.Fatal(err)
		}
	}
}
