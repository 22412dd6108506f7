package bench

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"testing"

	"cairn/engine/kg"
	"cairn/internal/testing/testkg"
)

// rivers is a graph that every operator can be asked of.
func rivers() *kg.Graph {
	var lines []string
	for i := range 60 {
		add := func(r string, tail any) {
			lines = append(lines, fmt.Sprintf("River %c%c|%s|%v", 'A'+i/26, 'a'+i%26, r, tail))
		}
		add("flows through", fmt.Sprintf("Land %c", 'A'+i%7))
		add("flows through", fmt.Sprintf("Land %c", 'A'+i%5))
		add("mouth", fmt.Sprintf("Sea %c", 'A'+i%3))
		add("length", 100+i%40)
		if i > 0 {
			add("flows into", fmt.Sprintf("River %c%c", 'A'+i/2/26, 'a'+i/2%26))
		}
	}
	return testkg.Build(lines...)
}

// TestOperatorGraph: SQLite finds the numbers that the evaluator finds.
func TestOperatorGraph(t *testing.T) {
	s, err := OperatorGraph(t.Context(), "rivers", rivers(), OperatorOptions{Queries: 20, Seed: 1, Limit: 20e9})
	if err != nil || len(s.Missing) > 0 || len(s.Engines) != 3 {
		t.Fatalf("%+v, %v", s, err)
	}
	for _, e := range s.Engines {
		if len(e.Rows) != len(operators) {
			t.Errorf("%s has %d rows: %s", e.Name, len(e.Rows), e.Failed)
		}
		for _, r := range e.Rows {
			if r.Queries != 20 || r.Wrong+r.RanOut+r.Failed > 0 {
				t.Errorf("%s: %+v", e.Name, r)
			}
		}
	}
	var b bytes.Buffer
	if err := NewOperatorReport([]OperatorSet{*s}, 1).WriteMarkdown(&b); err != nil || strings.Count(b.String(), "\n| ") != len(operators)+1 {
		t.Errorf("%v\n%s", err, b.String())
	}
	s, err = OperatorGraph(t.Context(), "films", dense(), OperatorOptions{Queries: 1, Seed: 1})
	want := []string{"average", "range", "average of all", "range of all", "largest 5 of all"}
	if lacks := func(n string) bool { return !slices.Contains(s.Missing, n) }; err != nil || slices.ContainsFunc(want, lacks) {
		t.Errorf("a graph without values misses %q, %v; want %q", s.Missing, err, want)
	}
}
