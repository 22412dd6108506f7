//go:build !amd64

package nn

import "testing"

// use skips what there is not: kernels.
func use(t *testing.T, way string) {
	t.Helper()
	if way == "kernels" {
		t.Skip("there are no kernels for this processor")
	}
}
