package operators_test

import (
	"strings"
	"testing"

	"cairn/engine/kg"
	"cairn/engine/lexicon"
	"cairn/engine/link"
	"cairn/engine/pattern"
	"cairn/engine/plan"
	"cairn/engine/plan/builtin"
)

// table is a graph of rows of one type, with a relation for each other column.
func table(columns []string, rows ...[]string) *builtin.Planner {
	var b kg.Builder
	for _, row := range rows {
		b.AddType(b.Entity(row[0]), columns[0])
		for i, x := range row[1:] {
			if x != "" {
				b.Add(row[0], columns[i+1], x)
			}
		}
	}
	g, lex := b.Graph(), lexicon.Builtin()
	return builtin.New(g, link.NewLinker(g, nil, lex), lex, builtin.Options{})
}

func team() *builtin.Planner {
	return table([]string{"player", "club", "coach", "town"},
		[]string{"Ann", "Lions", "Max", "Rome"}, []string{"Ben", "Lions", "Max", "Rome"}, []string{"Fay", "Lions", "Max", "Rome"},
		[]string{"Cid", "Tigers", "Kim", "Oslo"}, []string{"Dee", "Bears", "Kim", "Oslo"})
}

func mentors() *builtin.Planner {
	return table([]string{"person", "mentor", "town", "employer"},
		[]string{"Ada", "Bo", "Rome", "Acme"}, []string{"Bo", "Cy", "Oslo", "Borg"}, []string{"Cy", "", "Rome", "Acme"},
		[]string{"Dan", "Bo", "Oslo", "Borg"}, []string{"Eve", "Cy", "Bern", "Acme"})
}

func hoards() *builtin.Planner {
	return table([]string{"hoard", "finder", "county", "metal", "coins", "museum", "found"},
		[]string{"Abbey Hoard", "Jo Reed", "Kent", "silver", "212", "Maidstone Museum", "1921-04-03"},
		[]string{"Barrow Hoard", "Jo Reed", "Kent", "silver", "40", "Maidstone Museum", "1925-09-12"},
		[]string{"Mill Hoard", "Sal Brown", "Kent", "gold", "7", "British Museum", "1978-02-11"},
		[]string{"Fen Hoard", "Sal Brown", "Norfolk", "silver", "640", "Norwich Castle", "1983-10-30"},
		[]string{"Quay Hoard", "Tim Ash", "Norfolk", "silver", "95", "British Museum", "1999-05-17"},
		[]string{"Oak Hoard", "Tim Ash", "Norfolk", "gold", "95", "British Museum", "1999-05-17"})
}

// recalls are rows of what happened, of which nothing else tells.
func recalls() *builtin.Planner {
	var b kg.Builder
	for _, x := range []string{"Lot 1", "Lot 2", "Lot 3"} {
		b.AddType(b.Entity(x), "lot")
		b.Add(x, "product", "Rye Crisp")
	}
	for _, x := range [][2]string{{"R-1", "Lot 1"}, {"R-2", "Lot 1"}, {"R-3", "Lot 2"}} {
		b.AddType(b.Entity(x[0]), "recall")
		b.Add(x[0], "lot", x[1])
	}
	g, lex := b.Graph(), lexicon.Builtin()
	return builtin.New(g, link.NewLinker(g, nil, lex), lex, builtin.Options{})
}

func lang() *builtin.Planner {
	var b kg.Builder
	for _, x := range []string{"Proto", "Westish", "Eastish", "Tolm", "Bren"} {
		b.AddType(b.Entity(x), "language")
	}
	for _, x := range [][2]string{{"Tolm", "Eastish"}, {"Bren", "Tolm"}, {"Eastish", "Tolm"}} {
		b.Add(x[0], "borrowed words from", x[1])
	}
	for _, x := range [][2]string{{"Westish", "Proto"}, {"Eastish", "Proto"}, {"Tolm", "Westish"}, {"Bren", "Westish"}} {
		b.Add(x[0], "descends from", x[1])
	}
	g, lex := b.Graph(), lexicon.Builtin()
	return builtin.New(g, link.NewLinker(g, nil, lex), lex, builtin.Options{})
}

// TestQualities reads the adjective of a quality that a relation is called by: of "bitterness",
// "bitterer" and "least bitter", and by its opposite.
func TestQualities(t *testing.T) {
	p := table([]string{"cheese", "bitterness", "hardness", "toxicity", "size (mm)", "maker"},
		[]string{"Brie", "7", "1", "3", "30", "Ann"}, []string{"Feta", "38", "3", "1", "20", "Ben"}, []string{"Gouda", "24", "2", "2", "90", "Ann"})
	for question, want := range map[string]string{
		"Which cheese is the bitterest?":            "find ?cheese | largest ?bitterness",
		"What is the most bitter cheese?":           "find ?cheese | largest ?bitterness",
		"Which cheese is the least bitter?":         "find ?cheese | smallest ?bitterness",
		"Which cheeses are bitterer than Gouda?":    "?value > ?value2",
		"Which cheeses are more bitter than Gouda?": "?value > ?value2",
		"Which cheeses are less bitter than Gouda?": "?value < ?value2",
		"Which cheeses are softer than Gouda?":      "-hardness-> (?value2) | find ?cheeses | ?value < ?value2",
		"Which cheeses are harder than 1?":          "?hardness > 1",
		"Which cheeses are less bitter than 20?":    "?bitterness < 20",
		"How much more bitter is Feta than Brie?":   "(Feta) -bitterness-> (?value); (Brie) -bitterness-> (?other) | find ?value | difference",
		"How much less bitter is Brie than Feta?":   "(Feta) -bitterness-> (?value); (Brie) -bitterness-> (?other) | find ?value | difference",
		"Feta is harder than Brie.":                 "verify | ?value > ?value2",
		"Which cheese is the most toxic?":           "largest ?toxicity",
		"What is the largest cheese?":               "largest ?\"size_(mm)\"",
		"Who makes the hardest cheese?":             "find ?thing | largest ?hardness",
	} {
		got, err := p.Plan(t.Context(), question, nil)
		if err != nil {
			t.Fatal(err)
		}
		if len(got.Readings) == 0 || !strings.Contains(pattern.Format(got.Readings[0].Pattern), want) || got.Doubt != plan.Sure {
			t.Errorf("Plan(%q) = %v, %v (%s), want %s", question, got.Readings, got.Doubt, got.Reason, want)
		}
	}
}

// TestUnitsPerSomething asks once for a value whose unit is per something.
func TestUnitsPerSomething(t *testing.T) {
	p := table([]string{"food", "price per kg (€)", "weight (g)", "protein (g/100 g)", "harvest months", "shelf life"},
		[]string{"Oats", "1.9", "500", "13", "Aug", "24 months"}, []string{"Kiwi", "4.4", "80", "1.1", "Oct", "30 days"}, []string{"Kale", "3.5", "300", "4.3", "Dec", "5 days"})
	for question, want := range map[string]string{
		"Which foods cost more than 3 € per kg?":                "(?foods:foods) -\"price per kg (€)\"-> (?\"price_per_kg_(€)\") | find ?foods | ?\"price_per_kg_(€)\" > 3",
		"Which foods have a price between 3 and 6 € per kg?":    "(?foods:foods) -\"price per kg (€)\"-> (?\"price_per_kg_(€)\") | find ?foods |",
		"Which foods have more than 10 g of protein per 100 g?": "(?foods:foods) -\"protein (g/100 g)\"-> (?\"protein_(g/100_g)\") | find ?foods |",
		"Which foods have more than 2000 mg of protein?":        "?\"protein_(g/100_g)\" > 2",
		"Which food has the longest shelf life?":                "(?food:food) -shelf life-> (?shelf_life) | find ?food | largest ?shelf_life",
		"Which foods have a shelf life longer than a year?":     "(?foods:foods) -shelf life-> (?shelf_life) | find ?foods | ?shelf_life > 365",
		"Which foods have a shelf life shorter than a week?":    "(?foods:foods) -shelf life-> (?shelf_life) | find ?foods | ?shelf_life < 7 days",
		"Which foods are harvested in October?":                 "(October) <-harvest months- (?foods)",
	} {
		got, err := p.Plan(t.Context(), question, nil)
		if err != nil {
			t.Fatal(err)
		}
		if len(got.Readings) == 0 || !strings.Contains(pattern.Format(got.Readings[0].Pattern), want) || got.Doubt != plan.Sure {
			t.Errorf("Plan(%q) = %v, %v (%s), want %s", question, got.Readings, got.Doubt, got.Reason, want)
		}
	}
}

// TestCountsOverRows counts what a column has for each value of another, and what a relation of a
// kind to the same kind leads to. An empty want is a refusal.
func TestCountsOverRows(t *testing.T) {
	for _, x := range []struct {
		p    *builtin.Planner
		asks []asks
	}{
		{team(), []asks{
			{"Which town has the most clubs?", "(?town:town) <-town- (?row) -club-> (?clubs) | count ?clubs per ?town | largest count", true},
			{"Which coach has the fewest clubs?", "<-coach- (?row) -club-> (?clubs) | count ?clubs per every ?coach | smallest count", true},
			{"Which town has more than two clubs?", "more than 2 ?clubs: (?town) <-town- (?row) -club-> (?clubs)", true},
			{"Which town has the most players?", "(?town:town) <-town- (?players) | count ?players", true},
			{"Rome has one club.", "exactly 1 ?club: (Rome) <-town- (?row) -club-> (?club)", true},
			{"Kim coaches two clubs.", "exactly 2 ?clubs: (Kim) <-coach- (?row) -club-> (?clubs)", true},
			{"Rome has three players.", "exactly 3 ?players: (Rome) <-town- (?players)", true},
			{"Rome has more clubs than Oslo.", "", false},
			{"Only players from Oslo have the coach Kim.", "at least 2 ?players: (Kim) <-coach- (?players) -town-> (Oslo)", true},
			{"Only players from Oslo have the coach Kim", "at least 2 ?players: (Kim) <-coach- (?players) -town-> (Oslo)", true}, // no full stop
			{"Do any players play for the Bears?", "at least 1 ?players: (Bears) <-club- (?players)", true},
			{"Only players of the Lions are from Rome.", "at least 3 ?players: (Rome) <-town- (?players) -club-> (Lions)", true},
			{"Only Ann and Ben play for the Lions.", "(Lions) <-club- (Ann); (Lions) <-club- (Ben) | verify | exactly 2", true},
			{"Only purple players play for the Lions.", "", false},
			{"Max coaches only players.", "at least 3 ?thing: (Max) <-coach- (?thing:player)", true},
			{"Does Max coach only players?", "at least 3 ?thing: (Max) <-coach- (?thing:player)", true},
			{"Max only coaches players.", "at least 3 ?thing: (Max) <-coach- (?thing:player)", true},
			{"Max coaches only Ann.", "exactly 1 ?any: (Max) <-coach- (?any)", true},
			{"Three players play for the Lions.", "exactly 3 ?players: (Lions) <-club- (?players)", true},
			{"Some players play for the Lions.", "at least 1 ?players: (Lions) <-club- (?players)", true},
			{"At least three players from Rome play for the Lions.", "at least 3 ?players: (Rome) <-town- (?players) -club-> (Lions)", true},
		}},
		{mentors(), []asks{
			{"Which employer has the most mentors?", "<-employer- (?row) -mentor-> (?mentors) | count ?mentors", true},
			{"How many mentors does Bo have?", "(Bo) -mentor-> (?mentors) | count ?mentors", true},
			{"Bo has two mentors.", "exactly 2 ?mentors: (Bo) -mentor-> (?mentors)", true},
			{"Bo has one mentor.", "exactly 1 ?mentor: (Bo) -mentor-> (?mentor)", true},
			{"Cy has no mentor.", "exactly 0 ?mentor: (Cy) -mentor-> (?mentor)", false},
			{"At least two persons have a mentor in Oslo.", "at least 2 ?persons2: (Oslo) <-town- (?persons) <-mentor- (?persons2)", true},
			{"Which persons have no mentor in Oslo?", "without (Oslo) <-town- (?persons2) <-mentor- (?persons)", true},
			{"Only persons in Bern work for Acme.", "at least 3 ?persons: (Acme) <-employer- (?persons) -town-> (Bern)", true},
		}},
		{hoards(), []asks{
			{"Which county has the most finders?", "(?county:county) <-county- (?row) -finder-> (?finders) | count ?finders per ?county", true},
			{"Which finders have exactly two counties?", "exactly 2 ?counties: (?finders) <-finder- (?row) -county-> (?counties)", true},
			{"Kent has two finders.", "exactly 2 ?finders: (Kent) <-county- (?row) -finder-> (?finders)", true},
			{"Which finders are there?", "(?thing:finders)", true},
			{"Which counties have no gold hoard?", "(?counties:counties) | without (gold) <-metal- (?hoard) -county-> (?counties)", true},
			{"Which finders have no hoard from Kent?", "(?finders:finders) | without (Kent) <-county- (?hoard) -finder-> (?finders)", true},
			{"How many museums have no gold hoard?", "count ?museums | without (gold) <-metal- (?hoard) -museum-> (?museums)", true},
			{"Which counties have no hoard with more than 500 coins?", "without (?counties) <-county- (?hoard:hoard) -coins-> (?coins) where ?coins > 500", true},
			{"Three hoards are gold.", "exactly 3 ?hoards: (gold) <-metal- (?hoards)", true},
			{"Average coins per county", "(?thing) -coins-> (?coins); (?thing) -county-> (?county) | average ?coins of ?thing per ?county", false},
			{"Total number of coins by finder", "(?thing) -coins-> (?coins); (?thing) -finder-> (?finder) | sum ?coins of ?thing per ?finder", false},
			{"Number of hoards that are in the British Museum", "(British Museum) <-museum- (?hoards) | count ?hoards", true},
			{"Number of hoards kept by the British Museum", "(British Museum) <-museum- (?hoards) | count ?hoards", true},
		}},
		{recalls(), []asks{
			{"Which lots were never recalled?", "(?lots:lot) | without (?lots) <-lot- (?none)", true},
			{"Which lots were recalled more than once?", "(?lots:lot) | more than 1 ?recalls: (?lots) <-lot- (?recalls)", true},
			{"Which lot was recalled most often?", "(?lot:lot) <-lot- (?recalls) | count ?recalls per ?lot | largest count", true},
			{"How many times was Lot 1 recalled?", "(Lot 1) <-lot- (?recalls) | count ?recalls", true},
			{"What was recalled?", "(?what) <-lot- (?thing)", true},
		}},
		{lang(), []asks{
			{"From which language did the most languages borrow words?", "(?language:language) <-borrowed words from- (?languages) | count ?languages", true},
			{"Which language borrowed words from the most languages?", "(?language:language) -borrowed words from-> (?languages) | count ?languages", true},
			{"Which languages borrowed words from at least two languages?", "(?languages) -borrowed words from-> (?languages2)", true},
			{"Two languages borrowed words from Tolm.", "exactly 2 ?languages: (Tolm) <-borrowed words from- (?languages)", true},
			{"Tolm borrowed words from two languages.", "exactly 2 ?languages: (Tolm) -borrowed words from-> (?languages)", true},
			{"Only Bren descends from Westish.", "(Westish) <-descends from- (Bren) | verify | exactly 1", true},
		}},
	} {
		for _, tt := range x.asks {
			got, err := x.p.Plan(t.Context(), tt.question, nil)
			if err != nil {
				t.Fatal(err)
			}
			text := ""
			if len(got.Readings) > 0 {
				text = pattern.Format(got.Readings[0].Pattern)
			}
			if !strings.Contains(text, tt.want) || tt.want == "" && text != "" || (got.Doubt == plan.Sure) != tt.sure {
				t.Errorf("Plan(%q) = %s, %v (%s), want %s", tt.question, text, got.Doubt, got.Reason, tt.want)
			}
		}
	}
}

type asks struct {
	question, want string
	sure           bool
}
