package cli

import (
	"context"
	"errors"
	"fmt"

	"cairn/app/cli/command"
	"cairn/app/present"
	"cairn/engine"
	"cairn/engine/ingest"
	"cairn/engine/kg"
)

// replaceResult is what import --replace --json writes.
type replaceResult struct {
	ingest.Report
	Difference kg.LayerDifference `json:"difference"`
	Replaced   bool               `json:"replaced"`
}

// replace imports a new version of a file in place of the old one. What is different is
// shown before it is done: at a terminal, which is asked, or with --yes.
func (c *importCommand) replace(ctx context.Context, s *session, o ingest.Options) error {
	if len(c.Files) != 1 || c.Labels != "" {
		return command.UsageError("--replace takes one file and no --labels")
	}
	e, err := s.open(ctx, c.Into)
	if err != nil {
		return err
	}
	done := false
	r, d, err := e.Replace(ctx, c.Files[0], o, s.events(true), func(d kg.LayerDifference) bool {
		if !s.JSON {
			printDifference(s, e, d)
		}
		done = c.Yes
		if !done && s.AtTerminal() {
			fmt.Fprint(s.Stderr, "Replace the old version? [y/N] ")
			done = saysYes(s.Stdin)
		}
		return done
	})
	if errors.Is(err, engine.ErrNothingToReplace) {
		return command.InputError(err.Error())
	}
	if err != nil {
		return err
	}
	return s.Result(replaceResult{Report: r, Difference: d, Replaced: done}, func() {
		if !done {
			s.Printf("Nothing was changed. To replace the old version, use --yes.\n")
			return
		}
		s.Printf("Replaced the old version of %s.\n", r.File)
	})
}

func printDifference(s *session, e *engine.Engine, d kg.LayerDifference) {
	for _, x := range []struct {
		n      int64
		what   string
		sample []kg.TripleID
	}{{d.Added, "added", d.AddedSample}, {d.Removed, "removed", d.RemovedSample}, {d.Changed, "changed", d.ChangedSample}} {
		s.Printf("%s %s\n", present.Plural(x.n, "statement", "statements"), x.what)
		for _, t := range x.sample {
			s.Printf("  %s\n", present.TripleText(e.Graph(), t))
		}
	}
	s.Printf("%s unchanged\n", present.Plural(d.Same, "statement", "statements"))
}
