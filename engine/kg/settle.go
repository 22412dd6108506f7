package kg

import (
	"context"
	"database/sql"
	"errors"
)

// A large import leaves two things undone until its end, because doing them row by
// row would write most pages of the file again with every batch:
//
//	entity_key    the index of the entities' keys
//	pending_name  names found for entities whose rows were written before
//
// settle does them, in the order of the rows. After a kill the file is whole all
// the same: entities are called by their keys until then, and looking for a key
// reads all of them. Whoever reads the graph, or imports, settles first.

// settleEvery is how many entities get their names in one transaction.
const settleEvery = 1 << 17

// unsettled says what a large import left undone.
type unsettled struct {
	index bool // entity_key is missing
	names bool // pending_name has rows
}

// unsettled looks what there is to do for settle.
func (s *Store) unsettled(ctx context.Context) (u unsettled, err error) {
	err = s.db.QueryRowContext(ctx, "SELECT NOT EXISTS (SELECT 1 FROM sqlite_schema WHERE name = 'entity_key'), EXISTS (SELECT 1 FROM pending_name)").
		Scan(&u.index, &u.names)
	return u, fileError("read", s.path, err)
}

// CutShort reports whether a large import into the graph was cut short, and not yet
// settled.
func (s *Store) CutShort(ctx context.Context) (bool, error) {
	u, err := s.unsettled(ctx)
	return u.index || u.names, err
}

// settle does what a large import left undone. progress, which may be nil, is told
// how far that has come. A cancel or a kill leaves a file that the next settle goes
// on with.
func (s *Store) settle(ctx context.Context, progress func(done, total int64)) error {
	u, err := s.unsettled(ctx)
	if err != nil || !u.index && !u.names {
		return err
	}
	if progress == nil {
		progress = func(int64, int64) {}
	}
	var entities int64
	if err := s.db.QueryRowContext(ctx, "SELECT coalesce(max(id) + 1, 0) FROM entity").Scan(&entities); err != nil {
		return fileError("read", s.path, err)
	}
	// Names take about as long as the index.
	total := 2 * entities
	if u.names {
		if err := s.settleNames(ctx, entities, func(done int64) { progress(done, total) }); err != nil {
			return err
		}
	}
	progress(entities, total)
	if u.index {
		if err := s.settleIndex(ctx); err != nil {
			return err
		}
	}
	progress(total, total)
	return nil
}

// settleLeft settles what an import that was cut short left, before the graph is
// read. Where it cannot, entities without their names are called by their keys. No
// import may begin meanwhile: the names that it leaves for its end would be thrown
// away with those that are settled.
func (s *Store) settleLeft(ctx context.Context) {
	if s.importing.Load() {
		return // its end will
	}
	u, err := s.unsettled(ctx)
	if err != nil || !u.index && !u.names {
		return // reading the graph will say what is wrong
	}
	if err = s.cannotWrite("write the names of entities into"); !s.readOnly {
		if !s.importing.CompareAndSwap(false, true) {
			return
		}
		err = s.settle(ctx, nil)
		s.importing.Store(false)
	}
	if err == nil {
		return
	}
	if u.names && ctx.Err() == nil {
		s.notice("An import into this graph stopped before its names were stored, so some entities show their keys. To store the names, run the same import again, or open the graph where it is writable.")
	}
}

// settleIndex makes the index of the keys. SQLite sorts them in files, so that
// memory stays bounded, and on two threads.
func (s *Store) settleIndex(ctx context.Context) error {
	const doing = "sort the keys of"
	sort := func() error {
		return s.update(ctx, doing, func(conn *sql.Conn) error {
			return execAll(ctx, conn, []string{"CREATE UNIQUE INDEX IF NOT EXISTS entity_key ON entity (key)"})
		})
	}
	if err := s.pragmas(ctx, "PRAGMA temp_store = FILE", "PRAGMA threads = 2"); err != nil {
		return err
	}
	err := sort()
	if restored := s.pragmas(context.WithoutCancel(ctx), "PRAGMA threads = 0", "PRAGMA temp_store = MEMORY"); restored != nil {
		return errors.Join(err, restored)
	}
	if err != nil && ctx.Err() == nil {
		err = sort() // there may be no room in the folder for temporary files
	}
	return err
}

// pragmas changes settings of the writing connection.
func (s *Store) pragmas(ctx context.Context, list ...string) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.write == nil {
		return nil // closed meanwhile
	}
	return fileError("set up", s.path, execAll(ctx, s.write, list))
}

// settleNames gives the entities the names that wait for them, by ranges of ids. A
// range that was done before is done again without harm.
func (s *Store) settleNames(ctx context.Context, entities int64, progress func(done int64)) error {
	const doing = "write the names of entities into"
	err := s.update(ctx, doing, func(conn *sql.Conn) error {
		return execAll(ctx, conn, []string{"CREATE INDEX IF NOT EXISTS pending_name_entity ON pending_name (entity, kind)"})
	})
	if err != nil {
		return err
	}
	for from := int64(0); from < entities; from += settleEvery {
		progress(from)
		err := s.update(ctx, doing, func(conn *sql.Conn) error {
			return execAll(ctx, conn, settleNamesOf, from, from+settleEvery)
		})
		if err != nil {
			return err
		}
	}
	return s.update(ctx, doing, func(conn *sql.Conn) error {
		return execAll(ctx, conn, []string{"DROP INDEX pending_name_entity", "DELETE FROM pending_name", renewVersion})
	})
}

// settleNamesOf does for the entities from ?1 to below ?2 what batch.writeNames does
// at once: the last label and the last description stay, and the labels that gave
// way to others become aliases.
var settleNamesOf = []string{
	keepLabel + ` AS e
		WHERE e.id >= ?1 AND e.id < ?2 AND e.label_rank < 255 AND EXISTS (
			SELECT 1 FROM pending_name AS n WHERE n.entity = e.id AND n.kind = 0 AND (n.text <> coalesce(e.label, e.key) OR n.source <> e.label_source))`,
	`INSERT OR IGNORE INTO alias (entity, text, language, rank, first, source)
		SELECT n.entity, n.text, n.language, n.rank, 1, n.source FROM pending_name AS n
		WHERE n.entity >= ?1 AND n.entity < ?2 AND n.kind = 0 AND EXISTS (
			SELECT 1 FROM pending_name AS m WHERE m.entity = n.entity AND m.kind = 0 AND m.rowid > n.rowid)
		ORDER BY n.entity, n.rowid`,
	`UPDATE entity SET (label, language, label_rank, label_source) = (
			SELECT n.text, n.language, n.rank, n.source FROM pending_name AS n WHERE n.entity = entity.id AND n.kind = 0 ORDER BY n.rowid DESC LIMIT 1)
		WHERE id >= ?1 AND id < ?2 AND EXISTS (SELECT 1 FROM pending_name AS n WHERE n.entity = entity.id AND n.kind = 0)`,
	keepDescription + ` AS e
		WHERE e.id >= ?1 AND e.id < ?2 AND e.description_rank < 255 AND EXISTS (
			SELECT 1 FROM pending_name AS n WHERE n.entity = e.id AND n.kind = 1 AND (n.rank <> e.description_rank OR n.source <> e.description_source))`,
	`INSERT OR REPLACE INTO description (entity, source, rank, text)
		SELECT n.entity, n.source, n.rank, n.text FROM pending_name AS n
		WHERE n.entity >= ?1 AND n.entity < ?2 AND n.kind = 1 AND EXISTS (
			SELECT 1 FROM pending_name AS m WHERE m.entity = n.entity AND m.kind = 1 AND m.rowid > n.rowid)`,
	`UPDATE entity SET (description, description_rank, description_source) = (
			SELECT n.text, n.rank, n.source FROM pending_name AS n WHERE n.entity = entity.id AND n.kind = 1 ORDER BY n.rowid DESC LIMIT 1)
		WHERE id >= ?1 AND id < ?2 AND EXISTS (SELECT 1 FROM pending_name AS n WHERE n.entity = entity.id AND n.kind = 1)`,
}
