package kg

import (
	"encoding/binary"
	"fmt"
	"math/rand/v2"
	"runtime"
	"slices"
	"strings"
	"testing"
)

// naiveIDs is idTable as a map.
type naiveIDs map[uint64][]uint32

// TestIDTable compares the table with a map, for hashes that fall together, that
// lie at the end of the table and that differ in their low halves only.
func TestIDTable(t *testing.T) {
	hashes := map[string]func(rng *rand.Rand) uint64{
		"any":     func(rng *rand.Rand) uint64 { return rng.Uint64() },
		"few":     func(rng *rand.Rand) uint64 { return rng.Uint64N(7) << 32 },
		"last":    func(rng *rand.Rand) uint64 { return ^uint64(0) - rng.Uint64N(40)<<32 },
		"first":   func(rng *rand.Rand) uint64 { return rng.Uint64N(40) << 32 },
		"the low": func(rng *rand.Rand) uint64 { return 1<<63 | rng.Uint64N(1<<32) },
	}
	for name, hash := range hashes {
		t.Run(name, func(t *testing.T) {
			const seed = 5
			rng := rand.New(rand.NewPCG(seed, seed))
			table, naive := newIDTable(0), naiveIDs{}
			for id := range uint32(2000) {
				h := hash(rng)
				got, empty := table.all(h)
				want := naive[h>>32]
				if fmt.Sprint(got) != fmt.Sprint(want) {
					t.Fatalf("seed %d: hash %x before id %d: %v, want %v", seed, h, id, got, want)
				}
				table.add(h, id, empty)
				naive[h>>32] = append(want, id)
			}
			for h, want := range naive {
				if got, _ := table.all(h << 32); fmt.Sprint(got) != fmt.Sprint(want) {
					t.Errorf("seed %d: hash %x: %v, want %v", seed, h, got, want)
				}
			}
			if table.used != 2000 || 4*table.used > 3*len(table.slots)+4 {
				t.Errorf("%d of %d slots are used", table.used, len(table.slots))
			}
		})
	}
}

// all returns every id of a hash, ascending, and the slot where the search ended.
func (t *idTable) all(hash uint64) (ids []uint32, empty int) {
	_, empty, _ = t.find(hash, func(id uint32) bool {
		ids = append(ids, id)
		return false
	})
	slices.Sort(ids)
	return ids, empty
}

// TestKeyTable compares the table with a map, for keys of all lengths: empty, as
// long as a block, longer, and with bytes that are no text.
func TestKeyTable(t *testing.T) {
	const seed = 6
	rng := rand.New(rand.NewPCG(seed, seed))
	table, naive := newKeyTable(0), map[string]uint32{}
	var kept []string
	for range 30000 {
		key := make([]byte, rng.IntN(4))
		switch rng.IntN(200) {
		case 0:
			key = make([]byte, rng.IntN(3*smallBlock))
		case 1:
			key = fmt.Appendf(nil, "http://example.org/%d", rng.IntN(100))
		}
		for i := range key {
			key[i] ^= byte(rng.IntN(256))
		}
		checkKey(t, table, naive, key)
	}
	checkKey(t, table, naive, []byte(strings.Repeat("x", 2*largeBlock)))
	checkKey(t, table, naive, nil)
	for i := range len(table.begins) {
		kept = append(kept, table.key(uint32(i)))
	}
	for i, key := range kept {
		if naive[key] != uint32(i) || len(naive) != len(table.begins) {
			t.Fatalf("seed %d: key %d is %q, which is number %d of %d", seed, i, key, naive[key], len(naive))
		}
	}
}

// checkKey adds a key to a table and to its naive twin.
func checkKey(t *testing.T, table *keyTable, naive map[string]uint32, key []byte) {
	t.Helper()
	want, known := naive[string(key)]
	if id, ok := table.find(key); ok != known || id != want {
		t.Fatalf("find(%q) = %d, %t, want %d, %t", key, id, ok, want, known)
	}
	if !known {
		want = uint32(len(naive))
		naive[string(key)] = want
	}
	id, added := table.put(key)
	if id != want || added == known || table.key(id) != string(key) {
		t.Fatalf("put(%q) = %d, %t, want %d, %t; the key is %q", key, id, added, want, !known, table.key(id))
	}
	if len(key) > 0 {
		key[0]++ // the table has its own copy
	}
}

func FuzzKeyTable(f *testing.F) {
	f.Add([]byte("a|b|a||b"))
	f.Add([]byte{})
	f.Fuzz(func(t *testing.T, keys []byte) {
		table, naive := newKeyTable(0), map[string]uint32{}
		for key := range strings.SplitSeq(string(keys), "|") {
			checkKey(t, table, naive, []byte(key))
		}
	})
}

// TestTripleTable compares the tables of triples and typings with maps, over the
// end of a block.
func TestTripleTable(t *testing.T) {
	const seed = 7
	rng := rand.New(rand.NewPCG(seed, seed))
	table, naive := newTripleTable(0), map[Triple]TripleID{}
	types, naiveTypes := newPairTable(), map[typing]bool{}
	for range 2 * tripleBlock {
		x := Triple{EntityID(rng.Uint32N(1000)), RelationID(rng.Uint32N(4)), EntityID(rng.Uint32N(1000))}
		if rng.IntN(10) == 0 {
			x = Triple{EntityID(rng.Uint32()), RelationID(rng.Uint32()), NoEntity - EntityID(rng.Uint32N(9))}
		}
		want, known := naive[x]
		if id, ok := table.find(x); ok != known || ok && id != want {
			t.Fatalf("seed %d: find(%v) = %d, %t, want %d, %t", seed, x, id, ok, want, known)
		}
		if !known {
			want = TripleID(len(naive))
			naive[x] = want
		}
		if id, added := table.put(x); id != want || added == known {
			t.Fatalf("seed %d: put(%v) = %d, %t, want %d, %t", seed, x, id, added, want, !known)
		}
		y := typing{x.Head, TypeID(x.Relation)}
		if added := types.put(uint32(y.entity), uint32(y.kind)); added == naiveTypes[y] {
			t.Fatalf("seed %d: put(%v) = %t", seed, y, added)
		}
		naiveTypes[y] = true
	}
	if table.size() != len(naive) || table.size() < tripleBlock || types.used != len(naiveTypes) {
		t.Errorf("%d triples and %d typings, want %d and %d", table.size(), types.used, len(naive), len(naiveTypes))
	}
}

// TestTablesAreSmall holds the tables to the memory that their comments promise,
// and to being of no interest to the garbage collector.
func TestTablesAreSmall(t *testing.T) {
	const n = 200_000
	var before, after runtime.MemStats
	for _, c := range []struct {
		what  string
		limit float64 // bytes each
		fill  func() any
	}{
		{"keys of 45 bytes", 45 + 1 + 8*1.3 + 16*1.1, func() any {
			table, key := newKeyTable(0), []byte(strings.Repeat("k", 45))
			for i := range uint64(n) {
				binary.LittleEndian.PutUint64(key, i)
				table.put(key)
			}
			return table
		}},
		{"triples", 12*1.3 + 16*1.1, func() any {
			table := newTripleTable(0)
			for i := range uint32(n) {
				table.put(Triple{EntityID(i), 1, EntityID(i * 7)})
			}
			return table
		}},
		{"typings", 16 * 1.1, func() any {
			table := newPairTable()
			for i := range uint32(n) {
				table.put(i, 1)
			}
			return table
		}},
	} {
		runtime.GC()
		runtime.ReadMemStats(&before)
		table := c.fill()
		runtime.GC()
		runtime.ReadMemStats(&after)
		each := float64(after.HeapAlloc-before.HeapAlloc) / n
		objects := int64(after.HeapObjects) - int64(before.HeapObjects)
		runtime.KeepAlive(table)
		if each > c.limit || objects > 1000 {
			t.Errorf("%s: %.1f bytes each in %d objects, at most %.1f expected", c.what, each, objects, c.limit)
		}
		t.Logf("%s: %.1f bytes each in %d objects", c.what, each, objects)
	}
}

func BenchmarkKeyTable(b *testing.B) {
	keys := make([][]byte, 1<<20)
	for i := range keys {
		keys[i] = fmt.Appendf(nil, "http://dbpedia.org/resource/Some_name_of_%d", i)
	}
	b.Run("table", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			table := newKeyTable(0)
			for _, key := range keys {
				table.put(key)
			}
			for _, key := range keys {
				table.put(key)
			}
		}
		b.ReportMetric(b.Elapsed().Seconds()*1e9/float64(b.N)/float64(2*len(keys)), "ns/key")
	})
	b.Run("naive", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			table := map[string]uint32{}
			for range 2 {
				for _, key := range keys {
					if _, ok := table[string(key)]; !ok {
						table[string(key)] = uint32(len(table))
					}
				}
			}
		}
		b.ReportMetric(b.Elapsed().Seconds()*1e9/float64(b.N)/float64(2*len(keys)), "ns/key")
	})
}
