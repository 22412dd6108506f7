package cypher_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"cairn/engine/cypher"
	"cairn/engine/kg"
	"cairn/engine/match"
	"cairn/engine/pattern"
	"cairn/internal/testing/naive"
)

// TestAsMatcher: random patterns as queries have the answers that the matcher has.
func TestAsMatcher(t *testing.T) {
	r := rand.New(rand.NewPCG(4, 4))
	tried, found := 0, 0
	for range 3000 {
		g := randomGraph(r)
		p := randomPattern(r, g)
		text, ok := cypher.Over(g, nil).FromPattern(p)
		if !ok {
			t.Fatalf("%s cannot be written", pattern.Format(p))
		}
		q, err := match.Compile(g, p)
		if err != nil {
			continue // a pattern that makes no sense
		}
		var want []kg.EntityID
		if _, err := (naive.Engine{Graph: g}).Each(t.Context(), q, func(b match.Binding) bool {
			want = append(want, b.Nodes[p.Asked])
			return true
		}); err != nil {
			t.Fatal(err)
		}
		slices.Sort(want)
		want = slices.Compact(want)
		query, err := cypher.Parse(text)
		if err != nil {
			t.Fatalf("%s: %v", text, err)
		}
		result, err := cypher.Run(t.Context(), cypher.Over(g, nil), query, cypher.Options{})
		if err != nil {
			t.Fatalf("%s: %v", text, err)
		}
		var got []kg.EntityID
		for _, row := range result.Rows {
			n, _ := row.Values[0].(cypher.Node)
			got = append(got, kg.EntityID(n))
		}
		slices.Sort(got)
		tried++
		if len(want) > 0 {
			found++
		}
		if !slices.Equal(got, want) {
			t.Fatalf("%s\n%s\ngot %v; want %v", pattern.Format(p), text, got, want)
		}
	}
	if tried < 2000 || found < tried/5 {
		t.Errorf("%d patterns were tried, of which %d have answers", tried, found)
	}
}

// randomGraph has few entities, so that patterns match.
func randomGraph(r *rand.Rand) *kg.Graph {
	var b kg.Builder
	for range 4 + r.IntN(14) {
		b.Add(fmt.Sprint("e", r.IntN(6)), fmt.Sprint("r", r.IntN(3)), fmt.Sprint("e", r.IntN(6)))
	}
	for i := range kg.EntityID(3) {
		b.AddType(b.Entity(fmt.Sprint("e", i)), fmt.Sprint("T", i%2))
	}
	return b.Graph()
}

// randomPattern joins two to four nodes.
func randomPattern(r *rand.Rand, g *kg.Graph) *pattern.Pattern {
	p := &pattern.Pattern{Reuse: pattern.Reuse(r.IntN(3))}
	n := 2 + r.IntN(3)
	for i := range n {
		p.Nodes = append(p.Nodes, pattern.Node{Text: fmt.Sprint("?v", i), Variable: true})
	}
	if r.IntN(3) > 0 {
		e := kg.EntityID(r.IntN(g.Entities()))
		p.Nodes[n-1] = pattern.Node{Text: g.Label(e), Entities: []kg.EntityID{e}}
	}
	if g.NumTypes() > 0 && r.IntN(4) == 0 {
		of := kg.TypeID(r.IntN(g.NumTypes()))
		p.Nodes[0].Type, p.Nodes[0].Within = g.TypeLabel(of), g.OfType(of)
	}
	edge := func(a, b int) {
		e := pattern.Edge{From: a, To: b, Direction: pattern.Direction(r.IntN(2))}
		if r.IntN(5) > 0 {
			e.Fixed = []kg.RelationID{kg.RelationID(r.IntN(g.Relations()))}
			e.Relation = g.RelationText(e.Fixed[0])
		}
		p.Edges = append(p.Edges, e)
	}
	for i := 1; i < n; i++ {
		edge(r.IntN(i), i)
	}
	if r.IntN(3) == 0 {
		edge(r.IntN(n), r.IntN(n))
	}
	return p
}

// TestFromPattern: what patterns ask for beyond edges, as queries.
func TestFromPattern(t *testing.T) {
	g := films()
	tests := []struct{ pattern, want string }{
		{"(?f) -directed by-> (Steven Spielberg) | count ?f", "MATCH (f)-[:directed_by]->(n1 {name: 'Steven Spielberg'}) RETURN count(DISTINCT f)"},
		{"(?f) -year-> (?y) | find ?f | ?y > 1972", "MATCH (f)-[:year]->(y) WHERE toFloat(y.name) > 1972 RETURN DISTINCT f"},
		{"(?f) -directed by-> (?d) | count ?f per ?d | largest count 2", "MATCH (f)-[:directed_by]->(d) RETURN d, count(DISTINCT f) AS amount ORDER BY amount DESC LIMIT 2"},
		{"(?f) -directed by-> (?d) | find ?f | without (?f) -year-> (?y)", "MATCH (f)-[:directed_by]->(d) WHERE NOT EXISTS { MATCH (f)-[:year]->(y) } RETURN DISTINCT f"},
		{"(?f) -directed by-> (?d); (Steven Spielberg) | find ?f | ?d != (Steven Spielberg)", "MATCH (f)-[:directed_by]->(d) WHERE NOT d.key IN ['steven'] RETURN DISTINCT f"},
		{"(?f) -directed by-> (?d) | count ?f per every ?d | smallest count", ""},
	}
	for _, tt := range tests {
		p, err := pattern.ParseText(tt.pattern)
		if err != nil {
			t.Fatal(err)
		}
		ground(g, p)
		got, ok := cypher.Over(g, named(g)).FromPattern(p)
		if ok != (tt.want != "") || ok && got != tt.want {
			t.Errorf("%s:\n got %s\nwant %s", tt.pattern, got, tt.want)
		}
		if !ok {
			continue
		}
		if _, err := cypher.Parse(got); err != nil {
			t.Errorf("%s: %v", got, err)
		}
	}
}

// ground links names and relations that are called exactly so.
func ground(g *kg.Graph, p *pattern.Pattern) {
	p.Reuse = pattern.ReuseVariables
	for i, n := range p.Nodes {
		if !n.Variable {
			p.Nodes[i].Entities = named(g)(n.Text)
		}
	}
	settle := func(edges []pattern.Edge) {
		for i := range edges {
			for r := range kg.RelationID(g.Relations()) {
				if g.RelationText(r) == edges[i].Relation {
					edges[i].Fixed = []kg.RelationID{r}
				}
			}
		}
	}
	settle(p.Edges)
	for i := range p.Branches {
		settle(p.Branches[i].Edges)
	}
}
