// Package nn is a small kit for training networks on the processor.
//
//	Tensor   a matrix with its gradient
//	Tape     the operations of one forward pass, undone in reverse for gradients
//	Params   the weights of one network, shared by all tapes that use it
//	Trainer  gradients of a batch of items on several cores, then one step of Adam
//
// Everything is float32 and row-major. The same seed gives the same weights on one
// kind of processor, however many cores it has. A wrong shape is a mistake of the
// caller and panics.
package nn
