// Package claim reads a text as a claim to check: whether it is one, and the pattern
// that must be in the graph for it to hold.
//
//	names ─graph─▶ ties ─words─▶ fits ─▶ one pattern that has every name
//
// Whether what is found bears the claim out is for package answer to say.
package claim

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"
	"unicode"

	"cairn/engine/kg"
	"cairn/engine/lexicon"
	"cairn/engine/link"
	"cairn/engine/pattern"
	"cairn/engine/plan"
	"cairn/engine/plan/words"
	"cairn/engine/schema"
	"cairn/internal/wording"
)

const (
	// claimNames is how many names of a claim are read, and claimSame how many
	// entities each may mean.
	claimNames = 8
	claimSame  = 8
	// claimScan bounds the edges looked at to tell how two entities are joined.
	claimScan = 20_000
)

// verifier reads a text as a claim, from what joins the names that it gives. Questions ask for what is not named, so that their words must lead there. A
// claim names what it is about, and the graph says what there is between the
// names: the words need only agree.
type verifier struct {
	g      *kg.Graph
	lex    *lexicon.Lexicon
	schema *schema.Schema
	t      form
	denies bool // it says that something is not so

	words []words.Word    // before names are chosen
	base  *words.Question // that has no names
	q     *words.Question
	again []words.Span // names said before
	// unknown are the numbers that the graph does not have.
	unknown []string
	names   []claimName // in the order of the text
}

type claimName struct {
	words.Span
	is []kg.EntityID
	// needed says that the claim holds only if something joins the name.
	needed bool
	trait  bool // it is said to be what the name before is: "X is red"
}

// Read reads the text as a claim: the plan has one reading, or the reason for none.
func Read(ctx context.Context, t *words.Text, denied bool, out *plan.Plan) {
	r := form{t}
	if r.comparesThings() {
		out.Doubt = plan.NotSupported
		out.Reason = "Claims that compare two entities are not supported yet; ask for both values and compare them."
		return
	}
	v := &verifier{g: t.Vocabulary.Graph(), lex: t.Vocabulary.Lexicon(), schema: t.Vocabulary.Schema(), t: r, denies: denied, words: slices.Clone(r.Words)}
	for i := range v.words {
		w := &v.words[i]
		w.Taken = false                  // a claim compares nothing
		w.Meant, w.MeantKinds = nil, nil // what holds is said by words that are sure
	}
	v.dropAside()
	v.base = t.Vocabulary.Read(v.words, nil)
	v.findNames()
	if len(v.names) == 0 {
		out.Unlinked = v.unlinked()
		out.Doubt, out.Reason = plan.NoMention, "No name in the claim is in this graph."
		return
	}
	v.findValues()
	for b := 1; b < len(v.names); b++ {
		_, v.names[b].trait = v.traitOf(b-1, b)
		v.names[b].needed = v.names[b].needed || v.names[b].trait
	}
	v.read()
	if v.readPlain(out) {
		return
	}
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
		out.Reason = fmt.Sprintf("Nothing in this graph is called %s, so the claim cannot be checked as a whole.", wording.Quotes(out.Unlinked))
		return
	}
	if v.needed() == 0 {
		out.Doubt, out.Reason = plan.NoMention, "No name in the claim is certain to be in this graph."
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
	v.q = v.t.Vocabulary.Read(v.words, wording.Each(v.names, func(n claimName) words.Span { return n.Span }))
}

// dropAside takes the words before the claim out of the reading: "I know that",
// "Have you heard of". They ask for nothing.
func (v *verifier) dropAside() {
	for i := range lexicon.Aside(words.Tokens(v.words), v.t.PartOfName) {
		v.words[i].Taken = true
	}
}

// findNames chooses the names that are read: those that are surest, where they
// do not overlap, and of those equally sure the longest.
func (v *verifier) findNames() {
	spans := slices.Clone(v.t.All)
	slices.SortStableFunc(spans, func(a, b words.Span) int {
		return cmp.Or(cmp.Compare(v.grade(b), v.grade(a)), cmp.Compare(b.To-b.From, a.To-a.From))
	})
	v.addNames(spans, func(s words.Span) bool { return s.Strength >= possibleStrength || v.isKindNoun(s) })
	if v.needed() < 2 {
		v.addNames(spans, words.Span.IsPlain)
	}
	slices.SortFunc(v.names, func(a, b claimName) int { return cmp.Compare(a.From, b.From) })
}

// addNames adds those of spans that may be names.
func (v *verifier) addNames(spans []words.Span, may func(s words.Span) bool) {
	for _, s := range spans {
		if len(s.Candidates) == 0 || v.words[s.From].Taken {
			continue
		}
		overlaps := slices.ContainsFunc(v.names, func(n claimName) bool { return n.Overlaps(s) })
		if s.Candidates[0].Method > link.Typo || !may(s) || overlaps {
			continue
		}
		n := claimName{Span: s, needed: s.Strength >= v.t.SureEnough() || v.isValue(s) || v.isCapital(s) || s.Strength < possibleStrength && s.IsPlain()}
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
func (v *verifier) isCapital(s words.Span) bool {
	return s.From > 0 && v.words[s.From].Capital && !v.words[s.From].Stop && !v.startsSentence(s.From)
}

// isKindNoun reports whether a span stands where "X is a Y" and "Is X a Y?" say what
// kind of thing X is.
func (v *verifier) isKindNoun(s words.Span) bool {
	if s.From < 2 || s.To < len(v.words) || v.words[s.From-1].Lower != "a" && v.words[s.From-1].Lower != "an" {
		return false
	}
	return slices.ContainsFunc(v.words[:s.From], func(w words.Word) bool { return copulas[w.Lower] })
}

// copulas join a name with what it is.
var copulas = lexicon.Words("copulas")

// startsSentence reports whether word i begins a sentence.
func (v *verifier) startsSentence(i int) bool {
	return i == 0 || strings.ContainsAny(v.t.Source[v.words[i-1].End:v.words[i].Start], ".!?")
}

// possibleStrength is the least strength of a span that may be a name.
const possibleStrength = 0.5

// grade is the strength of a span, where a value written out counts as sure:
// "279142000000.0" is one number, not one and a nought.
func (v *verifier) grade(s words.Span) float64 {
	if v.isValue(s) && s.To-s.From > 1 {
		return max(s.Strength, words.SureStrength)
	}
	return s.Strength
}

// dropWords makes names that nothing joins, and whose words ask for relations,
// words again: the "Prime Minister" of "X was a Prime Minister".
func (v *verifier) dropWords(ties []tie) bool {
	n := len(v.names)
	v.names = slices.DeleteFunc(v.names, func(n claimName) bool {
		if n.trait || v.isValue(n.Span) || slices.ContainsFunc(ties, func(t tie) bool { return v.names[t.a].From == n.From || v.names[t.b].From == n.From }) {
			return false
		}
		for i := n.From; i < n.To; i++ {
			w := &v.base.Words[i]
			asks := w.IsCue() || w.Silent || w.IsKind()
			if !w.Stop && (!asks || w.Capital && !v.lex.Knows(w.Stem)) {
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
	isDigit := func(j int) bool { return j >= 0 && v.words[j].Text[0] >= '0' && v.words[j].Text[0] <= '9' }
	isName := func(i int) bool {
		w := &v.words[i]
		if !w.Capital || w.Stop || w.Taken || w.Lower == "i" || v.base.Words[i].IsCue() || v.base.Words[i].IsKind() || v.base.Words[i].Silent || v.lex.Knows(w.Stem) {
			return false
		}
		afterNumber := isDigit(i-1) || isDigit(i-2) // a unit
		covers := func(s words.Span) bool { return s.From <= i && i < s.To }
		return !afterNumber && !slices.ContainsFunc(v.again, covers) &&
			!slices.ContainsFunc(v.names, func(n claimName) bool { return covers(n.Span) })
	}
	out := slices.Clone(v.unknown)
	for i := 0; i < len(v.words); i++ {
		to := i
		for to < len(v.words) && isName(to) {
			to++
		}
		if to > i+1 || to > i && !v.startsSentence(i) && !v.adjoins(i) {
			end := to
			if to < len(v.words) && isDigit(to) && v.words[to].Start == v.words[to-1].End+1 {
				end++ // "Apollo 15"
			}
			out = append(out, v.t.Source[v.words[i].Start:v.words[end-1].End])
		}
		i = max(i, to)
	}
	return out
}

// linkNear takes the phrases that name nothing for short names of what is next to
// the claim's names in the graph: "Labour" beside a member of the Labour Party.
// It reports whether any was linked.
func (v *verifier) linkNear(phrases []string) bool {
	linked := false
	for _, phrase := range phrases {
		stems := lexicon.Stems(phrase)
		var found []link.Candidate
		if i := slices.IndexFunc(v.t.All, func(s words.Span) bool { return s.Text == phrase && s.Candidates[0].Method == link.Exact }); i >= 0 {
			// The whole name of something, and no short one: "Seven" beside "Seven Samurai".
			found, stems = v.t.All[i].Candidates, nil
		}
		for _, n := range v.names {
			for _, e := range n.is {
				if v.g.Degree(e) > hubScan {
					continue
				}
				for _, edges := range [2][]kg.Edge{v.g.Out(e), v.g.In(e)} {
					for _, x := range edges {
						label := lexicon.Stems(v.g.Label(x.Entity))
						isNamed := len(stems) > 0 && len(label) < len(stems)+4 && !slices.ContainsFunc(stems, func(w string) bool { return !slices.Contains(label, w) })
						if isNamed && !slices.ContainsFunc(found, func(c link.Candidate) bool { return c.Entity == x.Entity }) {
							found = append(found, link.Candidate{Entity: x.Entity, Method: link.Near})
						}
					}
				}
			}
		}
		at := strings.Index(v.t.Source, phrase)
		if len(found) == 0 || at < 0 {
			continue
		}
		s := words.Span{Mention: link.Mention{Start: at, End: at + len(phrase), Text: phrase, Candidates: found, Strength: words.SureStrength}}
		s.From = slices.IndexFunc(v.words, func(w words.Word) bool { return w.Start >= s.Start })
		for s.To = max(s.From, 0); s.From >= 0 && s.To < len(v.words) && v.words[s.To].End <= s.End; {
			s.To++
		}
		if s.From < 0 || s.To == s.From {
			continue
		}
		n := claimName{Span: s, needed: true}
		for _, c := range found[:min(len(found), claimSame)] {
			n.is = append(n.is, c.Entity)
		}
		v.names = append(v.names, n)
		linked = true
	}
	slices.SortFunc(v.names, func(a, b claimName) int { return cmp.Compare(a.From, b.From) })
	return linked
}

// adjoins reports whether word i stands right beside a name, whose longer form it
// may be a part of.
func (v *verifier) adjoins(i int) bool {
	return slices.ContainsFunc(v.names, func(n claimName) bool {
		switch i {
		case n.To:
			return strings.TrimSpace(v.t.Source[n.End:v.words[i].Start]) == ""
		case n.From - 1:
			return strings.TrimSpace(v.t.Source[v.words[i].End:n.Start]) == ""
		}
		return false
	})
}

// isValue reports whether a span gives a number or a date.
func (v *verifier) isValue(s words.Span) bool {
	_, ok := kg.ParseValue(strings.Trim(s.Text, `"`))
	return ok || strings.IndexFunc(s.Text, unicode.IsDigit) >= 0 && s.Strength >= words.SureStrength
}

// readTies reads the claim as the ties that cover its names.
func (v *verifier) readTies(ctx context.Context, out *plan.Plan, ties []tie) {
	covered := make([]bool, len(v.names))
	var used []tie
	said := func(t tie) bool {
		return slices.ContainsFunc(used, func(u tie) bool { return u.word >= 0 && u.word == t.word })
	}
	for _, t := range ties {
		switch {
		case covered[t.a] && covered[t.b], !v.names[t.a].needed && !v.names[t.b].needed:
			continue
		case t.word < 0 && !v.isOfKind(t) && v.isContrasted(t, ties):
			continue
		case said(t):
			// A word of its own joins a name before one that has joined others: "the tenants of X,
			// located in Y and owned by Z" does not say that Z is in Y.
			own := slices.IndexFunc(ties, func(o tie) bool {
				joins := !covered[o.a] && covered[o.b] && (o.a == t.a || o.a == t.b) || !covered[o.b] && covered[o.a] && (o.b == t.a || o.b == t.b)
				return o.fit == worded && joins && !said(o)
			})
			if own >= 0 {
				t = ties[own]
			}
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
	if v.denies && len(v.names) > 2 {
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
	if len(missing) > 0 && (v.denies || !w.unnamed(ctx, missing)) {
		var done []int
		for _, m := range missing {
			if slices.Contains(done, m) {
				continue
			}
			partner := w.missing(ctx, m, ties)
			if partner < 0 {
				out.Doubt = plan.NoRelation
				out.Reason = fmt.Sprintf("The claim says something about %s that matches nothing in this graph.", wording.Quote(v.names[m].Text))
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
	out.Readings[0].Worded = !w.guesses && !slices.ContainsFunc(used, func(t tie) bool { return !v.isWorded(t) })
	isOne := len(used) == 1 && len(v.names) == 2 && !v.denies
	out.Readings[0].Whole = !w.guesses && (v.isWhole(w.pat, used) || isOne && (v.isOnlyTie(used[0]) || v.isOfKind(used[0])))
	for _, t := range used {
		if t.word < 0 {
			out.Doubt = plan.Unsure
			out.Reason = fmt.Sprintf("The graph connects %s and %s by %s, which no word of the claim asks for.",
				wording.Quote(v.names[t.a].Text), wording.Quote(v.names[t.b].Text), wording.Quote(v.g.RelationText(t.relation)))
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
		next := slices.IndexFunc(v.names, func(n claimName) bool { return n.From > i })
		if next < 0 {
			next = len(v.names) - 1
		}
		out[next] = true
	}
	return out
}

func (v *verifier) writer() *claimWriter {
	return &claimWriter{v: v, pat: &pattern.Pattern{Asked: -1, Task: pattern.Verify, Reuse: pattern.ReuseAll, Negated: v.denies}}
}

// readExistence reads a claim of one name: that it has some relation at all.
func (v *verifier) readExistence(out *plan.Plan) {
	name := slices.IndexFunc(v.names, func(n claimName) bool { return n.needed })
	steps, word := v.wantedSteps()
	// A claim is about more than a value: that something has 4,464 pages does not
	// bear out that "a book" does.
	if len(steps) == 0 || v.isValue(v.names[name].Span) {
		out.Doubt, out.Reason = plan.NoRelation, "The claim does not name a relation that this graph knows."
		return
	}
	e, chosen := v.names[name].is[0], steps[0]
	for _, s := range steps {
		if len(v.schema.Edges(e, s)) > 0 {
			chosen = s
			break
		}
	}
	w := v.writer()
	from := w.node(name, e)
	w.edge(from, w.variable("?"+v.q.Words[word].Lower), chosen)
	w.parts = append(w.parts, v.g.Label(e)+" "+w.arrow(chosen)+" anything")
	out.Readings = []plan.Reading{w.reading()}
	out.Readings[0].Worded = v.saysItHas(name, word, chosen)
}

// saysItHas reports whether a claim of one name says in so many words that it has something, or
// is something of another thing, by a noun that a step leads to: "X had a successor", "X attended college", "X was a
// president".
func (v *verifier) saysItHas(name, word int, st schema.Step) bool {
	if len(v.names) > 1 || v.names[name].From > word || word+1 < len(v.words) || v.t.Vocabulary.IsTruth(st.Relation()) {
		return false
	}
	has, is := false, false
	for i := v.names[name].To; i < word; i++ {
		w := v.words[i].Lower
		does := !is && lexicon.IsVerbForm(w) && v.q.MayStandFor(i, st) && // "attended college", "went to college"
			!slices.ContainsFunc(v.words[i+1:word], func(w words.Word) bool { return !v.lex.IsStop(w.Lower) })
		has = has || does || w == "has" || w == "have" || w == "had"
		is = is || copulas[w]
	}
	noun := v.q.Words[word]
	return has && (noun.Names[st] || !st.IsBack()) || is && !has && st.IsBack() && (noun.Names[st.Back()] || v.q.SaysName(word, st.Relation()) > 0)
}

// wantedSteps returns the steps that the claim's words ask for, best first, and
// the word that asks.
func (v *verifier) wantedSteps() (steps []schema.Step, word int) {
	best, word := 0.0, -1
	for i := range v.q.Words {
		w := &v.q.Words[i]
		if w.Weak {
			continue
		}
		for _, weight := range w.Weight {
			best = max(best, weight)
		}
	}
	// Of words about as good the last is the one that says it: "the novel X had a
	// predecessor".
	for i := range v.q.Words {
		for _, weight := range v.q.Words[i].Weight {
			if !v.q.Words[i].Weak && weight >= 0.75*best {
				word = i
			}
		}
	}
	if word < 0 {
		return nil, -1
	}
	for _, s := range slices.Sorted(maps.Keys(v.q.Words[word].Weight)) {
		if v.q.Words[word].Weight[s] >= 0.75*best {
			steps = append(steps, s)
		}
	}
	slices.SortStableFunc(steps, func(a, b schema.Step) int { return cmp.Compare(v.q.Words[word].Weight[b], v.q.Words[word].Weight[a]) })
	return steps, word
}
