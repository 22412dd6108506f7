package llm

import (
	"context"
	"log/slog"

	"cairn/engine/outbound"
)

// ServerOptions are the choices of a Server; the zero value is the default.
type ServerOptions struct {
	// AllowRemote allows a host that is not this machine, and models that the
	// server runs elsewhere.
	AllowRemote bool
	// Gate is the way to the network.
	//
	// The default value is outbound.Process().
	Gate *outbound.Gate
	// Logger is told of every request at debug level. The default discards.
	Logger *slog.Logger
}

// Server is an Ollama server. It is safe for concurrent use.
type Server struct {
	client
	opts ServerOptions
}

// NewServer returns a client for the server at host; an empty host is
// DefaultHost. Nothing is sent yet.
func NewServer(host string, o ServerOptions) (*Server, error) {
	if o.Gate == nil {
		o.Gate = outbound.Process()
	}
	if o.Logger == nil {
		o.Logger = slog.New(slog.DiscardHandler)
	}
	c, err := newClient(host, o)
	if err != nil {
		return nil, err
	}
	return &Server{client: c, opts: o}, nil
}

// Models returns the models that the server has, by name.
func (s *Server) Models(ctx context.Context) ([]ModelInfo, error) { return s.models(ctx) }

// Details is what a server tells of one model.
type Details struct {
	Name string `json:"name"`
	// Digest names the exact weights; it changes when the model is pulled anew.
	Digest string `json:"digest"`
	// Context is how many tokens the model was trained to read; 0 where unknown.
	Context int `json:"context,omitempty"`
	// Dims is the length of its embeddings; 0 where unknown.
	Dims int `json:"dims,omitempty"`
	// What it can do. All are false where the server does not say.
	Completes bool `json:"completes"`
	Embeds    bool `json:"embeds"`
	Thinks    bool `json:"thinks"`
}

// Pulling is how far a pull has come.
type Pulling struct {
	Status string // the server's words, for people
	Done   int64  // bytes of the part that is being fetched
	Total  int64  // 0 where unknown
}
