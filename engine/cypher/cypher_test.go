package cypher_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"cairn/engine/cypher"
	"cairn/engine/kg"
)

// films is a small knowledge graph.
func films() *kg.Graph {
	var b kg.Builder
	b.Add("jaws", "directed_by", "steven")
	b.Add("duel", "directed_by", "steven")
	b.Add("alien", "directed_by", "ridley")
	b.Add("jaws", "year", "1975")
	b.Add("duel", "year", "1971")
	b.Add("jaws", "length", "124 min")
	b.AddStatement("jaws", "seen_in", "boston", kg.Property{Name: "since", Value: "1980", Entity: kg.NoEntity})
	b.AddStatement("jaws", "seen_in", "boston", kg.Property{Name: "since", Value: "1990", Entity: kg.NoEntity})
	b.SetLabel(b.Entity("jaws"), "Jaws")
	b.SetLabel(b.Entity("steven"), "Steven Spielberg")
	for _, f := range []string{"jaws", "duel", "alien"} {
		b.AddType(b.Entity(f), "Feature Film")
	}
	return b.Graph()
}

// named finds entities of a graph by their labels.
func named(g *kg.Graph) func(string) []kg.EntityID {
	return func(name string) (es []kg.EntityID) {
		for e := range kg.EntityID(g.Entities()) {
			if g.Label(e) == name {
				es = append(es, e)
			}
		}
		return es
	}
}

// answer runs a query and writes its rows.
func answer(t *testing.T, g *kg.Graph, text string, o cypher.Options) ([]string, *cypher.Result) {
	t.Helper()
	q, err := cypher.Parse(text)
	if err != nil {
		t.Fatal(err)
	}
	r, err := cypher.Run(t.Context(), cypher.Over(g, named(g)), q, o)
	if err != nil {
		t.Fatal(err)
	}
	var rows []string
	for _, row := range r.Rows {
		var cells []string
		for _, v := range row.Values {
			if n, ok := v.(cypher.Node); ok {
				v = "(" + g.Label(kg.EntityID(n)) + ")"
			}
			cells = append(cells, cypher.Text(v))
		}
		rows = append(rows, strings.Join(cells, " "))
	}
	return rows, r
}

// TestOverKnowledgeGraph: entities are nodes, values properties, statements relationships.
func TestOverKnowledgeGraph(t *testing.T) {
	g := films()
	tests := []struct {
		query string
		want  []string
	}{
		{"MATCH (f:`Feature Film`) RETURN f.name ORDER BY f.name", []string{"'Jaws'", "'alien'", "'duel'"}},
		{"MATCH (f:FeatureFilm {name: 'Jaws'})-[:DIRECTED_BY]->(d) RETURN d", []string{"'(Steven Spielberg)'"}},
		{"MATCH (f)-[r]->(d {name: 'Steven Spielberg'}) WHERE f.year < 1974 RETURN f.name, type(r)", []string{"'duel' 'directed_by'"}},
		{"MATCH (f)-[:year]->(y) WHERE y >= 1972 RETURN f.name", []string{"'Jaws'"}},
		{"MATCH (f)-[:year]->(y) WHERE 1971 = y RETURN f.name, y", []string{"'duel' '(1971)'"}},
		{"MATCH (f)-[:year]->(y)<-[:year]-(f) WHERE y = y RETURN f.name", nil},
		{"MATCH (f)-[:directed_by]->(d) WHERE d > 5 RETURN f", nil},
		{"MATCH (f {name: 'Jaws'}) RETURN f.year + 1, f.length, f.nothing, f.key", []string{"1976 '124 min' null 'jaws'"}},
		{"MATCH ({name: 'Jaws'})-[r:seen_in]->() WHERE r.since > 1985 RETURN r.since", []string{"1990"}},
		{"MATCH ({name: 'Jaws'})-[r:`seen in`]->() RETURN count(r)", []string{"2"}},
		{"MATCH (f)-[:directedBy]->(d) RETURN d, count(*) AS n, min(f.year) ORDER BY n DESC", []string{"'(Steven Spielberg)' 2 1971", "'(ridley)' 1 null"}},
		{"MATCH (a {name: 'Jaws'})-[:directed_by*2]-(b) RETURN b", []string{"'(duel)'"}},
		{"MATCH (f:FeatureFilm) WHERE NOT (f)-->({name: 'Steven Spielberg'}) RETURN f.name", []string{"'alien'"}},
		{"MATCH (f {name: 'Jaws'}) RETURN keys(f), labels(f)", []string{"['length', 'name', 'year'] ['Feature Film']"}},
		{"UNWIND $names AS n MATCH (f {name: n}) RETURN f.key", []string{"'jaws'", "'duel'"}},
	}
	for _, tt := range tests {
		got, _ := answer(t, g, tt.query, cypher.Options{Params: map[string]any{"names": cypher.List{"Jaws", "none", "duel"}}})
		if diff := cmp.Diff(tt.want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", tt.query, diff)
		}
	}
}

// TestEvidence: rows know the relationships that they rest on, of conditions and
// properties too, also where rows are grouped.
func TestEvidence(t *testing.T) {
	g := films()
	tests := []struct {
		query string
		want  [][]string
	}{
		{"MATCH (f)-[:directed_by]->(d) WHERE f.year = 1975 RETURN d", [][]string{{"jaws directed_by steven", "jaws year 1975"}}},
		{"MATCH (f)-[:directed_by]->(d) RETURN d, count(*) AS n ORDER BY n DESC LIMIT 1", [][]string{{"duel directed_by steven", "jaws directed_by steven"}}},
		{"MATCH (f)-[:directed_by]->(d) RETURN DISTINCT d", [][]string{{"duel directed_by steven", "jaws directed_by steven"}, {"alien directed_by ridley"}}},
		{"MATCH (d {name: 'ridley'}) WHERE exists { (d)<-[:directed_by]-() } RETURN d", [][]string{{"alien directed_by ridley"}}},
		{"MATCH (d {name: 'ridley'}) WHERE NOT exists { (d)-->() } RETURN d", [][]string{nil}},
		{"MATCH p = ({name: 'Jaws'})-[*2]-({name: 'duel'}) RETURN length(p)", [][]string{{"duel directed_by steven", "jaws directed_by steven"}}},
		{"MATCH ({name: 'Jaws'})-[*2]-(f {name: 'duel'}) RETURN f", [][]string{{"duel directed_by steven", "jaws directed_by steven"}}},
		{"MATCH (f)-[:directed_by]->(d) MATCH (f)-[:year]->(y) RETURN f, y ORDER BY y.name", [][]string{
			{"duel directed_by steven", "duel year 1971"}, {"jaws directed_by steven", "jaws year 1975"},
		}},
		{"MATCH (f)-[:year]->(y) MATCH (f)-[:directed_by]->(d) RETURN d, max(y.name), min(f.length)", [][]string{
			{"duel directed_by steven", "duel year 1971", "jaws directed_by steven", "jaws length 124 min", "jaws year 1975"},
		}},
		{"MATCH (f)-[:directed_by]->(d) WITH d, f.year AS y WHERE y > 1971 MATCH (d)<-[:directed_by]-(g) RETURN DISTINCT g ORDER BY g.name", [][]string{
			{"jaws directed_by steven", "jaws year 1975"}, {"duel directed_by steven", "jaws directed_by steven", "jaws year 1975"},
		}},
		{"MATCH (d {name: 'Steven Spielberg'}) RETURN [(d)<-[:directed_by]-(f) WHERE f.length IS NOT NULL | f.year]", [][]string{
			{"jaws directed_by steven", "jaws length 124 min", "jaws year 1975"},
		}},
		{"MATCH (f)-[:year]->() RETURN f UNION MATCH (f)-[:length]->() RETURN f", [][]string{{"jaws length 124 min", "jaws year 1975"}, {"duel year 1971"}}},
		{"MATCH (f:`Feature Film`) OPTIONAL MATCH (f)-[:year]->(y) WHERE f.length IS NOT NULL RETURN f, y", [][]string{{"jaws length 124 min", "jaws year 1975"}, nil, nil}},
		{"MATCH (f)-[r:directed_by]->(d) WHERE exists { (f)-[:year]->() } WITH f, d, r ORDER BY f.name DESC LIMIT 1 RETURN f", [][]string{{"duel directed_by steven", "duel year 1971"}}},
	}
	for _, tt := range tests {
		_, r := answer(t, g, tt.query, cypher.Options{})
		var got [][]string
		for _, row := range r.Rows {
			var triples []string
			for _, rel := range row.Rels {
				x := g.Triple(cypher.Triple(rel))
				triples = append(triples, g.Key(x.Head)+" "+g.RelationKey(x.Relation)+" "+g.Key(x.Tail))
			}
			slices.Sort(triples)
			got = append(got, triples)
		}
		if diff := cmp.Diff(tt.want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", tt.query, diff)
		}
	}
}

// TestErrorsSayWhereAndWhy: bad queries have a place and a reason that helps.
func TestErrorsSayWhereAndWhy(t *testing.T) {
	g := films()
	tests := []struct{ query, want string }{
		{"MATCH (n RETURN n", "line 1, column 10: expected “)”, found “RETURN”"},
		{"MATCH (film)\nRETURN flim", "line 2, column 8: flim is not defined; did you mean film?"},
		{"MATCH (n) DELETE n", "line 1, column 11: DELETE is not supported: queries are read-only. Use MATCH, OPTIONAL MATCH, UNWIND, WITH and RETURN"},
		{"CREATE (n)", "line 1, column 1: CREATE is not supported: queries are read-only. Use MATCH, OPTIONAL MATCH, UNWIND, WITH and RETURN"},
		{"RETURN 'abc", "line 1, column 8: a string that begins with ' is not closed"},
		{"RETURN toUper('x')", "line 1, column 8: there is no function touper; did you mean toupper?"},
		{"RETURN dat('2020-01-01')", "line 1, column 8: there is no function dat; did you mean date?"},
		{"RETURN foo('x')", "line 1, column 8: there is no function foo"},
		{"MATCH (n) WHERE n.name STARTS AT 'A' RETURN n", "line 1, column 31: expected “WITH”, found “AT”"},
		{"MATCH (n) WHERE n.name IS NUL RETURN n", "line 1, column 27: expected “NULL”, found “NUL”"},
		{"RETURN $x", "line 1, column 8: the parameter $x has no value"},
		{"MATCH (n) RETURN n.year =~ '['", "line 1, column 28: \"[\" is not a regular expression: missing closing ]: `[)$`"},
		{"MATCH (n)", "line 1, column 10: a query ends with RETURN; found the end"},
		{"RETURN 1 % 0", "a number cannot be divided by 0"},
		{"", "line 1, column 1: expected MATCH, OPTIONAL MATCH, UNWIND, WITH or RETURN, found the end"},
		{"RETURN " + strings.Repeat("(", 500) + "1", "line 1, column 108: this is nested more than 200 levels deep"},
	}
	for _, tt := range tests {
		q, err := cypher.Parse(tt.query)
		if err == nil {
			_, err = cypher.Run(t.Context(), cypher.Over(g, nil), q, cypher.Options{})
		}
		if err == nil || err.Error() != tt.want {
			t.Errorf("%.60s: %v; want %s", tt.query, err, tt.want)
		}
	}
}

// TestNotesSayWhatIsNotThere: names that the graph does not have make no error, since
// Cypher finds nothing then, but a remark.
func TestNotesSayWhatIsNotThere(t *testing.T) {
	tests := []struct {
		query string
		want  []string
	}{
		{"MATCH (f:FeatureFilms) RETURN f", []string{"Nothing has the label FeatureFilms; did you mean `Feature Film`?"}},
		{"MATCH (f)-[:directd_by]->() RETURN f", []string{"No relationship has the type directd_by; did you mean directed_by?"}},
		{"MATCH (f) WHERE f.yearr > 1 RETURN f", []string{"Nothing has the property yearr; did you mean year?"}},
		{"MATCH (f) WHERE f.directed_by = 'ridley' RETURN f", []string{"directed_by is a relationship, not a property: use (n)-[:directed_by]->(m)."}},
		{"MATCH (f), (g) RETURN count(*)", []string{"The pattern has unconnected parts, so every match of one is combined with every match of the others."}},
		{"MATCH (f)-->(g) RETURN f.name", nil},
	}
	for _, tt := range tests {
		_, r := answer(t, films(), tt.query, cypher.Options{})
		if diff := cmp.Diff(tt.want, r.Notes); diff != "" {
			t.Errorf("%s (-want +got):\n%s", tt.query, diff)
		}
	}
}

// TestLimits: what runs too long is cut and says so; what is cancelled is an error.
func TestLimits(t *testing.T) {
	var b kg.Builder
	for i := range 12 {
		for j := range 12 {
			b.Add(fmt.Sprint("n", i), "r", fmt.Sprint("n", j))
		}
	}
	g := b.Graph()
	all := "MATCH (a)-[:r*]->(b) RETURN a, b"
	_, r := answer(t, g, all, cypher.Options{Work: 10_000, Rows: 1 << 30})
	if !r.Large || len(r.Rows) == 0 || len(r.Notes) != 1 || !strings.Contains(r.Notes[0], "set a maximum length") {
		t.Errorf("all paths: %d rows, large %v, notes %q; want some, true and what to do", len(r.Rows), r.Large, r.Notes)
	}
	_, r = answer(t, g, all, cypher.Options{Rows: 5})
	if !r.More || len(r.Rows) != 5 || r.Notes != nil {
		t.Errorf("five rows: %d, more %v", len(r.Rows), r.More)
	}
	_, r = answer(t, g, "MATCH (a)-[:r*]->(b) WITH DISTINCT a, b ORDER BY a.name RETURN a, b", cypher.Options{Held: 3})
	if !r.Large {
		t.Error("rows that are held have no limit")
	}
	if got, _ := answer(t, g, "MATCH (a {name: 'n0'}), (b {name: 'n1'}) WHERE exists { (a)-[*]->(b) } RETURN count(*)", cypher.Options{Work: 1000}); !slices.Equal(got, []string{"1"}) {
		t.Errorf("whether there is a path: %v", got)
	}
	const short = "MATCH p = shortestPath((a)-[:r*]->(b)) RETURN p LIMIT 2"
	if got, r := answer(t, g, short, cypher.Options{Work: 200}); len(got) != 2 || r.Large {
		t.Errorf("two shortest paths: %d rows, large %v: the search goes on", len(got), r.Large)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	q, err := cypher.Parse(all)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := cypher.Run(ctx, cypher.Over(g, nil), q, cypher.Options{}); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
}

// FuzzRun: whatever the text is, it is an error or a result.
func FuzzRun(f *testing.F) {
	for _, text := range []string{
		"MATCH (a)-[r:directed_by*1..3]-(b) WHERE a.year > 1 AND NOT (a)--(b) RETURN a.name AS n, count(*) ORDER BY n SKIP 1 LIMIT 2",
		"UNWIND [1, 2.5, 'x', null, {a: [1]}] AS x WITH x WHERE x IS NOT NULL RETURN DISTINCT x[0..1], x.a UNION ALL RETURN 1, 2",
		"OPTIONAL MATCH p = shortestPath((a)-[*]-(b)) RETURN [n IN nodes(p) WHERE n.name =~ 'J.*' | n.name], CASE WHEN 1 < 2 <= 3 THEN 'a' ELSE 'b' END",
		"RETURN reduce(s = 0, x IN range(1, 3) | s + x), all(x IN [1] WHERE x > 0), exists { MATCH (a) RETURN a }, 0x1F, .5e3, 'a\\u0041', `x`",
		"RETURN date('2015-W30-2') + duration({months: 99999999999, days: -1.5}) AS d, duration.between(datetime(), localtime('2140')).hours, date.truncate('week', date({year: -9999, quarter: 2}), {dayOfWeek: 3})",
		"MATCH (n) WHERE n.year < date('1975-06-01') RETURN datetime({date: date(n.year), timezone: '-02:05:07'}) ORDER BY duration('P1.5M') * 2",
	} {
		f.Add(text)
	}
	g := cypher.Over(films(), nil)
	f.Fuzz(func(t *testing.T, text string) {
		q, err := cypher.Parse(text)
		if err == nil {
			_, err = cypher.Run(t.Context(), g, q, cypher.Options{Work: 20_000, Held: 2000})
		}
		if _, ok := errors.AsType[*cypher.Error](err); err != nil && !ok {
			t.Errorf("%q: %v", text, err)
		}
	})
}
