package questions

import (
	"fmt"
	"math/rand/v2"
	"strings"

	"cairn/engine/kg"
	"cairn/engine/schema"
)

// The frames of pseudo-questions: a name for %[1]s, and the relation's for %[2]s.
var (
	framesForward = []string{
		"what is the %[2]s of %[1]s", "%[2]s of %[1]s", "who is the %[2]s of %[1]s", "which %[2]s does %[1]s have", "%[1]s %[2]s",
		"%[1]s's %[2]s", "what %[2]s %[1]s", "name the %[2]s of %[1]s", "%[1]s %[2]s what", "what was %[1]s %[2]s",
	}
	framesBack = []string{
		"what has %[1]s as %[2]s", "whose %[2]s is %[1]s", "which things have the %[2]s %[1]s", "what is %[1]s the %[2]s of", "%[2]s %[1]s of what",
		"what %[2]s %[1]s", "things with %[2]s %[1]s", "what was %[2]s %[1]s", "which ones %[2]s %[1]s", "%[1]s is the %[2]s of what",
	}
)

// Frames makes pseudo-questions for every step of a graph, each at most so many: the
// relation's own name in a frame, with the name of an entity that has it (GSR §4.1, the
// indexing data). The same seed gives the same.
func Frames(g *kg.Graph, each int, seed uint64) []Example {
	r := rand.New(rand.NewPCG(seed, 9))
	starts := startsOf(g, r)
	var out []Example
	for s, from := range starts {
		step := schema.Step(s)
		frames := framesForward
		if step.IsBack() {
			frames = framesBack
		}
		for i := range min(each, len(frames)*len(from)) {
			e := from[i%len(from)]
			text := fmt.Sprintf(frames[i%len(frames)], g.Label(e), strings.ToLower(g.RelationText(step.Relation())))
			x := Example{Text: text, Topics: []kg.EntityID{e}, Spans: spansOf(g, text, nil, []kg.EntityID{e}), Legs: []Leg{{e, []schema.Step{step}}}, Made: true}
			edges := step.Edges(g, e)
			for _, a := range edges[:min(len(edges), generatedAnswers)] {
				x.Answers = append(x.Answers, a.Entity)
			}
			x.Answers = kg.Distinct(x.Answers)
			out = append(out, x)
		}
	}
	return out
}

// framed is how many entities of each step pseudo-questions name, at most.
const framed = 4

// startsOf draws entities that each step leads from.
func startsOf(g *kg.Graph, r *rand.Rand) [][]kg.EntityID {
	out, seen := make([][]kg.EntityID, 2*g.Relations()), make([]int, 2*g.Relations())
	take := func(s schema.Step, e kg.EntityID) {
		if seen[s]++; len(out[s]) < framed {
			out[s] = append(out[s], e)
		} else if i := r.IntN(seen[s]); i < framed {
			out[s][i] = e
		}
	}
	for e := range kg.EntityID(g.Entities()) {
		for rel := range g.RelationsOut(e) {
			take(schema.Forward(rel), e)
		}
		for rel := range g.RelationsIn(e) {
			take(schema.Forward(rel).Back(), e)
		}
	}
	return out
}
