package kg_test

import (
	"context"
	"database/sql"
	"os"
	"path/filepath"
	"testing"

	"cairn/engine/internal/pagesum"
	"cairn/engine/kg"
	"cairn/engine/lab/process"
)

// benchGraph returns a graph file for a benchmark: the one that CAIRN_BENCH_GRAPH
// names, without the snapshot beside it, or one with 20,000 entities and 86,000
// triples, some of them of hubs.
func benchGraph(b *testing.B) string {
	b.Helper()
	path := filepath.Join(b.TempDir(), "bench.cairn")
	if name := os.Getenv("CAIRN_BENCH_GRAPH"); name != "" {
		abs, err := filepath.Abs(name)
		if err != nil {
			b.Fatal(err)
		}
		if err := os.Symlink(abs, path); err != nil {
			b.Fatal(err)
		}
		return path
	}
	st, err := kg.OpenStore(b.Context(), path)
	if err != nil {
		b.Fatal(err)
	}
	if err := st.Close(); err != nil {
		b.Fatal(err)
	}
	db, err := sql.Open(pagesum.Driver, "file:"+path+"?"+pagesum.Query(true))
	if err != nil {
		b.Fatal(err)
	}
	defer db.Close()
	const numbers = "WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i + 1 < ?) "
	for _, rows := range []struct {
		insert string
		n      int
	}{
		{"INSERT INTO relation (id, key) SELECT i, 'http://x/relation' || i FROM n", 500},
		{"INSERT INTO type (id, key) SELECT i, 'http://x/type' || i FROM n", 400},
		{"INSERT INTO entity (id, key, label, label_rank) SELECT i, 'http://x/some_name_' || i, 'some name ' || i, 0 FROM n", 20_000},
		{"INSERT INTO entity_type SELECT i, i % 400, -1 FROM n", 20_000},
		{"INSERT INTO triple (id, head, relation, tail, source, line) SELECT i, i * 7919 % 20000, i * 31 % 500, (i * 7717 % 20000) * (i * 7717 % 20000) / 20000, 0, i FROM n", 86_000},
	} {
		if _, err := db.ExecContext(b.Context(), numbers+rows.insert, rows.n); err != nil {
			b.Fatal(err)
		}
	}
	return path
}

// BenchmarkSnapshotMake measures reading a graph out of the tables into its
// snapshot. peak-MiB is the most memory that the process had, mapped files included,
// of which there is one more with each round: read it off with -benchtime 1x.
func BenchmarkSnapshotMake(b *testing.B) {
	path := benchGraph(b)
	for b.Loop() {
		if err := os.RemoveAll(path + ".d"); err != nil {
			b.Fatal(err)
		}
		openBench(b, path)
	}
	reportPeak(b)
}

// BenchmarkSnapshotOpen measures opening a snapshot that is in the system's cache,
// with all that is checked of it.
func BenchmarkSnapshotOpen(b *testing.B) {
	path := benchGraph(b)
	openBench(b, path)
	b.ResetTimer()
	for b.Loop() {
		openBench(b, path)
	}
	reportPeak(b)
}

// openBench opens a graph in a store of its own, which would keep a mapped one.
func openBench(b *testing.B, path string) {
	b.Helper()
	st, err := kg.OpenStore(context.WithoutCancel(b.Context()), path)
	if err != nil {
		b.Fatal(err)
	}
	defer st.Close()
	g, err := st.Graph(b.Context(), nil)
	if err != nil {
		b.Fatal(err)
	}
	b.ReportMetric(float64(g.Triples()), "triples")
}

// reportPeak reports the most memory that the process had, where the system tells.
func reportPeak(b *testing.B) {
	b.Helper()
	if peak := process.ReadMemory().Peak; peak > 0 {
		b.ReportMetric(float64(peak)/(1<<20), "peak-MiB")
	}
}
