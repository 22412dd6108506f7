package cypher_test

import (
	"os"
	"strings"
	"testing"

	"cairn/engine/cypher"
	"cairn/engine/kg"
	"cairn/internal/testing/shared"
)

// benchQueries are over the films of MetaQA, in the words of any Cypher: engine/lab/peers/cypher_in_kuzu.py
// runs the same.
var benchQueries = []struct{ name, text string }{
	{"anchored1", "MATCH (a {name: 'Inception'})-[:directed_by]->(b) RETURN b.name"},
	{"anchored2", "MATCH (a {name: 'Tom Hanks'})<-[:starred_actors]-(f)-[:directed_by]->(d) RETURN DISTINCT d.name"},
	{"anchored3", "MATCH (a {name: 'Inception'})-[:directed_by]->(d)<-[:directed_by]-(f)-[:starred_actors]->(s) RETURN DISTINCT s.name"},
	{"conjunction", "MATCH (f)-[:starred_actors]->(a {name: 'Tom Hanks'}), (f)-[:directed_by]->(d {name: 'Steven Spielberg'}) RETURN f.name"},
	{"negation", "MATCH (f)-[:directed_by]->(d {name: 'Steven Spielberg'}) WHERE NOT EXISTS { MATCH (f)-[:starred_actors]->(a {name: 'Tom Hanks'}) } RETURN f.name"},
	{"top10", "MATCH (f)-[:directed_by]->(d) RETURN d.name, count(*) AS n ORDER BY n DESC, d.name LIMIT 10"},
	{"both", "MATCH (f)-[:directed_by]->(p), (f)-[:written_by]->(p) RETURN count(*)"},
	{"square", "MATCH (f)-[:directed_by]->(d)<-[:directed_by]-(g), (f)-[:starred_actors]->(a)<-[:starred_actors]-(g) WHERE f.name <> g.name RETURN count(*)"},
	{"shortest", "MATCH p = shortestPath((a {name: 'Tom Hanks'})-[*..6]-(b {name: 'Bruce Lee'})) RETURN length(p)"},
}

// metaQA reads the knowledge base, and an index of its names.
func metaQA(tb testing.TB) (*kg.Graph, cypher.Graph) {
	tb.Helper()
	b, err := os.ReadFile(shared.Data(tb, "metaqa/kb.txt"))
	if err != nil {
		tb.Fatal(err)
	}
	var builder kg.Builder
	for line := range strings.Lines(string(b)) {
		if parts := strings.Split(strings.TrimRight(line, "\r\n"), "|"); len(parts) == 3 {
			builder.Add(parts[0], parts[1], parts[2])
		}
	}
	g := builder.Graph()
	names := map[string][]kg.EntityID{}
	for e := range kg.EntityID(g.Entities()) {
		names[g.Label(e)] = append(names[g.Label(e)], e)
	}
	return g, cypher.Over(g, func(name string) []kg.EntityID { return names[name] })
}

// BenchmarkCypher times whole queries: parsed, compiled and run.
func BenchmarkCypher(b *testing.B) {
	_, over := metaQA(b)
	for _, q := range benchQueries {
		b.Run(q.name, func(b *testing.B) {
			rows := 0
			for b.Loop() {
				parsed, err := cypher.Parse(q.text)
				if err != nil {
					b.Fatal(err)
				}
				r, err := cypher.Run(b.Context(), over, parsed, cypher.Options{Rows: 1 << 30})
				if err != nil || r.Late || r.Large {
					b.Fatal(err, r)
				}
				rows = len(r.Rows)
				if rows == 1 && q.name != "anchored1" {
					if n, ok := r.Rows[0].Values[0].(int64); ok {
						rows = int(n)
					}
				}
			}
			b.ReportMetric(float64(rows), "rows")
		})
	}
}
