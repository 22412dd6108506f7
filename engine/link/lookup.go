package link

import (
	"context"
	"slices"
	"strings"

	"cairn/engine/kg"
	"cairn/engine/lexicon"
	"cairn/internal/wording"
)

// nearThreshold is the largest distance by embedding at which a name is offered
// at all: at 1.0 two unit vectors have half of their energy in common. Misspelt
// titles of MetaQA lie at 0.5 to 1.0, unrelated ones above 1.1.
const nearThreshold = 1.0

// Lookup returns up to k candidates for a text that is a name, by (distance,
// id): names equal to it, letter by letter or folded; misspelt ones; names that
// it is a part of; and, with a vocabulary, names near to it by embedding. All
// same-name entities come before any that is further away; see ByProminence
// for an order among them. Later ways are only tried where earlier ones leave
// room.
func (l *Linker) Lookup(ctx context.Context, text string, k int) ([]Candidate, error) {
	if err := ctx.Err(); err != nil || k <= 0 {
		return nil, err
	}
	text = strings.TrimSpace(text)
	found := l.named(text)
	tokens := lexicon.Tokenize(text)
	if len(found) < k && len(tokens) <= maxNameTokens {
		found = mergeCandidates(found, l.typo(tokens))
	}
	if len(found) < k && len(tokens) > 0 && len(tokens) <= maxTypoWords {
		found = mergeCandidates(found, l.partial(tokens, false))
		if len(tokens) == 1 {
			found = mergeCandidates(found, l.acronym(tokens[0].Lower))
		}
	}
	if len(found) < k && l.vocabulary != nil && len(tokens) > 0 {
		near, err := l.vocabulary.Entities(ctx, text, k)
		if err != nil {
			return nil, err
		}
		for _, n := range near {
			if n.Distance > nearThreshold {
				break
			}
			found = append(found, Candidate{Entity: n.ID, Distance: max(n.Distance, editDistance), Method: Near})
		}
		found = mergeCandidates(found, nil)
	}
	return found[:min(k, len(found))], nil
}

// named returns the candidates with a name that is text but for case, accents,
// punctuation and little words.
func (l *Linker) named(text string) []Candidate {
	s := &search{Linker: l, question: text, tokens: lexicon.Tokenize(text)}
	if len(s.tokens) == 0 {
		s.symbols()
		return s.found()
	}
	n := len(s.tokens)
	try := func(tokens []lexicon.Token, f form) {
		s.key = appendKey(s.key[:0], tokens)
		if ps := l.names.find(s.key); len(tokens) > 0 && len(ps) > 0 {
			s.addForm(0, n, ps, f)
		}
	}
	try(s.tokens, labelForm)
	try(turnedRound(text, s.tokens), turnedForm)
	try(withoutLittleWords(s.tokens), bareForm)
	if n <= maxCompactTokens {
		s.key = appendCompact(s.key[:0], s.tokens)
		if ps := l.names.find(s.key); len(ps) > 0 && n > 1 {
			s.addForm(0, n, ps, compactForm)
		}
	}
	if l.forms != nil && n == 1 {
		s.otherForms(0)
	}
	return s.found()
}

// found returns the candidates of all mentions.
func (s *search) found() []Candidate {
	var all []Candidate
	for _, m := range s.mentions {
		all = append(all, m.Candidates...)
	}
	return mergeCandidates(all, nil)
}

// Named returns the entities with a name that is text but for case, accents,
// punctuation and little words, the likeliest first.
func (l *Linker) Named(text string) []kg.EntityID {
	return wording.Each(l.named(text), func(c Candidate) kg.EntityID { return c.Entity })
}

// SameName returns the candidates that have a name as surely as the first. Those that
// are called so letter by letter come before any other: “Moulin Rouge!” is another film
// than “Moulin Rouge”.
func SameName(g *kg.Graph, name string, cs []Candidate) []Candidate {
	name = strings.TrimSpace(name)
	var same, exact []Candidate
	for _, c := range cs {
		if c.Distance > cs[0].Distance || c.Method > cs[0].Method {
			continue
		}
		same = append(same, c)
		if g.Label(c.Entity) == name || slices.Contains(g.Aliases(c.Entity), name) {
			exact = append(exact, c)
		}
	}
	if len(exact) > 0 {
		return exact
	}
	return same
}
