package cli

import (
	"context"
	"fmt"
	"strconv"

	"cairn/app/cli/command"
	"cairn/app/present"
	"cairn/engine"
	"cairn/internal/wording"
)

type historyCommand struct {
	Graph  string `arg:"" help:"A .cairn file."`
	Number int64  `arg:"" optional:"" help:"The number of a question in the list, to show its answer again."`

	runOutput
}

// listedHistory is how many questions are listed, the latest.
const listedHistory = 500

// Run lists what a graph was asked in the window, or shows one answer as it was.
func (c *historyCommand) Run(ctx context.Context, s *session) error {
	e, err := s.open(ctx, c.Graph)
	if err != nil {
		return err
	}
	if c.Number == 0 {
		return c.list(ctx, s, e)
	}
	if err := c.check(ctx, s); err != nil {
		return err
	}
	run, err := e.PastRun(ctx, c.Number)
	if err != nil {
		return command.InputError(fmt.Sprintf("question %d cannot be shown: %v", c.Number, err))
	}
	return c.write(ctx, s, e, run)
}

func (c *historyCommand) list(ctx context.Context, s *session, e *engine.Engine) error {
	past, err := e.History(ctx, listedHistory)
	if err != nil {
		return err
	}
	return s.Result(append([]engine.Past{}, past...), func() {
		if len(past) == 0 {
			s.Printf("No questions have been asked in the window about this graph yet.\n")
		}
		s.Table("", wording.Each(past, func(p engine.Past) []string {
			return []string{strconv.FormatInt(p.ID, 10), present.When(p.Asked), present.Shorten(present.OneLine(p.Question), 100)}
		}))
	})
}
