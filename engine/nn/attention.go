package nn

import "math"

// Norm returns a with each row divided by its root mean square, times the gain (1×cols)
// number by number where it is not nil (Zhang and Sennrich 2019, RMSNorm).
func (t *Tape) Norm(a, gain *Tensor) *Tensor {
	if gain != nil {
		row("Norm", a, gain)
	}
	const least = 1e-6 // of a mean square, so that a row of zeros stays one
	o := t.New(a.Rows, a.Cols)
	by := t.take(a.Rows)
	scaled := t.take(a.Cols)
	for i := range a.Rows {
		x, y := a.Row(i), o.Row(i)
		by[i] = 1 / float32(math.Sqrt(float64(dot(x, x)/float32(a.Cols)+least)))
		if gain == nil {
			axpy(by[i], x, y)
			continue
		}
		clear(scaled)
		axpy(by[i], x, scaled)
		mulAdd(y, scaled, gain.Data)
	}
	t.Record(func() {
		d := t.scratch(a.Cols)
		for i := range a.Rows {
			x, dy := a.Row(i), o.gradRow(i)
			clear(d)
			if gain == nil {
				copy(d, dy)
			} else {
				mulAdd(d, dy, gain.Data)
				for j, v := range x {
					gain.Grad[j] += dy[j] * v * by[i]
				}
			}
			axpy(by[i], d, a.gradRow(i))
			axpy(-dot(d, x)*by[i]*by[i]*by[i]/float32(a.Cols), x, a.gradRow(i))
		}
	})
	return o
}

// Attend mixes the rows of v as the rows of q ask for those of k, with heads over equal
// parts of the columns (Vaswani et al. 2017, §3.2):
//
//	p_ij = softmax_j(q_i·k_j / √d)   result_i = Σ_j p_ij v_j
//
// of each head, d being its columns. With causal, row i of q sees the first i+1 rows
// only.
//
//	q (n,D), k (m,D), v (m,E), result (n,E)
func (t *Tape) Attend(q, k, v *Tensor, heads int, causal bool) *Tensor {
	if q.Cols != k.Cols || k.Rows != v.Rows || q.Cols%heads != 0 || v.Cols%heads != 0 {
		panic(badShape("Attend", q.Rows, q.Cols, k.Rows, v.Cols))
	}
	a := attention{q: q, k: k, v: v, o: t.New(q.Rows, v.Cols), heads: heads, causal: causal, p: t.take(heads * q.Rows * k.Rows)}
	a.scale = float32(1 / math.Sqrt(float64(q.Cols/heads)))
	a.each(a.forward)
	t.Record(func() {
		d := t.scratch(k.Rows)
		a.each(func(p []float32, i, h int) { a.back(p, d[:len(p)], i, h) })
	})
	return a.o
}

// attention is one call of Attend.
type attention struct {
	q, k, v, o *Tensor
	heads      int
	causal     bool
	scale      float32
	p          []float32 // by head, row of q and row of k
}

// each calls do for every head and row of q, with the row's shares.
func (a *attention) each(do func(p []float32, i, h int)) {
	for h := range a.heads {
		for i := range a.q.Rows {
			n := a.k.Rows
			if a.causal {
				n = min(n, i+1)
			}
			from := (h*a.q.Rows + i) * a.k.Rows
			do(a.p[from:from+n], i, h)
		}
	}
}

// of returns the part of row i of some numbers that head h reads.
func (a *attention) of(t *Tensor, data []float32, i, h int) []float32 {
	w := t.Cols / a.heads
	return data[i*t.Cols+h*w : i*t.Cols+(h+1)*w]
}

func (a *attention) forward(p []float32, i, h int) {
	x := a.of(a.q, a.q.Data, i, h)
	for j := range p {
		p[j] = a.scale * dot(x, a.of(a.k, a.k.Data, j, h))
	}
	softmax(p, p, nil)
	y := a.of(a.o, a.o.Data, i, h)
	for j, w := range p {
		axpy(w, a.of(a.v, a.v.Data, j, h), y)
	}
}

func (a *attention) back(p, d []float32, i, h int) {
	dy := a.of(a.o, a.o.Grad, i, h)
	var mean float32
	for j, w := range p {
		d[j] = dot(dy, a.of(a.v, a.v.Data, j, h))
		mean += d[j] * w
		axpy(w, dy, a.of(a.v, a.v.Grad, j, h))
	}
	x, dx := a.of(a.q, a.q.Data, i, h), a.of(a.q, a.q.Grad, i, h)
	for j, w := range p {
		g := a.scale * w * (d[j] - mean)
		axpy(g, a.of(a.k, a.k.Data, j, h), dx)
		axpy(g, x, a.of(a.k, a.k.Grad, j, h))
	}
}
