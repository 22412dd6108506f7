package main

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"
	"time"

	"cairn/app/cli/command"
	"cairn/app/present"
	"cairn/engine/lab/synth"
)

type benchGenerateCommand struct {
	Out         string `required:"" placeholder:"PREFIX" help:"The files are PREFIX.nt.gz, the graph, and PREFIX.queries.jsonl, the queries."`
	Entities    amount `default:"10M" help:"How many entities, such as 43k, 1M or 10M (default: ${default})."`
	Edges       amount `help:"How many edges beside labels and types (default: 4.3 an entity)."`
	Seed        uint64 `default:"1" help:"What the world follows from: the same seed gives the same bytes (default: ${default})."`
	Queries     int    `default:"1000" help:"How many queries are cut from the graph (default: ${default})."`
	OnlyQueries bool   `help:"Write the queries only: the graph of these options is there already."`
	Relations   int    `default:"522" help:"How many relations (default: ${default}, as many as DBpedia has in the paper)."`
	Types       int    `default:"467" help:"How many types (default: ${default}, as many as DBpedia has in the paper)."`
}

// amount is a number that may end in k or M.
type amount int

// UnmarshalText reads a number such as 43k, 1M or 10_000.
func (a *amount) UnmarshalText(text []byte) error {
	digits, unit := strings.ReplaceAll(string(text), "_", ""), 1.0
	switch {
	case strings.HasSuffix(digits, "k"), strings.HasSuffix(digits, "K"):
		digits, unit = digits[:len(digits)-1], 1e3
	case strings.HasSuffix(digits, "m"), strings.HasSuffix(digits, "M"):
		digits, unit = digits[:len(digits)-1], 1e6
	}
	n, err := strconv.ParseFloat(digits, 64)
	n *= unit
	whole := math.Round(n) // 16.1 · 1,000 is not quite 16,100
	if err != nil || !(n >= 0 && n <= 1e12) || math.Abs(n-whole) > 1e-12*n {
		return fmt.Errorf("%q is no amount: write a number such as 43000, 43k or 10M", text)
	}
	*a = amount(whole)
	return nil
}

// generated is what the command reports.
type generated struct {
	Graph   string        `json:"graph,omitempty"`
	Queries string        `json:"queries"`
	Seed    uint64        `json:"seed"`
	Census  *synth.Census `json:"census,omitempty"`
	Seconds float64       `json:"seconds"`
}

// Run writes a synthetic graph and queries.
func (c *benchGenerateCommand) Run(ctx context.Context, s *command.Session) error {
	if min(int(c.Entities), c.Relations, c.Types) < 1 {
		return command.UsageError("--entities, --relations and --types must be 1 at least") // 0 would be the default
	}
	w, err := synth.New(synth.Options{
		Entities: int(c.Entities), Edges: int(c.Edges), Relations: c.Relations, Types: c.Types, Seed: c.Seed,
	})
	switch {
	case err != nil:
		return command.UsageError(err.Error())
	case c.Queries < 0:
		return command.UsageError(fmt.Sprintf("%d queries: give 0 or more", c.Queries))
	}
	start := time.Now()
	g := generated{Graph: c.Out + ".nt.gz", Queries: c.Out + ".queries.jsonl", Seed: c.Seed}
	if err := s.CheckFiles(ctx, g.Queries); err != nil {
		return err
	}
	if !c.OnlyQueries {
		if err := c.writeGraph(ctx, s, w, &g); err != nil {
			return err
		}
	}
	s.Show("cutting queries")
	queries, err := w.Queries(ctx, c.Queries)
	if err != nil {
		return err
	}
	err = s.WriteFile(ctx, g.Queries, func(f io.Writer) error {
		b := bufio.NewWriter(f)
		e := json.NewEncoder(b)
		e.SetEscapeHTML(false)
		for _, q := range queries {
			if err := e.Encode(q); err != nil {
				return err
			}
		}
		return b.Flush()
	})
	if err != nil {
		return err
	}
	g.Seconds = time.Since(start).Seconds()
	if s.JSON {
		return s.PrintJSON(g)
	}
	if g.Census != nil {
		g.print(s)
	}
	s.Printf("%s: %s queries\n", g.Queries, present.Count(c.Queries))
	return nil
}

// writeGraph writes the graph and counts what it came out as.
func (c *benchGenerateCommand) writeGraph(ctx context.Context, s *command.Session, w *synth.World, g *generated) error {
	return s.WriteFile(ctx, g.Graph, func(f io.Writer) (err error) {
		g.Census, err = w.WriteNTriples(ctx, f, func(done, total int) {
			s.Show(present.ProgressText("writing the graph", int64(done), int64(total), false))
		})
		return err
	})
}

// head is how many of the commonest relations and types are shown.
const head = 8

// print shows what the graph came out as.
func (g *generated) print(s *command.Session) {
	n := g.Census
	s.Printf("%s: %s entities, %s edges, %s lines, %s bytes, in %.1f s\n", g.Graph,
		present.Count(n.Entities), present.Count(n.Edges), present.Count(n.Lines), present.Count(int(n.Bytes)), g.Seconds)
	s.Printf("  literals among the entities  %s\n", present.Count(n.Literals))
	s.Printf("  most edges out of an entity  %s\n", present.Count(n.MaxOut))
	s.Printf("  most edges into an entity    %s (%d entities above 100,000)\n", present.Count(n.MaxIn), n.Hubs)
	subjects := n.Entities - n.Literals
	s.Printf("  different labels             %s (%.1f %% of the entities share theirs with an earlier one)\n",
		present.Count(n.Labels), 100*float64(subjects-n.Labels)/float64(subjects))
	for _, list := range []struct {
		name   string
		counts []synth.Count
	}{{"relations", n.Relations}, {"types", n.Types}} {
		s.Printf("  %s %s: ", present.Count(len(list.counts)), list.name)
		for _, count := range list.counts[:min(head, len(list.counts))] {
			s.Printf("%s %s, ", count.Name, present.Count(count.N))
		}
		last := list.counts[len(list.counts)-1]
		s.Printf("… %s %s\n", last.Name, present.Count(last.N))
	}
}
