package learn

import (
	"cmp"
	"context"
	"slices"

	"cairn/engine/kg"
	"cairn/engine/questions"
	"cairn/engine/schema"
)

// Regime says which chains a question with answers teaches (§4.2, "retrieval data").
type Regime string

// The regimes.
const (
	// Selected takes the chains that lead to the answers and to as little else as can be
	// (the highest F1): of one question alone the shortest, of many those that their words
	// agree on (see Agree). The paper has a model select.
	Selected Regime = "selected"
	// Filtered takes the shortest that lead to any answer without turning round: all
	// steps along their relations, or all against them.
	Filtered Regime = "filtered"
	// Raw takes the shortest that lead to any answer.
	Raw Regime = "raw"
)

// Regimes lists every regime, the default first.
var Regimes = []Regime{Selected, Filtered, Raw}

const (
	// usefulF1 is the least F1 of a chain that teaches: below it leads to the answers by
	// chance.
	usefulF1 = 0.1
	// crossed is how many entities a set has at most that a chain in search of answers
	// goes on from: people do not ask past crowds.
	crossed = 400
	// searched is how many edges the search for the chains of one question looks at.
	searched = 2_000_000
	// further is how many edges are looked at for longer chains than those that lead to the
	// answers and nowhere else.
	further = 100_000
	// worth is the F1 of a lead, as a share of the best one's, and leadsAtMost how many there are.
	worth, leadsAtMost = 0.5, 96
	// kept is how many equally good chains of a question are kept.
	kept = 24
)

// Lead is a chain that leads from what a question names to its answers, with the F1 of where
// it leads.
type Lead struct {
	Chain []schema.Step
	F1    float64
}

// search finds chains from topics to answers.
type search struct {
	*Walker

	topics, answers []kg.EntityID // answers ascending
	// into are the steps that end at some answer.
	into map[schema.Step]bool
	most int // edges that are looked at
	out  []Lead
}

// Chains returns the chains of at most longest steps that a question teaches; none where
// nothing leads to its answers.
func (k *Walker) Chains(topics, answers []kg.EntityID, longest int, of Regime) [][]schema.Step {
	s := k.search(topics, answers)
	for n := 1; n <= longest && s.looked <= s.most; n++ {
		s.visit(topics, make([]schema.Step, 0, n), n)
		if len(s.out) > 0 && (of != Selected || s.best() > 1-1e-9) {
			break
		}
	}
	if of == Selected {
		return s.selected()
	}
	var out [][]schema.Step
	for _, f := range s.out {
		if of == Raw || straight(f.Chain) {
			out = append(out, f.Chain)
		}
	}
	return out[:min(len(out), kept)]
}

// Leads returns the chains of at most longest steps that may be what a question with these
// answers asks for, the best first. They go on to longer ones than lead to the answers and
// nowhere else, for these may do so by chance: see Agree.
func (k *Walker) Leads(topics, answers []kg.EntityID, longest int) []Lead {
	s := k.search(topics, answers)
	for n := 1; n <= longest && s.looked <= s.most; n++ {
		s.visit(topics, make([]schema.Step, 0, n), n)
		if s.best() > 1-1e-9 {
			s.most = min(s.most, s.looked+further)
		}
	}
	s.sort()
	for i, f := range s.out {
		if f.F1 < max(worth*s.out[0].F1, usefulF1) || i == leadsAtMost {
			return s.out[:i]
		}
	}
	return s.out
}

func (k *Walker) search(topics, answers []kg.EntityID) *search {
	s := &search{Walker: k, topics: topics, answers: answers, into: map[schema.Step]bool{}, most: searched}
	k.looked = 0
	for _, step := range k.Leaving(answers) {
		s.into[step.Back()] = true
	}
	return s
}

// Doubts finds the questions about one name of which Selected keeps several chains, on
// all cores. What says its legs is in no doubt. told may be nil.
func (w *Walkers) Doubts(ctx context.Context, xs []questions.Example, longest int, told func(done int)) ([]questions.Doubt, error) {
	found := make([]questions.Doubt, len(xs))
	err := Each(ctx, len(xs), func(i int) {
		x := &xs[i]
		named := NamesOf(w.Graph, *x)
		if len(named) != 1 || len(x.Legs) > 0 {
			return
		}
		k := w.Take()
		defer w.Put(k)
		found[i] = questions.Doubt{Example: x, Chains: k.Chains(named[0].Seeds, x.Answers, longest, Selected)}
	}, told)
	return slices.DeleteFunc(found, func(d questions.Doubt) bool { return len(d.Chains) < 2 }), err
}

// visit tries the chains of n steps that begin with chain, which leads to set.
func (s *search) visit(set []kg.EntityID, chain []schema.Step, n int) {
	last := len(chain) == n-1
	for _, step := range s.Leaving(set) {
		if last && !s.into[step] {
			continue
		}
		if s.looked > s.most {
			return
		}
		next := s.Follow(set, step, s.topics)
		switch {
		case last:
			if f := F1(next, s.answers); f > 0 {
				s.out = append(s.out, Lead{append(slices.Clone(chain), step), f})
			}
		case len(next) > 0 && len(next) <= crossed:
			s.visit(next, append(chain, step), n)
		}
	}
}

// best is the highest F1 so far.
func (s *search) best() float64 {
	top := 0.
	for _, f := range s.out {
		top = max(top, f.F1)
	}
	return top
}

// sort puts the best first, of equals the shorter ones.
func (s *search) sort() {
	slices.SortStableFunc(s.out, func(a, b Lead) int {
		return cmp.Or(cmp.Compare(b.F1, a.F1), cmp.Compare(len(a.Chain), len(b.Chain)))
	})
}

// selected are the chains of Selected.
func (s *search) selected() [][]schema.Step {
	s.sort()
	var out [][]schema.Step
	for _, f := range s.out {
		if first := s.out[0]; f.F1 < first.F1-1e-9 || len(f.Chain) > len(first.Chain) || f.F1 < usefulF1 || len(out) == kept {
			break
		}
		out = append(out, f.Chain)
	}
	return out
}

// straight reports whether a chain keeps to one direction.
func straight(chain []schema.Step) bool {
	return !slices.ContainsFunc(chain, func(s schema.Step) bool { return s.IsBack() != chain[0].IsBack() })
}

// F1 compares a set with the right answers, which are ascending.
func F1(set, right []kg.EntityID) float64 {
	return 2 * float64(Hits(set, right)) / float64(max(1, len(set)+len(right)))
}

// Hits counts what of a set is among the right answers, which are ascending.
func Hits(set, right []kg.EntityID) (n int) {
	for _, e := range set {
		if kg.Holds(right, e) {
			n++
		}
	}
	return n
}
