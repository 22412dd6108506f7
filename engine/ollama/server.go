// Package ollama is the client of an Ollama server.
//
//	Server    which models it has, what they can do, pulling, vectors of texts
//	Model     a language model of the server, to be asked
//	Embedder  embeds names and questions with a model of the server
package ollama

import (
	"cmp"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"time"

	"github.com/ollama/ollama/api"

	"cairn/engine/llm"
	"cairn/engine/outbound"
)

// ServerOptions are the choices of a Server; the zero value is the default.
type ServerOptions struct {
	// AllowRemote allows a host that is not this machine, and models that the
	// server runs elsewhere.
	AllowRemote bool
	// Gate is the way to the network.
	//
	// The default value is outbound.Process().
	Gate *outbound.Gate
	// Logger is told of every request at debug level. The default discards.
	Logger *slog.Logger
	// RetryWait is the shortest wait before a request is sent again.
	//
	// The default value is 500 ms.
	RetryWait time.Duration
}

// Server is an Ollama server. It is safe for concurrent use.
type Server struct {
	host  string // for messages
	local bool
	api   *api.Client
	opts  ServerOptions

	mu      sync.Mutex
	silent  time.Time // when the server last said nothing; zero for never
	details map[string]knownDetails
	numCtx  map[string]int // the context sizes that models were given
}

var errRedirect = errors.New("redirected")

// NewServer returns a client for the server at host; an empty host is
// DefaultHost. Nothing is sent yet.
func NewServer(host string, o ServerOptions) (*Server, error) {
	o.Gate = cmp.Or(o.Gate, outbound.Process())
	o.Logger = cmp.Or(o.Logger, slog.New(slog.DiscardHandler))
	if o.RetryWait <= 0 {
		o.RetryWait = 500 * time.Millisecond
	}
	u, local, err := Host(host)
	if err != nil {
		return nil, err
	}
	if !local && !o.AllowRemote {
		return nil, failure(
			llm.ErrHost, fmt.Sprintf("(%s is another computer: questions and evidence would leave this one)", u.Hostname()),
			allowHost, nil,
		)
	}
	// No proxy and no redirect: requests go to this host or nowhere.
	transport := &http.Transport{
		DialContext:           o.Gate.To(dialled(u), o.AllowRemote),
		MaxIdleConnsPerHost:   2,
		IdleConnTimeout:       30 * time.Second,
		TLSHandshakeTimeout:   5 * time.Second,
		ExpectContinueTimeout: time.Second,
	}
	h := &http.Client{
		Transport:     watched{transport},
		CheckRedirect: func(*http.Request, []*http.Request) error { return errRedirect },
	}
	return &Server{
		host: u.String(), local: local, api: api.NewClient(u, h), opts: o,
		details: map[string]knownDetails{}, numCtx: map[string]int{},
	}, nil
}

// Host returns the server's address.
func (s *Server) Host() string { return s.host }

// ModelOptions are the choices of a model; the zero value is the default.
type ModelOptions struct {
	// NumCtx is the context size in tokens, for prompt and reply together. It
	// is sent with every request: the server's own default is as low as 4096,
	// and it cuts a longer prompt without a word. A model that was trained for
	// less is given what it was trained for.
	//
	// The default value is 8192.
	NumCtx int
}

const defaultNumCtx = 8192

// Model returns a model of the server, to be asked. Nothing is sent yet: a server
// that is not running, or does not have it, shows with the first Ask. Embed uses
// the same context size for the same name, since another one would have the
// server load the model anew.
func (s *Server) Model(name string, o ModelOptions) (*Model, error) {
	if strings.TrimSpace(name) == "" {
		return nil, failure(llm.ErrNoSuchModel, "(no name was given)", "choose one under Models, or with --model", nil)
	}
	if o.NumCtx <= 0 {
		o.NumCtx = defaultNumCtx
	}
	if err := s.mayUse(name); err != nil {
		return nil, err
	}
	s.mu.Lock()
	s.numCtx[name] = o.NumCtx
	s.mu.Unlock()
	return &Model{server: s, model: name, numCtx: o.NumCtx, context: o.NumCtx}, nil
}

// mayUse returns an error for a model whose name says that it runs elsewhere.
func (s *Server) mayUse(name string) error {
	if !s.opts.AllowRemote && (strings.HasSuffix(name, ":cloud") || strings.HasSuffix(name, "-cloud")) {
		return remoteModel(name, "ollama.com")
	}
	return nil
}

func remoteModel(model, host string) error {
	return failure(
		llm.ErrHost, fmt.Sprintf("(the model %s runs at %s: questions and evidence would leave this computer)", model, host),
		"choose a model that runs here, or allow it with --allow-remote", nil,
	)
}

// runnerOptions are the options that decide whether a server must load a model
// anew. Every request for a model carries the same: chat and embeddings too.
func runnerOptions(numCtx int) map[string]any { return map[string]any{"num_ctx": numCtx} }

// DefaultHost is where Ollama listens unless it was told otherwise.
const DefaultHost = "http://127.0.0.1:11434"

// Host returns the address of a host as the user typed it (a name, with or
// without a port or "http://"), and whether it is this machine. Names are not
// looked up: the only one that is this machine is "localhost".
func Host(host string) (u *url.URL, local bool, err error) {
	host = cmp.Or(strings.TrimSpace(host), DefaultHost)
	fail := func(detail string) error {
		return failure(llm.ErrHost, fmt.Sprintf("(%q: %s)", host, detail), "write it like "+DefaultHost, nil)
	}
	if !strings.Contains(host, "://") {
		if strings.Count(host, ":") > 1 && !strings.HasPrefix(host, "[") {
			host = "[" + host + "]" // a bare IPv6 address
		}
		host = "http://" + host
	}
	u, err = url.Parse(host)
	switch {
	case err != nil:
		return nil, false, fail("it is not an address")
	case u.Scheme != "http" && u.Scheme != "https":
		return nil, false, fail("it must begin with http:// or https://")
	case u.Hostname() == "":
		return nil, false, fail("the host name is missing")
	case u.User != nil || u.RawQuery != "" || u.Fragment != "":
		return nil, false, fail("it can contain only a host, a port and a path")
	case strings.ContainsFunc(u.Hostname(), func(r rune) bool { return r > '~' }):
		return nil, false, fail("non-ASCII letters must be written in their network form, xn--…")
	}
	name := u.Hostname()
	port := u.Port()
	if ip := net.ParseIP(name); ip != nil && ip.IsUnspecified() {
		name = "127.0.0.1" // what a server listens on is not what a client calls
	}
	if port == "" && u.Scheme == "http" {
		port = "11434"
	}
	u.Host = name
	if strings.Contains(name, ":") {
		u.Host = "[" + name + "]"
	}
	if port != "" {
		u.Host = net.JoinHostPort(name, port)
	}
	ip := net.ParseIP(name)
	return u, strings.EqualFold(name, "localhost") || ip != nil && ip.IsLoopback(), nil
}

// dialled returns the host and port that a client of u connects to.
func dialled(u *url.URL) string {
	port := u.Port()
	if port == "" {
		port = "443" // Host gives every other address a port
	}
	return net.JoinHostPort(u.Hostname(), port)
}
