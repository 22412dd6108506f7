package extract

import (
	"path/filepath"
	"testing"

	"cairn/engine/kg"
)

// BenchmarkRun reads a text of 100 kB with a model that replies at once: what is
// measured is everything but the model.
func BenchmarkRun(b *testing.B) {
	text := towns(4000)[:100_000]
	d := doc(b, "towns.txt", text)
	var got kg.Document
	for b.Loop() {
		st, err := kg.OpenStore(b.Context(), filepath.Join(b.TempDir(), "x.cairn"))
		if err != nil {
			b.Fatal(err)
		}
		if got, err = NewExtractor(townsModel(0), world(), Options{}).Run(b.Context(), st, d, nil); err != nil {
			b.Fatal(err)
		}
		if err := st.Close(); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(got.Chunks), "parts")
	b.ReportMetric(float64(got.Statements[kg.StatementProposed]), "statements")
	b.ReportMetric(float64(got.Chunks)*float64(b.N)/b.Elapsed().Seconds(), "parts/s")
}

// BenchmarkCheck compares one triple with a part of a text.
func BenchmarkCheck(b *testing.B) {
	d := doc(b, "towns.txt", towns(3000))
	cs := d.chunks(600)
	c := newChecker(d, span{int(cs[0].Start), int(cs[0].End)}, &reply{}, "")
	t := saidTriple{"Town7", "lies on", "R0", "Town7 lies on the river R0."}
	for b.Loop() {
		if x := c.check(&t); x.State != kg.StatementProposed {
			b.Fatalf("%+v", x)
		}
	}
}
