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

// How often something is so: "sold more than once", "cited most often", "How many times was X cited?".

var oftens = lexicon.Phrases("most often")

// timesAt reads "twice" and "three times" at word i, and the word after; 0 for none.
func (p *phrase) timesAt(i int) (n, after int) {
	switch n, ok := p.number(i); {
	case p.says(i, "once"):
		return 1, i + 1
	case p.says(i, "twice", "thrice"):
		return int(multiples[p.word(i).Lower]), i + 1
	case ok && p.says(i+1, "times"):
		return n, i + 2
	}
	return 0, 0
}

// occasions reads how often something is so by how many things it is so with. It is nil where the verb
// leads to none.
func (r *reader) occasions(ctx context.Context, p *phrase) (*part, error) {
	if p.says(0, "how many times", "how often") {
		return r.timesOf(p), nil
	}
	for i := 2; i < p.len(); i++ {
		op, n, after := pattern.Equal, 0, 0
		often := p.match(i, oftens)
		for _, t := range thresholds {
			if k := p.match(i, t.class); k > 0 && after == 0 {
				op = t.op
				n, after = p.timesAt(i + k)
			}
		}
		if after == 0 && often == 0 {
			n, after = p.timesAt(i + p.match(i, onlys))
		}
		if after = max(after, i+often); after != p.len() {
			continue
		}
		noun, headEnd := p.split(i)
		between := upTo(headEnd, i)
		j := r.joins(p, noun, -1, between, true)
		if j == nil || slices.ContainsFunc(between, func(k int) bool { return p.is(k, exclusions) || p.IsContractedNot(k) }) {
			return nil, nil
		}
		main, err := r.subject(ctx, p, noun, headEnd, p.text(i, after))
		if err != nil {
			return nil, err
		}
		t := &tally{main: main, arrow: r.arrow(j)}
		t.more, t.node = r.follow(main.pat, main.pat.Asked, j, nil, "times")
		r.doubtJoint(p, main, j, between)
		main.unsure(plan.Unsure, fmt.Sprintf("The reading takes %s by how many things %s leads to.", wording.Quote(p.text(i, after)), wording.Quote(t.arrow)))
		if often > 0 {
			return t.rank(true, 1, 0), nil
		}
		main.pat.Branches = append(main.pat.Branches, pattern.Branch{Kind: pattern.Quantity, Edges: t.more.Edges, Node: t.node, Op: op, N: n})
		main.text += fmt.Sprintf(", with %s %d %s", op.Words(), n, t.arrow)
		p.counted(main)
		return main, nil
	}
	return nil, nil
}

// timesOf reads "How many times was X cited?"; nil where that is in doubt.
func (r *reader) timesOf(p *phrase) *part {
	names := p.names(0, p.len())
	if len(names) != 1 {
		return nil
	}
	slots := r.voc.Slots(p.entitiesOf(names[0])[0])
	between := slices.Concat(upTo(3-strings.Count(p.text(0, 2), "often"), names[0]), upTo(p.nameAt(names[0]), p.len()))
	j := r.joinsOf(p, -1, -1, between, true, func(st schema.Step) bool { return slices.Contains(slots, st.From()) })
	if j == nil || j.rival != nil || slices.ContainsFunc(between, func(i int) bool { return r.isUnheard(p, i, j.step) }) {
		return nil
	}
	got := &part{pat: &pattern.Pattern{Nodes: []pattern.Node{p.known(names[0])}, Reuse: pattern.ReuseVariables, Task: pattern.Count}}
	more, node := r.follow(got.pat, 0, j, nil, "times")
	add(got.pat, more)
	got.pat.Asked = node
	got.text = fmt.Sprintf("the number of: %s %s", got.pat.Nodes[0].Text, r.arrow(j))
	got.unsure(plan.Unsure, fmt.Sprintf("The reading takes %s by how many things %s leads to.", wording.Quote(p.text(0, 3)), wording.Quote(r.arrow(j))))
	return got
}
