package engine

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"go.uber.org/goleak"

	"cairn/engine/embed"
	"cairn/engine/ingest"
	"cairn/engine/retrieve"
)

// closeDuring closes an engine in the midst of work, which calls reached when it has
// come there. It returns what work ended with: that must be over, and soon, when
// Close returns.
func closeDuring(t *testing.T, e *Engine, work func(reached func()) error) error {
	t.Helper()
	midst := make(chan struct{}, 1)
	ended := make(chan error, 1)
	go func() {
		ended <- work(func() {
			select {
			case midst <- struct{}{}:
				time.Sleep(50 * time.Millisecond) // Close is called
			default:
			}
		})
	}()
	<-midst
	began := time.Now()
	if err := e.Close(); err != nil {
		t.Error(err)
	}
	if took := time.Since(began); took > 5*time.Second {
		t.Errorf("Close took %v", took)
	}
	select {
	case err := <-ended:
		return err
	case <-time.After(time.Second):
		t.Error("Close returned before the work was over")
		return <-ended
	}
}

// slowLetters is a model whose next texts come when the context ends.
type slowLetters struct {
	*letters
	after   int
	reached func()
}

func (l slowLetters) Embed(ctx context.Context, kind embed.Kind, texts []string) ([][]float32, error) {
	if l.names >= l.after {
		l.reached()
		<-ctx.Done()
		return nil, ctx.Err()
	}
	return l.letters.Embed(ctx, kind, texts)
}

func TestCloseWhilePreparing(t *testing.T) {
	defer goleak.VerifyNone(t, goleak.IgnoreCurrent())
	path := importLate(t)
	e := openLate(t, path)
	err := closeDuring(t, e, func(reached func()) error {
		return e.Prepare(context.Background(), &Events{Progress: func(string, int64, int64) { reached() }})
	})
	if !errors.Is(err, context.Canceled) {
		t.Errorf("Prepare = %v, want a cancel", err)
	}
	if err := e.Prepare(context.Background(), nil); !errors.Is(err, context.Canceled) {
		t.Errorf("after Close: %v", err)
	}
}

func TestCloseWhileTraining(t *testing.T) {
	defer goleak.VerifyNone(t, goleak.IgnoreCurrent())
	e, dir := studio(t, 40)
	var made TrainedModel
	err := closeDuring(t, e, func(reached func()) (err error) {
		o := little(dir)
		o.Settings = littleIn(100_000)
		made, err = e.Train(context.Background(), o, &TrainEvents{Epoch: func(retrieve.Epoch) { reached() }})
		return err
	})
	if !errors.Is(err, context.Canceled) || made.ID == 0 {
		t.Errorf("Train = %+v, %v; want what it has so far, and a cancel", made, err)
	}
	e = openWith(t, filepath.Join(dir, "studio.cairn"), nil)
	known, err := e.Trained(t.Context())
	if err != nil || len(known) != 1 {
		t.Errorf("kept: %d networks, %v", len(known), err)
	}
	if left, err := e.Unfinished(t.Context(), ""); left == "" || err != nil {
		t.Errorf("what can be gone on with: %q, %v", left, err)
	}
	if err := e.Close(); err != nil {
		t.Error(err)
	}
}

func TestCloseWhileEmbedding(t *testing.T) {
	defer goleak.VerifyNone(t, goleak.IgnoreCurrent())
	path := filepath.Join(t.TempDir(), "films.cairn")
	e := openWith(t, path, nil)
	importFilms(t, e, 400)
	emb := &letters{id: "letters", dims: 16}
	err := closeDuring(t, e, func(reached func()) error {
		return e.SetEmbedder(context.Background(), slowLetters{emb, 100, reached}, nil)
	})
	if !errors.Is(err, context.Canceled) {
		t.Errorf("SetEmbedder = %v, want a cancel", err)
	}
	first := emb.names
	e = openWith(t, path, nil)
	if err := e.SetEmbedder(t.Context(), emb, nil); err != nil {
		t.Fatal(err)
	}
	all := e.Graph().Entities() + e.Graph().Relations() + e.Graph().NumTypes()
	if made := e.Embedder().Stats.Made; first == 0 || made != all-first {
		t.Errorf("of %d names %d were made, and %d after Close: want the rest", all, first, made)
	}
	if err := e.Close(); err != nil {
		t.Error(err)
	}
}

func TestCloseWhileImporting(t *testing.T) {
	defer goleak.VerifyNone(t, goleak.IgnoreCurrent())
	dir := t.TempDir()
	path, file := filepath.Join(dir, "g.cairn"), filepath.Join(dir, "kb.txt")
	const n = 300_000
	lines := make([]string, n)
	for i := range lines {
		lines[i] = fmt.Sprintf("Film %d|directed_by|Director %d\n", i, i%1000)
	}
	if err := os.WriteFile(file, []byte(strings.Join(lines, "")), 0o600); err != nil {
		t.Fatal(err)
	}
	e := openWith(t, path, nil)
	var tasks []string
	var r ingest.Report
	err := closeDuring(t, e, func(reached func()) (err error) {
		r, err = e.Import(context.Background(), []string{file}, ingest.Options{}, &Events{Progress: func(task string, done, total int64) {
			if tasks = append(tasks, task); done > total/2 {
				reached()
			}
		}})
		return err
	})
	if !errors.Is(err, context.Canceled) {
		t.Errorf("Import = %+v, %v; want a cancel", r, err)
	}
	if last := tasks[len(tasks)-1]; last != "import kb.txt" {
		t.Errorf("after the import was ended, it went on to %q: %q", last, slices.Compact(tasks))
	}
	e = openWith(t, path, nil)
	if got := int64(e.Graph().Triples()); got != r.Added {
		t.Errorf("the graph has %d triples, the import said %d", got, r.Added)
	}
	if _, err := e.Import(t.Context(), []string{file}, ingest.Options{}, nil); err != nil || e.Graph().Triples() != n {
		t.Errorf("gone on: %d triples, %v; want %d", e.Graph().Triples(), err, n)
	}
	if err := e.Close(); err != nil {
		t.Error(err)
	}
}
