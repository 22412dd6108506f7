// Package hostile is a table of names that break programs, for the tests of all
// that names go through: import, linking, planning, answers, pictures, pages,
// training. It is made of Unicode's own tables, and of what people have broken
// programs with.
package hostile

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"unicode"
)

// Name is one hostile name.
type Name struct {
	Why  string // what is hostile about it
	Text string
}

// Names returns the table without its huge names, in a fixed order.
func Names() []Name {
	var out []Name
	add := func(why string, texts ...string) {
		for _, t := range texts {
			out = append(out, Name{why, t})
		}
	}
	for _, table := range []struct {
		of   string
		sets map[string]*unicode.RangeTable
	}{{"category", unicode.Categories}, {"script", unicode.Scripts}, {"property", unicode.Properties}} {
		for _, name := range slices.Sorted(maps.Keys(table.sets)) {
			first, last := ends(table.sets[name])
			add(table.of+" "+name, string(first), "a "+string(first)+" b", "a"+string(last), string([]rune{last, first, last}))
		}
	}
	for _, zero := range digits() {
		add("a number", string([]rune{zero + 1, zero + 9, zero + 5, zero}), string([]rune{zero + 2, '.', zero + 5}))
	}
	add("a number", "NaN", "Inf", "-0", "0x1p-2", "1e999999", "-1e-999999", strings.Repeat("9", 400), "1,000,000,000,000", "1_000", "+", "-", "½", "Ⅻ", "一二三",
		"2024-02-30", "9999999-99-99", "-0001-01-01", "0000-00-00", "24:61:61", "1.2.3.4", "12e", ".", "0.", ".5", "1/0", "5 %", "-5 °C")
	add("accents with no letter", "\u0300", "\u0301\u0302", "a \u0300 b", "rock 'n' \u0301 roll", "\u0344", "\u0301 \u0301 \u0301", "\u20dd", "\ufe0f", "\u093f", "\u0e31", "e"+strings.Repeat("\u0301", 600))
	add("letters that change their length", "İ", "ẞ", "ŉ", "ﬃ", "ΐ", "ǰ", "Ⱥ", "K", "Å", "ﷺ", "\u1e9e\u0307", "\u0958", "\U0001d15e")
	add("writing from right to left", "\u202eabc", "abc\u202e", "\u2066\u2067\u2068", "\u2069\u202c", "\u200e\u200f", "שלום", "مرحبا بالعالم", "abc שלום 123 مرحبا", "\u061c")
	add("control characters", "\x00", "a\x00b", "\x00\x00", "\x1b[31mred\x1b[0m", "\x07", "\x7f", "\u0080\u009f", "a\tb", "a\nb", "a\r\nb", "\r", "\v\f", "\u2028\u2029", "\ufeff", "\ufeffa", "\u0085")
	add("space", " ", "  ", "\t", "\u00a0", "\u1680", "\u2003\u2009", "\u200b", "\u200c\u200d", "\u2060", "\u3000", " a", "a ", " a  b ", "\u180e", "\u3164", "\u115f")
	add("emoji", "👨‍👩‍👧‍👦", "👩🏽‍🚀", "🏳️‍🌈", "🇦🇹", "🇦", "1️⃣", "☠️", "🏴\U000e0067\U000e0062\U000e0073\U000e0063\U000e0074\U000e007f", "\u200d", "👍🏿👍🏿👍🏿", "a👨‍👩‍👧b")
	add("no characters at all", "\ufffe", "\uffff", "\U0010ffff", "\ufdd0", "\U000e0001", "\ue000", "\U000f0000", "\ufffd", "\u0378")
	add("bytes that are no UTF-8", "\xff", "\xfe\xff", "a\xffb", "\xc0\x80", "\xed\xa0\x80", "\xe2\x82", "\xf4\x90\x80\x80", "\x80\x80", "caf\xe9", "\xff'\"[")
	add("nothing but marks", ".", "..", "...", "?", "??", "!", "-", "--", "_", "__", "'", "\"", "''", "\"\"", "“”", "«", "`", "()", "(", ")", "[]", "[", "{}", "}", "<>", "<", "&", "#", "$", "%",
		"*", "/", "//", "\\", "|", "||", "~", "^", ":", "::", ";", ",", ",,", "@", "=", "¿", "¡", "…", "–", "—", "·", "•", "′", "´", "。", "、", "（）", "「」")
	add("half of something", "(a", "a)", "[a", "a]", "\"a", "a\"", "'a", "a'", "“a", "a,", ",a", "a, b, c", "a (", "a ()", "() a", "(a) (b)", "a [b", "a.", ".a", "-a", "a-", "a&", "a's", "'s", "’s", "s'", "'n'", "O'", "'S 's")
	add("no names but words of questions", "what", "who", "the", "a", "an", "and", "or", "not", "is", "of", "How many", "The The", "And", "it", "than", "more than 5", "most", "true", "null", "nil", "None", "undefined", "is not")
	add("what programs read", "?x", "?", "$x", "-r->", "(a) -b-> (c)", "(?x:b)", "T1", "[T1]", "[T1, T2]", "e0", "e999999999", "%s%n%d", "%!v(MISSING)", "{{.}}", "${HOME}", "$(id)", "`id`",
		"<script>alert(1)</script>", "</svg><script>", "</title>", "]]>", "<!--", "-->", "&amp;", "&#0;", "&nbsp;", "<b>a</b>", "'; DROP TABLE entity; --", "\" OR 1=1 --", "../../etc/passwd", "C:\\nul", "CON", "file:///etc/passwd",
		"http://", "://", "a://", "http://#", "http://x/", "http://x/#", "http://x/a#b/c", "urn:x", "_:b0", "mailto:", "<http://x/a>", "\"a\"@en", "\"1\"^^<x>", "\\u0041", "\\n", "#comment", "=1+1", "@prefix a: <b> .", "{\"a\":1}", "null\x00", "@en", "^^", "a@")
	add("long", strings.Repeat("word ", 60), strings.Repeat("x", 3000), strings.Repeat("é", 1500), strings.Repeat("北", 700), strings.Repeat("a-", 900), strings.Repeat("(", 500), strings.Repeat("A.", 300), strings.Repeat("'s", 200), strings.Repeat("a, ", 200), strings.Repeat("1 ", 300))
	return distinct(out)
}

// Huge returns names of so many bytes, some a few less.
func Huge(size int) []Name {
	var out []Name
	for _, of := range []string{"word ", "x", "\u0301", "北", "👨‍👩‍👧 ", "9", "a-", "(", "A.", "'s ", "\u202e", "a, ", "\xff"} {
		out = append(out, Name{fmt.Sprintf("%d bytes of %q", size, of), strings.Repeat(of, size/len(of))})
	}
	return out
}

// ends returns the first and the last character of a table.
func ends(t *unicode.RangeTable) (first, last rune) {
	first = unicode.MaxRune
	note := func(lo, hi rune) { first, last = min(first, lo), max(last, hi) }
	for _, r := range t.R16 {
		note(rune(r.Lo), rune(r.Hi))
	}
	for _, r := range t.R32 {
		note(rune(r.Lo), rune(r.Hi))
	}
	return first, last
}

// digits returns the zero of every script that has digits.
func digits() []rune {
	var zeros []rune
	note := func(lo, hi rune) {
		for r := lo; r <= hi; r += 10 {
			zeros = append(zeros, r)
		}
	}
	for _, r := range unicode.Nd.R16 {
		note(rune(r.Lo), rune(r.Hi))
	}
	for _, r := range unicode.Nd.R32 {
		note(rune(r.Lo), rune(r.Hi))
	}
	return zeros
}

// distinct leaves out names that are there already.
func distinct(names []Name) []Name {
	seen := map[string]bool{}
	return slices.DeleteFunc(names, func(n Name) bool {
		again := seen[n.Text]
		seen[n.Text] = true
		return again
	})
}
