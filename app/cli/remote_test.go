package cli

import (
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"cairn/engine/outbound"
	"cairn/internal/testing/fakeneo4j"
	"cairn/internal/testing/fakesparql"
)

// TestImportFromServer imports a graph from an endpoint, in a dry run, in two parts, again, and as
// a new version, and asks it.
func TestImportFromServer(t *testing.T) {
	dir := home(t)
	t.Setenv(passwordVariable, "secret")
	server := fakesparql.New(t, fakesparql.Chain(30))
	down := true
	server.Instead = func(n int, w http.ResponseWriter, r *http.Request) bool {
		if _, password, _ := r.BasicAuth(); password != "secret" || down && n > 2 {
			http.Error(w, "no more", http.StatusBadRequest)
			return true
		}
		return false
	}
	graph := filepath.Join(dir, "g.cairn")
	run := func(code int, want string, more ...string) string {
		t.Helper()
		got, out, errs := start(t.Context(), append([]string{"import", "--from", server.URL, "--user", "ann", "--page", "20", "--into", graph}, more...)...)
		if got != code || !strings.Contains(out+errs, want) {
			t.Fatalf("exit code %d, want %d and %q\n%s%s", got, code, want, out, errs)
		}
		return out + errs
	}
	if said := run(0, "Nothing was imported", "--dry-run"); !strings.Contains(said, "SELECT ?s ?p ?o") || !strings.Contains(said, server.URL) {
		t.Errorf("the dry run does not say what is asked:\n%s", said)
	}
	if made, _ := filepath.Glob(filepath.Join(dir, "g*")); len(made) > 0 {
		t.Errorf("the dry run made %v", made)
	}
	run(7, "“no more”")
	down = false
	run(0, "20 rows were already fetched")
	asked := len(server.Queries())
	run(0, "the server is not contacted")
	run(0, "unencrypted")
	if len(server.Queries()) != asked {
		t.Error("the server was asked again")
	}
	server.Rows = fakesparql.Chain(31)
	run(0, "Replaced", "--replace", "--yes")
	code, out, errs := start(t.Context(), "layers", graph, "--json")
	if code != 0 || !strings.Contains(out, "from "+server.URL+", asked SELECT") {
		t.Errorf("layers: exit code %d\n%s%s", code, out, errs)
	}
	if code, out, errs := start(t.Context(), "ask", graph, "What is next of Entity 30?"); code != 0 || !strings.Contains(out, "e031") && !strings.Contains(out, "E031") {
		t.Errorf("ask: exit code %d\n%s%s", code, out, errs)
	}
	listed := false
	for _, c := range outbound.Process().Contacts() {
		listed = listed || c.Address == strings.TrimPrefix(server.URL, "http://")
	}
	if !listed {
		t.Error("the server is not among the contacts")
	}
	files, _ := filepath.Glob(filepath.Join(dir, "g*"))
	for _, f := range files {
		if b, err := os.ReadFile(f); err == nil && strings.Contains(string(b), "secret") {
			t.Errorf("%s holds the password", f)
		}
	}
}

// TestImportFromNeo4j imports a graph in two parts, with a relationship whose end is no
// node, and asks it.
func TestImportFromNeo4j(t *testing.T) {
	dir := home(t)
	t.Setenv(passwordVariable, "secret")
	server := fakeneo4j.New(t, nil, nil)
	server.Nodes, server.Relationships = fakeneo4j.Chain(30)
	server.Relationships = append(server.Relationships, `{"type":"relationship","id":"77","label":"KNOWS","properties":{},"start":{"id":"10"},"end":{"id":"4711"}}`)
	down := true
	server.Instead = func(n int, w http.ResponseWriter, _ *http.Request) bool {
		if down && n == 5 {
			fakeneo4j.Fault(w, http.StatusOK, "Neo.TransientError.General.OutOfMemoryError", "no more")
			return true
		}
		return false
	}
	graph := filepath.Join(dir, "g.cairn")
	run := func(code int, want string, args ...string) string {
		t.Helper()
		got, out, errs := start(t.Context(), args...)
		if got != code || !strings.Contains(out+errs, want) {
			t.Fatalf("%q: exit code %d, want %d and %q\n%s%s", args, got, code, want, out, errs)
		}
		return out + errs
	}
	from := []string{"import", "--from", server.Address(), "--user", "ann", "--page", "20", "--into", graph}
	if said := run(0, "Nothing was imported", append(from, "--dry-run")...); !strings.Contains(said, "MATCH (n)") {
		t.Errorf("the dry run does not say what is asked:\n%s", said)
	}
	run(7, "no more", from...)
	down = false
	t.Log(run(0, "Nodes and relationships fetched: 30 and 30", from...))
	run(0, "the server is not contacted", from...)
	t.Log(run(0, "Person 4", "ask", graph, "Whom does Person 3 know?"))
	run(0, "from "+server.Address()+", asked MATCH (n)", "layers", graph, "--json")
}

func TestImportFromServerWrongly(t *testing.T) {
	graph := filepath.Join(home(t), "g.cairn")
	for _, test := range []struct {
		args []string
		want string
	}{
		{[]string{"a.tsv", "--from", "http://127.0.0.1:1/"}, "--from"},
		{nil, "--from"},
		{[]string{"a.tsv", "--graph", "http://e/g"}, "--from"},
		{[]string{"--from", "http://ann:secret@127.0.0.1:1/"}, "password"},
		{[]string{"--from", "http://127.0.0.1:1/sparql"}, "cannot be reached"},
		{[]string{"bolt://127.0.0.1:7687/movies"}, "--from bolt://127.0.0.1:7687/movies"},
		{[]string{"--from", "bolt://127.0.0.1:1"}, "cannot be reached"},
		{[]string{"--from", "bolt+ssc://127.0.0.1:7687"}, "bolt+s://"},
		{[]string{"--from", "http://127.0.0.1:1/", "--page", "0"}, "--page"},
		{[]string{"--from", "http://127.0.0.1:1/", "--query", "nowhere.rq"}, "nowhere.rq"},
	} {
		code, out, errs := start(t.Context(), append([]string{"import", "--into", graph}, test.args...)...)
		if code == 0 || !strings.Contains(errs, test.want) || strings.Contains(out+errs, "secret") {
			t.Errorf("%q: exit code %d\n%s%s", test.args, code, out, errs)
		}
	}
}
