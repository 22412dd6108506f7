package claim_test

import (
	"fmt"
	"testing"

	"cairn/engine/kg"
	"cairn/engine/lexicon"
	"cairn/engine/link"
	"cairn/engine/pattern"
	"cairn/engine/plan"
	"cairn/engine/plan/builtin"
	"cairn/internal/testing/testkg"
)

// townGraph knows of mayors, halls and people of made-up towns.
func townGraph() *kg.Graph {
	var b kg.Builder
	for i := range 40 {
		town, person := fmt.Sprintf("Oldtown %d", i), fmt.Sprintf("Filler Person %d", i)
		b.Add(town, "country", "Wesland")
		b.Add(town, "leaderName", person)
		b.Add(person, "birthPlace", fmt.Sprintf("Oldtown %d", (i+7)%40))
		b.Add(person, "birthDate", fmt.Sprintf("19%02d-03-%02d", i+10, i%27+1))
		b.Add(person, "successor", fmt.Sprintf("Filler Person %d", i+1))
		b.Add(fmt.Sprintf("Hall %d of Oldtown", i), "floorCount", fmt.Sprint(i+2))
		b.Add(fmt.Sprintf("Hall %d of Oldtown", i), "architect", person)
	}
	b.Add("Anna Berg", "successor", "Carl Dorn")
	b.Add("Anna Berg", "birthPlace", "Marbach")
	b.Add("Anna Berg", "birthDate", "1933-10-17")
	b.Add("Anna Berg", "party", "Green Union")
	b.Add("Anna Berg", "residence", "Lindau Valley")
	b.Add("Carl Dorn", "birthPlace", "Lindau Valley")
	b.Add("Carl Dorn", "vicePresident", "Eva Frost")
	b.Add("Marbach", "country", "Wesland")
	b.Add("Marbach", "leaderName", "Eva Frost")
	b.Add("Marbach Hall", "location", "Marbach")
	b.Add("Marbach Hall", "floorCount", "23")
	b.Add("Marbach Hall", "cost", "7534110")
	b.Add("Marbach Hall", "architect", "Carl Dorn")
	b.Add("Marbach Hall", "engineModel", "Steam Giant")
	b.Add("Marbach Hall", "engineer", "Otto Builders")
	b.Add("Marbach Hall", "groundfloor", "Lower Deck")
	return b.Graph()
}

// TestClaims checks how claims are read, by whether the graph bears them out.
func TestClaims(t *testing.T) {
	g := townGraph()
	lex := lexicon.Builtin()
	p := builtin.New(g, link.NewLinker(g, nil, lex), lex, builtin.Options{})
	const (
		holds    = "the graph has it"
		lacks    = "the graph lacks it"
		nothing  = "no reading"
		question = "a question"
	)
	for _, test := range []struct {
		text, want string
		negated    bool
		doubt      plan.Doubt
	}{
		// One hop, in many words.
		{text: "Anna Berg was born in Marbach.", want: holds},
		{text: "I know that Anna Berg was actually born in Marbach!", want: holds},
		{text: "Did you know that Anna Berg was born in Marbach?", want: holds},
		{text: "Anna Berg was born in Marbach?", want: holds},
		{text: "Anna Berg was born in Lindau Valley.", want: lacks},
		{text: "The leader of Marbach is Eva Frost.", want: holds},
		{text: "The leader of Marbach is Carl Dorn.", want: lacks},
		// Words that mean the same backwards. Who does what is told by the check of the
		// verdict.
		{text: "The successor of Anna Berg was Carl Dorn.", want: holds},
		{text: "It was Carl Dorn who succeeded Anna Berg.", want: holds},
		{text: "Anna Berg was succeeded by Carl Dorn.", want: holds},
		{text: "Anna Berg was the predecessor of Carl Dorn.", want: holds},
		// No word of the claim is known, but one relation joins the names.
		{text: "Marbach Hall boasts a Steam Giant.", want: holds, doubt: plan.Unsure},
		// A word asks for something else.
		{text: "Marbach Hall's parent company is Carl Dorn.", want: nothing, doubt: plan.NoRelation},
		// Existence.
		{text: "Anna Berg had a successor.", want: holds},
		{text: "Yes, Anna Berg has a successor!", want: holds},
		{text: "Carl Dorn had a successor.", want: lacks},
		{text: "Carl Dorn had a vice president.", want: holds},
		// Denials.
		{text: "Anna Berg was not born in Marbach.", want: holds, negated: true},
		{text: "Anna Berg, born in Marbach, said no to it.", want: holds},
		{text: "Anna Berg wasn't born in Lindau Valley.", want: lacks, negated: true},
		{text: "No, Anna Berg was born in Marbach.", want: holds},
		{text: "Not sure, but Anna Berg was born in Marbach.", want: holds},
		{text: "Marbach Hall is in Marbach and was not designed by Carl Dorn.", want: holds, negated: true},
		{text: "Marbach Hall is in Lindau Valley and was not designed by Carl Dorn.", want: holds, negated: true},
		// Several statements.
		{text: "Marbach Hall, located in Marbach, was designed by Carl Dorn and has 23 floors.", want: holds},
		{text: "Marbach Hall, located in Marbach, was designed by Carl Dorn and has 24 floors.", want: lacks},
		// What is not named.
		{text: "Marbach Hall is in the country where Eva Frost is the leader.", want: holds},
		{text: "A member of the Green Union lives in Lindau Valley.", want: holds},
		{text: "A member of the Green Union was born in Oldtown 3.", want: lacks},
		// Values.
		{text: "Anna Berg was born on October 17th, 1933.", want: holds},
		{text: "Anna Berg was born on the 17th of October 1933.", want: holds},
		{text: "Anna Berg was born on 18 October 1933.", want: lacks},
		{text: "The cost of Marbach Hall was 7.5 million.", want: holds},
		{text: "The cost of Marbach Hall was 7.6 million.", want: lacks},
		// Words of a relation's name written apart, or what it comes from.
		{text: "Marbach Hall was engineered by Otto Builders.", want: holds},
		{text: "The ground floor of Marbach Hall is Lower Deck.", want: holds},
		// Short names of what is near.
		{text: "Anna Berg was a Green in Marbach.", want: holds, doubt: plan.Unsure},
		// What the speaker did not know is no denial.
		{text: "I wasn't aware that Anna Berg was born in Marbach.", want: holds},
		// Names that the graph does not have.
		{text: "Marbach Hall has 23 floors and the code 00423168.", want: nothing, doubt: plan.NoMention},
		{text: "The leader of Marbach is Otto Quandt.", want: nothing, doubt: plan.NoMention},
		// Questions stay questions.
		{text: "Who succeeded Anna Berg?", want: question},
		{text: "In which town was Anna Berg born?", want: question},
		{text: "the successor of Anna Berg", want: question},
		{text: "Do you know who succeeded Anna Berg?", want: question},
		{text: "Name the leader of Marbach.", want: question},
	} {
		t.Run(test.text, func(t *testing.T) {
			got, err := p.Plan(t.Context(), test.text, nil)
			if err != nil {
				t.Fatal(err)
			}
			as, negated := nothing, false
			if len(got.Readings) > 0 {
				pat := got.Readings[0].Pattern
				negated = pat.Negated
				switch {
				case pat.Task != pattern.Verify:
					as = question
				case len(testkg.Execute(g, pat)) > 0:
					as = holds
				default:
					as = lacks
				}
			}
			if as != test.want || negated != test.negated {
				t.Errorf("%s (negated %t), want %s (negated %t)", as, negated, test.want, test.negated)
			}
			if test.doubt != plan.Sure && got.Doubt != test.doubt {
				t.Errorf("doubt %d, want %d", got.Doubt, test.doubt)
			}
			if t.Failed() {
				for _, r := range got.Readings {
					t.Logf("%s (doubt %d: %s)", r.Text, got.Doubt, got.Reason)
				}
				t.Log(got.Reason, got.Unlinked, got.Mentions)
			}
		})
	}
}
