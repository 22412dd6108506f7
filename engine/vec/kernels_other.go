//go:build !amd64

package vec

// fast is false where there are no kernels, so that none of these is called.
const fast = false

func products1AVX(dst *int32, rows *byte, n, stride int, q *int16) {}

func products2AVX(dst0, dst1 *int32, rows *byte, n, stride int, q0, q1 *int16) {}

func products3AVX(dst0, dst1, dst2 *int32, rows *byte, n, stride int, q0, q1, q2 *int16) {}

func productAVX(row *byte, q *int16, stride int) int32 { return 0 }

func withinAVX(mask *byte, products *int32, scale, norm, rest *float32, n int, a, b, limit float32) {}
