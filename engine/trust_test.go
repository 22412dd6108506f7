package engine

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"cairn/engine/answer"
	"cairn/engine/ingest"
	"cairn/engine/kg"
	"cairn/engine/link"
	"cairn/engine/plan"
	"cairn/engine/retrieve"
	"cairn/engine/retrieve/simgrag"
	"cairn/engine/retrieve/templates"
)

// TestTrustOf: who is followed, and what is sure, goes by who was right before.
func TestTrustOf(t *testing.T) {
	run := func(by string, doubt plan.Doubt, items ...string) *Run {
		r := &Run{Method: retrieve.Info{ID: by, Who: "the " + by}, Plan: &plan.Plan{Doubt: doubt, Open: true}, Answer: &answer.Answer{}}
		for _, it := range items {
			r.Answer.Items = append(r.Answer.Items, answer.Item{Entity: kg.NoEntity, Label: it})
		}
		return r
	}
	same, otherwise, refused := Case{Sure: true, Same: true}, Case{}, Case{Refused: true}
	for _, tt := range []struct {
		name        string
		first       []string
		doubt       plan.Doubt // of the other, who says "a"
		made        bool
		c           Case
		n           Tally
		by          string
		sure        bool
		chosen, why string
	}{
		{"agreed, and mostly right elsewhere", []string{"a"}, plan.Sure, false, same, Tally{}, "first", true, "On other graphs, their common answer was right in 100 of 100 cases like this.", ""},
		{"agreed, and mostly right here", []string{"a"}, plan.Sure, false, same, Tally{20, 19, 19}, "first", true, "On this graph, their common answer was right in 19 of 20 cases like this.", ""},
		{"agreed, and often wrong here", []string{"a"}, plan.Sure, false, same, Tally{10, 7, 7}, "first", false, "On this graph, their common answer was right in 7 of 10 cases like this.", ""},
		{"agreed, from made questions", []string{"a"}, plan.Sure, true, same, Tally{}, "first", false, "has learned only from generated questions", ""},
		{"agreed, from made questions that were right here", []string{"a"}, plan.Sure, true, same, Tally{20, 20, 20}, "first", true, "in 20 of 20 cases", ""},
		{"differed, and is right more often here", []string{"b"}, plan.Unsure, false, otherwise, Tally{40, 8, 30}, "other", false, "The first finds: b.", "On this graph, the other was right in 30, and the first in 8, of 40 cases like this."},
		{"differed, and was right once here", []string{"b"}, plan.Unsure, false, otherwise, Tally{1, 0, 1}, "first", false, "", ""},
		{"differed, and is right less often here", []string{"b"}, plan.Unsure, false, otherwise, Tally{40, 30, 8}, "first", false, "", ""},
		{"refused, the other unsure", nil, plan.Unsure, false, refused, Tally{}, "first", false, "", ""},
		{"refused, the other unsure but right here", nil, plan.Unsure, false, refused, Tally{10, 0, 8}, "other", false, "", "was right in 8 of 10 cases like this."},
		{"refused, the other sure", nil, plan.Sure, true, refused, Tally{}, "other", false, "", "could not read the question"},
		{"refused, the other sure, and right once here", nil, plan.Sure, false, Case{Refused: true, Sure: true}, Tally{1, 0, 1}, "other", false, "", "was right in 1 of 1 cases like this."},
		{"refused, the other sure but wrong here", nil, plan.Sure, false, Case{Refused: true, Sure: true}, Tally{10, 0, 1}, "first", false, "disagrees: a. On this graph, the other was right in 1 of 10 cases like this.", ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			first, other := run("first", plan.Unsure, tt.first...), run("other", tt.doubt, "a")
			other.Made, other.Plan.Seeds, other.Plan.Mentions = tt.made, []kg.EntityID{1}, []link.Mention{{}}
			if len(tt.first) == 0 {
				first.Answer = nil
			}
			got := first.weighed([]Opinion{{Method: other.Method, Run: other}}, Trust{"other": {tt.c: tt.n}})
			if sure := got.Plan.Doubt == plan.Sure; got.Method.ID != tt.by || sure != tt.sure {
				t.Errorf("%s answers, sure %v; want %s, %v", got.Method.ID, sure, tt.by, tt.sure)
			}
			if said := strings.Join(got.Chosen, " "); !strings.Contains(said, tt.chosen) || !strings.Contains(got.Plan.Reason, tt.why) {
				t.Errorf("says %q, because %q; want %q, %q", said, got.Plan.Reason, tt.chosen, tt.why)
			}
		})
	}
}

// TestTrustIsLearned: a training counts who was right in questions that it did not learn
// from, and the questions of a file are counted beside them, once; those learned from are not.
func TestTrustIsLearned(t *testing.T) {
	dir := t.TempDir()
	var lines, asked strings.Builder
	for i := range 60 {
		fmt.Fprintf(&lines, "Film %d|P57|Zorrin %d\nFilm %d|P577|Month %d\n", i, i%7, i, i%12)
		// Of so many relations without words none is asked for by a word that asks for nothing else.
		fmt.Fprintf(&lines, "Film %d|P58|A %d\nFilm %[1]d|P161|B %[2]d\nFilm %[1]d|P162|C %[2]d\nFilm %[1]d|P344|D %[2]d\n", i, i%7)
		fmt.Fprintf(&asked, "who made [Film %d]\tZorrin %d\n", i, i%7)
	}
	writeText(t, filepath.Join(dir, "films.txt"), lines.String())
	writeText(t, filepath.Join(dir, "qa.txt"), asked.String())
	path := filepath.Join(dir, "films.cairn")
	open := func() *Engine {
		t.Helper()
		e, err := Open(t.Context(), path, Options{Methods: []retrieve.Method{simgrag.Method{}, templates.Method{}}}, nil)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { e.Close() })
		return e
	}
	e := open()
	if _, err := e.Import(t.Context(), []string{filepath.Join(dir, "films.txt")}, ingest.Options{}, nil); err != nil {
		t.Fatal(err)
	}
	if _, err := e.Train(t.Context(), TrainOptions{Method: "templates", File: filepath.Join(dir, "qa.txt")}, nil); err != nil {
		t.Fatal(err)
	}
	count := func(asked int) {
		t.Helper()
		trust, err := e.Trust(t.Context())
		if n := trust["templates"][Case{Refused: true, Sure: true}]; err != nil || n != (Tally{asked, 0, asked}) {
			t.Errorf("Trust = %v, %v; want %d cases in which the template reader was right", trust, err, asked)
		}
	}
	count(6)
	run, err := e.Ask(t.Context(), "who made Film 12", AskOptions{}, nil)
	if err != nil || run.Method.ID != "templates" || !strings.Contains(run.Plan.Reason, "On this graph, the template reader was right in 6 of 6 cases like this.") {
		t.Errorf("%s answers: %s, %v", run.Method.ID, run.Plan.Reason, err)
	}

	// A file is counted once, without the questions that the training had.
	for range 2 {
		j, err := e.Judge(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		for i := range 60 {
			for _, form := range []string{"who made Film %d", "who had made Film %d"} {
				run, err := e.Ask(t.Context(), fmt.Sprintf(form, i), AskOptions{}, nil)
				if err != nil {
					t.Fatal(err)
				}
				j.Count(run, func(r *Run) bool { return len(r.said()) == 1 })
			}
		}
		if n, err := j.Keep(t.Context(), "own.csv"); n != 60 || err != nil {
			t.Errorf("%d cases are kept, %v", n, err)
		}
		count(66)
	}
	if err := e.Close(); err != nil {
		t.Fatal(err)
	}
	e = open()
	count(66)

	// What is trained anew has its own record.
	if _, err := e.Train(t.Context(), TrainOptions{Method: "templates", File: filepath.Join(dir, "qa.txt"), Seed: 2}, nil); err != nil {
		t.Fatal(err)
	}
	count(6)
}
