package present

import (
	"fmt"
	"slices"
	"strings"

	"cairn/canvas"
	"cairn/engine"
	"cairn/engine/evidence"
	"cairn/engine/kg"
	"cairn/engine/pattern"
	"cairn/internal/wording"
)

// What a picture shows at most, so that it stays one: beyond these a node says
// how many answers are left out, and the list beside it has them all.
const (
	maxDrawnAnswers = 40
	maxDrawnNodes   = 90
	maxDrawnEdges   = 140
	maxOnTheWay     = 14 // nodes between question and answers: each takes a row
	maxFurther      = 28 // nodes of further support of several answers; with more, names would not be readable
	maxClosest      = 3  // near misses drawn for a refusal
	maxLayered      = 70 // nodes; beyond this columns become unreadable
	maxTitle        = 240
)

// MoreNodeID is the id of the node that stands for the answers left out.
const MoreNodeID = "more"

// Extracted says what a dashed edge is, and marks the row of such a triple.
const Extracted = "read from a text by a model"

// NodeID is the id of an entity's node in a picture.
func NodeID(e kg.EntityID) string { return fmt.Sprintf("e%d", e) }

// EdgeID is the id of a triple's edge in a picture.
func EdgeID(t kg.TripleID) string { return fmt.Sprintf("t%d", t) }

// EntityOf returns the entity that a node stands for.
func EntityOf(nodeID string) (kg.EntityID, bool) {
	var e kg.EntityID
	_, err := fmt.Sscanf(nodeID, "e%d", &e)
	return e, err == nil
}

// TripleOf returns the triple that an edge stands for.
func TripleOf(edgeID string) (kg.TripleID, bool) {
	var t kg.TripleID
	_, err := fmt.Sscanf(edgeID, "t%d", &t)
	return t, err == nil
}

// CanvasModel is the picture of a run's evidence: every entity once, whatever
// number of matches binds it, and every triple once, tagged with its citation.
//
// Of the answers the first 40 are drawn, fewer where each has its own way, each
// with its best match or path first, then in turn with further ones while there is room; one
// node says how many are left out. What has a probability has a bar. A verdict shows the triples that it rests on; a
// refusal those that it cites and the closest matches, of which nothing is an
// answer, or where there are none the pattern that was looked for.
func CanvasModel(g *kg.Graph, run *engine.Run) canvas.Model {
	d := drawing{g: g, pattern: run.Matched(), run: run, node: map[kg.EntityID]int{}, edge: map[kg.TripleID]bool{}}
	d.model.Title, d.model.Tags, d.model.Dashed = Shorten(OneLine(run.Question), maxTitle), "cited triple", Extracted
	if title := WhatIfTitle(run); title != "" {
		d.model.Title += " · " + title
	}
	if is := StandingOf(run); is != answering {
		d.model.Title += " · " + is.String()
	}
	d.model.Doubtful = StandingOf(run) == answering && ToneOf(run) == Doubtful
	isClaim := d.pattern != nil && d.pattern.Asked < 0
	switch {
	case run.Answer == nil:
	case StandingOf(run) == answering && !isClaim:
		d.answers()
	default:
		for _, c := range matchesOf(run) {
			if d.full() {
				break
			}
			d.candidate(c)
		}
	}
	if run.Answer != nil && (isClaim || len(d.model.Nodes) == 0) {
		d.cited()
	}
	if len(d.model.Nodes) == 0 {
		if p := run.Pattern(); p != nil {
			return patternModel(p, d.model.Title)
		}
		return canvas.Model{}
	}
	d.mark()
	d.distinguish()
	d.model.Layered = len(d.model.Nodes) <= maxLayered
	return d.model
}

// PicturesPattern reports whether CanvasModel shows the pattern that was looked
// for, for want of evidence.
func PicturesPattern(run *engine.Run) bool {
	if run.Pattern() == nil {
		return false
	}
	switch a := run.Answer; {
	case a != nil && len(a.Pack.Triples) > 0:
		return false
	case a != nil && a.Refusal != nil:
		return len(a.Refusal.Closest) == 0
	}
	return len(run.Candidates) == 0
}

// drawing is a picture in the making.
type drawing struct {
	g       *kg.Graph
	pattern *pattern.Pattern // nil where none was matched
	run     *engine.Run
	model   canvas.Model
	node    map[kg.EntityID]int // index into model.Nodes
	edge    map[kg.TripleID]bool
}

// answers draws the answers with the matches or paths that support them.
func (d *drawing) answers() {
	var further [][]evidence.Candidate // of each answer
	var left []evidence.Candidate
	drawn := 0
	place := map[kg.EntityID]int{} // as the answer lists them; others come after
	for i, it := range d.run.Answer.Items {
		place[it.Entity] = i - len(d.run.Answer.Items)
	}
	rows := maxOnTheWay
	if d.pattern != nil && d.pattern.Measure != nil {
		rows /= 2 // what is counted stands in frames, which are higher
	}
	inOrder := slices.SortedStableFunc(slices.Values(d.run.Answers), func(a, b evidence.Answer) int { return place[a.Entity] - place[b.Entity] })
	for _, a := range inOrder {
		supports := d.run.SupportsOf(a)
		switch {
		case a.Entity == kg.NoEntity: // a value stands for all that supports it
			drawn, further = drawn+1, append(further, supports)
			continue
		case len(supports) == 0 && d.pattern != nil: // its match was not kept
			continue
		case drawn >= maxDrawnAnswers, len(d.model.Nodes) >= maxDrawnNodes,
			len(supports) > 0 && d.onTheWay(d.variables(supports[0])) > rows:
			left = append(left, supports[:min(len(supports), 1)]...)
			continue
		}
		drawn++
		if len(supports) > 0 {
			d.candidate(supports[0])
			further = append(further, supports[1:])
		}
		d.play(a.Entity, canvas.Answer)
	}
	room := maxDrawnNodes
	if len(further) > 1 {
		room = min(len(d.model.Nodes)+maxFurther, room)
	}
	for _, c := range inTurn(further) {
		if len(d.model.Nodes) >= room || len(d.model.Edges) >= maxDrawnEdges {
			break
		}
		d.candidate(c)
	}
	if more := max(d.run.Answer.Count, len(d.run.Answers)) - drawn; more > 0 && drawn > 0 {
		d.more(more, left)
	}
}

// inTurn puts the first of each list before the second of any, so that none takes all the room.
func inTurn[T any](lists [][]T) (all []T) {
	for i, left := 0, true; left; i++ {
		left = false
		for _, l := range lists {
			if i < len(l) {
				all, left = append(all, l[i]), true
			}
		}
	}
	return all
}

// onTheWay counts the nodes between question and answers that there are when es
// are drawn too; 0 when all of them are.
func (d *drawing) onTheWay(es []kg.EntityID) int {
	n := 0
	for _, e := range es {
		if _, ok := d.node[e]; !ok {
			n++
		}
	}
	if n == 0 {
		return 0
	}
	for i := range d.model.Nodes {
		if d.model.Nodes[i].Role == canvas.Variable {
			n++
		}
	}
	return n
}

// variables are what a candidate has between question and answer.
func (d *drawing) variables(c evidence.Candidate) []kg.EntityID {
	var es []kg.EntityID
	for i, e := range c.Nodes {
		if e != kg.NoEntity && d.role(c, i) == canvas.Variable {
			es = append(es, e)
		}
	}
	return es
}

// candidate draws what one match binds, or what is on one path.
func (d *drawing) candidate(c evidence.Candidate) {
	for i, e := range c.Nodes {
		if e != kg.NoEntity {
			d.play(e, d.role(c, i))
		}
	}
	for _, t := range c.Edges {
		if t != kg.NoTriple {
			d.triple(t)
		}
	}
}

// cited draws what an answer cites beyond its matches: the triple that refutes
// a claim, for example.
func (d *drawing) cited() {
	for _, t := range d.run.Answer.Pack.Triples {
		if d.full() {
			break
		}
		d.triple(t)
	}
	for e := range namedEntities(d.run) {
		if at, ok := d.node[e]; ok {
			d.model.Nodes[at].Role = canvas.Known
		}
	}
}

// full reports whether more evidence would make the picture hard to read: paths cross.
func (d *drawing) full() bool {
	if d.run.Task == pattern.Connect {
		return len(d.model.Nodes) >= maxOnTheWay
	}
	return len(d.model.Edges) >= maxDrawnEdges/2
}

// triple draws one triple, once.
func (d *drawing) triple(t kg.TripleID) {
	if d.edge[t] {
		return
	}
	d.edge[t] = true
	tr := d.g.Triple(t)
	from, to := d.add(tr.Head), d.add(tr.Tail)
	tag := strings.Join(wording.Each(citation(d.run, t), Tag), "")
	d.model.Edges = append(d.model.Edges, canvas.Edge{
		ID: EdgeID(t), From: from, To: to, Label: OneLine(d.g.RelationText(tr.Relation)), Tag: tag, Dashed: d.g.Extracted(t),
	})
}

// add returns the index of an entity's node, made where it is new.
func (d *drawing) add(e kg.EntityID) int {
	if at, ok := d.node[e]; ok {
		return at
	}
	at := len(d.model.Nodes)
	d.node[e] = at
	d.model.Nodes = append(d.model.Nodes, canvas.Node{
		ID: NodeID(e), Label: OneLine(d.g.Label(e)), Type: typeOf(d.g, e), Hue: hueOf(d.g, e),
	})
	return at
}

// role is the role of the i-th entity of a candidate. Where nothing rests on a match,
// there is no answer, and a name may be bound to something that the question does not
// name.
func (d *drawing) role(c evidence.Candidate, i int) canvas.Role {
	if d.pattern == nil {
		switch i {
		case 0:
			return canvas.Known
		case len(c.Nodes) - 1:
			return canvas.Answer
		}
		return canvas.Variable
	}
	n, rests := d.pattern.Nodes[i], StandingOf(d.run).IsEvidence()
	switch {
	case i == d.pattern.Asked && rests:
		return canvas.Answer
	case i == d.pattern.Asked, !n.Variable && !rests && !slices.Contains(n.Entities, c.Nodes[i]):
		return canvas.Plain
	case n.Variable:
		return canvas.Variable
	}
	return canvas.Known
}

// play draws an entity in a role. One that has several keeps the role that says most.
func (d *drawing) play(e kg.EntityID, role canvas.Role) {
	rank := func(r canvas.Role) int {
		return slices.Index([]canvas.Role{canvas.Plain, canvas.Variable, canvas.Answer, canvas.Known}, r)
	}
	_, known := d.node[e]
	n := &d.model.Nodes[d.add(e)]
	if !known || rank(role) > rank(n.Role) {
		n.Role = role
	}
}

// mark says beside the entities how probable they are, or how many of the conditions
// they meet where some meet not all.
func (d *drawing) mark() {
	if all := len(d.run.Conditions); d.run.Partial() {
		d.model.Level = "conditions met"
		for e, at := range d.node {
			if a, ok := weighed(d.run, e); ok && d.model.Nodes[at].Role == canvas.Answer {
				met := a.CountMet()
				d.model.Nodes[at].Mark, d.model.Nodes[at].Level = fmt.Sprintf("%d of %d", met, all), float64(met)/float64(all)
			}
		}
	}
	if !likely(d.run) {
		return
	}
	d.model.Level = "probability, 0 to 1"
	for e, at := range d.node {
		n := &d.model.Nodes[at]
		if s, ok := scoreOf(d.run, e); ok && n.Role != canvas.Known {
			n.Mark, n.Level = shortProbability(s.Value), s.Value
		}
	}
}

// more draws one node for n answers left out, joined to what is drawn of their
// matches: to the neighbours of the asked node where they are drawn, else to
// the nearest drawn node of the first match.
func (d *drawing) more(n int, left []evidence.Candidate) {
	at := len(d.model.Nodes)
	d.model.Nodes = append(d.model.Nodes, canvas.Node{
		ID: MoreNodeID, Label: fmt.Sprintf("+%s more", Count(n)), Type: "show in the list", Role: canvas.Rest,
	})
	const maxStubs = 4
	type stub struct {
		from, to int
		label    string
	}
	seen := map[stub]bool{}
	join := func(s stub) {
		if !seen[s] && len(seen) < maxStubs {
			seen[s] = true
			d.model.Edges = append(d.model.Edges, canvas.Edge{
				ID: fmt.Sprintf("%s%d", MoreNodeID, len(seen)), From: s.from, To: s.to, Label: s.label,
			})
		}
	}
	for _, c := range left {
		for _, t := range c.Triples() { // those from what is drawn to what is not
			tr := d.g.Triple(t)
			from, hasHead := d.node[tr.Head]
			to, hasTail := d.node[tr.Tail]
			switch {
			case hasHead && !hasTail:
				join(stub{from, at, OneLine(d.g.RelationText(tr.Relation))})
			case hasTail && !hasHead:
				join(stub{at, to, OneLine(d.g.RelationText(tr.Relation))})
			}
		}
	}
	if len(seen) == 0 {
		if known := slices.IndexFunc(d.model.Nodes, func(n canvas.Node) bool { return n.Role == canvas.Known }); known >= 0 {
			join(stub{known, at, "…"})
		}
	}
}

// distinguish adds the key to the names that several drawn nodes share.
func (d *drawing) distinguish() {
	count := map[string]int{}
	for _, n := range d.model.Nodes {
		count[n.Label]++
	}
	for e, at := range d.node {
		n := &d.model.Nodes[at]
		if key := OneLine(d.g.Key(e)); count[n.Label] > 1 && key != n.Label {
			if n.Type != "" {
				n.Type += " · "
			}
			n.Type += Shorten(key, 28)
		}
	}
}

// namedEntities are those that the question names, as it was read, or that what was
// found begins at.
func namedEntities(run *engine.Run) map[kg.EntityID]bool {
	es := map[kg.EntityID]bool{}
	if p := run.Pattern(); p != nil {
		for _, n := range p.Nodes {
			for _, e := range n.Entities {
				es[e] = true
			}
		}
		return es
	}
	for _, e := range seeds(run) {
		es[e] = true
	}
	return es
}

// typeOf is the first type of an entity in words, "value" for a literal.
func typeOf(g *kg.Graph, e kg.EntityID) string {
	if e == kg.NoEntity {
		return "value"
	}
	if ts := g.Types(e); len(ts) > 0 {
		return OneLine(g.TypeLabel(ts[0]))
	}
	if g.IsLiteral(e) {
		return "value"
	}
	return ""
}

// hueOf numbers the first type of an entity by its place in the graph, so that a
// type keeps its colour whatever was asked.
func hueOf(g *kg.Graph, e kg.EntityID) int {
	if ts := g.Types(e); len(ts) > 0 {
		return int(ts[0]) + 1
	}
	return 0
}

// patternModel draws the pattern itself.
func patternModel(p *pattern.Pattern, title string) canvas.Model {
	m := canvas.Model{Title: title, Layered: true}
	for i, n := range p.Nodes {
		node := canvas.Node{ID: fmt.Sprintf("p%d", i), Label: nodeText(n), Type: n.Type, Role: canvas.Known}
		switch {
		case !n.Variable: // also the other end of a path, which is what a path's pattern asks
		case i == p.Asked:
			node.Role = canvas.Answer
		default:
			node.Role = canvas.Variable
		}
		m.Nodes = append(m.Nodes, node)
	}
	for i, e := range p.Edges {
		m.Edges = append(m.Edges, canvas.Edge{
			ID: fmt.Sprintf("q%d", i), From: e.From, To: e.To, Label: relationText(e),
		})
	}
	return m
}
