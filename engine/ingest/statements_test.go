package ingest_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"cairn/engine/ingest"
	"cairn/engine/kg"
	"cairn/internal/testing/shared"
)

// qualified writes the triples of a graph by the last parts of their names, each with what
// its statements say beside it.
func qualified(g *kg.Graph) []string {
	last := func(s string) string { return s[strings.LastIndexAny(s, "/#")+1:] }
	var out []string
	for i := range g.Triples() {
		t := g.Triple(kg.TripleID(i))
		line := last(g.Key(t.Head)) + " " + last(g.RelationKey(t.Relation)) + " " + last(g.Key(t.Tail))
		var statements []string
		for properties := range g.Statements(kg.TripleID(i)) {
			var ps []string
			for _, p := range properties {
				value := p.Value
				if p.Entity != kg.NoEntity {
					value = last(g.Key(p.Entity))
				}
				ps = append(ps, last(p.Name)+"="+value)
			}
			slices.Sort(ps)
			statements = append(statements, " ("+strings.Join(ps, " ")+")")
		}
		slices.Sort(statements)
		out = append(out, line+strings.Join(statements, ""))
	}
	slices.Sort(out)
	return out
}

// TestStatementNodesBecomeProperties: what RDF says about statements, in any of its
// ways, is kept with the statement, and no node is left of it.
func TestStatementNodesBecomeProperties(t *testing.T) {
	const prefixes = "@prefix : <http://x/> .\n@prefix rdf: <http://www.w3.org/1999/02/22-rdf-syntax-ns#> .\n@prefix owl: <http://www.w3.org/2002/07/owl#> .\n@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .\n"
	tests := []struct {
		name, text string
		want       []string
	}{
		{"annotation", ":a :r :b {| :year 2015 ; :by :c |} .", []string{"a r b (by=c year=2015)"}},
		{"two annotations are two statements", ":a :r :b {| :year 2015 |} {| :year 2016 |} .", []string{"a r b (year=2015) (year=2016)"}},
		{"reifier before what it reifies", "<< :a :r :b ~ :i >> :year 2015 . :a :r :b .", []string{"a r b (year=2015)"}},
		{"quoted and nowhere stated", "<< :a :r :b >> :year 2015 . :c :r :d .", []string{"c r d"}},
		{"reification", "_:s a rdf:Statement ; rdf:subject :a ; rdf:predicate :r ; rdf:object :b ; :year 2015 .", []string{"a r b (year=2015)"}},
		{"reification by an IRI", ":s a rdf:Statement .\n:s rdf:object :b ; rdf:predicate :r ; rdf:subject :a ; :year 2015 . :a :r :b .", []string{"a r b (year=2015)"}},
		{"annotated axiom", ":a rdfs:subClassOf :b . [] a owl:Axiom ; owl:annotatedSource :a ; owl:annotatedProperty rdfs:subClassOf ; owl:annotatedTarget :b ; :source \"x\" .", []string{"a subClassOf b (source=x)"}},
		{"restriction", ":a rdfs:subClassOf [ a owl:Restriction ; owl:onProperty :partOf ; owl:someValuesFrom :b ] .", []string{"a partOf b"}},
		{"list", ":a :authors ( :b :c ) .", []string{"a authors b (position=1)", "a authors c (position=2)"}},
		{"list inside an annotation", ":a :r :b {| :by ( :c :d ) |} .", []string{"a r b (by=c by=d)"}},
		{"a node that is a thing stays one", ":a :address [ :city :b ] .", []string{"a address X", "X city b"}},
		{"Wikibase", `@prefix p: <http://w/prop/> . @prefix ps: <http://w/prop/statement/> . @prefix pq: <http://w/prop/qualifier/> . @prefix wdt: <http://w/prop/direct/> . @prefix wikibase: <http://wikiba.se/ontology#> .
			:a wdt:P1 :b ; p:P1 :s1 , :s2 . :s1 a wikibase:Statement ; wikibase:rank wikibase:NormalRank ; ps:P1 :b ; pq:P2 "2015" .
			:s2 a wikibase:Statement ; ps:P1 :c ; wikibase:rank wikibase:DeprecatedRank .`, []string{"a P1 b (P2=2015)"}},
	}
	for _, tt := range tests {
		for _, batch := range []int{0, 1} {
			st := store(t)
			r, err := stream(t, st, "x.ttl", prefixes+tt.text, ingest.Options{BatchSize: batch})
			if err != nil || r.Check() != nil || r.Rejected > 0 {
				t.Errorf("%s: %v, %v, %v, %v", tt.name, r, err, r.Check(), r.Rejects)
				continue
			}
			got := qualified(graph(t, st))
			for i := range got { // blank nodes have keys of their own
				words := strings.Fields(got[i])
				for j, w := range words {
					if strings.HasPrefix(w, "_:") {
						words[j] = "X"
					}
				}
				got[i] = strings.Join(words, " ")
			}
			slices.Sort(got)
			slices.Sort(tt.want)
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("%s (-want +got):\n%s", tt.name, diff)
			}
		}
	}
	st := store(t)
	if _, err := stream(t, st, "x.nt", "<< <http://x/a> <http://x/r> <http://x/b> >> <http://x/year> \"2015\" .\n<http://x/a> <http://x/r> <http://x/b> .\n", ingest.Options{}); err != nil {
		t.Fatal(err)
	}
	if got := qualified(graph(t, st)); !slices.Equal(got, []string{"a r b (year=2015)"}) {
		t.Errorf("N-Triples-star: %q", got)
	}
}

// TestRelationsAreNamed: a relation takes its name from what the document calls it.
func TestRelationsAreNamed(t *testing.T) {
	st := store(t)
	text := "@prefix : <http://x/> .\n@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .\n" +
		":r a <http://www.w3.org/2002/07/owl#ObjectProperty> ; rdfs:label \"gehört zu\"@de, \"belongs to\"@en .\n:a :r :b .\n"
	if r, err := stream(t, st, "x.ttl", text, ingest.Options{}); err != nil || r.Check() != nil {
		t.Fatal(r, err)
	}
	g := graph(t, st)
	for r := range kg.RelationID(g.Relations()) {
		if g.RelationKey(r) == "http://x/r" && g.RelationText(r) != "belongs to" {
			t.Errorf("the relation is called %q", g.RelationText(r))
		}
	}
}

// TestSchemaIsNoData: beside things, what declares their classes and properties is no fact, and names relations and
// types all the same. A document of classes alone is about these.
func TestSchemaIsNoData(t *testing.T) {
	schema := "@prefix : <http://x/> .\n@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .\n@prefix owl: <http://www.w3.org/2002/07/owl#> .\n" +
		":Well a owl:Class ; rdfs:label \"deep well\" .\n:Spring a owl:Class ; rdfs:subClassOf :Well .\n:p a owl:DatatypeProperty ; rdfs:label \"yield\" ; rdfs:domain :Well .\n"
	for things, want := range map[string][]string{
		"": {"Spring subClassOf Well", "Spring type Class", "Well type Class", "p domain Well", "p type DatatypeProperty"},
		":a a :Well ; :p \"four\" .\n:b a :Spring ; :p \"five\" .\n:c a :Well .\n:d a :Well .\n": {"Spring subClassOf Well", "a p \"four\"", "a type Well", "b p \"five\"", "b type Spring", "c type Well", "d type Well"},
	} {
		st := store(t)
		r, err := stream(t, st, "x.ttl", schema+things, ingest.Options{})
		if err != nil || r.Check() != nil {
			t.Fatal(r, err)
		}
		g := graph(t, st)
		if got := qualified(g); !slices.Equal(got, want) {
			t.Errorf("%q, want %q", got, want)
		}
		for r := range kg.RelationID(g.Relations()) {
			if g.RelationKey(r) == "http://x/p" && g.RelationText(r) != "yield" {
				t.Errorf("the relation is called %q", g.RelationText(r))
			}
		}
	}
}

// TestBadStatementsAreRejected: reading goes on behind a bad statement, whose place is
// told.
func TestBadStatementsAreRejected(t *testing.T) {
	tests := []struct {
		name, text string
		line       int64
		say        string
		added      int64
	}{
		{"x.ttl", "@prefix : <http://x/> .\n:a :r :b .\n:c nope:r :d .\n:e :r :f .\n", 3, "nope", 2},
		{"x.ttl", "@prefix : <http://x/> .\n:a :r :b .\n<rel> :r :d .\n:e :r \"unclosed .\n:g :r :h .\n", 3, "base", 2},
		{"x.trig", "@prefix : <http://x/> .\n:g { :a :r :b .\n :c ! :d .\n :e :r :f . }\n:h :r :i .\n", 3, "missing before !", 3},
		{"x.rdf", "<rdf:RDF xmlns:rdf=\"http://www.w3.org/1999/02/22-rdf-syntax-ns#\" xmlns=\"http://x/\">\n<a rdf:about=\"http://x/a\">\n<r rdf:resource=\"rel\"/>\n<r rdf:resource=\"http://x/b\"/></a></rdf:RDF>", 3, "relative", 2},
	}
	for _, tt := range tests {
		st := store(t)
		r, err := stream(t, st, tt.name, tt.text, ingest.Options{})
		if err != nil || r.Check() != nil || r.Rejected == 0 || r.Rejects[0].Line != tt.line || !strings.Contains(r.Rejects[0].Reason, tt.say) || r.Added != tt.added {
			t.Errorf("%s %q: %v, %v, %v; want line %d that says %q, and %d triples", tt.name, tt.text, r, err, r.Rejects, tt.line, tt.say, tt.added)
		}
		if _, err := stream(t, store(t), tt.name, tt.text, ingest.Options{Strict: true}); err == nil {
			t.Errorf("%s: strict reading goes on", tt.name)
		}
	}
}

// TestSchemaOrg: one graph in several syntaxes is one graph.
func TestSchemaOrg(t *testing.T) {
	shared.Sequential(t)
	var first []string
	for _, ending := range []string{"nt", "nq", "ttl", "rdf", "jsonld"} {
		st := store(t)
		r, err := ingest.File(t.Context(), st, shared.Data(t, "schemaorg/schemaorg-current-https."+ending+".gz"), ingest.Options{}, nil)
		if err != nil || r.Check() != nil || r.Rejected > 0 {
			t.Errorf("%s: %v, %v, %v", ending, r, err, r.Rejects)
			continue
		}
		got := facts(graph(t, st))
		slices.Sort(got)
		got = append(got, fmt.Sprint(len(got)))
		if first == nil {
			first = got
		} else if diff := cmp.Diff(first, got); diff != "" {
			t.Errorf("%s is another graph than N-Triples: %.2000s", ending, diff)
		}
	}
}
