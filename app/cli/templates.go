package cli

import (
	"context"
	"fmt"
	"io"
	"os"

	"cairn/app/cli/command"
	"cairn/app/present"
	"cairn/engine"
	"cairn/engine/retrieve/templates"
	"cairn/internal/wording"
)

type templatesCommand struct {
	Graph string `arg:"" help:"A .cairn file."`
	File  string `arg:"" optional:"" help:"A file of question templates for the graph, or - for standard input (default: print those in use)."`

	Try string `help:"Try the best-fitting template on a question and show its filled slots, its query and its rows; with FILE, the templates in it, which are not saved." placeholder:"QUESTION"`
}

// templateJSON is a template as cairn templates --json writes it.
type templateJSON struct {
	Asks   []string         `json:"asks"`
	Cypher string           `json:"cypher"`
	From   templates.Origin `json:"from"`
	State  templates.State  `json:"state"`
}

// Run shows, tries or replaces the question templates of a graph.
func (c *templatesCommand) Run(ctx context.Context, s *session) error {
	e, err := s.open(ctx, c.Graph)
	if err != nil {
		return err
	}
	var rows []templates.Row
	text := ""
	if c.File == "" {
		rows, err = e.Templates(ctx)
	} else {
		text, err = s.readText(c.File)
	}
	switch {
	case err != nil:
		return err
	case c.Try != "":
		ts := templates.Asked(rows)
		if c.File != "" {
			set, err := templates.Parse(text)
			if err != nil {
				return err
			}
			ts = set.Templates
		}
		return c.try(ctx, s, e, ts)
	case c.File == "":
		return c.print(s, rows)
	}
	m, notes, err := e.SetTemplates(ctx, text)
	if err != nil {
		return err
	}
	return s.Result(m, func() {
		s.Printf("The graph now has %s. Use them with cairn ask --retriever templates.\n", present.Plural(m.About.Weights, "question template", "question templates"))
		s.Lines("", notes)
	})
}

// print shows templates as a text that can be changed.
func (c *templatesCommand) print(s *session, rows []templates.Row) error {
	text := ""
	if ts := templates.Asked(rows); len(ts) > 0 {
		text = templates.Format(&templates.Set{Templates: ts})
	}
	if s.JSON {
		list := wording.Each(rows, func(r templates.Row) templateJSON { return templateJSON{r.Asks, r.Cypher, r.From, r.State} })
		return s.PrintJSON(struct {
			Templates string         `json:"templates"`
			List      []templateJSON `json:"list"`
		}{text, list})
	}
	if text == "" {
		text = fmt.Sprintf("This graph has no question templates yet. Learn them from the graph with cairn train templates %s. To change them, print them to a file, edit it, and pass it to this command.\n", shellWord(c.Graph))
	}
	s.Printf("%s", text)
	return nil
}

// trialJSON is what cairn templates --try --json writes.
type trialJSON struct {
	Ask    string              `json:"ask"`
	Slots  map[string][]string `json:"slots"`
	Cypher string              `json:"cypher"`
	Rows   [][]string          `json:"rows"` // the names of the columns first
	Notes  []string            `json:"notes"`
}

// try asks the template that fits a question best.
func (c *templatesCommand) try(ctx context.Context, s *session, e *engine.Engine, ts []templates.Template) error {
	t, err := e.TryTemplate(ctx, ts, -1, c.Try)
	if err != nil {
		return err
	}
	g := e.Graph()
	lines := present.TrialLines(g, t, ts, t.Taken)
	if s.JSON {
		out := trialJSON{Ask: t.Ask, Slots: map[string][]string{}, Cypher: t.Cypher, Rows: [][]string{}, Notes: lines}
		for _, slot := range t.Slots {
			for _, e := range slot.Entities {
				out.Slots[slot.Name] = append(out.Slots[slot.Name], g.Label(e))
			}
		}
		if t.Result != nil {
			out.Rows, out.Notes = present.CypherTable(g, t.Result), append(lines, t.Result.Notes...)
		}
		return s.PrintJSON(out)
	}
	if t.Ask != "" {
		s.Printf("Template “%s”\n", t.Ask)
	}
	s.Lines("", lines)
	if t.Result == nil {
		return nil
	}
	s.Printf("\n%s\n\n", t.Cypher)
	s.Table("", present.CypherTable(g, t.Result))
	s.Printf("\n%s\n", present.CypherSummary(t.Result))
	s.Lines("", t.Result.Notes)
	return nil
}

// readText reads a file of the user's, or the standard input for -.
func (s *session) readText(name string) (string, error) {
	in := s.Stdin
	if name != "-" {
		if err := command.Exists("read", name, "check the spelling"); err != nil {
			return "", err
		}
		f, err := os.Open(name)
		if err != nil {
			return "", fmt.Errorf("open %s: %w", name, err)
		}
		defer f.Close()
		in = f
	}
	text, err := io.ReadAll(io.LimitReader(in, maxText+1))
	if err != nil {
		return "", fmt.Errorf("read %s: %w", name, err)
	}
	if len(text) > maxText {
		return "", command.InputError(fmt.Sprintf("read %s: it is longer than %s; use a shorter one", name, present.Bytes(int64(maxText))))
	}
	return string(text), nil
}

// maxText bounds the texts that a graph may have of its own, in bytes.
const maxText = 32 << 20
