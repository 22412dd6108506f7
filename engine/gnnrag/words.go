package gnnrag

import "cairn/engine/nn"

// words is a question as an encoder reads it.
type words struct {
	// terms look the n words up in the encoder's table, one row each, as a sum of
	// rows (see nn.Tape.Combine); nil for an encoder without a table.
	terms []nn.Term
	// vectors are the n words as vectors that do not change (n×e, row-major); nil
	// for an encoder without them.
	vectors []float32
	n       int
}
