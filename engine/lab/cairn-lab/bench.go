package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strings"

	"cairn/app/cli/command"
	"cairn/engine/lab/eval"
)

type benchCommand struct {
	ERQA      benchERQACommand      `cmd:"" name:"erqa" help:"Ask questions with 4, 5 and 6 conditions, made from any graph as SG-RAG's paper does, whole and damaged."`
	Exact     benchExactCommand     `cmd:"" help:"Compare engines that match patterns exactly, on the protein graph and on any other, beside kuzu."`
	Generate  benchGenerateCommand  `cmd:"" help:"Write a synthetic graph of any size, in the shape of DBpedia, and queries whose answers are known."`
	Index     benchIndexCommand     `cmd:"" help:"Compare indexes of names: exact scans, graphs of neighbours, and peers that Cairn does not use."`
	Import    benchImportCommand    `cmd:"" help:"Write one graph in every form that Cairn reads, and measure what importing each costs, beside other programs."`
	Life      benchLifeCommand      `cmd:"" default:"withargs" help:"Measure import, opening and first answers (what cairn-lab bench alone does)."`
	Linking   benchLinkingCommand   `cmd:"" help:"Find names again that are misspelt, shortened or said otherwise, by the vectors of embedders."`
	Operators benchOperatorsCommand `cmd:"" help:"Time every operator of the query language, beside SQLite, kuzu and oxigraph."`
	SimGRAG   benchSimGRAGCommand   `cmd:"" name:"simgrag" help:"Measure matching as SimGRAG's paper does: times, the grid of its parameters, Pareto curves, growth."`
}

type benchLifeCommand struct {
	Sets []string `arg:"" optional:"" help:"The sets whose graphs are measured (default: metaqa)."`
	Data string   `help:"The folder that holds the sets." env:"CAIRN_DATA" default:"../shared/data" placeholder:"DIR"`
}

// Run measures import, opening and first answers.
func (c *benchLifeCommand) Run(ctx context.Context, s *command.Session) error {
	if len(c.Sets) == 0 {
		c.Sets = []string{"metaqa"}
	}
	for _, name := range c.Sets {
		if _, err := eval.Find(name); err != nil {
			return command.UsageError(err.Error())
		}
	}
	if _, err := os.Stat(c.Data); err != nil {
		return fmt.Errorf("find the question sets %s: %w", strings.Join(c.Sets, ", "), err)
	}
	rows, err := eval.Bench(ctx, eval.BenchOptions{Dir: c.Data, Datasets: c.Sets})
	if err != nil {
		return err
	}
	if s.JSON {
		return s.PrintJSON(rows)
	}
	s.Clear()
	return eval.WriteBench(s.Stdout, rows)
}

// noteBefore says why not all of what was asked for is shown.
func noteBefore(s *command.Session, err error) {
	if errors.Is(err, context.Canceled) {
		s.Note("Interrupted; what was measured before:")
		return
	}
	s.Note("Not all could be measured; what was measured before:")
}
