// Package schema says what a graph is like: which of its relations say the same,
// what kinds of things they join, and which of their ends hold values. Planners
// read questions by it, and questions are made by it.
//
//	Step  one hop: a relation forward or back
//	Slot  one end of a relation
package schema

import (
	"cmp"
	"context"
	"slices"

	"cairn/engine/kg"
)

// Step is one hop: a relation walked forward (2r) or back (2r+1).
type Step uint32

// Forward is the step along a relation, from its heads to its tails.
func Forward(r kg.RelationID) Step { return Step(2 * r) }

// Relation is what the step walks along.
func (s Step) Relation() kg.RelationID { return kg.RelationID(s / 2) }

// IsBack reports whether the step leads from tails to heads.
func (s Step) IsBack() bool { return s&1 == 1 }

// Back is the step the other way.
func (s Step) Back() Step { return s ^ 1 }

// Edges are those of the step at an entity of a graph, sorted by neighbour.
func (s Step) Edges(g *kg.Graph, e kg.EntityID) []kg.Edge {
	if s.IsBack() {
		return g.InBy(e, s.Relation())
	}
	return g.OutBy(e, s.Relation())
}

// From is the slot that the step starts in.
func (s Step) From() Slot { return Slot(s) }

// To is the slot that the step ends in.
func (s Step) To() Slot { return Slot(s ^ 1) }

// Slot is one end of a relation: its heads (2r) or its tails (2r+1). A step
// starts in the slot of its own number and ends in the other.
type Slot uint32

// checkEvery is how many entities are looked at between two looks at the
// context.
const checkEvery = 1024

// Schema is what a graph says about itself: what its relations join, which of
// them say the same, and which ends hold values. It is immutable and safe for
// concurrent use.
type Schema struct {
	g *kg.Graph
	// canonical[s] is the step that says the same as s: another one where the
	// relation of s is a duplicate, or an inverse, of one that is kept.
	canonical []Step
	// twins[r] are the relations that say the same as r in the same direction,
	// r first; nil where r is not kept.
	twins [][]kg.RelationID
	size  []int // distinct entities by slot
	meets overlaps
	// kind[s] names the kind of thing in slot s: slots that share many entities
	// have one kind.
	kind  []int
	value []ValueKind
	units []map[string]int // of the values of a slot that was looked at: how many have each unit
	own   map[string]bool  // units that are not among the known ones
	eras  map[Slot]bool    // of years that are negative before Christ
	// typeShare[s] is the share of the entities of slot s that have a type.
	typeShare []map[kg.TypeID]float64
	// headShare[s] is the share of the entities of slot s that the keys of their
	// relations call by a word: see HeadsOf. head[r] is that word of one
	// relation, and heads are all of them.
	headShare []map[string]float64
	head      []string
	heads     map[string]bool
	labelled  map[string][]Slot // see LabelledSo
	typed     []float64         // the share of the entities of a slot that have any type
	mediator  []bool            // by slot: see IsMediator
	mediated  []Step            // the steps that lead to mediators, ascending
}

// Read reads the schema off a graph, in time linear in its triples.
func Read(ctx context.Context, g *kg.Graph) (*Schema, error) {
	n := 2 * g.Relations()
	s := &Schema{
		g: g, canonical: make([]Step, n), twins: make([][]kg.RelationID, g.Relations()),
		size: make([]int, n), kind: make([]int, n), value: make([]ValueKind, n), units: make([]map[string]int, n), own: map[string]bool{}, eras: map[Slot]bool{},
		typeShare: make([]map[kg.TypeID]float64, n), typed: make([]float64, n), headShare: make([]map[string]float64, n), mediator: make([]bool, n),
		labelled: map[string][]Slot{},
	}
	if err := s.findDuplicates(ctx); err != nil {
		return nil, err
	}
	s.findHeads()
	if err := s.countSlots(ctx); err != nil {
		return nil, err
	}
	s.groupSlots()
	s.readStatedUnits()
	return s, nil
}

// Graph is what the schema was read off.
func (s *Schema) Graph() *kg.Graph { return s.g }

// Slots is the number of slots, and of steps.
func (s *Schema) Slots() int { return len(s.canonical) }

// Steps returns both steps of all relations but those that are kept as another.
func (s *Schema) Steps() (steps []Step) {
	for r := range kg.RelationID(s.g.Relations()) {
		if s.IsKept(r) {
			steps = append(steps, Forward(r), Forward(r).Back())
		}
	}
	return steps
}

// Canonical returns the step that says the same as st and is kept: another one
// where the relation is a duplicate, or an inverse.
func (s *Schema) Canonical(st Step) Step { return s.canonical[st] }

// Twins returns the relations that say the same as r in the same direction, r
// first; none where r is not kept.
func (s *Schema) Twins(r kg.RelationID) []kg.RelationID { return s.twins[r] }

// Size is the number of distinct entities in a slot.
func (s *Schema) Size(at Slot) int { return s.size[at] }

// Shared is the number of entities that two slots have in common.
func (s *Schema) Shared(a, b Slot) int { return s.meets.count(a, b) }

// Kind numbers the kind of thing in a slot.
func (s *Schema) Kind(at Slot) int { return s.kind[at] }

// Value says what the labels in a slot are.
func (s *Schema) Value(at Slot) ValueKind { return s.value[at] }

// Types returns the share of a slot's entities that have each type.
func (s *Schema) Types(at Slot) map[kg.TypeID]float64 { return s.typeShare[at] }

// Typed is the share of a slot's entities that have any type.
func (s *Schema) Typed(at Slot) float64 { return s.typed[at] }

// HeadShare returns the share of a slot's entities that the keys of relations
// call by each word: see HeadsOf.
func (s *Schema) HeadShare(at Slot) map[string]float64 { return s.headShare[at] }

// IsHead reports whether the key of some relation calls its heads by a word.
func (s *Schema) IsHead(word string) bool { return s.heads[word] }

// LabelledSo returns the slots without types where all labels begin or end with a word, by its
// stem: "Team Red" and "Team Blue" are teams.
func (s *Schema) LabelledSo(stem string) []Slot { return s.labelled[stem] }

// IsMediator reports whether the entities of a slot have ids in place of names:
// they stand between others, such as a marriage or a term of office.
func (s *Schema) IsMediator(at Slot) bool { return s.mediator[at] }

// Mediated returns the steps that lead to mediators, ascending.
func (s *Schema) Mediated() []Step { return s.mediated }

// IsKept reports whether r stands for itself and not for another relation.
func (s *Schema) IsKept(r kg.RelationID) bool { return s.canonical[Forward(r)] == Forward(r) }

// IsSymmetric reports whether r says the same in both directions: its sources say so, or
// its triples are there both ways.
func (s *Schema) IsSymmetric(r kg.RelationID) bool {
	return s.canonical[Forward(r).Back()] == Forward(r)
}

// Back returns the step that undoes a step: itself, where the relation says the
// same in both directions.
func (s *Schema) Back(st Step) Step { return s.canonical[st.Back()] }

// SameKind reports whether two slots hold things of one kind.
func (s *Schema) SameKind(a, b Slot) bool { return s.kind[a] == s.kind[b] }

// JoinsSame reports whether a relation joins things of one kind.
func (s *Schema) JoinsSame(r kg.RelationID) bool {
	return s.SameKind(Forward(r).From(), Forward(r).To())
}

// coherenceShare is the share of the smaller slot that two slots must have in
// common for a path to pass from one to the other as more than a coincidence
// of names.
const coherenceShare = 0.05

// Coherent reports whether slots a and b really share entities.
func (s *Schema) Coherent(a, b Slot) bool {
	if s.SameKind(a, b) {
		return true
	}
	both := s.meets.count(a, b)
	return both > 0 && float64(both) >= coherenceShare*float64(min(s.size[a], s.size[b]))
}

// Edges returns the edges of e along a step, sorted by neighbour: of a relation that its
// sources call symmetric, those of either direction.
func (s *Schema) Edges(e kg.EntityID, st Step) []kg.Edge {
	return s.g.Along(e, st.Relation(), st.IsBack())
}

// maxCounted is how many triples are looked at, about, to see which relations are
// frequent. A sample of a large graph shows that well enough.
const maxCounted = 1_000_000

// Frequent returns the relations that occur in a graph, the most frequent first, a
// triple of each by relation, and the types, the largest first.
func Frequent(g *kg.Graph) (relations []kg.RelationID, example []kg.TripleID, types []kg.TypeID) {
	count := make([]int, g.Relations())
	example = make([]kg.TripleID, g.Relations())
	stride := max(1, g.Triples()/maxCounted)
	for i := 0; i < g.Triples(); i += stride {
		if g.Off(kg.TripleID(i)) {
			continue
		}
		r := g.Triple(kg.TripleID(i)).Relation
		if count[r] == 0 {
			example[r] = kg.TripleID(i)
			relations = append(relations, r)
		}
		count[r]++
	}
	slices.SortFunc(relations, func(a, b kg.RelationID) int {
		return cmp.Or(cmp.Compare(count[b], count[a]), cmp.Compare(a, b))
	})
	types = make([]kg.TypeID, g.NumTypes())
	for t := range types {
		types[t] = kg.TypeID(t)
	}
	slices.SortStableFunc(types, func(a, b kg.TypeID) int { return cmp.Compare(len(g.OfType(b)), len(g.OfType(a))) })
	return relations, example, types
}
