// Package nn is a small kit for training networks on the processor.
//
//	Tensor  a matrix with its gradient
//	Tape    the operations of one forward pass, undone in reverse for gradients
//	Params  the weights of one network, shared by all tapes that use it
//	Batch   gradients of a batch of items on several cores, then one step of Adam
//
// Everything is float32, row-major and deterministic: the same seed gives the same
// weights, however many cores there are. A wrong shape is a mistake of the caller
// and panics.
package nn

import "fmt"

// Tensor is a matrix of Rows×Cols, row-major.
type Tensor struct {
	Rows, Cols int
	Data       []float32
	// Grad is the gradient of the loss by Data; nil on a tape that does not train.
	Grad []float32
	// touched notes the rows of Grad that were written, where it is that of a table.
	touched *rowSet
}

// Row returns row i, aliasing Data.
func (a *Tensor) Row(i int) []float32 { return a.Data[i*a.Cols : (i+1)*a.Cols] }

// gradRow returns row i of the gradient.
func (a *Tensor) gradRow(i int) []float32 { return a.Grad[i*a.Cols : (i+1)*a.Cols] }

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

// rowSet is a set of row numbers, in the order in which they came.
type rowSet struct {
	rows []int32
	in   []bool
}

func newRowSet(n int) *rowSet { return &rowSet{in: make([]bool, n)} }

func (s *rowSet) add(r int32) {
	if !s.in[r] {
		s.in[r] = true
		s.rows = append(s.rows, r)
	}
}

func (s *rowSet) clear() {
	for _, r := range s.rows {
		s.in[r] = false
	}
	s.rows = s.rows[:0]
}
