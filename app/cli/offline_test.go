package cli

import (
	"context"
	"errors"
	"net"
	"net/http"
	"path/filepath"
	"strings"
	"testing"

	"cairn/assets/sample"
	"cairn/engine/outbound"
	"cairn/internal/testing/fakeollama"
)

// errOffline is what every way to a network ends with in an offline test.
var errOffline = errors.New("there is no network in this test")

type noTransport struct{ t *testing.T }

func (n noTransport) RoundTrip(r *http.Request) (*http.Response, error) {
	n.t.Errorf("something sent a request to %s past the gate", r.URL)
	return nil, errOffline
}

// offline closes every way to a network: the program's gate, and what a library
// might use behind its back. It returns how often the gate was knocked at.
func offline(t *testing.T) (knocks *int) {
	t.Helper()
	knocks = new(int)
	gate, transport, resolver := outbound.Process(), http.DefaultTransport, net.DefaultResolver
	dial, lookup := gate.Dial, gate.Lookup
	gate.Dial = func(context.Context, string, string) (net.Conn, error) {
		*knocks++
		return nil, errOffline
	}
	gate.Lookup = func(context.Context, string) ([]net.IPAddr, error) {
		t.Error("a name was looked up")
		return nil, errOffline
	}
	http.DefaultTransport = noTransport{t}
	net.DefaultResolver = &net.Resolver{PreferGo: true, Dial: func(context.Context, string, string) (net.Conn, error) {
		t.Error("a name server was asked")
		return nil, errOffline
	}}
	t.Cleanup(func() {
		gate.Dial, gate.Lookup = dial, lookup
		http.DefaultTransport, net.DefaultResolver = transport, resolver
	})
	return knocks
}

// TestMainJobNeedsNoNetwork opens the sample, answers all its questions and
// writes their reports and pictures, with every way to a network closed.
func TestMainJobNeedsNoNetwork(t *testing.T) {
	dir := home(t)
	knocks := offline(t)
	before := len(outbound.Process().Contacts())
	code, out, errs := start(t.Context(), "tour", "--out", filepath.Join(dir, "out"))
	if code != 0 || !strings.Contains(out, "index.html") {
		t.Fatalf("exit code %d\n%s%s", code, out, errs)
	}
	pages, err := filepath.Glob(filepath.Join(dir, "out", "*.html"))
	if want := len(sample.Questions()) + 1; err != nil || len(pages) != want {
		t.Errorf("%d pages were written (%v), want %d", len(pages), err, want)
	}
	small := smallGraph(t, dir) // imported
	code, out, errs = start(t.Context(), "ask", small, "What is the capital of Austria?", "--html", filepath.Join(dir, "a.html"))
	if code != 0 || !strings.Contains(out, "Vienna") {
		t.Errorf("exit code %d\n%s%s", code, out, errs)
	}
	if code, out, _ := start(t.Context(), "doctor", "--no-model"); code != 0 || !strings.Contains(out, "contacted") {
		t.Errorf("doctor: exit code %d\n%s", code, out)
	}
	if after := len(outbound.Process().Contacts()); *knocks != 0 || after != before {
		t.Errorf("the gate was knocked at %d times, and %d addresses are new: %+v", *knocks, after-before, outbound.Process().Contacts())
	}
}

// TestModelBehindAClosedGate has a model configured that cannot be reached: the
// built-in planner stands in, and says so.
func TestModelBehindAClosedGate(t *testing.T) {
	dir := home(t)
	small := smallGraph(t, dir)
	fake := fakeollama.New(t).Model("m", fakeollama.Script{Reply: "{}"})
	knocks := offline(t)
	code, out, errs := start(t.Context(), "ask", small, "What is the capital of Austria?", "--model", "m", "--host", fake.URL)
	for _, want := range []string{"Vienna", "no Ollama server responds", "without a model"} {
		if !strings.Contains(out, want) {
			t.Errorf("exit code %d, the answer lacks %q:\n%s%s", code, want, out, errs)
		}
	}
	if n := len(fake.Received("")); code != 0 || n != 0 || *knocks == 0 {
		t.Errorf("exit code %d; %d requests passed the gate, which was knocked at %d times", code, n, *knocks)
	}
}
