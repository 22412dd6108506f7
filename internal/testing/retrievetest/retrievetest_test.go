package retrievetest_test

import (
	"context"
	"testing"

	"cairn/engine/retrieve"
	"cairn/internal/testing/retrievetest"
)

func TestNeighbours(t *testing.T) { retrievetest.Run(t, retrievetest.Neighbours{}, nil) }

func TestCounts(t *testing.T) { retrievetest.Run(t, retrievetest.Counts{}, nil) }

func TestDegree(t *testing.T) { retrievetest.Run(t, retrievetest.Degree{}, nil) }

func TestRelations(t *testing.T) { retrievetest.Run(t, retrievetest.Relations{}, nil) }

// trainedReader learns as Counts does, and reads as Relations does.
type trainedReader struct{ retrievetest.Counts }

func (m trainedReader) Info() retrieve.Info {
	i := m.Counts.Info()
	i.Reads = true
	return i
}

func (m trainedReader) Open(ctx context.Context, w retrieve.World) (retrieve.Retriever, error) {
	if _, err := m.Counts.Open(ctx, w); err != nil {
		return nil, err
	}
	return retrievetest.Relations{}.Open(ctx, w)
}

func TestTrainedReader(t *testing.T) { retrievetest.Run(t, trainedReader{}, nil) }
