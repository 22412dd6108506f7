package words

import (
	"slices"
	"strings"

	"cairn/engine/kg"
	"cairn/engine/lexicon"
	"cairn/engine/link"
	"cairn/internal/wording"
)

// wholeName is the name of a relation that holds a word which would be an operator elsewhere, as
// "latest release", "average score", "fee per day" and "not allowed in" do: where a question has them together,
// they are one word, which asks for that relation, and no superlative, sum or denial.
type wholeName []string // its words but for little ones at its ends

// longestWhole is how many words such a name has at most.
const longestWhole = 4

// wholeNames returns the whole names of relations by their first words.
func wholeNames(lex *lexicon.Lexicon, mappings []Mapping) map[string][]wholeName {
	out := map[string][]wholeName{}
	for _, m := range mappings {
		if w, ok := wholeNameOf(lex, m); ok {
			out[w[0]] = append(out[w[0]], w)
		}
	}
	for _, ws := range out {
		slices.SortStableFunc(ws, func(a, b wholeName) int { return len(b) - len(a) })
	}
	return out
}

// wholeNameOf returns the whole name of a relation, where it is one.
func wholeNameOf(lex *lexicon.Lexicon, m Mapping) (w wholeName, ok bool) {
	w = m.Words
	little := func(s string) bool { return lex.IsStop(s) && !operates(s) }
	for len(w) > 0 && little(w[0]) {
		w = w[1:]
	}
	for len(w) > 0 && little(w[len(w)-1]) {
		w = w[:len(w)-1]
	}
	if last := len(w) - 1; last > 1 && len(kg.UnitsWritten(w[last]))+len(kg.UnitsOf("°"+strings.ToUpper(w[last]))) > 0 { // "avg temp C"
		w = w[:last]
	}
	w = wording.Each(w, fullOperator)
	return w, len(w) > 1 && len(w) <= longestWhole && slices.ContainsFunc(w, operates) && !operates(w[len(w)-1])
}

// fullOperator returns the operator that a word of a relation's name is short for, "average" for
// "avg", or else the word.
func fullOperator(w string) string {
	for _, full := range []string{"average", "maximum", "minimum", "total"} {
		if len(w) > 2 && isShortFor(w, full) {
			return full
		}
	}
	return w
}

// operates reports whether a word would be an operator where it is part of no name.
func operates(w string) bool { return lexicon.IsSuperlative(w) || operating[w] || negating[w] }

var (
	operating = func() map[string]bool {
		ws := lexicon.Words("ordinals", "sums", "averages", "medians", "minima", "maxima")
		for w := range ws {
			if prepositions[w] || w == "possible" {
				delete(ws, w)
			}
		}
		ws["most"], ws["least"], ws["fewest"], ws["per"] = true, true, true, true
		return ws
	}()
	negating = lexicon.WordSet("not no never non without")
)

// stem is how the name stems as the one word that it is.
func (w wholeName) stem() string {
	return strings.Join(wording.Each(w, lexicon.Stem), " ")
}

// at returns the end of the name at token i, 0 where it is not there. Articles may stand between.
func (w wholeName) at(tokens []lexicon.Token, i int) int {
	for k, own := range w {
		for k > 0 && i < len(tokens) && articles[tokens[i].Lower] {
			i++
		}
		if i >= len(tokens) || tokens[i].Lower != own && (operates(own) || tokens[i].Stem != lexicon.Stem(own)) {
			return 0
		}
		i++
	}
	return i
}

var articles = lexicon.WordSet("a an the")

// joinNames makes one word of each whole name in a question, and of what the graph writes as one. "The highest score" of nothing that is
// named asks for the highest of all highest scores: then the operator stands before the name as well.
func (v *Vocabulary) joinNames(text string, tokens []lexicon.Token, mentions []link.Mention) []lexicon.Token {
	named := func(from, to int) bool {
		return slices.ContainsFunc(mentions, func(m link.Mention) bool {
			return m.Strength >= LikelyStrength && m.Start < tokens[to-1].End && tokens[from].Start < m.End
		})
	}
	var out []lexicon.Token
	for i := 0; i < len(tokens); i++ {
		end := 0
		if last := len(out) - 1; last >= 0 && v.isInTwo(out[last].Lower, tokens[i].Lower) && !named(i-1, i+1) {
			t := &out[last]
			t.Text, t.Lower, t.End = text[t.Start:tokens[i].End], t.Lower+tokens[i].Lower, tokens[i].End
			t.Stem = lexicon.Stem(t.Lower)
			continue
		}
		for _, w := range v.whole[tokens[i].Lower] {
			if end = w.at(tokens, i); end > 0 && !named(i, end) {
				t := tokens[i]
				t.Text, t.Lower, t.Stem, t.End = text[t.Start:tokens[end-1].End], strings.Join(w, " "), w.stem(), tokens[end-1].End
				if operates(tokens[i].Lower) && !negating[tokens[i].Lower] && isOfAll(tokens, i, end, named) {
					out = append(out, tokens[i])
				}
				out = append(out, t)
				i = end - 1
				break
			}
			end = 0
		}
		if end == 0 {
			out = append(out, tokens[i])
		}
	}
	return out
}

// isInTwo reports whether two words that stand side by side are one in the graph: "co-sponsor", of a relation, and
// "call-outs", of a type.
func (v *Vocabulary) isInTwo(first, second string) bool {
	stem := lexicon.Stem(first + second)
	return first == "co" && len(v.called[stem]) > 0 || len(first) > 2 && len(second) > 2 && v.cues.isType(stem)
}

// isOfAll reports whether a whole name, tokens [from, to), is compared among all things that have it:
// "which club has the highest score", and not "a highest score above 70" and "the highest score of X".
func isOfAll(tokens []lexicon.Token, from, to int, named func(from, to int) bool) bool {
	if from == 0 || tokens[from-1].Lower != "the" {
		return false
	}
	if slices.ContainsFunc(tokens[to:], func(t lexicon.Token) bool { return strings.ContainsAny(t.Lower, "0123456789") }) {
		return false
	}
	asksValue := asksOfValue[tokens[0].Lower]
	for i := to; i < len(tokens); i++ {
		if named(i, i+1) {
			return !asksValue && i > to && tokens[to].Lower != "of" && tokens[to].Lower != "for"
		}
	}
	return true
}

// asksOfValue are the first words of questions for what something has, and not for what has it.
var asksOfValue = lexicon.WordSet("what when how where the")
