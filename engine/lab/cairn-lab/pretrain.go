package main

import (
	"context"
	"fmt"
	"io"

	"cairn/app/cli/command"
	"cairn/app/present"
	"cairn/engine/lab/pretrain"
	"cairn/engine/retrieve"
	"cairn/engine/retrieve/gsr"
)

type pretrainCommand struct {
	Graphs []string `arg:"" help:"The graphs that questions are made from. Leave out those that the base is measured on."`

	Out    string `required:"" help:"The file of the base." placeholder:"FILE"`
	Each   int    `default:"2300" help:"How many questions are made of each graph (default: ${default})." placeholder:"N"`
	Epochs int    `default:"5" help:"How often they are gone through (default: ${default})." placeholder:"N"`
	Seed   uint64 `default:"1" help:"Draws the questions and the weights (default: ${default})." placeholder:"N"`
}

// pretrained is what the command reports.
type pretrained struct {
	File  string `json:"file"`
	Bytes int    `json:"bytes"`
	gsr.Base
}

// Run trains a base and writes it.
func (c *pretrainCommand) Run(ctx context.Context, s *command.Session) error {
	if c.Each < 1 || c.Epochs < 1 {
		return command.UsageError("--each and --epochs must be 1 at least")
	}
	for _, path := range c.Graphs {
		if err := command.Exists("make questions from", path, "check how the name is written, or import a graph with cairn import"); err != nil {
			return err
		}
	}
	if err := s.CheckFiles(ctx, c.Out); err != nil {
		return err
	}
	file, about, err := pretrain.Base(ctx, c.Graphs, pretrain.Options{Each: c.Each, Epochs: c.Epochs, Seed: c.Seed, Events: retrieve.TrainingEvents{
		Epoch:    func(e retrieve.Epoch) { s.Show(command.EpochText(e)) },
		Progress: func(task string, done, total int64) { s.Show(present.ProgressText(task, done, total, false)) },
	}})
	if err != nil {
		return err
	}
	err = s.WriteFile(ctx, c.Out, func(w io.Writer) error {
		_, err := w.Write(file)
		return err
	})
	if err != nil {
		return err
	}
	r := pretrained{c.Out, len(file), about}
	if s.JSON {
		return s.PrintJSON(r)
	}
	s.Clear()
	r.print(s)
	return nil
}

// print shows what the base came out as.
func (r *pretrained) print(s *command.Session) {
	rows := [][]string{{"graph", "relations", "made", "kept", "pseudo-questions"}}
	for _, g := range r.Graphs {
		rows = append(rows, []string{g.Name, present.Count(g.Relations), present.Count(g.Made), present.Count(g.Kept), present.Count(g.Frames)})
	}
	s.Table("", rows)
	s.Printf("%s: %s bytes, %s numbers; %s questions, %d epochs, %.0f s; Hits@1 %s, F1 %s on held questions of the same graphs\n", r.File,
		present.Count(r.Bytes), present.Count(r.Numbers), present.Count(r.Questions), r.Epochs, r.Seconds, percent(r.Dev.H1), percent(r.Dev.F1))
}

func percent(x float64) string { return fmt.Sprintf("%.1f", 100*x) }
