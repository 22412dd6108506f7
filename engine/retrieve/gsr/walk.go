package gsr

import (
	"slices"
	"sync"

	"cairn/engine/kg"
	"cairn/engine/schema"
)

// crowd is how many entities of a set are asked for the steps that leave it: those of a
// larger one are much the same.
const crowd = 3000

// followed is how many edges one step of a chain looks at, at most.
const followed = 1 << 20

// walker follows steps over a graph. It serves one goroutine at a time.
type walker struct {
	g *kg.Graph
	// returns lets a chain come back to where it began.
	returns bool

	stamp  []uint32 // by entity: the turn in which it was reached
	turn   uint32
	seen   []bool // by step
	looked int    // counts edges
}

// walkers are those of one graph, for several goroutines.
type walkers struct {
	g       *kg.Graph
	returns bool
	free    sync.Pool
}

func (w *walkers) take() *walker {
	k, _ := w.free.Get().(*walker)
	if k == nil {
		k = &walker{g: w.g, stamp: make([]uint32, w.g.Entities()), seen: make([]bool, 2*w.g.Relations())}
	}
	k.returns = w.returns
	return k
}

func (w *walkers) put(k *walker) { w.free.Put(k) }

// follow returns where a step leads from a set, each entity once, in the order in which
// they are reached; never to the topics, unless chains may return.
func (k *walker) follow(set []kg.EntityID, s schema.Step, topics []kg.EntityID) []kg.EntityID {
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

// chain returns where a chain leads from the topics.
func (k *walker) chain(topics []kg.EntityID, chain []schema.Step) []kg.EntityID {
	set := topics
	for _, s := range chain {
		set = k.follow(set, s, topics)
	}
	return set
}

// leaving are the steps that leave a set, ascending.
func (k *walker) leaving(set []kg.EntityID) []schema.Step {
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
