package engine

import (
	"context"
	"database/sql"
	"errors"
	"path/filepath"
	"strings"
	"testing"

	"cairn/engine/internal/pagesum"
	"cairn/engine/retrieve"
)

// alter changes a graph's file behind the engine's back.
func alter(t *testing.T, dir, query string) {
	t.Helper()
	db, err := sql.Open(pagesum.Driver, "file:"+filepath.Join(dir, "studio.cairn")+"?"+pagesum.Query(true))
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	if _, err := db.ExecContext(t.Context(), query); err != nil {
		t.Fatalf("%s: %v", query, err)
	}
}

// TestDamagedWeights: what was trained and is damaged says so, is not used, and can
// be deleted.
func TestDamagedWeights(t *testing.T) {
	for name, query := range map[string]string{
		"a bit":        "UPDATE trained SET weights = CAST(substr(weights, 1, 5000) || x'5a' || substr(weights, 5002) AS BLOB)",
		"cut off":      "UPDATE trained SET weights = substr(weights, 1, length(weights) / 2)",
		"nothing left": "UPDATE trained SET weights = x''",
	} {
		t.Run(name, func(t *testing.T) {
			e, dir := studio(t, 20)
			o := little(dir)
			o.Settings = littleIn(1)
			if _, err := e.Train(t.Context(), o, nil); err != nil {
				t.Fatal(err)
			}
			if err := e.Close(); err != nil {
				t.Fatal(err)
			}
			alter(t, dir, query)
			e = openWith(t, filepath.Join(dir, "studio.cairn"), nil)
			list, err := e.Trained(t.Context())
			if err != nil || len(list) != 1 || !strings.Contains(list[0].Problem, "train again") || list[0].InUse {
				t.Fatalf("Trained = %+v, %v, want a problem with a remedy", list, err)
			}
			if _, err := e.Ask(t.Context(), "who directed Film 3", AskOptions{Retriever: "gnn"}, nil); !errors.Is(err, retrieve.ErrModel) {
				t.Errorf("Ask = %v, want ErrModel", err)
			}
			if err := e.DeleteTrained(t.Context(), list[0].ID); err != nil {
				t.Errorf("DeleteTrained: %v", err)
			}
		})
	}
}

// TestDamagedWords: what it was trained on stands beside the weights too.
func TestDamagedWords(t *testing.T) {
	e, dir := studio(t, 20)
	made, err := e.Train(t.Context(), little(dir), nil)
	if err != nil {
		t.Fatal(err)
	}
	alter(t, dir, "UPDATE trained SET about = 'no JSON'")
	if list, err := e.Trained(t.Context()); err != nil || len(list) != 1 || list[0].Problem != "" || list[0].About.Data != made.About.Data {
		t.Errorf("Trained = %+v, %v, want what is beside the weights", list, err)
	}
}

// TestDamagedTraining: a training whose state is damaged does not go on, says so, and
// can be dropped.
func TestDamagedTraining(t *testing.T) {
	for name, query := range map[string]string{
		"state":         "UPDATE training SET state = CAST(substr(state, 1, 900) || x'5a5a' || substr(state, 903) AS BLOB) WHERE kind = 'gnn'",
		"questions":     "UPDATE training SET state = substr(state, 1, length(state) / 2) WHERE kind <> 'gnn'",
		"no questions":  "DELETE FROM training WHERE kind <> 'gnn'",
		"what to do":    "UPDATE training SET about = 'no JSON'",
		"another graph": "UPDATE training SET graph = 'x'",
	} {
		t.Run(name, func(t *testing.T) {
			e, dir := studio(t, 20)
			ctx, cancel := context.WithCancel(t.Context())
			defer cancel()
			if _, err := e.Train(ctx, little(dir), &TrainEvents{Epoch: func(retrieve.Epoch) { cancel() }}); !errors.Is(err, context.Canceled) {
				t.Fatal(err)
			}
			if err := e.Close(); err != nil {
				t.Fatal(err)
			}
			alter(t, dir, query)
			e = openWith(t, filepath.Join(dir, "studio.cairn"), nil)
			if text, err := e.Unfinished(t.Context(), ""); text == "" || err != nil {
				t.Errorf("Unfinished = %q, %v", text, err)
			}
			if _, err := e.Train(t.Context(), TrainOptions{Resume: true}, nil); !errors.Is(err, retrieve.ErrResume) {
				t.Errorf("Train = %v, want ErrResume", err)
			}
			if err := e.ForgetUnfinished(t.Context(), "gnn"); err != nil {
				t.Error(err)
			}
		})
	}
}
