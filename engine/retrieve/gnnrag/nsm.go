package gnnrag

import (
	"fmt"

	"cairn/engine/nn"
)

// nsm is the student of NSM (He et al. 2021, §4.2), which GNN-RAG's ablation has
// beside ReaRev: one instruction for each hop, read in their order.
//
//	h_v ← ReLU(Σ_facts W r)
//	for each step k of L:
//	    m_v ← Σ_(u,r,v) p_u ReLU((W_k r) ⊙ i_k)
//	    h_v ← ReLU(E_k [h_v; m_v])
//	    p   ← softmax_v(w·h_v)
//
// Differs from ReaRev in that a layer reads only its own instruction, in that facts
// walked backwards are facts of a relation of their own and share E_k with the
// others, and in having one stage.
//
// Differs from the paper in having no teacher: nothing tells what should be reached
// in between, which is the half of NSM that its title is about. It has the changes
// that reaRev has too (see there), and none of its own.
type nsm struct {
	walk
	read  reader
	steps []step
}

// step is the weights of one hop.
type step struct {
	relation, relationBias *nn.Param // d×d, 1×d: W_k
	state, message, bias   *nn.Param // d×d, d×d, 1×d: E_k
}

func newNSM(p *nn.Params, enc encoder, o Options) network {
	d := o.Width
	m := &nsm{walk: newWalk(p, enc, "nsm", o), read: newReader(p, "nsm.read", d, o.Layers)}
	for k := range o.Layers {
		name := fmt.Sprintf("nsm.step%d.", k+1)
		m.steps = append(m.steps, step{
			relation: p.Normal(name+"relation", d, d, nn.Fan(d)), relationBias: p.Normal(name+"relation_bias", 1, d, 0),
			state: p.Normal(name+"state", d, d, nn.Fan(d)), message: p.Normal(name+"message", d, d, nn.Fan(d)),
			bias: p.Normal(name+"bias", 1, d, 0),
		})
	}
	return oneStage{m, p}
}

// forward returns the scores of the region's entities (N×1).
func (m *nsm) forward(t *nn.Tape, x *example) *nn.Tensor {
	states, whole := m.encoder.question(t, x.words)
	instructions := m.read.instructions(t, states, whole)
	w := x.region.routes()
	vectors := m.relations(t, w)
	h := m.firstStates(t, w, vectors, len(x.region.Entities))
	var scores *nn.Tensor
	for k, s := range m.steps {
		p := x.region.start(t)
		if k > 0 {
			p = m.moved(t, x.region, k-1, scores)
		}
		relations := t.AddRow(t.MatMul(vectors, t.Param(s.relation)), t.Param(s.relationBias))
		sent := t.MatMul(t.ReLU(t.MulRow(relations, instructions[k])), t.Param(s.message))
		h = t.Settle(t.MatMul(h, t.Param(s.state)), p, sent, w.messages, t.Param(s.bias), m.form.dropout)
		scores = m.scored(t, h)
	}
	return scores
}
