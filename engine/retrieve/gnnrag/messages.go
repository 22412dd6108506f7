package gnnrag

import (
	"cmp"
	"math"
	"slices"
	"sync"

	"cairn/engine/kg"
	"cairn/engine/nn"
	"cairn/internal/wording"
)

// routes are the ways that messages take in a region: every fact is walked from
// its head to its tail and back, and every entity has a loop to itself. Which
// vector a message carries depends on the relation alone, so that networks compute
// one row per relation and direction and not one per fact:
//
//	rows 0…r−1    the relations of the region, forwards
//	row  r        the loop
//	rows r+1…2r   the relations again, backwards
//
// They are made once for a region, which is read in every epoch.
type routes struct {
	relations []kg.RelationID // the r distinct ones of the facts, ascending
	// messages are those of all facts, forwards and backwards in turn, and then the
	// loops, by entity.
	messages []nn.Message
	// incident[i] sums up the facts around entity To: Weight of them are of the
	// relation of row From, forwards where they enter, backwards where they leave.
	incident []nn.Term
	// beyond[j] lists the seeds, and the entities that are more than j+1 facts away
	// from all of them; the last one is true of all greater j.
	beyond [][]int32
	// logarithms are the same with log(1+n) for the weight n.
	logarithms []nn.Term
}

// lanes keeps the routes of a region.
type lanes struct {
	once   sync.Once
	routes routes
}

// routes returns the routes of the region, which is not changed after.
func (r *Region) routes() *routes {
	r.lanes.once.Do(func() { r.lanes.routes = newRoutes(r) })
	return &r.lanes.routes
}

func newRoutes(region *Region) routes {
	w := routes{messages: make([]nn.Message, 0, 2*len(region.Facts)+len(region.Entities))}
	for _, f := range region.Facts {
		w.relations = append(w.relations, f.Relation)
	}
	w.relations = slices.Clip(kg.Distinct(w.relations))
	for _, f := range region.Facts {
		row, _ := slices.BinarySearch(w.relations, f.Relation)
		w.messages = append(w.messages,
			nn.Message{From: f.Head, To: f.Tail, Vector: int32(row)},
			nn.Message{From: f.Tail, To: f.Head, Vector: int32(w.loop() + 1 + row)})
	}
	w.incident = count(w.messages)
	w.logarithms = slices.Clone(w.incident)
	for i := range w.logarithms {
		w.logarithms[i].Weight = float32(math.Log1p(float64(w.incident[i].Weight)))
	}
	w.beyond = beyond(region, w.messages)
	for v := range region.Entities {
		w.messages = append(w.messages, nn.Message{From: int32(v), To: int32(v), Vector: int32(w.loop())})
	}
	return w
}

// loop is the row of the loops.
func (w *routes) loop() int { return len(w.relations) }

// count returns how many messages bring each row to each entity, by entity and row.
func count(messages []nn.Message) []nn.Term {
	terms := wording.Each(messages, func(m nn.Message) nn.Term { return nn.Term{To: m.To, From: m.Vector, Weight: 1} })
	slices.SortFunc(terms, func(a, b nn.Term) int { return cmp.Or(cmp.Compare(a.To, b.To), cmp.Compare(a.From, b.From)) })
	out := terms[:0]
	for _, x := range terms {
		if n := len(out); n > 0 && out[n-1].To == x.To && out[n-1].From == x.From {
			out[n-1].Weight++
			continue
		}
		out = append(out, x)
	}
	return slices.Clip(out)
}

// seeds lists the local ids of the seeds, which no softmax reads.
func (r *Region) seeds() []int32 {
	out := make([]int32, r.Seeds)
	for i := range out {
		out[i] = int32(i)
	}
	return out
}

// start returns the distribution that reasoning begins with: all of it at the
// seeds, evenly (N×1).
func (r *Region) start(t *nn.Tape) *nn.Tensor {
	p := t.New(len(r.Entities), 1)
	for i := range r.Seeds {
		p.Data[i] = 1 / float32(r.Seeds)
	}
	return p
}

// scored returns the entities that are not seeds with their probabilities, by
// local id.
func (r *Region) scored(p *nn.Tensor) []scored {
	out := make([]scored, 0, len(r.Entities)-r.Seeds)
	for i := r.Seeds; i < len(r.Entities); i++ {
		out = append(out, scored{Entity: r.Entities[i], Probability: float64(p.Data[i])})
	}
	return out
}

// target is the distribution that a network learns to give: all of it at the
// answers in the region, evenly (N).
func (x *example) target() []float32 {
	y := make([]float32, len(x.region.Entities))
	for _, i := range x.gold {
		y[i] = 1 / float32(len(x.gold))
	}
	return y
}

// beyond returns routes.beyond; messages are those of the facts.
func beyond(region *Region, messages []nn.Message) [][]int32 {
	hops := make([]int, len(region.Entities)) // to the nearest seed
	for i := region.Seeds; i < len(hops); i++ {
		hops[i] = -1
	}
	var out [][]int32
	for j := 1; ; j++ {
		moved := false
		for _, m := range messages {
			if hops[m.From] == j-1 && hops[m.To] < 0 {
				hops[m.To] = j
				moved = true
			}
		}
		if !moved && j > 1 {
			return out
		}
		var ids []int32
		for i, h := range hops {
			if h <= 0 {
				ids = append(ids, int32(i))
			}
		}
		out = append(out, ids)
	}
}
