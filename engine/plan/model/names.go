package model

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"cairn/engine/kg"
	"cairn/engine/link"
	"cairn/engine/pattern"
)

// lookups is how many entities are kept for each name.
const lookups = 8

// linked is a pattern whose names, relations and types are tied to the graph
// where they are the graph's own; the rest is left to the matcher, which looks
// for the nearest.
type linked struct {
	*pattern.Pattern
	mentions []link.Mention
	unlinked []string // names that nothing in the graph is like
	strange  []string // relations that nothing in the graph is like
}

// nameRelations collects the names by which a model may call the relations and
// types of the graph.
func (p *Planner) nameRelations() {
	g := p.w.Graph
	for i := range g.Relations() {
		r := kg.RelationID(i)
		text, key := pattern.Fold(g.RelationText(r)), pattern.Fold(g.RelationKey(r))
		p.relations[text] = append(p.relations[text], r)
		if key != text {
			p.relations[key] = append(p.relations[key], r)
		}
	}
	for i := range g.NumTypes() {
		label := pattern.Fold(g.TypeLabel(kg.TypeID(i)))
		p.types[label] = append(p.types[label], kg.TypeID(i))
	}
}

// link ties a pattern to the graph.
func (p *Planner) link(ctx context.Context, q *question, pat *pattern.Pattern) (*linked, error) {
	out := &linked{Pattern: pat}
	for i := range pat.Nodes {
		n := &pat.Nodes[i]
		if n.Variable {
			n.Within = p.within(n.Type)
			continue
		}
		cs, err := p.w.Linker.Lookup(ctx, n.Text, lookups)
		if err != nil {
			return nil, fmt.Errorf("look up %q: %w", n.Text, err)
		}
		if len(cs) == 0 {
			out.unlinked = append(out.unlinked, n.Text)
			continue
		}
		out.mentions = append(out.mentions, mention(q.text, n.Text, cs))
		p.bind(n, cs)
	}
	for i := range pat.Edges {
		e := &pat.Edges[i]
		if e.Relation == "" {
			continue
		}
		if e.Fixed = p.relations[pattern.Fold(e.Relation)]; len(e.Fixed) > 0 {
			continue
		}
		near, err := p.w.Names.Relations(ctx, e.Relation, 1)
		if err != nil {
			return nil, fmt.Errorf("look up the relation %q: %w", e.Relation, err)
		}
		if len(near) == 0 || near[0].Distance >= unlike {
			out.strange = append(out.strange, e.Relation)
		}
	}
	slices.SortStableFunc(out.mentions, func(a, b link.Mention) int { return a.Start - b.Start })
	return out, nil
}

// bind fixes a node to the entities of its name where the name is sure. Names
// that are merely similar are left to the matcher, which weighs them with the
// rest of the pattern.
func (p *Planner) bind(n *pattern.Node, cs []link.Candidate) {
	for _, c := range link.SameName(p.w.Graph, n.Text, cs) {
		if c.Method == link.Near {
			break
		}
		n.Entities = append(n.Entities, c.Entity)
		n.Distances = append(n.Distances, c.Distance)
	}
}

// mention finds a name in the question. A name that the model reworded has an
// empty span at 0.
func mention(question, text string, cs []link.Candidate) link.Mention {
	m := link.Mention{Text: text, Candidates: cs, Strength: 1}
	if at := strings.Index(question, text); at >= 0 {
		m.Start, m.End = at, at+len(text)
	}
	return m
}

// typesOf returns the types that the graph has by a name, in the singular or the
// plural.
func (p *Planner) typesOf(hint string) []kg.TypeID {
	hint = pattern.Fold(hint)
	for _, variant := range []string{hint, strings.TrimSuffix(hint, "s"), hint + "s"} {
		if ts := p.types[variant]; len(ts) > 0 && hint != "" {
			return ts
		}
	}
	return nil
}

// within returns the entities of the types that a hint names; nil where it names
// none.
func (p *Planner) within(hint string) []kg.EntityID {
	var es []kg.EntityID
	for _, t := range p.typesOf(hint) {
		es = append(es, p.w.Graph.OfType(t)...)
	}
	return kg.Distinct(es)
}
