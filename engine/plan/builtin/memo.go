package builtin

import (
	"slices"

	"cairn/engine/kg"
	"cairn/engine/plan/words"
	"cairn/engine/schema"
)

// memo keeps what scoring asks again and again about one question.
type memo struct {
	topics map[kg.EntityID]*topic
	ranks  map[[2]int][]float64 // by span
	named  map[schema.Step]bool
	ends   map[endKey]namedEnd
	asName map[int]*question // by word
	roles  *namedRoles       // nil where they are not known yet
}

// endKey is a mention at an end of a relation.
type endKey struct {
	relation kg.RelationID
	from, to int
}

// namedEnd is the end of a relation that a question says a mention is, and whether it says so by
// the relation's own words, or by a noun that the lexicon has for an end of it.
type namedEnd struct{ tail, known, own, byNoun bool }

// namedRoles are what question.askedRoles returns.
type namedRoles struct {
	at  []schema.Slot
	own bool
}

func newMemo() memo {
	return memo{topics: map[kg.EntityID]*topic{}, ranks: map[[2]int][]float64{}, named: map[schema.Step]bool{}, ends: map[endKey]namedEnd{}, asName: map[int]*question{}}
}

// topic is what the graph says a named entity is.
type topic struct {
	slots []schema.Slot
	kinds []int // ascending
}

func (t *topic) is(kind int) bool {
	return kg.Holds(t.kinds, kind)
}

func (q *question) topic(e kg.EntityID) *topic {
	t := q.memo.topics[e]
	if t == nil {
		t = &topic{slots: q.p.Slots(e)}
		for _, at := range t.slots {
			t.kinds = append(t.kinds, q.p.schema.Kind(at))
		}
		t.kinds = kg.Distinct(t.kinds)
		q.memo.topics[e] = t
	}
	return t
}

// endOfMention returns which end of a relation a mention is; see scoreEnd.
func (q *question) endOfMention(r kg.RelationID, m words.Span) namedEnd {
	key := endKey{r, m.From, m.To}
	e, isKnown := q.memo.ends[key]
	if !isKnown {
		if e.tail, e.own = q.isTailBehind(r, m); e.own {
			e.known = true
		} else {
			e.tail, e.byNoun, e.known = q.isTailByRole(r, m)
		}
		q.memo.ends[key] = e
	}
	return e
}

func (q *question) ranks(m words.Span) []float64 {
	key := [2]int{m.From, m.To}
	out := q.memo.ranks[key]
	if out == nil {
		out = make([]float64, len(q.Words))
		for i := range out {
			out[i] = q.rank(i, m)
		}
		q.memo.ranks[key] = out
	}
	return out
}

// isNamed reports whether a word names the kind of thing that a step leads to.
func (q *question) isNamed(s schema.Step) bool {
	named, isKnown := q.memo.named[s]
	if !isKnown {
		named = slices.ContainsFunc(q.Words, func(w words.Word) bool { return w.IsKind() && q.NamesSlot(&w, s.To()) })
		q.memo.named[s] = named
	}
	return named
}
