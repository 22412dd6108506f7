// Package vec holds the kernels of nearness: products and distances of float32
// vectors, and codes that stand for vectors at a quarter of the size.
//
//	D  dimensions of a vector
//	N  vectors in a row-major slice of N·D numbers
//
// Every sum is taken in one fixed order and no product is fused with its sum,
// so that a result has the same bits on every processor. Kernels never
// allocate and panic where shapes differ.
package vec

import "math"

// The panics of the kernels.
const (
	badLength = "vec: vectors differ in length"
	badRows   = "vec: rows are not a whole number of vectors"
)

// Dot computes Σᵢ aᵢ·bᵢ.
//
//	a, b (D)
func Dot(a, b []float32) float32 {
	if len(a) != len(b) {
		panic(badLength)
	}
	// Four sums, so that four products are under way at once. The conversions
	// keep the compiler from fusing product and sum (Go spec, "Floating-point
	// operators").
	var s0, s1, s2, s3 float32
	for len(a) >= 8 && len(b) >= 8 {
		s0 += float32(a[0] * b[0])
		s1 += float32(a[1] * b[1])
		s2 += float32(a[2] * b[2])
		s3 += float32(a[3] * b[3])
		s0 += float32(a[4] * b[4])
		s1 += float32(a[5] * b[5])
		s2 += float32(a[6] * b[6])
		s3 += float32(a[7] * b[7])
		a, b = a[8:], b[8:]
	}
	for i, x := range a {
		s0 += float32(x * b[i])
	}
	return (s0 + s1) + (s2 + s3)
}

// SquaredL2 computes Σᵢ (aᵢ-bᵢ)².
//
//	a, b (D)
func SquaredL2(a, b []float32) float32 {
	if len(a) != len(b) {
		panic(badLength)
	}
	var s0, s1, s2, s3 float32
	for len(a) >= 4 && len(b) >= 4 {
		d0, d1, d2, d3 := a[0]-b[0], a[1]-b[1], a[2]-b[2], a[3]-b[3]
		s0 += float32(d0 * d0)
		s1 += float32(d1 * d1)
		s2 += float32(d2 * d2)
		s3 += float32(d3 * d3)
		a, b = a[4:], b[4:]
	}
	for i, x := range a {
		d := x - b[i]
		s0 += float32(d * d)
	}
	return (s0 + s1) + (s2 + s3)
}

// Norm computes √(Σᵢ aᵢ²).
//
//	a (D)
func Norm(a []float32) float32 {
	return float32(math.Sqrt(float64(Dot(a, a))))
}

// Normalize scales a to unit length, in place. A vector of zeros, or one whose
// length is not a finite number, becomes the zero vector.
//
//	a (D)
func Normalize(a []float32) {
	var sum float64 // in float64, because squares of small numbers vanish in float32
	for _, x := range a {
		sum += float64(x) * float64(x)
	}
	if sum == 0 || math.IsInf(sum, 0) || math.IsNaN(sum) {
		clear(a)
		return
	}
	scale := 1 / math.Sqrt(sum)
	for i, x := range a {
		a[i] = float32(float64(x) * scale)
	}
}
