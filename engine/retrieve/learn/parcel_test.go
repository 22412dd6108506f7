package learn

import (
	"bytes"
	"slices"
	"testing"
)

const form Form = "cairn-test\x01"

func TestParcels(t *testing.T) {
	type header struct{ Name string }
	for _, blobs := range [][][]byte{nil, {{}}, {{1, 2, 3}}, {{1}, {}, {2, 3}}} {
		b, err := form.Pack(header{"x"}, blobs...)
		if err != nil {
			t.Fatal(err)
		}
		var h header
		got, err := form.Unpack(b, &h)
		if err != nil || h.Name != "x" || !slices.EqualFunc(got, blobs, bytes.Equal) {
			t.Errorf("form.Unpack(form.Pack(x, %v)) = %v, %v, %v, want the same", blobs, h, got, err)
		}
	}
}

func TestDamagedParcelsAreRefused(t *testing.T) {
	whole, err := form.Pack("header", []byte("weights"), []byte("more"))
	if err != nil {
		t.Fatal(err)
	}
	var h string
	for n := range whole {
		if _, err := form.Unpack(whole[:n], &h); err == nil {
			t.Fatalf("unpack of the first %d of %d bytes = nil error, want one", n, len(whole))
		}
		changed := slices.Clone(whole)
		changed[n] ^= 0x40
		if _, err := form.Unpack(changed, &h); err == nil {
			t.Fatalf("unpack with byte %d changed = nil error, want one", n)
		}
	}
}

func FuzzUnpack(f *testing.F) {
	b, err := form.Pack(map[string]int{"a": 1}, []byte{1, 2})
	if err != nil {
		f.Fatal(err)
	}
	f.Add(b)
	f.Fuzz(func(t *testing.T, b []byte) {
		var h any
		blobs, err := form.Unpack(b, &h)
		if err != nil {
			return
		}
		again, err := form.Pack(h, blobs...)
		if err != nil {
			t.Fatal(err)
		}
		var h2 any
		if got, err := form.Unpack(again, &h2); err != nil || !slices.EqualFunc(got, blobs, bytes.Equal) {
			t.Errorf("form.Unpack(form.Pack(form.Unpack(b))) = %v, %v, want %v", got, err, blobs)
		}
	})
}
