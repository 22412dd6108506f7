package bench

import (
	"bytes"
	"compress/gzip"
	"encoding/binary"
	"io"
	"runtime/pprof"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
)

// message is a protocol buffer, for profiles of known content.
type message []byte

func (m message) number(field int, v uint64) message {
	return binary.AppendUvarint(binary.AppendUvarint(m, uint64(field<<bitsOfTag|wireVarint)), v)
}

func (m message) bytes(field int, data []byte) message {
	m = binary.AppendUvarint(m, uint64(field<<bitsOfTag|wireBytes))
	return append(binary.AppendUvarint(m, uint64(len(data))), data...)
}

func packed(t *testing.T, m message) []byte {
	t.Helper()
	var b bytes.Buffer
	w := gzip.NewWriter(&b)
	if _, err := w.Write(m); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func TestTopFunctions(t *testing.T) {
	var p message
	// Samples: 3 in location 1, 2 of them with packed numbers; 5 in 2; 2 in 3.
	p = p.bytes(profileSample, message{}.number(sampleLocations, 1).number(sampleLocations, 3).number(sampleValues, 9).number(sampleValues, 1))
	p = p.bytes(profileSample, message{}.bytes(sampleLocations, []byte{1, 2}).bytes(sampleValues, []byte{9, 2}))
	p = p.bytes(profileSample, message{}.bytes(sampleLocations, []byte{2}).bytes(sampleValues, []byte{9, 5}))
	p = p.bytes(profileSample, message{}.bytes(sampleLocations, []byte{3}).bytes(sampleValues, []byte{9, 2}))
	for id, lines := range map[uint64][]uint64{1: {7, 8}, 2: {8}, 3: {9, 7}} { // location: its functions, innermost first
		l := message{}.number(locationID, id)
		for _, f := range lines {
			l = l.bytes(locationLine, message{}.number(lineFunction, f))
		}
		p = p.bytes(profileLocation, l)
	}
	for id, name := range map[uint64]uint64{7: 1, 8: 2, 9: 3} {
		p = p.bytes(profileFunction, message{}.number(functionID, id).number(functionName, name))
	}
	for _, text := range []string{"", "inner", "outer", "else"} {
		p = p.bytes(profileText, []byte(text))
	}
	for n, want := range map[int][]Spent{
		1: {{"outer", 0.5}, {"", 0.5}},
		2: {{"outer", 0.5}, {"inner", 0.3}, {"", 0.2}},
		3: {{"outer", 0.5}, {"inner", 0.3}, {"else", 0.2}},
		9: {{"outer", 0.5}, {"inner", 0.3}, {"else", 0.2}},
	} {
		got, err := topFunctions(packed(t, p), n)
		if diff := cmp.Diff(want, got, cmpopts.EquateApprox(0, 1e-12)); diff != "" || err != nil {
			t.Errorf("the %d top functions, %v (-want +got):\n%s", n, err, diff)
		}
	}
}

// TestTopFunctionsOfThisProgram profiles a loop and looks for it.
func TestTopFunctionsOfThisProgram(t *testing.T) {
	x := uint64(1)
	for range 20 { // a busy computer may give a short run no sample
		var b bytes.Buffer
		if err := pprof.StartCPUProfile(&b); err != nil {
			t.Skipf("another profile is being written: %v", err)
		}
		for end := time.Now().Add(200 * time.Millisecond); time.Now().Before(end); {
			x = spin(x)
		}
		pprof.StopCPUProfile()
		top, err := topFunctions(b.Bytes(), 5)
		if err != nil {
			t.Fatalf("topFunctions: %v", err)
		}
		if slices.ContainsFunc(top, func(s Spent) bool { return strings.HasSuffix(s.Function, "bench.spin") && s.Share > 0.1 }) {
			return
		}
	}
	t.Errorf("spin (%d) was never among the top functions", x)
}

//go:noinline
func spin(x uint64) uint64 {
	for range 100_000 {
		x ^= x<<13 ^ x>>7
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
	content, err := io.ReadAll(r)
	if err != nil {
		f.Fatal(err)
	}
	f.Add(content)
	f.Add([]byte{})
	f.Add([]byte{0x12, 0xff, 0x01})
	f.Fuzz(func(t *testing.T, content []byte) {
		top, err := topFunctions(packed(t, content), 5)
		if err == nil && len(top) > 6 {
			t.Errorf("%d functions, want 5 and the rest at most", len(top))
		}
		if _, err := topFunctions(content, 5); err == nil {
			t.Error("what is not packed was read")
		}
	})
}
