// Package hprd reads the protein graph HPRD and the graphs to find in it, whose counts
// are known, from the data sets beside a checkout.
package hprd

import (
	"bufio"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"cairn/engine/kg"
	"cairn/internal/testing/shared"
)

// Query is a graph to find. Different vertices mean different proteins, and edges have
// no direction.
type Query struct {
	Name string
	// Vertices are the proteins that each vertex may be, ascending: those of its label.
	Vertices [][]kg.EntityID
	Edges    [][2]int // indices into Vertices
	Want     int      // how often it is there
}

// Read reads the graph, in which labels are types, and what to find in it. It skips the
// test where the data sets are absent.
func Read(tb testing.TB) (*kg.Graph, []Query) {
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
	var all []Query
	for _, line := range readLines(tb, filepath.Join(dir, "expected_output.res")) {
		name, count, _ := strings.Cut(line, ":")
		want, err := strconv.Atoi(count)
		if err != nil {
			tb.Fatalf("count of %s: %v", name, err)
		}
		q := Query{Name: name, Want: want}
		labels, edges := readGraph(tb, filepath.Join(dir, "query_graph", name+".graph"))
		for _, l := range labels {
			q.Vertices = append(q.Vertices, byLabel[l])
		}
		q.Edges = edges
		all = append(all, q)
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
