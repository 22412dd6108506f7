package nn

import "math"

// same panics unless the shapes are the same.
func same(op string, a, b *Tensor) {
	if a.Rows != b.Rows || a.Cols != b.Cols {
		panic(badShape(op, a.Rows, a.Cols, b.Rows, b.Cols))
	}
}

// MatMul returns a·b.
//
//	a (m,k), b (k,n), result (m,n)
func (t *Tape) MatMul(a, b *Tensor) *Tensor {
	if a.Cols != b.Rows {
		panic(badShape("MatMul", a.Rows, a.Cols, b.Rows, b.Cols))
	}
	o := t.New(a.Rows, b.Cols)
	addMul(o.values(), a.values(), b.values())
	t.Record(func() {
		if fast && b.param != nil && b.Cols > 1 && a.Rows > 1 {
			addMul(a.gradients(), o.gradients(), t.transposed(b.param))
		} else {
			addMulTB(a.gradients(), o.gradients(), b.values(), t.scratch(len(b.Data)))
		}
		addMulTA(b.gradients(), a.values(), o.gradients())
	})
	return o
}

// Add returns a + b.
func (t *Tape) Add(a, b *Tensor) *Tensor { return t.addTimes("Add", a, b, 1) }

// Sub returns a − b.
func (t *Tape) Sub(a, b *Tensor) *Tensor { return t.addTimes("Sub", a, b, -1) }

// addTimes returns a + s·b.
func (t *Tape) addTimes(op string, a, b *Tensor, s float32) *Tensor {
	same(op, a, b)
	o := t.blank(a.Rows, a.Cols)
	copy(o.Data, a.Data)
	axpy(s, b.Data, o.Data)
	t.Record(func() {
		axpy(1, o.Grad, a.Grad)
		axpy(s, o.Grad, b.Grad)
	})
	return o
}

// Mul returns a ⊙ b, number by number.
func (t *Tape) Mul(a, b *Tensor) *Tensor {
	same("Mul", a, b)
	o := t.New(a.Rows, a.Cols)
	mulAdd(o.Data, a.Data, b.Data)
	t.Record(func() {
		mulAdd(a.Grad, o.Grad, b.Data)
		mulAdd(b.Grad, o.Grad, a.Data)
	})
	return o
}

// AddRow returns a with the row b (1×cols) added to each of its rows.
func (t *Tape) AddRow(a, b *Tensor) *Tensor {
	row("AddRow", a, b)
	o := t.blank(a.Rows, a.Cols)
	copy(o.Data, a.Data)
	for i := range a.Rows {
		axpy(1, b.Data, o.Row(i))
	}
	t.Record(func() {
		axpy(1, o.Grad, a.Grad)
		for i := range a.Rows {
			axpy(1, o.gradRow(i), b.Grad)
		}
	})
	return o
}

// MulRow returns a with each of its rows multiplied by the row b (1×cols), number
// by number.
func (t *Tape) MulRow(a, b *Tensor) *Tensor {
	row("MulRow", a, b)
	o := t.New(a.Rows, a.Cols)
	for i := range a.Rows {
		mulAdd(o.Row(i), a.Row(i), b.Data)
	}
	t.Record(func() {
		for i := range a.Rows {
			mulAdd(a.gradRow(i), o.gradRow(i), b.Data)
			mulAdd(b.Grad, o.gradRow(i), a.Row(i))
		}
	})
	return o
}

// row panics unless b is one row as wide as a.
func row(op string, a, b *Tensor) {
	if b.Rows != 1 || a.Cols != b.Cols {
		panic(badShape(op, a.Rows, a.Cols, b.Rows, b.Cols))
	}
}

// Scale returns s·a.
func (t *Tape) Scale(a *Tensor, s float32) *Tensor {
	o := t.New(a.Rows, a.Cols)
	axpy(s, a.Data, o.Data)
	t.Record(func() { axpy(s, o.Grad, a.Grad) })
	return o
}

// ReLU returns max(a, 0).
func (t *Tape) ReLU(a *Tensor) *Tensor {
	o := t.blank(a.Rows, a.Cols)
	relu(o.Data, a.Data)
	t.Record(func() { addPositive(a.Grad, o.Grad, o.Data) })
	return o
}

// Sigmoid returns 1/(1+e⁻ᵃ).
func (t *Tape) Sigmoid(a *Tensor) *Tensor {
	o := t.blank(a.Rows, a.Cols)
	sigmoid(o.Data, a.Data)
	t.Record(func() {
		for i, g := range o.Grad {
			a.Grad[i] += g * o.Data[i] * (1 - o.Data[i])
		}
	})
	return o
}

// Concat returns the columns of all of as, which have equally many rows, side by
// side.
func (t *Tape) Concat(as ...*Tensor) *Tensor {
	rows, cols := as[0].Rows, 0
	for _, a := range as {
		if a.Rows != rows {
			panic(badShape("Concat", rows, as[0].Cols, a.Rows, a.Cols))
		}
		cols += a.Cols
	}
	o := t.blank(rows, cols)
	each := func(do func(a *Tensor, i int, from int)) {
		from := 0
		for _, a := range as {
			for i := range rows {
				do(a, i, i*cols+from)
			}
			from += a.Cols
		}
	}
	each(func(a *Tensor, i, from int) { copy(o.Data[from:from+a.Cols], a.Row(i)) })
	t.Record(func() {
		each(func(a *Tensor, i, from int) {
			axpy(1, o.Grad[from:from+a.Cols], a.gradRow(i))
		})
	})
	return o
}

// Stack returns the rows of all of as, which have equally many columns, one after
// the other.
func (t *Tape) Stack(as ...*Tensor) *Tensor {
	rows, cols := 0, as[0].Cols
	for _, a := range as {
		if a.Cols != cols {
			panic(badShape("Stack", as[0].Rows, cols, a.Rows, a.Cols))
		}
		rows += a.Rows
	}
	o := t.blank(rows, cols)
	from := 0
	for _, a := range as {
		copy(o.Data[from:], a.Data)
		from += len(a.Data)
	}
	t.Record(func() {
		from := 0
		for _, a := range as {
			axpy(1, o.Grad[from:from+len(a.Data)], a.Grad)
			from += len(a.Data)
		}
	})
	return o
}

// Rows returns rows [from, to) of a.
func (t *Tape) Rows(a *Tensor, from, to int) *Tensor {
	if from < 0 || to > a.Rows || from > to {
		panic(badShape("Rows", a.Rows, a.Cols, from, to))
	}
	o := t.tensor()
	*o = Tensor{Rows: to - from, Cols: a.Cols, Data: a.Data[from*a.Cols : to*a.Cols]}
	if a.Grad != nil {
		o.Grad = a.Grad[from*a.Cols : to*a.Cols]
	}
	return o
}

// Term is one part of a sum of rows: Weight times row From of what is summed, in
// row To of the result.
type Term struct {
	To, From int32
	Weight   float32
}

// Combine returns sums of rows of a:
//
//	result[term.To] += term.Weight · a[term.From]
//
// of rows×a.Cols. It looks vectors up in a table, averages them, sums them by
// node.
func (t *Tape) Combine(a *Tensor, rows int, terms []Term) *Tensor {
	o := t.New(rows, a.Cols)
	for _, m := range terms {
		axpy(m.Weight, a.Row(int(m.From)), o.Row(int(m.To)))
	}
	t.Record(func() {
		for _, m := range terms {
			axpy(m.Weight, o.gradRow(int(m.To)), a.lookedUp(m.From))
		}
	})
	return o
}

// Message is what one edge of a graph carries: row Vector of the vectors, times
// number From of the weights, to row To of the result.
type Message struct{ From, To, Vector int32 }

// Pass sends messages along edges, which is the heart of a graph network. A weight
// is that of the sender, or, where From counts the messages, one of each edge.
//
//	result[m.To] += p[m.From] · v[m.Vector]
//
//	p      one column
//	v      (V,d)
//	result (rows,d)
func (t *Tape) Pass(p, v *Tensor, rows int, messages []Message) *Tensor {
	o := t.New(rows, v.Cols)
	send(o, p, v, messages)
	t.Record(func() { sendBack(o, p, v, messages) })
	return o
}

// send adds the messages to o.
func send(o, p, v *Tensor, messages []Message) {
	for _, m := range messages {
		if w := p.Data[m.From]; w != 0 {
			axpy(w, v.Row(int(m.Vector)), o.Row(int(m.To)))
		}
	}
}

// sendBack adds the gradients of what send read.
func sendBack(o, p, v *Tensor, messages []Message) {
	for _, m := range messages {
		g := o.gradRow(int(m.To))
		p.Grad[m.From] += dot(v.Row(int(m.Vector)), g)
		if w := p.Data[m.From]; w != 0 {
			axpy(w, g, v.gradRow(int(m.Vector)))
		}
	}
}

// Softmax returns e^a, divided by the sum over all of a; what masked lists is 0,
// as if it were not there.
func (t *Tape) Softmax(a *Tensor, masked []int32) *Tensor {
	o := t.blank(a.Rows, a.Cols)
	softmax(o.Data, a.Data, masked)
	t.Record(func() {
		s := dot(o.Grad, o.Data)
		for i, g := range o.Grad {
			a.Grad[i] += o.Data[i] * (g - s)
		}
	})
	return o
}

// KL returns the Kullback–Leibler divergence Σ y·(log y − log softmax(a)) of the
// scores a from the target y, 1×1. What masked lists takes no part; y is 0 there,
// and sums to 1.
func (t *Tape) KL(a *Tensor, y []float32, masked []int32) *Tensor {
	if len(y) != len(a.Data) {
		panic(badShape("KL", a.Rows, a.Cols, len(y), 1))
	}
	p := t.take(len(y))
	softmax(p, a.Data, masked)
	o := t.New(1, 1)
	var sum float64
	for i, want := range y {
		if want > 0 {
			sum += float64(want) * (math.Log(float64(want)) - math.Log(float64(p[i])+1e-12))
		}
	}
	o.Data[0] = float32(sum)
	t.Record(func() {
		g := o.Grad[0]
		for i := range y {
			a.Grad[i] += g * (p[i] - y[i])
		}
	})
	return o
}
