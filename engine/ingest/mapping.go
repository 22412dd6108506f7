package ingest

import (
	"cmp"
	"maps"
	"math"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"cairn/engine/ingest/propgraph"
	"cairn/engine/kg"
	"cairn/engine/lexicon"
	"cairn/internal/wording"
)

// Mapping is what the columns of a table were taken for, and how sure that is.
//
// A table is read as statements or as entities. For statements every choice of three
// columns as head, relation and tail is scored by what the header calls them and by
// what they hold, in logarithms of odds, and is as good as the least of three: its
// score, its lead over the runner-up, and its weakest column. How a table scores as
// rows about entities is weighed against that.
type Mapping struct {
	Reading
	// LeftOut are the columns of which nothing is made, as people call them.
	LeftOut []string `json:"left_out,omitempty"`
	// RunnerUp is the reading that fits next best; nil where none does.
	RunnerUp *Reading `json:"runner_up,omitempty"`
	// Confidence is the probability that this is the reading that is meant; 1
	// where the user chose the columns.
	Confidence float64 `json:"confidence,omitempty"`
	// Unsure says why the user should be asked before it is used; empty where it
	// is sure.
	Unsure string `json:"unsure,omitempty"`
	// HeaderDoubt is set where that is the first row: it may name the columns.
	HeaderDoubt bool `json:"header_doubt,omitempty"`
}

// sureFrom is the confidence from which a reading is used without asking: odds of
// e to 1. Below even odds it is not offered.
const sureFrom = 0.73

// reading is one choice of columns.
type reading struct {
	head, relation, tail int
	score, weakest       float64
}

// columnsScored is how many columns may be head, relation or tail: the rest of a very
// wide table is taken for what describes its rows.
const columnsScored = 24

// mapper finds what the columns of a table are.
type mapper struct {
	columns              []columnFacts
	between              [][]betweenFacts       // by two columns
	words                []columnWords          // what the header calls them; nil without a header
	ranges               []columnWords          // the same, where ends of edges were taken for ranges of numbers and may be ids
	spans                [][]int                // columns that tell together when or how far
	fixed                [numRoles]int          // chosen by the user; -1 for none
	about                string                 // the name of the table, without the ending of a file
	uses                 []use                  // by column: what other tables tell of it
	beside               []string               // the names of the tables that come with it
	record               *propgraph.RecordTable // what JSON tells of the table; nil for others
	recordID, recordName int                    // the columns of the ids and the names of records; -1 for none
	// constant is set where all rows have one relation, which no column holds.
	constant bool
	post     bool    // a column of roles is the relation
	told     bool    // the header names at least one part of a triple
	prior    float64 // of head, relation, tail in this order
}

// newMapper counts what the rows hold.
func newMapper(t *table, rows [][][]byte, names []string) *mapper {
	m := &mapper{recordID: -1, recordName: -1, columns: make([]columnFacts, max(t.width, len(names))), prior: 1.5}
	for r := range m.fixed {
		m.fixed[r] = -1
	}
	whole := slices.DeleteFunc(slices.Clone(rows), func(row [][]byte) bool { return len(row) < min(t.width, 3) })
	for c := range m.columns {
		m.columns[c] = factsOf(whole, c)
	}
	commas := decimalCommas(m.columns)
	points := slices.ContainsFunc(m.columns, func(f columnFacts) bool { return f.kind == decimalKind && !f.pointThousands() })
	for c := range m.columns {
		m.columns[c].commas = commas || !points && m.columns[c].pointThousands()
	}
	scored := m.scored()
	m.between = make([][]betweenFacts, scored)
	for a := range scored {
		m.between[a] = make([]betweenFacts, len(m.columns))
		for b := range m.columns {
			m.between[a][b] = m.columns[a].with(&m.columns[b])
		}
	}
	if t.delim == '\t' || t.delim == '|' {
		m.prior = 2 // such files are mostly triples, those with commas mostly sheets
	}
	if names != nil {
		m.prior = 0.5                                                                    // the header tells more than the order
		names = append(slices.Clip(names), make([]string, len(m.columns)-len(names))...) // it may be shorter than the rows
		m.words = wordsOf(names)
		m.measuredEnds(names)
		loneEnds(m.words)
		m.verbs()
		weakWords(m.words)
		m.posts(names)
		m.grades()
		m.told = slices.ContainsFunc(m.words, func(w columnWords) bool { return max(w.as[headRole], w.as[relationRole], w.as[tailRole]) > 0 })
	}
	return m
}

// scored is how many columns may be head, relation or tail.
func (m *mapper) scored() int { return min(len(m.columns), columnsScored) }

// verbs takes a column called type, kind or label for the relation where its cells say what
// one thing does to another, in several words at least once: "works at", "director of".
func (m *mapper) verbs() {
	for c := range m.scored() {
		w, several := &m.words[c], false
		if w.as[relationRole] <= 0 || w.as[relationRole] >= 2.5 || m.columns[c].filled == 0 {
			continue
		}
		for cell := range m.columns[c].values {
			words := lexicon.RelationWords(cell)
			if verb, byTail := lexicon.VerbOf(words); verb == "" || byTail && words[len(words)-1] != "by" {
				several = false
				break
			}
			several = several || len(words) > 1
		}
		if several {
			w.as[relationRole] = 2.5
		}
	}
}

// grades takes back what a header says of a source where every cell is a grade, which names none: it
// says how good the evidence is.
func (m *mapper) grades() {
	for c := range m.scored() {
		f := &m.columns[c]
		if f.kind == textKind && f.filled > 0 && !slices.ContainsFunc(slices.Collect(maps.Keys(f.values)), func(v string) bool { return v != "" && !isGrade.MatchString(v) }) {
			m.words[c].as[sourceRole] = 0
		}
	}
}

// isGrade is a level of a scale: A, B+, 2b, III.
var isGrade = regexp.MustCompile(`^([A-Za-z]?\d?[A-Za-z]?[+-]?|[IVX]{1,4}[a-c]?)$`)

// weakWords takes back what words such as type and label say of a relation where
// nothing is called an end of it: things have types and labels too.
func weakWords(words []columnWords) {
	has := func(r role) bool {
		return slices.ContainsFunc(words, func(w columnWords) bool { return w.as[r] > 0 })
	}
	if has(headRole) || has(tailRole) {
		return
	}
	for i := range words {
		if w := &words[i]; w.as[relationRole] > 0 && w.as[relationRole] < 2.5 {
			*w = columnWords{}
		}
	}
}

// posts takes a column of roles for the relation where it holds posts: few, that come
// again, between two columns of things that come again too, or of which each row tells
// when. "Marie Curie, director, Radium Institute" says what she was there. Roles that are
// names are parts in a play, and describe the statement; so does every other.
func (m *mapper) posts(names []string) {
	if slices.ContainsFunc(names, func(n string) bool { return slices.Contains(actors, lexicon.Singular(wording.Plain(n))) }) {
		return
	}
	var things []int
	role := -1
	for c := range m.scored() {
		switch f := &m.columns[c]; {
		case f.kind != textKind || f.long || f.filled == 0 || m.words[c].part == "type":
		case !m.words[c].plays:
			things = append(things, c)
		case role >= 0:
			return // two of them
		default:
			role = c
		}
	}
	if role < 0 || len(things) < 2 || wording.Plain(names[role]) == "character" {
		return
	}
	f := &m.columns[role]
	const sample = 8 // fewer rows show no repetition
	again := 0
	for _, c := range things {
		if m.columns[c].distinct() < 1 {
			again++
		}
		if f.filled >= sample && m.between[role][c].settles {
			return // it belongs to the thing
		}
	}
	few := f.distinct() < 0.5 || f.filled < sample && f.distinct() < 1
	rowOfOne := m.columns[things[0]].distinct() == 1 // a person a row, with their job, their boss and their town
	if few && again > 1 && !rowOfOne || len(m.spans) > 0 && (few || f.filled < sample) {
		m.words[role].relation("relation", "relation", 3)
		m.post = true
	}
}

// measuredEnds takes back what a header says for the ends of edges where the cells are
// dates or amounts, and other columns hold names: from and to then tell when, or how
// far. Years and whole numbers may be ids as well, unless the second is never below the
// first; of whole numbers the user is asked even then.
func (m *mapper) measuredEnds(called []string) {
	seen := map[string]bool{"": true}
	for i := range m.words {
		pair := m.words[i].ends
		if seen[pair] {
			continue
		}
		seen[pair] = true
		ends := map[bool][]int{} // heads, and tails
		names, distinct := 0, false
		for c := range m.words {
			w, f := &m.words[c], &m.columns[c]
			switch {
			case w.ends == pair && w.part != "type":
				ends[w.as[headRole] > 0] = append(ends[w.as[headRole] > 0], c)
			case f.kind == integerKind && idWords(called[c]) != nil:
				names++
			case f.kind == textKind && f.filled > 0 && !f.long && w.as[relationRole] < 2.5:
				names, distinct = names+1, distinct || len(f.values) == f.rows
			}
		}
		heads, tails := ends[true], ends[false]
		first := heads
		if len(first) == 0 {
			first = tails
		}
		ordered := len(heads) != 1 || len(tails) != 1 || m.columns[heads[0]].neverAbove(&m.columns[tails[0]])
		measured := (names > 1 || distinct) && !slices.ContainsFunc(first, func(c int) bool {
			return !m.columns[c].measures() || m.columns[c].years && !ordered
		})
		ranges := distinct && ordered && len(heads) == 1 && len(tails) == 1 && (strings.HasPrefix(pair, "from") || strings.HasPrefix(pair, "start"))
		if ranges && !measured {
			m.ranges = slices.Clone(m.words)
		}
		if !ranges && !measured {
			continue
		}
		span := slices.Concat(heads, tails)
		m.spans = append(m.spans, span)
		for _, c := range span {
			m.words[c].forget()
		}
	}
}

// readings scores every choice of columns and returns the best, and the best that
// is another reading. ok is false where there is none.
func (m *mapper) readings() (best, next reading, ok bool) {
	var all []reading
	for h := range m.scored() {
		for t := range m.scored() {
			if h == t || !m.allowed(headRole, h) || !m.allowed(tailRole, t) {
				continue
			}
			pair := m.pair(h, t)
			if m.constant {
				all = append(all, m.score(h, -1, t, pair))
				continue
			}
			for r := range m.scored() {
				if r != h && r != t && m.allowed(relationRole, r) {
					all = append(all, m.score(h, r, t, pair))
				}
			}
		}
	}
	if len(all) == 0 {
		return best, next, false
	}
	byScore := func(a, b reading) int { return cmp.Compare(a.score, b.score) }
	best = slices.MaxFunc(all, byScore)
	others := slices.DeleteFunc(all, func(x reading) bool { return m.alike(x, best) })
	if len(others) == 0 {
		return best, reading{-1, -1, -1, math.Inf(-1), math.Inf(-1)}, true
	}
	return best, slices.MaxFunc(others, byScore), true
}

// alike reports whether two readings say the same: an id and the name beside it
// are one thing, and a triple without a header is read from left to right.
func (m *mapper) alike(a, b reading) bool {
	one := func(x, y int) bool {
		return x == y || x >= 0 && y >= 0 && max(x, y) < len(m.words) && m.words[x].what != "" && m.words[x].what == m.words[y].what
	}
	if one(a.head, b.head) && one(a.relation, b.relation) && one(a.tail, b.tail) {
		return true
	}
	return a.relation == b.relation && a.head == b.tail && a.tail == b.head && b.head < b.tail
}

// allowed reports whether the user's choice leaves a column to a role, and the relation more to say than yes and no.
func (m *mapper) allowed(r role, c int) bool {
	if m.fixed[r] >= 0 {
		return m.fixed[r] == c
	}
	if r != relationRole && m.fixed[idRole(r)] >= 0 {
		return m.fixed[idRole(r)] == c
	}
	return !slices.Contains(m.fixed[:], c) && (r != relationRole || !m.columns[c].isYesNo())
}

// word is how much the header says for a column to have a role.
func (m *mapper) word(c int, r role) float64 {
	if c < 0 || c >= len(m.words) {
		return 0
	}
	return m.words[c].as[r]
}

// score sums what speaks for a reading.
func (m *mapper) score(h, r, t int, pair float64) reading {
	head := m.word(h, headRole) + m.columns[h].asEntity(true)
	tail := m.word(t, tailRole) + m.columns[t].asEntity(false)
	if m.counts(h) {
		head -= 4
	}
	if m.counts(t) {
		tail -= 1.5
	}
	relation := 3.0 // as much as a header that names it
	if r >= 0 {
		relation = m.word(r, relationRole) + m.asRelation(h, r, t)
		if m.word(h, headRole) > 0 && m.word(t, tailRole) > 0 && m.word(r, relationRole) == 0 && m.columns[r].verbal < 0.5 {
			// Currencies and vehicles stand between two ends as well: ask.
			relation = min(relation, -2.5)
		}
	}
	x := reading{head: h, relation: r, tail: t, score: head + relation + tail + pair}
	if h == 0 && r == 1 && t == 2 {
		x.score += m.prior
	} else if h < t {
		x.score += 0.5
	}
	if m.words != nil && !m.told {
		x.score -= 1.5 // a header that speaks of other things
		measured := 0.0
		for c := range m.columns {
			if c != h && c != r && c != t && m.columns[c].filled > 0 && (m.columns[c].measures() || m.columns[c].isYesNo()) {
				measured++ // what was observed of a thing
			}
		}
		x.score -= min(0.8*measured, 2.4)
	}
	x.weakest = min(head, relation, tail)
	return x
}

// pair is what two columns say together for being head and tail: entities are
// mostly both, and headers name both ends in one way.
func (m *mapper) pair(h, t int) float64 {
	x := m.between[h][t]
	sum := 2 * min(1, 4*x.share) * min(1, float64(x.both)/3)
	if a, b := &m.columns[h], &m.columns[t]; a.filled >= 8 && len(a.values) == a.filled && len(b.values) == b.filled {
		sum -= 1.5 // nothing comes again: each row describes a thing of its own
	}
	if x.both == 0 {
		for _, c := range []int{h, t} {
			if m.columns[c].kind == integerKind {
				sum-- // numbers that are no keys
			}
		}
	}
	if h < len(m.words) && t < len(m.words) {
		switch a, b := m.words[h].ends, m.words[t].ends; {
		case a == "" || b == "":
		case a == b:
			sum += 1.5
		default:
			sum -= 1.5
		}
	}
	return sum
}

// kind is what most cells of a column are.
type kind byte

const (
	textKind kind = iota
	integerKind
	decimalKind
	dateKind
	emptyKind
)

var (
	isInteger = regexp.MustCompile(`^[-+]?\d+$`)
	isDecimal = regexp.MustCompile(`^[-+]?(\d+[.,]\d*|[.,]?\d+|\d{1,3}(\.\d{3})+,\d+|\d{1,3}(,\d{3})+\.\d+|\d{1,3}(\.\d{3}){2,}|\d{1,3}(,\d{3}){2,})([eE][-+]?\d+)?\s*%?$`)
	isDate    = regexp.MustCompile(`^\d{1,4}[-/.]\d{1,2}([-/.]\d{1,4})?([T ]\d{1,2}:\d{2}.*)?$|^\d{1,2}:\d{2}(:\d{2})?$`)
	// isAbout is a year that is not known well, or several: c. 1642, 1890s, 1914–18.
	isAbout = regexp.MustCompile(`(?i)^((c|ca|circa|about|before|after)(\. *| +)|~)?\d{4}(s|\?| *[-–/] *(\d{2}|\d{4}))?$`)
)

// isScore is the result of a match, and isUnclean a number that is not written as one: ~1234,
// ca. 1200, 1200-1300, 1234*.
var (
	isScore   = regexp.MustCompile(`^\d{1,3}( ?[-–:] ?\d{1,3})+( .*)?$`)
	isUnclean = regexp.MustCompile(`(?i)^([~<>≈≤≥±+-]|(c|ca|circa|about|approx|approximately|around|over|under|almost|nearly|up to|at least|more than|less than)\b\.?)* *\d`)
)

func kindOf(cell string) kind {
	switch {
	case cell == "":
		return emptyKind
	case isInteger.MatchString(cell):
		return integerKind
	case isDate.MatchString(cell) && (strings.Count(cell, ".") != 1 || strings.ContainsAny(cell, "-/")):
		return dateKind
	case isDecimal.MatchString(cell):
		return decimalKind
	case isAbout.MatchString(cell):
		return dateKind
	}
	if _, ok := isoDate(cell, ""); ok {
		return dateKind
	}
	switch v, ok := kg.ParseValue(cell); {
	case ok && v.Kind == kg.DateValue:
		return dateKind
	case ok:
		return decimalKind
	}
	if _, counts := kg.ParseCounted(cell); counts {
		return decimalKind
	}
	return textKind
}

// columnFacts are what the sample shows of a column.
type columnFacts struct {
	rows, filled int
	values       map[string]int
	kind         kind     // of nearly all cells, otherwise textKind
	years        bool     // integers that all may be years
	verbal, ids  float64  // the shares of values written as relations are, and as identifiers
	codes        float64  // the share of values written as codes are
	scores       bool     // figures with signs between them, which name nothing: 2:1
	commas       bool     // numbers are written with a decimal comma
	long         bool     // sentences
	words        float64  // of a cell, on average
	cells        []string // row by row
}

// factsOf counts a column.
func factsOf(rows [][][]byte, c int) columnFacts {
	f := columnFacts{rows: len(rows), values: map[string]int{}, cells: make([]string, len(rows))}
	var kinds [emptyKind + 1]int
	spaces, verbal, ids, years, amountless, unclean, codes := 0, 0, 0, 0, 0, 0, 0
	f.scores = true
	for i, row := range rows {
		if c >= len(row) {
			continue
		}
		cell := string(row[c])
		if saysNothing(cell) {
			cell = ""
		}
		f.cells[i] = cell
		k := kindOf(cell)
		kinds[k]++
		if isNoAmount(cell) {
			amountless++
		}
		if k == emptyKind {
			continue
		}
		f.filled++
		if k == textKind && isUnclean.MatchString(cell) {
			unclean++
		}
		spaces += strings.Count(cell, " ")
		if k == integerKind && len(cell) == 4 && cell >= "1000" && cell < "2150" {
			years++
		}
		if f.values[cell]++; f.values[cell] > 1 {
			continue
		}
		f.scores = f.scores && isScore.MatchString(cell)
		if looksVerbal(cell) {
			verbal++
		}
		if isID(row[c]) {
			ids++
		}
		if isCode(cell) {
			codes++
		}
	}
	told := f.filled
	if kinds[textKind] == amountless && 2*amountless < told {
		told, kinds[textKind] = told-amountless, 0
	}
	for k, n := range kinds[:emptyKind] {
		if 10*n >= 9*max(told, 1) {
			f.kind = kind(k)
		}
	}
	numbers := kinds[integerKind] + kinds[decimalKind]
	if f.kind == textKind && told > 0 && (kinds[textKind] == 0 || kinds[textKind] == amountless+unclean && 2*numbers > told) {
		f.kind = decimalKind // whole numbers among others, and some that are not written cleanly
	}
	f.scores = f.scores && f.filled > 0 && f.kind == textKind
	if f.years = told > 0 && years == told; kinds[dateKind] > 0 && 10*(kinds[dateKind]+years) >= 9*told {
		f.kind = dateKind // years among days
	}
	f.verbal, f.ids = float64(verbal)/float64(max(len(f.values), 1)), float64(ids)/float64(max(len(f.values), 1))
	f.codes = float64(codes) / float64(max(len(f.values), 1))
	const wordy = 6 // words
	f.long = spaces > wordy*max(f.filled, 1)
	f.words = float64(spaces)/float64(max(f.filled, 1)) + 1
	return f
}

// looksVerbal reports whether a text is written as relations are and names are
// not: it begins small, or joins its words, or is a path. A list is none.
func looksVerbal(s string) bool {
	first, _ := utf8.DecodeRuneInString(s)
	return !strings.ContainsRune(s, ';') && (unicode.IsLower(first) || strings.ContainsAny(s, "_/") || strings.ContainsRune(s, ':') && !strings.ContainsRune(s, ' '))
}

// isYesNo reports whether the cells only say whether something holds.
func (f *columnFacts) isYesNo() bool {
	for v := range f.values {
		if !slices.Contains([]string{"yes", "no", "true", "false", "y", "n"}, strings.ToLower(v)) {
			return false
		}
	}
	return f.filled > 0
}

// distinct is the share of cells that are different.
func (f *columnFacts) distinct() float64 {
	return float64(len(f.values)) / float64(max(f.filled, 1))
}

// measures reports whether the cells are dates or amounts, so that none names a thing.
func (f *columnFacts) measures() bool {
	return f.filled == 0 || f.kind == dateKind || f.kind == decimalKind || f.years
}

// neverAbove reports whether the whole numbers of a column are never above those of
// another: a range begins before it ends.
func (f *columnFacts) neverAbove(other *columnFacts) bool {
	rows := 0
	for i := range f.cells {
		a, errA := strconv.ParseInt(f.cells[i], 10, 64)
		b, errB := strconv.ParseInt(other.cells[i], 10, 64)
		if errA != nil || errB != nil {
			continue
		}
		if rows++; a > b {
			return false
		}
	}
	return rows > 0
}

// betweenFacts are what the sample shows of two columns.
type betweenFacts struct {
	both    int     // values of the one with fewer that stand in the other too
	share   float64 // of them
	settles bool    // every value of the first goes with one value of the second
}

// with compares two columns.
func (f *columnFacts) with(other *columnFacts) betweenFacts {
	x := betweenFacts{settles: true}
	small, large := f.values, other.values
	if len(small) > len(large) {
		small, large = large, small
	}
	for v := range small {
		if large[v] > 0 {
			x.both++
		}
	}
	x.share = float64(x.both) / float64(max(len(small), 1))
	goesWith := make(map[string]string, len(f.values))
	for i, v := range f.cells {
		before, ok := goesWith[v]
		if goesWith[v] = other.cells[i]; ok && before != other.cells[i] {
			x.settles = false
			break
		}
	}
	return x
}

// asEntity is what a column's cells say for holding entities: heads are things,
// tails may be values too.
func (f *columnFacts) asEntity(head bool) float64 {
	sum := 0.0
	against := func(asHead, asTail float64) {
		if head {
			sum -= asHead
		} else {
			sum -= asTail
		}
	}
	switch {
	case f.rows == 0: // a header alone
	case f.filled == 0:
		against(6, 6)
	case 2*f.filled < f.rows:
		against(2, 2)
	}
	if f.filled > 0 && (f.measures() || f.scores) {
		against(4, 1.5)
	}
	if len(f.values) == 1 && f.filled > 2 {
		against(0.5, 0.3)
	}
	if f.long {
		against(2, 1)
	}
	return sum
}

// asRelation is what a column's cells say for being the relation between two
// others: few values that come again and again, that are none of the entities, and
// that do not settle what the tail is.
func (m *mapper) asRelation(h, r, t int) float64 {
	f, head, tail := &m.columns[r], &m.columns[h], &m.columns[t]
	if f.rows == 0 {
		return 0
	}
	if f.filled == 0 {
		return -6
	}
	known := float64(f.filled) / float64(f.filled+6) // how much a sample of this size says
	var sum float64
	switch d := f.distinct(); {
	case len(f.values) == 1 && f.filled > 1:
		sum = 1
	case d < 0.5:
		sum = 2.5 - 2*d
	case d < 0.9:
		sum = 1.5 - 10*(d-0.5)
	default:
		sum = -3
	}
	sum *= known
	switch keys := head.kind == integerKind && tail.kind == integerKind; {
	case f.kind == integerKind && !f.years && keys:
		sum-- // numbers stand for everything: that they are shared says nothing
	case f.kind != textKind || f.scores || f.isYesNo():
		sum -= 4
	case max(m.between[r][h].share, m.between[r][t].share) > 0.2:
		sum -= 2 * known
	}
	sum += f.verbal - max(head.verbal, tail.verbal)
	if f.long {
		sum -= 2
	}
	if len(f.values) > 1 && len(f.values)*2 <= f.filled && m.between[r][t].settles {
		sum -= 3 * known // as a city settles the country: the columns describe the row
	}
	if max(f.verbal, head.verbal, tail.verbal) < 0.5 {
		sum -= known / 2 // names, all of them
	}
	if 2*f.filled < f.rows {
		sum -= 2
	}
	return sum
}

// odds is how sure a reading is that has next behind it, as a logarithm.
func (x reading) odds(next reading) float64 {
	const bearable = 2 // by which the whole may outweigh a doubtful column
	return min(x.score, x.score-next.score, bearable+x.weakest)
}

func probability(odds float64) float64 { return 1 / (1 + math.Exp(-odds)) }

// mapColumns takes the columns of a table for what they most likely are, and says
// what that leaves out and how sure it is.
func (s *source) mapColumns(best table, f *Format, o *Options) error {
	first, rows := copyStrings(best.rows[0]), best.rows
	header, doubt := best.headed()
	switch o.Header {
	case HeaderYes:
		f.Header, doubt = true, false
	case HeaderAuto:
		// Columns chosen by a name that stands in the first row name it a header.
		chosen := o.Columns.chosen()
		byName := slices.ContainsFunc(chosen[:], func(c string) bool { return c != "" && slices.Contains(first, c) })
		f.Header, doubt = header || byName, doubt && !byName
	case HeaderNo:
		doubt = false
	}
	if f.Header {
		if rest := strings.TrimSpace(strings.TrimPrefix(first[0], "#")); rest != "" {
			first[0] = rest // headers of exports are comments to other programs
		}
		f.Names, rows = first, rows[1:]
		f.Width = max(f.Width, len(first))
	}
	m := newMapper(&best, rows, f.Names)
	m.uses, m.beside, m.record = s.uses, s.beside, s.record
	m.about = strings.TrimSuffix(s.name, filepath.Ext(s.name))
	f.Width = len(m.columns)
	if o.Reading != nil {
		if err := s.chosenReading(m, f, o.Reading); err != nil {
			return err
		}
	} else if err := s.guess(m, f, o, first, doubt); err != nil {
		return err
	}
	if best.heading != "" && f.Header && !f.Statements() && f.Sections == "" {
		f.Sections = sectionRelation
	}
	if o.HeadType != "" {
		f.HeadType = o.HeadType
		if err := f.Check(); err != nil {
			return refuse(s.file, 0, ErrColumns, err.Error(), "leave one of them out")
		}
	}
	f.compile()
	plain := !f.Header && f.columns[headRole] == 0 && f.columns[relationRole] == 1 && f.columns[tailRole] == 2
	named := f.Statements() && m.word(f.end(headRole), headRole) > 0 && m.word(f.columns[relationRole], relationRole) > 0 && m.word(f.end(tailRole), tailRole) > 0
	if len(f.LeftOut)+len(f.properties) > 0 || f.Confidence < 1 && (f.Unsure != "" || !plain && !named) {
		f.Notes = append(f.Notes, f.Taken()+".")
	}
	for i := range f.Columns {
		if c := &f.Columns[i]; c.Split != "" && o.Reading == nil && m.record == nil { // in JSON these are lists
			f.Notes = append(f.Notes, "Cells of "+f.columnName(i)+" hold several values, separated by "+inQuotes(c.Split)+".")
		}
	}
	if o.Reading == nil {
		f.Notes = append(f.Notes, m.lists(f)...)
		f.Notes = append(f.Notes, m.notations(f)...)
	}
	if note := m.twice(f); note != "" {
		f.Notes = append(f.Notes, note)
	}
	f.idsNamed = idsNamed(rows, &f.columns)
	f.sampled = rows
	if len(rows) > 0 {
		f.Says = []Said{f.Say(copyStrings(rows[0]))}
		if f.Sections != "" {
			f.Says[0].Facts = append(f.Says[0].Facts, Fact{Relation: f.Sections, Tail: best.heading})
		}
	}
	return nil
}

// chosenReading takes the reading that the user gave. Where only the role of a column was
// chosen, what it holds is found out.
func (s *source) chosenReading(m *mapper, f *Format, given *Reading) error {
	r, err := given.fit(f.Names, f.Width)
	if err != nil {
		return refuse(s.file, 0, ErrColumns, err.Error(), "give every column a role that fits this file")
	}
	f.Reading, f.Confidence = r, 1
	for i := range f.Columns {
		c := &f.Columns[i]
		role := c.Role
		if role != AsValue && role != AsProperty || *c != (Column{Name: c.Name, Role: role}) {
			continue
		}
		m.columns[i].describe(c)
		if c.Role = role; c.Role == AsProperty && c.Holds == HoldsEntities {
			c.Holds = ""
		}
	}
	return nil
}

// guess finds the reading of a table, as far as the user did not choose it.
func (s *source) guess(m *mapper, f *Format, o *Options, first []string, doubt bool) error {
	if err := o.Columns.resolve(&m.fixed, f.Names, f.Width); err != nil {
		return refuse(s.file, 0, ErrColumns, err.Error(), "use the column names in the first row, or numbers from 1")
	}
	if r, ok := m.recordReading(f); ok && o.Columns == (Columns{}) {
		f.Reading, f.Confidence = r, 1
		return nil
	}
	var relation string
	relation, m.constant = strings.CutPrefix(o.Columns.Relation, "=")
	if !m.constant {
		relation = ""
	}
	if m.chosen(headRole) && m.chosen(tailRole) && (m.constant || m.chosen(relationRole)) {
		columns := m.fixed
		m.takeRest(&columns)
		f.Reading, f.Confidence = m.statement(columns, relation, f), 1
		return nil
	}
	x, next, ok := m.readings()
	var odds float64
	if ok {
		f.Reading, odds = m.read(x, relation, f), x.odds(next)
	}
	rows := entityRows{odds: -9}
	if o.Columns == (Columns{}) {
		if links, are := m.links(f); are {
			f.Reading = Reading{}
			f.takeRows(links, 0, doubt)
			return nil
		}
	}
	if o.Columns == (Columns{Head: o.Columns.Head}) {
		rows = m.wide(f)
	}
	if rows.odds > 0 && (!ok || rows.odds > odds) {
		f.takeRows(rows, odds, doubt)
		if m.ranges != nil && f.Unsure == "" {
			m.askRanges(f)
		}
		return nil
	}
	if !ok {
		return s.unmapped(f, first, "head, relation and tail")
	}
	if rows.why != "" && !m.told {
		odds = min(odds, -1)
	}
	lead := math.Inf(1)
	if rows.odds > 0 {
		lead = odds - rows.odds
	}
	f.Confidence = probability(min(odds, lead))
	switch {
	case odds < 0 && m.isEdgeList(x):
		m.readEdges(x, f)
	case odds < 0:
		return s.noReading(m, x, f, first, rows.why)
	case doubt:
		f.HeaderDoubt = true
		f.Unsure = "it is unclear whether the first row names the columns"
	case f.Confidence >= sureFrom:
	case lead < odds:
		f.RunnerUp, f.Unsure = &rows.reading, twoReadings
	case x.score-next.score < 1:
		other := m.read(next, relation, f)
		f.RunnerUp, f.Unsure = &other, twoReadings
	default:
		f.Unsure = "the columns give little hint of what they are"
	}
	return nil
}

// isEdgeList reports whether the header calls two columns the ends of a statement, and none its
// relation: "from,to,length".
func (m *mapper) isEdgeList(x reading) bool {
	return !m.constant && m.word(x.head, headRole) > 0 && m.word(x.tail, tailRole) > 0 && m.word(x.relation, relationRole) <= 0
}

// readEdges has every row say the same of the ends of x: what the table is called, or that one
// "leads to" the other where the header has "from" and "to". The user is asked whether it does,
// unless both ends are ids of one table and nothing else may be the relation.
func (m *mapper) readEdges(x reading, f *Format) {
	relation := unnamedRelation
	switch about := lexicon.Singular(strings.Join(wordsIn(m.about), " ")); {
	case wording.Plain(f.Names[x.head]) == "from" && wording.Plain(f.Names[x.tail]) == "to":
		relation = "leads to"
	case isKind(about) && lexicon.IsPlural(m.about) && relationWords[about] == 0 && about != "link":
		relation = m.about
	}
	other := f.Reading
	rival := m.asRelation(x.head, x.relation, x.tail) > 0 && m.use(x.relation).to == 0
	m.constant = true
	x, _, _ = m.readings()
	f.Reading, f.Confidence = m.read(x, relation, f), 0.9
	if to := m.use(x.head).to; to == 0 || to != m.use(x.tail).to || rival {
		f.Confidence, f.Unsure = 0.5, "no column says how the two are related"
	}
	if rival {
		f.RunnerUp = &other
	}
}

// askRanges has the user asked whether numbers are ranges, as f has it, or ids.
func (m *mapper) askRanges(f *Format) {
	f.Confidence, f.Unsure = 0.5, twoReadings
	ids := *m
	ids.words, ids.told = m.ranges, true
	if x, _, ok := ids.readings(); ok {
		other := ids.read(x, "", f)
		f.RunnerUp = &other
	}
}

const twoReadings = "more than one reading is possible"

// takeRows takes a table as rows about entities; odds are those of the best reading of
// three columns, which f has so far.
func (f *Format) takeRows(rows entityRows, odds float64, doubt bool) {
	statement := f.Reading
	f.Reading = rows.reading
	lead := math.Inf(1)
	if len(statement.Columns) > 0 && odds > 0 {
		lead = rows.odds - odds
	}
	f.Confidence = probability(min(rows.odds, lead))
	switch {
	case doubt:
		f.HeaderDoubt = true
		f.Unsure = "it is unclear whether the first row names the columns"
	case f.Confidence >= sureFrom:
	case len(rows.other.Columns) > 0:
		f.RunnerUp, f.Unsure = &rows.other, twoReadings
	case lead < rows.odds:
		f.RunnerUp, f.Unsure = &statement, twoReadings
	default:
		f.Unsure = "the columns give little hint of what they are"
	}
}

// read gives every column its role by one choice of three.
func (m *mapper) read(x reading, relation string, f *Format) Reading {
	var columns [numRoles]int
	m.take(x, &columns)
	return m.statement(columns, relation, f)
}

// statement gives every column a role: those of the triple theirs, and all others are
// properties of the statement, but for empty ones and the id of the row.
func (m *mapper) statement(columns [numRoles]int, relation string, f *Format) Reading {
	r := m.blank(f)
	r.Relation = relation
	for c := range r.Columns {
		col := &r.Columns[c]
		if at := slices.Index(columns[:], c); at >= 0 {
			*col = Column{Name: col.Name, Role: roleNames[at]}
			continue
		}
		if col.Role == LeftOut {
			continue
		}
		col.Role = AsProperty
		facts := &m.columns[c]
		if part := parts[wording.Plain(col.Name)]; part == "id" && len(facts.values) == facts.rows {
			*col = Column{Name: col.Name, Role: LeftOut}
			continue
		}
		if col.Holds == HoldsEntities && !m.joins(c, columns) {
			col.Holds = ""
		}
	}
	return r
}

// joins reports whether the values of a column are entities of the triples too.
func (m *mapper) joins(c int, columns [numRoles]int) bool {
	for _, r := range []role{headRole, headIDRole, tailRole, tailIDRole} {
		if at := columns[r]; at >= 0 && at < m.scored() && m.between[at][c].share > 0.5 && m.between[at][c].both > 1 {
			return true
		}
	}
	return false
}

// chosen reports whether the user chose the column of a role, or of its id.
func (m *mapper) chosen(r role) bool {
	return m.fixed[r] >= 0 || r != relationRole && m.fixed[idRole(r)] >= 0
}

// take gives the columns of a reading their roles, and those that the header says
// belong to them.
func (m *mapper) take(x reading, columns *[numRoles]int) {
	*columns = m.fixed
	free := func(c int) bool {
		return !slices.Contains(columns[:], c) && c != x.head && c != x.relation && c != x.tail
	}
	if x.relation >= 0 {
		columns[relationRole] = x.relation
	}
	for r, at := range map[role]int{headRole: x.head, tailRole: x.tail} {
		if columns[r] >= 0 || columns[idRole(r)] >= 0 {
			continue
		}
		if columns[r] = at; at >= len(m.words) || m.words[at].what == "" {
			continue
		}
		w := m.words[at]
		// The same end may have an id and a name; a plain word is the id beside a name.
		for c := range m.words {
			other := &m.words[c]
			switch {
			case !free(c) || other.what != w.what || other.part == "type":
			case other.part == "id" && w.part != "id", w.name && !other.name:
				columns[idRole(r)] = c
			case w.part == "id", other.name:
				columns[r], columns[idRole(r)] = c, at
			}
		}
		if w.part == "id" && columns[r] == at {
			columns[r], columns[idRole(r)] = -1, at
		}
	}
	m.takeRest(columns)
}

// takeRest gives types and sources their columns, by the header.
func (m *mapper) takeRest(columns *[numRoles]int) {
	for _, r := range []role{headTypeRole, tailTypeRole, sourceRole} {
		if columns[r] >= 0 {
			continue
		}
		best := 0.0
		for c := range m.words {
			if odds := m.words[c].as[r]; !slices.Contains(columns[:], c) && odds > best {
				columns[r], best = c, odds
			}
		}
	}
}

// idsNamed reports whether the heads of a table are mostly identifiers. Only then
// does a relation called “label” or “name” give a name: where heads are names
// already, the label of a singer is a record company.
func idsNamed(rows [][][]byte, columns *[numRoles]int) bool {
	if columns[headIDRole] >= 0 {
		return true
	}
	ids, n := 0, 0
	for _, row := range rows {
		if at := columns[headRole]; at < len(row) && len(row[at]) > 0 {
			n++
			if isID(row[at]) {
				ids++
			}
		}
	}
	return 2*ids > n
}

// columnName is what people call a column.
func (f *Format) columnName(c int) string {
	if c < len(f.Names) && f.Names[c] != "" {
		return inQuotes(f.Names[c])
	}
	return "column " + strconv.Itoa(c+1)
}

// roleTexts say for people what a role makes of a column.
var roleTexts = map[Role]string{
	AsHead: "head", AsRelation: "relation", AsTail: "tail", AsHeadID: "id of the head", AsTailID: "id of the tail",
	AsHeadType: "type of the head", AsTailType: "type of the tail", AsSource: "source", AsProperty: "property of the statement",
	AsValue: "relation of the head", AsLabel: "name of the head", AsAlias: "other name of the head", AsDescription: "description of the head", AsValueLabel: "name of another column's entity",
	AsMatrix: "entity that the head is linked to",
	LeftOut:  "left out",
}

// Text says for people what the role makes of a column.
func (r Role) Text() string { return roleTexts[r] }

// taken says which columns of a reading have which roles.
func (f *Format) taken(r *Reading) string {
	var out []string
	for _, role := range Roles {
		var names []string
		for i, c := range r.Columns {
			if c.Role == role {
				names = append(names, f.columnName(i))
			}
		}
		if len(names) > 0 && role != LeftOut {
			text := role.Text()
			if word, rest, _ := strings.Cut(text, " "); len(names) > 1 {
				text = strings.TrimSpace(strings.Replace(word+"s", "ys", "ies", 1) + " " + rest)
			}
			out = append(out, few(names)+" as "+text)
		}
	}
	s := strings.Join(out, ", ")
	if r.Relation != "" {
		s += ", and " + inQuotes(r.Relation) + " as the relation in every row"
	}
	if r.Sections != "" {
		s += ", and rows with one cell as headings of those below (" + inQuotes(r.Sections) + ")"
	}
	switch {
	case !r.Statements() && r.HeadType != "":
		s = "each row as " + lexicon.WithArticle(typesText(r.HeadType)) + ": " + s
	case !r.Statements():
		s = "each row as an entity: " + s
	case r.HeadType != "":
		s += ", and " + inQuotes(typesText(r.HeadType)) + " as the type of every head"
	}
	return s
}

// typesText is what a cell of types says: "member and mp".
func typesText(types string) string { return strings.ReplaceAll(types, "|", " and ") }

// maxFew is how many names one reads in a sentence.
const maxFew = 12

// few lists names, as many as one reads.
func few(names []string) string { return wording.First(names, maxFew) }

// Taken says in a sentence what the columns of a table are taken for, and what is
// left out.
func (f *Format) Taken() string {
	return "Cairn reads " + f.taken(&f.Reading) + f.leaves()
}

// leaves says which columns are left out, if any are.
func (f *Format) leaves() string {
	if len(f.LeftOut) == 0 {
		return ""
	}
	return ", and leaves out " + few(f.LeftOut)
}

// Ask is the error for a reading that the user should confirm, nil where it is sure.
func (f *Format) Ask(file string) error {
	if f.Unsure == "" {
		return nil
	}
	what := f.Unsure + ". " + f.Taken()
	if len(f.Says) > 0 {
		what += ". The first row would then say: " + f.Says[0].String()
	}
	if f.RunnerUp != nil {
		what += ". It could also read " + f.taken(f.RunnerUp)
	}
	return refuse(file, 0, ErrUnsure, what, "confirm this, or say which columns are head, relation and tail")
}

// noReading is the error for a table of which no three columns look like triples.
func (s *source) noReading(m *mapper, x reading, f *Format, first []string, why string) error {
	e := refuse(s.file, 1, ErrColumns, "", "say which columns are head, relation and tail")
	f.Reading = Reading{}
	if why != "" {
		e.What = why
		e.Remedy = "write one statement per row: head, relation, tail"
		return e
	}
	if x.relation >= 0 && !f.Header && f.Width == 3 && m.columns[x.relation].distinct() > 0.8 {
		facts := &m.columns[x.relation]
		e.What = f.columnName(x.relation) + " has " + strconv.Itoa(len(facts.values)) + " different values in " + strconv.Itoa(facts.filled) + " lines, so it does not look like relations"
		return e
	}
	return s.unmapped(f, first, "head, relation and tail")
}
