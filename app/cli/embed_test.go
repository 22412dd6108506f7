package cli

import (
	"context"
	"strings"
	"testing"

	"cairn/app/cli/command"
	"cairn/internal/testing/fakeollama"
	"cairn/internal/testing/golden"
)

// TestEmbedTranscript switches a graph to a model's vectors and back, as on a
// terminal.
func TestEmbedTranscript(t *testing.T) {
	dir := home(t)
	s := fakeollama.New(t).Model("names:latest", fakeollama.Script{Embeds: true}).Model("chat:latest", fakeollama.Script{NoEmbeddings: true})
	t.Setenv("OLLAMA_HOST", s.URL)
	graph := smallGraph(t, dir)
	const pattern = "(Slovennia) -capitol-> (?city)"
	steps := func(want string) {
		t.Helper()
		if _, out, errs := start(t.Context(), "ask", graph, "--explain", "--pattern", pattern); !strings.Contains(out, want) {
			t.Errorf("the steps do not say %q:\n%s%s", want, out, errs)
		}
	}
	var out strings.Builder
	run := func(args ...string) { out.WriteString(cairn(t, dir, args...)) }
	run("embed", graph)
	run("embed", graph, "--model", "nosuch")
	run("embed", graph, "--model", "chat")
	run("embed", graph, "--model", "names", "--list")
	run("embed", graph, "--model", "names")
	run("embed", graph, "--model", "names")
	run("embed", graph, "--list")
	run("embed", graph, "--delete", "names")
	run("ask", graph, "--pattern", pattern)
	steps("were matched with names:latest embeddings.")
	s.Stop()
	run("embed", graph)
	run("ask", graph, "--pattern", pattern)
	steps("The built-in embedder is used instead of names:latest: no Ollama server responds")
	run("embed", graph, "--model", "names")
	run("embed", graph, "--built-in")
	run("embed", graph, "--delete", "other")
	run("embed", graph, "--delete", "names")
	run("embed", graph)
	text := strings.ReplaceAll(out.String(), s.URL, "HOST")
	golden.Compare(t, "testdata/embed.txt", rates.ReplaceAllString(text, "0 per second"))
}

func TestEmbedInterrupted(t *testing.T) {
	dir := home(t)
	graph := smallGraph(t, dir)
	s := fakeollama.New(t).Model("names:latest", fakeollama.Script{Embeds: true})
	t.Setenv("OLLAMA_HOST", s.URL)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if code, out, errs := start(ctx, "embed", graph, "--model", "names"); code != command.ExitInterrupted {
		t.Errorf("exit code %d\n%s%s", code, out, errs)
	}
}
