package exact

import (
	"cmp"
	"context"
	"slices"

	"cairn/engine/kg"
	"cairn/engine/match"
)

// verify looks for a claim: some of its bindings, nearest first, or what comes closest.
func (x *question) verify(ctx context.Context) error {
	p := x.part(x.hard, kg.NoEntity)
	var found []binding
	err := x.each(ctx, p, func(b match.Binding) bool {
		if x.p.Order != nil {
			if _, ok := x.key(p, b); !ok {
				return true
			}
		}
		found = append(found, x.of(p, b))
		return len(found) < maxClaimed
	})
	slices.SortStableFunc(found, func(a, b binding) int { return cmp.Compare(a.distance, b.distance) })
	for _, b := range found {
		x.found.Candidates = append(x.found.Candidates, x.candidate(b))
	}
	if err != nil || len(found) > 0 {
		return err
	}
	return x.closest(ctx)
}

// maxClaimed is how many bindings of a claim are looked at.
const maxClaimed = 100

// closest fills Found.Closest with what comes closest where nothing is found: another
// entity in place of one that is named, or else one condition less, or two.
func (x *question) closest(ctx context.Context) error {
	take := func(p *part) error {
		n := 0
		return x.each(ctx, p, func(b match.Binding) bool {
			n++
			x.found.Closest = append(x.found.Closest, x.candidate(x.of(p, b)))
			return n < x.limits.K
		})
	}
	for c := range x.hard.all() {
		of := x.conditions[c]
		p := x.part(x.hard, kg.NoEntity)
		i := slices.Index(p.nodes, of.end)
		if !of.names || i < 0 || x.p.noName[of.end] || x.p.Nodes[of.end].Variable {
			continue
		}
		p.Nodes[i].In = nil
		p.Nodes[i].Keep = func(e kg.EntityID) bool { return !slices.Contains(x.p.Nodes[of.end].Entities, e) }
		if err := take(p); err != nil {
			return err
		}
	}
	for less := 1; less <= 2 && len(x.found.Closest) == 0 && less < x.hard.count(); less++ {
		for sub := range subsets(x.hard, less) {
			if err := take(x.part(sub, kg.NoEntity)); err != nil {
				return err
			}
		}
	}
	return nil
}

// subsets yields what is left of a set without so many of its members, in order.
func subsets(of mask, less int) func(yield func(mask) bool) {
	members := slices.Collect(of.all())
	return func(yield func(mask) bool) {
		var drop func(left mask, from, n int) bool
		drop = func(left mask, from, n int) bool {
			if n == 0 {
				return yield(left)
			}
			for i := from; i < len(members); i++ {
				if !drop(left&^(1<<members[i]), i+1, n-1) {
					return false
				}
			}
			return true
		}
		drop(of, 0, less)
	}
}
