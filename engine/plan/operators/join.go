package operators

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"cairn/engine/kg"
	"cairn/engine/lexicon"
	"cairn/engine/pattern"
	"cairn/engine/plan"
	"cairn/engine/plan/words"
	"cairn/engine/schema"
	"cairn/internal/wording"
)

// graft adds the nodes of another pattern to p and returns its edges, filters and
// branches on them: node at of other becomes node to of p, and names that both have are
// one node.
func graft(p, other *pattern.Pattern, at, to int) *pattern.Pattern {
	place := make([]int, len(other.Nodes))
	for i, n := range other.Nodes {
		same := slices.IndexFunc(p.Nodes, func(o pattern.Node) bool {
			return !n.Variable && !o.Variable && slices.Equal(n.Entities, o.Entities)
		})
		switch {
		case i == at:
			place[i] = to
		case same >= 0:
			place[i] = same
		default:
			place[i] = addNode(p, n)
		}
	}
	out := &pattern.Pattern{}
	move := func(list []pattern.Edge) (moved []pattern.Edge) {
		for _, e := range list {
			e.From, e.To = place[e.From], place[e.To]
			moved = append(moved, e)
		}
		return moved
	}
	filters := func(list []pattern.Filter) (moved []pattern.Filter) {
		for _, f := range list {
			f.Node = place[f.Node]
			if f.Than != nil {
				than := place[*f.Than]
				f.Than = &than
			}
			moved = append(moved, f)
		}
		return moved
	}
	out.Edges, out.Filters = move(other.Edges), filters(other.Filters)
	for _, b := range other.Branches {
		b.Edges, b.Filters = move(b.Edges), filters(b.Filters)
		if b.Kind == pattern.Quantity {
			b.Node = place[b.Node]
		}
		if b.Than != nil {
			than := place[*b.Than]
			b.Than = &than
		}
		out.Branches = append(out.Branches, b)
	}
	if at >= 0 && to >= 0 && p.Nodes[to].Within == nil && other.Nodes[at].Within != nil {
		p.Nodes[to].Within, p.Nodes[to].Type = other.Nodes[at].Within, other.Nodes[at].Type
	}
	return out
}

// addNode adds a node under a name of its own and returns its place.
func addNode(p *pattern.Pattern, n pattern.Node) int {
	base := n.Text
	for k := 2; n.Variable && slices.ContainsFunc(p.Nodes, func(o pattern.Node) bool { return o.Text == n.Text }); k++ {
		n.Text = fmt.Sprintf("%s%d", base, k)
	}
	p.Nodes = append(p.Nodes, n)
	return len(p.Nodes) - 1
}

// copied is a pattern that may be changed without the other.
func copied(p *pattern.Pattern) *pattern.Pattern {
	c := *p
	c.Nodes, c.Edges, c.Filters, c.Branches = slices.Clone(p.Nodes), slices.Clone(p.Edges), slices.Clone(p.Filters), slices.Clone(p.Branches)
	if p.Order != nil {
		order := *p.Order
		c.Order = &order
	}
	return &c
}

// isPlainList reports whether a part can be an operand: it lists what it finds, and
// neither ranks nor counts it.
func (p *part) isPlainList() bool {
	return p.pat.Task <= pattern.Count && p.pat.Measure == nil && p.pat.Order == nil && p.pat.Asked >= 0
}

// joint is the step by which words join things of two kinds.
type joint struct {
	step  schema.Step
	row   *schema.Step // to what has both, where nothing joins the two themselves
	score float64
	told  bool   // the words fit its relation the other way round too, and less
	rival *joint // another one that fits about as well
	twin  bool   // the relation for the other gender joins them, too
}

const (
	// jointMargin is how much better than any other a step must fit to be beyond doubt.
	jointMargin = 0.25
	// voiced is gained or lost as the verb is in the voice of the step.
	voiced = 0.5
)

// joins finds the step from what word head names to what word counted names, by the
// words between. A head below zero is whoever does it, a counted word below zero
// anything.
func (r *reader) joins(p *phrase, head, counted int, between []int, many bool) *joint {
	return r.joinsOf(p, head, counted, between, many, func(schema.Step) bool { return true })
}

// joinsOf is joins for the steps that may be.
func (r *reader) joinsOf(p *phrase, head, counted int, between []int, many bool, may func(schema.Step) bool) *joint {
	s := r.voc.Schema()
	var best *joint
	var found []joint
	for _, st := range s.Steps() {
		if s.Canonical(st) != st || !may(st) || many && s.Value(st.To()) != schema.NoValue {
			continue
		}
		if score, ok := r.fits(p, st, head, counted, between); ok {
			found = append(found, joint{step: st, score: score})
		}
	}
	said := func(j joint) bool { return r.saysName(p, between, j.step) }
	if slices.ContainsFunc(found, said) { // who "took part in" a mission need not have led one
		found = slices.DeleteFunc(found, func(j joint) bool { return !said(j) })
	}
	slices.SortStableFunc(found, func(a, b joint) int { return cmp.Compare(b.score, a.score) })
	for i := range found {
		j := &found[i]
		j.told = slices.ContainsFunc(found, func(o joint) bool { return o.step == s.Back(j.step) && o.score < j.score })
		if many && (best == nil || best.rival == nil) && !j.told && !r.branches(j.step) {
			continue
		}
		switch {
		case best == nil:
			best = j
		case r.isTwin(best.step, j.step) && (counted < 0 || !lexicon.IsGendered(p.word(counted).Lower) || best.step.IsBack()):
			best.twin = true
		case best.rival == nil && j.score > best.score-jointMargin && j.step.Relation() != best.step.Relation():
			best.rival = j
		}
	}
	return best
}

// saysName reports whether words say the whole name of a step's relation, of two words at least that say much.
func (r *reader) saysName(p *phrase, between []int, st schema.Step) bool {
	name := r.voc.NameOf(st.Relation())
	return len(name) > 1 && !slices.ContainsFunc(name, r.voc.Lexicon().IsStop) && slices.ContainsFunc(between, func(i int) bool {
		for k, w := range name {
			if !slices.Contains(between, i+k) || p.isName(i+k) || lexicon.Base(p.word(i+k).Lower) != lexicon.Base(w) {
				return false
			}
		}
		return true
	})
}

// isTwin reports whether a step says of a woman what another says of a man, or the other way round.
func (r *reader) isTwin(a, b schema.Step) bool {
	return a.IsBack() == b.IsBack() && slices.Contains(r.voc.Partner(a.Relation()), b.Relation())
}

// others are the relations by which a joint may go beside its own.
func (r *reader) others(j *joint) []kg.RelationID {
	if !j.twin {
		return nil
	}
	return r.voc.Partner(j.step.Relation())
}

// branches reports whether a thing has several ends along a step.
func (r *reader) branches(st schema.Step) bool {
	g := r.voc.Graph()
	const most = 200_000
	having := g.Having(st.Relation(), st.IsBack())
	for _, e := range having[:min(len(having), most)] {
		if len(g.Along(e, st.Relation(), st.IsBack())) > 1 {
			return true
		}
	}
	return len(having) > most
}

// fits says how well a step fits.
func (r *reader) fits(p *phrase, st schema.Step, head, counted int, between []int) (score float64, ok bool) {
	s := r.voc.Schema()
	back := s.Back(st)
	if head >= 0 {
		w := p.word(head)
		kind, named := r.isKind(p, w, back), w.Names[back] && !p.Contradicts(w, st.From())
		switch {
		case !kind && !named:
			return 0, false
		case kind && named:
			score += 1.3
		default:
			score++
		}
	} else if r.voc.IsAnswer(st.From(), lexicon.Person) && !p.says(0, "where") || r.voc.IsAnswer(st.From(), lexicon.Place) && p.says(0, "where") {
		score++
	}
	named := head >= 0 && p.word(head).Names[back]
	if counted >= 0 {
		w := p.word(counted)
		kind := r.isKind(p, w, st)
		asked := w.Weight[st]
		switch {
		case !kind && (asked == 0 || p.Contradicts(w, st.To()) || r.voc.IsOther(w, st)):
			return 0, false
		case kind:
			score++
		}
		if w.Names[st] || asked > 0 && !kind {
			score += asked
			named = true
		}
	}
	either := s.Shared(st.From(), st.To()) > 0 || head >= 0 && p.NamesSlot(p.word(head), st.From()) && p.NamesSlot(p.word(head), st.To())
	alone := either && (counted < 0 || !p.word(counted).IsNamedKind())
	if counted >= 0 && r.namesOther(p, st, counted, alone) || slices.ContainsFunc(between, func(i int) bool { return r.namesOther(p, st, i, alone) || r.saysOnlyPart(p, st, i) }) {
		return 0, false
	}
	cue, content := 0.0, false
	for _, i := range between {
		w := p.word(i)
		if w.Mention >= 0 || w.Taken {
			continue
		}
		cue = max(cue, w.Weight[st])
		content = content || r.isUnheard(p, i, st)
	}
	switch {
	case cue > 0:
		score += cue
	case content && !named && !r.isOnlyWay(p, st, head, counted, between):
		return 0, false // the verb says something else
	case counted < 0:
		return 0, false
	}
	return score + voiced*r.voice(p, st, head, between), score > 0
}

// isOnlyWay reports whether nothing but a step joins the two kinds of things that words name: a verb between can
// hardly mean anything else, unless it must say which of two of one kind does it.
func (r *reader) isOnlyWay(p *phrase, st schema.Step, head, counted int, between []int) bool {
	if head < 0 || counted < 0 || len(p.word(head).Types) == 0 || len(p.word(counted).Types) == 0 {
		return false
	}
	is := func(i int) func(schema.Slot) bool {
		return func(at schema.Slot) bool { return p.NamesSlot(p.word(i), at) }
	}
	isOneWay := !is(head)(st.To()) || !is(counted)(st.From())
	return r.voc.IsOnly(st, is(head), is(counted)) && (isOneWay || !slices.ContainsFunc(between, func(i int) bool { return r.isUnheard(p, i, st) && !p.MayStandFor(i, st) }))
}

// saysOnlyPart reports whether a participle is one of several words that tell in the name of a step's relation,
// and all that tells in that of another which such things have: what was "returned" need have no "condition on
// return".
func (r *reader) saysOnlyPart(p *phrase, st schema.Step, i int) bool {
	w, own, s := p.word(i), st.Relation(), r.voc.Schema()
	if p.isName(i) || !w.IsPast() && !lexicon.IsParticiple(w.Lower) || slices.Contains(r.voc.Called(w.Stem), own) || !slices.Contains(lexicon.Stems(r.voc.Graph().RelationText(own)), w.Stem) {
		return false
	}
	return slices.ContainsFunc(r.voc.Called(w.Stem), func(o kg.RelationID) bool {
		return s.Shared(schema.Forward(o).From(), schema.Forward(own).From()) > 0
	})
}

// isKind reports whether a word names the kind of what a step leads to.
func (r *reader) isKind(p *phrase, w *words.Word, st schema.Step) bool {
	return p.NamesSlot(w, st.To()) && !p.Contradicts(w, st.To()) && !r.voc.IsOther(w, st)
}

// namesOther reports whether a noun names the other end of a step between things of one kind, or that of
// its type, for all that stands before it: who "has children" is no child, and who "is the child of" somebody is. alone
// says that no kinds tell the ends apart.
func (r *reader) namesOther(p *phrase, st schema.Step, i int, alone bool) bool {
	before := i - 1
	for p.says(before, "a") || p.says(before, "an") || p.says(before, "any") || p.says(before, "no") || p.says(before, "the") {
		before--
	}
	is := p.is(before, copulas) || p.says(before, "not", "never")
	w := p.word(i)
	isDone := before == i-1 && p.is(before-1, auxiliary) && !p.is(before-1, copulas) // what "does not target" anything is no target
	if isDone && p.says(before, "not", "never") || p.isName(i) || w.IsPast() || lexicon.IsPast(w.Lower) || lexicon.IsParticiple(w.Lower) || !is && !p.says(before, "has", "have", "had", "with", "without") {
		return false
	}
	tail, known := r.voc.TypedEnd(st.Relation(), w.Lower)
	if alone || r.voc.JoinsSame(st.Relation()) {
		tail, known = r.voc.NamesEnd(st.Relation(), w.Lower)
	}
	return known && tail == (st.IsBack() != is)
}

// isUnheard reports whether a word between says something that a step does not.
func (r *reader) isUnheard(p *phrase, i int, st schema.Step) bool {
	w := p.word(i)
	if w.Mention >= 0 || w.Stop || w.Silent || w.Taken || fillers[w.Lower] || auxiliary[w.Lower] || light[w.Lower] || differing[w.Lower] || w.Weight[st] > 0 || p.IsJoining(i, st.Relation()) {
		return false
	}
	_, isNumber := p.number(i)
	names := func(st schema.Step) bool { return p.NamesSlot(w, st.To()) && !r.voc.IsOther(w, st) }
	return (!isNumber || schema.IsYear(w.Lower)) && !names(r.voc.Schema().Back(st)) && !names(st)
}

// throughRows joins two columns of a table by its rows: from what steps from the rows lead to, of
// which all words between must tell, to what a noun calls another column; nil where that is in
// doubt.
func (r *reader) throughRows(p *phrase, from []schema.Step, counted int, between []int) (found *joint) {
	s := r.voc.Schema()
	for _, a := range from {
		for _, b := range r.voc.StepsCalled(p.word(counted)) {
			isUnheard := func(i int) bool { return r.isUnheard(p, i, a) && r.isUnheard(p, i, b) }
			if a.Relation() == b.Relation() || s.Value(b.To()) != schema.NoValue || s.Shared(a.From(), b.From()) == 0 || slices.ContainsFunc(between, isUnheard) {
				continue
			}
			if found != nil {
				return nil
			}
			row := s.Back(a)
			found = &joint{step: b, row: &row}
		}
	}
	return found
}

// arrow says in words how a joint goes.
func (r *reader) arrow(j *joint) string {
	if j.row != nil {
		return r.voc.Arrow(*j.row) + " " + r.voc.Arrow(j.step)
	}
	return r.voc.Arrow(j.step, r.others(j)...)
}

// voice says whether the verb among some words is in the voice of a step from its
// subject, which word head is unless a preposition stands before it: 1 or -1, 0 where it tells nothing, as
// of a value: the day on which something was "returned" returned nothing.
func (r *reader) voice(p *phrase, st schema.Step, head int, between []int) float64 {
	if s := r.voc.Schema(); s.IsSymmetric(st.Relation()) || s.Value(schema.Forward(st.Relation()).To()) != schema.NoValue {
		return 0
	}
	verb, byTail := r.verbOf(st)
	fronted := head > 1 && p.is(0, prepositions) && p.noun(1, head) < 0 // "from which language did the most languages borrow"
	for _, i := range between {
		w := p.word(i)
		if verb == "" || w.Mention >= 0 || w.Stem != verb {
			continue
		}
		active := !p.says(i+1, "by") && !p.isPassive(i)
		name := r.voc.NameOf(st.Relation())
		byTail = byTail || len(name) == 2 && name[1] == "under" && !p.says(i+1, "under") // who "trained" X did so whom X "trained under"
		if len(name) == 2 && lexicon.IsParticiple(name[0]) && name[1] != "by" && prepositions[name[1]] && p.isPassive(i) {
			inYear := name[1] != "to" && (p.isYear(i+2) || p.isYear(i+3))
			byTail = byTail || !p.is(i+1, prepositions) || p.says(i+1, "by") || inYear && !p.says(i+1, name[1]) // what was "appealed" is what was "appealed to" something
			active = active || p.says(i+1, name[1])                                                             // and what is "bred from" something is so itself
		}
		doer := active != (fronted || p.hasSubject(i, head))
		if doer == (st.IsBack() == byTail) {
			return 1
		}
		return -1
	}
	return 0
}

// hasSubject reports whether the verb at word i has another subject than word head: "languages that no
// language descends from".
func (p *phrase) hasSubject(i, head int) bool {
	for i--; i > head && (p.is(i, auxiliary) || p.says(i, "been")); i-- {
	}
	if head < 0 || i < head+2 || !p.is(head+1, auxiliary) && !p.is(head+1, relatives) && !p.says(head+1, "has", "have", "had") {
		return false
	}
	return p.noun(i, i+1) == i || p.says(i, "nothing", "nobody") || p.says(i-1, "no one")
}

// isPassive reports whether word i is a participle with a form of "be" before it: "have not
// been replaced".
func (p *phrase) isPassive(i int) bool {
	if w := p.word(i); !w.IsPast() && !lexicon.IsParticiple(w.Lower) {
		return false
	}
	inverted := i == p.len()-1 && p.says(0, "by") // "By which firms are more than three audited?"
	for j := i - 1; j >= 0 && (inverted || p.word(j).Stop || auxiliary[p.word(j).Lower]); j-- {
		if copulas[p.word(j).Lower] || p.says(j, "been", "being") {
			return true
		}
	}
	return false
}

// doubtJoint notes that a joint leaves words out, or that another relation fits as well.
func (r *reader) doubtJoint(p *phrase, got *part, j *joint, between []int) {
	for _, i := range between {
		if r.isUnheard(p, i, j.step) && (j.row == nil || r.isUnheard(p, i, *j.row)) {
			got.unused = append(got.unused, p.word(i).Text)
			got.unsure(plan.Unsure, fmt.Sprintf("The reading ignores %s.", wording.Quote(p.word(i).Text)))
		}
	}
	if j.rival != nil {
		got.unsure(plan.Ambiguous, fmt.Sprintf("It may be about %s or about %s.",
			wording.Quote(r.voc.Arrow(j.step)), wording.Quote(r.voc.Arrow(j.rival.step))))
	}
}

// extend adds an edge along a step, or by other relations, from a node to what another part finds, or to
// anything. It returns the edges, filters and branches, and the node at their end.
func (r *reader) extend(p *pattern.Pattern, from int, st schema.Step, to *part, name string, or ...kg.RelationID) (*pattern.Pattern, int) {
	more, node := &pattern.Pattern{}, pattern.Node{Text: "?" + name, Variable: true}
	if to != nil {
		node = to.pat.Nodes[to.pat.Asked]
	}
	n := addNode(p, node)
	if to != nil {
		more = graft(p, to.pat, to.pat.Asked, n)
	}
	more.Edges = slices.Insert(more.Edges, 0, r.voc.Edge(from, n, st, or...))
	return more, n
}

// verbOf returns the verb in the name of a step's relation, "" for none, and whether the tail does
// what it says.
func (r *reader) verbOf(st schema.Step) (verb string, byTail bool) {
	return lexicon.VerbOf(r.voc.NameOf(st.Relation()))
}

// follow is extend along a joint.
func (r *reader) follow(p *pattern.Pattern, from int, j *joint, to *part, name string) (*pattern.Pattern, int) {
	if j.row == nil {
		return r.extend(p, from, j.step, to, name, r.others(j)...)
	}
	rows, row := r.extend(p, from, *j.row, nil, "row")
	more, node := r.extend(p, row, j.step, to, name)
	add(rows, more)
	return rows, node
}

// add puts edges, filters and branches into a pattern.
func add(p, more *pattern.Pattern) {
	p.Edges = append(p.Edges, more.Edges...)
	p.Filters = append(p.Filters, more.Filters...)
	p.Branches = append(p.Branches, more.Branches...)
}

// variableName is how a word names a variable.
func variableName(w *words.Word) string { return strings.ReplaceAll(w.Lower, " ", "_") }
