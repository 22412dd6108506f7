package remote

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"time"

	"cairn/engine/outbound"
)

// Options are the choices of a server to import from; the zero value is the default.
type Options struct {
	User, Password string // of HTTP basic authentication; sent, and never written or logged
	// Query is a SELECT of ?s ?p ?o, and ?g where statements have graphs; it is
	// asked in pages, so it has no LIMIT of its own.
	//
	// The default value selects every statement of the default graph.
	Query string
	// Graph is the IRI of a named graph to read in place of a Query.
	Graph string
	// Page is how many statements are asked for at a time.
	//
	// The default value is 10,000.
	Page int
	// MaxReply is the largest reply that is read, in bytes.
	//
	// The default value is 256 MiB.
	MaxReply int64
	// Timeout is how long one request may take.
	//
	// The default value is 3 minutes.
	Timeout time.Duration
	// RetryWait is the first wait before a request is sent again; each is twice as long.
	//
	// The default value is 1 second.
	RetryWait time.Duration
	// Gate is the way to the network.
	//
	// The default value is outbound.Process().
	Gate *outbound.Gate
}

// tries is how often one page is asked for.
const tries = 5

// SPARQL is an endpoint of the SPARQL 1.1 protocol and what is asked of it.
type SPARQL struct {
	address string // as it was given, which names the server in files and messages
	url     *url.URL
	query   string // without ORDER BY, LIMIT and OFFSET
	ordered bool   // by its own ORDER BY
	client  *http.Client
	o       Options
}

// tail matches what may follow the last brace of a query.
var (
	limited = regexp.MustCompile(`(?i)\b(LIMIT|OFFSET)\b`)
	ordered = regexp.MustCompile(`(?i)\bORDER\s+BY\b`)
	selects = regexp.MustCompile(`(?i)\bSELECT\b`)
	badIRI  = "<>\"{}|^`\\ \t\r\n"
)

// NewSPARQL returns the endpoint at address. Nothing is sent yet.
func NewSPARQL(address string, o Options) (*SPARQL, error) {
	u, err := parse(address)
	if err != nil {
		return nil, err
	}
	if o.Page <= 0 {
		o.Page = 10_000
	}
	if o.MaxReply <= 0 {
		o.MaxReply = 256 << 20
	}
	if o.Timeout <= 0 {
		o.Timeout = 3 * time.Minute
	}
	if o.RetryWait <= 0 {
		o.RetryWait = time.Second
	}
	if o.Gate == nil {
		o.Gate = outbound.Process()
	}
	s := &SPARQL{address: u.String(), url: u, query: strings.TrimSpace(o.Query), o: o}
	if s.query == "" {
		s.query = "SELECT ?s ?p ?o WHERE { ?s ?p ?o }"
		if o.Graph != "" {
			s.query = "SELECT ?s ?p ?o WHERE { GRAPH <" + o.Graph + "> { ?s ?p ?o } }"
		}
	}
	tail := s.query[strings.LastIndexByte(s.query, '}')+1:]
	s.ordered = ordered.MatchString(tail)
	switch {
	case strings.ContainsAny(o.Graph, badIRI):
		return nil, failed(s.address, fmt.Sprintf("the graph %q is no IRI", o.Graph), "write it like https://example.org/graph", nil)
	case o.Graph != "" && o.Query != "":
		return nil, failed(s.address, "a query and a graph were both given", "name the graph in the query", nil)
	case !selects.MatchString(s.query):
		return nil, failed(s.address, "the query is no SELECT", "write it as SELECT ?s ?p ?o WHERE { … }", nil)
	case limited.MatchString(tail):
		return nil, failed(s.address, "the query has a LIMIT or an OFFSET of its own", "leave it out, or put it into a SELECT inside: Cairn asks page by page", nil)
	}
	port := u.Port()
	if port == "" {
		port = map[string]string{"http": "80", "https": "443"}[u.Scheme]
	}
	s.client = &http.Client{
		Transport: &http.Transport{ // no proxy
			DialContext:         o.Gate.To(net.JoinHostPort(u.Hostname(), port), true),
			MaxIdleConnsPerHost: 1,
			TLSHandshakeTimeout: 10 * time.Second,
		},
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
	return s, nil
}

// Close closes the connections to the server.
func (s *SPARQL) Close() { s.client.CloseIdleConnections() }

// Address is where the server is, without credentials.
func (s *SPARQL) Address() string { return s.address }

// Query is what is asked, before it is cut into pages.
func (s *SPARQL) Query() string { return s.query }

// value is a term of SPARQL 1.1 Query Results JSON, §3.2.2.
type value struct {
	Type     string          `json:"type"`
	Value    json.RawMessage `json:"value"`
	Lang     string          `json:"xml:lang"`
	Datatype string          `json:"datatype"`
}

// row is one solution; terms that are not bound have no Type.
type row struct {
	S value `json:"s"`
	P value `json:"p"`
	O value `json:"o"`
	G value `json:"g"`
}

// results are a reply of SPARQL 1.1 Query Results JSON.
type results struct {
	Head struct {
		Vars []string `json:"vars"`
	} `json:"head"`
	Results *struct {
		Bindings []row `json:"bindings"`
	} `json:"results"`
}

// rows asks for the page that begins at offset, and again where the server is busy.
func (s *SPARQL) rows(ctx context.Context, offset int64) ([]row, error) {
	query := s.query + "\n"
	if !s.ordered {
		query += "ORDER BY "
	}
	query += "?s ?p ?o" // ends every order: rows that tie could be on two pages, or on none
	query += fmt.Sprintf("\nLIMIT %d OFFSET %d", s.o.Page, offset)
	for try := 1; ; try++ {
		reply, wait, err := s.post(ctx, query)
		if err == nil {
			return s.read(reply)
		}
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		if wait < 0 || try == tries {
			return nil, err
		}
		t := time.NewTimer(max(wait, s.o.RetryWait<<(try-1)))
		select {
		case <-ctx.Done():
			t.Stop()
			return nil, ctx.Err()
		case <-t.C:
		}
	}
}

// post sends a query and returns the reply. Where it failed, wait is how long the
// server asks to be left alone, and below 0 where asking again is of no use.
func (s *SPARQL) post(ctx context.Context, query string) (reply []byte, wait time.Duration, err error) {
	ctx, cancel := context.WithTimeout(ctx, s.o.Timeout)
	defer cancel()
	for range 4 { // redirects
		request, err := http.NewRequestWithContext(ctx, http.MethodPost, s.url.String(), strings.NewReader(url.Values{"query": {query}}.Encode()))
		if err != nil {
			return nil, -1, failed(s.address, "the request could not be made", "check the address", err)
		}
		request.Header.Set("Content-Type", "application/x-www-form-urlencoded")
		request.Header.Set("Accept", "application/sparql-results+json")
		request.Header.Set("User-Agent", "cairn")
		if s.o.User != "" {
			request.SetBasicAuth(s.o.User, s.o.Password)
		}
		response, err := s.client.Do(request)
		if err != nil {
			return nil, -1, s.unreached(err)
		}
		reply, err = io.ReadAll(io.LimitReader(response.Body, s.o.MaxReply+1))
		_ = response.Body.Close()
		switch code := response.StatusCode; {
		case err != nil:
			return nil, 0, failed(s.address, "the connection broke in the middle of a reply", "the same import continues from the last whole page", err)
		case int64(len(reply)) > s.o.MaxReply:
			return nil, -1, failed(s.address, fmt.Sprintf("a reply is larger than %d MiB", max(1, s.o.MaxReply>>20)), "ask for fewer statements at a time, with cairn import and --page", nil)
		case code >= 300 && code < 400:
			to, err := response.Location()
			if err != nil || to.Scheme != s.url.Scheme || to.Host != s.url.Host {
				return nil, -1, failed(s.address, fmt.Sprintf("the server sends on to another one, %s, which was not asked", oneLine(response.Header.Get("Location"), 200)), "if you trust it, give its address", nil)
			}
			s.url = to
			continue
		case code != http.StatusOK:
			return nil, s.waitFor(response), s.refused(code, reply)
		}
		return reply, -1, nil
	}
	return nil, -1, failed(s.address, "the server sends on in a circle", "check the address", nil)
}

// waitFor is how long a server that did not answer asks to be left alone, up to a
// minute; below 0 where it would say the same again.
func (s *SPARQL) waitFor(r *http.Response) time.Duration {
	if r.StatusCode < 500 && r.StatusCode != http.StatusTooManyRequests || r.StatusCode == http.StatusNotImplemented {
		return -1
	}
	seconds, _ := strconv.Atoi(r.Header.Get("Retry-After"))
	return time.Duration(min(max(seconds, 0), 60)) * time.Second
}

// unreached is the error of a server that gave no reply.
func (s *SPARQL) unreached(err error) error {
	if unwrapped := (*url.Error)(nil); errors.As(err, &unwrapped) {
		err = unwrapped.Err // which would name the address again
	}
	if errors.Is(err, context.DeadlineExceeded) {
		return failed(s.address, fmt.Sprintf("no reply came within %s", s.o.Timeout), "ask for fewer statements at a time, with cairn import and --page", err)
	}
	return failed(s.address, "the server cannot be reached: "+oneLine(err.Error(), 200), "check the address and the connection", err)
}

// refused is the error of a reply that is no answer, with the server's own words.
func (s *SPARQL) refused(code int, reply []byte) error {
	said := ""
	if text := oneLine(string(reply), 300); text != "" && !isHTML(reply) {
		said = ": “" + text + "”"
	}
	switch code {
	case http.StatusUnauthorized, http.StatusForbidden:
		return failed(s.address, fmt.Sprintf("the server wants to know who asks, or does not allow it (HTTP %d)%s", code, said), giveUser, nil)
	case http.StatusNotFound, http.StatusMethodNotAllowed, http.StatusNotImplemented:
		return failed(s.address, fmt.Sprintf("there is no SPARQL endpoint (HTTP %d)%s", code, said), "check the address: it often ends in /sparql or /query", nil)
	case http.StatusBadRequest:
		return failed(s.address, "the server does not take the query (HTTP 400)"+said, "check the query", nil)
	}
	return failed(s.address, fmt.Sprintf("the server answered HTTP %d%s", code, said), "try again later: the same import continues from the last whole page", nil)
}

func isHTML(reply []byte) bool {
	begin := bytes.ToLower(bytes.TrimSpace(reply[:min(len(reply), 512)]))
	return bytes.HasPrefix(begin, []byte("<!doctype html")) || bytes.HasPrefix(begin, []byte("<html"))
}

// read returns the rows of a reply.
func (s *SPARQL) read(reply []byte) ([]row, error) {
	var r results
	if err := json.Unmarshal(reply, &r); err != nil || r.Results == nil {
		what := "the reply is no SPARQL results in JSON: “" + oneLine(string(reply[:min(len(reply), 1000)]), 100) + "”"
		if isHTML(reply) {
			what = "a web page came back: this is no SPARQL endpoint"
		}
		return nil, failed(s.address, what, "check the address: it often ends in /sparql or /query", err)
	}
	seen := " " + strings.Join(r.Head.Vars, " ") + " "
	for _, name := range []string{"s", "p", "o"} {
		if !strings.Contains(seen, " "+name+" ") {
			return nil, failed(s.address, "the query selects no ?"+name, "name what it selects ?s ?p ?o, and ?g for graphs", nil)
		}
	}
	return r.Results.Bindings, nil
}

// Encrypted reports whether nobody on the way can read what is sent.
func (s *SPARQL) Encrypted() bool { return s.url.Scheme == "https" }

// Origin says in words what was asked where, for ingest.Options.
func (s *SPARQL) Origin() string {
	return "from " + s.address + ", asked " + strings.Join(strings.Fields(s.query), " ")
}

// File is where what is fetched for a graph's file is kept: beside it, one file for
// each server and query.
func (s *SPARQL) File(graph string) string {
	sum := sha256.Sum256([]byte(s.address + "\n" + s.query))
	name := filepath.Base(strings.TrimSuffix(graph, filepath.Ext(graph)))
	if name != s.Host() {
		name += "-" + s.Host()
	}
	return filepath.Join(filepath.Dir(graph), name+"-"+hex.EncodeToString(sum[:4])+".nq")
}

// Host is the name of the server's machine, in letters that a file's name may have.
func (s *SPARQL) Host() string { return strings.ReplaceAll(s.url.Hostname(), ":", "-") }
