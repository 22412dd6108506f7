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

// occasionAt reads "more than once", "three times" and "most often" at word i, where they end the phrase;
// n is 0 for the most. It reports whether they do.
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
		return op, 0, p.match(i, oftens) > 0 && i+p.match(i, oftens) == p.len()
	}
	return op, n, from+1 == p.len()
}

// occasions reads how often something is so, by how many things it is so with. It is nil where that is in
// doubt, or the verb leads to none.
func (r *reader) occasions(ctx context.Context, p *phrase) (*part, error) {
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
		main.unsure(plan.Unsure, fmt.Sprintf("The reading takes %s by how many things %s leads to.", wording.Quote(word), wording.Quote(t.arrow)))
		switch {
		case many:
			add(main.pat, t.more)
			main.pat.Asked, main.text = t.node, fmt.Sprintf("the number of: %s %s", main.pat.Nodes[0].Text, t.arrow)
		case n == 0:
			return t.rank(true, 1, 0), nil
		default:
			main.pat.Branches = append(main.pat.Branches, pattern.Branch{Kind: pattern.Quantity, Edges: t.more.Edges, Node: t.node, Op: op, N: n})
			main.text += fmt.Sprintf(", with %s %d %s", op.Words(), n, t.arrow)
			p.counted(main)
		}
		return main, nil
	}
	return nil, nil
}
