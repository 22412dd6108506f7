package llm

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strings"

	"github.com/ollama/ollama/api"
)

// What can go wrong with a model server. Every error of this package is one of
// these, or the context's; its text is a sentence for people with a remedy.
var (
	// ErrHost is returned for a host that cannot be used.
	ErrHost = errors.New("the model server's address cannot be used")
	// ErrNotRunning is returned where nothing answers at the host.
	ErrNotRunning = errors.New("no Ollama server answers")
	// ErrNotOllama is returned where something else answers at the host.
	ErrNotOllama = errors.New("what answers is not an Ollama server")
	// ErrNoSuchModel is returned for a model that the server does not have.
	ErrNoSuchModel = errors.New("the model is not installed")
	// ErrBusy is returned where the server's queue is full.
	ErrBusy = errors.New("the model server is busy")
	// ErrCut is returned for a reply that ended before it was complete.
	ErrCut = errors.New("the model's reply was cut short")
	// ErrPromptTooLong is returned for a prompt that does not fit the model's
	// context beside the reply. It is not sent.
	ErrPromptTooLong = errors.New("the prompt is too long for the model")
	// ErrServer is returned where the server reports any other error.
	ErrServer = errors.New("the model server reports an error")
)

// Error is an error of a model server.
type Error struct {
	Kind   error  // one of this package's sentinel errors
	Detail string // what is particular to this case, may be empty
	Remedy string // what the user can do
	Cause  error  // what the client reported, for logs; may be nil
}

// Error returns the sentence: what is wrong, and the remedy.
func (e *Error) Error() string {
	s := e.Kind.Error()
	if e.Detail != "" {
		s += " " + e.Detail
	}
	if e.Remedy != "" {
		s += "; " + e.Remedy
	}
	return s
}

// Unwrap returns the kind and the cause.
func (e *Error) Unwrap() []error {
	if e.Cause == nil {
		return []error{e.Kind}
	}
	return []error{e.Kind, e.Cause}
}

// explain turns what the Ollama client reports into an Error. It compares
// status codes, never wordings: three wordings of a missing model are known.
func (c *client) explain(ctx context.Context, model string, err error) error {
	if ctxErr := ctx.Err(); ctxErr != nil {
		return ctxErr
	}
	if known := (*Error)(nil); errors.As(err, &known) {
		return err
	}
	if status := (api.StatusError{}); errors.As(err, &status) {
		return c.explainStatus(ctx, model, status)
	}
	if auth := (api.AuthorizationError{}); errors.As(err, &auth) {
		return &Error{ErrServer, "at " + c.host + " (it asks for a sign-in)", "use an Ollama server on this machine", err}
	}
	if reached := (*url.Error)(nil); errors.As(err, &reached) {
		if errors.Is(err, errRedirect) {
			return &Error{ErrNotOllama, "at " + c.host + " (it points elsewhere)", "check the host in the settings", err}
		}
		return &Error{ErrNotRunning, "at " + c.host, "start it with `ollama serve`, or go on without a model", err}
	}
	if text := err.Error(); looksLikeHTML(text) || strings.Contains(text, "invalid character") {
		return &Error{ErrNotOllama, "at " + c.host + " (it answers with a web page or other text)", "check the host and port in the settings", err}
	}
	return &Error{ErrServer, "(" + short(err.Error()) + ")", "try again, or go on without a model", err}
}

func (c *client) explainStatus(ctx context.Context, model string, status api.StatusError) error {
	said := short(status.ErrorMessage)
	if said == "" {
		said = fmt.Sprintf("status %d", status.StatusCode)
	}
	switch {
	case looksLikeHTML(status.ErrorMessage):
		return &Error{ErrNotOllama, "at " + c.host + " (it answers with a web page)", "check the host and port in the settings", status}
	case status.StatusCode == http.StatusNotFound && model == "":
		return &Error{ErrNotOllama, "at " + c.host, "check the host and port in the settings", status}
	case status.StatusCode == http.StatusNotFound:
		return &Error{ErrNoSuchModel, fmt.Sprintf("(%s at %s)", model, c.host), c.otherModels(ctx, model), status}
	case status.StatusCode == http.StatusServiceUnavailable:
		return &Error{ErrBusy, "(too many requests are waiting)", "try again in a moment", status}
	case status.StatusCode == http.StatusBadRequest && strings.Contains(status.ErrorMessage, "context length"):
		return &Error{ErrPromptTooLong, "(it exceeds the context length of " + model + ")", "ask a shorter question, or raise the context size in the settings", status}
	}
	return &Error{ErrServer, "(" + said + ")", "try again; if it happens again, restart Ollama or choose another model", status}
}

// otherModels says what to do where a model is missing.
func (c *client) otherModels(ctx context.Context, model string) string {
	get := "get it with `ollama pull " + model + "`"
	found, err := c.models(ctx)
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
	s = strings.ToLower(strings.TrimSpace(s))
	return strings.HasPrefix(s, "<!doctype") || strings.HasPrefix(s, "<html") || strings.HasPrefix(s, "<head") || strings.HasPrefix(s, "<")
}

// short returns the first line of a server's message, of bounded length.
func short(s string) string {
	s, _, _ = strings.Cut(strings.TrimSpace(strings.ToValidUTF8(s, "")), "\n")
	if rs := []rune(s); len(rs) > 200 {
		return string(rs[:200]) + "…"
	}
	return s
}
