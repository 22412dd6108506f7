package cli

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"cairn/app/cli/command"
)

// TestCypher: a query gives a table and its triples, as text and as JSON; parameters are
// values; what is not there is named; mistakes have a place.
func TestCypher(t *testing.T) {
	home(t)
	graph, _ := filmsGraph(t, t.TempDir())
	tests := []struct {
		args  []string
		code  int
		wants []string
	}{
		{
			[]string{"MATCH (f)-[:DIRECTED_BY]->(d {name: 'Director B'}) RETURN f.name AS film, f.release_year + 1 AS next"},
			command.ExitDone,
			[]string{"film    next\nFilm B  1952\n\n1 row.\n", "Evidence: 2 triples", "Film B — directed by → Director B"},
		},
		{[]string{"MATCH (f {name: $name}) RETURN f.release_year", "--param", "name=Film C"}, command.ExitDone, []string{"1952"}},
		{[]string{"MATCH (f)-[:directed_bye]->() RETURN f"}, command.ExitDone, []string{"0 rows.", "No relationship has the type directed_bye; did you mean directed_by?"}},
		{[]string{"MATCH (f) RETURN g"}, command.ExitUsage, []string{"Line 1, column 18: g is not defined."}},
		{[]string{"MATCH (f) RETURN f", "--param", "name"}, command.ExitUsage, []string{"--param needs a name and a value"}},
		{[]string{"MATCH (f) DETACH DELETE f"}, command.ExitUsage, []string{"DETACH is not supported: queries are read-only."}},
	}
	for _, tt := range tests {
		code, out, errs := start(t.Context(), append([]string{"query", graph, "--cypher"}, tt.args...)...)
		for _, want := range tt.wants {
			if code != tt.code || !strings.Contains(out+errs, want) {
				t.Errorf("%v: exit code %d, want %d and %q:\n%s%s", tt.args, code, tt.code, want, out, errs)
			}
		}
	}
	code, out, errs := start(t.Context(), "query", graph, "--json", "--cypher", "MATCH (f {name: 'Film A'})-[r]->(x) RETURN f, x.name, f.release_year, r ORDER BY type(r)")
	var got cypherJSON
	if err := json.Unmarshal([]byte(out), &got); code != command.ExitDone || err != nil {
		t.Fatalf("as JSON: exit code %d, %v, %s", code, err, errs)
	}
	if len(got.Rows) != 2 || got.Rows[0][0] != "Film A" || got.Rows[0][1] != "Director A" || got.Rows[0][2] != 1950.0 || got.Rows[0][3] != "Film A — directed by → Director A" || !got.Complete || len(got.Evidence) != 2 {
		t.Errorf("as JSON: %+v", got)
	}
}

// TestTemplates: templates are learned, shown, changed by the user, and asked.
func TestTemplates(t *testing.T) {
	home(t)
	dir := t.TempDir()
	graph, questions := filmsGraph(t, dir)
	if _, out, _ := start(t.Context(), "templates", graph); !strings.Contains(out, "no question templates yet") {
		t.Errorf("before: %s", out)
	}
	if code, _, errs := start(t.Context(), "train", "templates", graph, "--questions", questions); code != command.ExitDone {
		t.Fatalf("train: %d, %s", code, errs)
	}
	_, text, _ := start(t.Context(), "templates", graph)
	if !strings.Contains(text, "ask     when did {x} come out") || !strings.Contains(text, "cypher  MATCH (x)-[:release_year]->(answer) RETURN answer") {
		t.Fatalf("templates: %s", text)
	}
	if code, out, errs := start(t.Context(), "ask", graph, "--retriever", "templates", "when did Film D come out"); code != command.ExitLikely || !strings.Contains(out, "1953") {
		t.Errorf("ask: %d, %s%s", code, out, errs)
	}
	own := filepath.Join(dir, "own.txt")
	if err := os.WriteFile(own, []byte("# Cairn question templates 1\ntemplate\n  ask what came out with {x}\n  cypher MATCH (x)-[:release_year]->(y)<-[:release_year]-(other) RETURN other\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if code, out, errs := start(t.Context(), "templates", graph, own); code != command.ExitDone || !strings.Contains(out, "now has 1 question template.") {
		t.Errorf("set: %d, %s%s", code, out, errs)
	}
	code, out, errs := start(t.Context(), "templates", graph, "--try", "What came out with Film D?")
	for _, want := range []string{"Template “what came out with {x}”\n{x} is “Film D”.\n", "MATCH (x {name: 'Film D'})\nMATCH (x)-[:release_year]->", "\nother\n", "0 rows."} {
		if code != command.ExitDone || !strings.Contains(out, want) {
			t.Errorf("try: %d, want %q: %s%s", code, want, out, errs)
		}
	}
	var list struct{ List []templateJSON }
	if _, out, _ := start(t.Context(), "templates", graph, "--json"); json.Unmarshal([]byte(out), &list) != nil || len(list.List) < 2 || list.List[0].State != "own" || list.List[1].State != "deleted" {
		t.Errorf("as JSON: %s", out)
	}
	if err := os.WriteFile(own, []byte("# Cairn question templates 1\ntemplate\n  ask who made {x}\n  cypher MATCH (y) RETURN y\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if code, _, errs := start(t.Context(), "templates", graph, own); code != command.ExitInput || !strings.Contains(errs, "does not use {x}") {
		t.Errorf("a slot that is not used: %d, %s", code, errs)
	}
	if err := os.WriteFile(own, []byte("# Cairn question templates 1\ntemplate\n  ask who is it\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if code, _, errs := start(t.Context(), "templates", graph, own); code != command.ExitInput || !strings.Contains(errs, "line 2") {
		t.Errorf("a bad text: %d, %s", code, errs)
	}
	if _, text, _ := start(t.Context(), "templates", graph); !strings.Contains(text, "what came out with {x}") {
		t.Errorf("after a bad text: %s", text)
	}
}
