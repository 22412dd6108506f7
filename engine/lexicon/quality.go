package lexicon

import (
	"fmt"
	"maps"
	"slices"
	"strings"
)

// WithQualities returns a lexicon that also knows by which adjectives values are asked for and
// compared that are called by a noun for a quality: "hardness" by "harder" and "softest". To nouns that
// the lexicon knows it adds adjectives that it does not know; nouns that are for no quality change nothing.
func (l *Lexicon) WithQualities(nouns []string) *Lexicon {
	more := newLexicon()
	for _, noun := range nouns {
		high, low := adjectivesOf(noun)
		at, known := l.byName[noun]
		if known && l.Concepts[at].Answer != Number || !known && len(l.Meanings([]string{noun})) > 0 || len(high) == 0 || slices.ContainsFunc(more.Concepts, func(c Concept) bool { return c.Name == noun }) {
			continue
		}
		name := []Phrase{{Stems: Stems(noun)}}
		c := Concept{Name: noun, Relation: name, Tail: name, Answer: Number, Inverse: -1}
		for i, adjective := range slices.Concat(high, low) {
			if known && len(l.comparisons[adjective]) > 0 {
				continue
			}
			c.Ask = append(c.Ask, Phrase{Stems: Stems("how " + adjective)})
			for _, form := range degrees(adjective) {
				if more.comparisons[form] == nil {
					more.comparisons[form] = slices.Clone(l.comparisons[form])
				}
				more.comparisons[form] = slices.Insert(more.comparisons[form], 0, comparison{concept: noun, less: i >= len(high)})
			}
		}
		more.Concepts = append(more.Concepts, c)
	}
	if len(more.Concepts) == 0 {
		return l
	}
	return l.Merge(more)
}

// qualities are nouns for what is measured, with the adjectives for much and for little of it.
var qualities = func() map[string][][]string {
	m := map[string][][]string{}
	for _, ws := range english["qualities"] {
		if len(ws) < 2 {
			panic(fmt.Sprintf("assets/english.txt has a quality without an adjective: %q", ws))
		}
		m[ws[0]] = append(m[ws[0]], ws[1:])
	}
	return m
}()

// littles are the forms of the adjectives for little of a quality.
var littles = func() map[string]bool {
	m := map[string]bool{}
	for _, pairs := range qualities {
		for _, pair := range pairs {
			for _, low := range pair[1:] {
				for _, form := range degrees(low) {
					m[form] = true
				}
			}
		}
	}
	return m
}()

// IsLittle reports whether a form of an adjective says that there is little of something: "thinnest".
func IsLittle(form string) bool { return littles[form] }

// adjectivesOf returns the adjectives for much of a quality, and for little of it: by the list, and by
// the form of the noun, as of "bitterness" and "toxicity".
func adjectivesOf(noun string) (high, low []string) {
	for _, pair := range qualities[noun] {
		high = append(high, pair[0])
		low = append(low, pair[1:]...)
	}
	if stem, ok := strings.CutSuffix(noun, "ness"); ok && len(stem) > 2 {
		if i, ok := strings.CutSuffix(stem, "i"); ok {
			stem = i + "y"
		}
		high = append(high, stem)
	}
	for _, end := range [][]string{{"osity", "ous"}, {"bility", "ble"}, {"ity", "", "e"}} {
		if stem, ok := strings.CutSuffix(noun, end[0]); ok && len(stem) > 2 {
			for _, e := range end[1:] {
				high = append(high, stem+e)
			}
			break
		}
	}
	slices.Sort(high)
	return slices.Compact(high), low
}

// degrees are the forms of an adjective that compares: "wet", "wetter", "wettest".
func degrees(adjective string) []string {
	er := Comparative(adjective)
	forms := map[string]bool{adjective: true, er: true, strings.TrimSuffix(er, "r") + "st": true}
	if n := len(adjective); n > 2 && strings.ContainsRune("bdgmnpt", rune(adjective[n-1])) && strings.ContainsRune("aeiou", rune(adjective[n-2])) && !strings.ContainsRune("aeiou", rune(adjective[n-3])) {
		double := adjective + adjective[n-1:]
		forms[double+"er"], forms[double+"est"] = true, true
	}
	return slices.Sorted(maps.Keys(forms))
}
