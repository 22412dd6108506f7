package cli

import (
	"context"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"cairn/app/cli/command"
	"cairn/app/present"
	"cairn/engine"
	"cairn/engine/extract"
	"cairn/engine/kg"
	"cairn/internal/wording"
)

type extractCommand struct {
	Graph string   `arg:"" help:"The graph to add to."`
	Files []string `arg:"" optional:"" help:"Texts to read: .txt or .md (default: list the texts already read)."`

	Review    string `help:"Write the statements found, and the possible meanings of their names, to this table. Edit it, then --apply it." placeholder:"FILE.tsv"`
	Apply     string `help:"Add the statements from this edited table. No model is used." placeholder:"FILE.tsv"`
	AcceptAll bool   `help:"Add every statement that its text supports and no check doubts, without review."`
	Again     bool   `help:"Read the texts again and discard earlier decisions about them."`
	Forget    int64  `help:"Delete the text with this number and its statements; added triples stay." placeholder:"N"`
	PartSize  int    `help:"How much text the model reads at a time, in tokens (default: 600)." placeholder:"N"`

	Model string `help:"The Ollama model that reads." env:"CAIRN_MODEL" placeholder:"NAME"`

	command.HostFlags
	command.ContextFlag
}

// Run reads texts with a model, or adds what was read.
func (c *extractCommand) Run(ctx context.Context, s *session) error {
	if err := c.check(); err != nil {
		return err
	}
	for _, f := range append(slices.Clone(c.Files), c.Apply) {
		if f == "" {
			continue
		}
		if err := command.Exists("read", f, "check the spelling"); err != nil {
			return err
		}
	}
	e, err := s.open(ctx, c.Graph)
	if err != nil {
		return err
	}
	switch {
	case c.Forget != 0:
		return c.forget(ctx, s, e)
	case c.Apply != "":
		return c.apply(ctx, s, e)
	case len(c.Files) == 0:
		return c.list(ctx, s, e)
	}
	return c.read(ctx, s, e)
}

func (c *extractCommand) check() error {
	if !isGraphName(c.Graph) {
		return command.UsageError("the first argument must be a graph, such as my" + graphEnding)
	}
	if c.Review != "" && c.AcceptAll {
		return command.UsageError("--review and --accept-all cannot be combined; choose one")
	}
	if len(c.Files) == 0 && (c.Review != "" || c.AcceptAll || c.Again) {
		return command.UsageError("no text to read; name one, such as notes.md")
	}
	if c.PartSize < 0 {
		return command.UsageError("--part-size must be 0 or more")
	}
	if c.Apply != "" && len(c.Files) > 0 {
		return command.UsageError("--apply adds what was read before; omit the texts")
	}
	return nil
}

type extractResult struct {
	engine.ExtractReport

	Added []addedResult `json:"added,omitempty"`
}

type addedResult struct {
	Document string `json:"document"`
	extract.Added
}

func (c *extractCommand) read(ctx context.Context, s *session, e *engine.Engine) error {
	if c.Model == "" {
		return engine.ErrNoModel
	}
	if err := s.CheckFiles(ctx, c.Review); err != nil {
		return err
	}
	server, err := c.Server(s.Log)
	if err != nil {
		return err
	}
	m, err := server.Model(c.Model, c.Options())
	if err != nil {
		return err
	}
	o := engine.ExtractOptions{Again: c.Again, Options: extract.Options{ChunkTokens: c.PartSize}}
	report, readErr := e.Extract(ctx, c.Files, m, o, s.readingEvents())
	result := extractResult{ExtractReport: report}
	if readErr == nil && c.AcceptAll {
		if result.Added, err = c.acceptAll(ctx, s, e, report.Documents); err != nil {
			return err
		}
	}
	if readErr == nil && c.Review != "" {
		if err := s.WriteFile(ctx, c.Review, func(w io.Writer) error { return c.writeTables(ctx, w, e, report.Documents) }); err != nil {
			return err
		}
	}
	if s.JSON {
		if err := s.PrintJSON(result); err != nil {
			return err
		}
		return c.outcome(report, readErr)
	}
	if readErr == nil || report.Parts > 0 || len(report.Problems) > 0 {
		c.print(s, result)
	}
	if readErr != nil && report.Parts > 0 {
		s.Printf("What was read so far is kept. Run the same command again to continue.\n")
	}
	return c.outcome(report, readErr)
}

// outcome turns how the reading ended into an exit code: a model that made
// nothing of any part is like a question without an answer.
func (c *extractCommand) outcome(r engine.ExtractReport, err error) error {
	if err == nil && r.Parts == 0 && len(r.Problems) > 0 {
		return command.OutcomeError(command.ExitNoAnswer)
	}
	return err
}

// readingEvents show how fast a model reads, and how long it will take.
func (s *session) readingEvents() *engine.Events {
	var task string
	var began time.Time
	var first int64
	return &engine.Events{Progress: func(name string, done, total int64) {
		if name != task {
			task, began, first = name, time.Now(), done
		}
		s.Show(present.ProgressText(name, done, total, false) + pace(done-first, total-done, time.Since(began)))
	}}
}

// pace says how many parts a second were done in a time, and how long the others
// will take.
func pace(done, left int64, took time.Duration) string {
	if done <= 0 || took <= 0 {
		return ""
	}
	perSecond := float64(done) / took.Seconds()
	return fmt.Sprintf(", %.2g/s, %s left", perSecond, present.TimeLeft(left, perSecond))
}

func (c *extractCommand) acceptAll(ctx context.Context, s *session, e *engine.Engine, docs []kg.Document) ([]addedResult, error) {
	var list []addedResult
	for i, d := range docs {
		if _, _, err := e.AcceptAll(ctx, d.ID); err != nil {
			return list, err
		}
		added, err := e.AddExtracted(ctx, d.ID, s.events(false))
		if err != nil {
			return list, err
		}
		list = append(list, addedResult{d.Name, added})
		now, err := e.Extractions(ctx)
		if err != nil {
			return list, err
		}
		if at := slices.IndexFunc(now, func(x kg.Document) bool { return x.ID == d.ID }); at >= 0 {
			docs[i] = now[at]
		}
	}
	return list, nil
}

func (c *extractCommand) writeTables(ctx context.Context, w io.Writer, e *engine.Engine, docs []kg.Document) error {
	fmt.Fprintf(w, "# Statements read from texts by models. Edit the second column, save, and run: cairn extract %s --apply %s\n", c.Graph, c.Review)
	fmt.Fprintln(w, "# statement: yes adds it, no leaves it out, ? leaves it undecided.  entity, relation: new, or “is” and a key in the graph; for a relation, “turned” and the key of one with its ends swapped.")
	for _, d := range docs {
		statements, err := e.Statements(ctx, d.ID)
		if err != nil {
			return err
		}
		proposals, err := e.Proposals(ctx, d.ID)
		if err != nil {
			return err
		}
		if err := extract.WriteTable(w, d, statements, proposals); err != nil {
			return err
		}
	}
	return nil
}

func (c *extractCommand) apply(ctx context.Context, s *session, e *engine.Engine) error {
	decided, err := extract.ReadTable(c.Apply)
	if err != nil {
		return err
	}
	wrong := func(what, remedy string) error {
		return &kg.FileError{Doing: "apply", Path: c.Apply, What: what, Remedy: remedy}
	}
	docs, err := e.Extractions(ctx)
	if err != nil {
		return err
	}
	// The whole table is looked at before anything is added.
	for _, d := range decided {
		at := slices.IndexFunc(docs, func(x kg.Document) bool { return x.ID == d.Document && strings.HasPrefix(x.Hash, d.Hash) })
		if at < 0 {
			return wrong(fmt.Sprintf("it refers to text %d (%s), which this graph does not have", d.Document, d.Hash), "apply it to the graph it was made from")
		}
		if err := e.Decide(ctx, d.Document, engine.Decisions{States: d.States, Names: d.Names}); err != nil {
			return wrong(err.Error(), "write the key as the table shows it")
		}
	}
	var result extractResult
	for _, d := range decided {
		added, err := e.AddExtracted(ctx, d.Document, s.events(false))
		if err != nil {
			return err
		}
		at := slices.IndexFunc(docs, func(x kg.Document) bool { return x.ID == d.Document })
		result.Added = append(result.Added, addedResult{docs[at].Name, added})
	}
	return s.Result(result.Added, func() { c.printAdded(s, result.Added) })
}

func (c *extractCommand) forget(ctx context.Context, s *session, e *engine.Engine) error {
	docs, err := e.Extractions(ctx)
	if err != nil {
		return err
	}
	at := slices.IndexFunc(docs, func(d kg.Document) bool { return d.ID == c.Forget })
	if at < 0 {
		return command.UsageError(fmt.Sprintf("there is no text %d; list them with cairn extract %s", c.Forget, c.Graph))
	}
	if err := e.ForgetExtraction(ctx, c.Forget); err != nil {
		return err
	}
	if !s.JSON {
		s.Printf("Deleted what %[2]s read in %[1]s. What was added to the graph stays.\n", docs[at].Name, docs[at].Model)
	}
	return nil
}

func (c *extractCommand) list(ctx context.Context, s *session, e *engine.Engine) error {
	docs, err := e.Extractions(ctx)
	if err != nil {
		return err
	}
	return s.Result(extractResult{ExtractReport: engine.ExtractReport{Documents: docs}}, func() {
		if len(docs) == 0 {
			s.Printf("No text has been read for this graph yet. Read one with: cairn extract %s notes.md --model NAME\n", c.Graph)
			return
		}
		c.printDocuments(s, docs)
	})
}

// print says what was read and what to do next.
func (c *extractCommand) print(s *session, r extractResult) {
	if len(r.Documents) == 0 {
		return
	}
	if r.Parts == 0 && len(r.Problems) == 0 {
		s.Printf("Everything was already read, so no model was asked. To read it again, use --again\n")
	} else {
		s.Printf("%s read in %s, %s found\n", present.Plural(r.Parts, "part", "parts"), present.Elapsed(r.Took), present.Plural(r.Statements, "statement", "statements"))
	}
	c.printDocuments(s, r.Documents)
	for _, p := range r.Problems {
		s.Printf("  ! %s\n", present.Sentence(p))
	}
	s.Lines("  ", r.Left)
	if len(r.Problems) > 0 {
		s.Printf("Run the same command to try these parts again.\n")
	}
	switch {
	case c.Review != "":
		s.Printf("The statements are in %s. Edit it, then run cairn extract %s --apply %s\n", c.Review, c.Graph, c.Review)
	case c.AcceptAll:
		c.printAdded(s, r.Added)
	case slices.ContainsFunc(r.Documents, func(d kg.Document) bool { return d.Statements[kg.StatementProposed] > 0 }):
		s.Printf("The undecided statements are not in the graph yet. To review them first, use --review FILE.tsv; to add all those without doubts, use --accept-all\n")
	}
}

func (c *extractCommand) printDocuments(s *session, docs []kg.Document) {
	rows := wording.Each(docs, func(d kg.Document) []string { return []string{fmt.Sprint(d.ID), d.Name, present.DocumentText(d)} })
	s.Table("  ", rows)
}

func (c *extractCommand) printAdded(s *session, list []addedResult) {
	for _, a := range list {
		s.Printf("%s: %s, %s already there, %s, %s\n", a.Document, present.Plural(a.Added.Added, "triple added", "triples added"), present.Count(a.Duplicate),
			present.Plural(a.Entities, "new entity", "new entities"), present.Plural(a.Relations, "new relation", "new relations"))
		if a.Left > 0 {
			s.Printf("  %s undecided\n", present.Plural(a.Left, "statement", "statements"))
		}
	}
}
