package cli

import (
	"context"
	"errors"
	"fmt"

	"cairn/app/present"
	"cairn/engine/index"
	"cairn/engine/link"
)

type indexCommand struct {
	Graph  string `arg:"" help:"A .cairn file."`
	M      int    `help:"Neighbours that a name is linked to (default: ${default}): more find more, and take more room." default:"64" placeholder:"N"`
	EfC    int    `name:"ef-construction" help:"Candidates that they are chosen from (default: ${default})." default:"512" placeholder:"N"`
	Remove bool   `help:"Remove the index: all names are looked through again."`
}

// Run indexes the names of a large graph, on request only: without an index every
// name is looked through, which is exact.
func (c *indexCommand) Run(ctx context.Context, s *session) (err error) {
	if c.M < 2 || c.M > 1024 || c.EfC < 1 {
		return usageError("--m is 2 to 1024, and --ef-construction 1 at least")
	}
	e, err := s.open(ctx, c.Graph)
	if err != nil {
		return err
	}
	defer closing(e, &err)
	if c.Remove {
		was, err := e.DropNameIndex(ctx, s.events(false))
		switch {
		case err != nil:
			return fmt.Errorf("remove the index of the names: %w", err)
		case s.json:
			return s.printJSON(map[string]bool{"removed": was})
		case was:
			s.printf("The index is removed: all names are looked through again.\n")
		default:
			s.printf("There is no index of the names.\n")
		}
		return nil
	}
	made, err := e.IndexNames(ctx, index.HNSWOptions{M: c.M, EfConstruction: c.EfC}, s.events(false))
	if errors.Is(err, link.ErrFewNames) {
		return inputError(fmt.Sprintf("index the names of %s: %v; nothing needs to be done", c.Graph, err))
	}
	if err != nil {
		return err
	}
	if s.json {
		return s.printJSON(made)
	}
	s.printf("%s are linked in %s.\n", present.Plural(made.Names, "name", "names"), present.Elapsed(made.Took))
	s.printf("The nearest 16 of a name: %.1f %% of them are found, in %s instead of %s.\n", 100*made.Recall, present.Elapsed(made.Search), present.Elapsed(made.Scan))
	if !made.Kept {
		s.printf("That is less than %.0f %%, so that nothing is kept; a larger --m or --ef-construction finds more.\n", 100*index.MinRecall)
		return nil
	}
	s.printf("Kept beside the graph: %s. From the next opening on, few names are looked up so, many as before; --remove undoes it.\n", present.Bytes(made.Bytes))
	return nil
}
