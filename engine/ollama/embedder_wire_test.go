package ollama_test

import (
	"errors"
	"math"
	"slices"
	"strings"
	"testing"

	"cairn/engine/embed"
	"cairn/engine/llm"
	"cairn/engine/ollama"
	"cairn/engine/vec"
	"cairn/internal/testing/fakeollama"
)

// overWire is an embedder that asks a fake server as it would a real one.
func overWire(t *testing.T, s *fakeollama.Server, model string) (*ollama.Embedder, error) {
	t.Helper()
	server, err := ollama.NewServer(s.URL, ollama.ServerOptions{})
	if err != nil {
		t.Fatal(err)
	}
	return ollama.NewEmbedder(t.Context(), server, model)
}

func TestWireOneTextThatIsNotANumber(t *testing.T) {
	nan := fakeollama.Script{Embeds: true, Dims: 8, Embed: func(text string) []float32 {
		v := words(text, 8)
		vec.Normalize(v)
		if text == "Nan" {
			v[0] = float32(math.NaN())
		}
		return v
	}}
	e, err := overWire(t, fakeollama.New(t).Model("m:latest", nan), "m")
	if err != nil {
		t.Fatal(err)
	}
	vs := embedAll(t, e, "Ann", "Nan", "Bob", "Cid")
	for i, want := range []float32{1, 0, 1, 1} {
		if got := vec.Norm(vs[i]); math.Abs(float64(got-want)) > 1e-6 {
			t.Errorf("text %d: length %v, want %v", i, got, want)
		}
	}
	if r := e.Report(); r.Blank != 1 || r.Named[0] != "Nan" {
		t.Errorf("Report = %+v, want Nan without a vector", r)
	}
}

func TestWireLongNamesInOtherScripts(t *testing.T) {
	s := fakeollama.New(t).Model("m:latest", fakeollama.Script{Embeds: true, Context: 256})
	e, err := overWire(t, s, "m")
	if err != nil {
		t.Fatal(err)
	}
	for _, v := range embedAll(t, e, strings.Repeat("слово ", 600), strings.Repeat("首都", 2500), strings.Repeat("word ", 1000)) {
		if vec.Norm(v) == 0 {
			t.Error("a long name has no vector")
		}
	}
	if r := e.Report(); r.Shortened != 3 || r.Blank != 0 {
		t.Errorf("Report = %+v, want 3 shortened", r)
	}
}

func TestWireWhatIsNoEmbeddingModel(t *testing.T) {
	s := fakeollama.New(t).Model("chat:latest", fakeollama.Script{NoEmbeddings: true})
	for model, want := range map[string]error{"chat": ollama.ErrNoEmbeddings, "nosuch": llm.ErrNoSuchModel} {
		if _, err := overWire(t, s, model); !errors.Is(err, want) {
			t.Errorf("%s: error = %v, want %v", model, err, want)
		}
	}
	s.Stop()
	if _, err := overWire(t, s, "chat"); !errors.Is(err, llm.ErrNotRunning) {
		t.Errorf("stopped: error = %v, want %v", err, llm.ErrNotRunning)
	}
}

// TestWireReopen finds the embedder again by its id, without loading the model.
func TestWireReopen(t *testing.T) {
	small := fakeollama.Script{Embeds: true, Dims: 8}
	s := fakeollama.New(t).Model("hf.co/some/e5-one:Q8_0", small)
	e, err := overWire(t, s, "hf.co/some/e5-one:Q8_0")
	if err != nil {
		t.Fatal(err)
	}
	server, err := ollama.NewServer(s.URL, ollama.ServerOptions{})
	if err != nil {
		t.Fatal(err)
	}
	asked := len(s.Received("/api/embed"))
	again, err := ollama.ReopenEmbedder(t.Context(), server, e.ID())
	if err != nil || again.ID() != e.ID() || len(s.Received("/api/embed")) != asked {
		t.Fatalf("ReopenOllama: %v, %d vectors asked for", err, len(s.Received("/api/embed"))-asked)
	}
	if a, b := embedAll(t, e, "Ann")[0], embedAll(t, again, "Ann")[0]; !slices.Equal(a, b) {
		t.Errorf("%v and %v", a, b)
	}
	for id, want := range map[string]error{
		strings.Replace(e.ID(), "/8/", "/16/", 1):    nil, // found out with the first vector
		strings.Replace(e.ID(), "e5-1", "e5-0", 1):   ollama.ErrChanged,
		strings.Replace(e.ID(), "one:", "two:", 1):   llm.ErrNoSuchModel,
		strings.Replace(e.ID(), "/8/", "/eight/", 1): nil,
	} {
		other, err := ollama.ReopenEmbedder(t.Context(), server, id)
		if err == nil {
			_, err = other.Embed(t.Context(), embed.Document, []string{"Ann"})
		}
		if err == nil || want != nil && !errors.Is(err, want) {
			t.Errorf("%s: error = %v, want %v", id, err, want)
		}
	}
	s.Model("hf.co/some/e5-one:Q8_0", small)
	if _, err := ollama.ReopenEmbedder(t.Context(), server, e.ID()); !errors.Is(err, ollama.ErrChanged) {
		t.Errorf("pulled anew: %v, want %v", err, ollama.ErrChanged)
	}
}

// TestWireServerChangesUnderway: whatever happens to it, no vector of another
// kind comes back.
func TestWireServerChangesUnderway(t *testing.T) {
	small := fakeollama.Script{Embeds: true, Dims: 8}
	for what, c := range map[string]struct {
		change func(s *fakeollama.Server)
		want   error // nil where it is survived
	}{
		"pulled anew":        {func(s *fakeollama.Server) { s.Model("m:latest", small) }, ollama.ErrChanged},
		"other dims":         {func(s *fakeollama.Server) { s.Model("m:latest", fakeollama.Script{Embeds: true, Dims: 16}) }, ollama.ErrChanged},
		"removed":            {func(s *fakeollama.Server) { s.Remove("m:latest") }, llm.ErrNoSuchModel},
		"stopped":            {func(s *fakeollama.Server) { s.Stop() }, llm.ErrNotRunning},
		"another program":    {func(s *fakeollama.Server) { s.Fail("/api/embed", fakeollama.HTML) }, llm.ErrNotOllama},
		"runner killed":      {func(s *fakeollama.Server) { s.Fail("/api/embed", fakeollama.Stopped) }, nil},
		"connection cut":     {func(s *fakeollama.Server) { s.Fail("/api/embed", fakeollama.Hangup) }, nil},
		"started once more":  {func(s *fakeollama.Server) { s.Stop(); s.Start() }, nil},
		"queue full a while": {func(s *fakeollama.Server) { s.Fail("/api/embed", fakeollama.Busy) }, nil},
	} {
		s := fakeollama.New(t).Model("m:latest", small)
		e, err := overWire(t, s, "m")
		if err != nil {
			t.Fatal(err)
		}
		c.change(s)
		vs, err := e.Embed(t.Context(), embed.Document, []string{"Ann", "Bob"})
		if !errors.Is(err, c.want) {
			t.Errorf("%s: error = %v, want %v", what, err, c.want)
		}
		if err == nil && (len(vs) != 2 || len(vs[1]) != 8 || vec.Norm(vs[1]) == 0) {
			t.Errorf("%s: %v", what, vs)
		}
	}
}
