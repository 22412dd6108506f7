package vec

import "encoding/binary"

// Pure Go multiplies two numbers at a time. Of a row's eight bytes, each 128 too
// large so that none is negative, two stand in the halves of a word, and of the
// query the same two, swapped:
//
//	row    b4   b0       one word of 64 bits
//	query  q0   q4
//	       b4·q4 + b0·q0 | b0·q4    their product, in halves
//
// The upper half is what is wanted, plus what the lower one carries: -1 or 0,
// since the lower halves of all the products of foldWords together stay within
// ±2³¹, and 2³¹ added before the upper half is taken removes it.
const (
	perWord   = 8
	evenBytes = 0x000000FF000000FF
	flipSigns = 0x8080808080808080
	// foldWords is after how many words the lower halves are dropped: 4·64
	// products of at most 255·most, 2³¹-1 being just above them.
	foldWords = 64
)

// fieldsOf returns the words of a query for productGo, four of them for eight
// numbers, and what all products come out too large by.
//
//	q (stride)
func fieldsOf(q []int16) (fields []uint64, excess int32) {
	fields = make([]uint64, 0, len(q)/2)
	for ; len(q) >= perWord; q = q[perWord:] {
		for j := range 4 {
			fields = append(fields, uint64(int64(q[j])<<32+int64(q[j+4])))
			excess += 128 * (int32(q[j]) + int32(q[j+4]))
		}
	}
	return fields, excess
}

// productGo computes Σ row[j]·q[j] of the query with the given fields, modulo 2³².
//
//	row    (stride) of int8
//	fields (stride/2)
func productGo(row []byte, fields []uint64, excess int32) int32 {
	sum := -excess
	for len(row) > 0 {
		n := min(len(row), foldWords*perWord)
		sum += foldGo(row[:n], fields[:n/2])
		row, fields = row[n:], fields[n/2:]
	}
	return sum
}

func foldGo(row []byte, fields []uint64) int32 {
	var s0, s1 uint64
	for len(row) >= perWord && len(fields) >= 4 {
		w := binary.LittleEndian.Uint64(row) ^ flipSigns
		s0 += (w & evenBytes) * fields[0]
		s1 += (w >> 8 & evenBytes) * fields[1]
		s0 += (w >> 16 & evenBytes) * fields[2]
		s1 += (w >> 24 & evenBytes) * fields[3]
		row, fields = row[perWord:], fields[4:]
	}
	return int32((s0 + s1 + 1<<31) >> 32)
}

// products computes dst[i] = Σ_j rows[i·stride+j]·q[j], modulo 2³², of each query.
// The products of one are dst[n·at:n·(at+1)], n rows each.
func products(dst []int32, rows []byte, stride, n int, queries []*Query) {
	if !fast {
		for _, q := range queries {
			for i := range n {
				dst[i] = productGo(rows[i*stride:(i+1)*stride], q.fields, q.excess)
			}
			dst = dst[n:]
		}
		return
	}
	fours := n &^ 3
	for len(queries) > 0 {
		together := min(len(queries), 3)
		if fours > 0 {
			switch together {
			case 1:
				products1AVX(&dst[0], &rows[0], fours, stride, &queries[0].scan[0])
			case 2:
				products2AVX(&dst[0], &dst[n], &rows[0], fours, stride, &queries[0].scan[0], &queries[1].scan[0])
			default:
				products3AVX(&dst[0], &dst[n], &dst[2*n], &rows[0], fours, stride,
					&queries[0].scan[0], &queries[1].scan[0], &queries[2].scan[0])
			}
		}
		for i := fours; i < n; i++ {
			for j, q := range queries[:together] {
				dst[j*n+i] = productAVX(&rows[i*stride], &q.scan[0], stride)
			}
		}
		dst, queries = dst[together*n:], queries[together:]
	}
}

// wideProduct computes Σ row[j]·q[j] whatever its size: in pieces, each of which
// fits into 32 bits.
//
//	row, q (stride)
func wideProduct(row []byte, q []int16) int64 {
	var sum int64
	for len(row) > 0 {
		n := min(len(row), foldWords*perWord)
		sum += int64(pieceProduct(row[:n], q[:n]))
		row, q = row[n:], q[n:]
	}
	return sum
}

func pieceProduct(row []byte, q []int16) int32 {
	if fast {
		return productAVX(&row[0], &q[0], len(row))
	}
	var s int32
	for j, x := range q {
		s += int32(int8(row[j])) * int32(x)
	}
	return s
}

// within sets bit i%8 of mask[i/8] where row i may be within the limit, and clears
// all others; see withinAVX.
//
//	products, scale, norm, rest (M)
//	mask                        (⌈M/8⌉)
func within(mask []byte, products []int32, scale, norm, rest []float32, a, b, limit float32) {
	n := len(products)
	eights := 0
	if fast && n >= 8 {
		eights = n &^ 7
		withinAVX(&mask[0], &products[0], &scale[0], &norm[0], &rest[0], eights, a, b, limit)
	}
	clear(mask[eights/8:])
	for i := eights; i < n; i++ {
		p := float32(float32(float32(products[i])*scale[i]) * a)
		least := float32(norm[i]-p) - float32(b*rest[i])
		if !(least > limit) { // also what is no number is looked at
			mask[i/8] |= 1 << (i % 8)
		}
	}
}

// up returns a float32 that is at least x, and at most by a millionth above it.
func up(x float64) float32 {
	return float32(x * (1 + 1.0/(1<<21)))
}

// tooLong is the largest square of a length that codes take on: sums of a few such
// stay within float32.
const tooLong = 1e30

// Codable reports whether x can be coded: its numbers are finite, and the sum of
// their squares is at most 10³⁰.
//
//	x (D)
func Codable(x []float32) bool {
	var sum float64
	for _, v := range x {
		sum += float64(v) * float64(v)
	}
	return sum <= tooLong
}
