package ollama

import (
	"context"
	"errors"
	"io"
	"net/http"
	"sync"
)

// maxSent bounds the body that is kept of a request, in bytes. No prompt comes
// near: a context of 128,000 tokens holds half a megabyte of text.
const maxSent = 4 << 20

// wire is what was seen of one request below the client library, which tells
// neither the bytes that it sends nor that a reply was broken off.
type wire struct {
	mu    sync.Mutex
	sent  []byte // the body, exactly
	ended bool   // the reply came to its end
	cut   error  // what broke the reply off
}

type wireKey struct{}

// withWire returns a context in which a request is watched.
func withWire(ctx context.Context) (context.Context, *wire) {
	w := new(wire)
	return context.WithValue(ctx, wireKey{}, w), w
}

// body returns the request's body as it was sent.
func (w *wire) body() string {
	w.mu.Lock()
	defer w.mu.Unlock()
	return string(w.sent)
}

// broken reports whether the connection ended before the reply did.
func (w *wire) broken() bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.cut != nil
}

// whole reports whether all that the server had to say was read.
func (w *wire) whole() bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.ended
}

// watched is a transport that fills in the wire of a request's context.
type watched struct{ http.RoundTripper }

func (t watched) RoundTrip(r *http.Request) (*http.Response, error) {
	w, ok := r.Context().Value(wireKey{}).(*wire)
	if !ok {
		return t.RoundTripper.RoundTrip(r)
	}
	if r.GetBody != nil {
		if body, err := r.GetBody(); err == nil {
			sent, _ := io.ReadAll(io.LimitReader(body, maxSent)) // from memory
			w.mu.Lock()
			w.sent = sent
			w.mu.Unlock()
		}
	}
	resp, err := t.RoundTripper.RoundTrip(r)
	if err == nil {
		resp.Body = &watchedBody{resp.Body, w}
	}
	return resp, err
}

type watchedBody struct {
	io.ReadCloser
	w *wire
}

func (b *watchedBody) Read(p []byte) (int, error) {
	n, err := b.ReadCloser.Read(p)
	if err != nil {
		b.w.mu.Lock()
		if errors.Is(err, io.EOF) {
			b.w.ended = true
		} else {
			b.w.cut = err
		}
		b.w.mu.Unlock()
	}
	return n, err
}
