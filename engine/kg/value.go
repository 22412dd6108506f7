package kg

import (
	"strconv"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"
)

// ValueKind says what a Value measures.
type ValueKind int

// The kinds of value.
const (
	// NumberValue is a plain or measured number: 12, 1,234.5, 12 km, 1967.
	NumberValue ValueKind = iota
	// DateValue is a day, a month or a moment, as a year with a fraction.
	DateValue
)

// Value is a label read as something that can be compared.
type Value struct {
	Kind ValueKind
	// Number is the amount, or for a date the year and the fraction of it that
	// had passed, so that a bare year compares with dates: 1999-07-02 is about
	// 1999.5. Years before Christ are negative or 0, as astronomers count.
	Number float64
	// Unit is the symbol of the unit: "km", "%", "$"; empty for a bare number and
	// for dates. Values of different dimensions do not compare.
	Unit string
}

// ParseValue reads a label as a number or a date, and reports whether it is one.
// It reads "1967", "-3.5", "6.02e23", "1,234.5", "1 234", "12 km", "$1.5 million",
// "45%", "1999-12-31", "1999-12", "1999-12-31T23:59:59Z", "31 December 1999",
// "December 31, 1999", "December 1999" and "44 BC".
//
// It is careful, because names contain numbers: a unit must be a known symbol
// ("12 km" but not "12 Monkeys"), a number has no leading zeros ("007" is a name)
// and a comma must divide thousands ("3,5" is nothing).
func ParseValue(label string) (Value, bool) {
	s := strings.TrimSpace(label)
	if s == "" || len(s) > maxValue || !strings.ContainsAny(s, "0123456789") {
		return Value{}, false
	}
	if n, ok := parseNumber(s); ok {
		return Value{Kind: NumberValue, Number: n}, true
	}
	if y, ok := parseDate(s); ok {
		return Value{Kind: DateValue, Number: y}, true
	}
	return parseMeasure(s)
}

// Value reads the label of an entity as ParseValue does. A label may also count what has no known
// symbol: "2400 TEU", "320 pages".
func (g *Graph) Value(e EntityID) (Value, bool) {
	label := strings.Trim(g.Label(e), `"`)
	if v, ok := ParseValue(label); ok {
		return v, true
	}
	if strings.HasPrefix(label, "0") && g.IsLiteral(e) && strings.HasSuffix(g.Key(e), "#gYear>") { // it has four digits: 0886
		v, ok := ParseValue(strings.TrimLeft(label, "0"))
		v.Kind = DateValue
		return v, ok
	}
	return ParseCounted(label)
}

// ParseCounted reads a number with one word of what it counts, which ParseValue does not. A word written as names are,
// "12 Monkeys", is none, nor is the time of day.
func ParseCounted(label string) (Value, bool) {
	number, unit, ok := strings.Cut(strings.TrimSpace(label), " ")
	if !ok || len(label) > maxValue || !isCounted(unit) {
		return Value{}, false
	}
	n, ok := parseNumber(number)
	return Value{Kind: NumberValue, Number: n, Unit: unit}, ok
}

// isCounted reports whether a word may say what is counted: in small letters, or an abbreviation
// such as "MWh", "mg/dl", "TEU".
func isCounted(word string) bool {
	const longest, abbreviation = 16, 5
	first, size := utf8.DecodeRuneInString(word)
	isOther := func(r rune) bool { return !unicode.IsLetter(r) && !strings.ContainsRune("/·°²³23-^.", r) }
	switch {
	case !unicode.IsLetter(first), len(word) > longest, word == "AM", word == "PM", strings.ContainsFunc(word, isOther):
		return false
	case unicode.IsLower(first):
		return true
	}
	return utf8.RuneCountInString(word) <= abbreviation && (len(word) == size+1 || !strings.ContainsAny(word[size:], "aeiouy"))
}

// maxValue is the length in bytes beyond which a label is not read as a value.
const maxValue = 64

// parseNumber reads a number without a unit. Thousands may be divided by commas
// or by spaces, thin and no-break ones included.
func parseNumber(s string) (float64, bool) {
	digits, negative := s, false
	for _, sign := range []string{"+", "-", "−"} {
		if rest, ok := strings.CutPrefix(s, sign); ok {
			digits, negative = rest, sign != "+"
			break
		}
	}
	mantissa, exponent, _ := strings.Cut(strings.ToLower(digits), "e")
	whole, fraction, point := strings.Cut(mantissa, ".")
	whole, ok := joinThousands(whole)
	switch {
	case !ok, point && fraction == "" && whole == "":
		return 0, false
	case len(whole) > 1 && whole[0] == '0':
		return 0, false // a code, not an amount
	case !allDigits(fraction):
		return 0, false
	case strings.Contains(strings.ToLower(digits), "e") && !allDigits(strings.TrimLeft(exponent, "+-")):
		return 0, false
	}
	text := whole + "." + fraction
	if whole == "" && fraction == "" {
		return 0, false
	}
	if exponent != "" {
		text += "e" + exponent
	} else if strings.Contains(strings.ToLower(digits), "e") {
		return 0, false
	}
	n, err := strconv.ParseFloat(text, 64)
	if err != nil {
		return 0, false
	}
	if negative {
		n = -n
	}
	return n, true
}

// joinThousands takes the dividers out of the whole part of a number. They must
// be all alike and leave groups of three.
func joinThousands(s string) (string, bool) {
	for _, divider := range []string{",", " ", "\u00a0", "\u2009", "\u202f"} {
		groups := strings.Split(s, divider)
		if len(groups) == 1 {
			continue
		}
		if len(groups[0]) == 0 || len(groups[0]) > 3 {
			return "", false
		}
		for _, g := range groups[1:] {
			if len(g) != 3 {
				return "", false
			}
		}
		s = strings.Join(groups, "")
		break
	}
	return s, allDigits(s)
}

// allDigits reports whether s holds nothing but ASCII digits; true where empty.
func allDigits(s string) bool {
	for i := range len(s) {
		if s[i] < '0' || s[i] > '9' {
			return false
		}
	}
	return true
}

// parseDate reads a date of at least a month, or a year with its era, as a
// fractional year.
func parseDate(s string) (float64, bool) {
	if y, ok := parseISODate(s); ok {
		return y, true
	}
	for _, layout := range []string{
		"2 January 2006", "January 2, 2006", "January 2 2006", "2 Jan 2006", "Jan 2, 2006", "Jan 2 2006", "January 2006", "Jan 2006",
	} {
		if t, err := time.Parse(layout, s); err == nil {
			return fractionalYear(t.Year(), t), true
		}
	}
	if n, _ := roughYear(s); n > 0 {
		return float64(n), true
	}
	year, era, ok := strings.Cut(s, " ")
	n, err := strconv.Atoi(year)
	if !ok || err != nil || n <= 0 || n > 99999 || year[0] == '+' {
		return 0, false
	}
	switch strings.ToUpper(strings.ReplaceAll(era, ".", "")) {
	case "BC", "BCE":
		return float64(1 - n), true
	case "AD", "CE":
		return float64(n), true
	}
	return 0, false
}

// roughYear reads a year that is not exact, "c. 1155", or a decade, "1240s", and the number of
// years that it covers; 0 for other texts.
func roughYear(s string) (year, covers int) {
	const digits = 4
	covers = 1
	rest := s
	for _, about := range []string{"c.", "ca.", "circa "} {
		if cut, ok := strings.CutPrefix(strings.ToLower(s), about); ok {
			rest = strings.TrimSpace(cut)
		}
	}
	if decade, ok := strings.CutSuffix(rest, "0s"); ok && len(decade) == digits-1 {
		rest, covers = decade+"0", 10
	}
	if rest == s || len(rest) < digits-1 || len(rest) > digits || !allDigits(rest) {
		return 0, 0
	}
	year, _ = strconv.Atoi(rest)
	return year, covers
}

// parseISODate reads the dates of XML Schema: [-]YYYY-MM[-DD[Thh:mm[:ss]]] with
// an optional time zone.
func parseISODate(s string) (float64, bool) {
	s, before := strings.CutPrefix(s, "-")
	year, rest, ok := strings.Cut(s, "-")
	if !ok || len(year) < 4 || len(year) > 6 || !allDigits(year) {
		return 0, false
	}
	n, err := strconv.Atoi(year)
	if err != nil {
		return 0, false
	}
	if before {
		n = -n
	}
	// time.Parse knows years of four digits only: read the rest in one as long.
	like := 2001
	if n%4 == 0 && (n%100 != 0 || n%400 == 0) {
		like = 2000
	}
	for _, layout := range []string{
		"2006-01", "2006-01-02", "2006-01-02Z07:00",
		"2006-01-02T15:04:05", "2006-01-02T15:04:05Z07:00", "2006-01-02T15:04",
		"2006-01-02 15:04:05", "2006-01-02 15:04",
	} {
		t, err := time.Parse(layout, strconv.Itoa(like)+"-"+rest)
		if err != nil {
			continue
		}
		t = t.UTC()
		return fractionalYear(n+t.Year()-like, t), true
	}
	return 0, false
}

// fractionalYear returns year and the fraction of it that had passed at t,
// whose own year only tells the length.
func fractionalYear(year int, t time.Time) float64 {
	begin := time.Date(t.Year(), 1, 1, 0, 0, 0, 0, time.UTC)
	end := time.Date(t.Year()+1, 1, 1, 0, 0, 0, 0, time.UTC)
	return float64(year) + t.Sub(begin).Seconds()/end.Sub(begin).Seconds()
}

// parseMeasure reads a number with a unit, a scale or both.
func parseMeasure(s string) (Value, bool) {
	v := Value{Kind: NumberValue}
	for _, sign := range []string{"$", "€", "£", "¥"} {
		if rest, ok := strings.CutPrefix(s, sign); ok {
			v.Unit, s = sign, strings.TrimLeft(rest, " ")
			break
		}
	}
	cut := strings.LastIndexFunc(s, func(r rune) bool { return r >= '0' && r <= '9' }) + 1
	// A unit may end in a digit, as km2 does: the number ends at the first
	// letter or sign that numbers do not have.
	if i := strings.IndexFunc(s, func(r rune) bool { return unicode.IsLetter(r) || strings.ContainsRune("%‰°$€£¥", r) }); i >= 0 {
		cut = min(cut, i)
	}
	number, rest := strings.TrimRight(s[:cut], " \u00a0\u202f"), strings.TrimLeft(s[cut:], " \u00a0\u202f")
	n, ok := parseNumber(number)
	if !ok {
		return Value{}, false
	}
	v.Number = n
	word, after, _ := strings.Cut(rest, " ")
	scale, scaled := scales[strings.ToLower(word)]
	if scaled {
		v.Number *= scale
		rest = after
	}
	switch {
	case rest == "":
		return v, true // a scale, or a currency sign in front
	case v.Unit != "":
		return Value{}, false
	}
	units := UnitsOf(rest)
	if _, isSymbol := symbols[rest]; !isSymbol && !scaled || len(units) != 1 {
		return Value{}, false
	}
	v.Unit = units[0].Symbol
	return v, true
}
