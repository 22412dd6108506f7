package ingest

import (
	"cmp"
	"html"
	"regexp"
	"slices"
	"strings"
	"unicode"

	"golang.org/x/text/language"

	"cairn/engine/kg"
	"cairn/engine/lexicon"
	"cairn/internal/wording"
)

// entityRows is a reading of a table in which no column holds relations: each row is
// an entity, or, where the entities come again and their columns belong together, a
// statement whose relation is called as the column of its tail.
type entityRows struct {
	reading Reading
	odds    float64 // logarithm
	other   Reading // that fits as well; without columns where none does
	why     string  // what makes it doubtful; empty for little to go by
}

// wide finds the reading of a table as rows about entities.
func (m *mapper) wide(f *Format) entityRows {
	names := make([]string, len(m.columns))
	copy(names, f.Names)
	key, best := -1, 0.0
	for c := range m.columns {
		if m.fixed[headRole] >= 0 && m.fixed[headRole] != c {
			continue
		}
		if score := m.asKey(c, names[c]); key < 0 || score > best {
			key, best = c, score
		}
	}
	if key < 0 || len(m.columns) < 2 || m.words == nil || m.post { // without a header nothing names relations
		return entityRows{odds: -9}
	}
	odds := best + 1
	var head, tail, relation float64
	numbers, matrix := 0.0, 0
	for c := range m.columns {
		if c < len(m.words) {
			w := &m.words[c].as
			head, tail = max(head, w[headRole]), max(tail, w[tailRole])
			if c != key {
				relation = max(relation, w[relationRole])
			}
		}
		if k := m.columns[c].kind; c != key && (k == integerKind || k == decimalKind || k == dateKind) {
			numbers += 0.8
		}
		if c != key && m.columns[key].values[names[c]] > 0 {
			matrix++
		}
	}
	told := relation // what the header says for statements
	if head > 0 && tail > 0 && (relation > 0 || !m.areThings(names)) {
		told += head + tail
	}
	odds += min(numbers, 2.4) - told
	if len(m.columns) > 3 && 2*matrix > len(m.columns)-1 {
		return entityRows{odds: float64(matrix), reading: m.matrixReading(names, f)}
	}
	if relation > 2.5 {
		odds = min(odds, 0.5) // a column is called the relation
	}
	f0 := &m.columns[key]
	x := entityRows{reading: m.entityReading(key, names, f), odds: odds}
	_, called := parts[wording.Plain(columnType.ReplaceAllString(names[key], ""))]
	// The first column mostly says what the table is about; where it comes again and
	// another does not, the rows may be about either.
	doubt := best > 0 && key > 0 && !called && m.columns[0].kind == textKind && !m.columns[0].long && m.columns[0].filled >= 3
	if !doubt && best > 0 || f0.filled < 3 {
		return x
	}
	// The entities come again: columns that differ from row to row of one entity
	// belong together.
	key = slices.IndexFunc(m.columns[:m.scored()], func(c columnFacts) bool { return c.kind == textKind && c.filled > 0 && !c.long && !c.scores })
	if key < 0 {
		return x
	}
	var loose, things []int
	for c := range m.columns {
		if c == key || m.columns[c].filled == 0 || !m.varies(key, c) && !m.columns[c].isOneDate() {
			continue
		}
		loose = append(loose, c)
		if m.columns[c].kind == textKind && !m.columns[c].long && !m.columns[c].scores && !m.columns[c].isYesNo() {
			things = append(things, c)
		}
	}
	bodies := slices.DeleteFunc(slices.Clone(things), func(c int) bool { return c < len(m.words) && m.words[c].plays })
	if len(bodies) > 0 && len(bodies) < len(things) {
		things, doubt = bodies, false // a role is no end: it is played by one thing in another
	}
	if doubt {
		if len(loose) > 1 && len(things) > 0 {
			x.other = m.together(m.entityReading(key, names, f), key, things[0], loose)
			x.odds = min(x.odds, 0.5)
		}
		return x
	}
	again := float64(f0.filled) / float64(f0.filled+6)
	x.odds = 1 + min(numbers, 2.4) + 2*again - told
	x.reading = m.entityReading(key, names, f)
	if len(loose) < 2 {
		return x
	}
	if value := slices.IndexFunc(loose, func(c int) bool { return wording.Plain(names[c]) == "value" }); value >= 0 && len(things) > 0 && things[0] != loose[value] {
		// What each row tells the value of is its relation.
		x.reading = m.together(x.reading, key, loose[value], loose)
		x.reading.Relation, x.reading.Columns[things[0]] = "", Column{Name: names[things[0]], Role: AsRelation}
		return x
	}
	if len(things) == 0 {
		things = loose
		x.odds = min(x.odds, 0.5)
	}
	x.reading = m.together(x.reading, key, things[0], loose)
	if len(things) > 1 {
		x.other = m.together(m.entityReading(key, names, f), key, things[1], loose)
		x.odds = min(x.odds, 0.5)
	}
	return x
}

// areThings reports whether the rows are what the table is called, although the header calls two columns the
// ends of an edge: each row has a name of its own, or a code that says so or that other tables refer to. Routes
// start and end somewhere.
func (m *mapper) areThings(names []string) bool {
	kind := lexicon.Singular(strings.Join(wordsIn(m.about), " "))
	if !isKind(kind) || !lexicon.IsPlural(m.about) || relationWords[kind] > 0 || kind == "link" {
		return false
	}
	for c, name := range names {
		f, words := &m.columns[c], wordsIn(columnType.ReplaceAllString(name, ""))
		if len(words) == 0 || f.filled == 0 || f.filled < f.rows || f.distinct() < 1 || m.words[c].ends != "" || m.use(c).to != 0 {
			continue
		}
		last := len(words) - 1
		isName := f.kind == textKind && !f.long && parts[words[last]] == "name"
		if m.use(c).key || isName && (last == 0 || callsOne(words[:last], m.about)) || m.isOwnCode(name) {
			return true
		}
	}
	return false
}

// isOwnCode reports whether a header calls a column a code of what the table is called: inspection no in
// inspections.csv.
func (m *mapper) isOwnCode(name string) bool {
	return isCalledID(name) && callsOne(thingWords(columnType.ReplaceAllString(name, "")), m.about)
}

// matrixReading is that of a table whose columns are called as its rows are: each cell
// says how the entity of its row is joined to that of its column.
func (m *mapper) matrixReading(names []string, f *Format) Reading {
	r := m.blank(f)
	key, most := 0, 0
	for c := range m.scored() {
		n := 0
		for _, name := range names {
			if m.columns[c].values[name] > 0 {
				n++
			}
		}
		if n > most {
			key, most = c, n
		}
	}
	var holds Holds // numbers, where they say more than yes and no
	for c := range m.columns {
		for cell := range m.columns[c].values {
			if c != key && cell != "0" && cell != "1" && kindOf(cell) != textKind {
				holds = HoldsNumbers
			}
		}
	}
	for c := range r.Columns {
		col := &r.Columns[c]
		*col = Column{Name: col.Name, Role: AsMatrix, Holds: holds, DecimalComma: c < len(m.columns) && m.columns[c].commas}
		switch {
		case c == key:
			col.Role, col.Holds, col.DecimalComma = AsHead, "", false
		case col.Name == "" || c < len(m.columns) && m.columns[c].filled == 0 && m.columns[key].values[col.Name] == 0:
			col.Role, col.Holds, col.DecimalComma = LeftOut, "", false
		}
	}
	return r
}

// varies reports whether a column has several values for one thing of column key, or
// another does that tells with it when or how far.
func (m *mapper) varies(key, c int) bool {
	span := []int{c}
	if at := slices.IndexFunc(m.spans, func(s []int) bool { return slices.Contains(s, c) }); at >= 0 {
		span = m.spans[at]
	}
	return slices.ContainsFunc(span, func(c int) bool { return !m.between[key][c].settles })
}

// isOneDate reports whether all rows tell one date or year: that of the rows, and not of the things
// they tell of.
func (f *columnFacts) isOneDate() bool {
	return (f.years || f.kind == dateKind) && f.filled == f.rows && len(f.values) == 1
}

// asKey is what speaks for a column to name the entities of the rows.
func (m *mapper) asKey(c int, name string) float64 {
	f := &m.columns[c]
	if f.rows > 0 && f.filled == 0 {
		return -9
	}
	known := float64(f.filled) / float64(f.filled+6)
	sum := 0.0
	if d := f.distinct(); d >= 1 {
		sum += 2.5 * known
	} else {
		sum -= 12 * (1 - d) * known
	}
	if f.rows > 0 {
		sum -= 6 * float64(f.rows-f.filled) / float64(f.rows)
	}
	part, known2 := parts[wording.Plain(columnType.ReplaceAllString(name, ""))]
	called := known2 && wording.Plain(name) != "" && part != "type" || f.distinct() == 1 && m.isOwnCode(name)
	switch {
	case f.years && !called:
		sum -= 3
	case f.kind == integerKind && !called && !m.use(c).key:
		sum -= 4
	case f.kind == decimalKind || f.kind == dateKind:
		sum -= 4
	}
	if f.long {
		sum -= 2
	}
	if f.scores {
		sum -= 4
	}
	if wording.Plain(name) == "value" || c < len(m.words) && m.words[c].plays {
		sum -= 3
	}
	if c == 0 {
		sum++
	}
	if called || m.isKind(name) {
		sum += 1.5
	}
	switch use := m.use(c); {
	case use.key:
		sum++
	case use.to != 0:
		sum -= 2 // it tells of other things
	}
	return sum
}

// entityReading gives the columns of a table their roles about the entity of column key.
func (m *mapper) entityReading(key int, names []string, f *Format) Reading {
	r := m.blank(f)
	at := func(c int) *Column { return &r.Columns[c] }
	part := func(c int) string { return parts[wording.Plain(columnType.ReplaceAllString(names[c], ""))] }
	taken := func(role Role) bool {
		return slices.ContainsFunc(r.Columns, func(c Column) bool { return c.Role == role })
	}
	isCode := false
	if m.words != nil {
		var id int
		find := m.idAndName
		if max(m.recordID, m.recordName) >= 0 {
			find = m.recordColumns
		}
		if id, key = find(key, names); id >= 0 {
			at(id).Role = AsHeadID
			isCode = m.columns[id].codes > 0.9 && !m.isKind(names[id]) && part(id) != "id" && idWords(names[id]) == nil
		}
	}
	at(key).Role = AsHead
	for c := range r.Columns {
		if at(c).Role != AsValue || c >= len(m.columns) {
			continue
		}
		switch facts := &m.columns[c]; {
		case facts.kind != textKind:
		case meaningOf(names[c]) == aliasMeaning, meaningOf(strings.TrimSuffix(names[c], "s")) == aliasMeaning:
			at(c).Role, at(c).Holds = AsAlias, HoldsText
		case (meaningOf(names[c]) == typeMeaning || part(c) == "type" || part(c) == "name" && facts.distinct() < 0.1) && !facts.long && !taken(AsHeadType):
			at(c).Role, at(c).Holds, at(c).Split = AsHeadType, "", ""
		case facts.long && describes(names[c]):
			at(c).Role, at(c).Holds = AsDescription, ""
		case m.isOtherName(c, key, names[c]):
			at(c).Role, at(c).Holds, at(c).Split = AsAlias, HoldsText, ""
		}
	}
	m.languages(&r, names)
	m.valueNames(&r, names)
	for c := range r.Columns {
		if role := at(c).Role; role == AsHead || role == AsHeadID {
			at(c).Holds, at(c).Split, at(c).Unit = "", "", ""
			if role == AsHeadID && isCode {
				at(c).Holds = HoldsText
			}
		}
	}
	r.HeadType = m.headType(&r) // beside the types of a column: a tanker is a ship
	return r
}

// otherNames are the headers of columns that may call the rows once more.
var otherNames = strings.Fields("designation pseudonym label abbreviation acronym callsign shortname longname fullname codename commonname tradename " +
	"officialname originalname scientificname localname nativename popularname displayname")

// isOtherName reports whether a column calls the rows, which key names, once more: by a text of their
// own each, that is no id of something else. So it is called, or it is of codes and next to key.
func (m *mapper) isOtherName(c, key int, name string) bool {
	f := &m.columns[c]
	return (slices.Contains(otherNames, wording.Plain(name)) || c == key+1 && f.filled > 4 && f.codes > 0.9 && !isCalledID(name)) && !f.long && f.filled > 1 && f.filled == f.rows && f.distinct() == 1 && m.use(c).to == 0 && m.between[key][c].both == 0
}

// valueNames finds the columns that name the things whose ids another column holds: capital
// and capitalLabel, dept_id and dept_name, dept_id and dept.
func (m *mapper) valueNames(r *Reading, names []string) {
	for c := range min(len(r.Columns), m.scored()) {
		id := &r.Columns[c]
		if id.Role != AsValue || id.Holds != HoldsEntities || id.Split != "" || m.columns[c].ids <= 0.9 {
			continue
		}
		words := wordsIn(names[c])
		if last := len(words) - 1; last > 0 && parts[words[last]] == "id" {
			words = words[:last]
		}
		called := strings.Join(words, "")
		for d := range r.Columns {
			rest, own := strings.CutPrefix(wording.Plain(names[d]), called)
			col := &r.Columns[d]
			if d == c || !own || rest != "" && parts[rest] != "name" || col.Role != AsValue || col.Holds != HoldsEntities || col.Split != "" || m.columns[d].ids > 0.5 || !m.between[c][d].settles {
				continue
			}
			*col = Column{Name: col.Name, Role: AsValueLabel, Of: id.Name}
			if said := strings.Join(words, " "); said != strings.ToLower(id.Name) && id.Says == "" {
				id.Says = said
			}
			break
		}
	}
}

// headType returns what the rows of a reading are about, as a header calls their heads
// ("lighthouse", "gene_symbol"), or else a table that is called by a plural ("films");
// empty where neither says so.
func (m *mapper) headType(r *Reading) string {
	table := strings.Join(wordsIn(m.about), " ")
	named := isKind(table) && (lexicon.IsPlural(table) || slices.Contains(collectives, table))
	table = lexicon.Singular(table)
	hasID := slices.ContainsFunc(r.Columns, func(c Column) bool { return c.Role == AsHeadID })
	short := "" // what people in the trade call it, as an id does: mp
	for _, role := range []Role{AsHead, AsHeadID} {
		i := slices.IndexFunc(r.Columns, func(c Column) bool { return c.Role == role })
		if i < 0 || m.words == nil || slices.Contains(otherNames, wording.Plain(r.Columns[i].Name)) || named && hasID && (role == AsHead || !isCalledID(r.Columns[i].Name)) { // initials and tickers are codes
			continue
		}
		words := wordsIn(columnType.ReplaceAllString(r.Columns[i].Name, ""))
		isThing := len(words) == 1 && words[0] == "accession" // of a museum or a seed bank
		for len(words) > 0 && !isThing && (parts[words[len(words)-1]] != "" || codeWords[words[len(words)-1]]) {
			words = words[:len(words)-1]
		}
		kind := strings.Join(words, " ")
		if isKind(kind) {
			kind = lexicon.Singular(kind)
			switch last := words[len(words)-1]; {
			case named && strings.HasSuffix(table, " "+kind) && !slices.ContainsFunc(wordsIn(table), lexicon.Builtin().IsStop): // farm_id in wind_farms
				return table
			case !named || slices.Contains(wordsIn(table), last):
			case shortens(last, table):
				return table
			case table != kind && (callsOne(wordsIn(table), kind) || hasID && role == AsHeadID && isDoer(words) && slices.ContainsFunc(r.Columns, func(c Column) bool { return c.Role == AsHead }) || m.use(i).named || m.onlyNames(i, table, r)):
				// a course is short for a racecourse, the persons with names in astronomers.csv are astronomers, and
				// what servers.csv calls by hostnames are servers, and what other tables call cars are cars
				return table + "|" + kind
			}
			return kind
		}
		if id := strings.Join(idWords(r.Columns[i].Name), ""); len(id) == 2 {
			short = "|" + id
		}
	}
	if named {
		return table + short
	}
	return ""
}

// onlyNames reports whether the heads of a reading, those of column i, are names or codes of what the table is called,
// each of its own row alone, and no keys of another table.
func (m *mapper) onlyNames(i int, table string, r *Reading) bool {
	name := columnType.ReplaceAllString(r.Columns[i].Name, "")
	f := &m.columns[i]
	return (isCalledID(name) || strings.HasSuffix(wording.Plain(name), "name") || f.isCoded()) && f.distinct() == 1 && m.use(i).to <= 0 &&
		!slices.ContainsFunc(r.Columns, func(c Column) bool {
			words := wordsIn(c.Name) // what is "roasted on" a day is no roast
			return lexicon.Singular(strings.Join(words, " ")) == table || len(words) > 0 && lexicon.IsParticiple(words[0]) && lexicon.Base(words[0]) == table
		})
}

// collectives are words without a plural that tables of many things are called by.
var collectives = strings.Fields("staff personnel crew equipment livestock cattle poultry")

// codeWords are what headers call codes of things, beside the words of parts.
var codeWords = map[string]bool{
	"code": true, "symbol": true, "number": true, "no": true, "nr": true, "ref": true, "#": true,
	"isbn": true, "issn": true, "doi": true, "ean": true, "sku": true, "isin": true, "vin": true,
}

// isCalledID reports whether a header calls a column an id or a code, or not at all: a flight and
// a trench are called by their codes, but these stand for themselves.
func isCalledID(name string) bool {
	words := wordsIn(columnType.ReplaceAllString(name, ""))
	return len(words) == 0 || parts[words[len(words)-1]] == "id" || words[len(words)-1] == "ids" || codeWords[words[len(words)-1]]
}

// isKind reports whether a text may call a kind of things: letters, and enough of them.
func isKind(text string) bool {
	return len(text) > 2 && !strings.ContainsFunc(text, func(r rune) bool { return !unicode.IsLetter(r) && r != ' ' })
}

// wordsIn are the words of a name as programs write it, in small letters: "gene_symbol",
// "geneSymbol", "Gene symbol".
func wordsIn(name string) []string {
	var spaced strings.Builder
	lower := false // the letter before
	for _, r := range name {
		switch {
		case r == '_' || r == '-' || r == '.' || r == '|':
			r = ' '
		case lower && unicode.IsUpper(r):
			spaced.WriteByte(' ')
		}
		lower = unicode.IsLower(r)
		spaced.WriteRune(unicode.ToLower(r))
	}
	return strings.Fields(spaced.String())
}

// together makes a reading of entities one of statements: of the columns that differ
// within an entity one is the tail, and the others are properties.
func (m *mapper) together(r Reading, key, tail int, loose []int) Reading {
	if words := idWords(r.Columns[key].Name); words != nil && !isKind(strings.Join(words, " ")) {
		r.HeadType = "" // the table is called after what it says of them
	}
	for c := range r.Columns {
		switch {
		case c == key:
			r.Columns[c].Role = AsHead
		case c == tail:
			r.Columns[c].Role, r.Columns[c].Holds = AsTail, ""
			r.Relation = r.says(c)
		case slices.Contains(loose, c):
			r.Columns[c].Role = AsProperty
			if r.Columns[c].Holds == HoldsEntities {
				r.Columns[c].Holds = ""
			}
		}
	}
	return r
}

// blank is a reading in which every column is a value of what its cells are.
func (m *mapper) blank(f *Format) Reading {
	r := Reading{Columns: make([]Column, f.Width)}
	for c := range r.Columns {
		r.Columns[c].Role = AsValue
		if c < len(f.Names) {
			r.Columns[c].Name = f.Names[c]
		}
		if c < len(m.columns) {
			m.columns[c].describe(&r.Columns[c])
			if m.record != nil {
				m.listed(c, &r.Columns[c])
			}
			if col := &r.Columns[c]; col.Holds == HoldsEntities && col.Split == "" {
				col.Split = m.use(c).split
			}
		}
	}
	return r
}

// describe says what the cells of a column hold, and what divides several in one.
func (f *columnFacts) describe(c *Column) {
	split := ""
	if f.kind == textKind {
		split = f.divided(c.Name)
	}
	switch {
	case f.filled == 0 && f.rows > 0:
		c.Role = LeftOut
	case f.kind == dateKind || f.years && !isMeasured(c.Name):
		c.Holds = HoldsDates
		c.Order, _ = dateOrder(f.values)
	case f.kind == integerKind || f.kind == decimalKind:
		c.Holds = HoldsNumbers
		_, c.Unit = unitOf(c.Name)
		c.DecimalComma = f.commas
	case f.long && split == "":
		c.Holds = HoldsText
	default:
		c.Holds, c.Split = HoldsEntities, split
		c.Signs = areSigns(f.values)
	}
}

// isMeasured reports whether a column is called by a unit, and not of time: 1234 below
// "height (m)" is no year.
func isMeasured(name string) bool {
	_, unit := unitOf(name)
	scale, unit := kg.Scaled(unit)
	us := kg.UnitsOf(unit)
	return scale != "" || len(us) > 0 && us[0].Dimension != "time"
}

// listSigns may divide several values in a cell.
var listSigns = []string{"|", ";", ","}

// divided returns what divides several values in the cells of a column. A semicolon or a bar does
// between names, unless only few cells have one, or all have as many and nothing comes again:
// then its pieces are parts of one value. Commas stand in names too.
func (f *columnFacts) divided(name string) string {
	plural := callsSeveral(name)
	for _, sign := range listSigns {
		if sign == "," {
			if f.commaList(plural) {
				return sign
			}
			continue
		}
		with, pieces, counts, names, known := 0, map[string]int{}, map[int]bool{}, true, true
		for cell, n := range f.values {
			parts := strings.Split(strings.TrimSuffix(cell, sign), sign)
			counts[len(parts)] = true
			several := len(parts) > 1
			if several {
				with += n
			}
			for _, piece := range parts {
				piece = strings.TrimSpace(piece)
				pieces[piece]++
				names = names && isShortName(piece)
				known = known && (!several || f.values[piece] > 0)
			}
		}
		again := 0
		for _, n := range pieces {
			if n > 1 {
				again++
			}
		}
		comesAgain := with > 1 && 4*again >= len(pieces)
		if with > 0 && (names && (plural || known) || 10*with >= f.filled && (names && len(counts) > 1 || comesAgain && (names || !f.long))) {
			return sign
		}
	}
	return ""
}

// isShortName reports whether a piece of a cell is as short as names are, and whole: "AT&amp" is
// none.
func isShortName(piece string) bool {
	const most = 5 // words
	return piece != "" && strings.Count(piece, " ") < most && html.UnescapeString(piece+";") == piece+";"
}

// callsSeveral reports whether a header is the plural of a noun, as "Countries of origin" and
// "Languages spoken (known)" are too.
func callsSeveral(name string) bool {
	name, _, _ = strings.Cut(name, "(")
	words := wordsIn(name)
	for len(words) > 1 && lexicon.IsParticiple(words[len(words)-1]) {
		words = words[:len(words)-1]
	}
	return lexicon.IsPlural(strings.Join(words, " ")) || len(words) > 1 && words[len(words)-1] == "ids"
}

// commaList reports whether commas divide several values in the cells of a column: short texts
// behind a comma and a space, now more and now fewer, of which some come again. "Oslo, Norway" and
// "Doe, Jane" have one comma each. Where the column is not called the plural, several of those
// that come first have cells of their own: beside "beef, rabbit" stands "beef".
func (f *columnFacts) commaList(plural bool) bool {
	const short = 5 // words
	with, even, counts, places, firsts, again := 0, 0, map[int]bool{}, map[string]map[int]bool{}, map[string]bool{}, false
	for cell := range f.values {
		pieces := strings.Split(cell, ", ")
		counts[len(pieces)] = true
		if len(pieces) > 1 {
			with++
			firsts[pieces[0]] = true
		}
		if len(pieces)%2 == 0 {
			even++
		}
		for i, piece := range pieces {
			if piece == "" || strings.Contains(piece, ",") || strings.Count(piece, " ") >= short {
				return false
			}
			if places[piece] == nil {
				places[piece] = map[int]bool{}
			}
			again = again || len(places[piece]) > 0
			places[piece][i] = true
		}
	}
	moves, alone := 0, 0 // pieces that stand first here and later there, as a country and a given name do not
	for piece, at := range places {
		if len(at) > 1 {
			moves++
		}
		if firsts[piece] && f.values[piece] > 0 {
			alone++
		}
	}
	if !plural && (alone < 2 || moves < 2) {
		return false
	}
	if with < 2 || 10*with < len(f.values) || even == with && even == len(f.values) {
		return false
	}
	return len(counts) > 2 || len(counts) > 1 && !counts[1] || again && moves > 0
}

// lists says which cells may hold several values and are read as one.
func (m *mapper) lists(f *Format) (notes []string) {
	for i := range min(len(f.Columns), len(m.columns)) {
		c := &f.Columns[i]
		cell, sign := m.columns[i].mayBeList()
		remedy := "save the mapping, and write split = \"" + sign + "\" below that column"
		switch {
		case c.Role == AsTail:
			remedy = "write one row for each value"
		case c.Role != AsValue || c.Holds == HoldsText:
			continue
		}
		if cell != "" && c.Split == "" {
			notes = append(notes, "Cells of "+f.columnName(i)+" such as "+inQuotes(cell)+" are read as one value each. If they hold several, "+remedy+".")
		}
	}
	return notes
}

// mayBeList returns the cell of a column that most seems to hold several values, and what divides
// them: several short names between semicolons or bars, or commas where many cells have some.
func (f *columnFacts) mayBeList() (list, sign string) {
	for _, sign := range listSigns {
		n, most := 0, 1
		for cell := range f.values {
			pieces := strings.Split(strings.TrimSuffix(cell, sign), sign)
			isLong := func(piece string) bool { return !isShortName(strings.TrimSpace(piece)) }
			if len(pieces) == 1 || sign == "," && !strings.Contains(cell, ", ") || sign != "," && slices.ContainsFunc(pieces, isLong) {
				continue
			}
			if n++; sign == "," {
				pieces = pieces[:2]
			}
			if len(pieces) > most || len(pieces) == most && cell < list {
				list, most = cell, len(pieces)
			}
		}
		if n > 0 && !f.long && (sign != "," || n > 1 && 4*n >= len(f.values)) {
			return list, sign
		}
	}
	return "", ""
}

// describes reports whether a header calls a column a description, as RDF does.
func describes(name string) bool {
	for iri, fold := range folds {
		if fold.what == foldDescription && wording.Plain(kg.LocalName(iri)) == wording.Plain(name) {
			return true
		}
	}
	return false
}

// inLanguage is the name of a column that tells a language: name_de, label@fr, title (it).
var inLanguage = regexp.MustCompile(`^(.*?)[\s_@.:(\[-]+([a-z]{2,3}(?:-[A-Za-z]{2,4})?)[)\]]?$`)

// languages finds the columns that name the head in several languages.
func (m *mapper) languages(r *Reading, names []string) {
	stems := map[string][]int{}
	codes := make([]string, len(names))
	for c, name := range names {
		match := inLanguage.FindStringSubmatch(name)
		if match == nil || m.columns[c].kind != textKind {
			continue
		}
		if _, err := language.ParseBase(strings.Split(match[2], "-")[0]); err != nil || match[2] == "id" {
			continue
		}
		stem := wording.Plain(match[1])
		if parts[stem] != "name" && !slices.ContainsFunc(r.Columns, func(x Column) bool { return x.Role == AsHead && wording.Plain(x.Name) == stem }) {
			continue
		}
		codes[c] = match[2]
		stems[stem] = append(stems[stem], c)
	}
	for _, cs := range stems {
		for i := range r.Columns {
			if r.Columns[i].Role == AsHead && !slices.Contains(cs, i) && parts[wording.Plain(names[i])] == "id" {
				r.Columns[i].Role = AsHeadID
			}
		}
		for _, c := range cs {
			col := &r.Columns[c]
			switch col.Role {
			case AsHead:
				col.Language = codes[c]
			case AsValue:
				col.Role, col.Language, col.Holds = AsLabel, codes[c], ""
			default:
			}
		}
	}
}

// twice says that entities of one name come more than once where no id tells them apart.
func (m *mapper) twice(f *Format) string {
	at := f.columns[headRole]
	if f.Statements() || at < 0 || at >= len(m.columns) || f.columns[headIDRole] >= 0 {
		return ""
	}
	name, n := "", 0
	for v, times := range m.columns[at].values {
		if times > 1 {
			if n++; name == "" || cmp.Less(v, name) {
				name = v
			}
		}
	}
	if n == 0 {
		return ""
	}
	return "In " + f.columnName(at) + " some names occur more than once, such as " + inQuotes(name) + ": rows with the same name are one entity. If they are not, choose a column of ids."
}
