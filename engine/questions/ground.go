package questions

import (
	"context"
	"fmt"

	"cairn/engine/kg"
)

// Grounder finds the entities of a graph that the names of questions mean. It is
// safe for concurrent use.
//
// A name means the entities with that label; where there are none, those with that
// key, then with that alias; then, but for case and with spaces for underscores,
// those of a single label. Entities of one name cannot be told apart by it, so
// that all of them are meant: by topics, and by answers too, which makes each of
// them count as right.
type Grounder struct {
	// Link finds the topics of questions whose file does not say them, and where they
	// stand: the spans are ascending and apart, in no relation to the topics' order.
	// Nil for such questions to be problems. Set it before use.
	Link func(ctx context.Context, text string) (topics []kg.EntityID, spans []Span, err error)

	g     *kg.Graph
	names *nameTable
}

// NewGrounder indexes the names of a graph.
func NewGrounder(g *kg.Graph) *Grounder { return &Grounder{g: g, names: newNameTable(g)} }

// Ground makes an example of a question. Names that the graph does not have are
// left out; the problem is not nil where no topic or no answer is left.
func (w *Grounder) Ground(ctx context.Context, q Question) (Example, *Problem, error) {
	x := Example{Text: q.Text}
	var spoken []string // names that the text may hold
	for _, name := range q.Topics {
		found := w.names.find(name)
		if len(found) == 0 {
			continue
		}
		spoken = append(spoken, name)
		x.Topics = kg.With(x.Topics, found...)
	}
	switch {
	case len(x.Topics) > 0:
		x.Spans = spansOf(w.g, q.Text, spoken, x.Topics)
	case len(q.Topics) > 0:
		return x, &Problem{q.Line, fmt.Sprintf("Nothing in this graph is called %q.", q.Topics[0])}, nil
	case w.Link == nil:
		return x, &Problem{q.Line, "The file does not say which entity the question names."}, nil
	default:
		var err error
		if x.Topics, x.Spans, err = w.Link(ctx, q.Text); err != nil {
			return x, nil, fmt.Errorf("link question of line %d: %w", q.Line, err)
		}
		if len(x.Topics) == 0 {
			return x, &Problem{q.Line, "The question names no entity in the graph."}, nil
		}
	}
	for _, name := range q.Answers {
		x.Answers = append(x.Answers, w.names.find(name)...)
	}
	if x.Answers = kg.Distinct(x.Answers); len(x.Answers) > 0 {
		return x, nil, nil
	}
	why := "The question has no answer."
	switch len(q.Answers) {
	case 0:
	case 1:
		why = fmt.Sprintf("Its answer %q is not in the graph.", q.Answers[0])
	default:
		why = fmt.Sprintf("None of its %d answers is in the graph, such as %q.", len(q.Answers), q.Answers[0])
	}
	return x, &Problem{q.Line, why}, nil
}

// GroundAll grounds questions in order, and collects the problems of those that
// cannot be used. progress may be nil; it is called now and then, and at the end.
func (w *Grounder) GroundAll(ctx context.Context, qs []Question, progress func(done, total int64)) ([]Example, []Problem, error) {
	var (
		out      []Example
		problems []Problem
	)
	for i, q := range qs {
		if i%checkEvery == 0 {
			if err := ctx.Err(); err != nil {
				return nil, nil, err
			}
			if progress != nil {
				progress(int64(i), int64(len(qs)))
			}
		}
		switch x, problem, err := w.Ground(ctx, q); {
		case err != nil:
			return nil, nil, err
		case problem != nil:
			problems = append(problems, *problem)
		default:
			out = append(out, x)
		}
	}
	if progress != nil {
		progress(int64(len(qs)), int64(len(qs)))
	}
	return out, problems, nil
}
