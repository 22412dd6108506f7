package exact

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"
	"strings"

	"cairn/engine/evidence"
	"cairn/engine/kg"
	"cairn/engine/match"
	"cairn/engine/pattern"
	"cairn/internal/wording"
)

// met is an entity with the conditions that it meets.
type met struct {
	entity  kg.EntityID
	by      mask
	best    binding // the nearest that shows it
	rare    float64 // information content of what is met: −log of the share that meets it
	matches int
	// unlikely is how unlikely it is to be described so, where the question describes it.
	unlikely float64
	key      float64 // the value that the pattern orders by, negated for descending
}

// exact answers with what meets every condition of the reading; done is false where
// nothing does.
func (x *question) exact(ctx context.Context) (done bool, err error) {
	p := x.part(x.hard, kg.NoEntity)
	var all []met
	if x.p.hasAlternatives() {
		if all, err = x.collect(ctx, x.nearest(p)); err != nil {
			return false, err
		}
	}
	if len(all) == 0 {
		all, err = x.collect(ctx, p)
	}
	if err != nil && len(all) == 0 {
		return false, err
	}
	if len(all) == 0 {
		return false, nil
	}
	beside := func(m met) bool { // it is named, though the reading leaves the name out
		return slices.ContainsFunc(x.p.Nodes[x.nodes:], func(n pattern.Node) bool {
			return slices.Contains(n.Entities, m.entity) && strings.EqualFold(n.Text, x.graph.Label(m.entity))
		})
	}
	if left := slices.DeleteFunc(slices.Clone(all), beside); len(left) > 0 {
		all = left
	}
	late := err
	least := slices.MinFunc(all, func(a, b met) int { return cmp.Compare(a.best.distance, b.best.distance) }).best.distance
	all = slices.DeleteFunc(all, func(m met) bool { return m.best.distance > least+1e-9 })
	if x.p.Order != nil {
		all = x.extremes(all)
	}
	if late == nil {
		late = x.weighSoft(ctx, all)
	}
	x.describe(all)
	slices.SortFunc(all, func(a, b met) int { return cmp.Or(cmp.Compare(a.key, b.key), compare(a, b)) })
	x.tell(ctx, all, len(all))
	return true, late
}

// compare puts first what meets more, then what is nearer, then what meets what is
// rarer, then what is likeliest to be described so, then what meets it in more ways.
func (x *question) compare(a, b met) int {
	return cmp.Or(
		cmp.Compare(b.by.count(), a.by.count()),
		cmp.Compare((b.by&x.hard).count(), (a.by&x.hard).count()),
		compare(a, b),
	)
}

func compare(a, b met) int {
	return cmp.Or(
		cmp.Compare(b.by.count(), a.by.count()), cmp.Compare(a.best.distance, b.best.distance),
		cmp.Compare(b.rare, a.rare), cmp.Compare(a.unlikely, b.unlikely),
		cmp.Compare(b.matches, a.matches), cmp.Compare(a.entity, b.entity),
	)
}

// describe notes of those that meet what is asked how likely each is to be described so.
func (x *question) describe(all []met) {
	if of := x.p.Describes(x.graph); of != nil {
		for i := range all {
			all[i].unlikely = of(all[i].entity)
		}
	}
}

// nearest returns a part with the nearest alternatives alone.
func (x *question) nearest(p *part) *part {
	near := *p
	near.Nodes, near.Edges = slices.Clone(p.Nodes), slices.Clone(p.Edges)
	for i, n := range p.nodes {
		if of := x.p.Nodes[n]; !of.Variable && of.Distances != nil {
			near.Nodes[i].In = least(of.Entities, of.Distances)
		}
	}
	for i, e := range p.edges {
		if ds := x.p.relations[e]; ds != nil {
			near.Edges[i].Relations = least(x.p.Edges[e].Fixed, ds)
		}
	}
	return &near
}

// least returns the ids at the least distance, ascending.
func least[ID ~uint32](ids []ID, distances []float64) (out []ID) {
	if len(ids) == 0 {
		return []ID{}
	}
	d := slices.Min(distances)
	for i, id := range ids {
		if distances[i] <= d {
			out = append(out, id)
		}
	}
	return kg.Distinct(out)
}

// collect returns what the asked node of a part is bound to, by id, with the nearest
// binding of each, and counts those. Where there are very many bindings they are not
// counted, and no more bindings looked for than there may be answers.
func (x *question) collect(ctx context.Context, p *part) ([]met, error) {
	type kept struct {
		met
		b match.Binding
	}
	at := map[kg.EntityID]*kept{}
	seen, unvalued := 0, 0
	far, order := x.p.hasAlternatives(), x.p.Order != nil
	err := x.each(ctx, p, func(b match.Binding) bool {
		seen++
		e, m := b.Nodes[p.asked], met{}
		if order {
			var ok bool
			if m.key, ok = x.key(p, b); !ok {
				unvalued++
				return true
			}
		}
		if far {
			m.best.distance = x.of(p, b).distance
		}
		k := at[e]
		if k == nil {
			k = &kept{met{entity: e, key: math.Inf(1), best: binding{distance: math.Inf(1)}}, match.Binding{}}
			at[e] = k
		}
		k.matches++
		if c := cmp.Or(cmp.Compare(m.best.distance, k.best.distance), cmp.Compare(m.key, k.key)); c < 0 || c == 0 && slices.Compare(b.Nodes, k.b.Nodes) < 0 {
			k.best.distance, k.key = m.best.distance, m.key
			k.b = match.Binding{Nodes: slices.Clone(b.Nodes), Edges: slices.Clone(b.Edges)}
		}
		return order || far || seen < maxCounted
	})
	if unvalued > 0 {
		x.found.Steps = append(x.found.Steps, "Matches without a number or date to compare were left out.")
	}
	if err == nil && seen >= maxCounted && !order && !far {
		return x.uncounted(ctx, p)
	}
	all := make([]met, 0, len(at))
	for _, k := range at {
		k.by = x.hard
		k.best = x.of(p, k.b)
		all = append(all, k.met)
	}
	slices.SortFunc(all, func(a, b met) int { return cmp.Compare(a.entity, b.entity) })
	return all, err
}

// uncounted is collect where there are too many bindings to go through them.
func (x *question) uncounted(ctx context.Context, p *part) ([]met, error) {
	es, err := x.answersOf(ctx, p)
	all := wording.Each(es, func(e kg.EntityID) met { return met{entity: e, by: x.hard} })
	return all, err
}

// key is the value that the pattern orders by, so that the first is the least.
func (x *question) key(p *part, b match.Binding) (float64, bool) {
	i := slices.Index(p.nodes, x.p.Order.Node)
	if i < 0 || b.Nodes[i] == kg.NoEntity {
		return 0, false
	}
	v, ok := x.graph.Value(b.Nodes[i])
	if x.p.Order.Descending {
		return -v.Rank(), ok
	}
	return v.Rank(), ok
}

// extremes keeps the first, as many as the pattern asks for, and those that tie with the last.
func (x *question) extremes(all []met) []met {
	keys := slices.Sorted(slices.Values(wording.Each(all, func(m met) float64 { return m.key })))
	if n := x.p.Order.Limit; n > 0 && n < len(keys) {
		all = slices.DeleteFunc(all, func(m met) bool { return m.key > keys[n-1] })
	}
	return all
}

// weighSoft finds out which soft conditions each of those that meet the rest meets.
func (x *question) weighSoft(ctx context.Context, all []met) error {
	for c := x.edges; c < len(x.p.Edges); c++ {
		soft := slices.IndexFunc(x.conditions, func(o condition) bool { return o.last == c })
		p := x.part(1<<soft, kg.NoEntity)
		p.Nodes[p.asked].In = entities(all)
		es, err := x.answersOf(ctx, p)
		if err != nil {
			return err
		}
		for i := range all {
			if kg.Holds(es, all[i].entity) {
				all[i].by |= 1 << soft
				all[i].rare += rarity(len(es), x.graph.Entities())
			}
		}
	}
	return nil
}

// entities of a list that is sorted by id.
func entities(all []met) []kg.EntityID {
	return wording.Each(all, func(m met) kg.EntityID { return m.entity })
}

// rarity is the information content of what n of all entities meet.
func rarity(n, all int) float64 { return math.Log(float64(max(all, 1))) - math.Log(float64(max(n, 1))) }

// tell makes the first n of a list that is in order the answers, the first of them with
// their evidence, and says how each of these stands to every condition. The others are
// weighed only.
func (x *question) tell(ctx context.Context, all []met, n int) {
	f := &x.found
	for i, m := range all {
		a := evidence.Answer{Entity: m.entity, Score: evidence.Score{Value: float64(m.by.count()), Scale: evidence.Conditions}, Matches: m.matches}
		if i < x.limits.Answers {
			if m.best.nodes == nil {
				m.best, _, _ = x.best(ctx, x.part(m.by, m.entity))
			}
			a.Outcomes = x.outcomes(ctx, m)
			if i < n && m.best.nodes != nil {
				a.Supports = []int{len(f.Candidates)}
				f.Candidates = append(f.Candidates, x.candidate(m.best))
			}
			if i < evidence.Explained {
				a.Explanation = x.explain(a)
			}
		}
		if i < n {
			f.Answers = append(f.Answers, a)
		} else {
			f.Weighed = append(f.Weighed, a)
		}
	}
}

// candidate writes a binding for the reading's pattern.
func (x *question) candidate(b binding) evidence.Candidate {
	c := evidence.Candidate{Nodes: b.nodes[:x.nodes:x.nodes], Edges: b.edges[:x.edges:x.edges]}
	c.NodeDistance, c.EdgeDistance, c.Distance = x.p.distances(x.graph, c.Nodes, c.Edges)
	return c
}

// explain says which conditions an answer meets.
func (x *question) explain(a evidence.Answer) evidence.Explanation {
	list := evidence.Explanation{Message: "conditions"}
	for i, o := range a.Outcomes {
		c := evidence.Explanation{Message: x.conditions[i].text + ", " + o.Status.Words()}
		if o.Status == evidence.Met {
			c.Value = 1
		}
		list.Value += c.Value
		list.Children = append(list.Children, c)
	}
	return evidence.Explanation{
		Value: a.Score.Value, Children: []evidence.Explanation{list},
		Message: fmt.Sprintf("meets %d of %s", a.CountMet(), wording.Count(len(a.Outcomes), "condition", "conditions")),
	}
}

// outcomes says how an entity stands to every condition.
func (x *question) outcomes(ctx context.Context, m met) []evidence.Outcome {
	out := make([]evidence.Outcome, len(x.found.Conditions))
	for c := range out {
		if !m.by.has(c) {
			out[c].Status = x.unmet(ctx, c, m.entity)
			continue
		}
		for _, e := range x.conditions[c].edges {
			if m.best.edges != nil && m.best.edges[e] != kg.NoTriple {
				out[c].Triples = append(out[c].Triples, m.best.edges[e])
			}
		}
		out[c].Triples = kg.Distinct(out[c].Triples)
	}
	return out
}

// unmet tells whether the graph says anything of what a condition is about, of an entity
// that does not meet it.
func (x *question) unmet(ctx context.Context, c int, e kg.EntityID) evidence.Status {
	if _, ok, err := x.instead(ctx, c, e, 1); !ok && err == nil {
		return evidence.Unknown
	}
	return evidence.Unmet // also where time is up: it says less
}

// instead returns what the graph has in place of what a condition names, of an entity:
// the way to it, with another end. ok is false where there is no such thing.
func (x *question) instead(ctx context.Context, c int, e kg.EntityID, most int) (ways []binding, ok bool, err error) {
	of := x.conditions[c]
	p := x.part(1<<c, e)
	if slices.ContainsFunc(p.edges, func(e int) bool { return x.p.noRelation[e] }) || x.p.noName[of.end] {
		return nil, false, nil
	}
	if len(of.edges) == 0 {
		if of.kind {
			return nil, len(x.graph.Types(e)) > 0, nil
		}
		_, ok = x.graph.Value(e)
		return nil, ok, nil
	}
	for i, n := range p.nodes {
		if n != x.p.Asked {
			p.Nodes[i].Keep, p.Nodes[i].Distinct = nil, 0
			if n == of.end {
				p.Nodes[i].In = nil
			}
		} else {
			p.Nodes[i].Keep, p.Nodes[i].Distinct = nil, 0
		}
	}
	err = x.each(ctx, p, func(b match.Binding) bool {
		ways = append(ways, x.of(p, b))
		return len(ways) < most
	})
	return ways, len(ways) > 0, err
}
