package cli

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"cairn/app/cli/command"
	"cairn/engine"
	"cairn/internal/testing/shared"

	"github.com/alecthomas/kong"
	"github.com/google/go-cmp/cmp"
)

func grammar(t *testing.T) *kong.Application {
	t.Helper()
	parser, err := kong.New(&commands{Train: newTrainCommand(engine.Methods())}, kong.Name("cairn"), Program{}.program().Vars())
	if err != nil {
		t.Fatal(err)
	}
	return parser.Model
}

// TestEveryCommandIsNamed looks for every command where commands are listed: in the
// error of a word that is none, in the README, and in the architecture.
func TestEveryCommandIsNamed(t *testing.T) {
	home(t)
	_, _, errs := start(t.Context(), "nonsense")
	places := map[string]string{"the error": errs}
	for _, file := range []string{"README.md", "docs/architecture.md"} {
		b, err := os.ReadFile(filepath.Join("..", "..", file))
		if err != nil {
			t.Fatal(err)
		}
		places[file] = string(b)
	}
	for _, c := range grammar(t).Children {
		for place, text := range places {
			quoted := "`" + c.Name + "`"
			if place == "the error" {
				quoted = " " + c.Name
			}
			if named := strings.Contains(text, quoted) || strings.Contains(text, "`cairn "+c.Name+"`"); named == c.Hidden {
				t.Errorf("%s: command %s is named: %v", place, c.Name, named)
			}
		}
	}
}

// TestHelpIsThatOfTheFlag compares help of every command with --help of it.
func TestHelpIsThatOfTheFlag(t *testing.T) {
	shared.Sequential(t)
	home(t)
	words := [][]string{{}, {"train", "gnn"}, {"train", "gsr"}, {"train", "templates"}}
	for _, c := range grammar(t).Children {
		words = append(words, []string{c.Name})
	}
	for _, w := range words {
		_, want, _ := start(t.Context(), append(slices.Clone(w), "--help")...)
		if code, got, errs := start(t.Context(), append([]string{"help"}, w...)...); code != command.ExitDone || got != want || !strings.HasPrefix(got, "Usage: cairn") {
			t.Errorf("help %v: exit code %d, %s (-want +got):\n%s", w, code, errs, cmp.Diff(want, got))
		}
	}
	if code, _, errs := start(t.Context(), "help", "nonsense"); code != command.ExitUsage || !strings.Contains(errs, "doctor") {
		t.Errorf("help nonsense: exit code %d, %s", code, errs)
	}
}

func TestVersionSaysWhatItIs(t *testing.T) {
	home(t)
	code, out, _ := start(t.Context(), "version")
	for _, want := range []string{"Cairn " + command.Version, "commit", "date", runtime.Version(), runtime.GOARCH} {
		if code != command.ExitDone || !strings.Contains(out, want) {
			t.Errorf("version does not say %q: %d %s", want, code, out)
		}
	}
	var b command.Build
	if _, out, _ := start(t.Context(), "version", "--json"); json.Unmarshal([]byte(out), &b) != nil || b.Version != command.Version || b.Go != runtime.Version() {
		t.Errorf("version --json: %s", out)
	}
	if got := (command.Build{Commit: "13914ed2a0c1ffff", Changed: true}).CommitText(); got != "13914ed2a0c1, changed" {
		t.Errorf("CommitText = %q", got)
	}
}

// TestErrorsAsJSON: with --json a failure of any kind is one line of JSON, with the
// same words and the same exit code as without.
func TestErrorsAsJSON(t *testing.T) {
	dir := home(t)
	small := smallGraph(t, dir)
	text := filepath.Join(dir, "notes.md")
	if err := os.WriteFile(text, []byte("# notes\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, args := range [][]string{
		{"nonsense"},
		{"ask", small, "--wrong"},
		{"ask", small},
		{"info", filepath.Join(dir, "none.cairn")},
		{"info", text},
		{"import", text, "--into", small},
		{"ask", small, "What is the capital of Austria?", "--html", text},
		{"help", "nonsense"},
	} {
		code, _, plain := start(t.Context(), args...)
		asked, out, line := start(t.Context(), append(args, "--json")...)
		var f command.Failure
		if err := json.Unmarshal([]byte(line), &f); err != nil || strings.Count(line, "\n") != 1 {
			t.Errorf("%v --json writes %q to the standard error: %v", args, line, err)
			continue
		}
		if said := "cairn: " + strings.TrimSpace(f.Error+" "+f.Remedy) + "\n"; code != asked || f.ExitCode != code || said != plain {
			t.Errorf("%v: exit code %d and %q; with --json %d and %+v", args, code, plain, asked, f)
		}
		if strings.Contains(out, f.Error) {
			t.Errorf("%v writes its error to the standard output too: %s", args, out)
		}
	}
}

// TestNoGraphIsNotAdvisedToBecomeOne: no advice may have a user write a graph over
// the file that he named.
func TestNoGraphIsNotAdvisedToBecomeOne(t *testing.T) {
	dir := home(t)
	text := filepath.Join(dir, "README.md")
	for _, exists := range []bool{false, true} {
		for _, args := range [][]string{{"info", text}, {"index", text}, {"lexicon", text}, {"train", "gnn", text}, {"embed", text}, {"ask", text, "Who?"}, {text}} {
			if args[0] == "ask" && !exists {
				continue // words of a question
			}
			code, _, errs := start(t.Context(), args...)
			if code == 0 || strings.Contains(errs, "--into "+text) || strings.Contains(errs, "damaged") || exists && args[0] != text && !strings.Contains(errs, "--into README.cairn") {
				t.Errorf("%v, there is such a file: %v: exit code %d, %s", args, exists, code, errs)
			}
		}
		if err := os.WriteFile(text, []byte("# Read me first\n"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
}

func TestCompletion(t *testing.T) {
	shared.Sequential(t)
	dir := home(t)
	t.Chdir(dir)
	for _, name := range []string{"films.cairn", "notes.md", "sub/other.CAIRN", "films.cairn.d/x"} {
		if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, nil, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	words := map[string][]string{
		"emb":                           {"embed"},
		"compl":                         {"completion"},
		"ask ":                          {"films.cairn", "sub/"},
		"ask sub/":                      {"sub/other.CAIRN"},
		"ask films.cairn --re":          {"--reading", "--remember", "--retriever"},
		"ask films.cairn --retriever ":  {"auto", "dense", "exact", "gnn", "gsr", "pattern", "templates", "triples"},
		"ask films.cairn --retriever g": {"gnn", "gsr"},
		"ask films.cairn --html ":       nil, // the shell's own files
		"ask --html x.html ":            {"films.cairn", "sub/"},
		"models t":                      {"test"},
		"train gnn films.cairn --de":    {"--debug", "--delete"},
		"completion ":                   {"bash", "fish", "zsh"},
	}
	for line, want := range words {
		typed := strings.Split(line, " ")
		if diff := cmp.Diff(want, candidates(grammar(t).Node, typed)); diff != "" {
			t.Errorf("after %q (-want +got):\n%s", line, diff)
		}
		code, out, _ := start(t.Context(), append([]string{"complete", "--"}, typed...)...)
		if got := strings.Fields(out); code != 0 || !slices.Equal(got, want) {
			t.Errorf("complete -- %q prints %q", typed, out)
		}
	}
	if _, out, _ := start(t.Context(), "complete", "--", ""); !strings.Contains(out, "import\n") || strings.Contains(out, "complete\n") {
		t.Errorf("with nothing typed: %s", out)
	}
	for shell, check := range map[string][]string{"bash": {"-n"}, "zsh": {"-n"}, "fish": {"--no-execute"}} {
		code, script, _ := start(t.Context(), "completion", shell)
		if code != command.ExitDone || !strings.Contains(script, "cairn complete --") {
			t.Errorf("completion %s: %d %s", shell, code, script)
		}
		path, err := exec.LookPath(shell)
		if err != nil {
			continue
		}
		c := exec.CommandContext(t.Context(), path, append(check, "/dev/stdin")...)
		c.Stdin = strings.NewReader(script)
		if out, err := c.CombinedOutput(); err != nil {
			t.Errorf("%s does not take its script: %v %s", shell, err, out)
		}
	}
}
