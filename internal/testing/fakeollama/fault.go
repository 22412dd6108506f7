package fakeollama

import (
	"fmt"
	"io"
	"net/http"
	"strings"
)

// Fault is one way to go wrong.
type Fault int

// The faults. Those of a model's answer may come after a part of its text.
const (
	None Fault = iota
	// Cut breaks the connection off in the middle of the text.
	Cut
	// LongLine sends a line of more than 8 MB, which the client library drops
	// along with the rest.
	LongLine
	// Repeat ends the reply in the middle with done:false and status 200, as where
	// a model has said one token more than thirty times.
	Repeat
	// Killed ends the reply in the middle with the error of a killed runner.
	Killed
	// Limit ends the reply in the middle with done_reason "length".
	Limit
	// Stalled says half of the text and then nothing.
	Stalled
	// FullOfThought ends the thought with the error of a prompt that is too long:
	// where a schema is given, the server reads the thought once more.
	FullOfThought

	// EmptyOK is status 200 with no body, Empty500 status 500 with none.
	EmptyOK
	Empty500
	// Stopped is status 500: the runner ended before it answered.
	Stopped
	// Busy is status 503: the queue is full.
	Busy
	// BadSchema is status 500 for a schema that the server cannot compile.
	BadSchema
	// NoMemory is status 500 for a model that does not fit.
	NoMemory
	// NaN is status 500 for a vector that is none.
	NaN
	// HTML is a web page with status 200, HTML502 one with 502.
	HTML
	HTML502
	// SignIn is status 401, Forbidden 403.
	SignIn
	Forbidden
	// Redirect points to another host.
	Redirect
	// Silent takes the request and never answers.
	Silent
	// Hangup closes the connection before it answers.
	Hangup
	// TooLong is status 400: the prompt exceeds the context.
	TooLong
)

const (
	page    = "<!DOCTYPE html>\n<html><body><h1>Router</h1></body></html>"
	killed  = "an error was encountered while running the model: unexpected EOF"
	tooLong = "the input length exceeds the context length"
)

// whole are the faults that need nothing by the model.
var whole = map[Fault]struct {
	code int
	body string
}{
	EmptyOK:   {http.StatusOK, ""},
	Empty500:  {http.StatusInternalServerError, ""},
	Stopped:   {http.StatusInternalServerError, `{"error":"model runner has unexpectedly stopped, this may be due to resource limitations or an internal error, check ollama server logs for details"}`},
	Busy:      {http.StatusServiceUnavailable, `{"error":"server busy, please try again.  maximum pending requests exceeded"}`},
	BadSchema: {http.StatusInternalServerError, `{"error":"invalid JSON schema in format"}`},
	NoMemory:  {http.StatusInternalServerError, `{"error":"model requires more system memory (5.6 GiB) than is available (1.9 GiB)"}`},
	NaN:       {http.StatusInternalServerError, `{"error":"failed to encode response: json: unsupported value: NaN"}`},
	HTML:      {http.StatusOK, page},
	HTML502:   {http.StatusBadGateway, page},
	SignIn:    {http.StatusUnauthorized, `{"error":"unauthorized","signin_url":"https://ollama.com/connect"}`},
	Forbidden: {http.StatusForbidden, `{"error":"ollama cloud is disabled: remote inference is unavailable"}`},
	TooLong:   {http.StatusBadRequest, `{"error":"` + tooLong + `"}`},
}

// fail answers with a fault, and reports whether it did.
func (s *Server) fail(w http.ResponseWriter, r *http.Request, f Fault) bool {
	if x, ok := whole[f]; ok {
		w.WriteHeader(x.code)
		_, _ = io.WriteString(w, x.body)
		return true
	}
	switch f {
	case Redirect:
		http.Redirect(w, r, "http://192.0.2.1/", http.StatusTemporaryRedirect)
	case Silent:
		s.wait(r)
	case Hangup, Cut:
		hangUp()
	case None:
		return false
	default:
		panic(fmt.Sprintf("fakeollama: fault %d is one of a model's answer", f))
	}
	return true
}

// wait waits until the client goes away, or the test ends.
func (s *Server) wait(r *http.Request) {
	select {
	case <-r.Context().Done():
	case <-s.over:
	}
}

// hangUp breaks the connection off.
func hangUp() { panic(http.ErrAbortHandler) }

// longLine is a message of more than the client library reads.
func longLine() string {
	return `{"message":{"content":"` + strings.Repeat("long ", 1_700_000) + `"},"done":false}` + "\n"
}
