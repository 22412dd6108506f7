package cli

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"

	"cairn/app/cli/command"
	"cairn/app/present"
	"cairn/engine"
	"cairn/engine/questions"
	"cairn/internal/wording"
)

type evalCommand struct {
	Graph     string `arg:"" help:"A .cairn file."`
	Questions string `arg:"" help:"A file of questions with their answers, such as a table with the columns question and answers."`
	Format    string `help:"The file's format: csv, metaqa, pathquestion, worldcup or jsonl (default: detected)." placeholder:"FORMAT"`
	Retriever string `help:"The retriever: ${retriever_help}." enum:"${retrievers}" default:"${retriever}"`
	All       bool   `help:"List every question that was not answered correctly."`

	command.ModelFlags
}

// evaluation is how the questions of a file were answered.
type evaluation struct {
	Questions    int `json:"questions"`
	Right        int `json:"right"` // all answers of the file, and no others
	Wrong        int `json:"wrong"`
	SureAndWrong int `json:"sure_and_wrong"` // of the wrong ones, those shown without a doubt
	Refused      int `json:"refused"`
	// Trusted is how many of the questions, which nothing was learned from, the automatic
	// choice now goes by: what it asked beside the first method was right or wrong in them.
	Trusted int     `json:"trusted,omitempty"`
	Results []asked `json:"results"`
}

// asked is one question of an evaluation.
type asked struct {
	Line     int      `json:"line"`
	Question string   `json:"question"`
	Outcome  string   `json:"outcome"` // right, wrong, refused
	Sure     bool     `json:"sure"`
	Answers  []string `json:"answers"`
	Expected []string `json:"expected"`
}

// Run asks the questions of a file as the window would, and compares the answers.
func (c *evalCommand) Run(ctx context.Context, s *session) error {
	if err := knownFormat(c.Format); err != nil {
		return err
	}
	if err := command.Exists("read", c.Questions, "check the spelling"); err != nil {
		return err
	}
	qs, unusable, err := questions.Read(ctx, c.Questions, c.Format)
	if err != nil {
		return err
	}
	s.models = c.ModelFlags
	e, err := s.open(ctx, c.Graph)
	if err != nil {
		return err
	}
	if err := c.Use(e, s.Log); err != nil {
		return err
	}
	if n := len(unusable); n > 0 {
		s.Note("%s of %s cannot be used; the first, line %d: %s", present.Plural(n, "line", "lines"), filepath.Base(c.Questions), unusable[0].Line, unusable[0].Why)
	}
	j, err := e.Judge(ctx)
	if err != nil {
		return err
	}
	var sum evaluation
	for i, q := range qs {
		s.Show(present.ProgressText("ask", int64(i), int64(len(qs)), false))
		if err := c.ask(ctx, e, q, j, &sum); err != nil {
			return err
		}
	}
	if sum.Trusted, err = j.Keep(ctx, filepath.Base(c.Questions)); err != nil {
		return err
	}
	return s.Result(sum, func() { c.print(s, sum) })
}

// ask asks one question and counts how it was answered.
func (c *evalCommand) ask(ctx context.Context, e *engine.Engine, q questions.Question, j *engine.Judge, sum *evaluation) error {
	o := engine.AskOptions{Retriever: c.Retriever, NoModel: c.NoModel, Style: c.Style}
	run, err := e.Ask(ctx, q.Text, o, nil)
	if errors.Is(err, engine.ErrUntrained) {
		return untrained(c.Graph, c.Retriever)
	}
	if err != nil {
		return err
	}
	j.Count(run, func(r *engine.Run) bool { return q.Right(present.Answers(e.Graph(), r)) })
	answers := present.Answers(e.Graph(), run)
	a := asked{Line: q.Line, Question: q.Text, Expected: q.Answers, Answers: wording.Each(answers, func(names []string) string { return names[0] }), Sure: present.Sure(run)}
	sum.Questions++
	switch {
	case len(answers) == 0:
		a.Outcome = "refused"
		sum.Refused++
	case q.Right(answers):
		a.Outcome = "right"
		sum.Right++
	default:
		a.Outcome = "wrong"
		sum.Wrong++
		if a.Sure {
			sum.SureAndWrong++
		}
	}
	sum.Results = append(sum.Results, a)
	return nil
}

// shownResults is how many questions are listed where --all is not given.
const shownResults = 20

func (c *evalCommand) print(s *session, sum evaluation) {
	share := func(n int) string { return fmt.Sprintf("%.1f%%", 100*float64(n)/float64(sum.Questions)) }
	s.Printf("%s of %s\n", present.Plural(sum.Questions, "question", "questions"), filepath.Base(c.Questions))
	s.Table("  ", [][]string{
		{"right", present.Count(sum.Right), share(sum.Right)},
		{"wrong", present.Count(sum.Wrong), share(sum.Wrong)},
		{"sure and wrong", present.Count(sum.SureAndWrong), share(sum.SureAndWrong)},
		{"refused", present.Count(sum.Refused), share(sum.Refused)},
	})
	if sum.Trusted > 0 {
		s.Printf("What each retriever answered in %s of doubt is saved with the graph; the automatic choice now relies on it.\n", present.Plural(sum.Trusted, "case", "cases"))
	}
	listed := 0
	for _, a := range sum.Results {
		if a.Outcome == "right" {
			continue
		}
		if listed++; listed > shownResults && !c.All {
			s.Printf("\nThere are more; --all lists them.\n")
			return
		}
		said := "no answer"
		if a.Outcome == "wrong" {
			said = "answered " + present.Shorten(present.List(a.Answers), 200)
		}
		if a.Outcome == "wrong" && a.Sure {
			said = "sure and wrong, " + said
		}
		s.Printf("\nline %d: %s\n  %s; expected %s\n", a.Line, present.OneLine(a.Question), said, present.Shorten(present.List(a.Expected), 200))
	}
}
