package kg

// Union walks over the neighbours in several runs, each ascending by neighbour, in
// ascending order. It is made by Start.
type Union struct {
	runs [][]Edge // none empty; a heap by first neighbour
}

// Start begins with runs, none of which is empty.
func (u *Union) Start(runs [][]Edge) {
	u.runs = append(u.runs[:0], runs...)
	for at := len(u.runs)/2 - 1; at >= 0; at-- {
		u.sink(at)
	}
}

// Seek returns the first neighbour that is e or comes after it, and whether there is
// one. It never goes back.
func (u *Union) Seek(e EntityID) (EntityID, bool) {
	for len(u.runs) > 0 {
		top := u.runs[0]
		if top[0].Entity >= e {
			return top[0].Entity, true
		}
		if top = Leap(top, e); len(top) > 0 {
			u.runs[0] = top
		} else {
			last := len(u.runs) - 1
			u.runs[0] = u.runs[last]
			u.runs = u.runs[:last]
		}
		u.sink(0)
	}
	return 0, false
}

// sink restores the heap below at.
func (u *Union) sink(at int) {
	runs := u.runs
	for {
		child := 2*at + 1
		if child >= len(runs) {
			return
		}
		if right := child + 1; right < len(runs) && runs[right][0].Entity < runs[child][0].Entity {
			child = right
		}
		if runs[at][0].Entity <= runs[child][0].Entity {
			return
		}
		runs[at], runs[child] = runs[child], runs[at]
		at = child
	}
}

// Leap returns run, which is ascending by neighbour, from e on. The place is looked for
// in doubling steps, for it is seldom far.
func Leap(run []Edge, e EntityID) []Edge {
	if len(run) == 0 || run[0].Entity >= e {
		return run
	}
	known, step := 0, 1 // run[known] comes before e
	for known+step < len(run) && run[known+step].Entity < e {
		known += step
		step *= 2
	}
	lo, hi := known+1, min(known+step, len(run))
	for lo < hi {
		if m := int(uint(lo+hi) / 2); run[m].Entity < e {
			lo = m + 1
		} else {
			hi = m
		}
	}
	return run[lo:]
}
