package eval

import (
	"context"

	"cairn/engine"
	"cairn/engine/kg"
	"cairn/engine/questions"
)

// grounder finds the entities of a set's questions.
type grounder struct {
	*questions.Grounder

	graph *kg.Graph
}

func newGrounder(e *engine.Engine) *grounder {
	return &grounder{questions.NewGrounder(e.Graph()), e.Graph()}
}

// example is a question over the graph, which may have no topic or no answer
// there.
func (g *grounder) example(ctx context.Context, q Question) (questions.Example, error) {
	x, _, err := g.Ground(ctx, questions.Question{Text: q.Text, Topics: q.Topics, Answers: q.Gold})
	return x, err
}

// examples are the questions that can be learnt from.
func (g *grounder) examples(ctx context.Context, qs []Question) ([]questions.Example, error) {
	var xs []questions.Example
	for _, q := range qs {
		x, err := g.example(ctx, q)
		if err != nil {
			return nil, err
		}
		if len(x.Topics) > 0 && len(x.Answers) > 0 {
			xs = append(xs, x)
		}
	}
	return xs, nil
}
