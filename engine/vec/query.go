package vec

import "math"

// Query is a vector prepared for distances to codes. It is coded as rows are, and
// keeps all its 16 bits where a row is scanned, so that what a bound is wrong by is
// the row's part alone.
//
// A product with a plane, Σ u·w with |u| ≤ 128, is taken modulo 2³² and so right
// as soon as the result fits into 32 bits, whatever the sums on the way to it. It
// does where 128·Σ|w| < 2³¹: of up to 514 dimensions always, since |w| ≤ most; of
// more, where the numbers are not all nearly as large as the largest. A query of
// which that is not true is scanned by its upper bits, as many as fit (of 4,096
// dimensions those of |w| < 4,096 do), and what they miss widens the bounds.
//
// A Query is immutable but for Set, and safe for concurrent use
// between them.
type Query struct {
	dims   int
	fine   []int16 // (stride): q ≈ scale·fine
	scale  float64
	square float64 // Σ fine²

	scan      []int16 // (stride): q ≈ scanScale·scan, what planes are multiplied with
	scanScale float64
	coarse    bool     // scan has fewer bits than fine
	fields    []uint64 // scan for pure Go; nil where there are kernels
	excess    int32

	decoded reference // scale·fine
	itself  reference // the vector that was coded
}

// reference is a query's length, and how far from it what is scanned lies.
type reference struct {
	norm2 float64 // |q|²
	norm  float64 // at least |q|
	miss  float64 // at least |q - scanScale·scan|
}

// widest is the largest Σ|w| of a query with which no product leaves 32 bits.
const widest = 1<<24 - 1

// NewQuery codes a vector, which is Codable.
//
//	x (D)
func NewQuery(x []float32) *Query {
	q := &Query{}
	q.Set(x)
	return q
}

// Set makes q the query of another vector, in the memory that it has.
//
//	x (D)
func (q *Query) Set(x []float32) {
	q.shape(len(x))
	scale, inverse := scaleOf(x)
	for j, f := range x {
		q.fine[j] = int16(code(f, inverse))
	}
	q.prepare(float64(scale))
	var norm2, miss float64
	for j, f := range x {
		norm2 += float64(float64(f) * float64(f))
		left := float64(f) - float64(q.scanScale*float64(q.scan[j]))
		miss += float64(left * left)
	}
	q.itself = reference{norm2: norm2, norm: math.Sqrt(norm2) * above, miss: math.Sqrt(miss) * above}
}

// above is a factor for what must not come out too small.
const above = 1 + 1.0/(1<<30)

func (q *Query) shape(dims int) {
	stride := stride(dims)
	if len(q.fine) != stride {
		q.fine = make([]int16, stride)
		q.scan = make([]int16, stride)
	}
	clear(q.fine)
	q.dims = dims
}

// prepare derives everything else from fine.
func (q *Query) prepare(scale float64) {
	q.scale = scale
	var squares, sum int64
	for _, w := range q.fine {
		squares += int64(w) * int64(w)
		sum += max(int64(w), -int64(w))
	}
	q.square = float64(squares)
	// Halving rounds to the nearest and so can add 1/2 a number.
	drop := 0
	for sum > widest && sum>>drop+int64(len(q.fine)) > widest && drop < 15 {
		drop++
	}
	q.coarse = drop > 0
	q.scanScale = scale * float64(int64(1)<<drop)
	var missed int64
	for j, w := range q.fine {
		u := (int32(w) + 1<<drop>>1) >> drop
		q.scan[j] = int16(u)
		left := int64(int32(w) - u<<drop)
		missed += left * left
	}
	if !fast {
		q.fields, q.excess = fieldsOf(q.scan)
	}
	norm2 := float64(scale*scale) * q.square
	q.decoded = reference{norm2: norm2, norm: math.Sqrt(norm2) * above, miss: scale * math.Sqrt(float64(missed)) * above}
}
