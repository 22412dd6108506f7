package cypher

import (
	"cairn/engine/kg"
	"cairn/engine/pattern"
)

// Pattern writes a query that matches single relationships and returns one node as a
// pattern; ok is false for what asks for more. bound are the entities of variables that
// have a value before the first clause. A pattern lets variables share an entity, where
// Cypher lets no two of its relationships be the same.
func (o *KG) Pattern(q *Query, bound map[string][]kg.EntityID) (p *pattern.Pattern, ok bool) {
	if len(q.Parts) != 1 {
		return nil, false
	}
	w := &patternWriter{g: o.g, over: o, bound: bound, at: map[string]int{}}
	w.p = &pattern.Pattern{Reuse: pattern.ReuseAll}
	clauses := q.Parts[0].Clauses
	last := clauses[len(clauses)-1]
	for _, c := range clauses[:len(clauses)-1] {
		if c.Kind != clauseMatch || c.Optional || !w.paths(c.Paths) || !w.conditions(c.Where) {
			return nil, false
		}
	}
	if len(last.Items) != 1 || last.Star || last.Items[0].Expr.Kind != Variable || len(last.Order) > 0 || last.Skip != nil || last.Limit != nil {
		return nil, false
	}
	asked, known := w.at[last.Items[0].Expr.Name]
	if !known || !w.p.Nodes[asked].Variable {
		return nil, false
	}
	w.p.Asked = asked
	return w.p, len(w.p.Edges) > 0
}

type patternWriter struct {
	g     *kg.Graph
	over  *KG
	p     *pattern.Pattern
	bound map[string][]kg.EntityID
	at    map[string]int // nodes by name
}

// paths adds path patterns, and reports whether a pattern can say them.
func (w *patternWriter) paths(paths []Path) bool {
	for _, path := range paths {
		if path.Name != "" || path.Shortest {
			return false
		}
		before := -1
		for i, n := range path.Nodes {
			at, ok := w.node(&n)
			if !ok {
				return false
			}
			if i > 0 && !w.edge(&path.Edges[i-1], before, at) {
				return false
			}
			before = at
		}
	}
	return true
}

func (w *patternWriter) node(n *NodePattern) (int, bool) {
	at, ok := w.at[n.Name]
	if !ok || n.Name == "" {
		at = len(w.p.Nodes)
		node := pattern.Node{Text: "?" + n.Name, Variable: true}
		if es := w.bound[n.Name]; len(es) > 0 {
			node = pattern.Node{Text: w.g.Label(es[0]), Entities: es}
		} else if n.Name == "" {
			node.Text = "?step" + Text(int64(at))
		}
		w.p.Nodes = append(w.p.Nodes, node)
		if n.Name != "" {
			w.at[n.Name] = at
		}
	}
	for _, name := range n.Labels {
		l, ok := w.over.Label(name)
		if !ok || w.p.Nodes[at].Type != "" || !w.p.Nodes[at].Variable {
			return 0, false
		}
		w.p.Nodes[at].Type, w.p.Nodes[at].Within = w.g.TypeLabel(kg.TypeID(l)), w.g.OfType(kg.TypeID(l))
	}
	return at, n.Properties == nil
}

func (w *patternWriter) edge(e *EdgePattern, from, to int) bool {
	if e.Many || e.Properties != nil || e.Name != "" || len(e.Types) == 0 {
		return false
	}
	out := pattern.Edge{From: from, To: to, Direction: pattern.Forward}
	switch {
	case e.In && e.Out:
		out.Direction = pattern.Either
	case e.In:
		out.From, out.To = to, from
	}
	for _, name := range e.Types {
		out.Fixed = append(out.Fixed, w.over.relationsOf(name)...)
	}
	if len(out.Fixed) == 0 {
		return false
	}
	out.Fixed = kg.Distinct(out.Fixed)
	out.Relation = w.g.RelationText(out.Fixed[0])
	w.p.Edges = append(w.p.Edges, out)
	return true
}

// conditions adds a condition: that a variable is no named thing.
func (w *patternWriter) conditions(e *Expr) bool {
	for _, c := range conjuncts(e) {
		if c.Kind != Compare || len(c.Names) != 1 || c.Names[0] != "<>" || c.Args[0].Kind != Variable || c.Args[1].Kind != Variable {
			return false
		}
		a, ok := w.at[c.Args[0].Name]
		b, ok2 := w.at[c.Args[1].Name]
		if !ok || !ok2 || w.p.Nodes[a].Variable == w.p.Nodes[b].Variable {
			return false
		}
		w.p.Reuse = pattern.ReuseVariables
	}
	return true
}
