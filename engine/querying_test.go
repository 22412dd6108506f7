package engine

import (
	"slices"
	"strings"
	"testing"

	"cairn/engine/answer"
	"cairn/engine/check"
	"cairn/engine/kg"
	"cairn/engine/pattern"
	"cairn/internal/testing/shared"
)

// followed follows a query in the sample graph.
func followed(t *testing.T, e *Engine, text string, o AskOptions) *Run {
	t.Helper()
	p, err := pattern.ParseText(text)
	if err != nil {
		t.Fatal(err)
	}
	run, err := e.FollowPattern(t.Context(), text, p, o, nil)
	if err != nil {
		t.Fatalf("FollowPattern(%s): %v", text, err)
	}
	return run
}

func TestQueriesAreEvaluated(t *testing.T) {
	shared.Sequential(t)
	e := openSample(t)
	tests := []struct{ text, want string }{
		{"(?c:country) -borders-> (?x) | find ?c | count ?x per ?c | largest count", "China [T1]"},
		{"(?c:country) -borders-> (Germany) | without (?c) -currency-> (euro)", "There are 4 answers: Czechia [T1], Denmark [T2], Poland [T3] and Switzerland [T4]."},
		{"(?c:country) -borders-> (Germany) | without (?c) -currency-> (euro)", "Left out: Austria: the currency of Austria is euro [T5]"},
		{"(?r:river) -flows through-> (Austria) | at least 9 ?c: (?r) -flows through-> (?c)", "Danube: Danube flows through Austria [T1]"},
		{"path (Austria) to (Slovenia)", "Austria and Slovenia are connected by 1 path of 1 step."},
		{"describe (Austria)", "The capital of Austria is Vienna [T3]."},
		{"compare (Austria) with (Hungary)", "The continent of Austria and Hungary is Europe"},
		{"(?c) -located in+-> (Austria) | count ?c", "In this graph the number is 7"},
		{"(?c:country) -borders-> (Nowhereland of Nowhere) | without (?c) -currency-> (euro)", "Nothing in this graph meets every condition."},
		{"(?c:country) -borders-> (Germany) | without (?c) -zzyzx qwertz-> (euro)", "Nothing in this graph meets every condition."},
		{"(?c:country) -borders-> (Germany) | without (?c) -currency-> (Qwertzuiop Zzyzx)", "Nothing in this graph meets every condition."},
		{"(Austria) -borders-> (Italy) | verify | without (Austria) -borders-> (Qwertzuiop Zzyzx)", "Nothing in this graph is called “Qwertzuiop Zzyzx”."},
		{"(Austria) -borders-> (Italy) | verify | without (Austria) -borders-> (France)", "Austria borders Italy [T1]."},
	}
	for _, retriever := range []string{"", "exact", "gnn"} {
		for _, test := range tests {
			run := followed(t, e, test.text, AskOptions{Retriever: retriever})
			var said []string
			for _, s := range run.Answer.Sentences {
				said = append(said, s.Text)
				for _, c := range s.Citations {
					if c < 1 || c > len(run.Answer.Pack.Triples) {
						t.Errorf("%s: %q cites T%d of %d", test.text, s.Text, c, len(run.Answer.Pack.Triples))
					}
				}
			}
			if !strings.Contains(strings.Join(said, "\n"), test.want) {
				t.Errorf("%s\n said %q\n want %q", test.text, said, test.want)
			}
			if run.Method.ID != evaluator.ID {
				t.Errorf("%s: answered by %q", test.text, run.Method.ID)
			}
			kept, err := recordOf(run)
			if err != nil {
				t.Fatal(err)
			}
			again, err := ReadRun(kept, e.Graph(), e.Methods())
			if err != nil || again.Since.Gone || again.Method.Title != evaluator.Title || len(again.Groups) != len(run.Groups) || len(again.Excluded) != len(run.Excluded) {
				t.Errorf("%s: read back: %v %+v", test.text, err, again)
			}
		}
	}
}

// TestQueriesSayWhatTheirTriplesSay has the sentences about paths and facts checked as
// if a model had written them.
func TestQueriesSayWhatTheirTriplesSay(t *testing.T) {
	shared.Sequential(t)
	e := openSample(t)
	for _, text := range []string{"path (Austria) to (Portugal) | shortest 3", "describe (Danube)"} {
		run := followed(t, e, text, AskOptions{})
		a := *run.Answer
		a.Sentences = slices.Clone(a.Sentences)
		for i := range a.Sentences {
			a.Sentences[i].Check = check.Unchecked
		}
		answer.CheckSentences(e.Graph(), &a, nil)
		for _, s := range a.Sentences {
			if !s.Note && s.Check != check.Covered && !strings.Contains(s.Text, " more") {
				t.Errorf("%s: %q is %v: %s", text, s.Text, s.Check, s.Reason)
			}
		}
	}
}

// TestSumIsOfItsTriples adds up the numbers of the cited triples.
func TestSumIsOfItsTriples(t *testing.T) {
	shared.Sequential(t)
	e := openSample(t)
	run := followed(t, e, "(?c:country) -population-> (?n); (?c) -borders-> (Austria) | sum ?n of ?c", AskOptions{})
	sum := 0.0
	for _, id := range run.Answer.Pack.Triples {
		if v, ok := kg.ParseValue(e.Graph().Label(e.Graph().Triple(id).Tail)); ok {
			sum += v.Number
		}
	}
	if a := run.Answer.Items[0].Amount; a == nil || a.Value != sum || sum == 0 {
		t.Errorf("the sum is %+v, its triples make %v", a, sum)
	}
}
