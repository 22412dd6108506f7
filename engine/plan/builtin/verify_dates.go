package builtin

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"cairn/engine/link"
)

var months = map[string]int{
	"january": 1, "february": 2, "march": 3, "april": 4, "may": 5, "june": 6,
	"july": 7, "august": 8, "september": 9, "october": 10, "november": 11, "december": 12,
}

// dates returns the dates that are written out, "October 17th, 1933" and "the
// 17th of October 1933", as spans of what the graph writes as 1933-10-17.
func (r *reader) dates(ctx context.Context, words []word) []span {
	var out []span
	for i := range words {
		month := months[words[i].Lower]
		if month == 0 {
			continue
		}
		for _, form := range dateForms {
			day, year, from, to := form(words, i)
			if day < 1 || day > 31 || year == 0 {
				continue
			}
			found, err := r.p.linker.Link(ctx, fmt.Sprintf("%04d-%02d-%02d", year, month, day))
			if err != nil {
				return out
			}
			text := r.text[words[from].Start:words[to-1].End]
			iso := fmt.Sprintf("%04d-%02d-%02d", year, month, day)
			if j := slices.IndexFunc(found, func(m link.Mention) bool { return m.Text == iso }); j >= 0 {
				m := found[j]
				m.Start, m.End, m.Text = words[from].Start, words[to-1].End, text
				m.Strength = max(m.Strength, 2)
				out = append(out, span{Mention: m, from: from, to: to})
			}
			break
		}
	}
	return out
}

// dateForms read the day and year around a month at word i, and say which words
// they take; a year of 0 is no date.
var dateForms = []func(words []word, i int) (day, year, from, to int){
	func(words []word, i int) (day, year, from, to int) { // October 17th, 1933
		if i+2 >= len(words) {
			return 0, 0, 0, 0
		}
		return dayOf(words[i+1].Lower), yearOf(words[i+2].Lower), i, i + 3
	},
	func(words []word, i int) (day, year, from, to int) { // 17 October 1933, 17th of October 1933
		from = i - 1
		if from > 0 && words[from].Lower == "of" {
			from--
		}
		to = i + 1
		if to < len(words) && (words[to].Lower == "in" || words[to].Lower == "of") {
			to++
		}
		if from < 0 || to >= len(words) {
			return 0, 0, 0, 0
		}
		return dayOf(words[from].Lower), yearOf(words[to].Lower), from, to + 1
	},
}

func dayOf(s string) int {
	for _, suffix := range []string{"st", "nd", "rd", "th"} {
		s = strings.TrimSuffix(s, suffix)
	}
	if len(s) > 2 {
		return 0
	}
	n, _ := strconv.Atoi(s)
	return n
}

func yearOf(s string) int {
	if len(s) != 4 {
		return 0
	}
	n, _ := strconv.Atoi(s)
	return n
}
