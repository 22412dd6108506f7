package grammar

import (
	"slices"
	"strings"

	"cairn/engine/lexicon"
)

// token is a word, or a whole name.
type token struct {
	lower, stem string
	at          int // the first word of the question that it is
	name        int // or -1
	stop        bool
	value       bool
}

// The closed classes.
var (
	prepositions = lexicon.Words("prepositions")
	questions    = lexicon.Words("question words")
	requests     = lexicon.Words("requests")
	determiners  = lexicon.Words("determiners")
	fillers      = lexicon.Words("asides")
	function     = lexicon.Words("function words")
	modals       = lexicon.WordSet("can could will would shall should may might must do does did")
	be           = lexicon.WordSet("be is are was were been being")
	have         = lexicon.WordSet("have has had having")
	conjunctions = lexicon.WordSet("and or but nor")
	compared     = lexicon.WordSet("above below exceeding")
	more         = map[string]string{"after": ">", "since": ">", "above": ">", "over": ">", "than": ">", "exceeding": ">", "before": "<", "below": "<", "under": "<", "until": "<"}
)

// phrases are the longer fillers: what they say is said without them.
var phrases = [][]string{
	{"i", "want", "to", "know"},
	{"do", "you", "know"},
	{"could", "you", "tell", "me"},
	{"can", "you", "tell", "me"},
	{"tell", "me"},
	{"give", "me"},
	{"show", "me"},
	{"the", "name", "of"},
	{"the", "names", "of"},
	{"listed", "as"},
	{"kind", "of"},
	{"kinds", "of"},
	{"type", "of"},
	{"types", "of"},
	{"sort", "of"},
}

func newParser(tokens []lexicon.Token, names []Name) *parser {
	p := &parser{}
	var all []token
	for i := 0; i < len(tokens); i++ {
		if n := slices.IndexFunc(names, func(n Name) bool { return n.From == i }); n >= 0 {
			all = append(all, token{at: i, name: n})
			i = max(i, names[n].To-1)
			continue
		}
		t := lexicon.Spelt(tokens[i])
		all = append(all, token{lower: t.Lower, stem: t.Stem, at: i, name: -1, stop: function[t.Lower] || t.Lower == lexicon.Possessive, value: isNumber(t.Lower)})
	}
	var kept []token
	for i := 0; i < len(all); i++ {
		if n := fillerAt(all[i:]); n > 0 {
			i += n - 1
			continue
		}
		kept = append(kept, all[i])
	}
	p.reset(kept)
	return p
}

// fillerAt returns how many words from the first on say nothing.
func fillerAt(t []token) int {
	for _, ph := range phrases {
		n := 0
		for n < len(ph) && n < len(t) && t[n].name < 0 && t[n].lower == ph[n] {
			n++
		}
		if n == len(ph) && n < len(t) {
			return n
		}
	}
	if t[0].name < 0 && (fillers[t[0].lower] || len(t[0].lower) > 5 && strings.HasSuffix(t[0].lower, "ly")) {
		return 1
	}
	return 0
}

func isNumber(w string) bool { return w != "" && w[0] >= '0' && w[0] <= '9' }

func (p *parser) is(i int, class map[string]bool) bool {
	return i >= 0 && i < len(p.toks) && p.toks[i].name < 0 && class[p.toks[i].lower]
}

func (p *parser) word(i int, some ...string) bool {
	return i >= 0 && i < len(p.toks) && p.toks[i].name < 0 && slices.Contains(some, p.toks[i].lower)
}

func (p *parser) isName(i int) bool { return i < len(p.toks) && p.toks[i].name >= 0 }

// impossible is the cost of what a word cannot be.
const impossible = 100

// nounCost is the cost of a word as a noun, or as what stands before one.
func (p *parser) nounCost(i int) float64 {
	if i >= len(p.toks) || p.toks[i].name >= 0 || p.toks[i].value {
		return impossible
	}
	w := p.toks[i].lower
	switch {
	case prepositions[w], questions[w], determiners[w], be[w], have[w], modals[w], conjunctions[w], w == "that", w == lexicon.Possessive, w == "not", w == "than", w == "same":
		return impossible
	case more[w] != "", w == "more", w == "both", w == "neither", w == "if", w == "without", w == "to":
		return impossible
	case lexicon.IsPast(w), lexicon.IsParticiple(w):
		return 0.8
	case strings.HasSuffix(w, "ing") && len(w) > 5:
		return 0.3
	case requests[w] && i == 0:
		return 0.6
	}
	return 0
}

// verbCost is the cost of a word as a finite verb of a subject; plural is 1 where the
// subject is plural, -1 where it is not, 0 where nobody knows.
func (p *parser) verbCost(i, plural int) float64 {
	if p.nounCost(i) >= impossible {
		return impossible
	}
	w := p.toks[i].lower
	third := lexicon.IsThird(w)
	cost := 0.3
	switch {
	case lexicon.IsPast(w), strings.HasSuffix(w, "ed"), lexicon.IsParticiple(w) && lexicon.Past(lexicon.Base(w)) == w:
		return 0
	case lexicon.IsParticiple(w):
		return 1.5
	case third:
		cost = 0.2
	case strings.HasSuffix(w, "ing"):
		return 2
	}
	if third && plural > 0 || !third && plural < 0 {
		cost += 0.8
	}
	return cost
}

// participleCost is the cost of a word as a past participle.
func (p *parser) participleCost(i int) float64 {
	if p.nounCost(i) >= impossible {
		return impossible
	}
	w := p.toks[i].lower
	if !lexicon.IsParticiple(w) && (!p.word(i+1, "by") || lexicon.Participle(w) != w) {
		return impossible
	}
	return 0
}

// isSuperlative reports whether word i may be a superlative.
func (p *parser) isSuperlative(i int) bool {
	return i < len(p.toks) && p.toks[i].name < 0 && lexicon.IsSuperlative(p.toks[i].lower)
}

// join writes words as one, as edges have them.
func (p *parser) join(from, to int) (text string, at []int) {
	var ws []string
	for i := from; i < to; i++ {
		ws = append(ws, p.toks[i].stem)
		at = append(at, p.toks[i].at)
	}
	return strings.Join(ws, "_"), at
}
