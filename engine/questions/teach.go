package questions

import (
	"context"
	"slices"

	"cairn/engine/kg"
	"cairn/engine/schema"
)

const (
	// askedCrowd is how many entities a step leads to, of those that share its
	// beginning with a triple drawn at random, for a chain to have other steps
	// beside it: the films of a director are 5, those of a genre 3,000. Nobody asks
	// for the actors of the films of the genre of a film, and there are so many
	// such chains that they would crowd out the others.
	askedCrowd = 100
	// askedOften is the same for chains that are asked for as often as any. Those
	// over wider steps come up less in proportion: people ask for the birthplace of
	// a person's mother sooner than for that of the mothers of the Swedes.
	askedOften = 30
	// teachDraws is how many instances are drawn for every question.
	teachDraws = 12
)

// teachShares are the shares of the questions by hops; 0 is for stars. Long chains
// have the most ways to be worded.
var teachShares = [4]float64{0: 0.08, 1: 0.24, 2: 0.28, 3: 0.4}

// Teach makes up to n questions from the graph's own triples for a retriever to learn
// from: chains of one to three hops and stars of two names, each with an answer.
//
//   - They are what people ask: no chain goes through a hub or a crowd.
//   - Each number of hops has a fixed share, and within it each chain comes up equally
//     often, however many triples it has.
//   - A meaning is worded in many ways, in all words of the lexicon, some of them
//     clumsy: what is learned is which words go with which relations, in which order.
//   - No answer is named by its question: who is the husband of X's wife?
//
// The same seed gives the same questions.
func (m *Maker) Teach(ctx context.Context, n int, seed uint64) []Generated {
	d := newDrawer(ctx, m, seed)
	if len(d.starts) == 0 {
		return nil
	}
	width := fans(ctx, m.schema)
	var classes [4]chainClass
	for range teachDraws * n {
		if ctx.Err() != nil {
			return nil
		}
		s, hops, ok := d.askable(width)
		if !ok {
			continue
		}
		c := &classes[hops]
		key := chainKey(&s)
		if c.shapes == nil {
			c.shapes = map[string][]shape{}
		}
		if c.shapes[key] == nil {
			c.order = append(c.order, &chainDraw{key: key, weight: weigh(m.schema, &s, width)})
		}
		c.shapes[key] = append(c.shapes[key], s)
	}
	t := &teacher{voice: voice{m: m, rng: d.rng}}
	var out []Generated
	// What a class cannot give, those after it do: from the rarest to single hops.
	want, total := 0.0, 0.0
	for _, hops := range []int{0, 3, 2, 1} {
		total += teachShares[hops]
	}
	for _, hops := range []int{0, 3, 2, 1} {
		want += teachShares[hops] / total * float64(n)
		out = classes[hops].word(ctx, t, out, min(n, int(want+0.5)))
	}
	for _, hops := range []int{2, 3, 0} { // a graph of few single hops
		out = classes[hops].word(ctx, t, out, n)
	}
	d.rng.Shuffle(len(out), func(i, j int) { out[i], out[j] = out[j], out[i] })
	return out
}

// chainClass holds the shapes that were drawn with one number of hops.
type chainClass struct {
	shapes map[string][]shape // by chain
	order  []*chainDraw       // as they came up
}

// chainDraw is how far the shapes of a chain are used up.
type chainDraw struct {
	key    string
	weight float64 // how often it comes up, against others
	credit float64 // what it is still owed
	used   int
}

// turnWeight is how often a chain comes up that goes back the way it came: "which
// films have the same director as X" is what is asked most over several hops.
const turnWeight = 3

// reuse is how often one instance of a chain is worded at most, each time anew: of
// chains that turn back not many are drawn.
const reuse = 3

// weigh returns how often a chain comes up.
func weigh(s *schema.Schema, sh *shape, fans []float64) float64 {
	w := 1.0
	if turnsBack(s, sh) {
		w = turnWeight
	}
	for _, l := range sh.legs {
		for _, st := range l.Steps[:len(l.Steps)-1] {
			w *= min(1, askedOften/max(fans[st], 1))
		}
	}
	return w
}

// word adds questions until there are n.
func (c *chainClass) word(ctx context.Context, t *teacher, out []Generated, n int) []Generated {
	for len(out) < n && len(c.order) > 0 && ctx.Err() == nil {
		c.order = slices.DeleteFunc(c.order, func(d *chainDraw) bool { return d.used >= reuse*len(c.shapes[d.key]) })
		for _, d := range c.order {
			of := c.shapes[d.key]
			for d.credit += d.weight; d.credit >= 1 && d.used < reuse*len(of) && len(out) < n; d.used++ {
				d.credit--
				g, ok := t.m.worded(ctx, t.ask, &of[d.used%len(of)])
				named := func(e kg.EntityID) bool { return slices.Contains(g.Pattern.Named(), e) }
				if ok && !slices.ContainsFunc(g.Answers, named) {
					out = append(out, g)
				}
			}
		}
	}
	return out
}

// turnsBack reports whether a shape is one chain that goes back the way it came.
func turnsBack(s *schema.Schema, sh *shape) bool {
	steps := sh.legs[0].Steps
	for i := 1; i < len(steps) && len(sh.legs) == 1; i++ {
		if steps[i] == s.Back(steps[i-1]) {
			return true
		}
	}
	return false
}

// askable draws a shape that people might ask for, and says of how many hops it is;
// 0 for a star.
func (d *drawer) askable(fans []float64) (shape, int, bool) {
	hops := 0
	x := d.rng.Float64()
	for x -= teachShares[0]; hops < 3 && x >= 0; x -= teachShares[hops] {
		hops++
	}
	s, ok := d.shape(hops)
	if !ok {
		return s, hops, false
	}
	for _, l := range s.legs {
		if len(l.Steps) < 2 {
			continue
		}
		for i, st := range l.Steps {
			if fans[st] > askedCrowd || i > 0 && st != d.m.schema.Back(l.Steps[i-1]) && !goesOn(d.m.schema, l.Steps[i-1].To(), st.From()) {
				return s, hops, false
			}
		}
	}
	return s, hops, true
}

// teachShare is the share of the smaller of two slots that they have in common for a
// chain to go on from one to the other. It is higher than coherenceShare: a reading
// must be found where somebody asks for it, but nobody asks for the director of a
// year that is also the title of a film.
const teachShare = 0.25

// goesOn reports whether chains that people ask for go from slot a on to slot b.
func goesOn(s *schema.Schema, a, b schema.Slot) bool {
	return s.Value(a) == schema.NoValue && (s.SameKind(a, b) || float64(s.Shared(a, b)) >= teachShare*float64(min(s.Size(a), s.Size(b))))
}

// fans returns, by step, how many triples share a triple's beginning in the mean over
// the triples: what a step from an entity drawn by its triples leads to.
func fans(ctx context.Context, s *schema.Schema) []float64 {
	sum, squares := make([]float64, s.Slots()), make([]float64, s.Slots())
	var in []schema.Slot
	for e := range s.Graph().Entities() {
		if e%1024 == 0 && ctx.Err() != nil {
			break
		}
		in = s.SlotsOf(kg.EntityID(e), in[:0])
		for _, at := range in {
			st := s.Canonical(schema.Step(at))
			n := float64(len(s.Edges(kg.EntityID(e), st)))
			sum[st] += n
			squares[st] += n * n
		}
	}
	for st := range squares {
		squares[st] /= max(sum[st], 1)
	}
	return squares
}
