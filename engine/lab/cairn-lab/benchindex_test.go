package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"cairn/app/cli/command"
	"cairn/engine/lab/bench"
)

func TestBenchIndex(t *testing.T) {
	dir := home(t)
	small := smallGraph(t, dir)
	names := filepath.Join(dir, "names.txt")
	if err := os.WriteFile(names, []byte("Vienna\n\n Austria\nVienna\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	code, text, errs := start(t.Context(), "--json", "bench", "index", small, "--names", names, "--sizes", "2k", "--peers", "scan,hnsw", "--m", "4", "--queries", "5")
	var r bench.IndexReport
	if err := json.Unmarshal([]byte(text), &r); err != nil || code != 0 {
		t.Fatalf("bench index --json: exit code %d, %v\n%s%s", code, err, text, errs)
	}
	if len(r.Sets) != 3 || r.Sets[1].Vectors != 2 || r.Sets[2].Vectors < 1000 || len(r.Sets[0].Peers) != 2 || r.Version == "" {
		t.Errorf("bench index = %+v", r)
	}
	code, text, errs = start(t.Context(), "bench", "index", "--names", names, "--peers", "flat")
	if code != 0 || !strings.Contains(text, "names.txt: 2 distinct names") {
		t.Errorf("bench index: exit code %d\n%s%s", code, text, errs)
	}
}

func TestBenchIndexRefuses(t *testing.T) {
	dir := home(t)
	empty := filepath.Join(dir, "empty.txt")
	if err := os.WriteFile(empty, []byte("\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	long := filepath.Join(dir, "long.txt")
	if err := os.WriteFile(long, make([]byte, 1<<17), 0o644); err != nil {
		t.Fatal(err)
	}
	packed := filepath.Join(dir, "names.gz")
	if err := os.WriteFile(packed, []byte("Vienna\n\x1f\x8b\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	for want, tt := range map[string]struct {
		code int
		args []string
	}{
		"Give a graph":               {command.ExitUsage, nil},
		"no index \"best\"":          {command.ExitUsage, []string{"--names", empty, "--peers", "best"}},
		"name it with --hnswlib":     {command.ExitUsage, []string{"--names", empty, "--peers", "hnswlib"}},
		"faiss_hnsw.py with --faiss": {command.ExitUsage, []string{"--names", empty, "--peers", "faiss"}},
		"1 at least":                 {command.ExitUsage, []string{"--names", empty, "--ef", "0"}},
		"2 to 1024":                  {command.ExitUsage, []string{"--names", empty, "--m", "1"}},
		"no such file":               {command.ExitInput, []string{filepath.Join(dir, "none.cairn")}},
		"make -C engine/lab/hnswlib": {command.ExitInput, []string{"--names", empty, "--hnswlib", filepath.Join(dir, "none")}},
		"no names in empty.txt":      {command.ExitInput, []string{"--names", empty}},
		"cannot be made":             {command.ExitUsage, []string{"--sizes", "10"}},
		"0 has no names":             {command.ExitUsage, []string{"--sizes", "2k,0"}},
		"too long for a name":        {command.ExitInput, []string{"--names", long}},
		"line 2 is no text":          {command.ExitInput, []string{"--names", packed}},
	} {
		code, _, errs := start(t.Context(), append([]string{"bench", "index"}, tt.args...)...)
		if code != tt.code || !strings.Contains(errs, want) {
			t.Errorf("bench index %q: exit code %d, %s; want %d, %q", tt.args, code, errs, tt.code, want)
		}
	}
}

// TestBenchIndexShowsWhatWasMeasured: what goes wrong later takes nothing of what
// was measured.
func TestBenchIndexShowsWhatWasMeasured(t *testing.T) {
	dir := home(t)
	names, empty := filepath.Join(dir, "names.txt"), filepath.Join(dir, "empty.txt")
	for path, text := range map[string]string{names: "Vienna\nAustria\n", empty: "\n"} {
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	code, text, errs := start(t.Context(), "bench", "index", "--names", names, "--names", empty, "--peers", "flat")
	if code != command.ExitInput || !strings.Contains(text, "names.txt: 2 distinct names") || !strings.Contains(errs, "no names in empty.txt") {
		t.Errorf("bench index: exit code %d\n%s%s", code, text, errs)
	}
}
