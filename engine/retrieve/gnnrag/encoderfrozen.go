package gnnrag

import (
	"context"
	"errors"

	"cairn/engine/embed"
	"cairn/engine/lexicon"
	"cairn/engine/retrieve"
	"cairn/engine/retrieve/learn"
)

// frozen gives the vectors of words by an embedder. It is safe for concurrent use.
type frozen struct{ embed.Embedder }

// newFrozen asks the embedder with the given name for the words of the vocabulary,
// all at once, so that one on a server has them by then.
func newFrozen(ctx context.Context, w retrieve.World, name string, v *learn.Vocabulary) (*frozen, error) {
	if name == lexicalEncoder {
		name = ""
	}
	if w.Embed == nil {
		return nil, errors.New("there is no embedder here")
	}
	e, err := w.Embed(ctx, name)
	switch {
	case err != nil:
		return nil, err
	case e == nil:
		return nil, errors.New("it is not available; choose it under Models first")
	case len(v.Words) > 0:
		if _, err := e.Embed(ctx, embed.Query, v.Words); err != nil {
			return nil, err
		}
	}
	return &frozen{embed.NewRecent(e)}, nil
}

// read returns the vectors of words, n×e; those of names are 0.
func (f *frozen) read(ctx context.Context, tokens []lexicon.Token) ([]float32, error) {
	var texts []string
	for _, t := range tokens {
		if t.Lower != "" {
			texts = append(texts, t.Lower)
		}
	}
	var vectors [][]float32
	if len(texts) > 0 {
		var err error
		if vectors, err = f.Embed(ctx, embed.Query, texts); err != nil {
			return nil, err
		}
	}
	out := make([]float32, len(tokens)*f.Dims())
	for i, t := range tokens {
		if t.Lower != "" {
			copy(out[i*f.Dims():], vectors[0])
			vectors = vectors[1:]
		}
	}
	return out, nil
}
