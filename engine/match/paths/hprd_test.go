package paths

import (
	"context"
	"slices"
	"testing"
	"time"

	"cairn/engine/kg"
	"cairn/engine/match"
	proteins "cairn/internal/testing/hprd"
)

// protein is a graph to find in the protein graph HPRD, with how often it is there.
type protein struct {
	name string
	q    *match.Query
	want int
}

// hprd reads the protein graph, whose labels are types, and the graphs to find in it.
func hprd(tb testing.TB) (*kg.Graph, []protein) {
	tb.Helper()
	g, queries := proteins.Read(tb)
	all := make([]protein, len(queries))
	for i, p := range queries {
		q := &match.Query{}
		for v, in := range p.Vertices {
			q.Nodes = append(q.Nodes, match.Node{In: in, Distinct: (1<<len(p.Vertices) - 1) &^ (1 << v)})
		}
		for _, e := range p.Edges {
			q.Edges = append(q.Edges, match.Edge{From: e[0], To: e[1], Either: true})
		}
		all[i] = protein{p.Name, q, p.Want}
	}
	return g, all
}

// TestHPRD counts the query graphs in the protein graph, every tenth with -short.
func TestHPRD(t *testing.T) {
	const perQuery = 5 * time.Second // far above what one takes, for machines that are busy
	g, all := hprd(t)
	start := time.Now()
	x := build(t, g, Options{})
	n, bytes := x.Size()
	t.Logf("%d paths, %d bytes, built in %v", n, bytes, time.Since(start))
	var took []time.Duration
	for i, p := range all {
		if testing.Short() && i%10 != 0 {
			continue
		}
		ctx, cancel := context.WithTimeout(t.Context(), perQuery)
		start := time.Now()
		s, err := x.Each(ctx, p.q, func(match.Binding) bool { return true })
		cancel()
		if took = append(took, time.Since(start)); err != nil || s.Found != p.want {
			t.Errorf("%s: found %d, %v, want %d", p.name, s.Found, err, p.want)
		}
	}
	slices.Sort(took)
	t.Logf("%d queries: median %v, longest %v", len(took), took[len(took)/2], took[len(took)-1])
}
