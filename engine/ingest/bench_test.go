package ingest_test

import (
	"path/filepath"
	"runtime"
	"testing"

	"cairn/engine/ingest"
	"cairn/engine/internal/shared"
	"cairn/engine/kg"
)

// benchmarkImport measures a file into SQLite and the snapshot beside it.
func benchmarkImport(b *testing.B, file string) {
	b.Helper()
	path := shared.Data(b, file)
	b.ReportAllocs()
	var triples int64
	for b.Loop() {
		st, err := kg.OpenStore(b.Context(), filepath.Join(b.TempDir(), "bench.cairn"))
		if err != nil {
			b.Fatal(err)
		}
		r, err := ingest.File(b.Context(), st, path, ingest.Options{}, nil)
		if err != nil {
			b.Fatal(err)
		}
		if _, err := st.Graph(b.Context(), nil); err != nil {
			b.Fatal(err)
		}
		triples += r.Added
		if err := st.Close(); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(triples)/b.Elapsed().Seconds(), "triples/s")
	b.ReportMetric(0, "ns/op") // the rate is the figure
}

func BenchmarkImportMetaQA(b *testing.B)   { benchmarkImport(b, "metaqa/kb.txt") }
func BenchmarkImportFB15k237(b *testing.B) { benchmarkImport(b, "fb15k-237/train.tsv.gz") }
func BenchmarkImportSchemaOrg(b *testing.B) {
	benchmarkImport(b, "schemaorg/schemaorg-current-https.nt.gz")
}

// BenchmarkOpen measures opening a graph of MetaQA's size from its snapshot.
func BenchmarkOpen(b *testing.B) {
	path := filepath.Join(b.TempDir(), "bench.cairn")
	st, err := kg.OpenStore(b.Context(), path)
	if err != nil {
		b.Fatal(err)
	}
	if _, err := ingest.File(b.Context(), st, shared.Data(b, "metaqa/kb.txt"), ingest.Options{}, nil); err != nil {
		b.Fatal(err)
	}
	if _, err := st.Graph(b.Context(), nil); err != nil {
		b.Fatal(err)
	}
	if err := st.Close(); err != nil {
		b.Fatal(err)
	}
	runtime.GC()
	for b.Loop() {
		st, err := kg.OpenStore(b.Context(), path)
		if err != nil {
			b.Fatal(err)
		}
		if _, err := st.Graph(b.Context(), nil); err != nil {
			b.Fatal(err)
		}
		if err := st.Close(); err != nil {
			b.Fatal(err)
		}
	}
}
