package fakeollama_test

import (
	"context"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"github.com/ollama/ollama/api"

	"cairn/internal/testing/fakeollama"
)

func client(t *testing.T, s *fakeollama.Server) *api.Client {
	t.Helper()
	u, err := url.Parse(s.URL)
	if err != nil {
		t.Fatal(err)
	}
	return api.NewClient(u, &http.Client{})
}

func say(ctx context.Context, c *api.Client, r *api.ChatRequest) (text, reason string, err error) {
	r.Messages = append(r.Messages, api.Message{Role: "user", Content: "go"})
	err = c.Chat(ctx, r, func(r api.ChatResponse) error {
		text += r.Message.Content
		reason += r.DoneReason
		return nil
	})
	return text, reason, err
}

func TestRepliesStreamedAndNot(t *testing.T) {
	fake := fakeollama.New(t).Model("m", fakeollama.Script{Replies: []string{"Grüß Gott, Österreich", "two"}})
	c := client(t, fake)
	no := false
	for i, test := range []struct {
		stream *bool
		want   string
	}{{nil, "Grüß Gott, Österreich"}, {&no, "two"}, {nil, "two"}} {
		text, reason, err := say(t.Context(), c, &api.ChatRequest{Model: "m", Stream: test.stream})
		if text != test.want || reason != "stop" || err != nil {
			t.Errorf("chat %d = %q, %q, %v; want %q", i, text, reason, err, test.want)
		}
	}
	if got := fake.Chats(); len(got) != 3 || got[2].Prompt != "go" {
		t.Errorf("Chats = %+v", got)
	}
}

func TestSameWordsAreNear(t *testing.T) {
	fake := fakeollama.New(t).Model("e", fakeollama.Script{Embeds: true})
	r, err := client(t, fake).Embed(t.Context(), &api.EmbedRequest{Model: "e", Input: []string{"graph of ideas", "the graph of an idea", "yellow bananas"}})
	if err != nil {
		t.Fatal(err)
	}
	dot := func(a, b []float32) (d float32) {
		for i := range a {
			d += a[i] * b[i]
		}
		return d
	}
	if near, far := dot(r.Embeddings[0], r.Embeddings[1]), dot(r.Embeddings[0], r.Embeddings[2]); near <= far {
		t.Errorf("similar texts %v, others %v", near, far)
	}
}

func TestStopAndStart(t *testing.T) {
	fake := fakeollama.New(t).Model("m", fakeollama.Script{Reply: "yes"})
	c := client(t, fake)
	fake.Stop()
	if _, _, err := say(t.Context(), c, &api.ChatRequest{Model: "m"}); err == nil || !strings.Contains(err.Error(), "refused") {
		t.Errorf("chat with a stopped server: %v", err)
	}
	fake.Start()
	if text, _, err := say(t.Context(), c, &api.ChatRequest{Model: "m"}); text != "yes" || err != nil {
		t.Errorf("chat = %q, %v", text, err)
	}
}

func TestPull(t *testing.T) {
	fake := fakeollama.New(t)
	fake.Library("small", fakeollama.Script{Reply: "here"})
	c := client(t, fake)
	last := ""
	if err := c.Pull(t.Context(), &api.PullRequest{Model: "small"}, func(p api.ProgressResponse) error { last = p.Status; return nil }); err != nil || last != "success" {
		t.Fatalf("Pull: %v, ending with %q", err, last)
	}
	if text, _, err := say(t.Context(), c, &api.ChatRequest{Model: "small"}); text != "here" || err != nil {
		t.Errorf("chat = %q, %v", text, err)
	}
}
