package kg

import (
	"bytes"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// makeVersion makes a file as the program of that version did, with a setting.
func makeVersion(t *testing.T, path string, version int) {
	t.Helper()
	open := func() (*sql.DB, error) { return openDB(path, "") }
	if version > 0 && version < sumsFrom {
		open = func() (*sql.DB, error) { return sql.Open("sqlite3", dataSource(path, "")) } // as before there were checksums
	}
	db, err := open()
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	conn, err := db.Conn(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	if err := migrate(t.Context(), conn, path, version); err != nil {
		t.Fatalf("migrate to %d: %v", version, err)
	}
	if version == 0 {
		return
	}
	for _, q := range []string{
		"INSERT INTO setting (key, value) VALUES ('k', 'v')",
		"INSERT INTO entity (id, key, label_rank) VALUES (0, 'a', 255), (1, 'b', 255)",
		"INSERT INTO relation (id, key) VALUES (0, 'r')",
		"INSERT INTO source (id, name) VALUES (0, 's')",
		"INSERT INTO triple (id, head, relation, tail, source, line) VALUES (0, 0, 0, 1, 0, 1)",
	} {
		if _, err := conn.ExecContext(t.Context(), q); err != nil {
			t.Fatalf("%s: %v", q, err)
		}
	}
}

func TestMigrateFromEveryVersion(t *testing.T) {
	var schema string
	for version := range latestVersion + 1 {
		path := filepath.Join(t.TempDir(), "old.cairn")
		makeVersion(t, path, version)
		st, err := OpenStore(t.Context(), path)
		if err != nil {
			t.Fatalf("OpenStore of version %d: %v", version, err)
		}
		var got string
		if err := st.db.QueryRowContext(t.Context(), "SELECT group_concat(sql, ';' ORDER BY name) || (SELECT user_version FROM pragma_user_version) FROM sqlite_schema").Scan(&got); err != nil {
			t.Fatal(err)
		}
		if version == 0 {
			schema = got
		} else {
			if got != schema {
				t.Errorf("the schema after version %d differs from a new one", version)
			}
			if v, err := st.Setting(t.Context(), "k"); v != "v" || err != nil {
				t.Errorf("version %d: setting = %q, %v", version, v, err)
			}
			if g, err := st.Graph(t.Context(), nil); err != nil || g.Triples() != 1 {
				t.Errorf("version %d: Graph = %v, %v", version, g, err)
			}
			// Version 4 brought what is trained on the graph.
			if id, err := st.PutTrained(t.Context(), Trained{Kind: "gnn"}, []byte("w")); id != 1 || err != nil {
				t.Errorf("version %d: PutTrained = %d, %v, want 1", version, id, err)
			}
			if err := st.SaveTraining(t.Context(), Training{Kind: "gnn", State: []byte("s")}); err != nil {
				t.Errorf("version %d: SaveTraining: %v", version, err)
			}
		}
		if err := st.Close(); err != nil {
			t.Fatal(err)
		}
	}
}

// TestOtherVersionsThatMayOnlyBeRead: what cannot be brought up to date says what
// to do. That an older file opens where it may be written is
// TestMigrateFromEveryVersion.
func TestOtherVersionsThatMayOnlyBeRead(t *testing.T) {
	for version := 1; version <= latestVersion+1; version++ {
		path := filepath.Join(t.TempDir(), "a.cairn")
		makeVersion(t, path, min(version, latestVersion))
		if version > latestVersion {
			db, err := openDB(path, "")
			if err != nil {
				t.Fatal(err)
			}
			if _, err := db.ExecContext(t.Context(), fmt.Sprintf("PRAGMA user_version = %d", version)); err != nil {
				t.Fatal(err)
			}
			_ = db.Close()
		}
		s := &Store{path: path}
		err := s.connectReadOnly(t.Context())
		switch {
		case version == latestVersion && err != nil,
			version > latestVersion && !errors.Is(err, ErrNewer),
			version < latestVersion && (!errors.Is(err, ErrReadOnly) || !strings.Contains(err.Error(), "an older version of Cairn wrote it") || !strings.Contains(err.Error(), "open the copy")):
			t.Errorf("version %d of %d, which may only be read: %v", version, latestVersion, err)
		}
		if s.db != nil {
			_ = s.db.Close()
		}
	}
}

func TestNewerAndForeignFilesAreRefused(t *testing.T) {
	for _, tt := range []struct {
		query string
		want  error
	}{
		{fmt.Sprintf("PRAGMA user_version = %d", latestVersion+1), ErrNewer},
		{"PRAGMA application_id = 7", ErrForeign},
		{"PRAGMA application_id = 0; PRAGMA user_version = 0", ErrForeign},
	} {
		path := filepath.Join(t.TempDir(), "x.cairn")
		makeVersion(t, path, latestVersion)
		db, err := openDB(path, "")
		if err != nil {
			t.Fatal(err)
		}
		if _, err := db.ExecContext(t.Context(), tt.query+"; PRAGMA journal_mode = DELETE"); err != nil {
			t.Fatal(err)
		}
		if err := db.Close(); err != nil {
			t.Fatal(err)
		}
		before, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := OpenStore(t.Context(), path); !errors.Is(err, tt.want) {
			t.Errorf("OpenStore after %s: %v, want %v", tt.query, err, tt.want)
		}
		if after, err := os.ReadFile(path); err != nil || !bytes.Equal(after, before) {
			t.Errorf("the refused file after %s was changed: %v", tt.query, err)
		}
	}
}

func TestDiskFullLeavesWhatWasThere(t *testing.T) {
	path := filepath.Join(t.TempDir(), "full.cairn")
	st, err := OpenStore(t.Context(), path)
	if err != nil {
		t.Fatal(err)
	}
	defer st.Close()
	add := func(name string, n int) error {
		w, err := st.NewWriter(t.Context(), Layer{Name: name, Hash: name}, nil)
		if err != nil {
			return err
		}
		defer w.Close()
		for i := range n {
			w.At(int64(i + 1))
			w.Add(Triple{w.Entity(fmt.Append(nil, name, i), ""), w.Relation([]byte("r")), w.Entity([]byte("x"), "")}, FileItself)
		}
		return w.Commit(t.Context(), int64(n), true, Counts{Read: int64(n), Added: int64(n)})
	}
	if err := add("small", 10); err != nil {
		t.Fatal(err)
	}
	if _, err := st.write.ExecContext(t.Context(), "PRAGMA max_page_count = 40"); err != nil {
		t.Fatal(err)
	}
	if err := add("large", 100_000); !errors.Is(err, ErrDiskFull) {
		t.Fatalf("a full disk: %v, want ErrDiskFull", err)
	}
	if g, err := st.Graph(t.Context(), nil); err != nil || g.Triples() != 10 {
		t.Errorf("after a full disk: %v", err)
	}
	if _, err := st.write.ExecContext(t.Context(), "PRAGMA max_page_count = 1000000"); err != nil {
		t.Fatal(err)
	}
	if err := add("large", 100_000); err != nil {
		t.Errorf("with room again: %v", err)
	}
}

func TestCancelUndoesTheBatch(t *testing.T) {
	st, err := OpenStore(t.Context(), filepath.Join(t.TempDir(), "x.cairn"))
	if err != nil {
		t.Fatal(err)
	}
	defer st.Close()
	w, err := st.NewWriter(t.Context(), Layer{Name: "x"}, nil)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := st.NewWriter(t.Context(), Layer{Name: "y"}, nil); !errors.Is(err, errBusy) {
		t.Errorf("a second import: %v, want ErrBusy", err)
	}
	w.At(1)
	w.Add(Triple{w.Entity([]byte("a"), ""), w.Relation([]byte("r")), w.Entity([]byte("b"), "")}, FileItself)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := w.Commit(ctx, 1, true, Counts{}); !errors.Is(err, context.Canceled) {
		t.Errorf("Commit: %v, want Canceled", err)
	}
	w.Close()
	if g, err := st.Graph(t.Context(), nil); err != nil || g.Entities() != 0 {
		t.Errorf("Graph: %v, %v", g, err)
	}
	if w, err = st.NewWriter(t.Context(), Layer{Name: "z"}, nil); err != nil {
		t.Errorf("an import after a cancelled one: %v", err)
	}
	w.Close()
}

func TestAnotherProgramDuringAnImport(t *testing.T) {
	path := filepath.Join(t.TempDir(), "x.cairn")
	st, err := OpenStore(t.Context(), path)
	if err != nil {
		t.Fatal(err)
	}
	defer st.Close()
	w, err := st.NewWriter(t.Context(), Layer{Name: "x"}, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer w.Close()
	if err := st.SetSetting(t.Context(), "own", "change"); err != nil { // our own change is fine
		t.Fatal(err)
	}
	w.Add(Triple{w.Entity([]byte("a"), ""), w.Relation([]byte("r")), w.Entity([]byte("b"), "")}, FileItself)
	if err := w.Commit(t.Context(), 1, false, Counts{}); err != nil {
		t.Fatal(err)
	}
	other, err := OpenStore(t.Context(), path)
	if err != nil {
		t.Fatal(err)
	}
	defer other.Close()
	if err := other.SetSetting(t.Context(), "k", "v"); err != nil {
		t.Fatal(err)
	}
	if err := w.Commit(t.Context(), 2, true, Counts{}); !errors.Is(err, errChanged) {
		t.Errorf("Commit: %v, want ErrChanged", err)
	}
}
