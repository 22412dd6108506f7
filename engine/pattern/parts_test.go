package pattern

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestParts(t *testing.T) {
	tests := []struct {
		name  string
		nodes int
		edges []Edge
		want  [][]int
	}{
		{name: "empty"},
		{name: "one node", nodes: 1, want: [][]int{{0}}},
		{name: "chain with parallel and returning edges", nodes: 3, edges: []Edge{{From: 0, To: 2}, {From: 0, To: 2}, {From: 2, To: 0}, {From: 1, To: 2}}, want: [][]int{{0, 1, 2}}},
		{name: "self-loop", nodes: 2, edges: []Edge{{From: 1, To: 1}}, want: [][]int{{0}, {1}}},
		{name: "two parts", nodes: 5, edges: []Edge{{From: 3, To: 0}, {From: 1, To: 4}}, want: [][]int{{0, 3}, {1, 4}, {2}}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			p := Pattern{Nodes: make([]Node, tt.nodes), Edges: tt.edges}
			got, err := p.Parts()
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("Parts (-want +got):\n%s", diff)
			}
		})
	}
	if _, err := (&Pattern{Edges: []Edge{{From: 0, To: 1}}}).Parts(); err == nil {
		t.Error("an edge to no node gave no error")
	}
}
