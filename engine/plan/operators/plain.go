package operators

import (
	"context"
	"maps"
	"slices"
	"strconv"
	"strings"

	"cairn/engine/kg"
	"cairn/engine/lexicon"
	"cairn/engine/link"
	"cairn/engine/schema"
)

// The same question in the order that the operators know.

var (
	polite     = lexicon.Phrases("polite")
	begging    = lexicon.Words("asides")
	nobodies   = lexicon.Phrases("nobody")
	everybody  = lexicon.Words("everybody")
	takesPlace = lexicon.Phrases("takes place")
	requested  = lexicon.Words("requests", "give me")
)

// plain is a question without what is only polite, with the words that a fragment leaves away,
// and with what is asked first: "X won how many more cups than Y?" asks how many more cups.
func (r *reader) plain(p *phrase) *phrase {
	for p.len() > 1 {
		n := p.match(0, polite)
		if p.says(n, "tell me") && p.is(n+2, questions) {
			n += 2
		}
		if n == 0 || n >= p.len() {
			break
		}
		p = r.cut(p, span(n, p.len()))
	}
	if last := p.len() - 1; last > 0 && p.is(last, begging) && p.match(last, polite) == 1 {
		p = r.cut(p, span(0, last))
	}
	if p.is(0, everybody) && r.knowsPersons() {
		p = r.cut(p, text("Persons"), span(1, p.len()))
	}
	if p.is(0, questions) && p.says(1, "s") { // "What's"
		p = r.cut(p, span(0, 1), text("is"), span(2, p.len()))
	}
	if slices.ContainsFunc(upTo(0, p.len()), func(i int) bool { return p.says(i, "people who", "people whose") }) {
		p = r.persons(p)
	}
	if p.says(0, "how") && !p.isName(1) && p.is(2, copulas) { // "How long is the incubation period of X"
		if of := slices.IndexFunc(upTo(0, p.len()), func(i int) bool { return p.says(i, "of") }); of > 3 && !p.isName(of-1) && r.isValue(p, of-1) {
			p = r.cut(p, text("What"), span(2, p.len()))
		}
	}
	p = r.aboveAll(r.countRange(r.plainly(r.byEvents(r.turned(r.named(p))))))
	p = r.ofQuality(r.valueNouns(p))
	i := 0
	for p.is(i, requested) {
		i++
	}
	if i > 0 && p.says(i, "every", "each") { // "Show me every person"
		p = r.cut(p, span(0, i), text("all"), span(i+1, p.len()))
	}
	p = r.fronted(p)
	n := p.beforeNumberOf()
	noun, bare := p.noun(n, p.len()), n
	for p.nameAt(bare) > 0 && p.nameAt(bare) <= noun {
		bare = p.nameAt(bare)
	}
	isGroup := slices.ContainsFunc(upTo(n+1, p.len()), func(i int) bool {
		return p.match(i, eachs) > 0 && (!p.says(i, "by") || !p.word(i-1).IsPast() && !lexicon.IsParticiple(p.word(i-1).Lower) && p.nameAt(p.afterThe(i+1)) == 0)
	})
	switch {
	case n > 0 && n < p.len() && !isGroup && (!p.isName(n) && lexicon.IsPlural(p.word(n).Lower) && !r.isValue(p, n) || noun >= n && p.isBare(bare, noun+1, noun) && len(p.word(noun).Types) > 0 && !r.isValue(p, noun)):
		if p.says(n+1, "that", "which", "who") {
			return r.cut(p, text("How many"), span(n, n+1), span(n+2, p.len()))
		}
		return r.cut(p, text("How many"), span(n, p.len())) // "Number of donors of X", "Number of British authors with three books"
	case p.isFragment() && (p.match(0, firsts)+p.match(0, lasts) > 0 || r.isOrdinal(p)):
		return r.cut(p, text("What is the "+p.word(0).Lower), span(1, p.len())) // a capital would be of a title
	}
	return p
}

// countRange puts "between 3 and 5 books" for "3 to 5 books", and for "three or four books".
func (r *reader) countRange(p *phrase) *phrase {
	for i := 1; i+3 < p.len(); i++ {
		n, ok := p.number(i)
		m, is := p.number(i + 2)
		if !ok || !is || !p.says(i+1, "to") && (!p.says(i+1, "or") || m != n+1) || m <= n || p.says(i-1, "between") || !p.isCounted(i+3) && !r.isValue(p, i+3) {
			continue
		}
		from := i
		if p.says(i-1, "from") {
			from--
		}
		return r.cut(p, span(0, from), text("between"), span(i, i+1), text("and"), span(i+2, p.len()))
	}
	return p
}

// named puts the name that a question has for "it" or "them" behind a verb: "cite X but do not follow
// it". In a second question it may be the answer to the first.
func (r *reader) named(p *phrase) *phrase {
	for i := 3; i < p.len(); i++ {
		names := p.names(0, i)
		if !p.is(i, objects) || len(names) != 1 || len(p.names(i, p.len())) > 0 || i+1 < p.len() && !p.says(i+1, "and", "but", "or", "nor", "without") {
			continue
		}
		to := p.nameAt(names[0])
		joins := slices.ContainsFunc(upTo(to, i), func(j int) bool { return p.says(j, "and", "but", "or", "without", "nor") && !p.is(j+1, questions) })
		if before := p.word(i - 1); joins && (p.is(i-1, prepositions) || !before.Stop) {
			return r.named(r.cut(p, span(0, i), span(names[0], to), span(i+1, p.len())))
		}
	}
	return p
}

// twiceNamed reads "cite X and follow X": what is so of one thing in two ways.
func (r *reader) twiceNamed(ctx context.Context, p *phrase) (*part, error) {
	names := p.names(0, p.len())
	if len(names) != 2 || !slices.Equal(p.entitiesOf(names[0]), p.entitiesOf(names[1])) || !p.says(p.nameAt(names[0]), "and") || !p.is(0, questions) {
		return nil, nil
	}
	and := p.nameAt(names[0])
	one, err := r.main(ctx, p, []piece{span(0, and)}, "and")
	if err != nil {
		return nil, err
	}
	other, err := r.main(ctx, p, []piece{span(0, p.headEnd(names[0])), span(and+1, p.len())}, "and")
	if err != nil {
		return nil, err
	}
	if len(one.pat.Edges) > 1 || len(other.pat.Edges) > 1 {
		return nil, nil // on a way between, the second may be said of something else
	}
	add(one.pat, graft(one.pat, other.pat, other.pat.Asked, one.pat.Asked))
	one.doubted(other)
	one.text += ", and " + other.text
	return one, nil
}

// objects are pronouns for what something is done to.
var objects = lexicon.WordSet("it them him her")

// valueNouns puts "palace sites" for "palaces" where that is a value that one relation gives things of
// one type alone, and stands where a noun for them does: "how many palaces", "which sites in X are
// palaces".
func (r *reader) valueNouns(p *phrase) *phrase {
	for i := range p.len() {
		e, kind := r.valueNoun(p, i)
		if kind == "" {
			continue
		}
		value, before, after := r.voc.Graph().Label(e), span(0, i), span(i+1, p.len())
		head, first, noun := p.noun(0, i), i-1, " "+lexicon.Plural(kind)
		for r.valueAt(p, first) != kg.NoEntity { // "which female dogs"
			first--
		}
		from := head // "water projects"
		for p.isName(from-1) || r.valueAt(p, from-1) != kg.NoEntity {
			from--
		}
		switch isPredicate := p.is(i-1, copulas) && i+1 == p.len(); {
		case isPredicate && head > 0 && (head+1 < i-1 || from < head || p.says(0, "how many")) && slices.Equal(lexicon.Stems(kind), []string{p.word(head).Stem}):
			before, after, noun = span(0, from), span(from, i-1), ""
		case r.isBeforeOwn(p, i, kind):
			noun = ""
		case !isPredicate && (first < 0 || p.is(first, beforeValueNouns) || i == p.beforeNumberOf() || (p.says(first, "of") || p.says(first-1, "of the")) && lexicon.IsPlural(p.word(i).Lower)):
		case p.word(i).Lower != value && (p.is(i-1, copulas) || p.is(i-1, exclusions)): // "are not paperbacks"
			noun = ""
		default:
			continue
		}
		at := len(r.cut(p, before).Source)
		if at > 0 {
			at++
		}
		of := r.cut(p, before, text(value+noun), after)
		name := link.Mention{Start: at, End: at + len(value), Text: value, Candidates: []link.Candidate{{Entity: e}}, Strength: 1}
		return r.phrase(of.Source, append(slices.Clone(of.mentions), name))
	}
	return p
}

// valueNoun returns the value for which word i is a noun, and the type of the things that have it; ""
// for none.
func (r *reader) valueNoun(p *phrase, i int) (kg.EntityID, string) {
	w := p.word(i)
	e := r.valueAt(p, i)
	if e == kg.NoEntity || w.Stop || i > 0 && w.Capital || p.aside[i] || w.IsNamedKind() {
		return kg.NoEntity, ""
	}
	kind := r.calledBy(e)
	if !r.isBeforeOwn(p, i, kind) && (w.IsCue() && !w.ByMeaning || p.noun(i+1, min(i+2, p.len())) > i || p.nameAt(i+1) > 0 || r.valueAt(p, i+1) != kg.NoEntity) {
		return kg.NoEntity, ""
	}
	return e, kind
}

// isBeforeOwn reports whether word i, not sure to be a name by itself, stands before the noun for the things that
// have it as a value: "completed projects", "running water projects".
func (r *reader) isBeforeOwn(p *phrase, i int, kind string) bool {
	noun := i + 1
	for r.valueAt(p, noun) != kg.NoEntity {
		noun++
	}
	return kind != "" && !p.isName(i) && p.noun(noun, noun+1) == noun && slices.Equal(lexicon.Stems(kind), []string{p.word(noun).Stem})
}

// valueAt returns the value of which nothing else is said that word i calls, in the singular or plural;
// a name with a capital at the beginning, "Max", is none.
func (r *reader) valueAt(p *phrase, i int) kg.EntityID {
	if i < 0 || i >= p.len() {
		return kg.NoEntity
	}
	w, g := p.word(i), r.voc.Graph()
	for _, m := range p.mentions {
		if m.Start != w.Start || m.End != w.End || len(m.Candidates) == 0 || m.Candidates[0].Method > link.Folded {
			continue
		}
		e := m.Candidates[0].Entity
		if _, isNumber := g.Value(e); !isNumber && len(g.Out(e)) == 0 && (!w.Capital || g.Label(e) != w.Text) {
			return e
		}
	}
	return kg.NoEntity
}

// calledBy returns the type of the things that a value is said of, where they are all of one; "" for
// none. Of several relations it is the one by which each of its things is of one kind: species is, and
// "given to" is not.
func (r *reader) calledBy(value kg.EntityID) string {
	g, s := r.voc.Graph(), r.voc.Schema()
	var of []kg.RelationID
	for _, x := range g.In(value) {
		of = kg.With(of, x.Relation)
	}
	called := ""
	for _, rel := range of {
		types := s.Types(schema.Forward(rel).From())
		for t, share := range types {
			name := lexicon.RelationWords(g.RelationName(rel))
			each := len(g.Heads(rel)) == len(g.OfType(t)) && !slices.ContainsFunc(g.Heads(rel), func(e kg.EntityID) bool { return len(g.OutBy(e, rel)) > 1 })
			switch isKind := share == 1 && len(types) == 1; {
			case len(of) > 1 && (!each || prepositions[name[len(name)-1]]), !isKind && len(of) == 1:
			case !isKind || called != "":
				return ""
			default:
				called = g.TypeLabel(t)
			}
		}
	}
	if slices.ContainsFunc(g.In(value), func(x kg.Edge) bool { return schema.IsUnlabelled(g, x.Entity) }) {
		return "" // a diver is no participation
	}
	return called
}

// beforeValueNouns stand before a noun for things, and before no value of theirs: "all palaces".
var beforeValueNouns = lexicon.WordSet("which what many all every each no any number")

// ofQuality puts "smoker patient" for "smokers", where the graph says yes or no of that
// of things of one type.
func (r *reader) ofQuality(p *phrase) *phrase {
	from := p.begin(0, p.len())
	i, not := from, ""
	if p.says(i, "non") {
		i, not = i+1, "non-"
	}
	if i >= p.len() || p.isName(i) || len(p.word(i).Types) > 0 || p.noun(i+1, min(i+2, p.len())) > 0 {
		return p
	}
	for _, is := range r.voc.Qualities(p.word(i).Lower) {
		types := r.voc.Schema().Types(schema.Forward(is.Relation).From())
		for _, t := range slices.Sorted(maps.Keys(types)) {
			if types[t] < 1 || is.Denied {
				continue
			}
			which := span(0, from)
			if p.says(0, "who") {
				which = text("Which")
			}
			return r.cut(p, which, text(not+p.word(i).Lower+" "+r.voc.Graph().TypeLabel(t)), span(i+1, p.len()))
		}
	}
	return p
}

// amounts puts figures for the words of a number before the name of a value, of which a thing has
// one: "one inhabitant" tells how many inhabitants it has, and exactly so many.
func (r *reader) amounts(p *phrase) *phrase {
	for i := 1; i+1 < p.len(); i++ {
		n, ok := p.number(i)
		if !ok || strings.TrimSpace(p.Source[p.word(i).End:p.word(i+1).Start]) != "" || p.says(i-1, "the", "these", "those", "which") && p.noun(i+2, min(i+3, p.len())) < 0 || p.is(i-1, tops) || !r.isValue(p, i+1) || slices.ContainsFunc(slices.Collect(maps.Keys(r.valueSteps(p, i+1))), r.branches) {
			continue
		}
		if us, _ := p.unitAt(i + 1); us != nil {
			continue
		}
		as := strconv.Itoa(n)
		if !p.says(i-1, "between", "and", "or") && !slices.ContainsFunc(upTo(max(0, i-4), i), func(j int) bool {
			b, ok := r.voc.BoundAt(p.Question.Words, j)
			return ok && b.To == i
		}) {
			as = "exactly " + as
		}
		return r.cut(p, span(0, i), text(as), span(i+1, p.len()))
	}
	return p
}

// exactly puts "exactly two" for a bare number of what is counted, "Which enzymes have two
// cofactors?": a number is no value of some other relation there.
func (r *reader) exactly(p *phrase) *phrase {
	for i := 2; i+1 < p.len(); i++ {
		n, ok := p.number(i)
		if !ok || n < 2 || n >= mostCounted || p.isName(i+1) || p.word(i+1).Stop || p.says(i-1, "the", "these", "those", "between", "and", "or", "than") || p.is(i-1, tops) || p.is(i-1, questions) || p.is(i-1, requested) {
			continue
		}
		if us, _ := p.unitAt(i + 1); us != nil {
			continue
		}
		isBound := p.inRelation(i, 1) || p.nearThreshold(i) || r.voc.IsOfBound(p.Question.Words, i+1) || p.match(i+1, orMore)+p.match(i+2, orMore)+p.match(i+1, orFewer)+p.match(i+2, orFewer) > 0
		if isBound || r.isValue(p, i+1) || !p.isCounted(i+1) || !p.says(0, "who") && p.kindNoun(0, i) < 0 {
			continue
		}
		return r.cut(p, span(0, i), text("exactly"), span(i, p.len()))
	}
	return p
}

// plainly puts the plain phrase for one that says the same.
//
//	Which of X's books …             Which books of X …
//	half the number of N that X V    half as many N as X
//	from 2003 on                     since 2003
//	K that took place in X           K that were in X
//	Year in which X …                In which year X …
//	What else …                      What …
//	Which K was first opened         Which K was opened first
//	Who else has the R of X          Who has the same R as X
//	Ks that cite another K           Ks that cite a K
//	Ks that cite no other            Ks that cite no other K
//	Ks by R                          Ks per R
func (r *reader) plainly(p *phrase) *phrase {
	if at := p.afterThe(2); p.says(0, "which of") {
		end := p.nameAt(at)
		if noun := p.noun(end+1, min(end+3, p.len())); end > 0 && p.says(end, "s") && noun == end+1 {
			return r.cut(p, span(0, 1), span(noun, noun+1), span(1, end), span(noun+1, p.len()))
		}
		if at > 2 && p.noun(at, at+1) == at {
			return r.cut(p, span(0, 1), span(at, p.len()))
		}
	}
	if end := p.nameAt(p.afterThe(1)); p.says(0, "who", "what") && end > 0 && end == p.len()-1 && p.is(end, copulas) { // "tell me who X is"
		return r.cut(p, span(0, 1), span(end, end+1), span(1, end))
	}
	if by := p.noun(0, 1) + 1; by == 1 && p.says(by, "by") && !p.says(by+1, "a", "an", "the") && (p.relationNoun(by+1, p.len()) == p.len()-1 || r.isValue(p, by+1)) && !p.hasName(0, p.len()) && p.isFragment() {
		return r.cut(p, span(0, by), text("per"), span(by+1, p.len()))
	}
	for i := range p.len() {
		if head := p.noun(0, i); head >= 0 && p.says(i, "another") && p.noun(i+1, min(i+2, p.len())) == i+1 && p.word(head).Stem == p.word(i+1).Stem { // what it is of is never itself
			return r.cut(p, span(0, i), text("a"), span(i+1, p.len()))
		}
		if head := p.noun(0, i); head >= 0 && i+1 == p.len() && (p.says(i, "another") || p.says(i, "other") && p.says(i-1, "any", "no")) && p.noun(head+1, i) < 0 {
			return r.cut(p, span(0, i+1), text(lexicon.Singular(p.word(head).Lower)))
		}
		that := slices.IndexFunc(upTo(0, p.len()), func(j int) bool { return j > i+4 && p.says(j, "that", "as") })
		if name := p.afterThe(that + 1); !p.isName(i) && multiples[p.word(i).Lower] > 0 && p.says(i+1, "the number of") && that > 0 && p.nameAt(name) > 0 {
			return r.cut(p, span(0, i+1), text("as many"), span(i+4, that), text("as"), span(that+1, p.nameAt(name)))
		}
		if order, verb := r.orderBefore(p, i); verb != "" {
			return r.cut(p, span(0, i), text(verb), text(order))
		}
		if p.says(i, "from") && p.isYear(i+1) && p.says(i+2, "on", "onward", "onwards") {
			return r.cut(p, span(0, i), text("since"), span(i+1, i+2), span(i+3, p.len()))
		}
	}
	if i, n := p.find(takesPlace); i > 0 && !slices.ContainsFunc(upTo(0, i), func(k int) bool { return p.is(k, auxiliary) }) && p.noun(0, i) > 0 { // where a question does not ask for the place
		return r.cut(p, span(0, i), text(map[bool]string{true: "were", false: "are"}[p.says(i, "took")]), span(i+n, p.len()))
	}
	if from, of := r.elseShares(p); from > 0 {
		return r.cut(p, span(0, 1), text("has the same"), span(from, of), text("as"), span(of+1, p.len()))
	}
	if p.is(0, questions) && p.says(1, "else") && len(p.names(0, p.len())) > 0 { // what a question names is never the answer
		return r.cut(p, span(0, 1), span(2, p.len()))
	}
	year := p.afterThe(0)
	if p.is(year, dateNouns) && p.says(year+1, "in which", "on which") {
		return r.cut(p, span(year+1, year+3), span(year, year+1), span(year+3, p.len()))
	}
	return p
}

// orderBefore returns the words of "Which K was first opened?" that end it from word i on, which may be
// the name of a relation; "" for others.
func (r *reader) orderBefore(p *phrase, i int) (order, verb string) {
	rest := strings.Fields(strings.ToLower(p.text(i, p.len())))
	if !p.says(0, "which", "what", "who") || !p.is(i-1, copulas) || p.hasName(i, p.len()) || len(rest) != 2 || rest[0] != "first" && rest[0] != "last" || !p.word(p.len()-1).IsPast() {
		return "", ""
	}
	return rest[0], strings.TrimRight(rest[1], "?.!")
}

// elseShares finds the noun and the name of "Who else has the role of X?", where X has one role: who
// else has it is not that one. It returns 0 where a phrase asks for something else.
func (r *reader) elseShares(p *phrase) (from, of int) {
	if !p.is(0, questions) || !p.says(1, "else") {
		return 0, 0
	}
	of = slices.IndexFunc(upTo(0, p.len()), func(i int) bool { return p.says(i, "of") && p.nameAt(p.afterThe(i+1)) == p.len() })
	from = slices.IndexFunc(upTo(0, max(of, 0)), func(i int) bool { return p.says(i, "the") }) + 1
	if from < 4 || len(p.names(0, of)) > 0 {
		return 0, 0
	}
	for i := 2; i < from-1; i++ { // "who else is the author of X" asks for authors
		if !p.is(i, having) && !p.is(i, prepositions) && !p.says(i, "belongs", "belong") && (!p.is(i, copulas) || i+2 == from) {
			return 0, 0
		}
	}
	for st := range p.word(of - 1).Weight {
		if p.word(of - 1).Names[st] && len(r.voc.Schema().Edges(p.entitiesOf(p.afterThe(of + 1))[0], st)) == 1 {
			return from, of
		}
	}
	return 0, 0
}

// askedFirst puts what is asked at the end first: "… supplied by which firm?" asks by which
// firm.
func (r *reader) askedFirst(p *phrase) *phrase {
	for i := 3; i+1 < p.len(); i++ {
		if end := p.len(); p.says(i, "which", "what") && p.noun(i+1, end) == end-1 && end-i <= 3 && !p.is(0, questions) && !p.is(1, questions) && !p.says(i-1, "than", "as") {
			from := i
			if p.is(i-1, prepositions) {
				from--
			}
			return r.cut(p, span(from, end), span(0, from))
		}
	}
	return p
}

// isOrdinal reports whether a phrase begins with a place in an order: "Second director of X".
func (r *reader) isOrdinal(p *phrase) bool {
	_, ok := p.ordinal(0)
	return ok
}

// isFragment reports whether no verb makes a sentence of a phrase.
func (p *phrase) isFragment() bool {
	return !slices.ContainsFunc(upTo(0, p.len()), func(i int) bool { return p.is(i, finite) || p.is(i, copulas) })
}

// beforeNumberOf is the word after "Number of", "The number of" or "Count" at the beginning; 0
// for none.
func (p *phrase) beforeNumberOf() (n int) {
	for _, words := range []string{"number of", "the number of", "count"} {
		if p.says(0, words) {
			n = p.afterThe(len(strings.Fields(words)))
		}
	}
	return n
}

// fronted puts "how many more" of two names first, with what is counted, and the name that it is
// more than last.
func (r *reader) fronted(p *phrase) *phrase {
	names := p.names(0, p.len())
	if len(names) != 2 {
		return p
	}
	how := slices.IndexFunc(upTo(0, p.len()), func(i int) bool { return p.says(i, "how many") })
	than := slices.IndexFunc(upTo(0, p.len()), func(i int) bool { return i > how && p.says(i, "than") })
	if how < 0 || than < 0 {
		return p
	}
	after := p.nameAt(p.afterThe(than + 1))
	switch {
	case how > 0 && names[0] < how && after == p.len() && (p.is(how+2, moreWords) || p.is(how+2, lessWords)):
		return r.cut(p, span(how, than), span(0, how), span(than, p.len()))
	case how == 0 && after > 0 && after <= names[1] && (p.is(than-1, moreWords) || p.is(than-1, lessWords)) && than > 3:
		return r.cut(p, span(0, 2), span(than-1, than), span(2, than-1), span(after, p.len()), span(than, after))
	}
	return p
}

// afterThan returns the first word of what a comparison at word i is with, "than in X", and
// whether "that of" stands before it, for a value named before.
func (p *phrase) afterThan(i int) (at int, that bool) {
	at = p.afterThe(i + 1)
	if that = p.says(at, "that of", "those of"); that {
		at += 2
	} else if p.is(at, prepositions) && p.says(i, "than", "as") {
		at++
	}
	return p.afterThe(at), that
}
