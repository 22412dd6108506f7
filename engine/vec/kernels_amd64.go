package vec

import "golang.org/x/sys/cpu"

// fast says that this processor has the instructions that the kernels are made of.
var fast = cpu.X86.HasAVX2

// products1AVX computes the products of n rows with one query, products2AVX and
// products3AVX with two and three at once, so that a row is read and widened once
// for all of them:
//
//	dst[i] = Σ_j rows[i·stride+j] · q[j]    i < n, j < stride; rows of int8
//
// n is a multiple of 4 and stride one of 32, both above 0.
//
//go:noescape
func products1AVX(dst *int32, rows *byte, n, stride int, q *int16)

//go:noescape
func products2AVX(dst0, dst1 *int32, rows *byte, n, stride int, q0, q1 *int16)

//go:noescape
func products3AVX(dst0, dst1, dst2 *int32, rows *byte, n, stride int, q0, q1, q2 *int16)

// productAVX computes Σ_j row[j] · q[j], j < stride, as products1AVX does for a row.
//
//go:noescape
func productAVX(row *byte, q *int16, stride int) int32

// withinAVX sets bit i%8 of mask[i/8] where
//
//	(norm[i] - (products[i]·scale[i])·a) - b·rest[i] > limit
//
// does not hold, and clears it elsewhere; i < n, which is a multiple of 8 above 0.
//
//go:noescape
func withinAVX(mask *byte, products *int32, scale, norm, rest *float32, n int, a, b, limit float32)
