package builtin

import (
	"slices"

	"cairn/engine/kg"
	"cairn/engine/schema"
)

// leg is a chain of steps from one entity of a mention to the node where all
// legs meet.
type leg struct {
	mention int // index into question.mentions
	entity  kg.EntityID
	rank    int // of entity among the mention's candidates
	// same are the entities of one name that the leg starts from, where it
	// starts from several.
	same  []kg.EntityID
	steps []schema.Step
}

// shape is the form of a reading before it becomes a pattern:
//
//	X ──leg──▶ meeting ──tail──▶ asked ──value──▶ compared with a number
//	Y ──leg──▶ ╯
//
// A question that names nothing starts from a kind of thing instead of legs:
//
//	any river ──tail──▶ asked
type shape struct {
	legs []leg
	root *root
	tail []schema.Step
	// values are the comparisons.
	values []valueLeg
	// said are conditions on the statements of hops.
	said []saidLeg
	// within[h] are the types of which the end of hop h must have one of each list;
	// within[-1] is for the root.
	within map[int][][]kg.TypeID
	// role is a step, or none, that what is asked must have by its noun: an employee has an
	// employer.
	role []schema.Step
	// count says that the number of answers is asked.
	count bool
	// partners says that each hop may go by the relation that is its own for the other gender.
	partners bool
}

// root is a kind of thing that a question starts from.
type root struct {
	at     schema.Slot // that such things are in
	both   bool        // those at the other end of its relation are such things too
	types  []kg.TypeID // of the graph, where it has them
	word   int         // that names it
	also   []kg.TypeID // that they have, too: "hydro plants"
	gender string      // of those meant alone; "" for either
	own    bool        // the relation that the word names says all of them
}

// rootTypes returns the types of the root where at is -1.
func (s *shape) rootTypes(at int) []kg.TypeID {
	if at < 0 && s.root != nil {
		return s.root.types
	}
	return nil
}

// askedHop returns the hop whose end is asked, or -1 for the root.
func (s *shape) askedHop() int {
	if len(s.legs) == 0 {
		return len(s.tail) - 1
	}
	return len(s.legs[0].steps) + len(s.tail) - 1
}

// hop is one step of a shape in the order in which it is walked.
type hop struct {
	step schema.Step
	leg  int // whose words it takes; the tail belongs to leg 0
	at   int // its place in the chain of its leg, from 0
	// half says that the hop leads to a nameless entity: it and the next hop are
	// one in the eyes of the question.
	half bool
}

// hops lists the hops of a shape: leg by leg, the tail after leg 0.
func (s *shape) hops() []hop {
	var out []hop
	if s.root != nil {
		for at, st := range s.tail {
			out = append(out, hop{step: st, at: at})
		}
	}
	for i := range s.legs {
		for at, st := range s.chain(i) {
			out = append(out, hop{step: st, leg: i, at: at})
		}
	}
	return out
}

// goesBack reports whether a hop goes back along the one before it.
func (p *Planner) goesBack(hops []hop, i int) bool {
	return hops[i].at > 0 && hops[i].step == p.schema.Back(hops[i-1].step)
}

// isReturn reports whether the tail goes out along a step and back along it.
func (s *shape) isReturn() bool { return len(s.tail) == 2 && s.tail[1] == s.tail[0].Back() }

// chain returns the steps that belong to leg i, with the tail for leg 0.
func (s *shape) chain(i int) []schema.Step {
	if i == 0 && len(s.tail) > 0 {
		return slices.Concat(s.legs[0].steps, s.tail)
	}
	return s.legs[i].steps
}

// lastSteps returns the steps that lead to the asked node.
func (s *shape) lastSteps() []schema.Step {
	if len(s.tail) > 0 {
		return s.tail[len(s.tail)-1:]
	}
	var out []schema.Step
	for _, l := range s.legs {
		if n := len(l.steps); n > 0 {
			out = append(out, l.steps[n-1])
		}
	}
	return out
}

// size is the number of hops.
func (s *shape) size() int {
	n := len(s.tail)
	for _, l := range s.legs {
		n += len(l.steps)
	}
	return n
}
