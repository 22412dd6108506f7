package operators

import (
	"cmp"
	"context"
	"fmt"
	"maps"
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

// Operators that make one number of many values: totals, averages, extremes.

// function is an aggregate.
type function struct {
	class [][]string // how it is called
	of    pattern.Func
	text  string
}

// funcs are the aggregates by their words.
var funcs = []function{
	{lexicon.Phrases("sums"), pattern.Sum, "the sum"},
	{lexicon.Phrases("averages"), pattern.Average, "the average"},
	{lexicon.Phrases("medians"), pattern.Median, "the median"},
	{lexicon.Phrases("minima"), pattern.Least, "the least"},
	{lexicon.Phrases("maxima"), pattern.Most, "the most"},
}

// summed reads one number of the values of many things.
func (r *reader) summed(ctx context.Context, p *phrase) (*part, error) {
	if noun := p.noun(3, p.len()); p.says(0, "how many", "how much") && noun > 0 && r.isValue(p, 2) && lexicon.IsPlural(p.word(noun).Lower) && p.says(noun-1, "the", "all") && !p.hasName(0, noun) {
		if got, err := r.summed(ctx, r.cut(p, text("total"), span(2, 3), text("of"), span(noun, p.len()))); err == nil && got != nil { // "how many people live in the cities of X": one number is asked for
			return got, nil
		}
	}
	if end := r.last(p, 2) + 1; p.says(0, "how many") && r.namesNumber(p, 2) && p.is(end, copulas) && p.says(end+1, "there") && !p.hasName(end, p.len()) && (end+2 == p.len() || p.match(end+2, funcs[0].class) == p.len()-end-2) {
		return r.summed(ctx, r.cut(p, text("total"), span(2, end))) // "how many casualties were there": the numbers, and not how many of them
	}
	for _, all := range []string{"in all", "together"} { // "How much did they cost together?"
		if at := p.len() - len(strings.Fields(all)); at > 2 && p.says(at, all) && !p.hasName(at, p.len()) && p.says(0, "how", "what") {
			p = r.cut(p, span(0, at), text("in total"))
		}
	}
	p = r.extreme(p)
	for i := range p.len() { // "the total capacity of X's plants"
		if end := p.nameAt(i); end > 0 && i > 0 && p.says(end, lexicon.Possessive) && p.noun(end+1, end+2) > 0 && lexicon.IsPlural(p.word(end+1).Lower) {
			p = r.cut(p, span(0, i), text("the"), span(end+1, end+2), text("of"), span(i, end), span(end+2, p.len()))
			break
		}
	}
	for _, f := range funcs {
		i, n := p.find(f.class)
		if i < 0 || i > 0 && p.says(i, "mean") && p.word(i-1).Lower == "i" { // "I mean …"
			continue
		}
		word := p.text(i, i+n)
		if r.isInName(p, i) && slices.ContainsFunc(funcs, func(o function) bool { at, _ := p.find(o.class); return at >= 0 && o.of != f.of }) {
			continue // "average total score"
		}
		rest := r.without(p, i, i+n)
		for k := range rest.len() { // "of all cities": a number is made of all
			if rest.says(k, "all") {
				rest = r.without(rest, k, k+1)
			}
		}
		if rest.says(i, "number of") && (r.isProperty(rest, i+2) || r.namesNumber(rest, i+2) || f.of != pattern.Sum && r.isValue(rest, i+2)) { // "the total number of copies"
			rest = r.without(rest, i, i+2)
		}
		if got, err := r.comparedTotal(rest, f.of, f.text, i); got != nil || err != nil {
			return got, err
		}
		if got := r.folded(ctx, rest, f.of, f.text); got != nil {
			return got, nil
		}
		if got := r.totalPer(rest, f.of, f.text); got != nil {
			return got, nil
		}
		if got, err := r.grouped(ctx, rest, f.class[0]); got != nil || err != nil {
			return got, err
		}
		value, st, noun := r.valueOf(rest)
		if noun < 0 {
			if got := r.totalOf(r.rankedTotal(rest, f.of, f.text, false)); got != nil {
				return got, nil
			}
			if got, err := r.summedSaid(ctx, rest, f.of, f.text); got != nil || err != nil {
				return got, err
			}
			if value < 0 || !rest.isBare(0, rest.len(), value) {
				if got := r.madeOf(ctx, rest, f.of, f.text); got != nil {
					return got, nil
				}
			}
			if f.of != pattern.Sum && rest.says(0, "how many") {
				return nil, refuse(word, "it is unclear of which numbers.")
			}
			if (f.of == pattern.Sum && rest.says(i, "number of") || rest.says(0, "how many")) && (value < 0 || !rest.isBare(0, rest.len(), value)) {
				from := rest.noun(0, rest.len())
				if from < 0 && rest.says(0, "how many") {
					from = 2
				} else if from < 0 {
					from = i + 2
				}
				return r.read(ctx, r.cut(rest, text("How many"), span(from, rest.len())), word)
			}
			if value < 0 && f.of >= pattern.Least { // "maximum" may be part of a relation's name
				return nil, nil
			}
			if name := rest.lastName(value+1, rest.len()); value >= 0 && name > 0 && rest.nameAt(name) == rest.len() && rest.beforeThe(name-1) == value+1 && rest.is(value+1, prepositions) {
				if j := r.groupOf(rest, st, name); j != nil { // "average salary in Physics"
					got, err := r.summed(ctx, r.cut(rest, text(strings.Join(f.class[0], " ")), span(0, value+1)))
					if err == nil && got != nil {
						got.pat.Edges = append(got.pat.Edges, r.voc.Edge(got.pat.Measure.Of, addNode(got.pat, rest.known(name)), j.step))
						got.text += " " + r.voc.Arrow(j.step) + " " + rest.text(name, rest.len())
						got.unsure(plan.Unsure, r.takesAll(j))
						rest.doubtNames(got, name)
					}
					return got, err
				}
			}
			if value < 0 || !rest.isBare(0, rest.len(), value) {
				return nil, refuse(word, "it is unclear of which values.")
			}
		}
		st, doubt := r.toldApart(rest, value, noun, st, word)
		end := rest.trim(max(noun, 0), rest.len())
		if value > noun && noun >= 0 {
			end = rest.trim(noun, value)
		}
		of := &part{pat: &pattern.Pattern{Nodes: []pattern.Node{{Text: "?thing", Variable: true}}, Reuse: pattern.ReuseVariables}, text: "anything"}
		var err error
		if noun >= 0 {
			if of, err = r.things(ctx, rest, r.qualifiers(rest, noun), end, word); err != nil {
				if got := r.madeOf(ctx, rest, f.of, f.text); got != nil {
					return got, nil
				}
				return nil, err
			}
		}
		if !of.isPlainList() {
			return nil, refuse(word, "what has the values is not a list.")
		}
		has := func(e kg.EntityID) bool { return len(r.voc.Schema().Edges(e, st)) > 0 }
		es, ok := r.core.Answers(ctx, of.pat)
		if ok && len(es) > 0 && !slices.ContainsFunc(es, has) { // "hydro plants" may be read as what plants are
			if got := r.madeOf(ctx, rest, f.of, f.text); got != nil {
				return got, nil
			}
		}
		of.pat = copied(of.pat)
		of.pat.Task = pattern.Find
		if err := r.withNames(rest, of, es, word); err != nil {
			return nil, err
		}
		more, node := r.extend(of.pat, of.pat.Asked, st, nil, variableName(rest.word(value)))
		add(of.pat, more)
		of.pat.Measure = &pattern.Measure{Func: f.of, Node: node, Of: of.pat.Asked, Per: -1}
		if doubt != "" {
			of.unsure(plan.Ambiguous, doubt)
		}
		of.text = fmt.Sprintf("%s of %s of: %s", f.text, r.voc.Graph().RelationText(st.Relation()), of.text)
		return of, nil
	}
	return nil, nil
}

// withNames joins to things the names of a phrase that none of them was read with: "How much did X pay for lessons
// altogether?" asks for the lessons of X. It refuses a name that they are not joined to in one way.
func (r *reader) withNames(p *phrase, of *part, things []kg.EntityID, word string) error {
	s := r.voc.Schema()
	for _, name := range p.names(0, p.len()) {
		es := p.entitiesOf(name)
		is := func(n pattern.Node) bool {
			return slices.ContainsFunc(n.Entities, func(e kg.EntityID) bool { return slices.Contains(es, e) })
		}
		if r.isLiteral(p, name) || slices.ContainsFunc(of.pat.Nodes, is) {
			continue
		}
		j := r.only(func(st schema.Step) bool {
			return slices.ContainsFunc(things, func(e kg.EntityID) bool {
				return slices.ContainsFunc(s.Edges(e, st), func(x kg.Edge) bool { return slices.Contains(es, x.Entity) })
			})
		})
		if j == nil {
			return refuse(word, fmt.Sprintf("it is unclear what they have to do with %s.", wording.Quote(p.text(name, p.nameAt(name)))))
		}
		of.pat.Edges = append(of.pat.Edges, r.voc.Edge(of.pat.Asked, addNode(of.pat, p.known(name)), j.step))
		of.text += " " + r.voc.Arrow(j.step) + " " + p.text(name, p.nameAt(name))
		of.unsure(plan.Unsure, fmt.Sprintf("No word asks for %s, by which the reading joins them to %s.", wording.Quote(r.voc.Graph().RelationText(j.step.Relation())), wording.Quote(p.text(name, p.nameAt(name)))))
		p.doubtNames(of, name)
	}
	return nil
}

// madeOf makes one number of those that the rest of a question asks for: "average price of the dips". It
// is nil where that asks for anything else.
func (r *reader) madeOf(ctx context.Context, p *phrase, f pattern.Func, funcText string) *part {
	if !p.is(0, questions) {
		p = r.cut(p, text("What is the"), span(p.begin(0, p.len()), p.len()))
	}
	got, err := r.read(ctx, p, p.Source)
	if err != nil || !got.isPlainList() {
		return nil
	}
	asked, of := got.pat.Asked, -1
	for _, e := range got.pat.Edges {
		switch {
		case e.To == asked && of < 0 && len(e.Fixed) > 0 && r.voc.Schema().Value(schema.Forward(e.Fixed[0]).To()) == schema.NumberValue:
			of = e.From
		case e.To == asked || e.From == asked:
			return nil
		}
	}
	if of < 0 {
		return nil
	}
	if one := got.pat.Nodes[of]; !one.Variable && (f == pattern.Average || f == pattern.Median) {
		e := got.pat.Edges[slices.IndexFunc(got.pat.Edges, func(e pattern.Edge) bool { return e.To == asked })]
		if len(r.voc.Graph().OutBy(one.Entities[0], e.Fixed[0])) == 1 && !slices.ContainsFunc(r.voc.NameOf(e.Fixed[0]), func(w string) bool { return w == "average" || w == "mean" }) {
			got.unsure(plan.Ambiguous, fmt.Sprintf("%s has one such value, which is no average.", wording.Quote(r.voc.Graph().Label(one.Entities[0]))))
		}
	}
	got.pat = copied(got.pat)
	got.pat.Task = pattern.Find
	got.pat.Measure = &pattern.Measure{Func: f, Node: asked, Of: of, Per: -1}
	got.text = fmt.Sprintf("%s of: %s", funcText, got.text)
	return got
}

// namesNumber reports whether the phrase at word i is in the name of the one relation to a value that it
// asks for, and that value says how many there are: the age of casualties does not.
func (r *reader) namesNumber(p *phrase, i int) bool {
	steps := r.valueSteps(p, i)
	for st := range steps {
		name := r.voc.NameOf(st.Relation())
		isCount := r.voc.Counts(st.Relation()) || counts[name[len(name)-1]] && r.voc.Schema().Value(st.To()) == schema.NumberValue
		return len(steps) == 1 && isCount && r.isValue(p, i) && slices.Contains(lexicon.Stems(r.voc.Graph().RelationText(st.Relation())), p.word(r.last(p, i)).Stem)
	}
	return false
}

// extreme puts "maximum" and "minimum" for the superlative before the name of a number that many things
// have: "the greatest height of the trees" is a height, and no tree.
func (r *reader) extreme(p *phrase) *phrase {
	at := p.begin(0, p.len())
	if at+3 >= p.len() || !p.says(0, "what") || p.isName(at) || !lexicon.IsSuperlative(p.word(at).Lower) {
		return p
	}
	of := slices.IndexFunc(upTo(0, p.len()), func(j int) bool { return j > at+1 && p.says(j, "of") })
	noun := p.noun(of+1, p.len())
	compared := r.voc.Lexicon().Comparisons(p.word(at).Lower)
	if of < 0 || len(compared) == 0 || noun < 0 || p.hasName(at, noun) || !lexicon.IsPlural(p.word(noun).Lower) || !r.isValue(p, of-1) || p.noun(at, of-1) >= 0 {
		return p
	}
	for st := range r.valueSteps(p, of-1) {
		if r.voc.Schema().Value(st.To()) != schema.NumberValue {
			return p
		}
	}
	return r.cut(p, span(0, at), text(map[bool]string{true: "minimum", false: "maximum"}[compared[0].Less]), span(at+1, p.len()))
}

// grouped reads "height of the trees per park" and "volume of the tanks by maker", without the word of
// the aggregate: one number for each thing of the kind that the last noun names. It is nil where no
// group ends the phrase, and refuses one that nothing joins to what has the values.
func (r *reader) grouped(ctx context.Context, p *phrase, aggregate []string) (*part, error) {
	last := p.len() - 1
	i := slices.IndexFunc(upTo(0, p.len()), func(j int) bool { return j > 0 && j < last && p.match(j, eachs) > 0 })
	if i < 0 || p.isName(last) || p.says(i, "each", "every") {
		return nil, nil
	}
	by := p.behind(i+p.match(i, eachs), "of", "the")
	per, isBy, word := p.groupNoun(by), p.says(i, "by"), p.text(i, p.len())
	if k := p.relationNoun(last, p.len()); per < 0 && !isBy && k == last {
		per = k // "per land use", where nothing is typed so
	}
	switch {
	case isBy && (per != last || p.word(i-1).IsPast() || lexicon.IsPlural(p.word(last).Lower)), per >= 0 && r.isValue(p, per):
		return nil, nil
	case per != last:
		return nil, refuse(word, "this graph has no type with that name.")
	}
	var j *joint
	for head := 0; head < i && j == nil; head++ {
		if p.noun(head, head+1) == head && !r.isValue(p, head) {
			j = r.joins(p, head, per, nil, false)
		}
	}
	value, st, _ := r.valueOf(p)
	loose := j == nil
	if loose && value >= 0 {
		j = r.groupOf(p, st, per)
	}
	if j == nil {
		return nil, refuse(word, "no relation in this graph leads to such a group.")
	}
	begin := p.begin(0, i)
	got, err := r.summed(ctx, r.cut(p, text(strings.Join(aggregate, " ")), span(begin, i)))
	if err != nil || got == nil {
		return nil, err
	}
	m := got.pat.Measure
	if m == nil || m.Per >= 0 || m.Of < 0 || len(got.pat.Branches) > 0 {
		return nil, refuse(word, "only numbers of entities are read by groups.")
	}
	kind, err := r.narrowed(p, per, j.step, word)
	if err != nil {
		return nil, err
	}
	got.doubted(kind)
	more, node := r.extend(got.pat, m.Of, j.step, kind, variableName(p.word(per)))
	add(got.pat, more)
	m.Per, got.pat.Asked = node, node
	r.doubtJoint(p, got, j, nil)
	if loose {
		got.unsure(plan.Unsure, r.takesAll(j))
	}
	got.text = fmt.Sprintf("for each %s: %s", p.word(per).Lower, got.text)
	return got, nil
}

// takesAll says of what a number is made that a question asks for of no things.
func (r *reader) takesAll(j *joint) string {
	return fmt.Sprintf("The question does not say of what; the reading takes all that have %s.", wording.Quote(r.voc.Graph().RelationText(j.step.Relation())))
}

// groupOf is the one step from all that has a value to what a noun names, or to things like that which a
// name does; nil for none or several.
func (r *reader) groupOf(p *phrase, value schema.Step, noun int) *joint {
	s := r.voc.Schema()
	var types []kg.TypeID
	if p.isName(noun) {
		types = r.voc.Graph().Types(p.entitiesOf(noun)[0])
	}
	return r.only(func(to schema.Step) bool {
		is := p.NamesSlot(p.word(noun), to.To()) || p.word(noun).Names[to] && !to.IsBack() || slices.ContainsFunc(types, func(t kg.TypeID) bool { return s.Types(to.To())[t] >= words.TypeShareMin })
		return is && s.Shared(to.From(), value.From()) >= s.Size(value.From())
	})
}

// only is the one step that is so; nil for none or several.
func (r *reader) only(is func(schema.Step) bool) *joint {
	s := r.voc.Schema()
	found := slices.DeleteFunc(s.Steps(), func(st schema.Step) bool { return s.Canonical(st) != st || !is(st) })
	if len(found) != 1 {
		return nil
	}
	return &joint{step: found[0]}
}

// qualifiers returns where the words begin that narrow a noun down from before it: "stone bridges".
func (r *reader) qualifiers(p *phrase, noun int) int {
	from := noun
	for from > 0 && (p.isName(from-1) || !p.word(from-1).Stop && !fillers[p.word(from-1).Lower] && !asking[p.word(from-1).Lower] && !p.says(from-1, "how") && !r.isValue(p, from-1) && !p.is(from-1, auxiliary)) {
		from--
	}
	return from
}

// summedSaid reads "total share held by X" and "average weight of the routes from A": a number
// that statements say, of all triples that the rest asks for. It is nil where no word names one.
func (r *reader) summedSaid(ctx context.Context, p *phrase, f pattern.Func, text string) (*part, error) {
	var refused error
	for i := range p.len() {
		for _, head := range []string{"What is", "What are the", "Which"} {
			if p.isName(i) || !r.isProperty(p, i) {
				continue
			}
			from := p.behind(i+1, "of", "the", "all")
			if p.begin(0, i) < i || from >= p.len() {
				continue
			}
			got, err := r.read(ctx, r.cut(p, piece{text: head}, span(from, p.len())), p.word(i).Text)
			if ctx.Err() != nil {
				return nil, ctx.Err()
			}
			if err == nil && got.doubt != plan.Sure {
				err = refuse(p.word(i).Text, got.reason)
			}
			if refused = cmp.Or(refused, err); err != nil || !got.isPlainList() || len(got.pat.Branches) > 0 {
				continue
			}
			edge, name := -1, ""
			for k, e := range got.pat.Edges {
				for _, rel := range e.Fixed {
					if n, end := r.core.Property(p.Question, i, rel, true); end == i+1 && !e.Closure {
						if edge >= 0 && edge != k {
							return nil, refuse(p.word(i).Text, "several relations of the reading have it.")
						}
						edge, name = k, n
					}
				}
			}
			if edge < 0 {
				continue
			}
			got.pat = copied(got.pat)
			got.pat.Task = pattern.Find
			got.pat.Measure = &pattern.Measure{Func: f, Node: got.pat.Asked, Of: -1, Property: name, Edge: edge, Per: -1}
			got.text = fmt.Sprintf("%s of %s of: %s", text, r.voc.Graph().PropertyText(name), got.text)
			return got, nil
		}
	}
	return nil, refused
}

// isProperty reports whether a word names a number that the statements of some relation say.
func (r *reader) isProperty(p *phrase, i int) bool {
	return slices.ContainsFunc(upTo(0, r.voc.Graph().Relations()), func(rel int) bool {
		name, _ := r.core.Property(p.Question, i, kg.RelationID(rel), true)
		return name != ""
	})
}

// folded reads "average number of films per director", without its first word, as one
// number of the counts of all; nil where it is none.
func (r *reader) folded(ctx context.Context, p *phrase, f pattern.Func, text string) *part {
	if f == pattern.Sum {
		return nil
	}
	if i := slices.IndexFunc(upTo(2, p.len()-1), func(i int) bool { return p.says(i, "a", "an", "the") && p.noun(i+1, i+2) > 0 }); i >= 0 && (p.says(0, "how many") || p.says(0, "what is the number of", "number of", "the number of") && (p.is(i-1, relatives) || p.is(i-1, prepositions))) {
		p = r.cut(p, span(0, i+2), piece{text: "each"}, span(i+3, p.len())) // "how many films does a director make"
	}
	got, err := r.perEach(ctx, p)
	if err != nil || got == nil {
		return nil
	}
	m := got.pat.Measure
	m.Every, m.Fold = true, &f
	got.text = text + " of the numbers, " + got.text
	return got
}

// valueOf returns the word that names a value, the step to it, and the noun of what has
// it; -1 where there is none. Of several, the first says what is asked: "the length of the 132 kV lines".
func (r *reader) valueOf(p *phrase) (value int, st schema.Step, noun int) {
	best, loose := 0.0, 0.0
	value, noun = -1, -1
	for i := range p.len() {
		steps := r.valueSteps(p, i)
		for _, s := range slices.Sorted(maps.Keys(steps)) {
			weight := steps[s]
			for j := range p.len() {
				w := p.word(j)
				if j == i || p.isName(j) || w.Silent || !w.IsNamedKind() || !r.mayHave(p, j, s) {
					continue
				}
				if weight > best || weight == best && i == value && (s < st || s == st && j < noun) {
					best, value, st, noun = weight, i, s, j
				}
				break
			}
			if value < 0 || noun < 0 && weight > loose {
				value, st, loose = i, s, weight
			}
		}
	}
	if best == 0 {
		noun = -1
	}
	return value, st, noun
}

// isInName reports whether word i and one beside it are of the name of one value: "total score".
func (r *reader) isInName(p *phrase, i int) bool {
	return slices.ContainsFunc([]int{i - 1, i + 1}, func(at int) bool {
		for st := range r.valueSteps(p, at) {
			if name := lexicon.Stems(r.voc.Graph().RelationText(st.Relation())); slices.Contains(name, p.word(i).Stem) && slices.Contains(name, p.word(at).Stem) {
				return true
			}
		}
		return false
	})
}

// toldApart is the value of those that word i names alike whose name has the most words of the phrase, and of
// the aggregate, and else the fewest others: the "total score" is called "scores total". The doubt says that
// several do, "" for none.
func (r *reader) toldApart(p *phrase, i, noun int, st schema.Step, aggregate string) (told schema.Step, doubt string) {
	name := func(s schema.Step) string { return r.voc.Graph().RelationText(s.Relation()) }
	said := lexicon.Stems(aggregate)
	for k := range p.len() {
		if !p.isName(k) {
			said = append(said, p.word(k).Stem)
		}
	}
	fit := func(s schema.Step) (n int) {
		for _, w := range lexicon.Stems(name(s)) {
			if n--; slices.Contains(said, w) {
				n += len(said)
			}
		}
		return n
	}
	steps := r.valueSteps(p, i)
	told = st
	for _, s := range slices.Sorted(maps.Keys(steps)) {
		if s == st || steps[s] < steps[st] || r.voc.Schema().Value(s.To()) != r.voc.Schema().Value(st.To()) || noun >= 0 && !r.mayHave(p, noun, s) {
			continue
		}
		switch a, b := fit(s), fit(told); {
		case a > b:
			told, doubt = s, ""
		case a == b:
			doubt = fmt.Sprintf("The graph says this by %s and by %s; the reading takes %s.", wording.Quote(name(told)), wording.Quote(name(s)), wording.Quote(name(told)))
		}
	}
	return told, doubt
}

// mayHave reports whether the things that a noun names, or some of them, have what a step leads to.
func (r *reader) mayHave(p *phrase, noun int, st schema.Step) bool {
	isThere := func(t kg.TypeID) bool { return r.voc.Schema().Types(st.From())[t] > 0 }
	return p.NamesSlot(p.word(noun), st.From()) || slices.ContainsFunc(p.word(noun).Types, isThere)
}
