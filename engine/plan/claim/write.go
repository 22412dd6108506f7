package claim

import (
	"context"
	"maps"
	"slices"
	"strings"

	"cairn/engine/evidence"
	"cairn/engine/kg"
	"cairn/engine/lexicon"
	"cairn/engine/pattern"
	"cairn/engine/plan"
	"cairn/engine/plan/words"
	"cairn/engine/schema"
)

type claimWriter struct {
	v     *verifier
	pat   *pattern.Pattern
	nodes []claimNode
	parts []string // of the reading in words
	why   []evidence.Explanation
	// guesses says that something is written which no word asks for.
	guesses bool
}

type claimNode struct {
	name   int
	entity kg.EntityID
}

// node returns the node of a name that means an entity.
func (w *claimWriter) node(name int, e kg.EntityID) int {
	n := claimNode{name, e}
	if i := slices.Index(w.nodes, n); i >= 0 {
		return i
	}
	w.nodes = append(w.nodes, n)
	w.pat.Nodes = append(w.pat.Nodes, pattern.Node{Text: w.v.names[name].Text, Entities: []kg.EntityID{e}})
	return len(w.pat.Nodes) - 1
}

// variable adds a node for what the claim leaves unnamed.
func (w *claimWriter) variable(text string) int {
	w.pat.Nodes = append(w.pat.Nodes, pattern.Node{Text: text, Variable: true})
	return len(w.pat.Nodes) - 1
}

func (w *claimWriter) edge(from, to int, st schema.Step) {
	w.pat.Edges = append(w.pat.Edges, w.v.t.Vocabulary.Edge(from, to, st))
}

func (w *claimWriter) arrow(st schema.Step) string { return w.v.t.Vocabulary.Arrow(st) }

// tie writes a tie that the graph has.
func (w *claimWriter) tie(t tie) {
	p := w.v
	from, to := w.node(t.from, t.head), w.node(t.to, t.tail)
	w.pat.Edges = append(w.pat.Edges, pattern.Edge{
		From: from, To: to, Relation: p.g.RelationText(t.relation), Fixed: []kg.RelationID{t.relation}, Direction: pattern.Forward,
	})
	w.parts = append(w.parts, p.g.Label(t.head)+" "+w.arrow(schema.Forward(t.relation))+" "+p.g.Label(t.tail))
	w.why = append(w.why, evidence.Explanation{Value: t.weight, Message: p.q.Asks(t.word, t.relation)})
}

// missing writes what the claim says of a name that nothing joins to the others:
// the relation that the words next to it ask for, else any. It returns the other
// name that it is said of, or -1 where there is none.
func (w *claimWriter) missing(ctx context.Context, m int, ties []tie) int {
	p := w.v
	partner, turned, st, best := -1, false, schema.Step(0), 0.0
	consider := func(from, to int) {
		e, other := w.v.names[from].is[0], w.v.names[to].is[0]
		near := w.v.near(m, from+to-m)
		for i := range w.v.q.Words {
			wd := &w.v.q.Words[i]
			if !near(i) {
				continue
			}
			for _, s := range slices.Sorted(maps.Keys(wd.Weight)) {
				if p.leadsToValues(s) && !isValue(p.g, other) || p.leadsToValues(s.Back()) && !isValue(p.g, e) {
					continue // a name is no number
				}
				weight := wd.Weight[s] - 0.02*float64(min(words.Distance(i, w.v.names[m].From), words.Distance(i, w.v.names[m].To)))
				if len(p.schema.Edges(e, s)) == 0 {
					weight -= 0.5 // the graph says nothing of the kind about it
				}
				if !slices.ContainsFunc(p.t.Vocabulary.Slots(other), func(at schema.Slot) bool { return p.schema.SameKind(at, s.To()) }) {
					weight -= 0.25
				}
				if partner < 0 || weight > best {
					partner, turned, st, best = from+to-m, from == m, s, weight
				}
			}
		}
	}
	for o, n := range w.v.names {
		if o == m || !n.needed || o != 0 && words.Distance(o, m) > 1 {
			continue
		}
		consider(o, m)
		consider(m, o)
	}
	if b := max(m, 1); partner < 0 && b < len(p.names) {
		if rel, ok := p.traitOf(b-1, b); ok {
			w.tie(tie{head: p.names[b-1].is[0], tail: p.names[b].is[0], relation: rel, from: b - 1, to: b, word: -1})
			return b - 1 + b - m
		}
	}
	isTied := func(o int) bool {
		return slices.ContainsFunc(ties, func(t tie) bool { return t.a == min(m, o) && t.b == max(m, o) })
	}
	if partner >= 0 {
		start, end := partner, m
		if turned {
			start, end = m, partner
		}
		from, to := w.v.names[start].is[0], w.v.names[end].is[0]
		if kg.Holds(p.schema.Reach(ctx, []kg.EntityID{from}, []schema.Step{st}), to) {
			st = st.Back() // it lies the other way round
		} else if p.liesIn(to, st, from) {
			start, end, from, to = end, start, to, from
		}
		w.edge(w.node(start, from), w.node(end, to), st)
		w.parts = append(w.parts, p.g.Label(from)+" "+w.arrow(st)+" "+p.g.Label(to))
		return partner
	}
	for o, n := range w.v.names {
		if o != m && n.needed && !isTied(o) {
			w.pat.Edges = append(w.pat.Edges, pattern.Edge{From: w.node(o, n.is[0]), To: w.node(m, w.v.names[m].is[0])})
			w.guesses = true
			w.parts = append(w.parts, p.g.Label(n.is[0])+" —any relation— "+p.g.Label(w.v.names[m].is[0]))
			return o
		}
	}
	return -1
}

// leadsToValues reports whether numbers or dates are at the end of a step.
func (v *verifier) leadsToValues(s schema.Step) bool { return v.schema.Value(s.To()) != schema.NoValue }

// isValue reports whether an entity is a number or a date.
func isValue(g *kg.Graph, e kg.EntityID) bool {
	_, ok := g.Value(e)
	return ok
}

// traitOf is the relation by which the claim says that one name is another, of which it has other
// values: "X is retired" of the status, "X is a politician" of a kind below that.
func (v *verifier) traitOf(a, b int) (kg.RelationID, bool) {
	if b == a+1 && v.isKindNoun(v.names[b].Span) {
		for _, x := range v.g.Out(v.names[a].is[0]) {
			r := v.g.Triple(x.Triple).Relation
			if slices.Contains(v.t.Vocabulary.Mapping(r).Concepts, lexicon.InstanceOf) && v.isBelow(x.Entity, v.names[b].is[0]) {
				return r, true
			}
		}
	}
	for _, x := range v.g.In(v.names[b].is[0]) {
		r := v.g.Triple(x.Triple).Relation
		if v.saysTrait(a, b, r) && len(v.g.OutBy(v.names[a].is[0], r)) > 0 {
			return r, true
		}
	}
	return 0, false
}

// liesIn reports whether triples of a step that carry over lead from one name to another.
func (v *verifier) liesIn(e kg.EntityID, st schema.Step, in kg.EntityID) bool {
	if !lexicon.IsTransitive(lexicon.RelationWords(v.g.RelationName(st.Relation()))) || st.IsBack() {
		return false
	}
	again := func(_ kg.EntityID, r kg.RelationID) bool { return r == st.Relation() }
	return v.g.Chain(e, again, func(o kg.EntityID) bool { return o == in }, claimScan) != nil
}

// isBelow reports whether one kind is below another.
func (v *verifier) isBelow(kind, other kg.EntityID) bool {
	isAbove := func(_ kg.EntityID, r kg.RelationID) bool {
		return lexicon.IsSubclass(lexicon.RelationWords(v.g.RelationName(r)))
	}
	return v.g.Chain(kind, isAbove, func(e kg.EntityID) bool { return e == other }, claimScan) != nil
}

func (w *claimWriter) reading() plan.Reading {
	text := strings.Join(w.parts, " and ")
	if w.pat.Negated {
		text = "Is it false that " + text + "?"
	} else {
		text = "Is it true that " + text + "?"
	}
	return plan.Reading{Pattern: w.pat, Text: text, Explanation: evidence.Explanation{Message: "what connects the names in the claim", Children: w.why}}
}
