// Package llm asks language models.
//
// A Model takes a prompt and, where given, a JSON schema that its reply must
// satisfy. Ollama is the one implementation; tests use a server that mimics it.
package llm

import (
	"context"
	"encoding/json"
	"time"
)

// Model is a language model that can be asked.
type Model interface {
	// Name is the model's name as its server knows it.
	Name() string
	// Ask sends one request and returns the whole reply. A reply that was cut
	// short is an error, never a shorter reply.
	Ask(ctx context.Context, req Request) (Reply, error)
}

// Request is one prompt.
type Request struct {
	System string
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
}

// Reply is a complete reply.
type Reply struct {
	Text         string
	PromptTokens int // counted by the server
	ReplyTokens  int
	Duration     time.Duration
}
