package kg

import (
	"context"
	"database/sql"
	"fmt"
)

// load reads what ids and statements the store already has.
func (w *Writer) load(ctx context.Context, conn *sql.Conn, progress func(done, total int64)) error {
	r := &tableReader{ctx: ctx, conns: []querier{conn}, progress: progress}
	sizes, err := r.sizes([2]string{"entity", "id"}, [2]string{"pending_name", "rowid"}, [2]string{"triple", "id"}, [2]string{"property_value", "members"})
	if err != nil {
		return err
	}
	entities, pending, triples, sets := sizes[0], sizes[1], sizes[2], sizes[3]
	r.total = 2*entities + pending + triples + sets // types by the entity
	err = inTurn(
		func() error { return w.loadEntities(r, entities) },
		func() error { return w.loadPending(r, pending) },
		func() error { return loadKeys(r, "relation", w.relations) },
		func() error { return loadKeys(r, "type", w.types) },
	)
	if err != nil {
		return err
	}
	w.triples = newTripleTable(int(triples))
	const queryTriples = "SELECT group_concat(id), group_concat(head), group_concat(relation), group_concat(tail) FROM triple NOT INDEXED WHERE id >= ? AND id < ?"
	err = blocks(r, queryTriples, 4, rowsPerBlock, triples, table, func(rows []int64) error {
		for ; len(rows) > 0; rows = rows[4:] {
			id, added := w.triples.put(Triple{EntityID(rows[1]), RelationID(rows[2]), EntityID(rows[3])})
			if !added {
				return &inconsistency{fmt.Sprintf("triple %d is there twice", rows[0])}
			}
			if err := dense("triple", rows[0], int(id)); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return err
	}
	w.typings = newPairTable()
	if w.inactive, err = inactive(r, int(triples)); err != nil {
		return err
	}
	queryTypings := fmt.Sprintf("SELECT group_concat(entity), group_concat(type) FROM entity_type WHERE entity >= ? AND entity < ? AND source = %d", w.source)
	err = blocks(r, queryTypings, 2, rowsPerBlock, entities, table, func(rows []int64) error {
		for ; len(rows) > 0; rows = rows[2:] {
			w.typings.put(uint32(rows[0]), uint32(rows[1]))
		}
		return nil
	})
	if err != nil {
		return err
	}
	return w.loadStatements(r, sets, triples)
}

// entityBlock is what loadEntities reads of a range of entities.
type entityBlock struct {
	keys    string // one after another
	numbers []int64
}

// loadEntities reads the keys and ranks of n entities.
func (w *Writer) loadEntities(r *tableReader, n int64) error {
	const query = `SELECT group_concat(id), group_concat(octet_length(key)), group_concat(label_rank), group_concat(description_rank),
		group_concat(key, '') FROM entity NOT INDEXED WHERE id >= ? AND id < ?`
	w.entities, w.ranks = newKeyTable(int(n)), make([]ranks, 0, n)
	var key []byte
	return blocks(r, query, 5, textsPerBlock, n, func(lo, hi int64, columns []string) (entityBlock, error) {
		rows, err := table(lo, hi, columns[:4])
		return entityBlock{columns[4], rows}, err
	}, func(b entityBlock) error {
		for rows := b.numbers; len(rows) > 0; rows = rows[4:] {
			if err := dense("entity", rows[0], len(w.ranks)); err != nil {
				return err
			}
			if rows[1] > int64(len(b.keys)) || max(rows[2], rows[3]) > RankFallback {
				return &inconsistency{fmt.Sprintf("entity %d has no key, or a name that cannot be", rows[0])}
			}
			key = append(key[:0], b.keys[:rows[1]]...)
			b.keys = b.keys[rows[1]:]
			if _, added := w.entities.put(key); !added {
				return &inconsistency{"two entities have the key " + string(key)}
			}
			w.ranks = append(w.ranks, ranks{uint8(rows[2]), uint8(rows[3])})
		}
		return nil
	})
}

// loadPending reads how good the names are that wait for Store.settle: the last of an
// entity is its best.
func (w *Writer) loadPending(r *tableReader, n int64) error {
	const query = "SELECT group_concat(entity), group_concat(kind), group_concat(rank) FROM pending_name WHERE rowid >= ? AND rowid < ?"
	return blocks(r, query, 3, rowsPerBlock, n, table, func(rows []int64) error {
		for ; len(rows) > 0; rows = rows[3:] {
			if rows[0] >= int64(len(w.ranks)) || rows[2] > RankFallback {
				return &inconsistency{fmt.Sprintf("a name of entity %d waits that cannot be", rows[0])}
			}
			if at := &w.ranks[rows[0]]; rows[1] == pendingLabelKind {
				at.label = uint8(rows[2])
			} else {
				at.description = uint8(rows[2])
			}
		}
		return nil
	})
}

// loadKeys reads the ids of relations or types.
func loadKeys[ID ~uint32](r *tableReader, table string, ids map[string]ID) error {
	return r.each("SELECT id, key FROM "+table+" ORDER BY id", func(rows *sql.Rows) error {
		var id int64
		var key string
		if err := rows.Scan(&id, &key); err != nil {
			return err
		}
		ids[key] = ID(id)
		return dense(table, id, len(ids)-1)
	})
}

// EntityID returns the entity with the given key. It asks the file rather than
// the graph in memory, which has no index of keys.
func (s *Store) EntityID(ctx context.Context, key string) (id EntityID, ok bool, err error) {
	if ok, err = s.row(ctx, "look for an entity in", "SELECT id FROM entity WHERE key = ?", []any{key}, &id); !ok {
		id = NoEntity
	}
	return id, ok, err
}
