// Package embed turns names and questions into vectors.
//
// An Embedder's vectors have unit length, so that the L2 distance lies in
// [0, 2] and 0 means the same text.
package embed

import "context"

// Kind says what a text is, for models that embed questions and names
// differently.
type Kind int

// The kinds of text.
const (
	Document Kind = iota // a name in the graph
	Query                // a mention or relation phrase in a question
)

// Embedder embeds texts.
type Embedder interface {
	// ID names the embedder and everything that its vectors depend on: vectors
	// with different ids are never compared.
	ID() string
	// Dims is the length of every vector.
	Dims() int
	// Embed returns one unit vector a text, in order. A text that has no
	// feature gets the zero vector.
	Embed(ctx context.Context, kind Kind, texts []string) ([][]float32, error)
}

// Parallel is an Embedder that is faster on several goroutines at a time. Others
// embed names on one.
type Parallel interface {
	Embedder
	Parallel()
}
