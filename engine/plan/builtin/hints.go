package builtin

import (
	"slices"

	"cairn/engine/kg"
	"cairn/engine/lexicon"
	"cairn/engine/schema"
)

// What the planner knows of a graph's relations, for planners that have their
// patterns from elsewhere, and for whoever makes questions.

// AsksFor reports whether a word of a question, by its stem, asks for r: it is of
// the relation's own name, or of those that its meanings have.
func (p *Planner) AsksFor(r kg.RelationID, stem string) bool {
	m := p.mappings[r]
	if slices.ContainsFunc(m.Words, func(w string) bool { return slices.Contains(lexicon.Stems(w), stem) }) {
		return true
	}
	return slices.ContainsFunc(p.meanings(r), func(c lexicon.Concept) bool {
		// "Film" is a word of "film maker", and yet the kind of the other end.
		return hasStem(slices.Concat(c.Relation, c.Tail, c.Ask), stem) && !hasStem(c.Head, stem)
	})
}

// Joins reports whether a word, by its stem, names the kind of what r joins: "film"
// or "person" for a film's director.
func (p *Planner) Joins(r kg.RelationID, stem string) bool {
	return slices.ContainsFunc(p.meanings(r), func(c lexicon.Concept) bool {
		return lexicon.Stem(c.Answer.String()) == stem || hasStem(c.Head, stem)
	})
}

// Meaning returns the concepts of the lexicon that r means, and the words besides
// theirs that ask for it.
func (p *Planner) Meaning(r kg.RelationID) (concepts, words []string) {
	return p.mappings[r].Concepts, p.mappings[r].Words
}

// NamesKind reports whether a word names a kind of thing in the graph.
func (p *Planner) NamesKind(word string) bool {
	stem := lexicon.Stem(word)
	return len(p.cues.kinds[stem]) > 0 || len(p.cues.types[stem]) > 0
}

// Schema is what the planner knows of its graph.
func (p *Planner) Schema() *schema.Schema { return p.schema }

// Lexicon is what the planner knows of words.
func (p *Planner) Lexicon() *lexicon.Lexicon { return p.lex }

func hasStem(phrases []lexicon.Phrase, stem string) bool {
	return slices.ContainsFunc(phrases, func(ph lexicon.Phrase) bool { return slices.Contains(ph.Stems, stem) })
}

// Symmetric reports whether r says the same in both directions: its triples are
// there both ways, or its meaning is such that they might be, as with "borders".
func (p *Planner) Symmetric(r kg.RelationID) bool {
	if p.schema.IsSymmetric(p.schema.Canonical(schema.Forward(r)).Relation()) {
		return true
	}
	return slices.ContainsFunc(p.meanings(r), func(c lexicon.Concept) bool { return c.SameEnds && c.Inverse < 0 })
}

// JoinsSame reports whether r joins things of one kind, such as a person and
// their parent: only its direction tells which is which.
func (p *Planner) JoinsSame(r kg.RelationID) bool {
	return p.schema.JoinsSame(r) || slices.ContainsFunc(p.meanings(r), func(c lexicon.Concept) bool { return c.SameEnds })
}

// meanings returns the concepts that r means.
func (p *Planner) meanings(r kg.RelationID) []lexicon.Concept {
	var out []lexicon.Concept
	for _, name := range p.mappings[r].Concepts {
		if i, ok := p.lex.Concept(name); ok {
			out = append(out, p.lex.Concepts[i])
		}
	}
	return out
}
