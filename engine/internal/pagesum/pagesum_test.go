package pagesum_test

import (
	"bytes"
	"database/sql"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"cairn/engine/internal/pagesum"
)

const pageSize = 4096

// filled makes a database of some pages and returns its path.
func filled(t *testing.T) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "x.db")
	exec(t, path, "PRAGMA journal_mode = WAL; CREATE TABLE x (id INTEGER PRIMARY KEY, text TEXT)")
	for i := range 300 {
		exec(t, path, fmt.Sprintf("INSERT INTO x VALUES (%d, '%s')", i, strings.Repeat("text ", i)))
	}
	return path
}

func openDB(t *testing.T, path string) *sql.DB {
	t.Helper()
	db, err := sql.Open(pagesum.Driver, "file:"+path+"?"+pagesum.Query(true))
	if err != nil {
		t.Fatal(err)
	}
	return db
}

func exec(t *testing.T, path, query string) {
	t.Helper()
	db := openDB(t, path)
	if _, err := db.ExecContext(t.Context(), query); err != nil {
		t.Fatalf("%s: %v", query, err)
	}
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
}

// TestEveryPageIsSummed: every page that is written has its sum, and whichever bit of
// a page is wrong is noticed by who reads it, found, and put right.
func TestEveryPageIsSummed(t *testing.T) {
	path := filled(t)
	good, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	for n := range len(good) / pageSize {
		if page := good[n*pageSize : (n+1)*pageSize]; !pagesum.Good(page, int64(n)+1) || pagesum.Good(page, int64(n)+2) {
			t.Errorf("page %d has not its sum, or another's", n+1)
		}
	}
	rng := rand.New(rand.NewPCG(1, 1))
	for range 60 {
		bad := bytes.Clone(good)
		at := rng.IntN(len(bad))
		bad[at] ^= 1 << rng.IntN(8)
		if err := os.WriteFile(path, bad, 0o600); err != nil {
			t.Fatal(err)
		}
		db := openDB(t, path)
		var all int
		err := db.QueryRowContext(t.Context(), "SELECT sum(length(text)) FROM x").Scan(&all)
		if err == nil {
			t.Errorf("byte %d of page %d is wrong, and nobody noticed", at%pageSize, at/pageSize+1)
		}
		if err := db.Close(); err != nil {
			t.Fatal(err)
		}
		page := bad[at/pageSize*pageSize : (at/pageSize+1)*pageSize]
		if !pagesum.Flip(page, int64(at/pageSize)+1) || !bytes.Equal(bad, good) {
			t.Errorf("byte %d of page %d was not put right", at%pageSize, at/pageSize+1)
		}
		page[7], page[900] = page[7]^1, page[900]^1
		if pagesum.Flip(page, int64(at/pageSize)+1) {
			t.Errorf("page %d with two wrong bits was put right by one", at/pageSize+1)
		}
	}
}

// TestOtherFilesHaveNoSums: a file whose header reserves nothing is read and written
// as it is, and has sums once it was written anew.
func TestOtherFilesHaveNoSums(t *testing.T) {
	path := filepath.Join(t.TempDir(), "plain.db")
	plain, err := sql.Open("sqlite3", path)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := plain.ExecContext(t.Context(), "CREATE TABLE x (text TEXT); INSERT INTO x VALUES ('one')"); err != nil {
		t.Fatal(err)
	}
	if err := plain.Close(); err != nil {
		t.Fatal(err)
	}
	db, err := sql.Open(pagesum.Driver, "file:"+path+"?"+pagesum.Query(false))
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	for i, query := range []string{"INSERT INTO x VALUES ('two')", "VACUUM"} {
		if _, err := db.ExecContext(t.Context(), query); err != nil {
			t.Fatal(err)
		}
		b, err := os.ReadFile(path)
		if err != nil || (b[20] == pagesum.Reserved) != (i == 1) || pagesum.Good(b[:pageSize], 1) != (i == 1) {
			t.Errorf("after %s %d bytes are reserved, %v", query, b[20], err)
		}
	}
	var n int
	if err := db.QueryRowContext(t.Context(), "SELECT count(*) FROM x").Scan(&n); err != nil || n != 2 {
		t.Errorf("%d rows, %v, want 2", n, err)
	}
}
