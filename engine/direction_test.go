package engine

import (
	"slices"
	"strings"
	"testing"

	"cairn/engine/answer"
	"cairn/engine/kg"
	"cairn/engine/lexicon"
	"cairn/engine/link"
	"cairn/engine/pattern"
	"cairn/engine/plan"
	"cairn/engine/plan/builtin"
	"cairn/internal/testing/shared"
	"cairn/internal/testing/testkg"
)

// doings are verbs in the forms in which questions and relations have them.
var doings = []doing{
	{"owns", "owned", "owner", "own"},
	{"directs", "directed", "director", "direct"},
	{"employs", "employed", "employer", "employ"},
	{"inhibits", "inhibited", "inhibitor", "inhibit"},
	{"regulates", "regulated", "regulator", "regulate"},
	{"supplies", "supplied", "supplier", "supply"},
	{"advises", "advised", "advisor", "advise"},
	{"leads", "led", "leader", "lead"},
	{"keeps", "kept", "keeper", "keep"},
}

type doing struct{ third, past, agent, base string }

// relation is a name for what is done. The head does it, or else the tail.
type relation struct {
	name  string
	first bool
}

func (v doing) relations() []relation {
	return []relation{{v.third, true}, {v.past + " by", false}, {v.agent, false}, {"has " + v.agent, false}, {v.agent + " of", true}, {"is " + v.agent + " of", true}}
}

// graph has pairs of who does it and who it is done to.
func (r relation) graph(pairs ...[2]string) *kg.Graph {
	var b kg.Builder
	for _, pair := range pairs {
		if !r.first {
			pair[0], pair[1] = pair[1], pair[0]
		}
		b.Add(pair[0], r.name, pair[1])
	}
	return b.Graph()
}

// toWhom asks who does it to a company, and whom asks whom a company does it to.
func (v doing) toWhom(c string) []string {
	return []string{
		"Who " + v.third + " " + c + "?", "Which company " + v.third + " " + c + "?", "Who is " + c + " " + v.past + " by?", "By whom is " + c + " " + v.past + "?",
		"Who is the " + v.agent + " of " + c + "?", "Who is " + c + "'s " + v.agent + "?",
	}
}

func (v doing) whom(c string) []string {
	return []string{
		"What does " + c + " " + v.base + "?", "What is " + v.past + " by " + c + "?", "Which companies are " + v.past + " by " + c + "?",
		c + " is the " + v.agent + " of what?",
	}
}

// TestQuestionsKnowWhoDoesWhat asks, in every form of question, what a company does and
// what is done to it, over relations named in every form: as verb, passive, and noun for
// either end. All ends are companies, so only the grammar tells.
func TestQuestionsKnowWhoDoesWhat(t *testing.T) {
	shared.Sequential(t)
	const before, is, after = "Northwind Ltd", "Southgate Bank", "Tidewater Shipping"
	right, asked := 0, 0
	for _, v := range doings {
		for _, r := range v.relations() {
			e, err := OnGraph(t.Context(), r.graph([2]string{before, is}, [2]string{is, after}, [2]string{"Eastfield Press", before}), Options{}, nil)
			if err != nil {
				t.Fatal(err)
			}
			for want, questions := range map[string][]string{before: v.toWhom(is), after: v.whom(is)} {
				for _, q := range questions {
					run, err := e.Ask(t.Context(), q, AskOptions{}, nil)
					if err != nil {
						t.Fatal(err)
					}
					asked++
					switch found := run.Answer.Items; {
					case len(found) == 1 && found[0].Label == want:
						right++
					case len(found) > 0 && run.Plan.Doubt == plan.Sure:
						t.Errorf("%q over %q is surely %v, want %s", q, r.name, found, want)
					}
				}
			}
		}
	}
	// What is left names the relation by another form of its word, as "director" for
	// "directs".
	if right < asked*95/100 {
		t.Errorf("%d of %d questions are answered right", right, asked)
	}
}

// TestNothingIsSaidTheOtherWayRound asks the same where the graph has the other direction
// alone: what is asked for is not there, and what is there must not be given for it.
func TestNothingIsSaidTheOtherWayRound(t *testing.T) {
	shared.Sequential(t)
	for _, v := range doings {
		for _, r := range v.relations() {
			e, err := OnGraph(t.Context(), r.graph([2]string{"Northwind Ltd", "Southgate Bank"}, [2]string{"Eastfield Press", "Northwind Ltd"}), Options{}, nil)
			if err != nil {
				t.Fatal(err)
			}
			for _, q := range slices.Concat(v.whom("Southgate Bank"), v.toWhom("Eastfield Press")) {
				run, err := e.Ask(t.Context(), q, AskOptions{}, nil)
				if err != nil {
					t.Fatal(err)
				}
				if run.Plan.Doubt == plan.Sure && len(run.Answer.Items) > 0 {
					t.Errorf("%q over %q: %s, sure", q, r.name, firstFew(run.Answer.Items))
				}
			}
		}
	}
	e, err := OnGraph(t.Context(), testkg.Build(
		"Ann Rossi|trained under|Mary White", "Luke Gray|trained under|Paul Brown", "Kitchen Luna|located in|Bologna", "Mary White|located in|Bologna", "Bologna|in country|Italy",
		"Sauce|contains ingredient|Butter", "Lasagne|contains ingredient|Sauce", "Nepal|capital|Kathmandu", "Case A|cites|Case B", "Case B|cites|Case C", "Package A|depends on|Package B", "Package B|depends on|Package C",
		"Course P|taught by|Ada King", "Tom Reed|advisor|Ada King",
		"Eve Hill|wife of|Carl Hill", "Eve Hill|mother of|Dan Hill", "Carl Hill|father of|Dan Hill", "Acme|partner of|Widget", "Globex|competitor of|Acme", "Acme|competitor of|Initech",
		"Ann Lee|line manager|Bob Stone", "Carl Diaz|line manager|Ann Lee", "Carl Diaz|mentor|Bob Stone", "Ann Lee|works in|Payroll", "Payroll|part of|Finance", "Finance|located in|Leeds",
		"Ann Lee|coached by|Luke Gray", "Fox|preys on|Vole", "Vole|eats|Grass",
		"Sam Doyle|suspect in|Dock fire", "Sam Doyle|brother of|Tim Doyle",
	), Options{}, nil)
	if err != nil {
		t.Fatal(err)
	}
	for question, want := range map[string]string{
		"Who trained under Mary White?": "Ann Rossi", "Who did Ann Rossi train under?": "Mary White", "What is in Bologna?": "Mary White and Kitchen Luna", "What is Bologna in?": "Italy",
		"What contains butter?": "Sauce", "What does lasagne contain?": "Sauce", "What is the capital of Nepal?": "Kathmandu", "What is Kathmandu the capital of?": "Nepal",
		"What needs Package B?": "Package A", "What does package B need?": "Package C", "What needs Package A?": "", "Who is Tom Reed's advisor?": "Ada King", "Who is the advisor of Ada King?": "", "Who is Carl Hill's wife?": "Eve Hill", "Who is Eve Hill's wife?": "",
		"Who is Dan Hill's father?": "Carl Hill", "Who is Eve Hill's father?": "", "Who is the competitor of Acme?": "Globex", "Who is the competitor of Globex?": "", "What does Package C require?": "",
		"What cites Case B?": "Case A", "What does Case B cite?": "Case C",
		"Who is Ann Lee the line manager of?": "Carl Diaz", "Whose line manager is Ann Lee?": "Carl Diaz", "Who has Ann Lee as line manager?": "Carl Diaz", "Who does Ann Lee line manage?": "Carl Diaz", "Who is Ann Lee's line manager?": "Bob Stone",
		"Who mentors Carl Diaz?": "Bob Stone", "Who is mentored by Bob Stone?": "Carl Diaz", "Who mentors Bob Stone?": "", "Who is mentored by Carl Diaz?": "", "Who works with Ann Lee?": "",
		// The graph's own words come before what others of its relations may be called.
		"What preys on the vole?": "Fox", "What does the vole prey on?": "", "What is Finance part of?": "", "Whom did Carl Diaz coach?": "", "Who did Luke Gray coach?": "Ann Lee", "Who is the brother of a suspect in the dock fire?": "",
		"Who trained under Ann Rossi?": "", "Who did Ann Rossi train?": "", "Who was trained by Ann Rossi?": "", "What is in Kitchen Luna?": "", "What is Italy in?": "",
		"What contains lasagne?": "", "What does butter contain?": "", "What is the capital of Kathmandu?": "", "What is Kathmandu's capital?": "", "What cites Case A?": "", "What does Case C cite?": "",
	} {
		run, err := e.Ask(t.Context(), question, AskOptions{}, nil)
		if err != nil {
			t.Fatal(err)
		}
		if got := firstFew(run.Answer.Items); want != "" && got != want || want == "" && got != "" && run.Plan.Doubt == plan.Sure {
			t.Errorf("%s %s, %v, want %q", question, got, run.Plan.Doubt, want)
		}
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

// TestWhatARelationSaysOfANameIsOneWay: what is R NAME has the name as the tail of R, and what
// NAME is R has it as the head, whatever kind of word R is.
func TestWhatARelationSaysOfANameIsOneWay(t *testing.T) {
	shared.Sequential(t)
	for _, relation := range []string{
		"headquartered in", "named after", "made of", "dedicated to", "descended from", "connected to", "buried in", "spoken in", "born in", "written in",
		"responsible for", "located in", "part of", "north of", "ahead of", "older than", "above", "behind", "inside", "over", "beneath", "after", "under",
	} {
		e, err := OnGraph(t.Context(), testkg.Build("Norda|"+relation+"|Riga"), Options{}, nil)
		if err != nil {
			t.Fatal(err)
		}
		right := 0
		for form, want := range map[string]string{
			"What is R Riga?": "Norda", "What is R Norda?": "", "How many are R Riga?": "Norda", "How many are R Norda?": "", "Who is R Norda?": "", "What was R Norda?": "",
			"Which company is R Norda?": "", "List everything R Norda": "", "What is Norda R?": "Riga", "What is Riga R?": "",
		} {
			question := strings.Replace(form, "R ", relation+" ", 1)
			question = strings.Replace(question, " R?", " "+relation+"?", 1)
			run, err := e.Ask(t.Context(), question, AskOptions{}, nil)
			if err != nil {
				t.Fatal(err)
			}
			if got := firstFew(run.Answer.Items); run.Plan.Doubt == plan.Sure && got != want {
				t.Errorf("%s %s, sure, want %q", question, got, want)
			} else if run.Plan.Doubt == plan.Sure {
				right++
			}
		}
		if right < 3 && relation != "under" {
			t.Errorf("%d of 3 questions over %q are answered surely", right, relation)
		}
	}
}

// TestRolesHaveConverses: of two who are something to each other, the lexicon knows what each
// is called, whichever of the two the relation's name says.
func TestRolesHaveConverses(t *testing.T) {
	shared.Sequential(t)
	for _, c := range []struct {
		relation, tail, head string // what Emil, and what Dora is called
	}{
		{"student of", "teacher", "student"},
		{"pupil of", "teacher", "pupil"},
		{"child of", "parent", "child"},
		{"son of", "father", "son"},
		{"advisor of", "student", "advisor"},
		{"parent", "parent", "child"},
		{"teacher", "teacher", "student"},
		{"supervisor", "supervisor", "student"},
		{"doctoral advisor", "doctoral advisor", "student"},
		{"student", "student", "teacher"},
		{"child", "child", "parent"},
		{"parent of", "child", "parent"},
		{"teacher of", "student", "teacher"},
		{"fathered", "child", "father"},
		{"parents", "parent", "child"},
		{"children", "child", "parent"},
		{"husband", "husband", "wife"},
		{"wife", "wife", "husband"},
		{"husband of", "wife", "husband"},
		// Of whom something else is not known.
		{"father", "father", "-mother"},
		{"son", "son", "-daughter"},
		{"brother", "brother", "-sister"},
		{"mother of", "-father", "mother"},
	} {
		e, err := OnGraph(t.Context(), testkg.Build("Dora|"+c.relation+"|Emil"), Options{}, nil)
		if err != nil {
			t.Fatal(err)
		}
		for _, end := range []struct{ noun, who, whose string }{{c.tail, "Emil", "Dora"}, {c.head, "Dora", "Emil"}} {
			noun, isNot := strings.CutPrefix(end.noun, "-")
			for _, of := range []struct {
				whose, who string
				want       bool
			}{{end.whose, end.who, !isNot}, {end.who, end.whose, false}} {
				for _, form := range []string{"Who is the N of X?", "Who was the N of X?", "Who is X's N?"} {
					question := strings.NewReplacer("N", noun, "X", of.whose).Replace(form)
					run, err := e.Ask(t.Context(), question, AskOptions{}, nil)
					if err != nil {
						t.Fatal(err)
					}
					switch sure := run.Plan.Doubt == plan.Sure && len(run.Answer.Items) > 0; {
					case sure && (!of.want || firstFew(run.Answer.Items) != of.who):
						t.Errorf("%s over %q: %s, sure", question, c.relation, firstFew(run.Answer.Items))
					case c.relation == "son of" && noun == "father": // whose son somebody is may be the mother
					case !sure && of.want && strings.Contains(question, " of "):
						t.Errorf("%s over %q: %s, %v (%s), want %s", question, c.relation, firstFew(run.Answer.Items), run.Plan.Doubt, run.Plan.Reason, of.who)
					}
				}
			}
		}
	}
	e, err := OnGraph(t.Context(), testkg.Build("Dora|student of|Emil"), Options{}, nil)
	if err != nil {
		t.Fatal(err)
	}
	run, err := e.Ask(t.Context(), "Who taught Emil?", AskOptions{}, nil)
	if err != nil {
		t.Fatal(err)
	}
	if run.Plan.Doubt == plan.Sure {
		t.Errorf("%s taught Emil, sure", firstFew(run.Answer.Items))
	}
}

// TestWhoDoesItMayBeCalledAsTheDeed: who coaches X is the coach of X, as who trains X is the
// trainer.
func TestWhoDoesItMayBeCalledAsTheDeed(t *testing.T) {
	for relation, noun := range map[string]string{
		"coaches": "coach", "coached": "coach", "mentors": "mentor", "authored": "author", "fathered": "father", "mothered": "mother", "hosts": "host", "judged": "judge", "trains": "trainer",
	} {
		e, err := OnGraph(t.Context(), testkg.Build("Dora|"+relation+"|Emil"), Options{}, nil)
		if err != nil {
			t.Fatal(err)
		}
		for form, want := range map[string]string{
			"Who is the N of Emil?": "Dora", "Who is Emil's N?": "Dora", "Who is Dora the N of?": "Emil", "Who is the N of Dora?": "", "Who is Dora's N?": "",
		} {
			question := strings.Replace(form, "N", noun, 1)
			run, err := e.Ask(t.Context(), question, AskOptions{}, nil)
			if err != nil {
				t.Fatal(err)
			}
			if got := firstFew(run.Answer.Items); (run.Plan.Doubt == plan.Sure) != (want != "") || want != "" && got != want {
				t.Errorf("%s over %q: %s, %v, want %q", question, relation, got, run.Plan.Doubt, want)
			}
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
	shared.Sequential(t)
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

// TestClaimsKnowWhichEnd checks claims whose verb and preposition are the lexicon's, not the
// relation's own: each holds one way round only.
func TestClaimsKnowWhichEnd(t *testing.T) {
	e, err := OnGraph(t.Context(), testkg.Build("Valve V1|material|brass", "Valve V2|material|steel", "Valve V1|part of|Cooling Loop", "Valve V1|replaced by|Valve V2",
		"Ann Lee|author of|Essay", "Essay|topic|mites", "Valve V1|type|Valve", "Valve V2|type|Valve"), Options{}, nil)
	if err != nil {
		t.Fatal(err)
	}
	for claim, want := range map[string]answer.Verdict{
		"Valve V1 is made of brass.": answer.Supported, "Brass is made of Valve V1.": answer.NotFound, "Valve V1 is made of steel.": answer.NotFound,
		"Valve V1 belongs to the Cooling Loop.": answer.Supported, "The Cooling Loop belongs to Valve V1.": answer.NotFound,
		"Valve V2 replaced Valve V1.": answer.Supported, "Valve V1 replaced Valve V2.": answer.NotFound,
	} {
		run, err := e.Ask(t.Context(), claim, AskOptions{}, nil)
		if err != nil {
			t.Fatal(err)
		}
		if run.Answer.Verdict != want {
			t.Errorf("%s is %v, want %v", claim, run.Answer.Verdict, want)
		}
	}
	run, err := e.Ask(t.Context(), "Which valves have not been replaced?", AskOptions{}, nil)
	if err != nil {
		t.Fatal(err)
	}
	if got := firstFew(run.Answer.Items); got != "Valve V2" {
		t.Errorf("%q has not been replaced", got)
	}
}

// TestClaimsFollowByRule: what is transitive makes a claim hold that no triple
// says, one way round, for such relations alone, and says so.
func TestClaimsFollowByRule(t *testing.T) {
	e, err := OnGraph(t.Context(), testkg.Build("CML|subtype of|leukemia", "leukemia|subtype of|cancer", "flu|subtype of|infection",
		"Ann Lee|parent of|Bo Lee", "Bo Lee|parent of|Cy Lee", "screw|part of|wheel", "wheel|part of|cart"), Options{}, nil)
	if err != nil {
		t.Fatal(err)
	}
	for claim, want := range map[string]answer.Verdict{
		"CML is a subtype of cancer.": answer.Supported, "Is CML a subtype of cancer?": answer.Supported, "CML is not a subtype of cancer.": answer.Refuted,
		"Cancer is a subtype of CML.": answer.NotFound, "CML is a subtype of infection.": answer.NotFound, "The screw is part of the cart.": answer.Supported,
		"The cart is part of the screw.": answer.NotFound, "Ann Lee is a parent of Cy Lee.": answer.NotFound,
	} {
		run, err := e.Ask(t.Context(), claim, AskOptions{}, nil)
		if err != nil {
			t.Fatal(err)
		}
		if run.Answer.Verdict != want || want != answer.NotFound && (len(run.Answer.Pack.Triples) != 2 || !run.Answer.Sentences[len(run.Answer.Sentences)-1].Note) {
			t.Errorf("%s is %v by %v, want %v", claim, run.Answer.Verdict, run.Answer.Sentences, want)
		}
	}
}

// TestNothingSharesWithItself: what shares something has it with another, and where nothing
// can be shared "same" is not read.
func TestNothingSharesWithItself(t *testing.T) {
	e, err := OnGraph(t.Context(), testkg.Build("Wind|type|Band", "Gate|type|Band", "Side|type|Band", "Wind|has member|Cal", "Gate|has member|Cal", "Side|has member|Eli",
		"Leeds|type|City", "York|type|City", "Wind|formed in|Leeds", "Side|formed in|Leeds", "Gate|formed in|York"), Options{}, nil)
	if err != nil {
		t.Fatal(err)
	}
	for question, want := range map[string]string{
		"Which bands share a member?": "Gate and Wind", "Which bands have a member in common?": "Gate and Wind", "Which bands share a member with Wind?": "Gate",
		"Which bands were formed in the same city?": "Side and Wind",
	} {
		run, err := e.Ask(t.Context(), question, AskOptions{}, nil)
		if err != nil {
			t.Fatal(err)
		}
		if got := firstFew(run.Answer.Items); got != want && run.Plan.Doubt == plan.Sure {
			t.Errorf("%s %s, sure, want %s", question, got, want)
		}
	}
}

// TestTheAskedKindIsNoStep: the city that somebody is the mayor of is a city already, and whose
// mayor somebody is has the mayor.
func TestTheAskedKindIsNoStep(t *testing.T) {
	e, err := OnGraph(t.Context(), testkg.Build("Ashford|mayor|Ida Holm", "Birchton|mayor|Per Lund", "Ida Holm|born in|Birchton", "Per Lund|born in|Ashford",
		"Ashford|located in|Northland", "Birchton|located in|Southland", "Ashford|twin town|Birchton", "Northland|capital|Ashford"), Options{}, nil)
	if err != nil {
		t.Fatal(err)
	}
	for question, want := range map[string]string{"Which city is Per Lund the mayor of?": "Birchton", "Whose mayor is Ida Holm?": "Ashford"} {
		run, err := e.Ask(t.Context(), question, AskOptions{}, nil)
		if err != nil {
			t.Fatal(err)
		}
		if got := firstFew(run.Answer.Items); got != want || run.Plan.Doubt != plan.Sure {
			t.Errorf("%s %s, %v, want %s", question, got, run.Plan.Doubt, want)
		}
	}
}

// TestMixedThingsAreInDoubt: a noun that is no type of a graph with types, and stands for
// things of many types there or for some of those that it names, is not taken for sure.
func TestMixedThingsAreInDoubt(t *testing.T) {
	shared.Sequential(t)
	e := openSample(t)
	for question, want := range map[string]plan.Doubt{
		"List all places.": plan.Unsure, "Which places did Marie Curie not discover?": plan.Unsure,
		"List all rivers.": plan.Sure, "List all elements.": plan.Sure, "Which elements did Marie Curie not discover?": plan.Sure,
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

// TestOneNounIsOneThing asks what artists did: that they did it to the work of another makes
// that one no answer.
func TestOneNounIsOneThing(t *testing.T) {
	e, err := OnGraph(t.Context(), testkg.Build(
		"Night Harbor|artist|Lena Ost", "Red Field|artist|Lena Ost", "Quiet Room|artist|Max Ilg", "Old Mill|artist|Rosa Lund",
		"Quiet Room|donated by|Lena Ost", "Night Harbor|donated by|Karl Voss",
	), Options{}, nil)
	if err != nil {
		t.Fatal(err)
	}
	for question, want := range map[string]string{"Which artists donated artworks?": "", "List the artists": "Lena Ost, Max Ilg and Rosa Lund", "What did Karl Voss donate?": "Night Harbor"} {
		run, err := e.Ask(t.Context(), question, AskOptions{}, nil)
		if err != nil {
			t.Fatal(err)
		}
		if got := firstFew(run.Answer.Items); want != "" && got != want || want == "" && run.Plan.Doubt == plan.Sure {
			t.Errorf("%s %s, %v, want %q", question, got, run.Plan.Doubt, want)
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

// TestTheGraphsOwnWords asks small graphs without types in words that their relations have, or
// come from: the answer is there, whole, and sure.
func TestTheGraphsOwnWords(t *testing.T) {
	for _, c := range []struct {
		triples []string
		want    map[string]string
	}{
		{
			[]string{
				"Calculus|taught by|Moreau", "Algebra|taught by|Moreau", "Logic|taught by|Okafor", "Moreau|supervises|Tan", "Moreau|supervises|Bauer",
				"Moreau|studied under|Okafor", "Okafor|supervises|Ali",
			},
			map[string]string{
				"Whose supervisor is Moreau?": "Tan and Bauer", "Who is the supervisor of Tan?": "Moreau", "Who did Moreau study under?": "Okafor",
				"Who studied under Okafor?": "Moreau", "Who taught Calculus?": "Moreau", "What did Moreau teach?": "Calculus and Algebra",
			},
		},
		{ // what is stored one way holds both ways
			[]string{"Hill Farm|borders|Brook Farm", "Brook Farm|borders|Mill Farm", "Hill Farm|owned by|Greta Holm", "Mill Farm|leased from|Lord Ashby", "Town Bakery|supplied by|North Mill"},
			map[string]string{
				"What borders Brook Farm?": "Hill Farm and Mill Farm", "What borders Hill Farm?": "Brook Farm", "Who owns Hill Farm?": "Greta Holm",
				"From whom is Mill Farm leased?": "Lord Ashby", "Who supplies Town Bakery?": "North Mill", "Who does North Mill supply?": "Town Bakery",
			},
		},
		{ // who is done to is an employee, a trainee, and who does it is not
			[]string{"Bolt|employee|Ana", "Bolt|employee|Ben", "Cogs|employee|Cid", "Ana|occupation|tinner", "Ben|occupation|tinner", "Ana|child|Dan", "Ben|child|Eva", "Eva|child|Ana", "Moreau|trainee|Tan", "Okafor|trainee|Moreau"},
			map[string]string{
				"Who employs Ana?": "Bolt", "Who is employed by Bolt?": "Ana and Ben", "Who does Bolt employ?": "Ana and Ben", "Who is the employee of Bolt?": "Ana and Ben",
				"Who trained Moreau?": "Okafor", "Who did Moreau train?": "Tan", "Who was trained by Moreau?": "Tan",
				"Whose child is Dan?": "Ana", "Whose child is Ana?": "Eva", "Whose child is Eva?": "Ben", "Who was a tinner?": "Ana and Ben", "Who is a tinner?": "Ana and Ben", "What is a tinner?": "tinner",
			},
		},
		{ // two words for one relation are two steps, and a bound that its name has is none
			[]string{
				"Westish|descends from|Proto", "Eastish|descends from|Proto", "Tolm|descends from|Westish", "Bren|descends from|Westish",
				"Radio Alba|on air since|1976", "Radio Vento|on air since|1981", "Onda Blu|on air since|1999",
				"Proto : language", "Westish : language", "Eastish : language", "Tolm : language", "Bren : language", "Radio Alba : station", "Radio Vento : station", "Onda Blu : station",
			},
			map[string]string{
				"Which languages descend from descendants of Proto?": "Tolm and Bren", "What descends from Proto?": "Westish and Eastish", "What are the descendants of Proto?": "Westish and Eastish",
				"Which stations have been on air since 1981?": "Radio Vento", "Which stations have been on air since before 1990?": "Radio Alba and Radio Vento",
			},
		},
		{ // a noun of two words asks for one step
			[]string{"Aurora|sister ship|Borealis", "Borealis|sister ship|Aurora", "Coral|sister ship|Delphi", "Borealis|owner|Baltic Lines", "Aurora|owner|Oceanic"},
			map[string]string{
				"What is the sister ship of Aurora?": "Borealis", "Who owns the sister ship of Aurora?": "Baltic Lines",
				"What is the sister ship of the sister ship of Aurora?": "Aurora",
			},
		},
	} {
		e, err := OnGraph(t.Context(), testkg.Build(c.triples...), Options{}, nil)
		if err != nil {
			t.Fatal(err)
		}
		for question, want := range c.want {
			run, err := e.Ask(t.Context(), question, AskOptions{}, nil)
			if err != nil {
				t.Fatal(err)
			}
			if got := firstFew(run.Answer.Items); got != want || run.Plan.Doubt == plan.Unsure && len(run.Plan.Readings[0].Pattern.Edges) == 1 {
				t.Errorf("%s %s, %v (%s), want %s", question, got, run.Plan.Doubt, run.Plan.Reason, want)
			}
		}
	}
}

// TestKindsThatNoTypeTells asks for kinds of things of which a graph has no types: what all names
// at an end begin with is a kind, what all there have a value of is found, and in doubt where the
// graph does not say that it is of that kind.
func TestKindsThatNoTypeTells(t *testing.T) {
	e, err := OnGraph(t.Context(), testkg.Build(
		"checkout|calls|pricing", "search|calls|pricing", "checkout|owned by|Team Red", "search|owned by|Team Blue", "checkout|replicas|5", "search|replicas|2",
		"pricing|replicas|9", "checkout|elected|2019-05-02", "search|elected|2012-05-02", "checkout|led by|Team Red", "search|led by|Ann",
	), Options{}, nil)
	if err != nil {
		t.Fatal(err)
	}
	for question, want := range map[string]string{
		"Which team owns checkout?": "Team Red", "Which teams own search?": "Team Blue", "What has more than 3 replicas?": "checkout and pricing",
		"What has the most replicas?": "pricing", "Which services have more than 3 replicas?": "?checkout and pricing", "Which service has the most replicas?": "?pricing",
		"How many services have more than 3 replicas?": "?", "Which service calls pricing?": "?checkout and search", "Which team leads search?": "?Ann",
		"Who was elected first?": "?search", "Who was elected in 2019?": "?checkout", "Who was elected before 2015?": "?search", "What was elected last?": "checkout",
		"Which service was elected last?": "?checkout",
	} {
		run, err := e.Ask(t.Context(), question, AskOptions{}, nil)
		if err != nil {
			t.Fatal(err)
		}
		got := firstFew(run.Answer.Items)
		if run.Plan.Doubt != plan.Sure {
			got = "?" + got
		}
		if got != want {
			t.Errorf("%s %s (%s), want %s", question, got, run.Plan.Reason, want)
		}
	}
}

// TestKindsAboveTypes asks for a kind that no thing has as its own, but by the kinds below it, and
// claims what is of which kind by a relation of any name that says what the types say.
func TestKindsAboveTypes(t *testing.T) {
	var b kg.Builder
	for _, x := range [][2]string{{"Ann", "Councillor"}, {"Ben", "Mayor"}, {"Cid", "Baker"}} {
		b.AddType(b.Entity(x[0]), x[1])
		b.Add(x[0], "category", x[1])
	}
	b.Add("Councillor", "subclass of", "Official")
	b.Add("Mayor", "subclass of", "Official")
	b.Add("Official", "rdfs:subClassOf", "Politician")
	b.Add("Baker", "subclass of", "Artisan")
	e, err := OnGraph(t.Context(), b.Graph(), Options{}, nil)
	if err != nil {
		t.Fatal(err)
	}
	for question, want := range map[string]string{"Which politicians are there?": "Ann and Ben", "How many officials are there?": "Ann and Ben", "Which artisans are there?": "Cid", "Which mayors are there?": "Ben"} {
		run, err := e.Ask(t.Context(), question, AskOptions{}, nil)
		if err != nil {
			t.Fatal(err)
		}
		if got := firstFew(run.Answer.Items); got != want || run.Plan.Doubt != plan.Sure {
			t.Errorf("%s %s, %v (%s), want %s", question, got, run.Plan.Doubt, run.Plan.Reason, want)
		}
	}
	for claim, want := range map[string]answer.Verdict{
		"Ann is a politician.": answer.Supported, "Is Ann a politician?": answer.Supported, "Ann is an official.": answer.Supported, "Cid is an artisan.": answer.Supported, "Ann is not a politician.": answer.Refuted,
		"Cid is a politician.": answer.NotFound, "Ann is an artisan.": answer.NotFound, "Ann is a famous politician.": answer.NotFound, "Ann is the politician.": answer.NotFound,
		"Ann is a councillor.": answer.Supported, "Is Ann a mayor?": answer.NotFound, "Ann is a baker.": answer.NotFound,
	} {
		run, err := e.Ask(t.Context(), claim, AskOptions{}, nil)
		if err != nil {
			t.Fatal(err)
		}
		if run.Answer.Verdict != want {
			t.Errorf("%s %v (%s), want %v", claim, run.Answer.Verdict, reading(run), want)
		}
	}
}

// TestNoOtherAnswerIsSure asks what graphs have of other names, of things of other kinds, or
// the other way round: an answer but the right one is never sure, and such a claim never holds.
func TestNoOtherAnswerIsSure(t *testing.T) {
	for _, c := range []struct {
		triples []string
		right   map[string]string // "" for none, and for claims that the graph does not say
	}{
		{ // names do not take each other's words
			[]string{"Ada|born in|Oslo", "Ada|died in|Turin", "Anna|arrested|Boris", "Boris|robbed|Emil", "Coast Line|starts at|Ashby", "Coast Line|ends at|Norton"},
			map[string]string{
				"Who was born in Turin and died in Oslo?": "", "Who was born in Oslo and died in Turin?": "Ada", "Ada was born in Turin and died in Oslo.": "",
				"Boris robbed Anna and arrested Emil.": "", "The Coast Line starts at Norton and ends at Ashby.": "",
			},
		},
		{ // who sends something to somebody
			[]string{"Ash|transferred money to|Birch", "Birch|transferred money to|Cedar", "Ash|type|Company", "Birch|type|Company", "Cedar|type|Person"},
			map[string]string{"Who transferred money to Birch?": "Ash", "To whom did Birch transfer money?": "Cedar"},
		},
		{ // who holds shares is no holder of an account, nor shares it
			[]string{"Ash|holds account at|Bank", "Oak|holds account at|Bank", "Ash|shareholder of|Birch", "Ash|type|Company", "Oak|type|Company", "Birch|type|Company"},
			map[string]string{"Which companies does Ash hold shares in?": "Birch", "Who holds shares in Birch?": "Ash"},
		},
		{ // what takes place is no place, who is the librettist need be called nothing else, and no number sells
			[]string{
				"Carmen at Hall|type|Performance", "Tosca at Hall|type|Performance", "Carmen at Hall|venue|Hall", "Tosca at Hall|venue|Hall", "Hall|type|Place",
				"Carmen at Hall|date|2021-03-04", "Tosca at Hall|date|2023-03-04", "Carmen at Hall|tickets sold|640", "Tosca at Hall|tickets sold|3600",
				"Carmen|type|Work", "Salome|type|Work", "Parsifal|type|Work", "Parsifal|librettist|Wagner", "Carmen|librettist|Meilhac", "Meilhac|type|Librettist", "Wagner|type|Composer",
				"Wagner|born|1813", "Meilhac|born|1830", "Bizet|type|Composer", "Bizet|born|1838", "Wagner|died|1883", "Bizet|died|1875",
			},
			map[string]string{
				"Which performances took place after 2022?": "Tosca at Hall", "Which works have no librettist?": "Salome", "Which performance sold the most tickets?": "Tosca at Hall",
				"Which composer died youngest?": "Bizet", "Which composer died oldest?": "Wagner",
			},
		},
		{ // what goes one way goes no other
			[]string{"Gpl|compatible with|Apache", "Mit|compatible with|Gpl", "Mit|type|Licence", "Gpl|type|Licence", "Apache|type|Licence"},
			map[string]string{"Which licences are compatible with Gpl?": "Mit", "Gpl is compatible with Mit.": ""},
		},
		{ // who paints somebody in a place need not be there
			[]string{"Leo|type|Writer", "Leo|lives in|Kyoto", "Mia|type|Painter", "Mia|painted|Leo", "Ben|type|Painter", "Ben|lives in|Oslo", "Emma|written by|Leo"},
			map[string]string{"Which painter lives in Kyoto?": "", "Which painter lives in Oslo?": "Ben", "Which painter wrote Emma?": "", "Which painter painted Leo?": "Mia"},
		},
		{ // shares that are held are not had in common
			[]string{"Talus|holds shares in|Brixon", "Menhir|holds shares in|Brixon", "Menhir|holds shares in|Talus"},
			map[string]string{"What does Talus hold shares in?": "Brixon", "Who holds shares in Brixon?": "Talus and Menhir"},
		},
		{ // an employee employs nobody
			[]string{"Bolt|employee|Ana", "Cogs|employee|Cid", "Tan|trainee of|Moreau", "Moreau|trainee of|Okafor", "Summit|attendee|Ana"},
			map[string]string{
				"Who employs Bolt?": "", "Who does Ana employ?": "", "Ana employs Bolt.": "", "Bolt is employed by Ana.": "", "Who trained Moreau?": "Okafor", "Who did Tan train?": "",
				"Tan trained Moreau.": "", "Moreau is trained by Tan.": "", "Who attends Ana?": "",
			},
		},
		{ // who has something is not what is had
			[]string{"Kiri|mother|Bandi", "Tumi|mother|Zola", "Ana|child|Bea", "Dan|child|Ana"},
			map[string]string{"Which people have a mother?": "Kiri and Tumi", "Who has a mother?": "Kiri and Tumi", "Whose child is Bea?": "Ana", "Whose child is Dan?": ""},
		},
		{ // one word is not read for two relations, there and back
			[]string{"Ann|voted for|Bike", "Dev|voted against|Bike", "Eve|argued for|Law", "Bob|argued against|Law"},
			map[string]string{
				"What did Ann vote against?": "", "How many did Ann vote against?": "", "What did Eve argue against?": "", "What did Bob argue for?": "",
				"What did Dev vote against?": "Bike", "Who argued against what Eve argued for?": "Bob",
			},
		},
		{ // both ends of what joins things of a kind are such things
			[]string{"A1|interacts with|B1", "Ann|friend of|Bob", "Cem|friend of|Bob"},
			map[string]string{"How many proteins are there?": "A1 and B1", "How many people are there?": "Ann, Bob and Cem"},
		},
		{
			[]string{"Tim|parent|Ann", "Zoe|parent|Ann"},
			map[string]string{"How many people are there?": "Tim, Ann and Zoe", "How many parents are there?": "Ann"},
		},
		{ // a verb said twice, or two that the graph has, are two steps
			[]string{"search|calls|pricing", "checkout|calls|pricing", "MDM2|inhibits|TP53", "nutlin|targets|MDM2"},
			map[string]string{"What calls what search calls?": "checkout", "What targets what inhibits TP53?": "nutlin", "What inhibits TP53?": "MDM2"},
		},
		{ // whose something is is not the thing itself
			[]string{"Ed1|translated by|Kandel", "Ed1|is edition of|Cyb", "Cyb|author|Lem", "Cyb|type|Work", "Nye|translated|Mol", "Mol|type|Work", "Ann|teaches|Bea", "Dan|child|Bea"},
			map[string]string{"Whose works did Kandel translate?": "Lem", "Whose works did Nye translate?": "", "Whose child does Ann teach?": "Dan"},
		},
		{ // what something is written in has not written it
			[]string{"checkout|written in|Go"},
			map[string]string{"Who wrote checkout?": "", "Who is checkout written by?": "", "By whom was checkout written?": "", "What is checkout written in?": "Go", "What is written in Go?": "checkout"},
		},
		{ // only the lexicon says that people are born in cities; whose birthplace it is, the graph does
			[]string{"Ada|born in|Oslo", "Dan|born in|Norway", "Red Hawks|coach|Ada"},
			map[string]string{"How many cities are there?": "", "Which cities are there?": "", "How many birthplaces are there?": "Oslo and Norway", "How many coaches are there?": "Ada"},
		},
		{ // what is based at something does not follow from where that is
			[]string{"Nordic|based in|Oslo", "Thai|spoken in|Thailand", "Hilda|born in|Oslo", "Hilda|plays for|Hawks"},
			map[string]string{"What is based at Nordic?": "", "What is based at Oslo?": "Nordic", "What is spoken at Thai?": "", "Who was born in Hilda?": "", "What plays for Hilda?": ""},
		},
		{ // what is said behind a noun is said of that, and not of who has it
			[]string{
				"Ada|mentor|Bo", "Bo|mentor|Cy", "Dan|mentor|Bo", "Eve|mentor|Cy", "Ada|town|Rome", "Bo|town|Oslo", "Cy|town|Rome", "Dan|town|Oslo", "Eve|town|Bern",
				"Ada|studied under|Bo", "Bo|studied under|Cy", "Bo|is spoken to in|Rome", "Ada|studies|Etna", "Etna : Volcano",
			},
			map[string]string{
				"Who has a mentor in Rome?": "Bo and Eve", "Whose mentor is in Oslo?": "Ada and Dan", "Which people have a mentor in Oslo?": "Ada and Dan", "Who mentors a person in Rome?": "Bo",
				"Which people studied under a person in Oslo?": "Ada", "Where did Ada study?": "", "Where was Ada educated?": "", "Where was Bo educated?": "",
			},
		},
		{ // the last word of a kind names it
			[]string{
				"Argo : clinical trial", "Bea : clinical trial", "Ceto : clinical trial", "Helv : company", "Nor : company", "Argo|sponsored by|Helv", "Bea|sponsored by|Helv",
				"Ceto|sponsored by|Nor", "Argo|enrolled|40", "Bea|enrolled|90", "Ceto|enrolled|70", "Argo|adverse event|nausea", "Dom : point of interest", "Dom|run by|Nor",
			},
			map[string]string{
				"Which trials have no adverse event?": "Bea and Ceto", "Which trial enrolled the most?": "Bea", "Which company sponsored the most trials?": "Helv",
				"Which trials did Helv sponsor?": "Argo and Bea", "List the trials.": "Argo, Bea and Ceto", "Which interests does Nor run?": "",
			},
		},
		{ // nobody is Scottish by that being a value
			[]string{"Paul|nationality|Scottish", "Mia|status|retired", "East|steepness|55", "West|steepness|40"},
			map[string]string{"Who is Scottish?": "Paul", "Who are Scottish?": "Paul", "What is Scottish?": "Paul", "Who is retired?": "Mia", "Who is Paul?": "Paul", "What is fancier than the East?": ""},
		},
		{ // who moved it may have voted for it
			[]string{"Park|moved by|Dev", "Dev|voted for|Park", "Cora|voted for|Park", "Dev|type|Councillor", "Cora|type|Councillor", "Park|type|Motion"},
			map[string]string{"Which councillors voted for a motion that Dev moved?": "Dev and Cora"},
		},
	} {
		e, err := OnGraph(t.Context(), testkg.Build(c.triples...), Options{}, nil)
		if err != nil {
			t.Fatal(err)
		}
		for question, want := range c.right {
			run, err := e.Ask(t.Context(), question, AskOptions{}, nil)
			if err != nil {
				t.Fatal(err)
			}
			if got := firstFew(run.Answer.Items); got != want && run.Plan.Doubt == plan.Sure && run.Answer.Refusal == nil || want == "" && run.Answer.Verdict == answer.Supported {
				t.Errorf("%s %s, %v by %v, want %q", question, got, run.Answer.Verdict, run.Plan.Doubt, want)
			}
		}
	}
}

// TestPastFormsAreVerbs asks and claims, over relations named by a past that looks like another
// form of the verb or like no verb at all, who did what: the head did it, and where the name
// ends in "by" the tail.
func TestPastFormsAreVerbs(t *testing.T) {
	const a, b = "Nitto Works", "Peralux"
	for _, v := range []struct{ relation, past, participle, base string }{
		{"sued", "sued", "sued", "sue"},
		{"freed", "freed", "freed", "free"},
		{"beat", "beat", "beaten", "beat"},
		{"hit", "hit", "hit", "hit"},
		{"bit", "bit", "bitten", "bite"},
		{"outbid", "outbid", "outbid", "outbid"},
		{"robbed", "robbed", "robbed", "rob"},
		{"mimicked by", "mimicked", "mimicked", "mimic"},
		{"sued_by", "sued", "sued", "sue"},
	} {
		triple := a + "|" + v.relation + "|" + b
		if strings.HasSuffix(v.relation, "by") {
			triple = b + "|" + v.relation + "|" + a
		}
		e, err := OnGraph(t.Context(), testkg.Build(triple), Options{}, nil)
		if err != nil {
			t.Fatal(err)
		}
		ask := func(text string) *Run {
			run, err := e.Ask(t.Context(), text, AskOptions{}, nil)
			if err != nil {
				t.Fatal(err)
			}
			return run
		}
		for question, want := range map[string]string{
			"Who " + v.past + " " + b + "?": a, "What does " + a + " " + v.base + "?": b, "Who was " + v.participle + " by " + a + "?": b,
			"Who " + v.past + " " + a + "?": "", "What does " + b + " " + v.base + "?": "", "Who was " + v.participle + " by " + b + "?": "",
		} {
			run := ask(question)
			switch found := run.Answer.Items; {
			case want == "" && len(found) > 0 && run.Plan.Doubt == plan.Sure:
				t.Errorf("%q over %q is surely %v", question, triple, found)
			case want != "" && (len(found) != 1 || found[0].Label != want || run.Plan.Doubt != plan.Sure):
				t.Errorf("%q over %q is %v (%v), want %s", question, triple, found, run.Plan.Doubt, want)
			}
		}
		for claim, want := range map[string]answer.Verdict{
			a + " " + v.past + " " + b + ".": answer.Supported, b + " was " + v.participle + " by " + a + ".": answer.Supported,
			b + " " + v.past + " " + a + ".": answer.NotFound, a + " was " + v.participle + " by " + b + ".": answer.NotFound,
		} {
			if got := ask(claim).Answer.Verdict; got != want {
				t.Errorf("%q over %q: %v, want %v", claim, triple, got, want)
			}
		}
	}
}

// TestWhatQualifiesIsNotPassedOver asks over relations whose names have a word that changes what
// the others mean: a question without it is in doubt, one with it is not, nor one that leaves
// out a word that changes nothing.
func TestWhatQualifiesIsNotPassedOver(t *testing.T) {
	e, err := OnGraph(t.Context(), testkg.Build(
		"Ann|deputy head of|Firm", "web02|backup_owner|Team Boreas", "Dov|formerlyWorkedFor|Nitto", "Vanessa|larva_feeds_on|Nettle", "Bea|honorary member of|Club", "Hall|planned opening|2030",
		"Eva|step_mother_of|Tim", "Max|ex-husband|Ina", "Ole|nearly bought|Farm", "Pia|failed to climb|Eiger", "Sue|wants to visit|Rome", "Tart|free of|nuts",
		"Lea|place of birth|Ulm", "Aurora|home port|Bergen", "Aurora|year built|1999", "Heat|starred actors|Jo Dee",
	), Options{}, nil)
	if err != nil {
		t.Fatal(err)
	}
	for question, sure := range map[string]bool{
		"Who is the head of Firm?": false, "Who is the deputy head of Firm?": true, "Who owns web02?": false, "Who is the backup owner of web02?": true,
		"Who works for Nitto?": false, "Who formerly worked for Nitto?": true, "What does Vanessa feed on?": false, "Who is a member of Club?": false, "Who is an honorary member of Club?": true,
		"When is the opening of Hall?": false, "When is the planned opening of Hall?": true, "Who is the mother of Tim?": false, "Who is the step mother of Tim?": true,
		"Who is Max's husband?": false, "Who is Max's ex-husband?": true, "Who bought Farm?": false,
		"Who climbed Eiger?": false, "Who failed to climb Eiger?": true, "Who visits Rome?": false, "Who wants to visit Rome?": true, "What has nuts?": false, "What is free of nuts?": true,
		"Where was Lea born?": true, "What is the port of Aurora?": true, "When was Aurora built?": true, "Who starred in Heat?": true, "Who are the actors of Heat?": true,
	} {
		run, err := e.Ask(t.Context(), question, AskOptions{}, nil)
		if err != nil {
			t.Fatal(err)
		}
		if (run.Plan.Doubt == plan.Sure) != sure {
			t.Errorf("%s %s is %v (%s), want sure %v", question, firstFew(run.Answer.Items), run.Plan.Doubt, run.Plan.Reason, sure)
		}
	}
}

// TestAnotherPrepositionIsInDoubt asks over relations whose names end in a preposition: a question
// with another is in doubt, one with the same is not, nor one with another that says the same.
func TestAnotherPrepositionIsInDoubt(t *testing.T) {
	var b kg.Builder
	for _, f := range [][3]string{
		{"Alp", "reached_from", "Brenn"},
		{"Bell", "located in", "Ober"},
		{"Gadget", "sold_to", "Hall"},
		{"Adam", "came_from", "Brix"},
		{"Carl", "moved_to", "Dorn"},
		{"Emil", "escaped_from", "Fort"},
		{"Kelp", "grows_under", "Loch"},
		{"Ivo", "born_near", "Jena"},
		{"Quin", "born in", "Rom"},
		{"Zed", "works for", "Nitto"},
	} {
		b.Add(f[0], f[1], f[2])
	}
	b.AddType(b.Entity("Alp"), "hut")
	b.AddType(b.Entity("Bell"), "hut")
	e, err := OnGraph(t.Context(), b.Graph(), Options{}, nil)
	if err != nil {
		t.Fatal(err)
	}
	for question, sure := range map[string]bool{
		"Which hut is in Brenn?": false, "Which hut is reached from Brenn?": true, "Which hut is in Ober?": true, "Which hut is at Ober?": true,
		"What was sold from Hall?": false, "What was sold at Hall?": false, "What was sold to Hall?": true,
		"Who came to Brix?": false, "Who came from Brix?": true, "Who moved from Dorn?": false, "Who moved to Dorn?": true, "Where did Carl move from?": false,
		"Who escaped to Fort?": false, "Who escaped from Fort?": true, "What grows in Loch?": false, "What grows under Loch?": true,
		"Who was born in Jena?": false, "Who was born near Jena?": true, "Who was born in Rom?": true, "Who works at Nitto?": true,
	} {
		run, err := e.Ask(t.Context(), question, AskOptions{}, nil)
		if err != nil {
			t.Fatal(err)
		}
		if (run.Plan.Doubt == plan.Sure) != sure {
			t.Errorf("%s %s is %v (%s), want sure %v", question, firstFew(run.Answer.Items), run.Plan.Doubt, run.Plan.Reason, sure)
		}
	}
}

// TestYesOrNoIsLookedAt asks over relations that lead to yes or no alone: that one is there does
// not tell which, so no answer is sure that looks at neither, and claims are decided by which it is.
func TestYesOrNoIsLookedAt(t *testing.T) {
	var b kg.Builder
	for _, hut := range [][2]string{{"Firnblick", "no"}, {"Alpblick", "yes"}} {
		b.Add(hut[0], "winter_room", hut[1])
		b.Add(hut[0], "owner", "Alpine Club")
		b.Add(hut[0], "is_fire_proof", hut[1])
		b.AddType(b.Entity(hut[0]), "hut")
	}
	e, err := OnGraph(t.Context(), b.Graph(), Options{}, nil)
	if err != nil {
		t.Fatal(err)
	}
	for question, want := range map[string]plan.Doubt{
		"Which huts have a winter room?": plan.Sure, "How many huts have a winter room?": plan.Sure, "What is the winter room of Firnblick?": plan.Sure, "Which huts have no winter room?": plan.Sure, "Which huts have an owner?": plan.Sure,
	} {
		run, err := e.Ask(t.Context(), question, AskOptions{}, nil)
		if err != nil {
			t.Fatal(err)
		}
		if run.Plan.Doubt != want || strings.HasSuffix(question, "huts have a winter room?") && firstFew(run.Answer.Items) != "Alpblick" {
			t.Errorf("%s %s is %v (%s), want %v", question, firstFew(run.Answer.Items), run.Plan.Doubt, run.Plan.Reason, want)
		}
	}
	for claim, want := range map[string]answer.Verdict{
		"Alpblick is fire proof.": answer.Supported, "Firnblick is not fire proof.": answer.Supported, "Firnblick is fire proof.": answer.Refuted, "Is Firnblick fire proof?": answer.Refuted,
		"Alpblick isn't fire proof.": answer.Refuted, "Alpblick is fire proof in winter.": answer.NotFound, "The Alpine Club is fire proof.": answer.NotFound,
		"Firnblick has no winter room.": answer.Supported, "Firnblick has a winter room.": answer.Refuted, "Firnblick has an owner.": answer.Supported,
	} {
		run, err := e.Ask(t.Context(), claim, AskOptions{}, nil)
		if err != nil {
			t.Fatal(err)
		}
		if run.Answer.Verdict != want {
			t.Errorf("%s %v (%s), want %v", claim, run.Answer.Verdict, reading(run), want)
		}
	}
}

// TestNumbersAreNoYears asks over values of things in a graph whose statements say when they were
// so: what a word of the question names is compared, and no statement.
func TestNumbersAreNoYears(t *testing.T) {
	var b kg.Builder
	for _, c := range [][3]string{{"Ann", "1200", "1990"}, {"Ben", "10", "1993"}, {"Cid", "5000", "1999"}} {
		b.AddType(b.Entity(c[0]), "company")
		b.Add(c[0], "employees", c[1])
		b.Add(c[0], "founded", c[2])
	}
	b.AddStatement("Ann", "owns", "Ben", kg.Property{Name: "start", Value: "2010", Entity: kg.NoEntity}, kg.Property{Name: "end", Value: "2012", Entity: kg.NoEntity})
	e, err := OnGraph(t.Context(), b.Graph(), Options{}, nil)
	if err != nil {
		t.Fatal(err)
	}
	for question, want := range map[string]string{
		"Which companies have more than 1000 employees?": "Ann and Cid", "How many companies have more than 1000 employees?": "Ann and Cid",
		"Which companies were founded before 1995?": "Ann and Ben", "What did Ann own after 2011?": "Ben", "What did Ann own before 2009?": "",
	} {
		run, err := e.Ask(t.Context(), question, AskOptions{}, nil)
		if err != nil {
			t.Fatal(err)
		}
		if got := firstFew(run.Answer.Items); got != want && (want != "" || run.Answer.Refusal == nil) {
			t.Errorf("%s %s, %v, want %q", question, got, run.Plan.Doubt, want)
		}
	}
}

// TestANounOfOneGenderAsksForIt: who is a sister is a sibling, but not every sibling is a sister.
func TestANounOfOneGenderAsksForIt(t *testing.T) {
	for relation, nouns := range map[string][2]string{
		"sibling": {"brother", "sister"}, "married to": {"husband", "wife"}, "parent": {"father", "mother"}, "child": {"son", "daughter"}, "spouse": {"husband", "wife"},
	} {
		for gender, want := range map[string][2]plan.Doubt{
			"": {plan.Unsure, plan.Unsure}, "Emil|gender|male": {plan.Sure, plan.NoRelation}, "Emil|sex|female": {plan.NoRelation, plan.Sure},
		} {
			triples := []string{"Dora|" + relation + "|Emil"}
			if gender != "" {
				triples = append(triples, gender)
			}
			e, err := OnGraph(t.Context(), testkg.Build(triples...), Options{}, nil)
			if err != nil {
				t.Fatal(err)
			}
			for i, noun := range nouns {
				for _, form := range []string{"Who is the N of Dora?", "Who is Dora's N?"} {
					question := strings.Replace(form, "N", noun, 1)
					run, err := e.Ask(t.Context(), question, AskOptions{}, nil)
					if err != nil {
						t.Fatal(err)
					}
					if run.Plan.Doubt != want[i] {
						t.Errorf("%s over %q, %q: %s, %v, want %v", question, relation, gender, firstFew(run.Answer.Items), run.Plan.Doubt, want[i])
					}
				}
			}
		}
	}
}

// TestValuesAreWhatIsAsked: what something is on may be no time, and the number of a room is not
// how many there are.
func TestValuesAreWhatIsAsked(t *testing.T) {
	for _, c := range []struct {
		triple, question string
		want             plan.Doubt
	}{
		{"Tom|died on|Oltu", "When did Tom die?", plan.NoRelation},
		{"Camp|built on|Oltu", "When was Camp built?", plan.NoRelation},
		{"Tom|died on|1990-01-02", "When did Tom die?", plan.Sure},
		{"Camp|built on|3 May 1911", "When was Camp built?", plan.Sure},
		{"Camp|built in|1911", "When was Camp built?", plan.Sure},
		{"Maths|room|12", "How many rooms does Maths have?", plan.Unsure},
		{"House|floor|3", "How many floors does House have?", plan.Unsure},
		{"Ann|jersey number|10", "How many jerseys does Ann have?", plan.Unsure},
		{"House|floors|3", "How many floors does House have?", plan.Sure},
		{"Ann|number of cows|10", "How many cows does Ann have?", plan.Sure},
		{"Ann|cow count|10", "How many cows does Ann have?", plan.Sure},
		{"Norda|inhabitants|300", "How many inhabitants does Norda have?", plan.Sure},
	} {
		e, err := OnGraph(t.Context(), testkg.Build(c.triple), Options{}, nil)
		if err != nil {
			t.Fatal(err)
		}
		run, err := e.Ask(t.Context(), c.question, AskOptions{}, nil)
		if err != nil {
			t.Fatal(err)
		}
		if run.Plan.Doubt != c.want {
			t.Errorf("%s over %s: %s, %v, want %v", c.question, c.triple, firstFew(run.Answer.Items), run.Plan.Doubt, c.want)
		}
	}
}

// TestTheOtherEndIsNotGiven: what is asked of the end that a relation says nothing of has no sure
// answer, nor has what another verb asks for.
func TestTheOtherEndIsNotGiven(t *testing.T) {
	for triple, questions := range map[string][]string{
		"Norda|named after|Port": {"What is Port named after?"}, "Norda|coached by|Port": {"Who is Port's coach?", "Who is the coach of Port?"},
		"Norda|operator|Port": {"What does Norda operate?"}, "Norda|cause|Port": {"What did Norda cause?", "What causes Port?", "What caused Port?"}, "Norda|founded|Port": {"Who found Port?"}, "Norda|author|Port": {"What did Norda write?", "Who was written by Norda?"}, "Norda|sponsor|Port": {"Who does Norda sponsor?", "Who sponsors Port?", "What sponsored Port?"},
	} {
		e, err := OnGraph(t.Context(), testkg.Build(triple), Options{}, nil)
		if err != nil {
			t.Fatal(err)
		}
		for _, q := range questions {
			run, err := e.Ask(t.Context(), q, AskOptions{}, nil)
			if err != nil {
				t.Fatal(err)
			}
			if run.Plan.Doubt == plan.Sure {
				t.Errorf("%s over %s: %s, sure", q, triple, firstFew(run.Answer.Items))
			}
		}
	}
}

// TestKindsKnowWhoDoesWhat asks of two kinds of things and no name: the grammar tells the ends of
// the relation as it does for names.
func TestKindsKnowWhoDoesWhat(t *testing.T) {
	for _, c := range []struct{ graph, right, turned []string }{
		{
			[]string{"Ann : Person", "Ben : Person", "Rex : Dog", "Max : Dog", "Ann|owns|Rex", "Ann|owns|Max", "Ben|owns|Max"},
			[]string{
				"Which persons own dogs?", "Which dogs are owned by persons?", "Which dogs do persons own?", "How many persons own a dog?", "Which person owns the most dogs?",
				"Which persons own more than one dog?", "How many dogs does each person own?", "Every dog is owned by a person.", "Every person owns a dog.",
			},
			[]string{
				"Which dogs own persons?", "Which persons are owned by dogs?", "Which persons do dogs own?", "How many dogs own a person?", "Which dog owns the most persons?",
				"Which dogs own more than one person?", "How many persons does each dog own?", "Every person is owned by a dog.", "Every dog owns a person.", "Dogs own persons.",
			},
		},
		{
			[]string{"Jo : Student", "Max : Teacher", "Jo|taught by|Max"},
			[]string{"Which teachers teach students?", "Which students are taught by teachers?"},
			[]string{"Which students teach teachers?", "Which teachers are taught by students?", "How many teachers are taught by a student?"},
		},
		{
			[]string{"Rex : Dog", "Ann : Person", "Rex|owner|Ann"},
			[]string{"Which persons own dogs?", "Which dogs have an owner?"},
			[]string{"Which dogs own persons?"},
		},
		{
			[]string{"Acme : Company", "Oslo : City", "Acme|headquartered in|Oslo"},
			[]string{"Which companies are headquartered in cities?"},
			[]string{"Which cities are headquartered in companies?"},
		},
		{
			[]string{"Wheel : Component", "Car : Vehicle", "Wheel|part of|Car"},
			[]string{"Which components are part of a vehicle?"},
			[]string{"Which vehicles are part of a component?"},
		},
	} {
		e, err := OnGraph(t.Context(), testkg.Build(c.graph...), Options{}, nil)
		if err != nil {
			t.Fatal(err)
		}
		for want, questions := range map[bool][]string{true: c.right, false: c.turned} {
			for _, q := range questions {
				run, err := e.Ask(t.Context(), q, AskOptions{}, nil)
				if err != nil {
					t.Fatal(err)
				}
				if got := run.Plan.Doubt == plan.Sure; got != want {
					t.Errorf("%v: %q: sure %v (%s)", c.graph, q, got, run.Plan.Reason)
				}
			}
		}
	}
}

// TestWhatIsSpokenWhere: where a language is spoken is no language of it.
func TestWhatIsSpokenWhere(t *testing.T) {
	e, err := OnGraph(t.Context(), testkg.Build("Tesk|spoken in|Mirdland", "Tesk|official language of|Teskia", "Orun|official language of|Mirdland"), Options{}, nil)
	if err != nil {
		t.Fatal(err)
	}
	for claim, want := range map[string]answer.Verdict{"Mirdland is the language of Tesk.": answer.NotFound, "Tesk is the language of Mirdland.": answer.Supported} {
		run, err := e.Ask(t.Context(), claim, AskOptions{}, nil)
		if err != nil {
			t.Fatal(err)
		}
		if run.Answer.Verdict != want {
			t.Errorf("%s %v, want %v", claim, run.Answer.Verdict, want)
		}
	}
}

// TestKinHaveAndAre asks what has no child or mother, and what is nobody's: whatever the relation
// is called, no sure reading has the wrong end of it.
func TestKinHaveAndAre(t *testing.T) {
	pairs := [][2]string{{"Ama", "Bim"}, {"Bim", "Cil"}, {"Dov", "Eno"}}
	sure := 0
	for name, elder := range map[string]bool{
		"mother of": true, "mother": false, "has mother": false, "child of": false, "child": true, "has child": true, "parent": false,
		"is the parent of": true, "father of": true, "children": true, "son of": false, "MOTHER_OF": true,
	} {
		b := kg.Builder{}
		for _, x := range pairs {
			if !elder {
				x[0], x[1] = x[1], x[0]
			}
			b.Add(x[0], name, x[1])
			b.AddType(b.Entity(x[0]), "animal")
			b.AddType(b.Entity(x[1]), "animal")
		}
		g, lex := b.Graph(), lexicon.Builtin()
		p := builtin.New(g, link.NewLinker(g, nil, lex), lex, builtin.Options{})
		for question, asksElder := range map[string]bool{
			"Which animals have children?": true, "Which animals have no children?": true, "Which animals do not have a child?": true,
			"Which animals have a mother?": false, "Which animals have no mother?": false, "Which animals have no parents?": false,
			"Which animals are nobody's mother?": true, "Which animals are nobody's child?": false, "Which animals are not the mother of any animal?": true,
		} {
			got, err := p.Plan(t.Context(), question, nil)
			if err != nil {
				t.Fatal(err)
			}
			if got.Doubt != plan.Sure || len(got.Readings) == 0 {
				continue
			}
			sure++
			pat := got.Readings[0].Pattern
			edges := pat.Edges
			for _, b := range pat.Branches {
				edges = append(edges, b.Edges...)
			}
			if len(edges) != 1 || (edges[0].From == pat.Asked) != (asksElder == elder) {
				t.Errorf("%s: Plan(%q) = %s", name, question, pattern.Format(pat))
			}
		}
	}
	if sure < 80 {
		t.Errorf("%d readings are sure, want 80", sure)
	}
}
