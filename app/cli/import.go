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
	"path/filepath"
	"slices"
	"strings"
	"unicode"

	"cairn/app/cli/command"
	"cairn/app/present"
	"cairn/engine"
	"cairn/engine/ingest"
	"cairn/engine/kg"
)

type importCommand struct {
	Files []string `arg:"" optional:"" help:"Files to import as one layer: tables, RDF, property graphs, workbooks or SQLite, also compressed or in archives. The guide lists the formats."`
	Into  string   `help:"The graph to add to; created if missing." placeholder:"FILE.cairn"`

	remoteFlags
	Labels     string   `help:"A second file with a key and its name on each line." placeholder:"FILE"`
	Delimiter  string   `help:"The column delimiter: tab, comma, pipe, semicolon or one character (default: detected)." placeholder:"CHAR"`
	Header     string   `help:"Whether the first row names the columns: yes, no or auto." enum:"auto,yes,no" default:"auto"`
	Head       string   `help:"The column of the heads, by name or number from 1." placeholder:"COLUMN"`
	HeadType   string   `help:"The type of entity in each row, such as film (default: taken from the table)." placeholder:"TYPE"`
	Relation   string   `help:"The column of the relations, or =NAME for the same relation in every row." placeholder:"COLUMN"`
	Tail       string   `help:"The column of the tails." placeholder:"COLUMN"`
	Columns    []string `sep:"none" help:"The role of each column, in order, or FILE=ROLES for one of several files: head, relation, tail, property (of the statement), value (of a relation of the head), head-id, tail-id, head-type, tail-type, label, alias, description, value-label (a name of the value before it), source, left-out." placeholder:"ROLES"`
	Map        string   `help:"A mapping file that sets how the columns are read." placeholder:"FILE"`
	SaveMap    string   `help:"Write how the columns are read into a mapping file." placeholder:"FILE"`
	DryRun     bool     `help:"Import nothing; show how each file is read and what its first 10,000 rows give."`
	Table      string   `help:"The sheet of a workbook, the table of a SQLite file, or a query: 'SELECT …'." placeholder:"NAME"`
	Replace    bool     `help:"Treat the file as a new version of one imported before: show the differences, ask, and replace the old one."`
	Yes        bool     `help:"Import a table even if its columns are uncertain; with --replace, replace without asking." short:"y"`
	Language   []string `help:"Languages of names, in order of preference (default: en)." placeholder:"LANG"`
	Base       string   `help:"The base for relative IRIs in RDF (default: the one in the file)." placeholder:"IRI"`
	Encoding   string   `help:"The encoding: utf-8, utf-16 or windows-1252 (default: detected)." placeholder:"NAME"`
	Strict     bool     `help:"Stop at the first line that cannot be read."`
	MaxRejects int64    `help:"Stop after this many lines that cannot be read." placeholder:"N"`
}

func (c *importCommand) Run(ctx context.Context, s *session) (err error) {
	o, err := c.options()
	if err != nil {
		return err
	}
	for _, file := range c.Files {
		if _, err := os.Stat(file); err != nil && strings.Contains(file, "://") {
			return command.UsageError(file + " is a server address, not a file; use --from " + file)
		}
	}
	if (c.From == "") == (len(c.Files) == 0) {
		return command.UsageError("give the files to import, or a server with --from")
	}
	if c.From == "" && (c.Query != "" || c.Graph != "" || c.User != "") {
		return command.UsageError("--query, --graph and --user require --from")
	}
	if !c.DryRun && !isGraphName(c.Into) {
		return command.UsageError("--into must name a graph, such as " + graphNamed(cmp.Or(c.Into, "my")))
	}
	if c.From != "" {
		done, err := c.fetch(ctx, s, &o)
		defer done()
		if err != nil {
			return err
		}
	}
	files := c.Files
	if c.Labels != "" {
		files = append(slices.Clone(files), c.Labels)
	}
	for _, f := range files {
		if err := command.Exists("import", f, "check the spelling"); err != nil {
			return err
		}
	}
	if c.DryRun {
		return c.dryRun(ctx, s, o)
	}
	if err := c.confirm(ctx, s, &o); err != nil {
		return err
	}
	if c.Replace {
		return c.replace(ctx, s, o)
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
		err = cmp.Or(err, e.Close())
		if nothing {
			discard(c.Into) // an import that added nothing leaves no graph behind
		}
	}()
	r, importErr := e.Import(ctx, c.Files, o, s.events(true))
	importErr = c.askTwoColumns(ctx, s, o, importErr)
	if importErr == nil {
		importErr = c.saveMap(ctx, s, r.Format, o)
	}
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
		s.Printf("The rest was not read. Run the same command to continue; nothing is added twice.\n")
	}
	return importErr
}

// confirm looks at the tables before anything is imported. Where it is not sure
// how to read one it asks at a terminal, and elsewhere says what to type.
func (c *importCommand) confirm(ctx context.Context, s *session, o *ingest.Options) error {
	f, err := ingest.Sniff(ctx, c.Files, *o)
	switch {
	case errors.Is(err, ingest.ErrColumns):
		return c.askColumns(s, err, &f)
	case err != nil || f.Unsure == "" || o.AcceptGuess:
		return nil //nolint:nilerr // the import says what is wrong
	}
	err = f.Ask(f.File)
	if !s.AtTerminal() {
		return c.askColumns(s, err, &f)
	}
	sentence, _ := present.Explain(err)
	fmt.Fprintf(s.Stderr, "%s\nImport it this way? [y/N] ", present.Printable(sentence))
	if !saysYes(s.Stdin) {
		return c.askColumns(s, err, &f)
	}
	o.AcceptGuess = true
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

func (e *columnsError) Error() string {
	if refused, ok := errors.AsType[*kg.FileError](e.error); ok {
		return "could not " + refused.Where() + ": " + refused.What
	}
	return e.error.Error()
}

// Remedy gives the commands to choose from.
func (e *columnsError) Remedy() string {
	return "Nothing was imported. Run one of these, with the right columns:\n  " + strings.Join(e.commands, "\n  ") +
		"\nGive columns by their names in the first row, or by number from 1."
}

// askTwoColumns adds to the error for one table of two columns, which are no names that
// the graph knows, the commands by which it can be read.
func (c *importCommand) askTwoColumns(ctx context.Context, s *session, o ingest.Options, err error) error {
	if !errors.Is(err, ingest.ErrFormat) || len(c.Files) != 1 {
		return err
	}
	f, sniffed := ingest.Sniff(ctx, c.Files, o)
	if sniffed != nil || f.Kind != ingest.Labels || f.Width != 2 || f.Header {
		return err
	}
	typed := s.typedWithoutColumns("")
	return &columnsError{err, []string{
		typed + " --columns head,value --header yes",
		typed + " --columns head,tail --relation =NAME",
		"cairn import TRIPLES --into " + shellWord(cmp.Or(c.Into, "GRAPH.cairn")) + " --labels " + shellWord(c.Files[0]) + "   (if it gives names to what TRIPLES contain)",
	}}
}

// typedWithoutColumns is the command as it was typed, without the flags of columns: those
// are to choose. Of several files it is those of one.
func (s *session) typedWithoutColumns(file string) string {
	words := []string{"cairn"}
	for i := 0; i < len(s.Args); i++ {
		if !isColumnFlag(s.Args[i]) {
			words = append(words, shellWord(s.Args[i]))
			continue
		}
		flag, value, inline := strings.Cut(s.Args[i], "=")
		if !inline && i+1 < len(s.Args) {
			i++
			value = s.Args[i]
		}
		if of, _, is := strings.Cut(value, "="); flag == "--columns" && is && strings.Contains(of, ".") && of != file {
			words = append(words, flag, shellWord(value))
		}
	}
	return strings.Join(words, " ")
}

// askColumns returns the error that gives the commands by which f can be read: of several
// tables that one, and the others as they are.
func (c *importCommand) askColumns(s *session, err error, f *ingest.Format) error {
	file := ""
	if len(c.Files) > 1 || f.File != c.Files[0] {
		file = c.nameOf(f.File)
	}
	typed := s.typedWithoutColumns(file)
	var commands []string
	if path := present.MappingFor(f.File, f); path != "" && file == "" {
		commands = append(commands, typed+" --map "+shellWord(path))
	}
	unsure := errors.Is(err, ingest.ErrUnsure)
	switch {
	case f.HeaderDoubt:
		commands = append(commands, typed+" --header yes --yes", typed+" --header no --yes")
	case unsure:
		commands = append(commands, typed+columnFlags(file, &f.Reading))
	}
	const fewColumns = 12 // that one types
	switch {
	case f.RunnerUp != nil:
		commands = append(commands, typed+columnFlags(file, f.RunnerUp))
	case f.HeaderDoubt:
	case !unsure && len(f.Columns) > 0: // only the relation is missing
		r := ingest.Reading{Relation: "linked to", Columns: f.Columns}
		commands = append(commands, typed+columnFlags(file, &r))
	default:
		if file == "" {
			commands = append(commands, typed+" --head COLUMN --relation COLUMN --tail COLUMN")
		}
		if f.Width >= 2 && f.Width <= fewColumns {
			r := ingest.Reading{Columns: slices.Repeat([]ingest.Column{{Role: ingest.AsValue}}, f.Width)}
			r.Columns[0].Role = ingest.AsHead
			commands = append(commands, typed+columnFlags(file, &r))
		}
	}
	return &columnsError{err, commands}
}

// columnFlags are those that choose a reading, of one of several files where it has a name.
func columnFlags(file string, r *ingest.Reading) string {
	if file != "" {
		return " --columns " + shellWord(file+"="+r.RolesText())
	}
	roles := *r
	roles.Relation, roles.HeadType = "", ""
	flags := " --columns " + roles.RolesText()
	if r.Relation != "" {
		flags += " --relation " + shellWord("="+r.Relation)
	}
	if r.HeadType != "" {
		flags += " --head-type " + shellWord(r.HeadType)
	}
	return flags
}

// nameOf is what people call one of the files, or what is in it: its path without the folder.
func (c *importCommand) nameOf(path string) string {
	for _, f := range c.Files {
		if rest, is := strings.CutPrefix(path, f); is && (rest == "" || rest[0] == '/') {
			return filepath.Base(f) + rest
		}
	}
	return path
}

// fileOf is the path of what nameOf names; empty for none of the files.
func (c *importCommand) fileOf(name string) string {
	for _, f := range c.Files {
		if rest, is := strings.CutPrefix(name, filepath.Base(f)); is && (rest == "" || rest[0] == '/') {
			return f + rest
		}
	}
	return ""
}

func isColumnFlag(word string) bool {
	name, _, _ := strings.Cut(word, "=")
	return name == "--head" || name == "--relation" || name == "--tail" || name == "--columns" || name == "--map"
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
		AcceptGuess: c.Yes, HeadType: c.HeadType, Table: c.Table, Labels: c.Labels, Languages: c.Language, Encoding: c.Encoding, Base: c.Base, Strict: c.Strict, MaxRejects: c.MaxRejects,
		Columns: ingest.Columns{Head: c.Head, Relation: c.Relation, Tail: c.Tail},
	}
	if c.Header != "auto" {
		o.Header = ingest.Header(c.Header)
	}
	if c.MaxRejects < 0 {
		return o, command.UsageError("--max-rejects must be 0 or more")
	}
	if c.Delimiter != "" {
		d, ok := ingest.ParseDelimiter(c.Delimiter)
		if !ok {
			return o, command.UsageError("--delimiter takes tab, comma, pipe, semicolon or one character")
		}
		o.Delimiter = d
	}
	if c.Map != "" && (len(c.Columns) > 0 || o.Columns != (ingest.Columns{})) {
		return o, command.UsageError("--map sets the columns, so it cannot be combined with --columns, --head, --relation or --tail")
	}
	for _, text := range c.Columns {
		name, roles, _ := strings.Cut(text, "=")
		file := c.fileOf(name)
		if file == "" {
			roles = text
		}
		r, err := ingest.ParseRoles(roles)
		switch {
		case err != nil:
			return o, command.UsageError("--columns: " + err.Error())
		case file != "":
			if o.Files == nil {
				o.Files = map[string]ingest.Options{}
			}
			o.Files[file] = ingest.Options{Delimiter: o.Delimiter, Header: o.Header, Encoding: o.Encoding, Reading: &r}
			continue
		case c.Head != "" || c.Tail != "" || c.Relation != "" && !strings.HasPrefix(c.Relation, "="):
			return o, command.UsageError("--columns sets the role of every column, so it cannot be combined with --head, --relation or --tail, except for --relation =NAME")
		}
		if c.Relation != "" {
			r.Relation = strings.TrimPrefix(c.Relation, "=")
		}
		o.Reading, o.Columns = &r, ingest.Columns{}
	}
	if c.Map != "" {
		m, err := ingest.ReadMapping(c.Map)
		if err != nil {
			return o, err
		}
		m.Apply(&o)
	}
	return o, nil
}

func (c *importCommand) print(s *session, e *engine.Engine, r ingest.Report) {
	s.Printf("%s, read in %s\n", present.Plural(r.Added, "statement added", "statements added"), present.Elapsed(r.Took))
	printCounts(s, r)
	s.Lines("", r.Notes)
	if r.RejectsFile != "" {
		s.Printf("The rejected lines and the reasons are in %s\n", r.RejectsFile)
		for _, x := range r.Rejects[:min(shownRejects, len(r.Rejects))] {
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
	entities, triples := g.Count()
	s.Printf("%s now has %s, %s and %s\n", c.Into, present.Plural(triples, "triple", "triples"), present.Plural(entities, "entity", "entities"), present.Plural(g.Relations(), "relation", "relations"))
}

// shownRejects is how many rejected lines are printed.
const shownRejects = 3

// printCounts prints what became of the lines, and what the statements are.
func printCounts(s *session, r ingest.Report) {
	var rows [][]string
	for _, row := range present.ImportRows(r) {
		line := []string{strings.ToLower(row.Label[:1]) + row.Label[1:], row.Count}
		if row.Note != "" {
			line = append(line, "("+row.Note+")")
		}
		rows = append(rows, line)
	}
	s.Table("  ", rows)
	s.Lines("  ", present.RelationLines(r))
}

// dryRun says how the files are read, and what their first rows give. Files of names come
// last, as in an import: they name what the others bring.
func (c *importCommand) dryRun(ctx context.Context, s *session, o ingest.Options) (err error) {
	o.AcceptGuess = true
	type tried struct {
		file    string
		options ingest.Options
		format  ingest.Format
	}
	var files, names []tried
	for _, file := range c.Files {
		f, err := ingest.Sniff(ctx, []string{file}, o)
		switch {
		case errors.Is(err, ingest.ErrColumns):
			return c.askColumns(s, err, &f)
		case err != nil:
			return err
		case f.Kind == ingest.Labels:
			names = append(names, tried{file, o, f})
		default:
			files = append(files, tried{file, o, f})
		}
	}
	if c.Labels != "" {
		f, err := ingest.Sniff(ctx, []string{c.Labels}, o.ForNames())
		if err != nil {
			return err
		}
		names = append(names, tried{c.Labels, o.ForNames(), f})
	}
	trials, err := ingest.NewTrials(ctx)
	if err != nil {
		return err
	}
	defer func() { err = cmp.Or(err, trials.Close()) }()
	trials.Among(c.Files)
	var reports []ingest.Report
	for i, x := range append(files, names...) {
		file, f := x.file, x.format
		r, err := trials.File(ctx, file, x.options)
		if err != nil {
			return c.askTwoColumns(ctx, s, o, err)
		}
		reports = append(reports, r)
		if f.Kind == r.Format.Kind && len(f.Columns) == len(r.Format.Columns) { // beside the other files more is known
			f.Mapping, f.Says = r.Format.Mapping, r.Format.Says
		}
		if file != c.Labels {
			if err := c.saveMap(ctx, s, f, o); err != nil {
				return err
			}
		}
		if s.JSON {
			continue
		}
		if i > 0 {
			s.Printf("\n")
		}
		s.Printf("%s\n", present.Printable(file))
		s.Lines("", present.FormatLines(f))
		if rows := present.ColumnRows(&f); len(rows) > 0 {
			s.Table("  ", rows)
		}
		if f.Unsure != "" {
			if e, ok := errors.AsType[*columnsError](c.askColumns(s, f.Ask(file), &f)); ok {
				s.Printf("Choose one of these:\n  %s\n", present.Printable(strings.Join(e.commands, "\n  ")))
			}
		}
		s.Printf("From the first %s:\n", present.Plural(r.Read, "line", "lines"))
		printCounts(s, r)
		for _, n := range r.Notes {
			if !slices.ContainsFunc(f.Notes, func(said string) bool { return strings.HasSuffix(n, said) }) {
				s.Printf("%s\n", present.Printable(n))
			}
		}
		for _, x := range r.Rejects[:min(shownRejects, len(r.Rejects))] {
			s.Printf("Line %d would be rejected: %s\n", x.Line, present.Printable(x.Reason))
		}
		if path := present.MappingFor(file, &f); path != "" && c.Map == "" {
			s.Printf("There is a saved mapping for files with these columns: --map %s\n", shellWord(path))
		}
	}
	return s.Result(reports, func() { s.Printf("Nothing was imported.\n") })
}

// saveMap writes the mapping file that was asked for.
func (c *importCommand) saveMap(ctx context.Context, s *session, f ingest.Format, o ingest.Options) error {
	if c.SaveMap == "" {
		return nil
	}
	if f.Kind != ingest.Delimited {
		return command.UsageError("--save-map is for tables, and " + c.Files[0] + " is not a table")
	}
	m := f.Saved(c.Files[0], o.Languages)
	return s.WriteFile(ctx, c.SaveMap, func(w io.Writer) error {
		_, err := w.Write(m.Text())
		return err
	})
}
