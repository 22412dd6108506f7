// Package readgguf reads the GGUF files that gguf writes back, in tests.
package readgguf

import (
	"encoding/binary"
	"math"
	"testing"

	"cairn/internal/testing/gguf"
)

// File is a GGUF file as a reader finds it.
type File struct {
	Meta    map[string]any
	Dims    map[string][]int
	Tensors map[string][]float32
}

// Parse reads a GGUF file strictly. It is the naive twin of gguf.File.Bytes, and knows
// no more than the format's description.
func Parse(t *testing.T, b []byte) File {
	t.Helper()
	whole := b
	take := func(n int) []byte {
		if n > len(b) {
			t.Fatalf("the file ends %d bytes early", n-len(b))
		}
		head := b[:n]
		b = b[n:]
		return head
	}
	u32 := func() uint32 { return binary.LittleEndian.Uint32(take(4)) }
	u64 := func() int { return int(binary.LittleEndian.Uint64(take(8))) }
	text := func() string { return string(take(u64())) }
	var value func(kind uint32) any
	value = func(kind uint32) any {
		switch kind {
		case 0:
			return take(1)[0]
		case 4:
			return u32()
		case 5:
			return int32(u32())
		case 6:
			return math.Float32frombits(u32())
		case 7:
			return take(1)[0] == 1
		case 8:
			return text()
		case 9:
			of, n := u32(), u64()
			list := make([]any, n)
			for i := range list {
				list[i] = value(of)
			}
			return list
		}
		t.Fatalf("metadata of kind %d", kind)
		return nil
	}
	if magic := string(take(4)); magic != "GGUF" {
		t.Fatalf("magic = %q", magic)
	}
	if version := u32(); version != 3 {
		t.Fatalf("version = %d", version)
	}
	tensors, keys := u64(), u64()
	p := File{map[string]any{}, map[string][]int{}, map[string][]float32{}}
	for range keys {
		key := text()
		p.Meta[key] = value(u32())
	}
	type entry struct {
		name   string
		typ    gguf.Type
		n, off int
	}
	var entries []entry
	for range tensors {
		e := entry{name: text(), n: 1}
		for range u32() {
			d := u64()
			p.Dims[e.name] = append(p.Dims[e.name], d)
			e.n *= d
		}
		e.typ, e.off = gguf.Type(u32()), u64()
		if e.off%32 != 0 {
			t.Errorf("%s begins at %d, which is not aligned", e.name, e.off)
		}
		entries = append(entries, e)
	}
	data := whole[(len(whole)-len(b)+31)/32*32:]
	for _, e := range entries {
		p.Tensors[e.name] = numbers(t, e.typ, data[e.off:], e.n)
	}
	return p
}

func numbers(t *testing.T, typ gguf.Type, b []byte, n int) []float32 {
	t.Helper()
	xs := make([]float32, n)
	for i := range xs {
		switch typ {
		case gguf.F32:
			xs[i] = math.Float32frombits(binary.LittleEndian.Uint32(b[4*i:]))
		case gguf.F16:
			xs[i] = Unhalf(binary.LittleEndian.Uint16(b[2*i:]))
		case gguf.Q8_0:
			block := b[i/32*34:]
			xs[i] = Unhalf(binary.LittleEndian.Uint16(block)) * float32(int8(block[2+i%32]))
		case gguf.Q4_0:
			block, half := b[i/32*18:], i%32/16
			xs[i] = Unhalf(binary.LittleEndian.Uint16(block)) * float32(int(block[2+i%16]>>(4*half)&15)-8)
		default:
			t.Fatalf("numbers of type %d", typ)
		}
	}
	return xs
}

// Unhalf reads half precision by its definition.
func Unhalf(h uint16) float32 {
	sign, exponent, fraction := 1.0, int(h>>10&31), float64(h&1023)
	if h&0x8000 != 0 {
		sign = -1
	}
	switch exponent {
	case 0:
		return float32(sign * fraction * 0x1p-24)
	case 31:
		if fraction != 0 {
			return float32(math.NaN())
		}
		return float32(math.Inf(int(sign)))
	}
	return float32(sign * math.Ldexp(1+fraction/1024, exponent-15))
}
