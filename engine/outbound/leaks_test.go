package outbound

import (
	"testing"

	"go.uber.org/goleak"
)

// TestMain fails where a goroutine outlives the tests.
func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }
