package nn

// GRU is the weights of a gated recurrent unit (Cho et al. 2014, with the reset
// gate applied after the product, as cuDNN does) of width h over inputs of width e.
type GRU struct {
	in, inBias *Param // e×3h, 1×3h: update, reset and candidate side by side
	rec        *Param // h×3h
	recBias    *Param // 1×h, of the candidate alone
}

// NewGRU makes the weights of a unit; its names begin with name.
func NewGRU(p *Params, name string, e, h int) *GRU {
	return &GRU{
		in: p.Normal(name+".in", e, 3*h, Fan(e)), inBias: p.Normal(name+".in_bias", 1, 3*h, 0),
		rec: p.Normal(name+".rec", h, 3*h, Fan(h)), recBias: p.Normal(name+".rec_bias", 1, h, 0),
	}
}

// Run returns the states after each of the n rows of x (n×e), as n×h. With
// reverse the rows are read from the last to the first, and row i of the result is
// still the state after reading row i.
//
//	z = σ(x W_z + h U_z)   r = σ(x W_r + h U_r)
//	c = tanh(x W_c + r ⊙ (h U_c + b))
//	h' = (1 − z) ⊙ c + z ⊙ h
func (u *GRU) Run(t *Tape, x *Tensor, reverse bool) *Tensor {
	in := t.AddRow(t.MatMul(x, t.Param(u.in)), t.Param(u.inBias))
	return t.gru(in, t.Param(u.rec), t.Param(u.recBias), reverse)
}

// gru is the recurrence over the inputs' products (n×3h), as one operation.
func (t *Tape) gru(in, rec, bias *Tensor, reverse bool) *Tensor {
	n, h := in.Rows, rec.Rows
	o := t.blank(n, h)
	if n == 0 {
		return o
	}
	var (
		zero     = &Tensor{Rows: 1, Cols: h, Data: t.floats(h), Grad: t.floats(h)}
		products = &Tensor{Rows: n, Cols: 3 * h, Data: t.floats(3 * n * h)} // of the states with rec
		gates    = &Tensor{Rows: n, Cols: 3 * h, Data: t.take(3 * n * h)}   // z, r, c
	)
	at := func(k int) int {
		if reverse {
			return n - 1 - k
		}
		return k
	}
	// state is row k of the result in the order of reading, as a 1×h tensor.
	state := func(k int) *Tensor {
		if k < 0 {
			return zero
		}
		return t.Rows(o, at(k), at(k)+1)
	}
	for k := range n {
		i, prev := at(k), state(k-1)
		q := t.Rows(products, i, i+1)
		addMul(q.values(), prev.values(), rec.values())
		x, g, out := in.Row(i), gates.Row(i), o.Row(i)
		z, r, c := g[:h], g[h:2*h], g[2*h:]
		for j := range g[:2*h] {
			g[j] = x[j] + q.Data[j]
		}
		sigmoid(g[:2*h], g[:2*h])
		for j := range c {
			c[j] = x[2*h+j] + r[j]*(q.Data[2*h+j]+bias.Data[j])
		}
		tanh(c, c)
		for j := range out {
			out[j] = (1-z[j])*c[j] + z[j]*prev.Data[j]
		}
	}
	t.Record(func() {
		dproducts := &Tensor{Rows: n, Cols: 3 * h, Data: t.take(3 * n * h)}
		for k := n - 1; k >= 0; k-- {
			i, prev := at(k), state(k-1)
			q, g, dx, do := products.Row(i), gates.Row(i), in.gradRow(i), o.gradRow(i)
			dq := t.Rows(dproducts, i, i+1)
			for j := range h {
				z, r, c := g[j], g[h+j], g[2*h+j]
				dc := do[j] * (1 - z) * (1 - c*c)
				dz := do[j] * (prev.Data[j] - c) * z * (1 - z)
				dr := dc * (q[2*h+j] + bias.Data[j]) * r * (1 - r)
				dx[j] += dz
				dx[h+j] += dr
				dx[2*h+j] += dc
				bias.Grad[j] += dc * r
				prev.Grad[j] += do[j] * z
				dq.Data[j], dq.Data[h+j], dq.Data[2*h+j] = dz, dr, dc*r
			}
			addMulTB(prev.gradients(), dq.values(), rec.values(), nil)
		}
		// Each state but the last was multiplied with rec to be read with the row after
		// it, and the first of all was 0.
		if reverse {
			addMulTA(rec.gradients(), t.Rows(o, 1, n).values(), t.Rows(dproducts, 0, n-1).values())
		} else {
			addMulTA(rec.gradients(), t.Rows(o, 0, n-1).values(), t.Rows(dproducts, 1, n).values())
		}
	})
	return o
}
