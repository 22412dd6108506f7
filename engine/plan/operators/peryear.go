package operators

import (
	"context"
	"fmt"
	"slices"

	"cairn/engine/kg"
	"cairn/engine/lexicon"
	"cairn/engine/pattern"
	"cairn/engine/schema"
)

// Years as groups: how many things have a date of each year, and of which year the most.

var yearNouns = lexicon.WordSet("year years")

// perYear reads "How many ships were built in each year?" and "In which year were the most ships
// built?": things of a kind by the year that a word names. It is nil where no kind of thing has
// such a year.
func (r *reader) perYear(_ context.Context, p *phrase) (*part, error) {
	if p.hasName(0, p.len()) || p.hasYear(0, p.len()) {
		return nil, nil
	}
	year := slices.IndexFunc(upTo(0, p.len()), func(i int) bool { return p.is(i, yearNouns) })
	if year < 1 {
		return nil, nil
	}
	from, descending := 0, true
	i, n := p.find(most)
	if i < 0 {
		i, n = p.find(fewest)
		descending = false
	}
	ranks := i >= 0 && p.says(year-1, "which", "what") && i > year
	switch {
	case ranks:
		from = i + n
	case p.says(0, "how many") && p.match(year-1, eachs)+p.match(year-2, eachs) > 0:
		from = 2
	default:
		return nil, nil
	}
	counted := p.noun(from, p.len())
	if counted < 0 || counted > from+2 {
		return nil, nil
	}
	st, ok := r.yearOf(p, counted, func(k int) bool { return k != year && k != counted && (k >= from || k < i && k > year) })
	if !ok {
		return nil, nil
	}
	got := &part{pat: &pattern.Pattern{Reuse: pattern.ReuseVariables, Nodes: []pattern.Node{{Text: "?year", Variable: true}}}}
	of, err := r.root(p, counted, p.word(counted).Text)
	if err != nil {
		return nil, err
	}
	more, node := r.extend(got.pat, 0, r.voc.Schema().Back(st), of, variableName(p.word(counted)))
	add(got.pat, more)
	got.pat.Measure = &pattern.Measure{Func: pattern.CountOf, Node: node, Of: -1, Per: 0}
	got.text = fmt.Sprintf("for each %s the number of: %s", r.voc.Graph().RelationText(st.Relation()), p.word(counted).Lower)
	if ranks {
		got.pat.Order = &pattern.Order{Node: pattern.Measured, Descending: descending, Limit: 1}
		got.text += ", those with the " + rankText(descending, 1, 0, "most", "fewest")
	}
	got.doubted(of)
	r.doubtWords(p, got, func(k int) bool { return k == year || k == counted || k < from || p.word(k).Weight[st] > 0 })
	return got, nil
}

// yearOf returns the one step by which words lead from things of a kind to years alone.
func (r *reader) yearOf(p *phrase, counted int, may func(k int) bool) (best schema.Step, ok bool) {
	all := map[schema.Step]float64{}
	for k := range p.len() {
		if !may(k) {
			continue
		}
		for st, weight := range p.word(k).Weight {
			all[st] = max(all[st], weight)
		}
	}
	best, rival, ok := bestStep(all, func(st schema.Step) bool {
		return !st.IsBack() && r.voc.Schema().Value(st.To()) != schema.NoValue && r.mayHave(p, counted, st) && r.areYears(st)
	})
	return best, ok && !rival
}

// areYears reports whether a step leads to years, and to no finer dates.
func (r *reader) areYears(st schema.Step) bool {
	g := r.voc.Graph()
	looked := 0
	for e := range kg.EntityID(g.Entities()) {
		for _, x := range r.voc.Schema().Edges(e, st) {
			if looked++; !schema.IsYear(g.Label(x.Entity)) {
				return false
			}
		}
		if looked > mostCounted {
			break
		}
	}
	return looked > 0
}
