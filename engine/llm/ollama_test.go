package llm

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// fake is a server that behaves as Ollama was seen to behave.
type fake struct {
	*httptest.Server
	chat http.HandlerFunc
	tags string
	body map[string]any // of the last chat request
}

func newFake(t *testing.T, chat http.HandlerFunc) *fake {
	t.Helper()
	f := &fake{chat: chat, tags: `{"models":[{"name":"qwen3:4b","size":42},{"name":"gemma3:4b","details":{"parameter_size":"4.3B"}}]}`}
	mux := http.NewServeMux()
	mux.HandleFunc("/api/chat", func(w http.ResponseWriter, r *http.Request) {
		if err := json.NewDecoder(r.Body).Decode(&f.body); err != nil {
			t.Errorf("the request is not JSON: %v", err)
		}
		f.chat(w, r)
	})
	mux.HandleFunc("/api/tags", func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, f.tags) })
	f.Server = httptest.NewServer(mux)
	t.Cleanup(f.Close)
	return f
}

func (f *fake) model(t *testing.T) *Ollama {
	t.Helper()
	return modelAt(t, f.URL)
}

func serverAt(t *testing.T, host string) *Server {
	t.Helper()
	s, err := NewServer(host, ServerOptions{RetryWait: time.Millisecond})
	if err != nil {
		t.Fatalf("NewServer: %v", err)
	}
	return s
}

func modelAt(t *testing.T, host string) *Ollama {
	t.Helper()
	m, err := serverAt(t, host).Model("gemma3:4b", ModelOptions{})
	if err != nil {
		t.Fatalf("Model: %v", err)
	}
	return m
}

// lines streams chat messages with the given contents, then last as it stands.
func lines(last string, contents ...string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		for _, c := range contents {
			b, _ := json.Marshal(c)
			fmt.Fprintf(w, "{\"message\":{\"role\":\"assistant\",\"content\":%s},\"done\":false}\n", b)
		}
		_, _ = io.WriteString(w, last)
	}
}

func status(code int, body string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		w.WriteHeader(code)
		_, _ = io.WriteString(w, body)
	}
}

const done = `{"message":{"content":""},"done":true,"done_reason":"stop","prompt_eval_count":12,"eval_count":3}` + "\n"

func TestAsk(t *testing.T) {
	f := newFake(t, lines(done, "<thi", "nk>hm", "</think>\n", "Vienna", " it is."))
	var seen []string
	got, err := f.model(t).Ask(t.Context(), Request{
		System: "s", Prompt: "p", Schema: json.RawMessage(`{"type":"object"}`), MaxTokens: 50, Seed: 7,
		OnToken: func(s string) { seen = append(seen, s) },
	})
	if err != nil {
		t.Fatalf("Ask: %v", err)
	}
	got.Duration = 0
	if diff := cmp.Diff(Reply{Text: "Vienna it is.", Thought: "hm", PromptTokens: 12, ReplyTokens: 3}, got); diff != "" {
		t.Errorf("Ask (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([]string{"Vienna", " it is."}, seen); diff != "" {
		t.Errorf("tokens shown (-want +got):\n%s", diff)
	}
	want := map[string]any{"num_ctx": 8192.0, "num_predict": 50.0, "temperature": 0.0, "seed": 7.0}
	if diff := cmp.Diff(want, f.body["options"]); diff != "" {
		t.Errorf("options sent (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff(map[string]any{"type": "object"}, f.body["format"]); diff != "" {
		t.Errorf("format sent (-want +got):\n%s", diff)
	}
}

func TestAskFailures(t *testing.T) {
	tests := []struct {
		name string
		chat http.HandlerFunc
		kind error
		text string // in the sentence
	}{
		{"cut stream", lines("", "Vien"), ErrCut, "try again"},
		{"token repeat ends with done false", lines(`{"message":{"content":"ha"},"done":false}`, "ha", "ha"), ErrCut, "repeated itself"},
		{"empty 200", status(200, ""), ErrServer, "empty answer"},
		{"empty 500", status(500, ""), ErrServer, "restart Ollama"},
		{"500", status(500, `{"error":"model runner has unexpectedly stopped"}`), ErrServer, "the program that runs the model stopped"},
		{"error after streaming began", lines(`{"error":"unexpected EOF"}`, "Vie"), ErrServer, "the program that runs the model stopped"},
		{"missing model", status(404, `{"error":"model 'gemma3:4b' not found"}`), ErrNoSuchModel, "qwen3:4b"},
		{"busy", status(503, `{"error":"server busy, please try again.  maximum pending requests exceeded"}`), ErrBusy, "in a moment"},
		{"HTML", status(200, "<!DOCTYPE html><html><body>router</body></html>"), ErrNotOllama, "host and port"},
		{"HTML 502", status(502, "<html>bad gateway</html>"), ErrNotOllama, "host and port"},
		{"sign-in", status(401, `{"signin_url":"https://example.com"}`), ErrServer, "sign-in"},
		{"too long says the server", status(400, `{"error":"the input length exceeds the context length"}`), ErrPromptTooLong, "shorter question"},
		{"reply at its limit", lines(`{"message":{"content":"x"},"done":true,"done_reason":"length"}`), ErrCut, "1024"},
		{"prompt cut silently", lines(`{"message":{"content":"x"},"done":true,"done_reason":"stop","prompt_eval_count":8192}`), ErrPromptTooLong, "8192"},
		{"nothing said", lines(done), ErrCut, "said nothing"},
		{"only thoughts", lines(done, "<think>and on"), ErrCut, "said nothing"},
		{"a model that runs elsewhere", lines(`{"message":{"content":"x"},"remote_host":"https://ollama.com","done":true}`), ErrHost, "leave this machine"},
		{"redirect", func(w http.ResponseWriter, r *http.Request) {
			http.Redirect(w, r, "http://example.com/", http.StatusFound)
		}, ErrNotOllama, "check the host"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			f := newFake(t, test.chat)
			r, err := f.model(t).Ask(t.Context(), Request{Prompt: "p"})
			if !errors.Is(err, test.kind) || !strings.Contains(err.Error(), test.text) {
				t.Errorf("Ask = %+v, %v; want %v with %q", r, err, test.kind, test.text)
			}
		})
	}
}

func TestAskCancelDuringStream(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	f := newFake(t, func(w http.ResponseWriter, r *http.Request) {
		lines("", "Vien")(w, r)
		if fl, ok := w.(http.Flusher); ok {
			fl.Flush()
		}
		<-r.Context().Done()
	})
	_, err := f.model(t).Ask(ctx, Request{Prompt: "p", OnToken: func(string) { cancel() }})
	if !errors.Is(err, context.Canceled) {
		t.Errorf("Ask after cancel: %v, want context.Canceled", err)
	}
}

func TestAskPromptTooLongIsNotSent(t *testing.T) {
	f := newFake(t, func(http.ResponseWriter, *http.Request) { t.Error("the prompt was sent") })
	_, err := f.model(t).Ask(t.Context(), Request{Prompt: strings.Repeat("long ", 5000)})
	if !errors.Is(err, ErrPromptTooLong) || !strings.Contains(err.Error(), "8192") {
		t.Errorf("Ask: %v, want ErrPromptTooLong with the numbers", err)
	}
}

func TestServerNotRunning(t *testing.T) {
	f := newFake(t, nil)
	f.Close()
	m := f.model(t)
	if _, err := m.Ask(t.Context(), Request{Prompt: "p"}); !errors.Is(err, ErrNotRunning) || !strings.Contains(err.Error(), "ollama serve") {
		t.Errorf("Ask: %v, want ErrNotRunning with the remedy", err)
	}
	if _, err := serverAt(t, f.URL).Models(t.Context()); !errors.Is(err, ErrNotRunning) {
		t.Errorf("Models: %v, want ErrNotRunning", err)
	}
}

func TestModels(t *testing.T) {
	f := newFake(t, nil)
	got, err := serverAt(t, f.URL).Models(t.Context())
	if err != nil {
		t.Fatalf("Models: %v", err)
	}
	want := []ModelInfo{{Name: "gemma3:4b", Parameters: "4.3B"}, {Name: "qwen3:4b", Size: 42}}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("Models (-want +got):\n%s", diff)
	}
	f.tags = "<html>a router</html>"
	if _, err := serverAt(t, f.URL).Models(t.Context()); !errors.Is(err, ErrNotOllama) {
		t.Errorf("Models of a web page: %v, want ErrNotOllama", err)
	}
}

func TestHost(t *testing.T) {
	tests := []struct {
		in, want string
		local    bool
	}{
		{"", "http://127.0.0.1:11434", true},
		{"localhost", "http://localhost:11434", true},
		{"127.0.0.1:8080", "http://127.0.0.1:8080", true},
		{"0.0.0.0:11434", "http://127.0.0.1:11434", true},
		{"::1", "http://[::1]:11434", true},
		{"[::1]:9", "http://[::1]:9", true},
		{"https://models.example.com/ollama", "https://models.example.com/ollama", false},
		{"192.168.1.7", "http://192.168.1.7:11434", false},
	}
	for _, test := range tests {
		u, local, err := Host(test.in)
		if err != nil || u.String() != test.want || local != test.local {
			t.Errorf("Host(%q) = %v, %v, %v; want %s, %v", test.in, u, local, err, test.want, test.local)
		}
	}
	for _, bad := range []string{"ftp://x", "http://", "http://user:pw@localhost", "http://a b", "localhost:port"} {
		if _, _, err := Host(bad); !errors.Is(err, ErrHost) {
			t.Errorf("Host(%q) error = %v, want ErrHost", bad, err)
		}
	}
	if _, err := NewServer("192.168.1.7", ServerOptions{}); !errors.Is(err, ErrHost) {
		t.Errorf("NewServer of another machine: %v, want ErrHost", err)
	}
	if _, err := NewServer("192.168.1.7", ServerOptions{AllowRemote: true}); err != nil {
		t.Errorf("NewServer of another machine, allowed: %v", err)
	}
	if _, err := serverAt(t, "").Model("gpt-oss:120b-cloud", ModelOptions{}); !errors.Is(err, ErrHost) {
		t.Errorf("Model that runs elsewhere: %v, want ErrHost", err)
	}
}

func TestAskCancelBeforeHeaders(t *testing.T) {
	f := newFake(t, func(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() })
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Millisecond)
	defer cancel()
	if _, err := f.model(t).Ask(ctx, Request{Prompt: "p"}); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("Ask: %v, want DeadlineExceeded", err)
	}
}

func TestServerThatSaysNothing(t *testing.T) {
	over := make(chan struct{})
	silent := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		select {
		case <-r.Context().Done():
		case <-over:
		}
	}))
	defer silent.Close()
	defer close(over)
	m := modelAt(t, silent.URL)
	began := time.Now()
	for range 2 { // the second is not waited for
		if _, err := m.Ask(t.Context(), Request{Prompt: "p"}); !errors.Is(err, ErrNotRunning) || strings.Contains(err.Error(), "deadline") {
			t.Errorf("Ask = %v, want ErrNotRunning", err)
		}
	}
	if took := time.Since(began); took > 2*aliveWithin {
		t.Errorf("that took %v", took)
	}
}

func TestReplyWithoutEnd(t *testing.T) {
	f := newFake(t, func(w http.ResponseWriter, r *http.Request) {
		for i := 0; r.Context().Err() == nil; i++ {
			fmt.Fprintf(w, "{\"message\":{\"content\":\"%d %s\"},\"done\":false}\n", i, strings.Repeat("word ", 200))
		}
	})
	if _, err := f.model(t).Ask(t.Context(), Request{Prompt: "p", MaxTokens: 50}); !errors.Is(err, ErrCut) {
		t.Errorf("Ask = %v, want ErrCut", err)
	}
}
