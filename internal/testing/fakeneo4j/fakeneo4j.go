// Package fakeneo4j is a Neo4j server for tests, with the transactional HTTP API of
// versions 4 and 5 (https://neo4j.com/docs/http-api/current). It knows no Cypher: a
// statement about relationships gives those, every other the nodes.
package fakeneo4j

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
)

// Server has one database, "movies", which user "ann" may read with "secret".
type Server struct {
	*httptest.Server
	Nodes, Relationships []string // rows in JSON, in the order of their ids
	// Instead, where it is not nil, is called for every request, the first being 1;
	// where it returns true it has answered.
	Instead func(n int, w http.ResponseWriter, r *http.Request) bool

	mu    sync.Mutex
	asked int
}

// New starts a server that ends with the test.
func New(t *testing.T, nodes, relationships []string) *Server {
	t.Helper()
	s := &Server{Nodes: nodes, Relationships: relationships}
	s.Server = httptest.NewServer(s)
	t.Cleanup(s.Close)
	return s
}

// Address is that of the database.
func (s *Server) Address() string { return "neo4j+" + s.URL + "/db/movies" }

// Asked is how many requests came.
func (s *Server) Asked() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.asked
}

// Fault writes a reply that holds an error.
func Fault(w http.ResponseWriter, status int, code, message string) {
	w.Header().Set("Content-Type", "application/json;charset=utf-8")
	w.WriteHeader(status)
	_ = json.NewEncoder(w).Encode(map[string]any{"results": []any{}, "errors": []any{map[string]string{"code": code, "message": message}}})
}

// ServeHTTP answers one statement.
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	s.mu.Lock()
	s.asked++
	n := s.asked
	s.mu.Unlock()
	if s.Instead != nil && s.Instead(n, w, r) {
		return
	}
	var request struct {
		Statements []struct {
			Statement  string `json:"statement"`
			Parameters struct {
				From  *int `json:"from"`
				Limit *int `json:"limit"`
			} `json:"parameters"`
		} `json:"statements"`
	}
	err := json.NewDecoder(r.Body).Decode(&request)
	user, password, _ := r.BasicAuth()
	switch {
	case user != "ann" || password != "secret":
		w.Header().Set("WWW-Authenticate", `Basic realm="Neo4j"`)
		Fault(w, http.StatusUnauthorized, "Neo.ClientError.Security.Unauthorized", "No authentication header supplied.")
		return
	case r.URL.Path != "/db/movies/tx/commit":
		Fault(w, http.StatusNotFound, "Neo.ClientError.Database.DatabaseNotFound", "Graph not found: "+r.URL.Path)
		return
	case r.Method != http.MethodPost || r.Header.Get("Access-Mode") != "READ" || r.Header.Get("Content-Type") != "application/json":
		http.Error(w, "wrong method or headers", http.StatusMethodNotAllowed)
		return
	case err != nil || len(request.Statements) != 1 || request.Statements[0].Parameters.From == nil || request.Statements[0].Parameters.Limit == nil:
		Fault(w, http.StatusOK, "Neo.ClientError.Request.InvalidFormat", fmt.Sprint("Could not parse the request: ", err))
		return
	}
	ask, rows := request.Statements[0], s.Nodes
	if strings.Contains(ask.Statement, "-[r]->") {
		rows = s.Relationships
	}
	var data []string
	for _, row := range rows {
		var with struct {
			ID int `json:"id,string"`
		}
		if err := json.Unmarshal([]byte(row), &with); err != nil {
			panic(err)
		}
		if with.ID < *ask.Parameters.From || len(data) == *ask.Parameters.Limit {
			continue
		}
		data = append(data, `{"row":[`+row+`],"meta":[null]}`)
	}
	w.Header().Set("Content-Type", "application/json;charset=utf-8")
	_, _ = fmt.Fprintf(w, `{"results":[{"columns":["line"],"data":[%s]}],"errors":[],"lastBookmarks":["FB:kcwQ"]}`, strings.Join(data, ","))
}

// Chain is n people, each of whom knows the next.
func Chain(n int) (nodes, relationships []string) {
	for i := range n {
		nodes = append(nodes, fmt.Sprintf(`{"properties":{"name":"Person %d","born":%d},"id":"%d","labels":["Person"],"type":"node"}`, i, 1900+i, 10+i))
		if i > 0 {
			relationships = append(relationships, fmt.Sprintf(`{"start":{"id":"%d"},"end":{"id":"%d"},"label":"KNOWS","id":"%d","type":"relationship","properties":{"since":%d}}`, 9+i, 10+i, i, 1950+i))
		}
	}
	return nodes, relationships
}
