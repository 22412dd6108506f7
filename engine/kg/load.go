package kg

import (
	"bytes"
	"context"
	"database/sql"
	"fmt"
	"math"
)

// load reads what ids and statements the store already has.
func (w *Writer) load(ctx context.Context, conn *sql.Conn, progress func(done, total int64)) error {
	l := loader{w: w, ctx: ctx, conn: conn, progress: progress}
	if err := conn.QueryRowContext(ctx, "SELECT (SELECT coalesce(max(id)+1, 0) FROM entity), (SELECT coalesce(max(id)+1, 0) FROM triple), (SELECT count(*) FROM entity_type)").
		Scan(&l.numEntities, &l.numTriples, &l.numTypings); err != nil {
		return err
	}
	if err := conn.QueryRowContext(ctx, "SELECT coalesce(max(rowid) + 1, 0) FROM pending_name").Scan(&l.numPending); err != nil {
		return err
	}
	l.total = l.numEntities + l.numPending + l.numTriples + l.numTypings
	for _, step := range []func() error{l.entities, l.pending, l.relations, l.types, l.triples, l.typings} {
		if err := step(); err != nil {
			return err
		}
	}
	return nil
}

// loader reads tables from front to back into a Writer.
type loader struct {
	w        *Writer
	ctx      context.Context //nolint:containedctx // lives for one call of load
	conn     *sql.Conn
	progress func(done, total int64)

	numEntities, numPending, numTriples, numTypings int64 // as the file says
	done, total                                     int64 // rows
}

// room returns how many rows to make room for beforehand: a damaged file may
// promise any number.
func room(rows int64) int { return int(max(0, min(rows, 1<<27))) }

func (l *loader) entities() error {
	w := l.w
	w.entities, w.ranks = newKeyTable(room(l.numEntities)), make([]ranks, 0, room(l.numEntities))
	return l.each("SELECT id, key, label_rank, description_rank FROM entity ORDER BY id", func(rows *sql.Rows) error {
		var id int64
		var key sql.RawBytes
		var r ranks
		if err := rows.Scan(&id, &key, &r.label, &r.description); err != nil {
			return err
		}
		if _, added := w.entities.put(key); !added {
			return &inconsistency{"two entities have the key " + string(key)}
		}
		w.ranks = append(w.ranks, r)
		return dense("entity", id, len(w.ranks)-1)
	})
}

// pending reads how good the names are that wait for Store.settle: the last of an
// entity is its best.
func (l *loader) pending() error {
	w := l.w
	const query = "SELECT group_concat(entity||' '||kind||' '||rank, ' ') FROM pending_name WHERE rowid >= ? AND rowid < ?"
	return l.numbers(query, l.numPending, 3, func(row []int64) error {
		if row[0] >= int64(len(w.ranks)) || row[2] > RankFallback {
			return &inconsistency{fmt.Sprintf("a name of entity %d waits that cannot be", row[0])}
		}
		if r := &w.ranks[row[0]]; row[1] == pendingLabelKind {
			r.label = uint8(row[2])
		} else {
			r.description = uint8(row[2])
		}
		return nil
	}, func(int64) error { return nil })
}

func (l *loader) relations() error {
	w := l.w
	return l.each("SELECT id, key FROM relation ORDER BY id", func(rows *sql.Rows) error {
		var id int64
		var key string
		if err := rows.Scan(&id, &key); err != nil {
			return err
		}
		w.relations[key] = RelationID(id)
		return dense("relation", id, len(w.relations)-1)
	})
}

func (l *loader) types() error {
	w := l.w
	return l.each("SELECT id, key FROM type ORDER BY id", func(rows *sql.Rows) error {
		var id int64
		var key string
		if err := rows.Scan(&id, &key); err != nil {
			return err
		}
		w.types[key] = TypeID(id)
		return dense("type", id, len(w.types)-1)
	})
}

func (l *loader) triples() error {
	w := l.w
	w.triples = newTripleTable(room(l.numTriples))
	const query = "SELECT group_concat(id||' '||head||' '||relation||' '||tail, ' ') FROM triple WHERE id >= ? AND id < ?"
	return l.numbers(query, l.numTriples, 4, func(row []int64) error {
		n := w.triples.size()
		if _, added := w.triples.put(Triple{EntityID(row[1]), RelationID(row[2]), EntityID(row[3])}); !added {
			return &inconsistency{fmt.Sprintf("triple %d is there twice", row[0])}
		}
		return dense("triple", row[0], n)
	}, func(end int64) error { return dense("triple", end, w.triples.size()) })
}

func (l *loader) typings() error {
	w := l.w
	w.typings = newTypingTable(room(l.numTypings))
	const query = "SELECT group_concat(entity||' '||type, ' ') FROM entity_type WHERE entity >= ? AND entity < ?"
	return l.numbers(query, int64(len(w.ranks)), 2, func(row []int64) error {
		w.typings.put(typing{EntityID(row[0]), TypeID(row[1])})
		return nil
	}, func(int64) error { return nil })
}

// tick is called for every row.
func (l *loader) tick() error {
	if l.done%checkEvery == 0 {
		if err := l.ctx.Err(); err != nil {
			return err
		}
		if l.progress != nil && l.done > 0 {
			l.progress(min(l.done, l.total), l.total)
		}
	}
	l.done++
	return nil
}

// each calls fn for every row of a query.
func (l *loader) each(query string, fn func(rows *sql.Rows) error) error {
	rows, err := l.conn.QueryContext(context.WithoutCancel(l.ctx), query)
	if err != nil {
		return err
	}
	defer rows.Close()
	for rows.Next() {
		if err := l.tick(); err != nil {
			return err
		}
		if err := fn(rows); err != nil {
			return err
		}
	}
	return rows.Err()
}

// numbers calls fn for every row of a table of whole numbers, width of them a row.
// query returns the rows whose ids are in a range as one text, all numbers divided
// by spaces: the driver takes four times as long to hand over the rows one by one.
// Ids are below end; after is called for each range with the end of it.
func (l *loader) numbers(query string, end int64, width int, fn func(row []int64) error, after func(end int64) error) error {
	stmt, err := l.conn.PrepareContext(l.ctx, query)
	if err != nil {
		return err
	}
	defer stmt.Close()
	row := make([]int64, 0, width)
	part := func(from int64) error {
		rows, err := stmt.QueryContext(context.WithoutCancel(l.ctx), from, from+checkEvery)
		if err != nil {
			return err
		}
		defer rows.Close()
		for rows.Next() {
			var text sql.RawBytes
			if err := rows.Scan(&text); err != nil {
				return err
			}
			for len(text) > 0 {
				var n int64
				var ok bool
				if n, text, ok = cutNumber(text); !ok {
					return &inconsistency{"a number is missing or too large"}
				}
				if row = append(row, n); len(row) < width {
					continue
				}
				if err := l.tick(); err != nil {
					return err
				}
				if err := fn(row); err != nil {
					return err
				}
				row = row[:0]
			}
		}
		return rows.Err()
	}
	for from := int64(0); from < end; from += checkEvery {
		if err := part(from); err != nil {
			return err
		}
		if err := after(min(from+checkEvery, end)); err != nil {
			return err
		}
	}
	return nil
}

// cutNumber reads a number from 0 to 2³²-1 and the space after it; ok is false
// where there is none: ids are no larger.
func cutNumber(text []byte) (n int64, rest []byte, ok bool) {
	digits := bytes.IndexByte(text, ' ')
	if rest = text[min(digits+1, len(text)):]; digits < 0 {
		digits, rest = len(text), nil
	}
	for _, c := range text[:digits] {
		if c < '0' || c > '9' || n > math.MaxUint32/10 {
			return 0, nil, false
		}
		n = n*10 + int64(c-'0')
	}
	return n, rest, digits > 0 && n <= math.MaxUint32
}
