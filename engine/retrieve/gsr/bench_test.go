package gsr

import (
	"fmt"
	"math/rand/v2"
	"testing"
	"time"

	"cairn/engine/kg"
	"cairn/engine/nn"
	"cairn/engine/questions"
	"cairn/engine/retrieve"
	"cairn/engine/retrieve/learn"
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

// untrained is a training on wide, and its network as it begins.
func untrained(b *testing.B, relations int) (*training, *trainee) {
	b.Helper()
	g, xs := wide(relations)
	tr := &training{asked: retrieve.Training{World: retrieve.World{Graph: g}}, walks: &learn.Walkers{Graph: g}, steps: stepsOf(g)}
	tr.o.setDefaults(len(xs), g)
	tr.model.vocab = learn.NewVocabulary(xs, g)
	if _, err := tr.mine(b.Context(), xs); err != nil {
		b.Fatal(err)
	}
	return tr, tr.trainee(newNet(tr.o, tr.model.vocab, 1))
}

// BenchmarkRead is what it takes to read a question, and the least that any took: on a machine
// with other work the mean says little.
func BenchmarkRead(b *testing.B) {
	for _, relations := range []int{9, 1000} {
		b.Run(fmt.Sprint(relations), func(b *testing.B) {
			tr, net := untrained(b, relations)
			s := newSpeaker(net.net, tr.names, tr.walks, tr.o)
			least, i := time.Hour, 0
			for b.Loop() {
				began := time.Now()
				if _, err := s.read(b.Context(), *tr.items[i%len(tr.items)].example); err != nil {
					b.Fatal(err)
				}
				least = min(least, time.Since(began))
				i++
			}
			b.ReportMetric(float64(least)/1e6, "least-ms")
		})
	}
}

// BenchmarkLoss is what a question costs in training, at a schema of nine relations and
// of a thousand.
func BenchmarkLoss(b *testing.B) {
	for _, relations := range []int{9, 1000} {
		b.Run(fmt.Sprint(relations), func(b *testing.B) {
			tr, net := untrained(b, relations)
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
