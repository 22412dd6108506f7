package cli

import (
	"context"
	"time"

	"cairn/app/cli/command"
	"cairn/app/present"
	"cairn/engine/ollama"
	"cairn/engine/selftest"
)

type modelsCommand struct {
	List modelsListCommand `cmd:"" default:"withargs" help:"List the models in Ollama and what each is good for."`
	Test modelsTestCommand `cmd:"" help:"Test what a model is good for with a few small tasks."`
	Pull modelsPullCommand `cmd:"" help:"Let Ollama download a model from the internet."`
}

type modelsListCommand struct {
	command.HostFlags
}

type listedModel struct {
	ollama.ModelInfo
	Details *ollama.Details `json:"details,omitempty"`
	Suits   string          `json:"suits"`
}

func (c *modelsListCommand) Run(ctx context.Context, s *session) error {
	server, err := c.Server(s.Log)
	if err != nil {
		return err
	}
	found, err := server.Models(ctx)
	if err != nil {
		return err
	}
	list := make([]listedModel, len(found))
	rows := make([][]string, len(found))
	for i, m := range found {
		list[i].ModelInfo = m
		if m.Remote == "" {
			d, err := server.Details(ctx, m.Name)
			switch {
			case ctx.Err() != nil:
				return ctx.Err()
			case err == nil: // an older server says less
				list[i].Details = &d
			}
		}
		row := present.Model(m, list[i].Details, 0)
		list[i].Suits = row.Suits
		rows[i] = []string{present.Printable(m.Name), row.Brief, row.Suits}
	}
	return s.Result(list, func() {
		if len(list) == 0 {
			s.Printf("Ollama is running but has no model. Get one with cairn models pull %s.\n", present.ModelSuggestions[0].Name)
			return
		}
		s.Table("", rows)
	})
}

type modelsTestCommand struct {
	Name string `arg:"" help:"The model's name, as cairn models list shows it."`

	command.HostFlags
	command.ContextFlag
}

// Run puts the self-test to one model. A model that suits nothing has the exit
// code of a question without an answer.
func (c *modelsTestCommand) Run(ctx context.Context, s *session) error {
	server, err := c.Server(s.Log)
	if err != nil {
		return err
	}
	d, err := server.Details(ctx, c.Name)
	if err != nil {
		return err
	}
	progress := func(p selftest.Progress) { s.Show(present.TrialText(p)) }
	r, err := c.test(ctx, server, d, progress)
	if err != nil {
		return err
	}
	if s.JSON {
		err = s.PrintJSON(struct {
			selftest.Report
			Digest string `json:"digest,omitempty"`
			Words  string `json:"words"`
		}{r, d.Digest, r.Sentence()})
		if err != nil {
			return err
		}
	} else {
		s.Printf("%s\n%s\n\n", present.Printable(c.Name), r.Sentence())
		for _, check := range r.Checks {
			s.Printf("  %s\n", present.CheckText(check))
		}
		s.Printf("\n%s\n", present.ReportAbout(r, time.Now()))
	}
	if r.Verdict == selftest.Unsuited || r.Verdict == selftest.TooSlow {
		return command.OutcomeError(command.ExitNoAnswer)
	}
	return nil
}

func (c *modelsTestCommand) test(ctx context.Context, server *ollama.Server, d ollama.Details, progress func(selftest.Progress)) (selftest.Report, error) {
	if d.Embeds && !d.Completes {
		e, err := ollama.NewEmbedder(ctx, server, c.Name)
		if err != nil {
			return selftest.Report{}, err
		}
		return selftest.RunEmbedder(ctx, c.Name, e, progress)
	}
	m, err := server.Model(c.Name, c.Options())
	if err != nil {
		return selftest.Report{}, err
	}
	return selftest.Run(ctx, m, progress)
}

type modelsPullCommand struct {
	Name string `arg:"" help:"The model's name in Ollama's library, such as qwen3:4b."`

	command.HostFlags
}

func (c *modelsPullCommand) Run(ctx context.Context, s *session) error {
	server, err := c.Server(s.Log)
	if err != nil {
		return err
	}
	var r present.Rate
	err = server.Pull(ctx, c.Name, func(p ollama.Pulling) {
		s.Show(present.PullText(p, r.At(time.Now(), p.Done)))
	})
	if err != nil {
		return err
	}
	return s.Result(map[string]string{"pulled": c.Name}, func() {
		s.Printf("Ollama now has %s. Test it with cairn models test %s.\n", present.Printable(c.Name), present.Printable(c.Name))
	})
}
