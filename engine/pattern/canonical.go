package pattern

import (
	"fmt"
	"slices"
	"strings"

	"cairn/engine/kg"
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
	}
	colours := own
	for range p.Nodes {
		next := make([]string, len(colours))
		for i, c := range colours {
			var around []string
			for _, e := range p.Edges {
				if e.From == i {
					around = append(around, side(e, ">")+condition(e)+colours[e.To])
				}
				if e.To == i {
					around = append(around, side(e, "<")+condition(e)+colours[e.From])
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
	edges := make([]string, len(p.Edges))
	for i, e := range p.Edges {
		from, to := colours[e.From], colours[e.To]
		if side(e, ">") == "-" && from > to {
			from, to = to, from
		}
		edges[i] = from + side(e, ">") + condition(e) + to
	}
	slices.Sort(edges)
	reuse, order := "", ""
	if p.Task != Verify { // a claim has one thing at most that it does not name
		reuse = fmt.Sprint(p.Reuse)
	}
	if p.Order != nil {
		order = fmt.Sprint(*p.Order)
	}
	return fmt.Sprint(p.Task, p.Negated, reuse, p.Filters, order, edges)
}

// condition names what an edge asks for.
func condition(e Edge) string {
	var said strings.Builder
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
