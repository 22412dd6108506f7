package operators

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"cairn/engine/lexicon"
	"cairn/engine/pattern"
	"cairn/engine/plan"
	"cairn/engine/schema"
	"cairn/internal/wording"
)

// Both ends of a ranking, and a ranking of its own for each of a kind.

// bothEnds reads "the first and last presidents of X" and "the longest and the shortest river": as the
// first of them alone, with the other end of the same ranking. It is nil where no two words say so.
func (r *reader) bothEnds(ctx context.Context, p *phrase) (*part, error) {
	for i := range p.len() {
		k := p.afterThe(i + 2)
		if !p.says(i+1, "and") || k >= p.len() || p.isName(i) || p.isName(k) || !r.areOpposite(p.word(i).Lower, p.word(k).Lower) {
			continue
		}
		word := p.text(i, k+1)
		got, err := r.read(ctx, r.without(p, i+1, k+1), word)
		if err != nil {
			return nil, err
		}
		if got.pat.Order == nil || got.pat.Order.Skip > 0 {
			return nil, refuse(word, "nothing says what they are ranked by.")
		}
		got.pat = copied(got.pat)
		got.pat.Order.Both = true
		got.text += ", and those at the other end"
		return got, nil
	}
	return nil, nil
}

// areOpposite reports whether two superlatives are the ends of one ranking.
func (r *reader) areOpposite(a, b string) bool {
	isLast := func(w string) bool { return w == "last" || w == "latest" }
	if lastly[a] && lastly[b] {
		return isLast(a) != isLast(b)
	}
	if !lexicon.IsSuperlative(a) || !lexicon.IsSuperlative(b) {
		return false
	}
	for _, x := range r.voc.Lexicon().Comparisons(a) {
		if slices.ContainsFunc(r.voc.Lexicon().Comparisons(b), func(y lexicon.Comparison) bool { return x.Concept == y.Concept && x.Less != y.Less }) {
			return true
		}
	}
	return false
}

// bestOfEach reads "the largest city of each country": the ranking that the rest asks for, for each of
// the kind. It is nil where the rest ranks nothing by a value.
func (r *reader) bestOfEach(ctx context.Context, p *phrase) (*part, error) {
	from := slices.IndexFunc(upTo(0, p.len()), func(i int) bool {
		return i > 1 && p.says(i, "each", "every", "per") && !p.says(i+1, "other") && !p.inRelation(i, 1)
	})
	group := p.groupNoun(from + 1)
	if from < 0 || group < 0 || group > from+2 || p.says(0, "how many") {
		return nil, nil
	}
	begin := p.beforePrepositions(from-1) + 1
	head := p.noun(0, begin)
	if head < 0 || !slices.ContainsFunc(upTo(0, begin), func(i int) bool {
		return !p.isName(i) && (lexicon.IsSuperlative(p.word(i).Lower) || p.match(i, most)+p.match(i, fewest) > 0 && p.compares(i+1))
	}) {
		return nil, nil
	}
	word := p.text(from, group+1)
	got, err := r.read(ctx, r.without(p, begin, group+1), word)
	if err != nil {
		return nil, err
	}
	if got.pat.Order == nil || got.pat.Order.Node < 0 || got.pat.Measure != nil || got.pat.Order.Of != nil {
		return nil, refuse(word, "nothing says what they are ranked by.")
	}
	between := upTo(begin, from)
	j := r.joins(p, head, group, between, false)
	if j == nil {
		return nil, refuse(word, fmt.Sprintf("no relation in this graph connects it to %s.", wording.Quote(p.word(head).Text)))
	}
	of, err := r.narrowed(p, group, j.step, word)
	if err != nil {
		return nil, err
	}
	got.doubted(of)
	got.pat = copied(got.pat)
	more, each := r.extend(got.pat, got.pat.Asked, j.step, of, variableName(p.word(group)))
	add(got.pat, more)
	got.pat.Order.Per = &each
	got.text = fmt.Sprintf("for each %s by %s: %s", p.word(group).Lower, r.voc.Arrow(j.step), got.text)
	r.doubtJoint(p, got, j, between)
	return got, nil
}

// aboveAll puts "the longest" for "longer than every other river"; p where nothing is said so.
func (r *reader) aboveAll(p *phrase) *phrase {
	at, n := p.find(anyOther)
	by := at - 1
	if at < 1 || p.isName(by) || !p.compares(by) || p.trim(at+n, p.len()) > at+n+1 {
		return p
	}
	stem, ok := strings.CutSuffix(p.word(by).Lower, "er")
	best := stem + "est"
	if p.says(by-1, "more") {
		by, best = by-1, "most "+p.word(by).Lower
	} else if !ok {
		return p
	}
	return r.cut(p, span(0, by), text("the "+best))
}

// apart is how far two dates are from each other, as words [from, to) of a phrase say.
type apart struct {
	from, to int
	years    float64
	op       pattern.Op
	after    bool
	within   bool // on either side
}

// apartAt reads "ten years after", "more than a year before" and "within five years of" that ends
// before word to; nil where nothing is said so.
func (r *reader) apartAt(p *phrase, to int) *apart {
	i := to - 1
	a := &apart{to: to, op: pattern.Equal, after: p.says(i, "after"), within: p.says(i, "of")}
	if !a.after && !a.within && !p.says(i, "before") || i < 2 || p.isName(i-1) {
		return nil
	}
	a.years = spansInYears[strings.TrimSuffix(strings.Replace(p.word(i-1).Lower, "centuries", "century", 1), "s")]
	n, ok := p.number(i - 2)
	if p.says(i-2, "a", "the") {
		n, ok = 1, true
	}
	if !ok || a.years == 0 || n == 0 {
		return nil
	}
	a.years, a.from = a.years*float64(n), i-2
	for k := max(0, a.from-4); k < a.from; k++ {
		if b, ok := r.voc.BoundAt(p.Question.Words, k); ok && !b.Date && b.By < 0 && b.To == a.from {
			a.from, a.op = k, b.Op
			break
		}
	}
	if p.says(a.from-1, "within") {
		a.from, a.op = a.from-1, pattern.AtMost
	} else if a.within {
		return nil
	}
	return a
}

// spansInYears are the spans of time by which years are apart.
var spansInYears = map[string]float64{"year": 1, "decade": 10, "century": 100}

// datesApart reads a comparison with the date of a name that says by how many years: it is read
// without them, and then held to them.
func (r *reader) datesApart(ctx context.Context, p *phrase) (*part, error) {
	for to := 3; to < p.len(); to++ {
		a := r.apartAt(p, to)
		if a == nil || p.nameAt(p.afterThe(to)) == 0 {
			continue
		}
		word := p.text(a.from, to)
		got, err := r.comparedWith(ctx, r.cut(p, span(0, a.from), text(map[bool]string{true: "before", false: "after"}[!a.after && !a.within]), span(to, p.len())))
		if err != nil {
			return nil, err
		}
		if got == nil || len(got.pat.Filters) == 0 {
			return nil, refuse(word, "it is unclear which dates are compared.")
		}
		f := got.pat.Filters[len(got.pat.Filters)-1]
		if f.Than == nil || f.Times != 0 || f.Op != pattern.Less && f.Op != pattern.Greater {
			return nil, refuse(word, "it is unclear which dates are compared.")
		}
		got.pat = copied(got.pat)
		got.pat.Filters = append(got.pat.Filters[:len(got.pat.Filters)-1], r.heldApart(got, a, f)...)
		got.text += fmt.Sprintf(" (%s)", word)
		return got, nil
	}
	return nil, nil
}

// heldApart are the filters for two dates that are so far from each other.
func (r *reader) heldApart(got *part, a *apart, f pattern.Filter) []pattern.Filter {
	far, near := f, f
	sign := map[bool]float64{true: 1, false: -1}[a.after]
	far.Plus, far.Op = sign*a.years, a.op
	if !a.after && !a.within && a.op != pattern.Equal { // more years before is less
		far.Op = pattern.Greater - a.op
	}
	from := func(n int) int {
		i := slices.IndexFunc(got.pat.Edges, func(e pattern.Edge) bool { return e.To == n })
		return got.pat.Edges[max(i, 0)].From
	}
	switch {
	case a.within:
		far.Plus, far.Op, near.Plus, near.Op = -a.years, pattern.AtLeast, a.years, pattern.AtMost
		name := from(*f.Than)
		return []pattern.Filter{far, near, {Node: got.pat.Asked, Op: pattern.Unequal, Than: &name}}
	case a.op == pattern.Less || a.op == pattern.AtMost:
		return []pattern.Filter{far, near}
	case a.op == pattern.Equal && slices.ContainsFunc(got.pat.Edges, func(e pattern.Edge) bool {
		return e.To == f.Node && len(e.Fixed) > 0 && !r.areYears(schema.Forward(e.Fixed[0]))
	}):
		got.unsure(plan.Unsure, "Only the years of the dates are compared.")
	}
	return []pattern.Filter{far}
}
