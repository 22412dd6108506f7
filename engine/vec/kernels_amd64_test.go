package vec

import "testing"

// use computes one of the ways until the test ends, or skips it.
func use(tb testing.TB, way string) {
	tb.Helper()
	switch {
	case way == "portable":
		was := fast
		fast = false
		tb.Cleanup(func() { fast = was })
	case !fast:
		tb.Skip("this processor has no AVX2")
	}
}
