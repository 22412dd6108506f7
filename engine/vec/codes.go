package vec

import "math"

// A code stands for a vector: every number becomes u = round(x/scale)+64, seven
// bits, eight numbers to a word.
//
//	word   b7 b6 b5 b4 b3 b2 b1 b0      one byte a number
//	even   .. b6 .. b4 .. b2 .. b0      masked: four fields of 16 bits
//	query  q0    q2    q4    q6         the same fields, reversed
//
// One 64-bit product of even and query holds b0·q0+b2·q2+b4·q4+b6·q6 in its top
// 16 bits: four products of 127·127 fit, and nothing below carries into them.
// So plain integer code multiplies four numbers at a time, with the same result
// on every processor.
const (
	codeZero  = 64 // the code of 0
	codeRange = 63 // codes lie within codeZero ± codeRange
	perWord   = 8  // numbers in a word
	evenBytes = 0x00FF00FF00FF00FF
)

// Codes are N quantised vectors, each with what is needed to bound the error of
// a product.
type Codes struct {
	dims  int
	words int      // in a row
	data  []uint64 // (N,words) row-major
	rows  []codeRow
}

// codeRow is what a product needs to know of a row beside its codes.
type codeRow struct {
	scale   float32 // x̂ = scale·(u-64)
	err     float32 // at least |x-x̂|
	hatNorm float32 // at least |x̂|
	norm2   float32 // |x|²
	sum     int32   // Σ u
}

// CodedQuery is a query prepared for Codes.Bounds.
type CodedQuery struct {
	even, odd []uint64
	row       codeRow
	norm      float32 // at least |q|
}

// slack is a relative margin for the rounding of the float32 arithmetic around
// an exact integer product: far above 256·2⁻²⁴, far below the coding error.
const slack = 1e-4

// NewCodes quantises N vectors.
//
//	rows (N,dims) row-major
func NewCodes(rows []float32, dims int) *Codes {
	if dims <= 0 || len(rows)%dims != 0 {
		panic(badRows)
	}
	n := len(rows) / dims
	words := (dims + perWord - 1) / perWord
	c := &Codes{dims: dims, words: words, data: make([]uint64, n*words), rows: make([]codeRow, n)}
	for i := range n {
		c.rows[i] = encode(c.data[i*words:(i+1)*words], rows[i*dims:(i+1)*dims])
	}
	return c
}

// Len returns N.
func (c *Codes) Len() int { return len(c.rows) }

// Query prepares a query of the same dimensions.
//
//	q (D)
func (c *Codes) Query(q []float32) *CodedQuery {
	if len(q) != c.dims {
		panic(badLength)
	}
	words := make([]uint64, c.words)
	row := encode(words, q)
	coded := &CodedQuery{
		even: make([]uint64, c.words),
		odd:  make([]uint64, c.words),
		row:  row,
		norm: Norm(q) * (1 + slack),
	}
	for i, w := range words {
		coded.even[i] = reverseFields(w & evenBytes)
		coded.odd[i] = reverseFields(w >> 8 & evenBytes)
	}
	return coded
}

// Bounds computes lo and hi with lo ≤ |x-q|² ≤ hi for the rows from, from+1, …
//
//	lo, hi (M), M rows from the given one
func (c *Codes) Bounds(lo, hi []float32, q *CodedQuery, from int) {
	if len(lo) != len(hi) {
		panic(badLength)
	}
	w := c.words
	bias := int64(codeZero)*int64(q.row.sum) - codeZero*codeZero*int64(c.dims)
	for i := range lo {
		r := &c.rows[from+i]
		at := (from + i) * w
		product := int64(codeDot(c.data[at:at+w], q.even, q.odd)) - codeZero*int64(r.sum) - bias
		dot := float32(product) * (r.scale * q.row.scale)
		// q·x - q̂·x̂ = q·(x-x̂) + (q-q̂)·x̂, and each part by Cauchy-Schwarz.
		err := q.norm*r.err + r.hatNorm*q.row.err
		sum := r.norm2 + q.row.norm2
		err += slack * sum
		lo[i] = sum - 2*(dot+err)
		hi[i] = sum - 2*(dot-err)
	}
}

// codeDot computes Σ uᵢ·vᵢ of coded numbers.
func codeDot(row, even, odd []uint64) uint64 {
	var s0, s1 uint64
	for len(row) >= 4 && len(even) >= 4 && len(odd) >= 4 {
		a, b, c, d := row[0], row[1], row[2], row[3]
		s0 += ((a&evenBytes)*even[0])>>48 + ((b&evenBytes)*even[1])>>48
		s1 += ((a>>8&evenBytes)*odd[0])>>48 + ((b>>8&evenBytes)*odd[1])>>48
		s0 += ((c&evenBytes)*even[2])>>48 + ((d&evenBytes)*even[3])>>48
		s1 += ((c>>8&evenBytes)*odd[2])>>48 + ((d>>8&evenBytes)*odd[3])>>48
		row, even, odd = row[4:], even[4:], odd[4:]
	}
	for i, w := range row {
		s0 += ((w & evenBytes) * even[i]) >> 48
		s1 += ((w >> 8 & evenBytes) * odd[i]) >> 48
	}
	return s0 + s1
}

// encode writes the codes of x, whose padding is 0, and returns what goes with
// them.
func encode(dst []uint64, x []float32) codeRow {
	var most float32
	var norm2 float64
	for _, v := range x {
		most = max(most, v, -v)
		norm2 += float64(v) * float64(v)
	}
	r := codeRow{scale: most / codeRange, norm2: float32(norm2)}
	var inverse float32
	if r.scale > 0 {
		inverse = 1 / r.scale
	}
	var err2, hat2 float64
	for i, v := range x {
		u := int32(math.RoundToEven(float64(v*inverse))) + codeZero
		u = min(max(u, codeZero-codeRange), codeZero+codeRange)
		dst[i/perWord] |= uint64(u) << (i % perWord * 8)
		r.sum += u
		hat := float64(r.scale) * float64(u-codeZero)
		hat2 += hat * hat
		err2 += (float64(v) - hat) * (float64(v) - hat)
	}
	r.err = float32(math.Sqrt(err2)) * (1 + slack)
	r.hatNorm = float32(math.Sqrt(hat2)) * (1 + slack)
	return r
}

// reverseFields reverses the four 16-bit fields of w.
func reverseFields(w uint64) uint64 {
	return w<<48 | w>>48 | w<<16&0x0000FFFF00000000 | w>>16&0x00000000FFFF0000
}
