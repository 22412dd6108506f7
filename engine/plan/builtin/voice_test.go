package builtin_test

import (
	"strings"
	"testing"

	"cairn/engine/kg"
	"cairn/engine/lexicon"
	"cairn/engine/link"
	"cairn/engine/plan"
	"cairn/engine/plan/builtin"
	"cairn/internal/testing/testkg"

	"github.com/google/go-cmp/cmp"
)

// TestVoice asks graphs in which both ends of a relation are companies, so that only
// the grammar of the question and of the relation's name tells who owns and who is
// owned.
func TestVoice(t *testing.T) {
	for _, tt := range []struct {
		relation   string
		ownerFirst bool
	}{{"owned by", false}, {"owner", false}, {"owns", true}, {"owner of", true}} {
		t.Run(tt.relation, func(t *testing.T) {
			var b kg.Builder
			for _, pair := range [][2]string{{"Alpha Holdings", "Beta Trading"}, {"Omega Trust", "Alpha Holdings"}, {"Beta Trading", "Gamma Shipping"}} {
				owner, owned := pair[0], pair[1]
				if tt.ownerFirst {
					b.Add(owner, tt.relation, owned)
				} else {
					b.Add(owned, tt.relation, owner)
				}
			}
			askInTurn(t, b.Graph(), [][2]string{
				{"Which companies are owned by Alpha Holdings?", "Beta Trading"},
				{"Which companies does Alpha Holdings own?", "Beta Trading"},
				{"who owns Alpha Holdings?", "Omega Trust"},
				{"Alpha Holdings is owned by whom?", "Omega Trust"},
				{"which company owns Gamma Shipping", "Beta Trading"},
				{"Who is the owner of Alpha Holdings?", "Omega Trust"},
			})
		})
	}
}

// TestNounsOfRelations asks for what "director of" and "symptom of" call their heads,
// beside other relations at the same thing.
func TestNounsOfRelations(t *testing.T) {
	var b kg.Builder
	b.Add("Carla Ruiz", "director of", "Tidewater Shipping")
	b.Add("Northwind Ltd", "owns", "Tidewater Shipping")
	b.Add("Ben Ito", "steward of", "Tidewater Shipping")
	b.Add("Fever", "symptom of", "Influenza")
	b.Add("Oseltamivir", "treats", "Influenza")
	askInTurn(t, b.Graph(), [][2]string{
		{"Who is the director of Tidewater Shipping?", "Carla Ruiz"},
		{"Who is the steward of Tidewater Shipping?", "Ben Ito"},
		{"Who owns Tidewater Shipping?", "Northwind Ltd"},
		{"What is a symptom of Influenza?", "Fever"},
		{"What treats Influenza?", "Oseltamivir"},
	})
}

// askInTurn reads questions over a graph and compares what the first reading of each
// finds with the answers beside it, sorted.
func askInTurn(t *testing.T, g *kg.Graph, asked [][2]string) {
	t.Helper()
	lex := lexicon.Builtin()
	p := builtin.New(g, link.NewLinker(g, nil, lex), lex, builtin.Options{})
	for _, q := range asked {
		got, err := p.Plan(t.Context(), q[0], nil)
		if err != nil {
			t.Fatal(err)
		}
		if len(got.Readings) == 0 {
			t.Errorf("Plan(%q) has no reading: %s", q[0], got.Reason)
			continue
		}
		if diff := cmp.Diff(strings.Split(q[1], ", "), answersOf(g, got.Readings[0].Pattern)); diff != "" {
			t.Errorf("Plan(%q) as %q (-want +got):\n%s", q[0], got.Readings[0].Text, diff)
		}
	}
}

// TestRoleNouns asks for things by the noun by which a relation calls them: for keepers,
// and not for what they keep.
func TestRoleNouns(t *testing.T) {
	g := testkg.Build(
		"Skerry Point|keeper|Anna Holm",
		"Grey Head|keeper|Jonas Pike",
		"Cape Winter|keeper|Mary Dunn",
		"Anna Holm|lives in|Harbour Town",
		"Mary Dunn|lives in|Harbour Town",
		"Jonas Pike|lives in|Kelm",
		"Robert Stell|lives in|Harbour Town",
		"Skerry Point|architect|Robert Stell",
		"Grey Head|architect|Owen Tait",
	)
	askInTurn(t, g, [][2]string{
		{"Which keepers live in Harbour Town?", "Anna Holm, Mary Dunn"},
		{"Which architects live in Harbour Town?", "Robert Stell"},
		{"Which keeper lives in Kelm?", "Jonas Pike"},
		{"Who is the keeper of Grey Head?", "Jonas Pike"},
	})
}

// TestOneKindAtBothEnds asks about relations between things of one kind, where nothing but the grammar
// tells of which of them a question speaks.
func TestOneKindAtBothEnds(t *testing.T) {
	of := func(kind, names string, triples ...string) *kg.Graph {
		var b kg.Builder
		for name := range strings.FieldsSeq(names) {
			b.AddType(b.Entity(name), kind)
		}
		for _, x := range triples {
			ts := strings.Split(x, "|")
			b.Add(ts[0], ts[1], ts[2])
		}
		return b.Graph()
	}
	askInTurn(t, of("linguist", "Ada Piet Lu Max Ian Rosa",
		"Ada|studied under|Piet", "Piet|studied under|Rosa", "Lu|studied under|Ada", "Max|studied under|Rosa", "Ian|studied under|Max",
		"Ada|born|1961", "Piet|born|1949", "Rosa|born|1938", "Lu|born|1975", "Max|born|1948", "Ian|born|1940"), [][2]string{
		{"Which linguists studied under a linguist who was born before 1950?", "Ada, Ian, Max, Piet"},
		{"Which linguists born before 1950 studied under a linguist?", "Ian, Max, Piet"},
		{"Who studied under a linguist born before 1950?", "Ada, Ian, Max, Piet"},
		{"Which linguists did a linguist born after 1950 study under?", "Ada, Piet"},
		{"Which linguists studied under the oldest linguist?", "Max, Piet"},
		{"What is the oldest linguist that studied under a linguist?", "Ian"},
	})
	askInTurn(t, of("language", "Proto Westish Eastish Tolm Bren",
		"Westish|descends from|Proto", "Eastish|descends from|Proto", "Tolm|descends from|Westish", "Bren|descends from|Westish",
		"Tolm|borrowed words from|Eastish", "Bren|borrowed words from|Tolm", "Eastish|borrowed words from|Tolm"), [][2]string{
		{"Which languages have borrowed words?", "Bren, Eastish, Tolm"},
		{"Which languages have borrowed no words?", "Proto, Westish"},
		{"From which languages were no words borrowed?", "Bren, Proto, Westish"},
		{"Which language has no language borrowed from it?", "Bren, Proto, Westish"},
		{"Which languages does no language descend from?", "Bren, Eastish, Tolm"},
		{"Which languages does nothing descend from?", "Bren, Eastish, Tolm"},
		{"From which languages does nothing descend?", "Bren, Eastish, Tolm"},
		{"Which language do the most languages descend from?", "Proto, Westish"},
		{"Which languages do at least two languages descend from?", "Proto, Westish"},
		{"Which languages do not descend from any language?", "Proto"},
		{"Which languages have no descendants?", "Bren, Eastish, Tolm"},
	})
	askInTurn(t, of("animal", "Suri Momo Acorn Pip", "Suri|mother of|Acorn", "Momo|mother of|Pip"), [][2]string{
		{"Which animals are a mother?", "Momo, Suri"},
		{"Which animals are mothers?", "Momo, Suri"},
		{"Which animals are not a mother?", "Acorn, Pip"},
		{"Which animals have no mother?", "Momo, Suri"},
	})
}

// TestRowsAndOwners asks of a table's rows what is asked of those in its columns.
func TestRowsAndOwners(t *testing.T) {
	var b kg.Builder
	for _, x := range []string{
		"Ann|manager|Gus", "Ben|manager|Ann", "Cid|manager|Ann", "Dee|manager|Gus",
		"Ann|hired|2010", "Ben|hired|2015", "Cid|hired|2012", "Dee|hired|2008", "Gus|hired|2001",
		"Ann|salary|4000", "Ben|salary|3000", "Cid|salary|3500", "Dee|salary|5000", "Gus|salary|9000",
		"Alba|owner|Gus", "Blu|owner|Ann", "Alba|presenters|Ben", "Alba|presenters|Gus", "Blu|presenters|Cid",
	} {
		ts := strings.Split(x, "|")
		b.Add(ts[0], ts[1], ts[2])
	}
	for kind, names := range map[string]string{"employee": "Ann Ben Cid Dee Gus", "station": "Alba Blu"} {
		for name := range strings.FieldsSeq(names) {
			b.AddType(b.Entity(name), kind)
		}
	}
	askInTurn(t, b.Graph(), [][2]string{
		{"Which employees have a manager hired after 2009?", "Ben, Cid"},
		{"Which employees have a manager who was hired before 2009?", "Ann, Dee"},
		{"Which employees hired after 2009 have a manager?", "Ann, Ben, Cid"},
		{"How many employees have a manager with a salary over 4500?", "2"},
		{"Which presenters own a station?", "Gus"},
		{"Which presenter owns Alba?", "Gus"},
	})
	var missions kg.Builder
	for _, x := range []string{"Ares|agency|NASA", "Ares|partners|ESA", "Rosa|agency|ESA", "Rosa|partners|NASA", "Luna|agency|ISRO", "Luna|partners|ESA"} {
		ts := strings.Split(x, "|")
		missions.Add(ts[0], ts[1], ts[2])
		missions.AddType(missions.Entity(ts[0]), "mission")
		missions.AddType(missions.Entity(ts[2]), "agency")
	}
	for _, question := range []string{"Which agencies were partners in a NASA mission?", "Which agencies were not partners in a NASA mission?"} {
		got, err := planner(missions.Graph(), nil).Plan(t.Context(), question, nil)
		if err != nil || len(got.Readings) > 0 && got.Doubt == plan.Sure && !strings.Contains(got.Readings[0].Text, "—partners→") {
			t.Errorf("%s is read as %+v, %v", question, got.Readings, err)
		}
	}
	marriages := testkg.Build("Marriage 1|husband|Jo", "Marriage 1|wife|Ann", "Marriage 2|husband|Ed", "Marriage 2|wife|Mia", "Kivu|exported|cocoa", "cocoa|tariff rate|2 %")
	for _, question := range []string{"Who did Ann marry?", "Who was Ann married to?", "Who married Jo?", "Which goods did Kivu export?"} {
		if got, err := planner(marriages, nil).Plan(t.Context(), question, nil); err != nil || len(got.Readings) > 0 && got.Doubt == plan.Sure {
			t.Errorf("%s is read as %+v, %v", question, got.Readings, err)
		}
	}
}
