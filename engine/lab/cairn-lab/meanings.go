package main

import (
	"context"
	"fmt"
	"io"
	"os"

	"cairn/app/cli/command"
	"cairn/app/present"
	"cairn/engine/lab/distil"
)

type meaningsCommand struct {
	Words string `arg:"" help:"A file of words, one a line, the most frequent first, such as the vocabulary of the model; lines that are no whole words are left out."`

	Embedder string `required:"" help:"The model of the server that the meanings are taken from." placeholder:"NAME"`
	Out      string `required:"" help:"The file of the meanings." placeholder:"FILE"`

	command.HostFlags
}

// Run distils the meanings of words out of a model.
func (c *meaningsCommand) Run(ctx context.Context, s *command.Session) error {
	if err := command.Exists("read the words in", c.Words, "check how the name is written"); err != nil {
		return err
	}
	text, err := os.ReadFile(c.Words)
	if err != nil {
		return fmt.Errorf("read the words: %w", err)
	}
	if err := s.CheckFiles(ctx, c.Out); err != nil {
		return err
	}
	server, err := c.Server(s.Log)
	if err != nil {
		return err
	}
	embed := func(ctx context.Context, texts []string) ([][]float32, error) {
		return server.Embed(ctx, c.Embedder, texts)
	}
	words := distil.Words(string(text))
	file, err := distil.Distil(ctx, words, embed, distil.Options{
		Progress: func(done, total int64) { s.Show(present.ProgressText("embed the words", done, total, false)) },
	})
	if err != nil {
		return fmt.Errorf("distil the words in %s: %w", c.Words, err)
	}
	err = s.WriteFile(ctx, c.Out, func(w io.Writer) error {
		_, err := w.Write(file)
		return err
	})
	if err != nil {
		return err
	}
	s.Clear()
	s.Printf("%s: %s words, %s bytes\n", c.Out, present.Count(len(words)), present.Count(len(file)))
	return nil
}
