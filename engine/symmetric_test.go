package engine

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"cairn/engine/answer"
	"cairn/engine/ingest"
	"cairn/engine/plan"
)

// TestRelationsThatHoldBothWays imports relations of which no edge has a direction, or that
// the file declares symmetric: questions find neighbours at both ends, claims hold in either
// order, also after the graph was closed, and only as long as a layer says so.
func TestRelationsThatHoldBothWays(t *testing.T) {
	const graphML = `<graphml xmlns="http://graphml.graphdrawing.org/xmlns">
<key id="n" for="node" attr.name="name" attr.type="string"/><key id="l" for="edge" attr.name="label" attr.type="string"/>
<graph edgedefault="undirected">
<node id="a"><data key="n">Norland</data></node><node id="b"><data key="n">Midland</data></node>
<node id="c"><data key="n">Southland</data></node><node id="d"><data key="n">Westland</data></node>
<edge source="a" target="b"><data key="l">mirrors</data></edge>
<edge source="b" target="c"><data key="l">mirrors</data></edge>
<edge source="d" target="b"><data key="l">mirrors</data></edge>
</graph></graphml>`
	const turtle = `@prefix : <http://x.org/> . @prefix owl: <http://www.w3.org/2002/07/owl#> .
:Norland :mirrors :Midland . :Midland :mirrors :Southland . :Westland :mirrors :Midland .
:mirrors a owl:ObjectProperty, owl:SymmetricProperty .`
	const obo = `format-version: 1.2
[Term]
id: X:1
name: Norland
relationship: mirrors X:2
[Term]
id: X:2
name: Midland
relationship: mirrors X:3
[Term]
id: X:3
name: Southland
[Term]
id: X:4
name: Westland
relationship: mirrors X:2
[Typedef]
id: mirrors
is_symmetric: true
`
	for name, text := range map[string]string{"x.graphml": graphML, "x.ttl": turtle, "x.obo": obo} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			write := func(name, text string) string {
				file := filepath.Join(dir, name)
				if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
					t.Fatal(err)
				}
				return file
			}
			path := filepath.Join(dir, "x.cairn")
			var e *Engine
			open := func() {
				t.Helper()
				var err error
				if e, err = Open(t.Context(), path, Options{}, nil); err != nil {
					t.Fatal(err)
				}
			}
			load := func(file string) string {
				t.Helper()
				r, err := e.Import(t.Context(), []string{file}, ingest.Options{}, nil)
				if err != nil {
					t.Fatal(err)
				}
				return strings.Join(r.Notes, "\n")
			}
			both, one := []string{"Norland", "Southland", "Westland"}, []string{"Southland"}
			check := func(when string, want []string, reverse answer.Verdict) {
				t.Helper()
				run, err := e.Ask(t.Context(), "What does Midland mirror?", AskOptions{}, nil)
				if err != nil {
					t.Fatal(err)
				}
				got := said(run)
				slices.Sort(got)
				if !cmp.Equal(got, want) || run.Plan.Doubt != plan.Sure {
					t.Errorf("%s: %q, doubt %v, want %q and sure", when, got, run.Plan.Doubt, want)
				}
				for claim, verdict := range map[string]answer.Verdict{
					"Norland mirrors Midland.": answer.Supported, "Midland mirrors Norland.": reverse, "Southland mirrors Norland.": answer.NotFound,
				} {
					if run, err = e.Ask(t.Context(), claim, AskOptions{}, nil); err != nil {
						t.Fatal(err)
					}
					if run.Answer.Verdict != verdict {
						t.Errorf("%s: %s %v, want %v", when, claim, run.Answer.Verdict, verdict)
					}
				}
			}
			open()
			note := load(write(name, text))
			undirected := name == "x.graphml"
			if undirected != strings.Contains(note, "3 of its edges have no direction, so they apply both ways") {
				t.Errorf("the import says %q", note)
			}
			check("imported", both, answer.Supported)
			if err := e.Close(); err != nil {
				t.Fatal(err)
			}
			open()
			defer func() { _ = e.Close() }()
			check("opened again", both, answer.Supported)

			if !undirected {
				return
			}
			if note := load(write("more.csv", "head,relation,tail\nEastland,mirrors,Oddland\n")); !strings.Contains(note, "“mirrors” applied both ways") {
				t.Errorf("the import of an edge with a direction says %q", note)
			}
			check("with an edge that has a direction", one, answer.NotFound)
			if err := e.RemoveLayer(t.Context(), 1, nil); err != nil {
				t.Fatal(err)
			}
			check("without it", both, answer.Supported)
			const mixed = `graph [ directed 0 node [ id 1 label "A" ] node [ id 2 label "B" ] edge [ source 1 target 2 label "mirrors" ] ]`
			load(write("y.gml", mixed))
			check("with another layer that gives none a direction", both, answer.Supported)
			if err := e.SwitchLayer(t.Context(), 0, false, nil); err != nil {
				t.Fatal(err)
			}
			if g := e.Graph(); !g.IsSymmetric(0) {
				t.Error("the mark went with another layer")
			}
		})
	}
}
