package ingest

import (
	"cmp"
	"slices"
	"strings"
	"unicode"

	"cairn/engine/lexicon"
	"cairn/internal/wording"
)

// Which column of a table is its key is told by what stands in it, by what it is called, and by
// who refers to it: other tables of the import, and other columns of its own.

// use is what the tables of an import tell together of one column.
type use struct {
	key   bool   // other columns hold its cells
	named bool   // one of these is called as its own table is: car beside a key of cars
	to    int    // the part whose key its cells are, counted from 1; 0 for none, -1 for several
	split string // what divides several keys in some of the cells
}

// cellsOf is a column of a part, and what stands in it.
type cellsOf struct {
	part, at int
	columnFacts
}

// uses finds by part and column what refers to what; nil for a part of which nothing is told.
func (fs *fileSet) uses() [][]use {
	var columns, keys []cellsOf
	for i := range fs.formats {
		f := &fs.formats[i]
		for c := range min(len(f.Names), columnsScored) {
			x := cellsOf{i, c, factsOf(f.sampled, c)}
			if x.isKey() && x.codes > 0.9 && !f.Statements() {
				keys = append(keys, x)
			}
			if c < len(f.Columns) && f.Columns[c].Split != "" {
				x.values = map[string]int{}
				for _, row := range f.sampled {
					if c < len(row) {
						for cell := range f.Columns[c].cells(row[c]) {
							x.values[string(cell)]++
						}
					}
				}
			}
			columns = append(columns, x)
		}
	}
	told := make([][]use, len(fs.formats))
	at := func(x *cellsOf) *use {
		if told[x.part] == nil {
			told[x.part] = make([]use, len(fs.formats[x.part].Names))
		}
		return &told[x.part][x.at]
	}
	for k := range keys {
		for c := range columns {
			key, x := &keys[k], &columns[c]
			split, ok := fs.holdsKeys(x, key)
			if !ok {
				continue
			}
			words := thingWords(fs.formats[x.part].Names[x.at])
			at(key).key = true
			at(key).named = at(key).named || lexicon.Singular(strings.Join(words, " ")) == lexicon.Singular(strings.Join(wordsIn(fs.tableName(key.part)), " "))
			u := at(x)
			u.split = split
			calls := func(part int) bool { return part >= 0 && fs.calls(words, part) }
			switch called := calls(key.part); {
			case u.to == 0 || called && !calls(u.to-1):
				u.to = key.part + 1
			case u.to != key.part+1 && (called || !calls(u.to-1)):
				u.to = -1
			}
		}
	}
	return told
}

// holdsKeys reports whether nearly all that stands in column x are keys of another, and several,
// and what divides them where a cell holds some. Numbers are that by chance, unless the header
// calls them so.
func (fs *fileSet) holdsKeys(x, key *cellsOf) (split string, ok bool) {
	if x.kind != key.kind || x.part == key.part && (x.at == key.at || len(x.values) == len(key.values)) {
		return "", false
	}
	if key.kind == integerKind {
		a, b := fs.formats[x.part].Names[x.at], fs.formats[key.part].Names[key.at]
		if wording.Plain(a) != wording.Plain(b) && !fs.calls(thingWords(a), key.part) {
			return "", false
		}
	}
	known, missing := 0, 0
	for cell := range x.values {
		if sign, are := keysIn(cell, key.values); are {
			known++
			split = cmp.Or(split, sign)
		} else if missing++; 10*missing > len(x.values) {
			return "", false
		}
	}
	return split, known > 1
}

// keysIn reports whether a cell is a key, or several, and what divides them then.
func keysIn(cell string, keys map[string]int) (sign string, are bool) {
	if keys[cell] > 0 {
		return "", true
	}
	for _, sign := range listSigns {
		pieces := strings.Split(cell, sign)
		if len(pieces) > 1 && !slices.ContainsFunc(pieces, func(piece string) bool { return keys[strings.TrimSpace(piece)] == 0 }) {
			return sign, true
		}
	}
	return "", false
}

// isKey reports whether every row has a cell of its own in a column, of one word.
func (f *columnFacts) isKey() bool {
	return f.filled > 0 && f.filled == f.rows && f.distinct() >= 0.98 && f.words <= 1.05 && !f.scores && (f.kind == textKind || f.kind == integerKind && !f.years)
}

// isCoded reports whether a column tells things apart by codes, perhaps of several words, and not by names: KD71 OXA.
func (f *columnFacts) isCoded() bool {
	coded := 0
	for cell := range f.values {
		if strings.ContainsFunc(cell, unicode.IsDigit) && !strings.ContainsFunc(cell, unicode.IsLower) {
			coded++
		}
	}
	return f.kind == textKind && (f.ids > 0.9 || 10*coded > 9*len(f.values))
}

// isCode reports whether a text is written as codes are: HAR, 9V-SKA, en, oak_hill.
func isCode(cell string) bool {
	const short, long = 3, 16 // bytes
	upper, lower := strings.ContainsFunc(cell, unicode.IsUpper), strings.ContainsFunc(cell, unicode.IsLower)
	switch {
	case strings.ContainsAny(cell, " \t/") || len(cell) > long:
		return false
	case !lower, len(cell) < short, len(cell) == short && !upper:
		return true
	}
	return strings.ContainsFunc(cell, func(r rune) bool { return unicode.IsDigit(r) || strings.ContainsRune("-_:", r) })
}

// thingWords are the words of a header before the one by which it is called an id or a code:
// course for course_code, and for course.
func thingWords(name string) []string {
	words := wordsIn(columnType.ReplaceAllString(name, ""))
	if isCalledID(name) && len(words) > 0 {
		words = words[:len(words)-1]
	}
	return words
}

// counts reports whether a column has whole numbers that are no ids, as another column tells whose
// cells are ids of a table.
func (m *mapper) counts(c int) bool {
	return m.columns[c].kind == integerKind && m.use(c) == use{} && slices.ContainsFunc(m.uses, func(u use) bool { return u.to != 0 })
}

// use is what the other tables tell of a column.
func (m *mapper) use(c int) use {
	if c >= len(m.uses) {
		return use{}
	}
	return m.uses[c]
}

// asID is what speaks for a column to hold the ids of the rows, which key names otherwise.
func (m *mapper) asID(c, key int, names []string) float64 {
	f, name := &m.columns[c], columnType.ReplaceAllString(names[c], "")
	id, used := parts[wording.Plain(name)] == "id", m.use(c).key
	words, called := thingWords(name), isCalledID(name) && name != ""
	if !f.isKey() || m.isKind(name) && !used && f.ids <= 0.9 || f.kind == integerKind && !id && !used && (idWords(name) == nil || f.ids <= 0.9) {
		return 0
	}
	sum := 0.0
	add := func(is bool, worth float64) {
		if is {
			sum += worth
		}
	}
	add(id, 3)
	add(used && (c == 0 || m.use(c).to == 0), 2)
	add(called, 0.5)
	add(c == 0 || c == key, 1)
	add(f.ids > 0.9 || f.codes > 0.9, 0.5)
	rest, own := strings.CutPrefix(wording.Plain(names[key]), strings.Join(words, ""))
	own = own && c != key && (rest == "" || parts[rest] == "name") || callsOne(words, m.about)
	add(called && len(words) > 0 && own, 1)
	return sum
}

// isKind reports whether a header calls a column as the table is called: band in bands.csv.
func (m *mapper) isKind(name string) bool {
	words := wordsIn(columnType.ReplaceAllString(name, ""))
	return len(words) == 1 && slices.ContainsFunc(wordsIn(m.about), func(w string) bool { return lexicon.Singular(w) == lexicon.Singular(words[0]) })
}

// idAndName finds the columns of the ids and of the names of the rows, which key mostly holds one of;
// no id where one column is all there is.
func (m *mapper) idAndName(key int, names []string) (id, name int) {
	const enough = 1.5
	best := 0.0
	for c := range m.columns {
		if worth := m.asID(c, key, names); worth >= enough && worth > best {
			id, best = c, worth
		}
	}
	if best == 0 {
		return -1, key
	}
	if name = key; id == key || m.isOther(key, id, names) {
		name = m.nameBeside(id, names)
	}
	if name < 0 {
		return -1, id
	}
	return id, name
}

// isOther reports whether the things of a column are others than those whose ids column key holds, and
// that the header calls: the reader of a loan, the film of an award. Some come again, or their header
// calls a person, or what another table is about, or other columns tell of them: "casualty" and "casualty age".
func (m *mapper) isOther(c, key int, names []string) bool {
	words, thing := thingWords(names[c]), thingWords(names[key])
	if len(thing) == 0 { // it is only called an id
		thing = wordsIn(lexicon.Singular(m.about))
	}
	if len(words) == 0 || len(thing) == 0 {
		return false
	}
	calls := func(table string) bool { return callsOne(words, table) }
	isToldOf := slices.ContainsFunc(names, func(name string) bool {
		of := wordsIn(name)
		return len(of) > len(words) && slices.Equal(of[:len(words)], words) && parts[of[len(words)]] == "" && !callsOne(words, m.about)
	})
	return m.columns[c].distinct() < 1 || isToldOf || does(words) && !does(thing) || slices.ContainsFunc(m.beside, calls) && !calls(m.about)
}

// does reports whether words call someone who does something, as people and companies are called.
func does(words []string) bool {
	last := words[len(words)-1]
	return isDoer(words) || lexicon.Agent(last) != "" || slices.Contains(parties, last)
}

// parties are words for people and companies that no ending tells.
var parties = strings.Fields("client guest patient tenant resident student agency casualty victim witness suspect defendant claimant applicant")

// nameBeside finds the column that names the entities whose ids column key holds: one
// that is called as they are ("part" beside "part_id", "station" in stations.csv), or a name, or
// else the one of nearly all different texts of several words; -1 for none.
func (m *mapper) nameBeside(key int, names []string) int {
	called := strings.Join(thingWords(names[key]), "")
	isCode := isCalledID(names[key]) || m.use(key).key
	best, most := -1, 0.0
	for c := range m.columns {
		f := &m.columns[c]
		if c == key || f.kind != textKind || f.long || f.filled == 0 {
			continue
		}
		plain := wording.Plain(columnType.ReplaceAllString(names[c], ""))
		if m.use(c).to != 0 && parts[plain] != "name" { // it holds ids of other things
			continue
		}
		words := wordsIn(names[c])
		last := len(words) - 1
		rest, own := strings.CutPrefix(plain, called)
		own = own && called != "" && (rest == "" || parts[rest] == "name") || last > 0 && parts[words[last]] == "name" && callsOne(words[:last], m.about)
		kind := m.isKind(names[c])
		worth := 0.0
		switch {
		case (own || kind || parts[plain] == "name") && (f.distinct() >= 0.5 || f.filled < 8):
			if worth = 2; own {
				worth = 3
			} else if kind {
				worth = 1.5
			}
		case isCode && f.distinct() >= 0.9 && f.filled == f.rows && f.words >= 1.5 && !m.isOther(c, key, names):
			worth = f.distinct()
		case isCode && len(words) == 1 && strings.HasSuffix(plain, "name") && f.distinct() == 1 && f.filled == f.rows: // a nickname, but not that of a contact
			worth = 1.2
		case isCode && slices.Contains([]string{"acronym", "abbreviation", "pseudonym"}, plain) && f.distinct() >= 0.9:
			worth = 0.8
		}
		if worth > most {
			best, most = c, worth
		}
	}
	return best
}
