package lexicon

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"cairn/assets"
)

// english are the lines of each section of assets/english.txt, as words.
var english = readEnglish(assets.English)

func readEnglish(text string) map[string][][]string {
	sections := map[string][][]string{}
	section := ""
	for line := range strings.Lines(text) {
		line, _, _ = strings.Cut(line, "#")
		ws := strings.Fields(line)
		switch {
		case len(ws) == 0:
		case line[0] != ' ':
			if section = strings.Join(ws, " "); sections[section] != nil {
				panic(fmt.Sprintf("assets/english.txt has two sections %q", section))
			}
		default:
			sections[section] = append(sections[section], ws)
		}
	}
	return sections
}

// Words returns the set of the words of sections of assets/english.txt, such as
// "negations". It panics where there is no such section.
func Words(sections ...string) map[string]bool {
	m := map[string]bool{}
	for _, section := range sections {
		for _, ws := range Phrases(section) {
			for _, w := range ws {
				m[w] = true
			}
		}
	}
	return m
}

// ShareStem is the stem of "share", "shares" and "shared".
var ShareStem = Stem("share")

// touching name what things have by touching each other.
var touching = Words("touching")

// IsTouching reports whether to share what a folded word names is to touch: to share a
// border is to border, while to share an actor is to have one in common.
func IsTouching(lower string) bool { return touching[lower] }

// genders are the stems of the nouns for those of each.
var genders = func() map[string]string {
	m := map[string]string{}
	for _, ws := range slices.Concat(english["genders"], english["one-sided nouns"]) {
		for i := 0; len(ws) == 2 && i < 2; i++ {
			for _, form := range append(Forms(ws[i]), Stem(ws[i])) {
				m[form] = []string{"male", "female"}[i]
			}
		}
	}
	return m
}()

// Gender returns the gender of those whom a folded noun names, "male" of "son"; "" where it tells
// none.
func Gender(noun string) string { return genders[Stem(noun)] }

// KinSide returns the gender of the parent whose side a folded adjective says: "paternal" is male; "" for
// other words.
func KinSide(adjective string) string {
	for _, line := range english["sides"] {
		if line[0] == adjective {
			return line[1]
		}
	}
	return ""
}

// Fraction reads a part of one, "half", "a third", "three quarters", of which the second word may be the
// next one, and returns it in percent and how many words it takes; 0 for none.
func Fraction(first, second string) (percent float64, words int) {
	if n := fractions[first]; n > 0 {
		return 100 / n, 1
	}
	parts, ok := 1, first == "a" || first == "an"
	if !ok {
		parts, ok = Numeral(first)
	}
	of := fractions[second]
	if n, isOrdinal := Ordinal(Singular(second)); isOrdinal && of == 0 && n > 2 {
		of = float64(n)
	}
	if !ok || of == 0 || float64(parts) >= of || parts == 0 {
		return 0, 0
	}
	return 100 * float64(parts) / of, 2
}

// fractions are how many of what a noun names make one.
var fractions = func() map[string]float64 {
	m := map[string]float64{}
	for _, line := range english["fractions"] {
		n, _ := strconv.ParseFloat(line[len(line)-1], 64)
		for _, noun := range line[:len(line)-1] {
			m[noun] = n
		}
	}
	return m
}()

// locatives say where something is.
var locatives = Words("locatives")

// IsLocative reports whether a folded word says where something is: "lies", "situated".
func IsLocative(lower string) bool { return locatives[lower] }

// Opposed reports whether the names of two relations say the opposite of each other of the
// same two things: "inhibits" of "activates", and of "does not inhibit".
func Opposed(a, b []string) bool {
	stems := func(name []string) (stems []string, denied bool) {
		for _, w := range name {
			switch {
			case negating[w]:
				denied = !denied
			case !auxiliaries[w]:
				stems = append(stems, Stem(Base(w)))
			}
		}
		return stems, denied
	}
	x, notX := stems(a)
	y, notY := stems(b)
	if len(x) != len(y) {
		return false
	}
	turned := notX != notY
	for i := range x {
		opposite := slices.ContainsFunc(english["opposites"], func(pair []string) bool {
			p, q := Stem(pair[0]), Stem(pair[1])
			return x[i] == p && y[i] == q || x[i] == q && y[i] == p
		})
		if !opposite && x[i] != y[i] {
			return false
		}
		turned = turned != opposite
	}
	return turned
}

var negating = WordSet("not no never without non")

// Denies reports whether one of some folded words says that something is not so: "must not be taken with".
// "no" is a number as well.
func Denies(ws []string) bool {
	return slices.ContainsFunc(ws, func(w string) bool { return w != "no" && negating[w] || w == "cannot" || w == "t" })
}

var oneSided = Words("one-sided nouns")

// IsOneSided reports whether a relation's name has a noun that makes it say something else
// read backwards, though it means what holds both ways: "wife of".
func IsOneSided(name []string) bool {
	return slices.ContainsFunc(name, func(w string) bool { return oneSided[w] })
}

// IsOtherSide reports whether a noun is what one of two is to the other where that is what a
// relation's name says: "wife" by "husband of".
func IsOtherSide(name []string, noun string) bool { return isPaired("one-sided nouns", name, noun) }

// IsOtherGender reports whether a relation's name says of a man what a folded noun says of a
// woman, or the other way round: "father" for "mother".
func IsOtherGender(name []string, noun string) bool { return isPaired("genders", name, noun) }

// IsGendered reports whether a folded noun is for a man or for a woman alone: "grandfather".
func IsGendered(noun string) bool {
	return slices.ContainsFunc(english["genders"], func(ws []string) bool { return slices.Contains(ws, Singular(noun)) })
}

// isPaired reports whether another word of a relation's name shares a line of a section with a
// noun.
func isPaired(section string, name []string, noun string) bool {
	noun = Singular(noun)
	return slices.ContainsFunc(english[section], func(ws []string) bool {
		return slices.Contains(ws, noun) && slices.ContainsFunc(name, func(w string) bool { return Singular(w) != noun && slices.Contains(ws, Singular(w)) })
	})
}

// IsTransitive reports whether a relation's name says something that goes on from thing to
// thing: a part of a part of X is a part of X.
func IsTransitive(name []string) bool {
	return isPhrase("transitive", name) || isPhrase("inside", name)
}

// isPhrase reports whether a name is, whole, a phrase of a section.
func isPhrase(section string, name []string) bool {
	return slices.ContainsFunc(Phrases(section), func(phrase []string) bool { return slices.Equal(phrase, name) })
}

// IsInside reports whether a relation's name says that a thing, a place or a kind is in a wider one:
// what is in a room is in its building.
func IsInside(name []string) bool {
	return slices.ContainsFunc(Phrases("wider"), func(start []string) bool {
		return len(start) <= len(name) && slices.Equal(start, name[:len(start)])
	}) || isPhrase("inside", name)
}

// Places reports whether a relation's name says in what a thing is, or of which kind: "stored in",
// "instance of". The parts of a thing may be its own alone, and who has invested in a part has not in the whole.
func Places(name []string) bool {
	in := slices.Index(name, "in")
	return in == 0 || in > 0 && placed[name[in-1]] || len(name) == 2 && name[1] == "of" && (name[0] == "instance" || name[0] != "part" && name[0] != "child" && IsInside(name))
}

var placed = Words("placed")

// IsSubclass reports whether a relation's name says that all that is of one kind is of another.
func IsSubclass(name []string) bool { return strings.Join(name, "") == "subclassof" }

var oneWay = Words("one way")

// IsOneWay reports whether a relation's name says something that no two things are to each other:
// what replaces a thing is not replaced by it.
func IsOneWay(name []string) bool {
	return !IsMutual(name) && slices.ContainsFunc(name, func(w string) bool { return oneWay[Singular(w)] || oneWay[Base(w)] })
}

// IsMutual reports whether a relation's name says the same read backwards: "similar to", "pairs
// with", "mutually intelligible with", "shares a ward with".
func IsMutual(name []string) bool {
	if len(name) < 2 {
		return false
	}
	base := slices.Concat([]string{Base(name[0])}, name[1:])
	return Stem(name[0]) == ShareStem && name[len(name)-1] == "with" ||
		slices.ContainsFunc(name, func(w string) bool { return mutually[w] }) ||
		slices.ContainsFunc(Phrases("mutual"), func(phrase []string) bool { return slices.Equal(phrase, name) || slices.Equal(phrase, base) })
}

var mutually = Words("mutually")

// Mistaken returns, for each word that people take others for, those words: "who" for
// "which". They may hold the word itself.
func Mistaken() map[string][]string {
	m := map[string][]string{}
	for _, ws := range english["taken for one another"] {
		for _, w := range ws {
			m[w] = append(m[w], ws...)
		}
	}
	return m
}

// numbers are what the words for small whole numbers mean.
var numbers = func() map[string]int {
	m := map[string]int{}
	for _, ws := range english["numbers"] {
		for _, w := range ws {
			m[w] = len(m)
		}
	}
	m["dozen"] = 12
	return m
}()

// Numeral returns what a folded word for a small whole number means: "seven" is 7.
func Numeral(lower string) (n int, ok bool) {
	n, ok = numbers[lower]
	return n, ok
}

// Ordinal returns the place that a folded word for one means: "second" and "2nd" are 2.
func Ordinal(lower string) (n int, ok bool) {
	for _, line := range Phrases("ordinals") {
		if at := slices.Index(line, lower); at >= 0 {
			return n + at + 1, true
		}
		n += len(line)
	}
	digits := strings.TrimRight(lower, "stndrh")
	const longest = 3
	if n = 0; digits == "" || len(lower)-len(digits) != 2 || strings.Trim(digits, "0123456789") != "" || len(digits) > longest {
		return 0, false
	}
	for _, c := range digits {
		n = 10*n + int(c-'0')
	}
	return n, n > 0
}

// WordSet makes a set of the words of a text.
func WordSet(s string) map[string]bool {
	m := map[string]bool{}
	for w := range strings.FieldsSeq(s) {
		m[w] = true
	}
	return m
}

// Phrases returns the lines of a section of assets/english.txt, each a phrase. It panics
// where there is no such section.
func Phrases(section string) [][]string {
	if english[section] == nil {
		panic(fmt.Sprintf("assets/english.txt has no section %q", section))
	}
	return english[section]
}
