package ingest

import (
	"bytes"
	"context"
	"database/sql"
	"encoding/csv"
	"errors"
	"io"
	"net/url"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/parquet-go/parquet-go"
	parquetformat "github.com/parquet-go/parquet-go/format"

	"cairn/internal/guard"
	"cairn/internal/wording"
)

// A table of a workbook, a database or a Parquet file is read as a delimited file is:
// its rows become lines of text, the first of which is the header. A row is one line,
// so that lines are numbered as rows are.

// sqliteBegin is how a SQLite file begins.
const sqliteBegin = "SQLite format 3\x00"

// tablesOf returns what lists the tables of a file that begins so, nil where it has none.
func tablesOf(begin []byte) func(context.Context, *source, *Options) (expanded, error) {
	switch {
	case bytes.HasPrefix(begin, []byte(sqliteBegin)):
		return database
	case bytes.HasPrefix(begin, []byte("PAR1")):
		return parquetFile
	}
	return nil
}

// table returns the part of a file that is one table. write gives its rows.
func (s *source) table(name string, write func(row func([]string) error) error) *source {
	t := s.member(name, 0, func() (io.ReadCloser, error) {
		return writtenBy(func(in io.Writer) error {
			w := csv.NewWriter(in)
			err := write(func(cells []string) error { return writeRow(w, in, cells) })
			w.Flush()
			return errors.Join(err, w.Error())
		}), nil
	})
	t.name, t.file, t.rows = name, s.file+"/"+name, true
	if name == "" {
		t.name, t.file = s.name, s.file
	}
	return t
}

// writeRow writes a row as one line; an empty row is a blank line.
func writeRow(w *csv.Writer, out io.Writer, cells []string) error {
	empty := true
	for i, c := range cells {
		if strings.ContainsAny(c, "\r\n") {
			cells[i] = strings.Join(strings.FieldsFunc(c, func(r rune) bool { return r == '\n' || r == '\r' }), " ")
		}
		empty = empty && c == ""
	}
	if !empty {
		return w.Write(cells)
	}
	w.Flush()
	_, err := out.Write([]byte("\n"))
	return errors.Join(err, w.Error())
}

// maxColumns is how many columns of a table are read.
const maxColumns = 10_000

// tooWide is the error for a table of more columns.
func (s *source) tooWide(n int) error {
	return refuse(s.file, 0, ErrFormat, "it has "+itoa(int64(n))+" columns; the limit is "+itoa(maxColumns), "remove the columns you do not need")
}

// choose returns the names that the user asks for.
func (s *source) choose(names []string, what string, o *Options) ([]string, error) {
	if o.Table == "" {
		return names, nil
	}
	at := slices.IndexFunc(names, func(n string) bool { return strings.EqualFold(n, o.Table) })
	if at < 0 {
		return nil, refuse(s.file, 0, ErrChoose, "it has no "+what+" "+inQuotes(o.Table)+"; it has "+listed(names), "choose one of them")
	}
	return names[at : at+1], nil
}

// listed lists names for people, not too many.
func listed(names []string) string {
	const most = 20
	return wording.First(wording.Each(names, inQuotes), most)
}

// database lists the tables of a SQLite file; Options.Table is one of them, or a query.
func database(ctx context.Context, s *source, o *Options) (expanded, error) {
	if s.disk == nil {
		return expanded{}, refuse(s.file, 0, ErrBinary, "it is a SQLite database inside an archive", "unpack it and import it by itself")
	}
	path, err := filepath.Abs(s.disk.Name())
	if err != nil {
		return expanded{}, s.readError(err)
	}
	// Nothing is ever written, and what the file defines as functions is not trusted.
	u := url.URL{Scheme: "file", Opaque: (&url.URL{Path: filepath.ToSlash(path)}).EscapedPath(), RawQuery: "mode=ro&immutable=1&_query_only=1"}
	db, err := sql.Open("sqlite3", u.String())
	if err != nil {
		return expanded{}, s.readError(err)
	}
	db.SetMaxOpenConns(1)
	closer := s.closer
	s.closer = func() error { return errors.Join(db.Close(), closer()) }
	damaged := func(err error) error {
		return refuse(s.file, 0, ErrCut, "the database cannot be read: "+err.Error(), "open it with the program that made it, and export the table as CSV")
	}
	if _, err := db.ExecContext(ctx, "PRAGMA trusted_schema = OFF"); err != nil {
		return expanded{}, damaged(err)
	}
	names, err := column(ctx, db, "SELECT name FROM sqlite_master WHERE type IN ('table', 'view') AND name NOT LIKE 'sqlite~_%' ESCAPE '~' ORDER BY name")
	if err != nil {
		return expanded{}, damaged(err)
	}
	if slices.Contains(names, "graph") && slices.Contains(names, "triple") && slices.Contains(names, "entity_type") {
		return expanded{}, refuse(s.file, 0, ErrBinary, "it is a Cairn graph", "open it with Open instead of importing it")
	}
	query := ""
	if word, _, _ := strings.Cut(strings.ToLower(strings.TrimSpace(o.Table)), " "); word == "select" || word == "with" {
		query, names = o.Table, []string{"query"}
	} else if names, err = s.choose(names, "table", o); err != nil {
		return expanded{}, err
	}
	if len(names) > 1 && o.Columns == (Columns{}) && o.Reading == nil && o.Header != HeaderNo {
		tables, err := schemaOf(ctx, db)
		if err != nil {
			return expanded{}, damaged(err)
		}
		if tables.joined() {
			return s.wholeDatabase(ctx, db, tables, damaged)
		}
	}
	switch {
	case len(names) == 0:
		return expanded{}, refuse(s.file, 0, ErrEmpty, "the database has no tables", "choose another file")
	case len(names) > 1:
		return expanded{}, refuse(s.file, 0, ErrChoose, "it is a SQLite database with the tables "+listed(names), "say which to import with --table NAME, or give a query: --table 'SELECT …'")
	}
	if query == "" {
		query = "SELECT * FROM " + quoteName(names[0])
	}
	return expanded{parts: []*source{s.query(ctx, db, names[0], nil, query, damaged)}}, nil
}

// query returns the part of a database that is the result of a query. Without a header
// that is the names of its columns.
func (s *source) query(ctx context.Context, db *sql.DB, name string, header []string, query string, damaged func(error) error) *source {
	t := s.table(name, func(row func([]string) error) error {
		rows, err := db.QueryContext(ctx, query)
		if err != nil {
			return damaged(err)
		}
		defer rows.Close()
		columns, err := rows.Columns()
		if err != nil {
			return err
		}
		if len(columns) > maxColumns {
			return s.tooWide(len(columns))
		}
		if header != nil {
			columns = header
		}
		if err := row(slices.Clone(columns)); err != nil {
			return err
		}
		values, cells := make([]any, len(columns)), make([]string, len(columns))
		into := make([]any, len(columns))
		for i := range into {
			into[i] = &values[i]
		}
		for rows.Next() {
			if err := rows.Scan(into...); err != nil {
				return damaged(err)
			}
			for i, v := range values {
				cells[i] = cellText(v)
			}
			if err := row(cells); err != nil {
				return err
			}
		}
		if err := rows.Err(); err != nil {
			return damaged(err)
		}
		return nil
	})
	t.named = true
	return t
}

// column returns the first column of a query.
func column(ctx context.Context, db *sql.DB, query string, args ...any) (all []string, err error) {
	rows, err := db.QueryContext(ctx, query, args...)
	if err != nil {
		return nil, err
	}
	return all, each(rows, func() error {
		all = append(all, "")
		return rows.Scan(&all[len(all)-1])
	})
}

// cellText writes a value of a database. Bytes that are no text are left out.
func cellText(v any) string {
	switch v := v.(type) {
	case string:
		return v
	case []byte:
		return strings.ToValidUTF8(string(v), "\uFFFD")
	case int64:
		return strconv.FormatInt(v, 10)
	case float64:
		return strconv.FormatFloat(v, 'f', -1, 64)
	case bool:
		return strconv.FormatBool(v)
	case time.Time:
		return dateText(v)
	}
	return ""
}

// dateText writes a moment as ISO 8601 does: without the time of day where it is
// midnight.
func dateText(t time.Time) string {
	if h, m, s := t.Clock(); h == 0 && m == 0 && s == 0 {
		return t.Format(time.DateOnly)
	}
	return t.Format("2006-01-02T15:04:05")
}

// parquetFile is a file of Apache Parquet: one table. Lists are written with |.
func parquetFile(_ context.Context, s *source, _ *Options) (expanded, error) {
	var f *parquet.File
	err := guard.Do(func() (err error) {
		f, err = parquet.OpenFile(s.at, s.size)
		return err
	})
	if err != nil {
		e := s.cut(err)
		e.What = "the Parquet file is damaged or truncated"
		return expanded{}, e
	}
	columns := f.Schema().Columns()
	if len(columns) > maxColumns {
		return expanded{}, s.tooWide(len(columns))
	}
	t := s.table("", func(row func([]string) error) error {
		cells := make([]string, len(columns))
		texts := make([]func(parquet.Value) string, len(columns))
		for i, c := range columns {
			cells[i] = columnTitle(c)
			leaf, _ := f.Schema().Lookup(c...)
			texts[i] = parquetText(leaf.Node)
		}
		if err := row(cells); err != nil {
			return err
		}
		buf := make([]parquet.Row, 64)
		for _, group := range f.RowGroups() {
			if err := parquetRows(group, buf, func(r parquet.Row) error {
				clear(cells)
				for _, v := range r {
					if c := v.Column(); !v.IsNull() && c >= 0 && c < len(cells) {
						if cells[c] != "" {
							cells[c] += "|"
						}
						cells[c] += texts[c](v)
					}
				}
				return row(cells)
			}); err != nil {
				return err
			}
		}
		return nil
	})
	t.named = true
	return expanded{parts: []*source{t}}, nil
}

// columnTitle names a column by its path, less the levels that only lists have.
func columnTitle(path []string) string {
	kept := slices.DeleteFunc(slices.Clone(path), func(p string) bool { return slices.Contains([]string{"list", "element", "array", "bag", "item"}, p) })
	if len(kept) == 0 {
		return path[0]
	}
	return strings.Join(kept, ".")
}

// parquetRows reads the rows of a group.
func parquetRows(group parquet.RowGroup, buf []parquet.Row, take func(parquet.Row) error) error {
	rows := group.Rows()
	defer rows.Close()
	for {
		n, err := rows.ReadRows(buf)
		for _, r := range buf[:n] {
			if err := take(r); err != nil {
				return err
			}
		}
		if errors.Is(err, io.EOF) || err == nil && n == 0 {
			return nil
		}
		if err != nil {
			return err
		}
	}
}

// parquetText returns what writes the values of a column: dates and moments as such.
func parquetText(n parquet.Node) func(parquet.Value) string {
	plain := func(v parquet.Value) string { return strings.ToValidUTF8(v.String(), "\uFFFD") }
	if n == nil || n.Type().LogicalType() == nil {
		return plain
	}
	switch l := n.Type().LogicalType().Value.(type) {
	case *parquetformat.DateType:
		return func(v parquet.Value) string {
			return time.Unix(int64(v.Int32())*24*60*60, 0).UTC().Format(time.DateOnly)
		}
	case *parquetformat.TimestampType:
		unit := l.Unit.Value.Duration()
		return func(v parquet.Value) string {
			perSecond := int64(time.Second / unit)
			return dateText(time.Unix(v.Int64()/perSecond, v.Int64()%perSecond*int64(unit)).UTC())
		}
	}
	return plain
}
