package kg

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strings"
	"syscall"

	"github.com/mattn/go-sqlite3"
)

// What can be wrong with a file. Every error of a Store that has one of these
// causes is a *FileError whose Kind it is; test with errors.Is.
var (
	// ErrDamaged is returned when the file is not what was written: cut short,
	// overwritten or never a database.
	ErrDamaged = errors.New("file is damaged")
	// ErrForeign is returned for a SQLite file that another program made.
	ErrForeign = errors.New("file is not a Cairn graph")
	// ErrNewer is returned for a file that a newer version of the program wrote.
	ErrNewer = errors.New("file was written by a newer version")
	// ErrReadOnly is returned when something must be written to a file or a
	// folder that may only be read.
	ErrReadOnly = errors.New("file is read-only")
	// ErrDiskFull is returned when there is no room left to write.
	ErrDiskFull = errors.New("disk is full")
	// errBusy is returned when another program or another import holds the file.
	errBusy = errors.New("file is in use")
	// errChanged is returned when another program changed the file during an import.
	errChanged = errors.New("file was changed by another program")
)

// FileError says what went wrong with a file, of a graph or of what is read into
// one, and what can be done about it.
type FileError struct {
	Doing  string // "open", "import into"
	Path   string
	Line   int64  // from 1; 0 where the whole file is meant
	What   string // what is wrong, in words
	Remedy string // what the user can do
	Kind   error  // the sentinel error that it is one of, or nil
	Cause  error  // what the system said, or nil
}

// Error returns the whole as one sentence.
func (e *FileError) Error() string {
	text := e.Where() + ": " + e.What
	if e.Cause != nil {
		text += " (" + e.Cause.Error() + ")"
	}
	if e.Remedy != "" {
		text += "; " + e.Remedy
	}
	return text
}

// Where says what was being done, to which file and, where it is known, in which
// line of it.
func (e *FileError) Where() string {
	where := e.Doing + " " + e.Path
	if e.Line > 0 {
		where += fmt.Sprintf(", line %d", e.Line)
	}
	return where
}

// Unwrap returns the kind and the cause.
func (e *FileError) Unwrap() []error {
	return slices.DeleteFunc([]error{e.Kind, e.Cause}, func(err error) bool { return err == nil })
}

// errForeign is the error for a SQLite file of another program.
func errForeign(path string) error {
	return &FileError{
		Doing: "open", Path: path, Kind: ErrForeign,
		What:   "it is a SQLite file, but not a Cairn graph",
		Remedy: "open a .cairn file, or import a file of triples into a new one; nothing was changed",
	}
}

// errDamaged is the error for a file whose content cannot be right.
func errDamaged(doing, path string, cause error) error {
	return &FileError{
		Doing: doing, Path: path, Kind: ErrDamaged, Cause: cause,
		What:   "the file is damaged",
		Remedy: "run cairn check to see the damage and cairn check --repair to repair it, or restore it from a backup; nothing was changed",
	}
}

// errBeginning is the error for a file that does not begin as SQLite's do. Nothing of it
// can be read, so that no check says more.
func errBeginning(doing, path string) error {
	return &FileError{
		Doing: doing, Path: path, Kind: ErrDamaged,
		What:   "it is not a graph, or its start is damaged",
		Remedy: "check the spelling, or restore the file from a backup; nothing was changed",
	}
}

// fileError gives an error of SQLite or of the system its words. Errors that are
// not about the file, such as a cancel, come back as they are.
func fileError(doing, path string, err error) error {
	var known *FileError
	var lite sqlite3.Error
	switch {
	case err == nil, errors.As(err, &known):
		return err
	case errors.As(err, &lite):
		return liteError(doing, path, lite)
	case errors.Is(err, fs.ErrNotExist):
		return &FileError{
			Doing: doing, Path: path, Cause: err,
			What: "no such file or folder", Remedy: "create the folder, or check the spelling",
		}
	}
	return cmp.Or(systemError(doing, path, err, err), fmt.Errorf("%s %s: %w", doing, path, err))
}

// systemError gives what the system said its words; nil where it has none.
func systemError(doing, path string, said, cause error) error {
	switch {
	case errors.Is(said, syscall.ENOSPC), errors.Is(said, syscall.EDQUOT):
		return errDiskFull(doing, path, cause)
	case errors.Is(said, fs.ErrPermission), errors.Is(said, syscall.EROFS):
		return errReadOnly(doing, path, cause)
	}
	return nil
}

func liteError(doing, path string, err sqlite3.Error) error {
	switch err.Code {
	case sqlite3.ErrCorrupt, sqlite3.ErrNotADB, sqlite3.ErrFormat, sqlite3.ErrMismatch, sqlite3.ErrConstraint:
		return errDamaged(doing, path, err)
	case sqlite3.ErrFull:
		return errDiskFull(doing, path, err)
	case sqlite3.ErrReadonly, sqlite3.ErrPerm:
		return errReadOnly(doing, path, err)
	case sqlite3.ErrBusy, sqlite3.ErrLocked:
		return &FileError{
			Doing: doing, Path: path, Kind: errBusy, Cause: err,
			What: "another program is writing to it", Remedy: "wait for it to finish or close it, then try again",
		}
	case sqlite3.ErrIoErr, sqlite3.ErrCantOpen:
		if code := int(err.ExtendedCode); code == ioErrData || code == ioErr {
			return errDamaged(doing, path, err)
		}
		return cmp.Or[error](systemError(doing, path, err.SystemErrno, err), &FileError{
			Doing: doing, Path: path, Cause: err,
			What: "the disk could not read or write it", Remedy: "check the disk and the folder, and try again",
		})
	case sqlite3.ErrError:
		// SQLite has no code of its own for a table or a column that is gone.
		if text := err.Error(); strings.Contains(text, "no such table") || strings.Contains(text, "no such column") {
			return errDamaged(doing, path, err)
		}
	}
	return fmt.Errorf("%s %s: %w", doing, path, err)
}

// ioErrData is SQLITE_IOERR_DATA: a page has not the checksum that was written with it.
// Where SQLite reads its schema it makes ioErr of that; errors of the disk say more.
const (
	ioErr     = 10
	ioErrData = ioErr | 32<<8
)

func errImporting(doing, path string) error {
	return &FileError{Doing: doing, Path: path, Kind: errBusy, What: "an import is in progress", Remedy: "wait for it to finish, or cancel it"}
}

func errDiskFull(doing, path string, cause error) error {
	return &FileError{
		Doing: doing, Path: path, Kind: ErrDiskFull, Cause: cause,
		What:   "the disk is full",
		Remedy: "free some space and try again; the previous content of the file is intact",
	}
}

func errReadOnly(doing, path string, cause error) error {
	return &FileError{
		Doing: doing, Path: path, Kind: ErrReadOnly, Cause: cause,
		What:   "the file or its folder is read-only",
		Remedy: "copy the file to a folder of your own, or ask for permission to write there",
	}
}
