package builtin

import (
	"slices"

	"cairn/engine/kg"
)

// leg is a chain of steps from one entity of a mention to the node where all
// legs meet.
type leg struct {
	mention int // index into question.mentions
	entity  kg.EntityID
	rank    int // of entity among the mention's candidates
	steps   []step
}

// shape is the form of a reading before it becomes a pattern:
//
//	X ──leg──▶ meeting ──tail──▶ asked ──value──▶ compared with a number
//	Y ──leg──▶ ╯
type shape struct {
	legs []leg
	tail []step
	// closed says that the last leg's steps end in another mention's entity, as
	// in a claim: there is no asked node.
	closed *closing
	// within are the types that the asked node must have.
	within []kg.TypeID
	// count says that the number of answers is asked.
	count bool
}

// closing is the other end of a claim.
type closing struct {
	mention int
	entity  kg.EntityID
}

// hop is one step of a shape in the order in which it is walked.
type hop struct {
	step step
	leg  int // whose words it takes; the tail belongs to leg 0
	at   int // its place in the chain of its leg, from 0
}

// hops lists the hops of a shape: leg by leg, the tail after leg 0.
func (s *shape) hops() []hop {
	var out []hop
	for i := range s.legs {
		for at, st := range s.chain(i) {
			out = append(out, hop{step: st, leg: i, at: at})
		}
	}
	return out
}

// chain returns the steps that belong to leg i, with the tail for leg 0.
func (s *shape) chain(i int) []step {
	if i == 0 && len(s.tail) > 0 {
		return slices.Concat(s.legs[0].steps, s.tail)
	}
	return s.legs[i].steps
}

// lastSteps returns the steps that lead to the asked node.
func (s *shape) lastSteps() []step {
	if len(s.tail) > 0 {
		return s.tail[len(s.tail)-1:]
	}
	var out []step
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
