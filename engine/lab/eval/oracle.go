package eval

import (
	"fmt"

	"cairn/engine/kg"
	"cairn/engine/pattern"
	"cairn/engine/plan"
)

// oracle turns a question's gold chains into a plan, so that matching and
// answering are measured alone. The asked node is the common end of the chains.
func oracle(g *kg.Graph, names *names, q Question, reuse pattern.Reuse) (*plan.Plan, error) {
	if len(q.Chains) == 0 {
		return nil, fmt.Errorf("question %s has no gold relation path: the oracle planner cannot run here", q.ID)
	}
	p := &pattern.Pattern{
		Nodes: []pattern.Node{{Text: "?answer", Variable: true}},
		Task:  pattern.Find,
		Reuse: reuse,
	}
	for _, c := range q.Chains {
		p.Nodes = append(p.Nodes, pattern.Node{Text: c.Topic, Entities: names.entities[c.Topic]})
		at := len(p.Nodes) - 1
		for i, s := range c.Steps {
			to := 0
			if i+1 < len(c.Steps) {
				p.Nodes = append(p.Nodes, pattern.Node{Text: fmt.Sprintf("?x%d", len(p.Nodes)), Variable: true})
				to = len(p.Nodes) - 1
			}
			r, ok := names.relations[s.Relation]
			if !ok {
				return nil, fmt.Errorf("question %s: the graph has no relation %q", q.ID, s.Relation)
			}
			e := pattern.Edge{From: at, To: to, Relation: g.RelationText(r), Fixed: []kg.RelationID{r}, Direction: pattern.Forward}
			if s.Inverse {
				e.From, e.To = to, at
			}
			p.Edges = append(p.Edges, e)
			at = to
		}
	}
	return &plan.Plan{
		Question: q.Text,
		Planner:  "oracle",
		Readings: []plan.Reading{{Pattern: p, Text: pattern.Format(p)}},
	}, nil
}

// names finds entities and relations by the names that a question set uses.
type names struct {
	entities  map[string][]kg.EntityID // by label, and by key where that differs
	relations map[string]kg.RelationID // by key
}

func namesOf(g *kg.Graph) *names {
	n := &names{
		entities:  make(map[string][]kg.EntityID, g.Entities()),
		relations: make(map[string]kg.RelationID, g.Relations()),
	}
	for e := range kg.EntityID(g.Entities()) {
		n.entities[g.Label(e)] = append(n.entities[g.Label(e)], e)
		if key := g.Key(e); key != g.Label(e) {
			n.entities[key] = append(n.entities[key], e)
		}
	}
	for r := range kg.RelationID(g.Relations()) {
		n.relations[g.RelationKey(r)] = r
	}
	return n
}
