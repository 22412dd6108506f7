package cli

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"cairn/app/cli/command"
	"cairn/app/present"
	"cairn/engine"
	"cairn/engine/kg"
	"cairn/internal/wording"
)

type whyNotCommand struct {
	Words     []string `arg:"" name:"graph question entity" help:"The graph's .cairn file (default: the built-in sample), the question, and the name or key of the entity to explain."`
	Pattern   string   `help:"Match this pattern instead of planning one, as cairn ask does." placeholder:"TEXT"`
	Retriever string   `help:"The retriever: ${retriever_help}." enum:"${retrievers}" default:"exact"`
	Reading   int      `help:"Use this reading of the question instead of the best, counting from 1." placeholder:"N"`

	command.ModelFlags
}

// Run asks a question and tells how one entity stands to it.
func (c *whyNotCommand) Run(ctx context.Context, s *session) error {
	path, words := graphAndNames(c.Words)
	if len(words) != 2 {
		return command.UsageError(`write a question and a name, both in quotation marks, for example: cairn whynot "Which countries border Austria?" "France"`)
	}
	ask := askCommand{First: c.Words[0], Pattern: c.Pattern, Retriever: c.Retriever, Reading: c.Reading, ModelFlags: c.ModelFlags}
	e, own, err := ask.prepare(ctx, s, path)
	if err != nil {
		return err
	}
	entity, err := called(ctx, e, words[1])
	if err != nil {
		return err
	}
	run, err := ask.ask(ctx, s, e, words[0], own, nil)
	if err != nil {
		return err
	}
	return s.printWhy(ctx, e, run, entity)
}

// called returns the one entity that a name means.
func called(ctx context.Context, e *engine.Engine, name string) (kg.EntityID, error) {
	es, exact, err := e.Called(ctx, name)
	if err != nil {
		return 0, err
	}
	listed := wording.Each(es, func(x kg.EntityID) string {
		return fmt.Sprintf("%s (%s)", present.OneLine(e.Graph().Label(x)), present.OneLine(e.Graph().Key(x)))
	})
	switch {
	case exact && len(es) == 1:
		return es[0], nil
	case exact:
		return 0, command.UsageError(fmt.Sprintf("“%s” may be any of %d entities; use the key of one, shown in brackets: %s", name, len(es), strings.Join(listed, ", ")))
	case len(es) > 0:
		return 0, command.UsageError(fmt.Sprintf("nothing in this graph is called “%s”; the closest names: %s", name, strings.Join(listed, ", ")))
	}
	return 0, command.UsageError(fmt.Sprintf("nothing in this graph is called “%s”", name))
}

// printWhy prints how an entity stands to the question of a run.
func (s *session) printWhy(ctx context.Context, e *engine.Engine, run *engine.Run, entity kg.EntityID) error {
	reasons, err := present.FindReasons(ctx, e, run, entity)
	if errors.Is(err, engine.ErrNoConditions) {
		page, err := present.Page(ctx, e, run, command.Version)
		if err != nil {
			return err
		}
		s.Printf("%s\n%s\n%s\n", page.Question, page.Headline, present.NoConditions)
		return command.OutcomeError(command.ExitNoAnswer)
	}
	if err != nil {
		return err
	}
	return s.Result(reasons, func() { s.Printf("%s", reasons.Text()) })
}
