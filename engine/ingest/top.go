package ingest

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"cairn/engine/kg"
	"cairn/internal/wording"
)

// Above the header of a sheet stand titles and remarks, and the header may have two rows:
// the upper one names groups of columns. What the rows below hold tells one from the other.

// topRows is how many rows may stand above a header.
const topRows = 12

// findTop takes off what stands above the header, makes a header of two rows one, and
// returns sentences about that. Only remarks are taken off where no row is a header.
func (t *table) findTop(o *Options) (notes []string) {
	for len(t.rows) > 0 && isComment(t.rows[0], t.width) {
		t.top, t.rows = t.top+1, t.rows[1:]
	}
	if o.Header == HeaderNo || t.share < 0.5 { // rows that are not alike are cut in the wrong places
		return nil
	}
	titled := false
	for above := range min(topRows, max(len(t.rows)-1, 0)) {
		rest := table{rows: t.rows[above:], width: t.width, titled: titled}
		names := rest.grouped()
		if o.Header == HeaderYes && !o.Reading.named(names) { // the first row alone
			names = nil
		}
		measured := rest.measured()
		if o.Header == HeaderYes && !o.Reading.named(measured) {
			measured = nil
		}
		title, alone := rest.isTitle()
		switch is, _ := rest.headed(); {
		case names != nil:
			notes = append(t.titles(above), "The header has two rows; they were read as one: "+few(wording.Each(names, inQuotes))+".")
			t.join(above, names)
			return notes
		case measured != nil:
			header := copyStrings(rest.rows[0])
			units := slices.DeleteFunc(slices.Clone(measured), func(name string) bool { return slices.Contains(header, name) })
			notes = append(t.titles(above), "The row below the header was read as units: "+few(wording.Each(units, inQuotes))+".")
			t.join(above, measured)
			return notes
		case title:
			titled = titled || alone
			continue
		case is && above > 0:
			notes = t.titles(above)
			t.rows, t.top, t.titled = t.rows[above:], t.top+above, titled
		}
		return notes
	}
	return nil
}

// join makes the two rows below what stands above the header one, with these names.
func (t *table) join(above int, names []string) {
	t.rows, t.top, t.joined = t.rows[above+1:], t.top+above+1, true
	t.rows[0] = nil
	for _, n := range names {
		t.rows[0] = append(t.rows[0], []byte(n))
	}
}

// measured returns the names of the columns with their units, where the second row has
// units for columns of numbers and nothing, or no name, for the others; nil where not.
func (t *table) measured() []string {
	const body = 2 // rows, below those of the header
	if len(t.rows) < 2+body {
		return nil
	}
	names := make([]string, t.width)
	known, others := 0, 0
	for c := range t.width {
		names[c] = t.cell(0, c)
		unit := strings.TrimSpace(strings.Trim(t.cell(1, c), "[]()"))
		f := factsOf(t.rows[2:], c)
		amount := f.kind == integerKind || f.kind == decimalKind
		switch {
		case unit == "" || saysNothing(unit):
			if f.kind == textKind && f.filled > 0 {
				others++
			}
		case names[c] == "" || kindOf(unit) != textKind || f.values[t.cell(1, c)] > 0:
			return nil
		case f.kind == dateKind || f.years && !isMeasured("x ("+unit+")"): // year, yyyy-mm-dd: what the dates show
		case amount:
			if len(kg.UnitsOf(unit)) > 0 || unit != t.cell(1, c) {
				known++
			}
			names[c] += " (" + unit + ")"
		case slices.Contains(unitWords, wording.Plain(unit)):
			others++
		default:
			return nil
		}
	}
	if is, _ := headerOdds(copyStrings(t.rows[0]), t.rows[2:], t.titled); known == 0 || others == 0 || !is || !areDistinct(names) {
		return nil
	}
	return names
}

// unitWords are what the row of the units calls itself.
var unitWords = []string{"unit", "units"}

// named reports whether a reading calls all its columns by these names.
func (r *Reading) named(names []string) bool {
	return r != nil && slices.EqualFunc(r.Columns, names, func(c Column, name string) bool { return c.Name == name })
}

// headed reports whether the first row names the columns; doubt is set where that is not
// clear.
func (t *table) headed() (is, doubt bool) {
	switch {
	case t.joined, t.named:
		return true, false
	case len(t.rows) == 1: // it may be a header, or a statement
		is, doubt = headerOdds(copyStrings(t.rows[0]), nil, t.titled)
		return is, (doubt || !is) && t.mayBeHeader()
	}
	return headerOdds(copyStrings(t.rows[0]), t.rows[1:], t.titled)
}

// mayBeHeader reports whether a row that stands alone may name columns: it is short words,
// divided as sheets are, all of them small or none.
func (t *table) mayBeHeader() bool {
	if t.delim != ',' && t.delim != ';' || len(t.rows[0]) < 3 {
		return false
	}
	small := func(cell []byte) bool {
		first, _ := utf8.DecodeRune(cell)
		return unicode.IsLower(first)
	}
	return !slices.ContainsFunc(t.rows[0], func(cell []byte) bool { return !isKind(string(cell)) || small(cell) != small(t.rows[0][0]) })
}

// titles says what the first rows are, which are no rows of the table.
func (t *table) titles(n int) []string {
	var all []string
	for _, row := range t.rows[:n] {
		cells := slices.DeleteFunc(copyStrings(row), func(c string) bool { return c == "" })
		if len(cells) > 0 {
			all = append(all, inQuotes(strings.Join(slices.Compact(cells), " ")))
		}
	}
	if len(all) == 0 {
		return nil
	}
	return []string{"The text above the header was read as a title and left out: " + strings.Join(all, ", ") + "."}
}

// cell returns a cell of a row, empty where the row is shorter.
func (t *table) cell(row, column int) string {
	if column >= len(t.rows[row]) {
		return ""
	}
	return string(t.rows[row][column])
}

// filled are the columns that most rows from one on fill.
func (t *table) filled(from int) (columns []int) {
	for c := range t.width {
		n := 0
		for row := from; row < len(t.rows); row++ {
			if t.cell(row, c) != "" {
				n++
			}
		}
		if 2*n > len(t.rows)-from {
			columns = append(columns, c)
		}
	}
	return columns
}

// isTitle reports whether the first row is none of the table: at most half of its cells have
// something in them, side by side, or merged cells are all one. alone is set where it has one
// cell, or none, as no row of a table has.
func (t *table) isTitle() (is, alone bool) {
	columns := len(t.filled(1))
	cells, runs, n, before := map[string]bool{}, 0, 0, ""
	for _, c := range t.rows[0] {
		cell := string(c)
		if cell != "" {
			cells[cell] = true
			n++
		}
		if cell != "" && before == "" {
			runs++
		}
		before = cell
	}
	alone = columns > 1 && (n == 0 || len(cells) == 1 && (n == 1 || n >= columns))
	return alone || columns > 1 && runs == 1 && 2*n <= t.width, alone
}

// grouped returns the names of the columns where the first two rows are the header: the
// upper one has a name for several columns, merged or with nothing behind it, and the
// lower one names each of these; nil where they are not.
func (t *table) grouped() []string {
	const body = 2 // rows, below those of the header
	if len(t.rows) < 2+body || t.width < 3 {
		return nil
	}
	columns := t.filled(2)
	merged := false // as a workbook says
	for i, c := range columns {
		merged = merged || i > 0 && t.cell(0, c) != "" && t.cell(0, c) == t.cell(0, columns[i-1])
	}
	names, lower := make([]string, t.width), make([]string, t.width)
	group, before := "", ""
	gaps, keyAlone, groups := 0, false, map[string]bool{}
	for i, c := range columns {
		above, below := t.cell(0, c), t.cell(1, c)
		switch {
		case above != "":
			group = above
		case merged:
			group = ""
		}
		if group == "" && below == "" || !mayName(above) || !mayName(below) {
			return nil
		}
		if below != "" && factsOf(t.rows[2:], c).values[below] > 0 {
			return nil
		}
		switch {
		case below == "" || below == above:
			names[c] = group
			keyAlone = keyAlone || i == 0
		case group == "" || strings.HasPrefix(strings.ToLower(below), strings.ToLower(group)):
			names[c] = below
		default:
			names[c] = group + " " + below
		}
		if below != "" && i > 0 && group != "" && (above == "" || above == before) {
			gaps++
		}
		lower[c], before, groups[group] = below, above, true
	}
	if gaps == 0 || len(groups) < 2 || !areDistinct(names) { // one group of all is a title
		return nil
	}
	// A row without the entity that it is about is none of the body; elsewhere an upper
	// row that leaves a column without a name may be the whole header.
	if is, doubt := headerOdds(lower, t.rows[2:], false); !keyAlone && (!is || doubt) {
		return nil
	}
	return names
}

// mayName reports whether a cell may name a column, or be empty in a header: a text, or a
// year.
func mayName(cell string) bool {
	k := kindOf(cell)
	return k == textKind || k == emptyKind || k == integerKind && len(cell) == 4
}

// areDistinct reports whether no name comes twice.
func areDistinct(names []string) bool {
	seen := map[string]bool{}
	for _, n := range names {
		if n != "" && seen[n] {
			return false
		}
		seen[n] = true
	}
	return true
}
