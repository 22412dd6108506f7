package kg

import (
	"context"
	"database/sql"
	"errors"
	"path/filepath"
	"runtime"
	"runtime/debug"

	"cairn/engine/internal/arrays"
	"cairn/engine/internal/beside"
	"cairn/engine/internal/mapped"
)

// checkEvery is how many rows pass between two looks at the context.
const checkEvery = 4096

// Graph returns the graph as it now is: from the snapshot beside the file where
// that is sound and current, and made from the file, and saved, where it is not.
// progress, which may be nil, is told how far making it has come, in rows.
//
// A large graph lies in its snapshot's file, mapped into memory: what is looked
// at comes in, and leaves when memory is short.
func (s *Store) Graph(ctx context.Context, progress func(done, total int64)) (*Graph, error) {
	const doing = "read the graph in"
	s.settleLeft(ctx)
	txs, version, err := s.readTogether(ctx)
	if err != nil {
		return nil, fileError(doing, s.path, endOr(ctx, err))
	}
	defer rollback(txs)
	if g := s.opened.Load(); g != nil && g.version == version {
		return g, nil
	}
	g, err := openSnapshot(ctx, s.snapshots(version).Path(snapshotKind, snapshotTag(version), "csr"), version)
	if err == nil {
		s.keep(g)
		s.snapshots(version).Prune(snapshotKind)
		return g, nil
	}
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	if g, err = s.makeSnapshot(ctx, txs, version, progress); err != nil {
		return nil, fileError(doing, s.path, endOr(ctx, err))
	}
	s.keep(g)
	return g, nil
}

// endOr returns the error of ctx where that has ended, and err otherwise: a
// transaction ends with its context, and what is read over it then fails because it
// is gone.
func endOr(ctx context.Context, err error) error {
	if ended := ctx.Err(); ended != nil {
		return ended
	}
	return err
}

// keep keeps a graph that is mapped. One that is read into memory is not kept, so
// that it goes with its last user.
func (s *Store) keep(g *Graph) {
	if g.version != "" {
		s.opened.Store(g)
	}
}

// readTogether begins transactions on several connections that see the same
// state of the file, and returns its version.
func (s *Store) readTogether(ctx context.Context) (_ []*sql.Tx, version string, err error) {
	var txs []*sql.Tx
	defer func() {
		if err != nil {
			rollback(txs)
		}
	}()
	for len(txs) < min(runtime.GOMAXPROCS(0), readers) {
		tx, err := s.db.BeginTx(ctx, &sql.TxOptions{ReadOnly: true})
		if err != nil {
			return nil, "", err
		}
		txs = append(txs, tx)
		var its string
		if err := tx.QueryRowContext(ctx, "SELECT version FROM graph").Scan(&its); err != nil {
			return nil, "", err
		}
		if len(txs) > 1 && its != version { // changed in between: the newest is wanted
			rollback(txs)
			txs = nil
		}
		version = its
	}
	return txs, version, nil
}

func rollback(txs []*sql.Tx) {
	for _, tx := range txs {
		_ = tx.Rollback()
	}
}

// makeSnapshot reads the graph out of the tables into the snapshot of version,
// and opens that. Where it cannot be saved the graph stays in memory.
func (s *Store) makeSnapshot(ctx context.Context, txs []*sql.Tx, version string, progress func(done, total int64)) (*Graph, error) {
	path := s.snapshots(version).Path(snapshotKind, snapshotTag(version), "csr")
	g, err := s.saveSnapshot(ctx, txs, path, version, progress)
	var unsaved *unsavedError
	if !errors.As(err, &unsaved) {
		return g, err
	}
	s.notice("The snapshot that makes opening fast could not be saved (" + unsaved.Error() + "), so the graph is read in full each time.")
	scan := newScanner(ctx, txs, progress)
	if err := scan.graph(func([]part) error { return nil }); err != nil {
		return nil, err
	}
	return &scan.g, nil
}

// unsavedError says why a snapshot could not be saved. The graph itself may be fine.
type unsavedError struct{ cause error }

func (e *unsavedError) Error() string { return e.cause.Error() }
func (e *unsavedError) Unwrap() error { return e.cause }

// saveSnapshot writes the snapshot at path, section by section as they are
// finished, and lets go of each, so that only what is being made is in memory.
func (s *Store) saveSnapshot(ctx context.Context, txs []*sql.Tx, path, version string, progress func(done, total int64)) (_ *Graph, err error) {
	if err := beside.Make(filepath.Dir(path)); err != nil {
		return nil, &unsavedError{err}
	}
	w, err := arrays.Create(path, snapshotTag(version), len(new(Graph).parts(new(words))))
	if err != nil {
		return nil, &unsavedError{err}
	}
	defer w.Abort()
	scan := newScanner(ctx, txs, progress)
	err = scan.graph(func(parts []part) error {
		for _, p := range parts {
			if err := w.Put(ctx, p.Bytes()); err != nil {
				if ctx.Err() != nil {
					return err
				}
				return &unsavedError{err}
			}
		}
		for _, p := range parts {
			_ = p.Set(nil) // no elements are a whole number of them
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	if err := w.Finish(); err != nil {
		// Another program may have been quicker, and have the file in use.
		if g, openErr := openSnapshot(ctx, path, version); openErr == nil {
			return g, nil
		}
		return nil, &unsavedError{err}
	}
	if w.Size >= mapped.Least {
		// What making it took goes back before the mapping comes in.
		freed := make(chan struct{})
		go func() {
			debug.FreeOSMemory()
			close(freed)
		}()
		select {
		case <-freed:
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	}
	g, err := openSnapshot(ctx, path, version)
	if err != nil && ctx.Err() == nil {
		return nil, &unsavedError{err}
	}
	s.snapshots(version).Prune(snapshotKind)
	return g, err
}
