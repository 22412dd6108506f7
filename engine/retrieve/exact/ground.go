package exact

import (
	"context"
	"fmt"
	"slices"
	"time"

	"cairn/engine/kg"
	"cairn/engine/pattern"
	"cairn/engine/retrieve"
)

// What counts as the same. Distances are those of link.Neighbour.
const (
	// nearName and nearRelation are how far a name of the graph may be from a text that
	// it stands for; nearKind is the same for kinds.
	nearName, nearRelation, nearKind = 0.5, 0.9, 0.6
	// looked is how many names are looked at.
	looked = 16
)

// grounded is a pattern in the words of a graph: known nodes have entities and edges
// relations, or they are missing.
type grounded struct {
	*pattern.Pattern

	// relations[i][j] is the distance of Edges[i].Fixed[j] to the text of the edge; nil
	// means 0.
	relations [][]float64
	// noName and noRelation mark what the graph does not have.
	noName, noRelation []bool
	steps              []string
	lookUp             time.Duration
}

// ground looks up what p leaves as text. Without regard to relations every edge may be
// any.
func (m matcher) ground(ctx context.Context, p *pattern.Pattern, anyRelation bool) (*grounded, error) {
	own := *p
	own.Nodes, own.Edges = slices.Clone(p.Nodes), slices.Clone(p.Edges)
	x := &grounded{
		Pattern: &own, relations: make([][]float64, len(p.Edges)),
		noName: make([]bool, len(p.Nodes)), noRelation: make([]bool, len(p.Edges)),
	}
	start := time.Now()
	defer func() { x.lookUp = time.Since(start) }()
	if err := x.names(ctx, m); err != nil {
		return x, err
	}
	for i := range own.Edges {
		if anyRelation {
			own.Edges[i].Fixed, own.Edges[i].Relation, own.Edges[i].Direction = nil, "", pattern.Either
		}
		if err := x.relation(ctx, m, i); err != nil {
			return x, err
		}
	}
	for i := range own.Nodes {
		if err := x.kind(ctx, m, i); err != nil {
			return x, err
		}
	}
	return x, nil
}

// names looks up the known nodes that are not linked, all in one go.
func (x *grounded) names(ctx context.Context, m matcher) error {
	var texts []string
	var at []int
	for i, n := range x.Nodes {
		if !n.Variable && len(n.Entities) == 0 {
			texts, at = append(texts, n.Text), append(at, i)
			x.noName[i] = true
		}
	}
	if len(texts) == 0 || m.names == nil {
		return nil
	}
	near, err := m.names.EntitiesAll(ctx, texts, looked)
	if err != nil {
		return fmt.Errorf("look up names: %w", err)
	}
	for j, i := range at {
		n := &x.Nodes[i]
		n.Entities, n.Distances = retrieve.Near(near[j], nearName)
		x.noName[i] = len(n.Entities) == 0
	}
	return nil
}

// relation settles which relations an edge may have.
func (x *grounded) relation(ctx context.Context, m matcher, i int) error {
	e := &x.Edges[i]
	if len(e.Fixed) > 0 || e.Relation == "" {
		e.Fixed = slices.Clone(e.Fixed)
		return nil
	}
	x.noRelation[i] = true
	if m.names == nil {
		return nil
	}
	near, err := m.names.Relations(ctx, e.Relation, looked)
	if err != nil {
		return fmt.Errorf("look up relation %q: %w", e.Relation, err)
	}
	e.Fixed, x.relations[i] = retrieve.Near(near, nearRelation)
	x.noRelation[i] = len(e.Fixed) == 0
	return nil
}

// kind restricts a variable to the kinds that its hint means.
func (x *grounded) kind(ctx context.Context, m matcher, i int) error {
	n := &x.Nodes[i]
	if !n.Variable || n.Within != nil || n.Type == "" || m.names == nil || m.graph.NumTypes() == 0 {
		return nil
	}
	near, err := m.names.Types(ctx, n.Type, looked)
	if err != nil {
		return fmt.Errorf("look up kind %q: %w", n.Type, err)
	}
	kinds, said := retrieve.Kinds(m.graph, *n, near, nearKind)
	x.steps = append(x.steps, said)
	for _, t := range kinds {
		n.Within = append(n.Within, m.graph.OfType(t)...)
	}
	n.Within = kg.Distinct(n.Within)
	return nil
}

// distances returns the parts of the distance of a binding, for nodes and edges, and
// their sum.
func (x *grounded) distances(g *kg.Graph, nodes []kg.EntityID, edges []kg.TripleID) (ofNodes, ofEdges []float64, sum float64) {
	ofNodes, ofEdges = make([]float64, len(nodes)), make([]float64, len(edges))
	for i, e := range nodes {
		if at := slices.Index(x.Nodes[i].Entities, e); at >= 0 && x.Nodes[i].Distances != nil {
			ofNodes[i] = x.Nodes[i].Distances[at]
			sum += ofNodes[i]
		}
	}
	for i, t := range edges {
		if t == kg.NoTriple || x.relations[i] == nil {
			continue
		}
		if at := slices.Index(x.Edges[i].Fixed, g.Triple(t).Relation); at >= 0 {
			ofEdges[i] = x.relations[i][at]
			sum += ofEdges[i]
		}
	}
	return ofNodes, ofEdges, sum
}

// hasAlternatives reports whether a binding can be farther away than the nearest one.
func (x *grounded) hasAlternatives() bool {
	far := func(ds []float64) bool {
		return slices.ContainsFunc(ds, func(d float64) bool { return d > slices.Min(ds) })
	}
	return slices.ContainsFunc(x.relations, far) || slices.ContainsFunc(x.Nodes, func(n pattern.Node) bool { return !n.Variable && far(n.Distances) })
}
