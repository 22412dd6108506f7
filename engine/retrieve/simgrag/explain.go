package simgrag

import (
	"fmt"

	"cairn/engine/evidence"
	"cairn/engine/kg"
	"cairn/engine/pattern"
)

// explain says where the distance of a match of p in g comes from, node by node and
// edge by edge: the terms of Equation (3).
func explain(g *kg.Graph, p *pattern.Pattern, c evidence.Candidate) evidence.Explanation {
	x := evidence.Explanation{
		Value: c.Distance, Message: fmt.Sprintf("graph semantic distance %.3f: the sum of its parts; 0 is exact, lower is closer", c.Distance),
		Children: []evidence.Explanation{{Message: "nodes"}, {Message: "relations"}},
	}
	add := func(to *evidence.Explanation, value float64, message string) {
		to.Value += value
		to.Children = append(to.Children, evidence.Explanation{Value: value, Message: message})
	}
	for i, n := range p.Nodes {
		add(&x.Children[0], c.NodeDistance[i], explainNode(g, n, c.Nodes[i], i == p.Asked))
	}
	for i, e := range p.Edges {
		add(&x.Children[1], c.EdgeDistance[i], explainEdge(g, p, e, c.Edges[i]))
	}
	return x
}

func explainNode(g *kg.Graph, n pattern.Node, e kg.EntityID, asked bool) string {
	name := fmt.Sprintf("%q", n.Text)
	switch {
	case e == kg.NoEntity:
		return name + " is not bound" // it stands alone
	case !n.Variable:
		return fmt.Sprintf("%s is %q", name, g.Label(e))
	case asked:
		return fmt.Sprintf("%s, which is asked for, is %q; an unknown node costs nothing", name, g.Label(e))
	}
	return fmt.Sprintf("%s is %q; an unknown node costs nothing", name, g.Label(e))
}

func explainEdge(g *kg.Graph, p *pattern.Pattern, e pattern.Edge, t kg.TripleID) string {
	name := fmt.Sprintf("%q — %q", p.Nodes[e.From].Text, p.Nodes[e.To].Text)
	text := g.RelationText(g.Triple(t).Relation)
	switch {
	case len(e.Fixed) > 0:
		return fmt.Sprintf("%s is %q, as the reading says", name, text)
	case e.Relation == "":
		return fmt.Sprintf("%s is %q; any relation would do", name, text)
	}
	return fmt.Sprintf("%s: %q is read as %q", name, e.Relation, text)
}
