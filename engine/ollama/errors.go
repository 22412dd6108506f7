package ollama

import (
	"cmp"
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"strings"
	"syscall"
	"time"

	"github.com/ollama/ollama/api"

	"cairn/engine/llm"
	"cairn/engine/outbound"
)

// Where what a remedy speaks of is set: in the window, and on the command line.
const (
	whereContext = "under Models › Advanced, or with --context"
	whereHost    = "under Models, or with --host"

	allowHost   = "use " + DefaultHost + ", or allow this one under Models, or with --allow-remote"
	checkHost   = "set the host and port of Ollama " + whereHost
	moreContext = "ask a shorter question, or raise the context size " + whereContext
	lessContext = "choose a smaller model, lower the context size " + whereContext + ", or close other programs"
)

// failure is an error of a model server, in the words of llm.Error.
func failure(kind error, detail, remedy string, cause error) error {
	return &llm.Error{Kind: kind, Detail: detail, Remedy: remedy, Cause: cause}
}

// sentence words an error for the record of an exchange; nil is nothing.
func sentence(err error) string {
	switch {
	case err == nil:
		return ""
	case errors.Is(err, context.Canceled):
		return "it was stopped before it was complete"
	case errors.Is(err, context.DeadlineExceeded):
		return "it did not finish within the time allowed"
	}
	return err.Error()
}

// explain turns what the Ollama client reports into an Error. Where the server
// gives a status, that decides, since its wordings change: three of a missing
// model are known.
func (s *Server) explain(ctx context.Context, model string, err error) error {
	if ctxErr := ctx.Err(); ctxErr != nil {
		return ctxErr
	}
	if known := (*llm.Error)(nil); errors.As(err, &known) {
		return err
	}
	if status := (api.StatusError{}); errors.As(err, &status) {
		return s.explainStatus(ctx, model, status)
	}
	if auth := (api.AuthorizationError{}); errors.As(err, &auth) {
		return failure(llm.ErrServer, "at "+s.host+" (it requires a login)", "use an Ollama server on this computer", err)
	}
	if reached := (*url.Error)(nil); errors.As(err, &reached) {
		return s.explainUnreached(err)
	}
	switch said := err.Error(); {
	case looksLikeHTML(said), strings.Contains(said, "invalid character"), strings.Contains(said, "cannot unmarshal"):
		return failure(llm.ErrNotOllama, "at "+s.host+" (it responds with a web page or other text)", checkHost, err)
	case saysTooLong(said):
		return s.tooLong(model, err)
	case saysStopped(said), errors.Is(err, io.ErrUnexpectedEOF):
		return runnerStopped(err)
	}
	return failure(llm.ErrServer, "("+short(err.Error())+")", "try again, or continue without a model", err)
}

// explainUnreached words an error of a connection.
func (s *Server) explainUnreached(err error) error {
	var name *net.DNSError
	var certificate *tls.CertificateVerificationError
	switch {
	case errors.Is(err, outbound.ErrDenied):
		return failure(llm.ErrHost, "("+s.host+" cannot be connected to)", allowHost, err)
	case errors.Is(err, errRedirect):
		return failure(llm.ErrNotOllama, "at "+s.host+" (it redirects elsewhere)", checkHost, err)
	case errors.As(err, &name):
		return failure(llm.ErrNotRunning, "at "+s.host+" (unknown host name)", checkHost, err)
	case errors.As(err, &certificate):
		return failure(llm.ErrHost, "(untrusted certificate at "+s.host+")", "install its certificate on this computer, or use another host", err)
	case errors.Is(err, http.ErrSchemeMismatch):
		return failure(llm.ErrNotOllama, "at "+s.host+" (it does not use encryption)", "write http:// instead of https://", err)
	case !s.local:
		return failure(llm.ErrNotRunning, "at "+s.host, "check that Ollama runs there and can be reached (OLLAMA_HOST, firewall), or continue without a model", err)
	case errors.Is(err, io.EOF), errors.Is(err, syscall.ECONNRESET):
		return failure(llm.ErrNotRunning, "at "+s.host+": it closed the connection", "restart it with `ollama serve`, or continue without a model", err)
	}
	return failure(llm.ErrNotRunning, "at "+s.host, "start it with `ollama serve`, or continue without a model", err)
}

// mute is the error of a server that takes connections but says nothing.
func (s *Server) mute(within time.Duration, cause error) error {
	return failure(llm.ErrNotRunning, fmt.Sprintf("at %s within %v", s.host, within), "restart it with `ollama serve`, or continue without a model", cause)
}

func (s *Server) tooLong(model string, cause error) error {
	model = cmp.Or(model, "the model")
	return failure(llm.ErrPromptTooLong, "(it exceeds the context length of "+model+")", moreContext, cause)
}

func runnerStopped(cause error) error {
	return failure(llm.ErrServer, "(the program that runs the model stopped)", "try again; if it happens again, restart Ollama or choose a smaller model", cause)
}

func saysTooLong(message string) bool {
	return strings.Contains(message, "context length") || strings.Contains(message, "context window")
}

func (s *Server) explainStatus(ctx context.Context, model string, status api.StatusError) error {
	said := status.ErrorMessage
	has := func(word string) bool { return strings.Contains(strings.ToLower(said), word) }
	switch code := status.StatusCode; {
	case looksLikeHTML(said):
		return failure(llm.ErrNotOllama, "at "+s.host+" (it responds with a web page)", checkHost, status)
	case code == http.StatusNotFound && model == "":
		return failure(llm.ErrNotOllama, "at "+s.host, checkHost, status)
	case code == http.StatusNotFound:
		return failure(llm.ErrNoSuchModel, fmt.Sprintf("(%s at %s)", model, s.host), s.otherModels(ctx, model), status)
	case code == http.StatusServiceUnavailable:
		return failure(llm.ErrBusy, "(too many requests are waiting)", "try again in a moment", status)
	case code == http.StatusNotImplemented, code == http.StatusBadRequest && has("does not support"):
		return failure(llm.ErrUnsuited, "("+model+": "+short(strings.TrimPrefix(said, fmt.Sprintf("%q ", model)))+")", "choose another model", status)
	case code == http.StatusForbidden:
		return failure(llm.ErrHost, "("+model+" runs on another host, which this server is not allowed to use)", "choose a model that runs here", status)
	case code == http.StatusBadRequest && saysTooLong(said), code == http.StatusRequestEntityTooLarge:
		return s.tooLong(model, status)
	case code < http.StatusInternalServerError:
		return failure(llm.ErrServer, "("+cmp.Or(short(said), fmt.Sprintf("status %d", code))+")", "choose another model; if it happens again, install the newest Ollama", status)
	case has("nan"):
		return failure(llm.ErrVector, "("+model+" produced a vector with invalid numbers)", "choose another model for embeddings, or the built-in one", status)
	case has("memory"):
		return failure(llm.ErrServer, "("+model+" does not fit into this computer's memory)", lessContext, status)
	case has("invalid json schema"), has("vocabulary required for format"):
		return failure(llm.ErrServer, "(it cannot keep "+model+" to the requested form)", "install the newest Ollama, or choose another model", status)
	case said == "", saysStopped(said):
		return runnerStopped(status)
	}
	return failure(llm.ErrServer, "("+short(said)+")", "try again; if it happens again, restart Ollama or choose another model", status)
}

// otherModels says what to do where a model is missing.
func (s *Server) otherModels(ctx context.Context, model string) string {
	get := "get it with `ollama pull " + model + "`"
	found, err := s.Models(ctx)
	if err != nil || len(found) == 0 {
		return get
	}
	names := make([]string, 0, len(found))
	for _, m := range found {
		if len(names) == 8 {
			names = append(names, "…")
			break
		}
		names = append(names, m.Name)
	}
	return get + ", or choose one of those installed: " + strings.Join(names, ", ")
}

func looksLikeHTML(s string) bool {
	return strings.HasPrefix(strings.TrimSpace(s), "<")
}

// short returns the first line of a server's message, of bounded length.
func short(s string) string {
	s, _, _ = strings.Cut(strings.TrimSpace(strings.ToValidUTF8(s, "")), "\n")
	if rs := []rune(s); len(rs) > 200 {
		return string(rs[:200]) + "…"
	}
	return s
}
