package cli

import (
	"context"
	"fmt"
	"io"
	"os"

	"cairn/app/cli/command"
	"cairn/app/present"
)

type templatesCommand struct {
	Graph string `arg:"" help:"A .cairn file."`
	File  string `arg:"" optional:"" help:"A file of question templates for the graph, or - for standard input (default: print those in use)."`
}

// Run shows or replaces the question templates of a graph.
func (c *templatesCommand) Run(ctx context.Context, s *session) error {
	e, err := s.open(ctx, c.Graph)
	if err != nil {
		return err
	}
	if c.File == "" {
		text, err := e.Templates(ctx)
		if err != nil {
			return err
		}
		if s.JSON {
			return s.PrintJSON(map[string]string{"templates": text})
		}
		if text == "" {
			text = fmt.Sprintf("This graph has no question templates yet. They are learned from the graph with cairn train templates %s, and can then be changed: print them to a file, edit it, and give it to this command.\n", quotedPath(c.Graph))
		}
		s.Printf("%s", text)
		return nil
	}
	text, err := s.readText(c.File)
	if err != nil {
		return err
	}
	m, err := e.SetTemplates(ctx, text)
	if err != nil {
		return err
	}
	if s.JSON {
		return s.PrintJSON(m)
	}
	s.Printf("The graph now has %s. cairn ask --retriever templates uses them.\n", present.Plural(m.About.Weights, "question template", "question templates"))
	return nil
}

// readText reads a file of the user's, or the standard input for -.
func (s *session) readText(name string) (string, error) {
	in := s.Stdin
	if name != "-" {
		if err := command.Exists("read", name, "check how the name is written"); err != nil {
			return "", err
		}
		f, err := os.Open(name)
		if err != nil {
			return "", fmt.Errorf("open %s: %w", name, err)
		}
		defer f.Close()
		in = f
	}
	text, err := io.ReadAll(io.LimitReader(in, maxText))
	if err != nil {
		return "", fmt.Errorf("read %s: %w", name, err)
	}
	return string(text), nil
}

// maxText bounds the texts that a graph may have of its own, in bytes.
const maxText = 4 << 20
