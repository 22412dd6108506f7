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

// step moves the weights against their gradients, whose length is norm.
func (a *Adam) step(p *Params, grads []*Tensor, norm float64) {
	if a.mean == nil {
		for _, w := range p.list {
			a.mean = append(a.mean, make([]float32, len(w.Data)))
			a.square = append(a.square, make([]float32, len(w.Data)))
		}
	}
	a.steps++
	scale := float32(1)
	if a.Clip > 0 && norm > a.Clip {
		scale = float32(a.Clip / norm)
	}
	rate := a.Rate * math.Sqrt(1-math.Pow(beta2, float64(a.steps))) / (1 - math.Pow(beta1, float64(a.steps)))
	for i, w := range p.list {
		g, m, v := grads[i].Grad, a.mean[i], a.square[i]
		for j := range w.Data {
			x := g[j] * scale
			m[j] += (1 - beta1) * (x - m[j])
			v[j] += (1 - beta2) * (x*x - v[j])
			w.Data[j] -= float32(rate) * m[j] / (float32(math.Sqrt(float64(v[j]))) + epsilon)
		}
	}
}
