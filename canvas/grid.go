package canvas

import (
	"fmt"
	"slices"
	"strings"

	"cairn/canvas/layout"
	"cairn/canvas/paint"
	"cairn/internal/wording"
)

const (
	gridAbove = 12 // nodes of a role; with more, those that can share a frame do
	leastGrid = 3  // nodes in a frame
	gridGap   = 6
	gridPad   = 10
	gridTop   = 22 // for the line that says what is in it
)

// grid is nodes with the same role and the same neighbours by the same edges.
// They stand in one frame, and one edge leads there for all of them: a card for
// each would say the same as often as there are cards.
type grid struct {
	nodes []int
	kind  string // the type that most have
}

// grids are the frames of a picture.
type grids struct {
	all  []grid
	node []int // of each node: index into all, -1 outside
	lead []int // of each edge: the edge that is drawn for it, itself outside
	with [][]int
}

func noGrids(m *Model) grids {
	g := grids{node: make([]int, len(m.Nodes)), lead: make([]int, len(m.Edges)), with: make([][]int, len(m.Edges))}
	fillWith(g.node, -1)
	for e := range g.lead {
		g.lead[e], g.with[e] = e, []int{e}
	}
	return g
}

// findGrids looks for frames where a role has many nodes.
func findGrids(m *Model) grids {
	g := noGrids(m)
	if !m.Layered {
		return g
	}
	ties := make([][]string, len(m.Nodes))
	for e := range m.Edges {
		edge := &m.Edges[e]
		ties[edge.From] = append(ties[edge.From], fmt.Sprintf("%d→%t%s", edge.To, edge.Dashed, edge.Label))
		ties[edge.To] = append(ties[edge.To], fmt.Sprintf("%d←%t%s", edge.From, edge.Dashed, edge.Label))
	}
	var many [Rest + 1]int
	for n := range m.Nodes {
		many[class(m, n)]++
	}
	alike := map[string][]int{}
	var order []string
	for n := range m.Nodes {
		if many[class(m, n)] <= gridAbove || len(ties[n]) == 0 {
			continue
		}
		slices.Sort(ties[n])
		key := fmt.Sprint(class(m, n)) + "\x00" + strings.Join(ties[n], "\x00")
		if alike[key] == nil {
			order = append(order, key)
		}
		alike[key] = append(alike[key], n)
	}
	for _, key := range order {
		if nodes := alike[key]; len(nodes) >= leastGrid {
			for _, n := range nodes {
				g.node[n] = len(g.all)
			}
			g.all = append(g.all, grid{nodes: nodes, kind: commonType(m, nodes)})
		}
	}
	g.bundle(m)
	return g
}

// class is the role of a node; what is left out stands with the answers.
func class(m *Model, n int) Role {
	if r := m.Nodes[n].Role; r != Rest {
		return r
	}
	return Answer
}

// bundle finds the edges that are drawn for others.
func (g *grids) bundle(m *Model) {
	type way struct {
		from, to int
		label    string
		dashed   bool
	}
	first := map[way]int{}
	for e := range m.Edges {
		edge := &m.Edges[e]
		if g.node[edge.From] < 0 && g.node[edge.To] < 0 {
			continue
		}
		w := way{g.place(edge.From), g.place(edge.To), edge.Label, edge.Dashed}
		if lead, ok := first[w]; ok {
			g.lead[e] = lead
			g.with[lead], g.with[e] = append(g.with[lead], e), nil
			continue
		}
		first[w] = e
	}
}

func commonType(m *Model, nodes []int) string {
	count, best := map[string]int{}, ""
	for _, n := range nodes {
		t := m.Nodes[n].Type
		if count[t]++; m.Nodes[n].Role != Rest && count[t] > count[best] {
			best = t
		}
	}
	return best
}

// title is the line above the nodes of a frame.
func (g *grid) title(m *Model) string {
	n := 0
	for _, i := range g.nodes {
		if m.Nodes[i].Role != Rest {
			n++
		}
	}
	switch {
	case g.kind != "":
		return wording.Number(n) + " × " + clean(g.kind)
	case class(m, g.nodes[0]) == Answer:
		return wording.Number(n) + " answers"
	}
	return wording.Number(n)
}

// place is what stands for a node among nodes and frames: the first of its grid,
// or itself.
func (g *grids) place(n int) int {
	if i := g.node[n]; i >= 0 {
		return g.all[i].nodes[0]
	}
	return n
}

// options are the frames for package layout.
func (g *grids) options(o *layout.LayeredOptions) {
	for i := range g.all {
		o.Grids = append(o.Grids, layout.Grid{Nodes: g.all[i].nodes, Gap: gridGap, Pad: gridPad, Top: gridTop})
	}
	o.Along = make([]bool, len(g.lead))
	for e, lead := range g.lead {
		o.Along[e] = lead != e
	}
}

// frame is the part of the world that a grid takes; it is empty where all its
// nodes are hidden.
func (b *board) frame(grid int) box {
	out := nowhere
	for _, n := range b.grids.all[grid].nodes {
		if !b.now.hidden[n] {
			out = out.union(b.bounds(n))
		}
	}
	if out.empty() {
		return out
	}
	out = out.grown(gridPad)
	out.y0 -= gridTop
	return out
}

// ends are where the edges of each node end: at its own card, or at its frame.
func (b *board) ends() []box {
	out := make([]box, len(b.shapes))
	for n := range out {
		out[n] = b.bounds(n)
	}
	for g := range b.grids.all {
		if frame := b.frame(g); !frame.empty() {
			for _, n := range b.grids.all[g].nodes {
				out[n] = frame
			}
		}
	}
	return out
}

// cited counts the edges that edge e is drawn for, without those to what is left
// out.
func (g *grids) cited(m *Model, e int) int {
	n := 0
	for _, w := range g.with[e] {
		if m.Nodes[m.Edges[w].From].Role != Rest && m.Nodes[m.Edges[w].To].Role != Rest {
			n++
		}
	}
	return n
}

// mates adds to nodes those that share a frame with one of them: they move
// together.
func (b *board) mates(nodes []int) []int {
	out := slices.Clone(nodes)
	for _, n := range nodes {
		if g := b.grids.node[n]; g >= 0 {
			out = append(out, b.grids.all[g].nodes...)
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}

func (s *scene) drawFrame(grid int) {
	frame := s.frame(grid)
	if frame.empty() || !s.visible(frame) {
		return
	}
	k := s.lens.zoom
	a, b := s.lens.project(paint.Point{X: frame.x0, Y: frame.y0}), s.lens.project(paint.Point{X: frame.x1, Y: frame.y1})
	g := &s.grids.all[grid]
	role, l := class(&s.model, g.nodes[0]), faint
	for _, n := range g.nodes {
		if s.nodes[n] != faint {
			l = usual
		}
	}
	line, _ := s.pal.role(role)
	line = s.fade(line, l)
	s.box(role, a.X, a.Y, b.X-a.X, b.Y-a.Y, mix(s.pal.Background, s.pal.Card, 0.6), line)
	size := max(typeSize*k, leastText*s.px)
	title := g.title(&s.model)
	if gridTop*k < size*1.1 {
		return
	}
	y, x := a.Y+(gridTop+4)*k/2, a.X+gridPad*k
	if role != Plain {
		badge := min(7*k, size*0.6)
		s.badge(role, paint.Point{X: x + badge, Y: y}, badge, line)
		x += badge*2 + 5*k
	}
	s.list.Text(cut(s.fonts(), title, size, false, b.X-gridPad*k-x), paint.Point{X: x, Y: y + size*0.36}, size, false, s.fadeText(s.pal.Muted, l))
}

// nameFrame says over a frame what it holds, where its nodes are too small to be
// named.
func (s *scene) nameFrame(grid int) {
	frame, g := s.frame(grid), &s.grids.all[grid]
	if frame.empty() || slices.ContainsFunc(g.nodes, func(n int) bool { return s.named[n] != unnamed }) {
		return
	}
	s.slots.take(around(s.lens.project(frame.middle()), frame.w()*s.lens.zoom, frame.h()*s.lens.zoom))
	size, c, title := leastText*s.px, s.lens.project(frame.middle()), g.title(&s.model)
	w := s.list.Measure(title, size, true)
	s.discLabel(label{text: title, w: w, size: size, bold: true, c: s.pal.Text, plate: true, at: paint.Point{X: c.X - w/2, Y: c.Y + size*0.36}})
}
