package engine

import (
	"testing"

	"cairn/engine/kg"
	"cairn/engine/plan"
	"cairn/internal/testing/testkg"
)

// TestQuestionsKnowWhoDoesWhat asks, in every form of question, what a company does and
// what is done to it, over relations named in every form: as verb, passive, and noun for
// either end. All ends are companies, so only the grammar tells.
func TestQuestionsKnowWhoDoesWhat(t *testing.T) {
	right, asked := 0, 0
	for _, v := range [][4]string{
		{"owns", "owned", "owner", "own"},
		{"directs", "directed", "director", "direct"},
		{"employs", "employed", "employer", "employ"},
		{"inhibits", "inhibited", "inhibitor", "inhibit"},
		{"regulates", "regulated", "regulator", "regulate"},
		{"supplies", "supplied", "supplier", "supply"},
		{"advises", "advised", "advisor", "advise"},
		{"leads", "led", "leader", "lead"},
		{"keeps", "kept", "keeper", "keep"},
	} {
		const before, after = "Northwind Ltd", "Tidewater Shipping"
		questions := [][2]string{
			{"Who " + v[0] + " Southgate Bank?", before},
			{"Which company " + v[0] + " Southgate Bank?", before},
			{"Who is Southgate Bank " + v[1] + " by?", before},
			{"By whom is Southgate Bank " + v[1] + "?", before},
			{"Who is the " + v[2] + " of Southgate Bank?", before},
			{"Who is Southgate Bank's " + v[2] + "?", before},
			{"What does Southgate Bank " + v[3] + "?", after},
			{"What is " + v[1] + " by Southgate Bank?", after},
			{"Which companies are " + v[1] + " by Southgate Bank?", after},
			{"Southgate Bank is the " + v[2] + " of what?", after},
		}
		for _, r := range []struct {
			relation  string
			doerFirst bool
		}{{v[0], true}, {v[1] + " by", false}, {v[2], false}, {"has " + v[2], false}, {v[2] + " of", true}, {"is " + v[2] + " of", true}} {
			var b kg.Builder
			for _, pair := range [][2]string{{before, "Southgate Bank"}, {"Southgate Bank", after}, {"Eastfield Press", before}} {
				if !r.doerFirst {
					pair[0], pair[1] = pair[1], pair[0]
				}
				b.Add(pair[0], r.relation, pair[1])
			}
			e, err := OnGraph(t.Context(), b.Graph(), Options{}, nil)
			if err != nil {
				t.Fatal(err)
			}
			for _, q := range questions {
				run, err := e.Ask(t.Context(), q[0], AskOptions{}, nil)
				if err != nil {
					t.Fatal(err)
				}
				asked++
				switch found := run.Answer.Items; {
				case len(found) == 1 && found[0].Label == q[1]:
					right++
				case len(found) > 0 && run.Plan.Doubt == plan.Sure:
					t.Errorf("%q over %q is surely %v, want %s", q[0], r.relation, found, q[1])
				}
			}
		}
	}
	t.Logf("%d of %d are right", right, asked)
	if right*20 < asked*19 {
		t.Errorf("%d of %d are right", right, asked)
	}
}

// TestQuestionsKnowWhatLiesWhere asks with verbs that the relation's name does not have, on a
// graph in which the same relation leads to what a thing lies in and to what lies in it.
func TestQuestionsKnowWhatLiesWhere(t *testing.T) {
	e, err := OnGraph(t.Context(), testkg.Build("Blue Lake|located in|Wesland", "Red Lake|located in|Ostland", "Wesland|located in|Bigland", "Ostland|located in|Bigland"), Options{}, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer e.Close()
	for question, want := range map[string]string{
		"Where does Wesland lie?":      "Bigland",
		"Where is Wesland situated?":   "Bigland",
		"What does Wesland lie in?":    "Bigland",
		"What lies in Wesland?":        "Blue Lake",
		"What is situated in Wesland?": "Blue Lake",
	} {
		run, err := e.Ask(t.Context(), question, AskOptions{}, nil)
		if err != nil {
			t.Fatal(err)
		}
		if items := run.Answer.Items; len(items) != 1 || items[0].Label != want {
			t.Errorf("%s finds %v, want %s (%s)", question, items, want, run.Plan.Reason)
		}
	}
}

// TestQuestionsKnowTheDeedsOfDoers: who keeps a thing is its keeper, whatever the relation's
// name looks like, and the word is read.
func TestQuestionsKnowTheDeedsOfDoers(t *testing.T) {
	e, err := OnGraph(t.Context(), testkg.Build("Ada|keeper of|North Light", "Ben|keeper of|South Light", "Cy|trainer of|Ben", "Ben|trainer of|Ada"), Options{}, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer e.Close()
	for question, want := range map[string]string{
		"Who keeps North Light?": "Ada", "Who kept South Light?": "Ben", "What does Ada keep?": "North Light", "Who trained Ben?": "Cy", "Whom does Ben train?": "Ada",
	} {
		run, err := e.Ask(t.Context(), question, AskOptions{}, nil)
		if err != nil {
			t.Fatal(err)
		}
		if items := run.Answer.Items; len(items) != 1 || items[0].Label != want || run.Plan.Doubt != plan.Sure {
			t.Errorf("%s finds %v, %s; want %s (%s)", question, items, run.Plan.Doubt, want, run.Plan.Reason)
		}
	}
}

// TestNotIsOfTheWholeClause: what a name does not do leaves out what it does, with an article
// before it as without.
func TestNotIsOfTheWholeClause(t *testing.T) {
	e := openSample(t)
	for with, without := range map[string]string{
		"Which countries does the Rhine not flow through?": "Which countries does the Rhine flow through?",
		"Which countries does Germany not border?":         "Which countries does Germany border?",
	} {
		var n [2]int
		for i, q := range []string{with, without} {
			run, err := e.Ask(t.Context(), q, AskOptions{}, nil)
			if err != nil {
				t.Fatal(err)
			}
			n[i] = len(run.Answer.Items)
		}
		if n[0] < 150 || n[1] == 0 || n[0]+n[1] > 197 {
			t.Errorf("%s %d; %s %d", with, n[0], without, n[1])
		}
	}
}

// TestOtherIsNoWayBack: "other" asks to go back along a hop only where the question has one
// to go on from, and sharing a border asks for one hop.
func TestOtherIsNoWayBack(t *testing.T) {
	e := openSample(t)
	for question, want := range map[string]int{
		"Which other countries border Austria?":                          8,
		"Which countries also border Austria?":                           8,
		"Which other elements did Marie Curie discover?":                 2,
		"What other elements did the discoverer of radium discover?":     1,
		"Which countries share a border with Austria?":                   8,
		"How many countries share a border with Germany?":                9,
		"Which other countries share an official language with Austria?": 5,
	} {
		run, err := e.Ask(t.Context(), question, AskOptions{}, nil)
		if err != nil {
			t.Fatal(err)
		}
		if a := run.Answer; max(a.Count, len(a.Items)) != want {
			t.Errorf("%s finds %d, want %d (%s)", question, max(a.Count, len(a.Items)), want, run.Plan.Reason)
		}
	}
}

// TestMixedThingsAreInDoubt: a noun that is no type of a graph with types, and stands for
// things of many types there, is not taken for sure.
func TestMixedThingsAreInDoubt(t *testing.T) {
	e := openSample(t)
	for question, want := range map[string]plan.Doubt{
		"List all elements.": plan.Unsure, "Which elements did Marie Curie not discover?": plan.Unsure, "List all rivers.": plan.Sure,
	} {
		run, err := e.Ask(t.Context(), question, AskOptions{}, nil)
		if err != nil {
			t.Fatal(err)
		}
		if run.Plan.Doubt != want {
			t.Errorf("%s is %s, want %s", question, run.Plan.Doubt, want)
		}
	}
}

// TestQuestionsKnowWhereTo asks over relations whose names are a noun with "to": what has one
// to X is not what has one from X.
func TestQuestionsKnowWhereTo(t *testing.T) {
	for _, noun := range [][2]string{{"route", "routes"}, {"sea lane", "sea lanes"}, {"flight", "flights"}} {
		var b kg.Builder
		b.Add("Northwind", noun[0]+" to", "Southgate")
		b.Add("Southgate", noun[0]+" to", "Tidewater")
		b.Add("Eastfield", noun[0]+" to", "Northwind")
		for _, port := range []string{"Northwind", "Southgate", "Tidewater", "Eastfield"} {
			b.AddType(b.Entity(port), "port")
		}
		e, err := OnGraph(t.Context(), b.Graph(), Options{}, nil)
		if err != nil {
			t.Fatal(err)
		}
		for _, q := range [][2]string{
			{"Which ports have a " + noun[0] + " to Southgate?", "Northwind"},
			{"Which port has " + noun[1] + " to Southgate?", "Northwind"},
			{"From which port is there a " + noun[0] + " to Southgate?", "Northwind"},
			{"Which ports have a " + noun[0] + " from Southgate?", "Tidewater"},
			{"Which port does Southgate have a " + noun[0] + " to?", "Tidewater"},
			{"To which port is there a " + noun[0] + " from Southgate?", "Tidewater"},
		} {
			run, err := e.Ask(t.Context(), q[0], AskOptions{}, nil)
			if err != nil {
				t.Fatal(err)
			}
			if items := run.Answer.Items; len(items) != 1 || items[0].Label != q[1] {
				t.Errorf("%s: %v, want %s", q[0], items, q[1])
			}
		}
	}
}
