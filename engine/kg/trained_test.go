package kg_test

import (
	"bytes"
	"context"
	"database/sql"
	"errors"
	"path/filepath"
	"testing"
	"time"

	"cairn/engine/internal/pagesum"
	"cairn/engine/kg"
)

func TestVersionIsNewWithEveryChange(t *testing.T) {
	st := open(t, filepath.Join(t.TempDir(), "g.cairn"))
	version := func() string {
		t.Helper()
		v, err := st.Version(t.Context())
		if err != nil || v == "" {
			t.Fatalf("Version = %q, %v", v, err)
		}
		return v
	}
	empty := version()
	fill(t, st, "a.tsv", [3]string{"a", "r", "b"})
	one := version()
	if one == empty {
		t.Errorf("an import left the version at %s", one)
	}
	if err := st.SetSetting(t.Context(), "k", "v"); err != nil {
		t.Fatal(err)
	}
	if _, err := st.PutTrained(t.Context(), kg.Trained{Kind: "gnn"}, nil); err != nil {
		t.Fatal(err)
	}
	if got := version(); got != one {
		t.Errorf("what is no triple changed the version to %s, want %s", got, one)
	}
}

func TestTrainedRetrieversComeBack(t *testing.T) {
	path := filepath.Join(t.TempDir(), "g.cairn")
	st, err := kg.OpenStore(t.Context(), path)
	if err != nil {
		t.Fatal(err)
	}
	weights := bytes.Repeat([]byte{0, 1, 0xff, '\''}, 300_000)
	one := kg.Trained{Kind: "gnn", Name: "relation flow", Made: testTime.UTC(), Graph: "v1", About: `{"seed":7}`}
	two := kg.Trained{Kind: "gnn", Name: "it's “ReaRev”", Made: testTime.UTC().Add(time.Hour), Graph: "v2", About: "{}"}
	other := kg.Trained{Kind: "other", Name: "x", Made: testTime.UTC()}
	for _, x := range []struct {
		t *kg.Trained
		w []byte
	}{{&one, weights}, {&other, nil}, {&two, []byte("small")}} {
		if x.t.ID, err = st.PutTrained(t.Context(), *x.t, x.w); err != nil {
			t.Fatalf("PutTrained(%s): %v", x.t.Name, err)
		}
		x.t.Bytes = int64(len(x.w))
	}
	if err := st.Close(); err != nil {
		t.Fatal(err)
	}
	st = open(t, path)
	list, err := st.TrainedModels(t.Context(), "gnn")
	if err != nil || len(list) != 2 || list[0] != two || list[1] != one {
		t.Errorf("TrainedModels = %+v, %v, want %+v and %+v", list, err, two, one)
	}
	if got, err := st.Weights(t.Context(), one.ID); err != nil || !bytes.Equal(got, weights) {
		t.Errorf("Weights(%d) = %d bytes, %v, want what was put", one.ID, len(got), err)
	}
	if err := st.DeleteTrained(t.Context(), one.ID); err != nil {
		t.Errorf("DeleteTrained: %v", err)
	}
	for what, err := range map[string]error{
		"DeleteTrained": st.DeleteTrained(t.Context(), one.ID),
		"Weights":       func() error { _, err := st.Weights(t.Context(), one.ID); return err }(),
	} {
		if !errors.Is(err, kg.ErrNoTrained) {
			t.Errorf("%s of one that is gone: %v, want ErrNoTrained", what, err)
		}
	}
	if list, err := st.TrainedModels(t.Context(), "gnn"); err != nil || len(list) != 1 || list[0] != two {
		t.Errorf("after deleting one: %+v, %v", list, err)
	}
}

func TestOneTrainingOfAKindIsKept(t *testing.T) {
	st := open(t, filepath.Join(t.TempDir(), "g.cairn"))
	if _, ok, err := st.Training(t.Context(), "gnn"); ok || err != nil {
		t.Errorf("Training of a new graph: %v, %v, want none", ok, err)
	}
	first := kg.Training{Kind: "gnn", Saved: testTime.UTC(), Graph: "v1", About: "{}", State: []byte("one")}
	second := kg.Training{Kind: "gnn", Saved: testTime.UTC().Add(time.Minute), Graph: "v1", About: `{"file":"x"}`, State: bytes.Repeat([]byte("two"), 100_000)}
	other := kg.Training{Kind: "other", Saved: testTime.UTC(), State: []byte("o")}
	for _, x := range []kg.Training{first, other, second} {
		if err := st.SaveTraining(t.Context(), x); err != nil {
			t.Fatalf("SaveTraining: %v", err)
		}
	}
	// A cancelled one leaves what was there.
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := st.SaveTraining(ctx, first); !errors.Is(err, context.Canceled) {
		t.Errorf("SaveTraining, cancelled: %v", err)
	}
	for _, want := range []kg.Training{second, other} {
		got, ok, err := st.Training(t.Context(), want.Kind)
		if !ok || err != nil || got.Saved != want.Saved || got.Graph != want.Graph || got.About != want.About || !bytes.Equal(got.State, want.State) {
			t.Errorf("Training(%s) = %+v, %v, %v", want.Kind, got, ok, err)
		}
	}
	for range 2 {
		if err := st.ForgetTraining(t.Context(), "gnn"); err != nil {
			t.Errorf("ForgetTraining: %v", err)
		}
	}
	if _, ok, err := st.Training(t.Context(), "gnn"); ok || err != nil {
		t.Errorf("after ForgetTraining: %v, %v, want none", ok, err)
	}
}

// TestDamagedTrained takes away what must be there: each call says that the file
// is damaged, and what does not need it still works.
func TestDamagedTrained(t *testing.T) {
	path := made(t, 3)
	db, err := sql.Open(pagesum.Driver, "file:"+path+"?"+pagesum.Query(true))
	if err != nil {
		t.Fatal(err)
	}
	for _, q := range []string{"DROP TABLE trained", "DROP TABLE training"} {
		if _, err := db.ExecContext(t.Context(), q); err != nil {
			t.Fatal(err)
		}
	}
	st := open(t, path)
	_, put := st.PutTrained(t.Context(), kg.Trained{Kind: "gnn"}, []byte("w"))
	_, list := st.TrainedModels(t.Context(), "gnn")
	_, weights := st.Weights(t.Context(), 1)
	_, _, training := st.Training(t.Context(), "gnn")
	for what, err := range map[string]error{
		"PutTrained": put, "TrainedModels": list, "Weights": weights, "Training": training,
		"DeleteTrained":  st.DeleteTrained(t.Context(), 1),
		"SaveTraining":   st.SaveTraining(t.Context(), kg.Training{Kind: "gnn"}),
		"ForgetTraining": st.ForgetTraining(t.Context(), "gnn"),
	} {
		var file *kg.FileError
		if !errors.Is(err, kg.ErrDamaged) || !errors.As(err, &file) || file.Remedy == "" {
			t.Errorf("%s without its table: %v, want ErrDamaged with a remedy", what, err)
		}
	}
	if g := graph(t, st); g.Triples() != 3 {
		t.Errorf("%d triples, want 3", g.Triples())
	}
	if _, err := db.ExecContext(t.Context(), "DELETE FROM graph"); err != nil {
		t.Fatal(err)
	}
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
	if _, err := st.Version(t.Context()); !errors.Is(err, kg.ErrDamaged) {
		t.Errorf("Version without one: %v, want ErrDamaged", err)
	}
}
