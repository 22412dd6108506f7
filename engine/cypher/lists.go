package cypher

func (c *compiler) collection(e *Expr, s *scope) (eval, kind, error) {
	fs, _, err := c.all(e.Args, s)
	if err != nil {
		return nil, 0, err
	}
	if e.Kind == MapOf {
		return func(x *exec, r row) (any, error) {
			m := make(Map, len(fs))
			for i, f := range fs {
				v, err := f(x, r)
				if err != nil {
					return nil, err
				}
				m[e.Names[i]] = v
			}
			return m, nil
		}, mapKind, nil
	}
	return func(x *exec, r row) (any, error) {
		list := make(List, len(fs))
		for i, f := range fs {
			v, err := f(x, r)
			if err != nil {
				return nil, err
			}
			list[i] = v
		}
		return list, nil
	}, listKind, nil
}

func (c *compiler) cases(e *Expr, s *scope) (eval, kind, error) {
	fs, _, err := c.all(e.Args, s)
	if err != nil {
		return nil, 0, err
	}
	return func(x *exec, r row) (any, error) {
		var subject any
		var err error
		if fs[0] != nil {
			if subject, err = fs[0](x, r); err != nil {
				return nil, err
			}
		}
		for i := 1; i+1 < len(fs); i += 2 {
			v, err := fs[i](x, r)
			if err != nil {
				return nil, err
			}
			if fs[0] != nil {
				v = equal(subject, v)
			}
			if v == true {
				return fs[i+1](x, r)
			}
		}
		if f := fs[len(fs)-1]; f != nil {
			return f(x, r)
		}
		return nil, nil
	}, unknown, nil
}

// each compiles what goes through a list: comprehensions, quantifiers and reduce.
func (c *compiler) each(e *Expr, s *scope) (eval, kind, error) {
	args := e.Args
	in := s.inner()
	var first eval
	var sum variable
	var err error
	if e.Kind == Reduce {
		if first, _, err = c.expr(args[0], s); err != nil {
			return nil, 0, err
		}
		args = args[1:]
		sum = in.add(e.Names[0], unknown)
	}
	list, k, err := c.expr(args[0], s)
	if err == nil {
		err = want(args[0], k, listKind, relsKind)
	}
	if err != nil {
		return nil, 0, err
	}
	elements := unknown
	switch {
	case k == relsKind:
		elements = relKind
	case args[0].Kind == ListOf && len(args[0].Args) > 0:
		// The elements of a list that is written out are of a kind where all are.
		elements = kindOfValue(args[0].Args[0].Value)
		for _, a := range args[0].Args {
			if kindOfValue(a.Value) != elements {
				elements = unknown
			}
		}
	}
	at := in.add(e.Name, elements)
	for _, a := range args[1:] {
		if a != nil && a.aggregates() {
			return nil, 0, syntax(a.At, "InvalidAggregation", "rows cannot be counted or summed within a list")
		}
	}
	fs, ks, err := c.all(args[1:], in)
	if err != nil {
		return nil, 0, err
	}
	walk := func(x *exec, r row, f func(v any) (bool, error)) (null bool, err error) {
		v, err := list(x, r)
		if err != nil || v == nil {
			return true, err
		}
		l, ok := v.(List)
		if !ok {
			return false, wrongType("InvalidArgumentType", "expected a list, found %s", kindOf(v))
		}
		before := r[at.slot]
		defer func() { r[at.slot] = before }()
		for _, v := range l {
			if err := x.tick(); err != nil {
				return false, err
			}
			r[at.slot] = v
			if more, err := f(v); err != nil || !more {
				return false, err
			}
		}
		return false, nil
	}
	switch e.Kind { //nolint:exhaustive // of those that go through a list
	case Quantifier:
		if err := want(args[1], ks[0], boolKind); err != nil {
			return nil, 0, err
		}
		return quantified(e.Names[0], fs[0], walk), boolKind, nil
	case Reduce:
		return func(x *exec, r row) (any, error) {
			v, err := first(x, r)
			if err != nil {
				return nil, err
			}
			null, err := walk(x, r, func(any) (bool, error) {
				r[sum.slot] = v
				v, err = fs[0](x, r)
				return err == nil, err
			})
			if null {
				v = nil
			}
			return v, err
		}, unknown, nil
	}
	where, what := fs[0], fs[1]
	return func(x *exec, r row) (any, error) {
		result := List{}
		null, err := walk(x, r, func(v any) (bool, error) {
			if where != nil {
				if yes, err := where(x, r); err != nil || yes != true {
					return err == nil, err
				}
			}
			if what != nil {
				var err error
				if v, err = what(x, r); err != nil {
					return false, err
				}
			}
			result = append(result, v)
			return true, nil
		})
		if null || err != nil {
			return nil, err
		}
		return result, nil
	}, listKind, nil
}

// quantified computes all, any, none and single; what is not known makes the result null
// unless the rest decides.
func quantified(which string, where eval, walk func(*exec, row, func(any) (bool, error)) (bool, error)) eval {
	return func(x *exec, r row) (any, error) {
		yes, no, open := 0, 0, 0
		null, err := walk(x, r, func(any) (bool, error) {
			v, err := truth(where(x, r))
			switch v {
			case true:
				yes++
			case false:
				no++
			default:
				open++
			}
			return err == nil, err
		})
		if null || err != nil {
			return nil, err
		}
		known := func(decided, result bool) (any, error) {
			if decided || open == 0 {
				return result, nil
			}
			return nil, nil
		}
		switch which {
		case "all":
			return known(no > 0, no == 0)
		case "any":
			return known(yes > 0, yes > 0)
		case "none":
			return known(yes > 0, yes == 0)
		}
		return known(yes > 1, yes == 1)
	}
}
