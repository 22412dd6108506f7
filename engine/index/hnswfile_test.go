package index

import (
	"context"
	"encoding/binary"
	"errors"
	"slices"
	"testing"

	"cairn/engine/internal/arrays"
)

// FuzzLinksOf: whatever numbers a file has under a right checksum, they are refused
// or can be searched.
func FuzzLinksOf(f *testing.F) {
	const n, dims = 60, 3
	v := Vectors{Dims: dims}
	for i := range n * dims {
		v.Rows = append(v.Rows, float32(i*7919%101))
	}
	copy(v.Row(9), v.Row(4))
	flat := NewFlat(v)
	h, err := NewHNSW(context.Background(), flat, HNSWOptions{M: 2, EfConstruction: 8})
	if err != nil {
		f.Fatal(err)
	}
	head := []uint32{h.head.N, h.head.Dims, h.head.M, h.head.Entry, h.head.Top}
	whole := [][]byte{
		arrays.Bytes(head), h.level, arrays.Bytes(h.base), arrays.Bytes(h.upAt),
		arrays.Bytes(h.upper), arrays.Bytes(h.same),
	}
	for which := range uint8(6) {
		for _, with := range []uint32{0, 1, 2, n - 1, n, 1 << 31, noVector} {
			f.Add(which, uint16(with), with)
		}
	}
	f.Add(uint8(9), uint16(0), uint32(3))
	f.Fuzz(func(t *testing.T, which uint8, at uint16, with uint32) {
		sections := make([][]byte, len(whole))
		for i, s := range whole {
			sections[i] = slices.Clone(s)
		}
		switch s := sections[which%6]; {
		case which >= 6: // a section is cut short
			sections[which%6] = s[:min(len(s), int(at))]
		case which == 1:
			s[int(at)%len(s)] = byte(with)
		default:
			binary.NativeEndian.PutUint32(s[int(at)%(len(s)/4)*4:], with)
		}
		l, err := linksOf(sections)
		if err != nil {
			if !errors.Is(err, arrays.ErrDamaged) {
				t.Errorf("linksOf: %v, want %v", err, arrays.ErrDamaged)
			}
			return
		}
		if l.head.N != n || l.head.Dims != dims {
			return // OpenHNSW refuses it for these vectors
		}
		g := &HNSW{o: h.o, ef: defaultEf, links: l}
		if err := g.attach(flat); err != nil {
			t.Fatal(err)
		}
		if _, err := g.Nearest(t.Context(), v.Row(0), 5); err != nil {
			t.Errorf("Nearest: %v", err)
		}
		g.Unreached()
	})
}

// TestLevelOf: a share of 1/M of the vectors of a layer is in the next one (§4.1).
func TestLevelOf(t *testing.T) {
	const n = 1 << 20
	for _, m := range []uint64{2, 16, 64, 1000} {
		var counts [64]float64
		for id := range uint64(n) {
			for l := range levelOf(3, id, m) + 1 {
				counts[l]++
			}
		}
		want := float64(n)
		for l, got := range counts {
			if want < 400 {
				break
			}
			// Five standard deviations of a count.
			if d := got - want; d*d > 25*want {
				t.Errorf("M = %d: layer %d has %v of %d vectors, want about %.0f", m, l, got, n, want)
			}
			want /= float64(m)
		}
	}
}

func TestKeys(t *testing.T) {
	var h keys
	want := []key{newKey(0, 7), newKey(0, 9), newKey(0.5, 1), newKey(2, 0), newKey(2, 3), newKey(1e30, 2)}
	for _, i := range []int{3, 0, 5, 1, 4, 2} {
		h.push(want[i])
	}
	h.sink(newKey(0, 8))
	want[0] = newKey(0, 8)
	for _, k := range want {
		if got := h.pop(); got != k {
			t.Errorf("pop() = %x, want %x", got, k)
		}
	}
}
