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
			c.data[i] += dot(a.data[i*a.cols:(i+1)*a.cols], b.data)
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
			axpy(x, a.data[l*a.cols:(l+1)*a.cols], c.data)
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
			x, y := a.data[i*a.cols:(i+1)*a.cols], c.data[i*c.cols:(i+1)*c.cols]
			for j := range y {
				y[j] += dot(x, b.data[j*b.cols:(j+1)*b.cols])
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

// transpose writes a, transposed, to the beginning of dst.
func (a matrix) transpose(dst []float32) matrix {
	for i := range a.rows {
		for j, x := range a.data[i*a.cols : (i+1)*a.cols] {
			dst[j*a.rows+i] = x
		}
	}
	return matrix{a.cols, a.rows, dst[:len(a.data)]}
}

func (a matrix) empty() bool { return len(a.data) == 0 }

func (a matrix) general() blas32.General {
	return blas32.General{Rows: a.rows, Cols: a.cols, Stride: a.cols, Data: a.data}
}
