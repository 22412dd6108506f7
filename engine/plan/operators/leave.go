package operators

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"cairn/engine/kg"
	"cairn/engine/lexicon"
	"cairn/engine/link"
	"cairn/engine/pattern"
	"cairn/engine/plan"
	"cairn/engine/plan/words"
	"cairn/engine/schema"
	"cairn/internal/wording"
)

// Operators that leave something out, or choose: not, or, only.

var (
	exclusions = lexicon.Words("exclusions")
	others     = lexicon.Phrases("other than")
	withouts   = lexicon.Phrases("without")
	lacks      = lexicon.Phrases("lack")
	onlys      = lexicon.Phrases("only")
	copulas    = lexicon.Words("copulas")
	auxiliary  = lexicon.Words("auxiliaries", "copulas")
	relatives  = lexicon.Words("relatives")
)

// leftOut reads what a question leaves out.
func (r *reader) leftOut(ctx context.Context, p *phrase) (*part, error) {
	for i := range p.len() {
		if p.isName(i) {
			continue
		}
		if named := r.namedAfter(p, i); named != nil {
			return r.leftOut(ctx, named)
		}
		if of := r.ofNobody(p, i); of != nil {
			return r.leftOut(ctx, of)
		}
		if of := r.ofNo(p, i); of != nil {
			return r.leftOut(ctx, of)
		}
		if by := r.byNobody(p, i); by != nil {
			return r.leftOut(ctx, by)
		}
		if p.match(i, lacks) > 0 && i > 0 && !exclusions[p.word(i-1).Lower] && !p.IsContractedNot(i-2) {
			from := i + 1
			for p.says(from, "the") || p.says(from, "a") || p.says(from, "an") || p.says(from, "any") {
				from++
			}
			return r.leftOut(ctx, r.cut(p, span(0, i), text("have no"), span(from, p.len())))
		}
		if in := r.notIn(p, i); in != nil {
			return r.leftOut(ctx, in)
		}
		if end := p.nameAt(p.afterThe(i + 1)); p.says(i, "not") && end > 0 && end+1 == p.clauseEnd(i+1) && p.relationNoun(end, end+1) == end { // "are not NATO members"
			return r.leftOut(ctx, r.cut(p, span(0, i+1), span(end, end+1), text("of"), span(i+1, end), span(end+1, p.len())))
		}
		if n := p.match(i, others); n > 0 {
			return r.otherThan(ctx, p, i, n)
		}
		if n := p.match(i, withouts); n > 0 {
			return r.negated(ctx, p, i, n, "with")
		}
		if r.isBound(p, i) { // "no more than", "not before 1950"
			continue
		}
		if r.isNotOne(p, i) {
			return r.otherThan(ctx, p, i, 1)
		}
		switch {
		case p.says(i, "neither"):
			return r.neither(ctx, p, i)
		case p.IsContractedNot(i) && !p.isName(i):
			return r.negated(ctx, p, i, 2, "")
		case exclusions[p.word(i).Lower] && !p.aside[i] && !p.namedWhole(i):
			return r.negated(ctx, p, i, 1, "")
		}
	}
	return nil, nil
}

// notIn reads "born outside X" as "not born in X", and "cities outside X" as those that are not in
// X; nil where no such words stand at word i.
func (r *reader) notIn(p *phrase, i int) *phrase {
	to := i + 1
	if p.says(to, "of") {
		to++
	}
	switch {
	case i < 1 || !p.says(i, "outside") || p.nameAt(p.afterThe(to)) == 0:
		return nil
	case p.word(i - 1).IsPast():
		return r.cut(p, span(0, i-1), text("not"), span(i-1, i), text("in"), span(to, p.len()))
	case p.noun(0, i) == i-1:
		return r.cut(p, span(0, i), text("that are not in"), span(to, p.len()))
	}
	return nil
}

// byNobody reads "that nobody owns" and "that no firm owns" as "not owned by" and "by any
// firm": of two things of one kind, the voice tells which does it. It is nil where no such
// subject stands at word i with its verb alone.
func (r *reader) byNobody(p *phrase, i int) *phrase {
	n := p.match(i, nobodies)
	by, end := text("by"), i+n
	if n == 0 && !p.says(i, "no") {
		return nil
	}
	if noun := p.noun(i+1, min(i+3, p.len())); n == 0 && noun > 0 {
		by, end = text("by any "+p.text(i+1, noun+1)), noun+1
	}
	start := p.clauseStart(i)
	verb := p.len() - 1
	for end < verb && p.is(end, auxiliary) {
		end++
	}
	if end == i || end != verb || p.is(0, prepositions) || p.isName(verb) || !p.word(verb).IsCue() || lexicon.IsParticiple(p.word(verb).Lower) && p.is(verb-1, copulas) || p.headEnd(i) > start {
		return nil
	}
	done := p.word(verb).Lower
	if !p.word(verb).IsPast() && !lexicon.IsParticiple(done) {
		done = lexicon.Participle(done)
	}
	return r.cut(p, span(0, start), text("are not "+done), by)
}

// ofNo reads "are a prerequisite of no course" as "are not a prerequisite of any course"; nil where no
// such words stand at word i.
func (r *reader) ofNo(p *phrase, i int) *phrase {
	be := i - 1
	for be > 0 && !p.is(be, copulas) && !p.isName(be) {
		be--
	}
	if !p.says(i, "no") || !p.is(i-1, prepositions) || be < 1 || !p.is(be, copulas) {
		return nil
	}
	return r.cut(p, span(0, be+1), text("not"), span(be+1, i), text("any"), span(i+1, p.len()))
}

// ofNobody reads "are nobody's rival" as "are not the rival of any station"; nil where no such
// words stand at word i.
func (r *reader) ofNobody(p *phrase, i int) *phrase {
	head := p.noun(0, i)
	if head < 0 || p.match(i, nobodies) == 0 || !strings.HasPrefix(strings.ReplaceAll(p.Source[p.word(i+p.match(i, nobodies)-1).End:], "’", "'"), "'s ") {
		return nil
	}
	from, end := i+p.match(i, nobodies), p.clauseEnd(i)
	if from < end && strings.Trim(p.word(from).Lower, "'’") == "s" {
		from++
	}
	if from >= end || p.hasName(from, end) {
		return nil
	}
	return r.cut(p, span(0, i), text("not the"), span(from, end), text("of any "+lexicon.Singular(p.word(head).Lower)), span(end, p.len()))
}

// isBound reports whether word i begins a comparison that says not of itself: "no more than
// three", "not before 1950", "not longer than the Rhine", "not as many films as X".
func (r *reader) isBound(p *phrase, i int) bool {
	if p.IsContractedNot(i) { // "aren't longer than"
		i++
	}
	if !p.says(i, "not", "no", "t") {
		return false
	}
	if b, ok := r.voc.BoundAt(p.Question.Words, i); ok {
		at := p.afterThe(b.To)
		_, isNumber := p.number(b.To)
		return isNumber || p.nameAt(at) > 0 || at < p.len() && strings.ContainsAny(p.word(at).Lower, "0123456789") || p.is(b.To, scales) || isMonth(p.text(b.To, min(b.To+1, p.len())))
	}
	return (p.is(i+1, moreWords) || p.is(i+1, lessWords) || p.match(i+1, asMany) > 0 || p.says(i+1, "as")) &&
		slices.ContainsFunc(upTo(i+2, p.len()-1), func(j int) bool { return p.says(j, "than", "as") && p.nameAt(p.afterThe(j+1)) > 0 })
}

func isMonth(text string) bool {
	_, ok := kg.ParseYearly(text)
	return ok
}

// neither reads "border neither A nor B" as "not border A or B".
func (r *reader) neither(ctx context.Context, p *phrase, i int) (*part, error) {
	if q := r.people(p); q != p {
		return r.leftOut(ctx, q)
	}
	word := p.word(i).Text
	nor := slices.IndexFunc(upTo(0, p.len()), func(j int) bool { return j > i && p.says(j, "nor") })
	if nor < 0 || i == 0 || slices.ContainsFunc(upTo(nor, p.len()), func(j int) bool { return p.says(j, "but") }) {
		return nil, refuse(word, "it is unclear what is left out.")
	}
	verb := p.headEnd(i)
	if name := p.lastName(0, i); name >= 0 {
		verb = max(verb, p.nameAt(name)) // "countries in Europe border neither"
	}
	for verb < i && p.is(verb, relatives) {
		verb++
	}
	if p.says(i-1, "but", "and") {
		verb = i
	}
	return r.leftOut(ctx, r.cut(p, span(0, verb), text("not"), span(verb, i), span(i+1, nor), text("or"), span(nor+1, p.len())))
}

// namedAfter is a phrase in which the name after the exception at word i is sure: "except
// wheat" means Wheat, where the graph has it and "wheat" is no kind of thing. It is nil
// where nothing is to be made sure.
func (r *reader) namedAfter(p *phrase, i int) *phrase {
	n := p.match(i, others)
	if n == 0 && (p.says(i, "not") && p.says(i-1, "but") || p.says(i, "but")) {
		n = 1
	}
	at := p.afterThe(i + n)
	if n == 0 || at >= p.len() || p.isName(at) || p.word(at).Stop || p.word(at).IsNamedKind() {
		return nil
	}
	best := -1
	for k, m := range p.mentions {
		if m.Start == p.word(at).Start && len(m.Candidates) > 0 && m.Candidates[0].Method <= link.Folded && (best < 0 || m.End > p.mentions[best].End) {
			best = k
		}
	}
	if best < 0 || p.mentions[best].Strength >= words.SureStrength {
		return nil
	}
	ms := slices.Clone(p.mentions)
	ms[best].Strength = words.SureStrength
	return r.phrase(p.Source, ms)
}

// isNotOne reports whether word i leaves one thing out by its name: "that are not France",
// "all countries but France", "which countries have bridges, but not France".
func (r *reader) isNotOne(p *phrase, i int) bool {
	at := p.afterThe(i + 1)
	head := p.noun(0, i)
	switch {
	case p.nameAt(at) == 0 || !p.isOfKind(at, head):
		return false
	case p.says(i, "not") && head == i-1: // "which countries, not France, have bridges"
		return head >= 0
	case p.nameAt(at) != p.clauseEnd(i+1) && !p.is(p.nameAt(at), relatives):
		return false
	}
	before := p.lastName(0, i)
	switch {
	case p.says(i, "but"):
		return p.nameAt(at) == p.len() || p.is(p.nameAt(at), relatives)
	case !p.says(i, "not"):
		return false
	case p.is(i-1, copulas):
		return !slices.ContainsFunc(upTo(0, i), func(j int) bool { return p.says(j, "whose") })
	}
	return before < 0 || !r.areAlike(p, before, at) // else it stands in its place
}

// areAlike reports whether the names at two words are of one kind.
func (r *reader) areAlike(p *phrase, a, b int) bool {
	slots := r.voc.Slots(p.entitiesOf(b)[0])
	return slices.ContainsFunc(r.voc.Slots(p.entitiesOf(a)[0]), func(at schema.Slot) bool { return slices.Contains(slots, at) })
}

// isOfKind reports whether the name at a word is of the kind that a noun names.
func (p *phrase) isOfKind(name, noun int) bool {
	e := p.entitiesOf(name)[0]
	return noun < 0 || p.NamesEntity(p.word(noun), e, p.Vocabulary.Slots(e))
}

// namedWhole reports whether word i is a name where it is written so, or part of any
// name that holds more.
func (p *phrase) namedWhole(i int) bool {
	w := p.word(i)
	return slices.ContainsFunc(p.mentions, func(m link.Mention) bool {
		return m.Start <= w.Start && w.End <= m.End && (w.Capital && i > 0 || m.End-m.Start > w.End-w.Start)
	})
}

// otherThan reads "countries other than France", and "all films except those of X".
func (r *reader) otherThan(ctx context.Context, p *phrase, i, n int) (*part, error) {
	word := p.text(i, i+n)
	from := i + n
	if at := p.skip(from); p.nameAt(at) == 0 || p.says(from, "those", "the ones") {
		for from < p.len() && p.says(from, "those", "the", "ones", "that", "which", "who") {
			from++
		}
		return r.minus(ctx, p, span(0, p.trim(0, i)), []piece{span(0, p.headEnd(i)), span(from, p.len())}, word)
	}
	names := []int{p.skip(from)}
	end := p.nameAt(names[0])
	for end < p.len() { // "other than France, Spain and Italy"
		next := end
		if p.says(next, "and", "or", "nor") {
			next++
		}
		if next = p.afterThe(next); p.nameAt(next) == 0 {
			break
		}
		names, end = append(names, next), p.nameAt(next)
	}
	rest := []piece{span(0, p.trim(0, i)), span(end, p.len())}
	if p.begin(0, i) >= i { // "Besides Elovir, which …"
		rest = rest[1:]
	}
	main, err := r.list(ctx, p, rest, word)
	if err != nil {
		return nil, err
	}
	if main.pat.Task > pattern.Count || main.pat.Asked < 0 {
		return nil, refuse(word, "what something is left out of is not a list.")
	}
	for _, at := range names {
		r.unequal(p, main, at, i)
	}
	return main, nil
}

// afterThe returns the first word from i on that is no article.
func (p *phrase) afterThe(i int) int {
	for p.says(i, "the") {
		i++
	}
	return i
}

// unequal leaves the name at a word out of what a part finds: of what is asked for, or of
// what the noun right before the exception at word i is, where that is something else.
func (r *reader) unequal(p *phrase, main *part, at, i int) {
	out := p.known(at)
	out.Entities = p.entitiesOf(at)
	pat := main.pat
	node := -1
	head, near := p.noun(0, i), p.trim(0, i)-1
	others := head >= 0 && near > head && p.noun(near, near+1) == near
	for n := range pat.Nodes {
		if pat.Nodes[n].Variable && r.mayBe(pat, n, out.Entities[0]) && (node < 0 || (n == pat.Asked) != others) {
			node = n
		}
	}
	label := r.voc.Graph().Label(out.Entities[0])
	if node < 0 {
		node = pat.Asked
		main.unsure(plan.Unsure, fmt.Sprintf("%s is not one of them.", wording.Quote(label)))
	}
	than := slices.IndexFunc(pat.Nodes, func(o pattern.Node) bool { return !o.Variable && slices.Equal(o.Entities, out.Entities) })
	if than < 0 {
		than = addNode(pat, out)
	}
	pat.Filters = append(pat.Filters, pattern.Filter{Node: node, Op: pattern.Unequal, Than: &than})
	main.text += " other than " + label
}

// mayBe reports whether a variable of a pattern may be an entity, as far as kinds tell.
func (r *reader) mayBe(p *pattern.Pattern, n int, e kg.EntityID) bool {
	if within := p.Nodes[n].Within; within != nil {
		return slices.Contains(within, e)
	}
	slots := r.voc.Slots(e)
	return slices.ContainsFunc(p.AllEdges(), func(x pattern.Edge) bool {
		return slices.ContainsFunc(x.Fixed, func(rel kg.RelationID) bool {
			from, to := schema.Forward(rel).From(), schema.Forward(rel).To()
			either := x.Direction == pattern.Either
			return (x.From == n || either && x.To == n) && slices.Contains(slots, from) || (x.To == n || either && x.From == n) && slices.Contains(slots, to)
		})
	})
}

// main reads what is left when something is left out: a plain list.
func (r *reader) main(ctx context.Context, p *phrase, pieces []piece, word string) (*part, error) {
	got, err := r.list(ctx, p, pieces, word)
	if err == nil && !got.isPlainList() {
		err = refuse(word, "what something is left out of is not a list.")
	}
	if err != nil {
		return nil, err
	}
	return got, nil
}

// list reads what is left of a phrase, a noun alone as all things of its kind.
func (r *reader) list(ctx context.Context, p *phrase, pieces []piece, word string) (*part, error) {
	rest := r.cut(p, pieces...)
	var got *part
	var err error
	j := rest.kindNoun(0, rest.len())
	if j >= 0 && !rest.hasName(0, rest.len()) && rest.isBare(0, rest.len(), j) {
		if got, err = r.root(rest, j, word); err == nil {
			rest.counted(got)
		}
	} else {
		got, err = r.read(ctx, rest, word)
	}
	if err != nil {
		return nil, err
	}
	got.pat = copied(got.pat)
	return got, nil
}

// headEnd returns the end of the noun that words up to limit are about: that of "Which
// companies registered in X" is "companies".
func (p *phrase) headEnd(limit int) int {
	if j := p.noun(0, limit); j >= 0 {
		return j + 1
	}
	return min(1, limit)
}

// minus leaves what an operand finds out of what the main part finds.
func (r *reader) minus(ctx context.Context, p *phrase, mainPiece piece, operand []piece, word string) (*part, error) {
	main, err := r.main(ctx, p, []piece{mainPiece}, word)
	if err != nil {
		return nil, err
	}
	out, err := r.read(ctx, r.cut(p, operand...), word)
	if err != nil {
		return nil, err
	}
	return main, r.exclude(main, out, word)
}

// exclude puts a part into another as what must not be.
func (r *reader) exclude(main, out *part, word string) error {
	if !out.isPlainList() || len(out.pat.Edges)+len(out.pat.Branches) == 0 {
		return refuse(word, "what is left out is not a list.")
	}
	branch := graft(main.pat, out.pat, out.pat.Asked, main.pat.Asked)
	isEither := func(b pattern.Branch) bool { return b.Kind == pattern.OneOf }
	if slices.ContainsFunc(main.pat.Branches, isEither) && slices.ContainsFunc(branch.Branches, isEither) {
		return refuse(word, "it is unclear which alternative it belongs to.")
	}
	if len(branch.Edges) == 0 && !slices.ContainsFunc(branch.Branches, func(b pattern.Branch) bool { return b.Kind != pattern.OneOf && b.Kind != pattern.OrElse }) {
		for _, b := range branch.Branches { // not one or the other: neither
			b.Kind = pattern.Without
			main.pat.Branches = append(main.pat.Branches, b)
		}
		main.doubted(out)
		main.text = fmt.Sprintf("%s, without: %s", main.text, out.text)
		return nil
	}
	branch.Edges = slices.DeleteFunc(branch.Edges, func(e pattern.Edge) bool {
		return slices.ContainsFunc(main.pat.Edges, func(m pattern.Edge) bool { return sameEdge(m, e) })
	})
	if len(branch.Edges) == 0 || len(branch.Branches) > 0 {
		return refuse(word, "what is left out is what is asked for.")
	}
	main.pat.Branches = append(main.pat.Branches, pattern.Branch{Kind: pattern.Without, Edges: branch.Edges, Filters: branch.Filters})
	main.doubted(out)
	main.text = fmt.Sprintf("%s, without: %s", main.text, out.text)
	return nil
}

// doubtVoid notes of what is left out that it can be nothing: no singer is ever directed by anybody,
// where films are.
func (r *reader) doubtVoid(got *part) {
	for _, b := range got.pat.Branches {
		if b.Kind != pattern.Without {
			continue
		}
		for i, e := range b.Edges {
			beside := slices.Concat(got.pat.Edges, b.Edges[:i], b.Edges[i+1:])
			if rel := r.neverAt(got.pat, e, beside); rel != "" {
				got.unsure(plan.Unsure, fmt.Sprintf("Nothing of the kind ever has %s, so that leaves nothing out.", wording.Quote(rel)))
			}
		}
	}
}

// neverAt returns the relation of an edge where nothing that one of its ends may be has it; "" where
// something does.
func (r *reader) neverAt(p *pattern.Pattern, e pattern.Edge, beside []pattern.Edge) string {
	if len(e.Fixed) == 0 || e.Direction == pattern.Either {
		return ""
	}
	g := r.voc.Graph()
	for _, n := range []int{e.From, e.To} {
		has := func(x kg.EntityID) bool {
			return slices.ContainsFunc(e.Fixed, func(rel kg.RelationID) bool { return len(g.Along(x, rel, n == e.To)) > 0 })
		}
		slot := func(e pattern.Edge) schema.Slot {
			if e.From == n {
				return schema.Forward(e.Fixed[0]).From()
			}
			return schema.Forward(e.Fixed[0]).To()
		}
		node := p.Nodes[n]
		apart := func(o pattern.Edge) bool {
			return (o.From == n || o.To == n) && len(o.Fixed) == 1 && o.Direction == pattern.Forward && !o.Closure && slot(o) != slot(e) && r.voc.Schema().Shared(slot(o), slot(e)) == 0
		}
		switch {
		case !node.Variable:
		case node.Within != nil && !slices.ContainsFunc(node.Within, has), len(e.Fixed) == 1 && slices.ContainsFunc(beside, apart):
			return g.RelationText(e.Fixed[0])
		}
	}
	return ""
}

func sameEdge(a, b pattern.Edge) bool {
	return a.From == b.From && a.To == b.To && slices.Equal(a.Fixed, b.Fixed) && a.Direction == b.Direction && len(a.Conditions) == 0 && len(b.Conditions) == 0
}

// negated reads "not", "no", "never" and "without" at word i, n words long. What they
// deny runs to the end of their clause.
//
//	border France but not Germany            Germany stands in for France
//	films that were not directed by X        the clause is that of "films"
//	drugs with no side effects               there is nothing of the kind
func (r *reader) negated(ctx context.Context, p *phrase, i, n int, with string) (*part, error) {
	word := p.text(i, i+n)
	from, end := i+n, p.clauseEnd(i+n)
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
	for from < end && p.says(from, "any", "a", "an", "ever", "yet", "also") {
		from++
	}
	if p.says(i, "nothing", "nobody") && from >= end { // "people who own nothing"
		start := p.headEnd(i)
		return r.lacking(ctx, p, []piece{span(0, start)}, nil, start, start, start, i, word)
	}
	if from >= end {
		return nil, refuse(word, "nothing follows it.")
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
	if operand := p.parallel(i, from, end); operand != nil && with == "" {
		main, err := r.main(ctx, p, mainPhrase, word)
		if err != nil {
			return nil, err
		}
		out, names := (*part)(nil), p.names(from, end)
		if len(names) == 1 {
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
	if name := p.lastName(0, start); name > 0 && p.nameAt(name) == start {
		if p.says(name-1, "the") {
			name--
		}
		if name > 0 && (p.is(name-1, auxiliary) || p.is(name-1, relatives) && !p.is(name-1, questions) || p.says(name-1, "that", "which")) {
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
		switch isVerb := p.is(next, finite) || w.IsCue() && !w.Stop; {
		case p.is(next, prepositions) && !p.is(i+n, prepositions), w.IsPast() || lexicon.IsParticiple(w.Lower):
			be = " are"
		case !isVerb && (w.Stop || p.nameAt(p.afterThe(next+1)) == 0 && !p.is(next+1, prepositions)), p.noun(next, next+1) == next:
			continue
		}
		return r.cut(p, span(0, and+1), text("that"+be), span(next, p.len()))
	}
	return nil
}

// nounEnd returns where what is said behind a noun of words [from, to) ends: before the verb that has
// an object, "missions without a camera targeted Earth", "persons without a mother have a father".
func (p *phrase) nounEnd(from, to int) int {
	for j := from + 1; j < to; j++ {
		if p.is(j, auxiliary) && !p.is(j-1, relatives) && !p.is(j-1, auxiliary) {
			return j
		}
		if !p.isName(j) && p.word(j).IsPast() && p.word(j).IsCue() && p.nameAt(p.afterThe(j+1)) > 0 {
			return j
		}
	}
	return to
}

// parallel returns the question in which the name after "but not" stands in the place of
// the one before; nil where a verb follows the not.
func (p *phrase) parallel(i, from, end int) []piece {
	at := p.skip(from)
	n := p.nameAt(at)
	if p.says(n, "or") && p.nameAt(p.skip(n+1)) == end && n > 0 { // but not A or B
		n = end
	}
	if n == 0 || n != end && p.trim(n, end) != n {
		return nil
	}
	if at > from && p.word(at-1).Mention < 0 && !p.says(at-1, "the") { // a preposition: of, in, by
		for j := i - 1; j > 0; j-- {
			if p.says(j, p.word(from).Lower) {
				return []piece{span(0, j), span(from, end)}
			}
		}
	}
	name := p.lastName(0, i)
	if name < 1 || p.is(i-1, auxiliary) && p.clauseStart(i) > p.nameAt(name) {
		return nil
	}
	return []piece{span(0, name), span(at, end)}
}

// lacking reads "drugs with no side effect": nothing of a kind is joined to them, as the clause
// without the negation says where that is surely read.
func (r *reader) lacking(ctx context.Context, p *phrase, rest, clause []piece, start, i, from, end int, word string) (*part, error) {
	main, err := r.main(ctx, p, rest, word)
	if err != nil {
		return nil, err
	}
	head := p.noun(0, i)
	if head < 0 && !p.is(0, questions) {
		return nil, refuse(word, "it is unclear what lacks something.")
	}
	counted := p.noun(from, end)
	if counted < 0 {
		counted = p.relationNoun(from, end)
	}
	if of := p.noun(counted+1, end); counted >= 0 && of >= 0 && p.says(counted+1, "of") {
		counted = of // "not director of a company"
	}
	between := slices.Concat(upTo(start, i), upTo(from, end))
	between = slices.DeleteFunc(between, func(j int) bool { return j == counted })
	j := r.joins(p, head, counted, between, false)
	if j != nil && r.isTruly(main, j, false) {
		return main, nil
	}
	surely := r.surely(ctx, p, main, start, clause, word)
	if st, ok := surely.onlyStep(); ok {
		j = &joint{step: st}
	} else if j == nil && surely != nil && r.exclude(main, surely, word) == nil {
		return main, nil
	}
	if j == nil {
		return nil, refuse(word, fmt.Sprintf("no relation in this graph matches %s.", wording.Quote(p.text(from, end))))
	}
	pat := main.pat
	var of *part
	if counted >= 0 && r.narrows(p.word(counted), j.step) {
		if of, err = r.root(p, counted, word); err != nil {
			return nil, err
		}
		main.doubted(of)
	}
	more, node := r.extend(pat, pat.Asked, j.step, of, "none")
	pat.Branches = append(pat.Branches, pattern.Branch{Kind: pattern.Without, Edges: more.Edges})
	if surely == nil {
		r.doubtJoint(p, main, j, between)
	}
	main.text = fmt.Sprintf("%s, without any %s", main.text, r.voc.Arrow(j.step))
	if of != nil {
		main.text += " (" + pat.Nodes[node].Type + ")"
	}
	return main, nil
}

// having reads "huts that have a winter room" where the graph says yes or no of it.
func (r *reader) having(ctx context.Context, p *phrase) (*part, error) {
	for i := range p.len() {
		from, end := p.afterThe(i+1), p.clauseEnd(i+1)
		if p.isName(i) || !p.says(i, "has", "have", "had", "with") || from >= end || p.hasName(from, end) {
			continue
		}
		head, noun := p.noun(0, i), p.relationNoun(from, end)
		if head < 0 || noun < 0 {
			continue
		}
		between := slices.DeleteFunc(upTo(from, end), func(j int) bool { return j == noun })
		j := r.joins(p, head, noun, between, false)
		if j == nil || len(r.voc.Truths(j.step.Relation(), true)) == 0 {
			continue
		}
		start := p.clauseStart(i)
		main, err := r.main(ctx, p, []piece{span(0, cmp.Or(p.trim(0, start), start)), span(end, p.len())}, p.text(i, end))
		if err != nil || !r.isTruly(main, j, true) {
			return nil, err
		}
		r.doubtJoint(p, main, j, between)
		return main, nil
	}
	return nil, nil
}

// truly reads "vegan recipes", "recipes that are vegan" and "recipes that contain nuts" where the
// graph says yes or no of it.
func (r *reader) truly(ctx context.Context, p *phrase) (*part, error) {
	head := p.noun(0, p.len())
	if head < 0 {
		return nil, nil
	}
	for rel := range kg.RelationID(r.voc.Graph().Relations()) {
		st := schema.Forward(rel)
		if len(r.voc.Truths(rel, true)) == 0 || !p.NamesSlot(p.word(head), st.From()) && !r.sharesKind(p, p.word(head), st) {
			continue
		}
		from, to, yes := p.quality(rel, head)
		if to == 0 {
			continue
		}
		main, err := r.list(ctx, p, []piece{span(0, from), span(to, p.len())}, p.text(from, to))
		if err == nil && !main.isPlainList() && !main.isRanked() {
			err = refuse(p.text(from, to), "what is so or not is not a list.")
		}
		if err != nil || !r.isTruly(main, &joint{step: st}, yes) {
			return nil, err
		}
		return main, nil
	}
	return nil, nil
}

// isRanked reports whether a part is the first of a list of things.
func (p *part) isRanked() bool {
	m := p.pat.Measure
	return p.pat.Task <= pattern.Count && p.pat.Order != nil && p.pat.Asked >= 0 && (m == nil || m.Func == pattern.CountOf && m.Per == p.pat.Asked)
}

// quality returns where the words of a relation's name stand right before a noun, or behind it as
// its verb or after one of "to be", with what joins them to others of their kind, and whether they
// affirm it; 0 for nowhere.
func (p *phrase) quality(rel kg.RelationID, head int) (from, to int, yes bool) {
	name := lexicon.RelationWords(p.Vocabulary.Graph().RelationKey(rel))
	for len(name) > 0 && copulas[name[0]] {
		name = name[1:]
	}
	first := head
	for first > 0 && p.word(first-1).Silent && !p.isName(first-1) { // of "launch vehicle"
		first--
	}
	for i := range p.len() - len(name) + 1 {
		isName, denied := len(name) > 0 && !slices.ContainsFunc(upTo(0, len(name)), func(k int) bool {
			return p.isName(i+k) || p.aside[i+k] || p.word(i+k).Stem != lexicon.Stem(name[k])
		}), false
		for _, is := range p.Vocabulary.Qualities(p.word(i).Lower) {
			if is.Relation == rel && !p.isName(i) && !p.aside[i] && i != head {
				denied, isName = is.Denied, true
			}
		}
		from, to = i, i+len(name)
		if !isName || p.says(to, "by", "to", "for", "of", "as", "than") {
			continue
		}
		if p.says(from-1, "non") {
			from, denied = from-1, !denied
		}
		yes = !denied
		switch joins := p.says(to, "and"); {
		case joins && p.says(from-1, "both"):
			return from - 1, to + 1, yes
		case joins && p.is(from-1, copulas), joins && to+1 < first:
			return from, to + 1, yes
		case to <= first && !slices.ContainsFunc(upTo(to, first), func(k int) bool { return !p.isName(k) && p.word(k).Stop }): // "electrified French lines"
			return from, to, yes
		case from > head && p.says(from-1, "and"):
			return from - 1, to, yes
		case from > head && (p.is(from-1, copulas) || from == head+1 || p.is(from-1, relatives)):
			return p.beforeVerb(from, head+1), to, yes
		case from > head && p.says(from-1, "both"): // what it was joined to is read
			return p.beforeVerb(from-1, head+1), to, yes
		}
	}
	return 0, 0, false
}

// beforeVerb goes back from word i to no further than another over "to be" and what begins a clause.
func (p *phrase) beforeVerb(i, first int) int {
	for i > first && (p.is(i-1, copulas) || p.is(i-1, relatives)) {
		i--
	}
	return i
}

// isTruly asks that the graph says yes, or no, of a step from what is asked for; it reports false
// where the graph says neither of it.
func (r *reader) isTruly(main *part, j *joint, yes bool) bool {
	values := r.voc.Truths(j.step.Relation(), yes)
	if j.step.IsBack() || len(values) == 0 {
		return false
	}
	pat := main.pat
	at := slices.IndexFunc(pat.Nodes, func(n pattern.Node) bool { return !n.Variable && slices.Equal(n.Entities, values) })
	if at < 0 { // two qualities have one yes
		at = addNode(pat, pattern.Node{Text: r.voc.Graph().Label(values[0]), Entities: values})
	}
	pat.Edges = append(pat.Edges, r.voc.Edge(pat.Asked, at, j.step))
	main.text += " " + r.voc.Arrow(j.step) + " " + r.voc.Graph().Label(values[0])
	return true
}

// relationNoun returns the word of [from, to) that names what a relation leads to; -1
// for none.
func (p *phrase) relationNoun(from, to int) int {
	for i := to - 1; i >= from; i-- {
		if w := p.word(i); w.Mention < 0 && !w.Stop && !w.Silent && len(w.Names) > 0 && !w.ByMeaning {
			return i
		}
	}
	return -1
}

// onlyThose reads "drugs that treat only asthma".
func (r *reader) onlyThose(ctx context.Context, p *phrase) (*part, error) {
	i, n := p.find(onlys)
	if _, _, counts := p.threshold(max(i, 0)); i < 0 || counts > 0 {
		return nil, nil
	}
	if got, err := r.onlyOfThem(ctx, p); got != nil || err != nil {
		return got, err
	}
	word := p.text(i, i+n)
	got, err := r.read(ctx, r.without(p, i, i+n), word)
	if err != nil {
		return nil, err
	}
	name := -1
	for j := i + n; j < p.len() && name < 0; j++ {
		if p.nameAt(j) > 0 {
			name = j
		}
	}
	if name < 0 {
		name = p.lastName(0, i)
	}
	if name < 0 || !got.isPlainList() {
		return nil, refuse(word, "it says “only” about something that the question does not name.")
	}
	pat := copied(got.pat)
	es := p.entitiesOf(name)
	for _, e := range got.pat.Edges {
		for _, x := range []int{e.From, e.To} {
			if pat.Nodes[x].Variable || !slices.Contains(es, pat.Nodes[x].Entities[0]) {
				continue
			}
			pat.Branches = append(pat.Branches, pattern.Branch{Kind: pattern.Only, Edges: []pattern.Edge{e}})
			got.pat = pat
			got.text += ", and " + r.voc.Graph().RelationText(e.Fixed[0]) + " of nothing else"
			return got, nil
		}
	}
	return nil, refuse(word, "the reading has no relation to what it limits.")
}

// either reads "or" between two names, two verbs or two clauses.
func (r *reader) either(ctx context.Context, p *phrase) (*part, error) {
	i := slices.IndexFunc(upTo(0, p.len()), func(i int) bool { return p.says(i, "or") && !r.voc.IsOfBound(p.Question.Words, i) })
	if i < 1 || i+1 >= p.len() {
		return nil, nil
	}
	word := p.word(i).Text
	if k := slices.IndexFunc(upTo(0, i), func(j int) bool { return p.says(j, "either") }); k >= 0 {
		return r.either(ctx, r.without(p, k, k+1))
	}
	if p.is(0, auxiliary) || p.is(i-1, questions) && p.is(i+1, questions) {
		return nil, nil // "is it a man or a woman", "who or what": no alternatives of the graph
	}
	first, second := p.alternatives(i)
	if first == nil {
		return nil, refuse(word, "it is unclear what it joins.")
	}
	a, err := r.read(ctx, r.cut(p, first...), word)
	if err != nil {
		return nil, err
	}
	before, after := p.lastName(0, i), p.skip(i+1)
	b := p.inPlaceOf(a, before, after)
	if p.nameAt(before) != i || b == nil {
		if b, err = r.read(ctx, r.cut(p, second...), word); err != nil {
			return nil, err
		}
	}
	if !a.isPlainList() || !b.isPlainList() {
		return nil, refuse(word, "what it joins are not lists.")
	}
	return r.eitherOf(word, a, b)
}

// eitherOf is what either of two parts asks for, which a word joins.
func (r *reader) eitherOf(word string, a, b *part) (*part, error) {
	got := &part{pat: &pattern.Pattern{Nodes: []pattern.Node{a.pat.Nodes[a.pat.Asked]}, Task: a.pat.Task, Reuse: a.pat.Reuse}, text: a.text + " or " + b.text}
	for k, one := range []*part{a, b} {
		x := graft(got.pat, one.pat, one.pat.Asked, 0)
		if len(x.Edges) == 0 || len(x.Branches) > 0 {
			return nil, refuse(word, "one side of it has its own operator.")
		}
		got.pat.Branches = append(got.pat.Branches, pattern.Branch{Kind: pattern.OneOf + pattern.BranchKind(k), Edges: x.Edges, Filters: x.Filters})
		got.doubted(one)
	}
	if b.pat.Nodes[b.pat.Asked].Type != a.pat.Nodes[a.pat.Asked].Type {
		return nil, refuse(word, "its two sides ask for different types of entities.")
	}
	return got, nil
}

// alternatives returns the two questions that an "or" at word i joins.
func (p *phrase) alternatives(i int) (first, second []piece) {
	after := p.skip(i + 1)
	end := p.nameAt(after)
	before := p.lastName(0, i)
	if p.isYear(i-1) && p.isYear(after) { // in 1898 or 1899
		start := i - 1
		if after > i+1 {
			after = i + 1
			for start > 0 && !p.says(start, p.word(after).Lower) {
				start--
			}
		}
		return []piece{span(0, i), span(p.skip(i+1)+1, p.len())}, []piece{span(0, start), span(after, p.len())}
	}
	switch {
	case end > 0 && before >= 0 && p.nameAt(before) == i: // A or B
		start := before
		if at := i + 1; at < after && !p.says(at, "the") { // by A or by B
			for start > 0 && !p.says(start, p.word(at).Lower) {
				start--
			}
			after = at
		}
		return []piece{span(0, i), span(end, p.len())}, []piece{span(0, start), span(after, p.len())}
	case before >= 0 && p.hasName(i, p.len()): // clauses
		return []piece{span(0, i)}, []piece{span(0, p.headEnd(before)), span(i+1, p.len())}
	case p.hasName(i, p.len()) && p.word(i-1).IsCue() && p.word(after).IsCue(): // wrote or directed X
		return []piece{span(0, i), span(after+1, p.len())}, []piece{span(0, i-1), span(after, p.len())}
	}
	return nil, nil
}
