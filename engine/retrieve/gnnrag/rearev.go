package gnnrag

import (
	"fmt"
	"slices"

	"cairn/engine/nn"
	"cairn/internal/wording"
)

// reaRev is ReaRev (Mavromatis and Karypis 2022), the network of GNN-RAG §4.2. It
// reads the question as K instructions. Probability starts at the seeds and moves
// along the facts that match the instructions, one hop in each of L layers; a
// stage ends by writing the instructions again in the light of what the seeds have
// become, and T stages make an answer.
//
//	h_v ← ReLU(Σ_facts (W r + b))                                 first states
//	for each of T stages: p ← uniform over the seeds
//	    for each layer j of L:
//	        m_v^k ← Σ_(u,r,v) p_u ReLU((W_j r) ⊙ i_k)              for each instruction, in each direction
//	        h_v   ← ReLU(E_j [h_v; m_v^1; …; m_v^K])
//	        p     ← softmax_v(w·h_v)
//	    i_k ← g ⊙ R_k[i_k; y; i_k − y] + (1−g) ⊙ i_k,  y the sum of the seeds' states,  g = σ(G_k[i_k; y; i_k − y])
//
// A message depends on its fact only through the relation, so E_j is applied to one
// row per relation (Σ_k E_jk ReLU((W_j r) ⊙ i_k)) and the rows are sent, which is
// the same by algebra and costs one product with h and not 2K+1.
//
// With K = L = 3 and d = 50 it has 81,000 weights beside those of its encoder, and
// 126,000 where there is more than one stage.
//
// Differs from the paper in the following, unless Options.Published is set:
//   - after layer j, unless it is the last, only entities within j facts of a seed
//     take part in the softmax. Among hundreds of entities those that probability
//     has reached are few, and what the others were given by their first states
//     alone drowned it: four trainings of five stayed at a loss of 1.1 then, and
//     none does now;
//   - before each layer after the first, p is divided by its largest number, as by
//     a constant: a softmax over hundreds of entities leaves messages that are
//     small beside h;
//   - the loss of the earlier stages counts too, each by a half;
//   - a relation that an entity has n facts of counts log(1+n) times in its first
//     state, and with the vector of the direction: hubs have thousands.
//
// And always in these: the vectors of relations backwards come from the encoder, the
// loop of an entity to itself is one message and not one in each direction, the
// dropout is on h alone, and the seeds take no part in any softmax (the authors
// leave them in for CWQ only).
type reaRev struct {
	weights *nn.Params
	encoder encoder
	form    form

	loop             *nn.Param // the vector of loops, 1×d
	first, firstBias *nn.Param // d×d, 1×d: the first states
	score, scoreBias *nn.Param // d×1, 1×1

	read    reader
	layers  []reasoning
	rewrite []rewrite // by instruction; nil for one stage
	stages  int
}

// form is what ReaRev does otherwise than published.
type form struct {
	near      bool    // probability moves along facts only
	spread    bool    // p is divided by its largest number
	early     float32 // weight of the loss of earlier stages
	logarithm bool    // facts are counted as log(1+n)
	direct    bool    // first states know the directions of facts
	dropout   float64 // of states
}

var (
	ourForm       = form{near: true, spread: true, early: 0.5, logarithm: true, direct: true, dropout: 0.05}
	publishedForm = form{dropout: 0.2}
)

// reasoning is the weights of one layer.
type reasoning struct {
	relation, relationBias *nn.Param // d×d, 1×d: W_j
	state, bias            *nn.Param // d×d, 1×d: the part of E_j that reads h
	forward, inverse       *nn.Param // K·d×d: the parts that read messages
}

// rewrite is the weights that write one instruction again.
type rewrite struct{ value, gate *nn.Param } // 3d×d: R_k, G_k

func newReaRev(p *nn.Params, enc encoder, o Options) network {
	d, k := o.Width, o.Instructions
	m := &reaRev{
		weights: p, encoder: enc, form: ourForm, stages: o.Stages,
		loop:  p.Normal("rearev.loop", 1, d, 0.5),
		first: p.Normal("rearev.first", d, d, nn.Fan(d)), firstBias: p.Normal("rearev.first_bias", 1, d, 0),
		score: p.Normal("rearev.score", d, 1, nn.Fan(d)), scoreBias: p.Normal("rearev.score_bias", 1, 1, 0),
		read: newReader(p, "rearev.read", d, k),
	}
	if o.Published {
		m.form = publishedForm
	}
	for j := range o.Layers {
		name := fmt.Sprintf("rearev.layer%d.", j+1)
		m.layers = append(m.layers, reasoning{
			relation: p.Normal(name+"relation", d, d, nn.Fan(d)), relationBias: p.Normal(name+"relation_bias", 1, d, 0),
			state: p.Normal(name+"state", d, d, nn.Fan(d)), bias: p.Normal(name+"bias", 1, d, 0),
			forward: p.Normal(name+"forward", k*d, d, nn.Fan(d)), inverse: p.Normal(name+"inverse", k*d, d, nn.Fan(d)),
		})
	}
	for i := 0; i < k && o.Stages > 1; i++ {
		name := fmt.Sprintf("rearev.rewrite%d.", i+1)
		m.rewrite = append(m.rewrite, rewrite{
			value: p.Normal(name+"value", 3*d, d, nn.Fan(3*d)), gate: p.Normal(name+"gate", 3*d, d, nn.Fan(3*d)),
		})
	}
	return m
}

func (m *reaRev) params() *nn.Params { return m.weights }

func (m *reaRev) loss(t *nn.Tape, x *example) *nn.Tensor {
	stages := m.forward(t, x)
	y, masked := x.target(), x.region.seeds()
	last := len(stages) - 1
	sum := t.KL(stages[last], y, masked)
	if m.form.early > 0 {
		for _, s := range stages[:last] {
			sum = t.Add(sum, t.Scale(t.KL(s, y, masked), m.form.early))
		}
	}
	return sum
}

func (m *reaRev) scores(t *nn.Tape, x *example) []scored {
	stages := m.forward(t, x)
	return x.region.scored(t.Softmax(stages[len(stages)-1], x.region.seeds()))
}

// forward returns the scores of the region's entities after each stage (N×1 each).
func (m *reaRev) forward(t *nn.Tape, x *example) []*nn.Tensor {
	states, whole := m.encoder.question(t, x.words)
	instructions := m.read.instructions(t, states, whole)
	w := x.region.routes()
	// The vectors of the rows of routes (rows×d).
	relationsOut, relationsIn := m.encoder.relations(t, w.relations)
	vectors := t.Stack(relationsOut, t.Param(m.loop), relationsIn)
	h := m.firstStates(t, w, vectors, len(x.region.Entities))
	relations := make([]*nn.Tensor, len(m.layers)) // W_j r, of every stage
	for j, l := range m.layers {
		relations[j] = t.AddRow(t.MatMul(vectors, t.Param(l.relation)), t.Param(l.relationBias))
	}
	var stages []*nn.Tensor
	for s := range m.stages {
		var scores *nn.Tensor
		for j, l := range m.layers {
			p := x.region.start(t)
			if j > 0 {
				p = m.moved(t, x.region, j-1, scores)
			}
			sent := l.messages(t, relations[j], instructions, w.loop())
			h = t.Settle(t.MatMul(h, t.Param(l.state)), p, sent, w.messages, t.Param(l.bias), m.form.dropout)
			scores = t.AddRow(t.MatMul(h, t.Param(m.score)), t.Param(m.scoreBias))
		}
		stages = append(stages, scores)
		if s+1 < m.stages {
			instructions = m.rewritten(t, instructions, h, x.region.Seeds)
		}
	}
	return stages
}

// messages returns what facts of each relation carry, through E_j (rows×d).
func (l *reasoning) messages(t *nn.Tape, relations *nn.Tensor, instructions []*nn.Tensor, loop int) *nn.Tensor {
	matched := wording.Each(instructions, func(i *nn.Tensor) *nn.Tensor { return t.ReLU(t.MulRow(relations, i)) })
	all := t.Concat(matched...)
	return t.Stack(
		t.MatMul(t.Rows(all, 0, loop+1), t.Param(l.forward)),
		t.MatMul(t.Rows(all, loop+1, all.Rows), t.Param(l.inverse)))
}

// rewritten returns the instructions of the next stage.
func (m *reaRev) rewritten(t *nn.Tape, instructions []*nn.Tensor, h *nn.Tensor, seeds int) []*nn.Tensor {
	y := t.Combine(h, 1, sumOf(seeds))
	out := make([]*nn.Tensor, len(instructions))
	for k, i := range instructions {
		both := t.Concat(i, y, t.Sub(i, y))
		gate := t.Sigmoid(t.MatMul(both, t.Param(m.rewrite[k].gate)))
		out[k] = t.Add(i, t.Mul(gate, t.Sub(t.MatMul(both, t.Param(m.rewrite[k].value)), i)))
	}
	return out
}

// firstStates returns the states of the n entities of a region before anything has
// moved (n×d), which is what relations meet in them:
//
//	h_v = ReLU(Σ_facts (W r + b))
func (m *reaRev) firstStates(t *nn.Tape, r *routes, vectors *nn.Tensor, n int) *nn.Tensor {
	if !m.form.direct {
		forwards := t.Rows(vectors, 0, r.loop())
		vectors = t.Stack(forwards, t.Rows(vectors, r.loop(), r.loop()+1), forwards)
	}
	terms := r.incident
	if m.form.logarithm {
		terms = r.logarithms
	}
	vectors = t.AddRow(t.MatMul(vectors, t.Param(m.first)), t.Param(m.firstBias))
	return t.Dropout(t.ReLU(t.Combine(vectors, n, terms)), m.form.dropout)
}

// moved turns the scores of layer j, from 0, into the p that the next one begins
// with.
func (m *reaRev) moved(t *nn.Tape, region *Region, j int, scores *nn.Tensor) *nn.Tensor {
	masked := region.seeds()
	if beyond := region.routes().beyond; m.form.near {
		masked = beyond[min(j, len(beyond)-1)]
	}
	p := t.Softmax(scores, masked)
	top := slices.Max(p.Data)
	if !m.form.spread || top == 0 {
		return p
	}
	return t.Scale(p, 1/top)
}

// sumOf are the terms that add up the first n rows.
func sumOf(n int) []nn.Term {
	terms := make([]nn.Term, n)
	for i := range terms {
		terms[i] = nn.Term{From: int32(i), Weight: 1}
	}
	return terms
}
