package words

import (
	"slices"
	"strings"

	"cairn/engine/kg"
	"cairn/engine/lexicon"
	"cairn/engine/link"
	"cairn/engine/pattern"
	"cairn/engine/plan"
	"cairn/engine/schema"
)

// Choice says that a word, or a phrase, asks for one relation of a graph and for no
// other, as the user chose. It overrules names, the lexicon and meanings.
type Choice struct {
	Word        string `json:"word"`     // as it stood in a question
	RelationKey string `json:"relation"` // a choice of a relation that the graph lacks says nothing
}

// IsOf reports whether a choice is of a word in any of its forms: "made" for "make".
func (c Choice) IsOf(word string) bool {
	return slices.Equal(lexicon.Stems(c.Word), lexicon.Stems(word))
}

// passive is the word after a verb with which it asks for the same: "made by" as "made".
const passive = "by"

// choose has the words of a choice ask for its relation alone, but where they end a longer
// phrase that says something else: a "lead actor" is no "voice actor".
func (c *compiler) choose(choice Choice, mappings []Mapping) {
	stems := lexicon.Stems(choice.Word)
	i := slices.IndexFunc(mappings, func(m Mapping) bool { return c.s.Graph().RelationKey(m.Relation) == choice.RelationKey })
	if i < 0 || len(stems) == 0 {
		return
	}
	m := mappings[mappings[i].SameAs]
	c.sayWholeNames(stems, m.Relation, mappings)
	by := append(slices.Clone(stems), passive)
	ofWord := func(q cue) bool { return !q.gap && (slices.Equal(q.stems, stems) || slices.Equal(q.stems, by)) }
	asks := false
	for _, last := range []string{stems[len(stems)-1], passive} {
		c.t.byLast[last] = slices.DeleteFunc(c.t.byLast[last], func(q cue) bool { return ofWord(q) && q.step.Relation() != m.Relation })
		for i, q := range c.t.byLast[last] {
			c.t.byLast[last][i].chosen = ofWord(q)
			asks = asks || slices.Equal(q.stems, stems) && ofWord(q) && q.weight >= StrongCue
		}
	}
	if asks {
		return
	}
	ahead, role, back := c.ownWay(m)
	tokens := lexicon.Tokenize(choice.Word)
	if last := tokens[len(tokens)-1].Lower; !c.lex.Is(lexicon.Verb, last) && !lexicon.IsVerbForm(last) {
		role = nounRole
	}
	c.addCue(cue{stems: stems, step: ahead, weight: cueWeights.own, role: role, chosen: true})
	c.addCue(cue{stems: stems, step: ahead.Back(), weight: cueWeights.own * back, role: verbRole, chosen: true})
}

// sayWholeNames has the other relations whose names have more words than those of a choice
// be asked for by the whole name.
func (c *compiler) sayWholeNames(stems []string, chosen kg.RelationID, mappings []Mapping) {
	for _, m := range mappings {
		name, says := lexicon.Stems(m.Name), 0
		for _, t := range lexicon.Tokenize(m.Name) {
			if !c.lex.IsStop(t.Lower) {
				says++
			}
		}
		lacks := func(stem string) bool { return !slices.Contains(name, stem) }
		if m.SameAs != m.Relation || m.Relation == chosen || says <= len(stems) || slices.ContainsFunc(stems, lacks) {
			continue
		}
		ahead, _, back := c.ownWay(m)
		c.addCue(cue{stems: name, step: ahead, weight: cueWeights.own, role: nounRole})
		c.addCue(cue{stems: name, step: ahead.Back(), weight: cueWeights.own * back, role: verbRole})
	}
}

// isInPhrase reports whether a cue that the user chose is the end of a longer phrase at
// word i, which says something else.
func (q *Question) isInPhrase(i int, chosen cue) bool {
	return slices.ContainsFunc(q.voc.cues.byLast[q.Words[i].Stem], func(c cue) bool {
		return !c.chosen && !c.gap && len(c.stems) > len(chosen.stems) && q.matches(i, c)
	})
}

// Teaches returns what the choice of one reading of a question over another teaches: the
// one word that asks for a relation which only the chosen one has. Where no word does, or
// several, or the readings have the same relations, it teaches nothing. The other one is
// nil where there is none.
func (v *Vocabulary) Teaches(question string, mentions []link.Mention, chosen, other *pattern.Pattern) (Choice, bool) {
	had := v.relationsOf(other)
	only := slices.DeleteFunc(v.relationsOf(chosen), func(r kg.RelationID) bool { return slices.Contains(had, r) })
	if len(only) != 1 {
		return Choice{}, false
	}
	var otherwise []plan.Word
	if other != nil {
		otherwise = v.Mark(question, mentions, other)
	}
	asks := func(w plan.Word) bool {
		if w.Role == plan.Unread {
			return true
		}
		return w.Role == plan.Related && v.isCalled(only[0], w.For) && !slices.ContainsFunc(otherwise, func(o plan.Word) bool {
			return o.Start == w.Start && o.Role == w.Role && o.For == w.For
		})
	}
	marked := v.Mark(question, mentions, chosen)
	from := slices.IndexFunc(marked, asks)
	if from < 0 {
		return Choice{}, false
	}
	to := from + 1
	for to < len(marked) && asks(marked[to]) && marked[to].For != "" && marked[to].For == marked[from].For {
		to++
	}
	if slices.ContainsFunc(marked[to:], asks) {
		return Choice{}, false
	}
	word := question[marked[from].Start:marked[to-1].End]
	if verb, ok := strings.CutSuffix(word, " "+passive); ok {
		word = verb
	}
	if tokens := lexicon.Tokenize(word); len(tokens) == 0 || !slices.ContainsFunc(tokens, func(t lexicon.Token) bool { return !v.lex.IsStop(t.Lower) }) {
		return Choice{}, false
	}
	return Choice{Word: word, RelationKey: v.g.RelationKey(only[0])}, true
}

// relationsOf returns the relations of a pattern, one for those that say the same.
func (v *Vocabulary) relationsOf(p *pattern.Pattern) (out []kg.RelationID) {
	if p == nil {
		return nil
	}
	for _, e := range p.AllEdges() {
		for _, r := range e.Fixed {
			if r = v.mappings[r].SameAs; !slices.Contains(out, r) {
				out = append(out, r)
			}
		}
	}
	return out
}

// isCalled reports whether a relation, or one that says the same, has a name.
func (v *Vocabulary) isCalled(r kg.RelationID, name string) bool {
	return slices.ContainsFunc(v.mappings, func(m Mapping) bool { return m.SameAs == r && m.Name == name })
}

// asksByChoice reports whether the user chose what a word, by its stem, asks for, and
// whether that is r.
func (v *Vocabulary) asksByChoice(r kg.RelationID, stem string) (chosen, asks bool) {
	for _, c := range v.cues.byLast[stem] {
		if c.chosen && len(c.stems) == 1 {
			return true, c.step.Relation() == v.schema.Canonical(schema.Forward(r)).Relation()
		}
	}
	return false, false
}
