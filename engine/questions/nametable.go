package questions

import (
	"hash/maphash"
	"slices"
	"strings"

	"cairn/engine/kg"
)

// nameTable finds entities by name.
//
//	heads    hash of a folded name → its first row
//	next     next[i] is the row after row i with that hash, or -1
//	entities entities[i] is the entity of row i; names are read from the graph
type nameTable struct {
	g        *kg.Graph
	seed     maphash.Seed
	heads    map[uint64]int32
	next     []int32
	entities []kg.EntityID
}

func newNameTable(g *kg.Graph) *nameTable {
	n := g.Entities()
	t := &nameTable{
		g: g, seed: maphash.MakeSeed(), heads: make(map[uint64]int32, n),
		next: make([]int32, 0, n), entities: make([]kg.EntityID, 0, n),
	}
	for e := range kg.EntityID(n) {
		label, key := g.Label(e), g.Key(e)
		t.add(e, label)
		if key != label {
			t.add(e, key)
		}
		for _, alias := range g.Aliases(e) {
			t.add(e, alias)
		}
	}
	return t
}

// folded is a name but for case, with single spaces for underscores.
func folded(name string) string {
	return strings.Join(strings.Fields(strings.ToLower(strings.ReplaceAll(name, "_", " "))), " ")
}

func (t *nameTable) hash(name string) uint64 { return maphash.String(t.seed, folded(name)) }

func (t *nameTable) add(e kg.EntityID, name string) {
	h := t.hash(name)
	first, ok := t.heads[h]
	if !ok {
		first = -1
	}
	t.heads[h] = int32(len(t.entities))
	t.next = append(t.next, first)
	t.entities = append(t.entities, e)
}

// find returns the entities that a name means, ascending.
func (t *nameTable) find(name string) []kg.EntityID {
	var rows []kg.EntityID
	first, ok := t.heads[t.hash(name)]
	if !ok {
		return nil
	}
	for i := first; i >= 0; i = t.next[i] {
		rows = append(rows, t.entities[i])
	}
	rows = kg.Distinct(rows)
	for _, has := range []func(kg.EntityID) bool{
		func(e kg.EntityID) bool { return t.g.Label(e) == name },
		func(e kg.EntityID) bool { return t.g.Key(e) == name },
		func(e kg.EntityID) bool { return slices.Contains(t.g.Aliases(e), name) },
	} {
		if found := keep(rows, has); len(found) > 0 {
			return found
		}
	}
	like := folded(name)
	for _, has := range []func(kg.EntityID) bool{
		func(e kg.EntityID) bool { return folded(t.g.Label(e)) == like },
		func(e kg.EntityID) bool { return folded(t.g.Key(e)) == like },
		func(e kg.EntityID) bool {
			return slices.ContainsFunc(t.g.Aliases(e), func(a string) bool { return folded(a) == like })
		},
	} {
		if found := keep(rows, has); len(found) > 0 {
			if slices.ContainsFunc(found, func(e kg.EntityID) bool { return t.g.Label(e) != t.g.Label(found[0]) }) {
				return nil // Java or JAVA?
			}
			return found
		}
	}
	return nil
}

// keep returns those of es for which has holds.
func keep(es []kg.EntityID, has func(kg.EntityID) bool) []kg.EntityID {
	var out []kg.EntityID
	for _, e := range es {
		if has(e) {
			out = append(out, e)
		}
	}
	return out
}
