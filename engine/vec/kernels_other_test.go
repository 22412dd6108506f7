//go:build !amd64

package vec

import "testing"

// use skips what there is not: kernels.
func use(tb testing.TB, way string) {
	tb.Helper()
	if way == "kernels" {
		tb.Skip("there are no kernels for this processor")
	}
}
