package gnnrag

import (
	"cairn/engine/nn"
)

// walk is what networks over regions share: the vectors of their relations, the
// first states of entities, and how states become probabilities that move on.
type walk struct {
	weights *nn.Params
	encoder encoder
	form    form

	loop             *nn.Param // the vector of loops, 1×d
	first, firstBias *nn.Param // d×d, 1×d: the first states
	score, scoreBias *nn.Param // d×1, 1×1
}

// form is what networks do otherwise than published; see reaRev.
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

func newWalk(p *nn.Params, enc encoder, name string, o Options) walk {
	d := o.Width
	w := walk{
		weights: p, encoder: enc, form: ourForm,
		loop:  p.Normal(name+".loop", 1, d, 0.5),
		first: p.Normal(name+".first", d, d, nn.Fan(d)), firstBias: p.Normal(name+".first_bias", 1, d, 0),
		score: p.Normal(name+".score", d, 1, nn.Fan(d)), scoreBias: p.Normal(name+".score_bias", 1, 1, 0),
	}
	if o.Published {
		w.form = publishedForm
	}
	return w
}

func (w *walk) params() *nn.Params { return w.weights }

// oneStage is a network over regions that scores entities once.
type oneStage struct {
	// forward returns the scores of the region's entities (N×1).
	net interface {
		forward(t *nn.Tape, x *example) *nn.Tensor
	}
	weights *nn.Params
}

func (m oneStage) params() *nn.Params { return m.weights }

func (m oneStage) loss(t *nn.Tape, x *example) *nn.Tensor {
	return t.KL(m.net.forward(t, x), x.target(), x.region.seeds())
}

func (m oneStage) scores(t *nn.Tape, x *example) []scored {
	return x.region.scored(t.Softmax(m.net.forward(t, x), x.region.seeds()))
}

// relations returns the vectors of the rows of routes (rows×d).
func (w *walk) relations(t *nn.Tape, r *routes) *nn.Tensor {
	forward, inverse := w.encoder.relations(t, r.relations)
	return t.Stack(forward, t.Param(w.loop), inverse)
}

// firstStates returns the states of the n entities of a region before anything has
// moved (n×d), which is what relations meet in them:
//
//	h_v = ReLU(Σ_facts (W r + b))
func (w *walk) firstStates(t *nn.Tape, r *routes, vectors *nn.Tensor, n int) *nn.Tensor {
	if !w.form.direct {
		forwards := t.Rows(vectors, 0, r.loop())
		vectors = t.Stack(forwards, t.Rows(vectors, r.loop(), r.loop()+1), forwards)
	}
	terms := r.incident
	if w.form.logarithm {
		terms = r.logarithms
	}
	vectors = t.AddRow(t.MatMul(vectors, t.Param(w.first)), t.Param(w.firstBias))
	return t.Dropout(t.ReLU(t.Combine(vectors, n, terms)), w.form.dropout)
}

// scored returns the scores of states (N×1).
func (w *walk) scored(t *nn.Tape, h *nn.Tensor) *nn.Tensor {
	return t.AddRow(t.MatMul(h, t.Param(w.score)), t.Param(w.scoreBias))
}

// moved turns the scores of layer j, from 0, into the p that the next one begins
// with.
func (w *walk) moved(t *nn.Tape, region *Region, j int, scores *nn.Tensor) *nn.Tensor {
	masked := region.seeds()
	if beyond := region.routes().beyond; w.form.near {
		masked = beyond[min(j, len(beyond)-1)]
	}
	p := t.Softmax(scores, masked)
	var top float32
	for _, x := range p.Data {
		top = max(top, x)
	}
	if !w.form.spread || top == 0 {
		return p
	}
	return t.Scale(p, 1/top)
}
