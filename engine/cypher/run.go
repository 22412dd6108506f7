package cypher

import (
	"cmp"
	"context"
	"errors"
	"maps"
	"slices"
	"strings"
	"time"

	"cairn/internal/wording"
)

// Options are how a query is run. What is zero has its default value.
type Options struct {
	// Params are the values of $name, each of a kind that a query computes.
	Params map[string]any
	// Bound are variables that have a value before the first clause: nodes, mostly.
	Bound map[string]any
	// Rows is how many rows a result has at most. The default value is 10,000.
	Rows int
	// Held is how many rows and groups are held at once. The default value is 4 million.
	Held int
	// Work is how many nodes and relationships are looked at, about. The default value
	// is 400 million.
	Work int
	// WallTime is the deadline. The default value is 30s.
	WallTime time.Duration
}

// maxRels is how many relationships are kept for a row.
const maxRels = 1000

func (o *Options) setDefaults() {
	o.Rows = cmp.Or(o.Rows, 10_000)
	o.Held = cmp.Or(o.Held, 4_000_000)
	o.Work = cmp.Or(o.Work, 400_000_000)
	o.WallTime = cmp.Or(o.WallTime, 30*time.Second)
}

// Result is what a query found.
type Result struct {
	Columns []string
	Rows    []Row
	// More says that there are more rows than Options allow; Late and Large, that the
	// query ran out of time or over another limit: rows are missing.
	More, Late, Large bool
	// Notes are remarks for the user: names that the graph does not have, for example.
	Notes []string
}

// Row is one row of a result.
type Row struct {
	Values []any
	// Rels are the relationships that the row rests on, ascending: those that were
	// matched, and those that say the properties that were read. Cut says that there are
	// more of them.
	Rels []Rel
	Cut  bool
}

// exec is a query that is running.
type exec struct {
	ctx   context.Context //nolint:containedctx // it lives as long as the query runs
	g     Graph
	o     *Options
	work  int
	rows  int       // held
	began time.Time // where the query asked for the time
}

// tick counts a piece of work.
func (x *exec) tick() {
	x.work++
	if x.work > x.o.Work {
		panic(stopped{errBudget})
	}
	if x.work&1023 == 0 && x.ctx.Err() != nil {
		panic(stopped{x.ctx.Err()})
	}
}

// hold counts a row that is held.
func (x *exec) hold() {
	if x.rows++; x.rows > x.o.Held {
		panic(stopped{errBudget})
	}
}

// trail is the relationships behind a row: its own and those of rows before.
type trail struct {
	rels   []Rel
	before *trail
	more   []*trail // of rows that were joined to it
	joined int      // how many rows those are, and those whose relationships it took over
	cut    bool     // and there are others
	// lent says that it, or what is before it, is used again for the next row: who holds
	// the row takes what keep returns.
	lent bool
	kept *trail
}

// tread puts relationships on the trail of a row.
func (x *exec) tread(r row, rels ...Rel) {
	before, _ := r[0].(*trail)
	r[0] = &trail{rels: rels, before: before, lent: before != nil && before.lent}
}

// keep returns the trail of a row, for as long as it is needed.
func keep(of any) any {
	if t, ok := of.(*trail); ok {
		return t.keep()
	}
	return of
}

func (t *trail) keep() *trail {
	if t == nil || !t.lent {
		return t
	}
	if t.kept == nil {
		t.kept = &trail{rels: slices.Clone(t.rels), before: t.before.keep(), more: t.more, joined: t.joined, cut: t.cut}
	}
	return t.kept
}

const (
	// maxJoined is how many trails are joined to one: what groups of more rows rest on is
	// known in part.
	maxJoined = 1000
	// shortTrail is how many relationships a trail has that is copied rather than kept.
	shortTrail = 16
)

// join adds what another trail has.
func (t *trail) join(other any) {
	o, _ := other.(*trail)
	if o != nil && t.joined == maxJoined {
		t.cut = true
		return
	}
	for ; o != nil; o = o.before {
		if o.cut || len(o.more) > 0 || len(o.rels) > shortTrail {
			t.more = append(t.more, o.keep())
			break
		}
		t.rels = append(t.rels, o.rels...)
	}
	t.joined++
}

// joined is a trail of several.
func joined(all ...any) any {
	t := &trail{}
	for _, o := range all {
		t.join(o)
	}
	return t
}

// collect returns the relationships of a trail, each once, at most so many, and whether
// there are more.
func collect(of any, most int) (all []Rel, cut bool) {
	t, ok := of.(*trail)
	if !ok {
		return nil, false
	}
	seen := map[*trail]bool{}
	rels := map[Rel]bool{}
	stack := []*trail{t}
	for len(stack) > 0 && len(rels) < most {
		t := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		if seen[t] {
			continue
		}
		seen[t] = true
		for _, r := range t.rels {
			if len(rels) == most {
				cut = cut || !rels[r]
				continue
			}
			rels[r] = true
		}
		cut = cut || t.cut
		if stack = append(stack, t.more...); t.before != nil {
			stack = append(stack, t.before)
		}
	}
	return slices.Sorted(maps.Keys(rels)), cut || len(stack) > 0
}

// compile compiles the parts of a query. first is the row that each begins with.
func compile(g Graph, q *Query, o *Options) (c *compiler, chains []chain, first row) {
	c = &compiler{g: g, params: o.Params}
	names := slices.Sorted(maps.Keys(o.Bound))
	first = row{nil}
	for _, n := range names {
		first = append(first, o.Bound[n])
	}
	for i := range q.Parts {
		s := newScope()
		for _, n := range names {
			k := unknown
			if _, ok := o.Bound[n].(Node); ok {
				k = nodeKind
			}
			s.add(n, k)
		}
		k := c.part(&q.Parts[i], s)
		if i > 0 && !slices.Equal(k.columns, chains[0].columns) {
			panic(syntax(q.Parts[i].Clauses[0].At, "DifferentColumnsInUnion", "the parts of a UNION must return the same columns: %q and %q differ", chains[0].columns, k.columns))
		}
		chains = append(chains, k)
	}
	return c, chains, first
}

// Check is as much of Run as can be done before the first row: it returns the Notes of the
// result, or the error that the query would fail with.
func Check(g Graph, q *Query, o Options) (notes []string, err error) {
	defer caught(&err, q.Text)
	c, _, _ := compile(g, q, &o)
	return c.notes, nil
}

// Run runs a query over a graph. It fails with an *Error for a query that makes no sense,
// or that computes what cannot be computed. A cancelled context is an error; running out
// of time or over a limit is not: what was found is returned, and the Result says so.
func Run(ctx context.Context, g Graph, q *Query, o Options) (_ *Result, err error) {
	defer caught(&err, q.Text)
	o.setDefaults()
	c, chains, first := compile(g, q, &o)
	limited, cancel := context.WithTimeout(ctx, o.WallTime)
	defer cancel()
	x := &exec{ctx: limited, g: g, o: &o}
	result := &Result{Columns: chains[0].columns, Notes: c.notes}
	var seen map[string]int
	if len(chains) > 1 && !q.All {
		seen = map[string]int{}
	}
	var trails []any
	run := func(k *chain) (err error) {
		defer caught(&err, q.Text)
		start := make(row, *k.size)
		copy(start, first)
		k.run(x, start, func(r row) bool {
			values := wording.Each(k.slots, func(s int) any { return r[s] })
			if seen != nil {
				var key []byte
				for _, v := range values {
					key = appendKey(key, v)
				}
				if i, ok := seen[string(key)]; ok {
					trails[i] = joined(trails[i], r[0])
					return true
				}
				seen[string(key)] = len(trails)
			}
			if len(result.Rows) == o.Rows {
				result.More = true
				return false
			}
			result.Rows = append(result.Rows, Row{Values: values})
			trails = append(trails, keep(r[0]))
			return true
		})
		return nil
	}
	for i := range chains {
		err := run(&chains[i])
		switch {
		case err == nil:
			continue
		case ctx.Err() != nil:
			return nil, ctx.Err()
		case errors.Is(err, context.DeadlineExceeded):
			result.Late = true
		case errors.Is(err, errBudget):
			result.Large = true
		default:
			return nil, err
		}
		break
	}
	if c.endless && (result.Late || result.Large) {
		result.Notes = append(result.Notes, "The query searches paths of any length; set a maximum length so that it can finish, as in [*..4].")
	}
	for i := range result.Rows {
		result.Rows[i].Rels, result.Rows[i].Cut = collect(trails[i], maxRels)
	}
	return result, nil
}

// Value reads a text as the value of a parameter: a number, true, false, null, a text in
// quotation marks, a list or a map of these. What is none of them is a text.
func Value(text string) any {
	q, err := Parse("RETURN " + text)
	if err != nil || len(q.Parts) != 1 || len(q.Parts[0].Clauses) != 1 || len(q.Parts[0].Clauses[0].Items) != 1 {
		return text
	}
	plain := true
	e := q.Parts[0].Clauses[0].Items[0].Expr
	e.walk(func(e *Expr) bool {
		plain = plain && (e.Kind == Literal || e.Kind == ListOf || e.Kind == MapOf || e.Kind == Unary && e.Name == "-")
		return plain
	})
	if !plain {
		return text
	}
	v, err := value(nil, e, newScope(), nil)
	if err != nil {
		return text
	}
	return v
}

// value computes an expression over the values of the names in a scope.
func value(g Graph, e *Expr, s *scope, values []any) (v any, err error) {
	defer caught(&err, "")
	f, _ := (&compiler{g: g}).expr(e, s)
	o := Options{}
	o.setDefaults()
	r := make(row, *s.size)
	copy(r[1:], values)
	return f(&exec{ctx: context.Background(), g: g, o: &o}, r), nil
}

// nearest returns the name that is the least different from one that is not there, or
// nothing where all are very different.
func nearest(name string, names []string) string {
	most := min(len(name)/3+1, max(1, len(name)/2)) // letters that may differ
	best, least := "", most+1
	for _, n := range names {
		if d := distance(strings.ToLower(name), strings.ToLower(n)); d < least && d < len(n) {
			best, least = n, d
		}
	}
	return best
}

// didYouMean ends an error with the name that is nearest, if one is near.
func didYouMean(near string) string {
	if near == "" {
		return ""
	}
	return "; did you mean " + near + "?"
}

// distance counts the letters that must be changed to make b of a (Levenshtein).
func distance(a, b string) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		before := row[0]
		row[0]++
		for j := range len(b) {
			cost := before
			if a[i] != b[j] {
				cost++
			}
			before = row[j+1]
			row[j+1] = min(row[j]+1, before+1, cost)
		}
	}
	return row[len(b)]
}
