package cli

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
	"syscall"
	"time"
	"unicode/utf8"

	"cairn/app/present"
	"cairn/engine"
)

// session is one command on its way.
type session struct {
	Program
	json, debug bool
	version     string
	log         *slog.Logger
	meter       *meter
	models      modelFlags // which model server this command may ask
	path        string     // of the graph that page described last
	cleanup     []func()   // called at the end of the command
}

// graphEnding is the ending of a graph's file.
const graphEnding = ".cairn"

// open opens the graph at path; an empty path is the built-in sample.
func (s *session) open(ctx context.Context, path string) (*engine.Engine, error) {
	if path == "" {
		return s.openSample(ctx)
	}
	// The engine makes a graph where there is none; a question needs one.
	if err := exists("open", path, "check how the name is written, or make it with cairn import FILE --into "+path); err != nil {
		return nil, err
	}
	return engine.Open(ctx, path, s.engineOptions(), s.events(false))
}

// exists says in words that a file is not there.
func exists(doing, path, remedy string) error {
	_, err := os.Stat(path)
	if errors.Is(err, fs.ErrNotExist) {
		return inputError(fmt.Sprintf("%s %s: there is no such file; %s", doing, path, remedy))
	}
	if err != nil {
		return fmt.Errorf("%s %s: %w", doing, path, err)
	}
	return nil
}

// isFolder reports whether a folder is at path.
func isFolder(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.IsDir()
}

// closing closes a graph at the end of a command and keeps the first error.
func closing(e *engine.Engine, err *error) {
	if closeErr := e.Close(); closeErr != nil && *err == nil {
		*err = fmt.Errorf("close the graph: %w", closeErr)
	}
}

// events show progress; bytes says that reading files counts bytes.
func (s *session) events(bytes bool) *engine.Events {
	return &engine.Events{
		Progress: func(task string, done, total int64) {
			s.meter.show(present.ProgressText(task, done, total, bytes && strings.HasPrefix(task, "import ")))
		},
		StageEnd: func(r engine.StageRecord) { s.meter.show(fmt.Sprintf("%s: %s", r.Stage, r.Summary)) },
	}
}

// printf writes to the standard output.
func (s *session) printf(format string, args ...any) {
	s.meter.clear()
	fmt.Fprint(s.Stdout, present.Printable(fmt.Sprintf(format, args...)))
}

// printJSON writes v to the standard output, indented.
func (s *session) printJSON(v any) error {
	s.meter.clear()
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

// table writes rows in columns that are as wide as their widest cell; the last
// column is not padded.
func (s *session) table(indent string, rows [][]string) {
	var widths []int
	for _, row := range rows {
		for i, cell := range row {
			// What is on one line and of bounded width keeps the columns straight.
			cell = present.Shorten(present.OneLine(present.Printable(cell)), maxCell)
			row[i] = cell
			if i == len(widths) {
				widths = append(widths, 0)
			}
			widths[i] = max(widths[i], utf8.RuneCountInString(cell))
		}
	}
	for _, row := range rows {
		var b strings.Builder
		b.WriteString(indent)
		for i, cell := range row {
			b.WriteString(cell)
			if i < len(row)-1 {
				b.WriteString(strings.Repeat(" ", widths[i]-utf8.RuneCountInString(cell)+2))
			}
		}
		s.printf("%s\n", strings.TrimRight(b.String(), " "))
	}
}

// writeFile writes a file so that it is whole or not there.
func writeFile(path string, write func(io.Writer) error) (err error) {
	if info, err := os.Stat(path); err == nil && info.IsDir() {
		return inputError(fmt.Sprintf("write %s: it is a folder; give the name of a file in it", path))
	}
	f, err := os.CreateTemp(filepath.Dir(path), ".cairn-*")
	if err != nil {
		return cannotWrite(path, err)
	}
	defer func() {
		if err != nil {
			f.Close()
			os.Remove(f.Name())
		}
	}()
	if err := write(f); err != nil {
		return fmt.Errorf("write %s: %w", path, err)
	}
	if err := f.Chmod(0o644); err != nil {
		return fmt.Errorf("write %s: %w", path, err)
	}
	if err := f.Close(); err != nil {
		return fmt.Errorf("write %s: %w", path, err)
	}
	if err := os.Rename(f.Name(), path); err != nil {
		return fmt.Errorf("write %s: %w", path, err)
	}
	return nil
}

// cannotWrite says in words why a file or a folder cannot be made at path.
func cannotWrite(path string, err error) error {
	switch {
	case errors.Is(err, fs.ErrPermission), errors.Is(err, syscall.EROFS):
		return inputError(fmt.Sprintf("write %s: you are not allowed to write there; choose a folder of yours", path))
	case errors.Is(err, syscall.ENOTDIR), errors.Is(err, fs.ErrExist):
		return inputError(fmt.Sprintf("write %s: a part of this path is a file, not a folder; choose another folder", path))
	case errors.Is(err, fs.ErrNotExist):
		if _, statErr := os.Stat(filepath.Dir(path)); statErr == nil {
			return inputError(fmt.Sprintf("write %s: nothing can be made in that folder; choose another", path))
		}
		return inputError(fmt.Sprintf("write %s: the folder %s is not there; make it, or choose another", path, filepath.Dir(path)))
	}
	return fmt.Errorf("write %s: %w", path, err)
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
