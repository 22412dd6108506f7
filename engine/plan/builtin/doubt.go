package builtin

import (
	"cmp"
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

// Margins between the best reading and the next with other answers, below which
// the first is in doubt. On the development sets (MetaQA, PathQuestion,
// WorldCup; 24,000 questions) the first reading is right for 98.8 of 100
// questions whatever the margin where every hop has its word, and for 87 of 100
// below a margin of 0.5 where one has not, against 99.7 above it.
const (
	// tieMargin is wider than Weights.MentionRank, so that two entities of one
	// name are offered for choice.
	tieMargin    = 0.25
	uncuedMargin = 0.5
	unusedMargin = 1
)

// reason is why a reading is in doubt.
type reason struct {
	doubt plan.Doubt
	way   way
	// says says so in a sentence; "" where it does not hold.
	says func(*look) string
}

// way is how a reason leaves a reading: one that is open leaves only in doubt whether a reading is
// meant that is whole; one of a part says why it is not whole, and one of a word that it takes a word
// of the question for another that means about the same.
type way int

const (
	closed way = iota
	open
	part
	ofWord
)

// reasons are why a reading may be in doubt. The first that holds is told.
var reasons = []reason{
	{plan.NoRelation, closed, (*look).saysWild},
	{plan.NoRelation, closed, (*look).isAnyGuess},
	{plan.NoRelation, closed, (*look).farFetched},
	{plan.NoRelation, closed, (*look).ofOtherRole},
	{plan.NoRelation, closed, func(l *look) string {
		if l.againstWh() == "" {
			return ""
		}
		return cmp.Or(l.empty.reason, l.againstWh())
	}},
	{plan.NoRelation, closed, (*look).ofNoName},
	{plan.NoRelation, closed, (*look).ofNobody},
	{plan.NoRelation, closed, (*look).unheard},
	{plan.NoRelation, closed, (*look).leavesAll},
	{plan.NoRelation, closed, (*look).ofNoKind},
	{plan.NoRelation, closed, (*look).ofOtherGender},
	{plan.NoRelation, closed, func(l *look) string {
		return ifSo(l.empty.longer || l.empty.other || l.empty.direct && l.empty.better > emptyClear && !l.empty.skips, l.empty.reason)
	}},
	{plan.NoRelation, closed, func(l *look) string {
		verbs := l.unreadVerbs()
		return ifSo(len(verbs) > 0, noRelation(verbs))
	}},
	{plan.NoRelation, closed, (*look).ofNoReason},
	{plan.NoRelation, closed, (*look).ofYesNo},
	{plan.NoRelation, closed, (*look).goesRound},
	{plan.NoRelation, closed, (*look).lacking},
	{plan.NoRelation, closed, (*look).ofOtherType},
	{plan.NoRelation, closed, (*look).ofDeed},
	{plan.NoRelation, closed, func(l *look) string { return ifSo(!l.isAskedVerb(), l.ofDoer()) }},
	{plan.NoRelation, closed, (*look).leavesFact},
	{plan.NoRelation, closed, func(l *look) string { return ifSo(slices.ContainsFunc(l.left, picks), leavesOut(l.left)) }},
	{plan.NoRelation, closed, (*look).leavesFigure},
	{plan.NoRelation, closed, (*look).leavesMeasure},
	{plan.NoRelation, closed, (*look).leavesPart},
	{plan.NoRelation, closed, (*look).comparesOther},
	{plan.NoRelation, closed, (*look).ofOtherMeasure},
	{plan.NoRelation, closed, (*look).ofOtherNumber},
	{plan.NoRelation, closed, (*look).turnsSame},
	{plan.Unsure, closed, (*look).ofDoer}, // what make a car is may be its maker
	{plan.Unsure, closed, (*look).ofOtherRoot},
	{plan.Unsure, closed, (*look).leavesRole},
	{plan.Unsure, closed, (*look).ofObject},
	{plan.Unsure, closed, (*look).leadsUp},
	{plan.Unsure, closed, (*look).ofReceiver},
	{plan.Unsure, closed, (*look).ofAnybodys},
	{plan.Unsure, closed, (*look).ofBound},
	{plan.Unsure, closed, (*look).leavesKind},
	{plan.Unsure, closed, (*look).untyped},
	{plan.Unsure, closed, (*look).calledOther},
	{plan.Unsure, closed, func(l *look) string { return l.role }},
	{plan.NoRelation, closed, (*look).takesRootTwice},
	{plan.Ambiguous, closed, (*look).sameNames},
	{plan.Unsure, closed, (*look).unmetNames},
	{plan.Ambiguous, closed, (*look).tie},
	{plan.Unsure, part, func(l *look) string {
		return ifSo(len(l.missing) > 0, fmt.Sprintf("Nothing in this graph matches %s, which the reading ignores.", wording.Quotes(l.missing)))
	}},
	{plan.Unsure, closed, func(l *look) string { return l.r.p.unitDoubt(l.shape.values) }},
	{plan.Unsure, closed, (*look).ofRecords},
	{plan.Unsure, part, (*look).saysLoose},
	{plan.Unsure, ofWord, func(l *look) string { return takes(l.byMeaning()) }},
	{plan.Unsure, part, ifThen((*look).isPartOfName, "A name in the question only resembles a name in the graph, or is only part of one.")},
	{plan.Unsure, part, func(l *look) string { return leavesOut(l.left) }},
	{plan.Unsure, part, ifThen((*look).sharesWithItself, "Only what the question itself names meets this.")},
	{plan.Unsure, part, func(l *look) string { return ifSo(l.empty.better > 0, l.empty.reason) }},
	{plan.Unsure, open, ifThen(func(l *look) bool { return l.missesQuestion() || l.isDescribedOther() }, "The reading may not lead to what the question asks for.")},
	{plan.Unsure, open, ifThen((*look).lacksWord, "One step of the reading has no matching word in the question.")},
	{plan.Unsure, closed, func(l *look) string {
		alone := len(l.verdict.unused) > 0 && (len(l.shape.legs) == 1 || l.hasRival(unusedMargin))
		return ifSo(alone, leavesOut(l.unusedWords()))
	}},
	{plan.Unsure, closed, (*look).goesTurned},
	{plan.Unsure, ofWord, (*look).ofOthers},
	{plan.Unsure, closed, (*look).readTwice},
	{plan.Unsure, closed, (*look).leavesNarrower},
	{plan.Unsure, closed, ifThen((*look).isCrossed, "The reading asks about one name what the question asks about another.")},
	{plan.Unsure, closed, (*look).ended},
	{plan.Unsure, closed, (*look).saysOnlyHere},
	{plan.Unsure, closed, (*look).qualified},
	{plan.Unsure, closed, (*look).ofNoValue},
	{plan.Unsure, closed, (*look).leavesSaid},
	{plan.Unsure, closed, (*look).leavesOwn},
	{plan.Unsure, closed, (*look).ofNoTime},
	{plan.Unsure, closed, (*look).ofHaver},
	{plan.Unsure, closed, (*look).ofOtherValue},
	{plan.Unsure, closed, (*look).ofNoAge},
	{plan.Unsure, closed, ifThen((*look).isLongest, "The question may ask for how long it has been so.")},
	{plan.Unsure, closed, ifThen((*look).comparesGiven, "What is compared is given already.")},
	{plan.Unsure, closed, ifThen((*look).isNoOther, "The question asks for others, but the reading leaves out nothing.")},
	{plan.Unsure, closed, (*look).ofOwnYear},
	{plan.Unsure, closed, (*look).ofLabel},
	{plan.Unsure, closed, (*look).otherPreposition},
	{plan.Unsure, closed, (*look).otherWord},
	{plan.Unsure, closed, (*look).returns},
	{plan.Unsure, closed, (*look).goesOnFromSame},
	{plan.Unsure, closed, (*look).guessesStep},
	{plan.Unsure, closed, (*look).ofEnd},
	{plan.Unsure, closed, func(l *look) string { why, _ := l.lacksGender(); return why }},
	{plan.Unsure, closed, (*look).whose},
	{plan.Unsure, closed, (*look).asksLate},
	{plan.Unsure, closed, ifThen((*look).listsNumbers, "The numbers of several things are listed, not added up.")},
	{plan.Unsure, open, func(l *look) string { return l.misread }},
	{plan.Unsure, part, ifThen((*look).onlyItself, "Only what the question itself names leads there and back.")},
}

// ifSo returns a text where something holds, and "" where it does not.
func ifSo(holds bool, text string) string {
	if !holds {
		return ""
	}
	return text
}

func ifThen(holds func(*look) bool, text string) func(*look) string {
	return func(l *look) string { return ifSo(holds(l), text) }
}

// doubt says how sure the plan of a reading is.
func (l *look) doubt(out *plan.Plan) {
	for _, w := range slices.Concat(l.missing, l.left) {
		if used := &out.Readings[0].Unused; !slices.Contains(*used, w) {
			*used = append(*used, w)
		}
	}
	for _, reason := range reasons {
		if why := reason.says(l); why != "" {
			out.Doubt, out.Reason, out.Open = reason.doubt, why, reason.way == open && l.isWhole()
			return
		}
	}
}

// isWhole reports whether nothing but the choice of a reading is in doubt.
func (l *look) isWhole() bool { return len(l.verdict.unused) == 0 && !l.isDoubted(part, ofWord) }

// isDoubted reports whether a reason of some way holds.
func (l *look) isDoubted(ways ...way) bool {
	return slices.ContainsFunc(reasons, func(r reason) bool { return slices.Contains(ways, r.way) && r.says(l) != "" })
}

// saysWild says that nothing speaks for an answer, and that the words which do ask for something ask
// for what the graph does not have: the readings are suggestions.
func (l *look) saysWild() string {
	wild := (l.unmet == nil || l.verdict.bare == len(l.shape.legs)) && l.isWild(len(l.missing))
	return ifSo(wild, noRelation(l.missing))
}

// unmetNames says which conditions an answer does not meet.
func (l *look) unmetNames() string {
	if l.unmet == nil || len(l.unmet.names) == 0 {
		return ""
	}
	return l.unmet.reason()
}

// saysLoose says which relation a date is taken for that no word names.
func (l *look) saysLoose() string {
	v := l.loose()
	if v == nil || l.isOnlyMeasure(v) {
		return ""
	}
	return takes([]string{takenFor(v.comparison.text, l.r.p.g.RelationText(v.step.Relation()))})
}

// lacksWord reports whether no word asks for a step, and something else might be meant.
func (l *look) lacksWord() bool {
	bare := l.verdict.bare
	for h, c := range l.verdict.cue {
		if c < 0 && h < len(l.hops) && !l.q.isNamed(l.hops[h].step) && l.isSpokenFor(h) {
			bare--
		}
	}
	return bare > 0 || l.verdict.faint > 0 && l.shape.size() > 2 || l.verdict.uncued > 0 && l.hasRival(uncuedMargin)
}

// isSpokenFor reports whether a hop needs no word of its own: the same way from another name has one, "owns both X and
// Y"; a word is for what its statements say, "who chairs X" where members have roles; or the name is a noun for the
// things themselves, "the heaviest dog".
func (l *look) isSpokenFor(h int) bool {
	hop := l.hops[h]
	if hop.leg < 0 || hop.leg >= len(l.shape.legs) || hop.at >= len(l.shape.legs[hop.leg].steps) {
		return false
	}
	own := l.shape.legs[hop.leg]
	for i, o := range l.hops {
		if o.leg != hop.leg && o.at == hop.at && o.leg < len(l.shape.legs) && slices.Equal(own.steps, l.shape.legs[o.leg].steps) && l.asking(i) != nil {
			return true
		}
	}
	return slices.ContainsFunc(l.shape.said, func(s saidLeg) bool { return s.at == h && !s.saying.time }) ||
		len(l.shape.legs) == 1 && len(own.steps) == 1 && hop.step.IsBack() && l.isCommonNoun(l.q.Mentions[own.mention]) && !l.hasRival(unusedMargin)
}

// isCommonNoun reports whether a name is written as a noun for what is asked for: "all dogs", "the heaviest dog".
func (l *look) isCommonNoun(m words.Span) bool {
	q := l.q
	if q.asked >= 0 || m.From == 0 || q.has(0, m.From, "a", "an", "have", "has", "had", "do", "does", "did") || slices.ContainsFunc(q.Words[m.From:m.To], func(w words.Word) bool { return w.Capital }) {
		return false
	}
	for range l.r.AsksAt(m.To - 1) {
		return false // "supplier" may ask for who supplies something
	}
	w := &q.Words[m.From-1]
	return w.Mention < 0 && (determiners[w.Lower] || beforeNouns[w.Lower] || lexicon.IsSuperlative(w.Lower) || w.Taken)
}

// beforeNouns stand before the noun for what is asked.
var beforeNouns = lexicon.Words("quantifiers", "requests")

// goesTurned says which relation a reading takes against the grammar of the question.
func (l *look) goesTurned() string {
	if len(l.verdict.turned) == 0 {
		return ""
	}
	if !slices.ContainsFunc(l.verdict.turned, func(st schema.Step) bool { return !l.goesOneWay(st) }) {
		return l.unsaid()
	}
	return cmp.Or(l.unsaid(), saidTurned(l.r.p.g.RelationText(l.verdict.turned[0].Relation())))
}

// goesOneWay reports whether a step of a reading can go no other way: it joins things of two kinds, and the question says
// which of them it asks for.
func (l *look) goesOneWay(st schema.Step) bool {
	s := l.r.p.schema
	isSame := s.Shared(st.From(), st.To()) > 0 || s.Coherent(st.From(), st.To()) || l.r.p.JoinsSame(st.Relation())
	if isSame || !slices.Contains(l.last, st) {
		return !isSame && !st.IsBack() // what has X for a partner is not what X was a partner in
	}
	return l.q.asked >= 0 && l.q.NamesSlot(&l.q.Words[l.q.asked], st.To()) && !l.q.NamesSlot(&l.q.Words[l.q.asked], st.From())
}

// turnsSame says which relation between things of one kind a reading of one step takes against the
// grammar: whom X supervises is no supervisor of X. It returns "" for other readings, and where the noun stands
// right behind the name, as for "X's".
func (l *look) turnsSame() string {
	if len(l.hops) != 1 || len(l.shape.legs) != 1 || len(l.verdict.turned) == 0 || l.unsaid() != "" {
		return ""
	}
	st, cue := l.hops[0].step, l.verdict.cue[0]
	isSame := l.r.p.schema.Shared(st.From(), st.To()) > 0 && l.r.p.schema.Coherent(st.From(), st.To()) && !lexicon.IsSubclass(l.r.p.names[st.Relation()].words)
	return ifSo(isSame && cue != l.q.Mentions[l.shape.legs[0].mention].To, l.goesTurned())
}

// listsNumbers reports whether a question of how many is read as one for the numbers of several things.
func (l *look) listsNumbers() bool {
	return l.isNumber() && (l.q.wh == howMany || l.q.wh == howMuch) && l.shape.size() > 1 && len(l.answers) > 1 && !l.r.p.Counts(l.last[0].Relation())
}

// goesRound says in a sentence that a reading takes from what stands beside a name what is to be the
// same as that of the name, which has one itself: "the same colour as X" is X's own colour. It
// returns "" for other readings.
func (pr *proposal) goesRound() string {
	g := pr.q.p.g
	for _, l := range pr.shape.legs {
		for h, hp := range pr.shape.hops() {
			if h == 0 || h >= len(pr.verdict.cue) || pr.verdict.cue[h] < 0 || pr.verdict.cue[h-1] >= 0 {
				continue
			}
			cue := pr.verdict.cue[h]
			w, isSame := &pr.q.Words[cue], slices.Contains(pr.q.Shared, cue-1)
			if isSame && !w.Stop && w.Names[hp.step] && len(pr.q.p.schema.Edges(l.entity, hp.step)) > 0 {
				return fmt.Sprintf("Nothing that the question asks for has the same %s as %s.", wording.Quote(g.RelationText(hp.step.Relation())), wording.Quote(g.Label(l.entity)))
			}
		}
	}
	return ""
}

// leavesRole says in a sentence that a reading leads to what the asked noun names by a relation
// that no word asks for, though the graph has another that the noun is the name of: guests are not
// found by who hosts. It returns "" for other readings.
func (pr *proposal) leavesRole() string {
	q, h := pr.q, pr.shape.askedHop()
	if q.asked < 0 || h < 0 || h >= len(pr.verdict.cue) || pr.verdict.cue[h] >= 0 || len(pr.shape.role) > 0 {
		return ""
	}
	const mostly = 0.5
	hops, noun := pr.shape.hops(), &q.Words[q.asked]
	if to := q.p.schema.Types(hops[h].step.To()); hops[h].step.IsBack() || len(noun.Types) == 0 || slices.ContainsFunc(noun.Types, func(t kg.TypeID) bool { return to[t] > mostly }) {
		return "" // singers are found by their voice
	}
	for _, st := range slices.Sorted(maps.Keys(noun.Weight)) {
		is := func(h hop) bool { return h.step.Relation() == st.Relation() }
		if noun.Names[st] && q.p.schema.Coherent(st.To(), hops[h].step.To()) && !slices.ContainsFunc(hops, is) {
			return fmt.Sprintf("The reading takes %s, not %s.", wording.Quote(q.p.g.RelationText(hops[h].step.Relation())), wording.Quote(q.p.g.RelationText(st.Relation())))
		}
	}
	return ""
}

// ofObject says in a sentence that a reading of "who" leads to what the object of its verb is: who works for "the
// employer of X" is not that employer. It returns "" for other readings.
func (l *look) ofObject() string {
	q := l.q
	if q.wh != who || len(l.hops) == 0 || len(l.shape.legs) != 1 {
		return ""
	}
	st := l.hops[len(l.hops)-1].step
	isSame := func(h hop) bool { return h.step.Relation() == st.Relation() }
	if slices.ContainsFunc(l.hops[:len(l.hops)-1], isSame) {
		return "" // who taught the teacher of X
	}
	for i := range q.Words {
		w := &q.Words[i]
		isOf := q.has(i+1, min(i+2, len(q.Words)), "of")
		isClause := q.has(i+1, min(i+2, len(q.Words)), "that", "which", "who", "where")
		at := q.beforeThe(i)
		if i > 0 && q.has(i-1, i, lexicon.Possessive) && q.Words[max(i-2, 0)].Mention >= 0 {
			isOf, at = true, q.beforeThe(q.Mentions[q.Words[i-2].Mention].From)
		}
		for at > 0 && q.Words[at-1].Mention < 0 && prepositions[q.Words[at-1].Lower] {
			at--
		}
		isObject := isOf && w.Names[st] || isClause && len(l.hops) == 1 && q.NamesSlot(w, st.To())
		if at < 2 || w.Mention >= 0 || !isObject {
			continue
		}
		if verb := &q.Words[at-1]; verb.Mention < 0 && !verb.Stop && (verb.IsPast() || lexicon.IsPast(verb.Lower) || lexicon.IsParticiple(verb.Lower) || lexicon.IsThird(verb.Lower)) {
			return fmt.Sprintf("The question asks who %s something, but the reading leads to the %s itself.", verb.Text, wording.Quote(w.Text))
		}
	}
	return ""
}

// leadsUp says in a sentence that a reading leads to who is above another where the question asks who is "under" somebody;
// "" for other readings.
func (l *look) leadsUp() string {
	q := l.q
	if !slices.ContainsFunc(upTo(2, max(2, len(q.Words)-1)), q.isUnder) || len(l.hops) < 2 || len(l.last) != 1 {
		return ""
	}
	tail, known := q.isAboveEnd(l.last[0].Relation())
	return ifSo(known && tail != l.last[0].IsBack(), saidTurned(q.p.g.RelationText(l.last[0].Relation())))
}

// ofReceiver says in a sentence that a reading takes who has or gets something for who gives it: no patient gives the unit
// that has one. It returns "" for other readings.
func (l *look) ofReceiver() string {
	q, p := l.q, l.r.p
	if len(l.hops) != 1 || len(l.shape.legs) != 1 || !l.hops[0].step.IsBack() {
		return ""
	}
	r, m := l.hops[0].step.Relation(), q.Mentions[l.shape.legs[0].mention]
	name := p.names[r].words
	if len(name) == 0 || !receivers[name[len(name)-1]] && !p.names[r].isPatient || !q.has(0, m.From, "do", "does", "did") || !q.has(m.To, min(m.To+1, len(q.Words)), "give") {
		return ""
	}
	return p.hasOther(r, "give")
}

// receivers are nouns for who has what others give.
var receivers = lexicon.WordSet("patient pupil student learner trainee apprentice client customer buyer recipient beneficiary guest")

// ofAnybodys says in a sentence that a reading begins at all things of a kind where the question asks for those of what
// it asks for: animals released by "their rescuer" are not those that any rescuer released. It returns "" for other readings.
func (l *look) ofAnybodys() string {
	root := l.shape.root
	if root == nil || root.word < 1 || root.word == l.q.asked || !possessives[l.q.Words[root.word-1].Lower] {
		return ""
	}
	return fmt.Sprintf("The reading takes any %s, not %s.", l.q.Words[root.word].Text, wording.Quote(l.q.Words[root.word-1].Text+" "+l.q.Words[root.word].Text))
}

// ofBound says in a sentence that a reading takes one bound of a range for the range: what is for 7-year-olds need not be
// for those of 7 and more. It returns "" for other readings.
func (l *look) ofBound() string {
	q, p := l.q, l.r.p
	if slices.ContainsFunc(q.Words, func(w words.Word) bool { return w.Mention < 0 && (bounding[w.Lower] || lexicon.IsSuperlative(w.Lower)) }) {
		return ""
	}
	for _, h := range l.hops {
		r := h.step.Relation()
		own := slices.IndexFunc(p.names[r].words, func(w string) bool { return opposite[w] != "" })
		if h.at > 0 || !h.step.IsBack() || own < 0 || p.schema.Value(schema.Forward(r).To()) == schema.NoValue {
			continue
		}
		other := slices.Clone(p.names[r].words)
		other[own] = opposite[other[own]]
		if slices.ContainsFunc(p.names, func(n relationName) bool { return slices.Equal(n.words, other) }) {
			return takes([]string{takenFor(q.Words[q.Mentions[l.shape.legs[h.leg].mention].From].Text, p.g.RelationText(r))})
		}
	}
	return ""
}

// opposite are the other bounds of ranges.
var opposite = map[string]string{"min": "max", "max": "min", "minimum": "maximum", "maximum": "minimum", "from": "to", "to": "from", "lower": "upper", "upper": "lower", "lowest": "highest", "highest": "lowest"}

// bounding are words that ask for a bound.
var bounding = lexicon.WordSet("min max minimum maximum from to up lower upper least most starting start starts begin begins end ends until limit")

// asksLate says in a sentence that a question begins with a name and asks after the verb, as in "X trained
// which captain?", where things of one kind do not tell which way round the verb goes; "" for other questions.
func (l *look) asksLate() string {
	ws, at := l.q.Words, 0
	for at < len(ws) && determiners[ws[at].Lower] {
		at++
	}
	joinsSame := func(h hop) bool { return l.r.p.JoinsSame(h.step.Relation()) }
	if at == len(ws) || ws[at].Mention < 0 || !slices.ContainsFunc(l.hops, joinsSame) {
		return ""
	}
	late := slices.IndexFunc(ws, func(w words.Word) bool {
		return w.Mention < 0 && (w.Lower == "which" || w.Lower == "what" || w.Lower == "whom")
	})
	if late < 1 || ws[late-1].Lower == "by" || late+1 < len(ws) && !ws[late+1].IsKind() && !ws[late+1].IsCue() {
		return ""
	}
	return fmt.Sprintf("The question asks for %s at its end, so the reading may be the wrong way round.", wording.Quote(l.r.Source[ws[late].Start:ws[len(ws)-1].End]))
}

// whose says in a sentence that a question says by a pronoun whose something is, "a language that
// their manager speaks": no reading goes back to that; or that it asks whose something is, and the
// reading leads to that alone. It returns "" for none.
func (pr *proposal) whose() string {
	ws := pr.q.Words
	if at := pr.q.asked; at > 0 && pr.q.wh == noWh && ws[0].Lower == "whose" && len(ws[at].Types) > 0 && !slices.ContainsFunc(ws[1:at], func(w words.Word) bool { return w.Mention < 0 }) {
		return fmt.Sprintf("The reading does not say whose %s is.", wording.Quote(ws[at].Text))
	}
	if last := pr.shape.lastSteps(); ws[0].Lower == "whose" && pr.q.wh == who && len(pr.shape.legs) == 1 && len(last) > 0 {
		// "Whose farm is Hill Top", which is a farm, asks for somebody, and not for what has it as its farm.
		own := pr.q.p.g.Types(pr.shape.legs[0].entity)
		isOwn := func(t kg.TypeID) bool { return slices.Contains(own, t) }
		if i := slices.IndexFunc(ws, func(w words.Word) bool { return w.Mention < 0 && slices.ContainsFunc(w.Types, isOwn) }); i > 0 && !pr.q.p.IsAnswer(last[0].From(), lexicon.Person) && !pr.q.p.IsAnswer(last[0].To(), lexicon.Person) {
			return fmt.Sprintf("The reading does not say whose %s is.", wording.Quote(ws[i].Text))
		}
	}
	for i := 1; i+2 < len(ws); i++ {
		if ws[i].Mention < 0 && possessives[ws[i].Lower] && ws[i+1].Mention < 0 && ws[i+2].IsCue() && (ws[i+2].IsPast() || lexicon.IsThird(ws[i+2].Lower)) {
			return fmt.Sprintf("The reading does not say whose %s is.", wording.Quote(ws[i+1].Text))
		}
	}
	return ""
}

var possessives = lexicon.Words("possessives")

// unsaid says in a sentence which preposition in the name of its relation a reading passes over, where
// the kind that is asked for tells the direction: "which plants feed a hub" that they feed into. It
// returns "" for none.
func (pr *proposal) unsaid() string {
	q, hops := pr.q, pr.shape.hops()
	if len(hops) != 1 || len(pr.shape.legs) != 1 || q.asked < 0 || len(pr.verdict.turned) != 1 {
		return ""
	}
	st, asked := hops[0].step, &q.Words[q.asked]
	name := q.p.names[st.Relation()].words
	if !q.NamesSlot(asked, st.To()) || q.NamesSlot(asked, st.From()) || len(name) < 2 || !q.lacksPreposition(lexicon.Stem(lexicon.Base(name[0])), name, q.Mentions[0]) {
		return ""
	}
	return fmt.Sprintf("The graph has %s, but the question does not say %s.", wording.Quote(q.p.g.RelationText(st.Relation())), wording.Quote(name[1]))
}

// lacking says in a sentence that what a question names has nothing of the relation that it asks
// for by the relation's own name, where a reading takes for that the other direction of it, what
// another thing has of it, or another relation that no word asks for; "" for other readings.
func (l *look) lacking() string {
	q, hops, r, pr := l.q, l.hops, l.r, l.proposal
	if len(pr.shape.legs) != 1 || pr.shape.root != nil || len(pr.shape.values)+len(pr.shape.said) > 0 || pr.unmet != nil || len(pr.verdict.cue) < len(hops) || !q.Mentions[0].IsSure() {
		return ""
	}
	turned := len(hops) == 1 && len(pr.verdict.turned) > 0 && pr.unsaid() == ""
	elsewhere := slices.ContainsFunc(hops, func(h hop) bool { // where a place lies has much that a place has
		return slices.ContainsFunc(r.p.names[h.step.Relation()].words, isPlacing)
	})
	if !turned && (elsewhere || pr.verdict.uncued == 0 || pr.verdict.bare < len(hops) && pr.misread == "") {
		return ""
	}
	m, e := q.Mentions[0], pr.shape.legs[0].entity
	isAsked := q.asked >= 0 && len(q.Words[q.asked].Types) > 0 && q.NamesSlot(&q.Words[q.asked], l.last[0].To())
	before := q.beforeThe(m.From) - 1
	at := func(i int) string { return q.Words[max(i, 0)].Lower }
	for _, c := range slices.Concat(pr.verdict.cue, pr.verdict.unused) {
		says := c
		if c > 0 && prepositions[at(c)] { // of "born in"
			says--
		}
		if c < 0 || q.Words[says].Stop || q.Words[c].Chosen {
			continue
		}
		w := &q.Words[c]
		for _, st := range slices.Sorted(maps.Keys(w.Weight)) {
			if isAsked && slices.ContainsFunc(hops[1:], func(h hop) bool { return h.step.Relation() == st.Relation() }) {
				continue // hosts that a team owns are those that its people own
			}
			name := r.p.names[st.Relation()]
			told := slices.DeleteFunc(lexicon.Stems(r.p.g.RelationText(st.Relation())), r.p.lex.IsStop)
			if len(name.words) == 0 || !slices.Contains(told, q.Words[says].Stem) || slices.ContainsFunc(told, func(stem string) bool { return !q.hasWord(stem) }) {
				continue
			}
			last := name.words[len(name.words)-1]
			isNoun := !lexicon.IsVerbForm(name.words[0]) && !lexicon.IsParticiple(name.words[0]) && (last == "of" || !prepositions[last])
			has := len(r.p.schema.Edges(e, st))+len(r.p.schema.Edges(e, r.p.schema.Back(st))) > 0
			follows := before > 0 && slices.Contains(told, q.Words[before-1].Stem) // "the R of X", "voted for X"
			isOf := follows && at(before) == "of" || q.has(m.To, min(m.To+1, len(q.Words)), lexicon.Possessive)
			other := before >= 0 && prepositions[at(before)] && (!follows || at(before) != "of") && (!follows && at(before) == "by" || !slices.Contains(name.words, at(before)))
			isPlace := follows && at(before) == "of" && name.places      // the city of X is X
			isVerb := turned && name.verb != "" && q.usesVerb(name.verb) // "who mentored X"
			if isNoun && !isOf && !isVerb || isPlace || has && !turned || other || turned && last == "with" {
				continue // which industry X works in is that of another thing, as are works by X; what pairs with X may be what X pairs with
			}
			if hops[len(hops)-1].step.Relation() == st.Relation() && pr.goesOnlyWay() {
				continue
			}
			isHead := func(o kg.RelationID) bool { return len(r.p.g.OutBy(e, o)) > 0 }
			if isHead(st.Relation()) || slices.ContainsFunc(name.namesakes, isHead) {
				return saidTurned(r.p.g.RelationText(st.Relation()))
			}
			return fmt.Sprintf("This graph has no %s for %s.", wording.Quote(r.p.g.RelationText(st.Relation())), wording.Quote(r.p.g.Label(e)))
		}
	}
	return ""
}

// ofNoKind says in a sentence that the graph has none of the kind that a question asks for, where all
// that a reading leads to have types and the noun is near in meaning to none of them: a plant is no
// airport. It returns "" for other readings.
func (pr *proposal) ofNoKind() string {
	q := pr.q
	noun := q.UnknownKind()
	if noun < 1 || !q.has(noun-1, noun, "which", "what", "many") || pr.hasUse(&q.Words[noun]) || anyKind[q.Words[noun].Lower] || len(pr.answers) == 0 || noun+1 < len(q.Words) && q.Words[noun+1].IsKind() {
		return ""
	}
	if near, known := pr.nearness(noun); near > words.NearByChance || !known {
		return ""
	}
	return fmt.Sprintf("This graph has no %s.", wording.Quote(q.Words[noun].Text))
}

// ofOtherRole says in a sentence which word asks for what the graph does not have, where nothing but that
// something is there at all speaks for a reading, and the graph calls that otherwise than the question:
// who maintains something is not "the author of" it, and what affects it does not "sponsor" it. It
// returns "" for other readings.
func (l *look) ofOtherRole() string {
	q := l.q
	if len(l.hops) != 1 || len(l.verdict.cue) != 1 || l.verdict.cue[0] >= 0 || len(l.shape.legs) != 1 || len(l.shape.values)+len(l.shape.said) > 0 || l.unmet != nil || l.calledOther() == "" {
		return ""
	}
	if q.has(min(q.asked+1, len(q.Words)), min(q.asked+2, len(q.Words)), "of") && !q.has(q.asked-1, q.asked, "which", "what") {
		return noRelation([]string{q.Words[q.asked].Text})
	}
	for i := range q.Words {
		near, known := q.p.Nearness(q.Words[i].Lower, []string{q.p.g.RelationText(l.last[0].Relation())})
		if slices.Contains(l.left, q.Words[i].Text) && known && near < words.NearByChance {
			return noRelation([]string{q.Words[i].Text})
		}
	}
	return ""
}

// nearness tells how near a noun is in meaning to the types of what a reading leads to; known is false
// where not all that it leads to has types. A value that is compared tells of them, too.
func (pr *proposal) nearness(noun int) (near float64, known bool) {
	g := pr.q.p.g
	var types []string
	for _, e := range pr.answers {
		of := g.Types(e)
		if len(of) == 0 {
			return 0, false
		}
		for _, t := range of {
			types = append(types, g.TypeLabel(t))
		}
	}
	for _, v := range pr.shape.values { // beds are of hospitals
		types = append(types, g.RelationText(v.step.Relation()))
	}
	return pr.q.p.Nearness(lexicon.Singular(pr.q.Words[noun].Lower), kg.Distinct(types))
}

// ofOtherType says in a sentence that a question asks for things of a type, and a reading leads to things
// that all have other types, by a step that the noun for the type does not ask for; "" for other readings.
func (pr *proposal) ofOtherType() string {
	q, last := pr.q, pr.shape.lastSteps()
	if q.asked < 1 || q.isAskedSubject() || len(q.Words[q.asked].Types) == 0 || len(last) != 1 || len(pr.answers) == 0 || len(pr.shape.role) > 0 || pr.unmet != nil || q.Words[q.asked].Names[last[0]] {
		return ""
	}
	is := !slices.ContainsFunc(pr.answers, func(e kg.EntityID) bool {
		types := q.p.g.Types(e)
		return len(types) == 0 || slices.ContainsFunc(types, func(t kg.TypeID) bool { return slices.Contains(q.Words[q.asked].Types, t) })
	})
	return ifSo(is, fmt.Sprintf("The question asks for %s, but the reading leads to something else.", wording.Quote(q.Words[q.asked].Text)))
}

// ofDeed says in a sentence that a reading leads to what happened by its verb: what was recalled is no
// recall. It returns "" for other readings.
func (pr *proposal) ofDeed() string {
	q, last := pr.q, pr.shape.lastSteps()
	is := len(last) > 0 && last[0].IsBack() && slices.ContainsFunc(q.Words, func(w words.Word) bool { return w.Deed && w.Weight[last[0]] > 0 })
	return ifSo(is && (q.asked < 0 || !q.NamesSlot(&q.Words[q.asked], last[0].To())), "The graph has what happened, but not what the question asks for.")
}

// ofNoName says in a sentence that a question asks who, and all that a reading leads to has no name of its own, as what
// joins others has none: "part4" is nobody. It returns "" for other readings.
func (l *look) ofNoName() string {
	g := l.r.p.g
	if l.q.wh != who || len(l.answers) == 0 || slices.ContainsFunc(l.answers, func(e kg.EntityID) bool { return !schema.IsUnlabelled(g, e) }) {
		return ""
	}
	if typed, _ := l.r.p.IsTyped(l.last[0].To(), lexicon.Person); typed {
		return ""
	}
	return fmt.Sprintf("“Who” asks for someone, but %s has no name of its own.", wording.Quote(g.Label(l.answers[0])))
}

// ofNobody says in a sentence that a question asks who, and a reading leads from a name to what the graph's types tell is
// neither people nor organisations, unless that does what the verb says, as libraries order books, or is one of those
// that the name is one of, as countries border countries; "" for other readings.
func (l *look) ofNobody() string {
	p := l.r.p
	if l.q.wh != who || len(l.last) == 0 || len(l.answers) == 0 || len(l.shape.legs) == 0 || l.endDoes() {
		return ""
	}
	for _, st := range l.last {
		if is, known := p.IsTyped(st.To(), lexicon.Person); is || !known || p.IsAnswer(st.To(), lexicon.Organization) {
			return ""
		}
	}
	isLike := func(t kg.TypeID) bool { return len(l.hops) == 1 && p.schema.Types(l.last[0].To())[t] > 0 }
	if slices.ContainsFunc(p.g.Types(l.shape.legs[0].entity), isLike) {
		return ""
	}
	return fmt.Sprintf("“Who” asks for someone, but %s leads to something else.", wording.Quote(p.Arrow(l.last[0])))
}

// ofDoer says in a sentence that a reading takes a noun for the verb of a passive relation, and so leads to who did
// something where nothing asks who: the breed of a dog is not by whom it was "bred". It returns "" for other readings.
func (l *look) ofDoer() string {
	q, h := l.q, l.shape.askedHop()
	w := l.asking(h)
	if w == nil || w.Chosen || q.wh == who || l.hops[h].step.IsBack() || !l.r.p.isDoneBy(l.hops[h].step.Relation()) {
		return ""
	}
	i, st := l.verdict.cue[h], l.hops[h].step
	isNoun := i > 0 && q.has(i-1, i, "what", "which", lexicon.Possessive) || i > 0 && q.has(i-1, i, "the") && q.has(i+1, min(i+2, len(q.Words)), "of")
	isVerb := lexicon.IsParticiple(w.Lower) || lexicon.IsPast(w.Lower) || lexicon.IsThird(w.Lower) || strings.HasSuffix(w.Lower, "ing") || lexicon.Agent(lexicon.Singular(w.Lower)) != ""
	name := q.p.names[st.Relation()]
	_, isEnd := q.p.lex.NamesEnd(name.words, name.meanings, w.Lower)
	if !isNoun || isVerb || isEnd || q.has(0, len(q.Words), "by", "whose", "whom") {
		return ""
	}
	return fmt.Sprintf("The question asks for %s, but the graph has only %s.", wording.Quote(w.Text), wording.Quote(q.p.g.RelationText(st.Relation())))
}

// isAskedVerb reports whether the lexicon asks for the last step of a reading by the word that asks for it.
func (l *look) isAskedVerb() bool {
	h := l.shape.askedHop()
	w := l.asking(h)
	return w != nil && l.q.hasPhraseWith(l.hops[h].step.Relation(), w.Stem)
}

// ofOthers says in a sentence that a reading leads to something else than what is asked for; "" for
// other readings.
func (l *look) ofOthers() string {
	if !l.isOfOthers() && !l.isNoWork() {
		return ""
	}
	return fmt.Sprintf("The question asks about %s, but the reading is about something else.", wording.Quote(l.q.Words[l.q.asked].Text))
}

// isOfOthers reports whether a reading goes on to the kind that is asked for from what the rest
// is said of: "which painter lives in X" asks for no painter of somebody in X. Who lives in a
// place lives in what that lies in.
func (pr *proposal) isOfOthers() bool {
	q, hops := pr.q, pr.shape.hops()
	last := len(hops) - 1
	if q.asked < 1 || last < 1 || len(pr.shape.legs) != 1 || last >= len(pr.verdict.cue) || pr.verdict.cue[last] != q.asked {
		return false
	}
	for i := range q.Words { // "which country is the director of X a citizen of" names what stands between
		isVerb := i > q.asked+1 && q.Words[i-1].Mention >= 0 && q.has(q.asked+1, i, "do", "does", "did") // "which language did X paint" does not
		if w := &q.Words[i]; i != q.asked && w.Mention < 0 && !isVerb && (w.Names[hops[last-1].step] || q.NamesSlot(w, hops[last].step.From())) {
			return false
		}
	}
	return !pr.goesOverDeed(last) && q.has(q.asked-1, q.asked, "which", "what") && !q.has(q.asked+1, min(q.asked+2, len(q.Words)), "of") && !pr.goesOn(hops[last-1].step, hops[last].step)
}

// goesOverDeed reports whether a reading goes from who did something over a record of that to what it was done to, which
// the noun for it names: "which house did X inspect" leads over inspections, which have an inspector and a house.
func (pr *proposal) goesOverDeed(last int) bool {
	hops, w := pr.shape.hops(), pr.asking(last-1)
	r, st := hops[last-1].step.Relation(), hops[last].step
	if w == nil || pr.q.asked < 0 || lexicon.Agent(lexicon.Singular(w.Lower)) != "" || !hops[last-1].step.IsBack() || st.IsBack() || !pr.q.Words[pr.q.asked].Names[st] || pr.q.p.schema.Value(st.To()) != schema.NoValue {
		return false
	}
	return pr.q.p.isDoneBy(r) || slices.ContainsFunc(pr.q.p.names[r].words, func(noun string) bool {
		return noun != w.Lower && lexicon.Agent(noun) == lexicon.Stem(lexicon.Base(w.Lower))
	})
}

// goesOn reports whether a step goes on from where the one before leads: on along what goes on
// from thing to thing, or from a place to where that is, where the question says so: "which
// country does X live in".
func (pr *proposal) goesOn(before, st schema.Step) bool {
	q := pr.q
	name := func(s schema.Step) []string { return q.p.names[s.Relation()].words }
	if lexicon.IsTransitive(name(before)) && lexicon.IsTransitive(name(st)) && before.IsBack() == st.IsBack() {
		return true
	}
	where := slices.ContainsFunc(q.Words, func(w words.Word) bool {
		return w.Mention < 0 && (isPlacing(w.Lower) || slices.Contains([]string{"at", "from", "through"}, w.Lower))
	})
	return where && !before.IsBack() && !st.IsBack() && (slices.ContainsFunc(name(st), isPlacing) || lexicon.IsTransitive(name(st)))
}

// isCrossed reports whether two names take each other's words: "born in Turin and died in Oslo"
// is not born in Oslo and died in Turin.
func (pr *proposal) isCrossed() bool {
	hops := pr.shape.hops()
	for i, a := range hops {
		for j, b := range hops[:i] {
			if a.at > 0 || b.at > 0 || a.leg == b.leg || len(pr.verdict.cue) < len(hops) {
				continue
			}
			own, other := pr.verdict.cue[i], pr.verdict.cue[j]
			if own >= 0 && other >= 0 && own != other &&
				pr.q.cueBefore(pr.q.Mentions[pr.shape.legs[a.leg].mention]) == other && pr.q.cueBefore(pr.q.Mentions[pr.shape.legs[b.leg].mention]) == own {
				return true
			}
		}
	}
	return false
}

// leavesNarrower says in a sentence that some of the kinds or parts that a reading leads to have such themselves, which
// it leaves out; "" for none.
func (pr *proposal) leavesNarrower() string {
	hops, p := pr.shape.hops(), pr.q.p
	if len(hops) != 1 || !hops[0].step.IsBack() || !lexicon.IsTransitive(p.names[hops[0].step.Relation()].words) {
		return ""
	}
	at := slices.IndexFunc(pr.answers, func(e kg.EntityID) bool { return len(p.g.Types(e)) == 0 && len(p.schema.Edges(e, hops[0].step)) > 0 })
	if at < 0 {
		return ""
	}
	return fmt.Sprintf("The reading leaves out what is below %s.", wording.Quote(p.g.Label(pr.answers[at])))
}

// readTwice says in a sentence that the word of a step asks as much for the relation along which the
// next comes back, or the one before went out, and is said only once: who "voted against" what X
// voted for is none of what X voted against. It returns "" for none.
func (pr *proposal) readTwice() string {
	hops, q := pr.shape.hops(), pr.q
	asks := func(c int, st schema.Step) float64 {
		return max(q.Words[c].Weight[st], q.Words[c].Weight[q.p.schema.Back(st)])
	}
	for i := 1; i < len(hops) && i < len(pr.verdict.cue); i++ {
		a, b := hops[i-1], hops[i]
		if b.at == 0 || a.half || a.step.IsBack() || !b.step.IsBack() || a.step.Relation() == b.step.Relation() {
			continue
		}
		for c, of := range map[int][2]schema.Step{pr.verdict.cue[i-1]: {a.step, b.step}, pr.verdict.cue[i]: {b.step, a.step}} {
			if c < 0 || q.Words[c].Stop || asks(c, of[1]) < asks(c, of[0]) && !q.p.IsOwn(of[1].Relation(), q.Words[c].Stem) {
				continue
			}
			said := 0
			for _, w := range q.Words {
				if w.Mention < 0 && w.Stem == q.Words[c].Stem {
					said++
				}
			}
			if said == 1 {
				return fmt.Sprintf("The reading uses %s for two relations.", wording.Quote(q.Words[c].Text))
			}
		}
	}
	return ""
}

// cueBefore returns the word nearest before a mention that asks for a step, with no other
// mention between; -1 for none.
func (q *question) cueBefore(m words.Span) int {
	for i := m.From - 1; i >= 0 && q.Words[i].Mention < 0; i-- {
		if q.Words[i].IsCue() {
			return i
		}
	}
	return -1
}

// isOfNow reports whether a text is in the present: "who is the director of X".
func (q *question) isOfNow() bool {
	return !q.has(0, len(q.Words), "was", "were", "did", "had", "when") && slices.ContainsFunc(q.Words, func(w words.Word) bool {
		return w.Mention < 0 && (w.Lower == "is" || w.Lower == "are" || w.Lower == "does" || w.Lower == "do" || lexicon.IsThird(w.Lower) && (w.IsCue() || slices.ContainsFunc(q.p.names, func(n relationName) bool { return len(n.words) > 1 && n.words[0] == w.Lower }))) // of "works for" the little word may be the cue
	})
}

// ended says in a sentence that a question in the present is read by a step of which a statement says
// until when it was so, from a name or from what the steps before lead to; "" for none.
func (pr *proposal) ended() string {
	if len(pr.shape.said) > 0 || !pr.q.isOfNow() {
		return ""
	}
	var at []kg.EntityID
	for _, h := range pr.shape.hops() {
		if h.leg >= len(pr.shape.legs) {
			continue
		}
		if h.at == 0 {
			at = []kg.EntityID{pr.shape.legs[h.leg].entity}
		}
		var next []kg.EntityID
		for _, e := range at {
			if pr.q.p.HasEnded(e, h.step) {
				return words.TakenEver(pr.q.p.g.RelationText(h.step.Relation()))
			}
			for _, x := range pr.q.p.schema.Edges(e, h.step) {
				next = append(next, x.Entity)
			}
		}
		at = next[:min(len(next), endsLookedAt)]
	}
	return ""
}

// endsLookedAt is how many things on the way are looked at for statements that have ended.
const endsLookedAt = 200

// qualified says in a sentence which word of the name of one of its relations a reading passes
// over though it changes what the others mean; "" for none.
func (pr *proposal) qualified() string {
	q := pr.q
	said := map[string]bool{}
	for i := range q.Words {
		if q.Words[i].Mention < 0 {
			for w := range strings.FieldsSeq(q.Words[i].Lower) { // a whole name is one word
				for _, form := range lexicon.Forms(w) {
					said[form] = true
				}
			}
		}
	}
	for h, hp := range pr.shape.hops() {
		if w := pr.asking(h); w != nil && w.Chosen {
			continue
		}
		known := map[string]bool{}
		for _, at := range [2]schema.Slot{hp.step.From(), hp.step.To()} {
			for t := range q.p.schema.Types(at) {
				for _, stem := range lexicon.Stems(q.p.g.TypeLabel(t)) {
					known[stem] = true
				}
			}
		}
		if w, _ := q.p.lex.Qualifier(q.p.Mapping(hp.step.Relation()).Words, said, known); w != "" {
			return fmt.Sprintf("The graph has %s, but the question does not say %s.", wording.Quote(q.p.g.RelationText(hp.step.Relation())), wording.Quote(w))
		}
		if noun := pr.measureUnsaid(h, hp.step, said); noun != "" {
			return fmt.Sprintf("The graph has %s, but the question does not say %s.", wording.Quote(q.p.g.RelationText(hp.step.Relation())), wording.Quote(noun))
		}
	}
	return ""
}

// measureUnsaid is the noun of a relation that leads to numbers, where its verb asks for another word of the name:
// "What does X orbit?" does not ask for the "orbital period". It is "" for none.
func (pr *proposal) measureUnsaid(h int, st schema.Step, said map[string]bool) string {
	const least = 4 // letters
	q, name := pr.q, pr.q.p.names[st.Relation()].words
	n, cue := len(name)-1, pr.asking(h)
	for n > 0 && (kg.UnitsOf(name[n]) != nil || slices.ContainsFunc(name[:n], lexicon.IsTelling)) { // "price per litre (EUR)"
		n--
	}
	if n < 1 || cue == nil || st.IsBack() || q.p.schema.Value(st.To()) != schema.NumberValue || q.has(0, len(q.Words), "how", "when") || !q.has(0, len(q.Words), "do", "does", "did") {
		return ""
	}
	isOwn := func(w string) bool { return lexicon.IsFamily(lexicon.Stem(w), cue.Stem, least) }
	return ifSo(slices.ContainsFunc(name[:n], isOwn) && !slices.ContainsFunc(lexicon.Forms(name[n]), func(form string) bool { return said[form] }), name[n])
}

// ofNoValue says in a sentence that a relation leads to nothing but yes and no, where a reading
// takes for it that there is one of the two: that "certified" is said of a machine does not
// certify it. It returns "" for none, and where the value is what is asked for.
func (pr *proposal) ofNoValue() string {
	last := pr.shape.lastSteps()
	for _, hp := range pr.shape.hops() {
		if r := hp.step.Relation(); pr.q.p.IsTruth(r) && !hp.step.IsBack() && !slices.Contains(last, hp.step) {
			return pr.q.p.unchecked(r)
		}
	}
	return ""
}

// leavesSaid says in a sentence that the noun which is asked for is the name of what statements say of the
// relation that a reading takes, and not of what it leads to: the "medal" is not the race where it was won. It returns
// "" for other readings.
func (pr *proposal) leavesSaid() string {
	q, last := pr.q, pr.shape.lastSteps()
	if q.asked < 0 || q.p.said == nil || len(last) != 1 || len(pr.shape.said) > 0 || q.wh == howMany || len(q.p.names[last[0].Relation()].words) == 0 {
		return ""
	}
	noun, own := &q.Words[q.asked], q.p.names[last[0].Relation()].words
	names, _ := q.p.said.named(q.Words, q.asked)
	is := slices.ContainsFunc(names, func(n string) bool { return q.p.said.on[last[0].Relation()][n] != nil })
	return ifSo(is && len(noun.Types) == 0 && own[len(own)-1] != noun.Lower, fmt.Sprintf("The statements say %s, but the reading leads to something else.", wording.Quote(noun.Text)))
}

// leavesOwn says in a sentence that a question asks for several of what one relation leads to, where a reading leads
// back to what has them by another whose name begins so: who has a "casualty home town" is an incident, and no
// casualty. Nor are the "building types" of a town its buildings. It returns "" for other readings.
func (pr *proposal) leavesOwn() string {
	q, last := pr.q, pr.shape.lastSteps()
	if len(last) != 1 {
		return ""
	}
	own := q.p.names[last[0].Relation()].words
	at := slices.IndexFunc(q.Words, func(w words.Word) bool {
		return len(own) > 1 && len(w.Types) == 0 && lexicon.IsPlural(w.Lower) && lexicon.Singular(w.Lower) == own[0]
	})
	if at < 0 {
		return ""
	}
	if !last[0].IsBack() {
		isSort := at > 0 && q.has(at-1, at, "which", "what", "many", "the", "all") && len(own) == 2 && sortNouns[own[1]] && pr.shape.size() > 1
		return ifSo(isSort, fmt.Sprintf("The question asks for %s, but the reading leads to the “%s”.", wording.Quote(q.Words[at].Text), q.p.g.RelationText(last[0].Relation())))
	}
	for r := range kg.RelationID(q.p.g.Relations()) {
		if slices.Equal(q.p.names[r].words, own[:1]) && slices.ContainsFunc(pr.answers, func(e kg.EntityID) bool { return len(q.p.g.OutBy(e, r)) > 0 }) {
			return fmt.Sprintf("The question asks for %s, but the reading leads to what has one.", wording.Quote(q.Words[at].Text))
		}
	}
	return ""
}

// sortNouns end the names of relations that say of which sort something is.
var sortNouns = lexicon.WordSet("type kind category sort")

// unchecked says in a sentence that a reading passes over a value of yes or no.
func (p *Planner) unchecked(r kg.RelationID) string {
	return fmt.Sprintf("The graph answers %s with yes or no, but the reading does not check which.", wording.Quote(p.g.RelationText(r)))
}

// ofYesNo says in a sentence that a reading leads to yes and no of many things, which nobody asks
// for: "how many missions failed" asks for those of which one of the two is said; or that yes or no is
// who or where something is. It returns "" where it does not.
func (pr *proposal) ofYesNo() string {
	for _, st := range pr.shape.lastSteps() {
		if pr.q.p.IsTruth(st.Relation()) && !st.IsBack() && (pr.shape.root != nil || pr.shape.size() > 1 || pr.q.wh == who || pr.q.wh == where || len(pr.verdict.cue) == 1 && pr.verdict.cue[0] < 0) {
			return pr.q.p.unchecked(st.Relation())
		}
	}
	return ""
}

// ofNoTime says in a sentence that nothing tells that what a reading of "when" leads to is a time:
// what is built on may be a date or an island. It returns "" where a date or a number tells.
func (pr *proposal) ofNoTime() string {
	q := pr.q
	for _, st := range pr.shape.lastSteps() {
		if q.wh != when || st.IsBack() || q.p.schema.Value(st.To()) != schema.NoValue {
			continue
		}
		for _, e := range pr.answers {
			if label := q.p.g.Label(e); !strings.ContainsFunc(label, unicode.IsDigit) {
				return fmt.Sprintf("Nothing in the graph says that %s is a time.", label)
			}
		}
	}
	return ""
}

// ofHaver says in a sentence that a reading of "who" leads back along what things have, "films", to no person, where
// what it begins at has a person as well: who "filmed" it is the filmmaker.
func (pr *proposal) ofHaver() string {
	q, p, last := pr.q, pr.q.p, pr.shape.lastSteps()
	if q.wh != who || len(pr.shape.legs) != 1 || len(pr.shape.legs[0].steps) != 1 || !last[0].IsBack() || p.IsAnswer(last[0].To(), lexicon.Person) || q.mayAskForOrganization(last[0].To()) {
		return ""
	}
	name := p.names[last[0].Relation()].words
	if len(name) != 1 || !lexicon.IsPlural(name[0]) {
		return ""
	}
	for r := range kg.RelationID(p.g.Relations()) {
		if st := schema.Forward(r); p.IsAnswer(st.To(), lexicon.Person) && len(p.schema.Edges(pr.shape.legs[0].entity, st)) > 0 {
			return fmt.Sprintf("“Who” asks for someone, but %s leads to something else.", wording.Quote(p.Arrow(last[0])))
		}
	}
	return ""
}

// ofOtherValue says in a sentence that a superlative names by a noun, "the earliest year", what other things have, and
// that another value is read for it.
func (pr *proposal) ofOtherValue() string {
	p := pr.q.p
	for _, v := range pr.shape.values {
		for _, i := range v.comparison.taken {
			w := &pr.q.Words[i]
			isCalled := func(r kg.RelationID) bool { return p.IsCalled(schema.Forward(r), w.Lower) }
			if !v.comparison.superlative || slices.Contains(lexicon.Stems(p.g.RelationText(v.step.Relation())), w.Stem) {
				continue
			}
			for r := range kg.RelationID(p.g.Relations()) {
				if isCalled(r) && p.schema.Value(schema.Forward(r).To()) != schema.NoValue {
					return takes([]string{takenFor(w.Text, p.g.RelationText(v.step.Relation()))})
				}
			}
		}
	}
	return ""
}

// ofNoAge says in a sentence that what is read for the oldest or the youngest is neither an age nor when something came
// to be: a number of other years, an age that a thing asks for, or the day on which a thing was found.
func (pr *proposal) ofNoAge() string {
	p := pr.q.p
	for _, v := range pr.shape.values {
		isAge := func(c lexicon.Comparison) bool { return p.lex.Concepts[c.Concept].Name == "age" }
		ofAge := func(i int) bool { return slices.ContainsFunc(p.lex.Comparisons(pr.q.Words[i].Lower), isAge) }
		if !v.comparison.superlative || !slices.ContainsFunc(v.comparison.taken, ofAge) {
			continue
		}
		name, isDate := p.names[v.step.Relation()].words, p.schema.Value(v.step.To()) == schema.DateValue
		isOther := func(w string) bool { return !ages[w] }
		if isDate && slices.Contains(name, "found") || !isDate && slices.ContainsFunc(name, isOther) && !p.hasYears(v.step.To()) {
			return takes([]string{takenFor(v.comparison.text, p.g.RelationText(v.step.Relation()))})
		}
	}
	return ""
}

// ages are the words of which a name for an age is made.
var ages = map[string]bool{"age": true, "aged": true, "years": true, "year": true, "old": true, "in": true, "of": true, "months": true, "days": true, "weeks": true}

// comparesGiven reports whether a number is compared with one that a name of the question gives: of pilots of class 1,
// who is under 40 is no class.
func (pr *proposal) comparesGiven() bool {
	return pr.shape.root == nil && slices.ContainsFunc(pr.shape.values, func(v valueLeg) bool {
		return !v.comparison.superlative && pr.q.p.schema.Value(v.step.To()) == schema.NumberValue &&
			slices.ContainsFunc(pr.shape.legs, func(g leg) bool { return len(g.steps) > 0 && g.steps[0] == v.step.Back() })
	})
}

// isNoOther reports whether a question asks for "which other" and its reading goes from its name over several hops,
// none of them back, so that it leaves out nothing.
func (pr *proposal) isNoOther() bool {
	hops := pr.shape.hops()
	return len(pr.q.Words) > 1 && pr.q.has(1, 2, "other", "else") && len(pr.shape.legs) == 1 && len(hops) > 1 &&
		!slices.ContainsFunc(upTo(1, len(hops)), func(i int) bool { return hops[i].step == hops[i-1].step.Back() })
}

// isLongest reports whether "the longest" ends a question of what has been so, may be by when statements say that it
// began, and a number of something is read for it.
func (pr *proposal) isLongest() bool {
	q, n := pr.q, len(pr.q.Words)
	return n > 3 && (q.Words[n-1].Lower == "longest" || q.Words[n-1].Lower == "shortest") && q.Words[n-2].Lower == "the" &&
		slices.ContainsFunc(upTo(0, n), func(i int) bool { return q.has(i, i+1, "has", "have", "had") }) &&
		slices.ContainsFunc(pr.shape.values, func(v valueLeg) bool { return q.p.schema.Value(v.step.To()) == schema.NumberValue }) &&
		slices.ContainsFunc(pr.shape.hops(), func(h hop) bool {
			for _, u := range q.p.saidOn(h.step.Relation()) {
				if u.isDate() {
					return true
				}
			}
			return false
		})
}

// ofOwnYear says in a sentence that a year before a noun, "the 2018 wines", may be one that the things have
// themselves, where a reading takes it for when what is said of them was so.
func (l *look) ofOwnYear() string {
	q, p := l.q, l.r.p
	for _, leg := range l.shape.said {
		i := leg.saying.taken[0]
		if !leg.saying.time || len(leg.saying.taken) != 1 || !schema.IsYear(q.Words[i].Lower) || i+1 == len(q.Words) || !q.Words[i+1].IsNamedKind() {
			continue
		}
		for r := range kg.RelationID(p.g.Relations()) {
			if st := schema.Forward(r); p.schema.Value(st.To()) != schema.NoValue && q.NamesSlot(&q.Words[i+1], st.From()) && p.hasYears(st.To()) {
				return fmt.Sprintf("%s may be the %s of %s themselves.", wording.Quote(q.Words[i].Text), wording.Quote(p.g.RelationText(r)), wording.Quote(q.Words[i+1].Text))
			}
		}
	}
	return ""
}

// hasYears reports whether the values in a slot are years or dates.
func (p *Planner) hasYears(at schema.Slot) bool {
	st := schema.Step(at)
	values := p.g.Having(st.Relation(), st.IsBack())
	return len(values) > 0 && !slices.ContainsFunc(values[:min(len(values), rootSample)], func(e kg.EntityID) bool {
		v, ok := p.g.Value(e)
		return !ok || v.Kind != kg.DateValue && (v.Unit != "" || !schema.IsYearNumber(v.Number))
	})
}

// ofNoReason says in a sentence that a question asks why, or how, and a reading leads to what is
// no reason, or to when; "" where it does not.
func (pr *proposal) ofNoReason() string {
	q, last := pr.q, pr.shape.lastSteps()
	for i := range q.Words {
		why, how := q.has(i, i+1, "why"), q.has(i, i+1, "how") && q.has(i+1, min(i+2, len(q.Words)), "is", "are", "was", "were", "do", "does", "did")
		if !why && !how || slices.ContainsFunc(q.Words[:i], func(w words.Word) bool { return !w.Stop || w.Mention >= 0 }) {
			continue // it may be of a title
		}
		for _, st := range last {
			name := q.p.names[st.Relation()].words
			end := ""
			if len(name) > 0 {
				end = name[len(name)-1]
			}
			switch {
			case q.hasPhraseWith(st.Relation(), q.Words[i].Stem):
			case how && (q.p.schema.Value(st.To()) == schema.DateValue || prepositions[end] && !ofMeans[end] || pr.shape.size() > 1 && (len(pr.shape.legs) == 1 || q.has(i+1, i+2, "do", "does", "did"))):
				return fmt.Sprintf("The graph does not record how; %s is something else.", wording.Quote(q.p.g.RelationText(st.Relation())))
			case why && !slices.ContainsFunc(name, func(w string) bool { return causes[w] }):
				return fmt.Sprintf("The graph does not record reasons; %s is not one.", wording.Quote(q.p.g.RelationText(st.Relation())))
			}
		}
	}
	return ""
}

// ofMeans are the prepositions of what something is done with, and of nouns for it.
var ofMeans = lexicon.WordSet("by with through via of")

// causes are words in the names of relations that say why.
var causes = lexicon.WordSet("cause causes caused reason reasons motive motivation purpose aim goal why because due indication rationale")

// ofLabel says in a sentence that a reading takes the number by which something is called for how
// many there are: the room 12 is not twelve rooms, as floors 12 are. It returns "" for none.
func (pr *proposal) ofLabel() string {
	q := pr.q
	if q.wh != howMany || q.asked < 0 || !pr.isNumber() {
		return ""
	}
	for _, st := range pr.shape.lastSteps() {
		noun, name := q.Words[q.asked].Lower, q.p.names[st.Relation()].words
		one := slices.Index(name, lexicon.Singular(noun))
		if one < 0 || slices.Contains(name, noun) || slices.Contains(name, "count") || slices.Contains(name[:one], "of") {
			continue
		}
		return fmt.Sprintf("The numbers of %s may be labels rather than counts.", wording.Quote(q.p.g.RelationText(st.Relation())))
	}
	return ""
}

// otherPreposition says in a sentence that a reading takes a relation whose name ends in one
// preposition where the question has another: who was reached from X is not who is in X. It
// returns "" where it does not.
func (pr *proposal) otherPreposition() string {
	q := pr.q
	for h, hp := range pr.shape.hops() {
		w := pr.asking(h)
		if hp.at > 0 || hp.leg >= len(pr.shape.legs) || q.p.Symmetric(hp.step.Relation()) || q.p.schema.IsMediator(hp.step.To()) || w != nil && w.Chosen {
			continue
		}
		name := lexicon.ParseRelation(q.p.g.RelationName(hp.step.Relation()))
		own := name.Property
		if p := q.addedPreposition(hp.step.Relation(), q.Mentions[pr.shape.legs[hp.leg].mention], pr.shape.size() == 1); p != "" {
			return q.p.hasOther(hp.step.Relation(), p)
		}
		at := q.prepositionOf(q.Mentions[pr.shape.legs[hp.leg].mention], hp.step.IsBack() != name.Inverse)
		if at >= 0 && (w == nil && q.Words[at].Lower == "for" || at > q.Mentions[pr.shape.legs[hp.leg].mention].From && pr.shape.size() > 1 || at == 0 && pr.shape.size() > 1) {
			continue // "genes for a disease"; or it is of another step, "in which country was who it is named after born"
		}
		value := q.p.schema.Value(schema.Forward(hp.step.Relation()).To())
		if value == schema.DateValue && at >= 0 && q.wh != when && !ofTime[q.Words[at].Lower] && !slices.Contains(own, q.Words[at].Lower) && !q.hasPhraseWith(hp.step.Relation(), q.Words[at].Lower) {
			return fmt.Sprintf("In the graph, %s gives a date, not what something is %s.", wording.Quote(q.p.g.RelationText(hp.step.Relation())), wording.Quote(q.Words[at].Text))
		}
		if at < 0 && q.leavesPreposition(hp.step, own) && pr.shape.size() == 1 {
			return q.p.hasOther(hp.step.Relation(), own[0])
		}
		if len(own) < 2 || at < 0 || value != schema.NoValue {
			continue
		}
		has, asked := own[len(own)-1], q.Words[at].Lower
		if lexicon.OtherPreposition(has, asked) && !q.asksWith(hp.step.Relation(), has, asked) {
			return q.p.hasOther(hp.step.Relation(), asked)
		}
	}
	return ""
}

// leavesPreposition reports whether a question asks what something does, where the relation has a
// preposition: what somebody "donated" is not whom it was "donated to". The "of" of a noun is none:
// what the "keeper of" something keeps.
func (q *question) leavesPreposition(st schema.Step, name []string) bool {
	return !st.IsBack() && len(name) == 2 && prepositions[name[1]] && !lexicon.NamesHead(name) && q.asked < 0 && q.has(0, 1, "what") && q.has(1, 2, "do", "does", "did") &&
		!slices.ContainsFunc(q.Words, func(w words.Word) bool { return w.Mention < 0 && w.Lower == name[1] })
}

// ofTime are the prepositions that a date may have.
var ofTime = lexicon.WordSet("in on at by since until till before after during between within around")

// prepositionOf returns the word where the preposition of a relation stands in a question:
// before a name that is the tail of it, or else at the end of the question or its beginning.
// It is −1 for none.
func (q *question) prepositionOf(m words.Span, isTail bool) int {
	at := q.beforeThe(m.From) - 1
	switch last := len(q.Words) - 1; {
	case isTail:
	case q.Words[last].Mention < 0 && prepositions[q.Words[last].Lower]:
		at = last
	default:
		at = 0
	}
	if at < 0 || q.Words[at].Mention >= 0 || q.Words[at].Taken || !prepositions[q.Words[at].Lower] {
		return -1
	}
	return at
}

// asksWith reports whether the lexicon asks for what a relation means by a preposition as well
// that is not its own: who "works at" a company works for it. Of what its own says of where or
// when something is, the lexicon knows nothing: who was born near a town was not born in it.
func (q *question) asksWith(r kg.RelationID, own, asked string) bool {
	if !slices.Contains([]string{"in", "on", "at", "for", "with"}, own) {
		return false
	}
	return q.hasPhraseWith(r, asked)
}

// hasPhraseWith reports whether the question has a phrase with a word, such as a preposition, by
// which the lexicon asks for what a relation means.
func (q *question) hasPhraseWith(r kg.RelationID, asked string) bool {
	return slices.ContainsFunc(q.p.names[r].meanings, func(i int) bool {
		return slices.ContainsFunc(q.p.lex.Concepts[i].Ask, func(p lexicon.Phrase) bool {
			return slices.Contains(p.Stems, asked) && !slices.ContainsFunc(p.Stems, func(s string) bool {
				return !slices.ContainsFunc(q.Words, func(w words.Word) bool { return w.Mention < 0 && w.Stem == s })
			})
		})
	})
}

// otherWord says in a sentence that a reading takes a relation of a man for what a question asks
// of a woman, or the other way round, or the past of one verb for another that looks the same, or
// what says more: who found something did not found it, and who treats it may not cure it. It
// returns "" where it does not.
func (pr *proposal) otherWord() string {
	q := pr.q
	for h, hp := range pr.shape.hops() {
		w := pr.asking(h)
		if w == nil || w.Chosen {
			continue
		}
		r := hp.step.Relation()
		isPast := func(own string) bool { return lexicon.IsPastOfOther(w.Lower, own) }
		name := q.p.names[r].words
		if lexicon.IsOtherGender(name, w.Lower) || !q.has(0, pr.verdict.cue[h], "do", "does", "did") && slices.ContainsFunc(name, isPast) || q.saysMore(r, w.Lower) {
			return q.p.hasOther(r, w.Text)
		}
	}
	return ""
}

// hasOther says that the graph has a relation, and not what the question says.
func (p *Planner) hasOther(r kg.RelationID, said string) string {
	return fmt.Sprintf("The graph has %s, not %s.", wording.Quote(p.g.RelationText(r)), wording.Quote(said))
}

// saysMore reports whether a word of the question says more than a relation that it asks for.
func (q *question) saysMore(r kg.RelationID, word string) bool {
	return q.p.lex.SaysMore(q.p.names[r].words, q.p.names[r].meanings, word, words.Stems(q.Words))
}

// lacksGender says in a sentence that a noun asks for one gender by a relation that has none: a
// sibling may be no sister. other says that the graph has nobody but those of the other. It
// returns "" where the graph says the gender, or the question does not ask for one, and for a
// reading of several steps: on a longer way people say "husband" for a spouse as well.
func (pr *proposal) lacksGender() (why string, other bool) {
	q, hops := pr.q, pr.shape.hops()
	if len(hops) != 1 || len(pr.verdict.cue) == 0 || pr.verdict.cue[0] < 0 {
		return "", false
	}
	r, w := hops[0].step.Relation(), &q.Words[pr.verdict.cue[0]]
	gender := lexicon.Gender(w.Lower)
	if gender == "" || w.Chosen || q.p.IsGender(r) || q.p.saysGender(r, w.Lower, gender) {
		return "", false
	}
	who := pr.answers
	for _, l := range pr.shape.legs {
		if has, known := q.isTailOf([]string{w.Stem}, q.Mentions[l.mention]); known && !has {
			who = []kg.EntityID{l.entity} // "who is X the sister of"
		}
	}
	unlike := 0
	for _, e := range who {
		switch has := schema.GenderOf(q.p.g, e, q.p.IsGender); has {
		case gender:
		case "":
			why = cmp.Or(why, fmt.Sprintf("No triple says that %s is %s.", q.p.g.Label(e), gender))
		default:
			unlike++
			why = fmt.Sprintf("%s is %s.", q.p.g.Label(e), has)
		}
	}
	return why, why != "" && unlike == len(who)
}

// ofOtherGender says in a sentence that the graph has nobody but those of another gender than is asked
// for; "" for other readings.
func (pr *proposal) ofOtherGender() string {
	why, other := pr.lacksGender()
	return ifSo(other, why)
}

// saysGender reports whether the name of a relation has a noun of a gender for the end that a
// noun of that gender asks for: "wife" for "spouse", but "father of" is no "son".
func (p *Planner) saysGender(r kg.RelationID, noun, gender string) bool {
	name := &p.names[r]
	if lexicon.IsOtherSide(name.words, noun) {
		return true
	}
	asked, isAsked := p.lex.NamesEnd(name.words, name.meanings, noun)
	return slices.ContainsFunc(name.words, func(w string) bool {
		own, isOwn := p.lex.NamesEnd(name.words, name.meanings, w)
		return lexicon.Gender(w) == gender && (isAsked && isOwn && own == asked || lexicon.Stem(w) == lexicon.Stem(noun))
	})
}

func (r *reader) giveUp(out *plan.Plan) {
	if len(r.Spans) == 0 {
		out.Doubt, out.Reason = plan.NoMention, "No name in the question is in this graph."
		return
	}
	out.Doubt, out.Reason = plan.NoRelation, noRelation(r.missingWords(nil))
}

func noRelation(missing []string) string {
	if len(missing) > 0 {
		return fmt.Sprintf("No relation in this graph matches %s.", wording.Quotes(missing))
	}
	return "The question does not name a relation that this graph knows."
}

// leavesOut says which texts a reading ignores; "" for none.
func leavesOut(texts []string) string {
	return ifSo(len(texts) > 0, fmt.Sprintf("The reading ignores %s.", wording.Quotes(texts)))
}

// takes says what a reading takes for what; "" for nothing.
func takes(what []string) string {
	return ifSo(len(what) > 0, fmt.Sprintf("The reading takes %s.", wording.List(what)))
}

func takenFor(word, relation string) string {
	return wording.Quote(word) + " to mean " + wording.Quote(relation)
}

// sharesWithItself reports whether a proposal asks what shares something with a name, and
// finds that name alone.
func (pr *proposal) sharesWithItself() bool {
	return pr.reuse == pattern.ReuseAll && len(pr.q.Shared) > 0 && pr.namesAll()
}

// namesAll reports whether a proposal finds nothing but what it begins at.
func (pr *proposal) namesAll() bool {
	return !slices.ContainsFunc(pr.answers, func(e kg.EntityID) bool {
		return !slices.ContainsFunc(pr.shape.legs, func(l leg) bool { return l.entity == e })
	})
}

// returns says in a sentence that a reading goes there and back along one relation, which the
// question does not ask for by a word of its own or one such as "same"; "" where it does not.
func (pr *proposal) returns() string {
	hops, asked := pr.shape.hops(), pr.shape.askedHop()
	if cues := pr.verdict.cue; pr.shape.root != nil && pr.shape.isReturn() && len(cues) > 1 && max(cues[0], cues[1]) >= 0 { // "are falls" asks for one of two
		w, r := &pr.q.Words[max(cues[0], cues[1])], hops[0].step.Relation()
		if slices.ContainsFunc(pr.q.p.g.Having(r, !hops[0].step.IsBack()), func(e kg.EntityID) bool { return slices.Equal(lexicon.Stems(pr.q.p.g.Label(e)), []string{w.Stem}) }) {
			return takes([]string{takenFor(w.Text, pr.q.p.g.RelationText(r))})
		}
	}
	if len(pr.shape.legs) == 0 && !slices.ContainsFunc(pr.shape.values, func(v valueLeg) bool { return v.at != asked }) {
		return "" // it leads from all things to all that have it
	}
	for i := range hops {
		if pr.q.p.goesBack(hops, i) && !pr.q.mayShare() && i < len(pr.verdict.cue) && pr.verdict.cue[i] < 0 {
			return fmt.Sprintf("The reading asks for what shares %s, but the question does not say so.", wording.Quote(pr.q.p.g.RelationText(hops[i].step.Relation())))
		}
	}
	return ""
}

// goesOnFromSame says in a sentence that a reading goes on from what has the same of something by the verb that
// says how it has that: "what fell in the same country as X" asks for what fell. It returns "" for other readings.
func (pr *proposal) goesOnFromSame() string {
	q, hops := pr.q, pr.shape.hops()
	last := len(hops) - 1
	if last < 2 || !pr.q.p.goesBack(hops, last-1) || q.wh == where || q.wh == when || len(pr.verdict.cue) <= last || pr.verdict.cue[last] < 0 {
		return ""
	}
	cue := pr.verdict.cue[last]
	w := &q.Words[cue]
	isBefore := slices.ContainsFunc(q.Shared, func(i int) bool { // with nothing in between that it is done to
		return cue < i && !slices.ContainsFunc(q.Words[cue+1:i], func(w words.Word) bool { return !w.Stop })
	})
	return ifSo(isBefore && (w.IsPast() || lexicon.IsPast(w.Lower) || lexicon.IsParticiple(w.Lower)), fmt.Sprintf("The reading goes on from what has the same %s to something else.", wording.Quote(q.p.g.RelationText(hops[last-1].step.Relation()))))
}

// guessesStep says in a sentence that no word asks for the first step of a reading from a name, and another may be
// meant: who is a member of "the club of X" may be so of the club that X is a member of, and the people "in" a grave
// are not by that whom it is leased to. It returns "" for other readings.
func (l *look) guessesStep() string {
	q, s := l.q, l.r.p.schema
	if len(l.shape.legs) != 1 || l.shape.root != nil || len(l.hops) == 0 || l.verdict.cue[0] >= 0 || l.hops[0].half {
		return ""
	}
	st, of := l.hops[0].step, l.shape.legs[0]
	at, other := q.Mentions[of.mention].From-1, st
	for at > 0 && determiners[q.Words[at].Lower] {
		at--
	}
	if len(l.hops) > 1 && l.verdict.cue[1] >= 0 {
		other = s.Back(l.hops[1].step)
	}
	isOwn := other.Relation() != st.Relation() && len(s.Edges(of.entity, other)) > 0
	isIn := at > 0 && q.has(at, at+1, "in", "on", "at", "within", "inside") && !st.IsBack() && s.Value(st.To()) == schema.NoValue && len(s.Edges(of.entity, st)) == 1 &&
		slices.ContainsFunc(q.Words[:at], func(w words.Word) bool { return w.Mention < 0 && len(w.Types) > 0 && q.NamesSlot(&w, st.To()) })
	return ifSo(isOwn || isIn, fmt.Sprintf("No word of the question asks for %s.", wording.Quote(l.r.p.g.RelationText(st.Relation()))))
}

// ofEnd says in a sentence that a noun before "of" and a noun for a deed may name what that deed is done to, and asks for a
// step of its own by what the lexicon says alone: "the targets of X's phosphorylation". It returns "" for other readings.
func (l *look) ofEnd() string {
	q, p := l.q, l.r.p
	for h := 1; h < len(l.hops); h++ {
		w, deed := l.asking(h), l.asking(h-1)
		if w == nil || deed == nil || l.hops[h].at == 0 {
			continue
		}
		i, r, name := l.verdict.cue[h], l.hops[h].step.Relation(), &p.names[l.hops[h-1].step.Relation()]
		_, isEnd := p.lex.NamesEnd(name.words, name.meanings, deed.Lower)
		isDeed := !isEnd && name.verb != "" && len(deed.Types) == 0 && lexicon.Agent(lexicon.Singular(deed.Lower)) == "" && !deed.IsPast() && !lexicon.IsParticiple(deed.Lower)
		if isDeed && q.has(i+1, min(i+2, len(q.Words)), "of") && l.verdict.cue[h-1] > i && !w.Chosen && !p.IsOwn(r, w.Stem) && p.JoinsSame(r) {
			return takes([]string{takenFor(w.Text, p.g.RelationText(r))})
		}
	}
	return ""
}

// onlyItself reports whether a way there and back along one relation leads over the name
// itself alone.
func (pr *proposal) onlyItself() bool {
	hops := pr.shape.hops()
	for i := range hops {
		if pr.reuse == pattern.ReuseAll && pr.q.p.goesBack(hops, i) {
			return true
		}
	}
	return false
}

// takesRootTwice says in a sentence that the noun that a reading begins at is what it ends at as well,
// several steps on, or asks for such a step: "artists who donated artworks" are no artists of
// what artists donated, nor is a department that has a manager that of a manager's manager. There
// and back leads to the same things; and "line managers" are one noun. It returns "" for other readings.
func (pr *proposal) takesRootTwice() string {
	root, tail := pr.shape.root, pr.shape.tail
	if root == nil || len(tail) == 0 || pr.shape.isReturn() {
		return ""
	}
	if len(tail) == 1 {
		before := pr.verdict.cue[0]
		isNoun := tail[0].To() == root.at && before >= 0 && before == root.word-1 && slices.Equal(pr.q.p.names[tail[0].Relation()].stems, []string{pr.q.Words[before].Stem, pr.q.Words[root.word].Stem})
		return ifSo(isNoun, fmt.Sprintf("The reading uses %s both as its starting point and as a step.", wording.Quote(pr.q.Words[root.word].Text)))
	}
	again := len(pr.verdict.cue) > 1 && (slices.Contains(pr.verdict.cue[1:], root.word) || pr.verdict.cue[0] == root.word && tail[0].To() == root.at)
	return ifSo(root.word == pr.q.asked || again, fmt.Sprintf("The reading uses %s both as its starting point and as a step.", wording.Quote(pr.q.Words[root.word].Text)))
}

// asksReceiver reports whether a question ends in a preposition that the name of a relation lacks,
// and a step leads to what the tail of it did something with.
func (q *question) asksReceiver(st schema.Step) bool {
	last, name := q.Words[len(q.Words)-1], q.p.names[st.Relation()]
	return st.IsBack() && name.byTail && last.Mention < 0 && prepositions[last.Lower] && !slices.Contains(name.words, last.Lower)
}

// loose returns a date that something falls into, but that no word names, or nil. Who is the last
// may be so by any of them; nor is what a word names for other things named for these.
func (pr *proposal) loose() *valueLeg {
	i := slices.IndexFunc(pr.shape.values, func(v valueLeg) bool {
		isDated := pr.q.p.schema.Value(v.step.To()) == schema.DateValue
		return isDated && narrowing[strings.ToLower(v.comparison.text)] && pr.hasOtherDate(v) || v.loose && (v.comparison.superlative || v.comparison.when != "" || v.comparison.bare || v.comparison.means[0].fit > looseFit || pr.hasOtherDate(v))
	})
	if i < 0 {
		return nil
	}
	return &pr.shape.values[i]
}

// hasOtherDate reports whether what is compared has another date than the one that is taken.
func (pr *proposal) hasOtherDate(v valueLeg) bool {
	return v.at >= 0 && slices.ContainsFunc(v.comparison.means, func(m valueMeaning) bool { return m.step != v.step && pr.mayCompare(v, m.step) })
}

// mayCompare reports whether what a value is compared of has another value, along a step.
func (pr *proposal) mayCompare(v valueLeg, st schema.Step) bool {
	if v.at < 0 {
		return pr.shape.root != nil && pr.q.p.hasValue(pr.shape.root.at, pr.shape.rootTypes(v.at), st)
	}
	return pr.q.p.hasValue(pr.shape.hops()[v.at].step.To(), pr.shape.rootTypes(v.at), st)
}

// isOnlyMeasure reports whether what is compared has no other value that could be meant, though no word names the one
// that is taken: the oldest bridge is the one first built, where no other date tells how a bridge began; the largest hall
// is the one of the most seats, where halls have no area; and what happened in a year has that in its bare "date".
func (l *look) isOnlyMeasure(v *valueLeg) bool {
	p := l.r.p
	isBare := func(st schema.Step) bool {
		return !slices.ContainsFunc(p.names[st.Relation()].words, func(w string) bool { return !dateNouns[w] })
	}
	isLike := func(schema.Step) bool { return true }
	isDate := p.schema.Value(v.step.To()) == schema.DateValue
	switch {
	case v.record != nil, isDate && narrowing[strings.ToLower(v.comparison.text)]:
		return false
	case isDate && v.comparison.superlative:
		isLike = p.tellsBeginning
	case isDate && v.comparison.when != "" && !isBare(v.step), !isDate && !v.comparison.superlative:
		return false
	}
	return isLike(v.step) && !slices.ContainsFunc(p.Mappings(), func(m words.Mapping) bool {
		st := schema.Forward(m.Relation)
		isOther := m.SameAs == m.Relation && st != v.step && p.schema.Value(st.To()) == p.schema.Value(v.step.To())
		isMeant := slices.ContainsFunc(v.comparison.means, func(m valueMeaning) bool { return m.step == st })
		isSize := !isDate && p.TellsSize(m.Relation) && p.TellsSize(v.step.Relation())
		return isOther && (isDate || isMeant || isSize) && isLike(st) && l.mayCompare(*v, st)
	})
}

// dateNouns are those for the time of something, verbsOfMaking say how things come to be.
var dateNouns = lexicon.Words("date nouns")

// verbsOfMaking are the stems of those that say how things come to be.
var verbsOfMaking = func() map[string]bool {
	stems := map[string]bool{}
	for w := range lexicon.Words("verbs of making") {
		stems[lexicon.Stem(w)] = true
	}
	return stems
}()

// tellsBeginning reports whether the dates along a step are those on which things came to be.
func (p *Planner) tellsBeginning(st schema.Step) bool {
	name := p.names[st.Relation()].words
	return slices.ContainsFunc(name, func(w string) bool { return w != "found" && verbsOfMaking[lexicon.Stem(lexicon.Base(w))] }) && !slices.ContainsFunc(name, func(w string) bool { return w != "first" && narrowing[w] })
}

// saysOnlyHere says in a sentence that a reading of whoever has a value takes one relation that says it,
// where another says it of other things: who "was born" may have a "date of birth". It returns "" for none.
func (l *look) saysOnlyHere() string {
	root, s := l.shape.root, l.r.p.schema
	for _, v := range l.shape.values {
		for _, m := range v.comparison.means {
			at := m.step.From()
			if root == nil || len(root.types) > 0 || v.at >= 0 || root.at != v.step.From() || m.step == v.step || m.fit <= looseFit || s.Shared(at, root.at) == s.Size(at) || !l.q.MayHave(root.word, m.step) {
				continue
			}
			name := l.r.p.g.RelationText
			return fmt.Sprintf("The graph says this by %s and by %s; the reading takes %s.", wording.Quote(name(v.step.Relation())), wording.Quote(name(m.step.Relation())), wording.Quote(name(v.step.Relation())))
		}
	}
	return ""
}

// isPartOfName reports whether a name was found by likeness only.
func (pr *proposal) isPartOfName() bool {
	return slices.ContainsFunc(pr.shape.legs, func(l leg) bool {
		return pr.q.Mentions[l.mention].Candidates[0].Method > link.Folded
	})
}

// comparesOther says in a sentence that a reading compares something else than the noun for which
// the question compares it: a jury is older than its president; "" for other readings.
func (pr *proposal) comparesOther() string {
	for _, v := range pr.shape.values {
		if noun := pr.nounCompared(v.comparison); noun >= 0 && !pr.isSaidOf(noun, v.at) {
			return fmt.Sprintf("This graph has nothing of %s that %s compares.", wording.Quote(pr.q.Words[noun].Text), wording.Quote(v.comparison.text))
		}
	}
	return ""
}

// missesQuestion reports whether the end of a proposal is not what the question
// word and the asked noun ask for, or no word but a weak one asks for it.
func (pr *proposal) missesQuestion() bool {
	q, last := pr.q, pr.shape.lastSteps()
	if len(last) == 0 {
		who := q.wh == who && pr.shape.root != nil
		return pr.missesPlaceOrTime() || who && !q.p.IsAnswer(pr.shape.root.at, lexicon.Person) || who && q.Words[pr.shape.root.word].Lower == "who" &&
			slices.ContainsFunc(pr.shape.values, func(v valueLeg) bool { return v.comparison.superlative && len(v.comparison.taken) > 1 }) // what has a mass may be no person
	}
	if len(pr.shape.values) > 0 {
		return q.asked >= 0 && q.Words[q.asked].IsKind() && !slices.ContainsFunc(last, func(s schema.Step) bool {
			return q.Words[q.asked].Names[s] || q.NamesSlot(&q.Words[q.asked], s.To())
		})
	}
	if q.clause < len(q.Words) && !q.asksBefore(last) || len(pr.shape.hops()) == 1 && q.p.JoinsSame(last[0].Relation()) && q.asksAgain(last[0]) || q.missesOf(&pr.shape) != "" || q.asksForHopBefore(pr.shape.hops()) || q.asksForKinds(&pr.shape) {
		return true
	}
	at := last[0].To()
	fits := q.fitsWh(at) && (q.wh != where || q.p.isWhere(at) || !q.p.isObject(at)) || (pr.endIsChosen() || pr.endDoes() || len(pr.shape.hops()) == 1 && pr.verdict.fits > 0) && // "who owns X" asks for its owner, whatever that is
		(q.mayAskForOrganization(at) || q.wh == who && (len(q.p.AnswersAt(at)) == 0 && !q.asksReceiver(last[0]) || !last[0].IsBack() && q.p.isDoneBy(last[0].Relation()))) // who a seller sold to is nothing that was sold
	if q.wh != noWh && q.wh != howMany && !fits || q.asksForDone(last[0]) {
		return true
	}
	if q.asked >= 0 && len(pr.shape.role) == 0 {
		w := &q.Words[q.asked]
		return !slices.ContainsFunc(last, func(s schema.Step) bool {
			return (w.Names[s] || w.Weight[s] >= words.StrongCue) && !q.Contradicts(w, s.To()) || q.NamesSlot(w, s.To())
		})
	}
	return false
}

// missesPlaceOrTime reports whether a reading of where or when the thing is that has the most of something gives the
// thing itself, which is no place, and whose value is no time.
func (pr *proposal) missesPlaceOrTime() bool {
	p, root := pr.q.p, pr.shape.root
	for _, v := range pr.shape.values {
		isTime := p.hasYears(v.step.To())
		if root != nil && v.comparison.superlative && (pr.q.wh == where && !p.IsAnswer(root.at, lexicon.Place) || pr.q.wh == when && !isTime) {
			return true
		}
	}
	return false
}

// asksForDone reports whether "who" asks for who does something and gets what it is done to, which by the graph's
// types is not what it knows to be people: papers are published, and their authors publish.
func (q *question) asksForDone(st schema.Step) bool {
	name, at := q.p.names[st.Relation()], st.To()
	isPassive := len(name.words) > 1 && lexicon.IsParticiple(name.words[0]) && prepositions[name.words[1]]
	isInverted := q.has(0, 1, "whom", "whose") || q.has(1, min(2, len(q.Words)), "does", "do", "did") // "Who did X supervise?"
	isOne := isPassive || q.p.JoinsSame(st.Relation())                                                // a pupil of a tutor may be a person, too
	return q.wh == who && !isInverted && isOne && name.verb != "" && !name.byTail && st.IsBack() == isPassive && q.p.IsAnswer(at, lexicon.Person) && !q.p.IsOfTypes(at, lexicon.Person)
}

// endIsChosen reports whether the word behind the step to what is asked for asks for it by
// the user's choice.
func (pr *proposal) endIsChosen() bool {
	w := pr.asking(pr.shape.askedHop())
	return w != nil && w.Chosen
}

// endDoes reports whether what a reading leads to does what the verb says that asks for the step there: a supplier
// supplies.
func (pr *proposal) endDoes() bool {
	h := pr.shape.askedHop()
	w := pr.asking(h)
	if w == nil {
		return false
	}
	st := pr.shape.hops()[h].step
	name := &pr.q.p.names[st.Relation()]
	return name.verb == w.Stem && name.byTail != st.IsBack()
}

// asking is the word that asks for hop h; nil for none.
func (pr *proposal) asking(h int) *words.Word {
	if h < 0 || h >= len(pr.verdict.cue) || pr.verdict.cue[h] < 0 {
		return nil
	}
	return &pr.q.Words[pr.verdict.cue[h]]
}

// isDescribedOther reports whether what meets the most conditions is not of the kind that
// is asked for, as far as the graph tells.
func (l *look) isDescribedOther() bool {
	return l.unmet != nil && len(l.answers) > 0 && (l.r.isOtherKind(l.r.naming, l.answers[0]) || l.r.kindFit(l.r.naming, l.answers[0]) < 0)
}

// leftOver returns the words of time and number that a reading has no use for:
// years, "first" and "current" narrow down what is asked.
func (r *reader) leftOver(pr *proposal) []string {
	var out []string
	for i := range pr.q.Words {
		w := &pr.q.Words[i]
		unmade := w.Taken && !w.Stop && len(pr.shape.values) == 0 && !r.isSaid(i) // a comparison that is not made
		if unmade || w.Mention < 0 && !w.Taken && (schema.IsYear(w.Lower) || narrowing[w.Lower] && len(w.Weight) == 0) {
			out = append(out, w.Text)
		}
	}
	out = slices.Concat(out, r.unsaid(pr), pr.unheeded(), texts(r.leftNames(pr)))
	hops, goesBack := pr.shape.hops(), false
	for h := range hops {
		goesBack = goesBack || r.p.goesBack(hops, h)
	}
	for _, i := range pr.q.Shared {
		if !goesBack && !further[pr.q.Words[i].Lower] {
			out = append(out, pr.q.Words[i].Text) // "the same" of which nothing comes back
		}
	}
	return append(out, r.unread(pr)...)
}

var further = lexicon.Words("further")

// leavesFigure says in a sentence that a reading leaves out which one of several is asked for, or how few, that no
// relation of it has in its name; "" for other readings.
func (l *look) leavesFigure() string {
	return leavesOut(slices.DeleteFunc(slices.Clone(l.left), func(text string) bool {
		if l.unmet != nil { // it says so itself
			return true
		}
		return !figures[strings.ToLower(text)] || slices.ContainsFunc(l.hops, func(h hop) bool { return strings.Contains(l.r.p.g.RelationText(h.step.Relation()), text) })
	}))
}

// figures say which one of several is meant, or how few.
var figures = func() map[string]bool {
	ws := lexicon.Words("ordinals")
	delete(ws, "first")
	ws["only"] = true
	return ws
}()

// leavesMeasure says in a sentence that a reading leaves out the word for how much is asked, "how
// deep", and leads to no date, which may tell how old something is; "" for other readings.
func (l *look) leavesMeasure() string {
	for i, w := range l.q.Words {
		isLeft := i > 0 && l.q.has(i-1, i, "how") && slices.Contains(slices.Concat(l.missing, l.left), w.Text)
		if isLeft && !slices.ContainsFunc(l.last, func(st schema.Step) bool { return l.r.p.schema.Value(st.To()) == schema.DateValue }) {
			return leavesOut([]string{w.Text})
		}
	}
	return ""
}

// leavesPart says in a sentence that a reading leaves out a word that tells one thing from others of its
// kind or of a like name, which the graph does not have: "the Zika outbreak" is not every outbreak, and
// "the Shenzhen Plant" no other plant. It returns "" for other readings.
func (l *look) leavesPart() string {
	q := l.q
	isLike := func(i int) bool { // a part of a name alone
		return i >= 0 && i < len(q.Words) && q.Words[i].Mention >= 0 && q.Mentions[q.Words[i].Mention].Candidates[0].Method > link.Folded
	}
	isKind := func(i int) bool {
		return i < len(q.Words) && (q.Words[i].Mention < 0 && len(q.Words[i].Types) > 0 || slices.ContainsFunc(l.hops, func(h hop) bool {
			return h.leg >= 0 && h.leg < len(l.shape.legs) && l.shape.legs[h.leg].mention == q.Words[i].Mention && slices.Contains(q.p.Mapping(h.step.Relation()).Concepts, lexicon.InstanceOf)
		}))
	}
	for i, w := range q.Words {
		if w.Mention >= 0 || w.Stop || i == 0 || glue[w.Lower] || needless[w.Lower] || narrowing[w.Lower] || !slices.Contains(l.left, w.Text) {
			continue
		}
		isOfKind := isKind(i+1) && (w.Capital || i+1 != q.asked && !isKind(i-1)) // not the verb of "suppliers deliver parts"
		if isOfKind || w.Capital && (isLike(i-1) || isLike(i+1)) {
			return fmt.Sprintf("Nothing in this graph is called %s.", wording.Quote(w.Text))
		}
	}
	return ""
}

// leavesFact says in a sentence that a reading leaves out a name where a number for it is asked for, or
// what is said of it together with another: the dose of a drug for a patient is not the drug's. It
// returns "" for other readings.
func (l *look) leavesFact() string {
	if l.unmet != nil {
		return ""
	}
	return leavesOut(texts(slices.DeleteFunc(l.r.leftNames(l.proposal), func(s words.Span) bool {
		isJoined := slices.ContainsFunc(l.shape.legs, func(g leg) bool { return l.r.p.isNear(g.entity, s) })
		return !isJoined && l.q.wh != howMany && l.q.wh != howMuch
	})))
}

func texts(spans []words.Span) []string {
	return wording.Each(spans, func(s words.Span) string { return s.Text })
}

// leftNames returns the names that a reading leaves out, and that tell none of its own apart.
func (r *reader) leftNames(pr *proposal) []words.Span {
	return slices.DeleteFunc(slices.Clone(r.Spans), func(s words.Span) bool {
		return !s.IsSure() || slices.ContainsFunc(pr.q.Mentions, s.Overlaps) || r.isQualifier(pr, s)
	})
}

// unread returns the content words that say nothing about the graph.
func (r *reader) unread(pr *proposal) []string {
	var out []string
	for i := range pr.q.Words {
		w := &pr.q.Words[i]
		either := w.Lower == "or" && w.Mention < 0 && !w.Taken // read as "and"
		if either || r.isPrefix(pr, i) || w.Mention < 0 && !r.InName(i) && !w.Stop && !w.Silent && !w.Taken && !pr.hasUse(w) && !pr.isJoining(i) &&
			!narrowing[w.Lower] && !schema.IsYear(w.Lower) {
			out = append(out, w.Text)
		}
	}
	return out
}

// isJoining reports whether a word only joins what others ask for, of a reading's steps, or says no more
// than that of the only way between them: "Which animals live in Leeds?".
func (pr *proposal) isJoining(i int) bool {
	q, w := pr.q, pr.q.Words[i].Lower
	isGoing := q.has(i+1, min(i+2, len(q.Words)), "to", "from") && lexicon.Base(w) != "belong" // what runs in a valley need not run to it
	if to, ties := pr.ties(); q.SaysWhere(i) || q.IsSupport(i, to, ties) {
		return true
	}
	return words.Joins(w) && (!isGoing || lexicon.Base(w) != "run") && q.IsJoining(i, wording.Each(pr.shape.hops(), func(h hop) kg.RelationID { return h.step.Relation() })...) ||
		!isGoing && (words.Joins(w) || words.SaysLittle(w)) && pr.isOnlyWay(i)
}

// ties returns the relations of a proposal, and where it leads.
func (pr *proposal) ties() (to []schema.Slot, ties []words.Tie) {
	for _, st := range pr.shape.lastSteps() {
		to = append(to, st.To())
	}
	if pr.shape.root != nil && len(to) == 0 {
		to = append(to, pr.shape.root.at)
	}
	for _, h := range pr.shape.hops() {
		t := words.Tie{Relation: h.step.Relation(), Head: kg.NoEntity, Tail: kg.NoEntity}
		switch isFirst := pr.shape.root == nil && h.at == 0; {
		case isFirst && h.step.IsBack():
			t.Tail = pr.shape.legs[h.leg].entity
		case isFirst:
			t.Head = pr.shape.legs[h.leg].entity
		}
		ties = append(ties, t)
	}
	return to, ties
}

// isPrefix reports whether a word that says nothing by itself is the first half of one that says
// something else than the second, "co-wrote", and of no relation of a reading.
func (r *reader) isPrefix(pr *proposal, i int) bool {
	ws := pr.q.Words
	isJoint := func(a int) bool {
		return a >= 0 && a+1 < len(ws) && ws[a].End < ws[a+1].Start && r.Source[ws[a].End:ws[a+1].Start] == "-"
	}
	return ws[i].Stop && !ws[i].Taken && ws[i].Mention < 0 && !r.PartOfName(i) && isJoint(i) && !isJoint(i-1) && ws[i+1].Mention < 0 && ws[i+1].IsCue() &&
		!slices.ContainsFunc(pr.shape.hops(), func(h hop) bool { return slices.Contains(r.p.names[h.step.Relation()].words, ws[i].Lower) }) &&
		(ws[i].Lower != "co" || !pr.goesBack())
}

// goesBack reports whether a reading goes out along a relation and back along it: who "co-wrote"
// with X wrote what X wrote.
func (pr *proposal) goesBack() bool {
	hops := pr.shape.hops()
	return slices.ContainsFunc(upTo(1, len(hops)), func(i int) bool { return hops[i].leg == hops[i-1].leg && hops[i].step.Back() == hops[i-1].step })
}

// unreadVerbs returns the verbs that a reading of one step leaves out, where no other
// word asks for that step: who hated something is not who directed it.
func (l *look) unreadVerbs() (out []string) {
	pr := l.proposal
	if pr.unmet != nil || len(pr.shape.values) > 0 || pr.shape.root != nil || len(pr.verdict.cue) != 1 || pr.verdict.cue[0] >= 0 {
		return nil
	}
	unread := l.r.unread(pr)
	for i := range pr.q.Words {
		w := &pr.q.Words[i]
		if glue[w.Lower] || pr.q.has(i+1, min(i+2, len(pr.q.Words)), "as") { // "called", "known as": what follows says it
			continue
		}
		if slices.Contains(unread, w.Text) && (lexicon.IsParticiple(w.Lower) || lexicon.IsPast(w.Lower) || i == 1 && lexicon.IsThird(w.Lower) && pr.q.has(0, 1, "who", "what")) && !pr.isOnlyWay(i) {
			out = append(out, w.Text)
		}
	}
	return out
}

// isOnlyWay reports whether a reading of one step from each name goes the only way from what the name is to
// the kind that is asked for, and a verb may stand for that: who "took" a course where the graph has
// enrolments alone.
func (pr *proposal) isOnlyWay(verb int) bool {
	q, hops := pr.q, pr.shape.hops()
	if q.asked < 0 || len(hops) == 0 || len(hops) != len(pr.shape.legs) || len(q.Words[q.asked].Types) == 0 {
		return false
	}
	isAsked := func(at schema.Slot) bool { return q.NamesSlot(&q.Words[q.asked], at) }
	return !slices.ContainsFunc(hops, func(h hop) bool {
		e := pr.shape.legs[h.leg].entity
		slots, types := q.topic(e).slots, q.p.g.Types(e)
		from := func(at schema.Slot) bool {
			return slices.Contains(slots, at) || slices.ContainsFunc(types, func(t kg.TypeID) bool { return q.p.schema.Types(at)[t] >= words.TypeShareMin })
		}
		name := q.p.names[h.step.Relation()].words
		isDeed := len(name) > 0 && (lexicon.IsParticiple(name[0]) || lexicon.IsVerbForm(name[0])) // who "guided" a tour need not "run" it
		return h.at > 0 || !isAsked(h.step.To()) || (isDeed || !words.Joins(q.Words[verb].Lower)) && !q.MayStandFor(verb, h.step) || !q.p.IsOnly(h.step, from, isAsked)
	})
}

// isQualifier reports whether a span tells a name of a proposal apart.
func (r *reader) isQualifier(pr *proposal, s words.Span) bool {
	l := r.qualified(pr, s)
	return l != nil && r.p.isNear(l.entity, s)
}

// glue are words that say nothing.
var glue = lexicon.Words("glue")

// leavesAll says in a sentence that a reading has no use for a word that alone says what is asked for:
// one of no name for what narrows it down, one of a name that no word speaks for, or that is one, or a number for
// the noun that it counts; "" for other readings.
func (l *look) leavesAll() string {
	var out []string
	for i := range l.q.Words {
		w := &l.q.Words[i]
		if w.Mention >= 0 || w.Stop || glue[w.Lower] || narrowing[w.Lower] || prepositions[w.Lower] || anyKind[w.Lower] || needless[w.Lower] || strings.HasSuffix(w.Lower, "ly") || !slices.Contains(l.left, w.Text) {
			continue
		}
		isMany := l.q.wh == howMany && l.q.has(i-1, i, "many") && (i+1 == len(l.q.Words) || !l.q.Words[i+1].IsKind() && !l.q.Words[i+1].IsCue() || l.q.Words[i+1].Stop)
		if isMany || len(l.shape.legs)+len(l.shape.values)+len(l.shape.said) == 0 && l.unmet == nil || l.isUnasked() && (w.Capital || !l.q.fitsWh(l.last[0].To())) {
			out = append(out, w.Text)
		}
	}
	return leavesOut(out)
}

// needless are words without which a question asks for the same.
var needless = func() map[string]bool {
	ws := lexicon.Words("light", "empty nouns", "fillers", "asides", "collections")
	for w := range lexicon.WordSet("people persons different known ones everything among") {
		ws[w] = true
	}
	return ws
}()

// picks reports whether a word asks for those that have the most of something, or for more than so
// much: without it, an answer lists all.
func picks(word string) bool {
	w := strings.ToLower(word)
	return picking[w] || lexicon.IsSuperlative(w) && !narrowing[w]
}

var picking = lexicon.WordSet("most least more less largest biggest")

// narrowing are words that narrow down what is asked by time or order.
var narrowing = lexicon.Words("narrowing")

// isJoint reports whether a proposal reads a name as several entities.
func (pr *proposal) isJoint() bool {
	return slices.ContainsFunc(pr.shape.legs, func(l leg) bool { return len(l.same) > 0 })
}

// isWild reports whether a proposal answers something else than what is asked:
// no word asks for the hop that leads to the answer, though words ask for more
// than the proposal has; or it is a mere guess.
func (pr *proposal) isWild(missing int) bool {
	if missing == 0 || len(pr.shape.values) > 0 || pr.shape.root != nil {
		return false
	}
	if pr.isGuess() {
		return true
	}
	h := pr.shape.askedHop()
	if h < 0 || h >= len(pr.verdict.cue) {
		return false
	}
	first := h > 0 && pr.q.p.schema.IsMediator(pr.shape.hops()[h-1].step.To())
	if pr.verdict.cue[h] >= 0 || first && pr.verdict.cue[h-1] >= 0 {
		return false
	}
	return pr.q.asked < 0 || !pr.q.NamesSlot(&pr.q.Words[pr.q.asked], pr.shape.hops()[h].step.To())
}

// unheard says in a sentence that a word of a question about one thing asks for a relation that the
// thing does not have, where a reading is a mere guess without it; "" for other readings.
func (pr *proposal) unheard() string {
	q := pr.q
	if len(pr.shape.legs) != 1 || q.Mentions[pr.shape.legs[0].mention].Candidates[0].Method > link.Folded || len(pr.shape.said) > 0 || pr.unmet != nil || !pr.isUnasked() {
		return ""
	}
	isDate := func(st schema.Step) bool { return q.wh == when && q.p.schema.Value(st.To()) == schema.DateValue }
	for _, i := range pr.verdict.unused {
		w := &q.Words[i]
		if w.Stop || !w.AsksStrongly() || w.ByMeaning {
			continue
		}
		best := slices.MaxFunc(slices.Sorted(maps.Keys(w.Weight)), func(a, b schema.Step) int { return cmp.Compare(w.Weight[a], w.Weight[b]) })
		if isDate(pr.shape.lastSteps()[0]) && !q.p.IsOwn(best.Relation(), w.Stem) && (!isDate(best) || !pr.mayHave(best)) {
			continue // when something was founded may be its only date
		}
		return fmt.Sprintf("This graph has no %s for %s.", wording.Quote(q.p.g.RelationText(best.Relation())), wording.Quote(q.p.g.Label(pr.shape.legs[0].entity)))
	}
	return ""
}

// mayHave reports whether the like of what a reading begins at often has something.
func (pr *proposal) mayHave(st schema.Step) bool {
	return slices.ContainsFunc(pr.q.topic(pr.shape.legs[0].entity).slots, func(at schema.Slot) bool { return pr.q.p.usual(at, st.From()) })
}

// isAnyGuess says in a sentence that a reading takes one of several things that the graph says of
// something, though no word asks for it, or a word that asks for what the graph does not have:
// nothing tells what Skye is allergic to, nor who Quarrie sued. It returns "" for other readings. A
// name alone may ask for what has it, "the lions", and when something happened may be its date.
func (l *look) isAnyGuess() string {
	ofName := slices.ContainsFunc(upTo(1, len(l.q.Words)), func(i int) bool { // "Ada's dentist" is nobody else of hers
		isOf := l.q.has(i-1, i, lexicon.Possessive) || l.q.has(i+1, min(i+2, len(l.q.Words)), "of")
		return isOf && slices.Contains(l.left, l.q.Words[i].Text)
	})
	if len(l.shape.legs) != 1 || len(l.shape.said) > 0 || l.unmet != nil || !l.isUnasked() || l.tie() == "" && !ofName {
		return ""
	}
	isOther := len(l.left) > 0 && (l.q.wh == who || l.q.wh == where || l.q.wh == noWh)
	return ifSo(isOther || l.isGuess() && !l.last[0].IsBack(), cmp.Or(l.empty.reason, noRelation(l.left)))
}

// isGuess reports whether no word speaks for any hop of a proposal, nor for its
// end.
func (pr *proposal) isGuess() bool {
	return pr.isUnasked() && !pr.q.fitsWh(pr.shape.lastSteps()[0].To())
}

// isUnasked reports whether no word speaks for any hop of a proposal, nor a noun for its end.
func (pr *proposal) isUnasked() bool {
	if len(pr.shape.values) > 0 || pr.shape.root != nil || pr.verdict.uncued < pr.shape.size() {
		return false
	}
	q := pr.q
	last := pr.shape.lastSteps()
	if len(last) == 0 {
		return false
	}
	return q.asked < 0 || !q.NamesSlot(&q.Words[q.asked], last[0].To())
}

// missingWords returns the words that ask for a relation which the graph does
// not have: no step goes with them, no name holds them, and either the lexicon
// knows them or they stand before "of", as the nouns of relations do.
func (r *reader) missingWords(p *proposal) []string {
	var out []string
	all := r.Words
	if p != nil {
		all = p.q.Words
	}
	for i := range all {
		w := &all[i]
		if w.Stop || w.Silent || w.Taken || p.hasUse(w) || w.Mention >= 0 || p != nil && p.isJoining(i) {
			continue
		}
		beforeOf := i+1 < len(all) && all[i+1].Lower == "of"
		if !r.InName(i) && (beforeOf || len(r.p.lex.ConceptsOf(w.Stem)) > 0) {
			out = append(out, w.Text)
		}
	}
	return out
}

// hasRival reports whether a reading with other answers is within the margin.
func (l *look) hasRival(margin float64) bool {
	return slices.ContainsFunc(l.shown[1:], func(p *proposal) bool { return rivals(l.proposal, p, margin) })
}

// rivals reports whether b is within the margin of a and means something else. The grammar may be
// wrong: a reading that has too few steps by it comes later, and is a rival all the same.
func rivals(a, b *proposal, margin float64) bool {
	nothing := len(b.answers) == 0 && len(b.shape.said) == 0 && len(a.answers) > 0 // of a value that nothing has
	nothing = nothing || b.leavesName(a)
	return a.score-b.score-b.lacks < margin && !slices.Equal(a.answers, b.answers) && !nothing
}

// leavesName reports whether a proposal is all things of the kind that is asked for, where another
// reads a name with a capital as well: "French lines" are not all lines.
func (pr *proposal) leavesName(other *proposal) bool {
	return pr.shape.root != nil && pr.shape.size() == 0 && len(pr.shape.legs)+len(pr.shape.values)+len(pr.shape.said) == 0 &&
		slices.ContainsFunc(other.shape.legs, func(l leg) bool { return other.q.Words[other.q.Mentions[l.mention].From].Capital })
}

// tie says between what the user may choose; "" for nothing.
func (l *look) tie() string {
	texts := []string{l.texts[0]}
	for i, p := range l.shown[1:] {
		if rivals(l.proposal, p, tieMargin) {
			texts = append(texts, l.texts[i+1])
		}
	}
	return ifSo(len(texts) > 1, fmt.Sprintf("The question can be read in %d ways about equally well: %s.", len(texts), strings.Join(texts, "; ")))
}
