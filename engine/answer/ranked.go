package answer

import (
	"fmt"
	"slices"
	"strings"

	"cairn/engine/evidence"
	"cairn/engine/kg"
	"cairn/engine/plan"
	"cairn/engine/say"
	"cairn/internal/wording"
)

// maxParallel is how many triples of one hop a clause says, where several relations
// join the same two entities.
const maxParallel = 3

// Ranked makes the answer of a question from what a retriever found around the
// entities that the question names, such as a trained network: the entities with
// their scores, and a path of triples to each, or a refusal where nothing was found.
//
// What a network takes for likely is not what the graph says, and no sentence
// pretends so: the ranking is a note, with the triples of the best paths to look
// at; the sentences after it say no more than these triples do, worded by
// TripleText, and are Covered.
//
// reading is the one of the plan that was followed, negative for none.
func Ranked(g *kg.Graph, p *plan.Plan, reading int, r Found) *Answer {
	if len(r.Answers) == 0 {
		return notRanked(g, p, reading, r)
	}
	k := &ranked{draft{g: g, f: r}}
	k.collect()
	k.a.Sentences = append(k.sentences(), sameSeeds(g, p)...)
	withNotes(&k.a, r.Notes)
	k.a.Sentences = append(k.a.Sentences, incomplete(r.Completeness)...)
	return covered(&k.a)
}

// ranked is an answer out of a ranking in the making.
type ranked struct{ draft }

// collect fills the items, the count and the pack: first the triples of the best
// paths, in the order of the answers, then those of other paths.
func (k *ranked) collect() {
	var further []evidence.Candidate
	for _, s := range k.f.Answers {
		item := Item{Entity: s.Entity, Label: say.Readable(s.Value), Matches: len(s.Supports)}
		if s.Entity != kg.NoEntity {
			item.Label = say.Name(k.g, s.Entity)
		}
		if s.Score.Scale == evidence.Probability {
			item.Distance, item.Probability = 1-s.Score.Value, s.Score.Value
		}
		k.a.Items = append(k.a.Items, item)
		var best evidence.Candidate
		if paths := k.f.SupportsOf(s); len(paths) > 0 {
			var more []evidence.Candidate
			best, more = k.shown(s, paths)
			further = append(further, more...)
		}
		k.best = append(k.best, best)
	}
	k.cite(further)
}

// shown are the triples that an answer is shown with, and the other paths to it. An
// entity is shown with its best path, a value with the first of all that make it up.
func (k *ranked) shown(s evidence.Answer, paths []evidence.Candidate) (best evidence.Candidate, more []evidence.Candidate) {
	if s.Entity != kg.NoEntity {
		return paths[0], paths[1:]
	}
	n := min(len(paths), MaxNames)
	for _, p := range paths[:n] {
		best.Edges, best.Hops = append(best.Edges, p.Edges...), append(best.Hops, p.Hops...)
	}
	return best, paths[n:]
}

// sentences words the answer.
func (k *ranked) sentences() []Sentence {
	out := []Sentence{k.lead()}
	if len(k.a.Items) > 1 && k.likely() && !k.f.Reads && evidence.TotalProbability(k.f.Answers) <= 1+1e-6 {
		out = append(out, note("The probabilities of all entities examined add up to at most 1, so several correct answers have to share it."))
	}
	if len(k.a.Items) > 1 {
		n := min(len(k.a.Items), MaxNames)
		names, cites := listed(k.a.Items[:n], n, k.label)
		if text, ok := k.shared(names); ok {
			return append(out, Sentence{Text: text, Citations: cites})
		}
	}
	said := 0
	var unfound []string
	for i, b := range k.best {
		switch {
		case len(b.Nodes)+len(b.Edges) == 0:
			unfound = append(unfound, k.label(i))
		case said < maxExplained:
			out = append(out, k.reasoning(i))
			said++
		}
	}
	out = append(out, more(len(k.best)-len(unfound)-said)...)
	if len(unfound) > 0 {
		out = append(out, note(fmt.Sprintf("No path in the graph leads from the question to %s, so there is no triple to check.", wording.Few(unfound, maxExplained))))
	}
	return out
}

// lead lists the answers as what they are: a ranking. It says nothing of the world,
// so that it is a note, but it cites what there is to look at.
func (k *ranked) lead() Sentence {
	names, cites := listed(k.a.Items, k.a.Count, func(i int) string { return k.label(i) + k.score(i) })
	lead := "Ranked by " + k.f.Who + ", most likely first: "
	switch {
	case !k.likely():
		lead = "Found by " + k.f.Who + ": "
	case len(names) == 1:
		lead = "The most likely answer, as ranked by " + k.f.Who + ": "
	}
	s := note(lead + wording.List(names) + ".")
	s.Citations = cites
	return s
}

// likely reports whether the answers have probabilities.
func (k *ranked) likely() bool { return k.f.Answers[0].Score.Scale == evidence.Probability }

// score says the score of an item, with its scale.
func (k *ranked) score(i int) string {
	switch s := k.f.Answers[i].Score; s.Scale {
	case evidence.Probability:
		return " (probability " + evidence.ProbabilityText(s.Value) + ")"
	case evidence.Distance:
		return fmt.Sprintf(" (distance %.2f, 0 is exact)", s.Value)
	case evidence.Conditions:
		return " (" + wording.Count(int(s.Value), "condition met", "conditions met") + ")"
	case evidence.NoScale:
	}
	return ""
}

// reasoning says the triples of the best path to an answer, one after the other.
func (k *ranked) reasoning(i int) Sentence {
	path := k.best[i]
	s := Sentence{Citations: []int{}}
	var said []string
	for h := range path.Hops {
		hop := path.Hop(h)
		for _, t := range hop[:min(len(hop), maxParallel)] {
			n := k.a.Pack.Number(t)
			if slices.Contains(s.Citations, n) {
				continue
			}
			s.Citations = append(s.Citations, n)
			said = append(said, marked(say.Triple(k.g, t), []int{n}))
		}
	}
	if len(said) == 0 {
		return note(k.label(i) + " is named in the question itself.")
	}
	s.Text = say.Capital(strings.Join(said, "; ")) + "."
	return s
}

// sameSeeds warns of names in the question that stand for several entities.
func sameSeeds(g *kg.Graph, p *plan.Plan) []Sentence {
	var order []string
	meant := map[string][]kg.EntityID{}
	for _, e := range p.Seeds {
		l := say.Name(g, e)
		if meant[l] == nil {
			order = append(order, l)
		}
		meant[l] = append(meant[l], e)
	}
	var out []Sentence
	for _, l := range order {
		if len(meant[l]) > 1 {
			out = append(out, takenFor(g, l, meant[l]))
		}
	}
	return out
}

// notRanked refuses a question for which nothing was found.
func notRanked(g *kg.Graph, p *plan.Plan, reading int, r Found) *Answer {
	if len(p.Seeds) == 0 || g.Triples() == 0 {
		unread := *p
		unread.Doubt = plan.NoMention
		return withNotes(notRead(g, &unread), r.Notes)
	}
	var names []string
	for _, e := range p.Seeds {
		if n := say.Name(g, e); !slices.Contains(names, n) {
			names = append(names, n)
		}
	}
	around := wording.Few(names, MaxNames)
	refused := &Refusal{Reason: fmt.Sprintf("Not found in this graph: nothing can be reached from %s.", around)}
	if followed(p, reading) != nil {
		refused.Reason = fmt.Sprintf("Not found in this graph: “%s” leads to nothing.", say.Readable(p.Readings[reading].Text))
	} else if n := r.Region.Entities - len(p.Seeds); n > 0 {
		refused.Reason = fmt.Sprintf("Not found in this graph: %s found no answer among %s around %s.", r.Who, wording.Count(n, "entity", "entities"), around)
	}
	if p.Reason != "" {
		refused.Reason += " " + strings.TrimSuffix(wording.OneLine(p.Reason), ".") + "."
	}
	for _, e := range p.Seeds[:min(len(p.Seeds), maxExplained)] {
		refused.Missing = append(refused.Missing, Missing{What: "relation", Text: "no answer around " + say.Name(g, e), Closest: has(g, e)})
	}
	refused.Missing = append(refused.Missing, unnamed(g, p)...)
	return withNotes(refusal(refused), r.Notes)
}

// withNotes appends sentences about the retriever.
func withNotes(a *Answer, notes []string) *Answer {
	for _, n := range notes {
		a.Sentences = append(a.Sentences, note(wording.OneLine(n)))
	}
	return a
}
