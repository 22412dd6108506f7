package kg

import (
	"bytes"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"testing"

	"cairn/engine/internal/arrays"
)

// saveGraph writes the snapshot of a graph that is in memory.
func saveGraph(tb testing.TB, path, version string, g *Graph) {
	tb.Helper()
	saveSections(tb, path, version, sectionsOf(g))
}

func sectionsOf(g *Graph) [][]byte {
	var sections [][]byte
	for _, p := range g.parts(g.words()) {
		sections = append(sections, p.Bytes())
	}
	return sections
}

func saveSections(tb testing.TB, path, version string, sections [][]byte) {
	tb.Helper()
	if err := arrays.Write(path, snapshotTag(version), sections...); err != nil {
		tb.Fatal(err)
	}
}

// saved returns the snapshot of a graph in which no section is empty, and the graph.
func saved(tb testing.TB) ([]byte, *Graph) {
	tb.Helper()
	g := hubGraph(300, 6000, 9, 7)
	g.off, g.gone = make([]uint64, (g.Triples()+63)/64), make([]uint64, (g.Entities()+63)/64)
	g.setSymmetric(2)
	for i, sec := range sectionsOf(g) {
		if len(sec) == 0 {
			tb.Fatalf("section %d is empty", i)
		}
	}
	path := filepath.Join(tb.TempDir(), "graph.csr")
	saveGraph(tb, path, "v", g)
	b, err := os.ReadFile(path)
	if err != nil {
		tb.Fatal(err)
	}
	return b, g
}

func TestSnapshotIsTheGraph(t *testing.T) {
	b, want := saved(t)
	got, err := parseSnapshot(t.Context(), b, "v")
	if err != nil {
		t.Fatal(err)
	}
	if !reflect.DeepEqual(got, want) {
		t.Error("another graph came out")
	}
	if _, err := parseSnapshot(t.Context(), b, "w"); !errors.Is(err, arrays.ErrStale) {
		t.Errorf("of another version: %v, want arrays.ErrStale", err)
	}
}

func TestEmptySnapshot(t *testing.T) {
	g := new(Builder).Graph()
	path := filepath.Join(t.TempDir(), "graph.csr")
	saveGraph(t, path, "v", g)
	if got, err := openSnapshot(t.Context(), path, "v"); err != nil || got.Entities() != 0 || got.Triples() != 0 {
		t.Errorf("openSnapshot of an empty graph: %v", err)
	}
}

// TestFlippedBytesAreSeen flips bytes anywhere, and TestDamaged of package arrays
// every byte of a file.
func TestFlippedBytesAreSeen(t *testing.T) {
	good, _ := saved(t)
	rng := rand.New(rand.NewPCG(5, 5))
	for range 500 {
		bad, i := bytes.Clone(good), rng.IntN(len(good))
		bad[i] ^= byte(1 << rng.IntN(8))
		if _, err := parseSnapshot(t.Context(), bad, "v"); !errors.Is(err, arrays.ErrDamaged) {
			t.Fatalf("byte %d flipped: %v, want ErrDamaged", i, err)
		}
	}
}

func TestSnapshotsOfOtherSections(t *testing.T) {
	_, g := saved(t)
	path := filepath.Join(t.TempDir(), "graph.csr")
	good := sectionsOf(g)
	for name, bad := range map[string][][]byte{
		"a section more":          append(slices.Clone(good), nil),
		"a section less":          good[1:],
		"a section too short":     append([][]byte{good[0][:len(good[0])-8]}, good[1:]...),
		"no whole number of rows": append([][]byte{good[0][:len(good[0])-1]}, good[1:]...),
	} {
		saveSections(t, path, "v", bad)
		if _, err := openSnapshot(t.Context(), path, "v"); !errors.Is(err, arrays.ErrDamaged) {
			t.Errorf("%s: %v, want ErrDamaged", name, err)
		}
	}
}

// TestUnsoundSnapshotsAreHarmless changes numbers in sections: what is opened
// nevertheless can be walked without a crash.
func TestUnsoundSnapshotsAreHarmless(t *testing.T) {
	_, g := saved(t)
	good := sectionsOf(g)
	rng := rand.New(rand.NewPCG(6, 6))
	path := filepath.Join(t.TempDir(), "graph.csr")
	refused := 0
	for i := range 1000 {
		n := i % len(good)
		bad := bytes.Clone(good[n])
		at := rng.IntN(len(bad))
		for range 1 + rng.IntN(3) {
			bad[at] = byte(rng.Uint32())
			at = min(at+1, len(bad)-1)
		}
		if !opens(t, path, with(good, n, bad)) {
			refused++
		}
	}
	if refused < 200 {
		t.Errorf("only %d of 1000 were refused", refused)
	}
}

// with returns sections with another one in the place of section n.
func with(sections [][]byte, n int, other []byte) [][]byte {
	sections = slices.Clone(sections)
	sections[n] = other
	return sections
}

// opens writes and opens a snapshot of sections, and looks at everything in the graph.
func opens(tb testing.TB, path string, sections [][]byte) bool {
	tb.Helper()
	saveSections(tb, path, "v", sections)
	g, err := openSnapshot(tb.Context(), path, "v")
	if err != nil {
		return false
	}
	touch(g)
	return true
}

// touch looks at everything in a graph.
func touch(g *Graph) (n int) {
	for e := range EntityID(g.Entities()) {
		n += len(g.Key(e)) + len(g.Label(e)) + len(g.Aliases(e)) + len(g.Types(e))
		for _, edges := range [][]Edge{g.Out(e), g.In(e)} {
			for _, x := range edges {
				n += len(g.RelationText(x.Relation)) + int(g.Triple(x.Triple).Tail) + g.Degree(x.Entity)
			}
		}
		for _, run := range g.RelationsOut(e) {
			n += len(run)
		}
		for r, run := range g.RelationsIn(e) {
			n += len(run) + len(g.InBy(e, r)) + len(g.OutBy(e, r))
		}
	}
	for k := range TypeID(g.NumTypes()) {
		n += len(g.OfType(k)) + len(g.TypeLabel(k))
	}
	for t := range TripleID(g.Triples()) {
		for said := range g.Statements(t) {
			for _, p := range said {
				n += len(g.PropertyText(p.Name)) + len(g.PropertyValue(p)) + len(p.Datatype)
			}
		}
		if g.Extracted(t) {
			n++
		}
	}
	return n
}

// FuzzSnapshot puts other bytes into a section of a snapshot.
func FuzzSnapshot(f *testing.F) {
	var small Builder
	small.AddAlias(small.Entity("a"), "b")
	small.AddType(small.Entity("a"), "t")
	extracted := small.Add("a", "r", "c")
	g := small.Graph()
	g.setExtracted(extracted)
	good := sectionsOf(g)
	for n, section := range good {
		f.Add(byte(n), section)
		f.Add(byte(n), append(slices.Clip(section), section...))
	}
	f.Fuzz(func(t *testing.T, n byte, section []byte) {
		opens(t, filepath.Join(t.TempDir(), "graph.csr"), with(good, int(n)%len(good), section))
	})
}

func TestStaleSnapshotsAreRemoved(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "[a")
	if err := os.Mkdir(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	st, err := OpenStore(t.Context(), filepath.Join(dir, "x.cairn"))
	if err != nil {
		t.Fatal(err)
	}
	defer st.Close()
	if err := os.MkdirAll(st.CacheFolder(), 0o755); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"graph-0123456789abcdef.csr", "names.vec"} {
		if err := os.WriteFile(filepath.Join(st.CacheFolder(), name), []byte("old"), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	for range 2 { // made, then opened
		if _, err := st.Graph(t.Context(), nil); err != nil {
			t.Fatal(err)
		}
		left, err := os.ReadDir(st.CacheFolder())
		if err != nil || len(left) != 2 || left[1].Name() != "names.vec" {
			t.Errorf("left: %v, %v", left, err)
		}
	}
}

func TestMappedGraphIsOpenedOnce(t *testing.T) {
	var st Store
	st.keep(new(Graph))
	if st.opened.Load() != nil {
		t.Error("a graph that was read is kept")
	}
	lies := &Graph{version: "v"}
	if st.keep(lies); st.opened.Load() != lies {
		t.Error("a mapped graph is not kept")
	}
}

func ExampleGraph_RelationsOut() {
	var b Builder
	b.Add("Kismet", "directed_by", "William Dieterle")
	b.Add("Kismet", "starred_actors", "Marlene Dietrich")
	b.Add("Kismet", "starred_actors", "Ronald Colman")
	g := b.Graph()
	for r, edges := range g.RelationsOut(0) {
		fmt.Println(g.RelationText(r), len(edges))
	}
	// Output:
	// directed by 1
	// starred actors 2
}
