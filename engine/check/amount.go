package check

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"

	"cairn/engine/kg"
	"cairn/engine/lexicon"
)

// Amounts are the numbers and dates of a sentence. They are compared by what
// they say, not by how they are written: "5,895" is 5895, "46.2 million" is
// 46200000, and "12 March 1945" is 1945-03-12. A year or a month is said by a
// date within it; nothing else is ever rounded.

const (
	monthNames = `(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)`
	ordinal    = `(?:st|nd|rd|th)?`
)

var (
	aNumber = regexp.MustCompile(`(?i)^[-−+]?(?:\d{1,3}(?:[,\x{a0}\x{2009}\x{202f}]\d{3})+|\d+)(?:\.\d+)?(?: (?:thousand|million|billion|trillion)\b)?`)
	glued   = regexp.MustCompile(`^[\pL\pN]+`)
	decade  = regexp.MustCompile(`^\d+s$`)
)

// dates are the ways to write one, with which group of each is what; the one after the
// last is empty.
var dates = []struct {
	form             *regexp.Regexp
	year, month, day int
}{
	{regexp.MustCompile(`^(\d{4})-(\d{2})(?:-(\d{2}))?(?:T[\d:.]+Z?)?\b`), 1, 2, 3},
	{regexp.MustCompile(`(?i)^(\d{1,2})` + ordinal + ` (?:of )?(` + monthNames + `)\.?,? (\d{4})\b`), 3, 2, 1},
	{regexp.MustCompile(`(?i)^(` + monthNames + `)\.? (\d{1,2})` + ordinal + `,? (\d{4})\b`), 3, 1, 2},
	{regexp.MustCompile(`(?i)^(` + monthNames + `)(?: of|,)? (\d{4})\b`), 2, 1, 3},
}

// amountAt reads the number or date at the start of s: what it says, in a form to
// compare, and how long it is; 0 where there is none.
func amountAt(s string) (key string, length int) {
	for _, d := range dates {
		if m := append(d.form.FindStringSubmatch(s), ""); len(m) > 1 {
			return dateKey(m[d.year], m[d.month], m[d.day]), len(m[0])
		}
	}
	text := aNumber.FindString(s)
	if text == "" {
		return "", 0
	}
	if rest := glued.FindString(s[len(text):]); rest != "" {
		if v, ok := kg.ParseValue(text + rest); !ok || v.Kind != kg.NumberValue || rest == "s" {
			return "", len(text) + len(rest) // 3rd, the 1940s, 5k: nothing that a label says
		}
	}
	return numberKey(text), len(text)
}

// amountKeys are the forms in which a label that is a number or a date may be
// said: a date also by its month and its year.
func amountKeys(label string) []string {
	label = strings.Trim(strings.TrimSpace(label), `"`)
	v, ok := kg.ParseValue(label)
	if !ok || decade.MatchString(label) {
		return nil
	}
	if v.Kind == kg.DateValue {
		key, length := amountAt(label)
		if length != len(label) || !strings.HasPrefix(key, "date ") {
			return nil
		}
		keys := []string{key}
		for at := strings.LastIndexByte(key, '-'); at > 0; at = strings.LastIndexByte(key, '-') {
			key = key[:at]
			keys = append(keys, key)
		}
		return append(keys, numberKey(strings.TrimPrefix(key, "date ")))
	}
	return []string{numberKey(label)}
}

func numberKey(text string) string {
	v, ok := kg.ParseValue(text)
	if !ok {
		return ""
	}
	return "number " + strconv.FormatFloat(v.Number, 'g', -1, 64)
}

// dateKey is a date in one form; the month may be a number or a name, the day
// may be empty.
func dateKey(year, month, day string) string {
	m, err := strconv.Atoi(month)
	if err != nil {
		m = 1 + strings.Index("janfebmaraprmayjunjulaugsepoctnovdec", strings.ToLower(month[:3]))/3
	}
	key := fmt.Sprintf("date %s-%02d", year, m)
	if day != "" {
		d, _ := strconv.Atoi(day)
		key += fmt.Sprintf("-%02d", d)
	}
	return key
}

// smallNumber reads a whole number that may count names.
func smallNumber(lower string) (int, bool) {
	if v, ok := lexicon.Numeral(lower); ok {
		return v, true
	}
	if amounts[lower] {
		return -1, true
	}
	if lower == "" || lower[0] < '0' || lower[0] > '9' {
		return 0, false
	}
	if v, err := strconv.Atoi(lower); err == nil {
		return v, true
	}
	return -1, true
}

// negative reports whether a minus stands before a number at a place of a text.
func negative(text string, start int) bool {
	for _, sign := range []string{"-", "−", "–"} {
		if before, ok := strings.CutSuffix(text[:start], sign); ok {
			return before == "" || strings.HasSuffix(before, " ") || strings.HasSuffix(before, "(")
		}
	}
	return false
}
