package nn

import "math"

// gradients are those of all weights of a network, by weight.
type gradients []*Tensor

// extend makes gradients of the weights that have none yet.
func (gs *gradients) extend(p *Params) {
	for _, w := range p.list[len(*gs):] {
		g := &Tensor{Rows: w.Rows, Cols: w.Cols, Data: w.Data, param: w}
		if w.table {
			g.table = &tableGrad{cols: w.Cols, data: make([]float32, len(w.Data)), has: make([]bool, w.Rows)}
		} else {
			g.Grad = make([]float32, len(w.Data))
		}
		*gs = append(*gs, g)
	}
}

// dense returns the gradient of one weight: of a table with the zeros of all rows
// that nobody looked up.
func (gs gradients) dense(weight int) []float32 {
	if g := gs[weight]; g.table == nil {
		return g.Grad
	}
	return gs[weight].table.data
}

// take adds the gradient of one weight in from to that in gs, and leaves zeros in
// from.
func (gs gradients) take(from gradients, weight int) {
	to, g := gs[weight], from[weight]
	if g.table == nil {
		axpy(1, g.Grad, to.Grad)
	} else {
		for _, r := range g.table.rows {
			axpy(1, g.table.row(r), to.table.row(r))
		}
	}
	from.clear(weight)
}

// squares returns Σ g² over the gradient of one weight.
func (gs gradients) squares(weight int) float64 {
	g := gs[weight]
	if g.table == nil {
		return squares(g.Grad)
	}
	var sum float64
	for _, r := range g.table.rows {
		sum += squares(g.table.row(r))
	}
	return sum
}

// clear sets the gradient of one weight to zero.
func (gs gradients) clear(weight int) {
	g := gs[weight]
	if g.table == nil {
		clear(g.Grad)
		return
	}
	for _, r := range g.table.rows {
		clear(g.table.row(r))
		g.table.has[r] = false
	}
	g.table.rows = g.table.rows[:0]
}

// tableGrad is the gradient of a table, of which few rows are not zero.
type tableGrad struct {
	cols int
	data []float32
	rows []int32 // those that were asked for, in the order in which they were first
	has  []bool  // by row
}

// row returns a row to add to.
func (g *tableGrad) row(r int32) []float32 {
	if !g.has[r] {
		g.has[r] = true
		g.rows = append(g.rows, r)
	}
	return g.data[int(r)*g.cols : (int(r)+1)*g.cols]
}

// squares returns Σ x², or what is no number where a square is too large for a
// float32. The sums of pieces are added in more digits, for there may be millions.
func squares(x []float32) float64 {
	const piece = 1 << 10
	var s float64
	for len(x) > piece {
		s += float64(dot(x[:piece], x[:piece]))
		x = x[piece:]
	}
	return s + float64(dot(x, x))
}

// finite reports whether x is a number.
func finite(x float64) bool { return !math.IsNaN(x) && !math.IsInf(x, 0) }
