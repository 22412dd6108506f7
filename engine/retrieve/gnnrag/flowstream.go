package gnnrag

import (
	"cmp"
	"iter"
	"math"
	"slices"

	"cairn/engine/kg"
)

// streams are the flows of one question, one from each thing that it names, over
// the entities that any of them reaches. Its memory is used again.
type streams struct {
	graph *kg.Graph
	// place[e] is 1 + the local id of entity e, or 0 where nothing flows.
	place    []int32
	entities []kg.EntityID // by local id
	rows     []int32       // of a choice, by relation
	tier     []int32       // of ranked
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
	// picked[t] are the relations that carry scores from step t to t+1, the one that
	// is picked most first; kept where answers are asked for.
	picked [][]flowPick
	sum    []float64 // of score, by step
}

// flowPick is a directed relation that is picked: by id, or R + id for backwards.
type flowPick struct {
	relation int32
	share    float32 // of what the question picks
	carried  float32 // of what is picked and there: what scores are multiplied by
}

// flowEdge is an edge in local ids with the number of its directed relation among
// the picks.
type flowEdge struct{ from, to, pick int32 }

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

func (s *streams) clear() {
	for _, e := range s.entities {
		s.place[e] = 0
	}
	s.entities, s.used, s.seen, s.cut = s.entities[:0], 0, 0, false
}

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
			edges: make([][]flowEdge, n), picked: make([][]flowPick, n), sum: make([]float64, n+1),
		}
	}
	for t := range f.score {
		f.score[t], f.grad[t], f.reached[t], f.sum[t] = f.score[t][:0], f.grad[t][:0], f.reached[t][:0], 0
	}
	for t := range f.edges {
		f.edges[t], f.picked[t] = f.edges[t][:0], f.picked[t][:0]
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
		c := carrier{s: s, f: f, t: t, picks: pick.Data, rows: r.rows, seeds: seeds, why: why}
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
	rows  []int32 // by relation: its place among the picks, or -1
	seeds []int32
	why   purpose
}

// all carries along every edge.
func (c *carrier) all() {
	g, n := c.s.graph, int32(len(c.picks)/2)
	for _, u := range c.f.reached[c.t] {
		e := c.s.entities[u]
		out, in := g.Out(e), g.In(e)
		if c.s.spend(len(out) + len(in)); c.s.cut {
			return
		}
		least := float32(0)
		if len(out)+len(in) > hubEdges {
			least = min(hubShare, hubShare*10/float32(g.Relations()))
		}
		for first, es := range [][]kg.Edge{out, in} {
			for _, x := range es {
				row := c.rows[x.Relation]
				if row < 0 {
					continue // past the edges that near looked at
				}
				i := int32(first)*n + row
				if w := c.picks[i]; w >= least {
					c.carry(u, x.Entity, w, i)
				}
			}
		}
	}
}

// picked carries along the edges of the relations that are picked, of those that
// lead anywhere from where the scores are. Their shares are divided by their sum: a
// question whose likeliest relation is not there takes the next one.
func (c *carrier) picked() {
	chosen := c.f.picked[c.t]
	var sum float32
	for r := range c.ranked() {
		if c.picks[r] <= pickAtLeast*sum {
			break
		}
		if c.leads(r) {
			chosen = append(chosen, flowPick{relation: r, share: c.picks[r]})
			sum += c.picks[r]
		}
	}
	for i := range chosen {
		chosen[i].carried = chosen[i].share / sum
	}
	c.f.picked[c.t] = chosen
	for _, u := range c.f.reached[c.t] {
		for _, p := range chosen {
			es := c.edges(u, p.relation)
			if c.s.spend(len(es)); c.s.cut {
				return
			}
			for _, e := range es {
				c.carry(u, e.Entity, p.carried, p.relation)
			}
		}
	}
}

// ranked are the picks above 0, the one that is picked most first; ties by number.
// Few are looked at, so that only those of one size are sorted at a time: sorting
// thousands took most of an answer's time.
func (c *carrier) ranked() iter.Seq[int32] {
	return func(yield func(int32) bool) {
		var top float32
		for _, p := range c.picks {
			top = max(top, p)
		}
		for top > 0 {
			tier, next := c.s.tier[:0], float32(0)
			for i, p := range c.picks {
				switch {
				case p > top:
				case p > pickAtLeast*top:
					tier = append(tier, int32(i))
				default:
					next = max(next, p)
				}
			}
			slices.SortFunc(tier, func(a, b int32) int { return cmp.Or(cmp.Compare(c.picks[b], c.picks[a]), cmp.Compare(a, b)) })
			for _, i := range tier {
				if !yield(i) {
					return
				}
			}
			c.s.tier, top = tier, next
		}
	}
}

// edges are those of a directed relation at u.
func (c *carrier) edges(u, r int32) []kg.Edge {
	g, e := c.s.graph, c.s.entities[u]
	if n := int32(g.Relations()); r >= n {
		return g.InBy(e, kg.RelationID(r-n))
	}
	return g.OutBy(e, kg.RelationID(r))
}

// leads reports whether a directed relation leads anywhere from where the scores
// are, but for back to the seeds.
func (c *carrier) leads(r int32) bool {
	for _, u := range c.f.reached[c.t] {
		for _, x := range c.edges(u, r) {
			if at := c.s.place[x.Entity] - 1; at < 0 || !slices.Contains(c.seeds, at) {
				return true
			}
		}
	}
	return false
}

// spend counts n edges.
func (s *streams) spend(n int) {
	if s.seen+n > s.most {
		s.cut = true
		return
	}
	s.seen += n
}

// carry carries a share of the score of u, the pick with a number, to an entity.
func (c *carrier) carry(u int32, to kg.EntityID, share float32, pick int32) {
	f, v := c.f, c.s.local(to)
	if slices.Contains(c.seeds, v) {
		return
	}
	if by := f.score[c.t+1]; int(v) >= len(by) {
		f.score[c.t+1] = padded(by, max(len(c.s.entities), len(by)*3/2))
	}
	score := &f.score[c.t+1][v]
	if *score == 0 {
		f.reached[c.t+1] = append(f.reached[c.t+1], v)
		*score = math.SmallestNonzeroFloat32 // reached, whatever underflows
	}
	*score += share * f.score[c.t][u]
	if c.why == toLearn {
		f.edges[c.t] = append(f.edges[c.t], flowEdge{u, v, pick})
	}
}

// counts are how many steps each flow is read to make: those that are most probable
// together with how much of what is picked at each step is there. A flow that
// reaches nothing counts for nothing. sure is that product, in [0, 1]; of several
// flows the geometric mean.
func (s *streams) counts(rs []reading) (steps []int, sure float64) {
	steps, sure = make([]int, len(rs)), 1
	for k, r := range rs {
		best, there := float32(-1), float32(1)
		for i, p := range r.count.Data {
			var kept float32
			for _, pick := range s.flows[k].picked[i] {
				kept += pick.share
			}
			if there *= kept; len(s.flows[k].reached[i+1]) == 0 {
				there = 0
			}
			if p*there > best {
				best, steps[k] = p*there, i+1
			}
		}
		sure *= min(1, float64(best))
	}
	return steps, math.Pow(sure, 1/float64(len(rs)))
}

// answers returns probabilities by the scores of each flow after as many steps as
// counts says; they add up to sure. With several flows it is the entities that all
// of them reach, or, where there are none, those that any does.
func (s *streams) answers(counts []int, sure float64, seeds []kg.EntityID) []scored {
	for _, every := range []bool{true, false} {
		var out []scored
		var best, sum float64
		for i, e := range s.entities {
			if p := s.joint(counts, i, every); p > 0 && !slices.Contains(seeds, e) {
				best = max(best, p)
				out = append(out, scored{Entity: e, Probability: p})
			}
		}
		out = slices.DeleteFunc(out, func(a scored) bool { return a.Probability < faint*best })
		for _, a := range out {
			sum += a.Probability
		}
		for i := range out {
			out[i].Probability *= sure / sum
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
