package cli

import (
	"encoding/json"
	"strings"
	"testing"

	"cairn/app/cli/command"
	"cairn/internal/testing/fakeollama"
)

func TestModelsList(t *testing.T) {
	home(t)
	fake := fakeollama.New(t)
	code, out, _ := start(t.Context(), "models", "--host", fake.URL)
	if code != 0 || !strings.Contains(out, "has no model. Get one with cairn models pull") {
		t.Errorf("no model: exit code %d:\n%s", code, out)
	}
	fake.Model("qwen3:4b", fakeollama.Script{}).Model("nomic-embed-text:latest", fakeollama.Script{Embeds: true})
	code, out, _ = start(t.Context(), "models", "list", "--host", fake.URL)
	if code != 0 || !strings.Contains(out, "qwen3:4b") || !strings.Contains(out, "Names: turns names into vectors") {
		t.Errorf("two models: exit code %d:\n%s", code, out)
	}
	code, out, _ = start(t.Context(), "models", "list", "--json", "--host", fake.URL)
	var list []listedModel
	if err := json.Unmarshal([]byte(out), &list); code != 0 || err != nil || len(list) != 2 || list[0].Details == nil || !list[0].Details.Embeds {
		t.Errorf("as JSON: exit code %d, %v:\n%s", code, err, out)
	}
}

func TestModelsTest(t *testing.T) {
	home(t)
	fake := fakeollama.New(t).Model("chatty:1b", fakeollama.Script{Reply: "Gladly! Here is a poem."}).
		Model("letters:latest", fakeollama.Script{Embeds: true})
	code, out, _ := start(t.Context(), "models", "test", "chatty:1b", "--host", fake.URL)
	if code != command.ExitNoAnswer || !strings.Contains(out, "Not suitable: it does not write valid JSON") || !strings.Contains(out, "✗ A pattern of one step") {
		t.Errorf("a model that chats: exit code %d:\n%s", code, out)
	}
	code, out, _ = start(t.Context(), "models", "test", "letters", "--json", "--host", fake.URL)
	var report struct {
		Words  string
		Digest string
		Dims   int
	}
	if err := json.Unmarshal([]byte(out), &report); code != 0 || err != nil || report.Dims != 64 || report.Digest == "" || report.Words == "" {
		t.Errorf("an embedding model: exit code %d, %v, %+v:\n%s", code, err, report, out)
	}
	code, _, errs := start(t.Context(), "models", "test", "gone:7b", "--host", fake.URL)
	if code != command.ExitFailed || !strings.Contains(errs, "gone:7b") || strings.Contains(strings.ReplaceAll(errs, fake.URL, ""), "404") {
		t.Errorf("a model that does not exist: exit code %d: %s", code, errs)
	}
}

func TestModelsPull(t *testing.T) {
	home(t)
	fake := fakeollama.New(t)
	fake.Library("qwen3:4b", fakeollama.Script{})
	code, out, errs := start(t.Context(), "models", "pull", "qwen3:4b", "--host", fake.URL)
	if code != 0 || !strings.Contains(out, "Ollama now has qwen3:4b.") {
		t.Errorf("pull: exit code %d:\n%s%s", code, out, errs)
	}
	code, _, errs = start(t.Context(), "models", "pull", "nonesuch:1b", "--host", fake.URL)
	if code != command.ExitFailed || !strings.Contains(errs, "no model named nonesuch:1b") {
		t.Errorf("pull of an unknown model: exit code %d: %s", code, errs)
	}
	code, _, errs = start(t.Context(), "models", "--host", "192.0.2.1")
	if code != command.ExitUsage || !strings.Contains(errs, "--allow-remote") {
		t.Errorf("another computer: exit code %d: %s", code, errs)
	}
}
