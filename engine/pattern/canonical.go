package pattern

import (
	"fmt"
	"slices"
	"strings"

	"cairn/engine/kg"
	"cairn/internal/wording"
)

// Canonical returns a text that two patterns share where they ask for the same,
// whatever their variables are called and in which order their conditions stand.
//
// Nodes are told apart by what surrounds them, as far as their paths reach
// (Weisfeiler and Leman's colours); patterns of questions have no two parts that
// only a finer test could tell apart.
func Canonical(p *Pattern) string {
	side := func(e Edge, s string) string {
		if e.Direction == Either {
			return "-"
		}
		return s
	}
	own := make([]string, len(p.Nodes)) // what a node is by itself
	for i, n := range p.Nodes {
		switch {
		case !n.Variable && len(n.Entities) > 0:
			own[i] = fmt.Sprint("known ", n.Entities)
		case !n.Variable:
			own[i] = "named " + strings.ToLower(n.Text)
		case n.Within != nil:
			own[i] = "any " + Fold(n.Type)
		default:
			own[i] = "any"
		}
		if i == p.Asked {
			own[i] += " asked"
		}
		own[i] += p.part(i)
	}
	// Each edge with what it is part of: "" for the pattern itself.
	all, within := slices.Clone(p.Edges), slices.Repeat([]string{""}, len(p.Edges))
	for _, b := range p.Branches {
		for _, e := range b.Edges {
			all, within = append(all, e), append(within, fmt.Sprint(b.Kind, b.Op, b.N))
		}
	}
	colours := own
	for range p.Nodes {
		next := make([]string, len(colours))
		for i, c := range colours {
			var around []string
			for j, e := range all {
				if e.From == i {
					around = append(around, side(e, ">")+within[j]+condition(e)+colours[e.To])
				}
				if e.To == i {
					around = append(around, side(e, "<")+within[j]+condition(e)+colours[e.From])
				}
			}
			slices.Sort(around)
			next[i] = c + "{" + strings.Join(around, "|") + "}"
		}
		distinct := slices.Compact(slices.Sorted(slices.Values(next)))
		for i, c := range next {
			rank, _ := slices.BinarySearch(distinct, c)
			next[i] = fmt.Sprintf("%s#%d", own[i], rank)
		}
		colours = next
	}
	edgesOf := func(list []Edge) []string {
		edges := make([]string, len(list))
		for i, e := range list {
			from, to := colours[e.From], colours[e.To]
			if side(e, ">") == "-" && from > to {
				from, to = to, from
			}
			edges[i] = from + side(e, ">") + condition(e) + to
		}
		slices.Sort(edges)
		return edges
	}
	filtersOf := func(list []Filter) []string {
		filters := make([]string, len(list))
		for i, f := range list {
			with := fmt.Sprint(f.Value, f.Unit, f.Yearly)
			if f.Than != nil {
				with = timesText(f.Times) + colours[*f.Than] + fmt.Sprint(f.Plus)
			}
			filters[i] = colours[f.Node] + f.Op.String() + with
		}
		slices.Sort(filters)
		return filters
	}
	reuse, order := "", ""
	if p.Task != Verify { // a claim has one thing at most that it does not name
		reuse = fmt.Sprint(p.Reuse)
	}
	if o := p.Order; o != nil {
		by := "measured"
		if o.Node != Measured {
			by = colours[o.Node]
		}
		order = fmt.Sprint(by, o.Descending, o.Limit, o.Skip)
		if o.Of != nil {
			order += " of " + colours[*o.Of]
		}
		if o.Per != nil {
			order += " per " + colours[*o.Per]
		}
		if o.Both {
			order += " both"
		}
	}
	text := fmt.Sprint(p.Task, p.Negated, reuse, filtersOf(p.Filters), order, edgesOf(p.Edges))
	var branches []string
	for _, alternatives := range p.groups() {
		either := wording.Each(alternatives, func(b Branch) string {
			return fmt.Sprint(b.Kind == Only, b.Kind == Without, b.Kind == Quantity, b.Op, b.N, edgesOf(b.Edges), filtersOf(b.Filters))
		})
		slices.Sort(either)
		branches = append(branches, fmt.Sprint(either))
	}
	slices.Sort(branches)
	text += strings.Join(branches, "")
	if p.Task > Verify { // which may have no edges
		text += fmt.Sprint(slices.Sorted(slices.Values(colours)))
	}
	if c := p.Connection; c != nil {
		text += fmt.Sprint(c.Within, c.K)
	}
	if t := p.Told; t != nil {
		text += fmt.Sprint(" in ", t.Unit)
	}
	return text
}

// groups returns the branches: an either with its alternatives, each of the others alone.
func (p *Pattern) groups() (groups [][]Branch) {
	for i, b := range p.Branches {
		if b.Kind == OrElse && i > 0 {
			groups[len(groups)-1] = append(groups[len(groups)-1], b)
		} else {
			groups = append(groups, []Branch{b})
		}
	}
	return groups
}

// part says which part node i has in what a pattern asks for beside matches.
func (p *Pattern) part(i int) (text string) {
	if m := p.Measure; m != nil {
		text += fmt.Sprint(m.Func, m.Property, m.To, m.Node == i, m.Of == i, m.Per == i, m.Every)
		for _, f := range m.Having {
			text += fmt.Sprint(f.Op, f.Value, f.Unit)
		}
		if m.Fold != nil {
			text += m.Fold.String()
		}
	}
	for _, b := range p.Branches {
		if b.Kind == Quantity && b.Node == i {
			text += " counted"
		}
		if b.Than != nil && *b.Than == i {
			text += fmt.Sprint(" than ", b.Op, b.Times)
		}
	}
	if p.Task == Connect || p.Task == Contrast {
		text += fmt.Sprint(" end", min(i, 2))
	}
	if c := p.Connection; c != nil {
		text += fmt.Sprint(slices.Contains(c.Via, i), slices.Contains(c.Avoid, i))
	}
	return text
}

// condition names what an edge asks for.
func condition(e Edge) string {
	var said strings.Builder
	if e.Closure {
		said.WriteString("+")
	}
	for _, c := range e.Conditions {
		fmt.Fprintf(&said, "[%s..%s %s %s]", Fold(c.Property), Fold(c.To), c.Op, strings.ToLower(c.Value))
	}
	if len(e.Fixed) > 0 {
		return fmt.Sprint(e.Fixed) + said.String()
	}
	return Fold(e.Relation) + said.String()
}

// Fold makes spellings of a relation or type equal: "releaseYear" is "release
// year" is "release_year".
func Fold(s string) string {
	return strings.ToLower(kg.RelationText(strings.ReplaceAll(s, " ", "_")))
}
