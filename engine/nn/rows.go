package nn

// axpy adds a multiple of x to the first len(x) numbers of y.
//
//	y[i] += a·x[i]
func axpy(a float32, x, y []float32) {
	y = y[:len(x)]
	if fast {
		axpyAVX(a, x, y)
		return
	}
	for i, v := range x {
		y[i] += a * v
	}
}

// dot returns Σ x[i]·y[i] over the numbers of x.
func dot(x, y []float32) float32 {
	y = y[:len(x)]
	if fast {
		return dotAVX(x, y)
	}
	var s float32
	for i, v := range x {
		s += v * y[i]
	}
	return s
}

// mulAdd adds the products of a and b to dst, over the numbers of a.
//
//	dst[i] += a[i]·b[i]
func mulAdd(dst, a, b []float32) {
	dst, b = dst[:len(a)], b[:len(a)]
	if fast {
		mulAddAVX(dst, a, b)
		return
	}
	for i, x := range a {
		dst[i] += x * b[i]
	}
}

// relu writes the larger of a and 0 to dst, over the numbers of a.
//
//	dst[i] = max(a[i], 0)
func relu(dst, a []float32) {
	dst = dst[:len(a)]
	if fast {
		reluAVX(dst, a)
		return
	}
	for i, x := range a {
		dst[i] = max(x, 0)
	}
}

// addPositive adds a to dst where b is positive, over the numbers of a.
//
//	dst[i] += a[i]    where b[i] > 0
func addPositive(dst, a, b []float32) {
	dst, b = dst[:len(a)], b[:len(a)]
	if fast {
		addPositiveAVX(dst, a, b)
		return
	}
	for i, x := range a {
		if b[i] > 0 {
			dst[i] += x
		}
	}
}

// gate multiplies dst with the factor where a is positive, and sets it to 0
// elsewhere, over the numbers of a.
//
//	dst[i] = factor·dst[i]    where a[i] > 0, 0 elsewhere
func gate(dst, a []float32, factor float32) {
	dst = dst[:len(a)]
	if fast {
		gateAVX(dst, a, factor)
		return
	}
	for i, x := range a {
		if x > 0 {
			dst[i] *= factor
		} else {
			dst[i] = 0
		}
	}
}
