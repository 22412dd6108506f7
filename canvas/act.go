package canvas

import (
	"fmt"
	"slices"
	"strings"

	"cairn/canvas/paint"
)

// act does something that can be undone. change works on a copy of the state
// and replaces the slices it changes.
func (v *View) act(name string, kind action, change func(*state)) {
	v.settle()
	before := v.board.now
	after := before
	change(&after)
	if before.same(&after) {
		return
	}
	v.history.push(entry{name: name, kind: kind, before: before, after: after})
	if kind == selectAction {
		v.board.now = after
		v.repaint()
	} else {
		v.glideTo(after)
	}
	v.changed()
}

// see is moveView without a glide, for pan and zoom by the pointer.
func (v *View) see(c camera) {
	v.settle()
	before := v.board.now
	after := before
	after.camera, after.moved = c, true
	v.history.push(entry{name: "Move the view", kind: viewAction, before: before, after: after})
	v.board.now = after
	v.repaint()
}

// moveView goes to a camera.
func (v *View) moveView(c camera) {
	v.act("Move the view", viewAction, func(s *state) { s.camera, s.moved = c, true })
}

// CanUndo tells whether there is something to undo.
func (v *View) CanUndo() bool { return v.history.done > 0 }

// CanRedo tells whether there is something to redo.
func (v *View) CanRedo() bool { return v.history.done < len(v.history.entries) }

// Undo takes back the last action.
func (v *View) Undo() {
	if s, ok := v.history.undo(); ok {
		v.restore(s)
	}
}

// Redo does again what was undone last.
func (v *View) Redo() {
	if s, ok := v.history.redo(); ok {
		v.restore(s)
	}
}

func (v *View) restore(s state) {
	v.stopLayout()
	v.mouse.reset()
	v.glideTo(s)
	v.tellSelection()
	v.changed()
}

// Fit shows everything, and keeps showing everything when the window changes.
func (v *View) Fit() {
	v.act("Fit to view", fitAction, func(s *state) {
		s.moved = false
		s.camera = v.fitCamera()
	})
}

// fitSelection shows the selected nodes as large as is sensible.
func (v *View) fitSelection() {
	where := v.board.extentOf(func(i int) bool { return v.board.now.selected[i] })
	if where.empty() {
		v.Fit()
		return
	}
	v.lookAt(where, fitZoom)
}

// lookAt goes to a part of the world.
func (v *View) lookAt(where box, most float32) {
	size := v.room()
	v.moveView(fitted(where.grown(fitMargin*2), size.Width, size.Height, most))
}

// ZoomIn enlarges round the middle of the view.
func (v *View) ZoomIn() { v.zoom(1.25) }

// ZoomOut is the opposite of ZoomIn.
func (v *View) ZoomOut() { v.zoom(0.8) }

func (v *View) zoom(factor float32) {
	l := v.lens()
	v.moveView(l.zoomedAt(paint.Point{X: l.w / 2, Y: l.h / 2}, factor))
}

// Relayout arranges the nodes anew; pinned ones stay.
func (v *View) Relayout() {
	v.settle()
	v.arrange(nil, false, func(a arrangement) {
		v.act("Arrange", arrangeAction, func(s *state) {
			s.at, s.bends, s.moved = a.at, a.bends, false
		})
	})
	v.repaint()
}

// pin keeps the selected nodes where they are, or lets them go when all of them
// are pinned.
func (v *View) pin() {
	chosen := v.chosen()
	if len(chosen) == 0 {
		return
	}
	all := true
	for _, i := range chosen {
		all = all && v.board.now.pinned[i]
	}
	name := "Pin "
	if all {
		name = "Unpin "
	}
	v.act(name+v.say(chosen), pinAction, func(s *state) {
		s.pinned = slices.Clone(s.pinned)
		for _, i := range v.board.mates(chosen) {
			s.pinned[i] = !all
		}
	})
}

// releasePins lets all nodes go.
func (v *View) releasePins() {
	v.act("Release all pins", pinAction, func(s *state) { s.pinned = make([]bool, len(s.pinned)) })
}

// pinned returns the number of pinned nodes.
func (v *View) pinned() int { return count(v.board.now.pinned) }

// hidden returns the number of hidden nodes.
func (v *View) hidden() int { return count(v.board.now.hidden) }

func count(set []bool) int {
	n := 0
	for _, on := range set {
		if on {
			n++
		}
	}
	return n
}

// hideSelected hides the selected nodes with their edges.
func (v *View) hideSelected() {
	if chosen := v.chosen(); len(chosen) > 0 {
		v.hide("Hide "+v.say(chosen), func(i int) bool { return v.board.now.selected[i] })
	}
}

// hideOthers hides all but the selected nodes.
func (v *View) hideOthers() {
	if chosen := v.chosen(); len(chosen) > 0 {
		v.hide("Hide all but "+v.say(chosen), func(i int) bool { return !v.board.now.selected[i] })
	}
}

// hideType hides all nodes that share a type with a selected one.
func (v *View) hideType() {
	kinds := map[string]bool{}
	var names []string
	for _, i := range v.chosen() {
		if t := v.board.model.Nodes[i].Type; !kinds[t] {
			kinds[t] = true
			names = append(names, t)
		}
	}
	if len(kinds) > 0 {
		v.hide("Hide type "+strings.Join(names, ", "), func(i int) bool { return kinds[v.board.model.Nodes[i].Type] })
	}
}

func (v *View) hide(name string, which func(i int) bool) {
	v.act(name, hideAction, func(s *state) {
		hidden, selected := slices.Clone(s.hidden), slices.Clone(s.selected)
		for i := range hidden {
			if which(i) {
				hidden[i], selected[i] = true, false
			}
		}
		s.hidden, s.selected = hidden, selected
		if s.cursor >= 0 && hidden[s.cursor] {
			s.cursor = -1
		}
		if s.edge >= 0 && (hidden[v.board.model.Edges[s.edge].From] || hidden[v.board.model.Edges[s.edge].To]) {
			s.edge = -1
		}
	})
	v.board.hover, v.board.over = -1, -1
	v.tellSelection()
}

func (v *View) showAll() {
	v.act("Show all", hideAction, func(s *state) { s.hidden = make([]bool, len(s.hidden)) })
}

// chosen lists the selected nodes.
func (v *View) chosen() []int {
	var out []int
	for i, on := range v.board.now.selected {
		if on && !v.board.now.hidden[i] {
			out = append(out, i)
		}
	}
	return out
}

// say names nodes for the history.
func (v *View) say(nodes []int) string {
	if len(nodes) == 1 {
		label := []rune(clean(v.board.model.Nodes[nodes[0]].Label))
		if len(label) > 30 {
			label = append(label[:29], '…')
		}
		return string(label)
	}
	return fmt.Sprintf("%d nodes", len(nodes))
}

// move puts nodes somewhere else and pins them. bends of their edges go, they
// were made for the old places.
func (s *state) move(m *Model, nodes []int, dx, dy float32) {
	s.at, s.pinned, s.bends = slices.Clone(s.at), slices.Clone(s.pinned), slices.Clone(s.bends)
	moving := make([]bool, len(s.at))
	for _, i := range nodes {
		s.at[i].X += dx
		s.at[i].Y += dy
		s.pinned[i] = true
		moving[i] = true
	}
	for e := range m.Edges {
		if moving[m.Edges[e].From] || moving[m.Edges[e].To] {
			s.bends[e] = nil
		}
	}
}
