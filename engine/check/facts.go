package check

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"cairn/engine/kg"
	"cairn/engine/lexicon"
	"cairn/engine/say"
)

// fact is a relation with the names around it. Fields are nil where there is
// none.
type fact struct {
	before, after, later *item
	owned                bool     // before is whose the relation is: "its", "whose"
	earlier              *item    // the name before before, with "is" or "has" between
	is, has              bool     // which of these
	glueBefore           []string // between before and the relation
	glueAfter            []string // between the relation and after
}

// openFact is a relation of which a sentence names one end only.
type openFact struct {
	relation kg.RelationID
	entity   kg.EntityID
	inverse  bool // the named end is the tail
	word     string
	used     bool // something else in the sentence says what is at the other end
}

// judgeFacts checks every relation with the names around it. It returns what the
// first one lacks; Covered where all hold.
func (r *reading) judgeFacts() finding {
	failed := finding{check: Covered}
	var subject *item // of the relation before, for "A borders B and uses C"
	for i := range r.items {
		if r.items[i].kind != relationItem {
			continue
		}
		f := r.factAt(i, subject)
		if found := r.judgeFact(i, f); found.check != Covered && failed.check == Covered {
			failed = found
		}
		switch {
		case f.before != nil:
			subject = f.before
		case f.after != nil:
			subject = f.after
		}
	}
	if failed.check == Covered {
		r.joinBare()
	}
	return failed
}

var fullStop = regexp.MustCompile(`\.\s+\p{Lu}`)

// factAt finds the names around the relation at item i.
func (r *reading) factAt(i int, subject *item) fact {
	var f fact
	at := r.nameBefore(i)
	for k := at + 1; k < i; k++ {
		if r.items[k].kind != wordItem || !r.units[lexicon.Stem(r.items[k].lower)] { // "5895 m high"
			f.glueBefore = append(f.glueBefore, r.items[k].lower)
		}
	}
	if at >= 0 {
		f.before = &r.items[at]
		r.lookBack(&f, at)
		r.settleSubject(&f, i, at, subject)
	}
	if f.before == nil && subject != nil && r.belongs(f.glueBefore) {
		f.before, f.owned = subject, true
	}
	for k := i + 1; k < len(r.items); k++ {
		it := &r.items[k]
		between := r.text[r.items[k-1].end:it.start]
		if it.kind == relationItem || it.lower == ";" || strings.Contains(between, ";") || f.after != nil && strings.Contains(between, ":") {
			break
		}
		if it.kind == nameItem {
			if f.after == nil {
				f.after = it
				continue
			}
			f.later = it
			break
		}
		if f.after == nil && (!r.claim || it.lower != "number") { // "the ISBN number of"
			f.glueAfter = append(f.glueAfter, it.lower)
		}
	}
	return f
}

// lookBack finds the name before the one at an item, where only "is" or "has" and
// articles stand between.
func (r *reading) lookBack(f *fact, at int) {
	earlier := r.nameBefore(at)
	if earlier < 0 || at-earlier < 2 {
		return
	}
	for _, it := range r.items[earlier+1 : at] {
		switch {
		case copulas[it.lower]:
			f.is = true
		case it.lower == "has" || it.lower == "have" || it.lower == "had":
			f.has = true
		case r.claim && (it.lower == "one" || it.lower == "of"): // "X is one of Y's leaders"
		case it.lower != "the" && it.lower != "a" && it.lower != "an":
			return
		}
	}
	if strings.Trim(r.text[r.items[earlier].end:r.items[at].start], "abcdefghijklmnopqrstuvwxyz ") == "" {
		f.earlier = &r.items[earlier]
	}
}

// nameBefore returns the index of the last name before item i, or -1.
func (r *reading) nameBefore(i int) int {
	for i--; i >= 0 && r.items[i].kind != nameItem; i-- {
	}
	return i
}

// belongs reports whether words say that the relation is the subject's.
func (r *reading) belongs(glue []string) bool {
	return slices.ContainsFunc(glue, func(w string) bool { return w == "its" || w == "their" || w == "his" || w == "her" })
}

// settleSubject decides whether the name before a relation, at item at, is what
// the relation is said of: not where a clause ends between them, nor where the
// name is the end of something put in between.
func (r *reading) settleSubject(f *fact, i, at int, subject *item) {
	// A full stop ends a clause where a capital follows, not in "Jr. was".
	gap := r.text[f.before.end:r.items[i].end]
	says := func(ws ...string) bool {
		return slices.ContainsFunc(f.glueBefore, func(w string) bool { return slices.Contains(ws, w) })
	}
	ends := strings.ContainsAny(gap, ";:") || fullStop.MatchString(gap) || says(";")
	joins := says("and", "but", "while")
	article := says("the", "a", "an") && !says("has", "have", "had", "is", "are", "was", "were")
	owns := r.belongs(f.glueBefore)
	switch {
	case ends:
		f.before = nil
	case owns && f.has && f.earlier != nil && says("as"):
	case owns:
		f.before, f.owned = subject, true
		if subject == nil && r.count(nameItem) > 0 {
			f.before = r.first()
		}
	case says("whose"):
		f.owned = true
	case joins && article:
		f.before = nil
	case joins:
		f.before = subject
	case says("which", "that", "who"):
	case r.between(f.before, i):
		// Another relation stands between, as in "the official language";
		// the names before belong to that one.
		f.before = nil
	case article && strings.HasPrefix(strings.TrimSpace(gap), ",") && r.followedBy(i, "of"):
		// "…, the capital of A"
	case r.putBetween(at, gap):
		f.before = &r.items[r.nameBefore(at)]
	case strings.HasPrefix(strings.TrimSpace(gap), ",") && subject != nil && !r.followedBy(i, "by"):
		f.before = subject
	}
}

// first returns the first name of the sentence.
func (r *reading) first() *item {
	for i := range r.items {
		if r.items[i].kind == nameItem {
			return &r.items[i]
		}
	}
	return nil
}

// putBetween reports whether the name at an item ends something that stands
// between its subject and what is said of that: "A, the head of B, saw C".
func (r *reading) putBetween(at int, gap string) bool {
	earlier := r.nameBefore(at)
	if earlier < 0 || r.items[earlier].owner {
		return false
	}
	lead := strings.TrimSpace(r.text[r.items[earlier].end:r.items[at].start])
	gap = strings.TrimSpace(gap)
	return strings.HasPrefix(lead, ",") && strings.HasPrefix(gap, ",") ||
		strings.Contains(lead, "(") && !strings.Contains(lead, ")") && strings.Contains(gap, ")")
}

// followedBy reports whether a word follows item i before the next name.
func (r *reading) followedBy(i int, lower string) bool {
	for i++; i < len(r.items) && r.items[i].kind != nameItem; i++ {
		if r.items[i].lower == lower {
			return true
		}
	}
	return false
}

// between reports whether a relation stands between a name and item i.
func (r *reading) between(n *item, i int) bool {
	for k := i - 1; k >= 0 && &r.items[k] != n; k-- {
		if r.items[k].kind == relationItem {
			return true
		}
	}
	return false
}

// judgeFact checks one relation with its names against the triples.
func (r *reading) judgeFact(i int, f fact) finding {
	failed := finding{NotInGraph, fmt.Sprintf("The check cannot tell what %q is said of.", r.text[r.items[i].start:r.items[i].end])}
	absent := false
	for _, rel := range r.items[i].relations {
		if said := r.otherPreposition(rel, f); said != "" {
			if !absent {
				failed.reason = fmt.Sprintf("The triples have %q, not %q.", r.g.RelationText(rel), r.items[i].lower+" "+said)
			}
			continue
		}
		head, tail := r.ends(rel, r.items[i], f)
		if slices.Contains(r.items[i].inverse, rel) {
			head, tail = tail, head
		}
		if head == nil || tail == nil {
			if n := len(f.glueBefore); f.after == nil && n > 0 && copulas[f.glueBefore[n-1]] {
				continue // "it was good": a word for the relation, and no end of it
			}
			if r.oneSided(rel, head, tail, r.text[r.items[i].start:r.items[i].end]) {
				return finding{check: Covered}
			}
			continue
		}
		missing := finding{check: Covered}
		for _, h := range head.names {
			for _, t := range tail.names {
				if missing.check == Covered && !r.holds(h, rel, t) {
					missing = r.absent(h, rel, t)
				}
			}
		}
		if missing.check == Covered {
			r.held, head.linked, tail.linked, r.facts[rel] = true, true, true, true
			return missing
		}
		if turned := strings.HasPrefix(missing.reason, turnedRound); turned || !absent {
			failed, absent = missing, true
		}
	}
	return failed
}

// otherPreposition returns the preposition after a relation where the relation's
// name has another: "flows into" is not "flows through".
func (r *reading) otherPreposition(rel kg.RelationID, f fact) string {
	text := r.words[rel].text
	if len(text) == 0 || len(f.glueAfter) == 0 {
		return ""
	}
	last, next := text[len(text)-1].Lower, f.glueAfter[0]
	if !linking[last] || !linking[next] || last == next || next == "of" || next == "as" {
		return ""
	}
	return next
}

const turnedRound = "It reverses the direction"

// absent says why h rel t does not hold, and whether its parts are there apart
// from each other.
func (r *reading) absent(h []kg.EntityID, rel kg.RelationID, t []kg.EntityID) finding {
	hl, tl, text := say.Name(r.g, h[0]), say.Name(r.g, t[0]), say.Readable(r.g.RelationText(rel))
	if r.direct(t, rel, h) {
		return finding{NotInGraph, fmt.Sprintf(turnedRound+": the triple is (%s, %s, %s).", tl, text, hl)}
	}
	reason := fmt.Sprintf("No triple is (%s, %s, %s).", hl, text, tl)
	ours, theirs := r.citedWith(h), r.citedWith(t)
	if ours == 0 || theirs == 0 || slices.ContainsFunc(r.cited, func(id kg.TripleID) bool {
		x := r.g.Triple(id)
		return slices.Contains(h, x.Head) && slices.Contains(t, x.Tail) || slices.Contains(t, x.Head) && slices.Contains(h, x.Tail)
	}) {
		return finding{NotInGraph, reason}
	}
	return finding{Joined, fmt.Sprintf("%s It joins what T%d and T%d say apart.", reason, ours, theirs)}
}

// citedWith returns the number of the first cited triple with one of es, or 0.
func (r *reading) citedWith(es []kg.EntityID) int {
	for _, id := range r.cited {
		if x := r.g.Triple(id); slices.Contains(es, x.Head) || slices.Contains(es, x.Tail) {
			return r.ev.Pack.Number(id)
		}
	}
	return 0
}

// oneSided reports whether triples have the names on the one side of a relation
// that the sentence names.
func (r *reading) oneSided(rel kg.RelationID, head, tail *item, word string) bool {
	it, inverse := head, false
	if it == nil {
		it, inverse = tail, true
	}
	if it == nil {
		return false
	}
	for _, es := range it.names {
		if !slices.ContainsFunc(r.triples, func(id kg.TripleID) bool {
			t := r.g.Triple(id)
			return t.Relation == rel && (!inverse && slices.Contains(es, t.Head) || inverse && slices.Contains(es, t.Tail))
		}) {
			return false
		}
		for _, e := range es {
			r.open = append(r.open, openFact{relation: rel, entity: e, inverse: inverse, word: word})
		}
	}
	return true
}

// maxThrough is how many triples a sentence may cite for paths through unnamed
// things to be tried: every pair of triples is looked at for every pair of names.
const maxThrough = 64

// holds reports whether a triple says h rel t: directly, turned round where the
// graph has both ways, or through a thing that the sentence describes by
// another of its relations ("films directed by X came out in 1949").
func (r *reading) holds(h []kg.EntityID, rel kg.RelationID, t []kg.EntityID) bool {
	if r.direct(h, rel, t) {
		return true
	}
	if len(r.triples) > maxThrough {
		return false
	}
	for _, id := range r.triples {
		last := r.g.Triple(id)
		if last.Relation != rel || !slices.Contains(t, last.Tail) || r.named(last.Head) {
			continue
		}
		for _, other := range r.triples {
			first := r.g.Triple(other)
			if other == id {
				continue
			}
			touches := slices.Contains(h, first.Head) && first.Tail == last.Head || slices.Contains(h, first.Tail) && first.Head == last.Head
			if touches && r.leavesOpen(first.Relation, h) {
				return true
			}
		}
	}
	return false
}

func (r *reading) direct(h []kg.EntityID, rel kg.RelationID, t []kg.EntityID) bool {
	for _, id := range r.triples {
		x := r.g.Triple(id)
		if x.Relation != rel {
			continue
		}
		if slices.Contains(h, x.Head) && slices.Contains(t, x.Tail) {
			return true
		}
		if slices.Contains(h, x.Tail) && slices.Contains(t, x.Head) {
			if _, both := r.g.Find(kg.Triple{Head: x.Tail, Relation: rel, Tail: x.Head}); both || r.claim && r.symmetric(rel) {
				return true
			}
		}
	}
	return false
}

// symmetric reports whether a relation means the same in both directions.
func (r *reading) symmetric(rel kg.RelationID) bool {
	return slices.ContainsFunc(r.words[rel].meanings, func(m int) bool { return r.lex.Concepts[m].Symmetric })
}

// leavesOpen reports whether the sentence has said a relation of one of es without
// naming what is at its other end, which is then what is spoken of.
func (r *reading) leavesOpen(rel kg.RelationID, es []kg.EntityID) bool {
	found := false
	for i := range r.open {
		if f := &r.open[i]; f.relation == rel && slices.Contains(es, f.entity) {
			f.used, found = true, true
		}
	}
	return found
}

func (r *reading) named(e kg.EntityID) bool {
	for _, it := range r.items {
		for _, es := range it.names {
			if slices.Contains(es, e) {
				return true
			}
		}
	}
	return false
}

// joinBare joins neighbouring names by relations whose names have no word of
// their own: "is a", "in".
func (r *reading) joinBare() {
	for i := range r.items {
		if r.items[i].kind != nameItem || r.relationAfter(i) >= 0 {
			continue
		}
		for k := i + 1; k < len(r.items); k++ {
			if r.items[k].kind == nameItem {
				r.joinPair(&r.items[i], &r.items[k])
				break
			}
		}
	}
}

func (r *reading) joinPair(head, tail *item) {
	between := lexicon.Tokenize(r.text[head.end:tail.start])
	for _, h := range head.names {
		for _, e := range tail.names {
			if !slices.ContainsFunc(r.triples, func(id kg.TripleID) bool {
				t := r.g.Triple(id)
				w := r.words[t.Relation]
				return slices.Contains(h, t.Head) && slices.Contains(e, t.Tail) && (bareName(w) && saidBy(between, w.text) ||
					r.claim && (r.saysKind(w, between) || r.isPlace(w) && saidBy(between, inside)))
			}) {
				return
			}
		}
	}
	r.held, head.linked, tail.linked = true, true, true
}

// saysKind reports whether a relation tells what kind of thing something is, and the
// words between two names say just that: "is a".
func (r *reading) saysKind(w relationWords, between []lexicon.Token) bool {
	if len(between) != 2 || !copulas[between[0].Lower] || between[1].Lower != "a" && between[1].Lower != "an" {
		return false
	}
	return slices.ContainsFunc([]string{lexicon.InstanceOf, lexicon.Profession}, func(name string) bool {
		kind, ok := r.lex.Concept(name)
		return ok && slices.Contains(w.meanings, kind)
	})
}

var inside = lexicon.Tokenize("in")

// isPlace reports whether a relation's name says nothing but that its tail is a place,
// such as "country" or "location city", which "A is in B" says as well. A birth place
// says more.
func (r *reading) isPlace(w relationWords) bool {
	return w.form == say.Noun && !slices.ContainsFunc(w.text, func(t lexicon.Token) bool {
		return !slices.ContainsFunc(r.lex.Concepts, func(c lexicon.Concept) bool {
			is := func(p lexicon.Phrase) bool { return len(p.Stems) == 1 && p.Stems[0] == t.Stem }
			in := func(p lexicon.Phrase) bool { return p.Weak && len(p.Stems) == 1 && p.Stems[0] == "in" }
			return c.Answer == lexicon.Place && slices.ContainsFunc(c.Tail, is) && slices.ContainsFunc(c.Ask, in)
		})
	})
}

// placed are the words that a relation for a place may have and a sentence leaves
// out: "A is in B" says "located in".
var placed = lexicon.WordSet("located situated lies")

// bareName reports whether a relation's name has no word of its own: "is a", "in",
// "located in".
func bareName(w relationWords) bool {
	return !slices.ContainsFunc(w.text, func(t lexicon.Token) bool { return slices.Contains(w.content, t.Stem) && !placed[t.Lower] })
}

// saidBy reports whether words between two names are those of a relation, but
// for the tense and articles.
func saidBy(between, relation []lexicon.Token) bool {
	bare := func(ts []lexicon.Token) []string {
		var ws []string
		for _, t := range ts {
			switch {
			case copulas[t.Lower]:
				ws = append(ws, "is")
			case placed[t.Lower]:
			case t.Lower != "a" && t.Lower != "an" && t.Lower != "the":
				ws = append(ws, t.Lower)
			}
		}
		return ws
	}
	said, name := bare(between), bare(relation)
	return slices.Equal(said, name) || slices.Equal(said, append([]string{"is"}, name...))
}

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
	text := r.words[rel].text
	lastWord := ""
	own := map[string]bool{}
	for _, w := range text {
		lastWord = w.Lower
		own[w.Lower] = true
	}
	next := ""
	if len(f.glueAfter) > 0 {
		next = f.glueAfter[0]
	}
	owned := f.before != nil && (f.before.owner || f.owned)
	by := slices.Contains(f.glueAfter, "by")
	has := slices.ContainsFunc(f.glueBefore, func(w string) bool { return w == "has" || w == "have" || w == "had" || w == "with" })
	copula := slices.ContainsFunc(f.glueBefore, func(w string) bool { return copulas[w] && w != "being" })
	passive := !own[word.lower] && isPast(word.lower) && copula

	doer := r.doerOf(rel, word)

	switch {
	case lastWord == "of" && owned:
		return f.after, f.before
	case lastWord == "of" && next != "of" && has:
		return f.after, f.before // "A has the member B"
	case lastWord == "of" && next != "of" && f.before != nil && f.after != nil:
		return nil, nil
	case lastWord == "of" && f.before == nil:
		return f.later, f.after
	case lastWord == "of":
		return f.before, f.after
	case owned && f.after == nil && f.earlier != nil && f.is:
		return f.before, f.earlier // "T is H's R"
	case owned:
		return f.before, f.after
	case f.after == nil && f.earlier != nil && f.is && f.before.number && len(f.glueBefore) == 0:
		return f.earlier, f.before // "H is 5895 m high"
	case r.claim && f.before != nil && f.before.number && len(f.glueBefore) == 0 && f.after == nil && f.earlier != nil && f.has:
		return f.earlier, f.before // "H has 23 floors"
	case r.claim && f.before != nil && f.before.number && len(f.glueBefore) == 0 && f.earlier == nil && f.after != nil && linking[next]:
		return f.after, f.before // "there are 23 floors in H"
	case f.before != nil && next == "of" && !owned && r.asksOfHead(rel, word):
		return f.before, f.after // "H is a member of the party T"
	case f.after == nil && f.earlier != nil && f.has && slices.Contains(f.glueBefore, "as"):
		return f.earlier, f.before // "H has T as R"
	case next == "of" && has && f.before != nil && f.after != nil:
		return f.before, f.after // "H has a R of T"
	case next == "of", (next == "in" || next == "for") && !linking[lastWord] && !isPast(word.lower) &&
		(!r.personal(rel) || r.claim && copula) && own[word.lower] && r.words[rel].form == say.Noun:
		if f.before != nil {
			return f.after, f.before
		}
		return f.after, f.later
	case lastWord == "to" && next != "to" && copula && isPast(word.lower):
		return f.after, f.before // "X was awarded the prize", by "awarded to"
	case next == "to" && lastWord != "to" && copula && isPast(word.lower):
		return f.after, f.before // "the prize was awarded to X", by "award"
	case doer == nobody && !copula && !linking[next]:
		return nil, nil // whether "X succeeded Y" or "Y succeeded X" is meant is not known
	case by && (lastWord == "by" || doer == byTail):
		if f.before == nil {
			return f.later, f.after
		}
		return f.before, f.after
	case lastWord == "by" && copula && f.before != nil && f.after != nil && isPast(word.lower):
		return nil, nil
	case lastWord == "by" || doer == byTail && !has && !linking[lastWord] && (!own[word.lower] || isPast(word.lower) && len(text) > 1) && !features(word.lower, next):
		return f.after, f.before
	case passive && (by || next == "in" && (word.lower == "used" || word.lower == "spoken") || r.isInverse(rel, word, next)) && lastWord != next:
		return f.after, f.before
	case passive && r.words[rel].form == say.Verb && len(text) == 1 && linking[next]:
		return nil, nil // "X is governed from Y", where the graph has "Y governs X"
	case linking[lastWord] && lastWord != "by" && lastWord != "to" && !own[word.lower] && !linking[next]:
		return nil, nil // "X found Y", where the graph has "X is found in Y"
	case r.words[rel].form == say.Noun && copula && !has && f.before != nil && f.after != nil && !isPast(word.lower):
		return nil, nil // "A is the R B"
	}
	return f.before, f.after
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

// personal reports whether the tail of a relation is a person by whom its head
// came about: an author, a director, an actor. Active verbs turn such a
// relation round.
func (r *reading) personal(rel kg.RelationID) bool {
	return slices.ContainsFunc(r.words[rel].meanings, func(m int) bool {
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
	if r.personal(rel) {
		return byTail
	}
	w, stem := r.words[rel], lexicon.Stem(word.lower)
	if n := len(w.text); n > 0 && w.form == say.Noun && comesFrom(w.text[n-1].Lower, stem) {
		return byTail
	}
	if !r.claim || slices.Contains(w.content, stem) {
		return byHead
	}
	either := false
	for _, m := range w.meanings {
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

// comesFrom reports whether a noun names who does what a verb says: owner and own,
// director and direct, successor and succeed.
func comesFrom(noun, stem string) bool {
	const telling = 5 // letters that both begin with, where the verb has more
	n := min(len(stem), telling)
	return n > 2 && (strings.HasSuffix(noun, "er") || strings.HasSuffix(noun, "or")) && strings.HasPrefix(noun, stem[:n])
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
