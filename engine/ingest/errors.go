package ingest

import (
	"errors"
	"fmt"

	"cairn/engine/kg"
)

// Why a file cannot be imported. Such an error is a *kg.FileError whose Kind it is;
// test with errors.Is.
var (
	// ErrEmpty is returned for a file without a single statement.
	ErrEmpty = errors.New("file is empty")
	// ErrBinary is returned for a file that is not text.
	ErrBinary = errors.New("file is not text")
	// ErrFormat is returned for text of which no reader can make triples.
	ErrFormat = errors.New("unknown format")
	// ErrColumns is the ErrFormat of a table in which nobody can tell which
	// columns are head, relation and tail.
	ErrColumns = fmt.Errorf("unknown columns: %w", ErrFormat)
	// ErrUnsure is returned where a table can be read, but so that the user should
	// be asked first; Options.AcceptGuess reads it.
	ErrUnsure = errors.New("uncertain reading")
	// ErrCut is returned for a compressed file that ends too early.
	ErrCut = errors.New("file is truncated")
	// ErrBomb is returned for a compressed file that grows beyond all measure.
	ErrBomb = errors.New("file is too large when unpacked")
	// ErrArchive is returned for an archive whose members cannot be taken as they are.
	ErrArchive = errors.New("archive cannot be imported as it is")
	// ErrChoose is returned for a database of several tables of which one is to be
	// chosen; Options.Table chooses.
	ErrChoose = errors.New("no table chosen")
	// ErrChanged is returned for a file that changed while it was read.
	ErrChanged = errors.New("file changed while it was read")
	// ErrRejects is returned when more lines were rejected than Options allow.
	ErrRejects = errors.New("too many lines were rejected")
)

// refuse is the error for a file that cannot be imported; line is 0 where the whole
// of it is meant.
func refuse(file string, line int64, kind error, what, remedy string) *kg.FileError {
	return &kg.FileError{Doing: "import", Path: file, Line: line, Kind: kind, What: what, Remedy: remedy}
}
