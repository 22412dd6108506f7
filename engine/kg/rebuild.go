package kg

import (
	"context"
	"database/sql"
	"fmt"
	"slices"

	"cairn/engine/internal/pagesum"
)

// Reread imports sources anew into the graph at a path, where there is none: in their
// order, each as it was read before. It fails where one of them is not there any more
// as it was.
type Reread func(ctx context.Context, sources []Source, into string) error

// rebuilder makes a sound file out of one of which some pages are lost.
type rebuilder struct {
	from, into string   // the damaged file, its single bits put right, and the new one
	lost       []Damage // what is not known of from
	db         *sql.DB  // of into, with from attached as old
}

// inOrder are the tables that importing the same files again fills in the same way.
var inOrder = []string{"entity", "relation", "type", "triple", "property"}

// besides are the tables that no import fills; of those with true rows can be missed.
var besides = map[string]bool{
	"setting": false, "document": false, "chunk": false, "statement": false, "span": false, "naming": false,
	"run": true, "embedding": true, "trained": true, "training": true,
}

// rebuild makes the new file. Where tables are whole and only indexes are lost, it
// needs no sources. missed says what could not be brought over.
func (r *rebuilder) rebuild(ctx context.Context, reread Reread) (missed []string, err error) {
	if !slices.ContainsFunc(r.lost, func(d Damage) bool { return d.table != "" }) {
		return nil, r.copyTables(ctx)
	}
	var changed bool
	sources, err := r.sources(ctx, &changed)
	if changed {
		return nil, fmt.Errorf("%w: one of its layers is turned off or was removed", ErrBeyondRepair)
	}
	if err != nil || reread == nil {
		return nil, fmt.Errorf("%w: the sources it was made from are unknown", ErrBeyondRepair)
	}
	for _, s := range sources {
		if s.Model != "" || !s.Complete {
			return nil, fmt.Errorf("%w: %s was read by a model, or only in part", ErrBeyondRepair, s.Name)
		}
	}
	if err := reread(ctx, sources, r.into); err != nil {
		return nil, fmt.Errorf("%w: %w", ErrBeyondRepair, err)
	}
	if err := r.attach(ctx); err != nil {
		return nil, err
	}
	defer r.db.Close()
	for _, table := range inOrder {
		if err := r.compare(ctx, table); err != nil {
			return nil, err
		}
	}
	return r.carryOver(ctx)
}

// copyTables copies all tables, and makes the indexes anew.
func (r *rebuilder) copyTables(ctx context.Context) error {
	st, err := OpenStore(ctx, r.into)
	if err != nil {
		return err
	}
	if err := st.Close(); err != nil {
		return err
	}
	if err := r.attach(ctx); err != nil {
		return err
	}
	defer r.db.Close()
	queries := []string{"DELETE FROM main.graph"}
	for table := range parts {
		if table != "sqlite_schema" {
			queries = append(queries, copyOf(table))
		}
	}
	return fileError("repair", r.from, execAll(ctx, r.db, queries))
}

// copyOf is the query that copies a table. By its condition SQLite does not copy the
// indexes as they are, but makes them anew.
func copyOf(table string) string {
	return fmt.Sprintf("INSERT INTO main.%[1]s SELECT * FROM old.%[1]s NOT INDEXED WHERE true", table)
}

// attach opens the new file, with the damaged one beside it.
func (r *rebuilder) attach(ctx context.Context) (err error) {
	if r.db, err = openDB(r.into, ""); err != nil {
		return err
	}
	r.db.SetMaxOpenConns(1) // what is attached belongs to a connection
	_, err = r.db.ExecContext(ctx, "ATTACH ? AS old", dataSource(r.from, pagesum.Query(true)))
	return fileError("repair", r.from, err)
}

// sources reads which files the damaged graph was made from, and whether any of these
// layers is not on any more.
func (r *rebuilder) sources(ctx context.Context, changed *bool) ([]Source, error) {
	db, err := openDB(r.from, "")
	if err != nil {
		return nil, err
	}
	defer db.Close()
	if err := db.QueryRowContext(ctx, "SELECT EXISTS (SELECT 1 FROM source WHERE off <> 0)").Scan(changed); err != nil {
		return nil, err
	}
	return (&Store{db: db, path: r.from}).Sources(ctx)
}

// isLost reports whether rows of a table are lost.
func (r *rebuilder) isLost(table string) bool {
	return slices.ContainsFunc(r.lost, func(d Damage) bool { return d.table == table })
}

// compare reports ErrBeyondRepair unless all rows of a table that can be read are in
// the new file: then those that cannot be read are, too.
func (r *rebuilder) compare(ctx context.Context, table string) error {
	// Each range that is whole is read by itself, so that no lost page is touched.
	for _, span := range r.whole(table) {
		var differs bool
		query := fmt.Sprintf("SELECT EXISTS (SELECT * FROM old.%[1]s NOT INDEXED WHERE id BETWEEN ?1 AND ?2 EXCEPT SELECT * FROM main.%[1]s WHERE id BETWEEN ?1 AND ?2)", table)
		if err := r.db.QueryRowContext(ctx, query, span[0], span[1]).Scan(&differs); err != nil {
			return fileError("repair", r.from, err)
		}
		if differs {
			return fmt.Errorf("%w: the sources no longer match what is left of the %s", ErrBeyondRepair, parts[table])
		}
	}
	return nil
}

// whole returns the ranges of ids of a table that can be read.
func (r *rebuilder) whole(table string) (spans [][2]int64) {
	const last = 1 << 40 // no id is as large
	from := int64(0)
	lost := slices.DeleteFunc(slices.Clone(r.lost), func(d Damage) bool { return d.table != table })
	slices.SortFunc(lost, func(a, b Damage) int { return int(a.First - b.First) })
	for _, d := range lost {
		if d.First > from {
			spans = append(spans, [2]int64{from, d.First - 1})
		}
		if d.Last < 0 {
			return spans
		}
		from = max(from, d.Last+1)
	}
	return append(spans, [2]int64{from, last})
}

// carryOver copies what no import fills.
func (r *rebuilder) carryOver(ctx context.Context) (missed []string, err error) {
	queries := []string{`UPDATE main.source AS s SET (name, file, bytes, imported, read, added, duplicate, rejected, skipped) =
		(SELECT name, file, bytes, imported, read, added, duplicate, rejected, skipped FROM old.source AS o WHERE o.id = s.id)`}
	if !r.isLost("graph") {
		queries = append(queries, "UPDATE main.graph SET version = (SELECT version FROM old.graph)")
	}
	for table, dispensable := range besides {
		switch {
		case !r.isLost(table):
			queries = append(queries, copyOf(table))
		case dispensable:
			missed = append(missed, parts[table])
		default:
			return nil, fmt.Errorf("%w: %s are in no source", ErrBeyondRepair, parts[table])
		}
	}
	slices.Sort(missed)
	return missed, fileError("repair", r.from, execAll(ctx, r.db, append(queries, "PRAGMA wal_checkpoint(TRUNCATE)")))
}
