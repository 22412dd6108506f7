package cli

import (
	"encoding/json"
	"path/filepath"
	"slices"
	"testing"

	"cairn/internal/testing/shared"
)

// TestQuestionsOfSets imports graphs of five kinds as a user would, and asks questions of
// their properties, labels, numbers and hierarchies, most in two wordings. None may be
// wrong without a doubt. The answers were taken from the files by other means.
func TestQuestionsOfSets(t *testing.T) {
	shared.Sequential(t)
	for _, set := range []struct {
		name  string
		files []string
		more  []string // a mapping, where import asks for one
		right int      // at least
	}{
		{"schemaorg", []string{"schemaorg/schemaorg-current-https.ttl.gz"}, nil, 9},
		{"airroutes", []string{"air-routes/air-routes-latest-nodes.csv", "air-routes/air-routes-latest-edges.csv"}, nil, 9},
		{"codex", []string{"codex/codex-s_labels_partial.tsv", "codex/triples/codex-s/train.txt", "codex/triples/codex-s/valid.txt", "codex/triples/codex-s/test.txt"}, nil, 10},
		{"fb15k237", []string{"fb15k-237/entity2text.txt", "fb15k-237/train.tsv.gz", "fb15k-237/valid.tsv.gz", "fb15k-237/test.tsv.gz"}, nil, 10},
		{"hprd", []string{"hprd/data_graph/HPRD.graph"}, nil, 10}, // a number of "vertices" that the graph does not call so is refused
	} {
		t.Run(set.name, func(t *testing.T) {
			graph := filepath.Join(home(t), set.name+".cairn")
			args := slices.Concat([]string{"import", "--into", graph}, set.more)
			for _, f := range set.files {
				args = append(args, shared.Data(t, f))
			}
			if code, out, errs := start(t.Context(), args...); code != 0 {
				t.Fatalf("import: exit code %d\n%s%s", code, out, errs)
			}
			_, out, errs := start(t.Context(), "--json", "eval", graph, filepath.Join("testdata", "questions", set.name+".csv"))
			var got evaluation
			if err := json.Unmarshal([]byte(out), &got); err != nil {
				t.Fatal(err, errs)
			}
			t.Logf("%d questions: %d right, %d refused, %d wrong with a doubt, %d sure and wrong", got.Questions, got.Right, got.Refused, got.Wrong-got.SureAndWrong, got.SureAndWrong)
			if got.Right < set.right || got.SureAndWrong > 0 {
				for _, r := range got.Results {
					if r.Outcome != "right" {
						t.Errorf("%s: %s %q, expected %q", r.Question, r.Outcome, r.Answers, r.Expected)
					}
				}
			}
		})
	}
}
