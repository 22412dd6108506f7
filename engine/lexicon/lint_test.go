package lexicon

import (
	"fmt"
	"slices"
	"strings"
)

// Lint returns what is likely wrong with a lexicon, one sentence each, in the
// order of its concepts. A wrong entry is worse than none: it gives a relation
// words that ask for something else.
//
// It finds concepts that no relation can mean, relation entries that two
// concepts with different kinds of answers share, nouns that stand for both
// ends of one relation, head nouns of several kinds in one concept, and
// entries given twice.
func (l *Lexicon) Lint() []string {
	var out []string
	out = append(out, l.lintRelations()...)
	kinds := l.nounKinds()
	for _, c := range l.Concepts {
		out = append(out, l.lintConcept(c, kinds)...)
	}
	return out
}

// lintRelations compares the relation entries of all concepts.
func (l *Lexicon) lintRelations() []string {
	var out []string
	first := map[string]int{}
	for i, c := range l.Concepts {
		if len(c.Relation) == 0 {
			out = append(out, fmt.Sprintf("concept %q: no relation name means it", c.Name))
		}
		for _, p := range c.Relation {
			key := strings.Join(p.Stems, " ")
			j, seen := first[key]
			if !seen {
				first[key] = i
				continue
			}
			if o := l.Concepts[j]; j != i && o.Answer != c.Answer {
				out = append(out, fmt.Sprintf("relation entry %q: concept %q leads to a %s, concept %q to a %s", p.Text, o.Name, o.Answer, c.Name, c.Answer))
			}
		}
	}
	return out
}

// nounKinds returns the kinds of answers that each tail noun stands for.
func (l *Lexicon) nounKinds() map[string][]Answer {
	kinds := map[string][]Answer{}
	for _, c := range l.Concepts {
		for _, p := range c.Tail {
			key := strings.Join(p.Stems, " ")
			if !slices.Contains(kinds[key], c.Answer) {
				kinds[key] = append(kinds[key], c.Answer)
			}
		}
	}
	return kinds
}

func (l *Lexicon) lintConcept(c Concept, kinds map[string][]Answer) []string {
	var out []string
	say := func(format string, args ...any) {
		out = append(out, fmt.Sprintf("concept %q: ", c.Name)+fmt.Sprintf(format, args...))
	}
	for field, phrases := range map[string][]Phrase{"relation": c.Relation, "tail": c.Tail, "head": c.Head, "ask": c.Ask} {
		for i, p := range phrases {
			for _, o := range phrases[:i] {
				if o.Text == p.Text {
					say("the entry %q is in field %s twice", p.Text, field)
				}
			}
		}
	}
	slices.Sort(out)
	for _, h := range c.Head {
		if c.SameEnds {
			break
		}
		for _, t := range c.Tail {
			if slices.Equal(h.Stems, t.Stems) {
				say("the noun %q stands for both ends", h.Text)
			}
		}
	}
	// A noun that is elsewhere surely a person can not be a kind of head here
	// beside one that is elsewhere surely a place: a relation whose heads are of
	// one kind would lend its heads the other noun too.
	var person, other string
	for _, h := range c.Head {
		ks := kinds[strings.Join(h.Stems, " ")]
		switch {
		case len(ks) != 1:
		case ks[0] == Person:
			person = h.Text
		case ks[0] == Place || ks[0] == Organization || ks[0] == Date:
			other = h.Text
		}
	}
	if person != "" && other != "" && !slices.Contains([]Answer{Text, Person}, c.Answer) {
		say("the head nouns %q and %q are things of different kinds", person, other)
	}
	return out
}
