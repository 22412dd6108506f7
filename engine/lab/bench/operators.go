package bench

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"strconv"
	"strings"
	"time"

	"cairn/engine/evidence"
	"cairn/engine/kg"
	"cairn/engine/pattern"
	"cairn/engine/query"
)

// OperatorOptions are the choices of a comparison of the operators of the query language.
type OperatorOptions struct {
	// Queries is how many of each operator are drawn. The default value is 100.
	Queries int
	Seed    uint64
	// Limit ends a query. The default value is 2 s.
	Limit time.Duration
	// Most is how long one engine is asked. The default value is 5 minutes.
	Most time.Duration
	// Kuzu and Oxigraph are interpreters of Python that have the package kuzu, and the
	// package pyoxigraph; empty not to compare with it.
	Kuzu, Oxigraph string
	// Progress may be nil.
	Progress func(task string, done, total int64)
}

func (o *OperatorOptions) setDefaults() {
	if o.Queries == 0 {
		o.Queries = 100
	}
	if o.Limit == 0 {
		o.Limit = 2 * time.Second
	}
	if o.Most == 0 {
		o.Most = 5 * time.Minute
	}
	if o.Progress == nil {
		o.Progress = func(string, int64, int64) {}
	}
}

// OperatorSet is the comparison on one graph.
type OperatorSet struct {
	Name     string        `json:"name"`
	Entities int           `json:"entities"`
	Triples  int           `json:"triples"`
	Limit    time.Duration `json:"limit"`
	// Missing are operators of which nothing could be drawn.
	Missing []string         `json:"missing,omitempty"`
	Engines []OperatorEngine `json:"engines"`
}

// OperatorEngine is what one engine took.
type OperatorEngine struct {
	Name   string        `json:"name"`
	Build  time.Duration `json:"build,omitempty"` // to load the triples
	Size   int64         `json:"size,omitempty"`
	About  string        `json:"about,omitempty"`
	Failed string        `json:"failed,omitempty"` // why it was not measured
	Rows   []OperatorRow `json:"rows"`
}

// OperatorRow is what the queries of one operator took.
type OperatorRow struct {
	Operator string `json:"operator"`
	Text     string `json:"text"`
	Queries  int    `json:"queries"` // that were asked
	// RanOut counts those that the limit ended, Failed those that were refused, and Wrong
	// those with another number than Cairn's.
	RanOut int   `json:"ran_out"`
	Failed int   `json:"failed"`
	Wrong  int   `json:"wrong"`
	Times  Times `json:"times"`
}

// bestOf is how often a query is asked, unless that takes long: its best time counts, since
// other work on the machine disturbs short ones many times over.
const bestOf = 3

// operatorQuery is an operator with what it is asked of.
type operatorQuery struct {
	operator int
	a, b     kg.EntityID
	r, s     kg.RelationID
	n        float64
	want     float64 // NaN where it is not known
}

// numbered is what one query came to.
type numbered struct {
	n              float64
	took           time.Duration
	asked          bool
	ranOut, failed bool
}

// operatorBench is a comparison that is under way.
type operatorBench struct {
	o       OperatorOptions
	g       *kg.Graph
	queries []operatorQuery
	set     *OperatorSet
}

// OperatorGraph asks the same of Cairn's evaluator, of SQLite, and of others that are
// given. Each engine tells one number: how many answers there are, or what is measured. Cairn
// and SQLite list answers; the others count them, as fetching them into Python is slow.
// What was measured before an error is returned with it.
func OperatorGraph(ctx context.Context, name string, g *kg.Graph, o OperatorOptions) (*OperatorSet, error) {
	o.setDefaults()
	b := &operatorBench{o: o, g: g, set: &OperatorSet{Name: name, Entities: g.Entities(), Triples: g.Triples(), Limit: o.Limit}}
	b.draw()
	type peer struct {
		name    string
		measure func(context.Context, *OperatorEngine) ([]numbered, error)
	}
	cairn := func(shown int) func(context.Context, *OperatorEngine) ([]numbered, error) {
		return func(ctx context.Context, _ *OperatorEngine) ([]numbered, error) { return b.cairn(ctx, shown) }
	}
	peers := []peer{{"Cairn", cairn(0)}, {"Cairn, evidence of one", cairn(1)}, {"SQLite", b.sqlite}}
	if o.Kuzu != "" {
		peers = append(peers, peer{"kuzu", b.kuzu})
	}
	if o.Oxigraph != "" {
		peers = append(peers, peer{"oxigraph", b.oxigraph})
	}
	for _, peer := range peers {
		e := OperatorEngine{Name: peer.name}
		o.Progress(name+": "+peer.name, 0, 0)
		results, err := peer.measure(ctx, &e)
		switch {
		case ctx.Err() != nil:
			return b.set, ctx.Err()
		case err != nil:
			e.Failed = err.Error()
		default:
			e.Rows = b.rows(results)
		}
		b.set.Engines = append(b.set.Engines, e)
	}
	return b.set, nil
}

// draw draws the queries, one of each operator after the other, so that each has been
// asked as often when an engine's time is over.
func (b *operatorBench) draw() {
	const missed = 200 // draws in vain after which there is nothing
	d := operatorDrawer{b.g, rand.New(rand.NewPCG(b.o.Seed, b.o.Seed))}
	lacks := map[int]bool{}
	for range b.o.Queries {
		for i, op := range operators {
			for try := 0; !lacks[i]; try++ {
				if q, ok := op.draw(&d); ok {
					q.operator, q.want = i, math.NaN()
					b.queries = append(b.queries, q)
					break
				}
				if lacks[i] = try == missed; lacks[i] {
					b.set.Missing = append(b.set.Missing, op.name)
				}
			}
		}
	}
}

// ask asks all queries of an engine in this process, each as often as bestOf says.
func (b *operatorBench) ask(ctx context.Context, name string, ask func(ctx context.Context, i int) (float64, error)) ([]numbered, error) {
	results := make([]numbered, len(b.queries))
	began := time.Now()
	for i := 0; i < len(b.queries) && time.Since(began) < b.o.Most; i++ {
		b.o.Progress(b.set.Name+": "+name, int64(i), int64(len(b.queries)))
		for range bestOf {
			limited, cancel := context.WithTimeout(ctx, b.o.Limit)
			start := time.Now()
			n, err := ask(limited, i)
			r := numbered{n: n, took: time.Since(start), asked: true}
			r.ranOut = errors.Is(err, context.DeadlineExceeded) || err != nil && limited.Err() != nil
			cancel()
			if ctx.Err() != nil || err != nil && !r.ranOut {
				return nil, fmt.Errorf("ask %s for %q: %w", name, operators[b.queries[i].operator].name, err)
			}
			if !results[i].asked || !r.ranOut && r.took < results[i].took {
				results[i] = r
			}
			if r.took > b.o.Limit/bestOf {
				break
			}
		}
	}
	return results, nil
}

// cairn asks the evaluator, whose numbers are taken as known. So many answers come with
// their evidence, which no other engine tells; 0 is the evaluator's default.
func (b *operatorBench) cairn(ctx context.Context, shown int) ([]numbered, error) {
	patterns := make([]*pattern.Pattern, len(b.queries))
	for i, q := range b.queries {
		var err error
		if patterns[i], err = q.pattern(); err != nil {
			return nil, err
		}
	}
	results, err := b.ask(ctx, "Cairn", func(ctx context.Context, i int) (float64, error) {
		found, err := query.Evaluate(ctx, b.g, patterns[i], query.Limits{WallTime: b.o.Limit, Shown: shown})
		if err == nil && found.Completeness != evidence.Exhaustive {
			return 0, context.DeadlineExceeded
		}
		return number(patterns[i], &found), err
	})
	for i, r := range results {
		if r.asked && !r.ranOut {
			b.queries[i].want = r.n
		}
	}
	return results, err
}

// number is the number that engines are compared by.
func number(p *pattern.Pattern, f *evidence.Found) (n float64) {
	switch {
	case p.Task == pattern.Connect && len(f.Candidates) > 0:
		return float64(len(f.Candidates[0].Nodes) - 1)
	case p.Task == pattern.Describe:
		return float64(len(f.Groups))
	case p.Measure != nil:
		first := f.Answers
		if p.Order != nil {
			first = first[:min(p.Order.Limit, len(first))] // and not what ties with the last
		}
		for _, a := range first {
			n += a.Amount.Value
		}
		return n
	}
	return float64(f.Stats.Found)
}

// pattern reads the operator's text, with what it is asked of.
func (q operatorQuery) pattern() (*pattern.Pattern, error) {
	p, err := pattern.ParseText(q.fill(operators[q.operator].text))
	if err != nil {
		return nil, err
	}
	for i := range p.Nodes {
		if n := &p.Nodes[i]; !n.Variable {
			n.Entities = []kg.EntityID{map[string]kg.EntityID{"A": q.a, "B": q.b}[n.Text]}
		}
	}
	settle := func(edges []pattern.Edge) {
		for i := range edges {
			edges[i].Fixed = []kg.RelationID{map[string]kg.RelationID{"R": q.r, "S": q.s}[edges[i].Relation]}
		}
	}
	settle(p.Edges)
	for _, b := range p.Branches {
		settle(b.Edges)
	}
	return p, nil
}

// params are what stands for $a, $b, $r, $s and $n.
func (q operatorQuery) params() map[string]any {
	return map[string]any{"a": int(q.a), "b": int(q.b), "r": int(q.r), "s": int(q.s), "n": q.n}
}

func (q operatorQuery) fill(text string) string {
	for name, value := range q.params() {
		text = strings.ReplaceAll(text, "$"+name, fmt.Sprint(value))
	}
	return text
}

// rows sums up by operator.
func (b *operatorBench) rows(results []numbered) []OperatorRow {
	rows, took := make([]OperatorRow, len(operators)), make([][]time.Duration, len(operators))
	for i, op := range operators {
		rows[i] = OperatorRow{Operator: op.name, Text: op.text}
	}
	for i, r := range results {
		q := b.queries[i]
		row := &rows[q.operator]
		if !r.asked {
			continue
		}
		row.Queries++
		switch {
		case r.failed:
			row.Failed++
			continue
		case r.ranOut:
			row.RanOut++
		case math.Abs(r.n-q.want) > 1e-6*max(1, math.Abs(q.want)):
			row.Wrong++
		}
		took[q.operator] = append(took[q.operator], r.took)
	}
	for i := range rows {
		rows[i].Times = timesOf(took[i])
	}
	return rows
}

// operatorDrawer draws what operators are asked of: by triples, so that what has many is
// drawn often.
type operatorDrawer struct {
	g   *kg.Graph
	rng *rand.Rand
}

// triple draws a triple; the things that it joins are different ones.
func (d *operatorDrawer) triple() (kg.Triple, bool) {
	if d.g.Triples() == 0 {
		return kg.Triple{}, false
	}
	t := kg.TripleID(d.rng.IntN(d.g.Triples()))
	x := d.g.Triple(t)
	return x, !d.g.Off(t) && x.Head != x.Tail
}

// out begins at the head of a triple, in at its tail.
func (d *operatorDrawer) out() (operatorQuery, bool) {
	x, ok := d.triple()
	return operatorQuery{a: x.Head, r: x.Relation}, ok
}

func (d *operatorDrawer) in() (operatorQuery, bool) {
	x, ok := d.triple()
	return operatorQuery{a: x.Tail, r: x.Relation}, ok && !d.g.IsLiteral(x.Tail)
}

// on goes on from the tail of a triple, forwards or back.
func (d *operatorDrawer) on(row func(kg.EntityID) []kg.Edge) (operatorQuery, bool) {
	x, ok := d.triple()
	if !ok {
		return operatorQuery{}, false
	}
	next := row(x.Tail)
	if len(next) == 0 {
		return operatorQuery{}, false
	}
	s := next[d.rng.IntN(len(next))]
	return operatorQuery{a: x.Head, r: x.Relation, s: d.g.Triple(s.Triple).Relation}, s.Entity != x.Head && s.Entity != x.Tail
}

func (d *operatorDrawer) hops() (operatorQuery, bool)   { return d.on(d.g.Out) }
func (d *operatorDrawer) shared() (operatorQuery, bool) { return d.on(d.g.In) }

// two draws two things that one thing is joined to.
func (d *operatorDrawer) two() (operatorQuery, bool) {
	x, ok := d.triple()
	if !ok {
		return operatorQuery{}, false
	}
	out := d.g.Out(x.Head)
	y := d.g.Triple(out[d.rng.IntN(len(out))].Triple)
	fine := y.Tail != x.Tail && y.Tail != x.Head && !d.g.IsLiteral(x.Tail)
	return operatorQuery{a: x.Tail, r: x.Relation, b: y.Tail, s: y.Relation}, fine
}

// number draws a triple that says a plain number.
func (d *operatorDrawer) number() (x kg.Triple, n float64, ok bool) {
	const tries = 200
	for range tries {
		if x, ok = d.triple(); !ok {
			continue
		}
		if n, ok = plainNumber(d.g, x.Tail); ok {
			return x, n, true
		}
	}
	return x, n, false
}

func plainNumber(g *kg.Graph, e kg.EntityID) (float64, bool) {
	v, ok := g.Value(e)
	return v.Number, ok && v.Kind == kg.NumberValue && v.Unit == ""
}

// values draws a relation that says numbers of all that has one.
func (d *operatorDrawer) values() (operatorQuery, bool) {
	x, n, ok := d.number()
	return operatorQuery{s: x.Relation, n: n}, ok
}

// amounts draws one that says numbers of what is joined to something.
func (d *operatorDrawer) amounts() (operatorQuery, bool) {
	x, n, ok := d.number()
	if !ok {
		return operatorQuery{}, false
	}
	out := d.g.Out(x.Head)
	y := d.g.Triple(out[d.rng.IntN(len(out))].Triple)
	return operatorQuery{a: y.Tail, r: y.Relation, s: x.Relation, n: n}, y.Tail != x.Head && !d.g.IsLiteral(y.Tail)
}

// pair draws two things that need not have anything to do with each other.
func (d *operatorDrawer) pair() (operatorQuery, bool) {
	x, ok := d.triple()
	y, is := d.triple()
	return operatorQuery{a: x.Head, b: y.Head}, ok && is && x.Head != y.Head
}

// chain draws the first of two triples of one relation.
func (d *operatorDrawer) chain() (operatorQuery, bool) {
	const tries = 200
	for range tries {
		if x, ok := d.triple(); ok && len(d.g.OutBy(x.Tail, x.Relation)) > 0 {
			return operatorQuery{a: x.Head, r: x.Relation}, true
		}
	}
	return operatorQuery{}, false
}

// askedOf returns the relations of the queries.
func (b *operatorBench) askedOf() map[kg.RelationID]bool {
	asked := map[kg.RelationID]bool{}
	for _, q := range b.queries {
		asked[q.r], asked[q.s] = true, true
	}
	return asked
}

// texts are the queries in another language.
func (b *operatorBench) texts(of func(operator) string) (texts []string) {
	for _, q := range b.queries {
		texts = append(texts, q.fill(of(operators[q.operator])))
	}
	return texts
}

// ofReply is what a program of Python replies.
func (b *operatorBench) ofReply(e *OperatorEngine, r *countReply) ([]numbered, error) {
	if len(r.Answers) != len(b.queries) {
		return nil, fmt.Errorf("it answers %d of %d queries", len(r.Answers), len(b.queries))
	}
	e.Name, e.Size, e.Build = e.Name+" "+r.Version, r.Size, time.Duration(r.LoadSeconds*float64(time.Second))
	results := make([]numbered, len(r.Answers))
	for i, a := range r.Answers {
		results[i] = numbered{n: a.Count, took: time.Duration(a.Nanoseconds), asked: a.Error != "not asked"}
		switch {
		case strings.Contains(a.Error, "nterrupted"):
			results[i].ranOut = true
		case a.Error != "" && results[i].asked:
			results[i].failed = true
			e.About = "of queries that failed, the last one's reason: " + a.Error
		}
	}
	return results, nil
}

// numberText writes the plain number that an entity is; empty for none.
func (b *operatorBench) numberText(e kg.EntityID) string {
	if n, ok := plainNumber(b.g, e); ok {
		return strconv.FormatFloat(n, 'g', -1, 64)
	}
	return ""
}
