package questions_test

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"cairn/engine/questions"
	"cairn/internal/testing/golden"
)

// TestMadeQuestionsStay holds that what is made from the sample graph for a seed is
// what it was: trainings and measurements name their questions by seed.
func TestMadeQuestionsStay(t *testing.T) {
	_, m := newSampleMaker()
	var b strings.Builder
	write := func(title string, qs []questions.Generated) {
		fmt.Fprintf(&b, "# %s\n", title)
		for _, q := range qs {
			fmt.Fprintf(&b, "%s\t%s\t%v\t%v\n", q.Text, q.Chain, q.Pattern.Named(), q.Answers)
		}
	}
	write("Teach", m.Teach(t.Context(), 300, 5))
	fmt.Fprintf(&b, "# Suggest\n%s\n", strings.Join(m.Suggest(t.Context(), 12), "\n"))
	golden.Compare(t, filepath.Join("testdata", "made.txt"), b.String())
}
