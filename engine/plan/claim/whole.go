package claim

import (
	"slices"
	"strings"

	"cairn/engine/kg"
	"cairn/engine/lexicon"
	"cairn/engine/pattern"
	"cairn/engine/plan/words"
	"cairn/engine/schema"
)

// isWhole reports whether what a claim is read as has all that its words ask for: every word that
// says something is one of its relations', or says no more than what kind of thing something is. That X
// is the wife of Y does not bear out that she "murdered" him. Something that the claim does not name
// is said to be a thing of a kind: "a museum in X is owned by Y".
func (v *verifier) isWhole(p *pattern.Pattern, used []tie) bool {
	if slices.ContainsFunc(used, func(t tie) bool {
		isBare := t.word >= 0 && v.lex.IsStop(v.words[t.word].Lower) // "Germany is in Berlin"
		return isBare && t.from > t.to || !v.isWorded(t) && !v.isNear(t) || !v.tellsEnds(t.relation)
	}) {
		return false
	}
	var rels []kg.RelationID
	for _, e := range p.Edges {
		rels = append(rels, e.Fixed...)
	}
	described := !slices.ContainsFunc(p.Nodes, func(n pattern.Node) bool { return n.Variable })
	isOpen := func(i int) bool {
		isAgain := func(s words.Span) bool { return s.From <= i && i < s.To }
		return v.q.Words[i].Mention < 0 && !v.lex.IsStop(v.words[i].Lower) && !slices.ContainsFunc(v.again, isAgain)
	}
	for i, w := range v.words {
		switch {
		case !isOpen(i), w.Taken, lexicon.IsComment(w.Lower), lexicon.IsOfNow(w.Lower), w.Lower == "per", len(kg.UnitsOf(w.Lower)) > 0:
		case v.bears(i, rels), w.Lower == "number" && i > 0 && v.bears(i-1, rels): // "ISBN number"
		case w.Capital && !v.startsSentence(i), !lexicon.SaysKind(words.Tokens(v.words), i, isOpen), i+1 < len(v.words) && isOpen(i+1) && v.bears(i+1, rels):
			return false // "a former member" is no member
		case v.lex.IsKind(w.Stem) && !slices.ContainsFunc(rels, func(r kg.RelationID) bool {
			st := schema.Forward(r)
			return v.q.NamesSlot(&v.q.Words[i], st.From()) || v.q.NamesSlot(&v.q.Words[i], st.To())
		}):
			return false // "died in a film", where that is no film
		default:
			described = true
		}
	}
	return described
}

// tellsEnds reports whether only one of two names can be at either end of a relation. Elsewhere a word
// that merely bears it does not tell whose it is: who trained a trainee of Y is not Y's trainee.
func (v *verifier) tellsEnds(r kg.RelationID) bool {
	st := schema.Forward(r)
	return v.schema.Value(st.To()) != schema.NoValue || !v.schema.JoinsSame(r) && v.schema.Typed(st.From()) > 0 && v.schema.Typed(st.To()) > 0
}

// bears reports whether a word asks for one of some relations, by its meaning where nothing else tells.
func (v *verifier) bears(i int, rels []kg.RelationID) bool {
	w := &v.q.Words[i]
	concepts := v.lex.ConceptsOf(w.Stem)
	return slices.ContainsFunc(rels, func(r kg.RelationID) bool {
		st := v.schema.Canonical(schema.Forward(r))
		return max(w.Weight[st], w.Weight[v.schema.Back(st)]) > 0 || v.q.SaysName(i, r) > 0 || lexicon.IsPlacing(w.Lower) && v.isPlace(r) ||
			slices.ContainsFunc(v.t.Vocabulary.Mapping(r).Means, func(c int) bool { return slices.Contains(concepts, c) }) ||
			slices.ContainsFunc(v.t.Words[i].Meant, func(m words.Meant) bool { return m.Step.Relation() == st.Relation() })
	})
}

// isNear reports whether the names of a tie stand so that they say it without a word for it: the name
// itself has the word, "a V6 engine"; a preposition says where something is, "X from Y"; or one
// stands right beside the other, and only one can be the other's: "American, Ana Blom".
func (v *verifier) isNear(t tie) bool {
	if t.fit == worded && t.word >= v.names[t.to].From && t.word < v.names[t.to].To {
		return true
	}
	at := v.names[t.to].From - 1
	for at > 0 && v.words[at].Lower == "the" {
		at--
	}
	if at >= 0 && t.from < t.to && lexicon.IsWhere(v.words[at].Lower) && v.isPlace(t.relation) {
		return true
	}
	first, second := v.names[min(t.a, t.b)], v.names[max(t.a, t.b)]
	return second.From == first.To && !v.schema.JoinsSame(t.relation) && strings.Trim(v.t.Source[first.End:second.Start], " ,") == ""
}

func (v *verifier) isPlace(r kg.RelationID) bool {
	return v.lex.IsPlace(lexicon.Stems(v.g.RelationText(r)))
}
