package eval

import (
	"path/filepath"
	"testing"

	"cairn/internal/testing/shared"
)

// TestGather asks football questions, and has every copy ask both halves.
func TestGather(t *testing.T) {
	d := worldCup()
	c := gatherer{o: GatherOptions{Dir: filepath.Dir(shared.Data(t, "worldcup2014")), Sample: 8}, graph: "football", set: "worldcup path1"}
	xs, err := c.gather(t.Context(), filepath.Join(t.TempDir(), "g.cairn"), d, d.Groups[0])
	if err != nil {
		t.Fatal(err)
	}
	type copied struct {
		forget int
		held   bool
	}
	n, sure, right := map[copied]int{}, 0, 0
	for _, x := range xs {
		n[copied{x.Forget, x.Held}]++
		if x.Graph != "football" || x.Confidence < 0 || x.Confidence >= 1 || x.Above && !x.Sure {
			t.Errorf("%+v", x)
		}
		if x.Forget == 0 {
			count(&sure, x.Sure)
			count(&right, x.Right)
		}
	}
	for _, f := range forgets {
		for _, held := range []bool{false, true} {
			if n[copied{f.share, held}] != 8 {
				t.Errorf("%d %% forgotten, held %t: %d examples, want 8", f.share, held, n[copied{f.share, held}])
			}
		}
	}
	if sure < 8 || right != 16 {
		t.Errorf("of 16 questions of a solved set %d are right and %d sure", right, sure)
	}
}
