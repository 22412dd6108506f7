package paths

import (
	"bufio"
	"compress/gzip"
	"context"
	"errors"
	"os"
	"strings"
	"testing"
	"time"

	"cairn/engine/kg"
	"cairn/engine/match"
	"cairn/internal/testing/shared"
)

// fb15k is every nth triple of the training part of FB15k-237: 14 505 entities, a mean
// degree of 37, hubs.
func fb15k(tb testing.TB, n int) *kg.Graph {
	tb.Helper()
	f, err := os.Open(shared.Data(tb, "fb15k-237/train.tsv.gz"))
	if err != nil {
		tb.Fatal(err)
	}
	defer f.Close()
	z, err := gzip.NewReader(f)
	if err != nil {
		tb.Fatal(err)
	}
	var b kg.Builder
	s := bufio.NewScanner(z)
	for i := 0; s.Scan(); i++ {
		if c := strings.Split(s.Text(), "\t"); len(c) == 3 && i%n == 0 {
			b.Add(c[0], c[1], c[2])
		}
	}
	return b.Graph()
}

func benchmarkBuild(b *testing.B, g *kg.Graph) {
	b.Helper()
	var x *Index
	for b.Loop() {
		x = build(b, g, Options{MaxPaths: 100_000_000})
	}
	n, bytes := x.Size()
	b.ReportMetric(float64(n), "paths")
	b.ReportMetric(float64(bytes), "bytes")
}

func BenchmarkBuildHPRD(b *testing.B) {
	g, _ := hprd(b)
	benchmarkBuild(b, g)
}

func BenchmarkBuildFB15k(b *testing.B) { benchmarkBuild(b, fb15k(b, 1)) }

func BenchmarkHPRD(b *testing.B) {
	g, all := hprd(b)
	x := build(b, g, Options{})
	for i := 0; b.Loop(); i++ {
		if _, err := x.Each(b.Context(), all[i%len(all)].q, func(match.Binding) bool { return true }); err != nil {
			b.Fatal(err)
		}
	}
}

// TestCancelsSoon cancels queries over a large graph at many moments, and a build.
func TestCancelsSoon(t *testing.T) {
	if testing.Short() {
		t.Skip("indexes a large graph")
	}
	g := fb15k(t, 3) // seven million paths
	x := build(t, g, Options{})
	q := &match.Query{Nodes: make([]match.Node, 5)}
	for i := range q.Nodes {
		q.Nodes[i].Distinct = 31 &^ (1 << i) // all differ: paths of three entities
	}
	for i := range 4 {
		q.Edges = append(q.Edges, match.Edge{From: i, To: i + 1, Either: true})
	}
	late := func(what string, after time.Duration, do func(ctx context.Context) error) {
		ctx, cancel := context.WithTimeout(t.Context(), after)
		defer cancel()
		start := time.Now()
		err := do(ctx)
		took := time.Since(start) - after
		t.Logf("%s stopped after %v: %v late", what, after, took)
		// Ten times what is promised, for machines that are busy.
		if !errors.Is(err, context.DeadlineExceeded) || took > 500*time.Millisecond {
			t.Errorf("%s stopped after %v: %v, %v late", what, after, err, took)
		}
	}
	for _, after := range []time.Duration{1, 100, 400, 900} {
		late("a query", after*time.Millisecond, func(ctx context.Context) error {
			_, err := x.Each(ctx, q, func(match.Binding) bool { return true })
			return err
		})
	}
	for _, after := range []time.Duration{1, 300, 1000} {
		late("a build", after*time.Millisecond, func(ctx context.Context) error {
			_, err := Build(ctx, g, Options{})
			return err
		})
	}
}
