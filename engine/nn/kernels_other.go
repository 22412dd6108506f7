//go:build !amd64

package nn

// fast is false where there are no kernels, so that none of these is called.
const fast = false

func tile(rows, cols, k int, a *float32, ai, ak int, b *float32, bk int, c *float32, ci int) {}

func axpyAVX(a float32, x, y []float32) {}

func dotAVX(x, y []float32) float32 { return 0 }

func mulAddAVX(dst, a, b []float32) {}

func reluAVX(dst, a []float32) {}

func addPositiveAVX(dst, a, b []float32) {}

func adamAVX(w, m, v, g []float32, s *adamStep) {}

func gateAVX(dst, a []float32, factor float32) {}

func addDrawnAVX(dst, a []float32, d *draw) {}

func expAVX(dst, a []float32) {}
