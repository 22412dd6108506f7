// Package fakesparql is a SPARQL endpoint for tests. It knows no SPARQL but LIMIT and
// OFFSET at the end of a query.
package fakesparql

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"regexp"
	"strconv"
	"sync"
	"testing"
)

// Term is a term of SPARQL 1.1 Query Results JSON.
type Term map[string]string

// IRI is a term.
func IRI(s string) Term { return Term{"type": "uri", "value": s} }

// Text is a literal with a language, which may be empty.
func Text(s, lang string) Term {
	t := Term{"type": "literal", "value": s}
	if lang != "" {
		t["xml:lang"] = lang
	}
	return t
}

// Server is an endpoint that serves rows in the order in which they are.
type Server struct {
	*httptest.Server
	Rows []map[string]Term
	// Cap is the most rows of a reply; 0 for no limit.
	Cap int
	// Instead, where it is not nil, is called for every request, the first being 1;
	// where it returns true it has answered.
	Instead func(n int, w http.ResponseWriter, r *http.Request) bool

	mu      sync.Mutex
	queries []string
}

// New starts a server that ends with the test.
func New(t *testing.T, rows []map[string]Term) *Server {
	t.Helper()
	s := &Server{Rows: rows}
	s.Server = httptest.NewServer(s)
	t.Cleanup(s.Close)
	return s
}

// Queries returns what was asked so far.
func (s *Server) Queries() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return append([]string(nil), s.queries...)
}

var paging = regexp.MustCompile(`LIMIT (\d+) OFFSET (\d+)$`)

// ServeHTTP answers a query.
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	query := r.FormValue("query")
	s.mu.Lock()
	s.queries = append(s.queries, query)
	n := len(s.queries)
	s.mu.Unlock()
	if s.Instead != nil && s.Instead(n, w, r) {
		return
	}
	m := paging.FindStringSubmatch(query)
	if m == nil || r.Method != http.MethodPost {
		http.Error(w, "Parse error: no LIMIT and OFFSET", http.StatusBadRequest)
		return
	}
	limit, _ := strconv.Atoi(m[1])
	offset, _ := strconv.Atoi(m[2])
	if s.Cap > 0 {
		limit = min(limit, s.Cap)
	}
	offset = min(offset, len(s.Rows))
	w.Header().Set("Content-Type", "application/sparql-results+json")
	_ = json.NewEncoder(w).Encode(map[string]any{
		"head":    map[string]any{"vars": []string{"s", "p", "o"}},
		"results": map[string]any{"bindings": s.Rows[offset:min(offset+limit, len(s.Rows))]},
	})
}

// Chain is n entities, each with a label and linked to the next.
func Chain(n int) (rows []map[string]Term) {
	for i := range n {
		e := IRI(fmt.Sprintf("http://example.org/e%03d", i))
		rows = append(rows,
			map[string]Term{"s": e, "p": IRI("http://example.org/next"), "o": IRI(fmt.Sprintf("http://example.org/e%03d", i+1))},
			map[string]Term{"s": e, "p": IRI("http://www.w3.org/2000/01/rdf-schema#label"), "o": Text(fmt.Sprintf("Entity %d", i), "en")})
	}
	return rows
}
