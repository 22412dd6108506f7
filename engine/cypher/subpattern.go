package cypher

import "errors"

// where compiles a condition, in which patterns may stand.
func (c *compiler) where(e *Expr, s *scope) (eval, error) {
	c.conditions++
	defer func() { c.conditions-- }()
	f, k, err := c.expr(e, s)
	if err == nil && e != nil {
		err = want(e, k, boolKind)
	}
	return f, err
}

// subpattern compiles patterns and queries within an expression.
func (c *compiler) subpattern(e *Expr, s *scope) (eval, kind, error) {
	if e.Kind == PatternExists && c.conditions == 0 {
		return nil, 0, syntax(e.At, "UnexpectedSyntax", "a pattern is a condition, and stands in WHERE; write exists { … } elsewhere")
	}
	in := s.inner()
	in.known = nil
	var run func(x *exec, r row, emit func(row) error) error
	if e.Query != nil {
		q, err := c.inQuery(e, in)
		if err != nil {
			return nil, 0, err
		}
		run = q
	} else {
		var where *Expr
		if e.Kind != PatternExists && len(e.Args) > 0 {
			where = e.Args[0]
		}
		in.fixed = e.Kind == PatternExists
		m, err := c.pattern(e.Paths, where, in)
		if err != nil {
			return nil, 0, err
		}
		if e.Kind == PatternExists || e.Kind == Exists {
			m.onlyReach(e)
		}
		run = m.match
	}
	switch e.Kind { //nolint:exhaustive // of those that have a pattern
	case CountOf:
		return func(x *exec, r row) (any, error) {
			n := int64(0)
			err := run(x, r, func(row) error { n++; return nil })
			return n, err
		}, intKind, nil
	case PatternComp:
		path := &e.Paths[0]
		if path.Shortest {
			return c.shortestOf(path, in)
		}
		what, _, err := c.expr(e.Args[1], in)
		if err != nil {
			return nil, 0, err
		}
		return func(x *exec, r row) (any, error) {
			l := List{}
			trail := r[0]
			var treads []any
			err := run(x, r, func(r row) error {
				v, err := what(x, r)
				l = append(l, v)
				treads = append(treads, keep(r[0]))
				return err
			})
			r[0] = joined(trail, treads)
			return l, err
		}, listKind, nil
	}
	return func(x *exec, r row) (any, error) {
		before := r[0]
		var trail any
		err := run(x, r, func(r row) error {
			trail = keep(r[0])
			return errStop
		})
		r[0] = before
		if errors.Is(err, errStop) {
			r[0] = trail
			return true, nil
		}
		return false, err
	}, boolKind, nil
}

// onlyReach says of a pattern of one path that it is asked whether there is one, which
// takes time in the nodes that are reached rather than in the paths.
func (m *matchPlan) onlyReach(e *Expr) {
	if len(e.Paths) != 1 || len(m.edges) != 1 || len(m.paths) > 0 {
		return
	}
	if v := &m.edges[0]; v.Many && !v.bound && v.Name == "" && v.Most < 0 && v.Least <= 1 {
		v.reach = true
	}
}

// shortestOf compiles shortestPath as an expression.
func (c *compiler) shortestOf(path *Path, s *scope) (eval, kind, error) {
	named := *path
	named.Name = " path"
	m, err := c.pattern([]Path{named}, nil, s)
	if err != nil {
		return nil, 0, err
	}
	slot := m.paths[0].slot
	return func(x *exec, r row) (any, error) {
		l := List{}
		err := m.match(x, r, func(r row) error {
			l = append(l, r[slot])
			return nil
		})
		if path.All {
			return l, err
		}
		return element(l, 0), err
	}, unknown, nil
}

// inQuery compiles a query in braces.
func (c *compiler) inQuery(e *Expr, s *scope) (func(x *exec, r row, emit func(row) error) error, error) {
	var all []chain
	for i := range e.Query.Parts {
		p := &e.Query.Parts[i]
		k, err := c.part(p, s.inner())
		if err != nil {
			return nil, err
		}
		all = append(all, k)
	}
	return func(x *exec, r row, emit func(row) error) error {
		for _, k := range all {
			if err := k.run(x, r, emit); err != nil {
				return err
			}
		}
		return nil
	}, nil
}
