package builtin_test

import (
	"strings"
	"testing"

	"cairn/engine/kg"
	"cairn/engine/lexicon"
	"cairn/engine/link"
	"cairn/engine/match"
	"cairn/engine/pattern"
	"cairn/engine/plan"
	"cairn/engine/plan/builtin"
)

// TestClassesAreNoNames asks a graph whose classes are things with names of their own: a
// noun after "which" is a kind, with the kinds below it, and no class.
func TestClassesAreNoNames(t *testing.T) {
	var b kg.Builder
	for _, line := range []string{
		"Telescope|sub class of|Instrument", "Radio telescope|sub class of|Telescope", "Instrument|introduced|1900-01-01",
		"Hale|built in|1948-06-03", "Keck|built in|1993-11-24", "Dish|built in|1925-01-01", "Balance|built in|1930-05-01", "Sky Survey|started|1920-01-01",
		"Hale|location|Palomar", "Keck|location|Hawaii", "Balance|location|Hawaii",
	} {
		x := strings.Split(line, "|")
		b.Add(x[0], x[1], x[2])
	}
	for _, typed := range []string{
		"Hale|Telescope", "Keck|Telescope", "Dish|Radio telescope", "Balance|Instrument", "Sky Survey|Experiment",
		"Instrument|Class", "Telescope|Class", "Radio telescope|Class",
	} {
		e, kind, _ := strings.Cut(typed, "|")
		b.AddType(b.Entity(e), kind)
		b.Add(e, "type", kind)
	}
	g, lex := b.Graph(), lexicon.Builtin()
	p := builtin.New(g, link.NewLinker(g, nil, lex), lex, builtin.Options{})
	for _, tt := range []struct {
		question, want string
		kind           int // how many are of the kind
		doubt          plan.Doubt
	}{
		{"Which instrument is the oldest?", "(?instrument:instrument) -built in-> (?built_in) | find ?instrument | smallest ?built_in", 4, plan.Sure},
		{"Which telescopes are in Hawaii?", "-location-> (Hawaii)", 3, plan.Sure},
		{"List all instruments", "(?instruments:instruments)", 4, plan.Sure},
		{"What are the subclasses of Instrument?", "(Instrument) <-sub class of- (?", 0, plan.Sure},
	} {
		got, err := p.Plan(t.Context(), tt.question, nil)
		if err != nil {
			t.Fatal(err)
		}
		if len(got.Readings) == 0 || got.Doubt != tt.doubt {
			t.Errorf("%s: %d readings, %v: %s", tt.question, len(got.Readings), got.Doubt, got.Reason)
			continue
		}
		pat := got.Readings[0].Pattern
		text := pattern.Format(pat)
		if !strings.Contains(text, tt.want) && !strings.Contains(flipped(text), tt.want) || tt.kind > 0 && len(pat.Nodes[pat.Asked].Within) != tt.kind {
			t.Errorf("%s: %s with %v, want %s with %d", tt.question, text, pat.Nodes[pat.Asked].Within, tt.want, tt.kind)
		}
	}
}

// flipped writes one edge the other way round.
func flipped(text string) string {
	a, rest, ok := strings.Cut(text, " <-")
	rel, c, is := strings.Cut(rest, "- ")
	if !ok || !is {
		return text
	}
	return c + " -" + rel + "-> " + a
}

// dishes says of dishes which kind of dish they are, of the kinds that they are dishes, and
// of a sauce what is in it, but not what it is.
func dishes(t *testing.T) (*kg.Graph, *builtin.Planner) {
	t.Helper()
	var b kg.Builder
	for _, line := range []string{
		"Moussaka|is a|Casserole", "Lasagne|is a|Casserole", "Ratatouille|is a|Stew", "Tiramisu|is a|Dessert", "Casserole|is a|Dish", "Stew|is a|Dish", "Dessert|is a|Dish",
		"Ratatouille|contains|Tomato", "Lasagne|contains|Tomato", "Moussaka|contains|Aubergine", "Ratatouille|contains|Aubergine", "Tiramisu|contains|Egg",
		"Lasagne|contains|Bechamel", "Bechamel|contains|Milk", "Lasagne|contains|Milk",
	} {
		x := strings.Split(line, "|")
		b.Add(x[0], x[1], x[2])
		if x[1] == "is a" {
			b.AddType(b.Entity(x[0]), x[2])
		}
	}
	g, lex := b.Graph(), lexicon.Builtin()
	return g, builtin.New(g, link.NewLinker(g, nil, lex), lex, builtin.Options{})
}

// TestKindsOfKinds asks for a kind above others, and for kinds where a thing has none.
func TestKindsOfKinds(t *testing.T) {
	g, p := dishes(t)
	for question, want := range map[string]struct {
		answers string
		doubt   plan.Doubt
	}{
		"Which casseroles contain tomato?": {"Lasagne", plan.Sure}, // a ratatouille is a stew
		"Which dishes contain tomato?":     {"Lasagne, Ratatouille", plan.Sure},
		"List all dishes":                  {"Moussaka, Lasagne, Ratatouille, Tiramisu", plan.Sure}, // no kinds of dishes
		"Which stews contain milk?":        {"Bechamel", plan.Unsure},                               // it may be one
		"Which dishes contain milk?":       {"Lasagne, Bechamel", plan.Unsure},
	} {
		got, err := p.Plan(t.Context(), question, nil)
		if err != nil {
			t.Fatal(err)
		}
		if len(got.Readings) == 0 || got.Doubt != want.doubt {
			t.Errorf("%s: %d readings, %v: %s", question, len(got.Readings), got.Doubt, got.Reason)
			continue
		}
		var labels []string
		for _, e := range (match.Anchored{Graph: g, Budget: 1000}).Leads(t.Context(), got.Readings[0].Pattern) {
			labels = append(labels, g.Label(e))
		}
		if said := strings.Join(labels, ", "); said != want.answers {
			t.Errorf("%s: %s, want %s", question, said, want.answers)
		}
	}
}
