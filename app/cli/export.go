package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"

	"cairn/app/cli/command"
	"cairn/app/output"
	"cairn/app/present"
	"cairn/engine"
	"cairn/engine/export"
)

type exportCommand struct {
	Graph string `arg:"" help:"The graph to export."`
	File  string `arg:"" help:"The file to write; for a pair of tables, the start of both names." placeholder:"FILE"`

	Format   string   `help:"nquads, turtle, graphml, csv or kgx (default: by file extension: .nq .ttl .graphml .csv .tsv)." placeholder:"NAME"`
	Entity   []string `help:"Export this entity and its neighbours, by name or key; can be repeated." placeholder:"NAME"`
	Hops     int      `help:"How many triples away neighbours can be." default:"1"`
	Layer    *int64   `help:"Export one layer, by its number in cairn layers." placeholder:"N"`
	Question int64    `name:"run" help:"Export the evidence of a question, by its number in cairn history." placeholder:"N"`
}

type exportResult struct {
	Graph string   `json:"graph"`
	Files []string `json:"files"`
	export.Report
}

func (c *exportCommand) Run(ctx context.Context, s *session) error {
	f, err := c.format()
	if err != nil {
		return err
	}
	part, err := c.part()
	if err != nil {
		return err
	}
	e, err := s.open(ctx, c.Graph)
	if err != nil {
		return err
	}
	files := f.Files(c.File)
	if err := s.CheckFiles(ctx, files...); err != nil {
		return err
	}
	var report export.Report
	err = output.Several(files, func(path string, write func(io.Writer) error) error {
		return s.WriteFile(ctx, path, write)
	}, func(to ...io.Writer) (err error) {
		report, err = e.Export(ctx, f, part, s.events(false), to...)
		return err
	})
	if missing := (*engine.NotThereError)(nil); errors.As(err, &missing) {
		return command.InputError(missing.Error())
	}
	if err != nil {
		return err
	}
	return s.Result(exportResult{Graph: c.Graph, Files: files, Report: report}, func() {
		s.Printf("%s\n", present.Exported(f, files, report))
		for _, sentence := range report.LeftOut {
			s.Printf("%s.\n", sentence)
		}
	})
}

func (c *exportCommand) format() (export.Format, error) {
	var names []string
	for _, f := range export.Formats() {
		if f.ID == c.Format {
			return f, nil
		}
		names = append(names, f.ID)
	}
	if f, ok := export.ByEnding(c.File); ok && c.Format == "" {
		return f, nil
	}
	if c.Format != "" {
		return export.Format{}, command.UsageError(fmt.Sprintf("there is no format %s; choose from %s", c.Format, strings.Join(names, ", ")))
	}
	return export.Format{}, command.UsageError(fmt.Sprintf("the name %s does not show the format; choose one with --format: %s", c.File, strings.Join(names, ", ")))
}

func (c *exportCommand) part() (engine.ExportPart, error) {
	chosen := 0
	for _, yes := range []bool{len(c.Entity) > 0, c.Layer != nil, c.Question != 0} {
		if yes {
			chosen++
		}
	}
	if chosen > 1 {
		return engine.ExportPart{}, command.UsageError("--entity, --layer and --run each select part of the graph; use only one of them")
	}
	if c.Hops < 0 {
		return engine.ExportPart{}, command.UsageError("--hops must be 0 or more")
	}
	return engine.ExportPart{Entities: c.Entity, Hops: c.Hops, Layer: c.Layer, Run: c.Question}, nil
}
