package engine

import (
	"context"
	"encoding/json"
	"errors"
	"path/filepath"
	"strings"
	"testing"

	"cairn/engine/ingest"
	"cairn/engine/kg"
	"cairn/engine/retrieve"
	"cairn/engine/retrieve/gnnrag"
	"cairn/engine/retrieve/simgrag"
	"cairn/internal/testing/retrievetest"
)

// TestAnotherMethodIsTrained takes a method of which nothing here knows through its
// whole life, in a file beside another one that is trained.
func TestAnotherMethodIsTrained(t *testing.T) {
	first, dir := studio(t, 20)
	gnn, err := first.Train(t.Context(), little(dir), nil)
	if err != nil {
		t.Fatal(err)
	}
	if err := first.Close(); err != nil {
		t.Fatal(err)
	}
	open := func() *Engine {
		t.Helper()
		o := Options{Methods: []retrieve.Method{simgrag.Method{}, gnnrag.Method{}, retrievetest.Counts{}}}
		e, err := Open(t.Context(), filepath.Join(dir, "studio.cairn"), o, nil)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { e.Close() })
		return e
	}
	e := open()
	ask := func() (*Run, error) {
		return e.Ask(t.Context(), "who directed Film 12", AskOptions{Retriever: "counts"}, nil)
	}
	if _, err := ask(); !errors.Is(err, ErrUntrained) {
		t.Errorf("Ask before it is trained: %v, want ErrUntrained", err)
	}
	o := TrainOptions{Method: "counts", File: filepath.Join(dir, "qa.txt"), Chosen: retrieve.Values{"passes": "4", "direction": "forwards"}}

	// It is refused, stopped, left over a restart, and resumed.
	bad := o
	bad.Chosen = retrieve.Values{"passes": "many"}
	if _, err := e.Train(t.Context(), bad, nil); err == nil || !strings.Contains(err.Error(), "passes must be a whole number from 1 to 100") {
		t.Errorf("Train with a wrong option: %v", err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	stopped, err := e.Train(ctx, o, &TrainEvents{Epoch: func(x retrieve.Epoch) {
		if x.Epoch == 2 {
			cancel()
		}
	}})
	if !errors.Is(err, context.Canceled) || stopped.Method != "counts" || !stopped.InUse {
		t.Fatalf("stopped: %+v, %v", stopped, err)
	}
	if left, err := e.Unfinished(t.Context(), "counts"); left == "" || err != nil {
		t.Errorf("Unfinished(counts) = %q, %v", left, err)
	}
	if left, err := e.Unfinished(t.Context(), "gnn"); left != "" || err != nil {
		t.Errorf("Unfinished(gnn) = %q, %v, want none", left, err)
	}
	if err := e.Close(); err != nil {
		t.Fatal(err)
	}
	e = open()
	began := 0
	made, err := e.Train(t.Context(), TrainOptions{Method: "counts", Resume: true}, &TrainEvents{Epoch: func(x retrieve.Epoch) {
		if began == 0 {
			began = x.Epoch
		}
	}})
	if err != nil || began != 3 || made.About.Epochs != 4 || made.Name != "Counted relations on 36 questions of qa.txt" {
		t.Fatalf("resumed: %+v, %v, from pass %d", made, err, began)
	}

	// It is listed, used, gone stale, and deleted; the other one stays in use.
	list, err := e.Trained(t.Context())
	if err != nil || len(list) != 2 || list[0].ID != gnn.ID || list[1].ID != made.ID || !list[0].InUse || !list[1].InUse {
		t.Errorf("Trained = %+v, %v, want the network and the counts, each in use", list, err)
	}
	run, err := ask()
	if got := trainedSaid(run); err != nil || len(got) != 2 || got[0] != "1962" || got[1] != "Director 5" {
		t.Errorf("Ask = %q, %v", got, err)
	}
	again, err := e.Train(t.Context(), o, nil)
	if err != nil {
		t.Fatal(err)
	}
	if err := e.UseTrained(t.Context(), made.ID); err != nil {
		t.Fatal(err)
	}
	writeText(t, filepath.Join(dir, "more.txt"), "Film 99|directed_by|Director 3\n")
	if _, err := e.Import(t.Context(), []string{filepath.Join(dir, "more.txt")}, ingest.Options{}, nil); err != nil {
		t.Fatal(err)
	}
	list, err = e.Trained(t.Context())
	if err != nil || len(list) != 3 || list[1].ID != again.ID || list[1].InUse || list[2].Stale == "" || !list[2].InUse {
		t.Errorf("Trained = %+v, %v, want the one that was chosen in use, and stale", list, err)
	}
	for _, id := range []int64{made.ID, again.ID} {
		if err := e.DeleteTrained(t.Context(), id); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := ask(); !errors.Is(err, ErrUntrained) {
		t.Errorf("Ask after deleting all: %v, want ErrUntrained", err)
	}
	if err := e.UseTrained(t.Context(), made.ID); !errors.Is(err, kg.ErrNoTrained) {
		t.Errorf("UseTrained of what is gone: %v", err)
	}
	if run, err := e.Ask(t.Context(), "who directed Film 12", AskOptions{Retriever: "gnn"}, nil); err != nil || len(run.Answers) == 0 {
		t.Errorf("the network answers no more: %v", err)
	}
	if _, err := e.Train(t.Context(), TrainOptions{Method: "pattern"}, nil); err == nil || !strings.Contains(err.Error(), "pattern") {
		t.Errorf("Train what cannot be trained: %v", err)
	}
}

// TestTrainingOfAnEarlierVersion resumes, uses and lists what was kept before methods
// had options of their own.
func TestTrainingOfAnEarlierVersion(t *testing.T) {
	e, dir := studio(t, 30)
	whole, err := e.Train(t.Context(), little(dir), nil)
	if err != nil {
		t.Fatal(err)
	}
	want := weightsOf(t, e, whole.ID)
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	// The seed stood among the options of the network, and counts for its checkpoint.
	o := TrainOptions{File: filepath.Join(dir, "qa.txt"), Seed: 5, Settings: settings(gnnrag.Options{Kind: gnnrag.ReaRev, Epochs: 4, Width: 16, Layers: 1, Tries: 1, Seed: 5})}
	if _, err := e.Train(ctx, o, &TrainEvents{Epoch: func(retrieve.Epoch) { cancel() }}); !errors.Is(err, context.Canceled) {
		t.Fatal(err)
	}
	for _, kind := range []string{"gnn", "gnn questions"} {
		kept, ok, err := e.trainer.Keeper.Training(t.Context(), kind)
		if err != nil || !ok {
			t.Fatalf("Training(%s): %v, %v", kind, ok, err)
		}
		var r map[string]map[string]any
		if err := json.Unmarshal([]byte(strings.Replace(kept.About, `"began":"`, `"began":{},"x":{},"was":{"began":"`, 1)+"}"), &r); err != nil {
			t.Fatalf("%v in %s", err, kept.About)
		}
		delete(r["options"], "seed")
		r["data"]["coverage"] = map[string]any{"any": 1, "entities": 12.5}
		old, err := json.Marshal(map[string]any{"options": r["options"], "data": r["data"], "began": r["was"]["began"], "left": r["was"]["left"]})
		if err != nil {
			t.Fatal(err)
		}
		kept.About = string(old)
		if err := e.trainer.Keeper.SaveTraining(t.Context(), kept); err != nil {
			t.Fatal(err)
		}
	}
	done, err := e.Train(t.Context(), TrainOptions{Resume: true}, nil)
	if err != nil {
		t.Fatal(err)
	}
	if weightsOf(t, e, done.ID) != want {
		t.Error("other weights than of a training that was not interrupted")
	}
	alter(t, dir, `UPDATE trained SET about = '{"options":{"kind":"rearev","encoders":["tokens"]},"data":"54 questions of qa.txt","questions":54,"held":6,"dev":{"h1":1},"coverage":{"any":1},"made":"2026-11-22T00:00:00Z"}'`)
	list, err := e.Trained(t.Context())
	if err != nil || len(list) != 2 || list[0].About.Title != "ReaRev" || !list[0].InUse {
		t.Errorf("Trained = %+v, %v", list, err)
	}
}
