package ingest_test

import (
	"slices"
	"strings"
	"testing"

	"cairn/engine/ingest"
	"cairn/engine/kg"
)

const organs = `format-version: 1.4
ontology: organs
subsetdef: slim "A short list"

! a remark
[Term]
id: ORG:1
name: heart
def: "A muscle that pumps \"blood\"." [PMID:1, "a book"]
synonym: "cor" EXACT LATIN [PMID:2]
synonym: "pump" RELATED []
is_a: ORG:3 {source="PMID:3", confidence="0.9"} ! organ
relationship: part_of ORG:4 ! body
intersection_of: ORG:3
intersection_of: pumps ORG:2
property_value: weight "300" xsd:integer
xref: UMLS:C0018787 "Heart"
is_obsolete: false
colour: red ! not in the standard

[Term]
id: ORG:2
name: blood

[Term]
id: ORG:3
name: organ
no colon here
synonym: without quotes EXACT []

[Term]
id: ORG:4
name: body

[Typedef]
id: part_of
name: is a part of
is_transitive: true
`

// TestOBO reads an ontology: names, other names, definitions, relations with their names,
// qualifiers as properties; and says which lines it cannot read.
func TestOBO(t *testing.T) {
	st := store(t)
	r, err := stream(t, st, "organs", organs, ingest.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if r.Format.Kind != ingest.OBO || r.Rejected != 2 || r.Properties != 2 {
		t.Errorf("kind %q, %d lines rejected, %d properties, want OBO, 2, 2: %v", r.Format.Kind, r.Rejected, r.Properties, r.Rejects)
	}
	if r.Read != r.Used+r.Rejected+r.Skipped || r.Read != int64(strings.Count(organs, "\n")) {
		t.Errorf("%d lines read, %d used + %d rejected + %d skipped, of %d", r.Read, r.Used, r.Rejected, r.Skipped, strings.Count(organs, "\n"))
	}
	g := graph(t, st)
	var got []string
	var heart kg.EntityID
	for i := range g.Triples() {
		x := g.Triple(kg.TripleID(i))
		if g.Label(x.Head) == "heart" {
			heart = x.Head
			said := ""
			for properties := range g.Statements(kg.TripleID(i)) {
				for _, p := range properties {
					said += " " + p.Name + "=" + p.Value
				}
			}
			got = append(got, g.RelationText(x.Relation)+" "+g.Label(x.Tail)+said)
		}
	}
	want := []string{
		"has related synonym pump", "sub class of organ source=PMID:3 confidence=0.9", "is a part of body", "pumps blood",
		"weight 300", "has db xref UMLS:C0018787", "deprecated false", "colour red",
	}
	if !slices.Equal(got, want) {
		t.Errorf("the heart: %q, want %q", got, want)
	}
	if aliases := g.Aliases(heart); !slices.Equal(aliases, []string{"cor"}) {
		t.Errorf("other names %q, want cor", aliases)
	}
	x, err := st.Entities(t.Context(), heart, heart+1)
	if err != nil || x[0].Description != `A muscle that pumps "blood".` || x[0].Key != "ORG:1" {
		t.Errorf("%+v, %v", x, err)
	}
}

func FuzzOBO(f *testing.F) {
	f.Add([]byte(organs))
	f.Add([]byte("[Typedef]\nid: a\\Wb\nsynonym: \"x\\\" EXACT\nis_a: b {c=\"d, e\",f} ! g\nproperty_value: p \"q\" xsd:\n"))
	fuzzImport(f, func([]byte) ingest.Options { return ingest.Options{Kind: ingest.OBO} })
}
