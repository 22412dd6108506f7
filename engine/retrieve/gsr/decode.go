package gsr

import (
	"cmp"
	"context"
	"math"
	"slices"
	"strings"
	"sync"

	"cairn/engine/internal/splitmix"
	"cairn/engine/kg"
	"cairn/engine/lexicon"
	"cairn/engine/nn"
	"cairn/engine/questions"
	"cairn/engine/retrieve"
	"cairn/engine/retrieve/learn"
	"cairn/engine/schema"
	"cairn/internal/wording"
)

// speaker speaks chains over one graph, with weights that do not change meanwhile. It is
// safe for concurrent use.
type speaker struct {
	net    *net
	walks  *learn.Walkers
	o      Options
	tongue tongue // of all steps, by number
	// warmth is what log-probabilities are divided by, so that they say how often a
	// chain is right; 0 is 1.
	warmth float64
	taught *learn.Rows    // knows the words that this graph taught
	schema *schema.Schema // nil where it was not read
	tapes  sync.Pool
}

func newSpeaker(n *net, names *names, walks *learn.Walkers, o Options) *speaker {
	s := &speaker{net: n, walks: walks, o: o, taught: n.rows}
	t := nn.NewTape(n.p)
	t.Begin(false, 0)
	s.tongue = n.tongue(t, names, stepsOf(walks.Graph), true)
	return s
}

// spoken is one step of a chain as it was spoken. The end of the chain is one, too.
type spoken struct {
	step    schema.Step // the end is atEnd
	p       float64
	instead []spoken // what else it might have been, the likeliest first
	// lacking is a step that is likelier than all that the graph has here; nil for none.
	lacking *schema.Step
}

// atEnd stands for the end of a chain.
const atEnd = schema.Step(math.MaxUint32)

// alternatives is how many other steps are remembered of each.
const alternatives = 3

type beam struct {
	said []spoken
	set  []kg.EntityID // where it leads
	logp float64
	done bool
}

// chain are the steps of a beam without its end.
func (b *beam) chain() []schema.Step {
	var out []schema.Step
	for _, s := range b.said {
		if s.step != atEnd {
			out = append(out, s.step)
		}
	}
	return out
}

// speak returns the likeliest chains of a question, read from one of its names, best
// first.
func (s *speaker) speak(tokens words, topics []kg.EntityID) []beam {
	t, _ := s.tapes.Get().(*nn.Tape)
	if t == nil {
		t = nn.NewTape(s.net.p)
	}
	defer s.tapes.Put(t)
	t.Begin(false, 0)
	k := s.walks.Take()
	defer s.walks.Put(k)
	h, x := s.net.encode(t, tokens, nil)
	d := decoder{speaker: s, Walker: k, t: t, q: s.net.heard(t, h, x, s.tongue), topics: topics, logs: make([]float32, s.tongue.r.Rows)}
	d.anywhere = s.o.Free || d.nameless(topics)
	done := d.chains()
	if len(done) == 0 && !d.anywhere {
		d.anywhere = true
		done = d.chains()
	}
	return done
}

// chains returns the likeliest chains, best first.
func (d *decoder) chains() []beam {
	beams := []beam{{set: d.topics}}
	var done []beam
	for depth := 0; depth <= d.o.Steps && len(beams) > 0; depth++ {
		var next []beam
		for i := range beams {
			next = append(next, d.extend(&beams[i], depth)...)
		}
		slices.SortStableFunc(next, byLog)
		beams = d.keep(next, &done)
		slices.SortStableFunc(done, byLog)
		if n := d.o.Beam; len(done) >= n && len(beams) > 0 && beams[0].logp < done[n-1].logp {
			break // a longer chain is never likelier
		}
	}
	return done[:min(len(done), d.o.Beam)]
}

func byLog(a, b beam) int { return cmp.Compare(b.logp, a.logp) }

type decoder struct {
	*speaker
	*learn.Walker

	t      *nn.Tape
	q      heard
	topics []kg.EntityID
	logs   []float32 // of the end, then of the steps
	// anywhere lets chains end at what is nameless.
	anywhere bool
}

// extend returns the ways to go on from a beam, the likeliest ones.
func (d *decoder) extend(b *beam, depth int) []beam {
	rows := wording.Each(b.said, func(s spoken) int32 { return int32(s.step) + 1 })
	scores := d.net.speak(d.t, d.q, d.tongue, rows)
	var open []int32 // numbers of logs
	if depth > 0 && (d.anywhere || !d.nameless(b.set)) {
		open = append(open, endRow)
	}
	if d.o.Free {
		for i := 1; i < len(d.logs); i++ {
			open = append(open, int32(i))
		}
	} else if depth < d.o.Steps {
		for _, s := range d.Leaving(b.set) {
			open = append(open, int32(s)+1)
		}
	}
	if len(open) == 0 {
		return nil
	}
	row := scores.Row(depth)
	nn.LogSoftmax(d.logs, row, open)
	var lacking *schema.Step
	if !d.o.Free && d.schema != nil && depth < d.o.Steps {
		lacking = d.lacked(row, row[open[0]]-d.logs[open[0]], open)
	}
	slices.SortFunc(open, func(x, y int32) int { return cmp.Or(cmp.Compare(d.logs[y], d.logs[x]), cmp.Compare(x, y)) })
	var out []beam
	for i, o := range open[:min(len(open), d.o.Beam+1)] {
		if o != endRow && depth == d.o.Steps {
			continue
		}
		said := d.spoken(o)
		said.lacking = lacking
		for j := 0; j < len(open) && len(said.instead) < alternatives; j++ {
			if j != i {
				said.instead = append(said.instead, d.spoken(open[j]))
			}
		}
		out = append(out, beam{append(slices.Clip(b.said), said), b.set, b.logp + float64(d.logs[o]), o == endRow})
	}
	return out
}

// lacked is a step that is likelier than all that are open, which together score all: the
// graph does not have it here, though it has it of things of the same kind. What is spoken in
// its place is what the graph has, and not what the question asks for.
func (d *decoder) lacked(scores []float32, all float32, open []int32) *schema.Step {
	best := int32(endRow)
	for i := int32(endRow + 1); i < int32(len(scores)); i++ {
		if scores[i] > all && (best == endRow || scores[i] > scores[best]) && d.fits(schema.Step(i-1), open) {
			best = i
		}
	}
	if best == endRow {
		return nil
	}
	s := schema.Step(best - 1)
	return &s
}

// fits reports whether a step is not open, and things that have it have one that is, too.
func (d *decoder) fits(s schema.Step, open []int32) bool {
	from := d.schema.Canonical(s).From()
	return !slices.Contains(open, int32(s)+1) && slices.ContainsFunc(open, func(o int32) bool {
		return o != endRow && d.schema.Coherent(d.schema.Canonical(schema.Step(o-1)).From(), from)
	})
}

// nameless reports whether most of a set have ids in place of names. Where others have
// names, nobody asks for these: a chain goes on from them to what they say.
func (d *decoder) nameless(set []kg.EntityID) bool {
	n := 0
	set = set[:min(len(set), looked)]
	for _, e := range set {
		if schema.IsNameless(d.walks.Graph, e) {
			n++
		}
	}
	return 2*n > len(set)
}

// looked is how many entities of a set are looked at for what they are, at most.
const looked = 20

// spoken is what stands at a number of logs.
func (d *decoder) spoken(at int32) spoken {
	s := spoken{step: atEnd, p: math.Exp(float64(d.logs[at]))}
	if at != endRow {
		s.step = schema.Step(at - 1)
	}
	return s
}

// keep takes as many of the beams as are kept, finds out where those lead that are not
// done, and moves the others to done.
func (d *decoder) keep(next []beam, done *[]beam) (open []beam) {
	n := 0
	for _, b := range next {
		if n == d.o.Beam {
			break
		}
		if b.done {
			*done = append(*done, b)
			n++
			continue
		}
		b.set = d.Follow(b.set, b.said[len(b.said)-1].step, d.topics)
		if len(b.set) == 0 && !d.o.Free {
			continue // it would lead back to the topics alone
		}
		open = append(open, b)
		n++
	}
	return open
}

// leg is a chain from one of the things that a question names.
type leg struct {
	topics []kg.EntityID
	beam
}

// reading is a way to understand a question: what all of its legs lead to.
type reading struct {
	legs []leg
	p    float64 // calibrated
	set  []kg.EntityID
	// left are the names that no leg begins at: nothing that they lead to meets the rest.
	left []learn.Named
	// strange are the words of the question that were never learned.
	strange []string
	// lacking are steps that the question seems to ask for where the graph has none of them.
	lacking []schema.Step
	// also are less probable chains that lead to the same: p is of all of them.
	also []reading
}

// read returns the readings of a question, the likeliest first.
func (s *speaker) read(ctx context.Context, x questions.Example) ([]reading, error) {
	tokens, span := learn.TokensOf(x)
	names := learn.NamesOf(s.walks.Graph, x)
	kinds := s.o.kinds(s.walks.Graph, x)
	legs := make([][]leg, len(names))
	for i, n := range names {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		own := n.Span
		if len(names) == 1 {
			own = allSpans
		}
		for _, b := range s.speak(s.net.words(tokens, span, own, kinds), n.Seeds) {
			legs[i] = append(legs[i], leg{n.Seeds, b})
		}
	}
	out := s.calibrated(joined(names, legs, s.o.Beam))
	strange, same := s.strange(tokens, span)
	for i := range out {
		r := &out[i]
		if r.strange = strange; same && !s.shares(r) {
			r.strange = append(slices.Clip(strange), theSame)
		}
		for _, l := range r.legs {
			for _, s := range l.said {
				if s.lacking != nil {
					r.lacking = append(r.lacking, *s.lacking)
				}
			}
		}
		r.p *= math.Pow(strangeness, float64(len(strange)+len(r.left)+len(r.lacking)))
	}
	return merged(out), nil
}

// merged puts readings together that lead to the same entities: whichever is meant, these
// are the answers.
func merged(rs []reading) []reading {
	type key struct{ size, sum uint64 }
	at := map[key]int{}
	out := rs[:0:0]
	for _, r := range rs {
		k := key{size: uint64(len(r.set))}
		for _, e := range r.set {
			k.sum += splitmix.Mix(uint64(e))
		}
		i, ok := at[k]
		if !ok {
			at[k] = len(out)
			out = append(out, r)
			continue
		}
		out[i].p += r.p
		out[i].also = append(out[i].also, r)
	}
	slices.SortStableFunc(out, func(a, b reading) int { return cmp.Compare(b.p, a.p) })
	return out
}

// strangeness is what a word that was never learned, a name that is left out, or a step that
// the graph lacks, leaves of a probability: a chain that was spoken without it may well not be
// what is asked for.
const strangeness = 0.45

// turning are little words that a question means something else by: who did not, and who did
// the same.
var turning = lexicon.Words("negations", "sharing")

// strange are the words of a question that carry a meaning and that the network has not
// learned over this graph: its chains take no account of them. What a base has seen said
// over other graphs is no evidence that this one has it. Of what was learned, same says
// whether the question asks for what has the same of something.
func (s *speaker) strange(tokens []lexicon.Token, span []int) (out []string, same bool) {
	for i, t := range tokens {
		switch {
		case span[i] >= 0:
		case (turning[t.Lower] || !lexicon.Builtin().IsStop(t.Lower)) && !s.taught.Knows(t):
			out = append(out, t.Lower)
		case t.Lower == theSame:
			same = true
		}
	}
	return out, same
}

// theSame is the word for what two things have in common, whatever else a question says.
const theSame = "same"

// shares reports whether a reading says what two things have in common: it takes a step there
// and back, or starts at several names, or a relation says so by its name.
func (s *speaker) shares(r *reading) bool {
	for _, l := range r.legs {
		c := l.chain()
		for i, step := range c {
			if i > 0 && s.returns(c[i-1], step) || strings.Contains(strings.ToLower(s.walks.Graph.RelationText(step.Relation())), theSame) {
				return true
			}
		}
	}
	return len(r.legs) > 1
}

// returns reports whether a step goes back on the one before, by another relation where the
// graph says one thing by two.
func (s *speaker) returns(before, step schema.Step) bool {
	return step == before.Back() || s.schema != nil && s.schema.Canonical(step) == s.schema.Back(before)
}

// joined returns the most probable ways to take one chain from each name that lead to
// something in common; where there are none, the chains from the name that is surest of
// its own.
func joined(names []learn.Named, legs [][]leg, most int) []reading {
	var out []reading
	for i, ls := range legs {
		var next []reading
		for _, l := range ls {
			if i == 0 {
				next = append(next, reading{legs: []leg{l}, p: l.logp, set: l.set})
				continue
			}
			for _, r := range out {
				if both := common(r.set, l.set); len(both) > 0 {
					next = append(next, reading{legs: append(slices.Clip(r.legs), l), p: r.p + l.logp, set: both})
				}
			}
		}
		slices.SortStableFunc(next, func(a, b reading) int { return cmp.Compare(b.p, a.p) })
		out = next[:min(len(next), most*most)]
	}
	if len(out) > 0 || len(legs) < 2 {
		return out[:min(len(out), most)]
	}
	surest := -1
	for i, ls := range legs {
		if len(ls) > 0 && (surest < 0 || ls[0].logp > legs[surest][0].logp) {
			surest = i
		}
	}
	if surest < 0 {
		return nil
	}
	out = joined(names[surest:surest+1], legs[surest:surest+1], most)
	for i := range out {
		out[i].left = slices.Delete(slices.Clone(names), surest, surest+1)
	}
	return out
}

// common returns what is in both sets, in the order of the first.
func common(a, b []kg.EntityID) []kg.EntityID {
	in := make(map[kg.EntityID]bool, len(b))
	for _, e := range b {
		in[e] = true
	}
	var out []kg.EntityID
	for _, e := range a {
		if in[e] {
			out = append(out, e)
		}
	}
	return out
}

// calibrated turns the readings' log-probabilities into probabilities, which add up to 1
// at most.
func (s *speaker) calibrated(rs []reading) []reading {
	warmth, sum := cmp.Or(s.warmth, 1), 0.
	for i := range rs {
		rs[i].p = math.Exp(rs[i].p / warmth)
		sum += rs[i].p
	}
	for i := range rs {
		rs[i].p /= max(1, sum)
	}
	return rs
}

// measure asks questions. It returns the scores of the answers to each, and how the first
// reading of each did.
func (s *speaker) measure(ctx context.Context, asked []questions.Example) ([]retrieve.Metrics, []outcome, error) {
	ms, outs := make([]retrieve.Metrics, len(asked)), make([]outcome, len(asked))
	err := learn.Each(ctx, len(asked), func(i int) {
		rs, err := s.read(ctx, asked[i])
		if err != nil || len(rs) == 0 {
			return // cancelled, which Each reports
		}
		ms[i] = learn.Score(ranked(rs), asked[i].Answers)
		for _, r := range rs {
			outs[i].ps = append(outs[i].ps, r.p)
		}
		outs[i].right = float64(learn.Hits(rs[0].set, asked[i].Answers)) / float64(max(1, len(rs[0].set)))
	}, nil)
	return ms, outs, err
}

// outcome is how the readings of a question did.
type outcome struct {
	ps    []float64 // of the readings, uncalibrated
	right float64   // the share of what the first leads to that is right
}

// ranked returns what the first reading leads to, the likeliest first by all readings, ties
// by id.
func ranked(rs []reading) []kg.EntityID {
	by := map[kg.EntityID]float64{}
	for _, r := range rs {
		for _, e := range r.set {
			by[e] += r.p
		}
	}
	out := slices.Clone(rs[0].set)
	slices.SortFunc(out, func(a, b kg.EntityID) int { return cmp.Or(cmp.Compare(by[b], by[a]), cmp.Compare(a, b)) })
	return out
}

// calibrate finds the warmth at which the probability of the first reading says best how
// right it is, by the log-likelihood.
func calibrate(outs []outcome) float64 {
	best, least := 1., math.Inf(1)
	for warmth := 0.5; warmth < 10; warmth *= 1.15 {
		var sum float64
		for _, o := range outs {
			if len(o.ps) == 0 {
				continue
			}
			total := 0.
			for _, p := range o.ps {
				total += math.Pow(p, 1/warmth)
			}
			p := min(max(math.Pow(o.ps[0], 1/warmth)/max(1, total), 1e-4), 1-1e-4)
			sum -= o.right*math.Log(p) + (1-o.right)*math.Log(1-p)
		}
		if sum < least {
			best, least = warmth, sum
		}
	}
	return best
}
