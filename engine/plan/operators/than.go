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

// Comparisons with what a question names.

// comparedWith reads things whose value compares with that of a named one: "longer than
// the Rhine", "founded after X".
func (r *reader) comparedWith(ctx context.Context, p *phrase) (*part, error) {
	for i := 1; i < p.len(); i++ {
		if p.isName(i) {
			continue
		}
		at := i + 1
		for p.says(at, "the") {
			at++
		}
		if p.nameAt(at) == 0 || r.isLiteral(p, at) {
			continue
		}
		c := r.comparison(p, i, at)
		if c == nil {
			continue
		}
		return r.compared(ctx, p, c, at)
	}
	return nil, nil
}

// isLiteral reports whether the name at word at is but a value.
func (r *reader) isLiteral(p *phrase, at int) bool {
	_, ok := kg.ParseValue(p.Question.Mentions[p.word(at).Mention].Text)
	return ok
}

// comparison is how a value compares with that of a name.
type comparison struct {
	from  int // the first word of the comparison
	op    pattern.Op
	steps map[schema.Step]float64
	word  string
}

var (
	lessWords = lexicon.Words("less")
	moreWords = lexicon.Words("more")
)

// comparison reads the words before the name at word at: "longer than", "more people
// than", "released after".
func (r *reader) comparison(p *phrase, i, at int) *comparison {
	g, s := r.voc.Graph(), r.voc.Schema()
	c := &comparison{from: i, steps: map[schema.Step]float64{}, word: p.text(i, i+1)}
	has := func(st schema.Step) bool {
		return slices.ContainsFunc(p.entitiesOf(at), func(e kg.EntityID) bool {
			return slices.ContainsFunc(s.Edges(e, st), func(x kg.Edge) bool { _, ok := kg.ParseValue(g.Label(x.Entity)); return ok })
		})
	}
	switch w := p.word(i).Lower; w {
	case "than":
		compared := r.voc.Lexicon().Comparisons(p.word(i - 1).Lower)
		less := false
		for rank, x := range compared {
			name := r.voc.Lexicon().Concepts[x.Concept].Name
			for _, m := range r.voc.Mappings() {
				st := schema.Forward(m.Relation)
				if m.SameAs == m.Relation && s.Value(st.To()) != schema.NoValue && slices.Contains(m.Concepts, name) && has(st) && c.steps[st] == 0 {
					c.steps[st] = 1 / (1 + 0.15*float64(rank))
					if len(c.steps) == 1 {
						less = x.Less
					}
				}
			}
		}
		c.from, c.op = i-1, pattern.Greater
		if less {
			c.op = pattern.Less
		}
		if len(compared) > 0 && len(c.steps) > 0 {
			c.word = p.text(i-1, i+1)
			return c
		}
		// "more people than", "a larger population than"
		for j := i - 1; j > max(0, i-5); j-- {
			more, less := p.is(j, moreWords), p.is(j, lessWords)
			if !more && !less {
				continue
			}
			for k := j + 1; k < i; k++ {
				for st, weight := range r.valueSteps(p, k) {
					if has(st) {
						c.steps[st] = max(c.steps[st], weight)
					}
				}
			}
			for k := max(0, j-2); k < j && len(c.steps) == 0; k++ { // "employ more people than"
				for st, weight := range r.valueSteps(p, k) {
					if has(st) {
						c.steps[st] = max(c.steps[st], weight)
					}
				}
			}
			c.from, c.op, c.word = j, pattern.Greater, p.text(j, i+1)
			if less {
				c.op = pattern.Less
			}
			return c
		}
		return nil
	case "after", "before", "since":
		for k := i - 1; k >= max(0, i-3); k-- {
			if p.isName(k) || p.word(k).Stop {
				continue
			}
			for st, weight := range p.word(k).Weight {
				if !st.IsBack() && isDated(s.Value(st.To()), p, at, st, g, s) {
					c.steps[st] = max(c.steps[st], weight)
				}
			}
			if len(c.steps) > 0 {
				c.from = k
				break
			}
		}
		c.op = map[string]pattern.Op{"after": pattern.Greater, "before": pattern.Less, "since": pattern.AtLeast}[w]
		if len(c.steps) == 0 {
			return nil
		}
		return c
	}
	return nil
}

// isDated reports whether a name has a date or a year along a step.
func isDated(kind schema.ValueKind, p *phrase, at int, st schema.Step, g *kg.Graph, s *schema.Schema) bool {
	return kind != schema.NoValue && slices.ContainsFunc(p.entitiesOf(at), func(e kg.EntityID) bool {
		return slices.ContainsFunc(s.Edges(e, st), func(x kg.Edge) bool {
			v, ok := kg.ParseValue(g.Label(x.Entity))
			return ok && (v.Kind == kg.DateValue || schema.IsYear(g.Label(x.Entity)))
		})
	})
}

// compared applies a comparison with the name at word at.
func (r *reader) compared(ctx context.Context, p *phrase, c *comparison, at int) (*part, error) {
	end := p.trim(0, c.from)
	if end <= p.begin(0, end) {
		return nil, refuse(c.word, "it is not clear what is compared.")
	}
	if len(c.steps) == 0 {
		if got, err := r.moreThanOf(ctx, p, c, at); got != nil || err != nil {
			return got, err
		}
	}
	main, err := r.main(ctx, p, []piece{span(0, end), span(p.nameAt(at), p.len())}, c.word)
	if err != nil {
		return nil, err
	}
	noun := p.noun(0, end)
	var best schema.Step
	score, rival := 0.0, 0.0
	for st, weight := range c.steps {
		if noun >= 0 && !p.NamesSlot(p.word(noun), st.From()) && !r.sharesKind(p, p.word(noun), st) {
			continue
		}
		switch {
		case weight > score || weight == score && st < best:
			best, score, rival = st, weight, score
		default:
			rival = max(rival, weight)
		}
	}
	if score == 0 {
		return nil, refuse(c.word, fmt.Sprintf("%s has no such value, or what is compared with it has none.", wording.Quote(p.Question.Mentions[p.word(at).Mention].Text)))
	}
	pat := main.pat
	mine, value := r.extend(pat, pat.Asked, best, nil, "value")
	named := p.known(at)
	named.Entities = slices.DeleteFunc(p.entitiesOf(at), func(e kg.EntityID) bool { return len(r.voc.Schema().Edges(e, best)) == 0 })[:1]
	name := addNode(pat, named)
	its, other := r.extend(pat, name, best, nil, "value")
	add(pat, mine)
	add(pat, its)
	pat.Filters = append(pat.Filters, pattern.Filter{Node: value, Op: c.op, Than: &other})
	if rival == score {
		main.unsure(2, "Several values may be compared.")
	}
	main.text = fmt.Sprintf("%s, %s %s that of %s", main.text, r.voc.Graph().RelationText(best.Relation()), c.op.Words(), r.voc.Graph().Label(pat.Nodes[name].Entities[0]))
	return main, nil
}

// moreThanOf reads "directed more films than X": as many as X has of what is counted. It
// is nil where nothing is.
func (r *reader) moreThanOf(ctx context.Context, p *phrase, c *comparison, at int) (*part, error) {
	than := slices.IndexFunc(upTo(0, at), func(i int) bool { return p.says(i, "than") })
	if than <= c.from+1 || !p.isCounted(c.from+1) || p.trim(p.nameAt(at), p.len()) > p.nameAt(at) {
		return nil, nil
	}
	end := p.trim(0, c.from)
	noun, headEnd := p.split(end)
	t, err := r.tallied(ctx, p, noun, headEnd, max(end, headEnd), c.from+1, than, c.word)
	if err != nil {
		return nil, err
	}
	if len(t.more.Branches) > 0 {
		return nil, refuse(c.word, "what is counted has an operator of its own.")
	}
	got := t.main
	name := addNode(got.pat, p.known(at))
	if c.op == pattern.Less && got.pat.Nodes[got.pat.Asked].Within == nil && len(got.pat.Edges) == 0 {
		got.pat.Edges = append(got.pat.Edges, r.anyOf(got.pat, t)) // of those that have any
	}
	got.pat.Branches = append(got.pat.Branches, pattern.Branch{Kind: pattern.Quantity, Edges: t.more.Edges, Filters: t.more.Filters, Node: t.node, Op: c.op, Than: &name})
	got.text += fmt.Sprintf(", with %s %s than %s", map[bool]string{true: "more", false: "fewer"}[c.op == pattern.Greater], t.arrow, r.voc.Graph().Label(got.pat.Nodes[name].Entities[0]))
	if es := p.entitiesOf(at); len(es) > 1 {
		got.unsure(plan.Ambiguous, fmt.Sprintf("%s names %d things; the reading is about the first.", wording.Quote(got.pat.Nodes[name].Text), len(es)))
	}
	return got, nil
}

// areOfOneType reports whether two things have a type in common.
func (r *reader) areOfOneType(a, b kg.EntityID) bool {
	types := r.voc.Graph().Types(b)
	return slices.ContainsFunc(r.voc.Graph().Types(a), func(t kg.TypeID) bool { return slices.Contains(types, t) })
}

// anyOf is the first edge of what is counted, to anything.
func (r *reader) anyOf(p *pattern.Pattern, t *tally) pattern.Edge {
	e := t.more.Edges[0]
	other := addNode(p, pattern.Node{Text: "?any", Variable: true})
	if e.From == t.node {
		e.From = other
	} else {
		e.To = other
	}
	return e
}

// comparedClaim reads "Is X higher than Y?", "Did X open before Y?" and "X has more films
// than Y"; nil where the text is none.
func (r *reader) comparedClaim(p *phrase) (*part, error) {
	if slices.ContainsFunc(upTo(0, p.len()), func(i int) bool { return p.is(i, exclusions) || p.IsContractedNot(i) }) {
		return nil, nil // "is not higher than"
	}
	for i := 1; i < p.len(); i++ {
		at := p.afterThe(i + 1)
		if p.isName(i) || p.nameAt(at) == 0 || r.isLiteral(p, at) {
			continue
		}
		c := r.comparison(p, i, at)
		names := p.names(0, p.len())
		if c == nil || len(names) != 2 || names[1] != at || p.nameAt(names[0]) > c.from || p.trim(p.nameAt(at), p.len()) > p.nameAt(at) {
			continue
		}
		got := &part{pat: &pattern.Pattern{Task: pattern.Verify, Asked: -1, Reuse: pattern.ReuseVariables}}
		got.pat.Nodes = []pattern.Node{p.known(names[0]), p.known(at)}
		for _, n := range names {
			if es := p.entitiesOf(n); len(es) > 1 {
				got.unsure(plan.Ambiguous, fmt.Sprintf("%s names %d things; the reading is about the first.", wording.Quote(p.Question.Mentions[p.word(n).Mention].Text), len(es)))
			}
		}
		if err := r.compareTwo(p, got, c, names[0], at); err != nil {
			return nil, err
		}
		for k := range p.len() { // every word is of the comparison, or says nothing
			used := k >= c.from && k < at || p.isName(k)
			if w := p.word(k); !used && !w.Stop && !auxiliary[w.Lower] && !fillers[w.Lower] && !light[w.Lower] && w.Weight == nil {
				got.unused = append(got.unused, w.Text)
				got.unsure(plan.Unsure, fmt.Sprintf("The reading leaves %s out.", wording.Quote(w.Text)))
			}
		}
		return got, nil
	}
	return nil, nil
}

// compareTwo compares the values that two names have, or how many they have of something.
func (r *reader) compareTwo(p *phrase, got *part, c *comparison, x, y int) error {
	g, s, pat := r.voc.Graph(), r.voc.Schema(), got.pat
	a, b := pat.Nodes[0].Entities[0], pat.Nodes[1].Entities[0]
	var best schema.Step
	score, rival := 0.0, 0.0
	for st, weight := range c.steps {
		if len(s.Edges(a, st)) == 0 || len(s.Edges(b, st)) == 0 {
			continue
		}
		switch {
		case weight > score || weight == score && st < best:
			best, score, rival = st, weight, score
		default:
			rival = max(rival, weight)
		}
	}
	words := c.op.Words()
	if score > 0 {
		mine, value := r.extend(pat, 0, best, nil, "value")
		its, other := r.extend(pat, 1, best, nil, "value")
		add(pat, mine)
		add(pat, its)
		pat.Filters = []pattern.Filter{{Node: value, Op: c.op, Than: &other}}
		if rival == score {
			got.unsure(plan.Unsure, "Several values may be compared.")
		}
		got.text = fmt.Sprintf("%s: %s %s that of %s", g.Label(a), g.RelationText(best.Relation()), words, g.Label(b))
		return nil
	}
	than := slices.IndexFunc(upTo(0, y), func(i int) bool { return p.says(i, "than") })
	if len(c.steps) > 0 || than <= c.from+1 || !p.isCounted(c.from+1) {
		return refuse(c.word, fmt.Sprintf("%s and %s have no such value both.", wording.Quote(g.Label(a)), wording.Quote(g.Label(b))))
	}
	counted := p.noun(c.from+1, than)
	if counted < 0 {
		counted = p.relationNoun(c.from+1, than)
	}
	slots, others := r.voc.Slots(a), r.voc.Slots(b)
	j := r.joinsOf(p, -1, counted, upTo(p.nameAt(x), c.from), true, func(st schema.Step) bool {
		has, may := slices.Contains(slots, st.From()), slices.Contains(others, st.From())
		return has && may || (has || may) && r.areOfOneType(a, b) // one of them may have none
	})
	if j == nil {
		return refuse(c.word, fmt.Sprintf("no relation of this graph joins both to %s.", wording.Quote(p.word(counted).Text)))
	}
	var of *part
	if p.word(counted).IsNamedKind() && r.narrows(p.word(counted), j.step) {
		of, _ = r.root(p, counted, c.word)
	}
	more, node := r.extend(pat, 0, j.step, of, variableName(p.word(counted)))
	name := 1
	pat.Branches = []pattern.Branch{{Kind: pattern.Quantity, Edges: more.Edges, Node: node, Op: c.op, Than: &name}}
	r.doubtJoint(p, got, j, upTo(p.nameAt(x), c.from))
	got.text = fmt.Sprintf("%s has %s %s than %s", g.Label(a), map[bool]string{true: "more", false: "fewer"}[c.op == pattern.Greater], r.voc.Arrow(j.step), g.Label(b))
	return nil
}
