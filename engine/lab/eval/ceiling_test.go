package eval

import (
	"cmp"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"cairn/engine"
	"cairn/engine/kg"
	"cairn/engine/lexicon"
	"cairn/engine/link"
	"cairn/internal/testing/shared"
)

// TestERQACeiling says how often a question of FB-ERQA tells its gold answer from all else in
// the graph: whoever reads it perfectly, which is by every triple that joins the gold answer
// to a name of the question, still finds several entities that have all those triples. It
// runs where CAIRN_EVAL is set:
//
//	CAIRN_EVAL=1 go test -run TestERQACeiling -v ./engine/lab/eval
func TestERQACeiling(t *testing.T) {
	if os.Getenv("CAIRN_EVAL") == "" {
		t.Skip("set CAIRN_EVAL to measure what can be reached")
	}
	root, set := shared.Data(t, "."), erqa()
	eng, _, err := open(t.Context(), filepath.Join(t.TempDir(), "fb.cairn"), root, set.KG, engine.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer eng.Close()
	g, names := eng.Graph(), namesOf(eng.Graph())
	linker := link.NewLinker(g, nil, lexicon.Builtin())
	for _, group := range set.Groups {
		qs, err := group.Load(root)
		if err != nil {
			t.Fatal(err)
		}
		var one, chance, first, none float64
		for _, q := range qs {
			mentions, err := linker.Link(t.Context(), q.Text)
			if err != nil {
				t.Fatal(err)
			}
			alike, ok := meetsAs(g, names.entities[q.Gold[0]], mentions)
			if !ok {
				none++
				continue
			}
			least := g.Degree(slices.MinFunc(alike, func(a, b kg.EntityID) int { return cmp.Compare(g.Degree(a), g.Degree(b)) }))
			isLeast := func(e kg.EntityID) bool { return g.Degree(e) == least }
			chance += 1 / float64(len(alike))
			if len(alike) == 1 {
				one++
			}
			if gold := slices.IndexFunc(alike, func(e kg.EntityID) bool { return isLeast(e) && slices.Contains(names.entities[q.Gold[0]], e) }); gold >= 0 {
				n := 0.0
				for _, e := range alike {
					if isLeast(e) {
						n++
					}
				}
				first += 1 / n
			}
		}
		share := func(n float64) float64 { return 100 * n / float64(len(qs)) }
		t.Logf("%s: %d questions; read perfectly, gold is the only answer of %.1f %%, any one of the answers is gold in %.1f %%, the one of which there is least to say in %.1f %%; gold is next to no name in %.1f %%",
			group.Name, len(qs), share(one), share(chance), share(first), share(none))
		if share(first) > 88 {
			t.Errorf("%s: 88 can be reached", group.Name)
		}
	}
}

// meetsAs returns what has every triple with an entity that mentions may mean which a gold
// answer has; of several that are called so, the one with the most of those. ok is false
// where none has any.
func meetsAs(g *kg.Graph, gold []kg.EntityID, mentions []link.Mention) (alike []kg.EntityID, ok bool) {
	type way struct {
		relation kg.RelationID
		name     kg.EntityID
		from     bool // the name is the head
	}
	var best map[way]bool
	for _, e := range gold {
		ways := map[way]bool{}
		named := func(n kg.EntityID) bool {
			return n != e && slices.ContainsFunc(mentions, func(m link.Mention) bool {
				return slices.ContainsFunc(m.Candidates, func(c link.Candidate) bool { return c.Entity == n })
			})
		}
		for _, x := range g.Out(e) {
			if named(x.Entity) {
				ways[way{x.Relation, x.Entity, false}] = true
			}
		}
		for _, x := range g.In(e) {
			if named(x.Entity) {
				ways[way{x.Relation, x.Entity, true}] = true
			}
		}
		if len(ways) > len(best) {
			best = ways
		}
	}
	for w := range best {
		edges := g.InBy(w.name, w.relation)
		if w.from {
			edges = g.OutBy(w.name, w.relation)
		}
		var have []kg.EntityID
		for _, x := range edges {
			if !ok || slices.Contains(alike, x.Entity) {
				have = append(have, x.Entity)
			}
		}
		alike, ok = slices.Compact(have), true
	}
	return alike, ok
}
