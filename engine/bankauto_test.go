package engine

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"cairn/engine/ingest"
	"cairn/engine/plan"
	"cairn/internal/testing/bank"
	"cairn/internal/testing/shared"
)

// TestBankTogether asks the questions of the bank of the pattern, of what has learned from
// questions made out of the graph, and of the automatic choice, also when that has been told
// how the other half of the graph's questions was answered. The choice finds at least what
// the pattern finds, and is no more often sure and wrong. CAIRN_EVAL has all graphs asked,
// and -v prints the sums.
func TestBankTogether(t *testing.T) {
	shared.Sequential(t)
	names, by, made := []string{"club", "court"}, []string{"templates"}, 200
	if os.Getenv("CAIRN_EVAL") != "" {
		names, by, made = []string{"companies", "medicine", "airports", "books", "films", "plant", "museum", "harbour", "vineyard", "club", "court"}, []string{"templates", "gsr"}, 1000
	}
	for _, method := range by {
		first, words := bankScores{}, bankScores{}
		for _, name := range names {
			bankTogether(t, name, method, made, first, words)
		}
		for what, sums := range map[string]bankScores{"the bank": first, "in other words": words} {
			for _, who := range []string{"asked", "pattern", method, "either", Auto, autoTold} {
				t.Logf("%s: %-30s %3d right, %3d sure, %d sure and wrong", what, who, sums[who][0], sums[who][1], sums[who][2])
			}
			for _, auto := range []string{Auto, autoTold} {
				if sums[auto][0] < sums["pattern"][0] || sums[auto][2] > sums["pattern"][2] {
					t.Errorf("%s: %s has %v, pattern %v", what, auto, sums[auto], sums["pattern"])
				}
			}
		}
	}
}

// autoTold is the automatic choice that was told how other questions were answered.
const autoTold = "auto, told of the other half"

// bankScores are, by who answered, the questions answered rightly, as sure, and as sure but wrongly.
type bankScores map[string][3]int

func (s bankScores) add(who string, right, sure bool) {
	sum := s[who]
	for i, yes := range []bool{right, sure, sure && !right} {
		if yes {
			sum[i]++
		}
	}
	s[who] = sum
}

func bankTogether(t *testing.T, name, method string, made int, first, words bankScores) {
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
	qs := append(readBank(t, name), readHeld(t, name)...)
	gold := map[string]string{}
	for _, q := range qs {
		gold[q.Text] = q.Gold
	}
	asWritten := len(qs)
	for _, q := range readBank(t, "wordings") {
		if g, ok := gold[q.Gold]; ok && strings.TrimPrefix(q.Kind, "held_") == name {
			q.Gold = g
			qs = append(qs, q)
		}
	}
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
	score := func(who string, i int) bool {
		sums, by := first, who
		if i >= asWritten {
			sums = words
		}
		if who == autoTold {
			by = Auto
		}
		run := ask(qs[i], by)
		is := right(qs[i], run)
		sums.add(who, is, run.Plan.Doubt == plan.Sure && run.Calm() && len(found(run)) > 0)
		if who == method {
			sums.add("asked", true, false)
		}
		return is
	}
	for i := range qs {
		a, b := score("pattern", i), score(method, i)
		if sums := first; a || b {
			if i >= asWritten {
				sums = words
			}
			sums.add("either", true, false)
		}
		score(Auto, i)
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
		for i := range qs {
			if i%2 != half {
				score(autoTold, i)
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
