package synth

import (
	"math"
	"slices"
	"testing"
)

// all returns the edges of every place.
func all(w *World) [][]edge {
	k := w.newWalker()
	out := make([][]edge, w.subjects)
	for p := range out {
		out[p] = k.edges(nil, p)
	}
	return out
}

func TestEdgesDependOnNothingBefore(t *testing.T) {
	w := small(t)
	forth := all(w)
	k := w.newWalker()
	for p := w.subjects - 1; p >= 0; p-- {
		if got := k.edges(nil, p); !slices.Equal(got, forth[p]) {
			t.Fatalf("edges of place %d: %v, then %v", p, forth[p], got)
		}
		if len(forth[p]) != w.degree(p) {
			t.Fatalf("place %d has %d edges, want %d", p, len(forth[p]), w.degree(p))
		}
	}
}

// TestEdgesFitTheirTypes reads the lists of relations again, line by line.
func TestEdgesFitTheirTypes(t *testing.T) {
	w := small(t)
	fits := map[[3]string]bool{} // relation, family of the head, type of the tail
	for _, l := range parseRelations() {
		for _, ty := range w.rangeTypes(l.ranges) {
			for i, f := range w.families {
				for _, d := range splitComma(l.domains) {
					if w.familyNamed(d, f.name) || w.familyHolds(d, i) {
						fits[[3]string{l.name, f.name, w.types[ty].name}] = true
					}
				}
			}
		}
	}
	for p, edges := range all(w) {
		f := w.families[w.types[w.typeOf(p)].family].name
		for _, e := range edges {
			k := [3]string{w.relations[e.relation], f, w.types[w.typeOf(e.tail)].name}
			if !fits[k] {
				t.Fatalf("an edge %v, which no line of relations.txt allows", k)
			}
		}
	}
}

func TestDegreesFollowYule(t *testing.T) {
	const most = 2_000
	for _, c := range []struct{ n, edges int }{{1_000_000, 4_300_000}, {1_000_000, 900_000}, {300_000, 3_000_000}} {
		f := family{n: c.n}
		f.shareEdges(c.edges, most)
		sum := 0
		for k, n := range f.atLeast {
			sum += n
			if k > 0 && n > f.atLeast[k-1] || n > f.n {
				t.Fatalf("%d entities have %d edges or more, more than have fewer", n, k+1)
			}
		}
		if sum != c.edges {
			t.Errorf("%d edges for %d entities, want %d", sum, c.n, c.edges)
		}
		a := float64(c.edges) / float64(c.n)
		for _, k := range []int{1, 2, 4, 8, 16, 64, 512} {
			want := a * (a + 1) / ((float64(k) + a) * (float64(k) + a + 1))
			// What lies above the largest degree comes back at the smallest.
			tolerance := a*(a+1)/(most+a+1) + 2.0/1024 + most/float64(c.n)
			if got := float64(f.atLeast[k-1]) / float64(f.n); math.Abs(got-want) > tolerance {
				t.Errorf("of the mean %.1f a share of %.5f has %d edges or more, want %.5f", a, got, k, want)
			}
		}
	}
}

// TestEdgesBeyondTheDistribution gives a family as many edges as it may have, far
// more than its distribution holds.
func TestEdgesBeyondTheDistribution(t *testing.T) {
	for _, edges := range []int{0, 1, 77, 100 * 20} {
		f := family{n: 100}
		f.shareEdges(edges, 40)
		sum := 0
		for _, n := range f.atLeast {
			sum += n
		}
		if sum != edges || !slices.IsSortedFunc(f.atLeast, func(a, b int) int { return b - a }) || f.atLeast[0] > f.n {
			t.Errorf("%d edges are shared as %v", edges, f.atLeast)
		}
	}
}

// TestInDegreesAreSkewed checks that edges gather at hubs as Zipf's law has it: the
// in-degree falls as a power of the rank.
func TestInDegreesAreSkewed(t *testing.T) {
	w, err := New(Options{Entities: 100_000, Edges: 430_000, Seed: 2})
	if err != nil {
		t.Fatal(err)
	}
	in := make([]int, w.Entities())
	for _, edges := range all(w) {
		for _, e := range edges {
			in[e.tail]++
		}
	}
	slices.Sort(in)
	slices.Reverse(in)
	top := 0
	for _, n := range in[:len(in)/100] {
		top += n
	}
	if share := float64(top) / 430_000; share < 0.4 || share > 0.8 {
		t.Errorf("a hundredth of the entities has %.2f of the edges, want 0.4 to 0.8", share)
	}
	// The paper's world has hubs of about a hundredth of its edges.
	if share := float64(in[0]) / 430_000; share < 0.01 || share > 0.1 {
		t.Errorf("the largest hub has %.3f of the edges, want 0.01 to 0.1", share)
	}
	slope := math.Log(float64(in[10])/float64(in[1000])) / math.Log(1000.0/10)
	if slope < 0.5 || slope > 1.2 {
		t.Errorf("in-degree falls with the power %.2f of the rank, want 0.5 to 1.2", slope)
	}
}

func TestRelationsAndTypesAreSkewed(t *testing.T) {
	_, c := written(t, small(t))
	for _, list := range [][]Count{c.Relations, c.Types} {
		total := 0
		for _, n := range list {
			total += n.N
		}
		if share := float64(list[0].N) / float64(total); share < 0.02 || share > 0.15 {
			t.Errorf("%s has a share of %.3f, want 0.02 to 0.15", list[0].Name, share)
		}
		if mid, first := list[len(list)/2].N, list[0].N; mid*10 > first {
			t.Errorf("the middle of the list has %d, its head %d", mid, first)
		}
		if last := list[len(list)-1]; last.N > list[0].N/50 {
			t.Errorf("the last, %s, has %d, the head %d", last.Name, last.N, list[0].N)
		}
	}
}

func TestTrianglesArePlanted(t *testing.T) {
	w := small(t)
	edges := all(w)
	closed, sum := 0, 0
	for p := range edges {
		leads := map[int]bool{}
		for _, e := range edges[p] {
			if e.tail < w.subjects {
				for _, f := range edges[e.tail] {
					leads[f.tail] = true
				}
			}
		}
		for _, e := range edges[p] {
			sum++
			if leads[e.tail] {
				closed++
			}
		}
	}
	if share := float64(closed) / float64(sum); share < 0.08 || share > 0.5 {
		t.Errorf("a share of %.3f of the edges closes a triangle, want 0.08 to 0.5", share)
	}
}

func TestSomeLabelsAreShared(t *testing.T) {
	w, err := New(Options{Entities: 100_000, Seed: 3})
	if err != nil {
		t.Fatal(err)
	}
	seen, words := map[string]int{}, map[string]int{}
	for e := range w.Subjects() {
		label := w.Label(e)
		seen[label]++
		for _, word := range nameWords(label) {
			words[word]++
		}
	}
	if shared := 1 - float64(len(seen))/float64(w.Subjects()); shared < 0.005 || shared > 0.05 {
		t.Errorf("a share of %.4f of the labels was there before, want 0.005 to 0.05", shared)
	}
	if len(words) < 20_000 || words["John"] < 300 {
		t.Errorf("%d words, John %d times", len(words), words["John"])
	}
}

func BenchmarkEdges(b *testing.B) {
	w, err := New(Options{Entities: 10_000_000})
	if err != nil {
		b.Fatal(err)
	}
	k := w.newWalker()
	var edges []edge
	n, p := 0, 0
	for b.Loop() {
		edges = k.edges(edges[:0], w.order.of(p))
		n += len(edges)
		p++
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(n), "ns/edge")
}

func BenchmarkLabel(b *testing.B) {
	w, err := New(Options{Entities: 10_000_000})
	if err != nil {
		b.Fatal(err)
	}
	var label []byte
	p := 0
	for b.Loop() {
		label = w.appendLabel(label[:0], w.order.of(p))
		p++
	}
}

func BenchmarkBlock(b *testing.B) {
	w, err := New(Options{Entities: 10_000_000})
	if err != nil {
		b.Fatal(err)
	}
	c, k, i := newCensus(w), newBlockWriter(w), 0
	for b.Loop() {
		if _, err := k.block(c, i*blockSize, (i+1)*blockSize); err != nil {
			b.Fatal(err)
		}
		i++
	}
	b.ReportMetric(float64(c.all.lines())/b.Elapsed().Seconds(), "lines/s")
}

// lines is the number of lines of what was counted.
func (t *tally) lines() int {
	n := 0
	for _, c := range t.relations {
		n += c
	}
	for _, c := range t.types {
		n += 2 * c
	}
	return n
}
