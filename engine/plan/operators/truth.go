package operators

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"cairn/engine/kg"
	"cairn/engine/lexicon"
	"cairn/engine/pattern"
	"cairn/engine/plan/words"
	"cairn/engine/schema"
)

// having reads "huts that have a winter room" where the graph says yes or no of it.
func (r *reader) having(ctx context.Context, p *phrase) (*part, error) {
	for i := range p.len() {
		from, end := p.afterThe(i+1), p.clauseEnd(i+1)
		if p.isName(i) || !p.says(i, "with") && !possesses[p.word(i).Lower] || from >= end || p.hasName(from, end) {
			continue
		}
		head, noun := p.noun(0, i), p.relationNoun(from, end)
		if head < 0 || noun < 0 {
			continue
		}
		between := slices.DeleteFunc(upTo(from, end), func(j int) bool { return j == noun })
		j := r.joins(p, head, noun, between, false)
		if j == nil || len(r.voc.Truths(j.step.Relation(), true)) == 0 {
			continue
		}
		start := p.clauseStart(i)
		main, err := r.main(ctx, p, []piece{span(0, cmp.Or(p.trim(0, start), start)), span(end, p.len())}, p.text(i, end))
		if err != nil || !r.isTruly(main, main.pat.Asked, j.step, true) {
			return nil, err
		}
		r.doubtJoint(p, main, j, between)
		return main, nil
	}
	return nil, nil
}

// truly reads "vegan recipes", "recipes that are vegan" and "recipes that contain nuts" where the
// graph says yes or no of it.
func (r *reader) truly(ctx context.Context, p *phrase) (*part, error) {
	head := p.noun(0, p.len())
	mayHave := func(st schema.Step) bool { return r.mayHave(p, head, st) }
	if head < 0 {
		kind, at := r.namedKind(p)
		if kind == nil {
			return nil, nil
		}
		head = at // "chips", where the graph has a kind that is called so
		mayHave = func(st schema.Step) bool {
			return r.voc.Schema().Shared(schema.Forward(kind.pat.Edges[0].Fixed[0]).From(), st.From()) > 0
		}
	}
	for _, rel := range r.voc.TruthRelations() {
		st := schema.Forward(rel)
		if len(r.voc.Truths(rel, true)) == 0 || !mayHave(st) {
			continue
		}
		from, to, yes := p.quality(rel, head)
		if to == 0 {
			from, to, yes = p.predicate(rel, head)
		}
		if to == 0 || from > head && p.says(0, "how much") { // who paid is not what they paid
			continue
		}
		main, err := r.list(ctx, p, []piece{span(0, from), span(to, p.len())}, p.text(from, to))
		if err == nil && !main.isPlainList() && !main.isRanked() {
			err = refuse(p.text(from, to), "what is so or not is not a list.")
		}
		if err != nil || !r.isTruly(main, main.pat.Asked, st, yes) {
			return nil, err
		}
		return main, nil
	}
	for noun := p.noun(head+1, p.len()); noun > head; noun = p.noun(noun+1, p.len()) {
		if got := r.trulyBeyond(ctx, p, noun); got != nil {
			return got, nil
		}
	}
	return nil, nil
}

// trulyBeyond is truly for another noun than that of what is asked for: "voyages that carried hazardous containers". It is
// nil where the reading of the rest does not have such things once.
func (r *reader) trulyBeyond(ctx context.Context, p *phrase, noun int) *part {
	for _, rel := range r.voc.TruthRelations() {
		st := schema.Forward(rel)
		if len(r.voc.Truths(rel, true)) == 0 || !r.mayHave(p, noun, st) {
			continue
		}
		from, to, yes := p.quality(rel, noun)
		if to == 0 || from > noun+1 || slices.ContainsFunc(upTo(0, from), func(i int) bool { return p.says(i, "only", "no", "not", "never", "without", "all", "every", "each") }) {
			continue // of which there are no others, or none
		}
		main, err := r.list(ctx, p, []piece{span(0, from), span(to, p.len())}, p.text(from, to))
		if err != nil || !main.isPlainList() {
			return nil // it may be read without
		}
		at := -1
		for _, e := range main.pat.Edges {
			for _, end := range []struct {
				node int
				slot func(schema.Step) schema.Slot
			}{{e.From, schema.Step.From}, {e.To, schema.Step.To}} {
				isOne := func(rel kg.RelationID) bool { return p.NamesSlot(p.word(noun), end.slot(schema.Forward(rel))) }
				if n := main.pat.Nodes[end.node]; end.node == main.pat.Asked || !n.Variable || !slices.ContainsFunc(e.Fixed, isOne) || end.node == at {
					continue
				}
				if at >= 0 {
					return nil
				}
				at = end.node
			}
		}
		if at < 0 || !r.isTruly(main, at, st, yes) {
			return nil
		}
		return main
	}
	return nil
}

// isOfTruth reports whether word i asks for what the graph says yes or no of.
func (p *phrase) isOfTruth(i int) bool {
	for st := range p.word(i).Names {
		if p.Vocabulary.IsTruth(st.Relation()) {
			return true
		}
	}
	return false
}

// isRanked reports whether a part is the first of a list of things.
func (p *part) isRanked() bool {
	m := p.pat.Measure
	return p.pat.Task <= pattern.Count && p.pat.Order != nil && p.pat.Asked >= 0 && (m == nil || m.Func == pattern.CountOf && m.Per == p.pat.Asked)
}

// quality returns where the words of a relation's name stand right before a noun, or behind it as
// its verb or after one of "to be", with what joins them to others of their kind, and whether they
// affirm it; 0 for nowhere.
func (p *phrase) quality(rel kg.RelationID, head int) (from, to int, yes bool) {
	name := p.truthName(rel)
	first := head
	for first > 0 && p.word(first-1).Silent && !p.isName(first-1) { // of "launch vehicle"
		first--
	}
	for i := range p.len() {
		from, to = i, i
		for _, w := range name {
			if to = p.afterThe(to); to == p.len() || p.isName(to) || p.aside[to] || p.word(to).Stem != lexicon.Stem(w) {
				to = i
				break
			}
			to++
		}
		if to-1 == head && to-1 > i { // "spare pumps" by "spare pump"
			to = head
		}
		isName, denied := to > i, false
		for _, is := range p.Vocabulary.Qualities(p.word(i).Lower) {
			if is.Relation == rel && !p.isName(i) && !p.aside[i] && i != head {
				denied, isName, to = is.Denied, true, max(to, i+1)
			}
		}
		_, isRank := p.ordinal(to)
		if !isName || p.says(to, "by", "to", "for", "of", "as", "than") || p.is(to, lastly) || p.match(to, recently) > 0 || isRank && to+1 == p.len() {
			continue // "approved first" asks when
		}
		switch {
		case p.says(from-1, "non"):
			from, denied = from-1, !denied
		case from > 0 && !p.isName(from-1) && lexicon.IsOfNow(p.word(from-1).Lower): // "still active" is what is active
			from--
		}
		yes = !denied
		switch joins := p.says(to, "and"); {
		case joins && p.says(from-1, "both"):
			return from - 1, to + 1, yes
		case joins && p.is(from-1, copulas), joins && to+1 < first:
			return from, to + 1, yes
		case to <= first && !slices.ContainsFunc(upTo(to, first), func(k int) bool { return !p.isName(k) && p.word(k).Stop }): // "electrified French lines"
			return from, to, yes
		case from > head && p.says(from-1, "and"):
			return from - 1, to, yes
		case from > head && (p.is(from-1, copulas) || from == head+1 || p.is(from-1, relatives)):
			return p.beforeVerb(from, head+1), to, yes
		case from > head && p.says(from-1, "both"): // what it was joined to is read
			return p.beforeVerb(from-1, head+1), to, yes
		}
	}
	return 0, 0, false
}

// truthName returns the words of a relation's name that say what is so: "active" of "is still active".
func (p *phrase) truthName(rel kg.RelationID) []string {
	name := lexicon.RelationWords(p.Vocabulary.Graph().RelationName(rel))
	content := slices.DeleteFunc(slices.Clone(name), func(w string) bool { return copulas[w] || lexicon.IsOfNow(w) || w == "the" })
	if len(content) == 0 {
		return name
	}
	return content
}

// predicate returns where the words of a relation's name are, in any order and form, with little words all that is said
// of a noun before them, and whether they affirm it; 0 for nowhere.
//
//	women from X who could sign    could sign
//	flats that allow pets          pets allowed
//	faults that were not under warranty
func (p *phrase) predicate(rel kg.RelationID, head int) (from, to int, yes bool) {
	content := map[string]bool{}
	for _, w := range p.truthName(rel) {
		if !auxiliary[w] && !prepositions[w] && !possesses[w] {
			content[lexicon.Stem(w)] = true
		}
	}
	for from = head + 1; from < p.len() && len(content) > 0; from++ {
		isVerb := p.is(from, auxiliary) || p.is(from, copulas) || p.isHaving(from) || content[p.word(from).Stem] && (p.word(from).IsPast() || strings.HasSuffix(p.word(from).Lower, "ing"))
		isClause := p.is(from, relatives) || from == head+1 && strings.HasSuffix(p.word(from).Lower, "ing")
		if p.isName(from) || !isVerb && !isClause {
			continue
		}
		seen, end, denied := map[string]bool{}, 0, false
		for i := from; i < p.len() && !p.isName(i) && !p.aside[i]; i++ {
			switch w := p.word(i); {
			case content[w.Stem] && !seen[w.Stem]:
				seen[w.Stem], end, yes = true, i+1, !denied
			case w.Lower == "not", w.Lower == "never", w.Lower == "no", p.IsContractedNot(i):
				denied = true
			case i == from, lexicon.IsOfNow(w.Lower), p.is(i, auxiliary), p.is(i, copulas), p.isHaving(i), p.is(i, prepositions), p.behind(i, "the", "a", "an", "its", "their", "his", "her") > i:
			default:
				i = p.len()
			}
		}
		joined, joins := p.says(from-1, "and"), p.says(end, "and")
		switch {
		case len(seen) < len(content), p.is(end, prepositions):
		case joined:
			return from - 1, end, yes
		case end == p.len():
			return from, end, yes
		case joins && isClause && p.is(end+1, relatives), isClause && !joins:
			return from, end, yes
		case joins:
			return from, end + 1, yes
		}
	}
	return 0, 0, false
}

// isHaving reports whether word i is a verb that says no more than that something has, or takes part in, what follows.
func (p *phrase) isHaving(i int) bool {
	w := p.word(i).Lower
	return p.is(i, possesses) || !p.isName(i) && (words.SaysLittle(w) || words.Joins(w))
}

// beforeVerb goes back from word i to no further than another over "to be" and what begins a clause.
func (p *phrase) beforeVerb(i, first int) int {
	for i > first && (p.is(i-1, copulas) || p.is(i-1, relatives)) {
		i--
	}
	return i
}

// isTruly asks that the graph says yes, or no, of a step from a node; it reports false where the graph says
// neither of it.
func (r *reader) isTruly(main *part, node int, st schema.Step, yes bool) bool {
	values := r.voc.Truths(st.Relation(), yes)
	if st.IsBack() || len(values) == 0 {
		return false
	}
	pat := main.pat
	at := slices.IndexFunc(pat.Nodes, func(n pattern.Node) bool { return !n.Variable && slices.Equal(n.Entities, values) })
	if at < 0 { // two qualities have one yes
		at = addNode(pat, pattern.Node{Text: r.voc.Graph().Label(values[0]), Entities: values})
	}
	pat.Edges = append(pat.Edges, r.voc.Edge(node, at, st))
	main.text += " " + r.voc.Arrow(st) + " " + r.voc.Graph().Label(values[0])
	return true
}

// possesses are verbs for having what the graph says yes or no of: a stud "offers visits".
var possesses = lexicon.Words("possesses")

// nounOrRole is noun, or else relationNoun.
func (p *phrase) nounOrRole(from, to int) int {
	if i := p.noun(from, to); i >= 0 {
		return i
	}
	return p.relationNoun(from, to)
}

// relationNoun returns the word of [from, to) that names what a relation leads to; -1
// for none.
func (p *phrase) relationNoun(from, to int) int {
	for i := to - 1; i >= from; i-- {
		if w := p.word(i); w.Mention < 0 && !w.Stop && !w.Silent && len(w.Names) > 0 && !w.ByMeaning {
			return i
		}
	}
	return -1
}
