package questions

import (
	"cmp"
	"math/rand/v2"
	"slices"
	"strings"

	"cairn/engine/kg"
	"cairn/engine/lexicon"
	"cairn/engine/schema"
)

// voice puts shapes in words. With a source of random numbers it varies them;
// without one it takes the plainest words only.
type voice struct {
	m   *Maker
	rng *rand.Rand
}

// name is a name as it stands in a question. Plain words have spaces between
// them.
func (v *voice) name(e kg.EntityID) string {
	label := v.m.g.Label(e)
	if v.plain() && !strings.Contains(label, " ") {
		return strings.ReplaceAll(label, "_", " ")
	}
	return label
}

// plain reports whether only the plainest words will do.
func (v *voice) plain() bool { return v.rng == nil }

// pick chooses one of some wordings: the first where words are to be plain.
func (v *voice) pick(ws []string) string {
	if v.plain() || len(ws) == 0 {
		return firstOf(ws)
	}
	return ws[v.rng.IntN(len(ws))]
}

// word chooses a word: the first half the time, because it is the relation's
// own, or always where words are to be plain.
func (v *voice) word(words []string) string {
	if len(words) == 0 {
		return ""
	}
	if v.plain() || v.rng.IntN(2) == 0 {
		return words[0]
	}
	return words[v.rng.IntN(len(words))]
}

// ask words a shape whose answers are given; it returns nothing where the
// graph's words will not do.
func (v *voice) ask(s *shape, answers []kg.EntityID) string {
	if len(s.legs) == 1 {
		return v.askChain(s, len(answers) > 1)
	}
	text := v.askStar(s, len(answers) > 1)
	if text != "" && !v.plain() && v.rng.IntN(4) == 0 {
		text = strings.TrimSuffix(text, "?")
	}
	return text
}

// split cuts a chain into hops: two steps over a nameless entity are one.
func (m *Maker) split(steps []schema.Step) [][]schema.Step {
	var out [][]schema.Step
	for i, s := range steps {
		if i > 0 && m.schema.IsMediator(steps[i-1].To()) {
			out[len(out)-1] = append(out[len(out)-1], s)
		} else {
			out = append(out, []schema.Step{s})
		}
	}
	return out
}

// sayHop is say for a hop: of two steps over a nameless entity, the nouns of
// either name what is at the end.
func (v *voice) sayHop(hop []schema.Step) saying {
	last := v.m.say(hop[len(hop)-1])
	if len(hop) > 1 {
		before := v.m.say(hop[0])
		last.nouns = append(slices.Clone(before.nouns), last.nouns...)
		last.sure = before.sure
		last.ahead, last.back, last.verbs = "", "", nil
	}
	// The relation's own words are plainer than what the lexicon takes it to
	// mean, but for agents: "the director of" says it better than "directed by".
	predicate := last.ahead != "" && !strings.HasSuffix(last.ahead, " by") || last.back != ""
	if v.plain() && (!last.sure || predicate && !last.own) {
		last.nouns = nil
	}
	return last
}

// reversed is sayHop for the same hop walked from its other end.
func (v *voice) reversed(hop []schema.Step) saying {
	back := make([]schema.Step, 0, len(hop))
	for _, s := range slices.Backward(hop) {
		back = append(back, v.m.schema.Back(s))
	}
	return v.sayHop(back)
}

// askChain words a question of one chain in plain words.
func (v *voice) askChain(s *shape, several bool) string {
	hops := v.m.split(s.legs[0].Steps)
	last := len(hops) - 1
	if x := v.nest(v.name(s.legs[0].Entity), hops[:last]); x != "" {
		return v.final(hops[last], x, several)
	}
	return ""
}

// nest puts a chain as a phrase around the name that it starts from.
func (v *voice) nest(x string, hops [][]schema.Step) string {
	for i := 0; i < len(hops) && x != ""; i++ {
		x = v.pick(v.phrases(hops[i], x))
	}
	return x
}

// phrases are the ways to name what a hop from x leads to.
func (v *voice) phrases(hop []schema.Step, x string) []string {
	say, back := v.sayHop(hop), v.reversed(hop)
	var out []string
	if n := v.word(say.nouns); n != "" {
		out = append(out, "the "+n+" of "+x)
		if !v.plain() && isBare(x) {
			out = append(out, x+"'s "+n)
		}
	}
	kinds := v.kinds(say.kind)
	if say.back != "" && (kinds != "things" || !v.plain()) {
		verb := say.back
		if lexicon.IsThird(verb) {
			verb = "that " + lexicon.Base(verb)
		}
		out = append(out, "the "+kinds+" "+verb+" "+x)
	}
	if v.plain() {
		return out
	}
	if n := v.word(back.nouns); n != "" && say.kind != "" {
		out = append(out, "the "+kinds+" with "+n+" "+x, "the "+kinds+" whose "+n+" is "+x)
	}
	if verb := v.word(say.verbs); verb != "" && back.answer == lexicon.Person && say.answer != lexicon.Person {
		out = append(out, "the "+kinds+" that "+x+" "+lexicon.Past(verb))
	}
	if say.ahead != "" && !lexicon.IsThird(say.ahead) {
		out = append(out, "the "+v.kind(say.kind)+" that "+x+" is "+say.ahead)
	}
	return out
}

// isBare reports whether x is a name, or a name with a possessive, and not a
// phrase around one: nobody says "the films whose director is X's genre" for
// the genre of the films.
func isBare(x string) bool { return !strings.HasPrefix(x, "the ") }

// kind is the noun for a kind of thing, and kinds its plural, even where the
// graph has none.
func (v *voice) kind(kind string) string { return cmp.Or(kind, "thing") }

func (v *voice) kinds(kind string) string { return lexicon.Plural(v.kind(kind)) }

// final asks in plain words for what a hop from x leads to.
func (v *voice) final(hop []schema.Step, x string, several bool) string {
	say := v.sayHop(hop)
	who := "What"
	if say.answer == lexicon.Person {
		who = "Who"
	}
	if n := v.word(say.nouns); n != "" {
		is := "is"
		if several {
			is, n = "are", lexicon.Plural(n)
		} else if lexicon.IsPlural(n) {
			is = "are"
		}
		return who + " " + is + " the " + n + " of " + x + "?"
	}
	return v.predicate(say, v.reversed(hop), who, x, several)
}

// predicate asks with what the relation's name says of its head.
func (v *voice) predicate(say, back saying, who, x string, several bool) string {
	which, is, has := "Which "+v.kind(say.kind), "is", "has"
	switch {
	case say.kind == "":
		which = "What"
	case several || lexicon.IsPlural(say.kind):
		which, is, has = "Which "+v.kinds(say.kind), "are", "have"
	}
	noun := v.word(back.nouns)
	switch {
	case say.back != "" && !lexicon.IsThird(say.back):
		return which + " " + is + " " + say.back + " " + x + "?"
	case say.back != "" && is == "are":
		return which + " " + lexicon.Base(say.back) + " " + x + "?"
	case say.back != "":
		return which + " " + say.back + " " + x + "?"
	case say.ahead != "" && lexicon.IsThird(say.ahead):
		return "What does " + x + " " + lexicon.Base(say.ahead) + "?"
	case say.ahead != "":
		return who + " is " + x + " " + say.ahead + "?"
	// "has the tag the genre of X" is hard to follow, and where there is no noun for
	// what is asked, nobody would ask like this.
	case noun != "" && say.kind != "" && isBare(x):
		return which + " " + has + " the " + noun + " " + x + "?"
	}
	return ""
}

// listing is a word that asks for a list.
func (v *voice) listing() string {
	return listings[v.rng.IntN(len(listings))]
}

// listings are words that ask for a list.
var listings = []string{"List", "Name", "Give me", "Tell me", "Show"}

// askStar words a question whose legs meet.
func (v *voice) askStar(s *shape, several bool) string {
	kind := ""
	var parts []string
	for _, l := range s.legs {
		if last := l.Steps[len(l.Steps)-1]; v.plain() && !last.IsBack() {
			return "" // it would need the singular of the noun
		}
		hops := v.m.split(l.Steps)
		last := len(hops) - 1
		x := v.nest(v.name(l.Entity), hops[:last])
		if x == "" {
			return ""
		}
		part := v.pick(v.clauses(hops[last], x, several))
		if part == "" {
			return ""
		}
		parts = append(parts, part)
		if kind == "" {
			kind = v.sayHop(hops[last]).kind
		}
	}
	if !v.plain() && v.rng.IntN(2) == 0 {
		slices.Reverse(parts)
	}
	if kind == "" || v.plain() && lexicon.IsPlural(kind) {
		return ""
	}
	which := "Which " + v.kind(kind)
	if several {
		which = "Which " + v.kinds(kind)
	}
	joint := strings.Join(parts, " and ")
	out := []string{which + " " + joint + "?"}
	if !v.plain() {
		out = append(out, v.listing()+" the "+v.kinds(kind)+" that "+joint, v.kind(kind)+" that "+joint)
	}
	return v.pick(out)
}

// clauses say what the end of a hop is or does to x.
func (v *voice) clauses(hop []schema.Step, x string, several bool) []string {
	say, back := v.sayHop(hop), v.reversed(hop)
	is, has := "is", "has"
	if several {
		is, has = "are", "have"
	}
	var out []string
	switch verb := say.back; {
	case verb == "":
	case !lexicon.IsThird(verb):
		out = append(out, is+" "+verb+" "+x)
	case several:
		out = append(out, lexicon.Base(verb)+" "+x)
	default:
		out = append(out, verb+" "+x)
	}
	if n := v.word(back.nouns); n != "" {
		out = append(out, has+" the "+n+" "+x)
		if !v.plain() && isBare(x) {
			out = append(out, has+" "+x+" as "+n)
		}
	}
	if n := v.word(say.nouns); n != "" && (len(out) == 0 || !v.plain()) {
		if several {
			n = lexicon.Plural(n)
		}
		out = append(out, is+" the "+n+" of "+x)
	}
	verb := v.word(say.verbs)
	if verb != "" && !v.plain() && say.answer == lexicon.Person && back.answer != lexicon.Person {
		out = append(out, lexicon.Past(verb)+" "+x)
	}
	return out
}
