package ingest

import (
	"archive/zip"
	"context"
	"encoding/xml"
	"errors"
	"io"
	"math"
	"strconv"
	"strings"
	"time"

	"github.com/xuri/excelize/v2"
)

// maxSheet is how large the text of a sheet may be, in bytes: a workbook is held in
// memory.
const maxSheet = 256 << 20

// tooLarge is the error for a larger sheet.
func (s *source) tooLarge() error {
	return refuse(s.file, 0, ErrFormat, "a sheet of it has more than "+itoa(maxSheet>>20)+" MB", "export the sheet as CSV, which has no limit")
}

// workbook lists the sheets of an Excel workbook. Formulas are read as their values,
// merged cells as if each held what they hold together, and dates as ISO 8601 writes
// them. Hidden sheets are left out.
func workbook(ctx context.Context, s *source, o *Options) (expanded, error) {
	z, err := zip.NewReader(s.at, s.size)
	if err != nil {
		return expanded{}, s.cut(err)
	}
	for _, f := range z.File {
		if f.UncompressedSize64 > maxSheet {
			return expanded{}, s.tooLarge()
		}
	}
	f, err := excelize.OpenReader(io.NewSectionReader(s.at, 0, s.size), excelize.Options{UnzipSizeLimit: 4 * maxSheet, UnzipXMLSizeLimit: maxSheet})
	if err != nil {
		e := s.cut(err)
		e.What, e.Remedy = "the workbook is damaged, or protected with a password", "open it with the program that made it, and save it again or export the sheet as CSV"
		return expanded{}, e
	}
	closer := s.closer
	s.closer = func() error { return errors.Join(f.Close(), closer()) }
	var out expanded
	names, err := s.choose(f.GetSheetList(), "sheet", o)
	if err != nil {
		return out, err
	}
	for _, name := range names {
		if visible, err := f.GetSheetVisible(name); err == nil && !visible && o.Table == "" {
			out.leftOut = append(out.leftOut, name+": the sheet is hidden")
			continue
		}
		out.parts = append(out.parts, s.table(name, func(row func([]string) error) error {
			return (&sheet{File: f, name: name, ctx: ctx, dates: map[int]bool{}, percent: map[int]bool{}}).rows(row)
		}))
	}
	return out, nil
}

// sheet is one sheet of a workbook.
type sheet struct {
	*excelize.File
	name           string
	ctx            context.Context //nolint:containedctx // lives while the rows are read
	dates, percent map[int]bool    // by style, where it was looked at
}

// span is a block of merged cells, from 1, and what they hold.
type span struct{ left, top, right, bottom int }

// rows gives the rows of the sheet.
func (s *sheet) rows(row func([]string) error) error {
	merged, err := s.merged()
	if err != nil {
		return err
	}
	rows, err := s.Rows(s.name)
	if err != nil {
		return err
	}
	defer rows.Close()
	held := map[span]string{}
	for line := 1; rows.Next(); line++ {
		if err := s.ctx.Err(); err != nil {
			return err
		}
		cells, err := rows.Columns(excelize.Options{RawCellValue: true})
		if err != nil {
			return err
		}
		for i := range cells {
			if cells[i], err = s.cell(cells[i], i+1, line); err != nil {
				return err
			}
		}
		for _, m := range merged {
			if line < m.top || line > m.bottom || m.right > maxColumns {
				continue
			}
			for len(cells) < m.right {
				cells = append(cells, "")
			}
			if line == m.top {
				held[m] = cells[m.left-1]
			}
			for c := m.left; c <= m.right; c++ {
				cells[c-1] = held[m]
			}
		}
		if err := row(cells); err != nil {
			return err
		}
	}
	return rows.Error()
}

// merged returns the blocks of merged cells.
func (s *sheet) merged() (all []span, err error) {
	blocks, err := s.GetMergeCells(s.name, true)
	for _, b := range blocks {
		var m span
		var one, other error
		m.left, m.top, one = excelize.CellNameToCoordinates(b.GetStartAxis())
		m.right, m.bottom, other = excelize.CellNameToCoordinates(b.GetEndAxis())
		if one == nil && other == nil {
			all = append(all, m)
		}
	}
	return all, err
}

// cell returns the text of a cell, whose raw value is given: a date as such, a share
// as it is shown, the value of a formula that nobody has computed yet.
func (s *sheet) cell(raw string, column, line int) (string, error) {
	axis, err := excelize.CoordinatesToCellName(column, line)
	if err != nil {
		return "", err
	}
	if raw == "" {
		if formula, err := s.GetCellFormula(s.name, axis); err == nil && formula != "" {
			raw, err = s.CalcCellValue(s.name, axis, excelize.Options{RawCellValue: true})
			if err != nil {
				return "", nil //nolint:nilerr // the cell shows an error, which is no value
			}
		}
	}
	if strings.HasPrefix(raw, "#") && (strings.HasSuffix(raw, "!") || strings.HasSuffix(raw, "?") || raw == "#N/A") {
		return "", nil // an error of a formula is no value
	}
	number, err := strconv.ParseFloat(raw, 64)
	if err != nil {
		return raw, nil //nolint:nilerr // a text
	}
	switch kind, _ := s.GetCellType(s.name, axis); kind { // without a type it is a number
	case excelize.CellTypeBool:
		return strconv.FormatBool(raw == "1" || strings.EqualFold(raw, "true")), nil
	case excelize.CellTypeSharedString, excelize.CellTypeInlineString:
		return raw, nil // a number that is written as a text: a code
	default:
	}
	id, err := s.GetCellStyle(s.name, axis)
	if err != nil {
		return raw, nil //nolint:nilerr // without a style it is a number
	}
	s.look(id)
	switch {
	case s.dates[id]:
		at, err := excelize.ExcelDateToTime(number, s.from1904())
		switch {
		case err != nil:
			return raw, nil //nolint:nilerr // no date of the calendar
		case number < 1:
			return at.Format(time.TimeOnly), nil
		}
		return dateText(at.Round(time.Second)), nil
	case s.percent[id]:
		return strconv.FormatFloat(math.Round(number*1e10)/1e8, 'f', -1, 64) + "%", nil
	}
	return raw, nil
}

func (s *sheet) from1904() bool {
	p, err := s.GetWorkbookProps()
	return err == nil && p.Date1904 != nil && *p.Date1904
}

// look finds out whether a style shows numbers as dates, or as shares of a hundred.
func (s *sheet) look(id int) {
	if _, known := s.dates[id]; known {
		return
	}
	style, err := s.GetStyle(id)
	if err != nil {
		s.dates[id] = false
		return
	}
	n := style.NumFmt
	s.dates[id] = n >= 14 && n <= 22 || n >= 27 && n <= 36 || n >= 45 && n <= 47 || n >= 50 && n <= 58
	s.percent[id] = n == 9 || n == 10
	if style.CustomNumFmt != nil {
		s.dates[id], s.percent[id] = dateFormat(*style.CustomNumFmt)
	}
}

// dateFormat reports whether a format of numbers has letters of dates, or a percent
// sign, outside of what it only quotes.
func dateFormat(f string) (date, percent bool) {
	var quoted, bracket bool
	for i := 0; i < len(f); i++ {
		switch c := f[i] | 0x20; {
		case f[i] == '"':
			quoted = !quoted
		case quoted:
		case f[i] == '\\' || f[i] == '_' || f[i] == '*':
			i++
		case f[i] == '[':
			bracket = true
		case f[i] == ']':
			bracket = false
		case bracket:
		case f[i] == '%':
			percent = true
		case c == 'y' || c == 'd' || c == 'h' || c == 'm' || c == 's':
			date = true
		}
	}
	return date && !percent, percent
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
