package builtin

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"unicode"

	"cairn/engine/kg"
	"cairn/engine/lexicon"
	"cairn/engine/pattern"
	"cairn/engine/schema"
	"cairn/internal/wording"
)

// Units of questions: an amount is told in the unit of the values that it is compared with,
// and what is measured in a unit of another dimension is not compared.

// inUnits keeps the meanings of a comparison whose values its unit may measure. Where none
// may, the question is refused by the name of the amount.
func (r *reader) inUnits(c *comparison) {
	if c.units == nil || len(c.means) == 0 {
		return
	}
	was := c.means[0].step
	loose := c.means[0].fit <= looseFit // no word names what is compared: its unit must
	unit := strings.TrimLeft(c.amount, "0123456789., ")
	if strings.Contains(unit, "/") { // "50 mg/l" is no "50 mg/ml"
		c.means = slices.DeleteFunc(c.means, func(m valueMeaning) bool {
			of := m.step.Relation()
			return !schema.IsPer(r.p.g.RelationText(of), unit) && !strings.EqualFold(r.p.schema.Measured(of).Unit, unit)
		})
	}
	hasUnit := func(m valueMeaning) bool { return r.p.schema.Measured(m.step.Relation()).Unit != "" }
	if i := slices.IndexFunc(c.means, hasUnit); i >= 0 { // then it is none that has no unit
		was = c.means[i].step
		c.means = slices.DeleteFunc(c.means, func(m valueMeaning) bool { return !hasUnit(m) })
	}
	c.means = slices.DeleteFunc(c.means, func(m valueMeaning) bool {
		unit := r.p.schema.Measured(m.step.Relation()).Unit
		return unit == "" && loose || unit != "" && !c.mayBeIn(unit) || r.p.schema.Value(m.step.To()) == schema.DateValue
	})
	if len(c.means) == 0 && !loose {
		name := wording.Quote(r.p.g.RelationText(was.Relation()))
		has := "is measured in " + r.p.schema.Measured(was.Relation()).Unit
		if r.p.schema.Value(was.To()) == schema.DateValue {
			has = "gives dates"
		} else if has == "is measured in " {
			has = "names no unit"
		}
		r.unlike = fmt.Sprintf("%s cannot be compared with %s, which %s.", wording.Quote(c.amount), name, has)
	}
}

// mayBeIn reports whether the amount of a comparison can be told in a unit.
func (c *comparison) mayBeIn(unit string) bool {
	return slices.ContainsFunc(c.units, func(u kg.Unit) bool {
		_, ok := kg.Value{Unit: u.Symbol}.In(unit)
		return ok
	})
}

// filter compares the values of a node with the amount of a comparison.
func (w *writer) filter(node int, v *valueLeg, op pattern.Op, number float64) pattern.Filter {
	c := v.comparison
	f := pattern.Filter{Node: node, Op: op, Value: number}
	m := w.p.schema.Measured(v.step.Relation())
	if m.Labelled {
		f.Unit = m.Unit
	}
	for _, u := range c.units {
		told, ok := kg.Value{Number: number, Unit: u.Symbol}.In(m.Unit)
		if ok && m.Unit != "" && u.Symbol != m.Unit {
			f.Value = told.Number
			asked := number
			if c.exact {
				asked = (c.number + *c.most) / 2
				told, _ = kg.Value{Number: asked, Unit: u.Symbol}.In(m.Unit)
			}
			const whole = 1000 // from which on nobody reads the rest
			if told.Number >= whole {
				told.Number = math.Round(told.Number)
			}
			if f.Told = c.amount; c.most != nil {
				f.Told = wording.Amount(asked, u.Symbol)
			}
			f.Told += " = " + wording.Amount(told.Number, m.Unit)
			break
		}
	}
	return f
}

// unitDoubt says what is not known of the units that are compared; "" for nothing.
func (p *Planner) unitDoubt(values []valueLeg) string {
	for _, v := range values {
		m := p.schema.Measured(v.step.Relation())
		relation := p.g.RelationText(v.step.Relation())
		name, scale := wording.Quote(relation), scaleOf(relation)
		switch c := v.comparison; {
		case c.units != nil && m.Unit == "":
			return fmt.Sprintf("The graph does not give the unit of %s; its numbers were read as %s.", name, c.units[0].Symbol)
		case !c.superlative && scale != "":
			return fmt.Sprintf("The numbers of %s seem to be in %ss; they were compared as they are written.", name, scale)
		case lexicon.IsPlaceInOrder(p.names[v.step.Relation()].words) && c.units == nil && (c.superlative || c.op != pattern.Equal):
			return lexicon.UntoldOrder(relation)
		case m.Unlike && c.units == nil:
			return m.Unmixed(relation)
		case m.Mixed && c.units == nil && !c.superlative:
			return fmt.Sprintf("The values of %s are in several units; the question was read as meaning %s.", name, m.Unit)
		}
	}
	return ""
}

// scaleOf returns the word by which the name of a relation multiplies its numbers, as in
// "inhabitants (thousand)"; "" for none.
func scaleOf(relation string) string {
	for _, w := range strings.FieldsFunc(strings.ToLower(relation), func(r rune) bool { return !unicode.IsLetter(r) }) {
		if len(w) > 2 && kg.Scale(w) > 0 {
			return strings.TrimSuffix(w, "s")
		}
	}
	return ""
}
