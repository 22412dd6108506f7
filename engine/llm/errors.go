package llm

import (
	"errors"
	"slices"
)

// What can go wrong with a model server. Every error of a Model is one of
// these, or the context's; its text is a sentence for people with a remedy.
var (
	// ErrHost is returned for a host that cannot be used.
	ErrHost = errors.New("the model server's address cannot be used")
	// ErrNotRunning is returned where nothing answers at the host.
	ErrNotRunning = errors.New("no Ollama server responds")
	// ErrNotOllama is returned where something else answers at the host.
	ErrNotOllama = errors.New("what responds is not an Ollama server")
	// ErrNoSuchModel is returned for a model that the server does not have.
	ErrNoSuchModel = errors.New("the model is not installed")
	// ErrBusy is returned where the server's queue is full.
	ErrBusy = errors.New("the model server is busy")
	// ErrCut is returned for a reply that ended before it was complete.
	ErrCut = errors.New("the model's reply was cut short")
	// ErrPromptTooLong is returned for a prompt that does not fit the model's
	// context beside the reply. It is not sent.
	ErrPromptTooLong = errors.New("the prompt is too long for the model")
	// ErrForm is told to Request.OnRetry for a reply without the JSON that the
	// schema asks for. Ask does not return it.
	ErrForm = errors.New("the model's reply is not in the requested form")
	// ErrUnsuited is returned where a model cannot do what it is asked to at all:
	// make vectors, or complete texts.
	ErrUnsuited = errors.New("the model cannot do this")
	// ErrVector is returned for embeddings that are no vectors of numbers.
	ErrVector = errors.New("the model's embeddings cannot be used")
	// ErrPull is returned for a model that could not be fetched.
	ErrPull = errors.New("the model could not be downloaded")
	// ErrServer is returned where the server reports any other error.
	ErrServer = errors.New("the model server reported an error")
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

// Lasting reports whether an error would meet any other request to the model too:
// it is the server's or the model's, and not the request's.
func Lasting(err error) bool {
	kinds := []error{ErrHost, ErrNotRunning, ErrNotOllama, ErrNoSuchModel, ErrUnsuited}
	return slices.ContainsFunc(kinds, func(kind error) bool { return errors.Is(err, kind) })
}
