package cypher

import (
	"errors"
	"fmt"
	"strings"
	"unicode/utf8"
)

// What can be wrong with a query. An Error is one of them.
var (
	// ErrSyntax is returned for a text that is no query, before anything is run.
	ErrSyntax = errors.New("the query cannot be read")
	// ErrType is returned for a value of a kind that an operation does not take.
	ErrType = errors.New("a value has the wrong type")
	// ErrArgument is returned for a value out of range.
	ErrArgument = errors.New("a value is out of range")
	// errBudget is returned by a query that looked at more than Limits allow.
	errBudget = errors.New("the query exceeded its work limit")
)

// Error says what is wrong with a query, and where.
type Error struct {
	Kind error // ErrSyntax, ErrType or ErrArgument
	// Code is what the openCypher conformance tests call it: UndefinedVariable.
	Code string
	// Line and Column are where, from 1; the column counts characters.
	Line, Column int
	What         string

	at int
}

// Error returns place and reason in a line.
func (e *Error) Error() string {
	if e.Line == 0 {
		return e.What
	}
	return fmt.Sprintf("line %d, column %d: %s", e.Line, e.Column, e.What)
}

// Unwrap returns the kind.
func (e *Error) Unwrap() error { return e.Kind }

// syntax is an error at a byte of the text.
func syntax(at int, code, format string, args ...any) *Error {
	return &Error{Kind: ErrSyntax, Code: code, What: fmt.Sprintf(format, args...), at: at}
}

// wrongType is an error of a value.
func wrongType(code, format string, args ...any) *Error {
	return &Error{Kind: ErrType, Code: code, What: fmt.Sprintf(format, args...), at: -1}
}

// stopped is what ends a run that is no fault of the query.
type stopped struct{ error }

// caught, deferred, makes an error of what a parser, a compiler or a run of a text
// panicked with.
func caught(err *error, text string) {
	switch v := recover().(type) {
	case nil:
	case *Error:
		*err = place(v, text)
	case stopped:
		*err = v.error
	default:
		panic(v)
	}
}

// place finds the line and column of an error.
func place(err error, text string) error {
	e, ok := errors.AsType[*Error](err)
	if !ok || e.Line > 0 || e.at < 0 || e.at > len(text) {
		return err
	}
	before := text[:e.at]
	e.Line = strings.Count(before, "\n") + 1
	e.Column = utf8.RuneCountInString(before[strings.LastIndexByte(before, '\n')+1:]) + 1
	return err
}
