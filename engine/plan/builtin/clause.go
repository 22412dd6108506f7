package builtin

import (
	"slices"

	"cairn/engine/lexicon"
	"cairn/engine/plan/words"
	"cairn/engine/schema"
)

// relatives begin clauses.
var relatives = []string{"that", "which", "who", "whom", "whose"}

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
