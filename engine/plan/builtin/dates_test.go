package builtin_test

import (
	"slices"
	"strings"
	"testing"

	"cairn/engine/kg"
	"cairn/engine/lexicon"
	"cairn/engine/link"
	"cairn/engine/plan"
	"cairn/engine/plan/builtin"
	"cairn/engine/query"
)

// fairs has events with full dates, and the number of a year as something else.
func fairs() (*kg.Graph, *builtin.Planner) {
	var b kg.Builder
	for _, line := range []string{
		"Spring Fair|2022-03-01|1200|Riga|Baltic Bank", "Book Days|2022-03-31|800|Riga|Paper House", "Jazz Week|2022-04-01|1500|Tartu|Baltic Bank",
		"Light Night|2021-03-05|3000|Tartu|City Light", "Film Forum|2023-03-15|2022|Vilnius|Paper House",
	} {
		x := strings.Split(line, "|")
		b.AddType(b.Entity(x[0]), "event")
		for i, rel := range []string{"held on", "visitors", "city", "sponsor"} {
			b.Add(x[0], rel, x[i+1])
		}
	}
	g, lex := b.Graph(), lexicon.Builtin()
	return g, builtin.New(g, link.NewLinker(g, nil, lex), lex, builtin.Options{})
}

func TestDates(t *testing.T) {
	g, p := fairs()
	for _, tt := range []struct {
		question, want string // names, in the order of the graph
		doubt          plan.Doubt
	}{
		{"Which events were held in 2022?", "Spring Fair, Book Days, Jazz Week", plan.Sure},
		{"Which events were held in March 2022?", "Spring Fair, Book Days", plan.Sure},
		{"Which events were held on March 31st, 2022?", "Book Days", plan.Sure},
		{"Which events were held on 2 March 2022?", "", plan.Sure},
		{"Which events were held in 1999?", "", plan.Sure},
		{"Which events were held in March?", "Spring Fair, Book Days, Light Night, Film Forum", plan.Sure},
		{"Which events were held on the 1st of March?", "Spring Fair", plan.Sure},
		{"Which events were held in the 21st century?", "Spring Fair, Book Days, Jazz Week, Light Night, Film Forum", plan.Sure},
		{"Which events were held in the twentieth century?", "", plan.Sure},
		{"Which events were held this year?", "", plan.Sure}, // nor will be
		{"Which events were held in the 2020s?", "Spring Fair, Book Days, Jazz Week, Light Night, Film Forum", plan.Sure},
		{"Which events were held after 1 March 2022?", "Book Days, Jazz Week, Film Forum", plan.Sure},
		{"Which events were held before 2022-03-31?", "Spring Fair, Light Night", plan.Sure},
		{"Which events were held after March 2022?", "Jazz Week, Film Forum", plan.Sure},
		{"Which events were held between 2021 and 2022?", "Spring Fair, Book Days, Jazz Week, Light Night", plan.Sure},
		{"Which events other than Jazz Week were held in 2022?", "Spring Fair, Book Days", plan.Sure},
		{"Which events in Riga were held in 2022?", "Spring Fair, Book Days", plan.Sure},
		{"Which events did Baltic Bank sponsor in 2022?", "Spring Fair, Jazz Week", plan.Unsure}, // no word says that the event is dated
		{"Which events had 2022 visitors?", "Film Forum", plan.Sure},
	} {
		got, err := p.Plan(t.Context(), tt.question, nil)
		if err != nil {
			t.Fatal(err)
		}
		if len(got.Readings) == 0 || got.Doubt != tt.doubt {
			t.Errorf("%s: %d readings, %v: %s", tt.question, len(got.Readings), got.Doubt, got.Reason)
			continue
		}
		found, err := query.Evaluate(t.Context(), g, got.Readings[0].Pattern, query.Limits{})
		if err != nil {
			t.Fatal(err)
		}
		var es []kg.EntityID
		for _, a := range found.Answers {
			es = append(es, a.Entity)
		}
		slices.Sort(es)
		var names []string
		for _, e := range es {
			names = append(names, g.Label(e))
		}
		if s := strings.Join(names, ", "); s != tt.want {
			t.Errorf("%s: %s, want %s", tt.question, s, tt.want)
		}
	}
}

// TestQuestionWordsForbid asks with words that cannot be answered by what fits the rest.
func TestQuestionWordsForbid(t *testing.T) {
	_, p := fairs()
	for question, why := range map[string]string{
		"Who held Jazz Week?":     "“Who” asks for someone",
		"Who visited Jazz Week?":  "“Who” asks for someone",
		"When was Jazz Week held": "",
		"Who sponsors Jazz Week?": "",
	} {
		got, err := p.Plan(t.Context(), question, nil)
		if err != nil {
			t.Fatal(err)
		}
		if refused := got.Doubt == plan.NoRelation; refused != (why != "") || !strings.Contains(got.Reason, why) {
			t.Errorf("%s: %v, %s", question, got.Doubt, got.Reason)
		}
	}
}

func TestImpossibleDates(t *testing.T) {
	_, p := fairs()
	for question, why := range map[string]string{
		"Which events were held on 30 February 2020?":      "February has 29 days in 2020",
		"Which events were held after 31 April 2022?":      "April has 30 days",
		"Which events were held on the 31st of June 2022?": "June has 30 days",
		"Which events were held on February 30?":           "February has 29 days",
		"Which events were held on 2022-02-29?":            "February has 28 days in 2022",
		"Which events were held before 2022-13-01?":        "a year has 12 months",
		"Was Jazz Week held on 30 February 2022?":          "February has 28 days in 2022",
		"Which events were held in March 45 times?":        "",
		"Which events may 40 people visit?":                "",
		"Which events were held on 29 February 2020?":      "",
	} {
		got, err := p.Plan(t.Context(), question, nil)
		if err != nil {
			t.Fatal(err)
		}
		if why == "" {
			if strings.Contains(got.Reason, "is no date") {
				t.Errorf("%s: %s", question, got.Reason)
			}
			continue
		}
		if len(got.Readings) > 0 || got.Doubt != plan.NotSupported || !strings.Contains(got.Reason, why) {
			t.Errorf("%s: %v, %s; want a refusal because %s", question, got.Doubt, got.Reason, why)
		}
	}
}
