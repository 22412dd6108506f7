package operators

import (
	"context"
	"fmt"
	"slices"

	"cairn/engine/pattern"
	"cairn/engine/plan"
	"cairn/engine/plan/words"
	"cairn/engine/schema"
	"cairn/internal/wording"
)

// What two things have in common by one relation: "born in the same town as X".

// inCommon is "in the same town as X" in a phrase.
type inCommon struct {
	from, noun int // from is the word "the"
	as, name   int
}

// inCommon finds what a phrase says to be the same as that of a name; nil for nothing.
func (p *phrase) inCommon() *inCommon {
	from, n := p.find(theSame)
	for as := from + n + 1; from > 0 && as < p.len(); as++ {
		at := p.afterThe(as + 1)
		if !p.says(as, "as") || p.nameAt(at) == 0 || p.trim(p.nameAt(at), p.len()) > p.nameAt(at) {
			continue
		}
		noun := p.nounOrRole(from+n, as)
		if noun != as-1 {
			return nil
		}
		return &inCommon{from: from, noun: noun, as: as, name: at}
	}
	return nil
}

// commonClaim reads "Was X born in the same town as Y?"; nil where no relation that both have
// fits the words.
func (r *reader) commonClaim(_ context.Context, p *phrase) (*part, error) {
	c := p.inCommon()
	names := p.names(0, p.len())
	if c == nil || len(names) != 2 || names[0] > c.from || names[1] != c.name || r.denies(p) {
		return nil, nil
	}
	between := upTo(p.nameAt(names[0]), c.from)
	a, b := p.entitiesOf(names[0])[0], p.entitiesOf(c.name)[0]
	j := r.joinsOf(p, -1, c.noun, between, false, func(st schema.Step) bool {
		return len(r.voc.Schema().Edges(a, st)) > 0 && len(r.voc.Schema().Edges(b, st)) > 0
	})
	if j == nil {
		return nil, nil
	}
	got := &part{pat: &pattern.Pattern{Task: pattern.Verify, Asked: -1, Reuse: pattern.ReuseVariables, Nodes: []pattern.Node{p.known(names[0]), p.known(c.name)}}}
	more, same := r.share(p, got, c, j, 0, 1)
	got.pat.Branches = []pattern.Branch{{Kind: pattern.Quantity, Edges: more.Edges, Filters: more.Filters, Node: same, Op: pattern.AtLeast, N: 1}}
	got.text = fmt.Sprintf("%s and %s have the same: %s", r.voc.Graph().Label(a), r.voc.Graph().Label(b), r.voc.Arrow(j.step))
	r.doubtJoint(p, got, j, between)
	p.doubtNames(got, names...)
	r.doubtWords(p, got, func(k int) bool { return k >= c.from && k < c.name || p.word(k).Weight[j.step] > 0 })
	asksOther := func(k int) bool { // "born in the same hut" is nothing of who heads it
		w := p.word(k)
		return len(w.Weight) > 0 && w.Weight[j.step] <= 0 && w.Weight[r.voc.Schema().Back(j.step)] <= 0
	}
	if len(got.unused) > 0 || slices.ContainsFunc(between, asksOther) {
		return nil, nil
	}
	return got, nil
}

// commonWith reads "Who was born in the same town as X?", where a verb says by which relation;
// "with the same colour as X" is read without it.
func (r *reader) commonWith(ctx context.Context, p *phrase) (*part, error) {
	c := p.inCommon()
	if c == nil || len(p.names(0, p.len())) != 1 {
		return nil, nil
	}
	for _, q := range []*phrase{r.people(p), r.whoAs(p, "people")} { // where no thing has a type, those that were born are people
		if q != p {
			return r.commonWith(ctx, q)
		}
	}
	verb, head := p.beforePrepositions(c.from-1), p.noun(0, c.from)
	if head < 0 || verb <= head || p.word(verb).Stop {
		return nil, nil
	}
	between := upTo(head+1, c.from)
	j := r.joins(p, head, c.noun, between, false)
	if j == nil || !slices.ContainsFunc(between, func(i int) bool { return p.word(i).Weight[j.step] > 0 }) || len(r.voc.Schema().Edges(p.entitiesOf(c.name)[0], j.step)) == 0 {
		return nil, nil
	}
	main, err := r.main(ctx, p, []piece{span(0, head+1)}, p.text(c.from, c.as+1))
	if err != nil {
		return nil, err
	}
	name := addNode(main.pat, p.known(c.name))
	more, _ := r.share(p, main, c, j, main.pat.Asked, name)
	add(main.pat, more)
	main.text = fmt.Sprintf("%s, with the same as %s: %s", main.text, r.voc.Graph().Label(main.pat.Nodes[name].Entities[0]), r.voc.Arrow(j.step))
	r.doubtJoint(p, main, j, between)
	p.doubtNames(main, c.name)
	return main, nil
}

// sameSet reads "Which ships call at exactly the same ports as X?": what they call at are ports of X alone,
// and as many. It is nil where a phrase says nothing so.
func (r *reader) sameSet(ctx context.Context, p *phrase) (*part, error) {
	c := p.inCommon()
	if c == nil || p.match(c.from-1, exactly) == 0 || len(p.names(0, p.len())) != 1 {
		return nil, nil
	}
	head, word := p.noun(0, c.from), p.text(c.from-1, c.as+1)
	if head < 0 {
		return nil, refuse(word, "it is unclear what it is about.")
	}
	between := upTo(head+1, c.from-1)
	j := r.joins(p, head, c.noun, between, false)
	if j == nil {
		return nil, refuse(word, fmt.Sprintf("no relation in this graph connects it to %s.", wording.Quote(p.word(c.noun).Text)))
	}
	main, err := r.main(ctx, p, []piece{span(0, head+1)}, word)
	if err != nil {
		return nil, err
	}
	pat := main.pat
	name := addNode(pat, p.known(c.name))
	pat.Filters = append(pat.Filters, pattern.Filter{Node: pat.Asked, Op: pattern.Unequal, Than: &name})
	as, one := r.extend(pat, pat.Asked, j.step, nil, variableName(p.word(c.noun)))
	only, _ := r.share(p, main, c, j, pat.Asked, name)
	pat.Branches = append(pat.Branches, pattern.Branch{Kind: pattern.Quantity, Edges: as.Edges, Node: one, Op: pattern.Equal, Than: &name}, pattern.Branch{Kind: pattern.Only, Edges: only.Edges})
	main.text = fmt.Sprintf("%s, with exactly the same as %s: %s", main.text, r.voc.Graph().Label(pat.Nodes[name].Entities[0]), r.voc.Arrow(j.step))
	r.doubtJoint(p, main, j, between)
	p.doubtNames(main, c.name)
	return main, nil
}

// share joins two nodes to one thing, of the kind that the noun names.
func (r *reader) share(p *phrase, got *part, c *inCommon, j *joint, a, b int) (more *pattern.Pattern, same int) {
	of, _ := r.narrowed(p, c.noun, j.step, "")
	more, same = r.extend(got.pat, a, j.step, of, variableName(p.word(c.noun)))
	more.Edges = append(more.Edges, r.voc.Edge(b, same, j.step))
	return more, same
}

// bothByOne reads what two relations lead to one thing from: nil where a phrase says nothing so.
//
//	Which films were directed and produced by the same person?
//	Which films have the same director and producer?
//	Which films were produced by their director?
func (r *reader) bothByOne(ctx context.Context, p *phrase) (*part, error) {
	head, end := p.noun(0, p.len()), p.len()
	if head < 0 || len(p.names(0, end)) > 0 {
		return nil, nil
	}
	from, one, other, noun := -1, -1, -1, end-1
	switch at, n := p.find(theSame); {
	case at > 3 && p.says(at-1, "by") && p.says(at-3, "and") && at+n == noun:
		from, one, other = at-4, at-4, at-2
	case at > 1 && p.is(at-1, having) && at+n+3 == end && p.says(at+n+1, "and"):
		from, one, other, noun = at-1, at+n, at+n+2, -1
	case at >= 0:
	case end > 4 && p.says(noun-2, "by") && (p.says(noun-1, "their") || p.says(noun-1, "its")):
		from, one, other = noun-3, noun-3, noun
	case end > 5 && p.says(noun-3, "by") && p.says(noun-2, "their own"):
		from, one, other = noun-4, noun-4, noun
	}
	if from <= head {
		return nil, nil
	}
	for p.is(from-1, copulas) || p.is(from-1, auxiliary) || p.says(from-1, "both") {
		from--
	}
	if from != head+1 {
		return nil, nil
	}
	a, b := r.stepOf(p, one, head), r.stepOf(p, other, head)
	if a == nil || b == nil || a.Relation() == b.Relation() {
		return nil, nil
	}
	main, err := r.main(ctx, p, []piece{span(0, head+1)}, p.text(from, end))
	if err != nil {
		return nil, err
	}
	var of *part
	if noun != other {
		of, _ = r.narrowed(p, noun, *a, "")
	}
	more, who := r.extend(main.pat, main.pat.Asked, *a, of, "one")
	more.Edges = append(more.Edges, r.voc.Edge(main.pat.Asked, who, *b))
	add(main.pat, more)
	main.text = fmt.Sprintf("%s, with one for both: %s and %s", main.text, r.voc.Arrow(*a), r.voc.Arrow(*b))
	return main, nil
}

// rolesOf reads two nouns that "and" joins and "of" follows: nil where a phrase has none so.
//
//	Who is both a director and a shareholder of X?   those that are both
//	Who are the directors and shareholders of X?     all of either, or those that are both
func (r *reader) rolesOf(ctx context.Context, p *phrase) (*part, error) {
	and := slices.IndexFunc(upTo(0, p.len()), func(i int) bool {
		second := p.skip(i + 1)
		return i > 1 && p.says(i, "and") && p.isRole(i-1) && p.isRole(second) && p.says(second+1, "of") && !r.haveOne(p, i-1, second)
	})
	if and < 0 {
		return nil, nil
	}
	word, second, from := p.text(and, and+1), p.skip(and+1), and-1
	are := p.says(from-1, "a", "an")
	for are && p.says(from-1, "a", "an") || p.says(from-1, "the") {
		from--
	}
	are = (are || from == and-1) && (p.is(from-1, copulas) || p.says(from-1, "both"))
	before := from
	if p.says(from-1, "both") {
		before--
	}
	a, err := r.read(ctx, r.cut(p, span(0, before), span(from, and), span(second+1, p.len())), word)
	if err != nil {
		return nil, err
	}
	b, err := r.read(ctx, r.cut(p, span(0, before), span(from, and-1), span(second, p.len())), word)
	switch {
	case err != nil:
		return nil, err
	case !a.isPlainList() || !b.isPlainList():
		return nil, refuse(word, "what it joins are not lists.")
	case are:
		return a.and(b), nil
	}
	got, err := r.eitherOf(word, a, b)
	if err == nil {
		got.unsure(plan.Ambiguous, fmt.Sprintf("It is unclear whether %s joins two conditions or two lists; both lists were included.", wording.Quote(word)))
	}
	return got, err
}

// doesBoth reads who does one thing and another, to a kind of thing each: "Who leads a project and heads a
// department?", "Which firms both own a ship and lease one?". It is nil where a phrase says nothing so.
func (r *reader) doesBoth(ctx context.Context, p *phrase) (*part, error) {
	head := max(0, p.noun(1, p.len()))
	from := head + 1
	switch {
	case len(p.names(0, p.len())) > 0 || !p.is(0, questions):
		return nil, nil
	case p.says(0, "who"):
		from = 1
	case !p.says(0, "which", "what") || !p.isBare(0, from, head):
		return nil, nil
	}
	verb := from
	for p.is(verb, auxiliary) || p.says(verb, "has", "have", "had", "both") {
		verb++
	}
	both := slices.IndexFunc(upTo(0, verb), func(i int) bool { return p.says(i, "both") })
	does := func(i, to int) bool { // a verb with such a thing
		return i < to && p.word(i).IsCue() && !p.word(i).Stop && slices.ContainsFunc(upTo(i+1, to), func(j int) bool { return p.says(j, "a", "an", "any", "one") })
	}
	and := slices.IndexFunc(upTo(0, p.len()), func(i int) bool {
		return p.says(i, "and") && does(verb, i) && does(i+1, p.len())
	})
	if and < 0 {
		return nil, nil
	}
	start, end := []piece{span(0, verb)}, []piece{span(and+1, p.len())}
	if both >= 0 {
		start = []piece{span(0, both), span(both+1, verb)}
	}
	if last := p.len() - 1; p.says(last, "one") { // such as the other
		end = []piece{span(and+1, last), span(verb+1, and)}
	}
	word := p.text(and, and+1)
	a, err := r.read(ctx, r.cut(p, slices.Concat(start, []piece{span(verb, and)})...), word)
	if err != nil {
		return nil, err
	}
	b, err := r.read(ctx, r.cut(p, slices.Concat(start, end)...), word)
	switch {
	case err != nil:
		return nil, err
	case !a.isPlainList() || !b.isPlainList():
		return nil, refuse(word, "what it joins are not lists.")
	}
	return a.and(b), nil
}

// and is what both of two parts ask for.
func (p *part) and(b *part) *part {
	p.pat = copied(p.pat)
	add(p.pat, graft(p.pat, b.pat, b.pat.Asked, p.pat.Asked))
	p.text += " and " + b.text
	p.doubted(b)
	return p
}

// isRole reports whether a word is a noun for what some step leads to.
func (p *phrase) isRole(i int) bool {
	return i < p.len() && !p.isName(i) && p.word(i).AsksStrongly() && len(p.word(i).Names) > 0
}

// haveOne reports whether two words ask for one relation: "products and services".
func (r *reader) haveOne(p *phrase, a, b int) bool {
	for st := range p.word(a).Weight {
		if p.word(b).Weight[st] > 0 {
			return true
		}
	}
	return false
}

// having are the verbs of "have the same".
var having = map[string]bool{"have": true, "has": true, "had": true, "share": true, "with": true}

// stepOf returns the one step from things of the kind that a noun names which a word asks for
// most; nil for none or several.
func (r *reader) stepOf(p *phrase, word, noun int) *schema.Step {
	weight := p.word(word).Weight
	best, rival, ok := bestStep(weight, func(st schema.Step) bool { return r.mayHave(p, noun, st) })
	if !ok || rival || weight[best] < words.StrongCue {
		return nil
	}
	return &best
}
