package cli

import (
	"context"
	"fmt"
	"io"
	"path/filepath"
	"strings"
	"unicode"

	"cairn/app/cli/command"
	"cairn/app/output"
	"cairn/app/present"
	"cairn/assets/sample"
	"cairn/canvas"
	"cairn/engine"
	"cairn/engine/report"
)

type tourCommand struct {
	Out string `help:"The folder to write to." default:"out" placeholder:"DIR"`

	command.ModelFlags
}

type tourResult struct {
	Kind     string   `json:"kind"`
	Question string   `json:"question"`
	Outcome  string   `json:"outcome"`
	Answers  []string `json:"answers"`
	Page     string   `json:"page"`
	Picture  string   `json:"picture,omitempty"`
}

// Run answers the sample questions into a folder: the main job of the window
// for machines without a display.
func (c *tourCommand) Run(ctx context.Context, s *session) error {
	if err := output.Folder(c.Out); err != nil {
		return err
	}
	s.models = c.ModelFlags
	e, err := s.openSample(ctx)
	if err != nil {
		return err
	}
	if err := c.Use(e, s.Log); err != nil {
		return err
	}
	home := filepath.Join(c.Out, "index.html")
	if err := s.CheckFiles(ctx, home); err != nil {
		return err
	}
	index := report.Index{
		Title: "Cairn: the sample questions", App: "Cairn " + command.Version,
		About: fmt.Sprintf("Answered from the built-in sample graph: %s, %s.", present.Plural(e.Graph().Triples(), "triple", "triples"), present.Plural(e.Graph().Entities(), "entity", "entities")),
	}
	var results []tourResult
	for i, q := range sample.Questions() {
		r, entry, err := c.stop(ctx, s, e, i+1, q)
		if err != nil {
			return err
		}
		results = append(results, r)
		index.Entries = append(index.Entries, entry)
	}
	if err := s.WriteFile(ctx, home, func(w io.Writer) error { return report.WriteIndex(w, index) }); err != nil {
		return err
	}
	return s.Result(results, func() {
		s.Printf("%s answered. Open %s, or look at the pages and pictures beside it.\n", present.Plural(len(results), "question", "questions"), home)
	})
}

// stop answers one question and writes its page and picture.
func (c *tourCommand) stop(ctx context.Context, s *session, e *engine.Engine, number int, q sample.Question) (tourResult, report.Entry, error) {
	fail := func(err error) (tourResult, report.Entry, error) { return tourResult{}, report.Entry{}, err }
	run, err := e.Ask(ctx, q.Text, engine.AskOptions{NoModel: c.NoModel, Style: c.Style}, s.events(false))
	if err != nil {
		return fail(err)
	}
	page, err := present.Page(ctx, e, run, command.Version)
	if err != nil {
		return fail(err)
	}
	base := fmt.Sprintf("%02d-%s", number, slug(q.Text))
	r := tourResult{Kind: q.Kind, Question: q.Text, Outcome: outcomeWord(run), Answers: []string{}, Page: filepath.Join(c.Out, base+".html")}
	if run.Answer != nil {
		for _, it := range run.Answer.Items {
			r.Answers = append(r.Answers, it.Label)
		}
	}
	if err := s.WriteFile(ctx, r.Page, func(w io.Writer) error { return report.WriteHTML(w, page) }); err != nil {
		return fail(err)
	}
	entry := report.Entry{Kind: q.Kind, Question: q.Text, Headline: page.Headline, Page: base + ".html"}
	for _, x := range page.Sentences {
		entry.Text += x.Text + " "
	}
	entry.Text = present.Shorten(strings.TrimSpace(entry.Text), 300)
	if m := present.CanvasModel(e.Graph(), run); len(m.Nodes) > 0 {
		r.Picture = filepath.Join(c.Out, base+".png")
		entry.Picture, entry.PictureAlt = base+".png", page.FigureAlt
		picture, err := canvas.NewPicture(m)
		if err != nil {
			return fail(err)
		}
		if err := s.WriteFile(ctx, r.Picture, func(w io.Writer) error { return picture.WritePNG(w, canvas.LightPalette()) }); err != nil {
			return fail(err)
		}
	}
	if !s.JSON {
		s.printStop(page, r)
	}
	return r, entry, nil
}

// printStop prints a question of the tour in short.
func (s *session) printStop(page report.Report, r tourResult) {
	const shown = 4 // sentences, and triples
	s.Printf("%s\n", page.Question)
	for i, x := range page.Sentences {
		if i == shown {
			s.Printf("  … and %s\n", present.Plural(len(page.Sentences)-i, "more sentence", "more sentences"))
			break
		}
		s.Printf("  %s%s\n", x.Text, tags(x.Citations))
	}
	s.Lines("  ", page.Missing)
	for i, t := range page.Evidence {
		if i == shown || t.Number == 0 {
			break
		}
		s.Printf("    [T%d] %s — %s → %s  (%s)\n", t.Number, t.Head, t.Relation, t.Tail, strings.Join(t.Where(), ", "))
	}
	s.Printf("  → %s\n\n", r.Page)
}

// slug makes a file's name of a question.
func slug(s string) string {
	var b strings.Builder
	for _, r := range strings.ToLower(s) {
		switch {
		case r < unicode.MaxASCII && (unicode.IsLetter(r) || unicode.IsDigit(r)):
			b.WriteRune(r)
		case b.Len() > 0 && !strings.HasSuffix(b.String(), "-"):
			b.WriteByte('-')
		}
		if b.Len() >= 48 {
			break
		}
	}
	return strings.Trim(b.String(), "-")
}
