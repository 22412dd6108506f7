package ingest_test

import (
	"os"
	"path/filepath"
	"runtime"
	"testing"

	"cairn/engine/ingest"
	"cairn/engine/kg"
	"cairn/engine/lab/synth"
	"cairn/internal/testing/shared"
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

// BenchmarkImportNTriples measures a made-up graph like DBpedia, of 50,000 entities,
// into the store alone: as imports of this size are, and as those of millions of
// entities are, which end with sorting the keys.
func BenchmarkImportNTriples(b *testing.B) {
	path := filepath.Join(b.TempDir(), "world.nt.gz")
	w, err := synth.New(synth.Options{Entities: 50_000, Seed: 1})
	if err != nil {
		b.Fatal(err)
	}
	out, err := os.Create(path)
	if err != nil {
		b.Fatal(err)
	}
	if _, err = w.WriteNTriples(b.Context(), out, nil); err != nil {
		b.Fatal(err)
	}
	if err := out.Close(); err != nil {
		b.Fatal(err)
	}
	for _, c := range []struct {
		name  string
		large int
	}{{"small", 1 << 30}, {"large", 1000}} {
		b.Run(c.name, func(b *testing.B) {
			b.ReportAllocs()
			var statements int64
			for b.Loop() {
				st, err := kg.OpenStore(b.Context(), filepath.Join(b.TempDir(), "bench.cairn"))
				if err != nil {
					b.Fatal(err)
				}
				st.SetLargeImport(c.large)
				r, err := ingest.File(b.Context(), st, path, ingest.Options{}, nil)
				if err != nil {
					b.Fatal(err)
				}
				statements += r.Read
				if err := st.Close(); err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric(float64(statements)/b.Elapsed().Seconds(), "statements/s")
			b.ReportMetric(0, "ns/op") // the rate is the figure
		})
	}
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
