package eval

import (
	"context"

	"cairn/engine"
	"cairn/engine/kg"
	"cairn/engine/qa"
)

// grounder finds the entities of a set's questions.
type grounder struct {
	*qa.Grounder

	graph *kg.Graph
}

func newGrounder(e *engine.Engine) *grounder {
	return &grounder{qa.NewGrounder(e.Graph()), e.Graph()}
}

// example is a question over the graph, which may have no topic or no answer
// there.
func (g *grounder) example(ctx context.Context, q Question) (qa.Example, error) {
	x, _, err := g.Ground(ctx, qa.Question{Text: q.Text, Topics: q.Topics, Answers: q.Gold})
	return x, err
}

// examples are the questions that can be learnt from.
func (g *grounder) examples(ctx context.Context, qs []Question) ([]qa.Example, error) {
	var xs []qa.Example
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
