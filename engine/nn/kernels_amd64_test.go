package nn

import "testing"

// use computes one of the ways until the test ends, or skips it.
func use(t *testing.T, way string) {
	t.Helper()
	switch {
	case way == "portable":
		was := fast
		fast = false
		t.Cleanup(func() { fast = was })
	case !fast:
		t.Skip("this processor has no AVX2")
	}
}
