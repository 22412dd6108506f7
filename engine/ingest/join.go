package ingest

import (
	"maps"
	"slices"
	"strings"

	"cairn/engine/kg"
	"cairn/engine/lexicon"
	"cairn/internal/wording"
)

// Tables that come together are joined by ids: a column of one holds those of another. And
// ids that only number the rows of a table are those of other tables too, so that equal ones
// are two things. Neither is told by one table alone.

// idTable is a table whose rows have ids.
type idTable struct {
	part  int
	names map[string]string // of the sample: what each id is called
	whole bool              // that is all ids
}

// join finds what columns refer to ids, keeps equal ids of two tables apart, and says both.
func (fs *fileSet) join(o *Options) {
	if o.Reading != nil || o.Columns != (Columns{}) {
		return
	}
	var tables []*idTable
	for i := range fs.formats {
		if t := fs.idTable(i); t != nil {
			tables = append(tables, t)
		}
	}
	if len(tables) > 0 {
		fs.keepApart(tables)
		for i := range fs.formats {
			if u := fs.parts[i].uses; fs.formats[i].Kind == Delimited {
				if at := fs.formats[i].idAt(); at >= 0 && at < len(u) && u[at].to > 0 {
					fs.asRole(i, u[at].to-1, o)
				}
			}
			fs.refer(i, tables)
			fs.referByName(i, tables, o)
		}
	}
	for i := range fs.formats {
		fs.formats[i].sampled = nil
	}
}

// idTable returns the ids of a part, nil where it has none.
func (fs *fileSet) idTable(i int) *idTable {
	f := &fs.formats[i]
	if f.Kind != Delimited || f.Statements() || f.columns[headIDRole] < 0 && (f.columns[headRole] < 0 || !f.isIDColumn(f.columns[headRole])) {
		return nil
	}
	t := &idTable{part: i, names: map[string]string{}, whole: len(f.sampled) < maxSampleRows && fs.parts[i].size <= sampleSize}
	id, name := f.columns[headIDRole], f.columns[headRole]
	if id < 0 {
		id, name = name, -1
	}
	for _, row := range f.sampled {
		if id < len(row) && len(row[id]) > 0 {
			t.names[string(row[id])] = ""
			if name >= 0 && name < len(row) {
				t.names[string(row[id])] = string(row[name])
			}
		}
	}
	return t
}

// isIDColumn reports whether a column is called an id.
func (f *Format) isIDColumn(c int) bool {
	if c >= len(f.Names) {
		return false
	}
	words := wordsIn(columnType.ReplaceAllString(f.Names[c], ""))
	return len(words) > 0 && parts[words[len(words)-1]] == "id"
}

// idAt is the column that holds the ids of a part, or else the names; -1 for none.
func (f *Format) idAt() int {
	if at := f.columns[headIDRole]; at >= 0 {
		return at
	}
	return f.columns[headRole]
}

// idColumn is the one that holds the ids of a part.
func (f *Format) idColumn() *Column { return &f.Columns[f.idAt()] }

// asRole takes the type off the rows of a part whose heads are those of another, unless either of
// them is called so: a child in a list of baptisms is a person, and that is a role.
func (fs *fileSet) asRole(i, of int, o *Options) {
	f := &fs.formats[i]
	words := wordsIn(f.HeadType)
	if o.HeadType != "" || len(words) == 0 || callsOne(words, fs.tableName(i)) || fs.calls(words, of) {
		return
	}
	note := slices.Index(f.Notes, f.Taken()+".")
	f.HeadType = ""
	if note >= 0 {
		f.Notes[note] = f.Taken() + "."
	}
	if len(f.sampled) > 0 {
		f.Says = []Said{f.Say(copyStrings(f.sampled[0]))}
	}
}

// keepApart gives the ids of tables a prefix where equal ones have other names.
func (fs *fileSet) keepApart(tables []*idTable) {
	type pair struct {
		a, b *Format
		note string
	}
	var unnamedBoth []pair
	for i, t := range tables {
		for _, u := range tables[:i] {
			a, b := &fs.formats[u.part], &fs.formats[t.part]
			both, differ, unnamed, example := 0, 0, 0, ""
			for id, name := range t.names {
				other, ok := u.names[id]
				if !ok {
					continue
				}
				both++
				switch {
				case name == "" || other == "":
					unnamed++
				case !strings.EqualFold(name, other):
					if differ++; example == "" || id < example {
						example = id
					}
				}
			}
			said := inQuotes(fs.parts[u.part].name) + " and " + inQuotes(fs.parts[t.part].name) + " have equal ids"
			switch {
			case 2*differ > both && slices.Equal(a.Names, b.Names):
				b.Notes = append(b.Notes, said+", such as "+inQuotes(example)+", which is "+inQuotes(u.names[example])+" and "+inQuotes(t.names[example])+". Each pair was read as one entity. If they are different entities, give the ids of one a prefix in a mapping file.")
			case 2*differ > both:
				b.Notes = append(b.Notes, said+", such as "+inQuotes(example)+", which is "+inQuotes(u.names[example])+" and "+inQuotes(t.names[example])+". They are kept apart.")
				for _, x := range []*idTable{u, t} {
					fs.formats[x.part].idColumn().Prefix = fs.tableName(x.part) + "/"
				}
			case both > 0 && unnamed == both && !slices.Equal(a.Names, b.Names):
				unnamedBoth = append(unnamedBoth, pair{a, b, said + ": rows with the same id were read as one entity. If they are different entities, give the ids of one a prefix in a mapping file."})
			}
		}
	}
	for _, p := range unnamedBoth {
		if p.a.idColumn().Prefix == p.b.idColumn().Prefix { // no third table keeps them apart
			p.b.Notes = append(p.b.Notes, p.note)
		}
	}
}

// tableName is what a part is called, without the ending of a file.
func (fs *fileSet) tableName(i int) string {
	name, _, _ := strings.Cut(fs.parts[i].name, ".")
	return name
}

// refer finds the columns of a part that hold ids, and has them lead to what these name.
func (fs *fileSet) refer(i int, tables []*idTable) {
	f := &fs.formats[i]
	if f.Kind != Delimited {
		return
	}
	changed := false
	for c := range f.Columns {
		col := &f.Columns[c]
		ends := f.Statements() && slices.Contains([]Role{AsHead, AsHeadID, AsTail, AsTailID}, col.Role)
		if !ends && col.Role != AsValue && col.Role != AsProperty || col.Holds == HoldsText || col.Holds == HoldsDates {
			continue
		}
		to, called := fs.referred(i, c, ends, tables)
		if len(to) == 0 {
			continue
		}
		var names []string
		prefixed := false
		for _, t := range to {
			names = append(names, fs.parts[t.part].name)
			prefixed = prefixed || fs.formats[t.part].idColumn().Prefix != ""
		}
		if len(to) > 1 && prefixed && !called {
			f.Notes = append(f.Notes, f.columnName(c)+" may hold ids of "+wording.Choice(wording.Each(names, inQuotes))+", which have some ids in common, so it was joined to none of them. To choose one, give a prefix in a mapping file.")
			continue
		}
		if f.refers == nil {
			f.refers = make([]bool, len(f.Columns))
		}
		f.refers[c], changed = true, true
		col.Prefix = fs.formats[to[0].part].idColumn().Prefix
		if ends {
			if note := "Its ids refer to " + listed(names) + "."; !slices.Contains(f.Notes, note) {
				f.Notes = append(f.Notes, note)
			}
			continue
		}
		col.Holds, col.Unit, col.DecimalComma = HoldsEntities, "", false
		if words := thingWords(col.Name); col.Says == "" && isCalledID(col.Name) && len(words) > 0 {
			col.Says = strings.Join(words, " ")
			if strings.HasSuffix(col.Name, "s") { // of several
				col.Says = lexicon.Plural(col.Says)
			}
		}
		example := ""
		if at := slices.IndexFunc(f.sampled, func(row [][]byte) bool { return c < len(row) && to[0].names[string(row[c])] != "" }); at >= 0 {
			id := string(f.sampled[at][c])
			example = ", such as " + inQuotes(id) + ", which is " + inQuotes(to[0].names[id])
		}
		f.Notes = append(f.Notes, f.columnName(c)+" holds ids of "+listed(names)+example+".")
	}
	f.compile() // a prefix may be new
	if changed && len(f.sampled) > 0 {
		row := copyStrings(f.sampled[0])
		for c, refers := range f.refers {
			if !refers || c >= len(row) {
				continue
			}
			var named []string
			for cell := range f.Columns[c].cells([]byte(row[c])) {
				name := string(cell)
				for _, t := range tables {
					if called := t.names[name]; called != "" && fs.formats[t.part].idColumn().Prefix == f.Columns[c].Prefix {
						name = called
						break
					}
				}
				named = append(named, name)
			}
			row[c] = strings.Join(named, f.Columns[c].Split)
		}
		f.Says = []Said{f.Say(row)}
	}
}

// referByName finds the columns of a part that hold names of things that have ids in another
// table, and has them lead to these.
func (fs *fileSet) referByName(i int, tables []*idTable, o *Options) {
	f := &fs.formats[i]
	if f.Kind != Delimited {
		return
	}
	for c := range f.Columns {
		col := &f.Columns[c]
		end := (col.Role == AsHead && f.columns[headIDRole] < 0 || col.Role == AsTail && f.columns[tailIDRole] < 0) && !f.isIDColumn(c)
		if !end && (col.Role != AsValue || col.Holds != HoldsEntities) || c < len(f.refers) && f.refers[c] {
			continue
		}
		var to *idTable
		var ids map[string]string
		for _, t := range tables {
			if !t.whole {
				continue
			}
			if all := t.idsOf(fs.formats[t.part].idColumn().Prefix); f.holds(c, all) {
				if to != nil { // a name of two things
					to = nil
					break
				}
				to, ids = t, all
			}
		}
		if to == nil {
			continue
		}
		if f.ids == nil {
			f.ids = make([]map[string]string, len(f.Columns))
		}
		if f.ids[c] = ids; col.Role == AsHead {
			fs.asRole(i, to.part, o)
		}
		f.Notes = append(f.Notes, f.columnName(c)+" holds names of "+inQuotes(fs.parts[to.part].name)+".")
	}
}

// idsOf are the ids of the names of a table that one thing has.
func (t *idTable) idsOf(prefix string) map[string]string {
	ids, twice := map[string]string{}, map[string]bool{"": true}
	for id, name := range t.names {
		twice[name] = twice[name] || ids[name] != ""
		ids[name] = prefix + id
	}
	maps.DeleteFunc(ids, func(name, _ string) bool { return twice[name] })
	return ids
}

// holds reports whether the cells of a column are names that have ids, and several.
func (f *Format) holds(c int, ids map[string]string) bool {
	seen := map[string]bool{}
	for _, row := range f.sampled {
		if c >= len(row) {
			continue
		}
		for cell := range f.Columns[c].cells(row[c]) {
			if ids[string(cell)] == "" {
				return false
			}
			seen[string(cell)] = true
		}
	}
	return len(seen) > 1
}

// known is the id of what a cell names, where another table has one for it.
func (f *Format) known(c int, cell []byte) []byte {
	if c < len(f.ids) {
		if id, ok := f.ids[c][string(cell)]; ok {
			return []byte(id)
		}
	}
	return cell
}

// referred returns the tables whose ids column c of part i holds; one alone where its name
// calls it.
func (fs *fileSet) referred(i, c int, ends bool, tables []*idTable) (fit []*idTable, called bool) {
	f := &fs.formats[i]
	if c >= len(f.Names) {
		return nil, false
	}
	words := wordsIn(columnType.ReplaceAllString(f.Names[c], ""))
	of := idWords(f.Names[c])
	byID := of != nil
	if byID {
		words = of
	}
	cells, known := 0, 0
	in := make([]int, len(tables))
	for _, row := range f.sampled {
		if c >= len(row) {
			continue
		}
		for cell := range f.Columns[c].cells(row[c]) {
			cells++
			found := 0
			for k, t := range tables {
				if _, ok := t.names[string(cell)]; ok {
					in[k], found = in[k]+1, 1
				}
			}
			known += found
		}
	}
	for k, t := range tables {
		sameID := byID && slices.Equal(of, idWords(fs.formats[t.part].idColumn().Name))
		if in[k] > 0 && (2*in[k] >= cells || !t.whole) && (sameID || fs.calls(words, t.part)) {
			return []*idTable{t}, true
		}
	}
	if u := fs.parts[i].uses; c < len(u) && u[c].to > 0 {
		if at := slices.IndexFunc(tables, func(t *idTable) bool { return t.part == u[c].to-1 }); at >= 0 && in[at] > 0 {
			return tables[at : at+1], true
		}
	}
	if !byID && !ends {
		return nil, false
	}
	whole := true
	for k, t := range tables {
		whole = whole && t.whole
		if in[k] == cells || in[k] > 0 && ends {
			fit = append(fit, t)
		}
	}
	if whole && (2*known < cells || !ends && known < cells) { // what is described nowhere is counted
		return nil, false
	}
	if alike := slices.DeleteFunc(slices.Clone(fit), func(t *idTable) bool { return !fs.alike(words, t.part) }); len(fit) > 1 && len(alike) == 1 {
		return alike, true
	}
	return fit, false
}

// alike reports whether words call a thing of the sort that a table is about: a father is a person.
func (fs *fileSet) alike(words []string, part int) bool {
	sorts := func(words []string) []lexicon.Answer {
		if len(words) == 0 {
			return nil
		}
		return lexicon.Builtin().AnswersNamed(lexicon.Stem(words[len(words)-1]))
	}
	kind, _, _ := strings.Cut(fs.formats[part].HeadType, "|")
	about := sorts(wordsIn(kind))
	return slices.ContainsFunc(sorts(words), func(a lexicon.Answer) bool {
		return a != lexicon.Text && a != lexicon.Number && slices.Contains(about, a)
	})
}

// calls reports whether words call what a table is about, or shorten it: dept for
// departments.
func (fs *fileSet) calls(words []string, part int) bool {
	return callsOne(words, fs.formats[part].HeadType) || callsOne(words, fs.tableName(part))
}

// callsOne reports whether words call one of what a name does, as "birthplace" is a place, or
// shorten it.
func callsOne(words []string, name string) bool {
	if len(words) == 0 {
		return false
	}
	const shortest = 4 // letters of a word that another may end in
	last := lexicon.Singular(words[len(words)-1])
	return slices.ContainsFunc(wordsIn(name), func(word string) bool {
		word = lexicon.Singular(word)
		return word == last || len(word) >= shortest && strings.HasSuffix(last, word) || shortens(last, word)
	})
}

// shortens reports whether a word is another that lacks letters: dept, emp, pers.
func shortens(short, word string) bool {
	const shortest = 3 // letters
	if len(short) < shortest || len(word) <= len(short) || word[:2] != short[:2] {
		return false
	}
	for _, r := range short {
		at := strings.IndexRune(word, r)
		if at < 0 {
			return false
		}
		word = word[at+len(string(r)):]
	}
	return true
}

// takenID is an id of a row that the graph had before, and how the row calls it.
type takenID struct {
	entity   kg.EntityID
	id, name string
}

// takenID notes an id that only numbers rows and that the graph has already: another file
// may number other things.
func (im *importer) takenID(e kg.EntityID, id, name []byte) {
	const most = 1000 // that are looked at
	if int(e) < im.known && len(im.taken) < most && len(name) > 0 && isInteger.Match(id) && !im.o.Off {
		im.taken = append(im.taken, takenID{e, string(id), string(name)})
	}
}

// noteTaken says which ids now have names of two files.
func (im *importer) noteTaken() error {
	n, example := 0, ""
	for _, t := range im.taken {
		all, err := im.st.Entities(im.ctx, t.entity, t.entity+1)
		if err != nil {
			return err
		}
		if len(all) == 1 && !strings.EqualFold(all[0].Label, t.name) {
			if n++; example == "" {
				example = inQuotes(t.id) + ", which is " + inQuotes(all[0].Label) + " and " + inQuotes(t.name)
			}
		}
	}
	if n > 0 {
		im.report.Notes = append(im.report.Notes, "The graph had "+itoa(int64(n))+" of these ids for things with other names, such as "+example+". Each pair is now one entity. If they are different entities, remove this layer, and import the files together, or with a prefix for the ids in a mapping file.")
	}
	return nil
}
