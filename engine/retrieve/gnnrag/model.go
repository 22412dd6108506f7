package gnnrag

import (
	"context"
	"fmt"
	"time"

	"cairn/engine/retrieve"
	"cairn/engine/retrieve/learn"
	"cairn/internal/wording"
)

// Model is a trained retriever: one network, or several that answer together.
type Model struct {
	About    About
	vocab    *learn.Vocabulary
	networks []learn.Trained
}

// About is what there is to know of a trained model. Whoever trains it sets its Data
// and HeldMade.
type About struct {
	retrieve.About

	Options  Options  `json:"options"`
	Coverage Coverage `json:"coverage"` // of its regions; zero for Flow, which has none
}

// Coverage says how many of the right answers regions hold: what is not in a region
// cannot be found there. Each in [0, 1], higher is better.
type Coverage struct {
	Any      float64 `json:"any"`   // questions with at least one right answer inside
	All      float64 `json:"all"`   // questions with all of them inside
	Share    float64 `json:"share"` // mean share of the right answers inside
	Entities float64 `json:"entities"`
	Facts    float64 `json:"facts"` // mean sizes

	// Questions with an answer that is not inside: since it is farther from the seeds
	// than Hops, or not joined to them; since the ways to it lead past hubs; since it
	// did not fit. One question may count for several.
	Far     float64 `json:"far,omitempty"`
	Hubs    float64 `json:"hubs,omitempty"`
	Crowded float64 `json:"crowded,omitempty"`
}

// model makes the model of what came of the training, and measures it.
func (tr *training) model(ctx context.Context, out learn.Outcome) (*Model, error) {
	m := &Model{vocab: tr.vocab, networks: out.Networks}
	m.About = About{
		About: retrieve.About{
			Questions: len(tr.data.train), Held: tr.held,
			Made: time.Now().UTC().Truncate(time.Millisecond), Seconds: out.Seconds, Epochs: out.Epochs, Tries: out.Tries,
		},
		Options: tr.o, Coverage: tr.data.coverage,
	}
	m.About.Options.Encoders = nil
	for _, n := range m.networks {
		m.About.Options.Encoders = append(m.About.Options.Encoders, n.Part)
	}
	r, err := m.on(ctx, tr.world)
	if err != nil {
		return m, err
	}
	for _, n := range r.members {
		m.About.Weights += n.net.params().Len()
	}
	m.About.Dev, err = r.measure(ctx, tr.data)
	return m, err
}

// modelHeader is what stands before the weights of a model.
type modelHeader struct {
	About      About             `json:"about"`
	Vocabulary *learn.Vocabulary `json:"vocabulary"`
	Networks   []learn.Trained   `json:"networks"`
}

// Encode writes the model, with a checksum.
func (m *Model) Encode() ([]byte, error) {
	blobs := wording.Each(m.networks, func(n learn.Trained) []byte { return n.Weights })
	return modelForm.Pack(modelHeader{m.About, m.vocab, m.networks}, blobs...)
}

// Decode reads what Encode wrote, or fails with ErrModel.
func Decode(b []byte) (*Model, error) {
	var h modelHeader
	blobs, err := modelForm.Unpack(b, &h)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", retrieve.ErrModel, err)
	}
	if len(blobs) == 0 || len(blobs) != len(h.Networks) || h.Vocabulary == nil {
		return nil, fmt.Errorf("%w: its parts do not fit together", retrieve.ErrModel)
	}
	if err := h.About.Options.check(); err != nil {
		return nil, fmt.Errorf("%w: %w", retrieve.ErrModel, err)
	}
	for i := range h.Networks {
		h.Networks[i].Weights = blobs[i]
	}
	return &Model{h.About, h.Vocabulary, h.Networks}, nil
}
