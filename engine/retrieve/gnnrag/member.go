package gnnrag

import (
	"context"
	"fmt"
	"sync"

	"cairn/engine/kg"
	"cairn/engine/nn"
	"cairn/engine/retrieve"
)

// member is one network of a model with its encoder.
type member struct {
	enc   encoder
	net   network
	tapes sync.Pool // of *nn.Tape, that do not train
}

// newMember makes a network with weights drawn from the seed.
func newMember(ctx context.Context, seed uint64, encoder string, v *vocabulary, w retrieve.World, o Options) (*member, error) {
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
	case NSM:
		m.net = newNSM(p, m.enc, o)
	case GraftNet:
		m.net = newGraftNet(p, m.enc, o)
	default:
		return nil, fmt.Errorf("%w: its network is %q, which this program does not know", retrieve.ErrModel, o.Kind)
	}
	return m, nil
}

// compare counts the relations of a graph that the vocabulary knows, and lists the
// texts of the others.
func (v *vocabulary) compare(g *kg.Graph) (known int, unseen []string) {
	knows := map[string]bool{}
	for _, key := range v.Relations {
		knows[key] = true
	}
	for r := range kg.RelationID(g.Relations()) {
		if knows[g.RelationKey(r)] {
			known++
			continue
		}
		unseen = append(unseen, g.RelationText(r))
	}
	return known, unseen
}
