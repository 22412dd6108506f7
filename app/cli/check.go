package cli

import (
	"context"
	"errors"
	"fmt"

	"cairn/app/cli/command"
	"cairn/app/present"
	"cairn/engine"
	"cairn/engine/kg"
)

type checkCommand struct {
	Graph  string `arg:"" help:"The graph to check."`
	Repair bool   `help:"Repair what is damaged; the damaged file is kept beside it."`
}

// shownDamage is how many damaged places are listed.
const shownDamage = 20

func (c *checkCommand) Run(ctx context.Context, s *session) error {
	if err := command.Exists("check", c.Graph, "check the spelling"); err != nil {
		return err
	}
	r, err := engine.Check(ctx, c.Graph, c.Repair, s.events(false))
	if err != nil && !errors.Is(err, kg.ErrBeyondRepair) {
		return err
	}
	if err := s.Result(r, func() { c.print(s, r) }); err != nil {
		return err
	}
	switch {
	case err != nil:
		return &kg.FileError{Doing: "repair", Path: c.Graph, What: err.Error(), Remedy: "nothing was changed; restore it from a backup, or import its sources into a new graph"}
	case !r.Sound() && !c.Repair:
		return command.OutcomeError(command.ExitInput)
	}
	return nil
}

func (c *checkCommand) print(s *session, r engine.CheckReport) {
	if r.Sound() {
		s.Printf("%s is intact.\n", c.Graph)
	} else {
		s.Printf("%s is damaged.\n", c.Graph)
	}
	for _, d := range r.Damaged[:min(len(r.Damaged), shownDamage)] {
		s.Printf("  damaged: %s\n", d)
	}
	if more := len(r.Damaged) - shownDamage; more > 0 {
		s.Printf("  and %s\n", present.Plural(more, "page more", "pages more"))
	}
	if r.Inconsistent != "" {
		s.Printf("  SQLite's own check: %s\n", r.Inconsistent)
	}
	for _, name := range r.DamagedCache {
		s.Printf("  damaged: %s.d/%s, which Cairn rebuilds if it is missing\n", c.Graph, name)
	}
	s.Table("  ", [][]string{
		{"checksums", fmt.Sprintf("%s of %s: names, triples, sources, lexicon, vectors, trained networks, history", present.Plural(r.Pages, "page", "pages"), present.Bytes(r.Bytes))},
		{"SQLite's check", map[bool]string{true: "found nothing", false: "not run on a damaged file"}[len(r.Damaged) == 0 && r.Inconsistent == ""]},
		{"cache", present.Plural(len(r.Cache), "file", "files")},
	})
	switch {
	case r.Sound():
	case r.Kept != "":
		s.Printf("Repaired and checked again. The damaged file was saved as %s\n", r.Kept)
		if len(r.Missed) > 0 {
			s.Printf("Lost, because no source contains it: %s.\n", present.List(r.Missed))
		}
	case c.Repair && r.CheckReport.Sound():
		s.Printf("The damaged files of the cache were removed.\n")
	case !c.Repair:
		s.Printf("Run cairn check --repair %s to repair what can be repaired.\n", c.Graph)
	}
}
