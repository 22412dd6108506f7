package ollama

import (
	"context"
	"errors"
	"io"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"syscall"
	"time"

	"github.com/ollama/ollama/api"
)

// reason says why a try failed, as far as trying again goes.
type reason int

const (
	// final is every reason for which the next try would end as this one did:
	// nobody listens, the request is wrong, the reply came to its limit.
	final reason = iota
	// busy: the server's queue is full.
	busy
	// stopped: the program that runs the model ended under the request, or the
	// connection broke. The server starts another by itself.
	stopped
	// looped: the server ended a reply that only repeated itself. The same seed
	// would repeat it, so the next try takes another, and a temperature where
	// there was none.
	looped
	// lost: a model that thinks aloud forgot the form it was to answer in, or
	// thought until its limit. The next try has it think the other way: not at
	// all, or first.
	lost
)

// tries is how often a request is sent again for a reason.
var tries = map[reason]int{busy: 4, stopped: 1, looped: 1, lost: 1}

// retries counts what one request was sent again for.
type retries struct {
	wait time.Duration
	made map[reason]int
}

// may waits, and reports whether the request may be sent again. It returns at
// once when the context ends.
func (r *retries) may(ctx context.Context, why reason) bool {
	if r.made[why] >= tries[why] {
		return false
	}
	if r.made == nil {
		r.made = map[reason]int{}
	}
	wait := time.Duration(0)
	switch why {
	case busy:
		wait = r.wait << r.made[why] // twice as long every time
	case stopped:
		wait = r.wait
	case looped, lost, final:
	}
	r.made[why]++
	t := time.NewTimer(wait)
	defer t.Stop()
	select {
	case <-ctx.Done():
		return false
	case <-t.C:
		return true
	}
}

// reasonOf tells the reason of an error that the client reports.
func reasonOf(err error, w *wire) reason {
	var status api.StatusError
	var unreached *url.Error
	switch {
	case errors.As(err, &status):
		switch {
		case status.StatusCode == http.StatusServiceUnavailable && !looksLikeHTML(status.ErrorMessage):
			return busy
		case status.StatusCode == http.StatusInternalServerError && (status.ErrorMessage == "" || saysStopped(status.ErrorMessage)):
			return stopped
		}
		return final
	case errors.As(err, &unreached):
		if errors.Is(err, io.EOF) || errors.Is(err, syscall.ECONNRESET) {
			return stopped // after it had taken the connection
		}
		return final
	case w.broken(), saysStopped(err.Error()):
		return stopped
	}
	return final
}

// saysStopped reports whether a server's message means that the program that
// runs the model ended, or has not begun. It decides only whether to try again
// and which sentence people read.
func saysStopped(message string) bool {
	message = strings.ToLower(message)
	return slices.ContainsFunc([]string{
		"unexpectedly stopped", "unexpected eof", "no longer running", "has terminated",
		"loading model", "connection reset", "forcibly closed", "broken pipe",
	}, func(s string) bool { return strings.Contains(message, s) })
}
