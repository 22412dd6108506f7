package engine

import (
	"context"

	"cairn/engine/questions"
)

// Examples returns up to n questions to begin with: plain ones about
// well-known names of the graph, each read back without a doubt and with few
// answers. There are fewer, or none, where the graph's words do not make good
// questions. The same graph gives the same questions; it takes up to a second
// on a large one.
func (e *Engine) Examples(ctx context.Context, n int) []string {
	ctx, leave := e.tasks.Join(ctx)
	defer leave()
	s, err := e.awaitReady(ctx, nil)
	if err != nil {
		return nil
	}
	return questions.NewMaker(s.builtin).Suggest(ctx, n)
}
