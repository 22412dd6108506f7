package claim

import (
	"context"
	"slices"

	"cairn/engine/evidence"
	"cairn/engine/kg"
	"cairn/engine/lexicon"
	"cairn/engine/plan/words"
	"cairn/engine/schema"
)

// hubScan bounds the neighbours of a name among which an unnamed middle is
// looked for.
const hubScan = 3_000

// spoke is a triple between an unnamed entity and a name.
type spoke struct {
	name   int
	entity kg.EntityID
	step   schema.Step // from the name to the unnamed
	weight float64
	word   int
	found  bool
}

// unnamed reads the names that nothing joins as joined to one thing that the
// claim does not name: "a politician who is a member of X lives in Y". A single
// name is joined with one of the others. It reports whether the graph has such a
// thing, where words ask for every relation.
func (w *claimWriter) unnamed(ctx context.Context, missing []int) bool {
	v := w.v
	groups := [][]int{missing}
	for o, n := range v.names {
		if n.needed && !slices.Contains(missing, o) {
			groups = append(groups, append([]int{o}, missing...))
		}
	}
	if len(missing) == 1 {
		groups = groups[1:]
	}
	for _, g := range groups {
		if ctx.Err() != nil {
			return false
		}
		if spokes := v.hub(g); spokes != nil {
			at := w.variable("?thing")
			for _, s := range spokes {
				w.edge(w.node(s.name, s.entity), at, s.step)
				w.why = append(w.why, evidence.Explanation{Value: s.weight, Message: v.q.Asks(s.word, s.step.Relation())})
				w.parts = append(w.parts, v.g.Label(s.entity)+" "+w.arrow(s.step)+" something")
			}
			return true
		}
	}
	return false
}

// leavesUnnamed reports whether the claim speaks of something that it does not
// name: "a politician", "the country where", "it".
func (v *verifier) leavesUnnamed() bool {
	return len(v.names) > 2 || slices.ContainsFunc(v.q.Words, func(w words.Word) bool {
		return w.Mention < 0 && !w.Taken && unnamedWords[w.Lower]
	})
}

var unnamedWords = lexicon.Words("unnamed")

// hub returns the spokes between the best unnamed entity and every name of a
// group, or nil.
func (v *verifier) hub(group []int) []spoke {
	g := v.g
	// Start from the name with the fewest neighbours.
	first, fewest := -1, hubScan
	for _, n := range group {
		total := 0
		for _, e := range v.names[n].is {
			total += g.Degree(e)
		}
		if total < fewest {
			first, fewest = n, total
		}
	}
	if first < 0 {
		return nil
	}
	var best []spoke
	bestScore := 0.0
	seen := map[kg.EntityID]bool{}
	for _, e := range v.names[first].is {
		for _, edges := range [2][]kg.Edge{g.Out(e), g.In(e)} {
			for _, x := range edges {
				if seen[x.Entity] || g.IsLiteral(x.Entity) {
					continue
				}
				seen[x.Entity] = true
				if spokes, score := v.spokes(x.Entity, group); spokes != nil && score > bestScore {
					best, bestScore = spokes, score
				}
			}
		}
	}
	return best
}

// spokes joins an entity to every name of a group by relations that words near
// the name ask for, all but one at most, or returns nil.
func (v *verifier) spokes(hub kg.EntityID, group []int) (out []spoke, score float64) {
	if slices.ContainsFunc(group, func(n int) bool { return slices.Contains(v.names[n].is, hub) }) {
		return nil, 0
	}
	guesses := 0
	noun, ok := v.nounOf(hub)
	if !ok {
		return nil, 0
	}
	for _, n := range group {
		best := spoke{word: -1}
		for _, e := range v.names[n].is {
			for _, t := range v.joining(e, hub) {
				if s := v.spoke(n, e, t, noun); !best.found || s.weight > best.weight {
					best = s
				}
			}
		}
		if !best.found {
			return nil, 0
		}
		if best.word < 0 {
			guesses++
		}
		// One word asks for one relation, if for several names, and of two words between two names the
		// first is that of the first: who reviewed a job that X translated did not translate one that X reviewed.
		if slices.ContainsFunc(out, func(o spoke) bool {
			first, second := o, best
			if first.name > second.name {
				first, second = second, first
			}
			isCrossed := first.word > second.word && second.word >= v.names[first.name].To && first.word < v.names[second.name].From
			return o.word >= 0 && best.word >= 0 && (isCrossed || o.word == best.word && o.step != best.step)
		}) {
			return nil, 0
		}
		out = append(out, best)
		score += best.weight
	}
	if guesses > 1 || guesses == len(group) || guesses > 0 && (!v.leavesUnnamed() || v.saysMore(out, noun)) {
		return nil, 0
	}
	return out, score
}

// nounOf returns the word that stands for what the claim does not name, "a job"; -1 for none. It
// reports false where one stands there for something of another kind.
func (v *verifier) nounOf(hub kg.EntityID) (noun int, ok bool) {
	noun, ok = -1, true
	types := v.g.Types(hub)
	for i := 1; i < len(v.q.Words); i++ {
		w := &v.q.Words[i]
		isBeside := i+1 < len(v.q.Words) && v.q.Words[i+1].Mention >= 0 // "the job X"
		switch {
		case w.Mention >= 0, len(w.Types) == 0, isBeside, !lexicon.IsDeterminer(v.q.Words[i-1].Lower), v.isOfName(i):
		case slices.ContainsFunc(types, func(t kg.TypeID) bool { return slices.Contains(w.Types, t) }):
			return i, true
		default:
			ok = ok && (w.IsCue() || len(types) == 0)
		}
	}
	return noun, ok
}

// saysMore reports whether a claim has a word beside the name that no word joins which says something, and neither
// asks for one of the spokes nor says what kind of thing the unnamed is: that a piece was analysed in a laboratory is not
// that it was "a gift" from there.
func (v *verifier) saysMore(spokes []spoke, noun int) bool {
	var rels []kg.RelationID
	for _, s := range spokes {
		rels = append(rels, s.step.Relation())
	}
	guess := spokes[slices.IndexFunc(spokes, func(s spoke) bool { return s.word < 0 })].name
	near := v.near(guess, guess)
	isOpen := func(i int) bool {
		w := v.q.Words[i]
		isUsed := slices.ContainsFunc(spokes, func(s spoke) bool { return s.word == i })
		return w.Mention < 0 && !w.Stop && !w.Taken && !isUsed && i != noun && !lexicon.IsComment(w.Lower) && !v.bears(i, rels)
	}
	for i := range v.q.Words {
		isBeyond := noun >= 0 && (i < noun) != (v.names[guess].From < noun)
		if !isOpen(i) || !near(i) || isBeyond || v.words[i].Lower == "number" {
			continue
		}
		if v.isOfName(i) || !lexicon.SaysKind(words.Tokens(v.words), i, isOpen) {
			return true
		}
	}
	return false
}

// isOfName reports whether the noun at word i says what a name is: "X was a gift".
func (v *verifier) isOfName(i int) bool {
	for i > 0 && !lexicon.IsDeterminer(v.words[i].Lower) {
		i--
	}
	return i > 1 && copulas[v.words[i-1].Lower] && v.q.Words[i-2].Mention >= 0
}

// spoke reads a triple between a name and an unnamed entity, for which a noun may stand: the words on
// either side of it are those of the names there.
func (v *verifier) spoke(n int, e kg.EntityID, t kg.TripleID, noun int) spoke {
	triple := v.g.Triple(t)
	st := schema.Forward(triple.Relation)
	if triple.Head != e {
		st = st.Back()
	}
	s := spoke{name: n, entity: e, step: st, word: -1, found: true}
	canonical := v.schema.Canonical(st)
	near := v.near(n, n)
	for i := range v.q.Words {
		w := &v.q.Words[i]
		weight := max(w.Weight[canonical], w.Weight[v.schema.Back(canonical)])
		isBeyond := noun >= 0 && i != noun && (i < noun) != (v.names[n].From < noun)
		by := words.DoneBy(v.q.Words, i)
		if weight > 0 && near(i) && !isBeyond && (by < 0 || by == n) && weight > s.weight {
			s.weight, s.word = weight, i
		}
	}
	return s
}
