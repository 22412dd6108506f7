package builtin

import (
	"context"

	"cairn/engine/kg"
)

// step is one hop: a relation walked forward (2r) or back (2r+1).
type step uint32

func forward(r kg.RelationID) step     { return step(2 * r) }
func (s step) relation() kg.RelationID { return kg.RelationID(s / 2) }
func (s step) isBack() bool            { return s&1 == 1 }
func (s step) back() step              { return s ^ 1 }
func (s step) from() slot              { return slot(s) }
func (s step) to() slot                { return slot(s ^ 1) }

// slot is one end of a relation: its heads (2r) or its tails (2r+1). A step
// starts in the slot of its own number and ends in the other.
type slot uint32

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
	canonical []step
	// twins[r] are the relations that say the same as r in the same direction,
	// r first; nil where r is not kept.
	twins [][]kg.RelationID
	size  []int // distinct entities by slot
	meets overlaps
	// kind[s] names the kind of thing in slot s: slots that share many entities
	// have one kind.
	kind  []int
	value []valueKind
	// typeShare[s] is the share of the entities of slot s that have a type.
	typeShare []map[kg.TypeID]float64
	// headShare[s] is the share of the entities of slot s that the keys of their
	// relations call by a word: see headsOf. head[r] is that word of one
	// relation, and heads are all of them.
	headShare []map[string]float64
	head      []string
	heads     map[string]bool
	typed     []float64 // the share of the entities of a slot that have any type
	// nameless[s] reports that the entities of slot s have no names, but ids:
	// they mediate between others, such as a marriage or a term of office.
	nameless []bool
	mediated []step // the steps that lead to nameless entities, ascending
}

// NewSchema reads the schema off a graph, in time linear in its triples.
func NewSchema(ctx context.Context, g *kg.Graph) (*Schema, error) {
	n := 2 * g.Relations()
	s := &Schema{
		g: g, canonical: make([]step, n), twins: make([][]kg.RelationID, g.Relations()),
		size: make([]int, n), kind: make([]int, n), value: make([]valueKind, n),
		typeShare: make([]map[kg.TypeID]float64, n), typed: make([]float64, n), headShare: make([]map[string]float64, n), nameless: make([]bool, n),
	}
	if err := s.findDuplicates(ctx); err != nil {
		return nil, err
	}
	s.findHeads()
	if err := s.countSlots(ctx); err != nil {
		return nil, err
	}
	s.groupSlots()
	return s, nil
}

// isKept reports whether r stands for itself and not for another relation.
func (s *Schema) isKept(r kg.RelationID) bool { return s.canonical[forward(r)] == forward(r) }

// isSymmetric reports whether r says the same in both directions.
func (s *Schema) isSymmetric(r kg.RelationID) bool {
	return s.canonical[forward(r).back()] == forward(r)
}

// back returns the step that undoes a step: itself, where the relation says the
// same in both directions.
func (s *Schema) back(st step) step { return s.canonical[st.back()] }

// sameKind reports whether two slots hold things of one kind.
func (s *Schema) sameKind(a, b slot) bool { return s.kind[a] == s.kind[b] }

// joinsSame reports whether a relation joins things of one kind.
func (s *Schema) joinsSame(r kg.RelationID) bool {
	return s.sameKind(forward(r).from(), forward(r).to())
}

// coherenceShare is the share of the smaller slot that two slots must have in
// common for a path to pass from one to the other as more than a coincidence
// of names.
const coherenceShare = 0.05

// coherent reports whether slots a and b really share entities.
func (s *Schema) coherent(a, b slot) bool {
	if s.sameKind(a, b) {
		return true
	}
	both := s.meets.count(a, b)
	return both > 0 && float64(both) >= coherenceShare*float64(min(s.size[a], s.size[b]))
}

// edges returns the edges of e along a step.
func (s *Schema) edges(e kg.EntityID, st step) []kg.Edge {
	if st.isBack() {
		return s.g.InBy(e, st.relation())
	}
	return s.g.OutBy(e, st.relation())
}
