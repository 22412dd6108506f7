package index

import (
	"context"
	"fmt"
	"math"

	"cairn/engine/vec"
	"cairn/internal/guard"
)

// Scan is the exact index of many vectors. It keeps them as codes of 16 bits a
// number (see vec.Codes): a pass over the high bytes bounds every distance, and the
// low bytes decide those that the bounds leave in question. Its hits are those of a
// full scan of the decoded vectors, which are what was added, to a part in 32,639
// of a vector's largest number; a vector that was added is at distance 0 from
// itself.
//
// It is immutable and safe for concurrent use.
type Scan struct {
	rows rows
}

// NewScan returns an index of v in memory, of which it keeps nothing. It panics
// where a vector is not vec.Codable.
func NewScan(v Vectors) *Scan {
	s := &Scan{rows: rows{n: v.Len(), dims: v.Dims}}
	for from := 0; from < v.Len(); from += codeRows {
		s.rows.blocks = append(s.rows.blocks, vec.NewCodes(v.Dims, min(codeRows, v.Len()-from)))
	}
	_ = guard.Each(context.Background(), len(s.rows.blocks), func(b int) {
		for i := range s.rows.blocks[b].Len() {
			row := v.Row(b*codeRows + i)
			if !vec.Codable(row) {
				panic(fmt.Sprintf("index: vector %d has numbers that are not finite or too large", b*codeRows+i))
			}
			s.rows.blocks[b].Put(i, row)
		}
	})
	return s
}

// Len is the number of vectors.
func (s *Scan) Len() int { return s.rows.n }

// Dims is the number of dimensions of a vector.
func (s *Scan) Dims() int { return s.rows.dims }

// Row writes the decoded vector i into dst.
//
//	dst (D)
func (s *Scan) Row(i int, dst []float32) {
	codes, row := s.rows.at(i)
	codes.Row(row, dst)
}

func (s *Scan) coded() (codes rows, ok bool) { return s.rows, true }

func (s *Scan) distance(i uint32, _ []float32, coded *vec.Query) float32 {
	codes, row := s.rows.at(int(i))
	return float32(math.Sqrt(codes.SquaredL2(coded, row)))
}

// Nearest returns the k nearest hits, nearest first, ties by id; all vectors
// where k is larger than their number. The result does not depend on the number of
// processors. It returns the context's error where it is cancelled.
func (s *Scan) Nearest(ctx context.Context, query []float32, k int) ([]Hit, error) {
	return first(s.NearestAll(ctx, [][]float32{query}, k))
}

// NearestAll returns for each query what Nearest does, in one pass over the
// vectors.
func (s *Scan) NearestAll(ctx context.Context, queries [][]float32, k int) ([][]Hit, error) {
	if k = min(k, s.Len()); k <= 0 {
		return make([][]Hit, len(queries)), ctx.Err()
	}
	coded, err := codeQueries(queries, s.Len(), s.Dims())
	if err != nil {
		return nil, err
	}
	found, err := s.rows.gather(ctx, coded, k)
	if err != nil {
		return nil, err
	}
	return nearest(ctx, found, k, func(q int, c candidate) float32 {
		codes, row := s.rows.at(int(c.row))
		return float32(math.Sqrt(codes.Decide(coded[q], row, c.product)))
	})
}

// codeQueries prepares the queries of a search in n vectors.
func codeQueries(queries [][]float32, n, dims int) ([]*vec.Query, error) {
	coded := make([]*vec.Query, len(queries))
	for i, q := range queries {
		switch {
		case len(q) != dims:
			return nil, wrongDims(n, q, dims)
		case !vec.Codable(q):
			return nil, uncodable(n)
		}
		coded[i] = vec.NewQuery(q)
	}
	return coded, nil
}

// wrongDims is the error of a search in n vectors with a query of another length.
func wrongDims(n int, query []float32, dims int) error {
	return fmt.Errorf("search %d vectors: the query has %d dimensions, the vectors have %d", n, len(query), dims)
}

// uncodable is the error of a search in n vectors with a query that has no codes.
func uncodable(n int) error {
	return fmt.Errorf("search %d vectors: the query has numbers that are not finite or too large", n)
}
