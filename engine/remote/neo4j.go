package remote

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

const likeNeo4j = "neo4j+http://host:7474/db/neo4j"

// What is asked of a Neo4j server, in the Cypher of its versions 4 and 5. Every row is
// one map in the form in which APOC exports nodes and relationships. Pages are cut by
// id and not by number: what is removed meanwhile takes nothing else with it.
const (
	nodesQuery = "MATCH (n) WHERE id(n) >= $from RETURN {type: 'node', id: toString(id(n)), labels: labels(n), properties: properties(n)} AS line" +
		" ORDER BY id(n) LIMIT $limit"
	relationshipsQuery = "MATCH (a)-[r]->(b) WHERE id(r) >= $from RETURN {type: 'relationship', id: toString(id(r)), label: type(r), properties: properties(r)," +
		" start: {id: toString(id(a))}, end: {id: toString(id(b))}} AS line ORDER BY id(r) LIMIT $limit"
)

// neo4j is a database of a Neo4j server.
type neo4j struct{ asker }

// asker is a way to ask a Neo4j server.
type asker interface {
	Address() string
	Encrypted() bool
	Host() string
	Close()
	pageSize() int
	// rows asks for the rows of a query, from an id on.
	rows(ctx context.Context, query string, from int64) ([]*element, error)
}

// overHTTP asks through the transactional HTTP API (/db/NAME/tx/commit), which versions
// 4 and 5 have both.
type overHTTP struct{ *client }

var databasePath = regexp.MustCompile(`^(/.*)?/db/[^/]+$`)

// newNeo4j returns the database at an address. Nothing is sent yet.
func newNeo4j(u *url.URL, o Options) (*neo4j, error) {
	u.Path, u.RawPath, u.RawQuery = strings.TrimSuffix(u.Path, "/"), "", ""
	address := u.String()
	switch {
	case !databasePath.MatchString(u.Path):
		return nil, failed(address, "the address names no database", "write it like "+likeNeo4j, nil)
	case o.Query != "" || o.Graph != "":
		return nil, failed(address, "--query and --graph are for SPARQL endpoints", "omit them: all nodes and relationships are read", nil)
	}
	u = u.JoinPath("tx", "commit")
	u.Scheme = strings.TrimPrefix(u.Scheme, overNeo4j)
	const remedy = "check the address: it should look like " + likeNeo4j + ", with the database's name at the end"
	return &neo4j{overHTTP{newClient(address, u, o, dialect{
		service: "Neo4j database", remedy: remedy,
		sends: "application/json", accepts: "application/json", readOnly: true,
		said: func(reply []byte) string {
			var r cypherReply
			if json.Unmarshal(reply, &r) != nil || len(r.Errors) == 0 {
				return string(reply)
			}
			return r.Errors[0].Code + ": " + r.Errors[0].Message
		},
	})}}, nil
}

// Query implements Server.
func (s *neo4j) Query() string { return nodesQuery + "; " + relationshipsQuery }

// Ending implements Server.
func (s *neo4j) Ending() string { return ".jsonl" }

// cypherReply is a reply of the transactional HTTP API.
type cypherReply struct {
	Results []struct {
		Columns []string `json:"columns"`
		Data    []struct {
			Row []*element `json:"row"`
		} `json:"data"`
	} `json:"results"`
	Errors []struct { // empty where all went well
		Code    string `json:"code"`
		Message string `json:"message"`
	} `json:"errors"`
}

// element is a node or a relationship as APOC writes it.
type element struct {
	Type       string                     `json:"type"`
	ID         string                     `json:"id"`
	Label      string                     `json:"label,omitempty"`
	Labels     []string                   `json:"labels,omitempty"`
	Properties map[string]json.RawMessage `json:"properties,omitempty"`
	Start      json.RawMessage            `json:"start,omitempty"`
	End        json.RawMessage            `json:"end,omitempty"`
}

// page asks for nodes, and when there are no more for relationships.
func (s *neo4j) page(ctx context.Context, after Fetched) (page, error) {
	if after.Rows == after.Nodes {
		p, err := s.after(ctx, nodesQuery, after)
		if p.Nodes = p.Rows; err != nil || p.n > 0 {
			return p, err
		}
		after.Next = 0
	}
	return s.after(ctx, relationshipsQuery, after)
}

// after asks for the rows of a query that come after some.
func (s *neo4j) after(ctx context.Context, query string, after Fetched) (page, error) {
	rows, err := s.rows(ctx, query, after.Next)
	if err != nil {
		return page{}, err
	}
	return s.write(after, rows)
}

// rows implements asker.
func (s overHTTP) rows(ctx context.Context, query string, from int64) ([]*element, error) {
	body, err := json.Marshal(map[string]any{"statements": []any{map[string]any{
		"statement": query, "parameters": map[string]any{"from": from, "limit": s.o.Page},
	}}})
	if err != nil {
		return nil, err
	}
	reply, err := s.ask(ctx, string(body))
	if err != nil {
		return nil, err
	}
	var r cypherReply
	err = json.Unmarshal(reply, &r)
	switch {
	case err == nil && len(r.Errors) > 0:
		return nil, answered(s.address, r.Errors[0].Code, s.said(reply), s.remedy)
	case err != nil || r.Errors == nil || len(r.Results) != 1 || !slices.Equal(r.Results[0].Columns, []string{"line"}):
		return nil, s.strange(reply, err)
	}
	rows := make([]*element, len(r.Results[0].Data))
	for i, d := range r.Results[0].Data {
		if len(d.Row) != 1 || d.Row[0] == nil {
			return nil, s.strange(reply, nil)
		}
		rows[i] = d.Row[0]
	}
	return rows, nil
}

// write counts rows and writes them as JSON Lines.
func (s *neo4j) write(after Fetched, rows []*element) (page, error) {
	p := page{Fetched: after, rows: rows, n: len(rows)}
	p.Rows += int64(p.n)
	var b bytes.Buffer
	lines := json.NewEncoder(&b)
	lines.SetEscapeHTML(false)
	for _, row := range rows {
		id, err := strconv.ParseInt(row.ID, 10, 64)
		if err != nil || id < p.Next {
			return page{}, failed(s.Address(), "the server does not return rows in the requested order of ids", "have the server export its graph to a file, and import that", nil)
		}
		p.Next = id + 1
		for name, v := range row.Properties {
			row.Properties[name] = flatPoint(v)
		}
		if err := lines.Encode(row); err != nil {
			return page{}, err
		}
	}
	p.lines = b.Bytes()
	return p, nil
}

// answered is the error of a server that took the question and gave an error, with its
// own words.
func answered(address, code, said, noDatabase string) error {
	remedy := "if the server was busy, try again later: the same command continues from the last complete page"
	if strings.HasPrefix(code, "Neo.ClientError.Database.") {
		remedy = noDatabase
	} else if strings.HasPrefix(code, "Neo.ClientError.Security.") {
		remedy = whoAsks
	}
	return failed(address, fmt.Sprintf("the server answered “%s”", oneLine(said, 300)), remedy, nil)
}

// pointIn writes a point in a system of coordinates.
func pointIn[N any](system string, at ...N) map[string]any {
	axes := []string{"x", "y", "z"}
	if strings.HasPrefix(system, "wgs-84") {
		axes = []string{"longitude", "latitude", "height"}
	}
	point := map[string]any{"crs": system}
	for i, x := range at {
		point[axes[i]] = x
	}
	return point
}

// flatPoint writes a point, which the server gives as GeoJSON with a link to its
// coordinate system, as APOC does; every other value stays as it is.
func flatPoint(v json.RawMessage) json.RawMessage {
	var point struct {
		Type        string        `json:"type"`
		Coordinates []json.Number `json:"coordinates"`
		CRS         struct {
			Name string `json:"name"`
		} `json:"crs"`
	}
	if v[0] != '{' || json.Unmarshal(v, &point) != nil || point.Type != "Point" {
		return v
	}
	if n := len(point.Coordinates); n != 2 && n != 3 {
		return v
	}
	text, err := json.Marshal(pointIn(point.CRS.Name, point.Coordinates...))
	if err != nil {
		return v
	}
	return text
}
