package cypher

import (
	"fmt"
	"maps"
	"math"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"cairn/internal/wording"
)

// function is what can be called: how many arguments it takes, of which kinds, and how
// it is computed. Where the first argument is null, so is the result, unless nulls.
type function struct {
	least, most int
	first       []kind // that the first argument may be of; nil for all
	result      kind
	nulls       bool
	do          func(x *exec, args []any) any
}

// wrong is the error of an argument that a function does not take.
func wrong(name string, v any) *Error {
	return wrongType("InvalidArgumentType", "%s does not take %s", name, kindOf(v))
}

// outOfRange is the error of a number that a function does not take.
func outOfRange(format string, args ...any) *Error {
	e := wrongType("NumberOutOfRange", format, args...)
	e.Kind = ErrArgument
	return e
}

// taking is how something of one type is computed from; refuse is the error for others.
func taking[T any](name string, refuse func(name string, v any) *Error, f func(*exec, T) any) func(*exec, []any) any {
	return func(x *exec, a []any) any {
		v, ok := a[0].(T)
		if !ok {
			panic(refuse(name, a[0]))
		}
		return f(x, v)
	}
}

// math1 is a function of one number.
func math1(name string, f func(float64) float64) function {
	return function{1, 1, []kind{floatKind, intKind}, floatKind, false, func(_ *exec, a []any) any {
		return f(numeric(name, a[0]))
	}}
}

// numeric is an argument of a function of numbers.
func numeric(name string, v any) float64 {
	f, ok := asFloat(v)
	if !ok {
		panic(wrong(name, v))
	}
	return f
}

// texts are the arguments of a function of texts.
func texts(name string, a []any) []string {
	return wording.Each(a, func(v any) string {
		s, ok := v.(string)
		if !ok {
			panic(wrong(name, v))
		}
		return s
	})
}

// text1 is a function of a text.
func text1(name string, f func(string) any) function {
	return function{1, 1, []kind{textKind}, unknown, false, taking(name, wrong, func(_ *exec, s string) any { return f(s) })}
}

// listed is a function of a list.
func listed(name string, f func(List) any) function {
	return function{1, 1, []kind{listKind, relsKind}, unknown, false, taking(name, wrong, func(_ *exec, l List) any { return f(l) })}
}

// functions are those that compute one value from others, by name in lower case.
var functions map[string]function

func init() {
	const ends = "startNode and endNode"
	functions = map[string]function{
		// of the graph
		"id":        {1, 1, []kind{nodeKind, relKind}, intKind, false, identity},
		"elementid": {1, 1, []kind{nodeKind, relKind}, textKind, false, identity},
		"labels":    {1, 1, []kind{nodeKind}, listKind, false, taking("labels", unfit, func(x *exec, n Node) any { return listOf(x.g.Labels(n)) })},
		"type":      {1, 1, []kind{relKind}, textKind, false, taking("type", unfit, func(x *exec, r Rel) any { return x.g.Type(r) })},
		"startnode": {1, 1, []kind{relKind}, nodeKind, false, taking(ends, unfit, func(x *exec, r Rel) any {
			from, _ := x.g.Ends(r)
			return from
		})},
		"endnode": {1, 1, []kind{relKind}, nodeKind, false, taking(ends, unfit, func(x *exec, r Rel) any {
			_, to := x.g.Ends(r)
			return to
		})},
		"properties":    {1, 1, []kind{nodeKind, relKind, mapKind}, mapKind, false, propertiesOf},
		"keys":          {1, 1, []kind{nodeKind, relKind, mapKind}, listKind, false, keysOf},
		"nodes":         {1, 1, []kind{walkKind}, listKind, false, taking("nodes", wrong, func(_ *exec, w Walk) any { return listOf(w.Nodes) })},
		"relationships": {1, 1, []kind{walkKind}, relsKind, false, taking("relationships", wrong, func(_ *exec, w Walk) any { return listOf(w.Rels) })},
		"length":        {1, 1, []kind{walkKind}, intKind, false, taking("length", wrong, func(_ *exec, w Walk) any { return int64(len(w.Rels)) })},
		"exists":        {1, 1, nil, boolKind, true, func(_ *exec, a []any) any { return a[0] != nil && a[0] != false }},

		// of lists
		"size":    {1, 1, []kind{listKind, relsKind, textKind}, intKind, false, sizeOf},
		"head":    listed("head", func(l List) any { return element(l, 0) }),
		"last":    listed("last", func(l List) any { return element(l, len(l)-1) }),
		"tail":    listed("tail", func(l List) any { return l[min(1, len(l)):] }),
		"range":   {2, 3, nil, listKind, false, rangeOf},
		"reverse": {1, 1, []kind{listKind, relsKind, textKind}, unknown, false, reverseOf},
		"isempty": {1, 1, []kind{listKind, relsKind, textKind, mapKind}, boolKind, false, isEmpty},

		// of any values
		"coalesce": {1, -1, nil, unknown, true, func(_ *exec, a []any) any {
			return element(a, slices.IndexFunc(a, func(v any) bool { return v != nil }))
		}},
		"nullif": {2, 2, nil, unknown, true, func(_ *exec, a []any) any {
			if equal(a[0], a[1]) == true {
				return nil
			}
			return a[0]
		}},
		"tostring":        {1, 1, []kind{textKind, intKind, floatKind, boolKind}, textKind, false, toString},
		"tointeger":       {1, 1, []kind{textKind, intKind, floatKind, boolKind}, intKind, false, toInteger},
		"tofloat":         {1, 1, []kind{textKind, intKind, floatKind}, floatKind, false, toFloat},
		"toboolean":       {1, 1, []kind{textKind, boolKind, intKind}, boolKind, false, toBoolean},
		"tostringornull":  orNull(toString),
		"tointegerornull": orNull(toInteger),
		"tofloatornull":   orNull(toFloat),
		"tobooleanornull": orNull(toBoolean),

		// of texts
		"toupper": text1("toUpper", func(s string) any { return strings.ToUpper(s) }),
		"upper":   text1("upper", func(s string) any { return strings.ToUpper(s) }),
		"tolower": text1("toLower", func(s string) any { return strings.ToLower(s) }),
		"lower":   text1("lower", func(s string) any { return strings.ToLower(s) }),
		"trim":    text1("trim", func(s string) any { return strings.TrimSpace(s) }),
		"ltrim":   text1("ltrim", func(s string) any { return strings.TrimLeft(s, " \t\r\n") }),
		"rtrim":   text1("rtrim", func(s string) any { return strings.TrimRight(s, " \t\r\n") }),
		"split": {2, 2, []kind{textKind}, listKind, false, func(_ *exec, a []any) any {
			s := texts("split", a)
			return listOf(strings.Split(s[0], s[1]))
		}},
		"replace": {3, 3, []kind{textKind}, textKind, false, func(_ *exec, a []any) any {
			s := texts("replace", a)
			return strings.ReplaceAll(s[0], s[1], s[2])
		}},
		"substring": {2, 3, []kind{textKind}, textKind, false, func(_ *exec, a []any) any {
			return substring("substring", a, func(n, from, length int) (int, int) { return from, from + min(length, n-from) })
		}},
		"left": {2, 2, []kind{textKind}, textKind, false, func(_ *exec, a []any) any {
			return substring("left", a, func(n, length, _ int) (int, int) { return 0, length })
		}},
		"right": {2, 2, []kind{textKind}, textKind, false, func(_ *exec, a []any) any {
			return substring("right", a, func(n, length, _ int) (int, int) { return n - length, n })
		}},

		// of numbers
		"abs": {1, 1, []kind{intKind, floatKind}, unknown, false, func(_ *exec, a []any) any {
			if i, ok := a[0].(int64); ok && i < 0 {
				return integers("-", 0, i)
			} else if ok {
				return i
			}
			return math.Abs(numeric("abs", a[0]))
		}},
		"sign": {1, 1, []kind{intKind, floatKind}, intKind, false, func(_ *exec, a []any) any {
			switch f := numeric("sign", a[0]); {
			case f > 0:
				return int64(1)
			case f < 0:
				return int64(-1)
			}
			return int64(0)
		}},
		"round": {1, 2, []kind{intKind, floatKind}, floatKind, false, round},
		"isnan": {1, 1, []kind{intKind, floatKind}, boolKind, false, func(_ *exec, a []any) any { return isNaN(a[0]) }},
		"atan2": {2, 2, []kind{intKind, floatKind}, floatKind, false, func(_ *exec, a []any) any {
			return math.Atan2(numeric("atan2", a[0]), numeric("atan2", a[1]))
		}},
		"pi":   {0, 0, nil, floatKind, true, func(*exec, []any) any { return math.Pi }},
		"e":    {0, 0, nil, floatKind, true, func(*exec, []any) any { return math.E }},
		"rand": {0, 0, nil, floatKind, true, func(*exec, []any) any { return rand.Float64() }},
	}
	for name, f := range map[string]func(float64) float64{
		"ceil": math.Ceil, "floor": math.Floor, "sqrt": math.Sqrt, "exp": math.Exp, "log": math.Log, "log10": math.Log10,
		"sin": math.Sin, "cos": math.Cos, "tan": math.Tan, "asin": math.Asin, "acos": math.Acos, "atan": math.Atan,
		"cot":      func(f float64) float64 { return 1 / math.Tan(f) },
		"degrees":  func(f float64) float64 { return f * 180 / math.Pi },
		"radians":  func(f float64) float64 { return f * math.Pi / 180 },
		"haversin": func(f float64) float64 { return (1 - math.Cos(f)) / 2 },
	} {
		functions[name] = math1(name, f)
	}
	addMoments()
	addDurations()
}

func (c *compiler) call(e *Expr, s *scope) (eval, kind) {
	if aggregates[e.Name] != nil {
		panic(syntax(e.At, "InvalidAggregation", "%s is an aggregate: it can be used only in WITH or RETURN", e.Name))
	}
	f, ok := functions[e.Name]
	if !ok {
		names := slices.Concat(slices.Collect(maps.Keys(functions)), slices.Collect(maps.Keys(aggregates)))
		slices.Sort(names)
		panic(syntax(e.At, "UnknownFunction", "there is no function %s%s", e.Name, didYouMean(nearest(e.Name, names))))
	}
	if n := len(e.Args); n < f.least || f.most >= 0 && n > f.most {
		panic(syntax(e.At, "InvalidNumberOfArguments", "%s takes %d arguments, found %d", e.Name, f.least, n))
	}
	if e.Distinct {
		panic(syntax(e.At, "UnexpectedSyntax", "DISTINCT cannot be used in %s", e.Name))
	}
	var fs []eval
	for i, a := range e.Args {
		if e.Name == "exists" {
			c.conditions++
		}
		g, k := c.expr(a, s)
		if e.Name == "exists" {
			c.conditions--
		}
		if i == 0 && f.first != nil {
			want(a, k, f.first...)
		}
		fs = append(fs, g)
	}
	return func(x *exec, r row) any {
		args := make([]any, len(fs))
		for i, g := range fs {
			v := g(x, r)
			if v == nil && !f.nulls {
				return nil
			}
			args[i] = v
		}
		return f.do(x, args)
	}, f.result
}

func element[L ~[]any](l L, i int) any {
	if i < 0 || i >= len(l) {
		return nil
	}
	return l[i]
}

func identity(_ *exec, a []any) any {
	switch v := a[0].(type) {
	case Node:
		return int64(v)
	case Rel:
		return int64(v)
	}
	panic(unfit("id", a[0]))
}

func listOf[T any](of []T) List {
	l := make(List, len(of))
	for i, v := range of {
		l[i] = v
	}
	return l
}

func keysOf(x *exec, a []any) any {
	switch v := a[0].(type) {
	case Node:
		return listOf(x.g.Keys(v))
	case Rel:
		return listOf(x.g.RelKeys(v))
	case Map:
		return listOf(slices.Sorted(maps.Keys(v)))
	}
	panic(wrong("keys", a[0]))
}

func propertiesOf(x *exec, a []any) any {
	m := Map{}
	switch v := a[0].(type) {
	case Node:
		for _, k := range x.g.Keys(v) {
			m[k], _ = x.g.Of(v, k)
		}
	case Rel:
		for _, k := range x.g.RelKeys(v) {
			m[k] = x.g.OfRel(v, k)
		}
	case Map:
		return v
	default:
		panic(wrong("properties", a[0]))
	}
	return m
}

func sizeOf(_ *exec, a []any) any {
	switch v := a[0].(type) {
	case List:
		return int64(len(v))
	case string:
		return int64(utf8.RuneCountInString(v))
	}
	panic(wrong("size", a[0]))
}

func isEmpty(_ *exec, a []any) any {
	if m, ok := a[0].(Map); ok {
		return len(m) == 0
	}
	return sizeOf(nil, a) == int64(0)
}

func reverseOf(_ *exec, a []any) any {
	switch v := a[0].(type) {
	case List:
		l := slices.Clone(v)
		slices.Reverse(l)
		return l
	case string:
		s := []rune(v)
		slices.Reverse(s)
		return string(s)
	}
	panic(wrong("reverse", a[0]))
}

func rangeOf(x *exec, a []any) any {
	bounds := [3]int64{2: 1}
	for i, v := range a {
		n, ok := v.(int64)
		if !ok {
			panic(&Error{Kind: ErrArgument, Code: "InvalidArgumentType", What: "range takes integers, found " + kindOf(v), at: -1})
		}
		bounds[i] = n
	}
	from, to, step := bounds[0], bounds[1], bounds[2]
	if step == 0 {
		panic(outOfRange("range needs a step other than 0"))
	}
	l := List{}
	for i := from; step > 0 && i <= to || step < 0 && i >= to; i += step {
		x.tick()
		l = append(l, i)
		if next := i + step; (next > i) != (step > 0) {
			break // beyond the integers
		}
	}
	return l
}

func orNull(f func(*exec, []any) any) function {
	return function{1, 1, nil, unknown, false, func(x *exec, a []any) (v any) {
		var err error // null is what the function is for
		defer caught(&err, "")
		return f(x, a)
	}}
}

// unfit is the error of a value that cannot be turned into another kind.
func unfit(name string, v any) *Error {
	return wrongType("InvalidArgumentValue", "%s does not take %s", name, kindOf(v))
}

func toString(_ *exec, a []any) any {
	switch v := a[0].(type) {
	case string:
		return v
	case bool, int64, float64:
		return Text(v)
	case fmt.Stringer: // a value of time
		return v.String()
	}
	panic(unfit("toString", a[0]))
}

func toInteger(_ *exec, a []any) any {
	switch v := a[0].(type) {
	case int64:
		return v
	case bool:
		if v {
			return int64(1)
		}
		return int64(0)
	case float64:
		return whole(v)
	case string:
		s := strings.TrimSpace(v)
		if i, err := strconv.ParseInt(s, 10, 64); err == nil {
			return i
		}
		if f, err := strconv.ParseFloat(s, 64); err == nil {
			return whole(f)
		}
		return nil
	}
	panic(unfit("toInteger", a[0]))
}

// whole cuts a number off at its point; null where that is no integer.
func whole(f float64) any {
	if math.IsNaN(f) || f >= 1<<63 || f < -1<<63 {
		return nil
	}
	return int64(f)
}

func toFloat(_ *exec, a []any) any {
	if f, ok := asFloat(a[0]); ok {
		return f
	}
	s, ok := a[0].(string)
	if !ok {
		panic(unfit("toFloat", a[0]))
	}
	f, err := strconv.ParseFloat(strings.TrimSpace(s), 64)
	if err != nil {
		return nil // a text that is no number gives null
	}
	return f
}

func toBoolean(_ *exec, a []any) any {
	switch v := a[0].(type) {
	case bool:
		return v
	case int64:
		return v != 0
	case string:
		switch strings.ToLower(strings.TrimSpace(v)) {
		case "true":
			return true
		case "false":
			return false
		}
		return nil
	}
	panic(unfit("toBoolean", a[0]))
}

// substring cuts a text at characters: cut has their number and what the call says.
func substring(name string, a []any, cut func(n, i, j int) (from, to int)) any {
	s, ok := a[0].(string)
	if !ok {
		panic(wrong(name, a[0]))
	}
	numbers := [2]int{1: math.MaxInt32}
	for i, v := range a[1:] {
		n, ok := v.(int64)
		if !ok {
			panic(wrong(name, v))
		}
		if n < 0 {
			panic(outOfRange("%s takes no negative numbers", name))
		}
		numbers[i] = int(min(n, math.MaxInt32))
	}
	runes := []rune(s)
	clip := func(i int) int { return min(max(i, 0), len(runes)) }
	from, to := cut(len(runes), numbers[0], numbers[1])
	return string(runes[clip(from):max(clip(from), clip(to))])
}

func round(_ *exec, a []any) any {
	f := numeric("round", a[0])
	scale := 1.0
	if len(a) > 1 {
		n, ok := a[1].(int64)
		if !ok {
			panic(wrong("round", a[1]))
		}
		scale = math.Pow(10, float64(n))
	}
	// Halves are rounded up: -1.5 becomes -1.
	return math.Floor(f*scale+0.5) / scale
}
