package exact

import (
	"context"
	"fmt"
	"slices"

	"cairn/engine/evidence"
	"cairn/engine/kg"
	"cairn/internal/wording"
)

// maxBound is how many entities are ranked by all there is to rank by.
const maxBound = 200

// relaxed answers with what meets the most conditions; done is false where nothing
// meets any that leads from a name of the question.
func (x *question) relaxed(ctx context.Context) (done bool, err error) {
	var tied mask
	for c, of := range x.conditions {
		if of.tied && !of.kind {
			tied |= 1 << c
		}
	}
	if tied.count() < 2 {
		return false, nil
	}
	always, err := x.constant(ctx, x.hard&^tied)
	if err != nil {
		return false, err
	}
	x.found.Completeness = evidence.Relaxed
	for {
		all, err := x.ranked(ctx, tied, always)
		if len(all) > 0 {
			x.tellRelaxed(ctx, all)
			return true, err
		}
		if err != nil {
			return false, err
		}
		if !x.hasKind() {
			break
		}
		x.whole.Nodes[x.p.Asked].In, always = nil, always&^x.kind()
	}
	return x.neighbourhood(ctx)
}

// kind is the condition that the asked node is of a kind.
func (x *question) kind() (of mask) {
	for c := range x.conditions {
		if x.conditions[c].kind {
			of |= 1 << c
		}
	}
	return of
}

// hasKind reports whether the asked node is still held to its kind.
func (x *question) hasKind() bool { return x.kind() != 0 && x.whole.Nodes[x.p.Asked].In != nil }

// constant returns those of the conditions that hold whatever is asked for: of kind
// while that is kept to, and what does not touch the asked node and is so.
func (x *question) constant(ctx context.Context, of mask) (always mask, err error) {
	for c := range of.all() {
		if x.conditions[c].kind {
			always |= 1 << c
			continue
		}
		p := x.part(1<<c, kg.NoEntity)
		p.drop(p.asked)
		if _, ok, err := x.best(ctx, p); err != nil {
			return 0, err
		} else if ok {
			always |= 1 << c
		}
	}
	return always, nil
}

// drop takes away a node that nothing joins.
func (p *part) drop(n int) {
	p.Nodes, p.nodes = slices.Delete(slices.Clone(p.Nodes), n, n+1), slices.Delete(slices.Clone(p.nodes), n, n+1)
	for i := range p.Edges {
		if p.Edges[i].From > n {
			p.Edges[i].From--
		}
		if p.Edges[i].To > n {
			p.Edges[i].To--
		}
	}
	for i := range p.Nodes {
		low := p.Nodes[i].Distinct & (1<<n - 1)
		p.Nodes[i].Distinct = low | p.Nodes[i].Distinct>>(n+1)<<n
	}
	p.asked = -1
}

// ranked returns what meets the most of some conditions, in order, at most maxBound. It
// is empty where nothing meets one of the reading, or two of the others.
func (x *question) ranked(ctx context.Context, of, always mask) ([]met, error) {
	t := tally{question: x, met: map[kg.EntityID]mask{}}
	err := t.run(ctx, of)
	if err != nil && ctx.Err() == nil {
		return nil, err
	}
	all := make([]met, 0, len(t.met))
	for e, by := range t.met {
		if (by&x.hard) != 0 || by.count() >= min(2, of.count()) {
			m := met{entity: e, by: by}
			for c := range by.all() {
				m.rare += rarity(t.sizes[c], x.graph.Entities())
			}
			all = append(all, m)
		}
	}
	x.describe(all)
	slices.SortFunc(all, x.compare)
	all = all[:min(len(all), maxBound)]
	for i := range all {
		if late := x.bind(ctx, &all[i], of); late != nil {
			all, err = all[:i], late
			break
		}
		all[i].by |= always
	}
	slices.SortFunc(all, x.compare)
	return all, err
}

// bind finds the binding that shows what an entity meets. Conditions that are met one by
// one may not be met together, where they would take the same triple or entity twice:
// then the most of some conditions are looked for that are.
func (x *question) bind(ctx context.Context, m *met, of mask) (err error) {
	var ok bool
	if m.best, ok, err = x.best(ctx, x.part(m.by, m.entity)); ok || err != nil {
		return err
	}
	var singly mask
	for c := range of.all() {
		_, ok, err := x.best(ctx, x.part(1<<c, m.entity))
		if err != nil {
			return err
		}
		if ok {
			singly |= 1 << c
		}
	}
	for sub := range ways(singly) {
		if m.best, ok, err = x.best(ctx, x.part(sub, m.entity)); ok || err != nil {
			m.by = sub
			return err
		}
	}
	return nil
}

// tellRelaxed makes what meets the most the answers.
func (x *question) tellRelaxed(ctx context.Context, all []met) {
	n := x.alike(all)
	var left []string
	for c := range x.found.Conditions {
		if !slices.ContainsFunc(all[:n], func(m met) bool { return m.by.has(c) }) {
			left = append(left, wording.Quote(x.conditions[c].text))
		}
	}
	x.found.Steps = append(x.found.Steps, fmt.Sprintf("Nothing meets %s; the closest meets %d.", wording.Every(len(x.found.Conditions), "condition", "conditions"), (all[0].by&(1<<len(x.found.Conditions)-1)).count()))
	if len(left) > 0 {
		x.found.Steps = append(x.found.Steps, "No answer meets "+wording.List(left)+".")
	}
	x.tell(ctx, all[:min(len(all), n+maxWeighed)], n)
}

// alike counts the first of a list that meet as much as the very first, as far as they
// are answers.
func (x *question) alike(all []met) int {
	n := 1
	for n < min(len(all), maxRelaxed, x.limits.Answers) && all[n].by.count() == all[0].by.count() {
		n++
	}
	return n
}

// neighbourhood answers with what is next to the most names of the question, over any
// relation, where nothing meets a condition: two of them at least.
func (x *question) neighbourhood(ctx context.Context) (done bool, err error) {
	var next mask
	for c := range x.found.Conditions {
		of := x.conditions[c]
		if !of.tied || !of.names || x.p.noName[of.end] || len(x.conditions) >= maxConditions {
			continue
		}
		if !x.hard.has(c) {
			next |= 1 << c
			continue
		}
		x.nextTo(of)
		next |= 1 << (len(x.conditions) - 1)
	}
	all, err := x.ranked(ctx, next, 0)
	all = slices.DeleteFunc(all, func(m met) bool { return m.by.count() < 2 })
	if len(all) == 0 {
		x.found.Completeness = evidence.Exhaustive
		return false, err
	}
	x.found.Completeness = evidence.Fallback
	n := x.alike(all)
	x.found.Steps = append(x.found.Steps, "Nothing meets any condition of the question. What is linked to the most of its names, by any relation, is the closest.")
	reported := mask(1)<<len(x.found.Conditions) - 1
	for i := range all {
		all[i].by &= reported
	}
	slices.SortFunc(all[:n], x.compare)
	x.tell(ctx, all[:n], n)
	return true, err
}

// nextTo adds the condition that the asked node is joined to the end of another.
func (x *question) nextTo(of condition) {
	e := len(x.p.Edges)
	edge := x.p.Edges[:0:0]
	edge = append(edge, x.p.Edges...)
	joined := edge[of.last]
	joined.From, joined.To, joined.Fixed, joined.Relation, joined.Direction, joined.Conditions = x.p.Asked, of.end, nil, "", 0, nil
	x.p.Edges, x.p.noRelation, x.p.relations = append(edge, joined), append(x.p.noRelation, false), append(x.p.relations, nil)
	whole := x.whole.Edges[of.last]
	whole.From, whole.To, whole.Relations, whole.Keep, whole.Either = x.p.Asked, of.end, nil, nil, true
	x.whole.Edges = append(x.whole.Edges, whole)
	x.conditions = append(x.conditions, condition{text: "linked to", edges: []int{e}, end: of.end, last: e, names: true, tied: true})
}
