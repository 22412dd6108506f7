package present

import (
	"fmt"
	"testing"
	"time"

	"cairn/engine"
	"cairn/engine/answer"
	"cairn/engine/evidence"
	"cairn/engine/kg"
	"cairn/engine/link"
	"cairn/engine/pattern"
	"cairn/engine/plan"
	"cairn/engine/retrieve/simgrag"
)

// films is a graph of n films of one director, each with a year, and the run
// that lists the years of his films.
func films(tb testing.TB, n int) (*kg.Graph, *engine.Run) {
	tb.Helper()
	var b kg.Builder
	var by, in []kg.TripleID
	for i := range n {
		film := fmt.Sprintf("Film %d", i)
		by = append(by, b.Add(film, "directed_by", "Anthony Mann"))
		in = append(in, b.Add(film, "release_year", fmt.Sprint(1940+i)))
	}
	g := b.Graph()
	p := &pattern.Pattern{
		Nodes: []pattern.Node{
			{Text: "Anthony Mann", Entities: []kg.EntityID{g.Triple(by[0]).Tail}},
			{Text: "?film", Variable: true},
			{Text: "?year", Variable: true},
		},
		Edges: []pattern.Edge{{From: 1, To: 0, Relation: "directed_by"}, {From: 1, To: 2, Relation: "release_year"}},
		Asked: 2,
	}
	run := &engine.Run{
		Method:   simgrag.Method{}.Info(),
		Question: "When were the films of Anthony Mann released?",
		Plan: &plan.Plan{
			Planner: "built-in",
			Mentions: []link.Mention{{
				Text:       "Anthony Mann",
				Candidates: []link.Candidate{{Entity: g.Triple(by[0]).Tail, Method: link.Exact}},
			}},
			Readings: []plan.Reading{{Pattern: p, Text: "films directed by Anthony Mann → year", Score: 1.5}},
		},
		Answer: &answer.Answer{Count: n},
	}
	for i := range n {
		year, film := g.Triple(in[i]).Tail, g.Triple(in[i]).Head
		run.Candidates = append(run.Candidates, evidence.Candidate{
			Nodes:        []kg.EntityID{g.Triple(by[0]).Tail, film, year},
			Edges:        []kg.TripleID{by[i], in[i]},
			Distance:     0.25,
			NodeDistance: []float64{0, 0, 0},
			EdgeDistance: []float64{0.1, 0.15},
		})
		run.Answers = append(run.Answers, evidence.Answer{Entity: year, Score: evidence.Score{Value: 0.25, Scale: evidence.Distance}, Matches: 1})
		run.Answer.Items = append(run.Answer.Items, answer.Item{Entity: year, Label: g.Label(year), Distance: 0.25, Matches: 1})
	}
	run.Mentions = run.Plan.Mentions
	run.Support(func(c evidence.Candidate) kg.EntityID { return c.Nodes[p.Asked] })
	run.Answer.Pack, _ = evidence.NewPack(run.Candidates, 0)
	run.Stages = []engine.StageRecord{
		{Stage: engine.StageLink, Duration: 400 * time.Microsecond},
		{Stage: engine.StageRetrieve, Duration: 2 * time.Millisecond},
	}
	return g, run
}
