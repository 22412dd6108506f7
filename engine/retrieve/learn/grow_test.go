package learn

import (
	"math"
	"testing"

	"github.com/google/go-cmp/cmp"

	"cairn/engine/lexicon"
)

// TestGrownRowsStandForTheSame compares every row that a grown table takes over with what
// it stands for in the table that it grew from.
func TestGrownRowsStandForTheSame(t *testing.T) {
	old := &Vocabulary{Words: []string{"by", "directed", "who"}, Stems: []string{"direct"}, Concepts: []string{"director"}, Relations: []string{"x"}}
	own := &Vocabulary{Words: []string{"born", "who"}, Stems: []string{"born", "direct"}, Concepts: []string{"birth place"}, Relations: []string{"y", "z"}}
	v := own.Grown(old)
	want := &Vocabulary{
		Words: []string{"born", "by", "directed", "who"}, Stems: []string{"born", "direct"},
		Concepts: []string{"birth place", "director"}, Relations: []string{"y", "z"},
	}
	if diff := cmp.Diff(want, v); diff != "" {
		t.Errorf("Grown (-want +got):\n%s", diff)
	}
	was, now := NewRows(old), NewRows(v)
	from := now.From(was)
	if len(from) != now.Len() {
		t.Fatalf("From = %d rows, want %d", len(from), now.Len())
	}
	taken := map[int32]bool{}
	for _, row := range from {
		if row >= 0 && taken[row] {
			t.Errorf("row %d is taken over twice", row)
		}
		taken[row] = true
	}
	if n := len(taken) - 1; n != was.Len() { // without the −1 of those that are new
		t.Errorf("%d rows of %d are taken over", n, was.Len())
	}
	// A word that the old table knows is the sum of the same rows; of one that it does not
	// know, the rows of its parts are the same.
	for _, text := range []string{"who", "directed", "by"} {
		tok := lexicon.Tokenize(text)[0]
		before, after := was.Word(nil, 0, tok, 1), now.Word(nil, 0, tok, 1)
		for i := range after {
			after[i].From = from[after[i].From]
		}
		if diff := cmp.Diff(before, after); diff != "" {
			t.Errorf("%s is made of other rows (-before +after):\n%s", text, diff)
		}
	}
	if i := now.words["born"]; from[i] != -1 {
		t.Errorf("a new word has row %d of the old table", from[i])
	}
	for i, row := range NewRows(v).From(NewRows(nil)) {
		if row != -1 && i >= nameRows {
			t.Errorf("row %d is row %d of a table without words", i, row)
		}
	}
}

func TestHalvesAreNear(t *testing.T) {
	xs := []float32{0, 1, -1, 4, 0.1, -0.3, 1e-9, 123456, math.Pi, -math.MaxFloat32 / 2}
	b := Halves(xs)
	got := make([]float32, len(xs))
	if err := SetHalves(got, b); err != nil {
		t.Fatal(err)
	}
	for i, x := range xs {
		if d := math.Abs(float64(got[i] - x)); d > math.Abs(float64(x))/256 {
			t.Errorf("%g became %g", x, got[i])
		}
	}
	if err := SetHalves(got, b[1:]); err == nil {
		t.Error("SetHalves with a byte missing = nil error, want one")
	}
}
