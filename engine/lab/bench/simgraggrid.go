package bench

import (
	"cmp"
	"context"
	"fmt"
	"strings"
	"time"

	"cairn/engine/retrieve/simgrag"
)

// GridOptions are the choices of the grid of appendix E.
type GridOptions struct {
	// Queries is how many of the sampled queries go through the grid; a negative
	// value means that there is no grid.
	//
	// The default value is 100, the paper's.
	Queries int
	// Nodes, Relations and Types are the values of k(n), k(r) and k(t).
	//
	// The default values are the paper's: 128 to 16384, 128 to 512 and 1 to 16,
	// each twice the one before.
	Nodes, Relations, Types []int
	// Limit is when a search is ended. What it found until then counts.
	//
	// The default value is 2s.
	Limit time.Duration
	// Time is when no further query is begun.
	//
	// The default value is 5m.
	Time time.Duration
	// Lookups is how many queries are looked up with every k(n), to time the
	// vector search.
	//
	// The default value is 8.
	Lookups int
}

func (o *GridOptions) setDefaults() {
	o.Queries = cmp.Or(o.Queries, 100)
	double := func(field *[]int, from, to int) {
		if len(*field) == 0 {
			for k := from; k <= to; k *= 2 {
				*field = append(*field, k)
			}
		}
	}
	double(&o.Nodes, 128, 16384)
	double(&o.Relations, 128, 512)
	double(&o.Types, 1, 16)
	o.Limit = cmp.Or(o.Limit, 2*time.Second)
	o.Time = cmp.Or(o.Time, 5*time.Minute)
	o.Lookups = cmp.Or(o.Lookups, 8)
}

// Grid is the grid search of appendix E: both algorithms with every combination
// of the parameters, k = 1.
type Grid struct {
	Queries int           `json:"queries"`
	Limit   time.Duration `json:"limit"`
	// Vectors[i] is the mean time of embedding and vector search with the i-th
	// k(n), measured on Lookups queries.
	Vectors []LookUp `json:"vectors"`
	Lookups int      `json:"lookups"`
	Cells   []Cell   `json:"cells"` // by algorithm, k(r), k(t), k(n)
	// Different is how many searches ended in time with both algorithms and found
	// matches at different distances. It is 0, or there is an error in one.
	Different int `json:"different"`
	// Fronts are the curves of Figure 5.
	Fronts []GridFront `json:"fronts"`
}

// GridFront is the front of one algorithm's cells.
type GridFront struct {
	Algorithm string `json:"algorithm"`
	// Whole says that the time is that of the whole retrieval; otherwise it is that
	// of matching alone.
	Whole  bool    `json:"whole"`
	Points []Point `json:"points"`
}

// LookUp is what looking up the texts of a query takes with one k(n).
type LookUp struct {
	Nodes int           `json:"nodes"`
	Mean  time.Duration `json:"mean"`
}

// Cell is what searches with one choice of the parameters took and found.
type Cell struct {
	Algorithm string `json:"algorithm"`
	Parameters
	Queries  int           `json:"queries"`
	Vectors  time.Duration `json:"vectors"`  // the mean
	Matching time.Duration `json:"matching"` // the mean; a lower bound where RanOut is not 0
	Hits1    float64       `json:"hits1"`    // share
	Best     float64       `json:"best"`     // share, as in Found
	// RanOut is how many searches met the limit. NotTried of them were not even
	// begun, because the same query met it with fewer candidates.
	RanOut   int `json:"ran_out"`
	NotTried int `json:"not_tried"`
}

// gridSearch is one run of one query in one cell.
type gridSearch struct {
	matching         time.Duration
	found            hit
	distance         float64
	matched          bool
	ranOut, notTried bool
}

// gridTask is the name of the grid for progress.
const gridTask = "go through the grid"

// runGrid goes through the grid query by query, so that every cell has the same
// queries whenever it ends.
func runGrid(ctx context.Context, w *World, cases []*Case, o SimGRAGOptions) (*Grid, error) {
	cases = sample(cases, o.Grid.Queries, o.Seed)
	x := &gridRun{w: w, o: o.Grid, grid: &Grid{Limit: o.Grid.Limit}}
	x.begin()
	err := x.lookUps(ctx, cases, o)
	began := time.Now()
	for i, c := range cases {
		if err != nil || i > 0 && time.Since(began) > x.o.Time {
			break
		}
		o.tell(gridTask, int64(i), int64(len(cases)), min(timeLeft(time.Since(began), i, len(cases)), x.o.Time))
		if err = x.query(ctx, c); err != nil {
			err = fmt.Errorf("query %d: %w", c.ID, err)
		}
	}
	if x.grid.Queries == 0 {
		return nil, err
	}
	x.end()
	return x.grid, err
}

// gridRun is a grid that is being measured.
type gridRun struct {
	w    *World
	o    GridOptions
	grid *Grid
}

// algorithms in the order of the cells.
var algorithms = []simgrag.Algorithm{simgrag.Plain, simgrag.Optimised}

// begin makes the cells.
func (x *gridRun) begin() {
	for _, a := range algorithms {
		for _, r := range x.o.Relations {
			for _, t := range x.o.Types {
				for _, n := range x.o.Nodes {
					x.grid.Cells = append(x.grid.Cells, Cell{Algorithm: a.String(), Parameters: Parameters{n, r, t}})
				}
			}
		}
	}
}

// most are the largest parameters of the grid.
func (x *gridRun) most() Parameters {
	last := func(ks []int) int { return ks[len(ks)-1] }
	return Parameters{last(x.o.Nodes), last(x.o.Relations), last(x.o.Types)}
}

// lookUps times the vector search with every k(n). Each query is looked up with
// all of them in turn, so that a busy moment of the computer touches them alike.
func (x *gridRun) lookUps(ctx context.Context, cases []*Case, o SimGRAGOptions) error {
	cases = cases[:min(x.o.Lookups, len(cases))]
	x.grid.Lookups = len(cases)
	for _, n := range x.o.Nodes {
		x.grid.Vectors = append(x.grid.Vectors, LookUp{Nodes: n})
	}
	for i, c := range cases {
		o.tell("time the vector search", int64(i), int64(len(cases)), 0)
		for j, n := range x.o.Nodes {
			most := x.most()
			most.Nodes = n
			began := time.Now()
			if err := lookUp(ctx, newRemembered(x.w.Vocabulary, most), c, most); err != nil {
				return fmt.Errorf("query %d: %w", c.ID, err)
			}
			x.grid.Vectors[j].Mean += time.Since(began) / time.Duration(len(cases))
		}
	}
	return nil
}

// lookUp looks up the texts of a case as a search does.
func lookUp(ctx context.Context, v simgrag.Vocabulary, c *Case, most Parameters) error {
	var names []string
	for _, n := range c.Pattern.Nodes {
		if !n.Variable {
			names = append(names, n.Text)
		} else if n.Type != "" {
			if _, err := v.Types(ctx, n.Type, most.Types); err != nil {
				return err
			}
		}
	}
	for _, e := range c.Pattern.Edges {
		if _, err := v.Relations(ctx, e.Relation, most.Relations); err != nil {
			return err
		}
	}
	_, err := v.EntitiesAll(ctx, names, most.Nodes)
	return err
}

// query runs one query in every cell, and adds it to all of them, or, on an
// error, to none.
func (x *gridRun) query(ctx context.Context, c *Case) error {
	most := x.most()
	v := newRemembered(x.w.Vocabulary, most)
	if err := lookUp(ctx, v, c, most); err != nil {
		return err
	}
	hints, err := x.hints(ctx, c, v)
	if err != nil {
		return err
	}
	runs := make([]gridSearch, len(x.grid.Cells))
	for i, cell := range x.grid.Cells {
		run, known := x.known(hints, runs[:i])
		if !known {
			if run, err = x.search(ctx, c, v, cell); err != nil {
				return err
			}
		}
		runs[i] = run
	}
	x.add(runs)
	return nil
}

// hints returns, for each k(t), what the type hints of a case are taken to mean,
// in the words of the search. Few types are near to a hint, so that most k(t) mean
// the same.
func (x *gridRun) hints(ctx context.Context, c *Case, v simgrag.Vocabulary) (map[int]string, error) {
	hints := map[int]string{}
	for _, t := range x.o.Types {
		r, err := simgrag.Search(ctx, x.w.Graph, &c.Pattern, v, simgrag.Options{
			K: 1, NodeCandidates: x.o.Nodes[0], RelationCandidates: x.o.Relations[0], TypeCandidates: t, MaxWallTime: x.o.Limit,
		})
		if err != nil {
			return nil, err
		}
		hints[t] = strings.Join(r.Notes, "\n")
	}
	return hints, nil
}

// known returns what the next search will find out, where the searches before it
// tell already: one with another k(t) takes the same where the hints mean the same,
// and a plain search that ran out of time with fewer candidates would again, as it
// enumerates all that it did then and more.
func (x *gridRun) known(hints map[int]string, before []gridSearch) (gridSearch, bool) {
	cell := x.grid.Cells[len(before)]
	for i, b := range before {
		o := x.grid.Cells[i]
		if o.Algorithm != cell.Algorithm {
			continue
		}
		if o.Nodes == cell.Nodes && o.Relations == cell.Relations && hints[o.Types] == hints[cell.Types] {
			return b, true
		}
		if b.ranOut && o.Algorithm == simgrag.Plain.String() && o.Nodes <= cell.Nodes && o.Relations <= cell.Relations && o.Types <= cell.Types {
			return gridSearch{matching: x.o.Limit, found: b.found, ranOut: true, notTried: true}, true
		}
	}
	return gridSearch{}, false
}

// repeatBelow is the time below which a search is done twice, and the quicker of
// the two counts: a pause of the system is long beside it.
const repeatBelow = 50 * time.Millisecond

func (x *gridRun) search(ctx context.Context, c *Case, v simgrag.Vocabulary, cell Cell) (gridSearch, error) {
	o := simgrag.Options{
		K: 1, NodeCandidates: cell.Nodes, RelationCandidates: cell.Relations, TypeCandidates: cell.Types,
		MaxWallTime: x.o.Limit, Budget: -1,
	}
	if cell.Algorithm == simgrag.Plain.String() {
		o.Algorithm = simgrag.Plain
	}
	r, err := simgrag.Search(ctx, x.w.Graph, &c.Pattern, v, o)
	if err != nil {
		return gridSearch{}, err
	}
	truth, err := c.weigh(ctx, x.w, v, o)
	if err != nil {
		return gridSearch{}, err
	}
	matching := r.Stats.Duration - r.Stats.LookUp
	if matching < repeatBelow {
		again, err := simgrag.Search(ctx, x.w.Graph, &c.Pattern, v, o)
		if err != nil {
			return gridSearch{}, err
		}
		matching = min(matching, again.Stats.Duration-again.Stats.LookUp)
	}
	run := gridSearch{matching: matching, found: c.found(x.w.Graph, r, truth), ranOut: cutOff(r.Completeness)}
	if len(r.Candidates) > 0 {
		run.matched, run.distance = true, r.Candidates[0].Distance
	}
	return run, nil
}

// add adds the searches of a query to their cells.
func (x *gridRun) add(runs []gridSearch) {
	x.grid.Queries++
	for i, run := range runs {
		c := &x.grid.Cells[i]
		c.Queries++
		c.Matching += run.matching
		if run.found.first {
			c.Hits1++
		}
		if run.found.best {
			c.Best++
		}
		if run.ranOut {
			c.RanOut++
		}
		if run.notTried {
			c.NotTried++
		}
	}
	// The second half of the cells is the first with the other algorithm.
	half := len(runs) / 2
	for i, plain := range runs[:half] {
		optimised := runs[half+i]
		if !plain.ranOut && !optimised.ranOut && (plain.matched != optimised.matched || plain.distance != optimised.distance) {
			x.grid.Different++
		}
	}
}

// end turns sums into means and finds the fronts.
func (x *gridRun) end() {
	g := x.grid
	vectors := map[int]time.Duration{}
	for _, l := range g.Vectors {
		vectors[l.Nodes] = l.Mean
	}
	for i := range g.Cells {
		c := &g.Cells[i]
		n := max(1, c.Queries)
		c.Vectors = vectors[c.Nodes]
		c.Matching /= time.Duration(n)
		c.Hits1 /= float64(n)
		c.Best /= float64(n)
	}
	for _, whole := range []bool{false, true} {
		for _, a := range algorithms {
			g.Fronts = append(g.Fronts, GridFront{a.String(), whole, Front(g.points(a.String(), whole))})
		}
	}
}

// points are the cells of one algorithm.
func (g *Grid) points(algorithm string, whole bool) []Point {
	var ps []Point
	for i, c := range g.Cells {
		if c.Algorithm != algorithm {
			continue
		}
		p := Point{Time: c.Matching, Hits1: c.Hits1, AtLeast: c.RanOut > 0, Cell: i}
		if whole {
			p.Time += c.Vectors
		}
		ps = append(ps, p)
	}
	return ps
}
