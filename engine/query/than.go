package query

import (
	"slices"

	"cairn/engine/evidence"
	"cairn/engine/kg"
	"cairn/engine/match"
	"cairn/engine/pattern"
	"cairn/internal/wording"
)

// Comparisons with a name.

// at is a part with a node bound to some entities.
func (p *part) at(n int, es []kg.EntityID) *part {
	c := p.copied()
	m := &c.query.Nodes[p.local(n)]
	m.In = only(slices.Compact(slices.Sorted(slices.Values(es))))
	return c
}

// countThan counts, once, for the name that a Quantity is compared with.
func (x *evaluation) countThan(b *branch) {
	if b.than == nil || b.counted {
		return
	}
	list := x.bound(b.than, x.free(b.than), []int{b.Node})
	b.N, b.counted = list.len(), true
	x.note("%s has %s.", x.names(x.p.Nodes[*b.Than].Entities), wording.Number(b.N))
}

// trusting says that an answer rests on what the graph does not say.
const trusting = "This assumes that the graph is complete: what it does not say counts as false."

// refute finds the values that a claim compares, where they do not compare so: the triples
// that speak against it.
func (x *evaluation) refute() {
	p := x.p
	var ts []kg.TripleID
	for _, g := range x.groups {
		if b := g.branches[0]; b.Kind == pattern.Quantity {
			free := slices.Repeat([]kg.EntityID{kg.NoEntity}, len(x.nodes))
			so := x.bound(b.part, x.pins(b.part, free), []int{b.Node})
			var not []kg.TripleID
			if b.Op == pattern.AtLeast {
				not = x.otherwise(&b, so.ids)
			}
			ofAll := len(not) > 0 && b.N == so.len()+len(not) // it is claimed of all of them
			switch proof := x.proof(b, free); {
			case ofAll, len(proof) == 0 && b.Op == pattern.AtLeast:
				ts = append(ts, not...)
			default:
				ts = append(ts, proof...)
			}
			if ofAll && so.len() > 0 {
				x.note("It is not so of %s.", x.names(wording.Each(not, func(t kg.TripleID) kg.EntityID { return x.g.Triple(t).Head })))
			}
			if b.than == nil {
				x.note("In this graph the number is %s.", wording.Number(so.len()))
			}
			if b.Op >= pattern.AtLeast {
				x.note(trusting)
			}
		}
	}
	if len(p.Filters) > 0 && !slices.ContainsFunc(p.Filters, func(f pattern.Filter) bool { return f.Op == pattern.Unequal || f.Than == nil && !x.isSingle(f.Node) }) {
		all := x.newPart(p.Edges, nil)
		x.each(all, x.free(all), func(b match.Binding) bool {
			for _, f := range p.Filters { // what cannot be compared refutes nothing
				v, ok := x.value(b.Nodes[all.local(f.Node)])
				w, is := kg.Value{Unit: f.Unit}, true
				if f.Than != nil {
					w, is = x.value(b.Nodes[all.local(*f.Than)])
				}
				if _, alike := v.In(w.Unit); !ok || !is || !alike && v.Unit != "" && w.Unit != "" {
					return true
				}
			}
			ts = append(ts, b.Edges...)
			return true
		})
	}
	if slices.Sort(ts); len(ts) > 0 {
		x.found.Excluded = []evidence.Exclusion{{Entity: x.g.Triple(ts[0]).Head, Why: "the values compare otherwise", Triples: slices.Compact(ts)}}
	}
}

// otherwise returns triples by which those that a Quantity counts, but for some that are so, have other things than
// the claim names, one each; nil where one has none, or several.
func (x *evaluation) otherwise(b *branch, so []kg.EntityID) (ts []kg.TripleID) {
	tells := -1 // the edge that the claim is of: all that meet the rest have it, as it says
	var all []kg.EntityID
	for i, e := range b.Edges {
		named := e.From + e.To - b.Node
		if (e.From == b.Node) == (e.To == b.Node) || x.p.Nodes[named].Variable || len(e.Fixed) != 1 || e.Direction == pattern.Either {
			continue
		}
		meet := x.p.Nodes[b.Node].Within
		if rest := slices.Delete(slices.Clone(b.Edges), i, i+1); len(rest) > 0 {
			part := x.newPart(rest, b.Filters, b.Node)
			meet = x.bound(part, x.free(part), []int{b.Node}).ids
		}
		if tells < 0 || len(meet) == b.N {
			tells, all = i, meet
		}
	}
	if tells < 0 {
		return nil
	}
	e := b.Edges[tells]
	for _, of := range all {
		if slices.Contains(so, of) {
			continue
		}
		edges := x.g.Along(of, e.Fixed[0], e.From != b.Node)
		if len(edges) != 1 {
			return nil
		}
		ts = append(ts, edges[0].Triple)
	}
	return ts[:min(len(ts), branchTriples)]
}

// isSingle reports whether a node is at the end of a relation of which hardly anything has
// several values: another value than that which is claimed then speaks against it.
func (x *evaluation) isSingle(n int) bool {
	const share, looked = 0.05, 200_000
	i := slices.IndexFunc(x.p.Edges, func(e pattern.Edge) bool { return e.To == n && len(e.Fixed) > 0 })
	if i < 0 {
		return false
	}
	some, several := 0, 0
	for _, r := range x.p.Edges[i].Fixed {
		heads := x.g.Heads(r)
		for at := 0; at < len(heads); at += 1 + len(heads)/looked {
			if some++; len(x.g.OutBy(heads[at], r)) > 1 {
				several++
			}
		}
	}
	return float64(several) <= share*float64(some)
}
