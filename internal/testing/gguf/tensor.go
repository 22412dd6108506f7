package gguf

import (
	"encoding/binary"
	"math"
)

// quantBlock is how many numbers share a scale in Q8_0 and Q4_0.
const quantBlock = 32

// size returns how many bytes n numbers take.
func (t Type) size(n int) int {
	switch t {
	case F16:
		return 2 * n
	case Q8_0:
		return n / quantBlock * (2 + quantBlock)
	case Q4_0:
		return n / quantBlock * (2 + quantBlock/2)
	default:
		return 4 * n
	}
}

// append writes the tensor's numbers.
func (t *tensor) append(b []byte) []byte {
	if t.raw != nil {
		return append(b, t.raw...)
	}
	le := binary.LittleEndian
	switch t.typ {
	case F16:
		for _, x := range t.data {
			b = le.AppendUint16(b, Half(x))
		}
	case Q8_0:
		for at := 0; at < len(t.data); at += quantBlock {
			b = appendQuantised(b, t.data[at:at+quantBlock])
		}
	default:
		for _, x := range t.data {
			b = le.AppendUint32(b, math.Float32bits(x))
		}
	}
	return b
}

// appendQuantised writes a block of Q8_0: x ≈ scale·q, with q in [-127, 127].
func appendQuantised(b []byte, block []float32) []byte {
	var largest float32
	for _, x := range block {
		largest = max(largest, x, -x)
	}
	scale := largest / 127
	b = binary.LittleEndian.AppendUint16(b, Half(scale))
	for _, x := range block {
		q := 0.0
		if scale != 0 {
			q = math.RoundToEven(float64(x / scale))
		}
		b = append(b, byte(int8(q)))
	}
	return b
}

// Half converts to IEEE 754 half precision, to the nearest, ties to even.
func Half(x float32) uint16 {
	bits := math.Float32bits(x)
	sign := uint16(bits >> 16 & 0x8000)
	a := math.Abs(float64(x))
	switch {
	case a != a:
		return sign | 0x7e00
	case a >= 65520: // halfway to what would follow the largest, 65504
		return sign | 0x7c00
	case a < 0x1p-14: // subnormal: a multiple of 2⁻²⁴
		return sign | uint16(math.RoundToEven(a*0x1p24))
	}
	fraction, exponent := math.Frexp(a) // fraction in [0.5, 1)
	// The leading bit of the fraction adds one to the exponent, which is biased by
	// 15, and so does a fraction that rounds up to 1.
	return sign | (uint16(exponent+13)<<10 + uint16(math.RoundToEven(fraction*0x1p11)))
}
