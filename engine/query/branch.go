package query

import (
	"context"
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

	than    *part // of Quantity: with the name that it is compared with
	counted bool  // N is that of the name
}

func (x *evaluation) newBranch(b pattern.Branch) (out branch, err error) {
	out = branch{Branch: b}
	var counted []int
	if b.Kind == pattern.Quantity {
		counted = []int{b.Node}
	}
	if out.part, err = x.newPart(b.Edges, b.Filters, counted...); err != nil {
		return out, err
	}
	for _, n := range out.part.nodes {
		if node := x.p.Nodes[n]; (node.Variable || len(node.Entities) > 1) && x.main.local(n) >= 0 {
			out.shared = append(out.shared, n)
		}
	}
	if b.Kind == pattern.Only {
		err = x.only(&out)
	}
	if b.Than != nil {
		out.than = out.part.with(b.Beside(), x.p.Nodes[*b.Than].Entities)
	}
	return out, err
}

// only prepares a branch of that kind.
func (x *evaluation) only(b *branch) (err error) {
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
		return nil
	}
	b.rest, err = x.newPart(b.Edges[1:], b.Filters, b.far)
	return err
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

// any reports whether a part has a binding.
func (x *evaluation) any(ctx context.Context, p *part, pins []kg.EntityID) (ok bool, err error) {
	err = x.each(ctx, p, pins, func(match.Binding) bool {
		ok = true
		return false
	})
	return ok, err
}

// meets reports whether a row meets a branch.
func (x *evaluation) meets(ctx context.Context, b *branch, row []kg.EntityID) (bool, error) {
	switch b.Kind {
	case pattern.Without:
		ok, err := x.any(ctx, b.part, x.pins(b.part, row))
		return !ok, err
	case pattern.Only:
		reached, err := x.reachedBy(ctx, b, row)
		for _, e := range reached {
			if ok, err := x.mayReach(ctx, b, row, e); !ok || err != nil {
				return false, err
			}
		}
		return len(reached) > 0, err
	case pattern.Quantity:
		if err := x.countThan(ctx, b); err != nil {
			return false, err
		}
		list, err := x.bound(ctx, b.part, x.pins(b.part, row), []int{b.Node})
		return pattern.Filter{Op: b.Op, Value: float64(b.N)}.Holds(kg.Value{Number: float64(list.len())}), err
	case pattern.OneOf, pattern.OrElse:
	}
	return x.any(ctx, b.part, x.pins(b.part, row))
}

// reachedBy returns what the first edge of an Only leads to from the row's entity, or
// from any entity of a known node.
func (x *evaluation) reachedBy(ctx context.Context, b *branch, row []kg.EntityID) (out []kg.EntityID, err error) {
	from := x.p.Nodes[b.near].Entities
	if at := x.column(b.near); at >= 0 {
		from = row[at : at+1]
	}
	for _, e := range from {
		if b.Edges[0].Closure {
			reached, err := x.reach(ctx, b.first, e, b.forward)
			if err != nil {
				return nil, err
			}
			out = append(out, reached...)
			continue
		}
		for _, s := range x.steps(b.first.Edge, e, b.forward) {
			out = append(out, s.Entity)
		}
	}
	slices.Sort(out)
	return slices.Compact(out), x.work(ctx, len(out)+1)
}

// mayReach reports whether an entity that the first edge of an Only leads to meets it.
func (x *evaluation) mayReach(ctx context.Context, b *branch, row []kg.EntityID, e kg.EntityID) (bool, error) {
	if b.rest == nil {
		return slices.Contains(b.allowed, e), nil
	}
	pins := x.pins(b.rest, row)
	at := b.rest.local(b.far)
	if pins[at] != kg.NoEntity && pins[at] != e {
		return false, nil
	}
	pins[at] = e
	return x.any(ctx, b.rest, pins)
}

// tester returns a function that tells which rows meet a branch, each time it is asked of
// the same entities without looking again.
func (x *evaluation) tester(ctx context.Context, b *branch) (func(row []kg.EntityID) (bool, error), error) {
	if len(b.shared) == 1 && x.rows.len() >= x.limits.Together && b.Kind != pattern.Only && b.Kind != pattern.Quantity {
		return x.together(ctx, b)
	}
	known := map[string]bool{} // by the entities of the shared nodes
	var key []byte
	return func(row []kg.EntityID) (bool, error) {
		key = key[:0]
		for _, n := range b.shared {
			key = binary.LittleEndian.AppendUint32(key, uint32(row[x.column(n)]))
		}
		if ok, done := known[string(key)]; done {
			return ok, nil
		}
		ok, err := x.meets(ctx, b, row)
		if len(known) >= x.limits.Rows {
			clear(known)
		}
		known[string(key)] = ok
		return ok, err
	}, nil
}

// together finds the entities of a branch's one shared node that have a match, all at once.
func (x *evaluation) together(ctx context.Context, b *branch) (func(row []kg.EntityID) (bool, error), error) {
	at, node := x.column(b.shared[0]), b.part.local(b.shared[0])
	in := rows{width: 1}
	for i := range x.rows.len() {
		in.ids = append(in.ids, x.rows.at(i)[at])
	}
	in.compact()
	part := *b.part
	part.query.Nodes = slices.Clone(part.query.Nodes)
	n := &part.query.Nodes[node]
	in.keep(func(row []kg.EntityID) bool { return allows(n, row[0]) })
	n.In, n.Keep = in.ids, nil
	met, err := x.bound(ctx, &part, x.free(&part), b.shared)
	return func(row []kg.EntityID) (bool, error) {
		_, ok := slices.BinarySearch(met.ids, row[at])
		return ok != (b.Kind == pattern.Without), nil
	}, err
}

// keep drops the rows that do not meet a group, and notes what is excluded by triples.
func (x *evaluation) keep(ctx context.Context, g *group) error {
	tests := make([]func([]kg.EntityID) (bool, error), len(g.branches))
	for i := range g.branches {
		var err error
		if tests[i], err = x.tester(ctx, &g.branches[i]); err != nil {
			return err
		}
	}
	before := x.rows.len()
	failing := map[kg.EntityID][]kg.EntityID{} // by what is asked for: the first row
	asked := x.column(x.p.Asked)
	var failed error
	x.rows.keep(func(row []kg.EntityID) (ok bool) {
		if failed != nil {
			return false
		}
		failed = x.work(ctx, 1)
		for i := 0; i < len(tests) && !ok && failed == nil; i++ {
			ok, failed = tests[i](row)
		}
		if !ok && asked >= 0 && x.excludes(g) && failing[row[asked]] == nil {
			failing[row[asked]] = slices.Clone(row)
		}
		return ok
	})
	if failed != nil {
		return failed
	}
	x.step("%s: %s left of %s", x.groupText(g), wording.Count(x.rows.len(), "row", "rows"), wording.Number(before))
	for i := range x.rows.len() {
		if len(failing) > 0 {
			delete(failing, x.rows.at(i)[asked]) // it has another row
		}
	}
	return x.exclude(ctx, g, failing)
}

// excludes reports whether triples, and not the want of them, make a row fail.
func (x *evaluation) excludes(g *group) bool {
	return g.kind == pattern.Without || g.kind == pattern.Only || g.kind == pattern.Quantity && g.branches[0].Op <= pattern.Equal
}

// exclude notes the entities that are no answers because of a branch: all are counted,
// the first come with the triples that exclude them.
func (x *evaluation) exclude(ctx context.Context, g *group, failing map[kg.EntityID][]kg.EntityID) error {
	for i, e := range sortedKeys(failing) {
		triples := []kg.TripleID(nil)
		if i < x.limits.Shown {
			var err error
			if triples, err = x.against(ctx, &g.branches[0], failing[e]); err != nil {
				return err
			}
		}
		if len(triples) > 0 {
			x.found.Excluded = append(x.found.Excluded, evidence.Exclusion{Entity: e, Why: x.groupText(g), Triples: triples})
		}
		if len(triples) > 0 || i >= x.limits.Shown {
			x.found.ExcludedCount++
		}
	}
	return nil
}

// against returns the triples because of which a row does not meet a branch.
func (x *evaluation) against(ctx context.Context, b *branch, row []kg.EntityID) (ts []kg.TripleID, err error) {
	switch b.Kind {
	case pattern.Without, pattern.Quantity:
		return x.triples(ctx, b, row)
	case pattern.Only:
		reached, err := x.reachedBy(ctx, b, row)
		for _, e := range reached {
			if ok, err := x.mayReach(ctx, b, row, e); ok || err != nil {
				continue
			}
			from := x.p.Nodes[b.near].Entities
			if at := x.column(b.near); at >= 0 {
				from = row[at : at+1]
			}
			for _, f := range from {
				if b.Edges[0].Closure && b.forward {
					return x.chain(ctx, b.first, f, e)
				} else if b.Edges[0].Closure {
					return x.chain(ctx, b.first, e, f)
				}
				for _, s := range x.steps(b.first.Edge, f, b.forward) {
					if s.Entity == e {
						ts = append(ts, s.Triple)
					}
				}
			}
			return ts, nil
		}
		return nil, err
	case pattern.OneOf, pattern.OrElse:
	}
	return nil, nil
}

// proof returns the triples by which a row meets a branch, where triples do that.
func (x *evaluation) proof(ctx context.Context, b branch, row []kg.EntityID) ([]kg.TripleID, error) {
	switch b.Kind {
	case pattern.OneOf, pattern.OrElse, pattern.Quantity:
		ts, err := x.triples(ctx, &b, row)
		if b.than == nil || err != nil {
			return ts, err
		}
		b.part = b.than // the evidence has the number that it is compared with, too
		more, err := x.triples(ctx, &b, slices.Repeat([]kg.EntityID{kg.NoEntity}, len(row)))
		return append(ts, more...), err
	case pattern.Only:
		reached, err := x.reachedBy(ctx, &b, row)
		if err != nil || b.Edges[0].Closure {
			return nil, err
		}
		at := x.column(b.near)
		if at < 0 {
			return nil, nil
		}
		var ts []kg.TripleID
		for _, s := range x.steps(b.first.Edge, row[at], b.forward)[:min(len(reached), branchTriples)] {
			ts = append(ts, s.Triple)
		}
		return ts, nil
	case pattern.Without:
	}
	return nil, nil
}

// branchTriples is how many triples of a branch are shown with an answer.
const branchTriples = 12

// triples returns those of the bindings of a branch: of the first, or of some for each
// entity that a Quantity counts.
func (x *evaluation) triples(ctx context.Context, b *branch, row []kg.EntityID) (ts []kg.TripleID, err error) {
	var failed error
	err = x.each(ctx, b.part, x.pins(b.part, row), func(m match.Binding) bool {
		for _, t := range m.Edges {
			if !slices.Contains(ts, t) {
				ts = append(ts, t)
			}
		}
		for _, c := range b.part.closures {
			chain, err := x.chain(ctx, c, m.Nodes[c.From], m.Nodes[c.To])
			failed = err
			ts = append(ts, chain...)
		}
		return failed == nil && b.Kind == pattern.Quantity && len(ts) < branchTriples
	})
	if failed != nil {
		err = failed
	}
	return ts, err
}

// narrow restricts a node that nothing outside of branches restricts to what a branch
// which must match leaves of it.
func (x *evaluation) narrow(ctx context.Context) error {
	for _, g := range x.groups {
		b := g.branches[0]
		least := b.Op == pattern.AtLeast && b.N > 0 || b.Op == pattern.Greater || b.Op == pattern.Equal && b.N > 0
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
		for _, b := range g.branches {
			found, err := x.bound(ctx, b.part, x.free(b.part), []int{node})
			if err != nil {
				return err
			}
			all.ids = append(all.ids, found.ids...)
		}
		all.compact()
		n.In = slices.Clip(all.ids)
		if n.In == nil {
			n.In = []kg.EntityID{}
		}
	}
	return nil
}

// groupText words a group for steps and exclusions, as its clauses do.
func (x *evaluation) groupText(g *group) string {
	var texts []string
	for _, b := range g.branches {
		texts = append(texts, pattern.BranchText(x.p, b.Branch))
	}
	return wording.Choice(texts)
}
