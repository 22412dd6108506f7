package eval

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// ReplyScores are the metrics that papers report for the reply of a model, each
// as its authors' code counts it, for one kind of reply: sums over questions.
//
// The papers call different things by one name. "Hits@1" is, in the words of
//
//	SimGRAG    some gold answer, lower-cased, is anywhere in the lower-cased reply
//	           (utils.py:53; KG-GPT counts the same)
//	RoG        the same after normalising, called "Hit" by GNN-RAG (§5, Table 2)
//	GNN-RAG    "H@1": some gold answer is in the reply's first line
//	GSR        "Hits": some line of the reply is a gold answer; its "H@1" is
//	           GNN-RAG's (§4.1)
//
// Normalised means lower case, without ASCII punctuation and without the words
// a, an and the. Substrings count even within words, in the papers as here: gold
// "Iran" is hit by "Tirana".
type ReplyScores struct {
	N    int `json:"n"`
	Said int `json:"said"` // questions with any reply
	// SimGRAG is SimGRAG's "Hits@1".
	SimGRAG float64 `json:"simgrag_hits_at_1"`
	// RoGHit is RoG's "Hits@1" and GNN-RAG's "Hit"; FirstLine is GNN-RAG's and
	// GSR's "H@1".
	RoGHit    float64 `json:"rog_hit"`
	FirstLine float64 `json:"h_at_1"`
	// RoGF1 is the F1 of RoG and GNN-RAG, with precision = gold answers found in
	// the reply / lines of the reply, which may exceed 1.
	RoGF1 float64 `json:"rog_f1"`
	// GSRHits and GSRF1 compare whole lines, so that they are for lists only.
	GSRHits float64 `json:"gsr_hits"`
	GSRF1   float64 `json:"gsr_f1"`
	// AMR is the share of gold answers that the reply has (SG-RAG MOT), case and
	// all. In a text they count as whole names; the paper does not say how it reads
	// one.
	AMR float64 `json:"amr"`
}

// ReplyRow is one kind of reply with its scores.
type ReplyRow struct {
	Reply  string      `json:"reply"`
	List   bool        `json:"list"` // its lines are answers, and not sentences
	Scores ReplyScores `json:"scores"`
}

// Score adds the reply to one question. Its lines are answers, one a line, where
// it is a list, and otherwise the sentences of a text.
func (s *ReplyScores) Score(gold, lines []string, list bool) {
	s.N++
	gold = distinct(gold)
	if len(lines) == 0 {
		return
	}
	s.Said++
	reply := strings.ToLower(strings.Join(lines, "\n"))
	joined, first := normalise(strings.Join(lines, " ")), normalise(lines[0])
	distinctLines := map[string]bool{}
	for _, line := range lines {
		distinctLines[normalise(line)] = true
	}
	distinctGold := map[string]bool{}
	var anywhere, inFirst, found, named, equal int
	for _, g := range gold {
		if strings.Contains(reply, strings.ToLower(g)) {
			anywhere++
		}
		if holds(joined, g) {
			found++
		}
		if holds(first, g) {
			inFirst++
		}
		if slices.ContainsFunc(lines, func(line string) bool { return line == g || !list && len(wholeNames(line, g)) > 0 }) {
			named++
		}
		if n := normalise(g); !distinctGold[n] {
			distinctGold[n] = true
			if distinctLines[n] {
				equal++
			}
		}
	}
	s.SimGRAG += one(anywhere > 0)
	s.RoGHit += one(found > 0)
	s.FirstLine += one(inFirst > 0)
	s.RoGF1 += f1(share(found, len(lines)), share(found, len(gold)))
	s.GSRHits += one(equal > 0)
	s.GSRF1 += f1(share(equal, len(distinctLines)), share(equal, len(distinctGold)))
	s.AMR += share(named, len(gold))
}

func one(yes bool) float64 {
	if yes {
		return 1
	}
	return 0
}

func share(part, of int) float64 {
	if of == 0 {
		return 0
	}
	return float64(part) / float64(of)
}

func f1(precision, recall float64) float64 {
	if precision+recall == 0 {
		return 0
	}
	return 2 * precision * recall / (precision + recall)
}

// holds reports whether a normalised text holds a gold answer, as RoG's match
// does. An answer of nothing but punctuation, which would be in every text, is in
// none.
func holds(text, gold string) bool {
	g := normalise(gold)
	return g != "" && strings.Contains(text, g)
}

// normalise is RoG's normalize: lower case; no ASCII punctuation; no articles;
// single spaces. (Its step for "<pad>" finds nothing, the brackets being gone.)
func normalise(s string) string {
	s = strings.Map(func(r rune) rune {
		if r < utf8.RuneSelf && (unicode.IsPunct(r) || unicode.IsSymbol(r)) {
			return -1
		}
		return r
	}, strings.ToLower(s))
	var b strings.Builder
	for s != "" {
		end := strings.IndexFunc(s, func(r rune) bool { return !wordRune(r) })
		if end < 0 {
			end = len(s)
		}
		if word := s[:end]; word == "a" || word == "an" || word == "the" {
			b.WriteByte(' ')
		} else {
			b.WriteString(word)
		}
		_, size := utf8.DecodeRuneInString(s[end:])
		b.WriteString(s[end : end+size])
		s = s[end+size:]
	}
	return strings.Join(strings.Fields(b.String()), " ")
}

func wordRune(r rune) bool {
	return r == '_' || unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.IsMark(r)
}

// wholeNames returns where a name stands in a text, not within a longer word.
func wholeNames(text, name string) []int {
	if name == "" {
		return nil
	}
	var at []int
	for from := 0; ; {
		i := strings.Index(text[from:], name)
		if i < 0 {
			return at
		}
		start, end := from+i, from+i+len(name)
		before, _ := utf8.DecodeLastRuneInString(text[:start])
		after, _ := utf8.DecodeRuneInString(text[end:])
		first, _ := utf8.DecodeRuneInString(name)
		last, _ := utf8.DecodeLastRuneInString(name)
		if joined := wordRune(before) && wordRune(first) || wordRune(after) && wordRune(last); !joined {
			at = append(at, start)
		}
		from = end
	}
}
