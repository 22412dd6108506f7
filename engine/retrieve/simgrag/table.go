package simgrag

import (
	"math/bits"

	"cairn/engine/kg"
)

// table holds a cost for each of many entities, by open addressing; the zero
// value is empty.
type table struct {
	cells []cell // length a power of two, or none
	shift uint
	n     int
}

// cell is a place of a table; id is one more than the entity, 0 is empty.
type cell struct {
	id    uint32
	rough bool // see tail.pull
	cost  cost
}

// get returns the cell of e, or nil.
func (t *table) get(e kg.EntityID) *cell {
	if t.n == 0 {
		return nil
	}
	if c := t.place(e); c.id != 0 {
		return c
	}
	return nil
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

// spread is Knuth's multiplicative hash: neighbouring ids land far apart.
func spread(e kg.EntityID) uint32 { return uint32(e) * 2654435769 }

// lower gives e the cost c, unless it has a lower one.
func (t *table) lower(e kg.EntityID, c cost) {
	if at := t.add(e); c < at.cost {
		at.cost = c
	}
}

func (t *table) put(e kg.EntityID, c cost, rough bool) {
	at := t.add(e)
	at.cost, at.rough = c, rough
}

// add returns the cell of e, made where there is none.
func (t *table) add(e kg.EntityID) *cell {
	if 2*t.n >= len(t.cells) {
		t.grow(max(64, 4*len(t.cells)))
	}
	at := t.place(e)
	if at.id == 0 {
		*at = cell{id: uint32(e) + 1, cost: never}
		t.n++
	}
	return at
}

// grow makes room for half as many entities as size, or a little more.
func (t *table) grow(size int) {
	old, log := t.cells, bits.Len(uint(max(size, 2)-1))
	t.cells, t.shift = make([]cell, 1<<log), uint(32-log)
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
