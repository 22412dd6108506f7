package cli

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"unicode/utf8"

	"cairn/app/present"
	"cairn/engine"
	"cairn/engine/ingest"
)

type importCommand struct {
	Files []string `arg:"" help:"Files of triples: head|relation|tail, tab- or comma-separated, N-Triples; each may be .gz."`
	Into  string   `required:"" help:"The graph to add to; made where there is none." placeholder:"FILE.cairn"`

	Labels     string   `help:"A second file with a key and its name on every line." placeholder:"FILE"`
	Delimiter  string   `help:"What divides the columns: tab, comma, pipe, semicolon or one character (default: seen from the file)." placeholder:"CHAR"`
	Header     string   `help:"Whether the first row names the columns: yes, no or auto." enum:"auto,yes,no" default:"auto"`
	Head       string   `help:"The column of the heads, by name or number from 1." placeholder:"COLUMN"`
	Relation   string   `help:"The column of the relations." placeholder:"COLUMN"`
	Tail       string   `help:"The column of the tails." placeholder:"COLUMN"`
	Language   []string `help:"Languages of names, the best first (default: en)." placeholder:"LANG"`
	Encoding   string   `help:"utf-8, utf-16 or latin1 (default: utf-8, or what the file says)." placeholder:"NAME"`
	Strict     bool     `help:"End at the first line that cannot be read."`
	MaxRejects int64    `help:"End after this many lines that cannot be read." placeholder:"N"`
}

// Run imports files.
func (c *importCommand) Run(ctx context.Context, s *session) (err error) {
	o, err := c.options()
	if err != nil {
		return err
	}
	files := c.Files
	if c.Labels != "" {
		files = append(slices.Clone(files), c.Labels)
	}
	for _, f := range files {
		if err := exists("import", f, "check how the name is written"); err != nil {
			return err
		}
	}
	if !strings.HasSuffix(strings.ToLower(c.Into), graphEnding) {
		return usageError(fmt.Sprintf("--into must name a graph, such as %s%s", strings.TrimSuffix(c.Into, filepath.Ext(c.Into)), graphEnding))
	}
	_, statErr := os.Stat(c.Into)
	created := errors.Is(statErr, fs.ErrNotExist)
	opening := s.engineOptions()
	opening.ImportFirst = true
	e, err := engine.Open(ctx, c.Into, opening, s.events(false))
	if err != nil {
		return err
	}
	defer func() {
		nothing := created && err != nil && e.Graph().Triples() == 0 && !e.Unread()
		closing(e, &err)
		if nothing {
			discard(c.Into) // an import that added nothing leaves no graph behind
		}
	}()
	r, importErr := e.Import(ctx, c.Files, o, s.events(true))
	if s.json {
		if err := s.printJSON(r); err != nil {
			return err
		}
		return importErr
	}
	if importErr == nil || r.Changed() || r.Rejected > 0 {
		c.print(s, e, r)
	}
	if r.Changed() && errors.Is(importErr, context.Canceled) {
		s.printf("The rest was not read: the same command goes on from here and adds nothing twice.\n")
	}
	return importErr
}

// discard removes a graph that was made a moment ago and never filled, and the
// folder of its snapshots.
func discard(path string) {
	for _, suffix := range []string{"", "-wal", "-shm"} {
		_ = os.Remove(path + suffix)
	}
	_ = os.RemoveAll(path + ".d")
}

func (c *importCommand) options() (ingest.Options, error) {
	o := ingest.Options{
		Labels: c.Labels, Languages: c.Language, Encoding: c.Encoding, Strict: c.Strict, MaxRejects: c.MaxRejects,
		Columns: ingest.Columns{Head: c.Head, Relation: c.Relation, Tail: c.Tail},
	}
	switch c.Header {
	case "yes":
		o.Header = ingest.HeaderYes
	case "no":
		o.Header = ingest.HeaderNo
	}
	named := map[string]rune{"tab": '\t', "comma": ',', "pipe": '|', "semicolon": ';', "space": ' '}
	if d, ok := named[strings.ToLower(c.Delimiter)]; ok {
		o.Delimiter = d
	} else if c.Delimiter != "" {
		d, size := utf8.DecodeRuneInString(c.Delimiter)
		if size != len(c.Delimiter) || d == utf8.RuneError {
			return o, usageError("--delimiter takes tab, comma, pipe, semicolon or one character")
		}
		o.Delimiter = d
	}
	return o, nil
}

func (c *importCommand) print(s *session, e *engine.Engine, r ingest.Report) {
	s.printf("%s, read in %s\n", present.Plural(r.Added, "triple added", "triples added"), present.Elapsed(r.Took))
	s.table("  ", [][]string{
		{"added", present.Count(r.Added)},
		{"already there", present.Count(r.Duplicate)},
		{"rejected", present.Count(r.Rejected)},
		{"skipped", present.Count(r.Skipped), "(blank lines, comments, headers, names)"},
		{"read", present.Count(r.Read)},
	})
	if r.RejectsFile != "" {
		s.printf("The rejected lines, each with its reason, are in %s\n", r.RejectsFile)
		for _, x := range r.Rejects[:min(3, len(r.Rejects))] {
			s.printf("  line %d: %s\n", x.Line, x.Reason)
		}
	}
	if e.Unread() {
		return
	}
	g := e.Graph()
	s.printf("%s now has %s, %s and %s\n", c.Into, present.Plural(g.Triples(), "triple", "triples"), present.Plural(g.Entities(), "entity", "entities"), present.Plural(g.Relations(), "relation", "relations"))
}
