package cypher

import (
	"cmp"
	"encoding/binary"
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"

	"cairn/internal/wording"
)

// A value is nil, a bool, an int64, a float64, a string, a Node, a Rel, a Moment, a
// Duration, or one of these.
type (
	// List is a list of values.
	List []any
	// Map has values by name.
	Map map[string]any
	// Walk is a path: Rels[i] joins Nodes[i] to Nodes[i+1], either way.
	Walk struct {
		Nodes []Node
		Rels  []Rel
	}
)

// rank orders values of different kinds: maps first, null last (openCypher CIP2016-06-14).
func rank(v any) int {
	switch v.(type) {
	case Map:
		return 0
	case Node:
		return 1
	case Rel:
		return 2
	case List:
		return 3
	case Walk:
		return 4
	case Duration:
		return 10
	case string:
		return 11
	case bool:
		return 12
	case int64, float64:
		return 13
	}
	if m, ok := v.(Moment); ok {
		return 5 + int(m.kind)
	}
	return 14
}

// kindOf names the kind of a value in a sentence.
func kindOf(v any) string {
	return []string{"a map", "a node", "a relationship", "a list", "a path", "a date with time", "a date with time", "a date", "a time", "a time", "a duration", "a text", "true or false", "a number", "null"}[rank(v)]
}

// as takes a value for one of a kind, which it is.
func as[T any](v any) T {
	t, _ := v.(T)
	return t
}

// asFloat returns a value as a float, and whether it is a number.
func asFloat(v any) (float64, bool) {
	switch v := v.(type) {
	case int64:
		return float64(v), true
	case float64:
		return v, true
	}
	return 0, false
}

// compareNumbers compares two numbers without rounding integers; NaN is the largest.
func compareNumbers(a, b any) int {
	if x, ok := a.(int64); ok {
		switch y := b.(type) {
		case int64:
			return cmp.Compare(x, y)
		case float64:
			return compareMixed(x, y)
		}
	}
	x, _ := asFloat(a)
	if y, ok := b.(int64); ok {
		return -compareMixed(y, x)
	}
	y, _ := asFloat(b)
	switch {
	case math.IsNaN(x) && math.IsNaN(y):
		return 0
	case math.IsNaN(x):
		return 1
	case math.IsNaN(y):
		return -1
	}
	return cmp.Compare(x, y)
}

func compareMixed(x int64, y float64) int {
	switch {
	case math.IsNaN(y), y >= 1<<63:
		return -1
	case y < -1<<63:
		return 1
	}
	whole := math.Trunc(y)
	if c := cmp.Compare(x, int64(whole)); c != 0 {
		return c
	}
	return cmp.Compare(0, y-whole)
}

func isNaN(v any) bool {
	f, ok := v.(float64)
	return ok && math.IsNaN(f)
}

// equal says whether two values are equal: true, false, or nil where that is not known.
func equal(a, b any) any {
	if a == nil || b == nil {
		return nil
	}
	if rank(a) != rank(b) {
		least, most, ok := dated(a, b)
		switch {
		case !ok || least > 0 || most < 0:
			return false
		case least != most:
			return nil
		}
		return true
	}
	switch a := a.(type) {
	case Moment:
		return a.t.Compare(as[Moment](b).t) == 0
	case List:
		return equalAll(len(a), len(as[List](b)), func(i int) any { return equal(a[i], as[List](b)[i]) })
	case Map:
		b := as[Map](b)
		keys := slices.Sorted(maps.Keys(a))
		for _, k := range keys {
			if _, ok := b[k]; !ok {
				return false
			}
		}
		return equalAll(len(a), len(b), func(i int) any { return equal(a[keys[i]], b[keys[i]]) })
	case Walk:
		b := as[Walk](b)
		return slices.Equal(a.Nodes, b.Nodes) && slices.Equal(a.Rels, b.Rels)
	case int64, float64:
		return !isNaN(a) && !isNaN(b) && compareNumbers(a, b) == 0
	}
	return a == b
}

// equalAll joins what is known of the parts of two values of n and m parts.
func equalAll(n, m int, part func(int) any) any {
	if n != m {
		return false
	}
	var result any = true
	for i := range n {
		switch part(i) {
		case false:
			return false
		case nil:
			result = nil
		}
	}
	return result
}

// less compares two values of a kind that has an order: negative, 0 or positive, and
// ok false where it is not known.
func less(a, b any) (c int, ok bool) {
	if a == nil || b == nil || rank(a) != rank(b) {
		least, most, ok := dated(a, b)
		return least, ok && least == most
	}
	switch a := a.(type) {
	case Moment, string, bool, int64, float64:
		return order(a, b), true
	case List:
		b := as[List](b)
		for i := range min(len(a), len(b)) {
			if c, ok := less(a[i], b[i]); !ok || c != 0 {
				return c, ok
			}
		}
		return cmp.Compare(len(a), len(b)), true
	}
	return 0, false
}

// order compares any two values for ORDER BY.
func order(a, b any) int {
	if c := cmp.Compare(rank(a), rank(b)); c != 0 || a == nil {
		return c
	}
	switch a := a.(type) {
	case string:
		return strings.Compare(a, as[string](b))
	case bool:
		switch {
		case a == b:
			return 0
		case a:
			return 1
		}
		return -1
	case int64, float64:
		return compareNumbers(a, b)
	case Moment:
		return a.t.Compare(as[Moment](b).t)
	case Duration:
		return compareDurations(a, as[Duration](b))
	case Node:
		return cmp.Compare(a, as[Node](b))
	case Rel:
		return cmp.Compare(a, as[Rel](b))
	case List:
		return slices.CompareFunc(a, as[List](b), order)
	case Walk:
		return cmp.Or(slices.Compare(a.Nodes, as[Walk](b).Nodes), slices.Compare(a.Rels, as[Walk](b).Rels))
	case Map:
		b := as[Map](b)
		x, y := slices.Sorted(maps.Keys(a)), slices.Sorted(maps.Keys(b))
		if c := slices.Compare(x, y); c != 0 {
			return c
		}
		for _, k := range x {
			if c := order(a[k], b[k]); c != 0 {
				return c
			}
		}
	}
	return 0
}

// appendKey appends bytes that are the same for values that are the same to DISTINCT and
// to grouping: null is the same as null, NaN as NaN, 1 as 1.0.
func appendKey(b []byte, v any) []byte {
	b = append(b, byte('0'+rank(v)))
	text := func(s string) {
		b = binary.AppendUvarint(b, uint64(len(s)))
		b = append(b, s...)
	}
	switch v := v.(type) {
	case string:
		text(v)
	case Moment:
		b = binary.AppendVarint(binary.AppendVarint(b, v.t.Unix()), int64(v.t.Nanosecond()))
	case Duration:
		for _, n := range []int64{v.Months, v.Days, v.Seconds, v.Nanos} {
			b = binary.AppendVarint(b, n)
		}
	case bool:
		b = strconv.AppendBool(b, v)
	case int64:
		b = binary.AppendVarint(append(b, 'i'), v)
	case float64:
		if v == math.Trunc(v) && v >= -1<<63 && v < 1<<63 {
			return binary.AppendVarint(append(b, 'i'), int64(v))
		}
		if math.IsNaN(v) {
			v = math.NaN()
		}
		b = binary.BigEndian.AppendUint64(append(b, 'f'), math.Float64bits(v))
	case Node:
		b = binary.AppendUvarint(b, uint64(v))
	case Rel:
		b = binary.AppendUvarint(b, uint64(v))
	case List:
		b = binary.AppendUvarint(b, uint64(len(v)))
		for _, x := range v {
			b = appendKey(b, x)
		}
	case Map:
		b = binary.AppendUvarint(b, uint64(len(v)))
		for _, k := range slices.Sorted(maps.Keys(v)) {
			text(k)
			b = appendKey(b, v[k])
		}
	case Walk:
		b = binary.AppendUvarint(b, uint64(len(v.Nodes)))
		for _, n := range v.Nodes {
			b = binary.AppendUvarint(b, uint64(n))
		}
		for _, r := range v.Rels {
			b = binary.AppendUvarint(b, uint64(r))
		}
	}
	return b
}

// Text writes a value that is no part of a graph, as a query would.
func Text(v any) string {
	switch v := v.(type) {
	case nil:
		return "null"
	case bool:
		return strconv.FormatBool(v)
	case int64:
		return strconv.FormatInt(v, 10)
	case float64:
		return floatText(v)
	case string:
		return quote(v)
	case fmt.Stringer: // a value of time
		return quote(v.String())
	case List:
		parts := wording.Each(v, Text)
		return "[" + strings.Join(parts, ", ") + "]"
	case Map:
		parts := wording.Each(slices.Sorted(maps.Keys(v)), func(k string) string { return Name(k) + ": " + Text(v[k]) })
		return "{" + strings.Join(parts, ", ") + "}"
	}
	return kindOf(v)
}

func floatText(f float64) string {
	switch {
	case math.IsNaN(f):
		return "NaN"
	case math.IsInf(f, 1):
		return "Infinity"
	case math.IsInf(f, -1):
		return "-Infinity"
	}
	if a := math.Abs(f); a != 0 && (a < 1e-6 || a >= 1e21) {
		return strings.Replace(strconv.FormatFloat(f, 'e', -1, 64), "e+", "e", 1)
	}
	s := strconv.FormatFloat(f, 'f', -1, 64)
	if !strings.Contains(s, ".") {
		s += ".0"
	}
	return s
}

// quote writes a text as Cypher does.
func quote(s string) string {
	return "'" + strings.NewReplacer(`\`, `\\`, `'`, `\'`, "\n", `\n`, "\r", `\r`, "\t", `\t`).Replace(s) + "'"
}

// Name writes a name of a label, a type or a property, in backticks where it needs them.
func Name(name string) string {
	if name != "" && !isDigit(rune(name[0])) && wordEnd(name, 0) == len(name) {
		return name
	}
	return "`" + strings.ReplaceAll(name, "`", "``") + "`"
}
