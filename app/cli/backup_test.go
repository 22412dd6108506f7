package cli

import (
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"go.uber.org/goleak"

	"cairn/app/cli/command"
	"cairn/internal/testing/transcript"
)

// TestMain runs a command where a test asks for a process of its own.
func TestMain(m *testing.M) {
	if args := os.Getenv("CAIRN_TEST_COMMAND"); args != "" {
		os.Exit(Main(strings.Split(args, "\n"), os.Stdin, os.Stdout, os.Stderr, nil))
	}
	goleak.VerifyTestMain(m)
}

// TestBrokenPipe: an import whose output nobody reads, as in "cairn import … | true",
// leaves all of the graph in its one file.
func TestBrokenPipe(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("Windows has no such signal")
	}
	dir := home(t)
	tsv, path := filepath.Join(dir, "a.tsv"), filepath.Join(dir, "a.cairn")
	if err := os.WriteFile(tsv, []byte("a\tknows\tb\nb\tknows\tc\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.CommandContext(t.Context(), os.Args[0])
	cmd.Env = append(os.Environ(), "CAIRN_TEST_COMMAND="+strings.Join([]string{"import", tsv, "--into", path}, "\n"))
	cmd.Stdout = w
	if err := r.Close(); err != nil {
		t.Fatal(err)
	}
	_ = cmd.Run()
	_ = w.Close()
	if code := cmd.ProcessState.ExitCode(); code != command.ExitPipe {
		t.Errorf("exit code %d, want %d", code, command.ExitPipe)
	}
	copied := filepath.Join(dir, "copied.cairn")
	b, err := os.ReadFile(path)
	if err == nil {
		err = os.WriteFile(copied, b, 0o600)
	}
	if err != nil {
		t.Fatal(err)
	}
	if _, out, errs := start(t.Context(), "info", copied); !strings.Contains(out, "triples    2") {
		t.Errorf("the file alone: %s%s", out, errs)
	}
	if left, err := filepath.Glob(path + "-*"); err != nil || len(left) > 0 {
		t.Errorf("beside it is %q, %v", left, err)
	}
}

func TestBackup(t *testing.T) {
	dir := home(t)
	path, target := smallGraph(t, dir), filepath.Join(dir, "copy.cairn")
	if code, out, errs := start(t.Context(), "backup", path, target); code != command.ExitDone || !strings.Contains(out, "checked the copy") {
		t.Fatalf("exit code %d\n%s%s", code, out, errs)
	}
	if code, _, errs := start(t.Context(), "backup", path, target); code != command.ExitInput || !strings.Contains(errs, "--force") {
		t.Errorf("a second time: exit code %d, %s", code, errs)
	}
	if code, _, errs := start(t.Context(), "backup", path, target, "--force", "--json"); code != command.ExitDone {
		t.Errorf("with --force: exit code %d, %s", code, errs)
	}
	if code, _, errs := start(t.Context(), "backup", path, filepath.Join(dir, "copy.txt")); code != command.ExitUsage {
		t.Errorf("no graph's name: exit code %d, %s", code, errs)
	}
	_, want, _ := start(t.Context(), "ask", path, "What is the capital of Austria?")
	if _, got, errs := start(t.Context(), "ask", target, "What is the capital of Austria?"); transcript.Timeless(got) != transcript.Timeless(want) {
		t.Errorf("the copy answers\n%s%s\nand the graph\n%s", got, errs, want)
	}
}

// TestNoHome: without a home folder nothing is made at the root of the file system,
// and what names its graph goes on.
func TestNoHome(t *testing.T) {
	path := smallGraph(t, home(t))
	for _, name := range []string{"HOME", "USERPROFILE", "XDG_DATA_HOME"} {
		t.Setenv(name, "")
	}
	if code, _, errs := start(t.Context(), "ask", path, "What is the capital of Austria?"); code != command.ExitDone || errs != "" {
		t.Errorf("a graph by its path: exit code %d, %s", code, errs)
	}
	if code, out, errs := start(t.Context(), "ask", "What is the capital of Austria?"); code != command.ExitDone || !strings.Contains(out, "Vienna") || !strings.Contains(errs, "Set HOME or XDG_DATA_HOME") {
		t.Errorf("the sample: exit code %d, %s%s", code, out, errs)
	}
	if code, out, _ := start(t.Context(), "doctor", "--no-model"); code != command.ExitFailed || !strings.Contains(out, "HOME is not set") {
		t.Errorf("doctor: exit code %d, %s", code, out)
	}
}
