package match_test

import (
	"os"
	"strings"
	"testing"

	"cairn/engine/kg"
	"cairn/engine/match"
	"cairn/engine/pattern"
	"cairn/engine/retrieve/simgrag"
	"cairn/internal/testing/shared"
	"cairn/internal/testing/testkg"
)

// films are chains of three hops from the films of MetaQA, by its convention: who
// starred in films that share a director with it.
func films(b *testing.B) (*kg.Graph, []*pattern.Pattern) {
	b.Helper()
	kb, err := os.ReadFile(shared.Data(b, "metaqa/kb.txt"))
	if err != nil {
		b.Fatal(err)
	}
	var build kg.Builder
	for line := range strings.Lines(string(kb)) {
		if f := strings.Split(strings.TrimSpace(line), "|"); len(f) == 3 {
			build.Add(f[0], f[1], f[2])
		}
	}
	g := build.Graph()
	hops := func(names ...string) (out [][]kg.RelationID) {
		for _, n := range names {
			out = append(out, []kg.RelationID{testkg.FindRelation(g, n)})
		}
		return out
	}
	var ps []*pattern.Pattern
	for i, r := range hops("directed_by", "starred_actors", "has_genre", "release_year", "written_by") {
		for e := range kg.EntityID(g.Entities()) {
			if e%7 != kg.EntityID(i) || len(g.OutBy(e, r[0])) == 0 {
				continue
			}
			ps = append(ps, &pattern.Pattern{
				Reuse: pattern.ReuseVariables, Asked: 3,
				Nodes: []pattern.Node{{Entities: []kg.EntityID{e}}, {Variable: true}, {Variable: true}, {Variable: true}},
				Edges: []pattern.Edge{
					{From: 0, To: 1, Direction: pattern.Forward, Fixed: r},
					{From: 2, To: 1, Direction: pattern.Forward, Fixed: r},
					{From: 2, To: 3, Direction: pattern.Forward, Fixed: hops("starred_actors")[0]},
				},
			})
		}
	}
	return g, ps
}

// BenchmarkAnchoredMetaQA answers questions of three hops, beside the matcher.
func BenchmarkAnchoredMetaQA(b *testing.B) {
	g, ps := films(b)
	for _, way := range []struct {
		name string
		run  func(*match.Query, *pattern.Pattern) error
	}{
		{"answers", func(q *match.Query, _ *pattern.Pattern) error {
			_, _, err := match.Anchored{Graph: g}.Answers(b.Context(), q, 3, 0)
			return err
		}},
		{"bindings", func(q *match.Query, _ *pattern.Pattern) error {
			_, err := match.Anchored{Graph: g}.Each(b.Context(), q, func(match.Binding) bool { return true })
			return err
		}},
		{"simgrag", func(_ *match.Query, p *pattern.Pattern) error {
			_, err := simgrag.Search(b.Context(), g, p, nil, simgrag.Options{AllBest: true})
			return err
		}},
	} {
		b.Run(way.name, func(b *testing.B) {
			i := 0
			for b.Loop() {
				p := ps[i*7919%len(ps)]
				q, err := match.Compile(g, p)
				if err == nil {
					err = way.run(q, p)
				}
				if err != nil {
					b.Fatal(err)
				}
				i++
			}
		})
	}
}
