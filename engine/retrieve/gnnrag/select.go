package gnnrag

import (
	"cmp"
	"slices"

	"cairn/engine/kg"
	"cairn/internal/wording"
)

type scored struct {
	Entity      kg.EntityID
	Probability float64 // in [0, 1], higher is likelier
}

// byProbability compares scored entities for sorting: the more probable come first,
// ties go by id.
func byProbability(a, b scored) int {
	return cmp.Or(cmp.Compare(b.Probability, a.Probability), cmp.Compare(a.Entity, b.Entity))
}

// entities are those of the scores, in their order.
func entities(scores []scored) []kg.EntityID {
	return wording.Each(scores, func(s scored) kg.EntityID { return s.Entity })
}

// totalProbability is what the probabilities of all of them add up to.
func totalProbability(scores []scored) float64 {
	var p float64
	for _, s := range scores {
		p += s.Probability
	}
	return p
}

// selection says which of the scored entities are answers.
type selection struct {
	// mass is how much probability the answers have together (GNN-RAG §4.1); 0 for
	// all of it.
	mass float64
	// relative is the share of the highest probability that an answer has at least;
	// 0 for any.
	relative float64
	// nodes is the number of entities that were scored, for the floor below which the
	// authors drop a probability; 0 for no floor.
	nodes int
	// even goes on, once mass is reached, with entities that have at least this share
	// of the probability of the one that reached it; 0 to stop there.
	even float64
	// limit caps the answers; 0 for no cap.
	limit int
}

// selectAnswers returns the entities that are selected, most probable first, ties by
// id. The mass rule is the authors' (evaluate.py): entities of a probability under
// (1 − mass)/nodes are dropped, then they are taken from the most probable on until
// they have more than mass together, the one that passes it included, although the
// paper says "below". Where the sum never passes it, all are answers.
//
// The rule drops answers where many are equally probable: of n with 1/n each it
// takes only 95 in a hundred. even brings them back.
func selectAnswers(scores []scored, o selection) []scored {
	out := slices.Clone(scores)
	slices.SortFunc(out, byProbability)
	var floor float64
	if o.nodes > 0 && o.mass > 0 {
		floor = (1 - o.mass) / float64(o.nodes)
	}
	if len(out) > 0 {
		floor = max(floor, o.relative*out[0].Probability)
	}
	n := 0
	for sum, last := 0., 0.; n < len(out); n++ {
		p := out[n].Probability
		if p < floor || p <= 0 {
			break
		}
		if o.mass > 0 && sum > o.mass && (o.even == 0 || p < o.even*last) {
			break
		}
		if o.mass == 0 || sum <= o.mass {
			last = p
		}
		sum += p
	}
	out = out[:n]
	if o.limit > 0 && len(out) > o.limit {
		out = out[:o.limit]
	}
	return out
}
