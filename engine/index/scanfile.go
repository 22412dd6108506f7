package index

import (
	"context"
	"errors"
	"fmt"
	"math"

	"cairn/engine/internal/arrays"
	"cairn/engine/vec"
)

// The file of a Scan is written from front to back, a block of vectors at a time,
// so that writing needs the memory of one block, whatever the number of vectors:
//
//	codes    vec.Codes of codeRows vectors each, and of what is left
//	numbers  dimensions, vectors, codeRows
const scanFormat = "scan 2 "

const (
	// maxDims and maxVectors bound what a damaged file can ask for. An id has 32 bits.
	maxDims    = 1 << 16
	maxVectors = math.MaxUint32
)

// ScanWriter writes the file of a Scan. It is for one goroutine.
type ScanWriter struct {
	w       *arrays.Writer
	dims    int
	block   *vec.Codes
	used    int // vectors in block
	vectors int
}

// CreateScan begins the file of a Scan at path, for vectors of the given number of
// dimensions. tag says what they are made from, and OpenScan asks for the same.
// Nothing is at path before Close.
func CreateScan(path string, dims int, tag string) (*ScanWriter, error) {
	if dims <= 0 || dims > maxDims {
		return nil, fmt.Errorf("write vectors: %d dimensions, want 1 to %d", dims, maxDims)
	}
	w, err := arrays.Create(path, scanFormat+tag, 2)
	if err != nil {
		return nil, fmt.Errorf("write vectors: %w", err)
	}
	w.Begin()
	return &ScanWriter{w: w, dims: dims, block: vec.NewCodes(dims, codeRows)}, nil
}

// Add writes vectors behind those that are there; the first one is vector 0. It
// returns an error, and writes none of them, where one is not vec.Codable. After any
// other error the file is to be aborted.
//
//	rows (N,D) row-major
func (w *ScanWriter) Add(ctx context.Context, rows []float32) error {
	if len(rows)%w.dims != 0 {
		panic("index: rows are not a whole number of vectors")
	}
	n := len(rows) / w.dims
	if uint64(w.vectors)+uint64(n) > maxVectors {
		return fmt.Errorf("write vectors: more than %d of them", uint64(maxVectors))
	}
	for i := range n {
		if !vec.Codable(rows[i*w.dims : (i+1)*w.dims]) {
			return fmt.Errorf("write vectors: vector %d has numbers that are not finite or too large", w.vectors+i)
		}
	}
	for ; len(rows) > 0; rows = rows[w.dims:] {
		w.block.Put(w.used, rows[:w.dims])
		w.used++
		w.vectors++
		if w.used == codeRows {
			if err := w.w.Append(ctx, w.block.Bytes()); err != nil {
				return fmt.Errorf("write vectors: %w", err)
			}
			w.block, w.used = vec.NewCodes(w.dims, codeRows), 0
		}
	}
	return nil
}

// Close finishes the file and puts it at its path, whole; or removes it and
// returns what went wrong.
func (w *ScanWriter) Close(ctx context.Context) error {
	defer w.w.Abort()
	var err error
	if w.used > 0 {
		err = w.w.Append(ctx, w.block.First(w.used).Bytes())
	}
	if err == nil {
		err = w.w.Put(ctx, arrays.Bytes([]uint32{uint32(w.dims), uint32(w.vectors), codeRows}))
	}
	if err == nil {
		err = w.w.Finish()
	}
	if err != nil {
		return fmt.Errorf("write vectors: %w", err)
	}
	return nil
}

// Abort removes what was written. After Close it does nothing.
func (w *ScanWriter) Abort() { w.w.Abort() }

// OpenScan returns the index in the file at path, which stays where it is: what is
// looked at is in memory for as long as there is room. The file stays mapped for as
// long as the program runs; one that replaces it has another name.
//
// All of it is checked on all processors, which takes about as long as reading it
// once. The error is ErrStale where the file was made for another tag, ErrDamaged
// where it is not whole or not ours, and one of the file system where there is none.
func OpenScan(path, tag string) (*Scan, error) {
	var s *Scan
	err := arrays.Open(path, scanFormat+tag, func(sections [][]byte) (err error) {
		s, err = readScan(sections)
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("vectors in %s, which can be removed and are then made anew: %w", path, err)
	}
	return s, nil
}

// readScan returns the index in the sections of a file, which it keeps.
func readScan(sections [][]byte) (*Scan, error) {
	if len(sections) != 2 {
		return nil, fmt.Errorf("%w: it has %d sections, not 2", arrays.ErrDamaged, len(sections))
	}
	numbers, err := arrays.Of[uint32](sections[1])
	if err != nil || len(numbers) != 3 || numbers[0] == 0 || numbers[0] > maxDims || numbers[2] != codeRows {
		return nil, errors.Join(err, fmt.Errorf("%w: it has numbers that cannot be", arrays.ErrDamaged))
	}
	s := &Scan{rows: rows{n: int(numbers[1]), dims: int(numbers[0])}}
	b := sections[0]
	for left := s.rows.n; left > 0; left -= codeRows {
		count := min(left, codeRows)
		size := vec.CodesSize(s.rows.dims, count)
		if size > len(b) {
			return nil, fmt.Errorf("%w: it is cut short", arrays.ErrDamaged)
		}
		s.rows.blocks = append(s.rows.blocks, vec.CodesIn(b[:size:size], s.rows.dims, count))
		b = b[size:]
	}
	if len(b) > 0 {
		return nil, fmt.Errorf("%w: it is too long", arrays.ErrDamaged)
	}
	return s, nil
}
