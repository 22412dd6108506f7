package synth

import (
	"context"
	"runtime"
	"slices"
	"strings"
	"sync/atomic"

	"cairn/internal/guard"
)

// Queries cuts n patterns from the graph and says them in other words. They follow
// from the options and n alone: the first of many are those of few. Every label of
// the graph is looked at once, in time that grows with the entities, so that no
// name is said in words that are another entity's name. It returns ctx.Err() when
// ctx is done.
func (w *World) Queries(ctx context.Context, n int) ([]Query, error) {
	out := make([]Query, 0, n)
	p := newParaphraser(w.words)
	k := w.newWalker()
	for i := range n {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		s := newStream(w.o.Seed, purposeQuery, i)
		p.s = &s
		c := cutter{w: w, k: k, s: &s, p: p}
		q := c.query(i)
		q.ID = i
		out = append(out, q)
	}
	shared, err := w.countLabels(ctx, out)
	if err != nil {
		return nil, err
	}
	for i := range out {
		for j := range out[i].Nodes {
			n := &out[i].Nodes[j]
			if !n.Known() || strings.HasPrefix(n.Key, `"`) {
				continue
			}
			n.Twins = int(shared[n.Label].Load()) - 1
			if n.Text != n.Label && shared[n.Text].Load() > 0 {
				n.Text, n.Noise = n.Label, nil
			}
		}
	}
	return out, nil
}

// countLabels returns how many subjects have the labels and names of known nodes.
func (w *World) countLabels(ctx context.Context, queries []Query) (map[string]*atomic.Int64, error) {
	shared := map[string]*atomic.Int64{}
	for _, q := range queries {
		for _, n := range q.Nodes {
			if n.Known() {
				shared[n.Label], shared[n.Text] = new(atomic.Int64), new(atomic.Int64)
			}
		}
	}
	var next atomic.Int64
	var wg guard.Group
	for range runtime.GOMAXPROCS(0) {
		wg.Go(func() {
			var label []byte
			for ctx.Err() == nil {
				from := int(next.Add(blockSize)) - blockSize
				for p := from; p < min(from+blockSize, w.subjects); p++ {
					label = w.appendLabel(label[:0], p)
					if n := shared[string(label)]; n != nil {
						n.Add(1)
					}
				}
				if from >= w.subjects {
					return
				}
			}
		})
	}
	wg.Wait()
	return shared, ctx.Err()
}

// cutter cuts one query.
type cutter struct {
	w *World
	k *walker
	s *stream
	p *paraphraser

	places []int // of the nodes
	from   []int // of the edges, indices into places
	to     []int
	rel    []int32
}

// query cuts query i.
func (c *cutter) query(i int) Query {
	for {
		shape, hops := c.form(i)
		c.places, c.from, c.to, c.rel = c.places[:0], c.from[:0], c.to[:0], c.rel[:0]
		if !c.cut(shape, hops) {
			continue
		}
		if q, ok := c.say(shape); ok {
			return q
		}
	}
}

// form is the shape of query i: of twenty, nine are chains, seven stars and four
// cycles.
func (c *cutter) form(i int) (Shape, int) {
	switch k := i % 20; {
	case k < 3:
		return Chain, 1
	case k < 6:
		return Chain, 2
	case k < 9:
		return Chain, 3
	case k < 12:
		return Star, 2
	case k < 16:
		return Star, 3
	}
	return Cycle, 3
}

// cut finds a piece of the graph of a shape, from a random entity on. ok is false
// where there is none at that entity.
func (c *cutter) cut(shape Shape, hops int) bool {
	c.places = append(c.places, c.w.order.of(c.s.below(c.w.subjects)))
	switch shape {
	case Chain:
		return c.chain(hops)
	case Star:
		return c.star(hops)
	case Cycle:
		return c.cycle()
	}
	return false
}

// add walks an edge of node from to a new node.
func (c *cutter) add(from int, e edge) bool {
	if slices.Contains(c.places, e.tail) {
		return false
	}
	c.from, c.to, c.rel = append(c.from, from), append(c.to, len(c.places)), append(c.rel, e.relation)
	c.places = append(c.places, e.tail)
	return true
}

// out returns the edges of node i; nil for a literal.
func (c *cutter) out(i int) []edge {
	if c.places[i] >= c.w.subjects {
		return nil
	}
	return c.k.edges(nil, c.places[i])
}

// chain walks hops edges, each from the end of the one before. One in three of the
// longer ones is walked from its second node in both directions.
func (c *cutter) chain(hops int) bool {
	at := 0
	for h := range hops {
		if h == 1 && c.s.chance(33) {
			at = 0 // the first node is in the middle
		}
		edges := c.out(at)
		if len(edges) == 0 || !c.add(at, edges[c.s.below(len(edges))]) {
			return false
		}
		at = len(c.places) - 1
	}
	return true
}

// star walks hops edges from one node.
func (c *cutter) star(hops int) bool {
	edges := c.out(0)
	for try := 0; len(c.rel) < hops; try++ {
		if len(edges) < hops || try > 3*hops {
			return false
		}
		i := c.s.below(len(edges))
		if !c.add(0, edges[i]) {
			continue
		}
		edges = slices.Delete(edges, i, i+1)
	}
	return true
}

// cycle finds e→a, a→b and e→b.
func (c *cutter) cycle() bool {
	edges := c.out(0)
	if len(edges) < 2 {
		return false
	}
	for _, ea := range edges[:min(len(edges), 12)] {
		if ea.tail >= c.w.subjects {
			continue
		}
		for _, ab := range c.k.edges(nil, ea.tail) {
			j := slices.IndexFunc(edges, func(o edge) bool { return o.tail == ab.tail })
			if j < 0 || ab.tail == c.places[0] { // ab is no loop, so its tail is not a either
				continue
			}
			c.add(0, ea)
			c.add(1, ab)
			c.from, c.to, c.rel = append(c.from, 0), append(c.to, 2), append(c.rel, edges[j].relation)
			return true
		}
	}
	return false
}

// say makes the query of what was cut. ok is false where nothing known in it tells
// the entity: its only known nodes are literals.
func (c *cutter) say(shape Shape) (Query, bool) {
	q := Query{Shape: shape, Hops: len(c.rel)}
	known := c.known()
	alone := count(known) == 1
	told := false
	for i, p := range c.places {
		t := c.w.types[c.w.typeOf(p)]
		n := QueryNode{Key: string(c.w.appendKey(nil, p)), Label: string(c.w.appendLabel(nil, p))}
		switch {
		case !known[i]:
			if t.family >= 0 && c.s.chance(60) {
				n.Type = c.p.typeHint(t.words)
			}
		case t.family < 0:
			n.Text = n.Label
		default:
			n.Text, n.Noise = c.p.name(n.Label, alone)
			told = true
		}
		q.Nodes = append(q.Nodes, n)
	}
	for i, r := range c.rel {
		q.Edges = append(q.Edges, QueryEdge{From: c.from[i], To: c.to[i], Text: c.p.relation(c.w.relations[r]), Relation: c.w.Relation(int(r))})
	}
	return q, told
}

func count(known []bool) int {
	n := 0
	for _, k := range known {
		if k {
			n++
		}
	}
	return n
}

// known chooses the nodes whose names are given: mostly the ends, sometimes others
// or all but one, seldom all.
func (c *cutter) known() []bool {
	n := len(c.places)
	known := make([]bool, n)
	degree := make([]int, n)
	for i := range c.rel {
		degree[c.from[i]]++
		degree[c.to[i]]++
	}
	switch c.s.below(10) {
	case 0: // one
		known[c.s.below(n)] = true
	case 1: // all
		for i := range known {
			known[i] = true
		}
	case 2, 3: // all but one
		but := c.s.below(n)
		for i := range known {
			known[i] = i != but
		}
	default: // the ends, or of one edge or a cycle the one or the other
		for i := range known {
			known[i] = degree[i] == 1
		}
		if n == 2 || !slices.Contains(known, true) {
			clear(known)
			known[c.s.below(n)] = true
			if n > 2 {
				known[c.s.below(n)] = true
			}
		}
	}
	return known
}
