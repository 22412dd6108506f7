package operators

import (
	"fmt"
	"slices"

	"cairn/engine/kg"
	"cairn/engine/lexicon"
	"cairn/engine/pattern"
	"cairn/engine/plan"
	"cairn/engine/schema"
	"cairn/internal/wording"
)

// Totals and averages of groups that are compared or ranked: "Which authors wrote more than 2,000
// pages in total?", "Which supplier has the lowest average price?", "Who gave less than 100 altogether?"

// comparedTotal reads such a question without the words of the aggregate, which stood before word i; nil
// where it compares and ranks nothing. Where it does, it is refused if the number is not understood.
func (r *reader) comparedTotal(p *phrase, f pattern.Func, funcText string, i int) (*part, error) {
	many := p.says(0, "how many")
	if many {
		p, i = r.cut(p, text("Which"), span(2, p.len())), i-1
	}
	if !p.is(0, questions) && p.noun(0, 1) < 0 || p.noun(0, i) < 0 && !p.says(0, "who", "which") {
		return nil, nil
	}
	q, t := r.rankedTotal(p, f, funcText, true)
	if w := i - 1; !t.ranks && w > 0 && w < p.len() && !p.isName(w) && lexicon.IsSuperlative(p.word(w).Lower) && p.compares(w) {
		t.ranks, t.less, t.from, t.to = true, r.voc.Lexicon().Comparisons(p.word(w).Lower)[0].Less, w, i
	}
	if !t.ranks {
		var from, to int
		if t.having, from, to = r.bounded(p); to == 0 {
			return nil, nil
		}
		t.word = p.text(from, to)
		for p.is(from-1, prepositions) || p.is(from-1, copulas) {
			from--
		}
		q = r.without(p, from, to)
	}
	got := r.totalOf(q, t)
	if got == nil {
		var err error
		if got, err = r.totalOfValues(q, t); err != nil {
			return nil, err
		}
	}
	switch {
	case got == nil && t.ranks:
		return nil, nil
	case got == nil:
		return nil, refuse(t.word, "it is unclear which numbers are added up, and for whom.")
	case many && got.pat.Order == nil:
		all := pattern.CountOf
		got.pat.Measure.Fold = &all
		got.text = "how many there are: " + got.text
	}
	return got, nil
}

// bounded reads what a number is compared with in a phrase, "more than 20,000" or "between 70 and 75
// kg", which are words [from, to); to is 0 where there is none.
func (r *reader) bounded(p *phrase) (fs []pattern.Filter, from, to int) {
	for i := range p.len() {
		b, ok := r.voc.BoundAt(p.Question.Words, i)
		between := p.says(i, "between")
		switch {
		case between:
			b.Op, b.To = pattern.AtLeast, i+1
		case !ok || b.Date || b.By >= 0:
			continue
		}
		v, to := p.amountAt(b.To)
		if to == 0 {
			continue
		}
		fs = []pattern.Filter{{Node: pattern.Measured, Op: b.Op, Value: v.Number, Unit: v.Unit}}
		if between {
			w, end := p.amountAt(to + 1)
			if end == 0 || !p.says(to, "and") {
				continue
			}
			fs[0].Unit, to = w.Unit, end
			fs = append(fs, pattern.Filter{Node: pattern.Measured, Op: pattern.AtMost, Value: w.Number, Unit: w.Unit})
		}
		return fs, i, to
	}
	return nil, 0, 0
}

// amountAt reads a number with its unit at word i, and the word after; 0 for none.
func (p *phrase) amountAt(i int) (v kg.Value, to int) {
	const longest = 4 // words
	for to = min(i+longest, p.len()); to > i; to-- {
		v, ok := kg.ParseValue(p.text(i, to))
		if !ok || v.Kind != kg.NumberValue {
			continue
		}
		if us, end := p.unitAt(to); us != nil && v.Unit == "" {
			v.Unit, to = us[0].Symbol, end
		}
		return v, to
	}
	if n, ok := p.number(i); ok {
		return kg.Value{Kind: kg.NumberValue, Number: float64(n)}, i + 1
	}
	return v, 0
}

// totalOfValues reads a number made of the values of what each of a kind is joined to; nil where it
// is not clear of which.
func (r *reader) totalOfValues(p *phrase, t *total) (*part, error) {
	s, group := r.voc.Schema(), p.noun(0, min(3, p.len()))
	if group < 0 || p.hasName(0, p.len()) {
		return nil, nil
	}
	limit, skip, used := p.rankAt(t.from)
	var best *joint
	var by schema.Step
	value, holder, loose := -1, -1, false
	for k := group + 1; k < p.len(); k++ {
		for st, weight := range r.valueSteps(p, k) {
			if k >= t.from && k < t.to || p.NamesSlot(p.word(group), st.From()) {
				continue
			}
			of := slices.IndexFunc(upTo(0, p.len()), func(h int) bool {
				return h > group && h != k && p.noun(h, h+1) == h && r.mayHave(p, h, st)
			})
			between := slices.DeleteFunc(upTo(group+1, p.len()), func(i int) bool {
				return i == of || i >= t.from && i < t.to || r.valueSteps(p, i)[st] > 0 || slices.Contains(used, i)
			})
			j := r.joinsOf(p, group, of, between, false, func(to schema.Step) bool { return s.Shared(to.To(), st.From()) > 0 })
			only := j == nil && of < 0
			if only {
				j = r.onlyJoint(p, group, st)
			}
			if j == nil {
				continue
			}
			if score := weight + j.score; best == nil || score > best.score || score == best.score && st < by {
				best, by, value, holder, loose = &joint{step: j.step, rival: j.rival, score: score}, st, k, of, only
			}
		}
	}
	if best == nil {
		return nil, nil
	}
	main, err := r.root(p, group, p.word(group).Text)
	if err != nil {
		return nil, err
	}
	of, err := r.narrowed(p, holder, best.step, p.word(max(holder, 0)).Text)
	if err != nil {
		return nil, err
	}
	main.doubted(of)
	main.pat = copied(main.pat)
	more, thing := r.extend(main.pat, 0, best.step, of, "thing")
	add(main.pat, more)
	more, number := r.extend(main.pat, thing, by, nil, variableName(p.word(value)))
	add(main.pat, more)
	main.pat.Measure = &pattern.Measure{Func: t.f, Node: number, Of: thing, Per: 0}
	main.text = fmt.Sprintf("%s, with %s of %s of what it leads to by %s", main.text, t.text, r.voc.Graph().RelationText(by.Relation()), r.voc.Arrow(best.step))
	if t.ranks {
		main.pat.Order = &pattern.Order{Node: pattern.Measured, Descending: !t.less, Limit: limit, Skip: skip}
	}
	for _, f := range t.having {
		if f, err = r.inUnitOf(main, f, by, t.word); err != nil {
			return nil, err
		}
		main.pat.Measure.Having = append(main.pat.Measure.Having, f)
	}
	r.doubtJoint(p, main, best, slices.DeleteFunc(upTo(group+1, p.len()), func(i int) bool {
		return i == holder || i >= t.from && i < t.to || r.valueSteps(p, i)[by] > 0 || slices.Contains(used, i)
	}))
	if loose {
		main.unsure(plan.Unsure, r.takesAll(best))
	}
	return main, nil
}

// onlyJoint is the one step from things of the kind that a noun names to what has a value; nil for
// none or several.
func (r *reader) onlyJoint(p *phrase, group int, value schema.Step) *joint {
	return r.only(func(st schema.Step) bool {
		return p.NamesSlot(p.word(group), st.From()) && r.voc.Schema().Shared(st.To(), value.From()) > 0
	})
}

// inUnitOf is a comparison with an amount in the unit in which a step's values are.
func (r *reader) inUnitOf(got *part, f pattern.Filter, st schema.Step, word string) (pattern.Filter, error) {
	m, name := r.voc.Schema().Measured(st.Relation()), r.voc.Graph().RelationText(st.Relation())
	switch {
	case f.Unit == "" || m.Labelled:
	case m.Unit == "":
		f.Unit = ""
		got.unsure(plan.Unsure, fmt.Sprintf("The graph does not give the unit of %s.", wording.Quote(name)))
	default:
		v, ok := kg.Value{Kind: kg.NumberValue, Number: f.Value, Unit: f.Unit}.In(m.Unit)
		if !ok {
			return f, refuse(word, fmt.Sprintf("%s is measured in %s, which cannot be converted to that.", wording.Quote(name), m.Unit))
		}
		f.Value, f.Unit = v.Number, ""
	}
	return f, nil
}
