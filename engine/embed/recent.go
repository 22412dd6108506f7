package embed

import (
	"container/list"
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
	mu    sync.Mutex
	order *list.List // of texts, the latest first
	at    map[string]*list.Element
}

// recentText is one remembered text.
type recentText struct {
	text   string
	vector []float32
}

// NewRecent returns e with a memory of the texts of questions.
func NewRecent(e Embedder) *Recent {
	return &Recent{Embedder: e, order: list.New(), at: map[string]*list.Element{}}
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
	for i, v := range made {
		out[at[i]] = v
		r.add(missing[i], v)
	}
	return out, nil
}

func (r *Recent) find(text string) []float32 {
	r.mu.Lock()
	defer r.mu.Unlock()
	e := r.at[text]
	if e == nil {
		return nil
	}
	r.order.MoveToFront(e)
	return e.Value.(recentText).vector //nolint:errcheck // the list holds nothing else
}

func (r *Recent) add(text string, v []float32) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.at[text] != nil {
		return
	}
	r.at[text] = r.order.PushFront(recentText{text, v})
	if r.order.Len() > maxRecent {
		oldest := r.order.Back()
		r.order.Remove(oldest)
		delete(r.at, oldest.Value.(recentText).text) //nolint:errcheck // the list holds nothing else
	}
}
