package cypher

import (
	"errors"
	"maps"
	"slices"
)

// sink takes rows. done is called once, after the last. A sink that needs no more rows
// returns errStop; a row is only lent to it.
type sink struct {
	push func(row) error
	done func() error
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
func (k *chain) run(x *exec, r row, emit func(row) error) error {
	s := sink{emit, func() error { return nil }}
	for _, stage := range slices.Backward(k.stages) {
		s = stage(x, s)
	}
	stopped := s.push(r)
	if stopped != nil && !errors.Is(stopped, errStop) {
		return stopped
	}
	if err := s.done(); err != nil {
		return err
	}
	return stopped
}

// part compiles the clauses of a part, of which s has the names at its beginning.
func (c *compiler) part(p *Part, s *scope) (chain, error) {
	k := chain{size: s.size}
	for i := range p.Clauses {
		clause := &p.Clauses[i]
		var st stage
		var err error
		switch clause.Kind {
		case Match:
			st, err = c.match(clause, s)
		case Unwind:
			st, err = c.unwind(clause, s)
		case With, Return:
			var out *scope
			if st, out, err = c.project(clause, s); err == nil {
				s = out
			}
		}
		if err != nil {
			return chain{}, err
		}
		k.stages = append(k.stages, st)
	}
	for _, n := range s.names {
		k.columns = append(k.columns, n)
		k.slots = append(k.slots, s.vars[n].slot)
	}
	return k, nil
}

// match compiles MATCH and OPTIONAL MATCH.
func (c *compiler) match(clause *Clause, s *scope) (stage, error) {
	m, err := c.pattern(clause.Paths, clause.Where, s)
	if err != nil {
		return nil, err
	}
	return func(x *exec, next sink) sink {
		return sink{func(r row) error {
			found := false
			err := m.match(x, r, func(r row) error {
				found = true
				return next.push(r)
			})
			if err != nil || found || !clause.Optional {
				return err
			}
			for _, slot := range m.fresh {
				r[slot] = nil
			}
			return next.push(r)
		}, next.done}
	}, nil
}

// unwind compiles UNWIND.
func (c *compiler) unwind(clause *Clause, s *scope) (stage, error) {
	if clause.List.aggregates() {
		return nil, syntax(clause.List.At, "InvalidAggregation", "UNWIND cannot count or sum rows; put WITH before it")
	}
	list, k, err := c.expr(clause.List, s)
	if err != nil {
		return nil, err
	}
	if _, ok := s.vars[clause.Name]; ok {
		return nil, syntax(clause.At, "VariableAlreadyBound", "%s is the name of something else already", clause.Name)
	}
	of := unknown
	if k == relsKind {
		of = relKind
	}
	slot := s.add(clause.Name, of).slot
	return func(x *exec, next sink) sink {
		return sink{func(r row) error {
			v, err := list(x, r)
			if err != nil || v == nil {
				return err
			}
			l, ok := v.(List)
			if !ok {
				l = List{v}
			}
			trail := r[0]
			for _, v := range l {
				if err := x.tick(); err != nil {
					return err
				}
				r[0], r[slot] = trail, v
				if err := next.push(r); err != nil {
					return err
				}
			}
			return nil
		}, next.done}
	}, nil
}

// column is one column of WITH or RETURN.
type column struct {
	name string
	is   eval
	slot int // while rows are ordered
}

// projection is WITH or RETURN.
type projection struct {
	clause  *Clause
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
func (c *compiler) project(clause *Clause, s *scope) (stage, *scope, error) {
	p := &projection{clause: clause}
	items := clause.Items
	if clause.Star {
		var all []Item
		for _, n := range slices.Sorted(slices.Values(s.names)) {
			all = append(all, Item{Expr: &Expr{Kind: Variable, Name: n, At: clause.At}, Name: n, Named: true})
		}
		if len(all) == 0 && clause.Kind == Return {
			return nil, nil, syntax(clause.At, "NoVariablesInScope", "RETURN * has nothing to return")
		}
		items = append(all, items...)
	}
	for i, it := range items {
		if clause.Kind == With && !it.Named && it.Expr.Kind != Variable {
			return nil, nil, syntax(it.Expr.At, "NoExpressionAlias", "WITH needs a name for %s: %s AS name", it.Name, it.Name)
		}
		if slices.ContainsFunc(items[:i], func(o Item) bool { return o.Name == it.Name }) {
			return nil, nil, syntax(it.Expr.At, "ColumnNameConflict", "two columns have the name %s", it.Name)
		}
		p.grouped = p.grouped || it.Expr.aggregates()
	}
	kinds, err := c.columns(p, items, s)
	if err != nil {
		return nil, nil, err
	}
	if err = c.orderBy(p, s); err != nil {
		return nil, nil, err
	}
	if clause.Where != nil {
		if p.where, err = c.where(clause.Where, p.in); err != nil {
			return nil, nil, err
		}
	}
	for _, part := range []struct {
		e    *Expr
		into *eval
		name string
	}{{clause.Skip, &p.skip, "SKIP"}, {clause.Limit, &p.limit, "LIMIT"}} {
		if *part.into, err = c.amount(part.e, part.name); err != nil {
			return nil, nil, err
		}
	}
	out := newScope()
	p.size = out.size
	for i, it := range items {
		out.add(it.Name, kinds[i])
	}
	return p.open, out, nil
}

// columns compiles the columns, and what rows are grouped by.
func (c *compiler) columns(p *projection, items []Item, s *scope) (kinds []kind, err error) {
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
				if err := c.tallies(p, it.Expr, s, in); err != nil {
					return nil, err
				}
				continue
			}
			f, k, err := c.expr(it.Expr, s)
			if err != nil {
				return nil, err
			}
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
		f, k, err := c.expr(it.Expr, in)
		if err != nil {
			return nil, err
		}
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
	return kinds, nil
}

// tallies compiles the aggregates within an expression. in is the frame of the groups.
func (c *compiler) tallies(p *projection, e *Expr, s, in *scope) (err error) {
	e.walk(func(e *Expr) bool {
		if err != nil || e.Kind == ListComp && e.aggregates() && !e.Args[0].aggregates() {
			return false
		}
		if e.Kind != Call || aggregates[e.Name] == nil {
			return true
		}
		if _, ok := in.known[e.key()]; ok {
			return false
		}
		var t tally
		if t, err = c.tallied(e, s); err == nil {
			t.slot = in.slot()
			p.tallies = append(p.tallies, t)
			in.known[e.key()] = variable{t.slot, unknown}
		}
		return false
	})
	return err
}

// orderBy compiles ORDER BY.
func (c *compiler) orderBy(p *projection, s *scope) error {
	for _, k := range p.clause.Order {
		if k.Expr.aggregates() {
			if !p.grouped {
				return syntax(k.Expr.At, "InvalidAggregation", "ORDER BY can count and sum only where a column does")
			}
			if err := c.tallies(p, k.Expr, s, p.in); err != nil {
				return err
			}
		}
		p.in.simple = k.Expr.aggregates()
		f, _, err := c.expr(k.Expr, p.in)
		if err != nil {
			return err
		}
		p.order = append(p.order, f)
	}
	return nil
}

// amount compiles what stands behind SKIP or LIMIT.
func (c *compiler) amount(e *Expr, clause string) (eval, error) {
	if e == nil {
		return nil, nil
	}
	constant := true
	e.walk(func(e *Expr) bool {
		constant = constant && e.Kind != Variable && len(e.Paths) == 0
		return true
	})
	if !constant {
		return nil, syntax(e.At, "NonConstantExpression", "%s needs a number that is the same for all rows", clause)
	}
	f, _, err := c.expr(e, newScope())
	if err != nil {
		return nil, err
	}
	bad := func(code, format string) error { return syntax(e.At, code, format, clause) }
	return func(x *exec, _ row) (any, error) {
		v, err := f(x, row{nil})
		if err != nil {
			return nil, err
		}
		n, ok := v.(int64)
		switch {
		case !ok:
			return nil, bad("InvalidArgumentType", "%s needs an integer")
		case n < 0:
			return nil, bad("NegativeIntegerArgument", "%s needs an integer that is not negative")
		}
		return n, nil
	}, nil
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
	left, limited := int64(0), p.limit != nil
	skip := int64(0)
	start := func() error {
		for _, a := range []struct {
			f    eval
			into *int64
		}{{p.skip, &skip}, {p.limit, &left}} {
			if a.f != nil {
				v, err := a.f(x, nil)
				if err != nil {
					return err
				}
				*a.into, _ = v.(int64)
			}
		}
		return nil
	}
	started := start()
	pass := func(h held) error {
		if skip > 0 {
			skip--
			return nil
		}
		if limited {
			if left == 0 {
				return errStop
			}
			left--
		}
		out[0] = h.trail
		copy(out[1:], h.values)
		if err := next.push(out); err != nil || !limited || left > 0 {
			return err
		}
		return errStop
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
	project := func(r row) error {
		if started != nil {
			return started
		}
		h := held{values: values}
		if len(p.order) > 0 { // it may be held
			h.values = make([]any, len(p.columns))
		}
		for i, c := range p.columns {
			v, err := c.is(x, r)
			if err != nil {
				return err
			}
			h.values[i] = v
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
				return nil
			}
			if err := x.hold(); err != nil {
				return err
			}
			t = &trail{}
			t.join(r[0])
			seen[string(key)], h.trail = t, t
		}
		for i, c := range p.columns {
			r[c.slot] = h.values[i]
		}
		if p.where != nil {
			if v, err := truth(p.where(x, r)); err != nil || v != true {
				return err
			}
		}
		for _, f := range p.order {
			v, err := f(x, r)
			if err != nil {
				return err
			}
			h.keys = append(h.keys, v)
		}
		return after.push(h)
	}
	if p.grouped {
		return p.grouping(x, project, after.done)
	}
	return sink{project, func() error {
		if started != nil {
			return started
		}
		return after.done()
	}}
}

// holder is a sink of rows that are held.
type holder struct {
	push func(held) error
	done func() error
}

// sorting holds rows until they are in order. Where only the first so many are wanted,
// no more than twice as many are held.
func (p *projection) sorting(x *exec, next holder, most int64, limited bool) holder {
	var rows []held
	sorted := func() { slices.SortStableFunc(rows, p.compare) }
	cut := false // the first so many are in order, and what comes after the last of them is not wanted
	return holder{func(h held) error {
		if cut && (most == 0 || p.compare(h, rows[most-1]) >= 0) {
			return nil
		}
		if err := x.hold(); err != nil {
			return err
		}
		h.trail = keep(h.trail)
		rows = append(rows, h)
		if limited && int64(len(rows)) > 2*most+64 {
			sorted()
			x.rows -= len(rows) - int(most)
			rows, cut = rows[:most], true
		}
		return nil
	}, func() error {
		sorted()
		for _, h := range rows {
			if err := next.push(h); errors.Is(err, errStop) {
				break
			} else if err != nil {
				return err
			}
		}
		return next.done()
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
func (p *projection) grouping(x *exec, project func(row) error, done func() error) sink {
	groups := map[string]*group{}
	var all []*group
	var key []byte
	keys := make([]any, len(p.keys)) // of the row
	begin := func(r row) (*group, error) {
		g := &group{keys: slices.Clone(keys), trail: &trail{}, sums: make([]sum, 0, len(p.tallies))}
		for i := range p.tallies {
			s, err := p.tallies[i].start(x, r)
			if err != nil {
				return nil, err
			}
			g.sums = append(g.sums, s)
		}
		all = append(all, g)
		return g, x.hold()
	}
	push := func(r row) error {
		key = key[:0]
		for i, k := range p.keys {
			v, err := k.is(x, r)
			if err != nil {
				return err
			}
			keys[i] = v
			key = appendKey(key, v)
		}
		g := groups[string(key)]
		if g == nil {
			var err error
			if g, err = begin(r); err != nil {
				return err
			}
			groups[string(key)] = g
		}
		for i := range p.tallies {
			if err := p.tallies[i].add(x, r, g.sums[i]); err != nil {
				return err
			}
		}
		g.trail.join(r[0])
		return nil
	}
	return sink{push, func() error {
		if len(all) == 0 && len(p.keys) == 0 {
			// Nothing to count is counted as none. Arguments see no row.
			if _, err := begin(make(row, 1<<10)); err != nil {
				return err
			}
		}
		r := make(row, *p.in.size)
		for _, g := range all {
			r[0] = g.trail
			for i, k := range p.keys {
				r[k.slot] = g.keys[i]
			}
			for i, s := range g.sums {
				v, err := s.result()
				if err != nil {
					return err
				}
				r[p.tallies[i].slot] = v
			}
			if err := project(r); errors.Is(err, errStop) {
				break
			} else if err != nil {
				return err
			}
		}
		return done()
	}}
}
