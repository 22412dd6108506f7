package engine

import (
	"strings"
	"testing"

	"cairn/engine/answer"
	"cairn/engine/plan"
	"cairn/internal/testing/testkg"
)

// TestRolesAmongThings asks for those of some things who do something: where the graph has no
// types, a painter is who something was painted by, and a student who studied or was taught.
func TestRolesAmongThings(t *testing.T) {
	e, err := OnGraph(t.Context(), testkg.Build(
		"Anvil|painted by|Ruiz", "Bridge|painted by|Costa", "Ruiz|born in|Lima", "Costa|born in|Lima", "Maro|born in|Lima",
		"Maro|wrote|Canto", "Ruiz|wrote|Elegy", "Maro|mentors|Costa", "Maro|employer|Acme", "Costa|employer|Acme", "Eve|born in|Lima",
	), Options{}, nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		question, want string
		sure           bool
	}{
		{"Which painters were born in Lima?", "Ruiz Costa", true},
		{"How many painters were born in Lima?", "Ruiz Costa", true},
		{"List the painters from Lima.", "Ruiz Costa", true},
		{"Which writers were born in Lima?", "Maro Ruiz", true},
		{"Which mentors were born in Lima?", "Maro", true},
		{"Which painters wrote Elegy?", "Ruiz", true},
		{"Which employees were born in Lima?", "Maro Costa", true},
		// Another word than the graph's own: of Eve it may be that nobody noted it.
		{"Which students were born in Lima?", "Costa", false},
		{"Which novelists were born in Lima?", "Maro Ruiz", false},
		// What is known of none of them.
		{"Which students does Acme have?", "Costa", false},
	} {
		run, err := e.Ask(t.Context(), c.question, AskOptions{}, nil)
		if err != nil {
			t.Fatal(err)
		}
		got := map[string]bool{}
		for _, item := range run.Answer.Items {
			got[item.Label] = true
		}
		right := len(got) == len(strings.Fields(c.want))
		for name := range strings.FieldsSeq(c.want) {
			right = right && got[name]
		}
		if sure := isSure(run); !right || sure != c.sure {
			t.Errorf("%s: %v, sure: %v (%s); want %s, sure: %v", c.question, got, sure, run.Plan.Reason, c.want, c.sure)
		}
	}
}

// TestLooseWordsAreNotSure asks by words that say more than the relation of the graph.
func TestLooseWordsAreNotSure(t *testing.T) {
	e, err := OnGraph(t.Context(), testkg.Build(
		"Ann|mentors|Bob", "Kim|owns|Norda", "Aspirin|treats|Headache", "Bolt|leader|Lee", "Drug A|cures|Cold",
	), Options{}, nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		text string
		sure bool
	}{
		{"Who teaches Bob?", false},
		{"Who mentors Bob?", true},
		{"Ann teaches Bob.", false},
		{"Ann mentors Bob.", true},
		{"Who bought Norda?", false},
		{"Who owns Norda?", true},
		{"Kim bought Norda.", false},
		{"Kim owns Norda.", true},
		{"What cures Headache?", false},
		{"What treats Headache?", true},
		{"Aspirin cures Headache.", false},
		{"Aspirin treats Headache.", true},
		{"What cures Cold?", true},
		{"Drug A cures Cold.", true},
		{"Who is the mayor of Bolt?", false},
		{"Who is the leader of Bolt?", true},
		{"Who leads Bolt?", true},
	} {
		run, err := e.Ask(t.Context(), c.text, AskOptions{}, nil)
		if err != nil {
			t.Fatal(err)
		}
		if sure := isSure(run); sure != c.sure {
			t.Errorf("%s: sure is %v (%s), want %v", c.text, sure, run.Plan.Reason, c.sure)
		}
	}
}

// TestWholeNamesBeforeParts: "Seven", a name, is no short one for "Seven Samurai".
func TestWholeNamesBeforeParts(t *testing.T) {
	e, err := OnGraph(t.Context(), testkg.Build("Cid|directed|Seven Samurai", "Elana|directed|Seven"), Options{}, nil)
	if err != nil {
		t.Fatal(err)
	}
	checkSure(t, e, map[string]bool{"Cid directed Seven.": false, "Elana directed Seven.": true, "Did Cid direct Seven?": false, "Cid directed Seven Samurai.": true})
}

// checkSure asks questions and claims, and says of which it is not as wanted whether they are
// answered, or supported, without a doubt.
func checkSure(t *testing.T, e *Engine, want map[string]bool) {
	t.Helper()
	for text, sure := range want {
		run, err := e.Ask(t.Context(), text, AskOptions{}, nil)
		if err != nil {
			t.Fatal(err)
		}
		if got := isSure(run); got != sure {
			t.Errorf("%s: %s %v, sure is %v (%s)", text, firstFew(run.Answer.Items), run.Answer.Verdict, got, run.Plan.Reason)
		}
	}
}

// isSure reports whether a question is answered, or a claim supported, without a doubt.
func isSure(run *Run) bool {
	return (run.Answer.Verdict == answer.Supported || len(run.Answer.Items) > 0) && run.Plan.Doubt == plan.Sure
}

// TestKindsOfTheGraphAreNotOthers: what the graph gives a type is not of a kind that the lexicon
// knows for such relations, and why and how are not answered by when.
func TestKindsOfTheGraphAreNotOthers(t *testing.T) {
	e, err := OnGraph(t.Context(), testkg.Build(
		"Deep Sea|written by|Ann", "Deep Sea : Book", "Ann : Novelist", "Marcus|treats|Ruth", "Marcus : Doctor", "Ruth : Patient",
		"Blue Ox|located in|Brell", "Brell : Town", "Deep Sea|owned by|Ed Hall", "Ed Hall : Person",
		"Blue Hall|built in|1890", "Blue Hall|opened|1891-05-01", "Bertil|died|1950", "Ilse|cause of death|Flu", "Cold|treated by|Tamiflu",
		"Wine|made from|Grape", "Zelo|interacts with|Aspirin", "Aspirin|causes|Nausea",
	), Options{}, nil)
	if err != nil {
		t.Fatal(err)
	}
	checkSure(t, e, map[string]bool{
		"Which song did Ann write?": false, "How many songs did Ann write?": false, "Which book did Ann write?": true,
		"Who is the lyricist of Deep Sea?": false, "Which author wrote Deep Sea?": true,
		"What medicine is Ruth on?": false, "Which drug treats Ruth?": false, "Which doctor treats Ruth?": true,
		"Which village is Blue Ox in?": false, "Which town is Blue Ox in?": true, "Which place is Blue Ox in?": true,
		"Which company owns Deep Sea?": false, "Which person owns Deep Sea?": true,
		"Why was Blue Hall built?": false, "How was Blue Hall built?": false, "When was Blue Hall built?": true, "Why did Blue Hall open?": false,
		"How did Bertil die?": false, "What was Blue Hall built for?": false, "Of what did Bertil die?": false,
		"In what year was Blue Hall built?": true, "How was Cold treated?": true, "How is Wine made?": false, "How does Zelo cause Nausea?": false,
	})
}

// TestKindsAboveKindsComeBeforeTheOnlyType: that a guide has no other type refutes nothing of what
// all guides are, and denies nothing.
func TestKindsAboveKindsComeBeforeTheOnlyType(t *testing.T) {
	lines := []string{"Guide|subclass of|Climber"}
	for who := range strings.FieldsSeq("Ann Ben Cid Dan Eve Fay Gus Hal Ida Jon Kim Lea") {
		lines = append(lines, who+"|type|Guide")
	}
	e, err := OnGraph(t.Context(), testkg.Build(append(lines, "Max|type|Climber")...), Options{}, nil)
	if err != nil {
		t.Fatal(err)
	}
	for claim, want := range map[string]answer.Verdict{"Ann is a climber.": answer.Supported, "Ann is a guide.": answer.Supported, "Ann is not a climber.": answer.Refuted} {
		run, err := e.Ask(t.Context(), claim, AskOptions{}, nil)
		if err != nil {
			t.Fatal(err)
		}
		if run.Answer.Verdict != want {
			t.Errorf("%s: %v, want %v", claim, run.Answer.Verdict, want)
		}
	}
}

// TestTwoKindsAreNotOne: of "novels and poems" a reading may not take the novels alone for all.
func TestTwoKindsAreNotOne(t *testing.T) {
	e, err := OnGraph(t.Context(), testkg.Build(
		"Ann|wrote|Sun", "Bob|wrote|Moon", "Bob|wrote|Star", "Sun : Novel", "Star : Novel", "Moon : Poem", "Ann : Author", "Bob : Author",
	), Options{}, nil)
	if err != nil {
		t.Fatal(err)
	}
	checkSure(t, e, map[string]bool{
		"Which novels did Bob write?": true, "Which novels and poems did Bob write?": true,
		"Which authors wrote novels and poems?": false, "Who wrote novels and poems?": false,
	})
}

// TestScalesOfRelations: numbers under "inhabitants (thousand)" are compared as they are written, in
// doubt.
func TestScalesOfRelations(t *testing.T) {
	e, err := OnGraph(t.Context(), testkg.Build("Turin|inhabitants (thousand)|870", "Bari|inhabitants (thousand)|316", "Turin|trams|230", "Bari|trams|20", "Turin : City", "Bari : City"), Options{}, nil)
	if err != nil {
		t.Fatal(err)
	}
	checkSure(t, e, map[string]bool{
		"Which cities have fewer than 400 thousand inhabitants?": false, "Which cities have more than 600 inhabitants?": false,
		"Which city has the most inhabitants?": true, "Which cities have more than 100 trams?": true,
	})
}
