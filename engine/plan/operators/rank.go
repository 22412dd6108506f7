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

// Operators that rank: the most, the second largest, the first three.

// rankAt reads how many are asked for, and after how many, from the number or ordinal
// among the words before word to: "the five countries with the most", "the second most". Used are
// the words.
func (p *phrase) rankAt(to int) (limit, skip int, used []int) {
	limit = 1
	for i := range to {
		_, isNumber := p.number(i)
		if _, isOrdinal := p.ordinal(i); !isNumber && !isOrdinal && !p.is(i, tops) {
			continue
		}
		us, _ := p.unitAt(i + 1)
		ranks := i+1 == to || p.match(i+1, most)+p.match(i+1, fewest) > 0 || lexicon.IsSuperlative(p.word(i+1).Lower)
		if us != nil || !ranks && (p.isYear(i) || i > 0 && !p.isCounter(i-1)) { // "which 10 kV lines": those of so many; "on floor 2": of that one
			continue
		}
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

// isCounter reports whether a number behind word i says how many are asked for.
func (p *phrase) isCounter(i int) bool {
	_, ordinal := p.ordinal(i)
	return ordinal || p.is(i, asking) || p.is(i, tops) || p.says(i, "the")
}

// mostOf reads who has the most or the fewest of something that is counted.
func (r *reader) mostOf(ctx context.Context, p *phrase) (*part, error) {
	if at, n := p.find(anyOther); at > 0 { // "more films than any other director"
		for i := at - 1; i > 0; i-- {
			if p.is(i, moreWords) || p.is(i, lessWords) {
				as := map[bool]string{true: "the most", false: "the fewest"}[p.is(i, moreWords)]
				end := p.len()
				if p.trim(at+n, end) > at+n+1 {
					return nil, refuse(p.text(at, at+n), "more than a noun follows it.")
				}
				rest := r.cut(p, span(0, i), text(as), span(i+1, at))
				if again, _ := rest.find(anyOther); again >= 0 {
					return nil, refuse(p.text(at, at+n), "it occurs twice.")
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
		limit, skip, used := p.rankAt(i)
		if n == 1 && p.says(i-1, "the") { // "the second most": the words between are of the rank
			n = 1
		}
		if k, ok := p.ordinal(i + 1); n > 0 && ok && p.match(i+2, most) > 0 {
			skip, used, n = k-1, append(used, i+1), 2+p.match(i+2, most)
		}
		if n == 0 || i+n >= p.len() || r.isBy(p, i+n) {
			continue
		}
		word := p.text(i, i+n)
		if k := slices.IndexFunc(upTo(0, p.len()), func(k int) bool { return k >= i+n && p.says(k, "each", "every") && p.noun(k+1, p.len()) == k+1 }); k >= 0 {
			return nil, refuse(p.text(k, k+2), "who is first for each is asked of one value that all have.")
		}
		if p.is(i+n, mostCommon) {
			return r.commonest(p, i, i+n+1, descending, limit, skip)
		}
		if n > 2 && r.isValue(p, i+n) && !r.asksAfter(p, i+n) { // "the largest number of employees"
			as := map[bool]string{true: "the most", false: "the fewest"}[descending]
			if p.says(0, "what") && p.noun(0, i) < 0 {
				as = map[bool]string{true: "the maximum number of", false: "the minimum number of"}[descending]
			}
			return r.read(ctx, r.cut(p, span(0, i), text(as), span(i+n, p.len())), word)
		}
		if verb := i - 1; r.isValue(p, i+n) && p.says(0, "who") && verb > 0 && p.isBare(1, verb, -1) && !p.isName(verb) && !p.word(verb).Stop && !r.asksOther(p, verb) { // "won the most gold medals"
			got, err := r.read(ctx, r.cut(p, span(0, 1), text("has"), span(i, p.len())), word)
			if got != nil {
				got.unused = append(got.unused, p.word(verb).Text)
				got.unsure(plan.Unsure, fmt.Sprintf("The reading ignores %s.", wording.Quote(p.word(verb).Text)))
			}
			return got, err
		}
		if len(r.voc.Lexicon().Comparisons(p.word(i+n).Lower)) > 0 || r.isValue(p, i+n) && !r.asksAfter(p, i+n) || !p.isCounted(i+n) {
			if got := r.mostTogether(ctx, p, i, i+n, descending); got != nil {
				return got, nil
			}
			if noun, headEnd := p.split(i); p.says(i+n, "people", "persons") && i+n+1 == p.len() {
				if got := r.valued(ctx, p, noun, headEnd, i, descending, limit, skip, word); got != nil {
					return got, nil
				}
			}
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
		if q := r.ofTheirType(p, t); noun < 0 && !descending && q != p {
			got, err := r.mostOf(ctx, q)
			if got != nil {
				got.unsure(plan.Unsure, "It is unclear whether those that have none count.")
			}
			return got, err
		}
		return t.rank(descending, limit, skip), nil
	}
	return nil, nil
}

// mostTogether reads "Which site has the most seeds" where the seeds are those of several things that the site has,
// which are added up; nil where it has them itself, or they are no number of which there may be more together.
func (r *reader) mostTogether(ctx context.Context, p *phrase, i, from int, descending bool) *part {
	noun, _ := p.split(i)
	if noun < 0 || !r.isValue(p, from) || !lexicon.IsPlural(p.word(r.last(p, from)).Lower) {
		return nil
	}
	for st := range r.valueSteps(p, from) {
		isOf := func(k int) bool { return !p.isName(k) && p.word(k).IsNamedKind() && r.mayHave(p, k, st) } // "the trial with the most patients"
		name := r.voc.NameOf(st.Relation())
		isAmount := lexicon.Stem(name[len(name)-1]) == p.word(r.last(p, from)).Stem || name[len(name)-1] == "count" || name[0] == "number" // of the casualties' age there is no more together
		if slices.ContainsFunc(upTo(0, i), isOf) || !isAmount || !kg.Adds(r.voc.Schema().Measured(st.Relation()).Unit) {
			return nil
		}
	}
	as := map[bool]string{true: "the largest total", false: "the smallest total"}[descending]
	got, err := r.summed(ctx, r.cut(p, span(0, p.beforeThe(i-1)+1), text(as), span(from, p.len())))
	if err != nil || got == nil || got.pat.Measure == nil || !slices.ContainsFunc(got.pat.Edges, func(e pattern.Edge) bool {
		return len(e.Fixed) > 0 && e.To == got.pat.Measure.Per && r.hasSeveral(e.Fixed[0], true) || len(e.Fixed) > 0 && e.From == got.pat.Measure.Per && r.hasSeveral(e.Fixed[0], false)
	}) {
		return nil
	}
	got.unsure(plan.Unsure, fmt.Sprintf("The reading adds up %s; the largest single one may be meant.", wording.Quote(p.text(from, r.last(p, from)+1))))
	return got
}

// ofTheirType puts "Which author" for the "Who" that a tally is about, where all who do it are of
// one type, and not all of that type do it: who did it not once did it the least.
func (r *reader) ofTheirType(p *phrase, t *tally) *phrase {
	if len(t.more.Edges) != 1 || len(t.more.Edges[0].Fixed) != 1 || !p.says(0, "who") {
		return p
	}
	s := r.voc.Schema()
	st := schema.Forward(t.more.Edges[0].Fixed[0])
	if t.more.Edges[0].From == t.node {
		st = st.Back()
	}
	for k, share := range s.Types(st.From()) {
		none := func(e kg.EntityID) bool { return len(s.Edges(e, st)) == 0 }
		if q := r.cut(p, text("Which "+r.voc.Graph().TypeLabel(k)), span(1, p.len())); share == 1 && len(s.Types(st.From())) == 1 && slices.Contains(q.word(1).Types, k) && slices.ContainsFunc(r.voc.Graph().OfType(k), none) {
			return q
		}
	}
	return p
}

// isBy reports whether words behind the one at i say by which value things are ranked: "the most common disease by
// prevalence".
func (r *reader) isBy(p *phrase, i int) bool {
	return slices.ContainsFunc(upTo(i+1, p.len()-1), func(k int) bool { return p.says(k, "by") && r.isValue(p, k+1) })
}

// asksAfter reports whether a verb behind the phrase at word i asks for a relation: "the most people
// born" counts people, "the most people" may be a number that the graph has.
func (r *reader) asksAfter(p *phrase, i int) bool {
	return slices.ContainsFunc(upTo(r.last(p, i)+1, p.len()), func(j int) bool { return !p.isName(j) && !p.word(j).Stop && p.word(j).AsksStrongly() })
}

// asksOther reports whether word i clearly asks for a relation, and for no value: "won" may ask for gold
// medals as well as for silver ones.
func (r *reader) asksOther(p *phrase, i int) bool {
	for st, weight := range p.word(i).Weight {
		if weight >= words.StrongCue && r.voc.Schema().Value(schema.Forward(st.Relation()).To()) == schema.NoValue {
			return true
		}
	}
	return false
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
			if !r.mayHave(p, noun, st) || len(r.valueSteps(p, k)) > 1 {
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
	word, begin, to, kind := p.text(i, from), from, p.len(), -1
	isOf := func(k int) bool { return k >= from && (p.is(k, prepositions) || p.says(k, "among")) }
	if from == to || isOf(from) { // "Which fault is most common among the cars?"
		begin, to = 0, i
	}
	if of := slices.IndexFunc(upTo(0, p.len()), isOf); of > 0 && p.noun(of, p.len()) > 0 { // "the most common fault of cars"
		kind, to = p.noun(of, p.len()), min(to, of)
	}
	noun := p.noun(begin, to)
	if k := p.relationNoun(begin, to); noun < 0 || k == noun+1 || kind > 0 && k > noun { // "fault type"
		noun = k
	}
	if noun < 0 || p.hasName(0, p.len()) {
		return nil, nil
	}
	s, isKind := r.voc.Schema(), p.word(noun).IsNamedKind()
	var best *joint
	others := false
	for rel := range kg.RelationID(s.Graph().Relations()) {
		st := schema.Forward(rel).Back()
		if !s.IsKept(rel) || s.IsSymmetric(rel) || kind >= 0 && !p.NamesSlot(p.word(kind), st.To()) || isKind && !p.NamesSlot(p.word(noun), st.From()) {
			continue
		}
		if !p.word(noun).Names[s.Back(st)] && (kind < 0 || !isKind) {
			others = others || isKind
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
	main := anything(p.word(noun))
	if isKind {
		var err error
		if main, err = r.root(p, noun, word); err != nil {
			return nil, err
		}
	}
	t := &tally{main: main, arrow: r.voc.Arrow(best.step)}
	t.more, t.node = r.extend(main.pat, main.pat.Asked, best.step, nil, "thing")
	got := t.rank(descending, limit, skip)
	if others { // a disease that most doctors treat need not be the one that most people have
		got.unsure(plan.Unsure, fmt.Sprintf("Several relations lead to %s; the reading counts %s.", wording.Quote(p.word(noun).Text), wording.Quote(r.voc.Graph().RelationText(best.step.Relation()))))
	}
	return got, nil
}

// ofNumber reads "first class pilots" as the pilots of class 1, where the graph has a class of that number; nil for
// other phrases.
func (r *reader) ofNumber(ctx context.Context, p *phrase) (*part, error) {
	i := p.begin(0, p.len())
	n, ok := p.ordinal(i)
	if !ok || i+2 >= p.len() || p.noun(i+2, i+3) < 0 || len(p.word(i+1).Types) > 0 {
		return nil, nil
	}
	for _, st := range slices.Sorted(maps.Keys(r.valueSteps(p, i+1))) {
		tails := r.voc.Graph().Tails(st.Relation())
		of := slices.IndexFunc(tails, func(e kg.EntityID) bool {
			v, ok := r.voc.Graph().Value(e)
			return ok && v.Kind == kg.NumberValue && v.Number == float64(n)
		})
		if of < 0 || !p.NamesSlot(p.word(i+2), st.From()) {
			continue
		}
		got, err := r.list(ctx, p, []piece{span(0, i), span(i+2, p.len())}, p.text(i, i+2))
		if err != nil {
			return nil, err
		}
		if got.pat.Task > pattern.Count || got.pat.Asked < 0 {
			return nil, refuse(p.text(i, i+2), "it is said of no list.")
		}
		label := r.voc.Graph().Label(tails[of])
		got.pat = copied(got.pat)
		at := addNode(got.pat, pattern.Node{Text: label, Entities: tails[of : of+1]})
		got.pat.Edges = append(got.pat.Edges, r.voc.Edge(got.pat.Asked, at, st))
		got.text += " " + r.voc.Arrow(st) + " " + label
		return got, nil
	}
	return nil, nil
}

// ranked reads "the five longest rivers" and "the second largest": the core finds the
// largest, and the rank says which of them.
func (r *reader) ranked(ctx context.Context, p *phrase) (*part, error) {
	if got, err := first(ctx, p, r.ofNumber, r.longestThere, r.measuresMost); got != nil || err != nil {
		return got, err
	}
	for i := range p.len() {
		w := p.word(i)
		if p.isName(i) || !lexicon.IsSuperlative(w.Lower) && p.match(i, most)+p.match(i, fewest) == 0 || w.Lower == "first" || w.Lower == "last" {
			continue
		}
		limit, skip, used := p.rankAt(i)
		if len(used) == 0 || slices.ContainsFunc(used, func(u int) bool { _, _, after := p.threshold(u); return after > 0 || p.nearThreshold(u) }) {
			continue
		}
		if n := max(p.match(i, most), p.match(i, fewest)); n > 0 && !r.isBy(p, i+n) && (i+n == p.len() || !r.isValue(p, i+n) && len(r.voc.Lexicon().Comparisons(p.word(i+n).Lower)) == 0) {
			continue // counted
		}
		if p.says(i+1, "number of") && !r.isValue(p, i+3) && !r.isValue(p, i+1) {
			continue
		}
		return r.rankedBy(ctx, p, limit, skip, used, p.text(used[0], i+1))
	}
	if i := p.len() - 1; i > 1 && !p.isName(i) {
		if got, err := r.longestSince(ctx, p); got != nil || err != nil {
			return got, err
		}
		w := p.word(i).Lower
		k, isOrdinal := p.ordinal(i)
		compared := r.voc.Lexicon().Comparisons(w)
		switch last := i - 1; {
		case p.match(last, recently) == 2: // "which drug was approved most recently"
			return r.firstOf(ctx, p, last-1, span(0, last-1), true, 0)
		case p.is(i, lastly): // "which drug was approved first"
			return r.firstOf(ctx, p, i-1, span(0, i-1), p.says(i, "last", "latest"), 0)
		case isOrdinal:
			return r.firstOf(ctx, p, i-1, span(0, i-1), false, k-1)
		case lexicon.IsSuperlative(w) && len(compared) > 0 && r.isOfAge(w, compared) && !p.is(p.beforeThe(last), copulas):
			return nil, refuse(p.word(i).Text, "how old something was at an event is not compared yet.")
		case lexicon.IsSuperlative(w) && len(compared) > 0: // "rated highest"
			if r.voc.Lexicon().Concepts[compared[0].Concept].Answer == lexicon.Date && p.word(i-1).IsPast() {
				return nil, refuse(p.text(i-1, i+1), "it asks for an age at that time, which Cairn does not work out.")
			}
			return r.firstOf(ctx, p, i-1, span(0, i-1), !compared[0].Less, 0)
		}
		for _, class := range [][][]string{most, fewest} {
			if n := max(p.match(i, class), p.match(i-1, class)); n > 0 { // "weighs the most"
				verb := i - n
				return r.firstOf(ctx, p, verb, span(0, verb), p.match(i+1-n, most) > 0, 0)
			}
		}
		if k, ok := p.ordinal(i - 3); ok && p.says(i-2, "to be") { // "was the second to be founded"
			return r.firstOf(ctx, p, i, span(0, p.beforeThe(i-4)+1), false, k-1)
		}
	}
	if i, n := p.find(recently); i >= 0 && i+n < p.len() { // "the most recently approved drug"
		rest := span(i+n+1, p.len())
		if p.noun(i+n+1, p.len()) < 0 {
			rest = span(0, i)
		}
		return r.firstOf(ctx, p, i+n, rest, true, 0)
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

// longestSince reads "has been a client the longest" as who became one first; nil where the phrase does not end so.
func (r *reader) longestSince(ctx context.Context, p *phrase) (*part, error) {
	i := p.len() - 1
	if p.says(i, "time", "period") {
		i--
	}
	verb := p.trim(0, i) - 1
	best, _, ok := bestStep(r.valueSteps(p, verb), r.isTime)
	if !ok || verb < 1 || !r.saysLong(p, i) || !lexicon.IsSuperlative(p.word(i).Lower) || !p.isSince() {
		return nil, nil
	}
	doubts := &part{}
	less := r.voc.Lexicon().Comparisons(p.word(i).Lower)[0].Less
	got, err := r.firstOf(ctx, p, verb, span(0, verb), less == r.turnsTime(p, doubts, i, best), 0)
	if got != nil {
		got.doubted(doubts)
	}
	return got, err
}

// entering and staying are the stems of such verbs.
var entering, staying = stemsOf("verbs of entering"), stemsOf("verbs of staying")

func stemsOf(class string) map[string]bool {
	stems := map[string]bool{}
	for w := range lexicon.Words(class) {
		stems[lexicon.Stem(w)] = true
	}
	return stems
}

// longestThere reads "has been with us the longest" and "the longest-serving doctor" as who came first, by the one
// date of such things that says when they did; nil where that is in doubt, or the phrase says more.
func (r *reader) longestThere(ctx context.Context, p *phrase) (*part, error) {
	at := slices.IndexFunc(upTo(0, p.len()), func(i int) bool { return lexicon.IsSuperlative(p.word(i).Lower) && r.saysLong(p, i) })
	stays := func(i int) bool { return !p.isName(i) && i < p.len() && staying[p.word(i).Stem] }
	noun, end := p.noun(0, max(at, 0)), p.len()
	for p.says(end-1, "time", "period") {
		end--
	}
	head := []piece{span(0, min(max(at, 0), max(noun, 0)+1))}
	switch {
	case at > 0 && stays(at+1) && at+2 < p.len(): // "the longest-serving doctor"
		noun, head = p.noun(at+2, p.len()), []piece{text("Which"), span(at+2, p.len())}
	case at != end-1 || !p.isSince() || noun < 0 && !p.says(0, "who"):
		return nil, nil
	}
	starts := slices.DeleteFunc(r.voc.Schema().Steps(), func(st schema.Step) bool {
		enters := slices.ContainsFunc(r.voc.NameOf(st.Relation()), func(w string) bool { return entering[lexicon.Stem(w)] })
		return st.IsBack() || r.voc.Schema().Canonical(st) != st || !enters || !r.isTime(st) || noun >= 0 && !r.mayHave(p, noun, st)
	})
	isPerson := func(st schema.Step) bool { return r.voc.IsAnswer(st.From(), lexicon.Person) }
	if noun < 0 && slices.ContainsFunc(starts, isPerson) {
		starts = slices.DeleteFunc(starts, func(st schema.Step) bool { return !isPerson(st) })
	}
	if len(starts) != 1 {
		return nil, nil
	}
	best := starts[0]
	unheard := slices.DeleteFunc(upTo(max(noun, 0)+1, at), func(i int) bool {
		return stays(i) || p.says(i, "has", "have", "here", "us") || p.word(i).Stop || p.word(i).Weight[best] > 0
	})
	place := slices.ContainsFunc(unheard, func(i int) bool { return i == unheard[len(unheard)-1] && !p.is(p.beforeThe(i-1), inside) })
	if len(unheard) > 1 || place {
		return nil, nil
	}
	got, err := r.read(ctx, r.cut(p, append(head, text("has the earliest "+r.voc.Graph().RelationText(best.Relation())))...), p.word(at).Text)
	if err != nil || got.pat.Order == nil {
		return nil, err
	}
	got.pat.Order.Descending = r.voc.Lexicon().Comparisons(p.word(at).Lower)[0].Less
	got.unsure(plan.Unsure, r.takenFor(p.word(at).Text, best))
	return got, nil
}

// inside are the prepositions before what somebody has long been with.
var inside = lexicon.WordSet("at with for")

// isOfAge reports whether a superlative tells how old something is: "died youngest", and not "opened
// earliest".
func (r *reader) isOfAge(w string, compared []lexicon.Comparison) bool {
	return !strings.HasPrefix(w, "earl") && slices.ContainsFunc(compared, func(c lexicon.Comparison) bool { return r.voc.Lexicon().Concepts[c.Concept].Name == "age" })
}

// measuresMost reads "cost the most to repair", "takes the longest" and "weighs the least", by what the verb measures,
// or of several what words behind it say. It is nil where the verb measures nothing of it.
func (r *reader) measuresMost(ctx context.Context, p *phrase) (*part, error) {
	for i := 2; i < p.len(); i++ {
		verb, n, compared := p.beforeThe(i-1), 1, r.voc.Lexicon().Comparisons(p.word(i).Lower)
		descending := p.says(i, "most", "longest")
		switch {
		case p.isName(i) || verb < 1 || p.isName(verb) || p.compares(i+1):
			continue
		case p.says(i, "most", "least"):
		case !lexicon.IsSuperlative(p.word(i).Lower) || len(compared) == 0:
			continue
		default:
			descending = !compared[0].Less
		}
		steps := r.measuredBy(p, verb)
		if len(steps) == 0 || p.noun(i+n, p.len()) >= 0 {
			continue
		}
		for st := range steps {
			for k := i + n; k < p.len(); k++ {
				steps[st] += p.word(k).Weight[st]
			}
			if r.isTime(st) || p.says(0, "who") && !r.voc.IsAnswer(st.From(), lexicon.Person) {
				delete(steps, st)
			}
		}
		got, err := r.firstBy(ctx, p, steps, verb, span(0, verb), descending, 0)
		if got != nil {
			r.doubtWords(p, got, func(k int) bool { return k < i+n })
		}
		return got, err
	}
	return nil, nil
}

// firstOf reads "approved first" and "most recently approved": of what the verb says the
// date of, the least or the largest.
func (r *reader) firstOf(ctx context.Context, p *phrase, verb int, rest piece, descending bool, skip int) (*part, error) {
	return r.firstBy(ctx, p, p.word(verb).Weight, verb, rest, descending, skip)
}

// firstBy is firstOf by one of some steps.
func (r *reader) firstBy(ctx context.Context, p *phrase, steps map[schema.Step]float64, verb int, rest piece, descending bool, skip int) (*part, error) {
	s := r.voc.Schema()
	word, noun := p.word(verb).Text, p.noun(rest.from, rest.to)
	unknown := -1
	if noun < 0 {
		if unknown = p.UnknownKind(); unknown < rest.from || p.trim(unknown+1, rest.to) != unknown+1 {
			return nil, nil
		}
	}
	rest.to = p.trim(rest.from, rest.to)
	limit, _, used := p.rankAt(rest.to) // "Which three drugs were approved first?"
	if limit == 1 {
		used = nil
	}
	best, rival, ok := bestStep(steps, func(st schema.Step) bool {
		isOfIt := noun >= 0 && r.mayHave(p, noun, st) || unknown >= 0 && p.MayHave(unknown, st)
		return !st.IsBack() && s.Value(st.To()) != schema.NoValue && isOfIt
	})
	if !ok || rest.to <= noun || limit < 1 || rival && steps[best] == loosely {
		return nil, nil
	}
	var main *part
	var err error
	if unknown >= 0 {
		main = anything(p.word(unknown))
		if p.says(unknown, "who") && !r.voc.IsAnswer(best.From(), lexicon.Person) {
			main.unsure(plan.Unsure, mayMiss)
		}
	} else if main, err = r.main(ctx, p, leaving(rest, used), word); err != nil {
		return nil, err
	}
	r.doubtSize(p, main, steps, word, best)
	more, node := r.extend(main.pat, main.pat.Asked, best, nil, "value")
	add(main.pat, more)
	main.pat.Order = &pattern.Order{Node: node, Descending: descending, Limit: limit, Skip: skip}
	main.text += ", the " + rankText(descending, limit, skip, "largest", "smallest") + " " + r.voc.Graph().RelationText(best.Relation())
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
	return r.order(ctx, r.cut(p, leaving(span(0, p.len()), used)...), limit, skip, word)
}

// leaving is the piece of a phrase without some of its words.
func leaving(rest piece, used []int) (pieces []piece) {
	for _, u := range used {
		pieces = append(pieces, span(rest.from, u))
		rest.from = max(rest.from, u+1)
	}
	return append(pieces, rest)
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
		return nil, refuse(word, "nothing says what they are ranked by.")
	}
	got.pat = copied(got.pat)
	got.pat.Order.Limit, got.pat.Order.Skip = limit, skip
	got.text += fmt.Sprintf(" (%s of the ranking)", rankText(true, limit, skip, "first", ""))
	return got, nil
}
