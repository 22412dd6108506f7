package bench

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"time"

	"cairn/engine/kg"
	"cairn/engine/lab/learned"
	"cairn/engine/match"
	"cairn/engine/match/paths"
	"cairn/internal/testing/naive"
)

// ExactOptions are the choices of a comparison of matching engines.
type ExactOptions struct {
	// Engines are those that are compared, of ExactEngines; none is all of them.
	Engines []string
	// Queries is how many of each shape are drawn from a graph.
	//
	// The default value is 25.
	Queries int
	Seed    uint64
	// Limit ends the evaluation of a query. The default value is 1 s.
	Limit time.Duration
	// MaxPaths bounds the paths of three entities in an index; 0 is its default.
	MaxPaths int
	// Kuzu is the interpreter of Python that has the package kuzu; empty not to compare
	// with it.
	Kuzu string
	// Progress may be nil.
	Progress func(task string, done, total int64)
}

func (o *ExactOptions) setDefaults() {
	if len(o.Engines) == 0 {
		o.Engines = ExactEngines()
	}
	if o.Queries == 0 {
		o.Queries = 25
	}
	if o.Limit == 0 {
		o.Limit = time.Second
	}
	if o.Progress == nil {
		o.Progress = func(string, int64, int64) {}
	}
}

// ExactSet is the comparison on the queries of one graph.
type ExactSet struct {
	Name     string        `json:"name"`
	Entities int           `json:"entities"`
	Triples  int           `json:"triples"`
	Limit    time.Duration `json:"limit"`
	// Missing are shapes of which the graph has none, as far as was looked.
	Missing []Shape       `json:"missing,omitempty"`
	Engines []ExactEngine `json:"engines"`
}

// ExactEngine is what one engine took and found.
type ExactEngine struct {
	Name string `json:"name"`
	// Build is how long it took to make ready, beside the graph; Size is the bytes of
	// what was made, and About says more.
	Build  time.Duration `json:"build,omitempty"`
	Size   int64         `json:"size,omitempty"`
	About  string        `json:"about,omitempty"`
	Failed string        `json:"failed,omitempty"` // why it was not measured
	Rows   []ExactRow    `json:"rows"`
}

// ExactRow is what queries of one shape took.
type ExactRow struct {
	Shape    Shape `json:"shape"`
	Queries  int   `json:"queries"`
	Bindings int   `json:"bindings"` // of those that were counted wholly
	// Considered is how many partial bindings were looked at for them; 0 where an engine
	// does not say.
	Considered int `json:"considered,omitempty"`
	// RanOut counts the queries that the limit ended, Failed those that were refused or
	// not asked, Wrong those with another number of bindings than is known, and Unknown
	// those of which it is not known.
	RanOut  int   `json:"ran_out"`
	Failed  int   `json:"failed"`
	Wrong   int   `json:"wrong"`
	Unknown int   `json:"unknown"`
	Times   Times `json:"times"` // of queries that did not fail
}

// A Shape is the form of a query graph.
type Shape string

// The shapes. In chains and stars one node is a certain entity.
const (
	Chains  Shape = "chain of 3"
	Stars   Shape = "star of 4"
	Cycles  Shape = "cycle of 4"
	Cliques Shape = "clique of 4"
	Dense   Shape = "dense 16" // of the protein graph
)

// exactQuery is a query whose bindings are counted.
type exactQuery struct {
	shape Shape
	query *match.Query
	want  int // -1 where it is not known
}

// exactBench is a comparison that is under way.
type exactBench struct {
	o       ExactOptions
	g       *kg.Graph
	labels  []int // of entities, where nodes of queries are bound by labels; nil for none
	queries []exactQuery
	set     *ExactSet
}

// ExactEngines are the engines that can be compared.
func ExactEngines() []string {
	return []string{"brute force", "anchored", "paths", "paths blind to relations", "paths learned"}
}

// open makes an engine ready.
func (b *exactBench) open(ctx context.Context, e *ExactEngine) (match.Engine, error) {
	switch e.Name {
	case "brute force":
		return naive.Engine{Graph: b.g}, nil
	case "anchored":
		return match.Anchored{Graph: b.g}, nil
	case "paths":
		return b.index(ctx, e, paths.Counters{})
	case "paths blind to relations":
		return b.index(ctx, e, paths.Counters{Blind: 2 * b.g.Relations()})
	case "paths learned":
		began := time.Now()
		s, err := learned.Learn(ctx, b.g, b.o.Seed, learned.DefaultSteps)
		if err != nil {
			return nil, fmt.Errorf("learn the signature: %w", err)
		}
		took := time.Since(began)
		x, err := b.index(ctx, e, s)
		e.About = "learned in " + shortTime(took) + "; " + e.About
		return x, err
	}
	return nil, fmt.Errorf("there is no engine %q", e.Name)
}

// index builds a path index.
func (b *exactBench) index(ctx context.Context, e *ExactEngine, s paths.Signature) (match.Engine, error) {
	began := time.Now()
	x, err := paths.Build(ctx, b.g, paths.Options{Signature: s, MaxPaths: b.o.MaxPaths, Progress: func(done, total int) {
		b.o.Progress(b.set.Name+": build "+e.Name, int64(done), int64(total))
	}})
	if err != nil {
		return nil, fmt.Errorf("build the path index: %w", err)
	}
	n, size := x.Size()
	e.Build, e.Size = time.Since(began), int64(size)
	written, opened, err := kept(ctx, x, b.g, s)
	if err != nil {
		return nil, err
	}
	e.About = fmt.Sprintf("%s paths; written in %s, opened in %s", thousands(n), shortTime(written), shortTime(opened))
	for _, note := range x.Notes() {
		e.About += ". " + note
	}
	return x, nil
}

// kept measures writing an index to a file, and opening it there.
func kept(ctx context.Context, x *paths.Index, g *kg.Graph, s paths.Signature) (written, opened time.Duration, err error) {
	dir, err := os.MkdirTemp("", "cairn-bench-")
	if err != nil {
		return 0, 0, fmt.Errorf("make a folder for the path index: %w", err)
	}
	defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	began := time.Now()
	if err := x.Write(ctx, filepath.Join(dir, "paths"), "bench"); err != nil {
		return 0, 0, err
	}
	written = time.Since(began)
	began = time.Now()
	_, err = paths.Open(filepath.Join(dir, "paths"), "bench", g, s)
	return written, time.Since(began), err
}

// ExactGraph compares engines on chains, stars, cycles and cliques that are drawn from a
// graph. What was measured before an error is returned with it.
func ExactGraph(ctx context.Context, name string, g *kg.Graph, o ExactOptions) (*ExactSet, error) {
	o.setDefaults()
	b := &exactBench{o: o, g: g}
	b.set = &ExactSet{Name: name}
	var err error
	if b.queries, b.set.Missing, err = drawQueries(ctx, g, o.Queries, o.Seed); err != nil {
		return nil, err
	}
	return b.run(ctx)
}

// run counts the bindings of all queries with each engine. The anchored engine's are
// taken as known where they are not.
func (b *exactBench) run(ctx context.Context) (*ExactSet, error) {
	b.set.Entities, b.set.Triples, b.set.Limit = b.g.Entities(), b.g.Triples(), b.o.Limit
	names := slices.Clone(b.o.Engines)
	slices.SortStableFunc(names, func(a, z string) int { return turn(a) - turn(z) })
	for _, name := range names {
		e, err := b.engine(ctx, name)
		if err != nil {
			return b.set, err
		}
		b.set.Engines = append(b.set.Engines, e)
	}
	if b.o.Kuzu != "" {
		e, err := b.kuzu(ctx)
		if ctx.Err() != nil {
			return b.set, ctx.Err()
		}
		if err != nil {
			e.Failed = err.Error()
		}
		b.set.Engines = append(b.set.Engines, e)
	}
	return b.set, nil
}

// turn orders engines: the anchored one tells the others what is right.
func turn(engine string) int {
	if engine == "anchored" {
		return 0
	}
	return 1
}

// engine measures one engine.
func (b *exactBench) engine(ctx context.Context, name string) (ExactEngine, error) {
	e := ExactEngine{Name: name}
	m, err := b.open(ctx, &e)
	if err != nil {
		return e, err
	}
	counts := make([]counted, len(b.queries))
	for i, q := range b.queries {
		b.o.Progress(b.set.Name+": "+name, int64(i), int64(len(b.queries)))
		limited, cancel := context.WithTimeout(ctx, b.o.Limit)
		began := time.Now()
		s, err := m.Each(limited, q.query, func(match.Binding) bool { return true })
		counts[i] = counted{n: s.Found, considered: s.Considered, took: time.Since(began)}
		cancel()
		switch {
		case ctx.Err() != nil:
			return e, ctx.Err()
		case errors.Is(err, context.DeadlineExceeded):
			counts[i].ranOut = true
		case err != nil:
			return e, fmt.Errorf("count with %s: %w", name, err)
		case q.want < 0 && name == "anchored":
			b.queries[i].want = s.Found
		}
	}
	e.Rows = b.rows(counts)
	return e, nil
}

// counted is what one query came to.
type counted struct {
	n, considered int
	took          time.Duration
	ranOut        bool
	failed        bool // refused, or not asked
}

// rows sums up by shape.
func (b *exactBench) rows(counts []counted) (rows []ExactRow) {
	var took []time.Duration
	for i, q := range b.queries {
		if len(rows) == 0 || rows[len(rows)-1].Shape != q.shape {
			rows = append(rows, ExactRow{Shape: q.shape})
			took = nil
		}
		row, c := &rows[len(rows)-1], counts[i]
		row.Queries++
		if !c.failed {
			took = append(took, c.took)
		}
		switch {
		case c.failed:
			row.Failed++
		case c.ranOut:
			row.RanOut++
		case q.want < 0:
			row.Unknown++
		case q.want != c.n:
			row.Wrong++
		}
		if !c.ranOut && !c.failed {
			row.Bindings += c.n
			row.Considered += c.considered
		}
		row.Times = timesOf(slices.Clone(took))
	}
	return rows
}
