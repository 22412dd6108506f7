package check

import (
	"fmt"
	"slices"
	"strings"

	"cairn/engine/kg"
	"cairn/engine/lexicon"
	"cairn/engine/say"
	"cairn/engine/schema"
)

// ends decides which names a sentence makes the head and the tail of a relation
// (R) by the form of the sentence and of the relation's name:
//
//	"T is the R of H", "the R of H is T", "H's R is T"     H has R T
//	R ends in "of", "in", …: "H is R T", "T's R is H"      H member of T
//	R ends in "by" or names a person: "T directed H"       H directed by T
//	"H was directed by T", "H borders T"                   otherwise H before T
//	"T is bordered by H", "T is used in H"                 a passive that R is not
//
// It returns nil for both where it cannot tell.
func (r *reading) ends(rel kg.RelationID, word item, f fact) (head, tail *item) {
	u := r.use(rel, word, f)
	for _, rule := range []func(use) (head, tail *item, ok bool){
		use.isPhrase, use.doesTurned, use.endsInOf, use.owns, use.measures, use.isRole, use.givesTo, use.isDoneBy, use.isPassive, use.isUnclear,
	} {
		if head, tail, ok := rule(u); ok {
			return head, tail
		}
	}
	return f.before, f.after
}

// use is one use of a relation in a sentence: the names around it, and what its own
// name and the words beside it are like.
type use struct {
	fact
	r          *reading
	rel        kg.RelationID
	word       item
	name       relationWords
	last, next string // the last word of the relation's name, and the one after the relation
	own        bool   // the word is one of the relation's name
	past       bool   // the word is a participle
	owner      bool   // before is whose the relation is
	has        bool   // "has" or "with" stands before the relation
	copula     bool   // "is" or "was" does
	by         bool   // "by" follows
	ofKind     bool   // the relation's name goes on with "of" and the kind of its tail: "member of party"
	doer       doer
	namesHead  bool // the word is a noun for the relation's head: "owner", by "owns"
	namesTail  bool // it is one for the tail: "owner", by "owned by"
}

func (r *reading) use(rel kg.RelationID, word item, f fact) use {
	u := use{fact: f, r: r, rel: rel, word: word, name: r.words[rel], past: isPast(word.lower), doer: r.doerOf(rel, word)}
	u.namesHead, u.namesTail = r.namesEnd(rel, word)
	for i, w := range u.name.text {
		u.last, u.own = w.Lower, u.own || w.Lower == word.lower
		u.ofKind = u.ofKind || i > 1 && u.name.text[i-1].Lower == "of" && u.name.text[i-2].Lower == word.lower && r.isTailKind(rel, w.Stem)
	}
	if len(f.glueAfter) > 0 {
		u.next = f.glueAfter[0]
	}
	u.owner = f.before != nil && (f.before.owner || f.owned)
	u.by = slices.Contains(f.glueAfter, "by")
	u.has = slices.ContainsFunc(f.glueBefore, func(w string) bool { return w == "has" || w == "have" || w == "had" || w == "with" })
	u.copula = slices.ContainsFunc(f.glueBefore, func(w string) bool { return copulas[w] && w != "being" })
	u.own = u.own && !u.isBaseForm()
	return u
}

// isBaseForm reports whether a word that is also the noun of the relation's name is a verb behind its auxiliary:
// whom A "does coach" does not have the coach A, but has A as coach.
func (u use) isBaseForm() bool {
	at := len(u.glueBefore) - 1
	for at > 0 && (u.glueBefore[at] == "not" || u.glueBefore[at] == "never" || lexicon.IsOfNow(u.glueBefore[at])) {
		at--
	}
	return at >= 0 && u.namesTail && lexicon.Stem(u.word.lower) == u.name.verb && (lexicon.IsModal(u.glueBefore[at]) || doing[u.glueBefore[at]])
}

var doing = lexicon.WordSet("do does did")

// isTailKind reports whether a word is one for the kind of what a relation of the triples leads to.
func (r *reading) isTailKind(rel kg.RelationID, stem string) bool {
	return slices.ContainsFunc(r.triples, func(id kg.TripleID) bool {
		t := r.g.Triple(id)
		return t.Relation == rel && slices.ContainsFunc(r.g.Types(t.Tail), func(k kg.TypeID) bool { return slices.Contains(r.typeStems(k), stem) })
	})
}

// between reports whether the relation stands between two names.
func (u use) between() bool { return u.before != nil && u.after != nil }

// isPhrase reads a verb and a preposition that the lexicon has for a relation whose head does
// what they say: "H is made of T", by "material", "H belongs to T", by "part of".
func (u use) isPhrase() (head, tail *item, ok bool) {
	if u.own || u.doer != byHead || u.owner || u.has || u.by || !u.between() || u.past != u.copula {
		return nil, nil, false
	}
	turned, asks := u.r.asksBy(u.rel, u.word, u.next)
	if turned {
		return u.after, u.before, asks
	}
	return u.before, u.after, asks
}

// doesTurned reads a verb for who a relation leads from, or for what it means read backwards:
// "A succeeded B", by "successor of", and "B taught A", by "student of".
func (u use) doesTurned() (head, tail *item, ok bool) {
	if !u.r.claim || u.own || u.has || u.owner || !u.between() || u.copula != u.by || !u.past && !lexicon.IsThird(u.word.lower) || linking[u.next] && !u.by {
		return nil, nil, false
	}
	if u.name.doesAtTail(lexicon.Stem(u.word.lower)) {
		return nil, nil, false // "Emil caused Dora", by "cause": the name tells more than what it means backwards
	}
	stem := lexicon.Stem(lexicon.Base(u.word.lower))
	does := func(c int) bool {
		return c >= 0 && slices.ContainsFunc(u.r.lex.Concepts[c].Tail, func(p lexicon.Phrase) bool { return comesFrom(p.Text, stem) })
	}
	for _, m := range u.name.meanings {
		ahead, inverse := slices.Contains(u.name.ahead, m), u.r.lex.Concepts[m].Inverse
		isHead := !ahead && does(m) || ahead && does(inverse)
		if isTail := !ahead && does(inverse) || ahead && does(m) && u.last == "of"; !isHead && !isTail {
			continue
		}
		if isHead != u.by != slices.Contains(u.word.inverse, u.rel) {
			return u.before, u.after, true
		}
		return u.after, u.before, true
	}
	return nil, nil, false
}

// asksBy reports whether the lexicon has a word and a preposition for a relation, and
// whether they are of what it means read backwards.
func (r *reading) asksBy(rel kg.RelationID, word item, preposition string) (turned, asks bool) {
	w, said := r.words[rel], []string{lexicon.Stem(word.lower), preposition}
	for _, m := range w.meanings {
		if slices.ContainsFunc(r.lex.Concepts[m].Ask, func(p lexicon.Phrase) bool { return !p.Weak && slices.Equal(p.Stems, said) }) {
			return !slices.Contains(w.ahead, m), true
		}
	}
	return false, false
}

// endsInOf reads a relation such as "member of".
func (u use) endsInOf() (head, tail *item, ok bool) {
	does := u.name.verb != "" && u.name.verb == lexicon.Stem(u.word.lower) && u.name.verb != lexicon.Agent(u.word.lower) && u.between() && (u.by || !u.copula)
	switch {
	case u.last != "of" && !u.ofKind || !u.own && u.namesTail:
		return nil, nil, false
	case does && u.by != u.name.byTail:
		return u.after, u.before, true // "T is directed by H", by "director of"; "T employs H", by "employee of"
	case does:
		return u.before, u.after, true
	case u.owner && u.after == nil && u.earlier != nil && u.is:
		return u.earlier, u.before, true // "H is T's R"
	case u.after == nil && u.earlier != nil && u.fact.has && slices.Contains(u.glueBefore, "as"):
		return u.before, u.earlier, true // "T has H as R"
	case u.owner, u.next != "of" && u.has:
		return u.after, u.before, true // "A has the member B"
	case u.next != "of" && u.between():
		return nil, nil, true
	case u.before == nil:
		return u.later, u.after, true
	}
	return u.before, u.after, true
}

// owns reads "H's R is T".
func (u use) owns() (head, tail *item, ok bool) {
	head, tail = u.before, u.after
	if u.owner && u.after == nil && u.earlier != nil && u.is {
		tail = u.earlier // "T is H's R"
	}
	if u.namesHead {
		head, tail = tail, head
	}
	return head, tail, u.owner
}

// measures reads a number before the relation.
func (u use) measures() (head, tail *item, ok bool) {
	if u.before == nil || !u.before.number || len(u.glueBefore) > 0 {
		return nil, nil, false
	}
	switch {
	case u.after == nil && u.earlier != nil && (u.is || u.r.claim && u.fact.has):
		return u.earlier, u.before, true // "H is 5895 m high", "H has 23 floors"
	case u.r.claim && u.earlier == nil && u.after != nil && linking[u.next]:
		return u.after, u.before, true // "there are 23 floors in H"
	}
	return nil, nil, false
}

// isRole reads a noun for an end of the relation: "T is the R of H".
func (u use) isRole() (head, tail *item, ok bool) {
	switch {
	case u.namesHead && u.has && u.between():
		return u.after, u.before, true // "T has the owner H", by "owns"
	case u.namesTail && u.has && u.between():
		return u.before, u.after, true // "H has the owner T", by "owned by"
	case u.before != nil && u.next == "of" && u.r.asksOfHead(u.rel, u.word):
		return u.before, u.after, true // "H is a member of the party T"
	case u.after == nil && u.earlier != nil && u.fact.has && slices.Contains(u.glueBefore, "as"):
		if u.namesHead {
			return u.before, u.earlier, true
		}
		return u.earlier, u.before, true // "H has T as R"
	case u.next == "of" && u.has && u.between():
		return u.before, u.after, true // "H has a R of T"
	case u.next != "of" && !u.roleIn():
		return nil, nil, false
	case u.namesHead && u.before != nil:
		return u.before, u.after, true // "H is the owner of T", by "owns"
	case u.namesHead:
		return u.later, u.after, true
	case u.before != nil:
		return u.after, u.before, true
	}
	return u.after, u.later, true
}

// roleIn reports whether "in", "for" or "on" says what "of" does: "the R in H".
func (u use) roleIn() bool {
	isTime := u.after != nil && u.r.isValue(u.after) // "the opening in 1967"
	return slices.Contains([]string{"in", "for", "on"}, u.next) && !isTime && !linking[u.last] && !u.past && u.own && (u.name.form == say.Noun || u.name.text[0].Lower == "has") &&
		(!u.r.personal(u.rel) || u.r.claim && u.copula)
}

// givesTo reads what is given to somebody.
func (u use) givesTo() (head, tail *item, ok bool) {
	// "X was awarded the prize", by "awarded to"; "the prize was awarded to X", by "award"
	return u.after, u.before, (u.last == "to") != (u.next == "to") && u.copula && u.past
}

// isDoneBy reads who does what the relation says.
func (u use) isDoneBy() (head, tail *item, ok bool) {
	switch {
	case u.doer == nobody && !u.copula && !linking[u.next]:
		return nil, nil, true // whether "X succeeded Y" or "Y succeeded X" is meant is not known
	case u.by && (u.last == "by" || u.doer == byTail):
		if u.before == nil {
			return u.later, u.after, true
		}
		return u.before, u.after, true
	case u.last == "by" && u.copula && u.between() && u.past:
		return nil, nil, true
	case u.last == "by":
		return u.after, u.before, true
	}
	isDone := u.copula && u.past && u.next == "in" && !u.name.doesAtTail(lexicon.Stem(u.word.lower)) // "Bulgarian is written in Cyrillic", by "script"
	active := u.doer == byTail && !isDone && !u.has && !linking[u.last] && (!u.own || u.past && len(u.name.text) > 1)
	return u.after, u.before, active && !features(u.word.lower, u.next)
}

// isPassive reads a passive of what the relation says actively.
func (u use) isPassive() (head, tail *item, ok bool) {
	if u.by && (u.next == "by" || u.next == u.last && u.copula && u.past) && u.saysActively() {
		return u.after, u.before, true // "T was arrested by H", by "arrested", and "T was voted for by H"
	}
	if u.own || !u.past || !u.copula {
		return nil, nil, false
	}
	if u.last != u.next && (u.by || u.next == "in" && (u.word.lower == "used" || u.word.lower == "spoken") || u.r.isInverse(u.rel, u.word, u.next)) {
		return u.after, u.before, true
	}
	// "X is governed from Y", where the graph has "Y governs X"
	return nil, nil, u.name.form == say.Verb && len(u.name.text) == 1 && linking[u.next]
}

// saysActively reports whether the relation's name has the word as a verb whose subject is the
// head, "arrested", and not as what was done by somebody, "directed by person".
func (u use) saysActively() bool {
	return u.name.verb == lexicon.Stem(u.word.lower) && !u.name.byTail &&
		!slices.ContainsFunc(u.name.text, func(w lexicon.Token) bool { return w.Lower == "by" })
}

// isUnclear knows what cannot be told.
func (u use) isUnclear() (head, tail *item, ok bool) {
	return nil, nil,
		// "X found Y", where the graph has "X is found in Y"
		linking[u.last] && u.last != "by" && u.last != "to" && !u.own && !linking[u.next] ||
			// "A is the R B"
			u.name.form == say.Noun && u.copula && !u.has && u.between() && !u.past
}

// asksOfHead reports whether the lexicon has a word only as one that asks for a
// relation of its head, and none for its tail: the member of a party is who has it.
func (r *reading) asksOfHead(rel kg.RelationID, word item) bool {
	stem := lexicon.Stem(word.lower)
	is := func(p lexicon.Phrase) bool { return !p.Weak && len(p.Stems) == 1 && p.Stems[0] == stem }
	return !slices.Contains(r.words[rel].content, stem) && slices.ContainsFunc(r.words[rel].meanings, func(m int) bool {
		c := r.lex.Concepts[m]
		return slices.ContainsFunc(c.Ask, is) && !slices.ContainsFunc(c.Tail, is)
	})
}

// isInverse reports whether a participle and a preposition name what a relation means
// read backwards: what contains another is what the other is "contained in".
func (r *reading) isInverse(rel kg.RelationID, word item, preposition string) bool {
	said := []string{lexicon.Stem(word.lower), preposition}
	return slices.ContainsFunc(r.words[rel].meanings, func(m int) bool {
		i := r.lex.Concepts[m].Inverse
		return i >= 0 && slices.ContainsFunc(r.lex.Concepts[i].Relation, func(p lexicon.Phrase) bool { return slices.Equal(p.Stems, said) })
	})
}

// namesEnd reports whether a noun names the head or the tail of a relation by what that
// does: the owner is the head of "owns", and the tail of "owned by".
func (r *reading) namesEnd(rel kg.RelationID, word item) (head, tail bool) {
	w := r.words[rel]
	if w.verb != "" && lexicon.Agent(word.lower) == w.verb {
		return !w.byTail, w.byTail
	}
	if slices.Contains(word.inverse, rel) {
		return false, false // the names are exchanged already
	}
	tail, known := r.lex.NamesEnd(w.name, w.meanings, word.lower)
	return known && !tail, known && tail
}

// kinEnd reports whether a noun names the head or the tail of a relation by what that means
// read backwards: the son is the tail of "father of", and the head of "father".
func (r *reading) kinEnd(rel kg.RelationID, word item) (head, tail bool) {
	if head, tail = r.namesEnd(rel, word); head || tail {
		return head, tail
	}
	w, stem := r.words[rel], lexicon.Stem(word.lower)
	for _, m := range w.meanings {
		i := r.lex.Concepts[m].Inverse
		if i >= 0 && slices.ContainsFunc(r.lex.Concepts[i].Tail, func(p lexicon.Phrase) bool { return slices.Equal(p.Stems, []string{stem}) }) {
			ahead := slices.Contains(w.ahead, m)
			return ahead, !ahead
		}
	}
	return false, false
}

// judgeGender checks what a noun says beside its relation: a son is male. That a relation is said
// of its ends by another noun, "father of", says that as well.
func (r *reading) judgeGender(rel kg.RelationID, word item, head, tail []kg.EntityID) finding {
	gender := lexicon.Gender(word.lower)
	isHead, isTail := r.kinEnd(rel, word)
	if gender == "" || isHead == isTail || lexicon.IsOtherSide(r.words[rel].name, word.lower) {
		return finding{check: Covered}
	}
	who := tail
	if isHead {
		who = head
	}
	for _, t := range r.words[rel].text {
		own := item{lower: t.Lower}
		ownHead, ownTail := r.kinEnd(rel, own)
		switch g := lexicon.Gender(t.Lower); {
		case g == "" || ownHead == ownTail || ownHead != isHead:
		case g == gender:
			return finding{check: Covered}
		default:
			return finding{NotInGraph, fmt.Sprintf("The triples have %q, not %q.", r.g.RelationText(rel), word.lower)}
		}
	}
	for _, e := range who {
		switch g := schema.GenderOf(r.g, e, r.isGender); g {
		case gender:
			return finding{check: Covered}
		case "":
		default:
			return finding{NotInGraph, fmt.Sprintf("%s is %s.", say.Name(r.g, e), g)}
		}
	}
	r.lacks = fmt.Sprintf("No triple says that %s is %s.", say.Name(r.g, who[0]), gender)
	return finding{check: Covered}
}

// isGender reports whether a relation says the gender of its head.
func (r *reading) isGender(rel kg.RelationID) bool {
	return slices.ContainsFunc(r.wordsOf(rel).meanings, func(m int) bool { return r.lex.Concepts[m].Name == lexicon.GenderOf })
}

// personal reports whether the tail of a relation is a person by whom its head
// came about: an author, a director, an actor. Active verbs turn such a
// relation round.
func (r *reading) personal(rel kg.RelationID) bool {
	return slices.ContainsFunc(r.words[rel].ahead, func(m int) bool {
		return r.lex.Concepts[m].Answer == lexicon.Person && !r.lex.Concepts[m].SameEnds && len(r.lex.Concepts[m].Ask) > 0
	})
}

// doer is the end of a relation that does what a verb for it says.
type doer int

const (
	byHead doer = iota // as far as nothing says otherwise
	byTail             // "X directs Y", where the relation leads from Y to X
	nobody             // either: of two kings one succeeds the other
)

// doerOf returns the end of a relation that does what a word for it says. A noun for
// the tail that comes from the word tells: who directs is the director. So does the
// relation's own name: "operator".
func (r *reading) doerOf(rel kg.RelationID, word item) doer {
	w, stem := r.words[rel], lexicon.Stem(word.lower)
	if len(w.text) == 1 && w.verb == stem && !w.byTail {
		return byHead // "follows" says it itself
	}
	if r.personal(rel) {
		return byTail
	}
	if w.doesAtTail(stem) {
		return byTail
	}
	if !r.claim || slices.Contains(w.content, stem) {
		return byHead
	}
	either := false
	for _, m := range w.ahead {
		c := r.lex.Concepts[m]
		is := func(p lexicon.Phrase) bool { return slices.Contains(p.Stems, stem) }
		if slices.ContainsFunc(c.Tail, is) || !slices.ContainsFunc(c.Ask, is) {
			continue
		}
		if slices.ContainsFunc(c.Tail, func(p lexicon.Phrase) bool { return comesFrom(p.Text, stem) }) {
			return byTail
		}
		either = either || c.SameEnds && !c.Symmetric
	}
	if either {
		return nobody
	}
	return byHead
}

// doesAtTail reports whether a relation's own name tells that its tail does what a verb says, by its
// stem: "owned by", "owner" and "owning company" do for "own".
func (w relationWords) doesAtTail(stem string) bool {
	if w.verb == stem && w.byTail {
		return true
	}
	isDoing := func(t lexicon.Token) bool { return strings.HasSuffix(t.Lower, "ing") && t.Stem == stem }
	n := len(w.text)
	return n > 0 && w.form == say.Noun && (comesFrom(w.text[n-1].Lower, stem) || slices.ContainsFunc(w.text[:n-1], isDoing))
}

// comesFrom reports whether a noun names who does what a verb says: owner and own,
// director and direct, also successor and succeed.
func comesFrom(noun, stem string) bool {
	const telling = 5 // letters that both begin with, where the verb has more
	n := min(len(stem), telling)
	return n > 2 && strings.HasPrefix(lexicon.Agent(noun), stem[:n])
}

// features knows the verbs whose subject is the work: "the film stars X", but
// "X stars in the film".
func features(lower, next string) bool {
	switch lexicon.Stem(lower) {
	case "star", "featur", "cast":
		return next != "in"
	}
	return false
}

func isPast(lower string) bool { return lexicon.IsParticiple(lower) || strings.HasSuffix(lower, "en") }
