package builtin

import (
	"fmt"
	"slices"

	"cairn/engine/kg"
	"cairn/engine/lexicon"
	"cairn/engine/pattern"
	"cairn/engine/schema"
	"cairn/internal/wording"
)

// recordOf returns the step from things in a slot to what has a value that the question names; nil where
// there is none, or more than one. "More than one prize" may count, and names no value.
func (r *reader) recordOf(from schema.Slot, types []kg.TypeID, c *comparison, m valueMeaning) *schema.Step {
	counts := !c.superlative && c.units == nil && !r.isAmount(c.taken[len(c.taken)-1])
	ofOwn := !slices.ContainsFunc(c.taken, func(i int) bool { return r.p.saysMeasure(r.Words[i].Lower, m.step) }) && r.p.hasOwnMeasure([]schema.Slot{from}, types, m.step)
	if !m.named || counts || ofOwn || r.p.schema.Value(from) != schema.NoValue {
		return nil
	}
	return r.p.onlyWay([]schema.Slot{from}, types, m.step)
}

// onlyWay returns the step from things in some slots to those that have what a step leads to, where
// there is one and no more; nil otherwise.
func (p *Planner) onlyWay(from []schema.Slot, types []kg.TypeID, to schema.Step) *schema.Step {
	fromIsIn := func(at schema.Slot) bool {
		return slices.ContainsFunc(from, func(o schema.Slot) bool { return p.hasValue(o, types, schema.Step(at)) })
	}
	ways := p.Ways(fromIsIn, func(at schema.Slot) bool { return p.schema.Value(at) == schema.NoValue && p.hasValue(at, nil, to) })
	ways = slices.DeleteFunc(ways, func(s schema.Step) bool { return p.schema.Canonical(s) != s })
	if len(ways) != 1 {
		return nil
	}
	return &ways[0]
}

// isOfAmount reports whether the most or the fewest of something are asked for, of which several numbers are one together.
func (l *look) isOfAmount(v valueLeg) bool {
	name := l.r.p.names[v.step.Relation()].words
	isMany := l.q.has(v.comparison.taken[0], v.comparison.taken[0]+1, "most", "fewest")
	return isMany || l.r.p.Counts(v.step.Relation()) || len(name) > 0 && (name[len(name)-1] == "count" || name[0] == "number")
}

// saysMeasure reports whether a word is one of the name of a step to numbers, and not of their unit.
func (p *Planner) saysMeasure(word string, st schema.Step) bool {
	return kg.UnitsOf(word) == nil && slices.Contains(p.names[st.Relation()].words, lexicon.Singular(word))
}

// hasOwnMeasure reports whether things in some slots have numbers themselves in units of what the numbers are in that
// a step leads to from other things: a boat that is so "long" has a length of its own, beside that of its berth.
func (p *Planner) hasOwnMeasure(from []schema.Slot, types []kg.TypeID, other schema.Step) bool {
	units := kg.UnitsOf(p.schema.Measured(other.Relation()).Unit)
	if len(units) == 0 {
		return false
	}
	for _, m := range p.Mappings() {
		st := schema.Forward(m.Relation)
		isOwn := slices.ContainsFunc(from, func(at schema.Slot) bool { return p.hasValue(at, types, st) })
		if us := kg.UnitsOf(p.schema.Measured(m.Relation).Unit); m.Relation != other.Relation() && isOwn && len(us) > 0 && us[0].Dimension == units[0].Dimension {
			return true
		}
	}
	return false
}

// ofOtherMeasure says in a sentence that a reading goes on, by a step that no word asks for, to a number of something
// else, where a word such as "long" asks how much the thing itself has of what it has a number of, too; "" for other readings.
func (l *look) ofOtherMeasure() string {
	p, hops := l.r.p, l.hops
	for i := 1; i < len(hops) && i < len(l.verdict.cue); i++ {
		if hops[i].at == 0 {
			continue
		}
		bare, measure, from := i-1, i, hops[i-1].step.From()
		if hops[i-1].step.IsBack() {
			bare, measure, from = i, i-1, hops[i].step.To()
		}
		st, w := schema.Forward(hops[measure].step.Relation()), l.asking(measure)
		if p.schema.Value(st.To()) != schema.NumberValue || l.verdict.cue[bare] >= 0 || w == nil || w.Chosen || p.saysMeasure(w.Lower, st) {
			continue
		}
		slots, types := []schema.Slot{from}, []kg.TypeID(nil)
		if bare < measure && bare == 0 && hops[bare].leg < len(l.shape.legs) {
			e := l.shape.legs[hops[bare].leg].entity
			slots, types = l.q.topic(e).slots, p.g.Types(e)
		}
		if p.hasOwnMeasure(slots, types, st) {
			return fmt.Sprintf("The graph says %s of what %s leads to.", wording.Quote(p.g.RelationText(st.Relation())), wording.Quote(p.g.RelationText(hops[bare].step.Relation())))
		}
	}
	return ""
}

// ofOtherNumber says in a sentence that a reading leaves out the noun for what is so much, and takes one of several that no
// word asks for: a "hill slope above 1.2" is no weight above 1.2. It returns "" for other readings.
func (l *look) ofOtherNumber() string {
	isLeft := func(i int) bool {
		return i >= 0 && i < len(l.q.Words) && l.q.Words[i].Mention < 0 && slices.Contains(slices.Concat(l.left, l.missing), l.q.Words[i].Text)
	}
	for _, v := range l.shape.values {
		at := v.comparison.taken[0] - 1
		if v.loose && v.comparison.bare && l.tie() != "" && isLeft(at) && !lexicon.IsParticiple(l.q.Words[at].Lower) && !lexicon.IsPast(l.q.Words[at].Lower) && !lexicon.IsVerbForm(l.q.Words[at].Lower) {
			return leavesOut([]string{l.q.Words[at].Text})
		}
	}
	return ""
}

// goesOnlyWay reports whether a reading goes in two steps to what nothing of the types of its name has
// itself, and there is no other way: no pupil has a home room, and that of the class is meant.
func (pr *proposal) goesOnlyWay() bool {
	hops, p := pr.shape.hops(), pr.q.p
	if len(hops) != 2 || len(pr.shape.legs) != 1 || len(pr.verdict.unused) > 0 {
		return false
	}
	if asked := pr.q.asked; asked >= 0 && pr.q.Words[asked].Weight[hops[1].step] == 0 && !pr.q.NamesSlot(&pr.q.Words[asked], hops[1].step.To()) {
		return false // it asks for something else
	}
	e := pr.shape.legs[0].entity
	slots, types := pr.q.topic(e).slots, p.g.Types(e)
	if len(types) == 0 || p.schema.Typed(hops[1].step.From()) < all || slices.ContainsFunc(slots, func(at schema.Slot) bool { return p.hasValue(at, types, hops[1].step) }) {
		return false
	}
	way := p.onlyWay(slots, types, hops[1].step)
	return way != nil && *way == hops[0].step
}

// ofRecords says that a value was compared of any record of a thing, where the thing has records that
// do not fit, too: a well with nitrate below 50 in one sample may have more in another; or of what several
// things share.
func (l *look) ofRecords() string {
	for _, v := range l.shape.values {
		if v.record == nil {
			continue
		}
		if name := l.r.p.g.RelationText; hasSeveral(l.r.p.g, v.record.Back()) { // no band was founded when its label was
			return fmt.Sprintf("The graph says %s of what %s leads to.", wording.Quote(name(v.step.Relation())), wording.Quote(name(v.record.Relation())))
		}
		if root := l.shape.root; v.comparison.superlative && root != nil && l.r.p.IsOfTypes(root.at, lexicon.Person) && l.q.has(root.word+1, min(root.word+2, len(l.q.Words)), "has", "have", "had") {
			return fmt.Sprintf("The graph says %s of what %s leads to.", wording.Quote(l.r.p.g.RelationText(v.step.Relation())), wording.Quote(l.r.p.g.RelationText(v.record.Relation())))
		}
		if v.comparison.superlative && l.isOfAmount(v) && hasSeveral(l.r.p.g, *v.record) {
			return "One thing can have several such values; they were not added up."
		}
		if v.comparison.superlative {
			continue
		}
		s := l.r.p.schema
		if v.at != l.shape.askedHop() {
			if hasSeveral(l.r.p.g, *v.record) {
				return "One thing can have several such values; any one that fits was taken as enough."
			}
			continue
		}
		own := v
		own.record = nil
		w := &writer{p: l.r.p, pat: &pattern.Pattern{Nodes: make([]pattern.Node, 1)}}
		w.writeCompared(0, &own)
		for _, e := range l.answers {
			if slices.ContainsFunc(s.Edges(e, *v.record), func(x kg.Edge) bool { return !operands{l.r.p}.holds(x.Entity, v.step, w.pat.Filters) }) {
				return fmt.Sprintf("%s has several such values; any one that fits was taken as enough.", wording.Quote(l.r.p.g.Label(e)))
			}
		}
	}
	return ""
}
