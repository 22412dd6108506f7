// Package llm says what a language model is to those who ask one. It connects to
// nothing: package ollama does.
//
//	Model     answers one Request with one complete Reply, or an error
//	Roomy     a Model that can tell beforehand whether a Request fits
//	Exchange  what really went over the wire for one request
//	Error     what went wrong, and what the user can do
//
// A Model takes a prompt and, where given, a JSON schema that its reply must
// satisfy.
package llm

import (
	"context"
	"encoding/json"
	"fmt"
	"iter"
	"strings"
	"time"
	"unicode/utf8"
)

// Model is a language model that can be asked.
type Model interface {
	// Name is the model's name as its server knows it.
	Name() string
	// Ask sends one request and returns the whole reply. A reply that was cut
	// short is an error, never a shorter reply.
	Ask(ctx context.Context, req Request) (Reply, error)
}

// Roomy is a Model that can tell whether a request fits before it is asked.
type Roomy interface {
	Model
	// Room returns how many more tokens a request's prompt may hold, by an
	// estimate from above; a negative number means that Ask refuses it with
	// ErrPromptTooLong. Nothing is sent. Before the first Ask the model's own
	// context may turn out to be smaller than the one it was given.
	Room(req Request) int
}

// Room returns how many more tokens a request's prompt may hold, and whether
// the model knows. Callers fit their evidence before they ask, and say in
// Request.Left what they left out; those whose model does not know cut after
// ErrPromptTooLong.
func Room(m Model, req Request) (tokens int, known bool) {
	if r, ok := m.(Roomy); ok {
		return r.Room(req), true
	}
	return 0, false
}

// Request is one prompt.
type Request struct {
	// Purpose says in a word or two for people what the request is for, such as
	// "pattern" or "answer". It is not sent.
	Purpose string
	// Left says what was left out of the prompt to make it fit, in a sentence for
	// people; empty for nothing. It is not sent.
	Left   string
	Prompt string
	// Schema is a JSON schema for the reply; nil asks for plain text.
	Schema json.RawMessage
	// MaxTokens bounds the reply. The default value is 1024.
	MaxTokens int
	// Temperature and Seed make the reply repeatable.
	Temperature float64
	Seed        int
	// OnToken, if set, is given each piece of the reply as it comes.
	OnToken func(piece string)
	// OnRetry, if set, is told why before the request is sent again: what OnToken
	// was given until then is void. Where it is not set, a reply that broke off
	// after OnToken was given a part of it is an error.
	OnRetry func(why error)
}

// Reply is a complete reply.
type Reply struct {
	Text         string // without what the model thought aloud
	Thought      string // what the model thought aloud; empty for most
	PromptTokens int    // counted by the server
	ReplyTokens  int
	Duration     time.Duration
}

// Exchange is one request as it was really sent, and what came back. A request
// that was tried again makes one Exchange a try.
type Exchange struct {
	Purpose string `json:"purpose"`
	Model   string `json:"model"`
	// Digest names the model's exact weights, where the server says.
	Digest string `json:"digest,omitempty"`
	Host   string `json:"host"`
	// Sent is the exact bytes of the request's body, which is JSON; the first 4
	// MiB of a longer one.
	Sent string `json:"sent"`
	// Reply is what the model said, with what it thought aloud in <think> tags.
	// Of embeddings it says only how many there were.
	Reply string    `json:"reply"`
	Left  string    `json:"left,omitempty"` // what was left out to make it fit
	Began time.Time `json:"began"`
	// Estimated is how many tokens the prompt was thought to have before it was
	// sent, from above; PromptTokens is what the server counted.
	Estimated    int           `json:"estimated_tokens"`
	PromptTokens int           `json:"prompt_tokens"`
	ReplyTokens  int           `json:"reply_tokens"`
	Duration     time.Duration `json:"duration"`
	Err          string        `json:"error,omitempty"` // a sentence, or empty
}

type traceKey struct{}

// WithTrace returns a context in which every request that a Model
// sends is told to trace when it has ended, on the goroutine that asked.
func WithTrace(ctx context.Context, trace func(Exchange)) context.Context {
	return context.WithValue(ctx, traceKey{}, trace)
}

// Trace tells the trace of a context, if there is one, of an exchange. It is for
// implementations of Model.
func Trace(ctx context.Context, x Exchange) {
	if trace, ok := ctx.Value(traceKey{}).(func(Exchange)); ok {
		trace(x)
	}
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

// maxObjects bounds how many beginnings of an object are tried in a reply.
const maxObjects = 64

// Objects yields the JSON objects that stand in a reply, by where they begin: the
// whole reply for models that keep to a schema, and what is left of one for those
// that put it in a code fence or among words. An object within another comes after
// it, so that a reader takes the first that has what was asked for.
func Objects(reply string) iter.Seq[json.RawMessage] {
	return func(yield func(json.RawMessage) bool) {
		at := 0
		for range maxObjects {
			i := strings.IndexByte(reply[at:], '{')
			if i < 0 {
				return
			}
			at += i
			var object json.RawMessage
			if json.NewDecoder(strings.NewReader(reply[at:])).Decode(&object) == nil && !yield(object) {
				return
			}
			at++
		}
	}
}

// Text is a text of a reply that may be written as a number or left out.
type Text string

// UnmarshalJSON takes any value that is no list and no object.
func (t *Text) UnmarshalJSON(b []byte) error {
	var s string
	switch {
	case json.Unmarshal(b, &s) == nil:
		*t = Text(s)
	case len(b) > 0 && (b[0] == '[' || b[0] == '{'):
		return fmt.Errorf("%s is no text", b[:1])
	default:
		*t = Text(b) // a number or a truth value; null was taken as ""
	}
	return nil
}
