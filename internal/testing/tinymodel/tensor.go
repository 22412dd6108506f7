package tinymodel

import (
	"encoding/binary"
	"math"
)

// quantBlock is how many numbers share a scale in Q8_0.
const quantBlock = 32

// size returns how many bytes the tensor's numbers take.
func (t *tensor) size() int {
	switch t.typ {
	case F16:
		return 2 * len(t.data)
	case Q8_0:
		return len(t.data) / quantBlock * (2 + quantBlock)
	default:
		return 4 * len(t.data)
	}
}

// append writes the tensor's numbers.
func (t *tensor) append(b []byte) []byte {
	le := binary.LittleEndian
	switch t.typ {
	case F16:
		for _, x := range t.data {
			b = le.AppendUint16(b, half(x))
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
	b = binary.LittleEndian.AppendUint16(b, half(scale))
	for _, x := range block {
		q := 0.0
		if scale != 0 {
			q = math.RoundToEven(float64(x / scale))
		}
		b = append(b, byte(int8(q)))
	}
	return b
}

// half converts to IEEE 754 half precision, to the nearest, ties to even.
func half(x float32) uint16 {
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
