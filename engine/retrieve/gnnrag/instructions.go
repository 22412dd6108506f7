package gnnrag

import (
	"fmt"

	"cairn/engine/nn"
)

// reader turns a question into instructions, which attend to its words in turn
// (GNN-RAG §4.2, Equations 4–6; NSM, He et al. 2021, §4.2):
//
//	q_k = W_k q + b_k                                       q the whole question
//	c_k = W [i_(k−1); q_k; q_k − i_(k−1); q_k ⊙ i_(k−1)] + b        i_0 = 0
//	i_k = Σ_j a_j h_j,  a = softmax_j(w·(c_k ⊙ h_j))           h the words' states
//
// Differs from GNN-RAG in the projection for each step and in w, which is d×1: both
// are so in the authors' code and in NSM.
type reader struct {
	question, questionBias []*nn.Param // d×d, 1×d, by instruction
	join, joinBias         *nn.Param   // 4d×d, 1×d
	attend                 *nn.Param   // 1×d
}

func newReader(p *nn.Params, name string, d, k int) reader {
	r := reader{
		join: p.Normal(name+".join", 4*d, d, nn.Fan(4*d)), joinBias: p.Normal(name+".join_bias", 1, d, 0),
		attend: p.Normal(name+".attend", 1, d, 1),
	}
	for i := range k {
		r.question = append(r.question, p.Normal(fmt.Sprintf("%s.question%d", name, i+1), d, d, nn.Fan(d)))
		r.questionBias = append(r.questionBias, p.Normal(fmt.Sprintf("%s.question%d_bias", name, i+1), 1, d, 0.1))
	}
	return r
}

// instructions returns the K instructions (1×d each) of a question.
func (r *reader) instructions(t *nn.Tape, states, whole *nn.Tensor) []*nn.Tensor {
	out := make([]*nn.Tensor, len(r.question))
	before := t.New(1, whole.Cols)
	for k := range out {
		q := t.AddRow(t.MatMul(whole, t.Param(r.question[k])), t.Param(r.questionBias[k]))
		c := t.MatMul(t.Concat(before, q, t.Sub(q, before), t.Mul(q, before)), t.Param(r.join))
		c = t.Mul(t.AddRow(c, t.Param(r.joinBias)), t.Param(r.attend))
		a := t.Softmax(t.MatMul(states, c.As(c.Cols, 1)), nil)
		before = t.MatMul(a.As(1, a.Rows), states)
		out[k] = before
	}
	return out
}
