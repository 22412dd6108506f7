package cli

import (
	"cmp"
	"context"

	"cairn/app/cli/command"
	"cairn/app/present"
	"cairn/canvas"
	"cairn/engine"
	"cairn/internal/wording"
)

type compareCommand struct {
	First string   `arg:"" name:"graph" help:"The graph's .cairn file (default: the built-in sample)."`
	Words []string `arg:"" optional:"" name:"question" help:"The question or claim."`
	With  []string `help:"The retrievers to compare, from ${methods} (default: all)." placeholder:"ID,…"`
	All   bool     `help:"Show all answers and triples, no matter how many."`

	pictureFiles
	command.ModelFlags
}

// Run asks several retrievers the same.
func (c *compareCommand) Run(ctx context.Context, s *session) error {
	path, question := splitGraph(append([]string{c.First}, c.Words...))
	if question == "" {
		return command.UsageError("the question is missing; write it after the graph, for example: cairn compare \"Which countries border Austria?\"")
	}
	if path == "" && isDataFile(c.First) {
		return notAGraph(c.First)
	}
	ask := askCommand{First: c.First, ModelFlags: c.ModelFlags}
	e, _, err := ask.prepare(ctx, s, path)
	if err != nil {
		return err
	}
	if err := s.CheckFiles(ctx, c.PNG, c.SVG); err != nil {
		return err
	}
	compared, err := e.Compare(ctx, question, c.With, engine.AskOptions{NoModel: c.NoModel, Style: c.Style}, s.events(false))
	if err != nil {
		return err
	}
	if err := c.draw(ctx, s, func() canvas.Model { return present.ComparisonModel(e.Graph(), compared) }); err != nil {
		return err
	}
	rows := present.Compare(e.Graph(), compared)
	if err := s.Result(rows, func() { c.print(s, rows) }); err != nil {
		return err
	}
	if len(compared.Answers) == 0 {
		return command.OutcomeError(command.ExitNoAnswer)
	}
	return nil
}

// print shows the retrievers, the answers with who gave them, and the triples.
func (c *compareCommand) print(s *session, r present.ComparisonRows) {
	s.Printf("%s\n\n%s\n\n", r.Question, r.Headline)
	var table [][]string
	for _, o := range r.Opinions {
		about := cmp.Or(o.Remedy, o.Line())
		table = append(table, []string{o.Letter, o.Retriever, o.Answer, about})
	}
	s.Table("  ", table)
	for _, part := range []struct {
		title string
		rows  []present.SharedRow
	}{{"Answers", r.Answers}, {"Evidence", r.Evidence}} {
		if len(part.rows) == 0 {
			continue
		}
		s.Printf("\n%s by retriever\n", part.title)
		cells := wording.Each(part.rows, func(row present.SharedRow) []string { return []string{row.By, row.Text} })
		s.first(cells, shownEvidence, c.All, "more", "more")
	}
}
