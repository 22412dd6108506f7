// Package wording writes numbers, amounts, counts and lists as English does. It is below the
// engine, the canvas and the app, which all speak to people.
package wording

import (
	"fmt"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Number writes n with commas between thousands: 133,582.
func Number[N int | int64](n N) string {
	s := strconv.FormatInt(int64(n), 10)
	digits := strings.TrimPrefix(s, "-")
	sign := s[:len(s)-len(digits)]
	for i := len(digits) - 3; i > 0; i -= 3 {
		digits = digits[:i] + "," + digits[i:]
	}
	return sign + digits
}

// Count writes a number with its noun: "1 triple", "2,730 triples". many is the noun
// for every number but one.
func Count[N int | int64](n N, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return Number(n) + " " + many
}

// Every is all of a number of things: "the condition", "both conditions", "all 3 conditions".
func Every(n int, one, many string) string {
	switch n {
	case 1:
		return "the " + one
	case 2:
		return "both " + many
	}
	return "all " + Number(n) + " " + many
}

// List joins words: "a", "a and b", "a, b and c"; "a; b, c; and d" where one has a comma itself.
func List(words []string) string { return listed(words, " and ") }

// Choice joins words of which one holds: "a", "a or b", "a, b or c".
func Choice(words []string) string { return listed(words, " or ") }

func listed(words []string, last string) string {
	n := len(words) - 1
	if n < 1 {
		return strings.Join(words, "")
	}
	if n > 1 && slices.ContainsFunc(words, func(w string) bool { return strings.Contains(w, ", ") }) {
		return strings.Join(words[:n], "; ") + ";" + last + words[n]
	}
	return strings.Join(words[:n], ", ") + last + words[n]
}

// First joins the first n words with commas, and says how many are left out:
// "Austria, Italy and 3 more".
func First(words []string, n int) string {
	if len(words) <= n {
		return strings.Join(words, ", ")
	}
	return fmt.Sprintf("%s and %s more", strings.Join(words[:n], ", "), Number(len(words)-n))
}

// Few lists the first n words, and says how many are left out: "Austria and Italy",
// "Austria, Italy and 3 more".
func Few(words []string, n int) string {
	if len(words) <= n {
		return List(words)
	}
	return First(words, n)
}

// Quote puts a text in quotation marks.
func Quote(s string) string { return "“" + s + "”" }

// Each is what is made of every one of some things: a text, mostly.
func Each[T, M any](things []T, write func(T) M) []M {
	out := make([]M, len(things))
	for i, x := range things {
		out[i] = write(x)
	}
	return out
}

// Quotes lists texts in quotation marks: “a”, “b”.
func Quotes(texts []string) string {
	return strings.Join(Each(texts, Quote), ", ")
}

// isFunction is a short word with one capital that is no article: logP, but not isA.
var isFunction = regexp.MustCompile(`^\p{Ll}{3}[^\P{Lu}A]$`)

// IsSymbol reports whether a word is a symbol by its capitals, as pH, mRNA, kWh and logP are.
func IsSymbol(word string) bool {
	rs := []rune(word)
	return isFunction.MatchString(word) || len(rs) > 1 && unicode.IsLower(rs[0]) && unicode.IsUpper(rs[1]) && (len(rs) < 4 || unicode.IsUpper(rs[2]))
}

// IsWhole reports whether a word of a name is not several written as one: a symbol, or one with capitals
// inside in a name that has spaces, "PhD year".
func IsWhole(word, name string) bool {
	inner := strings.TrimLeftFunc(word, unicode.IsUpper)
	return IsSymbol(word) || len(inner) < len(word) && strings.ContainsFunc(inner, unicode.IsUpper) && strings.Contains(name, " ")
}

// OneLine puts a text on one line.
func OneLine(s string) string { return strings.Join(strings.Fields(s), " ") }

// Plain takes everything but letters and digits off a name, and its case.
func Plain(name string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) || unicode.IsDigit(r) {
			return unicode.ToLower(r)
		}
		return -1
	}, name)
}

// Printable takes out of text what would not be read but obeyed: the control
// characters by which a terminal is steered, and the marks that turn the direction
// of the text around them. Line ends and tabs stay.
func Printable(s string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r == '\n', r == '\t':
			return r
		case r < ' ', r >= 0x7f && r < 0xa0, r >= 0x202a && r <= 0x202e, r >= 0x2066 && r <= 0x2069:
			return -1
		}
		return r
	}, s)
}

// Capital puts the first letter in upper case.
func Capital(s string) string {
	_, size := utf8.DecodeRuneInString(s)
	return strings.ToUpper(s[:size]) + s[size:]
}

// Amount writes a number with its unit: whole, or with two digits behind the point.
func Amount(v float64, unit string) string {
	var text string
	switch whole := math.Round(v*1e6) / 1e6; {
	case whole == math.Trunc(whole) && math.Abs(whole) < 1e15:
		text = Number(int64(whole))
	case math.Abs(v) >= 1 && math.Abs(v) < 1e15:
		text = Number(int64(math.Trunc(v))) + strconv.FormatFloat(math.Abs(v-math.Trunc(v)), 'f', 2, 64)[1:]
		if math.Abs(v-math.Trunc(v)) >= 0.995 {
			text = Number(int64(math.Round(v)))
		}
	default:
		text = strconv.FormatFloat(v, 'g', 3, 64)
	}
	switch unit {
	case "":
	case "$", "€", "£", "¥":
		text = unit + text
	case "%", "°", "‰":
		text += unit
	default:
		text += " " + unit
	}
	return text
}
