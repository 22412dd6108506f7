package kg

import (
	"bytes"
	"cmp"
	"context"
	"database/sql"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"cairn/engine/internal/beside"
	"cairn/engine/internal/pagesum"
)

// Ext is the extension of a knowledge graph's file.
const Ext = ".cairn"

// Store is one knowledge graph on disk: a SQLite file that holds the truth, and
// beside it a folder of snapshots that can be made anew at any time. It is safe
// for concurrent use; one import runs at a time.
type Store struct {
	path     string
	file     os.FileInfo // that was opened; nil where it cannot be told from another
	readOnly bool
	diskFull bool // why it is read-only

	largeImport int
	db          *sql.DB // for reading

	// write is the one connection that writes, nil in a read-only store. mu is
	// held for each transaction.
	mu    sync.Mutex
	write *sql.Conn

	importing atomic.Bool // or settling what an import left
	folding   *time.Timer // until it is folded after a small change; mu

	// opened is the last mapped graph: mapping it again would take nothing from the
	// memory of the first.
	opened atomic.Pointer[Graph]

	cited sync.Map // whether a file that citations name, a cited, is another by now

	notices struct {
		sync.Mutex
		list []string
	}
}

// OpenStore opens the knowledge graph at path, and makes an empty one where
// there is none. A file or folder that may only be read opens for reading, and
// whatever would write returns ErrReadOnly; see ReadOnly.
func OpenStore(ctx context.Context, path string) (*Store, error) {
	s := &Store{path: path, largeImport: 1 << 18}
	var err error
	if s.readOnly, err = prepareFile(path); err != nil {
		return nil, err
	}
	err = s.connect(ctx)
	if errors.Is(err, ErrDiskFull) && holds(path) {
		// A full disk has no room for the journal; what is there can still be read.
		_ = s.closeAll()
		full := err
		s.readOnly, s.diskFull = true, true
		if err = s.connect(ctx); err != nil {
			err = full
		} else {
			s.notices.list = nil
			s.notice("The disk is full: the graph can be read, but nothing can be imported into it and settings are not saved.")
		}
	}
	if err != nil {
		_ = s.closeAll()
		return nil, err
	}
	s.file, _ = os.Stat(path)
	if _, err := os.Stat(s.CacheFolder()); err == nil && !s.readOnly {
		_ = beside.Make(s.CacheFolder()) // of a graph that fewer may read since
	}
	return s, nil
}

// SetLargeImport sets how many new entities make an import a large one, which puts off
// to its end what is quicker done at once for all of them; 262144 unless it is called.
// An import into a graph of which they are less than a fifth is not a large one.
func (s *Store) SetLargeImport(entities int) { s.largeImport = entities }

// cannotWrite is the error for writing into a read-only store.
func (s *Store) cannotWrite(doing string) error {
	if s.diskFull {
		return errDiskFull(doing, s.path, nil)
	}
	return errReadOnly(doing, s.path, nil)
}

// holds reports whether there is anything in the file at path.
func holds(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.Size() > 0
}

// closeAll closes the connections of a store that did not open.
func (s *Store) closeAll() error {
	var errs []error
	if s.write != nil {
		errs = append(errs, s.write.Close())
		s.write = nil
	}
	if s.db != nil {
		errs = append(errs, s.db.Close())
		s.db = nil
	}
	return errors.Join(errs...)
}

// prepareFile makes sure that there is a file that SQLite may open, and tells
// whether it can only be read. It reports what is wrong in the system's own
// words, which SQLite does not pass on.
func prepareFile(path string) (readOnly bool, err error) {
	info, err := os.Stat(path)
	switch {
	case err == nil && info.IsDir():
		return false, &FileError{Doing: "open", Path: path, What: "it is a folder, not a file", Remedy: "choose a file ending in " + Ext}
	case err == nil && info.Size() > 0:
		if err := checkMagic(path); err != nil {
			return false, err
		}
	case err != nil && !errors.Is(err, os.ErrNotExist):
		return false, fileError("open", path, err)
	}
	missing := err != nil
	f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o644)
	if err != nil {
		if known := fileError("open", path, err); missing || !errors.Is(known, ErrReadOnly) {
			return false, known
		}
		return true, nil
	}
	if err := f.Close(); err != nil {
		return false, fileError("open", path, err)
	}
	// SQLite writes its journal beside the file, so the folder counts too.
	probe, err := os.CreateTemp(filepath.Dir(path), ".cairn-*")
	if err = fileError("open", path, err); errors.Is(err, ErrReadOnly) {
		return true, nil
	}
	if err != nil {
		return false, err
	}
	return false, errors.Join(probe.Close(), os.Remove(probe.Name()))
}

// checkMagic reports ErrDamaged for a file that cannot be a SQLite database.
func checkMagic(path string) error {
	head, err := header(path)
	switch {
	case errors.Is(err, fs.ErrPermission):
		return &FileError{
			Doing: "open", Path: path, Cause: err,
			What: "you do not have permission to read it", Remedy: "change its permissions, or ask its owner for a copy",
		}
	case err != nil:
		return fileError("open", path, err)
	case !bytes.HasPrefix(head, liteMagic):
		return errBeginning("open", path)
	}
	return nil
}

// liteMagic is how a file of SQLite begins.
var liteMagic = []byte("SQLite format 3\x00")

// header returns the beginning of a file: SQLite's header, unless the file is shorter.
func header(path string) ([]byte, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return io.ReadAll(io.LimitReader(f, 100))
}

// connect opens the connections and brings the file to the latest version.
func (s *Store) connect(ctx context.Context) error {
	if s.readOnly {
		return s.connectReadOnly(ctx)
	}
	summed := hasSums(s.path) // looking would end the locks of connections that are open
	db, err := openDB(s.path, "_txlock=deferred")
	if err != nil {
		return fileError("open", s.path, err)
	}
	s.db = db
	s.db.SetMaxOpenConns(1 + readers)
	if s.write, err = s.db.Conn(ctx); err != nil {
		return fileError("open", s.path, err)
	}
	// Before the journal's mode, which is kept in the file: another program's is left
	// as it was.
	if _, err := fileVersion(ctx, s.write, s.path); err != nil {
		return err
	}
	if err := execAll(ctx, s.write, append([]string{
		"PRAGMA journal_mode = WAL",
		"PRAGMA synchronous = NORMAL", // a power cut may lose the last batch, never the file
		"PRAGMA temp_store = MEMORY",
	}, usualPragmas...)); err != nil {
		return fileError("open", s.path, err)
	}
	if !summed {
		if err := giveSums(ctx, s.write, s.path); err != nil {
			return err
		}
	}
	if err := migrate(ctx, s.write, s.path, latestVersion); err != nil || summed {
		return err
	}
	// From now on a page without a sum is an error.
	if err := s.closeAll(); err != nil {
		return fileError("open", s.path, err)
	}
	return s.connect(ctx)
}

// How the writing connection is set up, usually and for a large import. The cache
// is in KiB. What the journal holds is copied over after so many pages: imports
// rewrite the same ones, so that copying them less often writes less.
var (
	usualPragmas = []string{"PRAGMA cache_size = -65536", "PRAGMA wal_autocheckpoint = 8192"}
	largePragmas = []string{"PRAGMA cache_size = -262144", "PRAGMA wal_autocheckpoint = 65536"}
)

// connectReadOnly opens a file that may not be written. Where the folder may not
// be written either, SQLite cannot make its shared memory, and reads the file as
// one that never changes.
func (s *Store) connectReadOnly(ctx context.Context) error {
	for _, mode := range []string{"mode=ro", "mode=ro&immutable=1"} {
		db, err := openDB(s.path, mode)
		if err != nil {
			return fileError("open", s.path, err)
		}
		version, err := fileVersion(ctx, db, s.path)
		if err == nil && version == latestVersion {
			s.db = db
			s.notice("The file is read-only: nothing can be imported into it, and settings are not saved.")
			return nil
		}
		_ = db.Close()
		switch {
		case err == nil && version == 0:
			return errForeign(s.path)
		case err == nil:
			return &FileError{
				Doing: "open", Path: s.path, Kind: ErrReadOnly,
				What:   fmt.Sprintf("an older version of Cairn wrote it (file version %d, this program reads %d), and it cannot be updated where it is", version, latestVersion),
				Remedy: "copy it to a folder of your own and open the copy",
			}
		case mode != "mode=ro", errors.Is(err, ErrForeign), errors.Is(err, ErrNewer), holds(s.path + "-wal"):
			return err
		}
	}
	return nil
}

// openDB opens the database at path; query is that of its data source.
func openDB(path, query string) (*sql.DB, error) {
	return sql.Open(pagesum.Driver, dataSource(path, query)+"&"+pagesum.Query(hasSums(path)))
}

// sumsFrom is the version of file from which every page has a checksum.
const sumsFrom = 6

// hasSums reports whether the pages of a file have checksums, or will have because
// there is no file yet. Its header says so twice, so that no single bit can deny it.
func hasSums(path string) bool {
	head, err := header(path)
	if err != nil || len(head) < 72 {
		return true
	}
	version, application := binary.BigEndian.Uint32(head[60:]), binary.BigEndian.Uint32(head[68:])
	return head[20] == pagesum.Reserved || application == applicationID && version >= sumsFrom
}

// readers is how many connections may read at once.
const readers = 4

// dataSource returns the name by which the driver opens path.
func dataSource(path, query string) string {
	abs, err := filepath.Abs(path)
	if err != nil {
		abs = path
	}
	slashed := filepath.ToSlash(abs)
	if !strings.HasPrefix(slashed, "/") {
		slashed = "/" + slashed // a drive letter
	}
	u := url.URL{Scheme: "file", Path: slashed}
	return u.String() + "?_busy_timeout=5000&" + query
}

// Path returns the path that the store was opened with.
func (s *Store) Path() string { return s.path }

// ReadOnly reports whether the store can only be read.
func (s *Store) ReadOnly() bool { return s.readOnly }

// Notices returns sentences for the user about what works less well than it
// could, such as a snapshot that could not be saved; nil where all is well.
func (s *Store) Notices() []string {
	s.notices.Lock()
	defer s.notices.Unlock()
	return append([]string(nil), s.notices.list...)
}

func (s *Store) notice(sentence string) {
	s.notices.Lock()
	defer s.notices.Unlock()
	s.notices.list = With(s.notices.list, sentence)
}

// foldAll takes what was written into the file itself: until then the newest of it is
// in a journal beside it, and a copy of the file alone lacks that. Where a reader
// stands in the way, a notice says so.
func (s *Store) foldAll() {
	s.mu.Lock()
	defer s.mu.Unlock()
	if !s.fold("TRUNCATE") {
		s.notice("Another program is reading this graph, so the latest changes are still in " + filepath.Base(s.path) + "-wal. Copy the graph with cairn backup, or after closing that program.")
	}
}

// fold takes in what it can, the way that SQLite calls so, and reports whether that
// is all. Who calls it holds mu.
func (s *Store) fold(way string) (all bool) {
	if s.folding != nil {
		s.folding.Stop()
		s.folding = nil
	}
	if s.write == nil {
		return true // closed meanwhile
	}
	var busy, pages, folded int
	err := s.write.QueryRowContext(context.Background(), "PRAGMA wal_checkpoint("+way+")").Scan(&busy, &pages, &folded)
	return err == nil && pages == folded
}

// foldAfter is how long after a small change it is folded, with those that follow it.
const foldAfter = time.Second

// foldSoon folds a small change in a while, without waiting for readers; an import
// folds at its end. Who calls it holds mu.
func (s *Store) foldSoon() {
	if s.folding != nil || s.importing.Load() {
		return
	}
	s.folding = time.AfterFunc(foldAfter, func() {
		s.mu.Lock()
		defer s.mu.Unlock()
		if !s.fold("PASSIVE") {
			s.foldSoon()
		}
	})
}

// Close writes what is pending into the file and closes it. An import under way
// must have ended.
func (s *Store) Close() error {
	var errs []error
	if s.write != nil {
		s.mu.Lock()
		defer s.mu.Unlock()
		s.fold("TRUNCATE")
		errs = append(errs, s.write.Close())
		s.write = nil
	}
	errs = append(errs, s.db.Close())
	return fileError("close", s.path, errors.Join(errs...))
}

// update runs fn in one transaction on the writing connection. What fn did is
// undone where it returns an error or ctx ends.
func (s *Store) update(ctx context.Context, doing string, fn func(conn *sql.Conn) error) error {
	if s.readOnly {
		return s.cannotWrite(doing)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.write == nil {
		return &FileError{Doing: doing, Path: s.path, What: "the file was closed meanwhile", Remedy: "open it again"}
	}
	if err := cmp.Or(ctx.Err(), s.elsewhere(doing)); err != nil {
		return err
	}
	// A context that can end makes the driver start a goroutine for every
	// statement; fn itself looks at ctx between statements.
	whole := context.WithoutCancel(ctx)
	if _, err := s.write.ExecContext(whole, "BEGIN IMMEDIATE"); err != nil {
		return fileError(doing, s.path, err)
	}
	err := fn(s.write)
	if err == nil {
		err = ctx.Err()
	}
	if err == nil {
		_, err = s.write.ExecContext(whole, "COMMIT")
	}
	if err != nil {
		_, _ = s.write.ExecContext(whole, "ROLLBACK")
		return fileError(doing, s.path, err)
	}
	s.foldSoon()
	return nil
}

// elsewhere reports that the file is not where it was opened any more: what is written
// would go with it.
func (s *Store) elsewhere(doing string) error {
	now, err := os.Stat(s.path)
	what := "the file was replaced while it was open"
	if errors.Is(err, fs.ErrNotExist) {
		what = "the file was moved or deleted while it was open"
	} else if now == nil || s.file == nil || os.SameFile(now, s.file) {
		return nil
	}
	return &FileError{Doing: doing, Path: s.path, Kind: errChanged, What: what, Remedy: "open the graph again"}
}

// exec runs one statement in a transaction of its own.
func (s *Store) exec(ctx context.Context, doing, query string, args ...any) (result sql.Result, err error) {
	err = s.update(ctx, doing, func(conn *sql.Conn) error {
		result, err = conn.ExecContext(ctx, query, args...)
		return err
	})
	return result, err
}

// renewVersion says that the graph is another one now; see Version.
const renewVersion = "UPDATE graph SET version = lower(hex(randomblob(16)))"

// execAll runs statements in turn, each with the same arguments.
func execAll(ctx context.Context, on execer, queries []string, args ...any) error {
	for _, query := range queries {
		if _, err := on.ExecContext(ctx, query, args...); err != nil {
			return endOr(ctx, fmt.Errorf("%s: %w", query, err))
		}
	}
	return nil
}

// execer is a connection, or a database with one.
type execer interface {
	ExecContext(ctx context.Context, query string, args ...any) (sql.Result, error)
}

// row reads the only row of a query, and reports whether there is one.
func (s *Store) row(ctx context.Context, doing, query string, args []any, into ...any) (found bool, err error) {
	err = s.db.QueryRowContext(ctx, query, args...).Scan(into...)
	if errors.Is(err, sql.ErrNoRows) {
		return false, nil
	}
	return err == nil, fileError(doing, s.path, err)
}

// list returns what scan makes of the rows of a query.
func list[T any](ctx context.Context, s *Store, doing, query string, scan func(*sql.Rows, *T) error, args ...any) ([]T, error) {
	rows, err := s.db.QueryContext(ctx, query, args...)
	if err != nil {
		return nil, fileError(doing, s.path, err)
	}
	defer rows.Close()
	var all []T
	for rows.Next() {
		var one T
		if err := scan(rows, &one); err != nil {
			return nil, fileError(doing, s.path, err)
		}
		all = append(all, one)
	}
	return all, fileError(doing, s.path, rows.Err())
}

// millis reads a time that the file holds as milliseconds since 1970.
type millis time.Time

func (m *millis) Scan(column any) error {
	ms, ok := column.(int64)
	if !ok {
		return &inconsistency{fmt.Sprintf("%v is no time", column)}
	}
	*m = millis(time.UnixMilli(ms))
	return nil
}

// Setting returns the value of a setting, empty where it was never set.
func (s *Store) Setting(ctx context.Context, key string) (string, error) {
	var value string
	_, err := s.row(ctx, "read a setting from", "SELECT value FROM setting WHERE key = ?", []any{key}, &value)
	return value, err
}

// SetSetting keeps a setting; an empty value forgets it.
func (s *Store) SetSetting(ctx context.Context, key, value string) error {
	query, args := "INSERT INTO setting (key, value) VALUES (?, ?) ON CONFLICT DO UPDATE SET value = excluded.value", []any{key, value}
	if value == "" {
		query, args = "DELETE FROM setting WHERE key = ?", args[:1]
	}
	_, err := s.exec(ctx, "save a setting in", query, args...)
	return err
}

// Check reads the whole file and reports ErrDamaged where anything in it cannot
// be right. It takes a while on a large one.
func (s *Store) Check(ctx context.Context) error {
	var result string
	if err := s.db.QueryRowContext(ctx, "PRAGMA quick_check(1)").Scan(&result); err != nil {
		return fileError("check", s.path, err)
	}
	if result != "ok" {
		return errDamaged("check", s.path, errors.New(result))
	}
	rows, err := s.db.QueryContext(ctx, "PRAGMA foreign_key_check")
	if err != nil {
		return fileError("check", s.path, err)
	}
	defer rows.Close()
	if rows.Next() {
		return errDamaged("check", s.path, errors.New("a triple refers to an entity that is not there"))
	}
	return fileError("check", s.path, rows.Err())
}
