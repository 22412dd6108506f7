package learn

import (
	"math"
	"slices"

	"cairn/engine/kg"
	"cairn/engine/lexicon"
	"cairn/engine/questions"
	"cairn/engine/schema"
	"cairn/internal/wording"
)

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
	commonness = 2.5
	// crowding is what it weighs that a question has many chains as long: of those that go there
	// and back there are always more, and together they would outweigh the short one.
	crowding = 0.6
	// aside is how much of what is said is said beside the relations: in what words, and to whom.
	aside = 0.7
	// likely is the share of the likeliest chain's probability at which another teaches, too:
	// graphs say the same by several.
	likely = 0.5
	// named is how often a word of a relation's name, or one that means the same, is taken to
	// have been said for it, and unsaid how often any other.
	named, unsaid = 1, 0.01
	// longClue is from how many words on all questions are as long, in pairs of words.
	longClue = 10
)

// Agree returns the chains that each of some questions teaches. Often several lead to the
// answers, and the shortest by chance: the gender of X's child's mother is mostly that of X.
// Which one is meant is told by what the words of all questions go with, by how many steps
// questions of so many words take, and by which steps are taken at all:
//
//	P(chain of n steps | m words) ~ F1^exactness · P(n | m) / c^crowding · Π_s P(s)^(commonness/n) · Π_w (aside·t(w) + (1-aside)·Σ_r t(w | r)/k)
//
// over the steps s of the chain and their k relations r, where c chains are as long. P and t are
// learned from all questions by expectation maximisation (Brown et al. 1993, their model 1). Words
// go with relations in both directions, each once a chain: the graph tells mostly which direction it
// is, few questions so tell more, and to go there and back says nothing further. Before anything
// is known shorter chains are likelier.
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
	of    []int32   // by pair of a relation and a word: the relation; 0 is nothing
	prior []float64 // by pair: how often it is taken to have been said
	base  []float64 // by relation: the sum of prior over all words
	known
	t []float64 // of the clue at hand, by its steps and words
}

// known is what was counted.
type known struct {
	said     []float64                              // by pair: how often
	sum      []float64                              // by relation: of prior and said over all words
	taken    []float64                              // by step: how often
	takenAll float64                                // the sum
	steps    [longClue + 1][longestLead + 1]float64 // by pairs of words: how often so many are taken
}

func (a *agreement) nothing() known {
	return known{said: make([]float64, len(a.of)), sum: slices.Clone(a.base), taken: make([]float64, 2*len(a.base)-2)}
}

// longestLead is the most steps of a chain that are told apart.
const longestLead = 8

func (l agreedLead) steps() int { return min(len(l.chain), longestLead) }

// agreedClue is a clue by numbers.
type agreedClue struct {
	long  int       // how many words it has, in pairs
	pairs [][]int32 // by one of its relations, the first of which is nothing, and word
	leads []agreedLead
}

type agreedLead struct {
	chain []schema.Step
	of    []int32 // its relations as places in pairs
	f1    float64 // its logarithm
}

func newAgreement(g *kg.Graph, clues []Clue) *agreement {
	n := numbering{&agreement{base: make([]float64, 1+g.Relations())}, map[string]int32{}, map[pair]bool{}, map[pair]int32{}}
	for _, c := range clues {
		for _, w := range c.Words {
			if _, ok := n.words[w]; !ok {
				n.words[w] = int32(len(n.words))
			}
		}
	}
	n.names(g)
	for _, c := range clues {
		n.clues = append(n.clues, n.clue(c))
	}
	n.known = n.nothing()
	return n.agreement
}

// pair is a relation, by 1 + its number, and a word.
type pair struct{ relation, word int32 }

// numbering gives words, and those pairs that come up, numbers.
type numbering struct {
	*agreement

	words   map[string]int32
	named   map[pair]bool
	numbers map[pair]int32
}

// names takes up the words of relations' names, and those that mean the same.
func (n *numbering) names(g *kg.Graph) {
	lex := lexicon.Builtin()
	n.base[0] = unsaid * float64(len(n.words))
	for r := range kg.RelationID(g.Relations()) {
		name := g.RelationText(r)
		stems := wording.Each(lexicon.Tokenize(name), func(t lexicon.Token) string { return t.Stem })
		means := lex.Meanings(lexicon.RelationWords(name))
		n.base[1+r] = n.base[0]
		for stem, w := range n.words {
			if slices.Contains(stems, stem) || slices.ContainsFunc(lex.ConceptsOf(stem), func(c int) bool { return slices.Contains(means, c) }) {
				n.named[pair{1 + int32(r), w}] = true
				n.base[1+r] += named
			}
		}
	}
}

func (n *numbering) clue(c Clue) agreedClue {
	out := agreedClue{long: min(len(c.Words)/2, longClue)}
	at := map[int32]int32{}
	place := func(relation int32) int32 {
		p, ok := at[relation]
		if !ok {
			p = int32(len(at))
			at[relation] = p
			out.pairs = append(out.pairs, wording.Each(c.Words, func(w string) int32 { return n.pair(pair{relation, n.words[w]}) }))
		}
		return p
	}
	place(0)
	for _, l := range c.Leads {
		lead := agreedLead{l.Chain, nil, math.Log(l.F1)}
		for _, s := range l.Chain {
			if p := place(1 + int32(s.Relation())); !slices.Contains(lead.of, p) {
				lead.of = append(lead.of, p)
			}
		}
		out.leads = append(out.leads, lead)
	}
	return out
}

// pair numbers a pair.
func (n *numbering) pair(p pair) int32 {
	at, ok := n.numbers[p]
	if !ok {
		at = int32(len(n.of))
		n.numbers[p], n.of = at, append(n.of, p.relation)
		prior := unsaid
		if n.named[p] {
			prior += named
		}
		n.prior = append(n.prior, prior)
	}
	return at
}

// weigh returns how likely each lead of a clue is.
func (a *agreement) weigh(c *agreedClue) []float64 {
	a.t = a.t[:0]
	for _, pairs := range c.pairs {
		for _, n := range pairs {
			a.t = append(a.t, (a.said[n]+a.prior[n])/a.sum[a.of[n]])
		}
	}
	ps := make([]float64, len(c.leads))
	top := math.Inf(-1)
	var crowd [longestLead + 1]float64
	for _, l := range c.leads {
		crowd[l.steps()]++
	}
	for i, l := range c.leads {
		ps[i] = exactness*l.f1 - crowding*math.Log(crowd[l.steps()]) + math.Log(1/float64(len(l.chain))+a.steps[c.long][l.steps()])
		common := 0.
		for _, s := range l.chain {
			common += math.Log((1 + a.taken[s]) / (float64(len(a.taken)) + a.takenAll))
		}
		ps[i] += commonness / float64(len(l.chain)) * common
		for w := range c.pairs[0] {
			ps[i] += math.Log(a.likeliness(c, l, w))
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

// likeliness is how likely word w of the clue at hand is for the relations of a lead and nothing.
func (a *agreement) likeliness(c *agreedClue, l agreedLead, w int) float64 {
	sum := 0.
	for _, r := range l.of {
		sum += a.t[int(r)*len(c.pairs[0])+w]
	}
	return aside*a.t[w] + (1-aside)*sum/float64(len(l.of))
}

// count counts anew what goes with what, by what is known so far.
func (a *agreement) count() {
	next := a.nothing()
	for i := range a.clues {
		c := &a.clues[i]
		for j, p := range a.weigh(c) {
			l := c.leads[j]
			next.steps[c.long][l.steps()] += p
			for _, s := range l.chain {
				next.taken[s] += p
				next.takenAll += p
			}
			for w := range c.pairs[0] {
				all := a.likeliness(c, l, w)
				add := func(r int32, share float64) {
					n, part := c.pairs[r][w], p*share*a.t[int(r)*len(c.pairs[0])+w]/all
					next.said[n] += part
					next.sum[a.of[n]] += part
				}
				add(0, aside)
				for _, r := range l.of {
					add(r, (1-aside)/float64(len(l.of)))
				}
			}
		}
	}
	a.known = next
}
