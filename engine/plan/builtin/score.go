package builtin

import (
	"slices"
	"strings"
	"unicode"

	"cairn/engine/evidence"
	"cairn/engine/kg"
	"cairn/engine/lexicon"
	"cairn/engine/plan/words"
	"cairn/engine/schema"
	"cairn/internal/wording"
)

// verdict is what scoring says of a shape.
type verdict struct {
	score  float64
	uncued int   // hops with no word
	bare   int   // of these, hops that nothing else speaks for either
	faint  int   // hops whose word asks for another hop as much
	unused []int // strong cue words that no hop takes
	steps  int   // how long the search for the best way took
	// cue[h] is the best word of hop h, or -1.
	cue []int
	// turned are the steps that go against the grammar of the question.
	turned []schema.Step
	fits   int // hops that go as the grammar of the question says
}

type scorer struct {
	q     *question
	w     *Weights
	shape *shape
	hops  []hop
	last  []schema.Step
	// soft leaves out what only a whole reading can be judged by: a leg alone
	// need not use every word.
	soft   bool
	length []int // hops by leg

	base    float64
	back    []bool        // hop goes back along the hop before
	repeats []bool        // its relation was used before in the leg
	types   []schema.Slot // slots on the path, for the graph's types
	topics  []*topic
	turned  []schema.Step
	fits    int

	cues       []int       // question.cues that fit some hop
	rank       [][]float64 // by leg, by word
	assignment assignment
	best       verdict
	// explain collects the reasons, where asked for.
	explain *evidence.Explanation
}

// score returns the best score over all ways to assign the cue words to hops.
func (q *question) score(s *shape, soft bool) verdict {
	sc := scorer{q: q, w: &q.p.weights, shape: s, hops: s.hops(), last: s.lastSteps(), soft: soft}
	sc.run()
	sc.best.turned, sc.best.fits = sc.turned, sc.fits
	return sc.best
}

func (sc *scorer) run() {
	sc.findNodes()
	sc.findRepeats()
	sc.countHops()
	sc.scoreAsked()
	sc.scoreVoice()
	sc.scoreWh()
	sc.scoreAnchor()
	sc.scoreJoins()
	sc.scoreDetour()
	if !sc.soft {
		sc.scoreStrayKinds()
		if len(sc.q.Shared) > 0 && !slices.Contains(sc.back, true) {
			sc.add("no hop shares anything", -sc.w.SharedUnused)
		}
	}
	sc.rankCues()
	sc.assign()
}

// countHops marks the hops that lead to nameless entities and charges for the
// others.
func (sc *scorer) countHops() {
	sc.length = make([]int, max(1, len(sc.shape.legs)))
	cost := 0.0
	for i := range sc.hops {
		h := &sc.hops[i]
		if h.half = sc.q.p.schema.IsMediator(h.step.To()); h.half {
			continue
		}
		cost += sc.w.Hop
		if sc.length[h.leg]++; sc.length[h.leg] > 1 {
			cost += sc.w.HopMore
		}
	}
	sc.add("hops", -cost)
}

// add adds points to the part of the score that does not depend on which word
// goes to which hop.
func (sc *scorer) add(why string, points float64) {
	if points == 0 {
		return
	}
	sc.base += points
	if sc.explain != nil {
		sc.explain.Children = append(sc.explain.Children, evidence.Explanation{Value: points, Message: why})
	}
}

// findNodes collects the kinds of things on the shape, mentions included.
func (sc *scorer) findNodes() {
	for _, h := range sc.hops {
		sc.types = append(sc.types, h.step.To(), h.step.From())
	}
	if root := sc.shape.root; root != nil {
		sc.types = append(sc.types, root.at)
	}
	for _, v := range sc.shape.values {
		sc.types = append(sc.types, v.step.To())
	}
	for _, l := range sc.shape.legs {
		sc.topics = append(sc.topics, sc.q.topic(l.entity))
	}
}

// hasKind reports whether something that the hops lead to, the root or a mention
// is of a kind.
func (sc *scorer) hasKind(k int) bool {
	kind := sc.q.p.schema.Kind
	for _, h := range sc.hops {
		if kind(h.step.To()) == k {
			return true
		}
	}
	if root := sc.shape.root; root != nil && kind(root.at) == k {
		return true
	}
	return slices.ContainsFunc(sc.topics, func(t *topic) bool { return t.is(k) })
}

// isOnPath reports whether a word names the kind of something on the shape.
func (sc *scorer) isOnPath(w *words.Word) bool {
	if len(w.Types) > 0 {
		if slices.ContainsFunc(sc.types, func(at schema.Slot) bool { return sc.q.NamesSlot(w, at) }) {
			return true
		}
		for i, l := range sc.shape.legs {
			if sc.q.NamesEntity(w, l.entity, sc.topics[i].slots) {
				return true
			}
		}
		return false
	}
	return slices.ContainsFunc(w.Kinds, sc.hasKind)
}

// findRepeats marks hops that go back and relations that recur in one leg.
// Between things of one kind a relation may recur (a parent's parent), but for
// going straight back.
func (sc *scorer) findRepeats() {
	sc.back = make([]bool, len(sc.hops))
	sc.repeats = make([]bool, len(sc.hops))
	for i, h := range sc.hops {
		sc.back[i] = sc.q.p.goesBack(sc.hops, i)
		if sc.q.p.schema.JoinsSame(h.step.Relation()) && !sc.back[i] {
			continue
		}
		for _, before := range sc.hops[i-h.at : i] {
			if before.step.Relation() == h.step.Relation() {
				sc.repeats[i] = true
			}
		}
	}
}

// scoreAsked compares the asked noun with the end of the shape. A name in its place is one for what is asked
// itself: "in which county did it happen" asks for a county, not for what lies in one.
func (sc *scorer) scoreAsked() {
	for i, l := range sc.shape.legs {
		m := sc.q.Mentions[l.mention]
		isAsked := len(sc.shape.legs) > 1 && m.From > 0 && m.IsPlain() && sc.q.has(m.From-1, m.From, "which", "what")
		if isAsked && len(sc.shape.chain(i))+len(sc.shape.tail) > 1 {
			sc.add("it leads to something beside "+wording.Quote(m.Text), -sc.w.Against)
		}
	}
	if sc.q.asked < 0 {
		return
	}
	w := &sc.q.Words[sc.q.asked]
	if len(sc.last) == 0 {
		if sc.shape.root.word == sc.q.asked {
			sc.add("the asked word is "+wording.Quote(w.Text), sc.w.AskedKind)
		}
		return
	}
	best, step := -sc.w.AskedMiss, sc.w.AskedStep
	if root := sc.shape.root; root != nil && root.word == sc.q.asked && !sc.shape.isReturn() && !sc.q.isAskedBeside(sc.q.asked, sc.last[0]) { // it says where the reading begins
		sc.add("the reading begins at "+wording.Quote(w.Text), best)
		return
	}
	if w.ByMeaning { // it may be what the graph does not call such things
		best, step = 0, sc.w.AskedStep*byMeaningShare
	}
	if len(sc.shape.role) > 0 {
		best = sc.w.AskedStep
	}
	for _, s := range sc.last {
		isKind := sc.q.NamesSlot(w, s.To()) && !sc.q.isOwnElsewhere(w, s)
		switch {
		case sc.q.asksForHopBefore(sc.hops):
		case sc.q.wh == howMany && sc.q.p.isNumberOf(s, w.Lower):
			best = max(best, sc.w.AskedStep+sc.w.AskedKind)
		case (w.Names[s] || sc.namesHalf(w, s)) && !sc.q.Contradicts(w, s.To()) && !slices.ContainsFunc(sc.hops, func(h hop) bool { return h.step == s && sc.leavesAnswer(h) }):
			best = max(best, step)
		case isKind && (len(w.Names) == 0 || len(w.Types) > 0):
			best = max(best, sc.w.AskedKind)
		case isKind:
			best = max(best, sc.w.AskedBoth)
		}
	}
	sc.add("the asked word is "+wording.Quote(w.Text), best)
}

// isOwnElsewhere reports whether a noun that is no type of the graph is the name of relations of which none leads to any
// of what a step leads to: in which "country" a host is asks for no data centre, where data centres have a country.
func (q *question) isOwnElsewhere(w *words.Word, st schema.Step) bool {
	s, own := q.p.schema, 0
	for r := range kg.RelationID(q.p.g.Relations()) {
		to := schema.Forward(r)
		if name := q.p.names[r].words; len(name) != 1 || !slices.Contains(lexicon.Forms(w.Lower), name[0]) && name[0] != lexicon.Singular(w.Lower) {
			continue
		}
		if own++; to == st || s.Shared(to.To(), st.To()) > 0 {
			return false
		}
	}
	return own > 0 && len(w.Types) == 0
}

// byMeaningShare is the share of AskedStep that a noun is worth which asks for a step by what
// it means alone: "which cases did she decide" asks for no step to a plaintiff.
const byMeaningShare = 0.3

// asksForHopBefore reports whether the asked word, a type of the graph, is all that asks
// for the last hop, and the hop before leads to such a thing already: the class that is
// the domain of something is not the class of that class.
func (q *question) asksForHopBefore(hops []hop) bool {
	n := len(hops) - 1
	if q.asked < 0 || n < 1 || hops[n].at == 0 || hops[n-1].half {
		return false
	}
	w := &q.Words[q.asked]
	if len(w.Types) == 0 || w.Weight[hops[n].step] == 0 || !q.NamesSlot(w, hops[n-1].step.To()) {
		return false
	}
	return !q.isAskedBeside(q.asked, hops[n].step)
}

// isAskedBeside reports whether another word than one asks for a step.
func (q *question) isAskedBeside(word int, st schema.Step) bool {
	return slices.ContainsFunc(upTo(0, len(q.Words)), func(i int) bool { return i != word && q.Words[i].Weight[st] > 0 })
}

// namesHalf reports whether a word names the first half of the hop that ends
// with step s: a "wife" is what a marriage leads to.
func (sc *scorer) namesHalf(w *words.Word, s schema.Step) bool {
	h := sc.firstHalf(s)
	return h >= 0 && w.Names[sc.hops[h].step]
}

// firstHalf returns the hop that leads to the nameless entity from which step s
// goes on, or -1.
func (sc *scorer) firstHalf(s schema.Step) int {
	for i, h := range sc.hops {
		if h.step == s && i > 0 && sc.hops[i-1].half && sc.hops[i-1].leg == h.leg {
			return i - 1
		}
	}
	return -1
}

// scoreWh compares the question word with the end of the shape.
func (sc *scorer) scoreWh() {
	if sc.q.wh == noWh || len(sc.last) == 0 {
		return
	}
	if sc.q.clause < len(sc.q.Words) && !sc.q.asksBefore(sc.last) {
		sc.add("it leads to what the clause is about, not to what is asked", -sc.w.Clause)
		return
	}
	at := sc.last[0].To()
	switch {
	case sc.back[len(sc.hops)-1] && !sc.q.mayShare():
		// Going back the way it came to find a person is no way to find one.
	case len(sc.hops) == 1 && slices.Contains(sc.turned, sc.last[0]) && (sc.q.fitsWh(at) || sc.q.mayAskForOrganization(at)):
		// Nor is the other end of the relation that is asked for.
	case sc.q.fitsWh(at):
		sc.add("the question word fits", sc.w.WhKind)
	case sc.q.mayAskForOrganization(at):
		sc.add("the question word may ask for an organisation", sc.w.WhKind/2)
	case sc.q.wh != howMany: // a count of things is a number, too
		miss, end := sc.w.WhKind, sc.hops[len(sc.hops)-1]
		isSomebodys, _ := sc.q.p.IsTyped(end.step.From(), lexicon.Person)
		switch _, known := sc.q.p.IsTyped(at, lexicon.Person); {
		case sc.q.wh == who && (sc.q.p.schema.Value(at) != schema.NoValue || isSomebodys && end.at > 0):
			miss *= 3 // a date is nobody, nor is what those did who may be asked for
		case sc.q.wh == who && known:
			miss *= 2 // nor is an award
		}
		sc.add("the question word does not fit", -miss)
	}
}

// mayShare reports whether the question may ask for others that have the same:
// by a word that says so, or by "co-" and "with", which phrases may hold.
func (q *question) mayShare() bool {
	return len(q.Shared) > 0 || slices.ContainsFunc(q.Words, func(w words.Word) bool {
		return w.Mention < 0 && (w.Lower == "co" || w.Lower == "with" || w.Lower == "together")
	})
}

// fitsWh reports whether the question word asks for what is in a slot.
func (q *question) fitsWh(at schema.Slot) bool {
	switch q.wh {
	case noWh:
	case who:
		isObject := func(w words.Word) bool { // who invented patents
			return w.Mention < 0 && len(w.Types) > 0 && lexicon.Agent(lexicon.Singular(w.Lower)) == "" && q.NamesSlot(&w, at)
		}
		return q.p.IsAnswer(at, lexicon.Person) && (q.p.IsOfTypes(at, lexicon.Person) || !slices.ContainsFunc(q.Words, isObject))
	case when:
		return q.p.mayBeDate(at)
	case where:
		return q.p.IsAnswer(at, lexicon.Place) || q.p.IsAnswer(at, lexicon.Organization) || q.p.isWhere(at)
	case howMuch, howMany:
		return q.p.isNumber(at)
	}
	return false
}

// mayBeDate reports whether a slot holds dates, or things of which relations say that they are, unless the graph's
// own types say that they are persons, or things other than periods, or no name of them has a digit: where something was
// found is a place, and what it was built as is no time.
func (p *Planner) mayBeDate(at schema.Slot) bool {
	if p.schema.Value(at) == schema.DateValue || !p.IsAnswer(at, lexicon.Date) {
		return p.schema.Value(at) == schema.DateValue
	}
	st := schema.Step(at)
	things := p.g.Having(st.Relation(), st.IsBack())
	hasDigit := func(e kg.EntityID) bool { return strings.ContainsFunc(p.g.Label(e), unicode.IsDigit) }
	_, isTold := p.IsTyped(at, lexicon.Person)
	return p.hasPeriods(at) || !isTold && slices.ContainsFunc(things[:min(len(things), rootSample)], hasDigit)
}

// isNumber reports whether a slot holds numbers, or what looks like years and is how many there are.
func (p *Planner) isNumber(at schema.Slot) bool {
	st := schema.Step(at)
	return p.IsNumber(at) && (p.schema.Value(at) != schema.NoValue || len(p.schema.Types(at)) == 0) || st.IsBack() && p.schema.Value(at) == schema.DateValue && p.Counts(st.Relation())
}

// isNumberOf reports whether a step leads to how many there are of what a noun names, by a name that says
// so: the "number of pupils", the "pupil count".
func (p *Planner) isNumberOf(st schema.Step, noun string) bool {
	name := strings.Join(p.names[st.Relation()].words, " ")
	return !st.IsBack() && p.isNumber(st.To()) && (name == "number of "+noun || name == lexicon.Singular(noun)+" count")
}

// mayAskForOrganization reports whether the question word may ask for the organisations in a
// slot: "who" does, less than for people.
func (q *question) mayAskForOrganization(at schema.Slot) bool {
	return q.wh == who && q.p.IsAnswer(at, lexicon.Organization)
}

// isObject reports whether what is in a slot is what something is done to or with, for all that the
// graph tells: who "studies" a volcano, or "studied under" somebody, was not educated there.
func (p *Planner) isObject(at schema.Slot) bool {
	for _, a := range []lexicon.Answer{lexicon.Place, lexicon.Organization} {
		if is, _ := p.IsTyped(at, a); is {
			return false
		}
	}
	st := schema.Step(at)
	return p.schema.JoinsSame(st.Relation()) || st.IsBack() && lexicon.IsBareVerb(p.names[st.Relation()].words)
}

// isWhere reports whether the name of a relation says that its tail, a slot, is where
// something is or happens: "expressed in", "sold at". A concert that somebody "sang in" was at a
// place itself.
func (p *Planner) isWhere(at schema.Slot) bool {
	st := schema.Step(at)
	name := p.names[st.Relation()].words
	if !st.IsBack() || p.schema.Value(at) != schema.NoValue || len(name) < 2 || !lexicon.IsVerbForm(name[0]) || !slices.Contains([]string{"in", "at"}, name[len(name)-1]) {
		return false
	}
	for r := range p.names {
		on := schema.Forward(kg.RelationID(r))
		if p.IsAnswer(on.To(), lexicon.Place) && 2*p.schema.Shared(on.From(), at) > p.schema.Size(at) {
			return false
		}
	}
	return true
}

func (sc *scorer) scoreAnchor() {
	if sc.q.anchor < 0 || len(sc.last) == 0 {
		return
	}
	w := &sc.q.Words[sc.q.anchor]
	if w.Weight[sc.last[0]] > 0 || sc.firstHalf(sc.last[0]) >= 0 && w.Weight[sc.hops[sc.firstHalf(sc.last[0])].step] > 0 {
		sc.add("the word next to the question word fits", sc.w.Anchor)
	} else {
		sc.add("the word next to the question word does not fit", -sc.w.Anchor)
	}
}

// scoreJoins looks at the places where two hops of a leg meet.
func (sc *scorer) scoreJoins() {
	for i, h := range sc.hops {
		if h.at > 0 && !sc.q.p.schema.Coherent(sc.hops[i-1].step.To(), h.step.From()) {
			sc.add("two hops meet only because names coincide", -sc.w.Incoherent)
		}
		if h.at > 0 && sc.q.wh == where && slices.Contains(sc.last, h.step) && sc.q.tellsWhere(sc.hops[i-1].step, h.step) {
			sc.add("the step before tells where", -sc.w.Against)
		}
	}
}

// tellsWhere reports whether a verb of the question asks for a step that says by its own name where something is or
// was done, and nothing else does for the next: where something was found is what it was "found at", and not the
// country of that.
func (q *question) tellsWhere(st, next schema.Step) bool {
	name := q.p.names[st.Relation()].words
	if st.IsBack() || len(name) < 2 || !slices.Contains([]string{"in", "at", "on"}, name[len(name)-1]) {
		return false
	}
	tells, asks := false, false
	for i, w := range q.Words {
		says := w.Mention < 0 && !w.Stop && q.SaysName(i, st.Relation()) > 0
		tells, asks = tells || says, asks || !says && w.Lower != "where" && w.Weight[next] > 0
	}
	return tells && !asks
}

// scoreDetour charges for a way over things that the question does not name where one step leads from
// the name to the same kind of things by a relation of the same name, in any number: which countries
// the rivers' own "countries" tell, not the "country" of what stands on them.
func (sc *scorer) scoreDetour() {
	if len(sc.shape.legs) != 1 || sc.shape.root != nil || len(sc.hops) < 2 {
		return
	}
	p, e, last := sc.q.p, sc.shape.legs[0].entity, sc.hops[len(sc.hops)-1].step
	for _, h := range sc.hops[:len(sc.hops)-1] {
		if slices.ContainsFunc(sc.q.Words, func(w words.Word) bool { return w.Mention < 0 && w.IsNamedKind() && sc.q.NamesSlot(&w, h.step.To()) }) {
			return
		}
	}
	for _, h := range sc.hops {
		for _, r := range p.names[h.step.Relation()].namesakes {
			st := schema.Forward(r)
			if h.step.IsBack() {
				st = st.Back()
			}
			if p.schema.Coherent(st.To(), last.To()) && len(p.schema.Edges(e, st)) > 0 {
				sc.add("one step leads there by "+wording.Quote(p.g.RelationText(r)), -sc.w.Against)
				return
			}
		}
	}
}

// scoreStrayKinds looks for kinds of things that are named and not met.
func (sc *scorer) scoreStrayKinds() {
	for i := range sc.q.Words {
		w := &sc.q.Words[i]
		if w.IsKind() && !w.IsCue() && !w.Silent && !sc.isOnPath(w) {
			sc.add("nothing is a "+wording.Quote(w.Text), -sc.w.StrayKind)
		}
	}
}
