package gsr

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"cairn/engine/kg"
	"cairn/engine/nn"
	"cairn/engine/questions"
	"cairn/engine/retrieve"
	"cairn/engine/retrieve/learn"
)

// Lesson is a graph with questions made out of it, of which a base learns.
type Lesson struct {
	Name  string
	Graph *kg.Graph
	// Train are learned from, Held picks the best weights. All say their legs.
	Train, Held []questions.Example
}

// baseEpochs is how often a base goes through its questions, where nobody says.
const baseEpochs = 5

// Pretrain trains a base on several graphs together: one network, and for each question
// the steps of its own graph to tell apart, by their names alone. Made questions whose
// chains do not lead to their answers are left out. The same lessons and options give the
// same bytes.
func Pretrain(ctx context.Context, lessons []Lesson, o Options, ev retrieve.TrainingEvents) (file []byte, about Base, err error) {
	o.Start, o.Base, o.Epochs = fromNothing, "", cmp.Or(o.Epochs, baseEpochs)
	of := make([]*training, len(lessons))
	vocab := &learn.Vocabulary{}
	for i, l := range lessons {
		o := o // how many pseudo-questions there are depends on the schema
		o.setDefaults(few, l.Graph)
		if err := o.check(); err != nil {
			return nil, Base{}, err
		}
		of[i] = &training{
			asked: retrieve.Training{World: retrieve.World{Graph: l.Graph}, TrainingEvents: ev}, o: o,
			walks: &learn.Walkers{Graph: l.Graph}, steps: stepsOf(l.Graph), held: questions.Spread(l.Held, max(1, learn.DevAtMost/len(lessons))),
		}
		about.Graphs = append(about.Graphs, BaseGraph{Name: l.Name, Relations: l.Graph.Relations(), Made: len(l.Train)})
		words, err := of[i].lesson(ctx, l, &about.Graphs[i])
		if err != nil {
			return nil, Base{}, fmt.Errorf("%s: %w", l.Name, err)
		}
		vocab = words.Grown(vocab)
	}
	vocab.Relations = nil // their vectors are made of their names
	p := &pretraining{of: of}
	for i, tr := range of {
		tr.model.vocab = vocab
		for j := range tr.items {
			p.at = append(p.at, [2]int{i, j})
		}
	}
	about.Questions = len(p.at)
	if about.Questions == 0 {
		return nil, Base{}, retrieve.ErrNothingToLearn
	}
	o.setDefaults(few, lessons[0].Graph)
	out, err := learn.Course{
		Form: modelForm, Parts: []string{""}, Questions: about.Questions, Epochs: o.Epochs, Batch: batch, Tries: 1, Seed: o.Seed,
		Rate: (&training{o: o}).rate, New: p.network, Events: ev,
	}.Run(ctx, nil)
	if err != nil {
		return nil, Base{}, err
	}
	n := newNet(o, vocab, 0)
	if err := n.p.SetWeights(out.Networks[0].Weights); err != nil {
		return nil, Base{}, err
	}
	about.Numbers, about.Epochs, about.Seed, about.Seconds, about.Dev = n.p.Len(), out.Epochs, o.Seed, out.Seconds, out.Networks[0].Dev
	file, err = (&base{Base: about, vocab: vocab, net: n}).pack()
	return file, about, err
}

// lesson gathers what is learned from one graph, and returns its words.
func (tr *training) lesson(ctx context.Context, l Lesson, about *BaseGraph) (*learn.Vocabulary, error) {
	k := tr.walks.Take()
	train := slices.DeleteFunc(slices.Clone(l.Train), func(x questions.Example) bool { return !leads(k, &x) })
	tr.walks.Put(k)
	about.Kept = len(train)
	if tr.o.Index > 0 {
		train = append(train, questions.Frames(l.Graph, tr.o.Index, tr.o.Seed)...)
	}
	about.Frames = len(train) - about.Kept
	_, err := tr.mine(ctx, train)
	return learn.NewVocabulary(train, l.Graph), err
}

type pretraining struct {
	of []*training
	at [][2]int // by question: whose of these, and which item of it
}

func (p *pretraining) network(_ context.Context, _ string, seed uint64) (learn.Network, error) {
	out := &pupil{p, newNet(p.of[0].o, p.of[0].model.vocab, seed), nil}
	for _, tr := range p.of {
		out.by = append(out.by, tr.trainee(out.net))
	}
	return out, nil
}

// pupil is the network of a base with the questions of all graphs.
type pupil struct {
	*pretraining

	net *net
	by  []*trainee // as of
}

func (p *pupil) Params() *nn.Params { return p.net.p }

func (p *pupil) Loss(tape *nn.Tape, i int) *nn.Tensor {
	at := p.at[i]
	return p.by[at[0]].Loss(tape, at[1])
}

func (p *pupil) Measure(ctx context.Context) (retrieve.Metrics, error) {
	var all []retrieve.Metrics
	for _, t := range p.by {
		ms, _, err := newSpeaker(t.net, t.names, t.walks, t.o).measure(ctx, t.held)
		if err != nil {
			return retrieve.Metrics{}, err
		}
		all = append(all, ms...)
	}
	return learn.Mean(all), nil
}
