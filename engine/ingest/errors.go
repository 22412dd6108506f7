package ingest

import (
	"cmp"
	"errors"
	"fmt"
	"strings"
)

// Why a file cannot be imported. Such an error is a *FileError whose Kind it is;
// test with errors.Is. Errors of the graph's own file are those of package kg.
var (
	// ErrEmpty is returned for a file without a single statement.
	ErrEmpty = errors.New("file is empty")
	// ErrBinary is returned for a file that is not text.
	ErrBinary = errors.New("file is not text")
	// ErrFormat is returned for text of which no reader can make triples.
	ErrFormat = errors.New("format is not known")
	// ErrColumns is the ErrFormat of a table in which nobody can tell which
	// columns are head, relation and tail.
	ErrColumns = fmt.Errorf("columns are not known: %w", ErrFormat)
	// ErrUnsure is returned where a table can be read, but so that the user should
	// be asked first; Options.AcceptGuess reads it.
	ErrUnsure = errors.New("reading is not sure")
	// ErrCut is returned for a compressed file that ends too early.
	ErrCut = errors.New("file is cut short")
	// ErrChanged is returned for a file that changed while it was read.
	ErrChanged = errors.New("file changed while it was read")
	// ErrRejects is returned when more lines were rejected than Options allow.
	ErrRejects = errors.New("too many lines were rejected")
)

// FileError says why a file cannot be read, and what can be done about it. Readers
// of other files than those of triples use it too.
type FileError struct {
	Doing  string // "read"; empty for "import"
	File   string
	Line   int64  // 0 where the whole file is meant
	What   string // what was seen
	Remedy string // what the user can do
	Kind   error
	Cause  error // what the system said, or nil
}

// Error returns the whole as one sentence.
func (e *FileError) Error() string {
	var b strings.Builder
	b.WriteString(e.Where() + ": " + e.What)
	if e.Cause != nil {
		b.WriteString(" (" + e.Cause.Error() + ")")
	}
	if e.Remedy != "" {
		b.WriteString("; " + e.Remedy)
	}
	return b.String()
}

// Where says what was being done, to which file and, where it is known, in which
// line of it.
func (e *FileError) Where() string {
	s := cmp.Or(e.Doing, "import") + " " + e.File
	if e.Line > 0 {
		s += " line " + itoa(e.Line)
	}
	return s
}

// Unwrap returns the kind and the cause.
func (e *FileError) Unwrap() []error {
	var errs []error
	for _, err := range []error{e.Kind, e.Cause} {
		if err != nil {
			errs = append(errs, err)
		}
	}
	return errs
}
