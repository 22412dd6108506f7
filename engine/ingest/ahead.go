package ingest

import (
	"io"

	"cairn/internal/guard"
)

// writtenReader reads what a goroutine of its own writes.
type writtenReader struct {
	*io.PipeReader
	ended chan struct{}
}

// writtenBy begins to write, and ends with the error of write. Close ends it.
func writtenBy(write func(io.Writer) error) io.ReadCloser {
	out, in := io.Pipe()
	r := writtenReader{out, make(chan struct{})}
	go func() {
		defer close(r.ended)
		err := guard.Do(func() error { return write(in) }) // what reads files of others may panic
		_ = in.CloseWithError(err)                         // never fails
	}()
	return r
}

// Close ends what writes and waits until it has.
func (r writtenReader) Close() error {
	err := r.PipeReader.Close()
	<-r.ended
	return err
}

// aheadSize is how far a reader ahead is ahead at most, in bytes.
const aheadSize = 128 << 10

// readAhead reads ahead of whoever reads from what it returns: unpacking a file then takes
// no time from making sense of it. Only once that is closed may r be used again.
func readAhead(r io.Reader) io.ReadCloser {
	return writtenBy(func(in io.Writer) error {
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
	})
}
