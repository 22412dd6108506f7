package present

import (
	"cairn/canvas"
	"cairn/engine"
	"cairn/engine/evidence"
	"cairn/engine/kg"
)

// LevelWords says what the bars of a network's picture measure.
const LevelWords = "probability, 0 to 1"

// networkModel is the picture of what a network found: the paths to the first 40
// answers, each with its best path first, then with further ones while there is
// room. What the network weighed has a bar.
func networkModel(g *kg.Graph, run *engine.Run) canvas.Model {
	d := drawing{g: g, run: run, node: map[kg.EntityID]int{}, edge: map[kg.TripleID]bool{}}
	d.model.Title, d.model.Dashed, d.model.Level = Shorten(OneLine(run.Question), maxTitle), Extracted, LevelWords
	if run.Ranking != nil {
		d.paths(run.Ranking)
	}
	if len(d.model.Nodes) == 0 {
		return canvas.Model{}
	}
	for _, e := range seeds(run) {
		if at, ok := d.node[e]; ok {
			d.model.Nodes[at].Role = canvas.Known
		}
	}
	for e, at := range d.node {
		n := &d.model.Nodes[at]
		if p, ok := probability(run, e); ok && n.Role != canvas.Known {
			n.Mark, n.Level = shortProbability(p), p
		}
	}
	d.distinguish()
	d.model.Layered = len(d.model.Nodes) <= maxLayered
	return d.model
}

// paths draws the paths of a ranking.
func (d *drawing) paths(r *evidence.Ranking) {
	drawn := map[kg.EntityID]bool{}
	first := map[kg.EntityID]int{} // the best path to each answer
	for i, p := range r.Paths {
		if _, ok := first[p.Answer()]; !ok {
			first[p.Answer()] = i
		}
	}
	left := 0
	for _, a := range r.Answers {
		if len(drawn) >= maxDrawnAnswers || len(d.model.Nodes) >= maxDrawnNodes {
			left++
			continue
		}
		drawn[a.Entity] = true
		if i, ok := first[a.Entity]; ok {
			d.path(r.Paths[i])
		}
		d.model.Nodes[d.add(a.Entity)].Role = canvas.Answer
	}
	for i, p := range r.Paths {
		if len(d.model.Nodes) >= maxDrawnNodes || len(d.model.Edges) >= maxDrawnEdges {
			break
		}
		if drawn[p.Answer()] && first[p.Answer()] != i {
			d.path(p)
		}
	}
	if left > 0 {
		d.more(left, nil)
	}
}

// path draws one path.
func (d *drawing) path(p evidence.Path) {
	for i, e := range p.Entities {
		role := canvas.Variable
		switch i {
		case 0:
			role = canvas.Known
		case len(p.Entities) - 1:
			role = canvas.Answer
		}
		n := &d.model.Nodes[d.add(e)]
		n.Role = strongest(n.Role, role)
	}
	for _, hop := range p.Hops {
		for _, t := range hop {
			d.triple(t)
		}
	}
}
