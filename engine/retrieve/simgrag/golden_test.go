package simgrag_test

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"cairn/engine/evidence"
	"cairn/engine/pattern"
	"cairn/engine/retrieve/simgrag"
	"cairn/internal/testing/testkg"
)

var update = flag.Bool("update", false, "rewrite the golden files")

// TestTranscripts writes searches as a person would read them: the pattern, its
// matches and what their distances are made of.
func TestTranscripts(t *testing.T) {
	g := testkg.Films()
	named := func(asked int, nodes []string, edges ...pattern.Edge) *pattern.Pattern {
		p := &pattern.Pattern{Asked: asked, Edges: edges}
		for _, n := range nodes {
			p.Nodes = append(p.Nodes, pattern.Node{Text: n, Variable: strings.HasPrefix(n, "?")})
		}
		return p
	}
	var b strings.Builder
	for _, c := range []struct {
		title string
		p     *pattern.Pattern
		o     simgrag.Options
	}{
		{"a relation by name", named(1, []string{"Harvey", "?who"}, pattern.Edge{To: 1, Relation: "named 1"}), simgrag.Options{}},
		{
			"two hops, one relation unknown", named(2, []string{"Henry Koster", "?film", "?x"},
				pattern.Edge{To: 1}, pattern.Edge{From: 1, To: 2, Relation: "named 2"}),
			simgrag.Options{K: 2, NodeCandidates: 2},
		},
		{"all the best", named(1, []string{"James Stewart", "?film"}, pattern.Edge{To: 1}), simgrag.Options{AllBest: true, K: 1, NodeCandidates: 1}},
	} {
		r := search(t, g, c.p, c.o)
		fmt.Fprintf(&b, "== %s\n", c.title)
		for _, e := range c.p.Edges {
			fmt.Fprintf(&b, "   (%s) -[%s]- (%s)\n", c.p.Nodes[e.From].Text, e.Relation, c.p.Nodes[e.To].Text)
		}
		fmt.Fprintf(&b, "   %s; asked: %s\n", r.Completeness, c.p.Nodes[c.p.Asked].Text)
		for i, x := range r.Candidates {
			fmt.Fprintf(&b, "%d.", i+1)
			for _, id := range x.Edges {
				tr := g.Triple(id)
				fmt.Fprintf(&b, " (%s, %s, %s)", g.Label(tr.Head), g.RelationText(tr.Relation), g.Label(tr.Tail))
			}
			b.WriteString("\n")
			writeExplanation(&b, simgrag.Explain(g, c.p, x), 1)
		}
	}
	path := filepath.Join("testdata", "searches.txt")
	if *update {
		if err := os.MkdirAll("testdata", 0o750); err != nil {
			t.Fatalf("MkdirAll: %v", err)
		}
		if err := os.WriteFile(path, []byte(b.String()), 0o600); err != nil {
			t.Fatalf("WriteFile: %v", err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatalf("ReadFile: %v (run with -update to make it)", err)
	}
	if diff := cmp.Diff(string(want), b.String()); diff != "" {
		t.Errorf("transcripts (-want +got; -update rewrites them):\n%s", diff)
	}
}

func writeExplanation(b *strings.Builder, x evidence.Explanation, depth int) {
	fmt.Fprintf(b, "%s%.3f  %s\n", strings.Repeat("   ", depth), x.Value, x.Message)
	for _, c := range x.Children {
		writeExplanation(b, c, depth+1)
	}
}
