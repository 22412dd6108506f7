package ingest

import (
	"archive/zip"
	"encoding/xml"
	"errors"
	"io"
	"strconv"
	"strings"
)

// maxSheet is how large the text of an OpenDocument spreadsheet and the shared texts of
// an Excel workbook may be, in bytes.
const maxSheet = 256 << 20

// tooLarge is the error for a larger one.
func (s *source) tooLarge() error {
	return refuse(s.file, 0, ErrFormat, "its text has more than "+itoa(maxSheet>>20)+" MB", "export the sheet as CSV, which has no limit")
}

// openDocument lists the sheets of an OpenDocument spreadsheet.
func openDocument(z *zip.Reader, s *source, o *Options) (expanded, error) {
	var content *zip.File
	for _, f := range z.File {
		if f.Name == "content.xml" {
			content = f
		}
	}
	if content.UncompressedSize64 > maxSheet {
		return expanded{}, s.tooLarge()
	}
	var all []string
	err := eachSheet(content, func(name string, _ *xml.Decoder) (bool, error) {
		all = append(all, name)
		return false, nil
	})
	switch {
	case err != nil:
		return expanded{}, s.cut(err)
	case len(all) == 0:
		return expanded{}, refuse(s.file, 0, ErrBinary, "it is an OpenDocument file without sheets", chooseFile)
	}
	names, err := s.choose(all, "sheet", o)
	if err != nil {
		return expanded{}, err
	}
	var out expanded
	for _, name := range names {
		out.parts = append(out.parts, s.table(name, func(row func([]string) error) error {
			return eachSheet(content, func(other string, in *xml.Decoder) (bool, error) {
				if other != name {
					return false, nil
				}
				return true, (&odsSheet{in: in, row: row}).read()
			})
		}))
	}
	return out, nil
}

// eachSheet calls take at the beginning of every sheet, until it says that it is done.
func eachSheet(content *zip.File, take func(name string, in *xml.Decoder) (done bool, err error)) error {
	r, err := content.Open()
	if err != nil {
		return err
	}
	defer r.Close()
	in := xml.NewDecoder(io.LimitReader(r, maxSheet))
	for {
		t, err := in.Token()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
		if e, ok := t.(xml.StartElement); ok && e.Name.Local == "table" {
			if done, err := take(attribute(e, "name"), in); done || err != nil {
				return err
			}
		}
	}
}

func attribute(e xml.StartElement, name string) string {
	for _, a := range e.Attr {
		if a.Name.Local == name {
			return a.Value
		}
	}
	return ""
}

// times returns how often an element stands for itself.
func times(e xml.StartElement, name string) int {
	n, err := strconv.Atoi(attribute(e, name))
	if err != nil || n < 1 {
		return 1
	}
	return n
}

// odsSheet reads the rows of one sheet of OpenDocument 1.3, part 3, section 9.
type odsSheet struct {
	in    *xml.Decoder
	row   func([]string) error
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
	if strings.HasPrefix(text, "#") && (strings.HasSuffix(text, "!") || strings.HasSuffix(text, "?") || text == "#N/A") {
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
