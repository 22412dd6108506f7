package nn

import "math"

// Adam is the optimiser of Kingma and Ba (2015), with their β and ε, and gradients
// cut to a length.
type Adam struct {
	// Rate is the learning rate of the next step; callers change it as they go.
	Rate float64
	// Clip is the length that longer gradients are cut to; 0 is none.
	Clip float64

	steps        int
	mean, square [][]float32 // by weight
}

const (
	beta1, beta2 = 0.9, 0.999
	epsilon      = 1e-8
)

// begin prepares a step against gradients of the length norm over all weights; what
// it returns moves one weight.
func (a *Adam) begin(p *Params, norm float64) (move func(weight int, grad []float32)) {
	a.remember(p)
	a.steps++
	s := adamStep{scale: 1, first: 1 - beta1, second: 1 - beta2, epsilon: epsilon}
	if a.Clip > 0 && norm > a.Clip {
		s.scale = float32(a.Clip / norm)
	}
	// §2, the order of computation that the paper says is the quicker one.
	k := float64(a.steps)
	s.rate = float32(a.Rate * math.Sqrt(1-math.Pow(beta2, k)) / (1 - math.Pow(beta1, k)))
	return func(weight int, grad []float32) {
		s.apply(p.list[weight].Data, a.mean[weight], a.square[weight], grad)
	}
}

// remember makes room for what is remembered of the weights.
func (a *Adam) remember(p *Params) {
	for _, w := range p.list[len(a.mean):] {
		a.mean = append(a.mean, make([]float32, len(w.Data)))
		a.square = append(a.square, make([]float32, len(w.Data)))
	}
}

// adamStep are the numbers of one step, in the order in which the kernel reads them.
type adamStep struct{ scale, first, second, epsilon, rate float32 }

// apply moves the weights w, of equal length as the means m and v of their
// gradients g.
//
//	x = scale·g
//	m = m + (1 − β1)·(x − m)
//	v = v + (1 − β2)·(x² − v)
//	w = w − rate·m/(√v + ε)
func (s *adamStep) apply(w, m, v, g []float32) {
	m, v, g = m[:len(w)], v[:len(w)], g[:len(w)]
	if fast {
		adamAVX(w, m, v, g, s)
		return
	}
	for i := range w {
		x := g[i] * s.scale
		m[i] += s.first * (x - m[i])
		v[i] += s.second * (x*x - v[i])
		w[i] -= s.rate * m[i] / (float32(math.Sqrt(float64(v[i]))) + s.epsilon)
	}
}
