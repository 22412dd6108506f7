package ingest

import (
	"bytes"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// A sheet for people holds more than its rows: sums of the rows above, remarks below them,
// and cells that only say that there is nothing to say. None of that is a thing of the
// graph. What is left out is named in the report.

// asides are what a table about entities holds beside its rows.
type asides struct {
	all, since []sum // of each column of numbers: of all rows, and of those since the last sum
	filled     []int // how many rows fill each column
	rows       int
	gap        bool // nothing came since a blank row, but remarks
	named      int  // in the notes
	nothing    map[string]int64
	section    string // the heading above the row
	headings   int64
	called     []string // the first of them
}

// sectionRelation is what a row is to the heading above it.
const sectionRelation = "section"

// asHeading returns the text of a row that is only a heading: its first cell, or a cell that
// is merged over the whole row.
func asHeading(row [][]byte) (text string, ok bool) {
	const wide = 3 // cells that are not equal by chance
	if len(row) == 0 || len(row[0]) == 0 || kindOf(string(row[0])) != textKind {
		return "", false
	}
	same := 1
	for _, cell := range row[1:] {
		switch {
		case bytes.Equal(cell, row[0]):
			same++
		case len(cell) > 0:
			return "", false
		}
	}
	return string(row[0]), same == 1 || same == len(row) && same >= wide
}

// takeHeadings takes the rows off that are headings of those below them: at least two, of
// which one stands at the top, and none directly above another.
func (t *table) takeHeadings() {
	if t.width < 3 || len(t.rows) == 0 {
		return
	}
	body := t.rows[1:]
	for len(body) > 0 { // remarks below the table
		if _, ok := asHeading(body[len(body)-1]); !ok {
			break
		}
		body = body[:len(body)-1]
	}
	kept := t.rows[:1:1]
	heads := map[string]bool{}
	var headings []string
	before := false
	for i, row := range body {
		text, ok := asHeading(row)
		if i == 0 && !ok || ok && before {
			return
		}
		if before = ok; ok {
			headings = append(headings, text)
			continue
		}
		heads[string(row[0])] = true
		kept = append(kept, row)
	}
	if len(headings) < 2 || slices.ContainsFunc(headings, func(h string) bool { return heads[h] }) {
		return
	}
	t.rows, t.heading = kept, headings[0]
}

// heading reports whether a row is a heading, and has it stand above those that follow.
func (im *importer) heading(fields [][]byte) bool {
	text, ok := asHeading(fields)
	if ok {
		im.asides.section, im.asides.gap = text, false
		if im.asides.headings++; im.asides.headings <= maxFew {
			im.asides.called = append(im.asides.called, inQuotes(text))
		}
	}
	return ok
}

// sum is that of a column, of how many numbers, and of how many that are not zero.
type sum struct {
	of           float64
	least, most  float64
	n, notNought int
}

// plus adds a number.
func (s sum) plus(n float64) sum {
	if s.n == 0 {
		s.least, s.most = n, n
	}
	s.of, s.n, s.least, s.most = s.of+n, s.n+1, min(s.least, n), max(s.most, n)
	if n != 0 {
		s.notNought++
	}
	return s
}

// resultWords are what rows are called that sum up others, and what such a row then is.
var resultWords = map[string]string{
	"total": sumsUp, "totals": sumsUp, "sum": sumsUp, "subtotal": sumsUp, "subtotals": sumsUp, "average": averages, "averages": averages, "mean": averages,
	"minimum": least, "min": least, "maximum": most, "max": most,
}

// What a row says that sums up others.
const (
	sumsUp   = "is the sum of rows above"
	averages = "is the average of rows above"
	least    = "has the minimum of the rows above"
	most     = "has the maximum of the rows above"
)

// says reports whether a number, written as text, is what a row of that kind says.
func (s sum) says(what string, n float64, text string) bool {
	near := func(x, by float64) bool { return math.Abs(x-n) <= by+1e-6*math.Abs(n) }
	switch what {
	case sumsUp:
		return s.notNought > 1 && near(s.of, 0)
	case averages: // as exact as it is written
		_, decimals, _ := strings.Cut(text, ".")
		return s.n > 1 && near(s.of/float64(s.n), 0.5*math.Pow10(-len(decimals)))
	case least:
		return s.n > 1 && near(s.least, 0)
	}
	return s.n > 1 && near(s.most, 0)
}

// isRule reports whether a row is the line below the header of a table in Markdown.
func isRule(row [][]byte) bool {
	cells := 0
	for _, cell := range row {
		if len(cell) > 0 && !rule.Match(cell) {
			return false
		}
		if len(cell) > 0 {
			cells++
		}
	}
	return cells > 1
}

var rule = regexp.MustCompile(`^:?-{3,}:?$`)

// isBlank reports whether a row has nothing in it.
func isBlank(row [][]byte) bool {
	return !slices.ContainsFunc(row, func(cell []byte) bool { return len(cell) > 0 })
}

// Cells that say that there is no value, and those that do so among numbers or dates: in a
// column of texts the latter may be a code, or mean something.
var (
	nothings = []string{
		"-", "--", "–", "—", "?", "n/a", "#n/a", "n.a.", "null", "nan", "unknown", "none", "nil", "tbd", "tba", ".",
		"not known", "not available", "not applicable",
	}
	nothingsAmount = []string{"na", "nd"}
)

func saysNothing(cell string) bool { return slices.Contains(nothings, strings.ToLower(cell)) }

func isNoAmount(cell string) bool { return slices.Contains(nothingsAmount, strings.ToLower(cell)) }

// isNothing reports whether a cell of the column only says that there is no value.
func (c *Column) isNothing(cell string) bool {
	const longest = 14 // of those words
	if c.Signs && isSign(cell) {
		return false
	}
	return len(cell) <= longest && (saysNothing(cell) || (c.Holds == HoldsNumbers || c.Holds == HoldsDates) && isNoAmount(cell))
}

// isSign reports whether a cell is made of plus and minus.
func isSign(cell string) bool { return cell != "" && strings.Trim(cell, "+-−–±/ ") == "" }

// areSigns reports whether the cells of a column are signs, one of them a plus: the strand of
// a gene, the result of a test.
func areSigns(values map[string]int) bool {
	plus := false
	for v := range values {
		if !isSign(v) {
			return false
		}
		plus = plus || strings.ContainsAny(v, "+±")
	}
	return plus
}

// countNothing counts the cells of a row that are read as empty.
func (im *importer) countNothing(columns []int, fields [][]byte) {
	for _, i := range columns {
		if i >= len(fields) || !im.format.Columns[i].isNothing(string(fields[i])) {
			continue
		}
		if im.asides.nothing == nil {
			im.asides.nothing = map[string]int64{}
		}
		im.asides.nothing[string(fields[i])]++
	}
}

// aside reports whether a row about an entity is none of the table, and notes that it was
// left out.
func (im *importer) aside(line int64, fields [][]byte) bool {
	a := &im.asides
	n := 0
	for _, cell := range fields {
		if len(cell) > 0 {
			n++
		}
	}
	remark := n == 1 && a.gap && a.rows > 0 && len(im.format.Columns) > 1
	if a.gap = remark; remark {
		im.leaveRow(line, fields, "stands alone below a blank line")
		return true
	}
	if im.repeatsHeader(fields) {
		im.leaveRow(line, fields, "repeats the header")
		return true
	}
	if what := im.result(fields); what != "" {
		im.leaveRow(line, fields, what)
		if what == sumsUp {
			a.since = nil
		}
		return true
	}
	im.addUp(fields)
	return false
}

// leaveRow notes that a row was left out.
func (im *importer) leaveRow(line int64, fields [][]byte, why string) {
	const most = 5 // that one reads
	if im.asides.named++; im.asides.named > most {
		return
	}
	text := bytes.Join(slices.DeleteFunc(slices.Clone(fields), func(cell []byte) bool { return len(cell) == 0 }), []byte(" "))
	im.format.Notes = append(slices.Clip(im.format.Notes), "Line "+itoa(line)+" "+why+", so it was left out: "+inQuotes(cut(text))+".")
}

// endAsides says what else was left out.
func (im *importer) endAsides() {
	a := &im.asides
	if a.headings > 0 {
		called := strings.Join(a.called, ", ")
		if more := a.headings - maxFew; more > 0 {
			called += " and " + itoa(more) + " more"
		}
		im.format.Notes = append(slices.Clip(im.format.Notes), itoa(a.headings)+" rows were read as section headings for the rows below them: "+called+".")
	}
	if len(a.nothing) > 0 {
		var cells []string
		var n int64
		for cell, times := range a.nothing {
			cells, n = append(cells, inQuotes(cell)), n+times
		}
		slices.Sort(cells)
		im.format.Notes = append(slices.Clip(im.format.Notes), itoa(n)+" cells mean that there is no value and were read as empty: "+few(cells)+".")
	}
}

// repeatsHeader reports whether a row is the header once more, as on the next page.
func (im *importer) repeatsHeader(fields [][]byte) bool {
	names := im.format.Names
	return len(names) > 1 && slices.EqualFunc(fields, names, func(cell []byte, name string) bool { return string(cell) == name })
}

// number returns what a cell of column i counts.
func (im *importer) number(i int, cell []byte) (n float64, text string, ok bool) {
	c := &im.format.Columns[i]
	if c.Holds != HoldsNumbers || len(cell) == 0 {
		return 0, "", false
	}
	text, datatype := c.typed(string(cell))
	n, err := strconv.ParseFloat(text, 64)
	return n, text, err == nil && datatype != "%"
}

// addUp adds a row to the sums.
func (im *importer) addUp(fields [][]byte) {
	a := &im.asides
	if a.all == nil {
		a.all, a.filled = make([]sum, im.format.Width), make([]int, im.format.Width)
	}
	if a.since == nil {
		a.since = make([]sum, im.format.Width)
	}
	a.rows++
	for i := range min(len(fields), im.format.Width) {
		if len(fields[i]) > 0 {
			a.filled[i]++
		}
		if n, _, ok := im.number(i, fields[i]); ok {
			a.all[i], a.since[i] = a.all[i].plus(n), a.since[i].plus(n)
		}
	}
}

// resultName returns what the words of a row call it, where they call it a result, and
// whether nothing else is said: "Total" or "Grand total", and not "Total North". "Max" and
// "MIN-4" may be names, so they must stand alone.
func (im *importer) resultName(fields [][]byte) (what string, alone bool) {
	texts := 0
	for i, cell := range fields {
		if len(cell) == 0 || i >= im.format.Width || im.format.Columns[i].Holds == HoldsNumbers {
			continue
		}
		texts++
		ws := wordsIn(string(cell))
		for _, w := range ws {
			if resultWords[w] != "" {
				what = resultWords[w]
			}
		}
		alone = alone || !slices.ContainsFunc(ws, func(w string) bool { return resultWords[w] == "" && !besideResults[w] })
	}
	if texts > 1 && !alone || (what == least || what == most) && (texts > 1 || !alone) {
		return "", false
	}
	return what, alone
}

// besideResults may stand beside what a row of results is called, and make no name of it.
var besideResults = map[string]bool{"grand": true, "overall": true, "of": true, "all": true, "the": true, "value": true, "values": true, "row": true, "rows": true, "column": true}

// result says what a row is that sums up those above, or that has their average, their
// least or their most; empty where it does not: in two columns of numbers or more, or in
// one where it is called so, or says nothing where all others name something.
func (im *importer) result(fields [][]byte) string {
	a := &im.asides
	if a.rows < 2 {
		return ""
	}
	kinds := []string{sumsUp, averages}
	named, alone := im.resultName(fields)
	if named != "" {
		kinds = []string{named}
	}
	for _, what := range kinds {
		numbers, same, silent := 0, 0, false
		for i := range im.format.Width {
			var cell []byte
			if i < len(fields) {
				cell = fields[i]
			}
			silent = silent || len(cell) == 0 && a.filled[i] == a.rows && im.format.Columns[i].Holds != HoldsNumbers
			n, text, ok := im.number(i, cell)
			if !ok {
				continue
			}
			numbers++
			if a.all[i].says(what, n, text) || a.since != nil && a.since[i].says(what, n, text) {
				same++
			}
		}
		const enough = 3 // rows of which a sum is none by chance
		usual := same == numbers && (same > 1 || silent)
		if what == averages { // as a row in the middle may be by chance
			usual = same == numbers && same > 1 && silent
		}
		switch {
		case what == least || what == most: // one number may be that of somebody called Max
			usual = same > 1 || same == 1 && a.named > 0
		case named != "": // one sum may be that of a song called "Total Eclipse"
			usual = same > 0 && (alone || same > 1 || a.rows >= enough)
		default:
			usual = usual && same > 0 && a.rows >= enough
		}
		if usual {
			return what
		}
	}
	return ""
}
