package gnnrag

import (
	"fmt"
	"testing"

	"cairn/engine/kg"
)

func TestHubLimitOfSmallGraphs(t *testing.T) {
	if got := hubLimit(new(kg.Builder).Graph()); got != noHub {
		t.Errorf("hubLimit of an empty graph = %d, want none", got)
	}
	var b kg.Builder
	for i := range 1999 {
		b.Add("hub", "has", fmt.Sprint(i))
	}
	if got := hubLimit(b.Graph()); got != noHub {
		t.Errorf("hubLimit of 2,000 entities = %d, want none: they fit into a region", got)
	}
	b.Add("hub", "has", "one more")
	if got := hubLimit(b.Graph()); got != 1 {
		t.Errorf("hubLimit of a star of 2,000 = %d, want 1", got)
	}
}

// TestHubLimitOfRealGraphs says how many entities are hubs, too.
func TestHubLimitOfRealGraphs(t *testing.T) {
	for _, tt := range []struct {
		file, separator string
		limit, hubs     int
	}{
		{"metaqa/kb.txt", "|", 106, 98},
		{"pathquestion/2H-kb.txt", "\t", noHub, 0},
		{"pathquestion/3H-kb.txt", "\t", noHub, 0},
		{"worldcup2014/kb.txt", "\t", noHub, 0},
		{"webqsp-cwq/freebase_subset.tsv", "\t", noHub, 0},
		{"fb15k-237/train.tsv.gz", "\t", 273, 145},
	} {
		g := readGraph(t, tt.file, tt.separator)
		limit, hubs := hubLimit(g), 0
		for e := range kg.EntityID(g.Entities()) {
			if g.Degree(e) > limit {
				hubs++
			}
		}
		if limit != tt.limit || hubs != tt.hubs {
			t.Errorf("hubLimit(%s) = %d, with %d hubs, want %d, with %d", tt.file, limit, hubs, tt.limit, tt.hubs)
		}
	}
}
