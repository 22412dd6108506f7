package link

import (
	"context"
	"encoding/binary"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"cairn/engine/kg"
	"cairn/engine/lexicon"
)

// maxValueWords is the longest date or number, in words: "31st of July 2016",
// "1,234,567.89".
const maxValueWords = 5

// valueDistance is what another way to write the same value costs.
const valueDistance = 0.06

// values finds the entities whose label is a number or a date by what it says:
// "1 June 2009" is 2009-06-01, and 520906000.0 is 5.20906E8.
type values struct {
	table[kg.EntityID] // by valueKey.bytes
}

// valueKey leaves the unit out: "12 kilometres" in a question is "12 km". A month is not
// its first day.
type valueKey struct {
	kind          kg.ValueKind
	number, until float64
}

// monthValue is the kind of a month of any year.
const monthValue kg.ValueKind = 100

// bytes is the key as a text. Numbers that are equal have the same bytes.
func (k valueKey) bytes() []byte {
	text := []byte{byte(k.kind)}
	for _, number := range []float64{k.number, k.until} {
		if number == 0 {
			number = 0 // not −0
		}
		text = binary.LittleEndian.AppendUint64(text, math.Float64bits(number))
	}
	return text
}

// newValues reads the labels that are values. The only error is the context's.
func newValues(ctx context.Context, g *kg.Graph) (*values, error) {
	b := newTableBuilder[kg.EntityID](0, 0, 0)
	for e := range kg.EntityID(g.Entities()) {
		if e%namesPiece == 0 && ctx.Err() != nil {
			return nil, ctx.Err()
		}
		key, ok := parseValue(g.Label(e))
		if !ok {
			var v kg.Value
			v, ok = kg.ParseCounted(strings.Trim(g.Label(e), `"`))
			key = valueKey{v.Kind, v.Number, v.Number}
		}
		if ok && !g.Gone(e) {
			b.put(key.bytes(), e)
		}
	}
	return &values{b.finish()}, nil
}

func parseValue(text string) (valueKey, bool) {
	text = strings.Trim(text, `"' `)
	if y, ok := kg.ParseYearly(text); ok && y.Day == 0 { // "Oct"
		return valueKey{kind: monthValue, number: float64(y.Month)}, true
	}
	if _, ok := kg.ParseValue(text); !ok { // an interval is no value
		return valueKey{}, false
	}
	x, ok := kg.ParseExtent(text)
	return valueKey{x.Kind, x.Number, x.Until}, ok
}

// DateText writes "31st of July 2016" as ParseValue reads it.
func DateText(text string) string { return strings.TrimSpace(ordinal.ReplaceAllString(text, "$1")) }

// ordinal matches the endings of "31st" and the words of "31st of July" that
// ParseValue does not read.
var ordinal = regexp.MustCompile(`(\d)(?:st|nd|rd|th)\b|\bof\s|\bthe\s`)

// amounts adds mentions for numbers and dates that are written in another way
// than the labels.
func (s *search) amounts() {
	end := min(len(s.tokens), maxGuessed)
	for from := 0; from < end; from++ {
		lower := s.tokens[from].Lower
		if n, ok := lexicon.Numeral(lower); ok {
			s.amount(from, from+1, strconv.Itoa(n))
			continue
		}
		if !startsWithDigit(lower) && !isMonth(lower) {
			continue
		}
		for to := min(from+maxValueWords, end); to > from; to-- {
			if s.amount(from, to, s.question[s.tokens[from].Start:s.tokens[to-1].End]) {
				from = to - 1
				break
			}
		}
	}
}

// amount adds a mention for a span that says a value of the graph's, as text gives it in
// digits, and reports whether the span is a value at all.
func (s *search) amount(from, to int, text string) bool {
	start, end := s.tokens[from].Start, s.tokens[to-1].End
	if start > 0 && s.question[start-1] == '-' && (start == 1 || s.question[start-2] == ' ') {
		text = "-" + text
	}
	key, ok := parseValue(DateText(text))
	if !ok || key.kind == monthValue && !s.tokens[from].Capital { // "may" and "march" are other words too
		return false
	}
	said, _ := kg.ParseValue(DateText(text))
	es := slices.DeleteFunc(slices.Clone(s.values().under(key.bytes())), func(e kg.EntityID) bool {
		v, _ := s.g.Value(e)
		return said.Unit != "" && v.Unit != "" && said.Unit != v.Unit // 2 million dollars are no 2 million euros
	})
	if len(es) == 0 {
		return true
	}
	m := Mention{Start: start, End: end, Text: s.question[start:end], Strength: 0.4}
	switch {
	case key.kind == kg.DateValue, key.kind == monthValue:
		m.Strength = 1.2
	case len(text) > 3:
		m.Strength = 0.6
	}
	for _, e := range es {
		m.Candidates = append(m.Candidates, Candidate{Entity: e, Distance: valueDistance, Method: Folded})
	}
	s.mentions = append(s.mentions, m)
	return true
}

func startsWithDigit(s string) bool { return s != "" && s[0] >= '0' && s[0] <= '9' }

// isMonth reports whether a folded word is the name of a month or its first
// three letters.
func isMonth(lower string) bool {
	y, ok := kg.ParseYearly(lower)
	return ok && y.Day == 0
}
