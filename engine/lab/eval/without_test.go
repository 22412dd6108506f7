package eval

import (
	"slices"
	"strings"
	"testing"

	"cairn/engine"
	"cairn/engine/kg"
	"cairn/internal/testing/testkg"
)

// TestWithoutBank takes out of the graphs of the question bank what its answers rest on, and
// asks again.
func TestWithoutBank(t *testing.T) {
	var failures strings.Builder
	rows, err := Without(t.Context(), Bank(), Losses, WithoutOptions{Dir: "../../testdata", Seed: 1, Failures: &failures})
	if err != nil {
		t.Fatal(err)
	}
	sums := map[Loss]*WithoutRow{}
	for _, r := range rows {
		if sums[r.Loss] == nil {
			sums[r.Loss] = &WithoutRow{}
		}
		sums[r.Loss].add(&r)
	}
	for loss, least := range map[Loss]int{NoEntity: 100, NoRelation: 200, NoType: 100, NoFact: 30} {
		s := sums[loss]
		if s == nil || s.Asked < least {
			t.Errorf("without the %s, %+v: fewer than %d were asked", loss, s, least)
			continue
		}
		t.Logf("without the %s: %+v", loss, *s)
		if s.Refuse+s.Doubt+s.Still+s.Wrong != s.Asked {
			t.Errorf("without the %s: %+v does not add up", loss, *s)
		}
		if float64(s.Wrong) > 0.03*float64(s.Asked) {
			t.Errorf("without the %s, %d of %d are sure and wrong", loss, s.Wrong, s.Asked)
		}
	}
	t.Log("\n" + failures.String())
}

// TestWithoutTakes looks whether what a question loses is gone, and nothing else.
func TestWithoutTakes(t *testing.T) {
	g := testkg.Build("Jaws|directed by|Spielberg", "Jaws|year|1975", "Duel|directed by|Spielberg", "Jaws : film", "Duel : film")
	eng, err := engine.OnGraph(t.Context(), g, engine.Options{}, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer eng.Close()
	for loss, want := range map[Loss]string{
		NoEntity:   "Duel (film), Spielberg; Duel directed by Spielberg",
		NoRelation: "1975, Jaws (film); Jaws year 1975", // nothing is left of Duel and Spielberg
		NoType:     "1975, Duel, Jaws, Spielberg; Duel directed by Spielberg, Jaws directed by Spielberg, Jaws year 1975",
		NoFact:     "1975, Duel (film), Jaws (film), Spielberg; Duel directed by Spielberg, Jaws year 1975",
	} {
		w := withoutPart{whole: eng}
		gone := newRemoval()
		gone.add(map[Loss]*lost{
			NoEntity: {entities: []kg.EntityID{0}}, NoRelation: {relations: []kg.RelationID{0}},
			NoType: {kinds: []kg.TypeID{0}}, NoFact: {triples: []kg.TripleID{0}},
		}[loss])
		g := w.copy(gone)
		var es, ts []string
		for e := range kg.EntityID(g.Entities()) {
			text := g.Label(e)
			for _, k := range g.Types(e) {
				text += " (" + g.TypeLabel(k) + ")"
			}
			es = append(es, text)
		}
		for i := range kg.TripleID(g.Triples()) {
			x := g.Triple(i)
			ts = append(ts, g.Label(x.Head)+" "+g.RelationKey(x.Relation)+" "+g.Label(x.Tail))
		}
		slices.Sort(es)
		slices.Sort(ts)
		if got := strings.Join(es, ", ") + "; " + strings.Join(ts, ", "); got != want {
			t.Errorf("without the %s there is\n%s, not\n%s", loss, got, want)
		}
	}
}
