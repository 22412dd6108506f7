package gsr

import (
	"encoding/json"
	"testing"

	"cairn/internal/testing/retrievetest"
)

func TestContract(t *testing.T) {
	t.Parallel()
	for name, settings := range map[string]string{"default": `{"epochs": 12, "width": 32}`, "free": `{"epochs": 12, "width": 32, "free": true}`} {
		if name == "free" && testing.Short() {
			continue // the race detector has seen all of it in the other
		}
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			retrievetest.Run(t, Method{}, json.RawMessage(settings))
		})
	}
}
