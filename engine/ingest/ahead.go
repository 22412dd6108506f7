package ingest

import (
	"io"

	"cairn/internal/guard"
)

// aheadReader reads ahead of whoever reads from it, in a goroutine of its own:
// unpacking a file then takes no time from making sense of it.
type aheadReader struct {
	*io.PipeReader
	ended chan struct{}
}

// aheadSize is how far an aheadReader is ahead at most, in bytes.
const aheadSize = 128 << 10

// newAheadReader begins to read. Close ends it; only then may r be used again.
func newAheadReader(r io.Reader) aheadReader {
	out, in := io.Pipe()
	a := aheadReader{out, make(chan struct{})}
	go func() {
		defer close(a.ended)
		_ = in.CloseWithError(guard.Do(func() error { // never fails
			room := make([]byte, aheadSize)
			for {
				n, err := r.Read(room)
				if _, closed := in.Write(room[:n]); err == nil {
					err = closed
				}
				if err != nil {
					return err
				}
			}
		}))
	}()
	return a
}

// Close ends reading ahead and waits until it has.
func (a aheadReader) Close() error {
	err := a.PipeReader.Close()
	<-a.ended
	return err
}
