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
	"cairn/engine/internal/arrays"
	"cairn/internal/testing/shared"
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
	keepsContract(t, 0.98, func(t *testing.T, v index.Vectors) index.Index {
		t.Helper()
		return link(t, index.NewFlat(v), index.HNSWOptions{M: 16, EfConstruction: 128})
	})
	if testing.Short() {
		return // of what is above, under the race detector, once is enough
	}
	keepsContract(t, 0.98, func(t *testing.T, v index.Vectors) index.Index {
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
	shared.Sequential(t)
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
	shared.Sequential(t)
	for name, v := range shapes(6000) {
		if name == "same" {
			continue // one in three is distinct, and is tested below
		}
		flat := index.NewFlat(v)
		h := link(t, flat, index.HNSWOptions{M: 8, EfConstruction: 100})
		last := 0.0
		for _, ef := range []int{1, 16, 64, 256, 1024} {
			recall, err := index.Probe(t.Context(), h.WithEf(ef), flat)
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
		h := link(t, flat, index.HNSWOptions{M: 8, EfConstruction: 64})
		path := filepath.Join(t.TempDir(), "links")
		if err := h.Save(path, "tag"); err != nil {
			t.Fatalf("Save: %v", err)
		}
		got, err := index.OpenHNSW(path, "tag", flat)
		if err != nil {
			t.Fatalf("OpenHNSW: %v", err)
		}
		queries := unit(20, 12, 62)
		for i := range queries.Len() {
			if diff := cmp.Diff(search(t, h, queries.Row(i), 10), search(t, got, queries.Row(i), 10)); diff != "" {
				t.Errorf("n = %d: query %d (-before +after):\n%s", n, i, diff)
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
		"another tag":        {path, "other", flat, arrays.ErrStale},
		"other vectors":      {path, "tag", index.NewFlat(unit(51, 4, 63)), arrays.ErrStale},
		"another length":     {path, "tag", index.NewFlat(unit(50, 5, 63)), arrays.ErrStale},
		"no file":            {path + "x", "tag", flat, fs.ErrNotExist},
		"another kind's tag": {path, "tag ", flat, arrays.ErrStale},
	} {
		if _, err := index.OpenHNSW(tt.path, tt.tag, tt.exact); !errors.Is(err, tt.want) {
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
	if _, err := index.OpenHNSW(path, "tag", flat); !errors.Is(err, arrays.ErrDamaged) {
		t.Errorf("a wrong byte: error = %v, want %v", err, arrays.ErrDamaged)
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
	for _, o := range []index.HNSWOptions{{M: 1}, {M: 100_000}, {EfConstruction: -1}} {
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
