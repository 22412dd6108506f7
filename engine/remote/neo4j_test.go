package remote

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"cairn/internal/testing/fakeneo4j"
)

func database(t *testing.T, address string, page int) Server {
	t.Helper()
	return endpoint(t, address, Options{User: "ann", Password: "secret", Page: page, MaxReply: 1 << 20})
}

// fake is a server with one database of Neo4j.
type fake interface {
	Address() string
	Asked() int
}

func TestNeo4jPages(t *testing.T) {
	nodes, relationships := fakeneo4j.Chain(25)
	for _, test := range []struct {
		name          string
		nodes         int
		page          int
		requests      int
		relationships int
		next          int64
	}{
		{"one page of each", 25, 100, 4, 24, 25},
		{"pages that end with the nodes", 25, 5, 5 + 1 + 5 + 1, 24, 25},
		{"pages that do not", 25, 7, 4 + 1 + 4 + 1, 24, 25},
		{"no relationships", 25, 100, 3, 0, 35},
		{"nothing", 0, 100, 2, 0, 0},
	} {
		check := func(t *testing.T, server fake) {
			t.Helper()
			path := filepath.Join(t.TempDir(), "g.jsonl")
			got, err := Fetch(t.Context(), database(t, server.Address(), test.page), path, nil)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(Fetched{Rows: int64(test.nodes + test.relationships), Nodes: int64(test.nodes), Next: test.next}, got); diff != "" {
				t.Errorf("Fetched (-want +got):\n%s", diff)
			}
			var want []string
			for i := range test.nodes {
				want = append(want, fmt.Sprintf(`{"type":"node","id":"%d","labels":["Person"],"properties":{"born":%d,"name":"Person %d"}}`+"\n", 10+i, 1900+i, i))
			}
			for i := range test.relationships {
				want = append(want, fmt.Sprintf(`{"type":"relationship","id":"%d","label":"KNOWS","properties":{"since":%d},"start":{"id":"%d"},"end":{"id":"%d"}}`+"\n", i+1, 1951+i, 10+i, 11+i))
			}
			if diff := cmp.Diff(want, data(t, path)); diff != "" {
				t.Errorf("lines (-want +got):\n%s", diff)
			}
			if n := server.Asked(); n != test.requests {
				t.Errorf("%d requests, want %d", n, test.requests)
			}
		}
		t.Run(test.name+", HTTP", func(t *testing.T) {
			check(t, fakeneo4j.New(t, nodes[:test.nodes], relationships[:test.relationships]))
		})
		t.Run(test.name+", Bolt", func(t *testing.T) {
			check(t, newBoltServer(t, nodes[:test.nodes], relationships[:test.relationships]))
		})
	}
}

// TestNeo4jResume ends a fetch at every request, and goes on although there is one more
// node by then.
func TestNeo4jResume(t *testing.T) {
	nodes, relationships := fakeneo4j.Chain(25)
	const requests = 3 + 1 + 3 + 1
	for stop := 1; stop <= requests; stop++ {
		server := fakeneo4j.New(t, nodes, relationships)
		ctx, cancel := context.WithCancel(t.Context())
		server.Instead = func(n int, _ http.ResponseWriter, r *http.Request) bool {
			if n == stop {
				_, _ = io.Copy(io.Discard, r.Body) // a server sees that a connection ends once it has read
				cancel()
				<-r.Context().Done()
			}
			return n == stop
		}
		s := database(t, server.Address(), 10)
		path := filepath.Join(t.TempDir(), "g.jsonl")
		if _, err := Fetch(ctx, s, path, nil); !errors.Is(err, context.Canceled) {
			t.Fatalf("stopped at request %d: %v", stop, err)
		}
		cancel()
		server.Nodes = append(nodes[:25:25], `{"type":"node","id":"99","labels":[],"properties":{}}`)
		got, err := Fetch(t.Context(), s, path, nil)
		want := Fetched{Rows: 50, Nodes: 26, Next: 25, Resumed: []int64{0, 0, 10, 20, 25, 25, 35, 45, 49}[stop]}
		if want.Resumed > 25 { // it is too late for a node
			want.Rows, want.Nodes = 49, 25
		}
		if diff := cmp.Diff(want, got); err != nil || diff != "" {
			t.Errorf("stopped at request %d: %v (-want +got):\n%s", stop, err, diff)
		}
		seen := map[string]int{}
		for _, line := range data(t, path) {
			seen[line]++
		}
		if len(seen) != int(want.Rows) {
			t.Errorf("stopped at request %d: %d different lines, want %d", stop, len(seen), want.Rows)
		}
	}
}

func TestNeo4jProperties(t *testing.T) {
	server := fakeneo4j.New(t, []string{
		`{"type":"node","id":"1","labels":["A","B c"],"properties":{"text":"a <b>\n\"c\" é","whole":9007199254740993,"real":1.0E-5,"yes":true,"none":null,"list":[1, 2],"texts":["x","y"],"empty":[],"when":"2015-07-04T19:32:24+01:00"}}`,
		`{"type":"node","id":"2","labels":[],"properties":{"at":{"type":"Point","coordinates":[12.5,55.25],"crs":{"srid":4326,"name":"wgs-84","type":"link","properties":{"href":"http://spatialreference.org/ref/epsg/4326/ogcwkt/","type":"ogcwkt"}}}}}`,
		`{"type":"node","id":"3","labels":[],"properties":{"at":{"type":"Point","coordinates":[1,2,3],"crs":{"srid":9157,"name":"cartesian-3d"}},"map":{"type":"Point"}}}`,
	}, nil)
	path := filepath.Join(t.TempDir(), "g.jsonl")
	if _, err := Fetch(t.Context(), database(t, server.Address(), 10), path, nil); err != nil {
		t.Fatal(err)
	}
	want := []string{
		`{"type":"node","id":"1","labels":["A","B c"],"properties":{"empty":[],"list":[1,2],"none":null,"real":1.0E-5,"text":"a <b>\n\"c\" é","texts":["x","y"],"when":"2015-07-04T19:32:24+01:00","whole":9007199254740993,"yes":true}}` + "\n",
		`{"type":"node","id":"2","properties":{"at":{"crs":"wgs-84","latitude":55.25,"longitude":12.5}}}` + "\n",
		`{"type":"node","id":"3","properties":{"at":{"crs":"cartesian-3d","x":1,"y":2,"z":3},"map":{"type":"Point"}}}` + "\n",
	}
	if diff := cmp.Diff(want, data(t, path)); diff != "" {
		t.Errorf("lines (-want +got):\n%s", diff)
	}
}

func TestNeo4jServersThatDoNotAnswer(t *testing.T) {
	say := func(text string) func(int, http.ResponseWriter, *http.Request) bool {
		return func(_ int, w http.ResponseWriter, _ *http.Request) bool {
			_, _ = io.WriteString(w, text)
			return true
		}
	}
	fault := func(code, message string) func(int, http.ResponseWriter, *http.Request) bool {
		return func(_ int, w http.ResponseWriter, _ *http.Request) bool {
			fakeneo4j.Fault(w, http.StatusOK, code, message)
			return true
		}
	}
	for _, test := range []struct {
		name    string
		path    string
		user    string
		instead func(int, http.ResponseWriter, *http.Request) bool
		want    []string
	}{
		{"no password", "/db/movies", "", nil, []string{"HTTP 401", "No authentication header", "--user"}},
		{"no such database", "/db/none", "ann", nil, []string{"HTTP 404", "DatabaseNotFound", "database's name"}},
		{"no such database, version 4", "/db/movies", "ann", fault("Neo.ClientError.Database.DatabaseNotFound", "gone"), []string{"DatabaseNotFound: gone", "database's name"}},
		{"may not read", "/db/movies", "ann", fault("Neo.ClientError.Security.Forbidden", "no"), []string{"Forbidden: no", "--user"}},
		{"out of memory", "/db/movies", "ann", fault("Neo.TransientError.General.OutOfMemoryError", strings.Repeat("long\n", 500)), []string{"OutOfMemoryError: long long", "continues"}},
		{"web page", "/db/movies", "ann", say("<!DOCTYPE html><html>"), []string{"web page", "not a Neo4j database"}},
		{"other JSON", "/db/movies", "ann", say(`{"bolt_routing":"neo4j://localhost:7687"}`), []string{"not a Neo4j database", "bolt_routing"}},
		{"broken JSON", "/db/movies", "ann", say(`{"results":[{"columns":["line"],"data":[{"row":[`), []string{"not a Neo4j database"}},
		{"no columns", "/db/movies", "ann", say(`{"results":[{}],"errors":[]}`), []string{"not a Neo4j database"}},
		{"no word on errors", "/db/movies", "ann", say(`{"results":[{"columns":["line"],"data":[]}]}`), []string{"not a Neo4j database"}},
		{"a null", "/db/movies", "ann", say(`{"results":[{"columns":["line"],"data":[{"row":[null]}]}],"errors":[]}`), []string{"not a Neo4j database"}},
		{"a number", "/db/movies", "ann", say(`{"results":[{"columns":["line"],"data":[{"row":[1]}]}],"errors":[]}`), []string{"not a Neo4j database"}},
		{"two columns", "/db/movies", "ann", say(`{"results":[{"columns":["line"],"data":[{"row":[{},{}]}]}],"errors":[]}`), []string{"not a Neo4j database"}},
		{"in no order", "/db/movies", "ann", say(`{"results":[{"columns":["line"],"data":[{"row":[{"id":"2"}]},{"row":[{"id":"1"}]}]}],"errors":[]}`), []string{"order of ids"}},
		{"the same page again", "/db/movies", "ann", say(`{"results":[{"columns":["line"],"data":[{"row":[{"id":"1"}]}]}],"errors":[]}`), []string{"order of ids"}},
		{"no id", "/db/movies", "ann", say(`{"results":[{"columns":["line"],"data":[{"row":[{}]}]}],"errors":[]}`), []string{"order of ids"}},
		{"ignores LIMIT", "/db/movies", "ann", say(`{"results":[{"columns":["line"],"data":[{"row":[{"id":"1"}]}` + elevenMore() + `]}],"errors":[]}`), []string{"12 rows instead of 10"}},
	} {
		t.Run(test.name, func(t *testing.T) {
			server := fakeneo4j.New(t, nil, nil)
			server.Instead = test.instead
			s := endpoint(t, "neo4j+"+server.URL+test.path, Options{User: test.user, Password: "secret", Page: 10})
			_, err := Fetch(t.Context(), s, filepath.Join(t.TempDir(), "g.jsonl"), nil)
			for _, want := range test.want {
				if err == nil || !strings.Contains(err.Error(), want) || len(err.Error()) > 800 {
					t.Errorf("%v, want %q", err, want)
				}
			}
		})
	}
}

func elevenMore() (rows string) {
	for i := range 11 {
		rows += fmt.Sprintf(`,{"row":[{"id":"%d"}]}`, 10+i)
	}
	return rows
}

// TestNeo4jRemoval has a server that loses its first node while it is asked.
func TestNeo4jRemoval(t *testing.T) {
	nodes, _ := fakeneo4j.Chain(25)
	server := fakeneo4j.New(t, nodes, nil)
	server.Instead = func(n int, _ http.ResponseWriter, _ *http.Request) bool {
		if n == 2 {
			server.Nodes = nodes[1:]
		}
		return false
	}
	got, err := Fetch(t.Context(), database(t, server.Address(), 10), filepath.Join(t.TempDir(), "g.jsonl"), nil)
	if err != nil || got.Rows != 25 {
		t.Errorf("%+v, %v, want 25 rows", got, err)
	}
}

func TestNeo4jAddresses(t *testing.T) {
	for address, want := range map[string]string{
		"bolt+ssc://h":                       "bolt+s://",
		"neo4j+ssc://h":                      "bolt+s://",
		"bolt://ann:secret@h:7687":           "--user",
		"bolt:///movies":                     "missing",
		"bolt://h/a/b":                       "a host and a database",
		"neo4j://h?policy=x":                 "a host and a database",
		"bolt+unix:///run/neo4j":             "bolt://",
		"neo4j+http://h:7474":                "names no database",
		"neo4j+http://h:7474/db/":            "names no database",
		"neo4j+http://h/db/x/tx/commit":      "names no database",
		"neo4j+https://ann:secret@h/db/x":    "--user",
		"neo4j+https:///db/x":                "missing",
		"neo4j+ftp://h/db/x":                 "bolt://",
		"neo4j+http://h:7474/db/neo4j/?a=b#": "",
	} {
		s, err := Open(address, Options{})
		if want == "" {
			if err != nil || s.Address() != "neo4j+http://h:7474/db/neo4j" || s.Encrypted() {
				t.Errorf("%s: %v", address, err)
			}
		} else if err == nil || !strings.Contains(err.Error(), want) || strings.Contains(err.Error(), "secret") {
			t.Errorf("%s: %v, want %q", address, err, want)
		}
	}
	if _, err := Open("neo4j+http://h/db/x", Options{Query: "MATCH (n) DELETE n"}); err == nil || !strings.Contains(err.Error(), "SPARQL") {
		t.Errorf("a query was taken: %v", err)
	}
}

// TestNeo4jPasswordIsNotKept looks for it in a file that is whole.
func TestNeo4jPasswordIsNotKept(t *testing.T) {
	server := fakeneo4j.New(t, nil, nil)
	path := filepath.Join(t.TempDir(), "g.jsonl")
	if _, err := Fetch(t.Context(), database(t, server.Address(), 10), path, nil); err != nil {
		t.Fatal(err)
	}
	if b, err := os.ReadFile(path); err != nil || strings.Contains(string(b), "secret") {
		t.Errorf("the file holds the password, or cannot be read: %v", err)
	}
}
