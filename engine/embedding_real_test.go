package engine

import (
	"context"
	"strings"
	"testing"

	"cairn/engine/ollama"
	"cairn/engine/pattern"
	"cairn/internal/testing/ollamatest"
	"cairn/internal/testing/tinymodel"
)

// realEmbedder is an embedder by the tiny model of a real server.
func realEmbedder(t *testing.T, s *ollamatest.Server) *ollama.Embedder {
	t.Helper()
	server, err := ollama.NewServer(s.Host(), ollama.ServerOptions{})
	if err != nil {
		t.Fatal(err)
	}
	e, err := ollama.NewEmbedder(t.Context(), server, s.Install(t, tinymodel.Embed()))
	if err != nil {
		t.Fatal(err)
	}
	return e
}

func TestRealSampleWithAnotherEmbedder(t *testing.T) {
	s := ollamatest.Start(t)
	e := openSample(t)
	_, written, of := rightOnTour(t, e)
	if err := e.SetEmbedder(t.Context(), realEmbedder(t, s), nil); err != nil {
		t.Fatal(err)
	}
	a, w, _ := rightOnTour(t, e)
	t.Logf("tiny model: %d of %d right as asked, %d as written patterns (built in: %d)", a, of, w, written)
	if a != of || w < written-1 {
		t.Errorf("tiny model: %d of %d right as asked, %d as written patterns; the built-in embedder has %d", a, of, w, written)
	}

	// The server dies; the next question is answered all the same, and says so.
	s.Kill()
	p, err := pattern.ParseText("(Mongolja) -capitol-> (?city)")
	if err != nil {
		t.Fatal(err)
	}
	follow := func() *Run {
		t.Helper()
		run, err := e.FollowPattern(context.Background(), "capital?", p, AskOptions{}, nil)
		if err != nil {
			t.Fatal(err)
		}
		return run
	}
	if run := follow(); !strings.Contains(run.Vectors, "built-in embedder is used instead of tiny-") {
		t.Errorf("the server is dead: %q", run.Vectors)
	}
	s.Restart(t)
	if run := follow(); !strings.Contains(run.Vectors, "matched with tiny-") {
		t.Errorf("the server is back: %q", run.Vectors)
	}
}
