package cli

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"os"

	"cairn/engine/lexicon"
)

type lexiconCommand struct {
	Graph string `arg:"" help:"A .cairn file."`
	File  string `arg:"" optional:"" help:"A file of lexicon lines that the graph is to have, or - for the standard input; where left out, the graph's own lines are printed."`
}

// maxLexicon bounds the lines that a graph may have of its own, in bytes.
const maxLexicon = 1 << 20

// Run shows or replaces the words that a graph knows besides the built-in ones.
func (c *lexiconCommand) Run(ctx context.Context, s *session) (err error) {
	e, err := s.open(ctx, c.Graph)
	if err != nil {
		return err
	}
	defer closing(e, &err)
	if c.File == "" {
		own, err := e.Lexicon(ctx)
		if err != nil {
			return err
		}
		if s.json {
			return s.printJSON(map[string]string{"lexicon": own})
		}
		s.printf("%s", own)
		return nil
	}
	in := s.Stdin
	if c.File != "-" {
		f, err := os.Open(c.File)
		if err != nil {
			return fmt.Errorf("open %s: %w", c.File, err)
		}
		defer f.Close()
		in = f
	}
	text, err := io.ReadAll(io.LimitReader(in, maxLexicon))
	if err != nil {
		return fmt.Errorf("read the lexicon lines: %w", err)
	}
	if _, err := lexicon.Parse(bytes.NewReader(text), c.File); err != nil {
		return inputError(err.Error())
	}
	if err := e.SetLexicon(ctx, string(text), s.events(false)); err != nil {
		return err
	}
	s.meter.clear()
	if !s.json {
		s.printf("The graph has these words of its own now; cairn ask uses them.\n")
	}
	return nil
}
