package simgrag_test

import (
	"testing"

	"cairn/engine/retrieve/simgrag"
	"cairn/internal/testing/retrievetest"
)

func TestContract(t *testing.T) { retrievetest.Run(t, simgrag.Method{}, nil) }
