package operators

import (
	"context"
	"fmt"
	"slices"

	"cairn/engine/lexicon"
	"cairn/engine/pattern"
	"cairn/engine/plan"
	"cairn/engine/schema"
	"cairn/internal/wording"
)

// How often something is so: "sold more than once", "cited most often", "How many times was X cited?".

var oftens = lexicon.Phrases("most often")

// occasionAt reads "more than once", "three times", "most often" and "the most" at word i, where they end the
// phrase; n is 0 for the most, and for the fewest, which are less. It reports whether they do.
func (p *phrase) occasionAt(i int) (op pattern.Op, n int, ok bool) {
	op, from := pattern.Equal, i+p.match(i, onlys)
	for _, t := range thresholds {
		if k := p.match(i, t.class); k > 0 {
			op, from = t.op, i+k
			break
		}
	}
	n, isNumber := p.number(from)
	switch {
	case p.says(from, "once"):
		n = 1
	case p.says(from, "twice"):
		n = 2
	case isNumber && p.says(from+1, "times"):
		from++
	default:
		n := max(p.match(i, oftens), p.match(i, most), p.match(i, fewest))
		if p.says(i, "least") {
			n = 1
		}
		for p.says(i+n, "times", "often") && n > 0 {
			n++
		}
		if p.match(i, fewest) > 0 || p.says(i, "least") {
			op = pattern.Less
		}
		return op, 0, n > 0 && i+n == p.len()
	}
	return op, n, from+1 == p.len()
}

// occasions reads how often something is so, by how many things it is so with. It is nil where that is in
// doubt, or the verb leads to none.
func (r *reader) occasions(ctx context.Context, p *phrase) (*part, error) {
	p = r.occasionLast(p)
	names, many := p.names(0, p.len()), p.says(0, "how many times", "how often")
	for i := 2; i < p.len(); i++ {
		op, n, ok := p.occasionAt(i)
		if !ok && !many {
			continue
		}
		noun, headEnd := p.split(i)
		word, between, slots := p.text(i, p.len()), upTo(headEnd, i), []schema.Slot(nil)
		if many && len(names) == 1 { // of X alone
			noun, word, slots = -1, p.text(0, 2), r.voc.Slots(p.entitiesOf(names[0])[0])
			between = slices.DeleteFunc(upTo(2, p.len()), func(k int) bool { return p.isName(k) || p.says(k, "times") })
		}
		j := r.joinsOf(p, noun, -1, between, true, func(st schema.Step) bool { return slots == nil || slices.Contains(slots, st.From()) })
		if ok && n == 0 && (j == nil || r.isRankedOtherwise(p, j, i)) {
			continue
		}
		if j == nil || many && (slots == nil || j.rival != nil) || slices.ContainsFunc(between, func(k int) bool {
			return p.is(k, exclusions) || p.IsContractedNot(k) || many && r.isUnheard(p, k, j.step)
		}) {
			return nil, nil
		}
		main := &part{pat: &pattern.Pattern{Reuse: pattern.ReuseVariables, Task: pattern.Count}}
		if many {
			main.pat.Nodes = []pattern.Node{p.known(names[0])}
		} else if of, err := r.subject(ctx, p, noun, headEnd, word); err == nil {
			main = of
		} else {
			return nil, err
		}
		t := &tally{main: main, arrow: r.arrow(j)}
		t.more, t.node = r.follow(main.pat, main.pat.Asked, j, nil, "times")
		r.doubtJoint(p, main, j, between)
		verb, _ := r.verbOf(j.step)
		bySay := func(k int) bool { return p.word(k).Stem == verb }
		if many || n > 0 || op == pattern.Less || noun < 0 || p.match(i, oftens) > 0 || r.core.Amount(j.step.Relation(), nil) != "" || !slices.ContainsFunc(between, bySay) {
			main.unsure(plan.Unsure, fmt.Sprintf("The reading takes %s by how many things %s leads to.", wording.Quote(word), wording.Quote(t.arrow)))
		}
		switch {
		case many:
			add(main.pat, t.more)
			main.pat.Asked, main.text = t.node, fmt.Sprintf("the number of: %s %s", main.pat.Nodes[0].Text, t.arrow)
		case n == 0:
			return t.rank(op != pattern.Less, 1, 0), nil
		default:
			main.pat.Branches = append(main.pat.Branches, pattern.Branch{Kind: pattern.Quantity, Edges: t.more.Edges, Node: t.node, Op: op, N: n})
			main.text += fmt.Sprintf(", with %s %d %s", op.Words(), n, t.arrow)
			p.counted(main)
		}
		return main, nil
	}
	return nil, nil
}

// isRankedOtherwise reports whether "most", at word i, may ask for the largest number that the graph gives, and
// not for how often something is so: "weighs the most", "paid the most".
func (r *reader) isRankedOtherwise(p *phrase, j *joint, i int) bool {
	rel := j.step.Relation()
	return p.match(i, oftens) == 0 && (r.core.Adds(rel, r.core.Amount(rel, nil)) || slices.ContainsFunc(upTo(1, i), func(k int) bool { return r.isValue(p, k) || r.isProperty(p, k) }))
}

// occasionLast puts "Which paper is cited most" for "Which is the most cited paper", and for "Which paper is most
// cited".
func (r *reader) occasionLast(p *phrase) *phrase {
	last := p.len() - 1
	for i := 1; i < last; i++ {
		if p.aside[i] || !p.is(i, mosts) || !p.word(i+1).IsPast() && !lexicon.IsParticiple(p.word(i+1).Lower) || r.isValue(p, i+1) || len(r.voc.Lexicon().Comparisons(p.word(i+1).Lower)) > 0 {
			continue
		}
		switch begin := p.beforeThe(i-1) + 1; {
		case i+1 == last && p.is(i-1, copulas):
			return r.cut(p, span(0, i), span(last, last+1), span(i, i+1))
		case p.noun(i+2, last+1) == last && p.isBare(0, begin, -1):
			return r.cut(p, text("Which"), span(i+2, last+1), text("is"), span(i+1, i+2), span(i, i+1))
		}
	}
	return p
}
