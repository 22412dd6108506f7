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
	d.model.Title, d.model.Dashed = Shorten(OneLine(run.Question), maxTitle), Extracted
	if likely(run) {
		d.model.Level = LevelWords
	}
	d.paths(run)
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
		if s, ok := scoreOf(run, e); ok && s.Scale == evidence.Probability && n.Role != canvas.Known {
			n.Mark, n.Level = shortProbability(s.Value), s.Value
		}
	}
	d.distinguish()
	d.model.Layered = len(d.model.Nodes) <= maxLayered
	return d.model
}

// paths draws the paths to the answers.
func (d *drawing) paths(r *engine.Run) {
	var further []evidence.Candidate // paths beside the best one to each answer
	drawn, left := 0, 0
	for _, a := range r.Answers {
		supports := r.SupportsOf(a)
		if a.Entity == kg.NoEntity { // a value stands for all that supports it
			drawn, further = drawn+1, append(further, supports...)
			continue
		}
		var way []kg.EntityID
		if len(supports) > 0 && len(supports[0].Hops) > 1 {
			way = supports[0].Nodes[1:len(supports[0].Hops)]
		}
		if drawn >= maxDrawnAnswers || len(d.model.Nodes) >= maxDrawnNodes || d.onTheWay(way) > maxOnTheWay {
			left++
			continue
		}
		drawn++
		if len(supports) > 0 {
			d.path(supports[0])
			further = append(further, supports[1:]...)
		}
		d.model.Nodes[d.add(a.Entity)].Role = canvas.Answer
	}
	for _, p := range further {
		if len(d.model.Nodes) >= maxDrawnNodes || len(d.model.Edges) >= maxDrawnEdges {
			break
		}
		d.path(p)
	}
	if left > 0 {
		d.more(left, nil)
	}
}

// path draws one path.
func (d *drawing) path(p evidence.Candidate) {
	for i, e := range p.Nodes {
		role := canvas.Variable
		switch i {
		case 0:
			role = canvas.Known
		case len(p.Nodes) - 1:
			role = canvas.Answer
		}
		n := &d.model.Nodes[d.add(e)]
		n.Role = strongest(n.Role, role)
	}
	for _, t := range p.Edges {
		d.triple(t)
	}
}
