package kg

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"testing"
)

// saveGraph writes the snapshot of a graph that is in memory.
func saveGraph(tb testing.TB, path, version string, g *Graph) {
	tb.Helper()
	w, err := createSnapshot(path, version)
	if err != nil {
		tb.Fatal(err)
	}
	defer w.abort()
	if err := w.put(tb.Context(), g.parts(g.words())); err != nil {
		tb.Fatal(err)
	}
	if err := w.finish(); err != nil {
		tb.Fatal(err)
	}
}

// saved returns the snapshot of a graph in which no section is empty, the graph
// and the table of the snapshot.
func saved(tb testing.TB) ([]byte, *Graph, []snapshotSection) {
	tb.Helper()
	g := hubGraph(300, 6000, 9, 7)
	path := filepath.Join(tb.TempDir(), "graph.csr")
	saveGraph(tb, path, "v", g)
	b, err := os.ReadFile(path)
	if err != nil {
		tb.Fatal(err)
	}
	table, err := readTable(b, "v", len(g.parts(g.words())))
	if err != nil {
		tb.Fatal(err)
	}
	for i, sec := range table {
		if sec.Length == 0 {
			tb.Fatalf("section %d is empty", i)
		}
	}
	return b, g, table
}

func TestSnapshotIsTheGraph(t *testing.T) {
	b, want, _ := saved(t)
	got, err := parseSnapshot(t.Context(), b, "v")
	if err != nil {
		t.Fatal(err)
	}
	if !reflect.DeepEqual(got, want) {
		t.Error("another graph came out")
	}
	if _, err := parseSnapshot(t.Context(), b, "w"); !errors.Is(err, errStale) {
		t.Errorf("of another version: %v, want errStale", err)
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

// TestEveryFlippedByteIsSeen flips bytes in the header, the table, every section
// and all that lies between.
func TestEveryFlippedByteIsSeen(t *testing.T) {
	good, _, table := saved(t)
	rng := rand.New(rand.NewPCG(5, 5))
	var at []int
	for i := range int(topSize(len(table))) {
		at = append(at, i)
	}
	end := int(topSize(len(table)))
	for _, sec := range table {
		for i := end; i < int(sec.Offset); i++ {
			at = append(at, i)
		}
		end = int(sec.Offset + sec.Length)
		at = append(at, int(sec.Offset), end-1)
		for range 20 {
			at = append(at, int(sec.Offset)+rng.IntN(int(sec.Length)))
		}
	}
	for _, i := range at {
		bad := bytes.Clone(good)
		bad[i] ^= byte(1 << rng.IntN(8))
		// A flipped version is one too, and then the checksum of the header fails.
		if _, err := parseSnapshot(t.Context(), bad, "v"); !errors.Is(err, errSnapshot) {
			t.Fatalf("byte %d flipped: %v, want errSnapshot", i, err)
		}
	}
}

func TestCutSnapshotIsSeen(t *testing.T) {
	good, _, table := saved(t)
	lengths := []int{0, 1, 8, 79, int(topSize(len(table))), len(good) - 1}
	for _, sec := range table {
		lengths = append(lengths, int(sec.Offset), int(sec.Offset+sec.Length)-1)
	}
	for _, n := range lengths {
		if _, err := parseSnapshot(t.Context(), bytes.Clone(good[:n]), "v"); !errors.Is(err, errSnapshot) {
			t.Errorf("cut to %d of %d bytes: %v, want errSnapshot", n, len(good), err)
		}
	}
	if _, err := parseSnapshot(t.Context(), append(bytes.Clone(good), 0), "v"); !errors.Is(err, errSnapshot) {
		t.Errorf("a byte longer: %v, want errSnapshot", err)
	}
}

// mend gives a snapshot the checksums of what it holds, as far as its table
// reaches: what is wrong with it otherwise remains.
func mend(b []byte) {
	sections := len(new(Graph).parts(new(words)))
	head, top := binary.Size(snapshotHead{}), int(topSize(sections))
	if len(b) < top {
		return
	}
	for i := range sections {
		entry := b[head+i*binary.Size(snapshotSection{}):]
		offset, length := binary.NativeEndian.Uint64(entry), binary.NativeEndian.Uint64(entry[8:])
		if offset > uint64(len(b)) || length > uint64(len(b))-offset {
			continue
		}
		sum := uint32(0)
		for sec := b[offset : offset+length]; len(sec) > 0; sec = sec[min(len(sec), snapshotBlock):] {
			sum = addSum(sum, crc32.Checksum(sec[:min(len(sec), snapshotBlock)], castagnoli))
		}
		binary.NativeEndian.PutUint32(entry[16:], sum)
	}
	binary.NativeEndian.PutUint32(b[top-4:], crc32.Checksum(b[:top-4], castagnoli))
}

func TestSnapshotsOfOtherKinds(t *testing.T) {
	good, _, table := saved(t)
	head := binary.Size(snapshotHead{})
	put := binary.NativeEndian.PutUint32
	for name, change := range map[string]func(b []byte){
		"other byte order":    func(b []byte) { put(b[12:], 0x04030201) },
		"older format":        func(b []byte) { put(b[8:], snapshotFormat-1) },
		"newer format":        func(b []byte) { put(b[8:], snapshotFormat+1) },
		"other magic":         func(b []byte) { b[0] = 'K' },
		"a section more":      func(b []byte) { put(b[head-4:], uint32(len(table)+1)) },
		"a section elsewhere": func(b []byte) { binary.NativeEndian.PutUint64(b[head:], table[1].Offset) },
		"a section too long":  func(b []byte) { binary.NativeEndian.PutUint64(b[head+8:], table[0].Length+1) },
		"a length of -1":      func(b []byte) { binary.NativeEndian.PutUint64(b[head+8:], ^uint64(0)) },
	} {
		bad := bytes.Clone(good)
		change(bad)
		mend(bad)
		if _, err := parseSnapshot(t.Context(), bad, "v"); !errors.Is(err, errSnapshot) {
			t.Errorf("%s: %v, want errSnapshot", name, err)
		}
	}
	mended := bytes.Clone(good)
	mend(mended)
	if !bytes.Equal(mended, good) {
		t.Error("mend changed a sound snapshot: this test shows nothing")
	}
}

// TestUnsoundSnapshotsAreHarmless changes numbers in sections and mends the
// checksums: what is opened nevertheless can be walked without a crash.
func TestUnsoundSnapshotsAreHarmless(t *testing.T) {
	good, _, table := saved(t)
	rng := rand.New(rand.NewPCG(6, 6))
	refused := 0
	for i := range 1000 {
		bad := bytes.Clone(good)
		sec := table[i%len(table)]
		at := int(sec.Offset) + rng.IntN(int(sec.Length))
		for range 1 + rng.IntN(3) {
			bad[at] = byte(rng.Uint32())
			at = min(at+1, len(bad)-1)
		}
		mend(bad)
		g, err := parseSnapshot(t.Context(), bad, "v")
		if err != nil {
			refused++
			continue
		}
		touch(g)
	}
	if refused < 200 {
		t.Errorf("only %d of 1000 were refused", refused)
	}
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
		if g.Extracted(t) {
			n++
		}
	}
	return n
}

func FuzzSnapshot(f *testing.F) {
	good, _, table := saved(f)
	f.Add(good)
	f.Add(good[:topSize(len(table))])
	f.Add([]byte(snapshotMagic))
	path := filepath.Join(f.TempDir(), "small.csr")
	var small Builder
	small.AddAlias(small.Entity("a"), "b")
	small.AddType(small.Entity("a"), "t")
	small.SetExtracted(small.Add("a", "r", "c"))
	saveGraph(f, path, "v", small.Graph())
	content, err := os.ReadFile(path)
	if err != nil {
		f.Fatal(err)
	}
	f.Add(content)
	f.Fuzz(func(t *testing.T, data []byte) {
		aligned := append(make([]byte, 0, len(data)+64), data...)
		_, _ = parseSnapshot(t.Context(), aligned, "v")
		mend(aligned)
		if g, err := parseSnapshot(t.Context(), aligned, "v"); err == nil {
			touch(g)
		}
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
	for _, name := range []string{"graph.csr", "graph-0123456789abcdef.csr", "names.vec"} {
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
