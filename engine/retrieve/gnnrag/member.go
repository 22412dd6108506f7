package gnnrag

import (
	"context"
	"fmt"
	"sync"

	"cairn/engine/nn"
	"cairn/engine/retrieve"
	"cairn/engine/retrieve/learn"
)

type member struct {
	enc   encoder
	net   network
	tapes sync.Pool // of *nn.Tape, that do not train
}

// newMember makes a network with weights drawn from the seed.
func newMember(ctx context.Context, seed uint64, encoder string, v *learn.Vocabulary, w retrieve.World, o Options) (*member, error) {
	p := nn.NewParams(seed)
	m := &member{}
	var err error
	if m.enc, err = newEncoder(ctx, p, encoder, v, w, o); err != nil {
		return nil, err
	}
	switch o.Kind {
	case Flow:
		m.net = newFlow(p, m.enc, w.Graph, o)
	case ReaRev:
		m.net = newReaRev(p, m.enc, o)
	default:
		return nil, fmt.Errorf("%w: its network is %q, which this program does not know", retrieve.ErrModel, o.Kind)
	}
	return m, nil
}
