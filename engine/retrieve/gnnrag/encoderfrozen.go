package gnnrag

import (
	"context"
	"errors"
	"sync"

	"cairn/engine/embed"
	"cairn/engine/lexicon"
)

// frozen gives the vectors of words by an embedder, which is asked for each word
// once. It is safe for concurrent use.
type frozen struct {
	embedder embed.Embedder

	mu    sync.Mutex
	known map[string][]float32
}

// newFrozen asks the embedder with the given name for the words of the vocabulary,
// all at once.
func newFrozen(ctx context.Context, w World, name string, v *vocabulary) (*frozen, error) {
	if name == "lexical" {
		name = ""
	}
	if w.Embed == nil {
		return nil, errors.New("there is no embedder here")
	}
	e, err := w.Embed(ctx, name)
	if err != nil {
		return nil, err
	}
	if e == nil {
		return nil, errors.New("it is not at hand: choose it under Models first")
	}
	f := &frozen{embedder: e, known: map[string][]float32{}}
	return f, f.learn(ctx, v.Words)
}

func (f *frozen) dims() int { return f.embedder.Dims() }

// learn asks for the words that are not known yet.
func (f *frozen) learn(ctx context.Context, words []string) error {
	var missing []string
	asked := map[string]bool{}
	f.mu.Lock()
	for _, w := range words {
		if f.known[w] == nil && !asked[w] {
			asked[w] = true
			missing = append(missing, w)
		}
	}
	f.mu.Unlock()
	if len(missing) == 0 {
		return nil
	}
	vectors, err := f.embedder.Embed(ctx, embed.Query, missing)
	if err != nil {
		return err
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	for i, w := range missing {
		f.known[w] = vectors[i]
	}
	return nil
}

// read returns the vectors of words, n×e; those of names are 0.
func (f *frozen) read(ctx context.Context, tokens []lexicon.Token) ([]float32, error) {
	texts := make([]string, 0, len(tokens))
	for _, t := range tokens {
		if t.Lower != "" {
			texts = append(texts, t.Lower)
		}
	}
	if err := f.learn(ctx, texts); err != nil {
		return nil, err
	}
	out := make([]float32, 0, len(tokens)*f.dims())
	f.mu.Lock()
	defer f.mu.Unlock()
	for _, t := range tokens {
		if t.Lower == "" {
			out = append(out, make([]float32, f.dims())...)
			continue
		}
		out = append(out, f.known[t.Lower]...)
	}
	return out, nil
}
