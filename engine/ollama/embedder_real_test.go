package ollama_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"cairn/engine/embed"
	"cairn/engine/llm"
	"cairn/engine/ollama"
	"cairn/engine/vec"
	"cairn/internal/testing/ollamatest"
	"cairn/internal/testing/shared"
	"cairn/internal/testing/tinymodel"
)

// realEmbedder is an embedder by the tiny model of a real server, under a name.
func realEmbedder(tb testing.TB, s *ollamatest.Server, model string) *ollama.Embedder {
	tb.Helper()
	server, err := ollama.NewServer(s.Host(), ollama.ServerOptions{})
	if err != nil {
		tb.Fatal(err)
	}
	e, err := ollama.NewEmbedder(tb.Context(), server, model)
	if err != nil {
		tb.Fatalf("New: %v", err)
	}
	return e
}

func TestRealVectors(t *testing.T) {
	s := ollamatest.Shared(t)
	e := realEmbedder(t, s, s.Install(t, tinymodel.Embed()))
	if !regexp.MustCompile(`^ollama/.+/[0-9a-f]{64}/64/plain-1$`).MatchString(e.ID()) || e.Dims() != tinymodel.EmbedDims {
		t.Errorf("dims %d, id %s, want the digest of the weights in it", e.Dims(), e.ID())
	}
	texts := []string{
		"Ulan Bator", "", "Ulan Bator, Mongolia", `a "quoted" {label}`, "two\nlines", "🙂", "首都",
		strings.Repeat("a name of five thousand characters ", 143), strings.Repeat("слово ", 600), strings.Repeat("首都", 1500),
		strings.Repeat("🙂 ", 600), "Francis Ford Coppola",
	}
	vs := embedAll(t, e, texts...)
	for i, v := range vs {
		if got := vec.Norm(v); (got != 0) != (texts[i] != "") {
			t.Errorf("%.20q: length %v", texts[i], got)
		}
	}
	for i, text := range texts {
		if alone := embedAll(t, e, text)[0]; vec.SquaredL2(alone, vs[i]) > 1e-6 {
			t.Errorf("%.20q has another vector alone than in a batch", text)
		}
	}
	if near, far := vec.SquaredL2(vs[0], vs[2]), vec.SquaredL2(vs[0], vs[11]); near >= far {
		t.Errorf("Ulan Bator lies %v from itself in Mongolia, and %v from a director", near, far)
	}
	if r := e.Report(); r.Blank != 0 || r.Shortened == 0 {
		t.Errorf("Report = %+v, want long texts shortened and none without a vector", r)
	}
}

func TestRealModelThatIsMissing(t *testing.T) {
	s := ollamatest.Shared(t)
	server, err := ollama.NewServer(s.Host(), ollama.ServerOptions{})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := ollama.NewEmbedder(t.Context(), server, "nosuch"); !errors.Is(err, llm.ErrNoSuchModel) {
		t.Errorf("error = %v, want %v", err, llm.ErrNoSuchModel)
	}
}

// TestRealModelPulledAnew puts another model under the name.
func TestRealModelPulledAnew(t *testing.T) {
	s := ollamatest.Shared(t)
	s.InstallAs(t, "changing", tinymodel.Embed(), nil)
	e := realEmbedder(t, s, "changing")
	s.InstallAs(t, "changing", tinymodel.Embed(), map[string]any{"num_batch": 64})
	if _, err := e.Embed(t.Context(), embed.Query, []string{"x"}); !errors.Is(err, ollama.ErrChanged) {
		t.Errorf("error = %v, want %v", err, ollama.ErrChanged)
	}
	if now := realEmbedder(t, s, "changing"); now.ID() == e.ID() {
		t.Errorf("both have the id %s", e.ID())
	}
}

// TestRealRunnerKilled: the server starts another, and nothing is lost.
func TestRealRunnerKilled(t *testing.T) {
	s := ollamatest.Start(t)
	e := realEmbedder(t, s, s.Install(t, tinymodel.Embed()))
	before := embedAll(t, e, "Ulan Bator")[0]
	done := make(chan [][]float32)
	go func() {
		vs, err := e.Embed(t.Context(), embed.Document, slices.Repeat([]string{"Ulan Bator"}, 2000))
		if err != nil {
			t.Errorf("Embed: %v", err)
		}
		done <- vs
	}()
	time.Sleep(300 * time.Millisecond)
	s.KillRunners(t)
	for i, v := range <-done {
		if !slices.Equal(v, before) {
			t.Fatalf("text %d has another vector", i)
		}
	}
	if r := e.Report(); r.Blank != 0 {
		t.Errorf("%d texts without a vector", r.Blank)
	}
}

// TestRealCancel stops in the middle of a long list.
func TestRealCancel(t *testing.T) {
	s := ollamatest.Shared(t)
	e := realEmbedder(t, s, s.Install(t, tinymodel.Embed()))
	ctx, cancel := context.WithCancel(t.Context())
	var cancelled time.Time
	time.AfterFunc(300*time.Millisecond, func() {
		cancelled = time.Now()
		cancel()
	})
	_, err := e.Embed(ctx, embed.Document, slices.Repeat([]string{"Ulan Bator"}, 20_000))
	took := time.Since(cancelled)
	t.Logf("stopped %v after the cancel", took)
	if !errors.Is(err, context.Canceled) || took > time.Second { // it takes a few ms; tests run on busy machines
		t.Errorf("%v, %v after the cancel", err, took)
	}
}

// BenchmarkRealMetaQA needs OLLAMA_BIN.
func BenchmarkRealMetaQA(b *testing.B) {
	s := ollamatest.Shared(b)
	kb, err := os.ReadFile(shared.Data(b, "metaqa/kb.txt"))
	if err != nil {
		b.Fatal(err)
	}
	var labels []string
	for line := range strings.Lines(string(kb)) {
		labels = append(labels, line[:strings.IndexByte(line, '|')])
	}
	labels = slices.Compact(labels) // a film's facts follow each other
	for _, batch := range []int{16, 64, 256} {
		b.Run(fmt.Sprintf("batch=%d", batch), func(b *testing.B) {
			server, err := ollama.NewServer(s.Host(), ollama.ServerOptions{})
			if err != nil {
				b.Fatal(err)
			}
			e, err := ollama.NewEmbedder(b.Context(), server, s.Install(b, tinymodel.Embed()))
			if err != nil {
				b.Fatal(err)
			}
			e.Batches(batch, 16<<10)
			n := 0
			for b.Loop() {
				embedAll(b, e, labels...)
				n += len(labels)
			}
			b.ReportMetric(float64(n)/b.Elapsed().Seconds(), "texts/s")
		})
	}
}
