package eval

import (
	"fmt"
	"slices"

	"cairn/engine"
	"cairn/engine/kg"
	"cairn/engine/pattern"
)

// Fault is the first stage at which a question went wrong.
type Fault int

// The faults.
const (
	NoFault      Fault = iota
	Abstained          // no answer was given
	Linking            // no known node of the pattern is a gold topic
	Planning           // linked, but the pattern is not the gold one
	Matching           // the gold pattern, but other answers than gold
	Undetermined       // linked; the set has no gold pattern to compare with
	Retrieval          // linked, by a method that follows no pattern
)

// String returns the fault's name.
func (f Fault) String() string {
	return [...]string{"none", "abstained", "linking", "planning", "matching", "planning or matching", "retrieval"}[f]
}

// MarshalText writes the fault's name.
func (f Fault) MarshalText() ([]byte, error) { return []byte(f.String()), nil }

// UnmarshalText reads the fault's name.
func (f *Fault) UnmarshalText(text []byte) error {
	for known := NoFault; known <= Retrieval; known++ {
		if known.String() == string(text) {
			*f = known
			return nil
		}
	}
	return fmt.Errorf("there is no fault %q", text)
}

// Faults counts the questions whose answer set is not exactly gold, by fault.
type Faults map[Fault]int

// fault says at which stage a wrong answer went wrong.
func fault(run *engine.Run, q Question, names *names) Fault {
	if run.Answer == nil || len(run.Answer.Items) == 0 {
		return Abstained
	}
	if seeds := run.Plan.Seeds; seeds != nil {
		if slices.ContainsFunc(q.Topics, func(topic string) bool {
			return !slices.ContainsFunc(seeds, func(e kg.EntityID) bool { return slices.Contains(names.entities[topic], e) })
		}) {
			return Linking
		}
		return Retrieval
	}
	if run.Reading < 0 {
		return Abstained
	}
	p := run.Plan.Readings[run.Reading].Pattern
	if q.Topics != nil && !linked(p, q.Topics, names) {
		return Linking
	}
	switch {
	case q.Chains == nil:
		return Undetermined
	case sameRelations(p, q.Chains, names):
		return Matching
	}
	return Planning
}

// linked reports whether every gold topic is among the entities of some known
// node.
func linked(p *pattern.Pattern, topics []string, names *names) bool {
	for _, topic := range topics {
		gold := names.entities[topic]
		if !slices.ContainsFunc(p.Nodes, func(n pattern.Node) bool {
			return slices.ContainsFunc(n.Entities, func(e kg.EntityID) bool { return slices.Contains(gold, e) })
		}) {
			return false
		}
	}
	return true
}

// sameRelations reports whether the pattern has the relations of the gold
// chains, as a multiset; a fixed edge may name a relation and its inverse.
func sameRelations(p *pattern.Pattern, chains []Chain, names *names) bool {
	var want []kg.RelationID
	for _, c := range chains {
		for _, s := range c.Steps {
			want = append(want, names.relations[s.Relation])
		}
	}
	if len(want) != len(p.Edges) {
		return false
	}
	for _, e := range p.Edges {
		i := slices.IndexFunc(want, func(r kg.RelationID) bool { return slices.Contains(e.Fixed, r) })
		if i < 0 {
			return false
		}
		want = slices.Delete(want, i, i+1)
	}
	return true
}
