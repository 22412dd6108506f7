package bench

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"slices"
	"strconv"

	"cairn/engine/kg"
	"cairn/engine/lab/synth"
	"cairn/engine/pattern"
)

// FileError is a file of queries or results that cannot be used.
type FileError struct {
	Doing string // what was being done, such as "read the queries in"
	File  string
	Line  int    // from 1; 0 for the file as a whole
	What  string // what is wrong; what to do
}

// Error says the file, the line and what is wrong.
func (e *FileError) Error() string {
	where := e.File
	if e.Line > 0 {
		where = fmt.Sprintf("%s, line %d", e.File, e.Line)
	}
	return fmt.Sprintf("%s %s: %s", e.Doing, where, e.What)
}

// readQueries is what is being done to a queries file.
const readQueries = "read the queries in"

// maxQueryLine is the length of the longest line of a queries file, in bytes.
const maxQueryLine = 1 << 20

// ReadQueries reads a queries file, one synth.Query a line; empty lines are
// skipped. name is the file's, for errors, which are a *FileError each.
func ReadQueries(r io.Reader, name string) ([]synth.Query, error) {
	var queries []synth.Query
	lines := bufio.NewScanner(r)
	lines.Buffer(nil, maxQueryLine)
	n := 0
	for lines.Scan() {
		n++
		line := bytes.TrimSpace(lines.Bytes())
		if len(line) == 0 {
			continue
		}
		var q synth.Query
		d := json.NewDecoder(bytes.NewReader(line))
		d.DisallowUnknownFields()
		if err := d.Decode(&q); err != nil {
			return nil, &FileError{readQueries, name, n, fmt.Sprintf("it is no query as cairn-lab bench generate writes them (%s)", wrongJSON(err))}
		}
		if what := wrong(q); what != "" {
			return nil, &FileError{readQueries, name, n, what}
		}
		queries = append(queries, q)
	}
	if err := lines.Err(); err != nil {
		what := err.Error()
		if errors.Is(err, bufio.ErrTooLong) {
			what = "it is too long for a query; give a file that cairn-lab bench generate wrote"
		}
		return nil, &FileError{readQueries, name, n + 1, what}
	}
	if len(queries) == 0 {
		return nil, &FileError{readQueries, name, 0, "there are none; make some with cairn-lab bench generate"}
	}
	return queries, nil
}

// wrongJSON says what is wrong with JSON, without the names of types in Go.
func wrongJSON(err error) string {
	t := (*json.UnmarshalTypeError)(nil)
	if !errors.As(err, &t) {
		return err.Error()
	}
	what := "it"
	if t.Field != "" {
		what = strconv.Quote(t.Field)
	}
	return fmt.Sprintf("%s is of the wrong kind: %s", what, t.Value)
}

// wrong says what makes q no pattern, or nothing.
func wrong(q synth.Query) string {
	if len(q.Nodes) == 0 || len(q.Edges) == 0 {
		return "a query has nodes and edges, and this one has not"
	}
	for i, e := range q.Edges {
		if min(e.From, e.To) < 0 || max(e.From, e.To) >= len(q.Nodes) {
			return fmt.Sprintf("edge %d joins nodes %d and %d, and the nodes are 0 to %d", i, e.From, e.To, len(q.Nodes)-1)
		}
		if e.Text == "" || e.Relation == "" {
			return fmt.Sprintf("edge %d has no text or no relation", i)
		}
	}
	known := false
	for i, n := range q.Nodes {
		if n.Key == "" {
			return fmt.Sprintf("node %d has no key", i)
		}
		known = known || n.Text != ""
	}
	if !known {
		return "none of its nodes has a text to look up"
	}
	return ""
}

// Case is a query as a pattern of one graph, and its true subgraph.
type Case struct {
	synth.Query
	Pattern pattern.Pattern
	// Nodes[i] is the entity that node i of the pattern was cut from.
	Nodes []kg.EntityID
	// Truth are the triples that the pattern was cut from, ascending.
	Truth []kg.TripleID
}

// Kind is the shape and the hops of the query, in words.
func (c *Case) Kind() string { return kindOf(c.Shape, c.Hops) }

func kindOf(shape synth.Shape, hops int) string {
	if shape == synth.Chain {
		if hops == 1 {
			return "chain, 1 hop"
		}
		return fmt.Sprintf("chain, %d hops", hops)
	}
	return fmt.Sprintf("%s, %d edges", shape, hops)
}

// NewCase finds the true subgraph of a query by its keys and makes the pattern
// of it: names by their text alone, so that the vocabulary decides which entity
// and which relation they mean, and unknown nodes as variables with their type
// hints. find returns the entity with a key.
func NewCase(ctx context.Context, g *kg.Graph, q synth.Query, find func(ctx context.Context, key string) (kg.EntityID, bool, error)) (*Case, error) {
	c := &Case{Query: q, Pattern: pattern.Pattern{Asked: -1}}
	for i, n := range q.Nodes {
		e, ok, err := find(ctx, n.Key)
		if err != nil {
			return nil, err
		}
		if !ok {
			return nil, &otherGraphError{q.ID, "entity " + n.Key}
		}
		node := pattern.Node{Text: n.Text}
		if n.Text == "" {
			node = pattern.Node{Text: fmt.Sprintf("?%d", i), Variable: true, Type: n.Type}
			if c.Pattern.Asked < 0 {
				c.Pattern.Asked = i
			}
		}
		c.Nodes = append(c.Nodes, e)
		c.Pattern.Nodes = append(c.Pattern.Nodes, node)
	}
	for _, e := range q.Edges {
		r, ok := relation(g, e.Relation)
		if !ok {
			return nil, &otherGraphError{q.ID, "relation " + e.Relation}
		}
		t, ok := g.Find(kg.Triple{Head: c.Nodes[e.From], Relation: r, Tail: c.Nodes[e.To]})
		if !ok {
			return nil, &otherGraphError{q.ID, fmt.Sprintf("triple %s %s %s", q.Nodes[e.From].Key, e.Relation, q.Nodes[e.To].Key)}
		}
		c.Truth = append(c.Truth, t)
		c.Pattern.Edges = append(c.Pattern.Edges, pattern.Edge{From: e.From, To: e.To, Relation: e.Text})
	}
	slices.Sort(c.Truth)
	c.Truth = slices.Compact(c.Truth)
	return c, nil
}

// otherGraphError is a query that was cut from another graph.
type otherGraphError struct {
	query int
	lacks string
}

// Error says what the graph lacks.
func (e *otherGraphError) Error() string {
	return fmt.Sprintf("query %d was cut from another graph: this one has no %s; give each graph its own queries", e.query, e.lacks)
}

// relation returns the relation with a key; there are some hundreds.
func relation(g *kg.Graph, key string) (kg.RelationID, bool) {
	for r := range kg.RelationID(g.Relations()) {
		if g.RelationKey(r) == key {
			return r, true
		}
	}
	return 0, false
}

// sample returns n of qs, in their order, drawn by seed; all of them where n is
// 0 or there are no more.
func sample[Q any](qs []Q, n int, seed uint64) []Q {
	if n <= 0 || n >= len(qs) {
		return qs
	}
	r := rand.New(rand.NewPCG(seed, seed))
	at := r.Perm(len(qs))[:n]
	slices.Sort(at)
	few := make([]Q, n)
	for i, a := range at {
		few[i] = qs[a]
	}
	return few
}
