package learn

import (
	"slices"
	"sync"

	"cairn/engine/kg"
	"cairn/engine/questions"
	"cairn/engine/schema"
)

// crowd is how many entities of a set are asked for the steps that leave it: those of a
// larger one are much the same.
const crowd = 3000

// followed is how many edges one step of a chain looks at, at most.
const followed = 1 << 20

// Walker follows steps over a graph. It serves one goroutine at a time.
type Walker struct {
	g *kg.Graph
	// returns lets a chain come back to where it began.
	returns bool

	stamp  []uint32 // by entity: the turn in which it was reached
	turn   uint32
	seen   []bool // by step
	looked int    // counts edges
}

// Walkers are those of one graph, for several goroutines.
type Walkers struct {
	Graph *kg.Graph
	// Returns lets a chain come back to where it began.
	Returns bool

	free sync.Pool
}

// Take returns a walker, to be put back.
func (w *Walkers) Take() *Walker {
	k, _ := w.free.Get().(*Walker)
	if k == nil {
		k = &Walker{g: w.Graph, stamp: make([]uint32, w.Graph.Entities()), seen: make([]bool, 2*w.Graph.Relations())}
	}
	k.returns = w.Returns
	return k
}

// Put takes a walker back.
func (w *Walkers) Put(k *Walker) { w.free.Put(k) }

// Follow returns where a step leads from a set, each entity once, in the order in which
// they are reached; never to the topics, unless chains may return.
func (k *Walker) Follow(set []kg.EntityID, s schema.Step, topics []kg.EntityID) []kg.EntityID {
	if k.turn++; k.turn == 0 { // after 2³² turns old stamps would count again
		clear(k.stamp)
		k.turn = 1
	}
	if !k.returns {
		for _, e := range topics {
			k.stamp[e] = k.turn
		}
	}
	var out []kg.EntityID
	left := followed
	for _, e := range set {
		es := s.Edges(k.g, e)
		k.looked += len(es)
		if left -= len(es); left < 0 {
			break
		}
		for _, x := range es {
			if k.stamp[x.Entity] != k.turn {
				k.stamp[x.Entity] = k.turn
				out = append(out, x.Entity)
			}
		}
	}
	return out
}

// Chain returns where a chain leads from the topics.
func (k *Walker) Chain(topics []kg.EntityID, chain []schema.Step) []kg.EntityID {
	set := topics
	for _, s := range chain {
		set = k.Follow(set, s, topics)
	}
	return set
}

// Leaving are the steps that leave a set, ascending.
func (k *Walker) Leaving(set []kg.EntityID) []schema.Step {
	var out []schema.Step
	add := func(s schema.Step) {
		if !k.seen[s] {
			k.seen[s] = true
			out = append(out, s)
		}
	}
	for _, e := range set[:min(len(set), crowd)] {
		for r := range k.g.RelationsOut(e) {
			add(schema.Forward(r))
		}
		for r := range k.g.RelationsIn(e) {
			add(schema.Forward(r).Back())
		}
	}
	for _, s := range out {
		k.seen[s] = false
	}
	slices.Sort(out)
	return out
}

// returnsShare is one in how many questions has what it names among its answers for
// chains to lead back there.
const returnsShare = 100

// Return reports whether the chains of questions may come back to where they began.
func Return(xs []questions.Example) bool {
	n := 0
	for _, x := range xs {
		if slices.ContainsFunc(x.Topics, func(e kg.EntityID) bool { return kg.Holds(x.Answers, e) }) {
			n++
		}
	}
	return n*returnsShare > len(xs)
}
