package nn

import "testing"

// kernels runs a test with the kernels, where this processor has them.
func kernels(t *testing.T, test func(t *testing.T)) {
	t.Helper()
	t.Run("kernels", func(t *testing.T) {
		if !fast {
			t.Skip("this processor has no AVX2")
		}
		test(t)
	})
}

// portable switches the kernels off until the test ends.
func portable(t testing.TB) {
	t.Helper()
	was := fast
	fast = false
	t.Cleanup(func() { fast = was })
}
