package synth_test

import (
	"os"
	"path/filepath"
	"testing"

	"cairn/engine/ingest"
	"cairn/engine/kg"
	"cairn/engine/lab/synth"
)

// TestCairnReadsTheWorld imports a world as a user would and asks the graph for
// what every query was cut from.
func TestCairnReadsTheWorld(t *testing.T) {
	w, err := synth.New(synth.Options{Entities: 5_000, Edges: 20_000, Seed: 4})
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	path := filepath.Join(dir, "world.nt.gz")
	f, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	census, err := w.WriteNTriples(t.Context(), f, nil)
	if err != nil {
		t.Fatal(err)
	}
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
	st, err := kg.OpenStore(t.Context(), filepath.Join(dir, "world.cairn"))
	if err != nil {
		t.Fatal(err)
	}
	defer func() {
		if err := st.Close(); err != nil {
			t.Error(err)
		}
	}()
	r, err := ingest.File(t.Context(), st, path, ingest.Options{}, nil)
	if err != nil {
		t.Fatal(err)
	}
	subjects, types := int64(w.Subjects()), int64(len(census.Types))
	if r.Rejected != 0 || r.Duplicate != 0 || r.Read != int64(census.Lines) || r.Added != 20_000+subjects || r.Named != subjects+types {
		t.Errorf("imported %+v, want %d lines, %d triples, %d names", r, census.Lines, 20_000+subjects, subjects+types)
	}
	g, err := st.Graph(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	if want := census.Entities + len(census.Types); g.Entities() != want {
		t.Errorf("the graph has %d entities, want %d", g.Entities(), want)
	}
	byKey := map[string]kg.EntityID{}
	for e := range g.Entities() {
		byKey[g.Key(kg.EntityID(e))] = kg.EntityID(e)
	}
	queries, err := w.Queries(t.Context(), 100)
	if err != nil {
		t.Fatal(err)
	}
	for _, q := range queries {
		checkQuery(t, g, byKey, &q)
	}
}

// checkQuery looks for the nodes and edges of a query in the graph.
func checkQuery(t *testing.T, g *kg.Graph, byKey map[string]kg.EntityID, q *synth.Query) {
	t.Helper()
	triples := map[[3]string]bool{}
	for _, n := range q.Nodes {
		e, ok := byKey[n.Key]
		if !ok {
			t.Errorf("query %d: the graph has no entity %s", q.ID, n.Key)
			return
		}
		if got := g.Label(e); got != n.Label {
			t.Errorf("query %d: label %q of %s, want %q", q.ID, got, n.Key, n.Label)
		}
		for _, edge := range g.Out(e) {
			triples[[3]string{n.Key, g.RelationKey(edge.Relation), g.Key(edge.Entity)}] = true
		}
	}
	for _, e := range q.Edges {
		if k := [3]string{q.Nodes[e.From].Key, e.Relation, q.Nodes[e.To].Key}; !triples[k] {
			t.Errorf("query %d: the graph has no triple %v", q.ID, k)
		}
	}
}
