package operators

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"cairn/engine/kg"
	"cairn/engine/lexicon"
	"cairn/engine/link"
	"cairn/engine/pattern"
	"cairn/engine/plan"
	"cairn/engine/plan/words"
	"cairn/engine/schema"
	"cairn/internal/wording"
)

// Relatives that no relation of the graph leads to by itself: a brother is a male child of a parent.

// kin are the relatives of a name in words [from, to) of a phrase: "X's oldest brother", "the sons of X".
type kin struct {
	from, to, name, noun int
	adjective            int  // "oldest"; −1 for none
	mutual               bool // they are said of a name beside
	steps                [][]schema.Step
	gender               string
}

// kinAt finds relatives of a name in a phrase; nil where it has none, or a relation leads to them.
func (r *reader) kinAt(p *phrase) *kin {
	for i := range p.len() {
		k := &kin{noun: i, name: -1, adjective: -1}
		end := p.endOf(i)
		if p.isName(i) || p.aside[i] || i > 0 && p.endOf(i-1) == end || end < p.len() && p.noun(end, end+1) == end { // "sister companies"
			continue
		}
		if p.says(end, "and") && p.areOfBoth(i, end+1) {
			continue // "brothers and sisters", which the second of them tells
		}
		begin, both, side := i, false, ""
		switch {
		case i > 1 && p.says(i-1, "and") && p.areOfBoth(i-2, i):
			begin, both = i-2, true
			for begin > 0 && p.endOf(begin-1) == i-1 {
				begin--
			}
		case i > 0 && !p.isName(i-1) && lexicon.IsSuperlative(p.word(i-1).Lower):
			begin, k.adjective = i-1, i-1
		case i > 0 && !p.isName(i-1) && lexicon.KinSide(p.word(i-1).Lower) != "":
			begin, side = i-1, lexicon.KinSide(p.word(i-1).Lower)
		}
		switch at := p.afterThe(end + 1); {
		case p.says(end, "of") && p.nameAt(at) > 0 && !p.says(p.nameAt(at), lexicon.Possessive):
			k.name, k.from, k.to = at, p.beforeThe(begin-1)+1, p.nameAt(at)
		case p.says(begin-1, lexicon.Possessive) && p.isName(begin-2):
			k.name, k.to = p.lastName(0, begin-1), end
			k.from = p.beforeThe(k.name-1) + 1
		case p.nameAt(p.afterThe(end+1)) > 0 && p.is(end, auxiliary) && p.says(p.nameAt(p.afterThe(end+1)), "have") && begin == i: // "which sons did X have"
			k.name, k.from, k.to = p.afterThe(end+1), i, p.nameAt(p.afterThe(end+1))+1
		case p.nameAt(p.afterThe(1)) > 0 && p.is(0, auxiliary) && p.says(p.nameAt(p.afterThe(1)), "have") && end == p.len(): // "did X have a sister"
			k.name, k.from, k.to = p.afterThe(1), 1, end
		case p.nameAt(0) > 0 && p.says(p.nameAt(0), "has", "had") && end == p.len():
			k.to = end
			k.name = 0
		case end == p.len() && r.pair(p, i) > 0: // "X and Y are sisters"
			k.name, k.from, k.to, k.mutual = r.pair(p, i), r.pair(p, i)-1, end, true
		default:
			continue
		}
		if k.name >= 0 && k.to == p.len() && k.adjective < 0 && slices.ContainsFunc(upTo(p.nameAt(k.name), k.noun), func(j int) bool {
			return !p.word(j).Stop && !p.says(j, "have", "has", "had", "any") && !p.is(j, copulas)
		}) {
			continue // "does X have an older brother"
		}
		if k.steps, k.gender = r.kinSteps(strings.ToLower(p.word(i).Text), both); k.steps == nil {
			continue
		}
		if side != "" {
			k.steps[0] = slices.DeleteFunc(k.steps[0], func(st schema.Step) bool { return !r.saysGender(st, side) })
		}
		if len(k.steps[0]) > 0 && (side == "" || len(k.steps) > 1) {
			return k
		}
	}
	return nil
}

// pair returns the second of two names, joined by "and", that are all that stands before word i beside a
// copula; 0 for none.
func (r *reader) pair(p *phrase, i int) int {
	first := map[bool]int{true: 1}[p.is(0, copulas)]
	and := p.nameAt(first)
	if end := p.nameAt(and + 1); and > 0 && p.says(and, "and") && end > 0 && (end == i && first == 1 || end == i-1 && first == 0 && p.is(end, copulas)) {
		return and + 1
	}
	return 0
}

// areOfBoth reports whether words i and j are for a man and for a woman who are the same otherwise.
func (p *phrase) areOfBoth(i, j int) bool {
	return j < p.len() && lexicon.IsOtherGender([]string{strings.ToLower(p.word(i).Text)}, strings.ToLower(p.word(j).Text))
}

// endOf returns the word after those that one word of the text is written out as.
func (p *phrase) endOf(i int) int {
	end := i + 1
	for end < p.len() && p.word(end).Start == p.word(i).Start {
		end++
	}
	return end
}

// kinSteps returns the steps to the relatives that a noun names, each the relations along which one may
// go, and the gender that they have beside, if not both are meant; nil where one relation of the graph
// says it all.
func (r *reader) kinSteps(noun string, both bool) (steps [][]schema.Step, gender string) {
	if !both {
		gender = lexicon.Gender(noun)
	}
	if steps = r.stepsNamed(noun); steps == nil && !r.namesCouple(noun) {
		steps = r.composed(noun)
	}
	if steps == nil || len(steps) == 1 && gender == "" && !both {
		return nil, ""
	}
	last := len(steps) - 1
	says := slices.DeleteFunc(slices.Clone(steps[last]), func(st schema.Step) bool { return !r.saysGender(st, gender) }) // "father" for a grandfather
	if gender != "" && len(says) > 0 {
		if last == 0 {
			return nil, ""
		}
		steps[last], gender = says, ""
	}
	return steps, gender
}

// composed puts the steps of a noun together from those of the nouns that it stands for.
func (r *reader) composed(noun string) (steps [][]schema.Step) {
	for _, part := range r.voc.Lexicon().Compound(noun) {
		some := r.stepsNamed(part)
		if some == nil {
			some = r.composed(part)
		}
		if some == nil {
			return nil
		}
		steps = append(steps, some...)
	}
	return steps
}

// stepsNamed returns the steps between things of one kind that a noun names by itself, all in the
// direction that it names best, then in that of most triples; nil for none.
func (r *reader) stepsNamed(noun string) [][]schema.Step {
	w := r.phrase(noun, nil).word(0)
	if strings.ToLower(w.Text) != w.Lower {
		return nil
	}
	g, s := r.voc.Graph(), r.voc.Schema()
	var ways [2][]schema.Step
	var size [2]int
	var weight [2]float64
	put := func(st schema.Step) {
		if way := map[bool]int{true: 1}[st.IsBack()]; s.Canonical(st) == st && !slices.Contains(ways[way], st) {
			ways[way] = append(ways[way], st)
			size[way] += len(g.Having(st.Relation(), true))
			weight[way] = max(weight[way], w.Weight[st])
		}
	}
	for _, st := range slices.Sorted(maps.Keys(w.Names)) {
		if !w.Names[st] || w.ByMeaning || !r.voc.JoinsSame(st.Relation()) || s.Value(schema.Forward(st.Relation()).To()) != schema.NoValue {
			continue
		}
		tail, known := r.voc.NamesEnd(st.Relation(), noun)
		if known && tail == st.IsBack() {
			st = st.Back() // of "father of"
		} else if !known && w.Weight[st] < w.Weight[st.Back()] {
			continue
		}
		if r.voc.Symmetric(st.Relation()) {
			return nil // of a couple, each is the other's
		}
		put(st)
		for _, o := range r.voc.Partner(st.Relation()) {
			if !lexicon.IsGendered(noun) || st.IsBack() {
				put(map[bool]schema.Step{true: schema.Forward(o).Back(), false: schema.Forward(o)}[st.IsBack()])
			}
		}
	}
	way := map[bool]int{true: 1}[weight[1] > weight[0] || weight[1] == weight[0] && size[1] > size[0]]
	if len(ways[way]) == 0 {
		return nil
	}
	return [][]schema.Step{ways[way]}
}

// namesCouple reports whether a noun names a relation by which each is the other's: "sibling" for a brother.
func (r *reader) namesCouple(noun string) bool {
	w := r.phrase(noun, nil).word(0)
	return slices.ContainsFunc(slices.Collect(maps.Keys(w.Names)), func(st schema.Step) bool { return w.Names[st] && !w.ByMeaning && r.voc.Symmetric(st.Relation()) })
}

// relatives is the part that finds those of a kin, and the node of its name.
func (r *reader) relatives(ctx context.Context, p *phrase, k *kin) *part {
	got := &part{pat: &pattern.Pattern{Nodes: []pattern.Node{p.known(k.name)}, Reuse: pattern.ReuseVariables}}
	got.text = r.voc.Graph().Label(p.entitiesOf(k.name)[0])
	at, level := []int{0}, []int{0}
	for _, steps := range k.steps {
		name := "?relative"
		if len(at) == len(k.steps) {
			name = "?" + variableName(&words.Word{Token: lexicon.Token{Lower: strings.ToLower(p.word(k.noun).Text)}})
		}
		n := addNode(got.pat, pattern.Node{Text: name, Variable: true})
		or := wording.Each(steps[1:], schema.Step.Relation)
		got.pat.Edges = append(got.pat.Edges, r.voc.Edge(at[len(at)-1], n, steps[0], or...))
		got.text += " " + r.voc.Arrow(steps[0], or...)
		level = append(level, level[len(level)-1]+map[bool]int{true: -1, false: 1}[steps[0].IsBack()])
		for i, than := range at[1:] { // a parent is no uncle
			if level[i+1] == level[len(level)-1] {
				got.pat.Filters = append(got.pat.Filters, pattern.Filter{Node: n, Op: pattern.Unequal, Than: &than})
			}
		}
		at = append(at, n)
	}
	got.pat.Asked = at[len(at)-1]
	p.doubtNames(got, k.name)
	if k.gender != "" {
		r.ofGender(ctx, got, k.gender)
	}
	return got
}

// ofGender narrows what a part finds down to those of a gender, as far as the graph says it.
func (r *reader) ofGender(ctx context.Context, got *part, gender string) {
	g := r.voc.Graph()
	silent, told := false, false
	for _, e := range r.someOf(ctx, got.pat) {
		switch schema.GenderOf(g, e, r.voc.IsGender) {
		case "":
			silent = true
			got.unsure(plan.Unsure, fmt.Sprintf("No triple says that %s is %s.", g.Label(e), gender))
		case gender:
			told = true
		}
	}
	if silent && !told {
		return
	}
	if more, ok := r.voc.NarrowGender(got.pat, got.pat.Asked, gender); ok {
		got.pat.Edges = append(got.pat.Edges, more...)
		got.text += ", " + gender
	}
}

// genderedEnd narrows what a noun counts at the end of a joint down to those of its gender, where the
// relation does not say it: sons are children who are male.
func (r *reader) genderedEnd(main *part, more *pattern.Pattern, node int, w *words.Word, j *joint) {
	gender := lexicon.Gender(w.Lower)
	if gender == "" || len(w.Types) > 0 || r.saysGender(j.step, gender) {
		return
	}
	edges, ok := r.voc.NarrowGender(main.pat, node, gender)
	if more.Edges = append(more.Edges, edges...); !ok {
		main.unsure(plan.Unsure, fmt.Sprintf("The graph does not say who is %s.", gender))
	}
}

// saysGender reports whether the name of a relation says the gender of those to whom a step leads.
func (r *reader) saysGender(st schema.Step, gender string) bool {
	return !st.IsBack() && slices.ContainsFunc(r.voc.NameOf(st.Relation()), func(w string) bool { return lexicon.Gender(w) == gender })
}

// ofKin reads a question about the relatives of a name: who they are, or what is so of them, which is
// read of one of them and then asked of all.
func (r *reader) ofKin(ctx context.Context, p *phrase) (*part, error) {
	if i := slices.IndexFunc(upTo(1, p.len()), func(i int) bool { return p.says(i, "in law", "in laws") && !p.inRelation(i, 2) }); i >= 0 && lexicon.Gender(p.word(i).Lower) != "" { // i is the word before
		return nil, refuse(p.text(i, i+3), "relatives by marriage are not read yet.")
	}
	k := r.kinAt(p)
	if k == nil {
		return nil, nil
	}
	word := p.text(k.noun, k.noun+1)
	got := r.relatives(ctx, p, k)
	them := r.someOf(ctx, got.pat)
	if k.adjective < 0 && r.isOfCore(ctx, p, k, them) {
		return nil, nil
	}
	if k.adjective >= 0 {
		ranked, err := r.read(ctx, r.cut(p, text("Who is the"), span(k.adjective, k.adjective+1), text("person")), word)
		if err != nil || ranked.pat.Order == nil || len(ranked.pat.Branches) > 0 {
			return nil, err
		}
		got.doubted(ranked)
		order := *ranked.pat.Order
		more := graft(got.pat, ranked.pat, ranked.pat.Asked, got.pat.Asked)
		order.Node = more.Edges[slices.IndexFunc(ranked.pat.Edges, func(e pattern.Edge) bool { return e.To == ranked.pat.Order.Node })].To
		add(got.pat, more)
		got.pat.Order = &order
	}
	says := func(i int) bool {
		w := p.word(i)
		return p.isName(i) || i >= k.to && i == p.len()-1 && p.says(i, "do") || !asking[w.Lower] && !copulas[w.Lower] && !auxiliary[w.Lower] && !fillers[w.Lower] && !p.says(i, "how") && !p.says(i, "many") && !p.says(i, "all") && !p.says(i, "number") && !p.says(i, "any")
	}
	isWho := !slices.ContainsFunc(upTo(0, k.from), says)
	switch asked := slices.ContainsFunc(upTo(0, k.from), func(i int) bool { return p.says(i, "who", "which", "what", "how many") || p.is(i, requested) }) || k.from == 0; {
	case len(k.steps) == 1 && (!isWho || slices.ContainsFunc(upTo(k.to, p.len()), says)):
		return nil, nil // on a longer way people say "husband" for a spouse as well
	case len(them) == 0:
		return nil, refuse(word, fmt.Sprintf("this graph has no %s of %s.", lexicon.Singular(strings.ToLower(word)), r.voc.Graph().Label(p.entitiesOf(k.name)[0])))
	case isWho && !slices.ContainsFunc(upTo(k.to, p.len()), says):
		p.counted(got)
		return got, nil
	case isWho && asked && got.pat.Order == nil: // "which of X's brothers died in 1911"
		rest, err := r.read(ctx, r.people(r.cut(p, text("Who"), span(k.to, p.len()))), word)
		if err != nil {
			return nil, err
		}
		if !rest.isPlainList() {
			return nil, refuse(word, "what is said of them is not a list.")
		}
		got.doubted(rest)
		more := graft(got.pat, rest.pat, rest.pat.Asked, got.pat.Asked)
		add(got.pat, more)
		got.text += " and " + rest.text
		p.counted(got)
		return got, nil
	}
	const tries = 5 // of one of them the graph may not say what is asked
	for _, e := range them[:min(len(them), tries)] {
		if one, err := r.read(ctx, r.relativeNamed(p, k, e), word); err == nil {
			return r.ofThem(one, got, e, word)
		}
	}
	return nil, ctx.Err()
}

// isOfCore reports whether the core reads what a question asks of relatives to whom one relation leads:
// it knows them by a relation of theirs, or nothing in the graph tells that one of them is of the gender.
func (r *reader) isOfCore(ctx context.Context, p *phrase, k *kin, them []kg.EntityID) bool {
	if len(k.steps) > 1 || k.gender == "" {
		return false
	}
	if !slices.ContainsFunc(them, func(e kg.EntityID) bool { return schema.GenderOf(r.voc.Graph(), e, r.voc.IsGender) == k.gender }) {
		return true
	}
	got, err := r.core.Read(ctx, p.Source, p.mentions)
	return err == nil && len(got.Readings) > 0 && got.Doubt == plan.Sure
}

// someOf finds what a pattern asks for, and more where it says that some of it are not the same.
func (r *reader) someOf(ctx context.Context, pat *pattern.Pattern) []kg.EntityID {
	loose := *pat
	loose.Filters = nil
	them, _ := r.core.Answers(ctx, &loose)
	return them
}

// relativeNamed is a phrase with one of the relatives in their place.
func (r *reader) relativeNamed(p *phrase, k *kin, e kg.EntityID) *phrase {
	name := r.voc.Graph().Label(e)
	out := r.cut(p, span(0, k.from), text(name), span(k.to, p.len()))
	at := 0
	if k.from > 0 {
		at = len(r.cut(p, span(0, k.from)).Source) + 1
	}
	m := link.Mention{Start: at, End: at + len(name), Text: name, Candidates: []link.Candidate{{Entity: e}}, Strength: words.SureStrength}
	return r.phrase(out.Source, append(slices.Clone(out.mentions), m))
}

// ofThem is a part that is read of one of some relatives, of all of them.
func (r *reader) ofThem(one, them *part, e kg.EntityID, word string) (*part, error) {
	at := slices.IndexFunc(one.pat.Nodes, func(n pattern.Node) bool { return !n.Variable && slices.Equal(n.Entities, []kg.EntityID{e}) })
	if at < 0 || them.pat.Order != nil && one.pat.Order != nil {
		return nil, refuse(word, "it is unclear what is asked of them.")
	}
	one.pat = copied(one.pat)
	one.pat.Nodes[at] = pattern.Node{Text: them.pat.Nodes[them.pat.Asked].Text, Variable: true}
	more := graft(one.pat, them.pat, them.pat.Asked, at)
	if them.pat.Order != nil {
		order := *them.pat.Order
		edge := slices.IndexFunc(them.pat.Edges, func(e pattern.Edge) bool { return e.To == them.pat.Order.Node })
		order.Node, order.Of = more.Edges[edge].To, &at
		one.pat.Order = &order
	}
	add(one.pat, more)
	one.text = fmt.Sprintf("%s: %s", wording.Quote(them.text), one.text)
	one.doubted(them)
	return one, nil
}

// isMutual reports whether whoever is such a relative of one has that one for such a relative, too.
func (k *kin) isMutual() bool {
	last := len(k.steps) - 1
	return !slices.ContainsFunc(upTo(0, len(k.steps)), func(i int) bool {
		return slices.ContainsFunc(k.steps[i], func(st schema.Step) bool { return !slices.Contains(k.steps[last-i], st.Back()) })
	})
}

// kinClaim reads a claim about relatives of a name: that another is one, that there is one, or what is
// so of one.
func (r *reader) kinClaim(ctx context.Context, p *phrase) (*part, error) {
	k := r.kinAt(p)
	if k == nil || r.denies(p) || k.adjective >= 0 || k.mutual && !k.isMutual() {
		return nil, nil
	}
	got := r.relatives(ctx, p, k)
	them, last := r.someOf(ctx, got.pat), got.pat.Asked
	names := slices.DeleteFunc(p.names(0, p.len()), func(i int) bool { return i == k.name })
	rest := slices.DeleteFunc(append(upTo(0, k.from), upTo(k.to, p.len())...), func(i int) bool {
		return p.isName(i) || p.is(i, copulas) || p.is(i, auxiliary) || p.says(i, "a", "an", "the", "one", "of")
	})
	switch {
	case len(rest) == 0 && len(names) == 1 && last == 1 && !slices.ContainsFunc(p.known(names[0]).Entities, func(e kg.EntityID) bool { return slices.Contains(them, e) }):
		return nil, nil // the plain claim may tell who is, and who is whose the other way round
	case len(rest) == 0 && len(names) == 1:
		got.pat.Nodes[last] = p.known(names[0])
		p.doubtNames(got, names[0])
		if got.text += " is " + p.known(names[0]).Text; last == 1 {
			got.pat.Task, got.pat.Asked = pattern.Verify, -1
			return got, nil
		}
		got.pat.Asked = 1
		return got.verified(pattern.AtLeast, 1), nil
	case len(rest) == 0 && len(names) == 0:
		return got.verified(pattern.AtLeast, 1), nil
	case len(them) == 0 || len(rest) == 0:
		return nil, nil
	}
	n := r.relativeNamed(p, k, them[0])
	out, err := r.whole(ctx, n, true)
	if err != nil || len(out.Readings) == 0 || out.Readings[0].Pattern.Task != pattern.Verify || out.Readings[0].Pattern.Negated {
		return nil, err
	}
	return r.ofThem(&part{pat: out.Readings[0].Pattern, text: out.Readings[0].Text, doubt: out.Doubt, reason: out.Reason}, got, them[0], p.text(k.noun, k.noun+1))
}
