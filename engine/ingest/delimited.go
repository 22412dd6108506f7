package ingest

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"cairn/engine/internal/lines"
)

// record is one row of a delimited file. Fields are valid until the next call.
type record struct {
	line   int64 // of its beginning
	fields [][]byte
	raw    []byte // its text, or the beginning of it
	fault  string // why it cannot be read; empty where it can
}

// records reads the rows of a delimited file.
//
// Commas and semicolons quote as RFC 4180 says: a field in double quotes may hold
// the delimiter, the end of a line and doubled quotes. With other delimiters
// quotes are mostly part of a name, as in "Pimpernel" Smith: there only a field
// that is quoted as a whole loses its quotes.
type records struct {
	lines *lines.Reader
	delim byte
	csv   bool // quotes as RFC 4180

	fields [][]byte
	text   []byte // the unquoted fields of the row
	ends   []int  // where each field ends in text
	queue  []heldLine
	held   []heldLine // the lines of a row that is not at its end
	last   int64      // the last line of the row that was returned
	before int        // cells before those of a row of records: its line in JSON, and the id that was made for it
}

// heldLine is a line that was read too far.
type heldLine struct {
	number  int64
	text    []byte
	tooLong int64
}

// maxQuotedLines is how many lines a quoted field may run over. A quotation mark
// that is never closed costs one line, not the rest of the file.
const maxQuotedLines = 1000

func newRecords(l *lines.Reader, delim byte) *records {
	return &records{lines: l, delim: delim, csv: delim == ',' || delim == ';'}
}

// line returns the next line, from the queue first.
func (r *records) line() (heldLine, error) {
	if len(r.queue) > 0 {
		l := r.queue[0]
		r.queue = r.queue[1:]
		return l, nil
	}
	text, tooLong, err := r.lines.Next()
	return heldLine{r.lines.Number, text, tooLong}, err
}

// newRecords reads the rows of a source.
func (s *source) newRecords(l *lines.Reader, delim byte) *records {
	r := newRecords(l, delim)
	if s.record != nil {
		if r.before = 1; s.record.Made == 0 {
			r.before = 2
		}
	}
	return r
}

// next returns the next row; io.EOF at the end. Blank lines are rows without
// fields.
func (r *records) next() (record, error) {
	rec, err := r.read()
	if r.before == 0 || err != nil || len(rec.fields) < r.before {
		return rec, err
	}
	line, bad := strings.CutPrefix(string(rec.fields[0]), "!")
	if n, err := strconv.ParseInt(line, 10, 64); err == nil {
		rec.line, r.last = n, n
	}
	if bad {
		return record{line: rec.line, fault: string(rec.fields[1]), raw: rec.fields[2]}, nil
	}
	rec.fields = rec.fields[r.before:]
	return rec, nil
}

// read returns the next row of the text.
func (r *records) read() (record, error) {
	l, err := r.line()
	if err != nil {
		return record{}, err
	}
	rec := record{line: l.number, raw: l.text}
	r.last = l.number
	switch {
	case l.tooLong > 0:
		rec.fault = "the line has " + itoa(l.tooLong) + " bytes; the limit is " + itoa(int64(r.lines.Max))
	case !utf8.Valid(l.text):
		rec.fault = invalidUTF8(l.text)
	case len(bytes.TrimSpace(l.text)) == 0:
	case r.csv && bytes.IndexByte(l.text, '"') >= 0:
		return r.quoted(l)
	default:
		r.split(l.text)
		rec.fields = r.fields
	}
	return rec, nil
}

// split divides a line without quotes that span fields.
func (r *records) split(line []byte) {
	r.fields = r.fields[:0]
	for {
		i := bytes.IndexByte(line, r.delim)
		if i < 0 {
			r.fields = append(r.fields, r.clean(line))
			return
		}
		r.fields = append(r.fields, r.clean(line[:i]))
		line = line[i+1:]
	}
}

// clean takes spaces off a field, and the quotes off one quoted as a whole.
func (r *records) clean(field []byte) []byte {
	field = bytes.TrimSpace(field)
	n := len(field)
	if n < 2 || field[0] != '"' || field[n-1] != '"' {
		return field
	}
	inner := field[1 : n-1]
	if bytes.IndexByte(inner, '"') < 0 {
		return bytes.TrimSpace(inner)
	}
	if bytes.Count(inner, []byte(`"`)) == 2*bytes.Count(inner, []byte(`""`)) {
		return bytes.TrimSpace(bytes.ReplaceAll(inner, []byte(`""`), []byte(`"`)))
	}
	return field
}

// quoted reads a row of RFC 4180 that begins with line l and holds quotes.
func (r *records) quoted(l heldLine) (record, error) {
	rec := record{line: l.number}
	r.text, r.ends, r.held = r.text[:0], r.ends[:0], r.held[:0]
	size := 0
	inside := false
	for {
		l.text = slices.Clone(l.text)
		r.held = append(r.held, l)
		size += len(l.text)
		if l.tooLong > 0 || !utf8.Valid(l.text) || size > r.lines.Max || len(r.held) > maxQuotedLines {
			return r.unclosed(), nil
		}
		var fault string
		if inside, fault = r.parse(l.text, inside); fault != "" {
			if len(r.held) > 1 {
				return r.unclosed(), nil
			}
			rec.raw, rec.fault = l.text, fault
			return rec, nil
		}
		if !inside {
			break
		}
		var err error
		if l, err = r.line(); err != nil {
			if errors.Is(err, io.EOF) {
				return r.unclosed(), nil
			}
			return rec, err
		}
		r.text = append(r.text, '\n')
	}
	r.last = l.number
	rec.raw = r.held[0].text
	r.fields = r.fields[:0]
	begin := 0
	for _, end := range r.ends {
		r.fields = append(r.fields, bytes.TrimSpace(r.text[begin:end]))
		begin = end
	}
	rec.fields = r.fields
	return rec, nil
}

// unclosed rejects the first line of a row that does not end, and puts the others
// back.
func (r *records) unclosed() record {
	first := r.held[0]
	r.queue = append(slices.Clone(r.held[1:]), r.queue...)
	r.last = first.number
	return record{line: first.number, raw: first.text, fault: "a quotation mark is not closed"}
}

// parse adds the fields of one line to the row and reports whether it ends inside
// quotes.
func (r *records) parse(line []byte, inside bool) (stillInside bool, fault string) {
	i := 0
	for {
		if !inside {
			for i < len(line) && line[i] == ' ' {
				i++
			}
			if i == len(line) || line[i] != '"' {
				end := bytes.IndexByte(line[i:], r.delim)
				if end < 0 {
					r.text = append(r.text, line[i:]...)
					r.ends = append(r.ends, len(r.text))
					return false, ""
				}
				r.text = append(r.text, line[i:i+end]...)
				r.ends = append(r.ends, len(r.text))
				i += end + 1
				continue
			}
			i++
		}
		for {
			end := bytes.IndexByte(line[i:], '"')
			if end < 0 {
				r.text = append(r.text, line[i:]...)
				return true, ""
			}
			r.text = append(r.text, line[i:i+end]...)
			i += end + 1
			if i < len(line) && line[i] == '"' {
				r.text = append(r.text, '"')
				i++
				continue
			}
			break
		}
		inside = false
		r.ends = append(r.ends, len(r.text))
		for i < len(line) && line[i] == ' ' {
			i++
		}
		if i == len(line) {
			return false, ""
		}
		if line[i] != r.delim {
			return false, "there is text after a closing quotation mark (double a quotation mark inside quotes)"
		}
		i++
	}
}

// invalidUTF8 says where a line is not UTF-8, and what it may be instead.
func invalidUTF8(line []byte) string {
	for i := 0; i < len(line); {
		r, n := utf8.DecodeRune(line[i:])
		if r == utf8.RuneError && n == 1 {
			return "the line is not UTF-8 (byte " + fmt.Sprintf("0x%02X", line[i]) + " at column " + itoa(int64(i)+1) + "); if the file is Latin-1, import it with that encoding"
		}
		i += n
	}
	return "the line is not UTF-8"
}
