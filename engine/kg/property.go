package kg

import (
	"cmp"
	"encoding/binary"
	"hash/maphash"
	"slices"
)

// Property is one thing that a statement says beside its triple: a year, a share,
// a publication.
type Property struct {
	Name     string   // the key in the source: a column's name or an IRI
	Value    string   // the literal's text; empty where Entity is set
	Datatype string   // IRI of a typed literal, or a unit; empty for plain text
	Entity   EntityID // NoEntity for a literal
}

// A triple may be said several times with different properties: those are its
// statements. Equal sets of properties are kept once, however many statements have
// them, since whole files say the same of their statements:
//
//	statement = triple + propertySet, read at places
//
// A Writer knows of a set no more than two hashes, and of a statement the two ids.

// propertySet is the dense number of a set of properties within one Store.
type propertySet uint32

// statement is a triple with what one statement says beside it.
type statement struct {
	triple TripleID
	set    propertySet
}

// setMember is one property of a set. The members of a set ascend, each once.
type setMember struct {
	set      propertySet
	position uint32 // in it
	property uint32
	value    string
	datatype string
	entity   EntityID
}

func (m setMember) compare(o setMember) int {
	return cmp.Or(
		cmp.Compare(m.property, o.property), cmp.Compare(m.value, o.value),
		cmp.Compare(m.datatype, o.datatype), cmp.Compare(m.entity, o.entity),
	)
}

// setTable gives sets of properties dense numbers. It keeps 32 and 64 bits of two
// hashes of each instead of the set: among ten million, two that differ are taken for
// one with a probability of 10⁻¹⁵.
type setTable struct {
	ids           idTable
	checks        []uint64 // indexed by propertySet
	first, second maphash.Seed
	bytes         []byte // of the set that is looked for
}

func newSetTable() *setTable {
	return &setTable{ids: newIDTable(0), first: maphash.MakeSeed(), second: maphash.MakeSeed()}
}

// put returns the number of a set, which is new where added is true.
func (t *setTable) put(members []setMember) (id propertySet, added bool) {
	b := t.bytes[:0]
	for _, m := range members {
		b = binary.AppendUvarint(b, uint64(m.property))
		b = binary.AppendUvarint(b, uint64(m.entity))
		for _, s := range []string{m.value, m.datatype} {
			b = binary.AppendUvarint(b, uint64(len(s)))
			b = append(b, s...)
		}
	}
	t.bytes = b
	hash, check := maphash.Bytes(t.first, b), maphash.Bytes(t.second, b)
	n, empty, ok := t.ids.find(hash, func(n uint32) bool { return t.checks[n] == check })
	if ok {
		return propertySet(n), false
	}
	id = propertySet(len(t.checks))
	t.checks = append(t.checks, check)
	t.ids.add(hash, uint32(id), empty)
	return id, true
}

// AddStatement adds a triple with what its statement says beside it, and reports
// whether the triple or the statement is new. Without properties it is Add. The order
// of properties does not count, nor one that is there twice.
func (w *Writer) AddStatement(t Triple, origin int64, properties []Property) bool {
	origin = w.placeOf(origin)
	id, added := w.add(t, origin)
	if len(properties) == 0 {
		return added
	}
	s := statement{id, w.set(properties)}
	fresh := w.statements.put(uint32(s.triple), uint32(s.set))
	if fresh || !w.known() {
		w.batch.statements = append(w.batch.statements, pendingStatement{s, origin, w.line})
	}
	return added || fresh
}

// set returns the number of a set of properties, made where it is new.
func (w *Writer) set(properties []Property) propertySet {
	w.members = membersOf(w.members[:0], properties, w.properties, func(name string) {
		w.batch.properties = append(w.batch.properties, name)
	})
	id, added := w.sets.put(w.members)
	if added {
		for i, m := range w.members {
			m.set, m.position = id, uint32(i)
			w.batch.members = append(w.batch.members, m)
		}
	}
	return id
}

// membersOf appends properties as the members of a set. ids has their names, and gains
// those that named is told of.
func membersOf(members []setMember, properties []Property, ids map[string]uint32, named func(name string)) []setMember {
	for _, p := range properties {
		id, added := numbered(&ids, p.Name)
		if added {
			named(p.Name)
		}
		members = append(members, setMember{property: id, value: p.Value, datatype: p.Datatype, entity: p.Entity})
	}
	slices.SortFunc(members, setMember.compare)
	return slices.Compact(members)
}
