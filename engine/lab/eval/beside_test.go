package eval

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

func TestBeside(t *testing.T) {
	dir := t.TempDir()
	keep := func(method, questions string, records ...Record) string {
		path := filepath.Join(dir, method+questions)
		c := Config{Journal: journalVersion, Retriever: method, Questions: questions}
		j, err := openJournal(path, c)
		if err != nil {
			t.Fatal(err)
		}
		for i, r := range records {
			r.At, r.Group, r.Total = i, "1-hop", time.Millisecond
			if err := j.add(r); err != nil {
				t.Fatal(err)
			}
		}
		if err := j.close(); err != nil {
			t.Fatal(err)
		}
		return path
	}
	exact, wrong, sure := Record{Tokens: 4}, Record{Fault: Retrieval}, Record{Fault: Retrieval, Sure: true}
	a := keep("gsr", "films", exact, exact, wrong, sure, exact)
	b := keep("gnn", "films", exact, wrong, exact, wrong) // stopped after four
	got, err := ReadBeside([]string{a, b})
	if err != nil {
		t.Fatal(err)
	}
	want := &Beside{Methods: []string{"gsr", "gnn"}, Parts: []BesidePart{{
		Name: "1-hop", N: 4, Exact: []int{2, 2}, Alone: []int{1, 1}, Wrong: []int{1, 0}, All: 1, None: 1,
		Median: []time.Duration{time.Millisecond, time.Millisecond}, Tokens: []int{2, 2},
	}}}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("ReadBeside: (-want +got)\n%s", diff)
	}
	var text bytes.Buffer
	if err := got.WriteText(&text); err != nil || !strings.Contains(text.String(), "gsr  50.00  25.00") {
		t.Errorf("WriteText = %v\n%s", err, text.String())
	}
	other := filepath.Join(dir, "other")
	if err := os.WriteFile(other, []byte("no journal"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, paths := range [][]string{{a, keep("exact", "cities", exact)}, {other}, {filepath.Join(dir, "none")}} {
		var bad *JournalError
		if _, err := ReadBeside(paths); !errors.As(err, &bad) {
			t.Errorf("ReadBeside(%v) = %v, want a JournalError", paths, err)
		}
	}
}
