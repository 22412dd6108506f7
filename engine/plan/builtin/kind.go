package builtin

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"unicode"

	"cairn/engine/kg"
	"cairn/engine/lexicon"
	"cairn/engine/plan/words"
	"cairn/engine/schema"
	"cairn/internal/wording"
)

// kindFit says how well a candidate is what the question asks for: by the
// graph's types, where the asked word is one, otherwise by what the graph says
// of the candidate. Kinds that only many slots together make up are not trusted
// here: in a dense graph, everything is of one kind.
func (r *reader) kindFit(q *question, e kg.EntityID) float64 {
	slots := r.p.Slots(e)
	score := 0.0
	if q.asked >= 0 && q.Words[q.asked].IsKind() {
		w := &q.Words[q.asked]
		named := r.p.SlotsNamed(w.Stem)
		called := q.CallsEntity(w, e)
		switch {
		case len(w.Types) > 0:
			score = -typedFit
			if q.NamesEntity(w, e, slots) {
				score = typedFit
			}
		case called != 0:
			score = askedFit * max(0, called) // not everything has such a relation
		case slices.ContainsFunc(slots, func(at schema.Slot) bool { return slices.Contains(named, at) }):
			score = askedFit
		}
	}
	if q.wh != noWh && q.wh != howMany && len(slots) > 0 {
		n := 0
		for _, at := range slots {
			if q.slotFitsWh(at) {
				n++
			}
		}
		share := float64(n) / float64(len(slots))
		score += whFit * (2*min(1, share/whShare) - 1)
	}
	return score
}

// isOtherKind reports whether the graph has the kind that is asked for, and a candidate
// is not known to be of it.
func (r *reader) isOtherKind(q *question, e kg.EntityID) bool {
	if q.asked < 0 || !q.Words[q.asked].IsKind() {
		return false
	}
	w := &q.Words[q.asked]
	named := r.p.SlotsNamed(w.Stem)
	return len(named) > 0 && q.CallsEntity(w, e) <= 0 &&
		!slices.ContainsFunc(r.p.Slots(e), func(at schema.Slot) bool { return slices.Contains(named, at) })
}

// whShare is the share of the slots of a thing that must fit a question word for
// the thing to fit it beyond doubt.
const whShare = 0.3

// againstWh says of the end of a reading why it cannot be what the question word asks
// for: a number is nobody and nowhere, and a person is no time. It is empty where it can.
func (pr *proposal) againstWh() string {
	last := pr.shape.lastSteps()
	if len(last) == 0 || len(pr.shape.values) > 0 || pr.shape.count {
		return ""
	}
	q, at := pr.q, last[0].To()
	value := q.p.schema.Value(at) != schema.NoValue
	var asks string
	is := "a number or a date"
	switch {
	case q.wh == who && value:
		asks = "“Who” asks for someone"
	case q.wh == noWh && value && q.has(0, 1, "whose"):
		asks = "“Whose” asks for someone"
	case pr.leavesDone(last[0]):
		asks, is = "“What” asks for what is done", "the one who does it"
	case q.wh == where && value:
		asks = "“Where” asks for a place"
	case q.wh == when && !value && q.p.IsAnswer(at, lexicon.Person):
		asks, is = "“When” asks for a time", "people"
	case q.wh == when && !value && !pr.mayBeTime(last[0]):
		asks, is = "“When” asks for a time", "something else"
	case q.wh == where && !last[0].IsBack() && q.p.isDoneBy(last[0].Relation()) && !q.p.IsAnswer(at, lexicon.Place) && !pr.endIsNamed():
		asks, is = "“Where” asks for a place", "the one who does it"
	case q.leavesDoer(last[0]):
		asks, is = "“Who” asks for the one who does it", "the one it is done to"
	default:
		return ""
	}
	return fmt.Sprintf("%s, but %s leads to %s.", asks, wording.Quote(q.p.Arrow(last[0])), is)
}

// mayBeTime reports whether a step may lead to times that are no dates: by its relation's name, by the
// kind of thing that it leads to, "Bronze Age", or by a figure in one of the answers.
func (pr *proposal) mayBeTime(st schema.Step) bool {
	p := pr.q.p
	_, known := p.IsTyped(st.To(), lexicon.Person)
	return p.hasPeriods(st.To()) || len(pr.answers) == 0 && !known || p.mayBeDate(st.To()) || isPeriod(p.g.RelationText(st.Relation())) ||
		slices.ContainsFunc(pr.answers, func(e kg.EntityID) bool {
			return strings.ContainsFunc(p.g.Label(e), unicode.IsDigit) || isPeriod(p.g.Label(e))
		})
}

// isPeriod reports whether a text has a noun for a stretch of time.
func isPeriod(text string) bool {
	return slices.ContainsFunc(lexicon.Tokenize(text), func(t lexicon.Token) bool { return periods[t.Lower] })
}

// hasPeriods reports whether one of the types in a slot is called by such a noun.
func (p *Planner) hasPeriods(at schema.Slot) bool {
	for t := range p.schema.Types(at) {
		if isPeriod(p.g.TypeLabel(t)) {
			return true
		}
	}
	return false
}

// periods are nouns for stretches of time.
var periods = lexicon.WordSet("age century date day decade dynasty epoch era month period phase reign season stage term time when year")

// isOfAsked reports whether a reading leads to what the noun asks for, or by one step to what the
// question word does.
func (pr *proposal) isOfAsked() bool {
	q := pr.q
	is := func(at schema.Slot) bool {
		return q.fitsWh(at) && (pr.shape.size() < 2 || q.wh == who && pr.asking(pr.shape.askedHop()) != nil) || q.asked >= 0 && q.NamesSlot(&q.Words[q.asked], at)
	}
	if last := pr.shape.lastSteps(); len(last) > 0 {
		return is(last[0].To()) || q.asked >= 0 && q.Words[q.asked].Names[last[0]]
	}
	return pr.shape.root != nil && is(pr.shape.root.at)
}

// againstAsked reports whether a reading leads to a number or a date where the noun for what is
// asked for names things, "which ship carries the most passengers" asks for no number of them, or
// to other things than those of the type of the graph that it is.
func (pr *proposal) againstAsked() bool {
	q, last := pr.q, pr.shape.lastSteps()
	if q.asked < 0 || q.wh == howMany || len(last) == 0 || len(pr.shape.role) > 0 {
		return false
	}
	w := &q.Words[q.asked]
	isValue := func(s schema.Step) bool { return q.p.schema.Value(s.To()) != schema.NoValue }
	toThings := len(w.Names) > 0 && !w.ByMeaning
	for s := range w.Names {
		toThings = toThings && !isValue(s)
	}
	return pr.isNoWork() || (len(w.Types) > 0 || toThings) && !slices.ContainsFunc(last, func(s schema.Step) bool {
		mayBe := w.Weight[s] >= words.StrongCue || q.isAskedSubject() || len(w.Types) == 0 && (w.Weight[s] > 0 || !q.has(max(q.asked-1, 0), q.asked, "which", "what"))
		isOne := func(t kg.TypeID) bool { return q.p.schema.Types(s.To())[t] > 0 }
		isDoer := len(w.Types) > 0 && isValue(s) && q.p.names[s.Relation()].verb != "" // "composers" are no years in which works were "composed"
		return !isValue(s) && mayBe || w.Names[s] && !isDoer || q.NamesSlot(w, s.To()) || slices.ContainsFunc(w.Types, isOne)
	})
}

// isAskedSubject reports whether the noun taken for what is asked does what the question asks for: "what
// do people in X pay with".
func (q *question) isAskedSubject() bool { return q.has(0, q.asked, "do", "does", "did") }

// isNoWork reports whether a reading leads to persons where works are asked for: "works by pupils of
// X" are not the pupils.
func (pr *proposal) isNoWork() bool {
	q, last := pr.q, pr.shape.lastSteps()
	return q.asked >= 0 && q.has(q.asked, q.asked+1, "work", "works") && len(last) > 0 && !slices.ContainsFunc(last, func(s schema.Step) bool {
		return !q.p.IsAnswer(s.To(), lexicon.Person)
	})
}

// endIsNamed reports whether a noun asks for the step to what is asked: "where was the director of X".
func (pr *proposal) endIsNamed() bool {
	h := pr.shape.askedHop()
	w := pr.asking(h)
	return w != nil && w.Names[pr.shape.hops()[h].step]
}

// isDoneBy reports whether the tail of a relation is who does what its name says: "built by".
func (p *Planner) isDoneBy(r kg.RelationID) bool {
	name := p.names[r].words
	return len(name) > 1 && name[len(name)-1] == "by" && lexicon.IsParticiple(name[len(name)-2])
}

// leavesDone reports whether a question asks what is done and a step leads to who does it: "what is grown at
// X" is no grower.
func (pr *proposal) leavesDone(st schema.Step) bool {
	q, w, name := pr.q, pr.asking(pr.shape.askedHop()), &pr.q.p.names[st.Relation()]
	if w == nil || q.asked >= 0 || !q.has(0, 1, "what") || q.has(0, len(q.Words), "by") || st.IsBack() || name.verb == "" || !name.byTail || w.Names[st] || len(name.words) > 1 && !q.p.isDoneBy(st.Relation()) {
		return false
	}
	at := slices.IndexFunc(q.Words, func(o words.Word) bool { return o.Start == w.Start })
	isNamed := slices.ContainsFunc(q.Words[:at], func(o words.Word) bool { return o.Mention >= 0 })
	if isNamed && !q.has(1, 2, "do", "does", "did") {
		return false // "what is X compared with"
	}
	at++
	for at < len(q.Words) && determiners[q.Words[at].Lower] {
		at++
	}
	return at == len(q.Words) || q.Words[at].Mention < 0 // "what carries X" may be its carrier
}

// leavesDoer reports whether a question asks who does what the end of a step is done to: where
// something is "ringed by" somebody, who rings at a place is not what is "ringed at" it.
func (q *question) leavesDoer(st schema.Step) bool {
	r := st.Relation()
	name := &q.p.names[r]
	if q.wh != who || !st.IsBack() || len(q.Words) < 2 || q.Words[0].Lower != "who" || name.verb == "" || q.Words[1].Stem != name.verb || name.byTail || !lexicon.IsParticiple(name.words[0]) {
		return false
	}
	for other := range q.p.names {
		o := kg.RelationID(other)
		if q.p.isDoneBy(o) && q.p.names[other].verb == name.verb && slices.ContainsFunc(q.p.g.Heads(r), func(e kg.EntityID) bool { return len(q.p.g.OutBy(e, o)) > 0 }) {
			return true
		}
	}
	return false
}

// slotFitsWh is fitsWh by what is known of a slot itself.
func (q *question) slotFitsWh(at schema.Slot) bool {
	has := func(a lexicon.Answer) bool {
		if len(q.p.schema.Types(at)) > 0 {
			return q.p.IsAnswer(at, a)
		}
		return slices.Contains(q.p.AnswersAt(at), a)
	}
	switch q.wh {
	case who:
		return has(lexicon.Person)
	case where:
		return has(lexicon.Place) || has(lexicon.Organization)
	case noWh, when, howMuch, howMany:
	}
	return q.fitsWh(at)
}

const (
	// typedFit is gained or lost as a candidate has the type that is asked for or not: a
	// little less than a condition is worth. askedFit is gained where only what the
	// graph says of a candidate speaks for its kind.
	typedFit, askedFit = 0.8, 0.4
	// whFit is gained or lost as a candidate is what who, when or where asks for.
	whFit = 0.4
	// askedName is gained where the kind is a thing of the graph that a candidate is
	// joined to, such as a profession.
	askedName = 0.3
	// chance is lost by what is joined to everything, and so meets conditions by
	// chance, and in part by others: of two things that meet the same, the question
	// says more of the one of which there is less to say.
	chance = 5
	// kindCounts is how much of its kind counts between covers.
	kindCounts = 0.5
	// oneMore is gained for each condition that is met, whatever it is worth, oneSure for a
	// name beyond doubt, and severalWays for each e-fold of triples that meet it.
	oneMore, oneSure, severalWays = 0.4, 0.3, 0.2
)

// meetsAt reports whether a cover meets a condition that word i is in.
func (c *cover) meetsAt(cs []condition, i int) bool {
	return slices.ContainsFunc(c.meetings, func(m meeting) bool {
		name := cs[m.condition].alts[m.alt].name
		return name.From <= i && i < name.To
	})
}

// rare is 1 for what is joined to nothing and 0 for what is joined to everything.
func (p *Planner) rare(e kg.EntityID) float64 {
	return 1 - math.Log1p(float64(p.g.Degree(e)))/math.Log1p(float64(p.g.Triples()))
}
