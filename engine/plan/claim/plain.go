package claim

import (
	"fmt"
	"slices"
	"strings"

	"cairn/engine/kg"
	"cairn/engine/lexicon"
	"cairn/engine/plan"
	"cairn/engine/schema"
	"cairn/internal/wording"
)

// readPlain reads a claim that says nothing but that one thing is another, or in another: "X is
// pathogenic", "X is a phase 2 trial", "X is in the Alps". Which relation is meant, the kinds of
// things at both ends tell. It reports false for other claims, and where several could be meant.
func (v *verifier) readPlain(out *plan.Plan) bool {
	if len(v.names) != 2 || len(v.unlinked()) > 0 {
		return false
	}
	var meant []tie
	for _, x := range v.names[0].is {
		for r := range v.g.RelationsOut(x) {
			for _, y := range v.names[1].is {
				if len(v.g.InBy(y, r)) > 0 && (v.saysPlainly(x, r, y) || v.saysSort(0, x) && v.isSort(r, y)) {
					meant = append(meant, tie{head: x, tail: y, relation: r, to: 1, word: -1})
				}
			}
		}
	}
	loose := len(meant) == 0 && !v.denies
	if loose {
		meant = v.looseTies()
	}
	if len(meant) != 1 {
		return false
	}
	w, t := v.writer(), meant[0]
	_, isThere := v.g.Find(kg.Triple{Head: t.head, Relation: t.relation, Tail: t.tail})
	w.tie(t)
	rd := w.reading()
	rd.Worded, rd.Whole, rd.Plain = true, true, !loose || !isThere
	if loose && isThere {
		out.Doubt = plan.Unsure
		out.Reason = fmt.Sprintf("The graph connects %s and %s by %s, which no word of the claim asks for.",
			wording.Quote(v.names[0].Text), wording.Quote(v.names[1].Text), wording.Quote(v.g.RelationText(t.relation)))
	}
	out.Readings = []plan.Reading{rd}
	return true
}

// looseTies are those by which a claim may say no more than that x is y, "X is a nurse" of the role, or is in it, by
// a noun that nothing else of the kind of x says of y. It may be meant otherwise, but where x has one such y it is no other.
func (v *verifier) looseTies() (out []tie) {
	for _, x := range v.names[0].is {
		for r := range v.g.RelationsOut(x) {
			for _, y := range v.names[1].is {
				if len(v.g.InBy(y, r)) > 0 && x != y && v.saysLoosely(x, r, y) {
					out = append(out, tie{head: x, tail: y, relation: r, to: 1, word: -1})
				}
			}
		}
	}
	return out
}

// saysLoosely reports whether no word of the claim says more than that x is y, or in y, where y is but a word for
// the trait that a relation tells, or a thing that only this relation joins with things of the kind of x.
// What it was, it need be no more.
func (v *verifier) saysLoosely(x kg.EntityID, r kg.RelationID, y kg.EntityID) bool {
	first, second := v.names[0], v.names[1]
	is, was, placed, happened := false, false, false, false
	for i, w := range v.words {
		beside := i+1 == second.From || i+2 == second.From && (v.words[i+1].Lower == "the" || v.isCalled(y, v.words[i+1].Stem))
		switch {
		case first.From <= i && i < first.To, second.From <= i && i < second.To, w.Taken, w.Lower == "the", w.Lower == "a", w.Lower == "an":
		case copulas[w.Lower] && (i == 0 || i >= first.To):
			is, was = true, was || strings.HasPrefix(w.Lower, "was") || strings.HasPrefix(w.Lower, "were")
		case lexicon.IsPlacing(w.Lower) && i >= first.To:
			is, placed = true, true
		case i >= first.To && i < second.From && happens[w.Lower]:
			is, happened = true, true
		case beside && (w.Lower == "in" || w.Lower == "on" || w.Lower == "at"):
			placed = true
		case i < second.From && v.isCalled(y, w.Stem), v.isCalled(x, w.Stem) && (i < first.From || i >= second.To):
		default:
			return false
		}
	}
	_, isThere := v.g.Find(kg.Triple{Head: x, Relation: r, Tail: y})
	if happened { // on a day
		name := v.t.Vocabulary.NameOf(r)
		return isThere && placed && v.schema.Value(schema.Forward(r).To()) == schema.DateValue && len(name) == 1 && dateNouns[name[0]]
	}
	if !is || was && !isThere || isValue(v.g, y) || !v.isNounPhrase(r) || v.schema.JoinsSame(r) || !v.isAloneWay(x, r, y) {
		return false
	}
	if placed {
		return !v.t.Vocabulary.IsAnswer(schema.Forward(r).From(), lexicon.Person) || !v.isPlace(r)
	}
	name := slices.DeleteFunc(slices.Clone(v.t.Vocabulary.NameOf(r)), func(w string) bool { return v.isCalled(x, lexicon.Stem(w)) })
	isRole := isThere && len(name) == 1 && name[0] == "role"
	isWord := len(v.g.Out(y)) == 0 || v.isKindNoun(second.Span) && v.isOnlyWay(x, r, false)
	return isWord && (isRole || v.lex.IsTrait(name)) && !v.t.Vocabulary.IsAnswer(schema.Forward(r).To(), lexicon.Person)
}

// happens are the words of verbs for what an event does on a day, and dateNouns what that day is called.
var happens, dateNouns = lexicon.WordSet("take takes took taken place happen occur held"), lexicon.Words("date nouns")

// isAloneWay reports whether y is of no other relation that things of the kind of x have.
func (v *verifier) isAloneWay(x kg.EntityID, r kg.RelationID, y kg.EntityID) bool {
	in := v.g.In(y)
	return len(in) < hubScan && !slices.ContainsFunc(in, func(e kg.Edge) bool {
		return v.g.Triple(e.Triple).Relation != r && (len(v.g.Types(x)) == 0 || v.g.ShareType(e.Entity, x))
	})
}

// isNounPhrase reports whether a relation is called by a noun, or by one that others describe: "red list status".
func (v *verifier) isNounPhrase(r kg.RelationID) bool {
	name := v.t.Vocabulary.NameOf(r)
	if len(name) == 0 || lexicon.IsVerbForm(name[0]) || slices.ContainsFunc(name, v.lex.IsStop) {
		return false
	}
	last := name[len(name)-1]
	return !lexicon.IsPast(last) && !lexicon.IsVerbForm(last) && !lexicon.IsParticiple(last)
}

// isSort reports whether y is but a word for a sort of things, "serious", which a noun, "severity", says of them and
// nothing else does.
func (v *verifier) isSort(r kg.RelationID, y kg.EntityID) bool {
	isOther := func(e kg.Edge) bool { return v.g.Triple(e.Triple).Relation != r }
	return v.isNoun(r) && !v.isPlace(r) && !v.schema.JoinsSame(r) && !isValue(v.g, y) && len(v.g.Out(y)) == 0 && !slices.ContainsFunc(v.g.In(y), isOther) &&
		!v.t.Vocabulary.IsAnswer(schema.Forward(r).To(), lexicon.Person)
}

// saysPlainly reports whether no word of the claim says more than that x is y, or in y, and a relation
// says just that, and is the only one between their kinds. What x was may have changed since, but
// for what has been done to it: "X was terminated".
func (v *verifier) saysPlainly(x kg.EntityID, r kg.RelationID, y kg.EntityID) bool {
	name, means := v.t.Vocabulary.NameOf(r), v.t.Vocabulary.Mapping(r).Concepts
	is, was, has, placed, by, belongs, said := false, false, false, false, false, false, false
	second := v.names[1].From
	for second > 0 && (v.words[second-1].Lower == "the" || v.words[second-1].Lower == "a" || v.words[second-1].Lower == "an") {
		second--
	}
	for i, w := range v.words {
		switch named := func(n claimName) bool { return n.From <= i && i < n.To }; {
		case slices.ContainsFunc(v.names, named), w.Taken, w.Lower == "the", w.Lower == "a", w.Lower == "an":
		case w.Lower == "not", i > 0 && v.t.IsContractedNot(i):
		case copulas[w.Lower], v.t.IsContractedNot(i), lexicon.IsPlacing(w.Lower):
			is, was = true, was || strings.HasPrefix(w.Lower, "was") || strings.HasPrefix(w.Lower, "were")
		case w.Lower == "has", w.Lower == "have", w.Lower == "had":
			has = true
		case i+1 == second && (w.Lower == "in" || w.Lower == "on" || w.Lower == "at"):
			placed = true
		case w.Lower == "belongs" || w.Lower == "belong", belongs && w.Lower == "to":
			is, belongs = true, true
		case i+1 == second && w.Lower == "by":
			by = true
		case v.q.SaysName(i, r) > 0 && !slices.ContainsFunc(name, lexicon.IsParticiple): // what is stored in a room may be stored in others
			said = true
		case !v.isCalled(x, w.Stem):
			return false
		}
	}
	// "X is a Y" says what kind of thing X is, but "X is a Y trial" may say another thing of it.
	isKind := v.names[1].To == len(v.words) && (v.words[v.names[1].From-1].Lower == "a" || v.words[v.names[1].From-1].Lower == "an")
	switch own := v.isNoun(r) && len(means) == 0 && (placed || !isKind); {
	case !is && (!has || !said), isValue(v.g, y) && !said, was && !said && (placed || !lexicon.IsParticiple(v.words[v.names[1].To-1].Lower)):
		return false
	case said && lexicon.NamesHead(name): // X has the "owner of" Y the other way round
		return false
	case by && !endsInBy(name), placed && !own && !v.isPlace(r) && !lexicon.Places(name):
		return false
	case !by && !placed && !said && !own && !v.lex.IsTrait(name) && (!belongs || !slices.Contains(means, "owner")):
		return false
	}
	if v.schema.JoinsSame(r) { // what is in a city may be in its country
		return lexicon.Places(name) && slices.ContainsFunc(v.g.OutBy(x, r), func(e kg.Edge) bool { return v.g.ShareType(e.Entity, y) })
	}
	return v.isOnlyWay(x, r, by)
}

// isCalled reports whether a word is of the name of a type of an entity.
func (v *verifier) isCalled(e kg.EntityID, stem string) bool {
	return slices.ContainsFunc(v.g.Types(e), func(t kg.TypeID) bool { return slices.Contains(lexicon.Stems(v.g.TypeLabel(t)), stem) })
}

// isNoun reports whether a relation is called by a single noun.
func (v *verifier) isNoun(r kg.RelationID) bool {
	name := v.t.Vocabulary.NameOf(r)
	return len(name) == 1 && !lexicon.IsPast(name[0]) && !lexicon.IsVerbForm(name[0]) && !lexicon.IsParticiple(name[0])
}

// isOnlyWay reports whether no other relation of things of the type of x joins the kinds that a relation joins, or
// none that says by whom something is.
func (v *verifier) isOnlyWay(x kg.EntityID, r kg.RelationID, by bool) bool {
	st := v.schema.Canonical(schema.Forward(r)) // the same relation stored the other way round is no other
	same := func(as schema.Slot) func(schema.Slot) bool {
		return func(at schema.Slot) bool { return v.schema.SameKind(at, as) }
	}
	return !slices.ContainsFunc(v.t.Vocabulary.Ways(same(st.From()), same(st.To())), func(o schema.Step) bool {
		of := v.g.Having(o.Relation(), o.IsBack())
		isOther := o.Relation() != st.Relation() && (!by || endsInBy(v.t.Vocabulary.NameOf(o.Relation())))
		return isOther && (x == kg.NoEntity || len(v.g.Types(x)) == 0 || slices.ContainsFunc(of[:min(len(of), hubScan)], func(e kg.EntityID) bool { return v.g.ShareType(e, x) }))
	})
}

func endsInBy(name []string) bool { return len(name) > 0 && name[len(name)-1] == "by" }
