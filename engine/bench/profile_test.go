package bench

import (
	"bytes"
	"compress/gzip"
	"io"
	"math"
	"runtime/pprof"
	"strings"
	"testing"
	"time"
)

// TestTopFunctions profiles a loop and looks for it.
func TestTopFunctions(t *testing.T) {
	var b bytes.Buffer
	if err := pprof.StartCPUProfile(&b); err != nil {
		t.Skipf("another profile is being written: %v", err)
	}
	x := 1.0
	for end := time.Now().Add(300 * time.Millisecond); time.Now().Before(end); {
		x = spin(x)
	}
	pprof.StopCPUProfile()
	top, err := topFunctions(b.Bytes(), 3)
	if err != nil || len(top) == 0 || !strings.HasSuffix(top[0].Function, "bench.spin") {
		t.Fatalf("topFunctions = %+v, %v (%v), want that spin took most", top, err, x)
	}
	sum := 0.0
	for _, s := range top {
		sum += s.Share
	}
	if math.Abs(sum-1) > 1e-9 {
		t.Errorf("the shares of %+v sum to %v, want 1", top, sum)
	}
}

//go:noinline
func spin(x float64) float64 {
	for range 100_000 {
		x = math.Sqrt(x + 1)
	}
	return x
}

// FuzzTopFunctions checks that damaged profiles end in errors, not in panics.
func FuzzTopFunctions(f *testing.F) {
	var b bytes.Buffer
	if err := pprof.Lookup("goroutine").WriteTo(&b, 0); err != nil {
		f.Fatal(err)
	}
	r, err := gzip.NewReader(&b)
	if err != nil {
		f.Fatal(err)
	}
	message, err := io.ReadAll(r)
	if err != nil {
		f.Fatal(err)
	}
	f.Add(message)
	f.Add([]byte{})
	f.Add([]byte{0x12, 0xff, 0x01})
	f.Fuzz(func(t *testing.T, message []byte) {
		var packed bytes.Buffer
		w := gzip.NewWriter(&packed)
		if _, err := w.Write(message); err != nil {
			t.Fatal(err)
		}
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
		top, err := topFunctions(packed.Bytes(), 5)
		if err == nil && len(top) > 6 {
			t.Errorf("%d functions, want 5 and the rest at most", len(top))
		}
		if _, err := topFunctions(message, 5); err == nil {
			t.Error("what is not packed was read")
		}
	})
}
