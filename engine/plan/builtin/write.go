package builtin

import (
	"fmt"
	"strings"

	"cairn/engine/evidence"
	"cairn/engine/kg"
	"cairn/engine/pattern"
	"cairn/engine/plan"
)

// write makes a reading of a proposal.
func (p *Planner) write(pr *proposal) plan.Reading {
	w := writer{p: p, pr: pr, pat: &pattern.Pattern{Asked: -1, Reuse: pr.reuse}}
	w.writeNodes()
	return plan.Reading{
		Pattern: w.pat, Score: pr.score, Explanation: p.explain(pr),
		Text: w.text(), Unused: pr.unusedWords(),
	}
}

// writer writes one proposal as a pattern.
type writer struct {
	p   *Planner
	pr  *proposal
	pat *pattern.Pattern
}

func (w *writer) writeNodes() {
	s := &w.pr.shape
	meet := -1
	for i, l := range s.legs {
		at := w.known(l)
		for j, st := range l.steps {
			to := meet
			if j < len(l.steps)-1 || i == 0 {
				to = w.variable(st.to())
			}
			w.edge(at, to, st)
			at = to
		}
		meet = at
	}
	for _, st := range s.tail {
		to := w.variable(st.to())
		w.edge(meet, to, st)
		meet = to
	}
	w.pat.Asked = meet
}

// known adds a node for the entity that a leg starts from.
func (w *writer) known(l leg) int {
	w.pat.Nodes = append(w.pat.Nodes, pattern.Node{
		Text:     w.pr.q.mentions[l.mention].Text,
		Entities: []kg.EntityID{l.entity},
	})
	return len(w.pat.Nodes) - 1
}

// variable adds a node for whatever is in a slot, named after what the
// question calls it, or after the relation.
func (w *writer) variable(at slot) int {
	w.pat.Nodes = append(w.pat.Nodes, pattern.Node{Text: w.variableName(at), Variable: true})
	return len(w.pat.Nodes) - 1
}

func (w *writer) variableName(at slot) string {
	name := "thing"
	for i := range w.pr.q.words {
		if wd := &w.pr.q.words[i]; wd.isKind() && !wd.stop && w.pr.q.namesSlot(wd, at) {
			name = wd.Lower
			break
		}
	}
	for n := 1; ; n++ {
		full := "?" + name
		if n > 1 {
			full = fmt.Sprintf("?%s%d", name, n)
		}
		if !w.hasNode(full) {
			return full
		}
	}
}

func (w *writer) hasNode(text string) bool {
	for _, n := range w.pat.Nodes {
		if n.Text == text {
			return true
		}
	}
	return false
}

// edge adds an edge for a step between two nodes: its head is From.
func (w *writer) edge(from, to int, st step) {
	if st.isBack() {
		from, to = to, from
	}
	r := st.relation()
	w.pat.Edges = append(w.pat.Edges, pattern.Edge{
		From: from, To: to,
		Relation: w.p.g.RelationText(r), Fixed: w.p.schema.twins[r], Direction: pattern.Forward,
	})
}

// text says the reading in words, one leg after the other.
func (w *writer) text() string {
	var legs []string
	for i, l := range w.pr.shape.legs {
		var b strings.Builder
		b.WriteString(w.p.g.Label(l.entity))
		for _, st := range w.pr.shape.chain(i) {
			b.WriteString(" " + w.arrow(st))
		}
		legs = append(legs, b.String())
	}
	return strings.Join(legs, " and ")
}

// arrow says a step: "—directed by→" or "←directed by—".
func (w *writer) arrow(st step) string {
	name := w.p.g.RelationText(st.relation())
	if st.isBack() {
		return "←" + name + "—"
	}
	return "—" + name + "→"
}

// unusedWords returns the content words that the proposal ignores.
func (pr *proposal) unusedWords() []string {
	var out []string
	for _, c := range pr.verdict.unused {
		out = append(out, pr.q.words[c].Text)
	}
	return out
}

// explain says where a proposal's score comes from.
func (p *Planner) explain(pr *proposal) evidence.Explanation {
	e := evidence.Explanation{Value: pr.score, Message: "how well the words fit, higher is better"}
	for _, l := range pr.shape.legs {
		m := pr.q.mentions[l.mention]
		e.Children = append(e.Children, evidence.Explanation{
			Value:   p.weights.Mention * m.Strength,
			Message: fmt.Sprintf("%s is the name %s", quote(m.Text), quote(p.g.Label(l.entity))),
		})
	}
	for h, hp := range pr.shape.hops() {
		word := "no word"
		if c := pr.verdict.cue[h]; c >= 0 {
			word = quote(pr.q.words[c].Text)
		}
		e.Children = append(e.Children, evidence.Explanation{
			Message: fmt.Sprintf("%s asks for %s", word, quote(p.g.RelationText(hp.step.relation()))),
		})
	}
	return e
}
