package command

import (
	"context"
	"errors"
	"io"
	"sync/atomic"
	"syscall"
)

// pipe is a standard output that may close early, as before "| head": what is being
// done is then cancelled like by an interrupt, so that what was begun is put in order.
type pipe struct {
	io.Writer
	cancel context.CancelFunc
	broken atomic.Bool
}

// Write implements io.Writer.
func (p *pipe) Write(b []byte) (int, error) {
	n, err := p.Writer.Write(b)
	if errors.Is(err, syscall.EPIPE) {
		p.broken.Store(true)
		p.cancel()
	}
	return n, err
}
