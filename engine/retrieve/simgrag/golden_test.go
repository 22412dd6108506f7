package simgrag_test

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"cairn/engine/evidence"
	"cairn/engine/pattern"
	"cairn/engine/retrieve/simgrag"
	"cairn/internal/testing/golden"
	"cairn/internal/testing/testkg"
)

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
	golden.Compare(t, filepath.Join("testdata", "searches.txt"), b.String())
}

func writeExplanation(b *strings.Builder, x evidence.Explanation, depth int) {
	fmt.Fprintf(b, "%s%.3f  %s\n", strings.Repeat("   ", depth), x.Value, x.Message)
	for _, c := range x.Children {
		writeExplanation(b, c, depth+1)
	}
}
