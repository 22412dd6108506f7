package questions_test

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"cairn/engine/questions"
)

var update = flag.Bool("update", false, "write the golden file again")

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
	path := filepath.Join("testdata", "made.txt")
	if *update {
		if err := os.WriteFile(path, []byte(b.String()), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(strings.Split(string(want), "\n"), strings.Split(b.String(), "\n")); diff != "" {
		t.Errorf("made questions (-want +got):\n%s", diff)
	}
}
