package query

import (
	"cmp"
	"encoding/binary"
	"slices"

	"cairn/engine/evidence"
	"cairn/engine/kg"
	"cairn/engine/match"
	"cairn/engine/pattern"
	"cairn/internal/wording"
)

// group is a branch, or an either with its alternatives.
type group struct {
	kind     pattern.BranchKind
	branches []branch
	met      bool // by every row, for the rows were made of it
}

// branch is one branch with the nodes that it shares with the part outside.
type branch struct {
	pattern.Branch
	part   *part
	shared []int // nodes of the pattern

	// Of Only: the first edge from its shared end, the far end, and the rest of the branch.
	first     closure
	forward   bool
	near, far int // nodes of the pattern
	allowed   []kg.EntityID
	rest      *part // nil where the far end is known, or nothing else is asked of it

	spokes  *spokes // of Quantity, where it counts what one edge leads to
	than    *part   // of Quantity: with the name that it is compared with
	counted bool    // N is that of the name
}

func (x *evaluation) newBranch(b pattern.Branch) (out branch) {
	out = branch{Branch: b}
	var counted []int
	if b.Kind == pattern.Quantity {
		counted = []int{b.Node}
	}
	out.part = x.newPart(b.Edges, b.Filters, counted...)
	for _, n := range out.part.nodes {
		if node := x.p.Nodes[n]; (node.Variable || len(node.Entities) > 1) && x.main.local(n) >= 0 {
			out.shared = append(out.shared, n)
		}
	}
	if b.Kind == pattern.Only {
		x.only(&out)
	}
	if b.Than != nil {
		out.than = out.part.at(b.Beside(), x.p.Nodes[*b.Than].Entities)
	}
	return out
}

// only prepares a branch of that kind.
func (x *evaluation) only(b *branch) {
	e := b.Edges[0]
	b.near, b.far, b.forward = e.From, e.To, true
	known := func(n int) bool { return !x.p.Nodes[n].Variable }
	if !slices.Contains(b.shared, e.From) && (slices.Contains(b.shared, e.To) || !known(e.From) && known(e.To)) {
		b.near, b.far, b.forward = e.To, e.From, false
	}
	// The edge is made by the part; it stands first among its like.
	if e.Closure {
		b.first = b.part.closures[0]
	} else {
		b.first = closure{Edge: b.part.query.Edges[0]}
	}
	if !x.p.Nodes[b.far].Variable {
		for _, o := range b.Edges {
			end := o.To
			if !b.forward {
				end = o.From
			}
			if o.From+o.To-end == b.near && slices.Equal(o.Fixed, e.Fixed) && o.Direction == e.Direction && !x.p.Nodes[end].Variable {
				b.allowed = append(b.allowed, x.p.Nodes[end].Entities...)
			}
		}
		return
	}
	b.rest = x.newPart(b.Edges[1:], b.Filters, b.far)
}

// pins binds the shared nodes of a branch as a row has them.
func (x *evaluation) pins(p *part, row []kg.EntityID) []kg.EntityID {
	pins := x.free(p)
	for i, n := range p.nodes {
		if at := x.column(n); at >= 0 {
			pins[i] = row[at]
		}
	}
	return pins
}

func (x *evaluation) any(p *part, pins []kg.EntityID) (ok bool) {
	x.each(p, pins, func(match.Binding) bool {
		ok = true
		return false
	})
	return ok
}

func (x *evaluation) meets(b *branch, row []kg.EntityID) bool {
	switch b.Kind {
	case pattern.Without:
		return !x.any(b.part, x.pins(b.part, row))
	case pattern.Only:
		if b.Edges[0].Closure {
			reached := x.reachedBy(b, row)
			return len(reached) > 0 && !slices.ContainsFunc(reached, func(e kg.EntityID) bool { return !x.mayReach(b, row, e) })
		}
		some, all := false, true
		for _, e := range x.nearOf(b, row) {
			x.eachStep(b.first.Edge, e, b.forward, func(s kg.Edge) bool {
				x.work(1)
				some, all = true, x.mayReach(b, row, s.Entity)
				return all
			})
			if !all {
				break
			}
		}
		return some && all
	case pattern.Quantity:
		x.countThan(b)
		if b.spokes == nil && len(b.shared) == 1 && b.Node != b.shared[0] {
			b.spokes, _ = x.spokesOf(b.part, b.shared[0])
		}
		if b.spokes != nil {
			return b.compares(b.spokes.count(row[x.column(b.shared[0])]))
		}
		list := x.bound(b.part, x.pins(b.part, row), []int{b.Node})
		return b.compares(list.len())
	case pattern.OneOf, pattern.OrElse:
	}
	return x.any(b.part, x.pins(b.part, row))
}

// nearOf returns what the first edge of an Only begins at: the row's entity, or those of a
// known node.
func (x *evaluation) nearOf(b *branch, row []kg.EntityID) []kg.EntityID {
	if at := x.column(b.near); at >= 0 {
		return row[at : at+1]
	}
	return x.p.Nodes[b.near].Entities
}

// reachedBy returns what the first edge of an Only leads to.
func (x *evaluation) reachedBy(b *branch, row []kg.EntityID) (out []kg.EntityID) {
	for _, e := range x.nearOf(b, row) {
		if b.Edges[0].Closure {
			out = append(out, x.reach(b.first, e, b.forward)...)
			continue
		}
		for _, s := range x.steps(b.first.Edge, e, b.forward) {
			out = append(out, s.Entity)
		}
	}
	out = kg.Distinct(out)
	x.work(len(out) + 1)
	return out
}

// mayReach reports whether an entity that the first edge of an Only leads to meets it.
func (x *evaluation) mayReach(b *branch, row []kg.EntityID, e kg.EntityID) bool {
	if b.rest == nil {
		return slices.Contains(b.allowed, e)
	}
	pins := x.pins(b.rest, row)
	at := b.rest.local(b.far)
	if pins[at] != kg.NoEntity && pins[at] != e {
		return false
	}
	pins[at] = e
	return x.any(b.rest, pins)
}

// tester returns a function that tells which rows meet a branch, each time it is asked of
// the same entities without looking again.
func (x *evaluation) tester(b *branch) func(row []kg.EntityID) bool {
	if len(b.shared) == 1 && x.rows.len() >= x.limits.Together && b.Kind != pattern.Only {
		if meets := x.together(b); meets != nil {
			return meets
		}
	}
	if len(b.shared) == x.rows.width { // no row is like another
		return func(row []kg.EntityID) bool { return x.meets(b, row) }
	}
	known := map[string]bool{} // by the entities of the shared nodes
	var key []byte
	return func(row []kg.EntityID) bool {
		key = key[:0]
		for _, n := range b.shared {
			key = binary.LittleEndian.AppendUint32(key, uint32(row[x.column(n)]))
		}
		if ok, done := known[string(key)]; done {
			return ok
		}
		ok := x.meets(b, row)
		if len(known) >= x.limits.Rows {
			clear(known)
		}
		known[string(key)] = ok
		return ok
	}
}

// together finds the entities of a branch's one shared node that have a match, or how many
// each has, all at once; nil where that is more than may be held.
func (x *evaluation) together(b *branch) func(row []kg.EntityID) bool {
	at, node := x.column(b.shared[0]), b.part.local(b.shared[0])
	in := rows{width: 1}
	for i := range x.rows.len() {
		in.ids = append(in.ids, x.rows.at(i)[at])
	}
	in.compact()
	part := b.part.copied()
	n := &part.query.Nodes[node]
	in.keep(func(row []kg.EntityID) bool { return allows(n, row[0]) })
	n.In, n.Keep = in.ids, nil
	if b.Kind == pattern.Quantity {
		return x.quantities(b, part, at)
	}
	met := x.bound(part, x.free(part), b.shared)
	return func(row []kg.EntityID) bool {
		return kg.Holds(met.ids, row[at]) != (b.Kind == pattern.Without)
	}
}

// quantities counts for all entities of a Quantity's one shared node, which is at a place
// of the rows.
func (x *evaluation) quantities(b *branch, p *part, at int) func(row []kg.EntityID) bool {
	x.countThan(b)
	var counts []tally
	if s, ok := x.spokesOf(p, b.shared[0]); ok && b.Node != b.shared[0] && s.fewer() {
		s.each(func(t tally) { counts = append(counts, t) })
	} else {
		list := x.bound(p, x.free(p), []int{b.shared[0], b.Node})
		if list.cut {
			return nil
		}
		counts = list.tallies()
	}
	return func(row []kg.EntityID) bool {
		n := 0
		if i, ok := slices.BinarySearchFunc(counts, row[at], func(t tally, e kg.EntityID) int { return cmp.Compare(t.per, e) }); ok {
			n = int(counts[i].n)
		}
		return b.compares(n)
	}
}

// compares reports whether a number is as a Quantity asks.
func (b *branch) compares(n int) bool {
	return pattern.Filter{Op: b.Op, Value: float64(b.N) * cmp.Or(b.Times, 1)}.Holds(kg.Value{Number: float64(n)})
}

// keep drops the rows that do not meet a group, and notes what is excluded by triples.
func (x *evaluation) keep(g *group) {
	tests := make([]func([]kg.EntityID) bool, len(g.branches))
	for i := range g.branches {
		if !g.met {
			tests[i] = x.tester(&g.branches[i])
		}
	}
	before := x.rows.len()
	failing := rows{width: x.rows.width}
	asked := x.column(x.p.Asked)
	x.rows.keep(func(row []kg.EntityID) bool {
		x.work(1)
		ok := g.met || slices.ContainsFunc(tests, func(meets func([]kg.EntityID) bool) bool { return meets(row) })
		if !ok && asked >= 0 && x.excludes(g) {
			failing.ids = append(failing.ids, row...)
		}
		return ok
	})
	x.step("%s: %s left of %s", x.groupText(g), wording.Count(x.rows.len(), "row", "rows"), wording.Number(before))
	if failing.len() == 0 {
		return
	}
	failing.sortBy(asked)
	if x.rows.width > 1 {
		left := x.columns(x.p.Asked)
		failing.keep(func(row []kg.EntityID) bool { // what has another row is an answer
			return !kg.Holds(left.ids, row[asked])
		})
	}
	x.exclude(g, &failing, asked)
}

// excludes reports whether triples, and not the want of them, make a row fail.
func (x *evaluation) excludes(g *group) bool {
	return g.kind == pattern.Without || g.kind == pattern.Only || g.kind == pattern.Quantity && g.branches[0].Op <= pattern.Equal
}

// exclude notes the entities that are no answers because of a branch: all are counted,
// the first come with the triples that exclude them.
func (x *evaluation) exclude(g *group, failing *rows, asked int) {
	why := x.groupText(g)
	for i, looked := 0, 0; i < failing.len(); i++ {
		row := failing.at(i)
		if i > 0 && failing.at(i - 1)[asked] == row[asked] {
			continue
		}
		if looked++; looked > x.limits.Shown {
			x.found.ExcludedCount++
			continue
		}
		if triples := x.against(&g.branches[0], row); len(triples) > 0 {
			x.found.Excluded = append(x.found.Excluded, evidence.Exclusion{Entity: row[asked], Why: why, Triples: triples})
			x.found.ExcludedCount++
		}
	}
}

// against returns the triples because of which a row does not meet a branch.
func (x *evaluation) against(b *branch, row []kg.EntityID) (ts []kg.TripleID) {
	switch b.Kind {
	case pattern.Without, pattern.Quantity:
		return x.triples(b, row)
	case pattern.Only:
		for _, e := range x.reachedBy(b, row) {
			if x.mayReach(b, row, e) {
				continue
			}
			for _, f := range x.nearOf(b, row) {
				if b.Edges[0].Closure && b.forward {
					return x.chain(b.first, f, e)
				} else if b.Edges[0].Closure {
					return x.chain(b.first, e, f)
				}
				for _, s := range x.steps(b.first.Edge, f, b.forward) {
					if s.Entity == e {
						ts = append(ts, s.Triple)
					}
				}
			}
			return ts
		}
	case pattern.OneOf, pattern.OrElse:
	}
	return nil
}

// proof returns the triples by which a row meets a branch, where triples do that.
func (x *evaluation) proof(b branch, row []kg.EntityID) []kg.TripleID {
	switch b.Kind {
	case pattern.OneOf, pattern.OrElse, pattern.Quantity:
		ts := x.triples(&b, row)
		if b.than == nil {
			return ts
		}
		b.part = b.than // the evidence has the number that it is compared with, too
		return append(ts, x.triples(&b, slices.Repeat([]kg.EntityID{kg.NoEntity}, len(row)))...)
	case pattern.Only:
		reached := x.reachedBy(&b, row)
		if b.Edges[0].Closure {
			return nil
		}
		at := x.column(b.near)
		if at < 0 {
			return nil
		}
		return wording.Each(x.steps(b.first.Edge, row[at], b.forward)[:min(len(reached), branchTriples)], func(s kg.Edge) kg.TripleID { return s.Triple })
	case pattern.Without:
	}
	return nil
}

// branchTriples is how many triples of a branch are shown with an answer.
const branchTriples = 12

// triples returns those of the bindings of a branch: of the first, or of some for each
// entity that a Quantity counts.
func (x *evaluation) triples(b *branch, row []kg.EntityID) (ts []kg.TripleID) {
	x.each(b.part, x.pins(b.part, row), func(m match.Binding) bool {
		ts = kg.With(ts, m.Edges...)
		for _, c := range b.part.closures {
			ts = append(ts, x.chain(c, m.Nodes[c.From], m.Nodes[c.To])...)
		}
		return b.Kind == pattern.Quantity && len(ts) < branchTriples
	})
	return ts
}

// narrow restricts a node that nothing outside of branches restricts to what a branch
// which must match leaves of it.
func (x *evaluation) narrow() {
	for i := range x.groups {
		g := &x.groups[i]
		b := g.branches[0]
		least := b.Op == pattern.Greater || (b.Op == pattern.AtLeast || b.Op == pattern.Equal) && b.N > 0 && b.Than == nil // a name may have none
		if g.kind == pattern.Without || g.kind == pattern.Only || g.kind == pattern.Quantity && !least {
			continue
		}
		node, all := -1, rows{width: 1}
		for _, b := range g.branches {
			if len(b.shared) != 1 || node >= 0 && b.shared[0] != node {
				node = -2
			} else if node == -1 {
				node = b.shared[0]
			}
		}
		if node < 0 {
			continue
		}
		n := &x.main.query.Nodes[x.main.local(node)]
		joined := slices.ContainsFunc(x.p.Edges, func(e pattern.Edge) bool { return e.From == node || e.To == node })
		if joined || n.In != nil {
			continue
		}
		if s, ok := x.spokesOf(b.part, node); g.kind == pattern.Quantity && b.Than == nil && !x.excludes(g) && ok && b.Node != node && s.fewer() {
			s.each(func(t tally) {
				if b.compares(int(t.n)) {
					all.ids = append(all.ids, t.per)
				}
			})
			n.In, g.met = only(slices.Clip(all.ids)), true
			continue
		}
		for _, b := range g.branches {
			all.ids = kg.Either(all.ids, x.bound(b.part, x.free(b.part), []int{node}).ids)
		}
		n.In = only(slices.Clip(all.ids))
		g.met = g.kind == pattern.OneOf
	}
}

// groupText words a group for steps and exclusions, as its clauses do.
func (x *evaluation) groupText(g *group) string {
	texts := wording.Each(g.branches, func(b branch) string { return pattern.BranchText(x.p, b.Branch) })
	return wording.Choice(texts)
}
