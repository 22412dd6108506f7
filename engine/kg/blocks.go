package kg

import (
	"context"
	"database/sql"
	"errors"
	"sync"

	"github.com/mattn/go-sqlite3"

	"cairn/internal/guard"
)

// Handing over a row costs several times what reading it does, so the rows of
// large tables come in blocks: one aggregate for each column of a range of ids.
// Ranges of numbers, and those with texts, are long enough that the cost of a
// block does not count and short enough that a cancel is quick.
const (
	rowsPerBlock  = 4096
	textsPerBlock = 1024
)

// blocks reads the rows with ids below n, size of them at a time. query takes the
// first id and the one after the last, and returns one row of columns texts, each
// the values of a column in order. decode, called in one goroutine for each
// transaction, makes something of a block, and take is given that in order.
func blocks[T any](s *scanner, query string, columns int, size, n int64, decode func(lo, hi int64, columns []string) (T, error), take func(T) error) error {
	ctx, cancel := context.WithCancel(s.ctx)
	var all sync.WaitGroup
	defer all.Wait()
	defer cancel()
	type piece struct {
		made []T
		err  error
	}
	workers := min(int64(len(s.txs)), (n+size-1)/size)
	out := make([]chan piece, workers)
	for w := range workers {
		out[w] = make(chan piece, 2)
		all.Go(func() {
			r := blockReader[T]{ctx: ctx, tx: s.txs[w], query: query, columns: columns, decode: decode}
			defer r.close()
			for lo := w * size; lo < n; lo += workers * size {
				var made []T
				err := guard.Do(func() (err error) {
					made, err = r.read(lo, min(lo+size, n))
					return err
				})
				select {
				case out[w] <- piece{made, err}:
				case <-ctx.Done():
				}
				if err != nil || ctx.Err() != nil {
					return
				}
			}
		})
	}
	for lo := int64(0); lo < n; lo += size {
		var p piece
		select {
		case p = <-out[lo/size%workers]:
		case <-ctx.Done():
			return ctx.Err()
		}
		if err := s.ctx.Err(); err != nil {
			return err // rather than what SQLite calls it
		}
		if p.err != nil {
			return p.err
		}
		for _, x := range p.made {
			if err := take(x); err != nil {
				return err
			}
		}
		s.advance(min(size, n-lo))
	}
	return nil
}

// blockReader reads blocks over one connection.
type blockReader[T any] struct {
	ctx     context.Context //nolint:containedctx // lives for one call of blocks
	tx      *sql.Tx
	stmt    *sql.Stmt // nil before the first block
	query   string
	columns int
	decode  func(lo, hi int64, columns []string) (T, error)
}

func (r *blockReader[T]) close() {
	if r.stmt != nil {
		_ = r.stmt.Close()
	}
}

// read reads the rows with ids from lo to hi, in halves where their texts are
// longer together than SQLite's longest.
func (r *blockReader[T]) read(lo, hi int64) (_ []T, err error) {
	if r.stmt == nil {
		if r.stmt, err = r.tx.PrepareContext(r.ctx, r.query); err != nil {
			return nil, err
		}
	}
	texts := make([]sql.NullString, r.columns) // null for no rows
	into := make([]any, r.columns)
	for i := range texts {
		into[i] = &texts[i]
	}
	err = r.stmt.QueryRowContext(r.ctx, lo, hi).Scan(into...)
	if tooBig := new(sqlite3.Error); errors.As(err, tooBig) && tooBig.Code == sqlite3.ErrTooBig && hi-lo > 1 {
		low, err := r.read(lo, (lo+hi)/2)
		if err != nil {
			return nil, err
		}
		high, err := r.read((lo+hi)/2, hi)
		return append(low, high...), err
	}
	if err != nil {
		return nil, err
	}
	columns := make([]string, r.columns)
	for i, t := range texts {
		columns[i] = t.String
	}
	made, err := r.decode(lo, hi, columns)
	return []T{made}, err
}

// numbers are whole numbers with commas between.
type numbers string

// next takes off the first number; it is -1 where that is none from 0 to 10¹⁸-1.
func (ns *numbers) next() int64 {
	text := string(*ns)
	n := int64(0)
	for i := range len(text) {
		c := text[i] - '0'
		if c > 9 || i == 18 {
			if i > 0 && text[i] == ',' {
				*ns = numbers(text[i+1:])
				return n
			}
			*ns = ""
			return -1
		}
		n = 10*n + int64(c)
	}
	*ns = ""
	if len(text) == 0 {
		return -1
	}
	return n
}
