package match_test

import (
	"context"
	"slices"
	"testing"
	"time"

	"cairn/engine/match"
	"cairn/internal/testing/hprd"
)

// perQuery is how long a query may take: a thousand times what it does, for machines
// that are busy.
const perQuery = time.Second

// hprdQuery is a graph to find in the protein graph as a query.
func hprdQuery(p hprd.Query) *match.Query {
	q := &match.Query{}
	for v, in := range p.Vertices {
		q.Nodes = append(q.Nodes, match.Node{In: in, Distinct: (1<<len(p.Vertices) - 1) &^ (1 << v)})
	}
	for _, e := range p.Edges {
		q.Edges = append(q.Edges, match.Edge{From: e[0], To: e[1], Either: true})
	}
	return q
}

// TestHPRD counts every query graph in the protein graph.
func TestHPRD(t *testing.T) {
	g, all := hprd.Read(t)
	var took []time.Duration
	for _, x := range all {
		ctx, cancel := context.WithTimeout(context.Background(), perQuery)
		start := time.Now()
		s, err := (match.Anchored{Graph: g}).Each(ctx, hprdQuery(x), func(match.Binding) bool { return true })
		cancel()
		if took = append(took, time.Since(start)); err != nil || s.Found != x.Want {
			t.Errorf("%s: found %d, %v, want %d", x.Name, s.Found, err, x.Want)
		}
	}
	slices.Sort(took)
	t.Logf("%d queries: median %v, longest %v", len(took), took[len(took)/2], took[len(took)-1])
}

func BenchmarkAnchoredHPRD(b *testing.B) {
	g, all := hprd.Read(b)
	i := 0
	for b.Loop() {
		if _, err := (match.Anchored{Graph: g}).Each(b.Context(), hprdQuery(all[i*79%len(all)]), func(match.Binding) bool { return true }); err != nil {
			b.Fatal(err)
		}
		i++
	}
}
