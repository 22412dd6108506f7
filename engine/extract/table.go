package extract

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"os"
	"strconv"
	"strings"

	"cairn/engine/kg"
	"cairn/internal/wording"
)

// A table of what documents say is a text that a person can edit, also as a sheet:
//
//	document   7     5d41402a  notes.md  qwen3:4b
//	statement  yes   12  Graz  capital of  Styria  line 3  …doubt…  …quote…
//	entity     new   Graz  city  …what it may mean…
//	relation   is capital_of  capital of  …
//
// Columns are divided by tabs. The second is what a person changes: yes, no or ?
// for a statement; new, or "is" with the key of something in the graph, for a name;
// "turned" with the key of a relation that says the same with its ends exchanged.
// What stands right of the third column is for reading only.

// Decided is what a table says of one document.
type Decided struct {
	Document int64
	Hash     string // the beginning of the document's
	States   map[int64]kg.StatementState
	Names    []kg.Naming
}

const hashShown = 8 // hex digits, enough to tell a table from that of another graph

// the words of a statement's second column.
var decisions = map[string]kg.StatementState{"yes": kg.StatementAccepted, "no": kg.StatementDeclined, "?": kg.StatementProposed}

// WriteTable writes what a document says. What nobody has decided yet is a
// suggestion: yes for a statement that nothing speaks against. Statements that are
// invalid, or in the graph already, are comments.
func WriteTable(w io.Writer, d kg.Document, statements []kg.Statement, proposals []Proposal) error {
	b := bufio.NewWriter(w)
	row := func(cells ...string) {
		for i, c := range cells {
			cells[i] = wording.OneLine(c) // without what divides cells and rows
		}
		fmt.Fprintln(b, strings.Join(cells, "\t")) // an error stays in b and comes back from Flush
	}
	row("document", strconv.FormatInt(d.ID, 10), d.Hash[:min(len(d.Hash), hashShown)], d.Name, d.Model)
	for i := range statements {
		x := &statements[i]
		decision := "?"
		switch x.State {
		case kg.StatementInvalid, kg.StatementAdded:
			row("# "+x.State.String(), x.Head, x.Relation, x.Tail, x.Reason)
			continue
		case kg.StatementAccepted:
			decision = "yes"
		case kg.StatementDeclined:
			decision = "no"
		case kg.StatementProposed:
			if x.Doubt() == "" {
				decision = "yes"
			}
		}
		line, quote := "", ""
		if len(x.Spans) > 0 {
			line, quote = fmt.Sprintf("line %d", x.Spans[0].Line), x.Spans[0].Quote
		}
		row("statement", decision, strconv.FormatInt(x.ID, 10), x.Head, x.Relation, x.Tail, line, x.Doubt(), quote)
	}
	for i := range proposals {
		p := &proposals[i]
		decision := "new"
		if key, isNew := p.Meaning(); !isNew {
			decision = means(key, p.Decided && p.Turned)
		}
		cells := []string{p.Kind.String(), decision, p.Name, p.Type, p.Why}
		for _, c := range p.Candidates {
			cells = append(cells, fmt.Sprintf("%s = %s (%s)", means(c.Key, c.Turned), c.Label, strings.TrimSuffix(c.Method+"; "+c.Detail, "; ")))
		}
		row(cells...)
	}
	return b.Flush()
}

// means says in a table that a name means something that the graph has.
func means(key string, turned bool) string {
	if turned {
		return "turned " + quoted(key)
	}
	return "is " + quoted(key)
}

// quoted is a key as it stands in a table: as it is, or quoted as Go does where it
// would not survive that.
func quoted(key string) string {
	if key != wording.OneLine(key) || strings.HasPrefix(key, `"`) || strings.Contains(key, " = ") {
		return strconv.Quote(key)
	}
	return key
}

// ReadTable reads a table that WriteTable wrote and a person changed. What is wrong
// with it is a *kg.FileError.
func ReadTable(path string) ([]Decided, error) {
	info, err := os.Stat(path)
	if err == nil && info.IsDir() {
		return nil, &kg.FileError{Doing: "read", Path: path, What: "it is a folder, not a file", Remedy: "choose the table in it that --review wrote"}
	}
	f, err := os.Open(path)
	if err != nil {
		return nil, fmt.Errorf("read %s: %w", path, err)
	}
	defer f.Close()
	return readTable(path, f)
}

func readTable(path string, r io.Reader) ([]Decided, error) {
	var list []Decided
	wrong := func(line int, what string) error {
		return &kg.FileError{Doing: "read", Path: path, Line: int64(line), What: what, Remedy: "correct it, or write the table again with --review"}
	}
	in := bufio.NewScanner(r)
	in.Buffer(nil, 1<<20)
	for n := 1; in.Scan(); n++ {
		line := strings.TrimRight(strings.TrimPrefix(in.Text(), byteOrderMark), "\r")
		if strings.TrimSpace(line) == "" || strings.HasPrefix(line, "#") {
			continue
		}
		if err := readRow(&list, strings.Split(line, "\t")); err != nil {
			return nil, wrong(n, err.Error())
		}
	}
	if err := in.Err(); err != nil {
		if errors.Is(err, bufio.ErrTooLong) {
			err = errors.New("it has a line of more than 1 MB")
		}
		return nil, wrong(0, err.Error())
	}
	if len(list) == 0 {
		return nil, wrong(0, "it names no document")
	}
	return list, nil
}

func readRow(list *[]Decided, cells []string) error {
	if len(cells) < 3 {
		return fmt.Errorf("it has %s; a row needs 3, separated by tabs", wording.Count(len(cells), "column", "columns"))
	}
	kind, decision, what := strings.TrimSpace(cells[0]), strings.TrimSpace(cells[1]), strings.TrimSpace(cells[2])
	if kind == "document" {
		id, err := strconv.ParseInt(decision, 10, 64)
		if err != nil {
			return fmt.Errorf("%q is not the number of a document", decision)
		}
		*list = append(*list, Decided{Document: id, Hash: what, States: map[int64]kg.StatementState{}})
		return nil
	}
	if len(*list) == 0 {
		return errors.New("a row “document” must come first")
	}
	d := &(*list)[len(*list)-1]
	switch kind {
	case "statement":
		id, err := strconv.ParseInt(what, 10, 64)
		state, ok := decisions[strings.ToLower(decision)]
		if err != nil || !ok {
			return fmt.Errorf("a statement needs yes, no or ?, then its number, not %q and %q", decision, what)
		}
		d.States[id] = state
		return nil
	case kg.EntityName.String(), kg.RelationName.String():
		n := kg.Naming{Kind: kg.EntityName, Name: what}
		if kind == kg.RelationName.String() {
			n.Kind = kg.RelationName
		}
		key, is := strings.CutPrefix(decision, "is ")
		if !is && n.Kind == kg.RelationName {
			key, n.Turned = strings.CutPrefix(decision, "turned ")
		}
		if is || n.Turned {
			n.Existing = strings.TrimSpace(key)
			if unquoted, err := strconv.Unquote(n.Existing); err == nil {
				n.Existing = unquoted
			}
		} else if decision != "new" {
			return fmt.Errorf("the name %q needs “new”, “is” and a key, or (for a relation) “turned” and a key, not %q", what, decision)
		}
		d.Names = append(d.Names, n)
		return nil
	}
	return fmt.Errorf("a row must begin with document, statement, entity or relation, not %q", kind)
}
