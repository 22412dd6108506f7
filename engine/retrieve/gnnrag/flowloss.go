package gnnrag

import (
	"math"
	"slices"

	"cairn/engine/nn"
)

const (
	// scaleWeight weighs the second term of the loss.
	scaleWeight = 0.3
	// unreached stands for a share or score of zero, of which there is no logarithm.
	unreached = 1e-9
	// nothing is the sum of scores up to which a step is as if it reached nothing:
	// divided by less, shares would have gradients that are no numbers any more.
	nothing = 1e-12
)

// loss is the Kullback–Leibler divergence of p from the uniform distribution over
// the answers, and what is missing of the answers' scores up to 1:
//
//	q_m[v] = Σ_t c_t s_t[v] / Σ_v s_t[v]        the shares of the flow from mention m
//	p[v]   ∝ Π_m (q_m[v] + ε)^(1/M)
//	L      = KL(y ‖ p) − 0.3 · mean over answers and mentions of log min(1, Σ_t c_t s_t[v])
//
// The second term is there because p does not change when all scores are halved:
// without it a question may pick relations that are not there, at no cost, and the
// scores of answers fall below those that are left out when answers are asked for.
// Answers that nothing reaches count only as a constant.
func (m *flow) loss(t *nn.Tape, x *example) *nn.Tensor {
	s := m.streams()
	rs := m.read(t, x, m.toLearn(t, x, s))
	for _, r := range rs {
		s.run(r, toLearn)
	}
	j := newJoint(s, rs, x)
	o := t.New(1, 1)
	o.Data[0] = float32(j.value())
	t.Record(func() {
		if o.Grad[0] != 0 {
			j.back(float64(o.Grad[0]))
		}
		m.release(s)
	})
	if !t.Training() {
		m.release(s)
	}
	return o
}

// joint is the loss over the flows of one question.
type joint struct {
	s      *streams
	rs     []reading
	n      int         // entities that are reached
	gold   []int32     // local ids of the answers that are reached and no seeds
	y      float64     // of each answer
	lost   int         // answers that nothing reaches
	shares [][]float64 // q_m, by mention and local id
	p      []float64   // by local id
}

func newJoint(s *streams, rs []reading, x *example) *joint {
	j := &joint{s: s, rs: rs, n: len(s.entities)}
	for k, r := range rs {
		f := &s.flows[k]
		f.widen(j.n)
		q := make([]float64, j.n)
		for t := 1; t < len(f.score); t++ {
			if f.sum[t] <= nothing {
				continue
			}
			c := float64(r.count.Data[t-1]) / f.sum[t]
			for _, i := range f.reached[t] {
				q[i] += c * float64(f.score[t][i])
			}
		}
		j.shares = append(j.shares, q)
	}
	for _, a := range x.answers {
		if slices.Contains(x.seeds, a) {
			continue
		}
		if i := s.place[a] - 1; i >= 0 {
			j.gold = append(j.gold, i)
		} else {
			j.lost++
		}
	}
	if n := len(j.gold) + j.lost; n > 0 {
		j.y = 1 / float64(n)
	}
	j.divide()
	return j
}

// divide computes p.
func (j *joint) divide() {
	j.p = make([]float64, j.n)
	var sum float64
	for i := range j.p {
		w := 1.
		for _, q := range j.shares {
			w *= q[i] + unreached
		}
		if len(j.shares) > 1 {
			w = math.Pow(w, 1/float64(len(j.shares)))
		}
		j.p[i] = w
		sum += w
	}
	for i := range j.p {
		j.p[i] /= sum
	}
}

func (j *joint) value() float64 {
	sum := -float64(j.lost) * j.y * math.Log(unreached)
	for _, i := range j.gold {
		sum += j.y * (math.Log(j.y) - math.Log(j.p[i]))
		for k := range j.rs {
			sum -= j.missing() * math.Log(min(1, j.mixed(k, i)+unreached))
		}
	}
	return sum
}

// missing is the weight of one answer's score from one mention.
func (j *joint) missing() float64 { return scaleWeight * j.y / float64(len(j.rs)) }

// mixed is Σ_t c_t s_t[i] of flow k.
func (j *joint) mixed(k int, i int32) float64 {
	var u float64
	for t, c := range j.rs[k].count.Data {
		u += float64(c) * float64(j.s.flows[k].score[t+1][i])
	}
	return u
}

// back adds the gradients of the loss, times weight, to those of the readings.
func (j *joint) back(weight float64) {
	if len(j.gold) == 0 {
		return
	}
	d := make([]float64, j.n) // of KL by log p, times weight
	reach := j.y * float64(len(j.gold))
	for i := range d {
		d[i] = weight * reach * j.p[i]
	}
	for _, i := range j.gold {
		d[i] -= weight * j.y
	}
	for k := range j.rs {
		j.backShares(k, d)
		j.backScale(k, weight)
		j.backFlow(k)
	}
}

// backShares goes from the gradients by log p to those by the scores and the count
// of flow k.
func (j *joint) backShares(k int, d []float64) {
	f, r, q := &j.s.flows[k], j.rs[k], j.shares[k]
	n := float64(len(j.rs))
	for t := range f.score {
		f.grad[t] = padded(f.grad[t], j.n)
		if t == 0 || f.sum[t] <= nothing {
			continue
		}
		var mean float64
		for _, i := range f.reached[t] {
			mean += d[i] / (n * (q[i] + unreached)) * float64(f.score[t][i])
		}
		mean /= f.sum[t]
		r.count.Grad[t-1] += float32(mean)
		c := float64(r.count.Data[t-1]) / f.sum[t]
		for _, i := range f.reached[t] {
			f.grad[t][i] += float32(c * (d[i]/(n*(q[i]+unreached)) - mean))
		}
	}
}

// backScale adds the gradients of the second term.
func (j *joint) backScale(k int, weight float64) {
	f, count := &j.s.flows[k], j.rs[k].count
	for _, i := range j.gold {
		u := j.mixed(k, i) + unreached
		if u >= 1 {
			continue
		}
		g := -weight * j.missing() / u
		for t, c := range count.Data {
			if x := f.score[t+1][i]; x > 0 {
				count.Grad[t] += float32(g * float64(x))
				f.grad[t+1][i] += float32(g * float64(c))
			}
		}
	}
}

// backFlow goes from the gradients by the scores to those by the picks.
func (j *joint) backFlow(k int) {
	f := &j.s.flows[k]
	for t, edges := range slices.Backward(f.edges) {
		pick := j.rs[k].picks[t]
		from, to, score := f.grad[t], f.grad[t+1], f.score[t]
		for _, e := range edges {
			g := to[e.to]
			pick.Grad[e.pick] += g * score[e.from]
			from[e.from] += g * pick.Data[e.pick]
		}
	}
}
