package words

import (
	"slices"
	"strings"

	"cairn/engine/kg"
	"cairn/engine/lexicon"
	"cairn/engine/link"
	"cairn/engine/schema"
)

// Names of relations are often written short: "reg_by", "regYr", "avg_temp". A word of a question
// for which the graph has nothing else is then read as the short word that stands for it.

const (
	// commonWeight is the weight below which a word is a common one, and short for no other:
	// "part" is no partner. It is that of the 5,000 most frequent.
	commonWeight = 0.98
	// longestShort is how many letters a short word has at most, and leftOut how many more the
	// beginning of a word leaves out at least.
	longestShort, leftOut = 5, 2
)

// shortWords returns the words of relations' names that may be short for others.
func (v *Vocabulary) shortWords() (short []string) {
	for _, m := range v.mappings {
		for _, w := range m.Words {
			if len(w) < 2 || len(w) > longestShort || v.lex.IsStop(w) || v.lex.Knows(lexicon.Stem(w)) || slices.Contains(short, w) || v.isCommon(w) || v.cues.isType(lexicon.Stem(w)) {
				continue
			}
			short = append(short, w)
		}
	}
	return short
}

// isCommon reports whether a word is frequent in English; where nothing tells, whether it has a
// vowel that short words would have left out.
func (v *Vocabulary) isCommon(w string) bool {
	if v.byVector == nil {
		return strings.ContainsAny(w[1:], "aeiou")
	}
	known, weight := v.byVector.table.Vector(w)
	return known != nil && weight < commonWeight
}

// isShortFor reports whether a word is the beginning of another, or what is left of it without
// its vowels: "reg" for "registered", "yr" for "year", "qty" for "quantity". Of a word of two
// letters no other consonant is left out either.
func isShortFor(short, word string) bool {
	if names := kg.UnitNames(short); len(names) > 0 {
		return slices.Contains(names, lexicon.Singular(word))
	}
	if strings.HasPrefix(word, short) {
		return len(word) >= len(short)+leftOut
	}
	word = lexicon.Singular(lexicon.Base(word))
	if short[0] != word[0] || strings.ContainsAny(short[1:], "aeiou") || len(word) < len(short)+leftOut || short[len(short)-1] != lastConsonant(word) {
		return false
	}
	passed, at := 0, 0
	for i := range len(word) {
		switch {
		case at < len(short) && word[i] == short[at]:
			at++
		case i > 0 && !strings.ContainsRune("aeiou", rune(word[i])):
			passed++
		}
	}
	return at == len(short) && (passed == 0 || len(short) > 2)
}

// lastConsonant returns the last letter of a word that is no vowel; 0 for none.
func lastConsonant(word string) byte {
	if i := strings.LastIndexFunc(word, func(r rune) bool { return !strings.ContainsRune("aeiou", r) }); i >= 0 {
		return word[i]
	}
	return 0
}

// shorten gives words of a question for which the graph has nothing the stem of the one short word
// of relations' names that stands for them, or of the one word that they misspell, and returns their places.
func (v *Vocabulary) shorten(tokens []lexicon.Token, mentions []link.Mention) (short, misspelt map[int]bool) {
	short, misspelt = map[int]bool{}, map[int]bool{}
	for i, t := range tokens {
		inName := slices.ContainsFunc(mentions, func(m link.Mention) bool {
			return m.Strength >= LikelyStrength && m.Start <= t.Start && t.End <= m.End
		})
		if inName {
			continue
		}
		t = lexicon.Spelt(t)
		tokens[i] = t
		if v.lex.IsStop(t.Lower) || i > 0 && t.Capital || v.reads(t.Stem) || operates(t.Lower) {
			continue
		}
		if stem := v.misspells(t); stem != "" && isAsking(tokens) {
			tokens[i].Stem, misspelt[t.Start] = stem, true
			continue
		}
		var found []string
		for _, s := range v.short {
			if isShortFor(s, t.Lower) {
				found = append(found, s)
			}
		}
		if len(found) == 1 && (len(found[0]) > 2 || v.isOneOfName(found[0], tokens, i)) {
			tokens[i].Stem = lexicon.Stem(found[0])
			short[t.Start] = true
		}
	}
	return short, misspelt
}

// misspells returns the stem of the one word which the graph has something for and a word that is none of
// English is one edit from; "" for others.
func (v *Vocabulary) misspells(t lexicon.Token) (stem string) {
	const least = 5 // letters
	if v.byVector == nil || len(t.Lower) < least || strings.ContainsAny(t.Lower, "0123456789") || v.lex.Knows(t.Stem) || kg.UnitsOf(t.Lower) != nil {
		return ""
	}
	if is, _ := v.byVector.table.Vector(t.Lower); is != nil {
		return ""
	}
	for known := range v.read {
		if link.Edits(t.Stem, known, 1) > 1 || t.Stem[0] != known[0] && t.Stem[1] != known[0] {
			continue
		}
		if stem != "" {
			return ""
		}
		stem = known
	}
	return stem
}

// reads reports whether the graph has something for a word by itself.
func (v *Vocabulary) reads(stem string) bool {
	return len(v.cues.types[stem]) > 0 || len(v.cues.kinds[stem]) > 0 || len(v.schema.LabelledSo(stem)) > 0 || len(v.cues.family(stem)) > 0 ||
		slices.ContainsFunc(v.cues.byLast[stem], func(c cue) bool { return len(c.stems) == 1 })
}

// isOneOfName reports whether a question has, beside word i that a short word stands for, another
// word of a relation's name with that short word.
func (v *Vocabulary) isOneOfName(short string, tokens []lexicon.Token, i int) bool {
	return slices.ContainsFunc(v.mappings, func(m Mapping) bool {
		return slices.Contains(m.Words, short) && v.hasOther(m.Words, lexicon.Stem(short), func(w string) bool {
			for j, t := range tokens {
				if j != i && (t.Stem == lexicon.Stem(w) || isShortFor(w, t.Lower)) {
					return true
				}
			}
			return false
		})
	})
}

// hasOther reports whether a name has another word than one, and no little one, for which something holds.
func (v *Vocabulary) hasOther(name []string, stem string, holds func(w string) bool) bool {
	return slices.ContainsFunc(name, func(w string) bool { return lexicon.Stem(w) != stem && !v.lex.IsStop(w) && holds(w) })
}

// isGuessed reports whether word i stands for a relation of the pattern only as what it may be short
// for: nothing else of the question speaks for that relation, neither another word of its name nor,
// of those with such a name, its dates alone where it is asked when.
func (m *marker) isGuessed(i int) bool {
	stem := m.Words[i].Stem
	others := func(s string) bool {
		return slices.ContainsFunc(m.Words, func(w Word) bool { return w.Mention < 0 && w.Stem == s && w.Start != m.Words[i].Start })
	}
	if !m.Words[i].Short || others(stem) {
		return m.Words[i].Short
	}
	dates := 0
	for _, x := range m.voc.mappings {
		if slices.Contains(lexicon.Stems(strings.Join(x.Words, " ")), stem) && m.voc.schema.Value(schema.Forward(x.Relation).To()) == schema.DateValue {
			dates++
		}
	}
	return !slices.ContainsFunc(m.steps, func(st schema.Step) bool {
		name := m.voc.mappings[st.Relation()].Words
		if !slices.Contains(lexicon.Stems(strings.Join(name, " ")), stem) {
			return false
		}
		return m.voc.hasOther(name, stem, func(w string) bool { return others(lexicon.Stem(w)) }) ||
			dates == 1 && m.Words[0].Lower == "when" && m.voc.schema.Value(schema.Forward(st.Relation()).To()) == schema.DateValue
	})
}
