package ingest

import (
	"archive/zip"
	"bufio"
	"bytes"
	"context"
	"encoding/xml"
	"errors"
	"io"
	"math"
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/xuri/excelize/v2"

	"cairn/internal/wording"
)

// A workbook of Excel (ECMA-376, part 1, section 18) is read row by row: in memory are
// only the texts that its cells share. excelize is asked only for the values of formulas
// that no program has computed: its stream of rows ends without an error where the XML is
// broken, and knows neither dates nor merged cells
// (docs/decisions/20261128-workbooks-have-a-reader-of-their-own.md).

// workbook is an Excel workbook.
type workbook struct {
	*source
	ctx      context.Context      //nolint:containedctx // lives while the rows are read
	parts    map[string]*zip.File // by path
	sheets   []workSheet
	from1904 bool
	shared   texts
	styles   []cellStyle
	strings  string // the path of the shared texts, until they are read; empty for none

	computing *excelize.File // nil until it is needed
}

// workSheet is a sheet of a workbook.
type workSheet struct {
	name, path string
	hidden     bool
}

// cellStyle is how a style shows numbers.
type cellStyle struct{ date, percent bool }

// texts holds many texts as one.
type texts struct {
	text []byte
	ends []uint32
}

func (t *texts) add(text string) {
	t.text = append(t.text, text...)
	t.ends = append(t.ends, uint32(len(t.text)))
}

// at returns a text by its number, empty where there is none.
func (t *texts) at(i int) string {
	if i < 0 || i >= len(t.ends) {
		return ""
	}
	var from uint32
	if i > 0 {
		from = t.ends[i-1]
	}
	return string(t.text[from:t.ends[i]])
}

// The limits of Excel, which LibreOffice shares.
const (
	sheetRows    = 1 << 20
	sheetColumns = 1 << 14
)

// tooLong is the error for a sheet with more rows.
func tooLong(file string, row int) error {
	return refuse(file, 0, ErrFormat, "a sheet of it has a row "+itoa(int64(row))+"; a sheet has "+itoa(sheetRows)+" at most", "export the sheet as CSV")
}

// excelWorkbook lists the sheets of an Excel workbook. Formulas are read as their values,
// merged cells as if each held what they hold together, and dates as ISO 8601 writes
// them. Hidden sheets are left out.
func excelWorkbook(ctx context.Context, z *zip.Reader, s *source, o *Options) (expanded, error) {
	w := &workbook{source: s, ctx: ctx, parts: map[string]*zip.File{}}
	for _, f := range z.File {
		w.parts[f.Name] = f
	}
	if err := w.open(); err != nil {
		e := s.cut(err)
		e.What, e.Remedy = "the workbook is damaged, or protected with a password", "open it with the program that made it, and save it again or export the sheet as CSV"
		return expanded{}, e
	}
	closer := s.closer
	s.closer = func() error {
		if w.computing != nil {
			return errors.Join(w.computing.Close(), closer())
		}
		return closer()
	}
	if f := w.parts[w.strings]; f != nil && f.UncompressedSize64 > maxSheet {
		return expanded{}, refuse(s.file, 0, ErrFormat, "its text cells have more than "+itoa(maxSheet>>20)+" MB", "export the sheet as CSV, which has no limit")
	}
	var out expanded
	names, err := s.choose(wording.Each(w.sheets, func(x workSheet) string { return x.name }), "sheet", o)
	if err != nil {
		return out, err
	}
	for _, sheet := range w.sheets {
		switch {
		case len(names) == 1 && sheet.name != names[0]:
			continue
		case sheet.hidden && o.Table == "":
			out.leftOut = append(out.leftOut, sheet.name+": the sheet is hidden")
			continue
		}
		out.parts = append(out.parts, s.table(sheet.name, func(row func([]string) error) error {
			err := w.readStrings()
			if err == nil {
				err = w.rows(&sheet, row)
			}
			if _, broken := errors.AsType[*xml.SyntaxError](err); broken {
				return s.cut(err)
			}
			return err
		}))
	}
	return out, nil
}

// elements calls take for every element of a part that begins, until it returns an error.
func (w *workbook) elements(part string, take func(*xml.Decoder, xml.StartElement) error) error {
	f := w.parts[part]
	if f == nil {
		return io.ErrUnexpectedEOF
	}
	r, err := f.Open()
	if err != nil {
		return err
	}
	defer r.Close()
	in := xml.NewDecoder(bufio.NewReaderSize(io.LimitReader(r, int64(f.UncompressedSize64)), 64<<10))
	for {
		t, err := in.Token()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
		if e, ok := t.(xml.StartElement); ok {
			if err := take(in, e); err != nil {
				return err
			}
		}
	}
}

// relation is what a part of a workbook is related to.
type relation struct{ kind, target string }

// related returns what a part is related to, by id.
func (w *workbook) related(part string) (map[string]relation, error) {
	all := map[string]relation{}
	dir, name := path.Split(part)
	return all, w.elements(dir+"_rels/"+name+".rels", func(_ *xml.Decoder, e xml.StartElement) error {
		if e.Name.Local != "Relationship" {
			return nil
		}
		target, fromRoot := strings.CutPrefix(attribute(e, "Target"), "/")
		if !fromRoot {
			target = path.Join(dir, target)
		}
		all[attribute(e, "Id")] = relation{path.Base(attribute(e, "Type")), target}
		return nil
	})
}

// ofKind returns the target of the relation of a kind, empty for none.
func ofKind(all map[string]relation, kind string) string {
	for _, r := range all {
		if r.kind == kind {
			return r.target
		}
	}
	return ""
}

// open reads what the workbook says of itself.
func (w *workbook) open() error {
	root, err := w.related("")
	if err != nil {
		return err
	}
	book := ofKind(root, "officeDocument")
	related, err := w.related(book)
	if err != nil {
		return err
	}
	w.strings = ofKind(related, "sharedStrings")
	err = w.elements(book, func(_ *xml.Decoder, e xml.StartElement) error {
		switch e.Name.Local {
		case "workbookPr":
			w.from1904 = isTrue(attribute(e, "date1904"))
		case "sheet":
			state := attribute(e, "state")
			if r := related[attribute(e, "id")]; r.kind == "worksheet" {
				w.sheets = append(w.sheets, workSheet{attribute(e, "name"), r.target, state == "hidden" || state == "veryHidden"})
			}
		}
		return nil
	})
	styles := ofKind(related, "styles")
	if err != nil || w.parts[styles] == nil {
		return err
	}
	return w.readStyles(styles)
}

func isTrue(text string) bool { return text == "1" || strings.EqualFold(text, "true") }

// readStyles finds out which styles show numbers as dates, or as shares of a hundred.
func (w *workbook) readStyles(part string) error {
	own := map[string]cellStyle{} // formats that the workbook defines
	inCells := false
	return w.elements(part, func(_ *xml.Decoder, e xml.StartElement) error {
		switch e.Name.Local {
		case "numFmt":
			var x cellStyle
			x.date, x.percent = dateFormat(attribute(e, "formatCode"))
			own[attribute(e, "numFmtId")] = x
		case "cellStyleXfs", "cellStyles", "dxfs":
			inCells = false
		case "cellXfs":
			inCells = true
		case "xf":
			if !inCells {
				return nil
			}
			x, ok := own[attribute(e, "numFmtId")]
			if n, err := strconv.Atoi(attribute(e, "numFmtId")); err == nil && !ok {
				x.date = n >= 14 && n <= 22 || n >= 27 && n <= 36 || n >= 45 && n <= 47 || n >= 50 && n <= 58
				x.percent = n == 9 || n == 10
			}
			w.styles = append(w.styles, x)
		}
		return nil
	})
}

// readStrings reads the texts that cells share, once.
func (w *workbook) readStrings() error {
	if w.parts[w.strings] == nil {
		return nil
	}
	w.shared = texts{}
	err := w.elements(w.strings, func(in *xml.Decoder, e xml.StartElement) error {
		if e.Name.Local != "si" {
			return nil
		}
		text, err := richText(in)
		w.shared.add(text)
		return err
	})
	if err == nil {
		w.strings = ""
	}
	return err
}

// escaped is a letter that XML cannot hold, as Excel writes it.
var escaped = regexp.MustCompile(`_x[0-9A-Fa-f]{4}_`)

// richText returns the text up to the end of an element, without how it is pronounced.
func richText(in *xml.Decoder) (string, error) {
	var b strings.Builder
	inText := false
	for depth := 1; depth > 0; {
		t, err := in.Token()
		if err != nil {
			return "", err
		}
		switch t := t.(type) {
		case xml.StartElement:
			if t.Name.Local == "rPh" {
				if err := in.Skip(); err != nil {
					return "", err
				}
				continue
			}
			depth++
			inText = t.Name.Local == "t"
		case xml.EndElement:
			depth--
			inText = false
		case xml.CharData:
			if inText {
				b.Write(t)
			}
		}
	}
	return escaped.ReplaceAllStringFunc(b.String(), func(s string) string {
		n, _ := strconv.ParseUint(s[2:6], 16, 32) // never fails
		return string(rune(n))
	}), nil
}

// span is a block of merged cells, from 1, and what they hold.
type span struct {
	left, top, right, bottom int
	text                     string
}

// merged returns the blocks of merged cells, which stand behind the rows.
func (w *workbook) merged(sheet *workSheet) (all []span, err error) {
	f := w.parts[sheet.path]
	if f == nil {
		return nil, io.ErrUnexpectedEOF
	}
	r, err := f.Open()
	if err != nil {
		return nil, err
	}
	defer r.Close()
	in := bufio.NewReaderSize(r, 64<<10)
	for { // to the end of the rows, without reading them
		end, err := in.ReadSlice('>')
		if tag := string(end[bytes.LastIndexByte(end, '<')+1:]); strings.HasSuffix(tag, "sheetData>") && tag[0] == '/' || strings.HasSuffix(tag, "sheetData/>") {
			break
		}
		if errors.Is(err, io.EOF) {
			return nil, nil
		}
		if err != nil && !errors.Is(err, bufio.ErrBufferFull) {
			return nil, err
		}
	}
	rest := xml.NewDecoder(in)
	for {
		t, err := rest.RawToken() // what began before is not closed here
		if errors.Is(err, io.EOF) {
			return all, nil
		}
		if err != nil {
			return all, err
		}
		e, ok := t.(xml.StartElement)
		if !ok || e.Name.Local != "mergeCell" {
			continue
		}
		from, to, ok := strings.Cut(attribute(e, "ref"), ":")
		var m span
		m.left, m.top = cellAt(from)
		m.right, m.bottom = cellAt(to)
		if ok && m.left > 0 && m.top > 0 && m.right >= m.left && m.bottom >= m.top {
			all = append(all, m)
		}
	}
}

// cellAt returns the column and row of a cell such as B5, from 1; 0 where there is none.
func cellAt(name string) (column, row int) {
	i := 0
	for ; i < len(name) && name[i] >= 'A' && name[i] <= 'Z' && column <= sheetColumns; i++ {
		column = 26*column + int(name[i]-'A') + 1
	}
	row, err := strconv.Atoi(name[i:])
	if err != nil || row > sheetRows || column > sheetColumns {
		return 0, 0
	}
	return column, row
}

// rows gives the rows of a sheet.
func (w *workbook) rows(sheet *workSheet, give func([]string) error) error {
	blocks, err := w.merged(sheet)
	if err != nil {
		return err
	}
	slices.SortStableFunc(blocks, func(a, b span) int { return a.top - b.top })
	m := mergedRows{blocks: blocks}
	number := 0
	return w.elements(sheet.path, func(in *xml.Decoder, e xml.StartElement) error {
		if e.Name.Local != "row" {
			return nil
		}
		if err := w.ctx.Err(); err != nil {
			return err
		}
		at := number + 1
		if n, err := strconv.Atoi(attribute(e, "r")); err == nil && n > at {
			at = n
		}
		if at > sheetRows {
			return tooLong(w.file, at)
		}
		for number++; number < at; number++ { // rows that are not written
			if err := give(m.fill(nil, number)); err != nil {
				return err
			}
		}
		cells, err := w.oneRow(in, sheet, number)
		if err != nil {
			return err
		}
		return give(m.fill(cells, number))
	})
}

// mergedRows puts into the rows of a sheet, one after the other, what merged cells hold.
type mergedRows struct {
	blocks []span // those to come, by their first row
	active []span
}

func (m *mergedRows) fill(cells []string, row int) []string {
	m.active = slices.DeleteFunc(m.active, func(b span) bool { return b.bottom < row })
	for len(m.blocks) > 0 && m.blocks[0].top <= row {
		if m.blocks[0].right <= maxColumns {
			m.active = append(m.active, m.blocks[0])
		}
		m.blocks = m.blocks[1:]
	}
	for i := range m.active {
		b := &m.active[i]
		for len(cells) < b.right {
			cells = append(cells, "")
		}
		if row == b.top {
			b.text = cells[b.left-1]
		}
		for c := b.left; c <= b.right; c++ {
			cells[c-1] = b.text
		}
	}
	return cells
}

// oneRow reads the cells of a row.
func (w *workbook) oneRow(in *xml.Decoder, sheet *workSheet, row int) ([]string, error) {
	var cells []string
	for {
		t, err := in.Token()
		if err != nil {
			return nil, err
		}
		e, ok := t.(xml.StartElement)
		switch {
		case !ok:
			if _, ends := t.(xml.EndElement); ends {
				return cells, nil
			}
			continue
		case e.Name.Local != "c":
			if err := in.Skip(); err != nil {
				return nil, err
			}
			continue
		}
		at := len(cells) + 1
		if column, _ := cellAt(attribute(e, "r")); column >= at {
			at = column
		}
		text, err := w.cell(in, e, sheet, at, row)
		if err != nil {
			return nil, err
		}
		if at > maxColumns {
			return nil, w.tooWide(at)
		}
		for len(cells) < at-1 {
			cells = append(cells, "")
		}
		cells = append(cells, text)
	}
}

// cell returns the text of a cell: a date as such, a share as it is shown, the value of a
// formula that nobody has computed yet.
func (w *workbook) cell(in *xml.Decoder, c xml.StartElement, sheet *workSheet, column, row int) (string, error) {
	var raw string
	formula := false
	for done := false; !done; {
		t, err := in.Token()
		if err != nil {
			return "", err
		}
		switch t := t.(type) {
		case xml.StartElement:
			switch t.Name.Local {
			case "v":
				raw, err = characters(in)
			case "is":
				raw, err = richText(in)
			default:
				formula = formula || t.Name.Local == "f"
				err = in.Skip()
			}
			if err != nil {
				return "", err
			}
		case xml.EndElement:
			done = true
		}
	}
	if raw == "" && formula {
		raw = w.compute(sheet, column, row)
	}
	kind := attribute(c, "t")
	if kind == "s" {
		n, err := strconv.Atoi(raw)
		if err != nil {
			return "", nil //nolint:nilerr // it names no text
		}
		raw = w.shared.at(n)
	}
	if kind == "e" || isFault(raw) {
		return "", nil
	}
	switch kind {
	case "b":
		return strconv.FormatBool(isTrue(raw)), nil
	case "d":
		return strings.TrimSuffix(raw, "T00:00:00"), nil
	case "s", "str", "inlineStr":
		return raw, nil // a number that is written as a text is a code
	}
	id, _ := strconv.Atoi(attribute(c, "s")) // the first style where it has none
	number, err := strconv.ParseFloat(raw, 64)
	if err != nil || id < 0 || id >= len(w.styles) {
		return raw, nil //nolint:nilerr // a text, or a number of no style
	}
	switch style := w.styles[id]; {
	case style.date:
		at, err := excelize.ExcelDateToTime(number, w.from1904)
		switch {
		case err != nil:
			return raw, nil //nolint:nilerr // no date of the calendar
		case number < 1:
			return at.Format(time.TimeOnly), nil
		}
		return dateText(at.Round(time.Second)), nil
	case style.percent:
		return strconv.FormatFloat(math.Round(number*1e10)/1e8, 'f', -1, 64) + "%", nil
	}
	return raw, nil
}

// characters returns the text up to the end of an element that holds nothing else.
func characters(in *xml.Decoder) (text string, err error) {
	for {
		t, err := in.Token()
		if err != nil {
			return "", err
		}
		switch t := t.(type) {
		case xml.CharData:
			text += string(t)
		case xml.EndElement:
			return text, nil
		}
	}
}

// compute returns the value of a formula; empty where it has none.
func (w *workbook) compute(sheet *workSheet, column, row int) string {
	if w.computing == nil {
		f, err := excelize.OpenReader(io.NewSectionReader(w.at, 0, w.size), excelize.Options{UnzipSizeLimit: 4 * maxSheet, UnzipXMLSizeLimit: maxSheet})
		if err != nil {
			f = excelize.NewFile() // too large: it knows no value
		}
		w.computing = f
	}
	axis, err := excelize.CoordinatesToCellName(column, row)
	if err != nil {
		return ""
	}
	value, err := w.computing.CalcCellValue(sheet.name, axis, excelize.Options{RawCellValue: true})
	if err != nil {
		return "" // the cell shows an error, which is no value
	}
	return value
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
