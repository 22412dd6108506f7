package nn

import "errors"

// ErrCheckpoint is returned for bytes that are no weights of this network: cut
// off, changed, or of another one.
var ErrCheckpoint = errors.New("the weights cannot be used")

// Weights writes the weights: names, shapes, numbers and a checksum.
func (p *Params) Weights() []byte { panic("not written yet") }

// SetWeights reads what Weights wrote into the same network. Where it fails with
// ErrCheckpoint, the weights are as they were.
func (p *Params) SetWeights(b []byte) error { panic("not written yet") }

// State writes what the optimiser remembers, with a checksum.
func (a *Adam) State() []byte { panic("not written yet") }

// SetState reads what State wrote.
func (a *Adam) SetState(b []byte) error { panic("not written yet") }
