package link

import (
	"cmp"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"cairn/engine/index"
)

// naiveExpand is expand without its shortcuts: every owner of a hit at its nearest
// text, by (distance, id).
func naiveExpand(n *nearest[uint32], hits []index.Hit) []Neighbour[uint32] {
	nearestOf := map[uint32]float64{}
	for _, h := range hits {
		for _, o := range n.owners[n.at[h.ID]:n.at[h.ID+1]] {
			if d, ok := nearestOf[o]; !ok || float64(h.Distance) < d {
				nearestOf[o] = float64(h.Distance)
			}
		}
	}
	var out []Neighbour[uint32]
	for o, d := range nearestOf {
		out = append(out, Neighbour[uint32]{o, d})
	}
	slices.SortFunc(out, func(a, b Neighbour[uint32]) int {
		return cmp.Or(cmp.Compare(a.Distance, b.Distance), cmp.Compare(a.ID, b.ID))
	})
	return out
}

// TestExpand: with shared names, several names an owner, and ties, the first k are
// those of a full expansion, and it is known whether more hits could change them.
func TestExpand(t *testing.T) {
	rng := rand.New(rand.NewPCG(2, 2))
	for _, several := range []bool{false, true} {
		texts := newTableBuilder[uint32](0, 0, 0)
		for owner := range uint32(1500) {
			for i := range 1 + rng.IntN(3) {
				if i == 0 || several {
					texts.putString(fmt.Sprint(rng.IntN(900)), owner)
				}
			}
		}
		n := &nearest[uint32]{}
		n.at, n.owners = grouped(texts.pairs, texts.size())
		if n.count(); (n.met != nil) != several {
			t.Errorf("several texts an owner: %v, noted %v", several, n.met != nil)
		}
		for _, k := range []int{1, 2, 7, 127, 128, 129, 600, 2000} {
			var hits []index.Hit
			for _, id := range rng.Perm(texts.size()) {
				hits = append(hits, index.Hit{ID: uint32(id), Distance: float32(rng.IntN(150)) / 8})
			}
			slices.SortFunc(hits, func(a, b index.Hit) int {
				return cmp.Or(cmp.Compare(a.Distance, b.Distance), cmp.Compare(a.ID, b.ID))
			})
			hits = hits[:min(len(hits), k+1)]
			want := naiveExpand(n, hits)
			got, used := n.expand(hits, k)
			if most := min(k, len(want)); len(got) < most || !slices.Equal(got[:most], want[:most]) {
				t.Errorf("k=%d: expand = %v, want %v", k, got[:min(k, len(got))], want[:most])
			}
			last := float64(hits[len(hits)-1].Distance)
			if enough := len(want) >= k && want[k-1].Distance < last; (len(got) >= k && used < len(hits)) != enough {
				t.Errorf("k=%d: %d of %d hits used for %d owners; enough: %v", k, used, len(hits), len(got), enough)
			}
		}
	}
}
