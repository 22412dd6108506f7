package operators

import (
	"fmt"
	"maps"
	"slices"

	"cairn/engine/kg"
	"cairn/engine/lexicon"
	"cairn/engine/pattern"
	"cairn/engine/plan"
	"cairn/engine/plan/words"
	"cairn/engine/schema"
	"cairn/internal/wording"
)

// Claims that count: of one named thing and how many others it is joined to.

// untold is in doubt in a claim that there are none.
const untold = "Only the absence of such triples can support this."

// quantity is how many there are of something, as words [from, to) say.
type quantity struct {
	from, to int
	op       pattern.Op
	n        int
	most     int // the end of "between 2 and 5"; 0 for none
}

// quantityAt reads "three", "at least three", "only one" or "no" at word i; nil where no
// quantity begins there.
func (p *phrase) quantityAt(i int) *quantity {
	if op, n, after := p.threshold(i); after > 0 {
		q := &quantity{from: i, to: after, op: op, n: n}
		if most, ok := p.number(i + 3); ok && p.says(i, "between") {
			q.most = most
		}
		return q
	}
	if n := p.match(i, onlys); n > 0 {
		if q := p.quantityAt(i + n); q != nil && q.op == pattern.Equal && q.n > 0 {
			q.from = i
			return q
		}
		return nil
	}
	if p.says(i, "no") {
		return &quantity{from: i, to: i + 1, op: pattern.Equal}
	}
	if n, ok := p.number(i); ok && !p.is(i+1, scales) {
		return &quantity{from: i, to: i + 1, op: pattern.Equal, n: n}
	}
	return nil
}

// countedClaim reads a claim of how many things one thing is joined to: "X has three
// directors", "More than five drugs treat X", "No drug treats X". It is nil where the claim
// is none, or says more than that.
func (r *reader) countedClaim(p *phrase) (*part, error) {
	names := slices.DeleteFunc(p.names(0, p.len()), func(i int) bool { return r.isLiteral(p, i) })
	if len(names) != 1 || p.hasYear(0, p.len()) {
		return nil, nil
	}
	name := names[0]
	var q *quantity
	for i := range p.len() {
		if q = p.quantityAt(i); q != nil {
			break
		}
	}
	if q == nil || q.n >= mostCounted || q.to >= p.len() || p.isName(q.to) || p.word(q.to).Stop || !p.isCounted(q.to) {
		return nil, nil
	}
	if slices.ContainsFunc(upTo(0, p.len()), func(i int) bool {
		return (i < q.from || i >= q.to) && (p.is(i, exclusions) || p.IsContractedNot(i) || p.match(i, onlys) > 0)
	}) {
		return nil, nil
	}
	counted := p.noun(q.to, min(q.to+3, p.len()))
	if k := p.relationNoun(q.to, min(q.to+3, p.len())); counted < 0 || p.word(counted).Types == nil && k > counted {
		counted = k
	}
	j, between := r.countedStep(p, name, q, counted)
	if j == nil || !j.step.IsBack() && r.isValue(p, counted) && !r.branches(j.step) || r.hasNumber(p, name, counted) {
		return nil, nil // or it is a number that the graph has
	}
	word := p.text(q.from, q.to)
	if q.op == pattern.AtLeast && q.n == 0 {
		return nil, refuse(word, "that is true of any number.")
	}
	got := &part{pat: &pattern.Pattern{Task: pattern.Verify, Asked: -1, Reuse: pattern.ReuseVariables, Nodes: []pattern.Node{p.known(name)}}}
	of, _ := r.narrowed(p, counted, j.step, word)
	more, node := r.follow(got.pat, 0, j, of, variableName(p.word(counted)))
	r.genderedEnd(got, more, node, p.word(counted), j)
	branch := pattern.Branch{Kind: pattern.Quantity, Edges: more.Edges, Filters: more.Filters, Node: node, Op: q.op, N: q.n}
	got.pat.Branches = []pattern.Branch{branch}
	if q.most > 0 {
		branch.Op, branch.N = pattern.AtMost, q.most
		got.pat.Branches = append(got.pat.Branches, branch)
	}
	g := r.voc.Graph()
	got.text = fmt.Sprintf("%s has %s %d %s", g.Label(got.pat.Nodes[0].Entities[0]), q.op.Words(), q.n, r.arrow(j))
	r.doubtJoint(p, got, j, between)
	p.doubtNames(got, name)
	r.doubtWords(p, got, func(i int) bool { return i >= q.from && i <= counted || slices.Contains(between, i) })
	if past := func(i int) bool { return p.word(i).IsPast() || p.is(i, pasts) }; !slices.ContainsFunc(between, past) {
		r.doubtEnded(p, got, name, j.step)
	}
	if q.n == 0 {
		got.unsure(plan.Unsure, untold)
	}
	return got, nil
}

// hasNumber reports whether the graph gives how many of what a noun names a thing has, as a number.
func (r *reader) hasNumber(p *phrase, name, noun int) bool {
	return slices.ContainsFunc(slices.Collect(maps.Keys(r.valueSteps(p, noun))), func(st schema.Step) bool {
		return r.voc.Counts(st.Relation()) && r.voc.IsCalled(st, p.word(noun).Lower) && len(r.voc.Schema().Edges(p.entitiesOf(name)[0], st)) > 0
	})
}

// countedStep returns the step from a name to what is counted, by the words that join them,
// and these words; nil where none fits.
func (r *reader) countedStep(p *phrase, name int, q *quantity, counted int) (*joint, []int) {
	s, e := r.voc.Schema(), p.entitiesOf(name)[0]
	slots := r.voc.Slots(e)
	isOf := func(at schema.Slot) bool {
		return slices.Contains(slots, at) || slices.ContainsFunc(r.voc.Graph().Types(e), func(t kg.TypeID) bool { return s.Types(at)[t] > 0 })
	}
	may := func(st schema.Step) bool { return isOf(st.From()) && s.Value(st.To()) == schema.NoValue }
	if name < q.from { // "X has three directors"
		between := slices.Concat(upTo(p.nameAt(name), q.from), upTo(counted+1, p.len()))
		return r.namesStep(p, slots, counted, between, may), between
	}
	between := upTo(counted+1, name)
	j := r.joinsOf(p, counted, -1, between, false, func(st schema.Step) bool { return may(s.Back(st)) })
	if j == nil || p.trim(p.nameAt(name), p.len()) > p.nameAt(name) {
		return nil, nil
	}
	if j.step = s.Back(j.step); !j.told && !r.branches(j.step) {
		return nil, nil
	}
	if j.rival != nil {
		j.rival.step = s.Back(j.rival.step)
	}
	return j, between
}

// namesStep is countedStep for a name that has what is counted: of what a noun calls a column, by
// the rows of the name.
func (r *reader) namesStep(p *phrase, slots []schema.Slot, counted int, between []int, may func(schema.Step) bool) *joint {
	s, called := r.voc.Schema(), r.voc.StepsCalled(p.word(counted))
	isOwn := func(st schema.Step) bool { // it may be the one that has none
		return slices.ContainsFunc(slots, func(at schema.Slot) bool {
			return at == st.From() || s.JoinsSame(st.Relation()) && s.SameKind(at, st.From())
		})
	}
	if slices.ContainsFunc(called, isOwn) {
		return r.joinsOf(p, -1, counted, between, false, func(st schema.Step) bool { return slices.Contains(called, st) && isOwn(st) })
	}
	if j := r.joinsOf(p, -1, counted, between, true, may); j != nil {
		return j
	}
	rows := wording.Each(slots, func(at schema.Slot) schema.Step { return s.Back(schema.Step(at)) })
	return r.throughRows(p, rows, counted, between)
}

// pasts are the past forms of the verbs that help others.
var pasts = lexicon.WordSet("was were been had did")

// doubtEnded notes that some of what a step leads to from a name was so until some time, by
// what its statements say.
func (r *reader) doubtEnded(p *phrase, got *part, name int, st schema.Step) {
	if r.voc.HasEnded(p.entitiesOf(name)[0], st) {
		got.unsure(plan.Unsure, words.TakenEver(r.voc.Graph().RelationText(st.Relation())))
	}
}

// doubtNames notes that names of a claim mean several things.
func (p *phrase) doubtNames(got *part, names ...int) {
	for _, n := range names {
		es := slices.Clone(p.entitiesOf(n))
		es = slices.DeleteFunc(es, func(e kg.EntityID) bool { return e != es[0] && p.isOnlyOf(e, es[0]) })
		if len(es) > 1 {
			got.unsure(plan.Ambiguous, fmt.Sprintf("%s names %d entities; the reading is about the first.", wording.Quote(p.Question.Mentions[p.word(n).Mention].Text), len(es)))
		}
	}
}

// isOnlyOf reports whether an entity is no more than what the graph says of another: its nickname.
func (p *phrase) isOnlyOf(e, of kg.EntityID) bool {
	g := p.Vocabulary.Graph()
	return len(g.Out(e)) == 0 && !slices.ContainsFunc(g.In(e), func(x kg.Edge) bool { return x.Entity != of })
}

// doubtWords notes the words of a claim that are none of its reading and say something.
func (r *reader) doubtWords(p *phrase, got *part, used func(i int) bool) {
	for k := range p.len() {
		w := p.word(k)
		if used(k) || p.isName(k) || w.Stop || w.Silent || auxiliary[w.Lower] || fillers[w.Lower] || light[w.Lower] || multiplied[w.Lower] || w.Weight != nil {
			continue
		}
		got.unused = append(got.unused, w.Text)
		got.unsure(plan.Unsure, fmt.Sprintf("The reading ignores %s.", wording.Quote(w.Text)))
	}
}
