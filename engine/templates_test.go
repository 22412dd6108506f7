package engine

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"cairn/engine/cypher"
	"cairn/engine/ingest"
	"cairn/engine/retrieve/templates"
)

// TestTemplatesOfTheUser: a template of the user's is checked, tried, kept in the place of
// the one before, and still there after a training.
func TestTemplatesOfTheUser(t *testing.T) {
	e := openSample(t)
	ctx := t.Context()
	set := func(asks, query string) ([]string, error) {
		_, notes, err := e.SetTemplates(ctx, "# Cairn question templates 1\ntemplate\n  ask "+asks+"\n  cypher "+query+"\n")
		return notes, err
	}
	if _, err := set("who touches {x}", "MATCH (y)-[:borders]->(z) RETURN z"); !errors.Is(err, templates.ErrTemplate) {
		t.Errorf("a slot that is not used: %v", err)
	}
	if rows, err := e.Templates(ctx); err != nil || len(rows) != 0 {
		t.Errorf("after a bad one: %v, %v", rows, err)
	}
	if notes, err := set("who touches {x}", "MATCH (x)-[:bordrs]->(z) RETURN z"); err != nil || len(notes) != 1 || !strings.Contains(notes[0], "did you mean borders?") {
		t.Errorf("what the graph does not have: %q, %v", notes, err)
	}
	if _, err := set("Who touches {x}?", "MATCH (x)-[:borders]->(z) RETURN z"); err != nil {
		t.Fatal(err)
	}
	if kept, err := e.Trained(ctx); err != nil || len(kept) != 1 {
		t.Errorf("%d sets of templates are kept, %v; want that of the user alone", len(kept), err)
	}
	rows, err := e.Templates(ctx)
	if err != nil || len(rows) != 1 || rows[0].State != templates.Own || rows[0].Asks[0] != "who touches {x}" {
		t.Fatalf("rows %v, %v", rows, err)
	}
	trial, err := e.TryTemplate(ctx, templates.Asked(rows), -1, "Who touches Austria?")
	if err != nil || trial.Result == nil || len(trial.Result.Rows) != 8 || trial.Cypher != "MATCH (x {name: 'Austria'})\nMATCH (x)-[:borders]->(z) RETURN z" {
		t.Errorf("trial %+v, %v", trial, err)
	}
	if trial, err = e.TryTemplate(ctx, templates.Asked(rows), 0, "Who touches Austria and Hungary?"); err != nil || trial.Result != nil || trial.Why != "The question has 2 names, but the template has 1 slot." {
		t.Errorf("two names: %+v, %v", trial, err)
	}

	if _, err := e.Train(ctx, TrainOptions{Method: templatesID, Questions: 200}, nil); err != nil {
		t.Fatal(err)
	}
	if rows, err = e.Templates(ctx); err != nil || len(rows) < 20 || rows[0].State != templates.Own {
		t.Fatalf("after a training: %d, %v", len(rows), err)
	}
	for _, r := range rows[1:] {
		if r.State == templates.Own || r.From != templates.FromMade && r.From != templates.FromNames {
			t.Errorf("%q is %s from %q, want one that was learned from the graph", r.Asks[0], r.State, r.From)
		}
	}

	kept, err := e.Trained(ctx)
	if err != nil || len(kept) != 2 || !kept[0].About.Own || !kept[0].About.HeldMade || !kept[0].InUse || kept[1].About.Own {
		t.Errorf("kept %+v, %v; want the user's in use, as sure as what it has learned from", kept, err)
	}

	// One that was learned is deleted and can be brought back.
	gone := rows[1].Asks[0]
	if _, _, err := e.SetTemplates(ctx, templates.Format(&templates.Set{Templates: templates.Asked(append(rows[:1:1], rows[2:]...))})); err != nil {
		t.Fatal(err)
	}
	rows, err = e.Templates(ctx)
	if last := rows[len(rows)-1]; err != nil || last.State != templates.Deleted || last.Asks[0] != gone {
		t.Errorf("the last row is %s: %q, %v; want that %q is deleted", last.State, last.Asks, err, gone)
	}
}

// TestCypherSeesTheGraphAsItIs: what is made for queries once is made anew with the graph.
func TestCypherSeesTheGraphAsItIs(t *testing.T) {
	dir := t.TempDir()
	file := func(name, text string) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	e := openWith(t, filepath.Join(dir, "a.cairn"), nil)
	rows := func(query string, want int, notes int) {
		t.Helper()
		r, err := e.Cypher(t.Context(), query, cypher.Options{}, nil)
		if err != nil || len(r.Rows) != want || len(r.Notes) != notes {
			t.Errorf("%s: %d rows, %v, %v; want %d rows and %d notes", query, len(r.Rows), r.Notes, err, want, notes)
		}
	}
	add := func(path string) {
		t.Helper()
		if _, err := e.Import(t.Context(), []string{path}, ingest.Options{}, nil); err != nil {
			t.Fatal(err)
		}
	}
	add(file("a.tsv", "Ann\tknows\tBen\nBen\tknows\tCid\n"))
	const knows, likes = "MATCH (a {name: 'Ann'})-[:knows]->(b) RETURN b", "MATCH (a {name: 'Dot'})-[:likes]->(b) WHERE a.likes IS NULL RETURN b"
	rows(knows, 1, 0)
	rows(likes, 0, 2)
	add(file("b.tsv", "Ann\tknows\tDot\nDot\tlikes\tAnn\n"))
	rows(knows, 2, 0)
	rows(likes, 1, 1) // it leads to nodes
	info, err := e.Info(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if err := e.SwitchLayer(t.Context(), info.Sources[len(info.Sources)-1].ID, false, nil); err != nil {
		t.Fatal(err)
	}
	rows(knows, 1, 0)
	rows("MATCH (a {name: 'Dot'}) RETURN a", 0, 0)
}

// TestTemplatesAreReadWhileTheyAreReplaced: between listing what is kept and reading it,
// it may be deleted; what is in its place is read.
func TestTemplatesAreReadWhileTheyAreReplaced(t *testing.T) {
	e := openSample(t)
	ctx := t.Context()
	const text = "# Cairn question templates 1\ntemplate\n  ask who touches {x}\n  cypher MATCH (x)-[:borders]->(z) RETURN z\n"
	if _, _, err := e.SetTemplates(ctx, text); err != nil {
		t.Fatal(err)
	}
	done := make(chan error)
	go func() {
		for range 40 {
			if _, _, err := e.SetTemplates(ctx, text); err != nil {
				done <- err
				return
			}
		}
		close(done)
	}()
	for reads := 0; ; reads++ {
		select {
		case err := <-done:
			if err != nil {
				t.Error(err)
			}
			return
		default:
		}
		rows, err := e.Templates(ctx)
		if err == nil && len(rows) != 1 {
			err = errors.New("it is gone")
		}
		if err == nil {
			_, err = e.Trained(ctx)
		}
		if err != nil {
			t.Fatalf("read %d: %v", reads, err)
		}
	}
}
