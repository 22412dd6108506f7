package gguf_test

import (
	"bytes"
	"math"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"cairn/internal/testing/gguf"
	"cairn/internal/testing/readgguf"
)

func TestFileReadsBack(t *testing.T) {
	f := &gguf.File{}
	want := map[string]any{
		"a": uint32(7), "b": int32(-7), "c": float32(1.5), "d": true, "e": "ä",
		"f": []any{"x", ""}, "i": []any{byte(1), byte(255)}, "g": []any{int32(1), int32(-1)}, "h": []any{float32(0.5)},
	}
	f.Set("a", uint32(7))
	f.Set("b", int32(-7))
	f.Set("c", float32(1.5))
	f.Set("d", true)
	f.Set("e", "ä")
	f.Set("f", []string{"x", ""})
	f.Set("g", []int32{1, -1})
	f.Set("h", []float32{0.5})
	f.Set("i", []byte{1, 255})
	f.Add("odd", gguf.F32, []float32{1, 2, 3}, 3)
	f.Add("half", gguf.F16, []float32{-1, 0.25, 2, 4}, 2, 2)
	eight := make([]float32, 64)
	for i := range eight {
		eight[i] = float32(i - 32)
	}
	f.Add("quantised", gguf.Q8_0, eight, 32, 2)
	f.AddRaw("four bits", gguf.Q4_0, append([]byte{0, 0x3c}, bytes.Repeat([]byte{0x7f}, 16)...), 32)
	if f.Parameters() != 103 {
		t.Errorf("Parameters = %d, want 103", f.Parameters())
	}
	got := readgguf.Parse(t, f.Bytes())
	if diff := cmp.Diff(want, got.Meta); diff != "" {
		t.Errorf("metadata (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff(map[string][]int{"odd": {3}, "half": {2, 2}, "quantised": {32, 2}, "four bits": {32}}, got.Dims); diff != "" {
		t.Errorf("dims (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([]float32{1, 2, 3}, got.Tensors["odd"]); diff != "" {
		t.Errorf("F32 (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([]float32{-1, 0.25, 2, 4}, got.Tensors["half"]); diff != "" {
		t.Errorf("F16 (-want +got):\n%s", diff)
	}
	for i, x := range got.Tensors["quantised"] {
		if d := math.Abs(float64(x - eight[i])); d > 32.0/127/2+0.02 { // half a step, and the scale's own rounding
			t.Errorf("Q8_0: %v came back as %v", eight[i], x)
		}
	}
	if diff := cmp.Diff(append(slices.Repeat([]float32{7}, 16), slices.Repeat([]float32{-1}, 16)...), got.Tensors["four bits"]); diff != "" {
		t.Errorf("Q4_0 (-want +got):\n%s", diff)
	}
}

func TestFileRefuses(t *testing.T) {
	for name, build := range map[string]func(f *gguf.File){
		"a type that GGUF lacks":  func(f *gguf.File) { f.Set("x", 1) },
		"dims of another size":    func(f *gguf.File) { f.Add("x", gguf.F32, []float32{1}, 2) },
		"rows that are no blocks": func(f *gguf.File) { f.Add("x", gguf.Q8_0, []float32{1}, 1) },
		"numbers to four bits":    func(f *gguf.File) { f.Add("x", gguf.Q4_0, make([]float32, 32), 32) },
		"bytes of another size":   func(f *gguf.File) { f.AddRaw("x", gguf.F16, []byte{1}, 1) },
	} {
		t.Run(name, func(t *testing.T) {
			defer func() {
				if recover() == nil {
					t.Error("it did not panic")
				}
			}()
			build(&gguf.File{})
		})
	}
}

func TestHalf(t *testing.T) {
	for h := range 1 << 16 { // every value but the NaNs comes back
		x := readgguf.Unhalf(uint16(h))
		if got := gguf.Half(x); x == x && got != uint16(h) {
			t.Fatalf("half(%v) = %#04x, want %#04x", x, got, h)
		}
	}
	if got := gguf.Half(float32(math.NaN())); readgguf.Unhalf(got) == readgguf.Unhalf(got) {
		t.Errorf("half(NaN) = %#04x", got)
	}
	for x, want := range map[float32]float32{
		1 + 0x1p-11:      1,           // halfway: to even
		1 + 3*0x1p-11:    1 + 0x1p-9,  // halfway: to even, upwards
		1 + 0x1.1p-11:    1 + 0x1p-10, // beyond halfway
		2 - 0x1p-12:      2,           // carries into the exponent
		65519:            65504,
		65520:            float32(math.Inf(1)),
		0x1p-25:          0,
		0x1.8p-25:        0x1p-24,
		-(1 + 0x1.8p-11): -(1 + 0x1p-10),
	} {
		if got := readgguf.Unhalf(gguf.Half(x)); got != want {
			t.Errorf("half(%v) stands for %v, want %v", x, got, want)
		}
	}
}
