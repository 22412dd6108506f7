package ollama_test

import (
	"context"
	"errors"
	"fmt"
	"hash/fnv"
	"math"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"

	"cairn/engine/embed"
	"cairn/engine/llm"
	"cairn/engine/ollama"
	"cairn/engine/vec"
)

// server is an ollama.Server whose vectors are of words: every word adds a place.
type server struct {
	dims   int
	digest string
	// spoils reports how a text spoils the request that it is in; nil for not.
	spoils func(text string) error
	// scale multiplies vectors, as servers do that do not normalise.
	scale float32
	// after is called after each request with its number, from 1 on.
	after func(n int)
	slow  time.Duration

	mu       sync.Mutex
	requests [][]string
}

func (s *server) Details(ctx context.Context, model string) (ollama.Details, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return ollama.Details{Name: model, Digest: s.digest, Dims: s.dims, Embeds: true}, ctx.Err()
}

func (s *server) Embed(ctx context.Context, model string, texts []string) ([][]float32, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.slow > 0 {
		select {
		case <-ctx.Done():
			return nil, ctx.Err()
		case <-time.After(s.slow):
		}
	}
	s.requests = append(s.requests, slices.Clone(texts))
	if s.after != nil {
		defer s.after(len(s.requests))
	}
	out := make([][]float32, len(texts))
	for i, text := range texts {
		if text == "" {
			return nil, errors.New("an empty text was sent")
		}
		if s.spoils != nil {
			if err := s.spoils(text); err != nil {
				return nil, err
			}
		}
		out[i] = words(text, s.dims)
		for j := range out[i] {
			out[i][j] *= s.scale
		}
	}
	return out, ctx.Err()
}

func embedAll(tb testing.TB, e embed.Embedder, texts ...string) [][]float32 {
	tb.Helper()
	vs, err := e.Embed(tb.Context(), embed.Document, texts)
	if err != nil {
		tb.Fatalf("Embed: %v", err)
	}
	return vs
}

// words is a vector of a text: its words, each in a place.
func words(text string, dims int) []float32 {
	v := make([]float32, dims)
	for w := range strings.FieldsSeq(strings.ToLower(text)) {
		h := fnv.New32a()
		_, _ = h.Write([]byte(w))
		v[h.Sum32()%uint32(dims)]++
	}
	return v
}

func refused(text string) error {
	return &llm.Error{Kind: llm.ErrServer, Detail: fmt.Sprintf("(%.20q)", text)}
}

func unsuited(string) error { return &llm.Error{Kind: llm.ErrUnsuited} }

func tooLong(string) error { return &llm.Error{Kind: llm.ErrPromptTooLong} }

// has returns a spoils function for texts that contain a part.
func has(part string, err func(string) error) func(string) error {
	return func(text string) error {
		if strings.Contains(text, part) {
			return err(text)
		}
		return nil
	}
}

func newServer() *server { return &server{dims: 64, digest: "aa11", scale: 3} }

func newOllama(t *testing.T, s *server, model string) *ollama.Embedder {
	t.Helper()
	e, err := ollama.NewEmbedder(t.Context(), s, model)
	if err != nil {
		t.Fatalf("New: %v", err)
	}
	s.requests = nil
	return e
}

// TestVectorsAreOfUnitLengthAndInOrder also sends what people have as
// names.
func TestVectorsAreOfUnitLengthAndInOrder(t *testing.T) {
	s := newServer()
	e := newOllama(t, s, "all-minilm").Batches(3, 1<<10)
	texts := []string{
		"Mongolia", "", "  \t ", `a "quoted" {label}`, "two\nlines", "🙂🙂 emoji", "首都 日本", "Mongolia", "bad \xff bytes",
		strings.Repeat("long ", 1000),
	}
	vs := embedAll(t, e, texts...)
	for i, v := range vs {
		want := float32(1)
		if strings.TrimSpace(texts[i]) == "" {
			want = 0
		}
		if got := vec.Norm(v); len(v) != 64 || math.Abs(float64(got-want)) > 1e-6 {
			t.Errorf("%.20q: %d numbers of length %v, want 64 of length %v", texts[i], len(v), got, want)
		}
	}
	if !slices.Equal(vs[0], vs[7]) || slices.Equal(vs[0], vs[3]) {
		t.Error("the vectors are not in the order of the texts")
	}
	for _, r := range s.requests {
		for _, text := range r {
			if len(r) > 3 || text == "" || !utf8.ValidString(text) || utf8.RuneCountInString(text) > 2000 {
				t.Errorf("a request of %d texts with %.20q of %d bytes", len(r), text, len(text))
			}
		}
	}
	if got := e.Report(); got.Shortened != 1 || got.Blank != 0 {
		t.Errorf("Report = %+v, want 1 shortened", got)
	}
}

func TestBatchesByBytes(t *testing.T) {
	s := newServer()
	e := newOllama(t, s, "all-minilm").Batches(64, 25)
	embedAll(t, e, "0123456789", "0123456789", "0123456789", strings.Repeat("x", 100), "y")
	var sizes []int
	for _, r := range s.requests {
		sizes = append(sizes, len(r))
	}
	if want := []int{2, 1, 1, 1}; !slices.Equal(sizes, want) {
		t.Errorf("texts a request: %v, want %v", sizes, want)
	}
}

// TestOneBadTextSpoilsNoOther puts texts that fail at every place of a
// batch: all others get the vectors that they would have got without.
func TestOneBadTextSpoilsNoOther(t *testing.T) {
	for _, kind := range []func(string) error{refused, tooLong} {
		for n := 1; n <= 9; n++ {
			for bad := range n {
				s := newServer()
				s.spoils = has("BAD", kind)
				e := newOllama(t, s, "all-minilm")
				texts := make([]string, n)
				for i := range texts {
					texts[i] = fmt.Sprintf("name number%d", i)
				}
				texts[bad] = "BAD"
				for i, v := range embedAll(t, e, texts...) {
					want := words(texts[i], 64)
					vec.Normalize(want)
					if i == bad {
						clear(want)
					}
					if !slices.Equal(v, want) {
						t.Fatalf("%d texts, text %d is bad: text %d has another vector", n, bad, i)
					}
				}
				if diff := cmp.Diff(ollama.EmbedReport{Blank: 1, Named: []string{"BAD"}}, e.Report()); diff != "" {
					t.Fatalf("Report (-want +got):\n%s", diff)
				}
			}
		}
	}
}

// TestLongTextIsEmbeddedByItsBeginning is the server's refusal of long
// texts in scripts that the model does not know, with and without spaces.
func TestLongTextIsEmbeddedByItsBeginning(t *testing.T) {
	for _, word := range []string{"слово ", "词", "🙂 "} {
		s := newServer()
		s.spoils = func(text string) error {
			if utf8.RuneCountInString(text) > 256 {
				return tooLong(text)
			}
			return nil
		}
		e := newOllama(t, s, "all-minilm")
		vs := embedAll(t, e, "before", strings.Repeat(word, 600), "after")
		if vec.Norm(vs[1]) == 0 || e.Report().Shortened != 1 || e.Report().Blank != 0 {
			t.Errorf("%q × 600: length %v, report %+v; want its beginning embedded", word, vec.Norm(vs[1]), e.Report())
		}
	}
}

// TestShortTextIsNotHalved: half of a name is another name.
func TestShortTextIsNotHalved(t *testing.T) {
	s := newServer()
	s.spoils = has("BAD", refused)
	e := newOllama(t, s, "all-minilm")
	if vs := embedAll(t, e, "New BAD City"); vec.Norm(vs[0]) != 0 || len(s.requests) != 1 {
		t.Errorf("a short name that fails: length %v after %d requests, want 0 after 1", vec.Norm(vs[0]), len(s.requests))
	}
}

// TestStopsWhereTheModelItselfFails does not ask thousands of times.
func TestStopsWhereTheModelItselfFails(t *testing.T) {
	s := newServer()
	e := newOllama(t, s, "all-minilm")
	s.spoils = refused
	texts := slices.Repeat([]string{"name"}, 64)
	if _, err := e.Embed(t.Context(), embed.Document, texts); !errors.Is(err, llm.ErrServer) {
		t.Errorf("error = %v, want %v", err, llm.ErrServer)
	}
	if len(s.requests) > 30 {
		t.Errorf("%d requests to a model that fails on everything", len(s.requests))
	}
}

func TestModelThatChangesIsAnotherEmbedder(t *testing.T) {
	for what, change := range map[string]func(s *server){
		"pulled anew":           func(s *server) { s.digest = "bb22" },
		"vectors of other dims": func(s *server) { s.dims = 32 },
	} {
		s := newServer()
		e := newOllama(t, s, "all-minilm").Batches(1, 1<<10)
		s.after = func(n int) {
			if n == 2 {
				change(s)
			}
		}
		for _, kind := range []embed.Kind{embed.Document, embed.Query} {
			if _, err := e.Embed(t.Context(), kind, []string{"a", "b", "c"}); !errors.Is(err, ollama.ErrChanged) {
				t.Errorf("%s, kind %d: error = %v, want %v", what, kind, err, ollama.ErrChanged)
			}
		}
		s.after = nil
		if now := newOllama(t, s, "all-minilm"); now.ID() == e.ID() {
			t.Errorf("%s: both have the id %s", what, e.ID())
		}
	}
}

func TestID(t *testing.T) {
	s := newServer()
	s.digest = "sha256:aa11"
	e := newOllama(t, s, "nomic-embed-text")
	if got, want := e.ID(), "ollama/nomic-embed-text:latest/aa11/64/nomic-1"; got != want {
		t.Errorf("ID = %s, want %s", got, want)
	}
	if other := newOllama(t, s, "nomic-embed-text:latest"); other.ID() != e.ID() {
		t.Errorf("with its tag written out: %s, want %s", other.ID(), e.ID())
	}
	long := newOllama(t, s, "hf.co/someone/multilingual-e5-small-GGUF:Q8_0")
	for _, x := range []struct {
		id, model string
		ok        bool
	}{
		{e.ID(), "nomic-embed-text:latest", true},
		{long.ID(), "hf.co/someone/multilingual-e5-small-GGUF:Q8_0", true},
		{"lexical-1-00ff", "", false},
		{"ollama/short", "", false},
	} {
		if model, ok := ollama.ModelOf(x.id); model != x.model || ok != x.ok {
			t.Errorf("ModelOf(%s) = %s, %v, want %s, %v", x.id, model, ok, x.model, x.ok)
		}
	}
}

func TestPrefixes(t *testing.T) {
	for model, want := range map[string][2]string{
		"nomic-embed-text:v1.5":                         {"search_document: x", "search_query: x"},
		"embeddinggemma:300m":                           {"task: sentence similarity | query: x", "task: sentence similarity | query: x"},
		"hf.co/intfloat/multilingual-e5-large-GGUF":     {"query: x", "query: x"},
		"e5-base-v2":                                    {"query: x", "query: x"},
		"snowflake-arctic-embed:22m":                    {"x", "Represent this sentence for searching relevant passages: x"},
		"snowflake-arctic-embed2":                       {"x", "query: x"},
		"mxbai-embed-large":                             {"x", "x"},
		"bge-m3":                                        {"x", "x"},
		"some-e5:latest":                                {"query: x", "query: x"},
		"some-base5-model":                              {"x", "x"},
		"dengcao/Qwen3-Embedding-0.6B:F16":              {"x", "Instruct: Given a name or a phrase, retrieve the names that mean the same\nQuery:x"},
		"registry.example:5000/nomic-embed-text/finetu": {"x", "x"},
	} {
		s := newServer()
		e := newOllama(t, s, model)
		var got [2]string
		for i, kind := range []embed.Kind{embed.Document, embed.Query} {
			if _, err := e.Embed(t.Context(), kind, []string{"x"}); err != nil {
				t.Fatal(err)
			}
			got[i] = s.requests[i][0]
		}
		if got != want {
			t.Errorf("%s is sent %q, want %q", model, got, want)
		}
	}
}

func TestNewRefuses(t *testing.T) {
	for what, c := range map[string]struct {
		model string
		s     *server
		want  error
	}{
		"no name":          {" ", newServer(), llm.ErrNoSuchModel},
		"no embeddings":    {"chat", &server{dims: 64, spoils: unsuited}, ollama.ErrNoEmbeddings},
		"vectors of zeros": {"broken", &server{dims: 64, scale: 0}, ollama.ErrNoEmbeddings},
		"empty vectors":    {"broken", &server{dims: 0, spoils: nil}, ollama.ErrNoEmbeddings},
		"NaN":              {"broken", &server{dims: 64, scale: float32(math.NaN())}, ollama.ErrNoEmbeddings},
		"infinite":         {"broken", &server{dims: 64, scale: float32(math.Inf(1))}, ollama.ErrNoEmbeddings},
		"not running": {"any", &server{dims: 64, spoils: func(string) error {
			return &llm.Error{Kind: llm.ErrNotRunning}
		}}, llm.ErrNotRunning},
	} {
		if c.s.dims == 0 {
			c.s = &server{spoils: func(string) error { return nil }, dims: 0, scale: 1}
		}
		if _, err := newOrPanic(t.Context(), c.s, c.model); !errors.Is(err, c.want) {
			t.Errorf("%s: error = %v, want %v", what, err, c.want)
		}
	}
}

// newOrPanic keeps the fake's own division by zero out of the test.
func newOrPanic(ctx context.Context, s *server, model string) (*ollama.Embedder, error) {
	if s.dims == 0 {
		return ollama.NewEmbedder(ctx, emptyVectors{s}, model)
	}
	return ollama.NewEmbedder(ctx, s, model)
}

type emptyVectors struct{ *server }

func (emptyVectors) Embed(_ context.Context, _ string, texts []string) ([][]float32, error) {
	return make([][]float32, len(texts)), nil
}

// TestQuestionWaitsOnlySoLong: a server that is silent is not waited for
// again right away.
func TestQuestionWaitsOnlySoLong(t *testing.T) {
	s := newServer()
	e := newOllama(t, s, "all-minilm").QueryWithin(30 * time.Millisecond)
	s.slow = time.Minute
	for range 2 {
		if _, err := e.Embed(t.Context(), embed.Query, []string{"x"}); !errors.Is(err, llm.ErrNotRunning) {
			t.Errorf("error = %v, want %v", err, llm.ErrNotRunning)
		}
	}
	if len(s.requests) != 0 {
		t.Errorf("%d requests were answered", len(s.requests))
	}
}

func TestQuestionWithoutVectorIsAnError(t *testing.T) {
	s := newServer()
	e := newOllama(t, s, "all-minilm")
	s.spoils = has("BAD", refused)
	if _, err := e.Embed(t.Context(), embed.Query, []string{"BAD"}); !errors.Is(err, ollama.ErrNoVector) {
		t.Errorf("error = %v, want %v", err, ollama.ErrNoVector)
	}
}

func TestCancel(t *testing.T) {
	s := newServer()
	e := newOllama(t, s, "all-minilm").Batches(1, 1<<10)
	s.slow = 20 * time.Millisecond // each of 1000 requests
	ctx, cancel := context.WithCancel(t.Context())
	time.AfterFunc(50*time.Millisecond, cancel)
	start := time.Now()
	_, err := e.Embed(ctx, embed.Document, slices.Repeat([]string{"x"}, 1000))
	if !errors.Is(err, context.Canceled) || time.Since(start) > 5*time.Second {
		t.Errorf("cancelled after 50 ms: %v after %v", err, time.Since(start))
	}
}
