package exact

import (
	"cmp"
	"context"
	"slices"

	"cairn/engine/kg"
)

const (
	// manyMeet is from how many entities on a condition is rather tested of what meets
	// others than gone through itself, where that changes nothing of who meets most.
	manyMeet = 20_000
	// tooMany is how many are not gone through where anything else was found.
	tooMany = 500_000
	// maxTested bounds the entities that those conditions are tested of.
	maxTested = 20_000
	// smallGroup is how many conditions of one group are left out in every way.
	smallGroup = 4
)

// tally counts which conditions entities meet.
type tally struct {
	*question

	met   map[kg.EntityID]mask
	sizes [maxConditions]int // how many meet a condition
	most  int                // conditions that one entity meets
}

// run goes through the groups, the rarest first.
func (t *tally) run(ctx context.Context, of mask) error {
	var through, tested []mask
	sizes := map[mask]int{}
	for _, g := range t.groups(of) {
		if sizes[g] = t.estimate(g); sizes[g] < 0 {
			tested = append(tested, g)
		} else {
			through = append(through, g)
		}
	}
	slices.SortStableFunc(through, func(a, b mask) int { return cmp.Compare(sizes[a], sizes[b]) })
	left := 0
	for _, g := range through {
		left += g.count()
	}
	for i, g := range through {
		if size := sizes[g]; t.most > left && size > manyMeet || t.most > 0 && size > tooMany {
			tested = append(tested, through[i:]...)
			for _, g := range through[i:] {
				for c := range g.all() {
					t.sizes[c] = sizes[g]
				}
			}
			break
		}
		if err := t.enumerate(ctx, g); err != nil {
			return err
		}
		left -= g.count()
		for c := range g.all() {
			if t.estimate(1<<c) < 0 { // alone it leads from no name
				tested = append(tested, g)
				break
			}
		}
	}
	return t.test(ctx, tested)
}

// groups returns the conditions that depend on each other together, in order.
func (x *question) groups(of mask) (groups []mask) {
	owner := map[int]int{} // by a variable other than the asked one
	for c := range of.all() {
		group := mask(1 << c)
		for n := range x.variables(c) {
			if at, ok := owner[n]; ok && groups[at] != 0 && !group.has(firstOf(groups[at])) {
				group |= groups[at]
				groups[at] = 0
			}
		}
		groups = append(groups, group)
		for in := range group.all() {
			for n := range x.variables(in) {
				owner[n] = len(groups) - 1
			}
		}
	}
	return slices.DeleteFunc(groups, func(g mask) bool { return g == 0 })
}

func firstOf(m mask) int {
	for c := range m.all() {
		return c
	}
	return -1
}

// variables are the nodes of a condition that are neither known nor asked for.
func (x *question) variables(c int) map[int]bool {
	out := map[int]bool{}
	for _, e := range x.conditions[c].edges {
		for _, n := range []int{x.p.Edges[e].From, x.p.Edges[e].To} {
			if x.p.Nodes[n].Variable && n != x.p.Asked {
				out[n] = true
			}
		}
	}
	return out
}

// estimate says about how many entities a group leads to; negative where it leads from
// no name, so that it is only tested.
func (x *question) estimate(group mask) int {
	least := -1
	for c := range group.all() {
		of := x.conditions[c]
		if !of.names || of.last < 0 || x.p.Nodes[of.end].Variable {
			continue
		}
		size := 0
		for _, e := range x.p.Nodes[of.end].Entities {
			size += x.fan(e, of.last)
		}
		for range len(of.edges) - 1 {
			size = min(size*10, tooMany)
		}
		if least < 0 || size < least {
			least = size
		}
	}
	return least
}

// fan counts the triples of an entity that an edge of the pattern may take.
func (x *question) fan(e kg.EntityID, edge int) (n int) {
	of := x.p.Edges[edge].Fixed
	if len(of) == 0 {
		return x.graph.Degree(e)
	}
	for _, r := range of {
		n += len(x.graph.OutBy(e, r)) + len(x.graph.InBy(e, r))
	}
	return n
}

// ways yields the sets of conditions of a group to be tried, the largest first: all of
// them for a small one, else those with up to two less, then one by one.
func ways(group mask) func(yield func(mask) bool) {
	return func(yield func(mask) bool) {
		n := group.count()
		for less := range n {
			if n > smallGroup && less > 2 && less < n-1 {
				continue
			}
			for sub := range subsets(group, less) {
				if !yield(sub) {
					return
				}
			}
		}
	}
}

// enumerate finds what meets the conditions of a group.
func (t *tally) enumerate(ctx context.Context, group mask) error {
	for sub := range ways(group) {
		if t.estimate(sub) < 0 {
			continue
		}
		p := t.part(sub, kg.NoEntity)
		t.apart(p)
		es, err := t.answersOf(ctx, p)
		if err != nil {
			return err
		}
		for _, e := range es {
			if t.met[e]&group == 0 {
				t.add(e, sub)
			}
		}
	}
	return nil
}

func (t *tally) add(e kg.EntityID, by mask) {
	t.met[e] |= by
	t.most = max(t.most, t.met[e].count())
	for c := range by.all() {
		t.sizes[c]++
	}
}

// test finds out which conditions of groups are met by what meets others.
func (t *tally) test(ctx context.Context, groups []mask) error {
	left := 0
	for _, g := range groups {
		left += g.count()
	}
	if left == 0 {
		return nil
	}
	var es []kg.EntityID
	for e, by := range t.met {
		if by.count()+left >= t.most {
			es = append(es, e)
		}
	}
	slices.SortFunc(es, func(a, b kg.EntityID) int {
		return cmp.Or(cmp.Compare(t.met[b].count(), t.met[a].count()), cmp.Compare(a, b))
	})
	for _, e := range es[:min(len(es), maxTested)] {
		for _, g := range groups {
			if t.met[e]&g != 0 {
				continue
			}
			for sub := range ways(g) {
				_, ok, err := t.best(ctx, t.part(sub, e))
				if err != nil {
					return err
				}
				if ok {
					t.add(e, sub)
					break
				}
			}
		}
	}
	return nil
}
