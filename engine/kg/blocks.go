package kg

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"math"

	"github.com/mattn/go-sqlite3"

	"cairn/internal/guard"
	"cairn/internal/wording"
)

// Handing over a row costs several times what reading it does, so the rows of
// large tables come in blocks: one aggregate for each column of a range of ids.
// Ranges of numbers, and those with texts, are long enough that the cost of a
// block does not count and short enough that a cancel is quick.
const (
	rowsPerBlock  = 4096
	textsPerBlock = 1024
)

// tableReader reads tables from front to back, over connections that see the same
// state of the file.
type tableReader struct {
	ctx      context.Context //nolint:containedctx // lives for one reading of the graph
	conns    []querier
	progress func(done, total int64) // may be nil

	done, total int64 // rows
}

// querier is a database, one of its connections or a transaction.
type querier interface {
	PrepareContext(ctx context.Context, query string) (*sql.Stmt, error)
	QueryContext(ctx context.Context, query string, args ...any) (*sql.Rows, error)
	QueryRowContext(ctx context.Context, query string, args ...any) *sql.Row
}

// sizes returns for tables, each with the name of its id, one more than the largest id.
func (r *tableReader) sizes(tables ...[2]string) ([]int64, error) {
	var all []int64
	for _, t := range tables {
		var least, n, pages, pageSize int64
		// A query each: SQLite looks up one end in no time and reads all rows for both.
		query := fmt.Sprintf(`SELECT (SELECT coalesce(min(%[2]s), 0) FROM %[1]s), (SELECT coalesce(max(%[2]s) + 1, 0) FROM %[1]s),
			(SELECT page_count FROM pragma_page_count), (SELECT page_size FROM pragma_page_size)`, t[0], t[1])
		if err := r.conns[0].QueryRowContext(r.ctx, query).Scan(&least, &n, &pages, &pageSize); err != nil {
			return nil, err
		}
		if least < 0 {
			return nil, &inconsistency{fmt.Sprintf("%s %d is there", t[0], least)}
		}
		// Room is made for all rows at once, and a damaged file may promise any number.
		const leastRow = 4 // bytes
		if n > math.MaxUint32 || n > pages*pageSize/leastRow {
			return nil, &inconsistency{fmt.Sprintf("%s %d is there and those before it are not", t[0], n-1)}
		}
		all = append(all, n)
	}
	return all, nil
}

// advance reports that more rows are done.
func (r *tableReader) advance(rows int64) {
	r.done += rows
	if r.progress != nil {
		r.progress(min(r.done, r.total), r.total)
	}
}

// each calls fn for every row of a query and looks at the context now and then.
func (r *tableReader) each(query string, fn func(rows *sql.Rows) error) error {
	rows, err := r.conns[0].QueryContext(context.WithoutCancel(r.ctx), query)
	if err != nil {
		return err
	}
	defer rows.Close()
	for n := 0; rows.Next(); n++ {
		if n%checkEvery == 0 {
			if err := r.ctx.Err(); err != nil {
				return err
			}
		}
		if err := fn(rows); err != nil {
			return err
		}
	}
	return rows.Err()
}

// blocks reads the rows with ids below n, size of them at a time. query takes the
// first id and the one after the last, and returns one row of columns texts, each
// the values of a column in order. decode, called in one goroutine for each
// connection, makes something of a block, and take is given that in order.
func blocks[T any](s *tableReader, query string, columns int, size, n int64, decode func(lo, hi int64, columns []string) (T, error), take func(T) error) error {
	readers := wording.Each(s.conns, func(conn querier) blockReader[T] {
		return blockReader[T]{conn: conn, query: query, columns: columns, decode: decode}
	})
	defer func() {
		for i := range readers {
			readers[i].close()
		}
	}()
	done := int64(0)
	err := guard.InOrder(s.ctx, len(readers), int(n), int(size), func(ctx context.Context, reader, from, to int) ([]T, error) {
		return readers[reader].read(ctx, int64(from), int64(to))
	}, func(made []T) error {
		for _, x := range made {
			if err := take(x); err != nil {
				return err
			}
		}
		s.advance(min(size, n-done))
		done += size
		return nil
	})
	return endOr(s.ctx, err) // rather than what SQLite calls it
}

// blockReader reads blocks over one connection.
type blockReader[T any] struct {
	conn    querier
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
func (r *blockReader[T]) read(ctx context.Context, lo, hi int64) (_ []T, err error) {
	if r.stmt == nil {
		if r.stmt, err = r.conn.PrepareContext(ctx, r.query); err != nil {
			return nil, err
		}
	}
	texts := make([]sql.NullString, r.columns) // null for no rows
	into := make([]any, r.columns)
	for i := range texts {
		into[i] = &texts[i]
	}
	err = r.stmt.QueryRowContext(ctx, lo, hi).Scan(into...)
	if tooBig := new(sqlite3.Error); errors.As(err, tooBig) && tooBig.Code == sqlite3.ErrTooBig && hi-lo > 1 {
		low, err := r.read(ctx, lo, (lo+hi)/2)
		if err != nil {
			return nil, err
		}
		high, err := r.read(ctx, (lo+hi)/2, hi)
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

// table reads columns of ids as rows, one after the other.
func table(_, _ int64, columns []string) (rows []int64, err error) {
	rest := wording.Each(columns, func(c string) numbers { return numbers(c) })
	for rest[0] != "" {
		for i := range rest {
			n := rest[i].next()
			if n < 0 || n > math.MaxUint32 {
				return nil, &inconsistency{"a number is missing or too large"}
			}
			rows = append(rows, n)
		}
	}
	return rows, nil
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
