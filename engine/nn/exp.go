package nn

import "math"

// exp writes e to the power of each number of a to dst, which may be a. It is right
// to 2⁻²² of the result; below −87.3 it is 0, and above 88.3 as if that were it.
//
//	dst[i] = e^a[i]
func exp(dst, a []float32) {
	dst = dst[:len(a)]
	if fast {
		expAVX(dst, a)
		return
	}
	for i, x := range a {
		switch {
		case x < -87.33654:
			dst[i] = 0
		case x > 88.37626:
			dst[i] = float32(math.Exp(88.37626))
		default:
			dst[i] = float32(math.Exp(float64(x)))
		}
	}
}

// sigmoid writes 1/(1 + e⁻ˣ) of each number of a to dst, which may be a.
func sigmoid(dst, a []float32) {
	dst = dst[:len(a)]
	for i, x := range a {
		dst[i] = -x
	}
	exp(dst, dst)
	for i, e := range dst {
		dst[i] = 1 / (1 + e)
	}
}

// tanh writes the hyperbolic tangent, 2/(1 + e⁻²ˣ) − 1, of each number of a to dst,
// which may be a.
func tanh(dst, a []float32) {
	dst = dst[:len(a)]
	for i, x := range a {
		dst[i] = -2 * x
	}
	exp(dst, dst)
	for i, e := range dst {
		dst[i] = 2/(1+e) - 1
	}
}

// softmax writes e^a, divided by the sum over all of a, to dst; what masked lists is
// 0, and all is where nothing is left.
func softmax(dst, a []float32, masked []int32) {
	copy(dst, a)
	for _, i := range masked {
		dst[i] = float32(math.Inf(-1))
	}
	top := float32(math.Inf(-1))
	for _, x := range dst {
		top = max(top, x)
	}
	if math.IsInf(float64(top), -1) {
		clear(dst)
		return
	}
	for i := range dst {
		dst[i] -= top
	}
	exp(dst, dst)
	var sum float64
	for _, x := range dst {
		sum += float64(x)
	}
	by := float32(1 / sum)
	for i := range dst {
		dst[i] *= by
	}
}
