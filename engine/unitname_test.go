package engine

import (
	"slices"
	"strings"
	"testing"

	"cairn/internal/testing/testkg"
)

// TestUnitsInTheNamesOfColumns: the unit is read as people write it in the header of a column.
func TestUnitsInTheNamesOfColumns(t *testing.T) {
	e, err := OnGraph(t.Context(), testkg.Build(
		"Rex|weight_g|1680", "Tom|weight_g|9", "Duke|power (kW)|1200", "Earl|output_kw|900", "Ann|grade a|5",
	), Options{}, nil)
	if err != nil {
		t.Fatal(err)
	}
	checkSure(t, e, map[string]bool{
		"Rex weighs 1680 kg.": false, "Rex weighs 1680 g.": true, "Rex weighs 1.68 kg.": true,
		"Duke has a power of 1200 W.": false, "Duke has a power of 1200 kW.": true, "Duke has a power of 1.2 MW.": true,
		"Earl has an output of 900 W.": false, "Earl has an output of 900 kW.": true,
	})
}

// TestPowersOfTen: numbers of so many thousand or million are counted with, however they are written.
func TestPowersOfTen(t *testing.T) {
	e, err := OnGraph(t.Context(), testkg.Build(
		"Turin|inhabitants|870 thousand", "Rome|inhabitants|2760 thousand", "Ulm|inhabitants|1", "Turin : city", "Rome : city", "Ulm : city",
		"Turin|budget (USD)|1200 million", "Rome|budget (USD)|2000 million", "Ulm|budget (USD)|300 million",
	), Options{}, nil)
	if err != nil {
		t.Fatal(err)
	}
	checkSure(t, e, map[string]bool{
		"Turin has a budget of 1.2 billion USD.": true, "Turin has a budget of 1200 USD.": false, "Turin has one inhabitant.": false, "Ulm has one inhabitant.": true,
	})
	for question, want := range map[string]string{
		"Which cities have more than one million inhabitants?":    "Rome",
		"Which cities have fewer than 900k inhabitants?":          "Turin, Ulm",
		"Which cities have more than half a million inhabitants?": "Rome, Turin",
		"Which cities have a budget above 1.5 bn USD?":            "Rome",
		"Which cities have a budget below $500m?":                 "Ulm",
		"Which cities have a budget of at least 1200 M USD?":      "Rome, Turin",
		"Which city has one inhabitant?":                          "Ulm",
		"Which city has exactly 870,000 inhabitants?":             "Turin",
	} {
		run, err := e.Ask(t.Context(), question, AskOptions{}, nil)
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, it := range run.Answer.Items {
			got = append(got, e.Graph().Label(it.Entity))
		}
		slices.Sort(got)
		if strings.Join(got, ", ") != want || !isSure(run) {
			t.Errorf("%s %s (%s), want %s", question, got, run.Plan.Reason, want)
		}
	}
}
