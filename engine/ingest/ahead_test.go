package ingest

import (
	"bytes"
	"errors"
	"io"
	"math/rand/v2"
	"testing"
	"testing/iotest"

	"go.uber.org/goleak"
)

// TestAheadReader reads texts of awkward lengths in pieces of every kind, and the
// errors at their ends.
func TestAheadReader(t *testing.T) {
	defer goleak.VerifyNone(t)
	const seed = 9
	rng := rand.New(rand.NewPCG(seed, seed))
	broken := errors.New("broken")
	for _, size := range []int{0, 1, aheadSize - 1, aheadSize, aheadSize + 1, 4*aheadSize + 7, 3 * 4 * aheadSize} {
		text := make([]byte, size)
		for i := range text {
			text[i] = byte(rng.Uint32())
		}
		for _, end := range []error{io.EOF, io.ErrUnexpectedEOF, broken} {
			for name, wrap := range map[string]func(io.Reader) io.Reader{
				"whole": func(r io.Reader) io.Reader { return r }, "half": iotest.HalfReader, "error with data": iotest.DataErrReader,
			} {
				a := readAhead(wrap(io.MultiReader(bytes.NewReader(text), iotest.ErrReader(end))))
				var got bytes.Buffer
				piece := make([]byte, 1+rng.IntN(2*aheadSize))
				var err error
				for err == nil {
					var n int
					n, err = a.Read(piece)
					got.Write(piece[:n])
				}
				if !bytes.Equal(got.Bytes(), text) || !errors.Is(err, end) {
					t.Errorf("seed %d, %d bytes, %s, %v: read %d bytes, %v", seed, size, name, end, got.Len(), err)
				}
				if _, err := a.Read(piece); !errors.Is(err, end) {
					t.Errorf("read again: %v, want %v", err, end)
				}
				_ = a.Close()
			}
		}
	}
}

// TestAheadReaderIsClosed ends reading at any place.
func TestAheadReaderIsClosed(t *testing.T) {
	defer goleak.VerifyNone(t)
	for pieces := range 2 * 4 {
		a := readAhead(endless{})
		for range pieces {
			if _, err := io.ReadFull(a, make([]byte, aheadSize)); err != nil {
				t.Fatal(err)
			}
		}
		_ = a.Close()
	}
}

type endless struct{}

func (endless) Read(b []byte) (int, error) { return len(b), nil }
