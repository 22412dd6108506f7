package main

import (
	"context"
	"path/filepath"
	"slices"

	"cairn/app/cli/command"
	"cairn/engine"
	"cairn/engine/lab/eval"
)

type besideCommand struct {
	Journals []string `arg:"" help:"Journals that eval has written (--journal): those of the same questions are compared."`

	formFlag
}

// formFlag is how a comparison is written.
type formFlag struct {
	Form string `help:"How a comparison is written: text, csv or markdown." enum:"text,csv,markdown" default:"text"`
}

// write reads the journals and compares them.
func (f formFlag) write(s *command.Session, journals []string) error {
	b, err := eval.ReadBeside(journals)
	if err != nil {
		return err
	}
	if s.JSON {
		return s.PrintJSON(b)
	}
	return b.Write(s.Stdout, f.Form)
}

// Run compares them.
func (c *besideCommand) Run(_ context.Context, s *command.Session) error {
	return c.write(s, c.Journals)
}

// all says that every set, or every method, is to be measured.
const all = "all"

// runAll measures sets with methods, each into a journal of its own in the folder that
// --journal names, and compares them. What a set cannot be asked of a method is left out,
// with the reason.
func (c *evalCommand) runAll(ctx context.Context, s *command.Session) error {
	if c.Journal == "" {
		return command.UsageError("what is measured is kept in a folder, so that it goes on after an interruption: name one that is there with --journal DIR")
	}
	sets := []string{c.Set}
	if c.Set == all {
		sets = nil
		for _, d := range eval.Datasets() {
			sets = append(sets, d.Name)
		}
	}
	var journals []string
	var last error
	for _, set := range sets {
		for _, by := range measurable(s) {
			one := *c
			one.Set, one.Retriever, one.Planner = set, by[0], by[1]
			one.Journal = filepath.Join(c.Journal, set+"-"+by[0]+"-"+by[1]+".jsonl")
			if by[0] != engine.Auto {
				one.With = nil
				if !s.Method(by[0]).Trained {
					one.teachFlags = teachFlags{}
				}
			}
			_, err := one.measure(ctx, s, nil)
			if err := ctx.Err(); err != nil {
				return err
			}
			if err != nil {
				last = err
				s.Note("%s, %s: %v", set, by[0], err)
				continue
			}
			journals = append(journals, one.Journal)
		}
	}
	if len(journals) == 0 {
		return last
	}
	return c.write(s, journals)
}

// measurable are the methods with their planners: each by itself, the first with the gold
// pattern as well, and the automatic choice among them last, which trains them again.
func measurable(s *command.Session) (list [][2]string) {
	for _, m := range s.Infos() {
		if m.ID != engine.Auto {
			list = append(list, [2]string{m.ID, "built-in"})
		}
	}
	list = slices.Insert(list, 1, [2]string{list[0][0], "oracle"})
	return append(list, [2]string{engine.Auto, "built-in"})
}
