package rdf_test

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"io"
	"os"
	"testing"

	"cairn/engine/ingest/rdf"
	"cairn/internal/testing/shared"
)

// BenchmarkParse reads schema.org forty times over, as rapper does in docs/benchmarks.md.
func BenchmarkParse(b *testing.B) {
	const copies = 40
	for _, syntax := range []string{"nt", "ttl", "rdf"} {
		b.Run(syntax, func(b *testing.B) {
			f, err := os.Open(shared.Data(b, "schemaorg/schemaorg-current-https."+syntax+".gz"))
			if err != nil {
				b.Fatal(err)
			}
			defer f.Close()
			zipped, err := gzip.NewReader(f)
			if err != nil {
				b.Fatal(err)
			}
			text, err := io.ReadAll(zipped)
			if err != nil {
				b.Fatal(err)
			}
			if syntax != "rdf" { // a document of XML has one root
				text = bytes.Repeat(text, copies)
			}
			b.SetBytes(int64(len(text)))
			b.ReportAllocs()
			statements := 0
			h := rdf.Handler{Statement: func(*rdf.Statement) error { statements++; return nil }}
			for b.Loop() {
				switch syntax {
				case "nt":
					var p rdf.LineParser
					lines := bufio.NewScanner(bytes.NewReader(text))
					lines.Buffer(nil, 1<<20)
					for lines.Scan() {
						if _, ok, err := p.Parse(lines.Bytes()); err != nil {
							b.Fatal(err)
						} else if ok {
							statements++
						}
					}
				case "ttl":
					err = rdf.Turtle(bytes.NewReader(text), false, rdf.Options{}, h)
				default:
					err = rdf.XML(bytes.NewReader(text), rdf.Options{}, h)
				}
				if err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric(float64(statements)/b.Elapsed().Seconds(), "statements/s")
		})
	}
}
