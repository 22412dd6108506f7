package cli

import (
	"context"
	"strings"

	"cairn/app/cli/command"
	"cairn/engine/lexicon"
)

type lexiconCommand struct {
	Graph string `arg:"" help:"A .cairn file."`
	File  string `arg:"" optional:"" help:"A file of lexicon lines for the graph, or - for standard input (default: print the graph's own lines)."`

	Meanings string `help:"on, or off to have words stand for relations only where their letters or the lexicon say so." enum:",on,off" default:"" placeholder:"on|off"`
}

// Run shows or replaces the words that a graph knows besides the built-in ones.
func (c *lexiconCommand) Run(ctx context.Context, s *session) error {
	e, err := s.open(ctx, c.Graph)
	if err != nil {
		return err
	}
	if c.Meanings != "" {
		if err := e.SetMeanings(ctx, c.Meanings == "on", s.events(false)); err != nil {
			return err
		}
	}
	if c.File == "" {
		own, err := e.Lexicon(ctx)
		if err != nil {
			return err
		}
		if s.JSON {
			return s.PrintJSON(map[string]string{"lexicon": own})
		}
		if own == "" {
			own = "# This graph knows no words besides the built-in ones. Lines such as those of assets/lexicon.txt, added by cairn lexicon GRAPH FILE, teach it others.\n"
		}
		s.Printf("%s", own)
		return nil
	}
	text, err := s.readText(c.File)
	if err != nil {
		return err
	}
	if _, err := lexicon.Parse(strings.NewReader(text), c.File); err != nil {
		return command.InputError(err.Error())
	}
	if err := e.SetLexicon(ctx, text, s.events(false)); err != nil {
		return err
	}
	if s.JSON {
		return s.PrintJSON(map[string]string{"lexicon": text})
	}
	s.Printf("The graph now has these words of its own. cairn ask uses them.\n")
	return nil
}
