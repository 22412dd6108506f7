package gnnrag

import (
	"math"
	"slices"

	"cairn/engine/evidence"
	"cairn/engine/kg"
)

// streams are the flows of one question, one from each thing that it names, over
// the entities that any of them reaches. Its memory is used again.
type streams struct {
	graph *kg.Graph
	// place[e] is 1 + the local id of entity e, or 0 where nothing flows.
	place    []int32
	entities []kg.EntityID // by local id
	flows    []stream
	used     int // of flows
	// seen counts edges, of which there are most at most; cut says that there were
	// more.
	seen, most int
	cut        bool
}

// stream is one flow. All numbers are by step from 0 to S, then by local id.
type stream struct {
	score [][]float32
	grad  [][]float32 // of the loss by score
	// reached[t] are the local ids with a score at step t, in the order in which they
	// were reached.
	reached [][]int32
	// edges[t] are those that carry scores from step t to t+1; kept for gradients.
	edges [][]flowEdge
	sum   []float64 // of score, by step
}

// flowEdge is an edge in local ids with its directed relation: by id, or R + id
// where it is walked backwards.
type flowEdge struct{ from, to, relation int32 }

// purpose says what a flow is for.
type purpose bool

const (
	toAsk   purpose = false // relations that are picked too little carry nothing, scores are cut at 1
	toLearn purpose = true  // all carry, and edges are kept
)

const (
	// edgesAtMost bounds the edges that one question's flows look at, and with them
	// its time (some 10 ms) and memory (12 bytes each): 3 steps of MetaQA need 4,000
	// in the mean, and over 200,000 through hubs.
	edgesAtMost = 1 << 20
	// hubEdges is the degree from which an entity passes on, while training too, only
	// what relations carry that are not picked hundreds of times less than others.
	hubEdges = 256
	hubShare = 0.002
)

// clear empties the streams.
func (s *streams) clear() {
	for _, e := range s.entities {
		s.place[e] = 0
	}
	s.entities, s.used, s.seen, s.cut = s.entities[:0], 0, 0, false
}

// local returns the local id of an entity.
func (s *streams) local(e kg.EntityID) int32 {
	if s.place[e] == 0 {
		s.entities = append(s.entities, e)
		s.place[e] = int32(len(s.entities))
	}
	return s.place[e] - 1
}

// next returns an empty stream of n steps.
func (s *streams) next(n int) *stream {
	if s.used == len(s.flows) {
		s.flows = append(s.flows, stream{})
	}
	f := &s.flows[s.used]
	s.used++
	if len(f.score) != n+1 {
		*f = stream{
			score: make([][]float32, n+1), grad: make([][]float32, n+1), reached: make([][]int32, n+1),
			edges: make([][]flowEdge, n), sum: make([]float64, n+1),
		}
	}
	for t := range f.score {
		f.score[t], f.grad[t], f.reached[t], f.sum[t] = f.score[t][:0], f.grad[t][:0], f.reached[t][:0], 0
	}
	for t := range f.edges {
		f.edges[t] = f.edges[t][:0]
	}
	return f
}

// run adds the flow of a reading.
func (s *streams) run(r reading, why purpose) {
	f := s.next(len(r.picks))
	for _, e := range r.seeds {
		i := s.local(e)
		f.widen(len(s.entities))
		if f.score[0][i] == 0 {
			f.score[0][i] = 1
			f.reached[0] = append(f.reached[0], i)
		}
	}
	seeds := f.reached[0]
	for t, pick := range r.picks {
		c := carrier{s: s, f: f, t: t, picks: pick.Data, seeds: seeds, why: why}
		if why == toLearn {
			c.all()
		} else {
			c.picked()
		}
		for _, i := range f.reached[t+1] {
			if why == toAsk {
				f.score[t+1][i] = min(f.score[t+1][i], 1)
			}
			f.sum[t+1] += float64(f.score[t+1][i])
		}
	}
	f.widen(len(s.entities))
}

// widen makes room for n entities.
func (f *stream) widen(n int) {
	for t := range f.score {
		f.score[t] = padded(f.score[t], n)
	}
}

// padded returns x with zeros up to length n.
func padded(x []float32, n int) []float32 {
	if n <= len(x) {
		return x
	}
	had := len(x)
	x = slices.Grow(x, n-had)[:n]
	clear(x[had:])
	return x
}

// carrier carries scores from step t to t+1.
type carrier struct {
	s     *streams
	f     *stream
	t     int
	picks []float32
	seeds []int32
	why   purpose
}

// all carries along every edge.
func (c *carrier) all() {
	g, relations := c.s.graph, int32(c.s.graph.Relations())
	for _, u := range c.f.reached[c.t] {
		e := c.s.entities[u]
		out, in := g.Out(e), g.In(e)
		if c.s.spend(len(out) + len(in)); c.s.cut {
			return
		}
		least := float32(0)
		if len(out)+len(in) > hubEdges {
			least = min(hubShare, hubShare*10/float32(relations))
		}
		c.along(u, out, 0, least)
		c.along(u, in, relations, least)
	}
}

// picked carries along the edges of the relations that are picked.
func (c *carrier) picked() {
	g, relations := c.s.graph, kg.RelationID(c.s.graph.Relations())
	var forward, inverse []kg.RelationID
	for r := range relations {
		if c.picks[r] >= pickAtLeast {
			forward = append(forward, r)
		}
		if c.picks[relations+r] >= pickAtLeast {
			inverse = append(inverse, r)
		}
	}
	for _, u := range c.f.reached[c.t] {
		e := c.s.entities[u]
		for _, r := range forward {
			es := g.OutBy(e, r)
			if c.s.spend(len(es)); c.s.cut {
				return
			}
			c.along(u, es, 0, 0)
		}
		for _, r := range inverse {
			es := g.InBy(e, r)
			if c.s.spend(len(es)); c.s.cut {
				return
			}
			c.along(u, es, int32(relations), 0)
		}
	}
}

// spend counts n edges.
func (s *streams) spend(n int) {
	if s.seen+n > s.most {
		s.cut = true
		return
	}
	s.seen += n
}

// along carries from u along edges; first is the number of the directed relation 0.
func (c *carrier) along(u int32, edges []kg.Edge, first int32, least float32) {
	x, f := c.f.score[c.t][u], c.f
	to, reached := f.score[c.t+1], f.reached[c.t+1]
	for _, e := range edges {
		r := first + int32(e.Relation)
		w := c.picks[r]
		if w < least {
			continue
		}
		v := c.s.local(e.Entity)
		if slices.Contains(c.seeds, v) {
			continue
		}
		if int(v) >= len(to) {
			to = padded(to, max(len(c.s.entities), len(to)*3/2))
		}
		if to[v] == 0 {
			reached = append(reached, v)
			to[v] = math.SmallestNonzeroFloat32 // reached, whatever underflows
		}
		to[v] += w * x
		if c.why == toLearn {
			f.edges[c.t] = append(f.edges[c.t], flowEdge{u, v, r})
		}
	}
	f.score[c.t+1], f.reached[c.t+1] = to, reached
}

// counts are how many steps each flow is read to make: as many as are most probable
// of those that lead anywhere.
func (s *streams) counts(rs []reading) []int {
	out := make([]int, len(rs))
	for k, r := range rs {
		var best float32
		for i, p := range r.count.Data {
			if p > best && (len(s.flows[k].reached[i+1]) > 0 || out[k] == 0) {
				out[k] = i + 1
			}
			if len(s.flows[k].reached[i+1]) > 0 {
				best = max(best, p)
			}
		}
	}
	return out
}

// answers returns probabilities by the scores of each flow after as many steps as
// counts says. With several flows it is the entities that all of them reach, or,
// where there are none, those that any does.
func (s *streams) answers(counts []int, seeds []kg.EntityID) []evidence.Scored {
	for _, every := range []bool{true, false} {
		var out []evidence.Scored
		var best, sum float64
		for i, e := range s.entities {
			if p := s.joint(counts, i, every); p > 0 && !slices.Contains(seeds, e) {
				best = max(best, p)
				out = append(out, evidence.Scored{Entity: e, Probability: p})
			}
		}
		out = slices.DeleteFunc(out, func(a evidence.Scored) bool { return a.Probability < faint*best })
		for _, a := range out {
			sum += a.Probability
		}
		for i := range out {
			out[i].Probability /= sum
		}
		if len(out) > 0 || len(counts) == 1 {
			return out
		}
	}
	return nil
}

// joint is the score of an entity: the geometric mean over all flows, or the mean.
func (s *streams) joint(counts []int, i int, every bool) float64 {
	product, sum := 1., 0.
	for k, steps := range counts {
		x := float64(0)
		if by := s.flows[k].score[steps]; i < len(by) {
			x = float64(by[i])
		}
		product *= x
		sum += x
	}
	n := float64(len(counts))
	switch {
	case !every:
		return sum / n
	case len(counts) == 1:
		return product
	}
	return math.Pow(product, 1/n)
}
