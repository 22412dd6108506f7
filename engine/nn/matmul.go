package nn

import (
	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas32"
)

// matrix is rows×cols numbers, row-major.
type matrix struct {
	rows, cols int
	data       []float32
}

func (a *Tensor) values() matrix    { return matrix{a.Rows, a.Cols, a.Data} }
func (a *Tensor) gradients() matrix { return matrix{a.Rows, a.Cols, a.Grad} }

// The size of the pieces that a product is made of.
const (
	tileRows, tileCols = 6, 16
	// tileDepth keeps the pieces of a and b that one row of tiles reads in the 32 KiB
	// of the nearest cache.
	tileDepth = 128
)

// addMul adds the product of two matrices to c.
//
//	c += a·b
//
//	a (m,k), b (k,n), c (m,n)
func addMul(c, a, b matrix) {
	switch {
	case a.empty() || b.empty():
	case !fast:
		blas32.Gemm(blas.NoTrans, blas.NoTrans, 1, a.general(), b.general(), 1, c.general())
	case b.cols == 1:
		for i := range c.data {
			c.data[i] += dot(a.row(i), b.data)
		}
	default:
		tiles(c, a.data, a.cols, 1, b, a.cols)
	}
}

// addMulTA adds the product of a, transposed, with b to c.
//
//	c += aᵀ·b
//
//	a (k,m), b (k,n), c (m,n)
func addMulTA(c, a, b matrix) {
	switch {
	case a.empty() || b.empty():
	case !fast:
		blas32.Gemm(blas.Trans, blas.NoTrans, 1, a.general(), b.general(), 1, c.general())
	case b.cols == 1:
		for l, x := range b.data {
			axpy(x, a.row(l), c.data)
		}
	default:
		tiles(c, a.data, 1, a.cols, b, a.rows)
	}
}

// addMulTB adds the product of a with b, transposed, to c; scratch has room for b.
//
//	c += a·bᵀ
//
//	a (m,k), b (n,k), c (m,n)
func addMulTB(c, a, b matrix, scratch []float32) {
	switch {
	case a.empty() || b.empty():
	case !fast:
		blas32.Gemm(blas.NoTrans, blas.Trans, 1, a.general(), b.general(), 1, c.general())
	case a.rows < tileRows: // too few rows to be worth a transposed b
		for i := range c.rows {
			x, y := a.row(i), c.row(i)
			for j := range y {
				y[j] += dot(x, b.row(j))
			}
		}
	default:
		addMul(c, a, b.transpose(scratch))
	}
}

// tiles adds Σ_l a[i][l]·b[l][j] to c, where a[i][l] is a[i·ai + l·al], l < k.
func tiles(c matrix, a []float32, ai, al int, b matrix, k int) {
	const size = 4 // bytes of a number
	for l := 0; l < k; l += tileDepth {
		depth := min(tileDepth, k-l)
		for i := 0; i < c.rows; i += tileRows {
			rows := min(tileRows, c.rows-i)
			for j := 0; j < c.cols; j += tileCols {
				cols := min(tileCols, c.cols-j)
				tile(rows, cols, depth, &a[i*ai+l*al], ai*size, al*size,
					&b.data[l*b.cols+j], b.cols*size, &c.data[i*c.cols+j], c.cols*size)
			}
		}
	}
}

// transpose writes a, transposed, to the beginning of dst. It reads four rows at
// once, so that what it writes stands together.
func (a matrix) transpose(dst []float32) matrix {
	i, m, n := 0, a.rows, a.cols
	for ; i+4 <= m; i += 4 {
		w, x, y, z := a.row(i), a.row(i+1), a.row(i+2), a.row(i+3)
		x, y, z = x[:len(w)], y[:len(w)], z[:len(w)]
		for j := range w {
			to := dst[j*m+i : j*m+i+4 : j*m+i+4]
			to[0], to[1], to[2], to[3] = w[j], x[j], y[j], z[j]
		}
	}
	for ; i < m; i++ {
		for j, x := range a.row(i) {
			dst[j*m+i] = x
		}
	}
	return matrix{n, m, dst[:m*n]}
}

// turned is a weight, transposed, as it was after so many changes of the weights.
type turned struct {
	matrix

	changes uint64
}

// transposed returns a weight, transposed: once for all items between two changes of it.
func (t *Tape) transposed(p *Param) matrix {
	for len(t.turned) <= p.index {
		t.turned = append(t.turned, turned{})
	}
	w := &t.turned[p.index]
	if w.data == nil || w.changes != t.params.changes {
		if w.data == nil {
			w.data = make([]float32, len(p.Data))
		}
		w.matrix, w.changes = matrix{p.Rows, p.Cols, p.Data}.transpose(w.data), t.params.changes
	}
	return w.matrix
}

func (a matrix) row(i int) []float32 { return a.data[i*a.cols : (i+1)*a.cols] }

func (a matrix) empty() bool { return len(a.data) == 0 }

func (a matrix) general() blas32.General {
	return blas32.General{Rows: a.rows, Cols: a.cols, Stride: a.cols, Data: a.data}
}
