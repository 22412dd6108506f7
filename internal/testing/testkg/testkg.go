// Package testkg holds small worlds and what is true in them, for the tests of
// every retriever: one truth table, many algorithms. Random makes more.
//
//	World  a graph and the questions about it
//	Case   a pattern and all of its exact matches
package testkg

import (
	"fmt"
	"slices"
	"strings"

	"cairn/engine/evidence"
	"cairn/engine/kg"
	"cairn/engine/pattern"
)

// World is a small graph with patterns whose matches are known.
type World struct {
	Name  string
	Graph *kg.Graph
	Cases []Case
}

// Case is a pattern over a World with all of its matches at distance 0.
type Case struct {
	Name    string
	Pattern *pattern.Pattern
	// Want[i] are the keys of the entities that one match binds the pattern's
	// nodes to, joined by " · "; sorted.
	Want []string
	// Triples is the number of different sets of triples among the matches.
	Triples int
}

// Bindings writes the entities that each candidate binds in the form of
// Case.Want.
func Bindings(g *kg.Graph, cs []evidence.Candidate) []string {
	var out []string
	for _, c := range cs {
		var keys []string
		for _, e := range c.Nodes {
			if e == kg.NoEntity {
				keys = append(keys, "-")
				continue
			}
			keys = append(keys, g.Key(e))
		}
		out = append(out, strings.Join(keys, " · "))
	}
	slices.Sort(out)
	return out
}

// Build makes a graph from lines "head|relation|tail"; a line "entity : type"
// gives a type. It panics on any other line.
func Build(lines ...string) *kg.Graph {
	var b kg.Builder
	for _, l := range lines {
		if e, t, ok := strings.Cut(l, " : "); ok {
			b.AddType(b.Entity(e), t)
			continue
		}
		f := strings.Split(l, "|")
		if len(f) != 3 {
			panic(fmt.Sprintf("testkg: line %q is not head|relation|tail", l))
		}
		b.Add(f[0], f[1], f[2])
	}
	return b.Graph()
}

// Find returns the entity of g with the given key; it panics where there is none.
func Find(g *kg.Graph, key string) kg.EntityID {
	for e := range g.Entities() {
		if g.Key(kg.EntityID(e)) == key {
			return kg.EntityID(e)
		}
	}
	panic(fmt.Sprintf("testkg: no entity %q", key))
}

// FindRelation returns the relation of g with the given key; it panics where
// there is none.
func FindRelation(g *kg.Graph, key string) kg.RelationID {
	for r := range g.Relations() {
		if g.RelationKey(kg.RelationID(r)) == key {
			return kg.RelationID(r)
		}
	}
	panic(fmt.Sprintf("testkg: no relation %q", key))
}

// Pattern makes a linked pattern from lines "node|relation|node". A node that
// starts with "?" is a variable; other nodes are linked to every entity of that
// label. A relation "*" is any; one that ends in ">" points from the first node
// to the second; others match either way. "a or b" fixes two relations. The
// asked node is "?", or the last variable.
func Pattern(g *kg.Graph, lines ...string) *pattern.Pattern {
	p := &pattern.Pattern{Asked: -1}
	node := func(text string) int {
		for i, n := range p.Nodes {
			if n.Text == text {
				return i
			}
		}
		n := pattern.Node{Text: text, Variable: strings.HasPrefix(text, "?")}
		if !n.Variable {
			for e := range g.Entities() {
				if g.Label(kg.EntityID(e)) == text {
					n.Entities = append(n.Entities, kg.EntityID(e))
				}
			}
			if n.Entities == nil {
				panic(fmt.Sprintf("testkg: no entity is called %q", text))
			}
		}
		p.Nodes = append(p.Nodes, n)
		i := len(p.Nodes) - 1
		if n.Variable && (p.Asked < 0 || p.Nodes[p.Asked].Text != "?") {
			p.Asked = i
		}
		return i
	}
	for _, l := range lines {
		f := strings.Split(l, "|")
		if len(f) == 1 {
			node(f[0])
			continue
		}
		if len(f) != 3 {
			panic(fmt.Sprintf("testkg: line %q is not node|relation|node", l))
		}
		e := pattern.Edge{From: node(f[0])}
		e.To = node(f[2])
		relation, forward := strings.CutSuffix(f[1], ">")
		if forward {
			e.Direction = pattern.Forward
		}
		if relation != "*" {
			for r := range strings.SplitSeq(relation, " or ") {
				e.Fixed = append(e.Fixed, FindRelation(g, r))
			}
		}
		p.Edges = append(p.Edges, e)
	}
	return p
}
