package gnnrag

import (
	"fmt"
	"math"

	"cairn/engine/nn"
)

// graftNet is GraftNet (Sun et al. 2018, §3.2–3.3) over facts alone, the weakest
// network of GNN-RAG's ablation: the question weighs the relations around each
// entity, and a PageRank that starts at the seeds says how much entities may pass
// on.
//
//	q the question, h_v ← ReLU(Σ_facts (W r + b)), pr ← uniform over the seeds
//	for each layer of L:
//	    α_ur = softmax over the facts of u (r·q / √d)
//	    m_v  = Σ_(u,r,v) α_ur pr_u (ReLU(A r) + B h_u)
//	    pr_v ← (1−λ) pr_v + λ Σ_(u,r,v) α_ur pr_u                 λ = 0.8
//	    h_v  ← ReLU(C h_v + D q + m_v + b)
//	    q    ← F Σ_seeds h_v
//
// Differs from the paper in these: no texts are fused in; entities have no vectors
// of their own but first states from their relations, as in ReaRev, so that those
// never seen in training work too; a message adds relation and sender after the
// ReLU and not before, which keeps it one row per relation; facts are walked both
// ways, with a vector for each; the scores go through a softmax with the loss of
// the other networks and not through a sigmoid for each entity. There is no dropout
// of facts.
type graftNet struct {
	walk
	layers []diffusion
}

// pageRankShare is λ, the share of an entity's rank that is passed on in a layer.
const pageRankShare = 0.8

// diffusion is the weights of one layer.
type diffusion struct {
	relation, sender       *nn.Param // d×d each: A, B
	state, question, bias  *nn.Param // d×d, d×d, 1×d: C, D, b
	rewrite, rewriteBiases *nn.Param // d×d, 1×d: F
}

func newGraftNet(p *nn.Params, enc encoder, o Options) network {
	d := o.Width
	m := &graftNet{walk: newWalk(p, enc, "graftnet", o)}
	for j := range o.Layers {
		square := func(name string) *nn.Param {
			return p.Normal(fmt.Sprintf("graftnet.layer%d.%s", j+1, name), d, d, nn.Fan(d))
		}
		l := diffusion{
			relation: square("relation"), sender: square("sender"), state: square("state"), question: square("question"),
			bias: p.Normal(fmt.Sprintf("graftnet.layer%d.bias", j+1), 1, d, 0),
		}
		if j+1 < o.Layers {
			l.rewrite = square("rewrite")
			l.rewriteBiases = p.Normal(fmt.Sprintf("graftnet.layer%d.rewrite_bias", j+1), 1, d, 0)
		}
		m.layers = append(m.layers, l)
	}
	return oneStage{m, p}
}

// forward returns the scores of the region's entities (N×1).
func (m *graftNet) forward(t *nn.Tape, x *example) *nn.Tensor {
	_, q := m.encoder.question(t, x.words)
	n, d := len(x.region.Entities), q.Cols
	w := x.region.routes()
	facts := w.messages[:2*w.facts]
	// Each fact has a weight of its own, and carries what its relation is or what its
	// sender is.
	ofRelation, ofSender := make([]nn.Message, len(facts)), make([]nn.Message, len(facts))
	for i, f := range facts {
		ofRelation[i] = nn.Message{From: int32(i), To: f.To, Vector: f.Vector}
		ofSender[i] = nn.Message{From: int32(i), To: f.To, Vector: f.From}
	}
	once := t.New(w.rows(), 1) // what facts carry of a rank: all of it
	for i := range once.Data {
		once.Data[i] = 1
	}
	vectors := m.relations(t, w)
	h := m.firstStates(t, w, vectors, n)
	rank := x.region.start(t)
	for _, l := range m.layers {
		match := t.Scale(t.MatMul(vectors, q.As(d, 1)), float32(nn.Fan(d)))
		weights := attend(t, match, rank, facts)
		fromRelations := t.Pass(weights, t.ReLU(t.MatMul(vectors, t.Param(l.relation))), n, ofRelation)
		fromSenders := t.Pass(weights, t.MatMul(h, t.Param(l.sender)), n, ofSender)
		arrived := t.Pass(weights, once, n, ofRelation)
		rank = t.Add(t.Scale(rank, 1-pageRankShare), t.Scale(arrived, pageRankShare))
		row := t.Add(t.MatMul(q, t.Param(l.question)), t.Param(l.bias))
		h = t.Add(t.MatMul(h, t.Param(l.state)), t.Add(fromRelations, fromSenders))
		h = t.Dropout(t.ReLU(t.AddRow(h, row)), m.form.dropout)
		if l.rewrite != nil {
			q = t.AddRow(t.MatMul(t.Combine(h, 1, sumOf(x.region.Seeds)), t.Param(l.rewrite)), t.Param(l.rewriteBiases))
		}
	}
	return m.scored(t, h)
}

// attend returns the weight of each of E messages (E×1): the share of its sender's
// rank that goes along it.
//
//	match   (rows,1)   how well the relation of a row fits the question
//	rank    (N,1)
//	w_e = rank[u] · e^match[row] / Σ e^match over the messages of the sender u
func attend(t *nn.Tape, match, rank *nn.Tensor, messages []nn.Message) *nn.Tensor {
	share := make([]float32, len(messages))
	top, sum := make([]float64, rank.Rows), make([]float64, rank.Rows)
	for i := range top {
		top[i] = math.Inf(-1)
	}
	for _, m := range messages {
		top[m.From] = max(top[m.From], float64(match.Data[m.Vector]))
	}
	for _, m := range messages {
		sum[m.From] += math.Exp(float64(match.Data[m.Vector]) - top[m.From])
	}
	o := t.New(len(messages), 1)
	for e, m := range messages {
		share[e] = float32(math.Exp(float64(match.Data[m.Vector])-top[m.From]) / sum[m.From])
		o.Data[e] = share[e] * rank.Data[m.From]
	}
	t.Record(func() {
		mean := make([]float32, rank.Rows) // of the gradients of what a sender sends
		for e, m := range messages {
			mean[m.From] += share[e] * o.Grad[e]
		}
		for i, g := range mean {
			rank.Grad[i] += g
		}
		for e, m := range messages {
			match.Grad[m.Vector] += rank.Data[m.From] * share[e] * (o.Grad[e] - mean[m.From])
		}
	})
	return o
}
