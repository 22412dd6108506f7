package remote

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"

	"cairn/engine/outbound"
)

// Options are the choices of a server to import from; the zero value is the default.
type Options struct {
	User, Password string // of HTTP basic authentication; sent, and never written or logged
	// Query is a SELECT of ?s ?p ?o, and ?g where statements have graphs; it is
	// asked in pages, so it has no LIMIT of its own.
	//
	// The default value selects every statement of the default graph.
	Query string
	// Graph is the IRI of a named graph to read in place of a Query.
	Graph string
	// Page is how many rows are asked for at a time.
	//
	// The default value is 10,000.
	Page int
	// MaxReply is the largest reply that is read, in bytes.
	//
	// The default value is 256 MiB.
	MaxReply int64
	// Timeout is how long one request may take.
	//
	// The default value is 3 minutes.
	Timeout time.Duration
	// RetryWait is the first wait before a request is sent again; each is twice as long.
	//
	// The default value is 1 second.
	RetryWait time.Duration
	// Gate is the way to the network.
	//
	// The default value is outbound.Process().
	Gate *outbound.Gate
}

// tries is how often one page is asked for.
const tries = 5

// Remedies.
const (
	tooMuch = "ask for fewer rows at a time with cairn import --page"
	whoAsks = "give the user and the password separately from the address; for cairn import, use --user NAME and put the password in CAIRN_IMPORT_PASSWORD"
)

// dialect is what one kind of server differs in from another.
type dialect struct {
	service, remedy string // what the server should be, and what to do where it is not
	sends, accepts  string // media types
	readOnly        bool   // ask for a transaction that cannot write
	// said returns the server's own words of a reply that is no answer.
	said func(reply []byte) string
}

// client asks one server over HTTP.
type client struct {
	dialect
	place
	http *http.Client
}

// withDefaults returns the choices with all that were left open.
func (o Options) withDefaults() Options {
	if o.Page <= 0 {
		o.Page = 10_000
	}
	if o.MaxReply <= 0 {
		o.MaxReply = 256 << 20
	}
	if o.Timeout <= 0 {
		o.Timeout = 3 * time.Minute
	}
	if o.RetryWait <= 0 {
		o.RetryWait = time.Second
	}
	o.Gate = cmp.Or(o.Gate, outbound.Process())
	return o
}

func newClient(address string, u *url.URL, o Options, d dialect) *client {
	o = o.withDefaults()
	port := u.Port()
	if port == "" {
		port = map[string]string{"http": "80", "https": "443"}[u.Scheme]
	}
	return &client{dialect: d, place: place{address, u, o}, http: &http.Client{
		Transport: &http.Transport{ // no proxy
			DialContext:         o.Gate.To(net.JoinHostPort(u.Hostname(), port), true),
			MaxIdleConnsPerHost: 1,
			TLSHandshakeTimeout: 10 * time.Second,
		},
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}}
}

// Close closes the connections to the server.
func (c *client) Close() { c.http.CloseIdleConnections() }

// ask sends a question, and again where the server is busy.
func (c *client) ask(ctx context.Context, body string) (reply []byte, err error) {
	err = c.o.again(ctx, func() (wait time.Duration, err error) {
		reply, wait, err = c.post(ctx, body)
		return wait, err
	})
	return reply, err
}

// again asks until there is an answer, or asking again is of no use: then the wait is
// below 0.
func (o Options) again(ctx context.Context, ask func() (wait time.Duration, err error)) error {
	for try := 1; ; try++ {
		wait, err := ask()
		if err == nil {
			return nil
		}
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if wait < 0 || try == tries {
			return err
		}
		t := time.NewTimer(max(wait, o.RetryWait<<(try-1)))
		select {
		case <-ctx.Done():
			t.Stop()
			return ctx.Err()
		case <-t.C:
		}
	}
}

// post sends a question and returns the reply. Where it failed, wait is how long the
// server asks to be left alone, and below 0 where asking again is of no use.
func (c *client) post(ctx context.Context, body string) (reply []byte, wait time.Duration, err error) {
	ctx, cancel := context.WithTimeout(ctx, c.o.Timeout)
	defer cancel()
	for range 4 { // redirects
		request, err := http.NewRequestWithContext(ctx, http.MethodPost, c.url.String(), strings.NewReader(body))
		if err != nil {
			return nil, -1, failed(c.address, "the request could not be made", "check the address", err)
		}
		request.Header.Set("Content-Type", c.sends)
		request.Header.Set("Accept", c.accepts)
		request.Header.Set("User-Agent", "cairn")
		if c.readOnly {
			request.Header.Set("Access-Mode", "READ")
		}
		if c.o.User != "" {
			request.SetBasicAuth(c.o.User, c.o.Password)
		}
		response, err := c.http.Do(request)
		if err != nil {
			return nil, -1, unreached(c.address, c.o, err)
		}
		reply, err = io.ReadAll(io.LimitReader(response.Body, c.o.MaxReply+1))
		_ = response.Body.Close()
		switch code := response.StatusCode; {
		case err != nil:
			return nil, 0, broken(c.address, err)
		case int64(len(reply)) > c.o.MaxReply:
			return nil, -1, largeReply(c.address, c.o)
		case code >= 300 && code < 400:
			to, err := response.Location()
			if err != nil || to.Scheme != c.url.Scheme || to.Host != c.url.Host {
				return nil, -1, failed(c.address, fmt.Sprintf("the server redirects to another one, %s, which was not contacted", oneLine(response.Header.Get("Location"), 200)), "if you trust it, use its address", nil)
			}
			c.url = to
			continue
		case code != http.StatusOK:
			return nil, c.waitFor(response), c.refused(code, reply)
		}
		return reply, -1, nil
	}
	return nil, -1, failed(c.address, "the server redirects in a loop", "check the address", nil)
}

// waitFor is how long a server that did not answer asks to be left alone, up to a
// minute; below 0 where it would say the same again.
func (c *client) waitFor(r *http.Response) time.Duration {
	if r.StatusCode < 500 && r.StatusCode != http.StatusTooManyRequests || r.StatusCode == http.StatusNotImplemented {
		return -1
	}
	seconds, _ := strconv.Atoi(r.Header.Get("Retry-After"))
	return time.Duration(min(max(seconds, 0), 60)) * time.Second
}

// unreached is the error of a server that gave no reply.
func unreached(address string, o Options, err error) error {
	if unwrapped := (*url.Error)(nil); errors.As(err, &unwrapped) {
		err = unwrapped.Err // which would name the address again
	}
	if errors.Is(err, context.DeadlineExceeded) {
		return failed(address, fmt.Sprintf("no reply came within %s", o.Timeout), tooMuch, err)
	}
	return failed(address, "the server cannot be reached: "+oneLine(err.Error(), 200), "check the address and the connection", err)
}

// broken is the error of a server that is gone before all was said.
func broken(address string, err error) error {
	return failed(address, "the connection was lost in the middle of a reply", "run the same command to continue from the last complete page", err)
}

// largeReply is the error of a reply above the limit.
func largeReply(address string, o Options) error {
	return failed(address, fmt.Sprintf("a reply is larger than %d MiB", max(1, o.MaxReply>>20)), tooMuch, nil)
}

// refused is the error of a reply that is no answer, with the server's own words.
func (c *client) refused(code int, reply []byte) error {
	said := ""
	if text := oneLine(c.said(reply), 300); text != "" && !isHTML(reply) {
		said = ": “" + text + "”"
	}
	switch code {
	case http.StatusUnauthorized, http.StatusForbidden:
		return failed(c.address, fmt.Sprintf("the server requires a login or denies access (HTTP %d)%s", code, said), whoAsks, nil)
	case http.StatusNotFound, http.StatusMethodNotAllowed, http.StatusNotImplemented:
		return failed(c.address, fmt.Sprintf("there is no %s (HTTP %d)%s", c.service, code, said), c.remedy, nil)
	case http.StatusBadRequest:
		return failed(c.address, "the server rejects the query (HTTP 400)"+said, "check the query", nil)
	}
	return failed(c.address, fmt.Sprintf("the server answered HTTP %d%s", code, said), "try again later: the same command continues from the last complete page", nil)
}

func isHTML(reply []byte) bool {
	begin := bytes.ToLower(bytes.TrimSpace(reply[:min(len(reply), 512)]))
	return bytes.HasPrefix(begin, []byte("<!doctype html")) || bytes.HasPrefix(begin, []byte("<html"))
}

// strange is the error of a reply that the server should not give.
func (c *client) strange(reply []byte, cause error) error {
	what := "this is not a " + c.service + ": the reply begins with “" + oneLine(string(reply[:min(len(reply), 1000)]), 100) + "”"
	if isHTML(reply) {
		what = "the server sent a web page: this is not a " + c.service
	}
	return failed(c.address, what, c.remedy, cause)
}
