package index

import "cmp"

// nth returns the value that x would have at place k if it were sorted, without
// sorting it: it moves what is smaller before it, what is larger behind, and looks
// at about three times as many numbers as there are. There must be no NaN.
func nth[T cmp.Ordered](x []T, k int) T {
	lo, hi := 0, len(x) // the place is within x[lo:hi]
	for random := uint64(len(x)); ; {
		if hi-lo < 2 {
			return x[k]
		}
		// The middle one of three that are picked the same way every time, but
		// not so that an order of the numbers can make all of them bad.
		var three [3]T
		for i := range three {
			random = random*6364136223846793005 + 1442695040888963407
			three[i] = x[lo+int((random>>33)%uint64(hi-lo))]
		}
		pivot := max(min(three[0], three[1]), min(max(three[0], three[1]), three[2]))
		// x[lo:same] is below the pivot, x[same:at] equals it, x[above:hi] is above.
		same, above := lo, hi
		for at := lo; at < above; {
			switch v := x[at]; {
			case v < pivot:
				x[at], x[same] = x[same], v
				same++
				at++
			case v > pivot:
				above--
				x[at], x[above] = x[above], v
			default:
				at++
			}
		}
		switch {
		case k < same:
			hi = same
		case k >= above:
			lo = above
		default:
			return pivot
		}
	}
}
