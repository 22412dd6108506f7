package cypher

import (
	"math"
	"slices"
)

// sum is what becomes of the values of one aggregate in one group of rows.
type sum interface {
	add(v any)
	result() any
}

// aggregates make the sums of functions that go over rows, by name. more is their second
// argument.
var aggregates = map[string]func(more any) sum{
	"count":   func(any) sum { return new(counted) },
	"collect": func(any) sum { return &collected{list: List{}} },
	"sum":     func(any) sum { return &added{total: int64(0)} },
	"avg":     func(any) sum { return new(averaged) },
	"min":     func(any) sum { return &extreme{sign: 1} },
	"max":     func(any) sum { return &extreme{sign: -1} },
	"stdev":   func(any) sum { return &deviation{sample: 1} },
	"stdevp":  func(any) sum { return new(deviation) },
	"percentiledisc": func(more any) sum {
		return newPercentile(more, func(s []any, p float64) any {
			return s[max(0, int(math.Ceil(p*float64(len(s))))-1)]
		})
	},
	"percentilecont": func(more any) sum {
		return newPercentile(more, func(s []any, p float64) any {
			at := p * float64(len(s)-1)
			low, _ := asFloat(s[int(math.Floor(at))])
			high, _ := asFloat(s[int(math.Ceil(at))])
			return low + (high-low)*(at-math.Floor(at))
		})
	},
}

type counted struct{ n int64 }

func (s *counted) add(any)     { s.n++ }
func (s *counted) result() any { return s.n }

type collected struct{ list List }

func (s *collected) add(v any)   { s.list = append(s.list, v) }
func (s *collected) result() any { return s.list }

type added struct{ total any }

func (s *added) add(v any) {
	_ = numeric("sum", v)
	s.total = arithmetic("+", s.total, v)
}

func (s *added) result() any { return s.total }

type averaged struct {
	n     int
	total float64
}

func (s *averaged) add(v any) {
	s.n++
	s.total += numeric("avg", v)
}

func (s *averaged) result() any {
	if s.n == 0 {
		return nil
	}
	return s.total / float64(s.n)
}

type extreme struct {
	sign  int
	value any
}

func (s *extreme) add(v any) {
	if s.value == nil || s.sign*order(v, s.value) < 0 {
		s.value = v
	}
}

func (s *extreme) result() any { return s.value }

// deviation is Welford's.
type deviation struct {
	sample, n float64
	mean, m2  float64
}

func (s *deviation) add(v any) {
	f := numeric("stdev", v)
	s.n++
	d := f - s.mean
	s.mean += d / s.n
	s.m2 += d * (f - s.mean)
}

func (s *deviation) result() any {
	if s.n <= s.sample {
		return 0.0
	}
	return math.Sqrt(s.m2 / (s.n - s.sample))
}

type percentile struct {
	at     float64
	values []any
	pick   func(sorted []any, p float64) any
}

func newPercentile(at any, pick func([]any, float64) any) sum {
	p := numeric("a percentile", at)
	if !(p >= 0 && p <= 1) {
		panic(outOfRange("a percentile lies between 0 and 1"))
	}
	return &percentile{p, nil, pick}
}

func (s *percentile) add(v any) {
	_ = numeric("a percentile", v)
	s.values = append(s.values, v)
}

func (s *percentile) result() any {
	if len(s.values) == 0 {
		return nil
	}
	slices.SortFunc(s.values, order)
	return s.pick(s.values, s.at)
}

// distinctly leaves out values that were there.
type distinctly struct {
	sum
	seen map[string]bool
	key  []byte
}

func (s *distinctly) add(v any) {
	s.key = appendKey(s.key[:0], v)
	if s.seen[string(s.key)] {
		return
	}
	s.seen[string(s.key)] = true
	s.sum.add(v)
}

// tally is an aggregate of a query: what it goes over and where its result goes.
type tally struct {
	name     string
	of, more eval // nil for count(*)
	distinct bool
	slot     int
}

// tallied compiles an aggregate.
func (c *compiler) tallied(e *Expr, s *scope) (t tally) {
	t = tally{name: e.Name, distinct: e.Distinct}
	wants := 1
	if e.Name == "percentiledisc" || e.Name == "percentilecont" {
		wants = 2
	}
	if e.Star {
		return t
	}
	if len(e.Args) != wants {
		panic(syntax(e.At, "InvalidNumberOfArguments", "%s takes %d arguments, found %d", e.Name, wants, len(e.Args)))
	}
	for _, a := range e.Args {
		bad := ""
		a.walk(func(e *Expr) bool {
			switch {
			case e.Kind == Call && aggregates[e.Name] != nil:
				bad = "NestedAggregation"
			case e.Kind == Call && e.Name == "rand":
				bad = "NonConstantExpression"
			}
			return bad == ""
		})
		if bad != "" {
			panic(syntax(a.At, bad, "%s cannot be applied to rand() or to another aggregate", e.Name))
		}
	}
	fs, _ := c.all(e.Args, s)
	if t.of = fs[0]; wants == 2 {
		t.more = fs[1]
	}
	return t
}

// start makes the sum for a new group of which a row is the first.
func (t *tally) start(x *exec, r row) sum {
	var more any
	if t.more != nil {
		more = t.more(x, r)
	}
	s := aggregates[t.name](more)
	if t.distinct {
		s = &distinctly{sum: s, seen: map[string]bool{}}
	}
	return s
}

// add adds a row. Null is left out.
func (t *tally) add(x *exec, r row, s sum) {
	if t.of == nil {
		s.add(nil)
	} else if v := t.of(x, r); v != nil {
		s.add(v)
	}
}
