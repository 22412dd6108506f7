package engine

import (
	"os"
	"path/filepath"
	"slices"
	"testing"

	"cairn/engine/ingest"
	"cairn/engine/plan"
	"cairn/internal/testing/bank"
)

// TestBankTogether asks the questions of the bank of the pattern, of what has learned from
// questions made out of the graph, and of the automatic choice, also when that has been told
// how the other half of the graph's questions was answered. The choice finds at least what
// the pattern finds, and is no more often sure and wrong. CAIRN_EVAL has all graphs asked,
// and -v prints the sums.
func TestBankTogether(t *testing.T) {
	names, by, made := []string{"club", "court"}, []string{"templates"}, 200
	if os.Getenv("CAIRN_EVAL") != "" {
		names, by, made = []string{"companies", "medicine", "airports", "books", "films", "plant", "museum", "harbour", "vineyard", "club", "court"}, []string{"templates", "gsr"}, 1000
	}
	for _, method := range by {
		sums := map[string]*[3]int{} // right, sure, sure and wrong
		for _, name := range names {
			bankTogether(t, name, method, made, sums)
		}
		for _, who := range []string{"asked", "pattern", method, "either", Auto, "auto, told of the other half"} {
			t.Logf("%-30s %3d right, %3d sure, %d sure and wrong", who, sums[who][0], sums[who][1], sums[who][2])
		}
		for _, auto := range []string{Auto, "auto, told of the other half"} {
			if sums[auto][0] < sums["pattern"][0] || sums[auto][2] > sums["pattern"][2] {
				t.Errorf("%s has %v, pattern %v", auto, *sums[auto], *sums["pattern"])
			}
		}
	}
}

func bankTogether(t *testing.T, name, method string, made int, sums map[string]*[3]int) {
	t.Helper()
	e, err := Open(t.Context(), filepath.Join(t.TempDir(), name+".cairn"), Options{}, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer e.Close()
	if _, err := e.Import(t.Context(), []string{filepath.Join("testdata", bank.Graph(name))}, ingest.Options{}, nil); err != nil {
		t.Fatal(err)
	}
	if _, err := e.Train(t.Context(), TrainOptions{Method: method, Questions: made}, nil); err != nil {
		t.Fatal(err)
	}
	w := readGoldWorld(t, filepath.Join("testdata", bank.Graph(name)))
	qs := readBank(t, name)
	qs = append(qs, readHeld(t, name)...)
	ask := func(q bankQuestion, by string) *Run {
		run, err := e.Ask(t.Context(), q.Text, AskOptions{Retriever: by}, nil)
		if err != nil {
			t.Fatal(err)
		}
		return run
	}
	found := func(r *Run) []string {
		if !r.Method.Seeded && r.Reading >= 0 {
			return bankAnswers(t, e.Graph(), r.Plan)
		}
		var labels []string
		for _, it := range r.said() {
			labels = append(labels, it.Label)
		}
		slices.Sort(labels)
		return slices.Compact(labels)
	}
	right := func(q bankQuestion, r *Run) bool {
		want, got := w.solve(q.Gold), found(r)
		return slices.Equal(got, want) || want[0] == "refuse" && len(got) == 0
	}
	add := func(who string, right, sure bool) {
		if sums[who] == nil {
			sums[who] = &[3]int{}
		}
		for i, yes := range []bool{right, sure, sure && !right} {
			if yes {
				sums[who][i]++
			}
		}
	}
	score := func(who string, q bankQuestion, r *Run) bool {
		is := right(q, r)
		add(who, is, r.Plan.Doubt == plan.Sure && r.Calm() && len(found(r)) > 0)
		return is
	}
	for _, q := range qs {
		add("asked", true, false)
		a, b := score("pattern", q, ask(q, "pattern")), score(method, q, ask(q, method))
		add("either", a || b, false)
		score(Auto, q, ask(q, Auto))
	}
	for half := range 2 {
		j, err := e.Judge(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		for i, q := range qs {
			if i%2 == half {
				j.Count(ask(q, Auto), func(r *Run) bool { return right(q, r) })
			}
		}
		if _, err := j.Keep(t.Context(), "half"); err != nil {
			t.Fatal(err)
		}
		for i, q := range qs {
			if i%2 != half {
				score("auto, told of the other half", q, ask(q, Auto))
			}
		}
	}
}

// readHeld reads the questions in other words that a graph of the bank has, if any.
func readHeld(t *testing.T, name string) []bankQuestion {
	t.Helper()
	if _, err := os.Stat(filepath.Join("testdata", "bank", "held_"+name+".txt")); err != nil {
		return nil
	}
	return readBank(t, "held_"+name)
}
