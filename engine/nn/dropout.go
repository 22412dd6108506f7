package nn

// draw is a sequence of random choices between two factors. A copy of it draws the
// same again, so that no choice has to be kept for the gradients. Its fields stand
// in the order in which the kernel reads them.
type draw struct {
	// state is one generator (xorshift32, Marsaglia 2003) for each number of a vector.
	state [8]uint32
	// limit is what 31 random bits have to be above for kept, and not dropped.
	limit         int32
	kept, dropped float32
}

// draw begins a sequence in which the share rate is dropped.
func (t *Tape) draw(rate float64, kept, dropped float32) draw {
	d := draw{limit: int32(rate*(1<<31)) - 1, kept: kept, dropped: dropped}
	for i := range d.state {
		d.state[i] = uint32(t.rng.Uint64()>>32) | 1 // never 0, which stays 0
	}
	return d
}

// addDrawn adds the numbers of a, each times a factor drawn from d, to dst.
//
//	dst[i] += a[i]·(kept or dropped)
func addDrawn(dst, a []float32, d draw) {
	dst = dst[:len(a)]
	if fast {
		addDrawnAVX(dst, a, &d)
		return
	}
	for i, x := range a {
		s := d.state[i%8]
		s ^= s << 13
		s ^= s >> 17
		s ^= s << 5
		d.state[i%8] = s
		if int32(s>>1) > d.limit {
			dst[i] += x * d.kept
		} else {
			dst[i] += x * d.dropped
		}
	}
}

// Dropout returns a with each number set to 0 with the given probability, and the
// others divided by what is left of 1; a itself on a tape that does not train.
func (t *Tape) Dropout(a *Tensor, rate float64) *Tensor {
	if !t.training || rate <= 0 {
		return a
	}
	o, d := t.New(a.Rows, a.Cols), t.draw(rate, float32(1/(1-rate)), 0)
	addDrawn(o.Data, a.Data, d)
	t.Record(func() { addDrawn(a.Grad, o.Grad, d) })
	return o
}
