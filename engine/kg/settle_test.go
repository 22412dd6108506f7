package kg

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// openLarge opens a store in which imports of so many new entities are large ones.
func openLarge(tb testing.TB, path string, entities int) *Store {
	tb.Helper()
	st, err := OpenStore(tb.Context(), path)
	if err != nil {
		tb.Fatal(err)
	}
	st.SetLargeImport(entities)
	tb.Cleanup(func() { _ = st.Close() })
	return st
}

// tell makes n random statements about few entities, so that most names are for
// entities that were written long before. It commits after every few, and returns
// the line that it came to.
func tell(tb testing.TB, w *Writer, seed uint64, from, to int64) {
	tb.Helper()
	rng := rand.New(rand.NewPCG(seed, seed))
	entity := func() EntityID {
		return w.Entity(fmt.Appendf(nil, "http://x.org/%d", rng.IntN(300)), "local")
	}
	for line := int64(1); line <= to; line++ {
		w.At(line)
		e, rank, text := entity(), uint8(rng.IntN(5)), fmt.Sprintf("name %d", rng.IntN(6))
		switch rng.IntN(8) {
		case 0, 1:
			w.Label(e, text, "en", rank)
		case 2:
			w.Alias(e, text, "de")
		case 3:
			w.Describe(e, text, rank)
		case 4:
			w.Type(e, fmt.Appendf(nil, "type %d", rng.IntN(5)))
		default:
			w.Add(Triple{e, w.Relation(fmt.Appendf(nil, "relation %d", rng.IntN(3))), entity()}, FileItself)
		}
		if rng.IntN(30) == 0 && line > from {
			if err := w.Commit(tb.Context(), line, false, Counts{}); err != nil {
				tb.Fatal(err)
			}
		}
	}
}

// dump returns all that the tables of the graph hold, but for what is different
// each time. Of an entity's aliases it leaves out its label, as readers do, and the
// language: the same alias in two languages has that of the one that was written
// first.
func dump(tb testing.TB, s *Store) []string {
	tb.Helper()
	var list []string
	for _, query := range []string{
		"SELECT format('entity %d %s %s %d %s %d %s %s %d', id, key, label, label_rank, language, literal, datatype, description, description_rank) FROM entity ORDER BY id",
		"SELECT DISTINCT format('alias %d %s', a.entity, a.text) FROM alias AS a JOIN entity AS e ON e.id = a.entity WHERE a.text <> coalesce(e.label, e.key) ORDER BY a.entity, a.text",
		"SELECT format('type %d %d', entity, type) FROM entity_type ORDER BY entity, type",
		"SELECT format('triple %d %d %d %d %d', id, head, relation, tail, line) FROM triple ORDER BY id",
		"SELECT format('place %d %d', triple, line) FROM provenance ORDER BY triple, line",
		"SELECT sql FROM sqlite_schema ORDER BY name",
		"SELECT format('pending %d', count(*)) FROM pending_name",
	} {
		rows, err := s.db.QueryContext(tb.Context(), query)
		if err != nil {
			tb.Fatal(err)
		}
		for rows.Next() {
			var text *string
			if err := rows.Scan(&text); err != nil {
				tb.Fatal(err)
			}
			if text != nil {
				list = append(list, *text)
			}
		}
		if err := rows.Err(); err != nil {
			tb.Fatal(err)
		}
	}
	return list
}

// importLarge imports the statements of tell up to a line, and settles where it is
// the last one.
func importLarge(tb testing.TB, s *Store, seed uint64, to int64, last bool) {
	tb.Helper()
	w, err := s.NewWriter(tb.Context(), Layer{Name: "x", Hash: "x"}, nil)
	if err != nil {
		tb.Fatal(err)
	}
	defer w.Close()
	tell(tb, w, seed, 0, to)
	if err := w.Commit(tb.Context(), to, last, Counts{}); err != nil {
		tb.Fatal(err)
	}
	if last {
		if err := w.Settle(tb.Context(), nil); err != nil {
			tb.Fatal(err)
		}
	}
}

// TestLargeImport compares large imports with the same ones in small: in one go;
// cut short several times; and cut short with the graph read in between.
func TestLargeImport(t *testing.T) {
	const lines = 3000
	for seed := range uint64(4) {
		small := openLarge(t, filepath.Join(t.TempDir(), "small.cairn"), 1<<30)
		importLarge(t, small, seed, lines, true)
		want := dump(t, small)
		for _, c := range []struct {
			how    string
			at     []int64 // where the import is cut short
			reads  bool    // the graph is read then
			reopen bool
		}{
			{how: "in one go"},
			{how: "cut short", at: []int64{400, 401, 1700}},
			{how: "cut short and read", at: []int64{1000, 1900}, reads: true},
			{how: "cut short and closed", at: []int64{700, 2500}, reopen: true},
			{how: "cut short, closed and read", at: []int64{50, 900}, reads: true, reopen: true},
		} {
			path := filepath.Join(t.TempDir(), "large.cairn")
			s := openLarge(t, path, 20)
			for _, to := range c.at {
				importLarge(t, s, seed, to, false)
				if c.reopen {
					if err := s.Close(); err != nil {
						t.Fatal(err)
					}
					s = openLarge(t, path, 20)
				}
				key := strings.Fields(want[0])[2] // of entity 0
				if has, err := s.Has(t.Context(), EntityName, key); !has || err != nil {
					t.Errorf("seed %d, %s: Has(%q) = %t, %v", seed, c.how, key, has, err)
				}
				if err := s.Check(t.Context()); err != nil {
					t.Errorf("seed %d, %s: %v", seed, c.how, err)
				}
				if !c.reads {
					continue
				}
				if _, err := s.Graph(t.Context(), nil); err != nil {
					t.Fatal(err)
				}
				if u, err := s.unsettled(t.Context()); err != nil || u != (unsettled{}) {
					t.Errorf("seed %d, %s: after the graph was read: %+v, %v", seed, c.how, u, err)
				}
			}
			importLarge(t, s, seed, lines, true)
			if diff := cmp.Diff(want, dump(t, s)); diff != "" {
				t.Fatalf("seed %d, %s (-small +large):\n%s", seed, c.how, diff)
			}
		}
	}
}

// TestLargeImportIsOne makes sure that the other tests are about what they say.
func TestLargeImportIsOne(t *testing.T) {
	path := filepath.Join(t.TempDir(), "x.cairn")
	s := openLarge(t, path, 20)
	importLarge(t, s, 1, 2000, false)
	u, err := s.unsettled(t.Context())
	if err != nil || !u.index || !u.names {
		t.Fatalf("unsettled = %+v, %v: no large import", u, err)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	// Another, small one goes on with it, and knows the names that wait.
	s = openLarge(t, path, 1<<30)
	w, err := s.NewWriter(t.Context(), Layer{Name: "y", Hash: "y"}, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer w.Close()
	if !w.large {
		t.Error("an import after one that was cut short is not large")
	}
	w.Close()
	// A small import into a graph with many entities is not large either.
	if err := s.settle(t.Context(), nil); err != nil {
		t.Fatal(err)
	}
	s = openLarge(t, path, 20)
	if w, err = s.NewWriter(t.Context(), Layer{Name: "z", Hash: "z"}, nil); err != nil {
		t.Fatal(err)
	}
	defer w.Close()
	for i := range 30 {
		w.Entity(fmt.Appendf(nil, "new %d", i), "")
	}
	if err := w.Commit(t.Context(), 1, true, Counts{}); err != nil {
		t.Fatal(err)
	}
	if u, err = s.unsettled(t.Context()); err != nil || u != (unsettled{}) || w.large {
		t.Errorf("30 entities beside 300: %+v, %v", u, err)
	}
}

// TestSettleIsCancelled ends settling at every range and goes on.
func TestSettleIsCancelled(t *testing.T) {
	path := filepath.Join(t.TempDir(), "x.cairn")
	s := openLarge(t, path, 20)
	importLarge(t, s, 3, 2000, false)
	for range 3 {
		ctx, cancel := context.WithCancel(t.Context())
		err := s.settle(ctx, func(done, total int64) {
			if done > total {
				t.Errorf("progress %d of %d", done, total)
			}
			cancel()
		})
		if err == nil || !strings.Contains(err.Error(), "canceled") {
			t.Fatalf("settle = %v, want a cancel", err)
		}
		if u, err := s.unsettled(t.Context()); err != nil || !u.index {
			t.Fatalf("unsettled = %+v, %v", u, err)
		}
	}
	importLarge(t, s, 3, 3000, true)
	small := openLarge(t, filepath.Join(t.TempDir(), "small.cairn"), 1<<30)
	importLarge(t, small, 3, 3000, true)
	if diff := cmp.Diff(dump(t, small), dump(t, s)); diff != "" {
		t.Errorf("(-small +large):\n%s", diff)
	}
}

// TestSettlingKeepsImportsOut: while reading a graph settles what an import left, no
// import begins.
func TestSettlingKeepsImportsOut(t *testing.T) {
	s := openLarge(t, filepath.Join(t.TempDir(), "x.cairn"), 20)
	importLarge(t, s, 5, 2000, false)
	s.mu.Lock() // settling waits for its first transaction
	read := make(chan error, 1)
	go func() {
		_, err := s.Graph(t.Context(), nil)
		read <- err
	}()
	settling := false
	for began := time.Now(); !settling && time.Since(began) < 10*time.Second; settling = s.importing.Load() {
		time.Sleep(time.Millisecond)
	}
	var err error
	if settling {
		_, err = s.NewWriter(t.Context(), Layer{Name: "y", Hash: "y"}, nil)
	}
	s.mu.Unlock()
	if !errors.Is(err, errBusy) {
		t.Errorf("settling: %v; NewWriter = %v, want %v", settling, err, errBusy)
	}
	if err := <-read; err != nil {
		t.Fatal(err)
	}
	importLarge(t, s, 5, 3000, true)
}

// TestUnsettledReadOnly reads a graph that may not be settled: it says what is
// missing.
func TestUnsettledReadOnly(t *testing.T) {
	path := filepath.Join(t.TempDir(), "x.cairn")
	s := openLarge(t, path, 20)
	importLarge(t, s, 4, 2000, false)
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	s = openLarge(t, path, 20)
	s.readOnly = true
	g, err := s.Graph(t.Context(), nil)
	if err != nil || g.Triples() == 0 {
		t.Fatalf("Graph = %v, %v", g, err)
	}
	if notices := strings.Join(s.Notices(), " "); !strings.Contains(notices, "stopped before its names") {
		t.Errorf("notices: %q", notices)
	}
	s.readOnly = false
	named, err := s.Graph(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	differ := 0
	for e := range EntityID(g.Entities()) {
		if g.Label(e) != named.Label(e) {
			differ++
		}
	}
	if differ == 0 {
		t.Error("settling named no entity")
	}
}
