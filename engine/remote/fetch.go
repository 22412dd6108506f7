package remote

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"io/fs"
	"os"
	"reflect"
	"regexp"
	"strings"
	"time"
)

// Fetched counts what a server gave.
type Fetched struct {
	Rows       int64 // statements, as the server counts them
	Blank      int64 // of them with blank nodes
	Incomplete int64 // rows without subject, predicate or object, or with a term that is none of RDF 1.1
	Short      int64 // pages that were cut below what was asked, although more came after
	Resumed    int64 // of Rows, those that an earlier Fetch had left
}

// Notes says what a reader of the import should know.
func (f Fetched) Notes() (notes []string) {
	add := func(n int64, format string) {
		if n > 0 {
			notes = append(notes, fmt.Sprintf(format, n))
		}
	}
	add(f.Resumed, "%d statements were there from an earlier try.")
	add(f.Short, "The server gives fewer statements at a time than were asked for (pages cut short: %d). Every further page was asked for, until one was empty.")
	add(f.Incomplete, "%d rows of the server are no statements: a term is missing, or of a kind that is not read. They are left out.")
	add(f.Blank, "%d statements have blank nodes. Servers name these anew in every reply, so they are one node only within a page; cairn import with a larger --page keeps more of them together.")
	return notes
}

// fetch is a file on its way.
type fetch struct {
	Fetched
	s    *SPARQL
	file *os.File
	last []row // the page before
}

// part is the ending of a file that is not whole yet.
const part = ".part"

// Fetch writes what s selects into a file at path, as N-Quads. Until it is whole the
// file is path with ".part" behind it; where one is there of the same server and
// query, Fetch goes on after its last whole page. progress, which may be nil, is told
// of the rows so far.
func Fetch(ctx context.Context, s *SPARQL, path string, progress func(rows int64)) (Fetched, error) {
	file, err := os.OpenFile(path+part, os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return Fetched{}, err
	}
	f := &fetch{s: s, file: file}
	if err := errors.Join(f.all(ctx, progress), file.Close()); err != nil {
		return f.Fetched, err
	}
	return f.Fetched, os.Rename(path+part, path)
}

// FetchOnce is Fetch where no whole file is at path yet, or where again is set. The
// notes say what came of it.
func FetchOnce(ctx context.Context, s *SPARQL, path string, again bool, progress func(rows int64)) (notes []string, err error) {
	if Whole(path) && !again {
		return []string{"Fetched before, so the server is not asked: " + path + ". For what it has now, import it into a new graph, or use cairn import with --replace."}, nil
	}
	got, err := Fetch(ctx, s, path, progress)
	if err != nil {
		return nil, err
	}
	return append([]string{fmt.Sprintf("Statements fetched: %d, into %s", got.Rows, path)}, got.Notes()...), nil
}

// Sample writes the first page into a file at path.
func Sample(ctx context.Context, s *SPARQL, path string) (Fetched, error) {
	f := fetch{s: s}
	rows, err := s.rows(ctx, 0)
	if err != nil {
		return f.Fetched, err
	}
	return f.Fetched, os.WriteFile(path, append([]byte(s.head()), f.page(rows)...), 0o600)
}

// Whole reports whether a file that Fetch made is at path.
func Whole(path string) bool {
	_, err := os.Stat(path)
	return !errors.Is(err, fs.ErrNotExist)
}

func (f *fetch) all(ctx context.Context, progress func(int64)) error {
	if err := f.resume(); err != nil {
		return err
	}
	for {
		if progress != nil {
			progress(f.Rows)
		}
		rows, err := f.s.rows(ctx, f.Rows)
		if err != nil {
			return err
		}
		const remedy = "have the server write its graph into a file, and import that"
		switch {
		case len(rows) == 0:
			_, err := fmt.Fprintf(f.file, "# the end: %d rows\n", f.Rows)
			return errors.Join(err, f.file.Sync())
		case len(rows) > f.s.o.Page:
			return failed(f.s.address, fmt.Sprintf("the server gave %d statements where %d were asked for: it does not answer in pages", len(rows), f.s.o.Page), remedy, nil)
		case len(rows) > 1 && reflect.DeepEqual(rows, f.last):
			return failed(f.s.address, "the server gave the same page twice: it does not answer in pages, or the query selects statements many times over", "write the query as SELECT DISTINCT, or "+remedy, nil)
		}
		if f.last != nil && len(f.last) < f.s.o.Page {
			f.Short++
		}
		f.last = rows
		text := f.page(rows)
		text = append(text, f.mark(crc32.ChecksumIEEE(text))...)
		if _, err := f.file.Write(text); err != nil {
			return err
		}
		if err := f.file.Sync(); err != nil {
			return err
		}
	}
}

// head is what a file begins with. Its first two lines are the same for the same
// question only.
func (s *SPARQL) head() string {
	return s.asked() + "# on " + time.Now().UTC().Format(time.RFC3339) + "\n"
}

func (s *SPARQL) asked() string {
	return "# from " + s.address + "\n# asked " + oneLine(s.query, 4000) + "\n"
}

// mark is the comment behind a whole page. It counts what came up to it.
func (f *fetch) mark(sum uint32) string {
	return fmt.Sprintf("# page: %d rows, %d blank, %d incomplete, %d short, sum %08x\n", f.Rows, f.Blank, f.Incomplete, f.Short, sum)
}

// resume goes to where the last whole page ends, and to the beginning of the file
// where there is none.
func (f *fetch) resume() error {
	good := int64(0)
	r := bufio.NewReader(f.file)
	at, asked, sum := int64(0), "", crc32.NewIEEE()
lines:
	for n := 0; ; n++ {
		line, err := r.ReadBytes('\n')
		if err != nil && !errors.Is(err, io.EOF) {
			return err
		}
		if at += int64(len(line)); err != nil {
			break // what is behind the last line break is no line
		}
		switch {
		case n < 2:
			asked += string(line)
			continue
		case n == 2:
			if asked != f.s.asked() {
				break lines
			}
			good = at
			continue
		case line[0] != '#':
			_, _ = sum.Write(line)
			continue
		}
		was, from := Fetched{}, uint32(0)
		_, err = fmt.Sscanf(string(line), "# page: %d rows, %d blank, %d incomplete, %d short, sum %x", &was.Rows, &was.Blank, &was.Incomplete, &was.Short, &from)
		if err != nil || from != sum.Sum32() {
			break lines // the end, or damaged
		}
		sum.Reset()
		good, f.Fetched = at, was
	}
	f.Resumed = f.Rows
	if err := f.file.Truncate(good); err != nil {
		return err
	}
	if _, err := f.file.Seek(good, io.SeekStart); err != nil || good > 0 {
		return err
	}
	_, err := f.file.WriteString(f.s.head())
	return err
}

// page counts rows and writes them as N-Quads.
func (f *fetch) page(rows []row) []byte {
	var b bytes.Buffer
	names := map[string]int{} // of blank nodes, which mean something in one reply only
	graph := ""
	if f.s.o.Graph != "" {
		graph = " " + iri(f.s.o.Graph)
	}
	begin := f.Rows
	for _, r := range rows {
		f.Rows++
		line, blank, ok := "", false, true
		for _, v := range []value{r.S, r.P, r.O} {
			term, known := v.term(names, begin)
			line, ok = line+term+" ", ok && known
			blank = blank || v.Type == "bnode"
		}
		at := graph
		if r.G.Type != "" {
			term, known := r.G.term(names, begin)
			at, ok = " "+term, ok && known
		}
		if !ok {
			f.Incomplete++
			continue
		}
		if blank {
			f.Blank++
		}
		b.WriteString(strings.TrimSuffix(line, " ") + at + " .\n")
	}
	return b.Bytes()
}

// term writes a term of N-Quads; known is false where it is no term of RDF 1.1. What
// is wrong in it, such as a space in an IRI, is left for the import to refuse by line.
func (v value) term(names map[string]int, page int64) (text string, known bool) {
	var s string
	if v.Type == "" || json.Unmarshal(v.Value, &s) != nil {
		return "", false
	}
	switch v.Type {
	case "uri":
		return iri(s), true
	case "bnode":
		if _, ok := names[s]; !ok {
			names[s] = len(names)
		}
		return fmt.Sprintf("_:p%dn%d", page, names[s]), true
	case "literal", "typed-literal": // the second is what it was called before 1.1
		text = `"` + escapes.Replace(s) + `"`
		if v.Lang != "" {
			return text + "@" + oneLine(v.Lang, 100), true
		}
		if v.Datatype != "" {
			text += "^^" + iri(v.Datatype)
		}
		return text, true
	}
	return "", false
}

var (
	escapes   = strings.NewReplacer(`\`, `\\`, `"`, `\"`, "\n", `\n`, "\r", `\r`, "\t", `\t`)
	notInIRIs = regexp.MustCompile("[\\x00-\\x20<>\"{}|^`\\\\]")
)

// iri writes an IRI so that it stays on its line and ends where it ends.
func iri(s string) string {
	return "<" + notInIRIs.ReplaceAllStringFunc(s, func(c string) string { return fmt.Sprintf(`\u%04X`, c[0]) }) + ">"
}
