package index

import (
	"bufio"
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"testing"

	"cairn/engine/embed"
	"cairn/engine/lexicon"
	"cairn/internal/testing/shared"
)

// metaQANames returns the vectors of the names of MetaQA's entities and values, as
// the built-in embedder makes them, and of the same names misspelt.
func metaQANames(tb testing.TB, queries int) (names, misspelt Vectors) {
	tb.Helper()
	f, err := os.Open(shared.Data(tb, "metaqa/kb.txt"))
	if err != nil {
		tb.Fatal(err)
	}
	defer func() { _ = f.Close() }()
	var texts []string
	known := map[string]bool{}
	for s := bufio.NewScanner(f); s.Scan(); {
		fields := strings.Split(s.Text(), "|")
		for _, name := range []string{fields[0], fields[2]} {
			if !known[name] {
				known[name] = true
				texts = append(texts, name)
			}
		}
	}
	l := embed.NewLexical(slices.Values(texts), lexicon.Builtin())
	rng := rand.New(rand.NewPCG(1, 1))
	var asked []string
	for range queries {
		name := []rune(texts[rng.IntN(len(texts))])
		at := rng.IntN(len(name))
		asked = append(asked, string(slices.Delete(name, at, at+1)))
	}
	var packed [2]Vectors
	for i, t := range [][]string{texts, asked} {
		rows, err := l.Embed(tb.Context(), embed.Document, t)
		if err != nil {
			tb.Fatalf("Embed: %v", err)
		}
		packed[i] = Vectors{Dims: l.Dims(), Rows: slices.Concat(rows...)}
	}
	return packed[0], packed[1]
}

// TestScanRecallOfNames compares the hits of codes of 16 bits with those of a scan
// of the float32 vectors, and tells how many rows the bounds left in question.
func TestScanRecallOfNames(t *testing.T) {
	shared.Sequential(t)
	names, queries := metaQANames(t, 20)
	s, flat := NewScan(names), NewFlat(names)
	for _, want := range []struct {
		k      int
		recall float64
	}{{1, 0.99}, {16, 0.999}, {512, 0.999}, {16_384, 0.99}} {
		var found, all, decided int
		for i := range queries.Len() {
			truth, err := flat.scan(t.Context(), [][]float32{queries.Row(i)}, want.k)
			if err != nil {
				t.Fatal(err)
			}
			got, err := s.Nearest(t.Context(), queries.Row(i), want.k)
			if err != nil {
				t.Fatal(err)
			}
			in := map[uint32]bool{}
			for _, h := range got {
				in[h.ID] = true
			}
			for _, h := range truth[0] {
				if all++; in[h.ID] {
					found++
				}
			}
			coded, err := codeQueries([][]float32{queries.Row(i)}, s.Len(), s.Dims())
			if err != nil {
				t.Fatal(err)
			}
			left, err := s.rows.gather(t.Context(), coded, want.k)
			if err != nil {
				t.Fatal(err)
			}
			decided += len(left[0])
		}
		recall := float64(found) / float64(all)
		t.Logf("k=%d: recall %.5f, %.2f·k rows decided by both planes", want.k, recall, float64(decided)/float64(all))
		if recall < want.recall {
			t.Errorf("recall of %d names at k=%d = %.5f, want at least %.3f", s.Len(), want.k, recall, want.recall)
		}
	}
}

// BenchmarkNames searches the names of MetaQA for misspelt ones.
func BenchmarkNames(b *testing.B) {
	names, queries := metaQANames(b, 64)
	for _, idx := range []struct {
		name string
		Batch
	}{{"scan", NewScan(names)}, {"flat", NewFlat(names)}} {
		for _, k := range []int{1, 16, 512, 16_384} {
			for _, count := range []int{1, 3} {
				b.Run(fmt.Sprintf("%s/k=%d/queries=%d", idx.name, k, count), func(b *testing.B) {
					rows := make([][]float32, count)
					for i := 0; b.Loop(); i++ {
						for j := range rows {
							rows[j] = queries.Row((i*count + j) % queries.Len())
						}
						if _, err := idx.NearestAll(b.Context(), rows, k); err != nil {
							b.Fatal(err)
						}
					}
				})
			}
		}
	}
	flat := NewFlat(names)
	b.Run("naive/k=16/queries=1", func(b *testing.B) {
		for i := 0; b.Loop(); i++ {
			if _, err := flat.scan(b.Context(), [][]float32{queries.Row(i % queries.Len())}, 16); err != nil {
				b.Fatal(err)
			}
		}
	})
}
