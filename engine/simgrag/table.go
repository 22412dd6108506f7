package simgrag

import "cairn/engine/kg"

// table holds a cost for each of many entities, by open addressing; the zero
// value is empty.
type table struct {
	cells []cell // length a power of two, or none
	shift uint
	n     int
}

// cell is a place of a table; id is one more than the entity, 0 is empty.
type cell struct {
	id   uint32
	cost cost
}

// get returns the cost of e, and whether there is one.
func (t *table) get(e kg.EntityID) (cost, bool) {
	if t.n == 0 {
		return 0, false
	}
	c := t.place(e)
	return c.cost, c.id != 0
}

// place returns the cell of e, or the empty one where it belongs.
func (t *table) place(e kg.EntityID) *cell {
	last := uint32(len(t.cells) - 1)
	for at := spread(e) >> t.shift; ; at = (at + 1) & last {
		if c := &t.cells[at]; c.id == 0 || c.id == uint32(e)+1 {
			return c
		}
	}
}

// lower gives e the cost c, unless it has a lower one.
func (t *table) lower(e kg.EntityID, c cost) {
	if 2*t.n >= len(t.cells) {
		t.grow()
	}
	switch at := t.place(e); {
	case at.id == 0:
		*at = cell{uint32(e) + 1, c}
		t.n++
	case c < at.cost:
		at.cost = c
	}
}

func (t *table) grow() {
	const first = 64
	old := t.cells
	t.cells, t.shift = make([]cell, max(first, 4*len(old))), 32
	for n := len(t.cells); n > 1; n /= 2 {
		t.shift--
	}
	for _, c := range old {
		if c.id != 0 {
			*t.place(kg.EntityID(c.id - 1)) = c
		}
	}
}

// entities lists those that have a cost, in no order.
func (t *table) entities() []kg.EntityID {
	list := make([]kg.EntityID, 0, t.n)
	for _, c := range t.cells {
		if c.id != 0 {
			list = append(list, kg.EntityID(c.id-1))
		}
	}
	return list
}
