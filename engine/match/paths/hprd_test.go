package paths

import (
	"bufio"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"cairn/engine/kg"
	"cairn/engine/match"
	"cairn/internal/testing/shared"
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
	dir := shared.Data(tb, "hprd")
	labels, edges := readGraph(tb, filepath.Join(dir, "data_graph", "HPRD.graph"))
	var b kg.Builder
	byLabel := map[int][]kg.EntityID{}
	for v, l := range labels {
		e := b.Entity(strconv.Itoa(v))
		b.AddType(e, strconv.Itoa(l))
		byLabel[l] = append(byLabel[l], e)
	}
	for _, e := range edges {
		b.Add(strconv.Itoa(e[0]), "interacts", strconv.Itoa(e[1]))
	}
	var all []protein
	for _, line := range readLines(tb, filepath.Join(dir, "expected_output.res")) {
		name, count, _ := strings.Cut(line, ":")
		want, err := strconv.Atoi(count)
		if err != nil {
			tb.Fatalf("count of %s: %v", name, err)
		}
		labels, edges := readGraph(tb, filepath.Join(dir, "query_graph", name+".graph"))
		q := &match.Query{}
		for v, l := range labels {
			q.Nodes = append(q.Nodes, match.Node{In: byLabel[l], Distinct: (1<<len(labels) - 1) &^ (1 << v)})
		}
		for _, e := range edges {
			q.Edges = append(q.Edges, match.Edge{From: e[0], To: e[1], Either: true})
		}
		all = append(all, protein{name, q, want})
	}
	return b.Graph(), all
}

// readGraph reads lines "v ID LABEL DEGREE" and "e ID ID".
func readGraph(tb testing.TB, path string) (labels []int, edges [][2]int) {
	tb.Helper()
	for _, line := range readLines(tb, path) {
		var a, b int
		if _, err := fmt.Sscanf(line[1:], "%d %d", &a, &b); err != nil {
			tb.Fatalf("%s: %q: %v", path, line, err)
		}
		switch line[0] {
		case 'v':
			labels = append(labels, b)
		case 'e':
			edges = append(edges, [2]int{a, b})
		}
	}
	return labels, edges
}

func readLines(tb testing.TB, path string) (lines []string) {
	tb.Helper()
	f, err := os.Open(path)
	if err != nil {
		tb.Fatal(err)
	}
	defer f.Close()
	for s := bufio.NewScanner(f); s.Scan(); {
		lines = append(lines, s.Text())
	}
	return lines
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
