package ollama

import (
	"context"
	"errors"
	"slices"
	"strings"
	"time"

	"github.com/ollama/ollama/api"
	"github.com/ollama/ollama/types/model"
)

// ModelInfo describes a model that a server has.
type ModelInfo struct {
	Name string `json:"name"`
	Size int64  `json:"size"` // bytes on disk
	// Parameters and Quantization are as the server words them: "4.3B", "Q4_K_M".
	Parameters   string `json:"parameters,omitempty"`
	Quantization string `json:"quantization,omitempty"`
	Digest       string `json:"digest,omitempty"`
	// Remote is the host that really runs the model, where it is not the server.
	Remote string `json:"remote,omitempty"`
}

// Details is what a server tells of one model.
type Details struct {
	Name string `json:"name"`
	// Digest names the exact weights; it changes when the model is pulled anew.
	Digest string `json:"digest"`
	// Context is how many tokens the model was trained to read; 0 where unknown.
	Context int `json:"context,omitempty"`
	// Dims is the length of its embeddings; 0 where unknown.
	Dims int `json:"dims,omitempty"`
	// What it can do. All are false where the server does not say, as older ones.
	Completes bool `json:"completes"`
	Embeds    bool `json:"embeds"`
	Thinks    bool `json:"thinks"`
}

// How long a server may take to tell what it has. One that runs answers at once,
// even while it loads a model or is at work on another question.
const (
	aliveWithin = 3 * time.Second
	listWithin  = 10 * time.Second
)

// detailsFor is how long details of the same weights are believed: a server may
// be exchanged for a newer one, which knows more of a model.
const detailsFor = 5 * time.Minute

// Models returns the models that the server has, by name.
func (s *Server) Models(ctx context.Context) ([]ModelInfo, error) {
	list, err := told(ctx, s, "", s.api.List)
	if err != nil {
		return nil, err
	}
	ms := make([]ModelInfo, 0, len(list.Models))
	for _, m := range list.Models {
		ms = append(ms, ModelInfo{
			Name: m.Name, Size: m.Size, Digest: m.Digest, Remote: m.RemoteHost,
			Parameters: m.Details.ParameterSize, Quantization: m.Details.QuantizationLevel,
		})
	}
	slices.SortFunc(ms, func(a, b ModelInfo) int { return strings.Compare(a.Name, b.Name) })
	return ms, nil
}

// Version returns the server's version, such as "0.17.4".
func (s *Server) Version(ctx context.Context) (string, error) { return told(ctx, s, "", s.api.Version) }

// told asks a server for what it answers at once, of a model or of itself.
func told[T any](ctx context.Context, s *Server, name string, ask func(context.Context) (T, error)) (reply T, err error) {
	within, cancel := context.WithTimeout(ctx, listWithin)
	defer cancel()
	if reply, err = ask(within); err == nil {
		return reply, nil
	}
	if ctx.Err() == nil && within.Err() != nil {
		return reply, s.mute(listWithin, err)
	}
	return reply, s.explain(ctx, name, err)
}

// Details asks the server for what it knows of a model, anew with every call.
func (s *Server) Details(ctx context.Context, name string) (Details, error) {
	info, listed, err := s.find(ctx, name)
	if err != nil {
		return Details{}, err
	}
	d, err := s.show(ctx, name)
	if err != nil {
		return Details{}, err
	}
	if listed {
		d.Name, d.Digest = info.Name, info.Digest
	}
	return d, nil
}

// known returns the details of a model as far as they are known. Which weights
// the name stands for is asked with every call; what they can do is remembered.
// A model that runs elsewhere is an error unless that is allowed: asking it
// would send the prompt there.
func (s *Server) known(ctx context.Context, name string) (Details, error) {
	if err := s.alive(ctx); err != nil {
		return Details{}, err
	}
	info, _, err := s.find(ctx, name)
	if err != nil {
		return Details{}, err
	}
	s.mu.Lock()
	k, ok := s.details[name]
	s.mu.Unlock()
	if ok && info.Digest != "" && k.Digest == info.Digest && time.Since(k.asked) < detailsFor {
		return k.Details, nil
	}
	d, unknown := s.show(ctx, name)
	if ctx.Err() != nil {
		return Details{}, ctx.Err()
	}
	d.Name, d.Digest = name, info.Digest
	if unknown == nil { // or else the request itself will tell what is wrong
		s.mu.Lock()
		s.details[name] = knownDetails{d, time.Now()}
		s.mu.Unlock()
	}
	return d, nil
}

type knownDetails struct {
	Details
	asked time.Time
}

// forget drops what is known of a model, after an error: the server may have
// been restarted, or exchanged.
func (s *Server) forget(name string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.details, name)
}

// find looks a model up in the server's list. One that is not listed is no
// error: servers know more names for a model than they list.
func (s *Server) find(ctx context.Context, name string) (info ModelInfo, listed bool, err error) {
	ms, err := s.Models(ctx)
	if err != nil {
		return ModelInfo{}, false, err
	}
	i := slices.IndexFunc(ms, func(m ModelInfo) bool { return SameName(m.Name, name) })
	if i < 0 {
		return ModelInfo{Name: name}, false, nil
	}
	if ms[i].Remote != "" && !s.opts.AllowRemote {
		return ModelInfo{}, false, remoteModel(name, ms[i].Remote)
	}
	return ms[i], true, nil
}

// SameName reports whether two names are of one model, as a server takes them: a
// name without a tag is that of its latest.
func SameName(a, b string) bool { return fullName(a) == fullName(b) }

// fullName is a model's name with what Ollama adds to a short one.
func fullName(name string) string {
	name = strings.ToLower(strings.TrimSpace(name))
	return tagged(strings.TrimPrefix(strings.TrimPrefix(name, "registry.ollama.ai/"), "library/"))
}

// tagged returns a model's name with the tag that a server adds to one without.
func tagged(name string) string {
	if base := name[strings.LastIndexByte(name, '/')+1:]; !strings.Contains(base, ":") {
		return name + ":latest"
	}
	return name
}

func (s *Server) show(ctx context.Context, name string) (Details, error) {
	r, err := told(ctx, s, name, func(ctx context.Context) (*api.ShowResponse, error) {
		return s.api.Show(ctx, &api.ShowRequest{Model: name})
	})
	if err != nil {
		return Details{}, err
	}
	arch, _ := r.ModelInfo["general.architecture"].(string)
	number := func(key string) int {
		f, _ := r.ModelInfo[arch+"."+key].(float64)
		return int(f)
	}
	can := func(c model.Capability) bool { return slices.Contains(r.Capabilities, c) }
	return Details{
		Name: name, Context: max(0, number("context_length")), Dims: max(0, number("embedding_length")),
		Completes: can(model.CapabilityCompletion), Embeds: can(model.CapabilityEmbedding), Thinks: can(model.CapabilityThinking),
	}, nil
}

// alive returns an error where nobody takes the connection, or where somebody
// does but says nothing. What it says does not matter here: the request itself
// will tell. A server that was silent a moment ago is not waited for again.
func (s *Server) alive(ctx context.Context) error {
	s.mu.Lock()
	silent := !s.silent.IsZero() && time.Since(s.silent) < 2*aliveWithin
	s.mu.Unlock()
	if silent {
		return s.mute(aliveWithin, errSilent)
	}
	within, cancel := context.WithTimeout(ctx, aliveWithin)
	defer cancel()
	err := s.api.Heartbeat(within)
	var status api.StatusError
	var auth api.AuthorizationError
	switch {
	case ctx.Err() != nil:
		return ctx.Err()
	case err == nil, errors.As(err, &status), errors.As(err, &auth):
		s.hush(false)
		return nil
	case within.Err() != nil:
		s.hush(true)
		return s.mute(aliveWithin, err)
	}
	return s.explain(ctx, "", err)
}

// hush remembers whether the server said nothing just now.
func (s *Server) hush(silent bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.silent = time.Time{}
	if silent {
		s.silent = time.Now()
	}
}
