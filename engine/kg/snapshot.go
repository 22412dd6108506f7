package kg

import (
	"context"
	"database/sql"
	"fmt"
	"log/slog"
	"strings"
	"time"
)

// checkEvery is how many rows pass between two looks at the context.
const checkEvery = 4096

// Graph returns the graph as it now is: from the snapshot beside the file where
// that is sound and current, and made from the file, and saved, where it is not.
// progress, which may be nil, is told the triples read and their number.
func (s *Store) Graph(ctx context.Context, progress func(done, total int64)) (*Graph, error) {
	const doing = "read the graph in"
	began := time.Now()
	s.settleLeft(ctx)
	tx, err := s.db.BeginTx(ctx, &sql.TxOptions{ReadOnly: true})
	if err != nil {
		return nil, fileError(doing, s.path, err)
	}
	defer func() { _ = tx.Rollback() }()
	var version string
	if err := tx.QueryRowContext(ctx, "SELECT version FROM graph").Scan(&version); err != nil {
		return nil, fileError(doing, s.path, err)
	}
	g, err := readSnapshot(s.snapshotPath(), version)
	if err == nil {
		s.log.DebugContext(ctx, "read the snapshot", slog.Int("triples", g.Triples()), slog.Duration("took", time.Since(began)))
		return g, nil
	}
	s.log.DebugContext(ctx, "make the snapshot anew", slog.String("because", err.Error()))
	scan := scanner{ctx: ctx, tx: tx, progress: progress}
	if g, err = scan.graph(); err != nil {
		return nil, fileError(doing, s.path, err)
	}
	if err := writeSnapshot(s.snapshotPath(), version, g); err != nil {
		s.notice("The snapshot that makes opening fast could not be saved (" + err.Error() + "): the graph is read anew each time.")
		s.log.DebugContext(ctx, "the snapshot was not saved", slog.String("because", err.Error()))
	}
	s.log.DebugContext(ctx, "made the snapshot", slog.Int("triples", g.Triples()), slog.Duration("took", time.Since(began)))
	return g, nil
}

// scanner reads a graph out of the tables within one transaction.
type scanner struct {
	ctx      context.Context //nolint:containedctx // lives for one call of Graph
	tx       *sql.Tx
	progress func(done, total int64)

	c     columns
	named map[string]EntityID // entities whose label may name a relation or a type
}

func (s *scanner) graph() (*Graph, error) {
	typeKeys, relationLabels, err := s.kinds()
	if err != nil {
		return nil, err
	}
	for _, step := range []func() error{s.entities, s.aliases, s.typings, s.triples, s.extracted} {
		if err := step(); err != nil {
			return nil, err
		}
	}
	for r, key := range s.c.relationKeys {
		text := relationLabels[r]
		if e, ok := s.named[key]; text == "" && ok && e != NoEntity {
			text = s.c.labels.get(int(e))
		}
		if text == "" {
			text = RelationText(key)
		}
		s.c.relationTexts = append(s.c.relationTexts, text)
	}
	for _, key := range typeKeys {
		text := typeText(key)
		if e, ok := s.named[key]; ok && e != NoEntity {
			text = s.c.labels.get(int(e))
		}
		s.c.typeLabels = append(s.c.typeLabels, text)
	}
	return s.c.graph(), nil
}

// typeText names a type that has no label: the local name of an IRI in words,
// any other name as it is.
func typeText(key string) string {
	if strings.Contains(key, "://") {
		return RelationText(key)
	}
	return key
}

// kinds reads the relations and the types.
func (s *scanner) kinds() (typeKeys, relationLabels []string, err error) {
	s.named = map[string]EntityID{}
	err = s.each("SELECT id, key, coalesce(label, '') FROM relation ORDER BY id", func(rows *sql.Rows) error {
		var id int64
		var key, label string
		if err := rows.Scan(&id, &key, &label); err != nil {
			return err
		}
		s.c.relationKeys = append(s.c.relationKeys, key)
		relationLabels = append(relationLabels, label)
		s.named[key] = NoEntity
		return dense("relation", id, len(relationLabels)-1)
	})
	if err != nil {
		return nil, nil, err
	}
	err = s.each("SELECT id, key FROM type ORDER BY id", func(rows *sql.Rows) error {
		var id int64
		var key string
		if err := rows.Scan(&id, &key); err != nil {
			return err
		}
		typeKeys = append(typeKeys, key)
		s.named[key] = NoEntity
		return dense("type", id, len(typeKeys)-1)
	})
	return typeKeys, relationLabels, err
}

func (s *scanner) entities() error {
	var key, label sql.RawBytes
	return s.each("SELECT id, key, label, label_rank, literal FROM entity ORDER BY id", func(rows *sql.Rows) error {
		var id int64
		var rank, literal uint8
		if err := rows.Scan(&id, &key, &label, &rank, &literal); err != nil {
			return err
		}
		e := s.c.keys.size()
		s.c.keys.add(string(key))
		if label == nil {
			label = key
		}
		s.c.labels.add(string(label))
		s.c.literal = append(s.c.literal, literal&1)
		if rank < RankFallback {
			if _, ok := s.named[string(key)]; ok {
				s.named[s.c.keys.get(e)] = EntityID(e)
			}
		}
		return dense("entity", id, e)
	})
}

func (s *scanner) aliases() error {
	return s.each("SELECT entity, text FROM alias ORDER BY entity, rowid", func(rows *sql.Rows) error {
		var e int64
		var text string
		if err := rows.Scan(&e, &text); err != nil {
			return err
		}
		if err := s.within("alias", e, s.c.labels.size()); err != nil {
			return err
		}
		if text != s.c.labels.get(int(e)) {
			s.c.aliases = append(s.c.aliases, naming{EntityID(e), text})
		}
		return nil
	})
}

func (s *scanner) typings() error {
	types := 0
	if err := s.tx.QueryRowContext(s.ctx, "SELECT count(*) FROM type").Scan(&types); err != nil {
		return err
	}
	return s.each("SELECT entity, type FROM entity_type ORDER BY entity, type", func(rows *sql.Rows) error {
		var e, t int64
		if err := rows.Scan(&e, &t); err != nil {
			return err
		}
		if err := s.within("typed entity", e, s.c.labels.size()); err != nil {
			return err
		}
		s.c.typings = append(s.c.typings, typing{EntityID(e), TypeID(t)})
		return s.within("type", t, types)
	})
}

// triples reads the triples, which are most of the work and the progress.
func (s *scanner) triples() error {
	var total int64
	if err := s.tx.QueryRowContext(s.ctx, "SELECT coalesce(max(id) + 1, 0) FROM triple").Scan(&total); err != nil {
		return err
	}
	s.c.triples = make([]Triple, 0, min(total, 1<<32))
	entities, relations := s.c.labels.size(), len(s.c.relationKeys)
	return s.each("SELECT id, head, relation, tail FROM triple ORDER BY id", func(rows *sql.Rows) error {
		var id, head, relation, tail int64
		if err := rows.Scan(&id, &head, &relation, &tail); err != nil {
			return err
		}
		if uint64(head) >= uint64(entities) || uint64(tail) >= uint64(entities) || uint64(relation) >= uint64(relations) {
			return &inconsistency{fmt.Sprintf("triple %d refers to an entity or a relation that is not there", id)}
		}
		if s.progress != nil && len(s.c.triples)%(8*checkEvery) == 0 {
			s.progress(int64(len(s.c.triples)), total)
		}
		s.c.triples = append(s.c.triples, Triple{EntityID(head), RelationID(relation), EntityID(tail)})
		return dense("triple", id, len(s.c.triples)-1)
	})
}

// each calls fn for every row of a query and looks at the context now and then.
func (s *scanner) each(query string, fn func(rows *sql.Rows) error) error {
	rows, err := s.tx.QueryContext(context.WithoutCancel(s.ctx), query)
	if err != nil {
		return err
	}
	defer rows.Close()
	for n := 0; rows.Next(); n++ {
		if n%checkEvery == 0 {
			if err := s.ctx.Err(); err != nil {
				return err
			}
		}
		if err := fn(rows); err != nil {
			return err
		}
	}
	return rows.Err()
}

// inconsistency is a row that the program would never have written.
type inconsistency struct{ what string }

func (e *inconsistency) Error() string { return e.what }

// dense reports an inconsistency where ids are not 0, 1, 2 and so on.
func dense(what string, id int64, want int) error {
	if id != int64(want) {
		return &inconsistency{fmt.Sprintf("%s %d is missing", what, want)}
	}
	return nil
}

// within reports an inconsistency where an id is not below size.
func (s *scanner) within(what string, id int64, size int) error {
	if id < 0 || id >= int64(size) {
		return &inconsistency{fmt.Sprintf("%s %d is not there", what, id)}
	}
	return nil
}
