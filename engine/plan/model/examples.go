package model

import (
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"cairn/engine/kg"
	"cairn/engine/lexicon"
	"cairn/engine/llm"
	"cairn/engine/pattern"
	"cairn/internal/wording"
)

// maxAccepted is how many of the user's own examples a prompt has, and
// maxExamples how many it has in all.
const (
	maxAccepted = 4
	maxExamples = 16
)

// origin says where an example comes from.
type origin int

const (
	fromPaper origin = iota
	fromGraph
	fromUser
)

// example is a question with the reply that it should get.
type example struct {
	Query  string // quoted
	Output string // JSON
	origin origin
}

// answerForm is the reply that the pattern prompt asks for.
type answerForm struct {
	Divided []string    `json:"divided"`
	Triples [][3]string `json:"triples"`
	Asked   string      `json:"asked"`
	Task    string      `json:"task"`
	Negated bool        `json:"negated"`
}

func (f answerForm) example(query string, o origin) example {
	var b strings.Builder
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false) // a model should see & and not a code for it
	if err := enc.Encode(f); err != nil {
		panic("plan/model: " + err.Error()) // strings always marshal
	}
	return example{query, strings.TrimSpace(b.String()), o}
}

// withoutLeast leaves out the example that is needed least: of the paper's the
// last but its first, then of the graph's the last, then of the user's the last.
func withoutLeast(es []example) []example {
	for o := fromPaper; o <= fromUser; o++ {
		for i := len(es) - 1; i > 0; i-- {
			if es[i].origin == o {
				return slices.Delete(slices.Clone(es), i, i+1)
			}
		}
	}
	return es[:len(es)-1]
}

// paperExamples are the examples that the paper prints (Tables 10 and 11), and
// two of the kinds that its code shows.
func paperExamples() []example {
	return []example{
		answerForm{
			Divided: []string{"the actor in Flashpoint", "this actor also appears in other films"},
			Triples: [][3]string{{"UNKNOWN actor 1", "actor of", "Flashpoint"}, {"UNKNOWN actor 1", "actor of", "UNKNOWN film 1"}},
			Asked:   "UNKNOWN film 1", Task: "find",
		}.example("the actor in Flashpoint also appears in which films", fromPaper),
		answerForm{
			Divided: []string{"The College of William and Mary is the owner of the Alan B. Miller Hall", "Alan B. Miller Hall is situated in Virginia"},
			Triples: [][3]string{{"The College of William and Mary", "owner", "Alan B. Miller Hall"}, {"Alan B. Miller Hall", "situated in", "Virginia"}},
			Task:    "verify",
		}.example("The College of William and Mary is the owner of the Alan B. Miller Hall, that is situated in Virginia.", fromPaper),
		answerForm{
			Divided: []string{"the author of Emma", "this author wrote books"},
			Triples: [][3]string{{"Emma", "author", "UNKNOWN person 1"}, {"UNKNOWN book 1", "author", "UNKNOWN person 1"}},
			Asked:   "UNKNOWN book 1", Task: "count",
		}.example("how many books did the author of Emma write", fromPaper),
		answerForm{
			Divided: []string{"Sydney is not the capital of Australia"},
			Triples: [][3]string{{"Australia", "capital", "Sydney"}},
			Task:    "verify", Negated: true,
		}.example("Sydney is not the capital of Australia.", fromPaper),
	}
}

// graphExamples draws examples from the graph itself, in its own words: a hop,
// two hops, and two conditions on one thing.
func graphExamples(g *kg.Graph, relations []kg.RelationID, first []kg.TripleID) []example {
	if g.Triples() == 0 {
		return nil
	}
	// "What is the is a of Afghanistan?" teaches nobody to ask.
	if telling := slices.DeleteFunc(slices.Clone(relations), func(r kg.RelationID) bool { return isTyping(g, g.Triple(first[r])) }); len(telling) > 0 {
		relations = telling
	}
	w := exampleWriter{g}
	t := g.Triple(first[relations[0]])
	x := w.unknown(t.Tail, 1)
	what := "the " + w.text(t.Relation) + " of " + w.label(t.Head)
	es := []example{answerForm{
		Divided: []string{what}, Triples: [][3]string{{w.label(t.Head), w.text(t.Relation), x}}, Asked: x, Task: "find",
	}.example("what is "+what+"?", fromGraph)}
	for _, r := range relations {
		t := g.Triple(first[r])
		for _, next := range g.Out(t.Tail) {
			if next.Relation == t.Relation || next.Entity == t.Head || isTyping(g, kg.Triple{Head: t.Tail, Relation: next.Relation, Tail: next.Entity}) {
				continue
			}
			x, y := w.unknown(t.Tail, 1), w.unknown(next.Entity, 2)
			a, b := "the "+w.text(r)+" of "+w.label(t.Head), "the "+w.text(next.Relation)+" of it"
			es = append(es, answerForm{
				Divided: []string{a, b},
				Triples: [][3]string{{w.label(t.Head), w.text(r), x}, {x, w.text(next.Relation), y}},
				Asked:   y, Task: "find",
			}.example("what is the "+w.text(next.Relation)+" of "+a+"?", fromGraph))
			return append(es, w.conjunction(t.Head)...)
		}
	}
	return es
}

// isTyping reports whether a triple says what kind of thing its head is.
func isTyping(g *kg.Graph, t kg.Triple) bool {
	return slices.ContainsFunc(g.Types(t.Head), func(kind kg.TypeID) bool { return g.TypeLabel(kind) == g.Label(t.Tail) })
}

type exampleWriter struct{ g *kg.Graph }

func (w exampleWriter) label(e kg.EntityID) string  { return llm.Quote(w.g.Label(e), maxLabel) }
func (w exampleWriter) text(r kg.RelationID) string { return llm.Quote(w.g.RelationText(r), maxLabel) }

func (w exampleWriter) unknown(e kg.EntityID, id int) string {
	kind := "thing"
	if ts := w.g.Types(e); len(ts) > 0 {
		kind = strings.ToLower(llm.Quote(w.g.TypeLabel(ts[0]), maxLabel))
	}
	return fmt.Sprintf("UNKNOWN %s %d", kind, id)
}

// conjunction makes an example of two conditions on e.
func (w exampleWriter) conjunction(e kg.EntityID) []example {
	var out []kg.Edge
	for _, x := range w.g.Out(e) {
		if !isTyping(w.g, kg.Triple{Head: e, Relation: x.Relation, Tail: x.Entity}) {
			out = append(out, x)
		}
	}
	for _, second := range out {
		if second.Relation == out[0].Relation || second.Entity == out[0].Entity {
			continue
		}
		x := w.unknown(e, 1)
		a := "has the " + w.text(out[0].Relation) + " " + w.label(out[0].Entity)
		b := "has the " + w.text(second.Relation) + " " + w.label(second.Entity)
		return []example{answerForm{
			Divided: []string{a, b},
			Triples: [][3]string{{x, w.text(out[0].Relation), w.label(out[0].Entity)}, {x, w.text(second.Relation), w.label(second.Entity)}},
			Asked:   x, Task: "find",
		}.example("what "+a+" and "+b+"?", fromGraph)}
	}
	return nil
}

// accepted is an example of the user's own that still means something.
type accepted struct {
	example
	weights map[string]float64 // of the question's words, by stem; names are none
}

// little is what a word such as "who" or "in" counts when questions are compared,
// beside 1: it says something of their form.
const little = 0.2

// weights returns what the words of a question count, by stem.
func (p *Planner) weights(tokens []lexicon.Token) map[string]float64 {
	out := map[string]float64{}
	for _, t := range tokens {
		out[t.Stem] = 1
		if p.w.Lexicon.IsStop(t.Lower) {
			out[t.Stem] = little
		}
	}
	return out
}

// readAccepted takes those of the user's examples whose relations the graph still
// has, the latest first. One that a reply could not say is left out: replies have
// no comparisons.
func (p *Planner) readAccepted(own []Example) {
	for _, x := range slices.Backward(own) {
		pat, err := pattern.ParseText(x.Pattern)
		if err != nil || len(pat.Edges) == 0 || len(pat.Edges) > maxEdges || len(pat.Filters) > 0 || pat.Order != nil {
			continue
		}
		if slices.ContainsFunc(pat.Edges, func(e pattern.Edge) bool {
			return e.Relation != "" && len(p.relations[pattern.Fold(e.Relation)]) == 0
		}) {
			continue
		}
		weights := p.weights(lexicon.Tokenize(x.Question))
		for _, n := range pat.Nodes {
			if !n.Variable {
				for _, s := range lexicon.Stems(n.Text) {
					delete(weights, s) // questions are alike in what they ask, not of what
				}
			}
		}
		query := llm.Quote(x.Question, maxQuestion)
		p.accepted = append(p.accepted, accepted{formOf(pat, query).example(query, fromUser), weights})
	}
}

// formOf writes a pattern as the reply that would have given it.
func formOf(p *pattern.Pattern, question string) answerForm {
	f := answerForm{Divided: []string{question}, Task: p.Task.String(), Negated: p.Negated}
	name := func(i int) string {
		n := p.Nodes[i]
		if !n.Variable {
			return llm.Quote(n.Text, maxLabel)
		}
		return fmt.Sprintf("UNKNOWN %s %d", cmp.Or(llm.Quote(n.Type, maxLabel), "thing"), i+1)
	}
	for i, e := range p.Edges {
		relation := llm.Quote(e.Relation, maxLabel)
		if relation == "" {
			relation = fmt.Sprintf("UNKNOWN relation %d", i+1)
		}
		f.Triples = append(f.Triples, [3]string{name(e.From), relation, name(e.To)})
	}
	if p.Asked >= 0 {
		f.Asked = name(p.Asked)
	}
	return f
}

// similar returns the user's own examples that share a telling word with a
// question, the most similar first, and among equals the latest.
func (p *Planner) similar(q *question) []example {
	type scored struct {
		example
		share float64
	}
	sum := func(weights map[string]float64) (total float64) {
		for _, w := range weights {
			total += w
		}
		return total
	}
	words := p.weights(q.tokens)
	var found []scored
	for _, a := range p.accepted {
		both := map[string]float64{}
		for s, w := range a.weights {
			if words[s] > 0 {
				both[s] = w
			}
		}
		if slices.Contains(slices.Collect(maps.Values(both)), 1) { // Dice's coefficient, weighted
			found = append(found, scored{a.example, 2 * sum(both) / (sum(a.weights) + sum(words))})
		}
	}
	slices.SortStableFunc(found, func(a, b scored) int {
		if d := a.share - b.share; d < -noise || d > noise { // sums of maps differ in their last bits
			return cmp.Compare(b.share, a.share)
		}
		return 0
	})
	return wording.Each(found[:min(len(found), maxAccepted)], func(f scored) example { return f.example })
}
