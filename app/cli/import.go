package cli

import (
	"bufio"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"cairn/app/cli/command"
	"cairn/app/present"
	"cairn/engine"
	"cairn/engine/ingest"
	"cairn/engine/kg"
)

type importCommand struct {
	Files []string `arg:"" help:"Files of triples: head|relation|tail, tab- or comma-separated, N-Triples, N-Quads; each may be .gz."`
	Into  string   `required:"" help:"The graph to add to; created if missing." placeholder:"FILE.cairn"`

	Labels     string   `help:"A second file with a key and its name on every line." placeholder:"FILE"`
	Delimiter  string   `help:"The column delimiter: tab, comma, pipe, semicolon or one character (default: detected)." placeholder:"CHAR"`
	Header     string   `help:"Whether the first row names the columns: yes, no or auto." enum:"auto,yes,no" default:"auto"`
	Head       string   `help:"The column of the heads, by name or number from 1." placeholder:"COLUMN"`
	Relation   string   `help:"The column of the relations, or =NAME for one relation in every row." placeholder:"COLUMN"`
	Tail       string   `help:"The column of the tails." placeholder:"COLUMN"`
	Yes        bool     `help:"Import a table even if its columns are not certain." short:"y"`
	Language   []string `help:"Languages of names, the best first (default: en)." placeholder:"LANG"`
	Encoding   string   `help:"utf-8, utf-16 or windows-1252 (default: what the file has)." placeholder:"NAME"`
	Strict     bool     `help:"Stop at the first line that cannot be read."`
	MaxRejects int64    `help:"Stop after this many lines that cannot be read." placeholder:"N"`
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
		if err := command.Exists("import", f, "check how the name is written"); err != nil {
			return err
		}
	}
	if !isGraphName(c.Into) {
		return command.UsageError("--into must name a graph, such as " + graphNamed(cmp.Or(c.Into, "my")))
	}
	if err := c.confirm(ctx, s, &o); err != nil {
		return err
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
	if s.JSON {
		if err := s.PrintJSON(r); err != nil {
			return err
		}
		return importErr
	}
	if importErr == nil || r.Changed() || r.Rejected > 0 {
		c.print(s, e, r)
	}
	if r.Changed() && errors.Is(importErr, context.Canceled) {
		s.Printf("The rest was not read. The same command continues from here and adds nothing twice.\n")
	}
	return importErr
}

// confirm looks at the tables before anything is imported. Where it is not sure
// how to read one it asks at a terminal, and elsewhere says what to type.
func (c *importCommand) confirm(ctx context.Context, s *session, o *ingest.Options) error {
	for _, file := range c.Files {
		f, err := ingest.Sniff(ctx, file, *o)
		switch {
		case errors.Is(err, ingest.ErrColumns):
			return s.askColumns(err, &f)
		case err != nil || f.Unsure == "" || o.AcceptGuess:
			continue // the import says what is wrong
		}
		err = f.Ask(file)
		if !s.AtTerminal() {
			return s.askColumns(err, &f)
		}
		sentence, _ := present.Explain(err)
		fmt.Fprintf(s.Stderr, "%s\nImport it this way? [y/N] ", present.Printable(sentence))
		if !saysYes(s.Stdin) {
			return s.askColumns(err, &f)
		}
		o.AcceptGuess = true
	}
	return nil
}

// saysYes reads an answer of one line.
func saysYes(r io.Reader) bool {
	line, _ := bufio.NewReader(r).ReadString('\n')
	line = strings.ToLower(strings.TrimSpace(line))
	return line == "y" || line == "yes"
}

// columnsError is a table of which somebody has to say how it is to be read.
type columnsError struct {
	error
	commands []string
}

// Unwrap returns what is the matter with the table.
func (e *columnsError) Unwrap() error { return e.error }

// Error implements present.Remedied.
func (e *columnsError) Error() string {
	if refused, ok := errors.AsType[*kg.FileError](e.error); ok {
		return "could not " + refused.Where() + ": " + refused.What
	}
	return e.error.Error()
}

// Remedy gives the commands to choose from.
func (e *columnsError) Remedy() string {
	return "Nothing was imported. Type one of these, with the columns that you mean:\n  " + strings.Join(e.commands, "\n  ") +
		"\nName columns as in the first row, or by number from 1."
}

// askColumns returns the error that gives the commands by which f can be read.
func (s *session) askColumns(err error, f *ingest.Format) error {
	words := []string{"cairn"}
	for i, a := range s.Args {
		// The flags of columns are those to choose.
		if !isColumnFlag(a) && (i == 0 || !isColumnFlag(s.Args[i-1]) || strings.Contains(s.Args[i-1], "=")) {
			words = append(words, shellWord(a))
		}
	}
	typed := strings.Join(words, " ")
	column := func(role string, of map[string]int) string {
		at := cmp.Or(of[role], of[role+"_id"])
		switch {
		case at == 0 && role == "relation" && len(of) > 0:
			return " --relation '=linked to'"
		case at == 0:
			return " --" + role + " COLUMN"
		case at <= len(f.Names) && f.Names[at-1] != "":
			return " --" + role + " " + shellWord(f.Names[at-1])
		}
		return " --" + role + " " + strconv.Itoa(at)
	}
	choice := func(of map[string]int) string {
		return typed + column("head", of) + column("relation", of) + column("tail", of)
	}
	var commands []string
	if errors.Is(err, ingest.ErrUnsure) {
		commands = append(commands, typed+" --yes")
	}
	if f.HeaderDoubt {
		commands = append(commands, typed+" --header yes --yes", typed+" --header no --yes")
	}
	if f.RunnerUp != nil || !errors.Is(err, ingest.ErrUnsure) {
		of := f.RunnerUp
		if of == nil {
			of = f.Roles
		}
		commands = append(commands, choice(of))
	} else if !f.HeaderDoubt {
		commands = append(commands, choice(nil))
	}
	return &columnsError{err, commands}
}

func isColumnFlag(word string) bool {
	name, _, _ := strings.Cut(word, "=")
	return name == "--head" || name == "--relation" || name == "--tail"
}

// shellWord writes a word so that a shell takes it as one.
func shellWord(s string) string {
	if s != "" && strings.IndexFunc(s, func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsDigit(r) && !strings.ContainsRune("_-./=:@%+,", r)
	}) < 0 {
		return s
	}
	return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'"
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
		AcceptGuess: c.Yes, Labels: c.Labels, Languages: c.Language, Encoding: c.Encoding, Strict: c.Strict, MaxRejects: c.MaxRejects,
		Columns: ingest.Columns{Head: c.Head, Relation: c.Relation, Tail: c.Tail},
	}
	if c.Header != "auto" {
		o.Header = ingest.Header(c.Header)
	}
	if c.MaxRejects < 0 {
		return o, command.UsageError("--max-rejects cannot be below 0")
	}
	named := map[string]rune{"tab": '\t', "comma": ',', "pipe": '|', "semicolon": ';', "space": ' '}
	if d, ok := named[strings.ToLower(c.Delimiter)]; ok {
		o.Delimiter = d
	} else if c.Delimiter != "" {
		d, size := utf8.DecodeRuneInString(c.Delimiter)
		if size != len(c.Delimiter) || d == utf8.RuneError {
			return o, command.UsageError("--delimiter takes tab, comma, pipe, semicolon or one character")
		}
		o.Delimiter = d
	}
	return o, nil
}

func (c *importCommand) print(s *session, e *engine.Engine, r ingest.Report) {
	s.Printf("%s, read in %s\n", present.Plural(r.Added, "triple added", "triples added"), present.Elapsed(r.Took))
	s.Table("  ", [][]string{
		{"added", present.Count(r.Added)},
		{"already there", present.Count(r.Duplicate)},
		{"rejected", present.Count(r.Rejected)},
		{"skipped", present.Count(r.Skipped), "(blank lines, comments, headers, names)"},
		{"read", present.Count(r.Read)},
	})
	for _, n := range r.Notes {
		s.Printf("%s\n", n)
	}
	if r.RejectsFile != "" {
		s.Printf("The rejected lines, each with its reason, are in %s\n", r.RejectsFile)
		for _, x := range r.Rejects[:min(3, len(r.Rejects))] {
			s.Printf("  line %d: %s\n", x.Line, x.Reason)
		}
	}
	for _, notice := range e.Notices() {
		s.Warn(notice)
	}
	if e.Unread() {
		return
	}
	g := e.Graph()
	s.Printf("%s now has %s, %s and %s\n", c.Into, present.Plural(g.Triples(), "triple", "triples"), present.Plural(g.Entities(), "entity", "entities"), present.Plural(g.Relations(), "relation", "relations"))
}
