package questions

import (
	"cmp"
	"slices"
	"strings"
	"unicode/utf8"

	"cairn/engine/kg"
	"cairn/engine/lexicon"
)

// spansOf finds names in a text: those that its file gives, and the labels and
// aliases of the entities. A name is found once; longer names come first, and
// spans do not overlap.
func spansOf(g *kg.Graph, text string, given []string, topics []kg.EntityID) []Span {
	written := slices.Clone(given)
	for _, e := range topics {
		written = append(append(written, g.Label(e)), g.Aliases(e)...)
	}
	slices.SortStableFunc(written, func(a, b string) int { return cmp.Compare(len(b), len(a)) })
	words := lexicon.Tokenize(text)
	var out []Span
	done := map[string]bool{}
	for _, name := range written {
		if done[name] {
			continue
		}
		done[name] = true
		for _, s := range occurrences(text, words, name) {
			if !slices.ContainsFunc(out, func(o Span) bool { return s.Start < o.End && o.Start < s.End }) {
				out = append(out, s)
				break
			}
		}
	}
	slices.SortFunc(out, func(a, b Span) int { return cmp.Compare(a.Start, b.Start) })
	return out
}

// occurrences lists where a name stands in a text: letter by letter first, then
// word by word without regard to case and to what stands between the words, which
// takes underscores for spaces and "james k polk" for "James K. Polk".
func occurrences(text string, words []lexicon.Token, name string) []Span {
	var out []Span
	for at := 0; name != ""; {
		i := strings.Index(text[at:], name)
		if i < 0 {
			break
		}
		s := Span{at + i, at + i + len(name)}
		if apart(text, s) {
			out = append(out, s)
		}
		at = s.End
	}
	ns := lexicon.Tokenize(name)
	if len(ns) == 0 {
		return out
	}
	for i := 0; i+len(ns) <= len(words); i++ {
		same := true
		for k := range ns {
			same = same && ns[k].Lower == words[i+k].Lower
		}
		if same {
			out = append(out, Span{words[i].Start, words[i+len(ns)-1].End})
		}
	}
	return out
}

// apart reports whether a span begins and ends between words.
func apart(text string, s Span) bool {
	before, _ := utf8.DecodeLastRuneInString(text[:s.Start])
	first, _ := utf8.DecodeRuneInString(text[s.Start:])
	last, _ := utf8.DecodeLastRuneInString(text[:s.End])
	after, _ := utf8.DecodeRuneInString(text[s.End:])
	within := lexicon.IsWord(before) && lexicon.IsWord(first) || lexicon.IsWord(last) && lexicon.IsWord(after)
	return !within
}
