package vec

import (
	"math"
	"unsafe"
)

// Codes are N vectors as whole numbers, one byte of each to be scanned and the
// other to decide:
//
//	x  ≈  scale·v      v = 256·h + l     |v| ≤ most
//	      h            the high plane, int8: N rows of stride bytes
//	      l            the low plane, int8, laid out alike
//	      scale        its own for every row
//
// Beside them a row has its length and the length of what the high plane leaves
// of it, rest = |x - 256·scale·h|, so that by Cauchy and Schwarz
//
//	|q·x - q·(256·scale·h)| ≤ |q|·rest
//
// and a pass over the high plane alone bounds every distance. What the distances
// are of is the decoded vectors, scale·v; where there is no low plane, it is the
// vectors that were coded, which somebody else keeps.
//
// Products of codes are whole numbers, and everything after them is computed in
// one order without fused operations, so that results have the same bits on every
// processor, with kernels and without.
//
// All of it lies in one slice of bytes, which can be a file's.
type Codes struct {
	dims, stride, n   int
	data              []byte
	high, low         []byte    // (N,stride) of int8; low is nil where others keep the vectors
	scale, norm, rest []float32 // (N): the scale, |x|², and at least what the high plane leaves
	square            []float64 // (N): Σ v², a whole number; nil where low is
	longest           *float64  // at least |x|² and the high plane's of every row
}

const (
	// most is the largest |v| whose high byte, rounded to the nearest, is one:
	// 127·256 + 127.
	most = 32639
	// lane is what a row is padded to, in bytes, with zeros.
	lane = 32
)

const badCodes = "vec: these bytes are not so many codes"

// stride returns the bytes of a row in a plane.
func stride(dims int) int { return max(lane, (dims+lane-1)/lane*lane) }

// CodesSize returns the bytes of the two planes of n vectors and what goes with
// them, a multiple of 32.
func CodesSize(dims, n int) int { return codesSize(dims, n, true) }

func codesSize(dims, n int, fine bool) int {
	wide, planes := 12, 1
	if fine {
		wide, planes = 20, 2
	}
	return lane + wide*eights(n) + planes*n*stride(dims)
}

// eights rounds up to a multiple of eight, so that what follows is aligned.
func eights(n int) int { return (n + 7) &^ 7 }

// CodesIn returns the codes of n vectors that lie in data, which it keeps: what
// Put wrote there, or zero vectors where it is zero. data is CodesSize bytes from
// an address that is a multiple of 8.
func CodesIn(data []byte, dims, n int) *Codes { return codesIn(data, dims, n, true) }

func codesIn(data []byte, dims, n int, fine bool) *Codes {
	if dims <= 0 || n < 0 || len(data) != codesSize(dims, n, fine) || uintptr(unsafe.Pointer(&data[0]))%8 != 0 {
		panic(badCodes)
	}
	c := &Codes{dims: dims, stride: stride(dims), n: n, data: data}
	at := 0
	next := func(size int) []byte {
		at += size
		return data[at-size : at : at]
	}
	c.longest = &numbers[float64](next(lane))[0]
	c.scale = numbers[float32](next(4 * eights(n)))[:n]
	c.norm = numbers[float32](next(4 * eights(n)))[:n]
	c.rest = numbers[float32](next(4 * eights(n)))[:n]
	if fine {
		c.square = numbers[float64](next(8 * eights(n)))[:n]
	}
	c.high = next(n * c.stride)
	if fine {
		c.low = next(n * c.stride)
	}
	return c
}

// numbers returns bytes as numbers.
func numbers[T float32 | float64](b []byte) []T {
	if len(b) == 0 {
		return nil
	}
	var x T
	return unsafe.Slice((*T)(unsafe.Pointer(&b[0])), len(b)/int(unsafe.Sizeof(x)))
}

// NewCodes returns n zero vectors in two planes, to be Put.
func NewCodes(dims, n int) *Codes { return newCodes(dims, n, true) }

func newCodes(dims, n int, fine bool) *Codes {
	// Made of words, so that its address is a multiple of 8.
	words := make([]float64, codesSize(dims, n, fine)/8)
	return codesIn(unsafe.Slice((*byte)(unsafe.Pointer(&words[0])), 8*len(words)), dims, n, fine)
}

// Sketch returns the high plane alone of N vectors, whose distances it can bound.
// They are Codable, every one.
//
//	rows (N,dims) row-major
func Sketch(rows []float32, dims int) *Codes {
	if dims <= 0 || len(rows)%dims != 0 {
		panic(badRows)
	}
	c := newCodes(dims, len(rows)/dims, false)
	for i := range c.n {
		c.Put(i, rows[i*dims:(i+1)*dims])
	}
	return c
}

// Len returns N.
func (c *Codes) Len() int { return c.n }

// Dims returns D.
func (c *Codes) Dims() int { return c.dims }

// Bytes returns what the codes lie in, which must not be modified.
func (c *Codes) Bytes() []byte { return c.data }

// First returns a copy of the first n vectors.
func (c *Codes) First(n int) *Codes {
	d := newCodes(c.dims, n, c.low != nil)
	*d.longest = *c.longest
	copy(d.scale, c.scale)
	copy(d.norm, c.norm)
	copy(d.rest, c.rest)
	copy(d.square, c.square)
	copy(d.high, c.high)
	copy(d.low, c.low)
	return d
}

// Put codes x, which is Codable, as vector i. It must not run beside any other
// method.
//
//	x (D)
func (c *Codes) Put(i int, x []float32) {
	if len(x) != c.dims {
		panic(badLength)
	}
	scale, inverse := scaleOf(x)
	high := c.highRow(i)
	clear(high[c.dims:])
	s2 := float64(scale) * float64(scale)
	var norm, rest, highs float64
	if c.low != nil {
		low := c.lowRow(i)
		clear(low[c.dims:])
		squares, lowSquares, highSquares := split(high, low, x, inverse)
		c.square[i] = float64(squares)
		norm, rest, highs = s2*float64(squares), s2*float64(lowSquares), s2*float64(highSquares)
	} else {
		for j, f := range x {
			h := float64(float64(scale) * float64((code(f, inverse)+128)&^255))
			high[j] = byte((code(f, inverse) + 128) >> 8)
			norm += float64(float64(f) * float64(f))
			highs += float64(h * h)
			left := float64(f) - h
			rest += float64(left * left)
		}
	}
	c.scale[i], c.norm[i], c.rest[i] = scale, float32(norm), up(math.Sqrt(rest))
	*c.longest = max(*c.longest, norm*(1+slack(0)), highs*(1+slack(0)))
}

// split codes x into both planes and returns Σ v², Σ l² and Σ (256·h)².
//
//	x         (D)
//	high, low (D or more)
func split(high, low []byte, x []float32, inverse float64) (squares, lowSquares, highSquares int64) {
	high, low = high[:len(x)], low[:len(x)]
	for j, f := range x {
		v := code(f, inverse)
		h := (v + 128) >> 8
		l := v - h<<8
		high[j], low[j] = byte(h), byte(l)
		squares += int64(v * v) // at most most², below 2³⁰
		lowSquares += int64(l * l)
		highSquares += int64(h * h)
	}
	return squares, lowSquares, highSquares << 16
}

func (c *Codes) highRow(i int) []byte { return c.high[i*c.stride : (i+1)*c.stride] }

func (c *Codes) lowRow(i int) []byte { return c.low[i*c.stride : (i+1)*c.stride] }

// scaleOf returns the scale of a vector, at which its largest number is most, and
// 1/scale. Both are 0 of the zero vector, and of one so short that its scale would
// not be a normal float32, which is coded as zero.
func scaleOf(x []float32) (scale float32, inverse float64) {
	var peak float32
	for _, f := range x {
		if f < 0 {
			f = -f
		}
		if f > peak {
			peak = f
		}
	}
	if scale = peak / most; scale < leastScale {
		return 0, 0
	}
	return scale, 1 / float64(scale)
}

// leastScale is the smallest normal float32.
const leastScale = 0x1p-126

// code returns the v of a number: rounded to the nearest, to even, by adding a
// number next to which only whole ones have place. It is within ±most, because a
// normal scale is right to 24 bits.
func code(f float32, inverse float64) int32 {
	const whole = 3 << 51
	return int32(math.Float64bits(float64(float64(f)*inverse) + whole))
}

// Row writes the decoded vector i into dst.
//
//	dst (D)
func (c *Codes) Row(i int, dst []float32) {
	if len(dst) != c.dims {
		panic(badLength)
	}
	high, low, scale := c.highRow(i), c.lowRow(i), float64(c.scale[i])
	for j := range dst {
		dst[j] = float32(scale * float64(int32(int8(high[j]))<<8+int32(int8(low[j]))))
	}
}

// slack is a relative margin for the rounding of everything around an exact
// product. A float32 sum of D squares, four of which are under way at once, is
// wrong by at most (D/4+4)·2⁻²⁴ of itself, which is twice |x|²+|q|² at most; the
// dozen operations of a bound are worth 64·2⁻²⁴ together. This is above both.
func slack(dims int) float64 { return float64(dims+64) / (1 << 23) }

// tiny is an absolute margin for numbers too small for float32.
const tiny = 1e-37

// margin is what a bound of the distance to q is moved by for rounding, and for
// what the scanned codes miss of the query.
func (c *Codes) margin(q *Query) float64 {
	r := c.reference(q)
	return 2*r.miss*math.Sqrt(*c.longest) + slack(c.dims)*(r.norm2+*c.longest) + tiny
}

// reference returns what is measured from: the decoded query to decoded vectors,
// the query itself to vectors that others keep.
func (c *Codes) reference(q *Query) *reference {
	if c.low == nil {
		return &q.itself
	}
	return &q.decoded
}

// Products computes the whole-number products of the high plane's rows from, from+1,
// … with the queries, which Within and Bounds take.
//
//	dst (Q,M) row-major, M rows from the given one
func (c *Codes) Products(dst []int32, queries []*Query, from int) {
	if len(queries) == 0 || len(dst) == 0 {
		return
	}
	n := len(dst) / len(queries)
	if n*len(queries) != len(dst) || from < 0 || from+n > c.n {
		panic(badRows)
	}
	for _, q := range queries {
		c.check(q)
	}
	products(dst, c.high[from*c.stride:(from+n)*c.stride], c.stride, n, queries)
}

func (c *Codes) check(q *Query) {
	if len(q.fine) != c.stride || q.dims != c.dims {
		panic(badLength)
	}
}

// Within marks the rows from, from+1, … whose squared distance may be at most the
// limit: bit i%8 of mask[i/8] is 0 only if row from+i is farther.
//
//	products (M), those of these rows with q
//	mask     (⌈M/8⌉)
func (c *Codes) Within(mask []byte, products []int32, q *Query, from int, limit float32) {
	n := len(products)
	if len(mask) != (n+7)/8 || from < 0 || from+n > c.n {
		panic(badRows)
	}
	c.check(q)
	r := c.reference(q)
	to := from + n
	within(mask, products, c.scale[from:to], c.norm[from:to], c.rest[from:to],
		float32(512*q.scanScale), up(2*r.norm), float32(float64(limit)-r.norm2+c.margin(q)))
}

// Bounds computes lo and hi with lo ≤ |x-q|² ≤ hi for row i, of its product with q:
//
//	|x-q|² = |x|² + |q|² - 2·q·x
//	q·x    = q'·x' + (q-q')·x' + q·(x-x')    q', x' as they are scanned
//
// where the last two terms are at most miss·|x'| and |q|·rest.
func (c *Codes) Bounds(q *Query, i int, product int32) (lo, hi float32) {
	r := c.reference(q)
	middle := float64(c.norm[i]) + r.norm2 - c.scanned(q, i, product)
	reach := 2*r.norm*float64(c.rest[i]) + c.margin(q)
	return float32(middle - reach), float32(middle + reach)
}

// scanned is 2·q'·x'.
func (c *Codes) scanned(q *Query, i int, product int32) float64 {
	return float64(512 * q.scanScale * float64(c.scale[i]) * float64(product))
}

// SquaredL2 computes the squared distance of the decoded row i from the decoded
// query, of both planes: 0 exactly where the two are the same codes. Its sums are
// whole numbers, and all that rounding costs is 2⁻⁵⁰·(|x|²+|q|²).
func (c *Codes) SquaredL2(q *Query, i int) float64 {
	c.check(q)
	return c.exact(q, i, wideProduct(c.highRow(i), q.fine))
}

// Decide is SquaredL2 for a row whose product with q, of Products, is at hand.
func (c *Codes) Decide(q *Query, i int, product int32) float64 {
	if q.coarse {
		return c.SquaredL2(q, i)
	}
	c.check(q)
	return c.exact(q, i, int64(product))
}

func (c *Codes) exact(q *Query, i int, high int64) float64 {
	dot := high<<8 + wideProduct(c.lowRow(i), q.fine)
	s, t := float64(c.scale[i]), q.scale
	return max(0, float64(s*s*c.square[i])+float64(t*t*q.square)-float64(2*(s*t)*float64(dot)))
}
