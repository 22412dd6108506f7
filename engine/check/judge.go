package check

import (
	"fmt"
	"slices"
	"strings"

	"cairn/engine/kg"
	"cairn/engine/lexicon"
	"cairn/engine/say"
)

// judge compares what was read with the triples.
func (r *reading) judge() finding {
	if r.isForeign() {
		return r.judgeForeign()
	}
	if !r.claim && r.asks() {
		return finding{NotInGraph, "It is a question, not a statement."}
	}
	if f := r.judgeNames(); f.check != Covered {
		return f
	}
	facts, numbers := r.judgeFacts(), r.judgeNumbers()
	for _, f := range []finding{numbers, facts, r.judgeLinks()} {
		if f.check != Covered {
			return f // a wrong number tells more than the fact that it is not in
		}
	}
	return r.judgeRest()
}

// asks reports whether a sentence is a question: not where a name ends in the
// question mark.
func (r *reading) asks() bool {
	if !strings.HasSuffix(strings.TrimRight(r.text, " .\"”)"), "?") {
		return false
	}
	if len(r.items) == 0 || r.items[len(r.items)-1].kind != nameItem {
		return true
	}
	names := r.items[len(r.items)-1].names
	return !slices.ContainsFunc(names[len(names)-1], func(e kg.EntityID) bool { return strings.HasSuffix(r.g.Label(e), "?") })
}

// count counts the items of a kind; of names, each name of a list.
func (r *reading) count(kind itemKind) int {
	n := 0
	for _, it := range r.items {
		if it.kind == kind {
			n += max(1, len(it.names))
		}
	}
	return n
}

// isForeign reports whether a sentence is in another language than English. That
// it has no English words does not tell: it must have another's.
func (r *reading) isForeign() bool { return r.alien > r.local }

// judgeForeign compares the names and amounts alone.
func (r *reading) judgeForeign() finding {
	if f := r.judgeNames(); f.check != Covered {
		return f
	}
	for _, it := range r.items {
		if it.kind == numberItem && !r.counts(it) {
			return finding{NotInGraph, fmt.Sprintf("No triple has the number %s.", r.text[it.start:it.end])}
		}
	}
	if r.count(nameItem) == 0 {
		return finding{NotInEvidence, "It is not in English, and none of its names is in the evidence."}
	}
	return finding{Partly, "It is not in English, so only names and numbers were compared."}
}

// judgeDenials finds negations, which no triple states but of a relation that
// itself denies, and agreement with a claim that does not hold.
// It comes before group, which moves items.
func (r *reading) judgeDenials() finding {
	denied := map[int]bool{} // relation items that a negation stands before
	whole := false           // the claim is denied
	for _, at := range r.denies {
		t := lexicon.Tokenize(r.text[r.items[at].start:r.items[at].end])[0]
		t.Start, t.End = r.items[at].start, r.items[at].end
		if r.refutes(t) {
			continue
		}
		if r.claim && t.Lower == "without" && at > 0 && at+1 < len(r.items) && r.items[at-1].kind == relationItem && r.items[at+1].kind == nameItem {
			return finding{NotInGraph, fmt.Sprintf("No triple says %q.", r.items[at-1].lower+" "+t.Lower)} // "attacked without X" does not deny the attack
		}
		next := r.relationAfter(at)
		if next >= 0 && slices.ContainsFunc(r.items[next].relations, func(rel kg.RelationID) bool { return r.words[rel].deniesBy(t.Lower) }) {
			denied[next], denied[at-1] = true, true // "must not be taken with"
			continue
		}
		if r.denied && !whole {
			whole = true
			continue
		}
		return finding{NotInGraph, fmt.Sprintf("It denies something (%q), but triples state only what is true.", r.written(t))}
	}
	if r.denied && !whole {
		return finding{NotInGraph, "It is unclear what the claim denies."}
	}
	for i := range r.items {
		it := &r.items[i]
		if it.kind == relationItem {
			it.relations = slices.DeleteFunc(it.relations, func(rel kg.RelationID) bool { return r.words[rel].denies != denied[i] })
		}
	}
	if r.agrees && (r.ev.Refuted || r.ev.Unproven) {
		return finding{NotInGraph, "It agrees, but the evidence does not support the claim."}
	}
	return finding{check: Covered}
}

// deniesBy reports whether a negating word, or n't for not, is in the name of a
// relation.
func (w relationWords) deniesBy(lower string) bool {
	return slices.ContainsFunc(w.text, func(t lexicon.Token) bool {
		return t.Lower == lower || lower == "t" && t.Lower == "not"
	})
}

// written returns a word, with what stands before the t of "n't".
func (r *reading) written(t lexicon.Token) string {
	if t.Lower != "t" {
		return t.Text
	}
	from := strings.LastIndexByte(r.text[:t.Start], ' ') + 1
	return r.text[from:t.End]
}

// refutes reports whether a negation only gives the outcome of a claim that was
// refuted: "No, …", "the claim is false" or "the claim is not true".
func (r *reading) refutes(t lexicon.Token) bool {
	if !r.ev.Refuted {
		return false
	}
	before := lexicon.Tokenize(r.text[:t.Start])
	if len(before) == 0 {
		return t.Lower == "no" && strings.HasPrefix(strings.TrimSpace(r.text[t.End:]), ",")
	}
	about := false
	for _, w := range before {
		about = about || w.Lower == "claim" || w.Lower == "statement"
		if !aboutClaims[w.Lower] && !glue(w.Lower) {
			return false
		}
	}
	if t.Lower == "not" {
		next := lexicon.Tokenize(r.text[t.End:])
		return about && len(next) > 0 && agreeing[next[0].Lower]
	}
	return about && t.Lower != "no"
}

func (r *reading) judgeNames() finding {
	inTriples := map[kg.EntityID]bool{}
	for _, id := range r.triples {
		t := r.g.Triple(id)
		inTriples[t.Head], inTriples[t.Tail] = true, true
	}
	for i := range r.items {
		it := &r.items[i]
		for k, es := range it.names {
			here := slices.DeleteFunc(slices.Clone(es), func(e kg.EntityID) bool { return !inTriples[e] })
			if len(here) == 0 && r.everywhere {
				continue // what is said of it decides
			}
			if len(here) == 0 {
				return finding{NotInGraph, fmt.Sprintf("No triple of the evidence says anything about %s.", say.Name(r.g, es[0]))}
			}
			it.names[k] = here
		}
	}
	if r.isForeign() {
		return finding{check: Covered}
	}
	for _, t := range r.unknown {
		if t.Capital && (strings.TrimSpace(r.text[:t.Start]) != "" || r.isSubject(t)) {
			where := "evidence"
			if r.everywhere {
				where = "graph"
			}
			return finding{NotInGraph, fmt.Sprintf("The %s has nothing called %q.", where, t.Text)}
		}
	}
	return finding{check: Covered}
}

// isSubject reports whether a verb that joins follows a word: "RC is a character".
func (r *reading) isSubject(t lexicon.Token) bool {
	next := lexicon.Tokenize(r.text[t.End:])
	return len(next) > 0 && (copulas[next[0].Lower] || next[0].Lower == "has" || next[0].Lower == "had")
}

// judgeNumbers finds numbers that no triple has and that count nothing.
func (r *reading) judgeNumbers() finding {
	for i := range r.items {
		it := &r.items[i]
		switch {
		case !it.number, it.kind == nameItem && it.linked, r.counts(*it):
		case it.kind == numberItem:
			return finding{NotInGraph, fmt.Sprintf("No triple has the number %s.", r.text[it.start:it.end])}
		}
	}
	return finding{check: Covered}
}

// counts reports whether a number is how many names are listed beside it, how
// many answers there are, or how many things the graph has at the open end of a
// relation, all of them cited.
func (r *reading) counts(number item) bool {
	if number.value < 0 {
		return false
	}
	var before, after *item
	answers := false
	for i := range r.items {
		it := &r.items[i]
		switch {
		case it.lower == "answer" || it.lower == "answers" || it.lower == "number":
			answers = true
		case it.kind != nameItem || it.start == number.start:
		case it.start < number.start:
			before = it
		case after == nil:
			after = it
		}
	}
	for _, list := range []*item{before, after} {
		if list != nil && len(list.names) > 1 && len(list.names) == number.value {
			return true
		}
	}
	if answers && len(r.ev.Answers) > 0 {
		return number.value == r.ev.Count
	}
	at := -1
	if r.countsThings(number) {
		at = slices.IndexFunc(r.open, func(f openFact) bool { return r.fills(f, number.value) })
	}
	if at >= 0 {
		r.open[at].used = true
	}
	return at >= 0
}

// countsThings reports whether a word for things follows a number.
func (r *reading) countsThings(number item) bool {
	for _, it := range r.items {
		if it.start >= number.end {
			return it.kind == kindItem || it.kind == relationItem
		}
	}
	return false
}

// fills reports whether the open end of a fact has n things, in the graph and in
// the triples alike.
func (r *reading) fills(f openFact, n int) bool {
	edges := r.g.Along(f.entity, f.relation, f.inverse)
	cited := 0
	for _, x := range edges {
		if slices.Contains(r.triples, x.Triple) {
			cited++
		}
	}
	return n > 0 && cited == n && len(edges) == n
}

// judgeLinks finds names that nothing joins to the rest of the sentence.
func (r *reading) judgeLinks() finding {
	var names []*item
	for i := range r.items {
		if it := &r.items[i]; it.kind == nameItem && (it.linked || !it.number || !r.counts(*it)) {
			names = append(names, it)
		}
	}
	if len(names) > 1 {
		for _, it := range names {
			if !it.linked {
				f := finding{Joined, fmt.Sprintf("No triple connects %s to the rest in these words.", say.Name(r.g, it.names[0][0]))}
				if slices.ContainsFunc(it.names, func(es []kg.EntityID) bool { return r.citedWith(es) == 0 }) {
					f.check = NotInGraph
				}
				return f
			}
		}
		for _, f := range r.open {
			if !f.used && !r.facts[f.relation] {
				return finding{NotInGraph, fmt.Sprintf("It leaves open what %q says about %s.", f.word, say.Name(r.g, f.entity))}
			}
		}
		return finding{check: Covered}
	}
	if len(names) == 0 {
		return finding{check: Covered}
	}
	return r.judgeAlone(names[0])
}

// bareWords may stand beside a name that is given as the answer.
var bareWords = lexicon.WordSet("a an the is are was were and both there here these this those it they answer answers following include includes namely also too as according evidence graph")

// judgeAlone checks a sentence with one name or one list of names, which leaves
// to the question what they are: they must be answers to it.
func (r *reading) judgeAlone(it *item) finding {
	if it.linked {
		return finding{check: Covered}
	}
	if r.count(relationItem) == 0 {
		for i, w := range r.items {
			if glue(w.lower) && !bareWords[w.lower] && (i > 0 || !linking[w.lower]) {
				return finding{NotInGraph, fmt.Sprintf("The check cannot tell what “%s” says about %s.", w.lower, say.Name(r.g, it.names[0][0]))}
			}
		}
	}
	if len(r.ev.Answers) == 0 {
		return finding{check: Covered}
	}
	if r.count(relationItem) == 0 && r.count(kindItem) > 0 && !strings.Contains(r.text, "answer") {
		return finding{check: Covered} // it says what kind of thing it is
	}
	for _, es := range it.names {
		if !slices.ContainsFunc(r.ev.Answers, func(e kg.EntityID) bool { return slices.Contains(es, e) }) {
			return finding{NotInEvidence, fmt.Sprintf("%s is in the evidence, but is not an answer to the question.", say.Name(r.g, es[0]))}
		}
	}
	return finding{check: Covered}
}

// judgeRest looks at what is left once names, relations and numbers hold: words
// that say more.
func (r *reading) judgeRest() finding {
	partly := func(format string, args ...any) finding {
		if r.held {
			return finding{Partly, fmt.Sprintf(format, args...)}
		}
		return finding{NotInGraph, fmt.Sprintf(format, args...)}
	}
	if len(r.unknown) > 0 {
		return partly("No triple says %q.", r.unknown[0].Text)
	}
	if r.lacks != "" {
		return partly("%s", r.lacks)
	}
	if len(r.joints) > 0 {
		if r.held {
			return finding{Joined, fmt.Sprintf("The triples stand side by side; none says that one is %q the other.", r.joints[0].Text)}
		}
		return partly("No triple says %q.", r.joints[0].Text)
	}
	if word, other := r.wrongKind(); other != "" {
		return partly("No triple says %q about %s.", word, other)
	}
	names := r.count(nameItem)
	if i := slices.IndexFunc(r.pronoun, r.dangles); i >= 0 {
		return partly("It does not name what %q is.", r.pronoun[i].Text)
	}
	if names == 0 && !r.ev.OfClaim {
		return finding{NotInGraph, "It names nothing that a triple could support."}
	}
	if !r.held && !r.claimsExistence() && (r.claim || r.ev.OfClaim) && names > 0 {
		return finding{NotInGraph, "It states nothing that a triple could support."}
	}
	return finding{check: Covered}
}

// claimsExistence reports whether a claim says of one thing that it has something
// of a kind: "A has a capital".
func (r *reading) claimsExistence() bool {
	return r.claim && len(r.open) == 1 && r.count(nameItem) == 1 && r.count(relationItem) == 1 && r.count(kindItem) == 0 &&
		slices.ContainsFunc(r.items, func(it item) bool { return it.lower == "has" || it.lower == "have" || it.lower == "had" })
}

// dangles reports whether a pronoun stands for what the sentence does not name:
// not "A borders B, and it …", "A and its …" or "these are A and B".
func (r *reading) dangles(t lexicon.Token) bool {
	if named := r.first(); named != nil && named.start < t.Start {
		switch t.Lower {
		case "its", "their", "his", "her":
			return false
		case "it", "they", "he", "she":
			before := lexicon.Tokenize(r.text[:t.Start])
			last := before[len(before)-1].Lower
			return last != "and" && last != "but" && last != "which" && !strings.HasSuffix(strings.TrimSpace(r.text[:t.Start]), ";")
		}
		return true
	}
	next := lexicon.Tokenize(r.text[t.End:])
	bare := r.count(relationItem) == 0 && len(next) > 0 && (next[0].Lower == "is" || next[0].Lower == "are")
	return !bare
}

// wrongKind returns a word for a kind of thing that stands with a name which is
// no such thing: "the country Spellbound".
func (r *reading) wrongKind() (word, other string) {
	for i, it := range r.items {
		if it.kind != kindItem {
			continue
		}
		if r.stray(i) {
			return r.text[it.start:it.end], "anything"
		}
		next := i + 1
		for next < len(r.items) && r.items[next].kind == kindItem {
			next++ // "the Canadian rock band X"
		}
		if next < len(r.items) && r.items[next].kind == nameItem && strings.TrimSpace(r.text[r.items[next-1].end:r.items[next].start]) == "" {
			if bad := r.notOfKind(r.items[next], it.stem, true); bad != kg.NoEntity {
				return r.text[it.start:it.end], say.Name(r.g, bad)
			}
		}
		at := r.nameBefore(i)
		if at < 0 || !r.describes(at, i) {
			continue
		}
		if bad := r.notOfKind(r.items[at], it.stem, false); bad != kg.NoEntity {
			return r.text[it.start:it.end], say.Name(r.g, bad)
		}
	}
	return "", ""
}

// stray reports whether a word for a kind adds something of its own, as the
// last of a list ("A, B and film") or after a preposition ("at home"), and does not
// go with a name ("in the film A") or with what is said of the things ("in films
// that …").
func (r *reading) stray(i int) bool {
	if i+1 < len(r.items) {
		next := r.items[i+1]
		if next.kind == nameItem || next.kind == relationItem || next.kind == kindItem || copulas[next.lower] || kindGoesOn[next.lower] {
			return false
		}
	}
	at := i - 1
	for at >= 0 && (r.items[at].kind == kindItem || r.items[at].lower == "the" || r.items[at].lower == "a" || r.items[at].lower == "an") {
		at--
	}
	if at < 0 {
		return false
	}
	before := r.items[at]
	return linking[before.lower] || before.lower == "and" || before.kind == relationItem && at == i-1 || before.kind == nameItem && at == i-1 && strings.ContainsAny(r.text[before.end:r.items[i].start], ",&")
}

// kindGoesOn are the words after which more is said of things of a kind.
var kindGoesOn = lexicon.WordSet("that which who whose where of in by with from has have called named include includes")

// describes reports whether only "is a", ", a" and the like stand between a name
// and item i.
func (r *reading) describes(at, i int) bool {
	is := strings.HasPrefix(strings.TrimSpace(r.text[r.items[at].end:]), ",")
	for _, it := range r.items[at+1 : i] {
		switch {
		case copulas[it.lower]:
			is = true
		case it.kind == kindItem, it.lower == "a", it.lower == "an", it.lower == "the":
		default:
			return false
		}
	}
	return is
}

// notOfKind returns an entity that a name means and that is not of a kind, where
// it means no other that is. Where the graph does not say of what kind an entity
// is, its relations may tell: what has actors may be called a film in passing, but
// that it is one is not said by them.
func (r *reading) notOfKind(it item, stem string, passing bool) kg.EntityID {
	for _, es := range it.names {
		if !slices.ContainsFunc(es, func(e kg.EntityID) bool { return r.isOfKind(e, stem, passing) }) {
			return es[0]
		}
	}
	return kg.NoEntity
}

// maxEdgesOfKind is how many triples of an entity are looked at for what kind of
// thing it is.
const maxEdgesOfKind = 256

func (c *Checker) isOfKind(e kg.EntityID, stem string, passing bool) bool {
	if c.claim && (slices.Contains(c.bracketed(e), stem) || c.calledSo(e, stem)) {
		return true
	}
	types := c.g.Types(e)
	if len(types) > 0 || !passing {
		return slices.ContainsFunc(types, func(t kg.TypeID) bool { return slices.Contains(c.typeStems(t), stem) })
	}
	known := false
	for side, edges := range [2][]kg.Edge{c.g.Out(e), c.g.In(e)} {
		for _, x := range edges[:min(len(edges), maxEdgesOfKind)] {
			nouns := c.wordsOf(x.Relation).heads
			if side == 1 {
				nouns = c.wordsOf(x.Relation).tails
			}
			if len(nouns) == 0 {
				continue
			}
			if !slices.Contains(nouns, stem) {
				return false
			}
			known = true
		}
	}
	return known
}

// calledSo reports whether the graph calls an entity by a noun: the tail of "country"
// is a country.
func (c *Checker) calledSo(e kg.EntityID, stem string) bool {
	in := c.g.In(e)
	return slices.ContainsFunc(in[:min(len(in), maxEdgesOfKind)], func(x kg.Edge) bool {
		w := c.wordsOf(x.Relation)
		return w.form == say.Noun && len(w.text) > 0 && w.text[len(w.text)-1].Stem == stem
	})
}
