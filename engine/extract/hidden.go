package extract

import (
	"cmp"
	"regexp"
	"slices"
	"strings"
)

// What of Markdown no model is shown. The rest, tables and emphasis included, it
// reads as it was written, since it has seen much Markdown.
var (
	// Data about the document, at its very beginning.
	frontMatter = regexp.MustCompile(`\A\x{feff}?---[ \t]*\r?\n(?s:.*?)\n---[ \t]*(?:\r?\n|\z)`)
	// What a reader does not see, and so cannot check.
	comment = regexp.MustCompile(`(?s)<!--.*?(?:-->|\z)`)
	// Where a link leads; its text stays.
	linkTarget = regexp.MustCompile(`\]\([^()\n]*(?:\([^()\n]*\)[^()\n]*)*\)`)
	fence      = regexp.MustCompile("^[ \t]{0,3}(```+|~~~+)")
)

// hiddenMarkdown returns what of a Markdown text no model is shown: front matter,
// code in fences, comments, and where links lead.
func hiddenMarkdown(text string) []span {
	var list []span
	if strings.HasPrefix(text, byteOrderMark) {
		list = append(list, span{0, len(byteOrderMark)})
	}
	for _, at := range frontMatter.FindAllStringIndex(text, 1) {
		list = append(list, span{at[0], at[1]})
	}
	list = append(list, fenced(text)...)
	for _, at := range comment.FindAllStringIndex(text, -1) {
		list = append(list, span{at[0], at[1]})
	}
	for _, at := range linkTarget.FindAllStringIndex(text, -1) {
		list = append(list, span{at[0] + 1, at[1]}) // the bracket that ends the link's text stays
	}
	return union(list)
}

// fenced returns the lines of code in fences, the fences included.
func fenced(text string) []span {
	var list []span
	open, from := "", 0
	for at := 0; at < len(text); {
		end := len(text)
		if i := strings.IndexByte(text[at:], '\n'); i >= 0 {
			end = at + i + 1
		}
		m := fence.FindStringSubmatch(text[at:end])
		switch {
		case m == nil:
		case open == "":
			open, from = m[1], at
		case m[1][0] == open[0] && len(m[1]) >= len(open):
			list = append(list, span{from, end})
			open = ""
		}
		at = end
	}
	if open != "" {
		list = append(list, span{from, len(text)})
	}
	return list
}

// union sorts spans and joins those that touch.
func union(list []span) []span {
	slices.SortFunc(list, func(a, b span) int { return cmp.Or(cmp.Compare(a.start, b.start), cmp.Compare(a.end, b.end)) })
	var out []span
	for _, s := range list {
		if n := len(out); n > 0 && s.start <= out[n-1].end {
			out[n-1].end = max(out[n-1].end, s.end)
			continue
		}
		out = append(out, s)
	}
	return out
}
