package simgrag

import (
	"maps"
	"math/rand/v2"
	"slices"
	"testing"

	"cairn/engine/kg"
)

// awkward are sizes about the ones at which the ways to look things up change.
var awkward = []int{0, 1, 2, few - 1, few, few + 1, 31, 32, 33, 63, 64, 65, 1000}

func TestListedFindsWhatAMapFinds(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	const entities = 3000
	for _, n := range awkward {
		for _, withCosts := range []bool{true, false} {
			want := map[kg.EntityID]cost{}
			var ids []kg.EntityID
			var distances []float64
			for range n {
				id := kg.EntityID(r.IntN(entities))
				d := float64(r.IntN(4)+1) / 4
				if !withCosts {
					d = 0
				}
				c, err := toCost(d)
				if err != nil {
					t.Fatalf("toCost: %v", err)
				}
				if old, ok := want[id]; !ok || c < old {
					want[id] = c
				}
				ids, distances = append(ids, id), append(distances, d)
			}
			given := slices.Clone(ids)
			l, err := costed(ids, distances)
			if err != nil {
				t.Fatalf("costed: %v", err)
			}
			if !slices.Equal(ids, given) {
				t.Errorf("n = %d: costed changed the ids that it was given", n)
			}
			if len(l.entities) != len(want) {
				t.Errorf("n = %d, costs %v: %d candidates, want %d", n, withCosts, len(l.entities), len(want))
			}
			// More than once, for the look-ups themselves bring the bitmap.
			for range 3 {
				for e := range kg.EntityID(entities) {
					got, ok := l.find(e, entities)
					if c, there := want[e]; ok != there || got != c {
						t.Fatalf("n = %d, costs %v: find(%d) = %d, %v, want %d, %v", n, withCosts, e, got, ok, c, there)
					}
				}
			}
			for i := range l.entities {
				if i > 0 && (l.at(i) < l.at(i-1) || l.at(i) == l.at(i-1) && l.entities[i] <= l.entities[i-1]) {
					t.Errorf("n = %d: candidate %d is out of order", n, i)
				}
			}
			for _, most := range []cost{-1, 0, costUnit / 4, costUnit / 2, costUnit} {
				naive := 0
				for i := range l.entities {
					if l.at(i) <= most {
						naive++
					}
				}
				if got := l.within(most); l.costs != nil && got != naive {
					t.Errorf("n = %d: within(%d) = %d, want %d", n, most, got, naive)
				}
			}
		}
	}
}

func TestTableHoldsTheLowest(t *testing.T) {
	r := rand.New(rand.NewPCG(2, 2))
	for _, n := range awkward {
		var tab table
		want := map[kg.EntityID]cost{}
		for range n {
			e, c := kg.EntityID(r.IntN(2*n)), cost(r.IntN(5))
			tab.lower(e, c)
			if old, ok := want[e]; !ok || c < old {
				want[e] = c
			}
		}
		for e := range kg.EntityID(2 * n) {
			k := tab.get(e)
			if c, ok := want[e]; ok != (k != nil) || ok && k.cost != c {
				t.Errorf("n = %d: get(%d) = %v, want %d, %v", n, e, k, c, ok)
			}
		}
		if got := slices.Sorted(slices.Values(tab.entities())); !slices.Equal(got, slices.Sorted(maps.Keys(want))) {
			t.Errorf("n = %d: entities() = %v", n, got)
		}
	}
}

func TestRuns(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 3))
	for _, n := range awkward[1:] {
		for range 20 {
			relations := 1 + r.IntN(5)
			var es []kg.Edge
			for i := range n {
				es = append(es, kg.Edge{Relation: kg.RelationID(r.IntN(relations)), Entity: kg.EntityID(r.IntN(n)), Triple: kg.TripleID(i)})
			}
			slices.SortFunc(es, func(a, b kg.Edge) int {
				return int(a.Relation)*n + int(a.Entity) - int(b.Relation)*n - int(b.Entity)
			})
			var runs []run
			for rest := es; len(rest) > 0; {
				n := kg.RunLength(rest, rest[0].Relation)
				runs, rest = append(runs, run{edges: rest[:n]}), rest[n:]
			}
			var want, got []kg.EntityID
			for _, e := range es {
				want = append(want, e.Entity)
			}
			slices.Sort(want)
			merge(runs, func(e kg.EntityID) bool { got = append(got, e); return true })
			if want = slices.Compact(want); !slices.Equal(got, want) {
				t.Fatalf("merge = %v, want %v", got, want)
			}
			for e := range kg.EntityID(n) {
				if got := met(runs, e); got != slices.Contains(want, e) {
					t.Fatalf("met(%d) = %v", e, got)
				}
			}
		}
	}
}

func TestBlocksEndWithACost(t *testing.T) {
	edges := make([]kg.Edge, 2*block)
	runs := []run{{edges[:1], 1}, {edges[:2], 2}, {edges[:block], 2}, {edges[:3], 3}, {edges[:4], 4}}
	var ends []int
	for from := 0; from < len(runs); {
		to, size := nextBlock(runs[from:])
		if size != sizeOf(runs[from:from+to]) {
			t.Errorf("the block from %d has %d edges, not %d", from, sizeOf(runs[from:from+to]), size)
		}
		from += to
		ends = append(ends, from)
	}
	// The runs of cost 2 are too many to go with others, and are not parted.
	if want := []int{1, 3, 5}; !slices.Equal(ends, want) {
		t.Errorf("blocks end at %v, want %v", ends, want)
	}
}
