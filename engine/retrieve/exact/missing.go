package exact

import (
	"context"
	"slices"

	"cairn/engine/evidence"
	"cairn/engine/kg"
	"cairn/engine/match"
)

// alternatives fills what the graph has instead of what is not met, and what it lacks.
func (x *question) alternatives(ctx context.Context, s *evidence.Standing, m met) error {
	s.Instead = make([][]kg.TripleID, len(s.Outcomes))
	var all []lack
	for c, o := range s.Outcomes {
		if o.Status == evidence.Met {
			continue
		}
		ways, _, err := x.instead(ctx, c, m.entity, maxInstead)
		if err != nil {
			return err
		}
		for _, w := range ways {
			for _, e := range x.conditions[c].edges {
				if t := w.edges[e]; t != kg.NoTriple && !slices.Contains(s.Instead[c], t) {
					s.Instead[c] = append(s.Instead[c], t)
				}
			}
		}
		l, err := x.missing(ctx, m, c)
		if err != nil {
			return err
		}
		all = append(all, l)
	}
	if s.Named {
		return nil // no triple would make it what is asked for
	}
	return x.word(ctx, s, m, all)
}

// lack is what a condition lacks: edges, where the others are bound so.
type lack struct {
	condition int
	edges     []int
	b         binding
}

// missing finds the edges, as few as can be, that an entity lacks of a condition beside
// those that it meets.
func (x *question) missing(ctx context.Context, m met, c int) (lack, error) {
	var edges []int // of the condition, which none that is met has
	for _, e := range x.conditions[c].edges {
		if m.best.edges == nil || m.best.edges[e] == kg.NoTriple {
			edges = append(edges, e)
		}
	}
	slices.Reverse(edges) // what is farthest from the answer is missing first
	all := mask(1)<<len(edges) - 1
	for n := 1; n < len(edges); n++ {
		for kept := range subsets(all, n) {
			l := lack{condition: c}
			for i := range (all &^ kept).all() {
				l.edges = append(l.edges, edges[i])
			}
			var ok bool
			var err error
			if l.b, ok, err = x.best(ctx, x.without(m.by|1<<c, m.entity, l.edges)); ok || err != nil {
				return l, err
			}
		}
	}
	return lack{condition: c, edges: edges}, nil
}

// word words what is missing as triples: where all else can be met at once, of that.
func (x *question) word(ctx context.Context, s *evidence.Standing, m met, all []lack) error {
	by, edges := m.by, []int(nil)
	for _, l := range all {
		if len(l.edges) > 0 {
			by |= 1 << l.condition
			edges = append(edges, l.edges...)
		}
	}
	b, ok, err := x.best(ctx, x.without(by, m.entity, edges))
	if err != nil {
		return err
	}
	seen := map[int]bool{}
	for _, l := range all {
		if ok {
			l.b = b
		}
		for _, e := range l.edges {
			if !seen[e] {
				seen[e] = true
				s.Missing = append(s.Missing, x.lacks(l.condition, e, m.entity, l.b))
			}
		}
	}
	return nil
}

// without returns the part that conditions take but for some edges, and with all names
// of the question, whose entities nothing else may stand for.
func (x *question) without(of mask, e kg.EntityID, edges []int) *part {
	taken, named := make([]bool, len(x.whole.Edges)), of
	for c, o := range x.conditions {
		for _, i := range o.edges {
			taken[i] = taken[i] || of.has(c)
		}
		if o.last >= 0 && len(o.filters) == 0 && !x.p.Nodes[o.end].Variable && !x.p.noName[o.end] {
			named |= 1 << c
		}
	}
	p := x.part(named, e)
	all := *p
	p.Edges, p.edges = nil, nil
	for i, edge := range all.edges {
		if taken[edge] && !slices.Contains(edges, edge) {
			p.Edges, p.edges = append(p.Edges, all.Edges[i]), append(p.edges, edge)
		}
	}
	p.leave(x)
	return p
}

// leave takes away the nodes that no edge joins, but for the asked one and those that
// stand for one entity, which others may not share.
func (p *part) leave(x *question) {
	for i, n := range slices.Backward(slices.Clone(p.nodes)) {
		joined := slices.ContainsFunc(p.Edges, func(e match.Edge) bool { return e.From == i || e.To == i })
		if !joined && n != x.p.Asked && (x.p.Nodes[n].Variable || x.p.noName[n]) {
			asked := p.asked
			p.drop(i)
			if p.asked = asked; i < asked {
				p.asked--
			}
		}
	}
}

// lacks words the triple that an edge of a condition would take.
func (x *question) lacks(c, edge int, e kg.EntityID, b binding) evidence.Missing {
	of := x.p.Edges[edge]
	t := evidence.Missing{Condition: c, Relation: x.p.relationText(x.graph, of)}
	if len(of.Fixed) > 0 {
		t.Relation = x.graph.RelationText(of.Fixed[0])
	}
	end := func(n int) (kg.EntityID, string) {
		node := x.p.Nodes[n]
		switch {
		case n == x.p.Asked:
			return e, x.graph.Label(e)
		case b.nodes != nil && b.nodes[n] != kg.NoEntity:
			return b.nodes[n], x.graph.Label(b.nodes[n])
		case !node.Variable && len(node.Entities) > 0:
			return node.Entities[0], x.graph.Label(node.Entities[0])
		case !node.Variable:
			return kg.NoEntity, node.Text
		case node.Type != "":
			return kg.NoEntity, "some " + node.Type
		}
		return kg.NoEntity, "something"
	}
	t.Head, t.HeadText = end(of.From)
	t.Tail, t.TailText = end(of.To)
	return t
}
