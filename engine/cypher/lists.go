package cypher

func (c *compiler) collection(e *Expr, s *scope) (eval, kind) {
	fs, _ := c.all(e.Args, s)
	if e.Kind == MapOf {
		return func(x *exec, r row) any {
			m := make(Map, len(fs))
			for i, f := range fs {
				m[e.Names[i]] = f(x, r)
			}
			return m
		}, mapKind
	}
	return func(x *exec, r row) any {
		list := make(List, len(fs))
		for i, f := range fs {
			list[i] = f(x, r)
		}
		return list
	}, listKind
}

func (c *compiler) cases(e *Expr, s *scope) (eval, kind) {
	fs, _ := c.all(e.Args, s)
	return func(x *exec, r row) any {
		var subject any
		if fs[0] != nil {
			subject = fs[0](x, r)
		}
		for i := 1; i+1 < len(fs); i += 2 {
			v := fs[i](x, r)
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
		return nil
	}, unknown
}

// each compiles what goes through a list: comprehensions, quantifiers and reduce.
func (c *compiler) each(e *Expr, s *scope) (eval, kind) {
	args := e.Args
	in := s.inner()
	var first eval
	var sum variable
	if e.Kind == Reduce {
		first, _ = c.expr(args[0], s)
		args = args[1:]
		sum = in.add(e.Names[0], unknown)
	}
	list, k := c.expr(args[0], s)
	want(args[0], k, listKind, relsKind)
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
			panic(syntax(a.At, "InvalidAggregation", "a list cannot contain aggregates"))
		}
	}
	fs, ks := c.all(args[1:], in)
	walk := func(x *exec, r row, f func(v any)) (null bool) {
		v := list(x, r)
		if v == nil {
			return true
		}
		l, ok := v.(List)
		if !ok {
			panic(wrongType("InvalidArgumentType", "expected a list, found %s", kindOf(v)))
		}
		before := r[at.slot]
		defer func() { r[at.slot] = before }()
		for _, v := range l {
			x.tick()
			r[at.slot] = v
			f(v)
		}
		return false
	}
	switch e.Kind { //nolint:exhaustive // of those that go through a list
	case Quantifier:
		want(args[1], ks[0], boolKind)
		return quantified(e.Names[0], fs[0], walk), boolKind
	case Reduce:
		return func(x *exec, r row) any {
			v := first(x, r)
			null := walk(x, r, func(any) {
				r[sum.slot] = v
				v = fs[0](x, r)
			})
			if null {
				return nil
			}
			return v
		}, unknown
	}
	where, what := fs[0], fs[1]
	return func(x *exec, r row) any {
		result := List{}
		null := walk(x, r, func(v any) {
			if where != nil && where(x, r) != true {
				return
			}
			if what != nil {
				v = what(x, r)
			}
			result = append(result, v)
		})
		if null {
			return nil
		}
		return result
	}, listKind
}

// quantified computes all, any, none and single; what is not known makes the result null
// unless the rest decides.
func quantified(which string, where eval, walk func(*exec, row, func(any)) bool) eval {
	return func(x *exec, r row) any {
		yes, no, open := 0, 0, 0
		null := walk(x, r, func(any) {
			switch truth(where(x, r)) {
			case true:
				yes++
			case false:
				no++
			default:
				open++
			}
		})
		if null {
			return nil
		}
		known := func(decided, result bool) any {
			if decided || open == 0 {
				return result
			}
			return nil
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
