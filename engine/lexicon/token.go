package lexicon

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// Tokenize cuts s into tokens: runs of letters, digits and marks. Every other
// character separates, "_" and "-" included, but for the possessive 's, which
// is a token of its own. A character of a script that is written without
// spaces (Han, kana, Thai and their like) is a token by itself, so that names
// can be found inside a sentence. Labels and questions are cut alike.
func Tokenize(s string) []Token { return AppendTokens(nil, s) }

// AppendTokens appends the tokens of s to out, as Tokenize cuts them.
func AppendTokens(out []Token, s string) []Token {
	for i := 0; i < len(s); {
		r, size := utf8.DecodeRuneInString(s[i:])
		switch {
		case IsWord(r):
			end := wordEnd(s, i)
			// Accents with no letter under them fold to nothing, and are no word.
			if t := newToken(s, i, end); t.Lower != "" {
				out = append(out, t)
			}
			i = end
		case isApostrophe(r) && isPossessive(s[i+size:]):
			end := i + size + 1
			out = append(out, Token{Text: s[i:end], Lower: Possessive, Stem: Possessive, Start: i, End: end})
			i = end
		default:
			i += size
		}
	}
	return out
}

// Possessive is the text of the token that stands for 's.
const Possessive = "'s"

func newToken(s string, start, end int) Token {
	text := s[start:end]
	lower := Fold(text)
	first, _ := utf8.DecodeRuneInString(text)
	return Token{
		Text: text, Lower: lower, Stem: Stem(lower),
		Start: start, End: end,
		Capital: unicode.IsUpper(first) || unicode.IsTitle(first),
	}
}

// wordEnd returns the byte offset after the word that starts at i.
func wordEnd(s string, i int) int {
	first, size := utf8.DecodeRuneInString(s[i:])
	end := i + size
	alone := isUnspaced(first)
	for end < len(s) {
		r, n := utf8.DecodeRuneInString(s[end:])
		if !IsWord(r) || !unicode.IsMark(r) && (alone || isUnspaced(r)) {
			break
		}
		end += n
	}
	return end
}

// IsWord reports whether a character may be part of a word.
func IsWord(r rune) bool {
	return unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.IsMark(r)
}

// CapitalsTell reports whether capitals tell names from words: most little words after
// the first are written small, not in capitals or as in a title.
func CapitalsTell(tokens []Token, little func(lower string) bool) bool {
	small, large := 0, 0
	for i, t := range tokens {
		switch {
		case i == 0 || !little(t.Lower):
		case t.Capital && len(t.Text) == 1: // the A of "Paper A" is no article
		case t.Capital:
			large++
		default:
			small++
		}
	}
	return small >= large
}

// isUnspaced reports whether r belongs to a script that puts no spaces between
// words. Korean does, so Hangul is not among them.
func isUnspaced(r rune) bool {
	return r >= 0x0e00 && unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Thai, unicode.Lao, unicode.Khmer, unicode.Myanmar)
}

func isApostrophe(r rune) bool { return r == '\'' || r == '’' || r == 'ʼ' }

// isPossessive reports whether rest, which follows an apostrophe, is an s that
// ends a word.
func isPossessive(rest string) bool {
	if rest == "" || rest[0] != 's' && rest[0] != 'S' {
		return false
	}
	r, _ := utf8.DecodeRuneInString(rest[1:])
	return len(rest) == 1 || !IsWord(r)
}

// Fold writes s in lower case and without the accents of Latin, Greek and
// Cyrillic letters; letters that do not fall apart into a base and an accent
// are spelt out (ø → o, ß → ss, æ → ae). Vowel signs of other scripts, which
// carry meaning, stay.
func Fold(s string) string {
	if isPlain(s) {
		return s
	}
	if isASCII(s) {
		return strings.ToLower(s)
	}
	var b strings.Builder
	b.Grow(len(s))
	for _, r := range norm.NFD.String(s) {
		switch {
		case r >= 0x0300 && r <= 0x036f: // combining diacritical marks
		case folded[r] != "":
			b.WriteString(folded[r])
		default:
			// Lower case may itself fall apart: İ becomes i and a dot.
			r = unicode.ToLower(r)
			if folded[r] != "" {
				b.WriteString(folded[r])
			} else {
				b.WriteRune(r)
			}
		}
	}
	return norm.NFC.String(b.String())
}

// folded spells out the letters that Unicode does not take apart.
var folded = map[rune]string{
	'ø': "o", 'ß': "ss", 'æ': "ae", 'œ': "oe", 'ł': "l", 'đ': "d", 'ð': "d",
	'þ': "th", 'ı': "i", 'ħ': "h", 'ŋ': "n", 'ẞ': "ss",
}

// isPlain reports whether Fold would return s itself.
func isPlain(s string) bool {
	for i := range len(s) {
		if s[i] >= utf8.RuneSelf || 'A' <= s[i] && s[i] <= 'Z' {
			return false
		}
	}
	return true
}

func isASCII(s string) bool {
	for i := range len(s) {
		if s[i] >= utf8.RuneSelf {
			return false
		}
	}
	return true
}
