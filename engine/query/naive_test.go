package query

import (
	"cmp"
	"fmt"
	"maps"
	"math"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp/cmpopts"

	gocmp "github.com/google/go-cmp/cmp"

	"cairn/engine/evidence"
	"cairn/engine/kg"
	"cairn/engine/pattern"
)

// naive evaluates a pattern by trying every entity for every node, as the words of the
// operators say it.
type naive struct {
	outside map[kg.EntityID]bool // what a share is of

	g    *kg.Graph
	p    *pattern.Pattern
	main []int
}

type binding map[int]kg.EntityID

func (n *naive) touched(edges []pattern.Edge, filters []pattern.Filter, more ...int) (nodes []int) {
	nodes = append(nodes, more...)
	for _, e := range edges {
		nodes = append(nodes, e.From, e.To)
	}
	for _, f := range filters {
		if nodes = append(nodes, f.Node); f.Than != nil && !n.p.IsOfName(f) {
			nodes = append(nodes, *f.Than)
		}
	}
	slices.Sort(nodes)
	return slices.Compact(nodes)
}

// neighbours are what an edge leads to from an entity, in one step or in several.
func (n *naive) neighbours(e pattern.Edge, from kg.EntityID, forward bool) map[kg.EntityID]bool {
	step := func(at kg.EntityID) (out []kg.EntityID) {
		for t := range n.g.Live() {
			x := n.g.Triple(t)
			if len(e.Fixed) > 0 && !slices.Contains(e.Fixed, x.Relation) || !pattern.NewTest(n.g, e.Conditions).Holds(t) {
				continue
			}
			if x.Head == at && (forward || e.Direction == pattern.Either) {
				out = append(out, x.Tail)
			}
			if x.Tail == at && (!forward || e.Direction == pattern.Either) {
				out = append(out, x.Head)
			}
		}
		return out
	}
	reached := map[kg.EntityID]bool{}
	todo := step(from)
	for len(todo) > 0 {
		next := todo[0]
		todo = todo[1:]
		if !reached[next] {
			reached[next] = true
			if e.Closure {
				todo = append(todo, step(next)...)
			}
		}
	}
	return reached
}

func (n *naive) value(e kg.EntityID) (float64, bool) {
	v, ok := kg.ParseValue(n.g.Label(e))
	return v.Number, ok
}

// assign calls yield with every binding of nodes that meets edges and filters.
func (n *naive) assign(nodes []int, edges []pattern.Edge, filters []pattern.Filter, with binding, yield func(binding)) {
	var bind func(i int, b binding)
	bind = func(i int, b binding) {
		if i == len(nodes) {
			for _, e := range edges {
				if !n.neighbours(e, b[e.From], true)[b[e.To]] {
					return
				}
			}
			for _, f := range filters {
				if f.Op == pattern.Equal && n.p.IsOfName(f) {
					if !slices.Contains(n.p.Nodes[*f.Than].Entities, b[f.Node]) {
						return
					}
					continue
				}
				if f.Op == pattern.Unequal && f.Than != nil {
					if than := n.p.Nodes[*f.Than]; than.Variable && b[f.Node] == b[*f.Than] || !than.Variable && slices.Contains(than.Entities, b[f.Node]) {
						return
					}
					continue
				}
				v, ok := kg.ParseValue(n.g.Label(b[f.Node]))
				if f.Than != nil {
					with, is := kg.ParseValue(n.g.Label(b[*f.Than]))
					if v.Kind != with.Kind {
						v.Number, with.Number = math.Floor(v.Number), math.Floor(with.Number)
					}
					if f.Plus != 0 && f.Op == pattern.Equal {
						v.Number, with.Number = math.Floor(v.Number), math.Floor(with.Number)
					}
					f.Value, v.Kind = with.Number*cmp.Or(f.Times, 1)+f.Plus, kg.NumberValue
					ok = ok && is
				}
				if !ok || !f.Holds(v) {
					return
				}
			}
			yield(b)
			return
		}
		for e := range kg.EntityID(n.g.Entities()) {
			node := n.p.Nodes[nodes[i]]
			if was, ok := with[nodes[i]]; ok && was != e ||
				!node.Variable && !slices.Contains(node.Entities, e) || node.Variable && node.Within != nil && !slices.Contains(node.Within, e) {
				continue
			}
			clash := false
			for _, j := range nodes[:i] {
				both := node.Variable && n.p.Nodes[j].Variable
				clash = clash || b[j] == e && (n.p.Reuse == pattern.ReuseNone || n.p.Reuse == pattern.ReuseVariables && !both)
			}
			if !clash {
				b[nodes[i]] = e
				bind(i+1, b)
				delete(b, nodes[i])
			}
		}
	}
	bind(0, binding{})
}

func (n *naive) meets(b pattern.Branch, row binding) bool {
	with := maps.Clone(row)
	var more []int
	if b.Kind == pattern.Quantity {
		more = []int{b.Node}
	}
	nodes := n.touched(b.Edges, b.Filters, more...)
	counted := map[kg.EntityID]bool{}
	matches := 0
	n.assign(nodes, b.Edges, b.Filters, with, func(m binding) { matches++; counted[m[b.Node]] = true })
	switch b.Kind {
	case pattern.Without:
		return matches == 0
	case pattern.Quantity:
		limit := float64(b.N)
		if b.Than != nil {
			others := map[kg.EntityID]bool{}
			for _, e := range n.p.Nodes[*b.Than].Entities {
				stand := *n.p
				stand.Nodes = slices.Clone(n.p.Nodes)
				stand.Nodes[b.Beside()] = pattern.Node{Text: n.p.Nodes[b.Beside()].Text, Variable: n.p.Nodes[b.Beside()].Variable, Entities: []kg.EntityID{e}, Within: []kg.EntityID{e}}
				(&naive{g: n.g, p: &stand}).assign(nodes, b.Edges, b.Filters, nil, func(m binding) { others[m[b.Node]] = true })
			}
			limit = float64(len(others)) * cmp.Or(b.Times, 1)
		}
		return pattern.Filter{Op: b.Op, Value: limit}.Holds(kg.Value{Number: float64(len(counted))})
	case pattern.Only:
		first := b.Edges[0]
		near, far, forward := first.From, first.To, true
		variable := func(k int) bool { return n.p.Nodes[k].Variable || len(n.p.Nodes[k].Entities) > 1 }
		isShared := func(k int) bool { _, ok := with[k]; return ok && variable(k) }
		if !isShared(near) && (isShared(far) || n.p.Nodes[near].Variable && !n.p.Nodes[far].Variable) {
			near, far, forward = far, near, false
		}
		starts := n.p.Nodes[near].Entities
		if e, ok := with[near]; ok {
			starts = []kg.EntityID{e}
		}
		reached := map[kg.EntityID]bool{}
		for _, s := range starts {
			for e := range n.neighbours(first, s, forward) {
				reached[e] = true
			}
		}
		for e := range reached {
			if !n.p.Nodes[far].Variable {
				if !slices.Contains(n.p.Nodes[far].Entities, e) {
					return false
				}
				continue
			}
			if was, ok := with[far]; ok && was != e {
				return false
			}
			pinned := binding{far: e}
			maps.Copy(pinned, with)
			found := false
			n.assign(n.touched(b.Edges[1:], b.Filters, far), b.Edges[1:], b.Filters, pinned, func(binding) { found = true })
			if !found {
				return false
			}
		}
		return len(reached) > 0
	case pattern.OneOf, pattern.OrElse:
	}
	return matches > 0
}

// answers are what is found: an entity, or NoEntity, with its number, in their order.
type naiveAnswer struct {
	Entity kg.EntityID
	Amount float64
}

func (n *naive) answers() (out []naiveAnswer) {
	p := n.p
	var more []int
	if p.Asked >= 0 {
		more = append(more, p.Asked)
	}
	if p.Order != nil && p.Order.Node >= 0 {
		more = append(more, p.Order.Node)
	}
	if m := p.Measure; m != nil {
		for _, k := range []int{m.Node, m.Of, m.Per} {
			if k >= 0 {
				more = append(more, k)
			}
		}
	}
	n.main = n.touched(p.Edges, p.Filters, more...)
	var rows []binding
	n.outside = map[kg.EntityID]bool{}
	n.assign(n.main, p.Edges, p.Filters, nil, func(b binding) {
		ok := true
		if p.Measure != nil {
			n.outside[b[p.Measure.Node]] = true
		}
		for i, br := range p.Branches {
			if br.Kind == pattern.OrElse {
				continue
			}
			met := n.meets(br, b)
			for j := i + 1; j < len(p.Branches) && p.Branches[j].Kind == pattern.OrElse; j++ {
				met = met || n.meets(p.Branches[j], b)
			}
			ok = ok && met
		}
		if ok {
			rows = append(rows, maps.Clone(b))
		}
	})
	if p.Task == pattern.Verify {
		if len(rows) > 0 {
			return []naiveAnswer{{kg.NoEntity, 0}}
		}
		return nil
	}
	sign := 1.0
	if o := p.Order; o != nil && o.Descending {
		sign = -1
	}
	if o := p.Order; o != nil && o.Node >= 0 {
		group := func(r binding) kg.EntityID {
			if o.Per == nil {
				return kg.NoEntity
			}
			return r[*o.Per]
		}
		kept := map[kg.EntityID][]float64{}
		for _, r := range rows {
			if v, ok := n.value(r[o.Node]); ok && !slices.Contains(kept[group(r)], v) {
				kept[group(r)] = append(kept[group(r)], v)
			}
		}
		for e, values := range kept {
			slices.SortFunc(values, func(a, b float64) int { return cmp.Compare(sign*a, sign*b) })
			kept[e] = nil
			better := func(v float64, back bool) int { // things in the group that come before those with v, without what is skipped
				things := map[kg.EntityID]map[float64]bool{}
				count := 0
				for _, r := range rows {
					w, ok := n.value(r[o.Node])
					of := r[p.Asked]
					if o.Of != nil {
						of = r[*o.Of]
					}
					isBefore := sign*w < sign*v && !slices.Contains(values[:min(o.Skip, len(values))], w)
					if back {
						isBefore = sign*w > sign*v
					}
					if !ok || group(r) != e || !isBefore || things[of][w] {
						continue
					}
					if things[of] == nil {
						things[of] = map[float64]bool{}
					}
					things[of][w] = true
					count++
				}
				return count
			}
			for i, v := range values {
				if i >= o.Skip && (better(v, false) < o.Limit || o.Both && better(v, true) < o.Limit) {
					kept[e] = append(kept[e], v)
				}
			}
		}
		rows = slices.DeleteFunc(rows, func(r binding) bool { v, ok := n.value(r[o.Node]); return !ok || !slices.Contains(kept[group(r)], v) })
		if o.Per != nil {
			slices.SortFunc(rows, func(a, b binding) int {
				v, _ := n.value(a[o.Node])
				w, _ := n.value(b[o.Node])
				return cmp.Or(cmp.Compare(group(a), group(b)), cmp.Compare(sign*v, sign*w), cmp.Compare(a[p.Asked], b[p.Asked]))
			})
			for _, r := range rows {
				if !slices.ContainsFunc(out, func(a naiveAnswer) bool { return a.Entity == r[p.Asked] }) {
					v, _ := n.value(r[o.Node])
					out = append(out, naiveAnswer{r[p.Asked], v})
				}
			}
			return out
		}
	}
	if p.Measure == nil {
		best := map[kg.EntityID]float64{}
		for _, r := range rows {
			amount := 0.0
			if o := p.Order; o != nil {
				v, _ := n.value(r[o.Node])
				amount = v
			}
			if was, ok := best[r[p.Asked]]; !ok || sign*amount < sign*was {
				best[r[p.Asked]] = amount
			}
		}
		for e, a := range best {
			out = append(out, naiveAnswer{e, a})
		}
		slices.SortFunc(out, func(a, b naiveAnswer) int {
			return cmp.Or(cmp.Compare(sign*a.Amount, sign*b.Amount), cmp.Compare(a.Entity, b.Entity))
		})
		return out
	}
	return n.measured(rows)
}

// none are those that the node Per may be bound to and that have no number: without all
// that hangs on what is counted.
func (n *naive) none(have []naiveAnswer) (out []naiveAnswer) {
	p, m := n.p, n.p.Measure
	hangs := map[int]bool{}
	var hang func(k int)
	hang = func(k int) {
		if k == m.Per || hangs[k] {
			return
		}
		hangs[k] = true
		for _, e := range p.Edges {
			if e.From == k && p.Nodes[e.To].Variable {
				hang(e.To)
			}
			if e.To == k && p.Nodes[e.From].Variable {
				hang(e.From)
			}
		}
	}
	hang(m.Node)
	var edges []pattern.Edge
	for _, e := range p.Edges {
		if !hangs[e.From] && !hangs[e.To] {
			edges = append(edges, e)
		}
	}
	var filters []pattern.Filter
	for _, f := range p.Filters {
		if !hangs[f.Node] && (f.Than == nil || !hangs[*f.Than]) {
			filters = append(filters, f)
		}
	}
	var asks [][]pattern.Branch // of what does not hang on it
	shared := []int{m.Per}
	for i, b := range p.Branches {
		if b.Kind == pattern.OrElse {
			continue
		}
		group := []pattern.Branch{b}
		for j := i + 1; j < len(p.Branches) && p.Branches[j].Kind == pattern.OrElse; j++ {
			group = append(group, p.Branches[j])
		}
		beside := true
		for _, b := range group {
			var more []int
			if b.Kind == pattern.Quantity {
				more = []int{b.Node}
			}
			for _, k := range n.touched(b.Edges, b.Filters, more...) {
				if outside := slices.Contains(n.main, k); outside && hangs[k] && (p.Nodes[k].Variable || len(p.Nodes[k].Entities) > 1) {
					beside = false
				} else if outside && !hangs[k] {
					shared = append(shared, k)
				}
			}
		}
		if beside {
			asks = append(asks, group)
		}
	}
	done := map[kg.EntityID]bool{}
	for _, a := range have {
		done[a.Entity] = true
	}
	n.assign(n.touched(edges, filters, shared...), edges, filters, nil, func(b binding) {
		for _, group := range asks {
			if !slices.ContainsFunc(group, func(br pattern.Branch) bool { return n.meets(br, b) }) {
				return
			}
		}
		if e := b[m.Per]; !done[e] {
			done[e] = true
			out = append(out, naiveAnswer{e, 0})
		}
	})
	return out
}

// ofTwo are the differences or ratios of two nodes, one for each pair of values.
func (n *naive) ofTwo(rows []binding) (out []naiveAnswer) {
	m := n.p.Measure
	seen := map[[2]kg.EntityID]bool{}
	slices.SortFunc(rows, func(a, b binding) int {
		return cmp.Or(cmp.Compare(a[m.Node], b[m.Node]), cmp.Compare(a[m.Of], b[m.Of]))
	})
	for _, r := range rows {
		v, ok := n.value(r[m.Node])
		w, is := n.value(r[m.Of])
		if !ok || !is || seen[[2]kg.EntityID{r[m.Node], r[m.Of]}] || m.Func == pattern.Ratio && w == 0 {
			continue
		}
		seen[[2]kg.EntityID{r[m.Node], r[m.Of]}] = true
		out = append(out, naiveAnswer{kg.NoEntity, map[pattern.Func]float64{pattern.Difference: v - w, pattern.Ratio: v / w}[m.Func]})
	}
	return out
}

// ofCounts compares how many bind a node with how many do where another name stands.
func (n *naive) ofCounts(rows []binding) []naiveAnswer {
	m, at := n.p.Measure, n.p.Replaced()
	seen := map[kg.EntityID]bool{}
	for _, r := range rows {
		seen[r[m.Node]] = true
	}
	q := *n.p
	q.Nodes = slices.Clone(q.Nodes)
	q.Nodes[at], q.Nodes[m.Of] = q.Nodes[m.Of], q.Nodes[at]
	q.Asked, q.Measure = m.Node, nil
	one, two := float64(len(seen)), float64(len((&naive{g: n.g, p: &q}).answers()))
	if m.Func == pattern.Difference {
		return []naiveAnswer{{kg.NoEntity, one - two}}
	}
	if two == 0 {
		return nil
	}
	return []naiveAnswer{{kg.NoEntity, one / two}}
}

func (n *naive) measured(rows []binding) (out []naiveAnswer) {
	p, m := n.p, n.p.Measure
	if p.CountsTwo() {
		return n.ofCounts(rows)
	}
	if m.Func.IsOfTwo() {
		return n.ofTwo(rows)
	}
	type pair struct{ of, node kg.EntityID }
	groups := map[kg.EntityID]map[pair]bool{}
	for _, r := range rows {
		per, of := kg.NoEntity, kg.NoEntity
		if m.Per >= 0 {
			per = r[m.Per]
		}
		if m.Func != pattern.CountOf && m.Func != pattern.Share {
			of = r[m.Of]
		}
		if groups[per] == nil {
			groups[per] = map[pair]bool{}
		}
		if _, ok := n.value(r[m.Node]); ok || m.Func == pattern.CountOf || m.Func == pattern.Share {
			groups[per][pair{of, r[m.Node]}] = true
		}
	}
	all := len(n.outside)
	if m := p.Measure; len(p.Branches) == 0 {
		all = len(p.Nodes[m.Node].Within)
	}
	if m.Func == pattern.Share && all == 0 {
		return nil
	}
	if len(rows) == 0 && m.Per < 0 && (m.Func == pattern.CountOf || m.Func == pattern.Share) {
		return []naiveAnswer{{kg.NoEntity, 0}}
	}
	for per, pairs := range groups {
		var values []float64
		for q := range pairs {
			v, _ := n.value(q.node)
			values = append(values, v)
		}
		if len(values) == 0 {
			continue
		}
		slices.Sort(values)
		sum := 0.0
		for _, v := range values {
			sum += v
		}
		k := float64(len(values))
		amount := map[pattern.Func]float64{pattern.CountOf: k, pattern.Sum: sum, pattern.Average: sum / k, pattern.Least: values[0], pattern.Most: values[len(values)-1], pattern.Median: (values[(len(values)-1)/2] + values[len(values)/2]) / 2, pattern.Share: 100 * k / float64(all)}[m.Func]
		out = append(out, naiveAnswer{per, amount})
	}
	if m.Every {
		out = append(out, n.none(out)...)
	}
	out = slices.DeleteFunc(out, func(a naiveAnswer) bool {
		return slices.ContainsFunc(m.Having, func(f pattern.Filter) bool { return !f.Holds(kg.Value{Number: a.Amount}) })
	})
	if m.Fold != nil {
		if *m.Fold == pattern.CountOf {
			return []naiveAnswer{{kg.NoEntity, float64(len(out))}}
		}
		if len(out) == 0 {
			return nil
		}
		total, least, most := 0.0, out[0].Amount, out[0].Amount
		for _, a := range out {
			total, least, most = total+a.Amount, min(least, a.Amount), max(most, a.Amount)
		}
		return []naiveAnswer{{kg.NoEntity, map[pattern.Func]float64{pattern.Sum: total, pattern.Average: total / float64(len(out)), pattern.Least: least, pattern.Most: most}[*m.Fold]}}
	}
	sign := -1.0
	if o := p.Order; o != nil && o.Node == pattern.Measured && !o.Descending {
		sign = 1
	}
	slices.SortFunc(out, func(a, b naiveAnswer) int {
		return cmp.Or(cmp.Compare(sign*a.Amount, sign*b.Amount), cmp.Compare(a.Entity, b.Entity))
	})
	if o := p.Order; o != nil && o.Node == pattern.Measured {
		var distinct []float64
		var kept []naiveAnswer
		for _, a := range out {
			if !slices.Contains(distinct, a.Amount) {
				distinct = append(distinct, a.Amount)
			}
			if len(distinct) > o.Skip && (len(kept) < o.Limit || kept[len(kept)-1].Amount == a.Amount) {
				kept = append(kept, a)
			}
		}
		if o.Both && len(distinct) > o.Skip {
			for i, a := range out {
				if behind := len(out) - o.Limit; !slices.Contains(kept, a) && (i >= behind || a.Amount == out[behind].Amount) && !slices.Contains(distinct[:o.Skip], a.Amount) {
					kept = append(kept, a)
				}
			}
		}
		out = kept
	}
	return out
}

// randomQuery makes a small graph and a pattern with operators, the same for one seed.
func randomQuery(seed uint64) (*kg.Graph, *pattern.Pattern) {
	r := rand.New(rand.NewPCG(seed, 7))
	var b kg.Builder
	n, relations := 3+r.IntN(4), 1+r.IntN(3)
	dated := r.IntN(4) == 0 // dates are filtered, and no sums are made of them
	for e := range n {
		label := fmt.Sprint(e / 2 * 10) // some values tie
		switch kind := r.IntN(8); {
		case kind < 2:
			label = "name"
		case dated && kind < 6:
			label = fmt.Sprintf("20%d0-0%d-15", e/2, 4+e%3)
		}
		b.SetLabel(b.Entity(fmt.Sprint("e", e)), label)
	}
	for i := range relations {
		b.Relation(fmt.Sprint("r", i))
	}
	for range n + r.IntN(2*n) {
		b.AddStatement(fmt.Sprint("e", r.IntN(n)), fmt.Sprint("r", r.IntN(relations)), fmt.Sprint("e", r.IntN(n)), kg.Property{Name: "year", Value: fmt.Sprint(2000 + r.IntN(3)), Entity: kg.NoEntity})
	}
	g := b.Graph()
	p := &pattern.Pattern{Reuse: pattern.Reuse(r.IntN(3)), Asked: -1, Task: pattern.Verify}
	node := func(variable bool) int {
		x := pattern.Node{Text: fmt.Sprintf("?%d", len(p.Nodes)), Variable: variable}
		if some := []kg.EntityID{kg.EntityID(r.IntN(n)), kg.EntityID(r.IntN(n))}; !variable {
			x.Entities = some[:1+r.IntN(2)]
		} else if r.IntN(5) == 0 {
			x.Within = slices.Compact(slices.Sorted(slices.Values(some)))
		}
		p.Nodes = append(p.Nodes, x)
		return len(p.Nodes) - 1
	}
	// No two edges of one part join the same nodes: they would need different triples.
	edge := func(from, to int) pattern.Edge {
		e := pattern.Edge{From: from, To: to, Direction: pattern.Direction(r.IntN(2)), Closure: r.IntN(4) == 0}
		if r.IntN(2) == 0 {
			e.From, e.To = to, from
		}
		if r.IntN(4) > 0 {
			e.Fixed = []kg.RelationID{kg.RelationID(r.IntN(relations))}
		}
		if r.IntN(6) == 0 {
			e.Conditions = []pattern.Condition{{Property: "year", Op: pattern.Greater, Value: "2000"}}
		}
		return e
	}
	filter := func(nodes []int) pattern.Filter {
		f := pattern.Filter{Node: nodes[r.IntN(len(nodes))], Op: pattern.Op(r.IntN(6)), Value: float64(10 * r.IntN(3))}
		if than := nodes[r.IntN(len(nodes))]; r.IntN(2) == 0 && than != f.Node {
			f.Than, f.Times, f.Plus = &than, []float64{0, 2, 0.5}[r.IntN(3)], []float64{0, 0, 10, -10}[r.IntN(4)]
		} else if dated && r.IntN(2) == 0 {
			f = pattern.Filter{Node: f.Node, Op: pattern.Equal, Yearly: kg.Yearly{Month: time.Month(4 + r.IntN(3)), Day: 15 * r.IntN(2)}}
		}
		return f
	}
	var outside []int
	for i := range 1 + r.IntN(3) {
		outside = append(outside, node(i == 0 || r.IntN(3) > 0))
		if i > 0 {
			p.Edges = append(p.Edges, edge(outside[r.IntN(i)], outside[i]))
		}
	}
	if r.IntN(5) == 0 {
		p.Filters = []pattern.Filter{filter(outside)}
	}
	some := func() int { return outside[r.IntN(len(outside))] }
	if r.IntN(6) > 0 {
		p.Task, p.Asked = pattern.Find, some()
	}
	for range r.IntN(3) {
		kind := pattern.BranchKind(r.IntN(5))
		if k := len(p.Branches); kind == pattern.OrElse && (k == 0 || p.Branches[k-1].Kind != pattern.OneOf && p.Branches[k-1].Kind != pattern.OrElse) {
			kind = pattern.OneOf
		}
		br := pattern.Branch{Kind: kind}
		nodes := []int{some()}
		for range 1 + r.IntN(2) {
			to := node(r.IntN(3) > 0)
			br.Edges = append(br.Edges, edge(nodes[r.IntN(len(nodes))], to))
			nodes = append(nodes, to)
		}
		if kind == pattern.Only && !p.Nodes[br.Edges[0].From].Variable && !p.Nodes[br.Edges[0].To].Variable || kind == pattern.Only && len(br.Edges) > 1 && !p.Nodes[nodes[1]].Variable {
			br.Edges = br.Edges[:1]
			nodes = nodes[:2]
		}
		if r.IntN(5) == 0 && kind != pattern.Only {
			br.Filters = []pattern.Filter{filter(nodes)}
		}
		if kind == pattern.Quantity {
			br.Node, br.Op, br.N = nodes[len(nodes)-1], pattern.Op(r.IntN(5)), r.IntN(3)
			if beside := br.Beside(); r.IntN(3) == 0 && beside >= 0 && p.Nodes[br.Node].Variable {
				than := node(false)
				br.Than, br.Times = &than, []float64{0, 2, 0.5}[r.IntN(3)]
			}
		}
		p.Branches = append(p.Branches, br)
	}
	if p.Task == pattern.Find {
		if r.IntN(3) == 0 && !dated {
			p.Measure = &pattern.Measure{Func: []pattern.Func{pattern.CountOf, pattern.Sum, pattern.Average, pattern.Least, pattern.Most, pattern.Median}[r.IntN(6)], Node: some(), Of: some(), Per: p.Asked}
			if r.IntN(3) == 0 {
				p.Measure.Per = -1
			}
			if m := p.Measure; p.Nodes[m.Node].Within != nil && r.IntN(2) == 0 {
				m.Func, m.Of, m.Per = pattern.Share, -1, -1
			}
			if m := p.Measure; m.Func != pattern.Share && m.Node != m.Of && r.IntN(4) == 0 {
				m.Func, m.Per = []pattern.Func{pattern.Difference, pattern.Ratio}[r.IntN(2)], -1
				if p.CountsTwo() && (p.Replaced() < 0 || p.Replaced() == m.Of || !p.Nodes[m.Node].Variable) {
					m.Func = pattern.CountOf
				}
			}
			if p.Measure.Func == pattern.CountOf && p.Measure.Per >= 0 {
				p.Measure.Every = r.IntN(2) == 0
			}
			if m := p.Measure; m.Per >= 0 {
				if f := pattern.Func(r.IntN(5)); r.IntN(3) == 0 {
					m.Fold = &f
				}
				if r.IntN(3) == 0 {
					m.Having = []pattern.Filter{{Node: pattern.Measured, Op: pattern.Op(r.IntN(5)), Value: float64(r.IntN(3) * []int{1, 10}[r.IntN(2)])}}
				}
			}
		}
		if m := p.Measure; r.IntN(3) == 0 && (m == nil || m.Fold == nil) {
			p.Order = &pattern.Order{Node: some(), Descending: r.IntN(2) == 0, Limit: 1 + r.IntN(2), Skip: r.IntN(2), Both: r.IntN(4) == 0}
			if per := some(); m == nil && r.IntN(3) == 0 {
				p.Order.Per = &per
			}
			if m != nil && m.Per >= 0 && (m.Every || len(m.Having) > 0 || r.IntN(3) > 0) {
				p.Order.Node = pattern.Measured
			}
		}
	}
	return g, p
}

func evaluated(tb testing.TB, g *kg.Graph, p *pattern.Pattern) evidence.Found {
	tb.Helper()
	found, err := Evaluate(tb.Context(), g, p, Limits{})
	if err != nil {
		tb.Fatalf("Evaluate(%s): %v", pattern.Format(p), err)
	}
	return found
}

func foundAnswers(p *pattern.Pattern, f evidence.Found) (out []naiveAnswer) {
	if p.Task == pattern.Verify && len(f.Candidates) > 0 {
		return []naiveAnswer{{kg.NoEntity, 0}}
	}
	for _, a := range f.Answers {
		x := naiveAnswer{Entity: a.Entity}
		if a.Amount != nil && (p.Order != nil || p.Measure != nil) { // else it is what a filter compared
			x.Amount = a.Amount.Value
		}
		out = append(out, x)
	}
	return out
}

func TestEvaluateEqualsNaive(t *testing.T) {
	const seeds = 6000
	some := 0
	for seed := range uint64(seeds) {
		g, p := randomQuery(seed)
		if seed%4 == 0 {
			g = g.Without(kg.TripleID(seed/4%uint64(g.Triples())), 0)
		}
		want := (&naive{g: g, p: p}).answers()
		found := evaluated(t, g, p)
		if diff := gocmp.Diff(want, foundAnswers(p, found), cmpopts.EquateApprox(0, 1e-9), cmpopts.EquateEmpty()); diff != "" {
			t.Fatalf("seed %d: %s (-naive +Evaluate):\n%s\nsteps %q", seed, pattern.Format(p), diff, found.Steps)
		}
		if len(want) > 0 {
			some++
		}
		again, err := Evaluate(t.Context(), g, p, Limits{Together: 1})
		if err != nil {
			t.Fatal(err)
		}
		if diff := gocmp.Diff(found, again, cmpopts.IgnoreFields(evidence.Found{}, "Stats")); diff != "" {
			t.Fatalf("seed %d: %s (-one by one +together):\n%s", seed, pattern.Format(p), diff)
		}
		for i, a := range found.Answers[:min(len(found.Answers), 40)] {
			none := p.Measure != nil && p.Measure.Every && (a.Amount.Value == 0 || p.Measure.Fold != nil)
			if len(a.Supports) == 0 && (a.Amount == nil || a.Matches > 0) && !none {
				t.Fatalf("seed %d: %s: answer %d has no support", seed, pattern.Format(p), i)
			}
		}
	}
	if some < seeds/3 {
		t.Errorf("%d of %d random queries found anything", some, seeds)
	}
}
