package remote

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"net/url"
	"regexp"
	"strings"
)

// sparql is an endpoint of the SPARQL 1.1 protocol and what is asked of it.
type sparql struct {
	*client
	query   string // without ORDER BY, LIMIT and OFFSET
	ordered bool   // by its own ORDER BY
}

// tail matches what may follow the last brace of a query.
var (
	limited = regexp.MustCompile(`(?i)\b(LIMIT|OFFSET)\b`)
	ordered = regexp.MustCompile(`(?i)\bORDER\s+BY\b`)
	selects = regexp.MustCompile(`(?i)\bSELECT\b`)
	badIRI  = "<>\"{}|^`\\ \t\r\n"
)

// newSPARQL returns the endpoint at an address. Nothing is sent yet.
func newSPARQL(u *url.URL, o Options) (*sparql, error) {
	s := &sparql{query: strings.TrimSpace(o.Query), client: newClient(u.String(), u, o, dialect{
		service: "SPARQL endpoint", remedy: "check the address: it often ends in /sparql or /query",
		sends: "application/x-www-form-urlencoded", accepts: "application/sparql-results+json",
		said: func(reply []byte) string { return string(reply) },
	})}
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
		return nil, failed(s.address, fmt.Sprintf("the graph %q is not an IRI", o.Graph), "write it like https://example.org/graph", nil)
	case o.Graph != "" && o.Query != "":
		return nil, failed(s.address, "a query and a graph were both given", "name the graph in the query", nil)
	case !selects.MatchString(s.query):
		return nil, failed(s.address, "the query is not a SELECT", "write it as SELECT ?s ?p ?o WHERE { … }", nil)
	case limited.MatchString(tail):
		return nil, failed(s.address, "the query has its own LIMIT or OFFSET", "remove it, or put it into a nested SELECT: Cairn fetches page by page", nil)
	}
	return s, nil
}

// Query implements Server.
func (s *sparql) Query() string { return s.query }

// Ending implements Server.
func (s *sparql) Ending() string { return ".nq" }

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

// page asks for the statements that come after some.
func (s *sparql) page(ctx context.Context, after Fetched) (page, error) {
	query := s.query + "\n"
	if !s.ordered {
		query += "ORDER BY "
	}
	query += "?s ?p ?o" // ends every order: rows that tie could be on two pages, or on none
	query += fmt.Sprintf("\nLIMIT %d OFFSET %d", s.o.Page, after.Rows)
	reply, err := s.ask(ctx, url.Values{"query": {query}}.Encode())
	if err != nil {
		return page{}, err
	}
	rows, err := s.read(reply)
	if err != nil {
		return page{}, err
	}
	return s.write(after, rows), nil
}

// read returns the rows of a reply.
func (s *sparql) read(reply []byte) ([]row, error) {
	var r results
	if err := json.Unmarshal(reply, &r); err != nil || r.Results == nil {
		return nil, s.strange(reply, err)
	}
	seen := " " + strings.Join(r.Head.Vars, " ") + " "
	for _, name := range []string{"s", "p", "o"} {
		if !strings.Contains(seen, " "+name+" ") {
			return nil, failed(s.address, "the query selects no ?"+name, "name the variables ?s ?p ?o, and ?g for graphs", nil)
		}
	}
	return r.Results.Bindings, nil
}

// write counts rows and writes them as N-Quads.
func (s *sparql) write(after Fetched, rows []row) page {
	var b bytes.Buffer
	names := map[string]int{} // of blank nodes, which mean something in one reply only
	graph := ""
	if s.o.Graph != "" {
		graph = " " + iri(s.o.Graph)
	}
	f, begin := after, after.Rows
	for _, r := range rows {
		f.Rows++
		line, blank, ok := "", false, true
		for _, v := range []value{r.S, r.P, r.O} {
			term, known := v.term(names, begin)
			line, ok = line+term+" ", ok && known
			blank = blank || v.Type == "bnode"
		}
		at := graph
		if r.G.Type != "" {
			term, known := r.G.term(names, begin)
			at, ok = " "+term, ok && known
		}
		if !ok {
			f.Incomplete++
			continue
		}
		if blank {
			f.Blank++
		}
		b.WriteString(strings.TrimSuffix(line, " ") + at + " .\n")
	}
	return page{Fetched: f, n: len(rows), rows: rows, lines: b.Bytes()}
}

// term writes a term of N-Quads; known is false where it is no term of RDF 1.1. What
// is wrong in it, such as a space in an IRI, is left for the import to refuse by line.
func (v value) term(names map[string]int, page int64) (text string, known bool) {
	var s string
	if v.Type == "" || json.Unmarshal(v.Value, &s) != nil {
		return "", false
	}
	switch v.Type {
	case "uri":
		return iri(s), true
	case "bnode":
		if _, ok := names[s]; !ok {
			names[s] = len(names)
		}
		return fmt.Sprintf("_:p%dn%d", page, names[s]), true
	case "literal", "typed-literal": // the second is what it was called before 1.1
		text = `"` + escapes.Replace(s) + `"`
		if v.Lang != "" {
			return text + "@" + oneLine(v.Lang, 100), true
		}
		if v.Datatype != "" {
			text += "^^" + iri(v.Datatype)
		}
		return text, true
	}
	return "", false
}

var (
	escapes   = strings.NewReplacer(`\`, `\\`, `"`, `\"`, "\n", `\n`, "\r", `\r`, "\t", `\t`)
	notInIRIs = regexp.MustCompile("[\\x00-\\x20<>\"{}|^`\\\\]")
)

// iri writes an IRI so that it stays on its line and ends where it ends.
func iri(s string) string {
	return "<" + notInIRIs.ReplaceAllStringFunc(s, func(c string) string { return fmt.Sprintf(`\u%04X`, c[0]) }) + ">"
}
