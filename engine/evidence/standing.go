package evidence

import "cairn/engine/kg"

// Standing is how one entity stands to a question.
type Standing struct {
	Entity kg.EntityID `json:"entity"`
	// Named says that the question names it, and so does not ask for it.
	Named      bool        `json:"named,omitempty"`
	Conditions []Condition `json:"conditions"`
	// Outcomes are of the most conditions that it meets at once.
	Outcomes []Outcome `json:"outcomes"`
	// Instead[i] are the triples that the graph has in place of what Conditions[i]
	// names, some of them.
	Instead [][]kg.TripleID `json:"instead,omitempty"`
	// Apart says that it meets every condition, but not all at once: they would take
	// one triple, or one entity, twice.
	Apart bool `json:"apart,omitempty"`
	// Missing are the triples that would make it meet every condition that a triple can
	// make it meet, as few as can be for each condition beside those that it meets.
	Missing []Missing `json:"missing,omitempty"`
	// Completeness says whether all of this was found out.
	Completeness Completeness `json:"completeness"`
}

// Meets reports whether it meets every condition of the reading and every name beside.
func (s *Standing) Meets() bool { return s.CountMet() == len(s.Outcomes) }

// CountMet counts the conditions that it meets at once.
func (s *Standing) CountMet() int { return Answer{Outcomes: s.Outcomes}.CountMet() }

// Missing is a triple that the graph does not have.
type Missing struct {
	Condition int         `json:"condition"` // index into Standing.Conditions
	Head      kg.EntityID `json:"head"`      // kg.NoEntity for what is not known
	Tail      kg.EntityID `json:"tail"`
	// HeadText, Relation and TailText say it in words: of what is not known, what it
	// would have to be.
	HeadText string `json:"head_text"`
	Relation string `json:"relation"`
	TailText string `json:"tail_text"`
}

// Why is what makes an entity an answer.
type Why struct {
	Entity kg.EntityID `json:"entity"`
	// Sets are the minimal sets of triples that make it meet the conditions that it
	// meets, each ascending, the smallest first.
	Sets [][]kg.TripleID `json:"sets"`
	// Shared are the triples without any of which it would not: they bear the load.
	Shared []kg.TripleID `json:"shared,omitempty"`
	// Against are triples of the graph that speak against those of Sets.
	Against []Against `json:"against,omitempty"`
	// Completeness says whether Sets are all there are. Shared is right either way.
	Completeness Completeness `json:"completeness"`
}

// Against is a triple that speaks against another one.
type Against struct {
	Triple kg.TripleID `json:"triple"`
	Of     kg.TripleID `json:"of"` // which it speaks against
	// Reason says why in a sentence.
	Reason string `json:"reason"`
}
