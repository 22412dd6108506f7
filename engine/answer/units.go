package answer

import (
	"cmp"

	"cairn/engine/kg"
	"cairn/engine/pattern"
	"cairn/engine/say"
	"cairn/internal/wording"
)

// inUnit tells the numbers of an answer in the unit that is wanted, beside what they are.
func inUnit(g *kg.Graph, p *pattern.Pattern, a *Answer) (notes []string) {
	if p.Told == nil {
		return nil
	}
	for _, it := range a.Items[:min(len(a.Items), MaxNames)] {
		var v kg.Value
		of, ok := "", true
		switch {
		case it.Amount != nil:
			v = kg.Value{Number: it.Amount.Value, Unit: it.Amount.Unit}
			if it.Entity != kg.NoEntity {
				of = say.Name(g, it.Entity) + ": "
			}
		case it.Entity != kg.NoEntity:
			v, ok = g.Value(it.Entity)
		}
		v.Unit = cmp.Or(v.Unit, p.Told.From)
		if told, may := v.In(p.Told.Unit); ok && may && told.Unit != v.Unit {
			notes = append(notes, of+wording.Amount(v.Number, v.Unit)+" = "+wording.Amount(told.Number, told.Unit)+".")
		}
	}
	return notes
}
