package ingest

import (
	"io"

	"cairn/internal/guard"
)

// aheadReader reads ahead of whoever reads from it, in a goroutine of its own:
// unpacking a file then takes no time from making sense of it.
type aheadReader struct {
	full chan aheadPart // what was read, in order
	free chan []byte    // room for more
	stop chan struct{}  // closed when nobody wants more
	part aheadPart      // being handed out
	rest []byte         // of part
}

// aheadPart is one read.
type aheadPart struct {
	data []byte
	err  error // after data
}

// How far an aheadReader is ahead.
const (
	aheadParts = 8
	aheadSize  = 128 << 10 // bytes
)

// newAheadReader begins to read. Close ends it; only then may r be used again.
func newAheadReader(r io.Reader) *aheadReader {
	a := &aheadReader{full: make(chan aheadPart, aheadParts), free: make(chan []byte, aheadParts), stop: make(chan struct{})}
	for range aheadParts {
		a.free <- nil // made when it is first needed: most files are small
	}
	go a.run(r)
	return a
}

// run reads r to its end.
func (a *aheadReader) run(r io.Reader) {
	defer close(a.full)
	for {
		var room []byte
		select {
		case room = <-a.free:
		case <-a.stop:
			return
		}
		if room == nil {
			room = make([]byte, aheadSize)
		}
		n, err := 0, error(nil)
		for n < len(room) && err == nil {
			var more int
			err = guard.Do(func() (err error) {
				more, err = r.Read(room[n:])
				return err
			})
			n += more
		}
		a.full <- aheadPart{room[:n], err} // never waits: there is room for every part
		if err != nil {
			return
		}
	}
}

// Read returns what was read ahead.
func (a *aheadReader) Read(b []byte) (int, error) {
	for len(a.rest) == 0 {
		if a.part.err != nil {
			return 0, a.part.err
		}
		if a.part.data != nil {
			a.free <- a.part.data[:cap(a.part.data)]
		}
		a.part = <-a.full
		a.rest = a.part.data
	}
	n := copy(b, a.rest)
	a.rest = a.rest[n:]
	return n, nil
}

// Close ends reading ahead and waits until it has.
func (a *aheadReader) Close() error {
	close(a.stop)
	for range a.full {
		continue // nobody wants it
	}
	return nil
}
