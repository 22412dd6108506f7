package cli

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"cairn/app/cli/command"
)

// TestResultsReplaceNothingOfTheUsers tries every flag that names a file to write
// on a graph, its source and a text of the user's.
func TestResultsReplaceNothingOfTheUsers(t *testing.T) {
	dir := home(t)
	small := smallGraph(t, dir)
	thesis := filepath.Join(dir, "thesis.txt")
	if err := os.WriteFile(thesis, []byte("ten years of work\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	t.Chdir(dir)
	const question = "What is the capital of Austria?"
	for _, words := range [][]string{
		{"ask", small, question, "--html"},
		{"ask", small, question, "--png"},
		{"ask", small, question, "--svg"},
		{"ask", small, question, "--prompts"},
		{"extract", small, thesis, "--model", "none", "--review"},
	} {
		for _, path := range []string{small, "small.cairn", "small.tsv", "thesis.txt", small + ".d/page.html"} {
			before, beforeErr := os.ReadFile(path)
			code, _, errs := start(t.Context(), append(slices.Clip(words), path)...)
			if code != command.ExitInput || !strings.Contains(errs, "Nothing was written") {
				t.Errorf("%s %s: exit code %d, %s", strings.Join(words, " "), path, code, errs)
			}
			if after, err := os.ReadFile(path); string(after) != string(before) || (err == nil) != (beforeErr == nil) {
				t.Fatalf("%s %s changed the file", strings.Join(words, " "), path)
			}
		}
	}
	if code, _, errs := start(t.Context(), "info", small); code != 0 {
		t.Fatalf("the graph cannot be read any more: %d %s", code, errs)
	}
	// What Cairn wrote is written again, what was changed since is not.
	page := []string{"ask", small, question, "--html", "page.html", "--svg", "page.svg", "--png", "page.png"}
	for range 2 {
		if code, _, errs := start(t.Context(), page...); code != 0 {
			t.Fatalf("the page was not written: %d %s", code, errs)
		}
	}
	if err := os.WriteFile("page.svg", []byte("<svg/>"), 0o600); err != nil {
		t.Fatal(err)
	}
	if code, _, errs := start(t.Context(), page...); code != command.ExitInput || !strings.Contains(errs, "--force") {
		t.Errorf("over an edited picture: exit code %d, %s", code, errs)
	}
	if code, _, errs := start(t.Context(), append(page, "--force")...); code != 0 {
		t.Errorf("with --force: exit code %d, %s", code, errs)
	}
	if code, _, errs := start(t.Context(), "ask", small, question, "--html", "one", "--svg", "./one"); code != command.ExitUsage {
		t.Errorf("two results in one file: exit code %d, %s", code, errs)
	}
}

// TestFoldersOfResultsKeepWhatIsThere has files of the user's in the way of
// commands that write several.
func TestFoldersOfResultsKeepWhatIsThere(t *testing.T) {
	dir := home(t)
	for name, args := range map[string][]string{
		"index.html": {"tour", "--out", dir},
	} {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte("mine"), 0o600); err != nil {
			t.Fatal(err)
		}
		code, _, errs := start(t.Context(), args...)
		if got, err := os.ReadFile(path); code != command.ExitInput || string(got) != "mine" {
			t.Errorf("%v: exit code %d, %s; the file has %.20q, %v", args, code, errs, got, err)
		}
	}
}
