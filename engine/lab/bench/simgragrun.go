package bench

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"runtime/pprof"
	"slices"
	"strings"
	"time"

	"cairn/engine/evidence"
	"cairn/engine/lab/process"
	"cairn/engine/lab/synth"
)

// SimGRAGReport is the benchmark of matching on graphs, in the order in which
// they were given.
type SimGRAGReport struct {
	Version string        `json:"version,omitempty"` // of the program
	Machine Machine       `json:"machine"`
	Graphs  []GraphReport `json:"graphs"`
	// Growth are the costs against the sizes of the graphs, where there are several.
	Growth []Growth `json:"growth,omitempty"`
}

// Machine is what a benchmark ran on.
type Machine struct {
	System string `json:"system"` // operating system and architecture
	CPU    string `json:"cpu,omitempty"`
	Cores  int    `json:"cores"`
	Go     string `json:"go"`
}

// thisMachine describes the computer.
func thisMachine() Machine {
	m := Machine{System: runtime.GOOS + "/" + runtime.GOARCH, Cores: runtime.GOMAXPROCS(0), Go: runtime.Version()}
	info, err := os.ReadFile("/proc/cpuinfo")
	if err != nil {
		return m
	}
	for line := range strings.Lines(string(info)) {
		if name, value, ok := strings.Cut(line, ":"); ok && strings.TrimSpace(name) == "model name" {
			m.CPU = strings.TrimSpace(value)
			break
		}
	}
	return m
}

// GraphReport is what matching costs on one graph.
type GraphReport struct {
	Name      string `json:"name"`
	Entities  int    `json:"entities"`
	Triples   int    `json:"triples"`
	Relations int    `json:"relations"`
	Types     int    `json:"types"`
	// File and Cache are the bytes of the file and of the folder beside it.
	File   int64   `json:"file"`
	Cache  int64   `json:"cache"`
	Opened Opening `json:"opened"`
	// Open is the memory after opening, Memory after all searches.
	Open   process.Memory `json:"open"`
	Memory process.Memory `json:"memory"`

	Queries    string        `json:"queries"` // the file
	InFile     int           `json:"in_file"` // how many queries it has
	Seed       uint64        `json:"seed"`
	Parameters Parameters    `json:"parameters"`
	Deadline   time.Duration `json:"deadline"`
	GiveUp     time.Duration `json:"give_up"` // of the searches without a deadline
	Retrieval  []Retrieval   `json:"retrieval"`
	// Profile says where the processor's time went; nil where nobody asked.
	Profile []Spent `json:"profile,omitempty"`
	Grid    *Grid   `json:"grid,omitempty"`
	// Interrupted says that not all was measured that was asked for.
	Interrupted bool `json:"interrupted,omitempty"`
}

// SimGRAG measures matching on one graph: path is its file, queries the file of
// queries cut from it. Where ctx is cancelled, the report has what was measured
// until then, beside the context's error.
//
// Files stay mapped until the program ends, so that the memory of a graph includes
// what is resident of those measured before it in the same process.
func SimGRAG(ctx context.Context, path, queries string, o SimGRAGOptions) (*GraphReport, error) {
	o.SetDefaults()
	qs, err := readQueriesFile(queries)
	if err != nil {
		return nil, err
	}
	process.ResetPeak()
	w, err := OpenWorld(ctx, path, func(task string, done, total int64) { o.tell(task, done, total, 0) })
	if err != nil {
		return nil, err
	}
	defer w.Close()
	r, err := w.SimGRAG(ctx, qs, o)
	if r != nil {
		r.Name, r.Queries = strings.TrimSuffix(filepath.Base(path), filepath.Ext(path)), filepath.Base(queries)
		r.File, r.Cache = sizeOnDisk(path)
	}
	if other := (*otherGraphError)(nil); errors.As(err, &other) {
		return nil, &FileError{Doing: readQueries, File: queries, What: other.Error()}
	}
	if err != nil {
		return r, fmt.Errorf("measure matching on %s: %w", path, err)
	}
	return r, nil
}

func readQueriesFile(path string) ([]synth.Query, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, fmt.Errorf("read the queries: %w", err)
	}
	defer f.Close()
	return ReadQueries(f, path)
}

// SimGRAG measures matching of queries on a graph that is open.
func (w *World) SimGRAG(ctx context.Context, qs []synth.Query, o SimGRAGOptions) (*GraphReport, error) {
	o.SetDefaults()
	g := w.Graph
	r := &GraphReport{
		Entities: g.Entities(), Triples: g.Triples(), Relations: g.Relations(), Types: g.NumTypes(),
		Opened: w.Opened, Open: process.ReadMemory(),
		InFile: len(qs), Seed: o.Seed, Parameters: o.Parameters, Deadline: o.Deadline, GiveUp: o.Unbounded,
	}
	var cases []*Case
	for _, q := range sample(qs, o.Sample, o.Seed) {
		c, err := NewCase(ctx, g, q, w.Entity)
		if err != nil {
			return nil, err
		}
		cases = append(cases, c)
	}
	err := r.run(ctx, w, cases, o)
	r.Memory, r.Interrupted = process.ReadMemory(), err != nil
	if err != nil && !errors.Is(err, ctx.Err()) {
		return nil, err
	}
	return r, err
}

func (r *GraphReport) run(ctx context.Context, w *World, cases []*Case, o SimGRAGOptions) error {
	var profile bytes.Buffer
	if o.Profile != nil {
		if err := pprof.StartCPUProfile(&profile); err != nil {
			return fmt.Errorf("write a profile: %w", err)
		}
	}
	rows, err := measure(ctx, w, cases, o)
	for i, k := range o.K {
		r.Retrieval = append(r.Retrieval, retrievals(rows[i], k)...)
	}
	if o.Profile != nil {
		pprof.StopCPUProfile()
		err = errors.Join(err, r.profile(&profile, o.Profile))
	}
	if err != nil {
		return err
	}
	if o.Grid.Queries < 0 {
		return nil
	}
	r.Grid, err = runGrid(ctx, w, cases, o)
	return err
}

// shownFunctions is how many functions of a profile a report names.
const shownFunctions = 12

// profile writes a CPU profile and keeps the functions that took most.
func (r *GraphReport) profile(p *bytes.Buffer, to io.Writer) (err error) {
	if r.Profile, err = topFunctions(p.Bytes(), shownFunctions); err != nil {
		return err
	}
	if _, err := p.WriteTo(to); err != nil {
		return fmt.Errorf("write a profile: %w", err)
	}
	return nil
}

// allKinds is the kind of the row for all queries.
const allKinds = "all"

// retrievals sums up what searches took and found: all of them, and by kind.
func retrievals(ts []taken, k int) []Retrieval {
	if len(ts) == 0 {
		return nil
	}
	kinds := map[string][]taken{}
	for _, t := range ts {
		kinds[t.kind] = append(kinds[t.kind], t)
	}
	rows := []Retrieval{retrieval(allKinds, k, ts)}
	for _, kind := range kindsOf(ts) {
		rows = append(rows, retrieval(kind, k, kinds[kind]))
	}
	return rows
}

// kindsOf are the kinds of ts in the order of their names.
func kindsOf(ts []taken) []string {
	var names []string
	for _, t := range ts {
		if !slices.Contains(names, t.kind) {
			names = append(names, t.kind)
		}
	}
	slices.Sort(names)
	return names
}

func retrieval(kind string, k int, ts []taken) Retrieval {
	r := Retrieval{Kind: kind, K: k, Queries: len(ts)}
	var embedding, vectors, matching, total []time.Duration
	each := 1 / float64(len(ts))
	for _, t := range ts {
		embedding, vectors, matching = append(embedding, t.embedding), append(vectors, t.vectors), append(matching, t.matching)
		total = append(total, t.embedding+t.vectors+t.matching)
		if t.reach {
			r.Reach += each
		}
		r.Found.add(t.found, each)
		r.Unbounded.add(t.unbounded, each)
		switch t.ended {
		case evidence.TimedOut:
			r.TimedOut++
		case evidence.CutByBudget:
			r.Cut++
		default:
		}
		if cutOff(t.endedUnbounded) {
			r.GivenUp++
		}
	}
	r.Embedding, r.Vectors, r.Matching, r.Total = timesOf(embedding), timesOf(vectors), timesOf(matching), timesOf(total)
	return r
}

func (f *Found) add(h hit, each float64) {
	for _, x := range []struct {
		is bool
		to *float64
	}{{h.first, &f.Hits1}, {h.same, &f.Same}, {h.best, &f.Best}, {h.within, &f.Within}} {
		if x.is {
			*x.to += each
		}
	}
}

// NewSimGRAGReport puts the reports of graphs together, smallest graph first, and
// adds how their costs grow.
func NewSimGRAGReport(graphs []GraphReport) *SimGRAGReport {
	slices.SortStableFunc(graphs, func(a, b GraphReport) int { return cmp.Compare(a.Entities, b.Entities) })
	return &SimGRAGReport{Machine: thisMachine(), Graphs: graphs, Growth: growth(graphs)}
}

// WriteJSON writes the report so that ReadSimGRAGReport reads it.
func (r *SimGRAGReport) WriteJSON(w io.Writer) error {
	e := json.NewEncoder(w)
	e.SetIndent("", "  ")
	if err := e.Encode(r); err != nil {
		return fmt.Errorf("write results: %w", err)
	}
	return nil
}

// ReadSimGRAGReport reads a report that was written as JSON.
func ReadSimGRAGReport(path string) (*SimGRAGReport, error) {
	const readResults = "read the results in"
	b, err := os.ReadFile(path)
	if err != nil {
		return nil, fmt.Errorf("read results: %w", err)
	}
	var r SimGRAGReport
	if err := json.Unmarshal(b, &r); err != nil {
		return nil, &FileError{Doing: readResults, File: path, What: fmt.Sprintf("these are no results as cairn-lab bench simgrag --json writes them (%s)", wrongJSON(err))}
	}
	if len(r.Graphs) == 0 {
		return nil, &FileError{Doing: readResults, File: path, What: "these are no results as cairn-lab bench simgrag --json writes them: they have no graphs"}
	}
	return &r, nil
}
