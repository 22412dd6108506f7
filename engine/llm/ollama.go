package llm

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"sync"
	"time"
	"unicode/utf8"

	"github.com/ollama/ollama/api"
)

// DefaultHost is where Ollama listens unless it was told otherwise.
const DefaultHost = "http://127.0.0.1:11434"

// ModelOptions are the choices of a model; the zero value is the default.
type ModelOptions struct {
	// NumCtx is the context size in tokens, for prompt and reply together. It
	// is sent with every request: the server's own default is as low as 4096,
	// and it cuts a longer prompt without a word.
	//
	// The default value is 8192.
	NumCtx int
}

// Ollama asks a model through an Ollama server. It is safe for concurrent use.
type Ollama struct {
	client
	model  string
	numCtx int
	remote bool
	log    *slog.Logger

	mu     sync.Mutex
	silent time.Time // when the server last said nothing; zero for never
}

// ModelInfo describes a model that a server has.
type ModelInfo struct {
	Name string `json:"name"`
	Size int64  `json:"size"` // bytes on disk
	// Parameters and Quantization are as the server words them: "4.3B", "Q4_K_M".
	Parameters   string `json:"parameters,omitempty"`
	Quantization string `json:"quantization,omitempty"`
	Digest       string `json:"digest,omitempty"`
	// Remote is the host that really runs the model, where it is not the server.
	Remote string `json:"remote,omitempty"`
}

// Model returns a model of the server, to be asked. Nothing is sent yet: a server
// that is not running, or does not have it, shows with the first Ask.
func (s *Server) Model(name string, o ModelOptions) (*Ollama, error) {
	if strings.TrimSpace(name) == "" {
		return nil, &Error{ErrNoSuchModel, "(no name was given)", "choose a model in the settings", nil}
	}
	if o.NumCtx <= 0 {
		o.NumCtx = 8192
	}
	if !s.opts.AllowRemote && (strings.HasSuffix(name, ":cloud") || strings.HasSuffix(name, "-cloud")) {
		return nil, remoteModel(name, "ollama.com")
	}
	return &Ollama{client: s.client, model: name, numCtx: o.NumCtx, remote: s.opts.AllowRemote, log: s.opts.Logger}, nil
}

// Host returns the address of a host as the user typed it (a name, with or
// without a port or "http://"), and whether it is this machine.
func Host(host string) (u *url.URL, local bool, err error) {
	host = strings.TrimSpace(host)
	if host == "" {
		host = DefaultHost
	}
	fail := func(detail string) error {
		return &Error{ErrHost, fmt.Sprintf("(%q: %s)", host, detail), "write it like " + DefaultHost, nil}
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
		return nil, false, fail("the host's name is missing")
	case u.User != nil || u.RawQuery != "" || u.Fragment != "":
		return nil, false, fail("it may hold only a host, a port and a path")
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

// client talks to one server.
type client struct {
	host string // for messages
	api  *api.Client
}

var errRedirect = errors.New("redirected")

func newClient(host string, o ServerOptions) (client, error) {
	u, local, err := Host(host)
	if err != nil {
		return client{}, err
	}
	if !local && !o.AllowRemote {
		return client{}, &Error{
			ErrHost, fmt.Sprintf("(%s is another machine: questions and evidence would leave this one)", u.Hostname()),
			"use " + DefaultHost + ", or allow another host explicitly", nil,
		}
	}
	// No proxy and no redirect: requests go to this host or nowhere.
	transport := &http.Transport{
		DialContext:           o.Gate.To(u.Host, o.AllowRemote),
		MaxIdleConnsPerHost:   2,
		IdleConnTimeout:       30 * time.Second,
		TLSHandshakeTimeout:   5 * time.Second,
		ExpectContinueTimeout: time.Second,
	}
	h := &http.Client{
		Transport:     transport,
		CheckRedirect: func(*http.Request, []*http.Request) error { return errRedirect },
	}
	return client{host: u.String(), api: api.NewClient(u, h)}, nil
}

func (c *client) models(ctx context.Context) ([]ModelInfo, error) {
	ctx, cancel := context.WithTimeoutCause(ctx, 10*time.Second, errors.New("no list of models within 10 s"))
	defer cancel()
	list, err := c.api.List(ctx)
	if err != nil {
		if context.Cause(ctx) != nil && errors.Is(ctx.Err(), context.DeadlineExceeded) {
			return nil, &Error{ErrNotRunning, "at " + c.host + " within 10 s", "start it again with `ollama serve`, or go on without a model", err}
		}
		return nil, c.explain(ctx, "", err)
	}
	ms := make([]ModelInfo, 0, len(list.Models))
	for _, m := range list.Models {
		ms = append(ms, ModelInfo{
			Name: m.Name, Size: m.Size, Digest: m.Digest, Remote: m.RemoteHost,
			Parameters: m.Details.ParameterSize, Quantization: m.Details.QuantizationLevel,
		})
	}
	slices.SortFunc(ms, func(a, b ModelInfo) int { return strings.Compare(a.Name, b.Name) })
	return ms, nil
}

// Name returns the model's name.
func (o *Ollama) Name() string { return o.model }

// Host returns the server's address.
func (o *Ollama) Host() string { return o.host }

// Room returns how many more tokens a request's prompt may hold, by estimate;
// a negative number means that Ask refuses it.
func (o *Ollama) Room(req Request) int {
	return o.numCtx - replyTokens(req) - EstimateTokens(req.System) - EstimateTokens(req.Prompt) - templateTokens
}

// templateTokens is what a model's chat template adds around two messages.
const templateTokens = 64

func replyTokens(req Request) int {
	if req.MaxTokens > 0 {
		return req.MaxTokens
	}
	return 1024
}

// EstimateTokens estimates from above how many tokens a text has: a token for
// three bytes of ASCII, since names and JSON come in shorter pieces than prose
// (four), and three for two characters of any other script.
func EstimateTokens(s string) int {
	ascii, other := 0, 0
	for _, r := range s {
		if r < utf8.RuneSelf {
			ascii++
		} else {
			other++
		}
	}
	return (ascii+2)/3 + (other*3+1)/2
}

// Ask sends one request. The reply is complete or an error: the client library
// returns no error for a stream that was cut or cancelled, so that only the
// server's last message counts as success.
func (o *Ollama) Ask(ctx context.Context, req Request) (Reply, error) {
	if err := ctx.Err(); err != nil {
		return Reply{}, err
	}
	if room := o.Room(req); room < 0 {
		return Reply{}, &Error{
			ErrPromptTooLong,
			fmt.Sprintf("(about %d tokens with %d for the reply, and the context holds %d)", o.numCtx-room, replyTokens(req), o.numCtx),
			"ask a shorter question, or raise the context size in the settings", nil,
		}
	}
	if err := o.alive(ctx); err != nil {
		return Reply{}, err
	}
	began := time.Now()
	a := assembler{most: maxBytesPerToken * replyTokens(req)}
	parent := ctx
	ctx, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	silence := time.AfterFunc(firstWord, func() { stop(errSilent) })
	defer silence.Stop()
	a.heard = func() { silence.Reset(nextWord) }
	if req.OnToken != nil {
		a.show = req.OnToken
	}
	err := o.api.Chat(ctx, o.request(req), a.add)
	reply := Reply{Text: a.text(), PromptTokens: a.last.PromptEvalCount, ReplyTokens: a.last.EvalCount, Duration: time.Since(began)}
	o.log.DebugContext(
		ctx, "asked model", slog.String("model", o.model), slog.Int("prompt_tokens", reply.PromptTokens),
		slog.Int("reply_tokens", reply.ReplyTokens), slog.Duration("took", reply.Duration), slog.Any("error", err),
	)
	switch {
	case parent.Err() != nil:
		return Reply{}, parent.Err()
	case errors.Is(context.Cause(ctx), errSilent):
		o.mu.Lock()
		o.silent = time.Now()
		o.mu.Unlock()
		return Reply{}, &Error{ErrNotRunning, "at " + o.host + " any more: it took the question and then fell silent", "restart Ollama, choose a smaller model, or go on without one", errSilent}
	case errors.Is(err, errEndless):
		return Reply{}, &Error{ErrCut, fmt.Sprintf("at its limit of %d tokens", replyTokens(req)), "try again, or choose another model", err}
	case err != nil:
		return Reply{}, o.explain(ctx, o.model, err)
	case !a.last.Done && a.pieces == 0:
		return Reply{}, &Error{ErrServer, "(it sent an empty answer)", "try again; if it happens again, restart Ollama or choose another model", nil}
	case !a.last.Done:
		return Reply{}, &Error{ErrCut, "(the connection ended, or the model repeated itself)", "try again, or choose another model", nil}
	case a.last.RemoteHost != "" && !o.remote:
		return Reply{}, remoteModel(o.model, a.last.RemoteHost)
	case a.last.DoneReason == "length":
		return Reply{}, &Error{ErrCut, fmt.Sprintf("at its limit of %d tokens", replyTokens(req)), "try again, or choose another model", nil}
	case reply.PromptTokens >= o.numCtx:
		return Reply{}, &Error{
			ErrPromptTooLong, fmt.Sprintf("(%d tokens, which the server cut to its context of %d)", reply.PromptTokens, o.numCtx),
			"ask a shorter question, or raise the context size in the settings", nil,
		}
	case strings.TrimSpace(reply.Text) == "":
		return Reply{}, &Error{ErrCut, "(the model said nothing)", "try again, or choose another model", nil}
	}
	return reply, nil
}

// How long a server may be silent. One that runs says so at once, even while it
// loads a model or is at work on another question; a big model on a slow computer
// takes minutes to its first word, and seconds to each that follows.
const (
	aliveWithin = 3 * time.Second
	firstWord   = 5 * time.Minute
	nextWord    = time.Minute
)

// maxBytesPerToken bounds a reply whose server does not keep to its limit. Tokens
// of prose have four bytes; what a model thinks aloud counts too.
const maxBytesPerToken = 64

var (
	errSilent  = errors.New("no word from the model in time")
	errEndless = errors.New("the reply has no end")
)

// alive returns an error where the server takes the connection but says nothing.
// What it says does not matter here: the request itself will tell. A server that
// was silent a moment ago is not waited for again.
func (o *Ollama) alive(ctx context.Context) error {
	dead := func() error {
		return &Error{ErrNotRunning, fmt.Sprintf("at %s within %v", o.host, aliveWithin), "restart it with `ollama serve`, or go on without a model", errSilent}
	}
	o.mu.Lock()
	defer o.mu.Unlock()
	if !o.silent.IsZero() && time.Since(o.silent) < 2*aliveWithin {
		return dead()
	}
	within, cancel := context.WithTimeout(ctx, aliveWithin)
	defer cancel()
	err := o.api.Heartbeat(within)
	switch {
	case ctx.Err() != nil:
		return ctx.Err()
	case err != nil && within.Err() != nil:
		o.silent = time.Now()
		return dead()
	}
	o.silent = time.Time{}
	return nil
}

func remoteModel(model, host string) error {
	return &Error{
		ErrHost, fmt.Sprintf("(the model %s runs at %s: questions and evidence would leave this machine)", model, host),
		"choose a model that runs here, or allow another host explicitly", nil,
	}
}

// request builds the one shape of request that is ever sent. The options are
// always the same set, since a change of num_ctx reloads the model.
func (o *Ollama) request(req Request) *api.ChatRequest {
	no := false
	r := &api.ChatRequest{
		Model:    o.model,
		Format:   req.Schema,
		Truncate: &no, // an error rather than a prompt without its head
		Shift:    &no, // a cut reply rather than one that lost its prompt
		Options: map[string]any{
			"num_ctx": o.numCtx, "num_predict": replyTokens(req), "temperature": req.Temperature, "seed": req.Seed,
		},
	}
	if req.System != "" {
		r.Messages = append(r.Messages, api.Message{Role: "system", Content: req.System})
	}
	r.Messages = append(r.Messages, api.Message{Role: "user", Content: req.Prompt})
	return r
}

// assembler puts a streamed reply together, without what the model thought
// aloud.
type assembler struct {
	show   func(string)
	all    strings.Builder
	shown  int // bytes of the text after thinking that were shown
	pieces int
	last   api.ChatResponse
	most   int    // bytes; 0 for no limit
	heard  func() // called with every piece; may be nil
}

func (a *assembler) add(r api.ChatResponse) error {
	a.pieces++
	if a.heard != nil {
		a.heard()
	}
	if a.most > 0 && a.all.Len()+len(r.Message.Content) > a.most {
		return errEndless
	}
	a.all.WriteString(r.Message.Content)
	a.last = r
	if a.show == nil || r.Message.Content == "" && !r.Done {
		return nil
	}
	if visible, sure := afterThinking(a.all.String()); sure && len(visible) > a.shown {
		a.show(visible[a.shown:])
		a.shown = len(visible)
	}
	return nil
}

func (a *assembler) text() string {
	visible, _ := afterThinking(a.all.String())
	return strings.TrimSpace(visible)
}

// afterThinking returns what follows a leading <think>…</think>, and whether
// more text cannot change where that begins.
func afterThinking(s string) (visible string, sure bool) {
	const open, shut = "<think>", "</think>"
	t := strings.TrimLeft(s, " \t\r\n")
	if strings.HasPrefix(open, t) && len(t) < len(open) {
		return t, t != "" && t[0] != '<'
	}
	if !strings.HasPrefix(t, open) {
		return t, true
	}
	_, after, ok := strings.Cut(t, shut)
	if !ok {
		return "", false
	}
	after = strings.TrimLeft(after, " \t\r\n")
	return after, after != ""
}
