package cli

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"cairn/app/cli/command"
	"cairn/app/present"
	"cairn/engine"
	"cairn/engine/lexicon"
	"cairn/engine/plan/words"
	"cairn/internal/wording"
)

type lexiconCommand struct {
	Graph string `arg:"" help:"A .cairn file."`
	File  string `arg:"" optional:"" help:"A file of lexicon lines for the graph, or - for standard input (default: print the graph's own lines)."`

	Forget   string `help:"Undo what cairn ask --remember saved for this word." placeholder:"WORD"`
	Meanings string `help:"Match words to relations by meaning: on, or off to match only by spelling and lexicon." enum:",on,off" default:"" placeholder:"on|off"`
}

// Run shows or replaces the words that a graph knows besides the built-in ones.
func (c *lexiconCommand) Run(ctx context.Context, s *session) error {
	e, err := s.open(ctx, c.Graph)
	if err != nil {
		return err
	}
	if c.Meanings != "" {
		if err := e.SetMeanings(ctx, c.Meanings == "on", s.events(false)); err != nil {
			return err
		}
	}
	if c.Forget != "" {
		if err := c.forget(ctx, s, e); err != nil {
			return err
		}
	}
	if c.File == "" {
		return c.show(ctx, s, e)
	}
	text, err := s.readText(c.File)
	if err != nil {
		return err
	}
	if _, err := lexicon.Parse(strings.NewReader(text), c.File); err != nil {
		return command.InputError(err.Error())
	}
	if err := e.SetLexicon(ctx, text, s.events(false)); err != nil {
		return err
	}
	if s.JSON {
		return c.show(ctx, s, e)
	}
	s.Printf("The graph now has these words of its own, and cairn ask uses them.\n")
	return nil
}

// show prints what a graph knows besides the built-in words. What words ask for by choice
// stands in comments: it is no part of a file of lexicon lines.
func (c *lexiconCommand) show(ctx context.Context, s *session, e *engine.Engine) error {
	own, err := e.Lexicon(ctx)
	if err != nil {
		return err
	}
	choices, err := e.Choices(ctx)
	if err != nil {
		return err
	}
	return s.Result(struct {
		Lexicon string         `json:"lexicon"`
		Choices []words.Choice `json:"choices,omitempty"`
	}{own, choices}, func() {
		if own == "" && len(choices) == 0 {
			own = "# This graph knows only the built-in words. To add others, run cairn lexicon GRAPH FILE with lines like those of assets/lexicon.txt.\n"
		}
		s.Printf("%s", own)
		for _, x := range choices {
			s.Printf("# %s, by your choice. Undo with cairn lexicon %s --forget %q.\n", present.Choice(e.Graph(), x), shellWord(c.Graph), x.Word)
		}
	})
}

// forget takes back the choice of a word.
func (c *lexiconCommand) forget(ctx context.Context, s *session, e *engine.Engine) error {
	choices, err := e.Choices(ctx)
	if err != nil {
		return err
	}
	if !slices.ContainsFunc(choices, func(x words.Choice) bool { return x.IsOf(c.Forget) }) {
		return command.InputError(fmt.Sprintf("no choice is saved for %s; see cairn lexicon %s", wording.Quote(c.Forget), shellWord(c.Graph)))
	}
	return e.Unlearn(ctx, c.Forget, s.events(false))
}
