package operators

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"cairn/engine/kg"
	"cairn/engine/lexicon"
	"cairn/engine/pattern"
	"cairn/engine/plan"
	"cairn/engine/schema"
	"cairn/internal/wording"
)

// Two values, and by how much or how many times one is more.

var (
	differences = lexicon.Words("difference")
	ratios      = lexicon.Words("ratio")
)

// ofTwo is a question for two values.
type ofTwo struct {
	of         pattern.Func
	from, to   int // the words that ask
	steps      map[schema.Step]float64
	less       bool // "shorter": the second less the first
	unordered  bool // "between A and B"
	first, end int  // the names
}

// twoValues reads "How much longer is X than Y?", "How many times as long as Y is X?", "the
// difference in length between X and Y".
func (r *reader) twoValues(_ context.Context, p *phrase) (*part, error) {
	names := slices.DeleteFunc(p.names(0, p.len()), func(i int) bool { return r.isLiteral(p, i) })
	if len(names) != 2 {
		return nil, nil
	}
	t := r.ofTwo(p)
	if t == nil {
		return nil, nil
	}
	t.first, t.end = names[0], names[1]
	word := p.text(t.from, t.to)
	if at := names[0] - 1; !t.unordered && p.says(p.beforeThe(at), "than", "as") { // "longer than Y is X"
		t.first, t.end = t.end, t.first
	}
	g, s := r.voc.Graph(), r.voc.Schema()
	a, b := p.entitiesOf(t.first)[0], p.entitiesOf(t.end)[0]
	if !t.unordered { // "how much larger is the population of X"
		t.steps = r.valuesOf(p, slices.DeleteFunc(upTo(0, p.len()), func(i int) bool { return i >= t.from && i < t.to }), t.steps)
	}
	best, rival, ok := bestStep(t.steps, func(st schema.Step) bool {
		return len(s.Edges(a, st)) > 0 && len(s.Edges(b, st)) > 0 && s.Value(st.To()) == schema.NumberValue
	})
	if !ok {
		return nil, refuse(word, fmt.Sprintf("%s and %s do not both have such a number.", wording.Quote(g.Label(a)), wording.Quote(g.Label(b))))
	}
	if t.less || t.unordered && r.rankOf(a, best) < r.rankOf(b, best) && t.of == pattern.Difference {
		t.first, t.end, a, b = t.end, t.first, b, a
	}
	got := &part{pat: &pattern.Pattern{Reuse: pattern.ReuseVariables, Nodes: []pattern.Node{p.known(t.first), p.known(t.end)}}}
	mine, value := r.extend(got.pat, 0, best, nil, "value")
	its, other := r.extend(got.pat, 1, best, nil, "other")
	add(got.pat, mine)
	add(got.pat, its)
	got.pat.Asked = value
	got.pat.Measure = &pattern.Measure{Func: t.of, Node: value, Of: other, Per: -1}
	name := g.RelationText(best.Relation())
	got.text = fmt.Sprintf("the %s of %s: %s and %s", t.of, name, g.Label(a), g.Label(b))
	p.doubtNames(got, t.first, t.end)
	if rival {
		got.unsure(plan.Unsure, unclearValue)
	}
	r.doubtSize(p, got, t.steps, word, best)
	r.doubtWords(p, got, func(i int) bool { return i >= t.from && i < t.to || p.says(i, "than", "as", "between") })
	return got, nil
}

// beforeThe is the word before the articles that end at word i.
func (p *phrase) beforeThe(i int) int {
	for p.says(i, "the", "a", "an") {
		i--
	}
	return i
}

// rankOf is the number that an entity has along a step, by which it ranks.
func (r *reader) rankOf(e kg.EntityID, st schema.Step) float64 {
	v, _ := r.voc.Graph().Value(r.voc.Schema().Edges(e, st)[0].Entity)
	return v.Rank()
}

// ofTwo finds what of two values is asked for; nil for nothing.
func (r *reader) ofTwo(p *phrase) *ofTwo {
	i := slices.IndexFunc(upTo(0, p.len()), func(i int) bool { return p.is(i, differences) || p.is(i, ratios) })
	if i >= 0 { // "the length difference between", "the ratio of the lengths of"
		t := &ofTwo{of: pattern.Difference, from: i, to: i + 1, unordered: true, steps: map[schema.Step]float64{}}
		if p.is(i, ratios) {
			t.of = pattern.Ratio
		}
		for k := range p.len() {
			for st, weight := range r.valueSteps(p, k) {
				t.steps[st] = max(t.steps[st], weight)
			}
		}
		if len(t.steps) == 0 { // or what they have in common is asked for
			return nil
		}
		return t
	}
	if !p.says(0, "how many", "how much") {
		return nil
	}
	t := &ofTwo{of: pattern.Difference, to: 2}
	if p.says(2, "times") {
		t.of, t.to = pattern.Ratio, 3
	}
	as := p.says(t.to, "as")
	if as {
		t.to++
	}
	if as != slices.ContainsFunc(upTo(t.to, p.len()), func(i int) bool { return p.says(i, "as") }) || as && t.of != pattern.Ratio ||
		!as && !slices.ContainsFunc(upTo(t.to, p.len()), func(i int) bool { return p.says(i, "than") }) {
		return nil
	}
	if p.is(t.to, moreWords) || p.is(t.to, lessWords) || as && p.says(t.to, "many", "much", "few") { // "more employees than"
		t.less = p.is(t.to, lessWords)
		if t.steps = r.valueSteps(p, t.to+1); r.isValue(p, t.to+1) {
			t.to += 2
			return t
		}
		if p.says(t.to, "more", "less") && p.is(t.to+1, auxiliary) { // "does X cost than Y": the verb says of what
			t.to++
			return t
		}
	}
	turned := p.says(t.to, "less") && p.compares(t.to+1)
	if turned || p.says(t.to, "more") && p.compares(t.to+1) { // "more bitter"
		t.to++
	}
	by := p.word(min(t.to, p.len()-1)).Lower
	if as {
		by = lexicon.Comparative(by)
	}
	if t.steps, t.less = r.stepsBy(r.voc.Lexicon().Comparisons(by), func(schema.Step) bool { return true }); len(t.steps) == 0 {
		return nil
	}
	t.less = t.less != turned
	t.to++
	return t
}

// ofCounts are words that compare how many there are of something for two names.
type ofCounts struct {
	c        *comparison
	from, to int // the words that compare
	than     int // the word before the other name's part
	x, y     int // the names
}

// countsOfTwo finds what compares two counts, where the first name belongs to what is counted:
// "How many more drugs treat X than Y?", "Do twice as many films star X as Y?"; nil for none.
func (p *phrase) countsOfTwo() *ofCounts {
	names := p.names(0, p.len())
	if len(names) != 2 {
		return nil
	}
	for i := range p.len() {
		t := &ofCounts{c: &comparison{from: i, op: pattern.Greater}, from: i, to: i + 1, x: names[0], y: names[1]}
		word := "than"
		switch {
		case p.says(i, "more"):
		case p.says(i, "fewer", "less"):
			t.c.op = pattern.Less
		case p.match(i, asMany) > 0 && !p.says(i, "the"):
			t.to, t.c.op, word = i+p.match(i, asMany), pattern.Equal, "as"
		default:
			continue
		}
		t.than = slices.IndexFunc(upTo(0, t.y), func(k int) bool { return k > t.x && p.says(k, word) })
		if t.than < 0 || t.x < t.to || !p.isCounted(t.to) {
			return nil
		}
		return t
	}
	return nil
}

// twoCounts compares two counts: by how much one is more, or whether it is. What is counted is
// read as if it were asked alone; the other name stands in the place of the first.
func (r *reader) twoCounts(ctx context.Context, p *phrase) (*part, error) {
	t := p.countsOfTwo()
	if t == nil {
		return nil, nil
	}
	asks := p.says(0, "how many") && (t.from == 2 && t.c.op != pattern.Equal || p.says(2, "times") && t.from == 3 && t.c.op == pattern.Equal)
	claims := p.is(0, auxiliary) || t.from == 0
	r.readTimes(p, t.c)
	word := p.text(t.c.from, t.to)
	if !asks && (!claims || t.c.from > 1) {
		return nil, nil
	}
	base := r.cut(p, text("How many"), span(t.to, t.than))
	said := func(i int) bool {
		return p.is(i, prepositions) || p.is(i, auxiliary) || fillers[p.word(i).Lower] || slices.ContainsFunc(upTo(t.to, t.than), func(k int) bool { return p.word(k).Stem == p.word(i).Stem })
	}
	for k := t.than + 1; k < p.len(); k++ {
		if !p.isName(k) && !said(k) {
			return nil, refuse(word, fmt.Sprintf("it is unclear what %s says about %s.", wording.Quote(p.word(k).Text), wording.Quote(p.Question.Mentions[p.word(t.y).Mention].Text)))
		}
	}
	got, err := r.read(ctx, base, word)
	if err != nil {
		return nil, err
	}
	x, y := p.known(t.x), p.known(t.y)
	got.pat = copied(got.pat)
	place := got.pat.Replaced()
	if got.pat.Task != pattern.Count || !got.isPlainList() || place < 0 || !slices.Contains(got.pat.Nodes[place].Entities, x.Entities[0]) {
		return nil, refuse(word, "what is counted was not understood.")
	}
	g := r.voc.Graph()
	if !r.areAlike(p, t.x, t.y) && !g.ShareType(x.Entities[0], y.Entities[0]) {
		got.unsure(plan.Unsure, fmt.Sprintf("%s and %s are of different kinds.", g.Label(x.Entities[0]), g.Label(y.Entities[0])))
	}
	p.doubtNames(got, t.x, t.y)
	other := addNode(got.pat, y)
	if asks {
		m := &pattern.Measure{Func: pattern.Difference, Node: got.pat.Asked, Of: other, Per: -1}
		if t.c.op == pattern.Less {
			got.pat.Nodes[place], got.pat.Nodes[other] = got.pat.Nodes[other], got.pat.Nodes[place]
		}
		if t.c.op == pattern.Equal {
			m.Func = pattern.Ratio
		}
		got.pat.Task, got.pat.Measure = pattern.Find, m
		got.text = fmt.Sprintf("the %s of the counts for %s and %s: %s", m.Func, g.Label(got.pat.Nodes[place].Entities[0]), g.Label(got.pat.Nodes[other].Entities[0]), got.text)
		return got, nil
	}
	if got.pat.Asked < other { // what is counted is of the branch alone, and stands last
		counted := got.pat.Asked
		exchange(got.pat, counted, other)
		other = counted
	}
	b := pattern.Branch{Kind: pattern.Quantity, Edges: got.pat.Edges, Filters: got.pat.Filters, Node: got.pat.Asked, Op: t.c.op, Than: &other, Times: t.c.times}
	if i := slices.IndexFunc(b.Edges, func(e pattern.Edge) bool { return e.From+e.To == place+b.Node && (e.From == place || e.To == place) }); i >= 0 {
		b.Edges[0], b.Edges[i] = b.Edges[i], b.Edges[0]
	}
	if len(got.pat.Branches) > 0 || b.Beside() != place {
		return nil, refuse(word, "what is counted is too complex for a claim to compare.")
	}
	got.pat.Task, got.pat.Asked, got.pat.Edges, got.pat.Filters, got.pat.Branches = pattern.Verify, -1, nil, nil, []pattern.Branch{b}
	got.doubtTimes(t.c)
	got.text = fmt.Sprintf("for %s there are %s for %s", g.Label(x.Entities[0]), t.c.many(strings.TrimPrefix(got.text, "the number of: ")), g.Label(y.Entities[0]))
	return got, nil
}

// exchange lets two nodes of a plain pattern change their places.
func exchange(p *pattern.Pattern, a, b int) {
	turn := func(n *int) {
		switch *n {
		case a:
			*n = b
		case b:
			*n = a
		}
	}
	p.Nodes[a], p.Nodes[b] = p.Nodes[b], p.Nodes[a]
	turn(&p.Asked)
	for i := range p.Edges {
		turn(&p.Edges[i].From)
		turn(&p.Edges[i].To)
	}
	for i := range p.Filters {
		turn(&p.Filters[i].Node)
	}
}
