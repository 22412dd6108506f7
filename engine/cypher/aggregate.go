package cypher

import (
	"math"
	"slices"
)

// sum is what becomes of the values of one aggregate in one group of rows.
type sum interface {
	add(v any) error
	result() (any, error)
}

// aggregates make the sums of functions that go over rows, by name. more is their second
// argument.
var aggregates = map[string]func(more any) (sum, error){
	"count":   func(any) (sum, error) { return new(counted), nil },
	"collect": func(any) (sum, error) { return &collected{list: List{}}, nil },
	"sum":     func(any) (sum, error) { return &added{total: int64(0)}, nil },
	"avg":     func(any) (sum, error) { return new(averaged), nil },
	"min":     func(any) (sum, error) { return &extreme{sign: 1}, nil },
	"max":     func(any) (sum, error) { return &extreme{sign: -1}, nil },
	"stdev":   func(any) (sum, error) { return &deviation{sample: 1}, nil },
	"stdevp":  func(any) (sum, error) { return new(deviation), nil },
	"percentiledisc": func(more any) (sum, error) {
		return newPercentile(more, func(s []any, p float64) any {
			return s[max(0, int(math.Ceil(p*float64(len(s))))-1)]
		})
	},
	"percentilecont": func(more any) (sum, error) {
		return newPercentile(more, func(s []any, p float64) any {
			at := p * float64(len(s)-1)
			low, _ := asFloat(s[int(math.Floor(at))])
			high, _ := asFloat(s[int(math.Ceil(at))])
			return low + (high-low)*(at-math.Floor(at))
		})
	},
}

type counted struct{ n int64 }

func (s *counted) add(any) error        { s.n++; return nil }
func (s *counted) result() (any, error) { return s.n, nil }

type collected struct{ list List }

func (s *collected) add(v any) error      { s.list = append(s.list, v); return nil }
func (s *collected) result() (any, error) { return s.list, nil }

type added struct{ total any }

func (s *added) add(v any) (err error) {
	if _, ok := asFloat(v); !ok {
		return wrong("sum", v)
	}
	s.total, err = arithmetic("+", s.total, v)
	return err
}

func (s *added) result() (any, error) { return s.total, nil }

type averaged struct {
	n     int
	total float64
}

func (s *averaged) add(v any) error {
	f, ok := asFloat(v)
	if !ok {
		return wrong("avg", v)
	}
	s.n++
	s.total += f
	return nil
}

func (s *averaged) result() (any, error) {
	if s.n == 0 {
		return nil, nil
	}
	return s.total / float64(s.n), nil
}

type extreme struct {
	sign  int
	value any
}

func (s *extreme) add(v any) error {
	if s.value == nil || s.sign*order(v, s.value) < 0 {
		s.value = v
	}
	return nil
}

func (s *extreme) result() (any, error) { return s.value, nil }

// deviation is Welford's.
type deviation struct {
	sample, n float64
	mean, m2  float64
}

func (s *deviation) add(v any) error {
	f, ok := asFloat(v)
	if !ok {
		return wrong("stdev", v)
	}
	s.n++
	d := f - s.mean
	s.mean += d / s.n
	s.m2 += d * (f - s.mean)
	return nil
}

func (s *deviation) result() (any, error) {
	if s.n <= s.sample {
		return 0.0, nil
	}
	return math.Sqrt(s.m2 / (s.n - s.sample)), nil
}

type percentile struct {
	at     float64
	values []any
	pick   func(sorted []any, p float64) any
}

func newPercentile(at any, pick func([]any, float64) any) (sum, error) {
	p, ok := asFloat(at)
	switch {
	case !ok:
		return nil, wrong("a percentile", at)
	case !(p >= 0 && p <= 1):
		return nil, outOfRange("a percentile lies between 0 and 1")
	}
	return &percentile{p, nil, pick}, nil
}

func (s *percentile) add(v any) error {
	if _, ok := asFloat(v); !ok {
		return wrong("a percentile", v)
	}
	s.values = append(s.values, v)
	return nil
}

func (s *percentile) result() (any, error) {
	if len(s.values) == 0 {
		return nil, nil
	}
	slices.SortFunc(s.values, order)
	return s.pick(s.values, s.at), nil
}

// distinctly leaves out values that were there.
type distinctly struct {
	sum
	seen map[string]bool
	key  []byte
}

func (s *distinctly) add(v any) error {
	s.key = appendKey(s.key[:0], v)
	if s.seen[string(s.key)] {
		return nil
	}
	s.seen[string(s.key)] = true
	return s.sum.add(v)
}

// tally is an aggregate of a query: what it goes over and where its result goes.
type tally struct {
	name     string
	of, more eval // nil for count(*)
	distinct bool
	slot     int
}

// tallied compiles an aggregate.
func (c *compiler) tallied(e *Expr, s *scope) (t tally, err error) {
	t = tally{name: e.Name, distinct: e.Distinct}
	wants := 1
	if e.Name == "percentiledisc" || e.Name == "percentilecont" {
		wants = 2
	}
	if e.Star {
		return t, nil
	}
	if len(e.Args) != wants {
		return t, syntax(e.At, "InvalidNumberOfArguments", "%s takes %d arguments, found %d", e.Name, wants, len(e.Args))
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
			return t, syntax(a.At, bad, "%s can go neither over rand() nor over other counts and sums", e.Name)
		}
	}
	fs, _, err := c.all(e.Args, s)
	if err != nil {
		return t, err
	}
	if t.of = fs[0]; wants == 2 {
		t.more = fs[1]
	}
	return t, nil
}

// start makes the sum for a new group of which a row is the first.
func (t *tally) start(x *exec, r row) (sum, error) {
	var more any
	if t.more != nil {
		var err error
		if more, err = t.more(x, r); err != nil {
			return nil, err
		}
	}
	s, err := aggregates[t.name](more)
	if err == nil && t.distinct {
		s = &distinctly{sum: s, seen: map[string]bool{}}
	}
	return s, err
}

// add adds a row. Null is left out.
func (t *tally) add(x *exec, r row, s sum) error {
	if t.of == nil {
		return s.add(nil)
	}
	v, err := t.of(x, r)
	if err != nil || v == nil {
		return err
	}
	return s.add(v)
}
