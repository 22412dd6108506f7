package operators

import (
	"context"
	"fmt"
	"slices"

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
	var best schema.Step
	score, rival := 0.0, 0.0
	for st, weight := range t.steps {
		switch {
		case len(s.Edges(a, st)) == 0 || len(s.Edges(b, st)) == 0 || s.Value(st.To()) != schema.NumberValue:
		case weight > score || weight == score && st < best:
			best, score, rival = st, weight, score
		default:
			rival = max(rival, weight)
		}
	}
	if score == 0 {
		return nil, refuse(word, fmt.Sprintf("%s and %s have no such number both.", wording.Quote(g.Label(a)), wording.Quote(g.Label(b))))
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
	r.doubtNames(p, got, t.first, t.end)
	if rival == score {
		got.unsure(plan.Unsure, "Several values may be compared.")
	}
	r.doubtWords(p, got, func(i int) bool { return i >= t.from && i < t.to || p.says(i, "than", "as", "between") })
	return got, nil
}

// beforeThe is the word before the articles that end at word i.
func (p *phrase) beforeThe(i int) int {
	for p.says(i, "the") {
		i--
	}
	return i
}

// rankOf is the number that an entity has along a step, by which it ranks.
func (r *reader) rankOf(e kg.EntityID, st schema.Step) float64 {
	v, _ := kg.ParseValue(r.voc.Graph().Label(r.voc.Schema().Edges(e, st)[0].Entity))
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
		if t.steps = r.valueSteps(p, t.to+1); len(t.steps) > 0 {
			t.to += 2
			return t
		}
	}
	by := p.word(min(t.to, p.len()-1)).Lower
	if as {
		by = lexicon.Comparative(by)
	}
	if t.steps, t.less = r.stepsBy(r.voc.Lexicon().Comparisons(by), func(schema.Step) bool { return true }); len(t.steps) == 0 {
		return nil
	}
	t.to++
	return t
}
