package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"cairn/app/cli/command"
)

// TestPretrain makes a base twice, of the same bytes, and has an evaluation read it.
func TestPretrain(t *testing.T) {
	dir := home(t)
	small := smallGraph(t, dir)
	one, two := filepath.Join(dir, "one.gsr"), filepath.Join(dir, "two.gsr")
	for _, out := range []string{one, two} {
		code, text, errs := start(t.Context(), "pretrain", small, "--out", out, "--each", "40", "--epochs", "1")
		if code != 0 || !strings.Contains(text, "small") || !strings.Contains(text, out) {
			t.Fatalf("exit code %d: %s%s", code, text, errs)
		}
	}
	a, errA := os.ReadFile(one)
	b, errB := os.ReadFile(two)
	if errA != nil || errB != nil || string(a) != string(b) || len(a) == 0 {
		t.Errorf("two bases of %d and %d bytes differ: %v, %v", len(a), len(b), errA, errB)
	}
	for _, test := range []struct {
		args []string
		code int
		want string
	}{
		{[]string{"pretrain", small, "--out", one, "--each", "0"}, command.ExitUsage, "1 at least"},
		{[]string{"pretrain", filepath.Join(dir, "none.cairn"), "--out", one}, command.ExitInput, "no such file"},
		{[]string{"pretrain", small, "--out", small}, command.ExitInput, "Nothing was written"},
		{[]string{"eval", "metaqa", "--retriever", "gsr", "--base", filepath.Join(dir, "none.gsr")}, command.ExitInput, "none.gsr"},
		{[]string{"eval", "metaqa", "--retriever", "gsr", "--base", small}, command.ExitInput, "something else"},
		{[]string{"eval", "metaqa", "--retriever", "gsr", "--base", one, "--data", dir}, command.ExitInput, "does not exist"},
		{[]string{"eval", "metaqa", "--retriever", "gsr", "--base", one, "--journal", filepath.Join(dir, "j")}, command.ExitUsage, "--journal"},
	} {
		if code, _, errs := start(t.Context(), test.args...); code != test.code || !strings.Contains(errs, test.want) {
			t.Errorf("%q: exit code %d, want %d and %q: %s", test.args, code, test.code, test.want, errs)
		}
	}
}
