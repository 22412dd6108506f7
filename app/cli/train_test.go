package cli

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"cairn/app/cli/command"
	"cairn/engine/retrieve"
	"cairn/internal/testing/fakeollama"
	"cairn/internal/testing/golden"
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
		{"train", "gnn", graph, "--layers", "100000"},
		{"train", "gnn", graph, "--questions", questions, "--generated", "100"},
		{"train", "gnn", graph, "--questions", filepath.Join(dir, "nosuch.csv")},
		{"train", "gnn", graph, "--questions", questions, "--format", "xml"},
		{"train", "gnn", graph, "--count", "10"},
		{"train", "gnn", graph, "--assist"},
		{"train", "gnn", graph, "--rate", "0"},
		{"train", "gsr", graph, "--width", "13"},
		{"train", "gsr", graph, "--epochs", "1e3"},
		{"train", "gsr", graph, "--start", "base", "--width", "64"},
		{"eval", graph, questions, "--samples", "0"},
		{"train", "gnn", graph, "--resume", "--questions", questions},
		{"train", "gnn", graph, "--resume", "--network", "rearev"},
		{"train", "gnn", graph, "--resume"},
		{"train", "gnn", graph, "--encoder", "tokens,bert"},
		{"train", "gnn", graph, "--list", "--use", "1"},
		{"train", "gnn", graph, "--use", "7"},
		{"train", "gnn", graph, "--delete", "7"},
		{"train", "gnn", graph, "--delete", "0"},
		{"train", "gnn", graph, "--list"},
		{"ask", graph, "--retriever", "gnn", "--pattern", "(Austria) -capital-> (?x)"},
	} {
		out.WriteString(cairn(t, dir, args...))
	}
	golden.Compare(t, "testdata/train-wrongly.txt", out.String())
}

func TestEpochText(t *testing.T) {
	for _, test := range []struct {
		epoch retrieve.Epoch
		want  string
	}{
		{retrieve.Epoch{Part: 1, Parts: 1, Try: 1, Epoch: 1, Epochs: 12, Loss: 2.5}, "epoch 1 of 12: loss 2.5000"},
		{
			retrieve.Epoch{Part: 1, Parts: 1, Try: 1, Epoch: 4, Epochs: 12, Loss: 0.125, Dev: &retrieve.Metrics{H1: 0.975, Hit: 1, F1: 0.98}, Best: true},
			"epoch 4 of 12: loss 0.1250, Hits@1 97.5, Hit 100.0, F1 98.0, the best so far",
		},
		{
			retrieve.Epoch{Part: 2, Parts: 2, Try: 2, Epoch: 10, Epochs: 12, Loss: 1.5, Stalled: true},
			"part 2 of 2, attempt 2, epoch 10 of 12: loss 1.5000; it stalled and restarts with another seed",
		},
	} {
		if got := command.EpochText(test.epoch); got != test.want {
			t.Errorf("command.EpochText(%+v) = %q, want %q", test.epoch, got, test.want)
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
	code := Program{Stdout: io.Discard, Stderr: io.Discard, Window: func(context.Context, WindowOptions) error { panic("broken") }}.Run(t.Context())
	t.Errorf("a window that panics ends with code %d", code)
}

// filmsGraph imports twelve films, and writes a file of questions about them, one of
// which cannot be used.
func filmsGraph(t *testing.T, dir string) (graph, questions string) {
	t.Helper()
	var kb, asked strings.Builder
	asked.WriteString("question,topics,answers\n")
	for i := range 12 {
		film, director := fmt.Sprintf("Film %c", 'A'+i), fmt.Sprintf("Director %c", 'A'+i)
		fmt.Fprintf(&kb, "%s|directed_by|%s\n%s|release_year|%d\n", film, director, film, 1950+i)
		fmt.Fprintf(&asked, "who directed %s,%s,%s\nwhen did %s come out,%s,%d\n", film, film, director, film, film, 1950+i)
	}
	asked.WriteString("who directed Nowhere,Nowhere,Nobody\n")
	graph, questions = filepath.Join(dir, "films.cairn"), filepath.Join(dir, "questions.csv")
	for path, text := range map[string]string{filepath.Join(dir, "kb.txt"): kb.String(), questions: asked.String()} {
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if code, out, errs := start(t.Context(), "import", filepath.Join(dir, "kb.txt"), "--into", graph); code != command.ExitDone {
		t.Fatalf("import: exit code %d\n%s%s", code, out, errs)
	}
	return graph, questions
}

// TestTrain trains on a file of questions, asks with what was trained, trains again
// without a file, and deletes.
func TestTrain(t *testing.T) {
	dir := home(t)
	graph, questions := filmsGraph(t, dir)
	expect := func(want int, says []string, args ...string) string {
		t.Helper()
		code, out, errs := start(t.Context(), args...)
		for _, s := range says {
			if !strings.Contains(out+errs, s) {
				t.Errorf("%q does not say %q:\n%s%s", args, s, out, errs)
			}
		}
		if code != want {
			t.Errorf("%q ended with code %d, want %d:\n%s%s", args, code, want, out, errs)
		}
		return out
	}
	ask := []string{"ask", graph, "--retriever", "gnn", "Who directed Film C?"}
	expect(command.ExitInput, []string{"This retriever is not trained on this graph yet", "cairn train gnn " + graph}, ask...)
	expect(command.ExitDone, []string{
		"It learns from 22 questions of questions.csv and is measured on 2 others.", "1 question cannot be used:", "Nothing in this graph is called", "(line 26)", "epoch 1 of ", "Trained in", "number 1", "--retriever gnn",
	}, "train", "gnn", graph, "--questions", questions, "--name", "of the films")
	expect(command.ExitLikely, []string{"Director C", "Paths, by probability", "Film C — directed by → Director C [T1]"}, ask...)
	expect(command.ExitNoAnswer, nil, "ask", graph, "--retriever", "gnn", "Who are you?")

	var run runResult
	if err := json.Unmarshal([]byte(expect(command.ExitLikely, nil, append(ask, "--json")...)), &run); err != nil {
		t.Fatal(err)
	}
	if run.Retriever != "gnn" || len(run.Ranked) == 0 || run.Ranked[0].Label != "Director C" || run.Ranked[0].Probability < 0.5 || len(run.Ranked[0].Paths) != 1 {
		t.Errorf("ask --json = %q with %+v, want Director C with a path", run.Retriever, run.Ranked)
	}
	expect(command.ExitDone, []string{"Trained retrievers", "of the films", "in use"}, "info", graph)

	expect(command.ExitDone, []string{"generated from the graph", "number 2", "Cairn made these questions", "does not say how well it answers yours"}, "train", "gnn", graph, "--generated", "60", "--epochs", "2")
	expect(command.ExitDone, []string{"of the films"}, "train", "gnn", graph, "--use", "1")
	expect(command.ExitDone, []string{"of the films"}, "train", "gnn", graph, "--delete", "2")
	var list struct{ Trained []struct{ ID int64 } }
	if err := json.Unmarshal([]byte(expect(command.ExitDone, nil, "train", "gnn", graph, "--list", "--json")), &list); err != nil || len(list.Trained) != 1 || list.Trained[0].ID != 1 {
		t.Errorf("the retrievers that are left: %+v, %v", list, err)
	}
	if err := os.WriteFile(filepath.Join(dir, "more.txt"), []byte("Film A|has_genre|Drama\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	expect(command.ExitDone, nil, "import", filepath.Join(dir, "more.txt"), "--into", graph)
	expect(command.ExitDone, []string{"trained before the graph changed", "The graph has changed since this retriever was trained"}, "info", graph)
	if out := expect(command.ExitLikely, []string{"Director C"}, ask...); strings.Count(out, "The graph has changed since") != 1 {
		t.Errorf("ask does not say once that the graph has changed:\n%s", out)
	}
}

func TestTrainInterrupted(t *testing.T) {
	dir := home(t)
	graph, questions := filmsGraph(t, dir)
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	var errs interrupting
	errs.cancel = cancel
	code := Program{
		Args: []string{"train", "gnn", graph, "--questions", questions, "--network", "rearev", "--epochs", "200"}, Stdout: io.Discard, Stderr: &errs,
	}.Run(ctx)
	if code != command.ExitInterrupted || !strings.Contains(errs.String(), "Resume with: cairn train gnn "+graph+" --resume") || !strings.Contains(errs.String(), "saved as retriever 1") {
		t.Fatalf("interrupted with code %d and\n%s", code, errs.String())
	}
	if code, out, errs := start(t.Context(), "train", "gnn", graph, "--resume"); code != command.ExitDone || !strings.Contains(out, "Trained in") {
		t.Errorf("gone on with code %d and\n%s%s", code, out, errs)
	}
}

// interrupting is a standard error that presses Ctrl-C at the second epoch.
type interrupting struct {
	strings.Builder

	cancel context.CancelFunc
}

func (w *interrupting) Write(b []byte) (int, error) {
	if strings.Contains(string(b), "epoch 2 of") {
		w.cancel()
	}
	return w.Builder.Write(b)
}

// TestTrainAssisted has a model say which of two relations, that name the same person of
// all films that are asked for, a question asks for.
func TestTrainAssisted(t *testing.T) {
	dir := home(t)
	var triples, asked strings.Builder
	asked.WriteString("question,topic,answers\n")
	for i := range 30 {
		fmt.Fprintf(&triples, "Film No. %d\tarranged_by\tPerson %d\nFilm No. %d\tled_by\tPerson %d\n", i, i%7, i, i%7)
		fmt.Fprintf(&asked, "who glued Film No. %d?,Film No. %d,Person %d\n", i, i, i%7)
	}
	triples.WriteString("The Odd One\tled_by\tPerson 1\nThe Odd One\tarranged_by\tPerson 2\n")
	graph, questions := filepath.Join(dir, "films.cairn"), filepath.Join(dir, "questions.csv")
	for name, text := range map[string]string{filepath.Join(dir, "films.tsv"): triples.String(), questions: asked.String()} {
		if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if code, out, errs := start(t.Context(), "import", filepath.Join(dir, "films.tsv"), "--into", graph); code != 0 {
		t.Fatalf("import: exit code %d\n%s%s", code, out, errs)
	}
	chosen := regexp.MustCompile(`(?m)^(\d+)\. .*\n(?:   \d+: .*\n)*?   (\d+): \[\[name\]\] -\[arranged by\]-> answer`)
	helps := func(c fakeollama.Chat) fakeollama.Answer {
		_, task, _ := strings.Cut(c.Prompt, "Your task)")
		var said []string
		for _, m := range chosen.FindAllStringSubmatch(task, -1) {
			said = append(said, fmt.Sprintf(`{"number": %s, "chain": %s}`, m[1], m[2]))
		}
		return fakeollama.Answer{Text: `{"choices": [` + strings.Join(said, ", ") + `]}`}
	}
	for _, test := range []struct {
		name  string
		model fakeollama.Script
		want  string // of what is learned from
	}{
		{"useless", fakeollama.Script{Reply: "no"}, "It learns from 27 questions of questions.csv and 0 other wordings of relations' names by m"},
		{"helpful", fakeollama.Script{Answer: helps}, "It learns from 27 questions of questions.csv, the chains of 27 chosen by m, and 0 other wordings of relations' names by m"},
	} {
		fake := fakeollama.New(t).Model("m", test.model)
		code, out, errs := start(t.Context(), "train", "templates", graph, "--questions", questions, "--made", "0", "--assist", "--model", "m", "--host", fake.URL)
		if code != 0 || !strings.Contains(errs, test.want) {
			t.Errorf("%s: exit code %d, %s%s; want %q", test.name, code, out, errs, test.want)
		}
	}
	if _, out, errs := start(t.Context(), "ask", graph, "--retriever", "templates", "who glued The Odd One?"); !strings.Contains(out, "Person 2") || strings.Contains(out, "Person 1") {
		t.Errorf("asked after the model has chosen: %s%s, want Person 2", out, errs)
	}
}
