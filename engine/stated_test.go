package engine

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"cairn/engine/answer"
	"cairn/engine/plan"
)

// TestStatedClaims asks claims of what a statement says beside its triple: they are supported
// where it says so, refuted where it says otherwise and such statements are said once, and
// undecided else.
func TestStatedClaims(t *testing.T) {
	var b strings.Builder
	b.WriteString("head\trelation\ttail\tfrom\tto\tshare\tyear\n")
	add := func(format string, args ...any) { fmt.Fprintf(&b, format+"\n", args...) }
	add("Anna Lund\tdirector of\tAlder Works\t1914\t1934")
	add("Bert Marsh\tdirector of\tAlder Works\t1950\t")
	add("Anna Lund\towns\tAlder Works\t\t\t30 %%")
	add("Anna Lund\twon\tCivic Prize\t\t\t\t1960")
	for i := range 14 { // prizes are won again, the rest is said once
		add("Person %c\tdirector of\tFirm %c\t%d\t%d", 'A'+i, 'K'+i, 1960+i, 1970+i)
		add("Person %c\towns\tFirm %c\t\t\t%d %%", 'A'+i, 'K'+i, 10+i)
		add("Person %c\twon\tCivic Prize\t\t\t\t%d", 'A'+i, 1980+i)
		add("Person %c\twon\tCivic Prize\t\t\t\t%d", 'A'+i, 1990+i)
	}
	path := filepath.Join(t.TempDir(), "firms.tsv")
	if err := os.WriteFile(path, []byte(b.String()), 0o600); err != nil {
		t.Fatal(err)
	}
	e := importFiles(t, path)
	for _, test := range []struct {
		text string
		want answer.Verdict
	}{
		{"Anna Lund was director of Alder Works from 1914 to 1934.", answer.Supported},
		{"Anna Lund was director of Alder Works from 1914 to 1935.", answer.Refuted},
		{"Anna Lund was director of Alder Works in 1920.", answer.Supported},
		{"Was Anna Lund director of Alder Works in 1940?", answer.Refuted},
		{"Anna Lund was not director of Alder Works in 1940.", answer.Supported},
		{"Bert Marsh was director of Alder Works in 1940.", answer.Refuted}, // since 1950, until when is not said
		{"Bert Marsh was director of Alder Works in 1960.", answer.Supported},
		{"Anna Lund owns 30 % of Alder Works.", answer.Supported},
		{"Anna Lund owns 31 % of Alder Works.", answer.Refuted},
		{"Anna Lund owns more than 25 % of Alder Works.", answer.Supported},
		{"Anna Lund won the Civic Prize in 1960.", answer.Supported},
		{"Anna Lund won the Civic Prize in 1961.", answer.NotFound},
		{"The Civic Prize was won by Anna Lund in 1960.", answer.Supported},
		{"The Civic Prize was won by Anna Lund in 1961.", answer.NotFound},
		{"Bert Marsh owns 30 % of Alder Works.", answer.NotFound},
	} {
		run, err := e.Ask(t.Context(), test.text, AskOptions{NoModel: true}, nil)
		if err != nil {
			t.Fatal(err)
		}
		if run.Answer.Verdict != test.want {
			t.Errorf("%q: %s, want %s", test.text, run.Answer.Verdict, test.want)
		}
	}
	for question, want := range map[string]plan.Doubt{ // one of the two directors is it no longer
		"Who is the director of Alder Works?": plan.Unsure, "Who was director of Alder Works in 1920?": plan.Sure, "Who was director of Alder Works?": plan.Sure,
	} {
		run, err := e.Ask(t.Context(), question, AskOptions{NoModel: true}, nil)
		if err != nil {
			t.Fatal(err)
		}
		if run.Plan.Doubt != want || len(run.Answer.Items) == 0 {
			t.Errorf("%q: %v, %s, want %s", question, run.Answer.Items, run.Plan.Doubt, want)
		}
	}
}
