package cli

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"cairn/app/cli/command"
)

func TestWhyNot(t *testing.T) {
	dir := t.TempDir()
	file, graph := filepath.Join(dir, "clinic.tsv"), filepath.Join(dir, "clinic.cairn")
	names := filepath.Join(dir, "names.tsv")
	for path, text := range map[string]string{
		file: "e1\tsymptom\tfever\ne1\ttreated by\tquinine\ne2\tsymptom\tfever\ne2\ttreated by\tpaxlovid\n" +
			"e3\tsymptom\trash\ne4\tsymptom\trash\n",
		names: "e1\tmalaria\ne2\tcovid\ne3\tmeasles\ne4\tmeasles\n",
	} {
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if code, _, stderr := start(t.Context(), "import", file, "--labels", names, "--into", graph); code != 0 {
		t.Fatal(stderr)
	}
	const pattern = "(?x) -symptom-> (fever); (?x) -treated by-> (quinine)"
	for _, c := range []struct {
		args  []string
		code  int
		wants []string
	}{
		{[]string{graph, "q", "covid", "--pattern", pattern}, 0, []string{
			"covid is not an answer: it meets 1 of 2 conditions.", "the first answer meets 2", "✗ treated by: quinine (not met)",
			"instead: covid — treated by → paxlovid", "What would make it an answer\n  covid — treated by → quinine",
		}},
		{[]string{graph, "q", "malaria", "--pattern", pattern}, 0, []string{"malaria is an answer: it meets both conditions.", "Supported by these triples\n"}},
		{[]string{graph, "q", "covid", "--pattern", pattern, "--json"}, 0, []string{`"answer": false`, `"missing": [`, `"mark": "✗"`}},
		{[]string{graph, "q", "covid", "--pattern", pattern, "--retriever", "pattern"}, 0, []string{"covid is not an answer"}},
		{[]string{graph, "q", "measles", "--pattern", pattern}, command.ExitUsage, []string{"may be any of 2", "measles (e3)", "measles (e4)"}},
		{[]string{graph, "q", "e4", "--pattern", pattern}, 0, []string{"measles is not an answer: it meets 0 of 2 conditions."}},
		{[]string{graph, "q", "kovid", "--pattern", pattern}, command.ExitUsage, []string{"othing in this graph is called “kovid”", "covid (e2)"}},
		{[]string{graph, "q", "covid", "--pattern", "(malaria) -symptom-> (fever)"}, command.ExitNoAnswer, []string{"does not ask for entities by conditions"}},
		{[]string{graph, "only a question"}, command.ExitUsage, []string{"rite a question and a name"}},
	} {
		code, stdout, stderr := start(t.Context(), append([]string{"whynot"}, c.args...)...)
		for _, want := range c.wants {
			if !strings.Contains(stdout+stderr, want) || code != c.code {
				t.Errorf("cairn whynot %q ends with %d, want %d and %q:\n%s%s", c.args[1:], code, c.code, want, stdout, stderr)
			}
		}
	}
	code, stdout, _ := start(t.Context(), "ask", graph, "--retriever", "exact", "--json", "--pattern", "(?x) -symptom-> (rash); (?x) -treated by-> (quinine); (?x) -symptom-> (fever)")
	for _, want := range []string{`"outcome": "answered in part"`, `"status": "not met"`, "No answer meets all 3 conditions."} {
		if !strings.Contains(stdout, want) || code != command.ExitLikely {
			t.Errorf("ask --json of what nothing meets lacks %q (code %d):\n%s", want, code, stdout)
		}
	}
}
