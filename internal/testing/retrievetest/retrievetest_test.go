package retrievetest_test

import (
	"testing"

	"cairn/internal/testing/retrievetest"
)

func TestNeighbours(t *testing.T) { retrievetest.Run(t, retrievetest.Neighbours{}, nil) }

func TestCounts(t *testing.T) { retrievetest.Run(t, retrievetest.Counts{}, nil) }

func TestDegree(t *testing.T) { retrievetest.Run(t, retrievetest.Degree{}, nil) }

func TestRelations(t *testing.T) { retrievetest.Run(t, retrievetest.Relations{}, nil) }
