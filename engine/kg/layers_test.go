package kg

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"cairn/internal/testing/shared"
)

// claimed is one thing that a layer by the model says.
type claimed struct {
	kind                    string // label, alias, description, type, triple
	entity, text, rel, tail string
	year                    string // of the statement; empty for a plain triple
	rank                    uint8
}

// modelLayer is a layer of the naive model: what it says, in order.
type modelLayer struct {
	id   int64
	says []claimed
	on   bool
}

// randomLayer says a few things about few entities.
func randomLayer(rng *rand.Rand) (says []claimed) {
	entity := func() string { return fmt.Sprintf("http://x.org/e_%d", rng.IntN(8)) }
	for range 3 + rng.IntN(15) {
		c := claimed{entity: entity(), text: fmt.Sprintf("text %d", rng.IntN(4)), rank: uint8(rng.IntN(3))}
		switch rng.IntN(7) {
		case 0:
			c.kind = "label"
		case 1:
			c.kind = "alias"
		case 2:
			c.kind = "description"
		case 3:
			c.kind = "type"
		default:
			c.kind, c.rel, c.tail = "triple", fmt.Sprintf("r%d", rng.IntN(2)), entity()
			if rng.IntN(2) == 0 {
				c.year = fmt.Sprint(1900 + rng.IntN(2))
			}
		}
		says = append(says, c)
	}
	return says
}

// importLayer imports what a layer says and returns its number.
func importLayer(t *testing.T, st *Store, hash string, says []claimed, off bool) int64 {
	t.Helper()
	w, err := st.NewWriter(t.Context(), Layer{Name: hash, File: hash, Hash: hash, Mapping: "m", Off: off}, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer w.Close()
	for i, c := range says {
		w.At(int64(i + 1))
		e := w.Entity([]byte(c.entity), LocalName(c.entity))
		switch c.kind {
		case "label":
			w.Label(e, c.text, "", c.rank)
		case "alias":
			w.Alias(e, c.text, "")
		case "description":
			w.Describe(e, c.text, c.rank)
		case "type":
			w.Type(e, []byte(c.text))
		case "triple":
			var ps []Property
			if c.year != "" {
				ps = []Property{{Name: "year", Value: c.year, Entity: NoEntity}}
			}
			w.AddStatement(Triple{e, w.Relation([]byte(c.rel)), w.Entity([]byte(c.tail), LocalName(c.tail))}, FileItself, ps)
		}
		if i == len(says)/2 {
			if err := w.Commit(t.Context(), int64(i+1), false, Counts{}); err != nil {
				t.Fatal(err)
			}
		}
	}
	if err := w.Commit(t.Context(), int64(len(says)), true, Counts{}); err != nil {
		t.Fatal(err)
	}
	if err := w.Settle(t.Context(), nil); err != nil {
		t.Fatal(err)
	}
	return w.source
}

// wanted is what the model says, a line each.
func wanted(layers []*modelLayer) []string {
	lines := map[string]bool{}
	alive := map[string]bool{}
	best, names, described := map[string]claimed{}, map[string]map[string]bool{}, map[string]claimed{}
	for _, l := range layers {
		if !l.on {
			continue
		}
		for _, c := range l.says {
			alive[c.entity] = true
			switch c.kind {
			case "label", "alias":
				if names[c.entity] == nil {
					names[c.entity] = map[string]bool{}
				}
				names[c.entity][c.text] = true
				if b, ok := best[c.entity]; c.kind == "label" && (!ok || c.rank < b.rank) {
					best[c.entity] = c
				}
			case "description":
				if b, ok := described[c.entity]; !ok || c.rank < b.rank {
					described[c.entity] = c
				}
			case "type":
				lines[c.entity+" is a "+c.text] = true
			case "triple":
				alive[c.tail] = true
				lines[strings.TrimSpace(fmt.Sprintf("%s %s %s", c.entity, c.rel, c.tail))] = true
				if c.year != "" {
					lines[fmt.Sprintf("%s %s %s in %s", c.entity, c.rel, c.tail, c.year)] = true
				}
			}
		}
	}
	for e := range alive {
		label := LocalName(e)
		if b, ok := best[e]; ok {
			label = b.text
		}
		lines[e+" label "+label] = true
		for n := range names[e] {
			if n != label {
				lines[e+" alias "+n] = true
			}
		}
		lines[e+" described "+described[e].text] = true
	}
	return slices.Sorted(maps.Keys(lines))
}

// told is what the graph of a store says, in the same lines.
func told(t *testing.T, st *Store) []string {
	t.Helper()
	g, err := st.Graph(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	lines := map[string]bool{}
	entities, triples := 0, 0
	for i := range g.Entities() {
		e := EntityID(i)
		if g.Gone(e) {
			if g.Degree(e) > 0 || g.Types(e) != nil || g.Aliases(e) != nil {
				t.Errorf("%s is gone and has something", g.Key(e))
			}
			continue
		}
		entities++
		lines[g.Key(e)+" label "+g.Label(e)] = true
		for _, a := range g.Aliases(e) {
			lines[g.Key(e)+" alias "+a] = true
		}
		for _, k := range g.Types(e) {
			lines[g.Key(e)+" is a "+g.TypeLabel(k)] = true
		}
		x, err := st.Entities(t.Context(), e, e+1)
		if err != nil {
			t.Fatal(err)
		}
		lines[g.Key(e)+" described "+x[0].Description] = true
		for _, edge := range g.Out(e) {
			triples++
			line := fmt.Sprintf("%s %s %s", g.Key(e), g.RelationKey(edge.Relation), g.Key(edge.Entity))
			lines[line] = true
			for ps := range g.Statements(edge.Triple) {
				lines[line+" in "+ps[0].Value] = true
			}
			if places, err := st.Provenance(t.Context(), edge.Triple); err != nil || len(places) == 0 {
				t.Errorf("%s has no place: %v", line, err)
			}
		}
	}
	if e, n := g.Count(); e != entities || n != triples {
		t.Errorf("Count = %d entities, %d triples; there are %d, %d", e, n, entities, triples)
	}
	for ts := range g.Triples() {
		if id := TripleID(ts); g.Off(id) {
			for range g.Statements(id) {
				t.Errorf("triple %d is off and has a statement", id)
			}
		}
	}
	return slices.Sorted(maps.Keys(lines))
}

// TestLayersLikeModel imports, switches, removes and replaces layers at random, and
// compares what the graph says with a model that knows no more than who says what. Ids
// stay as they are.
func TestLayersLikeModel(t *testing.T) {
	shared.Sequential(t)
	for seed := range uint64(30) {
		rng := rand.New(rand.NewPCG(seed, 8))
		path := filepath.Join(t.TempDir(), "g.cairn")
		st := openLarge(t, path, []int{1, 1 << 18}[seed%2])
		var layers []*modelLayer
		ids := map[string]EntityID{}
		for step := range 12 {
			what := "import"
			if len(layers) > 0 {
				what = []string{"import", "switch", "switch", "remove", "replace", "again"}[rng.IntN(6)]
			}
			at := 0
			if len(layers) > 0 {
				at = rng.IntN(len(layers))
			}
			hash := fmt.Sprintf("h%d", step)
			var err error
			switch what {
			case "import":
				says := randomLayer(rng)
				layers = append(layers, &modelLayer{importLayer(t, st, hash, says, false), says, true})
			case "again": // the same as a layer says, in another
				says := slices.Clone(layers[at].says)
				layers = append(layers, &modelLayer{importLayer(t, st, hash, says, false), says, true})
			case "switch":
				layers[at].on = !layers[at].on
				err = st.SwitchLayer(t.Context(), layers[at].id, layers[at].on)
			case "remove":
				err = st.RemoveLayer(t.Context(), layers[at].id)
				layers = slices.Delete(layers, at, at+1)
			case "replace":
				says := randomLayer(rng)
				by := &modelLayer{importLayer(t, st, hash, says, true), says, true}
				if got := told(t, st); !slices.Equal(got, wanted(layers)) {
					t.Fatalf("seed %d: a layer that is off changed the graph: %s", seed, cmp.Diff(wanted(layers), got))
				}
				err = st.ReplaceLayer(t.Context(), layers[at].id, by.id)
				layers = append(slices.Delete(layers, at, at+1), by)
			}
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(wanted(layers), told(t, st)); diff != "" {
				t.Fatalf("seed %d, step %d, %s (-model +graph):\n%s", seed, step, what, diff)
			}
			if err := st.Check(t.Context()); err != nil {
				t.Fatal(err)
			}
			g, err := st.Graph(t.Context(), nil)
			if err != nil {
				t.Fatal(err)
			}
			checkHaving(t, g)
			for e := range EntityID(g.Entities()) {
				if was, ok := ids[g.Key(e)]; ok && was != e {
					t.Fatalf("%s was entity %d and is %d", g.Key(e), was, e)
				}
				ids[g.Key(e)] = e
			}
		}
		if notices := st.Notices(); len(notices) > 0 { // such as that a graph of which a layer is off cannot be kept
			t.Fatalf("seed %d: notices %q", seed, notices)
		}
	}
}

// TestCompareLayers says what a new version of a file says otherwise.
func TestCompareLayers(t *testing.T) {
	st := openLarge(t, filepath.Join(t.TempDir(), "g.cairn"), 1<<18)
	say := func(tail, year string) claimed {
		return claimed{kind: "triple", entity: "a", rel: "r", tail: tail, year: year}
	}
	old := importLayer(t, st, "1", []claimed{say("b", ""), say("c", "1900"), say("d", "")}, false)
	by := importLayer(t, st, "2", []claimed{say("b", ""), say("c", "1901"), say("e", "")}, true)
	d, err := st.CompareLayers(t.Context(), old, by)
	if err != nil || d.Added != 1 || d.Removed != 1 || d.Changed != 1 || d.Same != 1 || len(d.AddedSample) != 1 || len(d.ChangedSample) != 1 {
		t.Errorf("CompareLayers = %+v, %v", d, err)
	}
	if err := st.RemoveLayer(t.Context(), 99); !errors.As(err, new(*NoLayerError)) {
		t.Errorf("removing a layer that is not there: %v", err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := st.ReplaceLayer(ctx, old, by); err == nil {
		t.Error("a replacement that was cancelled went on")
	}
	if g, err := st.Graph(t.Context(), nil); err != nil || len(g.Out(0)) != 3 {
		t.Errorf("after a cancelled replacement there are other triples: %v", err)
	}
	// The same file again, after it was removed, is a layer again.
	if err := st.RemoveLayer(t.Context(), old); err != nil {
		t.Fatal(err)
	}
	w, err := st.NewWriter(t.Context(), Layer{Name: "1", File: "1", Hash: "1", Mapping: "m"}, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer w.Close()
	w.At(1)
	a, _ := w.Find("a")
	d2, _ := w.Find("d")
	r, _ := w.FindRelation("r")
	if !w.Add(Triple{a, r, d2}, FileItself) {
		t.Error("a triple of a removed layer that is said again is not new")
	}
}
