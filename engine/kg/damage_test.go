package kg_test

import (
	"database/sql"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"cairn/engine/internal/pagesum"
	"cairn/engine/kg"
)

// made makes a graph file with n triples and its snapshot, and returns its path.
func made(tb testing.TB, n int) string {
	tb.Helper()
	path := filepath.Join(tb.TempDir(), "made.cairn")
	st, err := kg.OpenStore(tb.Context(), path)
	if err != nil {
		tb.Fatal(err)
	}
	var triples [][3]string
	for i := range n {
		triples = append(triples, [3]string{fmt.Sprint("entity ", i), fmt.Sprint("r", i%3), fmt.Sprint("entity ", i*i%97)})
	}
	fill(tb, st, "made.tsv", triples...)
	graph(tb, st)
	if err := st.Close(); err != nil {
		tb.Fatal(err)
	}
	return path
}

func TestDamagedFile(t *testing.T) {
	good, err := os.ReadFile(made(t, 2000))
	if err != nil {
		t.Fatal(err)
	}
	random := make([]byte, 5000)
	rng := rand.New(rand.NewPCG(1, 1))
	for i := range random {
		random[i] = byte(rng.Uint32())
	}
	half := append([]byte(nil), good[:len(good)/2]...)
	holes := append([]byte(nil), good...)
	for at := 4096; at+4096 <= len(holes); at += 8192 {
		copy(holes[at:at+4000], random)
	}
	for name, content := range map[string][]byte{
		"text": []byte("not a database\n"), "random": random, "cut to half": half, "cut in the header": good[:50], "pages overwritten": holes,
		"header only": append([]byte("SQLite format 3\x00"), random[:200]...),
	} {
		t.Run(name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "damaged.cairn")
			if err := os.WriteFile(path, content, 0o644); err != nil {
				t.Fatal(err)
			}
			st, err := kg.OpenStore(t.Context(), path)
			if err == nil {
				defer st.Close()
				_, err = st.Graph(t.Context(), nil)
			}
			if !errors.Is(err, kg.ErrDamaged) || !strings.Contains(err.Error(), path) || !strings.Contains(err.Error(), "backup") {
				t.Errorf("%v, want ErrDamaged with the file and a remedy", err)
			}
		})
	}
}

// TestDamagedBytes overwrites single bytes: whatever they are, opening ends in a
// graph or in an error, never in a crash.
func TestDamagedBytes(t *testing.T) {
	good, err := os.ReadFile(made(t, 200))
	if err != nil {
		t.Fatal(err)
	}
	rng := rand.New(rand.NewPCG(2, 2))
	path := filepath.Join(t.TempDir(), "damaged.cairn")
	for range 60 {
		bad := append([]byte(nil), good...)
		for range 20 {
			bad[rng.IntN(len(bad))] = byte(rng.Uint32())
		}
		if err := os.WriteFile(path, bad, 0o644); err != nil {
			t.Fatal(err)
		}
		st, err := kg.OpenStore(t.Context(), path)
		if err != nil {
			continue
		}
		if g, err := st.Graph(t.Context(), nil); err == nil {
			walk(g)
		}
		_ = st.Close()
		_ = os.RemoveAll(path + ".d")
	}
}

// walk touches everything in a graph.
func walk(g *kg.Graph) int {
	n := 0
	for e := range kg.EntityID(g.Entities()) {
		n += len(g.Key(e)) + len(g.Label(e)) + len(g.Aliases(e)) + len(g.Types(e))
		for _, edge := range g.Out(e) {
			n += len(g.RelationText(edge.Relation)) + int(g.Triple(edge.Triple).Tail)
		}
	}
	for k := range kg.TypeID(g.NumTypes()) {
		n += len(g.OfType(k))
	}
	return n
}

// snapshotOf returns the one snapshot of the graph at path.
func snapshotOf(tb testing.TB, path string) string {
	tb.Helper()
	names, err := filepath.Glob(filepath.Join(path+".d", "graph*.csr"))
	if err != nil || len(names) != 1 {
		tb.Fatalf("snapshots %q, %v, want one", names, err)
	}
	return names[0]
}

func TestDamagedSnapshotIsMadeAnew(t *testing.T) {
	path := made(t, 500)
	snapshot := snapshotOf(t, path)
	good, err := os.ReadFile(snapshot)
	if err != nil {
		t.Fatal(err)
	}
	st := open(t, path)
	want := walk(graph(t, st))
	rng := rand.New(rand.NewPCG(3, 3))
	for i := range 200 {
		bad := append([]byte(nil), good...)
		switch at := rng.IntN(len(bad)); i % 4 {
		case 0:
			bad = bad[:at]
		case 1:
			bad = append(bad[:at], bad[min(at+1+rng.IntN(100), len(bad)):]...)
		default:
			bad[at] ^= byte(1 + rng.IntN(255))
		}
		if err := os.WriteFile(snapshot, bad, 0o644); err != nil {
			t.Fatal(err)
		}
		if got := walk(graph(t, st)); got != want {
			t.Fatalf("damage %d: another graph came out", i)
		}
	}
	// The snapshot of another state of the graph is not used either.
	fill(t, st, "more.tsv", [3]string{"new", "r0", "newer"})
	if g := graph(t, st); g.Triples() != 501 {
		t.Errorf("%d triples after one more", g.Triples())
	}
	if newer := snapshotOf(t, path); newer == snapshot {
		t.Error("two versions have the same snapshot")
	} else if err := os.WriteFile(newer, good, 0o644); err != nil {
		t.Fatal(err)
	}
	if g := graph(t, st); g.Triples() != 501 {
		t.Errorf("%d triples from a stale snapshot", g.Triples())
	}
	// A folder that cannot be made costs the snapshot, nothing else.
	if err := os.RemoveAll(st.CacheFolder()); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(st.CacheFolder(), nil, 0o644); err != nil {
		t.Fatal(err)
	}
	if g := graph(t, st); g.Triples() != 501 || len(st.Notices()) != 1 {
		t.Errorf("without a cache folder: %d triples, notices %q", g.Triples(), st.Notices())
	}
}

func TestOpenErrors(t *testing.T) {
	dir := t.TempDir()
	if _, err := kg.OpenStore(t.Context(), dir); err == nil || !strings.Contains(err.Error(), "folder") {
		t.Errorf("a folder: %v", err)
	}
	if _, err := kg.OpenStore(t.Context(), filepath.Join(dir, "missing", "x.cairn")); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("a missing folder: %v", err)
	}
}

func TestRunsAndSettings(t *testing.T) {
	st := open(t, filepath.Join(t.TempDir(), "x.cairn"))
	for _, v := range []string{"one", "two", ""} {
		if err := st.SetSetting(t.Context(), "k", v); err != nil {
			t.Fatal(err)
		}
		if got, err := st.Setting(t.Context(), "k"); got != v || err != nil {
			t.Errorf("Setting = %q, %v, want %q", got, err, v)
		}
	}
	for i := range 3 {
		if _, err := st.SaveRun(t.Context(), testTime, fmt.Sprint("question ", i), []byte(`{}`)); err != nil {
			t.Fatal(err)
		}
	}
	runs, err := st.Runs(t.Context(), 2)
	if err != nil || len(runs) != 2 || runs[0].Question != "question 2" || !runs[0].Started.Equal(testTime) {
		t.Errorf("Runs = %+v, %v", runs, err)
	}
	if r, err := st.Run(t.Context(), runs[0].ID); err != nil || string(r.Record) != "{}" || r.Bytes != 2 || runs[0].Bytes != 2 {
		t.Errorf("Run = %+v, %v", r, err)
	}
	if err := st.TrimRuns(t.Context(), 5); err != nil {
		t.Fatal(err)
	}
	if err := st.TrimRuns(t.Context(), 2); err != nil {
		t.Fatal(err)
	}
	if left, err := st.Runs(t.Context(), 9); err != nil || len(left) != 2 || left[1].Question != "question 1" {
		t.Errorf("after trimming to 2: Runs = %+v, %v", left, err)
	}
	if err := st.ForgetRuns(t.Context()); err != nil {
		t.Fatal(err)
	}
	if _, err := st.Run(t.Context(), runs[0].ID); !errors.Is(err, kg.ErrNoRun) {
		t.Errorf("Run that was forgotten: %v, want ErrNoRun", err)
	}
}

func TestTableThatIsGone(t *testing.T) {
	path := made(t, 3)
	db, err := sql.Open(pagesum.Driver, "file:"+path+"?"+pagesum.Query(true))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := db.ExecContext(t.Context(), "DROP TABLE triple"); err != nil {
		t.Fatal(err)
	}
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
	if err := os.RemoveAll(path + ".d"); err != nil {
		t.Fatal(err)
	}
	st, err := kg.OpenStore(t.Context(), path)
	if err == nil {
		defer st.Close()
		_, err = st.Graph(t.Context(), nil)
	}
	if !errors.Is(err, kg.ErrDamaged) {
		t.Errorf("%v, want ErrDamaged", err)
	}
}
