package ollama

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/ollama/ollama/api"

	"cairn/engine/llm"
)

// Pulling is how far a pull has come.
type Pulling struct {
	Status string // the server's words, for people
	Done   int64  // bytes of the part that is being fetched
	Total  int64  // 0 where unknown
}

// pullSilence is how long a server may say nothing while it fetches a model. It
// reports downloads every 60 ms, but is mute while it checks what it has fetched.
const pullSilence = 5 * time.Minute

// Pull has the server fetch a model from Ollama's library; this program itself
// contacts nobody but the server. progress, if not nil, is told how far it is, on
// the goroutine that pulls. A cancelled pull can be taken up again: the server
// keeps the parts that it has.
func (s *Server) Pull(ctx context.Context, name string, progress func(Pulling)) error {
	if strings.TrimSpace(name) == "" {
		return failure(llm.ErrPull, "(no name was given)", "name a model, such as qwen3:4b", nil)
	}
	if err := s.mayUse(name); err != nil {
		return err
	}
	if err := s.alive(ctx); err != nil {
		return err
	}
	watching, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	silence := time.AfterFunc(pullSilence, func() { stop(errSilent) })
	defer silence.Stop()
	watching, w := withWire(watching)
	done := false
	err := s.api.Pull(watching, &api.PullRequest{Model: name}, func(p api.ProgressResponse) error {
		silence.Reset(pullSilence)
		done = p.Status == "success"
		if progress != nil {
			progress(Pulling{p.Status, p.Completed, p.Total})
		}
		return nil
	})
	s.forget(name)
	switch {
	case done && err == nil:
		return nil // even if it was cancelled a moment later
	case ctx.Err() != nil:
		return ctx.Err()
	case errors.Is(context.Cause(watching), errSilent):
		return s.mute(pullSilence, errSilent)
	case err != nil:
		return s.explainPull(ctx, name, err)
	case w.broken():
		return failure(llm.ErrPull, "(the connection to Ollama ended before "+name+" was complete)", "try again; the parts already downloaded are kept", nil)
	}
	return failure(llm.ErrPull, "(Ollama stopped before "+name+" was complete)", "try again; the parts already downloaded are kept", nil)
}

// explainPull words what a server reports of a pull. Most of it comes without a
// status, after the server has begun to answer, and holds what its own client of
// the library reports.
func (s *Server) explainPull(ctx context.Context, name string, err error) error {
	said := err.Error()
	if status, ok := errors.AsType[api.StatusError](err); ok {
		said = status.ErrorMessage
		if status.StatusCode == http.StatusNotFound || status.StatusCode >= http.StatusBadGateway || looksLikeHTML(said) {
			return s.explain(ctx, "", err) // it never came to pulling
		}
	}
	has := func(words ...string) bool {
		return slices.ContainsFunc(words, func(word string) bool { return strings.Contains(strings.ToLower(said), word) })
	}
	fail := func(detail, remedy string) error { return failure(llm.ErrPull, "("+detail+")", remedy, err) }
	switch {
	case has("file does not exist", "manifest unknown", "not found"):
		return fail("Ollama's library has no model named "+name, "check the name at https://ollama.com/library")
	case has("invalid model name", "name is required"):
		return fail(fmt.Sprintf("%q is not a model name", short(name)), "write it like qwen3:4b")
	case has("no space left", "not enough space", "disk full"):
		return fail("the disk is full", "free some space, or choose a smaller model; the parts already downloaded are kept")
	case has("newer version of ollama"):
		return fail(name+" needs a newer Ollama", "install the newest Ollama, or choose another model")
	case has("unauthorized", "access denied", "forbidden"):
		return fail("Ollama's library does not give "+name+" to everyone", "choose another model")
	case has("dial tcp", "no such host", "network is unreachable", "no route", "connection refused", "i/o timeout", "tls handshake", "max retries", "deadline exceeded", "connection reset"):
		return fail("Ollama cannot reach its library", "connect this computer to the internet and try again, or continue without a model")
	}
	return s.explain(ctx, name, err)
}
