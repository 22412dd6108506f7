package app

import (
	"context"
	"fmt"
	"io"
	"os"
	"strings"

	"cairn/app/present"
	"cairn/engine"
	"cairn/engine/extract"
	"cairn/engine/ingest"
	"cairn/engine/kg"
)

// textReader is what the window needs of a graph to take in what a model reads
// in texts. Its methods may be called while others run.
type textReader interface {
	// ReadTexts has the graph's model read texts. Parts that were read before are
	// not read again, so that it goes on where it was stopped.
	ReadTexts(ctx context.Context, files []string, ev *engine.Events) (engine.ExtractReport, error)
	// Extractions are the texts that were read, or begun, the oldest first.
	Extractions(ctx context.Context) ([]kg.Document, error)
	// Statements are what a text says; Proposals what its names may mean.
	Statements(ctx context.Context, document int64) ([]kg.Statement, error)
	Proposals(ctx context.Context, document int64) ([]extract.Proposal, error)
	// Decide keeps what the user decided.
	Decide(ctx context.Context, document int64, d engine.Decisions) error
	// AddExtracted adds what was accepted, and reads the graph anew.
	AddExtracted(ctx context.Context, document int64, ev *engine.Events) (extract.Added, error)
	ForgetExtraction(ctx context.Context, document int64) error
}

func (g *engineGraph) ReadTexts(ctx context.Context, files []string, ev *engine.Events) (engine.ExtractReport, error) {
	return g.Extract(ctx, files, g.Model(), engine.ExtractOptions{}, ev)
}

// passage is a place of a text with what stands round it.
type passage struct{ before, place, after string }

// readPassage reads the passage round a place of a file: where the file is not
// there any more, or another one, the place alone as it was noted.
func readPassage(path string, r present.StatementRow) passage {
	const (
		radius  = 240     // bytes on either side
		longest = 1 << 16 // bytes; only a damaged file has longer places
	)
	alone := passage{place: r.Quote}
	f, err := os.Open(path)
	if err != nil {
		return alone
	}
	defer f.Close()
	from := max(r.Start-2*radius, 0)
	if r.End < from || r.End-from > longest {
		return alone
	}
	b := make([]byte, r.End-from+2*radius)
	n, err := f.ReadAt(b, from)
	if err != nil && n == 0 {
		return alone
	}
	before, place, after, ok := present.Around(string(b[:n]), r.Start-from, r.End-from, radius)
	if !ok || place != r.Quote {
		return alone
	}
	return passage{before, place, after}
}

// readsAsProse reports whether a file is a text rather than a list of triples.
func readsAsProse(path string) bool {
	const enough = 8 << 10 // bytes
	f, err := os.Open(path)
	if err != nil {
		return false
	}
	defer f.Close()
	b, err := io.ReadAll(io.LimitReader(f, enough))
	return err == nil && ingest.Prose(path, b)
}

// readingText says how far reading texts has come.
func readingText(task string, done, total int64) string {
	if total <= 0 {
		return present.Sentence(task)
	}
	return fmt.Sprintf("%s: %s of %s", strings.TrimSuffix(present.Sentence(task), "."), present.Count(done), present.Plural(total, "part", "parts"))
}
