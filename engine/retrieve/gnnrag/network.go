package gnnrag

import (
	"context"

	"cairn/engine/kg"
	"cairn/engine/nn"
	"cairn/engine/questions"
)

// Kind names a network.
type Kind string

// The networks.
const (
	// Flow lets scores flow along relations that the question picks step by step:
	// seconds to train, and it reads as a plan (after TransferNet, Shi et al. 2021).
	Flow Kind = "flow"
	// ReaRev is the paper's network.
	ReaRev Kind = "rearev"
)

// kinds lists every kind, the quickest first.
var kinds = []Kind{Flow, ReaRev}

// network scores entities for questions. Its weights are shared by the tapes that
// use it at the same time; it holds nothing of one question.
type network interface {
	// loss puts the loss of an example with answers on the tape, 1×1.
	loss(t *nn.Tape, x *example) *nn.Tensor
	// scores returns probabilities of entities that are not seeds, in no order,
	// each once, adding up to 1 at most; t does not train.
	scores(t *nn.Tape, x *example) []scored
	// params are its weights, those of its encoder among them.
	params() *nn.Params
}

// example is a question made ready for a network.
type example struct {
	words   *words
	seeds   []kg.EntityID
	answers []kg.EntityID // ascending; nil where they are asked for
	// region is nil for networks that look at the whole graph.
	region *Region
	// gold are the local ids of the answers in region that are not seeds.
	gold []int32
}

// encoder turns questions and relations into vectors of width d.
type encoder interface {
	// words makes a question ready, outside of any tape.
	words(ctx context.Context, q questions.Example) (*words, error)
	// question returns the states of the question's n words (n×d) and of the
	// question as a whole (1×d).
	question(t *nn.Tape, w *words) (states, whole *nn.Tensor)
	// relations returns the vectors of the relations of ids, walked forwards and
	// backwards (len(ids)×d each); of all relations, by id, where ids is nil.
	relations(t *nn.Tape, ids []kg.RelationID) (forward, inverse *nn.Tensor)
}

// words is a question as an encoder reads it. In place of each topic's name there
// is one word that stands for any.
type words struct {
	// terms look the n words up in the encoder's table, as sums of rows (see
	// nn.Tape.Combine), in the order of the words.
	terms []nn.Term
	// vectors are the n words as vectors that do not change (n×e, row-major); nil
	// for an encoder without them.
	vectors []float32
	n       int
	// mentions are what the question names, where it names several things. They are
	// distinct, and no seed is in two of them.
	mentions []mention
}

// mention is one of several things that a question names.
type mention struct {
	seeds []kg.EntityID
	// words are those of the question, in which this one's name is another word than
	// the names of the others.
	words *words
}
