package learn

import (
	"cmp"
	"math"
	"slices"

	"cairn/engine/kg"
	"cairn/engine/lexicon"
	"cairn/engine/questions"
	"cairn/engine/schema"
)

// Lead is a chain that leads from what a question names to its answers, with the F1 of where
// it leads.
type Lead struct {
	Chain []schema.Step
	F1    float64
}

// Clue is a question's words, without names, and the chains that it may ask for.
type Clue struct {
	Words []string
	Leads []Lead
}

// ClueOf is the clue of a question with the leads from one of its names.
func ClueOf(x questions.Example, leads []Lead) Clue {
	c := Clue{Leads: leads}
	tokens, span := TokensOf(x)
	for i, t := range tokens {
		if span[i] < 0 {
			c.Words = append(c.Words, t.Stem)
		}
	}
	return c
}

const (
	// counted is how often it is counted anew what goes with what.
	counted = 8
	// exactness is what the F1 of a chain weighs beside the words of its question. From 1 to 8
	// it makes little difference.
	exactness = 8
	// commonness is what it weighs how often the steps of a chain are taken: where a graph says
	// the same by two steps, people who ask for one of them ask for it always.
	commonness = 3
	// likely is the share of the likeliest chain's probability at which another teaches, too:
	// graphs say the same by several.
	likely = 0.5
	// named is how often a word of a relation's name is taken to have been said for it, and
	// unsaid how often any other.
	named, unsaid = 1, 0.01
	// longClue is from how many words on all questions are as long, in pairs of words.
	longClue = 10
)

// Agree returns the chains that each of some questions teaches. Often several lead to the
// answers, and the shortest by chance: the gender of X's child's mother is mostly that of X.
// Which one is meant is told by what the words of all questions go with, by how many steps
// questions of so many words take, and by which steps are taken at all:
//
//	P(chain of n steps | m words) ~ F1^exactness · P(n | m) · Π_s P(s)^(commonness/n) · Π_w Σ_s t(w | s) / (n+1)
//
// over the steps s of the chain, in the last sum nothing, too. P and t are learned from all
// questions by expectation maximisation (Brown et al. 1993, their model 1).
func Agree(g *kg.Graph, clues []Clue) [][][]schema.Step {
	a := newAgreement(g, clues)
	for range counted {
		a.count()
	}
	out := make([][][]schema.Step, len(clues))
	for i := range clues {
		ps := a.weigh(&a.clues[i])
		for j, p := range ps {
			if p >= likely*slices.Max(ps) && len(out[i]) < kept {
				out[i] = append(out[i], clues[i].Leads[j].Chain)
			}
		}
	}
	return out
}

// agreement is what goes with what, as far as it is known.
type agreement struct {
	clues []agreedClue
	of    []int32   // by pair of a step and a word: the step; 0 is nothing
	prior []float64 // by pair: how often it is taken to have been said
	base  []float64 // by step: the sum of prior over all words
	known
	t [][]float64 // of the clue at hand, by its steps and words
}

// known is what was counted.
type known struct {
	said     []float64                              // by pair: how often
	sum      []float64                              // by step: of prior and said over all words
	taken    []float64                              // by step: how often
	takenAll float64                                // the sum
	steps    [longClue + 1][longestLead + 1]float64 // by pairs of words: how often so many are taken
}

func (a *agreement) nothing() known {
	return known{said: make([]float64, len(a.of)), sum: slices.Clone(a.base), taken: make([]float64, len(a.base))}
}

// longestLead is the most steps of a chain.
const longestLead = 8

// agreedClue is a clue by numbers.
type agreedClue struct {
	long  int       // how many words it has, in pairs
	pairs [][]int32 // by one of its steps, the first of which is nothing, and word
	steps []int32   // those of pairs
	leads [][]int32 // the steps of each, as places in pairs
	f1    []float64 // by lead, its logarithm
}

func newAgreement(g *kg.Graph, clues []Clue) *agreement {
	steps := 1 + 2*g.Relations()
	a := &agreement{base: make([]float64, steps), clues: make([]agreedClue, len(clues))}
	words := map[string]int32{}
	for _, c := range clues {
		for _, w := range c.Words {
			if _, ok := words[w]; !ok {
				words[w] = int32(len(words))
			}
		}
	}
	inName := map[[2]int32]bool{}
	for s := range a.base {
		if a.base[s] = unsaid * float64(len(words)); s == 0 {
			continue
		}
		for _, t := range lexicon.Tokenize(g.RelationText(schema.Step(s - 1).Relation())) {
			if w, ok := words[t.Stem]; ok && !inName[[2]int32{int32(s), w}] {
				inName[[2]int32{int32(s), w}] = true
				a.base[s] += named
			}
		}
	}
	numbers := map[[2]int32]int32{}
	for i, c := range clues {
		to := &a.clues[i]
		to.long = min(len(c.Words)/2, longClue)
		at := map[int32]int32{}
		place := func(step int32) int32 {
			p, ok := at[step]
			if ok {
				return p
			}
			p = int32(len(to.pairs))
			at[step] = p
			pairs := make([]int32, len(c.Words))
			for j, w := range c.Words {
				key := [2]int32{step, words[w]}
				n, ok := numbers[key]
				if !ok {
					n = int32(len(a.of))
					numbers[key] = n
					prior := unsaid
					if inName[key] {
						prior += named
					}
					a.of, a.prior = append(a.of, step), append(a.prior, prior)
				}
				pairs[j] = n
			}
			to.pairs, to.steps = append(to.pairs, pairs), append(to.steps, step)
			return p
		}
		place(0)
		for _, l := range c.Leads {
			chain := make([]int32, len(l.Chain))
			for j, s := range l.Chain {
				chain[j] = place(1 + int32(s))
			}
			to.leads, to.f1 = append(to.leads, chain), append(to.f1, math.Log(l.F1))
		}
	}
	a.known = a.nothing()
	return a
}

// weigh returns how likely each lead of a clue is.
func (a *agreement) weigh(c *agreedClue) []float64 {
	a.t = a.t[:0]
	for _, pairs := range c.pairs {
		t := make([]float64, len(pairs))
		for j, n := range pairs {
			t[j] = (a.said[n] + a.prior[n]) / a.sum[a.of[n]]
		}
		a.t = append(a.t, t)
	}
	ps := make([]float64, len(c.leads))
	top := math.Inf(-1)
	for i, chain := range c.leads {
		ps[i] = exactness*c.f1[i] + math.Log(1+a.steps[c.long][min(len(chain), longestLead)])
		common := 0.
		for _, s := range chain {
			common += math.Log((1 + a.taken[c.steps[s]]) / (float64(len(a.taken)) + a.takenAll))
		}
		ps[i] += commonness / float64(len(chain)) * common
		for w, sum := range a.t[0] {
			for _, s := range chain {
				sum += a.t[s][w]
			}
			ps[i] += math.Log(sum / float64(len(chain)+1))
		}
		top = max(top, ps[i])
	}
	all := 0.
	for i, p := range ps {
		ps[i] = math.Exp(p - top)
		all += ps[i]
	}
	for i := range ps {
		ps[i] /= all
	}
	return ps
}

// count counts anew what goes with what, by what is known so far.
func (a *agreement) count() {
	next := a.nothing()
	for i := range a.clues {
		c := &a.clues[i]
		for j, p := range a.weigh(c) {
			chain := c.leads[j]
			next.steps[c.long][min(len(chain), longestLead)] += p
			for _, s := range chain {
				next.taken[c.steps[s]] += p
				next.takenAll += p
			}
			for w, all := range a.t[0] {
				for _, s := range chain {
					all += a.t[s][w]
				}
				add := func(s int32) {
					n, part := c.pairs[s][w], p*a.t[s][w]/all
					next.said[n] += part
					next.sum[a.of[n]] += part
				}
				add(0)
				for _, s := range chain {
					add(s)
				}
			}
		}
	}
	a.known = next
}

const (
	// worth is the F1 of a chain that may be meant, as a share of the best one's.
	worth = 0.5
	// further is how many edges are looked at for longer chains than those that lead to the
	// answers and nowhere else.
	further = 100_000
)

// Leads returns the chains of at most longest steps that may be what a question with these
// answers asks for, the best first.
func (k *Walker) Leads(topics, answers []kg.EntityID, longest int) []Lead {
	s := &search{Walker: k, topics: topics, answers: answers, into: map[schema.Step]bool{}, most: searched}
	k.looked = 0
	for _, step := range k.Leaving(answers) {
		s.into[step.Back()] = true
	}
	for n := 1; n <= longest && s.looked <= s.most; n++ {
		s.visit(topics, make([]schema.Step, 0, n), n)
		if s.best() > 1-1e-9 {
			s.most = min(s.most, k.looked+further)
		}
	}
	slices.SortStableFunc(s.out, func(a, b found) int {
		return cmp.Or(cmp.Compare(b.f1, a.f1), cmp.Compare(len(a.chain), len(b.chain)))
	})
	var out []Lead
	for _, f := range s.out {
		if f.f1 < worth*s.out[0].f1 || f.f1 < usefulF1 || len(out) == 4*kept {
			break
		}
		out = append(out, Lead{f.chain, f.f1})
	}
	return out
}
