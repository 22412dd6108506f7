package words

import (
	"maps"
	"slices"
	"strings"

	"cairn/engine/kg"
	"cairn/engine/lexicon"
	"cairn/engine/schema"
	"cairn/internal/token"
)

// Source says where a mapping comes from.
type Source int

// The sources of a mapping.
const (
	FromName    Source = iota // the relation's own words only
	FromLexicon               // the lexicon knows the relation's name
	FromUser                  // the user said so
)

// String returns the source in words for people.
func (s Source) String() string { return token.Names{"own name", "lexicon", "user"}.Of(int(s)) }

// MarshalText writes the source in words.
func (s Source) MarshalText() ([]byte, error) { return []byte(s.String()), nil }

// Mapping is what a relation of one graph means in the words of questions. The
// planner computes it from the relation's name; users see it and may correct it.
type Mapping struct {
	Relation kg.RelationID `json:"relation"`
	Name     string        `json:"name"` // the relation's name for people
	// Concepts are names of the lexicon's concepts that the relation means.
	Concepts []string `json:"concepts"`
	// Words ask for the relation besides the words of its concepts: those of
	// its own name, or what the user gives in their place.
	Words  []string `json:"words"`
	Source Source   `json:"source"`
	// SameAs is the relation that stands for this one, which says the same or
	// the same backwards; it is Relation itself otherwise.
	SameAs kg.RelationID `json:"same_as"`
	// Means are the places of Concepts in the lexicon.
	Means []int    `json:"-"`
	apart bool     // see joinsApart
	name  []string // see Vocabulary.NameOf
}

// Override replaces the mapping of one relation. It is kept by the relation's
// key, because ids differ from one graph to the next.
type Override struct {
	RelationKey string   `json:"relation"`
	Concepts    []string `json:"concepts"` // names; unknown ones are left out
	Words       []string `json:"words"`
}

// sameEnds returns the relations that join things of one kind by what they mean,
// even where few things of the graph are at both ends.
func sameEnds(mappings []Mapping, lex *lexicon.Lexicon) []kg.RelationID {
	var out []kg.RelationID
	for _, m := range mappings {
		if m.SameAs == m.Relation && m.goesBothWays(lex) && !m.apart {
			out = append(out, m.Relation)
		}
	}
	return out
}

// mapRelations returns the mapping of every relation, by id.
func mapRelations(s *schema.Schema, lex *lexicon.Lexicon, overrides []Override) []Mapping {
	out := make([]Mapping, s.Graph().Relations())
	for r := range out {
		id := kg.RelationID(r)
		words := nameOf(s, lex, id)
		m := Mapping{
			Relation: id, Name: s.Graph().RelationText(id), Words: words, name: words,
			SameAs: s.Canonical(schema.Forward(id)).Relation(),
		}
		for _, c := range lex.Meanings(lexicon.RelationWords(s.Graph().RelationName(id))) {
			m.Concepts = append(m.Concepts, lex.Concepts[c].Name)
			m.Source = FromLexicon
		}
		if !slices.Contains(m.Concepts, lexicon.InstanceOf) && givesTypes(s.Graph(), id) {
			m.Concepts, m.Source = append(m.Concepts, lexicon.InstanceOf), FromLexicon
		}
		i := slices.IndexFunc(overrides, func(o Override) bool { return o.RelationKey == s.Graph().RelationKey(id) })
		if i >= 0 {
			m.Concepts, m.Words, m.Source = overrides[i].Concepts, overrides[i].Words, FromUser
		}
		for _, name := range m.Concepts {
			if c, ok := lex.Concept(name); ok {
				m.Means = append(m.Means, c)
			}
		}
		out[r] = m
	}
	for r := range out {
		out[r].apart = out[r].goesBothWays(lex) && joinsApart(s, out[r], out)
	}
	return out
}

// tellingNames is how many other names tell whether those of what is said of the same things are verbs.
const tellingNames = 3

// nameOf returns the words of a relation's name as the graph shows them to be meant. "Voted for" between
// a bill and members says by whom it was voted for, as no bill votes; and "sponsors" is the noun where the
// other names of what is said of the same things are no verbs. An "owner of vessel" is one, where that leads to a vessel.
func nameOf(s *schema.Schema, lex *lexicon.Lexicon, r kg.RelationID) []string {
	key, at := s.Graph().RelationName(r), schema.Forward(r)
	name := lexicon.RelationWords(key)
	if i := slices.Index(name, "co"); i >= 0 && i+1 < len(name) {
		name = slices.Replace(name, i, i+2, "co"+name[i+1]) // no sponsor is a co-sponsor
	}
	if len(name) == 0 || s.Shared(at.From(), at.To()) > 0 || s.Value(at.To()) != schema.NoValue {
		return name
	}
	if of := slices.Index(name, "of"); of == 1 && len(name) == 3 && lexicon.Agent(lexicon.Singular(name[0])) != "" && isKindOf(s, lex, at.To(), name[2]) && !isKindOf(s, lex, at.From(), name[2]) {
		return []string{name[2], name[0], "of"} // "owner of vessel", which leads to vessels
	}
	said := func(of schema.Slot) (names [][]string) {
		for o := range kg.RelationID(s.Graph().Relations()) {
			if from := schema.Forward(o).From(); o != r && 2*s.Shared(from, of) > s.Size(of) {
				names = append(names, lexicon.RelationWords(s.Graph().RelationName(o)))
			}
		}
		return names
	}
	isPerson := func(name []string) bool {
		return slices.ContainsFunc(lex.Meanings(name), func(c int) bool { return headIsPerson(&lex.Concepts[c]) })
	}
	isVerb := func(name []string) bool {
		return len(name) > 0 && (lex.Is(lexicon.Verb, name[0]) || lexicon.IsParticiple(name[0]))
	}
	switch noun := lexicon.Singular(name[0]); {
	case len(name) == 1 && noun != name[0] && lexicon.IsDoer(noun) && key != strings.ToUpper(key):
		if others := said(at.From()); len(others) >= tellingNames && !slices.ContainsFunc(others, isVerb) {
			return []string{noun}
		}
	case lexicon.IsDeedOfPersons(name[0]) && name[len(name)-1] != "by":
		if slices.ContainsFunc(said(at.To()), isPerson) && !slices.ContainsFunc(said(at.From()), isPerson) {
			return append(name, "by")
		}
	}
	return name
}

// isKindOf reports whether a noun names what is in a slot by the graph's types, or by another noun for them.
func isKindOf(s *schema.Schema, lex *lexicon.Lexicon, at schema.Slot, noun string) bool {
	stem := lexicon.Stem(lexicon.Singular(noun))
	for t, share := range s.Types(at) {
		label := lexicon.Stem(strings.ToLower(s.Graph().TypeLabel(t)))
		if share >= TypeShareMin && (label == stem || slices.Contains(lex.KindsOf(stem), label)) {
			return true
		}
	}
	return false
}

// goesBothWays reports whether the relation means a concept that joins things of one kind.
func (m *Mapping) goesBothWays(lex *lexicon.Lexicon) bool {
	return slices.ContainsFunc(m.Means, func(c int) bool { return lex.Concepts[c].SameEnds })
}

// joinsApart reports whether a relation leads to other things than it starts from, whatever its name
// may mean: by the graph's types, or because it starts from what has both sides of what goes both
// ways. What has a husband and a wife is a marriage, and nobody's spouse.
func joinsApart(s *schema.Schema, m Mapping, all []Mapping) bool {
	from, to := schema.Forward(m.Relation).From(), schema.Forward(m.Relation).To()
	if s.Shared(from, to) > 0 {
		return false
	}
	both := func(t kg.TypeID) bool { return s.Types(to)[t] > 0 }
	if s.Typed(from) >= typedMin && s.Typed(to) >= typedMin && !slices.ContainsFunc(slices.Collect(maps.Keys(s.Types(from))), both) {
		return true
	}
	return slices.ContainsFunc(all, func(o Mapping) bool {
		isOther := slices.ContainsFunc(o.Words, func(noun string) bool { return lexicon.IsOtherSide(m.Words, noun) })
		return isOther && 2*s.Shared(from, schema.Forward(o.Relation).From()) > s.Size(from)
	})
}

// typesSample is how many heads of a relation are looked at for their types.
const typesSample = 256

// givesTypes reports whether what a relation says of things is what their types are, under
// whatever name: "category".
func givesTypes(g *kg.Graph, r kg.RelationID) bool {
	heads := g.Heads(r)
	for i := 0; i < len(heads); i += max(1, len(heads)/typesSample) {
		for _, x := range g.OutBy(heads[i], r) {
			if !slices.ContainsFunc(g.Types(heads[i]), func(t kg.TypeID) bool { return strings.EqualFold(g.TypeLabel(t), g.Label(x.Entity)) }) {
				return false
			}
		}
	}
	return len(heads) > 0
}
