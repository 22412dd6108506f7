package embed

import (
	"context"
	"sync"
)

// maxRecent is how many vectors of questions are remembered: some 3 MB at 768
// dimensions.
const maxRecent = 1024

// Recent is an Embedder that remembers the vectors of the latest texts of
// questions, because a question's texts are looked up several times and come
// again in the next question. It is safe for concurrent use if the Embedder
// within is.
type Recent struct {
	Embedder
	mu sync.Mutex
	// Half of what is remembered is dropped at a time: latest takes the place of
	// before when it is full.
	latest, before map[string][]float32
}

// NewRecent returns e with a memory of the texts of questions.
func NewRecent(e Embedder) *Recent {
	return &Recent{Embedder: e, latest: map[string][]float32{}}
}

// Embed returns one vector a text, in order. They are shared and must not be
// changed.
func (r *Recent) Embed(ctx context.Context, kind Kind, texts []string) ([][]float32, error) {
	if kind != Query {
		return r.Embedder.Embed(ctx, kind, texts)
	}
	out := make([][]float32, len(texts))
	var missing []string
	var at []int
	for i, text := range texts {
		if out[i] = r.find(text); out[i] == nil {
			missing = append(missing, text)
			at = append(at, i)
		}
	}
	if len(missing) == 0 {
		return out, ctx.Err()
	}
	made, err := r.Embedder.Embed(ctx, kind, missing)
	if err != nil {
		return nil, err
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	for i, v := range made {
		out[at[i]] = v
		r.keep(missing[i], v)
	}
	return out, nil
}

func (r *Recent) find(text string) []float32 {
	r.mu.Lock()
	defer r.mu.Unlock()
	v := r.latest[text]
	if v == nil {
		if v = r.before[text]; v != nil {
			r.keep(text, v)
		}
	}
	return v
}

// keep is called with the lock held.
func (r *Recent) keep(text string, v []float32) {
	if len(r.latest) == maxRecent/2 {
		r.before, r.latest = r.latest, map[string][]float32{}
	}
	r.latest[text] = v
}
