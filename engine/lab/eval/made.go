package eval

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"cairn/engine"
)

// madeQuestions is how many questions those are kept aside of that are asked where nothing
// is learned.
const madeQuestions = 5000

// keptAside are the questions made out of a graph that a training on made ones keeps aside,
// in other words than those that it learns from. It picks its weights by 500 of them.
func keptAside(ctx context.Context, o *Options, sources []Source) ([]Question, error) {
	t := &o.Teaching
	if o.info.Trained && (t.Generated == 0 || t.Seeds > 1) {
		return nil, errors.New("what is asked of made questions is what one training on them keeps aside: say on how many, with one seed of the training")
	}
	tmp, err := os.MkdirTemp("", "cairn-made-")
	if err != nil {
		return nil, fmt.Errorf("make a folder for the graph: %w", err)
	}
	defer os.RemoveAll(tmp)
	eng, _, err := open(ctx, filepath.Join(tmp, "graph.cairn"), o.Dir, sources, engine.Options{})
	if err != nil {
		return nil, err
	}
	defer eng.Close()
	_, held, err := eng.Made(ctx, cmp.Or(t.Generated, madeQuestions), t.First)
	g := eng.Graph()
	qs := make([]Question, len(held))
	for i, x := range held {
		qs[i] = Question{ID: fmt.Sprintf("made %d", i+1), Text: x.Text}
		for _, e := range x.Topics {
			qs[i].Topics = append(qs[i].Topics, g.Key(e))
		}
		for _, e := range x.Answers {
			qs[i].Gold = append(qs[i].Gold, g.Label(e))
		}
	}
	return qs, err
}
