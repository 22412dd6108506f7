package check

import (
	"cmp"
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
		if f.earlier == nil && f.before != nil && f.before.number && subject != nil && r.hasAlso(at) {
			f.earlier, f.has = subject, true // "X was drawn by Y and has 23 floors"
		}
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
	if f.before == nil && f.later != nil && r.opensWithParticiple(r.items[:slices.IndexFunc(r.items, func(it item) bool { return it.start == f.after.start })+1], *f.later) {
		f.before, f.later = f.later, nil
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
		case r.claim && (it.lower == "does" || it.lower == "do" || it.lower == "did" || it.lower == "not"): // "does not have"
		case it.lower != "the" && it.lower != "a" && it.lower != "an":
			return
		}
	}
	if strings.Trim(r.text[r.items[earlier].end:r.items[at].start], "abcdefghijklmnopqrstuvwxyz ") == "" {
		f.earlier = &r.items[earlier]
	}
}

// hasAlso reports whether "and has" stands before an item.
func (r *reading) hasAlso(at int) bool {
	if at < 2 {
		return false
	}
	and, has := r.items[at-2].lower, r.items[at-1].lower
	return and == "and" && (has == "has" || has == "have" || has == "had")
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
	case r.inRelative(f.before, i, subject):
		f.before = subject
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

// inRelative reports whether the name before item i is the last word of what "who", "that" or
// "which" says of the subject: "X who was born in Y died in Z".
func (r *reading) inRelative(before *item, i int, subject *item) bool {
	if subject == nil || subject == before {
		return false
	}
	next := lexicon.Tokenize(r.text[subject.end:before.start])
	return len(next) > 0 && relatives[next[0].Lower] && r.text[subject.end:][:next[0].Start] == " " &&
		strings.TrimSpace(r.text[before.end:r.items[i].start]) == ""
}

var relatives = lexicon.WordSet("who that which")

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
	failed := finding{NotInGraph, fmt.Sprintf("The check cannot tell what “%s” refers to.", r.text[r.items[i].start:r.items[i].end])}
	relations := slices.Clone(r.items[i].relations)
	absent, other := false, false
	loosely := map[kg.RelationID]string{} // what the words leave out of those that say more than they
	for at := 0; at < len(relations); at++ {
		rel := relations[at]
		if why, isLess := r.saysOther(rel, r.items[i], f); why != "" && loosely[rel] == "" {
			if !absent {
				failed.reason = why
			}
			other = true
			if isLess && r.claim {
				loosely[rel] = why
				relations = append(relations, rel) // after those that the words say outright
			}
			continue
		}
		head, tail := r.ends(rel, r.items[i], f)
		if slices.Contains(r.items[i].inverse, rel) {
			head, tail = tail, head
		}
		if (head == nil || tail == nil) && f.before != nil && f.after == nil && len(f.before.names) == 2 && (r.g.IsSymmetric(rel) || r.symmetric(rel)) {
			names := f.before.names // "A and B are neighbours"
			if r.holds(names[0], rel, names[1]) {
				r.held, f.before.linked, r.facts[rel] = true, true, true
				return finding{check: Covered}
			}
			failed, absent = r.absent(names[0], rel, names[1]), true
			continue
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
		if r.claim && head.start > tail.start && r.isValue(head) && !r.isValue(tail) && !r.hasWord(rel, r.items[i].lower) {
			head, tail = tail, head // nothing is said of a value: "X boils at 56 °C", by "boiling point"
		}
		missing := finding{check: Covered}
		for _, h := range head.names {
			for _, t := range tail.names {
				if missing.check == Covered && !r.holds(h, rel, t) {
					missing = r.absent(h, rel, t)
					other = other || r.couldBe(h, rel, t) || r.direct(t, rel, h)
				}
			}
		}
		if missing.check == Covered {
			for _, h := range head.names {
				for _, t := range tail.names {
					if f := r.judgeGender(rel, r.items[i], h, t); f.check != Covered {
						missing, other = f, true
					}
				}
			}
		}
		if missing.check == Covered {
			r.held, head.linked, tail.linked, r.facts[rel] = true, true, true, true
			r.lacks = cmp.Or(r.lacks, loosely[rel])
			r.saysAlso(r.items[i], head, f)
			return missing
		}
		if turned := strings.HasPrefix(missing.reason, turnedRound); loosely[rel] == "" && (turned || !absent) {
			failed, absent = missing, true
		}
	}
	r.against = r.against || other
	return failed
}

// isValue reports whether all that an item names are values, of which nothing is said.
func (r *reading) isValue(it *item) bool {
	return !slices.ContainsFunc(slices.Concat(it.names...), func(e kg.EntityID) bool {
		return !r.g.IsLiteral(e) && (!say.IsValue(r.g, e) || len(r.g.Out(e)) > 0)
	})
}

// couldBe reports whether a triple h rel t is of the kind of those that there are: an end of it
// has the relation elsewhere. What could not be was read wrongly, and nothing speaks against it.
func (r *reading) couldBe(h []kg.EntityID, rel kg.RelationID, t []kg.EntityID) bool {
	return slices.ContainsFunc(h, func(e kg.EntityID) bool { return len(r.g.OutBy(e, rel)) > 0 }) &&
		slices.ContainsFunc(t, func(e kg.EntityID) bool { return len(r.g.InBy(e, rel)) > 0 })
}

// asksDid reports whether the sentence has "did", behind which verbs stand in their base form.
func (r *reading) asksDid() bool {
	return slices.ContainsFunc(lexicon.Tokenize(r.text), func(t lexicon.Token) bool { return t.Lower == "did" })
}

// saysOther says in a sentence how the words of a fact differ from the name of a relation that
// they are taken for; "" where they do not. isLess says that the one says more than the other, so that
// both may well be so: a doctoral supervisor supervises, and who painted something created it.
func (r *reading) saysOther(rel kg.RelationID, word item, f fact) (why string, isLess bool) {
	text := r.g.RelationText(rel)
	not := func(said string) string {
		if said == strings.ToLower(text) {
			return turnedRound + "."
		}
		return fmt.Sprintf("The triples have %q, not %q.", text, said)
	}
	isPast := func(own string) bool { return lexicon.IsPastOfOther(word.lower, own) }
	said := r.otherPreposition(rel, f)
	_, _, turned := r.use(rel, word, f).doesTurned()
	if _, asks := r.asksBy(rel, word, said); said != "" && !asks && !turned {
		return not(word.lower + " " + said), false
	}
	if p := r.lostPreposition(rel, word, f); p != "" {
		return fmt.Sprintf("The triples have %q, but the sentence does not say %q.", text, p), false
	}
	if p := r.addedPreposition(rel, word, f); p != "" {
		return not(word.lower + " " + p), false
	}
	if w, narrows := r.qualifier(rel); w != "" {
		return fmt.Sprintf("The triples have %q, but the sentence leaves out %q.", text, w), narrows
	}
	if lexicon.IsOtherGender(r.words[rel].name, word.lower) || !r.asksDid() && slices.ContainsFunc(r.words[rel].name, isPast) {
		return not(word.lower), false
	}
	if r.lex.SaysMore(r.words[rel].name, r.words[rel].meanings, word.lower, lexicon.Stems(r.text)) {
		return not(word.lower), true
	}
	return "", false
}

// saysAlso looks for another relation of the same word behind a preposition, of the same thing:
// "X was born in 1924 in Leeds" by the year and by the place.
func (r *reading) saysAlso(word item, of *item, f fact) {
	if f.later == nil || f.later.linked || of != f.before || f.after == nil || !linking[strings.TrimSpace(r.text[f.after.end:f.later.start])] {
		return
	}
	for _, rel := range word.relations {
		if !slices.ContainsFunc(f.later.names, func(t []kg.EntityID) bool {
			return slices.ContainsFunc(of.names, func(h []kg.EntityID) bool { return !r.direct(h, rel, t) })
		}) {
			f.later.linked, r.facts[rel] = true, true
		}
	}
}

// otherPreposition returns the preposition after a relation where the relation's
// name has another: "flows into" is not "flows through".
func (r *reading) otherPreposition(rel kg.RelationID, f fact) string {
	text := r.words[rel].text
	if len(text) == 0 || len(f.glueAfter) == 0 {
		return ""
	}
	last, next := text[len(text)-1].Lower, f.glueAfter[0]
	if !linking[last] || !linking[next] || next == "of" || next == "as" || slices.ContainsFunc(text, func(w lexicon.Token) bool { return w.Lower == next }) {
		return "" // "voted against by" is "against", too
	}
	return next
}

// lostPreposition returns the preposition of a relation whose name is a verb with one, where
// the sentence has the verb with an object and without it: who sold something to a company did
// not sell the company.
func (r *reading) lostPreposition(rel kg.RelationID, word item, f fact) string {
	name := r.words[rel].name
	n := len(name)
	if !r.claim || n < 2 || f.before == nil || f.after == nil || !linking[name[n-1]] || name[n-1] == "of" || name[n-1] == "by" || r.g.IsSymmetric(rel) || r.symmetric(rel) {
		return ""
	}
	verb := name[n-2]
	if !lexicon.IsVerbForm(verb) && !lexicon.IsParticiple(verb) || !slices.Contains(lexicon.Forms(verb), lexicon.Stem(word.lower)) {
		return ""
	}
	if slices.ContainsFunc(lexicon.Tokenize(r.text), func(t lexicon.Token) bool { return linking[t.Lower] }) || plain(r.text[word.end:f.after.start]) != "" {
		return ""
	}
	if slices.ContainsFunc(r.words[rel].meanings, func(m int) bool {
		return slices.ContainsFunc(r.lex.Concepts[m].Ask, func(p lexicon.Phrase) bool {
			return !p.Weak && len(p.Stems) == 1 && p.Stems[0] == lexicon.Stem(word.lower)
		})
	}) {
		return ""
	}
	return name[n-1]
}

// addedPreposition returns the preposition between a verb and a thing, where the relation is the
// verb without any: who wrote about a book did not write the book. Dates are not what a verb is
// done to.
func (r *reading) addedPreposition(rel kg.RelationID, word item, f fact) string {
	w := r.words[rel]
	if !r.claim || f.before == nil || f.after == nil || f.after.number || len(f.glueAfter) == 0 || !lexicon.IsBareVerb(w.name) || lexicon.Stem(word.lower) != w.verb || lexicon.Agent(word.lower) == w.verb {
		return ""
	}
	p := f.glueAfter[0]
	isDate := func(e kg.EntityID) bool {
		v, ok := r.g.Value(e)
		return ok && v.Kind == kg.DateValue
	}
	if (p == "on" || p == "in") && slices.ContainsFunc(slices.Concat(f.after.names...), isDate) {
		return "" // "started on 1 March"
	}
	n := len(f.glueBefore) // of words that make it a noun, or the passive: "a border with", "be treated with"
	notActive := n > 0 && (copulas[f.glueBefore[n-1]] || slices.Contains([]string{"a", "an", "the", "be", "been"}, f.glueBefore[n-1]))
	known := slices.ContainsFunc(w.meanings, func(m int) bool {
		return slices.ContainsFunc(r.lex.Concepts[m].Ask, func(ask lexicon.Phrase) bool {
			return len(ask.Stems) > 1 && slices.Contains(ask.Stems, w.verb) && ask.Stems[len(ask.Stems)-1] == p
		})
	})
	if known || notActive || r.g.IsSymmetric(rel) || r.symmetric(rel) || !lexicon.IsTelling(p) {
		return ""
	}
	return p
}

var articles = regexp.MustCompile(`\b(?:a|an|the)\b`)

// plain is a text without its articles.
func plain(text string) string { return strings.TrimSpace(articles.ReplaceAllString(text, "")) }

// qualifier returns the word of a relation's name that changes what the others mean, where
// the sentence does not say it: "deputy" of "deputy head". narrows is as lexicon.Qualifier has it.
func (r *reading) qualifier(rel kg.RelationID) (word string, narrows bool) {
	if r.said == nil {
		r.said = map[string]bool{}
		for _, it := range r.items {
			if it.kind == nameItem && len(it.names) > 0 && !it.number && it.lower == "" {
				continue
			}
			for _, t := range lexicon.Tokenize(r.text[it.start:it.end]) {
				for _, form := range lexicon.Forms(t.Lower) {
					r.said[form] = true
				}
			}
		}
	}
	return r.lex.Qualifier(r.words[rel].name, r.said, r.types())
}

// types are the stems of what the graph calls the things of the triples.
func (r *reading) types() map[string]bool {
	if r.typed == nil {
		r.typed = map[string]bool{}
		for _, id := range r.triples {
			t := r.g.Triple(id)
			for _, kind := range slices.Concat(r.g.Types(t.Head), r.g.Types(t.Tail)) {
				for _, stem := range r.typeStems(kind) {
					r.typed[stem] = true
				}
			}
		}
	}
	return r.typed
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
	return finding{Joined, fmt.Sprintf("%s It combines what T%d and T%d say separately.", reason, ours, theirs)}
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
			if _, isTruth := lexicon.Truth(r.g.Label(t.Tail)); isTruth && !inverse {
				return false // that yes or no is said of something tells nothing without which
			}
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
			if _, both := r.g.Find(kg.Triple{Head: x.Tail, Relation: rel, Tail: x.Head}); both && !r.claim || r.g.IsSymmetric(rel) || r.claim && r.symmetric(rel) {
				return true
			}
		}
	}
	return false
}

// symmetric reports whether a relation means the same in both directions.
func (r *reading) symmetric(rel kg.RelationID) bool {
	name := lexicon.RelationWords(r.g.RelationName(rel))
	return lexicon.IsMutual(name) || !lexicon.IsOneSided(name) &&
		slices.ContainsFunc(r.words[rel].meanings, func(m int) bool { return r.lex.Concepts[m].Symmetric })
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
	return slices.ContainsFunc(r.items, func(it item) bool { return it.means(e) })
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
	between := slices.DeleteFunc(lexicon.Tokenize(r.text[head.end:tail.start]), func(t lexicon.Token) bool { return r.denied && t.Lower == "not" })
	for _, h := range head.names {
		for _, e := range tail.names {
			if !slices.ContainsFunc(r.triples, func(id kg.TripleID) bool {
				t := r.g.Triple(id)
				w := r.words[t.Relation]
				return slices.Contains(h, t.Head) && slices.Contains(e, t.Tail) && (bareName(w) && saidBy(between, w.text) ||
					r.claim && (r.saysKind(w, between) || r.saysTrait(w, between) || r.isPlace(t.Relation) && saidBy(between, inside)))
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
	return r.hasMeaning(w, lexicon.InstanceOf) || r.hasMeaning(w, lexicon.Profession)
}

// hasMeaning reports whether a relation means a concept.
func (c *Checker) hasMeaning(w relationWords, concept string) bool {
	i, ok := c.lex.Concept(concept)
	return ok && slices.Contains(w.meanings, i)
}

// saysTrait reports whether a relation tells how something is, and the word between two names says
// just that it is so: "X is retired".
func (r *reading) saysTrait(w relationWords, between []lexicon.Token) bool {
	if len(between) == 2 && (between[1].Lower == "a" || between[1].Lower == "an") {
		between = between[:1] // "X is a captain" of the rank
	}
	return len(between) == 1 && (between[0].Lower == "is" || between[0].Lower == "are") && r.lex.IsTrait(w.name)
}

var inside = lexicon.Tokenize("in")

// isPlace reports whether a relation's name says nothing but that its tail is a place,
// such as "country" or "location city", which "A is in B" says as well. A birth place
// says more.
func (r *reading) isPlace(rel kg.RelationID) bool {
	return r.words[rel].form == say.Noun && r.lex.IsPlace(lexicon.Stems(r.g.RelationText(rel)))
}

// bareName reports whether a relation's name has no word of its own: "is a", "in",
// "located in".
func bareName(w relationWords) bool {
	return !slices.ContainsFunc(w.text, func(t lexicon.Token) bool { return slices.Contains(w.content, t.Stem) && !lexicon.IsPlacing(t.Lower) })
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
			case lexicon.IsPlacing(t.Lower):
			case t.Lower != "a" && t.Lower != "an" && t.Lower != "the":
				ws = append(ws, t.Lower)
			}
		}
		return ws
	}
	said, name := bare(between), bare(relation)
	return slices.Equal(said, name) || slices.Equal(said, append([]string{"is"}, name...))
}
