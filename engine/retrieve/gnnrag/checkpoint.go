package gnnrag

import (
	"fmt"
	"slices"
)

// stateHeader is what stands before the weights of a checkpoint.
type stateHeader struct {
	Print string `json:"print"` // of the data and the options
	Sofar sofar  `json:"sofar"`
	Done  []struct {
		Encoder string  `json:"encoder"`
		Dev     Metrics `json:"dev"`
	} `json:"done"`
	Try    int       `json:"try"`
	Epoch  int       `json:"epoch"`
	Losses []float64 `json:"losses"`
	Dev    Metrics   `json:"dev"`
	Tried  Metrics   `json:"tried"`
	Since  int       `json:"since"`
}

// state writes what the training goes on from.
func (tr *training) state() ([]byte, error) {
	now := &tr.now
	h := stateHeader{
		Print: tr.print, Sofar: tr.sofar, Try: now.try, Epoch: now.epoch, Losses: now.losses,
		Dev: now.dev, Tried: now.tried, Since: now.since,
	}
	h.Sofar.Seconds = tr.seconds()
	blobs := [][]byte{now.weights, now.adam, now.best}
	for _, d := range tr.done {
		h.Done = append(h.Done, struct {
			Encoder string  `json:"encoder"`
			Dev     Metrics `json:"dev"`
		}{d.encoder, d.dev})
		blobs = append(blobs, d.weights)
	}
	return pack(h, blobs...)
}

// restore reads what state wrote.
func (tr *training) restore(b []byte) error {
	var h stateHeader
	blobs, err := unpack(b, &h)
	if err != nil {
		return fmt.Errorf("%w: %w", ErrResume, err)
	}
	if h.Print != tr.print {
		return fmt.Errorf("%w: its questions, its options or the graph have changed since", ErrResume)
	}
	if len(blobs) != 3+len(h.Done) || len(h.Done) >= len(tr.o.Encoders) || len(h.Losses) != h.Epoch {
		return fmt.Errorf("%w: its parts do not fit together", ErrResume)
	}
	// The blobs alias b, which belongs to the caller.
	for i := range blobs {
		blobs[i] = slices.Clone(blobs[i])
	}
	tr.sofar = h.Sofar
	for i, d := range h.Done {
		tr.done = append(tr.done, trained{d.Encoder, blobs[3+i], d.Dev})
	}
	tr.now = progress{
		try: h.Try, epoch: h.Epoch, losses: h.Losses, dev: h.Dev, tried: h.Tried, since: h.Since,
		weights: blobs[0], adam: blobs[1], best: blobs[2],
	}
	return nil
}
