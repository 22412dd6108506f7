package operators

import (
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

// Operators that leave something out: not, nobody, other than. What a clause denies is in lacking.go,
// what the graph says yes or no of in truth.go, only and or in either.go.

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
			return r.leftOut(ctx, r.cut(p, span(0, i), text("have no"), span(p.behind(i+1, "the", "a", "an", "any"), p.len())))
		}
		if in := r.notIn(p, i); in != nil {
			return r.leftOut(ctx, in)
		}
		if end := p.nameAt(p.afterThe(i + 1)); p.says(i, "not") && end > 0 && end+1 == p.clauseEnd(i+1) && p.relationNoun(end, end+1) == end { // "are not NATO members"
			return r.leftOut(ctx, r.cut(p, span(0, i+1), span(end, end+1), text("of"), span(i+1, end), span(end+1, p.len())))
		}
		if p.says(i, "anything but") {
			return r.leftOut(ctx, r.cut(p, span(0, i), text("not"), span(i+2, p.len())))
		}
		if p.says(i, "but those", "but the ones") {
			return r.otherThan(ctx, p, i, 1)
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
		return isNumber || p.nameAt(at) > 0 && (p.says(b.To-1, "than", "as") || r.isLiteral(p, at)) || at < p.len() && strings.ContainsAny(p.word(at).Lower, "0123456789") || p.is(b.To, scales) || isMonth(p.text(b.To, min(b.To+1, p.len())))
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
		return r.minus(ctx, p, []piece{span(0, p.trim(0, i))}, []piece{span(0, p.headEnd(i)), span(from, p.len())}, word)
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
func (p *phrase) afterThe(i int) int { return p.behind(i, "the", "a", "an") }

// behind returns the first word from i on that is none of some.
func (p *phrase) behind(i int, some ...string) int {
	for p.says(i, some...) {
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
	if j >= 0 && !rest.says(0, "where", "when") && !rest.hasName(0, rest.len()) && rest.isBare(0, rest.len(), j) {
		if got, err = r.root(rest, j, word); err == nil {
			rest.counted(got)
		}
	} else {
		if got, err = r.read(ctx, rest, word); err != nil {
			if kind, _ := r.namedKind(rest); kind != nil {
				rest.counted(kind)
				got, err = kind, nil
			}
		}
	}
	if err != nil {
		return nil, err
	}
	got.pat = copied(got.pat)
	return got, nil
}

// namedKind reads a phrase that is but the plural name of a group or a value as all that the graph has in it, "Bantu
// languages", where one relation alone leads there; at is the last word of the name. It is nil for other phrases.
func (r *reader) namedKind(p *phrase) (kind *part, at int) {
	from := slices.IndexFunc(upTo(0, p.len()), func(i int) bool {
		return p.isName(i) || !p.word(i).Stop && !asking[p.word(i).Lower] && !fillers[p.word(i).Lower]
	})
	end := p.nameAt(from)
	if end == 0 || !lexicon.IsPlural(p.word(end-1).Lower) || p.hasName(end, p.len()) || p.begin(0, from) == 0 && from > 0 {
		return nil, -1
	}
	of := p.known(from)
	var into []kg.RelationID
	for rel := range kg.RelationID(r.voc.Graph().Relations()) {
		if len(r.voc.Graph().InBy(of.Entities[0], rel)) > 0 {
			into = append(into, rel)
		}
	}
	if len(into) != 1 {
		return nil, -1
	}
	st := schema.Forward(into[0])
	kind = &part{pat: &pattern.Pattern{Nodes: []pattern.Node{{Text: "?" + variableName(p.word(end-1)), Variable: true}, of}, Edges: []pattern.Edge{r.voc.Edge(0, 1, st)}, Reuse: pattern.ReuseVariables}}
	kind.text = of.Text + " " + r.voc.Arrow(st.Back())
	kind.unsure(plan.Unsure, fmt.Sprintf("The reading takes %s to mean what has them as %s.", wording.Quote(of.Text), wording.Quote(r.voc.Graph().RelationText(st.Relation()))))
	return kind, end - 1
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
func (r *reader) minus(ctx context.Context, p *phrase, rest, operand []piece, word string) (*part, error) {
	main, err := r.main(ctx, p, rest, word)
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
