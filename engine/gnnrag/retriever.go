package gnnrag

import (
	"context"
	"errors"
	"time"

	"cairn/engine/evidence"
	"cairn/engine/plan"
	"cairn/engine/qa"
)

// ErrNoSeed is returned for a question that names no entity of the graph.
var ErrNoSeed = errors.New("the question names no entity of the graph")

// Retriever is a model over one graph, ready for questions. It is safe for
// concurrent use.
type Retriever struct {
	model *Model
	world World
}

// On makes a model ready for questions over a graph: its own, also where that has
// changed since, in which case Notes say so.
func (m *Model) On(ctx context.Context, w World) (*Retriever, error) {
	return nil, errors.New("not written yet")
}

// RetrieveOptions are the choices of one question; the zero value is the default.
type RetrieveOptions struct {
	// Mass is how much probability the selected answers have together (§4.1).
	// The default value is 0.95, the paper's.
	Mass float64
	// Answers caps the selected answers. The default value is 2,000.
	Answers int
	// PathsPerAnswer caps the shortest paths between one seed and one answer. The
	// default value is 8.
	PathsPerAnswer int
	// MaxWallTime is the soft deadline. The default value is 10 s.
	MaxWallTime time.Duration
}

// Result is what a retriever found.
type Result struct {
	Ranking evidence.Ranking
	Region  plan.Region
	// Steps say in words how the network read the question, where it can say it:
	// "1. directed by, backwards (0.99)".
	Steps        []string
	Stats        evidence.Stats
	Completeness evidence.Completeness
}

// Retrieve answers a question; its Answers are not read. It fails with ErrNoSeed
// where it has no Topics.
func (r *Retriever) Retrieve(ctx context.Context, q qa.Example, o RetrieveOptions) (Result, error) {
	return Result{}, errors.New("not written yet")
}
