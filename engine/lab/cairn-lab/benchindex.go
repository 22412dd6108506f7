package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"cairn/app/cli/command"
	"cairn/app/present"
	"cairn/engine/kg"
	"cairn/engine/lab/bench"
	"cairn/engine/lab/synth"
)

type benchIndexCommand struct {
	Graphs []string `arg:"" optional:"" help:"Graphs, whose labels are the names."`
	Names  []string `help:"Files of names, one a line." placeholder:"FILE"`
	Sizes  []amount `help:"Made names: those of the worlds of cairn-lab bench generate with so many entities, such as 43k,1M." placeholder:"N"`

	Peers   []string      `help:"The indexes to compare: brute, flat, scan, hnsw, coder, hnswlib, faiss (default: all; hnswlib only with --hnswlib, faiss only with --faiss)." placeholder:"NAME"`
	HNSWLib string        `name:"hnswlib" help:"The program that engine/lab/hnswlib makes." placeholder:"FILE"`
	FAISS   string        `name:"faiss" help:"The program engine/lab/peers/faiss_hnsw.py, which needs faiss-cpu." placeholder:"FILE"`
	Queries int           `help:"How many misspelt or shortened names to look up (default: ${default})." default:"300" placeholder:"N"`
	K       int           `help:"How many names to ask for (default: ${default})." default:"16" placeholder:"N"`
	Wide    int           `help:"How many to ask the exact indexes for as well (default: ${default})." default:"16384" placeholder:"N"`
	M       int           `help:"Neighbours that a vector of a graph is linked to (default: ${default})." default:"64" placeholder:"N"`
	EfC     int           `name:"ef-construction" help:"Candidates that they are chosen from (default: ${default})." default:"512" placeholder:"N"`
	Ef      []int         `help:"Candidates of a search in a graph (default: ${default})." default:"64,128,256,512" placeholder:"N"`
	Limit   time.Duration `help:"End the building of an index after this time (default: ${default})." default:"5m" placeholder:"TIME"`
	Seed    uint64        `help:"Draws the names and their errors, and made worlds (default: ${default})." default:"1" placeholder:"N"`
}

// Run compares indexes of names.
func (c *benchIndexCommand) Run(ctx context.Context, s *command.Session) error {
	if err := c.check(); err != nil {
		return err
	}
	var sets []bench.IndexSet
	for _, source := range c.sources() {
		set, err := c.measure(ctx, s, source)
		if set != nil && len(set.Peers) > 0 {
			sets = append(sets, *set)
		}
		if err != nil && len(sets) > 0 {
			noteBefore(s, err)
			return errors.Join(err, c.write(s, sets))
		}
		if err != nil {
			return err
		}
	}
	return c.write(s, sets)
}

// measure compares the indexes of the names of one source.
func (c *benchIndexCommand) measure(ctx context.Context, s *command.Session, source nameSource) (*bench.IndexSet, error) {
	s.Show("read the names of " + source.name)
	names, err := source.read(ctx)
	if err != nil {
		return nil, err
	}
	if len(names) == 0 {
		return nil, command.InputError("compare indexes: there are no names in " + source.name)
	}
	return bench.Index(ctx, source.name, names, c.options(s))
}

// check says what is wrong with the command line before anything long begins.
func (c *benchIndexCommand) check() error {
	if len(c.Graphs)+len(c.Names)+len(c.Sizes) == 0 {
		return command.UsageError("compare indexes of what? Give a graph, --names FILE, or --sizes 43k,1M")
	}
	for _, n := range append([]int{c.Queries, c.K, c.Wide, c.EfC}, c.Ef...) {
		if n < 1 {
			return command.UsageError("--queries, --k, --wide, --ef-construction and --ef must be 1 at least")
		}
	}
	if c.M < 2 || c.M > 1024 || c.Limit <= 0 {
		return command.UsageError("--m is 2 to 1024, and --limit a time above 0")
	}
	for _, p := range c.Peers {
		if !slices.Contains(bench.IndexPeers, p) {
			return command.UsageError(fmt.Sprintf("there is no index %q to compare: there are %s", p, strings.Join(bench.IndexPeers, ", ")))
		}
		if p == "hnswlib" && c.HNSWLib == "" {
			return command.UsageError("hnswlib is compared by a program of its own: make it in engine/lab/hnswlib, and name it with --hnswlib")
		}
		if p == "faiss" && c.FAISS == "" {
			return command.UsageError("faiss is compared by a program of its own: name engine/lab/peers/faiss_hnsw.py with --faiss")
		}
	}
	for _, n := range c.Sizes {
		if n == 0 {
			return command.UsageError("--sizes are numbers of entities, such as 43k,1M; 0 has no names")
		}
		if _, err := synth.New(synth.Options{Entities: int(n), Seed: c.Seed}); err != nil {
			return command.UsageError(err.Error())
		}
	}
	for _, path := range append(slices.Clone(c.Graphs), c.Names...) {
		if err := command.Exists("compare indexes of", path, "check how the name is written"); err != nil {
			return err
		}
	}
	for path, remedy := range map[string]string{
		c.HNSWLib: "make it with make -C engine/lab/hnswlib",
		c.FAISS:   "it is engine/lab/peers/faiss_hnsw.py",
	} {
		if path == "" {
			continue
		}
		if err := command.Exists("run", path, remedy); err != nil {
			return err
		}
	}
	return nil
}

func (c *benchIndexCommand) options(s *command.Session) bench.IndexOptions {
	program := func(path string) string {
		if path != "" && filepath.Base(path) == path {
			return "." + string(filepath.Separator) + path // a file here, not one of the PATH
		}
		return path
	}
	return bench.IndexOptions{
		Peers: c.Peers, HNSWLib: program(c.HNSWLib), FAISS: program(c.FAISS), Queries: c.Queries, K: c.K, Wide: c.Wide, M: c.M, EfConstruction: c.EfC, Ef: c.Ef,
		Limit: c.Limit, Seed: c.Seed,
		Progress: func(task string, done, total int64) { s.Show(present.ProgressText(task, done, total, false)) },
	}
}

func (c *benchIndexCommand) write(s *command.Session, sets []bench.IndexSet) error {
	r := bench.NewIndexReport(sets)
	r.Version = command.FullVersion()
	if s.JSON {
		return s.PrintJSON(r)
	}
	s.Clear()
	return r.WriteText(s.Stdout)
}

// nameSource is where names come from.
type nameSource struct {
	name string
	read func(ctx context.Context) ([]string, error)
}

// sources are those of the command line, in its order.
func (c *benchIndexCommand) sources() []nameSource {
	var all []nameSource
	for _, path := range c.Graphs {
		all = append(all, nameSource{filepath.Base(path), func(ctx context.Context) ([]string, error) { return labelsOf(ctx, path) }})
	}
	for _, path := range c.Names {
		all = append(all, nameSource{filepath.Base(path), func(context.Context) ([]string, error) { return linesOf(path) }})
	}
	for _, n := range c.Sizes {
		name := fmt.Sprintf("made, %s, seed %d", present.Plural(int(n), "entity", "entities"), c.Seed)
		all = append(all, nameSource{name, func(ctx context.Context) ([]string, error) { return madeNames(ctx, int(n), c.Seed) }})
	}
	return all
}

// labelsOf returns the labels of a graph.
func labelsOf(ctx context.Context, path string) (names []string, err error) {
	st, err := kg.OpenStore(ctx, path)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, st.Close()) }()
	g, err := st.Graph(ctx, nil)
	if err != nil {
		return nil, err
	}
	for e := range kg.EntityID(g.Entities()) {
		names = append(names, strings.Clone(g.Label(e)))
	}
	return names, nil
}

// linesOf returns the lines of a file that are not empty.
func linesOf(path string) (names []string, err error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	lines := bufio.NewScanner(f)
	for n := 1; lines.Scan(); n++ {
		if !utf8.Valid(lines.Bytes()) {
			return nil, command.InputError(fmt.Sprintf("read the names in %s: line %d is no text; give a text file, in UTF-8, with one name a line", path, n))
		}
		if name := strings.TrimSpace(lines.Text()); name != "" {
			names = append(names, name)
		}
	}
	if err := lines.Err(); errors.Is(err, bufio.ErrTooLong) {
		return nil, command.InputError(fmt.Sprintf("read the names in %s: a line is too long for a name; give a text file with one name a line", path))
	} else if err != nil {
		return nil, fmt.Errorf("read the names in %s: %w", path, err)
	}
	return names, nil
}

// madeNames returns the labels of a made world.
func madeNames(ctx context.Context, entities int, seed uint64) ([]string, error) {
	w, err := synth.New(synth.Options{Entities: entities, Seed: seed})
	if err != nil {
		return nil, command.UsageError(err.Error())
	}
	names := make([]string, w.Entities())
	for e := range names {
		if e%4096 == 0 && ctx.Err() != nil {
			return nil, ctx.Err()
		}
		names[e] = w.Label(e)
	}
	return names, nil
}
