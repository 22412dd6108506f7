package kg

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/mattn/go-sqlite3"
)

func TestNumbers(t *testing.T) {
	for _, tt := range []struct {
		text string
		want []int64
	}{
		{"", []int64{-1}},
		{"0", []int64{0, -1}},
		{"7,0,12345678901", []int64{7, 0, 12345678901, -1}},
		{"999999999999999999,1", []int64{999999999999999999, 1}},
		{"1000000000000000000,1", []int64{-1, -1}},
		{"-1,2", []int64{-1}},
		{"1.5", []int64{-1}},
		{",1", []int64{-1}},
		{"1,,2", []int64{1, -1}},
		{"a", []int64{-1}},
	} {
		ns := numbers(tt.text)
		for i, want := range tt.want {
			if got := ns.next(); got != want {
				t.Errorf("number %d of %q = %d, want %d", i, tt.text, got, want)
			}
		}
	}
}

// scanned is a store with more rows than a few blocks hold, and what is in it.
type scanned struct {
	st      *Store
	keys    []string
	labels  []string
	aliases map[string][]string // by key
	types   map[string][]string // by key
	triples []Triple
}

func scannedStore(tb testing.TB, entities, triples int) *scanned {
	tb.Helper()
	st, err := OpenStore(tb.Context(), filepath.Join(tb.TempDir(), "x.cairn"))
	if err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(func() { _ = st.Close() })
	w, err := st.NewWriter(tb.Context(), Layer{Name: "x", Hash: "x"}, nil)
	if err != nil {
		tb.Fatal(err)
	}
	defer w.Close()
	w.At(1)
	s := scanned{st: st, aliases: map[string][]string{}, types: map[string][]string{}}
	rng := rand.New(rand.NewPCG(8, 8))
	for i := range entities {
		// Keys and labels of all lengths, with commas and in several scripts.
		key := fmt.Sprintf("http://x/%d,%s", i, strings.Repeat("é", rng.IntN(20)))
		e := w.Entity([]byte(key), "")
		label := key
		if i%3 > 0 {
			label = strings.Repeat("名,", 1+i%7)
			w.Label(e, label, "", 1)
		}
		s.keys, s.labels = append(s.keys, key), append(s.labels, label)
		for a := range rng.IntN(3) {
			name := fmt.Sprintf("%d, also %d", i, a)
			w.Alias(e, name, "")
			s.aliases[key] = append(s.aliases[key], name)
		}
		for k := range 5 {
			if rng.IntN(5) == 0 {
				kind := fmt.Sprint("kind ", k)
				w.Type(e, []byte(kind))
				s.types[key] = append(s.types[key], kind)
			}
		}
	}
	for range triples {
		x := Triple{EntityID(rng.IntN(entities)), w.Relation(fmt.Append(nil, "r", rng.IntN(9))), EntityID(rng.IntN(entities))}
		if w.Add(x, FileItself) {
			s.triples = append(s.triples, x)
		}
	}
	if err := w.Commit(tb.Context(), 1, true, Counts{}); err != nil {
		tb.Fatal(err)
	}
	return &s
}

// check compares a graph with what is in the store.
func (s *scanned) check(t *testing.T, g *Graph) {
	t.Helper()
	if g.Entities() != len(s.keys) || g.Triples() != len(s.triples) {
		t.Fatalf("%d entities and %d triples, want %d and %d", g.Entities(), g.Triples(), len(s.keys), len(s.triples))
	}
	for e := range EntityID(g.Entities()) {
		key := s.keys[e]
		if g.Key(e) != key || g.Label(e) != s.labels[e] || !slices.Equal(g.Aliases(e), s.aliases[key]) {
			t.Fatalf("entity %d is %q, %q, %q, want %q, %q, %q", e, g.Key(e), g.Label(e), g.Aliases(e), key, s.labels[e], s.aliases[key])
		}
		var types []string
		for _, k := range g.Types(e) {
			types = append(types, g.TypeLabel(k))
		}
		slices.Sort(types)
		if !slices.Equal(types, s.types[key]) {
			t.Fatalf("types of entity %d are %q, want %q", e, types, s.types[key])
		}
	}
	for id, want := range s.triples {
		if got := g.Triple(TripleID(id)); got != want {
			t.Fatalf("triple %d is %v, want %v", id, got, want)
		}
	}
}

func TestGraphIsWhatTheTablesHold(t *testing.T) {
	s := scannedStore(t, 5*textsPerBlock+3, 3*rowsPerBlock+5)
	for range 2 { // made, then opened
		g, err := s.st.Graph(t.Context(), nil)
		if err != nil {
			t.Fatal(err)
		}
		s.check(t, g)
	}
}

// inMemory reads a store's graph over the connections of txs.
func inMemory(t *testing.T, txs []*sql.Tx) (*Graph, error) {
	t.Helper()
	scan := newScanner(t.Context(), txs, nil)
	err := scan.graph(func([]part) error { return nil })
	return &scan.g, err
}

func TestBlocksOverAnyNumberOfConnections(t *testing.T) {
	s := scannedStore(t, 3*textsPerBlock, 2*rowsPerBlock)
	for n := 1; n <= readers; n++ {
		var txs []*sql.Tx
		for range n {
			tx, err := s.st.db.BeginTx(t.Context(), &sql.TxOptions{ReadOnly: true})
			if err != nil {
				t.Fatal(err)
			}
			txs = append(txs, tx)
		}
		g, err := inMemory(t, txs)
		rollback(txs)
		if err != nil {
			t.Fatalf("over %d connections: %v", n, err)
		}
		s.check(t, g)
	}
}

// TestBlocksLongerThanSQLiteAllows lowers the longest text that SQLite makes: the
// blocks are read in halves.
func TestBlocksLongerThanSQLiteAllows(t *testing.T) {
	s := scannedStore(t, 2*textsPerBlock, rowsPerBlock)
	conn, err := s.st.db.Conn(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	limit := func(n int) (was int) {
		if err := conn.Raw(func(c any) error {
			lite, ok := c.(*sqlite3.SQLiteConn)
			if !ok {
				return fmt.Errorf("a connection of type %T", c)
			}
			was = lite.SetLimit(sqlite3.SQLITE_LIMIT_LENGTH, n)
			return nil
		}); err != nil {
			t.Fatal(err)
		}
		return was
	}
	defer limit(limit(2000))
	tx, err := conn.BeginTx(t.Context(), &sql.TxOptions{ReadOnly: true})
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = tx.Rollback() }()
	var all string
	if err := tx.QueryRowContext(t.Context(), "SELECT group_concat(key) FROM entity").Scan(&all); err == nil {
		t.Fatal("the limit does nothing: this test shows nothing")
	}
	g, err := inMemory(t, []*sql.Tx{tx})
	if err != nil {
		t.Fatal(err)
	}
	s.check(t, g)
}

func TestMakingASnapshotIsCancelled(t *testing.T) {
	s := scannedStore(t, 20*textsPerBlock, 20*rowsPerBlock)
	var reported []int64
	if _, err := s.st.Graph(t.Context(), func(done, total int64) {
		if done > total || len(reported) > 0 && done < reported[len(reported)-1] {
			t.Errorf("progress %d of %d after %v", done, total, reported)
		}
		reported = append(reported, done)
	}); err != nil {
		t.Fatal(err)
	}
	for i, at := range reported {
		if i%8 > 0 {
			continue
		}
		// The version changes, so that the snapshot is made anew.
		if err := s.st.update(t.Context(), "change", func(conn *sql.Conn) error {
			_, err := conn.ExecContext(t.Context(), "UPDATE graph SET version = ?", fmt.Sprint("v", i))
			return err
		}); err != nil {
			t.Fatal(err)
		}
		ctx, cancel := context.WithCancel(t.Context())
		var began time.Time
		_, err := s.st.Graph(ctx, func(done, _ int64) {
			if done >= at && began.IsZero() {
				began = time.Now()
				cancel()
			}
		})
		took := time.Since(began)
		cancel()
		if last := i == len(reported)-1; !errors.Is(err, context.Canceled) && !last {
			t.Fatalf("cancelled at %d: %v", at, err)
		}
		if took > 200*time.Millisecond { // 50 ms, and what a busy machine adds
			t.Errorf("cancelled at %d: it went on for %v", at, took)
		}
		if left, _ := filepath.Glob(filepath.Join(s.st.CacheFolder(), "*.tmp")); len(left) > 0 {
			t.Errorf("cancelled at %d: left %q", at, left)
		}
	}
	g, err := s.st.Graph(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	s.check(t, g)
}

func TestInconsistentTables(t *testing.T) {
	for name, change := range map[string]string{
		"entity 7 is missing":                      "DELETE FROM entity WHERE id = 7",
		"triple 9 is missing":                      "DELETE FROM triple WHERE id = 9",
		"triple 9 refers to an entity":             "UPDATE triple SET head = 5000 WHERE id = 9",
		"triple 9 refers to an entity or":          "UPDATE triple SET tail = -1 WHERE id = 9",
		"triple 9 refers to an entity or a":        "UPDATE triple SET tail = 1.5 WHERE id = 9",
		"triple 9 refers to an entity or a relat":  "UPDATE triple SET relation = 'x' WHERE id = 9",
		"typed entity 5000 is not there":           "INSERT INTO entity_type VALUES (5000, 0, -1)",
		"type 99 is not there":                     "INSERT INTO entity_type VALUES (0, 99, -1)",
		"alias 5000 is not there":                  "INSERT INTO alias (entity, text) VALUES (5000, 'x')",
		"triple -1 is there":                       "UPDATE triple SET id = -1 WHERE id = 9",
		"relation 4 is missing":                    "DELETE FROM relation WHERE id = 4",
		"triple 4000000000 is there and those bef": "UPDATE triple SET id = 4000000000 WHERE id = 9",
	} {
		t.Run(name, func(t *testing.T) {
			s := scannedStore(t, 20, 100)
			if _, err := s.st.db.ExecContext(t.Context(), change); err != nil {
				t.Fatal(err)
			}
			if _, err := s.st.Graph(t.Context(), nil); err == nil || !strings.Contains(err.Error(), name) {
				t.Errorf("%v, want %q", err, name)
			}
		})
	}
}
