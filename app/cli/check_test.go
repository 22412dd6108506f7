package cli

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"cairn/app/cli/command"
	"cairn/internal/testing/transcript"
)

func TestCheck(t *testing.T) {
	dir := home(t)
	path := smallGraph(t, dir)
	if code, out, errs := start(t.Context(), "check", path); code != command.ExitDone || !strings.Contains(out, "is intact") || errs != "" {
		t.Fatalf("a sound graph: exit code %d\n%s%s", code, out, errs)
	}
	// What is no graph is none of an older Cairn.
	page := filepath.Join(dir, "page.html")
	if err := os.WriteFile(page, bytes.Repeat([]byte("<p>A report.</p>\n"), 1000), 0o644); err != nil {
		t.Fatal(err)
	}
	if code, _, errs := start(t.Context(), "check", page); code != command.ExitInput || !strings.Contains(errs, "it is not a graph") {
		t.Errorf("a page: exit code %d\n%s", code, errs)
	}
	// A damaged cache is named, and removed by a repair.
	snapshots, err := filepath.Glob(filepath.Join(path+".d", "graph-*.csr"))
	if err != nil || len(snapshots) != 1 {
		t.Fatalf("snapshots %q, %v", snapshots, err)
	}
	damage(t, snapshots[0], 700)
	if code, out, _ := start(t.Context(), "check", path); code != command.ExitInput || !strings.Contains(out, filepath.Base(snapshots[0])) {
		t.Errorf("a damaged cache: exit code %d\n%s", code, out)
	}
	if code, out, _ := start(t.Context(), "check", path, "--repair"); code != command.ExitDone || !strings.Contains(out, "removed") {
		t.Errorf("repaired cache: exit code %d\n%s", code, out)
	}
	// So is a damaged file, and every command names the way out.
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	damage(t, path, strings.LastIndex(string(b), "Ljubljana"))
	code, out, errs := start(t.Context(), "ask", path, "What is the capital of Slovenia?")
	if code != command.ExitInput || out != "" || !strings.Contains(errs, "cairn check --repair") {
		t.Errorf("ask of a damaged graph: exit code %d\n%s%s", code, out, errs)
	}
	if code, out, _ := start(t.Context(), "check", path); code != command.ExitInput || !strings.Contains(out, "damaged: entities, with their names, row ") || !strings.Contains(out, "one bit is wrong") {
		t.Errorf("a damaged graph: exit code %d\n%s", code, out)
	}
	if code, out, errs := start(t.Context(), "check", path, "--repair", "--json"); code != command.ExitDone || !strings.Contains(out, "small.cairn.damaged-1") {
		t.Errorf("repair: exit code %d\n%s%s", code, out, errs)
	}
	if code, out, _ := start(t.Context(), "ask", path, "What is the capital of Slovenia?"); code != command.ExitDone || !strings.Contains(out, "Ljubljana") {
		t.Errorf("ask of a repaired graph: exit code %d\n%s", code, out)
	}
}

// damage turns a bit over.
func damage(t *testing.T, path string, at int) {
	t.Helper()
	b, err := os.ReadFile(path)
	if err == nil {
		b[at] ^= 4
		err = os.WriteFile(path, b, 0o600)
	}
	if err != nil {
		t.Fatal(err)
	}
}

// TestRepairFromSources overwrites names and triples with others, which no checksum can
// give back: they are read again from the files that the graph was made from. Once one
// of those has changed nothing is made up.
func TestRepairFromSources(t *testing.T) {
	f := newFlipped(t)
	bad := bytes.Clone(f.good)
	for name, other := range map[string]string{"Ljubljana": "Kinshasa!", "Director 5": "Somebody X", "Film 77": "Film ab"} {
		bad = bytes.ReplaceAll(bad, []byte(name), []byte(other))
	}
	f.put(t, bad, false)
	code, out, errs := start(t.Context(), "check", f.path, "--repair")
	if code != command.ExitDone || !strings.Contains(out, "Repaired") {
		t.Fatalf("repair: exit code %d\n%s%s", code, out, errs)
	}
	for n, args := range f.commands {
		if _, out, errs := start(t.Context(), args...); transcript.Timeless(out+errs) != f.want[n] {
			t.Errorf("%q after the repair:\n%s%swant\n%s", args, out, errs, f.want[n])
		}
	}
	if code, out, _ := start(t.Context(), "check", f.path); code != command.ExitDone {
		t.Errorf("check after the repair: exit code %d\n%s", code, out)
	}
	if left, err := filepath.Glob(filepath.Join(filepath.Dir(f.path), ".cairn-*")); err != nil || len(left) > 0 {
		t.Errorf("left behind: %q, %v", left, err)
	}
	f.put(t, bad, false)
	tsv := filepath.Join(filepath.Dir(f.path), "flips.tsv")
	if err := os.WriteFile(tsv, []byte("Austria\tcapital\tGraz\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if code, _, errs := start(t.Context(), "check", f.path, "--repair"); code != command.ExitInput || !strings.Contains(errs, "Nothing was changed") {
		t.Errorf("without its source: exit code %d, %s", code, errs)
	}
	if b, err := os.ReadFile(f.path); err != nil || !bytes.Equal(b, bad) {
		t.Errorf("the graph was changed: %v", err)
	}
}
