package rdf

import (
	"bytes"
	"errors"
	"io"

	"cairn/engine/internal/bail"
)

// input is the text of a document, of which a window is in memory.
type input struct {
	r         io.Reader
	buf       []byte // what was read and not yet thrown away
	at        int    // the next byte in buf
	eof       bool
	err       error // of r, but for io.EOF
	line      int64 // of the next byte, from 1
	lineStart int   // where that line begins in buf; negative where that was thrown away
	begin     int   // where the statement begins in buf; negative where that was thrown away
}

const (
	windowSize = 256 << 10 // bytes
	// lookahead is how far a parser looks ahead at most, in bytes.
	lookahead = 256
)

func newInput(r io.Reader) input {
	in := input{r: r, buf: make([]byte, 0, windowSize), line: 1}
	if in.more(3); bytes.HasPrefix(in.buf, []byte("\xef\xbb\xbf")) {
		in.at, in.lineStart = 3, 3
	}
	return in
}

// more makes n bytes, at most lookahead, available where the text has as many.
func (in *input) more(n int) bool {
	if in.at+n <= len(in.buf) {
		return true
	}
	if in.eof {
		return false
	}
	if in.at > 0 {
		kept := copy(in.buf, in.buf[in.at:])
		in.buf = in.buf[:kept]
		in.lineStart -= in.at
		in.begin -= in.at
		in.at = 0
	}
	for empty := 0; len(in.buf) < n && !in.eof; {
		read, err := in.r.Read(in.buf[len(in.buf):cap(in.buf)])
		in.buf = in.buf[:len(in.buf)+read]
		if empty++; read > 0 {
			empty = 0
		}
		if empty > 100 {
			err = io.ErrNoProgress
		}
		if err != nil {
			in.eof = true
			if !errors.Is(err, io.EOF) {
				in.err = err
			}
		}
	}
	return len(in.buf) >= n
}

// peek returns the next byte, 0 at the end.
func (in *input) peek() byte {
	if in.at < len(in.buf) || in.more(1) {
		return in.buf[in.at]
	}
	return 0
}

// starts reports whether the text goes on with s.
func (in *input) starts(s string) bool {
	return in.more(len(s)) && string(in.buf[in.at:in.at+len(s)]) == s
}

// newline counts the end of a line that was just passed.
func (in *input) newline() {
	in.line++
	in.lineStart = in.at
}

// fail is the error for the place that was reached.
func (in *input) fail(what string) bail.Out {
	if in.err != nil {
		return bail.Out{Err: in.err}
	}
	const enough = 200 // of the statement's text, bytes
	begin := min(max(in.begin, 0), in.at)
	end := min(len(in.buf), begin+enough)
	return bail.Out{Err: &SyntaxError{Line: in.line, Column: in.at - in.lineStart + 1, What: what, Text: in.buf[begin:end]}}
}
