package operators

import (
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

// Operators that count.

var (
	atLeast    = lexicon.Phrases("at least")
	atMost     = lexicon.Phrases("at most")
	moreThan   = lexicon.Phrases("more than")
	fewerThan  = lexicon.Phrases("fewer than")
	exactly    = lexicon.Phrases("exactly")
	orMore     = lexicon.Phrases("or more")
	orFewer    = lexicon.Phrases("or fewer")
	most       = lexicon.Phrases("the most")
	fewest     = lexicon.Phrases("the fewest")
	eachs      = lexicon.Phrases("for each")
	tops       = lexicon.Words("rank")
	mostCommon = lexicon.Words("most common")
	scales     = lexicon.Words("amounts")
	lastly     = lexicon.Words("first and last")
	recently   = lexicon.Phrases("most recently")
	anyOther   = lexicon.Phrases("than any other")
)

// split says where, in words [0, end), what a question is about ends and what joins it
// to what is counted begins, and which noun it is about; -1 for a person.
func (p *phrase) split(end int) (noun, headEnd int) {
	noun = p.noun(0, end)
	if p.says(0, "who") && noun >= 0 && !p.says(noun+1, "with", "that", "who", "whose", "having") {
		noun = -1 // "who was director of": the noun belongs to the verb
	}
	headEnd = noun + 1
	if name := p.lastName(0, end); name >= 0 && noun >= 0 {
		headEnd = max(headEnd, p.nameAt(name))
	}
	if noun < 0 && !p.says(0, "who") {
		noun = p.relationNoun(0, end) // "auditors", where nothing is typed so
		headEnd = noun + 1
	}
	if noun < 0 {
		headEnd = min(1, end)
	}
	return noun, headEnd
}

// subject reads what a question is about: words [0, end), or people in general.
func (r *reader) subject(ctx context.Context, p *phrase, noun, end int, word string) (*part, error) {
	if noun < 0 {
		if !p.says(0, "who") && !p.says(0, "what") && !p.says(0, "where") {
			return nil, refuse(word, "it is unclear what it is about.")
		}
		return &part{pat: &pattern.Pattern{Nodes: []pattern.Node{{Text: "?who", Variable: true}}, Reuse: pattern.ReuseVariables}, text: "anyone"}, nil
	}
	if w := p.word(noun); !w.IsNamedKind() && !p.hasName(0, end) {
		return anything(w), nil
	}
	got, err := r.things(ctx, p, 0, end, word)
	if err != nil {
		return nil, err
	}
	if !got.isPlainList() {
		return nil, refuse(word, "what it is about is not a list.")
	}
	got.pat = copied(got.pat)
	return got, nil
}

// anything is what nothing but the rest of a question says of, by the name of a word.
func anything(w *words.Word) *part {
	return &part{pat: &pattern.Pattern{Nodes: []pattern.Node{{Text: "?" + variableName(w), Variable: true}}, Reuse: pattern.ReuseVariables}, text: "any " + w.Lower}
}

// tally is a joint between what a question is about and what is counted of it.
type tally struct {
	main  *part
	more  *pattern.Pattern // what it adds: the edge to what is counted, and what that is
	node  int              // what is counted
	arrow string
}

// tallied reads what is counted, words [from, to), of what words [0, headEnd) are about.
func (r *reader) tallied(ctx context.Context, p *phrase, noun, headEnd, at, from, to int, word string) (*tally, error) {
	counted := p.noun(from, to)
	if counted < 0 || counted > from+3 {
		if k := p.relationNoun(from, min(from+3, to)); k >= 0 {
			counted = k
		}
	}
	if counted < 0 {
		return nil, refuse(word, "it is unclear what is counted.")
	}
	after := counted + 1
	between := slices.Concat(upTo(headEnd, at), upTo(from, counted))
	var of *part
	var err error
	if p.hasName(after, to) || p.hasYear(after, to) || r.hasBound(p, after, to) {
		if of, err = r.things(ctx, p, from, to, word); err == nil && !of.isPlainList() {
			err = refuse(word, "what is counted is not a list.")
		}
	} else {
		between = append(between, upTo(after, to)...)
		if p.word(counted).IsNamedKind() {
			of, _ = r.root(p, counted, word) // or it names a relation alone
		}
	}
	if err != nil {
		return nil, err
	}
	main, err := r.subject(ctx, p, noun, headEnd, word)
	if err != nil {
		return nil, err
	}
	return r.joined(p, main, of, noun, counted, between, word)
}

// joined joins what a question is about, which word head names, to what is counted of it:
// what another part finds, or anything that a word names.
func (r *reader) joined(p *phrase, main, of *part, head, counted int, between []int, word string) (*tally, error) {
	j := r.joins(p, head, counted, between, true)
	if j == nil && head >= 0 {
		j = r.throughRows(p, r.voc.StepsCalled(p.word(head)), counted, between)
	}
	if j == nil {
		return nil, refuse(word, fmt.Sprintf("no relation in this graph connects it to %s.", wording.Quote(p.word(counted).Text)))
	}
	if n := &main.pat.Nodes[main.pat.Asked]; n.Within != nil && head >= 0 && j.step.IsBack() && r.voc.IsCalled(j.step.Back(), p.word(head).Lower) {
		n.Within = slices.Concat(n.Within, r.voc.Graph().Tails(j.step.Relation())) // who directs is a director, typed so or not
		n.Within = kg.Distinct(n.Within)
	}
	t := &tally{main: main, arrow: r.arrow(j)}
	if of != nil && len(of.pat.Edges) == 0 && !r.narrows(p.word(counted), j.step) {
		of = nil
	}
	t.more, t.node = r.follow(main.pat, main.pat.Asked, j, of, variableName(p.word(counted)))
	r.genderedEnd(main, t.more, t.node, p.word(counted), j)
	if of != nil {
		main.doubted(of)
		if len(of.pat.Edges) > 0 {
			t.arrow += " (" + of.text + ")"
		}
	}
	r.doubtJoint(p, main, j, between)
	r.doubtCounted(p, main, head, counted, between, j.step)
	return t, nil
}

// doubtCounted notes that what is counted is a number of the graph as well, the "pupils" of a class, or
// that "who" may not ask for what has it.
func (r *reader) doubtCounted(p *phrase, main *part, head, counted int, between []int, st schema.Step) {
	for v := range r.valueSteps(p, counted) {
		if head >= 0 && p.NamesSlot(p.word(head), v.From()) && r.voc.IsCalled(v, p.word(counted).Lower) {
			main.unsure(plan.Ambiguous, fmt.Sprintf("The graph also gives %s as a number; the reading counts.", wording.Quote(r.voc.Graph().RelationText(v.Relation()))))
		}
	}
	if p.says(counted, "people", "persons") && !r.voc.IsAnswer(st.To(), lexicon.Person) {
		main.unsure(plan.Unsure, fmt.Sprintf("Nothing in the graph says that %s leads to people.", wording.Quote(r.voc.Arrow(st))))
	}
	if head >= 0 || !p.says(0, "who") || r.voc.IsAnswer(st.From(), lexicon.Person) {
		return
	}
	isSaid := slices.ContainsFunc(between, func(i int) bool {
		w := p.word(i)
		return !w.Stop && !light[w.Lower] && !auxiliary[w.Lower] && w.Weight[st] > 0
	})
	if !isSaid || r.voc.IsAnswer(st.From(), lexicon.Place) { // "who designed the most" asks for whatever designs
		main.unsure(plan.Unsure, fmt.Sprintf("“Who” asks for someone, but the reading asks for what has %s.", wording.Quote(r.voc.Arrow(st))))
	}
}

// talliedThrough is tallied where what is counted is that of other things: "wrote books of at least four
// genres". They stand before the number, or nothing else leads there: "have at least two publishers". It
// is nil where that is in doubt.
func (r *reader) talliedThrough(ctx context.Context, p *phrase, noun, headEnd, at, from, to int) *tally {
	counted, through := p.nounOrRole(from, to), p.noun(headEnd, at)
	if counted < 0 || p.hasName(headEnd, to) {
		return nil
	}
	between := append(upTo(headEnd, at), slices.DeleteFunc(upTo(from, to), func(i int) bool { return i == counted || differing[p.word(i).Lower] })...)
	var first, second *joint
	if through >= 0 {
		first, second = r.joins(p, noun, through, upTo(headEnd, through), false), r.joins(p, through, counted, between[through+1-headEnd:], false)
	} else if noun >= 0 {
		first, second = r.onlyWay(p, noun, counted, between)
	}
	if first == nil || second == nil || first.rival != nil || second.rival != nil {
		return nil
	}
	main, err := r.subject(ctx, p, noun, headEnd, p.word(counted).Text)
	if err != nil {
		return nil
	}
	of, _ := r.narrowed(p, through, first.step, "")
	t := &tally{main: main, arrow: r.voc.Arrow(first.step) + " " + r.voc.Arrow(second.step)}
	more, thing := r.extend(main.pat, main.pat.Asked, first.step, of, "thing")
	of, _ = r.narrowed(p, counted, second.step, "")
	last, node := r.extend(main.pat, thing, second.step, of, variableName(p.word(counted)))
	add(more, last)
	t.more, t.node = more, node
	if through >= 0 {
		r.doubtCounted(p, main, through, counted, nil, second.step)
	} else {
		main.unsure(plan.Unsure, fmt.Sprintf("The reading goes by %s, which the question does not name.", wording.Quote(t.arrow)))
	}
	return t
}

// onlyWay is the one way of two steps from things of the kind that one noun names to those of another,
// of which the words between name some.
func (r *reader) onlyWay(p *phrase, from, to int, between []int) (first, second *joint) {
	s := r.voc.Schema()
	anywhere := func(schema.Slot) bool { return true }
	for _, a := range r.voc.Ways(func(at schema.Slot) bool { return p.NamesSlot(p.word(from), at) }, anywhere) {
		for _, b := range r.voc.Ways(func(at schema.Slot) bool { return s.Shared(a.To(), at) > 0 }, anywhere) {
			isUnheard := func(i int) bool { return r.isUnheard(p, i, a) && r.isUnheard(p, i, b) }
			if s.Canonical(a) != a || s.Canonical(b) != b || a.Relation() == b.Relation() || p.word(to).Weight[b] <= 0 || slices.ContainsFunc(between, isUnheard) {
				continue
			}
			if first != nil {
				return nil, nil
			}
			first, second = &joint{step: a}, &joint{step: b}
		}
	}
	return first, second
}

// differing are words that say of things that they are not the same, which those that are counted are not.
var differing = lexicon.WordSet("different distinct various separate")

// hasBound reports whether words [from, to) compare an amount: "over 400 kV", "longer than 100 km", "of 2 m".
func (r *reader) hasBound(p *phrase, from, to int) bool {
	return slices.ContainsFunc(upTo(from, to), func(i int) bool {
		b, ok := r.voc.BoundAt(p.Question.Words, i)
		at := i
		if ok {
			at = b.To
		}
		if at >= to || !strings.ContainsAny(p.word(at).Lower[:1], "0123456789") || p.isName(at) {
			return false
		}
		us, _ := p.unitAt(at + 1)
		return ok || us != nil
	})
}

// hasYear reports whether words [from, to) hold a year that is no name.
func (p *phrase) hasYear(from, to int) bool {
	return slices.ContainsFunc(upTo(from, to), func(i int) bool { return !p.isName(i) && schema.IsYear(p.word(i).Lower) })
}

// narrows reports whether a word names a type that not everything at the end of a step
// has. A translator is who something was translated by, and a librettist what "librettist" leads to,
// typed so or not.
func (r *reader) narrows(w *words.Word, st schema.Step) bool {
	if r.voc.IsCalled(st, w.Lower) {
		return false
	}
	if verb, byTail := r.verbOf(st); verb != "" && lexicon.Agent(w.Lower) == verb && byTail != st.IsBack() {
		return false
	}
	if isEither := func(t kg.TypeID) bool { return r.voc.Schema().Types(st.From())[t] > 0 }; w.Names[st] && r.voc.JoinsSame(st.Relation()) && slices.ContainsFunc(w.Types, isEither) {
		return false // children are whose parent something is, whomever the graph calls so
	}
	if p := w.Names[st] && !st.IsBack() && slices.Contains(r.voc.Called(w.Stem), st.Relation()); p {
		return false // "no librettist": whoever is, whatever else the graph says that they are
	}
	share := 0.0
	for _, t := range w.Types {
		share += r.voc.Schema().Types(st.To())[t]
	}
	return len(w.Types) > 0 && share < 1
}

// narrowed is what a noun narrows the end of a step down to; nil where it says no more than the step.
func (r *reader) narrowed(p *phrase, noun int, st schema.Step, word string) (*part, error) {
	if noun < 0 || !r.narrows(p.word(noun), st) {
		return nil, nil
	}
	return r.root(p, noun, word)
}

// thresholds are the words before a number of what is counted.
var thresholds = []struct {
	class [][]string
	op    pattern.Op
}{{atLeast, pattern.AtLeast}, {atMost, pattern.AtMost}, {moreThan, pattern.Greater}, {fewerThan, pattern.Less}, {exactly, pattern.Equal}}

// threshold reads "at least three" at word i, and "three or more". It returns the word
// after.
func (p *phrase) threshold(i int) (op pattern.Op, n, after int) {
	for _, t := range thresholds {
		if k := p.match(i, t.class); k > 0 {
			if n, ok := p.number(i + k); ok && !p.is(i+k+1, scales) {
				return t.op, n, i + k + 1
			}
		}
	}
	if n, ok := p.number(i + 1); ok && p.match(i, onlys) > 0 && !p.is(i+2, scales) { // "only one director"
		return pattern.Equal, n, i + 2
	}
	if n, ok := p.number(i + 1); ok && p.says(i, "between") && p.says(i+2, "and") {
		if _, ok := p.number(i + 3); ok && !p.is(i+4, scales) {
			return pattern.AtLeast, n, i + 4
		}
	}
	if n, ok := p.number(i); ok {
		if k := p.match(i+1, orMore); k > 0 {
			return pattern.AtLeast, n, i + 1 + k
		}
		if k := p.match(i+1, orFewer); k > 0 {
			return pattern.AtMost, n, i + 1 + k
		}
	}
	return 0, 0, 0
}

// mostCounted is the number from which on a number is a value and no count.
const mostCounted = 1000

// countedAfter puts what says how many before what is counted: "at least 3 books" for "3
// books or more"; nil where nothing stands so behind the number at word i.
func (r *reader) countedAfter(p *phrase, i int) *phrase {
	if _, ok := p.number(i); !ok || i+2 >= p.len() || r.isValue(p, i+1) || p.noun(i+1, i+2) < 0 && p.relationNoun(i+1, i+2) < 0 {
		return nil
	}
	op, n := "at least", p.match(i+2, orMore)
	if n == 0 {
		op, n = "at most", p.match(i+2, orFewer)
	}
	if n == 0 {
		return nil
	}
	return r.cut(p, span(0, i), text(op), span(i, i+2), span(i+2+n, p.len()))
}

// quantified reads things of which there are so many: "directors with at least 3 films".
func (r *reader) quantified(ctx context.Context, p *phrase) (*part, error) {
	for i := range p.len() {
		if q := r.countedAfter(p, i); q != nil {
			return r.quantified(ctx, q)
		}
		if got, err := r.quantifiedSaid(ctx, p); got != nil || err != nil {
			return got, err
		}
		op, n, after := p.threshold(i)
		if after == 0 || after >= p.len() || n >= mostCounted || r.isValue(p, after) || !p.isCounted(after) {
			continue
		}
		if us, to := p.unitAt(after); us != nil && p.says(to, "of") && r.isValue(p, to+1) { // "10 g of protein"
			continue
		}
		word := p.text(i, after)
		noun, headEnd := p.split(i)
		end := p.clauseEnd(after)
		t, err := r.tallied(ctx, p, noun, headEnd, i, after, end, word)
		if err != nil {
			if t = r.talliedThrough(ctx, p, noun, headEnd, i, after, end); t == nil {
				return nil, err
			}
		}
		got := t.main
		if end < p.len() { // "and was opened in 1990" says more of what it is about
			also, err := r.main(ctx, p, []piece{span(0, headEnd), span(end+1, p.len())}, word)
			if err != nil {
				return nil, err
			}
			add(got.pat, graft(got.pat, also.pat, also.pat.Asked, got.pat.Asked))
			got.doubted(also)
			got.text += ", and " + also.text
		}
		if op == pattern.Greater && n == 0 || op == pattern.AtLeast && n == 0 {
			return nil, refuse(word, "that is true of any number.")
		}
		// The branch has no match to begin with where nothing of the kind is joined.
		branch := pattern.Branch{Kind: pattern.Quantity, Edges: t.more.Edges, Filters: t.more.Filters, Node: t.node, Op: op, N: n}
		got.pat.Branches = append(got.pat.Branches, branch)
		if most, ok := p.number(i + 3); ok && p.says(i, "between") {
			branch.Op, branch.N = pattern.AtMost, most
			got.pat.Branches = append(got.pat.Branches, branch)
		}
		if len(t.more.Branches) > 0 {
			return nil, refuse(word, "what is counted has its own operator.")
		}
		if len(got.pat.Edges) == 0 && !got.pat.Nodes[got.pat.Asked].Variable {
			return nil, refuse(word, "it is unclear what it is about.")
		}
		got.text += fmt.Sprintf(", with %s %d %s", op.Words(), n, t.arrow)
		p.counted(got)
		return got, nil
	}
	return nil, nil
}

// quantifiedSaid reads "gave at least two parties over 10,000": of what is counted, statements say an
// amount. It is nil where no relation has such statements.
func (r *reader) quantifiedSaid(ctx context.Context, p *phrase) (*part, error) {
	if !r.hasBound(p, 0, p.len()) {
		return nil, nil
	}
	saidOf := r.core.Said(p.Source, p.mentions)
	for rel := range kg.RelationID(r.voc.Graph().Relations()) {
		if r.core.Amount(rel, nil) == "" {
			continue
		}
		said := saidOf(rel)
		if said == nil || len(said.Conditions) == 0 {
			continue
		}
		var rest []piece
		for i := range p.len() {
			if !slices.Contains(said.Starts, p.word(i).Start) {
				rest = append(rest, span(i, i+1))
			}
		}
		q := r.cut(p, rest...)
		if q.len() == p.len() {
			continue
		}
		got, err := r.quantified(ctx, q)
		if err != nil {
			return nil, err
		}
		if got == nil {
			continue
		}
		edges := got.pat.Branches[len(got.pat.Branches)-1].Edges
		if len(edges) == 0 || !slices.Contains(edges[0].Fixed, rel) {
			continue
		}
		for i := range got.pat.Branches {
			if b := &got.pat.Branches[i]; b.Kind == pattern.Quantity && slices.Contains(b.Edges[0].Fixed, rel) {
				b.Edges = slices.Clone(b.Edges)
				b.Edges[0].Conditions = said.Conditions
			}
		}
		got.text += said.Text
		return got, nil
	}
	return nil, nil
}

// perEach reads "how many films per director" and "how many drugs does each firm make".
func (r *reader) perEach(ctx context.Context, p *phrase) (*part, error) {
	i, n := p.find(eachs)
	if i < 0 {
		return nil, nil
	}
	n = p.behind(i+n, "of", "the") - i // "in each of the rooms"
	per := p.groupNoun(i + n)
	each := slices.ContainsFunc(upTo(i, i+n), func(j int) bool { return p.says(j, "each", "every", "per") })
	if k := p.relationNoun(i+n, min(i+n+2, p.len())); each && k >= 0 && (per < 0 || per > i+n+1) {
		per = k // "in each room", where nothing is typed so
	}
	if at := per + 1; i == 0 && per > 0 && at < p.len() { // "for each city, how many …"
		if moved := r.cut(p, span(at, p.len()), text(strings.ToLower(p.text(0, n))), span(n, at)); moved.match(0, eachs) == 0 {
			return r.perEach(ctx, moved)
		}
		return nil, nil
	}
	begins := p.says(0, "how many") || p.says(1, "how many") || p.says(0, "number of") || p.says(0, "the number of") || p.says(0, "count") || p.says(0, "what is the number of") ||
		p.says(i, "per") && p.noun(0, i) == i-1 && p.isBare(0, i, i-1) && per == p.len()-1
	word := p.text(i, i+n)
	if per < 0 && begins && each && !p.says(i+n, "other") {
		return nil, refuse(word, "this graph has no type with that name.")
	}
	if per < 0 || !begins || !each && p.says(i, "by") && p.word(i-1).IsPast() {
		return nil, nil
	}
	begin := 0 // "number of works per composer" counts no numbers
	if of := slices.IndexFunc(upTo(0, i), func(k int) bool { return p.says(k, "number of") }); of >= 0 {
		begin = of + 2
	}
	counted := p.nounOrRole(begin, i)
	main := &part{pat: &pattern.Pattern{Nodes: []pattern.Node{{Text: "?" + variableName(p.word(per)), Variable: true}}, Reuse: pattern.ReuseVariables}}
	var err error
	if p.word(per).IsNamedKind() {
		if main, err = r.root(p, per, word); err != nil {
			return nil, err
		}
		main.pat = copied(main.pat)
	}
	if got := r.valueOfEach(p, main, i, per); got != nil && !p.hasName(per, p.len()) && !p.hasName(0, i) {
		return got, nil
	}
	if counted < 0 || p.hasName(per, p.len()) || per > i+n+1 {
		return nil, refuse(word, "it is unclear what is counted.")
	}
	between := slices.Concat(upTo(counted+1, i), upTo(per+1, p.len()))
	var of *part
	if p.hasName(counted, i) {
		end := p.nameAt(p.lastName(counted, i))
		if of, err = r.things(ctx, p, counted, end, word); err != nil {
			return nil, err
		}
		between = slices.Concat(upTo(end, i), upTo(per+1, p.len()))
	} else if p.word(counted).IsNamedKind() {
		of, _ = r.root(p, counted, word)
	}
	t, err := r.joined(p, main, of, per, counted, between, word)
	if err != nil {
		return nil, err
	}
	add(main.pat, t.more)
	main.pat.Measure = &pattern.Measure{Func: pattern.CountOf, Node: t.node, Of: -1, Per: main.pat.Asked}
	main.text = fmt.Sprintf("for each %s the number of: %s", p.word(per).Lower, t.arrow)
	return main, nil
}

// groupNoun returns the noun from word i on that names a kind; "show" may be one, too.
func (p *phrase) groupNoun(i int) int {
	if per := p.kindNoun(i, p.len()); per >= 0 {
		return per
	}
	return slices.IndexFunc(upTo(0, p.len()), func(j int) bool { return j >= i && len(p.word(j).Types) > 0 })
}

// valueOfEach reads "how many inhabitants does each country have", where the graph has
// the number; nil where it has not.
func (r *reader) valueOfEach(p *phrase, main *part, end, per int) *part {
	counted := slices.IndexFunc(upTo(0, end), func(i int) bool { return r.isValue(p, i) })
	if counted < 0 || !p.word(per).IsNamedKind() || p.noun(0, end) >= 0 {
		return nil
	}
	for st := range r.valueSteps(p, counted) {
		if len(r.valueSteps(p, counted)) > 1 || !r.mayHave(p, per, st) {
			return nil
		}
		more, value := r.extend(main.pat, main.pat.Asked, st, nil, variableName(p.word(counted)))
		add(main.pat, more)
		main.pat.Measure = &pattern.Measure{Func: pattern.Sum, Node: value, Of: main.pat.Asked, Per: main.pat.Asked}
		main.text = fmt.Sprintf("for each %s: %s", p.word(per).Lower, r.voc.Graph().RelationText(st.Relation()))
		return main
	}
	return nil
}

// valueSteps returns the steps to values that the phrase at word i names, and how well.
func (r *reader) valueSteps(p *phrase, i int) map[schema.Step]float64 {
	out := map[schema.Step]float64{}
	if i < 0 || i >= p.len() || p.isName(i) {
		return out
	}
	for _, at := range []int{i, r.last(p, i)} {
		for st, weight := range p.AsksAt(at) {
			if !st.IsBack() && r.voc.Schema().Value(st.To()) != schema.NoValue {
				out[st] = max(out[st], weight)
			}
		}
		if len(out) > 0 {
			break
		}
	}
	return out
}

// last returns the last word of the phrase that begins at word i: "medals" of "gold medals", where
// the graph calls a value so.
func (r *reader) last(p *phrase, i int) int {
	g, s := r.voc.Graph(), r.voc.Schema()
	continues := func(st schema.Step) bool {
		if _, ok := p.word(i + 1).Weight[st]; !ok || st.IsBack() || s.Value(st.To()) == schema.NoValue {
			return false
		}
		name := lexicon.Stems(g.RelationText(st.Relation()))
		at := slices.Index(name, p.word(i).Stem)
		return at >= 0 && at+1 < len(name) && name[at+1] == p.word(i+1).Stem
	}
	for i >= 0 && i+1 < p.len() && !p.isName(i) && !p.word(i).Stop && (p.word(i).Silent || slices.ContainsFunc(slices.Collect(maps.Keys(p.word(i).Weight)), continues)) {
		i++
	}
	return i
}

// isValue reports whether the phrase at word i names a value, and not a type of the graph.
func (r *reader) isValue(p *phrase, i int) bool {
	return len(r.valueSteps(p, i)) > 0 && len(p.word(r.last(p, i)).Types) == 0
}
