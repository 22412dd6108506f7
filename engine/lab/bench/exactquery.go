package bench

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"cairn/engine/kg"
	"cairn/engine/match"
)

const (
	// drawTries is how many entities are tried for each query of a shape.
	drawTries = 2_000
	// drawDegree is the degree of the entities that cycles and cliques are looked for
	// around: hubs have too many pairs of neighbours.
	drawDegree = 200
)

// drawQueries draws n queries of each shape, as subgraphs that the graph has: the
// relations are theirs, and the directions. missing are shapes that it has none of.
func drawQueries(ctx context.Context, g *kg.Graph, n int, seed uint64) (queries []exactQuery, missing []Shape, err error) {
	if g.Triples() == 0 {
		return nil, nil, errors.New("the graph has no triples to draw queries from")
	}
	d := drawer{g: g, rng: rand.New(rand.NewPCG(seed, seed))}
	for _, form := range forms {
		found := 0
		for try := 0; found < n && try < n*drawTries; try++ {
			if err := ctx.Err(); err != nil {
				return nil, nil, err
			}
			if found == 0 && try == drawTries*4 {
				break // there are hardly any
			}
			d.nodes, d.edges = append(d.nodes[:0], kg.EntityID(d.rng.IntN(g.Entities()))), d.edges[:0]
			if form.draw(&d) {
				queries = append(queries, exactQuery{form.shape, d.query(form.named), -1})
				found++
			}
		}
		if found == 0 {
			missing = append(missing, form.shape)
		}
	}
	return queries, missing, nil
}

// drawer draws subgraphs.
type drawer struct {
	g     *kg.Graph
	rng   *rand.Rand
	nodes []kg.EntityID
	edges []kg.TripleID
}

// forms are how shapes are drawn from a first node, and which node is then named; -1 for
// none.
var forms = []struct {
	shape Shape
	named int
	draw  func(d *drawer) bool
}{
	{Chains, 0, func(d *drawer) bool { return d.walk(0) && d.walk(1) && d.walk(2) }},
	{Stars, 1, func(d *drawer) bool {
		for range 4 {
			if !d.walk(0) {
				return false
			}
		}
		return true
	}},
	{Cycles, -1, func(d *drawer) bool { return d.near(0) && d.walk(0) && d.walk(1) && d.close() }},
	{Cliques, -1, func(d *drawer) bool { return d.near(0) && d.walk(0) && d.common() && d.common() }},
}

// any draws an edge of an entity, in either direction.
func (d *drawer) any(e kg.EntityID) (kg.Edge, bool) {
	out, in := d.g.Out(e), d.g.In(e)
	if len(out)+len(in) == 0 {
		return kg.Edge{}, false
	}
	i := d.rng.IntN(len(out) + len(in))
	if i < len(out) {
		return out[i], true
	}
	return in[i-len(out)], true
}

// near reports whether a node has few neighbours.
func (d *drawer) near(at int) bool { return d.g.Degree(d.nodes[at]) <= drawDegree }

// walk goes from a node to one that is not there yet.
func (d *drawer) walk(at int) bool {
	x, ok := d.any(d.nodes[at])
	if !ok || slices.Contains(d.nodes, x.Entity) {
		return false
	}
	d.nodes, d.edges = append(d.nodes, x.Entity), append(d.edges, x.Triple)
	return true
}

// close finds a node that is joined to the first and the last one.
func (d *drawer) close() bool {
	if !d.near(2) {
		return false
	}
	for _, x := range slices.Concat(d.g.Out(d.nodes[2]), d.g.In(d.nodes[2])) {
		if slices.Contains(d.nodes, x.Entity) {
			continue
		}
		if t, ok := d.between(d.nodes[0], x.Entity); ok {
			d.nodes, d.edges = append(d.nodes, x.Entity), append(d.edges, x.Triple, t)
			return true
		}
	}
	return false
}

// common finds a node that is joined to all that are there.
func (d *drawer) common() bool {
	for _, x := range slices.Concat(d.g.Out(d.nodes[0]), d.g.In(d.nodes[0])) {
		if slices.Contains(d.nodes, x.Entity) {
			continue
		}
		joined := []kg.TripleID{x.Triple}
		for _, n := range d.nodes[1:] {
			if t, ok := d.between(n, x.Entity); ok {
				joined = append(joined, t)
			}
		}
		if len(joined) == len(d.nodes) {
			d.nodes, d.edges = append(d.nodes, x.Entity), append(d.edges, joined...)
			return true
		}
	}
	return false
}

// between finds a triple that joins two entities.
func (d *drawer) between(a, b kg.EntityID) (kg.TripleID, bool) {
	if d.g.Degree(b) < d.g.Degree(a) {
		a, b = b, a
	}
	for _, row := range [][]kg.Edge{d.g.Out(a), d.g.In(a)} {
		for _, x := range row {
			if x.Entity == b {
				return x.Triple, true
			}
		}
	}
	return 0, false
}

// query is what was drawn, with nothing but its relations known, and one node; -1 for
// none. No two nodes share an entity.
func (d *drawer) query(named int) *match.Query {
	q := &match.Query{}
	for i := range d.nodes {
		q.Nodes = append(q.Nodes, match.Node{Distinct: (1<<len(d.nodes) - 1) &^ (1 << i)})
	}
	if named >= 0 {
		q.Nodes[named].In = []kg.EntityID{d.nodes[named]}
	}
	for _, t := range d.edges {
		x := d.g.Triple(t)
		q.Edges = append(q.Edges, match.Edge{
			From: slices.Index(d.nodes, x.Head), To: slices.Index(d.nodes, x.Tail), Relations: []kg.RelationID{x.Relation},
		})
	}
	return q
}

// ExactHPRD compares engines on the protein graph and the query graphs of dir, whose
// numbers of bindings are known (the data set of Sun and Luo's study of subgraph
// matching): vertices have labels, edges have no direction.
func ExactHPRD(ctx context.Context, dir string, o ExactOptions) (*ExactSet, error) {
	o.setDefaults()
	labels, edges, err := readLabelled(filepath.Join(dir, "data_graph", "HPRD.graph"))
	if err != nil {
		return nil, err
	}
	var kb kg.Builder
	byLabel := map[int][]kg.EntityID{}
	for v, l := range labels {
		e := kb.Entity(strconv.Itoa(v))
		kb.AddType(e, strconv.Itoa(l)) // which the signatures of paths count
		byLabel[l] = append(byLabel[l], e)
	}
	for _, e := range edges {
		kb.Add(strconv.Itoa(e[0]), "interacts", strconv.Itoa(e[1]))
	}
	b := &exactBench{o: o, g: kb.Graph(), labels: labels, set: &ExactSet{Name: "hprd"}}
	err = eachLine(filepath.Join(dir, "expected_output.res"), func(line string) error {
		name, count, _ := strings.Cut(line, ":")
		want, err := strconv.Atoi(count)
		if err != nil {
			return fmt.Errorf("read %q: after the query graph's name stands how often it is found, name:count", line)
		}
		labels, edges, err := readLabelled(filepath.Join(dir, "query_graph", name+".graph"))
		if err != nil {
			return err
		}
		q := &match.Query{}
		for v, l := range labels {
			q.Nodes = append(q.Nodes, match.Node{In: byLabel[l], Distinct: (1<<len(labels) - 1) &^ (1 << v)})
		}
		for _, e := range edges {
			q.Edges = append(q.Edges, match.Edge{From: e[0], To: e[1], Either: true})
		}
		b.queries = append(b.queries, exactQuery{Dense, q, want})
		return nil
	})
	if err != nil {
		return nil, err
	}
	return b.run(ctx)
}

// readLabelled reads lines "v ID LABEL DEGREE" and "e ID ID"; others say sizes.
func readLabelled(path string) (labels []int, edges [][2]int, err error) {
	err = eachLine(path, func(line string) error {
		var a, b int
		if line[0] != 'v' && line[0] != 'e' {
			return nil
		}
		if _, err := fmt.Sscanf(line[1:], "%d %d", &a, &b); err != nil {
			return fmt.Errorf("read %q: a line is v ID LABEL DEGREE or e ID ID", line)
		}
		switch {
		case line[0] == 'v' && a != len(labels):
			return fmt.Errorf("read %q: vertex %d comes next", line, len(labels))
		case line[0] == 'v':
			labels = append(labels, b)
		case min(a, b) < 0 || max(a, b) >= len(labels):
			return fmt.Errorf("read %q: there are %d vertices", line, len(labels))
		default:
			edges = append(edges, [2]int{a, b})
		}
		return nil
	})
	return labels, edges, err
}

// eachLine reads the lines of a file that are not empty.
func eachLine(path string, read func(line string) error) error {
	const doing = "read the query graphs in"
	f, err := os.Open(path)
	if err != nil {
		return &FileError{Doing: doing, File: path, What: err.Error()}
	}
	defer f.Close()
	lines := bufio.NewScanner(f)
	for n := 1; lines.Scan(); n++ {
		line := strings.TrimSpace(lines.Text())
		if line == "" {
			continue
		}
		if err := read(line); err != nil {
			return &FileError{doing, path, n, err.Error()}
		}
	}
	return lines.Err()
}
