package operators

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"cairn/engine/kg"
	"cairn/engine/lexicon"
	"cairn/engine/pattern"
	"cairn/engine/plan/words"
	"cairn/engine/schema"
	"cairn/internal/wording"
)

// Operators that count and rank.

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
			return nil, refuse(word, "it is not clear what it is about.")
		}
		return &part{pat: &pattern.Pattern{Nodes: []pattern.Node{{Text: "?who", Variable: true}}, Reuse: pattern.ReuseVariables}, text: "anyone"}, nil
	}
	if w := p.word(noun); !w.IsNamedKind() && !p.hasName(0, end) {
		return &part{pat: &pattern.Pattern{Nodes: []pattern.Node{{Text: "?" + variableName(w), Variable: true}}, Reuse: pattern.ReuseVariables}, text: "any " + w.Lower}, nil
	}
	got, err := r.things(ctx, p, 0, end, word)
	if err != nil {
		return nil, err
	}
	if !got.isPlainList() {
		return nil, refuse(word, "what it is about is no list.")
	}
	got.pat = copied(got.pat)
	return got, nil
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
		return nil, refuse(word, "it is not clear what is counted.")
	}
	after := counted + 1
	between := slices.Concat(upTo(headEnd, at), upTo(from, counted))
	var of *part
	var err error
	if p.hasName(after, to) || p.hasYear(after, to) {
		if of, err = r.things(ctx, p, from, to, word); err == nil && !of.isPlainList() {
			err = refuse(word, "what is counted is no list.")
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
	if j == nil {
		return nil, refuse(word, fmt.Sprintf("no relation of this graph joins it to %s.", wording.Quote(p.word(counted).Text)))
	}
	t := &tally{main: main, arrow: r.voc.Arrow(j.step)}
	if of != nil && len(of.pat.Edges) == 0 && !r.narrows(p.word(counted), j.step) {
		of = nil
	}
	t.more, t.node = r.extend(main.pat, main.pat.Asked, j.step, of, variableName(p.word(counted)))
	if of != nil {
		main.doubted(of)
		if len(of.pat.Edges) > 0 {
			t.arrow += " (" + of.text + ")"
		}
	}
	r.doubtJoint(p, main, j, between)
	return t, nil
}

// hasYear reports whether words [from, to) hold a year that is no name.
func (p *phrase) hasYear(from, to int) bool {
	return slices.ContainsFunc(upTo(from, to), func(i int) bool { return !p.isName(i) && schema.IsYear(p.word(i).Lower) })
}

// narrows reports whether a word names a type that not everything at the end of a step
// has.
func (r *reader) narrows(w *words.Word, st schema.Step) bool {
	share := 0.0
	for _, t := range w.Types {
		share += r.voc.Schema().Types(st.To())[t]
	}
	return len(w.Types) > 0 && share < 1
}

// rankAt reads how many are asked for, and after how many, from the number or ordinal
// among words [from, to): "the five countries with the most", "the second most". Used are
// the words.
func (p *phrase) rankAt(from, to int) (limit, skip int, used []int) {
	limit = 1
	for i := from; i < to; i++ {
		if n, ok := p.number(i); ok && n != 1 {
			limit, used = n, append(used, i)
		} else if n, ok := p.ordinal(i); ok && (n > 1 || p.word(i).Lower != "first") {
			skip, used = n-1, append(used, i)
		} else if p.is(i, tops) && i+1 < p.len() {
			if _, ok := p.number(i + 1); ok {
				used = append(used, i)
			}
		}
	}
	return limit, skip, used
}

// mostOf reads who has the most or the fewest of something that is counted.
func (r *reader) mostOf(ctx context.Context, p *phrase) (*part, error) {
	if at, n := p.find(anyOther); at > 0 { // "more films than any other director"
		for i := at - 1; i > 0; i-- {
			if p.is(i, moreWords) || p.is(i, lessWords) {
				as := map[bool]string{true: "the most", false: "the fewest"}[p.is(i, moreWords)]
				end := p.len()
				if p.trim(at+n, end) > at+n+1 {
					return nil, refuse(p.text(at, at+n), "more follows it than a noun.")
				}
				rest := r.cut(p, span(0, i), text(as), span(i+1, at))
				if again, _ := rest.find(anyOther); again >= 0 {
					return nil, refuse(p.text(at, at+n), "it is said twice.")
				}
				return r.mostOf(ctx, rest)
			}
		}
	}
	for i := range p.len() {
		if p.match(i-1, atMost) > 0 {
			continue
		}
		n, descending := p.match(i, most), true
		if n == 0 {
			n, descending = p.match(i, fewest), false
		}
		limit, skip, used := p.rankAt(0, i)
		if n == 1 && p.says(i-1, "the") { // "the second most": the words between are of the rank
			n = 1
		}
		if k, ok := p.ordinal(i + 1); n > 0 && ok && p.match(i+2, most) > 0 {
			skip, used, n = k-1, append(used, i+1), 2+p.match(i+2, most)
		}
		if n == 0 || i+n >= p.len() {
			continue
		}
		word := p.text(i, i+n)
		if p.is(i+n, mostCommon) {
			return r.commonest(p, i, i+n+1, descending, limit, skip)
		}
		if len(r.voc.Lexicon().Comparisons(p.word(i+n).Lower)) > 0 || r.isValue(p, i+n) && !p.asksAfter(i+n+1) || !p.isCounted(i+n) {
			continue // "most populous", "most people": a value that the core compares
		}
		end := i
		for _, u := range slices.Backward(used) {
			if u == end-1 || p.says(u+1, "the") && u+1 == end-1 {
				end = u
			}
		}
		noun, headEnd := p.split(end)
		t, err := r.tallied(ctx, p, noun, headEnd, end, i+n, p.len(), word)
		if err != nil {
			if got := r.valued(ctx, p, noun, headEnd, end, descending, limit, skip, word); got != nil {
				return got, nil
			}
			return nil, err
		}
		return t.rank(descending, limit, skip), nil
	}
	return nil, nil
}

// asksAfter reports whether a verb from word i on asks for a relation: "the most people
// born" counts people, "the most people" may be a number that the graph has.
func (p *phrase) asksAfter(i int) bool {
	return slices.ContainsFunc(upTo(i, p.len()), func(j int) bool { return !p.isName(j) && !p.word(j).Stop && p.word(j).AsksStrongly() })
}

// isCounted reports whether the words from i on begin with something to be counted.
func (p *phrase) isCounted(i int) bool {
	end := min(i+3, p.len())
	return p.noun(i, end) >= 0 || p.relationNoun(i, end) >= 0
}

// valued reads "employs the most people", where the verb names a value; nil where it
// does not.
func (r *reader) valued(ctx context.Context, p *phrase, noun, headEnd, end int, descending bool, limit, skip int, word string) *part {
	for k := headEnd; noun >= 0 && k < end; k++ {
		for st := range r.valueSteps(p, k) {
			if !p.NamesSlot(p.word(noun), st.From()) && !r.sharesKind(p, p.word(noun), st) || len(r.valueSteps(p, k)) > 1 {
				continue
			}
			got, err := r.subject(ctx, p, noun, headEnd, word)
			if err != nil {
				return nil
			}
			more, value := r.extend(got.pat, got.pat.Asked, st, nil, "value")
			add(got.pat, more)
			got.pat.Order = &pattern.Order{Node: value, Descending: descending, Limit: limit, Skip: skip}
			got.text += ", those with the " + rankText(descending, limit, skip, "largest", "smallest") + " " + r.voc.Graph().RelationText(st.Relation())
			return got
		}
	}
	return nil
}

// rank asks for those of which there are the most or the fewest.
func (t *tally) rank(descending bool, limit, skip int) *part {
	got := t.main
	asked := got.pat.Asked
	bounded := got.pat.Nodes[asked].Within != nil || len(got.pat.Edges) > 0
	add(got.pat, t.more)
	got.pat.Measure = &pattern.Measure{Func: pattern.CountOf, Node: t.node, Of: -1, Per: asked, Every: !descending && bounded}
	got.pat.Order = &pattern.Order{Node: pattern.Measured, Descending: descending, Limit: limit, Skip: skip}
	got.text += ", those with the " + rankText(descending, limit, skip, "most", "fewest") + " " + t.arrow
	return got
}

// rankText says which of a ranking is asked for.
func rankText(descending bool, limit, skip int, up, down string) string {
	word := down
	if descending {
		word = up
	}
	if skip > 0 {
		word = fmt.Sprintf("%d. %s", skip+1, word)
	}
	if limit > 1 {
		word = fmt.Sprintf("%d %s", limit, word)
	}
	return word
}

// commonest reads "the most common side effects": of what things of a kind are at the
// end of, the most.
func (r *reader) commonest(p *phrase, i, from int, descending bool, limit, skip int) (*part, error) {
	word := p.text(i, from)
	noun := p.noun(from, p.len())
	if noun < 0 {
		noun = p.relationNoun(from, p.len())
	}
	if noun < 0 || p.hasName(0, p.len()) {
		return nil, nil
	}
	s, isKind := r.voc.Schema(), p.word(noun).IsNamedKind()
	var best *joint
	for rel := range kg.RelationID(s.Graph().Relations()) {
		st := schema.Forward(rel).Back()
		if !s.IsKept(rel) || s.IsSymmetric(rel) || isKind && !p.NamesSlot(p.word(noun), st.From()) || !p.word(noun).Names[s.Back(st)] {
			continue
		}
		if best != nil {
			return nil, refuse(word, "several relations lead to it.")
		}
		best = &joint{step: st}
	}
	if best == nil {
		return nil, nil
	}
	main := &part{pat: &pattern.Pattern{Nodes: []pattern.Node{{Text: "?" + variableName(p.word(noun)), Variable: true}}, Reuse: pattern.ReuseVariables}, text: "any " + p.word(noun).Lower}
	if isKind {
		var err error
		if main, err = r.root(p, noun, word); err != nil {
			return nil, err
		}
	}
	t := &tally{main: main, arrow: r.voc.Arrow(best.step)}
	t.more, t.node = r.extend(main.pat, main.pat.Asked, best.step, nil, "thing")
	return t.rank(descending, limit, skip), nil
}

// threshold reads "at least three" at word i, and "three or more". It returns the word
// after.
func (p *phrase) threshold(i int) (op pattern.Op, n, after int) {
	for _, t := range []struct {
		class [][]string
		op    pattern.Op
	}{{atLeast, pattern.AtLeast}, {atMost, pattern.AtMost}, {moreThan, pattern.Greater}, {fewerThan, pattern.Less}, {exactly, pattern.Equal}} {
		if k := p.match(i, t.class); k > 0 {
			if n, ok := p.number(i + k); ok && !p.is(i+k+1, scales) {
				return t.op, n, i + k + 1
			}
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

// quantified reads things of which there are so many: "directors with at least 3 films".
func (r *reader) quantified(ctx context.Context, p *phrase) (*part, error) {
	for i := range p.len() {
		op, n, after := p.threshold(i)
		if after == 0 || after >= p.len() || n >= mostCounted || r.isValue(p, after) || !p.isCounted(after) {
			continue
		}
		word := p.text(i, after)
		noun, headEnd := p.split(i)
		t, err := r.tallied(ctx, p, noun, headEnd, i, after, p.len(), word)
		if err != nil {
			return nil, err
		}
		got := t.main
		if op == pattern.Greater && n == 0 || op == pattern.AtLeast && n == 0 {
			return nil, refuse(word, "there are so many of anything.")
		}
		// The branch has no match to begin with where nothing of the kind is joined.
		got.pat.Branches = append(got.pat.Branches, pattern.Branch{Kind: pattern.Quantity, Edges: t.more.Edges, Filters: t.more.Filters, Node: t.node, Op: op, N: n})
		if len(t.more.Branches) > 0 {
			return nil, refuse(word, "what is counted has an operator of its own.")
		}
		if len(got.pat.Edges) == 0 && !got.pat.Nodes[got.pat.Asked].Variable {
			return nil, refuse(word, "it is not clear what it is about.")
		}
		got.text += fmt.Sprintf(", with %s %d %s", op.Words(), n, t.arrow)
		p.counted(got)
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
	for p.says(i+n, "of", "the") { // "in each of the rooms"
		n++
	}
	per := p.noun(i+n, p.len())
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
		return nil, refuse(word, "no kind of thing in this graph is called so.")
	}
	if per < 0 || !begins || !each && p.says(i, "by") && p.word(i-1).IsPast() {
		return nil, nil
	}
	counted := p.noun(0, i)
	if counted < 0 {
		counted = p.relationNoun(0, i)
	}
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
		return nil, refuse(word, "it is not clear what is counted.")
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

// valueOfEach reads "how many inhabitants does each country have", where the graph has
// the number; nil where it has not.
func (r *reader) valueOfEach(p *phrase, main *part, end, per int) *part {
	counted := slices.IndexFunc(upTo(0, end), func(i int) bool { return r.isValue(p, i) })
	if counted < 0 || !p.word(per).IsNamedKind() || p.noun(0, end) >= 0 {
		return nil
	}
	for st := range r.valueSteps(p, counted) {
		if len(r.valueSteps(p, counted)) > 1 || !p.NamesSlot(p.word(per), st.From()) && !r.sharesKind(p, p.word(per), st) {
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

// ranked reads "the five longest rivers" and "the second largest": the core finds the
// largest, and the rank says which of them.
func (r *reader) ranked(ctx context.Context, p *phrase) (*part, error) {
	for i := range p.len() {
		w := p.word(i)
		if p.isName(i) || !lexicon.IsSuperlative(w.Lower) && p.match(i, most) == 0 || w.Lower == "first" || w.Lower == "last" {
			continue
		}
		limit, skip, used := p.rankAt(0, i)
		if len(used) == 0 || slices.ContainsFunc(used, func(u int) bool { _, _, after := p.threshold(u); return after > 0 || p.nearThreshold(u) }) {
			continue
		}
		if p.match(i, most) > 0 && (i+1 == p.len() || !r.isValue(p, i+1) && len(r.voc.Lexicon().Comparisons(p.word(i+1).Lower)) == 0) {
			continue // counted
		}
		if p.says(i+1, "number of") && !r.isValue(p, i+3) && !r.isValue(p, i+1) {
			continue
		}
		return r.rankedBy(ctx, p, limit, skip, used, p.text(used[0], i+1))
	}
	if i := p.len() - 1; i > 1 && p.is(i, lastly) { // "which drug was approved first"
		return r.firstOf(ctx, p, i-1, span(0, i-1), p.says(i, "last", "latest"))
	}
	if i, n := p.find(recently); i >= 0 && i+n < p.len() { // "the most recently approved drug"
		rest := span(i+n+1, p.len())
		if p.noun(i+n+1, p.len()) < 0 {
			rest = span(0, i)
		}
		return r.firstOf(ctx, p, i+n, rest, true)
	}
	// "the top three companies by number of employees"
	i := slices.IndexFunc(upTo(0, p.len()), func(i int) bool { return p.is(i, tops) })
	by := slices.IndexFunc(upTo(0, p.len()), func(i int) bool { return p.says(i, "by") })
	if n, ok := p.number(i + 1); i >= 0 && ok && by > i+1 {
		rest := r.cut(p, span(i+2, by), text("with the largest"), span(by+1, p.len()))
		return r.order(ctx, rest, n, 0, p.text(i, i+2))
	}
	return nil, nil
}

// firstOf reads "approved first" and "most recently approved": of what the verb says the
// date of, the least or the largest.
func (r *reader) firstOf(ctx context.Context, p *phrase, verb int, rest piece, descending bool) (*part, error) {
	s := r.voc.Schema()
	word, noun := p.word(verb).Text, p.noun(rest.from, rest.to)
	best, score := schema.Step(0), 0.0
	for st, weight := range p.word(verb).Weight {
		if !st.IsBack() && s.Value(st.To()) != schema.NoValue && noun >= 0 && (p.NamesSlot(p.word(noun), st.From()) || r.sharesKind(p, p.word(noun), st)) &&
			(weight > score || weight == score && st < best) {
			best, score = st, weight
		}
	}
	rest.to = p.trim(rest.from, rest.to)
	if score == 0 || rest.to <= noun {
		return nil, nil
	}
	main, err := r.main(ctx, p, []piece{rest}, word)
	if err != nil {
		return nil, err
	}
	more, node := r.extend(main.pat, main.pat.Asked, best, nil, "value")
	add(main.pat, more)
	main.pat.Order = &pattern.Order{Node: node, Descending: descending, Limit: 1}
	main.text += ", the " + map[bool]string{true: "largest ", false: "smallest "}[descending] + r.voc.Graph().RelationText(best.Relation())
	return main, nil
}

// nearThreshold reports whether a number belongs to a phrase such as "at least".
func (p *phrase) nearThreshold(i int) bool {
	for j := max(0, i-4); j < i; j++ {
		if _, _, after := p.threshold(j); after == i+1 {
			return true
		}
	}
	return false
}

// rankedBy reads a question without the words of its rank.
func (r *reader) rankedBy(ctx context.Context, p *phrase, limit, skip int, used []int, word string) (*part, error) {
	var pieces []piece
	from := 0
	for _, u := range used {
		pieces = append(pieces, span(from, u))
		from = u + 1
	}
	return r.order(ctx, r.cut(p, append(pieces, span(from, p.len()))...), limit, skip, word)
}

func (r *reader) order(ctx context.Context, rest *phrase, limit, skip int, word string) (*part, error) {
	if limit < 1 {
		return nil, refuse(word, "ask for one or more.")
	}
	got, err := r.read(ctx, rest, word)
	if err != nil {
		return nil, err
	}
	if got.pat.Order == nil {
		return nil, refuse(word, "nothing says by what they are ranked.")
	}
	got.pat = copied(got.pat)
	o := *got.pat.Order
	o.Limit, o.Skip = limit, skip
	got.pat.Order = &o
	got.text += fmt.Sprintf(" (%s of the ranking)", rankText(true, limit, skip, "first", ""))
	return got, nil
}

// valueSteps returns the steps to values that word i names, and how well.
func (r *reader) valueSteps(p *phrase, i int) map[schema.Step]float64 {
	out := map[schema.Step]float64{}
	if i < 0 || i >= p.len() || p.isName(i) {
		return out
	}
	for st, weight := range p.AsksAt(i) {
		if !st.IsBack() && r.voc.Schema().Value(st.To()) != schema.NoValue {
			out[st] = max(out[st], weight)
		}
	}
	return out
}

// isValue reports whether word i names a value, and not a type of the graph.
func (r *reader) isValue(p *phrase, i int) bool {
	return len(r.valueSteps(p, i)) > 0 && len(p.word(i).Types) == 0
}

// funcs are the aggregates by their words.
var funcs = []struct {
	class [][]string
	of    pattern.Func
	text  string
}{
	{lexicon.Phrases("sums"), pattern.Sum, "the sum"},
	{lexicon.Phrases("averages"), pattern.Average, "the average"},
	{lexicon.Phrases("minima"), pattern.Least, "the least"},
	{lexicon.Phrases("maxima"), pattern.Most, "the most"},
}

// summed reads one number of the values of many things.
func (r *reader) summed(ctx context.Context, p *phrase) (*part, error) {
	for _, f := range funcs {
		i, n := p.find(f.class)
		if i < 0 {
			continue
		}
		word := p.text(i, i+n)
		rest := r.without(p, i, i+n)
		if got := r.folded(ctx, rest, f.of, f.text); got != nil {
			return got, nil
		}
		value, st, noun := r.valueOf(rest)
		if noun < 0 {
			if f.of != pattern.Sum && rest.says(0, "how many") {
				return nil, refuse(word, "it is not clear of which numbers.")
			}
			if f.of == pattern.Sum && rest.says(i, "number of") || rest.says(0, "how many") {
				return r.read(ctx, r.cut(rest, text("How many"), span(max(0, rest.noun(0, rest.len())), rest.len())), word)
			}
			if value < 0 && f.of >= pattern.Least { // "maximum" may be part of a relation's name
				return nil, nil
			}
			if value < 0 || !rest.isBare(0, rest.len(), value) {
				return nil, refuse(word, "it is not clear of which values.")
			}
		}
		end := rest.trim(max(noun, 0), rest.len())
		if value > noun && noun >= 0 {
			end = rest.trim(noun, value)
		}
		of := &part{pat: &pattern.Pattern{Nodes: []pattern.Node{{Text: "?thing", Variable: true}}, Reuse: pattern.ReuseVariables}, text: "anything"}
		var err error
		if noun >= 0 {
			if of, err = r.things(ctx, rest, noun, end, word); err != nil {
				return nil, err
			}
		}
		if !of.isPlainList() {
			return nil, refuse(word, "what has the values is no list.")
		}
		of.pat = copied(of.pat)
		of.pat.Task = pattern.Find
		more, node := r.extend(of.pat, of.pat.Asked, st, nil, variableName(rest.word(value)))
		add(of.pat, more)
		of.pat.Measure = &pattern.Measure{Func: f.of, Node: node, Of: of.pat.Asked, Per: -1}
		of.text = fmt.Sprintf("%s of %s of: %s", f.text, r.voc.Graph().RelationText(st.Relation()), of.text)
		return of, nil
	}
	return nil, nil
}

// folded reads "average number of films per director", without its first word, as one
// number of the counts of all; nil where it is none.
func (r *reader) folded(ctx context.Context, p *phrase, f pattern.Func, text string) *part {
	if f == pattern.Sum {
		return nil
	}
	if i := slices.IndexFunc(upTo(2, p.len()-1), func(i int) bool { return p.says(i, "a", "an", "the") && p.noun(i+1, i+2) > 0 }); i >= 0 && p.says(0, "how many") {
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
// it; -1 where there is none.
func (r *reader) valueOf(p *phrase) (value int, st schema.Step, noun int) {
	best, loose := 0.0, 0.0
	value, noun = -1, -1
	for i := range p.len() {
		for s, weight := range r.valueSteps(p, i) {
			for j := range p.len() {
				w := p.word(j)
				if j == i || p.isName(j) || w.Silent || !w.IsNamedKind() || !p.NamesSlot(w, s.From()) && !r.sharesKind(p, w, s) {
					continue
				}
				if weight > best || weight == best && (value < 0 || s < st || s == st && i == value && j < noun) {
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

// sharesKind reports whether some things that a word names have a value.
func (r *reader) sharesKind(_ *phrase, w *words.Word, st schema.Step) bool {
	return slices.ContainsFunc(w.Types, func(t kg.TypeID) bool { return r.voc.Schema().Types(st.From())[t] > 0 })
}
