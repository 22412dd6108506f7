package vec

import (
	"math/rand/v2"
	"slices"
	"testing"
)

// TestPickedTwins: what serves processors without kernels computes the same, also
// where sums leave 32 bits on the way.
func TestPickedTwins(t *testing.T) {
	rng := rand.New(rand.NewPCG(24, 24))
	for _, stride := range []int{32, 64, 96, 256, 4096} {
		plane, q := make([]byte, 9*stride), make([]int16, stride)
		for i := range plane {
			plane[i] = byte(rng.IntN(256))
		}
		for i := range q {
			q[i] = int16(rng.IntN(2*most+1) - most)
		}
		for count := 1; count <= 9; count++ {
			var rows []*byte
			for i := range count {
				rows = append(rows, &plane[i*5%9*stride])
			}
			plain, here := make([]int32, count), make([]int32, count)
			pickedGo(plain, rows, q)
			picked(here, rows, q)
			if !slices.Equal(plain, here) {
				t.Errorf("stride %d: %v in plain Go, %v here", stride, plain, here)
			}
		}
	}
}
