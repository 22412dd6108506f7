package command

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"syscall"
	"text/tabwriter"
	"time"

	"github.com/alecthomas/kong"

	"cairn/app/output"
	"cairn/app/present"
	"cairn/engine"
	"cairn/engine/kg"
)

// Session is one command on its way.
type Session struct {
	Program
	Flags

	Grammar *kong.Application
	Log     *slog.Logger
	Opened  *engine.Engine // the graph that is open, which nothing may be written over
	meter   *meter
	cleanup []func() error
}

// Cleanup has f called at the end of the command, before what was asked for earlier.
func (s *Session) Cleanup(f func() error) { s.cleanup = append(s.cleanup, f) }

// Show shows how far the command is.
func (s *Session) Show(progress string) { s.meter.show(progress) }

// Showing reports whether progress is shown.
func (s *Session) Showing() bool { return s.meter.on }

// AtTerminal reports whether somebody sees a question and can answer it.
func (s *Session) AtTerminal() bool {
	f, ok := s.Stdin.(*os.File)
	if !ok || !s.meter.terminal {
		return false
	}
	st, err := f.Stat()
	return err == nil && st.Mode()&os.ModeCharDevice != 0
}

// Clear takes what Show wrote off the terminal, before anything else is written.
func (s *Session) Clear() { s.meter.clear() }

// Warn writes a sentence to the standard error.
func (s *Session) Warn(sentence string) {
	s.Clear()
	fmt.Fprintf(s.Stderr, "%s: %s\n", s.Name, present.Printable(sentence))
}

// Printf writes to the standard output.
func (s *Session) Printf(format string, args ...any) {
	s.Clear()
	fmt.Fprint(s.Stdout, present.Printable(fmt.Sprintf(format, args...)))
}

// Lines writes texts to the standard output, each on a line of its own behind a prefix.
func (s *Session) Lines(prefix string, texts []string) {
	for _, text := range texts {
		s.Printf("%s%s\n", prefix, text)
	}
}

// Result writes v as JSON where that was asked for, and lets show write it elsewhere.
func (s *Session) Result(v any, show func()) error {
	if s.JSON {
		return s.PrintJSON(v)
	}
	show()
	return nil
}

// PrintJSON writes v to the standard output, indented.
func (s *Session) PrintJSON(v any) error {
	s.Clear()
	e := json.NewEncoder(s.Stdout)
	e.SetIndent("", "  ")
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil {
		return fmt.Errorf("write the result as JSON: %w", err)
	}
	return nil
}

// maxCell is how many characters of a cell a table shows.
const maxCell = 120

// Table writes rows in columns that are as wide as their widest cell; the last
// column is not padded.
func (s *Session) Table(indent string, rows [][]string) {
	var b strings.Builder
	columns := 0
	for _, row := range rows {
		columns = max(columns, len(row))
	}
	w := tabwriter.NewWriter(&b, 0, 0, 2, ' ', 0)
	for _, row := range rows {
		for i, cell := range row {
			// What is on one line and of bounded width keeps the columns straight.
			row[i] = present.Shorten(present.OneLine(present.Printable(cell)), maxCell)
		}
		line := indent + strings.Join(row, "\t")
		if row[0] != "…" { // that says what is not shown, and is no column's width
			line += strings.Repeat("\t", columns-len(row))
		}
		fmt.Fprintln(w, line)
	}
	w.Flush()
	for line := range strings.Lines(b.String()) {
		s.Printf("%s\n", strings.TrimRight(line, " \n"))
	}
}

// Note writes a line of what is going on to the standard error.
func (s *Session) Note(format string, args ...any) {
	s.Clear()
	fmt.Fprintln(s.Stderr, present.Printable(fmt.Sprintf(format, args...)))
}

// WriteFile writes a file that the user asked for, so that it is whole or not there
// and nothing that must be kept is written over.
func (s *Session) WriteFile(ctx context.Context, path string, write func(io.Writer) error) error {
	g, err := s.guard(ctx)
	if err != nil {
		return err
	}
	return Forced(output.Write(path, g, write))
}

// CheckFiles refuses files that WriteFile would not write, before anything long
// begins, and two results in one file. Empty names are left out.
func (s *Session) CheckFiles(ctx context.Context, paths ...string) error {
	g, err := s.guard(ctx)
	if err != nil {
		return err
	}
	seen := map[string]bool{}
	for _, path := range paths {
		if path == "" {
			continue
		}
		if err := output.Check(path, g); err != nil {
			return Forced(err)
		}
		if seen[filepath.Clean(path)] && path != os.DevNull {
			return UsageError(fmt.Sprintf("two results cannot be written to one file, %s", path))
		}
		seen[filepath.Clean(path)] = true
	}
	return nil
}

// guard says what is not written over: the graph that is open, what it was made
// from, and what Cairn did not write.
func (s *Session) guard(ctx context.Context) (output.Guard, error) {
	g := output.Guard{Force: s.Force}
	if s.Opened == nil {
		return g, nil
	}
	info, err := s.Opened.Info(ctx)
	g.Graph, g.Sources = info.Path, info.Sources
	return g, err
}

// Forced names the flag that writes in spite of a refusal.
func Forced(err error) error {
	if refused, ok := errors.AsType[*output.Error](err); ok && refused.Force {
		refused.Do += ", or overwrite it with --force"
	}
	return err
}

// meter shows progress on one line of a terminal, or line by line elsewhere.
type meter struct {
	w        io.Writer
	on       bool
	terminal bool
	last     time.Time
	shown    bool // a line stands on the terminal
}

// How often progress is shown: as often as the eye follows on a terminal, and
// seldom enough for a log elsewhere.
const (
	terminalPace = 100 * time.Millisecond
	logPace      = time.Second
)

func newMeter(w io.Writer, always bool) *meter {
	m := &meter{w: w, last: time.Now()}
	if f, ok := w.(*os.File); ok {
		if st, err := f.Stat(); err == nil {
			m.terminal = st.Mode()&os.ModeCharDevice != 0 && os.Getenv("TERM") != "dumb"
		}
	}
	m.on = always || m.terminal
	return m
}

func (m *meter) show(text string) {
	pace := logPace
	if m.terminal {
		pace = terminalPace
	}
	if !m.on || time.Since(m.last) < pace {
		return
	}
	m.last = time.Now()
	text = present.Shorten(present.OneLine(text), 78)
	if m.terminal {
		fmt.Fprintf(m.w, "\r\x1b[K%s", text)
		m.shown = true
		return
	}
	fmt.Fprintln(m.w, text)
}

// clear takes the line off the terminal, before anything else is written.
func (m *meter) clear() {
	if m.shown {
		fmt.Fprint(m.w, "\r\x1b[K")
		m.shown = false
	}
}

// Exists says in words that a file is not there.
func Exists(doing, path, remedy string) error {
	_, err := os.Stat(path)
	if errors.Is(err, fs.ErrNotExist) {
		return &kg.FileError{Doing: doing, Path: path, What: "no such file", Remedy: remedy}
	}
	if err != nil {
		return fmt.Errorf("%s %s: %w", doing, path, err)
	}
	return nil
}

// pipe is a standard output that may close early, as before "| head": what is being
// done is then cancelled like by an interrupt, so that what was begun is put in order.
type pipe struct {
	io.Writer
	cancel context.CancelFunc
	broken atomic.Bool
}

func (p *pipe) Write(b []byte) (int, error) {
	n, err := p.Writer.Write(b)
	if errors.Is(err, syscall.EPIPE) {
		p.broken.Store(true)
		p.cancel()
	}
	return n, err
}
