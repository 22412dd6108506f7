package nn

import "golang.org/x/sys/cpu"

// fast says that this processor has the instructions that the kernels are made of.
var fast = cpu.X86.HasAVX2 && cpu.X86.HasFMA

// tile adds a piece of a product to a piece of c, whose sums it keeps in registers:
//
//	c[i][j] += Σ_l a[i][l] · b[l][j]    i < rows ≤ 6, j < cols ≤ 16, l < k, k ≥ 1
//
// where a[i][l] stands i·ai + l·ak bytes after a, b[l][j] stands l·bk + 4j bytes
// after b, and c[i][j] i·ci + 4j after c. Each sum is taken in the order of l, so
// that it does not depend on how a matrix is cut into tiles.
//
//go:noescape
func tile(rows, cols, k int, a *float32, ai, ak int, b *float32, bk int, c *float32, ci int)

//go:noescape
func axpyAVX(a float32, x, y []float32)

//go:noescape
func dotAVX(x, y []float32) float32

//go:noescape
func mulAddAVX(dst, a, b []float32)

//go:noescape
func reluAVX(dst, a []float32)

//go:noescape
func addPositiveAVX(dst, a, b []float32)

//go:noescape
func adamAVX(w, m, v, g []float32, s *adamStep)

//go:noescape
func gateAVX(dst, a []float32, factor float32)

//go:noescape
func addDrawnAVX(dst, a []float32, d *draw)

//go:noescape
func expAVX(dst, a []float32)
