package synth

import (
	"math"
	"strings"
	"testing"
)

func splitComma(s string) []string { return strings.Split(s, ",") }

func TestPermutationsReachEveryNumberOnce(t *testing.T) {
	for _, n := range []int{1, 2, 3, 4, 5, 63, 64, 65, 1000, 4097} {
		p := newPermutation(7, n)
		seen := make([]bool, n)
		for i := range n {
			at := p.of(i)
			if at < 0 || at >= n || seen[at] {
				t.Fatalf("n = %d: of(%d) = %d", n, i, at)
			}
			seen[at] = true
		}
	}
}

// TestAliasKeepsTheWeights adds up what every column gives to itself and to its
// other, which is the distribution to the last digit.
func TestAliasKeepsTheWeights(t *testing.T) {
	for _, weights := range [][]uint64{{1}, {5, 5}, {1, 2, 3}, {0, 7, 1, 0}, {1000, 1, 1, 1, 1, 500}} {
		a := newAlias(weights)
		got := make([]uint64, len(weights))
		for i := range weights {
			got[i] += a.keep[i]
			got[a.other[i]] += a.total - a.keep[i]
		}
		for i, w := range weights {
			if got[i] != w*uint64(len(weights)) {
				t.Errorf("weights %v: %d has %d of %d", weights, i, got[i], a.total*uint64(len(weights)))
			}
		}
	}
}

func TestAliasDraws(t *testing.T) {
	a := newAlias([]uint64{1, 0, 3})
	s := newStream(1, 2, 3)
	var got [3]int
	for range 40_000 {
		got[a.draw(&s)]++
	}
	if got[1] != 0 || math.Abs(float64(got[0])-10_000) > 500 {
		t.Errorf("draws %v of the weights 1, 0, 3", got)
	}
}

func TestSkewedFallsAsAPower(t *testing.T) {
	s := newStream(1, 1, 1)
	const n, draws = 1000, 100_000
	below := 0
	for range draws {
		v := s.skewed(n, 3)
		if v < 0 || v >= n {
			t.Fatalf("skewed = %d of %d", v, n)
		}
		if v < 8 {
			below++
		}
	}
	// u³ < 8/1000 for a fifth of all u.
	if share := float64(below) / draws; math.Abs(share-0.2) > 0.01 {
		t.Errorf("a share of %.3f is below 8, want 0.2", share)
	}
}

func TestSquareRoots(t *testing.T) {
	for _, x := range []uint64{0, 1, 2, 3, 4, 8, 9, 15, 16, 17, 1 << 40, 1<<40 - 1, 1<<62 + 12345} {
		if r := isqrt(x); r*r > x || (r+1)*(r+1) <= x {
			t.Errorf("isqrt(%d) = %d", x, r)
		}
	}
}

func TestTripleSetsForget(t *testing.T) {
	var set tripleSet
	for _, n := range []int{0, 1, 100, 3} {
		set.reset(n)
		for i := range n {
			e := edge{int32(i % 7), i}
			if !set.add(e) || set.add(e) {
				t.Fatalf("size %d: edge %d is not new once", n, i)
			}
		}
	}
}
