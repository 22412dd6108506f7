package main

import (
	"encoding/json"
	"strings"
	"testing"

	"cairn/engine/lab/bench"
)

// TestBenchImport imports one graph in every form that Cairn reads.
func TestBenchImport(t *testing.T) {
	dir := home(t)
	code, text, errs := start(t.Context(), "--json", "bench", "import", "--entities", "2k", "--edges", "2k", "--dir", dir, "--peer", "count=wc -l $FILE", "--peer", "none=false")
	var rows []bench.ImportRow
	if err := json.Unmarshal([]byte(text), &rows); err != nil || code != 0 {
		t.Fatalf("bench import: exit code %d, %v\n%s", code, err, errs)
	}
	if len(rows) != len(bench.ImportForms()) {
		t.Errorf("%d forms, want %d", len(rows), len(bench.ImportForms()))
	}
	for _, r := range rows {
		if r.Failed != "" || r.Rejected > 0 || r.Statements < 1_500 || r.Graph == 0 || r.Snapshot == 0 {
			t.Errorf("%+v", r)
		}
		for _, run := range r.Runs {
			if failed := run.Failed != ""; failed != (run.Name == "none") {
				t.Errorf("%s: %+v", r.Form, run)
			}
		}
	}
	code, text, errs = start(t.Context(), "bench", "import", "turtle", "--entities", "2k", "--damage", "1", "--dir", dir)
	if code != 0 || !strings.Contains(text, "turtle: ") || !strings.HasSuffix(strings.Join(strings.Fields(strings.Split(text, "\n")[1]), " "), "1 0 0") {
		t.Errorf("damage: exit code %d\n%s%s", code, text, errs)
	}
	if code, _, errs := start(t.Context(), "bench", "import", "scroll"); code != 2 || !strings.Contains(errs, "turtle") {
		t.Errorf("an unknown form: exit code %d\n%s", code, errs)
	}
}
