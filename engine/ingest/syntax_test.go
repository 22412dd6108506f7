package ingest_test

import (
	"errors"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"cairn/engine/ingest"
	"cairn/engine/kg"
)

// TestOtherFormatsAreRefusedByName refuses what has no reader in a sentence that
// names it, by what it holds and by its ending; none becomes a table.
func TestOtherFormatsAreRefusedByName(t *testing.T) {
	pipes := strings.Repeat("a|r|b\nc|r|d\n", 5)
	tests := []struct{ file, text, say string }{
		{"x.txt", ":a :b :c {| :d :e |} .\n:f :g :h {| :i :j |} .\n", "Turtle"},
		{"x", "<< :a :b :c >> :d :e .\n", "Turtle"},
		{"x.ttl", pipes, "Turtle"},
		{"x.ttl.gz", zip(t, pipes), "Turtle"},
		{"x.owl", pipes, "RDF/XML"},
		{"x", "<?xml version=\"1.0\"?>\n<Ontology xmlns=\"http://www.w3.org/2002/07/owl#\"/>", "OWL in XML"},
		{"x", "[\n {\"a\": 1}\n]", "JSON"},
		{"x", "{\"a\": {\"b\": 1}}\n{\"a\": {\"b\": 2}}\n", "JSON"},
		{"x.json", pipes, "JSON"},
		{"x.csv", "PK\x03\x04....", "damaged"},
		{"x.xlsx", pipes, "Excel"},
		{"x", "Prefix(:=<http://x/>)\nOntology(<http://x>\n)\n", "OWL"},
		{"x", "digraph {\n  a -> b;\n}\n", "Graphviz"},
		{"x", "-- dump\nCREATE TABLE kg (a, b, c);\nINSERT INTO kg VALUES (1, 2, 3);\n", "SQL"},
		{"x", "CREATE (a:Person {name: 'x'}), (b), (a)-[:KNOWS]->(b)\n", "Cypher"},
	}
	for _, tt := range tests {
		path := filepath.Join(t.TempDir(), tt.file)
		write(t, path, tt.text)
		r, err := ingest.File(t.Context(), store(t), path, ingest.Options{}, nil)
		if refused, ok := errors.AsType[*kg.FileError](err); !ok || !strings.Contains(err.Error(), tt.say) || refused.Remedy == "" || r.Added > 0 {
			t.Errorf("%s %.40q: %v, %v; want it refused as %s", tt.file, tt.text, r, err, tt.say)
		}
	}
}

// TestOntologyInRDFXML reads what editors of OWL save: its second element is an Ontology,
// which alone would be OWL in XML.
func TestOntologyInRDFXML(t *testing.T) {
	const text = `<?xml version="1.0"?>
<!DOCTYPE rdf:RDF [ <!ENTITY owl "http://www.w3.org/2002/07/owl#" > ]>
<!-- <Ontology> -->
<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns:rdfs="http://www.w3.org/2000/01/rdf-schema#" xmlns:owl="http://www.w3.org/2002/07/owl#">
<!-- what it is about -->
<owl:Ontology rdf:about="http://x/"/>
<owl:Class rdf:about="http://x/a"><rdfs:subClassOf rdf:resource="http://x/b"/></owl:Class>
</rdf:RDF>
`
	for _, name := range []string{"x", "x.owl"} {
		st := store(t)
		if r, err := stream(t, st, name, text, ingest.Options{}); err != nil || !slices.Contains(qualified(graph(t, st)), "a subClassOf b") {
			t.Errorf("%s: %v, %v", name, r, err)
		}
	}
}

// TestNamesLikeSyntaxAreNames reads tables whose names look like another format.
func TestNamesLikeSyntaxAreNames(t *testing.T) {
	for _, text := range []string{
		"{Title}\twritten by\tOna\n{Other}\twritten by\tOna\n",
		"[Rec]\tgenre\thorror\n[Rec] 2\tgenre\thorror\n",
		"{\"x\"}|genre|horror\n{}|genre|horror\n",
		"Match (film)|genre|horror\nCreate (film)|genre|horror\n",
		"insert into\tis a\tphrase\ncreate table\tis a\tphrase\n",
		"graph\tis a\tnoun\ndigraph [x]\tis a\tnoun\n",
		"<graphml>\tis a\tformat\n<gexf>\tis a\tformat\n",
		"MONDO:1\tbiolink:part_of\tMONDO:2.\nMONDO:3\tbiolink:part_of\tMONDO:2.\n",
		"prefix\tis a\tword\nbase\tis a\tword\n",
	} {
		if r, err := stream(t, store(t), "x.tsv", text, ingest.Options{}); err != nil || r.Added != 2 || r.Read != 2 {
			t.Errorf("%q: %v, %v; want two triples", text, r, err)
		}
	}
}

func TestEncodings(t *testing.T) {
	tests := []struct{ name, text, want string }{
		{"Windows-1252 throughout", "Caf\xe9\tliegt in\tM\xfcnchen\n\x93Zum L\xf6wen\x94\tliegt in\tK\xf6ln\n", "Café | liegt in | München"},
		{"one accent in much ASCII", strings.Repeat("Cafe\tin\tParis\n", 500) + "Caf\xe9\tin\tParis\n", "Café | in | Paris"},
		{"UTF-16, big end first, with a mark", "\xfe\xff\x00a\x00\t\x00r\x00\t\x00\xe9\x00\n", "a | r | é"},
		{"UTF-16, little end first, with a mark", "\xff\xfea\x00\t\x00r\x00\t\x00\xe9\x00\n\x00", "a | r | é"},
		{"UTF-16, little end first, without a mark", "a\x00\t\x00r\x00\t\x00\xe9\x00\n\x00c\x00\t\x00r\x00\t\x00d\x00\n\x00", "a | r | é"},
		{"UTF-16, big end first, without a mark", "\x00a\x00\t\x00r\x00\t\x00\xe9\x00\n\x00c\x00\t\x00r\x00\t\x00d\x00\n", "a | r | é"},
		{"UTF-8 with a damaged line", "Zoë\tr\tb\nJosé\tr\tb\nAmélie\tr\tb\nx\xe9\tr\tb\n", "Zoë | r | b"},
	}
	for _, tt := range tests {
		st := store(t)
		r, err := stream(t, st, "x.tsv", tt.text, ingest.Options{})
		if err != nil || !strings.Contains(strings.Join(facts(graph(t, st)), "\n"), tt.want) {
			t.Errorf("%s: %v, %v, %q; want %s", tt.name, r, err, facts(graph(t, st)), tt.want)
		}
		guessed := r.Format.Encoding == "windows-1252"
		if said := strings.Contains(strings.Join(r.Format.Notes, " "), "Windows-1252"); guessed != said {
			t.Errorf("%s: encoding %s, notes %q", tt.name, r.Format.Encoding, r.Format.Notes)
		}
	}
	r, err := stream(t, store(t), "x.tsv", "a\tr\tb\nc\tr\td\n\xff\xfe\x81\tr\tb\n", ingest.Options{})
	if err != nil || r.Rejected != 1 || r.Format.Encoding != "utf-8" {
		t.Errorf("bytes that are no text: %v, %v; want one line rejected", r, err)
	}
}
