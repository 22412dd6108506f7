package eval

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"cairn/engine"
)

// TestMadeQuestionsAreAsked: what is asked is what the training keeps aside.
func TestMadeQuestionsAreAsked(t *testing.T) {
	dir := trainSet(t)
	o := Options{Dataset: "metaqa", Groups: []string{MadePart}, Dir: dir, Retriever: "gsr", Seed: 3, Given: true, Teaching: Teaching{Generated: 60}}
	o.Teaching.How.Chosen = map[string]string{"width": "16", "epochs": "2"}
	table, err := Run(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	eng, _, err := open(t.Context(), filepath.Join(t.TempDir(), "films.cairn"), dir, metaQA().KG, engine.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer eng.Close()
	learned, held, err := eng.Made(t.Context(), 60, 3)
	if err != nil {
		t.Fatal(err)
	}
	if r := table.Rows[0]; r.Group != MadePart || r.Scores.N != len(held) || r.Trained.Last.About.Questions != len(learned) {
		t.Errorf("%d questions of %s were asked after %d were learned, want %d after %d", r.Scores.N, r.Group, r.Trained.Last.About.Questions, len(held), len(learned))
	}
	if err := o.setDefaults(); err != nil {
		t.Fatal(err)
	}
	asked, err := keptAside(t.Context(), &o, metaQA().KG)
	if err != nil {
		t.Fatal(err)
	}
	for _, q := range asked {
		if len(q.Topics) == 0 || len(q.Gold) == 0 {
			t.Errorf("it is asked %+v", q)
		}
		for _, x := range learned {
			if x.Text == q.Text {
				t.Errorf("%q is learned and asked", q.Text)
			}
		}
	}
	if !slices.ContainsFunc(asked, func(q Question) bool { return q.Text == held[0].Text }) {
		t.Errorf("%q was kept aside, and is not asked", held[0].Text)
	}
	o.Teaching.Generated = 0
	if _, err := Run(t.Context(), o); err == nil || !strings.Contains(err.Error(), "say on how many") {
		t.Errorf("of a training on questions of a file: %v", err)
	}
}
