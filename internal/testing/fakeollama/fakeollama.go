// Package fakeollama is a server for tests that behaves as Ollama 0.17.4 was
// measured to, its surprises included.
//
//	Server  the API on a port of this machine: chat, embed, tags, show, ps, pull
//	Script  what one model says, and what it can do
//	Fault   one way to go wrong, of a model's answer or of the server
//
//	fake := fakeollama.New(t)
//	fake.Model("gemma3:4b", fakeollama.Script{Reply: `{"sentences": []}`})
//	server, err := ollama.NewServer(fake.URL, ollama.ServerOptions{})
//
// A real server constrains a reply to the schema of its request; this one says
// what its script holds. Only tests import it.
package fakeollama

import (
	"bytes"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"slices"
	"sync"
	"testing"
	"time"
)

// Server is a fake Ollama. Its methods are safe for concurrent use.
type Server struct {
	URL string

	tb   testing.TB
	over chan struct{} // closed when the test ends

	mu       sync.Mutex
	http     *httptest.Server
	version  string
	models   map[string]*installed
	library  map[string]Script // what can be pulled
	pullErr  string
	pullCut  bool
	pulls    int
	faults   map[string][]Fault // by path, the next one first
	received []Received
}

// installed is a model that the server has.
type installed struct {
	Script
	digest string
	asked  int // chats so far
	loads  int
	loaded bool
	runner [2]int // the options that a loaded model was loaded with
	prompt string // of the last chat
}

// Received is one request.
type Received struct {
	Method, Path string
	Body         []byte // exactly as it came
}

// New starts a server without models, which stops when the test ends.
func New(tb testing.TB) *Server {
	tb.Helper()
	s := &Server{
		tb: tb, over: make(chan struct{}), version: "0.17.4",
		models: map[string]*installed{}, library: map[string]Script{}, faults: map[string][]Fault{},
	}
	s.http = httptest.NewServer(s.mux())
	s.URL = s.http.URL
	tb.Cleanup(func() {
		close(s.over)
		s.Stop()
	})
	return s
}

// Model installs a model, or replaces one by other weights of the same name. It
// returns the server.
func (s *Server) Model(name string, m Script) *Server {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.install(name, m)
	return s
}

func (s *Server) install(name string, m Script) {
	s.pulls++
	s.models[name] = &installed{Script: m, digest: fmt.Sprintf("%x", sha256.Sum256(fmt.Appendf(nil, "%s %d", name, s.pulls)))}
}

// Remove deletes a model.
func (s *Server) Remove(name string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.models, name)
}

// Fail has the next requests for a path, such as "/api/chat", meet faults, one
// each.
func (s *Server) Fail(path string, faults ...Fault) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.faults[path] = append(s.faults[path], faults...)
}

// Received returns the requests for a path so far, in order; for all paths
// where it is empty.
func (s *Server) Received(path string) []Received {
	s.mu.Lock()
	defer s.mu.Unlock()
	var list []Received
	for _, r := range s.received {
		if path == "" || r.Path == path {
			list = append(list, r)
		}
	}
	return list
}

// Chats returns the chats so far, in order, those included that met a fault.
func (s *Server) Chats() []Chat {
	var list []Chat
	for i, r := range s.Received("/api/chat") {
		c, err := readChat(r.Body)
		if err != nil {
			s.tb.Errorf("chat %d is not JSON: %v", i, err)
		}
		list = append(list, c)
	}
	return list
}

// Loads returns how often a model was loaded. Every change of num_ctx or
// num_thread, between chats and embeddings too, loads it anew.
func (s *Server) Loads(model string) int {
	s.mu.Lock()
	defer s.mu.Unlock()
	if m := s.models[model]; m != nil {
		return m.loads
	}
	return 0
}

// SetVersion makes the server one of another version.
func (s *Server) SetVersion(version string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.version = version
}

// Stop ends the server as if it had crashed: every connection breaks off, and
// new ones are refused.
func (s *Server) Stop() {
	s.mu.Lock()
	server := s.http
	for _, m := range s.models {
		m.loaded = false
	}
	s.mu.Unlock()
	server.Listener.Close()
	server.CloseClientConnections()
	server.Close()
}

// Start starts a stopped server at the same address.
func (s *Server) Start() {
	s.tb.Helper()
	s.mu.Lock()
	defer s.mu.Unlock()
	address := s.http.Listener.Addr().String()
	l, err := (&net.ListenConfig{}).Listen(s.tb.Context(), "tcp", address)
	if err != nil {
		s.tb.Fatalf("start the fake Ollama again at %s: %v", address, err)
	}
	s.http = &httptest.Server{Listener: l, Config: &http.Server{Handler: s.mux(), ReadHeaderTimeout: time.Minute}}
	s.http.Start()
}

func (s *Server) mux() http.Handler {
	mux := http.NewServeMux()
	for path, serve := range map[string]func(http.ResponseWriter, *http.Request, []byte){
		"/api/chat": s.chat, "/api/embed": s.embed, "/api/tags": s.tags, "/api/show": s.show,
		"/api/ps": s.ps, "/api/version": s.tell, "/api/pull": s.pull, "/": s.root,
	} {
		mux.HandleFunc(path, func(w http.ResponseWriter, r *http.Request) {
			body, err := io.ReadAll(r.Body)
			if err != nil {
				return // the client went away
			}
			s.mu.Lock()
			s.received = append(s.received, Received{r.Method, r.URL.Path, body})
			fault := None
			if waiting := s.faults[r.URL.Path]; len(waiting) > 0 {
				fault, s.faults[r.URL.Path] = waiting[0], waiting[1:]
			}
			s.mu.Unlock()
			if !s.fail(w, r, fault) {
				serve(w, r, body)
			}
		})
	}
	return mux
}

func (s *Server) root(w http.ResponseWriter, r *http.Request, _ []byte) {
	if r.URL.Path != "/" {
		http.NotFound(w, r)
		return
	}
	_, _ = io.WriteString(w, "Ollama is running")
}

func (s *Server) tell(w http.ResponseWriter, _ *http.Request, _ []byte) {
	s.mu.Lock()
	defer s.mu.Unlock()
	writeJSON(w, http.StatusOK, map[string]any{"version": s.version})
}

// names returns the models' names in order. The lock is held.
func (s *Server) names() []string {
	var names []string
	for name := range s.models {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}

func (s *Server) tags(w http.ResponseWriter, _ *http.Request, _ []byte) {
	s.mu.Lock()
	defer s.mu.Unlock()
	list := []any{}
	for _, name := range s.names() {
		m := s.models[name]
		entry := map[string]any{
			"name": name, "model": name, "size": m.Size, "digest": m.digest,
			"details": map[string]any{"parameter_size": m.Parameters, "quantization_level": m.Quantization},
		}
		if m.Remote != "" {
			entry["remote_host"], entry["remote_model"] = m.Remote, name
		}
		list = append(list, entry)
	}
	writeJSON(w, http.StatusOK, map[string]any{"models": list})
}

func (s *Server) show(w http.ResponseWriter, _ *http.Request, body []byte) {
	var req struct{ Model string }
	_ = json.Unmarshal(body, &req) // an empty name is missing too
	s.mu.Lock()
	defer s.mu.Unlock()
	m := s.find(req.Model)
	if m == nil {
		writeError(w, http.StatusNotFound, fmt.Sprintf("model %q not found", req.Model))
		return
	}
	writeJSON(w, http.StatusOK, map[string]any{
		"capabilities": m.capabilities(),
		"model_info": map[string]any{
			"general.architecture": "fake", "fake.context_length": m.context(), "fake.embedding_length": m.dims(),
		},
	})
}

func (s *Server) ps(w http.ResponseWriter, _ *http.Request, _ []byte) {
	s.mu.Lock()
	defer s.mu.Unlock()
	list := []any{}
	for _, name := range s.names() {
		if m := s.models[name]; m.loaded {
			list = append(list, map[string]any{"name": name, "model": name, "digest": m.digest, "context_length": m.runner[0]})
		}
	}
	writeJSON(w, http.StatusOK, map[string]any{"models": list})
}

// find returns a model by its name, of which ":latest" may be left out. The lock
// is held.
func (s *Server) find(name string) *installed {
	if m := s.models[name]; m != nil {
		return m
	}
	return s.models[name+":latest"]
}

// load loads a model with the options of a request, and returns the size of its
// context. The lock is held.
func (m *installed) load(options map[string]any) (numCtx int, err error) {
	number := func(key string, otherwise int) int {
		v, ok := options[key]
		if !ok {
			return otherwise
		}
		f, ok := v.(float64)
		if !ok && err == nil {
			err = fmt.Errorf("option %q must be of type integer", key)
		}
		return int(f)
	}
	runner := [2]int{min(number("num_ctx", 4096), m.context()), number("num_thread", 0)}
	if err != nil {
		return 0, err
	}
	if !m.loaded || m.runner != runner {
		m.loads++
	}
	m.loaded, m.runner = true, runner
	return runner[0], nil
}

func writeJSON(w http.ResponseWriter, code int, v any) {
	b, err := json.Marshal(v)
	if err != nil {
		// As the server words what its own encoder refuses.
		code, b = http.StatusInternalServerError, []byte(`{"error":"`+err.Error()+`"}`)
	}
	w.Header().Set("Content-Type", "application/json; charset=utf-8")
	w.WriteHeader(code)
	_, _ = w.Write(b)
}

func writeError(w http.ResponseWriter, code int, message string) {
	writeJSON(w, code, map[string]any{"error": message})
}

// writeLine streams one message.
func writeLine(w http.ResponseWriter, v any) {
	b, err := json.Marshal(v)
	if err != nil {
		panic("fakeollama: " + err.Error()) // texts and numbers always marshal
	}
	w.Header().Set("Content-Type", "application/x-ndjson")
	_, _ = w.Write(append(bytes.TrimSpace(b), '\n'))
	if f, ok := w.(http.Flusher); ok {
		f.Flush()
	}
}
