package model

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"cairn/engine/kg"
	"cairn/engine/lexicon"
	"cairn/engine/pattern"
)

// chained asks for relation chains, and returns what they say as readings: the
// model's order stands, as long as a chain has answers beside its own start.
// Where chains from two topics meet, that is the first reading: the question
// names both.
func (p *Planner) chained(ctx context.Context, q *question) ([]*reading, error) {
	if rs := q.without.Readings; len(rs) > 0 && rs[0].Pattern.Task == pattern.Verify {
		return nil, fmt.Errorf("%w: it is a claim, which leads to no answer", errNoChain)
	}
	topics, chains, err := p.chains(ctx, q)
	if err != nil {
		return nil, err
	}
	w := chainWriter{p: p, q: q, topics: topics}
	var out []*reading
	seen := map[string]bool{}
	add := func(from string, cs ...chain) error {
		r := &reading{linked: w.linked(cs), from: from, agreed: 1, of: 1}
		key := pattern.Canonical(r.Pattern)
		if seen[key] {
			return nil
		}
		seen[key] = true
		var err error
		if r.grounding, err = q.reuse(r.Pattern, func() (Grounding, error) { return p.ground(ctx, r.Pattern) }); err != nil {
			return err
		}
		if len(cs) > 1 && !r.grounding.Found {
			return nil // they do not meet
		}
		r.cost = p.costOf(q, r.Pattern, r.grounding)
		out = append(out, r)
		return nil
	}
	if i := slices.IndexFunc(chains, func(c chain) bool { return c.From != chains[0].From && !w.sameTopic(c, chains[0]) }); i > 0 {
		if err := add(fmt.Sprintf("relation chains %d and %d together", chains[0].Rank+1, chains[i].Rank+1), chains[0], chains[i]); err != nil {
			return nil, err
		}
	}
	for _, c := range chains {
		if err := add(fmt.Sprintf("relation chain %d", c.Rank+1), c); err != nil {
			return nil, err
		}
	}
	slices.SortStableFunc(out, func(a, b *reading) int {
		switch {
		case a.grounding.Found == b.grounding.Found:
			return 0
		case a.grounding.Found:
			return -1
		}
		return 1
	})
	return out, nil
}

type chainWriter struct {
	p      *Planner
	q      *question
	topics []topic
}

// linked writes chains as one pattern whose asked node is the end of each.
func (w chainWriter) linked(cs []chain) linked {
	pat := &pattern.Pattern{Nodes: []pattern.Node{{Text: "?answer", Variable: true}}}
	if w.counts() {
		pat.Task = pattern.Count
	}
	out := linked{Pattern: pat}
	for _, c := range cs {
		at := len(pat.Nodes)
		pat.Nodes = append(pat.Nodes, pattern.Node{Text: w.p.w.Graph.Label(c.From), Entities: []kg.EntityID{c.From}, Distances: []float64{0}})
		for _, t := range w.topics {
			if slices.Contains(t.from, c.From) {
				out.mentions = append(out.mentions, t.mention)
			}
		}
		for i, s := range c.Steps {
			to := 0
			if i+1 < len(c.Steps) {
				to = len(pat.Nodes)
				pat.Nodes = append(pat.Nodes, pattern.Node{Text: fmt.Sprintf("?x%d", to), Variable: true})
			}
			e := pattern.Edge{From: at, To: to, Relation: w.p.w.Graph.RelationText(s.Relation), Fixed: []kg.RelationID{s.Relation}, Direction: pattern.Forward}
			if w.p.w.Schema.Symmetric(s.Relation) {
				e.Direction = pattern.Either
			} else if s.Inverse {
				e.From, e.To = to, at
			}
			pat.Edges = append(pat.Edges, e)
			at = to
		}
	}
	return out
}

// sameTopic reports whether two chains start from things of one name.
func (w chainWriter) sameTopic(a, b chain) bool {
	return slices.ContainsFunc(w.topics, func(t topic) bool {
		return slices.Contains(t.from, a.From) && slices.Contains(t.from, b.From)
	})
}

// counts reports whether the question asks for a number of things: chains do not
// say.
func (w chainWriter) counts() bool {
	if rs := w.q.without.Readings; len(rs) > 0 {
		return rs[0].Pattern.Task == pattern.Count
	}
	return strings.Contains(" "+lexicon.Fold(w.q.text)+" ", " how many ")
}
