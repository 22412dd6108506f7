package eval

import (
	"context"
	"errors"
	"sync"

	"cairn/engine/llm"
)

// watched is a model of which the first failure is kept that lies in its server
// and not in its reply. The planner and the reader go on without a model then,
// and what is measured would be something else.
type watched struct {
	llm.Model
	mu   sync.Mutex
	gone error
}

// Ask asks the model.
func (w *watched) Ask(ctx context.Context, req llm.Request) (llm.Reply, error) {
	reply, err := w.Model.Ask(ctx, req)
	if llm.Lasting(err) || errors.Is(err, llm.ErrBusy) {
		w.mu.Lock()
		if w.gone == nil {
			w.gone = err
		}
		w.mu.Unlock()
	}
	return reply, err
}

func (w *watched) err() error {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.gone
}

// roomy is a watched model that can tell whether a request fits.
type roomy struct {
	*watched
	room llm.Roomy
}

// Room implements llm.Roomy.
func (r roomy) Room(req llm.Request) int { return r.room.Room(req) }

// asked returns what the engine is given: a Roomy model only where there is one.
func (w *watched) asked() llm.Model {
	if r, ok := w.Model.(llm.Roomy); ok {
		return roomy{w, r}
	}
	return w
}
