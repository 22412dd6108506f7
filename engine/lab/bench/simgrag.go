package bench

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"math"
	"slices"
	"time"

	"cairn/engine/embed"
	"cairn/engine/evidence"
	"cairn/engine/kg"
	"cairn/engine/retrieve/simgrag"
)

// SimGRAGOptions are the choices of one benchmark of matching; the zero value is
// the default.
type SimGRAGOptions struct {
	// Sample is how many queries of each file are measured; a negative value
	// means all.
	//
	// The default value is 300.
	Sample int
	// Seed draws the queries.
	Seed uint64
	// K are the numbers of matches that are searched for, k in the paper.
	//
	// The default value is 1 and 3, the paper's for its grid and its questions.
	K []int
	// Parameters are the numbers of candidates.
	//
	// The default value is 16384, 512 and 16, the paper's for FactKG.
	Parameters Parameters
	// Deadline is the soft deadline of a search.
	//
	// The default value is 1s.
	Deadline time.Duration
	// Unbounded is when a search without a deadline, which a search that met its
	// deadline is repeated as, is given up.
	//
	// The default value is 30s; a negative value repeats none.
	Unbounded time.Duration
	// Grid are the choices of the grid.
	Grid GridOptions
	// Profile, which may be nil, is sent a CPU profile of the retrieval.
	Profile io.Writer
	// Progress, which may be nil, is told how far the work is. left is the time
	// that it will still take, 0 where that is not known yet. It is called on the
	// caller's goroutine and must return quickly.
	Progress func(task string, done, total int64, left time.Duration)
}

// SetDefaults fills the fields that are zero with their default values.
func (o *SimGRAGOptions) SetDefaults() {
	o.Sample = cmp.Or(o.Sample, 300)
	if len(o.K) == 0 {
		o.K = []int{1, 3}
	}
	o.Parameters.Nodes = cmp.Or(o.Parameters.Nodes, 16384)
	o.Parameters.Relations = cmp.Or(o.Parameters.Relations, 512)
	o.Parameters.Types = cmp.Or(o.Parameters.Types, 16)
	o.Deadline = cmp.Or(o.Deadline, time.Second)
	o.Unbounded = cmp.Or(o.Unbounded, 30*time.Second)
	o.Grid.setDefaults()
}

func (o *SimGRAGOptions) tell(task string, done, total int64, left time.Duration) {
	if o.Progress != nil {
		o.Progress(task, done, total, left)
	}
}

// Retrieval is what the queries of one kind took and found, for one k.
type Retrieval struct {
	Kind    string `json:"kind"` // "all", or the shape and the hops
	K       int    `json:"k"`
	Queries int    `json:"queries"`
	// Embedding is the time of embedding the texts, Vectors of finding the
	// nearest names, relations and types, Matching of the rest.
	Embedding Times `json:"embedding"`
	Vectors   Times `json:"vectors"`
	Matching  Times `json:"matching"`
	Total     Times `json:"total"`
	// Reach is the share of queries whose true subgraph could have been found:
	// each of its entities, relations and types is among the candidates.
	Reach float64 `json:"reach"`
	Found Found   `json:"found"`
	// TimedOut and Cut are how many searches met the deadline and the limit of
	// partial matches.
	TimedOut int `json:"timed_out"`
	Cut      int `json:"cut"`
	// Unbounded is what is found where the searches that were cut off go on;
	// GivenUp is how many of them took too long nevertheless.
	Unbounded Found `json:"unbounded"`
	GivenUp   int   `json:"given_up"`
}

// Found is how good the matches of searches are, as shares of the queries.
type Found struct {
	// Hits1 is retrieval Hits@1: the best match says what the query asks
	// (synth.Query.Answered). Entities with the same name are as good as each other,
	// and an unknown node may be any that fits, as a person has several children.
	Hits1 float64 `json:"hits1"`
	// Same is the share whose best match is the very subgraph that was cut.
	Same float64 `json:"same"`
	// Best is the share with that subgraph at the best distance, though ties may put
	// another first.
	Best float64 `json:"best"`
	// Within is Hits@k: one of the k matches says what the query asks.
	Within float64 `json:"within"`
}

// taken is what one search took and found.
type taken struct {
	kind                         string
	embedding, vectors, matching time.Duration
	reach                        bool
	found                        hit
	ended                        evidence.Completeness
	// unbounded and endedUnbounded are those of the search without a deadline.
	unbounded      hit
	endedUnbounded evidence.Completeness
}

// hit is Found for one search.
type hit struct{ first, same, best, within bool }

// measure searches for each case with each k and returns what it took, in rows of
// one k each. A cancelled ctx returns what was measured before.
func measure(ctx context.Context, w *World, cases []*Case, o SimGRAGOptions) ([][]taken, error) {
	rows := make([][]taken, len(o.K))
	const task = "retrieve"
	if err := warm(ctx, w, cases, o); err != nil {
		return rows, err
	}
	began := time.Now()
	for i, c := range cases {
		o.tell(task, int64(i), int64(len(cases)), timeLeft(time.Since(began), i, len(cases)))
		of, err := measureCase(ctx, w, c, o)
		if err != nil {
			return rows, fmt.Errorf("query %d: %w", c.ID, err)
		}
		for j, t := range of {
			rows[j] = append(rows[j], t)
		}
	}
	o.tell(task, int64(len(cases)), int64(len(cases)), 0)
	return rows, nil
}

// warmUp is how many queries are searched for before any is measured, so that
// mapped files are in memory.
const warmUp = 3

func warm(ctx context.Context, w *World, cases []*Case, o SimGRAGOptions) error {
	o.Unbounded = -1
	for _, c := range cases[:min(warmUp, len(cases))] {
		if _, err := measureCase(ctx, w, c, o); err != nil {
			return fmt.Errorf("query %d: %w", c.ID, err)
		}
	}
	return nil
}

// timeLeft is how long the rest takes where it goes on as it did; 0 before the
// first is done.
func timeLeft(spent time.Duration, done, total int) time.Duration {
	if done == 0 {
		return 0
	}
	return time.Duration(float64(spent) / float64(done) * float64(total-done))
}

// measureCase searches for c with each k. The names are looked up once, by the
// first search.
func measureCase(ctx context.Context, w *World, c *Case, o SimGRAGOptions) ([]taken, error) {
	v := newRemembered(w.Vocabulary, o.Parameters)
	embedding, err := w.embed(ctx, c)
	if err != nil {
		return nil, err
	}
	search := simgrag.Options{
		NodeCandidates: o.Parameters.Nodes, RelationCandidates: o.Parameters.Relations, TypeCandidates: o.Parameters.Types,
		MaxWallTime: o.Deadline,
	}
	var all []taken
	var lookUp, wall time.Duration
	for i, k := range o.K {
		search.K = k
		if i > 0 {
			search.MaxWallTime = max(o.Deadline-lookUp, 1)
		}
		r, err := simgrag.Search(ctx, w.Graph, &c.Pattern, v, search)
		if err != nil {
			return nil, err
		}
		if i == 0 {
			lookUp, wall = r.Stats.LookUp, max(r.Stats.LookUp-embedding, 0)
		}
		t := taken{kind: c.Kind(), embedding: embedding, vectors: wall, matching: r.Stats.Duration - r.Stats.LookUp}
		if err := t.judge(ctx, w, c, v, search, r, o.Unbounded); err != nil {
			return nil, err
		}
		all = append(all, t)
	}
	return all, nil
}

// embed returns how long embedding the texts of a case takes.
func (w *World) embed(ctx context.Context, c *Case) (time.Duration, error) {
	began := time.Now()
	for _, t := range c.texts() {
		if _, err := w.Embedder.Embed(ctx, embed.Query, []string{t}); err != nil {
			return 0, fmt.Errorf("embed %q: %w", t, err)
		}
	}
	return time.Since(began), nil
}

// texts are what is looked up for the case: names, relations and type hints.
func (c *Case) texts() []string {
	var ts []string
	for _, n := range c.Pattern.Nodes {
		switch {
		case !n.Variable:
			ts = append(ts, n.Text)
		case n.Type != "":
			ts = append(ts, n.Type)
		}
	}
	for _, e := range c.Pattern.Edges {
		ts = append(ts, e.Relation)
	}
	return ts
}

// judge says what a search found, and what it finds without a deadline where it
// met one.
func (t *taken) judge(ctx context.Context, w *World, c *Case, v simgrag.Vocabulary, o simgrag.Options, r evidence.Found, unbounded time.Duration) error {
	truth, err := c.weigh(ctx, w, v, o)
	if err != nil {
		return err
	}
	t.reach = !math.IsInf(truth, 1)
	t.found, t.ended = c.found(w.Graph, r, truth), r.Completeness
	t.unbounded, t.endedUnbounded = t.found, t.ended
	if !cutOff(r.Completeness) || unbounded < 0 {
		return nil
	}
	o.MaxWallTime, o.Budget = unbounded, -1
	if r, err = simgrag.Search(ctx, w.Graph, &c.Pattern, v, o); err != nil {
		return err
	}
	t.unbounded, t.endedUnbounded = c.found(w.Graph, r, truth), r.Completeness
	return nil
}

// weigh returns the distance of the true subgraph, +Inf where it is out of reach.
func (c *Case) weigh(ctx context.Context, w *World, v simgrag.Vocabulary, o simgrag.Options) (float64, error) {
	truth, ok, err := simgrag.Weigh(ctx, w.Graph, &c.Pattern, v, o, c.Nodes)
	if err != nil {
		return 0, err
	}
	if !ok {
		return math.Inf(1), nil
	}
	return truth, nil
}

func cutOff(c evidence.Completeness) bool {
	return c == evidence.TimedOut || c == evidence.CutByBudget
}

// sameDistance is within what two distances are the same: simgrag counts in
// billionths.
const sameDistance = 0.5e-9

// found compares the matches of r with what the query asks, and with the true
// subgraph, which is at the distance truth.
func (c *Case) found(g *kg.Graph, r evidence.Found, truth float64) hit {
	var h hit
	for i, m := range r.Candidates {
		if c.answered(g, m) {
			h.first, h.within = h.first || i == 0, true
		}
	}
	if len(r.Candidates) > 0 {
		best := r.Candidates[0]
		h.same = slices.Equal(best.Triples(), c.Truth)
		h.best = h.same || math.Abs(best.Distance-truth) < sameDistance
	}
	return h
}

// answered reports whether a match says what the query asks.
func (c *Case) answered(g *kg.Graph, m evidence.Candidate) bool {
	labels, relations := make([]string, len(m.Nodes)), make([]string, len(m.Edges))
	for i, e := range m.Nodes {
		if e == kg.NoEntity {
			return false
		}
		labels[i] = g.Label(e)
	}
	for i, t := range m.Edges {
		if t == kg.NoTriple {
			return false
		}
		relations[i] = g.RelationKey(g.Triple(t).Relation)
	}
	return c.Answered(labels, relations)
}
