package layout

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// world makes a graph of n nodes with hubs, as neighbourhoods have; cards are
// 80 to 200 units wide.
func world(n int, card bool, seed uint64) Graph {
	r := rand.New(rand.NewPCG(seed, seed))
	g := Graph{}
	ends := []int{0}
	for i := range n {
		s := Size{W: 24, H: 24}
		if card {
			s = Size{W: 80 + r.Float64()*120, H: 44}
		}
		g.Nodes = append(g.Nodes, s)
		if i == 0 {
			continue
		}
		hub := ends[r.IntN(len(ends))]
		g.Edges = append(g.Edges, Edge{From: hub, To: i, Label: Size{60, 20}})
		ends = append(ends, hub, i)
		if r.Float64() < 0.5 {
			g.Edges = append(g.Edges, Edge{From: i, To: ends[r.IntN(len(ends))], Label: Size{60, 20}})
		}
	}
	return g
}

func overlaps(g Graph, at []Point) []string {
	var out []string
	for i := range at {
		for j := range i {
			if math.Abs(at[i].X-at[j].X) < (g.Nodes[i].W+g.Nodes[j].W)/2 && math.Abs(at[i].Y-at[j].Y) < (g.Nodes[i].H+g.Nodes[j].H)/2 {
				out = append(out, fmt.Sprintf("nodes %d and %d", j, i))
			}
		}
	}
	return out
}

func star(answers int) (Graph, LayeredOptions) {
	g := Graph{Nodes: []Size{{120, 44}}}
	o := LayeredOptions{First: []bool{true}, Last: []bool{false}}
	for i := range answers {
		g.Nodes = append(g.Nodes, Size{90 + float64(i*37%110), 44})
		g.Edges = append(g.Edges, Edge{From: 0, To: i + 1, Label: Size{80, 20}})
		o.First, o.Last = append(o.First, false), append(o.Last, true)
	}
	return g, o
}

// gridStar is a star whose answers stand in a grid.
func gridStar(answers int) (Graph, LayeredOptions) {
	g, o := star(answers)
	grid := Grid{Gap: 6, Pad: 10, Top: 22}
	o.Along = make([]bool, len(g.Edges))
	for i := range answers {
		grid.Nodes = append(grid.Nodes, i+1)
		o.Along[i] = i > 0
	}
	o.Grids = []Grid{grid}
	return g, o
}

// TestGridsHaveColumnsAndRows checks that the nodes of a grid stand at the
// crossings of a few columns and rows, apart from each other and right of what
// leads to them, with nothing on the one way there.
func TestGridsHaveColumnsAndRows(t *testing.T) {
	for _, n := range []int{1, 3, 10, 40, 100, 2000} {
		g, o := gridStar(n)
		r, err := Layered(t.Context(), g, o)
		if err != nil {
			t.Fatal(err)
		}
		if got := overlaps(g, r.At); len(got) > 0 {
			t.Errorf("grid of %d overlaps: %v", n, got[:min(len(got), 5)])
		}
		columns, rows := map[float64]int{}, map[float64]int{}
		var w, h float64
		for i, p := range r.At[1:] {
			columns[math.Round(p.X)]++
			rows[math.Round(p.Y)]++
			w, h = max(w, p.X-r.At[0].X+g.Nodes[i+1].W/2), max(h, 2*math.Abs(p.Y-r.At[0].Y))
			if p.X-g.Nodes[i+1].W/2 < r.At[0].X+g.Nodes[0].W/2 {
				t.Errorf("grid of %d: answer %d is not right of the question", n, i)
			}
		}
		if len(columns)*len(rows) < n || (len(columns)-1)*len(rows) >= n {
			t.Errorf("grid of %d has %d columns and %d rows", n, len(columns), len(rows))
		}
		if n >= 40 && (w/h > 3 || w/h < 0.6) {
			t.Errorf("grid of %d takes %.0f×%.0f, want about the shape of a window", n, w, h)
		}
		for e := range o.Along {
			if o.Along[e] && len(r.Bends[e]) > 0 {
				t.Errorf("grid of %d: edge %d, which runs along another, has a way", n, e)
			}
		}
	}
}

// TestGridsStandByTheirMiddles is a question of two hops: five things on the way,
// each with a grid of answers.
func TestGridsStandByTheirMiddles(t *testing.T) {
	const middles, each = 5, 7
	g := Graph{Nodes: []Size{{120, 44}}}
	var o LayeredOptions
	add := func(s Size, last bool) int {
		g.Nodes = append(g.Nodes, s)
		o.First, o.Last = append(o.First, false), append(o.Last, last)
		return len(g.Nodes) - 1
	}
	o.First, o.Last = []bool{true}, []bool{false}
	for range middles {
		m := add(Size{90, 30}, false)
		g.Edges, o.Along = append(g.Edges, Edge{From: 0, To: m}), append(o.Along, false)
		grid := Grid{Gap: 6, Pad: 10, Top: 22}
		for k := range each {
			a := add(Size{100, 27}, true)
			grid.Nodes = append(grid.Nodes, a)
			g.Edges, o.Along = append(g.Edges, Edge{From: m, To: a}), append(o.Along, k > 0)
		}
		o.Grids = append(o.Grids, grid)
	}
	r, err := Layered(t.Context(), g, o)
	if err != nil {
		t.Fatal(err)
	}
	if got := overlaps(g, r.At); len(got) > 0 {
		t.Errorf("grids overlap: %v", got)
	}
	left := math.Inf(1)
	for _, grid := range o.Grids {
		left = min(left, r.At[grid.Nodes[0]].X-50-grid.Pad)
	}
	for n := range g.Nodes {
		if !o.Last[n] && r.At[n].X+g.Nodes[n].W/2 > left {
			t.Errorf("node %d on the way stands among the answers", n)
		}
	}
	for i, a := range o.Grids {
		for j, b := range o.Grids[:i] {
			for _, n := range b.Nodes {
				low, high := r.At[a.Nodes[0]].Y, r.At[a.Nodes[0]].Y
				for _, m := range a.Nodes {
					low, high = min(low, r.At[m].Y), max(high, r.At[m].Y)
				}
				if y := r.At[n].Y; y > low-14-a.Pad-a.Top && y < high+14+a.Pad {
					t.Errorf("an answer of grid %d stands in the frame of grid %d", j, i)
				}
			}
		}
	}
}

func TestLayeredKeepsNodesApart(t *testing.T) {
	for seed := range uint64(8) {
		for _, n := range []int{1, 2, 3, 9, 30, 60, 100} {
			g := world(n, true, seed)
			o := LayeredOptions{First: make([]bool, n), Last: make([]bool, n)}
			if n > 1 && seed%3 != 0 {
				o.First[0], o.Last[n-1], o.Last[n/2] = true, true, true
			}
			r, err := Layered(t.Context(), g, o)
			if err != nil {
				t.Fatal(err)
			}
			if got := overlaps(g, r.At); len(got) > 0 {
				t.Errorf("Layered(%d nodes, seed %d) overlaps: %v", n, seed, got)
			}
		}
	}
}

func TestLayeredPutsFirstLeftAndLastRight(t *testing.T) {
	for seed := range uint64(20) {
		n := 40
		g := world(n, true, seed)
		o := LayeredOptions{First: make([]bool, n), Last: make([]bool, n)}
		for i := range 3 {
			o.First[i*5], o.Last[n-1-i*4] = true, true
		}
		r, err := Layered(t.Context(), g, o)
		if err != nil {
			t.Fatal(err)
		}
		for i := range n {
			for j := range n {
				if o.First[i] && !o.First[j] && r.At[i].X+g.Nodes[i].W/2 > r.At[j].X-g.Nodes[j].W/2 {
					t.Errorf("seed %d: first node %d at %v is not left of node %d at %v", seed, i, r.At[i], j, r.At[j])
				}
				if o.Last[i] && !o.Last[j] && r.At[i].X-g.Nodes[i].W/2 < r.At[j].X+g.Nodes[j].W/2 {
					t.Errorf("seed %d: last node %d at %v is not right of node %d at %v", seed, i, r.At[i], j, r.At[j])
				}
			}
		}
	}
}

// TestLayeredWithoutFirstEndsAtTheLast: what is as far from the last nodes stands in one column.
func TestLayeredWithoutFirstEndsAtTheLast(t *testing.T) {
	size := Size{80, 44}
	g := Graph{Nodes: []Size{size, size, size, size, size, size}, Edges: []Edge{
		{From: 3, To: 0}, {From: 3, To: 1}, {From: 3, To: 2}, // a star
		{From: 5, To: 4}, // a part of its own
	}}
	r, err := Layered(t.Context(), g, LayeredOptions{Last: []bool{false, false, false, true, false, true}})
	if err != nil {
		t.Fatal(err)
	}
	for _, i := range []int{1, 2, 4} {
		if r.At[i].X != r.At[0].X {
			t.Errorf("node %d at %v, node 0 at %v", i, r.At[i], r.At[0])
		}
	}
	if r.At[3].X <= r.At[0].X || r.At[5].X != r.At[3].X {
		t.Errorf("the last nodes are at %v and %v", r.At[3], r.At[5])
	}
}

func TestLayeredFollowsDirectionWithoutLast(t *testing.T) {
	g := Graph{Nodes: []Size{{80, 44}, {80, 44}, {80, 44}}, Edges: []Edge{{From: 0, To: 2}, {From: 2, To: 1}, {From: 1, To: 0}}}
	r, err := Layered(t.Context(), g, LayeredOptions{First: []bool{true, false, false}})
	if err != nil {
		t.Fatal(err)
	}
	if !(r.At[0].X < r.At[2].X && r.At[2].X < r.At[1].X) {
		t.Errorf("Layered(0→2→1→0) = %v, want 0, 2, 1 from left to right", r.At)
	}
}

// TestLayeredEdgesPassBesideNodes checks that the straight parts of long edges
// touch no node.
func TestLayeredEdgesPassBesideNodes(t *testing.T) {
	for _, n := range []int{5, 15, 20, 40, 60, 100} {
		g, o := star(n)
		g.Nodes = append(g.Nodes, Size{100, 44}) // on a way of two hops to the last
		o.First, o.Last = append(o.First, false), append(o.Last, false)
		g.Edges = append(g.Edges, Edge{From: 0, To: n + 1}, Edge{From: n + 1, To: n})
		r, err := Layered(t.Context(), g, o)
		if err != nil {
			t.Fatal(err)
		}
		for e, bends := range r.Bends {
			for i := 0; i+1 < len(bends); i += 2 {
				for v, p := range r.At {
					if math.Abs(bends[i].Y-p.Y) < g.Nodes[v].H/2 && bends[i].X <= p.X+g.Nodes[v].W/2 && bends[i+1].X >= p.X-g.Nodes[v].W/2 {
						t.Errorf("star of %d: edge %d passes through node %d", n, e, v)
					}
				}
			}
		}
	}
}

func TestLayeredManyAnswersStayCompact(t *testing.T) {
	g, o := gridStar(60)
	r, err := Layered(t.Context(), g, o)
	if err != nil {
		t.Fatal(err)
	}
	var w, h float64
	for i, p := range r.At {
		w, h = max(w, p.X-r.At[0].X+g.Nodes[i].W/2), max(h, math.Abs(p.Y)*2)
	}
	if h > 2200 || w/h > 2 || w/h < 0.3 {
		t.Errorf("star of 60 takes %.0f×%.0f, want at most 2200 high and neither a column nor a row", w, h)
	}
}

func TestLayoutsAreDeterministic(t *testing.T) {
	g := world(80, true, 3)
	o := LayeredOptions{First: make([]bool, 80), Last: make([]bool, 80)}
	o.First[0], o.Last[70] = true, true
	a, _ := Layered(t.Context(), g, o)
	b, _ := Layered(t.Context(), g, o)
	if diff := cmp.Diff(a, b); diff != "" {
		t.Errorf("Layered twice differs:\n%s", diff)
	}
	c, _ := Force(t.Context(), g, ForceOptions{})
	d, _ := Force(t.Context(), g, ForceOptions{})
	if diff := cmp.Diff(c, d); diff != "" {
		t.Errorf("Force twice differs:\n%s", diff)
	}
}

func TestForceKeepsNodesApart(t *testing.T) {
	for seed := range uint64(4) {
		for _, n := range []int{1, 2, 7, 40, 60, 200} {
			g := world(n, n <= 60, seed)
			at, err := Force(t.Context(), g, ForceOptions{})
			if err != nil {
				t.Fatal(err)
			}
			if got := overlaps(g, at); len(got) > 0 {
				t.Errorf("Force(%d nodes, seed %d) overlaps: %v", n, seed, got)
			}
			for i, p := range at {
				if math.IsNaN(p.X+p.Y) || math.IsInf(p.X+p.Y, 0) {
					t.Fatalf("Force(%d nodes, seed %d) puts node %d at %v", n, seed, i, p)
				}
			}
		}
	}
}

func TestForceKeepsFixedAndSeedsNewBesideNeighbours(t *testing.T) {
	g := world(20, true, 1)
	first, err := Force(t.Context(), g, ForceOptions{})
	if err != nil {
		t.Fatal(err)
	}
	g.Nodes = append(g.Nodes, Size{100, 44})
	g.Edges = append(g.Edges, Edge{From: 5, To: 20})
	start := append(first, Point{math.NaN(), math.NaN()})
	fixed := make([]bool, 21)
	for i := range 20 {
		fixed[i] = true
	}
	second, err := Force(t.Context(), g, ForceOptions{Start: start, Fixed: fixed, Iterations: 60})
	if err != nil {
		t.Fatal(err)
	}
	for i := range 20 {
		if math.Hypot(second[i].X-start[i].X, second[i].Y-start[i].Y) > 1e-6 {
			t.Errorf("fixed node %d moved from %v to %v", i, start[i], second[i])
		}
	}
	if d := math.Hypot(second[20].X-second[5].X, second[20].Y-second[5].Y); !(d < 700) {
		t.Errorf("new node is %.0f units from its neighbour", d)
	}
}

func TestLayoutsStopWhenCancelled(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	g := world(50, true, 1)
	if _, err := Layered(ctx, g, LayeredOptions{}); !errors.Is(err, context.Canceled) {
		t.Errorf("Layered after cancel = %v, want context.Canceled", err)
	}
	if _, err := Force(ctx, g, ForceOptions{}); !errors.Is(err, context.Canceled) {
		t.Errorf("Force after cancel = %v, want context.Canceled", err)
	}
}

// TestLayoutsAreFast guards against an accidental square; the bound is a hundred
// times what is measured, because the machine may be busy and the race detector on.
func TestLayoutsAreFast(t *testing.T) {
	if testing.Short() {
		t.Skip("takes seconds on a busy machine")
	}
	start := time.Now()
	if _, err := Force(t.Context(), world(800, false, 1), ForceOptions{}); err != nil {
		t.Fatal(err)
	}
	if d := time.Since(start); d > 20*time.Second {
		t.Errorf("Force(800) took %v", d)
	}
	start = time.Now()
	g, o := star(120)
	if _, err := Layered(t.Context(), g, o); err != nil {
		t.Fatal(err)
	}
	if d := time.Since(start); d > 10*time.Second {
		t.Errorf("Layered(120) took %v", d)
	}
}

func BenchmarkForce(b *testing.B) {
	for _, n := range []int{50, 500, 5000} {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			g := world(n, n <= 60, 1)
			for b.Loop() {
				if _, err := Force(b.Context(), g, ForceOptions{}); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

func BenchmarkGrid(b *testing.B) {
	for _, n := range []int{10, 100, 2000} {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			g, o := gridStar(n)
			for b.Loop() {
				if _, err := Layered(b.Context(), g, o); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

func BenchmarkLayered(b *testing.B) {
	for _, n := range []int{20, 60, 120} {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			g, o := star(n)
			for b.Loop() {
				if _, err := Layered(b.Context(), g, o); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
