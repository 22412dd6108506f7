package bench

import (
	"bufio"
	"context"
	"database/sql"
	_ "embed"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	_ "github.com/mattn/go-sqlite3" // the driver

	"cairn/engine/kg"
)

//go:embed oxigraph/oxigraph_count.py
var oxigraphProgram string

// sqlite asks SQLite, by prepared statements on one connection. All it has fits its cache.
func (b *operatorBench) sqlite(ctx context.Context, e *OperatorEngine) (results []numbered, err error) {
	dir, err := os.MkdirTemp("", "cairn-bench-")
	if err != nil {
		return nil, fmt.Errorf("make a folder for SQLite: %w", err)
	}
	defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	path := filepath.Join(dir, "db")
	db, err := sql.Open("sqlite3", path)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, db.Close()) }()
	db.SetMaxOpenConns(1)
	began := time.Now()
	if err := b.loadSQLite(ctx, db); err != nil {
		return nil, fmt.Errorf("load SQLite: %w", err)
	}
	info, err := os.Stat(path)
	if err != nil {
		return nil, err
	}
	var version string
	if err := db.QueryRowContext(ctx, "SELECT sqlite_version()").Scan(&version); err != nil {
		return nil, err
	}
	e.Name, e.Build, e.Size = "SQLite "+version, time.Since(began), info.Size()
	statements := make([]*sql.Stmt, len(operators)+1)
	for i, op := range append([]operator{{sql: "SELECT 1"}}, operators...) {
		if statements[i], err = db.PrepareContext(ctx, op.sql); err != nil { //nolint:sqlclosecheck // with the database
			return nil, fmt.Errorf("prepare %q: %w", op.name, err)
		}
	}
	ask := func(ctx context.Context, s *sql.Stmt, args ...any) (float64, error) {
		var n sql.NullFloat64
		err := s.QueryRowContext(ctx, args...).Scan(&n)
		return n.Float64, err
	}
	limited, cancel := context.WithCancel(ctx)
	defer cancel()
	const times = 1000
	began = time.Now()
	for range times {
		if _, err := ask(limited, statements[0]); err != nil {
			return nil, err
		}
	}
	e.About = fmt.Sprintf("SELECT 1 takes %s ms through the same driver", ms(time.Since(began)/times))
	return b.ask(ctx, "SQLite", func(ctx context.Context, i int) (float64, error) {
		q := b.queries[i]
		var args []any
		op := operators[q.operator]
		for name, value := range q.params() {
			if strings.Contains(op.sql, "$"+name) {
				args = append(args, sql.Named(name, value))
			}
		}
		if op.lists() {
			return listed(ctx, statements[1+q.operator], args)
		}
		return ask(ctx, statements[1+q.operator], args...)
	})
}

// listed fetches the answers of a query, and counts them.
func listed(ctx context.Context, s *sql.Stmt, args []any) (n float64, err error) {
	rows, err := s.QueryContext(ctx, args...)
	if err != nil {
		return 0, err
	}
	defer func() { err = errors.Join(err, rows.Close()) }()
	for rows.Next() {
		var e int64
		if err := rows.Scan(&e); err != nil {
			return 0, err
		}
		n++
	}
	return n, rows.Err()
}

// loadSQLite makes a table of the triples with three indexes, and one of what they join.
func (b *operatorBench) loadSQLite(ctx context.Context, db *sql.DB) (err error) {
	run := func(statements ...string) error {
		for _, s := range statements {
			if _, err := db.ExecContext(ctx, s); err != nil {
				return fmt.Errorf("%s: %w", s, err)
			}
		}
		return nil
	}
	err = run("PRAGMA journal_mode = OFF", "PRAGMA synchronous = OFF", "PRAGMA temp_store = MEMORY",
		"PRAGMA cache_size = -2000000", "PRAGMA mmap_size = 16000000000",
		"CREATE TABLE triples(h INTEGER, r INTEGER, t INTEGER)",
		"CREATE TABLE things(e INTEGER PRIMARY KEY, literal INTEGER, value REAL)", "BEGIN")
	if err != nil {
		return err
	}
	things, err := db.PrepareContext(ctx, "INSERT INTO things VALUES (?, ?, ?)")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, things.Close()) }()
	for e := range kg.EntityID(b.g.Entities()) {
		n, ok := plainNumber(b.g, e)
		if _, err := things.ExecContext(ctx, int(e), b.g.IsLiteral(e), sql.NullFloat64{Float64: n, Valid: ok}); err != nil {
			return err
		}
	}
	triples, err := db.PrepareContext(ctx, "INSERT INTO triples VALUES (?, ?, ?)")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, triples.Close()) }()
	for t := range b.g.Live() {
		x := b.g.Triple(t)
		if _, err := triples.ExecContext(ctx, int(x.Head), int(x.Relation), int(x.Tail)); err != nil {
			return err
		}
	}
	return run("COMMIT", "CREATE INDEX hrt ON triples(h, r, t)", "CREATE INDEX trh ON triples(t, r, h)", "CREATE INDEX rth ON triples(r, t, h)", "ANALYZE")
}

// kuzu asks kuzu, in a process of its own.
func (b *operatorBench) kuzu(ctx context.Context, e *OperatorEngine) ([]numbered, error) {
	return b.python(ctx, e, b.o.Kuzu, kuzuProgram, func(o operator) string { return o.cypher }, func(dir string) ([]string, error) {
		load, err := kuzuTables(ctx, dir, b.g, b.askedOf(), "literal BOOL, value DOUBLE", func(e kg.EntityID) string {
			return fmt.Sprintf("%t,%s", b.g.IsLiteral(e), b.numberText(e))
		})
		if err != nil {
			return nil, err
		}
		path := filepath.Join(dir, "all.csv")
		err = writeLines(path, func(w *bufio.Writer) {
			for t := range b.g.Live() {
				x := b.g.Triple(t)
				fmt.Fprintf(w, "%d,%d,%d\n", x.Head, x.Tail, x.Relation)
			}
		})
		return append(load, "CREATE REL TABLE E(FROM N TO N, r INT64)", fmt.Sprintf("COPY E FROM %q", path)), err
	})
}

// oxigraph asks pyoxigraph, in processes of its own.
func (b *operatorBench) oxigraph(ctx context.Context, e *OperatorEngine) ([]numbered, error) {
	return b.python(ctx, e, b.o.Oxigraph, oxigraphProgram, func(o operator) string { return o.sparql }, func(dir string) ([]string, error) {
		path := filepath.Join(dir, "all.nt")
		return []string{path}, writeLines(path, func(w *bufio.Writer) {
			for t := range b.g.Live() {
				x := b.g.Triple(t)
				fmt.Fprintf(w, "<e:%d> <r:%d> <e:%d> .\n", x.Head, x.Relation, x.Tail)
			}
			for e := range kg.EntityID(b.g.Entities()) {
				if n := b.numberText(e); n != "" {
					fmt.Fprintf(w, "<e:%d> <v:value> \"%s\"^^<http://www.w3.org/2001/XMLSchema#double> .\n", e, n)
				}
			}
		})
	})
}

// python asks an engine that a program of Python drives.
func (b *operatorBench) python(ctx context.Context, e *OperatorEngine, python, program string, language func(operator) string, write func(dir string) ([]string, error)) (results []numbered, err error) {
	dir, err := os.MkdirTemp("", "cairn-bench-")
	if err != nil {
		return nil, fmt.Errorf("make a folder for %s: %w", e.Name, err)
	}
	defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	task := countTask{Database: filepath.Join(dir, "db"), LimitMS: b.o.Limit.Milliseconds(), Seconds: b.o.Most.Seconds(), BestOf: bestOf, Queries: b.texts(language)}
	if task.Load, err = write(dir); err != nil {
		return nil, err
	}
	var r countReply
	if err := askPython(ctx, python, program, task, &r); err != nil {
		return nil, err
	}
	return b.ofReply(e, &r)
}
