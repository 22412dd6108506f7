package words

import (
	"reflect"
	"testing"

	"cairn/engine/kg"
	"cairn/engine/lexicon"
	"cairn/engine/schema"
	"cairn/internal/testing/testkg"
)

// asksFor returns the keys of the relations that a word asks for, with the weight of the
// stronger way.
func asksFor(v *Vocabulary, word string) map[string]float64 {
	out := map[string]float64{}
	for st, weight := range v.Read(v.NewText(word, nil).Words, nil).Words[0].Weight {
		key := v.g.RelationKey(st.Relation())
		out[key] = max(out[key], weight)
	}
	return out
}

func TestChoiceOverrules(t *testing.T) {
	g := testkg.Build("Jaws|directed_by|Steven Spielberg", "Jaws|produced_by|Richard Zanuck", "Jaws|filmed_in|Edgartown", "Jaws|writer|Peter Benchley", "Jaws|writer_of_music|John Williams")
	plain := newVocabulary(t, g, Own{})
	for _, test := range []struct {
		word, relation, form string // form is the word in a question
		weight               float64
	}{
		{"made", "directed_by", "make", cueWeights.own},          // the lexicon has it for another
		{"make", "produced_by", "made", cueWeights.verb},         // the lexicon has it for this one
		{"writer", "writer_of_music", "writers", cueWeights.own}, // the whole name of another
		{"writer", "directed_by", "writer", cueWeights.own},
		{"frobbed", "filmed_in", "frobbed", cueWeights.own}, // nothing has it
	} {
		v := newVocabulary(t, g, Own{Choices: []Choice{{test.word, test.relation}}})
		if got, want := asksFor(v, test.form), map[string]float64{test.relation: test.weight}; !reflect.DeepEqual(got, want) {
			t.Errorf("with %q for %s, %q asks for %v, want %v", test.word, test.relation, test.form, got, want)
		}
		stem := lexicon.Stem(test.form)
		for r := range kg.RelationID(g.Relations()) {
			if got, want := v.AsksFor(r, stem), g.RelationKey(r) == test.relation; got != want {
				t.Errorf("with %q for %s, AsksFor(%s, %q) = %t", test.word, test.relation, g.RelationKey(r), stem, got)
			}
		}
		for _, other := range []string{"directed", "produced", "filmed", "music"} {
			if got, want := asksFor(v, other), asksFor(plain, other); !reflect.DeepEqual(got, want) {
				t.Errorf("with %q for %s, %q asks for %v, want %v as before", test.word, test.relation, other, got, want)
			}
		}
	}
	gone := newVocabulary(t, g, Own{Choices: []Choice{{"made", "sung_by"}, {"", "directed_by"}}})
	if !reflect.DeepEqual(gone.cues.byLast, plain.cues.byLast) {
		t.Error("choices of a relation that is gone, and of no word, change something")
	}
}

// TestChoiceOfTheVerbIsOfItsPassive: what is made by somebody is what somebody made.
func TestChoiceOfTheVerbIsOfItsPassive(t *testing.T) {
	g := testkg.Build("Jaws|directed_by|Steven Spielberg", "Jaws|produced_by|Richard Zanuck")
	for _, relation := range []string{"directed_by", "produced_by"} {
		v := newVocabulary(t, g, Own{Choices: []Choice{{"made", relation}}})
		for _, w := range v.Read(v.NewText("made by", nil).Words, nil).Words {
			for st := range w.Weight {
				if got := g.RelationKey(v.schema.Canonical(schema.Forward(st.Relation())).Relation()); got != relation {
					t.Errorf("%q for %s: %q of “made by” asks for %s", "made", relation, w.Text, got)
				}
			}
		}
	}
}

// TestChoiceLeavesLongerPhrases: the whole name of another relation still asks for that.
func TestChoiceLeavesLongerPhrases(t *testing.T) {
	g := testkg.Build("Ann Lee|line_manager|Bob Ray", "Ann Lee|account_manager|Cy Poe", "Ann Lee|manager_of_the_year|Dora Fox", "Ann Lee|manager_code|Eve Orr")
	v := newVocabulary(t, g, Own{Choices: []Choice{{"manager", "account_manager"}}})
	for text, want := range map[string]string{
		"manager": "account_manager", "the managers": "account_manager", "account manager": "account_manager",
		"line manager": "line_manager", "the line managers": "line_manager", "manager of the year": "manager_of_the_year", "manager code": "manager_code",
	} {
		ws := v.Read(v.NewText(text, nil).Words, nil).Words
		got := ws[len(ws)-1].Weight
		for st := range got {
			if g.RelationKey(st.Relation()) != want {
				t.Errorf("%q asks for %s, want %s", text, g.RelationKey(st.Relation()), want)
			}
		}
		if len(got) != 2 {
			t.Errorf("%q asks for %d steps, want both ways of %s", text, len(got), want)
		}
	}
}
