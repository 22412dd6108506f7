package engine

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"cairn/assets/sample"
	"cairn/engine/ingest"
	"cairn/engine/questions"
	"cairn/internal/testing/shared"
)

// TestEveryReading follows every reading of every question, as one who chooses
// among the readings that the window offers does: of all questions of the sample,
// and of a slice of each set beside the checkout, or all of it where CAIRN_EVAL is
// set.
func TestEveryReading(t *testing.T) {
	shared.Sequential(t)
	t.Run("sample", func(t *testing.T) {
		var asked []string
		for _, q := range sample.Questions() {
			// A question pasted twice has readings that ask for more than one pattern
			// finds, each in its own shape.
			asked = append(asked, q.Text, q.Text+" "+q.Text)
		}
		everyReading(t, openSample(t), asked, 1)
	})
	const slice = 15 // questions of a set
	for _, world := range []struct {
		graph string
		sets  []string
	}{
		{"metaqa/kb.txt", []string{"metaqa/1-hop/qa_dev.txt", "metaqa/2-hop/qa_dev.txt", "metaqa/3-hop/qa_dev.txt", "metaqa/1-hop/qa_dev_ntm.txt"}},
		{"pathquestion/2H-kb.txt", []string{"pathquestion/PQ-2H.txt"}},
		{"pathquestion/3H-kb.txt", []string{"pathquestion/PQ-3H.txt"}},
		{"worldcup2014/kb.txt", []string{"worldcup2014/path1.txt", "worldcup2014/path2.txt", "worldcup2014/conjunctive.txt"}},
		{"webqsp-cwq/freebase_subset.tsv", []string{"webqsp-cwq/webqsp_test.jsonl.gz", "webqsp-cwq/cwq_test.jsonl.gz"}},
		{"biokgqa/kg.tsv", []string{"biokgqa/dataset/PcQA.json"}},
		{"factkg/dbpedia_subset.tsv", []string{"factkg/claims.jsonl"}},
	} {
		t.Run(world.graph, func(t *testing.T) {
			if testing.Short() {
				t.Skip("reads the data sets")
			}
			file := shared.Data(t, world.graph)
			e, err := Open(t.Context(), filepath.Join(t.TempDir(), "g.cairn"), Options{}, nil)
			if err != nil {
				t.Fatal(err)
			}
			defer e.Close()
			if _, err := e.Import(t.Context(), []string{file}, ingest.Options{}, nil); err != nil {
				t.Fatal(err)
			}
			for _, set := range world.sets {
				asked := questionsOf(t, set)
				stride := max(1, len(asked)/slice)
				if os.Getenv("CAIRN_EVAL") != "" {
					stride = 1
				}
				everyReading(t, e, asked, stride)
			}
		})
	}
}

// everyReading asks one in stride of the questions, in every reading.
func everyReading(t *testing.T, e *Engine, asked []string, stride int) {
	t.Helper()
	chosen := 0
	for i := 0; i < len(asked); i += stride {
		follow := func(o AskOptions) (run *Run) {
			defer func() {
				if p := recover(); p != nil {
					t.Errorf("reading %d of %q: panic: %v", o.Reading, asked[i], p)
				}
			}()
			run, err := e.Ask(t.Context(), asked[i], o, nil)
			if err != nil {
				t.Errorf("reading %d of %q: %v", o.Reading, asked[i], err)
			}
			return run
		}
		run := follow(AskOptions{})
		if run == nil {
			continue
		}
		for r := range run.Plan.Readings {
			chosen++
			if got := follow(AskOptions{Reading: r, Chosen: true}); got != nil && (got.Reading != r || got.Answer == nil) {
				t.Errorf("reading %d of %q: reading %d was followed, answer %v", r, asked[i], got.Reading, got.Answer)
			}
		}
	}
	if chosen == 0 {
		t.Error("no reading was offered")
	}
}

// questionsOf reads the texts of a set of questions or claims.
func questionsOf(t *testing.T, set string) []string {
	t.Helper()
	file := shared.Data(t, set)
	if filepath.Base(set) != "claims.jsonl" {
		qs, _, err := questions.Read(t.Context(), file, "")
		if err != nil {
			t.Fatal(err)
		}
		texts := make([]string, len(qs))
		for i, q := range qs {
			texts[i] = q.Text
		}
		return texts
	}
	f, err := os.Open(file)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	var texts []string
	for sc := bufio.NewScanner(f); sc.Scan(); {
		var line struct {
			Claim string `json:"claim"`
		}
		if err := json.Unmarshal(sc.Bytes(), &line); err != nil {
			t.Fatal(fmt.Errorf("read %s: %w", file, err))
		}
		texts = append(texts, line.Claim)
	}
	return texts
}
