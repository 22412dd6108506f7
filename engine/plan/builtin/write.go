package builtin

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"cairn/engine/evidence"
	"cairn/engine/kg"
	"cairn/engine/lexicon"
	"cairn/engine/link"
	"cairn/engine/pattern"
	"cairn/engine/plan"
	"cairn/engine/schema"
	"cairn/internal/wording"
)

func (p *Planner) write(pr *proposal) plan.Reading {
	w := p.written(pr)
	w.sum()
	return plan.Reading{
		Pattern: w.pat, Score: pr.score, Explanation: p.explain(pr),
		Text: w.text(), Unused: pr.unusedWords(),
	}
}

func (p *Planner) written(pr *proposal) *writer {
	w := &writer{p: p, pr: pr, pat: &pattern.Pattern{Asked: -1, Reuse: pr.reuse}}
	w.writeNodes()
	return w
}

// sum makes one number of those that "how many platforms are there in X" leads to, where what
// counts them is said of several things.
func (w *writer) sum() {
	s, last := &w.pr.shape, w.pr.shape.lastSteps()
	if name, edge := w.pr.counted(); name != "" {
		w.pat.Task = pattern.Find
		w.pat.Measure = &pattern.Measure{Func: pattern.Sum, Property: name, Edge: edge, Node: w.pat.Asked, Of: -1, Per: -1}
		return
	}
	if w.pr.q.wh != howMany || s.root != nil || len(s.legs) != 1 || s.size() < 2 || len(last) != 1 || last[0].IsBack() || !w.p.Counts(last[0].Relation()) || w.pat.Order != nil || w.end[len(w.end)-1] != w.pat.Asked {
		return
	}
	e := w.pat.Edges[len(w.end)-1]
	w.pat.Measure = &pattern.Measure{Func: pattern.Sum, Node: w.pat.Asked, Of: e.From, Per: -1}
	w.pat.Asked = e.From
}

// counted is what statements say of how many there were of a name that "how many" counts by a noun, "How many giant
// clams were seen?", "How many fish were seen on D105?", and the edge of which they say it; "" for other questions.
func (pr *proposal) counted() (found string, edge int) {
	s, q := &pr.shape, pr.q
	isName := slices.ContainsFunc(s.legs, func(l leg) bool {
		m := q.Mentions[l.mention]
		return q.has(max(0, m.From-1), m.From, "many") && !q.Words[m.From].Capital
	})
	if !isName || !s.count || s.root != nil || s.size() != len(s.legs) || len(s.values) > 0 {
		return "", 0
	}
	for h, hop := range s.hops() {
		for name, use := range q.p.saidOn(hop.step.Relation()) {
			isCount := slices.ContainsFunc(lexicon.Tokenize(q.p.g.PropertyText(name)), func(t lexicon.Token) bool { return countNouns[t.Lower] })
			switch {
			case !isCount || !use.isNumber() || use.isDate() || len(use.units) > 1:
			case found != "":
				return "", 0
			default:
				found, edge = name, h
			}
		}
	}
	return found, edge
}

var countNouns = lexicon.Words("count nouns")

type writer struct {
	p   *Planner
	pr  *proposal
	pat *pattern.Pattern
	// end[h] is the node at the end of hop h; root is that of the shape's root.
	end  []int
	root int
}

// writeNodes writes root or legs, then the tail, then the comparisons, in the
// order of shape.hops: end[h] is the node at the end of hop h.
func (w *writer) writeNodes() {
	s := &w.pr.shape
	meet := -1
	if s.root != nil {
		meet = w.variable(s.root.at, -1)
		w.pat.Nodes[meet].Within = w.p.rootEntities(s.root)
		w.pat.Nodes[meet].Type = w.pr.q.rootText(s.root)
		w.root = meet
	}
	starts := map[int]int{} // mention → node, where legs start from the same
	for i, l := range s.legs {
		at, isThere := starts[l.mention]
		if !isThere {
			at = w.known(l.mention, l.entity)
			if len(l.same) > 0 {
				w.pat.Nodes[at].Entities = slices.Clone(l.same)
			}
			starts[l.mention] = at
		}
		for j, st := range l.steps {
			last := j == len(l.steps)-1
			var to int
			switch {
			case last && i > 0:
				to = meet
			default:
				to = w.variable(st.To(), len(w.end))
			}
			w.edge(at, to, st)
			w.end = append(w.end, to)
			at = to
		}
		if i == 0 {
			meet = w.writeTail(at)
		}
		if i == 0 && len(s.tail) > 0 {
			w.pat.Asked = meet
			meet = at
		}
	}
	if s.root != nil {
		meet = w.writeTail(meet)
	}
	if w.pat.Asked < 0 {
		w.pat.Asked = meet
	}
	w.pat.Task = pattern.Find
	if s.count {
		w.pat.Task = pattern.Count
	}
	for _, l := range s.said {
		w.pat.Edges[l.at].Conditions = append(w.pat.Edges[l.at].Conditions, l.conditions...)
	}
	for i := range s.values {
		w.writeValue(&s.values[i])
	}
	for _, st := range s.role {
		w.edge(w.pat.Asked, w.variable(st.To(), len(w.end)), st)
	}
	w.rankFirst()
	if asked := w.pr.q.asked; asked >= 0 && w.pr.q.isGendered(asked) && (s.root == nil || len(s.tail) > 0) {
		edges, _ := w.p.NarrowGender(w.pat, w.pat.Asked, lexicon.Gender(w.pr.q.Words[asked].Lower))
		w.pat.Edges = append(w.pat.Edges, edges...)
	}
}

// isGendered reports whether word i is a noun for those of one gender, whom the graph has no type or
// relation for: women are who is female.
func (q *question) isGendered(i int) bool {
	w := &q.Words[i]
	return lexicon.Gender(w.Lower) != "" && len(w.Types)+len(w.Names)+len(q.p.StepsCalled(w)) == 0
}

// rankFirst has the things that a chain passes ranked before it goes on: the librettist of the
// shortest work is that of the shortest of all works, and not of those that have a librettist.
func (w *writer) rankFirst() {
	s := &w.pr.shape
	if w.pat.Order == nil || len(s.role) > 0 || len(s.legs) > 1 || len(s.legs) == 1 && s.root != nil {
		return
	}
	of, last := w.valuedNode(&s.values[0]), s.lastSteps()
	apart := func(v valueLeg) bool {
		return w.valuedNode(&v) != of || len(last) > 0 && v.step == last[0] // it asks for the value itself
	}
	if of == w.pat.Asked || slices.ContainsFunc(s.values, apart) || len(s.legs) == 0 && w.pat.Nodes[of].Within == nil {
		return
	}
	w.pat.Order.Of = &of
}

// writeTail writes the tail from a node and returns its end.
func (w *writer) writeTail(at int) int {
	for _, st := range w.pr.shape.tail {
		to := w.variable(st.To(), len(w.end))
		w.edge(at, to, st)
		w.end = append(w.end, to)
		at = to
	}
	return at
}

// writeValue writes a comparison as a value node with a filter or an order.
func (w *writer) writeValue(v *valueLeg) {
	w.writeCompared(w.valuedNode(v), v)
}

// valuedNode is the node of which a value is compared.
func (w *writer) valuedNode(v *valueLeg) int {
	if v.at < 0 {
		return w.root
	}
	return w.end[v.at]
}

func (w *writer) writeCompared(at int, v *valueLeg) {
	if v.record != nil {
		of := w.variable(v.record.To(), len(w.end))
		w.edge(at, of, *v.record)
		at = of
	}
	to := len(w.pat.Nodes)
	w.pat.Nodes = append(w.pat.Nodes, pattern.Node{Text: w.unique("?" + strings.ReplaceAll(w.p.g.RelationText(v.step.Relation()), " ", "_")), Variable: true})
	w.edge(at, to, v.step)
	if v.comparison.superlative {
		w.pat.Order = &pattern.Order{Node: to, Descending: v.descendingFor(), Limit: 1}
		return
	}
	if y := v.comparison.yearly; y != (kg.Yearly{}) {
		w.pat.Filters = append(w.pat.Filters, pattern.Filter{Node: to, Op: pattern.Equal, Yearly: y})
		return
	}
	w.pat.Filters = append(w.pat.Filters, w.filter(to, v, v.opFor(), v.comparison.number))
	if n := v.comparison.most; n != nil {
		w.pat.Filters = append(w.pat.Filters, w.filter(to, v, pattern.AtMost, *n))
	}
	if u := v.comparison.until; u != 0 {
		w.pat.Filters = append(w.pat.Filters, pattern.Filter{Node: to, Op: pattern.Less, Value: u})
	}
}

// known adds a node for an entity that the question names.
func (w *writer) known(mention int, e kg.EntityID) int {
	w.pat.Nodes = append(w.pat.Nodes, pattern.Node{
		Text:     w.pr.q.Mentions[mention].Text,
		Entities: []kg.EntityID{e},
	})
	return len(w.pat.Nodes) - 1
}

// variable adds a node for whatever is in a slot at the end of a hop, named
// after what the question calls it.
func (w *writer) variable(at schema.Slot, hop int) int {
	name := w.variableName(at)
	if len(w.pr.shape.role) > 0 {
		if name = "thing"; hop == w.pr.shape.askedHop() {
			name = w.pr.q.Words[w.pr.q.asked].Lower
		}
	}
	n := pattern.Node{Text: w.unique("?" + name), Variable: true}
	var is pattern.Kinds
	for i, types := range w.pr.shape.within[hop] {
		of, label := w.p.ofKind(types, at), w.p.g.TypeLabel(types[0])
		if i == 0 {
			n.Within, is.Any = of, []string{label}
			if len(w.p.OfTypes(types[:1])) < len(w.p.OfTypes(types)) {
				is.Any = wording.Each(types, w.p.g.TypeLabel)
			}
			continue
		}
		n.Within = slices.DeleteFunc(slices.Clone(n.Within), func(e kg.EntityID) bool { return !kg.Holds(of, e) })
		is.Also = append(is.Also, label)
	}
	n.Type = is.String()
	w.pat.Nodes = append(w.pat.Nodes, n)
	return len(w.pat.Nodes) - 1
}

func (w *writer) variableName(at schema.Slot) string {
	for i := range w.pr.q.Words {
		if wd := &w.pr.q.Words[i]; wd.IsKind() && !wd.Stop && w.pr.q.NamesSlot(wd, at) {
			return wd.Lower
		}
	}
	return "thing"
}

// unique returns the name with a number behind it where a node has it already.
func (w *writer) unique(name string) string {
	for n := 1; ; n++ {
		full := name
		if n > 1 {
			full = fmt.Sprintf("%s%d", name, n)
		}
		if !slices.ContainsFunc(w.pat.Nodes, func(o pattern.Node) bool { return o.Text == full }) {
			return full
		}
	}
}

// edge adds an edge for a step between two nodes.
func (w *writer) edge(from, to int, st schema.Step) {
	w.pat.Edges = append(w.pat.Edges, w.p.Edge(from, to, st, w.partner(st)...))
}

// partner is the relation by which a step may go as well, or none.
func (w *writer) partner(st schema.Step) []kg.RelationID {
	if w.pr == nil || !w.pr.shape.partners {
		return nil
	}
	return w.p.Partner(st.Relation())
}

// text says the reading in words, one leg after the other.
func (w *writer) text() string {
	s := &w.pr.shape
	var parts []string
	if s.root != nil {
		parts = append(parts, "any "+w.pr.q.rootText(s.root)+w.arrows(s.tail))
	}
	for i, l := range s.legs {
		part := w.start(&s.legs[i]) + w.arrows(s.chain(i))
		if len(l.same) > 0 {
			part = fmt.Sprintf("%s (any of %d)%s", w.p.g.Label(l.entity), len(l.same), w.arrows(s.chain(i)))
		}
		parts = append(parts, part)
	}
	for i := range s.values {
		parts = append(parts, w.valueText(&s.values[i]))
	}
	for _, l := range s.said {
		for _, c := range l.conditions {
			parts = append(parts, w.p.saidText(c))
		}
	}
	for _, st := range s.role {
		parts = append(parts, w.p.Arrow(st)+" anything")
	}
	text := strings.Join(parts, " and ")
	if m := w.pat.Measure; m != nil && m.Property != "" {
		return "the sum of: " + text + ", " + w.p.g.PropertyText(m.Property)
	} else if m != nil {
		return "the sum of: " + text
	}
	if s.count {
		return "the number of: " + text
	}
	return text
}

// start names the entity that a leg starts from: with its key, where its mention
// may mean others of the same name.
func (w *writer) start(l *leg) string {
	name := w.p.g.Label(l.entity)
	shared := slices.ContainsFunc(w.pr.q.Mentions[l.mention].Candidates, func(c link.Candidate) bool {
		return c.Entity != l.entity && w.p.g.Label(c.Entity) == name
	})
	if shared {
		return w.p.describe(l.entity)
	}
	return name
}

func (w *writer) arrows(steps []schema.Step) string {
	var b strings.Builder
	for _, st := range steps {
		b.WriteString(" " + w.p.Arrow(st, w.partner(st)...))
	}
	return b.String()
}

func (w *writer) valueText(v *valueLeg) string {
	name, isDate := w.p.g.RelationText(v.step.Relation()), w.p.schema.Value(v.step.To()) == schema.DateValue
	if v.record != nil {
		own := *v
		own.record = nil
		return "with " + w.p.Arrow(*v.record) + " " + w.valueText(&own)
	}
	switch {
	case v.comparison.when != "" && !v.comparison.superlative:
		return fmt.Sprintf("%s (%s)", name, v.comparison.when)
	case !v.comparison.superlative:
		amount := cmp.Or(v.comparison.amount, strconv.FormatFloat(v.comparison.number, 'f', -1, 64))
		switch {
		case v.comparison.exact:
			return name + " " + amount
		case v.comparison.most != nil:
			return fmt.Sprintf("%s between %s", name, amount)
		}
		if isDate {
			return fmt.Sprintf("%s %s %s", name, v.opFor().DateWords(), amount)
		}
		return fmt.Sprintf("%s %s %s", name, v.opFor().Words(), amount)
	case v.descendingFor() && isDate:
		return "the latest " + name
	case v.descendingFor():
		return "the largest " + name
	case isDate:
		return "the earliest " + name
	}
	return "the smallest " + name
}

// saidText says a condition on a statement: "from–to in 2015".
func (p *Planner) saidText(c pattern.Condition) string {
	if c.To != "" {
		op := map[pattern.Op]string{pattern.Less: "before", pattern.AtMost: "until", pattern.Equal: "in", pattern.AtLeast: "since", pattern.Greater: "after"}[c.Op]
		return fmt.Sprintf("%s–%s %s %s", p.g.PropertyText(c.Property), p.g.PropertyText(c.To), op, c.Value)
	}
	return fmt.Sprintf("%s %s %s", p.g.PropertyText(c.Property), c.Op.Words(), c.Value)
}

// unusedWords returns the content words that the proposal ignores.
func (pr *proposal) unusedWords() []string {
	var out []string // nil for none, as it is read back from a history
	for _, c := range pr.verdict.unused {
		out = append(out, pr.q.Words[c].Text)
	}
	if pr.unmet != nil {
		out = append(out, pr.unmet.names...)
	}
	return out
}

// explain says where a proposal's score comes from.
func (p *Planner) explain(pr *proposal) evidence.Explanation {
	e := evidence.Explanation{Value: pr.score, Message: "how well the words fit, higher is better"}
	if pr.unmet != nil {
		e.Children = p.explainCover(pr)
		return e
	}
	for _, l := range pr.shape.legs {
		m := pr.q.Mentions[l.mention]
		e.Children = append(e.Children, evidence.Explanation{
			Value:   p.weights.Mention * m.Strength,
			Message: fmt.Sprintf("%s is the name %s", wording.Quote(m.Text), wording.Quote(p.g.Label(l.entity))),
		})
	}
	sc := scorer{q: pr.q, w: &p.weights, shape: &pr.shape, hops: pr.shape.hops(), last: pr.shape.lastSteps(), explain: &e}
	sc.run()
	if pr.misread != "" {
		e.Children = append(e.Children, evidence.Explanation{Value: -p.weights.Misread - pr.lacks, Message: strings.TrimSuffix(pr.misread, ".")})
	}
	for h, hp := range pr.shape.hops() {
		e.Children = append(e.Children, evidence.Explanation{Message: pr.q.Asks(pr.verdict.cue[h], hp.step.Relation())})
	}
	return e
}
