package main

import (
	"bytes"
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"cairn/app/cli"
	"cairn/app/cli/command"
	"cairn/internal/testing/golden"
	"cairn/internal/testing/transcript"
)

// The tests of this package write them short.
var (
	home = transcript.Home
)

func start(ctx context.Context, args ...string) (code int, stdout, stderr string) {
	var out, errs bytes.Buffer
	code = program(args, strings.NewReader(""), &out, &errs).Run(ctx)
	return code, out.String(), errs.String()
}

// lab runs a command and returns its transcript.
func lab(t *testing.T, dir string, args ...string) string {
	t.Helper()
	code, out, errs := start(t.Context(), args...)
	return transcript.Of(dir, "cairn-lab", args, code, out, errs)
}

// smallGraph imports the small graph of the product's tests.
func smallGraph(t *testing.T, dir string) string {
	t.Helper()
	path := filepath.Join(dir, "small.cairn")
	tsv := filepath.Join(dir, "small.tsv")
	b, err := os.ReadFile("../../../app/cli/testdata/small.tsv")
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(tsv, b, 0o644); err != nil {
		t.Fatal(err)
	}
	var errs bytes.Buffer
	if code := (cli.Program{Args: []string{"import", tsv, "--into", path}, Stdout: &errs, Stderr: &errs}).Run(t.Context()); code != 0 {
		t.Fatalf("import: exit code %d\n%s", code, &errs)
	}
	return path
}

// TestTheProductHasNoneOfIt lists what the product is built of: nothing that measures
// it, and nothing of its tests.
func TestTheProductHasNoneOfIt(t *testing.T) {
	c := exec.CommandContext(t.Context(), "go", "list", "-deps", "-tags", "ci", "cairn")
	c.Stderr = os.Stderr
	out, err := c.Output()
	if err != nil {
		t.Fatalf("go list: %v", err)
	}
	packages := strings.Fields(string(out))
	if !slices.Contains(packages, "cairn/engine") {
		t.Fatalf("%d packages without the engine", len(packages))
	}
	for _, p := range packages {
		if strings.HasPrefix(p, "cairn/engine/lab") || strings.HasPrefix(p, "cairn/internal/testing") {
			t.Errorf("the product is built of %s", p)
		}
	}
}

// TestNoCommand is what is said of words that are no command and no set.
func TestNoCommand(t *testing.T) {
	dir := home(t)
	var b strings.Builder
	for _, args := range [][]string{{}, {"evil"}, {"eval", "nothing"}, {"eval", "metaqa", "--planner", "model"}} {
		b.WriteString(lab(t, dir, args...))
	}
	golden.Compare(t, "testdata/errors.txt", b.String())
}

// TestSetsThatAreNotThere says where the sets are looked for, and which parts there are.
func TestSetsThatAreNotThere(t *testing.T) {
	dir := home(t)
	for _, test := range []struct {
		args  []string
		code  int
		wants []string
		never string
	}{
		{[]string{"eval", "metaqa", "--data", filepath.Join(dir, "none")}, command.ExitInput, []string{"does not exist", "--data DIR"}, "Open"},
		{[]string{"eval", "metaqa", "--hops", "9"}, command.ExitUsage, []string{`no part "9"`, "ntm"}, "Open"},
		{[]string{"eval", "metaqa", "--forget", "101"}, command.ExitUsage, []string{"0 to 100"}, "Open"},
	} {
		code, out, errs := start(t.Context(), test.args...)
		if code != test.code || strings.Contains(errs, test.never) || slices.ContainsFunc(test.wants, func(w string) bool { return !strings.Contains(errs, w) }) {
			t.Errorf("%q: exit code %d, want %d and %q:\n%s%s", test.args, code, test.code, test.wants, out, errs)
		}
	}
}

// TestResultsReplaceNothingOfTheUsers tries every flag that names a file to write on a
// graph and a text of the user's.
func TestResultsReplaceNothingOfTheUsers(t *testing.T) {
	dir := home(t)
	small := smallGraph(t, dir)
	thesis, prefix := filepath.Join(dir, "thesis.txt"), filepath.Join(dir, "mine")
	const text = "ten years of work\n"
	kept := []string{thesis, prefix + ".nt.gz", prefix + ".queries.jsonl"}
	for _, path := range kept {
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	t.Chdir(dir)
	for _, args := range [][]string{
		{"eval", "metaqa", "--failures", thesis},
		{"eval", "metaqa", "--failures", small},
		{"eval", "metaqa", "--retriever", "gnn", "--failures", thesis},
		{"bench", "simgrag", small, "--queries", thesis, "--profile", thesis},
		{"bench", "simgrag", small, "--queries", thesis, "--profile", small},
		{"bench", "generate", "--entities", "3k", "--queries", "1", "--out", prefix},
	} {
		if code, _, errs := start(t.Context(), args...); code != command.ExitInput || !strings.Contains(errs, "Nothing was written") {
			t.Errorf("%q: exit code %d, %s", args, code, errs)
		}
	}
	for _, path := range kept {
		if b, err := os.ReadFile(path); err != nil || string(b) != text {
			t.Errorf("%s has %.20q, %v", path, b, err)
		}
	}
}
