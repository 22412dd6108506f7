package engine

import (
	"slices"

	"cairn/engine/evidence"
	"cairn/engine/kg"
	"cairn/engine/link"
	"cairn/engine/pattern"
)

// A record of the history may be damaged, or written by anybody who hands on a graph's
// file. What follows makes sure that nothing which shows a run can stumble over it.

// wellFormed reports whether the parts of a run fit together: what its indexes lead to
// is there.
func (r *Run) wellFormed() bool {
	if r.Answer == nil || r.Plan == nil || r.Reading >= len(r.Plan.Readings) {
		return false
	}
	for _, reading := range r.Plan.Readings {
		if p := reading.Pattern; p == nil || !patternFits(p) {
			return false
		}
	}
	if len(r.Answer.Items) > 0 && r.Answer.Verdict == 0 && r.Answer.Count < len(r.Answer.Items) {
		return false
	}
	return !slices.ContainsFunc(r.candidates(), func(c evidence.Candidate) bool { return !r.candidateFits(c) })
}

// candidates are all that a run has.
func (r *Run) candidates() []evidence.Candidate {
	all := slices.Concat(r.Candidates, r.Closest)
	if r.Answer != nil && r.Answer.Refusal != nil {
		all = append(all, r.Answer.Refusal.Closest...)
	}
	return all
}

func patternFits(p *pattern.Pattern) bool {
	has := func(node int) bool { return node >= 0 && node < len(p.Nodes) }
	if p.Asked >= len(p.Nodes) || p.Order != nil && !has(p.Order.Node) {
		return false
	}
	for _, n := range p.Nodes {
		if len(n.Distances) > len(n.Entities) {
			return false
		}
	}
	return !slices.ContainsFunc(p.Edges, func(e pattern.Edge) bool { return !has(e.From) || !has(e.To) }) &&
		!slices.ContainsFunc(p.Filters, func(f pattern.Filter) bool { return !has(f.Node) })
}

// candidateFits reports whether a candidate is a match of the pattern, or a path where
// none was followed.
func (r *Run) candidateFits(c evidence.Candidate) bool {
	if p := r.Pattern(); p != nil {
		return c.Hops == nil && len(c.Nodes) == len(p.Nodes) && len(c.Edges) == len(p.Edges) &&
			len(c.NodeDistance) <= len(c.Nodes) && len(c.EdgeDistance) <= len(c.Edges)
	}
	edges := 0
	for _, n := range c.Hops {
		if n < 1 || n > len(c.Edges) {
			return false
		}
		edges += n
	}
	return len(c.Nodes) == len(c.Hops)+1 && edges == len(c.Edges) &&
		!slices.Contains(c.Nodes, kg.NoEntity) && !slices.Contains(c.Edges, kg.NoTriple)
}

// knownTo reports whether a graph has all that a run names.
func (r *Run) knownTo(g *kg.Graph) bool {
	entity := func(e kg.EntityID) bool { return e == kg.NoEntity || int(e) < g.Entities() }
	entities := func(es []kg.EntityID) bool {
		return !slices.ContainsFunc(es, func(e kg.EntityID) bool { return !entity(e) })
	}
	triples := func(ts []kg.TripleID) bool {
		return !slices.ContainsFunc(ts, func(t kg.TripleID) bool { return t != kg.NoTriple && int(t) >= g.Triples() })
	}
	answers := func(as []evidence.Answer) bool {
		return !slices.ContainsFunc(as, func(a evidence.Answer) bool { return !entity(a.Entity) })
	}
	for _, m := range slices.Concat(r.Mentions, r.Plan.Mentions) {
		if slices.ContainsFunc(m.Candidates, func(c link.Candidate) bool { return int(c.Entity) >= g.Entities() }) {
			return false
		}
	}
	for _, reading := range r.Plan.Readings {
		for _, n := range reading.Pattern.Nodes {
			if !entities(n.Entities) || slices.Contains(n.Entities, kg.NoEntity) {
				return false
			}
		}
	}
	for _, c := range r.candidates() {
		if !entities(c.Nodes) || !triples(c.Edges) {
			return false
		}
	}
	for _, it := range r.Answer.Items {
		if !entity(it.Entity) {
			return false
		}
	}
	return entities(r.Plan.Seeds) && !slices.Contains(r.Plan.Seeds, kg.NoEntity) && answers(r.Answers) && answers(r.Weighed) &&
		triples(r.Answer.Pack.Triples) && !slices.Contains(r.Answer.Pack.Triples, kg.NoTriple)
}

// forgetEvidence leaves a run its texts: of what it names, its graph has not all.
func (r *Run) forgetEvidence() {
	r.Mentions, r.Plan.Mentions, r.Plan.Readings, r.Plan.Seeds, r.Reading = nil, nil, nil, nil, -1
	r.Answers, r.Weighed, r.Candidates, r.Closest = nil, nil, nil, nil
	r.Answer.Items, r.Answer.Pack = nil, evidence.Pack{}
	if r.Answer.Refusal != nil {
		r.Answer.Refusal.Closest = nil
	}
}
