package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"strings"
	"time"

	"cairn/app/cli/command"
	"cairn/app/output"
	"cairn/app/present"
	"cairn/engine/lab/bench"
)

type benchSimGRAGCommand struct {
	Graphs  []string `arg:"" help:"Graphs, or results.json of earlier runs, for the table of growth."`
	Queries []string `help:"The queries cut from each graph, in the order of the graphs (default: GRAPH.queries.jsonl beside each)." placeholder:"FILE"`

	Sample   int           `help:"Measure this many queries of each file; 0 is all (default: 300)." default:"300" placeholder:"N"`
	Seed     uint64        `help:"Draws the queries (default: 1)." default:"1" placeholder:"N"`
	K        []int         `help:"How many subgraphs to search for (default: 1,3)." default:"1,3" placeholder:"N"`
	Kn       int           `help:"Names that a node may mean, k(n) (default: 16,384)." default:"16384" placeholder:"N"`
	Kr       int           `help:"Relations that an edge may mean, k(r) (default: 512)." default:"512" placeholder:"N"`
	Kt       int           `help:"Types that a hint may mean, k(t) (default: 16)." default:"16" placeholder:"N"`
	Deadline time.Duration `help:"The soft deadline of a search (default: 1s)." default:"1s" placeholder:"TIME"`
	GiveUp   time.Duration `help:"When to give up a search that is repeated without the deadline that it met; 0 repeats none (default: 30s)." default:"30s" placeholder:"TIME"`
	Grid     int           `help:"Take this many of the queries through the grid of appendix E; 0 is no grid (default: 100)." default:"100" placeholder:"N"`
	Limit    time.Duration `help:"End each search of the grid after this time (default: 2s)." default:"2s" placeholder:"TIME"`
	GridTime time.Duration `help:"Begin no further query of the grid after this time (default: 5m)." default:"5m" placeholder:"TIME"`
	Out      string        `help:"Write the tables as CSV, the plots as SVG and the results as JSON into this folder." placeholder:"DIR"`
	Profile  string        `help:"Write a CPU profile of the retrieval, for go tool pprof." placeholder:"FILE"`
}

// resultsEnding is the ending of the results of an earlier run.
const resultsEnding = ".json"

// Run measures matching.
func (c *benchSimGRAGCommand) Run(ctx context.Context, s *command.Session) error {
	queries, err := c.check()
	if err != nil {
		return err
	}
	results := []string{c.Profile}
	if c.Out != "" {
		results = append(results, filepath.Join(c.Out, "retrieval.csv"), filepath.Join(c.Out, "results"+resultsEnding))
	}
	if err := s.CheckFiles(ctx, results...); err != nil {
		return err
	}
	if c.Profile == "" {
		return c.run(ctx, s, queries, nil)
	}
	var profile bytes.Buffer
	err = c.run(ctx, s, queries, &profile)
	if profile.Len() == 0 {
		return err
	}
	return errors.Join(err, s.WriteFile(ctx, c.Profile, func(w io.Writer) error {
		_, err := profile.WriteTo(w)
		return err
	}))
}

// check says what is wrong with the command line before anything long begins, and
// returns the queries file of each graph; "" for results.
func (c *benchSimGRAGCommand) check() ([]string, error) {
	for _, k := range append([]int{c.Kn, c.Kr, c.Kt}, c.K...) {
		if k < 1 {
			return nil, command.UsageError("--k, --kn, --kr and --kt must be 1 at least")
		}
	}
	if min(c.Sample, c.Grid) < 0 || min(c.GiveUp, c.GridTime) < 0 || min(c.Deadline, c.Limit) <= 0 {
		return nil, command.UsageError("numbers and times cannot be below 0, and a deadline or limit of 0 finds nothing")
	}
	graphs := 0
	files := make([]string, len(c.Graphs))
	for i, path := range c.Graphs {
		if err := command.Exists("measure", path, "check how the name is written, or make a graph with cairn-lab bench generate and cairn import"); err != nil {
			return nil, err
		}
		if strings.HasSuffix(strings.ToLower(path), resultsEnding) {
			continue
		}
		files[i] = strings.TrimSuffix(path, filepath.Ext(path)) + ".queries.jsonl"
		if graphs < len(c.Queries) {
			files[i] = c.Queries[graphs]
		}
		graphs++
		if err := command.Exists("read the queries", files[i], "name the file with --queries, or make it with cairn-lab bench generate"); err != nil {
			return nil, err
		}
	}
	switch {
	case len(c.Queries) > 0 && len(c.Queries) != graphs:
		return nil, command.UsageError(fmt.Sprintf("--queries names %s for %s; each graph has its own", present.Plural(len(c.Queries), "file", "files"), present.Plural(graphs, "graph", "graphs")))
	case c.Profile != "" && graphs != 1:
		return nil, command.UsageError("--profile is of one graph")
	case c.Out != "":
		if err := output.Folder(c.Out); err != nil {
			return nil, err
		}
	}
	return files, nil
}

func (c *benchSimGRAGCommand) run(ctx context.Context, s *command.Session, queries []string, profile io.Writer) error {
	var graphs []bench.GraphReport
	for i, path := range c.Graphs {
		of, err := c.measure(ctx, s, path, queries[i], profile)
		graphs = append(graphs, of...)
		if err != nil && len(graphs) > 0 {
			noteBefore(s, err)
			return errors.Join(err, c.write(ctx, s, bench.NewSimGRAGReport(graphs)))
		}
		if err != nil {
			return err
		}
	}
	return c.write(ctx, s, bench.NewSimGRAGReport(graphs))
}

// measure measures matching on a graph, or reads earlier results where there is no
// queries file. What was measured before an error is returned with it.
func (c *benchSimGRAGCommand) measure(ctx context.Context, s *command.Session, path, queries string, profile io.Writer) ([]bench.GraphReport, error) {
	if queries == "" {
		r, err := bench.ReadSimGRAGReport(path)
		if err != nil {
			return nil, benchInput(err)
		}
		return r.Graphs, nil
	}
	g, err := bench.SimGRAG(ctx, path, queries, c.options(s, profile))
	if g == nil {
		return nil, benchInput(err)
	}
	return []bench.GraphReport{*g}, benchInput(err)
}

func (c *benchSimGRAGCommand) options(s *command.Session, profile io.Writer) bench.SimGRAGOptions {
	return bench.SimGRAGOptions{
		Sample: orNone(c.Sample), Seed: c.Seed, K: c.K, Parameters: bench.Parameters{Nodes: c.Kn, Relations: c.Kr, Types: c.Kt},
		Deadline: c.Deadline, Unbounded: orNone(c.GiveUp), Profile: profile,
		Grid: bench.GridOptions{Queries: orNone(c.Grid), Limit: c.Limit, Time: orNone(c.GridTime)},
		Progress: func(task string, done, total int64, left time.Duration) {
			text := present.ProgressText(task, done, total, false)
			if left > 0 {
				text += ", " + present.TimeLeft(int64(left.Seconds()), 1) + " left"
			}
			s.Show(text)
		},
	}
}

// orNone is n, or, for 0, what says none to the options of a benchmark, where 0
// stands for the default.
func orNone[N int | time.Duration](n N) N {
	if n == 0 {
		return -1
	}
	return n
}

// write prints the report, and writes its files where they are asked for.
func (c *benchSimGRAGCommand) write(ctx context.Context, s *command.Session, r *bench.SimGRAGReport) error {
	r.Version = command.FullVersion()
	if c.Out != "" {
		files := append(r.Files(), bench.File{Name: "results" + resultsEnding, Write: r.WriteJSON})
		for _, f := range files {
			if err := s.WriteFile(ctx, filepath.Join(c.Out, f.Name), f.Write); err != nil {
				return err
			}
		}
	}
	if s.JSON {
		return s.PrintJSON(r)
	}
	s.Clear()
	return r.WriteText(s.Stdout)
}

// benchInput makes a file that cannot be used an error of the input.
func benchInput(err error) error {
	if f := (*bench.FileError)(nil); errors.As(err, &f) {
		return command.InputError(f.Error())
	}
	return err
}
