package command

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"strings"
	"syscall"

	"cairn/app/output"
	"cairn/app/present"
	"cairn/engine"
	"cairn/engine/cypher"
	"cairn/engine/ingest"
	"cairn/engine/kg"
	"cairn/engine/llm"
	"cairn/engine/pattern"
	"cairn/engine/retrieve"
	"cairn/engine/retrieve/templates"
	"cairn/engine/train"
)

// The exit codes of the package comment.
const (
	ExitDone        = 0
	ExitRefuted     = 1
	ExitUsage       = 2
	ExitLikely      = 3
	ExitNoAnswer    = 4
	ExitFailed      = 5
	ExitUnsure      = 6
	ExitInput       = 7
	ExitInterrupted = 130
	ExitPipe        = 141
)

// OutcomeError is an outcome that is no failure but has an exit code of its own.
type OutcomeError int

func (e OutcomeError) Error() string { return fmt.Sprintf("exit code %d", int(e)) }

// UsageError is a command that was written wrongly.
type UsageError string

func (e UsageError) Error() string { return string(e) }

// InputError is a file that cannot be used: what is wrong; what to do.
type InputError string

func (e InputError) Error() string { return string(e) }

// unusable is an error of a file that cannot be used.
type unusable struct{ error }

func (u unusable) Unwrap() error { return u.error }

// Unusable marks an error as one of a file that cannot be used.
func Unusable(err error) error { return unusable{err} }

// end says an error in a sentence with a remedy, and returns the exit code.
func (s *Session) end(err error) int {
	if outcome := OutcomeError(0); errors.As(err, &outcome) {
		return int(outcome)
	}
	if err == nil {
		return ExitDone
	}
	sentence, remedy := present.Explain(err)
	code := exitCode(err)
	s.say(sentence, remedy, code)
	if s.Debug {
		fmt.Fprintln(s.Stderr, "\nThe whole chain:")
		printChain(s.Stderr, err, 1)
	}
	return code
}

// Failure is what a command with --json writes to the standard error when it fails:
// one line, the last.
type Failure struct {
	Error    string `json:"error"`
	Remedy   string `json:"remedy,omitempty"`
	ExitCode int    `json:"exit_code"`
}

// say writes why a command failed to the standard error.
func (s *Session) say(sentence, remedy string, code int) {
	if s.JSON {
		e := json.NewEncoder(s.Stderr)
		e.SetEscapeHTML(false)
		_ = e.Encode(Failure{sentence, remedy, code})
		return
	}
	fmt.Fprintf(s.Stderr, "%s: %s\n", s.Name, present.Printable(strings.TrimSpace(sentence+" "+remedy)))
}

// exitCode sorts errors by what the user could do about them.
func exitCode(err error) int {
	switch {
	case errors.Is(err, context.Canceled):
		return ExitInterrupted
	case errors.Is(err, templates.ErrText), errors.Is(err, templates.ErrTemplate):
		return ExitInput
	case isA[UsageError](err), isA[*cypher.Error](err), errors.Is(err, llm.ErrHost), errors.Is(err, pattern.ErrText), errors.Is(err, engine.ErrNoQuestion), errors.Is(err, engine.ErrNoModel), errors.Is(err, train.ErrNothingToResume), errors.Is(err, retrieve.ErrOptions):
		return ExitUsage
	case errors.Is(err, ingest.ErrUnsure):
		return ExitUnsure
	case errors.Is(err, kg.ErrDiskFull), errors.Is(err, syscall.ENOSPC):
		return ExitFailed
	case isA[InputError](err), isA[unusable](err), isA[*kg.FileError](err), isA[*fs.PathError](err), isA[*output.Error](err), isTraining(err):
		return ExitInput
	}
	return ExitFailed
}

// isA reports whether an error is of a type, or wraps one that is.
func isA[E error](err error) bool {
	_, ok := errors.AsType[E](err)
	return ok
}

// isTraining reports whether there is nothing that can be trained on, gone on with
// or asked.
func isTraining(err error) bool {
	return errors.Is(err, engine.ErrUntrained) || errors.Is(err, retrieve.ErrNothingToLearn) || errors.Is(err, retrieve.ErrResume) || errors.Is(err, retrieve.ErrModel)
}

// printChain writes an error and what it wraps, one a line.
func printChain(w io.Writer, err error, depth int) {
	fmt.Fprintf(w, "%s%T: %v\n", strings.Repeat("  ", depth), err, err)
	switch u := err.(type) { //nolint:errorlint // the chain itself is shown
	case interface{ Unwrap() error }:
		if inner := u.Unwrap(); inner != nil {
			printChain(w, inner, depth+1)
		}
	case interface{ Unwrap() []error }:
		for _, inner := range u.Unwrap() {
			printChain(w, inner, depth+1)
		}
	}
}
