package gnnrag

import (
	"testing"

	"cairn/engine/kg"
	"cairn/engine/questions"
	"cairn/internal/testing/retrievetest"
)

// TestContract holds networks that look at the whole graph, and those that look at a
// region, to what every method keeps.
func TestContract(t *testing.T) {
	t.Parallel()
	for _, kind := range []Kind{Flow, ReaRev} {
		t.Run(string(kind), func(t *testing.T) {
			t.Parallel()
			retrievetest.Run(t, Method{}, func(t *testing.T, g *kg.Graph) []byte {
				t.Helper()
				var xs []questions.Example
				for i := range g.Triples() {
					x := g.Triple(kg.TripleID(i))
					name := g.Label(x.Head)
					xs = append(xs, questions.Example{
						Text: name + " " + g.RelationText(x.Relation), Topics: []kg.EntityID{x.Head},
						Spans: []questions.Span{{End: len(name)}}, Answers: []kg.EntityID{x.Tail},
					})
				}
				m, err := Train(t.Context(), World{Graph: g}, xs, xs[:4], Options{Kind: kind, Epochs: 12, Width: 10, Layers: 1, Tries: 1}, nil, nil)
				if err != nil {
					t.Fatal(err)
				}
				weights, err := m.Encode()
				if err != nil {
					t.Fatal(err)
				}
				return weights
			})
		})
	}
}
