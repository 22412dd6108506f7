package nn

// Settle is the end of a layer of a graph network, as one operation:
//
//	Dropout(ReLU(z + Pass(p, v, N, messages) + bias), rate)
//
//	z      (N,d), a result of MatMul that nothing else reads: it is written over
//	p      (N,1)
//	v      (V,d)
//	bias   (1,d)
//
// It returns z. Each of the four as an operation of its own would leave an N×d
// tensor, and its gradient, behind; going through these took more time than the
// products.
func (t *Tape) Settle(z, p, v *Tensor, messages []Message, bias *Tensor, rate float64) *Tensor {
	row("Settle", z, bias)
	for i := range z.Rows {
		axpy(1, bias.Data, z.Row(i))
	}
	send(z, p, v, messages)
	relu(z.Data, z.Data)
	if !t.training {
		return z
	}
	factor := float32(1)
	if rate > 0 {
		factor = float32(1 / (1 - rate))
		addDrawn(z.Data, z.Data, t.draw(rate, factor-1, -1)) // to factor or 0 times itself
	}
	t.Record(func() {
		gate(z.Grad, z.Data, factor) // 0 where it was cut off or dropped
		for i := range z.Rows {
			axpy(1, z.gradRow(i), bias.Grad)
		}
		sendBack(z, p, v, messages)
	})
	return z
}
