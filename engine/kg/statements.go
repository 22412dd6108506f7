package kg

import (
	"cmp"
	"encoding/json"
	"fmt"
	"iter"
	"slices"
	"sort"
	"strings"
)

// statements are what the triples of a Graph say beside themselves. A graph of plain
// triples has none of these arrays.
type statements struct {
	list []statement // ascending by (triple, set)

	// members[setAt[s]:setAt[s+1]] are the properties of set s.
	setAt     []uint32
	members   []packedProperty
	values    texts // value i is that of members[i]
	datatypes texts

	names, texts []string // of properties, in the source and for people
}

// packedProperty is a Property with ids for what repeats.
type packedProperty struct {
	property, datatype uint32
	entity             EntityID
}

func (s statement) compare(o statement) int {
	return cmp.Or(cmp.Compare(s.triple, o.triple), cmp.Compare(s.set, o.set))
}

// HasProperties reports whether any statement of the graph says more than its triple.
func (g *Graph) HasProperties() bool { return len(g.said.list) > 0 }

// PropertyNames returns the names of properties in the order in which they were
// first read.
func (g *Graph) PropertyNames() []string { return g.said.names }

// PropertyText returns the name of a property for people: "start time" for an IRI
// that the graph calls so.
func (g *Graph) PropertyText(name string) string {
	if i := slices.Index(g.said.names, name); i >= 0 { // there are few
		return g.said.texts[i]
	}
	return RelationText(name)
}

// Statements walks what is said of t beside the triple itself: the properties of each
// of its statements that has any, in an order of their own. No two are alike.
func (g *Graph) Statements(t TripleID) iter.Seq[[]Property] {
	return func(yield func([]Property) bool) {
		list := g.said.list
		at := sort.Search(len(list), func(i int) bool { return list[i].triple >= t })
		for ; at < len(list) && list[at].triple == t; at++ {
			if !yield(g.said.properties(list[at].set)) {
				return
			}
		}
	}
}

// Qualified walks the statements that say more than their triples, ascending, each with
// its triple.
func (g *Graph) Qualified() iter.Seq2[TripleID, []Property] { return g.everyQualified(1) }

// SomeQualified walks as Qualified does over some most of the statements, evenly.
func (g *Graph) SomeQualified(most int) iter.Seq2[TripleID, []Property] {
	return g.everyQualified(max(1, len(g.said.list)/most))
}

func (g *Graph) everyQualified(step int) iter.Seq2[TripleID, []Property] {
	return func(yield func(TripleID, []Property) bool) {
		for i := 0; i < len(g.said.list); i += step {
			s := g.said.list[i]
			if !yield(s.triple, g.said.properties(s.set)) {
				return
			}
		}
	}
}

func (s *statements) properties(set propertySet) []Property {
	lo, hi := s.setAt[set], s.setAt[set+1]
	list := make([]Property, 0, hi-lo)
	for i := lo; i < hi; i++ {
		m := s.members[i]
		list = append(list, Property{
			Name: s.names[m.property], Value: s.values.get(int(i)),
			Datatype: s.datatypes.get(int(m.datatype)), Entity: m.entity,
		})
	}
	return list
}

// PropertyValue returns the value of a property for people: the label of its entity,
// or its text with the unit.
func (g *Graph) PropertyValue(p Property) string {
	if p.Entity != NoEntity {
		return g.Label(p.Entity)
	}
	if p.isUnit() {
		return p.Value + " " + p.Datatype
	}
	return p.Value
}

// MarshalJSON writes name, value, datatype and entity, the last two where there are any.
func (p Property) MarshalJSON() ([]byte, error) {
	j := propertyJSON{Name: p.Name, Value: p.Value, Datatype: p.Datatype}
	if p.Entity != NoEntity {
		j.Entity = &p.Entity
	}
	return json.Marshal(j)
}

// UnmarshalJSON reads what MarshalJSON writes.
func (p *Property) UnmarshalJSON(b []byte) error {
	var j propertyJSON
	if err := json.Unmarshal(b, &j); err != nil {
		return err
	}
	*p = Property{Name: j.Name, Value: j.Value, Datatype: j.Datatype, Entity: NoEntity}
	if j.Entity != nil {
		p.Entity = *j.Entity
	}
	return nil
}

type propertyJSON struct {
	Name     string    `json:"name"`
	Value    string    `json:"value,omitempty"`
	Datatype string    `json:"datatype,omitempty"`
	Entity   *EntityID `json:"entity,omitempty"`
}

// parts are the sections of a snapshot that hold statements.
func (g *Graph) statementParts() []part {
	s := &g.said
	return slices.Concat(
		[]part{
			array(&s.list, func(lo, hi int) bool {
				return slices.IsSortedFunc(s.list[max(lo-1, 0):hi], statement.compare) && !slices.ContainsFunc(s.list[lo:hi], func(x statement) bool {
					return int(x.triple) >= g.Triples() || int(x.set)+1 >= len(s.setAt)
				})
			}),
			offsets(&s.setAt),
			array(&s.members, func(lo, hi int) bool {
				return !slices.ContainsFunc(s.members[lo:hi], func(m packedProperty) bool {
					return int(m.property) >= len(s.names) || int(m.datatype) >= s.datatypes.size() || m.entity != NoEntity && int(m.entity) >= g.Entities()
				})
			}),
		},
		textParts(&s.values, &s.datatypes),
	)
}

// fits reports whether the lengths of the arrays agree with each other.
func (s *statements) fits() bool {
	if len(s.setAt) == 0 {
		return len(s.list) == 0 && len(s.members) == 0
	}
	return s.values.ends() && s.datatypes.ends() && len(s.names) == len(s.texts) &&
		spans(s.setAt, len(s.setAt)-1, len(s.members)) && s.values.size() == len(s.members)
}

// packer adds sets of properties.
type packer struct {
	s         *statements
	datatypes map[string]uint32
}

func (s *statements) packer() *packer {
	s.setAt = []uint32{0}
	return &packer{s, map[string]uint32{}}
}

// add adds a set. Its texts are copied.
func (p *packer) add(set []setMember) {
	for _, m := range set {
		d, ok := p.datatypes[m.datatype]
		if !ok {
			d = uint32(len(p.datatypes))
			p.datatypes[strings.Clone(m.datatype)] = d
			p.s.datatypes.add(m.datatype)
		}
		p.s.members = append(p.s.members, packedProperty{m.property, d, m.entity})
		p.s.values.add(m.value)
	}
	p.s.setAt = append(p.s.setAt, uint32(len(p.s.members)))
}

// readMembers reads a block of sets of properties. It may run in several goroutines.
func readMembers(lo, hi int64, columns []string) ([]setMember, error) {
	rows, err := table(lo, hi, columns[:5])
	if err != nil {
		return nil, err
	}
	values, datatypes := columns[5], columns[6]
	list := make([]setMember, 0, len(rows)/5)
	last := lo - 1 // the set before
	for ; len(rows) > 0; rows = rows[5:] {
		if rows[0] != last {
			if err := dense("set of properties", rows[0], int(last+1)); err != nil {
				return nil, err
			}
			last++
		}
		if rows[3] > int64(len(values)) || rows[4] > int64(len(datatypes)) {
			return nil, &inconsistency{fmt.Sprintf("a property of set %d has no value", rows[0])}
		}
		list = append(list, setMember{
			set: propertySet(rows[0]), property: uint32(rows[1]), entity: EntityID(rows[2] - 1), // NoEntity for 0
			value: values[:rows[3]], datatype: datatypes[:rows[4]],
		})
		values, datatypes = values[rows[3]:], datatypes[rows[4]:]
	}
	return list, dense("set of properties", hi, int(last+1))
}

// eachSet reads n sets of properties in their order.
func eachSet(r *tableReader, n int64, take func(set []setMember) error) error {
	const query = `SELECT group_concat(members), group_concat(property), group_concat(coalesce(entity + 1, 0)),
		group_concat(octet_length(value)), group_concat(octet_length(datatype)), group_concat(value, ''), group_concat(datatype, '')
		FROM property_value WHERE members >= ? AND members < ?`
	return blocks(r, query, 7, textsPerBlock, n, readMembers, func(list []setMember) error {
		for len(list) > 0 {
			end := slices.IndexFunc(list, func(m setMember) bool { return m.set != list[0].set })
			if end < 0 {
				end = len(list)
			}
			if err := take(list[:end]); err != nil {
				return err
			}
			list = list[end:]
		}
		return nil
	})
}

// eachStatement reads the statements of n triples, ascending.
func eachStatement(r *tableReader, n, sets int64, only string, take func(statement)) error {
	query := `SELECT group_concat(triple), group_concat(members) FROM (
		SELECT DISTINCT triple, members FROM qualified WHERE triple >= ? AND triple < ?` + only + ` ORDER BY triple, members)`
	return blocks(r, query, 2, rowsPerBlock, n, table, func(rows []int64) error {
		for ; len(rows) > 0; rows = rows[2:] {
			if err := within("set of properties", rows[1], int(sets)); err != nil {
				return err
			}
			take(statement{TripleID(rows[0]), propertySet(rows[1])})
		}
		return nil
	})
}

// statements reads what the triples say beside themselves.
func (s *scanner) statements(sets, triples int64) error {
	if sets == 0 {
		return nil
	}
	said := &s.g.said
	p := said.packer()
	err := eachSet(&s.tableReader, sets, func(set []setMember) error {
		for _, m := range set {
			if m.entity != NoEntity {
				if err := within("entity of a property", int64(m.entity), s.entities); err != nil {
					return err
				}
			}
			if err := within("property", int64(m.property), len(said.names)); err != nil {
				return err
			}
		}
		p.add(set)
		return nil
	})
	if err != nil {
		return err
	}
	return eachStatement(&s.tableReader, triples, sets, s.onlyLive("source"), func(x statement) { said.list = append(said.list, x) })
}

// loadStatements reads which statements the store already has.
func (w *Writer) loadStatements(r *tableReader, sets, triples int64) error {
	w.sets, w.statements = newSetTable(), newPairTable()
	if err := loadKeys(r, "property", w.properties); err != nil || sets == 0 {
		return err
	}
	err := eachSet(r, sets, func(set []setMember) error {
		if _, added := w.sets.put(set); !added {
			return &inconsistency{fmt.Sprintf("set %d of properties is like another", set[0].set)}
		}
		return nil
	})
	if err != nil {
		return err
	}
	return eachStatement(r, triples, sets, "", func(x statement) { w.statements.put(uint32(x.triple), uint32(x.set)) })
}

// writeStatements writes what statements say beside their triples.
func (b *batch) writeStatements(in *inserter) {
	in.rows("INSERT INTO property (id, key)", len(b.properties), func(row []any, i int) {
		row[0], row[1] = int64(b.firstProperty+i), b.properties[i]
	})
	in.rows("INSERT INTO property_value (members, position, property, value, datatype, entity)", len(b.members), func(row []any, i int) {
		m := &b.members[i]
		row[0], row[1], row[2], row[3], row[4] = int64(m.set), int64(m.position), int64(m.property), m.value, m.datatype
		if row[5] = nil; m.entity != NoEntity {
			row[5] = int64(m.entity)
		}
	})
	in.rows("INSERT OR IGNORE INTO qualified (triple, members, source, line)", len(b.statements), func(row []any, i int) {
		x := &b.statements[i]
		row[0], row[1], row[2], row[3] = int64(x.triple), int64(x.set), x.origin, x.line
	})
}
