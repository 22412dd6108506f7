package kg

import (
	"context"
	"database/sql"
	"errors"
)

// EntityID returns the entity with the given key. It asks the file rather than
// the graph in memory, which has no index of keys.
func (s *Store) EntityID(ctx context.Context, key string) (id EntityID, ok bool, err error) {
	err = s.db.QueryRowContext(ctx, "SELECT id FROM entity WHERE key = ?", key).Scan(&id)
	if errors.Is(err, sql.ErrNoRows) {
		return NoEntity, false, nil
	}
	if err != nil {
		return NoEntity, false, fileError("look for an entity in", s.path, err)
	}
	return id, true, nil
}
