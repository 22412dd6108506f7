package nn

import "math"

// MatMulT returns a·bᵀ: the products of the rows of a with those of b.
//
//	a (m,k), b (n,k), result (m,n)
func (t *Tape) MatMulT(a, b *Tensor) *Tensor {
	if a.Cols != b.Cols {
		panic(badShape("MatMulT", a.Rows, a.Cols, b.Rows, b.Cols))
	}
	o := t.New(a.Rows, b.Rows)
	addMulTB(o.values(), a.values(), b.values(), t.scratch(len(b.Data)))
	t.Record(func() {
		addMul(a.gradients(), o.gradients(), b.values())
		addMulTA(b.gradients(), o.gradients(), a.values())
	})
	return o
}

// Peaks returns, for each row of a, the largest number of each run of columns
// [at[c], at[c+1]); 0 for an empty one.
//
//	a (n,m), result (n,len(at)−1)
func (t *Tape) Peaks(a *Tensor, at []int32) *Tensor {
	o := t.New(a.Rows, len(at)-1)
	from := make([]int32, len(o.Data)) // the column of each peak, or −1
	for i := range a.Rows {
		x := a.Row(i)
		for c := range o.Cols {
			best := int32(-1)
			for j := at[c]; j < at[c+1]; j++ {
				if best < 0 || x[j] > x[best] {
					best = j
				}
			}
			if from[i*o.Cols+c] = best; best >= 0 {
				o.Data[i*o.Cols+c] = x[best]
			}
		}
	}
	t.Record(func() {
		for i := range a.Rows {
			dx, dy := a.gradRow(i), o.gradRow(i)
			for c, j := range from[i*o.Cols : (i+1)*o.Cols] {
				if j >= 0 {
					dx[j] += dy[c]
				}
			}
		}
	})
	return o
}

// Stretch returns a, times a number that is learned (1×1).
func (t *Tape) Stretch(a, by *Tensor) *Tensor {
	if len(by.Data) != 1 {
		panic(badShape("Stretch", a.Rows, a.Cols, by.Rows, by.Cols))
	}
	o := t.New(a.Rows, a.Cols)
	axpy(by.Data[0], a.Data, o.Data)
	t.Record(func() {
		axpy(by.Data[0], o.Grad, a.Grad)
		by.Grad[0] += dot(o.Grad, a.Data)
	})
	return o
}

// CrossEntropy returns Σ_i −log softmax(a_i)[want_i] over the rows of the scores a, 1×1.
func (t *Tape) CrossEntropy(a *Tensor, want []int) *Tensor {
	if len(want) != a.Rows {
		panic(badShape("CrossEntropy", a.Rows, a.Cols, len(want), 1))
	}
	p := t.take(len(a.Data))
	o := t.New(1, 1)
	for i, y := range want {
		q := p[i*a.Cols : (i+1)*a.Cols]
		softmax(q, a.Row(i), nil)
		o.Data[0] -= float32(math.Log(float64(q[y]) + 1e-12))
	}
	t.Record(func() {
		axpy(o.Grad[0], p, a.Grad)
		for i, y := range want {
			a.gradRow(i)[y] -= o.Grad[0]
		}
	})
	return o
}

// LogSoftmax writes the logarithms of softmax(a), over the numbers of a that kept lists,
// to those of dst; a nil kept is all of them. What it does not list stays as it is.
func LogSoftmax(dst, a []float32, kept []int32) {
	n, at := len(kept), func(i int) int32 { return kept[i] }
	if kept == nil {
		n, at = len(a), func(i int) int32 { return int32(i) }
	}
	top := float32(math.Inf(-1))
	for i := range n {
		top = max(top, a[at(i)])
	}
	var sum float64
	for i := range n {
		sum += math.Exp(float64(a[at(i)] - top))
	}
	by := top + float32(math.Log(sum))
	for i := range n {
		dst[at(i)] = a[at(i)] - by
	}
}
