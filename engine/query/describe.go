package query

import (
	"slices"

	"cairn/engine/evidence"
	"cairn/engine/internal/bail"
	"cairn/engine/kg"
)

const (
	// mostDescribed is how many things are described at once.
	mostDescribed = 5
	// sampled is how many triples of a group are shown.
	sampled = 5
)

// runs calls yield for every relation of either of some entities, outwards first, with
// the triples that each has.
func (x *evaluation) runs(es []kg.EntityID, yield func(r kg.RelationID, inward bool, of [][]kg.Edge)) {
	for _, inward := range []bool{false, true} {
		by := map[kg.RelationID][][]kg.Edge{}
		var relations []kg.RelationID
		for i, e := range es {
			all := x.g.RelationsOut(e)
			if inward {
				all = x.g.RelationsIn(e)
			}
			for r, run := range all {
				if by[r] == nil {
					by[r] = make([][]kg.Edge, len(es))
					relations = append(relations, r)
				}
				by[r][i] = run
			}
		}
		slices.Sort(relations)
		for _, r := range relations {
			yield(r, inward, by[r])
		}
	}
}

// describeAll groups what the graph says of the first things asked for.
func (x *evaluation) describeAll() {
	at := x.column(x.p.Asked)
	var es []kg.EntityID
	for i := range x.rows.len() {
		if e := x.rows.at(i)[at]; !slices.Contains(es, e) && len(es) <= mostDescribed {
			es = append(es, e)
		}
	}
	if len(es) > mostDescribed {
		es = es[:mostDescribed]
		x.note("There are more; the first %d are described.", mostDescribed)
	}
	x.found.Stats.Found = len(es)
	for _, e := range es {
		a := evidence.Answer{Entity: e, Matches: x.g.Degree(e), Score: evidence.Score{Scale: evidence.Distance}}
		x.runs([]kg.EntityID{e}, func(r kg.RelationID, inward bool, of [][]kg.Edge) {
			g := evidence.Group{Entity: e, Relation: r, Inward: inward, Count: len(of[0])}
			for _, s := range of[0][:min(len(of[0]), sampled)] {
				g.Triples = append(g.Triples, s.Triple)
				a.Supports = append(a.Supports, len(x.found.Candidates))
				x.found.Candidates = append(x.found.Candidates, x.fact(e, s))
			}
			x.found.Groups = append(x.found.Groups, g)
		})
		x.found.Answers = append(x.found.Answers, a)
	}
	bail.If(x.ctx.Err())
}

// fact is a triple of an entity as a path of one step.
func (x *evaluation) fact(e kg.EntityID, s kg.Edge) evidence.Candidate {
	return evidence.Path([]kg.EntityID{e, s.Entity}, [][]kg.TripleID{{s.Triple}}, "")
}

// contrast finds what two things have in common, and what only one has: the first ones
// of their names.
func (x *evaluation) contrast() {
	var es []kg.EntityID
	for _, n := range x.p.Nodes[:2] {
		if len(n.Entities) == 0 {
			return
		}
		es = append(es, n.Entities[0])
	}
	var groups [3][]evidence.Group
	x.runs(es, func(r kg.RelationID, inward bool, of [][]kg.Edge) {
		var both, first, second evidence.Group
		add := func(g *evidence.Group, s kg.Edge, path evidence.Candidate) {
			if g.Count++; len(g.Triples) < sampled {
				g.Triples = append(g.Triples, s.Triple)
				x.found.Candidates = append(x.found.Candidates, path)
			}
		}
		a, b := of[0], of[1]
		for len(a) > 0 || len(b) > 0 {
			switch {
			case len(b) == 0 || len(a) > 0 && a[0].Entity < b[0].Entity:
				add(&first, a[0], x.fact(es[0], a[0]))
				a = a[1:]
			case len(a) == 0 || b[0].Entity < a[0].Entity:
				add(&second, b[0], x.fact(es[1], b[0]))
				b = b[1:]
			default:
				if both.Count < sampled {
					both.With = append(both.With, b[0].Triple)
				}
				add(&both, a[0], evidence.Path([]kg.EntityID{es[0], a[0].Entity, es[1]}, [][]kg.TripleID{{a[0].Triple}, {b[0].Triple}}, ""))
				a, b = a[1:], b[1:]
			}
		}
		for side, g := range []evidence.Group{both, first, second} {
			if g.Count > 0 {
				g.Entity, g.Relation, g.Inward, g.Side = es[side/2], r, inward, evidence.Side(side)
				groups[side] = append(groups[side], g)
			}
		}
	})
	x.found.Groups = slices.Concat(groups[0], groups[1], groups[2])
	x.found.Stats.Found = len(x.found.Groups)
	bail.If(x.ctx.Err())
}
