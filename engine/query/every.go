package query

import (
	"fmt"
	"slices"

	"cairn/engine/evidence"
	"cairn/engine/kg"
	"cairn/engine/pattern"
	"cairn/internal/wording"
)

// Groups of which nothing is counted, and one number of the numbers of all groups.

// counted are the nodes that what is counted hangs on: all that variables join it to, but
// the node that it is counted per.
func (x *evaluation) counted() (nodes []int) {
	m := x.p.Measure
	if m.Node == m.Per {
		return nil
	}
	nodes = []int{m.Node}
	for i := 0; i < len(nodes); i++ {
		for _, e := range x.p.Edges {
			for _, ends := range [2][2]int{{e.From, e.To}, {e.To, e.From}} {
				if to := ends[1]; ends[0] == nodes[i] && to != m.Per && x.p.Nodes[to].Variable && !slices.Contains(nodes, to) {
					nodes = append(nodes, to)
				}
			}
		}
	}
	return nodes
}

// withNone adds the groups that have none to the numbers of those that have some: all that
// meet what is asked beside what is counted.
func (x *evaluation) withNone(amounts []amount) []amount {
	m, counted := x.p.Measure, x.counted()
	is := func(n int) bool { return slices.Contains(counted, n) }
	edges := slices.DeleteFunc(slices.Clone(x.p.Edges), func(e pattern.Edge) bool { return is(e.From) || is(e.To) })
	filters := slices.DeleteFunc(slices.Clone(x.p.Filters), func(f pattern.Filter) bool { return is(f.Node) || f.Than != nil && is(*f.Than) })
	nodes := slices.DeleteFunc(slices.Clone(x.nodes), is)
	all := x.newPart(edges, filters, nodes...)
	list := x.bound(all, x.free(all), nodes)
	per := slices.Index(nodes, m.Per)
	has := map[kg.EntityID]bool{}
	for _, a := range amounts {
		has[a.per] = true
	}
	row := slices.Repeat([]kg.EntityID{kg.NoEntity}, len(x.nodes))
	var none []kg.EntityID
	for i := range list.len() {
		e := list.at(i)[per]
		if has[e] {
			continue
		}
		for k, n := range nodes {
			row[x.column(n)] = list.at(i)[k]
		}
		if !x.meetsBeside(row, is) {
			continue
		}
		has[e] = true
		none = append(none, e)
		amounts = append(amounts, amount{per: e, Amount: evidence.Amount{Text: "0"}})
	}
	if slices.Sort(none); len(none) > 0 {
		x.note("%s counted as 0: %s.", wording.Count(len(none), "entity without any is", "entities without any are"), x.names(none))
	}
	return amounts
}

// meetsBeside reports whether a row meets the branches that ask nothing of what is counted.
func (x *evaluation) meetsBeside(row []kg.EntityID, counted func(int) bool) bool {
	for _, g := range x.groups {
		ok := false
		for i := range g.branches {
			if slices.ContainsFunc(g.branches[i].shared, counted) {
				ok = true
				break
			}
			ok = x.meets(&g.branches[i], row) || ok
		}
		if !ok {
			return false
		}
	}
	return true
}

// fold makes one number of those of all groups.
func (x *evaluation) fold(f pattern.Func, amounts []amount) []amount {
	if len(amounts) == 0 && f != pattern.CountOf {
		x.note("There is no number to take the %s of.", f)
		return nil
	}
	out := amount{per: kg.NoEntity, n: len(amounts)}
	some, total := 0, 0.0
	var numbers []float64
	for _, a := range amounts {
		total += a.Value
		numbers = append(numbers, a.Value)
		if a.Value > 0 {
			some++
		}
	}
	switch f {
	case pattern.Sum:
		out.Value = total
	case pattern.Average:
		out.Value = total / float64(len(amounts))
		if some > 0 && some < len(amounts) {
			x.note("Among those that have any, it is %s.", wording.Amount(total/float64(some), ""))
		}
	case pattern.Least:
		out.Value = slices.Min(numbers)
	case pattern.Most:
		out.Value = slices.Max(numbers)
	case pattern.Median:
		out.Value = median(numbers)
	case pattern.CountOf:
		out.Value = float64(len(amounts))
	case pattern.Share, pattern.Difference, pattern.Ratio, pattern.Values: // which counts are not asked for
	}
	out.Text = wording.Amount(out.Value, "")
	x.step("%s of %s", f, wording.Count(len(amounts), "number", "numbers"))
	return []amount{out}
}

// checkGroups fails where what is asked of all groups makes no sense.
func (x *evaluation) checkGroups() error {
	m, o := x.p.Measure, x.p.Order
	switch {
	case m == nil || !m.Every && m.Fold == nil && len(m.Having) == 0:
		return nil
	case m.Every && m.Func != pattern.CountOf:
		return fmt.Errorf("%w: only counts per entity include those without any", ErrPattern)
	case m.Per < 0 || o != nil && (o.Node != pattern.Measured || m.Fold != nil):
		return fmt.Errorf("%w: only numbers per entity are compared or have an average", ErrPattern)
	case slices.ContainsFunc(m.Having, func(f pattern.Filter) bool { return f.Node != pattern.Measured || f.Than != nil }):
		return fmt.Errorf("%w: the number per entity is compared with a number", ErrPattern)
	}
	return nil
}
