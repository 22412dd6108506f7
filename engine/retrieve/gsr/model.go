package gsr

import (
	"context"
	"errors"
	"fmt"
	"time"

	"cairn/engine/retrieve"
	"cairn/engine/retrieve/learn"
)

// model is a trained network with all that asking it takes.
type model struct {
	About   retrieve.About
	Options Options
	// Warmth calibrates its probabilities: see speaker.
	Warmth float64
	// Returns says that chains may lead back to what a question names.
	Returns bool

	vocab *learn.Vocabulary
	// taught are the words that questions over this graph taught; vocab has those of a base,
	// too. Nil is all of vocab.
	taught  *learn.Vocabulary
	weights []byte
}

// finish makes the model of what came of a training, and calibrates and measures it.
// failed is why the training ended early.
func (tr *training) finish(ctx context.Context, out learn.Outcome, failed error) (*model, error) {
	m := &tr.model
	m.weights = out.Networks[0].Weights
	m.Options = tr.o
	s, err := m.speaker(tr.asked.World, tr.walks)
	if err != nil {
		return nil, errors.Join(failed, err)
	}
	ms, outs, err := s.measure(ctx, tr.held)
	m.Warmth = calibrate(outs)
	a := &m.About
	a.Title, a.Dev, a.Weights = "GSR", learn.Mean(ms), s.net.p.Len()
	a.Made, a.Seconds, a.Epochs, a.Tries = time.Now().UTC().Truncate(time.Millisecond), out.Seconds, out.Epochs, out.Tries
	a.Data, a.HeldMade = tr.asked.Data, tr.asked.HeldMade
	return m, errors.Join(failed, err)
}

// speaker makes the model ready for a graph.
func (m *model) speaker(w retrieve.World, walks *learn.Walkers) (*speaker, error) {
	n := newNet(m.Options, m.vocab, 0)
	if err := n.p.SetWeights(m.weights); err != nil {
		return nil, fmt.Errorf("%w: %w", retrieve.ErrModel, err)
	}
	s := newSpeaker(n, n.names(w.Graph, m.vocab), walks, m.Options)
	s.warmth, s.schema = m.Warmth, w.Schema
	if m.taught != nil {
		s.taught = learn.NewRows(m.taught)
	}
	return s, nil
}

// modelHeader is what stands before the weights of a model.
type modelHeader struct {
	About      retrieve.About    `json:"about"`
	Options    Options           `json:"options"`
	Warmth     float64           `json:"warmth"`
	Returns    bool              `json:"returns,omitempty"`
	Vocabulary *learn.Vocabulary `json:"vocabulary"`
	Taught     *learn.Vocabulary `json:"taught,omitempty"`
}

// decode reads what encode wrote, or fails with ErrModel.
func decode(b []byte) (*model, error) {
	var h modelHeader
	blobs, err := modelForm.Unpack(b, &h)
	if err == nil && (len(blobs) != 1 || h.Vocabulary == nil) {
		err = errors.New("its parts do not fit together")
	}
	if err == nil {
		err = h.Options.check()
	}
	if err != nil {
		return nil, fmt.Errorf("%w: %w", retrieve.ErrModel, err)
	}
	return &model{h.About, h.Options, h.Warmth, h.Returns, h.Vocabulary, h.Taught, blobs[0]}, nil
}
