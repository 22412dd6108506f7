package operators

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"cairn/engine/kg"
	"cairn/engine/lexicon"
	"cairn/engine/pattern"
	"cairn/engine/plan"
	"cairn/engine/schema"
	"cairn/internal/wording"
)

// negated reads "not", "no", "never" and "without" at word i, n words long. What they
// deny runs to the end of their clause.
//
//	border France but not Germany            Germany stands in for France
//	films that were not directed by X        the clause is that of "films"
//	drugs with no side effects               there is nothing of the kind
func (r *reader) negated(ctx context.Context, p *phrase, i, n int, with string) (*part, error) {
	word := p.text(i, i+n)
	from, end := i+n, p.clauseEnd(i+n)
	if p.isOfNoun(i) {
		end = p.nounEnd(from, end)
	}
	if and := p.bothNamed(from, end); and > 0 {
		got, err := r.leftOut(ctx, r.cut(p, span(0, and), text("or"), span(and+1, p.len())))
		if got != nil {
			got.unsure(plan.Unsure, fmt.Sprintf("With %s, “and” can mean neither or not both. The reading leaves out what either has.", wording.Quote(word)))
		}
		return got, err
	}
	if last := end - 1; last > from && p.says(last, "anyone", "anybody") {
		if got, err := r.leftOut(ctx, r.cut(p, span(0, last), span(end, p.len()))); err == nil && got != nil {
			if r.mayTurn(p, got.pat) { // who trained nobody was not trained by nobody
				got.unsure(plan.Unsure, fmt.Sprintf("The reading ignores %s.", wording.Quote(p.text(last, end))))
			}
			return got, nil
		}
	}
	if apart := r.clauseApart(p, i, n, end); apart != nil && with == "" {
		got, err := r.leftOut(ctx, apart)
		if got != nil {
			got.unsure(plan.Ambiguous, fmt.Sprintf("It is unclear whether %s denies what follows “and”, too. The reading takes only what stands before it.", wording.Quote(word)))
		}
		return got, err
	}
	if with != "" || p.says(i, "no") {
		end = p.nounEnd(from, end)
	}
	for from < end && (p.says(from, "any", "a", "an", "ever", "yet", "also") || p.says(from, "known") && from+1 < end) {
		from++
	}
	if p.says(i, "nothing", "nobody") && from >= end { // "people who own nothing"
		if q := r.people(p); q != p {
			return r.leftOut(ctx, q)
		}
		start := p.headEnd(i)
		return r.lacking(ctx, p, []piece{span(0, start)}, nil, start, start, start, i, word)
	}
	if from >= end {
		return nil, refuse(word, "nothing follows it.")
	}
	if p.says(i, "no") && slices.ContainsFunc(slices.Collect(maps.Keys(r.valueSteps(p, from))), r.hasZero) { // "no stock" is a stock of 0
		if got, err := r.read(ctx, r.cut(p, span(0, i), text("exactly 0"), span(from, p.len())), word); err == nil && got.doubt == plan.Sure {
			return got, nil
		}
	}
	if got, err := r.havingNo(ctx, p, i, end, word); got != nil || err != nil {
		return got, err
	}
	for j := from; j < end; j++ {
		if _, _, after := p.threshold(j); after > 0 {
			return r.notSoMany(ctx, p, i, n)
		}
		if p.match(j, others)+p.match(j, withouts) > 0 {
			return nil, refuse(word, "one exception is inside another.")
		}
	}
	start := p.clauseStart(i)
	if q := r.people(p); q != p && !p.hasName(0, start) && p.noun(0, start) < 0 {
		return r.leftOut(ctx, q)
	}
	if head := p.headEnd(i); p.says(i, "no") && head > 1 && head < start && !p.hasName(head, i) && !p.hasObject(head, i) {
		start = head // "authors have won no award"
	}
	mainEnd := cmp.Or(p.trim(0, start), start)
	rest := []piece{span(0, mainEnd), span(end, p.len())}
	mainPhrase := rest
	if !p.hasName(from, end) && !p.hasName(start, i) && !slices.ContainsFunc(upTo(from, end), p.isYear) {
		if or := p.joinedAt(from, end); or > 0 {
			return r.lackingBoth(ctx, p, or, end, word)
		}
		return r.lacking(ctx, p, mainPhrase, r.affirmation(p, start, i, n, end, with), start, i, from, end, word)
	}
	if verb := p.sharedVerb(i, from); verb > 0 { // "did A and not B buy"
		subject := p.afterThe(from)
		return r.minus(ctx, p, []piece{span(0, i-1), span(verb, p.len())}, []piece{span(0, p.lastName(0, i)), span(subject, p.len())}, word)
	}
	if operand, alike := p.parallel(i, from, end); operand != nil && with == "" {
		main, err := r.main(ctx, p, mainPhrase, word)
		if err != nil {
			return nil, err
		}
		out, names := (*part)(nil), p.names(from, end)
		if len(names) == 1 && alike {
			out = p.inPlaceOf(main, p.lastName(0, i), names[0])
		}
		if out == nil {
			if out, err = r.read(ctx, r.cut(p, operand...), word); err != nil {
				return nil, err
			}
		}
		if err := r.exclude(main, out, word); err != nil {
			return nil, err
		}
		for _, at := range names {
			if names[0] == p.afterThe(from) && r.mayBe(main.pat, main.pat.Asked, p.entitiesOf(at)[0]) {
				r.unequal(p, main, at, i)
			}
		}
		return main, nil
	}
	main, err := r.main(ctx, p, mainPhrase, word)
	if err != nil {
		return nil, err
	}
	for start < i && (p.says(start, "but") || p.says(start, "and")) {
		start++
	}
	out, err := r.affirmed(ctx, p, main, start, r.affirmation(p, start, i, n, end, with), word)
	if err != nil {
		return nil, err
	}
	return main, r.exclude(main, out, word)
}

// hasObject reports whether words [from, to) say more than a verb with its preposition: "have a
// father but", "with a father".
func (p *phrase) hasObject(from, to int) bool {
	return slices.ContainsFunc(upTo(from, to), func(j int) bool {
		return p.is(j, prepositions) && j+1 < to || p.says(j, "a", "an", "the", "and", "but")
	})
}

// bothNamed returns the "and" of [from, to) between two names, "not bought by A and B", unless "both"
// says what it means; 0 for none.
func (p *phrase) bothNamed(from, to int) int {
	for j := from; j < to && !p.says(j, "both"); j++ {
		if before := p.lastName(from, j); p.says(j, "and") && before >= 0 && p.nameAt(before) == j && p.nameAt(p.skip(j+1)) > 0 {
			return j
		}
	}
	return 0
}

// joinedAt returns the "or" or "and" of [from, to) between two nouns that something lacks; 0 for none.
func (p *phrase) joinedAt(from, to int) int {
	for j := from + 1; j+1 < to; j++ {
		if p.says(j, "or", "nor", "and") && p.relationNoun(from, j) == j-1 && p.relationNoun(j+1, to) == to-1 && (j-1 == from || p.word(j-2).Stop) {
			return j
		}
	}
	return 0
}

// lackingBoth reads "neither a father nor a mother", "no father and no mother": what lacks the one
// as well as the other.
func (r *reader) lackingBoth(ctx context.Context, p *phrase, or, end int, word string) (*part, error) {
	one, err := r.leftOut(ctx, r.cut(p, span(0, or), span(end, p.len())))
	if err != nil {
		return nil, err
	}
	second := or + 1
	for p.is(second, exclusions) || p.says(second, "a", "an", "the", "any") {
		second++
	}
	other, err := r.leftOut(ctx, r.cut(p, span(0, or-1), span(second, p.len())))
	if err != nil {
		return nil, err
	}
	if one == nil || other == nil || other.pat.Asked < 0 {
		return nil, refuse(word, "it is unclear what is left out.")
	}
	more := graft(one.pat, other.pat, other.pat.Asked, one.pat.Asked)
	if slices.ContainsFunc(more.Edges, func(e pattern.Edge) bool {
		return !slices.ContainsFunc(one.pat.Edges, func(o pattern.Edge) bool { return sameEdge(o, e) })
	}) {
		return nil, refuse(word, "it is unclear what is left out.")
	}
	one.pat.Branches = append(one.pat.Branches, more.Branches...)
	one.doubted(other)
	one.text += ", and " + other.text
	return one, nil
}

// mayTurn reports whether a pattern leaves out what a relation leads to whose name the question does not say as a
// whole, or which joins things of one kind the other way: nothing tells which way round it goes.
func (r *reader) mayTurn(p *phrase, of *pattern.Pattern) bool {
	isUnsaid := func(t lexicon.Token) bool {
		return !slices.ContainsFunc(upTo(0, p.len()), func(i int) bool { return lexicon.Stem(p.word(i).Lower) == lexicon.Stem(t.Lower) })
	}
	return slices.ContainsFunc(of.Branches, func(b pattern.Branch) bool {
		return b.Kind == pattern.Without && slices.ContainsFunc(b.Edges, func(e pattern.Edge) bool {
			return slices.ContainsFunc(e.Fixed, func(rel kg.RelationID) bool {
				return slices.ContainsFunc(lexicon.Tokenize(r.voc.Graph().RelationText(rel)), isUnsaid) || r.voc.JoinsSame(rel) && e.From != of.Asked
			})
		})
	})
}

// affirmation returns the clause of a negation at word i, n words long, without the negation:
// "have a jazz station" of "have no jazz station", "borrowed words" of "did not borrow words". It is
// nil where the clause says by whom, and nobody is: "not owned by", "does nothing depend on".
func (r *reader) affirmation(p *phrase, start, i, n, end int, with string) []piece {
	verb, from := i, i+n
	for from < end && p.says(from, "any", "ever", "yet", "also") {
		from++
	}
	switch {
	case p.says(end-1, "by"), p.says(i, "nothing") && p.is(i-1, auxiliary):
		return nil
	case with != "":
		return []piece{text(with), span(from, end)}
	case p.says(from, "been a", "been an") && from+3 == end: // "have been a claimant"
		return []piece{text("were " + lexicon.Plural(p.word(end-1).Lower))}
	case p.says(i, "no") && from < end && lexicon.IsPlural(p.word(from).Lower):
		return []piece{span(start, i), span(from, end)}
	case p.says(i, "no"):
		return []piece{span(start, i), text("a"), span(from, end)}
	case p.match(i, nobodies) > 0:
		anybody := "a person"
		if head := p.noun(0, start+1); !r.knowsPersons() && head >= 0 {
			anybody = "a " + lexicon.Singular(p.word(head).Lower)
		}
		return []piece{span(start, i), text(anybody), span(from, end)}
	case p.says(i-1, "do", "does", "did"):
		verb--
	}
	return []piece{span(start, verb), span(from, end)}
}

// affirmed reads the question that a negation denies, whose clause begins at word start.
func (r *reader) affirmed(ctx context.Context, p *phrase, main *part, start int, clause []piece, word string) (out *part, err error) {
	noun := max(0, p.headEnd(start)-1)
	heads := [][]piece{{text("Which"), span(noun, noun+1)}, {text("Who")}}
	if len(main.pat.Edges) > 0 && len(p.word(noun).Types) == 0 && !p.isName(noun) && len(p.word(noun).Names) > 0 { // "neighbours" would ask for neighbours again
		heads = slices.Insert(heads, 0, []piece{text("Which")})
	}
	for _, head := range heads {
		if out, err = r.read(ctx, r.cut(p, slices.Concat(head, clause)...), word); err == nil && out.isPlainList() {
			break
		}
	}
	return out, err
}

// surely is affirmed, where that is read beyond doubt, and nil otherwise.
func (r *reader) surely(ctx context.Context, p *phrase, main *part, start int, clause []piece, word string) *part {
	if clause == nil {
		return nil
	}
	out, err := r.affirmed(ctx, p, main, start, clause, word)
	if err != nil || out.doubt != plan.Sure || !out.isPlainList() || isThereAndBack(out.pat) {
		return nil
	}
	return out
}

// onlyStep is the step of a part that takes no other from what it asks for.
func (p *part) onlyStep() (st schema.Step, ok bool) {
	if p == nil || len(p.pat.Edges) != 1 || len(p.pat.Filters)+len(p.pat.Branches) > 0 || len(p.pat.Edges[0].Fixed) == 0 {
		return 0, false
	}
	e := p.pat.Edges[0]
	if st = schema.Forward(e.Fixed[0]); e.To == p.pat.Asked {
		st = st.Back()
	}
	return st, e.From == p.pat.Asked || e.To == p.pat.Asked
}

// isOfNamed reports whether a part has something by its name: what "are fragments" are those of that form.
func (p *part) isOfNamed() bool {
	return slices.ContainsFunc(p.pat.Nodes, func(n pattern.Node) bool { return !n.Variable })
}

// isThereAndBack reports whether a pattern goes back by the relation that it came by.
func isThereAndBack(p *pattern.Pattern) bool {
	for i, e := range p.Edges {
		if slices.ContainsFunc(p.Edges[:i], func(o pattern.Edge) bool {
			return slices.Equal(o.Fixed, e.Fixed) && (o.From == e.From || o.To == e.To)
		}) {
			return true
		}
	}
	return false
}

// havingNo reads "have no gold hoard" by what the question asks with "a" for "no", where more is said
// of the noun: of all of the kind, those that this finds are left out. It is nil where that is not
// sure.
func (r *reader) havingNo(ctx context.Context, p *phrase, i, end int, word string) (*part, error) {
	narrowed := p.hasName(i+1, end) || strings.ContainsAny(p.text(i+1, end), "0123456789")
	if !narrowed || !p.says(i, "no") || !p.says(i-1, "has", "have", "had") || p.kindNoun(i+1, end) < 0 {
		return nil, nil
	}
	out, err := r.read(ctx, r.cut(p, span(0, i), text("a"), span(i+1, end)), word)
	if err != nil || !out.isCertain() {
		return nil, ctx.Err()
	}
	main, err := r.main(ctx, p, []piece{span(0, i-1), span(end, p.len())}, word)
	if err != nil {
		return nil, err
	}
	return main, r.exclude(main, out, word)
}

// inPlaceOf is a part with one name in the place of another, where the part is sure and
// both names are of one kind: what joins them asks the same of both. It is nil otherwise.
func (p *phrase) inPlaceOf(of *part, was, now int) *part {
	if was < 0 || p.nameAt(now) == 0 || of.doubt != plan.Sure || p.nameAt(was) == 0 {
		return nil
	}
	is, will := p.entitiesOf(was), p.known(now)
	slots := p.Vocabulary.Slots(will.Entities[0])
	out := &part{pat: copied(of.pat)}
	for n, node := range out.pat.Nodes {
		if node.Variable || len(node.Entities) != 1 || !slices.Contains(is, node.Entities[0]) {
			continue
		}
		same := slices.ContainsFunc(p.Vocabulary.Slots(node.Entities[0]), func(at schema.Slot) bool { return slices.Contains(slots, at) })
		if !same {
			return nil
		}
		out.pat.Nodes[n] = will
		g := p.Vocabulary.Graph()
		out.text = strings.ReplaceAll(of.text, g.Label(node.Entities[0]), g.Label(will.Entities[0]))
		return out
	}
	return nil
}

// notSoMany reads "have not written more than two books": at most two.
func (r *reader) notSoMany(ctx context.Context, p *phrase, i, n int) (*part, error) {
	word := p.text(i, i+n)
	if got, err := r.onlyOfThem(ctx, p); got != nil || err != nil {
		return got, err
	}
	got, err := r.read(ctx, r.without(p, i, i+n), word)
	if err != nil {
		return nil, err
	}
	last := len(got.pat.Branches) - 1
	if last < 0 || got.pat.Branches[last].Kind != pattern.Quantity || got.pat.Branches[last].Op == pattern.Equal {
		return nil, refuse(word, "what it denies is not a number of entities.")
	}
	got.pat = copied(got.pat)
	b := &got.pat.Branches[last]
	b.Op = map[pattern.Op]pattern.Op{pattern.Less: pattern.AtLeast, pattern.AtMost: pattern.Greater, pattern.AtLeast: pattern.Less, pattern.Greater: pattern.AtMost}[b.Op]
	got.text += fmt.Sprintf(", denied: %s %d", b.Op.Words(), b.N)
	return got, nil
}

// clauseStart returns where the clause of the word at i begins: at its auxiliary, or at
// the relative pronoun or the "did X" before it.
func (p *phrase) clauseStart(i int) int {
	start := i
	for start > 0 && !p.isName(start-1) && (auxiliary[p.word(start-1).Lower] || relatives[p.word(start-1).Lower] || p.says(start-1, "but") || p.says(start-1, "and")) && !p.is(start-1, questions) {
		start--
	}
	if name := p.lastName(0, start); name > 0 && p.nameAt(name) == start && !p.says(start, "but", "and", "without") && !strings.Contains(p.Source[p.word(start-1).End:p.word(start).Start], ",") {
		if p.says(name-1, "the") {
			name--
		}
		if name > 1 && (p.is(name-1, auxiliary) || p.is(name-1, relatives) && !p.is(name-1, questions) || p.says(name-1, "that", "which")) {
			start = name - 1 // "did X not direct", "does the X not flow through", "that X did not direct"
		}
	}
	for start > 1 && !p.isName(start-1) && (relatives[p.word(start-1).Lower] || p.says(start-1, "but") || p.says(start-1, "and")) {
		start--
	}
	for j := start - 1; j > 0; j-- { // "whose genre is not"
		if p.says(j, "whose") && !p.hasName(j, start) {
			start = j
		}
	}
	return max(start, 1)
}

// clauseEnd returns where the clause from word i on ends: before "but", or "and" with a
// clause of its own.
func (p *phrase) clauseEnd(i int) int {
	for j := i + 1; j < p.len(); j++ {
		if p.says(j, "but") || p.says(j, "and") && (p.is(j+1, relatives) || p.is(j+1, auxiliary)) {
			return j
		}
	}
	return p.len()
}

// clauseApart gives a clause of its own to what "and" joins to a denied one by a preposition, a
// participle or a verb of its own: "are not rare and that are made of oak" of "are not rare and made of
// oak". It is nil where no such words end the clause of the negation at word i, n words long.
func (r *reader) clauseApart(p *phrase, i, n, end int) *phrase {
	if p.says(i, "no", "neither") || p.match(i, nobodies) > 0 || !p.is(i-1, auxiliary) && !p.IsContractedNot(i) {
		return nil
	}
	for and := i + n + 1; and+2 < end; and++ {
		next := and + 1
		w := p.word(next)
		if !p.says(and, "and") || p.isName(next) || p.is(and-1, prepositions) {
			continue
		}
		be := ""
		_, isBound := r.voc.BoundAt(p.Question.Words, next+1)
		switch isVerb := p.is(next, finite) || w.IsCue() && !w.Stop; {
		case p.is(next, prepositions) && !p.is(i+n, prepositions), w.IsPast() || lexicon.IsParticiple(w.Lower):
			be = " are"
		case !isVerb && (w.Stop || p.nameAt(p.afterThe(next+1)) == 0 && !p.is(next+1, prepositions) && !isBound), p.noun(next, next+1) == next:
			continue
		}
		return r.cut(p, span(0, and+1), text("that"+be), span(next, p.len()))
	}
	return nil
}

// nounEnd returns where what is said behind a noun of words [from, to) ends: before the verb that has
// an object, "missions without a camera targeted Earth", "persons without a mother have a father",
// "pilots not in class 1 speak Dutch".
func (p *phrase) nounEnd(from, to int) int {
	for j := from + 1; j < to; j++ {
		if p.is(j, auxiliary) && !p.is(j-1, relatives) && !p.is(j-1, auxiliary) {
			return j
		}
		_, isNumber := p.number(j - 1)
		isPast := p.word(j).IsPast() && p.nameAt(p.afterThe(j+1)) > 0
		isBehindName := p.isName(j-1) || isNumber && !lexicon.IsPlural(p.word(j).Lower) // not "500 coins"
		if !p.isName(j) && p.word(j).IsCue() && (isPast || isBehindName && !p.word(j).Stop && p.noun(j, j+1) < 0) {
			return j
		}
	}
	return to
}

// isOfNoun reports whether the negation at word i is said of the noun before it, and not by the verb of
// the sentence: "pilots not in class 1 speak Dutch", "pilots that are not in class 1 speak Dutch".
func (p *phrase) isOfNoun(i int) bool {
	verb, isVerb := i, p.IsContractedNot(i)
	for verb > 0 && p.is(verb-1, auxiliary) {
		verb, isVerb = verb-1, true
	}
	if !isVerb {
		return p.noun(0, i) == i-1
	}
	return verb > 1 && p.is(verb-1, relatives)
}

// parallel returns the question in which the name after "but not" stands in the place of
// the one before, and whether it does so alike, and not behind another preposition: "sold by A but not
// to B". It is nil where a verb follows the not.
func (p *phrase) parallel(i, from, end int) (operand []piece, alike bool) {
	at := p.skip(from)
	n := p.nameAt(at)
	if p.says(n, "or") && p.nameAt(p.skip(n+1)) == end && n > 0 { // but not A or B
		n = end
	}
	if n == 0 || n != end && p.trim(n, end) != n {
		return nil, false
	}
	if at > from && p.word(at-1).Mention < 0 && !p.says(at-1, "the") { // a preposition: of, in, by
		for j := i - 1; j > 0; j-- {
			if p.says(j, p.word(from).Lower) {
				return []piece{span(0, j), span(from, end)}, true
			}
		}
		if j := p.otherPreposition(from, p.lastName(0, i)); j > 0 {
			return []piece{span(0, j), span(from, end)}, false
		}
	}
	name := p.lastName(0, i)
	if name < 1 || p.is(i-1, auxiliary) && p.clauseStart(i) > p.nameAt(name) {
		return nil, false
	}
	return []piece{span(0, name), span(at, end)}, true
}

// sharedVerb returns the verb that two subjects share, the second behind the not at word i: "did A but not B
// buy"; 0 where the words are others.
func (p *phrase) sharedVerb(i, from int) int {
	name, verb := p.lastName(0, i), p.nameAt(p.afterThe(from))
	if name < 1 || verb == 0 || verb >= p.len() || !p.says(i-1, "and", "but") || p.nameAt(name) != i-1 || !p.is(p.beforeThe(name-1), auxiliary) || p.is(p.beforeThe(name-1), copulas) || p.isName(verb) || p.word(verb).Stop || !p.word(verb).IsCue() {
		return 0
	}
	return verb
}

// otherPreposition returns where the preposition before a name is, whose place another one takes, "to" in
// "sold by A but not to B"; 0 where word i is none, or is said before.
func (p *phrase) otherPreposition(i, name int) int {
	if !p.is(i, prepositions) || slices.ContainsFunc(upTo(1, max(name, 1)), func(j int) bool { return p.says(j, p.word(i).Lower) }) {
		return 0
	}
	for j := name - 1; j > 0 && p.word(j).Stop; j-- {
		if p.is(j, prepositions) && (p.word(j-1).IsCue() || p.word(j-1).Silent) {
			return j
		}
	}
	return 0
}

// lacking reads "drugs with no side effect": nothing of a kind is joined to them, as the clause
// without the negation says where that is surely read.
func (r *reader) lacking(ctx context.Context, p *phrase, rest, clause []piece, start, i, from, end int, word string) (*part, error) {
	main, err := r.main(ctx, p, rest, word)
	head := p.noun(0, i)
	if err != nil {
		if main = r.kinless(p, head, i, from, end); main == nil {
			return nil, err
		}
	}
	if head < 0 && !p.is(0, questions) {
		return nil, refuse(word, "it is unclear what lacks something.")
	}
	counted := p.nounOrRole(from, end)
	if of := p.noun(counted+1, end); counted >= 0 && of >= 0 && p.says(counted+1, "of") {
		counted = of // "not director of a company"
	}
	between := slices.Concat(upTo(start, i), upTo(from, end))
	between = slices.DeleteFunc(between, func(j int) bool { return j == counted })
	j := r.joins(p, head, counted, between, false)
	if j != nil && r.isTruly(main, main.pat.Asked, j.step, false) {
		return main, nil
	}
	pat, surely := copied(main.pat), r.surely(ctx, p, main, start, clause, word)
	st, ok := surely.onlyStep()
	switch {
	case ok && r.isTruly(main, main.pat.Asked, st, false):
		return main, nil
	case ok && j != nil && j.twin && (j.step == st || r.isTwin(j.step, st)):
		surely = nil // it is surely one of both
	case ok && !surely.isOfNamed():
		j = &joint{step: st}
	case surely != nil && (j == nil || ok) && r.exclude(main, surely, word) == nil:
		if ok && !p.says(i, "not", "never") && !p.IsContractedNot(i) { // what "has no" fever need not lack it as a side effect
			main.unsure(plan.Unsure, fmt.Sprintf("The reading takes %s to mean “%s”.", wording.Quote(p.text(from, end)), r.voc.Graph().RelationText(st.Relation())))
		}
		if !ok {
			return main, nil
		}
		lacks := func(e kg.EntityID) bool { return len(r.voc.Schema().Edges(e, st)) == 0 }
		if all, known := r.core.Answers(ctx, pat); !known || slices.ContainsFunc(all, lacks) {
			main.unsure(plan.Unsure, fmt.Sprintf("Of some of these the graph has no %s.", wording.Quote(r.voc.Graph().RelationText(st.Relation()))))
		}
		return main, nil
	}
	if surely == nil && clause != nil && head >= 0 { // a reading in doubt is better than one that passes over a value
		out, err := r.affirmed(ctx, p, main, start, clause, word)
		st, ok := out.onlyStep()
		isUnheard := func(i int) bool { return r.isUnheard(p, i, st) }
		isBest := ok && (j == nil || j.step == st && slices.ContainsFunc(between, isUnheard))
		if err == nil && isBest && !st.IsBack() && out.doubt != plan.Ambiguous && out.isPlainList() && out.isOfNamed() && p.NamesSlot(p.word(head), st.From()) && r.exclude(main, out, word) == nil {
			return main, nil
		}
	}
	if j == nil {
		return nil, refuse(word, fmt.Sprintf("no relation in this graph matches %s.", wording.Quote(p.text(from, end))))
	}
	pat = main.pat
	of, err := r.narrowed(p, counted, j.step, word)
	if err != nil {
		return nil, err
	}
	main.doubted(of)
	more, node := r.follow(pat, pat.Asked, j, of, "none")
	if counted >= 0 {
		r.genderedEnd(main, more, node, p.word(counted), j)
	}
	pat.Branches = append(pat.Branches, pattern.Branch{Kind: pattern.Without, Edges: more.Edges})
	if r.hasZero(j.step) {
		main.unsure(plan.Unsure, fmt.Sprintf("The reading takes %s to ask for what has no %s in this graph, and not for what has 0.", wording.Quote(word), wording.Quote(r.voc.Graph().RelationText(j.step.Relation()))))
	}
	if surely == nil {
		r.doubtJoint(p, main, j, between)
	}
	main.text = fmt.Sprintf("%s, without any %s", main.text, r.arrow(j))
	if of != nil {
		main.text += " (" + pat.Nodes[node].Type + ")"
	}
	return main, nil
}

// hasZero reports whether a step leads to numbers, of which one is 0.
func (r *reader) hasZero(st schema.Step) bool {
	if st.IsBack() || r.voc.Schema().Value(st.To()) != schema.NumberValue || r.voc.IsTruth(st.Relation()) {
		return false
	}
	return slices.ContainsFunc(r.voc.Graph().Tails(st.Relation()), func(e kg.EntityID) bool {
		v, ok := r.voc.Graph().Value(e)
		return ok && v.Number == 0
	})
}

// kinless is anyone of whom the graph tells parents or children, where "Who" alone lacks the one or the
// other; nil for other phrases.
func (r *reader) kinless(p *phrase, head, i, from, end int) *part {
	counted := p.relationNoun(from, end)
	if head >= 0 || counted < 0 || !p.says(0, "who") || slices.ContainsFunc(upTo(1, i), func(k int) bool { return p.isName(k) || !p.is(k, auxiliary) && !p.says(k, "has", "have", "had") }) {
		return nil
	}
	j := r.joins(p, -1, counted, upTo(1, i), false)
	if j == nil || !r.voc.JoinsSame(j.step.Relation()) {
		return nil
	}
	rels := []kg.RelationID{j.step.Relation()}
	if j.twin {
		rels = append(rels, r.voc.Partner(rels[0])...)
	}
	var all []kg.EntityID
	for _, rel := range rels {
		all = slices.Concat(all, r.voc.Graph().Heads(rel), r.voc.Graph().Tails(rel))
	}
	s, st := r.voc.Schema(), schema.Forward(rels[0])
	for t, share := range s.Types(st.From()) { // who of all teachers has no mentor
		if share == 1 && s.Types(st.To())[t] == 1 {
			all = append(all, r.voc.Graph().OfType(t)...)
		}
	}
	return &part{pat: &pattern.Pattern{Nodes: []pattern.Node{{Text: "?who", Variable: true, Within: kg.Distinct(all)}}, Reuse: pattern.ReuseVariables}, text: "anyone"}
}
