package bench

import (
	"context"
	"slices"

	"cairn/engine/kg"
	"cairn/engine/pattern"
	"cairn/engine/questions"
	"cairn/engine/schema"
	"cairn/internal/token"
)

// Edit is what was done to one condition, so that the question is no longer what its
// answer was drawn from. Deleting an edge of the evidence and relabelling a condition
// are one graph edit: either way the graph does not say what the question asks.
type Edit int

// The edits (SG-RAG §5, "robustness").
const (
	Dropped    Edit = iota // the condition is not asked
	Exchanged              // it names another entity, which the answer is not joined to
	Relabelled             // it asks for another relation, which does not join them
	Added                  // beside it stands another one, which the answer does not meet
)

var edits = token.Names{"dropped", "exchanged", "relabelled", "added"}

// String returns the edit as a token.
func (e Edit) String() string { return edits.Of(int(e)) }

// MarshalText writes the token.
func (e Edit) MarshalText() ([]byte, error) { return []byte(e.String()), nil }

// editTries is how often an edit is drawn until it takes the answers' condition away.
const editTries = 50

// Edited changes n conditions of a star, each another one. ok is false where it has
// too few, or the graph too little to exchange them for.
func (m *starMaker) Edited(ctx context.Context, s Star, n int) (_ Star, ok bool) {
	if n == 0 {
		return s, true
	}
	if n >= len(s.Legs) {
		return s, false
	}
	kept := slices.Clone(s.Legs) // those dropped have no steps
	var added []questions.Leg
	s.Edits = nil
	for _, i := range m.rng.Perm(len(kept))[:n] {
		edit, l, ok := m.edit(ctx, &s, kept[i])
		switch {
		case !ok:
			return s, false
		case edit == Added:
			added = append(added, l)
		default:
			kept[i] = l
		}
		s.Edits = append(s.Edits, edit)
	}
	kept = slices.DeleteFunc(kept, func(l questions.Leg) bool { return len(l.Steps) == 0 })
	s.Legs = slices.Concat(kept, added)
	s.Text, s.Pattern = m.words.Star(s.Legs)
	s.Chance = m.chance(ctx, &s)
	return s, true
}

// edit draws what is done to a condition, and what then stands for it, which no answer
// meets.
func (m *starMaker) edit(ctx context.Context, s *Star, was questions.Leg) (Edit, questions.Leg, bool) {
	for range editTries {
		edit := Edit(m.rng.IntN(len(edits)))
		if edit == Dropped {
			return edit, questions.Leg{}, true
		}
		l, ok := m.other(edit, was)
		ok = ok && (edit == Relabelled || !slices.ContainsFunc(s.Legs, func(o questions.Leg) bool { return o.Entity == l.Entity }))
		if ok && !slices.Contains(s.Answers, l.Entity) && !m.meets(ctx, s.Answers, l) {
			return edit, l, true
		}
	}
	return 0, was, false
}

// other draws a condition that differs in its relation, or else in its entity.
func (m *starMaker) other(edit Edit, l questions.Leg) (questions.Leg, bool) {
	if edit != Relabelled {
		others := m.slots[l.Steps[0].From()]
		if len(others) == 0 {
			return l, false
		}
		l.Entity = others[m.rng.IntN(len(others))]
		return l, true
	}
	s := m.schema.Canonical(schema.Step(m.rng.IntN(m.schema.Slots())))
	last := len(l.Steps) - 1
	if s == l.Steps[last] || m.schema.IsMediator(s.To()) || m.schema.IsMediator(s.From()) || len(m.slots[s.From()]) == 0 {
		return l, false
	}
	l.Steps = slices.Clone(l.Steps)
	l.Steps[last] = s
	return l, true
}

// meets reports whether any of some entities meets a condition, or may.
func (m *starMaker) meets(ctx context.Context, es []kg.EntityID, l questions.Leg) bool {
	_, p := m.words.Star([]questions.Leg{l})
	return slices.ContainsFunc(es, func(e kg.EntityID) bool { return m.holds(ctx, p, e) })
}

// holds reports whether an entity meets every condition of a pattern, or may: it takes
// long to tell.
func (m *starMaker) holds(ctx context.Context, p *pattern.Pattern, e kg.EntityID) bool {
	one := *p
	one.Nodes = slices.Clone(p.Nodes)
	one.Nodes[p.Asked].Within = []kg.EntityID{e}
	met, ok := m.answers(ctx, &one, 1)
	return !ok || len(met) > 0
}
