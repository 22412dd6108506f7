package ollama

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"
	"unicode/utf8"

	"cairn/engine/embed"
	"cairn/engine/llm"
	"cairn/engine/vec"
)

// The ways in which embedding by a model can fail beyond those of llm.
var (
	// ErrNoEmbeddings is returned for a model that makes no vectors.
	ErrNoEmbeddings = errors.New("the model does not produce vectors")
	// ErrChanged is returned where the server's model is no longer the one that
	// the embedder began with.
	ErrChanged = errors.New("the embedding model has changed on its server")
	// ErrNoVector is returned for a question's text that the model has no vector
	// for.
	ErrNoVector = errors.New("the embedding model has no vector")
)

// vectorServer is what embedding needs of a model server; *Server is one.
type vectorServer interface {
	// Embed returns one vector a text, in order.
	Embed(ctx context.Context, model string, texts []string) ([][]float32, error)
	// Details tells which weights the server has under a model's name.
	Details(ctx context.Context, model string) (Details, error)
}

const (
	// batchTexts is how many texts one request holds: the server embeds them one by
	// one, so that more would only make what is saved at a time larger.
	batchTexts = 64
	// batchBytes is how many bytes of text one request holds, unless a single text
	// has more.
	batchBytes = 16 << 10
	// queryTime is how long a question waits for the vectors of its texts. A large
	// model that is not loaded takes seconds to answer its first request.
	queryTime = 20 * time.Second
	// maxText is how many characters of a text are embedded, up to the end of a
	// word: more than any name has, and within every model's context in English.
	maxText = 2000
	// cuttable is the fewest bytes of a text that is embedded by its beginning
	// where the server refuses the whole: models that do not know a script take a
	// token or more for each of its letters, and the smallest contexts have 256.
	// A short text that fails is not too long, and half of it would be another
	// name.
	cuttable = 200
	// maxLone is how many texts in a row may fail alone before the model itself
	// is asked for a sign of life.
	maxLone = 8
	// maxNamed is how many texts without a vector a report names.
	maxNamed = 20
	// lifeSign is a text that every model has a vector for.
	lifeSign = "the name of a city"
	// silence is how long a server that did not answer a question in time is
	// left alone.
	silence = 30 * time.Second
)

// EmbedReport says which texts were not embedded as they are.
type EmbedReport struct {
	// Shortened texts were too long for the model and have the vector of their
	// beginning.
	Shortened int `json:"shortened"`
	// Blank texts got no vector, because the model failed on them; nothing is
	// ever near to them.
	Blank int `json:"blank"`
	// Named are the first of the blank texts.
	Named []string `json:"named,omitempty"`
}

// Embedder embeds texts with a model of an Ollama server. It is safe for
// concurrent use.
//
// One text that the server cannot embed fails the whole request it is in. Such
// a request is halved until the text stands alone; a long one is then embedded
// by its beginning, and a short one gets the zero vector and is reported.
//
// After every call it asks the server which weights it has under the model's
// name, and fails with ErrChanged where they are others than at the start: so
// no vector is ever returned under an id that is not its own.
type Embedder struct {
	server   vectorServer
	model    string
	details  Details
	prefixes prefixes
	dims     int

	batchTexts, batchBytes int           // what one request holds at most
	queryTime              time.Duration // how long a question waits

	mu     sync.Mutex
	report EmbedReport
	silent time.Time // when a question last waited in vain; zero for never
}

func newEmbedder(s vectorServer, model string) *Embedder {
	return &Embedder{
		server: s, model: model, prefixes: prefixesOf(model),
		batchTexts: batchTexts, batchBytes: batchBytes, queryTime: queryTime,
	}
}

// NewEmbedder returns an embedder by a model of a server, which it asks for the
// model's details and for one vector.
func NewEmbedder(ctx context.Context, s vectorServer, model string) (*Embedder, error) {
	model = strings.TrimSpace(model)
	if model == "" {
		return nil, &llm.Error{Kind: llm.ErrNoSuchModel, Detail: "(no name was given)", Remedy: "choose an embedding model, such as nomic-embed-text"}
	}
	e := newEmbedder(s, tagged(model))
	var err error
	if e.details, err = s.Details(ctx, e.model); err != nil {
		return nil, err
	}
	vectors, err := s.Embed(ctx, e.model, []string{e.prefixes.document + lifeSign})
	switch {
	case errors.Is(err, llm.ErrUnsuited), errors.Is(err, llm.ErrVector):
		return nil, e.noEmbeddings(err)
	case err != nil:
		return nil, err
	case len(vectors) != 1 || len(vectors[0]) == 0 || !unit(vectors[0]):
		return nil, e.noEmbeddings(nil)
	}
	e.dims = len(vectors[0])
	return e, nil
}

// ReopenEmbedder returns the embedder that had an id before, or ErrChanged where the
// server has other weights by now. It asks for the model's details only, and not
// for a vector, for which a large model would first be loaded.
func ReopenEmbedder(ctx context.Context, s vectorServer, id string) (*Embedder, error) {
	was, ok := parseID(id)
	if !ok {
		return nil, fmt.Errorf("%q is not the id of an embedder on a model server", id)
	}
	e := newEmbedder(s, was.model)
	e.dims = was.dims
	var err error
	if e.details, err = s.Details(ctx, e.model); err != nil {
		return nil, err
	}
	if e.ID() != id {
		return nil, e.changed("it is not the one that embedded the names")
	}
	return e, nil
}

func (e *Embedder) changed(how string) error {
	return &llm.Error{
		Kind: ErrChanged, Detail: fmt.Sprintf("(%s: %s)", e.model, how),
		Remedy: "choose it again to embed the names of this graph again",
	}
}

func (e *Embedder) noEmbeddings(cause error) error {
	return &llm.Error{
		Kind: ErrNoEmbeddings, Detail: fmt.Sprintf("(%s)", e.model), Cause: cause,
		Remedy: "choose an embedding model, such as nomic-embed-text or embeddinggemma",
	}
}

// ID names the model, its exact weights, the length of its vectors and what is
// put before texts.
func (e *Embedder) ID() string {
	return fmt.Sprintf(idPrefix+"%s/%s/%d/%s", e.model, weights(e.details), e.dims, e.prefixes)
}

// idPrefix begins the id of every Ollama embedder.
const idPrefix = "ollama/"

// weights names the exact weights of a model.
func weights(d Details) string {
	digest := strings.TrimPrefix(d.Digest, "sha256:")
	if digest == "" {
		return "unknown"
	}
	return digest
}

// Model is the model's name as the server knows it.
func (e *Embedder) Model() string { return e.model }

// Dims is the length of the model's vectors.
func (e *Embedder) Dims() int { return e.dims }

// Report says which names were not embedded as they are since the start.
func (e *Embedder) Report() EmbedReport {
	e.mu.Lock()
	defer e.mu.Unlock()
	r := e.report
	r.Named = slices.Clone(r.Named)
	return r
}

// Embed returns one unit vector a text, in order. A name that is empty, or that
// the model fails on, gets the zero vector; a question's text that it fails on
// is ErrNoVector, since the answer would rest on it.
func (e *Embedder) Embed(ctx context.Context, kind embed.Kind, texts []string) ([][]float32, error) {
	if kind == embed.Query {
		return e.query(ctx, texts)
	}
	c := e.newCall(kind, texts)
	if err := c.run(ctx); err != nil {
		return nil, err
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	e.report.Shortened += c.shortened
	e.report.Blank += len(c.blank)
	for _, i := range c.blank[:min(len(c.blank), maxNamed-len(e.report.Named))] {
		e.report.Named = append(e.report.Named, texts[i])
	}
	return c.out, nil
}

// query embeds texts of a question, within the time that one may wait.
func (e *Embedder) query(ctx context.Context, texts []string) ([][]float32, error) {
	e.mu.Lock()
	silent := !e.silent.IsZero() && time.Since(e.silent) < silence
	e.mu.Unlock()
	if silent {
		return nil, e.tooSlow()
	}
	within, cancel := context.WithTimeout(ctx, e.queryTime)
	defer cancel()
	c := e.newCall(embed.Query, texts)
	err := c.run(within)
	switch {
	case ctx.Err() != nil:
		return nil, ctx.Err()
	case err != nil && within.Err() != nil:
		e.mu.Lock()
		e.silent = time.Now()
		e.mu.Unlock()
		return nil, e.tooSlow()
	case err != nil:
		return nil, err
	case len(c.blank) > 0:
		return nil, &llm.Error{
			Kind: ErrNoVector, Detail: fmt.Sprintf("for %s", llm.Quote(texts[c.blank[0]], 80)),
			Remedy: "rephrase it, or choose another embedding model",
		}
	}
	return c.out, nil
}

func (e *Embedder) tooSlow() error {
	return &llm.Error{
		Kind: llm.ErrNotRunning, Detail: fmt.Sprintf("with a vector by %s within %v", e.model, e.queryTime),
		Remedy: "try again in a moment, or choose a smaller embedding model",
	}
}

// unit scales v to unit length and reports whether it is finite and not zero.
func unit(v []float32) bool {
	vec.Normalize(v)
	return slices.ContainsFunc(v, func(x float32) bool { return x != 0 })
}

// readable returns a text as it is sent: valid, without space around it, and of
// bounded length. cut says that it was longer.
func readable(text string) (s string, cut bool) {
	s = strings.TrimSpace(strings.ToValidUTF8(text, "\uFFFD"))
	short := beginning(s, maxText)
	return short, len(short) < len(s)
}

// beginning returns at most n characters of a text, up to the end of a word
// where a space comes in their second half.
func beginning(s string, n int) string {
	if utf8.RuneCountInString(s) <= n {
		return s
	}
	end, i := len(s), 0
	for at := range s {
		if i == n {
			end = at
			break
		}
		i++
	}
	if space := strings.LastIndexAny(s[:end], " \t\n\u3000"); space > end/2 {
		end = space
	}
	return strings.TrimSpace(s[:end])
}

// ModelOf returns the name of the model in the id of an Ollama embedder; false
// for the id of another one.
func ModelOf(id string) (model string, ok bool) {
	p, ok := parseID(id)
	return p.model, ok
}

type idParts struct {
	model, weights string
	dims           int
	prefixes       string
}

func parseID(id string) (p idParts, ok bool) {
	rest, ok := strings.CutPrefix(id, idPrefix)
	parts := strings.Split(rest, "/") // a model's name may have slashes too
	n := len(parts) - 3
	if !ok || n < 1 {
		return idParts{}, false
	}
	dims, err := strconv.Atoi(parts[n+1])
	if err != nil || dims <= 0 {
		return idParts{}, false
	}
	return idParts{strings.Join(parts[:n], "/"), parts[n], dims, parts[n+2]}, true
}
