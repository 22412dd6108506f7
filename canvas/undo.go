package canvas

import (
	"slices"

	"cairn/canvas/paint"
)

// action is what kind of thing the user did. Actions of a kind that merges and
// that follow each other are one entry of the history.
type action int

const (
	moveAction action = iota
	pinAction
	hideAction
	arrangeAction
	fitAction
	viewAction   // pan and zoom; merges
	selectAction // merges
)

// kept bounds the history. At 5,000 nodes an entry that moves nodes holds 40 kB.
const kept = 300

// entry is one thing that was done. The state after one entry is the state
// before the next.
type entry struct {
	name          string
	kind          action
	before, after state
}

// history is a stack of entries with a place in it: those below done can be
// undone, the others redone.
type history struct {
	entries []entry
	done    int
	sealed  bool // the next action does not merge with the last
}

// push adds an entry and forgets what could have been redone.
func (h *history) push(e entry) {
	h.entries = h.entries[:h.done]
	if h.done > 0 && (e.kind == viewAction || e.kind == selectAction) && !h.sealed {
		if top := &h.entries[h.done-1]; top.kind == e.kind {
			top.after = e.after
			return
		}
	}
	h.sealed = false
	if len(h.entries) == kept {
		h.entries = slices.Delete(h.entries, 0, 1)
	}
	h.entries = append(h.entries, e)
	h.done = len(h.entries)
}

func (h *history) undo() (state, bool) {
	if h.done == 0 {
		return state{}, false
	}
	h.done--
	h.sealed = true
	return h.entries[h.done].before, true
}

func (h *history) redo() (state, bool) {
	if h.done == len(h.entries) {
		return state{}, false
	}
	h.done++
	h.sealed = true
	return h.entries[h.done-1].after, true
}

// same tells whether two states look alike, whatever the camera does by itself.
func (s *state) same(t *state) bool {
	if s.moved != t.moved || s.moved && s.camera != t.camera || s.edge != t.edge || s.cursor != t.cursor {
		return false
	}
	return slices.Equal(s.at, t.at) && slices.Equal(s.pinned, t.pinned) && slices.Equal(s.hidden, t.hidden) &&
		slices.Equal(s.selected, t.selected) && slices.EqualFunc(s.bends, t.bends, slices.Equal[[]paint.Point])
}
