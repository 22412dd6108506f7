package ollamatest_test

import (
	"context"
	"encoding/json"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/ollama/ollama/api"

	"cairn/internal/testing/ollamatest"
	"cairn/internal/testing/tinymodel"
)

func TestMain(m *testing.M) { os.Exit(ollamatest.Run(m)) }

// chat asks a model and returns what it said, whole or not.
func chat(t *testing.T, s *ollamatest.Server, model, prompt, schema string, options map[string]any) (said string, last api.ChatResponse) {
	t.Helper()
	req := &api.ChatRequest{Model: model, Messages: []api.Message{{Role: "user", Content: prompt}}, Options: options}
	if schema != "" {
		req.Format = json.RawMessage(schema)
	}
	err := s.API().Chat(t.Context(), req, func(r api.ChatResponse) error {
		said += r.Message.Content
		last = r
		return nil
	})
	if err != nil {
		t.Fatalf("chat with %s: %v", model, err)
	}
	return said, last
}

func TestRealScriptIsRecited(t *testing.T) {
	s := ollamatest.Shared(t)
	for _, want := range []string{
		"ok", `{"a":1}`, "Ünïcödé 日本語 🙂 text", strings.Repeat("same same same. ", 60), strings.Repeat("A long text, and more of it. ", 300),
		"line1\n\n  line2\ttab \"quoted\" \\ back",
	} {
		said, last := chat(t, s, s.Install(t, tinymodel.Script(want)), "go on", "", map[string]any{"num_predict": 3000, "temperature": 0})
		if said != want || last.DoneReason != "stop" {
			t.Errorf("it said %q (%s), want %q", said, last.DoneReason, want)
		}
	}
}

func TestRealScenesAreChosenByTheRequest(t *testing.T) {
	s := ollamatest.Shared(t)
	name := s.Install(t, tinymodel.Scenes(
		tinymodel.Scene{Cue: "You turn", Text: `{"first":true}`}, tinymodel.Scene{Cue: "Answer \"the", Text: "second"}, tinymodel.Scene{Text: "third"},
	))
	for prompt, want := range map[string]string{"You turn a question": `{"first":true}`, "Answer \"the question": "second", "else": "third"} {
		if said, _ := chat(t, s, name, prompt, "", map[string]any{"temperature": 0}); said != want {
			t.Errorf("asked %q it said %q, want %q", prompt, said, want)
		}
	}
}

func TestRealBabbleFillsAnySchema(t *testing.T) {
	s := ollamatest.Shared(t)
	name := s.Install(t, tinymodel.Babble())
	const schema = `{"type":"object","properties":{"list":{"type":"array","maxItems":4,"items":{"type":"object","properties":{
		"n":{"type":"integer"},"s":{"type":"string","maxLength":20},"b":{"type":"boolean"}},"required":["n","s","b"]}}},"required":["list"]}`
	seen := map[string]bool{}
	for seed := range 20 {
		said, last := chat(t, s, name, "go", schema, map[string]any{"seed": seed, "temperature": 1, "num_predict": 600})
		if !json.Valid([]byte(said)) || last.DoneReason != "stop" {
			t.Errorf("seed %d: %q (%s)", seed, said, last.DoneReason)
		}
		seen[said] = true
	}
	if len(seen) < 15 {
		t.Errorf("20 seeds made %d texts", len(seen))
	}
}

func TestRealEmbeddingsAreLexical(t *testing.T) {
	s := ollamatest.Shared(t)
	got, err := s.API().Embed(t.Context(), &api.EmbedRequest{
		Model: s.Install(t, tinymodel.Embed()), Input: []string{"graph of ideas", "the graph of an idea", "yellow bananas"},
	})
	if err != nil {
		t.Fatal(err)
	}
	near, far := dot(got.Embeddings[0], got.Embeddings[1]), dot(got.Embeddings[0], got.Embeddings[2])
	if len(got.Embeddings[0]) != tinymodel.EmbedDims || near < far+0.2 {
		t.Errorf("%d dims, near %.2f, far %.2f", len(got.Embeddings[0]), near, far)
	}
}

func dot(a, b []float32) (sum float32) {
	for i := range a {
		sum += a[i] * b[i]
	}
	return sum
}

func TestRealServerComesBack(t *testing.T) {
	s := ollamatest.Start(t)
	name := s.Install(t, tinymodel.Script("still here"))
	s.Kill()
	if s.API().Heartbeat(t.Context()) == nil {
		t.Fatal("a killed server answers")
	}
	s.Restart(t)
	if said, _ := chat(t, s, name, "go", "", nil); said != "still here" {
		t.Errorf("after the restart it said %q", said)
	}
	if n := s.KillRunners(t); n != 1 {
		t.Errorf("%d runners, want 1", n)
	}
	if said, _ := chat(t, s, name, "go", "", nil); said != "still here" {
		t.Errorf("after its runner was killed it said %q", said)
	}
}

func TestRealLargeModelCanBeInterrupted(t *testing.T) {
	s := ollamatest.Shared(t)
	name := s.Install(t, tinymodel.Large(3))
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	began := time.Now()
	_ = s.API().Chat(ctx, &api.ChatRequest{
		Model: name, Messages: []api.Message{{Role: "user", Content: "go"}}, Options: map[string]any{"num_predict": 4000},
	}, func(api.ChatResponse) error {
		began = time.Now()
		cancel()
		return nil
	})
	if took := time.Since(began); took > time.Second {
		t.Errorf("it went on for %v", took)
	}
}
