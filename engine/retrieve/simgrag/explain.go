package simgrag

import (
	"fmt"
	"strings"

	"cairn/engine/evidence"
	"cairn/engine/kg"
	"cairn/engine/pattern"
)

// Explain says where the distance of c comes from, node by node and edge by
// edge (the terms of Equation (3)). c is a match of p in g with the parts of
// its distance; the children's values sum to its Distance.
func Explain(g *kg.Graph, p *pattern.Pattern, c evidence.Candidate) evidence.Explanation {
	nodes := evidence.Explanation{Message: "nodes"}
	for i, n := range p.Nodes {
		if i >= len(c.Nodes) {
			break
		}
		child := evidence.Explanation{Value: partOf(c.NodeDistance, i), Message: explainNode(g, n, c.Nodes[i], i == p.Asked)}
		nodes.Value += child.Value
		nodes.Children = append(nodes.Children, child)
	}
	edges := evidence.Explanation{Message: "relations"}
	for i, e := range p.Edges {
		if i >= len(c.Edges) {
			break
		}
		child := evidence.Explanation{Value: partOf(c.EdgeDistance, i), Message: explainEdge(g, p, e, c.Edges[i])}
		edges.Value += child.Value
		edges.Children = append(edges.Children, child)
	}
	return evidence.Explanation{
		Value:    nodes.Value + edges.Value,
		Message:  fmt.Sprintf("graph semantic distance %.3f: the sum of its parts, lower is closer, 0 is exact", c.Distance),
		Children: []evidence.Explanation{nodes, edges},
	}
}

func partOf(parts []float64, i int) float64 {
	if i < len(parts) {
		return parts[i]
	}
	return 0
}

func explainNode(g *kg.Graph, n pattern.Node, e kg.EntityID, asked bool) string {
	name := fmt.Sprintf("%q", n.Text)
	switch {
	case e == kg.NoEntity:
		return name + " is not bound"
	case !n.Variable:
		return fmt.Sprintf("%s is %q", name, g.Label(e))
	case asked:
		return fmt.Sprintf("%s, which is asked for, is %q; an unknown node costs nothing", name, g.Label(e))
	}
	return fmt.Sprintf("%s is %q; an unknown node costs nothing", name, g.Label(e))
}

func explainEdge(g *kg.Graph, p *pattern.Pattern, e pattern.Edge, t kg.TripleID) string {
	name := fmt.Sprintf("%q — %q", p.Nodes[e.From].Text, p.Nodes[e.To].Text)
	if t == kg.NoTriple {
		return fmt.Sprintf("%s (%s) is not met", name, wanted(g, e))
	}
	text := g.RelationText(g.Triple(t).Relation)
	switch {
	case len(e.Fixed) > 0:
		return fmt.Sprintf("%s is %q, as the reading says", name, text)
	case e.Relation == "":
		return fmt.Sprintf("%s is %q; any relation would do", name, text)
	}
	return fmt.Sprintf("%s: %q is read as %q", name, e.Relation, text)
}

// wanted says which relation an edge looks for.
func wanted(g *kg.Graph, e pattern.Edge) string {
	var texts []string
	for _, r := range e.Fixed {
		texts = append(texts, g.RelationText(r))
	}
	switch {
	case len(texts) > 0:
		return strings.Join(texts, " or ")
	case e.Relation == "":
		return "any relation"
	}
	return e.Relation
}
