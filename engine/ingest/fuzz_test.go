package ingest_test

import (
	"bytes"
	"path/filepath"
	"strings"
	"testing"

	"cairn/engine/ingest"
	"cairn/engine/kg"
)

// fuzzImport imports data twice: nothing panics, the counts add up, the second
// time adds nothing, and the graph has what the first report says. A triple may be there
// already, and what is new be another statement of it.
func fuzzImport(f *testing.F, options func(data []byte) ingest.Options) {
	f.Helper()
	dir := f.TempDir()
	n := 0
	f.Fuzz(func(t *testing.T, data []byte) {
		n++
		st, err := kg.OpenStore(t.Context(), filepath.Join(dir, "fuzz"+strings.Repeat("x", n%3)+kg.Ext))
		if err != nil {
			t.Fatal(err)
		}
		defer st.Close()
		before, statementsBefore := counts(graph(t, st))
		o := options(data)
		r, err := ingest.Stream(t.Context(), st, "fuzz", bytes.NewReader(data), int64(len(data)), o, nil)
		if e := r.Check(); e != nil {
			t.Error(e)
		}
		if err != nil {
			return
		}
		triples, statements := counts(graph(t, st))
		triples -= before
		if most := triples + statements - statementsBefore; r.Added < triples || r.Added > most {
			t.Errorf("%d triples came in and %d statements with properties, the report says %d", triples, most-triples, r.Added)
		}
		again, err := ingest.Stream(t.Context(), st, "fuzz", bytes.NewReader(data), int64(len(data)), o, nil)
		if err != nil || again.Added != 0 || again.Read != r.Read || again.Rejected != r.Rejected {
			t.Errorf("again: %v, %v; at first %v", again, err, r)
		}
	})
}

// counts counts the triples of a graph, and the statements that have properties.
func counts(g *kg.Graph) (triples, statements int64) {
	for i := range g.Triples() {
		for range g.Statements(kg.TripleID(i)) {
			statements++
		}
	}
	return int64(g.Triples()), statements
}

func FuzzImport(f *testing.F) {
	for _, s := range []string{"", "a|r|b\n", "head,relation,tail\n\"a\"\"\n\",b,c\n", "id\tlabel\n1\tx\n", "\x1f\x8b", "\xff\xfea\x00", "a;b;c\rd;e;f\r", "{", "<a:b> <a:c> \"d\"@en .\n"} {
		f.Add([]byte(s))
	}
	fuzzImport(f, func([]byte) ingest.Options { return ingest.Options{} })
}

func FuzzDelimited(f *testing.F) {
	for _, s := range []string{"a,r,b\n", "\"a,r\n\",b,c\nd,e,\"f\n", "x,y,\"z\"\"\"\n\"", "a,r,b\n\xff,r,b\n,,\n"} {
		f.Add([]byte(s))
	}
	fuzzImport(f, func(data []byte) ingest.Options {
		return ingest.Options{Kind: ingest.Delimited, Delimiter: rune(",\t|;"[len(data)%4]), MaxLine: 1 << 10, BatchSize: 1}
	})
}

func FuzzNTriples(f *testing.F) {
	for _, s := range []string{
		"<a:b> <a:c> <a:d> .\n", "_:x <http://www.w3.org/2000/01/rdf-schema#label> \"x\\u0041\"@en-US . # c\n",
		"<a:b> <http://www.w3.org/1999/02/22-rdf-syntax-ns#type> _:y .\r\n", "<a:b> <a:c> \"1\"^^<a:d> .", "<a:\\u00e9> <a:c> \"\\\"",
	} {
		f.Add([]byte(s))
	}
	fuzzImport(f, func([]byte) ingest.Options { return ingest.Options{Kind: ingest.NTriples} })
}

func FuzzLabels(f *testing.F) {
	f.Add([]byte("id\tlabel\na\tb\n"))
	f.Add([]byte("a\tx\nb\ty\n"))
	fuzzImport(f, func([]byte) ingest.Options { return ingest.Options{Kind: ingest.Labels} })
}
