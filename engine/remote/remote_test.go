package remote

import (
	"context"
	"errors"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"go.uber.org/goleak"

	"cairn/engine/outbound"
	"cairn/internal/testing/fakesparql"
)

// TestMain fails where a goroutine outlives the tests.
func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

func endpoint(t *testing.T, address string, o Options) Server {
	t.Helper()
	o.RetryWait = time.Millisecond
	o.Gate = new(outbound.Gate)
	s, err := Open(address, o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(s.Close)
	return s
}

// data returns the lines of a fetched file that are no comments.
func data(t *testing.T, path string) (lines []string) {
	t.Helper()
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(b)) {
		if !strings.HasPrefix(line, "#") {
			lines = append(lines, line)
		}
	}
	return lines
}

// whole is what an undisturbed fetch of rows gives.
func whole(t *testing.T, rows []map[string]fakesparql.Term) []string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "whole.nq")
	if _, err := Fetch(t.Context(), endpoint(t, fakesparql.New(t, rows).URL, Options{}), path, nil); err != nil {
		t.Fatal(err)
	}
	return data(t, path)
}

func TestPages(t *testing.T) {
	rows := fakesparql.Chain(25)
	want := whole(t, rows)
	if len(want) != 50 {
		t.Fatalf("%d lines, want 50", len(want))
	}
	for _, test := range []struct {
		name      string
		page, cap int
		requests  int
		short     int64
	}{
		{"one page", 100, 0, 2, 0},
		{"pages that end with the rows", 10, 0, 6, 0},
		{"pages that do not", 7, 0, 9, 0},
		{"The server returns fewer", 100, 20, 4, 2},
	} {
		t.Run(test.name, func(t *testing.T) {
			server := fakesparql.New(t, rows)
			server.Cap = test.cap
			path := filepath.Join(t.TempDir(), "g.nq")
			got, err := Fetch(t.Context(), endpoint(t, server.URL, Options{Page: test.page}), path, nil)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(want, data(t, path)); diff != "" {
				t.Errorf("lines (-want +got):\n%s", diff)
			}
			if diff := cmp.Diff(Fetched{Rows: 50, Short: test.short}, got); diff != "" {
				t.Errorf("Fetched (-want +got):\n%s", diff)
			}
			if asked := server.Queries(); len(asked) != test.requests {
				t.Errorf("%d requests, want %d", len(asked), test.requests)
			}
		})
	}
}

func TestTerms(t *testing.T) {
	e := fakesparql.IRI("http://e/a b>\n")
	blank := fakesparql.Term{"type": "bnode", "value": "b 0"}
	lines := whole(t, []map[string]fakesparql.Term{
		{"s": e, "p": e, "o": fakesparql.Text("a \"b\"\\\n.", "en-GB")},
		{"s": blank, "p": e, "o": fakesparql.Term{"type": "typed-literal", "value": "3", "datatype": "http://e/int"}},
		{"s": blank, "p": e, "o": blank, "g": fakesparql.IRI("http://e/g")},
		{"s": e, "p": e},
		{"s": e, "p": e, "o": fakesparql.Term{"type": "triple", "value": "?"}},
	})
	const iri = `<http://e/a\u0020b\u003E\u000A>`
	want := []string{
		iri + " " + iri + ` "a \"b\"\\\n."@en-GB .` + "\n",
		"_:p0n0 " + iri + ` "3"^^<http://e/int> .` + "\n",
		"_:p0n0 " + iri + " _:p0n0 <http://e/g> .\n",
	}
	if diff := cmp.Diff(want, lines); diff != "" {
		t.Errorf("lines (-want +got):\n%s", diff)
	}
}

// TestResume ends a fetch after every request, also in the middle of a write, and
// goes on.
func TestResume(t *testing.T) {
	rows := fakesparql.Chain(25)
	want := whole(t, rows)
	for stop := 1; stop <= 6; stop++ {
		for _, torn := range []string{"", "<http://example.org/e9", "<http://e/a> <http://e/b> <http://e/c> .\n", "# page: 99 rows, 0 nodes, next 0, 0 blank, 0 incomplete, 0 short, sum 00000001\n"} {
			server := fakesparql.New(t, rows)
			ctx, cancel := context.WithCancel(t.Context())
			server.Instead = func(n int, _ http.ResponseWriter, r *http.Request) bool {
				if n == stop {
					cancel()
					<-r.Context().Done()
					return true
				}
				return false
			}
			s := endpoint(t, server.URL, Options{Page: 10})
			path := filepath.Join(t.TempDir(), "g.nq")
			if _, err := Fetch(ctx, s, path, nil); !errors.Is(err, context.Canceled) {
				t.Fatalf("stopped at request %d: %v", stop, err)
			}
			if Whole(path) {
				t.Fatal("a part counts as the whole")
			}
			f, err := os.OpenFile(path+part, os.O_APPEND|os.O_WRONLY, 0)
			if err != nil {
				t.Fatal(err)
			}
			if _, err := io.WriteString(f, torn); err != nil {
				t.Fatal(err)
			}
			_ = f.Close()
			got, err := Fetch(t.Context(), s, path, nil)
			if err != nil || got.Rows != 50 || got.Resumed != int64(10*(stop-1)) {
				t.Errorf("resumed after %d: %+v, %v", stop, got, err)
			}
			if diff := cmp.Diff(want, data(t, path)); diff != "" {
				t.Errorf("stopped at request %d, torn %q (-want +got):\n%s", stop, torn, diff)
			}
			if n := len(server.Queries()); n != 7 {
				t.Errorf("%d requests, want 7", n)
			}
			cancel()
		}
	}
}

// TestAnotherQuestion finds a part of another query, which is not gone on with.
func TestAnotherQuestion(t *testing.T) {
	server := fakesparql.New(t, fakesparql.Chain(5))
	path := filepath.Join(t.TempDir(), "g.nq")
	if err := os.WriteFile(path+part, []byte("# from elsewhere\n# asked SELECT\n# on\n<http://e/a> <http://e/b> <http://e/c> .\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	got, err := Fetch(t.Context(), endpoint(t, server.URL, Options{}), path, nil)
	if err != nil || got.Resumed != 0 || len(data(t, path)) != 10 {
		t.Errorf("%+v, %v", got, err)
	}
}

func TestServersThatDoNotAnswer(t *testing.T) {
	say := func(code int, text string) func(int, http.ResponseWriter, *http.Request) bool {
		return func(_ int, w http.ResponseWriter, _ *http.Request) bool {
			w.WriteHeader(code)
			_, _ = io.WriteString(w, text)
			return true
		}
	}
	one := `{"s":{"type":"uri","value":"http://e/a"},"p":{"type":"uri","value":"http://e/p"},"o":{"type":"uri","value":"http://e/b"}}`
	for _, test := range []struct {
		name     string
		instead  func(int, http.ResponseWriter, *http.Request) bool
		want     string
		requests int
	}{
		{"web page", say(200, "\n<!DOCTYPE html><html>hello"), "not a SPARQL endpoint", 1},
		{"broken JSON", say(200, `{"head":{"vars":["s"`), "not a SPARQL endpoint: the reply", 1},
		{"other JSON", say(200, `{"ok":true}`), "not a SPARQL endpoint: the reply", 1},
		{"other variables", say(200, `{"head":{"vars":["x"]},"results":{"bindings":[]}}`), "selects no ?s", 1},
		{"query error", say(400, "Parse error: line 1"), "“Parse error: line 1”", 1},
		{"authentication", say(401, ""), "requires a login", 1},
		{"not there", say(404, "<html>gone"), "HTTP 404", 1},
		{"busy for good", say(503, strings.Repeat("busy ", 1000)), "HTTP 503", tries},
		{"too much", say(200, strings.Repeat("x", 1<<20+1)), "larger than 1 MiB", 1},
		{"ignores LIMIT", say(200, `{"head":{"vars":["s","p","o"]},"results":{"bindings":[`+strings.Repeat(one+",", 20)+one+`]}}`), "does not support paging", 1},
		{"ignores OFFSET", say(200, `{"head":{"vars":["s","p","o"]},"results":{"bindings":[`+one+","+one+`]}}`), "same page twice", 2},
		{"redirected elsewhere", func(_ int, w http.ResponseWriter, r *http.Request) bool {
			http.Redirect(w, r, "http://elsewhere.example/sparql", http.StatusTemporaryRedirect)
			return true
		}, "another one, http://elsewhere.example/sparql", 1},
	} {
		t.Run(test.name, func(t *testing.T) {
			server := fakesparql.New(t, nil)
			server.Instead = test.instead
			_, err := Fetch(t.Context(), endpoint(t, server.URL, Options{Page: 10, MaxReply: 1 << 20}), filepath.Join(t.TempDir(), "g.nq"), nil)
			if err == nil || !strings.Contains(err.Error(), test.want) || len(err.Error()) > 800 {
				t.Errorf("%v, want %q", err, test.want)
			}
			if n := len(server.Queries()); n != test.requests {
				t.Errorf("%d requests, want %d", n, test.requests)
			}
		})
	}
}

// TestGoesOn has a server that is busy at first, sends on within itself and wants a
// password.
func TestGoesOn(t *testing.T) {
	server := fakesparql.New(t, fakesparql.Chain(5))
	server.Instead = func(n int, w http.ResponseWriter, r *http.Request) bool {
		user, password, _ := r.BasicAuth()
		switch {
		case user != "ann" || password != "secret":
			w.WriteHeader(http.StatusUnauthorized)
		case n == 1:
			w.WriteHeader(http.StatusServiceUnavailable)
		case r.URL.Path != "/query":
			http.Redirect(w, r, "/query", http.StatusFound)
		default:
			return false
		}
		return true
	}
	path := filepath.Join(t.TempDir(), "g.nq")
	got, err := Fetch(t.Context(), endpoint(t, server.URL, Options{User: "ann", Password: "secret"}), path, nil)
	if err != nil || got.Rows != 10 {
		t.Fatalf("%+v, %v", got, err)
	}
	if b, err := os.ReadFile(path); err != nil || strings.Contains(string(b), "secret") {
		t.Errorf("the file holds the password, or cannot be read: %v", err)
	}
}

func TestAddressesAndQueries(t *testing.T) {
	for _, test := range []struct {
		address string
		o       Options
		want    string
	}{
		{"https://ann:secret@host/sparql", Options{}, "--user"},
		{"ftp://host", Options{}, "http://"},
		{"http://", Options{}, "missing"},
		{"http://a b", Options{}, "cannot be read"},
		{"http://h", Options{Query: "CONSTRUCT { ?s ?p ?o } WHERE { ?s ?p ?o }"}, "not a SELECT"},
		{"http://h", Options{Query: "SELECT * { ?s ?p ?o } limit 5"}, "LIMIT"},
		{"http://h", Options{Graph: "a> { } #"}, "not an IRI"},
	} {
		_, err := Open(test.address, test.o)
		if err == nil || !strings.Contains(err.Error(), test.want) || strings.Contains(err.Error(), "secret") {
			t.Errorf("%s: %v, want %q", test.address, err, test.want)
		}
	}
}

func TestEveryPageIsInOrder(t *testing.T) {
	for query, want := range map[string]string{
		"":                                  "SELECT ?s ?p ?o WHERE { ?s ?p ?o }\nORDER BY ?s ?p ?o\nLIMIT 2 OFFSET 2",
		"SELECT * { ?s ?p ?o } # all\n":     "SELECT * { ?s ?p ?o } # all\nORDER BY ?s ?p ?o\nLIMIT 2 OFFSET 2",
		"SELECT * { ?s ?p ?o } order by ?o": "SELECT * { ?s ?p ?o } order by ?o\n?s ?p ?o\nLIMIT 2 OFFSET 2",
	} {
		server := fakesparql.New(t, fakesparql.Chain(2))
		if _, err := Fetch(t.Context(), endpoint(t, server.URL, Options{Query: query, Page: 2}), filepath.Join(t.TempDir(), "g.nq"), nil); err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(want, server.Queries()[1]); diff != "" {
			t.Errorf("%q (-want +got):\n%s", query, diff)
		}
	}
}
