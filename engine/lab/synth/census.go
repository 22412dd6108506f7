package synth

import (
	"cmp"
	"math"
	"math/bits"
	"slices"
	"sync"
	"sync/atomic"
)

// Census is what a written world came out as.
type Census struct {
	Entities int   `json:"entities"` // with a label, or at the end of an edge
	Literals int   `json:"literals"` // among them
	Edges    int   `json:"edges"`
	Lines    int   `json:"lines"` // edges, labels and types
	Bytes    int64 `json:"bytes"` // as compressed

	// MaxOut and MaxIn are the most edges that leave and reach one entity, types
	// not counted; Hubs is how many entities more than 100,000 reach.
	MaxOut int `json:"max_out"`
	MaxIn  int `json:"max_in"`
	Hubs   int `json:"hubs"`
	// Labels is the number of different labels, by linear counting: right to about
	// a thousandth.
	Labels int `json:"labels"`

	// Relations and Types are how often each occurs, most frequent first.
	Relations []Count `json:"relations"`
	Types     []Count `json:"types"`

	w         *World
	bytes     int64
	mu        sync.Mutex
	all       *tally
	reached   []atomic.Uint32 // by place: edges that reach it
	labelBits []atomic.Uint32
}

// Count is how often something occurs.
type Count struct {
	Name string `json:"name"`
	N    int    `json:"n"`
}

// tally counts one block.
type tally struct {
	relations, types []int
	maxOut           int
}

func newTally(w *World) *tally {
	return &tally{relations: make([]int, len(w.relations)), types: make([]int, len(w.types))}
}

func (t *tally) count(ty int, edges []edge) {
	t.types[ty]++
	t.maxOut = max(t.maxOut, len(edges))
	for _, e := range edges {
		t.relations[e.relation]++
	}
}

func newCensus(w *World) *Census {
	return &Census{w: w, all: newTally(w), reached: make([]atomic.Uint32, w.o.Entities), labelBits: make([]atomic.Uint32, labelSlots(w)/32)}
}

// labelSlots is the number of slots of the linear count, a power of two of at
// least eight an entity (Whang and others, ACM TODS 1990).
func labelSlots(w *World) int { return 1 << bits.Len(uint(8*w.subjects)) }

// label counts a label; safe for concurrent use.
func (c *Census) label(text []byte) {
	h := uint64(0xcbf29ce484222325)
	for _, b := range text {
		h = (h ^ uint64(b)) * 0x100000001b3
	}
	slot := mix(h) & uint64(len(c.labelBits)*32-1)
	c.labelBits[slot/32].Or(1 << (slot % 32))
}

// in counts an edge that reaches a place; safe for concurrent use.
func (c *Census) in(place int) { c.reached[place].Add(1) }

func (c *Census) add(t *tally) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for i, n := range t.relations {
		c.all.relations[i] += n
	}
	for i, n := range t.types {
		c.all.types[i] += n
	}
	c.all.maxOut = max(c.all.maxOut, t.maxOut)
}

// hub is how many edges make an entity a hub.
const hub = 100_000

// finish works out the sums.
func (c *Census) finish() {
	w := c.w
	c.Bytes, c.MaxOut = c.bytes, c.all.maxOut
	for p := range c.reached {
		n := int(c.reached[p].Load())
		c.MaxIn = max(c.MaxIn, n)
		if n > hub {
			c.Hubs++
		}
		if p >= w.subjects && n > 0 {
			c.Literals++
		}
	}
	c.Entities = w.subjects + c.Literals
	for r, n := range c.all.relations {
		c.Edges += n
		c.Relations = append(c.Relations, Count{w.relations[r], n})
	}
	for t, n := range c.all.types {
		if w.types[t].family >= 0 {
			c.Types = append(c.Types, Count{w.types[t].name, n})
		}
	}
	c.Lines = c.Edges + 2*w.subjects + len(c.Types)
	most := func(a, b Count) int { return cmp.Or(cmp.Compare(b.N, a.N), cmp.Compare(a.Name, b.Name)) }
	slices.SortFunc(c.Relations, most)
	slices.SortFunc(c.Types, most)
	set := 0
	for i := range c.labelBits {
		set += bits.OnesCount32(c.labelBits[i].Load())
	}
	slots := float64(len(c.labelBits) * 32)
	c.Labels = min(int(math.Round(-slots*math.Log(1-float64(set)/slots))), w.subjects)
	c.w, c.all, c.reached, c.labelBits = nil, nil, nil, nil
}
