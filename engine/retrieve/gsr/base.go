package gsr

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"

	"cairn/engine/kg"
	"cairn/engine/questions"
	"cairn/engine/retrieve"
	"cairn/engine/retrieve/learn"
	"cairn/internal/wording"
)

// Start says what a training starts from.
type Start string

// What trainings start from.
const (
	// automatic is fromBase for few questions, where there is a base and no width was
	// chosen, and fromNothing else.
	automatic Start = "auto"
	// fromNothing draws all weights.
	fromNothing Start = "nothing"
	// fromBase takes them from a base, and draws none.
	fromBase Start = "base"
	// baseAlone takes the base as it is: nothing is learned from the graph but the words
	// of its relations.
	baseAlone Start = "base-alone"
)

const baseForm learn.Form = "cairn-gsr-base\x01"

// Base describes a network that was trained on questions made out of many graphs, to
// start from on another one. It has no vectors of relations of its own: those of a graph
// are made of their names.
type Base struct {
	Graphs    []BaseGraph      `json:"graphs"`
	Questions int              `json:"questions"` // learned from, those of all graphs
	Numbers   int              `json:"numbers"`   // weights
	Epochs    int              `json:"epochs"`
	Seed      uint64           `json:"seed"`
	Seconds   float64          `json:"seconds"`
	Dev       retrieve.Metrics `json:"dev"` // of held questions of the same graphs
}

// BaseGraph is one of the graphs of a base.
type BaseGraph struct {
	Name      string `json:"name"`
	Relations int    `json:"relations"`
	Made      int    `json:"made"`   // questions
	Kept      int    `json:"kept"`   // of these, whose chains lead to their answers
	Frames    int    `json:"frames"` // pseudo-questions
}

// baseHeader is what stands before the weights of a base, of which there is one blob for
// each matrix, in the order of the network's.
type baseHeader struct {
	Base       Base              `json:"base"`
	Width      int               `json:"width"`
	Vocabulary *learn.Vocabulary `json:"vocabulary"`
}

type base struct {
	Base

	sum   string // of its file
	vocab *learn.Vocabulary
	net   *net
}

// pack writes a base. The times are not in it, so that the same run gives the same bytes.
func (b *base) pack() ([]byte, error) {
	h := baseHeader{b.Base, b.net.d, b.vocab}
	h.Base.Seconds = 0
	var blobs [][]byte
	for _, w := range b.net.p.All() {
		blobs = append(blobs, learn.Halves(w.Data))
	}
	return baseForm.Pack(h, blobs...)
}

// readBase reads what pack wrote, or fails with ErrModel.
func readBase(file string) (*base, error) {
	var h baseHeader
	blobs, err := baseForm.Unpack([]byte(file), &h)
	if err == nil {
		err = checkWidth(h.Width)
	}
	if err == nil && (h.Vocabulary == nil || len(h.Vocabulary.Relations) > 0) {
		err = errors.New("its vocabulary is not that of a base")
	}
	if err != nil {
		return nil, fmt.Errorf("%w: the base: %w", retrieve.ErrModel, err)
	}
	b := &base{h.Base, fmt.Sprintf("%x", sha256.Sum256([]byte(file))), h.Vocabulary, newNet(Options{Width: h.Width}, h.Vocabulary, 0)}
	weights := b.net.p.All()
	if len(blobs) != len(weights) {
		return nil, fmt.Errorf("%w: the base: it is of another network", retrieve.ErrModel)
	}
	for i, w := range weights {
		if err := learn.SetHalves(w.Data, blobs[i]); err != nil {
			return nil, fmt.Errorf("%w: the base: %w", retrieve.ErrModel, err)
		}
	}
	return b, nil
}

// ReadBase says what a base is, or fails with ErrModel.
func ReadBase(file string) (Base, error) {
	b, err := readBase(file)
	if err != nil {
		return Base{}, err
	}
	return b.Base, nil
}

// errNoBase is returned for a start from a base where there is none.
var errNoBase = errors.New("this program has no base to start from; start from nothing")

// fewForBase is up to how many questions a training starts from a base where nobody says:
// with 200 of MetaQA it is better than nothing, with 500 as good, and with thousands made of it worse.
const fewForBase = 250

// start settles what a training starts from, and returns the base, or nil for nothing.
func (o *Options) start(file string, train []questions.Example) (*base, error) {
	if o.Start == "" || o.Start == automatic {
		o.Start = fromNothing
		if file != "" && o.Width == 0 && len(train) <= fewForBase {
			o.Start = fromBase
		}
	}
	switch o.Start {
	case fromNothing:
		return nil, nil
	case fromBase, baseAlone:
	default:
		return nil, fmt.Errorf("there is no start %q; choose nothing, base or base-alone", o.Start)
	}
	if file == "" {
		return nil, errNoBase
	}
	b, err := readBase(file)
	if err != nil {
		return nil, err
	}
	o.Width, o.Base = b.net.d, b.sum
	return b, nil
}

// begin takes over the weights of a base. What the base does not know, words and
// relations, begins at 0: it is read by what the base knows of it, by its parts and its
// name, until it is learned.
func (n *net) begin(from *net) {
	old := from.p.All()
	for i, w := range n.p.All() {
		switch w {
		case n.table:
			for row, was := range n.rows.From(from.rows) {
				to := w.Data[row*w.Cols : (row+1)*w.Cols]
				if clear(to); was >= 0 {
					copy(to, old[i].Data[int(was)*w.Cols:])
				}
			}
		case n.own:
			clear(w.Data)
			copy(w.Data, old[i].Data)
		default:
			copy(w.Data, old[i].Data)
		}
	}
}

// alone makes a model of the base as it is.
func (tr *training) alone(ctx context.Context) (*model, error) {
	if tr.asked.State != nil {
		return nil, fmt.Errorf("%w: nothing is trained", retrieve.ErrResume)
	}
	n, err := tr.network(ctx, "", tr.o.Seed)
	if err != nil {
		return nil, err
	}
	return tr.finish(ctx, learn.Outcome{Networks: []learn.Trained{{Weights: n.Params().Weights()}}}, nil)
}

// describe says what a model started from.
func (b *base) describe() string {
	return "It started from a base trained on " + wording.Count(len(b.Graphs), "other graph", "other graphs")
}

// leads reports whether the chains of a made question lead to its answers, in the main.
func leads(k *learn.Walker, x *questions.Example) bool {
	if len(x.Legs) == 0 {
		return false
	}
	var set []kg.EntityID
	for i, l := range x.Legs {
		if len(l.Steps) > longestChain {
			return false
		}
		from := x.Topics
		if len(x.Legs) > 1 {
			from = []kg.EntityID{l.Entity}
		}
		to := k.Chain(from, l.Steps)
		if i > 0 {
			to = common(set, to)
		}
		set = to
	}
	return learn.F1(set, x.Answers) >= leadsF1
}

// leadsF1 is the F1 of where a made question's chains lead from which it is learned from.
const leadsF1 = 0.6
