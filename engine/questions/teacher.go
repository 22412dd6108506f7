package questions

import (
	"cmp"
	"slices"
	"strings"

	"cairn/engine/kg"
	"cairn/engine/lexicon"
	"cairn/engine/schema"
)

// teacher words shapes in as many ways as it can. Letters: x is the phrase that a
// hop starts from, N a noun for what it leads to ("director"), K for its kind
// ("film"), V a verb of the lexicon.
type teacher struct {
	voice

	// style is the form that the question at hand keeps to where it can, as people
	// do: "X's mother's birthplace"; empty for none.
	style string
}

// wording is one way to put something, and its form.
type wording struct{ form, text string }

// choose draws one of some wordings.
func (t *teacher) choose(ws []wording) wording {
	if kept := slices.DeleteFunc(slices.Clone(ws), func(w wording) bool { return w.form != t.style }); len(kept) > 0 {
		ws = kept
	}
	return ws[t.rng.IntN(len(ws))]
}

// ask words a shape whose answers are given; it returns nothing where the graph's
// words will not do.
func (t *teacher) ask(s *shape, answers []kg.EntityID) string {
	if len(s.legs) > 1 {
		return t.voice.ask(s, answers)
	}
	hops := t.m.split(s.legs[0].Steps)
	if t.style = ""; len(hops) > 1 {
		t.style = t.either("", "", "", possessive, possessive, "of")
	}
	x := t.topic(s.legs[0].Entity, hops[0])
	last := len(hops) - 1
	for i := 0; i < last && x.text != ""; i++ {
		x = t.nested(hops, &i, x)
	}
	if x.text == "" {
		return ""
	}
	ws := t.questions(t.words(hops[last]), x, len(answers) > 1)
	if last > 0 && t.returns(hops[last-1], hops[last]) && t.rng.IntN(2) == 0 {
		// Asked in one go: "which films share a director with X".
		before := t.topic(s.legs[0].Entity, hops[0])
		for i := 0; i < last-1 && before.text != ""; i++ {
			before = t.nested(hops[:last], &i, before)
		}
		if before.text != "" {
			ws = t.shared(t.words(hops[last-1]), t.words(hops[last]), before, true)
		}
	}
	if len(ws) == 0 {
		return ""
	}
	w := t.choose(ws)
	return t.dressed(w.text)
}

// possessive is the form of "X's mother".
const possessive = "possessive"

// topic is a name, now and then with the kind of thing that it is: "the film X".
func (t *teacher) topic(e kg.EntityID, hop []schema.Step) phrase {
	x := phrase{text: t.name(e), bare: true}
	kind := t.oneOf(t.m.kindNouns(t.m.schema.Back(hop[0]), t.reversed(hop).kind))
	if kind != "" && t.rng.IntN(4) == 0 {
		x.text = t.either("the ", "the ", "") + kind + " " + x.text
	}
	return x
}

// phrase is what a question has said so far: a name, or words around one.
type phrase struct {
	text string
	bare bool // a name, or a possessive of one, which another may follow: "X's mother"
	many bool // several things: "the films"
}

// hopWords are the words of one hop, walked from x to y.
type hopWords struct {
	noun, nouns string // y is the NOUN of x; may be empty
	kind, kinds string // for y: "film"; never empty
	agent       bool   // y is a person who does something to x
	acts        bool   // x is a person who does something to y
	date        bool
	// verb is what the agent does, in the past, with its preposition: "acted in";
	// done is its participle: "acted", and base what stands after "did": "act in".
	verb, done, base, with string
	ahead, back            string // see saying
	backNoun               string // x is the NOUN of y
	about                  bool   // works are about it
	deed                   string // what the person does it to: "the script"
}

// prepositionOf are the prepositions of verbs that take no object.
var prepositionOf = map[string]string{
	"act": "in", "appear": "in", "star": "in", "perform": "in", "play": "in", "belong": "to", "fall": "under", "feature": "in",
}

// words draws the words of a hop: anew each time, so that a question mixes them.
func (t *teacher) words(hop []schema.Step) hopWords {
	say, back := t.sayHop(hop), t.reversed(hop)
	w := hopWords{
		noun: t.oneOf(says(say.nouns)), backNoun: t.oneOf(says(back.nouns)), ahead: say.ahead, back: say.back,
		agent: say.answer == lexicon.Person && back.answer != lexicon.Person,
		acts:  back.answer == lexicon.Person && say.answer != lexicon.Person,
		date:  say.answer == lexicon.Date,
	}
	w.nouns = lexicon.Plural(w.noun)
	w.kind = t.oneOf(t.m.kindNouns(hop[len(hop)-1], say.kind))
	if w.agent && t.rng.IntN(3) == 0 {
		w.kind = "person"
	}
	w.kind = cmp.Or(w.kind, "thing")
	w.kinds = lexicon.Plural(w.kind)
	if w.agent {
		w.noun, w.deed = t.person(says(say.nouns))
		w.nouns = lexicon.Plural(w.noun)
	}
	if w.acts {
		w.backNoun, w.deed = t.person(says(back.nouns))
	}
	t.act(&w, t.oneOf(slices.DeleteFunc(append(slices.Clone(say.verbs), back.verbs...), func(w string) bool { return slices.Contains(noVerbs, w) })))
	w.about = slices.Contains(say.verbs, "about") || slices.Contains(back.verbs, "about")
	return w
}

// act takes the verb of a hop as the lexicon has it: "write", "play in", "led by".
func (t *teacher) act(w *hopWords, verb string) {
	head, rest, _ := strings.Cut(verb, " ")
	switch {
	case verb == "":
	case rest == "by":
		w.verb, w.done, w.base = head, head, lexicon.Base(head)
	case rest == "in" && lexicon.IsParticiple(lexicon.Past(head)) && lexicon.Past(head) == head: // "seen in"
		w.verb, w.done, w.base, w.with = "was "+verb, head, lexicon.Base(verb), "in"
	default:
		w.verb, w.done, w.base = lexicon.Past(verb), lexicon.Participle(verb), lexicon.Base(verb)
		if t.rng.IntN(6) == 0 {
			w.verb = t.either("has ", "has ", "have ") + w.done
		}
		if w.with = prepositionOf[head]; w.with != "" && rest == "" {
			w.verb, w.base = w.verb+" "+w.with, w.base+" "+w.with
		}
	}
}

// noVerbs are words that ask for a relation in the lexicon and are no verbs.
var noVerbs = []string{
	"about", "popular", "famous", "good", "well known", "known", "opinion", "applicable", "role", "acting", "cast", "costar", "rank",
	"considered", "language", "neighbour", "neighbor", "next to",
}

// person draws a noun that looks like a person's, where there is one, and of the others
// one for what such people make: a screenplay writes nothing, and is written.
func (t *teacher) person(nouns []string) (agent, deed string) {
	var agents, deeds []string
	for _, n := range nouns {
		if slices.ContainsFunc(agentEndings, func(ending string) bool { return strings.HasSuffix(n, ending) }) {
			agents = append(agents, n)
		} else {
			deeds = append(deeds, n)
		}
	}
	if agents == nil {
		return t.oneOf(nouns), ""
	}
	return t.oneOf(agents), t.oneOf(deeds)
}

var agentEndings = []string{"er", "or", "ist", "ess", "ian", "ant", "wright", "man", "star", "cast"}

// says adds to nouns of two words the last one, where it is a noun by itself:
// "starred actors", "imdb votes".
func says(nouns []string) []string {
	out := slices.Clone(nouns)
	for _, n := range nouns {
		if at := strings.LastIndexByte(n, ' '); at > 0 && !strings.Contains(n, " of ") {
			last := n[at+1:]
			if slices.ContainsFunc(nouns, func(o string) bool { return lexicon.Stem(o) == lexicon.Stem(last) }) {
				out = append(out, last)
			}
		}
	}
	return out
}

// kindNouns are nouns for what a step leads to: those of the lexicon that most
// relations of such things agree on, or the one that the graph has.
func (m *Maker) kindNouns(s schema.Step, kind string) []string {
	if kind == "" && m.p.IsAnswer(s.To(), lexicon.Person) {
		kind = "person"
	}
	out := []string{kind}
	if kind == "" || !s.IsBack() {
		return out
	}
	for _, other := range m.lex.KindsOf(lexicon.Stem(kind)) {
		for i := range m.lex.Concepts {
			for _, n := range phrases(m.lex.Concepts[i].Head) {
				if lexicon.Stem(n) == other && !slices.Contains(out, n) {
					out = append(out, n)
				}
			}
		}
	}
	return out
}

// oneOf draws a word; "" where there is none. The first two, which are the
// relation's own, come as often as all others.
func (t *teacher) oneOf(words []string) string {
	if len(words) == 0 {
		return ""
	}
	if t.rng.IntN(2) == 0 {
		return words[t.rng.IntN(min(2, len(words)))]
	}
	return words[t.rng.IntN(len(words))]
}

// returns reports whether the second of two hops goes back the way of the first.
func (t *teacher) returns(hop, next []schema.Step) bool {
	return len(hop) == 1 && len(next) == 1 && next[0] == t.m.schema.Back(hop[0])
}

// nested puts the next hop around x, or the next two where they return.
func (t *teacher) nested(hops [][]schema.Step, i *int, x phrase) phrase {
	var ws []wording
	if *i+2 < len(hops) && t.returns(hops[*i], hops[*i+1]) && t.rng.IntN(2) == 0 {
		ws = t.shared(t.words(hops[*i]), t.words(hops[*i+1]), x, false)
		*i++
	} else {
		ws = t.nouns(t.words(hops[*i]), x)
	}
	if len(ws) == 0 {
		return phrase{}
	}
	w := t.choose(ws)
	return phrase{text: w.text, many: true, bare: w.form == possessive}
}

// nouns are the ways to name what a hop from x leads to.
func (t *teacher) nouns(w hopWords, x phrase) []wording {
	var out []wording
	add := func(form string, parts ...string) { out = append(out, wording{form, strings.Join(parts, " ")}) }
	if w.noun != "" {
		add("of", "the", w.noun, t.of(), x.text)
		add("of", t.either("the ", "")+w.nouns, t.of(), x.text)
		if x.bare {
			add(possessive, x.text+"'s", w.noun)
			add(possessive, x.text+"'s", t.either(w.noun, w.nouns))
			add("noun first", t.either("", "the ")+x.text, t.either(w.noun, w.nouns))
		}
	}
	if w.back != "" {
		add("predicate", "the", w.kinds, strings.TrimSpace(verbal(w.back)), x.text)
		add("predicate", w.kinds, "that", t.either("are", "were"), w.back, x.text)
	}
	if w.agent && w.verb != "" {
		add("who", "the", t.either(w.kind, w.noun, "one", "person"), t.either("who", "that"), w.verb, x.text)
	}
	if w.acts && w.verb != "" {
		add("verb", "the", w.kinds, "that", x.text, w.verb)
		add("verb", "the", w.kinds, x.text, w.verb)
		add("passive", t.either("the ", "")+w.kinds, w.done, "by", x.text)
		if x.bare {
			add("adjunct", t.either("", "the ")+x.text, w.done, w.kinds)
		}
		add("by", t.either("the ", "")+w.kinds, t.either("by", "of", "for"), x.text)
		if w.deed != "" {
			add("deed", "the", w.kinds, t.either("", "that "), x.text, w.verb, "the", w.deed, t.either("of", "for"))
		}
		if w.with == "in" {
			add("in which", "the", w.kinds, "in which", x.text, strings.TrimSuffix(w.verb, " in"))
		}
	}
	if w.backNoun != "" && (w.noun == "" || w.acts) {
		add("with", "the", w.kinds, "with", t.either(w.backNoun, "the "+w.backNoun), x.text)
		add("whose", "the", w.kinds, "whose", w.backNoun, t.either("is", "was"), x.text)
		add("with as", w.kinds, "that have", x.text, "as", w.backNoun)
	}
	if w.about && w.noun == "" {
		add("about", "the", w.kinds, "about", x.text)
	}
	if w.ahead != "" && !lexicon.IsThird(w.ahead) {
		add("that", "the", w.kind, "that", x.text, t.either("is", "was"), w.ahead)
	}
	return out
}

// shared are the ways to name, or to ask for, what has the same at the end of a
// hop as x has.
func (t *teacher) shared(to, back hopWords, x phrase, final bool) []wording {
	n, ns := to.noun, to.nouns
	if n == "" {
		n, ns = to.kind, to.kinds
	}
	var out []wording
	add := func(form string, parts ...string) {
		text := strings.Join(parts, " ")
		if final {
			text = t.either("which "+text, "what are the "+text, "what "+text, "the "+text, t.listing()+" "+text)
		} else {
			text = "the " + text
		}
		out = append(out, wording{form, text})
	}
	ks := back.kinds
	add("share", ks, t.either("that share", "sharing", "which share"), t.either("a "+n, ns, "the "+n), t.either("with", "with", "of"), x.text)
	add("same", ks, "with", t.either("the same "+n, "the same "+ns), t.either("as", "as", "of", "like"), x.text)
	add("same", ks, t.either("that", "which")+" have", t.either("the same "+n, "a "+n+" in common"), t.either("as", "with", "of"), x.text)
	if to.ahead != "" {
		same := "the same " + t.either(to.kind, n) + " as " + x.text
		add("predicate same", ks, verbal(to.ahead), same)
		if final {
			who, does := "which "+back.kind, to.ahead
			if lexicon.Stem(back.kind) == "person" {
				who = t.either("who", "who", "who else")
			}
			if !lexicon.IsThird(does) {
				does = t.either("was ", "is ") + does
			}
			out = append(out, wording{"predicate same", who + " " + does + " " + same})
		}
	}
	if to.agent && to.done != "" {
		add("by the same", ks, t.either("that are ", "which were ", "")+to.done, "by the same", t.either(n, ns, "person"), t.either("as", "of"), x.text)
	}
	if to.noun != "" {
		add("whose too", ks, "whose", t.either(n, ns), t.either("is", "are"), "also", t.either("in", "the "+n+" of"), x.text)
	}
	if to.agent && to.verb != "" {
		add("whose also", ks, "whose", t.either(n, ns), "also", to.verb, x.text)
		add("also", ks, t.either("that ", "")+"the", t.either(n, ns), "of", x.text, t.either("also ", "")+to.verb)
		if final {
			out = append(out,
				wording{"also which", "the " + t.either(n, ns) + " of " + x.text + " also " + to.verb + t.either(" which ", " what ", " ") + ks},
				wording{"besides", t.either("what other ", "which other ") + ks + " did the " + n + " of " + x.text + " " + to.base})
		}
	}
	if to.acts && back.verb != "" {
		// Two people and what they did together.
		add("together", t.either(back.nouns, "people", back.kinds), "who", t.either(back.verb, back.done), t.either("together with", "alongside", "with"), x.text)
		add("same", t.either(back.nouns, "people"), "who", back.verb, "the same", t.either(to.kind, to.kinds), t.either("as", "with"), x.text)
		if final {
			out = append(out,
				wording{"together", x.text + " " + t.either(back.verb, back.done) + " " + t.either("", to.kinds+" ") + t.either("together with", "alongside", "with") + " " + t.either("who", "whom", "which "+back.nouns)},
				wording{"co", x.text + " co-" + back.verb + " " + t.either("", to.kinds+" ") + "with " + t.either("who", "whom")},
				wording{"together", x.text + " " + back.verb + " the same " + to.kind + " " + t.either("with", "as") + " " + t.either("who", "whom")},
				wording{"together", "who " + t.either(back.verb, back.done) + " " + t.either("together with", "alongside", "with") + " " + x.text})
		}
		if back.noun != "" {
			add("co", "co-"+back.nouns, "of", x.text)
			if final {
				out = append(out, wording{"co", "who co-" + back.verb + " " + t.either("with ", to.kinds+" with ") + x.text}, wording{"co", "who is the co-" + back.noun + " of " + x.text})
			}
			add("with", back.nouns, "of the", to.kinds, t.either(to.done+" by", "with"), x.text)
		}
	}
	return out
}

// questions are the ways to ask for what a hop from x leads to.
func (t *teacher) questions(w hopWords, x phrase, several bool) []wording {
	var out []wording
	add := func(form string, parts ...string) { out = append(out, wording{form, strings.Join(parts, " ")}) }
	which, is, was := t.either("which", "what"), "is", "was"
	if x.many && t.rng.IntN(2) == 0 {
		is = "are"
	}
	n := w.noun
	if several || t.rng.IntN(3) == 0 {
		is, n = "are", w.nouns
	}
	if x.many {
		was = "were"
	}
	if t.rng.IntN(6) == 0 {
		was = t.either("has", "has", "have") + " been"
	}
	if n != "" {
		who := "what"
		if w.agent {
			who = "who"
		}
		add("of", who, t.either(is, was), "the", t.main()+n, t.of(), x.text)
		add("of", t.either("the ", "")+t.main()+n, t.of(), x.text)
		add("list", t.listing(), t.either("the ", "the ", t.some())+n, t.of(), x.text)
		add("have", which, n, t.either("do", "does"), x.text, "have")
		add("last", x.text, t.either("have", "has", "had"), which, n)
		add("listed", t.either("who", "what", "which "+w.kind), t.either("is", "are"), t.either("listed", "known", "given"), "as", t.either("", "the ")+n, t.of(), x.text)
		if !w.agent {
			add("in", which, n, t.either(was, "are", "is"), x.text, "in")
			add("in, last", x.text, t.either(was, "are", "is"), t.either("in ", "under ", "of ")+which, n)
			add("sort", "what", t.either("sort", "kind", "type"), "of", n, t.either("is", "are", "does"), x.text)
			add("is", which, t.main()+n, t.either(is, was), x.text)
		}
		if x.bare {
			add("noun last", x.text, n)
			add(possessive, who, is, x.text+"'s", t.main()+n)
			add(possessive, x.text+"'s", t.main()+n)
		}
	}
	if w.agent && w.verb != "" {
		add("who", "who", w.verb, x.text)
		add("who", "which", t.either(w.kind, w.noun, "person", "people"), w.verb, x.text)
		add("the one", t.either("the person who", "the one that", "people that", "the "+w.noun+" who"), w.verb, x.text)
		add("the one", t.either("the person", "who is", "the "+w.noun), lexicon.Gerund(w.base), x.text)
		add("by", x.text, t.either(was+" ", is+" ", "")+w.done, "by", t.either("who", "whom", "which "+w.kind, "this "+w.kind))
		add("by", "who", was, x.text, w.done, "by")
		if w.deed != "" {
			add("deed", t.either("who", "who", "which "+w.noun), w.verb, t.either("the ", "")+w.deed, t.either("of", "for"), x.text)
		}
		if w.with == "in" {
			// What people are in has them.
			alone := strings.TrimSuffix(w.verb, " in")
			add("in", "who", t.either(alone, was), t.either("in", "in", ""), x.text)
			add("in", t.either("", "", "the "+w.kinds), "in", x.text)
			add("has", x.text, alone, t.either("who", "whom", "which "+w.kind))
		}
	}
	if w.date && w.verb != "" {
		when := t.either("when", "in which year", "in what year", "what year")
		add("when", when, was, x.text, w.done)
		add("when", when, t.either("did", "do"), x.text, w.base)
		add("when, last", x.text, was, w.done, t.either("when", "in which year", "in which years", "on what date"))
		add("when, last", x.text, w.done, t.either("when", "in which years"))
		add("date", "what is the", t.either("date", "year"), t.either("of", "when"), x.text, t.either(w.done, was+" "+w.done))
	}
	if w.acts && w.verb != "" {
		add("did", which, w.kinds, "did", x.text, w.base)
		add("did", "what", t.either("did", "does"), x.text, w.base)
		add("verb last", t.either("", "the ", "list ")+w.kinds, x.text, w.verb)
		add("in which", x.text, w.verb, t.either("which", "what"), w.kinds)
		add("acting", which, w.kinds, t.either(is, was, ""), x.text, lexicon.Gerund(w.base))
		if w.with == "in" {
			add("has", t.either("", "the ", which+" ")+w.kinds, lexicon.Gerund(strings.TrimSuffix(w.base, " in")), x.text)
		}
		add("passive", which, w.kinds, t.either("were", "are"), w.done, "by", x.text)
		add("passive, bare", w.kinds, w.done, "by", x.text)
		if w.deed != "" {
			add("deed", which, w.kinds, "did", x.text, w.base, "the", w.deed, t.either("of", "for"))
			add("deed", x.text, w.verb, t.either("the ", "")+w.deed, t.either("of", "for"), which, w.kinds)
		}
		if w.backNoun != "" {
			add("role", x.text, t.either("is", "was"), "the", w.backNoun, "of", which, w.kinds)
			add("role", which, w.kinds, "was", x.text, "the", w.backNoun, "of")
			add("role", which, w.kinds, t.either("is", "was"), x.text, t.either("a ", "an ", "the ")+w.backNoun, t.either("in", "of"))
		}
	}
	if w.back != "" {
		add("predicate", which, w.kinds, t.either("are", "were"), w.back, x.text)
		add("predicate, bare", t.either("", "the ", "all ")+w.kinds, w.back, x.text)
	}
	if w.ahead != "" && !lexicon.IsThird(w.ahead) {
		add("predicate ahead", t.either("who", "what"), t.either(is, was), x.text, w.ahead)
	}
	if w.backNoun != "" && (w.noun == "" || w.acts) {
		add("whose", which, w.kinds, t.either("have", "has"), "the", w.backNoun, x.text)
		add("as", t.either(which, t.listing()), w.kinds, t.either("have", "with"), x.text, "as", w.backNoun)
		add("with", w.kinds, "with", w.backNoun, x.text)
	}
	if !w.agent && !w.acts && !w.date && w.verb != "" {
		// Who acts is not known: a genre, a tag, a language.
		add("by", which, t.either(w.kinds, n), t.either("are", "is", "can be"), w.done, t.either("by", "in", "with", "to"), x.text)
		add("do", which, t.either(w.kinds, n), t.either("does", "do"), x.text, w.base)
		add("by, last", t.either("the "+w.kinds, which+" "+w.kinds), w.done, t.either("in", "by"), x.text)
		if n != "" {
			add("acting", t.either(which+" ", t.some())+w.nouns, t.either(w.base, "can "+w.base, "that "+w.base, "to "+w.base, lexicon.Gerund(w.base)), x.text)
			add("order", w.base, x.text, t.either("", "in ", "with ")+t.some()+w.nouns)
			add("order", w.base, x.text)
			add("how", t.either("how", "what"), t.either("do", "would", "did"), t.either("you", "people", "they"), w.base, x.text)
			add("how", "how", t.either(is, was), x.text, w.done)
		}
	}
	if w.about {
		if w.noun == "" {
			add("about", which, w.kinds, t.either("are", "is"), t.either("about ", "on ")+x.text)
			add("about", t.listing(), w.kinds, "about", x.text)
		} else {
			add("about", "what", t.either(is, was), x.text, "about")
			add("about", t.either("", t.some()+w.nouns+" "+t.either("to "+w.base, lexicon.Gerund(w.base), "of", "for")), "what", x.text, t.either("is", "was"), "about")
		}
	}
	return out
}

// verbal puts a predicate after a noun: "directed by", "that interact with".
func verbal(predicate string) string {
	if lexicon.IsThird(predicate) {
		return "that " + lexicon.Base(predicate)
	}
	return predicate
}

// of is the preposition between a noun and what it is a noun for.
func (t *teacher) of() string { return t.either("of", "of", "of", "for", "in") }

// some says, now and then, that not all are wanted.
func (t *teacher) some() string { return t.either("", "", "some ", "a few ", "all ", "any ") }

// main is, seldom, a word that says nothing before a noun.
func (t *teacher) main() string {
	if t.rng.IntN(10) > 0 {
		return ""
	}
	return t.either("main ", "primary ", "actual ", "exact ")
}

// either draws one of some words.
func (t *teacher) either(words ...string) string { return words[t.rng.IntN(len(words))] }

// openings and endings are polite words around a question.
var (
	openings = []string{
		"can you tell me", "I want to know", "please tell me", "do you know", "could you say", "I would like to know", "can you", "could you give me", "I wonder",
	}
	endings = []string{"please", "if you know", "exactly"}
)

// dressed writes a question as people do: with and without a capital and a question
// mark, and seldom with a few polite words around it.
func (t *teacher) dressed(text string) string {
	text = strings.Join(strings.Fields(text), " ")
	lists := slices.ContainsFunc(listings, func(l string) bool { return strings.HasPrefix(text, l) })
	if t.rng.IntN(12) == 0 && !lists {
		text = t.either(openings...) + " " + text
	}
	if t.rng.IntN(12) == 0 {
		text += " " + t.either(endings...)
	}
	if t.rng.IntN(3) == 0 {
		text = capitalised(text)
	}
	if t.rng.IntN(2) == 0 {
		text += "?"
	}
	return text
}

// capitalised gives a text that begins with a small letter a capital.
func capitalised(text string) string {
	if c := text[0]; c >= 'a' && c <= 'z' {
		return string(c-'a'+'A') + text[1:]
	}
	return text
}
