package match

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
	"cairn/internal/testing/shared"
)

// hprd is a protein graph with a label for every vertex, and graphs to find in it, with
// the number of times that each is there.
type hprd struct {
	g       *kg.Graph
	queries []hprdQuery
}

type hprdQuery struct {
	name string
	q    *Query
	want int
}

// perQuery is how long a query may take: a thousand times what it does, for machines
// that are busy.
const perQuery = time.Second

func openHPRD(tb testing.TB) *hprd {
	tb.Helper()
	dir := shared.Data(tb, "hprd")
	labels, edges := readHPRD(tb, filepath.Join(dir, "data_graph", "HPRD.graph"))
	var b kg.Builder
	byLabel := map[int][]kg.EntityID{}
	for v, l := range labels {
		byLabel[l] = append(byLabel[l], b.Entity(strconv.Itoa(v)))
	}
	for _, e := range edges {
		b.Add(strconv.Itoa(e[0]), "interacts", strconv.Itoa(e[1]))
	}
	h := &hprd{g: b.Graph()}
	for _, line := range readLines(tb, filepath.Join(dir, "expected_output.res")) {
		name, count, _ := strings.Cut(line, ":")
		want, err := strconv.Atoi(count)
		if err != nil {
			tb.Fatalf("count of %s: %v", name, err)
		}
		labels, edges := readHPRD(tb, filepath.Join(dir, "query_graph", name+".graph"))
		q := &Query{}
		for v, l := range labels {
			q.Nodes = append(q.Nodes, Node{In: byLabel[l], Distinct: (1<<len(labels) - 1) &^ (1 << v)})
		}
		for _, e := range edges {
			q.Edges = append(q.Edges, Edge{From: e[0], To: e[1], Either: true})
		}
		h.queries = append(h.queries, hprdQuery{name, q, want})
	}
	slices.SortFunc(h.queries, func(a, b hprdQuery) int { return strings.Compare(a.name, b.name) })
	return h
}

// readHPRD reads lines "v ID LABEL DEGREE" and "e ID ID".
func readHPRD(tb testing.TB, path string) (labels []int, edges [][2]int) {
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

// TestHPRD counts every query graph in the protein graph.
func TestHPRD(t *testing.T) {
	h := openHPRD(t)
	var took []time.Duration
	for _, x := range h.queries {
		ctx, cancel := context.WithTimeout(context.Background(), perQuery)
		start := time.Now()
		s, err := (Anchored{Graph: h.g}).Each(ctx, x.q, func(Binding) bool { return true })
		cancel()
		if took = append(took, time.Since(start)); err != nil || s.Found != x.want {
			t.Errorf("%s: found %d, %v, want %d", x.name, s.Found, err, x.want)
		}
	}
	slices.Sort(took)
	t.Logf("%d queries: median %v, longest %v", len(took), took[len(took)/2], took[len(took)-1])
}

func BenchmarkAnchoredHPRD(b *testing.B) {
	h := openHPRD(b)
	i := 0
	for b.Loop() {
		if _, err := (Anchored{Graph: h.g}).Each(b.Context(), h.queries[i*79%len(h.queries)].q, func(Binding) bool { return true }); err != nil {
			b.Fatal(err)
		}
		i++
	}
}
