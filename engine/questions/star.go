package questions

import (
	"strings"

	"cairn/engine/kg"
	"cairn/engine/lexicon"
	"cairn/engine/pattern"
	"cairn/engine/schema"
)

// CanName reports whether a question can be about an entity by its name.
func (m *Maker) CanName(e kg.EntityID) bool { return m.canName(e) }

// Star asks for what meets every condition, in the plainest words of the relations: "Which
// film has the director A, has the same genre as B and is the sequel of C?". A relation
// without words of that kind is said by its name as it is, so that all stars can be
// asked. It returns the question and what it means; answers may or may not exist.
func (m *Maker) Star(legs []Leg) (string, *pattern.Pattern) {
	s := shape{legs: legs}
	v := voice{m: m}
	kind := ""
	var parts []string
	for _, l := range s.legs {
		hops := m.split(l.Steps)
		parts = append(parts, v.condition(v.name(l.Entity), hops))
		if k := v.sayHop(hops[len(hops)-1]).kind; kind == "" && !lexicon.IsPlural(k) {
			kind = k
		}
	}
	last := len(parts) - 1
	joint := parts[last]
	if last > 0 {
		joint = strings.Join(parts[:last], ", ") + " and " + joint
	}
	return "Which " + v.kind(kind) + " " + joint + "?", m.patternOf(&s)
}

// condition says what one thing is or does to what hops lead to it from x.
func (v *voice) condition(x string, hops [][]schema.Step) string {
	last := len(hops) - 1
	if last > 0 && len(hops[last]) == 1 && len(hops[last-1]) == 1 && hops[last][0] == v.m.schema.Back(hops[last-1][0]) {
		shared := v.sayHop(hops[last-1]).nouns
		if noun := firstOf(shared); noun != "" {
			return "has the same " + noun + " as " + v.around(x, hops[:last-1])
		}
	}
	x = v.around(x, hops[:last])
	if said := v.clauses(hops[last], x, false); len(said) > 0 {
		return said[0]
	}
	step := hops[last][len(hops[last])-1]
	name := v.m.g.RelationText(step.Relation())
	if step.IsBack() {
		return "has the " + name + " " + x
	}
	return "is the " + name + " of " + x
}

// around is nest, or, where a relation has no words for it, with its name as it is.
func (v *voice) around(x string, hops [][]schema.Step) string {
	for _, hop := range hops {
		if said := v.phrases(hop, x); len(said) > 0 {
			x = said[0]
			continue
		}
		x = "the " + v.m.g.RelationText(hop[len(hop)-1].Relation()) + " of " + x
	}
	return x
}
