package operators

import (
	"fmt"
	"slices"
	"strings"

	"cairn/engine/kg"
	"cairn/engine/lexicon"
	"cairn/engine/pattern"
	"cairn/engine/plan/words"
	"cairn/engine/schema"
)

// Questions that ask by a noun or at the end of the sentence, in the order that the operators know.

// terms are the nouns for the time in which somebody is something.
var terms = lexicon.Words("terms")

// turned puts what is asked first where the question has it elsewhere.
//
//	Of the Ks that …, which is …         Which of the Ks that … is …
//	X wrote more books than which Ks     Which Ks wrote fewer books than X
//	Most Ns are R of which K             Which K are most Ns R of
//	X's time as R of Y                   From when to when was X R of Y
//	End of X's time as R of Y            Until when was X R of Y
//	How far apart are X and Y in N       What is the difference in N between X and Y
//	By how many Ns does X exceed Y       How many more Ns does X have than Y
//	By how many Ns is X longer than Y    How much longer Ns is X than Y
//	How many Ns longer is X than Y       How much longer Ns is X than Y
//	with three Ns, no more and no less   with exactly three Ns
func (r *reader) turned(p *phrase) *phrase {
	if q := r.ofThese(p); q != nil {
		return q
	}
	if q := r.termOf(p); q != nil {
		return q
	}
	last := p.len() - 1
	if in := last - 1; p.says(0, "how far apart") && p.is(3, copulas) && (p.says(in, "in") || p.says(in-1, "in")) {
		if p.says(in-1, "in") {
			in--
		}
		return r.cut(p, text("What is the difference"), span(in, p.len()), text("between"), span(4, in))
	}
	if verb := p.nameAt(p.afterThe(5)); p.says(0, "by how many") && p.is(4, auxiliary) && verb > 0 && p.says(verb, "exceed", "outnumber", "outdo", "surpass") {
		return r.cut(p, text("How many more"), span(3, verb), text("have than"), span(verb+1, p.len()))
	}
	be := slices.IndexFunc(upTo(0, p.len()), func(i int) bool { return p.is(i, copulas) })
	us, _ := p.unitAt(min(2, last))
	switch by := p.nameAt(p.afterThe(be + 1)); {
	case p.says(0, "how many") && (us == nil || !p.is(4, copulas)) && p.compares(3) && strings.HasSuffix(p.word(3).Lower, "er") && p.is(4, auxiliary) && !p.isName(2) && !p.is(2, multiplied):
		return r.cut(p, text("How much"), span(3, 4), span(2, 3), span(4, p.len()))
	case p.says(0, "by how many", "by how much") && be > 2 && by > 0 && p.says(by+1, "than"):
		return r.cut(p, text("How much"), span(by, by+1), span(3, be), span(be, by), span(by+1, p.len()))
	}
	for i := 2; i < last-3; i++ {
		if _, ok := p.number(i); ok && p.says(last-4, "no more and no less", "no more and no fewer") {
			return r.cut(p, span(0, i), text("exactly"), span(i, last-4))
		}
	}
	wh := p.len() - 2
	for wh > 2 && !p.says(wh, "which", "what") {
		wh--
	}
	if wh < 3 || p.noun(wh+1, p.len()) != p.len()-1 || p.is(0, questions) || p.is(1, questions) {
		return p
	}
	end := p.nameAt(p.afterThe(0))
	more := wh - 1
	for more > end && !p.is(more, moreWords) && !p.is(more, lessWords) {
		more--
	}
	switch be := p.noun(1, wh) + 1; {
	case p.says(wh-1, "than") && end > 0 && more > end && more+1 < wh-1:
		other := map[bool]string{true: "fewer", false: "more"}[p.is(more, moreWords)]
		return r.cut(p, text("Which"), span(wh+1, p.len()), span(end, more), text(other), span(more+1, wh), span(0, end))
	case p.match(0, most)+p.match(0, fewest) > 0 && p.is(be, copulas):
		return r.cut(p, text("Which"), span(wh+1, p.len()), span(be, be+1), text(strings.ToLower(p.text(0, 1))), span(1, be), span(be+1, wh))
	}
	return p
}

// ofThese puts "Which of the books that X wrote is …" for "Of the books that X wrote, which is …";
// nil for none.
func (r *reader) ofThese(p *phrase) *phrase {
	if !p.says(0, "of", "among") {
		return nil
	}
	for i := 2; i+1 < p.len(); i++ {
		if !p.is(i, questions) || !strings.Contains(p.Source[p.word(i-1).End:p.word(i).Start], ",") || p.noun(1, i) < 0 {
			continue
		}
		to := i + 1
		if p.says(i, "how many", "how much", "what percentage", "what share", "what proportion", "what fraction") {
			to++
		} else if !p.says(i, "which", "who", "what") || !p.is(to, auxiliary) && !p.word(to).IsCue() && !p.is(to, having) {
			return nil
		}
		asks := span(i, to)
		if to == i+1 {
			asks = text("Which")
		}
		return r.cut(p, asks, text("of"), span(1, i), span(to, p.len()))
	}
	return nil
}

// termOf asks when somebody was something, for how long they held it: "X's term as R of Y",
// "In which year did X's term as Y R end?"; nil for none.
func (r *reader) termOf(p *phrase) *phrase {
	from, asks := 0, "From when to when was"
	for p.is(from, questions) || p.is(from, dateNouns) || p.is(from, auxiliary) || p.says(from, "in", "the", "of") || p.is(from, beginnings) || p.is(from, endings) {
		if p.is(from, beginnings) {
			asks = "Since when was"
		} else if p.is(from, endings) {
			asks = "Until when was"
		}
		from++
	}
	end := p.nameAt(from)
	if end == 0 || end+2 >= p.len() || p.word(end).Lower != lexicon.Possessive || !p.is(end+1, terms) && !p.says(end+1, "time", "years") || !p.says(end+2, "as", "at", "with") || p.hasName(0, from) {
		return nil
	}
	to := p.len()
	switch starts, stops := lexicon.Event(p.word(to - 1).Lower); {
	case p.is(to-1, beginnings) || starts:
		asks, to = "Since when was", to-1
	case p.is(to-1, endings) || stops:
		asks, to = "Until when was", to-1
	}
	behind := end + 2
	if p.says(behind, "as") {
		behind++
	}
	if behind >= to {
		return nil
	}
	return r.cut(p, text(asks), span(from, end), span(behind, to))
}

// byEvents asks by the noun of what happened where a question has its verb, and the graph has things of that
// type: those tell how often and when it was.
//
//	How many times was X inspected       How many inspections did X have
//	When was X (last) inspected          What is the date of the (last) inspection of X
//	Ks that have never been inspected    Ks that have no inspections
//	Ks that were inspected twice         Ks that have exactly 2 inspections
//	Ks that were inspected in 2024       Ks that have an inspection in 2024
func (r *reader) byEvents(p *phrase) *phrase {
	for i := 3; i < p.len(); i++ {
		t, ok := r.event(p, i)
		if !ok {
			continue
		}
		start := i
		for p.is(start-1, auxiliary) || p.is(start-1, having) || p.is(start-1, exclusions) || p.says(start-1, "been", "ever", "not", "last") {
			start--
		}
		event, have, rest := strings.ToLower(r.voc.Graph().TypeLabel(t)), "", span(i+1, p.len())
		events, of := lexicon.Plural(event), p.lastName(0, start)
		isOf := of >= 0 && p.nameAt(of) == start
		switch op, n, often := p.occasionAt(i + 1); {
		case isOf && p.says(0, "how many times", "how often"):
			return r.cut(p, text("How many "+events+" did"), span(of, start), text("have"), rest)
		case isOf && p.says(0, "when") && i+1 == p.len() && r.hasOf(p.entitiesOf(of)[0], t):
			if p.says(i-1, "last") {
				events = "last " + event
			}
			if date := r.dateOf(t); date != "" {
				return r.cut(p, text("What is the "+date+" of the "+events+" of"), span(of, start))
			}
		case start == i || start < 2 || p.says(0, "when", "where", "how"):
		case slices.ContainsFunc(upTo(start, i), func(j int) bool { return p.is(j, exclusions) || p.says(j, "not") }):
			have = "have no " + events
		case often && n > 0:
			have, rest = fmt.Sprintf("have %s %d %s", op.Words(), n, events), piece{}
		case often:
			have, rest = map[bool]string{true: "have the fewest ", false: "have the most "}[op == pattern.Less]+events, piece{}
		case i+1 < p.len():
			have = "have an " + event
		}
		if have != "" && (rest.from >= rest.to || p.is(i+1, prepositions) && p.isYear(i+2) && i+3 == p.len()) {
			return r.cut(p, span(0, start), text(have), rest)
		}
	}
	return p
}

// event returns the type of what happened that the verb at word i tells of, where no relation between other
// things says it.
func (r *reader) event(p *phrase, i int) (t kg.TypeID, ok bool) {
	w := p.word(i)
	if p.isName(i) || w.Stop || !w.IsPast() && !lexicon.IsParticiple(w.Lower) {
		return 0, false
	}
	s, g := r.voc.Schema(), r.voc.Graph()
	t, ok = r.voc.TypeOfVerb(w.Stem)
	isOne := func(j int) bool { // a painting was painted
		return slices.Contains(p.word(j).Types, t) || p.isName(j) && slices.Contains(g.Types(p.entitiesOf(j)[0]), t)
	}
	if !ok || slices.ContainsFunc(upTo(0, i), isOne) {
		return 0, false
	}
	for st, weight := range w.Weight {
		if weight >= words.StrongCue && s.Types(st.From())[t] == 0 && s.Types(st.To())[t] == 0 {
			return 0, false
		}
	}
	return t, true
}

// dateOf returns the name of the only relation by which things of a type have a date; "" for none or several.
func (r *reader) dateOf(t kg.TypeID) (name string) {
	s, g := r.voc.Schema(), r.voc.Graph()
	for rel := range kg.RelationID(g.Relations()) {
		if at := schema.Forward(rel); s.Value(at.To()) == schema.DateValue && s.Types(at.From())[t] > 0 {
			if name != "" {
				return ""
			}
			name = g.RelationText(rel)
		}
	}
	return name
}

// hasOf reports whether a thing is joined to one of a type.
func (r *reader) hasOf(e kg.EntityID, t kg.TypeID) bool {
	g := r.voc.Graph()
	return slices.ContainsFunc(slices.Concat(g.In(e), g.Out(e)), func(x kg.Edge) bool { return slices.Contains(g.Types(x.Entity), t) })
}
