package gsr

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"cairn/engine/kg"
	"cairn/engine/nn"
	"cairn/engine/questions"
	"cairn/engine/retrieve"
	"cairn/engine/retrieve/learn"
	"cairn/engine/schema"
)

// wide is a graph of many relations, and questions of one step of each.
func wide(relations int) (*kg.Graph, []questions.Example) {
	rng := rand.New(rand.NewPCG(1, 1))
	b := &kg.Builder{}
	for r := range relations {
		for range 10 {
			b.Add(fmt.Sprintf("thing %d", rng.IntN(relations)), fmt.Sprintf("field%d.kind%d.relation_of_sort_%d", r%20, r%90, r), fmt.Sprintf("thing %d", rng.IntN(relations)))
		}
	}
	g := b.Graph()
	return g, questions.Frames(g, 1, 1)
}

// BenchmarkLoss is what a question costs in training, at a schema of nine relations and
// of a thousand.
func BenchmarkLoss(b *testing.B) {
	for _, relations := range []int{9, 1000} {
		b.Run(fmt.Sprint(relations), func(b *testing.B) {
			g, xs := wide(relations)
			o := Options{}
			o.setDefaults(len(xs), g)
			tr := &training{asked: retrieve.Training{World: retrieve.World{Graph: g}}, o: o, walks: &learn.Walkers{Graph: g}}
			tr.model.vocab = learn.NewVocabulary(xs, g)
			for s := range schema.Step(2 * g.Relations()) {
				tr.steps = append(tr.steps, s)
			}
			if _, err := tr.mine(b.Context(), xs); err != nil {
				b.Fatal(err)
			}
			net, err := tr.network(b.Context(), "", 1)
			if err != nil {
				b.Fatal(err)
			}
			tape := nn.NewTape(net.Params())
			i := 0
			for b.Loop() {
				tape.Begin(true, uint64(i))
				tape.Backward(net.Loss(tape, i%len(tr.items)), 1)
				i++
			}
		})
	}
}
