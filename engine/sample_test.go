package engine

import (
	"database/sql"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"cairn/assets/sample"
	"cairn/engine/check"
	"cairn/engine/internal/pagesum"
	"cairn/internal/testing/shared"
)

// openSample opens the built-in sample in a folder of the test's own.
func openSample(t *testing.T) *Engine {
	t.Helper()
	e, err := OpenSample(t.Context(), t.TempDir(), Options{}, nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := e.Close(); err != nil {
			t.Error(err)
		}
	})
	return e
}

// TestSampleQuestions asks every question that comes with the sample graph,
// with no model: what make run shows must be right.
func TestSampleQuestions(t *testing.T) {
	shared.Sequential(t)
	e := openSample(t)
	for _, q := range sample.Questions() {
		t.Run(q.Text, func(t *testing.T) {
			run, err := e.Ask(t.Context(), q.Text, AskOptions{}, nil)
			if err != nil {
				t.Fatal(err)
			}
			got, want := said(run), slices.Clone(q.Answers)
			slices.Sort(want)
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("Ask(%q) as %q (-want +got):\n%s", q.Text, reading(run), diff)
			}
			for _, s := range run.Answer.Sentences {
				if s.Note {
					continue
				}
				if s.Check != check.Covered || len(s.Citations) == 0 {
					t.Errorf("sentence %q: %v, cites %v; want every sentence covered by triples", s.Text, s.Check, s.Citations)
				}
			}
		})
	}
}

func reading(run *Run) string {
	if run.Reading < 0 {
		return "nothing"
	}
	return run.Plan.Readings[run.Reading].Text
}

func TestSampleHasLinesToShow(t *testing.T) {
	shared.Sequential(t)
	e := openSample(t)
	run, err := e.Ask(t.Context(), "What is the capital of Mongolia?", AskOptions{}, nil)
	if err != nil {
		t.Fatal(err)
	}
	sources, err := e.Sources(t.Context(), run.Answer.Pack.Triples)
	for _, triple := range run.Answer.Pack.Triples {
		from := sources[triple]
		if err != nil || len(from) != 1 {
			t.Fatalf("Sources = %v, %v, want one place each", sources, err)
		}
		if _, err := os.Stat(from[0].File); err != nil {
			t.Errorf("the file of a triple is not there: %v", err)
		}
	}
}

func TestOpenSampleAgainAddsNothing(t *testing.T) {
	dir := t.TempDir()
	var triples []int
	for range 2 {
		e, err := OpenSample(t.Context(), dir, Options{}, nil)
		if err != nil {
			t.Fatal(err)
		}
		triples = append(triples, e.Graph().Triples())
		if err := e.Close(); err != nil {
			t.Fatal(err)
		}
	}
	if triples[0] < 2500 || triples[0] != triples[1] {
		t.Errorf("triples after opening twice = %v, want the same, at least 2,500", triples)
	}
	if files, err := filepath.Glob(filepath.Join(dir, "sample-*")); err != nil || len(files) != 1 {
		t.Errorf("folders = %v, %v, want one", files, err)
	}
}

func TestOpenSampleBesideOneOfANewerVersion(t *testing.T) {
	dir := t.TempDir()
	e, err := OpenSample(t.Context(), dir, Options{}, nil)
	if err != nil {
		t.Fatal(err)
	}
	triples, path := e.Graph().Triples(), e.path
	if err := e.Close(); err != nil {
		t.Fatal(err)
	}
	db, err := sql.Open(pagesum.Driver, "file:"+path+"?"+pagesum.Query(true))
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	if _, err := db.ExecContext(t.Context(), "PRAGMA user_version = 1000"); err != nil {
		t.Fatal(err)
	}
	for range 2 {
		e, err := OpenSample(t.Context(), dir, Options{}, nil)
		if err != nil {
			t.Fatalf("OpenSample: %v", err)
		}
		if got := e.Graph().Triples(); got != triples {
			t.Errorf("%d triples, want %d", got, triples)
		}
		if err := e.Close(); err != nil {
			t.Fatal(err)
		}
	}
}
