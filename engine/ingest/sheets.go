package ingest

import (
	"archive/zip"
	"bufio"
	"bytes"
	"encoding/xml"
	"errors"
	"io"
	"slices"
	"strconv"
	"strings"

	"cairn/internal/wording"
)

// maxSheet is how large the texts that the cells of an Excel workbook share may be, which
// are held in memory, in bytes.
const maxSheet = 256 << 20

// openDocument lists the sheets of an OpenDocument spreadsheet, which is read row by row.
func openDocument(z *zip.Reader, s *source, o *Options) (expanded, error) {
	var content *zip.File
	for _, f := range z.File {
		if f.Name == "content.xml" {
			content = f
		}
	}
	all, err := sheetsOf(content)
	switch {
	case err != nil:
		return expanded{}, s.cut(err)
	case len(all) == 0:
		return expanded{}, refuse(s.file, 0, ErrBinary, "it is an OpenDocument file without sheets", chooseFile)
	}
	names, err := s.choose(wording.Each(all, func(x odsTable) string { return x.name }), "sheet", o)
	if err != nil {
		return expanded{}, err
	}
	var out expanded
	for _, sheet := range all {
		if !slices.Contains(names, sheet.name) {
			continue
		}
		out.parts = append(out.parts, s.table(sheet.name, func(row func([]string) error) error {
			r, err := contentOf(content)
			if err != nil {
				return err
			}
			defer r.Close()
			if _, err := r.Discard(sheet.at); err != nil {
				return err
			}
			err = (&odsSheet{in: xml.NewDecoder(r), row: row, file: s.file}).read()
			if _, broken := errors.AsType[*xml.SyntaxError](err); broken {
				return s.cut(err)
			}
			return err
		}))
	}
	return out, nil
}

// odsContent is the text of an OpenDocument file, unpacked as it is read.
type odsContent struct {
	*bufio.Reader
	io.Closer
}

func contentOf(content *zip.File) (odsContent, error) {
	r, err := content.Open()
	if err != nil {
		return odsContent{}, err
	}
	return odsContent{bufio.NewReaderSize(io.LimitReader(r, int64(content.UncompressedSize64)), 64<<10), r}, nil
}

// odsTable is a sheet and where its tag begins, in bytes.
type odsTable struct {
	name string
	at   int
}

// sheetsOf returns the sheets. It looks at tags only as far as their names, since all of
// the text passes by once more when the rows are read.
func sheetsOf(content *zip.File) (all []odsTable, err error) {
	r, err := contentOf(content)
	if err != nil {
		return nil, err
	}
	defer r.Close()
	at := 0
	var tag []byte // of a table, until it can be read
	for {
		piece, err := r.ReadSlice('>')
		at += len(piece)
		switch {
		case errors.Is(err, io.EOF):
			return all, nil
		case err != nil && !errors.Is(err, bufio.ErrBufferFull):
			return nil, err
		}
		if tag == nil {
			begin := bytes.LastIndexByte(piece, '<')
			if begin < 0 || !isTable(piece[begin+1:]) {
				continue
			}
			piece = piece[begin:]
		}
		tag = append(tag, piece...)
		t, err := xml.NewDecoder(bytes.NewReader(tag)).RawToken()
		if e, ok := t.(xml.StartElement); ok && err == nil {
			all = append(all, odsTable{attribute(e, "name"), at - len(tag)})
		} else if len(tag) < 64<<10 { // a name may hold a >
			continue
		}
		tag = nil
	}
}

// isTable reports whether a tag begins a table.
func isTable(tag []byte) bool {
	if end := bytes.IndexAny(tag, " \t\r\n>"); end >= 0 {
		tag = tag[:end]
	}
	return !bytes.HasPrefix(tag, []byte("/")) && bytes.Equal(tag[bytes.IndexByte(tag, ':')+1:], []byte("table"))
}

func attribute(e xml.StartElement, name string) string {
	for _, a := range e.Attr {
		if a.Name.Local == name {
			return a.Value
		}
	}
	return ""
}

// isFault reports whether a cell shows the error of a formula, which is no value.
func isFault(text string) bool {
	return strings.HasPrefix(text, "#") && (strings.HasSuffix(text, "!") || strings.HasSuffix(text, "?") || text == "#N/A")
}

// times returns how often an element stands for itself.
func times(e xml.StartElement, name string) int {
	n, err := strconv.Atoi(attribute(e, name))
	if err != nil || n < 1 {
		return 1
	}
	return min(n, 1<<30) // sums of it stay far below the largest number
}

// odsSheet reads the rows of one sheet of OpenDocument 1.3, part 3, section 9.
type odsSheet struct {
	in    *xml.Decoder
	row   func([]string) error
	file  string
	given int // rows
	blank int // empty rows that were not given yet
	below map[int]odsSpan
}

// odsSpan is a cell that reaches into rows below.
type odsSpan struct {
	text string
	rows int
}

func (s *odsSheet) read() error {
	s.below = map[int]odsSpan{}
	for {
		t, err := s.in.Token()
		if err != nil {
			return err
		}
		switch t := t.(type) {
		case xml.StartElement:
			if t.Name.Local == "table-row" {
				if err := s.oneRow(t); err != nil {
					return err
				}
			}
		case xml.EndElement:
			if t.Name.Local == "table" {
				return nil
			}
		}
	}
}

// oneRow reads a row, and gives it as often as it stands for itself. Empty rows at the
// end of a sheet are none.
func (s *odsSheet) oneRow(e xml.StartElement) error {
	var cells []string
	for done := false; !done; {
		t, err := s.in.Token()
		if err != nil {
			return err
		}
		switch t := t.(type) {
		case xml.StartElement:
			if t.Name.Local != "table-cell" && t.Name.Local != "covered-table-cell" {
				if err := s.in.Skip(); err != nil {
					return err
				}
				continue
			}
			if cells, err = s.cell(t, cells); err != nil {
				return err
			}
		case xml.EndElement:
			done = true
		}
	}
	for len(cells) > 0 && cells[len(cells)-1] == "" {
		cells = cells[:len(cells)-1]
	}
	n := times(e, "number-rows-repeated")
	if len(cells) == 0 {
		s.blank += n
		return nil
	}
	if s.given += s.blank + n; s.given > sheetRows {
		return tooLong(s.file, s.given)
	}
	for ; s.blank > 0; s.blank-- {
		if err := s.row(nil); err != nil {
			return err
		}
	}
	for range n {
		if err := s.row(append([]string(nil), cells...)); err != nil {
			return err
		}
	}
	return nil
}

// cell reads a cell and adds it, as often as it stands for itself.
func (s *odsSheet) cell(e xml.StartElement, cells []string) ([]string, error) {
	text, err := s.text()
	if err != nil {
		return nil, err
	}
	switch attribute(e, "value-type") {
	case "float":
		text = attribute(e, "value")
	case "date":
		text = strings.TrimSuffix(attribute(e, "date-value"), "T00:00:00")
	case "boolean":
		text = attribute(e, "boolean-value")
	}
	if isFault(text) {
		text = ""
	}
	wide, high := times(e, "number-columns-spanned"), times(e, "number-rows-spanned")
	for range times(e, "number-columns-repeated") {
		at := len(cells)
		if at >= maxColumns {
			return cells, nil
		}
		if e.Name.Local == "covered-table-cell" {
			above := s.below[at]
			if above.rows > 0 {
				s.below[at] = odsSpan{above.text, above.rows - 1}
			}
			cells = append(cells, above.text)
			continue
		}
		cells = append(cells, text)
		// What it covers in its own row is written once, by the covered cells.
		for c := at; c < at+wide && c < maxColumns; c++ {
			rows := high - 1
			if c > at {
				rows = high
			}
			s.below[c] = odsSpan{text, rows}
		}
	}
	return cells, nil
}

// text returns the paragraphs of a cell, up to its end. Remarks are not its text.
func (s *odsSheet) text() (string, error) {
	var b strings.Builder
	for depth := 1; depth > 0; {
		t, err := s.in.Token()
		if err != nil {
			return "", err
		}
		switch t := t.(type) {
		case xml.StartElement:
			switch t.Name.Local {
			case "annotation":
				if err := s.in.Skip(); err != nil {
					return "", err
				}
				continue
			case "p":
				if b.Len() > 0 {
					b.WriteByte(' ')
				}
			case "s", "tab", "line-break":
				b.WriteByte(' ')
			}
			depth++
		case xml.EndElement:
			depth--
		case xml.CharData:
			if depth > 1 {
				b.Write(t)
			}
		}
	}
	return b.String(), nil
}
