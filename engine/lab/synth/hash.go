package synth

import "math/bits"

// stream is SplitMix64 (Steele, Lea and Flood, OOPSLA 2014): cheap numbers that
// follow from a start alone, so that whatever belongs to an entity can be computed
// again from its number.
type stream struct{ state uint64 }

// goldenRatio is the step of SplitMix64.
const goldenRatio = 0x9e3779b97f4a7c15

// mix is the finaliser of SplitMix64, a bijection.
func mix(x uint64) uint64 {
	x ^= x >> 30
	x *= 0xbf58476d1ce4e5b9
	x ^= x >> 27
	x *= 0x94d049bb133111eb
	return x ^ x>>31
}

// newStream returns the numbers for one purpose of one thing.
func newStream(seed uint64, purpose uint64, id int) stream {
	return stream{mix(mix(seed+purpose*goldenRatio) + uint64(id)*goldenRatio)}
}

func (s *stream) next() uint64 {
	s.state += goldenRatio
	return mix(s.state)
}

// below returns a number in [0, n), each about equally likely.
func (s *stream) below(n int) int { return scale(s.next(), n) }

// chance is true percent times in a hundred.
func (s *stream) chance(percent int) bool { return s.below(100) < percent }

// skewed returns a number in [0, n) whose frequency falls as a power of it:
// ⌊n·uᵃ⌋ for a uniform u, so that the number r comes about as r^−(1−1/a), the head
// of a Zipf distribution. Whole numbers make it the same on every machine.
func (s *stream) skewed(n, a int) int {
	u := s.next()
	x := u
	for range a - 1 {
		x, _ = bits.Mul64(x, u)
	}
	return scale(x, n)
}

func scale(u uint64, n int) int {
	hi, _ := bits.Mul64(u, uint64(n))
	return int(hi)
}

// permutation is a bijection of [0, n): a Feistel network over the next power of
// four, walked along its cycle until the value is below n.
type permutation struct {
	n    uint64
	half uint // bits of one half
	keys [4]uint64
}

func newPermutation(seed uint64, n int) permutation {
	p := permutation{n: uint64(n), half: max(uint(bits.Len64(uint64(n-1))+1)/2, 1)}
	s := stream{mix(seed)}
	for i := range p.keys {
		p.keys[i] = s.next()
	}
	return p
}

// of returns the image of i.
func (p *permutation) of(i int) int {
	mask := uint64(1)<<p.half - 1
	x := uint64(i)
	for {
		l, r := x>>p.half, x&mask
		for _, k := range p.keys {
			l, r = r, l^mix(r+k)&mask
		}
		if x = l<<p.half | r; x < p.n {
			return int(x)
		}
	}
}

// alias draws from a discrete distribution with two numbers (Walker's method, as
// Vose builds it), in whole numbers.
type alias struct {
	total uint64
	keep  []uint64 // of total: how often column i stays i
	other []int32
}

func newAlias(weights []uint64) alias {
	n := uint64(len(weights))
	a := alias{keep: make([]uint64, n), other: make([]int32, n)}
	for _, w := range weights {
		a.total += w
	}
	rest := make([]uint64, n)
	var small, large []int32
	for i, w := range weights {
		rest[i] = w * n
		if rest[i] < a.total {
			small = append(small, int32(i))
		} else {
			large = append(large, int32(i))
		}
	}
	for len(small) > 0 && len(large) > 0 {
		s, l := small[len(small)-1], large[len(large)-1]
		small = small[:len(small)-1]
		a.keep[s], a.other[s] = rest[s], l
		if rest[l] -= a.total - rest[s]; rest[l] < a.total {
			large = large[:len(large)-1]
			small = append(small, l)
		}
	}
	for _, i := range append(small, large...) {
		a.keep[i], a.other[i] = a.total, i
	}
	return a
}

func (a *alias) draw(s *stream) int {
	i := s.below(len(a.keep))
	if hi, _ := bits.Mul64(s.next(), a.total); hi < a.keep[i] {
		return i
	}
	return int(a.other[i])
}
