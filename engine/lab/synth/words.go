package synth

import (
	_ "embed" // the lists of words
	"strings"
)

//go:embed words.txt
var wordsText string

// words are the lists of words.txt by name.
type words struct {
	first, last, place, placeEnd, region         []string
	title, thing, adjective, company, teamEnd    []string
	genus, genusEnd, epithet, plain, syllable    []string
	cyrillic, cyrillicEnd, cyrillicSyllable      []string
	greek, greekSyllable, arabic, arabicSyllable []string
	han, hanSyllable, kana, kanaSyllable         []string
}

func loadWords() *words {
	lists := map[string][]string{}
	name := ""
	for line := range strings.Lines(wordsText) {
		f := strings.Fields(line)
		switch {
		case len(f) == 0 || f[0] == "#":
		case f[0][0] == '[':
			name = strings.Trim(f[0], "[]")
		default:
			lists[name] = append(lists[name], f...)
		}
	}
	return &words{
		first: lists["first"], last: lists["last"], place: lists["place"], placeEnd: lists["placeend"], region: lists["region"],
		title: lists["title"], thing: lists["thing"], adjective: lists["adjective"], company: lists["company"], teamEnd: lists["teamend"],
		genus: lists["genus"], genusEnd: lists["genusend"], epithet: lists["epithet"], plain: lists["syllable"], syllable: append(lists["syllable"], lists["accent"]...),
		cyrillic: lists["cyrillic"], cyrillicEnd: lists["cyrillicend"], cyrillicSyllable: lists["cyrillicsyllable"],
		greek: lists["greek"], greekSyllable: lists["greeksyllable"], arabic: lists["arabic"], arabicSyllable: lists["arabicsyllable"],
		han: lists["han"], hanSyllable: lists["hansyllable"], kana: lists["kana"], kanaSyllable: lists["kanasyllable"],
	}
}

// namer writes one name. Words are drawn with Zipf frequencies from a list that
// goes on, behind its end, with words of syllables.
type namer struct {
	b []byte
	s stream
	w *words
}

func (n *namer) text(t string) { n.b = append(n.b, t...) }

// space ends a word.
func (n *namer) space() { n.b = append(n.b, ' ') }

// word writes one of all the words of a list, the first of which are written down.
func (n *namer) word(list []string, all int) {
	i := n.s.skewed(all, 3)
	if i < len(list) {
		n.text(list[i])
		return
	}
	n.coined(i, n.w.syllable)
}

// of writes a word of a list.
func (n *namer) of(list []string, skew int) { n.text(list[n.s.skewed(len(list), skew)]) }

// coined writes word number i of those that syllables make: two to four of them,
// the first without an accent, with a capital.
func (n *namer) coined(i int, syllables []string) {
	h := mix(uint64(i) + 1)
	at := len(n.b)
	count := 2 + int(h%8)/4 + int(h>>8%16)/12
	h >>= 12
	list := n.w.plain
	for range count {
		n.text(list[h%uint64(len(list))])
		h /= uint64(len(list))
		list = syllables
	}
	n.b[at] -= 'a' - 'A'
}

// foreign writes a word of another script, one of about all.
func (n *namer) foreign(list, syllables []string, all int) {
	i := n.s.skewed(all, 3)
	if i < len(list) {
		n.text(list[i])
		return
	}
	h := mix(uint64(i) + 1)
	for range 2 + int(h>>60)%3 {
		n.text(syllables[h%uint64(len(syllables))])
		h /= uint64(len(syllables))
	}
}

// number writes a number in [from, to).
func (n *namer) number(from, to int) { n.b = appendInt(n.b, from+n.s.below(to-from)) }

func (n *namer) year() { n.b = appendInt(n.b, 2024-n.s.skewed(170, 2)) }
