package answer

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"cairn/engine/kg"
	"cairn/engine/lexicon"
)

// group joins coordinated names, and adjacent words for one relation, into one
// item each. split cuts the last name off a list that stands between two
// relations.
func (r *reading) group(split bool) {
	var out []item
	for _, it := range r.items {
		if len(out) > 0 && it.kind == wordItem && r.coordinates(it.lower) {
			// Kept for now; taken back where a name follows.
			out = append(out, it)
			continue
		}
		last := len(out) - 1
		switch it.kind {
		case nameItem:
			at := last
			for at >= 0 && out[at].kind == wordItem && r.coordinates(out[at].lower) {
				at--
			}
			if at >= 0 && out[at].kind == nameItem && strings.TrimSpace(r.text[out[at].end:it.start]) == "(" && r.apposition(&out[at], it) {
				continue
			}
			if at >= 0 && out[at].kind == nameItem && r.isList(out[at].end, it.start) && out[at].owner == it.owner {
				out[at].names = append(out[at].names, it.names...)
				out[at].end = it.end
				out = out[:at+1]
				continue
			}
		case relationItem:
			if last >= 0 && out[last].kind == relationItem && strings.TrimSpace(r.text[out[last].end:it.start]) == "" {
				if both := intersect(out[last].relations, it.relations); len(both) > 0 {
					out[last].relations, out[last].end, out[last].lower = both, it.end, it.lower
					continue
				}
			}
		case wordItem, numberItem:
		}
		out = append(out, it)
	}
	r.items = out
	if split {
		r.split()
	}
}

// apposition takes a value in brackets into the name before it, where a triple
// joins the two: "Argentina (46200000)".
func (r *reading) apposition(to *item, it item) bool {
	for _, id := range r.triples {
		t := r.g.Triple(id)
		last := to.names[len(to.names)-1]
		if slices.Contains(last, t.Head) && slices.Contains(it.names[0], t.Tail) || slices.Contains(last, t.Tail) && slices.Contains(it.names[0], t.Head) {
			to.end = it.end
			if strings.HasPrefix(r.text[to.end:], ")") {
				to.end++
			}
			return true
		}
	}
	return false
}

func (r *reading) coordinates(lower string) bool {
	return lower == "and" || lower == "or" || lower == "the" || lower == "both" || lower == "a" || lower == "an"
}

// isList reports whether what stands between two names makes a list of them.
func (r *reading) isList(from, to int) bool {
	between := strings.TrimSpace(r.text[from:to])
	words := strings.Fields(strings.ReplaceAll(between, ",", " , "))
	joins := 0
	for _, w := range words {
		switch strings.ToLower(w) {
		case ",", "and", "or", "&":
			joins++
		case "the", "a", "an":
		default:
			return false
		}
	}
	return joins > 0
}

// split cuts lists after a relation and before another, before their last name.
func (r *reading) split() {
	var out []item
	for i, it := range r.items {
		if it.kind != nameItem || len(it.names) < 2 || !r.relationBefore(i) || r.relationAfter(i) < 0 {
			out = append(out, it)
			continue
		}
		rest, last := it, it
		n := len(it.names) - 1
		rest.names, last.names = it.names[:n], it.names[n:]
		out = append(out, rest, item{kind: wordItem, start: it.end, end: it.end, lower: ";"}, last)
	}
	r.items = out
}

// relationBefore reports whether a relation stands before item i.
func (r *reading) relationBefore(i int) bool {
	return slices.ContainsFunc(r.items[:i], func(it item) bool { return it.kind == relationItem })
}

// relationAfter returns the index of the relation after item i, with no name
// between, or -1.
func (r *reading) relationAfter(i int) int {
	for k := i + 1; k < len(r.items) && r.items[k].kind != nameItem; k++ {
		if r.items[k].kind == relationItem {
			return k
		}
	}
	return -1
}

func intersect(a, b []kg.RelationID) []kg.RelationID {
	var both []kg.RelationID
	for _, x := range a {
		if slices.Contains(b, x) {
			both = append(both, x)
		}
	}
	return both
}

// judge compares what was read with the triples.
func (r *reading) judge() (Check, string) {
	if r.negated && r.a.Verdict != Refuted && !r.negativeRelation() {
		return NotInEvidence, "It denies something, but triples only state what holds."
	}
	if r.agrees && (r.a.Verdict == Refuted || r.a.Verdict == NotFound) {
		return NotInEvidence, "It agrees, but the evidence does not support the claim."
	}
	if check, reason := r.judgeNames(); check != Covered {
		return check, reason
	}
	if check, reason := r.judgeNumbers(); check != Covered {
		return check, reason
	}
	if check, reason := r.judgeFacts(); check != Covered {
		return check, reason
	}
	if len(r.unknown) > 0 {
		return Partly, fmt.Sprintf("The cited triples say nothing of %q.", r.unknown[0].Text)
	}
	if r.count(nameItem) == 0 && r.a.Verdict == NoVerdict {
		return Partly, "It names nothing that the cited triples could support."
	}
	return Covered, ""
}

func (r *reading) count(kind itemKind) int {
	n := 0
	for _, it := range r.items {
		if it.kind == kind {
			n += max(1, len(it.names))
		}
	}
	return n
}

// negativeRelation reports whether a relation of the triples itself denies:
// "does not border".
func (r *reading) negativeRelation() bool {
	for rel := range r.content {
		for _, w := range lexicon.Tokenize(r.g.RelationText(rel)) {
			if negations[w.Lower] {
				return true
			}
		}
	}
	return false
}

func (r *reading) judgeNames() (Check, string) {
	inTriples := map[kg.EntityID]bool{}
	for _, id := range r.triples {
		t := r.g.Triple(id)
		inTriples[t.Head], inTriples[t.Tail] = true, true
	}
	for _, it := range r.items {
		for k, es := range it.names {
			es = slices.DeleteFunc(slices.Clone(es), func(e kg.EntityID) bool { return !inTriples[e] })
			if len(es) == 0 {
				return NotInEvidence, fmt.Sprintf("The cited triples do not name %s.", r.g.Label(it.names[k][0]))
			}
			it.names[k] = es
		}
	}
	for _, t := range r.unknown {
		if t.Capital && strings.TrimSpace(r.text[:t.Start]) != "" {
			return NotInEvidence, fmt.Sprintf("The cited triples do not name %q.", t.Text)
		}
	}
	if len(r.unknown) > 0 && r.count(nameItem) == 0 {
		return NotInEvidence, fmt.Sprintf("The cited triples say nothing of %q.", r.unknown[0].Text)
	}
	return Covered, ""
}

func (r *reading) judgeNumbers() (Check, string) {
	for _, it := range r.items {
		if it.kind != numberItem {
			continue
		}
		ok := it.value >= 0 && len(r.a.Items) > 0 && it.value == r.a.Count
		for _, list := range r.items {
			ok = ok || list.kind == nameItem && len(list.names) > 1 && len(list.names) == it.value
		}
		if !ok {
			return NotInEvidence, fmt.Sprintf("The number %s is not in the cited triples.", r.text[it.start:it.end])
		}
	}
	return Covered, ""
}

// judgeFacts checks every relation with the names around it, and that no name
// is left beside them.
func (r *reading) judgeFacts() (Check, string) {
	var subject *item // of the relation before, for "A borders B and uses C"
	for i := range r.items {
		if r.items[i].kind != relationItem {
			continue
		}
		f := r.factAt(i, subject)
		if check, reason := r.judgeFact(i, f); check != Covered {
			return check, reason
		}
		switch {
		case f.before != nil:
			subject = f.before
		case f.after != nil:
			subject = f.after
		}
	}
	r.joinBare()
	if r.count(nameItem) < 2 {
		return Covered, ""
	}
	for n := range r.items {
		it := &r.items[n]
		for _, es := range it.names {
			if !slices.ContainsFunc(es, func(e kg.EntityID) bool { return r.joined[e] }) && (r.count(nameItem) != len(it.names) || r.count(relationItem) > 0) {
				return Partly, fmt.Sprintf("The check could not tell how the cited triples join %s to the rest.", r.g.Label(es[0]))
			}
		}
	}
	return Covered, ""
}

// fact is a relation with the names around it. Fields are nil where there is
// none.
type fact struct {
	before, after, later *item
	glueBefore           []string // between before and the relation
	glueAfter            []string // between the relation and after
}

var fullStop = regexp.MustCompile(`\.\s+\p{Lu}`)

// factAt finds the names around the relation at item i.
func (r *reading) factAt(i int, subject *item) fact {
	var f fact
	for k := i - 1; k >= 0; k-- {
		it := &r.items[k]
		if it.kind == nameItem {
			f.before = it
			break
		}
		f.glueBefore = append(f.glueBefore, it.lower)
	}
	slices.Reverse(f.glueBefore)
	if f.before != nil {
		// A full stop ends a clause where a capital follows, not in "Jr. was".
		gap := r.text[f.before.end:r.items[i].end]
		ends := strings.ContainsAny(gap, ";:") || fullStop.MatchString(gap) || slices.Contains(f.glueBefore, ";")
		joins := slices.Contains(f.glueBefore, "and") || slices.Contains(f.glueBefore, "but") || slices.Contains(f.glueBefore, "while") || slices.Contains(f.glueBefore, "whose")
		article := slices.Contains(f.glueBefore, "the") || slices.Contains(f.glueBefore, "its") || slices.Contains(f.glueBefore, "their")
		switch {
		case ends, joins && article:
			f.before = nil
		case joins:
			f.before = subject
		case r.between(f.before, i):
			// Another relation stands between, as in "the official language";
			// the names before belong to that one.
			f.before = nil
		}
	}
	for k := i + 1; k < len(r.items); k++ {
		it := &r.items[k]
		if it.kind == relationItem || it.lower == ";" || strings.ContainsAny(r.text[r.items[k-1].end:it.start], ";:") {
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
		if f.after == nil {
			f.glueAfter = append(f.glueAfter, it.lower)
		}
	}
	return f
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
func (r *reading) judgeFact(i int, f fact) (Check, string) {
	var failed string
	for _, rel := range r.items[i].relations {
		if said := r.otherPreposition(rel, f); said != "" {
			failed = fmt.Sprintf("The cited triples have %q, not %q.", r.g.RelationText(rel), r.items[i].lower+" "+said)
			continue
		}
		head, tail := r.ends(rel, r.items[i], f)
		if head == nil || tail == nil {
			r.joinOneSided(rel, head, tail)
			continue
		}
		ok := true
		for _, h := range head.names {
			for _, t := range tail.names {
				if !r.holds(h, rel, t, i) {
					ok = false
					failed = r.failure(h, rel, t)
				}
			}
		}
		if ok {
			for _, es := range slices.Concat(head.names, tail.names) {
				for _, e := range es {
					r.joined[e] = true
				}
			}
			return Covered, ""
		}
	}
	if failed != "" {
		return NotInEvidence, failed
	}
	return Covered, ""
}

// otherPreposition returns the preposition after a relation where the relation's
// name has another: "flows into" is not "flows through".
func (r *reading) otherPreposition(rel kg.RelationID, f fact) string {
	text := lexicon.Tokenize(r.g.RelationText(rel))
	if len(text) == 0 || len(f.glueAfter) == 0 {
		return ""
	}
	last, next := text[len(text)-1].Lower, f.glueAfter[0]
	if !linking[last] || !linking[next] || last == next || next == "of" || next == "as" {
		return ""
	}
	return next
}

// failure says why h rel t does not hold.
func (r *reading) failure(h []kg.EntityID, rel kg.RelationID, t []kg.EntityID) string {
	hl, tl, text := r.g.Label(h[0]), r.g.Label(t[0]), r.g.RelationText(rel)
	if r.direct(t, rel, h) {
		return fmt.Sprintf("It turns the direction round: the cited triple is (%s, %s, %s).", tl, text, hl)
	}
	return fmt.Sprintf("No cited triple is (%s, %s, %s).", hl, text, tl)
}

// joinOneSided marks the names on one side of a relation as joined where a
// triple has them there.
func (r *reading) joinOneSided(rel kg.RelationID, head, tail *item) {
	for _, id := range r.triples {
		t := r.g.Triple(id)
		if t.Relation != rel {
			continue
		}
		for _, end := range []struct {
			it *item
			e  kg.EntityID
		}{{head, t.Head}, {tail, t.Tail}} {
			if end.it != nil && slices.ContainsFunc(end.it.names, func(es []kg.EntityID) bool { return slices.Contains(es, end.e) }) {
				r.joined[end.e] = true
			}
		}
	}
}

// maxThrough is how many triples a sentence may cite for paths through unnamed
// things to be tried: every pair of triples is looked at for every pair of names.
const maxThrough = 64

// holds reports whether a triple says h rel t: directly, turned round where the
// graph has both ways, or through a thing that the sentence describes by
// another of its relations ("films directed by X came out in 1949").
func (r *reading) holds(h []kg.EntityID, rel kg.RelationID, t []kg.EntityID, i int) bool {
	if r.direct(h, rel, t) {
		return true
	}
	if len(r.triples) > maxThrough {
		return false
	}
	for _, id := range r.triples {
		last := r.g.Triple(id)
		if last.Relation != rel || !slices.Contains(t, last.Tail) {
			continue
		}
		for _, other := range r.triples {
			first := r.g.Triple(other)
			touches := slices.Contains(h, first.Head) && first.Tail == last.Head || slices.Contains(h, first.Tail) && first.Head == last.Head
			if touches && r.saidElsewhere(first.Relation, i) && !r.named(last.Head) {
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
			if _, both := r.g.Find(kg.Triple{Head: x.Tail, Relation: rel, Tail: x.Head}); both {
				return true
			}
		}
	}
	return false
}

func (r *reading) saidElsewhere(rel kg.RelationID, i int) bool {
	for k, it := range r.items {
		if k != i && it.kind == relationItem && slices.Contains(it.relations, rel) {
			return true
		}
	}
	return false
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
			if r.items[k].kind != nameItem {
				continue
			}
			for _, id := range r.triples {
				t := r.g.Triple(id)
				if len(r.content[t.Relation]) > 0 {
					continue
				}
				r.joinPair(&r.items[i], &r.items[k], t)
			}
			break
		}
	}
}

func (r *reading) joinPair(head, tail *item, t kg.Triple) {
	for _, h := range head.names {
		for _, e := range tail.names {
			if slices.Contains(h, t.Head) && slices.Contains(e, t.Tail) {
				r.joined[t.Head], r.joined[t.Tail] = true, true
			}
		}
	}
}

// ends decides which names a sentence makes the head and the tail of a relation
// (R) by the form of the sentence and of the relation's name:
//
//	"T is the R of H", "the R of H is T", "H's R is T"     H has R T
//	R ends in "of", "in", …: "H is R T", "T's R is H"      H member of T
//	R ends in "by" or names a person: "T directed H"       H directed by T
//	"H was directed by T", "H borders T"                   otherwise H before T
//	"T is bordered by H", "T is used in H"                 a passive that R is not
func (r *reading) ends(rel kg.RelationID, word item, f fact) (head, tail *item) {
	text := lexicon.Tokenize(r.g.RelationText(rel))
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
	owned := f.before != nil && f.before.owner
	by := slices.Contains(f.glueAfter, "by")
	passive := !own[word.lower] && isPast(word.lower) && slices.ContainsFunc(f.glueBefore, func(w string) bool { return copulas[w] })

	switch {
	case lastWord == "of" && owned:
		return f.after, f.before
	case lastWord == "of" && f.before == nil:
		return f.later, f.after
	case lastWord == "of":
		return f.before, f.after
	case owned:
		return f.before, f.after
	case next == "of", (next == "in" || next == "for") && !linking[lastWord] && !isPast(word.lower) && !r.personal(rel) && own[word.lower]:
		if f.before != nil {
			return f.after, f.before
		}
		return f.after, f.later
	case by && (lastWord == "by" || r.personal(rel)):
		if f.before == nil {
			return f.later, f.after
		}
		return f.before, f.after
	case lastWord == "by" || r.personal(rel) && !linking[lastWord] && (!own[word.lower] || isPast(word.lower) && len(text) > 1) && !features(word.lower, next):
		return f.after, f.before
	case passive && (by || next == "in" && (word.lower == "used" || word.lower == "spoken")) && lastWord != next:
		return f.after, f.before
	}
	return f.before, f.after
}

// personal reports whether the tail of a relation is a person by whom its head
// came about: an author, a director, an actor. Active verbs turn such a
// relation round.
func (r *reading) personal(rel kg.RelationID) bool {
	return slices.ContainsFunc(r.meanings[rel], func(m int) bool {
		return r.lex.Concepts[m].Answer == lexicon.Person && !r.lex.Concepts[m].SameEnds && len(r.lex.Concepts[m].Ask) > 0
	})
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

func isPast(lower string) bool {
	return strings.HasSuffix(lower, "ed") || strings.HasSuffix(lower, "en")
}
