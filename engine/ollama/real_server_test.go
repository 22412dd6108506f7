package ollama_test

import (
	"context"
	"encoding/json"
	"errors"
	"math"
	"net"
	"slices"
	"strings"
	"testing"
	"time"

	"cairn/engine/llm"
	"cairn/engine/ollama"
	"cairn/internal/testing/ollamatest"
	"cairn/internal/testing/tinymodel"
)

func TestRealDetails(t *testing.T) {
	s := ollamatest.Shared(t)
	talks, embeds := s.Install(t, tinymodel.Script("words")), s.Install(t, tinymodel.Embed())
	c := client(t, s)
	if v, err := c.Version(t.Context()); err != nil || v == "" {
		t.Errorf("Version = %q, %v", v, err)
	}
	list, err := c.Models(t.Context())
	if err != nil {
		t.Fatalf("Models: %v", err)
	}
	for _, name := range []string{talks, embeds} {
		at := slices.IndexFunc(list, func(m ollama.ModelInfo) bool { return m.Name == name+":latest" })
		if at < 0 || list[at].Size == 0 || list[at].Digest == "" {
			t.Errorf("Models = %+v, want %s with its size and digest", list, name)
		}
	}
	d, err := c.Details(t.Context(), talks)
	if err != nil || !d.Completes || d.Embeds || d.Thinks || d.Context != 1<<15 || d.Digest == "" {
		t.Errorf("Details(a model that talks) = %+v, %v", d, err)
	}
	d, err = c.Details(t.Context(), embeds)
	if err != nil || d.Completes || !d.Embeds || d.Context != tinymodel.EmbedContext || d.Dims != tinymodel.EmbedDims {
		t.Errorf("Details(a model that embeds) = %+v, %v", d, err)
	}
	if _, err := c.Details(t.Context(), "nobody"); !errors.Is(err, llm.ErrNoSuchModel) {
		t.Errorf("Details(no model): %v", err)
	}
}

func TestRealModelReplaced(t *testing.T) {
	s := ollamatest.Start(t)
	c := client(t, s)
	s.InstallAs(t, "same-name", tinymodel.Script("the old one"), nil)
	m := ask(t, s, "same-name")
	before, err := c.Details(t.Context(), "same-name")
	if err != nil {
		t.Fatal(err)
	}
	if got, err := m.Ask(t.Context(), llm.Request{Prompt: "go"}); err != nil || got.Text != "the old one" {
		t.Fatalf("Ask = %q, %v", got.Text, err)
	}
	s.InstallAs(t, "same-name", tinymodel.Script("the new one"), nil)
	after, err := c.Details(t.Context(), "same-name")
	if err != nil || after.Digest == before.Digest {
		t.Errorf("the digest stays %q, %v", after.Digest, err)
	}
	var sent []llm.Exchange
	ctx := llm.WithTrace(t.Context(), func(x llm.Exchange) { sent = append(sent, x) })
	if got, err := m.Ask(ctx, llm.Request{Prompt: "go"}); err != nil || got.Text != "the new one" {
		t.Errorf("Ask = %q, %v", got.Text, err)
	}
	if len(sent) != 1 || sent[0].Digest != after.Digest {
		t.Errorf("on record: %+v, want the digest %s", sent, after.Digest)
	}
}

func TestRealPullThatReachesNobody(t *testing.T) {
	s := ollamatest.Shared(t)
	// A registry of our own, so that no test ever asks the real one.
	err := client(t, s).Pull(t.Context(), "127.0.0.1:1/library/nothing", nil)
	if !errors.Is(err, llm.ErrPull) || !strings.Contains(err.Error(), "internet") {
		t.Errorf("Pull: %v, want ErrPull and a remedy", err)
	}
	if err := client(t, s).Pull(t.Context(), "no such name", nil); !errors.Is(err, llm.ErrPull) {
		t.Errorf("Pull of a bad name: %v, want ErrPull", err)
	}
}

func TestRealPullIsCancelled(t *testing.T) {
	s := ollamatest.Shared(t)
	mute, err := (&net.ListenConfig{}).Listen(t.Context(), "tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer mute.Close() // it takes connections and says nothing
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	var at time.Time
	time.AfterFunc(200*time.Millisecond, func() {
		at = time.Now()
		cancel()
	})
	err = client(t, s).Pull(ctx, mute.Addr().String()+"/library/slow", nil)
	if took := time.Since(at); !errors.Is(err, context.Canceled) || took > hurry {
		t.Errorf("Pull = %v, %v after the cancel", err, took)
	}
}

func TestRealEmbeddings(t *testing.T) {
	s := ollamatest.Shared(t)
	c, name := client(t, s), s.Install(t, tinymodel.Embed())
	texts := []string{"graph of ideas", "yellow bananas", "", "the graph of an idea", "Wien"}
	vectors, err := c.Embed(t.Context(), name, texts)
	if err != nil || len(vectors) != len(texts) {
		t.Fatalf("Embed = %d vectors, %v", len(vectors), err)
	}
	for i, v := range vectors {
		if length := dot(v, v); len(v) != tinymodel.EmbedDims || math.Abs(length-1) > 1e-3 {
			t.Errorf("%q: %d numbers of length² %.4f", texts[i], len(v), length)
		}
		alone, err := c.Embed(t.Context(), name, texts[i:i+1])
		if err != nil || dot(alone[0], v) < 1-1e-5 {
			t.Errorf("%q alone is another vector: %v", texts[i], err)
		}
	}
	if near, far := dot(vectors[0], vectors[3]), dot(vectors[0], vectors[1]); near < far+0.2 {
		t.Errorf("what shares words is at %.2f, what does not at %.2f", near, far)
	}
	many := make([]string, 300)
	for i := range many {
		many[i] = texts[i%2]
	}
	vectors, err = c.Embed(t.Context(), name, many)
	if err != nil {
		t.Fatal(err)
	}
	for i, v := range vectors {
		if dot(v, vectors[i%2]) < 1-1e-5 {
			t.Fatalf("vector %d is not that of its text", i)
		}
	}
}

func dot(a, b []float32) (sum float64) {
	for i := range a {
		sum += float64(a[i]) * float64(b[i])
	}
	return sum
}

func TestRealEmbeddingsThatFail(t *testing.T) {
	s := ollamatest.Shared(t)
	c, name := client(t, s), s.Install(t, tinymodel.Embed())
	for what, test := range map[string]struct {
		model string
		texts []string
		want  error
	}{
		"a text that is too long":              {name, []string{"fine", strings.Repeat("word ", 600)}, llm.ErrPromptTooLong},
		"a text of words that it knows not":    {name, []string{"fine", strings.Repeat("слово ", 600)}, llm.ErrPromptTooLong},
		"a model that is not there":            {"nobody", []string{"fine"}, llm.ErrNoSuchModel},
		"a model that talks, which makes some": {s.Install(t, tinymodel.Script("words")), []string{"fine"}, nil},
	} {
		if got, err := c.Embed(t.Context(), test.model, test.texts); !errors.Is(err, test.want) {
			t.Errorf("%s: %d vectors, %v; want %v", what, len(got), err, test.want)
		}
	}
	if got, err := c.Embed(t.Context(), name, nil); err != nil || len(got) != 0 {
		t.Errorf("no texts: %d vectors, %v", len(got), err)
	}
}

func TestRealTalkAndEmbeddingsShareTheServer(t *testing.T) {
	s := ollamatest.Start(t)
	c := client(t, s)
	talks, embeds := s.Install(t, tinymodel.Script("words")), s.Install(t, tinymodel.Embed())
	m, err := c.Model(talks, ollama.ModelOptions{NumCtx: realContext})
	if err != nil {
		t.Fatal(err)
	}
	for range 3 {
		if _, err := m.Ask(t.Context(), llm.Request{Prompt: "go"}); err != nil {
			t.Fatal(err)
		}
		if _, err := c.Embed(t.Context(), embeds, []string{"a", "b"}); err != nil {
			t.Fatal(err)
		}
		// The model that talks embeds as well, with the context that it is loaded with.
		if _, err := c.Embed(t.Context(), talks, []string{"a"}); err != nil {
			t.Fatal(err)
		}
	}
	if n := loads(s); n != 2 {
		t.Errorf("the two models were loaded %d times", n)
	}
}

func TestRealExchangeIsOnRecord(t *testing.T) {
	m := realModel(t, ollamatest.Shared(t), tinymodel.Script("for the record"))
	var record []llm.Exchange
	ctx := llm.WithTrace(t.Context(), func(x llm.Exchange) { record = append(record, x) })
	reply, err := m.Ask(ctx, llm.Request{Purpose: "test", Prompt: "A \"quoted\"\nquestion?", Left: "nothing"})
	if err != nil || len(record) != 1 {
		t.Fatalf("Ask: %v, with %d exchanges", err, len(record))
	}
	x := record[0]
	var sent struct {
		Messages []struct{ Role, Content string }
		Options  map[string]any
	}
	if err := json.Unmarshal([]byte(x.Sent), &sent); err != nil {
		t.Fatalf("what was sent is no JSON: %v", err)
	}
	if len(sent.Messages) != 1 || sent.Messages[0].Content != "A \"quoted\"\nquestion?" || sent.Options["num_ctx"] != float64(realContext) {
		t.Errorf("sent %s", x.Sent)
	}
	if x.Purpose != "test" || x.Left != "nothing" || x.Reply != reply.Text || x.PromptTokens != reply.PromptTokens || x.ReplyTokens != reply.ReplyTokens || x.Digest == "" || x.Err != "" || x.Duration == 0 {
		t.Errorf("on record: %+v", x)
	}
}
