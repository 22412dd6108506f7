package engine

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"cairn/engine/embed"
	"cairn/engine/ingest"
)

// importLate makes a graph of a few films that is opened as a large one is.
func importLate(t *testing.T) (path string) {
	t.Helper()
	was := lateFrom
	lateFrom = 1
	t.Cleanup(func() { lateFrom = was })
	dir := t.TempDir()
	triples := filepath.Join(dir, "films.txt")
	if err := os.WriteFile(triples, []byte("Kismet|directed_by|William Dieterle\nMoby Dick|directed_by|John Huston\nMoby Dick|written_by|Ray Bradbury\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	path = filepath.Join(dir, "films.cairn")
	e, err := Open(t.Context(), path, Options{}, nil)
	if err != nil {
		t.Fatalf("Open: %v", err)
	}
	if _, err := e.Import(t.Context(), []string{triples}, ingest.Options{}, nil); err != nil {
		t.Fatalf("Import: %v", err)
	}
	if e.Ready() {
		t.Error("an import made what only questions need")
	}
	if err := e.Close(); err != nil {
		t.Fatalf("Close: %v", err)
	}
	return path
}

func openLate(t *testing.T, path string) *Engine {
	t.Helper()
	e, err := Open(t.Context(), path, Options{}, nil)
	if err != nil {
		t.Fatalf("Open: %v", err)
	}
	t.Cleanup(func() { _ = e.Close() })
	return e
}

// TestLate: a large graph says what it holds without being prepared, and a
// question, or several at a time, prepares it.
func TestLate(t *testing.T) {
	e := openLate(t, importLate(t))
	info, err := e.Info(t.Context())
	if err != nil || info.Triples != 3 {
		t.Fatalf("Info = %+v, %v", info, err)
	}
	if got := e.Embedder(); got.Model != "" || got.Notice != "" {
		t.Errorf("Embedder = %+v, want the built-in one", got)
	}
	if e.Ready() {
		t.Fatal("the graph is ready before anything was asked")
	}
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() {
			run, err := e.Ask(t.Context(), "Who directed Moby Dick?", AskOptions{}, nil)
			if err != nil {
				t.Errorf("Ask: %v", err)
				return
			}
			if len(run.Answer.Items) != 1 || run.Answer.Items[0].Label != "John Huston" {
				t.Errorf("answered %+v", run.Answer.Items)
			}
		})
	}
	wg.Wait()
	if !e.Ready() {
		t.Error("the graph is not ready after per question")
	}
}

// TestLateVocabulary: the names alone can be had, and are had once.
func TestLateVocabulary(t *testing.T) {
	e := openLate(t, importLate(t))
	v, err := e.Vocabulary(t.Context(), nil)
	if err != nil {
		t.Fatalf("Vocabulary: %v", err)
	}
	if e.Ready() {
		t.Error("the names alone made the graph ready")
	}
	found, err := v.Entities(t.Context(), "Moby Dik", 1)
	if err != nil || len(found) != 1 || e.Graph().Label(found[0].ID) != "Moby Dick" {
		t.Errorf("Entities = %v, %v", found, err)
	}
	if err := e.Prepare(t.Context(), nil); err != nil {
		t.Fatalf("Prepare: %v", err)
	}
	if again, err := e.Vocabulary(t.Context(), nil); err != nil || again != v {
		t.Errorf("the names were indexed again, %v", err)
	}
}

// TestLatePlanner: the planner is made ready where the graph is not.
func TestLatePlanner(t *testing.T) {
	e := openLate(t, importLate(t))
	p, err := e.Planner(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	plan, err := p.Plan(t.Context(), "Who directed Moby Dick?", nil)
	if err != nil || len(plan.Readings) == 0 || plan.Planner != p.Name() {
		t.Errorf("Plan = %+v, %v", plan, err)
	}
}

// TestLateIsReadyAtOnce: a graph that is being prepared, here asking for its
// embedder, is ready when everything is there and not before.
func TestLateIsReadyAtOnce(t *testing.T) {
	path := importLate(t)
	was := openLate(t, path)
	if err := was.store.SetSetting(t.Context(), settingEmbedder, `{"model": "m", "id": "m-1"}`); err != nil {
		t.Fatal(err)
	}
	var e *Engine
	asked, ready := false, false
	e, err := Open(t.Context(), path, Options{Embedder: func(context.Context, string) (embed.Embedder, error) {
		asked, ready = true, e.Ready()
		return nil, nil
	}}, nil)
	if err != nil {
		t.Fatalf("Open: %v", err)
	}
	defer e.Close()
	if err := e.Prepare(t.Context(), nil); err != nil || !e.Ready() {
		t.Fatalf("Prepare: %v", err)
	}
	if !asked || ready {
		t.Errorf("asked for the embedder: %v; ready before it was there: %v", asked, ready)
	}
}

// TestLateCancelled: a preparation that was cancelled leaves a graph that the next
// question prepares, and progress is told meanwhile.
func TestLateCancelled(t *testing.T) {
	e := openLate(t, importLate(t))
	ctx, cancel := context.WithCancel(t.Context())
	var tasks []string
	err := e.Prepare(ctx, &Events{Progress: func(task string, _, _ int64) {
		tasks = append(tasks, task)
		cancel()
	}})
	if !errors.Is(err, context.Canceled) || e.Ready() {
		t.Fatalf("Prepare = %v, want %v", err, context.Canceled)
	}
	if !strings.Contains(strings.Join(tasks, "; "), "names") {
		t.Errorf("progress told of %q only", tasks)
	}
	if err := e.Prepare(t.Context(), nil); err != nil || !e.Ready() {
		t.Errorf("Prepare, again: %v", err)
	}
}
