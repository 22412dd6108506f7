package cli

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"cairn/app/cli/command"
	"cairn/app/present"
	"cairn/engine"
	"cairn/engine/index"
	"cairn/engine/link"
)

type indexCommand struct {
	Graph  string `arg:"" help:"A .cairn file."`
	Kind   string `help:"How names are searched: hnsw (Cairn's own index), coder-hnsw (the one from github.com/coder/hnsw, not on Windows) or scan (every name; removes the index). Or paths, to index paths instead, for exact patterns without a known entity." enum:"hnsw,coder-hnsw,scan,paths" default:"hnsw"`
	M      int    `help:"How many neighbours each name is linked to (default: ${default}); more find more names but need more space." default:"64" placeholder:"N"`
	EfC    int    `name:"ef-construction" help:"How many candidates those are chosen from (default: ${default})." default:"512" placeholder:"N"`
	Remove bool   `help:"Remove the index and search all names again, as --kind scan does."`
}

// Run indexes the names of a large graph, on request only: without an index every
// name is looked through, which is exact.
func (c *indexCommand) Run(ctx context.Context, s *session) error {
	if c.M < 2 || c.M > 1024 || c.EfC < 1 {
		return command.UsageError("--m must be 2 to 1024, and --ef-construction at least 1")
	}
	e, err := s.open(ctx, c.Graph)
	if err != nil {
		return err
	}
	if c.Kind == "paths" {
		return c.paths(ctx, s, e)
	}
	if c.Remove || c.Kind == "scan" {
		was, err := e.DropNameIndex(ctx, s.events(false))
		return removed(s, was, err, "the index of the names", "The index was removed. All names are searched again.")
	}
	made, err := e.IndexNames(ctx, index.Kind(c.Kind), index.HNSWOptions{M: c.M, EfConstruction: c.EfC}, s.events(false))
	if errors.Is(err, link.ErrFewNames) {
		return command.InputError(fmt.Sprintf("index the names of %s: %v; nothing needs to be done", c.Graph, err))
	}
	if err != nil {
		return err
	}
	return s.Result(made, func() {
		s.Printf("%s are linked in %s.\n", present.Plural(made.Names, "name", "names"), present.Elapsed(made.Took))
		s.Printf("It finds %.1f%% of the nearest 16 names, in %s instead of %s.\n", 100*made.Recall, present.Elapsed(made.Search), present.Elapsed(made.Scan))
		if !made.Kept {
			s.Printf("That is less than %.0f%%, so the index was not saved. %s\n", 100*index.MinRecall, refused[made.Kind])
			return
		}
		s.Printf("Saved next to the graph: %s. It is used from the next time the graph is opened, for questions with few names. --remove undoes this.\n", present.Bytes(made.Bytes))
	})
}

// refused says what to do where an index of a kind finds too few names.
var refused = map[index.Kind]string{
	index.KindHNSW:  "A larger --m or --ef-construction finds more.",
	index.KindCoder: "--kind hnsw finds more.",
}

// paths indexes paths, or removes their index.
func (c *indexCommand) paths(ctx context.Context, s *session, e *engine.Engine) error {
	if c.Remove {
		was, err := e.DropPathIndex(ctx)
		return removed(s, was, err, "the index of paths", "The index of paths was removed.")
	}
	made, err := e.IndexPaths(ctx, s.events(false))
	if err != nil {
		return err
	}
	return s.Result(made, func() {
		s.Printf("%s were indexed in %s and saved next to the graph: %s. --kind paths --remove undoes this.\n", present.Plural(made.Paths, "path", "paths"), present.Elapsed(made.Took), present.Bytes(int64(made.Bytes)))
		s.Lines("Note: ", made.Notes)
	})
}

// removed says whether an index was there and is removed now.
func removed(s *session, was bool, err error, what, done string) error {
	switch {
	case err != nil:
		return fmt.Errorf("remove %s: %w", what, err)
	case s.JSON:
		return s.PrintJSON(map[string]bool{"removed": was})
	case was:
		s.Printf("%s\n", done)
	default:
		s.Printf("There is no %s.\n", strings.TrimPrefix(what, "the "))
	}
	return nil
}
