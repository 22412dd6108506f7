package answer

import (
	"fmt"
	"slices"
	"strings"

	"cairn/engine/check"
	"cairn/engine/evidence"
	"cairn/engine/kg"
	"cairn/engine/pattern"
	"cairn/engine/say"
)

// Claims of what a statement says beside its triple, and statements that say otherwise.

// statedOtherwise returns the answer to a claim of one edge whose triple is there, where its
// statements all say another year or value than the claim. Where the statements of a relation
// often say several, there may be one that nobody wrote down: it returns only what the
// graph says instead. It returns neither where nothing of this is so.
func statedOtherwise(g *kg.Graph, p *pattern.Pattern, claim *check.Claim) (a *Answer, instead string) {
	if len(p.Edges) != 1 || p.Edges[0].From == p.Edges[0].To {
		return nil, ""
	}
	e := p.Edges[0]
	for _, from := range p.Nodes[e.From].Entities {
		for _, r := range e.Fixed {
			for _, x := range g.OutBy(from, r) {
				if !slices.Contains(p.Nodes[e.To].Entities, x.Entity) || !saysOtherwise(g, x.Triple, e.Conditions) {
					continue
				}
				n, of := statedOnce(g, r, e.Conditions)
				c := evidence.Candidate{Nodes: make([]kg.EntityID, len(p.Nodes)), Edges: []kg.TripleID{x.Triple}}
				c.Nodes[e.From], c.Nodes[e.To] = from, x.Entity
				if said, lack := claim.Said(c); lack.Reason != "" || !slices.Equal(said.Edges, c.Edges) {
					continue
				}
				instead = fmt.Sprintf("The graph gives %s for it, not%s.", saidOf(g, x.Triple), askedOf(g, e.Conditions))
				if !n.enough() {
					continue
				}
				a = stated(g, p, c, false)
				a.Sentences = append(a.Sentences, note(fmt.Sprintf("%s Of the %d %s, %.0f%% have only one.", instead, n.all, of, 100*n.part())))
				return a, instead
			}
		}
	}
	return nil, instead
}

// saidOf writes what the statements of a triple say, as conditions are written.
func saidOf(g *kg.Graph, t kg.TripleID) string {
	var all []string
	for said := range g.Statements(t) {
		var list []pattern.Condition
		for _, p := range said {
			list = append(list, pattern.Condition{Property: g.PropertyText(p.Name), Op: pattern.Equal, Value: g.PropertyValue(p)})
		}
		all = append(all, strings.TrimSpace(pattern.ConditionsText(list)))
	}
	return strings.Join(all, " and ")
}

// askedOf writes conditions with the names that people read.
func askedOf(g *kg.Graph, conditions []pattern.Condition) string {
	list := slices.Clone(conditions)
	for i := range list {
		list[i].Property = g.PropertyText(list[i].Property)
	}
	return pattern.ConditionsText(list)
}

// saysOtherwise reports whether a triple has statements, each of which says what conditions
// ask for, and none of which as they ask.
func saysOtherwise(g *kg.Graph, t kg.TripleID, conditions []pattern.Condition) bool {
	some := false
	for said := range g.Statements(t) {
		if !speaksOf(g, said, conditions) || pattern.NewTest(g, conditions).Says(said) {
			return false
		}
		some = true
	}
	return some
}

// speaksOf reports whether a statement has a value of every property that conditions ask for:
// of an interval one end at least.
func speaksOf(g *kg.Graph, said []kg.Property, conditions []pattern.Condition) bool {
	has := func(name string) bool {
		names := pattern.PropertiesCalled(g, name)
		return slices.ContainsFunc(said, func(p kg.Property) bool {
			_, ok := p.Extent()
			return ok && slices.Contains(names, p.Name)
		})
	}
	return !slices.ContainsFunc(conditions, func(c pattern.Condition) bool { return !has(c.Property) && (c.To == "" || !has(c.To)) })
}

// statedOnce counts the triples of a relation whose statements speak of what conditions ask,
// and those of them that have one statement alone, and says which they are. Where they are few, it counts those of all
// relations with such statements: a graph that has one for each writes no others down.
func statedOnce(g *kg.Graph, r kg.RelationID, conditions []pattern.Condition) (n share, which string) {
	var all share
	last := kg.NoTriple
	for t := range g.SomeQualified(maxLooked) {
		if t == last {
			continue
		}
		last = t
		of, times := g.Triple(t).Relation == r, 0
		for said := range g.Statements(t) {
			if !of || speaksOf(g, said, conditions) {
				times++
			}
		}
		all.count(times)
		if of {
			n.count(times)
		}
	}
	exact := !slices.ContainsFunc(conditions, func(c pattern.Condition) bool { return c.Op != pattern.Equal })
	if exact && n.all < singleSupport && n.single == n.all {
		return all, "triples with statements in this graph"
	}
	return n, fmt.Sprintf("“%s” triples with such a value", say.Readable(g.RelationText(r)))
}
