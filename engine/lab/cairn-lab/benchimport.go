package main

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"

	"cairn/app/cli/command"
	"cairn/engine/lab/bench"
	"cairn/engine/lab/synth"
)

type benchImportCommand struct {
	Forms    []string          `arg:"" optional:"" help:"The forms that are measured, such as turtle or xlsx (default: all)."`
	Entities amount            `default:"20k" help:"How many entities the made graph has (default: ${default})."`
	Edges    amount            `help:"How many edges it has (default: 4.3 an entity)."`
	Seed     uint64            `default:"1" help:"What the graph follows from (default: ${default})."`
	Repeats  int               `default:"1" help:"How often each file is read in each way (default: ${default})."`
	Damage   int               `help:"In how many places small files are damaged, to see what is said (default: none)."`
	Peer     map[string]string `help:"Another program, as NAME=COMMAND of the shell, in which $$FILE is the file, $$FORMAT the form and $$OUT a file to write." placeholder:"NAME=COMMAND"`
	Dir      string            `help:"Where files are made (default: the system's folder for such files)." placeholder:"DIR"`
}

// Run writes one graph in many forms and measures what importing each costs.
func (c *benchImportCommand) Run(ctx context.Context, s *command.Session) error {
	for _, f := range c.Forms {
		if !slices.Contains(bench.ImportForms(), f) {
			return command.UsageError(fmt.Sprintf("there is no form %q; there are %s", f, strings.Join(bench.ImportForms(), ", ")))
		}
	}
	if len(c.Forms) == 0 {
		c.Forms = bench.ImportForms()
	}
	w, err := synth.New(synth.Options{Entities: int(c.Entities), Edges: int(c.Edges), Seed: c.Seed})
	if err != nil {
		return command.UsageError(err.Error())
	}
	dir, err := os.MkdirTemp(c.Dir, "cairn-imports-")
	if err != nil {
		return fmt.Errorf("make a folder for the files: %w", err)
	}
	defer os.RemoveAll(dir)
	o := bench.ImportOptions{
		World: w, Forms: c.Forms, Repeats: c.Repeats, Damage: c.Damage, Dir: dir,
		Progress: func(form string) { s.Show("import " + form) },
	}
	for _, name := range slices.Sorted(maps.Keys(c.Peer)) {
		o.Peers = append(o.Peers, bench.ImportPeer{Name: name, Command: c.Peer[name]})
	}
	rows, err := bench.Imports(ctx, o)
	if err != nil && len(rows) == 0 {
		return err
	}
	if err != nil {
		noteBefore(s, err)
	}
	if s.JSON {
		return errors.Join(err, s.PrintJSON(rows))
	}
	s.Clear()
	return errors.Join(err, bench.WriteImports(s.Stdout, rows))
}
