package ingest

import (
	"bytes"
	"cmp"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"cairn/engine/ingest/rdf"
	"cairn/engine/kg"
	"cairn/engine/lexicon"
	"cairn/internal/wording"
)

// Role is what a column of a table says. Columns of the head describe it as the
// entity of the row: where no column is a relation and none a tail, the row is an
// entity, and its columns are what is said of it.
type Role string

// The roles of columns.
const (
	LeftOut       Role = "left-out"
	AsHead        Role = "head"        // the name of the head, or its key where no column is its id
	AsRelation    Role = "relation"    // the name of the relation
	AsTail        Role = "tail"        // as AsHead
	AsHeadID      Role = "head-id"     // tells entities of one name apart; one that holds text is a value too
	AsTailID      Role = "tail-id"     // as AsHeadID
	AsHeadType    Role = "head-type"   // types, several divided by "|"
	AsTailType    Role = "tail-type"   // as AsHeadType
	AsSource      Role = "source"      // what the row names as its own source
	AsProperty    Role = "property"    // of the statement, named as the column is
	AsValue       Role = "value"       // the tail of a relation of the head, named as the column is
	AsLabel       Role = "label"       // a name of the head in the column's language
	AsAlias       Role = "alias"       // another name of the head
	AsDescription Role = "description" // of the head
	AsValueLabel  Role = "value-label" // a name of the thing in another column, a value
	AsMatrix      Role = "matrix"      // named as an entity; its cells say how the head is joined to it
)

// Roles are all of them, in the order in which people choose.
var Roles = []Role{AsHead, AsRelation, AsTail, AsProperty, AsValue, AsHeadID, AsTailID, AsHeadType, AsTailType, AsLabel, AsAlias, AsDescription, AsValueLabel, AsMatrix, AsSource, LeftOut}

// Holds is what the cells of a value or a property are.
type Holds string

// What cells hold. The default is entities in values and text in properties.
const (
	HoldsEntities Holds = "entities"
	HoldsText     Holds = "text"
	HoldsNumbers  Holds = "numbers" // what is none stays text
	HoldsDates    Holds = "dates"   // days, months or years; what is none stays text
)

// Column says how one column of a table is read.
type Column struct {
	Name string `json:"name,omitempty" toml:"name,omitempty"` // in the header; empty where there is none
	Role Role   `json:"role" toml:"role"`
	// Says is the relation or the property; empty for the column's name.
	Says  string `json:"says,omitempty" toml:"says,omitempty"`
	Holds Holds  `json:"holds,omitempty" toml:"holds,omitempty"`
	// Unit is that of numbers.
	Unit string `json:"unit,omitempty" toml:"unit,omitempty"`
	// DecimalComma is set where numbers are written as 1.234,5.
	DecimalComma bool `json:"decimal_comma,omitempty" toml:"decimal-comma,omitempty"`
	// Order is that of dates with the year last.
	Order DateOrder `json:"order,omitempty" toml:"order,omitempty"`
	// Split divides several values of one cell; empty where a cell is one value.
	Split string `json:"split,omitempty" toml:"split,omitempty"`
	// Signs is set where the cells are signs, such as + and -: a dash is no empty cell.
	Signs bool `json:"signs,omitempty" toml:"signs,omitempty"`
	// Language is that of names.
	Language string `json:"language,omitempty" toml:"language,omitempty"`
	// Of is the column whose things are named, for a value-label; empty for the nearest
	// value to its left.
	Of string `json:"of,omitempty" toml:"of,omitempty"`
	// Prefix stands before every id, so that equal ids of two tables stay apart.
	Prefix string `json:"prefix,omitempty" toml:"prefix,omitempty"`
}

// Reading says how the rows of a table are read: every column has a role.
type Reading struct {
	// Relation is that of every row, where no column holds it.
	Relation string `json:"relation,omitempty" toml:"relation,omitempty"`
	// HeadType is that of the heads of all rows, beside those of a column: what the rows
	// are about.
	HeadType string `json:"head_type,omitempty" toml:"head-type,omitempty"`
	// Sections is the relation of each row to the heading above it, where rows with one cell
	// are headings; empty where none are.
	Sections string   `json:"sections,omitempty" toml:"sections,omitempty"`
	Columns  []Column `json:"columns,omitempty" toml:"column"`
}

// Statements reports whether each row has a relation and a tail; otherwise it is an
// entity.
func (r *Reading) Statements() bool {
	return r.Relation != "" || slices.ContainsFunc(r.Columns, func(c Column) bool { return c.Role == AsRelation || c.Role == AsTail || c.Role == AsTailID })
}

// Check returns what is wrong with a reading, in words for people; nil where rows can
// be read by it.
func (r *Reading) Check() error {
	once := map[Role]int{}
	for i, c := range r.Columns {
		if !slices.Contains(Roles, c.Role) {
			return fmt.Errorf("%q is not a column role; choose from %s", c.Role, joinRoles(Roles))
		}
		switch c.Role {
		case AsProperty, AsValue, AsLabel, AsAlias, AsDescription, AsValueLabel, AsMatrix, LeftOut:
			continue
		default:
		}
		if at, ok := once[c.Role]; ok {
			return fmt.Errorf("the columns %d and %d are both the %s", at+1, i+1, strings.ReplaceAll(string(c.Role), "-", " "))
		}
		once[c.Role] = i
	}
	has := func(roles ...Role) bool {
		return slices.ContainsFunc(roles, func(x Role) bool { _, ok := once[x]; return ok })
	}
	switch {
	case !has(AsHead, AsHeadID):
		return fmt.Errorf("no column is the head")
	case r.Relation != "" && has(AsRelation):
		return fmt.Errorf("the relation in every row is %s, but a column is also the relation", inQuotes(r.Relation))
	case r.Statements() && !has(AsTail, AsTailID):
		return fmt.Errorf("no column is the tail")
	case r.Statements() && r.Relation == "" && !has(AsRelation):
		return fmt.Errorf("no column is the relation")
	case r.Statements() && slices.ContainsFunc(r.Columns, func(c Column) bool { return c.Role == AsMatrix }):
		return fmt.Errorf("a matrix has a head, but no relation or tail")
	case r.Statements() && r.Sections != "":
		return fmt.Errorf("rows below headings describe entities, so there is no relation or tail")
	case !r.Statements() && slices.ContainsFunc(r.Columns, func(c Column) bool { return c.Role == AsProperty }):
		return fmt.Errorf("a property belongs to a statement, but there is no relation or tail; use value for what belongs to the row's entity")
	}
	return nil
}

func joinRoles(roles []Role) string {
	return strings.Join(wording.Each(roles, func(r Role) string { return string(r) }), ", ")
}

// ParseRoles reads the roles of columns in their order: "head,relation,tail,property". What is
// the same in every row may follow: "head,tail,relation=leads to,type=station". An unnamed column
// after the last is left out.
func ParseRoles(text string) (Reading, error) {
	var r Reading
	for word := range strings.SplitSeq(text, ",") {
		switch what, is, _ := strings.Cut(word, "="); what {
		case "relation":
			if r.Relation = is; is != "" {
				continue
			}
		case "type":
			if r.HeadType = is; is != "" {
				continue
			}
		}
		role := Role(strings.NewReplacer(" ", "-", "_", "-").Replace(strings.ToLower(strings.TrimSpace(word))))
		if !slices.Contains(Roles, role) {
			return r, fmt.Errorf("%q is not a column role; choose from %s", word, joinRoles(Roles))
		}
		r.Columns = append(r.Columns, Column{Role: role})
	}
	return r, nil
}

// RolesText is what ParseRoles reads.
func (r *Reading) RolesText() string {
	words := wording.Each(r.Columns, func(c Column) string { return string(c.Role) })
	if r.Relation != "" {
		words = append(words, "relation="+r.Relation)
	}
	if r.HeadType != "" {
		words = append(words, "type="+r.HeadType)
	}
	return strings.Join(words, ",")
}

// fit gives the columns of a table the roles of a reading, by their names where both
// have some and by their places otherwise. Columns that the reading does not know are
// left out; one that it names and the table lacks is an error.
func (r *Reading) fit(names []string, width int) (Reading, error) {
	out := Reading{Relation: r.Relation, HeadType: r.HeadType, Sections: r.Sections, Columns: make([]Column, width)}
	for i := range out.Columns {
		out.Columns[i].Role = LeftOut
		if i < len(names) {
			out.Columns[i].Name = names[i]
		}
	}
	taken := make([]bool, width)
	for i, c := range r.Columns {
		at := i
		if c.Name != "" && len(names) > 0 {
			at = -1
			for j, n := range names {
				if !taken[j] && (n == c.Name || at < 0 && wording.Plain(n) == wording.Plain(c.Name)) {
					if at = j; n == c.Name {
						break
					}
				}
			}
		}
		if at < 0 || at >= width {
			if c.Role == LeftOut {
				continue
			}
			named := ""
			if len(names) > 0 {
				named = ", named " + strings.Join(names, ", ")
			}
			return out, fmt.Errorf("there is no column called %s: the file has %s%s", cmp.Or(c.Name, strconv.Itoa(i+1)), columnCount(width), named)
		}
		name := out.Columns[at].Name
		out.Columns[at] = c
		out.Columns[at].Name = name
		taken[at] = true
	}
	return out, out.Check()
}

// says is the name of the relation or property of column i.
func (r *Reading) says(i int) string {
	c := &r.Columns[i]
	name := c.Name
	if at := columnType.FindStringIndex(name); at != nil && name[at[0]] == ':' && at[0] > 0 {
		name = name[:at[0]] // age:int
	}
	if c.Unit != "" {
		name = unitInBrackets(name)
	}
	switch {
	case c.Unit == "":
	case c.Role == AsProperty: // a property keeps its unit by itself
		name, _ = unitOf(name)
	case c.Role == AsValue || c.Role == AsTail: // a power of ten goes with the numbers
		if scale, unit := kg.Scaled(c.Unit); scale != "" {
			if name, _ = unitOf(name); unit != "" {
				name += " (" + unit + ")"
			}
		}
	}
	return cmp.Or(c.Says, name, "column "+strconv.Itoa(i+1))
}

// compile finds the columns of each role.
func (f *Format) compile() {
	for r := range f.columns {
		f.columns[r] = -1
	}
	f.LeftOut = nil
	f.properties, f.values, f.names, f.matrix, f.valueNames = nil, nil, nil, nil, nil
	f.says = make([]string, len(f.Columns))
	for i, c := range f.Columns {
		f.says[i] = f.Reading.says(i)
		switch c.Role {
		case AsProperty:
			f.properties = append(f.properties, i)
		case AsValue:
			f.values = append(f.values, i)
		case AsLabel, AsAlias, AsDescription:
			if f.names = append(f.names, i); c.Role == AsAlias && c.Holds == HoldsText { // it is asked for too
				f.values = append(f.values, i)
			}
		case AsMatrix:
			f.matrix = append(f.matrix, i)
		case AsValueLabel:
			if at := f.labelled(i); at >= 0 {
				if f.valueNames == nil {
					f.valueNames = map[int]int{}
				}
				f.valueNames[at] = i
			}
		case LeftOut:
			f.LeftOut = append(f.LeftOut, f.columnName(i))
		default:
			if r := slices.Index(roleNames[:], c.Role); r >= 0 {
				f.columns[r] = i
			}
			if c.Role == AsHeadID && c.Holds == HoldsText { // people ask for codes
				f.values = append(f.values, i)
			}
		}
	}
}

// labelled returns the value that column i names; -1 for none.
func (r *Reading) labelled(i int) int {
	for at := i - 1; at >= 0; at-- {
		if c := &r.Columns[at]; c.Role == AsValue && r.Columns[i].Of == "" {
			return at
		}
	}
	return slices.IndexFunc(r.Columns, func(c Column) bool { return c.Role == AsValue && c.Name == r.Columns[i].Of })
}

// As is the format with another reading of its columns, for people to see.
func (f *Format) As(r Reading) Format {
	other := *f
	other.Mapping = Mapping{Reading: r, Confidence: 1}
	other.compile()
	return other
}

// withUnit is a column's name with the unit of its numbers: "height (cm)"; withScale is one with a
// power of ten, and maybe a unit: "population in thousands".
var (
	withUnit  = regexp.MustCompile(`^(.*\S)\s*[(\[]\s*([^()\[\]]{1,24}?)\s*[)\]]$`)
	withScale = regexp.MustCompile(`(?i)^(.*[^\s_])[\s_]in[\s_]((?:thousand|million|billion)s?(?:[\s_].{1,16})?)$`)
)

// unitInBrackets is the name of numbers with the unit that it ends with in brackets: "length_km" is
// "length (km)", "discharge_m3_s" "discharge (m3/s)", "Fee EUR" "Fee (EUR)". Behind a space a unit has capitals.
// A letter is a unit behind the name of a measure, "height_m"; the least is no minutes, but in "running_time_min",
// "price_per_kg" no mass, and "founded_year" no duration. A power of ten before the unit, "volume_mio_m3", is not
// in its numbers, and the name stays.
func unitInBrackets(name string) string {
	if m := withUnit.FindStringSubmatch(name); m != nil && degrees(m[1], m[2]) != "" {
		return m[1] + " (" + degrees(m[1], m[2]) + ")"
	}
	sign := "_"
	if at := strings.LastIndexByte(name, ' '); at >= 0 && !strings.Contains(name[at:], "_") { // in "contract annual_fee_eur" the unit is behind the last
		sign = " "
	}
	words := strings.Split(name, sign)
	n := len(words) - 1
	if n < 1 || words[0] == "" || strings.ContainsAny(name, "([:/") || sign == " " && (len(words[n]) < 2 || strings.ToLower(words[n]) == words[n]) {
		return name
	}
	if n > 1 && (slices.Contains(perTimes, words[n]) && len(words[n-1]) > 1 && len(kg.UnitsWritten(words[n-1])) > 0 || isOf("mass", words[n-1]) && isOf("volume", words[n])) {
		return strings.Join(words[:n-1], sign) + " (" + words[n-1] + "/" + words[n] + ")"
	}
	us, rest := kg.OfDimension(kg.UnitsWritten(words[n]), lexicon.Builtin().DimensionOf(words[:n])), strings.Join(words[:n], sign)
	if unit := degrees(words[n-1], words[n]); unit != "" {
		return rest + " (" + unit + ")"
	}
	scale, _ := kg.Scaled(words[n-1])
	isTime := len(us) > 0 && us[0].Dimension == "time" && (strings.HasSuffix(rest, "time") || strings.HasSuffix(rest, "duration")) // downtime_h
	if len(us) == 0 || scale != "" || slices.Contains(noUnits, words[n]) && !isTime || words[n-1] == "per" || len(words[n]) == 1 && !isTime && !lexicon.Builtin().IsMeasure(strings.Split(strings.ToLower(rest), sign)) {
		return name
	}
	unit := us[0].Symbol
	if currency := strings.ToUpper(words[n]); len(currency) == len("EUR") && len(kg.UnitsOf(currency)) > 0 && unit != "%" {
		unit = currency
	}
	return rest + " (" + unit + ")"
}

// degrees is the unit that a letter stands for behind the name of a temperature: "Water temp" and "C"; "" for others.
func degrees(name, letter string) string {
	words, us := strings.Fields(strings.ToLower(name)), kg.UnitsOf("°"+strings.ToUpper(letter))
	if len(us) == 0 || len(words) == 0 || !strings.HasPrefix(words[len(words)-1], "temp") {
		return ""
	}
	return us[0].Symbol
}

// isOf reports whether a word is a unit of a dimension.
func isOf(dimension, word string) bool {
	return slices.ContainsFunc(kg.UnitsWritten(word), func(u kg.Unit) bool { return u.Dimension == dimension })
}

// perTimes are what is divided by in a name, and noUnits words that say something else there.
var (
	perTimes = []string{"s", "h"}
	noUnits  = []string{"min", "year", "month", "week", "day", "hour", "minute", "second", "au", "da"}
)

// unitOf divides the name of a column from the unit in it.
func unitOf(name string) (rest, unit string) {
	name = unitInBrackets(name)
	const longest = 12 // of a unit without a power of ten
	for _, form := range []*regexp.Regexp{withUnit, withScale} {
		if m := form.FindStringSubmatch(name); m != nil {
			if scale, _ := kg.Scaled(m[2]); scale != "" || form == withUnit && len(m[2]) <= longest {
				return m[1], m[2]
			}
		}
	}
	return name, ""
}

const xsd = "http://www.w3.org/2001/XMLSchema#"

var (
	xsdDecimal = regexp.MustCompile(`^[-+]?(\d+(\.\d*)?|\.\d+)$`)
	xsdDouble  = regexp.MustCompile(`^[-+]?(\d+(\.\d*)?|\.\d+)[eE][-+]?\d+$`)
	percent    = regexp.MustCompile(`^([-+]?\d+(?:\.\d+)?)\s*%$`)
	isDay      = regexp.MustCompile(`^-?\d{4}-\d{2}-\d{2}$`)
	isMonth    = regexp.MustCompile(`^-?\d{4}-\d{2}$`)
	isYear     = regexp.MustCompile(`^-?\d{4}$`)
	isTime     = regexp.MustCompile(`^-?\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d+)?(Z|[-+]\d{2}:\d{2})?$`)
)

// Numbers with a decimal comma, and dots or spaces between thousands, and what makes
// them numbers with a decimal point.
var (
	commaNumber = regexp.MustCompile(`^[-+]?(\d{1,3}([. \x{a0}\x{202f}'’]\d{3})+|\d+)(,\d+)?\s*%?$`)
	pointNumber = regexp.MustCompile(`^[-+]?(\d{1,3}([, \x{a0}\x{202f}'’]\d{3})+|\d+)(\.\d+)?\s*%?$`)
	withPoint   = strings.NewReplacer(".", "", " ", "", "\u00a0", "", "\u202f", "", "'", "", "’", "", ",", ".")
)

// decimalCommas reports whether the numbers of a table are written with a decimal comma:
// some can be read in no other way, and none can be read only with a point.
func decimalCommas(columns []columnFacts) bool {
	found := false
	for i := range columns {
		if f := &columns[i]; f.kind != decimalKind && f.kind != integerKind {
			continue
		}
		for cell := range columns[i].values {
			switch comma, point := commaNumber.MatchString(cell), pointNumber.MatchString(cell); {
			case comma && !point:
				found = true
			case point && !comma:
				return false
			}
		}
	}
	return found
}

// pointThousands reports whether points divide the thousands of a column: three figures follow
// each, and whole numbers without one have three at most, as "1.234" beside "980".
func (f *columnFacts) pointThousands() bool {
	points, whole := 0, 0
	for cell := range f.values {
		switch {
		case thousands.MatchString(cell):
			points++
		case len(cell) < 4 && isInteger.MatchString(cell):
			whole++
		default:
			return false
		}
	}
	return points > 1 && whole > 0
}

var thousands = regexp.MustCompile(`^[1-9]\d{0,2}(\.\d{3})+$`)

// notations says how dates and numbers are read that may be meant otherwise.
func (m *mapper) notations(f *Format) (notes []string) {
	for i := range min(len(f.Columns), len(m.columns)) {
		c := &f.Columns[i]
		switch _, unclear := dateOrder(m.columns[i].values); {
		case c.Holds == HoldsDates && unclear != "" && c.Order == "":
			notes = append(notes, "Dates in "+f.columnName(i)+" such as "+inQuotes(unclear)+" may begin with the day or the month, so they stay text. To have them read, save the mapping, and write order = \"day-first\" or \"month-first\" below that column.")
		case c.Holds == HoldsNumbers && c.DecimalComma && m.columns[i].pointThousands():
			example := slices.MaxFunc(slices.Collect(maps.Keys(m.columns[i].values)), func(a, b string) int { return cmp.Or(cmp.Compare(len(a), len(b)), cmp.Compare(b, a)) })
			notes = append(notes, "Points in "+f.columnName(i)+" divide thousands: "+inQuotes(example)+" is "+withPoint.Replace(example)+".")
		}
	}
	return notes
}

// typed returns the text of a cell and the IRI of its datatype, or its unit; none
// where it is not written as the column's cells are.
func (c *Column) typed(cell string) (value, datatype string) {
	switch c.Holds {
	case HoldsNumbers:
		if c.DecimalComma && commaNumber.MatchString(cell) {
			cell = withPoint.Replace(cell)
		}
		if m := percent.FindStringSubmatch(cell); m != nil {
			return m[1], "%"
		}
		number := ""
		switch {
		case isInteger.MatchString(cell):
			number = xsd + "integer"
		case xsdDecimal.MatchString(cell):
			number = xsd + "decimal"
		case xsdDouble.MatchString(cell):
			number = xsd + "double"
		}
		if number != "" && c.Unit != "" {
			if scale, unit := kg.Scaled(c.Unit); scale != "" {
				return cell + " " + scale, unit
			}
			return cell, c.Unit
		}
		return cell, number
	case HoldsDates:
		cell, _ = isoDate(cell, c.Order)
		switch {
		case isDay.MatchString(cell):
			return cell, xsd + "date"
		case isMonth.MatchString(cell):
			return cell, xsd + "gYearMonth"
		case isYear.MatchString(cell):
			return cell, xsd + "gYear"
		case isTime.MatchString(cell):
			return cell, xsd + "dateTime"
		}
	case HoldsEntities, HoldsText:
	}
	return cell, ""
}

// cells are the values of a cell.
func (c *Column) cells(cell []byte) func(func([]byte) bool) {
	return func(yield func([]byte) bool) {
		if c.isNothing(string(cell)) {
			return
		}
		if c.Split == "" {
			if len(cell) > 0 {
				yield(cell)
			}
			return
		}
		for one := range bytes.SplitSeq(cell, []byte(c.Split)) {
			if one = bytes.TrimSpace(one); len(one) > 0 && !yield(one) {
				return
			}
		}
	}
}

// Given is a property as people read it.
type Given struct{ Name, Value string }

// Fact is one statement as people read it.
type Fact struct {
	Relation, Tail string
	With           []Given
}

// Said is what one row says, as people read it.
type Said struct {
	Head  string
	Is    []string // its types
	Names []string // its other names
	Facts []Fact
	// Source is what the row names as its own; empty for none.
	Source string
}

// Piece is a part of a sentence; Name is set for what stands in the row and names an
// entity.
type Piece struct {
	Text string
	Name bool
}

// Pieces is the sentence that a row makes: "Marie Curie — director of → Radium
// Institute, from 1914 to 1934, source biography.pdf".
func (s *Said) Pieces() []Piece {
	pieces := []Piece{{s.Head, true}}
	add := func(text string) { pieces = append(pieces, Piece{Text: text}) }
	if len(s.Is) > 0 {
		add(" (" + strings.Join(s.Is, ", ") + ")")
	}
	for i, name := range s.Names {
		add([]string{", also called ", ", "}[min(i, 1)])
		add(name)
	}
	for i, f := range s.Facts {
		if add("; "); i == 0 {
			pieces = pieces[:len(pieces)-1]
			add(" — ")
		}
		add(f.Relation + " → ")
		pieces = append(pieces, Piece{f.Tail, true})
		for j, g := range f.With {
			if j > 0 && g.Name == "to" && f.With[j-1].Name == "from" {
				add(" ")
			} else {
				add(", ")
			}
			add(g.Name + " ")
			add(g.Value)
		}
	}
	if s.Source != "" {
		add(", source " + s.Source)
	}
	return pieces
}

// String is the sentence of Pieces on one line.
func (s *Said) String() string {
	var b strings.Builder
	for _, p := range s.Pieces() {
		b.WriteString(p.Text)
	}
	return wording.OneLine(b.String())
}

// Say reads one row as an import would, for people.
func (f *Format) Say(row []string) Said {
	cell := func(r role) string {
		if at := f.columns[r]; at >= 0 && at < len(row) {
			return row[at]
		}
		return ""
	}
	at := func(i int) []byte {
		if i < len(row) {
			return []byte(row[i])
		}
		return nil
	}
	s := Said{Head: cmp.Or(cell(headRole), cell(headIDRole)), Source: cell(sourceRole)}
	for one := range strings.SplitSeq(cell(headTypeRole)+"|"+f.HeadType, "|") {
		if one = strings.TrimSpace(one); one != "" {
			s.Is = append(s.Is, one)
		}
	}
	for _, i := range f.names {
		for one := range f.Columns[i].cells(at(i)) {
			switch {
			case f.Columns[i].Role == AsDescription:
				s.Facts = append(s.Facts, Fact{Relation: "description", Tail: string(one)})
			case f.Columns[i].Role == AsLabel && f.columns[headRole] < 0 && s.Head == cell(headIDRole):
				s.Head = string(one)
			default:
				s.Names = append(s.Names, string(one))
			}
		}
	}
	withUnit := func(c *Column, cell string) string {
		value, datatype := c.typed(cell)
		if datatype != "" && !strings.HasPrefix(datatype, xsd) {
			return value + " " + datatype
		}
		if c.DecimalComma || c.Unit != "" || c.Holds == HoldsDates {
			return value
		}
		return cell
	}
	if f.Statements() {
		fact := Fact{Relation: cmp.Or(f.Relation, cell(relationRole)), Tail: cmp.Or(cell(tailRole), cell(tailIDRole))}
		for _, i := range f.properties {
			for one := range f.Columns[i].cells(at(i)) {
				fact.With = append(fact.With, Given{f.says[i], withUnit(&f.Columns[i], string(one))})
			}
		}
		s.Facts = append(s.Facts, fact)
	}
	for _, i := range f.values {
		for one := range f.Columns[i].cells(at(i)) {
			tail := string(one)
			if f.Columns[i].DecimalComma || f.Columns[i].Unit != "" || f.Columns[i].Holds == HoldsDates {
				tail, _ = f.Columns[i].typed(tail)
			}
			if named, ok := f.valueNames[i]; ok {
				tail = cmp.Or(string(at(named)), tail)
			}
			s.Facts = append(s.Facts, Fact{Relation: f.says[i], Tail: tail})
		}
	}
	for _, i := range f.matrix {
		if relation, weight, ok := f.Columns[i].joins(string(at(i))); ok {
			fact := Fact{Relation: relation, Tail: f.says[i]}
			if weight != "" {
				fact.With = []Given{{weightName, weight}}
			}
			s.Facts = append(s.Facts, fact)
		}
	}
	return s
}

// What the cells of a matrix say where they hold numbers.
const (
	matrixRelation = "linked to"
	weightName     = "weight"
)

// joins is what a cell of a matrix says: that the head is joined to the entity of the
// column, how, and by what weight; nothing where it is empty or no.
func (c *Column) joins(cell string) (relation, weight string, ok bool) {
	number := Column{Holds: HoldsNumbers, DecimalComma: c.DecimalComma}
	value, datatype := number.typed(strings.TrimSpace(cell))
	switch strings.ToLower(value) {
	case "", "-", "no", "false", "n":
		return "", "", false
	case "x", "yes", "true", "y":
		return matrixRelation, "", true
	}
	switch {
	case value == "1" && c.Holds != HoldsNumbers: // it only says yes
		return matrixRelation, "", true
	case datatype == "":
		return value, "", true
	}
	if n, err := strconv.ParseFloat(value, 64); err == nil && n == 0 {
		return "", "", false
	}
	return matrixRelation, value, true
}

// value returns the entity of a cell of column i: a thing, or a literal.
func (im *importer) value(i int, cell []byte, fields [][]byte) kg.EntityID {
	c := &im.format.Columns[i]
	if c.Holds == "" || c.Holds == HoldsEntities {
		var name []byte
		if at, ok := im.format.valueNames[i]; ok && at < len(fields) {
			name = fields[at]
		}
		return im.named(im.prefixed(c, im.format.known(i, cell)), name, "")
	}
	text, datatype := c.typed(string(cell))
	key := im.keyOf(&rdf.Term{Kind: rdf.Literal, Value: []byte(text), Datatype: []byte(datatype)})
	if e, ok := im.w.FindBytes(key); ok {
		return e
	}
	return im.w.Literal(key, text, datatype, "")
}

// propertiesOf are what a row says beside its triple. They are valid until the next call.
func (im *importer) propertiesOf(fields [][]byte) []kg.Property {
	im.props = im.props[:0]
	for _, i := range im.format.properties {
		if i >= len(fields) {
			continue
		}
		c := &im.format.Columns[i]
		for one := range c.cells(fields[i]) {
			p := kg.Property{Name: im.format.says[i], Entity: kg.NoEntity}
			if c.Holds == HoldsEntities {
				p.Entity = im.entity(im.prefixed(c, one))
			} else {
				p.Value, p.Datatype = c.typed(string(one))
			}
			im.props = append(im.props, p)
		}
	}
	return im.props
}

// prefixed is a key with the prefix of its column.
func (im *importer) prefixed(c *Column, key []byte) []byte {
	if c.Prefix == "" || len(key) == 0 {
		return key
	}
	return append([]byte(c.Prefix), key...)
}
