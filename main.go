// Cairn answers questions from a knowledge graph of yours, and shows the
// evidence. This file parses the command line and opens the window; the rest is
// in app (the ways in), canvas (the picture) and engine (the answers).
package main

import (
	"context"
	"os"

	"cairn/app"
	"cairn/app/cli"
	"cairn/app/cli/command"
)

func main() {
	os.Exit(cli.Main(os.Args[1:], os.Stdin, os.Stdout, os.Stderr, window))
}

func window(ctx context.Context, o cli.WindowOptions) error {
	return app.Run(ctx, app.Options{
		Paths: o.Paths, Question: o.Question, Folder: o.Folder, Version: command.Version, Logger: o.Logger,
	})
}
