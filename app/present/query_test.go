package present

import (
	"strings"
	"testing"

	"cairn/engine"
	"cairn/engine/answer"
	"cairn/engine/evidence"
	"cairn/engine/kg"
	"cairn/engine/pattern"
)

// TestQueriesArePresented puts a run of every kind of query through all that is shown.
func TestQueriesArePresented(t *testing.T) {
	e, err := engine.OpenSample(t.Context(), t.TempDir(), engine.Options{}, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer func() {
		if err := e.Close(); err != nil {
			t.Error(err)
		}
	}()
	g := e.Graph()
	for text, want := range map[string]string{
		"(?c:country) -borders-> (?x) | find ?c | count ?x per ?c | largest count 3":            "4 answers",
		"(?c:country) -borders-> (Germany) | without (?c) -currency-> (euro)":                   "4 answers",
		"(?c:country) -population-> (?n); (?c) -continent-> (Europe) | average ?n of ?c":        "",
		"(?c:country) -borders-> (Austria) | verify | only (Liechtenstein) -borders-> (France)": "",
		"(?c) -located in+-> (Austria) | count ?c":                                              "7",
		"path (Austria) to (Portugal)":                                                          "5 paths",
		"path (Austria) to (Nothing at all)":                                                    "No answer in this graph",
		"describe (Austria)":                                                                    "Austria",
		"compare (Austria) with (Hungary)":                                                      "",
	} {
		p, err := pattern.ParseText(text)
		if err != nil {
			t.Fatal(err)
		}
		run, err := e.FollowPattern(t.Context(), text, p, engine.AskOptions{Save: true}, nil)
		if err != nil {
			t.Fatal(err)
		}
		page, err := Page(t.Context(), e, run, "test")
		if err != nil {
			t.Fatal(err)
		}
		said, _ := Glance(run)
		if !strings.Contains(said, want) {
			t.Errorf("%s: %q, want %q", text, said, want)
		}
		shown := []string{page.Headline, AnswerText(g, run), StatusLine(run), Basis(run), strings.Join(PatternWords(run.Pattern()), "\n")}
		for _, st := range run.Stages {
			step := Ended(g, run, st)
			shown = append(shown, step.Summary, strings.Join(step.Details, "\n"))
		}
		if all := strings.Join(shown, "\n"); strings.Contains(all, "%!") {
			t.Errorf("%s: %s", text, all)
		}
		if m := CanvasModel(g, run); run.Answer.Refusal == nil && len(m.Nodes) == 0 {
			t.Errorf("%s: no picture", text)
		}
		for _, r := range AnswerRows(g, run) {
			if r.Entity != kg.NoEntity {
				if _, ok := CandidateOf(run, r.Entity); !ok {
					t.Errorf("%s: %s has no evidence to show", text, r.Label)
				}
			}
		}
	}
}

func TestBars(t *testing.T) {
	of := func(values ...float64) (shares []float64) {
		a := &answer.Answer{}
		for _, v := range values {
			a.Items = append(a.Items, answer.Item{Amount: &evidence.Amount{Value: v}})
		}
		for _, b := range Bars(a) {
			shares = append(shares, b.Share)
		}
		return shares
	}
	for _, test := range []struct{ values, want []float64 }{
		{[]float64{4, 2, 1}, []float64{1, 0.5, 0.25}},
		{[]float64{2000, 1990}, []float64{1, 0}},
		{[]float64{1, -1}, []float64{1, 0}},
		{[]float64{3, 3}, []float64{1, 1}},
		{[]float64{0, 0}, []float64{0, 0}},
	} {
		got := of(test.values...)
		for i := range got {
			if got[i] != test.want[i] {
				t.Errorf("bars of %v = %v, want %v", test.values, got, test.want)
				break
			}
		}
	}
}
