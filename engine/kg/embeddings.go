package kg

import (
	"context"
	"database/sql"
	"encoding/binary"
	"fmt"
	"math"
	"strings"
)

// EmbeddingSet is what the file holds of one embedder's vectors. Sets of several
// embedders lie beside each other and never mix: a vector is found only by the
// id of the embedder that made it.
type EmbeddingSet struct {
	ID    string `json:"id"`    // of the embedder
	Texts int    `json:"texts"` // that have a row
	Blank int    `json:"blank"` // those among them that the embedder had no vector for
	Bytes int64  `json:"bytes"` // of texts and vectors
}

// vectorsAtOnce is how many texts one statement looks up.
const vectorsAtOnce = 256

// unitSlack is how far the length of a unit vector may be from 1 by rounding;
// a row beyond it is damaged.
const unitSlack = 1e-3

// Vectors returns the vectors that a set holds of texts, in order, each of the
// given length: nil for a text that has none, or whose row cannot be right (of
// another length, not finite, neither of unit length nor blank), so that
// whoever asks makes it anew.
func (s *Store) Vectors(ctx context.Context, set string, dims int, texts []string) ([][]float32, error) {
	out := make([][]float32, len(texts))
	for from := 0; from < len(texts); from += vectorsAtOnce {
		to := min(from+vectorsAtOnce, len(texts))
		if err := s.vectors(ctx, set, dims, texts[from:to], out[from:to]); err != nil {
			return nil, fileError("read vectors from", s.path, err)
		}
	}
	return out, nil
}

// vectors looks up the texts of one statement.
func (s *Store) vectors(ctx context.Context, set string, dims int, texts []string, out [][]float32) error {
	at := make(map[string][]int, len(texts))
	args := []any{set}
	for i, text := range texts {
		if at[text] == nil {
			args = append(args, text)
		}
		at[text] = append(at[text], i)
	}
	query := "SELECT text, vector FROM embedding WHERE model = ? AND text IN (?" + strings.Repeat(", ?", len(args)-2) + ")"
	rows, err := s.db.QueryContext(ctx, query, args...)
	if err != nil {
		return err
	}
	defer rows.Close()
	var text string
	var blob sql.RawBytes
	for rows.Next() {
		if err := rows.Scan(&text, &blob); err != nil {
			return err
		}
		if v := decodeVector(blob, dims); v != nil {
			for _, i := range at[text] {
				out[i] = v
			}
		}
	}
	return rows.Err()
}

// decodeVector returns the vector of a row, or nil where it cannot be right.
func decodeVector(blob []byte, dims int) []float32 {
	if len(blob) != 4*dims {
		return nil
	}
	v := make([]float32, dims)
	var sum float64
	for i := range v {
		v[i] = math.Float32frombits(binary.LittleEndian.Uint32(blob[4*i:]))
		sum += float64(v[i]) * float64(v[i])
	}
	if sum != 0 && !(math.Abs(math.Sqrt(sum)-1) <= unitSlack) { // also where it is not a number
		return nil
	}
	return v
}

// PutVectors adds vectors to a set, all of them or none; a text that has one
// gets the new one. Vectors are of unit length, or blank for a text that the
// embedder has none for.
func (s *Store) PutVectors(ctx context.Context, set string, texts []string, vectors [][]float32) error {
	return s.update(ctx, "save vectors in", func(conn *sql.Conn) error {
		in := inserter{ctx: ctx, conn: conn}
		var blob []byte
		in.each(len(texts), func(i int) [][]any {
			blob = blob[:0]
			for _, x := range vectors[i] {
				blob = binary.LittleEndian.AppendUint32(blob, math.Float32bits(x))
			}
			return [][]any{{set, texts[i], blob}}
		}, "INSERT INTO embedding (model, text, vector) VALUES (?, ?, ?) ON CONFLICT DO UPDATE SET vector = excluded.vector")
		return in.err
	})
}

// EmbeddingSets lists the sets that the file holds, by id.
func (s *Store) EmbeddingSets(ctx context.Context) ([]EmbeddingSet, error) {
	const query = `
SELECT model, count(*), sum(vector = zeroblob(length(vector))), sum(length(CAST(text AS BLOB)) + length(vector))
FROM embedding GROUP BY model ORDER BY model`
	return list(ctx, s, "list the vectors of", query, func(rows *sql.Rows, x *EmbeddingSet) error {
		return rows.Scan(&x.ID, &x.Texts, &x.Blank, &x.Bytes)
	})
}

// DeleteEmbeddings forgets the set of one embedder and returns how many texts
// it had. The file keeps its size; the room is used again.
func (s *Store) DeleteEmbeddings(ctx context.Context, set string) (texts int, err error) {
	r, err := s.exec(ctx, "delete vectors from", "DELETE FROM embedding WHERE model = ?", set)
	if err != nil {
		return 0, fmt.Errorf("%s: %w", set, err)
	}
	n, err := r.RowsAffected()
	return int(n), err
}
