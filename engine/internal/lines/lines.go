// Package lines divides a text of any size into lines.
package lines

import (
	"bufio"
	"bytes"
	"errors"
	"io"
)

// Reader divides a text into lines. It keeps no more than one line, and of a line
// that is too long only the beginning.
type Reader struct {
	Number int64 // of the line that was read last
	r      *bufio.Reader
	end    byte // '\n', or '\r' for the files of old Macintoshes
	Max    int  // bytes of a line
	buf    []byte
}

// New returns a reader of lines that end in end and have maxLine bytes at most.
func New(r io.Reader, end byte, maxLine int) *Reader {
	return &Reader{r: bufio.NewReaderSize(r, 256<<10), end: end, Max: maxLine}
}

// Next returns the next line without its end, and its whole length where it is
// longer than may be, 0 otherwise. The line is valid until the next call. At the
// end of the text it returns io.EOF.
func (l *Reader) Next() (line []byte, tooLong int64, err error) {
	piece, err := l.r.ReadSlice(l.end)
	if err == nil || errors.Is(err, io.EOF) && len(piece) > 0 {
		l.Number++
		line = l.trim(piece)
		if len(line) > l.Max {
			return line[:l.Max], int64(len(line)), nil
		}
		return line, 0, nil
	}
	if !errors.Is(err, bufio.ErrBufferFull) {
		return nil, 0, err
	}
	l.buf = l.buf[:0]
	var length int64
	for errors.Is(err, bufio.ErrBufferFull) {
		length += int64(len(piece))
		if room := l.Max + 2 - len(l.buf); room > 0 { // 2 for the end of the line
			l.buf = append(l.buf, piece[:min(len(piece), room)]...)
		}
		piece, err = l.r.ReadSlice(l.end)
	}
	if err != nil && !errors.Is(err, io.EOF) {
		return nil, 0, err
	}
	length += int64(len(piece))
	if room := l.Max + 2 - len(l.buf); room > 0 {
		l.buf = append(l.buf, piece[:min(len(piece), room)]...)
	}
	l.Number++
	if length <= int64(len(l.buf)) {
		if line = l.trim(l.buf); len(line) <= l.Max {
			return line, 0, nil
		}
	}
	return l.buf[:l.Max], length, nil
}

// ByteOrderMark is what some texts in UTF-8 begin with.
var ByteOrderMark = []byte("\xef\xbb\xbf")

// trim takes off the end of a line, and the mark at the beginning of the text.
func (l *Reader) trim(line []byte) []byte {
	if n := len(line); n > 0 && line[n-1] == l.end {
		line = line[:n-1]
	}
	if n := len(line); n > 0 && line[n-1] == '\r' {
		line = line[:n-1]
	}
	if l.Number == 1 {
		line = bytes.TrimPrefix(line, ByteOrderMark)
	}
	return line
}
