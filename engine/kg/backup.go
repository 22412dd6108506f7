package kg

import (
	"context"
	"errors"
	"fmt"
	"os"

	"github.com/mattn/go-sqlite3"

	"cairn/engine/internal/beside"
)

// pagesPerStep is how many pages of a backup are copied between two looks at the
// context: some milliseconds.
const pagesPerStep = 1024

// Backup copies the graph as it now is into an empty file, while it may be read and
// written, and checks the copy. Only those may read it who may read the graph.
// progress, which may be nil, is told how far copying has come, in pages. After an
// error what is in the file is of no use.
func (s *Store) Backup(ctx context.Context, into string, progress func(done, total int64)) error {
	const doing = "copy the graph to"
	if err := os.Chmod(into, beside.Mode(s.path)); err != nil {
		return fileError(doing, into, err)
	}
	if err := s.copyTo(ctx, into, progress); err != nil {
		return fileError(doing, into, endOr(ctx, err))
	}
	copied, err := OpenStore(ctx, into)
	if err != nil {
		return fileError(doing, into, err)
	}
	return fileError(doing, into, endOr(ctx, errors.Join(copied.Check(ctx), copied.Close())))
}

// copyTo copies the pages of one state of the file.
func (s *Store) copyTo(ctx context.Context, path string, progress func(done, total int64)) error {
	from, err := s.db.Conn(ctx)
	if err != nil {
		return err
	}
	defer from.Close()
	// A transaction that has read keeps what others write out of the copy.
	if _, err := from.ExecContext(ctx, "BEGIN; SELECT version FROM graph"); err != nil {
		return err
	}
	defer func() { _, _ = from.ExecContext(context.WithoutCancel(ctx), "ROLLBACK") }()
	db, err := openDB(path, "_sync=OFF")
	if err != nil {
		return err
	}
	defer db.Close()
	to, err := db.Conn(ctx)
	if err != nil {
		return err
	}
	defer to.Close()
	return to.Raw(func(dest any) error {
		return from.Raw(func(src any) error {
			d, okDest := dest.(*sqlite3.SQLiteConn)
			c, okSrc := src.(*sqlite3.SQLiteConn)
			if !okDest || !okSrc {
				return fmt.Errorf("connections are %T and %T", dest, src)
			}
			return copyPages(ctx, d, c, progress)
		})
	})
}

func copyPages(ctx context.Context, dest, src *sqlite3.SQLiteConn, progress func(done, total int64)) error {
	b, err := dest.Backup("main", src, "main")
	if err != nil {
		return err
	}
	for done := false; !done && err == nil; {
		if done, err = b.Step(pagesPerStep); err == nil {
			err = ctx.Err()
		}
		if progress != nil {
			progress(int64(b.PageCount()-b.Remaining()), int64(b.PageCount()))
		}
	}
	return errors.Join(err, b.Close())
}
