package model

import (
	"slices"
	"strings"
	"testing"

	"cairn/engine/kg"
)

// TestConditionsOfReplies: a model may say when and how much something was so, where the
// statements of the graph say it; what it says is tested on them.
func TestConditionsOfReplies(t *testing.T) {
	var b kg.Builder
	for _, s := range [][4]string{{"Marie Curie", "Radium Institute", "1914", "1934"}, {"Andre Debierne", "Radium Institute", "1935", "1946"}} {
		b.AddStatement(s[0], "director of", s[1], kg.Property{Name: "valid_from", Value: s[2], Entity: kg.NoEntity}, kg.Property{Name: "valid_to", Value: s[3], Entity: kg.NoEntity})
	}
	b.AddStatement("Anna Holding", "owns", "Delta Works", kg.Property{Name: "share", Value: "30 %", Entity: kg.NoEntity})
	b.AddStatement("Ben Holding", "owns", "Delta Works", kg.Property{Name: "share", Value: "20 %", Entity: kg.NoEntity})
	w := around(t, b.Graph())
	w.Fallback = silent
	for _, test := range []struct {
		triple, condition string
		want              []string
	}{
		{`["UNKNOWN person 1", "director of", "Radium Institute"]`, "valid_from..valid_to = 1920", []string{"Marie Curie"}},
		{`["UNKNOWN person 1", "director of", "Radium Institute"]`, "valid_from..valid_to > 1936", []string{"Andre Debierne"}},
		{`["UNKNOWN person 1", "director of", "Radium Institute"]`, "valid_from..valid_to = 1990", nil},
		{`["UNKNOWN owner 1", "owns", "Delta Works"]`, "share > 25 %", []string{"Anna Holding"}},
		{`["UNKNOWN owner 1", "owns", "Delta Works"]`, "weight > 25 %", nil}, // a property that there is not
		{`["UNKNOWN owner 1", "owns", "Delta Works"]`, "more than 25 %", nil},
	} {
		m := replies(`{"divided": ["x"], "triples": [` + test.triple + `], "conditions": [{"triple": 1, "says": "` + test.condition + `"}], "asked": "", "task": "find", "negated": false}`)
		p := planned(t, w, m, Options{}, "Who was director of Radium Institute then, or owns part of Delta Works?")
		if got := answers(t, w, p); !slices.Equal(got, test.want) {
			t.Errorf("%s: %q, want %q; %s %s", test.condition, got, test.want, p.StoodIn, p.Reason)
		}
		if got := m.got[0]; !strings.Contains(got.Prompt, "<<<valid_from..valid_to; share>>>") || !strings.Contains(string(got.Schema), `"conditions"`) {
			t.Errorf("the request says nothing of conditions:\n%s\n%s", got.Prompt, got.Schema)
		}
	}
	m := replies("-")
	planned(t, around(t, films()), m, Options{}, "Who directed Heat?")
	if got := m.got[0]; strings.Contains(got.Prompt, "condition") || strings.Contains(string(got.Schema), "condition") {
		t.Errorf("a plain graph is asked for conditions:\n%s", got.Prompt)
	}
}
