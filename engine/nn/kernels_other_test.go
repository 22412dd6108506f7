//go:build !amd64

package nn

import "testing"

// kernels runs no test: this processor has none.
func kernels(t *testing.T, _ func(t *testing.T)) { t.Helper() }

// portable is how it is here.
func portable(t testing.TB) { t.Helper() }
