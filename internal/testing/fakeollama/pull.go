package fakeollama

import (
	"encoding/json"
	"net/http"
	"time"
)

// NoNetwork is what a pull reports where this machine is offline.
const NoNetwork = `pull model manifest: Get "https://registry.ollama.ai/v2/library/m/manifests/latest": dial tcp: lookup registry.ollama.ai: no such host`

// Library makes a model one that can be pulled.
func (s *Server) Library(name string, m Script) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.library[name] = m
}

// FailPulls has every pull end with an error, after the server has begun to
// answer with status 200; an empty one has them work again.
func (s *Server) FailPulls(message string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.pullErr = message
}

// CutPulls breaks the connection of every pull off after it has begun.
func (s *Server) CutPulls() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.pullCut = true
}

// pullSize is how many bytes a pulled model has, and pullPause the time between
// two reports.
const (
	pullSize  = 4 << 20
	pullPause = 5 * time.Millisecond
)

func (s *Server) pull(w http.ResponseWriter, r *http.Request, body []byte) {
	var req struct{ Model string }
	_ = json.Unmarshal(body, &req) // an empty name is no name
	s.mu.Lock()
	m, known := s.library[req.Model]
	failure, cut := s.pullErr, s.pullCut
	s.mu.Unlock()
	if req.Model == "" {
		writeError(w, http.StatusBadRequest, "invalid model name")
		return
	}
	writeLine(w, map[string]any{"status": "pulling manifest"})
	if !known && failure == "" {
		failure = "pull model manifest: file does not exist"
	}
	switch {
	case cut:
		hangUp()
	case failure != "":
		writeLine(w, map[string]any{"error": failure})
		return
	}
	for done := range 5 {
		select {
		case <-r.Context().Done():
			return
		case <-time.After(pullPause):
		}
		writeLine(w, map[string]any{"status": "pulling 0123456789ab", "digest": "sha256:0123456789ab", "total": pullSize, "completed": done * pullSize / 4})
	}
	for _, status := range []string{"verifying sha256 digest", "writing manifest", "success"} {
		if status == "success" {
			s.Model(req.Model, m)
		}
		writeLine(w, map[string]any{"status": status})
	}
}
