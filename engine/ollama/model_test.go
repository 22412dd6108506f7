package ollama

import (
	"context"
	"encoding/json"
	"errors"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"cairn/engine/llm"
	"cairn/engine/outbound"
	"cairn/internal/testing/fakeollama"
)

func serverAt(t *testing.T, host string) *Server {
	t.Helper()
	s, err := NewServer(host, ServerOptions{RetryWait: time.Millisecond})
	if err != nil {
		t.Fatalf("NewServer: %v", err)
	}
	return s
}

// modelAt returns the model "m" of a server.
func modelAt(t *testing.T, host string, o ModelOptions) *Model {
	t.Helper()
	m, err := serverAt(t, host).Model("m", o)
	if err != nil {
		t.Fatalf("Model: %v", err)
	}
	return m
}

func TestAsk(t *testing.T) {
	m, fake := served(t, fakeollama.Script{Reply: "<think>hm</think>\n" + `{"city": "Vienna"}`})
	var seen strings.Builder
	var told []llm.Exchange
	got, err := m.Ask(llm.WithTrace(t.Context(), func(x llm.Exchange) { told = append(told, x) }), llm.Request{
		Purpose: "answer", Left: "12 triples were left out", Prompt: "p", Schema: json.RawMessage(`{"type":"object"}`),
		MaxTokens: 50, Seed: 7, OnToken: func(s string) { seen.WriteString(s) },
	})
	if err != nil {
		t.Fatalf("Ask: %v", err)
	}
	if diff := cmp.Diff(llm.Reply{Text: `{"city": "Vienna"}`, Thought: "hm", PromptTokens: 9, ReplyTokens: 12}, got, cmpopts.IgnoreFields(llm.Reply{}, "Duration")); diff != "" {
		t.Errorf("Ask (-want +got):\n%s", diff)
	}
	if seen.String() != `{"city": "Vienna"}` {
		t.Errorf("tokens shown: %q, want no thoughts", seen.String())
	}
	c := fake.Chats()[0]
	want := map[string]any{"num_ctx": 8192.0, "num_predict": 50.0, "temperature": 0.0, "seed": 7.0}
	if diff := cmp.Diff(want, c.Options); diff != "" || string(c.Schema) != `{"type":"object"}` || c.Prompt != "p" {
		t.Errorf("chat = %+v; options (-want +got):\n%s", c, diff)
	}
	d, err := m.Server().Details(t.Context(), "m")
	if err != nil {
		t.Fatal(err)
	}
	wantTold := []llm.Exchange{{
		Purpose: "answer", Model: "m", Digest: d.Digest, Host: fake.URL, Left: "12 triples were left out",
		Sent:  string(fake.Received("/api/chat")[0].Body),
		Reply: "<think>hm</think>\n" + `{"city": "Vienna"}`, Estimated: 65, PromptTokens: 9, ReplyTokens: 12,
	}}
	if diff := cmp.Diff(wantTold, told, cmpopts.IgnoreFields(llm.Exchange{}, "Began", "Duration")); diff != "" || told[0].Duration <= 0 || told[0].Began.IsZero() {
		t.Errorf("traced (-want +got):\n%s", diff)
	}
}

func TestEveryTryIsTraced(t *testing.T) {
	m, fake := served(t, says(fakeollama.Answer{Text: "Vie", Fault: fakeollama.Killed}, fakeollama.Answer{Text: "Vienna"}))
	fake.Fail("/api/chat", fakeollama.Busy)
	var told []llm.Exchange
	ctx := llm.WithTrace(t.Context(), func(x llm.Exchange) { told = append(told, x) })
	if _, err := m.Ask(ctx, llm.Request{Prompt: "a label <<<\"with\" {everything} & ünïcode\x00>>>\n"}); err != nil {
		t.Fatal(err)
	}
	if _, err := m.Server().Embed(ctx, "m", []string{"a", "b"}); err != nil {
		t.Fatal(err)
	}
	received := append(fake.Received("/api/chat"), fake.Received("/api/embed")...)
	if len(told) != 4 || len(received) != 4 {
		t.Fatalf("%d exchanges of %d requests, want 4", len(told), len(received))
	}
	for i, x := range told {
		if x.Sent != string(received[i].Body) {
			t.Errorf("exchange %d tells\n%s\nand what was sent is\n%s", i, x.Sent, received[i].Body)
		}
		if failed := i < 2; failed != (x.Err != "") {
			t.Errorf("exchange %d has the error %q", i, x.Err)
		}
	}
	if told[3].Purpose != "embedding" || told[3].Reply != "(vectors: 2, of 64 numbers)" {
		t.Errorf("the embedding's exchange: %+v", told[3])
	}
}

func TestAskFailures(t *testing.T) {
	tests := []struct {
		name  string
		fault fakeollama.Fault
		kind  error
		text  string // in the sentence
	}{
		{"out of memory", fakeollama.NoMemory, llm.ErrServer, "smaller model"},
		{"cloud is off", fakeollama.Forbidden, llm.ErrHost, "runs on another host"},
		{"sign-in", fakeollama.SignIn, llm.ErrServer, "requires a login"},
		{"busy", fakeollama.Busy, llm.ErrBusy, "in a moment"},
		{"refused as too long", fakeollama.TooLong, llm.ErrPromptTooLong, "shorter question"},
		{"bad schema", fakeollama.BadSchema, llm.ErrServer, "newest Ollama"},
	}
	raw := []string{"json:", "dial", "EOF", "net/http", "GiB", "goroutine", "context deadline"}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			m, _ := served(t, says(fakeollama.Answer{Text: "half", Fault: test.fault}))
			r, err := m.Ask(t.Context(), llm.Request{Prompt: "p"})
			wantError(t, "Ask", err, test.kind, test.text)
			if r.Text != "" {
				t.Errorf("Ask = %+v beside an error", r)
			}
			for _, word := range raw {
				if strings.Contains(err.Error(), word) {
					t.Errorf("%q is for programmers: it says %q", err, word)
				}
			}
		})
	}
}

func TestAskPromptTooLongIsNotSent(t *testing.T) {
	m, fake := served(t, fakeollama.Script{Reply: "ok"})
	_, err := m.Ask(t.Context(), llm.Request{Prompt: strings.Repeat("long ", 5000)})
	wantError(t, "Ask", err, llm.ErrPromptTooLong, "8192", "shorter question")
	if n := len(fake.Received("")); n != 0 {
		t.Errorf("%d requests were sent", n)
	}
}

func TestRetriesTellWhoeverShowsTokens(t *testing.T) {
	script := says(fakeollama.Answer{Text: "Vienna or Graz", Fault: fakeollama.Cut}, fakeollama.Answer{Text: "Vienna"})
	t.Run("told", func(t *testing.T) {
		m, _ := served(t, script)
		var shown strings.Builder
		var why []error
		wantReply(t, m, llm.Request{
			Prompt:  "p",
			OnToken: func(s string) { shown.WriteString(s) },
			OnRetry: func(err error) {
				why = append(why, err)
				shown.Reset()
			},
		}, "Vienna")
		if len(why) != 1 || !errors.Is(why[0], llm.ErrCut) || shown.String() != "Vienna" {
			t.Errorf("shown %q after %v", shown.String(), why)
		}
	})
	t.Run("untold", func(t *testing.T) {
		m, fake := served(t, script)
		_, err := m.Ask(t.Context(), llm.Request{Prompt: "p", OnToken: func(string) {}})
		wantError(t, "Ask", err, llm.ErrCut)
		if n := len(fake.Chats()); n != 1 {
			t.Errorf("%d tries, want 1: what was shown cannot be taken back", n)
		}
	})
	t.Run("nothing shown yet", func(t *testing.T) {
		m, fake := served(t, script)
		fake.Fail("/api/chat", fakeollama.Busy)
		_, err := m.Ask(t.Context(), llm.Request{Prompt: "p", OnToken: func(string) {}})
		wantError(t, "Ask", err, llm.ErrCut)
		if n := len(fake.Chats()); n != 2 {
			t.Errorf("%d tries, want 2", n)
		}
	})
}

// Every place where a request can be is left within 100 ms.
func TestAskCancelIsQuick(t *testing.T) {
	stalled := says(fakeollama.Answer{Text: "Vienna is it", Fault: fakeollama.Stalled})
	for name, prepare := range map[string]func(t *testing.T) (*Model, *fakeollama.Server){
		"before the server says that it is there": func(t *testing.T) (*Model, *fakeollama.Server) {
			t.Helper()
			m, fake := served(t, stalled)
			fake.Fail("/", fakeollama.Silent)
			return m, fake
		},
		"listing":        withFault("/api/tags", fakeollama.Silent),
		"showing":        withFault("/api/show", fakeollama.Silent),
		"before headers": withFault("/api/chat", fakeollama.Silent),
		"mid-stream": func(t *testing.T) (*Model, *fakeollama.Server) {
			t.Helper()
			return served(t, stalled)
		},
		"waiting to try again": func(t *testing.T) (*Model, *fakeollama.Server) {
			t.Helper()
			m, fake := served(t, stalled)
			m.server.opts.RetryWait = time.Hour
			fake.Fail("/api/chat", fakeollama.Busy)
			return m, fake
		},
		"dialling": func(t *testing.T) (*Model, *fakeollama.Server) {
			t.Helper()
			gate := &outbound.Gate{Dial: func(ctx context.Context, _, _ string) (net.Conn, error) {
				select { // net/http lets a dial go on for the next request
				case <-ctx.Done():
				case <-t.Context().Done():
				}
				return nil, context.Canceled
			}}
			s, err := NewServer("", ServerOptions{Gate: gate})
			if err != nil {
				t.Fatal(err)
			}
			m, err := s.Model("m", ModelOptions{})
			if err != nil {
				t.Fatal(err)
			}
			return m, nil
		},
	} {
		t.Run(name, func(t *testing.T) {
			m, _ := prepare(t)
			ctx, cancel := context.WithCancel(t.Context())
			var cancelled time.Time
			time.AfterFunc(50*time.Millisecond, func() {
				cancelled = time.Now()
				cancel()
			})
			_, err := m.Ask(ctx, llm.Request{Prompt: "p"})
			// The promise is 100 ms; a machine that is busy with other tests gets more.
			if took := time.Since(cancelled); took > time.Second {
				t.Errorf("Ask returned %v after it was cancelled", took)
			}
			wantError(t, "Ask", err, context.Canceled)
		})
	}
}

func withFault(path string, f fakeollama.Fault) func(t *testing.T) (*Model, *fakeollama.Server) {
	return func(t *testing.T) (*Model, *fakeollama.Server) {
		t.Helper()
		m, fake := served(t, fakeollama.Script{Reply: "ok"})
		fake.Fail(path, f)
		return m, fake
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
	m := modelAt(t, silent.URL, ModelOptions{})
	began := time.Now()
	for range 2 { // the second is not waited for
		_, err := m.Ask(t.Context(), llm.Request{Prompt: "p"})
		wantError(t, "Ask", err, llm.ErrNotRunning, "within 3s")
	}
	if took := time.Since(began); took > 2*aliveWithin {
		t.Errorf("that took %v", took)
	}
}

// A model that a server runs elsewhere is refused before anything is sent.
func TestModelThatRunsElsewhere(t *testing.T) {
	m, fake := served(t, fakeollama.Script{Reply: "x", Remote: "https://ollama.com"})
	_, err := m.Ask(t.Context(), llm.Request{Prompt: "secret"})
	wantError(t, "Ask", err, llm.ErrHost, "https://ollama.com", "leave this computer")
	_, err = m.Server().Embed(t.Context(), "m", []string{"secret"})
	wantError(t, "Embed", err, llm.ErrHost, "leave this computer")
	for _, r := range fake.Received("") {
		if strings.Contains(string(r.Body), "secret") {
			t.Errorf("%s was sent %s", r.Path, r.Body)
		}
	}
	if _, err := serverAt(t, "").Model("gpt-oss:120b-cloud", ModelOptions{}); !errors.Is(err, llm.ErrHost) {
		t.Errorf("Model: %v, want ErrHost", err)
	}
	s, err := NewServer(fake.URL, ServerOptions{AllowRemote: true})
	if err != nil {
		t.Fatal(err)
	}
	allowed, err := s.Model("m", ModelOptions{})
	if err != nil {
		t.Fatal(err)
	}
	wantReply(t, allowed, llm.Request{Prompt: "p"}, "x")
}

// A model that is pulled anew and a server that is restarted are noticed.
func TestModelAndServerChangeBetweenCalls(t *testing.T) {
	m, fake := served(t, fakeollama.Script{Reply: "old", Context: 4096})
	var digests []string
	ctx := llm.WithTrace(t.Context(), func(x llm.Exchange) { digests = append(digests, x.Digest) })
	ask := func(want string, numCtx float64) {
		t.Helper()
		r, err := m.Ask(ctx, llm.Request{Prompt: "p"})
		if c := fake.Chats(); err != nil || r.Text != want || c[len(c)-1].Number("num_ctx") != numCtx {
			t.Errorf("Ask = %q, %v; want %q with num_ctx %v of %+v", r.Text, err, want, numCtx, c)
		}
	}
	ask("old", 4096)
	fake.Model("m", fakeollama.Script{Reply: "new", Context: 2048})
	ask("new", 2048)
	if len(digests) != 2 || digests[0] == digests[1] {
		t.Errorf("digests = %q, want two", digests)
	}
	fake.Stop()
	fake.SetVersion("0.30.1")
	fake.Start()
	ask("new", 2048)
	if v, err := m.Server().Version(t.Context()); v != "0.30.1" || err != nil {
		t.Errorf("Version = %q, %v", v, err)
	}
	fake.Remove("m")
	_, err := m.Ask(ctx, llm.Request{Prompt: "p"})
	wantError(t, "Ask", err, llm.ErrNoSuchModel, "ollama pull m")
}

func TestAskConcurrently(t *testing.T) {
	m, _ := served(t, fakeollama.Script{Reply: `{"a": 1}`, Thought: "hm"})
	var all sync.WaitGroup
	for range 16 {
		all.Go(func() {
			if r, err := m.Ask(t.Context(), llm.Request{Prompt: "p"}); err != nil || r.Text != `{"a": 1}` {
				t.Errorf("Ask = %+v, %v", r, err)
			}
			m.Room(llm.Request{Prompt: "p"})
		})
	}
	all.Wait()
}
