package eval

import (
	"context"
	"errors"
	"sync"

	"cairn/engine/embed"
	"cairn/engine/llm"
	"cairn/engine/ollama"
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

// watchedEmbedder is an embedder of which the first failure on a question is kept: the
// built-in one answers the rest of that question, and what is measured would be
// something else.
type watchedEmbedder struct {
	*ollama.Embedder
	kept  *embed.Stored
	stats embed.Stats // what was told of kept before
	mu    sync.Mutex
	gone  error
}

// watchEmbedder watches an embedder, whose vectors of names are kept in k; nowhere for
// nil.
func watchEmbedder(e *ollama.Embedder, k embed.Keeper) *watchedEmbedder {
	return &watchedEmbedder{Embedder: e, kept: embed.NewStored(e, k)}
}

// done is what was embedded since it was last called.
func (w *watchedEmbedder) done() embed.Stats {
	was, now := w.stats, w.kept.Stats()
	w.stats = now
	return embed.Stats{Found: now.Found - was.Found, Made: now.Made - was.Made, Took: now.Took - was.Took}
}

// Embed embeds texts.
func (w *watchedEmbedder) Embed(ctx context.Context, kind embed.Kind, texts []string) ([][]float32, error) {
	vectors, err := w.kept.Embed(ctx, kind, texts)
	if err != nil && ctx.Err() == nil && !errors.Is(err, ollama.ErrNoVector) {
		w.mu.Lock()
		if w.gone == nil {
			w.gone = err
		}
		w.mu.Unlock()
	}
	return vectors, err
}

func (w *watchedEmbedder) err() error {
	if w == nil {
		return nil
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.gone
}
