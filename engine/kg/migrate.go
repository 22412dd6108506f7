package kg

import (
	"context"
	"database/sql"
	"embed"
	"fmt"
	"io/fs"
	"slices"
)

// The migrations, in the order of their names: the first makes version 1 of the
// file out of an empty one, the second version 2 out of version 1, and so on.
// A migration that has been released is never changed.
//
//go:embed migrations/*.sql
var migrations embed.FS

// applicationID marks a SQLite file as a graph of ours: "CAIR".
const applicationID = 0x43414952

// latestVersion is the version of file that this program writes.
var latestVersion = len(migrationFiles())

// migrationFiles returns the names of the migrations in order.
func migrationFiles() []string {
	names, err := fs.Glob(migrations, "migrations/*.sql")
	if err != nil {
		panic("kg: " + err.Error()) // the pattern is a constant
	}
	slices.Sort(names)
	return names
}

// fileVersion returns the version of a file, 0 for one that is still empty, and
// refuses a database that is not Cairn's.
func fileVersion(ctx context.Context, db querier, path string) (int, error) {
	var version, application, tables int
	err := db.QueryRowContext(ctx, "SELECT (SELECT user_version FROM pragma_user_version), (SELECT application_id FROM pragma_application_id), (SELECT count(*) FROM sqlite_schema)").
		Scan(&version, &application, &tables)
	switch {
	case err != nil:
		return 0, fileError("open", path, err)
	case version == 0 && application == 0 && tables == 0:
		return 0, nil
	case application != applicationID:
		return 0, errForeign(path)
	case version > latestVersion:
		return 0, errNewer(path, version)
	}
	return version, nil
}

// migrate brings the file to the version to, each step in one transaction, so
// that a kill leaves a version that the next start can go on from.
func migrate(ctx context.Context, conn *sql.Conn, path string, to int) error {
	version, err := fileVersion(ctx, conn, path)
	if err != nil {
		return err
	}
	for i, name := range migrationFiles()[:to] {
		if i < version {
			continue
		}
		script, err := migrations.ReadFile(name)
		if err != nil {
			return fmt.Errorf("read %s: %w", name, err)
		}
		step := fmt.Sprintf("BEGIN IMMEDIATE;\n%s\nPRAGMA application_id = %d; PRAGMA user_version = %d; COMMIT", script, applicationID, i+1)
		if _, err := conn.ExecContext(ctx, step); err != nil {
			_, _ = conn.ExecContext(context.WithoutCancel(ctx), "ROLLBACK")
			return fileError("upgrade", path, err)
		}
	}
	return nil
}

// giveSums writes a file of a version before sumsFrom anew, with a checksum on every
// page. It takes room for a second copy meanwhile. A kill leaves the file as it was,
// or with its sums.
func giveSums(ctx context.Context, conn *sql.Conn, path string) error {
	if err := migrate(ctx, conn, path, sumsFrom-1); err != nil {
		return err
	}
	return fileError("upgrade", path, execAll(ctx, conn, []string{"VACUUM", "PRAGMA wal_checkpoint(TRUNCATE)"}))
}

func errNewer(path string, version int) error {
	return &FileError{
		Doing: "open", Path: path, Kind: ErrNewer,
		What:   fmt.Sprintf("a newer version of Cairn wrote it (file version %d, this program reads up to %d)", version, latestVersion),
		Remedy: "install the newest Cairn and open it there; nothing was changed",
	}
}
