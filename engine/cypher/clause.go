package cypher

import (
	"maps"
	"slices"
)

// sink takes rows, which are only lent to it, and reports whether it needs more. done is
// called once, after the last.
type sink struct {
	push func(row) (more bool)
	done func()
}

// stage makes the sink of a clause, which passes on what comes of its rows to next.
type stage func(x *exec, next sink) sink

// chain is a part of a query that can be run.
type chain struct {
	stages  []stage
	columns []string
	slots   []int // of the columns, in the last rows
	size    *int  // of the first rows
}

// run passes a row through the chain, and calls emit for what comes of it.
func (k *chain) run(x *exec, r row, emit func(row) bool) {
	s := sink{emit, func() {}}
	for _, stage := range slices.Backward(k.stages) {
		s = stage(x, s)
	}
	s.push(r)
	s.done()
}

// part compiles the clauses of a part, of which s has the names at its beginning.
func (c *compiler) part(p *part, s *scope) chain {
	k := chain{size: s.size}
	for i := range p.Clauses {
		clause := &p.Clauses[i]
		var st stage
		switch clause.Kind {
		case clauseMatch:
			st = c.match(clause, s)
		case clauseUnwind:
			st = c.unwind(clause, s)
		case clauseWith, clauseReturn:
			st, s = c.project(clause, s)
		}
		k.stages = append(k.stages, st)
	}
	for _, n := range s.names {
		k.columns = append(k.columns, n)
		k.slots = append(k.slots, s.vars[n].slot)
	}
	return k
}

func (c *compiler) match(clause *clause, s *scope) stage {
	m := c.pattern(clause.Paths, clause.Where, s)
	return func(x *exec, next sink) sink {
		return sink{func(r row) bool {
			found := false
			more := m.match(x, r, func(r row) bool {
				found = true
				return next.push(r)
			})
			if found || !clause.Optional {
				return more
			}
			for _, slot := range m.fresh {
				r[slot] = nil
			}
			return next.push(r)
		}, next.done}
	}
}

func (c *compiler) unwind(clause *clause, s *scope) stage {
	if clause.List.aggregates() {
		panic(syntax(clause.List.At, "InvalidAggregation", "UNWIND cannot contain aggregates; put WITH before it"))
	}
	list, k := c.expr(clause.List, s)
	of := unknown
	if k == relsKind {
		of = relKind
	}
	slot := s.addNew(clause.At, clause.Name, of).slot
	return func(x *exec, next sink) sink {
		return sink{func(r row) bool {
			v := list(x, r)
			if v == nil {
				return true
			}
			l, ok := v.(List)
			if !ok {
				l = List{v}
			}
			trail := r[0]
			for _, v := range l {
				x.tick()
				r[0], r[slot] = trail, v
				if !next.push(r) {
					return false
				}
			}
			return true
		}, next.done}
	}
}

type column struct {
	name string
	is   eval
	slot int // while rows are ordered
}

type projection struct {
	clause  *clause
	columns []column
	size    *int // of the rows that it makes
	// in is the frame in which columns, keys and the condition are computed: that of the
	// rows that come, or of groups.
	in      *scope
	grouped bool
	keys    []column // what rows are grouped by
	tallies []tally
	order   []eval
	where   eval

	skip, limit eval
}

// project compiles WITH and RETURN. It returns the scope behind them.
func (c *compiler) project(clause *clause, s *scope) (stage, *scope) {
	p := &projection{clause: clause}
	items := clause.Items
	if clause.Star {
		var all []item
		for _, n := range slices.Sorted(slices.Values(s.names)) {
			all = append(all, item{Expr: &Expr{Kind: Variable, Name: n, At: clause.At}, Name: n, Named: true})
		}
		if len(all) == 0 && clause.Kind == clauseReturn {
			panic(syntax(clause.At, "NoVariablesInScope", "RETURN * has nothing to return"))
		}
		items = append(all, items...)
	}
	for i, it := range items {
		if clause.Kind == clauseWith && !it.Named && it.Expr.Kind != Variable {
			panic(syntax(it.Expr.At, "NoExpressionAlias", "WITH needs a name for %s: %s AS name", it.Name, it.Name))
		}
		if slices.ContainsFunc(items[:i], func(o item) bool { return o.Name == it.Name }) {
			panic(syntax(it.Expr.At, "ColumnNameConflict", "two columns have the name %s", it.Name))
		}
		p.grouped = p.grouped || it.Expr.aggregates()
	}
	kinds := c.columns(p, items, s)
	c.orderBy(p, s)
	if clause.Where != nil {
		p.where = c.where(clause.Where, p.in)
	}
	p.skip, p.limit = c.amount(clause.Skip, "SKIP"), c.amount(clause.Limit, "LIMIT")
	out := newScope()
	p.size = out.size
	for i, it := range items {
		out.add(it.Name, kinds[i])
	}
	return p.open, out
}

// columns compiles the columns, and what rows are grouped by.
func (c *compiler) columns(p *projection, items []item, s *scope) (kinds []kind) {
	in := s.inner()
	if p.grouped {
		in = newScope()
		in.known, in.hidden = map[string]variable{}, map[string]string{}
		for _, n := range s.names {
			in.hidden[n] = "AmbiguousAggregationExpression"
		}
		in.simple = true
		for _, it := range items {
			if it.Expr.aggregates() {
				c.tallies(p, it.Expr, s, in)
				continue
			}
			f, k := c.expr(it.Expr, s)
			slot := in.slot()
			p.keys = append(p.keys, column{it.Name, f, slot})
			in.known[it.Expr.key()] = variable{slot, k}
			if it.Expr.Kind == Variable {
				in.vars[it.Expr.Name] = variable{slot, k}
			}
		}
	}
	for _, it := range items {
		in.simple = it.Expr.aggregates()
		f, k := c.expr(it.Expr, in)
		kinds = append(kinds, k)
		p.columns = append(p.columns, column{it.Name, f, 0})
	}
	// The columns' names come last: they hide those before, for ORDER BY and WHERE.
	if p.clause.Distinct || p.grouped {
		size, known := in.size, in.known
		in = newScope()
		in.size, in.known, in.hidden = size, map[string]variable{}, map[string]string{}
		for _, it := range items {
			if p.grouped {
				it.Expr.names(func(n string) { in.hidden[n] = "AmbiguousAggregationExpression" }, func() {})
			}
		}
		maps.Copy(in.known, known)
	}
	for i, it := range items {
		v := in.add(it.Name, kinds[i])
		p.columns[i].slot = v.slot
		if p.clause.Distinct || p.grouped {
			in.known[it.Expr.key()] = v
		}
	}
	p.in = in
	return kinds
}

// tallies compiles the aggregates within an expression. in is the frame of the groups.
func (c *compiler) tallies(p *projection, e *Expr, s, in *scope) {
	e.walk(func(e *Expr) bool {
		if e.Kind == ListComp && e.aggregates() && !e.Args[0].aggregates() {
			return false
		}
		if e.Kind != Call || aggregates[e.Name] == nil {
			return true
		}
		if _, ok := in.known[e.key()]; ok {
			return false
		}
		t := c.tallied(e, s)
		t.slot = in.slot()
		p.tallies = append(p.tallies, t)
		in.known[e.key()] = variable{t.slot, unknown}
		return false
	})
}

func (c *compiler) orderBy(p *projection, s *scope) {
	for _, k := range p.clause.Order {
		if k.Expr.aggregates() {
			if !p.grouped {
				panic(syntax(k.Expr.At, "InvalidAggregation", "ORDER BY can contain aggregates only if a column does"))
			}
			c.tallies(p, k.Expr, s, p.in)
		}
		p.in.simple = k.Expr.aggregates()
		f, _ := c.expr(k.Expr, p.in)
		p.order = append(p.order, f)
	}
}

// amount compiles what stands behind SKIP or LIMIT.
func (c *compiler) amount(e *Expr, clause string) eval {
	if e == nil {
		return nil
	}
	constant := true
	e.walk(func(e *Expr) bool {
		constant = constant && e.Kind != Variable && len(e.Paths) == 0
		return true
	})
	if !constant {
		panic(syntax(e.At, "NonConstantExpression", "%s needs a number that is the same for all rows", clause))
	}
	f, _ := c.expr(e, newScope())
	return func(x *exec, _ row) any {
		n, ok := f(x, row{nil}).(int64)
		switch {
		case !ok:
			panic(syntax(e.At, "InvalidArgumentType", "%s needs an integer", clause))
		case n < 0:
			panic(syntax(e.At, "NegativeIntegerArgument", "%s needs a non-negative integer", clause))
		}
		return n
	}
}

// held is a row that waits until all have come.
type held struct {
	trail  any
	keys   []any
	values []any
}

// open makes the sink.
func (p *projection) open(x *exec, next sink) sink {
	out := make(row, *p.size)
	var skip, left int64
	limited := p.limit != nil
	if p.skip != nil {
		skip, _ = p.skip(x, nil).(int64)
	}
	if limited {
		left, _ = p.limit(x, nil).(int64)
	}
	pass := func(h held) bool {
		if skip > 0 {
			skip--
			return true
		}
		if limited {
			if left == 0 {
				return false
			}
			left--
		}
		out[0] = h.trail
		copy(out[1:], h.values)
		return next.push(out) && (!limited || left > 0)
	}
	after := holder{pass, next.done}
	if len(p.order) > 0 {
		after = p.sorting(x, after, skip+left, limited)
	}
	var seen map[string]*trail
	if p.clause.Distinct {
		seen = map[string]*trail{}
	}
	var key []byte
	values := make([]any, len(p.columns))
	// project computes the columns of a row, which is one of the frame p.in.
	project := func(r row) bool {
		h := held{values: values}
		if len(p.order) > 0 { // it may be held
			h.values = make([]any, len(p.columns))
		}
		for i, c := range p.columns {
			h.values[i] = c.is(x, r)
		}
		h.trail = r[0]
		if seen != nil {
			key = key[:0]
			for _, v := range h.values {
				key = appendKey(key, v)
			}
			t := seen[string(key)]
			if t != nil {
				t.join(r[0])
				return true
			}
			x.hold()
			t = &trail{}
			t.join(r[0])
			seen[string(key)], h.trail = t, t
		}
		for i, c := range p.columns {
			r[c.slot] = h.values[i]
		}
		if p.where != nil && truth(p.where(x, r)) != true {
			return true
		}
		for _, f := range p.order {
			h.keys = append(h.keys, f(x, r))
		}
		return after.push(h)
	}
	if p.grouped {
		return p.grouping(x, project, after.done)
	}
	return sink{project, after.done}
}

// holder is a sink of rows that are held.
type holder struct {
	push func(held) (more bool)
	done func()
}

// sorting holds rows until they are in order. Where only the first so many are wanted,
// no more than twice as many are held.
func (p *projection) sorting(x *exec, next holder, most int64, limited bool) holder {
	var rows []held
	sorted := func() { slices.SortStableFunc(rows, p.compare) }
	cut := false // the first so many are in order, and what comes after the last of them is not wanted
	return holder{func(h held) bool {
		if cut && (most == 0 || p.compare(h, rows[most-1]) >= 0) {
			return true
		}
		x.hold()
		h.trail = keep(h.trail)
		rows = append(rows, h)
		if limited && int64(len(rows)) > 2*most+64 {
			sorted()
			x.rows -= len(rows) - int(most)
			rows, cut = rows[:most], true
		}
		return true
	}, func() {
		sorted()
		for _, h := range rows {
			if !next.push(h) {
				break
			}
		}
		next.done()
	}}
}

// compare puts rows in order.
func (p *projection) compare(a, b held) int {
	for i, k := range p.clause.Order {
		c := order(a.keys[i], b.keys[i])
		if k.Descending {
			c = -c
		}
		if c != 0 {
			return c
		}
	}
	return 0
}

// group is the rows that have the same keys.
type group struct {
	keys  []any
	sums  []sum
	trail *trail
}

// grouping holds groups until all rows have come.
func (p *projection) grouping(x *exec, project func(row) bool, done func()) sink {
	groups := map[string]*group{}
	var all []*group
	var key []byte
	keys := make([]any, len(p.keys)) // of the row
	begin := func(r row) *group {
		g := &group{keys: slices.Clone(keys), trail: &trail{}, sums: make([]sum, 0, len(p.tallies))}
		for i := range p.tallies {
			g.sums = append(g.sums, p.tallies[i].start(x, r))
		}
		all = append(all, g)
		x.hold()
		return g
	}
	push := func(r row) bool {
		key = key[:0]
		for i, k := range p.keys {
			keys[i] = k.is(x, r)
			key = appendKey(key, keys[i])
		}
		g := groups[string(key)]
		if g == nil {
			g = begin(r)
			groups[string(key)] = g
		}
		for i := range p.tallies {
			p.tallies[i].add(x, r, g.sums[i])
		}
		g.trail.join(r[0])
		return true
	}
	return sink{push, func() {
		if len(all) == 0 && len(p.keys) == 0 {
			// Nothing to count is counted as none. Arguments see no row.
			begin(make(row, 1<<10))
		}
		r := make(row, *p.in.size)
		for _, g := range all {
			r[0] = g.trail
			for i, k := range p.keys {
				r[k.slot] = g.keys[i]
			}
			for i, s := range g.sums {
				r[p.tallies[i].slot] = s.result()
			}
			if !project(r) {
				break
			}
		}
		done()
	}}
}
