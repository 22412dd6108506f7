package layout

import "context"

// Grid is nodes that stand together in a frame:
//
//	     ╭ top ───────────╮
//	a ───┤ card 0  card 3 │
//	     │ card 1  card 4 │
//	     │ card 2         │
//	     ╰────────────────╯
type Grid struct {
	Nodes []int // downwards, then to the right
	// Gap is the room between two nodes; Pad that between them and the frame, and
	// Top what is added to it above them.
	Gap, Pad, Top float64
}

// gridded lays out g with each grid in place of its nodes, with one column more
// as long as that shows everything larger.
func gridded(ctx context.Context, g Graph, o LayeredOptions) (Result, error) {
	c := contract(g, &o)
	var best Result
	most, largest := 1, 0.0
	for _, grid := range o.Grids {
		most = max(most, len(grid.Nodes))
	}
	for columns := 1; columns <= most; columns++ {
		inside := make([][]Point, len(o.Grids))
		for i := range o.Grids {
			inside[i], c.graph.Nodes[c.first+i] = o.Grids[i].arrange(g.Nodes, columns)
		}
		r, err := Layered(ctx, c.graph, c.options)
		if err != nil {
			return Result{}, err
		}
		scale := r.Scale(c.graph.Nodes, o.Room)
		if scale <= largest {
			break
		}
		best, largest = c.expand(r, inside, g), scale
	}
	return best, nil
}

// arrange returns where the nodes stand from the middle of their frame, and the
// size of the frame. The columns are equally wide, the nodes of a row level.
func (g *Grid) arrange(sizes []Size, columns int) ([]Point, Size) {
	rows := (len(g.Nodes) + columns - 1) / columns
	columns = (len(g.Nodes) + rows - 1) / rows // the last ones may be empty
	heights, width := make([]float64, rows), 0.0
	for i, n := range g.Nodes {
		width = max(width, sizes[n].W)
		heights[i%rows] = max(heights[i%rows], sizes[n].H)
	}
	frame := Size{W: float64(columns)*(width+g.Gap) - g.Gap + 2*g.Pad, H: g.Top + 2*g.Pad - g.Gap}
	for _, h := range heights {
		frame.H += h + g.Gap
	}
	at := make([]Point, len(g.Nodes))
	y := g.Top + g.Pad - frame.H/2
	for row, h := range heights {
		for i := row; i < len(at); i += rows {
			at[i] = Point{X: float64(i/rows)*(width+g.Gap) + width/2 + g.Pad - frame.W/2, Y: y + h/2}
		}
		y += h + g.Gap
	}
	return at, frame
}

// Scale is how large nodes of these sizes can be shown in a room.
func (r *Result) Scale(sizes []Size, room Size) float64 {
	low, high := r.At[0], r.At[0]
	for i, p := range r.At {
		low = Point{min(low.X, p.X-sizes[i].W/2), min(low.Y, p.Y-sizes[i].H/2)}
		high = Point{max(high.X, p.X+sizes[i].W/2), max(high.Y, p.Y+sizes[i].H/2)}
	}
	return min(room.W/max(high.X-low.X, 1), room.H/max(high.Y-low.Y, 1))
}

type contraction struct {
	graph   Graph // its nodes from first on are the grids
	first   int
	options LayeredOptions
	node    []int // of each node: its own in the smaller graph
	edge    []int // of each edge: its own there, -1 for one that runs along another
	grids   []Grid
}

func contract(g Graph, o *LayeredOptions) contraction {
	c := contraction{node: make([]int, len(g.Nodes)), edge: make([]int, len(g.Edges)), grids: o.Grids, options: *o}
	c.options.Grids, c.options.First, c.options.Last = nil, nil, nil
	grid := make([]int, len(g.Nodes)) // from 1; 0 for none
	for i := range o.Grids {
		for _, n := range o.Grids[i].Nodes {
			grid[n] = i + 1
		}
	}
	take := func(n int) {
		c.options.First = append(c.options.First, marked(o.First, n))
		c.options.Last = append(c.options.Last, marked(o.Last, n))
	}
	for n, size := range g.Nodes {
		if grid[n] == 0 {
			c.node[n] = len(c.graph.Nodes)
			c.graph.Nodes = append(c.graph.Nodes, size)
			take(n)
		}
	}
	c.first = len(c.graph.Nodes)
	c.graph.Nodes = append(c.graph.Nodes, make([]Size, len(o.Grids))...)
	for i := range o.Grids {
		take(o.Grids[i].Nodes[0])
		for _, n := range o.Grids[i].Nodes {
			c.node[n] = c.first + i
		}
	}
	for e, edge := range g.Edges {
		if c.edge[e] = -1; !marked(o.Along, e) {
			c.edge[e] = len(c.graph.Edges)
			c.graph.Edges = append(c.graph.Edges, Edge{From: c.node[edge.From], To: c.node[edge.To], Label: edge.Label})
		}
	}
	return c
}

// expand puts the nodes back into their grids.
func (c *contraction) expand(r Result, inside [][]Point, g Graph) Result {
	out := Result{At: make([]Point, len(g.Nodes)), Bends: make([][]Point, len(g.Edges))}
	for n := range out.At {
		out.At[n] = r.At[c.node[n]]
	}
	for i := range c.grids {
		for k, n := range c.grids[i].Nodes {
			out.At[n].X += inside[i][k].X
			out.At[n].Y += inside[i][k].Y
		}
	}
	for e, own := range c.edge {
		if own >= 0 {
			out.Bends[e] = r.Bends[own]
		}
	}
	return out
}
