package builtin

import (
	"fmt"
	"slices"
	"strings"

	"cairn/engine/kg"
	"cairn/engine/lexicon"
	"cairn/engine/plan/words"
	"cairn/engine/schema"
	"cairn/internal/wording"
)

// wholeShare is the share of a slot that has a type from which on asking for
// the type says nothing new.
const wholeShare = 0.98

// typedEnough is the share of a slot's entities that must have types at all for
// those without to be of none.
const typedEnough = 0.9

// restrict fills within: which nodes of a shape a word of the question gives a
// type of the graph. The asked word speaks of the asked node; another word
// speaks of the one other node that can have its type, if there is only one. A type
// before another, "dwarf planets", speaks of the same node as that.
func (p *Planner) restrict(pr *proposal) {
	s := &pr.shape
	if p.g.NumTypes() == 0 {
		return
	}
	hops := s.hops()
	asked := s.askedHop()
	for i := range pr.q.Words {
		w := &pr.q.Words[i]
		if len(w.Types) == 0 || i+1 < len(pr.q.Words) && pr.q.Words[i+1].Mention >= 0 {
			continue // the noun before a name speaks of the name
		}
		noun := i
		for pr.q.narrows(noun) {
			noun++
		}
		fits := func(h int) bool {
			to := hops[h].step.To()
			said := i > 0 && pr.q.narrows(i-1) && len(s.within[h]) > 0 // what narrows it is of all that it names
			return (said || p.isSpecific(w, to)) && !p.IsCalled(hops[h].step, w.Lower) && (noun == i || pr.q.NamesSlot(&pr.q.Words[noun], to))
		}
		at, found := asked, 0
		if noun == pr.q.asked {
			if asked >= 0 && fits(asked) {
				found = 1
			}
		} else {
			for h := range hops {
				if h != asked && fits(h) {
					at, found = h, found+1
				}
			}
		}
		if found == 1 {
			if s.within == nil {
				s.within = map[int][][]kg.TypeID{}
			}
			said := slices.ContainsFunc(s.within[at], func(types []kg.TypeID) bool { return slices.Equal(types, w.Types) })
			if said {
				continue // "countries that border the country …"
			}
			s.within[at] = slices.Insert(s.within[at], 0, w.Types) // the noun before what narrows it
		}
	}
	if pr.q.wh == who && asked >= 0 && len(s.within[asked]) == 0 && !pr.endDoes() {
		if types := p.Somebodies(hops[asked].step.To()); types != nil {
			if s.within == nil {
				s.within = map[int][][]kg.TypeID{}
			}
			s.within[asked] = [][]kg.TypeID{types}
		}
	}
}

// narrows reports whether word i is a type that stands before another: "dwarf planets".
func (q *question) narrows(i int) bool {
	if i < 0 || i+1 >= len(q.Words) {
		return false
	}
	w, noun := &q.Words[i], &q.Words[i+1]
	return w.Mention < 0 && noun.Mention < 0 && !w.Stop && !w.Silent && len(w.Types) > 0 && len(noun.Types) > 0 && !slices.Equal(w.Types, noun.Types)
}

// isSpecific reports whether a word's types are those of some, but not all, of
// the entities in a slot that have a type.
func (p *Planner) isSpecific(w *words.Word, at schema.Slot) bool {
	share := 0.0
	for _, t := range w.Types {
		share += p.schema.Types(at)[t]
	}
	return share >= words.TypeShareMin && share < wholeShare*p.schema.Typed(at)
}

// ofKind returns what may be of the types in a slot, ascending: where many things there
// have no type, they may be of any.
func (p *Planner) ofKind(types []kg.TypeID, at schema.Slot) []kg.EntityID {
	out := p.OfTypes(types)
	if p.schema.Typed(at) >= typedEnough {
		return out
	}
	st := schema.Step(at)
	for _, e := range p.g.Having(st.Relation(), st.IsBack()) {
		if len(p.g.Types(e)) == 0 {
			out = append(out, e)
		}
	}
	slices.Sort(out)
	return out
}

// calledOther says in a sentence that the asked noun is no type of the graph, and that the graph
// gives an answer another one: a book is no song because somebody wrote it. The relation's own
// word, and what something is by it, an author or a neighbour, are no kind; "" for none.
func (l *look) calledOther() string {
	q, last, r, best := l.q, l.last, l.r, l.proposal
	if q.asked < 0 || len(last) == 0 {
		return ""
	}
	w := &q.Words[q.asked]
	if anyKind[w.Lower] || len(q.Roles(w)) == 0 {
		return ""
	}
	isOwn := q.isOwnRole(w)
	for _, st := range last {
		isRole := func(m int) bool {
			c := &r.p.lex.Concepts[m]
			names := func(p lexicon.Phrase) bool { return slices.Contains(p.Stems, w.Stem) }
			isHead := st.IsBack() && c.SameEnds && !lexicon.IsGendered(w.Lower) && slices.ContainsFunc(c.Head, names)
			return isHead || (c.Answer == lexicon.Person || !r.p.lex.IsKind(w.Stem)) && slices.ContainsFunc(c.Tail, names)
		}
		name := r.p.names[st.Relation()]
		written := strings.TrimSuffix(strings.Join(name.words, ""), "of") == lexicon.Singular(w.Lower) // "subclasses" of "sub class of"
		if isOwn(st.To()) || written || slices.ContainsFunc(name.meanings, isRole) {
			return ""
		}
	}
	for _, e := range best.answers {
		types := r.p.g.Types(e)
		isSame := func(stem string) bool { return stem == w.Stem || slices.Contains(r.p.lex.KindsOf(w.Stem), stem) }
		if slices.ContainsFunc(types, func(t kg.TypeID) bool { return slices.ContainsFunc(lexicon.Stems(r.p.g.TypeLabel(t)), isSame) }) {
			continue // a chemical element; a novel, which is a book
		}
		if len(types) > 0 {
			return fmt.Sprintf("The graph calls %s %s, not %s.", wording.Quote(r.p.g.Label(e)), wording.Quote(r.p.g.TypeLabel(types[0])), wording.Quote(w.Text))
		}
	}
	return ""
}

// leavesKind says in a sentence that a reading takes the first alone of two kinds that the question
// joins by "and", "novels and poems"; "" for other readings.
func (pr *proposal) leavesKind() string {
	q := pr.q
	for i := 1; i+1 < len(q.Words); i++ {
		a, b := &q.Words[i-1], &q.Words[i+1]
		isKind := a.Mention < 0 && b.Mention < 0 && len(a.Types) > 0 && len(b.Types) > 0
		if q.Words[i].Lower == "and" && isKind && !slices.Equal(a.Types, b.Types) {
			return leavesOut([]string{b.Text})
		}
	}
	return ""
}

// anyKind are nouns for things of many kinds.
var anyKind = lexicon.WordSet("person persons people place places location locations thing things one ones work works item items organization organizations organisation organisations")

// untyped says in a sentence that the graph says no type of an answer, where a type is asked for that
// others there have; "" for other readings.
func (l *look) untyped() string {
	at, hop := l.q.asked, l.shape.askedHop()
	if at < 0 || hop < 0 || len(l.q.Words[at].Types) == 0 || l.r.p.schema.Typed(l.hops[hop].step.To()) == 0 {
		return ""
	}
	for _, e := range l.answers {
		if len(l.r.p.g.Types(e)) == 0 {
			return fmt.Sprintf("The graph does not say what type %s is.", wording.Quote(l.r.p.g.Label(e)))
		}
	}
	return ""
}
