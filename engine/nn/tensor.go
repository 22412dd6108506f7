package nn

import "fmt"

// Tensor is a matrix of Rows×Cols, row-major.
type Tensor struct {
	Rows, Cols int
	Data       []float32
	// Grad is the gradient of the loss by Data; nil on a tape that does not train,
	// and for a table of weights, which only Combine can read.
	Grad  []float32
	table *tableGrad // of a table of weights on a tape that trains
}

// Row returns row i, aliasing Data.
func (a *Tensor) Row(i int) []float32 { return a.Data[i*a.Cols : (i+1)*a.Cols] }

// gradRow returns row i of the gradient.
func (a *Tensor) gradRow(i int) []float32 { return a.Grad[i*a.Cols : (i+1)*a.Cols] }

// lookedUp is gradRow, of tables too.
func (a *Tensor) lookedUp(i int32) []float32 {
	if a.table != nil {
		return a.table.row(i)
	}
	return a.gradRow(int(i))
}

// As returns the same numbers in another shape.
func (a *Tensor) As(rows, cols int) *Tensor {
	if rows*cols != len(a.Data) {
		panic(badShape("As", a.Rows, a.Cols, rows, cols))
	}
	return &Tensor{Rows: rows, Cols: cols, Data: a.Data, Grad: a.Grad}
}

// badShape is what an operation panics with.
func badShape(op string, rows, cols, rows2, cols2 int) string {
	return fmt.Sprintf("nn.%s: %d×%d does not go with %d×%d", op, rows, cols, rows2, cols2)
}
