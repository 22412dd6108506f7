package synth

import (
	"errors"
	"fmt"
)

// ErrOptions is returned for a world that cannot be made.
var ErrOptions = errors.New("such a world cannot be made")

// Options describe a world. The zero value is DBpedia's size in the paper (Table
// 6 of SimGRAG).
type Options struct {
	// Entities is the number of entities, literals (years, dates, numbers) among
	// them, but not the types. The default value is 10,000,000.
	Entities int
	// Edges is the number of edges, which comes out exactly; labels and types are
	// not counted. The default value is 4.3 times Entities.
	Edges int
	// Relations is how many relations the edges have. The default value is 522.
	Relations int
	// Types is how many types the entities have. The default value is 467.
	Types int
	// Seed is what all follows from. The default value is 0.
	Seed uint64
}

// The bounds of Options.
const (
	minEntities = 2_000
	maxEntities = 200_000_000
	minEdges    = 1
	maxEdges    = 16 // an entity
)

// SetDefaults fills in what is zero.
func (o *Options) SetDefaults() {
	if o.Entities == 0 {
		o.Entities = 10_000_000
	}
	if o.Edges == 0 {
		o.Edges = o.Entities * 43 / 10
	}
	if o.Relations == 0 {
		o.Relations = 522
	}
	if o.Types == 0 {
		o.Types = 467
	}
}

// check returns an error that wraps ErrOptions for a world that cannot be made.
func (o *Options) check(families, types, relations int) error {
	switch {
	case o.Entities < minEntities || o.Entities > maxEntities:
		return fmt.Errorf("%w: %d entities; give %d to %d", ErrOptions, o.Entities, minEntities, maxEntities)
	case o.Edges < o.Entities*minEdges || o.Edges > o.Entities*maxEdges:
		return fmt.Errorf("%w: %d edges for %d entities; give %d to %d", ErrOptions, o.Edges, o.Entities, o.Entities*minEdges, o.Entities*maxEdges)
	case o.Types < families || o.Types > types:
		return fmt.Errorf("%w: %d types; give %d to %d", ErrOptions, o.Types, families, types)
	case o.Relations < minRelations || o.Relations > relations:
		return fmt.Errorf("%w: %d relations; give %d to %d", ErrOptions, o.Relations, minRelations, relations)
	}
	return nil
}

// minRelations is how many of the commonest relations give each family some.
const minRelations = 200

// World is a graph that follows from its Options.
//
// Entities are numbered from 0 as they are written; those below Subjects have
// labels, types and edges, the others are literals. Inside, an entity is known by
// its place: subjects of one type have adjacent places, and the permutation order
// scatters them.
type World struct {
	o         Options
	families  []family
	types     []typ
	relations []string
	subjects  int
	order     permutation
	typeAt    []uint16 // typeAt[p>>typeShift] is the type of place p, or one before it
	familyOf  map[string]int
	words     *words
}

// typeShift is how many places share an entry of typeAt, as a power of two.
const typeShift = 8

// New returns a world, or an error that wraps ErrOptions.
func New(o Options) (*World, error) {
	o.SetDefaults()
	w := &World{o: o, words: loadWords()}
	w.parseTypes()
	known := map[string]bool{}
	for _, l := range parseRelations() {
		known[l.name] = true
	}
	if err := o.check(len(w.families), len(w.types), len(known)); err != nil {
		return nil, err
	}
	w.keepTypes(o.Types)
	w.layOut()
	w.takeRelations(o.Relations)
	if err := w.shareEdges(); err != nil {
		return nil, err
	}
	w.findClosers()
	return w, nil
}

// layOut gives every type its places.
func (w *World) layOut() {
	years := min(600, w.o.Entities/100)
	dates := min(180_000, w.o.Entities/80)
	numbers := w.o.Entities / 50
	w.subjects = w.o.Entities - years - dates - numbers
	w.sizeTypes()
	at := 0
	for i := range w.families {
		f := &w.families[i]
		f.first = at
		for _, t := range f.types {
			w.types[t].first = at
			at += w.types[t].n
		}
		f.n = at - f.first
		f.scatter = newPermutation(w.o.Seed+uint64(i)+1, f.n)
	}
	for _, l := range []typ{
		{name: yearType, n: years, literal: yearLiteral},
		{name: dateType, n: dates, literal: dateLiteral},
		{name: numberType, n: numbers, literal: numberLiteral},
	} {
		l.family, l.first = -1, at
		at += l.n
		w.types = append(w.types, l)
	}
	w.order = newPermutation(w.o.Seed, w.subjects)
	w.typeAt = make([]uint16, at>>typeShift+1)
	t := 0
	for i := range w.typeAt {
		for p := i << typeShift; t+1 < len(w.types) && p >= w.types[t+1].first; t++ {
		}
		w.typeAt[i] = uint16(t)
	}
}

// sizeTypes shares the subjects among the types by weight, at least one each and
// none more than it may have.
func (w *World) sizeTypes() {
	left := w.subjects
	for i := range w.types {
		w.types[i].n = 1
		left--
	}
	for left > 0 {
		var total uint64
		for _, t := range w.types {
			if t.most == 0 || t.n < t.most {
				total += t.weight
			}
		}
		share := left
		for i := range w.types {
			t := &w.types[i]
			more := int(t.weight * uint64(share) / total)
			if t.most > 0 {
				more = min(more, t.most-t.n)
			}
			t.n += more
			left -= more
		}
		if left == share || left < len(w.types) { // rounding is all that is left
			w.types[0].n += left
			left = 0
		}
	}
}

// typeOf returns the type of a place.
func (w *World) typeOf(place int) int {
	t := int(w.typeAt[place>>typeShift])
	for place >= w.types[t].first+w.types[t].n {
		t++
	}
	return t
}

// place returns where entity e lies.
func (w *World) place(e int) int {
	if e < w.subjects {
		return w.order.of(e)
	}
	return e
}

// Options returns what the world was made from, defaults filled in.
func (w *World) Options() Options { return w.o }

// Entities is the number of entities, literals among them.
func (w *World) Entities() int { return w.o.Entities }

// Subjects is the number of entities that are no literals; they come first.
func (w *World) Subjects() int { return w.subjects }

// Relation returns the key of relation r.
func (w *World) Relation(r int) string { return ontology + w.relations[r] }

// Label returns the label of entity e.
func (w *World) Label(e int) string { return string(w.appendLabel(nil, w.place(e))) }

// Key returns the key of entity e: an IRI, or a literal as Cairn's keys write it.
func (w *World) Key(e int) string { return string(w.appendKey(nil, w.place(e))) }

// Type returns the key of the type of entity e; empty for a literal.
func (w *World) Type(e int) string {
	t := w.types[w.typeOf(w.place(e))]
	if t.family < 0 {
		return ""
	}
	return ontology + t.name
}
