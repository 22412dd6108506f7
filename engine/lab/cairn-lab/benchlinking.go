package main

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"cairn/app/cli/command"
	"cairn/app/present"
	"cairn/engine/embed"
	"cairn/engine/lab/bench"
	"cairn/engine/lexicon"
	"cairn/engine/ollama"
)

type benchLinkingCommand struct {
	Names string `arg:"" help:"A file of names, one a line."`
	Pairs string `help:"A file of names said otherwise: a line has what is said, a tab, and the name." placeholder:"FILE"`

	Embedders []string `name:"embedder" help:"Models of the server, beside the built-in embedder." placeholder:"NAME"`
	Queries   int      `help:"How many names are looked up for each of the five ways to misspell or shorten one (default: ${default})." default:"100" placeholder:"N"`
	Seed      uint64   `help:"Draws the names and their errors (default: ${default})." default:"1" placeholder:"N"`

	command.HostFlags
}

// Run looks names up by the vectors of embedders.
func (c *benchLinkingCommand) Run(ctx context.Context, s *command.Session) error {
	if c.Queries < 1 {
		return command.UsageError("--queries must be 1 at least")
	}
	names, pairs, err := c.read()
	if err != nil {
		return err
	}
	var sets []bench.LinkingSet
	for _, id := range append([]string{""}, c.Embedders...) {
		e, label, err := c.open(ctx, s, id, names)
		if err != nil {
			return err
		}
		set, err := bench.Linking(ctx, label, e, names, pairs, c.Queries, c.Seed, func(done, total int64) {
			s.Show(present.ProgressText(label+": embed the names", done, total, false))
		})
		if err != nil {
			return err
		}
		sets = append(sets, *set)
	}
	if s.JSON {
		return s.PrintJSON(sets)
	}
	s.Clear()
	return bench.WriteLinking(s.Stdout, sets)
}

// open returns an embedder of the server, or the built-in one, with its name for people.
func (c *benchLinkingCommand) open(ctx context.Context, s *command.Session, id string, names []string) (embed.Embedder, string, error) {
	if id == "" {
		return embed.NewLexical(slices.Values(names), lexicon.Builtin()), "built-in", nil
	}
	server, err := c.Server(s.Log)
	if err != nil {
		return nil, "", err
	}
	e, err := ollama.NewEmbedder(ctx, server, id)
	return e, id, err
}

// read reads the names, and how some are said otherwise.
func (c *benchLinkingCommand) read() (names []string, pairs []bench.Pair, err error) {
	for _, path := range []string{c.Names, c.Pairs} {
		if path == "" {
			continue
		}
		if err := command.Exists("read the names in", path, "check how the name is written"); err != nil {
			return nil, nil, err
		}
	}
	if names, err = linesOf(c.Names); err != nil || c.Pairs == "" {
		return names, nil, err
	}
	lines, err := linesOf(c.Pairs)
	for i, line := range lines {
		said, name, ok := strings.Cut(line, "\t")
		if !ok {
			return nil, nil, command.InputError(fmt.Sprintf("read the names in %s: name %d has no tab between what is said and the name", c.Pairs, i+1))
		}
		pairs = append(pairs, bench.Pair{Said: said, Name: name})
	}
	return names, pairs, err
}
