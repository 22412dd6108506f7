package index_test

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"cairn/engine/index"
	"cairn/engine/index/indextest"
)

func link(tb testing.TB, exact index.Exact, o index.HNSWOptions) *index.HNSW {
	tb.Helper()
	h, err := index.NewHNSW(tb.Context(), exact, o)
	if err != nil {
		tb.Fatalf("NewHNSW: %v", err)
	}
	return h
}

func search(tb testing.TB, idx index.Index, query []float32, k int) []index.Hit {
	tb.Helper()
	hits, err := idx.Nearest(tb.Context(), query, k)
	if err != nil {
		tb.Fatalf("Nearest: %v", err)
	}
	return hits
}

func TestHNSW(t *testing.T) {
	indextest.Run(t, 0.98, func(t *testing.T, v index.Vectors) index.Index {
		t.Helper()
		return link(t, index.NewFlat(v), index.HNSWOptions{M: 16, EfConstruction: 128})
	})
	if testing.Short() {
		return // of what is above, under the race detector, once is enough
	}
	indextest.Run(t, 0.98, func(t *testing.T, v index.Vectors) index.Index {
		t.Helper()
		return link(t, index.NewScan(v), index.HNSWOptions{M: 16, EfConstruction: 128})
	})
}

func TestHNSWOfFew(t *testing.T) {
	for n := range 5 {
		v := unit(n, 8, 21)
		h := link(t, index.NewFlat(v), index.HNSWOptions{M: 2})
		for k := range 7 {
			hits := search(t, h, unit(1, 8, 22).Rows, k)
			if want := min(n, k); len(hits) != want {
				t.Errorf("n = %d: Nearest(k=%d) = %d hits, want %d", n, k, len(hits), want)
			}
		}
		if h.Len() != n || h.Unreached() != 0 {
			t.Errorf("n = %d: Len() = %d, Unreached() = %d", n, h.Len(), h.Unreached())
		}
	}
}

// shapes are vectors that are hard to link: without structure, in tight clusters
// far apart, along a line, and many times the same.
func shapes(n int) map[string]index.Vectors {
	rng := rand.New(rand.NewPCG(31, 31))
	clusters := index.Vectors{Dims: 16}
	for i := range n {
		for d := range 16 {
			centre := 0
			if i%40 == d {
				centre = 100 * (1 + i%40)
			}
			clusters.Rows = append(clusters.Rows, float32(centre)+0.001*float32(rng.NormFloat64()))
		}
	}
	line := index.Vectors{Dims: 2}
	for i := range n {
		line.Rows = append(line.Rows, float32(i), 1)
	}
	same := unit(n, 16, 32)
	for i := range n {
		if i%3 != 0 {
			copy(same.Row(i), same.Row(i%7))
		}
	}
	return map[string]index.Vectors{"gaussian": unit(n, 24, 33), "clusters": clusters, "line": line, "same": same}
}

func TestHNSWReachesEverything(t *testing.T) {
	for name, v := range shapes(3000) {
		for _, o := range []index.HNSWOptions{{M: 16, EfConstruction: 100}, {M: 2, EfConstruction: 4}, {M: 3, EfConstruction: 50}, {M: 8, EfConstruction: 8}} {
			h := link(t, index.NewFlat(v), o)
			if lost := h.Unreached(); lost != 0 {
				t.Errorf("%s, M = %d, efConstruction = %d: %d vectors are not reached", name, o.M, o.EfConstruction, lost)
			}
		}
	}
}

func TestHNSWRecallRisesWithEf(t *testing.T) {
	for name, v := range shapes(6000) {
		if name == "same" {
			continue // one in three is distinct, and is tested below
		}
		flat := index.NewFlat(v)
		h := link(t, flat, index.HNSWOptions{M: 8, EfConstruction: 100})
		last := 0.0
		for _, ef := range []int{1, 16, 64, 256, 1024} {
			recall, err := index.Probe(t.Context(), h.WithEf(ef), flat, index.ProbeOptions{K: 8, Queries: 60})
			if err != nil {
				t.Fatalf("Probe: %v", err)
			}
			if recall < last-0.005 {
				t.Errorf("%s: recall at ef = %d is %.3f, at fewer %.3f", name, ef, recall, last)
			}
			last = recall
		}
		if last < 0.99 {
			t.Errorf("%s: recall at ef = 1,024 is %.3f, want at least 0.99", name, last)
		}
	}
}

func TestHNSWOfEqualVectors(t *testing.T) {
	const n = 6000
	v := unit(n, 16, 41)
	for i := 100; i < 4100; i++ {
		copy(v.Row(i), v.Row(7))
	}
	for i := 4100; i < 4150; i++ {
		copy(v.Row(i), v.Row(8))
	}
	flat := index.NewFlat(v)
	h := link(t, flat, index.HNSWOptions{M: 8, EfConstruction: 64})
	for _, i := range []int{7, 8, 4120, 9, 5000} {
		for _, k := range []int{1, 16, 60} {
			if diff := cmp.Diff(search(t, flat, v.Row(i), k), search(t, h, v.Row(i), k)); diff != "" {
				t.Errorf("the %d nearest to vector %d (-exact +found):\n%s", k, i, diff)
			}
		}
	}
	// The first of them is deleted, then all of them.
	want := search(t, flat, v.Row(7), 17)[1:]
	if diff := cmp.Diff(want, search(t, h.Without(7), v.Row(7), 16)); diff != "" {
		t.Errorf("without vector 7 (-want +got):\n%s", diff)
	}
	gone := []uint32{7}
	for i := uint32(100); i < 4100; i++ {
		gone = append(gone, i)
	}
	for _, hit := range search(t, h.Without(gone...), v.Row(7), 16) {
		if hit.Distance == 0 {
			t.Errorf("without all that equal vector 7: found %d", hit.ID)
		}
	}
}

// file saves h and returns the bytes of the file.
func file(tb testing.TB, h *index.HNSW) []byte {
	tb.Helper()
	path := filepath.Join(tb.TempDir(), "links")
	if err := h.Save(path, "x"); err != nil {
		tb.Fatalf("Save: %v", err)
	}
	b, err := os.ReadFile(path)
	if err != nil {
		tb.Fatal(err)
	}
	return b
}

func TestHNSWIsTheSameOnAnyNumberOfProcessors(t *testing.T) {
	flat := index.NewFlat(unit(5000, 16, 51))
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(0))
	var want []byte
	for _, processors := range []int{1, 2, 3, 8} {
		runtime.GOMAXPROCS(processors)
		got := file(t, link(t, flat, index.HNSWOptions{M: 6, EfConstruction: 40}))
		if want == nil {
			want = got
		}
		if !slices.Equal(want, got) {
			t.Errorf("the graph that %d processors built is not that of one", processors)
		}
	}
	if other := file(t, link(t, flat, index.HNSWOptions{M: 6, EfConstruction: 40, Seed: 1})); slices.Equal(want, other) {
		t.Error("another seed gives the same graph")
	}
}

func TestHNSWSaveOpen(t *testing.T) {
	for _, n := range []int{0, 1, 3000} {
		flat := index.NewFlat(unit(n, 12, 61))
		h := link(t, flat, index.HNSWOptions{M: 8, EfConstruction: 64}).Without(0, 5)
		path := filepath.Join(t.TempDir(), "links")
		if err := h.Save(path, "tag"); err != nil {
			t.Fatalf("Save: %v", err)
		}
		got, err := index.OpenHNSW(path, "tag", flat, 0)
		if err != nil {
			t.Fatalf("OpenHNSW: %v", err)
		}
		queries := unit(20, 12, 62)
		for i := range queries.Len() {
			if diff := cmp.Diff(search(t, h, queries.Row(i), 10), search(t, got, queries.Row(i), 10)); diff != "" {
				t.Errorf("n = %d: query %d (-before +after):\n%s", n, i, diff)
			}
		}
		if n > 0 {
			if _, err := got.Extend(t.Context(), index.NewFlat(unit(n+100, 12, 61)), nil); err != nil {
				t.Errorf("Extend after OpenHNSW: %v", err)
			}
		}
	}
}

func TestHNSWOpenRefuses(t *testing.T) {
	flat := index.NewFlat(unit(50, 4, 63))
	path := filepath.Join(t.TempDir(), "links")
	if err := link(t, flat, index.HNSWOptions{M: 4}).Save(path, "tag"); err != nil {
		t.Fatalf("Save: %v", err)
	}
	for name, tt := range map[string]struct {
		path, tag string
		exact     index.Exact
		want      error
	}{
		"another tag":        {path, "other", flat, index.ErrStale},
		"other vectors":      {path, "tag", index.NewFlat(unit(51, 4, 63)), index.ErrStale},
		"another length":     {path, "tag", index.NewFlat(unit(50, 5, 63)), index.ErrStale},
		"no file":            {path + "x", "tag", flat, fs.ErrNotExist},
		"another kind's tag": {path, "tag ", flat, index.ErrStale},
	} {
		if _, err := index.OpenHNSW(tt.path, tt.tag, tt.exact, 0); !errors.Is(err, tt.want) {
			t.Errorf("%s: error = %v, want %v", name, err, tt.want)
		}
	}
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	b[len(b)/2] ^= 1
	if err := os.WriteFile(path, b, 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := index.OpenHNSW(path, "tag", flat, 0); !errors.Is(err, index.ErrDamaged) {
		t.Errorf("a wrong byte: error = %v, want %v", err, index.ErrDamaged)
	}
}

func TestHNSWWithout(t *testing.T) {
	const n, k = 4000, 16
	v := unit(n, 16, 71)
	flat := index.NewFlat(v)
	h := link(t, flat, index.HNSWOptions{M: 8, EfConstruction: 100})
	before := search(t, h, v.Row(1), k)
	rng := rand.New(rand.NewPCG(72, 72))
	for _, share := range []int{50, 90, 99, 100} {
		var gone []uint32
		isGone := make([]bool, n)
		for _, i := range rng.Perm(n)[:n*share/100] {
			gone = append(gone, uint32(i))
			isGone[i] = true
		}
		g := h.Without(gone[:len(gone)/2]...).Without(gone[len(gone)/2:]...).Without(n, n+1000)
		var found, all int
		for q := range 30 {
			var want []index.Hit
			for _, hit := range search(t, flat, v.Row(q), n) {
				if !isGone[hit.ID] && len(want) < k {
					want = append(want, hit)
				}
			}
			got := search(t, g, v.Row(q), k)
			if len(got) != len(want) {
				t.Fatalf("%d %% deleted: %d hits, want %d", share, len(got), len(want))
			}
			for _, hit := range got {
				if isGone[hit.ID] {
					t.Fatalf("%d %% deleted: found vector %d, which is", share, hit.ID)
				}
			}
			for _, hit := range want {
				all++
				if slices.Contains(got, hit) {
					found++
				}
			}
		}
		if float64(found) < 0.98*float64(all) {
			t.Errorf("%d %% deleted: recall = %d of %d", share, found, all)
		}
	}
	if diff := cmp.Diff(before, search(t, h, v.Row(1), k)); diff != "" {
		t.Errorf("Without changes what it is called on (-before +after):\n%s", diff)
	}
}

func TestHNSWExtend(t *testing.T) {
	const n = 5000
	v := unit(n, 16, 81)
	copy(v.Row(n-1), v.Row(3)) // equal ones across the border, and beyond it
	copy(v.Row(n-2), v.Row(n-3))
	part := func(n int) *index.Flat { return index.NewFlat(index.Vectors{Dims: 16, Rows: v.Rows[:16*n]}) }
	for _, first := range []int{0, 1, 1500, n - 1} {
		h := link(t, part(first), index.HNSWOptions{M: 8, EfConstruction: 100}).Without(0)
		before := file(t, h)
		var last, total int64
		g, err := h.Extend(t.Context(), part(n), func(d, n int64) {
			if d < last {
				t.Errorf("progress goes back from %d to %d", last, d)
			}
			last, total = d, n
		})
		if err != nil {
			t.Fatalf("Extend: %v", err)
		}
		if last != n || total != n {
			t.Errorf("progress ends with %d of %d, want %d", last, total, n)
		}
		recall, err := index.Probe(t.Context(), g, part(n), index.ProbeOptions{})
		if err != nil || recall < 0.98 {
			t.Errorf("%d and the rest: recall = %.3f, %v, want at least 0.98", first, recall, err)
		}
		if lost := g.Unreached(); lost != 0 {
			t.Errorf("%d and the rest: %d are not reached", first, lost)
		}
		for _, hit := range search(t, g, v.Row(0), 5) {
			if hit.ID == 0 && first > 0 {
				t.Error("Extend brings back what was deleted")
			}
		}
		if hits := search(t, g, v.Row(3), 2); hits[0].ID != 3 || hits[1].ID != n-1 {
			t.Errorf("the nearest to vector 3 are %v, want 3 and %d", hits, n-1)
		}
		if !slices.Equal(before, file(t, h)) {
			t.Error("Extend changes what it is called on")
		}
		if _, err := g.Extend(t.Context(), part(1), nil); err == nil {
			t.Error("Extend by fewer vectors: no error")
		}
	}
}

func TestNewHNSWCancelled(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	calls := 0
	_, err := index.NewHNSW(ctx, index.NewFlat(unit(9000, 32, 91)), index.HNSWOptions{Progress: func(done, _ int64) {
		if calls++; done > 0 {
			cancel()
		}
	}})
	if !errors.Is(err, context.Canceled) || calls != 2 {
		t.Errorf("NewHNSW, cancelled in the second batch: error = %v after %d calls, want %v after 2", err, calls, context.Canceled)
	}
}

func TestNewHNSWRefuses(t *testing.T) {
	for _, o := range []index.HNSWOptions{{M: 1}, {M: 100_000}, {EfConstruction: -1}, {Ef: -1}} {
		if _, err := index.NewHNSW(t.Context(), index.NewFlat(unit(3, 4, 92)), o); err == nil {
			t.Errorf("NewHNSW(%+v): no error", o)
		}
	}
}

func TestHNSWSearchesAtOnce(t *testing.T) {
	v := unit(2000, 16, 93)
	h := link(t, index.NewFlat(v), index.HNSWOptions{M: 8, EfConstruction: 64})
	want := make([][]index.Hit, 50)
	for i := range want {
		want[i] = search(t, h, v.Row(i), 10)
	}
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			for i := range want {
				if got := search(t, h, v.Row(i), 10); !slices.Equal(got, want[i]) {
					t.Errorf("query %d, beside others = %v, want %v", i, got, want[i])
				}
			}
		})
	}
	wg.Wait()
}

// BenchmarkHNSW links and searches vectors without structure, the hardest case.
func BenchmarkHNSW(b *testing.B) {
	const dims = 256
	queries := unit(64, dims, 7)
	for _, n := range []int{1000, 10_000} {
		flat := index.NewFlat(unit(n, dims, 6))
		b.Run(fmt.Sprintf("build/n=%d", n), func(b *testing.B) {
			for b.Loop() {
				link(b, flat, index.HNSWOptions{})
			}
		})
		h := link(b, flat, index.HNSWOptions{})
		for _, ef := range []int{16, 128} {
			g := h.WithEf(ef)
			b.Run(fmt.Sprintf("search/n=%d/ef=%d", n, ef), func(b *testing.B) {
				for i := 0; b.Loop(); i++ {
					search(b, g, queries.Row(i%64), 16)
				}
			})
		}
	}
}
