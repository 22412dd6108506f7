package builtin_test

import (
	"bufio"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"cairn/engine/kg"
	"cairn/engine/lexicon"
	"cairn/engine/link"
	"cairn/engine/plan"
	"cairn/engine/plan/builtin"
)

// worded are small graphs of three fields with naturally worded questions about
// each: lower case, loose wording, nothing that follows a template. A question
// that the graph cannot answer has "-" for its answer.
var worded = []string{"library", "medicine", "software"}

// wordedWant is the share of right answers to them, in percent, and sureWant that
// among the sure ones.
const wordedWant, sureWant = 90, 95

func TestNaturalWording(t *testing.T) {
	n, right, sure, sureRight := 0, 0, 0, 0
	for _, name := range worded {
		g := wordedGraph(t, name)
		lex := lexicon.Builtin()
		p := builtin.New(g, link.NewLinker(g, nil, lex), lex, builtin.Options{})
		for _, line := range lines(t, name+".txt") {
			text, want, _ := strings.Cut(line, " | ")
			got, err := p.Plan(t.Context(), text, nil)
			if err != nil {
				t.Fatal(err)
			}
			answers, reading := []string{"-"}, got.Reason
			if len(got.Readings) > 0 && got.Doubt != plan.NoRelation {
				answers, reading = answersOf(g, got.Readings[0].Pattern), got.Readings[0].Text
			}
			gold := strings.Split(want, "; ")
			slices.Sort(gold)
			n++
			ok := slices.Equal(gold, answers)
			if ok {
				right++
			} else {
				t.Logf("%s: %q: got %q, want %q, doubt %d: %s", name, text, answers, gold, got.Doubt, reading)
			}
			if got.Doubt == plan.Sure {
				sure++
				if ok {
					sureRight++
				}
			}
		}
	}
	t.Logf("%d of %d right; sure of %d, %d of them right", right, n, sure, sureRight)
	if 100*right < wordedWant*n {
		t.Errorf("%d of %d right, want %d %%", right, n, wordedWant)
	}
	if 100*sureRight < sureWant*sure {
		t.Errorf("%d of %d sure answers right, want %d %%", sureRight, sure, sureWant)
	}
}

func wordedGraph(t *testing.T, name string) *kg.Graph {
	t.Helper()
	var b kg.Builder
	for _, line := range lines(t, name+".tsv") {
		f := strings.Split(line, "\t")
		if f[1] == "type" {
			b.AddType(b.Entity(f[0]), f[2])
			continue
		}
		b.Add(f[0], f[1], f[2])
	}
	return b.Graph()
}

// lines reads a file of testdata/natural.
func lines(t *testing.T, name string) []string {
	t.Helper()
	f, err := os.Open(filepath.Join("testdata", "natural", name))
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = f.Close() }()
	var out []string
	for sc := bufio.NewScanner(f); sc.Scan(); {
		out = append(out, sc.Text())
	}
	return out
}
