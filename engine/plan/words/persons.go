package words

import (
	"slices"
	"strings"

	"cairn/engine/kg"
	"cairn/engine/lexicon"
	"cairn/engine/meanings"
	"cairn/engine/schema"
	"cairn/engine/vec"
	"cairn/internal/wording"
)

// What the graph's own types mean tells which of them are persons, where the lexicon does not know them.

// personHood is what the label of a type says of whether its things are persons.
type personHood int8

const (
	perhaps personHood = iota
	person
	hardly // a show, beside which there are persons
	noPerson
)

// A noun for persons is nearer to what persons are called than to what things are, and one for no persons is
// nearer to things than to persons, animals, and organisations, which do things as well. Set on 200 labels of the
// types of field graphs: of those at personLeast or above, one in forty is none for persons ("role"); of those at
// thingMost or below, none is but what ends as nouns for who does something do ("collector").
const (
	personLeast = 0.09
	thingMost   = -0.1
	doerLeast   = 0.1 // of what may act, a team or a horse
)

var (
	personNouns = strings.Fields("person man woman worker teacher doctor scientist artist employee player farmer student nurse")
	doerNouns   = [][]string{personNouns, strings.Fields("animal dog cat horse bird"), strings.Fields("organization company institution club agency association firm government society team")}
	thingNouns  = strings.Fields("thing object document event place building machine project book number substance record")
)

// persons tells of every type of a graph whether its things are persons.
func persons(g *kg.Graph, table *meanings.Table) []personHood {
	out := make([]personHood, g.NumTypes())
	if table == nil {
		return out
	}
	someone, something := middle(table, personNouns), middle(table, thingNouns)
	doers := wording.Each(doerNouns, func(nouns []string) []float32 { return middle(table, nouns) })
	for t := range out {
		tokens := lexicon.Tokenize(g.TypeLabel(kg.TypeID(t)))
		if len(tokens) == 0 {
			continue
		}
		noun := lexicon.Singular(tokens[len(tokens)-1].Lower)
		v, _ := table.Vector(noun)
		if v == nil {
			continue
		}
		thing := vec.Dot(v, something)
		near := slices.Max(wording.Each(doers, func(d []float32) float32 { return vec.Dot(v, d) - thing }))
		switch {
		case vec.Dot(v, someone)-thing >= personLeast:
			out[t] = person
		case lexicon.Agent(noun) != "":
		case near <= thingMost:
			out[t] = noPerson
		case near < doerLeast && vec.Dot(v, someone) < thing:
			out[t] = hardly
		}
	}
	return out
}

// Countries returns what a span may name by its adjective, "Dutch".
func (v *Vocabulary) Countries(s Span) (out []kg.EntityID) {
	names := v.lex.NamesOf(strings.ToLower(s.Text))
	for _, c := range s.Candidates {
		if slices.Contains(names, v.g.Label(c.Entity)) {
			out = append(out, c.Entity)
		}
	}
	return out
}

// IsOfSomebody reports whether a relation says something of people or of bodies of people, and of no works, which are in a
// language.
func (v *Vocabulary) IsOfSomebody(r kg.RelationID) bool {
	at := schema.Forward(r).From()
	return v.IsAnswer(at, lexicon.Person) || v.IsAnswer(at, lexicon.Organization) && !v.IsAnswer(at, lexicon.Work)
}

// Somebodies returns the types of what "who" may ask for in a slot, where some there are persons and some are things
// or places: of what is in a town, its people and no shows. It returns none for other slots.
func (v *Vocabulary) Somebodies(at schema.Slot) (out []kg.TypeID) {
	hasPersons, hasThings := false, false
	for t := range v.schema.Types(at) {
		as := v.cues.typeAnswers[t]
		isTold := slices.ContainsFunc(as, func(a lexicon.Answer) bool { return a != lexicon.Text })
		isPerson := slices.Contains(as, lexicon.Person) || !isTold && v.persons[t] == person
		isThing := isTold && !isPerson && !slices.Contains(as, lexicon.Organization) || !isTold && v.persons[t] >= hardly
		hasPersons, hasThings = hasPersons || isPerson, hasThings || isThing
		if !isThing {
			out = append(out, t)
		}
	}
	if !hasPersons || !hasThings {
		return nil
	}
	slices.Sort(out)
	return out
}
