package present

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"cairn/engine"
	"cairn/engine/answer"
	"cairn/engine/evidence"
	"cairn/engine/kg"
	"cairn/engine/report"
)

// said builds a graph of statements, each a triple and properties with their values, and
// a run whose answer cites all triples.
func said(statements ...[]string) (*kg.Graph, *engine.Run) {
	var b kg.Builder
	var ts []kg.TripleID
	for _, s := range statements {
		var ps []kg.Property
		for i := 3; i+1 < len(s); i += 2 {
			ps = append(ps, kg.Property{Name: s[i], Value: s[i+1], Entity: kg.NoEntity})
		}
		ts = append(ts, b.AddStatement(s[0], s[1], s[2], ps...))
	}
	pack, _ := evidence.NewPack([]evidence.Candidate{{Edges: ts}}, 0)
	return b.Graph(), &engine.Run{Answer: &answer.Answer{Pack: pack}}
}

func TestTimeline(t *testing.T) {
	const director, institute = "director of", "Radium Institute"
	for name, test := range map[string]struct {
		statements [][]string
		want       report.Timeline
	}{
		"in the order of their times": {
			[][]string{
				{"Irene", director, institute, "from", "1946", "to", "1956"},
				{"Marie", director, institute, "from", "1914", "to", "1934"},
				{"Andre", director, institute, "from", "1935"},
			},
			report.Timeline{First: "1914", Last: "1956", Rows: []report.Period{
				{Label: "Marie", When: "1914 – 1934", From: 0, Until: 21.0 / 43, Citations: []int{2}},
				{Label: "Andre", When: "from 1935", From: 21.0 / 43, Until: 1, Citations: []int{3}},
				{Label: "Irene", When: "1946 – 1956", From: 32.0 / 43, Until: 1, Citations: []int{1}},
			}},
		},
		"twice the same thing, and single dates": {
			[][]string{
				{"Marie", "awarded", "Prize", "announced", "1903-12-01"},
				{"Marie", "awarded", "Prize", "announced", "1911-12-01"},
				{"Marie", "awarded", "Prize", "announced", "1911-12-01", "share", "50 %"},
				{"Marie", "member of", "Academy", "announced", "1922"},
			},
			report.Timeline{First: "1903-12-01", Last: "1922", Rows: []report.Period{
				{Label: "awarded → Prize", When: "announced 1903-12-01", Citations: []int{1}},
				{Label: "awarded → Prize", When: "announced 1911-12-01", Citations: []int{1}},
				{Label: "member of → Academy", When: "announced 1922", Until: 1, Citations: []int{2}},
			}},
		},
		"one alone is none": {[][]string{{"A", "r", "B", "from", "1914", "to", "1934"}, {"C", "r", "B"}}, report.Timeline{}},
		"a number that looks like a year is none": {[][]string{
			{"A", "r", "B", "seats", "1800"}, {"C", "r", "B", "seats", "1900"}, {"D", "r", "B", "seats", "40"},
		}, report.Timeline{}},
		"places are no times": {[][]string{
			{"A", "r", "B", "from", "120", "to", "1900"}, {"C", "r", "B", "from", "15", "to", "35"},
		}, report.Timeline{}},
	} {
		g, run := said(test.statements...)
		got := Timeline(g, run)
		for i := range got.Rows {
			if name == "twice the same thing, and single dates" { // days are no even part of the axis
				got.Rows[i].From, test.want.Rows[i].From = 0, 0
				if i < 2 {
					got.Rows[i].Until = 0
				}
			}
		}
		near := cmp.Comparer(func(a, b float64) bool { return a-b < 1e-9 && b-a < 1e-9 })
		if diff := cmp.Diff(test.want, got, near); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
}
