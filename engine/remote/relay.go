package remote

import (
	"context"
	"errors"
	"io"
	"net"
	"os"
	"path/filepath"
	"sync"
	"sync/atomic"
	"time"
)

// Why a relay ends a connection.
var (
	errTooMuch = errors.New("a reply is too large")
	errSilent  = errors.New("the server does not reply")
)

// patience is how long a server may be silent before its first word, as those are that
// wait for another protocol.
const patience = 15 * time.Second

// relay lets a client that cannot be given a dialler through the one door to the
// network: the client connects to a socket in a folder that only this user may enter,
// and each connection is passed on to where dial leads.
type relay struct {
	dial     func(ctx context.Context) (net.Conn, error)
	listener net.Listener
	folder   string
	stop     context.CancelFunc
	running  sync.WaitGroup
	left     atomic.Int64 // bytes that the server may still send
	heard    atomic.Bool  // the server sent any

	mu     sync.Mutex
	failed error // why the last connection was not made, or was ended
}

// newRelay opens a socket. Nothing is dialled before a client connects.
func newRelay(dial func(context.Context) (net.Conn, error)) (*relay, error) {
	folder, err := os.MkdirTemp("", "cairn-")
	if err != nil {
		return nil, err
	}
	ctx, stop := context.WithCancel(context.Background())
	r := &relay{dial: dial, folder: folder, stop: stop}
	if r.listener, err = (&net.ListenConfig{}).Listen(ctx, "unix", filepath.Join(folder, "s")); err != nil {
		stop()
		return nil, errors.Join(err, os.RemoveAll(folder))
	}
	r.running.Go(func() { r.accept(ctx) })
	return r, nil
}

// path is where the socket is.
func (r *relay) path() string { return r.listener.Addr().String() }

// close ends every connection and takes the socket away.
func (r *relay) close() {
	r.stop()
	_ = r.listener.Close()
	r.running.Wait()
	_ = os.RemoveAll(r.folder)
}

// begin forgets what came before a question whose reply may have limit bytes.
func (r *relay) begin(limit int64) {
	r.left.Store(limit)
	r.note(nil)
}

func (r *relay) note(err error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.failed = err
}

// why returns the reason for which a connection was not made, or was ended, by the relay.
func (r *relay) why() error {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.failed
}

func (r *relay) accept(ctx context.Context) {
	for {
		in, err := r.listener.Accept()
		if err != nil {
			return
		}
		r.running.Go(func() {
			defer in.Close()
			out, err := r.dial(ctx)
			if err != nil {
				r.note(err)
				return
			}
			r.pass(ctx, in, out)
		})
	}
}

// pass carries bytes both ways until one side ends.
func (r *relay) pass(ctx context.Context, in, out net.Conn) {
	ended := context.AfterFunc(ctx, func() { _ = errors.Join(in.Close(), out.Close()) })
	defer ended()
	var up sync.WaitGroup
	up.Go(func() {
		_, _ = io.Copy(out, in)
		_ = out.Close()
	})
	buf := make([]byte, 64<<10)
	_ = out.SetReadDeadline(time.Now().Add(patience))
	for first := true; ; first = false {
		n, err := out.Read(buf)
		if first {
			_ = out.SetReadDeadline(time.Time{})
			if errors.Is(err, os.ErrDeadlineExceeded) {
				r.note(errSilent)
			}
		}
		if n > 0 {
			r.heard.Store(true)
			if r.left.Add(-int64(n)) < 0 {
				r.note(errTooMuch)
				break
			}
			if _, err := in.Write(buf[:n]); err != nil {
				break
			}
		}
		if err != nil {
			break
		}
	}
	_ = errors.Join(in.Close(), out.Close())
	up.Wait()
}
