package pattern

import (
	"testing"

	"cairn/engine/kg"
)

func said(pairs ...string) (list []kg.Property) {
	for i := 0; i < len(pairs); i += 2 {
		list = append(list, kg.Property{Name: pairs[i], Value: pairs[i+1], Entity: kg.NoEntity})
	}
	return list
}

// TestConditions holds one statement at a time to one condition, written as in a pattern.
func TestConditions(t *testing.T) {
	var b kg.Builder
	paris := b.Entity("http://x.org/paris")
	b.SetLabel(paris, "Paris")
	tenure := b.AddStatement("Curie", "director of", "Institute", said("from", "1914", "to", "1934")...)
	open := b.AddStatement("Regaud", "director of", "Institute", said("from", "1919-06-01")...)
	odd := b.AddStatement("Unknown", "director of", "Institute", said("from", "long ago", "to", "1934")...)
	plain := b.Add("Nobody", "director of", "Institute")
	share := b.AddStatement("Anna", "owns", "Firm", kg.Property{Name: "http://x.org/hasShare", Value: "30", Datatype: "%", Entity: kg.NoEntity}, said("role", "Silent Partner")[0])
	twice := b.AddStatement("Ben", "owns", "Firm", said("hasShare", "10 %", "year", "1999")...)
	b.AddStatement("Ben", "owns", "Firm", said("hasShare", "40 %", "year", "2005")...)
	place := b.AddStatement("Ceres", "won", "Prize", kg.Property{Name: "in", Entity: paris}, said("period", "1911–1913")[0])
	g := b.Graph()
	for _, test := range []struct {
		conditions string
		id         kg.TripleID
		want       bool
	}{
		{"from..to = 1920", tenure, true},
		{"from..to = 1934-12", tenure, true},
		{"from..to = 1935", tenure, false},
		{"from..to = 1913-12-31", tenure, false},
		{"from..to < 1914", tenure, false},
		{"from..to < 1920", tenure, true},
		{"from..to > 1920", tenure, true},
		{"from..to > 1934", tenure, false},
		{"from..to >= 1934", tenure, true},
		{`from..to = "1930–1940"`, tenure, true},
		{"from..to = 2020", open, true},
		{"from..to = 1919", open, true},
		{"from..to = 1918", open, false},
		{"from..to = 1920", odd, false},
		{"from..to = 1920", plain, false},
		{"from = 1914", tenure, true},
		{"hasShare > 25 %", share, true},
		{"has share > 25", share, true},
		{"hasShare > 25 km", share, false},
		{"hasShare > 30 %", share, false},
		{"hasShare >= 30 %", share, true},
		{"role = silent partner", share, true},
		{"role > silent partner", share, false},
		{"hasShare > 25 %", twice, true},
		{"hasShare > 25 %, year = 2005", twice, true},
		{"hasShare > 25 %, year = 1999", twice, false}, // each is true of another statement
		{"in = paris", place, true},
		{"in = http://x.org/paris", place, true},
		{"in = London", place, false},
		{"period = 1912", place, true},
		{"period = 1914", place, false},
		{"no such = 1", share, false},
	} {
		p, err := ParseText("(?a) -r [" + test.conditions + "]-> (b)")
		if err != nil {
			t.Fatal(err)
		}
		if got := NewTest(g, p.Edges[0].Conditions).Holds(test.id); got != test.want {
			t.Errorf("%s of triple %d: %t, want %t", test.conditions, test.id, got, test.want)
		}
		printsBack(t, p)
	}
	if !NewTest(g, nil).Holds(plain) {
		t.Error("no condition does not hold of a plain triple")
	}
}

// TestConditionsThatCannotBeRead names what is wrong with them.
func TestConditionsThatCannotBeRead(t *testing.T) {
	for _, text := range []string{"(a) -r []-> (b)", "(a) -r [x]-> (b)", "(a) -r [x = ]-> (b)", "(a) -r [x = 1, ]-> (b)", "(a) -r [x = 1-> (b)", "(a) -r [x..= 1]-> (b)", "(a) -r [x = 1] y-> (b)"} {
		if p, err := ParseText(text); err == nil {
			t.Errorf("ParseText(%q) = %s", text, Format(p))
		}
	}
}
