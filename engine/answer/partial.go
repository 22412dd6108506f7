package answer

import (
	"fmt"
	"slices"
	"strings"

	"cairn/engine/evidence"
	"cairn/engine/kg"
	"cairn/engine/say"
	"cairn/internal/wording"
)

// maxJoins is how many triples say how an answer is next to what the question names.
const maxJoins = 6

// ranked reports whether the answers are told apart by the conditions that they meet:
// then they are in their order already.
func (d *direct) ranked() bool { return len(d.f.Conditions) > 0 }

// withConditions returns the candidates with the triples, too, by which answers meet
// what the pattern does not have.
func (d *direct) withConditions() []evidence.Candidate {
	cs := slices.Clone(d.f.Candidates)
	for _, a := range d.f.Answers {
		for _, s := range a.Supports {
			if s < 0 || s >= len(cs) {
				continue
			}
			var more []kg.TripleID
			for _, o := range a.Outcomes {
				more = append(more, o.Triples...)
			}
			if d.f.Completeness == evidence.Fallback {
				more = append(more, d.joins(a.Entity, cs[s])...)
			}
			more = slices.DeleteFunc(more, func(t kg.TripleID) bool { return slices.Contains(cs[s].Edges, t) })
			cs[s].Edges = slices.Concat(cs[s].Edges, more)
		}
	}
	return cs
}

// joins are triples that join an entity to what the question names, as a candidate has it.
func (d *direct) joins(e kg.EntityID, c evidence.Candidate) (ts []kg.TripleID) {
	for i, n := range c.Nodes {
		if n == kg.NoEntity || i >= len(d.p.Nodes) || d.p.Nodes[i].Variable {
			continue
		}
		for _, es := range [][]kg.Edge{d.g.Out(e), d.g.In(e)} {
			for _, x := range es {
				if x.Entity == n && len(ts) < maxJoins && !slices.Contains(ts, x.Triple) {
					ts = append(ts, x.Triple)
				}
			}
		}
	}
	return ts
}

// partial words answers that do not meet every condition: how many they do, then for
// each what says so and what is left open.
func (d *direct) partial() []Sentence {
	all, met := len(d.f.Conditions), d.f.Answers[0].CountMet()
	alone := len(d.a.Items) == 1
	names, cites := listed(d.a.Items, d.a.Count, d.label)
	lead := note(fmt.Sprintf("No answer meets %s. The closest meet %d: %s.", wording.Every(all, "condition", "conditions"), met, wording.List(names)))
	switch {
	case d.f.Completeness == evidence.Fallback:
		lead = note("Nothing meets any condition of the question. Linked to most of its names: " + wording.List(names) + ".")
	case met == all:
		lead = note(fmt.Sprintf("Not every answer meets %s; the first do: %s.", wording.Every(all, "condition", "conditions"), wording.List(names)))
	case alone:
		lead = note(fmt.Sprintf("No answer meets %s. %s meets %d.", wording.Every(all, "condition", "conditions"), marked(d.label(0), d.a.Items[0].Citations), met))
	}
	lead.Citations = cites
	out := []Sentence{lead}
	for i := range min(len(d.a.Items), maxExplained) {
		if len(d.a.Items[i].Citations) > 0 {
			out = append(out, d.oneSentence(i, alone))
		}
		if left := d.leftOpen(i, alone); left != "" {
			out = append(out, note(left))
		}
	}
	out = slices.Concat(out, more(d.a.Count-maxExplained), approximate(d.g, d.p, d.best[0]), d.namesakes())
	if c := d.f.Completeness; c != evidence.Relaxed && c != evidence.Fallback { // said already
		out = append(out, incomplete(c)...)
	}
	return out
}

// leftOpen says which conditions an answer does not meet, and which the graph says
// nothing of; "" where it meets all.
func (d *direct) leftOpen(i int, alone bool) string {
	at := slices.IndexFunc(d.f.Answers, func(a evidence.Answer) bool { return a.Entity == d.a.Items[i].Entity })
	if at < 0 {
		return ""
	}
	left := map[evidence.Status][]string{}
	for c, o := range d.f.Answers[at].Outcomes {
		if c < len(d.f.Conditions) {
			left[o.Status] = append(left[o.Status], say.Readable(d.f.Conditions[c].Text))
		}
	}
	lead := "For " + d.label(i) + ", "
	if alone {
		lead = ""
	}
	var said []string
	for _, s := range []evidence.Status{evidence.Unmet, evidence.Unknown} {
		if texts := left[s]; len(texts) > 0 {
			said = append(said, s.Words()+": "+wording.List(texts))
		}
	}
	if len(said) == 0 {
		return ""
	}
	return wording.Capital(lead + strings.Join(said, "; ") + ".")
}
