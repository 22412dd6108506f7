package learn

import (
	"fmt"
	"slices"
	"time"

	"cairn/engine/retrieve"
)

// checkpointEvery is the least time between two checkpoints.
const checkpointEvery = 5 * time.Second

// stateHeader is what stands before the weights of a checkpoint.
type stateHeader struct {
	Print string    `json:"print"` // of the data and the options
	Sofar sofar     `json:"sofar"`
	Done  []Trained `json:"done"`
	progress
}

// state writes what the training goes on from.
func (c *course) state() ([]byte, error) {
	h := stateHeader{c.Print, c.sum, c.done, c.now}
	h.Sofar.Seconds = c.seconds()
	blobs := [][]byte{c.now.weights, c.now.adam, c.now.best}
	for _, d := range c.done {
		blobs = append(blobs, d.Weights)
	}
	return c.Form.Pack(h, blobs...)
}

// restore reads what state wrote.
func (c *course) restore(b []byte) error {
	var h stateHeader
	blobs, err := c.Form.Unpack(slices.Clone(b), &h) // the blobs alias it, and b belongs to the caller
	if err != nil {
		return fmt.Errorf("%w: %w", retrieve.ErrResume, err)
	}
	if h.Print != c.Print {
		return fmt.Errorf("%w: its questions, its options or the graph have changed since", retrieve.ErrResume)
	}
	if len(blobs) != 3+len(h.Done) || len(h.Done) >= len(c.Parts) || len(h.Losses) != h.Epoch {
		return fmt.Errorf("%w: its parts do not fit together", retrieve.ErrResume)
	}
	for i := range h.Done {
		h.Done[i].Weights = blobs[3+i]
	}
	c.sum, c.done, c.now = h.Sofar, h.Done, h.progress
	c.now.weights, c.now.adam, c.now.best = blobs[0], blobs[1], blobs[2]
	return nil
}

// handOut gives the latest state to whoever keeps it, when it is time.
func (c *course) handOut(last bool) error {
	if c.Events.Checkpoint == nil || !c.fresh || !last && time.Since(c.saved) < checkpointEvery {
		return nil
	}
	c.saved, c.fresh = time.Now(), false
	return c.Events.Checkpoint(c.last)
}
