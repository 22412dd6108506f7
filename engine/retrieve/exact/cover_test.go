package exact

import (
	"context"
	"slices"
	"testing"

	"cairn/engine/evidence"
	"cairn/engine/kg"
	"cairn/engine/match"
	"cairn/engine/pattern"
	"cairn/engine/plan"
	"cairn/engine/retrieve"
	"cairn/internal/testing/naive"
	"cairn/internal/testing/testkg"
)

// bruteMost returns how many conditions of the reading each entity meets at once, by
// trying every set of conditions for every entity with the naive engine. What leads from
// no name counts only beside what does, as relaxed has it.
func bruteMost(t *testing.T, x *question) map[kg.EntityID]int {
	t.Helper()
	x.engine = func(*match.Query) match.Engine { return naive.Engine{Graph: x.graph} }
	var tied, others mask
	for c, of := range x.conditions {
		if of.tied && !of.kind {
			tied |= 1 << c
		} else {
			others |= 1 << c
		}
	}
	always, err := x.constant(context.Background(), others)
	if err != nil {
		t.Fatal(err)
	}
	most := map[kg.EntityID]int{}
	for e := range kg.EntityID(x.graph.Entities()) {
		if x.isNamed(e) {
			continue
		}
		for sub := tied; sub != 0; sub = (sub - 1) & tied {
			anchored := false
			for c := range sub.all() {
				anchored = anchored || x.estimate(1<<c) >= 0
			}
			n := sub.count() + always.count()
			if !anchored || n <= most[e] || !x.inKind(e) {
				continue
			}
			if _, ok, err := x.best(context.Background(), x.part(sub, e)); err != nil {
				t.Fatal(err)
			} else if ok {
				most[e] = n
			}
		}
	}
	return most
}

func (x *question) inKind(e kg.EntityID) bool {
	in := x.p.Nodes[x.p.Asked].Within
	return in == nil || slices.Contains(in, e)
}

// TestRelaxedMeetsTheMost compares relaxed answers with brute force on random patterns
// that nothing meets.
func TestRelaxedMeetsTheMost(t *testing.T) {
	relaxed := 0
	for seed := range uint64(6000) {
		g, p := testkg.Random(seed)
		p.Order = nil
		for i := range p.Nodes {
			p.Nodes[i].Distances = nil
		}
		for i := range p.Edges {
			if e := &p.Edges[i]; len(e.Fixed) == 0 && e.Relation != "" {
				e.Fixed, _ = testkg.Nearest(g, e.Relation)
				e.Fixed = e.Fixed[:1]
			}
		}
		if p.Task != pattern.Find || p.Asked < 0 || !p.Nodes[p.Asked].Variable {
			continue
		}
		q := retrieve.Query{Readings: []plan.Reading{{Pattern: p}}}
		f, err := matcher{graph: g}.Retrieve(context.Background(), q)
		if err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
		if f.Completeness != evidence.Relaxed {
			continue
		}
		x, err := matcher{graph: g}.question(context.Background(), q)
		if err != nil {
			t.Fatal(err)
		}
		most := bruteMost(t, x)
		best := 0
		for _, n := range most {
			best = max(best, n)
		}
		if best == 0 {
			continue // its kind was given up
		}
		relaxed++
		if got := f.Answers[0].CountMet(); got != best {
			t.Fatalf("seed %d: %s: the best answer meets %d, brute force finds %d", seed, pattern.Format(p), got, best)
		}
		for _, a := range f.Answers {
			if most[a.Entity] != best {
				t.Fatalf("seed %d: %s: %d meets %d, and is an answer beside those that meet %d", seed, pattern.Format(p), a.Entity, most[a.Entity], best)
			}
			checkOutcomes(t, g, x, a)
		}
	}
	if relaxed < 100 {
		t.Errorf("only %d patterns were relaxed", relaxed)
	}
}

// checkOutcomes holds the triples of what is met to the relations of its edges.
func checkOutcomes(t *testing.T, g *kg.Graph, x *question, a evidence.Answer) {
	t.Helper()
	if len(a.Outcomes) != len(x.found.Conditions) || float64(a.CountMet()) != a.Score.Value {
		t.Fatalf("%d outcomes for %d conditions, %d met, score %v", len(a.Outcomes), len(x.found.Conditions), a.CountMet(), a.Score)
	}
	for c, o := range a.Outcomes {
		if o.Status != evidence.Met && o.Triples != nil {
			t.Fatalf("condition %q is %s by triples %v", x.conditions[c].text, o.Status, o.Triples)
		}
		if o.Status == evidence.Met && x.conditions[c].tied && len(x.conditions[c].edges) > 0 && len(o.Triples) == 0 {
			t.Fatalf("condition %q is met by no triple", x.conditions[c].text)
		}
	}
}
