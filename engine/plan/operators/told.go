package operators

import (
	"context"
	"fmt"
	"slices"

	"cairn/engine/kg"
	"cairn/engine/lexicon"
	"cairn/engine/pattern"
	"cairn/engine/plan"
	"cairn/engine/schema"
	"cairn/internal/wording"
)

// The unit that an answer is wanted in.

// wanted is a unit in words [from, to) of a phrase, and what is left to be read.
type wanted struct {
	from, to int
	units    []kg.Unit
	rest     []piece
}

// dimensions are the words for what is measured: "high".
var dimensions = lexicon.Words("dimensions")

// unitAt returns the units that the words from i on name, and the word after.
func (p *phrase) unitAt(i int) (us []kg.Unit, to int) {
	if i >= p.len() || p.isName(i) {
		return nil, i
	}
	us, n := kg.LeadingUnit(p.Source[p.word(i).Start:], nil)
	for to = i; us != nil && to < p.len() && p.word(to).End <= p.word(i).Start+n; to++ {
	}
	return us, to
}

// wantedUnit finds the unit that an answer is wanted in: "How long is X in miles?", "How many
// miles long is X?"; nil for none.
func (p *phrase) wantedUnit() *wanted {
	for i := range p.len() {
		if !p.says(i, "in") {
			continue
		}
		if us, to := p.unitAt(i + 1); us != nil && (to == p.len() || i == 0) {
			return &wanted{i, to, us, []piece{span(0, i), span(to, p.len())}}
		}
	}
	if !p.says(0, "how many") {
		return nil
	}
	us, to := p.unitAt(2)
	switch {
	case us == nil:
		return nil
	case p.is(to, auxiliary) && p.hasName(to, p.len()), // "How many tonnes does X weigh?"
		p.is(to, moreWords), p.is(to, lessWords), p.compares(to) && !p.is(to, dimensions): // "How many feet higher is X than Y?"
		return &wanted{2, to, us, []piece{text("How much"), span(to, p.len())}}
	case p.is(to, dimensions):
		return &wanted{2, to, us, []piece{text("How"), span(to, p.len())}}
	}
	return nil
}

// compares reports whether word i is an adjective that compares values.
func (p *phrase) compares(i int) bool {
	return i < p.len() && len(p.Vocabulary.Lexicon().Comparisons(p.word(i).Lower)) > 0
}

// told reads a question that says in which unit its answer is wanted.
func (r *reader) told(ctx context.Context, p *phrase) (*part, error) {
	w := p.wantedUnit()
	if w == nil {
		return nil, nil
	}
	word := p.text(w.from, w.to)
	got, err := r.read(ctx, r.cut(p, w.rest...), word)
	if err != nil {
		if ctx.Err() != nil {
			return nil, err
		}
		return nil, nil // the words may be no unit
	}
	m, name, ok := r.measured(got.pat)
	if !ok {
		return nil, nil
	}
	if m.Unit == "" {
		got.unsure(plan.Unsure, fmt.Sprintf("The graph does not give the unit of %s, so it cannot be converted.", wording.Quote(name)))
		return got, nil
	}
	i := slices.IndexFunc(w.units, func(u kg.Unit) bool { _, may := (kg.Value{Unit: m.Unit}).In(u.Symbol); return may })
	if i < 0 {
		return nil, refuse(word, fmt.Sprintf("%s is measured in %s, which cannot be converted to that.", wording.Quote(name), m.Unit))
	}
	got.pat = copied(got.pat)
	got.pat.Told = &pattern.Told{Unit: w.units[i].Symbol}
	if !m.Labelled {
		got.pat.Told.From = m.Unit
	}
	got.text += ", in " + w.units[i].Symbol
	return got, nil
}

// measured says how the number that a pattern asks for is measured, and what it is called;
// false where it asks for none.
func (r *reader) measured(p *pattern.Pattern) (m schema.Measure, name string, ok bool) {
	node := p.Asked
	switch {
	case p.Measure != nil && (p.Measure.Func == pattern.CountOf || p.Measure.Func == pattern.Share || p.Measure.Property != "") || p.Task != pattern.Find:
		return m, "", false
	case p.Measure != nil:
		node = p.Measure.Node
	case p.Order != nil:
		node = p.Order.Node
	}
	for _, e := range p.Edges {
		if e.To != node || len(e.Fixed) == 0 || r.voc.Schema().Value(schema.Forward(e.Fixed[0]).To()) != schema.NumberValue {
			continue
		}
		return r.voc.Schema().Measured(e.Fixed[0]), r.voc.Graph().RelationText(e.Fixed[0]), true
	}
	return m, "", false
}
