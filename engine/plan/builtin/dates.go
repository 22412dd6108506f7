package builtin

import (
	"fmt"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"cairn/engine/kg"
	"cairn/engine/lexicon"
	"cairn/engine/link"
	"cairn/engine/pattern"
	"cairn/engine/plan/words"
	"cairn/engine/schema"
	"cairn/internal/wording"
)

// Dates of questions: what they cover, and those that cannot be.

// withinDate reads "in 2022", "in March 2022", "on 5 May 1999" and "between 2010 and 2014"
// at word i, where a date of the graph may fall into that: one that the words before name,
// or any.
func (r *reader) withinDate(i int) (c *comparison, taken []int) {
	if _, spoken := r.spokenDate(i); r.claim || i == 0 || !inDates[r.Words[i].Lower] && spoken == 0 {
		return nil, nil
	}
	s := r.timeAt(i)
	if s == nil || s.op != pattern.Equal {
		return nil, nil
	}
	taken = s.taken
	c = &comparison{noun: -1, op: pattern.Equal, when: r.Source[r.Words[i].Start:r.Words[s.taken[len(s.taken)-1]].End]}
	if c.yearly, _ = kg.ParseYearly(s.value); c.yearly == (kg.Yearly{}) {
		if _, ok := kg.ParseExtent(s.value); !ok {
			return nil, nil
		}
	} else if r.sureSpan(taken[len(taken)-1]) != nil {
		return nil, nil // May is a name
	}
	for j := i - 1; j >= max(0, i-3) && len(c.means) == 0 && !r.isAskedKind(j); j-- {
		if c.means = r.onlyDates(r.valuesNamed(j)); len(c.means) > 0 {
			taken = append([]int{j}, taken...)
		}
	}
	last := taken[len(taken)-1]
	if named := r.sureSpan(last); named != nil {
		// The graph has that very date: the name says it, but where it is of something else.
		slots := r.p.Slots(named.Candidates[0].Entity)
		if slices.ContainsFunc(c.means, func(m valueMeaning) bool { return m.fit == c.means[0].fit && slices.Contains(slots, m.step.To()) }) {
			c.means = nil
		}
	} else if len(c.means) == 0 {
		c.means = r.onlyDates(r.valuesOfKind(true))
	}
	if c.yearly == (kg.Yearly{}) {
		r.coversDate(c, s.value)
	}
	return c, taken
}

// coversDate compares with all of a date. A graph that writes years before Christ as negative numbers has
// no year 0.
func (r *reader) coversDate(c *comparison, date string) {
	x, _ := kg.ParseExtent(date)
	x = x.Dates()
	if x.Number <= 0 && slices.ContainsFunc(c.means, func(m valueMeaning) bool { return r.p.schema.CountsBack(m.step.To()) }) {
		x.Number, x.Until = x.Number-1, x.Until-1
	}
	c.covers(x)
}

// inDates stand before a date that something is said to fall into.
var inDates = map[string]bool{"in": true, "on": true, "during": true, "from": true, "between": true}

// spokenDate reads what is a date by when it is asked, or by the number of its century, at word i:
// "this year", "last month", "19th century". It returns the word after; 0 for none.
func (r *reader) spokenDate(i int) (value string, end int) {
	if end = i + 2; end > len(r.Words) || r.PartOfName(i) || r.PartOfName(i+1) {
		return "", 0
	}
	back, isBack := map[string]int{"this": 0, "last": -1, "next": 1}[r.Words[i].Lower]
	now := time.Now()
	switch noun := r.Words[i+1].Lower; {
	case isBack && noun == "year":
		return strconv.Itoa(now.Year() + back), end
	case isBack && noun == "month":
		return time.Date(now.Year(), now.Month()+time.Month(back), 1, 0, 0, 0, 0, time.UTC).Format("2006-01"), end
	case noun == "century":
		if n, ok := lexicon.Ordinal(r.Words[i].Lower); ok && n > 0 {
			return fmt.Sprintf("%d–%d", 100*n-99, 100*n), end
		}
	}
	return "", 0
}

// yearlyAt reads a month of any year, or a day of it, at word i: "May", "the 5th of May", "March 5".
// It returns the word after; 0 for none.
func (r *reader) yearlyAt(i int) (value string, end int) {
	for end = min(i+4, len(r.Words)); end > i; end-- {
		if y, ok := kg.ParseYearly(link.DateText(r.Source[r.Words[i].Start:r.Words[end-1].End])); ok {
			return y.String(), end
		}
	}
	return "", 0
}

// covers compares with all of a date, and not with its beginning.
func (c *comparison) covers(x kg.Extent) {
	if c.number = x.Number; x.Number == math.Floor(x.Number) && x.Until == x.Number+1 {
		return // a date is compared with a whole number by its year
	}
	switch c.op {
	case pattern.Greater:
		c.op, c.number = pattern.AtLeast, x.Until
	case pattern.AtMost:
		c.op, c.number = pattern.Less, x.Until
	case pattern.Equal:
		c.op, c.until = pattern.AtLeast, x.Until
	case pattern.Less, pattern.AtLeast, pattern.Unequal:
	}
}

// onlyDates keeps the meanings that are dates.
func (r *reader) onlyDates(ms []valueMeaning) []valueMeaning {
	return slices.DeleteFunc(ms, func(m valueMeaning) bool { return r.p.schema.Value(m.step.To()) != schema.DateValue })
}

// sureSpan returns the sure name that ends with a word, or nil.
func (r *reader) sureSpan(last int) *words.Span {
	for i := range r.Spans {
		if s := &r.Spans[i]; s.To == last+1 && s.IsSure() {
			return s
		}
	}
	return nil
}

// dayOf matches days of months as people write them; "may" and "march" are words, too,
// where they are not capitals.
var dayOf = func() *regexp.Regexp {
	var months []string
	for m := time.January; m <= time.December; m++ {
		name := m.String()
		short := name[:3] + `\.?`
		if m == time.March || m == time.May {
			months = append(months, name, short)
		} else {
			months = append(months, "(?i:"+name+")", short)
		}
	}
	month := "(" + strings.Join(months, "|") + ")"
	return regexp.MustCompile(`\b(\d{1,2})(?:st|nd|rd|th)?(?: of)? ` + month + `(?:,? (\d{4}))?(?:\W|$)|\b` + month + ` (\d{1,2})(?:st|nd|rd|th)?(?:,? (\d{4}))?(?:\W|$)|\b(\d{4})-(\d\d)-(\d\d)\b`)
}()

// impossibleDate says of a date of a text why there is no such day; "" where all can be.
func impossibleDate(text string) (date, why string) {
	for _, m := range dayOf.FindAllStringSubmatch(text, -1) {
		day, month, year := m[1]+m[5]+m[9], m[2]+m[4]+m[8], m[3]+m[6]+m[7]
		d, _ := strconv.Atoi(day)
		y, err := strconv.Atoi(year)
		known := err == nil
		if !known {
			y = 2000 // which had a 29 February
			if d > 31 {
				continue // "in March 45 people came"
			}
		}
		date = strings.TrimRight(m[0], " .,;:!?\"')")
		n, err := strconv.Atoi(month)
		for k := time.January; err != nil && k <= time.December; k++ {
			if strings.EqualFold(k.String()[:3], month[:3]) {
				n, err = int(k), nil
			}
		}
		if n < 1 || n > 12 {
			return date, "a year has 12 months"
		}
		last := time.Date(y, time.Month(n)+1, 0, 0, 0, 0, 0, time.UTC).Day()
		if d < 1 || d > last {
			in := ""
			if known && time.Month(n) == time.February {
				in = fmt.Sprintf(" in %d", y)
			}
			return date, fmt.Sprintf("%s has %d days%s", time.Month(n), last, in)
		}
	}
	return "", ""
}

// refusedDate refuses a text that has a date which cannot be, and which is no name.
func (r *reader) refusedDate() string {
	date, why := impossibleDate(r.Source)
	if date == "" {
		return ""
	}
	start := strings.Index(r.Source, date)
	for _, s := range r.Spans {
		if s.IsSure() && r.Words[s.From].Start <= start && start+len(date) <= r.Words[s.To-1].End {
			return ""
		}
	}
	return fmt.Sprintf("%s is not a date: %s.", wording.Quote(date), why)
}
