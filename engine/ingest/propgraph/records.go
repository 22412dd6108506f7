package propgraph

import (
	"cmp"
	"encoding/json"
	"hash/maphash"
	"io"
	"maps"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"cairn/engine/internal/bail"
	"cairn/internal/wording"
)

// Records are what programs without graphs in mind write in JSON: a list of objects, or an object that has such
// lists. They are read as the tables of rows that they would be elsewhere. A list is a table called by its
// member, and an object in it a row. A list in an object is a table too, whose rows name the record that holds
// them. An object in a record that has an id or a name is a row of a table of its own; any other is a part of
// the record.
//
// Learn reads all of it, then Rows once more, when it is known what the tables have.
type Records struct {
	Tables  []*RecordTable
	LeftOut []string // members that hold no records

	file      string                   // what the list that is the whole document is called
	one, many func(name string) string // a list's name for one of its records, and a record's for several
	write     func(t *RecordTable, line string, cells []string) error
	seed      maphash.Seed
	found     int // rows
	bad       int // members of lists that are no objects
}

// RecordTable is a list of records.
type RecordTable struct {
	Name    string // of the member that the list is; that of the file where it is all of it
	Within  string // the names of the tables whose records hold the list, with points; empty for none
	Whole   bool   // it is all of the document
	Columns []RecordColumn
	// ID and Label are the columns of what tells the records apart and of what they are called, Holder is that of
	// the record which holds them. Tail is set where a row says no more than how its holder is joined to
	// something, which is of the kind in column TailType. Each is -1 for none.
	ID, Label, Holder, Tail, TailType int
	Holds                             bool // its records hold those of other tables
	// Made counts the records whose id was made here: it is the first cell of a row, before the columns.
	Made int

	at     map[string]int
	single bool // of records that are no members of a list
	rows   int
	made   map[string]int
	seen   map[uint64]bool // what was given of single records
}

// RecordColumn is a member of records.
type RecordColumn struct {
	Name string
	// Split divides the values of a list.
	Split string

	filled, texts, lower int
	barred               bool // a value of a list has a bar
	values               map[string]bool
	repeated             bool
}

// What the members of a record are called that name it, that name it beside a code where they are all different, and
// that number it: "no" is the last, as it ends other words.
var (
	recordNames = []string{"name", "title", "label"}
	textNames   = []string{"model", "headline", "heading", "caption", "designation", "codename", "nickname", "callsign"}
	codes       = []string{"number", "code", "ref", "id", "nr", "no"}
)

// maxSeen is how many records and values of a column are told apart.
const maxSeen = 1 << 16

// NewRecords returns a reader of a file, whose name is that of a list which is all of it. one and many are what a
// record of a list is called, and several of what one is.
func NewRecords(file string, one, many func(string) string) *Records {
	return &Records{file: file, one: one, many: many, seed: maphash.MakeSeed()}
}

// Learn reads the document to see which tables it has. An *Error is of the document.
func (x *Records) Learn(r io.Reader) (err error) {
	defer bail.To(&err)
	x.read(r)
	x.settle()
	return nil
}

// Rows reads the document again and gives every row, with its line as text: a row that begins with "!" and the
// line is none, and tells why and what stands there.
func (x *Records) Rows(r io.Reader, write func(t *RecordTable, line string, cells []string) error) (err error) {
	defer bail.To(&err)
	x.write = write
	x.read(r)
	return nil
}

// Found reports whether the document mostly has records, as far as it was read.
func (x *Records) Found() bool { return x.found > x.bad }

func (x *Records) read(r io.Reader) {
	j := newJSONReader(r, out{})
	j.document(func() { x.list(j, x.file, true) }, func() { x.lists(j, "", 1) })
}

// lists reads an object that has lists of records, perhaps in another.
func (x *Records) lists(j *jsonReader, within string, depth int) {
	for j.More() {
		name, _ := j.inside().(string)
		token := j.inside()
		found := x.found
		switch {
		case token == json.Delim('['):
			x.list(j, name, false)
		case token == json.Delim('{') && depth < 4:
			x.lists(j, within+name+".", depth+1)
			continue
		default:
			j.value(token, j.InputOffset(), 1)
		}
		if x.found == found && x.write == nil {
			x.LeftOut = append(x.LeftOut, within+name)
		}
	}
	j.inside()
}

// list reads the records of a list.
func (x *Records) list(j *jsonReader, name string, whole bool) {
	var t *RecordTable
	for j.More() {
		token := j.inside()
		line, column := j.places.at(j.InputOffset())
		value := j.value(token, j.InputOffset(), 1)
		o, ok := value.(object)
		if !ok {
			x.bad++
			if t != nil {
				bad := &Error{Column: column, What: "a record must be an object"}
				x.give(t, "!"+strconv.FormatInt(line, 10), []string{bad.Error(), compact(value)})
			}
			continue
		}
		t = x.table(name, nil)
		t.Whole = whole
		x.record(t, o, strconv.FormatInt(line, 10), nil, nil)
	}
	j.inside()
}

// table returns the table of a list, which the records of another may hold. Where these are called so too, it is
// the same.
func (x *Records) table(name string, in *RecordTable) *RecordTable {
	within := ""
	if in != nil {
		if in.Name == name {
			return in
		}
		if within = in.Name; in.Within != "" {
			within = in.Within + "." + in.Name
		}
	}
	at := slices.IndexFunc(x.Tables, func(t *RecordTable) bool { return t.Name == name && t.Within == within })
	if at < 0 {
		at = len(x.Tables)
		x.Tables = append(x.Tables, &RecordTable{Name: name, Within: within, ID: -1, Label: -1, Holder: -1, Tail: -1, TailType: -1, at: map[string]int{}, made: map[string]int{}, seen: map[uint64]bool{}})
	}
	return x.Tables[at]
}

func (x *Records) give(t *RecordTable, line string, cells []string) {
	if x.write != nil {
		bail.If(x.write(t, line, cells))
	}
}

// holder is a record that holds others.
type holder struct {
	table     *RecordTable
	key, name string
}

// column returns the column of a name.
func (t *RecordTable) column(name string) int {
	at, ok := t.at[name]
	if !ok {
		at = len(t.Columns)
		t.at[name] = at
		t.Columns = append(t.Columns, RecordColumn{Name: name, values: map[string]bool{}})
	}
	return at
}

// isRecord reports whether an object has an id, or a name as text.
func isRecord(o object) bool {
	name, _ := o.get(recordNames...).(string)
	id, _, ok := scalar(o.get(ids...))
	return name != "" || ok && id != ""
}

// row is a record that is being read.
type row struct {
	table *RecordTable
	cells []string
	line  string
	inner []inner
}

// inner is an object in a record: of a list, or by itself.
type inner struct {
	name string
	o    object
	cell int // that names it in the record; -1 where it names its holder
}

// record reads a record, which others hold, and what is in it. It returns what the record is known by.
func (x *Records) record(t *RecordTable, o object, line string, within []holder, from *holder) string {
	r := &row{table: t, line: line}
	if from != nil {
		name := x.one(from.table.Name)
		if o.get(name) != nil {
			name = "part of"
		}
		t.Holder = t.column(name)
		r.set(t.Holder, from.key)
	}
	x.members(r, "", o)
	t.Holds = t.Holds || slices.ContainsFunc(r.inner, func(in inner) bool { return in.cell < 0 })
	id := ""
	key := x.key(r)
	called := func(h holder) bool { return h.key == key }
	switch {
	case x.write == nil || t.Tail >= 0:
	case key == "":
		id = x.made(r, from)
		key = id
	case (t.ID < 0 || r.at(t.ID) == "") && slices.ContainsFunc(within, called): // a band's album that is called as the band is
		id = t.Name + "/" + key
		key = id
	}
	if id != "" {
		t.Made++
	}
	self := holder{t, key, cmp.Or(r.at(t.Label), key)}
	within = append(slices.Clip(within), self)
	for _, in := range r.inner {
		if in.cell < 0 {
			x.record(x.table(in.name, t), in.o, line, within, &self)
			continue
		}
		single := x.table(in.name, nil)
		single.single = true
		r.set(in.cell, x.record(single, in.o, line, within, nil))
	}
	x.found++
	if t.rows++; x.write == nil {
		x.learn(r)
		return key
	}
	if t.TailType >= 0 && !x.knows(r.at(t.Tail), &t.Columns[t.Tail]) { // a dish in another is no ingredient
		r.set(t.TailType, x.one(t.Columns[t.Tail].Name))
	}
	if t.single && !x.isNew(r) {
		return key
	}
	x.give(t, line, append([]string{id}, append(r.cells, make([]string, len(t.Columns)-len(r.cells))...)...))
	return key
}

// isNew reports whether nothing like a row was given before.
func (x *Records) isNew(r *row) bool {
	sum := maphash.String(x.seed, strings.Join(r.cells, "\x00"))
	if r.table.seen[sum] {
		return false
	}
	if len(r.table.seen) < maxSeen {
		r.table.seen[sum] = true
	}
	return true
}

// members reads what an object has, called after what it is a part of.
func (x *Records) members(r *row, part string, o object) {
	for _, m := range o {
		name := m.name
		if part != "" {
			name = part + " " + name
		}
		switch v := m.value.(type) {
		case object:
			if isRecord(v) {
				r.inner = append(r.inner, inner{x.many(m.name), v, r.table.column(name)})
				continue
			}
			x.members(r, name, v)
		case []any:
			var texts []string
			for _, one := range v {
				if o, ok := one.(object); ok {
					r.inner = append(r.inner, inner{m.name, o, -1})
				} else if text, _, ok := scalar(one); ok {
					texts = append(texts, text)
				} else if one != nil {
					texts = append(texts, compact(one))
				}
			}
			if len(texts) == 0 {
				continue
			}
			at := r.table.column(name)
			c := &r.table.Columns[at]
			if c.Split == "" {
				c.Split = "|"
			}
			c.barred = c.barred || strings.Contains(strings.Join(texts, ""), "|")
			r.set(at, strings.Join(texts, c.Split))
		default:
			text, _, _ := scalar(v)
			if text = strings.TrimSpace(text); text == "" {
				continue
			}
			at := r.table.column(name)
			if _, isText := v.(string); isText {
				r.table.Columns[at].texts++
			}
			r.set(at, text)
		}
	}
}

func (r *row) set(at int, cell string) {
	if at >= len(r.cells) {
		r.cells = append(r.cells, make([]string, len(r.table.Columns)-len(r.cells))...)
	}
	r.cells[at] = cell
}

func (r *row) at(c int) string {
	if c < 0 || c >= len(r.cells) {
		return ""
	}
	return r.cells[c]
}

// key is what a record is known by: its id, or else its name.
func (x *Records) key(r *row) string {
	if id := r.at(r.table.ID); id != "" {
		return id
	}
	return r.at(r.table.Label)
}

// made makes an id for a record that has none, but holds others or is held by one: of what holds it and its
// first value, or else of its number.
func (x *Records) made(r *row, from *holder) string {
	t := r.table
	if !t.Holds && from == nil {
		return ""
	}
	id := x.one(t.Name)
	if from != nil {
		first := slices.IndexFunc(r.cells, func(cell string) bool { return cell != "" && cell != from.key })
		id = from.name + ", " + strings.TrimSpace(x.one(t.Name)+" "+r.at(first))
	}
	if t.made[id]++; t.made[id] > 1 || from == nil {
		id += " " + strconv.Itoa(t.made[id])
	}
	return id
}

// learn counts what a row holds.
func (x *Records) learn(r *row) {
	for i, cell := range r.cells {
		if cell == "" {
			continue
		}
		c := &r.table.Columns[i]
		c.filled++
		c.lower += lowerFirst(cell)
		if c.values[cell] {
			c.repeated = true
		} else if len(c.values) < maxSeen {
			c.values[cell] = true
		}
	}
}

// lowerFirst is 1 for a text that begins with a small letter.
func lowerFirst(text string) int {
	if text[0] >= 'a' && text[0] <= 'z' {
		return 1
	}
	return 0
}

// settle decides what tells the records of each table apart.
func (x *Records) settle() {
	for _, t := range x.Tables {
		for i := range t.Columns {
			if c := &t.Columns[i]; c.barred {
				c.Split = "¦"
			}
		}
		t.ID, t.Label = t.called(ids), t.called(recordNames)
		list := wording.Plain(t.Name)
		for i := range t.Columns {
			c := &t.Columns[i]
			own := len(c.values)*10 > t.rows*9 // several records that share it are not told apart by it
			plain := wording.Plain(c.Name)
			switch {
			case !own || c.Split != "" || i == t.Holder:
			case t.ID < 0 && t.Label < 0 && (isCode(c.Name, list) || t.Holder >= 0 && !c.repeated && c.filled == t.rows && endsInCode(c.Name)):
				t.ID = i
			case t.Label < 0 && c.texts > 0 && isOneOf(plain, list) && len(plain)+2 >= len(list):
				t.Label = i
			}
		}
	}
	for _, t := range x.Tables {
		if t.ID >= 0 && t.Label < 0 { // they have a code, and a text that calls each of them
			t.Label = slices.IndexFunc(t.Columns, func(c RecordColumn) bool {
				return c.texts == t.rows && !c.repeated && c.Split == "" && slices.Contains(textNames, wording.Plain(c.Name))
			})
		}
		if own := func(c RecordColumn) bool { return c.texts == t.rows && !c.repeated && c.Split == "" }; t.Holds && t.ID < 0 {
			t.ID = slices.IndexFunc(t.Columns, func(c RecordColumn) bool { return own(c) && isCode(c.Name, wording.Plain(t.Name)) })
			if t.ID < 0 && t.Label < 0 {
				t.Label = slices.IndexFunc(t.Columns, own)
			}
		}
		if t.Holder < 0 || t.ID >= 0 || t.Label >= 0 || t.Holds {
			continue
		}
		for i := range t.Columns {
			if c := &t.Columns[i]; i != t.Holder && c.texts > 0 && c.Split == "" {
				if x.isThing(c) {
					t.Tail, t.TailType = i, t.column(c.Name+" type")
				}
				break
			}
		}
	}
}

// isThing reports whether the values of a column are things: records of a table have these ids or names, or they
// are written as names are, or seldom come again. Others only tell records apart: male and female.
func (x *Records) isThing(c *RecordColumn) bool {
	known := func(v string) bool { return x.knows(v, c) }
	return 2*c.lower <= c.filled || 2*len(c.values) > c.filled || slices.ContainsFunc(slices.Collect(maps.Keys(c.values)), known)
}

// knows reports whether a text is the id or the name of a record, by another column than c.
func (x *Records) knows(text string, c *RecordColumn) bool {
	return slices.ContainsFunc(x.Tables, func(t *RecordTable) bool {
		is := func(at int) bool { return at >= 0 && &t.Columns[at] != c && t.Columns[at].values[text] }
		return is(t.ID) || is(t.Label)
	})
}

// called returns the first column that is called by one of some names and that most records have; -1 for none.
func (t *RecordTable) called(names []string) int {
	for _, name := range names {
		if at, ok := t.at[name]; ok && 2*t.Columns[at].filled > t.rows && t.Columns[at].Split == "" {
			return at
		}
	}
	return -1
}

// isCode reports whether a member numbers the records of a list, which has a plain name: the visit_no of visits, the
// companyCode of companies, or just a number.
func isCode(name, list string) bool {
	called := wording.Plain(name)
	return slices.ContainsFunc(codes, func(code string) bool {
		kind, ok := strings.CutSuffix(called, code)
		return ok && (kind == "" || isOneOf(kind, list))
	})
}

// endsInCode reports whether the last word of a member is one for codes: catalogueNo, serial_number.
func endsInCode(name string) bool {
	return slices.ContainsFunc(codes, func(code string) bool {
		at := len(name) - len(code)
		return at > 0 && strings.EqualFold(name[at:], code) && (name[at] < 'a' || !unicode.IsLetter(rune(name[at-1])))
	})
}

// isOneOf reports whether a list is called by a plural of a noun, all in plain letters.
func isOneOf(noun, list string) bool {
	return len(noun) > 2 && strings.HasPrefix(list, noun[:len(noun)-1]) && len(list) >= len(noun)
}
