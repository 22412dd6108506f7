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
	"github.com/google/go-cmp/cmp/cmpopts"
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
	gold := []string{"a", "b"}
	exact := Record{Gold: gold, Answers: gold, Sure: true, Evidence: 4, Covered: []int{0, 1}}
	half := Record{Gold: gold, Answers: []string{"a"}, Covered: []int{0}}
	other := Record{Gold: gold, Answers: []string{"b"}, Covered: []int{1}}
	wrong := Record{Gold: gold, Answers: []string{"c", "a"}, Sure: true}
	a := keep("gsr", "films", exact, exact, half, wrong, exact)
	b := keep("gnn", "films", exact, other, other, wrong) // stopped after four
	got, err := ReadBeside([]string{a, b})
	if err != nil {
		t.Fatal(err)
	}
	p := 1. / 2
	want := &Beside{Parts: []BesidePart{{Name: "1-hop", N: 4, All: 1, None: 2, order: -1, Rows: []BesideRow{
		{By: "gsr", Alone: 1, Covered: 2.5, Median: time.Millisecond, Tokens: 2, Scores: Scores{N: 4, Hits1: 3, Hit: 4, AMR: 3, Precision: 3.5, F1: 2 + 2./3 + p, Exact: 2, SureN: 3, SureHits1: 2}},
		{By: "gnn", Covered: 2, Median: time.Millisecond, Tokens: 1, Scores: Scores{N: 4, Hits1: 3, Hit: 4, AMR: 2.5, Precision: 3.5, F1: 1 + 2./3 + 2./3 + p, Exact: 1, SureN: 2, SureHits1: 1}},
		// What one finds of the third question the other does not, and of the fourth nobody anything.
		{By: union, Covered: 3, Scores: Scores{N: 4, Hits1: 3, Hit: 4, AMR: 3.5, Precision: 3.5, F1: 3 + p, Exact: 3}},
	}}}}
	if diff := cmp.Diff(want, got, cmp.AllowUnexported(BesidePart{}), cmpopts.EquateApprox(0, 1e-9)); diff != "" {
		t.Errorf("ReadBeside: (-want +got)\n%s", diff)
	}
	for form, want := range map[string]string{
		"text":     "1-hop  4  gsr    75.00   75.00  79.17  50.00  25.00     75.00  25.00           62.50                 1.00        2       25.00         50.00",
		"csv":      ",1-hop,4,union,75.00,87.50,87.50,75.00,-,-,-,75.00,-,-,25.00,50.00\n",
		"markdown": "|  | 1-hop | 4 | gnn | 75.00 | 62.50 |",
	} {
		var text bytes.Buffer
		if err := got.Write(&text, form); err != nil || !strings.Contains(text.String(), want) {
			t.Errorf("Write(%s) = %v\n%s\nwant in it: %s", form, err, text.String(), want)
		}
	}
	foreign := filepath.Join(dir, "other")
	if err := os.WriteFile(foreign, []byte("no journal"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, paths := range [][]string{{foreign}, {filepath.Join(dir, "none")}} {
		var bad *JournalError
		if _, err := ReadBeside(paths); !errors.As(err, &bad) {
			t.Errorf("ReadBeside(%v) = %v, want a JournalError", paths, err)
		}
	}
}

// TestBesideClaims scores verdicts, beside the baseline that looks for a triple alone.
func TestBesideClaims(t *testing.T) {
	path := filepath.Join(t.TempDir(), "claims")
	j, err := openJournal(path, Config{Journal: journalVersion, Retriever: "pattern"})
	if err != nil {
		t.Fatal(err)
	}
	yes, no := true, false
	for i, r := range []Record{
		{Label: &yes, Verdict: "supported", Sure: true, Adjacent: true},
		{Label: &no, Verdict: "not_found", Sure: true, Adjacent: true},
		{Label: &no, Verdict: "supported", Sure: true},
	} {
		r.At, r.Group, r.Total = i, "claims", time.Millisecond
		if err := j.add(r); err != nil {
			t.Fatal(err)
		}
	}
	if err := j.close(); err != nil {
		t.Fatal(err)
	}
	got, err := ReadBeside([]string{path})
	if err != nil {
		t.Fatal(err)
	}
	rows := got.Parts[0].Rows
	if len(rows) != 2 || rows[0].Scores.Hits1 != 2 || rows[0].Scores.SureN != 2 || rows[0].Scores.SureHits1 != 1 || rows[1].By != adjacency || rows[1].Scores.Hits1 != 2 {
		t.Errorf("ReadBeside = %+v", rows)
	}
	var text bytes.Buffer
	if err := got.Write(&text, "csv"); err != nil || !strings.Contains(text.String(), ",claims,3,pattern,66.67,66.67,66.67,66.67,0.00,66.67,33.33,-,") {
		t.Errorf("Write = %v\n%s", err, text.String())
	}
}
