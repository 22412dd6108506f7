package canvas

import (
	"math"
	"slices"

	"cairn/canvas/paint"

	"fyne.io/fyne/v2"
)

// selectAll selects all nodes that are shown.
func (v *View) selectAll() {
	v.selectWhere(func(int) bool { return true })
}

// invertSelection selects the other nodes.
func (v *View) invertSelection() {
	v.selectWhere(func(i int) bool { return !v.board.now.selected[i] })
}

// selectNeighbours adds the neighbours of the selected nodes.
func (v *View) selectNeighbours() {
	b := v.board
	want := slices.Clone(b.now.selected)
	for _, i := range v.chosen() {
		for _, e := range b.near[i] {
			want[b.model.Edges[e].From], want[b.model.Edges[e].To] = true, true
		}
	}
	v.selectWhere(func(i int) bool { return want[i] })
}

func (v *View) selectWhere(which func(i int) bool) {
	var nodes []int
	for i := range v.board.shapes {
		if which(i) && !v.board.now.hidden[i] {
			nodes = append(nodes, i)
		}
	}
	v.selectNodes(nodes)
}

// selecting changes what is selected, and tells it.
func (v *View) selecting(change func(*state)) {
	v.act("Select", selectAction, change)
	v.tellSelection()
}

// selectNodes selects just these; the last one is where the keyboard is.
func (v *View) selectNodes(nodes []int) {
	v.selecting(func(s *state) {
		s.selected = make([]bool, len(s.selected))
		s.cursor, s.edge = -1, -1
		for _, i := range nodes {
			s.selected[i] = true
			s.cursor = i
		}
	})
}

func (v *View) toggle(i int) {
	v.selecting(func(s *state) {
		s.selected = slices.Clone(s.selected)
		s.selected[i] = !s.selected[i]
		s.edge = -1
		s.cursor = i
		if !s.selected[i] {
			s.cursor = slices.Index(s.selected, true)
		}
	})
}

func (v *View) selectEdge(e int) {
	v.selecting(func(s *state) {
		s.selected = make([]bool, len(s.selected))
		s.cursor, s.edge = -1, e
	})
}

// tellSelection calls back with what is selected now. A selected edge takes the
// light from whatever was lit, and selecting nothing puts it out.
func (v *View) tellSelection() {
	s := &v.board.now
	if s.edge >= 0 || s.cursor < 0 {
		v.board.lit = nil
	}
	switch {
	case s.edge >= 0:
		v.board.lit = make([]bool, len(v.board.model.Edges))
		v.board.lit[s.edge] = true
		if v.OnSelectEdge != nil {
			v.OnSelectEdge(v.board.model.Edges[s.edge].ID)
		}
	case v.OnSelectNode != nil:
		id := ""
		if s.cursor >= 0 {
			id = v.board.model.Nodes[s.cursor].ID
		}
		v.OnSelectNode(id)
	}
}

// reveal moves the view just far enough to show a node.
func (v *View) reveal(i int) {
	const margin = 30
	seen, card := v.lens().seen(), v.board.bounds(i).grown(margin)
	dx := max(card.x1-seen.x1, 0) + min(card.x0-seen.x0, 0)
	dy := max(card.y1-seen.y1, 0) + min(card.y0-seen.y0, 0)
	if dx == 0 && dy == 0 || !v.board.now.moved {
		return
	}
	c := v.board.now.camera
	c.centre.X += dx
	c.centre.Y += dy
	v.moveView(c)
}

// walk selects the nearest node in a direction, as seen from the keyboard's
// node; without one, the node nearest to the middle of the view.
func (v *View) walk(key fyne.KeyName) {
	v.settle()
	from := v.board.now.cursor
	var best int
	if from < 0 {
		l := v.lens()
		best = v.board.nearest(l.centre, func(dx, dy float32) float32 { return dx*dx + dy*dy }, -1)
	} else {
		best = v.board.nearest(v.board.now.at[from], func(dx, dy float32) float32 {
			along, aside := dx, dy
			switch key {
			case fyne.KeyLeft:
				along = -dx
			case fyne.KeyUp:
				along, aside = -dy, dx
			case fyne.KeyDown:
				along, aside = dy, dx
			default:
			}
			if along < 5 {
				return -1
			}
			return along + 2*float32(math.Abs(float64(aside)))
		}, from)
	}
	if best < 0 {
		return
	}
	v.selectNodes([]int{best})
	v.reveal(best)
}

// nearest returns the shown node with the lowest cost, a function of where it
// lies from p; a negative cost rules it out.
func (b *board) nearest(p paint.Point, cost func(dx, dy float32) float32, except int) int {
	best, least := -1, float32(math.Inf(1))
	for i, q := range b.now.at {
		if i == except || b.now.hidden[i] {
			continue
		}
		if c := cost(q.X-p.X, q.Y-p.Y); c >= 0 && c < least {
			best, least = i, c
		}
	}
	return best
}
