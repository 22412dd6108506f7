package kg

import (
	"cmp"
	"context"
	"database/sql"
	"slices"
	"strings"
)

// batch is what a Writer gathered since it last handed one over to be written.
// The ids of new rows follow from their position and the first ids.
type batch struct {
	large                                              bool // labels and descriptions wait in pending_name; see Store.settle
	firstEntity, firstRelation, firstType, firstTriple int  // set when it is handed over

	origins        []origin
	entities       []pendingEntity
	relations      []string
	relationLabels []relationLabel
	types          []string
	typings        []typing
	triples        []pendingTriple
	places         []place
	labels         []pendingLabel
	aliases        []pendingAlias
	descriptions   []pendingLabel
	extractions    []pendingExtraction
	additions      []pendingAddition
}

type (
	origin struct {
		id   int64
		name string
	}
	pendingEntity struct {
		key, label, language, datatype string // label empty for the key
		literal, rank                  int64
	}
	relationLabel struct {
		relation RelationID
		text     string
	}
	pendingTriple struct {
		Triple
		origin, line int64
	}
	place struct {
		triple       TripleID
		origin, line int64
	}
	pendingLabel struct {
		entity         EntityID
		text, language string
		rank           uint8
	}
	pendingAlias struct {
		entity         EntityID
		text, language string
	}
)

// size returns the number of pending rows.
func (b *batch) size() int {
	return len(b.origins) + len(b.entities) + len(b.relations) + len(b.relationLabels) + len(b.types) + len(b.typings) +
		len(b.triples) + len(b.places) + len(b.labels) + len(b.aliases) + len(b.descriptions) +
		len(b.extractions) + len(b.additions)
}

// clear empties the batch and keeps its memory for the next.
func (b *batch) clear() {
	clear(b.entities) // let go of the strings
	clear(b.aliases)
	clear(b.labels)
	clear(b.descriptions)
	clear(b.extractions)
	*b = batch{
		origins: b.origins[:0], entities: b.entities[:0], relations: b.relations[:0], relationLabels: b.relationLabels[:0],
		types: b.types[:0], typings: b.typings[:0], triples: b.triples[:0], places: b.places[:0],
		labels: b.labels[:0], aliases: b.aliases[:0], descriptions: b.descriptions[:0],
		extractions: b.extractions[:0], additions: b.additions[:0],
	}
}

// write writes the rows. Aliases come after the labels, because a label that is
// replaced becomes an alias.
func (b *batch) write(ctx context.Context, conn *sql.Conn, layer int64) error {
	in := inserter{conn: conn}
	steps := []func() error{
		func() error {
			return in.rows(ctx, "INSERT INTO source (id, layer, name) VALUES", 3, len(b.origins), func(row []any, i int) {
				row[0], row[1], row[2] = b.origins[i].id, layer, b.origins[i].name
			})
		},
		func() error {
			return in.rows(ctx, "INSERT INTO entity (id, key, label, label_rank, language, literal, datatype) VALUES", 7, len(b.entities), func(row []any, i int) {
				p := &b.entities[i]
				row[0], row[1], row[2], row[3], row[4], row[5], row[6] = int64(b.firstEntity+i), p.key, orNull(p.label, p.key), p.rank, p.language, p.literal, p.datatype
			})
		},
		func() error {
			return in.rows(ctx, "INSERT INTO relation (id, key) VALUES", 2, len(b.relations), func(row []any, i int) {
				row[0], row[1] = int64(b.firstRelation+i), b.relations[i]
			})
		},
		func() error {
			return in.rows(ctx, "INSERT INTO type (id, key) VALUES", 2, len(b.types), func(row []any, i int) {
				row[0], row[1] = int64(b.firstType+i), b.types[i]
			})
		},
		func() error {
			slices.SortFunc(b.typings, typing.compare)
			return in.rows(ctx, "INSERT INTO entity_type (entity, type) VALUES", 2, len(b.typings), func(row []any, i int) {
				row[0], row[1] = int64(b.typings[i].entity), int64(b.typings[i].kind)
			})
		},
		func() error {
			return in.rows(ctx, "INSERT INTO triple (id, head, relation, tail, source, line) VALUES", 6, len(b.triples), func(row []any, i int) {
				t := &b.triples[i]
				row[0], row[1], row[2], row[3], row[4], row[5] = int64(b.firstTriple+i), int64(t.Head), int64(t.Relation), int64(t.Tail), t.origin, t.line
			})
		},
		func() error {
			return in.rows(ctx, "INSERT OR IGNORE INTO provenance (triple, source, line) VALUES", 3, len(b.places), func(row []any, i int) {
				row[0], row[1], row[2] = int64(b.places[i].triple), b.places[i].origin, b.places[i].line
			})
		},
		func() error { return b.writeNames(ctx, &in) },
		func() error {
			slices.SortStableFunc(b.aliases, func(x, y pendingAlias) int { return cmp.Compare(x.entity, y.entity) })
			return in.rows(ctx, "INSERT OR IGNORE INTO alias (entity, text, language) VALUES", 3, len(b.aliases), func(row []any, i int) {
				row[0], row[1], row[2] = int64(b.aliases[i].entity), b.aliases[i].text, b.aliases[i].language
			})
		},
		func() error { return b.writeExtractions(ctx, &in, layer) },
	}
	for _, step := range steps {
		if err := step(); err != nil {
			return err
		}
	}
	return nil
}

// writeNames writes the labels and descriptions of entities and relations that
// are in the file already.
func (b *batch) writeNames(ctx context.Context, in *inserter) error {
	if b.large {
		if err := b.writePending(ctx, in); err != nil {
			return err
		}
	} else {
		if err := b.writeLabels(ctx, in.conn); err != nil {
			return err
		}
		if err := in.each(ctx, "UPDATE entity SET description = ?, description_rank = ? WHERE id = ?", len(b.descriptions), func(i int) []any {
			d := &b.descriptions[i]
			return []any{d.text, int64(d.rank), int64(d.entity)}
		}); err != nil {
			return err
		}
	}
	return in.each(ctx, "UPDATE relation SET label = ? WHERE id = ?", len(b.relationLabels), func(i int) []any {
		return []any{b.relationLabels[i].text, int64(b.relationLabels[i].relation)}
	})
}

// The kinds of rows of pending_name.
const (
	pendingLabelKind       = 0
	pendingDescriptionKind = 1
)

// writePending writes labels and descriptions where they wait for Store.settle.
func (b *batch) writePending(ctx context.Context, in *inserter) error {
	for kind, list := range [][]pendingLabel{pendingLabelKind: b.labels, pendingDescriptionKind: b.descriptions} {
		err := in.rows(ctx, "INSERT INTO pending_name (entity, kind, text, language, rank) VALUES", 5, len(list), func(row []any, i int) {
			l := &list[i]
			row[0], row[1], row[2], row[3], row[4] = int64(l.entity), int64(kind), l.text, l.language, int64(l.rank)
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// writeLabels replaces labels; the one that gives way stays as an alias.
func (b *batch) writeLabels(ctx context.Context, conn *sql.Conn) error {
	if len(b.labels) == 0 {
		return nil
	}
	keep, err := conn.PrepareContext(ctx, "INSERT OR IGNORE INTO alias (entity, text, language) SELECT id, coalesce(label, key), language FROM entity WHERE id = ? AND label_rank < ?")
	if err != nil {
		return err
	}
	defer keep.Close()
	set, err := conn.PrepareContext(ctx, "UPDATE entity SET label = ?, language = ?, label_rank = ? WHERE id = ?")
	if err != nil {
		return err
	}
	defer set.Close()
	whole := context.WithoutCancel(ctx)
	for i := range b.labels {
		l := &b.labels[i]
		if i%256 == 0 {
			if err := ctx.Err(); err != nil {
				return err
			}
		}
		if _, err := keep.ExecContext(whole, int64(l.entity), RankFallback); err != nil {
			return err
		}
		if _, err := set.ExecContext(whole, l.text, l.language, int64(l.rank), int64(l.entity)); err != nil {
			return err
		}
	}
	return nil
}

// orNull returns text, or nil where it says no more than key.
func orNull(text, key string) any {
	if text == "" || text == key {
		return nil
	}
	return text
}

// inserter inserts many rows with few statements.
type inserter struct {
	conn *sql.Conn
	args []any
}

// rowsPerInsert is how many rows one statement inserts: enough that the cost of
// a statement does not count, few enough that a cancel is quick.
const rowsPerInsert = 128

// rows inserts n rows of the given width. fill sets the values of row i.
func (in *inserter) rows(ctx context.Context, insert string, width, n int, fill func(row []any, i int)) error {
	whole := context.WithoutCancel(ctx)
	for at := 0; at < n; {
		size := min(rowsPerInsert, n-at)
		stmt, err := in.conn.PrepareContext(whole, insert+placeholders(width, size))
		if err != nil {
			return err
		}
		if cap(in.args) < width*size {
			in.args = make([]any, width*size)
		}
		args := in.args[:width*size]
		for ; n-at >= size; at += size {
			if err := ctx.Err(); err != nil {
				_ = stmt.Close()
				return err
			}
			for i := range size {
				fill(args[i*width:(i+1)*width], at+i)
			}
			if _, err := stmt.ExecContext(whole, args...); err != nil {
				_ = stmt.Close()
				return err
			}
		}
		if err := stmt.Close(); err != nil {
			return err
		}
	}
	return nil
}

// each runs a statement n times. args returns what run i binds.
func (in *inserter) each(ctx context.Context, query string, n int, args func(i int) []any) error {
	if n == 0 {
		return nil
	}
	stmt, err := in.conn.PrepareContext(ctx, query)
	if err != nil {
		return err
	}
	defer stmt.Close()
	for i := range n {
		if i%256 == 0 {
			if err := ctx.Err(); err != nil {
				return err
			}
		}
		if _, err := stmt.ExecContext(context.WithoutCancel(ctx), args(i)...); err != nil {
			return err
		}
	}
	return nil
}

// placeholders returns " (?,?),(?,?)…" for size rows.
func placeholders(width, size int) string {
	row := "(" + strings.TrimSuffix(strings.Repeat("?,", width), ",") + ")"
	return " " + strings.TrimSuffix(strings.Repeat(row+",", size), ",")
}
