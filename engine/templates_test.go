package engine

import (
	"errors"
	"strings"
	"testing"

	"cairn/engine/retrieve/templates"
)

// TestTemplatesOfTheUser: a template of the user's is checked, tried, kept in the place of
// the one before, and still there after a training.
func TestTemplatesOfTheUser(t *testing.T) {
	e := openSample(t)
	ctx := t.Context()
	set := func(asks, cypher string) ([]string, error) {
		_, notes, err := e.SetTemplates(ctx, "# Cairn question templates 1\ntemplate\n  ask "+asks+"\n  cypher "+cypher+"\n")
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
	if trial, err = e.TryTemplate(ctx, templates.Asked(rows), 0, "Who touches Austria and Hungary?"); err != nil || trial.Result != nil || trial.Why != "The question has 2 names, and the template has 1 slot." {
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
