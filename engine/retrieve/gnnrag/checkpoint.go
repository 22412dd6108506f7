package gnnrag

import (
	"fmt"
	"slices"

	"cairn/engine/retrieve"
)

// stateHeader is what stands before the weights of a checkpoint.
type stateHeader struct {
	Print string    `json:"print"` // of the data and the options
	Sofar sofar     `json:"sofar"`
	Done  []trained `json:"done"`
	progress
}

// state writes what the training goes on from.
func (tr *training) state() ([]byte, error) {
	h := stateHeader{tr.print, tr.sofar, tr.done, tr.now}
	h.Sofar.Seconds = tr.seconds()
	blobs := [][]byte{tr.now.weights, tr.now.adam, tr.now.best}
	for _, d := range tr.done {
		blobs = append(blobs, d.weights)
	}
	return pack(h, blobs...)
}

// restore reads what state wrote.
func (tr *training) restore(b []byte) error {
	var h stateHeader
	blobs, err := unpack(slices.Clone(b), &h) // the blobs alias it, and b belongs to the caller
	if err != nil {
		return fmt.Errorf("%w: %w", retrieve.ErrResume, err)
	}
	if h.Print != tr.print {
		return fmt.Errorf("%w: its questions, its options or the graph have changed since", retrieve.ErrResume)
	}
	if len(blobs) != 3+len(h.Done) || len(h.Done) >= len(tr.o.Encoders) || len(h.Losses) != h.Epoch {
		return fmt.Errorf("%w: its parts do not fit together", retrieve.ErrResume)
	}
	for i := range h.Done {
		h.Done[i].weights = blobs[3+i]
	}
	tr.sofar, tr.done, tr.now = h.Sofar, h.Done, h.progress
	tr.now.weights, tr.now.adam, tr.now.best = blobs[0], blobs[1], blobs[2]
	return nil
}
