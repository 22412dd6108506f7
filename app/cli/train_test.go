package cli

import (
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"cairn/engine/gnnrag"
)

// TestTrainWrongly is what is said where nothing can be trained.
func TestTrainWrongly(t *testing.T) {
	dir := home(t)
	graph, questions := smallGraph(t, dir), filepath.Join(dir, "questions.csv")
	if err := os.WriteFile(questions, []byte("question,topic,answers\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	var out strings.Builder
	for _, args := range [][]string{
		{"train", "gnn", filepath.Join(dir, "nosuch.cairn")},
		{"train", "gnn", graph, "--network", "bert"},
		{"train", "gnn", graph, "--region", "circle"},
		{"train", "gnn", graph, "--epochs=-1"},
		{"train", "gnn", graph, "--questions", questions, "--generated", "100"},
		{"train", "gnn", graph, "--questions", filepath.Join(dir, "nosuch.csv")},
		{"train", "gnn", graph, "--questions", questions, "--format", "xml"},
		{"train", "gnn", graph, "--count", "10"},
		{"train", "gnn", graph, "--questions", questions, "--paraphrase"},
		{"train", "gnn", graph, "--paraphrase"},
		{"train", "gnn", graph, "--resume", "--questions", questions},
		{"train", "gnn", graph, "--resume"},
		{"train", "gnn", graph, "--list", "--use", "1"},
		{"train", "gnn", graph, "--use", "7"},
		{"train", "gnn", graph, "--delete", "7"},
		{"train", "gnn", graph, "--list"},
		{"ask", graph, "--retriever", "gnn", "--pattern", "(Austria) -capital-> (?x)"},
	} {
		out.WriteString(cairn(t, dir, args...))
	}
	golden(t, "train-wrongly.txt", out.String())
}

func TestEpochText(t *testing.T) {
	for _, test := range []struct {
		epoch gnnrag.Epoch
		want  string
	}{
		{gnnrag.Epoch{Network: 1, Networks: 1, Try: 1, Epoch: 1, Epochs: 12, Loss: 2.5}, "epoch 1 of 12: loss 2.5000"},
		{
			gnnrag.Epoch{Network: 1, Networks: 1, Try: 1, Epoch: 4, Epochs: 12, Loss: 0.125, Dev: &gnnrag.Metrics{H1: 0.975, Hit: 1, F1: 0.98}, Best: true},
			"epoch 4 of 12: loss 0.1250, Hits@1 97.5, Hit 100.0, F1 98.0, the best so far",
		},
		{
			gnnrag.Epoch{Network: 2, Networks: 2, Try: 2, Epoch: 10, Epochs: 12, Loss: 1.5, Stalled: true},
			"network 2 of 2, try 2, epoch 10 of 12: loss 1.5000; it does not get on, and is begun again with another seed",
		},
	} {
		if got := epochText(test.epoch); got != test.want {
			t.Errorf("epochText(%+v) = %q, want %q", test.epoch, got, test.want)
		}
	}
}

func TestPanicIsNoSuccess(t *testing.T) {
	home(t)
	t.Setenv("DISPLAY", ":0")
	defer func() {
		if r := recover(); r != "broken" {
			t.Errorf("recovered %v, want the panic of the window", r)
		}
	}()
	code := Program{Stdout: io.Discard, Stderr: io.Discard, Window: func(WindowOptions) error { panic("broken") }}.Run(t.Context())
	t.Errorf("a window that panics ends with code %d", code)
}
