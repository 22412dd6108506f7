package cli

import (
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"cairn/app/cli/command"
	"cairn/internal/testing/fakeollama"
)

// raw are pieces of the system's own error texts, which nobody should read.
var raw = []string{"no such file or directory", "mkdir", "rename", "open /", ".cairn-", "deadline", "no such table", "not a directory"}

func TestPlacesThatCannotBeWrittenTo(t *testing.T) {
	dir := home(t)
	small := smallGraph(t, dir)
	file := filepath.Join(dir, "file")
	if err := os.WriteFile(file, nil, 0o644); err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct {
		args []string
		want string
	}{
		{[]string{"ask", small, "What is the capital of Austria?", "--html", filepath.Join(dir, "no", "a.html")}, "does not exist"},
		{[]string{"ask", small, "What is the capital of Austria?", "--png", dir}, "it is a folder"},
		{[]string{"ask", small, "What is the capital of Austria?", "--svg", filepath.Join(file, "a.svg")}, "a file, not a folder"},
		{[]string{"tour", "--out", file}, "a file, not a folder"},
	} {
		code, _, errs := start(t.Context(), test.args...)
		said := strings.ReplaceAll(errs, dir, "")
		if code != command.ExitInput || !strings.Contains(errs, test.want) {
			t.Errorf("%q: exit code %d, %s; want %d and %q", test.args, code, errs, command.ExitInput, test.want)
		}
		for _, r := range raw {
			if strings.Contains(said, r) {
				t.Errorf("%q: %s; it says %q", test.args, errs, r)
			}
		}
	}
}

func TestImportThatAddsNothingLeavesNoGraph(t *testing.T) {
	dir := home(t)
	header, one := filepath.Join(dir, "header.csv"), filepath.Join(dir, "one.csv")
	for path, text := range map[string]string{header: "head,relation,tail\n", one: "Rome,capital of,Italy\n"} {
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	into := filepath.Join(dir, "g.cairn")
	for _, args := range [][]string{{header}, {one, "--labels", filepath.Join(dir, "none.csv")}, {one, "--encoding", "runes"}} {
		code, out, errs := start(t.Context(), append([]string{"import", "--into", into}, args...)...)
		left, err := filepath.Glob(into + "*")
		if code != command.ExitInput || out != "" || err != nil || len(left) > 0 {
			t.Errorf("import %q: exit code %d, left %q (%v)\n%s%s", args, code, left, err, out, errs)
		}
	}
	if code, _, errs := start(t.Context(), "import", one, "--into", into); code != 0 {
		t.Fatalf("exit code %d: %s", code, errs)
	}
	if code, _, errs := start(t.Context(), "import", header, "--into", into); code != command.ExitInput || !strings.Contains(errs, "only a header") {
		t.Errorf("exit code %d: %s", code, errs)
	}
	if _, err := os.Stat(into); err != nil {
		t.Errorf("a graph that was there is gone: %v", err)
	}
}

func TestLabelsCannotSteerATerminal(t *testing.T) {
	dir := home(t)
	file, into := filepath.Join(dir, "a.csv"), filepath.Join(dir, "a.cairn")
	text := "head,relation,tail\nMary,likes,\x1b[31mred\x1b[0m\nMary,likes,a\u202eb\nMary,likes,\"two\nlines\"\nMary,likes," + strings.Repeat("L", 5000) + "\n"
	if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	if code, _, errs := start(t.Context(), "import", file, "--into", into); code != 0 {
		t.Fatalf("exit code %d: %s", code, errs)
	}
	code, out, errs := start(t.Context(), "ask", into, "What does Mary like?")
	if code != 0 || !strings.Contains(out, "two lines") {
		t.Errorf("exit code %d\n%s%s", code, out, errs)
	}
	if strings.ContainsAny(out, "\x1b\u202e") {
		t.Errorf("what steers a terminal came through:\n%q", out)
	}
	for line := range strings.Lines(out) {
		if len([]rune(line)) > 1000 {
			t.Errorf("a line of %d characters", len([]rune(line)))
		}
	}
}

func TestServerThatAnswersHTMLIsSaidOnce(t *testing.T) {
	dir := home(t)
	small := smallGraph(t, dir)
	page := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write([]byte("<!DOCTYPE html><p>hello")) }))
	defer page.Close()
	code, out, _ := start(t.Context(), "ask", small, "What is the capital of Austria?", "--model", "m", "--host", page.URL)
	if code != 0 || strings.Count(out, "not an Ollama server") != 1 || !strings.Contains(out, "For the same reason") {
		t.Errorf("exit code %d\n%s", code, out)
	}
}

func TestEmptyGraphSaysSo(t *testing.T) {
	dir := home(t)
	into := filepath.Join(dir, "none.cairn")
	if err := os.WriteFile(into, nil, 0o644); err != nil {
		t.Fatal(err)
	}
	code, out, errs := start(t.Context(), "ask", into, "Who?")
	if code != command.ExitNoAnswer || !strings.Contains(out, "This graph is empty") || strings.Contains(out, "Note:") {
		t.Errorf("exit code %d\n%s%s", code, out, errs)
	}
}

// TestWhatCannotBeDoneSaysWhatToDo: commands that are given the wrong thing.
func TestWhatCannotBeDoneSaysWhatToDo(t *testing.T) {
	dir := home(t)
	small := smallGraph(t, dir)
	notes, table := filepath.Join(dir, "notes.txt"), filepath.Join(dir, "table.tsv")
	for path, text := range map[string]string{notes: "Vienna lies on the Danube.\n", table: "\x00\x01\n"} {
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	mute := fakeollama.New(t).Model("m", fakeollama.Script{Answer: fakeollama.Says(fakeollama.Answer{Text: "no", Fault: fakeollama.Limit})})
	for _, test := range []struct {
		args  []string
		code  int
		wants []string
		never string
	}{
		{[]string{"ask", notes, "Where does Vienna lie?"}, command.ExitUsage, []string{"is a file but not a graph", "--into notes.cairn"}, ""},
		{[]string{"extract", small, "--apply", dir}, command.ExitInput, []string{"it is a folder", "--review"}, ""},
		{[]string{"extract", small, "--apply", table}, command.ExitInput, []string{"line 1", "again with --review"}, ""},
		{[]string{"extract", small, notes, "--model", "m", "--host", "127.0.0.1:1"}, command.ExitFailed, []string{"No Ollama server responds"}, "read before"},
		{[]string{"extract", small, notes, "--model", "m", "--host", mute.URL}, command.ExitNoAnswer, []string{"0 parts read", "cut short"}, ""},
	} {
		code, out, errs := start(t.Context(), test.args...)
		said := out + errs
		if code != test.code {
			t.Errorf("%q: exit code %d, want %d\n%s", test.args, code, test.code, said)
		}
		for _, want := range test.wants {
			if !strings.Contains(said, want) {
				t.Errorf("%q: it lacks %q:\n%s", test.args, want, said)
			}
		}
		if test.never != "" && strings.Contains(said, test.never) {
			t.Errorf("%q: it says %q:\n%s", test.args, test.never, said)
		}
	}
}

// TestChoiceThatCannotBeKept: without permission to write there is no choice of
// vectors to make, and the command says so before it embeds anything.
func TestChoiceThatCannotBeKept(t *testing.T) {
	if os.Geteuid() == 0 {
		t.Skip("root may write everywhere")
	}
	dir := home(t)
	small := smallGraph(t, dir)
	if err := os.Chmod(small, 0o400); err != nil {
		t.Fatal(err)
	}
	fake := fakeollama.New(t).Model("e", fakeollama.Script{Embeds: true})
	for _, args := range [][]string{{"--model", "e", "--host", fake.URL}, {"--built-in"}, {"--delete", "e"}} {
		if code, out, errs := start(t.Context(), append([]string{"embed", small}, args...)...); code != command.ExitInput || !strings.Contains(errs, "copy") {
			t.Errorf("embed %q in a file that may only be read: exit code %d\n%s%s", args, code, out, errs)
		}
	}
}
