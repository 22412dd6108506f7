package query

import (
	"errors"
	"testing"

	"cairn/engine/kg"
	"cairn/engine/pattern"
)

// FuzzEvaluate evaluates whatever can be written: it answers or says why not.
func FuzzEvaluate(f *testing.F) {
	g := world()
	for _, s := range []string{
		"(?f) -directed by-> (?d) | count ?f per ?d | largest count 1 after 1", "(?c) | either (?c) -borders-> (Italy) | or (?c) -borders-> (Sudan)",
		"(?x) -part of+-> (Europe) | only (?x) <-part of+- (?y) | reuse all", "path (Vienna) to (World) | via (Europe) | avoiding (Austria)", "describe (Austria)",
		"compare (Austria) with (Denmark)", "(?o) -owns-> (?x) | sum share of (?o) -owns-> (?x) per ?o", "(?r) -length-> (?km) | find ?r | at most 2 ?km: (?r) -length-> (?km) where ?km > 3 km",
		"(?a) -- (?b) | verify | without (?b) -+- (?a)",
	} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		p, err := pattern.ParseText(s)
		if err != nil || len(p.Nodes) > 6 || len(p.Edges) > 4 {
			t.Skip()
		}
		p = linked(t, g, s)
		found, err := Evaluate(t.Context(), g, p, Limits{Rows: 5000, Work: 200_000})
		if err != nil && !errors.Is(err, ErrPattern) {
			t.Fatal(err)
		}
		for _, a := range found.Answers {
			for _, c := range a.Supports {
				if c >= len(found.Candidates) {
					t.Fatalf("support %d of %d", c, len(found.Candidates))
				}
			}
			if a.Entity != kg.NoEntity && int(a.Entity) >= g.Entities() {
				t.Fatalf("answer %d of %d entities", a.Entity, g.Entities())
			}
		}
	})
}
