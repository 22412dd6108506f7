package words

import (
	"cmp"
	"slices"

	"cairn/engine/kg"
	"cairn/engine/lexicon"
	"cairn/engine/meanings"
	"cairn/engine/schema"
	"cairn/engine/vec"
)

// Meant is a relation that a word asks for only by what it means: "wed" for "spouse",
// with which it shares no letter and which the lexicon does not tell.
type Meant struct {
	Step schema.Step
	// Name is the word of the relation's name that the word is nearest to.
	Name string
	// Cosine says how near they are, 1 for the same.
	Cosine float64
}

// meantFor finds the relations that a word may mean. Own words outrank the lexicon, and
// the lexicon outranks what is found here.
//
//	word ─cosine─▶ words of names ─▶ relations ─far above the others─▶ Meant
type meantFor struct {
	table     *meanings.Table
	names     []string    // the words of relations' names
	vectors   [][]float32 // of names
	relations []meantRelation
}

// meantRelation is a relation whose name has words with a meaning.
type meantRelation struct {
	step  schema.Step // the way that its own words ask for
	words []int       // places in names
	whole []float32   // the unit vector of the whole name
}

const (
	// meantLeast is the cosine below which no word stands for a relation: one in a
	// thousand of all pairs of words is above 0.44, one in a hundred above 0.26.
	meantLeast = 0.32
	// meantAbove is how far above the middle one of the graph's relations a relation
	// must be, in deviations of the others. Words such as "film" are near every relation
	// of a graph of films, and ask for none of them.
	meantAbove = 3
	// meantSpread is the least deviation: that of words by chance.
	meantSpread = 0.09
	// meantNear is how far below the nearest relation others are still meant.
	meantNear = 0.1
)

// newMeantFor reads the names of relations.
func newMeantFor(s *schema.Schema, lex *lexicon.Lexicon, mappings []Mapping, table *meanings.Table) *meantFor {
	m := &meantFor{table: table}
	places := map[string]int{}
	for _, x := range mappings {
		if table == nil || x.SameAs != x.Relation {
			continue
		}
		r := meantRelation{step: ownStep(x), whole: make([]float32, table.Dims())}
		for _, w := range x.Words {
			for _, tok := range lexicon.Tokenize(w) {
				v, weight := table.Vector(tok.Lower)
				if v == nil || lex.IsStop(tok.Lower) {
					continue
				}
				at, ok := places[tok.Lower]
				if !ok {
					at = len(m.names)
					places[tok.Lower] = at
					m.names, m.vectors = append(m.names, tok.Lower), append(m.vectors, v)
				}
				r.words = append(r.words, at)
				for i, f := range v {
					r.whole[i] += float32(weight) * f
				}
			}
		}
		if len(r.words) > 0 {
			vec.Normalize(r.whole)
			m.relations = append(m.relations, r)
		}
	}
	return m
}

// ownStep returns the way in which a relation's own words ask for it.
func ownStep(m Mapping) schema.Step {
	if lexicon.NamesHead(m.Words) {
		return schema.Forward(m.Relation).Back()
	}
	return schema.Forward(m.Relation)
}

// of returns the relations that a folded word may mean, the nearest first.
func (m *meantFor) of(word string) []Meant {
	v, _ := m.table.Vector(word)
	if v == nil || len(m.relations) == 0 {
		return nil
	}
	near := make([]float64, len(m.names))
	for i, n := range m.vectors {
		near[i] = float64(vec.Dot(v, n))
	}
	all := make([]Meant, len(m.relations))
	for i, r := range m.relations {
		best := r.words[0]
		for _, w := range r.words {
			if near[w] > near[best] {
				best = w
			}
		}
		// A name of several words is as near as its nearest word and the whole of it
		// are in the mean: "release year" is not all that a year is.
		all[i] = Meant{r.step, m.names[best], (near[best] + float64(vec.Dot(v, r.whole))) / 2}
	}
	slices.SortStableFunc(all, func(a, b Meant) int { return cmp.Compare(b.Cosine, a.Cosine) })
	limit := max(meantLeast, all[0].Cosine-meantNear, m.usual(all))
	n := 0
	for n < len(all) && all[n].Cosine >= limit {
		n++
	}
	return all[:n]
}

// usual returns the cosine from which a relation is far above the others.
func (m *meantFor) usual(all []Meant) float64 {
	middle := all[len(all)/2].Cosine
	away := make([]float64, len(all))
	for i, x := range all {
		away[i] = max(x.Cosine-middle, middle-x.Cosine)
	}
	slices.Sort(away)
	const deviation = 1.4826 // of a normal distribution, in medians of what is away
	return middle + meantAbove*max(meantSpread, deviation*away[len(away)/2])
}

// meant returns the relations that word i of a text may mean, where nothing stronger
// speaks for the word.
func (v *Vocabulary) meant(t lexicon.Token) []Meant {
	if v.byVector == nil || v.lex.IsStop(t.Lower) || len(v.cues.types[t.Stem]) > 0 {
		return nil
	}
	if slices.ContainsFunc(v.cues.byLast[t.Stem], func(c cue) bool { return len(c.stems) == 1 }) {
		return nil
	}
	return v.byVector.of(t.Lower)
}

// meantWeight is the weight of a word that only means a relation: less than any own word
// or word of the lexicon, and more where it is nearer.
func meantWeight(cosine float64) float64 {
	const full = 0.7 // the cosine of synonyms
	share := min(1, (cosine-meantLeast)/(full-meantLeast))
	return cueWeights.meant + (cueWeights.meantFull-cueWeights.meant)*share
}

// takeMeant lets a word that nothing else speaks for ask for what it means.
func (q *Question) takeMeant(w *Word) {
	for _, m := range w.Meant {
		if w.Weight == nil {
			w.Weight, w.Names = map[schema.Step]float64{}, map[schema.Step]bool{}
		}
		back := cueWeights.ownBack
		if q.voc.schema.JoinsSame(m.Step.Relation()) {
			back = cueWeights.ownBackSame
		}
		st := q.voc.schema.Canonical(m.Step)
		weight := meantWeight(m.Cosine)
		w.Weight[st] = max(w.Weight[st], weight)
		w.Weight[q.voc.schema.Back(st)] = max(w.Weight[q.voc.schema.Back(st)], weight*back)
		if !w.IsPast() && q.NamesSlot(w, st.To()) {
			w.Names[st] = true
		}
	}
}

// MeansOnly returns by what a word asks for a relation where it does so by its meaning
// alone.
func (w *Word) MeansOnly(v *Vocabulary, r kg.RelationID) (Meant, bool) {
	if !w.ByMeaning {
		return Meant{}, false
	}
	i := slices.IndexFunc(w.Meant, func(m Meant) bool { return v.schema.Canonical(m.Step).Relation() == r })
	if i < 0 {
		return Meant{}, false
	}
	return w.Meant[i], true
}
