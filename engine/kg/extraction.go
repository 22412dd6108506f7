package kg

import (
	"database/sql"
)

// Extraction is how a model read a triple out of a text.
type Extraction struct {
	Model  string `json:"model"`
	Digest string `json:"digest,omitempty"` // of the model's weights; empty where the server did not tell
	// Start and End are byte offsets in the document; Quote is what stands there.
	Start int64  `json:"start"`
	End   int64  `json:"end"`
	Quote string `json:"quote"`
}

// Span is a place of a document that says something.
type Span struct {
	Start int64  `json:"start"` // byte offsets in the document
	End   int64  `json:"end"`
	Line  int64  `json:"line"`  // of Start, from 1
	Quote string `json:"quote"` // what stands there
	// Doubt says why the place may not say it after all, such as a negation;
	// empty for no doubt.
	Doubt  string `json:"doubt,omitempty"`
	Digest string `json:"digest,omitempty"` // of the weights of the model that found it
}

// pendingExtraction is a place where a text says a triple.
type pendingExtraction struct {
	triple TripleID
	span   Span
}

// pendingAddition is a statement that has become a triple.
type pendingAddition struct {
	statement int64
	triple    TripleID
}

// AddExtracted adds the triple that a statement says, with the places where its
// document says so, and reports whether it is new. The layer must have a Model.
// With the next commit the statement is StatementAdded.
func (w *Writer) AddExtracted(t Triple, statement int64, spans []Span) bool {
	w.line = 0
	added := w.Add(t, FileItself)
	id, _ := w.triples.find(t)
	for _, s := range spans {
		w.batch.extractions = append(w.batch.extractions, pendingExtraction{id, s})
	}
	w.batch.additions = append(w.batch.additions, pendingAddition{statement, id})
	return added
}

// writeExtractions writes where texts say triples, and which statements are in.
func (b *batch) writeExtractions(in *inserter, layer int64) {
	in.rows("INSERT OR IGNORE INTO extraction (triple, source, start, stop, line, quote, digest)", len(b.extractions), func(row []any, i int) {
		x := &b.extractions[i]
		row[0], row[1], row[2], row[3] = int64(x.triple), layer, x.span.Start, x.span.End
		row[4], row[5], row[6] = x.span.Line, x.span.Quote, x.span.Digest
	})
	in.each(len(b.additions), func(i int) [][]any {
		return [][]any{{int64(StatementAdded), int64(b.additions[i].triple), b.additions[i].statement}}
	}, "UPDATE statement SET state = ?, triple = ? WHERE id = ?")
}

// extracted reads which triples no file of triples vouches for: those of layers
// that a model read, without a place in any other layer.
func (s *scanner) extracted() error {
	return s.each(`
		SELECT DISTINCT x.triple FROM extraction AS x
		JOIN triple AS t ON t.id = x.triple JOIN source AS s ON s.id = t.source
		WHERE (s.model <> '' OR s.off <> 0) AND NOT EXISTS (
			SELECT 1 FROM provenance AS p JOIN source AS o ON o.id = p.source WHERE p.triple = x.triple AND o.model = '' AND o.off = 0)`,
		func(rows *sql.Rows) error {
			var t int64
			if err := rows.Scan(&t); err != nil {
				return err
			}
			if err := within("extracted triple", t, len(s.g.triples)); err != nil {
				return err
			}
			s.g.setExtracted(TripleID(t))
			return nil
		})
}

// setExtracted marks a triple. The marks are made with the first of them, since
// most graphs have none.
func (g *Graph) setExtracted(t TripleID) {
	if g.extracted == nil {
		g.extracted = make([]uint64, (len(g.triples)+63)/64)
	}
	g.extracted[t/64] |= 1 << (t % 64)
}

// Extracted reports whether all that vouches for a triple is a model that read
// it out of a text.
func (g *Graph) Extracted(t TripleID) bool {
	return len(g.extracted) > 0 && g.extracted[t/64]>>(t%64)&1 != 0
}

// HasExtracted reports whether Extracted is true of any triple.
func (g *Graph) HasExtracted() bool { return len(g.extracted) > 0 }
