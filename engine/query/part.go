package query

import (
	"cmp"
	"fmt"
	"iter"
	"slices"

	"cairn/engine/internal/bail"
	"cairn/engine/kg"
	"cairn/engine/match"
	"cairn/engine/pattern"
	"cairn/internal/wording"
)

// part is a conjunctive part of a pattern, ready for the join engine: what stands outside
// of the branches, or one branch. Its nodes are numbered by themselves.
//
//	query     edges that are one triple each, which the engine joins
//	closures  edges that are chains: their ends are bound or tested afterwards
//	thans     comparisons of two nodes, tested last
type part struct {
	nodes    []int // nodes[i] is the pattern's node that is node i here
	query    match.Query
	edges    []int // edges[i] is the place of query.Edges[i] in the list that it came from
	closures []closure
	thans    []pattern.Filter
	pinned   *match.Pinned // the query, once it was asked; nil while it is being asked
}

// closure is an edge that is a chain of triples.
type closure struct {
	match.Edge

	edge int // its place in the list that it came from
	id   int // tells it from those of other parts
}

// local returns the number that a node of the pattern has in the part, or -1.
func (p *part) local(n int) int { return slices.Index(p.nodes, n) }

// newPart makes a part of edges and filters, with some further nodes.
func (x *evaluation) newPart(edges []pattern.Edge, filters []pattern.Filter, further ...int) *part {
	p := &part{nodes: further}
	for _, e := range edges {
		p.nodes = append(p.nodes, e.From, e.To)
	}
	for _, f := range filters {
		if p.nodes = append(p.nodes, f.Node); f.Than != nil && !x.p.IsOfName(f) {
			p.nodes = append(p.nodes, *f.Than)
		}
	}
	p.nodes = slices.Compact(slices.Sorted(slices.Values(p.nodes)))
	if len(p.nodes) > match.MaxNodes {
		panic(bail.Out{Err: fmt.Errorf("%w: it has %d nodes, and at most %d can be matched; ask in parts", ErrPattern, len(p.nodes), match.MaxNodes)})
	}
	p.query.Nodes = wording.Each(p.nodes, func(n int) match.Node { return x.node(n, p.nodes) })
	p.query.SharedTriples = x.p.Reuse == pattern.ReuseAll
	for i, e := range edges {
		m := match.Edge{From: p.local(e.From), To: p.local(e.To), Either: e.Direction == pattern.Either}
		if len(e.Fixed) > 0 {
			m.Relations = slices.Compact(slices.Sorted(slices.Values(e.Fixed)))
		} else if e.Relation != "" {
			m.Relations = []kg.RelationID{} // the graph has none that is called so
		}
		if len(e.Conditions) > 0 {
			m.Keep = pattern.NewTest(x.g, e.Conditions).Holds
		}
		if e.Closure {
			x.closures++
			p.closures = append(p.closures, closure{m, i, x.closures})
		} else {
			p.query.Edges, p.edges = append(p.query.Edges, m), append(p.edges, i)
		}
	}
	for _, f := range filters {
		if f.Than != nil && !x.p.IsOfName(f) {
			p.thans = append(p.thans, f)
			continue
		}
		n := &p.query.Nodes[p.local(f.Node)]
		before, keep := n.Keep, func(e kg.EntityID) bool { return x.holds(f, e, kg.NoEntity) }
		if f.Than != nil {
			keep = func(e kg.EntityID) bool {
				return slices.Contains(x.p.Nodes[*f.Than].Entities, e) == (f.Op == pattern.Equal)
			}
		}
		n.Keep = func(e kg.EntityID) bool { return (before == nil || before(e)) && keep(e) }
	}
	return p
}

// node makes node n of a part that has some nodes of the pattern.
func (x *evaluation) node(n int, nodes []int) (m match.Node) {
	ids := x.p.Nodes[n].Entities
	if x.p.Nodes[n].Variable {
		ids = x.p.Nodes[n].Within
	}
	if ids != nil || !x.p.Nodes[n].Variable {
		m.In = only(slices.Compact(slices.Sorted(slices.Values(ids))))
	}
	for i, other := range nodes {
		if other != n && x.apart(n, other) {
			m.Distinct |= 1 << i
		}
	}
	return m
}

// apart reports whether two nodes may not be bound to one entity.
func (x *evaluation) apart(n, other int) bool {
	variables := x.p.Nodes[n].Variable && x.p.Nodes[other].Variable
	return x.p.Reuse == pattern.ReuseNone || x.p.Reuse == pattern.ReuseVariables && !variables
}

// allows reports whether a node of a query may be bound to e, as far as e alone tells.
func allows(n *match.Node, e kg.EntityID) bool {
	if n.In != nil {
		if !kg.Holds(n.In, e) {
			return false
		}
	}
	return n.Keep == nil || n.Keep(e)
}

// copied is a part whose query may be changed.
func (p *part) copied() *part {
	c := *p
	c.query.Nodes, c.pinned = slices.Clone(p.query.Nodes), nil
	return &c
}

// each yields the bindings of a part in which node i is bound to pins[i], but where that
// is kg.NoEntity, until yield says no. The slices are its own: a binding's nodes are
// those of the part, its edges those of the part's query.
func (x *evaluation) each(p *part, pins []kg.EntityID, yield func(match.Binding) bool) {
	if len(p.closures) == 0 && len(p.nodes) > 0 {
		x.eachPinned(p, pins, yield)
		return
	}
	q, ok := p.with(pins)
	if !ok || len(q.Nodes) == 0 {
		if ok {
			yield(match.Binding{}) // nothing is asked, and it holds
		}
		bail.If(x.ctx.Err())
		return
	}
	joined := make([]bool, len(q.Nodes))
	for _, e := range q.Edges {
		joined[e.From], joined[e.To] = true, true
	}
	var loose []int // what only closures lead to is bound by them
	for _, c := range p.closures {
		for _, ends := range [2][2]int{{c.From, c.To}, {c.To, c.From}} {
			known, n := ends[0], ends[1]
			if in := q.Nodes[known].In; in != nil && len(in) <= closureStarts && known != n {
				x.within(&q.Nodes[n], c, in, known == c.From)
				break // back from there it would lead to all that leads there
			}
		}
	}
	for i := range q.Nodes {
		chained := slices.ContainsFunc(p.closures, func(c closure) bool { return c.From == i || c.To == i })
		if in := q.Nodes[i].In; !joined[i] && chained && (in == nil || len(in) > closureStarts) {
			loose = append(loose, i)
		}
	}
	whole := q
	if len(loose) > 0 {
		q.Nodes = slices.Clone(q.Nodes)
		for _, n := range loose {
			q.Nodes[n] = match.Node{In: []kg.EntityID{kg.NoEntity}}
			for i := range q.Nodes {
				q.Nodes[i].Distinct &^= 1 << n
			}
		}
	}
	var left error // the engine is not left through it: it still has its stats to tell
	stats, err := x.join().Each(x.ctx, &q, func(b match.Binding) (more bool) {
		defer bail.To(&left)
		then := func() bool { return !x.compares(p, b) || yield(b) }
		if len(p.closures) == 0 {
			return then()
		}
		return x.chains(p, &whole, b, then)
	})
	x.count(stats)
	bail.If(cmp.Or(left, err))
}

// eachPinned is each of a part without closures.
func (x *evaluation) eachPinned(p *part, pins []kg.EntityID, yield func(match.Binding) bool) {
	for i, e := range pins {
		if e != kg.NoEntity && !allows(&p.query.Nodes[i], e) {
			bail.If(x.ctx.Err())
			return
		}
	}
	q := p.pinned
	if p.pinned = nil; q == nil {
		var err error
		q, err = x.join().Pin(x.ctx, &p.query)
		bail.If(err)
	}
	var left error
	stats, err := q.Each(pins, max(x.left, 1), func(b match.Binding) (more bool) {
		defer bail.To(&left)
		return !x.compares(p, b) || yield(b)
	})
	p.pinned = q
	x.count(stats)
	bail.If(cmp.Or(left, err))
}

// with is the query of a part with some nodes bound; false where they cannot be.
func (p *part) with(pins []kg.EntityID) (match.Query, bool) {
	q := p.query
	q.Nodes = slices.Clone(q.Nodes)
	for i, e := range pins {
		if e == kg.NoEntity {
			continue
		}
		if !allows(&q.Nodes[i], e) {
			return q, false
		}
		q.Nodes[i].In, q.Nodes[i].Keep = []kg.EntityID{e}, nil
	}
	return q, true
}

// within narrows a node to what a closure leads to from some entities.
func (x *evaluation) within(n *match.Node, c closure, from []kg.EntityID, forward bool) {
	var all []kg.EntityID
	for _, e := range from {
		reached := x.reach(c, e, forward)
		all = append(all, reached...)
	}
	all = kg.Distinct(all)
	if n.In != nil {
		in := n.In
		all = slices.DeleteFunc(all, func(e kg.EntityID) bool { return !kg.Holds(in, e) })
	}
	n.In = only(slices.Clip(all))
}

// only is a list of the only entities that a node may be bound to, where nil would allow
// all.
func only(ids []kg.EntityID) []kg.EntityID {
	if ids == nil {
		return []kg.EntityID{}
	}
	return ids
}

// chains binds what is loose by the closures, and tests those whose ends are bound, from
// the first that has an end bound on. It reports whether to go on.
func (x *evaluation) chains(p *part, q *match.Query, b match.Binding, then func() bool) bool {
	done := make([]bool, len(p.closures))
	var step func() bool
	step = func() bool {
		next := slices.Index(done, false)
		for i, c := range p.closures {
			if !done[i] && (b.Nodes[c.From] != kg.NoEntity || b.Nodes[c.To] != kg.NoEntity) {
				next = i
				break
			}
		}
		if next < 0 {
			return then()
		}
		c := p.closures[next]
		done[next] = true
		defer func() { done[next] = false }()
		from, to := b.Nodes[c.From], b.Nodes[c.To]
		forward, at := true, from
		if from == kg.NoEntity {
			forward, at = false, to
		}
		bind := func(n int, all iter.Seq[kg.EntityID]) bool {
			defer func() { b.Nodes[n] = kg.NoEntity }()
			for e := range all {
				if b.Nodes[n] = kg.NoEntity; !x.fits(q, b, n, e) {
					continue
				}
				if b.Nodes[n] = e; !step() {
					return false
				}
			}
			return true
		}
		if at == kg.NoEntity { // nothing is bound: begin anywhere
			done[next] = false
			return bind(c.From, x.candidates(&q.Nodes[c.From]))
		}
		reached := x.reach(c, at, forward)
		switch {
		case from != kg.NoEntity && to != kg.NoEntity:
			return !kg.Holds(reached, to) || step()
		case forward:
			return bind(c.To, slices.Values(reached))
		}
		return bind(c.From, slices.Values(reached))
	}
	return step()
}

// candidates are the entities that a node may be one of.
func (x *evaluation) candidates(n *match.Node) iter.Seq[kg.EntityID] {
	if n.In != nil {
		return slices.Values(n.In)
	}
	return func(yield func(kg.EntityID) bool) {
		for e := range kg.EntityID(x.g.Entities()) {
			if !yield(e) {
				return
			}
		}
	}
}

// fits reports whether a node that is not bound may be bound to e beside the others.
func (x *evaluation) fits(q *match.Query, b match.Binding, n int, e kg.EntityID) bool {
	for i, other := range b.Nodes {
		if other == e && i != n && q.Nodes[n].Distinct>>i&1 != 0 {
			return false
		}
	}
	return allows(&q.Nodes[n], e)
}

// reach returns what a closure leads to from e, ascending: e itself where it lies on a
// cycle. What it returns is kept for the next time.
func (x *evaluation) reach(c closure, e kg.EntityID, forward bool) []kg.EntityID {
	key := reachKey{c.id, e, forward}
	if reached, ok := x.reached[key]; ok {
		return reached
	}
	var out []kg.EntityID
	x.walk(c.Edge, e, forward, func(to kg.EntityID, _ kg.TripleID, _ kg.EntityID) bool {
		out = append(out, to)
		return true
	})
	slices.Sort(out)
	if x.reachedSize += len(out) + 1; x.reachedSize > x.limits.Rows {
		clear(x.reached)
		x.reachedSize = 0
	}
	x.reached[key] = out
	return out
}

// firstStep is the triple, and the entity before it, by which a walk first came somewhere.
type firstStep struct {
	by     kg.TripleID
	before kg.EntityID
}

type reachKey struct {
	closure int
	from    kg.EntityID
	forward bool
}

// walk yields what a chain of triples leads to from e, the nearest first, each once,
// with the triple and the entity that it was first reached by.
func (x *evaluation) walk(e match.Edge, from kg.EntityID, forward bool, yield func(to kg.EntityID, by kg.TripleID, before kg.EntityID) bool) {
	seen := map[kg.EntityID]bool{}
	for queue := []kg.EntityID{from}; len(queue) > 0; queue = queue[1:] {
		x.work(1)
		for _, s := range x.steps(e, queue[0], forward) {
			x.work(1)
			if !seen[s.Entity] {
				seen[s.Entity] = true
				if !yield(s.Entity, s.Triple, queue[0]) {
					return
				}
				queue = append(queue, s.Entity)
			}
		}
	}
}

// steps are the triples that an edge may take from an entity at its one end.
func (x *evaluation) steps(e match.Edge, at kg.EntityID, forward bool) (out []kg.Edge) {
	x.eachStep(e, at, forward, func(s kg.Edge) bool {
		out = append(out, s)
		return true
	})
	return out
}

// eachStep is steps one by one, until yield says no.
func (x *evaluation) eachStep(e match.Edge, at kg.EntityID, forward bool, yield func(kg.Edge) bool) {
	all := func(run []kg.Edge) bool {
		for _, s := range run {
			if (e.Keep == nil || e.Keep(s.Triple)) && !yield(s) {
				return false
			}
		}
		return true
	}
	for _, out := range [2]bool{true, false} {
		if out != forward && !e.Either {
			continue
		}
		if e.Relations == nil {
			row := x.g.In(at)
			if out {
				row = x.g.Out(at)
			}
			if !all(row) {
				return
			}
		}
		for _, r := range e.Relations {
			run := x.g.InBy
			if out {
				run = x.g.OutBy
			}
			if !all(run(at, r)) {
				return
			}
		}
	}
}

// chain returns the triples of the shortest chain between two entities.
func (x *evaluation) chain(c closure, from, to kg.EntityID) (chain []kg.TripleID) {
	if key := (reachKey{c.id, from, true}); x.walked.first == nil || x.walked.from != key {
		first := map[kg.EntityID]firstStep{}
		x.walk(c.Edge, from, true, func(e kg.EntityID, by kg.TripleID, before kg.EntityID) bool {
			first[e] = firstStep{by, before}
			return true
		})
		x.walked.from, x.walked.first = key, first
	}
	for at, ok := to, true; ok; ok = at != from {
		s, reached := x.walked.first[at]
		if !reached {
			return nil
		}
		chain, at = append(chain, s.by), s.before
	}
	slices.Reverse(chain)
	return chain
}

// compares reports whether a binding meets the comparisons of two nodes.
func (x *evaluation) compares(p *part, b match.Binding) bool {
	return !slices.ContainsFunc(p.thans, func(f pattern.Filter) bool { return !x.holds(f, b.Nodes[p.local(f.Node)], b.Nodes[p.local(*f.Than)]) })
}

// bound returns the entities that some nodes of the pattern have in some bindings, one
// list after the other, each once, sorted.
func (x *evaluation) bound(p *part, pins []kg.EntityID, nodes []int) rows {
	list, err := x.someBound(p, pins, nodes)
	bail.If(err)
	return list
}

// someBound is bound, with those that were found before an error.
func (x *evaluation) someBound(p *part, pins []kg.EntityID, nodes []int) (list rows, err error) {
	list.width = len(nodes)
	free := !slices.ContainsFunc(pins, func(e kg.EntityID) bool { return e != kg.NoEntity })
	if s, ok := x.spokesOf(p, nodes[0]); ok && len(nodes) == 1 && free && s.fewer() {
		defer bail.To(&err)
		s.joined(func(e kg.EntityID) bool {
			if list.cut = len(list.ids) == x.limits.Rows; !list.cut {
				list.ids = append(list.ids, e)
			}
			return !list.cut
		})
		return list, nil
	}
	if n := p.local(nodes[0]); len(nodes) == 1 && len(p.closures) == 0 && len(p.thans) == 0 {
		q, ok := p.with(pins)
		if !ok {
			return list, x.ctx.Err()
		}
		var stats match.Stats
		list.ids, stats, err = x.join().Answers(x.ctx, &q, n, x.limits.Rows+1)
		x.count(stats)
		if list.cut = len(list.ids) > x.limits.Rows; list.cut {
			list.ids = list.ids[:x.limits.Rows]
		}
		return list, err
	}
	at := wording.Each(nodes, p.local)
	const least = 1 << 16
	compactAt := least
	defer bail.To(&err)
	defer list.compact()
	p = p.copied()
	p.query.Unfilled = true
	x.each(p, pins, func(b match.Binding) bool {
		for _, n := range at {
			list.ids = append(list.ids, b.Nodes[n])
		}
		if len(list.ids)/list.width >= compactAt {
			list.compact()
			if list.cut = list.len() > x.limits.Rows; list.cut {
				return false
			}
			compactAt = max(least, min(2*list.len(), x.limits.Rows+1))
		}
		return true
	})
	return list, nil
}

// rows are lists of entities of one width, in one.
type rows struct {
	width int
	ids   []kg.EntityID
	cut   bool // there are more
}

func (r *rows) len() int { return len(r.ids) / max(r.width, 1) }

func (r *rows) at(i int) []kg.EntityID { return r.ids[i*r.width : (i+1)*r.width] }

// compact sorts the rows and drops those that are there twice.
func (r *rows) compact() {
	for column := r.width - 1; column >= 0; column-- {
		r.sortBy(column)
	}
	kept := min(r.len(), 1)
	for i := 1; i < r.len(); i++ {
		if row := r.at(i); !slices.Equal(row, r.at(kept-1)) {
			copy(r.at(kept), row)
			kept++
		}
	}
	r.ids = r.ids[:kept*r.width]
}

// sortBy sorts the rows by one column and leaves those that are equal there in their
// order: by counting, the low half of the ids first.
func (r *rows) sortBy(column int) {
	sorted := true
	for i := 1; i < r.len() && sorted; i++ {
		sorted = r.at(i - 1)[column] <= r.at(i)[column]
	}
	if sorted {
		return
	}
	const half, few = 16, 1 << 12
	if r.len() < few && r.width == 1 {
		slices.Sort(r.ids)
		return
	}
	if r.len() < few {
		order := make([]int, r.len())
		for i := range order {
			order[i] = i
		}
		slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(r.at(a)[column], r.at(b)[column]) })
		ids := make([]kg.EntityID, 0, len(r.ids))
		for _, i := range order {
			ids = append(ids, r.at(i)...)
		}
		r.ids = ids
		return
	}
	out := make([]kg.EntityID, len(r.ids))
	for shift := 0; shift <= half; shift += half {
		var from [1<<half + 1]int
		digit := func(i int) int { return int(r.ids[i*r.width+column] >> shift & (1<<half - 1)) }
		for i := range r.len() {
			from[digit(i)+1]++
		}
		for d := range from[1:] {
			from[d+1] += from[d]
		}
		for i := range r.len() {
			d := digit(i)
			copy(out[from[d]*r.width:], r.at(i))
			from[d]++
		}
		r.ids, out = out, r.ids
	}
}

// runs counts the changes of one column from row to row, and the first row as one.
func (r *rows) runs(column int) (n int) {
	for i := range r.len() {
		if i == 0 || r.at(i)[column] != r.at(i - 1)[column] {
			n++
		}
	}
	return n
}

// keep drops the rows that do not do.
func (r *rows) keep(does func(row []kg.EntityID) bool) {
	out := r.ids[:0]
	for i := range r.len() {
		if row := r.at(i); does(row) {
			out = append(out, row...)
		}
	}
	r.ids = out
}
