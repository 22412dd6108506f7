package builtin

import (
	"fmt"
	"slices"
	"strings"

	"cairn/engine/kg"
	"cairn/engine/link"
	"cairn/internal/wording"
)

// joinSameNames puts before the best proposal one that reads its name as all
// the entities that have it, where the graph answers for several: which of them
// was meant, only the user knows. Where it answers for one alone, that one is
// meant.
func (p *Planner) joinSameNames(shown []*proposal) []*proposal {
	if len(shown) < 2 {
		return shown
	}
	best := shown[0]
	for i := range best.shape.legs {
		joint := []kg.EntityID{best.shape.legs[i].entity}
		var answers []kg.EntityID
		for _, other := range shown[1:] {
			if p.differsInName(best, other, i) {
				joint = append(joint, other.shape.legs[i].entity)
				answers = append(answers, other.answers...)
			}
		}
		if len(joint) == 1 {
			continue
		}
		all := *best
		all.shape.legs = slices.Clone(best.shape.legs)
		all.shape.legs[i].same = joint
		answers = append(answers, best.answers...)
		all.answers = kg.Distinct(answers)
		return slices.Insert(shown, 0, &all)
	}
	return shown
}

// differsInName reports whether two proposals say the same of two entities of
// one name, which leg i starts from.
func (p *Planner) differsInName(a, b *proposal, i int) bool {
	if a.q != b.q || len(a.shape.legs) != len(b.shape.legs) || !slices.Equal(a.shape.tail, b.shape.tail) || a.shape.count != b.shape.count {
		return false
	}
	for j := range a.shape.legs {
		x, y := &a.shape.legs[j], &b.shape.legs[j]
		if x.mention != y.mention || !slices.Equal(x.steps, y.steps) || (x.entity == y.entity) != (j != i) {
			return false
		}
	}
	// Candidates that are tried are equally near; parts of names are no names.
	return a.q.Mentions[a.shape.legs[i].mention].Candidates[0].Method <= link.Folded
}

// sameNames says what a name may mean, where a proposal joins several entities; "" where it does not.
func (pr *proposal) sameNames() string {
	p := pr.q.p
	for _, l := range pr.shape.legs {
		if len(l.same) == 0 {
			continue
		}
		return fmt.Sprintf("“%s” names %d entities: %s. The answer is about all of them; choose one to narrow it down.",
			pr.q.Mentions[l.mention].Text, len(l.same), strings.Join(wording.Each(l.same, p.describe), " and "))
	}
	return ""
}

// describe tells an entity from others of its name, by its type or its key.
func (p *Planner) describe(e kg.EntityID) string {
	name, key := p.g.Label(e), p.g.Key(e)
	switch types := p.g.Types(e); {
	case len(types) > 0 && key != name:
		return fmt.Sprintf("the %s %s [%s]", p.g.TypeLabel(types[0]), name, key)
	case len(types) > 0:
		return fmt.Sprintf("the %s %s", p.g.TypeLabel(types[0]), name)
	case key != name:
		return fmt.Sprintf("%s [%s]", name, key)
	}
	return name
}
