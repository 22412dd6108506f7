package vec

import (
	"math/bits"
	"unsafe"
)

// Blocks are codes of N vectors that are compared one by one, in any order: row i
// is row i mod M of block i/M. Distances are those of the high plane alone, wrong by
// a few thousandths of a vector's length, and the same on every processor.
//
// Rows picked from all over memory take longer to come than to be multiplied, so
// that they are asked for some rows ahead.
type Blocks struct {
	blocks []*Codes
	shift  int // M = 1<<shift
}

// Probe is a vector that is compared with rows of Blocks, and room for doing it. It
// is for one goroutine.
type Probe struct {
	numbers []int16 // (stride): about numbers·step
	step    float64
	norm2   float64
	// What is needed of the rows under way.
	rows        []*byte
	scale, norm []float32
	products    []int32
}

// NewBlocks returns blocks of m vectors each, a power of two, but for the last. They
// have the same dimensions.
func NewBlocks(m int, blocks []*Codes) Blocks {
	if m <= 0 || m&(m-1) != 0 {
		panic(badRows)
	}
	for i, c := range blocks {
		if c.n > m || c.n < m && i < len(blocks)-1 || c.stride != blocks[0].stride {
			panic(badRows)
		}
	}
	return Blocks{blocks, bits.TrailingZeros(uint(m))}
}

// SetRow makes the probe row i.
func (b Blocks) SetRow(p *Probe, i uint32) {
	c, row := b.at(i)
	high := c.highRow(row)
	if len(p.numbers) != len(high) {
		p.numbers = make([]int16, len(high))
	}
	numbers := p.numbers[:len(high)]
	for j, h := range high {
		numbers[j] = int16(int8(h))
	}
	p.step, p.norm2 = 256*float64(c.scale[row]), float64(c.norm[row])
}

// Set makes the probe a query.
func (p *Probe) Set(q *Query) {
	p.numbers = append(p.numbers[:0], q.scan...)
	p.step, p.norm2 = q.scanScale, q.decoded.norm2
}

func (b Blocks) at(i uint32) (c *Codes, row int) {
	return b.blocks[i>>b.shift], int(i & (1<<b.shift - 1))
}

// Near computes about the squared distances of the rows with the given ids, at least
// 0:
//
//	dst[i] = max(0, |x|² + |q|² - 2·q'·x')    q', x' as they are compared
//	dst, ids (M)
func (b Blocks) Near(dst []float32, p *Probe, ids []uint32) {
	if len(dst) != len(ids) {
		panic(badLength)
	}
	p.rows, p.scale, p.norm = p.rows[:0], p.scale[:0], p.norm[:0]
	for _, id := range ids {
		c, row := b.at(id)
		high := c.highRow(row)
		if len(high) != len(p.numbers) {
			panic(badLength)
		}
		p.rows = append(p.rows, &high[0])
		p.scale = append(p.scale, c.scale[row])
		p.norm = append(p.norm, c.norm[row])
	}
	if len(ids) == 0 {
		return
	}
	if len(p.products) < len(ids) {
		p.products = make([]int32, max(2*len(p.products), len(ids)))
	}
	picked(p.products, p.rows, p.numbers)
	for i := range dst {
		twice := float64(512 * p.step * float64(p.scale[i]) * float64(p.products[i]))
		dst[i] = max(0, float32(float64(p.norm[i])+p.norm2-twice))
	}
}

// picked computes dst[i] = Σⱼ rows[i][j]·q[j], modulo 2³².
//
//	dst  (M)
//	rows (M), at least one, each of stride int8
//	q    (stride)
func picked(dst []int32, rows []*byte, q []int16) {
	if fast {
		pickedAVX(&dst[0], &rows[0], len(rows), len(q), &q[0])
		return
	}
	pickedGo(dst, rows, q)
}

// pickedGo is picked without kernels.
func pickedGo(dst []int32, rows []*byte, q []int16) {
	for i, first := range rows {
		var s0, s1 int32
		row := unsafe.Slice(first, len(q))
		for j := 0; j+2 <= len(row) && j+2 <= len(q); j += 2 {
			s0 += int32(int8(row[j])) * int32(q[j])
			s1 += int32(int8(row[j+1])) * int32(q[j+1])
		}
		dst[i] = s0 + s1
	}
}
