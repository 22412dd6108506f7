package claim

import (
	"slices"
	"strings"
	"unicode"

	"cairn/engine/lexicon"
	"cairn/engine/link"
	"cairn/engine/plan/words"
)

// form finds out from the form of a text whether it is a claim.
type form struct{ *words.Text }

// Is reports whether a text is a claim to check, and whether it denies what it
// says.
func Is(t *words.Text) (claim, denied bool) {
	r := form{t}
	if len(r.Words) == 0 {
		return false, false
	}
	switch text := strings.TrimSpace(r.Source); {
	case r.asksOutright():
	case r.startsLikeYesNo():
		claim = true
	case strings.HasSuffix(text, "."), strings.HasSuffix(text, "!"):
		// Whatever it has inside: "It was Y who succeeded X."
		claim = r.hasVerb() || len(r.SureNames()) > 1 || r.joinsPlainNames() || r.joinsUnknown() || r.saysWhatNameDoes() || r.saysHowMany() || r.hasContractedNot()
	case strings.HasSuffix(text, "?"):
		// "That was the genre of X?" has lost its question word.
		claim = !r.hasQuestionWord() && r.Words[0].Lower != "that" && !r.offersChoice() && r.hasFiniteVerb()
	default:
		claim = !r.hasQuestionWord() && (r.isStatement() || r.joinsUnknown() || r.saysHowMany())
	}
	return claim, claim && r.isDenied()
}

// asksOutright reports whether the text starts as questions and requests do.
func (r form) asksOutright() bool {
	first := r.Words[0].Lower
	if (questionWords[first] || requestWords[first]) && !r.PartOfName(0) {
		return true
	}
	switch first {
	case "in", "at", "on", "by", "for", "of", "to", "from", "with", "through", "during":
		// "In which city …?", but not "In 1967 it was X who …".
		return len(r.Words) > 1 && questionWords[r.Words[1].Lower]
	case "can", "could", "would", "will", "do", "please", "i":
		// "Do you know who …", "I want to know which …"
		ask := slices.ContainsFunc(r.Words[:min(len(r.Words), 7)], func(w words.Word) bool { return requestWords[w.Lower] || w.Lower == "know" || w.Lower == "wonder" })
		behind := slices.IndexFunc(r.Words[1:], func(w words.Word) bool { return w.Lower != "you" && w.Lower != "please" })
		return ask && r.hasQuestionWord() || behind >= 0 && requestWords[r.Words[1+behind].Lower] && (behind > 0 || first == "please")
	}
	return false
}

var questionWords = lexicon.Words("question words")

var requestWords = lexicon.Words("requests")

// hasVerb reports whether the text has a word that only sentences have, or a
// past form: "X starred in Y".
func (r form) hasVerb() bool {
	return r.hasFiniteVerb() || slices.ContainsFunc(r.Words, func(w words.Word) bool { return w.IsPast() })
}

// hasFiniteVerb reports whether the text has a word that only sentences have:
// "the son of X" is none, nor "films directed by X".
func (r form) hasFiniteVerb() bool {
	return slices.ContainsFunc(r.Words, func(w words.Word) bool { return verbs[w.Lower] })
}

var verbs = lexicon.Words("finite verbs")

// comparesThings reports whether a claim sets one thing against another, "longer
// than the Danube", or against a value by another word than "more than 80": what
// joins the two names in the graph says nothing of that.
func (r form) comparesThings() bool {
	for i, w := range r.Words {
		if w.Lower != "than" || i == 0 || r.IsLinked(i) {
			continue
		}
		switch r.Words[i-1].Lower {
		case "rather", "other":
			continue
		case "more", "less", "fewer":
			to := i + 1
			for to < len(r.Words) && r.Words[to].Stop {
				to++
			}
			if to == len(r.Words) || !r.IsLinked(to) || isNumeral(r.Words[to].Text) {
				continue
			}
		}
		return true
	}
	return false
}

// isNumeral reports whether a word is written in digits.
func isNumeral(s string) bool { return strings.IndexFunc(s, unicode.IsDigit) == 0 }

// isDenied reports whether the sentence says that something is not so.
func (r form) isDenied() bool {
	tokens := words.Tokens(r.Words)
	if lexicon.AsideDenies(tokens[:lexicon.Aside(tokens, r.PartOfName)]) {
		return true
	}
	for i, w := range r.Words {
		switch w.Lower {
		case "not", "never", "neither", "nor", "without", "cannot":
			if !r.isAboutSpeaker(i) && !r.PartOfName(i) && !r.isOfRelation(i) {
				return true
			}
		case "no":
			// "No, he was …" denies what was said before, not what it says; "voted no on" denies nothing.
			says := i+1 < len(r.Words) && prepositions[r.Words[i+1].Lower]
			if i > 0 && !says && !r.PartOfName(i) {
				return true
			}
		}
	}
	return r.hasContractedNot()
}

// isOfRelation reports whether a denial is of the name of a relation, which the claim gives as it stands:
// "must not be taken with".
func (r form) isOfRelation(i int) bool {
	for j := i + 1; j < min(i+4, len(r.Words)); j++ {
		for st := range r.AsksAt(j) {
			name := lexicon.RelationWords(r.Vocabulary.Graph().RelationName(st.Relation()))
			at := slices.Index(name, r.Words[i].Lower)
			if from := i - at; at >= 0 && from >= 0 && from+len(name) <= len(r.Words) && slices.EqualFunc(name, r.Words[from:from+len(name)], func(n string, w words.Word) bool { return n == w.Lower }) {
				return true
			}
		}
	}
	return false
}

// isAboutSpeaker reports whether a denial is of what the speaker knows: "not sure,
// but", "I wasn't aware that".
func (r form) isAboutSpeaker(i int) bool {
	return slices.ContainsFunc(r.Words[i+1:min(i+3, len(r.Words))], func(w words.Word) bool {
		switch w.Lower {
		case "sure", "only", "aware", "know", "realize", "realise":
			return true
		}
		return false
	})
}

func (r form) hasQuestionWord() bool {
	return requestWords[r.Words[0].Lower] || slices.ContainsFunc(r.Words, func(w words.Word) bool { return questionWords[w.Lower] })
}

// startsLikeYesNo reports whether the text starts as a question for yes or no
// does, or asks outright for a check.
func (r form) startsLikeYesNo() bool {
	if r.offersChoice() {
		return false
	}
	switch r.Words[0].Lower {
	case "can", "could": // "can you name …" is a request
		return len(r.Words) > 1 && r.Words[1].Lower != "you"
	case "is", "are", "was", "were", "do", "does", "did", "has", "have", "had", "isn", "aren", "wasn", "doesn", "didn", "verify", "true":
		return true
	}
	return false
}

// offersChoice reports whether the text asks which of two it is: "Is X a man or a
// woman?".
func (r form) offersChoice() bool {
	for i, w := range r.Words {
		if w.Lower == "or" && !r.PartOfName(i) && !r.Vocabulary.IsOfBound(r.Words, i) {
			return true
		}
	}
	return false
}

// saysKind reports whether a name is followed by "is a" and one or two words, or by
// "is the highest …".
func (r form) saysKind(name words.Span) bool {
	rest := r.Words[name.To:]
	if len(rest) < 3 || !copulas[rest[0].Lower] {
		return false
	}
	switch rest[1].Lower {
	case "a", "an":
		return len(rest) < 5
	case "the":
		return lexicon.IsSuperlative(rest[2].Lower)
	}
	return false
}

// isStatement reports whether the text says something of two names, or what kind of
// thing one is: it is no question, and the first name stands at its beginning.
func (r form) isStatement() bool {
	if strings.HasSuffix(strings.TrimSpace(r.Source), "?") {
		return false
	}
	sure := r.SureNames()
	if len(sure) == 0 || len(sure) == 1 && !r.saysKind(sure[0]) && !r.saysMore(sure[0]) {
		return false
	}
	first := sure[0]
	for _, s := range sure {
		if s.From < first.From {
			first = s
		}
	}
	if first.To < len(r.Words) && r.Words[first.To].Lower == lexicon.Possessive && !r.hasVerb() {
		return false // "X's years as head of Y"
	}
	if next := first.To; next < len(r.Words) && lexicon.IsPlural(r.Words[next].Lower) && !r.hasFiniteVerb() {
		isKind := r.Vocabulary.NamesKind(r.Words[next].Stem) && (first.IsPlain() || !lexicon.IsVerbForm(r.Words[next].Lower))
		if isKind || slices.ContainsFunc(r.Spans, func(s words.Span) bool {
			return s.From == next && s.To == next+1 && s.Candidates[0].Method == link.Folded
		}) {
			return false // "petrol cars insured with X", "female dogs of X"
		}
	}
	return !slices.ContainsFunc(r.Words[:first.From], func(w words.Word) bool { return !w.Stop && !strings.HasSuffix(w.Lower, "ly") })
}

// saysMore reports whether a verb that only sentences have follows a name, and what it says leaves
// nothing open, as "is a film by" and "is a film by this person" do: "X was opened before 1980".
func (r form) saysMore(s words.Span) bool {
	last := len(r.Words) - 1
	isOpen := func(w words.Word) bool { return w.Lower == "this" || w.Lower == "these" }
	return s.To+1 < last && verbs[r.Words[s.To].Lower] && !prepositions[r.Words[last].Lower] && !slices.ContainsFunc(r.Words[s.To:], isOpen)
}

// joinsPlainNames reports whether the text begins with one name that is written
// small and ends with another: "tissue surrounds cell".
func (r form) joinsPlainNames() bool {
	first, last := false, false
	for _, s := range r.Spans {
		first = first || s.From == 0 && s.IsPlain()
		last = last || s.From > 1 && s.To == len(r.Words) && s.IsPlain()
	}
	return first && last
}

// joinsUnknown reports whether the text begins with a name, which a relation joins to one
// that the graph does not have: "Kenya borders Narnia". What begins with such a name may
// as well begin with any other word.
func (r form) joinsUnknown() bool {
	first, last := slices.IndexFunc(r.Words, func(w words.Word) bool { return !w.Stop }), len(r.Words)-1
	if first < 0 || !r.InName(first) || !r.Words[last].Capital || r.IsLinked(last) || r.asks(last) {
		return false
	}
	for i := first + 1; i < last; i++ {
		if !r.IsLinked(i) && r.asks(i) { // "works at" by its end
			return true
		}
	}
	return false
}

// saysWhatNameDoes reports whether the text begins with a name, and the very next word is a
// verb of the present: "Hugo Klee edits the Zebra Review", "mites live on Red Foxes".
func (r form) saysWhatNameDoes() bool {
	sure, start := r.SureNames(), 0
	for start < 2 && start+1 < len(r.Words) && (r.Words[start].Lower == "the" || r.Vocabulary.NamesKind(r.Words[start].Lower)) { // "the job W-508"
		start++
	}
	return slices.ContainsFunc(r.Spans, func(s words.Span) bool {
		verb := s.To
		if verb+1 == len(r.Words) && s.From <= start { // "Ana Blom smokes."
			return s.IsSure() && lexicon.IsThird(r.Words[verb].Lower) && len(r.Vocabulary.Qualities(r.Words[verb].Lower)) > 0
		}
		if s.From > start || verb >= len(r.Words) || r.Words[verb].Stop || r.IsLinked(verb) {
			return false
		}
		if _, isBound := r.Vocabulary.BoundAt(r.Words, verb+1); isBound || verb+1 < len(r.Words) && isNumeral(r.Words[verb+1].Text) { // "X costs 5 euros", and not "X prices"
			return s.IsSure()
		}
		if r.Vocabulary.NamesKind(r.Words[verb].Lower) {
			return false
		}
		return s.IsSure() && lexicon.IsThird(r.Words[verb].Lower) || slices.ContainsFunc(sure, func(o words.Span) bool { return o.From > verb })
	})
}

// saysHowMany reports whether the text says of how many things something is so: "Three drugs
// treat X", "X treats no disease". A noun phrase has no verb there.
func (r form) saysHowMany() bool {
	const noun = 4 // words of one
	first, at := r.quantityAt(0), 0
	if first == 0 {
		if r.Words[0].Lower == "the" {
			at++
		}
		name := at
		for at < len(r.Words) && r.IsLinked(at) {
			at++
		}
		if at == name || !r.isVerb(at) {
			return false
		}
		if at+1 < len(r.Words) && prepositions[r.Words[at+1].Lower] { // "flows through"
			at++
		}
		return r.quantityAt(at+1) > 0
	}
	for at = first + 1; at < min(first+noun, len(r.Words)) && !r.IsLinked(at) && !relatives[r.Words[at].Lower]; at++ {
		says := strings.HasSuffix(strings.TrimSpace(r.Source), ".")
		if says && r.saysOfKind(at) {
			return true
		}
		if r.isVerb(at) || r.isPlural(at) {
			if lexicon.IsParticiple(r.Words[at].Lower) && at+1 < len(r.Words) && prepositions[r.Words[at+1].Lower] {
				return false // "all drugs made by X"
			}
			return says || slices.ContainsFunc(r.Spans, func(s words.Span) bool { return s.From > at && s.Strength >= r.SureEnough() })
		}
	}
	return false
}

// saysOfKind reports whether a word that asks for nothing is what a sentence says of the kind of
// thing before it: "All boats run on diesel". What is said of those by whom, or of those that are so
// by more or less, is no sentence.
func (r form) saysOfKind(i int) bool {
	if i+1 >= len(r.Words) || r.Words[i].Stop || r.IsLinked(i) {
		return false
	}
	w, kind, next := r.Words[i].Lower, r.Words[i-1].Lower, r.Words[i+1].Lower
	if prepositions[w] || r.Vocabulary.NamesKind(w) && !prepositions[next] || strings.HasSuffix(w, "ing") || next == "than" || lexicon.IsThird(w) && (r.Words[0].Lower == "all" || lexicon.IsPlural(kind)) {
		return false
	}
	if lexicon.IsParticiple(w) && (next == "by" || lexicon.Base(w) != w) {
		return false
	}
	return r.Vocabulary.NamesKind(kind) || lexicon.IsPlural(kind) && r.asks(i-1)
}

// isPlural reports whether a word asks for a relation in the form that a verb has behind a plural:
// "Three players play for X".
func (r form) isPlural(i int) bool {
	w := &r.Words[i]
	asks := r.asks(i) || i+1 < len(r.Words) && prepositions[r.Words[i+1].Lower] && r.asks(i+1) // "play for" by its end
	return asks && !w.Stop && !strings.HasSuffix(w.Lower, "s") && !r.Vocabulary.NamesKind(w.Lower) && !r.Words[i-1].Stop && i+1 < len(r.Words)
}

// quantityAt returns the word after a quantity at word i: "no", "all", "three", "at least
// three"; 0 for none.
func (r form) quantityAt(i int) int {
	if b, ok := r.Vocabulary.BoundAt(r.Words, i); ok && b.By < 0 {
		i = b.To
	} else if i < len(r.Words) && r.Words[i].Lower == "only" {
		if i++; i < len(r.Words) && !quantities[r.Words[i].Lower] && !isNumeral(r.Words[i].Text) {
			return i // "only players"
		}
	}
	switch {
	case i >= len(r.Words) || r.IsLinked(i) && !isNumeral(r.Words[i].Text):
	case quantities[r.Words[i].Lower], r.Words[i].Lower == "some", isNumeral(r.Words[i].Text):
		return i + 1
	}
	return 0
}

var (
	quantities   = lexicon.Words("numbers", "quantities")
	relatives    = lexicon.Words("relatives")
	prepositions = lexicon.Words("prepositions")
)

// isVerb reports whether a word is the verb of a relation.
func (r form) isVerb(i int) bool {
	if i >= len(r.Words) {
		return false
	}
	w := &r.Words[i]
	if verbs[w.Lower] {
		return true
	}
	for j := i; j < min(i+2, len(r.Words)); j++ { // "flows through" asks by its last word
		for st := range r.AsksAt(j) {
			g := r.Vocabulary.Graph()
			if verb, _ := lexicon.VerbOf(lexicon.RelationWords(g.RelationName(st.Relation()))); verb != "" && (w.Stem == verb || lexicon.Stem(lexicon.Base(w.Lower)) == verb) {
				return true
			}
		}
	}
	return false
}

// asks reports whether a word asks for a relation.
func (r form) asks(i int) bool {
	for range r.AsksAt(i) {
		return true
	}
	return false
}

// hasContractedNot finds "isn't", which is cut into "isn" and "t".
// "Isn't X …?" expects a yes, and denies nothing.
func (r form) hasContractedNot() bool {
	for i := range r.Words {
		if i > 0 && r.IsContractedNot(i) && !r.isAboutSpeaker(i) {
			return true
		}
	}
	return false
}
