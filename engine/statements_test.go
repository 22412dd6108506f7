package engine

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"cairn/engine/kg"
	"cairn/engine/plan"
)

// offices is a graph whose statements say when, how much and as what.
func offices(t *testing.T) *Engine {
	t.Helper()
	var b kg.Builder
	said := func(pairs ...string) (list []kg.Property) {
		for i := 0; i < len(pairs); i += 2 {
			list = append(list, kg.Property{Name: pairs[i], Value: pairs[i+1], Entity: kg.NoEntity})
		}
		return list
	}
	b.AddStatement("Marie Curie", "director of", "Radium Institute", said("valid_from", "1914", "valid_to", "1934")...)
	b.AddStatement("Andre Debierne", "director of", "Radium Institute", said("valid_from", "1934-07-05", "valid_to", "1946")...)
	b.AddStatement("Claudius Regaud", "director of", "Pasteur Pavilion", said("valid_from", "1919")...)
	b.AddStatement("Anna Holding", "owns", "Delta Works", said("share", "30 %", "year", "1999")...)
	b.AddStatement("Ben Holding", "owns", "Delta Works", said("share", "20 %", "year", "1999")...)
	b.AddStatement("Cleo Holding", "owns", "Delta Works", said("share", "55 %", "year", "2005")...)
	b.AddStatement("Ada Stone", "member of", "Chess Circle", said("rank", "treasurer", "pmid", "1234")...)
	b.AddStatement("Bo Winter", "member of", "Chess Circle", said("rank", "secretary", "pmid", "5678")...)
	e, err := OnGraph(t.Context(), b.Graph(), Options{}, nil)
	if err != nil {
		t.Fatal(err)
	}
	return e
}

// TestQuestionsAboutStatements asks when, how much and as what something was so. Where
// nothing says so the answer is a refusal, and what is not understood is a doubt.
func TestQuestionsAboutStatements(t *testing.T) {
	e := offices(t)
	for _, test := range []struct {
		question string
		want     []string // nil for a refusal
		unread   string   // in the reason of the doubt; empty for no doubt
	}{
		{"Who was director of Radium Institute in 1920?", []string{"Marie Curie"}, ""},
		{"Who was the director of Radium Institute in 1940?", []string{"Andre Debierne"}, ""},
		{"Who was director of Radium Institute in 1934?", []string{"Andre Debierne", "Marie Curie"}, ""},
		{"Who was director of Radium Institute before 1920?", []string{"Marie Curie"}, ""},
		{"Who was director of Radium Institute after 1940?", []string{"Andre Debierne"}, ""},
		{"Who was director of Radium Institute from 1915 to 1920?", []string{"Marie Curie"}, ""},
		{"Who was director of Pasteur Pavilion in 2015?", []string{"Claudius Regaud"}, ""},
		{"Who was director of Radium Institute in 1950?", nil, ""},
		{"What owns more than 25 % of Delta Works?", []string{"Anna Holding", "Cleo Holding"}, ""},
		{"What owns Delta Works with a share over 25 %?", []string{"Anna Holding", "Cleo Holding"}, ""},
		{"What owns Delta Works with a share of less than 25 percent?", []string{"Ben Holding"}, ""},
		{"What owned Delta Works in 2005?", []string{"Cleo Holding"}, ""},
		{"Who is member of Chess Circle with rank secretary?", []string{"Bo Winter"}, ""},
		{"Who is member of Chess Circle with pmid 1234?", []string{"Ada Stone"}, ""},
		{"Who is member of Chess Circle in 1999?", []string{"Ada Stone", "Bo Winter"}, "1999"},
		{"What owns more than 25 km of Delta Works?", []string{"Anna Holding", "Ben Holding", "Cleo Holding"}, "km"},
	} {
		run, err := e.Ask(t.Context(), test.question, AskOptions{}, nil)
		if err != nil {
			t.Fatal(err)
		}
		if got := said(run); !cmp.Equal(got, test.want) {
			t.Errorf("%s: %q, want %q; read as %v; %s", test.question, got, test.want, run.Plan.Readings, run.Plan.Reason)
		}
		if doubted := run.Plan.Doubt != plan.Sure; doubted != (test.unread != "") || !strings.Contains(run.Plan.Reason, test.unread) {
			t.Errorf("%s: doubt %v, %q, want %q", test.question, run.Plan.Doubt, run.Plan.Reason, test.unread)
		}
	}
}

// TestClaimsAboutStatements: a claim does not read when something was so, and never says
// yes or no without a word about it.
func TestClaimsAboutStatements(t *testing.T) {
	e := offices(t)
	for _, question := range []string{"Was Marie Curie director of Radium Institute in 2015?", "Marie Curie was director of Radium Institute in 2015."} {
		run, err := e.Ask(t.Context(), question, AskOptions{}, nil)
		if err != nil {
			t.Fatal(err)
		}
		if run.Plan.Doubt == plan.Sure && run.Answer.Refusal == nil {
			t.Errorf("%s: answered %q without a doubt", question, said(run))
		}
	}
}

// TestStatementsInRecords: a run keeps the conditions of its pattern.
func TestStatementsInRecords(t *testing.T) {
	e := offices(t)
	run, err := e.Ask(t.Context(), "Who was director of Radium Institute in 1920?", AskOptions{}, nil)
	if err != nil {
		t.Fatal(err)
	}
	record, err := writeRecord(run)
	if err != nil {
		t.Fatal(err)
	}
	again, err := ReadRun(record, e.Graph(), e.Methods())
	if err != nil {
		t.Fatal(err)
	}
	if a, b := run.Pattern(), again.Pattern(); len(a.Edges[0].Conditions) != 1 || !cmp.Equal(a.Edges[0].Conditions, b.Edges[0].Conditions) {
		t.Errorf("the record has %v, the run %v", b.Edges[0].Conditions, a.Edges[0].Conditions)
	}
}
