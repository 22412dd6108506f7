package gnnrag

import (
	"fmt"
	"sync"

	"cairn/engine/kg"
	"cairn/engine/nn"
	"cairn/internal/wording"
)

// flow is a relation flow, after TransferNet (Shi et al. 2021). Scores start at what
// the question names and flow along the edges of the whole graph, step by step; the
// question picks the relations that carry them at each step, and how many steps
// there are.
//
//	y_t  = W_t whole + b_t                               what step t asks for
//	i_t  = y_t + Σ_j softmax_j(h_j·y_t) h_j               with the words that say it
//	a_t  = softmax over the 2R directed relations of r·i_t
//	s_0  = 1 at the topic;  s_t[v] = Σ over edges u –r→ v, in either direction, a_t[r] s_(t-1)[u]
//	c    = softmax over 1 … S of (W_c whole + b_c)         how many steps
//
// A path does not come back to where it began: nothing flows into the topic.
//
// A question that names several things is read once for each, with its name marked,
// and the flows from all of them are joined by their geometric mean: what every
// condition leads to is an answer.
//
// Differs from TransferNet in: there are no texts as relations; words of relations
// are read, so that one that is new has a vector; several topics; the loss, which
// compares with flows that are divided by their sums; at each step the words are
// attended to by the whole question, and not by the step before; nothing is
// cut at 1 while training; among many relations, a question is trained with those
// near its topics and some of the others (toLearn).
//
// With S = 3 and d = 50 it has 8,000 weights beside those of its encoder.
type flow struct {
	weights *nn.Params
	encoder encoder
	graph   *kg.Graph
	layers  []flowStep
	count   *nn.Param // d×S: W_c
	bias    *nn.Param // 1×S
	edges   int       // how many a question's flows look at, at most
	every   []int32   // 0 … R−1
	kept    kept
	pool    sync.Pool // of *streams
}

type flowStep struct{ query, bias *nn.Param } // d×d, 1×d

func newFlow(p *nn.Params, enc encoder, g *kg.Graph, o Options) network {
	d := o.Width
	m := &flow{weights: p, encoder: enc, graph: g, edges: edgesAtMost}
	for r := range g.Relations() {
		m.every = append(m.every, int32(r))
	}
	for i := range o.Layers {
		name := fmt.Sprintf("flow.step%d.", i+1)
		m.layers = append(m.layers, flowStep{
			query: p.Normal(name+"query", d, d, nn.Fan(d)), bias: p.Normal(name+"bias", 1, d, 0.1),
		})
	}
	m.count, m.bias = p.Normal("flow.count", d, o.Layers, nn.Fan(d)), p.Normal("flow.count_bias", 1, o.Layers, 0)
	return m
}

func (m *flow) params() *nn.Params { return m.weights }

// reading is how a question reads from one of the things that it names.
type reading struct {
	seeds []kg.EntityID
	// rows are those of the choice that it was read with.
	rows []int32
	// picks[t] are the shares of that choice's relations at step t+1, 2n×1: those
	// forwards, then those backwards.
	picks []*nn.Tensor
	// count are the probabilities of 1 … S steps, 1×S.
	count *nn.Tensor
}

// read reads a question from each thing that it names.
func (m *flow) read(t *nn.Tape, x *example, c *choice) []reading {
	if len(x.words.mentions) == 0 {
		return []reading{m.readFrom(t, x.seeds, x.words, c)}
	}
	return wording.Each(x.words.mentions, func(n mention) reading { return m.readFrom(t, n.seeds, n.words, c) })
}

func (m *flow) readFrom(t *nn.Tape, seeds []kg.EntityID, w *words, c *choice) reading {
	states, whole := m.encoder.question(t, w)
	r := reading{seeds: seeds, rows: c.rows}
	for _, s := range m.layers {
		y := t.AddRow(t.MatMul(whole, t.Param(s.query)), t.Param(s.bias))
		heed := t.Softmax(t.MatMul(states, y.As(y.Cols, 1)), nil)
		i := t.Add(y, t.MatMul(heed.As(1, heed.Rows), states))
		r.picks = append(r.picks, c.pick(t, i))
	}
	r.count = t.Softmax(t.AddRow(t.MatMul(whole, t.Param(m.count)), t.Param(m.bias)), nil)
	return r
}

// streams returns memory for the flows of one question.
func (m *flow) streams() *streams {
	s, _ := m.pool.Get().(*streams)
	if s == nil {
		s = &streams{graph: m.graph, most: m.edges, place: make([]int32, m.graph.Entities()), rows: make([]int32, len(m.every))}
	}
	return s
}

// release gives the memory back.
func (m *flow) release(s *streams) {
	s.clear()
	m.pool.Put(s)
}

const (
	// pickAtLeast is the share of what all relations are picked with that are there
	// which one has at least when answers are asked for; while training all carry, or
	// those that are picked too little would never be picked more.
	pickAtLeast = 0.01
	// faint is the share of the highest score that an entity has at least to be
	// scored at all. Relations that are picked a little reach hundreds.
	faint = 0.3
)

// scores follows the relations of each step that lead anywhere, with their shares
// divided by their sum, for the number of steps that counts says. The scores that are
// left are divided by theirs and add up to how much of what the question picks is
// there: less than 1 where the network is not sure, or asks for what the graph lacks.
func (m *flow) scores(t *nn.Tape, x *example) []scored {
	rs := m.read(t, x, m.toAsk(t))
	s := m.streams()
	defer m.release(s)
	for _, r := range rs {
		s.run(r, toAsk)
	}
	steps, sure := s.counts(rs)
	return s.answers(steps, sure, x.seeds)
}
