package propgraph

import (
	"bytes"
	"errors"
	"fmt"
	"io"

	"cairn/engine/internal/bail"
)

// errTooLong is returned by places for a value that does not end.
var errTooLong = errors.New("a value is longer than " + fmt.Sprint(maxRecord>>20) + " MB")

// places is a reader that knows on which line each of its bytes stands, and that
// ends where whoever reads it takes no value out of what it was given.
type places struct {
	r        io.Reader
	offset   int64   // bytes that were read
	taken    int64   // bytes that became values
	newlines []int64 // offsets of line ends that at has not yet passed
	line     int64   // line ends before them
	begin    int64   // offset of the line's first byte
}

func (p *places) Read(b []byte) (int, error) {
	if p.offset-p.taken > maxRecord {
		return 0, errTooLong
	}
	n, err := p.r.Read(b)
	for rest := b[:n]; ; {
		i := bytes.IndexByte(rest, '\n')
		if i < 0 {
			break
		}
		rest = rest[i+1:]
		p.newlines = append(p.newlines, p.offset+int64(n-len(rest)))
	}
	p.offset += int64(n)
	return n, err
}

// at returns line and column of an offset, which must not be before the last one
// that was asked for.
func (p *places) at(offset int64) (line, column int64) {
	i := 0
	for i < len(p.newlines) && p.newlines[i] <= offset {
		p.begin = p.newlines[i]
		i++
	}
	p.line += int64(i)
	p.newlines = p.newlines[:copy(p.newlines, p.newlines[i:])]
	p.taken = max(p.taken, offset)
	return p.line + 1, offset - p.begin + 1
}

// fail returns an error at an offset.
func (p *places) fail(offset int64, what string) bail.Out {
	line, column := p.at(offset)
	return bail.Out{Err: &Error{Line: line, Column: column, What: what}}
}
