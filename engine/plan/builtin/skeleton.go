package builtin

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"cairn/engine/lexicon"
	"cairn/engine/plan/grammar"
	"cairn/engine/plan/words"
	"cairn/engine/schema"
	"cairn/internal/wording"
)

// misreadMost is how many of the best proposals are compared with the grammar.
const misreadMost = 2 * realiseMost

// weighMisread takes points from the best proposals that are not what is asked, and sorts all.
func (r *reader) weighMisread(proposals []proposal) {
	sortProposals(proposals)
	for i := range proposals[:min(len(proposals), misreadMost)] {
		r.takeMisread(&proposals[i])
	}
	sortProposals(proposals)
}

// takeMisread takes points from a proposal that is not what is asked.
func (r *reader) takeMisread(pr *proposal) {
	var lacks bool
	if pr.misread, lacks = r.misread(pr); lacks {
		pr.lacks = r.p.weights.MisreadLacks
	}
	if pr.misread != "" {
		pr.score -= r.p.weights.Misread + pr.lacks
	}
}

// leavesAsked says in a sentence that a reading steps from what the asked noun names to
// something else, which it then answers: "which keepers live in X" asks for keepers, not for
// what they keep. It returns "" for any other reading.
func (pr *proposal) leavesAsked() string {
	q, last := pr.q, pr.shape.lastSteps()
	if q.asked < 0 || len(last) == 0 || pr.unmet != nil || len(pr.shape.values) > 0 {
		return ""
	}
	if hops := pr.shape.hops(); len(hops) == 1 && len(pr.shape.legs) == 1 && q.endOfMention(hops[0].step.Relation(), q.Mentions[pr.shape.legs[0].mention]).own {
		return "" // in "what is above X" no noun is asked for
	}
	w := &q.Words[q.asked]
	stranded := q.has(q.asked+1, len(q.Words), "of", "for", "to") // "what is X the capital of"
	for _, s := range last {
		if stranded || !w.Names[s.Back()] && !q.callsTail(w, s.Back()) || w.Names[s] || q.NamesSlot(w, s.To()) || q.wh == howMany && q.p.isNumberOf(s, w.Lower) {
			return ""
		}
	}
	return fmt.Sprintf("The reading goes on from %s to something else.", wording.Quote(w.Text))
}

// ofWhose says in a sentence that a reading ends at the noun of which the question asks whose such
// things are: "whose works did X translate" asks for no works. It returns "" for any other reading.
func (pr *proposal) ofWhose() string {
	q := pr.q
	if q.wh != noWh || len(q.Words) < 2 || q.Words[0].Lower != "whose" {
		return ""
	}
	at := 1
	for at+1 < len(q.Words) && q.Words[at].Mention >= 0 { // "whose excluded bids"
		at++
	}
	w := &q.Words[at]
	for _, s := range pr.shape.lastSteps() {
		if w.Weight[s.Back()] < words.StrongCue && (w.Names[s] || q.NamesSlot(w, s.To())) {
			return fmt.Sprintf("The question asks whose %s, but the reading leads to these and not to whose they are.", wording.Quote(w.Text))
		}
	}
	return ""
}

// callsTail reports whether a step goes along a relation that is called by a noun for its
// tails, and a word is that noun: "keepers" for keeper, "samples" for produced sample.
func (q *question) callsTail(w *words.Word, st schema.Step) bool {
	stems := lexicon.Stems(q.p.g.RelationText(st.Relation()))
	return !st.IsBack() && len(stems) > 0 && stems[len(stems)-1] == w.Stem && !w.IsPast() && !q.p.lex.Is(lexicon.Verb, w.Lower)
}

// parsed is a question as the grammar reads it with some names.
type parsed struct {
	all   []grammar.Skeleton
	spans []words.Span
}

// skeletons returns the ways in which the grammar reads the question with the names of a
// proposal, and the span of each name.
func (r *reader) skeletons(pr *proposal) ([]grammar.Skeleton, []words.Span) {
	if p, ok := r.parsed[pr.q]; ok {
		return p.all, p.spans
	}
	spans := slices.Clone(pr.q.Mentions)
	for _, s := range r.SureNames() {
		if !slices.ContainsFunc(spans, s.Overlaps) {
			spans = append(spans, s)
		}
	}
	slices.SortFunc(spans, func(a, b words.Span) int { return a.From - b.From })
	names := wording.Each(spans, func(s words.Span) grammar.Name { return grammar.Name{From: s.From, To: s.To} })
	p := parsed{grammar.Parse(words.Tokens(r.Words), names), spans}
	r.parsed[pr.q] = p
	return p.all, p.spans
}

// misread says in a sentence how a reading differs from what is asked, by its noun or by
// the grammar; "" where one way to parse the question bears it out, or none is known. It
// lacks something where no way to parse the question has as few steps.
func (r *reader) misread(pr *proposal) (why string, lacks bool) {
	if why := cmp.Or(pr.leavesAsked(), pr.ofWhose()); why != "" {
		return why, false
	}
	if len(pr.shape.legs) == 0 || pr.unmet != nil {
		return "", false
	}
	all, spans := r.skeletons(pr)
	if len(all) == 0 || all[0].Cost > trusted {
		return "", false
	}
	lacks = true
	for i := range all {
		differs, short := r.differs(pr, &all[i], spans)
		if differs == "" {
			return "", false
		}
		why, lacks = cmp.Or(why, differs), lacks && short
	}
	return why, lacks
}

// trusted is the cost up to which the grammar is believed.
const trusted = 2.5

// pathEdge is an edge on the way from what is asked to a name, with the things that it joins.
type pathEdge struct {
	*grammar.Edge
	from *grammar.Node
}

// differs compares each leg of a proposal with the way from what is asked to its name. It is
// short where it has fewer hops than the question has words for steps.
func (r *reader) differs(pr *proposal, s *grammar.Skeleton, spans []words.Span) (why string, short bool) {
	for _, l := range pr.shape.legs {
		name := slices.IndexFunc(spans, func(sp words.Span) bool { return sp.From == pr.q.Mentions[l.mention].From })
		path := pathTo(s.Root, name)
		if path == nil {
			continue
		}
		if last := len(path) - 1; last > 0 && r.isKindBehind(pr, l, path[last]) {
			path = path[:last]
		}
		var steps []pathEdge
		worded := 0
		for k, e := range path {
			if k+1 == len(path) || path[k+1].Compare != "same" || !r.isLight(e) && e.Word != lexicon.ShareStem { // "has the same N as" is one
				steps = append(steps, e)
			}
			if slices.ContainsFunc(e.At, func(i int) bool {
				w := r.Words[i]
				return !w.Stop && !needless[w.Lower] && !words.SaysLittle(w.Lower)
			}) {
				worded++
			}
		}
		groups := r.groups(slices.Concat(l.steps, pr.shape.tail))
		slices.Reverse(groups)
		if !r.fits(pr, steps, groups) {
			return fmt.Sprintf("The reading has %s, but the question asks for %s: %s.", count(len(groups)), count(len(steps)), r.pathText(path)), len(groups) < worded
		}
	}
	return "", false
}

// isKindBehind reports whether an edge is no step, but says behind the name of a leg what kind of
// thing that is: "when was the Annie film released".
func (r *reader) isKindBehind(pr *proposal, l leg, e pathEdge) bool {
	at := pr.q.Mentions[l.mention].To
	return len(e.At) == 1 && e.At[0] == at && pr.q.NamesEntity(&pr.q.Words[at], l.entity, pr.q.topic(l.entity).slots)
}

// fits reports whether the edges of a question, outer first, may be read as some hops: each
// is one hop, but for words that ask for several hops, or for the same one.
func (r *reader) fits(pr *proposal, edges []pathEdge, hops [][]schema.Step) bool {
	if len(edges) == 0 || len(hops) == 0 {
		return len(edges) == len(hops)
	}
	e, more := edges[0], 0
	if e.Compare == "same" || strings.HasPrefix(e.Word, "co_") || strings.Contains(e.Word, "_co_") {
		more = 1 // there and back
	}
	if len(hops) > more && !r.isElsewhere(pr, e, hops) && r.fits(pr, edges[1:], hops[more+1:]) {
		return true
	}
	if len(hops) > 1 && r.asks(pr, e, hops[0]) && r.asks(pr, e, hops[1]) && !r.isThere(pr, e, hops[0]) && r.fits(pr, edges, hops[1:]) {
		return true
	}
	one := len(edges) > 1 && (r.isLight(e) || r.asks(pr, e, hops[0]) && r.asks(pr, edges[1], hops[0]) && !r.mayRepeat(e, edges[1], hops[0]) && !r.isOfOther(e, hops[0]))
	return one && r.fits(pr, edges[1:], hops)
}

// isThere reports whether a hop is asked for by nothing but the kind of what an edge leads
// from, and what it starts at may be of that kind already: "which city is X the mayor of" goes
// no further than to the city.
func (r *reader) isThere(pr *proposal, e pathEdge, hop []schema.Step) bool {
	asks := func(i int) bool {
		return slices.ContainsFunc(hop, func(st schema.Step) bool { return pr.q.Words[i].Weight[st] > 0 })
	}
	from := hop[0].From()
	return !slices.ContainsFunc(e.At, asks) && slices.ContainsFunc(e.from.KindAt, func(i int) bool {
		return pr.q.NamesSlot(&pr.q.Words[i], from) || !r.p.IsNamed(from)
	})
}

// isElsewhere reports whether an edge asks for a later hop, and not for the first: "directed
// the films acted by X" is not "acted in films directed by X".
func (r *reader) isElsewhere(pr *proposal, e pathEdge, hops [][]schema.Step) bool {
	later := func(hop []schema.Step) bool { return r.asks(pr, e, hop) }
	return !r.isLight(e) && !later(hops[0]) && slices.ContainsFunc(hops[1:], later)
}

// mayRepeat reports whether two edges ask for a hop each, though for the same one: nouns for one
// that can be taken twice, "the mother of the parents of", a word that is said twice, "what
// calls what X calls", who does something to who does it, "taught the teacher of", or what whom a
// noun names does, "what did the architect of X design".
func (r *reader) mayRepeat(a, b pathEdge, hop []schema.Step) bool {
	if a.Word == b.Word && !slices.Equal(a.At, b.At) || a.Noun && b.Noun && len(hop) == 1 && r.p.schema.JoinsSame(hop[0].Relation()) {
		return true
	}
	if a.Noun || !b.Noun || a.Compare == "same" || b.Compare == "same" {
		return false
	}
	return slices.ContainsFunc(a.At, func(i int) bool {
		verb := lexicon.Stem(lexicon.Base(r.Words[i].Lower))
		return a.Back && slices.ContainsFunc(hop, func(st schema.Step) bool { return r.p.names[st.Relation()].verb == verb }) ||
			slices.ContainsFunc(b.At, func(j int) bool { return lexicon.Agent(r.Words[j].Lower) == verb })
	})
}

// isOfOther reports whether the word of an edge is all of the name of a relation, but not of that
// of a hop: what "targets" something does not inhibit it where the graph has both.
func (r *reader) isOfOther(e pathEdge, hop []schema.Step) bool {
	return slices.ContainsFunc(e.At, func(i int) bool {
		stem := r.Words[i].Stem
		return len(r.p.Called(stem)) > 0 && !slices.ContainsFunc(hop, func(st schema.Step) bool { return r.p.IsOwn(st.Relation(), stem) })
	})
}

// isLight reports whether an edge has no word of its own, but little ones.
func (r *reader) isLight(e pathEdge) bool {
	return !slices.ContainsFunc(e.At, func(i int) bool { return !r.Words[i].Stop })
}

// asks reports whether a word of an edge, or of the kind that it leads from, asks for a hop.
func (r *reader) asks(pr *proposal, e pathEdge, hop []schema.Step) bool {
	return slices.ContainsFunc(slices.Concat(e.At, e.from.KindAt), func(i int) bool {
		return (!pr.q.Words[i].ByMeaning || slices.Contains(e.At, i)) && slices.ContainsFunc(hop, func(st schema.Step) bool { return pr.q.Words[i].Weight[st] > 0 })
	})
}

func count(n int) string {
	if n == 1 {
		return "one step"
	}
	return fmt.Sprintf("%d steps", n)
}

// groups cuts a chain into the hops that the question knows of: those through a nameless
// entity are one.
func (r *reader) groups(chain []schema.Step) [][]schema.Step {
	var out [][]schema.Step
	half := false
	for _, st := range chain {
		if half {
			out[len(out)-1] = append(out[len(out)-1], st)
		} else {
			out = append(out, []schema.Step{st})
		}
		half = r.p.schema.IsMediator(st.To())
	}
	return out
}

// pathTo returns the edges from a node to a name, or nil.
func pathTo(n *grammar.Node, name int) []pathEdge {
	for i := range n.Edges {
		e := &n.Edges[i]
		if e.To == nil {
			continue
		}
		for _, to := range append([]*grammar.Node{e.To}, e.To.More...) {
			if to.Name == name && name >= 0 {
				return []pathEdge{{e, n}}
			}
			if rest := pathTo(to, name); rest != nil {
				return append([]pathEdge{{e, n}}, rest...)
			}
		}
	}
	return nil
}

// pathText names the edges of a path.
func (r *reader) pathText(path []pathEdge) string {
	var out []string
	for _, e := range path {
		if len(e.At) > 0 {
			out = append(out, wording.Quote(strings.Join(wording.Each(e.At, func(i int) string { return r.Words[i].Text }), " ")))
		}
	}
	return strings.Join(out, ", ")
}
