package synth

import (
	"math"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"cairn/engine/lexicon"
)

// What is done to the name of a known node.
const (
	dropped     = "dropped"
	swapped     = "swapped"
	abbreviated = "abbreviated"
	misspelt    = "misspelt"
)

// paraphraser says names in other words.
type paraphraser struct {
	s   *stream
	lex *lexicon.Lexicon
	// surface[stem] is a word of the lexicon with that stem.
	surface map[string]string
	// common are the words that many names have.
	common map[string]bool
}

func newParaphraser(w *words) *paraphraser {
	p := &paraphraser{lex: lexicon.Builtin(), surface: map[string]string{}, common: map[string]bool{}}
	for _, list := range [][]string{w.first, w.place, w.region, w.title, w.thing, w.adjective, w.company, w.teamEnd} {
		for _, word := range list {
			p.common[word] = true
		}
	}
	for _, c := range p.lex.Concepts {
		for _, ph := range slices.Concat(c.Head, c.Tail) {
			if len(ph.Stems) != 1 || strings.Contains(ph.Text, " ") {
				continue
			}
			if old := p.surface[ph.Stems[0]]; old == "" || len(ph.Text) < len(old) {
				p.surface[ph.Stems[0]] = ph.Text
			}
		}
	}
	return p
}

// name returns a label in other words, and what was done to it. A third of the
// names stay as they are. The word that says most is never left out or shortened;
// where the name is the only known one of its query, nor is any other: too many
// entities would have such a name.
func (p *paraphraser) name(label string, alone bool) (string, []string) {
	var noise []string
	words := nameWords(label)
	if p.s.chance(33) {
		return label, nil
	}
	if alone {
		words, did := p.change(words, []string{dropped, abbreviated})
		if did == "" {
			return label, nil
		}
		return strings.Join(words, " "), []string{did}
	}
	for range 1 + p.s.below(4)/3 {
		var did string
		words, did = p.change(words, noise)
		if did != "" {
			noise = append(noise, did)
		}
	}
	return strings.Join(words, " "), noise
}

// nameWords returns the words of a label; what stands in brackets is one.
func nameWords(label string) []string {
	name, bracket, ok := strings.Cut(label, " (")
	words := strings.Fields(name)
	if ok {
		words = append(words, "("+bracket)
	}
	return words
}

// change makes one change that the words allow and that was not made yet.
func (p *paraphraser) change(words, done []string) ([]string, string) {
	words = slices.Clone(words)
	first := p.s.below(4)
	if len(words) > 2 && p.s.chance(40) {
		first = p.s.below(2) // fewer names are long enough for these
	}
	for i := range 4 {
		kind := []string{dropped, abbreviated, swapped, misspelt}[(first+i)%4]
		if slices.Contains(done, kind) {
			continue
		}
		switch kind {
		case dropped:
			if i := p.spare(words); i >= 0 && len(words)-1 >= 2 {
				return slices.Delete(words, i, i+1), kind
			}
		case swapped:
			if len(words) >= 2 {
				i := p.s.below(len(words) - 1)
				words[i], words[i+1] = words[i+1], words[i]
				return words, kind
			}
		case abbreviated:
			if i := p.spare(words); i >= 0 && canAbbreviate(words[i]) {
				_, n := utf8.DecodeRuneInString(words[i])
				words[i] = words[i][:n] + "."
				return words, kind
			}
		case misspelt:
			if i := p.longest(words); i >= 0 {
				words[i] = p.misspell(words[i])
				return words, kind
			}
		}
	}
	return words, ""
}

// telling returns the word that says most: the longest that begins with a capital
// and is not one that many names have, as far as there are such.
func (p *paraphraser) telling(words []string) int {
	best, most := 0, math.MinInt
	for i, w := range words {
		n := utf8.RuneCountInString(w)
		if r, _ := utf8.DecodeRuneInString(w); unicode.IsLower(r) || r == '(' {
			n -= 100
		}
		if p.common[w] {
			n -= 50
		}
		if n > most {
			best, most = i, n
		}
	}
	return best
}

// spare returns a word that can be left out or shortened: any but the telling one;
// -1 where there is none.
func (p *paraphraser) spare(words []string) int {
	if len(words) < 2 {
		return -1
	}
	i := p.s.below(len(words) - 1)
	if i >= p.telling(words) {
		i++
	}
	return i
}

func canAbbreviate(word string) bool {
	r, _ := utf8.DecodeRuneInString(word)
	return utf8.RuneCountInString(word) >= 3 && unicode.IsUpper(r)
}

// longest returns the longest word that is long enough to be known when a letter
// is wrong; -1 where there is none.
func (p *paraphraser) longest(words []string) int {
	best := -1
	for i, w := range words {
		n := utf8.RuneCountInString(w)
		if n >= 5 && (best < 0 || n > utf8.RuneCountInString(words[best])) && !strings.ContainsAny(w, "0123456789") {
			best = i
		}
	}
	return best
}

// misspell changes one letter behind the first.
func (p *paraphraser) misspell(word string) string {
	r := []rune(word)
	i := 1 + p.s.below(len(r)-2)
	switch p.s.below(3) {
	case 0: // two letters change places
		if r[i] != r[i+1] {
			r[i], r[i+1] = r[i+1], r[i]
			return string(r)
		}
		return string(slices.Delete(r, i, i+1))
	case 1: // one is missing
		return string(slices.Delete(r, i, i+1))
	default: // one is double
		return string(slices.Insert(r, i, r[i]))
	}
}

// relation returns a relation's name in other words: those of the lexicon where it
// knows what the relation means, else the words of the name.
func (p *paraphraser) relation(name string) string {
	words := lexicon.RelationWords(name)
	plain := strings.Join(words, " ")
	switch p.s.below(20) {
	case 0, 1, 2, 3, 4:
		return plain
	case 5, 6:
		return p.reworded(words)
	}
	var said []string
	for _, i := range p.lex.Meanings(words) {
		c := p.lex.Concepts[i]
		if !slices.ContainsFunc(c.Relation, func(ph lexicon.Phrase) bool { return len(ph.Stems) == len(words) && allIn(ph.Stems, words) }) {
			continue // it means a part of the name only: a military rank is no rating
		}
		for _, ph := range slices.Concat(c.Relation, c.Tail, c.Ask) {
			if !ph.Gap && !ph.Weak && ph.Text != plain && !slices.Contains(said, ph.Text) {
				said = append(said, ph.Text)
			}
		}
	}
	if len(said) == 0 {
		return p.reworded(words)
	}
	return said[p.s.below(len(said))]
}

// allIn reports whether every stem is that of one of the words.
func allIn(stems, words []string) bool {
	for _, s := range stems {
		if !slices.ContainsFunc(words, func(w string) bool { return lexicon.Stem(w) == s }) {
			return false
		}
	}
	return true
}

// reworded changes a word of a relation's name.
func (p *paraphraser) reworded(words []string) string {
	words = slices.Clone(words)
	last := len(words) - 1
	i := p.longest(words)
	switch {
	case last > 0 && !p.lex.IsStop(words[last]) && !p.lex.IsStop(words[0]) && (i < 0 || p.s.chance(50)):
		words = append([]string{words[last], "of"}, words[:last]...) // birth place: place of birth
	case i >= 0:
		words[i] = p.misspell(words[i])
	}
	return strings.Join(words, " ")
}

// typeHint returns the words of a type in other words.
func (p *paraphraser) typeHint(words string) string {
	f := strings.Fields(words)
	last := len(f) - 1
	var kinds []string
	for _, stem := range p.lex.KindsOf(lexicon.Stem(f[last])) {
		if word := p.surface[stem]; word != "" {
			kinds = append(kinds, word)
		}
	}
	if len(kinds) > 0 && last == 0 && p.s.chance(40) {
		f[last] = kinds[p.s.below(len(kinds))]
	} else if len(f) > 1 && p.s.chance(20) {
		f = f[last:] // soccer player: player
	}
	return strings.Join(f, " ")
}
