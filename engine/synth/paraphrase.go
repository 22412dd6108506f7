package synth

import (
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
}

// name returns a label in other words, and what was done to it. A third of the
// names stay as they are. What is left always has a word of the label in it, and
// two of them where the label has more than two.
func (p *paraphraser) name(label string) (string, []string) {
	var noise []string
	words := strings.Fields(label)
	if p.s.chance(33) {
		return label, nil
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

// change makes one change that the words allow and that was not made yet.
func (p *paraphraser) change(words, done []string) ([]string, string) {
	words = slices.Clone(words)
	first := p.s.below(4)
	for i := range 4 {
		kind := []string{dropped, swapped, abbreviated, misspelt}[(first+i)%4]
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

// telling returns the word that says most: the longest that begins with a capital,
// or of all where none does.
func telling(words []string) int {
	best, length := 0, -1
	for i, w := range words {
		n := utf8.RuneCountInString(w)
		if r, _ := utf8.DecodeRuneInString(w); unicode.IsLower(r) || r == '(' {
			n -= 100
		}
		if i == 0 || n > length {
			best, length = i, n
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
	if i >= telling(words) {
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

// reworded changes a word of a relation's name.
func (p *paraphraser) reworded(words []string) string {
	words = slices.Clone(words)
	if i := p.longest(words); len(words) == 1 || p.s.chance(50) && i >= 0 {
		if i >= 0 {
			words[i] = p.misspell(words[i])
		}
	} else {
		words = append([]string{words[len(words)-1], "of"}, words[:len(words)-1]...) // birth place: place of birth
	}
	return strings.Join(words, " ")
}

// typeHint returns the words of a type in other words.
func (p *paraphraser) typeHint(words string) string {
	f := strings.Fields(words)
	last := len(f) - 1
	if kinds := p.lex.KindsOf(lexicon.Stem(f[last])); len(kinds) > 0 && p.s.chance(40) {
		f[last] = kinds[p.s.below(len(kinds))]
	} else if len(f) > 1 && p.s.chance(20) {
		f = f[last:] // soccer player: player
	}
	return strings.Join(f, " ")
}
