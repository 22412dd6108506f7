package builtin

import (
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

// relationName is what the name of a relation says: its verb, "" for none, and whether
// its tail is who does what the verb says.
type relationName struct {
	words    []string
	stems    []string
	meanings []int // concepts
	verb     string
	byTail   bool
	turned   bool // its key marks it as another one turned round
	places   bool // the tail is where the head lies
	// isPatient says that its noun is for who it is done to: "employee".
	isPatient bool
	supposed  bool // it says what may be: "may contain"
	atHead    bool // its noun is the type of its heads: coaches in "coaches"
	tied      bool // its noun has a preposition other than "of": "reply to"
	// namesakes are other relations whose names differ in number at most: "country", "countries".
	namesakes []kg.RelationID
}

// readNames returns the names of all relations, by id.
func readNames(v *words.Vocabulary) []relationName {
	out := make([]relationName, v.Graph().Relations())
	for r := range out {
		n := &out[r]
		n.words, n.turned = v.NameOf(kg.RelationID(r)), lexicon.ParseRelation(v.Graph().RelationName(kg.RelationID(r))).Inverse
		n.stems = wording.Each(n.words, lexicon.Stem)
		n.verb, n.byTail = lexicon.VerbOf(n.words)
		if len(n.words) == 1 && lexicon.IsThird(n.words[0]) && n.verb == "" && !hasSeveral(v.Graph(), schema.Forward(kg.RelationID(r))) {
			n.verb, n.byTail = n.stems[0], false // "orbits" is no plural where nothing has two of them
		}
		n.supposed = len(n.words) > 1 && slices.ContainsFunc(n.words[:len(n.words)-1], lexicon.IsModal)
		n.places = slices.ContainsFunc(n.words, isPlacing) || n.verb == "" && v.Lexicon().IsPlace(n.stems)
		if last := len(n.words) - 1; last > 0 {
			n.tied = prepositions[n.words[last]] && n.words[last] != "of" && !lexicon.IsVerbForm(n.words[0]) && !lexicon.IsParticiple(n.words[last-1])
		} else if last == 0 {
			tail, typed := v.TypedEnd(kg.RelationID(r), n.words[0])
			n.atHead = typed && !tail
		}
		n.isPatient = n.verb != "" && !lexicon.IsVerbForm(n.words[0]) && n.byTail == lexicon.NamesHead(n.words)
		n.meanings = v.Mapping(kg.RelationID(r)).Means
	}
	called := map[string][]kg.RelationID{}
	for r := range out {
		name := strings.Join(out[r].stems, " ")
		called[name] = append(called[name], kg.RelationID(r))
	}
	for r := range out {
		out[r].namesakes = slices.DeleteFunc(slices.Clone(called[strings.Join(out[r].stems, " ")]), func(o kg.RelationID) bool { return int(o) == r })
	}
	return out
}

// hasSeveral reports whether a step leads from something to several things, as far as a sample shows.
func hasSeveral(g *kg.Graph, st schema.Step) bool {
	const sample = 1024
	things := g.Heads(st.Relation())
	if st.IsBack() {
		things = g.Tails(st.Relation())
	}
	for i := 0; i < len(things); i += max(1, len(things)/sample) {
		if len(g.Along(things[i], st.Relation(), st.IsBack())) > 1 {
			return true
		}
	}
	return false
}

// scoreVoice reads who does and who is done to from the grammar, for relations whose
// names hold a verb: in "owned by" the head is what is owned, in "owns" it is the owner.
// It weighs most where both ends are things of one kind, for there nothing else tells
// the two directions apart, and least in a chain, for there the verb next to the name
// may be that of the whole phrase: "the films directed by the director of X".
//
//	companies owned by X, what X owns   X is the owner
//	who owns X, X is owned by whom      X is what is owned
//	who owns a company in X             the answer is the owner
func (sc *scorer) scoreVoice() {
	if noun := sc.q.missesOf(sc.shape); noun != "" {
		sc.add("another hop comes before "+wording.Quote(noun), -sc.w.OutOfOrder)
	}
	for i, h := range sc.hops {
		r := h.step.Relation()
		if supposes := func(w words.Word) bool { return w.Mention < 0 && lexicon.IsModal(w.Lower) }; !sc.q.p.names[r].supposed {
		} else if slices.ContainsFunc(sc.q.Words, supposes) {
			sc.add("it may be so, as the question says", sc.w.Voice)
		} else {
			sc.add("it may be so, but the question does not say may", -sc.w.VoiceSame)
		}
		if len(sc.shape.legs) == 1 && sc.length[0] == 1 && sc.q.saysPreposition(sc.q.p.names[r], sc.q.Mentions[sc.shape.legs[0].mention]) {
			sc.add("the question has its preposition", sc.w.Voice/2)
		}
		if i == len(sc.hops)-1 && sc.q.leavesDoer(h.step) {
			sc.against(h, true, "the question asks for who does it, but the step leads to what it is done to", sc.w.VoiceSame)
		}
		if sc.q.p.Symmetric(r) {
			continue
		}
		if sc.length[h.leg] == 1 && sc.q.asksTwice(r) {
			sc.against(h, true, "the relation is asked for twice", sc.w.VoiceSame)
		}
		if sc.scoreEnd(i, h) {
			continue
		}
		sc.scorePlace(h)
		if i < len(sc.hops)-1 && len(sc.shape.legs) == 1 && len(sc.shape.role) == 0 && sc.q.isPredicate(r) {
			sc.against(h, true, "the question asks for those that it is said of, but the reading goes on", sc.w.VoiceSame)
		}
		if sc.beginsAtAsked() {
			sc.against(h, true, "it begins at what is asked for, and goes on", sc.w.VoiceSame)
		}
		if h.at > 0 {
			sc.scoreOfStep(h, sc.q.p.names[r].words)
		}
		if isLast := i == len(sc.hops)-1 || sc.hops[i+1].at == 0; isLast && (h.at > 0 || len(sc.shape.legs) == 0) {
			switch head, known := sc.q.asksForHead(r); {
			case !known:
			case h.step.IsBack() != head:
				sc.against(h, true, "the question asks for what has it", sc.w.VoiceSame)
			case h.at == 0 || sc.hops[i-1].step != h.step.Back():
				sc.fit("the question asks for what has it", sc.w.Voice)
			case !sc.q.mayShare():
				sc.add("what is asked one way is not asked there and back", -sc.w.VoiceSame)
			}
		}
		name, verb, byTail := sc.q.p.names[r].words, sc.q.p.names[r].verb, sc.q.p.names[r].byTail
		if verb == "" || sc.q.p.names[r].isPatient && !sc.q.hasWord(verb) || sc.q.saysNoun(r) {
			if q, m := sc.start(h); q != nil && len(name) > 0 && q.lacksPreposition(lexicon.Stem(lexicon.Base(name[0])), name, m) {
				sc.against(h, true, "the question asks for who does it, but the relation tells something else", sc.w.Voice)
			}
			sc.scoreOf(h, name)
			continue
		}
		isVerbName := sc.q.p.names[r].isPatient || sc.q.isVerbAlone(name) || (byTail || lexicon.NamesHead(name)) && sc.q.isOneWord(name)
		isVerb := isVerbName && sc.q.usesVerb(verb)
		if i == len(sc.hops)-1 && h.at > 0 && h.step.IsBack() == byTail && sc.q.isOneWord(name) && sc.q.asksForDoer(verb) {
			sc.against(h, isVerb, "what is asked does what the verb says", sc.w.VoiceSame)
		}
		q, m := sc.start(h)
		alone, same := sc.length[h.leg] == 1, sc.q.p.schema.JoinsSame(r)
		shares := same && sc.q.p.schema.Shared(h.step.From(), h.step.To()) > 0
		if q == nil {
			if doer, known := sc.q.isDoerBeyond(h, verb, sc.shape.legs); !known || !isVerbName || !shares {
			} else if doer != (h.step.IsBack() == byTail) {
				sc.against(h, true, "the voice of the verb is reversed", sc.w.VoiceSame)
			} else if h.step.IsBack() {
				sc.add("the voice of the verb fits", sc.w.Voice)
			}
			continue
		}
		doer, known := q.isDoer(verb, name, m)
		if !known && alone && !byTail && lexicon.IsVerbForm(name[0]) {
			doer, known = q.doesAlike(h.step, m)
		}
		if !known && byTail && len(name) == 1 { // who "mentors" X is X's "mentor"
			var head bool
			head, known = q.isHeadOf(lexicon.Stems(name[0]), m)
			doer = !head
		}
		weight := sc.w.Voice
		if same && alone {
			weight = sc.w.VoiceSame
		} else if shares && isVerbName && q.hasWord(verb) {
			weight += sc.w.VoiceSame // more than the way on is worth
		}
		switch {
		case alone && q.lacksPreposition(verb, name, m):
			sc.against(h, true, "the verb has an object without the preposition of the relation", weight)
		case !known:
		case doer != (h.step.IsBack() == byTail):
			sc.against(h, alone && (isVerb || same || !sc.q.hasWord(verb)), "the voice of the verb is reversed", weight)
		case alone:
			sc.fit("the voice of the verb fits", sc.w.Voice)
		}
	}
}

// saysPreposition reports whether the question has the preposition in which the name of a relation ends,
// before a mention or at the end or beginning: "to whom was X referred".
func (q *question) saysPreposition(name relationName, m words.Span) bool {
	last := len(name.words) - 1
	if last < 1 || !prepositions[name.words[last]] || !q.hasWord(name.stems[last-1]) {
		return false
	}
	if i := q.asked; i >= 0 && q.has(i+1, min(i+2, len(q.Words)), "of") && q.Words[i].Stem != name.stems[last-1] {
		return false // the brother of a suspect is another step on
	}
	return slices.ContainsFunc(upTo(0, len(q.Words)), func(i int) bool {
		return q.Words[i].Mention < 0 && q.Words[i].Lower == name.words[last] && (i == 0 || i+1 == len(q.Words) || i+1 == q.beforeThe(m.From) && q.Words[i-1].Stem == name.stems[last-1])
	})
}

// saysNoun reports whether the question has the name of a relation, which may be a verb by its form,
// as a noun: in the plural, or as one of them, "has X as a prerequisite". A noun for who does what the
// verb says tells nothing so: the coach of X is who coaches X.
func (q *question) saysNoun(r kg.RelationID) bool {
	name := q.p.names[r]
	isPlural := len(name.words) == 1 && lexicon.IsThird(name.words[0]) && lexicon.IsVerbForm(name.words[0]) && !q.p.lex.Is(lexicon.Verb, name.words[0])
	isOne := func(i int) bool {
		w := &q.Words[i]
		return isPlural && i > 0 && w.Stem == name.stems[0] && w.Lower == lexicon.Singular(name.words[0]) && lexicon.Agent(w.Lower) == "" && (determiners[q.Words[i-1].Lower] || q.has(i-1, i, "as", "whose"))
	}
	for i := range q.Words {
		if q.Words[i].Mention < 0 && (q.IsPluralOf(i, r) || isOne(i)) {
			return true
		}
	}
	return false
}

// beginsAtAsked reports whether a reading goes on from what the asked noun names to others of that
// kind, for which the question has a noun of their own: "which linguists studied under a linguist"
// asks for none under whom linguists studied.
func (sc *scorer) beginsAtAsked() bool {
	q, s := sc.q, sc.shape
	if s.root == nil || s.root.word != q.asked || len(s.tail) != 1 {
		return false
	}
	st := s.tail[0]
	return slices.ContainsFunc(q.Words[q.asked+1:], func(w words.Word) bool {
		return w.Mention < 0 && !w.Taken && w.IsNamedKind() && len(w.Names) == 0 && q.NamesSlot(&w, s.root.at) &&
			(q.p.JoinsSame(st.Relation()) || q.namesBoth(&w, st.Relation()))
	})
}

// namesBoth reports whether a noun names the kind of things at both ends of a relation.
func (q *question) namesBoth(w *words.Word, r kg.RelationID) bool {
	return q.NamesSlot(w, schema.Forward(r).From()) && q.NamesSlot(w, schema.Forward(r).To())
}

// asksTwice reports whether a verb for a relation, which can be followed twice, has a noun for it
// as its object: "descend from descendants of X" asks for two steps.
func (q *question) asksTwice(r kg.RelationID) bool {
	if !q.p.schema.Coherent(schema.Forward(r).From(), schema.Forward(r).To()) {
		return false
	}
	asks := func(i int) bool {
		w := &q.Words[i]
		return w.Mention < 0 && max(w.Weight[schema.Forward(r)], w.Weight[schema.Forward(r).Back()]) > 0
	}
	for i := range q.Words {
		if q.has(i+1, min(i+2, len(q.Words)), "by") {
			continue // "taught by the teacher of X" goes there and back
		}
		object := i + 1
		for object < len(q.Words) && (prepositions[q.Words[object].Lower] && !q.has(object, object+1, "of") || q.has(object, object+1, "a", "an", "the")) {
			object++
		}
		verb := i
		for verb > 0 && prepositions[q.Words[verb].Lower] && q.Words[verb-1].Silent { // of "reports to"
			verb--
		}
		if object+2 < len(q.Words) && asks(i) && asks(object) && q.has(object+1, object+2, "of") && q.usesVerb(q.Words[verb].Stem) {
			return true
		}
	}
	return false
}

// start returns where the question says what a hop starts from, the name of its leg or the noun
// for the kind of thing that all starts from, and the question as it reads with that for a name;
// nil for none.
func (sc *scorer) start(h hop) (*question, words.Span) {
	switch root := sc.shape.root; {
	case h.at > 0:
	case h.leg < len(sc.shape.legs):
		return sc.q, sc.q.Mentions[sc.shape.legs[h.leg].mention]
	case root != nil:
		return sc.q.asName(root.word)
	}
	return nil, words.Span{}
}

// asName returns the question as it reads where word i, a noun for a kind of thing, stands for
// things as a name does.
func (q *question) asName(i int) (*question, words.Span) {
	as := q.memo.asName[i]
	if as == nil {
		read := *q.Question
		read.Words = slices.Clone(q.Words)
		read.Mentions = append(slices.Clone(q.Mentions), words.Span{From: i, To: i + 1})
		read.Words[i].Mention = len(q.Mentions)
		as = &question{Question: &read, p: q.p, asked: q.asked, wh: q.wh, anchor: q.anchor, clause: q.clause, memo: newMemo()}
		q.memo.asName[i] = as
	}
	return as, as.Mentions[len(q.Mentions)]
}

// against takes points for a hop that goes against the grammar of the question. Where that
// is beyond doubt the reading is in doubt: that a case cites another is no answer to what
// cites it. An amount has nothing: "ships with a length of 300 m" are those whose length it is.
func (sc *scorer) against(h hop, isSure bool, why string, cost float64) {
	if q, m := sc.start(h); h.step.IsBack() && q != nil && q.isAmount(m) {
		return
	}
	sc.add(why, -cost)
	if isSure {
		sc.turned = append(sc.turned, h.step)
	}
}

// fit gives points for a hop that goes as the grammar of the question says.
func (sc *scorer) fit(why string, points float64) {
	sc.add(why, points)
	sc.fits++
}

// scoreEnd reads which end of a relation a name is where the question says so by the relation's
// own words or by a noun that the lexicon has for one end, and reports whether a step goes
// against that.
//
//	what is named after X, what is above X, the companies based in X   X is the tail
//	what is X named after, what is X above                             X is the head
//	the teacher of X, who taught X, by "student of"                    X is the head
//	the student of X, by "teacher"                                     X is the tail
func (sc *scorer) scoreEnd(i int, h hop) bool {
	q, m := sc.start(h)
	if q == nil {
		return false
	}
	weight := sc.w.Voice
	if sc.q.p.schema.JoinsSame(h.step.Relation()) {
		weight = sc.w.VoiceSame
	}
	end := q.endOfMention(h.step.Relation(), m)
	switch {
	case !end.known:
		return false
	case end.tail != h.step.IsBack():
		sc.against(h, true, "the question asks for the other end of the relation", weight)
		return true
	}
	if end.own || end.byNoun { // a verb that means it may mean something else
		sc.fit("the end of the relation fits", 0)
	}
	if end.own && i+2 == len(sc.back) && sc.back[i+1] && !sc.q.mayShare() {
		sc.add("the question goes one way, but the reading goes there and back", -sc.w.VoiceSame)
	}
	return false
}

// isTailBehind reports whether a mention is the tail of a relation whose words, which are no
// noun, stand before it, and whether the question tells. Behind the mention they make it the
// head.
func (q *question) isTailBehind(r kg.RelationID, m words.Span) (tail, known bool) {
	name := q.p.names[r]
	if len(name.words) == 0 {
		return false, false
	}
	last := name.words[len(name.words)-1]
	if last == "by" || lexicon.NamesHead(name.words) || !prepositions[last] && (len(name.words) == 1 && lexicon.IsVerbForm(last) || len(q.p.lex.ConceptsOf(lexicon.Stem(last))) > 0) {
		return false, false
	}
	if q.isBehindVerb(r, m) {
		return !name.turned, true
	}
	for i := 1; i < len(q.Words); i++ {
		end, ok := q.endOf(name.stems, i)
		if n := len(name.stems) - 1; !ok && n > 0 { // "based at" for "based in"
			at, is := q.endOf(name.stems[:n], i)
			end, ok = at+1, is && at < len(q.Words) && q.Words[at].Mention < 0 && lexicon.IsTelling(last) && lexicon.IsTelling(q.Words[at].Lower) && !lexicon.OtherPreposition(last, q.Words[at].Lower)
		}
		from := m.From
		for from > end && q.has(from-1, from, "a", "an", "the") && prepositions[last] {
			from--
		}
		switch {
		case !ok || q.Words[i-1].Mention >= 0 && i != m.To:
		case end == from && (prepositions[last] || copulas[q.Words[i-1].Lower]):
			return !name.turned, true
		case i == m.To && end == len(q.Words) && q.isBe(m):
			return name.turned, true
		}
	}
	return false, false
}

// isBehindVerb reports whether a mention stands behind a verb for a relation and the last word of its
// name, a preposition, with or without the words that the name has between: what "is transferred to X"
// is what somebody "transferred money to" X, or "sent to" X.
func (q *question) isBehindVerb(r kg.RelationID, m words.Span) bool {
	name := q.p.names[r].words
	last, at := name[len(name)-1], q.beforeThe(m.From)
	isVerb := func(i int) bool {
		w := &q.Words[i]
		return w.Mention < 0 && (w.Stem == lexicon.Stem(name[0]) || (w.IsPast() || lexicon.IsPast(w.Lower)) && !w.ByMeaning && w.Weight[schema.Forward(r)] > 0)
	}
	verb := at - 2
	for verb > 0 && q.Words[verb].Mention < 0 && !isVerb(verb) && (q.Words[verb].Stop || slices.Contains(name, q.Words[verb].Lower)) {
		verb--
	}
	return len(name) > 1 && prepositions[last] && verb > 0 && q.has(at-1, at, last) && isVerb(verb)
}

// beforeThe returns where what ends before word i begins: i, or where an article before it stands.
func (q *question) beforeThe(i int) int {
	for i > 0 && q.has(i-1, i, "a", "an", "the") {
		i--
	}
	return i
}

// isBe reports whether a form of "be" stands before a mention.
func (q *question) isBe(m words.Span) bool {
	at := q.beforeThe(m.From)
	return at > 0 && copulas[q.Words[at-1].Lower]
}

// isTailByRole reports whether a mention is the tail of a relation by what the lexicon calls its
// ends, and whether the question tells: byNoun, or by the verb for what such a one does.
func (q *question) isTailByRole(r kg.RelationID, m words.Span) (tail, byNoun, known bool) {
	name := q.p.names[r]
	if q.mayShare() {
		return false, false, false // X's "co-writers" are no writers of X
	}
	if isAbove, known := q.isAbove(m); known {
		if end, ok := q.isAboveEnd(r); ok {
			return end == isAbove, true, true
		}
	}
	for i := range q.Words {
		w := &q.Words[i]
		if w.Mention >= 0 || w.Stop || !q.isNextTo(i, m) || slices.Contains(name.stems, w.Stem) || name.verb != "" && lexicon.Agent(w.Lower) == name.verb {
			continue
		}
		nouns := []string{w.Lower}
		if i > 0 && q.Words[i-1].Mention < 0 && !q.Words[i-1].Stop {
			nouns = []string{q.Words[i-1].Lower + " " + w.Lower, w.Lower} // "parent company"
		}
		for _, noun := range nouns {
			if named, ok := q.p.lex.NamesEnd(name.words, name.meanings, noun); ok {
				if has, known := q.isTailOf(lexicon.Stems(noun), m); known {
					return has != named, true, true
				}
			}
		}
		if named, ok := q.p.lex.DoesEnd(name.words, name.meanings, w.Stem); ok {
			if doer, known := q.isSubject(i, nil, m); known {
				return doer == named, false, true
			}
		}
	}
	return false, false, false
}

// above are nouns for those under whom others learn or work.
var above = []string{"teacher", "supervisor", "mentor", "manager", "boss", "commander", "leader"}

// isAboveEnd reports whether the tail of a relation is who is above, and whether the lexicon tells.
func (q *question) isAboveEnd(r kg.RelationID) (tail, known bool) {
	for _, noun := range above {
		if tail, known = q.p.lex.NamesEnd(q.p.names[r].words, q.p.names[r].meanings, noun); known {
			return tail, true
		}
	}
	return false, false
}

// isUnder reports whether word i is the "under" behind a verb: "studied under".
func (q *question) isUnder(i int) bool {
	return q.has(i, i+1, "under") && q.Words[i].Mention < 0 && (!q.Words[i-1].Stop || q.Words[i-1].IsPast())
}

// isAbove reports whether a mention is who others learn or work under, and whether the question tells: who "studied
// under X" did, but not under whom X did.
func (q *question) isAbove(m words.Span) (is, known bool) {
	at, last := q.beforeThe(m.From)-1, len(q.Words)-1
	if at > 1 && q.isUnder(at) && q.Words[at-1].Mention < 0 {
		return true, true
	}
	isAtEnd := q.Words[last].Lower == "under" && q.Words[last].Mention < 0 && m.To <= last
	return false, isAtEnd || q.Words[0].Lower == "under" && m.From > 1 && q.has(1, 2, "whom", "who", "which", "what")
}

// scorePlace reads what lies where, whichever verb the relation's name has for it:
//
//	which continent does X lie in, where is X situated, what is X in   X is what lies there
//	what lies in X, what is in X, what comes from X                    X is where it lies
func (sc *scorer) scorePlace(h hop) {
	q, m := sc.start(h)
	if q == nil || !sc.q.p.names[h.step.Relation()].places {
		return
	}
	if lies, known := q.liesThere(m); known && lies == h.step.IsBack() {
		sc.against(h, true, "what lies where is reversed", sc.w.VoiceSame)
	}
}

// isPlacing reports whether a word of a relation's name makes the tail the place of the head:
// "located in", "in country".
func isPlacing(w string) bool { return w == "in" || lexicon.IsLocative(w) }

// liesThere reports whether a mention is what lies somewhere, and whether the question
// tells.
func (q *question) liesThere(m words.Span) (lies, known bool) {
	for i, w := range q.Words {
		be := copulas[w.Lower]
		if w.Mention >= 0 || !be && !lexicon.IsLocative(w.Lower) {
			continue
		}
		after := i + 1
		for be && after < m.From && q.has(after, after+1, "a", "an", "the") {
			after++
		}
		switch {
		case be && after == m.From && m.To+1 == len(q.Words) && q.has(m.To, m.To+1, "in"),
			!be && (m.To == i || i+1 == m.From && q.has(0, 1, "in", "on", "at", "where")):
			return true, true
		case i < m.From && q.onlyStops(i+1, m.From) && q.has(i+1, m.From, "in", "on", "at", "within", "from"):
			return false, true
		}
	}
	return false, false
}

// scoreOf reads which end of a relation whose name is a noun a name is, where the question
// has the relation's own words.
//
//	the parts of X, what is part of X, has a route to X      of "part of", "route to" X is the tail
//	what is X part of, has X as a part, has a route from X   X is the head
//	the capital of X, X's capital                            of "capital" X is the head
//	what is X the capital of                                 X is the tail
func (sc *scorer) scoreOf(h hop, name []string) {
	q, m := sc.start(h)
	if q == nil {
		return
	}
	isTail := q.isTailOf
	weight := sc.w.Voice
	if sc.q.p.schema.JoinsSame(h.step.Relation()) {
		weight = sc.w.VoiceSame
	}
	switch to := len(name) > 1 && name[len(name)-1] == "to"; {
	case to:
		isTail = q.isTailTo
	case !lexicon.NamesHead(name):
		if r := h.step.Relation(); sc.q.p.names[r].tied && sc.q.p.schema.JoinsSame(r) {
			name = name[:len(name)-1] // "diversion" of "diversion via"
		}
		switch head, known := q.isHeadOf(lexicon.Stems(strings.Join(name, " ")), m); {
		case known && head == h.step.IsBack():
			sc.against(h, true, "the question asks for the other end of the relation", weight)
		case known && h.step.IsBack() && sc.length[h.leg] == 1:
			sc.fit("the end of the relation fits", weight)
		case known:
			sc.fit("the end of the relation fits", 0)
		}
		return
	}
	tail, known := isTail(lexicon.Stems(strings.Join(name[:len(name)-1], " ")), m)
	switch {
	case !known:
	case tail != h.step.IsBack():
		sc.against(h, true, "the question asks for the other end of the relation", weight)
	case sc.length[h.leg] == 1:
		sc.fit("the end of the relation fits", weight)
	}
}

// tailByGrammar reads from the grammar whether a mention is the tail of a relation, and whether the
// question tells.
func (q *question) tailByGrammar(r kg.RelationID, m words.Span) (tail, known bool) {
	name := q.p.names[r]
	if end := q.endOfMention(r, m); end.known {
		return end.tail, true
	}
	if lies, known := q.liesThere(m); name.places && known {
		return !lies, true
	}
	if name.verb != "" && (!name.isPatient || q.hasWord(name.verb)) {
		doer, known := q.isDoer(name.verb, name.words, m)
		return doer == name.byTail, known && q.tellsDoer(name)
	}
	switch last := len(name.words) - 1; {
	case last < 0:
	case name.words[last] == "to" && last > 0:
		return q.isTailTo(name.stems[:last], m)
	case lexicon.NamesHead(name.words):
		return q.isTailOf(name.stems[:last], m)
	default:
		head, known := q.isHeadOf(name.stems, m)
		return !head, known
	}
	return false, false
}

// turnedKind returns the relation of a pattern which the text says the other way round of two
// kinds of things, as far as the graph has each at one end alone: persons own dogs, and a dog
// owns no person. It returns "" for none.
func (p *Planner) turnedKind(text *words.Text, pat *pattern.Pattern) string {
	bare := p.newQuestion(text.Words, nil)
	q := p.newQuestion(text.Words, slices.DeleteFunc(text.SureNames(), func(s words.Span) bool {
		return s.To == s.From+1 && len(bare.Words[s.From].Types) > 0 // types may be things of the graph as well
	}))
	for _, e := range pat.AllEdges() {
		for _, r := range e.Fixed {
			if !p.Symmetric(r) && p.schema.Value(schema.Forward(r).To()) == schema.NoValue && q.isTurned(r) {
				return p.g.RelationText(r)
			}
		}
	}
	return ""
}

// isTurned reports whether the question has kinds of things for both ends of a relation, and the
// grammar puts one of them at the other end.
func (q *question) isTurned(r kg.RelationID) bool {
	name, st := q.p.names[r], schema.Forward(r)
	var heads, tails, turned bool
	for i := range q.Words {
		w := &q.Words[i]
		if w.Mention >= 0 || len(w.Types) == 0 || slices.Contains(name.stems, w.Stem) || name.verb != "" && lexicon.Agent(w.Lower) == name.verb {
			continue
		}
		isHead, isTail := q.NamesSlot(w, st.From()), q.NamesSlot(w, st.To())
		if isHead == isTail {
			continue
		}
		heads, tails = heads || isHead, tails || isTail
		as, m := q.asName(i)
		tail, known := as.tailByGrammar(r, m)
		turned = turned || known && tail != isTail
	}
	return heads && tails && turned
}

// saidTurned says that a question has a relation the other way round.
func saidTurned(relation string) string {
	return fmt.Sprintf("The graph does not have %s in the direction that the question asks for.", wording.Quote(relation))
}

// scoreOfStep is scoreOf for a step on from the first: in "the brother of a suspect in X" the
// suspect is the tail of "brother of".
func (sc *scorer) scoreOfStep(h hop, name []string) {
	isBack := lexicon.NamesHead(name)
	if isBack == h.step.IsBack() || !sc.q.p.JoinsSame(h.step.Relation()) {
		return
	}
	noun := lexicon.Stems(strings.Join(name, " "))
	if isBack {
		noun = noun[:len(noun)-1]
	}
	if sc.q.isOfNoun(noun) {
		sc.against(h, true, "the question asks for the other end of the relation", sc.w.Voice)
	}
}

// isOfNoun reports whether a noun is said once, and of what another noun stands for: "the
// brother of a suspect".
func (q *question) isOfNoun(noun []string) bool {
	found, of := 0, false
	for i := range q.Words {
		end, ok := q.endOf(noun, i)
		if !ok {
			continue
		}
		found++
		if q.has(end, min(end+1, len(q.Words)), "of") {
			for end++; end < len(q.Words) && q.has(end, end+1, "a", "an", "the"); end++ {
			}
			of = end < len(q.Words) && q.Words[end].Mention < 0
		}
	}
	return found == 1 && of
}

// endOf returns the word after a noun of several words that begins at word i, and whether one
// does. The name of a relation may have been made one word.
func (q *question) endOf(noun []string, i int) (end int, ok bool) {
	if w := &q.Words[i]; w.Mention < 0 && len(noun) > 1 && w.Stem == strings.Join(noun, " ") {
		return i + 1, true
	}
	for end = i; end < len(q.Words) && end-i < len(noun) && q.Words[end].Mention < 0 && q.Words[end].Stem == noun[end-i]; end++ {
	}
	return end, end-i == len(noun)
}

// asksForHead reports whether what is asked for is the head of a relation, and whether the question
// tells: by what it has, "which people have a mother", "whose mother is in X", or by the relation's
// own words behind it, "which people studied under somebody in X".
func (q *question) asksForHead(r kg.RelationID) (head, known bool) {
	name := &q.p.names[r]
	noun := name.stems
	if lexicon.NamesHead(name.words) {
		noun = noun[:len(noun)-1]
	}
	says := len(name.words) > 0 && (lexicon.IsThird(name.words[0]) || len(name.words) > 1 && prepositions[name.words[len(name.words)-1]] || q.asked >= 0 && q.namesBoth(&q.Words[q.asked], r) && lexicon.IsVerbForm(name.words[0]))
	for i := 1; i < len(q.Words); i++ {
		if q.Words[i].Mention < 0 && (q.isHad(i) || q.isOf(i)) { // "children" of a mother
			if tail, ok := q.p.lex.NamesEnd(name.words, name.meanings, q.Words[i].Lower); ok {
				return (tail != name.turned) == q.isHad(i), true
			}
		}
		if len(noun) > 1 && (name.words[0] == "has" || name.words[0] == "have") && q.hasLately(i) { // "have an access easement" over another
			bare := noun[1:]
			if last := len(name.words) - 1; last > 1 && prepositions[name.words[last]] {
				bare = bare[:len(bare)-1]
			}
			if _, ok := q.endOf(bare, i); ok {
				return !name.turned, true
			}
		}
		_, isNoun := q.endOf(noun, i)
		if isNoun && (q.isHad(i) || q.has(i-1, i, "whose") || q.isOf(i)) {
			return (lexicon.NamesHead(name.words) == name.turned) != q.isOf(i) != name.atHead, true
		}
		if to := len(noun) - 1; name.tied { // what "is a reply" is so to another, and what "has a diversion" has it via another
			if _, ok := q.endOf(noun[:to], i); ok && (q.isOf(i) || q.isHad(i) && name.words[to] != "to" && lexicon.Agent(name.words[to-1]) == "") {
				return !name.turned, true
			}
		}
		if ok := says && q.says(i, name); ok {
			from := i - 1
			for from > 0 && q.Words[from].Mention < 0 && (copulas[q.Words[from].Lower] || q.has(from, from+1, "a", "an", "the", "do", "does", "did", "has", "have", "had", "been")) {
				from--
			}
			if end, whole := q.endOf(name.stems, i); whole && end == len(q.Words) && len(name.words) == 2 && name.words[1] != "by" && lexicon.IsParticiple(name.words[0]) && copulas[q.Words[i-1].Lower] {
				return name.turned, true // "which cases were appealed to"
			}
			isPassive := len(name.words) == 1 && q.Words[i].IsPast() && (copulas[q.Words[i-1].Lower] || q.has(i-1, i, "been") || q.has(i, min(i+2, len(q.Words)), "by"))
			if (isPassive || len(name.words) > 1 || from == i-1) && (from == q.asked || from == 0 && q.has(0, 1, "who", "what")) {
				return name.turned == isPassive, true // "which teachers are mentored"
			}
		}
	}
	return false, false
}

// says reports whether the name of a relation stands at word i, whose preposition may be left out
// where an object of its own stands before it: "which languages have borrowed words".
func (q *question) says(i int, name *relationName) bool {
	last := len(name.words) - 1
	if _, ok := q.endOf(name.stems, i); ok {
		return true
	}
	end, ok := q.endOf(name.stems[:last], i)
	return ok && last > 1 && prepositions[name.words[last]] && !prepositions[name.words[last-1]] && end == len(q.Words)
}

// isHad reports whether the noun at word i is what the thing that is asked for has: "people that have
// a mother", "people with mothers".
func (q *question) isHad(i int) bool {
	if i > 1 && q.has(i-1, i, "a", "an", "any") {
		i--
	}
	return i > 0 && (q.has(i-1, i, "has", "have", "had") || q.asked >= 0 && q.asked == i-2 && q.has(i-1, i, "with"))
}

// hasLately reports whether "have" stands before the noun at word i, with no more than what describes
// it between.
func (q *question) hasLately(i int) bool {
	const most = 4 // words: "a power line easement"
	for k := i - 1; k > 0 && k >= i-most && q.Words[k].Mention < 0; k-- {
		switch {
		case q.has(k, k+1, "has", "have", "had"), q.has(k, k+1, "with") && q.asked == k-1:
			return true
		case prepositions[q.Words[k].Lower]:
			return false
		}
	}
	return false
}

// isOf reports whether the noun at word i is what the thing that is asked for is: "people that are
// the mother of somebody", "people that are a mother".
func (q *question) isOf(i int) bool {
	if lexicon.IsParticiple(q.Words[i].Lower) || i+1 < len(q.Words) && (q.Words[i+1].Mention >= 0 || !prepositions[q.Words[i+1].Lower]) {
		return false
	}
	isVerb := i+1 < len(q.Words) && q.Words[i+1].Lower != "of" // unless "to be" stands before it
	for i--; i > 0 && (q.has(i, i+1, "a", "an", "the") || copulas[q.Words[i].Lower] || q.has(i, i+1, relatives...)); i-- {
		isVerb = isVerb && !copulas[q.Words[i].Lower]
	}
	return i >= 0 && i == q.asked && !isVerb
}

// isPredicate reports whether a noun for an end of a relation says what the things that are asked for
// are: "agencies that were partners in a mission".
func (q *question) isPredicate(r kg.RelationID) bool {
	stems := q.p.names[r].stems
	for i := 1; i < len(q.Words) && len(stems) > 0 && !prepositions[q.Words[0].Lower]; i++ {
		if q.Words[i].Mention < 0 && q.Words[i].Stem == stems[len(stems)-1] && q.isOf(i) {
			return true
		}
	}
	return false
}

// isHeadOf reports whether a mention is the head of the relation of which a noun names the
// tail, and whether the question tells: as a noun, or as the verb that it is as well, "what
// did X judge".
func (q *question) isHeadOf(noun []string, m words.Span) (head, known bool) {
	if head, known = q.isTailOf(noun, m); known || len(noun) != 1 {
		return head, known
	}
	i := slices.IndexFunc(q.Words, func(w words.Word) bool { return w.Mention < 0 && w.Stem == noun[0] })
	if i < 1 {
		return false, false
	}
	if q.Words[i].IsPast() || i == 1 && q.has(0, 1, "who", "what") || m.To == i && q.has(0, m.From, "do", "does", "did") {
		doer, isKnown := q.isSubject(i, nil, m)
		return !doer, isKnown
	}
	return false, false
}

// isAmount reports whether a mention is a value that nothing is said of.
func (q *question) isAmount(m words.Span) bool {
	if len(m.Candidates) == 0 {
		return false
	}
	e := m.Candidates[0].Entity
	_, is := q.p.g.Value(e)
	return is && len(q.p.g.Out(e)) == 0
}

// isTailTo is isTailOf for a noun with "to" behind it, and "from" before the other end.
func (q *question) isTailTo(noun []string, m words.Span) (tail, known bool) {
	for i := range q.Words {
		end, ok := q.endOf(noun, i)
		if !ok || end == len(q.Words) {
			continue
		}
		to, from := q.Words[end].Lower == "to", q.Words[end].Lower == "from"
		switch {
		case (to || from) && end < m.From && q.onlyStops(end+1, m.From):
			return to, true
		case m.To <= i && to && end+1 == len(q.Words): // what X has a route to
			return false, true
		}
	}
	return false, false
}

// isTailOf reports whether a mention is the tail of the relation of which a noun names
// the head, and whether the question tells.
func (q *question) isTailOf(noun []string, m words.Span) (tail, known bool) {
	joined := strings.Join(noun, "")
	for i := range q.Words {
		end, ok := q.endOf(noun, i)
		if !ok && q.Words[i].Mention < 0 && q.Words[i].Stem == joined { // "subclass"
			end, ok = i+1, true
		}
		if !ok {
			continue
		}
		of := q.has(end, min(end+1, len(q.Words)), "of")
		switch {
		case of && q.ofBefore(m) == end, m.To < i && q.has(m.To, m.To+1, lexicon.Possessive):
			return true, true
		case m.To <= i && (of && end+1 == len(q.Words) || q.has(m.To, i, "as") || end == len(q.Words) && q.has(0, 1, "for") && q.isBe(m)),
			end <= m.From && q.onlyStops(end, m.From) && !q.has(end, m.From, "of") && (i == 1 && q.has(0, 1, "whose") || i > 0 && q.has(max(0, i-2), i, "has", "have", "had")):
			return false, true // "what has X as its child", "for whom is X a child", "whose child is X", "who has the child X"
		}
	}
	return false, false
}

// isDoer reports whether a mention does what the verb says, and whether the question
// tells: by the verb itself, or by the noun for who does it. What stands before either may be
// of the relation's name as well: "line manager".
func (q *question) isDoer(verb string, name []string, m words.Span) (doer, known bool) {
	if i := slices.IndexFunc(q.Words, func(w words.Word) bool { return w.Mention < 0 && w.Stem == verb }); i >= 0 && (lexicon.Agent(q.Words[i].Lower) != verb || q.usesVerb(verb)) {
		return q.isSubject(i, name, m)
	}
	i := slices.IndexFunc(q.Words, func(w words.Word) bool {
		return w.Mention < 0 && lexicon.Agent(w.Lower[strings.LastIndexByte(w.Lower, ' ')+1:]) == verb // of "first author", one word where a relation is called so
	})
	from := q.startOf(i, name)
	switch {
	case i < 0:
		return false, false
	case m.To <= from && q.onlyStops(m.To, from) && (q.has(m.To, from, "is", "was", "are", "were", "a", "an", "as") || i+2 == len(q.Words) && q.has(i+1, i+2, "of") || q.has(0, 1, "of")):
		return true, true // "X is the owner of", "what is X an owner of", "what has X as its owner"
	case i < m.From && from == 1 && q.has(0, 1, "whose") && q.onlyStops(i+1, m.From):
		return true, true // "whose owner is X"
	case m.To <= from && q.onlyStops(m.To, from), i < m.From && q.onlyStops(i+1, m.From) && q.has(i+1, m.From, "of"):
		return false, true // "X's owner", "the owner of X"
	}
	return false, false
}

// isDoerBeyond is isDoer for what the hops before lead to, where a noun for its kind stands behind the
// verb and the name behind that: of the "cases that cite a case decided by X", the latter is cited. The
// judge of X does what the verb says at the end of "whom did the judge of X praise".
func (q *question) isDoerBeyond(h hop, verb string, legs []leg) (doer, known bool) {
	if h.leg >= len(legs) {
		return false, false
	}
	if last, m := len(q.Words)-1, q.Mentions[legs[h.leg].mention]; m.To == last && q.Words[last].Stem == verb && q.has(0, m.From, "do", "does", "did") && q.has(q.beforeThe(m.From)-1, m.From, "of") {
		return true, true
	}
	for i := range q.Words {
		w, object := &q.Words[i], i+1
		if w.Mention >= 0 || w.Stem != verb && !(w.ByMeaning && w.Weight[h.step] > 0) || lexicon.Agent(w.Lower) == verb {
			continue
		}
		doer = q.has(object, min(object+1, len(q.Words)), "by")
		if doer {
			object++
		}
		for object < len(q.Words) && determiners[q.Words[object].Lower] {
			object++
		}
		if known || object >= q.Mentions[legs[h.leg].mention].From || q.Words[object].Mention >= 0 || !q.Words[object].IsNamedKind() {
			return false, false
		}
		known = true
	}
	return doer, known
}

// startOf returns where the words of a relation's name that end before word i begin, i for
// none.
func (q *question) startOf(i int, name []string) int {
	for i > 0 && q.Words[i-1].Mention < 0 && slices.Contains(name, q.Words[i-1].Lower) && !q.Words[i-1].Stop {
		i--
	}
	return i
}

// doesAlike is isDoer by another verb that asks for a step: "what needs X" where the graph has what
// depends on what, "who beat X" where it has who defeated whom. Between things of two kinds, that verb
// must be for a relation the same way round: "eats" and "feeds on" are for "preys on".
func (q *question) doesAlike(st schema.Step, m words.Span) (doer, known bool) {
	for i := range q.Words {
		w := &q.Words[i]
		if w.Mention >= 0 || w.Stop || len(w.Types) > 0 || !q.usesVerb(w.Stem) {
			continue
		}
		asks := (w.Weight[st] > 0 || w.Weight[st.Back()] > 0) && (w.ByMeaning || lexicon.IsThird(q.p.names[st.Relation()].words[0]))
		if asks && q.p.schema.JoinsSame(st.Relation()) {
			return q.isSubject(i, nil, m)
		}
		for _, c := range q.p.names[st.Relation()].meanings {
			for _, own := range q.p.lex.Concepts[c].Relation {
				if lexicon.IsThird(own.Text) && own.Stems[0] == w.Stem {
					return q.isSubject(i, strings.Fields(own.Text), m)
				}
			}
		}
	}
	return false, false
}

// hasWord reports whether a word with the stem of a verb stands beside the names of the
// question, and is no noun for who does what it says.
func (q *question) hasWord(verb string) bool {
	return slices.ContainsFunc(q.Words, func(w words.Word) bool { return w.Mention < 0 && w.Stem == verb && lexicon.Agent(w.Lower) != verb })
}

// isSubject is isDoer for the verb at word i. Between it and its object stand articles
// and what the relation's name has, "works for"; before anything else, "members of" or
// "languages in", it is a noun.
func (q *question) isSubject(i int, name []string, m words.Span) (doer, known bool) {
	from, after := q.startOf(i, name), i+1
	if after+1 < len(q.Words) && slices.Contains(name, q.Words[after].Lower) && q.Words[after+1].Lower == "by" {
		after++ // "was voted for by"
	}
	passive := after < len(q.Words) && q.Words[after].Lower == "by"
	if passive {
		after++
	}
	isAmount := func() bool { // "owns more than 25 % of X"
		return q.Words[after].Taken || q.Words[after-1].Taken && q.has(after, after+1, "of")
	}
	for after < m.From && (q.has(after, after+1, "a", "an", "the") || q.has(after, after+1, name...) || isAmount()) {
		after++
	}
	switch {
	case after == m.From && !passive && i > 0 && copulas[q.Words[i-1].Lower] && q.Words[i].IsPast() && !q.endsIn(name, i+1, after):
		return false, false // "who was awarded X": who awarded it is not said
	case after == m.From && i > 0 && q.has(i-1, i, "we", "they", "you", "i") && len(name) > 1 && name[1] != "by" && lexicon.IsParticiple(name[0]):
		return true, true // where "we bought X" is what X was "bought from"
	case after == m.From:
		return passive, true
	case m.To == from && q.Words[0].Lower == "by": // "by whom is X owned"
		return false, true
	case m.To == from && !passive && q.Words[i].IsPast() && len(name) > 0 && (slices.Contains(name, "by") || lexicon.IsThird(name[0])) && q.isBe(m):
		return false, true // "how is X treated"
	case m.To == from && !passive:
		// "What does the mentor of X own?" asks what the mentor owns.
		of := q.ofBefore(m)
		return true, of < 1 || q.Words[of-1].Stop
	case m.To <= from && passive:
		return false, true
	}
	return false, false
}

// endsIn reports whether the preposition in which the name of a relation ends is among words
// [from, to): "what was sent to X".
func (q *question) endsIn(name []string, from, to int) bool {
	return len(name) > 1 && prepositions[name[len(name)-1]] && q.has(from, to, name[len(name)-1])
}

// asksForDoer reports whether what is asked does what a verb says: the verb follows
// the question word or its noun at once, "who owns", "which person works".
func (q *question) asksForDoer(verb string) bool {
	i := slices.IndexFunc(q.Words, func(w words.Word) bool { return w.Mention < 0 && w.Stem == verb })
	if i < 1 || i+1 < len(q.Words) && q.Words[i+1].Lower == "by" || q.Words[i].Stem != q.Words[i].Lower && q.Words[i].IsPast() && i+1 < len(q.Words) && q.Words[i+1].Stop {
		return false
	}
	return i == q.asked+1 && q.asked >= 0 || i == 1 && q.has(0, 1, "who", "what", "which")
}

var prepositions, determiners = lexicon.Words("prepositions"), lexicon.Words("determiners")

// lacksPreposition reports whether the verb of a relation that has a preposition, "trained
// under", stands in the question with a name for its subject or object and without any, or
// in the passive: "who trained X" is not who trained under X, nor is who was trained by X, nor
// does who works in X work with X, nor is what X is "written in" who wrote it.
func (q *question) lacksPreposition(verb string, name []string, m words.Span) bool {
	if len(name) < 2 || !lexicon.IsVerbForm(name[0]) && !lexicon.IsParticiple(name[0]) || name[1] == "by" || !prepositions[name[1]] || !q.has(0, 1, "who", "whom", "what", "which", "by") {
		return false
	}
	i := slices.IndexFunc(q.Words, func(w words.Word) bool { return w.Mention < 0 && w.Stem == verb })
	if i < 1 || q.has(i+1, min(i+2, len(q.Words)), name[1]) {
		return false
	}
	passive := q.has(i+1, min(i+2, len(q.Words)), "by")
	if m.To == i {
		return passive || q.has(0, 1, "by") || i+1 == len(q.Words) && q.has(0, m.From, "do", "does", "did")
	}
	if q.has(i+1, min(i+2, len(q.Words)), "with") {
		return name[1] != "with" && i < m.From && q.onlyStops(i+1, m.From)
	}
	return i+1 == m.From && !copulas[q.Words[i-1].Lower] || passive && i < m.From && q.onlyStops(i+1, m.From)
}

// tellsDoer reports whether the verb of a question tells who does what the name of a relation says:
// museums that exhibit a painting are what it is "exhibited at", and "at which farms is it grown"
// leaves out who grows it.
func (q *question) tellsDoer(name relationName) bool {
	last := name.words[len(name.words)-1]
	i := slices.IndexFunc(q.Words, func(w words.Word) bool { return w.Mention < 0 && w.Stem == name.verb })
	if i < 0 {
		return true
	}
	behind := q.Words[i+1 : min(i+2, len(q.Words))]
	says := func(w string) bool { return len(behind) > 0 && behind[0].Lower == w }
	if prepositions[last] && last != "by" {
		return !lexicon.IsParticiple(name.words[0]) && says(last)
	}
	return !lexicon.IsParticiple(q.Words[i].Lower) || says("by") || !slices.ContainsFunc(q.Words[:i], func(w words.Word) bool { return copulas[w.Lower] })
}

// addedPreposition returns the preposition that the verb of a relation has in the question before
// a name, or at the end where no other verb is asked for, and that the relation does not have: who wrote
// about X is not who wrote X. It returns "" for none, and where the lexicon knows the verb with it.
func (q *question) addedPreposition(r kg.RelationID, m words.Span, alone bool) string {
	name := q.p.names[r]
	if !lexicon.IsBareVerb(name.words) {
		return ""
	}
	i := slices.IndexFunc(q.Words, func(w words.Word) bool { return w.Mention < 0 && w.Stem == name.verb })
	if i < 1 || copulas[q.Words[i-1].Lower] || q.has(i-1, i, "a", "an", "the", "be", "been") || lexicon.Agent(q.Words[i].Lower) == name.verb {
		return ""
	}
	at, after := i+1, i+2
	for after < m.From && q.has(after, after+1, "a", "an", "the") {
		after++
	}
	switch {
	case alone && m.To == i && i+1 == len(q.Words):
		at = 0 // "to whom did X write"
	case at == len(q.Words) || after != m.From && (!alone || after != len(q.Words)):
		return ""
	}
	p := q.Words[at].Lower
	if q.Words[at].Mention >= 0 || q.Words[at].Taken || !lexicon.IsTelling(p) || q.hasPhraseWith(r, p) {
		return ""
	}
	return p
}

// isVerbAlone reports whether the name of a relation is a verb and nothing else that
// tells. In "starred actors" the noun says who the tail is, whatever the verb; who contains
// what is clear of "contains parts".
func (q *question) isVerbAlone(name []string) bool {
	return lexicon.IsVerbForm(name[0]) && (lexicon.IsThird(name[0]) || q.isOneWord(name)) || name[len(name)-1] == "by"
}

// usesVerb reports whether the word with a stem is a verb of the question, and not the noun
// that it may be as well: "which events had 2022 visitors".
func (q *question) usesVerb(stem string) bool {
	i := slices.IndexFunc(q.Words, func(w words.Word) bool { return w.Mention < 0 && w.Stem == stem })
	if i < 0 {
		return false
	}
	return q.Words[i].IsPast() || q.has(0, i, "do", "does", "did") || q.has(i+1, min(i+2, len(q.Words)), "by") || q.asksForDoer(stem)
}

// isOneWord reports whether the name of a relation has one word beside those that tell
// nothing.
func (q *question) isOneWord(name []string) bool {
	n := 0
	for _, w := range name {
		if !q.p.lex.IsStop(w) {
			n++
		}
	}
	return n == 1
}

// isNextTo reports whether only words that tell nothing stand between word i and a mention: in
// "X's mother's child" the child is not said of X, nor is the parent in "the parent of X's child".
func (q *question) isNextTo(i int, m words.Span) bool {
	if i < m.From && q.has(m.To, min(m.To+1, len(q.Words)), lexicon.Possessive) {
		return false
	}
	return q.onlyStops(min(i+1, m.To), max(m.From, i))
}

// onlyStops reports whether words [from, to) are all stop words.
func (q *question) onlyStops(from, to int) bool {
	return !slices.ContainsFunc(q.Words[from:to], func(w words.Word) bool { return !w.Stop })
}

// has reports whether one of some words is among words [from, to).
func (q *question) has(from, to int, some ...string) bool {
	return slices.ContainsFunc(q.Words[from:to], func(w words.Word) bool { return slices.Contains(some, w.Lower) })
}
