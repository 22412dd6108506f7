package builtin

import (
	"slices"
	"strings"

	"cairn/engine/lexicon"
	"cairn/engine/plan/words"
	"cairn/engine/schema"
)

// A noun with a clause: "Where is the company that X works for?" asks for the place of
// the company, and the clause only says which company.

// relatives begin clauses.
var relatives = []string{"that", "which", "who", "whom", "whose"}

// findClause returns the first word of the clause that says which thing the question
// word asks about, or the length of the question.
func (q *question) findClause() int {
	none := len(q.Words)
	if q.wh != where && q.wh != when && q.wh != howMuch {
		return none
	}
	be := slices.IndexFunc(q.Words, func(w words.Word) bool { return isBe(w.Lower) })
	if be < 1 || be > 2 || be+2 >= none || !q.has(be+1, be+2, "the", "a", "an") {
		return none
	}
	for i := be + 3; i < none; i++ {
		w := &q.Words[i]
		switch {
		case w.Mention < 0 && q.has(i, i+1, relatives...):
			return i
		case w.Mention >= 0 && q.Words[i-1].Mention < 0:
			// "the company X owns": a name right after the noun, and a verb after it.
			to := q.Mentions[w.Mention].To
			if to >= none || q.Words[to].Stop || !q.isNoun(i-1) {
				return none
			}
			if v := &q.Words[to]; q.IsApposition(i-1) && (!strings.HasSuffix(v.Lower, "s") || v.Stem == v.Lower) {
				return none // "the film X released"
			}
			return i
		}
	}
	return none
}

// asksAgain reports whether a verb before a clause and words in it ask for one step: "who trained the person who taught X"
// asks for two.
func (q *question) asksAgain(st schema.Step) bool {
	asks := func(ws []words.Word, isVerb bool) bool {
		return slices.ContainsFunc(ws, func(w words.Word) bool {
			return w.Mention < 0 && !w.Stop && w.Weight[st] > 0 && (!isVerb || w.IsPast() && !w.IsKind())
		})
	}
	return slices.ContainsFunc(upTo(2, len(q.Words)), func(i int) bool {
		return q.has(i, i+1, relatives...) && asks(q.Words[:i], true) && asks(q.Words[i+1:], false)
	})
}

// asksBefore reports whether a word before the clause, but for the noun that the clause
// is of, asks for one of some steps: they lead to what is asked, and not only to what
// the clause is of. Words after the name of "that owns X", and after the verb of "that X
// owns", are none of the clause.
func (q *question) asksBefore(last []schema.Step) bool {
	after := len(q.Words)
	if len(q.Mentions) > 0 {
		after = max(q.clause, q.Mentions[0].To)
		if q.Mentions[0].From <= q.clause+1 {
			stops := func() {
				for after < len(q.Words) && q.Words[after].Stop {
					after++
				}
			}
			stops()
			after++ // the verb
			stops()
		}
	}
	for i := range q.Words {
		if i >= q.clause-1 && i < after {
			continue
		}
		if slices.ContainsFunc(last, func(s schema.Step) bool { return q.Words[i].Weight[s] > 0 }) {
			return true
		}
	}
	return false
}

// unheeded returns the phrases and, in a reading of many conditions, the words that
// ask for steps of which the reading has none. In a clause "works for" does, though it
// ends in a word that most questions have.
func (pr *proposal) unheeded() (out []string) {
	q := pr.q
	for _, c := range q.Cues {
		w := &q.Words[c]
		phrase := c > 0 && q.Words[c-1].Silent && !q.Words[c-1].Stop
		inClause := c > 2 && q.has(2, c, relatives...)
		if asks := phrase && inClause || pr.unmet != nil && (phrase || !w.Stop); !asks || !w.AsksStrongly() {
			continue
		}
		role := q.has(c+1, min(c+2, len(q.Words)), "of") // "the mentor of" is more than a kind of thing
		heard := slices.ContainsFunc(pr.shape.hops(), func(h hop) bool {
			return w.Weight[h.step] > 0 || w.Weight[q.p.schema.Back(h.step)] > 0 || !role && q.NamesSlot(w, h.step.To())
		})
		if heard || w.IsKind() && c+1 < len(q.Words) && q.Words[c+1].Mention >= 0 {
			continue
		}
		if phrase {
			out = append(out, q.Words[c-1].Text+" "+w.Text)
		} else {
			out = append(out, w.Text)
		}
	}
	return out
}

// missesOf returns the noun that an "of" ties to a name, as in "the mentor of X", where
// the leg from the name begins with another hop; "" where there is none.
func (q *question) missesOf(s *shape) string {
	for i, l := range s.legs {
		m := q.Mentions[l.mention]
		of := q.ofBefore(m)
		if of < 1 || m.To < len(q.Words) && q.Words[m.To].Lower == lexicon.Possessive {
			continue
		}
		chain := s.chain(i)
		if len(chain) < 2 {
			continue // nothing else to be read as
		}
		first := chain[:1]
		if q.p.schema.IsMediator(chain[0].To()) {
			first = chain[:2]
		}
		w := &q.Words[of-1]
		asks := func(list []schema.Step) bool {
			return slices.ContainsFunc(list, func(st schema.Step) bool { return w.Weight[st] >= words.StrongCue })
		}
		if w.Mention < 0 && !w.Stop && !asks(first) && asks(chain) {
			return w.Text
		}
	}
	return ""
}

// ofBefore returns the "of" that stands before a name, or -1.
func (q *question) ofBefore(m words.Span) int {
	i := q.beforeThe(m.From) - 1
	if i < 0 || q.Words[i].Lower != "of" {
		return -1
	}
	return i
}

// asksForKinds reports whether a question asks for the kinds of something, "which kinds
// of soup are there", where a shape leads to what kind of thing that itself is.
func (q *question) asksForKinds(s *shape) bool {
	for i, l := range s.legs {
		of := q.ofBefore(q.Mentions[l.mention])
		if chain := s.chain(i); of < 1 || len(chain) == 0 || chain[0].IsBack() {
			continue
		}
		if w := &q.Words[of-1]; w.Lower != w.Stem && slices.Contains([]string{"kind", "type", "sort"}, w.Stem) {
			return true
		}
	}
	return false
}
