package gnnrag

import (
	"context"
	"errors"
	"time"

	"cairn/engine/embed"
	"cairn/engine/kg"
)

// ErrModel is returned for bytes that are no model: damaged, cut off, or of a
// version that this program does not read.
var ErrModel = errors.New("the trained retriever cannot be read")

// World is what networks know beside their weights.
type World struct {
	Graph *kg.Graph
	// Embed embeds words and relations for encoders that do not learn their own
	// vectors; it returns nil where the embedder with that id cannot be had.
	// The id "" is the built-in one.
	Embed func(ctx context.Context, id string) (embed.Embedder, error)
}

// Model is a trained retriever: one network, or several that answer together.
type Model struct {
	About About
	// unexported: the networks' weights, vocabularies, relations
}

// About is what there is to know of a trained model.
type About struct {
	Options Options `json:"options"`
	// Data says in words what it was trained on: "1,000 questions of qa_train.txt".
	Data      string    `json:"data"`
	Questions int       `json:"questions"` // trained on
	Held      int       `json:"held"`      // of the dev split
	Dev       Metrics   `json:"dev"`       // on the dev split
	Coverage  Coverage  `json:"coverage"`  // of its regions, on the dev split
	Relations []string  `json:"relations"` // keys of those of the graph at the time
	Weights   int       `json:"weights"`   // how many numbers
	Made      time.Time `json:"made"`
	Took      float64   `json:"took"`   // seconds
	Epochs    int       `json:"epochs"` // of all networks and tries
	Tries     int       `json:"tries"`  // trainings begun, stalled ones among them
}

// Metrics are means over questions, each in [0, 1], higher is better.
type Metrics struct {
	H1  float64 `json:"h1"`  // the first answer is right
	Hit float64 `json:"hit"` // a right answer is among the selected ones
	F1  float64 `json:"f1"`  // of the selected answers
}

// Coverage says how many of the right answers regions hold: what is not in a region
// cannot be found there. Each in [0, 1], higher is better.
type Coverage struct {
	Any      float64 `json:"any"`   // questions with at least one right answer inside
	All      float64 `json:"all"`   // questions with all of them inside
	Share    float64 `json:"share"` // mean share of the right answers inside
	Entities float64 `json:"entities"`
	Facts    float64 `json:"facts"` // mean sizes
}

// Encode writes the model, with a checksum.
func (m *Model) Encode() ([]byte, error) { return nil, errors.New("not written yet") }

// Decode reads what Encode wrote, or fails with ErrModel.
func Decode(b []byte) (*Model, error) { return nil, errors.New("not written yet") }
