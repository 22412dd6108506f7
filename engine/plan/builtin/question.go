package builtin

import (
	"slices"
	"strings"

	"cairn/engine/kg"
	"cairn/engine/lexicon"
	"cairn/engine/link"
	"cairn/engine/schema"
)

// word is one token of a question and what it says about the graph.
type word struct {
	lexicon.Token
	// mention is the index of the mention that the word is in, or -1.
	mention int
	// silent says that a phrase which ends later has taken the word.
	silent bool
	stop   bool
	weak   bool // no cue of it is strong
	taken  bool // by a comparison: it is no cue
	// weight[s] is the word's weight as a cue for step s.
	weight map[schema.Step]float64
	// names[s] says that the word names what step s leads to.
	names map[schema.Step]bool
	// kinds are the kinds of things that the word names; types the graph's own
	// types, before which kinds give way.
	kinds []int
	types []kg.TypeID
	// heads are the words by which keys of relations call such things.
	heads []string
	// endsGap says that the word ends a phrase with a gap.
	endsGap bool
}

// isCue reports whether the word asks for some step.
func (w *word) isCue() bool { return len(w.weight) > 0 }

// isKind reports whether the word names a kind of thing.
func (w *word) isKind() bool { return len(w.kinds) > 0 || len(w.types) > 0 || len(w.heads) > 0 }

// isPast reports whether the word is a regular past form, which names nothing.
func (w *word) isPast() bool {
	return strings.HasSuffix(w.Lower, "ed") && !strings.HasSuffix(w.Stem, "ed")
}

// span is a mention with the words that it covers: words[from:to].
type span struct {
	link.Mention
	from, to int
}

// overlaps reports whether two spans share a word.
func (a span) overlaps(b span) bool { return a.from < b.to && b.from < a.to }

// maxCues is how many cue words of one question are tried on hops: the trial
// is exponential in them.
const maxCues = 8

// wh is what the question word asks for.
type wh int

const (
	noWh wh = iota
	who
	when
	where
	howMuch // how old, how high: a number that the graph has
	howMany // a number, or a count of things
)

// question is a question as one choice of its mentions reads it.
type question struct {
	p        *Planner
	words    []word
	mentions []span
	cues     []int // words that ask for steps, at most maxCues
	shared   []int // words such as "same" and "share"
	asked    int   // the word for what is asked, or -1
	wh       wh
	// anchor is the word next to the question word, which belongs to the last
	// hop, or -1.
	anchor int
	memo   memo
	cued   []schema.Step // see cuedSteps
}

// newQuestion reads the words of a question with some of its spans taken as
// names.
func (p *Planner) newQuestion(base []word, mentions []span) *question {
	q := &question{p: p, words: slices.Clone(base), mentions: mentions, asked: -1, anchor: -1, memo: newMemo()}
	for i := range q.words {
		q.words[i].mention = -1
	}
	for m, s := range mentions {
		for i := s.from; i < s.to; i++ {
			q.words[i].mention = m
		}
	}
	q.silence()
	for i := range q.words {
		q.readWord(i)
	}
	if len(q.cues) > maxCues {
		q.cues = q.cues[:maxCues]
	}
	q.findTarget()
	return q
}

// silence marks the words that a longer phrase takes: in "place of birth" the
// word "place" asks for nothing by itself.
func (q *question) silence() {
	for i := range q.words {
		if q.words[i].mention >= 0 {
			continue
		}
		for _, c := range q.p.cues.byLast[q.words[i].Stem] {
			if len(c.stems) < 2 || c.gap || !q.matches(i, c) {
				continue
			}
			for j := i - len(c.stems) + 1; j < i; j++ {
				q.words[j].silent = true
			}
		}
	}
}

// matches reports whether the phrase of a cue ends at word i.
func (q *question) matches(i int, c cue) bool {
	if c.gap {
		need := c.stems[:len(c.stems)-1]
		for j := 0; j < i && len(need) > 0; j++ {
			if q.words[j].mention < 0 && q.words[j].Stem == need[0] {
				need = need[1:]
			}
		}
		return len(need) == 0
	}
	start := i - len(c.stems) + 1
	if start < 0 {
		return false
	}
	for j := start; j <= i; j++ {
		if q.words[j].mention >= 0 || q.words[j].Stem != c.stems[j-start] {
			return false
		}
	}
	return true
}

// strongCue is the weight from which a word is missed where no hop takes it.
const strongCue = 0.7

// readWord fills what word i says.
func (q *question) readWord(i int) {
	w := &q.words[i]
	w.weight, w.names, w.kinds, w.types, w.heads = nil, nil, nil, nil, nil
	if w.mention >= 0 || w.silent || w.taken {
		return
	}
	if !w.isPast() {
		w.types = q.typesAt(i)
	}
	if len(w.types) == 0 && !w.isPast() {
		w.kinds = q.p.cues.kinds[w.Stem]
		for _, s := range append([]string{w.Stem}, q.p.lex.KindsOf(w.Stem)...) {
			if q.p.schema.IsHead(s) && !w.stop {
				w.heads = append(w.heads, s)
			}
		}
	}
	strongest := 0.0
	for _, c := range q.p.cues.byLast[w.Stem] {
		if !q.matches(i, c) {
			continue
		}
		if w.weight == nil {
			w.weight, w.names = map[schema.Step]float64{}, map[schema.Step]bool{}
		}
		w.weight[c.step] = max(w.weight[c.step], c.weight)
		if c.role != weakRole {
			strongest = max(strongest, c.weight)
		}
		switch {
		case c.gap && c.role != weakRole:
			w.names[c.step], w.endsGap = true, true
		case w.isPast(): // "awarded" is no award
		case c.role == nounRole, c.role == verbRole && q.namesSlot(w, c.step.To()):
			w.names[c.step] = true
		}
	}
	if w.weight == nil && !w.stop && len(w.types) == 0 {
		for _, s := range q.p.cues.family(w.Stem) {
			if w.weight == nil {
				w.weight, w.names = map[schema.Step]float64{}, map[schema.Step]bool{}
			}
			w.weight[s], w.weight[q.p.schema.Back(s)] = cueWeights.family, cueWeights.family
		}
	}
	w.weak = strongest < strongCue || w.stop
	if w.isCue() {
		q.cues = append(q.cues, i)
	}
	if sharingWords[w.Lower] {
		q.shared = append(q.shared, i)
	}
}

// sharingWords say that a path goes back along the hop that it came by: "films
// that share an actor with X".
var sharingWords = map[string]bool{
	"same": true, "share": true, "shared": true, "shares": true, "also": true, "together": true,
	"co": true, "common": true, "alongside": true, "another": true, "other": true, "too": true,
}

// typesAt returns the graph's own types whose label ends at word i; a longer
// label hides a shorter one.
func (q *question) typesAt(i int) []kg.TypeID {
	var found []kg.TypeID
	longest := 0
	for _, t := range q.p.cues.types[q.words[i].Stem] {
		if len(t.stems) < longest || !q.matches(i, cue{stems: t.stems}) {
			continue
		}
		if len(t.stems) > longest {
			longest, found = len(t.stems), nil
		}
		found = append(found, t.id)
	}
	return found
}

// typeShareMin is the share of a slot that must have a type for the type's
// name to name the slot.
const typeShareMin = 0.02

// namesSlot reports whether a word names the kind of thing in a slot.
func (q *question) namesSlot(w *word, at schema.Slot) bool {
	for _, t := range w.types {
		if q.p.schema.Types(at)[t] >= typeShareMin {
			return true
		}
	}
	if len(w.heads) > 0 && q.p.schema.HeadShare(at) != nil {
		return slices.ContainsFunc(w.heads, func(h string) bool { return q.p.schema.HeadShare(at)[h] >= headShareMin })
	}
	return slices.Contains(w.kinds, q.p.schema.Kind(at))
}

// typedMin is the share of a slot's entities that must have a type for their
// types to count against a word.
const typedMin = 0.5

// contradicts reports whether a word is a type of the graph, and not that of
// what is in a slot: "city" may ask for where something lies, but where the graph
// says what its cities are, a country is none.
func (q *question) contradicts(w *word, at schema.Slot) bool {
	if len(w.types) == 0 || q.p.schema.Typed(at) < typedMin {
		return false
	}
	return !slices.ContainsFunc(w.types, func(t kg.TypeID) bool { return q.p.schema.Types(at)[t] >= typeShareMin })
}

// headShareMin is typeShareMin for what the keys of relations call things: not
// every thing has such a relation.
const headShareMin = 0.1

// namesEntity reports whether a word names the kind of thing that e is.
func (q *question) namesEntity(w *word, e kg.EntityID, slots []schema.Slot) bool {
	for _, t := range w.types {
		if slices.Contains(q.p.g.Types(e), t) {
			return true
		}
	}
	if len(w.heads) > 0 {
		if heads := q.p.schema.HeadsOf(e); len(heads) > 0 {
			return slices.ContainsFunc(w.heads, func(h string) bool { return slices.Contains(heads, h) })
		}
	}
	return slices.ContainsFunc(slots, func(at schema.Slot) bool { return slices.Contains(w.kinds, q.p.schema.Kind(at)) })
}
