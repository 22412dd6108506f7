package ollama

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"cairn/engine/llm"
	"cairn/engine/outbound"
	"cairn/internal/testing/fakeollama"
)

func TestModelsDetailsVersion(t *testing.T) {
	fake := fakeollama.New(t).
		Model("qwen3:4b", fakeollama.Script{Size: 42, Thinks: true}).
		Model("gemma3:latest", fakeollama.Script{Parameters: "4.3B", Quantization: "Q4_K_M", Context: 131072, Dims: 2560}).
		Model("nomic-embed-text:latest", fakeollama.Script{Embeds: true, Context: 2048, Dims: 768})
	s := serverAt(t, fake.URL)
	got, err := s.Models(t.Context())
	if err != nil {
		t.Fatalf("Models: %v", err)
	}
	want := []ModelInfo{
		{Name: "gemma3:latest", Parameters: "4.3B", Quantization: "Q4_K_M"},
		{Name: "nomic-embed-text:latest"},
		{Name: "qwen3:4b", Size: 42},
	}
	if diff := cmp.Diff(want, got, cmpopts.IgnoreFields(ModelInfo{}, "Digest")); diff != "" {
		t.Errorf("Models (-want +got):\n%s", diff)
	}
	for name, want := range map[string]Details{
		"gemma3":                     {Name: "gemma3:latest", Context: 131072, Dims: 2560, Completes: true},
		"registry.ollama.ai/x":       {},
		"nomic-embed-text":           {Name: "nomic-embed-text:latest", Context: 2048, Dims: 768, Embeds: true},
		"qwen3:4b":                   {Name: "qwen3:4b", Context: 32768, Dims: 64, Completes: true, Thinks: true},
		"nomic-embed-text:v1.5-none": {},
	} {
		d, err := s.Details(t.Context(), name)
		if (err != nil) != (want.Name == "") || err == nil && d.Digest == "" {
			t.Errorf("Details(%q) = %+v, %v", name, d, err)
		}
		d.Digest = ""
		if diff := cmp.Diff(want, d); diff != "" {
			t.Errorf("Details(%q) (-want +got):\n%s", name, diff)
		}
	}
	if v, err := s.Version(t.Context()); v != "0.17.4" || err != nil {
		t.Errorf("Version = %q, %v", v, err)
	}
}

func TestFullName(t *testing.T) {
	for in, want := range map[string]string{
		"gemma3": "gemma3:latest", "Gemma3:4B": "gemma3:4b", "library/gemma3": "gemma3:latest",
		"registry.ollama.ai/library/gemma3:4b": "gemma3:4b", "hf.co/x/y": "hf.co/x/y:latest", "localhost:5000/y": "localhost:5000/y:latest",
	} {
		if got := fullName(in); got != want {
			t.Errorf("fullName(%q) = %q, want %q", in, got, want)
		}
	}
}

func TestPull(t *testing.T) {
	fake := fakeollama.New(t)
	fake.Library("qwen3:4b", fakeollama.Script{Reply: "here"})
	s := serverAt(t, fake.URL)
	var steps []Pulling
	if err := s.Pull(t.Context(), "qwen3:4b", func(p Pulling) { steps = append(steps, p) }); err != nil {
		t.Fatalf("Pull: %v", err)
	}
	if n := len(steps); n < 4 || steps[n-1].Status != "success" || steps[n-4].Done != steps[n-4].Total || steps[n-4].Total == 0 {
		t.Errorf("progress = %+v, want bytes up to all of them, and success", steps)
	}
	if ms, err := s.Models(t.Context()); err != nil || len(ms) != 1 {
		t.Errorf("Models = %v, %v", ms, err)
	}

	ctx, cancel := context.WithCancel(t.Context())
	var at time.Time
	err := s.Pull(ctx, "qwen3:4b", func(p Pulling) {
		if p.Done > 0 && at.IsZero() {
			at = time.Now()
			cancel()
		}
	})
	wantError(t, "Pull, cancelled", err, context.Canceled)
	// The promise is 100 ms; a machine that is busy with other tests gets more.
	if took := time.Since(at); took > time.Second {
		t.Errorf("Pull returned %v after it was cancelled", took)
	}

	for message, words := range map[string]string{
		"pull model manifest: file does not exist":                                                          "ollama.com/library",
		"write /root/.ollama/models/blobs/sha256-1-partial: no space left on device":                        "disk is full",
		"pull model manifest: 412: the model you are attempting to pull requires a newer version of Ollama": "newest Ollama",
		"max retries exceeded: dial tcp 1.2.3.4:443: i/o timeout":                                           "internet",
		fakeollama.NoNetwork: "internet",
	} {
		fake.FailPulls(message)
		wantError(t, "Pull", s.Pull(t.Context(), "qwen3:4b", nil), llm.ErrPull, words)
	}
	fake.FailPulls("")
	wantError(t, "Pull of no name", s.Pull(t.Context(), " ", nil), llm.ErrPull, "qwen3:4b")
	wantError(t, "Pull of an unknown one", s.Pull(t.Context(), "no:such", nil), llm.ErrPull, "no model named no:such")
	fake.Fail("/api/pull", fakeollama.HTML)
	wantError(t, "Pull from a router", s.Pull(t.Context(), "qwen3:4b", nil), llm.ErrNotOllama)
	fake.CutPulls()
	wantError(t, "Pull, cut", s.Pull(t.Context(), "qwen3:4b", nil), llm.ErrPull, "parts already downloaded are kept")
	fake.Stop()
	wantError(t, "Pull from nobody", s.Pull(t.Context(), "qwen3:4b", nil), llm.ErrNotRunning)
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
	for _, bad := range []string{"ftp://x", "http://", "http://user:pw@localhost", "http://a b", "localhost:port", "http://münchen.lan"} {
		if _, _, err := Host(bad); !errors.Is(err, llm.ErrHost) {
			t.Errorf("Host(%q) error = %v, want ErrHost", bad, err)
		}
	}
	_, err := NewServer("192.168.1.7", ServerOptions{})
	wantError(t, "NewServer of another machine", err, llm.ErrHost, "leave this one")
	if _, err := NewServer("192.168.1.7", ServerOptions{AllowRemote: true}); err != nil {
		t.Errorf("NewServer of another machine, allowed: %v", err)
	}
}

// A server that cannot be reached is explained by what the network said.
func TestUnreachable(t *testing.T) {
	plain := fakeollama.New(t)
	secure := httptest.NewUnstartedServer(http.NotFoundHandler())
	secure.Config.ErrorLog = slog.NewLogLogger(slog.DiscardHandler, slog.LevelError) // what clients think of its certificate
	secure.StartTLS()
	defer secure.Close()
	gate := func(err error) *outbound.Gate {
		return &outbound.Gate{
			Dial: func(context.Context, string, string) (net.Conn, error) { return nil, err },
			Lookup: func(context.Context, string) ([]net.IPAddr, error) {
				return nil, &net.DNSError{Err: "no such host", IsNotFound: true}
			},
		}
	}
	refused := &net.OpError{Op: "dial", Err: syscall.ECONNREFUSED}
	for _, test := range []struct {
		name, host string
		gate       *outbound.Gate
		kind       error
		words      string
	}{
		{"not running", "", gate(refused), llm.ErrNotRunning, "start it with `ollama serve`"},
		{"not running elsewhere", "http://10.0.0.1", gate(refused), llm.ErrNotRunning, "firewall"},
		{"no such machine", "http://none.lan", gate(refused), llm.ErrNotRunning, "unknown host name"},
		{"denied", "", gate(outbound.ErrDenied), llm.ErrHost, "cannot be connected to"},
		{"it does not use encryption", strings.Replace(plain.URL, "http:", "https:", 1), nil, llm.ErrNotOllama, "http://"},
		{"nobody vouches for it", secure.URL, nil, llm.ErrHost, "certificate"},
		{"broken off", "", gate(io.EOF), llm.ErrNotRunning, "closed the connection"},
	} {
		t.Run(test.name, func(t *testing.T) {
			s, err := NewServer(test.host, ServerOptions{AllowRemote: true, Gate: test.gate, RetryWait: time.Millisecond})
			if err != nil {
				t.Fatal(err)
			}
			_, err = s.Models(t.Context())
			wantError(t, "Models", err, test.kind, test.words)
			_, err = s.Version(t.Context())
			wantError(t, "Version", err, test.kind, test.words)
			_, err = s.Embed(t.Context(), "m", []string{"a"})
			wantError(t, "Embed", err, test.kind, test.words)
		})
	}
	var certificate *tls.CertificateVerificationError
	_, err := mustServer(t, secure.URL).Models(t.Context())
	if unknown := (x509.UnknownAuthorityError{}); !errors.As(err, &certificate) || !errors.As(err, &unknown) {
		t.Errorf("Models: the cause of %v is not kept for the log", err)
	}
}

func mustServer(t *testing.T, host string) *Server {
	t.Helper()
	s, err := NewServer(host, ServerOptions{AllowRemote: true})
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// Requests go through the gate that the server was given, to its address only.
func TestServerUsesItsGate(t *testing.T) {
	fake := fakeollama.New(t).Model("m", fakeollama.Script{Reply: "ok"})
	gate := new(outbound.Gate)
	s, err := NewServer(fake.URL, ServerOptions{Gate: gate})
	if err != nil {
		t.Fatal(err)
	}
	m, err := s.Model("m", ModelOptions{})
	if err != nil {
		t.Fatal(err)
	}
	wantReply(t, m, llm.Request{Prompt: "p"}, "ok")
	got := gate.Contacts()
	if len(got) != 1 || got[0].Address != strings.TrimPrefix(fake.URL, "http://") || !got[0].Local || got[0].Dialled < 1 || got[0].LookedUp+got[0].Denied != 0 {
		t.Errorf("Contacts = %+v", got)
	}
}
