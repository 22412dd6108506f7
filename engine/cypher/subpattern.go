package cypher

// where compiles a condition, in which patterns may stand.
func (c *compiler) where(e *Expr, s *scope) eval {
	c.conditions++
	defer func() { c.conditions-- }()
	f, k := c.expr(e, s)
	if e != nil {
		want(e, k, boolKind)
	}
	return f
}

// subpattern compiles patterns and queries within an expression.
func (c *compiler) subpattern(e *Expr, s *scope) (eval, kind) {
	if e.Kind == PatternExists && c.conditions == 0 {
		panic(syntax(e.At, "UnexpectedSyntax", "a pattern is a condition and belongs in WHERE; write exists { … } elsewhere"))
	}
	in := s.inner()
	in.known = nil
	var run func(x *exec, r row, emit func(row) bool) bool
	if e.Query != nil {
		run = c.inQuery(e, in)
	} else {
		var where *Expr
		if e.Kind != PatternExists && len(e.Args) > 0 {
			where = e.Args[0]
		}
		in.fixed = e.Kind == PatternExists
		m := c.pattern(e.Paths, where, in)
		if e.Kind == PatternExists || e.Kind == Exists {
			m.onlyReach(e)
		}
		run = m.match
	}
	switch e.Kind { //nolint:exhaustive // of those that have a pattern
	case CountOf:
		return func(x *exec, r row) any {
			n := int64(0)
			run(x, r, func(row) bool { n++; return true })
			return n
		}, intKind
	case PatternComp:
		path := &e.Paths[0]
		if path.Shortest {
			return c.shortestOf(path, in)
		}
		what, _ := c.expr(e.Args[1], in)
		return func(x *exec, r row) any {
			l := List{}
			treads := []any{r[0]}
			run(x, r, func(r row) bool {
				l = append(l, what(x, r))
				treads = append(treads, keep(r[0]))
				return true
			})
			r[0] = joined(treads...)
			return l
		}, listKind
	}
	return func(x *exec, r row) any {
		found, trail := false, r[0]
		run(x, r, func(r row) bool {
			found, trail = true, keep(r[0])
			return false
		})
		r[0] = trail
		return found
	}, boolKind
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
func (c *compiler) shortestOf(path *Path, s *scope) (eval, kind) {
	named := *path
	named.Name = " path"
	m := c.pattern([]Path{named}, nil, s)
	slot := m.paths[0].slot
	return func(x *exec, r row) any {
		l := List{}
		m.match(x, r, func(r row) bool {
			l = append(l, r[slot])
			return true
		})
		if path.All {
			return l
		}
		return element(l, 0)
	}, unknown
}

func (c *compiler) inQuery(e *Expr, s *scope) func(x *exec, r row, emit func(row) bool) bool {
	var all []chain
	for i := range e.Query.Parts {
		all = append(all, c.part(&e.Query.Parts[i], s.inner()))
	}
	return func(x *exec, r row, emit func(row) bool) bool {
		more := true
		for _, k := range all {
			k.run(x, r, func(r row) bool {
				more = emit(r)
				return more
			})
			if !more {
				return false
			}
		}
		return true
	}
}
