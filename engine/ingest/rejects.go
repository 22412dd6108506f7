package ingest

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"unicode/utf8"

	"cairn/engine/internal/beside"
	"cairn/engine/kg"
)

// Reject is one line that could not be read.
type Reject struct {
	File   string `json:"file"`
	Line   int64  `json:"line"`
	Reason string `json:"reason"`
	Text   string `json:"text"` // of the line, cut to MaxRejectText bytes
}

// MaxRejectText is how much of a rejected line is kept, in bytes.
const MaxRejectText = 200

// maxRejectRows is how many lines of one file the rejects file takes; a file of
// another format would fill the disk with itself.
const maxRejectRows = 100_000

// RejectsPath returns the path of the file beside a knowledge graph that lists the
// lines that could not be imported: file, line, reason, text, divided by tabs.
func RejectsPath(graph string) string {
	return strings.TrimSuffix(graph, kg.Ext) + ".rejects.tsv"
}

const rejectsHeader = "file\tline\treason\ttext\n"

// rejects writes the rejects file. It is made at the first rejected line. The
// lines of other files stay in it, those of the same file are replaced.
type rejects struct {
	path  string
	mode  fs.FileMode // of the graph: its lines are the graph's content
	files []string
	from  []fs.FileInfo // what is imported, which may be an older rejects file; each may be nil
	out   *os.File
	w     *bufio.Writer
	rows  int
	err   error // why it cannot be written; the import goes on
}

// forget removes what an earlier import of the same files left in the rejects file.
func (r *rejects) forget() {
	old, err := os.Open(r.path)
	if err != nil {
		if !errors.Is(err, fs.ErrNotExist) {
			r.err = err
		}
		return
	}
	defer old.Close()
	info, err := old.Stat()
	if err != nil || info.Size() > 0 && (slices.ContainsFunc(r.from, func(f fs.FileInfo) bool { return f != nil && os.SameFile(info, f) }) || !isRejects(old)) {
		r.err = errors.Join(err, fmt.Errorf("%s is another file; move it away and import again", r.path))
		return
	}
	temp, err := os.CreateTemp(filepath.Dir(r.path), ".rejects-*")
	if err != nil {
		r.err = err
		return
	}
	kept, again := 0, map[string]bool{}
	for _, file := range r.files {
		again[r.cell(file)] = true
	}
	w := bufio.NewWriter(temp)
	_, _ = w.WriteString(rejectsHeader)
	in := bufio.NewScanner(old)
	in.Buffer(nil, 1<<20)
	for first := true; in.Scan(); first = false {
		if file, _, _ := strings.Cut(in.Text(), "\t"); first || again[file] {
			continue
		}
		kept++
		_, _ = w.WriteString(in.Text() + "\n")
	}
	err = errors.Join(in.Err(), w.Flush(), temp.Chmod(r.mode), temp.Close())
	switch {
	case err == nil && kept > 0:
		err = os.Rename(temp.Name(), r.path)
	case err == nil:
		err = errors.Join(os.Remove(temp.Name()), os.Remove(r.path))
	default:
		err = errors.Join(err, os.Remove(temp.Name()))
	}
	r.err = err
}

// isRejects reports whether a file begins as a rejects file, and goes back to its
// beginning: a user's own file of that name is left alone.
func isRejects(f *os.File) bool {
	head := make([]byte, len(rejectsHeader))
	_, err := io.ReadFull(f, head)
	_, seekErr := f.Seek(0, io.SeekStart)
	return err == nil && seekErr == nil && string(head) == rejectsHeader
}

func (r *rejects) add(x Reject) {
	if r.err != nil {
		return
	}
	if r.out == nil {
		r.open()
		if r.err != nil {
			return
		}
	}
	r.rows++
	switch {
	case r.rows <= maxRejectRows:
		_, r.err = fmt.Fprintf(r.w, "%s\t%d\t%s\t%s\n", r.cell(x.File), x.Line, r.cell(x.Reason), r.cell(x.Text))
	case r.rows == maxRejectRows+1:
		_, r.err = fmt.Fprintf(r.w, "%s\t%d\tfurther lines are counted but not listed\t\n", r.cell(x.File), x.Line)
	}
}

func (r *rejects) open() {
	r.out, r.err = os.OpenFile(r.path, os.O_CREATE|os.O_WRONLY|os.O_APPEND, r.mode)
	if r.err == nil {
		r.err = beside.Tighten(r.path, r.mode)
	}
	if r.err != nil {
		return
	}
	r.w = bufio.NewWriter(r.out)
	if info, err := r.out.Stat(); err == nil && info.Size() == 0 {
		_, r.err = r.w.WriteString(rejectsHeader)
	}
}

// close ends the file and returns its path, empty where nothing was written.
func (r *rejects) close() (path string, err error) {
	if r.out == nil {
		return "", r.err
	}
	if err := errors.Join(r.err, r.w.Flush(), r.out.Close()); err != nil {
		return "", fmt.Errorf("write the rejected lines: %w", err)
	}
	return r.path, nil
}

// cell makes a text fit into one cell.
func (*rejects) cell(s string) string {
	return strings.Map(func(r rune) rune {
		if r < ' ' || r == 0x7f {
			return ' '
		}
		return r
	}, s)
}

// cut returns the beginning of a line as valid text.
func cut(line []byte) string {
	more := len(line) > MaxRejectText
	if more {
		line = line[:MaxRejectText]
		for len(line) > 0 && !utf8.RuneStart(line[len(line)-1]) {
			line = line[:len(line)-1]
		}
		if n := len(line); n > 0 && line[n-1] >= utf8.RuneSelf {
			line = line[:n-1]
		}
	}
	s := strings.ToValidUTF8(string(line), "\uFFFD")
	if more {
		s += "…"
	}
	return s
}
