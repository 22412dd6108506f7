package remote

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"io/fs"
	"os"
	"reflect"
	"time"
)

// Fetched counts what a server gave.
type Fetched struct {
	Rows       int64 // statements, or nodes and relationships, as the server counts them
	Nodes      int64 // of them, those of a property graph that are nodes; they come first
	Next       int64 // of a property graph: the id from which on more is asked for
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
	add(f.Resumed, "%d rows were already fetched in an earlier attempt.")
	add(f.Short, "The server returns fewer rows at a time than requested (short pages: %d). Further pages were requested until one was empty.")
	add(f.Incomplete, "%d rows from the server were left out because they are not statements: a term is missing or not supported.")
	add(f.Blank, "%d statements have blank nodes. Servers rename these in every reply, so they stay one node only within a page; cairn import with a larger --page keeps more of them together.")
	return notes
}

// fetch is a file on its way.
type fetch struct {
	Fetched
	s    Server
	file *os.File
	last page
}

// page is a reply of a server.
type page struct {
	Fetched        // with this page
	n       int    // how many rows it has
	rows    any    // as the server gave them
	lines   []byte // as the file has them
}

// part is the ending of a file that is not whole yet.
const part = ".part"

// Fetch writes what s has into a file at path. Until it is whole the
// file is path with ".part" behind it; where one is there of the same server and
// query, Fetch goes on after its last whole page. progress, which may be nil, is told
// of the rows so far.
func Fetch(ctx context.Context, s Server, path string, progress func(rows int64)) (Fetched, error) {
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
func FetchOnce(ctx context.Context, s Server, path string, again bool, progress func(rows int64)) (notes []string, err error) {
	if Whole(path) && !again {
		return []string{"Already fetched, so the server is not contacted: " + path + ". For the current data, import it into a new graph, or use cairn import --replace."}, nil
	}
	got, err := Fetch(ctx, s, path, progress)
	if err != nil {
		return nil, err
	}
	what := fmt.Sprintf("Statements fetched: %d", got.Rows)
	if got.Nodes > 0 {
		what = fmt.Sprintf("Nodes and relationships fetched: %d and %d", got.Nodes, got.Rows-got.Nodes)
	}
	return append([]string{what + ", into " + path}, got.Notes()...), nil
}

// Sample writes the first page into a file at path.
func Sample(ctx context.Context, s Server, path string) (Fetched, error) {
	p, err := s.page(ctx, Fetched{})
	if err != nil {
		return Fetched{}, err
	}
	return p.Fetched, os.WriteFile(path, append([]byte(head(s)), p.lines...), 0o600)
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
		p, err := f.s.page(ctx, f.Fetched)
		if err != nil {
			return err
		}
		const remedy = "have the server export its graph to a file, and import that"
		switch size := f.s.pageSize(); {
		case p.n == 0:
			_, err := fmt.Fprintf(f.file, "# the end: %d rows\n", f.Rows)
			return errors.Join(err, f.file.Sync())
		case p.n > size:
			return failed(f.s.Address(), fmt.Sprintf("the server returned %d rows instead of %d, so it does not support paging", p.n, size), remedy, nil)
		case p.n > 1 && reflect.DeepEqual(p.rows, f.last.rows):
			return failed(f.s.Address(), "the server returned the same page twice: it does not support paging, or the query selects duplicate statements", "write the query as SELECT DISTINCT, or "+remedy, nil)
		case f.last.n > 0 && f.last.n < size && (p.Nodes > f.Nodes) == (f.Nodes == f.Rows): // the last of the nodes may be few
			p.Short++
		}
		f.Fetched, f.last = p.Fetched, p
		text := append(p.lines, f.mark(crc32.ChecksumIEEE(p.lines))...)
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
func head(s Server) string {
	return asked(s) + "# on " + time.Now().UTC().Format(time.RFC3339) + "\n"
}

func asked(s Server) string {
	return "# from " + s.Address() + "\n# asked " + oneLine(s.Query(), 4000) + "\n"
}

// mark is the comment behind a whole page. It counts what came up to it.
func (f *fetch) mark(sum uint32) string {
	return fmt.Sprintf("# page: %d rows, %d nodes, next %d, %d blank, %d incomplete, %d short, sum %08x\n", f.Rows, f.Nodes, f.Next, f.Blank, f.Incomplete, f.Short, sum)
}

// resume goes to where the last whole page ends, and to the beginning of the file
// where there is none.
func (f *fetch) resume() error {
	good := int64(0)
	r := bufio.NewReader(f.file)
	at, question, sum := int64(0), "", crc32.NewIEEE()
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
			question += string(line)
			continue
		case n == 2:
			if question != asked(f.s) {
				break lines
			}
			good = at
			continue
		case line[0] != '#':
			_, _ = sum.Write(line)
			continue
		}
		was, from := Fetched{}, uint32(0)
		_, err = fmt.Sscanf(string(line), "# page: %d rows, %d nodes, next %d, %d blank, %d incomplete, %d short, sum %x", &was.Rows, &was.Nodes, &was.Next, &was.Blank, &was.Incomplete, &was.Short, &from)
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
	_, err := f.file.WriteString(head(f.s))
	return err
}
