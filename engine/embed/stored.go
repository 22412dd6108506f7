package embed

import (
	"context"
	"time"
)

// Keeper keeps vectors by the id of their embedder and by text; *kg.Store is
// one.
type Keeper interface {
	// Vectors returns the vectors that the set has of texts, in order; nil for a
	// text that it has none of.
	Vectors(ctx context.Context, set string, dims int, texts []string) ([][]float32, error)
	// PutVectors adds vectors to a set, all of them or none.
	PutVectors(ctx context.Context, set string, texts []string, vectors [][]float32) error
}

// Stored is an Embedder that makes the vector of a name only once: it looks in
// a Keeper first, and keeps what it makes, a few at a time, so that a run that
// was stopped or killed goes on where it was. Vectors of questions are not
// kept. One goroutine at a time embeds names; any number may embed questions.
type Stored struct {
	Embedder
	keeper Keeper
	id     string
	stats  Stats

	readOnly bool // the keeper takes nothing new
}

// Stats says what a Stored did.
type Stats struct {
	Found int           `json:"found"` // texts whose vector was kept
	Made  int           `json:"made"`  // texts that were embedded
	Took  time.Duration `json:"took"`  // embedding and keeping them
}

// PerSecond is how many texts were embedded a second; 0 for none.
func (s Stats) PerSecond() float64 {
	if s.Took <= 0 {
		return 0
	}
	return float64(s.Made) / s.Took.Seconds()
}

// keptAtOnce is how many vectors are made before they are kept: what a kill
// loses at most.
const keptAtOnce = 64

// NewStored returns e with its vectors of names kept in k; nowhere for nil.
func NewStored(e Embedder, k Keeper) *Stored {
	return &Stored{Embedder: e, keeper: k, id: e.ID()}
}

// NewReadOnly returns e with those of its vectors of names that k has, which gets no
// others.
func NewReadOnly(e Embedder, k Keeper) *Stored {
	return &Stored{Embedder: e, keeper: k, id: e.ID(), readOnly: true}
}

// Stats says what was found and made so far.
func (s *Stored) Stats() Stats { return s.stats }

// Embed returns one vector a text, in order.
func (s *Stored) Embed(ctx context.Context, kind Kind, texts []string) ([][]float32, error) {
	if kind == Query {
		return s.Embedder.Embed(ctx, kind, texts)
	}
	out := make([][]float32, len(texts))
	if s.keeper != nil {
		var err error
		if out, err = s.keeper.Vectors(ctx, s.id, s.Dims(), texts); err != nil {
			return nil, err
		}
	}
	var missing []string
	var at []int
	for i, v := range out {
		if v == nil {
			missing = append(missing, texts[i])
			at = append(at, i)
		}
	}
	s.stats.Found += len(texts) - len(missing)
	for from := 0; from < len(missing); from += keptAtOnce {
		to := min(from+keptAtOnce, len(missing))
		made, err := s.make(ctx, missing[from:to])
		if err != nil {
			return nil, err
		}
		for i, v := range made {
			out[at[from+i]] = v
		}
	}
	return out, nil
}

// make embeds texts and keeps their vectors.
func (s *Stored) make(ctx context.Context, texts []string) ([][]float32, error) {
	began := time.Now()
	defer func() { s.stats.Took += time.Since(began) }()
	vectors, err := s.Embedder.Embed(ctx, Document, texts)
	if err != nil {
		return nil, err
	}
	if s.keeper != nil && !s.readOnly {
		if err := s.keeper.PutVectors(ctx, s.id, texts, vectors); err != nil {
			return nil, err
		}
	}
	s.stats.Made += len(texts)
	return vectors, nil
}
