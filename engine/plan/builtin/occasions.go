package builtin

import (
	"cmp"
	"slices"
	"strings"

	"cairn/engine/kg"
	"cairn/engine/lexicon"
	"cairn/engine/pattern"
	"cairn/engine/plan"
	"cairn/engine/plan/words"
	"cairn/engine/schema"
)

// countStatements counts what the statements of a relation say, and not the things that it leads to, where
// the noun that a reading counts is not for these: two prizes won at one competition are two. Which of the two
// is meant stays in doubt.
func (p *Planner) countStatements(out *plan.Plan) {
	pat := out.Readings[0].Pattern
	m, node, edges := pat.Measure, -1, pat.Edges
	isSome := len(pat.Branches) == 1 && pat.Branches[0].Kind == pattern.Quantity && pat.Branches[0].Than == nil && m == nil && pat.Task == pattern.Find && pat.Order == nil
	switch {
	case p.said == nil || out.Claim:
		return
	case isSome:
		node, edges = pat.Branches[0].Node, slices.Concat(edges, pat.Branches[0].Edges)
	case m == nil && pat.Task == pattern.Count && len(pat.Branches) == 0:
		node = pat.Asked
	case m != nil && m.Func == pattern.CountOf && m.Property == "" && !pat.CountsTwo():
		node = m.Node
	}
	at := slices.IndexFunc(edges, func(e pattern.Edge) bool { return e.To == node || e.From == node })
	if node < 0 || at < 0 || len(edges[at].Fixed) != 1 || edges[at].Direction != pattern.Forward || edges[at].Closure {
		return
	}
	e := edges[at]
	property := p.statedBeside(out.Question, pat.Nodes[node].Text, e, node)
	if property == "" || !p.restates(pat, e, property) {
		return
	}
	counted := *pat
	pat = &counted
	switch {
	case isSome:
		b := pat.Branches[0]
		pat.Edges, pat.Filters, pat.Branches = edges, slices.Concat(pat.Filters, b.Filters), nil
		having := []pattern.Filter{{Node: pattern.Measured, Op: b.Op, Value: float64(b.N)}}
		pat.Measure = &pattern.Measure{Node: node, Of: -1, Property: property, Edge: at, Per: pat.Asked, Every: having[0].Holds(kg.Value{}), Having: having}
	case m == nil:
		pat.Task, pat.Measure = pattern.Find, &pattern.Measure{Node: node, Of: -1, Property: property, Edge: at, Per: -1}
	default:
		of := *m
		of.Property, of.Edge = property, at
		pat.Measure = &of
	}
	out.Readings[0].Pattern = pat
	if out.Doubt == plan.Sure {
		out.Doubt, out.Reason = plan.Unsure, "The graph says some of this several times; the reading counts each time."
	}
}

// statedBeside returns the property by which the statements of an edge are counted, where the noun for the
// node that is counted is what they say, or what the relation is called and no kind of what is at that end;
// "" otherwise.
func (p *Planner) statedBeside(question, node string, e pattern.Edge, counted int) (property string) {
	q, r := p.newQuestion(p.NewText(question, nil).Words, nil), e.Fixed[0]
	uses, slot := p.said.on[r], schema.Forward(r).To()
	if e.From == counted {
		slot = schema.Forward(r).From()
	}
	i := slices.IndexFunc(q.Words, func(w words.Word) bool { return "?"+strings.ReplaceAll(w.Lower, " ", "_") == node })
	if stems := p.names[r].stems; i < 0 && q.wh == howMany {
		if i = q.asked; i < 0 { // of "observing runs" the last
			i = slices.IndexFunc(q.Words, func(w words.Word) bool { return w.Stem == stems[len(stems)-1] })
		}
	}
	if i < 0 {
		return ""
	}
	w := &q.Words[i]
	named, _ := p.said.named(q.Words, i)
	for _, name := range named {
		if uses[name] != nil && !uses[name].isDate() {
			return name
		}
	}
	single, isTyped := lexicon.Singular(w.Lower), len(w.Types) > 0 || p.schema.Typed(slot) == 0
	isEnd := isTyped && q.NamesSlot(w, slot) || q.isPersonRole(w, slot) || lexicon.Agent(single) != "" || lexicon.Patient(single) != ""
	isOwn := w.Lower == "times" || slices.Contains(p.names[r].stems, w.Stem) || w.Weight[schema.Forward(r)]+w.Weight[schema.Forward(r).Back()] > 0
	for name, u := range uses {
		if property == "" || cmp.Or(cmp.Compare(uses[property].all, u.all), cmp.Compare(name, property)) < 0 {
			property = name
		}
	}
	if isEnd || !isOwn {
		return ""
	}
	return property
}

// restates reports whether a triple that an edge may be has several statements with a property.
func (p *Planner) restates(pat *pattern.Pattern, e pattern.Edge, property string) bool {
	const most = 50_000 // triples that are looked at
	test, seen := pattern.NewTest(p.g, e.Conditions), 0
	isRestated := func(t kg.TripleID) bool {
		n := 0
		for said := range p.g.Statements(t) {
			if test.Says(said) && slices.ContainsFunc(said, func(x kg.Property) bool { return x.Name == property }) {
				n++
			}
		}
		return n > 1
	}
	of, back := pat.Nodes[e.From].Entities, false
	if pat.Nodes[e.From].Variable {
		of, back = p.g.Heads(e.Fixed[0]), false
		if !pat.Nodes[e.To].Variable {
			of, back = pat.Nodes[e.To].Entities, true
		}
	}
	for _, x := range of {
		for _, to := range p.g.Along(x, e.Fixed[0], back) {
			if seen++; seen > most || isRestated(to.Triple) {
				return seen <= most
			}
		}
	}
	return false
}
