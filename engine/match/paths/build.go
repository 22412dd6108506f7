package paths

import (
	"cmp"
	"context"
	"runtime"
	"slices"

	"cairn/engine/kg"
	"cairn/internal/guard"
)

// path is ranks of entities in a row, each path once and not once for each direction:
//
//	1 entity    {v}
//	2 entities  {a, b}, a ≤ b
//	3 entities  {middle, a, b}, a < b, all different
type path [3]uint32

// arrange signs every entity and ranks them by types, then signature, then id, so that a
// range of ranks is a narrow box of both labels and signatures.
func (x *Index) arrange(ctx context.Context) error {
	n := x.graph.Entities()
	signs, sums := make([]uint8, n*x.dims), make([]uint32, n)
	err := parallel(ctx, n, func(e int) {
		row := signs[e*x.dims : (e+1)*x.dims]
		x.sign.Sign(Star(x.graph, kg.EntityID(e)), row)
		for _, s := range row {
			sums[e] += uint32(s)
		}
	})
	if err != nil {
		return err
	}
	x.order = make([]uint32, n)
	for e := range x.order {
		x.order[e] = uint32(e)
	}
	err = sorted(ctx.Err, x.order, func(a, b uint32) int {
		return cmp.Or(slices.Compare(x.graph.Types(kg.EntityID(a)), x.graph.Types(kg.EntityID(b))),
			cmp.Compare(sums[a], sums[b]), cmp.Compare(a, b))
	})
	if err != nil {
		return err
	}
	x.signs = make([]uint8, 0, n*x.dims)
	for _, e := range x.order {
		x.signs = append(x.signs, signs[int(e)*x.dims:int(e+1)*x.dims]...)
	}
	return x.invert()
}

// invert fills rank from order, which must name every entity once.
func (x *Index) invert() error {
	x.rank = make([]uint32, len(x.order))
	seen := make([]bool, len(x.order))
	for r, e := range x.order {
		if int(e) >= len(seen) || seen[e] {
			return ErrDamaged
		}
		seen[e], x.rank[e] = true, uint32(r)
	}
	return nil
}

// neighbours fills adj.
func (x *Index) neighbours(ctx context.Context) error {
	x.adj = make([][]uint32, len(x.order))
	return parallel(ctx, len(x.order), func(r int) {
		near := Neighbours(x.graph, kg.EntityID(x.order[r]))
		x.adj[r] = make([]uint32, len(near))
		for i, e := range near {
			x.adj[r][i] = x.rank[e]
		}
		slices.Sort(x.adj[r])
	})
}

// count is how many paths of each length there are.
func (x *Index) count() (c [3]int) {
	c[0] = len(x.order)
	for r, near := range x.adj {
		d := len(near)
		at, loop := slices.BinarySearch(near, uint32(r))
		c[1] += d - at
		if loop {
			d--
		}
		c[2] += d * (d - 1) / 2
	}
	return c
}

// enumerate walks the paths of a length, ascending.
func (x *Index) enumerate(ctx context.Context, length int, each func(path)) error {
	for r, near := range x.adj {
		v := uint32(r)
		if ctx.Err() != nil {
			break
		}
		switch length {
		case 0:
			each(path{v})
		case 1:
			at, _ := slices.BinarySearch(near, v)
			for _, b := range near[at:] {
				each(path{v, b})
			}
		case 2:
			for i, a := range near {
				if ctx.Err() != nil {
					break
				}
				for _, b := range near[i+1:] {
					if a != v && b != v {
						each(path{v, a, b})
					}
				}
			}
		}
	}
	return ctx.Err()
}

// parallel calls f for 0 to n-1 on all processors until the context ends.
func parallel(ctx context.Context, n int, f func(i int)) error {
	chunk := max(1, min(64, n/1024))
	return guard.Share(ctx, runtime.GOMAXPROCS(0), n, chunk, func(_, from, to int) {
		for i := from; i < to; i++ {
			f(i)
		}
	})
}

// sorted sorts until stop returns an error: then all seem equal, and it is over soon.
func sorted[T any](stop func() error, of []T, compare func(a, b T) int) error {
	calls, over := 0, false
	slices.SortFunc(of, func(a, b T) int {
		if calls++; calls%1024 == 0 {
			over = over || stop() != nil
		}
		if over {
			return 0
		}
		return compare(a, b)
	})
	return stop()
}
