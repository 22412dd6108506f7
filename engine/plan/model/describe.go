package model

import (
	"cmp"
	"fmt"
	"slices"

	"cairn/engine/kg"
	"cairn/engine/lexicon"
	"cairn/engine/llm"
	"cairn/engine/pattern"
	"cairn/engine/schema"
)

// description is what prompts say of a graph. It does not change.
type description struct {
	relations []kg.RelationID // that occur, the most frequent first
	first     []kg.TripleID   // an example of each relation, by relation
	types     []string        // the largest first, quoted
	// properties are those of statements, quoted, intervals as one.
	properties []string
	examples   []example
}

// describe collects what prompts say of a graph.
func describe(g *kg.Graph) description {
	var d description
	var types []kg.TypeID
	d.relations, d.first, types = schema.Frequent(g)
	for _, t := range types[:min(maxTypes, len(types))] {
		d.types = append(d.types, llm.Quote(g.TypeLabel(t), maxLabel))
	}
	d.properties = propertiesOf(g)
	d.examples = append(paperExamples(), graphExamples(g, d.relations, d.first)...)
	return d
}

// propertiesOf returns what statements of g say, as conditions name it.
func propertiesOf(g *kg.Graph) (out []string) {
	names := g.PropertyNames()
	for _, a := range names[:min(maxTypes, len(names))] {
		name := a
		for _, b := range names {
			if pattern.IsInterval(a, b) {
				name = a + ".." + b
			}
		}
		if !slices.ContainsFunc(names, func(b string) bool { return pattern.IsInterval(b, a) }) {
			out = append(out, llm.Quote(name, maxLabel))
		}
	}
	return out
}

// promptData returns what a prompt about a question says of the graph.
func (d *description) promptData(p *Planner, q *question) promptData {
	out := promptData{Types: d.types, Properties: d.properties, Examples: slices.Clone(d.examples), all: len(d.relations)}
	for _, r := range p.telling(q)[:min(maxRelations, len(d.relations))] {
		text := llm.Quote(p.w.Graph.RelationText(r), maxLabel)
		out.Relations = append(out.Relations, text)
		if len(out.Directed) < maxDirected && p.w.Schema.JoinsSame(r) && !p.w.Schema.Symmetric(r) {
			t := p.w.Graph.Triple(d.first[r])
			out.Directed = append(out.Directed, fmt.Sprintf("[%q, %q, %q]",
				llm.Quote(p.w.Graph.Label(t.Head), maxLabel), text, llm.Quote(p.w.Graph.Label(t.Tail), maxLabel)))
		}
	}
	return out
}

// maxDirected is how many relations are shown with a triple, since only that says
// which end is which.
const maxDirected = 12

// telling returns the relations of the graph in the order in which a prompt about
// a question should name them. Where it can name all of them that is how frequent
// they are: the prompt then begins the same every time, and servers need not read
// that part anew. Otherwise those that the question's words ask for come first,
// then those of the things that it names.
func (p *Planner) telling(q *question) []kg.RelationID {
	all := p.about.relations
	if len(all) <= maxRelations {
		return all
	}
	g := p.w.Graph
	near := map[kg.RelationID]bool{}
	for _, m := range q.without.Mentions[:min(maxNear, len(q.without.Mentions))] {
		for _, c := range m.Candidates[:min(1, len(m.Candidates))] {
			for _, edges := range [2][]kg.Edge{g.Out(c.Entity), g.In(c.Entity)} {
				for _, e := range edges[:min(len(edges), maxLooked)] {
					near[e.Relation] = true
				}
			}
		}
	}
	score := make(map[kg.RelationID]int, len(all))
	for _, r := range all {
		for _, s := range lexicon.Stems(g.RelationText(r)) {
			if q.stems[s] {
				score[r] += 3
			}
		}
		for s := range q.stems {
			if p.w.Schema.AsksFor(r, s) {
				score[r] += 2
			}
		}
		if near[r] {
			score[r] += 3
		}
	}
	out := slices.Clone(all)
	slices.SortStableFunc(out, func(a, b kg.RelationID) int { return cmp.Compare(score[b], score[a]) })
	return out
}

// maxLooked is how many edges of an entity are looked at for its relations.
const maxLooked = 2000
