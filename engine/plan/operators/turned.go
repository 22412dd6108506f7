package operators

import (
	"slices"
	"strings"

	"cairn/engine/lexicon"
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
