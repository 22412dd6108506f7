package builtin

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
	"unicode"

	"cairn/engine/evidence"
	"cairn/engine/kg"
	"cairn/engine/lexicon"
	"cairn/engine/link"
	"cairn/engine/pattern"
	"cairn/engine/plan"
	"cairn/engine/schema"
)

const (
	// claimNames is how many names of a claim are read, and claimSame how many
	// entities each may mean.
	claimNames = 8
	claimSame  = 8
	// claimScan bounds the edges looked at to tell how two entities are joined.
	claimScan = 20_000
)

// verifier reads a text as a claim, from what joins the names that it gives:
//
//	names ─graph─▶ ties ─words─▶ fits ─▶ one pattern that has every name
//
// Questions ask for what is not named, so that their words must lead there. A
// claim names what it is about, and the graph says what there is between the
// names: the words need only agree.
type verifier struct {
	r     *reader
	words []word    // before names are chosen
	base  *question // that has no names
	q     *question
	again []span // names said before
	// unknown are the numbers that the graph does not have.
	unknown []string
	names   []claimName // in the order of the text
}

// claimName is a name that a claim gives.
type claimName struct {
	span
	is []kg.EntityID
	// needed says that the claim holds only if something joins the name.
	needed bool
}

// fit says how a relation agrees with the words around two names.
type fit int

// The fits, best first.
const (
	worded    fit = iota // a word nearby asks for the relation
	elsewhere            // a word asks for it, further away
	inferred             // no word asks for it
)

// tie is a triple that joins two names of a claim.
type tie struct {
	a, b     int // indices into verifier.names
	rank     int // of the entities among those that the names may mean
	head     kg.EntityID
	tail     kg.EntityID
	relation kg.RelationID
	from, to int // indices into verifier.names, of head and tail
	fit      fit
	weight   float64
	word     int // that asks for it, or -1
	distance int // of the word from the names
}

// readClaim reads the text as a claim: the plan has one reading, or the reason for none.
func (r *reader) readClaim(ctx context.Context, out *plan.Plan) {
	if r.comparesThings() {
		out.Doubt = plan.NotSupported
		out.Reason = "A claim that compares one thing with another is not understood yet: ask for both values, and compare."
		return
	}
	v := &verifier{r: r, words: slices.Clone(r.words)}
	for i := range v.words {
		v.words[i].taken = false // a claim compares nothing
	}
	v.dropAside()
	v.base = r.p.newQuestion(v.words, nil)
	v.findNames()
	if len(v.names) == 0 {
		out.Unlinked = v.unlinked()
		out.Doubt, out.Reason = plan.NoMention, "Nothing in the claim is a name in this graph."
		return
	}
	v.findValues()
	v.read()
	ties := v.ties(ctx)
	if v.dropWords(ties) {
		v.read()
		ties = v.ties(ctx)
	}
	if out.Unlinked = v.unlinked(); len(out.Unlinked) > 0 && v.linkNear(out.Unlinked) {
		v.read()
		ties = v.ties(ctx)
		out.Unlinked = v.unlinked()
	}
	if len(out.Unlinked) > 0 {
		out.Doubt = plan.NoMention
		out.Reason = fmt.Sprintf("Nothing in this graph is called %s, so the claim cannot be checked as a whole.", list(out.Unlinked))
		return
	}
	if v.needed() == 0 {
		out.Doubt, out.Reason = plan.NoMention, "Nothing in the claim is surely a name in this graph."
		return
	}
	if v.needed() < 2 && len(ties) == 0 {
		v.readExistence(out)
		return
	}
	v.readTies(ctx, out, ties)
}

// needed counts the names that the claim cannot do without.
func (v *verifier) needed() int {
	n := 0
	for i := range v.names {
		if v.names[i].needed {
			n++
		}
	}
	return n
}

// read reads the words beside the names.
func (v *verifier) read() {
	var spans []span
	for _, n := range v.names {
		spans = append(spans, n.span)
	}
	v.q = v.r.p.newQuestion(v.words, spans)
}

// dropAside takes the words before the claim out of the reading: "I know that",
// "Have you heard of". They ask for nothing.
func (v *verifier) dropAside() {
	tokens := make([]lexicon.Token, len(v.words))
	for i, w := range v.words {
		tokens[i] = w.Token
	}
	for i := range lexicon.Aside(tokens, v.r.partOfName) {
		v.words[i].taken = true
	}
}

// findNames chooses the names that are read: those that are surest, where they
// do not overlap, and of those equally sure the longest.
func (v *verifier) findNames() {
	spans := slices.Clone(v.r.all)
	slices.SortStableFunc(spans, func(a, b span) int {
		return cmp.Or(cmp.Compare(v.grade(b), v.grade(a)), cmp.Compare(b.to-b.from, a.to-a.from))
	})
	v.addNames(spans, func(s span) bool { return s.Strength >= possibleStrength || v.isKindNoun(s) })
	if v.needed() < 2 {
		v.addNames(spans, span.isPlain)
	}
	slices.SortFunc(v.names, func(a, b claimName) int { return cmp.Compare(a.from, b.from) })
}

// addNames adds those of spans that may be names.
func (v *verifier) addNames(spans []span, may func(s span) bool) {
	for _, s := range spans {
		if len(s.Candidates) == 0 || v.words[s.from].taken {
			continue
		}
		overlaps := slices.ContainsFunc(v.names, func(n claimName) bool { return n.overlaps(s) })
		if s.Candidates[0].Method > link.Typo || !may(s) || overlaps {
			continue
		}
		n := claimName{span: s, needed: s.Strength >= v.r.sureEnough() || v.isValue(s) || v.isCapital(s) || s.Strength < possibleStrength && s.isPlain()}
		for _, c := range s.Candidates {
			if len(n.is) == claimSame || c.Method > max(s.Candidates[0].Method, link.Folded) {
				break
			}
			n.is = append(n.is, c.Entity)
		}
		if slices.ContainsFunc(v.names, func(o claimName) bool { return o.is[0] == n.is[0] }) {
			v.again = append(v.again, s)
			continue
		}
		if v.names = append(v.names, n); len(v.names) == claimNames {
			break
		}
	}
}

// isCapital reports whether a span inside a sentence is written as a name.
func (v *verifier) isCapital(s span) bool {
	return s.from > 0 && v.words[s.from].Capital && !v.words[s.from].stop && !v.startsSentence(s.from)
}

// isKindNoun reports whether a span stands where "X is a Y" and "Is X a Y?" say what
// kind of thing X is.
func (v *verifier) isKindNoun(s span) bool {
	if s.from < 2 || s.to < len(v.words) || v.words[s.from-1].Lower != "a" && v.words[s.from-1].Lower != "an" {
		return false
	}
	return slices.ContainsFunc(v.words[:s.from], func(w word) bool { return copulas[w.Lower] })
}

// copulas join a name with what it is.
var copulas = map[string]bool{"is": true, "are": true, "was": true, "were": true}

// startsSentence reports whether word i begins a sentence.
func (v *verifier) startsSentence(i int) bool {
	return i == 0 || strings.ContainsAny(v.r.text[v.words[i-1].End:v.words[i].Start], ".!?")
}

// possibleStrength is the least strength of a span that may be a name.
const possibleStrength = 0.5

// grade is the strength of a span, where a value written out counts as sure:
// "279142000000.0" is one number, not one and a nought.
func (v *verifier) grade(s span) float64 {
	if v.isValue(s) && s.to-s.from > 1 {
		return max(s.Strength, sureStrength)
	}
	return s.Strength
}

// dropWords makes names that nothing joins, and whose words ask for relations,
// words again: the "Prime Minister" of "X was a Prime Minister".
func (v *verifier) dropWords(ties []tie) bool {
	n := len(v.names)
	v.names = slices.DeleteFunc(v.names, func(n claimName) bool {
		if v.isValue(n.span) || slices.ContainsFunc(ties, func(t tie) bool { return v.names[t.a].from == n.from || v.names[t.b].from == n.from }) {
			return false
		}
		for i := n.from; i < n.to; i++ {
			w := &v.base.words[i]
			asks := w.isCue() || w.silent || w.isKind()
			if !w.stop && (!asks || w.Capital && !v.r.p.lex.Knows(w.Stem)) {
				return false
			}
		}
		return true
	})
	return len(v.names) < n
}

// unlinked returns the phrases that the claim gives as names, by their capitals,
// and that the graph does not have.
func (v *verifier) unlinked() []string {
	isName := func(i int) bool {
		w := &v.words[i]
		if !w.Capital || w.stop || w.taken || w.Lower == "i" || v.base.words[i].isCue() || v.base.words[i].isKind() || v.base.words[i].silent || v.r.p.lex.Knows(w.Stem) {
			return false
		}
		isDigit := func(j int) bool { return j >= 0 && v.words[j].Text[0] >= '0' && v.words[j].Text[0] <= '9' }
		afterNumber := isDigit(i-1) || isDigit(i-2) // a unit
		covers := func(s span) bool { return s.from <= i && i < s.to }
		return !afterNumber && !slices.ContainsFunc(v.again, covers) &&
			!slices.ContainsFunc(v.names, func(n claimName) bool { return covers(n.span) })
	}
	out := slices.Clone(v.unknown)
	for i := 0; i < len(v.words); i++ {
		to := i
		for to < len(v.words) && isName(to) {
			to++
		}
		if to > i+1 || to > i && !v.startsSentence(i) && !v.adjoins(i) {
			out = append(out, v.r.text[v.words[i].Start:v.words[to-1].End])
		}
		i = max(i, to)
	}
	return out
}

// linkNear takes the phrases that name nothing for short names of what is next to
// the claim's names in the graph: "Labour" beside a member of the Labour Party.
// It reports whether any was linked.
func (v *verifier) linkNear(phrases []string) bool {
	p := v.r.p
	linked := false
	for _, phrase := range phrases {
		words := lexicon.Stems(phrase)
		var found []link.Candidate
		for _, n := range v.names {
			for _, e := range n.is {
				if p.g.Degree(e) > hubScan {
					continue
				}
				for _, edges := range [2][]kg.Edge{p.g.Out(e), p.g.In(e)} {
					for _, x := range edges {
						label := lexicon.Stems(p.g.Label(x.Entity))
						isNamed := len(words) > 0 && len(label) < len(words)+4 && !slices.ContainsFunc(words, func(w string) bool { return !slices.Contains(label, w) })
						if isNamed && !slices.ContainsFunc(found, func(c link.Candidate) bool { return c.Entity == x.Entity }) {
							found = append(found, link.Candidate{Entity: x.Entity, Method: link.Near})
						}
					}
				}
			}
		}
		at := strings.Index(v.r.text, phrase)
		if len(found) == 0 || at < 0 {
			continue
		}
		s := span{Mention: link.Mention{Start: at, End: at + len(phrase), Text: phrase, Candidates: found, Strength: sureStrength}}
		s.from = slices.IndexFunc(v.words, func(w word) bool { return w.Start >= s.Start })
		for s.to = max(s.from, 0); s.from >= 0 && s.to < len(v.words) && v.words[s.to].End <= s.End; {
			s.to++
		}
		if s.from < 0 || s.to == s.from {
			continue
		}
		n := claimName{span: s, needed: true}
		for _, c := range found[:min(len(found), claimSame)] {
			n.is = append(n.is, c.Entity)
		}
		v.names = append(v.names, n)
		linked = true
	}
	slices.SortFunc(v.names, func(a, b claimName) int { return cmp.Compare(a.from, b.from) })
	return linked
}

// adjoins reports whether word i stands right beside a name, whose longer form it
// may be a part of.
func (v *verifier) adjoins(i int) bool {
	return slices.ContainsFunc(v.names, func(n claimName) bool {
		switch i {
		case n.to:
			return strings.TrimSpace(v.r.text[n.End:v.words[i].Start]) == ""
		case n.from - 1:
			return strings.TrimSpace(v.r.text[v.words[i].End:n.Start]) == ""
		}
		return false
	})
}

// isValue reports whether a span gives a number or a date.
func (v *verifier) isValue(s span) bool {
	_, ok := kg.ParseValue(strings.Trim(s.Text, `"`))
	return ok || strings.IndexFunc(s.Text, unicode.IsDigit) >= 0 && s.Strength >= sureStrength
}

// ties lists what joins the names, the best first.
func (v *verifier) ties(ctx context.Context) []tie {
	var out []tie
	for a := range v.names {
		for b := a + 1; b < len(v.names); b++ {
			if ctx.Err() != nil {
				return nil
			}
			out = append(out, v.between(a, b)...)
		}
	}
	slices.SortStableFunc(out, func(x, y tie) int {
		return cmp.Or(cmp.Compare(x.fit, y.fit), cmp.Compare(x.rank, y.rank), cmp.Compare(x.distance, y.distance), cmp.Compare(y.weight, x.weight))
	})
	return out
}

// between lists the triples that join any entities of two names.
func (v *verifier) between(a, b int) []tie {
	var out []tie
	for i, x := range v.names[a].is {
		for j, y := range v.names[b].is {
			if x == y {
				continue
			}
			for _, t := range v.r.p.joining(x, y) {
				triple := v.r.p.g.Triple(t)
				n := tie{a: a, b: b, rank: i + j, head: triple.Head, tail: triple.Tail, relation: triple.Relation, from: a, to: b, word: -1}
				if n.head == y {
					n.from, n.to = b, a
				}
				v.fit(&n)
				out = append(out, n)
			}
		}
	}
	return out
}

// joining returns the triples between two entities.
func (p *Planner) joining(x, y kg.EntityID) []kg.TripleID {
	degree := func(e kg.EntityID) int { return len(p.g.Out(e)) + len(p.g.In(e)) }
	if degree(y) < degree(x) {
		x, y = y, x
	}
	if degree(x) > claimScan {
		return nil
	}
	var out []kg.TripleID
	for _, edges := range [2][]kg.Edge{p.g.Out(x), p.g.In(x)} {
		for _, e := range edges {
			if e.Entity == y {
				out = append(out, e.Triple)
			}
		}
	}
	return out
}

// fit compares a tie with the words around its names.
func (v *verifier) fit(t *tie) {
	step := v.r.p.schema.Canonical(schema.Forward(t.relation))
	back := v.r.p.schema.Back(step)
	t.fit = inferred
	near := v.near(t.a, t.b)
	for i := range v.q.words {
		w := &v.q.words[i]
		if w.mention == t.a || w.mention == t.b {
			w = &v.base.words[i] // the name may say it itself: "a V6 engine"
		}
		weight := max(w.weight[step], w.weight[back])
		if own := v.saysName(i, t.relation); own > weight {
			weight = own
		}
		if weight == 0 {
			continue
		}
		f, d := elsewhere, min(distance(i, v.names[t.a].from), distance(i, v.names[t.b].from))
		if near(i) {
			f = worded
		}
		if t.word < 0 || f < t.fit || f == t.fit && weight > t.weight {
			t.fit, t.weight, t.word, t.distance = f, weight, i, d
		}
	}
}

// saysName returns how well word i, with the words before it, is a relation's own
// name written apart, "full name" for fullname, or what a word of it comes from,
// "built" for builder; 0 where it is neither.
func (v *verifier) saysName(i int, r kg.RelationID) float64 {
	w := &v.q.words[i]
	if w.stop || w.taken || w.mention >= 0 {
		return 0
	}
	stems := lexicon.Stems(v.r.p.g.RelationText(r))
	whole, phrase := strings.Join(stems, ""), w.Stem
	for j := i - 1; j >= 0 && j >= i-3 && v.q.words[j].mention < 0; j-- {
		if phrase = v.q.words[j].Stem + phrase; phrase == whole {
			return cueWeights.own + cueWeights.phrase
		}
	}
	const least, ending = 4, 3 // letters
	for _, s := range stems {
		if len(w.Stem) >= least && strings.HasPrefix(s, w.Stem) && len(s)-len(w.Stem) <= ending {
			return cueWeights.own
		}
	}
	return 0
}

// isContrasted reports whether a word next to the names of a tie, which no other
// tie has used, asks for something else that could be between them: "the leader
// of X was Y" is not borne out by Y's having discovered X, nor "X died in Y" by
// X's birth there.
func (v *verifier) isContrasted(t tie, ties []tie) bool {
	st := schema.Forward(t.relation)
	for i := range v.q.words {
		w := &v.q.words[i]
		isUsed := slices.ContainsFunc(ties, func(u tie) bool { return u.word == i && u.fit == worded })
		if isUsed || w.mention >= 0 || w.taken || !v.isBefore(i, t.a) && !v.isBefore(i, t.b) {
			continue
		}
		if !w.isCue() {
			if !w.stop && !w.silent && !w.isKind() && len(v.r.p.lex.ConceptsOf(w.Stem)) > 0 {
				return true // a relation that this graph does not have
			}
			continue
		}
		if !w.asksStrongly() {
			continue
		}
		if len(w.names) > 0 && !w.stop {
			return true
		}
		for s := range w.weight {
			isAlike := v.r.p.schema.SameKind(s.From(), st.From()) && v.r.p.schema.SameKind(s.To(), st.To())
			if isAlike || len(v.r.p.schema.Edges(t.head, s)) > 0 || len(v.r.p.schema.Edges(t.tail, s)) > 0 {
				return true
			}
		}
	}
	return false
}

// asksStrongly reports whether a word, perhaps as the last of a phrase such as
// "born in", clearly asks for some step.
func (w *word) asksStrongly() bool {
	for _, weight := range w.weight {
		if weight >= strongCue {
			return true
		}
	}
	return false
}

// isBefore reports whether word i stands before a name, with no other name
// between, or follows a possessive or the last name.
func (v *verifier) isBefore(i, n int) bool {
	if i < v.names[n].from {
		return n == 0 || i >= v.names[n-1].to
	}
	to := v.names[n].to
	if n == len(v.names)-1 {
		return i >= to
	}
	return i >= to && i < v.names[n+1].from && v.words[to].Lower == lexicon.Possessive
}

// near returns whether a word stands next to one of two names, with no other
// name between.
func (v *verifier) near(a, b int) func(i int) bool {
	start := func(n int) int {
		if n == 0 {
			return 0
		}
		return v.names[n-1].to
	}
	end := func(n int) int {
		if n == len(v.names)-1 {
			return len(v.q.words)
		}
		return v.names[n+1].from
	}
	return func(i int) bool {
		return i >= start(a) && i < end(a) || i >= start(b) && i < end(b)
	}
}

// readTies reads the claim as the ties that cover its names.
func (v *verifier) readTies(ctx context.Context, out *plan.Plan, ties []tie) {
	covered := make([]bool, len(v.names))
	var used []tie
	for _, t := range ties {
		switch {
		case covered[t.a] && covered[t.b], !v.names[t.a].needed && !v.names[t.b].needed:
			continue
		case t.word < 0 && v.isContrasted(t, ties):
			continue
		}
		covered[t.a], covered[t.b] = true, true
		used = append(used, t)
	}
	w := v.writer()
	var missing []int
	for i, n := range v.names {
		if n.needed && !covered[i] {
			missing = append(missing, i)
		}
	}
	if v.r.negated && len(v.names) > 2 {
		// "X is in Y and was not built by Z" denies only what is said of Z. That
		// the graph has it settles the claim; where the rest is not found, it is
		// the rest that is to be checked.
		denied := v.denied()
		said := slices.DeleteFunc(slices.Clone(missing), func(m int) bool { return denied[m] })
		against := slices.DeleteFunc(slices.Clone(used), func(t tie) bool { return !denied[t.b] })
		switch {
		case len(against) > 0:
			used, missing = against, nil
		case len(said) > 0:
			missing, w.pat.Negated = said, false
		}
	}
	for _, t := range used {
		w.tie(t)
	}
	if len(missing) > 0 && (v.r.negated || !w.unnamed(ctx, missing)) {
		var done []int
		for _, m := range missing {
			if slices.Contains(done, m) {
				continue
			}
			partner := w.missing(ctx, m, ties)
			if partner < 0 {
				out.Doubt = plan.NoRelation
				out.Reason = fmt.Sprintf("The claim says something of %s that nothing in this graph fits.", quote(v.names[m].Text))
				return
			}
			done = append(done, partner)
		}
	}
	if len(w.pat.Edges) == 0 {
		v.readExistence(out)
		return
	}
	out.Readings = []plan.Reading{w.reading()}
	for _, t := range used {
		if t.word < 0 {
			out.Doubt = plan.Unsure
			out.Reason = fmt.Sprintf("The graph joins %s and %s by %s, which no word of the claim asks for.",
				quote(v.names[t.a].Text), quote(v.names[t.b].Text), quote(v.r.p.g.RelationText(t.relation)))
			break
		}
	}
}

// denied returns which names are the first after a word that denies.
func (v *verifier) denied() []bool {
	out := make([]bool, len(v.names))
	for i, w := range v.words {
		if w.Lower != "not" && w.Lower != "never" && w.Lower != "no" && w.Lower != "t" {
			continue
		}
		next := slices.IndexFunc(v.names, func(n claimName) bool { return n.from > i })
		if next < 0 {
			next = len(v.names) - 1
		}
		out[next] = true
	}
	return out
}

func (v *verifier) writer() *claimWriter {
	return &claimWriter{v: v, pat: &pattern.Pattern{Asked: -1, Task: pattern.Verify, Reuse: pattern.ReuseAll, Negated: v.r.negated}}
}

// readExistence reads a claim of one name: that it has some relation at all.
func (v *verifier) readExistence(out *plan.Plan) {
	name := slices.IndexFunc(v.names, func(n claimName) bool { return n.needed })
	steps, word := v.wantedSteps()
	// A claim is about more than a value: that something has 4,464 pages does not
	// bear out that "a book" does.
	if len(steps) == 0 || v.isValue(v.names[name].span) {
		out.Doubt, out.Reason = plan.NoRelation, "Nothing in the claim says what to look for in this graph."
		return
	}
	e, chosen := v.names[name].is[0], steps[0]
	for _, s := range steps {
		if len(v.r.p.schema.Edges(e, s)) > 0 {
			chosen = s
			break
		}
	}
	w := v.writer()
	from := w.node(name, e)
	w.edge(from, w.variable("?"+v.q.words[word].Lower), chosen)
	w.parts = append(w.parts, v.r.p.g.Label(e)+" "+w.arrow(chosen)+" anything")
	out.Readings = []plan.Reading{w.reading()}
}

// wantedSteps returns the steps that the claim's words ask for, best first, and
// the word that asks.
func (v *verifier) wantedSteps() (steps []schema.Step, word int) {
	best, word := 0.0, -1
	for i := range v.q.words {
		w := &v.q.words[i]
		if w.weak {
			continue
		}
		for _, weight := range w.weight {
			best = max(best, weight)
		}
	}
	// Of words about as good the last is the one that says it: "the novel X had a
	// predecessor".
	for i := range v.q.words {
		for _, weight := range v.q.words[i].weight {
			if !v.q.words[i].weak && weight >= 0.75*best {
				word = i
			}
		}
	}
	if word < 0 {
		return nil, -1
	}
	for _, s := range sortedSteps(v.q.words[word].weight) {
		if v.q.words[word].weight[s] >= 0.75*best {
			steps = append(steps, s)
		}
	}
	slices.SortStableFunc(steps, func(a, b schema.Step) int { return cmp.Compare(v.q.words[word].weight[b], v.q.words[word].weight[a]) })
	return steps, word
}

// claimWriter writes a claim as a pattern.
type claimWriter struct {
	v     *verifier
	pat   *pattern.Pattern
	nodes []claimNode
	parts []string // of the reading in words
	why   []evidence.Explanation
}

type claimNode struct {
	name   int
	entity kg.EntityID
}

// node returns the node of a name that means an entity.
func (w *claimWriter) node(name int, e kg.EntityID) int {
	n := claimNode{name, e}
	if i := slices.Index(w.nodes, n); i >= 0 {
		return i
	}
	w.nodes = append(w.nodes, n)
	w.pat.Nodes = append(w.pat.Nodes, pattern.Node{Text: w.v.names[name].Text, Entities: []kg.EntityID{e}})
	return len(w.pat.Nodes) - 1
}

// variable adds a node for what the claim leaves unnamed.
func (w *claimWriter) variable(text string) int {
	w.pat.Nodes = append(w.pat.Nodes, pattern.Node{Text: text, Variable: true})
	return len(w.pat.Nodes) - 1
}

func (w *claimWriter) edge(from, to int, st schema.Step) {
	if st.IsBack() {
		from, to = to, from
	}
	r := w.v.r.p.schema.Canonical(schema.Forward(st.Relation())).Relation()
	direction := pattern.Forward
	if w.v.r.p.schema.IsSymmetric(r) {
		direction = pattern.Either
	}
	w.pat.Edges = append(w.pat.Edges, pattern.Edge{
		From: from, To: to, Relation: w.v.r.p.g.RelationText(st.Relation()), Fixed: w.v.r.p.schema.Twins(r), Direction: direction,
	})
}

func (w *claimWriter) arrow(st schema.Step) string {
	name := w.v.r.p.g.RelationText(st.Relation())
	if st.IsBack() {
		return "←" + name + "—"
	}
	return "—" + name + "→"
}

// tie writes a tie that the graph has.
func (w *claimWriter) tie(t tie) {
	p := w.v.r.p
	from, to := w.node(t.from, t.head), w.node(t.to, t.tail)
	w.pat.Edges = append(w.pat.Edges, pattern.Edge{
		From: from, To: to, Relation: p.g.RelationText(t.relation), Fixed: []kg.RelationID{t.relation}, Direction: pattern.Forward,
	})
	w.parts = append(w.parts, p.g.Label(t.head)+" "+w.arrow(schema.Forward(t.relation))+" "+p.g.Label(t.tail))
	word := "no word"
	if t.word >= 0 {
		word = quote(w.v.q.words[t.word].Text)
	}
	w.why = append(w.why, evidence.Explanation{Value: t.weight, Message: fmt.Sprintf("%s asks for %s", word, quote(p.g.RelationText(t.relation)))})
}

// missing writes what the claim says of a name that nothing joins to the others:
// the relation that the words next to it ask for, else any. It returns the other
// name that it is said of, or -1 where there is none.
func (w *claimWriter) missing(ctx context.Context, m int, ties []tie) int {
	p := w.v.r.p
	partner, turned, st, best := -1, false, schema.Step(0), 0.0
	consider := func(from, to int) {
		e := w.v.names[from].is[0]
		near := w.v.near(m, from+to-m)
		for i := range w.v.q.words {
			wd := &w.v.q.words[i]
			if !near(i) {
				continue
			}
			for _, s := range sortedSteps(wd.weight) {
				weight := wd.weight[s] - 0.02*float64(min(distance(i, w.v.names[m].from), distance(i, w.v.names[m].to)))
				if len(p.schema.Edges(e, s)) == 0 {
					weight -= 0.5 // the graph says nothing of the kind about it
				}
				if partner < 0 || weight > best {
					partner, turned, st, best = from+to-m, from == m, s, weight
				}
			}
		}
	}
	for o, n := range w.v.names {
		if o == m || !n.needed || o != 0 && distance(o, m) > 1 {
			continue
		}
		consider(o, m)
		consider(m, o)
	}
	isTied := func(o int) bool {
		return slices.ContainsFunc(ties, func(t tie) bool { return t.a == min(m, o) && t.b == max(m, o) })
	}
	if partner >= 0 {
		start, end := partner, m
		if turned {
			start, end = m, partner
		}
		from, to := w.v.names[start].is[0], w.v.names[end].is[0]
		if _, found := slices.BinarySearch(p.schema.Reach(ctx, []kg.EntityID{from}, []schema.Step{st}, nil), to); found {
			st = st.Back() // it lies the other way round
		}
		w.edge(w.node(start, from), w.node(end, to), st)
		w.parts = append(w.parts, p.g.Label(from)+" "+w.arrow(st)+" "+p.g.Label(to))
		return partner
	}
	for o, n := range w.v.names {
		if o != m && n.needed && !isTied(o) {
			w.pat.Edges = append(w.pat.Edges, pattern.Edge{From: w.node(o, n.is[0]), To: w.node(m, w.v.names[m].is[0])})
			w.parts = append(w.parts, p.g.Label(n.is[0])+" —any relation— "+p.g.Label(w.v.names[m].is[0]))
			return o
		}
	}
	return -1
}

func sortedSteps(m map[schema.Step]float64) []schema.Step {
	out := make([]schema.Step, 0, len(m))
	for s := range m {
		out = append(out, s)
	}
	slices.Sort(out)
	return out
}

func (w *claimWriter) reading() plan.Reading {
	text := strings.Join(w.parts, " and ")
	if w.pat.Negated {
		text = "Is it false that " + text + "?"
	} else {
		text = "Is it true that " + text + "?"
	}
	return plan.Reading{Pattern: w.pat, Text: text, Explanation: evidence.Explanation{Message: "what joins the names of the claim", Children: w.why}}
}
